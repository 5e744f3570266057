"""Square tables of costs or similarities between classes."""

from __future__ import annotations

import csv
import math

from branchmark.costs import ClassMatrix
from branchmark.errors import FormatError
from branchmark.hierarchy import Hierarchy
from branchmark.io.source import PathLike, Source


def read_matrix(path: PathLike, hierarchy: Hierarchy, *, name: str) -> ClassMatrix:
    """Read a matrix from a table whose first row and first column hold the class names.

    Parameters
    ----------
    path : str or path
        Comma- or tab-separated; the first cell of the header may say anything. Rows are true classes, columns predicted
        ones, and both list the same classes, in any order. Gzip or not.
    hierarchy : Hierarchy
    name : str
        What measures call it: ``GIE(cost=name)``, ``csF1(similarity=name)``.
    """
    source = Source.open(path)
    lines = source.text.splitlines()
    delimiter = "\t" if "\t" in lines[0] else ","
    rows = [(number, row) for number, row in enumerate(csv.reader(lines, delimiter=delimiter), start=1) if any(row)]
    header = [cell.strip() for cell in rows[0][1][1:]] if rows else []
    if not header:
        raise FormatError(f"{source.name}:1: expected a header with the class names")
    seen: set[str] = set()
    for label in header:
        if label not in hierarchy:
            raise FormatError(f"{source.name}:{rows[0][0]}: unknown class {label!r}")
        if label in seen:
            raise FormatError(f"{source.name}:{rows[0][0]}: class {label!r} has a column already")
        seen.add(label)
    values: dict[str, list[float]] = {}
    for number, row in rows[1:]:
        label, cells = row[0].strip(), row[1:]
        if len(cells) != len(header):
            raise FormatError(f"{source.name}:{number}: expected {len(header)} numbers, found {len(cells)}")
        if label in values:
            raise FormatError(f"{source.name}:{number}: class {label!r} has a row already")
        try:
            values[label] = [float(cell) for cell in cells]
        except ValueError:
            raise FormatError(f"{source.name}:{number}: not all cells of {label!r} are numbers") from None
        if not all(map(math.isfinite, values[label])):
            raise FormatError(f"{source.name}:{number}: not all cells of {label!r} are finite numbers")
    if set(values) != set(header):
        odd = sorted(set(values) ^ set(header))
        raise FormatError(f"{source.name}: rows and columns name different classes, such as {odd[0]!r}")
    return ClassMatrix(name, [values[label] for label in header], header, hierarchy)
