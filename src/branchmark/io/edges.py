"""Lists of ``parent child`` lines, the format of LSHTC and HEMKit."""

from __future__ import annotations

import numpy as np

from branchmark._kernels.names import EMPTY, NameTable, parse_rows
from branchmark.errors import FormatError, shorten
from branchmark.hierarchy import ROOT, Hierarchy
from branchmark.io.base import HierarchyFormat, HierarchyOptions
from branchmark.io.source import BLANKS, Source
from branchmark.links import Links

TAB = 9


def read(source: Source, options: HierarchyOptions) -> Links:
    """One link a line, split at tabs if the first line has one, else at blanks; blank lines are skipped."""
    data = source.data
    first = data.lstrip(BLANKS.encode()).partition(b"\n")[0].rstrip()
    at_tabs = b"\t" in first
    table = NameTable()
    indptr, ids, _, empties = parse_rows(data, table, insert=True, delimiter=TAB if at_tabs else 0)
    lengths = np.diff(indptr)
    fields = lengths.copy()
    if len(empties):  # tabs alone are a blank line, and one after the child is a trailing blank
        rows, count = np.unique(empties[:, 2], return_counts=True)
        fields[rows[count == lengths[rows]]] = 0
        rows = rows[lengths[rows] == 3]
        fields[rows[(ids[indptr[rows] + 2] == EMPTY) & (fields[rows] > 0)]] = 2
    lines = np.flatnonzero(fields == 2)
    parents, children = ids[indptr[lines]], ids[indptr[lines] + 1]
    wrong = np.flatnonzero((fields != 2) & (fields != 0))
    empty = lines[(parents == EMPTY) | (children == EMPTY)]
    if len(wrong) or len(empty):
        line = int(min([*wrong[:1], *empty[:1]]))
        text = data.split(b"\n", line + 1)[line].decode()
        raise source.error(_problem(text, int(lengths[line]), at_tabs), line + 1)
    return Links(table, parents, children, source=source.name, lines=lines + 1)


def _problem(text: str, fields: int, at_tabs: bool) -> str:
    shown = repr(text.rstrip("\r"))
    if at_tabs and fields in (2, 3):
        parts = [part.strip(BLANKS) for part in text.split("\t")]
        if fields == 2 or not all(parts[:2]):
            missing = "parent" if not parts[0] else "child"
            return f"the {missing} has no name in {shown}; a line holds a parent, a tab and a child"
    if at_tabs:
        return (
            f"expected 2 fields, parent and child, found {fields} in {shown}; "
            "the first line has a tab, so each line needs one"
        )
    if fields == 1:
        return f"expected a parent and a child, found only {shown}; a class alone needs the csv or json format"
    return (
        f"expected 2 fields, parent and child, found {fields} in {shown}; "
        "where names hold blanks, put a tab between parent and child"
    )


def write(hierarchy: Hierarchy) -> str:
    """All links, in the order of their children; tabs between the names only if a name holds a blank."""
    alone = isolated(hierarchy)
    if alone:
        raise FormatError(f"edges cannot hold classes without links: {shorten(alone)}; write csv, tsv or json")
    blank = set(BLANKS)
    between = " "
    for name in hierarchy:
        if not blank.isdisjoint(name):
            between = "\t"
            if "\t" in name or "\n" in name or name != name.strip(BLANKS):
                raise FormatError(f"edges cannot hold the class name {name!r}; write json")
    return "".join(f"{parent}{between}{child}\n" for parent, child in hierarchy.edges())


def isolated(hierarchy: Hierarchy) -> list[str]:
    """Classes that no link mentions."""
    tops = hierarchy.child_links[ROOT].tolist() if hierarchy.root_is_virtual else [ROOT]
    return [hierarchy.names[top] for top in tops if hierarchy.is_leaf[top]]


def sniff(source: Source) -> bool:
    """The fallback for plain text."""
    return True


FORMAT = HierarchyFormat("edges", (".edges", ".edgelist", ".hier"), sniff, read, write)
