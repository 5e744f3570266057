"""Laws that every registered measure obeys, whatever its parameters. Equality is to the last bit."""

from __future__ import annotations

import dataclasses
import math
import pickle
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NAMES, Case, Shape, labelled
from variants import ALL, MEASURES, required, variants

import branchmark as bm
from branchmark import evaluation
from branchmark.errors import MeasureError
from branchmark.measurebase import REGISTRY
from branchmark.signature import Signature
from branchmark.tally import Tally

every_measure = pytest.mark.parametrize("name", MEASURES)
few = settings(max_examples=10)


def scores_of(
    measures: list[bm.Measure], case: Case, jobs: int = 1, weights: dict[str, float] | None = None
) -> bm.Scores:
    h = case.shape.hierarchy()
    resources = case.resources(h) | ({"weights": {"w": weights}} if weights else {})
    return bm.evaluate(case.true, case.pred, measures, hierarchy=h, jobs=jobs, **resources)


def fitting(name: str, case: Case) -> Case:
    """The case, or one like it that the measure can be computed for."""
    return case.single() if "one label" in type(MEASURES[name][0]).needs else case


def p_of(m: bm.Measure, name: str) -> Any:
    """A parameter, None where a measure does not have it."""
    return m.parameters().get(name)


def values(scores: bm.Scores) -> dict[str, float]:
    return {str(score.measure): score.value for score in scores}


def details(scores: bm.Scores) -> dict[str, Any]:
    """All that a system's scores can tell, in a form that compares to the last bit, NaN included."""
    found: dict[str, Any] = {"kinds": scores.kinds}
    for score in scores:
        found[str(score.measure)] = score.value.hex()
        if "instance" in score.measure.units:
            found[f"{score.measure} per instance"] = [x.hex() for x in score.per_instance.tolist()]
        if "category" in score.measure.units:
            by_class = score.per_category
            found[f"{score.measure} per category"] = {x: by_class[x].hex() for x in sorted(by_class)}
    return found


def best_of(m: bm.Measure) -> float:
    if m.family == "contribution" and m.better == "higher":
        return 1.0  # micro averages can exceed what the truth earns: equation 14 adds negative denominators
    return m.bounds[1] if m.better == "higher" else m.bounds[0]


def test_every_registered_measure_is_covered() -> None:
    assert sorted(MEASURES) == sorted(cls.name for cls in REGISTRY.values())
    assert all(of_one[0] == bm.measure(name, **required(type(of_one[0]))) for name, of_one in MEASURES.items())
    assert len(ALL) == len(set(ALL)) > 500


# Where a law cannot hold, by the definition itself; tests of their own show that, further down.
def counts_pairs_twice(m: bm.Measure) -> bool:
    """Two labels of one instance cost something even if both are right."""
    return m.name == "AllPairs" or (m.name == "Flow" and p_of(m, "alpha_true") > 1)


def rewards_errors(m: bm.Measure) -> bool:
    """Sun's contributions: a category that is never true earns precision from near misses (macro over all), and
    categories with a negative denominator lower the sum of all denominators (micro)."""
    if m.family != "contribution" or m.name[2:] in ("Accuracy", "Error"):
        return False
    return p_of(m, "average") == "micro" or p_of(m, "categories") != "seen"


@every_measure
@few
@given(case=labelled())
def test_nothing_scores_better_than_the_truth(name: str, case: Case) -> None:
    case = fitting(name, case)
    measures = MEASURES[name]
    if any(map(counts_pairs_twice, measures)):
        case = case.single()
    perfect = scores_of(measures, case.perfect())
    scores = scores_of(measures, case)
    for m in measures:
        sign = 1 if m.better == "higher" else -1
        if name == "specificity" and p_of(m, "zero_division") != 1:
            continue  # 0/0 where every class is true; see the next test
        if rewards_errors(m) or (name == "Flow" and p_of(m, "alpha_true") > 1):
            continue
        if p_of(m, "categories") == "leaves" and len(case.shape.nodes) == 1:
            continue  # the only leaf is the root, which is a category only where it occurs
        assert sign * perfect[m].value >= sign * scores[m].value, str(m)


