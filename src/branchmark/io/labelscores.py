"""Labels with scores as they stand in text: ``label:score``."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from math import isfinite

from branchmark.hierarchy import Hierarchy
from branchmark.labelsets import LabelSets


def cut(field: str) -> tuple[str, float] | None:
    """Label and score of one field, None if it does not end in a colon and a finite number."""
    label, colon, number = field.rpartition(":")
    if not colon or not label or "_" in number:
        return None
    try:
        score = float(number)
    except ValueError:
        return None
    return (label.rstrip(), score) if isfinite(score) else None


def looks_scored(fields: Iterable[str], hierarchy: Hierarchy) -> bool:
    """Whether all fields are labels with scores, beyond doubt.

    Each field must be unknown as it stands and known without ``:number``, and no class name may read as
    another class with a score: with classes ``1`` and ``1:2`` the field ``1:3`` is a misspelt class.
    """
    seen = False
    for field in fields:
        if not field:
            continue
        pair = cut(field)
        if pair is None or field in hierarchy or pair[0] not in hierarchy:
            return False
        seen = True
    if not seen:
        return False
    pairs = (cut(name) for name in hierarchy.ids_by_name if ":" in name)
    return not any(pair is not None and pair[0] in hierarchy for pair in pairs)


def problem(field: str) -> str:
    """Why a field is not a label with a score."""
    label, colon, number = field.rpartition(":")
    if not colon:
        return f"{field!r} has no score; expected label:score, as in {field}:0.5"
    if not label:
        return f"{field!r} has a score but no label; expected label:score"
    return f"the score of {label!r} must be a finite number; got {number!r}"


def join(label: str, score: float) -> str:
    """The field that `cut` takes apart; the shortest digits that give the same number back."""
    return f"{label}:{score:g}" if float(f"{score:g}") == score else f"{label}:{score!r}"


def rows_of(labels: LabelSets) -> Iterator[list[str]]:
    """The fields of every instance: its labels, with their scores if there are any."""
    if labels.scores is None:
        yield from labels
        return
    names, scores = labels.hierarchy.names, labels.scores
    starts = labels.rows.indptr.tolist()
    for start, stop in itertools.pairwise(starts):
        pairs = zip(labels.rows.indices[start:stop].tolist(), scores[start:stop].tolist(), strict=True)
        yield [join(names[label], score) for label, score in pairs]
