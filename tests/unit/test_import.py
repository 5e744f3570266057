"""Importing branchmark stays cheap."""

from __future__ import annotations

import subprocess
import sys

import pytest

import branchmark as bm

HEAVY = ("numpy", "scipy", "typer", "rich", "sklearn", "pandas", "polars", "networkx", "pyarrow", "rdflib")


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print('\\n'.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    loaded = modules_after("import branchmark; branchmark.__version__; dir(branchmark)")
    assert "branchmark" in loaded
    assert not loaded & set(HEAVY)


def test_evaluating_lists_needs_numpy_only() -> None:
    code = (
        "import branchmark as bm\n"
        "h = bm.Hierarchy.from_edges([('a', 'b')])\n"
        "print(bm.evaluate(['a'], ['b'], hierarchy=h))"
    )
    loaded = modules_after(code)
    assert "numpy" in loaded
    assert not loaded & (set(HEAVY) - {"numpy"})


def test_public_names_resolve() -> None:
    from_io = {"read_hierarchy", "read_labels", "write_hierarchy", "write_labels"}
    for name in set(bm.__all__) - from_io:
        assert getattr(bm, name) is not None
    assert set(bm.__all__) <= set(dir(bm))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        bm.evalute  # noqa: B018
