"""Options that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

HierarchyFile = Annotated[
    Path,
    typer.Option("--hierarchy", "-H", exists=True, dir_okay=False, allow_dash=True, help="File with the hierarchy."),
]
HierarchyFormat = Annotated[
    str | None,
    typer.Option(help="Format of the hierarchy: edges, csv, tsv, paths, json, obo or skos; found out by default."),
]
Relation = Annotated[
    list[str] | None,
    typer.Option(help="Relation of an OBO file that makes a term the child of another; is_a and part_of by default."),
]
BreakCycles = Annotated[
    bool, typer.Option("--break-cycles", help="Drop as few links as possible where the hierarchy has cycles.")
]
LabelsFormat = Annotated[
    str | None,
    typer.Option(help="Format of label files: lines, csv, tsv, triples, jsonl or parquet; found out by default."),
]
IdColumn = Annotated[
    str | None, typer.Option(help="Column or key with the instance ids, where its name does not tell.")
]
LabelColumn = Annotated[
    list[str] | None, typer.Option(help="Column or key with the labels, where its name does not tell; repeat for more.")
]
Separator = Annotated[str | None, typer.Option(help="Between the labels of one cell or line.")]
Unknown = Annotated[
    Literal["error", "ignore"], typer.Option(help="What to do with labels that the hierarchy does not know.")
]
Format = Annotated[
    Literal["table", "json", "csv", "latex", "markdown"],
    typer.Option("--format", "-f", help="How to print results."),
]


def given(**options: Any) -> dict[str, Any]:
    """Options that were used; the others keep the defaults of whatever they are passed to."""
    return {name: value for name, value in options.items() if value}


def warn(lines: list[str]) -> None:
    """Talk goes to stderr, numbers to stdout."""
    for line in lines:
        print(f"Note: {line}", file=sys.stderr)
