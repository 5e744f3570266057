"""From rows of counts to one number: means over instances, over categories, or of sums."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from branchmark.batch import Batch, Columns, Context
from branchmark.errors import MeasureError
from branchmark.hierarchy import Hierarchy
from branchmark.measurebase import Floats, Measure, declare, param
from branchmark.tally import ExactSum, Tally


@declare
class PerInstance(Measure):
    """A measure of single instances; its value is their mean."""

    def __init_subclass__(cls, **declaration: Any) -> None:
        super().__init_subclass__(**{"units": ("instance",), **declaration})

    def tally(self, batch: Batch) -> Tally:
        return Tally({"values": ExactSum.of(self.finish(self.rows(batch, "instance"), "instance"))})

    def value(self, tally: Tally, context: Context) -> float:
        values = tally["values"]
        assert isinstance(values, ExactSum)
        return values.mean()


AVERAGES = {
    "micro": "sum the counts over all instances (or categories), then divide",
    "macro": "one value per category, then their mean",
    "samples": "one value per instance, then their mean",
}


@declare
class Averaged(Measure):
    """A measure with counts per instance and per category, averaged in one of three ways."""

    average: str = param("micro", "micro, macro (over categories) or samples (over instances)", one_of=tuple(AVERAGES))
    categories: str = param(
        "all",
        "categories that macro averages run over: all of the hierarchy, its leaves, or those seen in the data",
        one_of=("all", "leaves", "seen"),
    )
    zero_division: float | str = param(
        0.0, "value of 0/0: 0, 1, or skip to leave it out of means", one_of=(0.0, 1.0, "skip")
    )

    counts_categories: ClassVar[bool] = False  # whether even micro averages need category rows

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.categories != "all" and self.average == "samples":
            raise MeasureError(f"{self.name}: categories={self.categories} goes with average=micro or macro")
        if self.unit not in self.units:
            raise MeasureError(f"{self.name} is defined per {' and '.join(self.units)} only; use average=samples")

    def unaveraged(self) -> Measure:
        defaults = {spec.name: spec.default for spec in dataclasses.fields(self)}
        how: dict[str, Any] = {name: defaults[name] for name in ("average", "categories", "of") if name in defaults}
        return dataclasses.replace(self, **how)

    @property
    def unit(self) -> str:
        """What the average sums over."""
        if self.average == "samples":
            return "instance"
        by_category = self.average == "macro" or self.counts_categories or self.categories != "all"
        return "category" if by_category else "instance"

    def tally(self, batch: Batch) -> Tally:
        columns = self.rows(batch, self.unit)
        if self.unit == "category":
            return Tally(dict(columns))
        if self.average == "samples":
            return Tally(self.sample_sums(columns))
        return Tally({name: _total(column) for name, column in columns.items()})

    def sample_sums(self, columns: Columns) -> dict[str, Any]:
        """What the mean over instances is made of."""
        return {"values": ExactSum.of(self.finish(columns, "instance"))}

    def sample_value(self, tally: Tally) -> float:
        """The mean over instances."""
        values = tally["values"]
        assert isinstance(values, ExactSum)
        return self.defined(values.mean())

    def value(self, tally: Tally, context: Context) -> float:
        if self.average == "samples":
            return self.sample_value(tally)
        columns: Columns = {name: np.asarray(_number(entry)) for name, entry in tally.entries.items()}
        if self.unit == "category":
            keep = self.universe(columns, context.hierarchy)
            columns = {name: column[keep] for name, column in columns.items()}
            if self.average == "macro":
                return self.macro_value(columns)
            columns = {name: column.sum(keepdims=True) for name, column in columns.items()}
        return self.defined(float(self.finish({k: np.atleast_1d(v) for k, v in columns.items()}, "total")[0]))

    def macro_value(self, columns: Columns) -> float:
        """The mean over categories."""
        return self.defined(ExactSum.of(self.finish(columns, "category")).mean())

    def defined(self, value: float) -> float:
        """A mean of nothing is 0/0 again, and skip has nothing left to fall back on."""
        if value != value:
            return 0.0 if self.zero_division == "skip" else float(self.zero_division)
        return value

    def universe(self, columns: Columns, hierarchy: Hierarchy) -> NDArray[np.bool_]:
        """The categories that count: the root only where it is a real class that occurs."""
        seen: NDArray[np.bool_] = (columns["true"] > 0) | (columns["pred"] > 0)
        if self.categories == "seen":
            keep = seen.copy()
        else:
            keep = hierarchy.is_leaf.copy() if self.categories == "leaves" else np.ones(hierarchy.size, dtype=bool)
        keep[0] &= bool(seen[0]) and not hierarchy.root_is_virtual
        return keep

    def ratio(self, numerator: Any, denominator: Any, perfect: NDArray[np.bool_] | None = None) -> Floats:
        """Divide; 0/0 gives zero_division, or 1 where the row is perfect because both sets are empty."""
        above, below = np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
        empty = np.nan if self.zero_division == "skip" else float(self.zero_division)
        out = np.full(np.broadcast(above, below).shape, empty)
        np.divide(above, below, out=out, where=below != 0)
        if perfect is not None:
            out[perfect] = 1.0
        return out


def _total(column: NDArray[Any]) -> Any:
    """A column's sum in a form that adds up exactly."""
    return ExactSum.of(column) if column.dtype.kind == "f" else int(column.sum())


def _number(entry: Any) -> Any:
    return float(entry.total) if isinstance(entry, ExactSum) else entry
