# ruff: noqa: E501 (tables of cases read best with one case a line)
"""Label sets from files and back."""

from __future__ import annotations

import builtins
import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchmark.errors import FormatError, LabelError, MissingExtra
from branchmark.hierarchy import Hierarchy
from branchmark.io import read_labels, write_labels
from branchmark.labelsets import LabelSets

H = Hierarchy.from_edges([("Arts", "Music"), ("Music", "Pop"), ("Music", "Rock"), ("Arts", "Fine Arts")])


def saved(folder, name, content):
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def scores_of(labels):
    """One {label: score} an instance."""
    return [
        dict(zip(row, labels.scores[start:stop].tolist(), strict=True))
        for row, start, stop in zip(labels, labels.rows.indptr, labels.rows.indptr[1:], strict=False)
    ]


# ---------------------------------------------------------------- the same labels in every format

LABELS = [["Pop", "Rock"], [], ["Music"]]

SAME = {
    "lines": ("l.txt", "Pop Rock\n\nMusic\n", {}),
    "lines without final newline": ("l.txt", "Pop Rock\n\nMusic", {}),
    "lines with CRLF, BOM, blanks": ("l.txt", "\ufeff Pop\tRock \r\n \r\nMusic\r\n", {}),
    "lines with a label twice": ("l.txt", "Rock Pop Rock\n\nMusic\n", {}),
    "gzip": ("l.txt", gzip.compress(b"Pop Rock\n\nMusic\n"), {}),
    "lines at commas": ("l.txt", "Pop,Rock\n\nMusic,\n", {"separator": ","}),
    "lines at tabs": ("l.lines", "Pop\tRock\n\nMusic\n", {"separator": "\t"}),
    "lines at blanks": ("l.lines", "Pop Rock\n\nMusic\n", {"separator": " "}),
    "one column": ("l.csv", 'labels\nPop|Rock\n""\nMusic\n', {}),
    "one column, blank line": ("l.csv", "labels\nPop|Rock\n\nMusic\n", {}),
    "csv, semicolon": ("l.csv", "title,labels\nx,Pop;Rock\nx,\nx,Music\n", {}),
    "csv, comma": ("l.csv", 'x,labels\n1,"Pop, Rock"\n2,\n3,Music\n', {}),
    "csv, blank": ("l.csv", "x,labels\n1,Pop Rock\n2,\n3,Music\n", {}),
    "csv, own separator": ("l.csv", "x,labels\n1,Pop+Rock\n2,\n3,Music\n", {"separator": "+"}),
    "csv, own column": ("l.csv", "x,ziel\n1,Pop|Rock\n2,\n3,Music\n", {"label_column": "ziel"}),
    "csv, numbered columns": ("l.csv", "label1,label2\nPop,Rock\n,\nMusic,\n", {"format": "csv"}),
    "csv, chosen columns": ("l.csv", "a,b,c\nPop,Rock,x\n,,x\nMusic,,x\n", {"label_column": ["a", "b"]}),
    "semicolons between columns": ("l.csv", "x;labels\n1;Pop|Rock\n2;\n3;Music\n", {}),
    "tsv": ("l.tsv", "x\tlabels\n1\tPop|Rock\n2\t\n3\tMusic\n", {}),
    "jsonl": ("l.jsonl", '{"labels": ["Pop", "Rock"]}\n\n{"labels": []}\r\n{"labels": "Music"}\n', {}),
    "jsonl, null": ("l.jsonl", '{"labels": ["Pop", "Rock", null]}\n{"labels": null}\n{"labels": ["Music"]}\n', {}),
    "jsonl, cells": ("l.jsonl", '{"labels": "Pop|Rock"}\n{"labels": ""}\n{"labels": "Music"}\n', {}),
    "jsonl, arrays": ("l.txt", '["Pop", "Rock"]\n[]\n["Music"]\n', {}),
    "jsonl, texts": ("l.jsonl", '"Pop|Rock"\nnull\n"Music"\n', {}),
    "jsonl, own key": ("l.jsonl", '{"y": ["Pop", "Rock"]}\n{"y": []}\n{"y": ["Music"]}\n', {"label_column": "y"}),
    "json": ("l.json", '[{"labels": ["Pop", "Rock"]},\n {"labels": []}, {"labels": ["Music"]}]', {}),
}  # fmt: skip


