"""Lists of ancestors and descendants for kernels."""

from __future__ import annotations

import copy
import pickle

import numpy as np

from branchmark import Hierarchy
from branchmark.closures import BLOCK


def chain(n: int) -> Hierarchy:
    return Hierarchy.from_edges([(i, i + 1) for i in range(n)])


def test_distances_and_levels() -> None:
    h = Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "x"), ("b", "x"), ("r", "x")])
    reach = h.ancestor_lists(np.array([h.id("x")], np.int32))
    assert reach.distances(h.id("x")) == {h.id("x"): 0, h.id("a"): 1, h.id("b"): 1, h.id("r"): 1}
    assert reach.levels(h.id("x")).tolist() == [1, 4]
    assert reach.entries == 4


def test_threads_and_blocks_give_the_same_lists() -> None:
    h = Hierarchy.from_edges([(i // 2, i) for i in range(1, 3 * BLOCK)])
    nodes = np.arange(h.size, dtype=np.int32)
    one, three = h.ancestor_lists(nodes, 1), h.ancestor_lists(nodes, 3)
    for node in range(0, h.size, 97):
        assert one.list(node).tolist() == three.list(node).tolist()
    assert one.entries == three.entries


def test_copies_have_lists_of_their_own() -> None:
    h = chain(50)
    nodes = np.array([50, 7], np.int32)
    reach = h.ancestor_lists(nodes)
    want = {node: reach.list(node).tolist() for node in nodes.tolist()}
    for other in (pickle.loads(pickle.dumps(reach)), copy.deepcopy(reach)):
        assert {node: other.list(node).tolist() for node in nodes.tolist()} == want
        assert not set(other.address.tolist()) & set(reach.address.tolist())
