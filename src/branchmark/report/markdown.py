"""Markdown tables."""

from __future__ import annotations

from branchmark.table import Table


def escape(text: str) -> str:
    """Text that neither ends a cell nor becomes markup."""
    for character in "\\|*_`<[":
        text = text.replace(character, "\\" + character)
    return text


def to_markdown(table: Table) -> str:
    """A pipe table; the best scores are bold."""
    best = table.best()
    lines = [f"**{escape(table.title)}**", ""] if table.title else []
    lines.append("| " + " | ".join(escape(column.heading) for column in table.columns) + " |")
    lines.append("|" + "|".join("---:" if table.is_number(k) else "---" for k in range(len(table.columns))) + "|")
    for i, row in enumerate(table.texts()):
        cells = [f"**{escape(text)}**" if (i, k) in best else escape(text) for k, text in enumerate(row)]
        cells = [
            cell + (f"<sup>{mark}</sup>" if (mark := table.marks.get((i, k))) else "") for k, cell in enumerate(cells)
        ]
        lines.append("| " + " | ".join(cells) + " |")
    for note in table.notes:
        lines += ["", escape(note)]
    return "\n".join(lines) + "\n"
