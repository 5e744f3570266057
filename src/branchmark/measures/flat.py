"""Measures that do not look at the hierarchy (Sun et al. 3.1, Yang & Liu 2, Costa et al.)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from branchmark.averages import Averaged
from branchmark.batch import Batch, Columns
from branchmark.hierarchy import Hierarchy
from branchmark.measurebase import ALIASES, Floats, declare, param
from branchmark.measures.prf import FBeta, Precision, Recall, both_empty
from branchmark.ragged import Ragged


@declare
class _Labels(Averaged):
    """Rows are plain label sets."""

    def rows(self, batch: Batch, unit: str) -> Columns:
        return batch.labels(unit)

    def members(self, batch: Batch) -> tuple[Ragged, Ragged] | None:
        return batch.true, batch.pred


@declare
class FlatPrecision(_Labels, Precision, name="P", title="precision", family="flat", cite="sun2003"):
    """Predicted labels that are right, among all predicted."""


@declare
class FlatRecall(_Labels, Recall, name="R", title="recall", family="flat", cite="sun2003"):
    """True labels that were predicted, among all true ones."""


@declare
class FlatF(_Labels, FBeta, name="F", title="F-beta", family="flat", cite="yang1999", suffix="beta"):
    """Weighted harmonic mean of precision and recall."""


@declare
class _Decisions(_Labels):
    """Rows count yes-or-no decisions: one per instance and category."""

    counts_categories: ClassVar[bool] = True

    def rows(self, batch: Batch, unit: str) -> Columns:
        columns = batch.labels(unit)
        # One decision per category for an instance row, one per instance for a category row.
        decisions = len(batch.hierarchy) if unit == "instance" else len(batch)
        return {**columns, "decisions": np.full(len(columns["true"]), decisions, dtype=np.int64)}

    def universe(self, columns: Columns, hierarchy: Hierarchy) -> NDArray[np.bool_]:
        keep = super().universe(columns, hierarchy)
        # Yang & Liu divide by n·C; an instance row counts all C classes, so a real root is one of them here as well
        keep[0] |= self.categories == "all" and not hierarchy.root_is_virtual
        return keep


@declare
class Accuracy(_Decisions, name="accuracy", title="accuracy of decisions", family="flat", cite="sun2003"):
    """Right decisions among all: (TP + TN) / (TP + TN + FP + FN)."""

    def finish(self, columns: Columns, unit: str) -> Floats:
        wrong = columns["true"] + columns["pred"] - 2 * columns["common"]
        return self.ratio(columns["decisions"] - wrong, columns["decisions"])


@declare
class Error(_Decisions, name="error", title="error of decisions", family="flat", cite="yang1999", better="lower"):
    """Wrong decisions among all: (FP + FN) / (TP + TN + FP + FN); also known as Hamming loss."""

    def finish(self, columns: Columns, unit: str) -> Floats:
        wrong = columns["true"] + columns["pred"] - 2 * columns["common"]
        return self.ratio(wrong, columns["decisions"])


@declare
class Specificity(_Decisions, name="specificity", title="specificity", family="flat", cite="costa2007"):
    """Negatives that were left alone: TN / (TN + FP)."""

    def finish(self, columns: Columns, unit: str) -> Floats:
        negatives = columns["decisions"] - columns["true"]
        false_positives = columns["pred"] - columns["common"]
        return self.ratio(negatives - false_positives, negatives)


@declare
class ExactMatch(
    _Labels, name="exact", title="exact match", family="flat", cite="kosmopoulos2014", units=("instance",)
):
    """Instances whose predicted set equals the true set (subset accuracy)."""

    average: str = param("samples", "samples only", one_of=("samples",))

    def finish(self, columns: Columns, unit: str) -> Floats:
        right = (columns["common"] == columns["pred"]) & (columns["common"] == columns["true"])
        return np.asarray(right, dtype=np.float64)


@declare
class Jaccard(_Labels, name="jaccard", title="Jaccard index", family="flat", cite="kosmopoulos2014"):
    """|T∩P| / |T∪P|: the multi-label accuracy of the LSHTC challenges."""

    average: str = param("samples", "micro, macro (over categories) or samples", one_of=("micro", "macro", "samples"))

    def finish(self, columns: Columns, unit: str) -> Floats:
        union = columns["true"] + columns["pred"] - columns["common"]
        return self.ratio(columns["common"], union, both_empty(columns, unit))


ALIASES.update(
    {
        "precision": "P",
        "recall": "R",
        "acc": "jaccard",
        "hamming": "error",
        "subset_accuracy": "exact",
    }
)
