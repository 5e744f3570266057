"""Every mistake a user can make on the command line: one clear line, the right exit code, no partial output."""

from __future__ import annotations

import gzip
import os

import pytest

DATA, USAGE = 1, 2
HIERARCHY = "Arts Music\nMusic Pop\nMusic Rock\nArts Theatre\n"

# what is wrong: (files, arguments, exit code, parts of the message)
EVALUATE = ("evaluate", "-H", "h.txt", "--true", "t.txt", "p.txt", "-m", "hF1")
BAD_FILES: dict[str, tuple[dict[str, str | bytes], int, tuple[str, ...]]] = {
    "cycle": ({"h.txt": "a b\nb c\nc a\n"}, DATA, ("h.txt", "not acyclic", "→", "--break-cycles")),
    "own parent": ({"h.txt": "a b\nb b\n"}, DATA, ("h.txt:2", "'b' is its own parent")),
    "empty hierarchy": ({"h.txt": ""}, DATA, ("h.txt", "empty")),
    "only blank lines": ({"h.txt": "\n\n"}, DATA, ("h.txt", "empty")),
    "one field": ({"h.txt": "a b\nc\n"}, DATA, ("h.txt:2", "expected a parent and a child")),
    "three fields": ({"h.txt": "a b\nc d e\n"}, DATA, ("h.txt:2", "found 3")),
    "empty child": ({"h.txt": "a\tb\nb\t\n"}, DATA, ("h.txt:2", "the child has no name")),
    "empty parent": ({"h.txt": "a\tb\n\tc\n"}, DATA, ("h.txt:2", "the parent has no name")),
    "latin-1": ({"h.txt": "a b\nb caf\xe9\n".encode("latin-1")}, DATA, ("h.txt:2", "UTF-8")),
    "utf-16": ({"h.txt": "a b\n".encode("utf-16")}, DATA, ("h.txt", "UTF-16")),
    "truncated gzip": ({"h.txt": gzip.compress(HIERARCHY.encode() * 50)[:-20]}, DATA, ("h.txt", "gzip")),
    "zip archive": ({"h.txt": b"PK\x03\x04" + b"\0" * 40}, DATA, ("h.txt", "zip")),
    "unknown true label": (
        {"t.txt": "Pop\nRok\n"},
        DATA,
        ("t.txt:2", "unknown label 'Rok'", "'Rock'", "--unknown ignore"),
    ),
    "unknown predicted label": ({"p.txt": "Pop\nPop Jazz\n"}, DATA, ("p.txt:2", "unknown label 'Jazz'")),
    "wrong case": ({"p.txt": "pop\nPop\n"}, DATA, ("p.txt:1", "'pop'", "nearest: 'Pop'")),
    "fewer predictions": ({"p.txt": "Pop\n"}, DATA, ("t.txt", "2 instances", "p.txt", "1")),
    "more predictions": ({"p.txt": "Pop\nPop\nPop\n"}, DATA, ("2 instances", "3")),
    "empty predictions": ({"p.txt": ""}, DATA, ("p.txt", "empty")),
    "empty truth": ({"t.txt": ""}, DATA, ("t.txt", "empty")),
    "labels not UTF-8": ({"p.txt": b"Pop\n\xff\xfe\xfa\n"}, DATA, ("p.txt", "UTF-8")),
}


def write(folder, files):
    defaults = {"h.txt": HIERARCHY, "t.txt": "Pop\nRock\n", "p.txt": "Rock\nRock\n"}
    for name, content in (defaults | files).items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def check(done, code, parts, folder, before):
    assert done.code == code, done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    for part in parts:
        assert part in done.err
    assert sorted(os.listdir(folder)) == before, "a partial output file is left"


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files(cli, tmp_path, case):
    files, code, parts = BAD_FILES[case]
    write(tmp_path, files)
    before = sorted(os.listdir(tmp_path))
    check(cli(*EVALUATE, "--per-instance", "rows.csv"), code, parts, tmp_path, before)


BAD_TABLES = {
    "missing ids": ("id,labels\n1,Pop\n", ("2", "missing", "p.csv")),
    "extra ids": ("id,labels\n1,Pop\n2,Pop\n3,Pop\n4,Rock\n", ("'4'", "not in", "t.csv")),
    "duplicate ids": ("id,labels\n1,Pop\n2,Pop\n2,Rock\n3,Rock\n", ("more than once", "'2'")),
    "no ids on one side": ("labels\nPop\nPop\nRock\n", ("ids", "has none")),
    "no labels column": ("id,foo,bar\n1,Pop,x\n2,Pop,x\n3,Rock,x\n", ("p.csv", "column")),
    "too many cells": ("id,labels\n1,Pop,Rock\n2,Pop\n3,Rock\n", ("p.csv:2",)),
    "unknown label in a cell": ("id,labels\n1,Pop\n2,Jazz\n3,Rock\n", ("p.csv:3", "'Jazz'")),
    "an empty id": ("id,labels\n1,Pop\n,Pop\n3,Rock\n", ("p.csv:3", "id")),
}


