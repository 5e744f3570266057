"""Every flat and set-based measure against sets of names: in aggregate, per instance and per category."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from reference import DECISIONS, Comparison, Graph, Value, kind_of_error
from strategies import Case, labelled

import branchmark as bm
from branchmark import evaluation

AVERAGES = ("micro", "macro", "samples")
CATEGORIES = ("all", "leaves", "seen")
ZERO_DIVISION = (0.0, 1.0, "skip")
ROOTS = ("excluded", "included", "added")
BETAS = (Fraction(1), Fraction(1, 2), Fraction(2))

# the same sum of floats and of fractions; weights are kept in 62 bits relative to their sum
CLOSE = {"rel": 1e-12, "abs": 1e-12}
WEIGHTED = {"rel": 1e-9, "abs": 1e-9}


def graph_of(case: Case) -> Graph:
    return Graph(case.shape.nodes, case.shape.edges)


def compared(case: Case, augmentation: str, root: str = "excluded", weighted: bool = False) -> Comparison:
    graph = graph_of(case)
    pairs = []
    for true, pred in zip(case.true, case.pred, strict=True):
        if augmentation == "none":
            pair = frozenset(true), frozenset(pred)
        elif augmentation == "ancestors":
            pair = graph.with_ancestors(true, root), graph.with_ancestors(pred, root)
        elif augmentation == "descendants":
            pair = graph.with_descendants(true), graph.with_descendants(pred)
        else:
            pair = graph.h_loss_sets(true, pred, root)
        pairs.append(pair)
    weights = None
    if weighted:
        weights = {name: Fraction(w) for name, w in case.weights.items()}
        weights.setdefault(graph.root, Fraction(0))
    return Comparison(graph, pairs, weights)


def scores_of(case: Case, measures: Sequence[bm.Measure]) -> bm.Scores:
    return bm.evaluate(
        case.true, case.pred, measures, hierarchy=case.shape.hierarchy(), weights={"w": case.weights}, jobs=1
    )


def numbers(values: Sequence[Value]) -> list[float]:
    return [float("nan") if v is None else float(v) for v in values]


def choices(name: str, averages: Sequence[str] = AVERAGES, **more: Sequence[Any]) -> list[bm.Measure]:
    """A measure with every combination of parameters that goes together."""
    found = []
    for average, categories, zero in product(averages, CATEGORIES, ZERO_DIVISION):
        if average == "samples" and categories != "all":
            continue
        for rest in product(*more.values()):
            extra = dict(zip(more, rest, strict=True))
            if extra.get("of") == "means" and average == "micro":
                continue
            found.append(bm.measure(name, average=average, categories=categories, zero_division=zero, **extra))
    return found


def check(case: Case, measures: Sequence[bm.Measure], like: str, augmentation: str, close: dict[str, float]) -> None:
    """Compare all measures of one kind with the reference's formula `like`."""
    scores = scores_of(case, measures)
    for m in measures:
        p = m.parameters()
        weighted = p.get("weights", "none") != "none"
        sets = compared(case, augmentation, p.get("root", "excluded"), weighted)
        how = {"zero_division": p["zero_division"], "beta": Fraction(p.get("beta", 1.0))}
        want = sets.value(like, p["average"], p["categories"], of=p.get("of", "rows"), **how)
        assert scores[m].value == pytest.approx(float(want), **close), str(m)
        each = numbers(sets.per_instance(like, **how))
        assert scores[m].per_instance.tolist() == pytest.approx(each, nan_ok=True, **close), str(m)
        if "category" in m.units and not weighted:
            want_by_class = sets.per_category(like, **how)
            by_class = scores[m].per_category
            assert by_class.keys() == want_by_class.keys(), str(m)
            assert list(by_class.values()) == pytest.approx(
                numbers([want_by_class[x] for x in by_class]), nan_ok=True, **close
            ), str(m)


@pytest.mark.parametrize("name", ["P", "R", "jaccard", *DECISIONS])
@given(case=labelled())
@settings(max_examples=30)
def test_flat(name: str, case: Case) -> None:
    check(case, choices(name), name, "none", CLOSE)


@given(case=labelled())
@settings(max_examples=25)
def test_flat_f(case: Case) -> None:
    measures = choices("F", beta=[float(b) for b in BETAS], of=("rows", "means"))
    check(case, measures, "F", "none", CLOSE)


@given(case=labelled())
def test_exact_match(case: Case) -> None:
    check(case, [bm.measure("exact")], "exact", "none", CLOSE)


@pytest.mark.parametrize(("name", "like"), [("hP", "P"), ("hR", "R")])
@given(case=labelled())
@settings(max_examples=30)
def test_ancestor_precision_and_recall(name: str, like: str, case: Case) -> None:
    check(case, choices(name, root=ROOTS), like, "ancestors", CLOSE)


@given(case=labelled())
@settings(max_examples=20)
def test_ancestor_f(case: Case) -> None:
    measures = choices("hF", root=ROOTS, beta=(1.0, 2.0), of=("rows", "means"))
    check(case, measures, "F", "ancestors", CLOSE)


@pytest.mark.parametrize(("name", "like"), [("dP", "P"), ("dR", "R"), ("dF", "F")])
@given(case=labelled())
@settings(max_examples=30)
def test_descendant_sets(name: str, like: str, case: Case) -> None:
    check(case, choices(name), like, "descendants", CLOSE)


@given(case=labelled())
def test_symmetric_difference(case: Case) -> None:
    check(case, [bm.measure("SDL", root=root) for root in ROOTS], "symdiff", "ancestors", CLOSE)


