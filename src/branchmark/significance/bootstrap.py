"""Resampling of instances: intervals of one score, and tests of the difference of two.

A score is a function of sums over instances, and a resample draws as many instances as there are, with replacement.
The same seed gives the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from branchmark.errors import LabelError, MeasureError
from branchmark.significance.base import TestResult
from branchmark.significance.resample import Finish, Rows, flipped_sums, resampled
from branchmark.significance.values import SAME, Floats, both_sides, check_better, is_rounding, paired


@dataclass(frozen=True)
class Interval:
    """A score with its bootstrap percentile interval, and how it was made.

    ``error`` is the bootstrap standard error; ``left_out`` counts instances without a value, ``undefined`` resamples
    in which the score has none.
    """

    value: float
    low: float
    high: float
    error: float
    confidence: float
    n: int
    resamples: int
    seed: int
    left_out: int = 0
    undefined: int = 0


def bootstrap_interval(
    rows: Any, finish: Finish | None = None, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> Interval:
    """A confidence interval of one score by resampling instances.

    Parameters
    ----------
    rows : array-like or dict
        Values per instance, whose mean is the score (NaN is left out of the mean and counted); or columns of counts
        per instance, as ``measure.rows(batch, "instance")`` gives them; or, for averages over categories, scipy
        sparse matrices of counts, instances x categories.
    finish : callable
        With columns: from their sums, arrays with one entry per resample, to scores, for instance
        ``lambda sums: measure.finish(sums, "total")``. With matrices: from their sums, resamples x categories, to
        scores, for instance ``lambda sums: measure.finish(sums, "category").mean(axis=1)``.
    resamples, confidence, seed
        One instance, or identical ones, give an interval of width 0.

    Examples
    --------
    >>> interval = bootstrap_interval([0.0, 1.0] * 200, seed=1)
    >>> interval.value, round(interval.error, 3), interval.low < 0.46 < 0.54 < interval.high
    (0.5, 0.024, True)
    """
    _check(resamples, confidence)
    sample = Rows.of(rows, finish)
    observed = sample.value()
    (drawn,) = resampled([sample], resamples, seed)
    kept = drawn[~np.isnan(drawn)]
    low, high = _percentiles(kept, confidence)
    return Interval(
        value=observed,
        low=low,
        high=high,
        error=float(kept.std(ddof=1)) if len(kept) > 1 else 0.0,
        confidence=confidence,
        n=len(sample),
        resamples=resamples,
        seed=seed,
        left_out=sample.left_out,
        undefined=len(drawn) - len(kept),
    )


def bootstrap_test(
    first: Any,
    second: Any,
    finish: Finish | None = None,
    *,
    better: str = "higher",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> TestResult:
    """The paired bootstrap: is the first system still better when the instances are drawn anew?

    Both systems are scored on the same resamples. The one-sided p-value is (c + 1) / (resamples + 1), where c counts
    the resamples in which the first system is not better; the two-sided one is twice the smaller side.

    Parameters
    ----------
    first, second : array-like or dict of arrays
        Of the same instances, in the same order; see `bootstrap_interval`, as for `finish`.
    better : {"higher", "lower"}

    Returns
    -------
    TestResult
        Statistic and effect are the difference of the two scores on all instances, the interval is its percentile
        interval; all are above 0 where the first is better. Wins, ties and losses count instances by their own
        scores; instances that have none on either side count in ``details["left_out"]``. With matrices they are
        None, because one instance has no average over categories. Identical systems give p-values of 1.

    Examples
    --------
    >>> result = bootstrap_test([1, 1, 1, 0] * 50, [1, 0, 1, 0] * 50)
    >>> result.effect, result.p, result.symbol, result.wins
    (0.25, 0.000999000999000999, '>>', 50)
    """
    sign = check_better(better)
    _check(resamples, confidence)
    one, two = Rows.of(first, finish), Rows.of(second, finish)
    if len(one) != len(two):
        raise LabelError(f"the first system has {len(one):,} instances and the second {len(two):,}")
    effect = float(_difference(one.value(), two.value(), sign))
    drawn_one, drawn_two = resampled([one, two], resamples, seed)
    drawn = _difference(drawn_one, drawn_two, sign)
    kept = drawn[~np.isnan(drawn)]
    interval = _percentiles(kept, confidence)
    p, p_other = (float((side.sum() + 1) / (len(kept) + 1)) for side in (kept <= 0, kept >= 0))
    single = None if one.wide or two.wide else _difference(one.singly(), two.singly(), sign)
    return TestResult(
        test="bootstrap",
        statistic=effect,
        p=p,
        p_other=p_other,
        p_two_sided=both_sides(p, p_other),
        n=len(one),
        wins=None if single is None else int(np.sum(single > 0)),
        ties=None if single is None else int(np.sum(single == 0)),
        losses=None if single is None else int(np.sum(single < 0)),
        effect=effect,
        interval=interval,
        details={
            "distribution": "bootstrap",
            "left_out": 0 if single is None else int(np.isnan(single).sum()),
            "resamples": resamples,
            "seed": seed,
            "confidence": confidence,
            "undefined": len(drawn) - len(kept),
        },
    )


def permutation_test(
    first: Any, second: Any, *, better: str = "higher", resamples: int = 1000, seed: int = 0
) -> TestResult:
    """The paired permutation test of a difference of means: the sign of each instance's difference is thrown anew.

    p-values are (c + 1) / (resamples + 1), c counting the throws that are at least as extreme as what was observed:
    as large (p), as small (p_other), or as far from 0 (p_two_sided).

    Parameters
    ----------
    first, second : array-like
        A value per instance. Pairs in which one is NaN are left out and counted in ``details["left_out"]``.
    better : {"higher", "lower"}

    Returns
    -------
    TestResult
        Statistic and effect are the mean difference over all pairs. With no pair that differs all p-values are 1.

    Examples
    --------
    >>> result = permutation_test([5, 6, 7, 8, 9, 9, 9, 9, 9, 9], [4, 4, 5, 7, 7, 8, 7, 8, 8, 7])
    >>> result.effect, result.symbol
    (1.5, '>>')
    """
    _check(resamples)
    one, two, left_out = paired(first, second, better)
    d = one - two
    observed, slack = float(d.sum()), SAME * float(np.abs(d).sum())
    drawn = flipped_sums(np.abs(d[d != 0]), resamples, seed)
    extreme = (drawn >= observed - slack, drawn <= observed + slack, np.abs(drawn) >= abs(observed) - slack)
    p, p_other, p_two_sided = (float((side.sum() + 1) / (resamples + 1)) for side in extreme)
    return TestResult(
        test="permutation",
        statistic=observed / len(d),
        p=p,
        p_other=p_other,
        p_two_sided=p_two_sided,
        n=int(np.sum(d != 0)),
        wins=int(np.sum(d > 0)),
        ties=int(np.sum(d == 0)),
        losses=int(np.sum(d < 0)),
        effect=observed / len(d),
        details={"distribution": "permutation", "left_out": left_out, "resamples": resamples, "seed": seed},
    )


def _check(resamples: int, confidence: float = 0.95) -> None:
    if isinstance(resamples, bool) or not isinstance(resamples, int) or resamples < 1:
        raise MeasureError(f"resamples must be a whole number of at least 1; got {resamples!r}")
    if not 0 < confidence < 1:
        raise MeasureError(f"confidence must lie between 0 and 1; got {confidence!r}")


def _difference(one: Any, two: Any, sign: float) -> Any:
    """Signed difference, 0 where it is no more than rounding."""
    return np.where(is_rounding(one, two), 0.0, sign * (one - two))


def _percentiles(drawn: Floats, confidence: float) -> tuple[float, float]:
    if not len(drawn):
        raise MeasureError("the score is undefined in every resample")
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
