"""compare(): what the report holds, its edge cases, its errors and its formats."""

from __future__ import annotations

import json
import math
import random
import re
import shutil
import subprocess
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import branchmark as bm
from branchmark import significance
from branchmark.errors import LabelError, MeasureError

TREE = bm.Hierarchy.from_edges([("Arts", "Music"), ("Music", "Pop"), ("Music", "Rock"), ("Arts", "Theatre")])
LEAVES = ("Pop", "Rock", "Theatre")
TRUE = [["Pop"], ["Rock"], ["Theatre"]] * 10
BAD = [["Rock"], ["Pop"], ["Pop"]] * 10
MEASURES = ["hF1", "SDL", "GIE", "P", "F1(average=macro)"]


def noisy(right: float, seed: int, n: int = 30) -> list[list[str]]:
    """Predictions of which about a share is right."""
    rng = random.Random(seed)
    truth = (TRUE * (n // len(TRUE) + 1))[:n]
    return [list(row) if rng.random() < right else [rng.choice(LEAVES)] for row in truth]


def numbers(found):
    """All numbers in nested dicts and lists."""
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, list | tuple):
        for item in found:
            yield from numbers(item)
    elif isinstance(found, float | np.floating):
        yield found


def refuse(constant: str):
    raise AssertionError(f"{constant} is no JSON")


def check_sound(report: bm.Report) -> dict:
    """No NaN and no infinity anywhere, strict JSON, and every format can be made."""
    assert all(math.isfinite(x) for x in numbers(report.to_dict()))
    read = json.loads(report.to_json(), parse_constant=refuse)
    assert read["schema"] == "branchmark.comparison/1"
    for text in (str(report), report.to_latex(), report.to_markdown(), *map(str, report.details())):
        assert not re.search(r"\bnan\b", text)
    return read


def only(report: bm.Report) -> significance.TestResult:
    (comparison,) = report.comparisons
    return comparison.result


# ---------------------------------------------------------------- values, letters, ranks, orders


def test_values_are_those_of_evaluate():
    systems = {"x": noisy(0.8, 1), "y": noisy(0.4, 2)}
    report = bm.compare(TRUE, systems, MEASURES, hierarchy=TREE)
    for name, predictions in systems.items():
        scores = bm.evaluate(TRUE, predictions, MEASURES, hierarchy=TREE)
        for score in scores:
            assert report[name, str(score.measure)].value == score.value
            assert str(report[name, score.measure].signature) == str(score.signature)


def test_letters_mark_exactly_the_beaten():
    report = bm.compare(TRUE, {"good": TRUE, "twin": TRUE, "bad": BAD}, ["hF1", "SDL"], hierarchy=TREE)
    assert report.letters == {"good": "a", "twin": "b", "bad": "c"}
    assert report.table().marks == {(0, 2): "c", (0, 3): "c", (1, 2): "c", (1, 3): "c"}
    assert "1.0000 ᶜ" in str(report)


def test_letters_do_not_depend_on_the_order_of_systems():
    report = bm.compare(TRUE, {"bad": BAD, "good": TRUE}, ["hF1", "SDL"], hierarchy=TREE)
    assert report.table().marks == {(1, 2): "a", (1, 3): "a"}
    assert [c.sign(0.05) for c in report.comparisons] == ["<<", "<<"]


def test_more_systems_than_letters():
    systems = {f"s{i}": TRUE if i == 0 else BAD for i in range(29)}
    report = bm.compare(TRUE, systems, "hF1", hierarchy=TREE, intervals=False)
    assert report.letters["s25"] == "z"
    assert report.letters["s26"] == "27"
    assert report.table().marks == {(0, 2): ",".join([*"bcdefghijklmnopqrstuvwxyz", "27", "28", "29"])}


def test_no_difference_no_letters():
    one = [["Rock"] if i == 0 else row for i, row in enumerate(TRUE)]
    two = [["Pop"] if i == 1 else row for i, row in enumerate(TRUE)]
    report = bm.compare(TRUE, {"one": one, "two": two}, ["hF1", "SDL"], hierarchy=TREE)
    assert report.table().marks == {}
    assert str(report.orders["hF1"]) == "{one, two}"
    assert report.ranks["SDL"] == {"one": 1, "two": 1}
    assert {c.sign(0.05) for c in report.comparisons} == {"~"}


def test_two_equal_and_one_worse():
    report = bm.compare(TRUE, {"c": BAD, "a": TRUE, "b": TRUE}, ["hF1", "SDL"], hierarchy=TREE)
    for m in ("hF1", "SDL"):
        assert str(report.orders[m]) == "{a, b} >> c"
        assert report.ranks[m] == {"c": 3, "a": 1, "b": 1}


def test_agreement_uses_directions():
    systems = {"a": TRUE, "b": noisy(0.6, 3), "c": BAD}
    report = bm.compare(TRUE, systems, ["hF1", "SDL"], hierarchy=TREE)
    assert report["a", "SDL"].value < report["b", "SDL"].value < report["c", "SDL"].value
    assert report["a", "hF1"].value > report["b", "hF1"].value > report["c", "hF1"].value
    assert report.agreement["hF1", "SDL"] == 1.0
    assert report.to_dict()["agreement"] == {"measures": ["hF1", "SDL"], "tau": [[1.0, 1.0], [1.0, 1.0]]}


rows = st.lists(st.sampled_from(LEAVES).map(lambda name: [name]), min_size=8, max_size=8)


@settings(max_examples=30, deadline=None)
@given(systems=st.lists(rows, min_size=2, max_size=4), alpha=st.sampled_from([0.01, 0.05, 0.3]))
def test_letters_ranks_and_orders_agree_with_the_relations(systems, alpha):
    named = {f"s{i}": rows for i, rows in enumerate(systems)}
    report = bm.compare(TRUE[:8], named, ["hF1", "SDL"], hierarchy=TREE, alpha=alpha, correction="none", resamples=20)
    check_sound(report)
    names = list(named)
    for k, m in enumerate(report.measures, start=2):
        signs = {(c.first, c.second): c.sign(alpha) for c in report.comparisons if c.measure == m}
        beaten = {name: set() for name in names}
        for (a, b), sign in signs.items():
            result = next(c.result for c in report.comparisons if (c.first, c.second, c.measure) == (a, b, m))
            assert (sign != "~") == (min(result.p, result.p_other) <= alpha)
            if ">" in sign:
                beaten[a].add(report.letters[b])
            elif "<" in sign:
                beaten[b].add(report.letters[a])
        marks = {name: set(report.table().marks.get((i, k), "")) for i, name in enumerate(names)}
        assert marks == beaten
        ranks = report.ranks[str(m)]
        turn = -1 if m.better == "higher" else 1
        order = sorted(names, key=lambda name: turn * report[name, m].value)
        assert ranks[order[0]] == 1
        for before, after in pairwise(order):
            same = signs.get((before, after), signs.get((after, before))) == "~"
            assert (ranks[before] == ranks[after]) == same
        assert [name for group in report.orders[str(m)].groups for name in group] == order


# ---------------------------------------------------------------- corrections, levels, seeds, intervals


def test_corrections_only_raise_p():
    systems = {f"s{i}": noisy(share, i) for i, share in enumerate((0.95, 0.7, 0.5, 0.1))}
    found = {
        correction: [
            c.adjusted for c in bm.compare(TRUE, systems, "hF1", hierarchy=TREE, correction=correction).comparisons
        ]
        for correction in ("none", "bh", "holm")
    }
    raw = bm.compare(TRUE, systems, "hF1", hierarchy=TREE).comparisons
    p = [min(c.result.p, c.result.p_other) for c in raw]
    assert found["none"] == p
    assert found["bh"] == significance.benjamini_hochberg(p).tolist()
    assert found["holm"] == significance.holm(p).tolist()
    assert all(a <= b <= c <= 1 for a, b, c in zip(found["none"], found["bh"], found["holm"], strict=True))
    assert found["none"] != found["bh"] != found["holm"]


def test_each_measure_and_test_is_corrected_alone():
    systems = {"a": TRUE, "b": noisy(0.7, 4), "c": BAD}
    alone = bm.compare(TRUE, systems, "hF1", hierarchy=TREE, tests="sign").comparisons
    among = bm.compare(TRUE, systems, ["hF1", "SDL"], hierarchy=TREE, tests=["sign", "wilcoxon"]).comparisons
    assert [c.adjusted for c in among if str(c.measure) == "hF1" and c.result.test == "sign"] == [
        c.adjusted for c in alone
    ]


def test_alpha_changes_letters():
    five = [["Pop"]] * 5
    wrong = [["Rock"]] * 5  # p = 1/32 by the exact binomial
    wide = bm.compare(five, {"x": five, "y": wrong}, "hF1", hierarchy=TREE)
    strict = bm.compare(five, {"x": five, "y": wrong}, "hF1", hierarchy=TREE, alpha=0.01)
    assert only(wide).p == 1 / 32
    assert wide.table().marks == {(0, 2): "b"}
    assert str(wide.orders["hF1"]) == "x > y"
    assert strict.table().marks == {}
    assert str(strict.orders["hF1"]) == "{x, y}"
    assert "p ≤ 0.01" in str(strict)


def test_the_first_test_asked_for_decides_the_letters():
    five, wrong = [["Pop"]] * 5, [["Rock"]] * 5
    how = {"hierarchy": TREE, "alpha": 0.01}
    sign = bm.compare(five, {"x": five, "y": wrong}, "hF1", tests=["sign", "bootstrap"], **how)
    bootstrap = bm.compare(five, {"x": five, "y": wrong}, "hF1", tests=["bootstrap", "sign"], **how)
    assert sign.table().marks == {}
    assert bootstrap.table().marks == {(0, 2): "b"}


@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_seeds_reproduce(test):
    systems = {"x": noisy(0.7, 5), "y": noisy(0.5, 6)}

    def run(seed):
        return bm.compare(TRUE, systems, "hF1", tests=test, hierarchy=TREE, seed=seed, resamples=500)

    assert run(7).to_dict() == run(7).to_dict()
    one, other = run(7), run(8)
    assert only(one).p != only(other).p
    assert one.intervals["x"][one.measures[0]].error != other.intervals["x"][one.measures[0]].error
    assert one["x", "hF1"].value == other["x", "hF1"].value


@pytest.mark.parametrize("m", ["hF1", "SDL", "GIE", "P"])
def test_intervals_contain_the_value_and_shrink(m):
    widths = []
    for n in (30, 300, 3000):
        report = bm.compare((TRUE * 100)[:n], {"x": noisy(0.6, 9, n)}, m, hierarchy=TREE)
        (found,) = report.intervals["x"].values()
        value = report["x", m].value
        assert found.value == pytest.approx(value, abs=1e-12)
        assert found.low < value < found.high
        widths.append(found.high - found.low)
    assert widths[0] > widths[1] > widths[2]
    assert widths[0] / widths[2] == pytest.approx(10, rel=0.4)  # as 1 / sqrt(n)


def test_intervals_can_be_left_out():
    report = bm.compare(TRUE, {"x": TRUE, "y": BAD}, "hF1", hierarchy=TREE, intervals=False)
    read = check_sound(report)
    assert [system["scores"][0]["interval"] for system in read["systems"]] == [None, None]
    assert not any("95%" in str(table) for table in report.details())


def test_confidence_widens_intervals():
    narrow, wide = (
        bm.compare(TRUE, {"x": noisy(0.6, 9)}, "hF1", hierarchy=TREE, confidence=share).to_dict()["systems"][0]
        for share in (0.5, 0.99)
    )
    one, two = (system["scores"][0]["interval"] for system in (narrow, wide))
    assert two["low"] < one["low"] < one["high"] < two["high"]


# ---------------------------------------------------------------- tests


def test_default_tests():
    report = bm.compare(TRUE, {"x": TRUE, "y": BAD}, MEASURES, hierarchy=TREE)
    assert {str(c.measure): c.result.test for c in report.comparisons} == {
        "hF1": "sign", "SDL": "sign", "GIE": "sign", "P": "sign", "F1(average=macro)": "S-test",
    }  # fmt: skip


X, Y = noisy(0.8, 11), noisy(0.5, 12)


def direct(test: str, m: str) -> significance.TestResult:
    """The test, asked of branchmark.significance itself."""
    x, y = (bm.evaluate(TRUE, rows, m, hierarchy=TREE)[m] for rows in (X, Y))
    better = x.better
    by_category = {"S-test": "macro_sign_test", "T-test": "t_test", "T'-test": "rank_t_test"}
    if test in by_category:
        return getattr(significance, by_category[test])(x.all_categories(), y.all_categories(), better=better)
    if test in ("sign", "wilcoxon"):
        return getattr(significance, f"{test}_test")(x.per_instance, y.per_instance, better=better)
    return getattr(significance, f"{test}_test")(x.per_instance, y.per_instance, better=better, resamples=200, seed=3)


@pytest.mark.parametrize(
    ("test", "m"),
    [
        ("S-test", "F1(average=macro)"), ("T-test", "F1(average=macro)"), ("T'-test", "F1(average=macro)"),
        ("sign", "hF1"), ("sign", "GIE"), ("wilcoxon", "hF1"), ("wilcoxon", "SDL"), ("permutation", "hF1"),
        ("permutation", "SDL"), ("bootstrap", "SDL"), ("bootstrap", "GIE"), ("bootstrap", "hF1(average=samples)"),
    ],
)  # fmt: skip
def test_tests_are_those_of_significance(test, m):
    report = bm.compare(TRUE, {"x": X, "y": Y}, m, tests=test, hierarchy=TREE, resamples=200, seed=3)
    assert only(report) == direct(test, m)
    assert only(report).test == test
    check_sound(report)


def test_bootstrap_of_a_micro_average_resamples_counts():
    report = bm.compare(TRUE, {"x": X, "y": Y}, "hF1", tests="bootstrap", hierarchy=TREE, resamples=200)
    x, y = report["x", "hF1"], report["y", "hF1"]
    result = only(report)
    assert result.effect == pytest.approx(x.value - y.value)
    assert result == significance.bootstrap_test(
        x.instance_counts(), y.instance_counts(), lambda sums: x.measure.finish(sums, "total"), resamples=200
    )


def test_s_test_is_made_once_for_all_measures():
    report = bm.compare(TRUE, {"x": X, "y": Y}, ["hF1", "SDL"], tests="s-test", hierarchy=TREE)
    sides = [bm.LabelSets.from_lists(rows, TREE) for rows in (TRUE, X, Y)]
    assert only(report) == significance.micro_sign_test(*sides)
    assert report.comparisons[0].measure is None
    read = check_sound(report)
    assert read["comparisons"][0]["measure"] is None
    assert read["systems"][0]["scores"][0]["rank"] is None
    assert report.table().marks == {}


@pytest.mark.parametrize("m", ["P", "R", "error", "accuracy"])
def test_p_test(m):
    report = bm.compare(TRUE, {"x": X, "y": Y}, m, tests="p-test", hierarchy=TREE)
    right = [sum(a == b for a, b in zip(TRUE, rows, strict=True)) for rows in (X, Y)]
    decisions = 30 * 5
    shares = {
        "P": [(k / 30, 30) for k in right],
        "R": [(k / 30, 30) for k in right],
        "error": [(2 * (30 - k) / decisions, decisions) for k in right],
        "accuracy": [(1 - 2 * (30 - k) / decisions, decisions) for k in right],
    }[m]
    wanted = significance.proportion_test(*shares, better="lower" if m == "error" else "higher")
    got = only(report)
    assert got.test == "p-test"
    assert (got.p, got.p_other, got.n) == pytest.approx((wanted.p, wanted.p_other, wanted.n))
    assert got.p < got.p_other
    assert [report[name, m].value for name in "xy"] == pytest.approx([value for value, _ in shares])
    check_sound(report)


def test_all_measures_are_those_of_evaluate():
    systems = {"x": X, "y": Y}
    scores = bm.evaluate(TRUE, X, "all", hierarchy=TREE)
    report = bm.compare(TRUE, systems, "all", hierarchy=TREE, resamples=20)
    read = check_sound(report)
    assert [str(m) for m in report.measures] == [str(score.measure) for score in scores]
    assert len(report.measures) > 20
    assert read["warnings"] == scores.warnings
    assert set(report.ranks) == {str(m) for m in report.measures}


def test_all_measures_get_the_tests_that_they_support():
    report = bm.compare(TRUE, {"x": X, "y": Y}, "all", tests="S-test", hierarchy=TREE, intervals=False)
    check_sound(report)
    tested = {str(c.measure) for c in report.comparisons}
    assert {"F1", "hF1"} <= tested
    assert "GIE" not in tested
    assert {c.result.test for c in report.comparisons} == {"S-test"}
    with pytest.raises(MeasureError, match="GIE"):
        bm.compare(TRUE, {"x": X, "y": Y}, ["all", "GIE"], tests="S-test", hierarchy=TREE)


def test_measures_and_tests_may_be_iterators():
    report = bm.compare(TRUE, {"x": X, "y": Y}, iter(["hF1", "SDL"]), tests=iter(["sign", "wilcoxon"]), hierarchy=TREE)
    assert [(str(c.measure), c.result.test) for c in report.comparisons] == [
        ("hF1", "sign"), ("hF1", "wilcoxon"), ("SDL", "sign"), ("SDL", "wilcoxon"),
    ]  # fmt: skip


# ---------------------------------------------------------------- edge cases


def test_one_system():
    report = bm.compare(TRUE, {"alone": BAD}, ["hF1", "SDL"], hierarchy=TREE)
    read = check_sound(report)
    assert report.comparisons == []
    assert report.ranks == {"hF1": {"alone": 1}, "SDL": {"alone": 1}}
    assert str(report.orders["hF1"]) == "alone"
    assert report.agreement is None
    assert read["agreement"] is None
    assert read["comparisons"] == []
    assert "Letters" not in str(report)


@pytest.mark.parametrize("test", list(significance.TESTS))
@pytest.mark.parametrize("rows", [TRUE, noisy(0.5, 1)], ids=["right", "noisy"])
def test_identical_systems(test, rows):
    m = {"p-test": "P", "S-test": "F1", "T-test": "F1", "T'-test": "F1"}.get(test, "hF1")
    report = bm.compare(TRUE, {"x": rows, "y": rows}, m, tests=test, hierarchy=TREE, resamples=50)
    check_sound(report)
    result = only(report)
    # the p-test takes the systems as independent: equal shares give Z = 0, and 0/0 only where nothing varies
    side = 0.5 if test == "p-test" and rows is not TRUE else 1
    assert (result.p, result.p_other, result.p_two_sided) == (side, side, 1)
    assert result.effect == 0
    assert report.comparisons[0].adjusted == side
    assert report.comparisons[0].sign(0.05) == "~"
    assert report.table().marks == {}
    if test != "s-test":
        assert report.ranks[m] == {"x": 1, "y": 1}


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "bootstrap", "permutation", "s-test"])
@pytest.mark.parametrize("predictions", [[["Pop"]], [["Rock"]], [[]]], ids=["right", "wrong", "empty"])
def test_one_instance(test, predictions):
    report = bm.compare(
        [["Pop"]], {"x": [["Pop"]], "y": predictions}, ["hF1", "SDL"], tests=test, hierarchy=TREE, resamples=50
    )
    check_sound(report)
    assert report.intervals["x"][report.measures[0]].low == 1.0
    assert report.intervals["x"][report.measures[0]].high == 1.0


