"""branchmark measures"""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated, Any, Literal

import typer


def measures(
    name: Annotated[str | None, typer.Argument(help="Show one measure with its parameters.")] = None,
    format: Annotated[Literal["table", "json"], typer.Option("--format", "-f", help="How to print.")] = "table",
) -> None:
    """List all measures, or explain one: meaning, range, parameters, presets, citation."""
    from branchmark.measures import list_measures, measure
    from branchmark.report.console import print_table
    from branchmark.table import Column, Table

    if name is not None:
        facts = explain(type(measure(name)))
        if format == "json":
            print(json.dumps(facts, ensure_ascii=False, indent=2))
            return
        print(f"{facts['name']}: {facts['title']}\n{facts['meaning']}")
        units = f"; per {' and '.join(facts['units'])}" if facts["units"] else ""
        print(f"range {facts['range']}, {facts['better']} is better{units}")
        print(f"defined by {facts['citation']}\n")
        rows = [[p["name"], str(p["default"]), p["help"]] for p in facts["parameters"]]
        print_table(Table([Column("parameter"), Column("default"), Column("meaning")], rows))
        if facts["presets"]:
            print()
            presets = [[k, ", ".join(f"{a}={b}" for a, b in v.items())] for k, v in facts["presets"].items()]
            print_table(Table([Column("preset"), Column("stands for")], presets))
        return
    every = [explain(cls) for cls in list_measures()]
    if format == "json":
        print(json.dumps(every, ensure_ascii=False, indent=2))
        return
    rows = [[m["name"], m["family"], m["range"], m["better"], m["title"], m["cite"]] for m in every]
    print_table(Table([Column(c) for c in ("name", "family", "range", "better", "meaning", "citation")], rows))
    print("\nF measures take their beta as a suffix (F1, hF2). Details: branchmark measures NAME")


def explain(cls: Any) -> dict[str, Any]:
    """All that a declaration says."""
    low, high = cls.bounds
    return {
        "name": cls.name,
        "title": cls.title,
        "family": cls.family,
        "meaning": (cls.__doc__ or "").strip(),
        "range": f"[{low:g}, {'∞' if high == float('inf') else f'{high:g}'}{')' if high == float('inf') else ']'}",
        "better": cls.better,
        "units": list(cls.units),
        "cite": cls.cite,
        "citation": citation(cls.cite),
        "parameters": [
            {"name": spec.name, "default": spec.default, "help": spec.metadata["help"]}
            for spec in dataclasses.fields(cls)
        ],
        "presets": {name: dict(preset) for name, preset in cls.presets.items()},
    }


def citation(key: str) -> str:
    """The bibliography's text for a key."""
    import tomllib
    from importlib.resources import files

    entries = tomllib.loads(files("branchmark").joinpath("bibliography.toml").read_text("utf-8"))
    return str(entries[key]["text"])
