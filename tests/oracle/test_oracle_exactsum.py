"""Sums without rounding against fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchmark.tally import ExactSum

SMALLEST = 5e-324  # the least subnormal
LEAST_NORMAL = 2.2250738585072014e-308
LARGEST = 1.7976931348623157e308

finite = st.floats(allow_nan=False, allow_infinity=False)
awkward = st.sampled_from(
    [
        0.0,
        -0.0,
        SMALLEST,
        -SMALLEST,
        3 * SMALLEST,
        LEAST_NORMAL,
        LEAST_NORMAL - SMALLEST,
        -LEAST_NORMAL,
        LARGEST,
        -LARGEST,
        1.0,
        -1.0,
        1 / 3,
        0.1,
        1 + 2**-52,
        2.0**53 - 1,
        2.0**32,
        2.0**-32,
        2.0**-1035,
        2.0**-1036 * (1 + 2**-30),
    ]
)
lists = st.lists(st.one_of(finite, awkward), max_size=30)


def summed(values: list[float]) -> ExactSum:
    return ExactSum.of(np.array(values, dtype=np.float64))


@given(lists)
def test_the_sum_is_exact(values: list[float]) -> None:
    assert summed(values).total == sum(map(Fraction, values))
    assert summed(values).count == len(values)


@given(lists, lists, lists)
def test_parts_add_up_in_any_order(a: list[float], b: list[float], c: list[float]) -> None:
    whole = summed(a + b + c)
    assert summed(a) + (summed(b) + summed(c)) == whole
    assert (summed(c) + summed(a)) + summed(b) == whole


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=30))
def test_mean_is_rounded_once(values: list[float]) -> None:
    assert summed(values).mean() == float(sum(map(Fraction, values)) / len(values))


@given(st.lists(st.floats(-1e300, 1e300), max_size=30))
def test_total_rounds_as_fsum_does(values: list[float]) -> None:
    assert float(summed(values).total) == math.fsum(values)


@given(st.lists(st.one_of(finite, st.just(math.nan)), max_size=20))
def test_nan_is_not_there(values: list[float]) -> None:
    there = [v for v in values if v == v]
    assert summed(values) == summed(there)


@pytest.mark.parametrize("value", [LARGEST, -LARGEST, SMALLEST, -SMALLEST, 0.1, -1.0])
def test_many_equal_numbers(value: float) -> None:
    n = 100_001
    assert summed([value] * n).total == Fraction(value) * n


def test_many_merges_leave_room_for_more() -> None:
    part = summed([1.0, LARGEST, -SMALLEST])
    total = part
    for _ in range(999):
        total = total + part
    assert total.total == 1000 * part.total
    assert total.count == 3000


def test_nothing_has_no_mean() -> None:
    assert math.isnan(summed([]).mean())
    assert math.isnan(summed([math.nan]).mean())


def test_sums_with_other_counts_differ() -> None:
    assert summed([1.0, 1.0]) != summed([2.0])
    assert summed([2.0]) != 2.0


def test_memory_around_the_digits_is_left_alone() -> None:
    # the digits of the least numbers must lie inside the array: no digit may be needed below the first
    from branchmark._kernels import exactsum

    least_bit = 1074 + 53  # a subnormal's mantissa is taken as 53 bits that end there
    assert least_bit <= exactsum.LOWEST
    assert exactsum.LOWEST % 32 == 0
    assert (1024 - 53 + exactsum.LOWEST) // 32 + 2 < exactsum.DIGITS
