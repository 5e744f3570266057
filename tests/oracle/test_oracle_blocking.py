"""Blocking counts and factors from random traces, against counting by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from reference import TOP, Graph
from reference_costs import blocked, work_domain
from strategies import Case, Shape, labelled

import branchmark as bm
from branchmark.errors import LabelError
from branchmark.measures.blocking import blocking


def named_decisions(case: Case, graph: Graph) -> list[dict[str, bool]]:
    """None is the root; where the real root is named as well, the name counts."""
    return [{graph.root if x is None else x: verdict for x, verdict in row.items()} for row in case.decisions]


@given(case=labelled())
def test_counts_and_factors(case: Case) -> None:
    h, graph = case.shape.hierarchy(), Graph(case.shape.nodes, case.shape.edges)
    decisions = named_decisions(case, graph)
    found = blocking(bm.LabelSets.from_lists(case.true, h), case.trace(h))
    reached = {x for row in decisions for x in row}

    def name(node: str) -> str:
        if node != TOP:
            return node
        return "(root)" if "(root)" not in graph.classes else "((root))"

    assert set(found.factors) == {name(x) for x in reached}
    expected = {}
    for classifier in reached:
        domain = work_domain(graph, classifier)
        stopped = {c: blocked(case.true, decisions, c, classifier) for c in domain & graph.classes}
        expected |= {(c, name(classifier)): count for c, count in stopped.items() if count}
        documents = sum(c in labels for c in domain for labels in case.true)
        assert found.blocked[name(classifier)] == sum(stopped.values())
        assert found.documents[name(classifier)] == documents
        factor = sum(stopped.values()) / documents if documents else 0.0
        assert found.factors[name(classifier)] == factor
        m = bm.measure("BF", classifier=None if classifier == graph.root else classifier)
        scores = bm.evaluate(case.true, case.pred, m, hierarchy=h, trace=case.trace(h), jobs=1)
        assert scores[m].value == factor
        assert bm.measure(str(m)) == m
    assert found.counts == expected
    assert len(found.table().rows) == len(reached)


@given(case=labelled())
def test_a_classifier_that_nobody_reached_blocks_nobody(case: Case) -> None:
    h = case.shape.hierarchy()
    idle = replace(case, decisions=[{} for _ in case.true]).trace(h)
    assert blocking(bm.LabelSets.from_lists(case.true, h), idle).factors == {}
    assert bm.evaluate(case.true, case.pred, "BF", hierarchy=h, trace=idle)["BF"].value == 0.0


def test_work_domain_of_a_graph_leaves_out_what_has_another_way() -> None:
    shape = Shape(
        ("r", "a", "b", "c", "d", "e"), (("r", "a"), ("r", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("d", "e"))
    )
    case = Case(shape, [["c"], ["d"], ["e"]], [[], [], []], {}, decisions=[{"a": False}] * 3)
    h = shape.hierarchy()
    found = blocking(bm.LabelSets.from_lists(case.true, h), case.trace(h))
    # c can be reached through b
    assert found.counts == {("d", "a"): 1, ("e", "a"): 1}
    assert found.factors == {"a": 1.0}


def test_a_trace_belongs_to_its_labels() -> None:
    h, other = bm.Hierarchy.from_edges([("r", "a")]), bm.Hierarchy.from_edges([("r", "b")])
    labels = bm.LabelSets.from_lists([["a"]], h)
    trace = Case(Shape(("r", "b"), (("r", "b"),)), [["b"]], [["b"]], {}, decisions=[{"b": True}]).trace(other)
    for ask in (lambda: blocking(labels, trace), lambda: bm.evaluate(labels, labels, "BF", trace=trace)):
        with pytest.raises(LabelError, match="another hierarchy"):
            ask()
    two = bm.LabelSets.from_lists([["a"], ["a"]], h)
    trace = Case(Shape(("r", "a"), (("r", "a"),)), [["a"]], [["a"]], {}, decisions=[{"a": True}]).trace(h)
    for ask in (lambda: blocking(two, trace), lambda: bm.evaluate(two, two, "BF", trace=trace)):
        with pytest.raises(LabelError, match=r"2 .*1"):
            ask()