@every_measure
@few
@given(case=labelled(), spare=st.booleans())
def test_truth_against_itself_is_best(name: str, case: Case, spare: bool) -> None:
    # Macro over unseen categories counts them as 0, so only those that are seen can be perfect, and a root
    # that is not in the sets is not one of them. Specificity needs a class that is not true.
    true = [row[:-1] for row in case.true] if spare else case.true
    case = fitting(name, dataclasses.replace(case, true=true)).perfect()
    if name == "AllPairs":
        case = case.single().perfect()
    h = case.shape.hierarchy()
    scores = scores_of(MEASURES[name], case)
    for m in MEASURES[name]:
        average, categories = p_of(m, "average"), p_of(m, "categories")
        by_category = average == "macro" or (average == "micro" and categories != "all")
        # contributions have no perfect empty category, and accuracy counts decisions
        by_category |= m.family == "contribution" and m.name[2:] not in ("Accuracy", "Error")
        if by_category and (average == "macro" or categories != "all") and categories != "seen":
            continue
        if by_category and all(set(row) <= {h.root} for row in case.true):
            continue
        if name == "specificity" and any(len(row) == len(h) for row in case.true):
            continue
        if name == "specificity" and by_category:
            continue  # a category that every instance has, has no negatives
        if name == "Flow" and p_of(m, "alpha_true") > 1:
            continue
        assert scores[m].value == best_of(m), str(m)
        if "instance" in m.units:
            assert scores[m].per_instance.tolist() == [best_of(m)] * len(case), str(m)


@every_measure
@few
@given(case=labelled())
def test_values_stay_within_bounds(name: str, case: Case) -> None:
    case = fitting(name, case)
    scores = scores_of(MEASURES[name], case)
    for m in MEASURES[name]:
        least, most = m.bounds
        if not (rewards_errors(m) and p_of(m, "average") == "micro"):
            assert least <= scores[m].value <= most, str(m)
        assert scores[m].value >= least, str(m)
        if "category" in m.units:
            each = np.array(list(scores[m].per_category.values()))
            assert ((each >= least) & (each <= most) | np.isnan(each)).all(), str(m)
        if "instance" in m.units:
            each = scores[m].per_instance
            assert len(each) == len(case), str(m)
            assert each.dtype == np.float64
            inside = (each >= least) & (each <= most)
            assert (inside | (np.isnan(each) & (p_of(m, "zero_division") == "skip"))).all(), str(m)


@every_measure
@few
@given(case=labelled(), data=st.data())
def test_renaming_classes_changes_nothing(name: str, case: Case, data: st.DataObject) -> None:
    case = fitting(name, case)
    targets = data.draw(st.permutations([f"class {i}" for i in range(6)] + list(NAMES)))
    new = dict(zip(case.shape.nodes, targets, strict=False))
    before, after = scores_of(MEASURES[name], case), scores_of(MEASURES[name], case.renamed(new))
    assert values(before) == values(after)
    assert before.kinds == after.kinds
    for a, b in zip(before, after, strict=True):
        if "instance" in a.measure.units:
            assert np.array_equal(a.per_instance, b.per_instance, equal_nan=True), str(a.measure)
        if "category" in a.measure.units:
            renamed = {new[x]: v.hex() for x, v in a.per_category.items()}
            assert renamed == {x: v.hex() for x, v in b.per_category.items()}, str(a.measure)


@every_measure
@few
@given(case=labelled(), data=st.data())
def test_order_of_instances_changes_nothing(name: str, case: Case, data: st.DataObject) -> None:
    case = fitting(name, case)
    order = data.draw(st.permutations(range(len(case))))
    before, after = scores_of(MEASURES[name], case), scores_of(MEASURES[name], case.instances(order))
    assert values(before) == values(after)
    for a, b in zip(before, after, strict=True):
        if "instance" in a.measure.units:
            assert np.array_equal(a.per_instance[list(order)], b.per_instance, equal_nan=True), str(a.measure)
        assert str(a.signature) == str(b.signature)


@every_measure
@few
@given(case=labelled(), data=st.data())
def test_order_of_links_and_labels_changes_nothing(name: str, case: Case, data: st.DataObject) -> None:
    case = fitting(name, case)
    nodes = data.draw(st.permutations(case.shape.nodes))
    edges = data.draw(st.permutations(case.shape.edges))
    other = dataclasses.replace(
        case,
        shape=case.shape.reordered(nodes, edges),
        true=[row[::-1] for row in case.true],
        pred=[row[::-1] for row in case.pred],
        weights=dict(reversed(case.weights.items())),
    )
    before, after = scores_of(MEASURES[name], case), scores_of(MEASURES[name], other)
    assert details(before) == details(after)
    assert [str(s.signature) for s in before] == [str(s.signature) for s in after]


