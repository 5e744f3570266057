"""Which number is this? One tree, one system, and what each paper or tool calls hierarchical F."""

from __future__ import annotations

import pytest

import branchmark as bm

TREE = bm.Hierarchy.from_edges([(1, 2), (1, 3), (2, 4), (2, 5), (3, 6)])
TRUE, PRED = [4, 4, 6], [5, 4, 2]


def preset_value(measure: str, preset: str, true: object = TRUE, pred: object = PRED, h: bm.Hierarchy = TREE) -> float:
    m = bm.measure(measure, preset=preset)
    return bm.evaluate(true, pred, m, hierarchy=h)[m].value


@pytest.mark.parametrize(
    ("preset", "printed", "exact", "source"),
    [
        ("hiclass_macro", 0.5, 1 / 2, "hiclass 5.0.8, metrics.f1(average='macro')"),
        ("hiclass", 0.5455, 6 / 11, "hiclass 5.0.8, metrics.f1(average='micro')"),
        (
            "kiritchenko",
            0.5455,
            6 / 11,
            "Kiritchenko et al. 2006, Section 4; hiereval 0.2.1, hierarchical_prf",
        ),
        ("semeval2024", 0.5455, 6 / 11, "SemEval-2024 Task 4, hierarchical F1 of its scorer"),
        ("conll2024", 0.5455, 6 / 11, "CoNLL 2024, micro hF1 of its evaluation section"),
        ("icml2025", 0.6889, 31 / 45, "ICML 2025, hF1 per instance with the root"),
        ("kosmopoulos", 0.6889, 31 / 45, "Kosmopoulos et al. 2014, F_H averaged over instances"),
        ("cafa", 0.6933, 52 / 75, "cafaeval 1.3.0, column f"),
        ("cafa_micro", 0.7059, 12 / 17, "cafaeval 1.3.0, column f_micro"),
        ("hemkit", 0.7738, 65 / 84, "HEMKit, F_H of its output with the top node it adds"),
    ],
)
def test_table_of_presets(preset: str, printed: float, exact: float, source: str) -> None:
    value = preset_value("hF1", preset)
    assert round(value, 4) == printed, source
    assert value == pytest.approx(exact, rel=1e-15), source


def test_every_preset_stands_in_the_table() -> None:
    assert sorted(type(bm.measure("hF")).presets) == [
        "cafa",
        "cafa_micro",
        "conll2024",
        "hemkit",
        "hiclass",
        "hiclass_macro",
        "icml2025",
        "kiritchenko",
        "kosmopoulos",
        "semeval2024",
    ]


def test_signature_shows_what_a_preset_stands_for() -> None:
    score = bm.evaluate(TRUE, PRED, "hF1(preset=hemkit)", hierarchy=TREE)["hF1(preset=hemkit)"]
    assert str(score.signature).startswith("hF1|average=samples|categories=all|zero_division=0|beta=1|of=rows|")
    assert "|root=added|" in str(score.signature)
    assert "preset" not in str(score.signature)


# A tree of 14 classes with single labels on all levels, scored by the tools themselves.
PARENTS = {
    1: None,
    2: 1,
    3: 1,
    4: 3,
    5: 3,
    6: 2,
    7: 6,
    8: 5,
    9: 8,
    10: 6,
    11: 9,
    12: 7,
    13: 12,
    14: 13,
}
LARGER = bm.Hierarchy.from_parents(PARENTS)
LARGER_TRUE = [9, 7, 8, 10, 13, 11, 5, 6, 10, 13, 7, 10]
LARGER_PRED = [3, 13, 14, 5, 13, 14, 13, 9, 13, 12, 4, 10]


@pytest.mark.parametrize(
    ("preset", "precision", "recall", "f", "source"),
    [
        ("hiclass", 0.375, 0.43902439024390244, 0.40449438202247195, "hiclass 5.0.8, average='micro'"),
        (
            "hiclass_macro",
            0.4166666666666667,
            0.39305555555555555,
            0.3782407407407407,
            "hiclass 5.0.8, 'macro'",
        ),
        ("kiritchenko", 0.375, 0.43902439024390244, 0.40449438202247195, "hiereval 0.2.1, hierarchical_prf"),
        ("cafa", 0.5404761904761904, 0.5472222222222222, 0.5438282865134378, "cafaeval 1.3.0, pr, rc, f"),
        (
            "cafa_micro",
            0.5,
            0.5660377358490566,
            0.5309734513274337,
            "cafaeval 1.3.0, pr_micro, rc_micro, f_micro",
        ),
    ],
)
def test_single_labels_as_the_tools_print(preset: str, precision: float, recall: float, f: float, source: str) -> None:
    values = [preset_value(m, preset, LARGER_TRUE, LARGER_PRED, LARGER) for m in ("hP", "hR", "hF1")]
    assert values == pytest.approx([precision, recall, f], rel=1e-12), source


@pytest.mark.parametrize(
    ("preset", "precision", "recall", "f", "source"),
    [
        ("cafa", 0.8240362811791383, 0.6620535714285714, 0.7342169277100637, "cafaeval 1.3.0, pr, rc, f"),
        ("cafa_micro", 0.782608695652174, 0.6428571428571429, 0.7058823529411765, "cafaeval 1.3.0, *_micro"),
    ],
)
def test_several_labels_and_none_as_cafaeval_prints(
    preset: str, precision: float, recall: float, f: float, source: str
) -> None:
    # the third instance has no prediction: it counts for recall and not for precision
    true = [[8], [14], [12, 8], [3, 13], [4, 7, 8], [7, 5], [8, 14], [11, 5]]
    pred = [[5, 14, 2], [14], [], [10, 7], [11, 3, 7], [5], [7, 4, 5], [9, 11]]
    values = [preset_value(m, preset, true, pred, LARGER) for m in ("hP", "hR", "hF1")]
    assert values == pytest.approx([precision, recall, f], rel=1e-12), source


def test_cafa_of_a_system_that_is_wrong_everywhere_is_zero() -> None:
    # two top classes, so that not even the root is shared as a class
    h = bm.Hierarchy.from_edges([], nodes=["x", "y"])
    assert preset_value("hF1(root=excluded)", "cafa", ["x"], ["y"], h) == 0.0
