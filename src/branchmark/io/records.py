"""From cells and records to label sets: what tables, JSON lines and Parquet share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from branchmark.errors import LabelError, shorten
from branchmark.hierarchy import Hierarchy
from branchmark.io import labelscores
from branchmark.io.base import LabelOptions
from branchmark.io.source import BLANKS, Source
from branchmark.labelsets import LabelSets
from branchmark.ragged import Ragged

SEPARATORS = ("|", ";", ",", " ")  # tried in this order where the caller names none
SAMPLE = 100
HAS_BLANK = re.compile(f"[{BLANKS}]").search


def place(source: Source, row: int, lines: Sequence[int] | None) -> str:
    """Where a record stands, as the start of a message."""
    return f"{source.name}: instance {row}" if lines is None else f"{source.name}:{lines[row]}"


def split_cells(cells: Sequence[str], hierarchy: Hierarchy, separator: str | None) -> list[list[str]]:
    """Labels of each cell.

    Without a separator a cell that is a class name (with or without a score) is one label; if any cell is
    not, the first of ``|``, ``;``, ``,`` and blank that occurs in such a cell separates the labels of all.
    """
    if separator is not None:
        return [_parts(cell, separator) for cell in cells]
    wholes = (hierarchy.name_table.get_all(list(cells)) >= 0).tolist()
    wholes = [whole or _is_scored(cell, hierarchy) for cell, whole in zip(cells, wholes, strict=True)]
    joined = [cell for cell, whole in zip(cells, wholes, strict=True) if not whole and cell]
    found = next((mark for mark in SEPARATORS if any(mark in cell for cell in joined)), None)
    return [
        ([cell] if cell else []) if whole or found is None else _parts(cell, found)
        for cell, whole in zip(cells, wholes, strict=True)
    ]


def _is_scored(cell: str, hierarchy: Hierarchy) -> bool:
    pair = labelscores.cut(cell) if ":" in cell else None
    return pair is not None and pair[0] in hierarchy


def _parts(cell: str, separator: str) -> list[str]:
    parts = cell.split(separator)
    if all(parts) and not HAS_BLANK(cell):
        return parts
    return [part for part in (part.strip(BLANKS) for part in parts) if part]


def with_scores(
    rows: list[list[str]],
    hierarchy: Hierarchy,
    scores: bool | None,
    source: Source,
    lines: Sequence[int] | None,
) -> list[Any]:
    """Rows of labels; rows of {label: score} if the fields have scores."""
    if scores is None:
        scores = labelscores.looks_scored((field for row in rows[:SAMPLE] for field in row), hierarchy)
    if not scores:
        return rows
    out = []
    for i, row in enumerate(rows):
        entry: dict[str, float] = {}
        for field in row:
            pair = labelscores.cut(field)
            if pair is None:
                raise LabelError(f"{place(source, i, lines)}: {labelscores.problem(field)}")
            entry[pair[0]] = max(pair[1], entry.get(pair[0], pair[1]))
        out.append(entry)
    return out


def label_sets(
    source: Source,
    hierarchy: Hierarchy,
    options: LabelOptions,
    entries: Sequence[Any],
    *,
    ids: Sequence[str] | None = None,
    lines: Sequence[int] | None = None,
    merge: bool = False,
) -> LabelSets:
    """Label sets of records; with ``merge`` the records of one id form one instance."""
    if ids is not None:
        for row, name in enumerate(ids):
            if not name:
                raise LabelError(f"{place(source, row, lines)}: the instance has no id")
        if not merge:
            _refuse_repetition(source, ids, lines)
    sets = LabelSets.from_lists(entries, hierarchy, unknown=options.unknown, lines=lines, source=source.name)
    if ids is None:
        return sets
    if not merge:
        sets.ids = list(ids)
        return sets
    position: dict[str, int] = {}
    group = np.array([position.setdefault(name, len(position)) for name in ids], dtype=np.int64)
    order = np.argsort(group, kind="stable")
    lengths = np.bincount(group, weights=sets.rows.lengths(), minlength=len(position)).astype(np.int64)
    together = sets.rows.take(order)
    return LabelSets.from_ids(
        hierarchy,
        Ragged(np.concatenate([[0], np.cumsum(lengths)]), together.indices),
        None if sets.scores is None else sets.scores[sets.rows.positions(order)],
        ids=list(position),
        ignored=sets.ignored,
        unknown=sets.unknown,
        source=sets.source,
    )


def _refuse_repetition(source: Source, ids: Sequence[str], lines: Sequence[int] | None) -> None:
    first: dict[str, int] = {}
    repeated: dict[str, int] = {}
    for row, name in enumerate(ids):
        if first.setdefault(name, row) != row:
            repeated.setdefault(name, row)
    if repeated:
        row = next(iter(repeated.values()))
        raise LabelError(
            f"{place(source, row, lines)}: {len(repeated):,} ids occur more than once: "
            f"{shorten(list(repeated))}; where each row is one label of an instance, "
            "call the column 'label', not 'labels'"
        )
