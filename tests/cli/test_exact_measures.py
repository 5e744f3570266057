"""branchmark evaluate with pair-based, LCA and contribution measures."""

from __future__ import annotations

import csv
import io
import json
import os

import numpy as np
import pytest

BASE = ("evaluate", "-H", "h.txt", "--true", "true.txt")
NAMES = ("Arts", "Music", "Pop", "Rock", "Theatre")

COSTS = """true\\pred,Rock,Pop,Theatre,Music,Arts
Pop,1,0,9,1,1
Rock,0,2.5,9,1,1
Theatre,8,7,0,1,1
Music,1,1,1,0,1
Arts,1,1,1,1,0
"""

SIMILAR = "\t".join(["", *NAMES]) + "\n" + "".join(
    "\t".join([x, *("1" if x == y else "0.8" if {x, y} == {"Pop", "Rock"} else "0.1" for y in NAMES)]) + "\n"
    for x in NAMES
)  # fmt: skip


def scores(done) -> dict[str, dict]:
    assert done.code == 0, done.err
    return {score["measure"]: score for score in json.loads(done.out)["systems"][0]["scores"]}


def test_a_cost_matrix_has_true_rows_and_predicted_columns(cli, music):
    (music / "costs.csv").write_text(COSTS)
    found = scores(
        cli(
            *BASE,
            "svm.txt",
            "-m",
            "AllPairs(cost=c)",
            "-m",
            "GIE(cost=c)",
            "--matrix",
            "c=costs.csv",
            "--format",
            "json",
        )
    )
    # Pop–Rock 1, Rock–Rock 0, Theatre–Pop 7, {Pop, Rock}–Pop 0 + 2.5 or, one to one, 0 + 5
    assert found["AllPairs(cost=c)"]["value"] == (1 + 0 + 7 + 2.5) / 4
    assert found["GIE(cost=c)"]["value"] == (1 + 0 + 7 + 5) / 4
    assert found["GIE(cost=c)"]["signature"]["cost"].startswith("c:")
    # the file's own name serves as well, and order of rows and columns makes no difference
    head, *rows = COSTS.splitlines()
    (music / "c.csv").write_text("\n".join([head, *reversed(rows)]) + "\n")
    again = scores(cli(*BASE, "svm.txt", "-m", "GIE(cost=c)", "--matrix", "c.csv", "--format", "json"))
    assert again["GIE(cost=c)"] == found["GIE(cost=c)"]


def test_a_similarity_matrix(cli, music):
    (music / "s.tsv").write_text(SIMILAR)
    measures = ("-m", "csF1(similarity=s)", "-m", "csAccuracy(similarity=s)", "-m", "dbF1(theta=2)")
    found = scores(cli(*BASE, "svm.txt", *measures, "--matrix", "s.tsv", "--format", "json"))
    assert set(found) == {"csF1(similarity=s)", "csAccuracy(similarity=s)", "dbF1(theta=2)"}
    assert 0 < found["csF1(similarity=s)"]["value"] <= 1
    table = cli(*BASE, "svm.txt", *measures, "--matrix", "s.tsv", "--by", "category")
    assert table.code == 0
    assert "csF1(similarity=s)" in table.out


def test_information_content_gives_weights_and_similarities(cli, music):
    (music / "train.txt").write_text("Pop\nPop\nRock\nTheatre\nPop Rock\n")
    measures = ("hF1(weights=ic)", "csF1(similarity=lin)", "csF1(similarity=resnik)", "GIE(cost=lin)")
    arguments = [x for m in measures for x in ("-m", m)]
    found = scores(cli(*BASE, "svm.txt", *arguments, "--information-from", "train.txt", "--format", "json"))
    assert set(found) == set(measures)
    import branchmark as bm
    from branchmark.semantics import information_content, semantic_similarity

    h = bm.read_hierarchy(music / "h.txt")
    ic = information_content(bm.read_labels(music / "train.txt", h))
    true, pred = (bm.read_labels(music / name, h) for name in ("true.txt", "svm.txt"))
    matrices = [semantic_similarity(ic, kind) for kind in ("lin", "resnik")]
    for score in bm.evaluate(true, pred, measures, weights=ic, matrices=matrices):
        assert found[str(score.measure)] == score.to_dict()


