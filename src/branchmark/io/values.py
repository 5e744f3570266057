"""Labels of typed records, from JSON or Parquet: lists, texts, numbers and scores in several shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from branchmark.errors import LabelError
from branchmark.hierarchy import Hierarchy
from branchmark.io import records
from branchmark.io.base import LabelOptions
from branchmark.io.columns import LabelColumns
from branchmark.io.source import Source
from branchmark.labels import is_missing
from branchmark.labelsets import LabelSets


def label_sets(
    source: Source,
    hierarchy: Hierarchy,
    options: LabelOptions,
    found: LabelColumns,
    data: Mapping[str, Sequence[Any]],
    lines: Sequence[int] | None = None,
) -> LabelSets:
    """Label sets of columns of values; rows of one id are one instance unless the name is plural."""
    ids = None
    if found.id is not None:
        ids = ["" if is_missing(value) else str(value) for value in data[found.id]]
    entries: list[Any]
    if len(found.labels) == 1:
        entries = list(data[found.labels[0]])
    else:
        entries = [
            [label for cell in row for label in (cell if isinstance(cell, list) else [cell])]
            for row in zip(*(data[name] for name in found.labels), strict=True)
        ]
    merge = not found.several
    if found.score is not None:
        merge = merge or not any(isinstance(entry, list) for entry in entries)
        entries = [
            _paired(labels, scores, records.place(source, row, lines))
            for row, (labels, scores) in enumerate(zip(entries, data[found.score], strict=True))
        ]
    entries = plain_entries(source, hierarchy, options, entries, lines)
    return records.label_sets(source, hierarchy, options, entries, ids=ids, lines=lines, merge=merge)


def plain_entries(
    source: Source,
    hierarchy: Hierarchy,
    options: LabelOptions,
    entries: Sequence[Any],
    lines: Sequence[int] | None,
) -> list[Any]:
    """Entries as lists of labels or as {label: score}; a text is a cell, as in a table."""
    if set(map(type, entries)) == {list} and set(map(type, chain.from_iterable(entries))) == {str}:
        return records.with_scores(list(entries), hierarchy, options.scores, source, lines)  # the common shape
    cells = [entry for entry in entries if isinstance(entry, str)]
    if cells:
        parts = iter(records.split_cells(cells, hierarchy, options.separator))
        entries = [next(parts) if isinstance(entry, str) else entry for entry in entries]
    shaped = [_shaped(entry, records.place(source, row, lines)) for row, entry in enumerate(entries)]
    texts = [row for row in shaped if isinstance(row, list)]
    if len(texts) == len(shaped) and all(isinstance(label, str) for row in texts for label in row):
        return records.with_scores(texts, hierarchy, options.scores, source, lines)
    return shaped


def _shaped(entry: Any, place: str) -> list[Any] | dict[Any, Any]:
    """One instance: a list of labels, or a dict of label and score."""
    if is_missing(entry):
        return []
    if isinstance(entry, Mapping):
        return _pair(entry, place) if set(entry) == {"label", "score"} else dict(entry)
    if not isinstance(entry, list | tuple):
        entry = [entry]
    if entry and all(isinstance(item, Mapping) for item in entry):
        pairs = [_pair(item, place) for item in entry]
    elif entry and all(isinstance(item, list | tuple) and len(item) == 2 for item in entry):
        pairs = [{label: score} for label, score in entry]  # the items of a Parquet map, or [label, score]
    else:
        for item in entry:
            if isinstance(item, bool) or not (isinstance(item, str | int | float) or is_missing(item)):
                raise LabelError(f"{place}: a label must be text or a whole number; got {item!r}")
        return [item for item in entry if not is_missing(item)]
    merged: dict[Any, Any] = {}
    for pair in pairs:
        for label, score in pair.items():
            if isinstance(label, list | dict):
                raise LabelError(f"{place}: a label must be text or a whole number; got {label!r}")
            merged[label] = score
    return merged


def _pair(item: Mapping[Any, Any], place: str) -> dict[Any, Any]:
    if not {"label", "score"} <= set(item) or isinstance(item["label"], list | dict):
        raise LabelError(f'{place}: expected {{"label": ..., "score": ...}}, got {dict(item)!r}')
    return {item["label"]: item["score"]}


def _paired(labels: Any, scores: Any, place: str) -> dict[Any, Any]:
    """Labels and scores of two columns."""
    several = labels if isinstance(labels, list) else [] if is_missing(labels) else [labels]
    numbers = scores if isinstance(scores, list) else [] if is_missing(scores) and not several else [scores]
    if len(several) != len(numbers):
        raise LabelError(f"{place}: {len(several)} labels, but {len(numbers)} scores")
    return dict(zip(several, numbers, strict=True))
