"""Structure queries against sets and dicts, on generated trees and graphs."""

from __future__ import annotations

from hypothesis import given
from reference import TOP, Graph
from strategies import Shape, hierarchies

VIRTUAL = "(root)"  # what the virtual root is called where it must be called something


def graph_of(shape: Shape) -> Graph:
    return Graph(shape.nodes, shape.edges)


@given(hierarchies())
def test_ancestors_and_descendants(shape: Shape) -> None:
    h, graph = shape.hierarchy(), graph_of(shape)
    for x in shape.nodes:
        assert len(h.ancestors(x)) == len(set(h.ancestors(x)))
        assert set(h.ancestors(x)) == graph.ancestors(x) - {TOP}
        assert set(h.descendants(x)) == graph.descendants(x)
        assert h.coverage(x)[0] == x
        assert set(h.coverage(x)) == {x} | graph.descendants(x)
        assert set(h.parents(x)) == graph.above[x] - {TOP}
        assert set(h.children(x)) == graph.below[x]


@given(hierarchies())
def test_ancestors_come_nearest_first(shape: Shape) -> None:
    h, graph = shape.hierarchy(), graph_of(shape)
    for x in shape.nodes:
        steps = [graph.up(x)[a] for a in h.ancestors(x)]
        assert steps == sorted(steps)


@given(hierarchies())
def test_depths(shape: Shape) -> None:
    h, graph = shape.hierarchy(), graph_of(shape)
    assert {x: h.depth(x) for x in shape.nodes} == {x: graph.depth(x) for x in shape.nodes}
    assert {x: h.depth(x, longest=True) for x in shape.nodes} == {
        x: graph.longest_depth(x) for x in shape.nodes
    }


@given(hierarchies(max_nodes=7))
def test_distance_and_lowest_common_ancestors(shape: Shape) -> None:
    h, graph = shape.hierarchy(), graph_of(shape)
    for x in shape.nodes:
        for y in shape.nodes:
            assert h.distance(x, y) == graph.distance(x, y)
            assert sorted(h.lca(x, y)) == sorted(VIRTUAL if a == TOP else a for a in graph.lca(x, y))


@given(hierarchies())
def test_shape_of_the_whole(shape: Shape) -> None:
    h, graph = shape.hierarchy(), graph_of(shape)
    assert set(h) == graph.classes
    assert len(h) == len(graph.classes)
    assert set(h.leaves) == graph.leaves
    assert set(h.edges()) == set(shape.edges)
    assert h.links == len(shape.edges)
    assert h.root_is_virtual == graph.virtual
    assert h.root == (None if graph.virtual else graph.root)
    assert h.is_tree == all(len(above) <= 1 for above in graph.above.values())


@given(hierarchies())
def test_parents_have_smaller_ids(shape: Shape) -> None:
    h = shape.hierarchy()
    assert all(h.id(parent) < h.id(child) for parent, child in shape.edges)
    assert [h.id(name) for name in h] == list(range(int(h.root_is_virtual), h.size))


@given(hierarchies())
def test_subtree(shape: Shape) -> None:
    h, graph = shape.hierarchy(), graph_of(shape)
    for x in shape.nodes:
        part = h.subtree(x)
        inside = {x} | graph.descendants(x)
        assert set(part) == inside
        assert set(part.edges()) == {(a, b) for a, b in shape.edges if a in inside and b in inside}
        assert part.root == x


@given(hierarchies())
def test_statistics(shape: Shape) -> None:
    h, graph = shape.hierarchy(), graph_of(shape)
    facts = h.statistics()
    depth = [graph.depth(x) for x in graph.classes]
    inner = [len(graph.below[x]) for x in graph.above if graph.below[x]]
    parents = [len(graph.above[x]) for x in graph.classes if x != graph.root]
    assert facts["classes"] == len(graph.classes)
    assert facts["links"] == len(shape.edges)
    assert facts["leaves"] == len(graph.leaves)
    assert facts["inner classes"] == len(graph.classes) - len(graph.leaves)
    assert facts["top-level classes"] == len(graph.below[graph.root])
    assert facts["depth (shortest paths)"] == max(depth)
    assert facts["depth (longest paths)"] == max(graph.longest_depth(x) for x in graph.classes)
    assert facts["classes per depth"] == [depth.count(d) for d in range(max(depth) + 1)]
    assert facts["children per inner class (max)"] == max(inner, default=0)
    assert facts["children per inner class (mean)"] == round(sum(inner) / len(inner) if inner else 0.0, 4)
    assert facts["classes with several parents"] == sum(p > 1 for p in parents)
    assert facts["parents per class (max)"] == max(parents, default=0)