@pytest.mark.parametrize("case", SAME)
def test_the_same_labels_in_every_format(tmp_path, case):
    name, content, options = SAME[case]
    labels = read_labels(saved(tmp_path, name, content), H, **options)
    assert labels.to_lists() == [sorted(row, key=H.id) for row in LABELS]
    assert labels.ids is None
    assert labels.scores is None


WITH_IDS = {
    "csv": ("l.csv", "id,labels\nd1,Pop|Rock\nd2,\nd3,Music\n", {}),
    "csv, other names": ("l.csv", "Doc ID,x,Categories\nd1,0,Pop|Rock\nd2,0,\nd3,0,Music\n", {}),
    "csv, own id": ("l.csv", "labels,nr\nPop|Rock,d1\n,d2\nMusic,d3\n", {"id_column": "nr"}),
    "csv by content": ("l.txt", "id,labels\nd1,Pop|Rock\nd2,\nd3,Music\n", {}),
    "tsv by content": ("l.txt", "id\tlabels\nd1\tPop|Rock\nd2\t\nd3\tMusic\n", {}),
    "one label a row": ("l.csv", "id,label\nd1,Pop\nd2,\nd3,Music\nd1,Rock\n", {}),
    "pairs": ("l.txt", "d1 Pop\nd3 Music\nd1 Rock\n", {"format": "triples"}),
    "jsonl": ("l.jsonl", '{"id": "d1", "labels": ["Pop", "Rock"]}\n{"id": "d2", "labels": []}\n{"id": "d3", "labels": "Music"}', {}),
    "jsonl, one label a row": ("l.jsonl", '{"id": "d1", "label": "Pop"}\n{"id": "d3", "label": "Music"}\n{"id": "d1", "label": "Rock"}', {}),
}  # fmt: skip


@pytest.mark.parametrize("case", WITH_IDS)
def test_ids(tmp_path, case):
    name, content, options = WITH_IDS[case]
    labels = read_labels(saved(tmp_path, name, content), H, **options)
    found = dict(zip(labels.ids, labels.to_lists(), strict=True))
    expected = {"d1": ["Pop", "Rock"], "d2": [], "d3": ["Music"]}
    if "d2" not in content:
        del expected["d2"]  # where each line is a label, an instance without labels has no line
    assert found == expected


SCORED = {
    "lines": ("l.txt", "Pop:0.5 Rock:1e-3\n\nMusic:2\n", {"scores": True}),
    "lines, recognised": ("l.txt", "Pop:0.5 Rock:1e-3\n\nMusic:2\n", {}),
    "csv": ("l.csv", "x,labels\n1,Pop:0.5|Rock:0.001\n2,\n3,Music:2\n", {}),
    "csv, one label a row": ("l.csv", "id,label,score\n1,Pop,0.5\n2,,\n3,Music,2\n1,Rock,0.001\n", {}),
    "csv, own score": ("l.csv", "id,label,s\n1,Pop,.5\n2,,\n1,Rock,.001\n3,Music,2\n", {"score_column": "s"}),
    "triples": ("l.txt", "1 Pop 0.5\n1 Rock 0.001\n3 Music 2\n", {"format": "triples"}),
    "triples of CAFA": ("l.triples", "AUTHOR x\nMODEL 1\n1\tPop\t0.5\n1\tRock\t0.001\n3\tMusic\t2\nEND\n", {}),
    "jsonl": ("l.jsonl", '{"labels": {"Pop": 0.5, "Rock": 0.001}}\n{"labels": {}}\n{"labels": {"Music": 2}}\n', {}),
    "jsonl, lists": ("l.jsonl", '{"labels": ["Pop", "Rock"], "scores": [0.5, 0.001]}\n{"labels": [], "scores": []}\n{"labels": ["Music"], "scores": [2]}\n', {}),
    "jsonl, objects": ("l.jsonl", '[{"label": "Pop", "score": 0.5}, {"label": "Rock", "score": 0.001}]\n[]\n[{"label": "Music", "score": 2}]\n', {}),
    "jsonl, scores alone": ("l.jsonl", '{"Pop": 0.5, "Rock": 0.001}\n{}\n{"Music": 2}\n', {}),
    "jsonl, texts": ("l.jsonl", '["Pop:0.5", "Rock:0.001"]\n[]\n["Music:2"]\n', {}),
}  # fmt: skip


