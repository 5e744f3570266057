"""Contribution measures (Sun, Lim & Ng 3.2): a misclassified document counts in part, for or against its category.

A false negative of a category contributes by how near the categories are that the document got instead, a false
positive by how near its true categories are; nearness is a similarity or a distance. Costa et al., equations 7-17, are
the single-label case.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from branchmark import pairing
from branchmark.averages import Averaged
from branchmark.batch import Batch, Columns, Context
from branchmark.costs import pair_positions, weighted_tables
from branchmark.errors import MeasureError, shorten
from branchmark.hierarchy import Hierarchy
from branchmark.measurebase import Floats, declare, param

# Contributions lie in [-1, 1]; they are added as two integers each, in units of 2**-60, so that sums are exact.
_UNIT = 60
_HALF = 30
# Terms of a contribution are rounded to this unit before they are added, so that their order makes no difference.
_TERM = 2.0**44
# No term goes beyond this, or sums of some hundred labels would not fit into 64 bits; a sum is clamped to 1 anyway.
_MOST = 2.0**10


@declare
class Contribution(Averaged):
    """Rows are TP, FP, FN and the contributions of false positives and false negatives, per category."""

    average: str = param("micro", "micro or macro (over categories)", one_of=("micro", "macro"))
    counts_categories: ClassVar[bool] = True

    def nearness(self, batch: Batch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For every pair of a true and a predicted label, what the predicted one contributes to the true one that was
        missed, and what the true one contributes to the predicted one, in units of 1/_TERM."""
        raise NotImplementedError

    def rows(self, batch: Batch, unit: str) -> Columns:
        return batch.once(self.nearness_key(), lambda: self._category_rows(batch))

    def nearness_key(self) -> tuple[Any, ...]:
        """What the rows depend on; measures that agree on it share them."""
        raise NotImplementedError

    def _category_rows(self, batch: Batch) -> Columns:
        size = batch.hierarchy.size
        to_true, to_pred = self.nearness(batch)
        true_at, pred_at = pair_positions(batch.true, batch.pred)
        columns = dict(batch.labels("category"))
        for name, at, side, terms in (
            ("fn", true_at, batch.true, to_true),
            ("fp", pred_at, batch.pred, to_pred),
        ):
            first = int(side.indptr[0])
            total = np.zeros(int(side.indptr[-1]) - first, dtype=np.int64)
            np.add.at(total, at - first, terms)
            wrong = ~_is_common(batch, side is batch.true)
            share = np.clip(total[wrong] / _TERM, -1.0, 1.0)
            units = np.rint(np.ldexp(share, _UNIT)).astype(np.int64)
            labels = side.flat()[wrong]
            for part, values in (("high", units >> _HALF), ("low", units & ((1 << _HALF) - 1))):
                column = np.zeros(size, dtype=np.int64)
                np.add.at(column, labels, values)
                columns[f"{name}_{part}"] = column
        columns["decisions"] = np.full(size, len(batch), dtype=np.int64)
        return columns

    def value(self, tally: Any, context: Context) -> float:
        columns: Columns = {name: np.asarray(entry) for name, entry in tally.entries.items()}
        keep = self.universe(columns, context.hierarchy)
        parts = parts_of({name: column[keep] for name, column in columns.items()})
        return self.macro_value_of(parts) if self.average == "macro" else self.micro_value_of(parts)

    def finish(self, columns: Columns, unit: str) -> Floats:
        return self.of_parts(parts_of(columns))

    def pooled(self, columns: Columns) -> float:
        return self.micro_value_of(parts_of(columns))

    def of_parts(self, parts: Columns) -> Floats:
        """The value of each category."""
        return safe_divide(*self.fraction(parts))

    def fraction(self, parts: Columns) -> tuple[Floats, Floats]:
        """Numerator and denominator of each category; the micro average adds them up."""
        raise NotImplementedError

    def micro_value_of(self, parts: Columns) -> float:
        """Sums of numerators and denominators, divided once (equations 14 and 15)."""
        return float(_pooled(*self.fraction(parts))[0])

    def macro_value_of(self, parts: Columns) -> float:
        """The mean of the categories' values."""
        values = self.of_parts(parts)
        return float(np.sort(values).sum() / len(values)) if len(values) else 0.0


