""" "all" computes what the data supports and names the rest; a measure asked for by name says what it needs."""

from __future__ import annotations

import re

import pytest

import branchmark as bm
from branchmark.costs import ClassMatrix
from branchmark.errors import LabelError, MeasureError
from branchmark.ragged import Ragged
from branchmark.trace import Trace

H = bm.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "c"), ("a", "d")])
SINGLE = [["c"], ["b"]], [["d"], ["b"]]
SEVERAL = [["c", "b"], ["b"]], [["d"], []]

ALWAYS_LEFT_OUT = {
    "BF", "Flow", "csP", "csR", "csF1", "csAccuracy", "csError", "dbP", "dbR", "dbF1", "dbAccuracy", "dbError",
}  # fmt: skip


def names(scores: bm.Scores) -> set[str]:
    return {str(score.measure) for score in scores}


def left_out(scores: bm.Scores) -> set[str]:
    (line,) = (text for text in scores.warnings if text.startswith("left out: "))
    listed, semicolon, advice = line.removeprefix("left out: ").partition(";")
    assert semicolon
    assert "by name" in advice
    return set(listed.split(", "))


EVERY = {str(cls()) for cls in bm.list_measures()}


@pytest.mark.parametrize(("data", "more"), [(SINGLE, set()), (SEVERAL, {"TIE"})])
def test_all_is_everything_that_fits(data, more) -> None:
    scores = bm.evaluate(*data, "all", hierarchy=H)
    assert left_out(scores) == ALWAYS_LEFT_OUT | more
    assert names(scores) == EVERY - left_out(scores)
    assert len(scores) == len(names(scores))


def test_all_takes_a_trace_into_account() -> None:
    trace = Trace(H, Ragged.from_lists([[0], [0]]), Ragged.from_lists([[0], []]))
    scores = bm.evaluate(*SINGLE, "all", hierarchy=H, trace=trace)
    assert scores["BF"].value == 0.5
    assert left_out(scores) == ALWAYS_LEFT_OUT - {"BF"}


def test_all_goes_with_measures_by_name() -> None:
    flow = "Flow(alpha_true=1,beta_true=1,alpha_pred=1,beta_pred=1)"
    scores = bm.evaluate(*SEVERAL, ["dbF1(theta=2)", " ALL ", flow, "hF1"], hierarchy=H)
    # those asked for come first, and none comes twice
    assert [str(score.measure) for score in scores][:3] == ["dbF1(theta=2)", flow, "hF1"]
    assert len(names(scores)) == len(scores) == len(EVERY) - len(ALWAYS_LEFT_OUT) - 1 + 2
    assert scores["GIE"].value == scores[flow].value
    # what is asked for by name must be possible, even beside "all"
    with pytest.raises(MeasureError, match="TIE"):
        bm.evaluate(*SEVERAL, ["all", "TIE"], hierarchy=H)


def test_without_all_nothing_is_left_out() -> None:
    assert not bm.evaluate(*SINGLE, ["GIE", "TIE"], hierarchy=H).warnings


NEEDS = {
    "TIE": ("one true with one predicted class", "instance 0 has 2", "GIE or MGIA"),
    "wTIE": ("one true with one predicted class",),
    "csF1": ("csF1", "similarity must name a matrix", "none are given", "--matrix"),
    "csP(similarity=x)": ("similarity must name a matrix", "given are 'm'"),
    "GIE(cost=x)": ("no cost matrix called 'x'", "given are 'm'", "--matrix"),
    "dbF1": ("dbF", "theta", "must be given", "dbF(theta=2)"),
    "dbError": ("dbError(theta=2)",),
    "BF": ("BF", "trace", "Trace("),
    "Flow": ("alpha_true, beta_true, alpha_pred, beta_pred", "must be given"),
    "Flow(alpha_true=1,beta_true=1)": ("alpha_pred, beta_pred",),
    "hF1(weights=x)": ("no weights called 'x'",),
    "GIE(cost=m,max_path=2)": ("max_path counts links",),
    "GIE(cost=depth,max_path=2)": ("max_path counts links",),
    "csP(similarity=tilted)": ("symmetric", "'tilted'"),
    "csP(similarity=ones)": ("mean similarity", "not below 1"),
    "GIE(cost=negative)": ("at least 0", "'negative'"),
    "MGIA(cost=ones)": ("for itself", "'ones'"),
}


