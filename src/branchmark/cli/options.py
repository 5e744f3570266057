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
Predictions = Annotated[
    list[str], typer.Argument(metavar="PRED...", help="Files of predictions, one per system: FILE or NAME=FILE.")
]
TrueFile = Annotated[
    Path, typer.Option("--true", "-t", exists=True, dir_okay=False, allow_dash=True, help="File with the truth.")
]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="A measure such as 'hF1(root=included)', or all; repeat for more."),
]
Weights = Annotated[
    list[str] | None,
    typer.Option(help="NAME=FILE with lines 'class weight', for measures with weights=NAME; repeat for more."),
]
Matrix = Annotated[
    list[str] | None,
    typer.Option(help="NAME=FILE with a square table of costs or similarities, for cost=NAME or similarity=NAME."),
]
InformationFrom = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        dir_okay=False,
        help="Labels (usually of the training set) whose information content gives weights=ic and similarity=lin or "
        "resnik.",
    ),
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
