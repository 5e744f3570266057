"""Runs the README's examples and compares, or with --write replaces, what they print."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import branchmark as bm
from branchmark.report.markdown import to_markdown
from branchmark.table import Column, Table

README = Path(__file__).parents[1] / "README.md"

_PYTHON = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
_PRESETS = re.compile(r"<!-- presets -->\n(?:.*?<!-- end -->\n)?", re.DOTALL)

# who prints the number; the presets of hF1 that give it
PRINTED_BY = {
    "hiclass_macro": "hiclass `macro`",
    "hiclass": "hiclass `micro`, hiereval, sklearn-hierarchical-classification",
    "kiritchenko": "Kiritchenko et al. 2006",
    "semeval2024": "SemEval-2024 task 4",
    "conll2024": "Plaud et al., CoNLL 2024",
    "kosmopoulos": "Kosmopoulos et al. 2014",
    "icml2025": "Plaud et al., ICML 2025",
    "cafa": "cafaeval `f`",
    "cafa_micro": "cafaeval `f_micro`",
    "hemkit": "HEMKit",
}


def python_output(code: str) -> str:
    """What a script prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    return out.getvalue()


def console_session(text: str) -> str:
    """The commands of a session, each followed by what it prints now."""
    lines = [line for line in text.splitlines() if line.startswith("$ ")]
    session = []
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            program, *arguments = shlex.split(line[2:])
            assert program == "branchmark"
            command = [sys.executable, "-m", "branchmark", *arguments]
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, env={**os.environ, "COLUMNS": "120"}
            )
            assert done.returncode == 0, done.stderr
            session += [line, *done.stdout.rstrip("\n").splitlines()]
    return "\n".join(session) + "\n"


def preset_table() -> str:
    """What each tool and paper calls hF, computed now."""
    h = bm.Hierarchy.from_edges([(1, 2), (1, 3), (2, 4), (2, 5), (3, 6)])
    rows = []
    for preset, who in PRINTED_BY.items():
        (score,) = bm.evaluate([4, 4, 6], [5, 4, 2], f"hF1(preset={preset})", hierarchy=h)
        rows.append([f"{score.value:.4f}", who, f"`hF1(preset={preset})`", f"`{score.measure}`"])
    columns = [Column(name) for name in ("value", "printed by", "preset", "which is")]
    return to_markdown(Table(columns, sorted(rows))).replace("\\_", "_").replace("\\`", "`")


def refreshed(text: str) -> str:
    """The README with all outputs computed anew."""
    text = _PYTHON.sub(lambda m: f"```python\n{m[1]}```\n\n```text\n{python_output(m[1])}```", text)
    text = _CONSOLE.sub(lambda m: f"```console\n{console_session(m[1])}```", text)
    return _PRESETS.sub(lambda _: f"<!-- presets -->\n{preset_table()}<!-- end -->\n", text)


if __name__ == "__main__":
    if "--write" in sys.argv:
        README.write_text(refreshed(README.read_text("utf-8")), "utf-8")