@pytest.mark.parametrize("test", ["S-test", "T-test", "T'-test"])
def test_one_category(test):
    h = bm.Hierarchy.from_edges([], nodes=["only"])
    true, half = [["only"]] * 4, [["only"], []] * 2
    report = bm.compare(true, {"x": true, "y": half}, "F1(average=macro)", tests=test, hierarchy=h)
    check_sound(report)
    assert (only(report).wins, only(report).losses) == (1, 0)
    same = bm.compare(true, {"x": half, "y": half}, "F1(average=macro)", tests=test, hierarchy=h)
    check_sound(same)
    assert only(same).p == 1


def test_an_infinite_statistic_is_text_in_json():
    report = bm.compare(TRUE, {"x": TRUE, "y": BAD}, "F1(average=macro)", tests="T-test", hierarchy=TREE)
    read = check_sound(report)  # F1 of all three categories is 1 against 0: no variance
    assert read["comparisons"][0]["statistic"] == "inf"
    assert read["comparisons"][0]["relation"] == ">>"


def test_all_predictions_empty():
    empty = [[] for _ in TRUE]
    report = bm.compare(TRUE, {"x": empty, "y": empty, "z": TRUE}, MEASURES, hierarchy=TREE)
    read = check_sound(report)
    assert [system["predictions_per_instance"] for system in read["systems"]] == [0, 0, 1]
    assert str(report.orders["hF1"]) == "z >> {x, y}"
    check_sound(bm.compare(TRUE, {"x": empty}, MEASURES, hierarchy=TREE))


