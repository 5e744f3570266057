"""Generated hierarchies and label sets, in plain Python so that references need nothing of branchmark."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st

from branchmark import Hierarchy
from branchmark.costs import ClassMatrix
from branchmark.ragged import Ragged
from branchmark.trace import Trace

# spaces, digits, letters beyond ASCII, names that contain or resemble each other, the virtual root's own name
NAMES = ("a", "aa", "b", "B", "10", "1", "été", "x y", "(root)", "日本", "none", "c|d=e", "f,g", "0")

# what weights may be: nothing, thirds and tenths that binary cannot hold, and a wide range
WEIGHTS = (0.0, 0.1, 1 / 3, 0.25, 1.0, 2.5, 7.0, 1e-3, 1e4)

SIMILARITIES = (-0.3, 0.0, 0.1, 1 / 3, 0.5, 0.75, 0.9)


@dataclass(frozen=True)
class Shape:
    """Classes and (parent, child) links, in the order in which a user would give them."""

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]

    def hierarchy(self) -> Hierarchy:
        return Hierarchy.from_edges(self.edges, nodes=self.nodes)

    def renamed(self, new: dict[str, str]) -> Shape:
        return Shape(tuple(new[x] for x in self.nodes), tuple((new[a], new[b]) for a, b in self.edges))

    def reordered(self, nodes: list[str], edges: list[tuple[str, str]]) -> Shape:
        assert sorted(nodes) == sorted(self.nodes)
        assert sorted(edges) == sorted(self.edges)
        return Shape(tuple(nodes), tuple(edges))


Pairs = dict[tuple[str, str], float]


@dataclass(frozen=True)
class Case:
    """A hierarchy with the true and the predicted labels of some instances, and all else that measures may need.

    Costs and similarities hold a number for every pair of classes; decisions are, per instance, the classes whose
    subtree classifier it reached, each with its verdict, and None is the root.
    """

    shape: Shape
    true: list[list[str]]
    pred: list[list[str]]
    weights: dict[str, float]
    costs: Pairs = field(default_factory=dict)
    similarity: Pairs = field(default_factory=dict)
    decisions: list[dict[str | None, bool]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.true)

    def renamed(self, new: dict[str, str]) -> Case:
        """The same with other names."""

        def pairs(table: Pairs) -> Pairs:
            return {(new[x], new[y]): value for (x, y), value in table.items()}

        return Case(
            self.shape.renamed(new),
            [[new[x] for x in row] for row in self.true],
            [[new[x] for x in row] for row in self.pred],
            {new[x]: w for x, w in self.weights.items()},
            pairs(self.costs),
            pairs(self.similarity),
            [{None if x is None else new[x]: verdict for x, verdict in row.items()} for row in self.decisions],
        )

    def instances(self, order: Iterable[int]) -> Case:
        """Some instances, in some order."""
        kept = list(order)
        true, pred = [self.true[i] for i in kept], [self.pred[i] for i in kept]
        return replace(self, true=true, pred=pred, decisions=[self.decisions[i] for i in kept if self.decisions])

    def single(self) -> Case:
        """The same with one label on each side."""
        spare = self.shape.nodes[:1]
        return replace(self, true=[[*row, *spare][:1] for row in self.true], pred=[[*r, *spare][:1] for r in self.pred])

    def perfect(self) -> Case:
        """The truth as its own prediction, which every subtree classifier accepts."""
        return replace(self, pred=self.true, decisions=[dict.fromkeys(row, True) for row in self.decisions])

    def resources(self, h: Hierarchy) -> dict[str, Any]:
        """Arguments of `evaluate`: weights w, costs m, similarities s and the trace."""
        return {
            "weights": {"w": self.weights},
            "matrices": [self.matrix("m", self.costs, h, 0.0), self.matrix("s", self.similarity, h, 1.0)],
            "trace": self.trace(h),
        }

    def matrix(self, name: str, table: Pairs, h: Hierarchy, same: float) -> ClassMatrix:
        nodes = self.shape.nodes
        rows = [[table.get((x, y), same if x == y else 0.0) for y in nodes] for x in nodes]
        return ClassMatrix(name, rows, nodes, h)

    def trace(self, h: Hierarchy) -> Trace:
        rows = self.decisions or [{} for _ in self.true]
        ids = [{0 if x is None else h.id(x): verdict for x, verdict in row.items()} for row in rows]
        reached = [sorted(row) for row in ids]
        accepted = [sorted(x for x, verdict in row.items() if verdict) for row in ids]
        return Trace(h, Ragged.from_lists(reached), Ragged.from_lists(accepted))


@st.composite
def shapes(draw: st.DrawFn, max_nodes: int = 9, most_parents: int = 3) -> Shape:
    """Any acyclic graph: one top node or several, isolated nodes, classes in any order."""
    n = draw(st.integers(1, max_nodes))
    names = draw(st.permutations(NAMES[: max(n, 2)] if draw(st.booleans()) else NAMES))[:n]
    one_top = draw(st.booleans())
    edges = []
    for child in range(1, n):
        parents = draw(st.sets(st.integers(0, child - 1), min_size=int(one_top), max_size=min(most_parents, child)))
        edges += [(names[parent], names[child]) for parent in sorted(parents)]
    return Shape(tuple(draw(st.permutations(names))), tuple(draw(st.permutations(edges))))


def trees(max_nodes: int = 9) -> st.SearchStrategy[Shape]:
    """Trees and forests."""
    return shapes(max_nodes=max_nodes, most_parents=1)


def dags(max_nodes: int = 9) -> st.SearchStrategy[Shape]:
    """Graphs in which classes may have several parents."""
    return shapes(max_nodes=max_nodes, most_parents=3)


def hierarchies(max_nodes: int = 9) -> st.SearchStrategy[Shape]:
    """Trees or graphs."""
    return st.one_of(trees(max_nodes), dags(max_nodes))


@st.composite
def labelled(
    draw: st.DrawFn,
    shape: st.SearchStrategy[Shape] | None = None,
    max_instances: int = 6,
    max_labels: int = 4,
) -> Case:
    """Labels on leaves and inner nodes, the root and the empty set included; sides often agree in part."""
    graph = draw(shape if shape is not None else hierarchies())
    n = draw(st.integers(1, max_instances))
    label_set = st.lists(st.sampled_from(graph.nodes), max_size=max_labels, unique=True)
    true = [draw(label_set) for _ in range(n)]
    pred = [draw(st.one_of(label_set, st.just(row), st.just(row[:1]))) for row in true]
    weights = {name: draw(st.sampled_from(WEIGHTS)) for name in graph.nodes}
    # one draw for what would be a hundred
    chance = random.Random(draw(st.integers(0, 999)))
    costs, similarity = {}, {}
    for i, x in enumerate(graph.nodes):
        for y in graph.nodes[:i]:
            costs[x, y], costs[y, x] = chance.choices(WEIGHTS, k=2)
            similarity[x, y] = similarity[y, x] = chance.choice(SIMILARITIES)
        costs[x, x], similarity[x, x] = 0.0, 1.0
    decisions = [{x: chance.random() < 0.7 for x in (None, *graph.nodes) if chance.random() < 0.7} for _ in range(n)]
    return Case(graph, true, pred, weights, costs, similarity, decisions)
