"""Weights and similarities of classes that come from data: information content, category vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchmark.costs import ClassMatrix
from branchmark.errors import LabelError, MeasureError
from branchmark.hierarchy import Hierarchy, Label
from branchmark.labelsets import LabelSets
from branchmark.resources import NodeWeights

MOST_CLASSES = 10_000  # of a matrix that is made here: 800 MB


def information_content(labels: LabelSets, *, name: str = "ic", smoothing: float = 1.0) -> NodeWeights:
    """Information content of every class, −ln p (Lord et al. 2003), from how often it or a descendant is a label.

    p is (count + smoothing) / (instances + smoothing), so the root has 0 and, with smoothing above 0, a class that
    never occurs has a finite content.

    Parameters
    ----------
    labels : LabelSets
        Usually the training labels.
    name : str
        What measures call these weights.
    smoothing : float
        At least 0; with 0 every class must occur.
    """
    h = labels.hierarchy
    if smoothing < 0:
        raise MeasureError(f"smoothing must be at least 0; got {smoothing}")
    if not len(labels):
        raise LabelError("information content needs at least one instance")
    counts = np.bincount(labels.add_ancestors().rows.flat(), minlength=h.size).astype(np.float64)
    counts[0] = len(labels)
    if smoothing == 0 and (counts == 0).any():
        missing = int((counts == 0).sum())
        raise LabelError(f"{missing:,} classes never occur, so their information content is infinite; use smoothing=1")
    content = -np.log((counts + smoothing) / (len(labels) + smoothing))
    return NodeWeights(name, np.maximum(content, 0.0), h)


def semantic_similarity(
    weights: NodeWeights, kind: str = "lin", *, classes: Sequence[Label] | None = None, name: str | None = None
) -> ClassMatrix:
    """Similarity of classes by the information content of their most informative common ancestor.

    Parameters
    ----------
    weights : NodeWeights
        Information content.
    kind : {"lin", "resnik"}
        Lin: 2·IC(ancestor) / (IC(x) + IC(y)). Resnik: IC(ancestor), divided by the largest content of all classes, so
        that it lies between 0 and 1.
    classes : sequence, optional
        Some of the classes; all of them by default.
    """
    h = weights.hierarchy
    if kind not in ("lin", "resnik"):
        raise MeasureError(f"kind must be lin or resnik; got {kind!r}")
    chosen = list(h) if classes is None else [h.names[h.id(c)] for c in classes]
    if len(chosen) > MOST_CLASSES:
        raise MeasureError(
            f"a matrix of {len(chosen):,} classes is too large; choose at most {MOST_CLASSES:,}: classes="
        )
    nodes = np.array([h.id(c) for c in chosen], dtype=np.int32)
    reach = h.ancestor_lists(nodes)
    below: dict[int, list[int]] = {}
    for k, node in enumerate(nodes.tolist()):
        for ancestor in reach.list(node).tolist():
            below.setdefault(ancestor, []).append(k)
    content = weights.values
    shared = np.zeros((len(nodes), len(nodes)))
    # from the least to the most informative ancestor, so that the last one written is the best
    for ancestor in sorted(below, key=lambda a: (content[a], a)):
        members = np.array(below[ancestor])
        shared[np.ix_(members, members)] = content[ancestor]
    if kind == "resnik":
        largest = float(content.max())
        values = shared / largest if largest > 0 else shared
    else:
        own = content[nodes]
        both = own[:, None] + own[None, :]
        values = np.divide(2 * shared, both, out=np.zeros_like(shared), where=both > 0)
        np.fill_diagonal(values, 1.0)
    return ClassMatrix(name or kind, values, chosen, h)


def vector_similarity(
    vectors: Any, classes: Sequence[Label], hierarchy: Hierarchy, *, name: str = "cosine"
) -> ClassMatrix:
    """Cosine of category vectors, one row per class, dense or scipy sparse (Sun et al. 3.2.1)."""
    from scipy.sparse import csr_array

    rows = csr_array(vectors, dtype=np.float64)
    length = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    unit = csr_array(rows.multiply(scale[:, None]))
    values: NDArray[np.float64] = (unit @ unit.T).toarray()
    np.fill_diagonal(values, 1.0)
    return ClassMatrix(name, np.clip(values, -1.0, 1.0), classes, hierarchy)


def category_similarity(
    features: Any,
    labels: LabelSets,
    *,
    classes: Sequence[Label] | None = None,
    combine: str = "sum",
    name: str = "cosine",
) -> ClassMatrix:
    """Cosine of category vectors made from the features of the instances that have a category as their label.

    Parameters
    ----------
    features : array or scipy sparse matrix
        Instances x features.
    labels : LabelSets
        The instances' categories.
    classes : sequence, optional
        Categories; those in use by default.
    combine : {"sum", "union"}
        Add the instances' vectors up, as Sun et al. write, or take a feature once if any instance has it, which gives
        the similarities they print.
    """
    from scipy.sparse import csr_array

    if combine not in ("sum", "union"):
        raise MeasureError(f"combine must be sum or union; got {combine!r}")
    matrix = csr_array(features, dtype=np.float64)
    if matrix.shape[0] != len(labels):
        raise LabelError(f"{matrix.shape[0]:,} rows of features for {len(labels):,} instances")
    h = labels.hierarchy
    nodes = labels.labels_in_use() if classes is None else np.array([h.id(c) for c in classes], dtype=np.int32)
    member = csr_array(labels.to_indicator(), dtype=np.float64).T.tocsr()[nodes]
    vectors = csr_array(member @ matrix)
    if combine == "union":
        vectors.eliminate_zeros()
        vectors.data[:] = 1.0
    return vector_similarity(vectors, [h.names[i] for i in nodes.tolist()], h, name=name)
