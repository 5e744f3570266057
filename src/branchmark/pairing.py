"""What it costs to pair the true with the predicted classes of each instance, exactly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels import pairing as kernels
from branchmark.closures import Reach
from branchmark.errors import MeasureError
from branchmark.hierarchy import Hierarchy
from branchmark.ragged import Ragged

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Costs = NDArray[np.int64] | NDArray[np.float64]

DEFAULT_CLASS = -1

# Up to this cost of a class without a partner, sums of many labels fit into the 32 bits that the fastest kernel has.
LARGEST_WHOLE = 1 << 16


class PairCosts(NamedTuple):
    """One value per instance; `distance_sum` is None unless it was asked for."""

    one_to_one: Costs  # GIE: every class in at most one pair, the rest at d_max each
    cover: Costs  # f of MGIA: every class in at least one pair, or at d_max
    shared: NDArray[np.int32]  # |T ∩ P|
    distance_sum: NDArray[np.int64] | None  # over all pairs; with one label a side this is their distance


class Pair(NamedTuple):
    """Classes paired with each other; `DEFAULT_CLASS` where a class has no partner."""

    true: int
    pred: int
    cost: float


def lists_for_kernels(hierarchy: Hierarchy, reach: Reach) -> tuple[Ints, Longs, Ints, Longs, Ints, Ints]:
    """The arguments with which every kernel on ancestor lists begins."""
    lists = (reach.slot, reach.address, reach.length, reach.level_address, reach.level_count)
    return *lists, hierarchy.depth_of_all


def path_limit(max_path: int | None) -> int:
    """`max_path` as kernels take it."""
    if max_path is not None and max_path < 1:
        raise MeasureError(f"max_path must be at least 1; got {max_path}")
    return max_path or 0


def pair_costs(
    hierarchy: Hierarchy,
    reach: Reach,
    true: Ragged,
    pred: Ragged,
    *,
    d_max: float = 5,
    max_path: int | None = None,
    sums: bool = False,
) -> PairCosts:
    """Cheapest pairings by the number of links between classes.

    Parameters
    ----------
    hierarchy, reach : Hierarchy, Reach
        The hierarchy and the ancestor lists of all labels in use.
    true, pred : Ragged
        Sorted labels of each instance.
    d_max : float
        Cost of a class without a partner.
    max_path : int, optional
        Long-distance threshold: no class has to climb more than this many links to meet another.
    sums : bool
        Also add up all distances.
    """
    count = len(true)
    if float(d_max).is_integer() and d_max <= LARGEST_WHOLE:
        shared = np.empty(count, dtype=np.int32)
        one_to_one = np.empty(count, dtype=np.int64)
        cover = np.empty(count, dtype=np.int64)
        total = np.empty(count if sums else 0, dtype=np.int64)
        if count:
            kernels.pair_rows(
                *lists_for_kernels(hierarchy, reach), true.indptr, true.indices, pred.indptr, pred.indices,
                int(d_max), path_limit(max_path), total, one_to_one, cover, shared,
            )  # fmt: skip
        return PairCosts(one_to_one, cover, shared, total if sums else None)
    whole = pair_costs(hierarchy, reach, true, pred, d_max=0, sums=sums, max_path=max_path)
    indptr, tables = distances(hierarchy, reach, true, pred, max_path=max_path)
    matched, covered = given_costs(indptr, tables.astype(np.float64), true.lengths(), pred.lengths(), d_max)
    return PairCosts(matched, covered, whole.shared, whole.distance_sum)


def distances(
    hierarchy: Hierarchy, reach: Reach, true: Ragged, pred: Ragged, *, max_path: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Links between all true and predicted classes of each instance.

    Returns (indptr, values): ``values[indptr[i]:indptr[i + 1]]`` is a matrix with a row for each true class.
    """
    indptr = np.zeros(len(true) + 1, dtype=np.int64)
    np.cumsum(true.lengths() * pred.lengths(), out=indptr[1:])
    values = np.empty(int(indptr[-1]), dtype=np.int32)
    kernels.distance_tables(
        *lists_for_kernels(hierarchy, reach), true.indptr, true.indices, pred.indptr, pred.indices,
        path_limit(max_path), indptr, values,
    )  # fmt: skip
    return indptr, values


def given_costs(
    indptr: NDArray[np.int64],
    costs: NDArray[np.float64],
    true_count: NDArray[np.int64],
    pred_count: NDArray[np.int64],
    d_max: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One-to-one and cover costs for any pair costs of at least 0, laid out as `distances` returns them.

    Costs are added in units of about 2**-55 · `d_max`, so that no order of the labels changes a sum.
    """
    one_to_one = np.empty(len(indptr) - 1)
    cover = np.empty(len(indptr) - 1)
    kernels.given_cost_rows(indptr, costs, true_count, pred_count, float(d_max), one_to_one, cover)
    return one_to_one, cover


def cheapest_pairs(costs: NDArray[np.float64], d_max: float, *, one_to_one: bool) -> list[Pair]:
    """The pairing behind a cost: pairs of positions in a true x predicted matrix, `DEFAULT_CLASS` for none.

    Ties are broken by position, so the same matrix always gives the same pairing.
    """
    matrix = np.ascontiguousarray(costs, dtype=np.float64)
    return [Pair(*pair) for pair in sorted(kernels.pairs(matrix, float(d_max), one_to_one))]