@pytest.mark.parametrize("case", SCORED)
def test_scores(tmp_path, case):
    name, content, options = SCORED[case]
    labels = read_labels(saved(tmp_path, name, content), H, **options)
    found = [row for row in scores_of(labels) if row]
    assert found == [{"Pop": 0.5, "Rock": 0.001}, {"Music": 2}]


def test_a_repeated_label_keeps_its_highest_score(tmp_path):
    path = saved(tmp_path, "l.txt", "Pop:0.5 Pop:0.7 Pop:0.6\n")
    assert scores_of(read_labels(path, H)) == [{"Pop": 0.7}]
    path = saved(tmp_path, "l.csv", "labels\nPop:0.5|Pop:0.7|Pop:0.6\n")
    assert scores_of(read_labels(path, H)) == [{"Pop": 0.7}]


def test_scores_are_not_guessed_where_they_may_be_names(tmp_path):
    h = Hierarchy.from_edges([("1", "1:2")])
    with pytest.raises(LabelError, match="unknown label '1:3'"):
        read_labels(saved(tmp_path, "l.txt", "1:3\n"), h)
    go = Hierarchy.from_edges([("GO:1", "GO:2")])
    assert scores_of(read_labels(saved(tmp_path, "l.txt", "GO:2:0.5\n"), go)) == [{"GO:2": 0.5}]
    assert read_labels(saved(tmp_path, "l.txt", "GO:2\n"), go).scores is None
    with pytest.raises(LabelError, match=r"unknown label 'GO:2:0\.5'"):
        read_labels(saved(tmp_path, "l.txt", "GO:2:0.5\n"), go, scores=False)


def test_names_with_blanks(tmp_path):
    assert read_labels(saved(tmp_path, "l.txt", "Fine Arts\tPop\n"), H, separator="\t").to_lists() == [
        ["Pop", "Fine Arts"]
    ]
    assert read_labels(saved(tmp_path, "l.csv", "labels\nFine Arts\nPop\n"), H).to_lists() == [["Fine Arts"], ["Pop"]]
    assert read_labels(saved(tmp_path, "l.csv", "labels\nFine Arts|Pop\n"), H).to_lists() == [["Pop", "Fine Arts"]]
    with pytest.raises(FormatError, match=r"l\.txt:2: 'Fine Arts' is one class"):
        read_labels(saved(tmp_path, "l.txt", "Pop\nFine Arts\n"), H)


def test_integer_labels_in_json(tmp_path):
    h = Hierarchy.from_edges([(1, 2), (1, 3)])
    assert read_labels(saved(tmp_path, "l.jsonl", "[2, 3]\n2\n"), h).to_lists() == [["2", "3"], ["2"]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("l.txt", "Pop Jazz\nFolk\n"),
        ("l.csv", "labels\nPop|Jazz\nFolk\n"),
        ("l.csv", "id,label\n1,Pop\n1,Jazz\n2,Folk\n"),
        ("l.jsonl", '["Pop", "Jazz"]\n["Folk"]\n'),
        ("l.txt", "Pop:1 Jazz:2\nFolk:3\n"),
    ],
)
def test_unknown_labels_can_be_ignored_and_are_counted(tmp_path, name, content):
    path = saved(tmp_path, name, content)
    labels = read_labels(path, H, unknown="ignore", scores=":1" in content)
    assert labels.to_lists() == [["Pop"], []]
    assert labels.ignored == 2
    with pytest.raises(LabelError, match="unknown label 'Jazz'"):
        read_labels(path, H, scores=":1" in content)


# ---------------------------------------------------------------- bad files