def test_equal_errors_elsewhere_do_not_differ():
    one = [["Rock"], *TRUE[1:]]
    report = bm.compare(TRUE, {"x": one, "y": one}, ["hF1"], tests=["sign", "s-test"], hierarchy=TREE)
    sign, decisions = (c.result for c in report.comparisons)
    assert (sign.wins, sign.ties, sign.losses, sign.p) == (0, 30, 0, 1)
    assert (decisions.wins, decisions.ties, decisions.losses, decisions.p) == (0, 150, 0, 1)


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"measures": "GIE", "tests": "S-test"}, ["S-test", "GIE", "sign", "wilcoxon", "bootstrap", "permutation"]),
        ({"measures": "GIE", "tests": ["sign", "T-test"]}, ["T-test", "GIE", "sign"]),
        ({"measures": "hF1", "tests": "p-test"}, ["p-test", "P, R, error, accuracy", "hF1"]),
        ({"measures": "P(average=macro)", "tests": "p-test"}, ["p-test", "micro", "P, R, error, accuracy"]),
        ({"measures": "hF1", "tests": "z-test"}, ["'z-test'", *significance.TESTS]),
        ({"measures": "hF1", "correction": "bonferroni"}, ["correction", "holm", "bh", "none", "'bonferroni'"]),
        ({"measures": "hF1", "alpha": 0}, ["alpha", "between 0 and 1"]),
        ({"measures": "hF1", "alpha": 2}, ["alpha", "between 0 and 1"]),
        ({"measures": "hF1", "alpha": math.nan}, ["alpha", "between 0 and 1"]),
        ({"measures": "hF1", "seed": -1}, ["seed", "at least 0"]),
        ({"measures": "hF1", "seed": 0.5}, ["seed", "whole number"]),
        ({"measures": "hF1", "resamples": 0}, ["resamples", "at least 1"]),
        ({"measures": "hF1", "confidence": 1.0}, ["confidence", "between 0 and 1"]),
    ],
)  # fmt: skip
def test_bad_requests(how, words):
    with pytest.raises(MeasureError) as caught:
        bm.compare(TRUE, {"x": TRUE, "y": BAD}, hierarchy=TREE, **how)
    assert [word for word in words if word not in str(caught.value)] == []


