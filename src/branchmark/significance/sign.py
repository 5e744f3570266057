"""Sign tests: on all decisions (s-test), on categories (S-test) and on instances.

All three follow Yang & Liu (1999), sections 4.1 and 4.2. Of n pairs that differ the first system wins k. Under the
null hypothesis k has the distribution Bin(n, 1/2). Up to n = 12 the p-value is the exact binomial tail; above, it
is the normal tail of ``Z = (k - n/2) / (sqrt(n)/2)``, without a continuity correction, as the paper has it. Ties do
not count towards n. With no pair that differs, the binomial tails hold the whole distribution: all p-values are 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from branchmark._kernels.disagree import disagreements
from branchmark.errors import LabelError
from branchmark.labelsets import LabelSets
from branchmark.significance.base import TestResult
from branchmark.significance.values import both_sides, paired, upper_normal

EXACT_UP_TO = 12


def micro_sign_test(true: LabelSets, first: LabelSets, second: LabelSets) -> TestResult:
    """The s-test: for each instance and category, which system decides rightly?

    The effect is (wins - losses) / n, the share of differing decisions won less the share lost. The instance x
    category matrix is never built: only labels that one system gives and the other does not can differ.

    Parameters
    ----------
    true, first, second : LabelSets
        Of one hierarchy; the systems are aligned with the truth by ids, else by position.

    Returns
    -------
    TestResult
        Ties are all other decisions, instances x categories in all; the virtual root is no category.

    Examples
    --------
    >>> import branchmark as bm
    >>> h = bm.Hierarchy.from_edges([("all", "a"), ("all", "b")])
    >>> true, first, second = (bm.LabelSets.from_lists(rows, h) for rows in (["a", "b"], ["a", "b"], ["b", "b"]))
    >>> result = micro_sign_test(true, first, second)
    >>> result.wins, result.losses, result.ties, result.p
    (2, 0, 4, 0.25)
    """
    for name, system in (("first", first), ("second", second)):
        if system.hierarchy is not true.hierarchy and system.hierarchy.fingerprint != true.hierarchy.fingerprint:
            raise LabelError(f"the {name} system's labels belong to another hierarchy than the truth")
    one, two = true.align(first), true.align(second)
    wins, losses = disagreements(
        true.rows.indptr, true.rows.indices, one.rows.indptr, one.rows.indices, two.rows.indptr, two.rows.indices
    )
    decisions = len(true) * (true.hierarchy.size - int(true.hierarchy.root_is_virtual))
    return sign_result("s-test", wins, losses, decisions - wins - losses, {"decisions": decisions})


def macro_sign_test(first: Any, second: Any, *, better: str = "higher") -> TestResult:
    """The S-test: on how many categories is the first system better?

    Parameters
    ----------
    first, second : array-like or mapping
        A value per category, such as ``score.per_category``; mappings are paired by name. A category without a value
        (NaN or missing) on either side is left out and counted in ``details["left_out"]``.
    better : {"higher", "lower"}

    Returns
    -------
    TestResult
        The effect is (wins - losses) / n.

    Examples
    --------
    >>> macro_sign_test([0.9, 0.8, 0.7, 0.5], [0.8, 0.7, 0.6, 0.5]).p
    0.125
    """
    return _of_values("S-test", first, second, better)


def sign_test(first: Any, second: Any, *, better: str = "higher") -> TestResult:
    """The sign test of Kosmopoulos et al. (2014), section 4.2: on how many instances is the first system better?

    Parameters
    ----------
    first, second : array-like
        A value per instance, such as ``score.per_instance``. An instance without a value (NaN) on either side is left
        out and counted in ``details["left_out"]``.
    better : {"higher", "lower"}

    Returns
    -------
    TestResult
        The effect is (wins - losses) / n.
    """
    return _of_values("sign", first, second, better)


def _of_values(test: str, first: Any, second: Any, better: str) -> TestResult:
    one, two, left_out = paired(first, second, better)
    wins, losses = int(np.sum(one > two)), int(np.sum(one < two))
    return sign_result(test, wins, losses, len(one) - wins - losses, {"left_out": left_out})


def sign_result(test: str, wins: int, losses: int, ties: int, details: dict[str, Any] | None = None) -> TestResult:
    """A sign test from its counts, which add up over parts of the data.

    The statistic is k, the number of wins, where the exact distribution is used, and Z above.
    """
    n = wins + losses
    if n <= EXACT_UP_TO:
        statistic, distribution = float(wins), "binomial"
        p, p_other = _binomial_tail(n, wins), _binomial_tail(n, losses)
    else:
        statistic, distribution = (wins - 0.5 * n) / (0.5 * math.sqrt(n)), "normal"
        p, p_other = upper_normal(statistic), upper_normal(-statistic)
    return TestResult(
        test=test,
        statistic=statistic,
        p=p,
        p_other=p_other,
        p_two_sided=both_sides(p, p_other),
        n=n,
        wins=wins,
        ties=ties,
        losses=losses,
        effect=(wins - losses) / n if n else 0.0,
        details={"distribution": distribution, **(details or {})},
    )


def _binomial_tail(n: int, k: int) -> float:
    """P(K >= k) of Bin(n, 1/2)."""
    return sum(math.comb(n, i) for i in range(k, n + 1)) / 2.0**n
