"""Operations on label sets against sets of names."""

from __future__ import annotations

from hypothesis import given
from reference import Graph
from strategies import Case, labelled

import branchmark as bm


def made(case: Case) -> tuple[Graph, bm.LabelSets]:
    return Graph(case.shape.nodes, case.shape.edges), bm.LabelSets.from_lists(case.true, case.shape.hierarchy())


def as_sets(labels: bm.LabelSets) -> list[set[str]]:
    rows = labels.to_lists()
    assert all(len(row) == len(set(row)) for row in rows)
    return [set(row) for row in rows]


@given(labelled())
def test_rows_are_the_given_sets(case: Case) -> None:
    _, labels = made(case)
    assert as_sets(labels) == [set(row) for row in case.true]
    assert all(row.tolist() == sorted(row.tolist()) for row in labels.rows)


@given(labelled())
def test_add_ancestors(case: Case) -> None:
    graph, labels = made(case)
    want = [set(graph.with_ancestors(row, "excluded")) for row in case.true]
    assert as_sets(labels.add_ancestors()) == want
    assert labels.add_ancestors().is_consistent()


@given(labelled())
def test_is_consistent(case: Case) -> None:
    graph, labels = made(case)
    want = all(graph.with_ancestors(row, "excluded") <= set(row) for row in case.true)
    assert labels.is_consistent() == want


@given(labelled())
def test_most_specific(case: Case) -> None:
    graph, labels = made(case)
    want = [{x for x in row if not graph.descendants(x) & set(row)} for row in case.true]
    assert as_sets(labels.most_specific()) == want
    assert as_sets(labels.add_ancestors().most_specific()) == [row - {graph.root} for row in want]


@given(labelled(max_labels=7))
def test_add_subsumed(case: Case) -> None:
    graph, labels = made(case)
    want = []
    for row in case.true:
        have = set(row)
        while True:
            more = {x for x in graph.classes - {graph.root} - have if graph.below[x] and graph.below[x] <= have}
            if not more:
                break
            have |= more
        want.append(have)
    assert as_sets(labels.add_subsumed()) == want


@given(labelled())
def test_structure_of_sun_et_al(case: Case) -> None:
    graph, labels = made(case)
    used = {x for row in case.true for x in row}
    shape = "category tree" if labels.hierarchy.is_tree else "directed acyclic category graph"
    assert labels.structure == (f"virtual {shape}" if used <= graph.leaves else shape)


@given(labelled())
def test_indicator_there_and_back(case: Case) -> None:
    _, labels = made(case)
    h = labels.hierarchy
    matrix = labels.to_indicator()
    assert matrix.shape == (len(case), h.size)
    first = int(h.root_is_virtual)
    again = bm.LabelSets.from_indicator(matrix[:, first:], h, list(h))
    assert again.rows == labels.rows
    assert again.fingerprint == labels.fingerprint
