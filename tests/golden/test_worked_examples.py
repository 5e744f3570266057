"""Numbers that papers print or imply in their text."""

from __future__ import annotations

import pytest

import branchmark as bm

# Kiritchenko et al. 2006, Figure 1, as far as the text names it
KIRITCHENKO = bm.Hierarchy.from_edges(
    [
        ("root", "A"),
        ("root", "B"),
        ("root", "C"),
        ("A", "D"),
        ("B", "E"),
        ("C", "E"),
        ("C", "F"),
        ("E", "G"),
        ("E", "I"),
    ]
)

# Costa et al. 2007, Figure 1(a)
COSTA = bm.Hierarchy.from_edges(
    [("root", "1"), ("root", "2"), ("1", "1.1"), ("1", "1.2"), ("2", "2.1"), ("2", "2.2")]
)


def value(h: bm.Hierarchy, true: str, pred: str, measure: str) -> float:
    return bm.evaluate([[true]], [[pred]], measure, hierarchy=h)[measure].value


def test_kiritchenko_worked_example() -> None:
    # Section 4: an instance of G is classified into F
    h = KIRITCHENKO
    true = bm.LabelSets.from_lists([["G"]], h)
    assert sorted(true.add_ancestors()[0]) == ["B", "C", "E", "G"]
    assert sorted(bm.LabelSets.from_lists([["F"]], h).add_ancestors()[0]) == ["C", "F"]
    assert value(h, "G", "F", "hP") == 1 / 2
    assert value(h, "G", "F", "hR") == 1 / 4
    assert value(h, "G", "F", "hF1") == 1 / 3
    assert value(h, "G", "F", "hF1(preset=kiritchenko)") == 1 / 3


@pytest.mark.parametrize(
    ("requirement", "better", "worse", "hf_better", "hf_worse"),
    [
        ("1", ("G", "I"), ("G", "D"), 3 / 4, 0),
        ("2a", ("G", "E"), ("G", "C"), 6 / 7, 2 / 5),
        ("2b", ("G", "C"), ("G", "F"), 2 / 5, 1 / 3),
        ("3", ("G", "I"), ("A", "C"), 3 / 4, 0),
    ],
)
def test_kiritchenko_examples_of_the_requirements(
    requirement: str, better: tuple[str, str], worse: tuple[str, str], hf_better: float, hf_worse: float
) -> None:
    # Section 4, the examples of the list of requirements; pairs are (true, predicted)
    assert value(KIRITCHENKO, *better, "hF1") == hf_better, requirement
    assert value(KIRITCHENKO, *worse, "hF1") == hf_worse, requirement


@pytest.mark.parametrize(
    ("pred", "distance", "ancestor_p", "ancestor_r", "descendant_p", "descendant_r"),
    [("2.2", 2, 1 / 2, 1 / 2, 0, 0), ("1.1", 4, 0, 0, 0, 0)],
)
def test_costa_equations_18_to_21(
    pred: str, distance: int, ancestor_p: float, ancestor_r: float, descendant_p: float, descendant_r: float
) -> None:
    # "Evaluation measures": 2.1 is the true class; a flat measure treats 2.2 and 1.1 alike
    assert COSTA.distance("2.1", pred) == distance
    assert value(COSTA, "2.1", pred, "hP") == ancestor_p
    assert value(COSTA, "2.1", pred, "hR") == ancestor_r
    assert value(COSTA, "2.1", pred, "dP") == descendant_p
    assert value(COSTA, "2.1", pred, "dR") == descendant_r
    assert value(COSTA, "2.1", pred, "F1") == 0


def test_descendant_sets_credit_a_class_above_or_below() -> None:
    # Ipeirotis' sets on Costa's tree: 2 covers itself, 2.1 and 2.2
    assert value(COSTA, "2.1", "2", "dP") == 1 / 3
    assert value(COSTA, "2.1", "2", "dR") == 1
    assert value(COSTA, "2", "2.1", "dP") == 1
    assert value(COSTA, "2", "2.1", "dR") == 1 / 3


def test_costa_equations_1_to_6() -> None:
    # one category with TP 1, FN 1, FP 1 and, over 2 classes and 3 instances, TN 3
    h = bm.Hierarchy.from_edges([], nodes=["x", "y"])
    scores = bm.evaluate(
        [["x"], ["x"], []],
        [["x"], [], ["x"]],
        ["accuracy", "error", "R", "specificity", "P", "F1"],
        hierarchy=h,
    )
    assert scores["accuracy"].value == 4 / 6
    assert scores["error"].value == 2 / 6
    assert scores["R"].value == 1 / 2
    assert scores["specificity"].value == 3 / 4
    assert scores["P"].value == 1 / 2
    assert scores["F1"].value == 1 / 2
    assert scores["accuracy"].per_category == {"x": 1 / 3}
    assert scores["specificity"].per_category == {"x": 0.0}


def test_h_loss_forgives_what_follows_from_a_mistake_higher_up() -> None:
    # Cesa-Bianchi et al. 2006: only the first mistake on a path costs; the whole branch 1.1 counts once
    assert value(COSTA, "2.1", "1.1", "HL") == 2
    assert value(COSTA, "2.1", "1.1", "SDL") == 4
    assert value(COSTA, "2.1", "2.2", "HL") == 2
    assert value(COSTA, "2.1", "2", "HL") == 1
    assert bm.evaluate([["2.1"]], [[]], "HL", hierarchy=COSTA)["HL"].value == 1
    assert bm.evaluate([["2.1"]], [[]], "HL(root=included)", hierarchy=COSTA)["HL(root=included)"].value == 1
