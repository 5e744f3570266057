"""max_path of set-based and LCA measures, against sets of names."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import ADDED, Comparison, Graph
from reference_costs import TOP, short_set
from reference_lca import optimum
from reference_pairs import Graph as NumberedGraph
from strategies import Case, labelled

import branchmark as bm

CLOSE = {"rel": 1e-12, "abs": 1e-12}
thresholds = st.integers(1, 5)


def near_sets(case: Case, threshold: int, root: str, weighted: bool = False) -> Comparison:
    """Sets of near ancestors; what stands for all beyond is excluded, included as the root, or has a node above it."""
    graph = Graph(case.shape.nodes, case.shape.edges)

    def side(labels: list[str]) -> frozenset[str]:
        found = short_set(graph, labels, threshold)
        if root == "excluded":
            return found - {TOP}
        found = frozenset(graph.root if x == TOP else x for x in found)
        return found | {ADDED} if root == "added" and found and not graph.virtual else found

    pairs = [(side(t), side(p)) for t, p in zip(case.true, case.pred, strict=True)]
    return Comparison(graph, pairs, {x: Fraction(w) for x, w in case.weights.items()} if weighted else None)


def check(case: Case, written: str, like: str, sets: Comparison, average: str, categories: str = "all") -> None:
    h = case.shape.hierarchy()
    score = bm.evaluate(case.true, case.pred, written, hierarchy=h, jobs=1, weights={"w": case.weights})[written]
    assert score.value == pytest.approx(float(sets.value(like, average, categories)), **CLOSE), written
    expected = [float(x or 0) for x in sets.per_instance(like)]
    assert score.per_instance.tolist() == pytest.approx(expected, **CLOSE), written
    if "category" in score.measure.units and sets.weights is None:
        assert score.per_category == pytest.approx({x: float(v or 0) for x, v in sets.per_category(like).items()})


@pytest.mark.parametrize(("name", "like"), [("hP", "P"), ("hR", "R"), ("hF1", "F")])
@pytest.mark.parametrize("root", ["excluded", "included", "added"])
@given(case=labelled(), threshold=thresholds)
@settings(max_examples=40)
def test_precision_recall_and_f(name: str, like: str, root: str, case: Case, threshold: int) -> None:
    sets = near_sets(case, threshold, root)
    for average in ("micro", "samples"):
        check(case, f"{name}(average={average},root={root},max_path={threshold})", like, sets, average)
    for average, categories in (("macro", "all"), ("macro", "seen"), ("micro", "seen")):
        options = f"average={average},categories={categories},root={root},max_path={threshold}"
        check(case, f"{name}({options})", like, sets, average, categories)


@pytest.mark.parametrize("root", ["excluded", "included", "added"])
@given(case=labelled(), threshold=thresholds)
@settings(max_examples=40)
def test_symmetric_difference(root: str, case: Case, threshold: int) -> None:
    check(case, f"SDL(root={root},max_path={threshold})", "symdiff", near_sets(case, threshold, root), "samples")


@given(case=labelled(), threshold=thresholds)
def test_weights(case: Case, threshold: int) -> None:
    sets = near_sets(case, threshold, "excluded", weighted=True)
    check(case, f"hP(weights=w,max_path={threshold})", "P", sets, "micro")
    check(case, f"SDL(weights=w,max_path={threshold})", "symdiff", sets, "samples")


@given(case=labelled(), root=st.sampled_from(["excluded", "included", "added"]))
def test_a_threshold_beyond_the_depth_changes_nothing(case: Case, root: str) -> None:
    h = case.shape.hierarchy()
    far = [f"{m}(root={root},max_path=50)" for m in ("hP", "hR", "hF1", "SDL")]
    none = [f"{m}(root={root})" for m in ("hP", "hR", "hF1", "SDL")]
    scores = bm.evaluate(case.true, case.pred, [*far, *none], hierarchy=h, jobs=1)
    for a, b in zip(far, none, strict=True):
        assert scores[a].value == scores[b].value
        assert scores[a].per_instance.tolist() == scores[b].per_instance.tolist()


@given(case=labelled(max_instances=3, max_labels=3), threshold=st.one_of(st.none(), thresholds))
@settings(max_examples=150)
def test_lca_measures(case: Case, threshold: int | None) -> None:
    h = case.shape.hierarchy()
    graph = NumberedGraph(h, threshold)
    limit = "" if threshold is None else f"max_path={threshold}"
    names = [f"LCA-{x}({limit})" for x in ("P", "R", "F1", "F2")]
    micro = [f"LCA-{x}(average=micro,{limit})" for x in ("P", "R", "F1")]
    scores = bm.evaluate(case.true, case.pred, [*names, *micro], hierarchy=h, jobs=1)
    each = [scores[name].per_instance.tolist() for name in names]
    total = [0, 0, 0]
    for i, labels in enumerate(zip(case.true, case.pred, strict=True)):
        counts = optimum(graph, *([h.id(x) for x in side] for side in labels))
        total = [a + b for a, b in zip(total, counts, strict=True)]
        common, true, pred = counts
        if not true and not pred:
            expected = [1.0] * 4
        else:
            p, r = common / pred if pred else 0.0, common / true if true else 0.0
            expected = [p, r, 2 * common / (true + pred), 5 * p * r / (4 * p + r) if common else 0.0]
        assert [column[i] for column in each] == pytest.approx(expected, **CLOSE)
    for name, column in zip(names, each, strict=True):
        assert scores[name].value == pytest.approx(sum(column) / len(case), **CLOSE)
    common, true, pred = total
    if true and pred:
        expected = [common / pred, common / true, 2 * common / (true + pred)]
        assert [scores[name].value for name in micro] == pytest.approx(expected, **CLOSE)
