"""What it costs to take one class for another: links, links weighted by depth, or a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels import paths as kernels
from branchmark.closures import Reach
from branchmark.errors import LabelError, shorten
from branchmark.hierarchy import Hierarchy, Label
from branchmark.labels import check_resource_name, names_of
from branchmark.ragged import Ragged

Tables = tuple[NDArray[np.int64], NDArray[np.float64]]


class ClassMatrix:
    """One number for every pair of some classes: costs of confusing them, or similarities.

    Parameters
    ----------
    name : str
        What measures call it: ``GIE(cost=name)``, ``csF1(similarity=name)``.
    values : array
        Square; for costs, rows are true and columns predicted classes.
    classes : sequence of str
        The class of each row and column.
    hierarchy : Hierarchy
    """

    def __init__(self, name: str, values: Any, classes: Sequence[Label], hierarchy: Hierarchy) -> None:
        check_resource_name(name, "matrices", ("links", "depth"))
        array = np.array(values, dtype=np.float64)
        names = names_of(list(classes), what="class name")
        if array.ndim != 2 or array.shape != (len(names), len(names)):
            raise LabelError(f"matrix {name!r}: {len(names)} classes need a square matrix; got shape {array.shape}")
        if not np.isfinite(array).all():
            raise LabelError(f"matrix {name!r}: every entry must be a finite number")
        unknown = [label for label in names if label not in hierarchy]
        if unknown:
            raise LabelError(f"matrix {name!r}: {len(unknown):,} unknown classes: {shorten(unknown)}")
        nodes = np.array([hierarchy.id(label) for label in names], dtype=np.int64)
        if len(np.unique(nodes)) < len(nodes):
            raise LabelError(f"matrix {name!r}: a class occurs twice")
        array.flags.writeable = False
        self.name = name
        self.hierarchy = hierarchy
        self.values: NDArray[np.float64] = array
        self.nodes = nodes
        self.row = np.full(hierarchy.size, -1, dtype=np.int64)
        self.row[nodes] = np.arange(len(nodes))

    @property
    def is_symmetric(self) -> bool:
        """Whether order makes no difference."""
        return bool(np.array_equal(self.values, self.values.T))

    @property
    def mean_of_pairs(self) -> float:
        """The mean over all pairs of different classes (ACS, Sun et al., equation 10)."""
        count = len(self.nodes)
        upper = self.values[np.triu_indices(count, 1)]
        return float(np.sort(upper).sum() / len(upper)) if count > 1 else 0.0

    @property
    def fingerprint(self) -> str:
        """8 hexadecimal digits that depend on classes and numbers, not on their order."""
        hashes = self.hierarchy.hashes[self.nodes]
        bits = np.ascontiguousarray(self.values).view(np.uint64)
        mixed = (hashes[:, None] * np.uint64(3) + hashes[None, :]) ^ (bits * np.uint64(0x9E3779B97F4A7C15))
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
        return f"{int(mixed.sum(dtype=np.uint64)) & 0xFFFFFFFF:08x}"

    def rows_of(self, labels: NDArray[np.int32]) -> NDArray[np.int64]:
        """Row of each label; all must have one."""
        rows = self.row[labels]
        if (rows < 0).any():
            missing = sorted({self.hierarchy.names[i] for i in labels[rows < 0].tolist()})
            raise LabelError(f"matrix {self.name!r} lacks {len(missing):,} classes in use: {shorten(missing)}")
        return rows

    def tables(self, true: Ragged, pred: Ragged) -> Tables:
        """Per instance a true x predicted matrix."""
        indptr = table_indptr(true, pred)
        rows, columns = pair_positions(true, pred)
        return indptr, self.values[self.rows_of(true.indices[rows]), self.rows_of(pred.indices[columns])]


def table_indptr(true: Ragged, pred: Ragged) -> NDArray[np.int64]:
    """Where the true x predicted matrix of each instance begins."""
    indptr = np.zeros(len(true) + 1, dtype=np.int64)
    np.cumsum(true.lengths() * pred.lengths(), out=indptr[1:])
    return indptr


def pair_positions(true: Ragged, pred: Ragged) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For every (true, predicted) pair of every instance, where its two labels stand in ``indices``."""
    width = np.repeat(pred.lengths(), true.lengths())
    rows = np.repeat(np.arange(true.indptr[0], true.indptr[-1]), width)
    ends = np.cumsum(width)
    within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - width, width)
    first = np.repeat(pred.indptr[:-1], true.lengths() * pred.lengths())
    return rows, first + within


def depth_costs(hierarchy: Hierarchy, w0: float, ratio: float) -> NDArray[np.float64]:
    """Cost of every parent link: w0 · ratio^(depth of the parent), as Blockeel et al. and Holden & Freitas do."""
    return np.asarray(w0 * ratio ** hierarchy.depth_of_all[hierarchy.parent_links.indices].astype(np.float64))


def weighted_tables(
    hierarchy: Hierarchy,
    reach: Reach,
    true: Ragged,
    pred: Ragged,
    link_cost: NDArray[np.float64],
    *,
    up: float = 1.0,
    down: float = 1.0,
) -> Tables:
    """Per instance a true x predicted matrix of cheapest ways from the true class up and down to the predicted one."""
    indptr = table_indptr(true, pred)
    values = np.empty(int(indptr[-1]))
    links = hierarchy.parent_links
    kernels.cost_tables(
        reach.slot, reach.address, reach.length, links.indptr, links.indices, link_cost, up, down,
        true.indptr, true.indices, pred.indptr, pred.indices, indptr, values,
    )  # fmt: skip
    return indptr, values
