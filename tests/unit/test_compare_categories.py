"""Scores by training frequency, and intervals of averages over categories."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

import branchmark as bm
from branchmark.errors import MeasureError

H = bm.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("r", "c"), ("c", "d")])
TRUE = ["a", "a", "b", "d", "d", "d"]
PRED = ["a", "b", "b", "d", "d", "a"]


def test_by_frequency_averages_categories_in_bins_of_equal_width():
    report = bm.compare(TRUE, {"x": PRED, "perfect": TRUE}, "F1", hierarchy=H, intervals=False)
    training = bm.LabelSets.from_lists(["a"] * 9 + ["b"] * 2 + ["c"] * 5, H)
    table = report.by_frequency(training, bins=5)
    # F1 of x: a 1/2, b 2/3, d 4/5; training frequencies 9, 2 and 0; c is never true
    assert [row[:2] for row in table.rows] == [["0 to 1", 1], ["2 to 3", 1], ["8 to 9", 1]]
    assert [row[2] for row in table.rows] == pytest.approx([0.8, 2 / 3, 0.5])
    assert [row[3] for row in table.rows] == [1.0, 1.0, 1.0]
    (whole,) = report.by_frequency(training, bins=1).rows
    assert whole[:2] == ["0 to 9", 3]
    assert whole[2] == pytest.approx((0.8 + 2 / 3 + 0.5) / 3)


def test_by_frequency_refuses_what_it_cannot_do():
    report = bm.compare(TRUE, {"x": PRED}, "F1", hierarchy=H, intervals=False)
    training = bm.LabelSets.from_lists(["a"], H)
    with pytest.raises(MeasureError, match="GIE has no values per category"):
        report.by_frequency(training, "GIE")
    with pytest.raises(MeasureError, match="bins must be at least 1"):
        report.by_frequency(training, bins=0)
    other = bm.Hierarchy.from_edges([("r", "a")])
    with pytest.raises(MeasureError, match="another hierarchy"):
        report.by_frequency(bm.LabelSets.from_lists(["a"], other))


def test_macro_intervals_are_those_of_the_macro_average():
    rng = np.random.default_rng(0)
    names = np.array(["a", "b", "c", "d"])
    true = names[rng.integers(0, 4, 400)]
    pred = np.where(rng.random(400) < 0.7, true, names[rng.integers(0, 4, 400)])
    m = "F1(average=macro,categories=seen)"
    report = bm.compare(true.tolist(), {"x": pred.tolist()}, m, hierarchy=H, resamples=500, seed=3)
    made = report.intervals["x"][bm.measure(m)]
    drawn = []
    for _ in range(500):
        rows = rng.integers(0, 400, 400)
        drawn.append(f1_score(true[rows], pred[rows], average="macro"))
    assert made.value == pytest.approx(f1_score(true, pred, average="macro"))
    low, high = np.quantile(drawn, [0.025, 0.975])
    error = np.std(drawn)
    assert abs(made.low - low) < 0.5 * error
    assert abs(made.high - high) < 0.5 * error
    assert made.error == pytest.approx(error, rel=0.2)


def test_hierarchical_macro_averages_have_intervals_too():
    flat = ["accuracy", "specificity(average=macro)", "P(categories=leaves)", "jaccard(average=macro)"]
    sets = ["hF1(average=macro)", "hF1(average=macro,root=included)", "dF1(average=macro)", "hP(categories=seen)"]
    report = bm.compare(TRUE * 20, {"x": PRED * 20}, [*flat, *sets], hierarchy=H)
    for m, made in report.intervals["x"].items():
        assert made.value == pytest.approx(report["x", m].value), str(m)
        assert made.low < made.value < made.high, str(m)


def test_the_bootstrap_of_a_macro_average_compares_that_average():
    systems = {"x": PRED * 20, "perfect": TRUE * 20}
    report = bm.compare(TRUE * 20, systems, "F1(average=macro)", tests="bootstrap", hierarchy=H)
    (found,) = report.comparisons
    values = [report[name, "F1(average=macro)"].value for name in systems]
    assert found.result.effect == pytest.approx(values[0] - values[1])
    assert found.sign(0.05) == "<<"


def test_the_command_shows_scores_by_training_frequency(tmp_path, monkeypatch, capsys):
    from branchmark.cli import main

    monkeypatch.chdir(tmp_path)
    bm.write_hierarchy(H, "h.csv")
    for name, labels in (("t", TRUE), ("x", PRED), ("train", ["a"] * 3 + ["b"])):
        (tmp_path / f"{name}.txt").write_text("\n".join(labels) + "\n")
    command = "branchmark compare -H h.csv --true t.txt x.txt -m F1 --no-intervals --training train.txt"
    monkeypatch.setattr("sys.argv", command.split())
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 0
    assert "F1 by training frequency" in capsys.readouterr().out
