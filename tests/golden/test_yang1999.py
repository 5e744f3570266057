"""Yang & Liu 1999: all 30 relations of Table 3 from the scores of Table 1, and the orders given in the text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from branchmark.significance import Proportion, partial_order, proportion_test, symbol
from branchmark.significance.base import flip

FACTS = json.loads((Path(__file__).parent / "yang1999.json").read_text("utf-8"))
SCORES = FACTS["table1"]
Z = {(cell["sysA"], cell["sysB"], cell["measure"]): cell["Z"] for cell in FACTS["z"]}
CELLS = [
    (row["sysA"], row["sysB"], measure, row[measure]) for row in FACTS["table3"] for measure in ("miR", "miP", "error")
]


def share(system: str, measure: str) -> Proportion:
    row = SCORES[system]
    assigned = FACTS["true_labels"] * row["miR"] / row["miP"]
    trials = {"miR": FACTS["true_labels"], "miP": assigned, "error": FACTS["decisions"]}
    return Proportion(row[measure], trials[measure])


def test_the_table_is_whole() -> None:
    assert len(CELLS) == len(Z) == 30


@pytest.mark.parametrize(("first", "second", "measure", "printed"), CELLS)
def test_table_3(first: str, second: str, measure: str, printed: str) -> None:
    result = proportion_test(share(first, measure), share(second, measure))
    assert result.symbol == printed
    assert result.statistic == pytest.approx(Z[first, second, measure], abs=5.1e-4)
    # by error the better system is the one with less
    turned = proportion_test(share(first, measure), share(second, measure), better="lower")
    assert turned.symbol == flip(printed) == symbol(result.p_other, result.p)


def test_order_by_the_s_test() -> None:
    # in the text: SVM > kNN >> {LLSF, NNet} >> NB; the sign of SVM and kNN stands in Table 2
    relations = {(row["sysA"], row["sysB"]): row["s-test"] for row in FACTS["table2"]}
    scores = {system: row["miF1"] for system, row in SCORES.items()}
    assert str(partial_order(scores, relations)) == FACTS["orders_in_text"]["s-test"]


@pytest.mark.parametrize("test", ["S-test", "T-test", "T'-test"])
def test_order_by_the_macro_tests(test: str) -> None:
    relations = {(row["sysA"], row["sysB"]): row[test] for row in FACTS["table2"]}
    scores = {system: row["maF1"] for system, row in SCORES.items()}
    order = partial_order(scores, relations)
    assert str(order) == FACTS["orders_in_text"]["macro tests"]
    assert order.exceptions == ()


def test_order_by_error() -> None:
    pairs = [(row["sysA"], row["sysB"]) for row in FACTS["table3"]]
    relations = {(a, b): proportion_test(share(a, "error"), share(b, "error"), better="lower") for a, b in pairs}
    scores = {system: row["error"] for system, row in SCORES.items()}
    assert str(partial_order(scores, relations, better="lower")) == FACTS["orders_in_text"]["error p-test"]
