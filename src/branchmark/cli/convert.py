"""branchmark convert"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from branchmark.cli import options


def convert(
    source: Annotated[Path, typer.Argument(exists=True, dir_okay=False, allow_dash=True, help="File to read.")],
    target: Annotated[Path, typer.Argument(dir_okay=False, help="File to write; its suffix decides the format.")],
    hierarchy: Annotated[
        Path | None,
        typer.Option("--hierarchy", "-H", exists=True, dir_okay=False, help="Convert labels of this hierarchy."),
    ] = None,
    source_format: Annotated[str | None, typer.Option("--from", help="Format of the source.")] = None,
    target_format: Annotated[str | None, typer.Option("--to", help="Format of the target.")] = None,
    hierarchy_format: options.HierarchyFormat = None,
    relation: options.Relation = None,
    break_cycles: options.BreakCycles = False,
    id_column: options.IdColumn = None,
    label_column: options.LabelColumn = None,
    separator: options.Separator = None,
    unknown: options.Unknown = "error",
) -> None:
    """Convert a hierarchy, or with -H a file of labels, into another format."""
    import branchmark as bm

    graph = options.given(relations=relation, break_cycles=break_cycles)
    if hierarchy is None:
        h = bm.read_hierarchy(source, format=source_format, **graph)
        options.warn(h.notes)
        bm.write_hierarchy(h, target, format=target_format)
        return
    h = bm.read_hierarchy(hierarchy, format=hierarchy_format, **graph)
    options.warn(h.notes)
    columns = options.given(id_column=id_column, label_column=label_column, separator=separator)
    labels = bm.read_labels(source, h, format=source_format, unknown=unknown, **columns)
    if labels.ignored:
        options.warn([f"{labels.ignored:,} unknown labels were left out"])
    bm.write_labels(labels, target, format=target_format)
