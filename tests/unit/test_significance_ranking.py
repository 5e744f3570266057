"""Ranks, partial orders and Kendall's tau on small cases."""

from __future__ import annotations

import math

import pytest

from branchmark.errors import MeasureError
from branchmark.significance import kendall_matrix, order_systems, partial_order, rank_systems, relation, sign_test

SCORES = {"B": 0.8, "A": 0.9, "C": 0.7, "D": 0.6}


def test_order_follows_the_direction() -> None:
    assert order_systems(SCORES) == ["A", "B", "C", "D"]
    assert order_systems(SCORES, "lower") == ["D", "C", "B", "A"]
    assert order_systems({"x": 1, "y": 1}, "lower") == ["x", "y"]
    with pytest.raises(MeasureError, match=r"'x' has no score \(NaN\)"):
        order_systems({"x": math.nan})


def test_a_tie_reaches_from_neighbour_to_neighbour() -> None:
    relations = {("A", "B"): "~", ("C", "B"): "~", ("C", "D"): ">", ("A", "C"): ">>"}
    assert rank_systems(SCORES, relations) == {"B": 1, "A": 1, "C": 1, "D": 4}
    assert rank_systems(SCORES, relations, style="dense") == {"B": 1, "A": 1, "C": 1, "D": 2}


def test_a_test_against_the_scores_is_still_a_difference() -> None:
    assert rank_systems({"A": 2, "B": 1}, {("A", "B"): "<"}) == {"A": 1, "B": 2}
    order = partial_order({"A": 2, "B": 1}, {("A", "B"): "<"})
    assert str(order) == "A < B"
    assert order.exceptions == (("A", "B", "<"),)


def test_one_system_and_none() -> None:
    assert rank_systems({"A": 1}, {}) == {"A": 1}
    assert str(partial_order({"A": 1}, {})) == "A"
    assert str(partial_order({}, {})) == ""


def test_results_stand_for_their_signs() -> None:
    better = sign_test([1.0] * 20, [0.0] * 20)
    relations = {("A", "B"): better}
    assert relation(relations, "A", "B") == ">>"
    assert relation(relations, "B", "A") == "<<"
    assert str(partial_order({"A": 1, "B": 0}, relations)) == "A >> B"


def test_a_group_is_of_systems_that_do_not_differ_at_all() -> None:
    signs = {("A", "B"): "~", ("A", "C"): ">", ("B", "C"): "~", ("A", "D"): ">>", ("B", "D"): ">>", ("C", "D"): ">"}
    order = partial_order(SCORES, signs)
    assert str(order) == "{A, B} > C > D"
    assert order.groups == (("A", "B"), ("C",), ("D",))
    assert order.exceptions == (("B", "C", "~"),)  # what the text does not show


def test_the_weakest_sign_stands_between_groups() -> None:
    signs = {("A", "B"): "~", ("A", "C"): ">>", ("B", "C"): ">", ("A", "D"): ">>", ("B", "D"): ">>", ("C", "D"): "~"}
    assert str(partial_order(SCORES, signs | {("A", "C"): ">>"})) == "{A, B} > {C, D}"
    assert str(partial_order(SCORES, signs | {("B", "C"): ">>"})) == "{A, B} >> {C, D}"


def test_what_is_missing_or_strange_is_named() -> None:
    with pytest.raises(MeasureError, match="'A' and 'B' were not compared"):
        rank_systems(SCORES, {})
    with pytest.raises(MeasureError, match="must be one of <<, <, ~, >, >>; got '='"):
        relation({("A", "B"): "="}, "A", "B")
    with pytest.raises(MeasureError, match="competition, dense; got 'mean'"):
        rank_systems(SCORES, {}, style="mean")


def test_tau_by_hand() -> None:
    scores = {"F": {"a": 3, "b": 2, "c": 1}, "E": {"c": 5, "a": 1, "b": 1}, "G": {"a": 1, "b": 2, "c": 3}}
    better = {"F": "higher", "E": "lower", "G": "higher"}
    tau = kendall_matrix(scores, better)
    assert tau["F", "G"] == -1.0
    assert tau["F", "E"] == tau["E", "F"] == pytest.approx(2 / math.sqrt(3 * 2))
    assert tau.lower_triangle()[0] == [1.0]
    assert [len(row) for row in tau.lower_triangle()] == [1, 2, 3]


def test_a_measure_that_orders_nothing_agrees_with_none() -> None:
    tau = kendall_matrix({"F": {"a": 1, "b": 2}, "E": {"a": 1, "b": 1}}, {"F": "higher", "E": "lower"})
    assert (tau["F", "E"], tau["E", "E"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({}, "no measure"),
        ({"F": {"a": 1.0}}, "at least two systems"),
        ({"F": {"a": 1.0, "b": 2.0}, "E": {"a": 1.0, "c": 2.0}}, "different systems"),
        ({"F": {"a": 1.0, "b": math.nan}}, r"no score \(NaN\) for 'b'"),
        ({"G": {"a": 1.0, "b": 2.0}}, "not given for G"),
    ],
)
def test_what_tau_cannot_be_computed_of(scores, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        kendall_matrix(scores, {"F": "higher", "E": "lower"})
