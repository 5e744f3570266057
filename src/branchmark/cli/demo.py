"""branchmark demo"""

from __future__ import annotations


def demo() -> None:
    """Score two systems on the data that comes with the package."""
    from importlib.resources import as_file, files

    import branchmark as bm
    from branchmark.cli.evaluate import show, total_tables
    from branchmark.measures.sets import PRESETS
    from branchmark.table import Cell, Column, Table

    with as_file(files("branchmark") / "demo") as folder:
        h = bm.read_hierarchy(folder / "topics.edges")
        truth, *systems = (bm.read_labels(folder / f"{name}.csv", h) for name in ("gold", "svm", "bayes"))
    print(f"{h!r}\n{truth!r}\n")
    results = {
        name: bm.evaluate(truth, labels, system=name) for name, labels in zip(("svm", "bayes"), systems, strict=True)
    }
    show([*total_tables(results, "table"), results["svm"].by("depth")], "table")
    rows: list[list[Cell]] = []
    for preset in PRESETS:
        score = next(iter(bm.evaluate(truth, systems[0], f"hF1(preset={preset})")))
        rows.append([preset, score.value, str(score.measure)])
    print("\nOne system, ten tools and papers, the same name hF:")
    show([Table([Column("preset"), Column("hF1 of svm"), Column("which is")], rows)], "table")
