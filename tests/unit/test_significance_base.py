"""Results, symbols, the registry and corrections for many comparisons."""

from __future__ import annotations

import doctest
import importlib
import json
import math
import subprocess
import sys
import tomllib
from importlib.resources import files

import numpy as np
import pytest

import branchmark as bm
from branchmark.errors import LabelError, MeasureError
from branchmark.significance import (
    PROPORTIONS,
    TESTS,
    TestResult,
    benjamini_hochberg,
    check_support,
    find_test,
    flip,
    holm,
    proportions,
    sign_test,
    symbol,
    t_test,
)


@pytest.mark.parametrize(
    ("p", "expected"),
    [(0.0, ">>"), (0.01, ">>"), (0.0100001, ">"), (0.05, ">"), (0.0500001, "~"), (0.5, "~"), (1.0, "~")],
)
def test_symbols_have_the_papers_thresholds(p: float, expected: str) -> None:
    assert symbol(p, 1.0) == expected
    assert symbol(1.0, p) == flip(expected)


def test_a_result_gives_its_symbol_and_valid_json() -> None:
    result = TestResult("T-test", math.inf, 0.0, 1.0, 0.0, 2, 2, 0, 0, 0.5)
    assert result.symbol == ">>"
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["statistic"] == "inf"
    assert isinstance(hash(result), int)


def test_every_test_names_its_unit_and_a_known_paper() -> None:
    assert {test.unit for test in TESTS.values()} == {"decisions", "category", "instance", "proportion"}
    known = tomllib.loads(files("branchmark").joinpath("bibliography.toml").read_text("utf-8"))
    assert {test.cite for test in TESTS.values()} <= set(known)


def test_capitals_matter_in_names() -> None:
    assert find_test("s-test").unit == "decisions"
    assert find_test("S-test").unit == "category"
    with pytest.raises(MeasureError, match=r"no test is named 'z-test'; there are s-test, S-test"):
        find_test("z-test")


def test_a_measure_without_the_unit_is_told_what_works() -> None:
    check_support("sign", bm.measure("GIE"))
    check_support("S-test", bm.measure("F1"))
    with pytest.raises(
        MeasureError, match=r"S-test compares values per category, which GIE does not have; use s-test, sign"
    ):
        check_support("S-test", bm.measure("GIE"))
    check_support("s-test", bm.measure("GIE"))
    for name in ("P", "R", "error", "accuracy"):
        check_support("p-test", bm.measure(name, average="micro"))
    for name in ("F1", "hP", "P(average=macro)"):
        with pytest.raises(
            MeasureError, match=r"p-test compares shares of trials \(micro averages of P, R, error, accuracy\), which"
        ):
            check_support("p-test", bm.measure(name))


def test_shares_are_those_of_the_measures() -> None:
    h = bm.Hierarchy.from_edges([("top", x) for x in "abc"])
    scores = bm.evaluate(["a", ["a", "b"], "c"], ["a", "b", ["c", "b"]], list(PROPORTIONS), hierarchy=h)
    shares = proportions(true_positives=3, false_positives=1, false_negatives=1, decisions=3 * 4)
    for name, share in PROPORTIONS.items():
        assert scores[name].value == pytest.approx(shares[share].value)


def test_holm_by_hand() -> None:
    # sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, made increasing
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    assert holm([]).tolist() == []


def test_benjamini_hochberg_by_hand() -> None:
    # sorted times 4, 4/2, 4/3, 1: 0.02, 0.02, 0.04, 0.04
    np.testing.assert_allclose(benjamini_hochberg([0.01, 0.04, 0.03, 0.005]), [0.02, 0.04, 0.04, 0.02])
    # the classical 15 of Benjamini and Hochberg (1995): the four least stay below 0.05
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1,
    ]
    assert (benjamini_hochberg(p) <= 0.05).sum() == 4
    assert (holm(p) <= 0.05).sum() == 3


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_p_values_lie_between_0_and_1(correct) -> None:
    for bad in ([1.5], [-0.1], [math.nan]):
        with pytest.raises(MeasureError, match="between 0 and 1"):
            correct(bad)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([1, 2], [1], "2 values and the second 1"),
        ([math.nan], [1], "none of 1 pairs has both values"),
        ([], [], "none of 0 pairs"),
        (["a"], ["b"], "compares numbers"),
        ([[1.0]], [[2.0]], "2 dimensions"),
        ([math.inf, 1.0], [1.0, 1.0], "value 0 is infinite"),
        ({"a": 1.0}, [1.0], "by name"),
    ],
)
def test_values_that_cannot_be_paired(first, second, message: str) -> None:
    for test in (sign_test, t_test):
        with pytest.raises(LabelError, match=message):
            test(first, second)


def test_better_is_higher_or_lower() -> None:
    with pytest.raises(MeasureError, match="higher or lower; got 'best'"):
        sign_test([1.0], [2.0], better="best")


def test_importing_loads_no_scipy() -> None:
    code = "import branchmark.significance, sys; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("name", ["base", "sign", "location", "proportion", "bootstrap", "ranking"])
def test_examples_in_the_text_run(name: str) -> None:
    module = importlib.import_module(f"branchmark.significance.{name}")
    outcome = doctest.testmod(module)
    assert outcome.attempted
    assert not outcome.failed
