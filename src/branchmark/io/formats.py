"""All formats. A new one is a module of this package and a line here.

Files without a telling suffix get the first format that recognises them, so the order matters: the last one
takes any text.
"""

from __future__ import annotations

from branchmark.io import (
    edges,
    jsonl,
    lines,
    linktable,
    nested,
    obo,
    parquet,
    paths,
    skos,
    tabular,
    triples,
)
from branchmark.io.base import HierarchyFormat, LabelFormat

HIERARCHY_FORMATS: tuple[HierarchyFormat, ...] = (
    obo.FORMAT,
    skos.FORMAT,
    nested.FORMAT,
    linktable.TSV,
    linktable.CSV,
    paths.FORMAT,
    edges.FORMAT,
)

LABEL_FORMATS: tuple[LabelFormat, ...] = (
    parquet.FORMAT,
    jsonl.FORMAT,
    tabular.TSV,
    tabular.CSV,
    triples.FORMAT,
    lines.FORMAT,
)
