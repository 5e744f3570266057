"""Graphs that are not acyclic: what the message shows, and which links go."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchmark import cycles
from branchmark.errors import HierarchyError
from branchmark.hierarchy import Hierarchy
from branchmark.links import Links

Edges = list[tuple[str, str]]


@st.composite
def digraphs(draw: st.DrawFn) -> Edges:
    names = "abcdef"[: draw(st.integers(2, 6))]
    possible = [(x, y) for x in names for y in names if x != y]
    return draw(st.lists(st.sampled_from(possible), min_size=1, max_size=12, unique=True))


def fewest_cuts(edges: Edges) -> int:
    """Try all sets of links, small ones first."""
    for size in range(len(edges) + 1):
        for cut in combinations(edges, size):
            if nx.is_directed_acyclic_graph(nx.DiGraph([e for e in edges if e not in cut])):
                return size
    raise AssertionError


def broken(edges: Edges) -> Hierarchy:
    return Hierarchy.from_edges(edges, break_cycles=True)


@given(digraphs())
@settings(max_examples=80)
def test_fewest_links_are_cut(edges: Edges) -> None:
    h = broken(edges)
    left = set(h.edges())
    assert left <= set(edges)
    assert nx.is_directed_acyclic_graph(nx.DiGraph(list(left)))
    assert len(edges) - len(left) == fewest_cuts(edges)


@given(digraphs(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_order_of_links_does_not_matter(edges: Edges, rng: random.Random) -> None:
    shuffled = edges.copy()
    rng.shuffle(shuffled)
    first, second = broken(edges), broken(shuffled)
    assert set(first.edges()) == set(second.edges())
    assert first.notes == second.notes


@given(digraphs())
@settings(max_examples=60)
def test_each_cut_is_reported(edges: Edges) -> None:
    h = broken(edges)
    cut = sorted(set(edges) - set(h.edges()))
    assert h.notes == [f"cut {a} → {b}: part of a cycle" for a, b in cut]
    assert set(h) == {x for edge in edges for x in edge}


@given(digraphs())
@settings(max_examples=60)
def test_the_printed_cycle_is_one(edges: Edges) -> None:
    if nx.is_directed_acyclic_graph(nx.DiGraph(edges)):
        assert Hierarchy.from_edges(edges).notes == []
        return
    with pytest.raises(HierarchyError) as caught:
        Hierarchy.from_edges(edges)
    message = str(caught.value)
    shown = message.removeprefix("not acyclic: ").partition(". ")[0].split(" → ")
    assert len(shown) > 2
    assert shown[0] == shown[-1]
    assert all(pair in edges for pair in pairwise(shown))
    assert "break_cycles=True / --break-cycles" in message


@given(digraphs())
@settings(max_examples=30)
def test_greedy_answer_is_acyclic_and_has_nothing_to_spare(edges: Edges) -> None:
    # what components get that are too large for the exact answer
    from unittest import mock

    with mock.patch.object(cycles, "LARGEST_EXACT", 0):
        h = broken(edges)
    left = set(h.edges())
    assert nx.is_directed_acyclic_graph(nx.DiGraph(list(left)))
    for link in set(edges) - left:
        assert not nx.is_directed_acyclic_graph(nx.DiGraph([*left, link])), "this cut was not needed"
    if len(left) < len(edges):
        assert h.notes[-1] == "the cycles are too entangled to prove that no fewer links would do"


def test_a_cycle_is_printed() -> None:
    with pytest.raises(
        HierarchyError, match=r"^not acyclic: (12 → 40 → 77 → 12|40 → 77 → 12 → 40|77 → 12 → 40 → 77)\. "
    ):
        Hierarchy.from_edges([(1, 12), (12, 40), (40, 77), (77, 12)])


def test_two_classes_above_each_other() -> None:
    with pytest.raises(HierarchyError, match=r"a → b → a|b → a → b"):
        Hierarchy.from_parents({"a": "b", "b": "a"})


def test_a_long_cycle_is_shortened_in_the_middle() -> None:
    n = 1000
    with pytest.raises(HierarchyError, match=r"… \(1000 classes\) …") as caught:
        Hierarchy.from_edges([(i, (i + 1) % n) for i in range(n)])
    assert len(str(caught.value)) < 250


def test_file_and_line_lead_the_message() -> None:
    edges = [("r", "a"), ("a", "b"), ("b", "a")]
    links = Links.from_names(edges, lines=[1, 2, 4], source="topics.edges")
    with pytest.raises(HierarchyError, match=r"^topics\.edges:[24]: not acyclic: "):
        Hierarchy(links)
    loop = Links.from_names([("r", "a"), ("a", "a")], lines=[1, 7], source="topics.edges")
    with pytest.raises(HierarchyError, match=r"^topics\.edges:7: class 'a' is its own parent"):
        Hierarchy(loop)


def test_a_class_is_not_its_own_parent() -> None:
    with pytest.raises(HierarchyError, match="class 'a' is its own parent; remove the link, or use break_cycles=True"):
        Hierarchy.from_edges([("r", "a"), ("a", "a")])
    h = broken([("r", "a"), ("a", "a")])
    assert set(h.edges()) == {("r", "a")}
    assert h.notes == ["cut a → a: its own parent"]


def test_one_link_shared_by_many_cycles_goes_alone() -> None:
    # a → b is on all of them
    edges = [("a", "b"), *((("b", x)) for x in "cdefg"), *((x, "a") for x in "cdefg")]
    h = broken(edges)
    assert set(edges) - set(h.edges()) == {("a", "b")}


def test_breaking_cycles_of_networkx_and_parents() -> None:
    assert len(list(Hierarchy.from_networkx(nx.DiGraph([("a", "b"), ("b", "a")]), break_cycles=True).edges())) == 1
    assert len(list(Hierarchy.from_parents({"a": "b", "b": "a"}, break_cycles=True).edges())) == 1


def test_without_cycles_nothing_is_cut() -> None:
    h = broken([("r", "a"), ("r", "b"), ("a", "c"), ("b", "c")])
    assert h.notes == []
    assert h.links == 4
