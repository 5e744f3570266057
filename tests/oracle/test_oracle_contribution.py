"""Contribution measures against Sun et al., equations 10 to 20, document by document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Graph
from reference_costs import Contributions, weighted_distance
from strategies import Case, labelled

import branchmark as bm
from branchmark.errors import MeasureError
from branchmark.measures.contribution import contribution_scores

# contributions are counted in units of 2**-44, and denominators near 0 make more of that
CLOSE = {"rel": 1e-8, "abs": 1e-9}
KINDS = ("P", "R", "F", "Accuracy", "Error")

cases = labelled(max_instances=5, max_labels=3)


def counted(case: Case, nearness: Callable[[str, str], float]) -> Contributions:
    pairs = [(frozenset(t), frozenset(p)) for t, p in zip(case.true, case.pred, strict=True)]
    return Contributions(case.shape.nodes, pairs, nearness)


def universe(case: Case, found: Contributions, kind: str, categories: str) -> list[str]:
    """A real root is a category where it occurs; decisions are about all classes."""
    graph = Graph(case.shape.nodes, case.shape.edges)
    if categories == "seen":
        return sorted(found.seen)
    if kind in ("Accuracy", "Error") and categories == "all":
        return sorted(graph.classes)
    chosen: Iterable[str] = graph.leaves if categories == "leaves" else graph.classes
    return sorted(x for x in chosen if x != graph.root or x in found.seen)


def check(case: Case, prefix: str, options: str, found: Contributions) -> None:
    h = case.shape.hierarchy()
    for kind in KINDS:
        name = "F2" if kind == "F" else kind
        beta = 2.0
        written = {
            (average, categories): f"{prefix}{name}({options},average={average},categories={categories})"
            for average in ("micro", "macro")
            for categories in ("all", "leaves", "seen")
        }
        scores = bm.evaluate(case.true, case.pred, written.values(), hierarchy=h, jobs=1, **case.resources(h))
        for (average, categories), text in written.items():
            of = found.micro if average == "micro" else found.macro
            expected = of(kind, universe(case, found, kind, categories), beta)
            assert scores[text].value == pytest.approx(expected, **CLOSE), text
            by_class = {c: found.category(kind, c, beta) for c in found.seen}
            assert scores[text].per_category == pytest.approx(by_class, **CLOSE), text


def settled(found: Contributions) -> bool:
    """No denominator so near 0 that rounding decides whether it is."""
    sums = [sum(found.fraction(k, c)[1] for c in cs) for k in "PR" for cs in [found.counts, *map(list, found.counts)]]
    return all(below == 0 or abs(below) > 1e-6 for below in sums)


@given(case=cases)
def test_by_similarity(case: Case) -> None:
    pairs = list(combinations(case.shape.nodes, 2))
    mean = sum(case.similarity[pair] for pair in pairs) / len(pairs) if pairs else 0.0
    check(case, "cs", "similarity=s", counted(case, lambda x, y: (case.similarity[x, y] - mean) / (1 - mean)))


@given(case=cases, theta=st.sampled_from([1, 2, 2.5, 0.3, 7.0]))
def test_by_distance(case: Case, theta: float) -> None:
    distance = Graph(case.shape.nodes, case.shape.edges).distance
    check(case, "db", f"theta={theta}", counted(case, lambda x, y: 1 - distance(x, y) / theta))


@given(case=cases, theta=st.sampled_from([2.0, 3.3]), up=st.sampled_from([1.5, 0.2]), down=st.sampled_from([1.0, 0.7]))
def test_by_distance_with_a_direction(case: Case, theta: float, up: float, down: float) -> None:
    # the way leads from the category that the document has, on the other side, to the one in question
    graph = Graph(case.shape.nodes, case.shape.edges)
    found = counted(case, lambda x, y: 1 - weighted_distance(graph, x, y, lambda _: 1.0, up, down) / theta)
    check(case, "db", f"theta={theta},up_cost={up},down_cost={down}", found)


def test_the_way_leads_from_the_category_that_the_document_has() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("a", "b"), ("b", "c")])
    measure = "dbP(theta=10,up_cost=1.5)"
    scores = bm.evaluate([["c"]], [["a"]], [measure, "dbR(theta=10,up_cost=1.5)"], hierarchy=h)
    # c is missed, and two links down from the a it got: 1 − 2/10; a is wrong, and two up from the true c: 1 − 3/10
    expected = contribution_scores([0, 0], [1, 0], [0, 1], [0.7, 0.0], [0.0, 0.8])
    assert scores[measure].value == pytest.approx(expected["P"]["micro"])
    assert scores[measure].per_category == pytest.approx({"a": 0.7, "c": 1.0})
    assert scores["dbR(theta=10,up_cost=1.5)"].per_category == pytest.approx({"a": 1.0, "c": 0.8})


@given(case=cases)
@settings(max_examples=30)
def test_without_contributions_they_are_the_flat_measures(case: Case) -> None:
    h = case.shape.hierarchy()
    nodes = case.shape.nodes
    alike = dict.fromkeys(combinations(nodes, 2), 0.25) | dict.fromkeys(combinations(nodes[::-1], 2), 0.25)
    case = replace(case, similarity=alike)
    flat = {"P": "P", "R": "R", "F1": "F1", "Accuracy": "accuracy", "Error": "error"}
    for average in ("micro", "macro"):
        for mine, like in flat.items():
            written = [f"cs{mine}(similarity=s,average={average})", f"{like}(average={average})"]
            scores = bm.evaluate(case.true, case.pred, written, hierarchy=h, jobs=1, **case.resources(h))
            shared = any(set(t) & set(p) for t, p in zip(case.true, case.pred, strict=True))
            empty = not any(case.true) and not any(case.pred)
            if not empty and (shared or mine in ("Accuracy", "Error")):
                assert scores[written[0]].value == pytest.approx(scores[written[1]].value, **CLOSE)


def test_the_sum_is_clamped_and_not_its_terms() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("b", "c"), ("c", "d"), ("d", "e")])
    # a was missed; the document got its neighbour b (d = 2) and e (d = 5): 0 − 1.5, clamped to −1, not 0 − 1
    (score,) = bm.evaluate([["a"]], [["b", "e"]], "dbAccuracy(theta=2,categories=seen)", hierarchy=h)
    # b and e are wrong: 1 − 2/2 = 0 and 1 − 5/2 = −1.5, clamped to −1
    assert score.per_category == pytest.approx({"a": -1.0, "b": 0.0, "e": -1.0})
    # two near ones together earn no more than one
    (score,) = bm.evaluate([["b"]], [["a", "c"]], "dbAccuracy(theta=100,categories=seen)", hierarchy=h)
    assert score.per_category == pytest.approx({"b": 1.0, "a": 0.98, "c": 0.99})


@pytest.mark.parametrize("theta", [1e-3, 1e-6, 1e-9, 1e-300])
def test_a_small_theta_does_not_overflow(theta: float) -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    (score,) = bm.evaluate([["a"]], [["b"]], f"dbAccuracy(theta={theta},categories=seen)", hierarchy=h)
    assert score.per_category == {"a": -1.0, "b": -1.0}


def test_micro_averages_follow_the_equations_beyond_1() -> None:
    # Equation 14 adds denominators, and a category whose documents all went far away has a negative one: 10 / (10 − 5)
    found = contribution_scores([10, 0], [0, 0], [0, 5], [0.0, 0.0], [0.0, -5.0])
    assert found["P"]["micro"] == 2.0
    assert found["P"]["categories"].tolist() == [1.0, 0.0]
    assert found["P"]["macro"] == 0.5


counts = st.lists(
    st.tuples(*[st.integers(0, 9)] * 3, *[st.floats(-1, 1)] * 2).map(
        lambda row: (*row[:3], row[1] * row[3], row[2] * row[4])
    ),
    min_size=1,
    max_size=5,
)


@given(rows=counts, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_scores_from_counts(rows: list[tuple[float, ...]], beta: float) -> None:
    found = Contributions([], [(frozenset(), frozenset())] * 40, lambda x, y: 0.0)
    names = ("tp", "fp", "fn", "fp_con", "fn_con")
    found.counts = {str(i): dict(zip(names, row, strict=True)) for i, row in enumerate(rows)}
    if not settled(found):
        return
    columns = [list(column) for column in zip(*rows, strict=True)]
    scores = contribution_scores(*columns, instances=40, beta=beta)
    for key, kind in (("P", "P"), ("R", "R"), ("F", "F"), ("accuracy", "Accuracy"), ("error", "Error")):
        expected = [found.category(kind, c, beta) for c in found.counts]
        assert scores[key]["categories"].tolist() == pytest.approx(expected, **CLOSE)
        assert scores[key]["micro"] == pytest.approx(found.micro(kind, found.counts, beta), **CLOSE)
        assert scores[key]["macro"] == pytest.approx(found.macro(kind, found.counts, beta), **CLOSE)
    without = contribution_scores(*columns)
    assert set(without) == {"P", "R", "F"}


def test_scores_from_counts_need_one_number_per_category() -> None:
    with pytest.raises(MeasureError, match="one number per category"):
        contribution_scores([1, 2], [1], [1, 1], [0, 0], [0, 0])
    assert np.isfinite(contribution_scores([], [], [], [], [])["P"]["micro"])
