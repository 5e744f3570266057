"""Which column of a table holds what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from branchmark.errors import shorten
from branchmark.io.base import HierarchyOptions, LabelOptions

# In order of preference. Names are compared without case, blanks, dashes and underscores.
PARENT = (
    "parent",
    "parentid",
    "parentname",
    "parentclass",
    "broader",
    "superclass",
    "hypernym",
    "source",
    "from",
)
CHILD = (
    "child", "childid", "childname", "childclass", "narrower", "subclass", "hyponym", "target", "to",
    "id", "class", "classid", "category", "node", "term", "label", "code", "name",
)  # fmt: skip
TITLE = ("title", "description", "name")
PATH = ("path", "paths", "labelpath")
LEVEL = re.compile(r"(level|lvl|l|tier|cat|category|class|label)\d+")

ID = (
    "id", "ids", "instance", "instanceid", "doc", "docid", "document", "documentid", "item", "itemid",
    "example", "exampleid", "sample", "sampleid", "protein", "proteinid", "uid", "key",
)  # fmt: skip
ONE_LABEL = (
    "label",
    "class",
    "category",
    "topic",
    "term",
    "code",
    "tag",
    "prediction",
    "predicted",
    "true",
    "pred",
)
LABELS = (
    "labels",
    "classes",
    "categories",
    "topics",
    "terms",
    "codes",
    "tags",
    "predictions",
    "ytrue",
    "ypred",
)
NUMBERED = re.compile(r"(label|class|category|topic|term|code|tag|prediction)\d+")
SCORE = ("score", "scores", "confidence", "probability", "prob")


def plain(name: str) -> str:
    """A column name as it is compared."""
    return re.sub(r"[\s_\-.]", "", name.casefold())


@dataclass(frozen=True)
class LabelColumns:
    """Columns of a label table; ``several`` says that a row is a whole instance, not one of its labels."""

    labels: tuple[str, ...]
    id: str | None
    score: str | None
    several: bool


def label_columns(header: Sequence[str], options: LabelOptions) -> LabelColumns | str:
    """The columns, or why they cannot be told."""
    given = options.label_column
    wanted = () if given is None else (given,) if isinstance(given, str) else tuple(given)
    for name in (*wanted, options.id_column, options.score_column):
        if name is not None and name not in header:
            return f"there is no column {name!r}; the columns are {shorten(list(header), 12)}"
    labels = wanted or _labels(header)
    if not labels:
        return (
            f"no label column among {shorten(list(header), 12)}; call it 'labels' "
            "or say which one it is with label_column= / --label-column"
        )
    if not wanted and len(labels) > 1 and not all(NUMBERED.fullmatch(plain(name)) for name in labels):
        return (
            f"several columns may hold the labels: {shorten(list(labels))}; choose with label_column= / --label-column"
        )
    rest = [name for name in header if name not in labels]
    id_column = options.id_column or _first(rest, ID)
    score = options.score_column or _first([name for name in rest if name != id_column], SCORE)
    if score is not None and len(labels) > 1:
        return f"one score column ({score!r}) does not fit {len(labels)} label columns"
    several = len(labels) > 1 or plain(labels[0]) in LABELS
    return LabelColumns(tuple(labels), id_column, score, several)


def parent_and_child(header: Sequence[str], options: HierarchyOptions) -> tuple[str, str] | str:
    """The columns of links, or why they cannot be told."""
    for name in (options.parent_column, options.child_column):
        if name is not None and name not in header:
            return f"there is no column {name!r}; the columns are {shorten(list(header), 12)}"
    parent = options.parent_column or _first([n for n in header if n != options.child_column], PARENT)
    child = options.child_column or _first([name for name in header if name != parent], CHILD)
    if parent is None or child is None or parent == child:
        return (
            f"the header needs a column 'parent' and a column 'child', found {shorten(list(header), 12)}; "
            "for lines without a header use the format edges"
        )
    return parent, child


def title_column(header: Sequence[str], taken: Sequence[str]) -> str | None:
    """A column with texts for people."""
    return _first([name for name in header if name not in taken], TITLE)


def level_columns(header: Sequence[str]) -> list[str]:
    """Columns with one level of a label path each, if all columns are such."""
    return list(header) if all(LEVEL.fullmatch(plain(name)) for name in header) else []


def path_column(header: Sequence[str]) -> str | None:
    """A column of label paths."""
    return _first(header, PATH)


def _labels(header: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in header if plain(name) in (*LABELS, *ONE_LABEL) or NUMBERED.fullmatch(plain(name)))


def _first(header: Sequence[str], known: Sequence[str]) -> str | None:
    by_plain = {plain(name): name for name in reversed(header)}
    return next((by_plain[name] for name in known if name in by_plain), None)
