"""The general pairing problem (Problem 1 of Kosmopoulos et al.) as linear programs, solved exactly by HiGHS."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from branchmark.costs import Tables
from branchmark.errors import MeasureError

# Variables of one program; many instances share one, because each call of the solver costs about a millisecond.
LARGEST_PROGRAM = 20_000

_LARGEST_PRICE = 20  # as a power of two; so differences of 1e-13 of the largest cost count


class Bounds(NamedTuple):
    """How many pairs a class may be in; `most` None means as many as the other side has classes."""

    least: int
    most: int | None


def cheapest_flows(
    tables: Tables,
    true_count: NDArray[np.int64],
    pred_count: NDArray[np.int64],
    *,
    d_max: float,
    true_bounds: Bounds,
    pred_bounds: Bounds,
) -> tuple[NDArray[np.float64], list[NDArray[np.int64]]]:
    """Least cost of each instance, and its pairing as a (true + 1) x (pred + 1) matrix of flows.

    The last row and column are the default classes, which cost `d_max`; infinity leaves them out.

    The constraint matrix is that of a network flow, so the optimum of the linear program is whole-numbered.
    """
    indptr, costs = tables
    total = np.zeros(len(true_count))
    flows: list[NDArray[np.int64]] = []
    start = 0
    while start < len(true_count):
        stop, variables = start, 0
        while stop < len(true_count) and (stop == start or variables < LARGEST_PROGRAM):
            variables += int((true_count[stop] + 1) * (pred_count[stop] + 1))
            stop += 1
        parts = [
            costs[indptr[i] : indptr[i + 1]].reshape(int(true_count[i]), int(pred_count[i])) for i in range(start, stop)
        ]
        solved = _solve(parts, d_max, true_bounds, pred_bounds)
        for i, (part, flow) in enumerate(zip(parts, solved, strict=True), start=start):
            price = np.full(flow.shape, d_max if np.isfinite(d_max) else 0.0)
            price[:-1, :-1] = part
            # rounded once, so that the order of the labels makes no difference
            total[i] = math.fsum((price * flow).ravel().tolist())
            flows.append(flow)
        start = stop
    return total, flows


def _solve(
    parts: list[NDArray[np.float64]], d_max: float, true_bounds: Bounds, pred_bounds: Bounds
) -> list[NDArray[np.int64]]:
    """One linear program for several instances side by side."""
    from scipy.optimize import Bounds as Box
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import coo_array

    price: list[NDArray[np.float64]] = []
    most: list[NDArray[np.float64]] = []
    rows: list[NDArray[np.int64]] = []
    columns: list[NDArray[np.int64]] = []
    lower: list[float] = []
    upper: list[float] = []
    offset = 0
    for part in parts:
        n, m = part.shape
        true_most = m if true_bounds.most is None else true_bounds.most
        pred_most = n if pred_bounds.most is None else pred_bounds.most
        box = np.ones((n + 1, m + 1))
        box[:-1, -1], box[-1, :-1], box[-1, -1] = max(true_most, 1), max(pred_most, 1), 0
        cost = np.full((n + 1, m + 1), d_max if np.isfinite(d_max) else 0.0)
        if not np.isfinite(d_max):
            box[:, -1] = box[-1, :] = 0
        cost[:-1, :-1] = part
        # The solver ignores differences below 1e-7. Every instance has its own scale, which changes no optimum.
        price.append(np.ldexp(cost, _LARGEST_PRICE - int(np.frexp(cost.max())[1])).ravel())
        most.append(box.ravel())
        index = offset + np.arange((n + 1) * (m + 1)).reshape(n + 1, m + 1)
        for line, bounds, limit in (
            *((index[i], true_bounds, true_most) for i in range(n)),
            *((index[:, j], pred_bounds, pred_most) for j in range(m)),
        ):
            rows.append(np.full(len(line), len(lower)))
            columns.append(line)
            lower.append(bounds.least)
            upper.append(max(limit, bounds.least))
        offset += (n + 1) * (m + 1)
    if not lower:
        return [np.zeros((n + 1, m + 1), dtype=np.int64) for n, m in (part.shape for part in parts)]
    at = (np.concatenate(rows), np.concatenate(columns))
    matrix = coo_array((np.ones(len(at[0])), at), shape=(len(lower), offset)).tocsr()
    answer = milp(
        np.concatenate(price),
        bounds=Box(0, np.concatenate(most)),
        constraints=LinearConstraint(matrix, lower, upper),
    )
    if answer.status != 0:
        raise MeasureError(
            "no pairing keeps all bounds: without default classes (d_max=inf) every class needs enough partners"
        )
    whole = np.rint(answer.x).astype(np.int64)
    if np.abs(whole - answer.x).max() > 1e-6:
        raise MeasureError("the solver returned fractional pairs; please report this instance")
    found, offset = [], 0
    for part in parts:
        n, m = part.shape
        found.append(whole[offset : offset + (n + 1) * (m + 1)].reshape(n + 1, m + 1))
        offset += (n + 1) * (m + 1)
    return found
