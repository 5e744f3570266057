"""Tests of significance against SciPy, and the kernel of the s-test against the matrix of all decisions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from strategies import labelled

import branchmark as bm
from branchmark.significance import (
    bootstrap_interval,
    kendall_matrix,
    macro_sign_test,
    micro_sign_test,
    permutation_test,
    proportion_test,
    rank_t_test,
    sign_result,
    sign_test,
    t_test,
    wilcoxon_test,
)

values = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=60)


def sides(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    first, second = np.array(pairs, dtype=float).T
    return first, second


@given(labelled(), st.randoms(use_true_random=False))
def test_decisions_against_the_whole_matrix(case, chance) -> None:
    h = case.shape.hierarchy()
    other = [[x for x in case.shape.nodes if chance.random() < 0.4] for _ in case.true]
    true, first, second = (bm.LabelSets.from_lists(rows, h) for rows in (case.true, case.pred, other))
    t, a, b = (s.to_indicator().toarray() == 1 for s in (true, first, second))
    result = micro_sign_test(true, first, second)
    assert result.wins == np.sum((a == t) & (b != t))
    assert result.losses == np.sum((a != t) & (b == t))
    assert result.wins + result.ties + result.losses == len(t) * (t.shape[1] - h.root_is_virtual)


@pytest.mark.parametrize("n", [*range(15), 40, 1000])
def test_sign_tests_against_the_binomial_and_the_normal(n: int) -> None:
    for wins in sorted({0, n // 3, n // 2, n - 1, n} & set(range(n + 1))):
        result = sign_result("sign", wins, n - wins, 0)
        if 0 < n <= 12:
            for ours, side in ((result.p, "greater"), (result.p_other, "less"), (result.p_two_sided, "two-sided")):
                assert ours == pytest.approx(stats.binomtest(wins, n, alternative=side).pvalue, abs=1e-12)
        elif n:
            z = (wins - n / 2) / np.sqrt(n / 4)
            assert result.p == pytest.approx(stats.norm.sf(z), rel=1e-12)
            assert result.p_other == pytest.approx(stats.norm.cdf(z), rel=1e-12)
            assert result.p_two_sided == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-12)


@given(values)
def test_sign_tests_count_pairs(pairs) -> None:
    first, second = sides(pairs)
    for test in (sign_test, macro_sign_test):
        up, down = test(first, second), test(first, second, better="lower")
        assert (up.wins, up.losses, up.p, up.effect) == (down.losses, down.wins, down.p_other, -down.effect)
        assert up.wins == sum(a > b for a, b in pairs)


def same_t(ours, theirs, theirs_less) -> None:
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue, abs=1e-12)
    assert ours.p_other == pytest.approx(theirs_less.pvalue, abs=1e-12)


@given(values)
def test_t_tests_against_scipy(pairs) -> None:
    first, second = sides(pairs)
    ranks = stats.rankdata(np.concatenate([first, second]))
    for test, one, two in (
        (t_test, first, second),
        (rank_t_test, ranks[: len(first)], ranks[len(first) :]),
    ):
        for ties in ("drop", "keep"):
            keep = (one != two) | (ties == "keep")
            result = test(first, second, ties=ties)
            assert result.n == keep.sum()
            d = (one - two)[keep]
            if len(d) < 2 or np.ptp(d) == 0:
                continue  # SciPy warns and gives NaN or infinity
            greater = stats.ttest_rel(one[keep], two[keep], alternative="greater")
            assert result.statistic == pytest.approx(greater.statistic)
            if len(d) <= 40:
                less = stats.ttest_rel(one[keep], two[keep], alternative="less")
                same_t(result, greater, less)
            else:
                assert result.p == pytest.approx(stats.norm.sf(greater.statistic), rel=1e-9)


def scipy_wilcoxon(d: np.ndarray, method: str) -> list[float]:
    sided = ("greater", "less", "two-sided")
    return [stats.wilcoxon(d, alternative=side, method=method, correction=False).pvalue for side in sided]


@given(values)
def test_signed_ranks_with_ties_against_scipy(pairs) -> None:
    first, second = sides(pairs)
    d = (first - second)[first != second]
    result = wilcoxon_test(first, second)
    if len(np.unique(np.abs(d))) == len(d):
        return
    expected = scipy_wilcoxon(d, "approx")
    assert [result.p, result.p_other, result.p_two_sided] == pytest.approx(expected, abs=1e-12)
    assert result.details["distribution"] == "normal"


@pytest.mark.parametrize("n", [1, 2, 7, 30, 50, 51, 200])
def test_signed_ranks_of_distinct_sizes_against_scipy(n: int) -> None:
    rng = np.random.default_rng(n)
    first, second = rng.random(n), rng.random(n)
    result = wilcoxon_test(first, second)
    method = "exact" if n <= 50 else "approx"
    expected = scipy_wilcoxon(first - second, method)
    assert [result.p, result.p_other, result.p_two_sided] == pytest.approx(expected, abs=1e-12)
    assert result.details["distribution"] == ("exact" if n <= 50 else "normal")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=20))
def test_tau_against_scipy(pairs) -> None:
    first, second = sides(pairs)
    scores = {name: dict(enumerate(values.tolist())) for name, values in (("F", first), ("E", second))}
    tau = kendall_matrix(scores, {"F": "higher", "E": "lower"})["F", "E"]
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        assert tau == 0.0  # SciPy gives NaN
    else:
        assert tau == pytest.approx(stats.kendalltau(first, -second).statistic, abs=1e-12)


@given(st.integers(0, 60), st.integers(1, 60), st.integers(0, 60), st.integers(1, 60))
def test_proportions_against_chi_square(hit_one: int, n_one: int, hit_two: int, n_two: int) -> None:
    """Z squared is the chi-square of the two by two table, without Yates' correction."""
    hit_one, hit_two = min(hit_one, n_one), min(hit_two, n_two)
    table = np.array([[hit_one, n_one - hit_one], [hit_two, n_two - hit_two]])
    result = proportion_test((hit_one / n_one, n_one), (hit_two / n_two, n_two))
    if (table.sum(axis=0) == 0).any():
        assert result.p_two_sided == 1.0
        return
    chi = stats.chi2_contingency(table, correction=False)
    assert result.statistic**2 == pytest.approx(chi.statistic, abs=1e-9)
    n = n_one + n_two
    if n > 40:
        assert result.p_two_sided == pytest.approx(chi.pvalue, abs=1e-9)
    else:
        assert result.p == pytest.approx(stats.t.sf(result.statistic, n - 1), abs=1e-12)


def test_sign_flips_against_scipy() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.random(12) + 0.15, rng.random(12)
    ours = permutation_test(first, second, resamples=40_000)
    for side, p in (("greater", ours.p), ("less", ours.p_other), ("two-sided", ours.p_two_sided)):
        exact = stats.permutation_test(
            (first, second),
            lambda a, b: np.mean(a - b),
            permutation_type="samples",
            n_resamples=np.inf,
            alternative=side,
        )
        assert p == pytest.approx(exact.pvalue, abs=0.01)


@pytest.mark.parametrize("distinct", [False, True])
def test_intervals_against_scipy(distinct: bool) -> None:
    rng = np.random.default_rng(6)
    values = rng.random(80) if distinct else rng.integers(0, 2, 80).astype(float)
    ours = bootstrap_interval(values, resamples=5000)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=5000, method="percentile", random_state=0)
    for one, two in ((ours.low, theirs.confidence_interval.low), (ours.high, theirs.confidence_interval.high)):
        assert one == pytest.approx(two, abs=0.15 * ours.error if distinct else 1.01 / 80)  # or one step of such a mean
