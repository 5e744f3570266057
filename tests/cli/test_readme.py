"""The README shows what the code prints today."""

from __future__ import annotations

import importlib.util
from pathlib import Path

spec = importlib.util.spec_from_file_location("readme", Path(__file__).parents[1] / "readme.py")
assert spec is not None
assert spec.loader is not None
readme = importlib.util.module_from_spec(spec)
spec.loader.exec_module(readme)


def test_every_output_in_the_readme_is_what_the_code_prints():
    text = readme.README.read_text("utf-8")
    assert readme.refreshed(text) == text


def test_the_first_screen_shows_the_two_commands():
    first = readme.README.read_text("utf-8").splitlines()[:14]
    assert any(line.startswith("make demo") for line in first)
    assert any(line.startswith("make test") for line in first)