@pytest.mark.parametrize("systems", [{}, [TRUE, BAD], TRUE, None, "x"])
def test_systems_must_be_a_dict(systems):
    with pytest.raises(LabelError, match="systems must be a dict from names to predictions"):
        bm.compare(TRUE, systems, "hF1", hierarchy=TREE)


def test_systems_have_names_of_text():
    with pytest.raises(LabelError, match="systems are named by text; got 1"):
        bm.compare(TRUE, {1: TRUE, 2: BAD}, "hF1", hierarchy=TREE)


def test_the_system_with_an_unknown_label_is_named():
    with pytest.raises(LabelError, match=r"system 'y'.*'Jazz'"):
        bm.compare(TRUE, {"x": TRUE, "y": [["Jazz"]] * 30}, "hF1", hierarchy=TREE)
    report = bm.compare(TRUE, {"x": TRUE, "y": [["Jazz"]] * 30}, "hF1", hierarchy=TREE, unknown="ignore")
    assert report["y", "hF1"].value == 0


def test_a_p_test_of_no_predictions_names_the_systems():
    empty = [[] for _ in TRUE]
    with pytest.raises(MeasureError, match=r"p-test of P, 'x' \(first\) against 'y' \(second\).*no trials"):
        bm.compare(TRUE, {"x": TRUE, "y": empty}, "P", tests="p-test", hierarchy=TREE)
    check_sound(bm.compare(TRUE, {"x": TRUE, "y": empty}, "R", tests="p-test", hierarchy=TREE))


