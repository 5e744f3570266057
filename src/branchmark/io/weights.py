"""Class weights: one ``class weight`` pair per line."""

from __future__ import annotations

import math

from branchmark.errors import FormatError
from branchmark.hierarchy import Hierarchy
from branchmark.io.source import PathLike, Source
from branchmark.resources import NodeWeights


def read_weights(path: PathLike, hierarchy: Hierarchy, *, name: str, default: float | None = None) -> NodeWeights:
    """Read the weight of every class from lines ``class weight``.

    Parameters
    ----------
    path : str or path
        The two fields are separated by a tab, a comma or blanks; the weight is the last one. Gzip or not.
    hierarchy : Hierarchy
    name : str
        What measures call these weights: ``hF1(weights=name)``.
    default : float, optional
        Weight of classes that the file leaves out; without it they are an error.
    """
    source = Source.open(path)
    values: dict[str, float] = {}
    for number, line in enumerate(source.text.splitlines(), start=1):
        if not line.strip():
            continue
        separator = "\t" if "\t" in line else "," if "," in line else None
        label, *rest = (part.strip() for part in line.strip().rsplit(separator, 1))
        try:
            (weight,) = map(float, rest)
        except ValueError:
            raise FormatError(f"{source.name}:{number}: expected 'class weight', found {line.strip()!r}") from None
        if not math.isfinite(weight) or weight < 0:
            raise FormatError(f"{source.name}:{number}: a weight is a number of at least 0; found {rest[0]!r}")
        if label not in hierarchy:
            raise FormatError(f"{source.name}:{number}: unknown class {label!r}")
        if label in values:
            raise FormatError(f"{source.name}:{number}: class {label!r} has a weight already")
        values[label] = weight
    return NodeWeights(name, values, hierarchy, default=default)
