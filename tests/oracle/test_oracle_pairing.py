"""Pairing kernels against enumeration, integer programs and the paper's case studies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_dags import Case, cases, cases_with_names, prepared, published, published_case
from numpy.typing import NDArray
from reference_pairs import (
    Graph,
    assignment_cost,
    cover_cost,
    distance_matrix,
    one_to_one_cost,
    problem1_cost,
)

from branchmark.pairing import DEFAULT_CLASS, PairCosts, cheapest_pairs, distances, given_costs, pair_costs

few = settings(max_examples=300, deadline=None)
many = settings(max_examples=5000, deadline=None)
limits = st.one_of(st.none(), st.integers(1, 5))


def kernel(case: Case, d_max: float = 5, max_path: int | None = None) -> PairCosts:
    return pair_costs(*prepared(case), d_max=d_max, max_path=max_path, sums=True)


def table(case: Case, max_path: int | None = None) -> NDArray[np.int64]:
    hierarchy, _, true, pred = prepared(case)
    return distance_matrix(Graph(hierarchy, max_path), true[0].tolist(), pred[0].tolist())


def check(case: Case, d_max: int, max_path: int | None) -> None:
    expected = table(case, max_path)
    found = kernel(case, d_max, max_path)
    assert found.distance_sum is not None
    assert found.distance_sum[0] == expected.sum()
    assert distances(*prepared(case), max_path=max_path)[1].tolist() == expected.ravel().tolist()
    assert found.shared[0] == len(set(case.true) & set(case.pred))
    assert found.one_to_one[0] == assignment_cost(expected.astype(float), d_max)
    # the enumeration doubles with every possible pair
    if expected.size <= 12:
        assert found.cover[0] == cover_cost(expected.astype(float), d_max)
    else:
        rows, columns = expected.shape
        bounds = {"pred": (1, rows), "true": (1, columns)}
        assert found.cover[0] == pytest.approx(problem1_cost(expected.astype(float), d_max, **bounds))
    without_sums = pair_costs(*prepared(case), d_max=d_max, max_path=max_path)
    assert without_sums.one_to_one[0] == found.one_to_one[0]
    assert without_sums.cover[0] == found.cover[0]


@given(cases(), st.integers(1, 6), limits)
@few
def test_costs_equal_enumeration(case: Case, d_max: int, max_path: int | None) -> None:
    check(case, d_max, max_path)


@pytest.mark.slow
@given(cases(), st.integers(1, 6), limits)
@many
def test_costs_equal_enumeration_often(case: Case, d_max: int, max_path: int | None) -> None:
    check(case, d_max, max_path)


@given(cases_with_names())
@few
def test_names_do_not_matter(pair: tuple[Case, Case]) -> None:
    first, second = (kernel(case) for case in pair)
    assert [column.tolist() for column in first if column is not None] == [
        column.tolist() for column in second if column is not None
    ]


@given(cases())
@few
def test_a_limit_beyond_the_depth_changes_nothing(case: Case) -> None:
    assert kernel(case).one_to_one == kernel(case, max_path=50).one_to_one
    assert kernel(case).cover == kernel(case, max_path=50).cover


small_costs = st.integers(0, 3).flatmap(
    lambda rows: st.integers(0, 3).flatmap(
        lambda columns: st.lists(
            st.integers(0, 40).map(lambda x: x / 4), min_size=rows * columns, max_size=rows * columns
        ).map(lambda values: np.array(values, dtype=float).reshape(rows, columns))
    )
)


@given(small_costs, st.integers(1, 12).map(lambda x: x / 2))
@few
def test_given_costs_and_their_pairs(costs: NDArray[np.float64], d_max: float) -> None:
    rows, columns = costs.shape
    one, cover = given_costs(np.array([0, costs.size]), costs.ravel(), np.array([rows]), np.array([columns]), d_max)
    assert one[0] == one_to_one_cost(costs, d_max) == assignment_cost(costs, d_max)
    assert cover[0] == cover_cost(costs, d_max)
    for total, exclusive in ((one[0], True), (cover[0], False)):
        pairs = cheapest_pairs(costs, d_max, one_to_one=exclusive)
        assert sum(pair.cost for pair in pairs) == total
        for pair in pairs:
            alone = DEFAULT_CLASS in (pair.true, pair.pred)
            assert pair.cost == (d_max if alone else costs[pair.true, pair.pred])
        for side, size in (("true", rows), ("pred", columns)):
            used = [getattr(pair, side) for pair in pairs if getattr(pair, side) != DEFAULT_CLASS]
            assert set(used) == set(range(size))
            assert len(used) == size or not exclusive
        assert pairs == cheapest_pairs(costs.copy(), d_max, one_to_one=exclusive)


@given(small_costs.filter(lambda costs: costs.size > 0))
@settings(max_examples=40, deadline=None)
def test_problem1_contains_both(costs: NDArray[np.float64]) -> None:
    rows, columns = costs.shape
    exactly_one = problem1_cost(costs, 5, pred=(1, 1), true=(1, 1))
    at_least_one = problem1_cost(costs, 5, pred=(1, rows), true=(1, columns))
    assert exactly_one == pytest.approx(one_to_one_cost(costs, 5))
    assert at_least_one == pytest.approx(cover_cost(costs, 5))


def test_large_tables_equal_scipy() -> None:
    random = np.random.default_rng(5)
    for _ in range(300):
        costs = random.integers(0, 15, size=random.integers(1, 30, size=2)).astype(float)
        rows, columns = costs.shape
        sizes = np.array([rows]), np.array([columns])
        one, _ = given_costs(np.array([0, costs.size]), costs.ravel(), *sizes, 5)
        assert one[0] == assignment_cost(costs, 5)


def test_fractional_d_max() -> None:
    case = Case(("r", "a", "b", "c"), (("r", "a"), ("r", "b"), ("r", "c")), ("a",), ("b", "c"))
    assert kernel(case, 2.5).one_to_one[0] == 4.5
    assert kernel(case, 2.5).cover[0] == 4.0


def test_empty_sides() -> None:
    links = (("r", "a"), ("r", "b"))
    for true, pred, cost in (((), (), 0), (("a",), (), 5), ((), ("a", "b"), 10)):
        found = kernel(Case(("r", "a", "b"), links, true, pred))
        assert (found.one_to_one[0], found.cover[0]) == (cost, cost)


@pytest.mark.parametrize("record", published(), ids=lambda record: record["id"])
def test_published_cases(record: Any) -> None:
    found = kernel(published_case(record), record["d_max"])
    exact = record["definition"]
    assert found.one_to_one[0] == int(exact["GIE"])
    assert found.cover[0] == int(exact["MGIA_error"])
    outside = len(record["true"]) + len(record["pred"]) - 2 * int(found.shared[0])
    score = 1 - Fraction(int(found.cover[0]), outside * record["d_max"])
    assert score == Fraction(exact["MGIA"])
    for name, value in {"GIE": found.one_to_one[0], "MGIA_error": found.cover[0], "MGIA": score}.items():
        if record["consistent"][name]:
            assert 0 <= float(value) - record["published"][name] < 0.01


def test_mgia_by_union_reproduces_table_5() -> None:
    by_id = {record["id"]: record for record in published()}
    for name, printed in (("13a", 0.8), ("13b", 0.7)):
        found = kernel(published_case(by_id[name]))
        union = len(set(by_id[name]["true"]) | set(by_id[name]["pred"]))
        assert 1 - found.cover[0] / (union * 5) == pytest.approx(printed)


def test_threshold_of_section_3_6() -> None:
    """Figure 18(a) under a threshold of 2 is Figure 18(b)."""
    by_id = {record["id"]: record for record in published()}
    found = kernel(published_case(by_id["18a"]), 5, max_path=2)
    assert (found.one_to_one[0], found.cover[0]) == (9, 8)
