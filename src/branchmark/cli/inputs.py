"""Files that several commands read in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from branchmark.costs import ClassMatrix
    from branchmark.hierarchy import Hierarchy
    from branchmark.labelsets import LabelSets
    from branchmark.resources import NodeWeights


def named_files(arguments: list[str]) -> dict[str, Path]:
    """NAME=FILE or FILE, which is then named after itself."""
    found: dict[str, Path] = {}
    for argument in arguments:
        name, equals, file = argument.partition("=")
        path = Path(file if equals and not Path(argument).exists() else argument)
        if path == Path(argument):
            name = path.name.removesuffix(".gz").rsplit(".", 1)[0]
        if not path.exists() and str(path) != "-":
            raise typer.BadParameter(f"file {str(path)!r} does not exist")
        if path.is_dir():
            raise typer.BadParameter(f"{str(path)!r} is a directory")
        if name in found:
            raise typer.BadParameter(f"two files are called {name!r}; write NAME=FILE to name them apart")
        found[name] = path
    return found


def read_systems(
    true: Path, systems: dict[str, Path], hierarchy: Hierarchy, how: dict[str, Any]
) -> tuple[LabelSets, Iterator[tuple[str, LabelSets]]]:
    """The truth, and the systems' predictions one after another, the next being read while the present is used."""
    from branchmark.engines.local import read_ahead
    from branchmark.io import read_labels

    def read(path: Path) -> LabelSets:
        return read_labels(path, hierarchy, **how)

    files = read_ahead(read, [true, *systems.values()])
    return next(files), zip(systems, files, strict=True)


def read_resources(
    weights: list[str] | None,
    matrix: list[str] | None,
    information_from: Path | None,
    hierarchy: Hierarchy,
    how: dict[str, Any],
) -> tuple[list[NodeWeights], list[ClassMatrix]]:
    """Class weights and matrices that measures may name."""
    from branchmark.io import read_labels, read_matrix, read_weights
    from branchmark.semantics import MOST_CLASSES, information_content, semantic_similarity

    node_weights = [read_weights(path, hierarchy, name=name) for name, path in named_files(weights or []).items()]
    matrices = [read_matrix(path, hierarchy, name=name) for name, path in named_files(matrix or []).items()]
    if information_from is not None:
        content = information_content(read_labels(information_from, hierarchy, **how))
        node_weights.append(content)
        if len(hierarchy) <= MOST_CLASSES:
            matrices += [semantic_similarity(content, kind) for kind in ("lin", "resnik")]
    return node_weights, matrices
