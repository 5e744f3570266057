"""Hierarchies as tables with a header: a parent column and a child column, or one column for each level."""

from __future__ import annotations

from functools import partial

from branchmark.errors import FormatError
from branchmark.hierarchy import Hierarchy
from branchmark.io import columns
from branchmark.io.base import HierarchyFormat, HierarchyOptions
from branchmark.io.delimited import check_outer_blanks, header_of, read_table, to_text
from branchmark.io.edges import isolated
from branchmark.io.paths import links_of_table
from branchmark.io.source import Source
from branchmark.links import Links


def read(source: Source, options: HierarchyOptions, delimiter: str | None) -> Links:
    """An empty parent cell marks a class without parents; blank lines are skipped."""
    header = header_of(source, delimiter)
    if isinstance(columns.parent_and_child(header, options), str) and _has_paths(header):
        return links_of_table(source, options, delimiter)
    table = read_table(source, delimiter)
    found = columns.parent_and_child(table.header, options)
    if isinstance(found, str):
        raise source.error(found, 1)
    parent_column, child_column = found
    title_column = columns.title_column(table.header, found)
    parents, children = table.column(parent_column), table.column(child_column)
    edges, nodes, lines = [], [], []
    for parent, child, line, row in zip(parents, children, table.lines, table.rows, strict=True):
        if not any(row):  # spreadsheets end in rows of commas
            continue
        if not child:
            raise source.error(f"the {child_column} is empty (the {parent_column} is {parent!r})", line)
        if parent:
            edges.append((parent, child))
            lines.append(line)
        else:
            nodes.append(child)
    titles = {}
    if title_column is not None:
        cells = zip(children, table.column(title_column), strict=True)
        titles = {child: title for child, title in cells if title}
    return Links.from_names(edges, nodes, lines, source=source.name, titles=titles)


def _has_paths(header: list[str]) -> bool:
    return bool(columns.level_columns(header)) or columns.path_column(header) is not None


def write(hierarchy: Hierarchy, delimiter: str) -> str:
    """A line for each link and, with an empty parent, for each class without links."""
    check_outer_blanks(hierarchy, FormatError)
    alone = [("", name) for name in isolated(hierarchy)]
    return to_text(("parent", "child"), [*alone, *hierarchy.edges()], delimiter)


def sniff(source: Source, delimiter: str | None) -> bool:
    """A header with a parent and a child column."""
    header = header_of(source, delimiter)
    return len(header) > 1 and not isinstance(columns.parent_and_child(header, HierarchyOptions()), str)


_OPTIONS = ("parent_column", "child_column", "separator")
CSV = HierarchyFormat(
    "csv",
    (".csv",),
    partial(sniff, delimiter=None),
    partial(read, delimiter=None),
    partial(write, delimiter=","),
    _OPTIONS,
)
TSV = HierarchyFormat(
    "tsv",
    (".tsv", ".tab"),
    partial(sniff, delimiter="\t"),
    partial(read, delimiter="\t"),
    partial(write, delimiter="\t"),
    _OPTIONS,
)
