"""Bad arrays and lists: each is refused with a message that says what is wrong and where."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import branchmark as bm
from branchmark.errors import BranchmarkError, HierarchyError, LabelError, MeasureError

H = bm.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "c")])
OTHER = bm.Hierarchy.from_edges([("r", "a")])


def score(true: object, pred: object, measures: object = "F1", **options: object) -> object:
    return bm.evaluate(true, pred, measures, **{"hierarchy": H, **options})


BAD_LABELS: dict[str, tuple[Callable[[], object], str]] = {
    "text for all instances": (lambda: score("ab", ["a", "b"]), "expected one entry per instance.* got 'ab'"),
    "bytes for all instances": (lambda: score(["a"], b"a"), "expected one entry per instance.* got b'a'"),
    "number for all instances": (lambda: score(5, ["a"]), "expected one entry per instance.* got 5"),
    "nothing for all instances": (lambda: score(None, ["a"]), "expected one entry per instance.* got None"),
    "dict for all instances": (
        lambda: score({"x": "a"}, ["a"]),
        r"got a dict; pass list\(d.values\(\)\) and ids=list\(d\)",
    ),
    "table": (lambda: score(pd.DataFrame({"y": ["a"]}), ["a"]), r"got a table; pass table\['labels'\]"),
    "polars table": (
        lambda: score(pl.DataFrame({"y": ["a"]}), ["a"]),
        r"got a table; pass table\['labels'\]",
    ),
    "bytes as a label set": (
        lambda: score([["a"], b"a"], ["a", "a"]),
        "instance 1: labels are text, not bytes",
    ),
    "bytes as a label": (
        lambda: score([["a"], [b"a"]], ["a", "a"]),
        "instance 1: a label must be text .* b'a' of type bytes",
    ),
    "fraction": (
        lambda: score([["a"]], [[1.5]]),
        "instance 0: a label must be text or a whole number; got 1.5 of type float",
    ),
    "infinity": (lambda: score([["a"]], [float("inf")]), "instance 0: a label must be text .* got inf"),
    "truth value": (
        lambda: score([True], ["a"]),
        "instance 0: a label must be text .* got True of type bool",
    ),
    "numpy truth value": (
        lambda: score(np.array([True]), ["a"]),
        "instance 0: a label must be text .* got True",
    ),
    "nested lists": (
        lambda: score([["a"], [["b"]]], ["a", "a"]),
        r"instance 1: a label must be text .* got \['b'\] of type list",
    ),
    "three dimensions": (
        lambda: score(np.full((1, 1, 1), "a"), ["a"]),
        "instance 0: a label must be text .* of type list",
    ),
    "no dimension": (lambda: score(np.array("a"), ["a"]), "expected one entry per instance"),
    "dates": (
        lambda: score(pd.Series(pd.to_datetime(["2020-01-01"])), ["a"]),
        "instance 0: a label must be text .* Timestamp",
    ),
    "objects": (lambda: score([object()], ["a"]), "instance 0: a label must be text .* of type object"),
    "text and numbers": (
        lambda: score([["a"], ["b", 1]], ["a", "a"]),
        r"instance 1: labels mix text and numbers \('a' and 1\)",
    ),
    "number first": (
        lambda: score([1, "a"], ["a", "a"]),
        r"instance 1: labels mix text and numbers \('a' and 1\)",
    ),
    "unknown label": (lambda: score([["a"], ["b", "d"]], ["a", "a"]), "instance 1: unknown label 'd'"),
    "blank label": (lambda: score([["a"], ["  "]], ["a", "a"]), "instance 1: unknown label '  '"),
    "score is a text": (
        lambda: score([{"a": "high"}], ["a"]),
        "instance 0: the score of 'a' must be a finite number; got 'high'",
    ),
    "score is NaN": (
        lambda: score(["a", {"b": float("nan")}], ["a", "a"]),
        "instance 1: the score of 'b' must be a finite number; got nan",
    ),
    "some with scores": (
        lambda: score([{"a": 1.0}, ["b"]], ["a", "a"]),
        "instance 1: some instances have scores and some have none",
    ),
    "fewer predictions": (
        lambda: score(["a", "b"], ["a"]),
        "the truth has 2 instances and the predictions has 1",
    ),
    "no instances": (lambda: score([], []), "there is no instance to evaluate"),
    "no hierarchy": (lambda: score(["a"], ["a"], hierarchy=None), "need a hierarchy: pass hierarchy="),
    "hierarchy is a text": (
        lambda: score(["a"], ["a"], hierarchy="topics.txt"),
        "expected a Hierarchy; got 'topics.txt'",
    ),
    "hierarchy of others": (
        lambda: score(bm.LabelSets.from_lists(["a"], OTHER), ["a"]),
        "belong to another hierarchy",
    ),
    "policy for unknown labels": (
        lambda: score(["a"], ["a"], unknown="drop"),
        "unknown must be one of error, ignore; got 'drop'",
    ),
    "matrix without names": (
        lambda: score(np.eye(2), ["a", "b"]),
        "an indicator matrix needs the names of its columns",
    ),
    "sparse without names": (
        lambda: score(sparse.coo_array(np.eye(2)), ["a", "b"]),
        "an indicator matrix needs the names of its columns",
    ),
    "matrix of counts": (
        lambda: bm.LabelSets.from_indicator([[0, 2]], H, ["a", "b"]),
        "holds 0 and 1 only; found 2",
    ),
    "matrix with NaN": (
        lambda: bm.LabelSets.from_indicator([[0, np.nan]], H, ["a", "b"]),
        "holds 0 and 1 only; found nan",
    ),
    "matrix of texts": (
        lambda: bm.LabelSets.from_indicator([["x"]], H, ["a"]),
        "holds numbers; got dtype <U1",
    ),
    "matrix of one dimension": (
        lambda: bm.LabelSets.from_indicator([0, 1], H, ["a"]),
        "has two dimensions: instances x classes",
    ),
    "ragged matrix": (
        lambda: bm.LabelSets.from_indicator([[1, 0], [1]], H, ["a", "b"]),
        "rows of an indicator matrix must be equally long",
    ),
    "names for other columns": (
        lambda: bm.LabelSets.from_indicator([[0, 1]], H, ["a"]),
        "1 class names for 2 columns",
    ),
    "letters for columns": (
        lambda: bm.LabelSets.from_indicator([[0, 1]], H, "ab"),
        "classes must be a list .* got 'ab'",
    ),
    "repeated columns": (
        lambda: bm.LabelSets.from_indicator([[0, 1]], H, ["a", "a"]),
        "1 class names occur more than once",
    ),
    "column without a name": (
        lambda: bm.LabelSets.from_indicator([[0, 1]], H, ["a", None]),
        "column 1: a class name is missing",
    ),
    "policy for unknown columns": (
        lambda: bm.LabelSets.from_indicator([[1]], H, ["x"], unknown="no"),
        "unknown must be one of",
    ),
    "scores with NaN": (
        lambda: bm.LabelSets.from_scores([[0.5], [np.nan]], H, ["a"]),
        "instance 1: a score is not a number",
    ),
    "scores of texts": (lambda: bm.LabelSets.from_scores([["x"]], H, ["a"]), "a score matrix holds numbers"),
    "letters for ids": (
        lambda: bm.LabelSets.from_lists(["a", "b"], H, ids="xy"),
        "ids must be a list .* got 'xy'",
    ),
}

BAD_HIERARCHIES: dict[str, tuple[Callable[[], object], str]] = {
    "one text": (
        lambda: bm.Hierarchy.from_edges("ab"),
        r"edge 0: expected a \(parent, child\) pair, got 'a'",
    ),
    "texts for pairs": (lambda: bm.Hierarchy.from_edges([("a", "b"), "ab"]), "edge 1: expected .* got 'ab'"),
    "triples": (lambda: bm.Hierarchy.from_edges([("a", "b", "c")]), "edge 0: expected"),
    "sets for pairs": (lambda: bm.Hierarchy.from_edges([{"a", "b"}]), "edge 0: expected"),
    "nothing": (lambda: bm.Hierarchy.from_edges(None), r"expected \(parent, child\) pairs; got None"),
    "table": (
        lambda: bm.Hierarchy.from_edges(pd.DataFrame({"parent": ["a"], "child": ["b"]})),
        "edge 0: expected .* got 'parent'",
    ),
    "missing child": (
        lambda: bm.Hierarchy.from_edges([("a", "b"), ("a", None)]),
        "edge 1: a class name is missing: got None",
    ),
    "NaN for a parent": (
        lambda: bm.Hierarchy.from_edges([(float("nan"), "b")]),
        "edge 0: a class name is missing: got nan",
    ),
    "empty child": (lambda: bm.Hierarchy.from_edges([("a", "")]), "edge 0: a class name is missing: got ''"),
    "blank child": (lambda: bm.Hierarchy.from_edges([("a", " ")]), "edge 0: a class name is blank"),
    "text and numbers": (
        lambda: bm.Hierarchy.from_edges([("a", "b"), ("a", 1)]),
        r"edge 1: class names mix text and numbers \('a' and 1\)",
    ),
    "fractions": (
        lambda: bm.Hierarchy.from_edges([(1, 2.5)]),
        "edge 0: a class name must be text or a whole number; got 2.5",
    ),
    "letters for nodes": (
        lambda: bm.Hierarchy.from_edges([], nodes="abc"),
        "nodes must be a list of class names; got 'abc'",
    ),
    "missing node": (
        lambda: bm.Hierarchy.from_edges([("a", "b")], nodes=["c", None]),
        "node 1: a class name is missing",
    ),
    "letters for paths": (lambda: bm.Hierarchy.from_paths("a/b"), "expected a list of paths; got 'a/b'"),
    "empty level": (lambda: bm.Hierarchy.from_paths(["a/b", "a//b"]), "path 1: 'a//b' has an empty level"),
    "missing level": (
        lambda: bm.Hierarchy.from_paths([["a", None]]),
        "path 0: 'a/' has an empty level",
    ),
    "number for a path": (
        lambda: bm.Hierarchy.from_paths([5]),
        "path 0: expected a text or a list of levels, got 5",
    ),
    "pairs for parents": (
        lambda: bm.Hierarchy.from_parents([("a", "b")]),
        "expected a dict from child to parent.*; got list",
    ),
    "fraction for a parent": (
        lambda: bm.Hierarchy.from_parents({1: 0.5}),
        "edge 0: a class name must be text .* got 0.5",
    ),
    "undirected graph": (
        lambda: bm.Hierarchy.from_networkx(nx.Graph([("a", "b")])),
        "expected a directed graph",
    ),
    "not a graph": (lambda: bm.Hierarchy.from_networkx([("a", "b")]), "expected a directed graph"),
}

BAD_REQUESTS: dict[str, tuple[Callable[[], object], str]] = {
    "no measure": (lambda: score(["a"], ["a"], []), "no measure is asked for"),
    "number for a measure": (
        lambda: score(["a"], ["a"], [5]),
        "a measure is a text such as 'hF1' or a Measure; got 5",
    ),
    "unknown measure": (lambda: score(["a"], ["a"], "hG1"), "unknown measure 'hG1'"),
    "no such weights": (
        lambda: score(["a"], ["a"], "hF1(weights=ic)"),
        "no weights called 'ic'; none are given",
    ),
    "other weights": (
        lambda: score(["a"], ["a"], "hF1(weights=ic)", weights={"ia": dict.fromkeys("rabc", 1)}),
        "no weights called 'ic'; 'ia'",
    ),
    "weights without a name": (
        lambda: score(["a"], ["a"], weights=[1, 2]),
        "expected NodeWeights or a dict",
    ),
    "weights of others": (
        lambda: score(["a"], ["a"], weights=bm.NodeWeights("w", [1, 1], OTHER)),
        "belongs to another hierarchy",
    ),
    "no jobs": (lambda: score(["a"], ["a"], jobs=0), "jobs must be at least 1; got 0"),
    "score that was not computed": (
        lambda: score(["a"], ["a"])["hF1"],
        "hF1 was not computed; there are 'F1'",
    ),
    "table by instance": (
        lambda: score(["a"], ["a"]).by("instance"),
        "by category or by depth; got 'instance'",
    ),
}


@pytest.mark.parametrize(("attempt", "message"), BAD_LABELS.values(), ids=BAD_LABELS)
def test_bad_labels(attempt: Callable[[], object], message: str) -> None:
    with pytest.raises(LabelError, match=message):
        attempt()


@pytest.mark.parametrize(("attempt", "message"), BAD_HIERARCHIES.values(), ids=BAD_HIERARCHIES)
def test_bad_hierarchies(attempt: Callable[[], object], message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        attempt()


@pytest.mark.parametrize(("attempt", "message"), BAD_REQUESTS.values(), ids=BAD_REQUESTS)
def test_bad_requests(attempt: Callable[[], object], message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        attempt()


def test_all_errors_are_value_errors_of_one_family() -> None:
    for error in (LabelError, HierarchyError, MeasureError):
        assert issubclass(error, BranchmarkError)
    assert issubclass(BranchmarkError, ValueError)
