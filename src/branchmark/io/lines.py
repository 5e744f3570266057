"""One instance a line: the labels between blanks, the format of LSHTC and HEMKit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels.names import UNKNOWN, parse_rows
from branchmark.errors import BranchmarkError, FormatError
from branchmark.hierarchy import Hierarchy
from branchmark.io import labelscores
from branchmark.io.base import LabelFormat, LabelOptions, WriteOptions
from branchmark.io.source import BLANKS, Source
from branchmark.labelsets import LabelSets, unknown_labels
from branchmark.ragged import Ragged

SAMPLE = 100  # lines that decide whether labels carry scores


def read(source: Source, hierarchy: Hierarchy, options: LabelOptions) -> LabelSets:
    """An empty line is an instance without labels; `separator` may be one character in place of blanks."""
    delimiter = options.separator
    if delimiter is not None and (len(delimiter) != 1 or not delimiter.isascii() or delimiter in "\n\r:"):
        raise source.error(f"in lines a separator is one ASCII character, not a colon; got {delimiter!r}")
    if delimiter == " ":
        delimiter = None
    data = source.data
    scored = options.scores
    if scored is None:
        fields = [part.strip(BLANKS) for line in source.head[:SAMPLE] for part in line.split(delimiter)]
        scored = labelscores.looks_scored(fields, hierarchy)
    indptr, ids, scores, bad = parse_rows(
        data, hierarchy.name_table, delimiter=ord(delimiter) if delimiter else 0, scored=scored
    )
    codes = ids[ids < 0]
    nothing = bad[:, 1] == 0  # between two separators: no label, and none is missing
    unscored = bad[(codes != UNKNOWN) & ~nothing]
    if scores is not None and not np.isfinite(scores).all():
        endless = int(np.flatnonzero(~np.isfinite(scores))[0])
        row = int(np.searchsorted(indptr, endless, side="right")) - 1
        field = data.split(b"\n", row + 1)[row].decode().split(delimiter)[endless - int(indptr[row])]
        raise source.error(labelscores.problem(field.strip(BLANKS)), row + 1)
    if len(unscored):
        at, length, row = unscored[0].tolist()
        raise source.error(labelscores.problem(data[at : at + length].decode()), row + 1)
    unknown = bad[codes == UNKNOWN]
    if len(unknown) and options.unknown == "error":
        raise _unknown(source, hierarchy, unknown, scored)
    return LabelSets.from_ids(
        hierarchy,
        Ragged(indptr, ids),
        scores,
        ignored=len(unknown),
        unknown=options.unknown,
        source=source.name,
    )


def _unknown(source: Source, hierarchy: Hierarchy, bad: NDArray[np.int64], scored: bool) -> BranchmarkError:
    data = source.data
    first = int(bad[0, 2])
    line = data.split(b"\n", first + 1)[first].decode().strip(BLANKS)
    if line in hierarchy and any(blank in line for blank in BLANKS):
        return source.error(
            f"{line!r} is one class, but lines are split at blanks; "
            "put tabs between labels and use separator='\\t', or write csv or jsonl",
            first + 1,
        )
    fields = [data[at : at + length].decode() for at, length, _ in bad.tolist()]
    labels = [field.rpartition(":")[0] for field in fields] if scored else fields
    return unknown_labels(labels, f"{source.name}:{first + 1}", hierarchy)


def write(labels: LabelSets, options: WriteOptions) -> str:
    """Labels between blanks, with ``:score`` if there are scores."""
    if labels.ids is not None and options.ids:
        raise FormatError("lines cannot hold instance ids; write csv, tsv or jsonl, or leave them out with ids=False")
    names = labels.hierarchy.names
    blank = set(BLANKS)
    for used in labels.labels_in_use().tolist():
        if not blank.isdisjoint(names[used]):
            raise FormatError(
                f"lines cannot hold the label {names[used]!r} because of its blank; write csv, tsv or jsonl"
            )
    return "".join(" ".join(row) + "\n" for row in labelscores.rows_of(labels))


def sniff(source: Source) -> bool:
    """The fallback for plain text."""
    return True


FORMAT = LabelFormat("lines", (".lines", ".labels"), sniff, read, write, options=("separator",))
