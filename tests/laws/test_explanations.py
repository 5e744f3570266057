"""explain() tells how a value comes about: what it shows must add up to the value."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from strategies import Case, Shape, labelled
from variants import ALL

import branchmark as bm
from branchmark.errors import LabelError, MeasureError

CLOSE = {"rel": 1e-12, "abs": 1e-12}
PAIRED = [m for m in ALL if m.family == "pairs" and m.name != "AllPairs"]
LCA = [m for m in ALL if m.family == "lca"]


def scores_of(measures: list[bm.Measure], case: Case) -> bm.Scores:
    h = case.shape.hierarchy()
    return bm.evaluate(case.true, case.pred, measures, hierarchy=h, jobs=1, **case.resources(h))


@pytest.mark.parametrize("m", PAIRED, ids=str)
@given(case=labelled(max_instances=3))
@settings(max_examples=15)
def test_pairs_add_up(m: bm.Measure, case: Case) -> None:
    if "one label" in m.needs:
        case = case.single()
    score = scores_of([m], case)[m]
    bounds = {
        side: (m.parameters().get(f"alpha_{side}"), m.parameters().get(f"beta_{side}")) for side in ("true", "pred")
    }
    for i, (true, pred) in enumerate(zip(case.true, case.pred, strict=True)):
        found = score.explain(i)
        assert found.total == pytest.approx(sum(cost for *_, cost in found.pairs), **CLOSE)
        if m.name == "MGIA":
            size = len(set(true) ^ set(pred)) if m.parameters()["norm"] == "symdiff" else len(set(true) | set(pred))
            value = 1 - found.total / (size * m.parameters()["d_max"]) if size else 1.0
        else:
            value = found.total
        assert score.per_instance[i] == pytest.approx(value, **CLOSE)
        assert str(found).endswith(f"total cost {found.total:g}")
        for k, (side, labels) in enumerate((("true", true), ("pred", pred))):
            used = [pair[k] for pair in found.pairs if pair[k] is not None]
            assert set(used) <= set(labels)
            if m.name in ("GIE", "TIE"):
                assert sorted(used) == sorted(labels)
            elif m.name == "MGIA":
                assert set(used) == set(labels)
            else:
                least, most = bounds[side]
                assert all(used.count(x) >= least for x in labels)
                assert all(used.count(x) <= max(most, least) for x in labels) or most == 0
        for t, p, cost in found.pairs:
            assert t is not None or p is not None
            if t is None or p is None:
                assert cost == m.parameters()["d_max"]
            elif m.parameters()["cost"] == "m":
                assert cost == case.costs[t, p]


@pytest.mark.parametrize("m", LCA, ids=str)
@given(case=labelled(max_instances=3))
@settings(max_examples=15)
def test_sizes_of_lca_sets_give_the_value(m: bm.Measure, case: Case) -> None:
    score = scores_of([m], case)[m]
    parameters = m.parameters()
    for i in range(len(case)):
        found = score.explain(i)
        assert found.proven or parameters["algorithm"] == "greedy"
        common, true, pred = len({*found.true} & {*found.pred}), len(found.true), len(found.pred)
        assert len(set(found.true)) == true
        assert len(set(found.pred)) == pred
        b2 = parameters.get("beta", 1.0) ** 2
        above, below = {
            "LCA-P": (common, pred),
            "LCA-R": (common, true),
            "LCA-F": ((1 + b2) * common, b2 * true + pred),
        }[m.name]
        value = score.per_instance[i]
        if not true and not pred:
            assert value == 1
        elif below:
            assert value == pytest.approx(above / below, **CLOSE)
        elif parameters["zero_division"] == "skip":
            assert value != value
        else:
            assert value == parameters["zero_division"]
        for paths, nodes in ((found.true_paths, found.true), (found.pred_paths, found.pred)):
            assert {x for path in paths for x in path} <= set(nodes)
            assert {path[-1] for path in paths} <= set(found.lcas)
        assert str(found).startswith("lowest common ancestors: ")


@pytest.mark.parametrize("m", [m for m in ALL if m not in PAIRED and m not in LCA], ids=str)
def test_the_others_say_that_they_have_nothing_to_add(m: bm.Measure) -> None:
    case = Case(Shape(("r", "a", "b"), (("r", "a"), ("r", "b"))), [["a"]], [["b"]], dict.fromkeys("rab", 1.0))
    with pytest.raises(MeasureError, match=f"{m.name} has nothing to explain"):
        scores_of([m], case)[m].explain(0)


def test_instances_are_found_by_position_or_id() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    true = bm.LabelSets.from_lists([["a"], ["b"]], h, ids=["x", "y"])
    pred = bm.LabelSets.from_lists([["b"], ["a", "b"]], h, ids=["y", "x"])
    score = bm.evaluate(true, pred, "GIE")["GIE"]
    assert score.explain("x") == score.explain(0)
    assert score.explain("x").pairs == ((None, "b", 5.0), ("a", "a", 0.0))
    assert score.explain("y").total == 0.0
    for wrong in ("z", 2, -1):
        with pytest.raises(LabelError, match="there is no instance"):
            score.explain(wrong)


# ---------------------------------------------------------------- where laws cannot hold, by definition


def test_all_pairs_charge_for_two_right_labels() -> None:
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    assert bm.evaluate([["a", "b"]], [["a", "b"]], "AllPairs", hierarchy=h)["AllPairs"].value == 4.0
    assert bm.evaluate([["a", "b"]], [[]], "AllPairs", hierarchy=h)["AllPairs"].value == 0.0


def test_a_category_without_true_documents_earns_precision_from_near_misses() -> None:
    # Sun et al., equation 12: FpCon / FP, here 1 − 2/10; the truth itself leaves the category at 0
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])
    measure = "dbP(theta=10,average=macro)"
    perfect = bm.evaluate([["a"]], [["a"]], measure, hierarchy=h)[measure]
    near = bm.evaluate([["a"], ["a"]], [["a"], ["a", "b"]], measure, hierarchy=h)[measure]
    assert perfect.value == 0.5
    assert near.per_category == pytest.approx({"a": 1.0, "b": 0.8})
    assert near.value == pytest.approx(0.9)
