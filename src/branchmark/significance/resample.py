"""Sums over resampled instances: weights @ rows, in blocks.

The weights of a resample are multinomial. Instances with equal rows are interchangeable, so where rows repeat, as
small counts do, their number is drawn at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchmark.errors import LabelError, MeasureError
from branchmark.significance.values import Floats, numbers

Finish = Callable[[dict[str, Any]], Any]

BLOCK = 4_000_000  # numbers in memory at a time


@dataclass(frozen=True)
class Rows:
    """A table with a row of numbers per instance, and the scores of (rows of) their sums.

    A wide table is a scipy sparse matrix with a column per count and category.
    """

    table: Any
    finish: Callable[[Floats], Any]
    left_out: int = 0
    wide: bool = False

    def __len__(self) -> int:
        return int(self.table.shape[0])

    @classmethod
    def of(cls, rows: Any, finish: Finish | None) -> Rows:
        """From values per instance, columns of counts, or matrices of counts."""
        if not isinstance(rows, Mapping):
            if finish is not None:
                raise MeasureError("values per instance are averaged; finish goes with columns of counts")
            values = numbers(rows)
            known = ~np.isnan(values)
            table = np.column_stack([np.where(known, values, 0.0), known])
            return cls(table, lambda sums: sums[:, 0] / sums[:, 1], int(len(known) - known.sum()))
        if finish is None:
            raise MeasureError("columns of counts need finish, the function from their sums to scores")
        names, finisher = list(rows), finish  # for the closures
        if names and all(hasattr(column, "tocsr") for column in rows.values()):
            return cls._of_matrices(rows, finish)
        columns = [numbers(column) for column in rows.values()]
        if len({len(column) for column in columns}) != 1:
            raise LabelError("columns of counts must be equally long, one entry per instance")
        table = np.column_stack(columns)
        if np.isnan(table).any():
            raise LabelError("a count is missing (NaN), so the columns have no sum")
        return cls(table, lambda sums: finisher(dict(zip(names, sums.T, strict=True))))

    @classmethod
    def _of_matrices(cls, rows: Mapping[str, Any], finish: Finish) -> Rows:
        from scipy.sparse import hstack

        names, shapes = list(rows), {matrix.shape for matrix in rows.values()}
        if len(shapes) != 1:
            raise LabelError("matrices of counts must have the same shape, instances x categories")
        table = hstack([matrix.tocsr() for matrix in rows.values()], format="csr", dtype=np.float64)
        if not np.isfinite(table.data).all():
            raise LabelError("a count is missing (NaN) or infinite, so the matrices have no sum")
        return cls(
            table, lambda sums: finish(dict(zip(names, np.split(sums, len(names), axis=1), strict=True))), wide=True
        )

    def scores(self, sums: Floats) -> Floats:
        """The score of each row of sums, NaN where it has none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray(self.finish(sums), dtype=np.float64)
        if found.shape != (len(sums),):
            raise MeasureError(f"finish must give one score for each of {len(sums):,} sums; got shape {found.shape}")
        return np.where(np.isfinite(found), found, np.nan)

    def singly(self) -> Floats:
        """The score of every instance alone."""
        return self.scores(self.table)

    def value(self) -> float:
        """The score of all instances."""
        total = np.asarray(self.table.sum(axis=0), dtype=np.float64).reshape(1, -1)
        value = float(self.scores(total)[0]) if len(self) else np.nan
        if np.isnan(value):
            raise MeasureError("the score of all instances is undefined, so there is nothing to resample")
        return value


def resampled(samples: Sequence[Rows], resamples: int, seed: int) -> list[Floats]:
    """Scores of each sample on the same resamples of its rows."""
    out = [np.empty(resamples) for _ in samples]
    tables, weights = _drawn(samples, resamples, np.random.default_rng(seed))
    done = 0
    for part in weights:
        stop = done + len(part)
        for scores, sample, table in zip(out, samples, tables, strict=True):
            # a sparse table stands on the left, where scipy keeps it sparse
            scores[done:stop] = sample.scores(
                np.ascontiguousarray((table.T @ part.T).T) if sample.wide else part @ table
            )
        done = stop
    return out


def _drawn(samples: Sequence[Rows], resamples: int, rng: np.random.Generator) -> tuple[list[Any], Iterator[Floats]]:
    """Tables, and blocks of weights of their rows."""
    n = len(samples[0])
    tables = [sample.table for sample in samples]
    if not any(sample.wide for sample in samples):
        cuts = np.cumsum([table.shape[1] for table in tables])[:-1]
        distinct, counts = np.unique(np.hstack(tables), axis=0, return_counts=True)
        if len(distinct) * 4 <= n:  # else single draws are quicker
            step = max(1, BLOCK // len(distinct))
            groups = (
                rng.multinomial(n, counts / n, size=min(step, resamples - start)).astype(np.float64)
                for start in range(0, resamples, step)
            )
            return np.split(distinct, cuts, axis=1), groups
    step = max(1, BLOCK // max(n, *(table.shape[1] for table in tables)))
    return tables, (_weights(n, min(step, resamples - start), rng) for start in range(0, resamples, step))


def _weights(n: int, size: int, rng: np.random.Generator) -> Floats:
    """How often each of n rows is drawn, for several resamples."""
    weights = np.empty((size, n))
    for row in weights:
        row[:] = np.bincount(rng.integers(0, n, n), minlength=n)
    return weights


def flipped_sums(sizes: Floats, resamples: int, seed: int) -> Floats:
    """Sums of the sizes with random signs."""
    rng = np.random.default_rng(seed)
    out = np.empty(resamples)
    distinct, counts = np.unique(sizes, return_counts=True)
    grouped = len(distinct) * 4 <= len(sizes)  # else single bits are quicker
    step = max(1, BLOCK // max(1, len(distinct) if grouped else len(sizes)))
    for start in range(0, resamples, step):
        part = out[start : start + step]
        if grouped:  # of `count` equal sizes a binomial number is added and the rest taken away
            plus = rng.binomial(counts, 0.5, size=(len(part), len(distinct)))
            part[:] = (2.0 * plus - counts) @ distinct
        else:
            bits = rng.integers(0, 256, size=(len(part), (len(sizes) + 7) // 8), dtype=np.uint8)
            part[:] = 2.0 * (np.unpackbits(bits, axis=1, count=len(sizes)).astype(np.float64) @ sizes) - sizes.sum()
    return out
