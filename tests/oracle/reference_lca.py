"""LCA precision and recall by the definition: every minimum set of LCAs, every path, every connector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from reference_pairs import Graph

Nodes = frozenset[int]


class Counts(NamedTuple):
    common: int
    true: int
    pred: int

    def rank(self) -> tuple[float, int, int]:
        """Smaller is better; exact, because the counts are small."""
        return (-2 * self.common / (self.true + self.pred), self.true + self.pred, self.pred)


def most_specific(graph: Graph, labels: Sequence[int]) -> list[int]:
    above = {a for label in labels for a in graph.full_climb(label) if a != label}
    return [label for label in labels if label not in above]


def closest(graph: Graph, node: int, side: Sequence[int]) -> list[int]:
    """S_best(node, side)."""
    distance = {other: graph.meet(node, other)[0] for other in side}
    least = min(distance.values())
    return [other for other in side if distance[other] == least]


def lca_sets(graph: Graph, side: Sequence[int], other: Sequence[int]) -> dict[int, set[int]]:
    """LCA(n, other) of every n of a side."""
    return {n: set().union(*(graph.meet(n, i)[1] for i in closest(graph, n, other))) for n in side}


def minimum_hitting_sets(wanted: Iterable[set[int]]) -> Iterator[Nodes]:
    sets = list(wanted)
    nodes = sorted(set().union(*sets))
    for size in range(1, len(nodes) + 1):
        hitting = [set(chosen) for chosen in combinations(nodes, size) if all(set(chosen) & s for s in sets)]
        if hitting:
            yield from map(frozenset, hitting)
            return


def connector_starts(
    graph: Graph, a: int, side: Sequence[int], other: Sequence[int], lcas: dict[int, set[int]]
) -> list[int]:
    """Step 4(b): classes of a side from which a connector to a may start."""
    return [
        y for y in side if a in lcas[y] or any(y in closest(graph, q, side) and a in graph.meet(q, y)[1] for q in other)
    ]


def augmented_sets(
    graph: Graph, chosen: Nodes, side: Sequence[int], other: Sequence[int], lcas: dict[int, set[int]]
) -> set[Nodes]:
    """Step 4: every set that a side may be augmented to."""
    partial: set[Nodes] = {frozenset()}
    for y in side:
        paths = [path for a in chosen & lcas[y] for path in graph.shortest_paths(y, a)]
        partial = {nodes.union(path) for nodes in partial for path in paths}
    complete: set[Nodes] = set()
    for nodes in partial:
        grown = {nodes}
        for a in chosen - nodes:
            starts = connector_starts(graph, a, side, other, lcas)
            paths = [path for y in starts for path in graph.shortest_paths(y, a)]
            grown = {whole.union(path) for whole in grown for path in paths}
        complete |= grown
    return complete


def all_outcomes(graph: Graph, true: Sequence[int], pred: Sequence[int]) -> set[Counts]:
    """The counts of every legal choice."""
    y, q = most_specific(graph, true), most_specific(graph, pred)
    if not y or not q:
        return {Counts(0, len(y), len(q))}
    of_true, of_pred = lca_sets(graph, y, q), lca_sets(graph, q, y)
    outcomes = set()
    for chosen in minimum_hitting_sets([*of_true.values(), *of_pred.values()]):
        left = augmented_sets(graph, chosen, y, q, of_true)
        right = augmented_sets(graph, chosen, q, y, of_pred)
        outcomes |= {Counts(len(a & b), len(a), len(b)) for a in left for b in right}
    return outcomes


def optimum(graph: Graph, true: Sequence[int], pred: Sequence[int]) -> Counts:
    outcomes = all_outcomes(graph, true, pred)
    return min(outcomes, key=Counts.rank) if len(outcomes) > 1 else next(iter(outcomes))


def greedy(graph: Graph, true: Sequence[int], pred: Sequence[int]) -> Counts:
    """Algorithm 1 with connectors; ties go to shorter paths, then to smaller numbers, the dummy last."""
    y, q = most_specific(graph, true), most_specific(graph, pred)
    if not y or not q:
        return Counts(0, len(y), len(q))
    sides = ((y, q, lca_sets(graph, y, q)), (q, y, lca_sets(graph, q, y)))
    wanted = [(n, s, a) for s, (side, _, lcas) in enumerate(sides) for n in side for a in lcas[n]]

    def number(node: int) -> float:
        return node if node >= 0 else float("inf")

    def key(a: int) -> tuple[int, int, float]:
        links = [graph.climb(n)[a] for n, _, b in wanted if b == a]
        return -len(links), sum(links), number(a)

    def satisfied(best: Sequence[int]) -> bool:
        return all(lcas[n] & set(best) for side, _, lcas in sides for n in side)

    best: list[int] = []
    for a in sorted({a for _, _, a in wanted}, key=key):
        if satisfied(best):
            break
        best.append(a)
    for order in (list(best), None):
        for a in order if order is not None else list(reversed(best)):
            if satisfied([b for b in best if b != a]):
                best.remove(a)
    sets: tuple[set[int], set[int]] = (set(), set())

    def best_path(n: int, a: int) -> tuple[int, ...]:
        selected = sets[0] | sets[1]
        paths = graph.shortest_paths(n, a)
        return min(paths, key=lambda path: (-len(selected.intersection(path)), [number(x) for x in path]))

    for a in best:
        for s, (side, _, lcas) in enumerate(sides):
            for n in side:
                if a in lcas[n]:
                    sets[s].update(best_path(n, a))
    for a in best:
        for s, (side, other, lcas) in enumerate(sides):
            if a not in sets[s]:
                starts = connector_starts(graph, a, side, other, lcas)
                paths = [best_path(n, a) for n in starts]
                # classes to which a belongs anyway come first among equals
                order = [a not in lcas[n] for n in starts]
                sets[s].update(min(zip(paths, order, strict=True), key=lambda x: (len(set(x[0]) - sets[s]), x[1]))[0])
    return Counts(len(sets[0] & sets[1]), len(sets[0]), len(sets[1]))
