"""Each test under the null hypothesis and under a real difference, by simulation; and the s-test at full size."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest

import branchmark as bm
from branchmark.ragged import Ragged
from branchmark.significance import (
    TestResult,
    bootstrap_test,
    macro_sign_test,
    micro_sign_test,
    permutation_test,
    proportion_test,
    rank_t_test,
    sign_test,
    t_test,
    wilcoxon_test,
)

pytestmark = pytest.mark.slow

ROUNDS = 2000
LEVELS = (0.01, 0.05)
CATEGORIES = 20
FLAT = bm.Hierarchy.from_edges([("top", str(i)) for i in range(CATEGORIES)])
CLASS_IDS = np.array([FLAT.id(str(i)) for i in range(CATEGORIES)], dtype=np.int32)


def rows(matrix: np.ndarray) -> bm.LabelSets:
    """Label sets of an instances x categories matrix, by a short way."""
    instance, category = np.nonzero(matrix)
    return bm.LabelSets.from_ids(FLAT, Ragged.from_pairs(instance, CLASS_IDS[category], len(matrix)))


def decisions(rng: np.random.Generator, n: int, gain: float) -> TestResult:
    true = rng.random((n, CATEGORIES)) < 0.1
    first = true ^ (rng.random(true.shape) < 0.1 * (1 - gain))
    second = true ^ (rng.random(true.shape) < 0.1)
    return micro_sign_test(rows(true), rows(first), rows(second))


def values(rng: np.random.Generator, n: int, gain: float) -> tuple[np.ndarray, np.ndarray]:
    """Paired values of common difficulty, with ties at 0 and 1 and otherwise few."""
    difficulty = rng.normal(0.5, 0.25, n)
    noise = rng.normal(0, 0.15, (2, n))
    first, second = np.clip(difficulty + noise + np.array([[gain * 0.15], [0.0]]), 0, 1).round(3)
    return first, second


def on_values(test: Callable[..., TestResult], **options) -> Callable[..., TestResult]:
    return lambda rng, n, gain: test(*values(rng, n, gain), **options)


def resampled(test: Callable[..., TestResult]) -> Callable[..., TestResult]:
    return lambda rng, n, gain: test(*values(rng, n, gain), resamples=199, seed=int(rng.integers(2**31)))


def shares(rng: np.random.Generator, n: int, gain: float) -> TestResult:
    hits = rng.binomial(n, 0.7 + 0.15 * gain), rng.binomial(2 * n, 0.7)
    return proportion_test((hits[0] / n, n), (hits[1] / (2 * n), 2 * n))


# name: simulation, its n, and how far the true level may be from the nominal one because the statistic takes few
# values (sign tests, proportions), or because the distribution is right for very many pairs only (normal, bootstrap)
CASES = {
    "s-test": (decisions, 60, 0.004),
    "S-test": (on_values(macro_sign_test), 90, 0.006),
    "T-test, t": (on_values(t_test), 30, 0.0),
    "T-test, normal": (on_values(t_test), 90, 0.003),
    "T'-test, t": (on_values(rank_t_test), 30, 0.0),
    "T'-test, normal": (on_values(rank_t_test), 90, 0.003),
    "p-test": (shares, 400, 0.003),
    "sign": (on_values(sign_test), 300, 0.005),
    "wilcoxon": (on_values(wilcoxon_test), 200, 0.0),
    "bootstrap": (resampled(bootstrap_test), 200, 0.004),
    "permutation": (resampled(permutation_test), 200, 0.0),
}


@pytest.mark.parametrize("name", CASES)
def test_under_the_null_hypothesis_a_test_rejects_at_its_level(name: str, capsys) -> None:
    simulate, n, slack = CASES[name]
    rng = np.random.default_rng(1999)
    p = np.array([[r.p, r.p_other, r.p_two_sided] for r in (simulate(rng, n, 0.0) for _ in range(ROUNDS))])
    with capsys.disabled():
        print()
    for level in LEVELS:
        rates = (p <= level).mean(axis=0)
        error = 3 * np.sqrt(level * (1 - level) / ROUNDS)
        with capsys.disabled():
            shown = ", ".join(f"{what} {rate:.4f}" for what, rate in zip(("p", "other", "both"), rates, strict=True))
            print(f"  {name:16} n={n:<4} level {level}: {shown}   (within {error:.4f} + {slack})")
        assert (np.abs(rates - level) <= error + slack).all()


@pytest.mark.parametrize("name", CASES)
def test_power_grows_with_n(name: str, capsys) -> None:
    simulate, n, _ = CASES[name]
    rng = np.random.default_rng(2014)
    sizes = (n // 4, n, 4 * n)
    power = [np.mean([simulate(rng, size, 0.25).p <= 0.05 for _ in range(200)]) for size in sizes]
    with capsys.disabled():
        print(f"\n  {name:16} power at n = {sizes}: {', '.join(f'{x:.2f}' for x in power)}", end="")
    assert power[0] < power[2]
    assert power[0] <= power[1] <= power[2]
    assert power[2] > 0.5


def test_the_s_test_at_full_size() -> None:
    """452,167 instances x 325,056 classes, as in DBpedia Large."""
    n, classes = 452_167, 325_056
    h = bm.Hierarchy.from_edges([("top", str(i)) for i in range(1, classes)])
    rng = np.random.default_rng(0)

    def labels() -> bm.LabelSets:
        lengths = rng.poisson(3.26, n)
        indptr = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(lengths, out=indptr[1:])
        return bm.LabelSets.from_ids(h, Ragged(indptr, rng.integers(1, classes, indptr[-1], dtype=np.int32)))

    true, first, second = labels(), labels(), labels()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    result = micro_sign_test(true, first, second)
    seconds = time.perf_counter() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * (1 if sys.platform == "darwin" else 1024)
    assert result.wins + result.ties + result.losses == n * classes
    assert seconds < 2
    assert grown < 2**30
