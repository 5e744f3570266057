"""branchmark evaluate, with exact output."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys

import pytest

BASE = ("evaluate", "-H", "h.txt", "--true", "true.txt")


def test_one_system_as_a_table(cli, music):
    done = cli(*BASE, "svm.txt", "-m", "F1", "-m", "hF1", "-m", "SDL")
    assert done.code == 0
    assert done.err == ""
    assert done.out.splitlines()[:6] == [
        "measure     svm",
        "───────  ──────",
        "F1 ↑     0.4444",
        "hF1 ↑    0.6250",
        "SDL ↓    1.5000",
        "4 instances, hier 8eed8ca9, true cfd76a2b",
    ]
    assert "sibling              1  every wrong prediction shares a parent with a true class" in done.out


def test_json_is_one_object_and_nothing_else(cli, music):
    done = cli(*BASE, "svm.txt", "b=nb.txt", "-m", "hF1", "--format", "json")
    report = json.loads(done.out)
    assert done.code == 0
    assert report["schema"] == "branchmark.evaluation/1"
    assert report["instances"] == 4
    assert report["hierarchy"]["classes"] == 5
    assert report["hierarchy"]["kind"] == "tree"
    assert [system["name"] for system in report["systems"]] == ["svm", "b"]
    (score,) = report["systems"][0]["scores"]
    assert score["measure"] == "hF1"
    assert score["value"] == 0.625
    assert score["better"] == "higher"
    assert score["signature"]["average"] == "micro"
    assert score["signature"]["root"] == "excluded"
    assert score["signature"]["n"] == 4
    assert report["systems"][1]["kinds"]["nothing"] == 1
    assert report["warnings"] == []


def test_csv_is_tidy_and_in_full_precision(cli, music):
    done = cli(*BASE, "svm.txt", "nb.txt", "-m", "F1", "-m", "hP", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["system"], row["measure"]) for row in rows] == [
        ("svm", "F1"), ("svm", "hP"), ("nb", "F1"), ("nb", "hP"),
    ]  # fmt: skip
    assert float(rows[0]["value"]) == 4 / 9
    assert rows[0]["signature"].startswith("F1|average=micro|")


def test_latex_and_markdown_mark_the_best(cli, music):
    latex = cli(*BASE, "svm.txt", "nb.txt", "-m", "F1", "-m", "SDL", "--format", "latex").out
    assert r"F1 $\uparrow$ & \textbf{0.4444} & 0.2500 \\" in latex
    assert r"\bottomrule" in latex
    markdown = cli(*BASE, "svm.txt", "nb.txt", "-m", "F1", "--format", "markdown").out
    assert "| F1 ↑ | **0.4444** | 0.2500 |" in markdown


def test_by_depth_and_by_category(cli, music):
    depth = cli(*BASE, "svm.txt", "-m", "hF1", "--by", "depth", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(depth.out)))
    assert [row["depth"] for row in rows] == ["0", "1", "2"]
    assert rows[2]["true"] == "4"
    category = cli(*BASE, "svm.txt", "-m", "F1", "--by", "category", "--format", "json")
    records = json.loads(category.out)["systems"][0]["by_category"]
    assert {record["category"]: record["F1"] for record in records} == pytest.approx(
        {"Pop": 0.5, "Rock": 0.5, "Theatre": 0.0}
    )


def test_per_instance_rows_in_csv_and_parquet(cli, music):
    assert cli(*BASE, "svm.txt", "-m", "hF1", "-m", "SDL", "--per-instance", "rows.csv").code == 0
    rows = list(csv.DictReader(io.StringIO((music / "rows.csv").read_text())))
    assert [float(row["hF1"]) for row in rows] == [0.5, 1.0, 0.0, 0.8]
    assert [row["instance"] for row in rows] == ["0", "1", "2", "3"]
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs branchmark[parquet]")
    assert cli(*BASE, "svm.txt", "nb.txt", "-m", "hF1", "--per-instance", "rows.parquet").code == 0
    table = parquet.read_table(music / "rows.parquet")
    assert table.column_names == ["instance", "svm:hF1", "nb:hF1"]
    assert table["svm:hF1"].to_pylist() == [0.5, 1.0, 0.0, 0.8]


def test_unknown_labels_are_counted_when_ignored(cli, music):
    (music / "odd.txt").write_text("Rock\nRok\nPop Jazz\nPop\n")
    done = cli(*BASE, "odd.txt", "-m", "F1", "--unknown", "ignore", "--format", "json")
    report = json.loads(done.out)
    assert report["warnings"] == ["predictions: 2 unknown labels were ignored"]
    assert report["systems"][0]["scores"][0]["signature"]["unknown"] == "ignore"
    table = cli(*BASE, "odd.txt", "-m", "F1", "--unknown", "ignore")
    assert "2 unknown labels were ignored" in table.err
    assert "ignored" not in table.out


def test_weights_come_from_a_file(cli, music):
    (music / "ic.tsv").write_text("Arts\t0\nMusic\t1\nPop\t2\nRock\t2\nTheatre\t3\n")
    done = cli(*BASE, "svm.txt", "-m", "hP(weights=ic)", "--weights", "ic=ic.tsv", "--format", "json")
    # predicted {Music, Rock} {Music, Rock} {Music, Pop} {Music, Pop}: 12; shared 1 + 3 + 0 + 3
    (score,) = json.loads(done.out)["systems"][0]["scores"]
    assert score["value"] == pytest.approx(7 / 12)
    assert score["signature"]["weights"].startswith("ic:")


def test_gzip_and_jobs_change_nothing(cli, music):
    plain = cli(*BASE, "svm.txt", "--format", "json", "--jobs", "1").out
    for name in ("h.txt", "true.txt", "svm.txt"):
        (music / f"{name}.gz").write_bytes(gzip.compress((music / name).read_bytes()))
    packed = cli(
        "evaluate", "-H", "h.txt.gz", "--true", "true.txt.gz", "svm.txt.gz", "--format", "json", "--jobs", "3"
    ).out
    assert packed == plain


def test_a_closed_pipe_is_no_error(music):
    command = f"{sys.executable} -m branchmark evaluate -H h.txt --true true.txt svm.txt --by category | head -1"
    done = subprocess.run(command, shell=True, cwd=music, capture_output=True, text=True)
    assert "Traceback" not in done.stderr


def test_help_names_every_option(cli):
    done = cli("evaluate", "--help")
    assert done.code == 0
    for option in ("--hierarchy", "--true", "--measure", "--format", "--per-instance", "--by", "--jobs", "--unknown",
                   "--hierarchy-format", "--break-cycles", "--weights"):  # fmt: skip
        assert option in done.out
