"""Augmented sets through lowest common ancestors (Kosmopoulos et al. 2014, Problem 2), solved exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels import lca as kernels
from branchmark.closures import Reach
from branchmark.hierarchy import ROOT, Hierarchy
from branchmark.pairing import Ints, Longs, lists_for_kernels, path_limit
from branchmark.ragged import Ragged

# Steps of the search for one instance. Real hierarchies with a dozen labels a side need some hundreds, rarely
# some thousands; a million end within about a tenth of a second.
BUDGET = 1_000_000

DUMMY = -1  # the ancestor that max_path adds


class LcaCounts(NamedTuple):
    """One value per instance; the sizes of ancestor sets are None unless they were asked for."""

    common: NDArray[np.int32]  # |Y' ∩ Q'|
    true: NDArray[np.int32]  # |Y'|
    pred: NDArray[np.int32]  # |Q'|
    unproven: NDArray[np.bool_]  # the search ended before the optimum was proven
    set_common: NDArray[np.int32] | None  # sets with all ancestors and the root
    set_true: NDArray[np.int32] | None
    set_pred: NDArray[np.int32] | None


@dataclass(frozen=True)
class LcaPath:
    """A shortest path from a class up to an LCA, both included; a connector serves the LCA, not the class."""

    nodes: tuple[int, ...]
    connector: bool


@dataclass(frozen=True)
class LcaChoice:
    """The augmented sets of one instance and the choices that made them; `DUMMY` may be among the nodes."""

    true_nodes: tuple[int, ...]
    pred_nodes: tuple[int, ...]
    lcas: tuple[int, ...]
    true_paths: tuple[LcaPath, ...]
    pred_paths: tuple[LcaPath, ...]
    proven: bool


def lca_counts(
    hierarchy: Hierarchy,
    reach: Reach,
    true: Ragged,
    pred: Ragged,
    *,
    max_path: int | None = None,
    greedy: bool = False,
    budget: int = BUDGET,
    sets: bool = False,
) -> LcaCounts:
    """Sizes of the augmented sets with the highest F1 and of their intersection.

    Of several optima the one with the fewest nodes counts, then the one with the highest precision.

    Parameters
    ----------
    hierarchy, reach : Hierarchy, Reach
        The hierarchy and the ancestor lists of all labels in use.
    true, pred : Ragged
        Sorted labels of each instance.
    max_path : int, optional
        Long-distance threshold.
    greedy : bool
        Use the paper's Algorithm 1 instead of the exact search.
    budget : int
        Steps after which the search for one instance ends; then the best it found counts, or Algorithm 1.
    sets : bool
        Also give the sizes of the sets with all ancestors. The root counts; with `max_path` only ancestors
        nearer than that do, and the root and the dummy ancestor are one node.
    """
    count = len(true)
    common, in_true, in_pred = (np.zeros(count, dtype=np.int32) for _ in range(3))
    unproven = np.zeros(count, dtype=np.uint8)
    set_common, set_true, set_pred = (np.zeros(count if sets else 0, dtype=np.int32) for _ in range(3))
    if count:
        kernels.lca_rows(
            *_graph(hierarchy, reach), true.indptr, true.indices, pred.indptr, pred.indices,
            path_limit(max_path), greedy, budget,
            common, in_true, in_pred, unproven, set_common, set_true, set_pred,
        )  # fmt: skip
    several = (set_common, set_true, set_pred) if sets else (None, None, None)
    return LcaCounts(common, in_true, in_pred, unproven.view(bool), *several)


def explain_lca(
    hierarchy: Hierarchy,
    reach: Reach,
    true: NDArray[np.int32],
    pred: NDArray[np.int32],
    *,
    max_path: int | None = None,
    greedy: bool = False,
    budget: int = BUDGET,
) -> LcaChoice:
    """One of the choices behind `lca_counts` of an instance; always the same one."""
    proven, _, chosen = kernels.explain(*_graph(hierarchy, reach), true, pred, path_limit(max_path), greedy, budget)
    dummy = hierarchy.size
    paths: tuple[list[LcaPath], list[LcaPath]] = ([], [])
    lcas = set()
    for side, label, lca, connects, through, avoided in chosen:
        nodes = _path(hierarchy, reach, label, lca, set(through), set(avoided), max_path)
        paths[side].append(LcaPath(tuple(DUMMY if node == dummy else node for node in nodes), connects))
        lcas.add(DUMMY if lca == dummy else lca)
    own = (_most_specific(reach, true), _most_specific(reach, pred))
    sets = [sorted({node for path in paths[s] for node in path.nodes} | own[s]) for s in (0, 1)]
    return LcaChoice(tuple(sets[0]), tuple(sets[1]), tuple(sorted(lcas)), tuple(paths[0]), tuple(paths[1]), proven)


def _graph(
    hierarchy: Hierarchy, reach: Reach
) -> tuple[Ints, Longs, Ints, Longs, Ints, Ints, Longs, Ints, NDArray[np.uint8]]:
    links = hierarchy.parent_links
    leaves = hierarchy.is_leaf.view(np.uint8)
    return *lists_for_kernels(hierarchy, reach), links.indptr, links.indices, leaves


def _most_specific(reach: Reach, labels: NDArray[np.int32]) -> set[int]:
    above = {int(node) for label in labels.tolist() for node in reach.list(label)[1:]}
    return {label for label in labels.tolist() if label not in above}


def _path(
    hierarchy: Hierarchy,
    reach: Reach,
    label: int,
    lca: int,
    through: set[int],
    avoided: set[int],
    max_path: int | None,
) -> list[int]:
    """A shortest path up that takes and avoids what it should; the search has chosen it, so there is one."""
    up = reach.distances(label)
    goals = {lca}
    if lca == hierarchy.size:
        # the last real node below the dummy: the root, or whatever lies at the threshold
        assert max_path is not None
        level = min(max_path - 1, up[ROOT])
        goals = {ROOT} if level < max_path - 1 else {node for node, steps in up.items() if steps == level}
    length = up[next(iter(goals))]
    taken_at = {up[node]: node for node in through if node in up}

    def extend(path: list[int]) -> list[int] | None:
        steps = len(path)
        if steps == length + 1:
            return path if path[-1] in goals else None
        for parent in hierarchy.parent_links[path[-1]].tolist():
            if up[parent] == steps and parent not in avoided and taken_at.get(steps, parent) == parent:
                whole = extend([*path, parent])
                if whole is not None:
                    return whole
        return None

    found = extend([label])
    assert found is not None
    return found if lca in goals else [*found, lca]
