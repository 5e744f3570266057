"""branchmark demo"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    write: Annotated[
        Path | None, typer.Option(file_okay=False, help="Write the demo's files to this folder instead.")
    ] = None,
) -> None:
    """Score two simulated systems on the data that comes with the package."""
    from importlib.resources import as_file, files

    with as_file(files("branchmark") / "demo") as folder:
        if write is not None:
            copy(folder, write)
        else:
            run(folder)


def copy(folder: Path, target: Path) -> None:
    """Files to try the other commands on."""
    from shutil import copyfile

    from branchmark.errors import BranchmarkError

    try:
        target.mkdir(parents=True, exist_ok=True)
        for file in sorted(folder.iterdir()):
            copyfile(file, target / file.name)
            print(target / file.name)
    except OSError as error:
        raise BranchmarkError(f"cannot write to {target}: {error.strerror}") from None


def run(folder: Path) -> None:
    """The main job: two systems, all default measures, and what tools call hF."""
    import branchmark as bm
    from branchmark.cli.evaluate import show, total_tables
    from branchmark.measures.sets import PRESETS
    from branchmark.table import Cell, Column, Table

    h = bm.read_hierarchy(folder / "topics.edges")
    truth = bm.read_labels(folder / "gold.csv", h)
    systems = {name: bm.read_labels(folder / f"{name}.csv", h) for name in ("svm", "bayes")}
    print(f"{h!r}\n{truth!r}\n")
    results = {name: bm.evaluate(truth, labels, system=name) for name, labels in systems.items()}
    show([*total_tables(results, "table"), results["svm"].by("depth")], "table")
    rows: list[list[Cell]] = []
    for preset in PRESETS:
        (score,) = bm.evaluate(truth, systems["svm"], f"hF1(preset={preset})")
        rows.append([preset, score.value, str(score.measure)])
    print("\nOne system, and what ten tools and papers would print as its hF:")
    show([Table([Column("preset"), Column("svm"), Column("which is")], rows)], "table")
