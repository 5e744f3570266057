"""Weights of classes."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import branchmark as bm
from branchmark.errors import LabelError, MeasureError

H = bm.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "c")])
FOREST = bm.Hierarchy.from_edges([("a", "c")], nodes=["b"])


def value(measure: str, weights: object, true: str = "c", pred: str = "b", h: bm.Hierarchy = H) -> float:
    return bm.evaluate([true], [pred], measure, hierarchy=h, weights={"w": weights})[measure].value


def test_sets_become_sums_of_weights() -> None:
    weights = {"r": 8, "a": 1, "b": 2, "c": 4}
    assert value("SDL(weights=w)", weights) == 7
    assert value("hF1(weights=w)", weights) == 0
    assert value("hP(weights=w,root=included)", weights) == 8 / 10
    assert value("hR(weights=w,root=included)", weights) == 8 / 13
    assert value("hR(weights=w)", weights, "c", "a") == 1 / 5
    assert value("dR(weights=w)", weights, "a", "c") == 4 / 5


def test_a_virtual_root_weighs_nothing() -> None:
    weights = {"a": 1, "b": 2, "c": 4}
    assert value("hF1(weights=w,root=included)", weights, h=FOREST) == 0
    assert bm.NodeWeights("w", weights, FOREST).values.tolist() == [0.0, 1.0, 4.0, 2.0]


def test_forms_of_weights() -> None:
    by_name = bm.NodeWeights("w", {"r": 0, "a": 1, "b": 2, "c": 4}, H)
    by_id = bm.NodeWeights("w", np.array([0, 1, 4, 2]), H)
    assert [H.names[i] for i in range(4)] == ["r", "a", "c", "b"]
    assert by_name.values.tolist() == by_id.values.tolist()
    assert by_name.fingerprint == by_id.fingerprint
    for given in (by_name, [by_name], {"w": by_name}):
        scores = bm.evaluate(["c"], ["b"], "SDL(weights=w)", hierarchy=H, weights=given)
        assert scores["SDL(weights=w)"].value == 7
    assert bm.NodeWeights("w", {"a": 3}, H, default=1).values.tolist() == [1, 3, 1, 1]


def test_fingerprint_stands_in_the_signature() -> None:
    weights = bm.NodeWeights("ic", {"r": 0, "a": 1, "b": 2, "c": 4}, H)
    score = bm.evaluate(["c"], ["b"], "hF1(weights=ic)", hierarchy=H, weights=weights)["hF1(weights=ic)"]
    assert score.signature["weights"] == f"ic:{weights.fingerprint}"
    other = bm.NodeWeights("ic", {"r": 0, "a": 1, "b": 2, "c": 5}, H)
    swapped = bm.NodeWeights("ic", {"r": 0, "a": 2, "b": 1, "c": 4}, H)
    assert len({weights.fingerprint, other.fingerprint, swapped.fingerprint}) == 3


def test_weights_do_not_change() -> None:
    weights = bm.NodeWeights("w", {"r": 0, "a": 1, "b": 2, "c": 4}, H)
    with pytest.raises(ValueError, match="read-only"):
        weights.values[0] = 5


def test_order_of_classes_does_not_set_the_unit() -> None:
    # added up in some orders these reach 2, in others they stay just below, which would change the integers
    tenths = {"a": 0.3, "b": 0.6, "c": 0.2, "d": 0.2, "e": 0.7}
    seen = set()
    for names in permutations(tenths):
        weights = bm.NodeWeights("w", tenths, bm.Hierarchy.from_edges([], nodes=names))
        seen.add(weights.shift)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"r": 1, "a": 1, "b": 1}, "weights 'w': 1 classes have none: 'c'"),
        ({"a": 1}, "weights 'w': 3 classes have none: 'r', 'c', 'b'"),
        ({"r": 1, "a": 1, "b": 1, "c": 1, "d": 1}, "weights 'w': 1 unknown classes: 'd'"),
        ({"r": 1, "a": 1, "b": 1, "c": -1}, "weights 'w' must be finite numbers of at least 0"),
        ({"r": 1, "a": 1, "b": 1, "c": float("inf")}, "weights 'w' must be finite numbers"),
        ({"r": 1, "a": 1, "b": 1e308, "c": 1.7e308}, "weights 'w' must be finite numbers"),
        ({"r": 1, "a": 1, "b": 1, "c": float("nan")}, "weights 'w': 1 classes have none: 'c'"),
        ({"r": 1, "a": 1, "b": 1, "c": None}, "weights 'w': 1 classes have none: 'c'"),
        (
            {"r": 1, "a": 1, "b": 1, "c": "much"},
            "weights 'w': the weight of 'c' must be a number; got 'much'",
        ),
        ({"r": 1, "a": 1, "b": 1, "c": [1, 2]}, "weights 'w': the weight of 'c' must be a number"),
        (
            {"r": 1e20, "a": 1, "b": 1, "c": 1e-3},
            "weights 'w': 'a' weighs 1, too little beside a sum of 1e\\+20",
        ),
        ([1, 2, 3], r"weights 'w': expected one number per id \(4\), got shape \(3,\)"),
        (["x"] * 4, "weights 'w' must be numbers, by class name or by class id"),
        (5, r"weights 'w': expected one number per id \(4\), got shape \(\)"),
    ],
)
def test_bad_weights(values: object, message: str) -> None:
    with pytest.raises(LabelError, match=message):
        bm.NodeWeights("w", values, H)


@pytest.mark.parametrize("name", ["", "none", "a|b", "a=b", "a,b", "2", "a b", "-x", None, 5])
def test_bad_names(name: object) -> None:
    with pytest.raises(LabelError, match="weights need a name of letters"):
        bm.NodeWeights(name, dict.fromkeys("rabc", 1), H)


@pytest.mark.parametrize("name", ["ic", "IC-2", "information.content", "größe", "w_1"])
def test_names_that_a_measure_can_hold(name: str) -> None:
    weights = bm.NodeWeights(name, dict.fromkeys("rabc", 1), H)
    m = bm.measure("hF1", weights=name)
    assert bm.measure(str(m)) == m
    score = bm.evaluate(["a"], ["a"], m, hierarchy=H, weights=weights)[m]
    assert bm.Signature.parse(str(score.signature)) == score.signature


@pytest.mark.parametrize(
    "measure",
    ["hF1(weights=w,average=macro)", "hF1(weights=w,categories=leaves)", "dP(weights=w,average=macro)"],
)
def test_weights_go_with_sums_over_all_categories(measure: str) -> None:
    with pytest.raises(MeasureError, match="weights go with average=micro or samples"):
        value(measure, dict.fromkeys("rabc", 1))


def test_an_added_root_has_no_weight() -> None:
    with pytest.raises(MeasureError, match="an added root has no weight; use root=included or excluded"):
        value("hF1(weights=w,root=added)", dict.fromkeys("rabc", 1))


def test_tables_by_depth_sum_weights() -> None:
    # at depth 1: a (weight 1) is true and predicted, b (weight 9) predicted only
    weights = {"r": 0, "a": 1, "b": 9, "c": 4}
    scores = bm.evaluate([["a"]], [["a", "b"]], ["hP(weights=w)", "hP"], hierarchy=H, weights={"w": weights})
    row = scores.by("depth").to_records()[1]
    assert row["hP"] == 0.5
    assert row["hP(weights=w)"] == 0.1
