"""Options that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

InputFile = typer.Argument(exists=True, dir_okay=False, allow_dash=True)

HierarchyFile = Annotated[
    Path,
    typer.Option("--hierarchy", "-H", exists=True, dir_okay=False, allow_dash=True, help="File with the hierarchy."),
]
HierarchyFormat = Annotated[
    str | None,
    typer.Option(help="Format of the hierarchy: edges, csv, tsv, paths, json, obo or skos; found out by default."),
]
BreakCycles = Annotated[
    bool, typer.Option("--break-cycles", help="Drop as few links as possible where the hierarchy has cycles.")
]
LabelsFormat = Annotated[
    str | None,
    typer.Option(help="Format of label files: lines, csv, tsv, triples, jsonl or parquet; found out by default."),
]
Unknown = Annotated[
    Literal["error", "ignore"], typer.Option(help="What to do with labels that the hierarchy does not know.")
]
Format = Annotated[
    Literal["table", "json", "csv", "latex", "markdown"],
    typer.Option("--format", "-f", help="How to print results."),
]


def warn(lines: list[str]) -> None:
    """Talk goes to stderr, numbers to stdout."""
    for line in lines:
        print(f"Note: {line}", file=sys.stderr)
