"""Reading at the size of the LSHTC challenges, within a budget."""

from __future__ import annotations

import gzip
import time

import numpy as np
import pytest

from branchmark.io import read_hierarchy, read_labels

NODES, LINKS, INSTANCES = 450_000, 1_000_000, 1_000_000


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A DAG with names in no order, and two or three labels for each instance."""
    rng = np.random.default_rng(20_241)
    folder = tmp_path_factory.mktemp("scale")
    names = rng.permutation(2_000_000)[:NODES]
    children = np.concatenate([np.arange(1, NODES), rng.integers(1, NODES, LINKS - NODES + 1)])
    parents = (rng.random(LINKS) * children).astype(np.int64)
    order = rng.permutation(LINKS)
    pairs = zip(names[parents[order]].tolist(), names[children[order]].tolist(), strict=True)
    text = "".join(f"{parent} {child}\n" for parent, child in pairs)
    (folder / "h.edges.gz").write_bytes(gzip.compress(text.encode()))
    labels = names[rng.integers(0, NODES, (INSTANCES, 3))].tolist()
    lengths = rng.integers(2, 4, INSTANCES).tolist()
    lines = (" ".join(map(str, row[:length])) + "\n" for row, length in zip(labels, lengths, strict=True))
    (folder / "labels.txt").write_text("".join(lines))
    return folder


@pytest.mark.slow
def test_a_large_hierarchy_and_its_labels_load_in_time(files):
    start = time.perf_counter()
    h = read_hierarchy(files / "h.edges.gz")
    assert time.perf_counter() - start < 3
    assert len(h) == NODES
    start = time.perf_counter()
    labels = read_labels(files / "labels.txt", h)
    assert time.perf_counter() - start < 1.5
    assert len(labels) == INSTANCES