BAD = {
    "empty": ("l.txt", "", {}, FormatError, ("l.txt", "empty")),
    "empty table": ("l.csv", "\n", {}, FormatError, ("l.csv", "blank")),
    "not UTF-8": ("l.txt", b"Pop\n\xff\n", {}, FormatError, ("l.txt:2", "0xff")),
    "not UTF-8 in a table": ("l.csv", b"labels\nPop\n\xff\n", {}, FormatError, ("l.csv:3", "0xff")),
    "unknown": ("l.txt", "Pop\n\nRok Jaz\nFolk\n", {}, LabelError, ("l.txt:3", "'Rok'", "'Rock'", "2 more", "ignore")),
    "letters": ("l.txt", "Pop\nP o p\n", {}, LabelError, ("l.txt:2", "'P'")),
    "wrong case": ("l.txt", "pop\n", {}, LabelError, ("l.txt:1", "nearest: 'Pop'")),
    "unknown in a cell": ("l.csv", "id,labels\n1,Pop\n2,Pop|Rok\n", {}, LabelError, ("l.csv:3", "'Rok'", "'Rock'")),
    "unknown after a quoted line break": ("l.csv", 'text,labels\n"a\nb",Pop\nx,Rok\n', {}, LabelError, ("l.csv:4", "'Rok'")),
    "unknown in JSON": ("l.jsonl", '["Pop"]\n\n["Rok"]\n', {}, LabelError, ("l.jsonl:3", "'Rok'")),
    "unknown in one array": ("l.json", '[["Pop"], ["Rok"]]', {}, LabelError, ("l.json: instance 1", "'Rok'")),
    "unknown triple": ("l.triples", "1 Pop 1\n1 Rok 1\n", {}, LabelError, ("l.triples:2", "'Rok'")),
    "score missing": ("l.txt", "Pop:1\nPop\n", {"scores": True}, FormatError, ("l.txt:2", "'Pop' has no score")),
    "score no number": ("l.txt", "Pop:1\nPop:x\n", {"scores": True}, FormatError, ("l.txt:2", "'Pop'", "'x'")),
    "score not a number": ("l.txt", "Pop:1\nPop:nan\n", {"scores": True}, FormatError, ("l.txt:2", "finite", "'nan'")),
    "score infinite": ("l.txt", "Pop:1\nRock:1 Pop:inf\n", {"scores": True}, FormatError, ("l.txt:2", "finite", "'inf'")),
    "score without label": ("l.txt", "Pop:1\n:1\n", {"scores": True}, FormatError, ("l.txt:2", "no label")),
    "score missing in a cell": ("l.csv", "labels\nPop:1\nPop\n", {"scores": True}, LabelError, ("l.csv:3", "no score")),
    "score column no number": ("l.csv", "id,label,score\n1,Pop,1\n1,Rock,?\n", {}, FormatError, ("l.csv:3", "'Rock'", "'?'")),
    "score of a triple": ("l.triples", "1 Pop 1\n1 Rock x\n", {}, FormatError, ("l.triples:2", "'x'")),
    "score in JSON": ("l.jsonl", '{"labels": {"Pop": 1}}\n{"labels": {"Pop": "x"}}\n', {}, LabelError, ("l.jsonl:2", "'x'")),
    "infinite in JSON": ("l.jsonl", '{"labels": {"Pop": Infinity}}\n', {}, LabelError, ("l.jsonl:1", "finite")),
    "some scores": ("l.jsonl", '{"labels": {"Pop": 1}}\n{"labels": ["Pop"]}\n', {}, LabelError, ("l.jsonl:2", "some")),
    "scores too few": ("l.jsonl", '{"labels": ["Pop", "Rock"], "scores": [1]}\n', {}, LabelError, ("l.jsonl:1", "2 labels", "1 scores")),
    "no label column": ("l.csv", "id,x\n1,Pop\n", {}, FormatError, ("l.csv:1", "'id', 'x'", "label_column")),
    "no header": ("l.csv", "1,Pop\n2,Rock\n", {}, FormatError, ("l.csv:1", "'1', 'Pop'", "lines")),
    "two label columns": ("l.csv", "label,category\nPop,Rock\n", {}, FormatError, ("l.csv:1", "'label', 'category'", "choose")),
    "no such column": ("l.csv", "label\nPop\n", {"label_column": "y"}, FormatError, ("l.csv:1", "no column 'y'", "'label'")),
    "no such id column": ("l.csv", "label\nPop\n", {"id_column": "nr"}, FormatError, ("l.csv:1", "no column 'nr'")),
    "row too long": ("l.csv", "id,labels\n1,Pop\n2,Pop,Rock\n", {}, FormatError, ("l.csv:3", "3 fields")),
    "row too short": ("l.csv", "id,labels\n1\n", {}, FormatError, ("l.csv:2", "1 field")),
    "open quote": ("l.csv", 'id,labels\n1,"Pop\n', {}, FormatError, ("l.csv:", "quotes")),
    "id twice": ("l.csv", "id,labels\n1,Pop\n2,Pop\n1,Rock\n", {}, LabelError, ("l.csv:4", "1 ids", "'1'", "'label'")),
    "id empty": ("l.csv", "id,labels\n1,Pop\n,Pop\n", {}, LabelError, ("l.csv:3", "no id")),
    "id null": ("l.jsonl", '{"id": null, "labels": []}\n', {}, LabelError, ("l.jsonl:1", "no id")),
    "id twice in JSON": ("l.jsonl", '{"id": 1, "labels": []}\n{"id": 1, "labels": []}\n', {}, LabelError, ("l.jsonl:2", "'1'")),
    "not JSON": ("l.jsonl", '["Pop"]\n["Pop"\n', {}, FormatError, ("l.jsonl:2", "JSON")),
    "a key twice": ("l.jsonl", '{"labels": [], "labels": ["Pop"]}\n', {}, FormatError, ("l.jsonl:1", "'labels'", "twice")),
    "no label key": ("l.jsonl", '{"id": 1, "x": ["Pop"]}\n', {}, FormatError, ("l.jsonl:1", "no label key", "'x'")),
    "a key missing later": ("l.jsonl", '{"labels": []}\n{"label": []}\n', {}, FormatError, ("l.jsonl:2", "'labels'")),
    "a list among objects": ("l.jsonl", '{"labels": []}\n["Pop"]\n', {}, FormatError, ("l.jsonl:2", "'labels'")),
    "a list in a list": ("l.jsonl", '[["Pop"]]\n', {}, LabelError, ("l.jsonl:1", "['Pop']")),
    "true as a label": ("l.jsonl", '["Pop"]\n[true]\n', {}, LabelError, ("l.jsonl:2", "True")),
    "text and number": ("l.jsonl", '["Pop"]\n[3]\n', {}, LabelError, ("l.jsonl", "mix text and numbers")),
    "only blank JSON lines": ("l.jsonl", "\n\n", {}, FormatError, ("l.jsonl", "no instances")),
    "one field for a triple": ("l.triples", "1 Pop 1\n1\n", {}, FormatError, ("l.triples:2", "3 fields", "'1'")),
    "four fields for a triple": ("l.triples", "1 Pop 1 x\n", {}, FormatError, ("l.triples:1", "id label score")),
    "no triple": ("l.triples", "AUTHOR x\nEND\n", {}, FormatError, ("l.triples", "id label score")),
    "not Parquet": ("l.parquet", "labels\nPop\n", {}, FormatError, ("l.parquet", "not a Parquet file")),
    "damaged Parquet": ("l.parquet", b"PAR1" + b"x" * 40, {}, FormatError, ("l.parquet", "damaged")),
    "colon as separator": ("l.txt", "Pop\n", {"separator": ":"}, FormatError, ("l.txt", "separator", "':'")),
    "columns in lines": ("l.txt", "Pop\n", {"id_column": "id"}, FormatError, ("l.txt", "id_column", "csv", "lines")),
    "unknown format": ("l.txt", "Pop\n", {"format": "xml"}, FormatError, ("'xml'", "parquet, jsonl, tsv, csv, triples, lines")),
    "empty separator": ("l.csv", "labels\nPop\n", {"separator": ""}, FormatError, ("separator", "empty")),
    "unknown policy": ("l.txt", "Pop\n", {"unknown": "drop"}, LabelError, ("error, ignore", "'drop'")),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_files(tmp_path, monkeypatch, case):
    name, content, options, kind, parts = BAD[case]
    monkeypatch.chdir(tmp_path)
    saved(tmp_path, name, content)
    with pytest.raises(kind) as caught:
        read_labels(name, H, **options)
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_a_hierarchy_is_needed(tmp_path):
    with pytest.raises(LabelError, match="need a Hierarchy"):
        read_labels(saved(tmp_path, "l.txt", "Pop\n"), "h.txt")


# ---------------------------------------------------------------- Parquet

pyarrow = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def parquet(path, **columns):
    pq.write_table(pyarrow.table(columns), path)
    return path


def test_parquet_columns(tmp_path):
    path = tmp_path / "l.parquet"
    expected = [["Pop", "Rock"], [], ["Music"]]
    parquet(path, labels=[["Rock", "Pop"], [], ["Music"]])
    assert read_labels(path, H).to_lists() == expected
    parquet(path, labels=[["Rock", "Pop"], None, ["Music", None]], id=[7, 8, 9])
    assert read_labels(path, H).ids == ["7", "8", "9"]
    assert read_labels(path, H).to_lists() == expected
    parquet(path, y=["Pop|Rock", None, "Music"])
    assert read_labels(path, H, label_column="y").to_lists() == expected
    parquet(path, labels=[["Pop:0.5"], ["Rock:1"]])
    assert scores_of(read_labels(path, H)) == [{"Pop": 0.5}, {"Rock": 1}]
    scores = pyarrow.array([[("Pop", 0.5)], []], pyarrow.map_(pyarrow.string(), pyarrow.float64()))
    parquet(path, labels=scores)
    assert scores_of(read_labels(path, H)) == [{"Pop": 0.5}, {}]
    parquet(path, labels=[[{"label": "Pop", "score": 0.5}], []])
    assert scores_of(read_labels(path, H)) == [{"Pop": 0.5}, {}]
    parquet(path, id=["a", "b", "a"], label=["Pop", "Rock", "Rock"], score=[0.5, 1, 2])
    assert scores_of(read_labels(path, H)) == [{"Pop": 0.5, "Rock": 2}, {"Rock": 1}]


def test_parquet_without_a_telling_name(tmp_path):
    assert read_labels(parquet(tmp_path / "l", labels=["Pop"]), H).to_lists() == [["Pop"]]


def test_parquet_errors(tmp_path):
    path = parquet(tmp_path / "l.parquet", labels=[["Pop"], ["Rok"]])
    with pytest.raises(LabelError, match=r"l\.parquet: instance 1: unknown label 'Rok'"):
        read_labels(path, H)
    path = parquet(tmp_path / "l.parquet", x=[["Pop"]])
    with pytest.raises(FormatError, match=r"l\.parquet: no label column among 'x'"):
        read_labels(path, H)


def test_missing_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    path = parquet(tmp_path / "l.parquet", labels=["Pop"])
    real = builtins.__import__

    def without(name, *rest, **named):
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"pip install 'branchmark\[parquet\]'"):
        read_labels(path, H)


