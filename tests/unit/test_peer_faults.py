"""Faults found in other tools for hierarchical measures; here each has the right value."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

import branchmark as bm
from branchmark.errors import LabelError


def values(true: object, pred: object, h: bm.Hierarchy, *measures: str) -> list[float]:
    return [s.value for s in bm.evaluate(true, pred, measures, hierarchy=h)]


def test_labels_are_not_compared_as_letters() -> None:
    # "cat" and "act" have the same letters
    h = bm.Hierarchy.from_edges([("animal", "cat"), ("deed", "act")])
    assert values(["cat"], ["act"], h, "F1", "hF1", "exact") == [0, 0, 0]
    assert values([["cat"]], [["act"]], h, "F1", "hF1", "exact") == [0, 0, 0]
    assert values(np.array(["cat"]), np.array(["act"]), h, "F1", "hF1") == [0, 0]


def test_a_missed_second_true_label_costs_recall() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    assert values([["a", "b"]], [["a"]], h, "P", "R", "hP", "hR") == [1, 0.5, 1, 0.5]
    assert values([["a", "b"]], [["a"]], h, "R(average=samples)", "hR(average=samples)") == [0.5, 0.5]
    assert values([["a", "b"]], [["a"]], h, "exact", "SDL", "HL") == [0, 1, 1]


def test_the_same_name_under_two_parents_gives_no_credit() -> None:
    h = bm.Hierarchy.from_paths(["Arts/Other", "Sports/Other"])
    assert values(["Arts/Other"], ["Sports/Other"], h, "F1", "hF1") == [0, 0]
    with pytest.raises(LabelError, match="unknown label 'Other'"):
        values(["Other"], ["Arts/Other"], h, "F1")


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, np.float32("nan"), pd.NA, pd.NaT, ""])
def test_a_missing_label_is_no_class_that_two_sides_share(missing: object) -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    for true, pred in (([["a", missing]], [["b", missing]]), (["a", missing], ["b", missing])):
        assert values(true, pred, h, "P", "R", "F1", "hF1") == [0, 0, 0, 0]
    # nothing predicted: no credit, and recall is lost
    assert values([["a"]], [[missing]], h, "P", "R", "hF1") == [0, 0, 0]
    assert values(["a", "b"], ["a", missing], h, "P", "R") == [1, 0.5]


def test_a_class_may_be_called_nan_or_none() -> None:
    h = bm.Hierarchy.from_edges([("r", "nan"), ("r", "None")])
    assert values(["nan", None], ["nan", "None"], h, "R", "P") == [1, 0.5]


def test_a_text_is_one_label_or_an_error_and_never_letters() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("r", "ab")])
    assert bm.LabelSets.from_lists(["ab"], h).to_lists() == [["ab"]]
    with pytest.raises(LabelError, match="expected one entry per instance"):
        values("ab", "ab", h, "F1")
    with pytest.raises(LabelError, match="unknown label 'ba'"):
        values(["ba"], ["ab"], h, "F1")


def test_an_empty_prediction_is_defined() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    for true, pred in (([["a"]], [[]]), ([[]], [["a"]]), ([[]], [[]])):
        assert np.isfinite(values(true, pred, h, "all")).all()
    assert values([["a"]], [[]], h, "P", "R", "F1", "hP", "hR", "hF1", "exact", "jaccard") == [0] * 8
    assert values([["a"]], [[]], h, "P(zero_division=1)", "hP(zero_division=1)") == [1, 1]
    assert values([[]], [[]], h, "F1", "hF1", "exact", "jaccard", "SDL", "HL") == [1, 1, 1, 1, 0, 0]


def test_the_order_of_links_never_changes_a_score() -> None:
    rng = random.Random(5)
    edges = [(str(p), str(i)) for i in range(1, 30) for p in {rng.randrange(i) for _ in range(2)}]
    true = [[str(rng.randrange(30)) for _ in range(2)] for _ in range(40)]
    pred = [[str(rng.randrange(30)) for _ in range(2)] for _ in range(40)]
    first = values(true, pred, bm.Hierarchy.from_edges(edges), "all")
    for _ in range(10):
        rng.shuffle(edges)
        assert values(true, pred, bm.Hierarchy.from_edges(edges), "all") == first


def test_labels_of_mixed_type_are_an_error() -> None:
    h = bm.Hierarchy.from_edges([(1, 2), (1, 3)])
    with pytest.raises(LabelError, match=r"labels mix text and numbers \('3' and 2\)"):
        values([2, "3"], [2, 3], h, "F1")
    with pytest.raises(LabelError, match="instance 1: labels mix text and numbers"):
        values([2, 3], [[2], ["3"]], h, "F1")


def test_average_macro_is_over_categories() -> None:
    # one tool's macro is an average over instances
    h = bm.Hierarchy.from_edges([], nodes=["a", "b"])
    assert values(["a", "a", "a", "b"], ["a", "a", "a", "a"], h, "R(average=macro)", "R(average=samples)") == [
        0.5,
        0.75,
    ]


@pytest.mark.parametrize("zero", [0, 0.0, 1, 1.0])
def test_zero_division_of_zero_is_not_unset(zero: float) -> None:
    h = bm.Hierarchy.from_edges([], nodes=["a"])
    m = bm.measure("P", zero_division=zero)
    assert bm.evaluate([["a"]], [[]], m, hierarchy=h)[m].value == zero
