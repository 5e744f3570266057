"""What tests share: values of two systems in pairs, and tails of distributions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchmark.errors import LabelError, MeasureError

Floats = NDArray[np.float64]

DIRECTIONS = ("higher", "lower")
SAME = 1e-12  # two scores that differ by less, relative to their size, differ by rounding only


def upper_normal(z: float) -> float:
    """P(Z >= z) of the standard normal distribution."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def upper_tail(value: float, freedom: int | None) -> float:
    """P(T >= value) of Student's t, or of the normal distribution where there is no number of freedoms."""
    if freedom is None or math.isinf(value):
        return upper_normal(value)
    from scipy.special import stdtr

    return float(stdtr(freedom, -value))


def both_sides(p: float, p_other: float) -> float:
    """Two-sided p-value: twice the smaller side."""
    return min(1.0, 2 * min(p, p_other))


def check_better(better: str) -> float:
    """1 where higher is better, -1 where lower is."""
    if better not in DIRECTIONS:
        raise MeasureError(f"better must be higher or lower; got {better!r}")
    return 1.0 if better == "higher" else -1.0


def paired(first: Any, second: Any, better: str = "higher") -> tuple[Floats, Floats, int]:
    """Both systems' values, turned so that higher is better, and how many pairs were left out.

    Mappings, such as `Score.per_category`, are paired by their keys. Pairs are left out in which a value is NaN or
    missing. Values that differ by no more than rounding (one part in 10**12) are made equal: 0.1 + 0.2 is no win
    over 0.3.
    """
    sign = check_better(better)
    if isinstance(first, Mapping) != isinstance(second, Mapping):
        raise LabelError("values by name can only be compared with values by name")
    if isinstance(first, Mapping):
        names = list(dict.fromkeys([*first, *second]))
        first, second = ([values.get(name, math.nan) for name in names] for values in (first, second))
    one, two = numbers(first), numbers(second)
    if len(one) != len(two):
        raise LabelError(f"the first system has {len(one):,} values and the second {len(two):,}")
    keep = ~(np.isnan(one) | np.isnan(two))
    if not keep.any():
        raise LabelError(f"there is nothing to compare: none of {len(keep):,} pairs has both values")
    one, two = sign * one[keep], sign * two[keep]
    return one, np.where(is_rounding(one, two), one, two), int(len(keep) - keep.sum())


def is_rounding(one: Any, two: Any) -> NDArray[np.bool_]:
    """Where two scores differ by no more than rounding."""
    same: NDArray[np.bool_] = np.abs(one - two) <= SAME * np.maximum(np.abs(one), np.abs(two))
    return same


def numbers(values: Any) -> Floats:
    """One row of numbers, NaN where one is missing."""
    try:
        row = np.asarray(values if hasattr(values, "__array__") else list(values), dtype=np.float64)
    except (TypeError, ValueError):
        raise LabelError("a test compares numbers, one per instance or category") from None
    if row.ndim != 1:
        raise LabelError(f"a test compares one number per instance or category; got {row.ndim} dimensions")
    if np.isinf(row).any():
        raise LabelError(f"value {int(np.flatnonzero(np.isinf(row))[0])} is infinite")
    return row
