"""Distances and pair-based costs by the definition: slow, obvious, independent of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp

from branchmark.hierarchy import ROOT, Hierarchy

DUMMY = -1


class Graph:
    """Parents of each node, and with `max_path` the dummy ancestor of the long-distance problem."""

    def __init__(self, hierarchy: Hierarchy, max_path: int | None = None) -> None:
        self.parents = [row.tolist() for row in hierarchy.parent_links]
        self.max_path = max_path

    def full_climb(self, node: int) -> dict[int, int]:
        """Shortest number of links up to every ancestor-or-self."""
        up = {node: 0}
        border = [node]
        while border:
            border = [p for p in dict.fromkeys(p for x in border for p in self.parents[x]) if p not in up]
            up.update(dict.fromkeys(border, max(up.values()) + 1))
        return up

    def climb(self, node: int) -> dict[int, int]:
        """As `full_climb`, within the long-distance threshold."""
        up = self.full_climb(node)
        if self.max_path is None:
            return up
        near = {a: d for a, d in up.items() if d < self.max_path}
        return near | {DUMMY: min(self.max_path, up[ROOT] + 1)}

    def meet(self, x: int, y: int) -> tuple[int, set[int]]:
        """d(x, y) and LCA(x, y)."""
        mine, other = self.climb(x), self.climb(y)
        total = {a: mine[a] + other[a] for a in mine.keys() & other.keys()}
        least = min(total.values())
        return least, {a for a, d in total.items() if d == least}

    def shortest_paths(self, x: int, a: int) -> list[tuple[int, ...]]:
        """All shortest upward paths from x to a, both ends included."""
        up = self.climb(x)

        def extend(path: tuple[int, ...]) -> list[tuple[int, ...]]:
            if path[-1] == a:
                return [path]
            if len(path) > up[a]:
                return []
            further = [p for p in self.parents[path[-1]] if up.get(p) == len(path)]
            if a == DUMMY and len(path) == up[DUMMY] and (len(path) == self.max_path or path[-1] == ROOT):
                further = [DUMMY]
            return [whole for p in further for whole in extend((*path, p))]

        return extend((x,))


def distance_matrix(graph: Graph, true: Sequence[int], pred: Sequence[int]) -> NDArray[np.int64]:
    table = [[graph.meet(t, p)[0] for p in pred] for t in true]
    return np.array(table, dtype=np.int64).reshape(len(true), len(pred))


def one_to_one_cost(costs: NDArray[np.float64], d_max: float) -> float:
    """GIE by trying every injective pairing."""
    rows, columns = costs.shape
    if rows > columns:
        return one_to_one_cost(costs.T, d_max)
    best = np.inf
    # one extra column per row stands for "this row goes to the default class"
    for choice in permutations(range(columns + rows), rows):
        paired = [(i, j) for i, j in enumerate(choice) if j < columns]
        alone = rows + columns - 2 * len(paired)
        best = min(best, sum(costs[i, j] for i, j in paired) + alone * d_max)
    return float(best)


def assignment_cost(costs: NDArray[np.float64], d_max: float) -> float:
    """GIE by an assignment in which every class brings its own default partner."""
    rows, columns = costs.shape
    square = np.zeros((rows + columns, rows + columns))
    square[:rows, :columns] = costs
    square[:rows, columns:] = d_max
    square[rows:, :columns] = d_max
    chosen = linear_sum_assignment(square)
    return float(square[chosen].sum())


def cover_cost(costs: NDArray[np.float64], d_max: float) -> float:
    """MGIA's error by trying every set of pairs; whoever has no pair goes to the default class."""
    rows, columns = costs.shape
    best = np.inf
    for taken in product([False, True], repeat=rows * columns):
        pairs = np.array(taken, dtype=bool).reshape(rows, columns)
        alone = (~pairs.any(axis=1)).sum() + (~pairs.any(axis=0)).sum()
        best = min(best, costs[pairs].sum() + alone * d_max)
    return float(best)


def problem1_cost(costs: NDArray[np.float64], d_max: float, *, pred: tuple[int, int], true: tuple[int, int]) -> float:
    """Problem 1 of Kosmopoulos et al. as an integer program; `pred`, `true`: bounds (alpha, beta)."""
    rows, columns = costs.shape
    if rows + columns == 0:
        return 0.0
    price = np.concatenate([costs.ravel(), np.full(rows + columns, d_max)])
    limits = []
    for i in range(rows):
        counts = np.zeros(len(price))
        counts[i * columns : (i + 1) * columns] = 1
        counts[rows * columns + i] = 1
        limits.append(LinearConstraint(counts, *true))
    for j in range(columns):
        counts = np.zeros(len(price))
        counts[j : rows * columns : columns] = 1
        counts[rows * columns + rows + j] = 1
        limits.append(LinearConstraint(counts, *pred))
    upper = np.concatenate([np.ones(rows * columns), np.full(rows, true[1]), np.full(columns, pred[1])])
    solved = milp(price, integrality=np.ones(len(price)), bounds=Bounds(0, upper), constraints=limits)
    assert solved.success, solved.message
    return float(solved.fun)
