"""branchmark compare, as a user types it."""

from __future__ import annotations

import csv
import io
import json

import pytest

BASE = ("compare", "-H", "h.txt", "--true", "gold.txt")
OPTIONS = (
    "--hierarchy", "--true", "--measure", "--test", "--alpha", "--correction", "--resamples", "--seed", "--intervals",
    "--no-intervals", "--format", "--weights", "--matrix", "--information-from", "--unknown", "--hierarchy-format",
    "--relation", "--break-cycles", "--labels-format", "--id-column", "--label-column", "--separator", "--jobs",
)  # fmt: skip


@pytest.fixture
def clear(music):
    """Two equal systems and a clearly worse one."""
    (music / "gold.txt").write_text("Pop\nRock\nTheatre\n" * 10)
    (music / "good.txt").write_text("Pop\nRock\nTheatre\n" * 10)
    (music / "bad.txt").write_text("Rock\nPop\nPop\n" * 10)
    return music


def refuse(constant: str):
    raise AssertionError(f"{constant} is no JSON")


def test_table(cli, clear):
    done = cli(*BASE, "good.txt", "twin=good.txt", "bad.txt", "-m", "hF1", "-m", "SDL", "--details")
    assert done.code == 0
    assert done.err == ""
    lines = done.out.splitlines()
    assert lines[:5] == [
        "   system     hF1 ↑     SDL ↓",
        "─  ──────  ────────  ────────",
        "a  good    1.0000 ᶜ  0.0000 ᶜ",
        "b  twin    1.0000 ᶜ  0.0000 ᶜ",
        "c  bad     0.3636    2.3333",
    ]
    assert lines[5] == (
        "Letters: significantly better than that system, one-sided p ≤ 0.05 (correction: holm); "
        "sign test on values per instance."
    )
    assert lines[6].startswith("30 instances, hier 8eed8ca9, true ")
    assert "{good, twin} >> bad" in done.out
    assert "95% from" in done.out
    assert "Kendall's tau" in done.out


def test_a_small_difference_has_no_letters(cli, music):
    done = cli("compare", "-H", "h.txt", "--true", "true.txt", "svm.txt", "nb.txt", "-m", "hF1", "--details")
    assert done.code == 0
    assert "a  svm     0.6250" in done.out.splitlines()
    assert "svm ~ nb" in done.out
    assert "{svm, nb}" in done.out


def test_one_system(cli, clear):
    done = cli(*BASE, "bad.txt", "-m", "hF1", "--format", "json")
    report = json.loads(done.out, parse_constant=refuse)
    assert done.code == 0
    assert report["comparisons"] == []
    assert report["systems"][0]["scores"][0]["rank"] == 1


def test_json(cli, clear):
    done = cli(*BASE, "good.txt", "worse=bad.txt", "-m", "hF1", "-m", "GIE", "--format", "json")
    assert done.code == 0
    assert done.err == ""
    report = json.loads(done.out, parse_constant=refuse)
    assert report["schema"] == "branchmark.comparison/1"
    assert report["instances"] == 30
    assert [system["name"] for system in report["systems"]] == ["good", "worse"]
    assert report["orders"] == {"hF1": "good >> worse", "GIE": "good >> worse"}
    assert [(c["measure"], c["test"], c["relation"], c["wins"]) for c in report["comparisons"]] == [
        ("hF1", "sign", ">>", 30), ("GIE", "sign", ">>", 30),
    ]  # fmt: skip
    assert report["agreement"]["tau"] == [[1.0, 1.0], [1.0, 1.0]]


def test_markdown_latex_and_csv(cli, clear):
    files = ("good.txt", "a_b=bad.txt", "-m", "hF1", "-m", "SDL")
    markdown = cli(*BASE, *files, "--format", "markdown").out
    assert "| a | good | **1.0000**<sup>b</sup> | **0.0000**<sup>b</sup> |" in markdown.splitlines()
    assert "| b | a\\_b | 0.3636 | 2.3333 |" in markdown.splitlines()
    latex = cli(*BASE, *files, "--format", "latex").out
    assert r"a & good & \textbf{1.0000}\textsuperscript{b} & \textbf{0.0000}\textsuperscript{b} \\" in latex
    assert r"b & a\_b & 0.3636 & 2.3333 \\" in latex
    assert latex.isascii()
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 1
    rows = list(csv.DictReader(io.StringIO(cli(*BASE, *files, "--format", "csv").out)))
    assert [row["system"] for row in rows] == ["good", "a_b"]
    assert float(rows[1]["hF1"]) == 4 / 11
    assert float(rows[1]["SDL"]) == 7 / 3