def test_nothing_to_compare_names_measure_and_systems():
    empty = [[] for _ in TRUE]
    with pytest.raises(LabelError, match=r"sign of P\(zero_division=skip\), 'x'.*'y'.*nothing to compare"):
        bm.compare(TRUE, {"x": TRUE, "y": empty}, "P(zero_division=skip)", hierarchy=TREE)


def test_a_missing_instance_is_named():
    true = bm.LabelSets.from_lists([["Pop"], ["Rock"]], TREE, ids=["d1", "d2"])
    short = bm.LabelSets.from_lists([["Pop"]], TREE, ids=["d1"])
    with pytest.raises(LabelError, match="d2"):
        bm.compare(true, {"x": true, "y": short}, "hF1")


def test_too_few_rows():
    with pytest.raises(LabelError, match=r"30.*29|29.*30"):
        bm.compare(TRUE, {"x": TRUE, "y": TRUE[:-1]}, "hF1", hierarchy=TREE)


def test_hierarchies_must_be_the_same():
    other = bm.Hierarchy.from_edges([("Arts", "Pop"), ("Arts", "Rock"), ("Arts", "Theatre")])
    true, x, y = (bm.LabelSets.from_lists(TRUE, h) for h in (TREE, TREE, other))
    with pytest.raises(LabelError, match="hierarch"):
        bm.compare(true, {"x": x, "y": y}, "hF1")


