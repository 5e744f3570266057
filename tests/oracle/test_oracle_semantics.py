"""Information content and similarities against plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import Graph
from strategies import Case, labelled

import branchmark as bm
from branchmark.costs import ClassMatrix
from branchmark.errors import LabelError, MeasureError
from branchmark.semantics import category_similarity, information_content, semantic_similarity, vector_similarity

CLOSE = {"rel": 1e-12, "abs": 1e-12}


def contents(case: Case, smoothing: float) -> dict[str, float]:
    graph = Graph(case.shape.nodes, case.shape.edges)
    n = len(case)
    found = {}
    for c in graph.above:
        count = n if c == graph.root else sum(any(c in graph.up(x) for x in row) for row in case.true)
        found[c] = -math.log((count + smoothing) / (n + smoothing)) if count + smoothing else math.inf
    return found


def table(matrix: ClassMatrix) -> dict[tuple[str, str], float]:
    names = [matrix.hierarchy.names[i] for i in matrix.nodes.tolist()]
    return {(x, y): float(matrix.values[i, k]) for i, x in enumerate(names) for k, y in enumerate(names)}


@given(case=labelled(), smoothing=st.sampled_from([1.0, 0.5, 0.0]))
def test_information_content(case: Case, smoothing: float) -> None:
    h = case.shape.hierarchy()
    labels = bm.LabelSets.from_lists(case.true, h)
    expected = contents(case, smoothing)
    if math.inf in expected.values():
        with pytest.raises(LabelError, match="never occur"):
            information_content(labels, smoothing=smoothing)
        return
    found = information_content(labels, smoothing=smoothing, name="info")
    assert found.name == "info"
    assert {x: found.values[h.id(x)] for x in case.shape.nodes} == pytest.approx(
        {x: expected[x] for x in case.shape.nodes}, **CLOSE
    )


@given(case=labelled())
def test_lin_and_resnik(case: Case) -> None:
    h, graph = case.shape.hierarchy(), Graph(case.shape.nodes, case.shape.edges)
    content = contents(case, 1.0)
    weights = information_content(bm.LabelSets.from_lists(case.true, h))
    lin, resnik = (table(semantic_similarity(weights, kind)) for kind in ("lin", "resnik"))
    largest = max(content.values())
    for x in case.shape.nodes:
        for y in case.shape.nodes:
            shared = max(content[a] for a in graph.up(x).keys() & graph.up(y).keys())
            both = content[x] + content[y]
            expected = 1.0 if x == y else 2 * shared / both if both else 0.0
            assert lin[x, y] == pytest.approx(expected, **CLOSE)
            assert resnik[x, y] == pytest.approx(shared / largest if largest else 0.0, **CLOSE)
    some = case.shape.nodes[::2]
    part = semantic_similarity(weights, "lin", classes=some, name="part")
    assert part.name == "part"
    assert table(part) == {pair: value for pair, value in lin.items() if set(pair) <= set(some)}


def cosine(x: Sequence[float], y: Sequence[float]) -> float:
    length = math.sqrt(sum(a * a for a in x) * sum(b * b for b in y))
    return sum(a * b for a, b in zip(x, y, strict=True)) / length if length else 0.0


def features_of(case: Case) -> list[list[float]]:
    """Some numbers that depend on the instance."""
    return [[float((3 * i + 5 * k * k) % 4) for k in range(5)] for i in range(len(case))]


@given(case=labelled(), combine=st.sampled_from(["sum", "union"]), sparse=st.booleans())
def test_category_similarity(case: Case, combine: str, sparse: bool) -> None:
    from scipy.sparse import csr_array

    h = case.shape.hierarchy()
    rows = features_of(case)
    used = sorted({x for row in case.true for x in row})
    vectors = {}
    for c in used:
        own = [row for row, labels in zip(rows, case.true, strict=True) if c in labels]
        added = [sum(column) for column in zip(*own, strict=True)]
        vectors[c] = added if combine == "sum" else [float(x > 0) for x in added]
    given_rows = csr_array(np.array(rows)) if sparse else np.array(rows)
    found = table(category_similarity(given_rows, bm.LabelSets.from_lists(case.true, h), combine=combine))
    expected = {(x, y): 1.0 if x == y else cosine(vectors[x], vectors[y]) for x in used for y in used}
    assert found == pytest.approx(expected, **CLOSE)


@given(
    case=labelled(max_instances=1),
    seed=st.integers(0, 99),
)
def test_vector_similarity(case: Case, seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes = case.shape.nodes
    vectors = rng.integers(-2, 3, (len(nodes), 3)).astype(float)
    found = vector_similarity(vectors, nodes, case.shape.hierarchy())
    rows = dict(zip(nodes, vectors.tolist(), strict=True))
    expected = {(x, y): 1.0 if x == y else cosine(rows[x], rows[y]) for x in nodes for y in nodes}
    assert table(found) == pytest.approx(expected, **CLOSE)
    assert found.is_symmetric
    assert (np.abs(found.values) <= 1).all()


def test_a_similarity_from_data_serves_a_measure() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "c"), ("a", "d")])
    labels = bm.LabelSets.from_lists([["c"], ["d"], ["b"], ["c", "d"]], h)
    weights = information_content(labels)
    matrices = [semantic_similarity(weights, kind) for kind in ("lin", "resnik")]
    scores = bm.evaluate(
        [["c"]], [["d"]], ["csF1(similarity=lin)", "csF1(similarity=resnik)", "hF1(weights=ic)"],
        hierarchy=h, weights=weights, matrices=matrices,
    )  # fmt: skip
    assert all(0 <= score.value <= 1 for score in scores)
    assert scores["hF1(weights=ic)"].signature["weights"] == f"ic:{weights.fingerprint}"


def test_wrong_requests() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    labels = bm.LabelSets.from_lists([["a"], ["b"]], h)
    weights = information_content(labels)
    with pytest.raises(MeasureError, match="lin or resnik"):
        semantic_similarity(weights, "jiang")
    with pytest.raises(MeasureError, match="sum or union"):
        category_similarity(np.ones((2, 2)), labels, combine="mean")
    with pytest.raises(LabelError, match="3 rows of features for 2 instances"):
        category_similarity(np.ones((3, 2)), labels)
    with pytest.raises(MeasureError, match="at least 0"):
        information_content(labels, smoothing=-1)
    with pytest.raises(LabelError, match="at least one instance"):
        information_content(bm.LabelSets.from_lists([], h))
