"""compare(): several systems against the same truth, and how sure their differences are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from branchmark import significance
from branchmark.errors import LabelError, MeasureError
from branchmark.evaluation import evaluate, parse_measures
from branchmark.hierarchy import Hierarchy
from branchmark.labelsets import LabelSets
from branchmark.measurebase import Measure
from branchmark.results import Comparison, Report
from branchmark.score import Score, Scores
from branchmark.significance import Interval, TestResult

CORRECTIONS = ("holm", "bh", "none")


@dataclass(frozen=True)
class Settings:
    """How systems are compared."""

    alpha: float = 0.05
    correction: str = "holm"
    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise MeasureError(f"alpha must lie between 0 and 1; got {self.alpha!r}")
        if self.correction not in CORRECTIONS:
            raise MeasureError(f"correction must be one of {', '.join(CORRECTIONS)}; got {self.correction!r}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise MeasureError(f"seed must be a whole number of at least 0; got {self.seed!r}")


def compare(
    true: Any,
    systems: Mapping[str, Any],
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    tests: str | Iterable[str] | None = None,
    alpha: float = 0.05,
    correction: str = "holm",
    intervals: bool = True,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    hierarchy: Hierarchy | None = None,
    weights: Any = None,
    matrices: Any = None,
    unknown: str = "error",
    jobs: int | None = None,
) -> Report:
    """Score several systems on the same truth and test their differences.

    Parameters
    ----------
    true, hierarchy, weights, matrices, unknown, jobs
        As in `evaluate`.
    systems : {name: predictions}
    measures : str, Measure or several, optional
    tests : str or several, optional
        Names in `branchmark.significance.TESTS`. By default the sign test over instances, or the S-test over categories
        for macro averages and measures with category values only. A test that a measure cannot support is an error;
        the measures that "all" stands for go without it. The s-test compares decisions and is made once for every pair
        of systems.
    alpha : float
        Level at which a difference counts, after correction.
    correction : {"holm", "bh", "none"}
        For the many pairs of systems, within each measure and test.
    intervals : bool
        Whether scores get bootstrap intervals.
    resamples, confidence, seed
        Of the bootstrap and permutation.

    Returns
    -------
    Report

    Examples
    --------
    >>> import branchmark as bm
    >>> h = bm.Hierarchy.from_edges([("Arts", "Music"), ("Music", "Pop"), ("Music", "Rock")])
    >>> true = [["Pop"], ["Rock"]] * 20
    >>> report = bm.compare(true, {"good": true, "bad": [["Rock"], ["Pop"]] * 20}, "hF1", hierarchy=h)
    >>> str(report.orders["hF1"])
    'good >> bad'
    """
    settings = Settings(alpha, correction, resamples, confidence, seed)
    if not isinstance(systems, Mapping) or not systems:
        raise LabelError("systems must be a dict from names to predictions, with at least one system")
    for name in systems:
        if not isinstance(name, str):
            raise LabelError(f"systems are named by text; got {name!r}")
    if measures is not None and not isinstance(measures, str | Measure):
        measures = list(measures)
    chosen = parse_measures(measures)
    asked = [tests] if isinstance(tests, str) else None if tests is None else list(tests)
    for name in asked or ():
        significance.find_test(name)
        for m in chosen.measures:
            if m not in chosen.optional:
                significance.check_support(name, m)
    truth: LabelSets | None = true if isinstance(true, LabelSets) else None
    if truth is None:
        truth = LabelSets.of(true, hierarchy, unknown=unknown)
    results: dict[str, Scores] = {}
    labels: dict[str, LabelSets] = {}
    for name, predictions in systems.items():
        try:
            labels[name] = truth.align(LabelSets.of(predictions, truth.hierarchy, unknown=unknown))
        except LabelError as error:
            raise LabelError(f"system {name!r}: {error}") from error
        results[name] = evaluate(
            truth, labels[name], measures, weights=weights, matrices=matrices, jobs=jobs, system=name
        )
    # "all" stands for what can be computed, which may differ between systems
    made_of_all = [m for m in chosen.measures if all(m in found for found in results.values())]
    results = {name: found.only(made_of_all) for name, found in results.items()}
    comparisons: list[Comparison] = []
    for m in made_of_all:
        for test in asked or [_default_test(m)]:
            if significance.TESTS[test].unit != "decisions" and (m not in chosen.optional or _supports(test, m)):
                comparisons += _corrected(_pairs(results, m, test, settings), settings)
    if asked and "s-test" in asked:
        found = [
            Comparison(a, b, None, significance.micro_sign_test(truth, labels[a], labels[b]))
            for a, b in combinations(systems, 2)
        ]
        comparisons += _corrected(found, settings)
    made = {
        name: {score.measure: _interval(score, settings) for score in scores}
        for name, scores in (results if intervals else {}).items()
    }
    return Report(
        results,
        comparisons,
        made,
        predictions_per_instance={name: float(side.rows.lengths().mean()) for name, side in labels.items()},
        settings=asdict(settings),
    )


def _default_test(m: Measure) -> str:
    by_category = "instance" not in m.units or m.parameters().get("average") == "macro"
    return "S-test" if by_category else "sign"


def _supports(test: str, m: Measure) -> bool:
    try:
        significance.check_support(test, m)
    except MeasureError:
        return False
    return True


def _pairs(results: Mapping[str, Scores], m: Measure, test: str, settings: Settings) -> list[Comparison]:
    """One test between all pairs of systems."""
    scores = {name: found[m] for name, found in results.items()}
    found = []
    for a, b in combinations(scores, 2):
        try:
            found.append(Comparison(a, b, m, _test(scores[a], scores[b], test, settings)))
        except (LabelError, MeasureError) as error:
            raise type(error)(f"{test} of {m}, {a!r} (first) against {b!r} (second): {error}") from error
    return found


def _test(first: Score, second: Score, test: str, settings: Settings) -> TestResult:
    m, better = first.measure, first.better
    drawn = {"resamples": settings.resamples, "seed": settings.seed}
    if test == "p-test":
        return significance.proportion_test(_proportion(first), _proportion(second), better=better)
    if test == "bootstrap":
        one, two = _resampling(first), _resampling(second)
        if one is None or two is None:
            raise MeasureError(f"the bootstrap cannot draw {m} anew; use sign, wilcoxon or permutation")
        rows, finish, other = *one, two[0]
        return significance.bootstrap_test(rows, other, finish, better=better, confidence=settings.confidence, **drawn)
    if test == "permutation":
        return significance.permutation_test(first.per_instance, second.per_instance, better=better, **drawn)
    by_instance = significance.TESTS[test].unit == "instance"
    values = [s.per_instance if by_instance else s.all_categories() for s in (first, second)]
    function = {
        "S-test": significance.macro_sign_test,
        "T-test": significance.t_test,
        "T'-test": significance.rank_t_test,
        "sign": significance.sign_test,
        "wilcoxon": significance.wilcoxon_test,
    }[test]
    result: TestResult = function(values[0], values[1], better=m.better)
    return result


def _proportion(score: Score) -> significance.Proportion:
    counts = {name: float(column.sum()) for name, column in score.category_counts().items()}
    decisions = counts.get("decisions")
    shares = significance.proportions(
        true_positives=counts["common"],
        false_positives=counts["pred"] - counts["common"],
        false_negatives=counts["true"] - counts["common"],
        decisions=decisions,
    )
    return shares[significance.PROPORTIONS[score.measure.name]]


def _resampling(score: Score) -> tuple[Any, Any] | None:
    """What the bootstrap draws from, and the score of what it drew; None for the few scores that have neither."""
    m, parameters = score.measure, score.measure.parameters()
    if "instance" not in m.units or parameters.get("of") == "means":
        return None
    if parameters.get("average") == "macro" or parameters.get("categories", "all") != "all":
        members = None if parameters.get("max_path") else score.members()
        return None if members is None else (members, lambda sums: _each_value(score, sums))
    if parameters.get("average") == "micro":
        return score.instance_counts(), lambda sums: m.finish(sums, "total")
    return score.per_instance, None


def _each_value(score: Score, sums: Mapping[str, Any]) -> Any:
    """The score of each row of counts per category."""
    whole = {name: np.rint(column).astype(np.int64) for name, column in sums.items()}
    count = len(next(iter(whole.values())))
    return np.array([score.value_of({name: column[i] for name, column in whole.items()}) for i in range(count)])


def _interval(score: Score, settings: Settings) -> Interval | None:
    """A bootstrap interval over instances."""
    drawn = _resampling(score)
    if drawn is None:
        return None
    return significance.bootstrap_interval(
        *drawn, resamples=settings.resamples, confidence=settings.confidence, seed=settings.seed
    )


def _corrected(found: list[Comparison], settings: Settings) -> list[Comparison]:
    """The same comparisons with the p-value of the better side adjusted for their number."""
    if not found:
        return []
    p = [min(c.result.p, c.result.p_other) for c in found]
    if settings.correction == "holm":
        p = significance.holm(p).tolist()
    elif settings.correction == "bh":
        p = significance.benjamini_hochberg(p).tolist()
    return [replace(c, adjusted=value) for c, value in zip(found, p, strict=True)]
