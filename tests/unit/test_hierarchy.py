"""Making a hierarchy and asking it."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import branchmark as bm
from branchmark.errors import HierarchyError, LabelError
from branchmark.hierarchy import Hierarchy
from branchmark.links import Links

MUSIC = [("Arts", "Music"), ("Music", "Pop"), ("Music", "Rock")]


def edges_of(h: Hierarchy) -> set[tuple[str, str]]:
    return set(h.edges())


# ---------------------------------------------------------------- making one


def test_from_edges_keeps_the_order_of_siblings() -> None:
    h = Hierarchy.from_edges(MUSIC)
    assert h.names == ("Arts", "Music", "Pop", "Rock")
    assert h.children("Music") == ["Pop", "Rock"]
    assert Hierarchy.from_edges(MUSIC[::-1]).children("Music") == ["Rock", "Pop"]


@pytest.mark.parametrize(
    "edges",
    [
        [["1", "2"], ["1", "3"]],
        ((1, 2), (1, 3)),
        np.array([[1, 2], [1, 3]]),
        np.array([["1", "2"], ["1", "3"]]),
        pd.DataFrame({"parent": [1, 1], "child": [2, 3]}).itertuples(index=False),
        iter([(1.0, 2.0), (1.0, 3.0)]),
        {(1, 2): None, (1, 3): None},
    ],
    ids=["lists", "tuples", "int array", "text array", "named tuples", "whole floats", "keys"],
)
def test_edges_come_in_many_forms(edges: object) -> None:
    assert edges_of(Hierarchy.from_edges(edges)) == {("1", "2"), ("1", "3")}


def test_nodes_add_classes_without_links() -> None:
    h = Hierarchy.from_edges(MUSIC, nodes=["Arts", "Sports"])
    assert set(h) == {"Arts", "Music", "Pop", "Rock", "Sports"}
    assert h.root is None
    assert h.root_is_virtual
    assert h.depth("Arts") == 1
    assert h.distance("Pop", "Sports") == 4


def test_from_parents() -> None:
    h = Hierarchy.from_parents({"Pop": "Music", "Opera": ["Music", "Theater"], "Music": None, "Theater": []})
    assert edges_of(h) == {("Music", "Pop"), ("Music", "Opera"), ("Theater", "Opera")}
    assert sorted(h.parents("Opera")) == ["Music", "Theater"]
    assert not h.is_tree


@pytest.mark.parametrize("nothing", [None, float("nan"), np.nan, pd.NA, pd.NaT, [], ()])
def test_no_parent_may_be_written_in_many_ways(nothing: object) -> None:
    assert Hierarchy.from_parents({"a": nothing, "b": "a"}).root == "a"


def test_from_parents_takes_numbers() -> None:
    assert edges_of(Hierarchy.from_parents({2: 1, 3: np.int64(1), 4: {3}})) == {
        ("1", "2"),
        ("1", "3"),
        ("3", "4"),
    }


def test_from_paths_keeps_equal_names_apart() -> None:
    h = Hierarchy.from_paths(["Arts/Music/Pop", "Science/Music", "Arts / Film"])
    assert set(h) == {"Arts", "Arts/Music", "Arts/Music/Pop", "Science", "Science/Music", "Arts/Film"}
    assert h.is_tree
    assert h.distance("Arts/Music", "Science/Music") == 4


def test_from_paths_takes_lists_and_other_separators() -> None:
    assert edges_of(Hierarchy.from_paths([["a", "b"], ("a", "c", 1)])) == {
        ("a", "a/b"),
        ("a", "a/c"),
        ("a/c", "a/c/1"),
    }
    assert edges_of(Hierarchy.from_paths(["a > b"], separator=">")) == {("a", "a>b")}


def test_networkx_there_and_which_direction() -> None:
    graph = nx.DiGraph(MUSIC)
    graph.add_node("Sports")
    h = Hierarchy.from_networkx(graph)
    assert edges_of(h) == set(MUSIC)
    assert "Sports" in h
    with pytest.raises(HierarchyError, match="directed graph with edges from parent to child"):
        Hierarchy.from_networkx(nx.Graph(MUSIC))


@pytest.mark.parametrize("name", ["only", "(root)", "0"])
def test_single_class(name: str) -> None:
    h = Hierarchy.from_edges([], nodes=[name])
    assert len(h) == h.size == 1
    assert h.root == name
    assert h.leaves == [name]
    assert h.depth(name) == 0
    assert h.ancestors(name) == h.descendants(name) == h.parents(name) == []
    assert h.statistics()["classes per depth"] == [1]
    assert bm.evaluate([[name]], [[name]], "hF1", hierarchy=h)["hF1"].value == 1


@pytest.mark.parametrize("nothing", [[], iter(())])
def test_empty_hierarchy_is_an_error(nothing: object) -> None:
    with pytest.raises(HierarchyError, match="empty; at least one class is needed"):
        Hierarchy.from_edges(nothing)
    with pytest.raises(HierarchyError, match="empty"):
        Hierarchy.from_paths([])


def test_repeated_links_count_once() -> None:
    h = Hierarchy.from_edges([*MUSIC, MUSIC[0], MUSIC[0]])
    assert h.links == 3
    assert h.notes == ["2 repeated links count once"]
    assert h.is_tree
    assert h.fingerprint == Hierarchy.from_edges(MUSIC).fingerprint


# ---------------------------------------------------------------- names


def test_a_class_may_bear_the_name_of_the_virtual_root() -> None:
    h = Hierarchy.from_edges([("(root)", "a")], nodes=["b"])
    assert h.root is None
    assert h.id("(root)") > 0
    assert h.parents("a") == ["(root)"]
    assert h.ancestors("a") == ["(root)"]
    assert h.depth("(root)") == 1
    assert h.depth("b") == 1
    labels = bm.LabelSets.from_lists([["(root)"]], h)
    assert labels.rows[0].tolist() == [h.id("(root)")]
    again = pickle.loads(pickle.dumps(h))
    assert again.id("(root)") == h.id("(root)")
    scores = bm.evaluate([["(root)"]], [["b"]], ["F1", "hF1"], hierarchy=h)
    assert [s.value for s in scores] == [0, 0]


def test_the_virtual_root_is_no_class() -> None:
    h = Hierarchy.from_edges([], nodes=["a", "b"])
    assert "(root)" not in h
    assert list(h) == ["a", "b"]
    assert h.lca("a", "b") == ["(root)"]
    with pytest.raises(LabelError, match="unknown class '\\(root\\)'"):
        h.id("(root)")
    with pytest.raises(LabelError, match="unknown label '\\(root\\)'"):
        bm.LabelSets.from_lists([["(root)"]], h)


def test_aliases_are_further_names_of_a_class() -> None:
    links = Links.from_names(MUSIC, aliases={"Tunes": "Music", "Rock": "Pop"}, titles={"Pop": "Popular music"})
    h = Hierarchy(links)
    assert h.id("Tunes") == h.id("Music")
    assert "Tunes" in h
    assert len(h) == 4
    assert h.id("Rock") != h.id("Pop"), "an alias never takes the name of a class away"
    assert bm.LabelSets.from_lists([["Tunes"]], h).to_lists() == [["Music"]]
    again = pickle.loads(pickle.dumps(h))
    assert again.id("Tunes") == h.id("Music")
    assert again.titles == {"Pop": "Popular music"}
    assert again.fingerprint == h.fingerprint == Hierarchy.from_edges(MUSIC).fingerprint


def test_unknown_class_names_the_nearest() -> None:
    h = Hierarchy.from_edges(MUSIC)
    with pytest.raises(LabelError, match=r"unknown class 'Musik' \(nearest: 'Music'\)"):
        h.ancestors("Musik")
    with pytest.raises(LabelError, match=r"unknown class 'pop' \(nearest: 'Pop'\)"):
        h.depth("pop")
    with pytest.raises(LabelError, match=r"unknown class 'xyzzy'$"):
        h.children("xyzzy")
    assert "Musik" not in h
    assert None not in h
    assert 5 not in h


def test_numbers_and_texts_name_the_same_class() -> None:
    h = Hierarchy.from_edges([(1, 2)])
    assert h.id(2) == h.id("2") == h.id(np.int64(2))
    assert 2 in h
    assert "2" in h


# ---------------------------------------------------------------- queries on one graph


def test_queries_on_a_graph_with_two_ways_up() -> None:
    # Opera hangs under both; Music reaches the root directly, Theater through Stage
    h = Hierarchy.from_edges(
        [("Arts", "Music"), ("Arts", "Stage"), ("Stage", "Theater"), ("Theater", "Opera"), ("Music", "Opera")]
    )
    assert h.depth("Opera") == 2
    assert h.depth("Opera", longest=True) == 3
    assert h.distance("Opera", "Theater") == 1
    assert h.distance("Music", "Theater") == 3, "a path through a common descendant does not count"
    assert h.lca("Music", "Theater") == ["Arts"]
    assert h.lca("Opera", "Stage") == ["Stage"]
    assert not h.is_tree
    assert repr(h) == "<Hierarchy: DAG, 5 classes, 5 links, depth 2>"
    assert h.subtree("Theater").names == ("Theater", "Opera")


def test_several_lowest_common_ancestors() -> None:
    h = Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")])
    assert sorted(h.lca("x", "y")) == ["a", "b"]
    assert h.distance("x", "y") == 2


def test_statistics_of_a_tree() -> None:
    facts = Hierarchy.from_edges(MUSIC).statistics()
    assert facts["kind"] == "tree"
    assert facts["root"] == "Arts"
    assert facts["leaves"] == 2
    assert Hierarchy.from_edges(MUSIC, nodes=["x"]).statistics()["root"] == "virtual"


def test_fingerprint_depends_on_names_and_links_only() -> None:
    base = Hierarchy.from_edges(MUSIC).fingerprint
    assert len(base) == 16
    assert Hierarchy.from_edges(MUSIC[::-1], nodes=["Rock"]).fingerprint == base
    assert Hierarchy.from_edges([*MUSIC[:2], ("Music", "Jazz")]).fingerprint != base
    assert Hierarchy.from_edges([*MUSIC[:2], ("Arts", "Rock")]).fingerprint != base
    assert Hierarchy.from_edges(MUSIC, nodes=["x"]).fingerprint != base


def test_many_names_survive_hashing() -> None:
    n = 20_000
    h = Hierarchy.from_edges([("root", f"class number {i}") for i in range(n)])
    assert len(h) == n + 1
    assert all(h.names[h.id(f"class number {i}")] == f"class number {i}" for i in range(0, n, 7))


def test_a_long_chain_needs_no_recursion() -> None:
    n = 5000
    h = Hierarchy.from_edges([(i, i + 1) for i in range(n)])
    assert h.depth(n) == n
    assert len(h.ancestors(n)) == n
