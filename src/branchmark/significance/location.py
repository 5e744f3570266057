"""Tests of the size of paired differences: T-test, T'-test (after rank transformation) and signed ranks.

T and T' follow Yang & Liu (1999), sections 4.3 and 4.4: n counts the pairs that differ, the mean difference and its
standard error s / sqrt(n) are taken over these n, and their ratio has Student's t distribution with n - 1 degrees
of freedom up to n = 40, the standard normal one above.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from branchmark.errors import MeasureError
from branchmark.significance.base import TestResult
from branchmark.significance.values import Floats, both_sides, paired, upper_normal, upper_tail

T_UP_TO = 40
EXACT_RANKS_UP_TO = 50


def t_test(first: Any, second: Any, *, better: str = "higher", ties: str = "drop") -> TestResult:
    """The macro t-test (T-test) on paired values, as a rule per category.

    Parameters
    ----------
    first, second : array-like or mapping
        A value per category; mappings are paired by name. Pairs in which a value is NaN or missing are left out and
        counted in ``details["left_out"]``.
    better : {"higher", "lower"}
    ties : {"drop", "keep"}
        The paper averages over pairs that differ ("drop"). The usual paired t-test, as in
        `scipy.stats.ttest_rel`, keeps differences of 0.

    Returns
    -------
    TestResult
        The effect is the mean difference over the n pairs used, and ``details["d_z"]`` the same in units of its
        standard deviation (None where that is 0 or unknown). No pair that differs, or a single one, whose standard
        error is unknown, gives statistic 0 and p-values of 1, with the distribution "none". Several equal
        differences other than 0 have a standard error of 0: the statistic is infinite, p is 0 on its side and 1 on
        the other.

    Examples
    --------
    >>> result = t_test([0.9, 0.8, 0.6, 0.5], [0.7, 0.7, 0.5, 0.5])
    >>> result.n, round(result.statistic, 3), round(result.p, 4)
    (3, 4.0, 0.0286)
    """
    one, two, left_out = paired(first, second, better)
    return _t_result("T-test", one - two, ties, left_out)


def rank_t_test(first: Any, second: Any, *, better: str = "higher", ties: str = "drop") -> TestResult:
    """The macro t-test after rank transformation (T'-test).

    The values of both systems are pooled and sorted, each is replaced by its rank (equal values share the mean of
    their ranks), and the T-test is made with the ranks. Parameters and special cases are those of `t_test`; pairs
    without both values are left out before ranking. The effect is the mean difference of ranks.

    Examples
    --------
    >>> result = rank_t_test([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])  # ranks 6, 5, 3 and 4, 2, 1
    >>> result.effect, round(result.statistic, 3)
    (2.3333333333333335, 7.0)
    """
    one, two, left_out = paired(first, second, better)
    ranks = mean_ranks(_steady(np.concatenate([one, two])))
    return _t_result("T'-test", ranks[: len(one)] - ranks[len(one) :], ties, left_out)


def wilcoxon_test(first: Any, second: Any, *, better: str = "higher") -> TestResult:
    """Wilcoxon's signed-rank test on paired values, as a rule per instance.

    Differences of 0 are left out (Wilcoxon's own rule). Up to 50 differences of distinct size the distribution is
    exact; otherwise it is normal, corrected for ties and without a continuity correction.

    Parameters
    ----------
    first, second : array-like or mapping
        Pairs in which a value is NaN or missing are left out and counted in ``details["left_out"]``.
    better : {"higher", "lower"}

    Returns
    -------
    TestResult
        The statistic is the sum of the ranks of wins; the effect is the rank-biserial correlation, the difference
        of the rank sums of wins and losses divided by their total. With no pair that differs all p-values are 1.

    Examples
    --------
    >>> result = wilcoxon_test([3, 5, 8, 6], [1, 4, 3, 6])
    >>> result.statistic, result.p, result.effect
    (6.0, 0.125, 1.0)
    """
    one, two, left_out = paired(first, second, better)
    d = one - two
    wins, losses = int(np.sum(d > 0)), int(np.sum(d < 0))
    ties = len(d) - wins - losses
    won = d[d != 0] > 0
    size = _steady(np.abs(d[d != 0]), float(np.abs([one, two]).max()))
    n, total = len(size), len(size) * (len(size) + 1) / 2
    statistic = float(mean_ranks(size)[won].sum())
    sizes = np.unique(size, return_counts=True)[1]
    if n <= EXACT_RANKS_UP_TO and len(sizes) == n:
        distribution = "exact"
        p, p_other = _rank_sum_tail(n, int(statistic)), _rank_sum_tail(n, int(total - statistic))
    else:
        distribution = "normal"
        spread = math.sqrt((n * (n + 1) * (2 * n + 1) - float((sizes.astype(float) ** 3 - sizes).sum()) / 2) / 24)
        z = (statistic - total / 2) / spread
        p, p_other = upper_normal(z), upper_normal(-z)
    return TestResult(
        test="wilcoxon",
        statistic=statistic,
        p=p,
        p_other=p_other,
        p_two_sided=both_sides(p, p_other),
        n=n,
        wins=wins,
        ties=ties,
        losses=losses,
        effect=2 * statistic / total - 1 if n else 0.0,
        details={"distribution": distribution, "left_out": left_out},
    )


def mean_ranks(values: Floats) -> Floats:
    """Ranks from 1; equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place.reshape(-1)]
    return ranks


def _steady(values: Floats, scale: float | None = None) -> Floats:
    """Values in units of the scale, without the digits that are rounding: 0.3 - 0.2 and 0.2 - 0.1 rank alike."""
    scale = float(np.abs(values).max()) if scale is None else scale
    return np.round(values / scale, 12) if scale > 0 else values


def _t_result(test: str, d: Floats, ties: str, left_out: int) -> TestResult:
    if ties not in ("drop", "keep"):
        raise MeasureError(f"ties must be drop or keep; got {ties!r}")
    wins, losses = int(np.sum(d > 0)), int(np.sum(d < 0))
    equal = len(d) - wins - losses
    used = d if ties == "keep" else d[d != 0]
    n = len(used)
    mean = float(used.mean()) if n else 0.0
    spread = float(used.std(ddof=1)) if n > 1 and np.ptp(used) > 0 else 0.0
    if n < 2 or not np.any(used):
        statistic, p, p_other, distribution = 0.0, 1.0, 1.0, "none"
    else:
        freedom = n - 1 if n <= T_UP_TO else None
        statistic = mean / (spread / math.sqrt(n)) if spread else math.copysign(math.inf, mean)
        p, p_other = upper_tail(statistic, freedom), upper_tail(-statistic, freedom)
        distribution = "normal" if freedom is None else f"t({freedom})"
    return TestResult(
        test=test,
        statistic=statistic,
        p=p,
        p_other=p_other,
        p_two_sided=both_sides(p, p_other),
        n=n,
        wins=wins,
        ties=equal,
        losses=losses,
        effect=mean,
        details={
            "distribution": distribution,
            "left_out": left_out,
            "zeros": ties,
            "d_z": mean / spread if spread else None,
        },
    )


def _rank_sum_tail(n: int, least: int) -> float:
    """P(W >= least), where each of the ranks 1 to n is in the sum W with probability 1/2."""
    ways = np.ones(1)  # exact: below 2**53 up to n = 50, as 2**50 subsets in all
    for rank in range(1, n + 1):
        longer = np.zeros(len(ways) + rank)
        longer[: len(ways)] += ways
        longer[rank:] += ways
        ways = longer
    return float(ways[least:].sum()) / 2.0**n
