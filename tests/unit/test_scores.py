"""What evaluate() returns."""

from __future__ import annotations

import json

import numpy as np
import pytest

import branchmark as bm
from branchmark import evaluation
from branchmark.evaluation import evaluation_json

H = bm.Hierarchy.from_edges([("Arts", "Music"), ("Music", "Pop"), ("Music", "Rock")])
TRUE, PRED = [["Pop"], ["Rock"]], [["Rock"], ["Rock"]]


def test_the_example_of_the_documentation() -> None:
    scores = bm.evaluate(TRUE, PRED, ["F1", "hF1"], hierarchy=H)
    assert scores["F1"].value == 0.5
    assert scores["hF1"].value == 0.75
    assert scores["hF1"].per_instance.tolist() == [0.5, 1.0]
    assert scores["hF1"].per_category == {"Music": 1.0, "Pop": 0.0, "Rock": pytest.approx(2 / 3)}
    assert [str(score.measure) for score in scores] == ["F1", "hF1"]
    assert len(scores) == 2
    assert float(scores["hF1"]) == 0.75
    assert scores.kinds["sibling"] == 1
    assert scores.kinds["exact"] == 1


def test_label_sets_need_no_hierarchy() -> None:
    true = bm.LabelSets.from_lists(TRUE, H)
    assert bm.evaluate(true, bm.LabelSets.from_lists(PRED, H), "hF1")["hF1"].value == 0.75
    assert bm.evaluate(true, PRED, "hF1")["hF1"].value == 0.75
    assert bm.evaluate(TRUE, bm.LabelSets.from_lists(PRED, H), "hF1")["hF1"].value == 0.75


def test_default_suite() -> None:
    scores = bm.evaluate(TRUE, PRED, hierarchy=H)
    assert [str(s.measure) for s in scores] == [str(bm.measure(m)) for m in evaluation.DEFAULT_MEASURES]


def test_one_measure_may_stand_alone() -> None:
    assert bm.evaluate(TRUE, PRED, "hF1", hierarchy=H)["hF1"].value == 0.75
    assert bm.evaluate(TRUE, PRED, bm.measure("hF1"), hierarchy=H)["HF"].value == 0.75


def test_texts() -> None:
    scores = bm.evaluate(TRUE, PRED, ["hF1", "SDL"], hierarchy=H, system="svm")
    first = scores["hF1"]
    assert repr(first) == "<Score hF1 = 0.75>"
    assert str(first) == f"hF1 = 0.7500   {first.signature}"
    assert repr(scores) == "<Scores of 2 instances: hF1=0.7500, SDL=1.0000>"
    lines = str(scores).splitlines()
    assert lines[0].split() == ["measure", "svm", "meaning"]
    assert lines[2].split()[:3] == ["hF1", "↑", "0.7500"]
    assert lines[3].split()[:3] == ["SDL", "↓", "1.0000"]
    assert lines[-1].startswith("2 instances, hier ")


def test_tally_holds_the_counts() -> None:
    score = bm.evaluate(TRUE, PRED, "hF1", hierarchy=H)["hF1"]
    assert score.tally.entries == {"common": 3, "pred": 4, "true": 4}


def test_per_instance_table() -> None:
    table = bm.evaluate(TRUE, PRED, ["hF1", "SDL", "F1(average=macro)"], hierarchy=H).per_instance()
    assert table.to_csv() == ("instance,hF1,SDL,F1(average=macro)\n0,0.5,2.0,0.0\n1,1.0,0.0,1.0\n")


def test_table_by_category_counts_given_labels() -> None:
    rows = bm.evaluate(TRUE, PRED, ["F1", "F1(average=macro)", "hP"], hierarchy=H).by("category").to_records()
    assert [row["category"] for row in rows] == ["Music", "Pop", "Rock"]
    assert list(rows[0]) == ["category", "depth", "true", "pred", "F1", "hP"]
    assert (rows[2]["true"], rows[2]["pred"]) == (1, 2)


def test_warnings_tell_what_a_reader_should_know() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "a"), ("a", "b")])
    scores = bm.evaluate([["b"], []], ["b", "b"], ["F1(average=macro)"], hierarchy=h)
    assert scores.warnings == [
        "hierarchy: 1 repeated links count once",
        "F1(average=macro) averages over all classes, with 0 for the 2 inner ones that no true label names; "
        "categories=leaves leaves them out",
        "truth: 1 instances have no label",
    ]