def test_explanations_follow_the_table(cli, music):
    done = cli(
        *BASE, "svm.txt", "-m", "GIE", "-m", "MGIA", "-m", "LCA-P", "-m", "LCA-F1", "-m", "hF1", "--explain", "3"
    )
    assert done.code == 0
    table, _, rest = done.out.partition("\nsvm, instance 3, ")
    assert "GIE ↓" in table
    assert rest.startswith("GIE:\n")
    assert "Rock – (default): 5" in rest
    assert "Pop – Pop: 0" in rest
    assert "total cost 5" in rest
    # the pairs of MGIA are others: Rock – Pop costs 2
    assert "Rock – Pop: 2" in rest
    # measures with the same explanation share it
    assert "LCA-P, LCA-F1:\nlowest common ancestors: " in rest
    assert "Rock → Music" in rest
    assert "hF1" not in rest


def test_explanations_by_id(cli, music):
    (music / "t.csv").write_text("id,labels\nx,Pop\ny,Rock\n")
    (music / "p.csv").write_text("id,labels\ny,Rock\nx,Rock\n")
    base = ("evaluate", "-H", "h.txt", "--true", "t.csv", "p.csv", "-m", "TIE")
    assert "Pop – Rock: 2" in cli(*base, "--explain", "x").out
    wrong = cli(*base, "--explain", "z")
    assert wrong.code == 1
    assert "there is no instance with the id 'z'" in wrong.err
    assert "Traceback" not in wrong.err


def test_an_instance_out_of_range_is_one_clear_line(cli, music):
    done = cli(*BASE, "svm.txt", "-m", "GIE", "--explain", "4")
    assert done.code == 1
    assert "there is no instance" in done.err
    assert "Traceback" not in done.err


MEASURES = ("GIE", "MGIA", "MGIA(norm=union)", "LCA-P", "LCA-R", "LCA-F1", "AllPairs", "GIE(cost=depth)")


def test_per_instance(cli, music):
    arguments = [x for m in MEASURES for x in ("-m", m)]
    assert cli(*BASE, "svm.txt", *arguments, "-m", "dbF1(theta=2)", "--per-instance", "rows.csv").code == 0
    rows = list(csv.DictReader(io.StringIO((music / "rows.csv").read_text())))
    # a measure without values per instance has no column
    assert list(rows[0]) == ["instance", *MEASURES]
    assert [float(row["GIE"]) for row in rows] == [2.0, 0.0, 3.0, 5.0]
    assert [float(row["MGIA"]) for row in rows] == pytest.approx([0.8, 1.0, 0.7, 0.6])
    assert [float(row["AllPairs"]) for row in rows] == [2.0, 0.0, 3.0, 2.0]
    assert [float(row["LCA-F1"]) for row in rows] == [0.5, 1.0, 2 / 5, 2 * 2 / (3 + 2)]
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs branchmark[parquet]")
    assert cli(*BASE, "svm.txt", "nb.txt", *arguments, "--per-instance", "rows.parquet").code == 0
    table = parquet.read_table(music / "rows.parquet")
    assert table.column_names == ["instance", *(f"{s}:{m}" for s in ("svm", "nb") for m in MEASURES)]
    assert table["svm:GIE"].to_pylist() == [2.0, 0.0, 3.0, 5.0]
    for m in MEASURES:
        assert table[f"svm:{m}"].to_pylist() == [float(row[m]) for row in rows]


def test_per_instance_without_such_values_is_one_clear_line(cli, music):
    done = cli(*BASE, "svm.txt", "-m", "dbF1(theta=2)", "--per-instance", "rows.csv")
    assert done.code == 2
    assert "none of these measures has values per instance" in done.err
    assert not (music / "rows.csv").exists()


