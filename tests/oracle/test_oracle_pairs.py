"""Pair-based measures with all kinds of costs and bounds, against enumeration."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Graph
from reference_costs import Cost, depth_cost, problem1, short_distance
from strategies import Case, labelled

import branchmark as bm
from branchmark.costs import ClassMatrix
from branchmark.errors import MeasureError

CLOSE = {"rel": 1e-11, "abs": 1e-11}
ANY = math.inf

cases = labelled(max_instances=3, max_labels=3)


def graph_of(case: Case) -> Graph:
    return Graph(case.shape.nodes, case.shape.edges)


def each(case: Case, measure: str) -> list[float]:
    h = case.shape.hierarchy()
    score = bm.evaluate(case.true, case.pred, measure, hierarchy=h, jobs=1, **case.resources(h))[measure]
    values: list[float] = score.per_instance.tolist()
    assert score.value == pytest.approx(sum(values) / len(values), **CLOSE)
    return values


def by_enumeration(case: Case, cost: Cost, d_max: float, of_true: Any, of_pred: Any) -> list[float]:
    return [problem1(t, p, cost, d_max, of_true, of_pred) for t, p in zip(case.true, case.pred, strict=True)]


def accuracies(case: Case, errors: list[float], d_max: float, norm: str) -> list[float]:
    sizes = [
        len(set(t) ^ set(p)) if norm == "symdiff" else len(set(t) | set(p))
        for t, p in zip(case.true, case.pred, strict=True)
    ]
    return [1 - f / (size * d_max) if size else 1.0 for f, size in zip(errors, sizes, strict=True)]


def check_all(case: Case, cost: Cost, written: str, d_max: float) -> None:
    """TIE, AllPairs, GIE, MGIA and Flow with the same costs."""
    one = case.single()
    distance = [cost(t[0], p[0]) for t, p in zip(one.true, one.pred, strict=True)]
    assert each(one, f"TIE({written})") == pytest.approx(distance, **CLOSE)
    sums = [sum(cost(t, p) for t in ts for p in ps) for ts, ps in zip(case.true, case.pred, strict=True)]
    assert each(case, f"AllPairs({written})") == pytest.approx(sums, **CLOSE)
    paired = f"{written},d_max={d_max!r}"
    gie = by_enumeration(case, cost, d_max, (1, 1), (1, 1))
    cover = by_enumeration(case, cost, d_max, (1, ANY), (1, ANY))
    assert each(case, f"GIE({paired})") == pytest.approx(gie, **CLOSE)
    for norm in ("symdiff", "union"):
        assert each(case, f"MGIA({paired},norm={norm})") == pytest.approx(accuracies(case, cover, d_max, norm), **CLOSE)
    one_to_one = "alpha_true=1,beta_true=1,alpha_pred=1,beta_pred=1"
    at_least_one = "alpha_true=1,beta_true=0,alpha_pred=1,beta_pred=0"
    assert each(case, f"Flow({paired},{one_to_one})") == pytest.approx(gie, **CLOSE)
    assert each(case, f"Flow({paired},{at_least_one})") == pytest.approx(cover, **CLOSE)


@given(case=cases, d_max=st.sampled_from([5.0, 1.0, 0.7]))
def test_links(case: Case, d_max: float) -> None:
    check_all(case, graph_of(case).distance, "cost=links", d_max)


@given(case=cases, w0=st.sampled_from([1.0, 0.3, 4.0]), ratio=st.sampled_from([0.75, 0.5, 1.0, 1.3]))
def test_links_weighted_by_depth(case: Case, w0: float, ratio: float) -> None:
    check_all(case, depth_cost(graph_of(case), w0, ratio), f"cost=depth,w0={w0},ratio={ratio}", 2.0)
    plain = depth_cost(graph_of(case), 1.0, 0.75)
    one = case.single()
    assert each(one, "wTIE") == pytest.approx([plain(*pair) for pair in labels_of(one)], **CLOSE)


def labels_of(case: Case) -> list[tuple[str, str]]:
    return [(t[0], p[0]) for t, p in zip(case.true, case.pred, strict=True)]


@given(case=cases, d_max=st.sampled_from([5.0, 0.2, 20_000.0]))
def test_cost_matrices_with_a_direction(case: Case, d_max: float) -> None:
    # rows are true, columns predicted classes; costs in tenths and thirds, from 0.001 to 10,000
    check_all(case, lambda t, p: case.costs[t, p], "cost=m", d_max)


@given(case=cases, threshold=st.integers(1, 5))
def test_long_distance_threshold(case: Case, threshold: int) -> None:
    graph = graph_of(case)
    check_all(case, lambda t, p: short_distance(graph, t, p, threshold), f"max_path={threshold}", 5.0)


bounds = st.integers(0, 2).flatmap(lambda least: st.tuples(st.just(least), st.sampled_from([0, max(least, 1), 3])))


@given(case=cases, of_true=bounds, of_pred=bounds, cost=st.sampled_from(["links", "m"]))
@settings(max_examples=100)
def test_flow_within_any_bounds(case: Case, of_true: Any, of_pred: Any, cost: str) -> None:
    price = graph_of(case).distance if cost == "links" else lambda t, p: case.costs[t, p]
    written = f"alpha_true={of_true[0]},beta_true={of_true[1]},alpha_pred={of_pred[0]},beta_pred={of_pred[1]}"
    any_true, any_pred = ((least, most or ANY) for least, most in (of_true, of_pred))
    expected = by_enumeration(case, price, 2.5, any_true, any_pred)
    assert each(case, f"Flow(cost={cost},d_max=2.5,{written})") == pytest.approx(expected, **CLOSE)


@given(case=cases, of_true=bounds, of_pred=bounds)
@settings(max_examples=100)
def test_flow_without_default_classes(case: Case, of_true: Any, of_pred: Any) -> None:
    written = f"alpha_true={of_true[0]},beta_true={of_true[1]},alpha_pred={of_pred[0]},beta_pred={of_pred[1]}"
    any_true, any_pred = ((least, most or ANY) for least, most in (of_true, of_pred))
    expected = by_enumeration(case, graph_of(case).distance, ANY, any_true, any_pred)
    if math.inf in expected:
        with pytest.raises(MeasureError, match="no pairing keeps all bounds"):
            each(case, f"Flow(d_max=inf,{written})")
    else:
        assert each(case, f"Flow(d_max=inf,{written})") == pytest.approx(expected, **CLOSE)


def test_flow_tells_small_costs_apart() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("r", "c")])
    values = [[0, 1e-9, 3e-9, 1], [1e-9, 0, 2e-9, 1], [1, 1, 1, 1], [1, 1, 1, 0]]
    matrix = ClassMatrix("m", values, ["a", "b", "c", "r"], h)
    bounds_of_gie = "alpha_true=1,beta_true=1,alpha_pred=1,beta_pred=1"
    measures = ["GIE(cost=m,d_max=1e-8)", f"Flow(cost=m,d_max=1e-8,{bounds_of_gie})"]
    scores = bm.evaluate([["a", "b"]], [["b", "c"]], measures, hierarchy=h, matrices=matrix)
    # a-b and b-c cost 1 + 2, a-c and b-b 3 + 0
    assert [score.value for score in scores] == pytest.approx([3e-9, 3e-9], rel=1e-9)


def test_all_pairs_keeps_small_costs_beside_large_ones() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    matrix = ClassMatrix("m", [[0, 1e17], [1, 0]], ["a", "b"], h)
    score = bm.evaluate([["a"], ["b"]], [["b"], ["a"]], "AllPairs(cost=m)", hierarchy=h, matrices=matrix)
    assert score["AllPairs(cost=m)"].per_instance.tolist() == [1e17, 1.0]


@pytest.mark.parametrize("d_max", [65536.0, 65537.0, 1e9, 1e12])
def test_a_large_default_cost(d_max: float) -> None:
    nodes = [f"n{i}" for i in range(60)]
    h = bm.Hierarchy.from_edges([("r", x) for x in nodes])
    scores = bm.evaluate(
        [nodes[:40]], [nodes[40:]], [f"GIE(d_max={d_max!r})", f"MGIA(d_max={d_max!r},norm=union)"], hierarchy=h
    )
    gie, mgia = (score.value for score in scores)
    assert gie == 20 * 2 + 20 * d_max
    assert mgia == pytest.approx(1 - 80 / (60 * d_max), rel=1e-15)
