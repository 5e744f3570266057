"""Flat measures against scikit-learn on random multi-label data, and scorers inside its model selection."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import make_multilabel_classification
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import branchmark as bm

CLASSES = [f"c{i:02}" for i in range(12)]
FLAT = bm.Hierarchy.from_edges([], nodes=CLASSES)
TREE = bm.Hierarchy.from_edges([(f"c{i // 3:02}", f"c{i:02}") for i in range(1, 12)])


def random_labels(seed: int, empty: bool = True) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    true = rng.random((80, len(CLASSES))) < 0.2
    pred = np.where(rng.random(true.shape) < 0.8, true, rng.random(true.shape) < 0.2)
    # some categories that nobody has, and some that only one side has
    true[:, 10:] = False
    pred[:, 11:] = False
    if not empty:
        true[:, 0] |= ~true.any(axis=1)
    return true.astype(int), pred.astype(int)


def ours(true: np.ndarray, pred: np.ndarray, measure: str, h: bm.Hierarchy = FLAT) -> float:
    sides = (bm.LabelSets.from_indicator(side, h, CLASSES) for side in (true, pred))
    return bm.evaluate(*sides, measure)[measure].value


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("name", "function"), [("P", "precision_score"), ("R", "recall_score"), ("F1", "f1_score")])
def test_micro_and_macro(seed: int, name: str, function: str) -> None:
    true, pred = random_labels(seed)
    theirs = getattr(metrics, function)
    assert ours(true, pred, name) == pytest.approx(theirs(true, pred, average="micro", zero_division=0))
    seen = (true | pred).any(axis=0)
    macro = theirs(true[:, seen], pred[:, seen], average="macro", zero_division=0)
    assert ours(true, pred, f"{name}(average=macro,categories=seen)") == pytest.approx(macro)
    assert ours(true, pred, f"{name}(average=macro)") == pytest.approx(
        theirs(true, pred, average="macro", zero_division=0)
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("name", "function"), [("P", "precision_score"), ("R", "recall_score"), ("F1", "f1_score")])
def test_samples(seed: int, name: str, function: str) -> None:
    # with a label on one side at least; where both are empty, scikit-learn gives 0 and we give 1
    true, pred = random_labels(seed, empty=False)
    theirs = getattr(metrics, function)(true, pred, average="samples", zero_division=0)
    assert ours(true, pred, f"{name}(average=samples)") == pytest.approx(theirs)


@pytest.mark.parametrize("seed", range(5))
def test_f_beta(seed: int) -> None:
    true, pred = random_labels(seed)
    assert ours(true, pred, "F2") == pytest.approx(metrics.fbeta_score(true, pred, beta=2, average="micro"))
    assert ours(true, pred, "F0.5") == pytest.approx(metrics.fbeta_score(true, pred, beta=0.5, average="micro"))


@pytest.mark.parametrize("seed", range(5))
def test_jaccard(seed: int) -> None:
    true, pred = random_labels(seed, empty=False)
    for average in ("micro", "macro", "samples"):
        theirs = metrics.jaccard_score(true, pred, average=average, zero_division=0)
        assert ours(true, pred, f"jaccard(average={average})") == pytest.approx(theirs)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("h", [FLAT, TREE], ids=["virtual root", "real root"])
def test_hamming_loss_and_subset_accuracy(seed: int, h: bm.Hierarchy) -> None:
    true, pred = random_labels(seed)
    loss = metrics.hamming_loss(true, pred)
    for average in ("micro", "macro", "samples"):
        assert ours(true, pred, f"hamming(average={average})", h) == pytest.approx(loss)
        assert ours(true, pred, f"accuracy(average={average})", h) == pytest.approx(1 - loss)
    assert ours(true, pred, "subset_accuracy", h) == pytest.approx(metrics.accuracy_score(true, pred))


@pytest.mark.parametrize("seed", range(5))
def test_hierarchical_f_is_flat_f_of_the_augmented_sets(seed: int) -> None:
    true, pred = random_labels(seed)
    h = TREE
    augmented = [
        np.asarray(bm.LabelSets.from_indicator(side, h, CLASSES).add_ancestors().to_indicator().todense())
        for side in (true, pred)
    ]
    assert ours(true, pred, "hF1", h) == pytest.approx(metrics.f1_score(*augmented, average="micro"))


# ---------------------------------------------------------------- scorers


def single_label_data() -> tuple[np.ndarray, np.ndarray, bm.Hierarchy]:
    rng = np.random.default_rng(3)
    h = bm.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "a1"), ("a", "a2"), ("b", "b1"), ("b", "b2")])
    y = rng.choice(["a1", "a2", "b1", "b2"], 120)
    features = np.column_stack([np.char.startswith(y, "a"), np.char.endswith(y, "1")]) + rng.normal(0, 0.6, (120, 2))
    return features, y, h


def test_scorer_in_cross_validation_of_single_labels() -> None:
    x, y, h = single_label_data()
    model = DecisionTreeClassifier(max_depth=3, random_state=0)
    plain = cross_val_score(model, x, y, scoring="accuracy", cv=3)
    assert cross_val_score(model, x, y, scoring=bm.make_scorer("F1", h), cv=3) == pytest.approx(plain)
    hierarchical = cross_val_score(model, x, y, scoring=bm.make_scorer("hF1", h), cv=3)
    # every wrong leaf shares at most its parent, so credit is at least the accuracy
    assert (hierarchical >= plain).all()
    assert (hierarchical > plain).any()


def test_scorer_negates_losses() -> None:
    x, y, h = single_label_data()
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y)
    loss = bm.evaluate(y, model.predict(x), "SDL", hierarchy=h)["SDL"].value
    assert loss > 0
    assert bm.make_scorer("SDL", h)(model, x, y) == -loss
    scores = cross_val_score(model, x, y, scoring=bm.make_scorer("SDL", h), cv=3)
    assert (scores <= 0).all()


def test_scorer_picks_the_better_model_in_a_grid_search() -> None:
    x, y, h = single_label_data()
    grid = {"max_depth": [1, 4]}
    for measure in ("hF1", "SDL"):
        search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, scoring=bm.make_scorer(measure, h), cv=3)
        assert search.fit(x, y).best_params_ == {"max_depth": 4}


def test_scorer_survives_pickling() -> None:
    # parallel cross-validation sends it to other processes
    x, y, h = single_label_data()
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y)
    scorer = bm.make_scorer("hF(beta=2,root=included)", h, classes=["a1", "b1"])
    copy = pickle.loads(pickle.dumps(scorer))
    assert copy(model, x, y) == scorer(model, x, y)
    assert copy.measure == scorer.measure
    assert copy.classes == scorer.classes
    assert copy.hierarchy.fingerprint == h.fingerprint


def test_scorer_of_indicator_matrices() -> None:
    x, y = make_multilabel_classification(n_samples=90, n_classes=12, random_state=1)
    model = DecisionTreeClassifier(max_depth=5, random_state=0)
    scorer = bm.make_scorer("F1", TREE, classes=CLASSES)
    theirs = cross_val_score(model, x, y, scoring="f1_micro", cv=3)
    assert cross_val_score(model, x, y, scoring=scorer, cv=3) == pytest.approx(theirs)


def test_scorer_of_indicator_matrices_needs_the_names_of_columns() -> None:
    x, y = make_multilabel_classification(n_samples=20, n_classes=12, random_state=1)
    model = DecisionTreeClassifier(random_state=0).fit(x, y)
    with pytest.raises(bm.BranchmarkError):
        bm.make_scorer("F1", TREE)(model, x, y)