@pytest.mark.parametrize("case", BAD_TABLES)
def test_bad_tables(cli, tmp_path, case):
    content, parts = BAD_TABLES[case]
    write(tmp_path, {"t.csv": "id,labels\n1,Pop\n2,Rock\n3,Pop|Rock\n", "p.csv": content})
    before = sorted(os.listdir(tmp_path))
    check(cli("evaluate", "-H", "h.txt", "--true", "t.csv", "p.csv"), DATA, parts, tmp_path, before)


BAD_USAGE = {
    "no hierarchy": (("evaluate", "--true", "t.txt", "p.txt"), USAGE, ("--hierarchy",)),
    "no predictions": (("evaluate", "-H", "h.txt", "--true", "t.txt"), USAGE, ("PRED",)),
    "hierarchy does not exist": (
        ("evaluate", "-H", "x.txt", "--true", "t.txt", "p.txt"),
        USAGE,
        ("x.txt", "not exist"),
    ),
    "predictions do not exist": (
        ("evaluate", "-H", "h.txt", "--true", "t.txt", "x.txt"),
        USAGE,
        ("x.txt", "not exist"),
    ),
    "a folder": (("evaluate", "-H", "h.txt", "--true", "t.txt", "."), USAGE, ("directory",)),
    "unknown measure": ((*EVALUATE, "-m", "hF1x"), USAGE, ("unknown measure 'hF1x'", "branchmark measures")),
    "unknown parameter": ((*EVALUATE, "-m", "hF1(rot=included)"), USAGE, ("no parameter 'rot'", "root")),
    "bad parameter value": (
        (*EVALUATE, "-m", "hF(average=weighted)"),
        USAGE,
        ("average must be one of micro, macro, samples",),
    ),
    "bad beta": ((*EVALUATE, "-m", "hF(beta=0)"), USAGE, ("beta must be a number above 0",)),
    "unknown preset": ((*EVALUATE, "-m", "hF1(preset=foo)"), USAGE, ("no preset 'foo'", "hemkit")),
    "unbalanced": ((*EVALUATE, "-m", "hF1(beta=2"), USAGE, ("cannot read the measure",)),
    "weights not given": ((*EVALUATE, "-m", "hF1(weights=ic)"), USAGE, ("no weights called 'ic'", "--weights")),
    "unknown format": ((*EVALUATE, "--format", "xml"), USAGE, ("xml",)),
    "unknown hierarchy format": ((*EVALUATE, "--hierarchy-format", "xml"), DATA, ("xml", "edges")),
    "unknown labels format": ((*EVALUATE, "--labels-format", "xml"), DATA, ("xml", "lines")),
    "no jobs": ((*EVALUATE, "--jobs", "0"), USAGE, ("jobs",)),
    "two systems of one name": ((*EVALUATE, "p.txt"), USAGE, ("two files are called 'p'", "NAME=FILE")),
    "per-instance suffix": ((*EVALUATE, "--per-instance", "rows.xlsx"), USAGE, (".csv", "rows.xlsx")),
    "per-instance folder": ((*EVALUATE, "--per-instance", "no/rows.csv"), USAGE, ("does not exist",)),
    "by category without any": (
        (*EVALUATE[:-2], "-m", "SDL", "--by", "category"),
        USAGE,
        ("values per category", "SDL"),
    ),
    "unknown command": (("evalute",), USAGE, ("evalute",)),
    "unknown class": (("inspect", "h.txt", "--class", "Popp"), DATA, ("unknown class 'Popp'", "'Pop'")),
    "convert to nowhere": (("convert", "h.txt", "no/h.csv"), DATA, ("no/h.csv", "folder")),
    "convert to an unknown suffix": (("convert", "h.txt", "h.docx"), DATA, ("h.docx",)),
}


@pytest.mark.parametrize("case", BAD_USAGE)
def test_bad_usage(cli, tmp_path, case):
    arguments, code, parts = BAD_USAGE[case]
    write(tmp_path, {})
    before = sorted(os.listdir(tmp_path))
    check(cli(*arguments), code, parts, tmp_path, before)


BAD_WEIGHTS = {
    "no number": ("Arts 1\nMusic x\n", "w.txt:2"),
    "negative": ("Arts 1\nMusic -1\n", "w.txt:2"),
    "unknown class": ("Arts 1\nJazz 1\n", "w.txt:2"),
    "twice": ("Arts 1\nArts 1\n", "w.txt:2"),
    "missing classes": ("Arts 1\nMusic 1\n", "3 classes have none"),
}


@pytest.mark.parametrize("case", BAD_WEIGHTS)
def test_bad_weights(cli, tmp_path, case):
    content, part = BAD_WEIGHTS[case]
    write(tmp_path, {"w.txt": content})
    before = sorted(os.listdir(tmp_path))
    done = cli(*EVALUATE, "-m", "hF1(weights=w)", "--weights", "w=w.txt")
    check(done, DATA, (part,), tmp_path, before)


def test_an_unwritable_folder_is_one_clear_line(cli, tmp_path):
    write(tmp_path, {})
    (tmp_path / "rows.csv").mkdir()
    done = cli(*EVALUATE, "--per-instance", "rows.csv")
    assert done.code == DATA
    assert "rows.csv" in done.err
    assert "Traceback" not in done.err
