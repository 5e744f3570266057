"""Labels in tables: a row for each instance, or a row for each label of an instance."""

from __future__ import annotations

from functools import partial
from itertools import chain

from branchmark.errors import FormatError
from branchmark.hierarchy import Hierarchy
from branchmark.io import columns, labelscores, records
from branchmark.io.base import LabelFormat, LabelOptions, WriteOptions
from branchmark.io.delimited import check_outer_blanks, header_of, read_table, to_text
from branchmark.io.source import Source
from branchmark.labelsets import LabelSets

OPTIONS = ("id_column", "label_column", "score_column", "separator")


def read(source: Source, hierarchy: Hierarchy, options: LabelOptions, delimiter: str | None) -> LabelSets:
    """Read a table; rows of one id are one instance unless the label column has its name in the plural."""
    table = read_table(source, delimiter)
    found = columns.label_columns(table.header, options)
    if isinstance(found, str):
        raise source.error(f"{found}; for lines without a header use the format lines or triples", 1)
    ids = None if found.id is None else table.column(found.id)
    if found.score is not None:
        entries = _scored(source, table.lines, table.column(found.labels[0]), table.column(found.score))
        return records.label_sets(source, hierarchy, options, entries, ids=ids, lines=table.lines, merge=True)
    cells = [table.column(name) for name in found.labels]
    if len(cells) == 1:
        rows = records.split_cells(cells[0], hierarchy, options.separator)
    else:
        flat = records.split_cells(
            [cell for row in zip(*cells, strict=True) for cell in row], hierarchy, options.separator
        )
        width = len(cells)
        rows = [list(chain.from_iterable(flat[i : i + width])) for i in range(0, len(flat), width)]
    entries = records.with_scores(rows, hierarchy, options.scores, source, table.lines)
    merge = not found.several
    return records.label_sets(source, hierarchy, options, entries, ids=ids, lines=table.lines, merge=merge)


def _scored(source: Source, lines: list[int], labels: list[str], scores: list[str]) -> list[dict[str, float]]:
    entries: list[dict[str, float]] = []
    for line, label, score in zip(lines, labels, scores, strict=True):
        pair = labelscores.cut(f"{label}:{score}") if label else None
        if label and pair is None:
            raise source.error(f"the score of {label!r} must be a finite number; got {score!r}", line)
        entries.append({} if pair is None else {label: pair[1]})
    return entries


def write(labels: LabelSets, options: WriteOptions, delimiter: str) -> str:
    """A row for each instance: its id, if it has one, and its labels in one cell."""
    names = labels.hierarchy.names
    used = [names[i] for i in labels.labels_in_use().tolist()]
    check_outer_blanks(used, FormatError)
    mark = options.separator
    clash = next((name for name in labels.hierarchy if mark in name), None)
    if clash is not None and (labels.rows.lengths() > 1).any():
        raise FormatError(
            f"the class name {clash!r} holds the separator {mark!r}; write jsonl or choose another separator="
        )
    cells = (mark.join(row) for row in labelscores.rows_of(labels))
    if labels.ids is None or not options.ids:
        return to_text(("labels",), ((cell,) for cell in cells), delimiter)
    check_outer_blanks(labels.ids, FormatError)
    return to_text(("id", "labels"), zip(labels.ids, cells, strict=True), delimiter)


def sniff(source: Source, delimiter: str | None) -> bool:
    """A header of several columns, one of them for labels."""
    header = header_of(source, delimiter)
    return len(header) > 1 and isinstance(columns.label_columns(header, LabelOptions()), columns.LabelColumns)


CSV = LabelFormat(
    "csv",
    (".csv",),
    partial(sniff, delimiter=None),
    partial(read, delimiter=None),
    partial(write, delimiter=","),
    OPTIONS,
)
TSV = LabelFormat(
    "tsv",
    (".tsv", ".tab"),
    partial(sniff, delimiter="\t"),
    partial(read, delimiter="\t"),
    partial(write, delimiter="\t"),
    OPTIONS,
)
