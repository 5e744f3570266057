"""What the measures mean, written for the reader: sets of names, fractions, no arrays and no cleverness.

Counts of a set comparison are triples (common, pred, true); decisions add a fourth, the number of decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

TOP = "<virtual root>"
ADDED = "<node above the root>"

Names = frozenset[str]
Counts = tuple[Fraction, Fraction, Fraction, Fraction]


class Graph:
    """A hierarchy as a dict of parents; the virtual root, if there is one, is a node like any other."""

    def __init__(self, nodes: Iterable[str], edges: Iterable[tuple[str, str]]) -> None:
        pairs = set(edges)
        self.classes = frozenset(nodes) | {x for pair in pairs for x in pair}
        self.above: dict[str, set[str]] = {x: {p for p, c in pairs if c == x} for x in self.classes}
        tops = [x for x in self.classes if not self.above[x]]
        self.virtual = len(tops) != 1
        self.root = TOP if self.virtual else tops[0]
        if self.virtual:
            for x in tops:
                self.above[x] = {TOP}
            self.above[TOP] = set()
        self.below: dict[str, set[str]] = {
            x: {c for c in self.above if x in self.above[c]} for x in self.above
        }

    @property
    def leaves(self) -> Names:
        return frozenset(x for x in self.classes if not self.below[x])

    def up(self, x: str) -> dict[str, int]:
        """Links on the shortest way up to x itself and to each of its ancestors."""
        return _steps(x, self.above)

    def ancestors(self, x: str) -> Names:
        return frozenset(self.up(x)) - {x}

    def descendants(self, x: str) -> Names:
        return frozenset(_steps(x, self.below)) - {x}

    def depth(self, x: str) -> int:
        return self.up(x)[self.root]

    def longest_depth(self, x: str) -> int:
        return max((1 + self.longest_depth(p) for p in self.above[x]), default=0)

    def distance(self, x: str, y: str) -> int:
        up_x, up_y = self.up(x), self.up(y)
        return min(up_x[a] + up_y[a] for a in up_x.keys() & up_y.keys())

    def lca(self, x: str, y: str) -> Names:
        up_x, up_y = self.up(x), self.up(y)
        least = self.distance(x, y)
        return frozenset(a for a in up_x.keys() & up_y.keys() if up_x[a] + up_y[a] == least)

    def with_ancestors(self, labels: Iterable[str], root: str) -> Names:
        """Labels and all their ancestors, with the rule for the root: excluded, included or added."""
        found = frozenset(a for x in labels for a in self.up(x))
        if root == "excluded":
            return found - {self.root}
        if root == "added" and found and not self.virtual:
            return found | {ADDED}
        return found

    def with_descendants(self, labels: Iterable[str]) -> Names:
        return frozenset(a for x in labels for a in (x, *self.descendants(x)))

    def h_loss_sets(self, true: Iterable[str], pred: Iterable[str], root: str) -> tuple[Names, Names]:
        """Ancestor sets without the nodes that are not on the other side and have no parent there.

        Every instance belongs to the root, so as a parent the root is on both sides.
        """
        sides = self.with_ancestors(true, root), self.with_ancestors(pred, root)

        def kept(side: Names, other: Names) -> Names:
            return frozenset(
                x for x in side if x in other or any(p == self.root or p in other for p in self.above[x])
            )

        return kept(*sides), kept(*sides[::-1])


def _steps(start: str, links: Mapping[str, set[str]]) -> dict[str, int]:
    distance = {start: 0}
    frontier = [start]
    while frontier:
        reached = {y for x in frontier for y in links[x]} - distance.keys()
        distance |= dict.fromkeys(reached, distance[frontier[0]] + 1)
        frontier = sorted(reached)
    return distance


# ---------------------------------------------------------------- formulas on counts

Value = Fraction | None  # None: left out


def ratio(above: Fraction, below: Fraction, zero_division: float | str) -> Value:
    if below:
        return above / below
    return None if zero_division == "skip" else Fraction(zero_division)


def formula(
    name: str, counts: Counts, zero_division: float | str, beta: Fraction, perfect_if_empty: bool
) -> Value:
    """The value of one row of counts by the name of a flat measure."""
    common, pred, true, decisions = counts
    wrong = pred + true - 2 * common
    if name in ("P", "R", "F", "jaccard") and perfect_if_empty and not pred and not true:
        return Fraction(1)
    b2 = beta * beta
    if name == "P":
        return ratio(common, pred, zero_division)
    if name == "R":
        return ratio(common, true, zero_division)
    if name == "F":
        return ratio((1 + b2) * common, b2 * true + pred, zero_division)
    if name == "jaccard":
        return ratio(common, true + pred - common, zero_division)
    if name == "accuracy":
        return ratio(decisions - wrong, decisions, zero_division)
    if name == "error":
        return ratio(wrong, decisions, zero_division)
    if name == "specificity":
        false_positives = pred - common
        return ratio(decisions - true - false_positives, decisions - true, zero_division)
    if name == "exact":
        return Fraction(wrong == 0)
    if name == "symdiff":
        return wrong
    raise AssertionError(name)


def mean(values: Sequence[Value], zero_division: float | str) -> Fraction:
    there = [v for v in values if v is not None]
    if there:
        return sum(there, Fraction()) / len(there)
    return Fraction(0 if zero_division == "skip" else zero_division)


DECISIONS = ("accuracy", "error", "specificity")


class Comparison:
    """Sets of names on both sides, one pair per instance, and the classes they are about."""

    def __init__(
        self, graph: Graph, pairs: Sequence[tuple[Names, Names]], weights: Mapping[str, Fraction] | None
    ) -> None:
        self.graph = graph
        self.pairs = pairs
        self.weights = weights

    def size(self, names: Iterable[str]) -> Fraction:
        return sum((Fraction(1) if self.weights is None else self.weights[x] for x in names), Fraction())

    def instance_counts(self, within: Names | None = None) -> list[Counts]:
        every = Fraction(len(self.graph.classes if within is None else within))
        rows = []
        for true, pred in self.pairs:
            t, p = (true, pred) if within is None else (true & within, pred & within)
            rows.append((self.size(t & p), self.size(p), self.size(t), every))
        return rows

    def category_counts(self, category: str) -> Counts:
        common = sum(category in t and category in p for t, p in self.pairs)
        pred = sum(category in p for _, p in self.pairs)
        true = sum(category in t for t, _ in self.pairs)
        return Fraction(common), Fraction(pred), Fraction(true), Fraction(len(self.pairs))

    @property
    def seen(self) -> Names:
        return frozenset(x for pair in self.pairs for side in pair for x in side) & self.graph.classes

    def universe(self, name: str, categories: str) -> Names:
        """Categories that count. A real root is one where it occurs; decisions are about all classes."""
        if categories == "seen":
            return self.seen
        chosen = self.graph.leaves if categories == "leaves" else self.graph.classes
        if name in DECISIONS and categories == "all":
            return chosen
        return frozenset(x for x in chosen if x != self.graph.root or x in self.seen)

    def per_instance(
        self, name: str, zero_division: float | str = 0, beta: Fraction = Fraction(1)
    ) -> list[Value]:
        return [formula(name, row, zero_division, beta, True) for row in self.instance_counts()]

    def per_category(
        self, name: str, zero_division: float | str = 0, beta: Fraction = Fraction(1)
    ) -> dict[str, Value]:
        return {x: formula(name, self.category_counts(x), zero_division, beta, False) for x in self.seen}

    def value(
        self,
        name: str,
        average: str,
        categories: str = "all",
        zero_division: float | str = 0,
        beta: Fraction = Fraction(1),
        of: str = "rows",
    ) -> Fraction:
        if of == "means":
            p = self.value("P", average, categories, zero_division)
            r = self.value("R", average, categories, zero_division)
            f = ratio((1 + beta * beta) * p * r, beta * beta * p + r, zero_division)
            return Fraction(0) if f is None else f
        if average == "samples":
            return mean(self.per_instance(name, zero_division, beta), zero_division)
        universe = self.universe(name, categories)
        if average == "macro":
            rows = [
                formula(name, self.category_counts(x), zero_division, beta, False) for x in sorted(universe)
            ]
            return mean(rows, zero_division)
        whole = categories == "all" and name not in DECISIONS
        counts = self.instance_counts(None if whole else universe)
        total = tuple(sum(column, Fraction()) for column in zip(*counts, strict=True))
        return mean([formula(name, total, zero_division, beta, True)], zero_division)


# ---------------------------------------------------------------- kinds of error


def kind_of_error(graph: Graph, true: Names, pred: Names) -> str:
    """The first kind, from the mildest, that fits all wrong predictions."""
    if true == pred:
        return "exact"
    if not pred:
        return "nothing"
    if not true:
        return "far"
    wrong = pred - true

    def branches(x: str) -> Names:
        return frozenset(a for a in graph.up(x) if graph.root in graph.above[a])

    fits = {
        "under-specialised": lambda p: any(p in graph.ancestors(t) for t in true),
        "over-specialised": lambda p: any(p in graph.descendants(t) for t in true),
        "sibling": lambda p: any(graph.above[p] & graph.above[t] for t in true),
        "near": lambda p: any(branches(p) & branches(t) for t in true),
    }
    return next((kind for kind, fit in fits.items() if all(map(fit, wrong))), "far")
