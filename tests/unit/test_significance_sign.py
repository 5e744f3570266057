"""The three sign tests on cases that can be checked by hand."""

from __future__ import annotations

import math

import pytest

import branchmark as bm
from branchmark.errors import LabelError
from branchmark.significance import macro_sign_test, micro_sign_test, sign_result, sign_test


def label_sets(rows, h, **rest):
    return bm.LabelSets.from_lists(rows, h, **rest)


@pytest.fixture
def h() -> bm.Hierarchy:
    return bm.Hierarchy.from_edges([("top", "a"), ("top", "b"), ("a", "c")])


def test_exact_up_to_12_by_hand() -> None:
    result = sign_result("sign", 9, 3, 5)  # (220 + 66 + 12 + 1) / 4096
    assert result.p == 299 / 4096
    assert result.p_other == 1 - (66 + 12 + 1) / 4096
    assert result.p_two_sided == 598 / 4096
    assert (result.n, result.ties, result.statistic, result.effect) == (12, 5, 9.0, 0.5)
    assert result.details["distribution"] == "binomial"


def test_normal_from_13_without_continuity_correction() -> None:
    result = sign_result("sign", 10, 3, 0)
    z = (10 - 6.5) / (0.5 * math.sqrt(13))
    assert result.statistic == z
    assert result.p == pytest.approx(0.0261, abs=5e-5)  # Z = 1.941 in a printed table
    assert result.details["distribution"] == "normal"
    assert result.symbol == ">"
    # the exact tail would be 378/8192 = 0.046 and a continuity correction 0.048


def test_no_pair_that_differs_is_no_evidence() -> None:
    for result in (sign_test([1, 2], [1, 2]), macro_sign_test([0.5], [0.5])):
        assert (result.p, result.p_other, result.p_two_sided) == (1.0, 1.0, 1.0)
        assert (result.n, result.statistic, result.effect, result.symbol) == (0, 0.0, 0.0, "~")


def test_one_pair() -> None:
    result = macro_sign_test({"a": 0.9}, {"a": 0.1})
    assert (result.test, result.n, result.p, result.p_other, result.p_two_sided) == ("S-test", 1, 0.5, 1.0, 1.0)


def test_lower_may_be_better_and_missing_values_are_left_out() -> None:
    result = sign_test([1, 2, math.nan, 5, 1], [2, 3, 1, 5, math.nan], better="lower")
    assert (result.wins, result.losses, result.ties, result.details["left_out"]) == (2, 0, 1, 2)


def test_categories_are_paired_by_name() -> None:
    result = macro_sign_test({"a": 0.9, "b": 0.2, "c": 0.1}, {"b": 0.1, "a": 0.8, "d": 0.5})
    assert (result.wins, result.losses, result.details["left_out"]) == (2, 0, 2)


def test_decisions_by_hand(h: bm.Hierarchy) -> None:
    true = label_sets([["a", "b"], ["c"], []], h)
    first = label_sets([["a"], ["c", "b"], ["a"]], h)
    second = label_sets([["b", "c"], ["c"], ["a"]], h)
    # instance 0: a first, b second, c first (leaves it out); instance 1: b second; instance 2 alike
    result = micro_sign_test(true, first, second)
    assert (result.wins, result.losses) == (2, 2)
    assert result.ties == 3 * 4 - 4
    assert result.details["decisions"] == 12
    swapped = micro_sign_test(true, second, first)
    assert (swapped.p, swapped.p_other) == (result.p_other, result.p)


def test_identical_systems_and_no_instances(h: bm.Hierarchy) -> None:
    true = label_sets(["a", "b"], h)
    assert micro_sign_test(true, true, true).p == 1.0
    none = label_sets([], h)
    result = micro_sign_test(none, none, none)
    assert (result.n, result.ties, result.p_two_sided) == (0, 0, 1.0)


def test_systems_are_aligned_by_ids(h: bm.Hierarchy) -> None:
    true = label_sets(["a", "b"], h, ids=["x", "y"])
    first = label_sets(["b", "a"], h, ids=["y", "x"])
    second = label_sets(["b", "a"], h, ids=["x", "y"])
    assert micro_sign_test(true, first, second).wins == 4


def test_a_virtual_root_is_no_category() -> None:
    h = bm.Hierarchy.from_edges([], nodes=["a", "b"])
    true = label_sets(["a"], h)
    assert micro_sign_test(true, true, label_sets(["b"], h)).details["decisions"] == 2


def test_parts_of_larger_sets_share_memory(h: bm.Hierarchy) -> None:
    true, first, second = (label_sets(rows, h) for rows in (["a", "b", "c"], ["b", "b", "c"], ["a", "c", "a"]))
    whole = micro_sign_test(true, first, second)
    parts = [micro_sign_test(*(s.slice(*cut) for s in (true, first, second))) for cut in ((0, 1), (1, 3))]
    assert whole.wins == sum(part.wins for part in parts) == 4
    assert whole.losses == sum(part.losses for part in parts) == 2


def test_what_does_not_fit_is_refused(h: bm.Hierarchy) -> None:
    true = label_sets(["a", "b"], h)
    other = bm.Hierarchy.from_edges([("top", "a"), ("top", "b")])
    with pytest.raises(LabelError, match="second system's labels belong to another hierarchy"):
        micro_sign_test(true, true, label_sets(["a", "b"], other))
    with pytest.raises(LabelError, match="2 instances"):
        micro_sign_test(true, label_sets(["a"], h), true)


def test_rounding_is_no_win() -> None:
    result = sign_test([0.1 + 0.2, 0.5], [0.3, 0.4])
    assert (result.wins, result.ties, result.losses) == (1, 1, 0)


def test_values_of_an_evaluation(h: bm.Hierarchy) -> None:
    true = label_sets(["a", "b", "c", ["a", "b"]], h)
    first, second = label_sets(["a", "b", "c", "a"], h), label_sets(["b", "b", "a", "c"], h)
    one, two = (bm.evaluate(true, system, ["F1", "GIE"]) for system in (first, second))
    categories = macro_sign_test(one["F1"].per_category, two["F1"].per_category)
    assert (categories.wins, categories.losses, categories.ties) == (3, 0, 0)
    instances = sign_test(one["GIE"].per_instance, two["GIE"].per_instance, better=one["GIE"].better)
    assert (instances.wins, instances.losses, instances.ties) == (3, 0, 1)
