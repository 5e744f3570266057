"""Files to hierarchies and label sets, and back."""

from __future__ import annotations

from collections.abc import Sequence

from branchmark.errors import FormatError, LabelError
from branchmark.hierarchy import Hierarchy
from branchmark.io.base import (
    HierarchyOptions,
    LabelOptions,
    WriteOptions,
    check_options,
    format_of,
    format_to_write,
)
from branchmark.io.formats import HIERARCHY_FORMATS, LABEL_FORMATS
from branchmark.io.matrix import read_matrix
from branchmark.io.results import write_table
from branchmark.io.source import PathLike, Source, write_file
from branchmark.io.weights import read_weights
from branchmark.labelsets import UNKNOWN_POLICIES, LabelSets

__all__ = [
    "read_hierarchy",
    "read_labels",
    "read_matrix",
    "read_weights",
    "write_hierarchy",
    "write_labels",
    "write_table",
]


def read_hierarchy(
    path: PathLike,
    *,
    format: str | None = None,
    break_cycles: bool = False,
    separator: str = "/",
    relations: Sequence[str] = ("is_a", "part_of"),
    namespace: str | None = None,
    undefined: str = "error",
    language: str = "en",
    parent_column: str | None = None,
    child_column: str | None = None,
) -> Hierarchy:
    """Read a hierarchy from a file.

    Parameters
    ----------
    path : str or path
        The file, gzip or not; ``-`` is the standard input.
    format : {"edges", "csv", "tsv", "paths", "json", "obo", "skos"}, optional
        Found by the suffix, else by the content, if left out.
    break_cycles : bool
        Cut as few links as possible where the links form cycles, and note each cut in ``Hierarchy.notes``;
        otherwise a cycle is an error.
    separator : str
        Between the levels of label paths. Classes read from paths are named by their whole path.
    relations : sequence of str
        Of an OBO file: which relations make a term the child of another.
    namespace : str, optional
        Of an OBO file: keep only the terms of this namespace.
    undefined : {"error", "ignore"}
        Of an OBO file: what to do with links to terms that the file does not define; ignored ones are noted.
    language : str
        Of a SKOS file: the preferred language of titles.
    parent_column, child_column : str, optional
        Of a table: the columns, where their names do not tell.

    Returns
    -------
    Hierarchy

    Raises
    ------
    FormatError
        The file cannot be read or is not what its format promises.
    HierarchyError
        The links form a cycle, or there are no classes.
    """
    if isinstance(relations, str):
        relations = (relations,)
    options = HierarchyOptions(separator, tuple(relations), namespace, undefined, language, parent_column, child_column)
    source = Source.open(path)
    chosen = format_of(HIERARCHY_FORMATS, format, source)
    check_options(HIERARCHY_FORMATS, chosen, options, source)
    return Hierarchy(chosen.read(source, options), break_cycles=break_cycles)


def write_hierarchy(hierarchy: Hierarchy, path: PathLike, format: str | None = None) -> None:
    """Write a hierarchy to a file, all or nothing.

    Parameters
    ----------
    hierarchy : Hierarchy
    path : str or path
        Compressed if it ends in .gz; ``-`` is the standard output.
    format : {"edges", "csv", "tsv", "json"}, optional
        Found by the suffix if left out; edges for .txt.

    Raises
    ------
    FormatError
        The format cannot hold this hierarchy, or the file cannot be written.
    """
    chosen = format_to_write(HIERARCHY_FORMATS, format, path)
    assert chosen.write is not None
    write_file(path, chosen.write(hierarchy))


def read_labels(
    path: PathLike,
    hierarchy: Hierarchy,
    *,
    format: str | None = None,
    unknown: str = "error",
    id_column: str | None = None,
    label_column: str | Sequence[str] | None = None,
    score_column: str | None = None,
    separator: str | None = None,
    scores: bool | None = None,
) -> LabelSets:
    """Read the labels of instances from a file.

    Parameters
    ----------
    path : str or path
        The file, gzip or not; ``-`` is the standard input.
    hierarchy : Hierarchy
        The classes that labels refer to.
    format : {"lines", "csv", "tsv", "triples", "jsonl", "parquet"}, optional
        Found by the suffix, else by the content, if left out; triples only by its name.
    unknown : {"error", "ignore"}
        What to do with labels that the hierarchy does not know; ignored ones are counted in
        ``LabelSets.ignored``.
    id_column, label_column, score_column : str, optional
        Columns of a table or keys of JSON objects, where their names do not tell. Several label columns are
        allowed.
    separator : str, optional
        Between the labels of one cell, or of one line in place of blanks. If left out, a cell that is a class
        name is one label, and other cells are split at the first of ``|``, ``;``, ``,`` and blank that occurs
        in any of them.
    scores : bool, optional
        Whether labels are written ``label:score``. If left out, they are taken so when all the first labels
        are unknown as they stand and known without the score.

    Returns
    -------
    LabelSets

    Raises
    ------
    FormatError
        The file cannot be read or is not what its format promises.
    LabelError
        A label is unknown, or an id occurs twice.
    """
    if not isinstance(hierarchy, Hierarchy):
        raise LabelError(f"labels need a Hierarchy, see read_hierarchy; got {type(hierarchy).__name__}")
    if unknown not in UNKNOWN_POLICIES:
        raise LabelError(f"unknown must be one of {', '.join(UNKNOWN_POLICIES)}; got {unknown!r}")
    if separator == "":
        raise FormatError("the separator must not be empty")
    options = LabelOptions(id_column, label_column, score_column, separator, scores, unknown)
    source = Source.open(path)
    chosen = format_of(LABEL_FORMATS, format, source)
    check_options(LABEL_FORMATS, chosen, options, source)
    return chosen.read(source, hierarchy, options)


def write_labels(
    labels: LabelSets,
    path: PathLike,
    format: str | None = None,
    *,
    ids: bool = True,
    separator: str = "|",
) -> None:
    """Write label sets to a file, all or nothing.

    Parameters
    ----------
    labels : LabelSets
    path : str or path
        Compressed if it ends in .gz; ``-`` is the standard output.
    format : {"lines", "csv", "tsv", "jsonl", "parquet"}, optional
        Found by the suffix if left out; lines for .txt.
    ids : bool
        Whether to write the ids of instances, if they have any. Lines cannot hold them.
    separator : str
        Between the labels of one cell of a table.

    Raises
    ------
    FormatError
        The format cannot hold these labels, or the file cannot be written.
    """
    chosen = format_to_write(LABEL_FORMATS, format, path)
    assert chosen.write is not None
    write_file(path, chosen.write(labels, WriteOptions(ids, separator)))