def _in_units(terms: Floats) -> NDArray[np.int64]:
    """Terms of contributions as multiples of 1/_TERM."""
    return np.rint(np.clip(terms, -_MOST, _MOST) * _TERM).astype(np.int64)


def _is_common(batch: Batch, of_true: bool) -> NDArray[np.bool_]:
    """Per label of one side: whether the instance has it on the other side, too."""
    side, other = (batch.true, batch.pred) if of_true else (batch.pred, batch.true)
    size = np.int64(batch.hierarchy.size)
    mine = side.row_of_each() * size + side.flat()
    theirs = other.row_of_each() * size + other.flat()
    return np.isin(mine, theirs, assume_unique=True)


def parts_of(columns: Columns) -> Columns:
    """TP, FP, FN and contributions as numbers."""
    tp = columns["common"].astype(np.float64)
    return {
        "tp": tp,
        "fp": columns["pred"] - tp,
        "fn": columns["true"] - tp,
        "fp_con": _joined(columns, "fp"),
        "fn_con": _joined(columns, "fn"),
        "all": columns["decisions"].astype(np.float64),
    }


def _joined(columns: Columns, name: str) -> Floats:
    high, low = columns[f"{name}_high"].astype(np.float64), columns[f"{name}_low"].astype(np.float64)
    return np.asarray(np.ldexp(high, _HALF - _UNIT) + np.ldexp(low, -_UNIT))


