"""Kosmopoulos et al. 2014, section 4: Kendall's tau of Tables 16 to 30, cell by cell, and the ranks of Tables 15 to 29.

66 of 90 cells come out as printed; the others are errata K14 to K21, and come out as their recomputed value.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from branchmark.significance import kendall_matrix, order_systems, rank_systems

FACTS = json.loads((Path(__file__).parent / "kosmopoulos2014_systems.json").read_text("utf-8"))
SETS = {facts["kendall_table"]: facts for facts in FACTS["sets"]}
BETTER = FACTS["better"]


def matrix(facts: dict[str, Any]):
    scores, better = facts["scores"], BETTER
    if facts["basis"] == "tau-b, ranks":  # erratum K19
        scores, better = facts["ranks"], dict.fromkeys(BETTER, "lower")
    elif facts["kendall_table"] == 30:  # erratum K22; half up, so that 0.465 stays above 0.456
        scores = scores | {"F_LCA": {s: round(v + 1e-9, 2) for s, v in scores["F_LCA"].items()}}
    return kendall_matrix(scores, better)


def test_all_tables_are_there() -> None:
    assert list(SETS) == [16, 19, 22, 25, 28, 30]
    cells = [cell for facts in SETS.values() for cell in facts["cells"]]
    assert (len(cells), sum(cell["agrees"] for cell in cells)) == (90, 66)


CELLS = [
    pytest.param(facts, cell, id=f"table{table}-{cell['row']}-{cell['col']}")
    for table, facts in SETS.items()
    for cell in facts["cells"]
]


@pytest.mark.parametrize(("facts", "cell"), CELLS)
def test_tau(facts: dict[str, Any], cell: dict[str, Any]) -> None:
    tau = matrix(facts)[cell["row"], cell["col"]]
    assert tau == pytest.approx(cell["tau"], abs=5.1e-5)
    # printed with three digits; agreeing means all of them
    assert (abs(tau - cell["printed"]) < 5.01e-4) == cell["agrees"]


def test_the_triangle_is_laid_out_as_printed() -> None:
    facts = SETS[22]
    for ours, printed in zip(matrix(facts).lower_triangle(), facts["kendall"], strict=True):
        assert ours == pytest.approx(printed, abs=5.01e-4)


RANKED = [
    pytest.param(facts, measure, id=f"table{facts['systems_table']}-{measure}")
    for facts in SETS.values()
    for measure in BETTER
    if measure not in facts["rank_against_score"]
]


@pytest.mark.parametrize(("facts", "measure"), RANKED)
def test_ranks_with_ties(facts: dict[str, Any], measure: str) -> None:
    """Given which neighbours the paper's test found equal, the rule gives the printed ranks in one of its styles."""
    printed = facts["ranks"][measure]
    # printed scores may be equal where ranks are not, so systems are listed by their ranks
    scores = {system: facts["scores"][measure][system] for system in sorted(printed, key=printed.__getitem__)}
    order = order_systems(scores, BETTER[measure])
    relations = {(a, b): "~" if printed[a] == printed[b] else ">" for a, b in pairwise(order)}
    style = facts["tie_style"].get(measure, "competition")
    assert rank_systems(scores, relations, better=BETTER[measure], style=style) == printed
