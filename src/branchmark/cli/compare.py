"""branchmark compare"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from branchmark.cli import options
from branchmark.cli.inputs import named_files, read_resources, read_systems


def compare(
    predictions: options.Predictions,
    hierarchy: options.HierarchyFile,
    true: options.TrueFile,
    measure: options.Measures = None,
    test: Annotated[
        list[str] | None,
        typer.Option(
            help="s-test, S-test, T-test, T'-test, p-test, sign, wilcoxon, bootstrap or permutation; repeat for more. "
            "By default sign, or S-test for macro averages and measures with category values only."
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(help="Level at which a difference counts, after correction.")] = 0.05,
    correction: Annotated[
        Literal["holm", "bh", "none"], typer.Option(help="For many pairs of systems: Holm, Benjamini-Hochberg or none.")
    ] = "holm",
    resamples: Annotated[int, typer.Option(min=1, help="Of bootstrap and permutation.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of bootstrap and permutation.")] = 0,
    intervals: Annotated[bool, typer.Option(help="Bootstrap intervals of the scores.")] = True,
    training: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="Labels of the training set: also show F1 by training frequency."
        ),
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Also show intervals, all tests, agreement of measures.")
    ] = False,
    format: options.Format = "table",
    weights: options.Weights = None,
    matrix: options.Matrix = None,
    information_from: options.InformationFrom = None,
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
    """Which system is better, by which measure, and how surely.

    Example: branchmark compare -H topics.tsv --true gold.txt svm.txt nb.txt -m hF1 --test sign --test bootstrap
    """
    import branchmark as bm
    from branchmark.cli.evaluate import show
    from branchmark.evaluation import parse_measures
    from branchmark.significance import find_test

    parse_measures(measure)
    for name in test or ():
        find_test(name)
    systems = named_files(predictions)
    h = bm.read_hierarchy(
        hierarchy, format=hierarchy_format, break_cycles=break_cycles, **options.given(relations=relation)
    )
    columns = options.given(id_column=id_column, label_column=label_column, separator=separator)
    how = {"format": labels_format, "unknown": unknown, **columns}
    node_weights, matrices = read_resources(weights, matrix, information_from, h, how)
    truth, labelled = read_systems(true, systems, h, how)
    report = bm.compare(
        truth,
        dict(labelled),
        measure,
        tests=test,
        alpha=alpha,
        correction=correction,
        intervals=intervals,
        resamples=resamples,
        seed=seed,
        weights=node_weights,
        matrices=matrices,
        jobs=jobs,
    )
    frequency = None if training is None else report.by_frequency(bm.read_labels(training, h, **how))
    if format == "json":
        more = {} if frequency is None else {"by_frequency": frequency.to_records()}
        print(json.dumps({**report.to_dict(), **more}, ensure_ascii=False, indent=2))
        return
    options.warn(report.to_dict()["warnings"])
    tables = [report.table()]
    if format == "table" and len(systems) > 1:
        tables.append(report.order_table())
    if details:
        tables += report.details()
    show([*tables, *([frequency] if frequency else [])], format)