# ---------------------------------------------------------------- writing

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=5).filter(
    lambda name: name.strip() == name
)


@st.composite
def labelled(draw):
    known = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    h = Hierarchy.from_edges([], nodes=known)
    scored = draw(st.booleans())
    score = st.floats(allow_nan=False, allow_infinity=False)
    entry = st.dictionaries(st.sampled_from(known), score, max_size=4)
    rows = draw(st.lists(entry, min_size=1, max_size=5))
    ids = draw(st.none() | st.lists(names, min_size=len(rows), max_size=len(rows), unique=True))
    return LabelSets.from_lists([row if scored else list(row) for row in rows], h, ids=ids)


def can_hold(name, labels):
    used = {label for row in labels for label in row}
    if name == "l.txt":
        return labels.ids is None and not any(set(" \t\r\n\v\f") & set(label) for label in used)
    return not any("|" in label for label in labels.hierarchy) or (labels.rows.lengths() <= 1).all()


@given(labels=labelled(), name=st.sampled_from(["l.jsonl", "l.jsonl.gz", "l.parquet", "l.csv", "l.tsv", "l.txt"]))
def test_round_trips_keep_everything_or_are_refused(tmp_path_factory, labels, name):
    path = tmp_path_factory.mktemp("round") / name
    text = name in ("l.csv", "l.tsv", "l.txt")
    if text and not can_hold(name, labels):
        with pytest.raises(FormatError, match="jsonl"):
            write_labels(labels, path)
        assert not path.exists()
        return
    write_labels(labels, path)
    again = read_labels(
        path,
        labels.hierarchy,
        scores=labels.scores is not None if text else False,
        separator="|" if name in ("l.csv", "l.tsv") and (labels.rows.lengths() > 1).any() else None,
    )
    assert again.rows == labels.rows
    assert again.ids == labels.ids
    if labels.scores is None:
        assert again.scores is None
    else:
        np.testing.assert_array_equal(again.scores, labels.scores)


