"""LCA kernels against the definition, the paper's case studies and the laws that follow from it."""

from __future__ import annotations

import json
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from labelled_dags import CASES, Case, cases, cases_with_names, prepared, published, published_case
from reference_lca import Counts, all_outcomes, greedy, most_specific, optimum
from reference_pairs import Graph

from branchmark.lowest import DUMMY, explain_lca, lca_counts

few = settings(max_examples=400, deadline=None)
many = settings(max_examples=5000, deadline=None)
limits = st.one_of(st.none(), st.integers(1, 5))


def kernel(case: Case, **options: Any) -> Counts:
    found = lca_counts(*prepared(case), **options)
    assert not found.unproven[0]
    return Counts(int(found.common[0]), int(found.true[0]), int(found.pred[0]))


def check(case: Case, max_path: int | None) -> None:
    hierarchy, reach, true, pred = prepared(case)
    graph = Graph(hierarchy, max_path)
    expected = optimum(graph, true[0].tolist(), pred[0].tolist())
    assert kernel(case, max_path=max_path) == expected
    choice = explain_lca(hierarchy, reach, true[0], pred[0], max_path=max_path)
    left, right = set(choice.true_nodes), set(choice.pred_nodes)
    assert Counts(len(left & right), len(left), len(right)) == expected
    for paths, nodes, labels in (
        (choice.true_paths, left, most_specific(graph, true[0].tolist())),
        (choice.pred_paths, right, most_specific(graph, pred[0].tolist())),
    ):
        for path in paths:
            assert path.nodes[-1] in choice.lcas
            assert path.nodes in graph.shortest_paths(path.nodes[0], path.nodes[-1])
        assert nodes == {node for path in paths for node in path.nodes} | set(labels)
        if choice.lcas:
            assert sorted(path.nodes[0] for path in paths if not path.connector) == sorted(labels)


@given(cases(), limits)
@few
def test_optimum_equals_enumeration(case: Case, max_path: int | None) -> None:
    check(case, max_path)


@pytest.mark.slow
@given(cases(), limits)
@many
def test_optimum_equals_enumeration_often(case: Case, max_path: int | None) -> None:
    check(case, max_path)


@given(cases_with_names(), limits)
@few
def test_names_do_not_matter(pair: tuple[Case, Case], max_path: int | None) -> None:
    assert kernel(pair[0], max_path=max_path) == kernel(pair[1], max_path=max_path)


@given(cases(), limits)
@few
def test_sides_are_symmetric(case: Case, max_path: int | None) -> None:
    there = kernel(case, max_path=max_path)
    back = kernel(Case(case.nodes, case.links, case.pred, case.true), max_path=max_path)
    assert (there.common, there.true + there.pred) == (back.common, back.true + back.pred)


@given(cases(min_labels=1))
@few
def test_perfect_exactly_if_the_most_specific_labels_agree(case: Case) -> None:
    hierarchy, _, true, pred = prepared(case)
    graph = Graph(hierarchy)
    same = most_specific(graph, true[0].tolist()) == most_specific(graph, pred[0].tolist())
    counts = kernel(case)
    assert (2 * counts.common == counts.true + counts.pred) == same


@given(cases(), limits)
@few
def test_greedy_equals_its_description(case: Case, max_path: int | None) -> None:
    hierarchy, _, true, pred = prepared(case)
    expected = greedy(Graph(hierarchy, max_path), true[0].tolist(), pred[0].tolist())
    assert kernel(case, max_path=max_path, greedy=True) == expected


@given(cases())
@few
def test_a_limit_beyond_the_depth_changes_nothing(case: Case) -> None:
    assert kernel(case) == kernel(case, max_path=50)


@given(cases(), limits)
@few
def test_sizes_of_ancestor_sets(case: Case, max_path: int | None) -> None:
    hierarchy, reach, true, pred = prepared(case)
    found = lca_counts(hierarchy, reach, true, pred, max_path=max_path, sets=True)
    graph = Graph(hierarchy, max_path)
    left, right = ({max(node, 0) for label in side[0].tolist() for node in graph.climb(label)} for side in (true, pred))
    assert found.set_common is not None
    assert found.set_true is not None
    assert found.set_pred is not None
    assert (found.set_common[0], found.set_true[0], found.set_pred[0]) == (
        len(left & right), len(left), len(right)
    )  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"greedy": True}], ids=["exact", "greedy"])
