"""Tables with a header: comma-separated files and their relatives, for hierarchies and for labels."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from branchmark.errors import BranchmarkError
from branchmark.io.source import BLANKS, Source

DELIMITERS = (",", ";", "\t", "|")


@dataclass(frozen=True)
class Table:
    """Cells of a file by column, without the blanks around them."""

    source: Source
    header: list[str]
    rows: list[list[str]]
    lines: list[int]

    def column(self, name: str) -> list[str]:
        """All cells of a column."""
        at = self.header.index(name)
        return [row[at] for row in self.rows]


def delimiter_of(first_line: str) -> str:
    """The delimiter that is most frequent in a header; a comma if there is none."""
    return max(DELIMITERS, key=lambda mark: (first_line.count(mark), -DELIMITERS.index(mark)))


def header_of(source: Source, delimiter: str | None = None) -> list[str]:
    """The cells of the first line, to guess the format from."""
    first = source.head[0] if source.head else ""
    return [cell.strip(BLANKS + '"') for cell in first.split(delimiter or delimiter_of(first))]


def read_table(source: Source, delimiter: str | None, *, ragged: bool = False) -> Table:
    """Parse a table; ``ragged`` lets rows end early.

    Blank lines are skipped, except in a table of one column, where they are empty cells.
    """
    if not source.head:
        raise source.error("the file is blank; a header line is needed")
    reader = csv.reader(
        io.StringIO(source.text, newline=""), delimiter=delimiter or delimiter_of(source.head[0]), strict=True
    )
    header: list[str] = []
    rows: list[list[str]] = []
    lines: list[int] = []
    end = 0
    try:
        for record in reader:
            line, end = end + 1, reader.line_num
            cells = [cell.strip(BLANKS) for cell in record]
            if not header:
                if any(cells):
                    header = cells
                continue
            if len(header) > 1 and len(cells) < 2 and not any(cells):
                continue
            width = len(cells)
            if width != len(header):
                while width > len(header) and not cells[width - 1]:
                    width -= 1
                cells = cells[:width]
                if width > len(header) or (width < len(header) and not ragged and width > 0):
                    raise source.error(f"found {width} fields, the header has {len(header)}", line)
                cells += [""] * (len(header) - width)
            rows.append(cells)
            lines.append(line)
    except csv.Error as error:
        raise source.error(f"not a valid table ({error}); check the quotes", end + 1) from None
    while header and not header[-1]:
        header.pop()
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise source.error(f"the column {repeated[0]!r} occurs more than once in the header")
    return Table(source, header, rows, lines)


def to_text(header: Sequence[str], rows: Iterable[Sequence[str]], delimiter: str) -> str:
    """A table as text, quoted where needed."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def check_outer_blanks(names: Iterable[str], error: type[BranchmarkError]) -> None:
    """Refuse names that would come back without the blanks around them."""
    for name in names:
        if name != name.strip(BLANKS):
            raise error(f"a table cannot hold the name {name!r} because of the blanks around it; write json or jsonl")
