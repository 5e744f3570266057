"""Costs, pairings, contributions and blocking as their definitions say, with dicts and sets of names."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

from reference import Graph

TOP = "<beyond the threshold>"

Cost = Callable[[str, str], float]


# ---------------------------------------------------------------- costs of a pair


def cheapest_climb(graph: Graph, x: str, link: Callable[[str], float]) -> dict[str, float]:
    """Least cost of a way up from x to itself and each ancestor; link(p) is the cost of a link below p."""
    best = {x: 0.0}
    waiting = [x]
    while waiting:
        node = waiting.pop()
        for parent in graph.above[node]:
            cost = best[node] + link(parent)
            if cost < best.get(parent, math.inf):
                best[parent] = cost
                waiting.append(parent)
    return best


def weighted_distance(
    graph: Graph, x: str, y: str, link: Callable[[str], float], up: float = 1.0, down: float = 1.0
) -> float:
    """Least cost of a way from x up to a common ancestor and down to y."""
    from_x, from_y = cheapest_climb(graph, x, link), cheapest_climb(graph, y, link)
    return min(up * from_x[a] + down * from_y[a] for a in from_x.keys() & from_y.keys())


def depth_cost(graph: Graph, w0: float, ratio: float) -> Cost:
    """w0 · ratio^depth per link, depth of its upper end."""
    return lambda x, y: weighted_distance(graph, x, y, lambda p: w0 * ratio ** graph.depth(p))


def short_climb(graph: Graph, x: str, threshold: int) -> dict[str, int]:
    """Ancestors nearer than the threshold, and the dummy: there, or just above a root that is nearer."""
    up = graph.up(x)
    near = {a: steps for a, steps in up.items() if steps < threshold}
    return near | {TOP: min(threshold, up[graph.root] + 1)}


def short_distance(graph: Graph, x: str, y: str, threshold: int) -> int:
    from_x, from_y = short_climb(graph, x, threshold), short_climb(graph, y, threshold)
    return min(from_x[a] + from_y[a] for a in from_x.keys() & from_y.keys())


def short_set(graph: Graph, labels: Iterable[str], threshold: int) -> frozenset[str]:
    """Labels with the ancestors that are near enough; root and dummy are one node."""
    return frozenset(TOP if a == graph.root else a for x in labels for a in short_climb(graph, x, threshold))


# ---------------------------------------------------------------- Problem 1


def problem1(
    true: Sequence[str],
    pred: Sequence[str],
    cost: Cost,
    d_max: float,
    of_true: tuple[int, float],
    of_pred: tuple[int, float],
) -> float:
    """Least cost of a set of pairs; of_true and of_pred are (alpha, beta), and a class with too few partners pays
    d_max for each that is missing. Infinite where no set of pairs keeps the bounds."""
    every = [(t, p) for t in true for p in pred]
    best = math.inf
    for taken in product((False, True), repeat=len(every)):
        pairs = [pair for pair, there in zip(every, taken, strict=True) if there]
        total = [cost(t, p) for t, p in pairs]
        counts = [(sum(t == x for t, _ in pairs), of_true) for x in true]
        counts += [(sum(p == x for _, p in pairs), of_pred) for x in pred]
        if any(count > most for count, (_, most) in counts):
            continue
        missing = sum(max(0, least - count) for count, (least, _) in counts)
        if missing and math.isinf(d_max):
            continue
        best = min(best, math.fsum(total) + (missing * d_max if missing else 0.0))
    return best


# ---------------------------------------------------------------- contributions (Sun et al., equations 10-20)


class Contributions:
    """Counts and contributions of every category; nearness(c', c) is one term of the sum, before the clamp."""

    def __init__(
        self,
        classes: Iterable[str],
        pairs: Sequence[tuple[frozenset[str], frozenset[str]]],
        nearness: Callable[[str, str], float],
    ) -> None:
        self.pairs = pairs
        self.counts: dict[str, dict[str, float]] = {}
        for c in classes:
            row = {"tp": 0.0, "fp": 0.0, "fn": 0.0, "fp_con": 0.0, "fn_con": 0.0}
            for true, pred in pairs:
                if c in true and c in pred:
                    row["tp"] += 1
                elif c in pred:
                    row["fp"] += 1
                    row["fp_con"] += clamp(sum(nearness(other, c) for other in true))
                elif c in true:
                    row["fn"] += 1
                    row["fn_con"] += clamp(sum(nearness(other, c) for other in pred))
            self.counts[c] = row

    @property
    def seen(self) -> set[str]:
        return {x for pair in self.pairs for side in pair for x in side}

    def fraction(self, kind: str, c: str) -> tuple[float, float]:
        """Numerator and denominator."""
        row = self.counts[c]
        con = row["fp_con"] + row["fn_con"]
        if kind == "P":
            return max(0.0, row["tp"] + con), row["tp"] + row["fp"] + row["fn_con"]
        if kind == "R":
            return max(0.0, row["tp"] + con), row["tp"] + row["fn"] + row["fp_con"]
        n = len(self.pairs)
        wrong = row["fp"] + row["fn"] - con
        return (n - wrong, n) if kind == "Accuracy" else (wrong, n)

    def category(self, kind: str, c: str, beta: float = 1.0) -> float:
        if kind == "F":
            return f_of(self.category("P", c), self.category("R", c), beta)
        return divided(*self.fraction(kind, c))

    def micro(self, kind: str, universe: Iterable[str], beta: float = 1.0) -> float:
        chosen = list(universe)
        if kind == "F":
            return f_of(self.micro("P", chosen), self.micro("R", chosen), beta)
        parts = [self.fraction(kind, c) for c in chosen]
        return divided(sum(above for above, _ in parts), sum(below for _, below in parts))

    def macro(self, kind: str, universe: Iterable[str], beta: float = 1.0) -> float:
        values = [self.category(kind, c, beta) for c in universe]
        return sum(values) / len(values) if values else 0.0


def clamp(x: float) -> float:
    return min(1.0, max(-1.0, x))


def divided(above: float, below: float) -> float:
    return above / below if below > 1e-12 else 0.0


def f_of(p: float, r: float, beta: float) -> float:
    return divided((1 + beta**2) * p * r, beta**2 * p + r)


# ---------------------------------------------------------------- blocking


def work_domain(graph: Graph, node: str) -> set[str]:
    """Classes that no way down from the root reaches without passing the node."""
    reached = set() if graph.root == node else {graph.root}
    border = list(reached)
    while border:
        further = {c for x in border for c in graph.below[x]} - reached - {node}
        reached |= further
        border = sorted(further)
    return set(graph.above) - reached


def blocked(
    true: Sequence[Iterable[str]], decisions: Sequence[Mapping[str, bool]], category: str, classifier: str
) -> int:
    """Documents of the category that reached the classifier and were rejected."""
    return sum(
        category in labels and verdicts.get(classifier) is False
        for labels, verdicts in zip(true, decisions, strict=True)
    )
