"""Sun, Lim & Ng 2003: Tables 6, 8, 9 and 11 from the counts of Tables 7 and 10 and the class sizes of Table 2."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import branchmark as bm
from branchmark.costs import ClassMatrix
from branchmark.measures.blocking import blocking
from branchmark.measures.contribution import contribution_scores
from branchmark.trace import Trace

SUN = json.loads(Path(__file__).with_name("sun2003.json").read_text("utf-8"), parse_float=Decimal)

COUNTS = {6: "table7", 9: "table10"}
BLOCKING = {8: "table7", 11: "table10"}

# Errata S5 and S6: these averages leave out the max(0, .) of the paper's own equations.
WITHOUT_CLAMP = {
    (6, "c", row, kind + by) for row in ("Micro-Ave", "Macro-Ave") for kind in ("Pr", "Re") for by in ("_CS", "_DB")
}


def counts(table: int, tree: str) -> dict[str, dict[str, float]]:
    """Rows of Table 7 or 10, with the errata mended."""
    rows = {
        name: {key: float(x) for key, x in row.items()}
        for name, row in SUN[COUNTS.get(table) or BLOCKING[table]][tree].items()
    }
    if tree == "c":  # S2: tin and iron-steel are exchanged
        rows["tin"], rows["iron-steel"] = rows["iron-steel"], rows["tin"]
    if (table in (6, 8)) and tree == "a":  # S1
        rows["wheat"]["FP"] = 24
    return rows


def fits(value: float, printed: Decimal) -> bool:
    """Whether a value, cut or rounded to the printed digits, is what is printed."""
    places = -printed.as_tuple().exponent
    unit = 10.0**-places
    cut, rounded = (math.floor(value / unit + shift) * unit for shift in (1e-9, 0.5 + 1e-9))
    return min(abs(cut - float(printed)), abs(rounded - float(printed))) < unit / 1000


def scores_from_counts(table: int, tree: str) -> dict[str, dict[str, float]]:
    """All columns of Table 6 or 9 for one tree."""
    rows = counts(table, tree)
    found: dict[str, dict[str, float]] = {name: {} for name in [*rows, "Micro-Ave", "Macro-Ave"]}
    for by in ("", "_CS", "_DB"):
        con = [[row[f"{side}Con{by}"] if by else 0.0 for row in rows.values()] for side in ("Fp", "Fn")]
        tp, fp, fn = ([row[key] for row in rows.values()] for key in ("TP", "FP", "FN"))
        result = contribution_scores(tp, fp, fn, *con)
        for kind, column in (("P", f"Pr{by}"), ("R", f"Re{by}")):
            for name, value in zip(rows, result[kind]["categories"], strict=True):
                found[name][column] = float(value)
            found["Micro-Ave"][column] = result[kind]["micro"]
            found["Macro-Ave"][column] = result[kind]["macro"]
    return found


@pytest.mark.parametrize("table", COUNTS)
@pytest.mark.parametrize("tree", SUN["trees"])
def test_tables_6_and_9_follow_from_the_counts(table: int, tree: str):
    found = scores_from_counts(table, tree)
    printed = SUN[f"table{table}"][tree]
    checked = 0
    for name, row in printed.items():
        for column, cell in row.items():
            if (table, tree, name, column) in WITHOUT_CLAMP:
                continue
            assert fits(found[name][column], cell), (table, tree, name, column, found[name][column], cell)
            checked += 1
    assert checked == sum(len(row) for row in printed.values()) - sum(key[:2] == (table, tree) for key in WITHOUT_CLAMP)


def test_the_averages_printed_without_clamp_have_the_value_of_the_definition():
    found = scores_from_counts(6, "c")
    for name, row in SUN["corrections"]["table6.c.averages"]["by_definition"].items():
        for column, value in row.items():
            assert found[name][column] == pytest.approx(float(value), abs=6e-6)


def tree_of(name: str) -> bm.Hierarchy:
    return bm.Hierarchy.from_edges([tuple(edge) for edge in SUN["trees"][name]["edges"]])


@pytest.mark.parametrize("table", BLOCKING)
@pytest.mark.parametrize("tree", SUN["trees"])
def test_tables_8_and_11_follow_from_a_trace_with_the_printed_counts(table: int, tree: str):
    h = tree_of(tree)
    root = SUN["trees"][tree]["root"]
    classifiers = [root, *h.children(root)]
    labels, reached, accepted = [], [], []
    rows = counts(table, tree)
    for category, row in rows.items():
        size = int(SUN["table2"][tree].get(category, SUN["table2"][tree].get(f"{category}:l"))["+Te"])
        top = category if category in classifiers else h.parents(category)[0]
        for document in range(size):
            labels.append([category])
            by_root = document < row["Block_II"]
            by_top = not by_root and document < row["Block_II"] + row["Block_I"]
            reached.append([c == root or (c == top and not by_root) for c in classifiers])
            accepted.append(
                [(c == root and not by_root) or (c == top and not by_root and not by_top) for c in classifiers]
            )
    truth = bm.LabelSets.from_lists(labels, h)
    trace = Trace.from_arrays(h, classifiers, np.array(reached), np.array(accepted))
    factors = blocking(truth, trace)
    for cell in SUN[f"table{table}"][tree]:
        classifier = cell["classifier"].removesuffix(":s")
        mended = SUN["corrections"].get(f"table{table}.{tree}.{cell['classifier']}.BF")
        printed = mended["corrected"] if mended else cell["BF"]
        assert fits(factors.factors[classifier], printed), (cell, factors.factors[classifier])
        (score,) = bm.evaluate(truth, truth, f"BF(classifier={classifier})", trace=trace)
        assert score.value == factors.factors[classifier]


@pytest.mark.parametrize("table", ["table3", "table4", "table5"])
def test_average_category_similarity(table: str):
    facts = SUN[table]
    h = tree_of(facts["tree"])
    lower = [[float(x) for x in row] for row in facts["lower_triangle"]]
    size = len(lower)
    matrix = np.array([[lower[max(i, k)][min(i, k)] for k in range(size)] for i in range(size)])
    assert fits(ClassMatrix("cs", matrix, facts["categories"], h).mean_of_pairs, facts["ACS"])