def test_several_tests(cli, clear):
    tests = ("sign", "bootstrap", "s-test", "T'-test")
    asked = [word for test in tests for word in ("--test", test)]
    done = cli(*BASE, "good.txt", "bad.txt", "-m", "F1", *asked, "--resamples", "99", "--format", "json")
    assert done.code == 0
    found = json.loads(done.out)["comparisons"]
    assert {c["test"]: c["measure"] for c in found} == {
        "sign": "F1", "bootstrap": "F1", "T'-test": "F1", "s-test": None,
    }  # fmt: skip
    assert next(c for c in found if c["test"] == "bootstrap")["details"]["resamples"] == 99


def test_no_intervals(cli, clear):
    table = cli(*BASE, "good.txt", "bad.txt", "-m", "hF1", "--no-intervals")
    assert table.code == 0
    assert "95%" not in table.out
    report = json.loads(cli(*BASE, "bad.txt", "-m", "hF1", "--no-intervals", "-f", "json").out)
    assert report["systems"][0]["scores"][0]["interval"] is None


def test_settings_are_passed_on(cli, clear):
    how = ("--alpha", "0.2", "--correction", "bh", "--resamples", "50", "--seed", "4")
    report = json.loads(cli(*BASE, "bad.txt", "-m", "hF1", *how, "--format", "json").out)
    assert report["settings"] == {"alpha": 0.2, "correction": "bh", "resamples": 50, "confidence": 0.95, "seed": 4}


def test_the_same_seed_prints_the_same(cli, clear):
    (clear / "half.txt").write_text("Pop\nPop\nTheatre\nRock\nRock\nPop\n" * 5)
    command = (*BASE, "half.txt", "bad.txt", "-m", "hF1", "--test", "bootstrap", "--format", "json")
    assert cli(*command, "--seed", "1").out == cli(*command, "--seed", "1").out
    one, two = (json.loads(cli(*command, "--seed", seed).out)["systems"][0]["scores"][0] for seed in "12")
    assert one["value"] == two["value"]
    assert one["interval"] != two["interval"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-m", "hF1", "--test", "z-test"), ["'z-test'", "s-test, S-test, T-test, T'-test, p-test, sign, wilcoxon"]),
        (("-m", "GIE", "--test", "S-test"), ["S-test", "GIE", "use s-test, sign, wilcoxon, bootstrap, permutation"]),
        (("-m", "hF1", "--test", "p-test"), ["p-test", "P, R, error, accuracy"]),
        (("-m", "hF1", "--alpha", "0"), ["alpha", "between 0 and 1"]),
        (("-m", "hF1", "--alpha", "2"), ["alpha", "between 0 and 1"]),
        (("-m", "hF1", "--correction", "bonferroni"), ["--correction", "bonferroni", "holm"]),
        (("-m", "hF1", "--resamples", "0"), ["--resamples"]),
        (("-m", "nope"), ["nope"]),
        (("good.txt",), ["two files are called 'good'"]),
        (("missing.txt",), ["missing.txt", "does not exist"]),
    ],
)
def test_bad_usage(cli, clear, arguments, words):
    done = cli(*BASE, "good.txt", "bad.txt", *arguments)
    assert done.code == 2
    assert done.out == ""
    assert "Traceback" not in done.err
    assert [word for word in words if word not in done.err] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Pop\n", ["gold.txt has 30 instances", "other.txt has 1"]),
        ("Pop\nJazz\nPop\n" * 10, ["Jazz", "other.txt"]),
    ],
)
def test_bad_data(cli, clear, text, words):
    (clear / "other.txt").write_text(text)
    done = cli(*BASE, "good.txt", "other.txt", "-m", "hF1")
    assert done.code == 1
    assert done.out == ""
    assert done.err.startswith("Error: ")
    assert "Traceback" not in done.err
    assert [word for word in words if word not in done.err] == []


def test_ids_that_one_system_lacks(cli, clear):
    (clear / "gold.csv").write_text("id,label\nd1,Pop\nd2,Rock\n")
    (clear / "short.csv").write_text("id,label\nd1,Pop\n")
    done = cli("compare", "-H", "h.txt", "--true", "gold.csv", "x=gold.csv", "short.csv", "-m", "hF1")
    assert done.code == 1
    assert done.out == ""
    assert "d2" in done.err


def test_help_names_every_option(cli):
    done = cli("compare", "--help")
    assert done.code == 0
    assert [name for name in OPTIONS if name not in done.out] == []
    assert "NAME=FILE" in done.out
    assert "macro" in done.out  # which test is the default for them


def test_all_measures(cli, clear):
    done = cli(*BASE, "good.txt", "bad.txt", "-m", "all", "--resamples", "20", "--format", "json")
    assert done.code == 0
    report = json.loads(done.out, parse_constant=refuse)
    alone = cli("evaluate", "-H", "h.txt", "--true", "gold.txt", "good.txt", "-m", "all", "--format", "json")
    scores = json.loads(alone.out)["systems"][0]["scores"]
    assert [(s["measure"], s["value"]) for s in report["systems"][0]["scores"]] == [
        (s["measure"], s["value"]) for s in scores
    ]