@pytest.mark.parametrize("name", NEEDS)
def test_a_measure_says_what_it_needs(name: str) -> None:
    values = {
        "m": [[0, 1, 2], [1, 0, 3], [2, 3, 0]],
        "tilted": [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]],
        "ones": [[1] * 3] * 3,
        "negative": [[0, -1, 0], [1, 0, 0], [0, 0, 0]],
    }
    given = "m" if name in ("csP(similarity=x)", "GIE(cost=x)") else None
    matrices = [ClassMatrix(k, v, ["b", "c", "d"], H) for k, v in values.items() if given in (None, k)]
    with pytest.raises(MeasureError) as error:
        bm.evaluate(*SEVERAL, name, hierarchy=H, matrices=[] if name == "csF1" else matrices)
    for part in NEEDS[name]:
        assert part in str(error.value)
    assert "\n" not in str(error.value)


def test_classes_that_a_matrix_lacks() -> None:
    matrix = ClassMatrix("m", [[0, 1], [1, 0]], ["b", "c"], H)
    with pytest.raises(LabelError, match=r"matrix 'm' lacks 1 classes in use: 'd'"):
        bm.evaluate(*SINGLE, "GIE(cost=m)", hierarchy=H, matrices=matrix)


BAD_VALUES = {
    "GIE(max_path=2.5)": "max_path must be a whole number above 0",
    "hF1(max_path=0)": "max_path must be a whole number above 0",
    "LCA-F1(max_path=3.0)": "max_path must be a whole number above 0",
    "GIE(d_max=0)": "d_max must be a number above 0",
    "GIE(d_max=inf)": "d_max must be a number above 0",
    "Flow(d_max=x)": "d_max must be above 0",
    "Flow(alpha_true=2,beta_true=1)": "need 0 <= alpha_true <= beta_true; got 2 and 1",
    "Flow(alpha_true=0.5,beta_true=1)": "need 0 <= alpha_true <= beta_true",
    "dbP(theta=0)": "theta must be a number above 0",
    "dbP(theta=x)": "theta must be a number above 0",
    "dbP(up_cost=-1)": "up_cost must be a number above 0",
    "TIE(ratio=0)": "ratio must be a number above 0",
    "MGIA(norm=both)": "norm must be one of symdiff, union",
    "LCA-F1(algorithm=fast)": "algorithm must be one of exact, greedy",
    "LCA-F1(average=macro)": "average must be one of samples, micro",
    "csP(average=samples)": "average must be one of micro, macro",
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_bad_values_of_parameters(name: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(BAD_VALUES[name])):
        bm.measure(name)


@pytest.mark.parametrize("name", ["links", "depth", "a,b", "1", "x y", "", "a)"])
def test_names_that_a_matrix_cannot_have(name: str) -> None:
    with pytest.raises(LabelError, match="matrices need a name"):
        ClassMatrix(name, [[0]], ["a"], H)


def test_one_matrix_per_name() -> None:
    m = ClassMatrix("m", [[0, 1], [1, 0]], ["c", "d"], H)
    with pytest.raises(MeasureError, match="two ClassMatrix are called 'm'"):
        bm.evaluate(*SINGLE, "GIE(cost=m)", hierarchy=H, matrices=[m, m])
    with pytest.raises(MeasureError, match="'m' is given under another name, 'k'"):
        bm.evaluate(*SINGLE, "GIE(cost=k)", hierarchy=H, matrices={"k": m})
    with pytest.raises(MeasureError, match="needs the names of its classes"):
        bm.evaluate(*SINGLE, "GIE(cost=k)", hierarchy=H, matrices={"k": [[0, 1], [1, 0]]})


def test_measures_without_instances_have_no_table_of_them() -> None:
    scores = bm.evaluate(*SINGLE, ["dbF1(theta=2)", "dbP(theta=2)"], hierarchy=H)
    with pytest.raises(MeasureError, match="none of these measures has values per instance"):
        scores.per_instance()
    mixed = bm.evaluate(*SINGLE, ["dbF1(theta=2)", "GIE"], hierarchy=H)
    assert [column.name for column in mixed.per_instance().columns] == ["instance", "GIE"]
    assert [column.name for column in mixed.by("category").columns][-1] == "dbF1(theta=2)"


@pytest.mark.parametrize("classifier", ["10", "f,g", "x y", "c|d=e", "a(b)", "1e3", "it's", " a", "None", "a%7Cb"])
def test_any_class_name_can_be_a_parameter(classifier: str) -> None:
    h = bm.Hierarchy.from_edges([(classifier, "leaf")])
    m = bm.measure("BF", classifier=classifier)
    assert bm.measure(str(m)) == m
    trace = Trace(h, Ragged.from_lists([[0]]), Ragged.from_lists([[]]))
    score = bm.evaluate([["leaf"]], [["leaf"]], str(m), hierarchy=h, trace=trace)[m]
    assert score.value == 1.0
    signature = type(score.signature).parse(str(score.signature))
    assert signature == score.signature
    assert signature["classifier"] == classifier
