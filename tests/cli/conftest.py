"""The command line as a user types it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from branchmark.cli import main


@dataclass
class Done:
    code: int
    out: str
    err: str


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path) -> Callable[..., Done]:
    """Run a command in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["branchmark", *arguments])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return run


@pytest.fixture
def music(tmp_path):
    """A tree, the truth and two systems."""
    (tmp_path / "h.txt").write_text("Arts Music\nMusic Pop\nMusic Rock\nArts Theatre\n")
    (tmp_path / "true.txt").write_text("Pop\nRock\nTheatre\nPop Rock\n")
    (tmp_path / "svm.txt").write_text("Rock\nRock\nPop\nPop\n")
    (tmp_path / "nb.txt").write_text("Rock\nPop\n\nPop\n")
    return tmp_path
