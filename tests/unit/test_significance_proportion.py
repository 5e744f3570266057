"""The p-test on cases that can be checked by hand."""

from __future__ import annotations

import math

import pytest

from branchmark.errors import MeasureError
from branchmark.significance import Proportion, proportion_test, proportions


def test_by_hand() -> None:
    # 60 of 100 against 40 of 100: p = 1/2, Z = 0.2 / sqrt(1/4 * 2/100) = 2 sqrt(2)
    result = proportion_test((0.6, 100), (0.4, 100))
    assert result.statistic == pytest.approx(2 * math.sqrt(2))
    assert result.p == pytest.approx(0.00234, abs=5e-6)
    assert result.p_two_sided == pytest.approx(2 * result.p)
    assert (result.n, result.wins, result.ties, result.losses) == (200, None, None, None)
    assert result.effect == pytest.approx(0.2)
    assert result.symbol == ">>"


def test_different_test_sets() -> None:
    # 30 of 50 against 10 of 50 more: p = (30 + 45) / 200, Z = (0.6 - 0.3) / sqrt(0.375 * 0.625 * (1/50 + 1/150))
    result = proportion_test(Proportion(0.6, 50), Proportion(0.3, 150))
    assert result.statistic == pytest.approx(0.3 / math.sqrt(0.375 * 0.625 * (1 / 50 + 1 / 150)))


def test_the_number_of_trials_is_that_of_one_system_in_the_short_formula() -> None:
    # erratum Y3: with equal numbers Z = (p_a - p_b) / sqrt(2 p (1 - p) / n_a)
    p = (0.7 + 0.5) / 2
    assert proportion_test((0.7, 80), (0.5, 80)).statistic == pytest.approx(0.2 / math.sqrt(2 * p * (1 - p) / 80))


def test_t_up_to_40_trials_of_both() -> None:
    assert proportion_test((0.5, 20), (0.3, 20)).details["distribution"] == "t(39)"
    assert proportion_test((0.5, 20), (0.3, 21)).details["distribution"] == "normal"
    # two trials leave one freedom, and t with one is Cauchy's distribution
    result = proportion_test((1.0, 1), (0.0, 1))
    assert result.statistic == pytest.approx(math.sqrt(2))
    assert result.p == pytest.approx(0.5 - math.atan(math.sqrt(2)) / math.pi)


def test_lower_may_be_better() -> None:
    up, down = proportion_test((0.1, 500), (0.2, 500)), proportion_test((0.1, 500), (0.2, 500), better="lower")
    assert (up.symbol, down.symbol) == ("<<", ">>")
    assert (up.p, up.effect, up.details["h"]) == (down.p_other, -down.effect, -down.details["h"])


def test_equal_proportions() -> None:
    same = proportion_test((0.3, 100), (0.3, 200))
    assert (same.statistic, same.p, same.p_two_sided) == (0.0, 0.5, 1.0)
    for value in (0.0, 1.0):
        result = proportion_test((value, 10), (value, 20))
        assert (result.statistic, result.p, result.p_other, result.p_two_sided) == (0.0, 1.0, 1.0, 1.0)
        assert result.details["distribution"] == "none"


def test_trials_of_each_measure() -> None:
    shares = proportions(true_positives=30, false_positives=10, false_negatives=20, decisions=1000)
    assert shares == {
        "recall": (0.6, 50),
        "precision": (0.75, 40),
        "error": (0.03, 1000),
        "accuracy": (0.97, 1000),
    }
    assert set(proportions(true_positives=1, false_positives=0, false_negatives=0)) == {"recall", "precision"}
    error = [proportions(true_positives=5, false_positives=f, false_negatives=1, decisions=99) for f in (2, 9)]
    by_error = proportion_test(*(share["error"] for share in error), better="lower")
    by_accuracy = proportion_test(*(share["accuracy"] for share in error))
    assert by_error.statistic == pytest.approx(by_accuracy.statistic)


def test_a_system_that_assigns_nothing_has_no_precision() -> None:
    nothing = proportions(true_positives=0, false_positives=0, false_negatives=4)["precision"]
    assert nothing == (0.0, 0)
    with pytest.raises(MeasureError, match="second proportion has no trials"):
        proportion_test((0.5, 4), nothing)


def test_what_is_no_proportion_is_refused() -> None:
    for value in (1.2, -0.1, math.nan):
        with pytest.raises(MeasureError, match="between 0 and 1"):
            proportion_test((value, 10), (0.5, 10))
    with pytest.raises(MeasureError, match="no trials"):
        proportion_test((0.5, math.nan), (0.5, 10))
    with pytest.raises(MeasureError, match="negative"):
        proportions(true_positives=-1, false_positives=0, false_negatives=0)
    with pytest.raises(MeasureError, match="3 decisions cannot hold 6"):
        proportions(true_positives=1, false_positives=2, false_negatives=3, decisions=3)
