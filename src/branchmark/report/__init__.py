"""Tables and results in the formats that people and programs read."""

from __future__ import annotations

from branchmark.errors import BranchmarkError
from branchmark.table import Table

FORMATS = ("table", "json", "csv", "latex", "markdown")


def render(table: Table, format: str) -> str:
    """A table as text in one of the formats that a single table has."""
    if format == "table":
        return str(table) + "\n"
    if format == "csv":
        return table.to_csv()
    if format == "latex":
        from branchmark.report.latex import to_latex

        return to_latex(table)
    if format == "markdown":
        from branchmark.report.markdown import to_markdown

        return to_markdown(table)
    raise BranchmarkError(f"no format {format!r} for a table; there are table, csv, latex and markdown")
