"""Making label sets from what users have, and aligning them."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import branchmark as bm
from branchmark.errors import LabelError
from branchmark.labelsets import LabelSets

H = bm.Hierarchy.from_edges([("Arts", "Music"), ("Music", "Pop"), ("Music", "Rock"), ("Arts", "Film")])
NUMBERS = bm.Hierarchy.from_edges([(1, 2), (1, 3), (2, 4), (2, 5)])
WANT = [["Pop"], ["Pop", "Rock"], []]


def lists(data: object, h: bm.Hierarchy = H, **options: object) -> list[list[str]]:
    return [sorted(row) for row in LabelSets.of(data, h, **options).to_lists()]


# ---------------------------------------------------------------- forms of data


@pytest.mark.parametrize(
    "data",
    [
        [["Pop"], ["Rock", "Pop"], []],
        (("Pop",), ("Pop", "Rock"), ()),
        [{"Pop"}, {"Rock", "Pop"}, set()],
        ["Pop", ["Pop", "Rock"], None],
        [["Pop"], ["Pop", "Rock", "Pop", "Pop"], [None]],
        [["Pop", None], ["Pop", float("nan"), "Rock"], [""]],
        [["Pop"], np.array(["Pop", "Rock"]), np.array([], dtype=str)],
        iter([["Pop"], ["Pop", "Rock"], []]),
        np.array([["Pop", ""], ["Pop", "Rock"], ["", ""]]),
        np.array([["Pop", None], ["Pop", "Rock"], [np.nan, pd.NA]], dtype=object),
        pd.Series([["Pop"], ["Pop", "Rock"], []]),
        pd.Series([["Pop"], ("Pop", "Rock"), None]),
        pd.Series([["Pop"], ["Pop", "Rock"], float("nan")], index=[7, 5, 6]),
        pl.Series([["Pop"], ["Pop", "Rock"], []]),
        pl.Series([["Pop"], ["Pop", "Rock"], None]),
        [pd.Series(["Pop"]), pl.Series(["Rock", "Pop"]), pd.Series([], dtype=str)],
    ],
    ids=[
        "lists",
        "tuples",
        "sets",
        "mixed",
        "duplicates",
        "missing labels",
        "arrays",
        "iterator",
        "padded array",
        "object array",
        "pandas lists",
        "pandas tuples",
        "pandas NaN",
        "polars lists",
        "polars null",
        "series",
    ],
)
def test_forms_of_several_labels(data: object) -> None:
    assert lists(data) == WANT


@pytest.mark.parametrize(
    "data",
    [
        ["Pop", "Rock", None],
        ["Pop", "Rock", ""],
        ["Pop", "Rock", float("nan")],
        ["Pop", "Rock", pd.NA],
        np.array(["Pop", "Rock", ""]),
        np.array(["Pop", "Rock", None], dtype=object),
        pd.Series(["Pop", "Rock", None]),
        pd.Series(["Pop", "Rock", None], dtype="category"),
        pd.Series(["Pop", "Rock", None], dtype="string"),
        pd.Index(["Pop", "Rock", None]),
        pl.Series(["Pop", "Rock", None]),
        pl.Series(["Pop", "Rock", None], dtype=pl.Categorical),
    ],
    ids=[
        "None",
        "empty text",
        "NaN",
        "NA",
        "array",
        "object array",
        "pandas",
        "pandas category",
        "pandas string",
        "pandas index",
        "polars",
        "polars category",
    ],
)
def test_forms_of_single_labels(data: object) -> None:
    assert lists(data) == [["Pop"], ["Rock"], []]


@pytest.mark.parametrize(
    "data",
    [
        [4, 5, None],
        [4.0, 5.0, float("nan")],
        np.array([4.0, 5.0, np.nan]),
        [np.int32(4), np.uint8(5), None],
        pd.Series([4, 5, None]),
        pd.Series([4, 5, None], dtype="Int64"),
        pl.Series([4, 5, None]),
        [[4], [5], []],
        ["4", "5", ""],
    ],
    ids=[
        "ints",
        "floats",
        "array",
        "numpy scalars",
        "pandas floats",
        "pandas Int64",
        "polars",
        "lists",
        "texts",
    ],
)
def test_forms_of_numbers(data: object) -> None:
    assert lists(data, NUMBERS) == [["4"], ["5"], []]


def test_integer_arrays_with_a_column_per_level() -> None:
    assert lists(np.array([[2, 4], [2, 5]]), NUMBERS) == [["2", "4"], ["2", "5"]]


def test_no_instances() -> None:
    assert lists([]) == []
    assert len(LabelSets.from_lists([], H)) == 0
    assert repr(LabelSets.from_lists([], H)) == "<LabelSets: 0 instances, 0.00 labels each>"


def test_scores_of_dicts() -> None:
    labels = LabelSets.from_lists([{"Rock": 0.25, "Pop": 1}, {}, {"Film": np.float32(0.5), None: 3.0}], H)
    assert labels.to_lists() == [["Pop", "Rock"], [], ["Film"]]
    assert labels.scores.tolist() == [1.0, 0.25, 0.5]
    assert "scored" in repr(labels)
    assert labels.to_indicator().toarray()[0, H.id("Rock")] == 0.25
    assert LabelSets.from_lists([{"Pop": 0.5}, None, []], H).scores.tolist() == [0.5]


def test_scores_follow_their_labels() -> None:
    labels = LabelSets.from_lists([{"Rock": 0.25, "Pop": 1}, {"Film": 0.5}], H, ids=["a", "b"])
    turned = labels.take(np.array([1, 0, 0]))
    assert turned.scores.tolist() == [0.5, 1.0, 0.25, 1.0, 0.25]
    assert turned.ids == ["b", "a", "a"]
    part = labels.slice(1, 2)
    assert part.to_lists() == [["Film"]]
    assert part.to_indicator().toarray()[0, H.id("Film")] == 0.5
    assert part.ids == ["b"]


@pytest.mark.parametrize(
    "make", [np.array, sparse.csr_array, sparse.coo_array, sparse.csc_matrix, sparse.lil_matrix, list]
)
@pytest.mark.parametrize("dtype", [bool, int, float, np.uint8])
def test_indicator_matrices(make: object, dtype: type) -> None:
    dense = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]], dtype=dtype)
    assert lists(LabelSets.from_indicator(make(dense), H, ["Pop", "Rock", "Film"])) == WANT


def test_indicator_of_pandas() -> None:
    table = pd.DataFrame({"Pop": [1, 1, 0], "Rock": [0, 1, 0]})
    assert lists(LabelSets.from_indicator(table, H, list(table.columns))) == WANT


def test_arguments_are_left_alone() -> None:
    # stored zeros, unsorted columns
    matrix = sparse.csr_array(([1, 0, 1], [1, 0, 0], [0, 2, 3]), shape=(2, 2))
    before = [part.copy() for part in (matrix.data, matrix.indices, matrix.indptr)]
    LabelSets.from_indicator(matrix, H, ["Pop", "Rock"])
    LabelSets.from_scores(matrix, H, ["Pop", "Rock"])
    assert all(np.array_equal(a, b) for a, b in zip(before, (matrix.data, matrix.indices, matrix.indptr), strict=True))
    data = [["Rock", "Pop", "Rock"], [None]]
    kept = copy.deepcopy(data)
    bm.evaluate(data, data, hierarchy=H)
    assert data == kept


def test_score_matrices() -> None:
    labels = LabelSets.from_scores(np.array([[0.5, 0], [0, -1.5]]), H, ["Rock", "Pop"])
    assert labels.to_lists() == [["Rock"], ["Pop"]]
    assert labels.scores.tolist() == [0.5, -1.5]


def test_columns_that_the_hierarchy_lacks() -> None:
    # an unknown column matters only where it holds something
    matrix = np.array([[1, 0, 0], [0, 0, 1]])
    assert lists(LabelSets.from_indicator(matrix[:1], H, ["Pop", "Rock", "Jazz"])) == [["Pop"]]
    with pytest.raises(LabelError, match="a column: unknown label 'Jazz'"):
        LabelSets.from_indicator(matrix, H, ["Pop", "Rock", "Jazz"])
    labels = LabelSets.from_indicator(matrix, H, ["Pop", "Rock", "Jazz"], unknown="ignore")
    assert labels.to_lists() == [["Pop"], []]
    assert labels.ignored == 1


# ---------------------------------------------------------------- unknown labels


def test_unknown_labels_say_where_and_what_is_near() -> None:
    with pytest.raises(
        LabelError, match=r"^instance 1: unknown label 'Rok' \(nearest: 'Rock'\)\. Use unknown=\"ignore\""
    ):
        LabelSets.from_lists([["Pop"], ["Pop", "Rok"]], H)
    with pytest.raises(LabelError, match=r"unknown label 'x'; 2 more unknown labels, such as 'y', 'z'\."):
        LabelSets.from_lists([["x"], ["y", "z"]], H)
    with pytest.raises(LabelError, match=r"^gold\.txt:17: unknown label 'pop' \(nearest: 'Pop'\)"):
        LabelSets.from_lists([["pop"]], H, lines=[17], source="gold.txt")


def test_ignored_labels_are_counted_and_reported() -> None:
    true = LabelSets.from_lists([["Pop", "x"], ["y", "y"]], H, unknown="ignore")
    assert true.ignored == 3
    assert true.to_lists() == [["Pop"], []]
    assert true.statistics()["ignored labels"] == 3
    scores = bm.evaluate(true, [["Pop"], ["z"]], "F1", hierarchy=H, unknown="ignore")
    assert "truth: 3 unknown labels were ignored" in scores.warnings
    assert "predictions: 1 unknown labels were ignored" in scores.warnings
    assert "truth: 1 instances have no label" in scores.warnings
    assert scores["F1"].signature["unknown"] == "ignore"
    assert scores["F1"].value == 1.0


def test_statistics() -> None:
    facts = LabelSets.from_lists([["Pop", "Rock"], [], ["Pop"]], H).statistics()
    assert facts["instances"] == 3
    assert facts["labels"] == 3
    assert facts["labels per instance (mean)"] == 1.0
    assert facts["labels per instance (max)"] == 2
    assert facts["instances without a label"] == 1
    assert facts["classes in use"] == 2
    assert facts["category structure"] == "virtual category tree"


# ---------------------------------------------------------------- two sides


def with_ids(labels: list[str], ids: list[object]) -> LabelSets:
    return LabelSets.from_lists(labels, H, ids=ids)


def test_ids_decide_the_order() -> None:
    true = with_ids(["Pop", "Rock", "Film"], ["a", "b", "c"])
    pred = with_ids(["Film", "Pop", "Rock"], ["c", "a", "b"])
    assert true.align(pred).to_lists() == true.to_lists()
    assert true.align(pred).ids == ["a", "b", "c"]
    scores = bm.evaluate(true, pred, ["exact"])
    assert scores["exact"].value == 1
    assert [row["instance"] for row in scores.per_instance().to_records()] == ["a", "b", "c"]


def test_ids_may_be_numbers_or_a_column() -> None:
    assert with_ids(["Pop", "Rock"], [1, 2]).ids == ["1", "2"]
    assert with_ids(["Pop", "Rock"], pd.Series([10, 20])).ids == ["10", "20"]
    assert with_ids(["Pop", "Rock"], pl.Series(["x", "y"])).ids == ["x", "y"]


def test_missing_and_extra_ids() -> None:
    true = with_ids(["Pop"] * 8, list("abcdefgh"))
    with pytest.raises(
        LabelError,
        match="6 ids of the truth are missing from the predictions: 'c', 'd', 'e', 'f', 'g' and 1 more",
    ):
        true.align(with_ids(["Pop", "Pop"], ["a", "b"]))
    with pytest.raises(LabelError, match="1 ids of the predictions are not in the truth: 'z'"):
        true.align(with_ids(["Pop"] * 9, [*"abcdefgh", "z"]))
    with pytest.raises(
        LabelError,
        match="missing from the predictions: 'h'; 1 ids of the predictions are not in the truth: 'z'",
    ):
        true.align(with_ids(["Pop"] * 8, [*"abcdefg", "z"]))


def test_repeated_ids() -> None:
    once, twice = with_ids(["Pop", "Rock"], ["a", "b"]), with_ids(["Pop", "Rock"], ["a", "a"])
    with pytest.raises(LabelError, match="the predictions: 1 ids occur more than once: 'a'"):
        once.align(twice)
    with pytest.raises(LabelError, match="the truth: 1 ids occur more than once: 'a'"):
        twice.align(once)
    with pytest.raises(LabelError, match="1 ids occur more than once: 'a'"):
        twice.align(twice)


def test_ids_on_one_side_only() -> None:
    with pytest.raises(LabelError, match="the truth has instance ids and the predictions has none"):
        bm.evaluate(with_ids(["Pop"], ["a"]), ["Pop"], "F1")


def test_numbers_of_instances_differ() -> None:
    with pytest.raises(LabelError, match="the truth has 1 instances and the predictions has 2"):
        bm.evaluate([["Pop"]], [["Pop"], ["Rock"]], "F1", hierarchy=H)


def test_wrong_number_of_ids() -> None:
    with pytest.raises(LabelError, match="3 ids for 1 instances"):
        with_ids(["Pop"], ["a", "b", "c"])
    with pytest.raises(LabelError, match="1 instances have no id, the first is instance 1"):
        with_ids(["Pop", "Rock"], ["a", None])


def test_two_hierarchies_do_not_mix() -> None:
    other = bm.Hierarchy.from_edges([("Arts", "Pop")])
    with pytest.raises(LabelError, match="belong to another hierarchy"):
        bm.evaluate(LabelSets.from_lists(["Pop"], H), LabelSets.from_lists(["Pop"], other), "F1")
    with pytest.raises(LabelError, match="belong to another hierarchy"):
        bm.evaluate(LabelSets.from_lists(["Pop"], H), ["Pop"], "F1", hierarchy=other)


def test_one_hierarchy_read_twice_is_one() -> None:
    again = bm.Hierarchy.from_edges(list(H.edges()))
    scores = bm.evaluate(LabelSets.from_lists(["Pop"], H), LabelSets.from_lists(["Pop"], again), "hF1")
    assert scores["hF1"].value == 1
    turned = bm.Hierarchy.from_edges(list(H.edges())[::-1])
    with pytest.raises(LabelError, match="number their classes differently; read both with the same Hierarchy"):
        bm.evaluate(LabelSets.from_lists(["Pop"], H), LabelSets.from_lists(["Pop"], turned), "hF1")


def test_fingerprint_adds_up_over_parts() -> None:
    labels = LabelSets.from_lists([["Pop"], ["Rock", "Film"], []], H)
    parts = [labels.slice(0, 1), labels.slice(1, 3)]
    assert sum(part.fingerprint for part in parts) % 2**64 == labels.fingerprint
    assert (
        LabelSets.from_lists([["Pop", "Rock"]], H).fingerprint
        != LabelSets.from_lists([["Pop"], ["Rock"]], H).fingerprint
    )
    assert LabelSets.from_lists([[], []], H).fingerprint != LabelSets.from_lists([[]], H).fingerprint


def test_reading_back() -> None:
    labels = LabelSets.from_lists([["Rock", "Pop"], ["Film"]], H)
    assert labels[0] == ["Pop", "Rock"]
    assert list(labels) == labels.to_lists() == [["Pop", "Rock"], ["Film"]]
    assert repr(labels) == "<LabelSets: 2 instances, 1.50 labels each>"
    other = LabelSets.from_lists([["Rock"], ["Pop"]], H)
    assert [row.tolist() for row in labels.intersection(other)] == [[H.id("Rock")], []]
