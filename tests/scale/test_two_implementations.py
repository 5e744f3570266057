"""Kernel and plain Python on every instance of a large run: a shortcut may fail in one of ten thousand."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests" / "oracle")]

import hierarchies  # noqa: E402
from plain_lca import PlainLca, TooMany  # noqa: E402

from branchmark.lowest import lca_counts  # noqa: E402


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dmoz", "dbpedia-small", "dbpedia-large"])
def test_lca_counts_agree_everywhere(name: str) -> None:
    hierarchy, true, pred = hierarchies.GENERATORS[name]()
    reach = hierarchy.ancestor_lists(np.concatenate([true.rows.flat(), pred.rows.flat()]), 2)
    found = lca_counts(hierarchy, reach, true.rows, pred.rows)
    assert not found.unproven.any()
    table = np.stack([found.common, found.true, found.pred], axis=1)
    plain = PlainLca(hierarchy.parent_links, reach)
    given_up = 0
    for row in range(len(true)):
        try:
            expected = plain.counts(true.rows[row].tolist(), pred.rows[row].tolist())
        except TooMany:
            given_up += 1
            continue
        assert tuple(table[row]) == expected, f"instance {row}"
        if len(plain.climbs) > 50_000:
            plain.climbs.clear()
    assert given_up <= len(true) / 10_000
