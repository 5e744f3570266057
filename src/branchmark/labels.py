"""Labels as users spell them: what counts as a name, what counts as missing, and which names are near."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from math import isfinite
from typing import Any

import numpy as np

from branchmark.errors import BranchmarkError, LabelError


def is_missing(value: Any) -> bool:
    """None, NaN, pandas.NA and the empty text stand for "no label", never for a class."""
    if isinstance(value, str):
        return not value
    # NaN is the only number that differs from itself; pandas.NA answers comparisons with itself
    return value is None or (isinstance(value, float | np.floating) and value != value) or _is_pandas_na(value)


def _is_pandas_na(value: Any) -> bool:
    return type(value).__name__ in ("NAType", "NaTType")


def name_of(value: Any, *, what: str = "label", error: type[BranchmarkError] = LabelError) -> str:
    """The text of one label; whole numbers are their decimal digits."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return str(int(value))
    # a column of integers with gaps reaches us as floats
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    raise error(f"a {what} must be text or a whole number; got {value!r} of type {type(value).__name__}")


_RESOURCE = re.compile(r"[^\W\d_][\w.-]*")  # what a measure's parentheses and a signature can hold


def check_resource_name(name: Any, what: str, taken: Iterable[str]) -> None:
    """Refuse names of weights or matrices that no measure could be asked for by."""
    if not isinstance(name, str) or not _RESOURCE.fullmatch(name) or name in taken:
        raise LabelError(
            f"{what} need a name of letters, digits, _, - and . that starts with a letter"
            f" and is not {' or '.join(taken)}; got {name!r}"
        )


def kind_of(value: Any) -> type:
    """str or int, for the check that labels are of one kind."""
    return str if isinstance(value, str) else int


def check_one_kind(values: Iterable[Any], *, what: str = "label", error: type[BranchmarkError] = LabelError) -> None:
    """Refuse a mixture of texts and numbers: 1 and "1" would be one class by accident."""
    example: dict[type, Any] = {}
    for value in values:
        example.setdefault(kind_of(value), value)
    if len(example) > 1:
        raise error(f"{what}s mix text and numbers ({example[str]!r} and {example[int]!r}); convert them to one type")


def names_of(
    values: Sequence[Any],
    *,
    what: str = "label",
    error: type[BranchmarkError] = LabelError,
    where: Callable[[int], str] | None = None,
) -> list[str]:
    """Texts of many labels, none of them missing; where(i) says where value i stands, for messages."""
    kinds = set(map(type, values))
    # the two common cases need no look at each value
    if kinds == {int}:
        return list(map(str, values))
    if kinds == {str} and all(map(str.strip, values)):
        return list(values)
    names = []
    for i, value in enumerate(values):
        try:
            if is_missing(value):
                raise error(f"a {what} is missing: got {value!r}")
            name = name_of(value, what=what, error=error)
            if not name.strip():
                raise error(f"a {what} is blank")
            check_one_kind((values[0], value), what=what, error=error)
        except error as problem:
            raise error(f"{where(i)}: {problem}" if where else str(problem)) from None
        names.append(name)
    return names


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Known names a reader may have meant; an error path, but quick on hundreds of thousands of names."""
    pairs = {name[i : i + 2] for i in range(len(name) - 1)} or {name}
    ranked: list[tuple[int, str]] = []
    folded = name.casefold()
    for other in known:
        if other.casefold() == folded:
            return [other]
        if abs(len(other) - len(name)) <= 3:
            shared = sum(pair in other for pair in pairs)
            if shared:
                ranked.append((-shared, other))
    ranked.sort()
    return get_close_matches(name, [other for _, other in ranked[:500]], n=count, cutoff=0.6)


def flatten(data: list[Any], place: Callable[[int], str]) -> tuple[list[Any], Sequence[int], list[float] | None]:
    """Labels of all instances, how many each has, and their scores if there are any."""
    kinds = set(map(type, data))
    # the two common shapes need no look at each entry
    if kinds == {str} and "" not in data:
        return data, [1] * len(data), None
    if kinds == {list}:
        joined = list(chain.from_iterable(data))
        if set(map(type, joined)) == {str} and "" not in joined:
            return joined, list(map(len, data)), None
    flat: list[Any] = []
    lengths: list[int] = []
    scores: list[float] = []
    scored = None
    for row, entry in enumerate(data):
        labels, values = _labels_of(entry, row, place)
        if labels:
            if scored is not None and scored != (values is not None):
                raise LabelError(f"{place(row)}: some instances have scores and some have none")
            scored = values is not None
            flat += labels
            scores += values or []
        lengths.append(len(labels))
    return flat, lengths, scores if scored else None


def _labels_of(entry: Any, row: int, place: Callable[[int], str]) -> tuple[list[Any], list[float] | None]:
    """Labels of one instance, and their scores if it has any."""
    if isinstance(entry, str) or is_missing(entry):
        return ([] if is_missing(entry) else [entry]), None
    if isinstance(entry, Mapping):
        pairs = [(label, score) for label, score in entry.items() if not is_missing(label)]
        for label, score in pairs:
            if not isinstance(score, int | float | np.integer | np.floating) or not isfinite(score):
                raise LabelError(f"{place(row)}: the score of {label!r} must be a finite number; got {score!r}")
        return [label for label, _ in pairs], [float(score) for _, score in pairs]
    if isinstance(entry, bytes):
        raise LabelError(f"{place(row)}: labels are text, not bytes: {entry!r}")
    if isinstance(entry, Iterable):
        if isinstance(entry, np.ndarray) or hasattr(entry, "to_list"):
            entry = entry.tolist() if isinstance(entry, np.ndarray) else entry.to_list()
        return [label for label in entry if not is_missing(label)], None
    return [entry], None
