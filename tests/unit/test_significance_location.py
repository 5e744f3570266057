"""T, T' and signed ranks on cases that can be checked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from branchmark.errors import MeasureError
from branchmark.significance import rank_t_test, t_test, wilcoxon_test


def test_t_by_hand() -> None:
    # differences 1, 2, 3 and a tie: mean 2, s = 1, T = 2 sqrt(3); with 2 freedoms P = 1/2 - T / (2 sqrt(2 + T²))
    result = t_test([2, 4, 6, 5], [1, 2, 3, 5])
    assert result.statistic == pytest.approx(2 * math.sqrt(3))
    assert result.p == pytest.approx(0.5 - math.sqrt(12) / (2 * math.sqrt(14)))
    assert result.p_two_sided == pytest.approx(2 * result.p)
    assert (result.n, result.ties, result.effect, result.details["d_z"]) == (3, 1, 2.0, 2.0)
    assert result.details["distribution"] == "t(2)"


def test_ties_may_be_kept() -> None:
    result = t_test([2, 4, 6, 5], [1, 2, 3, 5], ties="keep")
    assert (result.n, result.effect) == (4, 1.5)
    with pytest.raises(MeasureError, match="drop or keep; got 'half'"):
        t_test([1, 2], [2, 1], ties="half")


@pytest.mark.parametrize("test", [t_test, rank_t_test])
def test_normal_above_40(test) -> None:
    rng = np.random.default_rng(0)
    first, second = rng.random(41), rng.random(41)
    assert test(first[:40], second[:40]).details["distribution"] == "t(39)"
    result = test(first, second)
    assert result.details["distribution"] == "normal"
    assert result.p == pytest.approx(0.5 * math.erfc(result.statistic / math.sqrt(2)))
    # it is the number of pairs that differ which counts
    assert test([*first[:40], 0.5], [*second[:40], 0.5]).details["distribution"] == "t(39)"


@pytest.mark.parametrize("test", [t_test, rank_t_test])
def test_too_little_to_say_anything(test) -> None:
    for first, second, n in (([0.5, 0.2], [0.5, 0.2], 0), ([0.9], [0.1], 1), ([0.9, 0.5], [0.1, 0.5], 1)):
        result = test(first, second)
        assert (result.n, result.statistic, result.p, result.p_other, result.p_two_sided) == (n, 0.0, 1.0, 1.0, 1.0)
        assert result.details["distribution"] == "none"
    assert test([0.5, 0.2], [0.5, 0.2], ties="keep").p_two_sided == 1.0


def test_equal_differences_leave_no_doubt() -> None:
    result = t_test([2, 3, 4], [1, 2, 3], better="lower")
    assert (result.statistic, result.p, result.p_other, result.p_two_sided) == (-math.inf, 1.0, 0.0, 0.0)
    assert result.symbol == "<<"


def test_rank_transformation_by_hand() -> None:
    # pooled 0.1 0.2 0.2 0.4 0.7 0.9 have the ranks 1, 2.5, 2.5, 4, 5, 6
    result = rank_t_test([0.9, 0.2, 0.4], [0.7, 0.2, 0.1])  # 6 2.5 4 against 5 2.5 1: differences 1, 0, 3
    assert (result.n, result.effect, result.ties) == (2, 2.0, 1)
    assert result.statistic == pytest.approx(2.0)  # 2 / (sqrt(2) / sqrt(2))
    assert result.p == pytest.approx(0.5 - math.atan(2.0) / math.pi)  # one freedom: Cauchy


def test_ranks_do_not_see_how_far_an_outlier_is() -> None:
    first, second = [0.9, 0.5, 0.4, 0.3], [0.8, 0.45, 0.35, 0.25]
    far = [100.0, *first[1:]]
    assert rank_t_test(first, second) == rank_t_test(far, second)
    assert t_test(first, second).p < t_test(far, second).p


def test_signed_ranks_by_hand() -> None:
    # |d| 1, 2, 3, 4 with -2 lost: W = 1 + 3 + 4 = 8; sums of at least 8: {4,3,1}, {4,3,2}, {4,3,2,1} of 16
    result = wilcoxon_test([1, 0, 3, 4, 7], [0, 2, 0, 0, 7])
    assert (result.statistic, result.n, result.ties) == (8.0, 4, 1)
    assert result.p == 3 / 16
    assert result.p_other == 14 / 16  # all but {4,3,2} and {4,3,2,1}
    assert result.effect == pytest.approx(0.6)
    assert result.details["distribution"] == "exact"


def test_signed_ranks_of_equal_systems_and_of_one_pair() -> None:
    same = wilcoxon_test([1, 2], [1, 2])
    assert (same.p, same.p_other, same.p_two_sided, same.effect, same.n) == (1.0, 1.0, 1.0, 0.0, 0)
    one = wilcoxon_test([2], [1])
    assert (one.p, one.p_other, one.p_two_sided, one.effect) == (0.5, 1.0, 1.0, 1.0)


def test_missing_values_are_left_out_and_counted() -> None:
    for test in (t_test, rank_t_test, wilcoxon_test):
        with_gaps = test([1, math.nan, 4, 6, 2], [0, 3, 2, 3, math.nan])
        without = test([1, 4, 6], [0, 2, 3])
        assert with_gaps.details["left_out"] == 2
        assert (with_gaps.statistic, with_gaps.p) == (without.statistic, without.p)


def test_rounding_is_no_difference() -> None:
    for test in (t_test, rank_t_test, wilcoxon_test):
        result = test([0.1 + 0.2, 0.5], [0.3, 0.5])
        assert (result.n, result.ties) == (0, 2)
    # 0.3 - 0.2 and 0.2 - 0.1 are the same size
    tied = wilcoxon_test([0.3, 0.2, 0.9], [0.2, 0.1, 0.1])
    assert tied.details["distribution"] == "normal"
    assert wilcoxon_test([0.3, 0.1, 0.9], [0.2, 0.2, 0.1]).statistic == 4.5
    # pooled 0.3 and 0.1 + 0.2 share the ranks 2 and 3
    assert rank_t_test([0.3, 0.9], [0.1, 0.1 + 0.2]).effect == 1.5


def test_constant_zero_values() -> None:
    for test in (t_test, rank_t_test, wilcoxon_test):
        assert test([0.0, 0.0], [0.0, 0.0]).p_two_sided == 1.0
