"""A table before it has a format: cells, the direction of each column, footnotes."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Cell = str | int | float | None

SMALL = str.maketrans("abcdefghijklmnoprstuvwxyz0123456789", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Column:
    """A heading, and which way is better where the column holds scores."""

    name: str
    better: str | None = None
    digits: int = 4

    @property
    def heading(self) -> str:
        """The name with an arrow that shows which way is better."""
        arrow = {"higher": " ↑", "lower": " ↓"}.get(self.better or "", "")
        return self.name + arrow

    def text(self, cell: Cell) -> str:
        """A cell as people read it; files keep all digits."""
        if cell is None:
            return "–"
        if isinstance(cell, float):
            return f"{cell:.{self.digits}f}"
        return f"{cell:,}" if isinstance(cell, int) else cell


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns, with a title and footnotes.

    Scores stand either in columns with a direction, or in rows with one (``row_better``).
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    notes: Sequence[str] = ()
    row_better: Sequence[str | None] | None = None
    marks: Mapping[tuple[int, int], str] = field(default_factory=dict)  # small letters behind cells

    def texts(self) -> list[list[str]]:
        """All cells as people read them."""
        return [[column.text(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows]

    def marked_texts(self) -> list[list[str]]:
        """All cells with their marks in small letters; cells of a marked column keep their digits below each other."""
        texts = self.texts()
        for k in {k for _, k in self.marks}:
            width = max(len(mark) for (_, column), mark in self.marks.items() if column == k)
            for i, row in enumerate(texts):
                row[k] += " " + self.marks.get((i, k), "").translate(SMALL).ljust(width)
        return texts

    def is_number(self, position: int) -> bool:
        """Whether a column holds numbers, which are set flush right."""
        return any(isinstance(row[position], int | float) for row in self.rows)

    def best(self) -> set[tuple[int, int]]:
        """(row, column) of the best scores, column by column or row by row, where they differ."""
        if self.row_better is not None:
            lines = [(better, [(i, k) for k in range(len(self.columns))]) for i, better in enumerate(self.row_better)]
        else:
            lines = [(c.better, [(i, k) for i in range(len(self.rows))]) for k, c in enumerate(self.columns)]
        found: set[tuple[int, int]] = set()
        for better, places in lines:
            values = {(i, k): self.rows[i][k] for i, k in places if isinstance(self.rows[i][k], int | float)}
            if better is None or len(set(values.values())) < 2:
                continue
            pick: Any = max if better == "higher" else min
            top = pick(values.values())
            found |= {place for place, value in values.items() if value == top}
        return found

    def __str__(self) -> str:
        """Aligned plain text."""
        cells = [[column.heading for column in self.columns], *self.marked_texts()]
        widths = [max(len(row[k]) for row in cells) for k in range(len(self.columns))]
        right = [self.is_number(k) for k in range(len(self.columns))]
        lines = [self.title] if self.title else []
        for i, row in enumerate(cells):
            padded = [
                cell.rjust(width) if flush else cell.ljust(width)
                for cell, width, flush in zip(row, widths, right, strict=True)
            ]
            lines.append("  ".join(padded).rstrip())
            if i == 0:
                lines.append("  ".join("─" * width for width in widths))
        return "\n".join([*lines, *self.notes])

    def to_csv(self, delimiter: str = ",") -> str:
        """Comma-separated values in full precision; headings without arrows."""
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow([column.name for column in self.columns])
        for row in self.rows:
            writer.writerow(["" if cell is None else repr(cell) if isinstance(cell, float) else cell for cell in row])
        return out.getvalue()

    def to_records(self) -> list[dict[str, Cell]]:
        """One dict per row."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]
