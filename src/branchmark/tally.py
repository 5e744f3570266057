"""What a part of the data contributes to a score: counts and exact sums that add up in any order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels import exactsum


class ExactSum:
    """The sum of doubles without rounding, and how many were added; NaN counts as absent."""

    __slots__ = ("count", "digits")

    def __init__(self, digits: NDArray[np.int64], count: int) -> None:
        self.digits = digits
        self.count = count

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> ExactSum:
        """Sum an array."""
        return cls(*exactsum.exact_sum(np.ascontiguousarray(values, dtype=np.float64)))

    def __add__(self, other: ExactSum) -> ExactSum:
        digits = self.digits + other.digits
        exactsum.normalise(digits)
        return ExactSum(digits, self.count + other.count)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactSum):
            return NotImplemented
        return self.total == other.total and self.count == other.count

    __hash__ = None  # type: ignore[assignment]

    @property
    def total(self) -> Fraction:
        """The sum itself."""
        whole = sum(int(digit) << (32 * i) for i, digit in enumerate(self.digits))
        return Fraction(whole, 1 << exactsum.LOWEST)

    def mean(self) -> float:
        """The mean, rounded once; NaN when nothing was added."""
        return float(self.total / self.count) if self.count else float("nan")

    def __repr__(self) -> str:
        return f"ExactSum({float(self.total)!r} of {self.count})"


Entry = int | NDArray[np.int64] | ExactSum


class Tally:
    """Named counts, arrays of counts and exact sums; ``a + b`` is the tally of both parts together."""

    __slots__ = ("entries",)

    def __init__(self, entries: dict[str, Entry]) -> None:
        self.entries = entries

    def __getitem__(self, name: str) -> Entry:
        return self.entries[name]

    def __add__(self, other: Tally) -> Tally:
        if self.entries.keys() != other.entries.keys():
            raise ValueError("tallies of different measures do not add up")
        return Tally({name: entry + other.entries[name] for name, entry in self.entries.items()})  # type: ignore[operator]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self.entries.keys() == other.entries.keys() and all(
            bool(np.all(entry == other.entries[name])) for name, entry in self.entries.items()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tally({self.entries})"
