"""Every registered measure with its defaults and with other parameters, read from the declarations."""

from __future__ import annotations

import dataclasses

import branchmark as bm
from branchmark.errors import MeasureError

# parameters whose choices are not listed in the declaration
OPEN_CHOICES = {"beta": (2.0, 1.7), "weights": ("w",)}


def others(cls: type[bm.Measure]) -> dict[str, list[object]]:
    """Per parameter the values that are not its default."""
    found = {}
    for spec in dataclasses.fields(cls):
        values = spec.metadata["one_of"] or OPEN_CHOICES[spec.name]
        found[spec.name] = [value for value in values if value != spec.default]
    return found


def variants(cls: type[bm.Measure]) -> list[bm.Measure]:
    """The default, every change of one parameter alone or with the average, and all presets."""
    choice = others(cls)
    changes: list[dict[str, object]] = [{}]
    changes += [{name: value} for name, values in choice.items() for value in values]
    for name, values in choice.items():
        if name != "average":
            changes += [{"average": average, name: value} for average in choice["average"] for value in values]
    changes += [{"average": "macro", "categories": "seen", "zero_division": "skip"}]
    changes += [{"preset": preset} for preset in cls.presets]
    found: dict[bm.Measure, None] = {}
    for change in changes:
        try:
            m = bm.measure(cls.name, **change)
        except MeasureError:
            continue  # the declaration says that these do not go together
        found[m] = None
    return [m for m in found if computable(m)]


def computable(m: bm.Measure) -> bool:
    """Weights do not go with category rows or an added root, which only an evaluation can tell."""
    p = m.parameters()
    if p.get("weights", "none") == "none":
        return True
    return p["average"] != "macro" and p["categories"] == "all" and p.get("root") != "added"


MEASURES = {cls.name: variants(cls) for cls in bm.list_measures()}
ALL = [m for of_one in MEASURES.values() for m in of_one]
