"""branchmark inspect"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from branchmark.cli import options


def inspect(
    hierarchy: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, allow_dash=True, help="File with the hierarchy.")
    ],
    labels: Annotated[
        Path | None,
        typer.Option("--labels", "-l", exists=True, dir_okay=False, help="Also describe this file of labels."),
    ] = None,
    node: Annotated[str | None, typer.Option("--class", "-c", help="Show one class and its neighbours.")] = None,
    format: Annotated[Literal["table", "json"], typer.Option("--format", "-f", help="How to print.")] = "table",
    unknown: options.Unknown = "error",
    hierarchy_format: options.HierarchyFormat = None,
    relation: options.Relation = None,
    break_cycles: options.BreakCycles = False,
    labels_format: options.LabelsFormat = None,
    id_column: options.IdColumn = None,
    label_column: options.LabelColumn = None,
    separator: options.Separator = None,
) -> None:
    """Describe a hierarchy: kind, size, depth, leaves; or one class of it."""
    import branchmark as bm
    from branchmark.report.console import print_table
    from branchmark.table import Column, Table

    h = bm.read_hierarchy(
        hierarchy, format=hierarchy_format, break_cycles=break_cycles, **options.given(relations=relation)
    )
    parts = {"hierarchy": h.statistics() if node is None else describe(h, node)}
    if labels is not None:
        columns = options.given(id_column=id_column, label_column=label_column, separator=separator)
        parts["labels"] = bm.read_labels(labels, h, format=labels_format, unknown=unknown, **columns).statistics()
    if format == "json":
        print(json.dumps({**parts, "notes": h.notes}, ensure_ascii=False, indent=2))
        return
    options.warn(h.notes)
    for title, facts in parts.items():
        rows = [[key, ", ".join(map(str, v)) if isinstance(v, list) else str(v)] for key, v in facts.items()]
        print_table(Table([Column(title), Column("")], rows))


def describe(h: object, name: str) -> dict[str, object]:
    """What there is to say about one class."""
    from branchmark.hierarchy import Hierarchy

    assert isinstance(h, Hierarchy)
    own = h.names[h.id(name)]
    return {
        "class": own,
        "title": h.titles.get(own, ""),
        "depth": h.depth(name),
        "parents": h.parents(name),
        "children": h.children(name),
        "ancestors": h.ancestors(name),
        "descendants": len(h.descendants(name)),
    }
