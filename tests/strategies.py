"""Generated hierarchies and label sets, in plain Python so that references need nothing of branchmark."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from branchmark import Hierarchy

# spaces, digits, letters beyond ASCII, names that contain or resemble each other, the virtual root's own name
NAMES = ("a", "aa", "b", "B", "10", "1", "été", "x y", "(root)", "日本", "none", "c|d=e", "f,g", "0")

# what weights may be: nothing, thirds and tenths that binary cannot hold, and a wide range
WEIGHTS = (0.0, 0.1, 1 / 3, 0.25, 1.0, 2.5, 7.0, 1e-3, 1e4)


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


@dataclass(frozen=True)
class Case:
    """A hierarchy with the true and the predicted labels of some instances, and a weight for every class."""

    shape: Shape
    true: list[list[str]]
    pred: list[list[str]]
    weights: dict[str, float]

    def __len__(self) -> int:
        return len(self.true)


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
    return Case(graph, true, pred, weights)