def safe_divide(above: Floats, below: Floats) -> Floats:
    """A denominator of 0 or less gives 0 (Sun et al. 3.2.1)."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)


def _precision(parts: Columns) -> tuple[Floats, Floats]:
    return _credit(parts), parts["tp"] + parts["fp"] + parts["fn_con"]


def _recall(parts: Columns) -> tuple[Floats, Floats]:
    return _credit(parts), parts["tp"] + parts["fn"] + parts["fp_con"]


def _credit(parts: Columns) -> Floats:
    return np.asarray(np.maximum(0.0, parts["tp"] + parts["fp_con"] + parts["fn_con"]))


def _pooled(above: Floats, below: Floats) -> Floats:
    """The ratio of two sums, taken in an order that does not depend on the numbering of categories."""
    return safe_divide(np.atleast_1d(np.sort(above).sum()), np.atleast_1d(np.sort(below).sum()))


@declare
class ContributedPrecision(Contribution):
    """Equation 12; the micro average is equation 14."""

    def fraction(self, parts: Columns) -> tuple[Floats, Floats]:
        return _precision(parts)


@declare
class ContributedRecall(Contribution):
    """Equation 13; the micro average is equation 15."""

    def fraction(self, parts: Columns) -> tuple[Floats, Floats]:
        return _recall(parts)


@declare
class ContributedF(Contribution):
    """F of the extended precision and recall, of each category or of their micro averages."""

    beta: float = param(1.0, "weight of recall against precision", above=0)

    def of_parts(self, parts: Columns) -> Floats:
        return self._f(*(safe_divide(*fraction(parts)) for fraction in (_precision, _recall)))

    def micro_value_of(self, parts: Columns) -> float:
        return float(self._f(*(_pooled(*fraction(parts)) for fraction in (_precision, _recall)))[0])

    def _f(self, precision: Floats, recall: Floats) -> Floats:
        squared = self.beta**2
        return safe_divide((1 + squared) * precision * recall, squared * precision + recall)


@declare
class _Decisions(Contribution):
    """Right or wrong decisions: one per document and category."""

    def universe(self, columns: Columns, hierarchy: Hierarchy) -> NDArray[np.bool_]:
        keep = super().universe(columns, hierarchy)
        # as for flat accuracy, which this is where nothing contributes: a real root is one of all C categories
        keep[0] |= self.categories == "all" and not hierarchy.root_is_virtual
        return keep


@declare
class ContributedAccuracy(_Decisions):
    """Equation 18."""

    def fraction(self, parts: Columns) -> tuple[Floats, Floats]:
        return parts["all"] - parts["fp"] - parts["fn"] + parts["fp_con"] + parts["fn_con"], parts["all"]


@declare
class ContributedError(_Decisions):
    """Equation 19, with the denominator under which accuracy and error add up to 1."""

    def fraction(self, parts: Columns) -> tuple[Floats, Floats]:
        return parts["fp"] + parts["fn"] - parts["fp_con"] - parts["fn_con"], parts["all"]


@declare
class BySimilarity(Contribution):
    """Nearness is (CS − ACS) / (1 − ACS), CS the similarity of two categories and ACS the mean of all pairs."""

    similarity: str | None = param(None, "name of the similarity matrix")

    def nearness_key(self) -> tuple[Any, ...]:
        return ("similarity", self.similarity)

    def check(self, context: Context) -> None:
        if self.similarity is None or self.similarity not in context.matrices:
            given = f"given are {shorten(list(context.matrices))}" if context.matrices else "none are given"
            raise MeasureError(
                f"{self}: similarity must name a matrix; {given}. Pass matrices={{name: ...}} / --matrix"
            )
        matrix = context.matrices[self.similarity]
        if not matrix.is_symmetric:
            raise MeasureError(f"{self}: a similarity matrix is symmetric; {self.similarity!r} is not")
        if matrix.mean_of_pairs >= 1:
            raise MeasureError(f"{self}: the mean similarity of {self.similarity!r} is not below 1")

    def nearness(self, batch: Batch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        assert self.similarity is not None
        matrix = batch.context.matrices[self.similarity]
        mean = matrix.mean_of_pairs
        _, similar = matrix.tables(batch.true, batch.pred)
        terms = _in_units((similar - mean) / (1.0 - mean))
        return terms, terms


@declare
class ByDistance(Contribution):
    """Nearness is 1 − distance / theta."""

    theta: float | None = param(None, "acceptable distance Dis_θ: nearer contributes for, farther against", above=0)
    up_cost: float = param(1.0, "cost of a link upwards, on the way from the category that the document has", above=0)
    down_cost: float = param(1.0, "cost of a link downwards", above=0)

    def nearness_key(self) -> tuple[Any, ...]:
        return ("distance", self.theta, self.up_cost, self.down_cost)

    def check(self, context: Context) -> None:
        if self.theta is None:
            raise MeasureError(f"{self.name}: theta, the acceptable distance, must be given: {self.name}(theta=2)")

    def nearness(self, batch: Batch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        assert self.theta is not None
        h, reach = batch.hierarchy, batch.lists("ancestors")
        there: NDArray[Any]
        back: NDArray[Any]
        if self.up_cost == self.down_cost == 1.0:
            there = back = pairing.distances(h, reach, batch.true, batch.pred)[1]
        else:
            links = np.ones(len(h.parent_links.indices))
            sides = (h, reach, batch.true, batch.pred, links)
            _, there = weighted_tables(*sides, up=self.up_cost, down=self.down_cost)
            _, back = weighted_tables(*sides, up=self.down_cost, down=self.up_cost)
        # to a missed true class the way leads from the predicted one: the other direction of the table
        return _in_units(1.0 - back / self.theta), _in_units(1.0 - there / self.theta)


@declare
class SimilarityPrecision(
    BySimilarity, ContributedPrecision, name="csP", title="precision by similarity", family="contribution",
    cite="sun2003", better="higher", units=("category",), needs=(), bounds=(0.0, float("inf")),
):  # fmt: skip
    """Precision, where misclassified documents count in part, by similarity."""


@declare
class SimilarityRecall(
    BySimilarity, ContributedRecall, name="csR", title="recall by similarity", family="contribution",
    cite="sun2003", better="higher", units=("category",), needs=(), bounds=(0.0, float("inf")),
):  # fmt: skip
    """Recall, where misclassified documents count in part, by similarity."""


@declare
class SimilarityF(
    BySimilarity, ContributedF, name="csF", title="F-beta by similarity", family="contribution",
    cite="sun2003", better="higher", units=("category",), needs=(), bounds=(0.0, float("inf")),
    suffix="beta",
):  # fmt: skip
    """F of precision and recall, where misclassified documents count in part, by similarity."""


@declare
class SimilarityAccuracy(
    BySimilarity, ContributedAccuracy, name="csAccuracy", title="accuracy by similarity", family="contribution",
    cite="sun2003", better="higher", units=("category",), needs=(), bounds=(-1.0, 1.0),
):  # fmt: skip
    """Accuracy, where misclassified documents count in part, by similarity."""


@declare
class SimilarityError(
    BySimilarity, ContributedError, name="csError", title="error by similarity", family="contribution",
    cite="sun2003", better="lower", units=("category",), needs=(), bounds=(0.0, 2.0),
):  # fmt: skip
    """Error, where misclassified documents count in part, by similarity."""


@declare
class DistancePrecision(
    ByDistance, ContributedPrecision, name="dbP", title="precision by distance", family="contribution",
    cite="sun2003", better="higher", units=("category",), needs=("ancestors",), bounds=(0.0, float("inf")),
):  # fmt: skip
    """Precision, where misclassified documents count in part, by distance."""


@declare
class DistanceRecall(
    ByDistance, ContributedRecall, name="dbR", title="recall by distance", family="contribution",
    cite="sun2003", better="higher", units=("category",), needs=("ancestors",), bounds=(0.0, float("inf")),
):  # fmt: skip
    """Recall, where misclassified documents count in part, by distance."""


@declare
class DistanceF(
    ByDistance, ContributedF, name="dbF", title="F-beta by distance", family="contribution",
    cite="sun2003", better="higher", units=("category",), needs=("ancestors",), bounds=(0.0, float("inf")),
    suffix="beta",
):  # fmt: skip
    """F of precision and recall, where misclassified documents count in part, by distance."""


@declare
class DistanceAccuracy(
    ByDistance, ContributedAccuracy, name="dbAccuracy", title="accuracy by distance", family="contribution",
    cite="sun2003", better="higher", units=("category",), needs=("ancestors",), bounds=(-1.0, 1.0),
):  # fmt: skip
    """Accuracy, where misclassified documents count in part, by distance."""


@declare
class DistanceError(
    ByDistance, ContributedError, name="dbError", title="error by distance", family="contribution",
    cite="sun2003", better="lower", units=("category",), needs=("ancestors",), bounds=(0.0, 2.0),
):  # fmt: skip
    """Error, where misclassified documents count in part, by distance."""


def contribution_scores(
    tp: Any, fp: Any, fn: Any, fp_con: Any, fn_con: Any, *, instances: int | None = None, beta: float = 1.0
) -> dict[str, Any]:
    """Precision, recall, F (and accuracy and error) per category, micro and macro, from counts that papers print.

    Parameters
    ----------
    tp, fp, fn : sequences
        Counts of each category.
    fp_con, fn_con : sequences
        Contributions of its false positives and false negatives.
    instances : int, optional
        Number of documents; accuracy and error need it.

    Returns
    -------
    dict
        ``"P"``, ``"R"``, ``"F"`` (``"accuracy"``, ``"error"``): dicts with ``"categories"``, ``"micro"``, ``"macro"``.
    """
    columns = {"tp": tp, "fp": fp, "fn": fn, "fp_con": fp_con, "fn_con": fn_con}
    parts: Columns = {name: np.asarray(values, dtype=np.float64) for name, values in columns.items()}
    if len({part.shape for part in parts.values()}) != 1 or parts["tp"].ndim != 1:
        raise MeasureError("all counts need one number per category")
    parts["all"] = np.full(len(parts["tp"]), np.nan if instances is None else float(instances))
    kinds: dict[str, Contribution] = {"P": DistancePrecision(), "R": DistanceRecall(), "F": DistanceF(beta=beta)}
    if instances is not None:
        kinds |= {"accuracy": DistanceAccuracy(), "error": DistanceError()}
    return {
        name: {"categories": m.of_parts(parts), "micro": m.micro_value_of(parts), "macro": m.macro_value_of(parts)}
        for name, m in kinds.items()
    }
