"""The reading kernels against obvious Python."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchmark._kernels.names import BAD_SCORE, EMPTY, UNKNOWN, NameTable, parse_rows, sort_rows

BLANKS = " \t\r\v\f"
KNOWN = ["a", "b", "ä", "long name", "x" * 15, "x" * 16, "x" * 40, "a:b"]

texts = st.lists(
    st.sampled_from([*KNOWN, "a", "b", "c", " ", "\t", "\n", "\r\n", "\n", ",", ":", "0.5", ":1", ":-2e3", "nan"])
).map("".join)


def reference(text, table, insert, delimiter, scored):
    """parse_rows, slowly."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()  # a final newline ends a line, it does not start one
    rows, scores, bad = [], [], []
    for row, line in enumerate(lines):
        if delimiter is None:
            fields = [field for field in re.split(f"[{BLANKS}]+", line) if field]
        else:
            fields = [] if not line.strip(BLANKS.replace(delimiter, "")) else line.split(delimiter)
            fields = [field.strip(BLANKS) for field in fields]
        found = []
        for field in fields:
            name, score, code = field, 0.0, None
            if scored and field:
                name, colon, number = field.rpartition(":")
                valid = bool(colon) and re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", number, re.ASCII)
                score, code = (float(number), None) if valid else (0.0, BAD_SCORE)
            if code is None and not name:
                code = EMPTY
            if code is None:
                known = table.setdefault(name, len(table)) if insert else table.get(name, UNKNOWN)
                code = known
            if code < 0:
                bad.append((len(field.encode()), row))
            found.append(code)
            scores.append(score)
        rows.append(found)
    return rows, scores, bad


@given(text=texts, insert=st.booleans(), delimiter=st.sampled_from([None, "\t", ","]), scored=st.booleans())
def test_parse_rows(text, insert, delimiter, scored):
    table, names = NameTable(), {}
    if not insert:
        table.insert_all(KNOWN)
        names = {name: i for i, name in enumerate(KNOWN)}
    data = text.encode()
    indptr, ids, scores, bad = parse_rows(
        data, table, insert=insert, delimiter=ord(delimiter) if delimiter else 0, scored=scored
    )
    rows, expected_scores, expected_bad = reference(text, names, insert, delimiter, scored)
    assert [ids[i:j].tolist() for i, j in pairwise(indptr)] == rows
    assert [(length, row) for _, length, row in bad.tolist()] == expected_bad
    assert (None if scores is None else scores.tolist()) == (expected_scores if scored else None)
    if insert:
        assert table.names() == list(names)
    for (at, length, row), code in zip(bad.tolist(), ids[ids < 0].tolist(), strict=True):
        field = data[at : at + length].decode()
        assert data.count(b"\n", 0, at) == row or length == 0
        assert field != "" or code == EMPTY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n", [[]]),
        ("a", [["a"]]),
        ("a\n", [["a"]]),
        ("a\n\n", [["a"], []]),
        ("a b\r\n\r\nb \t a\r\n", [["a", "b"], [], ["b", "a"]]),
        ("  a  \n   \n b", [["a"], [], ["b"]]),
        ("ä ö\n日本", [["ä", "ö"], ["日本"]]),
    ],
)
def test_lines_as_a_reader_sees_them(text, expected):
    table = NameTable()
    indptr, ids, _, _ = parse_rows(text.encode(), table, insert=True)
    names = table.names()
    assert [[names[k] for k in ids[i:j]] for i, j in pairwise(indptr)] == expected


@pytest.mark.parametrize("number", ["", "x", "nan", "1.2.3", "1e", "0" * 64, "--1"])
def test_what_is_no_score(number):
    table = NameTable()
    table.insert("a")
    _, ids, _, bad = parse_rows(f"a:{number}".encode(), table, scored=True)
    assert ids.tolist() == [BAD_SCORE]
    assert bad.tolist() == [[0, 2 + len(number), 0]]


@given(names=st.lists(st.text(alphabet="ab\0ä", max_size=40)), aliases=st.lists(st.text(max_size=20)))
def test_name_table_is_a_dict(names, aliases):
    table = NameTable()
    expected: dict[str, int] = {}
    for name in names:
        assert table.insert(name) == expected.setdefault(name, len(expected))
    assert len(table) == len(expected)
    assert table.names() == list(expected)
    order = np.arange(len(expected), dtype=np.int32)[::-1] + 1
    table.renumber(np.ascontiguousarray(order))
    moved = {name: int(order[i]) for name, i in expected.items()}
    for alias in aliases if expected else []:
        table.insert(alias, alias_of=1)
        moved.setdefault(alias, 1)
    for name in (*names, *aliases):
        assert table.get(name) == moved.get(name, -1)
    assert table.get("not there") == -1
    asked = [*names, *aliases, "not there", "\ud800"]
    assert table.get_all(asked).tolist() == [moved.get(name, -1) for name in asked]


def test_name_table_grows():
    table = NameTable()
    names = [f"class number {i}" if i % 2 else str(i) for i in range(20_000)]
    assert table.insert_all(names).tolist() == list(range(20_000))
    assert all(table.get(name) == i for i, name in enumerate(names))
    assert table.names() == names


scored_rows = st.lists(st.lists(st.tuples(st.integers(-3, 60), st.floats(-5, 5)), max_size=80), max_size=6)


@given(rows=scored_rows, scored=st.booleans())
def test_sort_rows(rows, scored):
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    labels = np.array([label for row in rows for label, _ in row], dtype=np.int32)
    scores = np.array([score for row in rows for _, score in row], dtype=np.float64)
    new_indptr, new_labels, new_scores = sort_rows(indptr, labels, scores if scored else None)
    best = []
    for row in rows:
        highest: dict[int, float] = {}
        for label, score in row:
            if label >= 0:
                highest[label] = max(score, highest.get(label, -math.inf))
        best.append(sorted(highest.items()))
    assert new_indptr.tolist() == np.cumsum([0, *map(len, best)]).tolist()
    assert new_labels.tolist() == [label for row in best for label, _ in row]
    if scored:
        assert new_scores.tolist() == [score for row in best for _, score in row]
    else:
        assert new_scores is None


def test_sort_rows_of_a_slice():
    indptr = np.array([2, 4, 5], dtype=np.int64)
    new_indptr, labels, _ = sort_rows(indptr, np.array([9, 9, 3, 1, 7, 9], dtype=np.int32))
    assert new_indptr.tolist() == [0, 2, 3]
    assert labels.tolist() == [1, 3, 7]
