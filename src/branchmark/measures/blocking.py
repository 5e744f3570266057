"""Blocking (Sun, Lim & Ng 4): how many documents a subtree classifier keeps from categories they belong to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from branchmark.batch import Batch, Context
from branchmark.errors import LabelError
from branchmark.hierarchy import Hierarchy
from branchmark.labelsets import LabelSets
from branchmark.measurebase import Measure, declare, param
from branchmark.table import Cell, Column, Table
from branchmark.tally import Tally
from branchmark.trace import Trace


def work_domain(hierarchy: Hierarchy, node: int) -> NDArray[np.bool_]:
    """Per id: documents reach it only through this node (in a tree, the node and its descendants)."""
    inside = np.zeros(hierarchy.size, dtype=bool)
    inside[node] = True
    below = hierarchy.descendant_lists(np.array([node], dtype=np.int32)).list(node)
    for other in np.sort(below)[1:].tolist():  # parents come first
        inside[other] = bool(inside[hierarchy.parent_links[other]].all())
    return inside


@dataclass(frozen=True)
class BlockingFactors:
    """Blocked documents by category and subtree classifier, and the factor of each classifier."""

    hierarchy: Hierarchy
    counts: dict[tuple[str, str], int]
    factors: dict[str, float]
    blocked: dict[str, int]
    documents: dict[str, int]

    def table(self) -> Table:
        """One row per subtree classifier."""
        rows: list[list[Cell]] = [
            [name, self.blocked[name], self.documents[name], factor] for name, factor in self.factors.items()
        ]
        columns = [Column("classifier"), Column("blocked"), Column("documents"), Column("BF", "lower")]
        return Table(columns, rows)

    def __str__(self) -> str:
        return str(self.table())


def blocking(true: LabelSets, trace: Trace) -> BlockingFactors:
    """Blocking counts and factors of all subtree classifiers in a trace.

    ``counts[category, classifier]`` is the number of documents labelled with the category that reached the classifier
    and were rejected by it; the factor is their sum over the classifier's work domain, divided by the number of
    documents labelled with each of its categories.
    """
    h = true.hierarchy
    if len(true) != len(trace):
        raise LabelError(f"{len(true):,} instances and {len(trace):,} rows of the trace")
    if trace.hierarchy.names != h.names:
        raise LabelError("the trace belongs to another hierarchy than the labels")
    sizes = np.bincount(true.rows.flat(), minlength=h.size)
    counts: dict[tuple[str, str], int] = {}
    factors: dict[str, float] = {}
    blocked: dict[str, int] = {}
    documents: dict[str, int] = {}
    for node in np.unique(trace.reached.flat()).tolist():
        name = h.name_of(node)
        inside = work_domain(h, node)
        per_category = _blocked(true.rows.row_of_each(), true.rows.flat(), trace, node, h.size) * inside
        counts |= {(h.names[c], name): int(per_category[c]) for c in np.flatnonzero(per_category).tolist()}
        blocked[name], documents[name] = int(per_category.sum()), int(sizes[inside].sum())
        factors[name] = blocked[name] / documents[name] if documents[name] else 0.0
    return BlockingFactors(h, counts, factors, blocked, documents)


def _blocked(
    rows: NDArray[np.int64], labels: NDArray[np.int32], trace: Trace, node: int, size: int
) -> NDArray[np.int64]:
    """Per category the labelled documents that reached a classifier and were rejected by it."""
    rejected = np.zeros(len(trace), dtype=bool)
    rejected[trace.reached.row_of_each()[trace.reached.flat() == node]] = True
    rejected[trace.accepted.row_of_each()[trace.accepted.flat() == node]] = False
    return np.bincount(labels[rejected[rows]], minlength=size)


@declare
class BlockingFactor(
    Measure, name="BF", title="blocking factor", family="blocking", cite="sun2003",
    better="lower", units=(), needs=("trace",),
):  # fmt: skip
    """Share of the documents below a class that its subtree classifier wrongly rejects."""

    classifier: str | None = param(None, "class of the subtree classifier; the root by default")

    def _node(self, hierarchy: Hierarchy) -> int:
        return 0 if self.classifier is None else hierarchy.id(self.classifier)

    def check(self, context: Context) -> None:
        self._node(context.hierarchy)

    def tally(self, batch: Batch) -> Tally:
        assert batch.trace is not None
        h = batch.hierarchy
        inside = work_domain(h, self._node(h))
        rows, labels = batch.true.row_of_each(), batch.true.flat()
        blocked = _blocked(rows, labels, batch.trace, self._node(h), h.size)
        return Tally({"blocked": int(blocked[inside].sum()), "documents": int(inside[labels].sum())})

    def value(self, tally: Tally, context: Context) -> float:
        blocked, documents = tally["blocked"], tally["documents"]
        assert isinstance(blocked, int)
        assert isinstance(documents, int)
        return blocked / documents if documents else 0.0
