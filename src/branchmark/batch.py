"""Some instances on their way through the measures, and what several measures compute from them only once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels import overlap
from branchmark.closures import Reach
from branchmark.costs import ClassMatrix
from branchmark.errors import MeasureError
from branchmark.hierarchy import Hierarchy
from branchmark.ragged import Ragged
from branchmark.resources import NodeWeights
from branchmark.trace import Trace

Columns = dict[str, NDArray[Any]]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Context:
    """What all parts of one evaluation share."""

    hierarchy: Hierarchy
    weights: Mapping[str, NodeWeights]
    matrices: Mapping[str, ClassMatrix] = field(default_factory=dict)
    ancestors: Reach | None = None
    descendants: Reach | None = None


class Batch:
    """The true and predicted labels of some instances, and what several measures compute from them only once."""

    def __init__(self, context: Context, true: Ragged, pred: Ragged, trace: Trace | None = None) -> None:
        self.context = context
        self.hierarchy = context.hierarchy
        self.true = true
        self.pred = pred
        self.trace = trace
        self._memo: dict[Any, Columns] = {}

    def __len__(self) -> int:
        return len(self.true)

    @property
    def sides(self) -> tuple[Any, ...]:
        """Both label sets as kernels take them."""
        return self.true.indptr, self.true.indices, self.pred.indptr, self.pred.indices

    @cached_property
    def stamp(self) -> NDArray[np.uint32]:
        """Scratch for kernels, one number per node; they clear it themselves."""
        return np.zeros(self.hierarchy.size, dtype=np.uint32)

    @cached_property
    def marks(self) -> NDArray[np.uint8]:
        """The same, one byte per node."""
        return np.zeros(self.hierarchy.size, dtype=np.uint8)

    def once(self, key: Any, make: Any) -> Columns:
        """Compute some columns the first time they are asked for."""
        if key not in self._memo:
            self._memo[key] = make()
        return self._memo[key]

    def lists(self, direction: str) -> Reach:
        """Ancestor or descendant lists of the labels in use."""
        reach: Reach | None = getattr(self.context, direction)
        if reach is None:
            raise MeasureError(f"a measure that uses {direction} must say so in its needs")
        return reach

    def labels(self, unit: str) -> Columns:
        """Sizes of the plain label sets and of their intersection."""
        return self.once(("labels", unit), lambda: self._labels(unit))

    def _labels(self, unit: str) -> Columns:
        indptr, common = overlap.common_labels(*self.sides)
        if unit == "instance":
            return {"common": np.diff(indptr), "pred": self.pred.lengths(), "true": self.true.lengths()}
        size = self.hierarchy.size
        both = {"common": common, "pred": self.pred.flat(), "true": self.true.flat()}
        return {name: np.bincount(labels, minlength=size) for name, labels in both.items()}

    def augmented(
        self, kernel: str, direction: str, weights: str, root: str, unit: str, max_path: int | None = None
    ) -> Columns:
        """Sizes (or weights) of augmented label sets and of their intersection.

        With `max_path`, only ancestors nearer than that are in the sets, and the root stands for all beyond.
        """
        key = (kernel, direction, weights, root, unit, max_path)
        return self.once(key, lambda: self._augmented(*key))

    def leave_ancestor_sizes(self, common: Any, pred: Any, true: Any, max_path: int | None) -> None:
        """Keep sizes of ancestor sets, root (and all beyond `max_path`) counted once, that another kernel found."""
        sizes = {"common": common, "pred": pred, "true": true}
        self._memo.setdefault(("sizes", "overlap_rows", "ancestors", max_path), sizes)

    def _augmented(
        self, kernel: str, direction: str, weights: str, root: str, unit: str, max_path: int | None
    ) -> Columns:
        if unit == "category":
            counted = self.once(
                ("categories", direction, max_path), lambda: self._augmented_categories(direction, max_path)
            )
            if root != "excluded" and not self.hierarchy.root_is_virtual:
                return counted
            return {name: np.concatenate([[0], column[1:]]) for name, column in counted.items()}
        if weights == "none":
            key = ("sizes", kernel, direction, max_path)
            counted = self.once(key, lambda: self._sizes_with_root(kernel, direction, max_path))
            if direction == "descendants":
                return counted
            return with_root(counted, root, self.hierarchy, only_shared=kernel == "h_loss_rows")
        given = self.context.weights[weights]
        whole = self._sizes(kernel, direction, given.integers(root_counts=root == "included"), max_path)
        return {name: np.ldexp(column.astype(np.float64), -given.shift) for name, column in whole.items()}

    def _sizes_with_root(self, kernel: str, direction: str, max_path: int | None) -> Columns:
        if max_path is None:
            return self._sizes(kernel, direction, None, None)
        # beyond the threshold one node stands for all, the root among them
        without_root = np.ones(self.hierarchy.size, dtype=np.int64)
        without_root[0] = 0
        near = self._sizes(kernel, direction, without_root, max_path)
        has_top = {"pred": self.pred.lengths() > 0, "true": self.true.lengths() > 0}
        has_top["common"] = has_top["pred"] & has_top["true"]
        return {name: column + has_top[name] for name, column in near.items()}

    def _sizes(self, kernel: str, direction: str, weights: Counts | None, max_path: int | None) -> Columns:
        reach = self.lists(direction)
        length = reach.length if max_path is None else reach.within(max_path - 1)
        out = {name: np.empty(len(self), dtype=np.int64) for name in ("common", "pred", "true")}
        links = self.hierarchy.parent_links
        graph = (links.indptr, links.indices) if kernel == "h_loss_rows" else ()
        scratch = self.stamp if graph else self.marks
        getattr(overlap, kernel)(
            reach.slot, reach.address, length, *graph, *self.sides, scratch, weights, *out.values()
        )
        return dict(out)

    def _augmented_categories(self, direction: str, max_path: int | None) -> Columns:
        reach = self.lists(direction)
        length = reach.length if max_path is None else reach.within(max_path - 1)
        out = {name: np.zeros(self.hierarchy.size, dtype=np.int64) for name in ("common", "pred", "true")}
        overlap.overlap_categories(reach.slot, reach.address, length, *self.sides, self.marks, *out.values())
        if max_path is not None:
            # the root stands for all beyond the threshold, so whoever has a label has it, as in instance rows
            pred, true = (side.lengths() > 0 for side in (self.pred, self.true))
            out["common"][0], out["pred"][0], out["true"][0] = (pred & true).sum(), pred.sum(), true.sum()
        return dict(out)


def with_root(columns: Columns, root: str, hierarchy: Hierarchy, *, only_shared: bool) -> Columns:
    """Adjust sizes of ancestor sets, in which the root (real or virtual) counts one, to another rule for it.

    only_shared: the root counts only where it is on both sides.
    """
    if root == "included" or (root == "added" and hierarchy.root_is_virtual):
        return columns
    step = -1 if root == "excluded" else 1
    shared = columns["common"] > 0
    has = {"common": shared, "pred": shared, "true": shared}
    if not only_shared:
        has |= {"pred": columns["pred"] > 0, "true": columns["true"] > 0}
    return {name: column + step * has[name] for name, column in columns.items()}
