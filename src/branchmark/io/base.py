"""What a format is, and how the format of a file is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from branchmark.errors import FormatError
from branchmark.hierarchy import Hierarchy
from branchmark.io.source import PathLike, Source
from branchmark.labelsets import LabelSets
from branchmark.links import Links

Columns = str | Sequence[str]

PLAIN_SUFFIXES = ("", ".txt", ".dat", ".lst")  # say nothing about the format


@dataclass(frozen=True)
class HierarchyOptions:
    """What a caller may say about a hierarchy file; each format names the options it looks at."""

    separator: str = "/"
    relations: tuple[str, ...] = ("is_a", "part_of")
    namespace: str | None = None
    undefined: str = "error"
    language: str = "en"
    parent_column: str | None = None
    child_column: str | None = None


@dataclass(frozen=True)
class LabelOptions:
    """What a caller may say about a label file; each format names the options it looks at."""

    id_column: str | None = None
    label_column: Columns | None = None
    score_column: str | None = None
    separator: str | None = None
    scores: bool | None = None
    unknown: str = "error"


@dataclass(frozen=True)
class WriteOptions:
    """How labels are written."""

    ids: bool = True
    separator: str = "|"


@dataclass(frozen=True)
class HierarchyFormat:
    """One way to keep a hierarchy in a file.

    ``suffixes`` tell the format for certain; ``sniff`` looks at the content of files with other names.
    """

    name: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Source], bool]
    read: Callable[[Source, HierarchyOptions], Links]
    write: Callable[[Hierarchy], str] | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class LabelFormat:
    """One way to keep label sets in a file."""

    name: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Source], bool]
    read: Callable[[Source, Hierarchy, LabelOptions], LabelSets]
    write: Callable[[LabelSets, WriteOptions], str | bytes] | None = None
    options: tuple[str, ...] = ()


AnyFormat = TypeVar("AnyFormat", HierarchyFormat, LabelFormat)


def named(formats: Sequence[AnyFormat], name: str) -> AnyFormat:
    """The format of that name."""
    for known in formats:
        if known.name == name.lower():
            return known
    raise FormatError(f"unknown format {name!r}; the formats are {', '.join(f.name for f in formats)}")


def format_of(formats: Sequence[AnyFormat], name: str | None, source: Source) -> AnyFormat:
    """The format of a file: by name, else by suffix, else by content; the last one is for any other text."""
    if name is not None:
        return named(formats, name)
    for known in formats:
        if source.suffix in known.suffixes:
            return known
    return next((known for known in formats if known.sniff(source)), formats[-1])


def format_to_write(formats: Sequence[AnyFormat], name: str | None, path: PathLike) -> AnyFormat:
    """The format for a new file: by name, else by suffix."""
    able = [known for known in formats if known.write is not None]
    if name is not None:
        chosen = named(formats, name)
        if chosen.write is None:
            raise FormatError(f"the format {chosen.name} is read only; write {' or '.join(f.name for f in able)}")
        return chosen
    suffix = Source(str(path), b"").suffix
    for known in able:
        if suffix in known.suffixes:
            return known
    if suffix in PLAIN_SUFFIXES:
        return able[-1]
    raise FormatError(
        f"{Path(path)}: no format is known by the suffix {suffix!r}; "
        f"give format={' or '.join(repr(f.name) for f in able)}"
    )


def check_options(formats: Sequence[AnyFormat], chosen: AnyFormat, options: Any, source: Source) -> None:
    """Refuse an option that the format would silently leave unused."""
    general = set().union(*(known.options for known in formats))
    for option in fields(options):
        unused = option.name in general and option.name not in chosen.options
        if unused and getattr(options, option.name) != option.default:
            users = [known.name for known in formats if option.name in known.options]
            raise FormatError(
                f"{source.name}: {option.name} is an option of {', '.join(users)}; this file is read as {chosen.name}"
            )