def test_all_names_what_is_left_out_on_stderr(cli, music):
    done = cli(*BASE, "svm.txt", "-m", "all")
    assert done.code == 0
    (line,) = done.err.splitlines()
    assert line.startswith("Note: left out: BF, csAccuracy,")
    assert "TIE" in line
    for name in ("GIE ↓", "LCA-F1 ↑", "hF1 ↑", "HL ↓", "F1 ↑"):
        assert f"\n{name}" in done.out
    report = json.loads(cli(*BASE, "svm.txt", "-m", "all", "--format", "json").out)
    assert [f"Note: {text}" for text in report["warnings"]] == [line]
    # one note for all systems
    assert len(cli(*BASE, "svm.txt", "nb.txt", "-m", "all").err.splitlines()) == 1


MISSING = {
    "TIE": "use GIE or MGIA",
    "csF1": "--matrix",
    "dbF1": "theta",
    "BF": "trace",
    "Flow": "alpha_true",
}


@pytest.mark.parametrize("name", MISSING)
def test_a_measure_by_name_says_what_it_needs(cli, music, name):
    done = cli(*BASE, "svm.txt", "-m", name)
    assert done.code == 2
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith(f"Error: {name.removesuffix('1')}")
    assert MISSING[name] in line


# ---------------------------------------------------------------- an instance that is too large


@pytest.fixture
def woven(tmp_path):
    """Sides that meet only at the top, with thousands of shortest paths from every label up to there."""
    random = np.random.default_rng(1)
    width, layers, parents, labels = 12, 4, 3, 20
    links, sides = [], []
    for side in "tp":
        above = [f"top{i:02d}" for i in range(width)]
        for layer in range(layers):
            row = [f"{side}{layer}.{i:02d}" for i in range(width if layer < layers - 1 else labels)]
            links += [f"{above[i]} {node}" for node in row for i in random.choice(width, parents, replace=False)]
            above = row
        sides.append(" ".join(above))
    (tmp_path / "h.txt").write_text("\n".join(links) + "\n")
    (tmp_path / "true.txt").write_text(f"{sides[0]}\nt0.00\n")
    (tmp_path / "pred.txt").write_text(f"{sides[1]}\nt0.00\n")
    return tmp_path


def test_a_value_that_is_not_proven_says_so_everywhere(cli, woven):
    import branchmark as bm

    h = bm.read_hierarchy(woven / "h.txt")
    true, pred = (bm.read_labels(woven / name, h) for name in ("true.txt", "pred.txt"))
    found = bm.evaluate(true, pred, ["LCA-F1", "LCA-P(average=micro)", "LCA-F1(algorithm=greedy)", "hF1"])
    (note,) = found["LCA-F1"].notes
    assert note.startswith("1 instance")
    assert "not proven optimal" in note
    assert found["LCA-P(average=micro)"].notes == [note]
    # Algorithm 1 claims nothing, and the others have nothing to do with it
    assert found["LCA-F1(algorithm=greedy)"].notes == found["hF1"].notes == []
    assert [text for text in found.warnings if "proven" in text] == [
        f"LCA-F1: {note}",
        f"LCA-P(average=micro): {note}",
    ]
    assert found["LCA-F1"].value >= found["LCA-F1(algorithm=greedy)"].value
    assert not found["LCA-F1"].explain(0).proven
    assert found["LCA-F1"].explain(1).proven
    report = json.loads(cli(*BASE, "pred.txt", "-m", "LCA-F1", "-m", "hF1", "--format", "json").out)
    first, second = report["systems"][0]["scores"]
    assert first["notes"] == [note]
    assert "notes" not in second
    assert f"LCA-F1: {note}" in report["warnings"]
    table = cli(*BASE, "pred.txt", "-m", "LCA-F1", "--explain", "0")
    assert table.code == 0
    assert f"LCA-F1: {note}" in table.err
    assert table.out.rstrip().endswith("not proven optimal")


# ---------------------------------------------------------------- bad matrices


