"""Resampling: intervals, p-values, seeds and what happens where there is nothing to resample."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import branchmark as bm
from branchmark.batch import Batch, Context
from branchmark.errors import LabelError, MeasureError
from branchmark.significance import bootstrap_interval, bootstrap_test, permutation_test


def ratio(sums):
    return sums["hit"] / sums["all"]


def columns(hit, total) -> dict[str, np.ndarray]:
    return {"hit": np.asarray(hit), "all": np.asarray(total)}


@pytest.mark.parametrize("distinct", [False, True])  # rows drawn in groups, or singly
def test_the_error_of_a_mean_is_the_known_one(distinct: bool) -> None:
    rng = np.random.default_rng(3)
    values = rng.random(400) if distinct else rng.integers(0, 3, 400) / 2
    interval = bootstrap_interval(values, resamples=4000, seed=5)
    error = values.std() / math.sqrt(len(values))
    assert interval.value == pytest.approx(values.mean())
    assert interval.error == pytest.approx(error, rel=0.05)
    assert interval.low == pytest.approx(values.mean() - 1.96 * error, abs=0.15 * error)
    assert interval.high == pytest.approx(values.mean() + 1.96 * error, abs=0.15 * error)


def test_two_instances_have_three_resamples() -> None:
    # the sums of 0 and 1 are 0, 1, 2 with probability 1/4, 1/2, 1/4
    rows = columns([0, 1], [1, 1])
    seen: list[float] = []

    def finish(sums):
        seen.extend(np.atleast_1d(ratio(sums)).tolist() if len(sums["hit"]) > 1 else [])
        return ratio(sums)

    interval = bootstrap_interval(rows, finish, resamples=8000)
    shares = [seen.count(value) / 8000 for value in (0.0, 0.5, 1.0)]
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.03)
    assert (interval.value, interval.low, interval.high) == (0.5, 0.0, 1.0)


def test_columns_and_values_agree_where_they_mean_the_same() -> None:
    hits = np.random.default_rng(1).integers(0, 2, 300)
    by_rows = bootstrap_interval(columns(hits, np.ones(300)), ratio, seed=9)
    by_values = bootstrap_interval(hits, seed=9)
    assert (by_rows.low, by_rows.high, by_rows.value) == (by_values.low, by_values.high, by_values.value)


def test_rows_of_a_measure() -> None:
    h = bm.Hierarchy.from_edges([("top", x) for x in "abc"])
    rng = np.random.default_rng(0)
    true, first, second = (bm.LabelSets.from_lists(["abc"[i] for i in rng.integers(0, k, 200)], h) for k in (1, 2, 3))
    measure = bm.measure("F1")
    one, two = (measure.rows(Batch(Context(h, {}), true.rows, s.rows), "instance") for s in (first, second))
    result = bootstrap_test(one, two, lambda sums: measure.finish(sums, "total"))
    values = [bm.evaluate(true, s, measure)[measure].value for s in (first, second)]
    assert result.effect == pytest.approx(values[0] - values[1])
    assert result.interval[0] < result.effect < result.interval[1]
    assert result.wins - result.losses == pytest.approx(200 * result.effect)
    assert result.symbol == ">>"


def macro(sums):
    return bm.measure("F1").finish(sums, "category").mean(axis=1)


def category_counts(true: bm.LabelSets, pred: bm.LabelSets) -> dict[str, object]:
    t, p = true.to_indicator().astype(float), pred.to_indicator().astype(float)
    return {"common": t.multiply(p), "pred": p, "true": t}


def test_averages_over_categories() -> None:
    h = bm.Hierarchy.from_edges([("top", x) for x in "abcd"])
    rng = np.random.default_rng(2)
    true, first, second = (
        bm.LabelSets.from_lists([list("abcd"[: k + 1]) for k in rng.integers(0, 4, 60)], h) for _ in range(3)
    )
    rows = category_counts(true, first)
    interval = bootstrap_interval(rows, macro, resamples=300, seed=4)
    dense = {name: matrix.toarray() for name, matrix in rows.items()}
    chance = np.random.default_rng(4)
    weights = [np.bincount(chance.integers(0, 60, 60), minlength=60) for _ in range(300)]
    drawn = [macro({name: (w @ matrix)[None, :] for name, matrix in dense.items()})[0] for w in weights]
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))
    result = bootstrap_test(rows, category_counts(true, second), macro, resamples=99)
    assert (result.wins, result.ties, result.losses, result.n) == (None, None, None, 60)
    assert bootstrap_test(rows, rows, macro, resamples=99).p == 1.0
    with pytest.raises(LabelError, match="same shape"):
        bootstrap_interval(rows | {"true": rows["true"][:, :2]}, macro)
    with pytest.raises(MeasureError, match=r"one score for each of 1 sums; got shape \(1, 5\)"):
        bootstrap_interval(rows, lambda sums: sums["true"])


def test_seeds_reproduce() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.random(50), rng.random(50)
    for test in (bootstrap_test, permutation_test):
        assert test(first, second, seed=7) == test(first, second, seed=7)
        assert test(first, second, seed=7).details["seed"] == 7
        assert test(first, second, seed=7) != test(first, second, seed=8)
    assert bootstrap_interval(first, seed=7) == bootstrap_interval(first, seed=7)
    assert bootstrap_interval(first, seed=7) != bootstrap_interval(first, seed=8)


def test_p_values_are_never_0() -> None:
    for test in (bootstrap_test, permutation_test):
        result = test([1.0] * 60, [0.0] * 60, resamples=99)
        assert (result.p, result.p_other, result.symbol) == (0.01, 1.0, ">>")
        turned = test([1.0] * 60, [0.0] * 60, resamples=99, better="lower")
        assert (turned.p, turned.p_other, turned.effect, turned.losses) == (1.0, 0.01, -1.0, 60)


def test_identical_systems() -> None:
    values = np.random.default_rng(0).random(30)
    for test in (bootstrap_test, permutation_test):
        result = test(values, values)
        assert (result.p, result.p_other, result.p_two_sided) == (1.0, 1.0, 1.0)
        assert (result.effect, result.ties) == (0.0, 30)
    assert bootstrap_test(values, values).interval == (0.0, 0.0)


def test_one_instance() -> None:
    interval = bootstrap_interval([0.4])
    assert (interval.low, interval.value, interval.high) == pytest.approx((0.4, 0.4, 0.4))
    assert interval.error == pytest.approx(0.0, abs=1e-12)
    assert bootstrap_test([0.4], [0.3], resamples=9).interval == pytest.approx((0.1, 0.1))
    assert permutation_test([0.4], [0.3], resamples=999).p == pytest.approx(0.5, abs=0.05)


def test_sign_flips_by_hand() -> None:
    # differences 1, 2, 4: of 8 sums 7 and -7 are the extremes
    result = permutation_test([1, 2, 4], [0, 0, 0], resamples=20000)
    assert result.p == pytest.approx(1 / 8, abs=0.01)
    # ten seeds together, within three standard errors of their mean: tighter than any one of them could be held to
    drawn = [permutation_test([1, 2, 4], [0, 0, 0], resamples=20000, seed=seed).p_two_sided for seed in range(10)]
    assert np.mean(drawn) == pytest.approx(2 / 8, abs=3 * (0.25 * 0.75 / 200_000) ** 0.5)
    assert result.p_other == 1.0
    # equal differences are thrown in groups: at least 7 of 8 heads
    grouped = permutation_test([1] * 7 + [0], [0] * 7 + [1], resamples=20000)
    assert grouped.p == pytest.approx(9 / 256, abs=0.005)


def test_missing_values_are_left_out_and_counted() -> None:
    values = [0.2, math.nan, 0.4, math.nan]
    interval = bootstrap_interval(values, resamples=200)
    assert (interval.value, interval.left_out) == (pytest.approx(0.3), 2)
    # now and then neither of the two that have a value is drawn
    assert 0 < interval.undefined < 40
    result = bootstrap_test([0.5, math.nan, 0.7, 0.6], [0.1, 0.2, 0.3, 0.1])
    assert result.details["left_out"] == 1
    assert result.effect == pytest.approx(0.6 - 0.175)  # each score over what it is defined on
    assert permutation_test([0.5, math.nan], [0.1, 0.2]).details["left_out"] == 1


def test_what_cannot_be_resampled_is_refused() -> None:
    with pytest.raises(MeasureError, match="undefined"):
        bootstrap_interval([])
    with pytest.raises(MeasureError, match="undefined"):
        bootstrap_interval([math.nan])
    with pytest.raises(MeasureError, match="need finish"):
        bootstrap_interval(columns([1], [1]))
    with pytest.raises(MeasureError, match="finish goes with columns"):
        bootstrap_interval([1.0], ratio)
    with pytest.raises(LabelError, match="equally long"):
        bootstrap_interval(columns([1], [1, 2]), ratio)
    with pytest.raises(LabelError, match="count is missing"):
        bootstrap_interval(columns([math.nan], [1]), ratio)
    with pytest.raises(LabelError, match="2 instances and the second 1"):
        bootstrap_test([1, 2], [1])
    for resamples in (0, 1.5, True):
        with pytest.raises(MeasureError, match="whole number of at least 1"):
            permutation_test([1], [2], resamples=resamples)
    with pytest.raises(MeasureError, match="confidence"):
        bootstrap_interval([1.0], confidence=1.0)


def test_a_hundred_thousand_instances_take_seconds() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.random(100_000), rng.random(100_000)
    start = time.perf_counter()
    bootstrap_test(first, second, resamples=1000)
    assert time.perf_counter() - start < 30  # 0.6 s where nothing else runs