def test_what_the_files_look_like(tmp_path):
    labels = LabelSets.from_lists([{"Pop": 0.5, "Rock": 1 / 3}, {}], H, ids=["a", "b"])
    plain = LabelSets.from_lists([["Pop", "Rock"], []], H)
    write_labels(plain, tmp_path / "l.txt")
    assert (tmp_path / "l.txt").read_text() == "Pop Rock\n\n"
    write_labels(plain, tmp_path / "l.csv")
    assert (tmp_path / "l.csv").read_text() == 'labels\nPop|Rock\n""\n'
    write_labels(labels, tmp_path / "l.csv")
    assert (tmp_path / "l.csv").read_text() == "id,labels\na,Pop:0.5|Rock:0.3333333333333333\nb,\n"
    write_labels(labels, tmp_path / "l.txt", ids=False)
    assert (tmp_path / "l.txt").read_text() == "Pop:0.5 Rock:0.3333333333333333\n\n"
    write_labels(labels, tmp_path / "l.jsonl")
    first = json.loads((tmp_path / "l.jsonl").read_text().split("\n")[0])
    assert first == {"id": "a", "labels": {"Pop": 0.5, "Rock": 1 / 3}}
    write_labels(plain, tmp_path / "l.csv", separator=";")
    assert read_labels(tmp_path / "l.csv", H).rows == plain.rows