@every_measure
@settings(max_examples=8)
@given(case=labelled(max_instances=9), jobs=st.integers(1, 4), chunk=st.sampled_from([1, 2, 7]))
def test_chunks_and_jobs_change_nothing(name: str, case: Case, jobs: int, chunk: int) -> None:
    case = fitting(name, case)
    whole = scores_of(MEASURES[name], case)
    with mock.patch.object(evaluation, "CHUNK", chunk):
        parts = scores_of(MEASURES[name], case, jobs=jobs)
        assert details(parts) == details(whole)
        if "instance" in MEASURES[name][0].units:
            assert str(parts.per_instance()) == str(whole.per_instance())
        assert [s.tally for s in parts] == [s.tally for s in whole]


@every_measure
@few
@given(case=labelled(max_instances=8), data=st.data())
def test_tallies_merge_in_any_split_and_order(name: str, case: Case, data: st.DataObject) -> None:
    case = fitting(name, case)
    h = case.shape.hierarchy()
    true, pred = bm.LabelSets.from_lists(case.true, h), bm.LabelSets.from_lists(case.pred, h)
    run = evaluation.Run(true, pred, evaluation.parse_measures(MEASURES[name]), jobs=1, **case.resources(h))
    whole = run.scores()
    with mock.patch.object(evaluation, "CHUNK", 1):
        parts = list(run.each_chunk(lambda batch: [m.tally(batch) for m in MEASURES[name]], MEASURES[name]))
    order = data.draw(st.permutations(range(len(parts))))
    cut = data.draw(st.integers(0, len(order)))
    for k, m in enumerate(MEASURES[name]):
        tallies = [parts[i][k] for i in order]
        groups = [_sum(part) for part in (tallies[:cut], tallies[cut:]) if part]
        assert _sum(groups) == whole[m].tally, str(m)
        assert m.value(_sum(groups[::-1]), run.context(set())) == whole[m].value, str(m)


def _sum(tallies: list[Tally]) -> Tally:
    total = tallies[0]
    for tally in tallies[1:]:
        total = total + tally
    return total


def test_tallies_of_different_measures_do_not_add_up() -> None:
    scores = bm.evaluate(
        ["a"], ["a"], ["F1", "F1(average=samples)"], hierarchy=bm.Hierarchy.from_edges([], nodes=["a"])
    )
    first, second = (score.tally for score in scores)
    assert first != second
    with pytest.raises(ValueError, match="different measures"):
        first + second


@pytest.mark.parametrize("m", ALL, ids=str)
def test_names_parse_as_they_print(m: bm.Measure) -> None:
    assert bm.measure(str(m)) == m
    head, bracket, rest = str(m).partition("(")
    assert bm.measure(head.swapcase() + bracket + rest) == m
    assert hash(bm.measure(str(m))) == hash(m)
    assert str(bm.measure(str(m))) == str(m)


@every_measure
def test_parameters_alone_rebuild_a_measure(name: str) -> None:
    for m in MEASURES[name]:
        assert bm.measure(name, **m.parameters()) == m


@every_measure
def test_declarations_are_complete(name: str) -> None:
    cls = type(bm.measure(name))
    assert cls.title
    assert cls.family in ("flat", "sets", "pairs", "lca", "contribution", "blocking")
    assert cls.cite
    assert cls.better in ("higher", "lower")
    assert cls.bounds[0] < cls.bounds[1]
    assert set(cls.units) <= {"instance", "category"}
    assert cls.__doc__
    assert all(spec.metadata["help"] for spec in dataclasses.fields(cls))


@every_measure
def test_presets_expand_to_valid_parameters(name: str) -> None:
    cls = type(bm.measure(name))
    for preset, parameters in cls.presets.items():
        m = bm.measure(f"{name}(preset={preset})")
        assert parameters.items() <= m.parameters().items()
        assert "preset" not in str(m)


