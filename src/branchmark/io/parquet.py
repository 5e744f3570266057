"""Labels in Parquet files: a list column, or a text column as in a table."""

from __future__ import annotations

from typing import Any

from branchmark.errors import MissingExtra
from branchmark.hierarchy import Hierarchy
from branchmark.io import columns, values
from branchmark.io.base import LabelFormat, LabelOptions, WriteOptions
from branchmark.io.source import Source
from branchmark.labelsets import LabelSets

MAGIC = b"PAR1"


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet", "parquet") from None
    return pyarrow, pyarrow.parquet


def read(source: Source, hierarchy: Hierarchy, options: LabelOptions) -> LabelSets:
    """Labels from lists, texts, numbers, maps or lists of (label, score); null is no label."""
    if not source.raw.startswith(MAGIC):
        raise source.error("not a Parquet file")
    pyarrow, parquet = _pyarrow()
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(source.raw))
        found = columns.label_columns(list(file.schema_arrow.names), options)
        if isinstance(found, str):
            raise source.error(found)
        wanted = [*found.labels, *(name for name in (found.id, found.score) if name is not None)]
        table = file.read(columns=wanted)
    except pyarrow.ArrowException as error:
        raise source.error(f"a damaged Parquet file ({str(error).splitlines()[0]})") from None
    data = {name: table.column(name).to_pylist() for name in wanted}
    return values.label_sets(source, hierarchy, options, found, data)


def write(labels: LabelSets, options: WriteOptions) -> bytes:
    """A list column, the ids if there are any, and a parallel list of scores if there are any."""
    pyarrow, parquet = _pyarrow()
    rows = labels.rows
    offsets = rows.indptr - rows.indptr[0]
    names = pyarrow.array(labels.hierarchy.names)
    data: dict[str, Any] = {}
    if labels.ids is not None and options.ids:
        data["id"] = pyarrow.array(labels.ids)
    data["labels"] = pyarrow.LargeListArray.from_arrays(offsets, names.take(pyarrow.array(rows.flat())))
    if labels.scores is not None:
        used = labels.scores[rows.indptr[0] : rows.indptr[-1]]
        data["scores"] = pyarrow.LargeListArray.from_arrays(offsets, pyarrow.array(used))
    out = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(data), out)
    content: bytes = out.getvalue().to_pybytes()
    return content


def sniff(source: Source) -> bool:
    """The magic bytes."""
    return source.raw.startswith(MAGIC)


FORMAT = LabelFormat(
    "parquet",
    (".parquet", ".pq"),
    sniff,
    read,
    write,
    ("id_column", "label_column", "score_column", "separator"),
)
