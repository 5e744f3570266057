"""A second implementation of the LCA optimum, quick enough for large data, with one idea of the kernel:

a node on the paths of one (class, LCA) pair cannot be in both sets, so of such nodes only the number counts.
There is no split into components, no dominance between partial sets and no bit mask: every choice is
enumerated, and equal partial sets are merged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from reference_lca import Counts

from branchmark.closures import Reach
from branchmark.ragged import Ragged

# A path or a set of nodes: those that others may share, and how many further ones.
Weighted = tuple[frozenset[int], int]


class TooMany(Exception):
    """More choices than the plain way can go through."""


class Side(NamedTuple):
    labels: list[int]
    lcas: dict[int, dict[int, int]]  # of each class: LCA -> links up to it
    up: dict[int, int]  # fewest links from any class of the side


class PlainLca:
    """Optimal counts, one instance after another."""

    def __init__(self, parents: Ragged, reach: Reach, limit: int = 200_000) -> None:
        self.parents = parents
        self.reach = reach
        self.limit = limit
        self.climbs: dict[int, dict[int, int]] = {}

    def climb(self, label: int) -> dict[int, int]:
        if label not in self.climbs:
            self.climbs[label] = self.reach.distances(label)
        return self.climbs[label]

    def counts(self, true: Sequence[int], pred: Sequence[int]) -> Counts:
        y, q = self.most_specific(true), self.most_specific(pred)
        if not y or not q:
            return Counts(0, len(y), len(q))
        if y == q:
            return Counts(len(y), len(y), len(y))
        sides = self.side(y, q), self.side(q, y)
        wanted = [set(lcas) for side in sides for lcas in side.lcas.values()]
        legs = {(s, n, a) for s in (0, 1) for n in sides[s].labels for a in self.ends(n, sides[s], sides[1 - s])}
        paths = {(s, n, a): self.paths(n, a) for s, n, a in legs}
        passed = Counter(node for found in paths.values() for node in set().union(*found))
        own = set(y) | set(q)
        shared = {node for node, times in passed.items() if times > 1} | own | set().union(*wanted)
        options = {leg: self.merged(found, shared) for leg, found in paths.items()}
        outcomes = set()
        for chosen in self.minimum_hitting_sets(wanted):
            left, right = (self.augmented(s, sides, chosen, options) for s in (0, 1))
            if len(left) * len(right) > self.limit:
                raise TooMany
            outcomes |= {
                Counts(len(a & b), len(a) + more_a, len(b) + more_b)
                for a, more_a in left.items()
                for b, more_b in right.items()
            }
        return min(outcomes, key=Counts.rank)

    def most_specific(self, labels: Sequence[int]) -> list[int]:
        if len(labels) == 1:
            return list(labels)
        return [x for x in labels if not any(x in self.climb(z) for z in labels if z != x)]

    def side(self, labels: list[int], others: list[int]) -> Side:
        up: dict[int, int] = {}
        for label in labels:
            for a, steps in self.climb(label).items():
                up[a] = min(steps, up.get(a, steps))
        lcas = {}
        for label in labels:
            mine = self.climb(label)
            total = {
                (other, a): steps + theirs[a]
                for other in others
                for theirs in (self.climb(other),)
                for a, steps in mine.items()
                if a in theirs
            }
            least = min(total.values())
            lcas[label] = {a: mine[a] for (_, a), d in total.items() if d == least}
        return Side(labels, lcas, up)

    def ends(self, label: int, side: Side, other: Side) -> set[int]:
        """LCAs to which a path from this class may lead: its own, and those it may connect."""
        mine = self.climb(label)
        theirs = {a for lcas in other.lcas.values() for a in lcas}
        return set(side.lcas[label]) | {a for a in theirs if mine.get(a) == side.up[a]}

    def paths(self, label: int, end: int) -> list[tuple[int, ...]]:
        up = self.climb(label)
        length = up[end]
        found: list[tuple[int, ...]] = [(end,)]
        # downwards from the end: of the class's ancestors, those that have the last node as a parent
        by_level: dict[int, list[int]] = {}
        for node, steps in up.items():
            if steps < length:
                by_level.setdefault(steps, []).append(node)
        for level in range(length - 1, -1, -1):
            below: dict[int, list[int]] = {}
            for node in by_level[level]:
                for parent in self.parents[node].tolist():
                    below.setdefault(parent, []).append(node)
            found = [(*path, node) for path in found for node in below.get(path[-1], ())]
            if len(found) > self.limit:
                raise TooMany
        return found

    def merged(self, paths: list[tuple[int, ...]], shared: set[int]) -> set[Weighted]:
        return {(frozenset(shared.intersection(path)), len(path) - len(shared.intersection(path))) for path in paths}

    def minimum_hitting_sets(self, wanted: list[set[int]]) -> list[set[int]]:
        nodes = sorted(set().union(*wanted))
        forced = {next(iter(options)) for options in wanted if len(options) == 1}
        open_sets = [options for options in wanted if not options & forced]
        free = [node for node in nodes if any(node in options for options in open_sets)]
        for size in range(len(open_sets) + 1):
            found = [
                forced | set(chosen)
                for chosen in combinations(free, size)
                if all(options.intersection(chosen) for options in open_sets)
            ]
            if found:
                return found
        raise AssertionError

    def augmented(
        self,
        s: int,
        sides: tuple[Side, Side],
        chosen: set[int],
        options: dict[tuple[int, int, int], set[Weighted]],
    ) -> dict[frozenset[int], int]:
        """Sets of shared nodes, each with the least number of further nodes."""
        side, other = sides[s], sides[1 - s]
        sets: dict[frozenset[int], int] = {frozenset(): 0}
        for n in side.labels:
            legs = [path for a in chosen & side.lcas[n].keys() for path in options[s, n, a]]
            sets = self.product(sets, legs)
        complete: dict[frozenset[int], int] = {}
        for nodes, more in sets.items():
            grown = {nodes: more}
            for a in chosen - nodes:
                starts = [n for n in side.labels if a in side.lcas[n]] + [
                    n
                    for n in side.labels
                    if a not in side.lcas[n]
                    and any(a in lcas for lcas in other.lcas.values())
                    and self.climb(n).get(a) == side.up[a]
                ]
                grown = self.product(grown, [path for n in starts for path in options[s, n, a]])
            for whole, extra in grown.items():
                complete[whole] = min(extra, complete.get(whole, extra))
        return complete

    def product(self, sets: dict[frozenset[int], int], legs: list[Weighted]) -> dict[frozenset[int], int]:
        grown: dict[frozenset[int], int] = {}
        if len(sets) * len(legs) > self.limit:
            raise TooMany
        for nodes, more in sets.items():
            for path, extra in legs:
                whole = nodes | path
                grown[whole] = min(more + extra, grown.get(whole, more + extra))
        return grown
