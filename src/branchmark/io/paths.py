"""Label paths: ``Arts/Music/Pop``, or one column of a table for each level."""

from __future__ import annotations

from branchmark.io import columns
from branchmark.io.base import HierarchyFormat, HierarchyOptions
from branchmark.io.delimited import read_table
from branchmark.io.source import BLANKS, Source
from branchmark.links import Links

TABLES = {".csv": None, ".tsv": "\t", ".tab": "\t"}


def read(source: Source, options: HierarchyOptions) -> Links:
    """One path a line; in a .csv or .tsv file a column a level, or one column of paths."""
    if source.suffix in TABLES:
        return links_of_table(source, options, TABLES[source.suffix])
    paths = [(line, text.strip(BLANKS)) for line, text in enumerate(source.text.split("\n"), 1)]
    return _links([(line, text.split(options.separator)) for line, text in paths if text], source, options)


def links_of_table(source: Source, options: HierarchyOptions, delimiter: str | None) -> Links:
    """Links from a table with a column of paths, else from all its columns as levels."""
    table = read_table(source, delimiter, ragged=True)
    path = columns.path_column(table.header)
    if path is not None:
        cells = zip(table.lines, table.column(path), strict=True)
        return _links([(line, cell.split(options.separator)) for line, cell in cells if cell], source, options)
    rows = []
    for line, row in zip(table.lines, table.rows, strict=True):
        levels = list(row)
        while levels and not levels[-1]:  # paths end at different depths
            levels.pop()
        if levels:
            rows.append((line, levels))
    return _links(rows, source, options)


def _links(rows: list[tuple[int, list[str]]], source: Source, options: HierarchyOptions) -> Links:
    if not options.separator:
        raise source.error("the separator of a path must not be empty")
    lines = [line for line, _ in rows]
    return Links.from_paths((levels for _, levels in rows), options.separator, lines=lines, source=source.name)


def sniff(source: Source) -> bool:
    """Lines with slashes that are not all pairs of fields."""
    if not any("/" in line for line in source.head):
        return False
    at = "\t" if "\t" in source.head[0] else None
    return not all(len(line.split(at)) == 2 for line in source.head)


FORMAT = HierarchyFormat("paths", (".paths",), sniff, read, options=("separator",))