@given(case=labelled())
def test_h_loss(case: Case) -> None:
    check(case, [bm.measure("HL", root=root) for root in ROOTS[:2]], "symdiff", "h-loss", CLOSE)


@pytest.mark.parametrize(("name", "like"), [("hlP", "P"), ("hlR", "R"), ("hlF", "F")])
@given(case=labelled())
@settings(max_examples=30)
def test_h_loss_precision_recall_f(name: str, like: str, case: Case) -> None:
    measures = [
        bm.measure(name, average=average, root=root, zero_division=zero)
        for average, root, zero in product(("micro", "samples"), ROOTS[:2], ZERO_DIVISION)
    ]
    check(case, measures, like, "h-loss", CLOSE)


@pytest.mark.parametrize(
    ("name", "like", "augmentation"),
    [
        ("hP", "P", "ancestors"),
        ("hR", "R", "ancestors"),
        ("hF", "F", "ancestors"),
        ("SDL", "symdiff", "ancestors"),
        ("dP", "P", "descendants"),
        ("dR", "R", "descendants"),
        ("dF", "F", "descendants"),
        ("HL", "symdiff", "h-loss"),
        ("hlP", "P", "h-loss"),
        ("hlR", "R", "h-loss"),
        ("hlF", "F", "h-loss"),
    ],
)
@given(case=labelled())
@settings(max_examples=30)
def test_weights(name: str, like: str, augmentation: str, case: Case) -> None:
    averages = ("samples",) if like == "symdiff" else ("micro", "samples")
    roots = [{}] if augmentation == "descendants" else [{"root": "excluded"}, {"root": "included"}]
    measures = [
        bm.measure(name, average=average, weights="w", zero_division=zero, **root)
        for average, root, zero in product(averages, roots, ZERO_DIVISION)
    ]
    check(case, measures, like, augmentation, WEIGHTED)


@given(case=labelled())
def test_kinds_of_error(case: Case) -> None:
    graph = graph_of(case)
    want = [kind_of_error(graph, frozenset(t), frozenset(p)) for t, p in zip(case.true, case.pred, strict=True)]
    kinds = scores_of(case, [bm.measure("F1")]).kinds
    assert kinds == {kind: want.count(kind) for kind in kinds}
    assert sum(kinds.values()) == len(case)


@given(case=labelled())
def test_table_by_category(case: Case) -> None:
    sets, plain = compared(case, "ancestors"), compared(case, "none")
    rows = scores_of(case, [bm.measure("F1"), bm.measure("hF1")]).by("category").to_records()
    assert {row["category"] for row in rows} == plain.seen | sets.seen
    for row in rows:
        name = row["category"]
        counts = plain.category_counts(name)
        assert (row["pred"], row["true"]) == counts[1:3]
        assert row["depth"] == graph_of(case).depth(name)
        assert row["F1"] == pytest.approx(float(plain.per_category("F").get(name, 0)))
        assert row["hF1"] == pytest.approx(float(sets.per_category("F").get(name, 0)))


@given(case=labelled())
def test_table_by_depth(case: Case) -> None:
    graph = graph_of(case)
    sets, plain = compared(case, "ancestors"), compared(case, "none")
    rows = scores_of(case, [bm.measure("F1"), bm.measure("hP")]).by("depth").to_records()
    assert [row["depth"] for row in rows] == sorted({graph.depth(x) for x in graph.classes})
    for row in rows:
        level = [x for x in graph.classes if graph.depth(x) == row["depth"]]
        flat = [sum(column) for column in zip(*(plain.category_counts(x) for x in level), strict=True)]
        full = [sum(column) for column in zip(*(sets.category_counts(x) for x in level), strict=True)]
        assert (row["pred"], row["true"]) == (flat[1], flat[2])
        assert row["F1"] == pytest.approx(float(2 * flat[0] / (flat[1] + flat[2])) if flat[1] + flat[2] else 0.0)
        assert row["hP"] == pytest.approx(float(full[0] / full[1]) if full[1] else 0.0)


def test_large_random_graph_agrees_with_sets() -> None:
    # several blocks of ancestor lists and several chunks, which small cases never reach
    rng = np.random.default_rng(7)
    n = 3000
    parents = {str(i): {str(rng.integers(max(0, i - 400), i)) for _ in range(rng.integers(1, 4))} for i in range(1, n)}
    h = bm.Hierarchy.from_parents({"0": [], **parents})
    above: dict[str, frozenset[str]] = {"0": frozenset()}
    for i in range(1, n):
        name = str(i)
        above[name] = frozenset({name}).union(*(above[p] for p in parents[name]))
    true = [[str(x) for x in rng.integers(0, n, rng.integers(0, 4))] for _ in range(2000)]
    pred = [[str(x) for x in rng.integers(0, n, rng.integers(0, 4))] for _ in range(2000)]
    common = size_p = size_t = 0
    for t, p in zip(true, pred, strict=True):
        full_t, full_p = frozenset().union(*(above[x] for x in t)), frozenset().union(*(above[x] for x in p))
        common, size_p, size_t = common + len(full_t & full_p), size_p + len(full_p), size_t + len(full_t)
    with mock.patch.object(evaluation, "CHUNK", 300):
        scores = bm.evaluate(true, pred, ["hP", "hR", "hF1"], hierarchy=h, jobs=2)
    assert scores["hP"].value == common / size_p
    assert scores["hR"].value == common / size_t
    assert scores["hF1"].value == 2 * common / (size_p + size_t)
