"""Precision, recall and F of two sets, whatever the sets are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchmark.averages import Averaged
from branchmark.batch import Columns
from branchmark.errors import MeasureError
from branchmark.measurebase import Floats, declare, param
from branchmark.tally import ExactSum, Tally


def both_empty(columns: Columns, unit: str) -> NDArray[np.bool_] | None:
    """Rows in which nothing is true and nothing predicted; an instance like that is perfect, a category is not."""
    if unit == "category":
        return None
    nothing: NDArray[np.bool_] = (columns["pred"] == 0) & (columns["true"] == 0)
    return nothing


@declare
class Precision(Averaged):
    """Share of the predicted set that is in the true set."""

    def finish(self, columns: Columns, unit: str) -> Floats:
        return self.ratio(columns["common"], columns["pred"], both_empty(columns, unit))


@declare
class Recall(Averaged):
    """Share of the true set that is in the predicted set."""

    def finish(self, columns: Columns, unit: str) -> Floats:
        return self.ratio(columns["common"], columns["true"], both_empty(columns, unit))


@declare
class FBeta(Averaged):
    """Weighted harmonic mean of precision and recall."""

    beta: float = param(1.0, "weight of recall against precision", above=0)
    of: str = param(
        "rows",
        "rows: F of each row, then the mean; means: mean precision and mean recall, then one F of them",
        one_of=("rows", "means"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beta * self.beta in (0.0, float("inf")):
            raise MeasureError(f"{self.name}: beta must have a square that is a number above 0; got {self.beta!r}")
        if self.of == "means" and self.average == "micro":
            raise MeasureError(f"{self.name}: of=means goes with average=samples or macro")

    def finish(self, columns: Columns, unit: str) -> Floats:
        squared = self.beta**2
        # not (1 + β²)·common: numerator and denominator must round alike, or a perfect row could come out above 1
        return self.ratio(
            squared * columns["common"] + columns["common"],
            squared * columns["true"] + columns["pred"],
            both_empty(columns, unit),
        )

    def _parts(self, columns: Columns, unit: str) -> tuple[ExactSum, ExactSum]:
        perfect = both_empty(columns, unit)
        precision = self.ratio(columns["common"], columns["pred"], perfect)
        recall = self.ratio(columns["common"], columns["true"], perfect)
        return ExactSum.of(precision), ExactSum.of(recall)

    def _of_means(self, precision: ExactSum, recall: ExactSum) -> float:
        p, r = self.defined(precision.mean()), self.defined(recall.mean())
        squared = self.beta**2
        return self.defined(float(self.ratio((1 + squared) * p * r, squared * p + r)))

    def sample_sums(self, columns: Columns) -> dict[str, Any]:
        if self.of == "rows":
            return super().sample_sums(columns)
        precision, recall = self._parts(columns, "instance")
        return {"precision": precision, "recall": recall}

    def sample_value(self, tally: Tally) -> float:
        if self.of == "rows":
            return super().sample_value(tally)
        precision, recall = tally["precision"], tally["recall"]
        assert isinstance(precision, ExactSum)
        assert isinstance(recall, ExactSum)
        return self._of_means(precision, recall)

    def macro_value(self, columns: Columns) -> float:
        if self.of == "rows":
            return super().macro_value(columns)
        return self._of_means(*self._parts(columns, "category"))
