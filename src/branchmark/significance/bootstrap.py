"""Resampling of instances: intervals of one score, and tests of the difference of two.

A score is a function of sums over instances. A resample draws as many instances as there are, with replacement, so
its sums are weights @ rows with multinomial weights. Instances with equal rows are interchangeable, so rows that
occur often are drawn together. The same seed gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchmark.errors import LabelError, MeasureError
from branchmark.significance.base import (
    SAME,
    Floats,
    TestResult,
    both_sides,
    check_better,
    is_rounding,
    numbers,
    paired,
)

Finish = Callable[[dict[str, Any]], Any]

BLOCK = 4_000_000  # weights in memory at a time


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
    rows : array-like or dict of arrays
        Values per instance, whose mean is the score (NaN is left out of the mean and counted), or columns of counts
        per instance, as ``measure.rows(batch, "instance")`` gives them.
    finish : callable
        With columns: from their sums, arrays with one entry per resample, to scores, for instance
        ``lambda sums: measure.finish(sums, "total")``.
    resamples, confidence, seed
        One instance, or identical ones, give an interval of width 0.

    Examples
    --------
    >>> interval = bootstrap_interval([0.0, 1.0] * 200, seed=1)
    >>> interval.value, round(interval.error, 3), interval.low < 0.46 < 0.54 < interval.high
    (0.5, 0.024, True)
    """
    _check(resamples, confidence)
    table, score, left_out = _score(rows, finish)
    observed = _observed(score, table)
    drawn = score(_resampled_sums(table, resamples, seed))
    kept = drawn[~np.isnan(drawn)]
    low, high = _percentiles(kept, confidence)
    return Interval(
        value=observed,
        low=low,
        high=high,
        error=float(kept.std(ddof=1)) if len(kept) > 1 else 0.0,
        confidence=confidence,
        n=len(table),
        resamples=resamples,
        seed=seed,
        left_out=left_out,
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
        scores; instances that have none on either side count in ``details["left_out"]``. Identical systems give
        p-values of 1.

    Examples
    --------
    >>> result = bootstrap_test([1, 1, 1, 0] * 50, [1, 0, 1, 0] * 50)
    >>> result.effect, result.p, result.symbol, result.wins
    (0.25, 0.000999000999000999, '>>', 50)
    """
    sign = check_better(better)
    _check(resamples, confidence)
    (table_one, score_one, _), (table_two, score_two, _) = _score(first, finish), _score(second, finish)
    if len(table_one) != len(table_two):
        raise LabelError(f"the first system has {len(table_one):,} instances and the second {len(table_two):,}")
    effect = _difference(_observed(score_one, table_one), _observed(score_two, table_two), sign)
    sums = _resampled_sums(np.hstack([table_one, table_two]), resamples, seed)
    cut = table_one.shape[1]
    drawn = _difference(score_one(sums[:, :cut]), score_two(sums[:, cut:]), sign)
    kept = drawn[~np.isnan(drawn)]
    interval = _percentiles(kept, confidence)
    p, p_other = (float((side.sum() + 1) / (len(kept) + 1)) for side in (kept <= 0, kept >= 0))
    single = _difference(score_one(table_one), score_two(table_two), sign)
    return TestResult(
        test="bootstrap",
        statistic=float(effect),
        p=p,
        p_other=p_other,
        p_two_sided=both_sides(p, p_other),
        n=len(table_one),
        wins=int(np.sum(single > 0)),
        ties=int(np.sum(single == 0)),
        losses=int(np.sum(single < 0)),
        effect=float(effect),
        interval=interval,
        details={
            "distribution": "bootstrap",
            "left_out": int(np.isnan(single).sum()),
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
    drawn = _flipped_sums(np.abs(d[d != 0]), resamples, seed)
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


# ---------------------------------------------------------------- rows, sums and scores


def _check(resamples: int, confidence: float = 0.95) -> None:
    if isinstance(resamples, bool) or not isinstance(resamples, int) or resamples < 1:
        raise MeasureError(f"resamples must be a whole number of at least 1; got {resamples!r}")
    if not 0 < confidence < 1:
        raise MeasureError(f"confidence must lie between 0 and 1; got {confidence!r}")


def _score(rows: Any, finish: Finish | None) -> tuple[Floats, Callable[[Floats], Floats], int]:
    """A table of summable rows, the score of (rows of) sums, and how many instances have no value."""
    if not isinstance(rows, Mapping):
        if finish is not None:
            raise MeasureError("values per instance are averaged; finish goes with columns of counts")
        values = numbers(rows)
        known = ~np.isnan(values)
        return np.column_stack([np.where(known, values, 0.0), known]), _mean, int(len(known) - known.sum())
    if finish is None:
        raise MeasureError("columns of counts need finish, the function from their sums to scores")
    names, columns = list(rows), [numbers(column) for column in rows.values()]
    if not names or len({len(column) for column in columns}) != 1:
        raise LabelError("columns of counts must be equally long, one entry per instance")
    table = np.column_stack(columns)
    if np.isnan(table).any():
        raise LabelError("a count is missing (NaN), so the columns have no sum")

    def score(sums: Floats) -> Floats:
        return np.asarray(finish(dict(zip(names, sums.T, strict=True))), dtype=np.float64)

    return table, score, 0


def _mean(sums: Floats) -> Floats:
    out = np.full(len(sums), np.nan)
    np.divide(sums[:, 0], sums[:, 1], out=out, where=sums[:, 1] > 0)
    return out


def _observed(score: Callable[[Floats], Floats], table: Floats) -> float:
    value = float(score(table.sum(axis=0, keepdims=True))[0]) if len(table) else np.nan
    if np.isnan(value):
        raise MeasureError("the score of all instances is undefined, so there is nothing to resample")
    return value


def _difference(one: Any, two: Any, sign: float) -> Any:
    """Signed difference, 0 where it is no more than rounding."""
    return np.where(is_rounding(one, two), 0.0, sign * (one - two))


def _percentiles(drawn: Floats, confidence: float) -> tuple[float, float]:
    if not len(drawn):
        raise MeasureError("the score is undefined in every resample")
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def _resampled_sums(table: Floats, resamples: int, seed: int) -> Floats:
    """Sums of the columns over each resample of the rows."""
    n = len(table)
    rng = np.random.default_rng(seed)
    out = np.empty((resamples, table.shape[1]))
    distinct, counts = np.unique(table, axis=0, return_counts=True)
    grouped = len(distinct) * 4 <= n  # else single draws are quicker
    base = distinct if grouped else table
    step = max(1, BLOCK // len(base))
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        if grouped:
            weights = rng.multinomial(n, counts / n, size=size).astype(np.float64)
        else:
            weights = np.empty((size, n))
            for row in weights:
                row[:] = np.bincount(rng.integers(0, n, n), minlength=n)
        out[start : start + size] = weights @ base
    return out


def _flipped_sums(sizes: Floats, resamples: int, seed: int) -> Floats:
    """Sums of the sizes with random signs."""
    rng = np.random.default_rng(seed)
    out = np.empty(resamples)
    distinct, counts = np.unique(sizes, return_counts=True)
    grouped = len(distinct) * 4 <= len(sizes)  # else single bits are quicker
    step = max(1, BLOCK // max(1, len(distinct) if grouped else len(sizes)))
    for start in range(0, resamples, step):
        part = out[start : start + step]
        if grouped:  # of `count` equal sizes a binomial number is added and the rest taken away
            plus = rng.binomial(counts, 0.5, size=(len(part), len(distinct)))
            part[:] = (2.0 * plus - counts) @ distinct
        else:
            bits = rng.integers(0, 256, size=(len(part), (len(sizes) + 7) // 8), dtype=np.uint8)
            part[:] = 2.0 * (np.unpackbits(bits, axis=1, count=len(sizes)).astype(np.float64) @ sizes) - sizes.sum()
    return out
