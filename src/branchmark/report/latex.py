"""LaTeX tables with booktabs rules."""

from __future__ import annotations

from branchmark.table import Table

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "–": "--", "…": r"\dots{}", "→": r"$\to$",
    "≤": r"$\leq$", "≥": r"$\geq$", "×": r"$\times$",
}  # fmt: skip


def escape(text: str) -> str:
    """Text that LaTeX prints as it stands."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def _superscript(mark: str | None) -> str:
    return rf"\textsuperscript{{{escape(mark)}}}" if mark else ""


def to_latex(table: Table) -> str:
    """A table environment that needs the booktabs package; the best scores are bold."""
    best = table.best()
    spec = "".join("r" if table.is_number(k) else "l" for k in range(len(table.columns)))
    lines = [
        "% needs \\usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        *([rf"\caption{{{escape(table.title)}}}"] if table.title else []),
        rf"\begin{{tabular}}{{{spec}}}",
        r"\toprule",
        " & ".join(escape(column.heading) for column in table.columns) + r" \\",
        r"\midrule",
    ]
    for i, row in enumerate(table.texts()):
        cells = [rf"\textbf{{{escape(text)}}}" if (i, k) in best else escape(text) for k, text in enumerate(row)]
        cells = [cell + _superscript(table.marks.get((i, k))) for k, cell in enumerate(cells)]
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\smallskip{{\footnotesize {escape(note)}}}" for note in table.notes]
    return "\n".join([*lines, r"\end{table}"]) + "\n"