@every_measure
def test_units_are_honest(name: str) -> None:
    case = Case(
        Shape(("r", "a", "b"), (("r", "a"), ("r", "b"))),
        [["a"], ["b"]],
        [["b"], ["b"]],
        {"r": 1, "a": 1, "b": 2},
        similarity=dict.fromkeys([("a", "b"), ("b", "a")], 0.5),
    )
    for score in scores_of(MEASURES[name], case):
        for unit, ask in (("instance", "per_instance"), ("category", "per_category")):
            if unit in score.measure.units:
                assert len(getattr(score, ask)) >= 2
            else:
                with pytest.raises(MeasureError, match=f"has no values per {unit}, only "):
                    getattr(score, ask)


def test_tables_by_category_need_a_measure_with_categories() -> None:
    scores = bm.evaluate(["a"], ["a"], ["exact", "SDL"], hierarchy=bm.Hierarchy.from_edges([], nodes=["a"]))
    with pytest.raises(MeasureError, match="none of these measures has values per category: exact, SDL"):
        scores.by("category")


@every_measure
@settings(max_examples=10)
@given(case=labelled())
def test_signatures_parse_back_and_compare(name: str, case: Case) -> None:
    scores = scores_of(MEASURES[name], fitting(name, case))
    texts = [str(score.signature) for score in scores]
    assert len(set(texts)) == len(texts)
    for score, text in zip(scores, texts, strict=True):
        read = Signature.parse(text)
        assert str(read) == text
        assert read == score.signature
        assert read.comparable(score.signature)
        assert not read.diff(score.signature)
        for key, value in score.measure.parameters().items():
            assert key in read, f"{score.measure}: {key}={value} is missing"
    first, *rest = scores
    assert not any(first.signature.comparable(score.signature) for score in rest)


@settings(max_examples=25)
@given(case=labelled())
def test_pickles_keep_everything(case: Case) -> None:
    h = case.shape.hierarchy()
    again = pickle.loads(pickle.dumps(h))
    assert again.names == h.names
    assert again.fingerprint == h.fingerprint
    assert again.root == h.root
    assert list(again.edges()) == list(h.edges())
    assert [again.id(x) for x in h] == [h.id(x) for x in h]
    assert again.statistics() == h.statistics()
    true = bm.LabelSets.from_lists(case.true, h, ids=range(len(case)))
    copy = pickle.loads(pickle.dumps(true))
    assert copy.to_lists() == true.to_lists()
    assert copy.ids == true.ids
    assert copy.fingerprint == true.fingerprint
    before = bm.evaluate(true, bm.LabelSets.from_lists(case.pred, h, ids=true.ids))
    after = bm.evaluate(copy, bm.LabelSets.from_lists(case.pred, copy.hierarchy, ids=true.ids))
    assert details(before) == details(after)


@settings(max_examples=15)
@given(case=labelled())
def test_scores_survive_pickling_with_their_details(case: Case) -> None:
    before = scores_of([bm.measure(x) for x in ("F1", "hF1", "dF1", "HL", "hF1(weights=w)")], case)
    want = details(before)
    packed = pickle.dumps(before)
    del before
    assert details(pickle.loads(packed)) == want


@every_measure
def test_measures_survive_pickling(name: str) -> None:
    assert pickle.loads(pickle.dumps(MEASURES[name])) == MEASURES[name]


def test_weighted_variants_are_among_them() -> None:
    # the laws above would be silent about weights if the generator left them out
    assert sum(m.parameters().get("weights") == "w" for m in ALL) > 15
    assert variants(type(bm.measure("hF")))[0] == bm.measure("hF1")


@few
@given(case=labelled(), scale=st.integers(-20, 20))
def test_scaling_all_weights_by_a_power_of_two_changes_no_ratio(case: Case, scale: int) -> None:
    measures = [m for m in ALL if m.parameters().get("weights") == "w" and m.bounds[1] == 1]
    scaled = {x: math.ldexp(w, scale) for x, w in case.weights.items()}
    assert values(scores_of(measures, case)) == values(scores_of(measures, case, weights=scaled))


@few
@given(case=labelled())
def test_weights_of_one_are_no_weights(case: Case) -> None:
    weighted = [m for m in ALL if m.parameters().get("weights") == "w" and m.parameters().get("root") != "included"]
    plain = [bm.measure(m, weights="none") for m in weighted]
    ones = dict.fromkeys(case.weights, 1.0)
    with_weights = scores_of(weighted, case, weights=ones)
    without = scores_of(plain, case)
    assert [with_weights[m].value for m in weighted] == [without[m].value for m in plain]