def test_what_a_format_cannot_hold(tmp_path):
    fine = LabelSets.from_lists([["Fine Arts"]], H)
    with pytest.raises(FormatError, match="'Fine Arts' because of its blank; write csv, tsv or jsonl"):
        write_labels(fine, tmp_path / "l.txt")
    with pytest.raises(FormatError, match="lines cannot hold instance ids"):
        write_labels(LabelSets.from_lists([["Pop"]], H, ids=["a"]), tmp_path / "l.txt")
    h = Hierarchy.from_edges([("a", "b|c"), ("a", "b"), ("a", "c")])
    with pytest.raises(FormatError, match=r"'b\|c' holds the separator '\|'; write jsonl"):
        write_labels(LabelSets.from_lists([["b", "c"]], h), tmp_path / "l.csv")
    single = LabelSets.from_lists([["b|c"], ["b"]], h)
    write_labels(single, tmp_path / "l.csv")
    assert read_labels(tmp_path / "l.csv", h).to_lists() == [["b|c"], ["b"]]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["l.csv"]


def test_a_slice_is_written_as_what_it_is(tmp_path):
    labels = LabelSets.from_lists([{"Pop": 1.0}, {"Rock": 2.0}, {"Music": 3.0}], H).slice(1, 3)
    for name in ("l.jsonl", "l.parquet", "l.csv", "l.txt"):
        write_labels(labels, tmp_path / name)
        assert scores_of(read_labels(tmp_path / name, H)) == [{"Rock": 2.0}, {"Music": 3.0}]
