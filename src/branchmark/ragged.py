"""Rows of different length in two arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels.closure import group


@dataclass(frozen=True, eq=False, slots=True)
class Ragged:
    """Row i is ``indices[indptr[i]:indptr[i + 1]]``; indptr need not start at 0, so slices share memory."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]

    @classmethod
    def from_lists(cls, rows: Iterable[Iterable[int]]) -> Ragged:
        """Copy a list of lists."""
        lists = [list(row) for row in rows]
        indptr = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in lists], out=indptr[1:])
        indices = np.fromiter((x for row in lists for x in row), dtype=np.int32, count=int(indptr[-1]))
        return cls(indptr, indices)

    @classmethod
    def from_pairs(cls, rows: NDArray[Any], values: NDArray[Any], count: int) -> Ragged:
        """Group values by row; values keep their order within a row."""
        flat_rows = np.ascontiguousarray(rows, dtype=np.int32)
        if len(flat_rows) and (flat_rows.min() < 0 or flat_rows.max() >= count):
            raise IndexError("a row is out of range")
        return cls(*group(flat_rows, np.ascontiguousarray(values, dtype=np.int32), count))

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __getitem__(self, row: int) -> NDArray[np.int32]:
        return self.indices[self.indptr[row] : self.indptr[row + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ragged):
            return NotImplemented
        return np.array_equal(self.lengths(), other.lengths()) and np.array_equal(self.flat(), other.flat())

    __hash__ = None  # type: ignore[assignment]

    def lengths(self) -> NDArray[np.int64]:
        """Number of values in each row."""
        return np.diff(self.indptr)

    def flat(self) -> NDArray[np.int32]:
        """All values of these rows, one after another."""
        return self.indices[self.indptr[0] : self.indptr[-1]]

    def row_of_each(self) -> NDArray[np.int64]:
        """The row number of every value of `flat`."""
        return np.repeat(np.arange(len(self)), self.lengths())

    def slice(self, start: int, stop: int) -> Ragged:
        """Some rows, sharing memory."""
        return Ragged(self.indptr[start : stop + 1], self.indices)

    def without(self, value: int) -> Ragged:
        """The rows without one value, copied."""
        flat = self.flat()
        keep = flat != value
        before = np.concatenate([[0], np.cumsum(keep)])
        return Ragged(before[self.indptr - self.indptr[0]], flat[keep])

    def positions(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the values of these rows stand in `indices`, row after row."""
        lengths = self.lengths()[rows]
        ends = np.cumsum(lengths)
        offsets = np.repeat(self.indptr[:-1][rows] - (ends - lengths), lengths)
        found: NDArray[np.int64] = np.arange(int(ends[-1]) if len(ends) else 0) + offsets
        return found

    def take(self, rows: NDArray[np.int64]) -> Ragged:
        """Rows in another order or with repetition, copied."""
        indptr = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(self.lengths()[rows], out=indptr[1:])
        return Ragged(indptr, self.indices[self.positions(rows)])