def test_no_such_system():
    report = bm.compare(TRUE, {"x": TRUE}, "hF1", hierarchy=TREE)
    with pytest.raises(MeasureError, match="there is no system 'z'; there are x"):
        report["z", "hF1"]


# ---------------------------------------------------------------- formats

AWKWARD = "a_b & 50% <x>|"


def awkward() -> bm.Report:
    return bm.compare(TRUE, {AWKWARD: TRUE, "bad": BAD}, ["hF1", "SDL", "F1(average=macro)"], hierarchy=TREE)


def test_latex():
    text = awkward().to_latex()
    assert r"a\_b \& 50\% \textless{}x\textgreater{}" in text
    assert r"\textbf{1.0000}\textsuperscript{b} & \textbf{0.0000}\textsuperscript{b}" in text
    assert r"hF1 $\uparrow$ & SDL $\downarrow$" in text
    assert text.isascii()  # or pdflatex stops at characters it does not know, such as that of p <= alpha
    assert r"p $\leq$ 0.05" in text


def test_latex_compiles(tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, text=True, check=False)
    if not found.stdout.strip():
        pytest.skip("booktabs.sty is not installed")
    body = awkward().to_latex()
    (tmp_path / "t.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" + body + "\\end{document}\n",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "t.pdf").stat().st_size > 0


