"""Kiritchenko et al. 2006, Section 4: three requirements for a hierarchical measure, for hF1 on trees.

HM(p, t) is the measure of predicting p where t is true. Ancestors contain the class itself and not the root.
"""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from strategies import Shape, trees

import branchmark as bm

small_trees = trees(max_nodes=11)


class Tree:
    """hF1 of all single predictions at once, and what the requirements speak about."""

    def __init__(self, shape: Shape) -> None:
        self.h = shape.hierarchy()
        self.classes = [x for x in shape.nodes if x != self.h.root]
        self.sets = {x: {x, *self.h.ancestors(x)} - {self.h.root} for x in self.classes}
        pairs = list(product(self.classes, repeat=2))
        if not pairs:
            self.score: dict[tuple[str, str], float] = {}
            return
        scores = bm.evaluate([t for _, t in pairs], [p for p, _ in pairs], "hF1", hierarchy=self.h)
        self.score = dict(zip(pairs, scores["hF1"].per_instance.tolist(), strict=True))


@given(small_trees)
def test_1_credit_for_partly_correct_classification(shape: Shape) -> None:
    tree = Tree(shape)
    for c0, c1, c2 in product(tree.classes, repeat=3):
        if tree.sets[c1] & tree.sets[c0] and not tree.sets[c2] & tree.sets[c0]:
            assert tree.score[c1, c0] > tree.score[c2, c0]


@given(small_trees)
def test_2a_one_level_down_in_the_right_direction_is_better(shape: Shape) -> None:
    tree = Tree(shape)
    distance = tree.h.distance
    for c0, c2 in product(tree.classes, repeat=2):
        for c1 in set(tree.h.parents(c2)) & set(tree.classes):
            if distance(c1, c0) > distance(c2, c0):
                assert tree.score[c1, c0] < tree.score[c2, c0]


@given(small_trees)
def test_2b_one_level_down_in_the_wrong_direction_is_worse(shape: Shape) -> None:
    tree = Tree(shape)
    distance = tree.h.distance
    for c0, c2 in product(tree.classes, repeat=2):
        for c1 in set(tree.h.parents(c2)) & set(tree.classes):
            if distance(c1, c0) < distance(c2, c0):
                if tree.sets[c1] & tree.sets[c0]:
                    assert tree.score[c1, c0] > tree.score[c2, c0]
                else:
                    # In a branch that shares no class with c0 there is nothing left to lose, so the paper's
                    # strict inequality cannot hold.
                    assert tree.score[c1, c0] == tree.score[c2, c0] == 0


@given(small_trees)
@settings(max_examples=40)
def test_3_errors_at_higher_levels_are_punished_more(shape: Shape) -> None:
    tree = Tree(shape)
    level = tree.h.depth
    by_form: dict[tuple[int, int], list[tuple[int, float]]] = {}
    for (pred, true), score in tree.score.items():
        if pred != true:
            # pairs with equal distance whose levels differ by the same amount on both sides
            form = tree.h.distance(pred, true), level(true) - level(pred)
            by_form.setdefault(form, []).append((level(true), score))
    for same in by_form.values():
        for (deep, mild), (high, severe) in product(same, repeat=2):
            if deep > high:
                assert mild > severe
