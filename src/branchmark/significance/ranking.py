"""Systems in order: ranks with ties, partial orders as text, and how far two measures rank alike.

Relations between systems are the signs of tests, ``{("SVM", "NB"): ">>", ...}``; a `TestResult` stands for its
sign, and a pair may be given in either order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from branchmark.errors import MeasureError
from branchmark.significance.base import TestResult, flip
from branchmark.significance.values import Floats, check_better

Relations = Mapping[tuple[str, str], str | TestResult]

SIGNS = ("<<", "<", "~", ">", ">>")
STYLES = ("competition", "dense")


def relation(relations: Relations, first: str, second: str) -> str:
    """The sign between two systems."""
    if (first, second) in relations:
        found = relations[first, second]
        sign = found.symbol if isinstance(found, TestResult) else found
    elif (second, first) in relations:
        found = relations[second, first]
        sign = flip(found.symbol if isinstance(found, TestResult) else found)
    else:
        raise MeasureError(f"{first!r} and {second!r} were not compared")
    if sign not in SIGNS:
        raise MeasureError(f"the relation of {first!r} and {second!r} must be one of {', '.join(SIGNS)}; got {sign!r}")
    return sign


def order_systems(scores: Mapping[str, float], better: str = "higher") -> list[str]:
    """Systems from best to worst; equal scores stay in the order given."""
    sign = check_better(better)
    for system, score in scores.items():
        if math.isnan(score):
            raise MeasureError(f"{system!r} has no score (NaN), so it has no place in a ranking")
    return sorted(scores, key=lambda system: -sign * scores[system])


def rank_systems(
    scores: Mapping[str, float], relations: Relations, *, better: str = "higher", style: str = "competition"
) -> dict[str, int]:
    """Ranks as in Tables 15 to 29 of Kosmopoulos et al. (2014).

    Systems are put in order of their scores. The best has rank 1. Every other has the rank of the system just before
    it if the two do not differ significantly (``~``), else a new one. So an equal rank means no significant
    difference from the neighbour; the first and the last of a longer tie may well differ. Which of two systems is
    ahead is up to the scores even where the test contradicts them.

    Parameters
    ----------
    scores : {system: score}
    relations : {(system, system): sign or TestResult}
        At least of all neighbours in the order.
    better : {"higher", "lower"}
    style : {"competition", "dense"}
        The rank after a tie: its place in the order (1, 1, 3) or the next number (1, 1, 2). The paper mixes both
        styles, even within its Table 15 (erratum K23).

    Examples
    --------
    >>> scores = {"A": 0.9, "B": 0.8, "C": 0.7}
    >>> signs = {("A", "B"): "~", ("B", "C"): ">>"}
    >>> rank_systems(scores, signs), rank_systems(scores, signs, style="dense")
    ({'A': 1, 'B': 1, 'C': 3}, {'A': 1, 'B': 1, 'C': 2})
    """
    if style not in STYLES:
        raise MeasureError(f"style must be one of {', '.join(STYLES)}; got {style!r}")
    order = order_systems(scores, better)
    ranks: dict[str, int] = {}
    for place, system in enumerate(order, start=1):
        if place == 1:
            ranks[system] = 1
            continue
        before = order[place - 2]
        if relation(relations, before, system) == "~":
            ranks[system] = ranks[before]
        else:
            ranks[system] = place if style == "competition" else ranks[before] + 1
    return {system: ranks[system] for system in scores}


@dataclass(frozen=True)
class PartialOrder:
    """Groups of systems from best to worst, the signs between them, and pairs that the text does not show.

    ``exceptions`` holds pairs of different groups that do not differ significantly, or differ against the order,
    each as (better placed, worse placed, sign).
    """

    groups: tuple[tuple[str, ...], ...]
    signs: tuple[str, ...]
    exceptions: tuple[tuple[str, str, str], ...] = ()

    def __str__(self) -> str:
        names = [group[0] if len(group) == 1 else f"{{{', '.join(group)}}}" for group in self.groups]
        return " ".join([*names[:1], *(f"{sign} {name}" for sign, name in zip(self.signs, names[1:], strict=True))])


def partial_order(scores: Mapping[str, float], relations: Relations, *, better: str = "higher") -> PartialOrder:
    """Systems as Yang & Liu (1999) print them: ``{SVM, kNN} > LLSF >> NB``.

    Systems are taken in order of their scores. One joins the group before it if it differs significantly from none
    of its members, else it opens a group. Between neighbouring groups stands the weakest significant sign of any
    pair from both.

    Parameters
    ----------
    scores : {system: score}
    relations : {(system, system): sign or TestResult}
        Of all pairs; ``>`` means that the one named first is better.
    better : {"higher", "lower"}

    Examples
    --------
    >>> scores = {"SVM": 0.86, "kNN": 0.86, "NB": 0.80}
    >>> signs = {("SVM", "kNN"): "~", ("SVM", "NB"): ">>", ("kNN", "NB"): ">"}
    >>> print(partial_order(scores, signs))
    {SVM, kNN} > NB
    """
    groups: list[list[str]] = []
    for system in order_systems(scores, better):
        if groups and all(relation(relations, other, system) == "~" for other in groups[-1]):
            groups[-1].append(system)
        else:
            groups.append([system])
    signs = []
    for upper, lower in pairwise(groups):
        between = [relation(relations, a, b) for a in upper for b in lower]
        # weakest first; a contradiction of the order is printed only where nothing supports it
        signs.append(next(sign for sign in (">", ">>", "<", "<<") if sign in between))
    exceptions = [
        (a, b, sign)
        for i, upper in enumerate(groups)
        for lower in groups[i + 1 :]
        for a in upper
        for b in lower
        if (sign := relation(relations, a, b)) in ("~", "<", "<<")
    ]
    return PartialOrder(tuple(map(tuple, groups)), tuple(signs), tuple(exceptions))


@dataclass(frozen=True, eq=False)
class Kendall:
    """Kendall's tau-b between the rankings by all pairs of measures."""

    measures: tuple[str, ...]
    tau: Floats

    def __getitem__(self, pair: tuple[str, str]) -> float:
        row, column = (self.measures.index(name) for name in pair)
        return float(self.tau[row, column])

    def lower_triangle(self) -> list[list[float]]:
        """Rows up to the diagonal, as papers print them."""
        return [self.tau[i, : i + 1].tolist() for i in range(len(self.measures))]


