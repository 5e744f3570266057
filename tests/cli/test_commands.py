"""The other commands."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from branchmark import __version__


def test_version(cli):
    assert cli("--version").out == f"branchmark {__version__}\n"


def test_no_command_shows_the_help(cli):
    done = cli()
    assert "evaluate" in done.out + done.err


def test_measures_lists_and_explains(cli):
    assert "symmetric difference loss" in cli("measures").out
    every = json.loads(cli("measures", "--format", "json").out)
    assert {"hF", "SDL", "jaccard"} <= {m["name"] for m in every}
    one = cli("measures", "hF1").out
    assert "hierarchical F-beta" in one
    assert "Kiritchenko" in one
    assert "hemkit" in one


def test_every_measure_has_a_citation_and_a_meaning(cli):
    for m in json.loads(cli("measures", "--format", "json").out):
        assert m["citation"]
        assert m["meaning"]
        assert m["title"]


def test_inspect_describes_hierarchy_labels_and_one_class(cli, music):
    facts = json.loads(cli("inspect", "h.txt", "--labels", "true.txt", "--format", "json").out)
    assert facts["hierarchy"]["classes"] == 5
    assert facts["hierarchy"]["root"] == "Arts"
    assert facts["labels"]["instances"] == 4
    assert facts["labels"]["category structure"] == "virtual category tree"
    one = cli("inspect", "h.txt", "--class", "Pop").out
    assert "Music, Arts" in one


def test_inspect_breaks_cycles_and_says_which(cli, tmp_path):
    (tmp_path / "c.txt").write_text("a b\nb c\nc a\nr a\n")
    broken = cli("inspect", "c.txt")
    assert broken.code == 1
    assert "not acyclic" in broken.err
    mended = cli("inspect", "c.txt", "--break-cycles")
    assert mended.code == 0
    assert "cut c → a" in mended.err


def test_convert_a_hierarchy_there_and_back(cli, music):
    for name in ("h.csv", "h.json", "h.tsv"):
        assert cli("convert", "h.txt", name).code == 0
        first = json.loads(cli("inspect", "h.txt", "--format", "json").out)["hierarchy"]
        assert json.loads(cli("inspect", name, "--format", "json").out)["hierarchy"] == first


def test_convert_labels(cli, music):
    assert cli("convert", "-H", "h.txt", "true.txt", "true.jsonl").code == 0
    done = cli("evaluate", "-H", "h.txt", "--true", "true.jsonl", "true.jsonl", "-m", "F1", "--format", "json")
    assert json.loads(done.out)["systems"][0]["scores"][0]["value"] == 1.0


def test_columns_and_relations_can_be_named(cli, tmp_path):
    (tmp_path / "h.obo").write_text(
        "[Term]\nid: a\n\n[Term]\nid: b\nis_a: a\n\n[Term]\nid: c\nrelationship: regulates b\n"
    )
    assert json.loads(cli("inspect", "h.obo", "--format", "json").out)["hierarchy"]["links"] == 1
    wider = ("--relation", "is_a", "--relation", "regulates")
    assert json.loads(cli("inspect", "h.obo", *wider, "--format", "json").out)["hierarchy"]["links"] == 2
    (tmp_path / "t.csv").write_text("doc,topics\n1,b+c\n2,c\n")
    columns = ("--id-column", "doc", "--label-column", "topics", "--separator", "+")
    done = cli("evaluate", "-H", "h.obo", *wider, "--true", "t.csv", "t.csv", *columns, "-m", "R", "--format", "json")
    assert json.loads(done.out)["systems"][0]["scores"][0]["value"] == 1.0
    assert cli("convert", "-H", "h.obo", *wider, *columns, "t.csv", "t.jsonl").code == 0
    assert json.loads((tmp_path / "t.jsonl").read_text().splitlines()[0]) == {"id": "1", "labels": ["b", "c"]}


def test_demo_prints_tables_and_writes_files(cli, tmp_path):
    assert "hF1 ↑" in cli("demo").out
    assert cli("demo", "--write", "here").code == 0
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [
        "bayes.csv", "gold.csv", "knn.csv", "llsf.csv", "nnet.csv", "svm.csv", "topics.edges",
    ]  # fmt: skip


def test_help_does_not_load_numerical_packages():
    code = (
        "import sys; sys.argv = ['branchmark', '--help']\n"
        "from branchmark.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('numpy', 'scipy', 'pandas', 'sklearn', 'pyarrow') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", ["evaluate", "inspect", "measures", "convert", "demo"])
def test_every_command_has_help(cli, command):
    done = cli(command, "--help")
    assert done.code == 0
    assert "Usage" in done.out
