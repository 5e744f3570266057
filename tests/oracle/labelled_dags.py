"""Random small hierarchies with label sets, and the golden case studies, for oracles."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from branchmark.closures import Reach
from branchmark.hierarchy import Hierarchy
from branchmark.ragged import Ragged

CASES = Path(__file__).parents[1] / "golden" / "kosmopoulos2014_cases.json"


@dataclass(frozen=True)
class Case:
    """One instance: links between named classes and the labels of both sides."""

    nodes: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    true: tuple[str, ...]
    pred: tuple[str, ...]

    def hierarchy(self) -> Hierarchy:
        return Hierarchy.from_edges(self.links, nodes=self.nodes)

    def renamed(self, names: dict[str, str]) -> Case:
        """Other names, and thereby another order of nodes, links and labels."""
        return Case(
            tuple(sorted(names[node] for node in self.nodes)),
            tuple(sorted((names[parent], names[child]) for parent, child in self.links)),
            tuple(names[label] for label in self.true),
            tuple(names[label] for label in self.pred),
        )


@st.composite
def cases(draw: Any, max_nodes: int = 11, max_labels: int = 4, min_labels: int = 0) -> Case:
    """A tree or a directed acyclic graph, often with several top nodes, and labels anywhere in it."""
    count = draw(st.integers(2, max_nodes))
    most_parents = draw(st.integers(1, 3))
    nodes = tuple(f"n{i:02d}" for i in range(count))
    links = []
    for child in range(1, count):
        parents = draw(st.sets(st.integers(0, child - 1), max_size=most_parents))
        links += [(nodes[parent], nodes[child]) for parent in sorted(parents)]
    side = st.sets(st.sampled_from(nodes), min_size=min_labels, max_size=max_labels)
    return Case(nodes, tuple(links), tuple(sorted(draw(side))), tuple(sorted(draw(side))))


@st.composite
def cases_with_names(draw: Any) -> tuple[Case, Case]:
    """A case and the same case under other names."""
    case = draw(cases())
    order = draw(st.permutations(range(len(case.nodes))))
    return case, case.renamed({node: f"m{order[i]:02d}" for i, node in enumerate(case.nodes)})


def rows_of(hierarchy: Hierarchy, labels: Iterable[Sequence[str]]) -> Ragged:
    return Ragged.from_lists(sorted(hierarchy.id(label) for label in row) for row in labels)


def prepared(case: Case) -> tuple[Hierarchy, Reach, Ragged, Ragged]:
    """What the Python functions beside the kernels take."""
    hierarchy = case.hierarchy()
    true, pred = rows_of(hierarchy, [case.true]), rows_of(hierarchy, [case.pred])
    return hierarchy, hierarchy.ancestor_lists(np.concatenate([true.flat(), pred.flat()])), true, pred


def published() -> list[Any]:
    return list(json.loads(CASES.read_text(encoding="utf-8"))["cases"])


def published_case(record: Any) -> Case:
    links = tuple((str(parent), str(child)) for parent, child in record["edges"])
    nodes = tuple(dict.fromkeys(name for link in links for name in link))
    return Case(nodes, links, tuple(record["true"]), tuple(record["pred"]))
