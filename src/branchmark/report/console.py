"""Tables on a terminal."""

from __future__ import annotations

import sys

from branchmark.table import Table


def print_table(table: Table) -> None:
    """A Rich table on a terminal, aligned plain text anywhere else."""
    if not sys.stdout.isatty():
        print(table)
        return
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    best = table.best()
    rich = RichTable(title=Text(table.title) if table.title else None, title_justify="left")
    for k, column in enumerate(table.columns):
        rich.add_column(Text(column.heading), justify="right" if table.is_number(k) else "left")
    for i, row in enumerate(table.marked_texts()):
        rich.add_row(*(Text(text, style="bold" if (i, k) in best else "") for k, text in enumerate(row)))
    console.print(rich)
    for note in table.notes:
        console.print(Text(note, style="dim"))