BAD_MATRICES = {
    "not square": ("x,Pop,Rock\nPop,0,1\n", ("m.csv", "rows and columns", "'Rock'")),
    "too few cells": ("x,Pop,Rock\nPop,0\nRock,1,0\n", ("m.csv:2", "expected 2 numbers, found 1")),
    "too many cells": ("x,Pop,Rock\nPop,0,1\nRock,1,0,2\n", ("m.csv:3", "expected 2 numbers, found 3")),
    "other rows than columns": ("x,Pop,Rock\nPop,0,1\nTheatre,1,0\n", ("m.csv", "rows and columns", "'Rock'")),
    "unknown class": ("x,Pop,Jazz\nPop,0,1\nJazz,1,0\n", ("m.csv:1", "unknown class 'Jazz'")),
    "not a number": ("x,Pop,Rock\nPop,0,one\nRock,1,0\n", ("m.csv:2", "'Pop'", "numbers")),
    "nan": ("x,Pop,Rock\nPop,0,nan\nRock,1,0\n", ("m.csv:2", "'Pop'", "finite")),
    "infinite": ("x,Pop,Rock\nPop,0,inf\nRock,1,0\n", ("m.csv:2", "'Pop'", "finite")),
    "an empty cell": ("x,Pop,Rock\nPop,0,\nRock,1,0\n", ("m.csv:2", "numbers")),
    "repeated row": ("x,Pop,Rock\nPop,0,1\nPop,0,1\nRock,1,0\n", ("m.csv:3", "'Pop' has a row already")),
    "repeated column": ("x,Pop,Rock,Pop\nPop,0,1,0\nRock,1,0,1\n", ("m.csv:1", "'Pop' has a column already")),
    "no name in a row": ("x,Pop,Rock\n,0,1\nRock,1,0\n", ("m.csv",)),
    "empty": ("", ("m.csv", "empty")),
    "blank lines": ("\n\n", ("m.csv",)),
    "only a header": ("x,Pop,Rock\n", ("m.csv", "rows and columns")),
    "no header": ("x\n", ("m.csv:1", "header")),
    "not UTF-8": (b"x,Pop\xff\nPop,0\n", ("m.csv", "UTF-8")),
    "an open quote": ('x,Pop,Rock\nPop,"0,1\nRock,1,0\n', ("m.csv",)),
}


@pytest.mark.parametrize("case", BAD_MATRICES)
def test_bad_matrices(cli, music, case):
    content, parts = BAD_MATRICES[case]
    (music / "m.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    before = sorted(os.listdir(music))
    done = cli(*BASE, "svm.txt", "-m", "GIE(cost=m)", "--matrix", "m=m.csv", "--per-instance", "rows.csv")
    assert done.code == 1, done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    (line,) = done.err.splitlines()
    assert line.startswith("Error: ")
    for part in parts:
        assert part in line
    assert sorted(os.listdir(music)) == before


def test_other_mistakes_with_matrices(cli, music):
    (music / "m.csv").write_text("x,Pop,Rock\nPop,0,1\nRock,1,0\n")
    for arguments, code, part in (
        (("-m", "GIE(cost=x)", "--matrix", "m=m.csv"), 2, "no cost matrix called 'x'; given are 'm'"),
        (("-m", "GIE(cost=m)", "--matrix", "m=m.csv"), 1, "matrix 'm' lacks 1 classes in use: 'Theatre'"),
        (("-m", "GIE", "--matrix", "m=no.csv"), 2, "'no.csv' does not exist"),
        (("-m", "GIE", "--matrix", "links=m.csv"), 1, "links or depth"),
        (("-m", "GIE", "--matrix", "m=m.csv", "--matrix", "m.csv"), 2, "two files are called 'm'"),
        (("-m", "GIE", "--information-from", "no.txt"), 2, "no.txt"),
    ):
        done = cli(*BASE, "svm.txt", *arguments)
        assert done.code == code, (arguments, done.err)
        assert part in " ".join(done.err.split())
        assert "Traceback" not in done.err
        assert done.out == ""


def test_measures_explains_the_new_ones(cli):
    assert "Kosmopoulos" in cli("measures", "GIE").out
    assert "lower is better\n" in cli("measures", "BF").out
    listed = {m["name"]: m for m in json.loads(cli("measures", "--format", "json").out)}
    assert {"TIE", "GIE", "MGIA", "Flow", "AllPairs", "LCA-F", "csF", "dbF", "BF"} <= set(listed)
    assert listed["GIE"]["range"] == "[0, ∞)"
    assert listed["LCA-F"]["units"] == ["instance"]
