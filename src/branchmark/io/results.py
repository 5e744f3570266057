"""Result tables as files."""

from __future__ import annotations

from pathlib import Path

from branchmark.errors import FormatError, MissingExtra
from branchmark.io.source import PathLike, write_file
from branchmark.table import Table


def write_table(table: Table, path: PathLike) -> None:
    """Write a table in full precision as .csv, .tsv (also .gz) or .parquet, all or nothing."""
    suffix = Path(str(path).removesuffix(".gz")).suffix
    if suffix in (".csv", ".tsv"):
        write_file(path, table.to_csv("," if suffix == ".csv" else "\t").encode())
    elif suffix == ".parquet":
        write_file(path, _parquet(table))
    else:
        raise FormatError(f"{path}: results are written as .csv, .tsv or .parquet")


def _parquet(table: Table) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("writing Parquet", "parquet") from None
    columns = {column.name: [row[k] for row in table.rows] for k, column in enumerate(table.columns)}
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table(columns), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content