def kendall_matrix(scores: Mapping[str, Mapping[str, float]], better: Mapping[str, str]) -> Kendall:
    """Kendall's tau-b between the rankings of systems by all pairs of measures.

    Parameters
    ----------
    scores : {measure: {system: score}}
        Every measure must have the same systems, at least two.
    better : {measure: "higher" or "lower"}
        Scores of measures where lower is better are turned round first.

    Returns
    -------
    Kendall
        1 on the diagonal. A measure by which all systems are equal orders nothing: its tau with others, 0/0 by the
        formula, is 0.

    Examples
    --------
    >>> scores = {"F1": {"A": 0.9, "B": 0.8, "C": 0.7}, "GIE": {"A": 2.0, "B": 1.0, "C": 3.0}}
    >>> round(kendall_matrix(scores, {"F1": "higher", "GIE": "lower"})["F1", "GIE"], 3)
    0.333
    """
    names = tuple(scores)
    if not names:
        raise MeasureError("there is no measure to rank by")
    systems = list(scores[names[0]])
    if len(systems) < 2:
        raise MeasureError("Kendall's tau needs at least two systems")
    above, below = np.triu_indices(len(systems), 1)
    orders = []
    for name in names:
        if set(scores[name]) != set(systems):
            raise MeasureError(f"{name} and {names[0]} have scores of different systems")
        if name not in better:
            raise MeasureError(f"whether higher or lower is better is not given for {name}")
        values = np.array([scores[name][system] for system in systems], dtype=np.float64)
        if np.isnan(values).any():
            raise MeasureError(f"{name} has no score (NaN) for {systems[int(np.isnan(values).argmax())]!r}")
        values = check_better(better[name]) * values
        orders.append((values[above] > values[below]).astype(np.int64) - (values[above] < values[below]))
    signs = np.array(orders)
    tau: Any = np.eye(len(names))
    agree, ordered = signs @ signs.T, (signs != 0).sum(axis=1)
    for i in range(len(names)):
        for j in range(i):
            scale = math.sqrt(int(ordered[i]) * int(ordered[j]))
            tau[i, j] = tau[j, i] = agree[i, j] / scale if scale else 0.0
    return Kendall(names, tau)
