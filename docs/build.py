"""Write docs/measures.md from the declarations of the measures: ``make docs``."""

from __future__ import annotations

from pathlib import Path

from branchmark.cli.measures import explain
from branchmark.measures import list_measures
from branchmark.report.markdown import escape

TARGET = Path(__file__).with_name("measures.md")
FAMILIES = {
    "flat": "Flat measures do not look at the hierarchy.",
    "sets": "Set-based measures add ancestors or descendants to both sides, then compare sets.",
    "pairs": "Pair-based measures find the cheapest pairs of true and predicted classes.",
    "lca": "LCA measures compare sets that reach up to the lowest common ancestors only.",
    "contribution": "In contribution measures a misclassified document counts in part, by similarity or distance.",
    "blocking": "Blocking looks at the classifiers of a top-down method.",
}


def page() -> str:
    """The whole page."""
    lines = [
        "# Measures",
        "",
        "Made from the code by `make docs`. [Definitions](definitions.md) explains the words.",
        "Write a measure as `hF1`, `hF(beta=2,root=included)` or `F1(average=macro)`; case does not matter.",
    ]
    for family, text in FAMILIES.items():
        lines += ["", f"## {family}", "", text]
        for cls in list_measures():
            if cls.family == family:
                lines += section(explain(cls))
    return "\n".join(lines) + "\n"


def section(facts: dict) -> list[str]:
    """One measure."""
    lines = ["", f"### {facts['name']}: {facts['title']}", "", escape(facts["meaning"]), ""]
    lines.append(
        f"Range {facts['range']}, {facts['better']} is better, per {' and '.join(facts['units'])}.".replace("[", "\\[")
    )
    lines += ["", f"Defined by {facts['citation']}", "", "| parameter | default | meaning |", "|---|---|---|"]
    lines += [f"| `{p['name']}` | `{p['default']}` | {escape(p['help'])} |" for p in facts["parameters"]]
    if facts["presets"]:
        lines += ["", "| preset | stands for |", "|---|---|"]
        for name, preset in facts["presets"].items():
            lines.append(f"| `{name}` | {', '.join(f'`{key}={value}`' for key, value in preset.items())} |")
    return lines


if __name__ == "__main__":
    TARGET.write_text(page(), "utf-8")
