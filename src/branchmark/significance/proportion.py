"""The p-test of Yang & Liu (1999), section 4.5: are two proportions equal, also on different test sets?"""

from __future__ import annotations

import math
from typing import NamedTuple

from branchmark.errors import MeasureError
from branchmark.significance.base import TestResult
from branchmark.significance.values import both_sides, check_better, upper_tail

T_UP_TO = 40


class Proportion(NamedTuple):
    """A share and the number of trials it is a share of."""

    value: float
    trials: float


def proportions(
    *, true_positives: float, false_positives: float, false_negatives: float, decisions: float | None = None
) -> dict[str, Proportion]:
    """Recall, precision, error and accuracy with their trials, from totals over all instances and categories.

    The trials are, as in the paper, the true labels for recall, the assigned labels for precision, and all instance x
    category decisions for error and accuracy, which are left out where the number of decisions is not given. A
    share of no trials is 0, and the p-test refuses it.

    Examples
    --------
    >>> shares = proportions(true_positives=30, false_positives=10, false_negatives=20, decisions=1000)
    >>> shares["recall"], shares["precision"].trials, shares["error"].value
    (Proportion(value=0.6, trials=50), 40, 0.03)
    """
    if min(true_positives, false_positives, false_negatives) < 0:
        raise MeasureError("counts of decisions cannot be negative")
    wrong = false_positives + false_negatives
    shares = {
        "recall": _share(true_positives, true_positives + false_negatives),
        "precision": _share(true_positives, true_positives + false_positives),
    }
    if decisions is not None:
        if decisions < true_positives + wrong:
            raise MeasureError(f"{decisions:,} decisions cannot hold {true_positives + wrong:,} positive ones")
        shares["error"] = _share(wrong, decisions)
        shares["accuracy"] = _share(decisions - wrong, decisions)
    return shares


def proportion_test(
    first: Proportion | tuple[float, float], second: Proportion | tuple[float, float], *, better: str = "higher"
) -> TestResult:
    """The p-test: ``Z = (p_a - p_b) / sqrt(p (1 - p) (1/n_a + 1/n_b))``, p being the pooled proportion.

    Up to n = n_a + n_b = 40 trials Z is held against Student's t with n - 1 degrees of freedom, above against the
    standard normal distribution. The two samples are taken as independent, so they may come from different test
    sets.

    Parameters
    ----------
    first, second : Proportion or (value, trials)
        Trials need not be whole, as when they are worked out from rounded scores.
    better : {"higher", "lower"}
        By default the test and its symbol say which proportion is larger, as the paper's Table 3 does even for
        error; with "lower" they say which system is better by error.

    Returns
    -------
    TestResult
        n is the number of trials of both; wins, ties and losses are None, because nothing is paired. The effect is
        the difference of the proportions, and ``details["h"]`` is Cohen's h. Equal
        proportions give Z = 0, hence 0.5 on each side; if both are 0 or both 1, Z would be 0/0: the statistic is 0
        and all p-values are 1.

    Examples
    --------
    >>> result = proportion_test((0.8120, 3744), (0.8339, 3744))  # recall of SVM and kNN
    >>> round(result.statistic, 3), result.symbol
    (-2.482, '<<')
    """
    sign = check_better(better)
    (one, n_one), (two, n_two) = (_checked(name, share) for name, share in (("first", first), ("second", second)))
    n = n_one + n_two
    pooled = (n_one * one + n_two * two) / n
    variance = pooled * (1 - pooled) * (1 / n_one + 1 / n_two)
    freedom = max(1, math.ceil(n) - 1) if n <= T_UP_TO else None
    if variance <= 0:
        statistic, p, p_other, distribution = 0.0, 1.0, 1.0, "none"
    else:
        statistic = sign * (one - two) / math.sqrt(variance)
        p, p_other = upper_tail(statistic, freedom), upper_tail(-statistic, freedom)
        distribution = "normal" if freedom is None else f"t({freedom})"
    return TestResult(
        test="p-test",
        statistic=statistic,
        p=p,
        p_other=p_other,
        p_two_sided=both_sides(p, p_other),
        n=n,
        wins=None,
        ties=None,
        losses=None,
        effect=sign * (one - two),
        details={
            "distribution": distribution,
            "trials": (n_one, n_two),
            "h": sign * 2 * (math.asin(math.sqrt(one)) - math.asin(math.sqrt(two))),
        },
    )


def _share(part: float, whole: float) -> Proportion:
    return Proportion(part / whole if whole else 0.0, whole)


def _checked(name: str, share: tuple[float, float]) -> Proportion:
    value, trials = share
    if not 0 < trials < math.inf:
        raise MeasureError(f"the {name} proportion has no trials, so there is nothing to compare")
    if not 0 <= value <= 1:
        raise MeasureError(f"the {name} proportion must lie between 0 and 1; got {value!r}")
    return Proportion(float(value), trials)