def test_no_warning_without_a_reason() -> None:
    assert bm.evaluate(TRUE, PRED, ["F1", "hF1", "F1(average=macro,categories=leaves)"], hierarchy=H).warnings == []


def test_progress_counts_instances() -> None:
    seen: list[int] = []
    n = evaluation.CHUNK * 2 + 5
    bm.evaluate(["Pop"] * n, ["Rock"] * n, "hF1", hierarchy=H, progress=seen.append)
    assert seen == [evaluation.CHUNK, 2 * evaluation.CHUNK, n]


def test_details_may_be_asked_in_any_order() -> None:
    # values per instance of a second family need lists that the first one did not
    scores = bm.evaluate(TRUE, PRED, ["F1", "dF1", "hF1"], hierarchy=H)
    assert scores.kinds["sibling"] == 1
    assert scores["dF1"].per_instance.tolist() == [0.0, 1.0]
    assert scores["hF1"].per_instance.tolist() == [0.5, 1.0]
    assert scores["F1"].per_category == {"Pop": 0.0, "Rock": pytest.approx(2 / 3)}


def test_json_object() -> None:
    scores = bm.evaluate(TRUE, PRED, ["hF1", "SDL"], hierarchy=H)
    found = json.loads(json.dumps(evaluation_json({"svm": scores}, H, 2)))
    assert found["schema"] == "branchmark.evaluation/1"
    assert found["instances"] == 2
    assert found["hierarchy"]["classes"] == 4
    first, second = found["systems"][0]["scores"]
    assert (first["measure"], first["value"], first["better"]) == ("hF1", 0.75, "higher")
    assert (second["measure"], second["value"], second["better"]) == ("SDL", 1.0, "lower")
    assert first["signature"]["root"] == "excluded"
    assert found["systems"][0]["kinds"]["sibling"] == 1


@pytest.mark.parametrize(
    ("true", "pred", "kind"),
    [
        (["Pop"], ["Pop"], "exact"),
        ([], [], "exact"),
        (["Pop"], ["Music"], "under-specialised"),
        (["Pop", "Rock"], ["Pop"], "under-specialised"),
        (["Music"], ["Pop"], "over-specialised"),
        (["Pop"], ["Pop", "Rock"], "sibling"),
        (["Pop"], ["Rock"], "sibling"),
        (["Pop"], ["Film"], "far"),
        (["Music"], ["Film"], "sibling"),
        (["Ballad"], ["Rock"], "near"),
        (["Ballad"], ["Rock", "Film"], "far"),
        (["Pop"], [], "nothing"),
        ([], ["Pop"], "far"),
    ],
)
def test_kinds_of_error(true: list[str], pred: list[str], kind: str) -> None:
    h = bm.Hierarchy.from_edges([*H.edges(), ("Pop", "Ballad"), ("Arts", "Film")])
    kinds = bm.evaluate([true], [pred], "F1", hierarchy=h).kinds
    assert {name for name, count in kinds.items() if count} == {kind}


def test_instances_without_any_label_at_all() -> None:
    scores = bm.evaluate([[], []], [[], []], hierarchy=H)
    assert scores["hF1"].value == scores["exact"].value == 1
    assert scores["SDL"].value == 0
    assert scores["F1(average=macro)"].value == 0
    assert scores.kinds["exact"] == 2
    assert scores["hF1"].per_category == {}
    assert np.array_equal(scores["F1"].per_instance, [1, 1])


def test_blocks_with_lists_of_their_own_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    edges = [(str(p), str(i)) for i in range(1, 300) for p in set(rng.integers(0, i, 3).tolist())]
    h = bm.Hierarchy.from_edges(edges)
    true, pred = ([[str(x) for x in rng.integers(0, 300, 3)] for _ in range(500)] for _ in range(2))
    whole = bm.evaluate(true, pred, "all", hierarchy=h)
    monkeypatch.setattr(evaluation, "MOST_ENTRIES", 1000)
    sizes: list[int] = []
    blocks = bm.evaluate(true, pred, "all", hierarchy=h, progress=sizes.append, jobs=2)
    assert len(sizes) > 5
    assert sizes[-1] == 500
    assert [s.value for s in blocks] == [s.value for s in whole]
    assert blocks.kinds == whole.kinds
    assert blocks["hF1"].per_instance.tolist() == whole["hF1"].per_instance.tolist()
    assert blocks._details.context(set()).ancestors is None, "no list of all labels was made"
