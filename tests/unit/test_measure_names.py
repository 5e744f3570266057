"""From texts to measures and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import branchmark as bm
from branchmark import Measure, list_measures, measure
from branchmark.errors import MeasureError
from branchmark.measures.sets import HierarchicalF


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("hF1", "hF1"),
        ("hF", "hF1"),
        ("HF1", "hF1"),
        ("hf(beta=1)", "hF1"),
        ("hF(beta=2,root=included)", "hF2(root=included)"),
        ("  hF0.5 ( root = included , average = samples ) ", "hF0.5(average=samples,root=included)"),
        ("hF2.0", "hF2"),
        ("hF1()", "hF1"),
        ("F1(average=macro)", "F1(average=macro)"),
        ("F1(average='macro')", "F1(average=macro)"),
        ("p", "P"),
        ("precision", "P"),
        ("Recall(average=samples)", "R(average=samples)"),
        ("acc", "jaccard"),
        ("hamming", "error"),
        ("subset_accuracy", "exact"),
        ("F_H", "hF1(average=samples,root=included)"),
        ("P_H(root=excluded)", "hP(average=samples)"),
        ("R_H(average=micro)", "hR(root=included)"),
        ("P(zero_division=1)", "P(zero_division=1)"),
        ("P(zero_division=0)", "P"),
        ("P(zero_division=skip)", "P(zero_division=skip)"),
        ("sdl", "SDL"),
        ("hL", "HL"),
        ("hlf2", "hlF2"),
        ("F(beta=1e-05)", "F(beta=1e-05)"),
        ("hF1(preset=kiritchenko)", "hF1"),
        ("hF1(preset=hemkit)", "hF1(average=samples,root=added)"),
        ("hP(preset=cafa)", "hP(average=samples,zero_division=skip,root=included)"),
        ("hF2(preset=cafa)", "hF2(average=samples,zero_division=skip,of=means,root=included)"),
        ("hF1(preset=hemkit,root=included)", "hF1(average=samples,root=included)"),
    ],
)
def test_names_parse(text: str, canonical: str) -> None:
    m = measure(text)
    assert str(m) == canonical
    assert measure(canonical) == m


@given(st.sampled_from(["F", "hF", "dF", "hlF"]), st.floats(1e-100, 1e100))
def test_every_beta_reads_back(name: str, beta: float) -> None:
    m = measure(name, beta=beta)
    assert measure(str(m)) == m
    assert measure(f"{name}(beta={beta!r})") == m


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hF(beta=0)", "hF: beta must be a number above 0; got 0.0"),
        ("hF0", "hF: beta must be a number above 0; got 0.0"),
        ("hF(beta=-1)", "hF: beta must be a number above 0; got -1.0"),
        ("hF(beta=nan)", "hF: beta must be a number above 0; got nan"),
        ("hF(beta=inf)", "hF: beta must be a number above 0; got inf"),
        ("hF(beta=two)", "hF: beta must be a number above 0; got 'two'"),
        ("hF(beta=1e200)", "hF: beta must have a square that is a number"),
        ("hF(average=weighted)", "hF: average must be one of micro, macro, samples; got 'weighted'"),
        ("hF(root=yes)", "hF: root must be one of excluded, included, added; got 'yes'"),
        ("HL(root=added)", "HL: root must be one of excluded, included; got 'added'"),
        ("P(categories=some)", "P: categories must be one of all, leaves, seen; got 'some'"),
        ("P(zero_division=2)", "P: zero_division must be one of 0.0, 1.0, skip; got 2.0"),
        ("P(zero_division=nan)", "P: zero_division must be one of 0.0, 1.0, skip; got nan"),
        ("P(beta=2)", "P has no parameter 'beta'; it has average, categories, zero_division"),
        ("hP(betta=2)", "hP has no parameter 'betta'; it has .*root, max_path, preset"),
        ("P2", "unknown measure 'P2'"),
        ("hF1(beta=2)", "hF1: beta is given twice"),
        ("hF(root=included,root=added)", "hF: root is given twice"),
        ("hF(root)", "hF: cannot read 'root'; write key=value"),
        ("hF(root=)", "hF: cannot read 'root='; write key=value"),
        ("hF(", "cannot read the measure 'hF\\('"),
        ("hF)1", "cannot read the measure"),
        ("", "cannot read the measure ''"),
        ("h F1", "cannot read the measure 'h F1'"),
        ("hf11(x=1)", "hF has no parameter 'x'"),
        ("presicion", "unknown measure 'presicion'; perhaps 'precision'"),
        ("jacard", "unknown measure 'jacard'; perhaps 'jaccard'"),
        ("zzz", "unknown measure 'zzz'; perhaps .* `branchmark measures` lists all"),
        ("hF1(preset=sklearn)", "hF: no preset 'sklearn'; it has kiritchenko, kosmopoulos, hemkit"),
        ("F1(preset=hemkit)", "F: no preset 'hemkit'; it has none"),
        ("exact(average=macro)", "exact: average must be one of samples; got 'macro'"),
        ("hlF1(average=macro)", "hlF: average must be one of micro, samples; got 'macro'"),
        ("hlF1(categories=seen)", "hlF is defined per instance only; use average=samples"),
        ("P(average=samples,categories=seen)", "P: categories=seen goes with average=micro or macro"),
        ("F1(of=means)", "F: of=means goes with average=samples or macro"),
    ],
)
def test_errors_name_the_parameter_and_the_choices(text: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        measure(text)


def test_keywords_are_parameters() -> None:
    assert measure("hF", beta=2) == measure("hF2")
    assert measure("hF2", root="included") == measure("hF2(root=included)")
    assert measure("hF1", preset="hemkit") == measure("hF1(preset=hemkit)")
    m = measure("hF2")
    assert measure(m) is m or measure(m) == m
    assert measure(m, root="included") == measure("hF2(root=included)")
    assert measure(m, preset="hemkit") == measure("hF2(average=samples,root=added)")
    with pytest.raises(MeasureError, match="hF has no parameter 'bta'"):
        measure(m, bta=2)
    with pytest.raises(MeasureError, match="zero_division must be one of"):
        measure("P", zero_division=True)


def test_measures_are_values() -> None:
    assert measure("hF1") == HierarchicalF()
    assert len({measure("hF1"), measure("hF"), HierarchicalF(beta=1.0)}) == 1
    assert measure("hF1") != measure("dF1")
    with pytest.raises(AttributeError):
        measure("hF1").beta = 2


def test_the_list_is_sorted_and_complete() -> None:
    listed = list_measures()
    assert [cls.name for cls in listed if cls.family == "flat"] == [
        "accuracy",
        "error",
        "exact",
        "F",
        "jaccard",
        "P",
        "R",
        "specificity",
    ]
    assert [cls.name for cls in listed if cls.family == "sets"] == [
        "dF",
        "dP",
        "dR",
        "hF",
        "HL",
        "hlF",
        "hlP",
        "hlR",
        "hP",
        "hR",
        "SDL",
    ]
    assert all(issubclass(cls, Measure) for cls in listed)


def test_two_measures_cannot_share_a_name() -> None:
    with pytest.raises(MeasureError, match="a measure named 'HF' exists already"):
        type("Twin", (Measure,), {}, name="HF")


def test_the_same_measure_is_computed_once() -> None:
    h = bm.Hierarchy.from_edges([], nodes=["a"])
    assert len(bm.evaluate(["a"], ["a"], ["hF1", "HF", "hF(beta=1)"], hierarchy=h)) == 1
