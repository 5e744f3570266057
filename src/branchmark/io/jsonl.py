"""Labels as JSON, one value a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from branchmark.errors import FormatError
from branchmark.hierarchy import Hierarchy
from branchmark.io import columns, records, values
from branchmark.io.base import LabelFormat, LabelOptions, WriteOptions
from branchmark.io.jsontext import parse
from branchmark.io.source import BLANKS, Source
from branchmark.labelsets import LabelSets


def read(source: Source, hierarchy: Hierarchy, options: LabelOptions) -> LabelSets:
    """Objects such as ``{"id": "d1", "labels": ["a", "b"]}``, or the labels alone.

    Labels are a list, one text, ``{label: score}``, or a list of ``{"label": ..., "score": ...}``. A .json
    file may hold all instances in one array. Blank lines are skipped.
    """
    data: list[Any]
    lines: list[int] | None = None
    if source.suffix == ".json" and source.text.lstrip(BLANKS).startswith("["):
        data = parse(source, source.text)
    else:
        texts = [(line, text) for line, text in enumerate(source.text.split("\n"), 1) if text.strip(BLANKS)]
        data = [parse(source, text, line) for line, text in texts]
        lines = [line for line, _ in texts]
    if not data:
        raise source.error("there are no instances")
    found = _columns(source, data, lines, options)
    if found is None:
        entries = values.plain_entries(source, hierarchy, options, data, lines)
        return records.label_sets(source, hierarchy, options, entries, lines=lines)
    wanted = [*found.labels, *(name for name in (found.id, found.score) if name is not None)]
    try:
        by_key = {name: [record[name] for record in data] for name in wanted}
    except (KeyError, TypeError):
        row, missing = next(
            (row, name)
            for row, record in enumerate(data)
            for name in wanted
            if not isinstance(record, Mapping) or name not in record
        )
        raise FormatError(
            f"{records.place(source, row, lines)}: expected an object with {missing!r}, as on the first line; "
            f"got {json.dumps(data[row], ensure_ascii=False)[:80]}"
        ) from None
    return values.label_sets(source, hierarchy, options, found, by_key, lines)


def _columns(
    source: Source, data: Sequence[Any], lines: Sequence[int] | None, options: LabelOptions
) -> columns.LabelColumns | None:
    """The keys that hold id, labels and scores; None if each value is the labels themselves."""
    first = data[0]
    named = options.id_column or options.label_column or options.score_column
    if not isinstance(first, Mapping):
        if named:
            raise FormatError(f"{records.place(source, 0, lines)}: expected an object with keys, got {first!r}")
        return None
    found = columns.label_columns([str(key) for key in first], options)
    if isinstance(found, str):
        if not named and all(isinstance(value, int | float) for value in first.values()):
            return None  # {label: score}
        raise FormatError(f"{records.place(source, 0, lines)}: {found.replace('column', 'key', 1)}")
    return found


def write(labels: LabelSets, options: WriteOptions) -> str:
    """One object a line, with the id if there is one; {label: score} if there are scores."""
    names = labels.hierarchy.names
    ids = labels.ids if options.ids else None
    out = []
    for row in range(len(labels)):
        start, stop = labels.rows.indptr[row : row + 2].tolist()
        found: Any = [names[i] for i in labels.rows.indices[start:stop].tolist()]
        if labels.scores is not None:
            found = dict(zip(found, labels.scores[start:stop].tolist(), strict=True))
        record = {"labels": found} if ids is None else {"id": ids[row], "labels": found}
        out.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(out)


def sniff(source: Source) -> bool:
    """JSON begins with a brace or a bracket."""
    return bool(source.head) and source.head[0].lstrip().startswith(("{", "["))


FORMAT = LabelFormat(
    "jsonl",
    (".jsonl", ".ndjson", ".json"),
    sniff,
    read,
    write,
    ("id_column", "label_column", "score_column", "separator"),
)
