"""Presets against the tools themselves on random trees, where the tools are installed."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

import branchmark as bm


def random_case(rng: random.Random) -> tuple[dict[str, str | None], list[str], list[str]]:
    n = rng.randint(4, 15)
    parents: dict[str, str | None] = {"1": None}
    parents |= {str(i): str(rng.randint(1, i - 1)) for i in range(2, n + 1)}
    size = rng.randint(1, 12)
    return parents, *([str(rng.randint(2, n)) for _ in range(size)] for _ in range(2))


def paths(parents: dict[str, str | None], labels: list[str], padding: str) -> list[list[str]]:
    """Levels below the root, padded to equal length as both tools want them."""
    rows = []
    for label in labels:
        row = []
        node: str | None = label
        while node is not None and parents[node] is not None:
            row.append(node)
            node = parents[node]
        rows.append(row[::-1])
    return [row + [padding] * (len(parents) - len(row)) for row in rows]


def ours(parents: dict[str, str | None], true: list[str], pred: list[str], preset: str) -> list[float]:
    chosen = [bm.measure(m, preset=preset) for m in ("hP", "hR", "hF1")]
    return [s.value for s in bm.evaluate(true, pred, chosen, hierarchy=bm.Hierarchy.from_parents(parents))]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("average", "preset"), [("micro", "hiclass"), ("macro", "hiclass_macro")])
def test_hiclass(seed: int, average: str, preset: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the tool warns about is not ours to mend
        tool = pytest.importorskip("hiclass.metrics", reason="hiclass is not installed")
        parents, true, pred = random_case(random.Random(seed))
        both = [np.array(paths(parents, side, "")) for side in (true, pred)]
        theirs = [getattr(tool, name)(*both, average=average) for name in ("precision", "recall", "f1")]
    assert ours(parents, true, pred, preset) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_hiereval(seed: int) -> None:
    tool = pytest.importorskip("hiereval", reason="hiereval is not installed")
    parents, true, pred = random_case(random.Random(seed))
    theirs = tool.hierarchical_prf(*(paths(parents, side, tool.UNK) for side in (true, pred)))
    expected = [theirs.precision, theirs.recall, theirs.f1]
    assert ours(parents, true, pred, "kiritchenko") == pytest.approx(expected, rel=1e-12)