@pytest.mark.parametrize("record", published(), ids=lambda record: record["id"])
def test_published_cases(record: Any, options: Any) -> None:
    case = published_case(record)
    counts = kernel(case, **options)
    scores = {
        "P_LCA": Fraction(counts.common, counts.pred),
        "R_LCA": Fraction(counts.common, counts.true),
        "F_LCA": Fraction(2 * counts.common, counts.true + counts.pred),
    }
    for name, score in scores.items():
        assert score == Fraction(record["definition"][name])
        if record["consistent"][name]:
            assert 0 <= float(score) - record["published"][name] < 0.01
    hierarchy, reach, true, pred = prepared(case)
    if not options:
        choice = explain_lca(hierarchy, reach, true[0], pred[0])
        assert sorted(hierarchy.names[i] for i in choice.true_nodes) == record["augmented"]["true_LCA"]
        assert sorted(hierarchy.names[i] for i in choice.pred_nodes) == record["augmented"]["pred_LCA"]


def test_worked_example_of_figure_8b() -> None:
    examples = json.loads(CASES.read_text(encoding="utf-8"))["worked_examples"]
    record = next(entry for entry in examples if entry["id"] == "8b")
    case = published_case(record)
    assert kernel(case) == (2, 4, 4)
    hierarchy, reach, true, pred = prepared(case)
    choice = explain_lca(hierarchy, reach, true[0], pred[0])
    assert sorted(hierarchy.names[i] for i in choice.true_nodes) == record["definition"]["minimal_true_aug"]
    assert sorted(hierarchy.names[i] for i in choice.pred_nodes) == record["definition"]["minimal_pred_aug"]


def test_threshold_of_section_3_6() -> None:
    """Figure 18(a) under a threshold of 2 is Figure 18(b)."""
    record = next(entry for entry in published() if entry["id"] == "18a")
    assert kernel(published_case(record), max_path=2) == (1, 3, 4)
    hierarchy, reach, true, pred = prepared(published_case(record))
    assert explain_lca(hierarchy, reach, true[0], pred[0], max_path=2).lcas == (DUMMY,)


def adversarial(labels: int, seed: int) -> Case:
    """Every leaf under 5 of 30 parents."""
    random = np.random.default_rng(seed)
    parents = [f"p{i:02d}" for i in range(30)]
    leaves = [f"l{i:02d}" for i in range(2 * labels)]
    links = [(f"p{i:02d}", leaf) for leaf in leaves for i in random.choice(30, 5, replace=False)]
    return Case((*parents, *leaves), tuple(links), tuple(leaves[:labels]), tuple(leaves[labels:]))


@pytest.mark.parametrize("seed", range(4))
def test_twenty_labels_a_side_under_shared_parents_are_solved(seed: int) -> None:
    assert kernel(adversarial(20, seed)).common > 0


def woven(labels: int, seed: int) -> Case:
    """Sides that meet only at the top, with thousands of shortest paths from every label up to there."""
    random = np.random.default_rng(seed)
    width, layers, parents = 12, 4, 3
    top = [f"top{i:02d}" for i in range(width)]
    nodes, links, sides = list(top), [], []
    for side in "tp":
        above = top
        for layer in range(layers):
            row = [f"{side}{layer}.{i:02d}" for i in range(width if layer < layers - 1 else labels)]
            links += [(above[i], node) for node in row for i in random.choice(width, parents, replace=False)]
            nodes += row
            above = row
        sides.append(tuple(above))
    return Case(tuple(nodes), tuple(links), *sides)


@pytest.mark.parametrize("labels", [6, 20])
def test_a_search_too_long_ends_and_is_flagged(labels: int) -> None:
    prepared_case = prepared(woven(labels, 1))
    start = perf_counter()
    found = lca_counts(*prepared_case)
    assert perf_counter() - start < 10
    assert found.unproven[0]
    assert found.common[0] > 0
    hierarchy, reach, true, pred = prepared_case
    choice = explain_lca(hierarchy, reach, true[0], pred[0])
    assert not choice.proven
    assert (len(choice.true_nodes), len(choice.pred_nodes)) == (found.true[0], found.pred[0])


@pytest.mark.parametrize("seed", range(5))
def test_a_search_cut_short_gives_at_most_the_optimum(seed: int) -> None:
    case = adversarial(8, seed)
    exact = kernel(case)
    by_algorithm_1 = kernel(case, greedy=True)
    for budget in (1, 100, 300, 1000, 3000):
        found = lca_counts(*prepared(case), budget=budget)
        counts = Counts(int(found.common[0]), int(found.true[0]), int(found.pred[0]))
        if not found.unproven[0]:
            assert counts == exact
        else:
            assert counts == by_algorithm_1 or counts.rank() >= exact.rank()


@given(cases(min_labels=1))
@example(Case(("r", "a", "b"), (("r", "a"), ("r", "b")), ("a",), ("b",)))
@few
def test_every_outcome_is_legal(case: Case) -> None:
    hierarchy, _, true, pred = prepared(case)
    assert kernel(case) in all_outcomes(Graph(hierarchy), true[0].tolist(), pred[0].tolist())
