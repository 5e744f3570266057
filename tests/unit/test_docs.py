"""The pages made from the code are up to date."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from branchmark.measures import list_measures


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_measures_is_what_the_declarations_say():
    build = load(Path(__file__).parents[2] / "docs" / "build.py")
    assert build.TARGET.read_text("utf-8") == build.page(), "run `make docs`"
    assert {cls.family for cls in list_measures()} == set(build.FAMILIES)