def test_markdown():
    lines = awkward().to_markdown().splitlines()
    assert lines[0] == "|  | system | hF1 ↑ | SDL ↓ | F1(average=macro) ↑ |"
    assert r"a\_b & 50% \<x>\|" in lines[2]
    assert lines[2].endswith("| **1.0000**<sup>b</sup> | **0.0000**<sup>b</sup> | **0.7500** |")
    assert lines[3] == "| b | bad | 0.3636 | 2.3333 | 0.0000 |"
    assert any(line.startswith("Letters: significantly better") for line in lines)


def test_json():
    read = json.loads(awkward().to_json(), parse_constant=refuse)
    assert [system["name"] for system in read["systems"]] == [AWKWARD, "bad"]
    assert read["instances"] == 30
    assert read["settings"] == {"alpha": 0.05, "correction": "holm", "resamples": 1000, "confidence": 0.95, "seed": 0}
    assert read["orders"]["hF1"] == f"{AWKWARD} >> bad"
    first = read["comparisons"][0]
    assert (first["first"], first["second"], first["relation"], first["wins"]) == (AWKWARD, "bad", ">>", 30)
    score = read["systems"][1]["scores"][0]
    assert score["rank"] == 2
    assert score["interval"]["low"] < score["value"] < score["interval"]["high"]


def test_frame():
    pandas = pytest.importorskip("pandas")
    frame = awkward().to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(zip(frame["system"], frame["measure"], strict=True)) == [
        (name, m) for name in (AWKWARD, "bad") for m in ("hF1", "SDL", "F1(average=macro)")
    ]
    assert frame["beats"].tolist() == [["bad"], ["bad"], [], [], [], []]
    assert frame["rank"].tolist() == [1, 1, 1, 2, 2, 1]
    assert frame["value"][3] == pytest.approx(4 / 11)
    assert frame["low"][3] < frame["value"][3] < frame["high"][3]
    assert frame["better"].tolist() == ["higher", "lower", "higher"] * 2


def test_show_prints_everything(capsys):
    awkward().show()
    out = capsys.readouterr().out
    for words in (AWKWARD, "95% from", "rank by", ">> bad", "p adjusted", "Kendall's tau", "predictions per instance"):
        assert words in out
