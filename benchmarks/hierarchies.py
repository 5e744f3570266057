"""Hierarchies and label sets like those of the LSHTC challenges, seeded."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import branchmark as bm
from branchmark.ragged import Ragged


def dmoz_like(labels: float = 1.02, instances: int = 104_263, seed: int = 0):
    rng = np.random.default_rng(seed)
    levels = [np.zeros(1, dtype=np.int64)]
    parents, children = [], []
    total = 1
    for size in (11, 150, 1_100, 2_870, 27_875):
        level = np.arange(total, total + size)
        parents.append(np.sort(rng.choice(levels[-1], size)))
        children.append(level)
        levels.append(level)
        total += size
    edges = zip(np.concatenate(parents).tolist(), np.concatenate(children).tolist(), strict=True)
    h = bm.Hierarchy.from_edges(edges)
    leaf = np.array([h.id(name) for name in levels[-1].tolist()], dtype=np.int32)
    true = rng.choice(leaf, instances)
    pred = np.where(rng.random(instances) < 0.4, true, rng.choice(leaf, instances)).astype(np.int32)
    indptr = np.arange(instances + 1)
    return h, bm.LabelSets.from_ids(h, Ragged(indptr, true)), bm.LabelSets.from_ids(h, Ragged(indptr, pred))


def write_lines(labels: bm.LabelSets, path: Path) -> None:
    bm.write_labels(labels, path, format="lines")
