"""branchmark evaluate"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from branchmark.cli import options
from branchmark.cli.inputs import named_files, read_resources, read_systems

if TYPE_CHECKING:
    from branchmark.score import Scores
    from branchmark.table import Table


def evaluate(
    predictions: options.Predictions,
    hierarchy: options.HierarchyFile,
    true: options.TrueFile,
    measure: options.Measures = None,
    format: options.Format = "table",
    per_instance: Annotated[
        Path | None, typer.Option(help="Also write one row per instance to this .csv, .tsv or .parquet file.")
    ] = None,
    by: Annotated[
        Literal["category", "depth"] | None,
        typer.Option(help="One row per category or per depth instead of totals."),
    ] = None,
    weights: options.Weights = None,
    matrix: options.Matrix = None,
    information_from: options.InformationFrom = None,
    explain: Annotated[
        str | None, typer.Option(help="Also show how the values of this instance (its id or number) come about.")
    ] = None,
    unknown: options.Unknown = "error",
    hierarchy_format: options.HierarchyFormat = None,
    relation: options.Relation = None,
    break_cycles: options.BreakCycles = False,
    labels_format: options.LabelsFormat = None,
    id_column: options.IdColumn = None,
    label_column: options.LabelColumn = None,
    separator: options.Separator = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Threads; all cores by default.")] = None,
) -> None:
    """Score systems against the truth.

    Example: branchmark evaluate -H topics.tsv --true gold.txt svm.txt nb.txt -m hF1 -m "F1(average=macro)"
    """
    import branchmark as bm
    from branchmark.evaluation import evaluation_json, parse_measures

    parse_measures(measure)  # a wrong name should be told before files are read
    systems = named_files(predictions)
    if per_instance is not None:
        check_per_instance(per_instance)
    h = bm.read_hierarchy(
        hierarchy, format=hierarchy_format, break_cycles=break_cycles, **options.given(relations=relation)
    )
    columns = options.given(id_column=id_column, label_column=label_column, separator=separator)
    how = {"format": labels_format, "unknown": unknown, **columns}
    node_weights, matrices = read_resources(weights, matrix, information_from, h, how)
    truth, labelled = read_systems(true, systems, h, how)
    results: dict[str, Scores] = {}
    for name, labels in labelled:
        with progress_bar(name, len(truth)) as progress:
            results[name] = bm.evaluate(
                truth,
                labels,
                measure,
                weights=node_weights,
                matrices=matrices,
                jobs=jobs,
                system=name,
                progress=progress,
            )
    if per_instance is not None:
        write_per_instance(results, per_instance)
    reasons = {} if explain is None else {name: explanations(scores, explain) for name, scores in results.items()}
    if format == "json":
        report = evaluation_json(results, h, len(truth))
        for system in report["systems"] if reasons else []:
            texts = reasons[system["name"]]
            system["explanations"] = [{"instance": explain, "measures": m, "text": text} for text, m in texts.items()]
        if by is not None:
            for system, scores in zip(report["systems"], results.values(), strict=True):
                system[f"by_{by}"] = scores.by(by).to_records()
        print(json.dumps(report, ensure_ascii=False, indent=2))
        return
    options.warn(evaluation_json(results, h, len(truth))["warnings"])
    tables = by_tables(results, by, format) if by is not None else total_tables(results, format)
    show(tables, format)
    for name, texts in reasons.items():
        for text, measures in texts.items():
            print(f"\n{name}, instance {explain}, {', '.join(measures)}:\n{text}")


def progress_bar(name: str, total: int) -> Any:
    """A bar on stderr for long runs on a terminal, else nothing."""
    from contextlib import contextmanager, nullcontext

    if total < 200_000 or not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.progress import Progress

    @contextmanager
    def bar() -> Any:
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(name, total=total)
            yield lambda done: progress.update(task, completed=done)

    return bar()


def total_tables(results: dict[str, Scores], format: str) -> list[Table]:
    """Measures x systems, and the kinds of error."""
    from branchmark.measures.kinds import KINDS
    from branchmark.table import Cell, Column, Table

    if format == "csv":
        rows: list[list[Cell]] = [
            [name, str(s.measure), s.value, s.better, str(s.signature)]
            for name, scores in results.items()
            for s in scores
        ]
        return [Table([Column(c) for c in ("system", "measure", "value", "better", "signature")], rows)]
    first = next(iter(results.values()))
    lines: list[list[Cell]] = [
        [
            f"{score.measure} {score.measure.arrow}",
            *(scores[score.measure].value for scores in results.values()),
        ]
        for score in first
    ]
    totals = Table(
        [Column("measure"), *(Column(name) for name in results)],
        lines,
        notes=[first.footer()],
        row_better=[score.better for score in first],
    )
    kinds = Table(
        [Column("kind of error"), *(Column(name) for name in results), Column("meaning")],
        [[kind, *(scores.kinds[kind] for scores in results.values()), meaning] for kind, meaning in KINDS.items()],
    )
    return [totals, kinds]


def by_tables(results: dict[str, Scores], by: str, format: str) -> list[Table]:
    """One table per system; one for all, with the system in its first column, where a program reads it."""
    from branchmark.table import Column, Table

    tables = {name: scores.by(by) for name, scores in results.items()}
    if format == "csv":
        first = next(iter(tables.values()))
        rows = [[name, *row] for name, table in tables.items() for row in table.rows]
        return [Table([Column("system"), *first.columns], rows)]
    return [Table(table.columns, table.rows, title=name) for name, table in tables.items()]


def show(tables: list[Table], format: str) -> None:
    """Print tables, a blank line between them."""
    from branchmark.report import render
    from branchmark.report.console import print_table

    for i, table in enumerate(tables):
        if i:
            print()
        if format == "table":
            print_table(table)
        else:
            print(render(table, format), end="")


def explanations(scores: Scores, instance: str) -> dict[str, list[str]]:
    """What lies behind the values of one instance: each text once, with the measures it explains."""
    from branchmark.errors import MeasureError

    found: dict[str, list[str]] = {}
    for score in scores:
        try:
            reason = score.explain(int(instance) if scores.ids is None and instance.isdecimal() else instance)
        except MeasureError:
            continue  # most measures have nothing to add to their value
        found.setdefault(str(reason), []).append(str(score.measure))
    return found


def check_per_instance(path: Path) -> None:
    """Say no before the work rather than after it."""
    if path.suffix not in (".csv", ".tsv", ".parquet"):
        raise typer.BadParameter(f"--per-instance writes .csv, .tsv or .parquet; got {path.name!r}")
    if not path.parent.is_dir():
        raise typer.BadParameter(f"--per-instance: folder {str(path.parent)!r} does not exist")


def write_per_instance(results: dict[str, Scores], path: Path) -> None:
    """One row per instance and one column per measure; several systems share the row."""
    from branchmark.io import write_table
    from branchmark.table import Column, Table

    tables = {name: scores.per_instance() for name, scores in results.items()}
    first = next(iter(tables.values()))
    if len(tables) == 1:
        write_table(first, path)
        return
    columns = [first.columns[0]]
    columns += [Column(f"{name}:{c.name}", c.better) for name, t in tables.items() for c in t.columns[1:]]
    parts = zip(*(table.rows for table in tables.values()), strict=True)
    rows = [[same[0][0], *(cell for row in same for cell in row[1:])] for same in parts]
    write_table(Table(columns, rows), path)
