"""What a comparison of systems found, and how it is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from branchmark.errors import BranchmarkError, MeasureError
from branchmark.labelsets import LabelSets
from branchmark.measurebase import Measure
from branchmark.measures import measure as parse_measure
from branchmark.report import render
from branchmark.score import Score, Scores
from branchmark.significance import (
    TESTS,
    Interval,
    Kendall,
    PartialOrder,
    TestResult,
    flip,
    kendall_matrix,
    rank_systems,
)
from branchmark.significance import partial_order as order_of
from branchmark.table import Cell, Column, Table

LETTERS = "abcdefghijklmnopqrstuvwxyz"
STRONG = 0.2  # >> stands for a fifth of alpha: 0.01 where alpha is 0.05, as in Yang & Liu


@dataclass(frozen=True)
class Comparison:
    """One test of one measure (None for the s-test, which compares decisions) between two systems."""

    first: str
    second: str
    measure: Measure | None
    result: TestResult
    adjusted: float = 1.0  # p-value of the better side, after correction

    def sign(self, alpha: float) -> str:
        """``>>``, ``>``, ``~``, ``<`` or ``<<`` after correction."""
        if self.adjusted > alpha:
            return "~"
        strength = ">>" if self.adjusted <= alpha * STRONG else ">"
        return strength if self.result.p <= self.result.p_other else flip(strength)

    def to_dict(self, alpha: float) -> dict[str, Any]:
        """As JSON output has it."""
        return {
            "first": self.first,
            "second": self.second,
            "measure": None if self.measure is None else str(self.measure),
            **self.result.to_dict(),
            "p_adjusted": self.adjusted,
            "relation": self.sign(alpha),
        }


class Report:
    """Several systems on one truth: scores, intervals, tests, ranks, orders, agreement of measures.

    Attributes
    ----------
    scores : {system: Scores}
    comparisons : list of Comparison
    intervals : {system: {measure: Interval or None}}
    ranks : {measure: {system: rank}}
    orders : {measure: PartialOrder}
    """

    def __init__(
        self,
        scores: Mapping[str, Scores],
        comparisons: Sequence[Comparison],
        intervals: Mapping[str, Mapping[Measure, Interval | None]],
        *,
        predictions_per_instance: Mapping[str, float],
        settings: Mapping[str, Any],
    ) -> None:
        self.scores = dict(scores)
        self.comparisons = list(comparisons)
        self.intervals = intervals
        self.predictions_per_instance = dict(predictions_per_instance)
        self.settings = dict(settings)
        self.alpha: float = settings["alpha"]
        first = next(iter(self.scores.values()))
        self.measures: list[Measure] = [score.measure for score in first]
        for m in self.measures:
            self._check_alike(m, [found[m] for found in self.scores.values()])

    @staticmethod
    def _check_alike(m: Measure, scores: list[Score]) -> None:
        """One column holds one kind of number."""
        for score in scores[1:]:
            if not score.signature.comparable(scores[0].signature):
                different = ", ".join(score.signature.diff(scores[0].signature))
                raise MeasureError(f"{m}: the systems' scores are not comparable; they differ in {different}")

    @cached_property
    def letters(self) -> dict[str, str]:
        """The letter that stands for each system in tables."""
        names = list(self.scores)
        return {name: LETTERS[i] if i < len(LETTERS) else str(i + 1) for i, name in enumerate(names)}

    def _main_test(self, m: Measure) -> dict[tuple[str, str], str]:
        """Relations of all pairs by the first test that was made of a measure."""
        made = [c for c in self.comparisons if c.measure == m]
        first = made[0].result.test if made else None
        return {(c.first, c.second): c.sign(self.alpha) for c in made if c.result.test == first}

    @cached_property
    def ranks(self) -> dict[str, dict[str, int]]:
        """Rank of every system by every measure; an equal rank means no significant difference to the one before."""
        return {
            str(m): rank_systems(self._values(m), self._main_test(m), better=m.better)
            for m in self.measures
            if self._main_test(m) or len(self.scores) == 1
        }

    @cached_property
    def orders(self) -> dict[str, PartialOrder]:
        """The systems in order, as Yang & Liu print it: ``{SVM, kNN} > LLSF >> NB``."""
        return {
            str(m): order_of(self._values(m), self._main_test(m), better=m.better)
            for m in self.measures
            if self._main_test(m) or len(self.scores) == 1
        }

    @cached_property
    def agreement(self) -> Kendall | None:
        """Kendall's tau between the measures' rankings; None for fewer than two systems or measures."""
        if len(self.scores) < 2 or len(self.measures) < 2:
            return None
        values = {str(m): self._values(m) for m in self.measures}
        return kendall_matrix(values, {str(m): m.better for m in self.measures})

    def _values(self, m: Measure) -> dict[str, float]:
        return {name: found[m].value for name, found in self.scores.items()}

    def __getitem__(self, key: tuple[str, str | Measure]) -> Score:
        system, m = key
        if system not in self.scores:
            raise MeasureError(f"there is no system {system!r}; there are {', '.join(self.scores)}")
        return self.scores[system][parse_measure(m)]

    # ---------------------------------------------------------------- showing

    def table(self) -> Table:
        """Systems x measures; letters name the systems that one is significantly better than."""
        names = list(self.scores)
        columns = [Column(""), Column("system"), *(Column(str(m), m.better) for m in self.measures)]
        rows: list[list[Cell]] = []
        marks: dict[tuple[int, int], str] = {}
        for i, name in enumerate(names):
            rows.append([self.letters[name], name, *(self.scores[name][m].value for m in self.measures)])
            for k, m in enumerate(self.measures, start=2):
                beaten = self._beaten(name, m)
                if beaten:
                    # beyond z systems have numbers, which must not run together
                    between = "," if len(names) > len(LETTERS) else ""
                    marks[i, k] = between.join(self.letters[other] for other in beaten)
        return Table(columns, rows, notes=self._notes(), marks=marks)

    def _beaten(self, name: str, m: Measure) -> list[str]:
        signs = self._main_test(m)
        return [
            other
            for other in self.scores
            if signs.get((name, other), "~").startswith(">") or signs.get((other, name), "~").startswith("<")
        ]

    def _notes(self) -> list[str]:
        made = {c.result.test for c in self.comparisons if c.measure is not None}
        notes = []
        if made:
            first = [c.result.test for m in self.measures for c in self.comparisons if c.measure == m]
            tests = ", ".join(dict.fromkeys(TESTS[test].title for test in first[:1] + first))
            notes.append(
                f"Letters: significantly better than that system, one-sided p ≤ {self.alpha:g} "
                f"(correction: {self.settings['correction']}); {tests}."
            )
        return [*notes, next(iter(self.scores.values())).footer()]

    def order_table(self) -> Table:
        """The rank of each system by each measure, and their order with its signs."""
        rows: list[list[Cell]] = [[m, *self.ranks[m].values(), str(order)] for m, order in self.orders.items()]
        return Table([Column("rank by"), *(Column(name) for name in self.scores), Column("order")], rows)

    def details(self) -> list[Table]:
        """Intervals, all tests, agreement of measures, predictions per instance."""
        tables = []
        if self.intervals:
            tables.append(self._interval_table())
        if self.comparisons:
            tables.append(self._test_table())
        if self.agreement is not None:
            names = [str(m) for m in self.measures]
            rows: list[list[Cell]] = [[one, *(float(self.agreement[one, two]) for two in names)] for one in names]
            tables.append(Table([Column("Kendall's tau"), *(Column(name) for name in names)], rows))
        sizes: list[list[Cell]] = [[name, size] for name, size in self.predictions_per_instance.items()]
        tables.append(Table([Column("system"), Column("predictions per instance")], sizes))
        return tables

    def _interval_table(self) -> Table:
        rows: list[list[Cell]] = []
        for m in self.measures:
            for name in self.scores:
                made = self.intervals[name][m]
                cells: list[Cell] = [None, None] if made is None else [made.low, made.high]
                rows.append([str(m), name, self.scores[name][m].value, *cells])
        share = f"{self.settings['confidence']:.0%}"
        return Table(
            [Column("measure"), Column("system"), Column("value"), Column(f"{share} from"), Column("to")], rows
        )

    def _test_table(self) -> Table:
        rows: list[list[Cell]] = [
            [
                "decisions" if c.measure is None else str(c.measure),
                c.result.test,
                f"{c.first} {c.sign(self.alpha)} {c.second}",
                c.result.wins,
                c.result.ties,
                c.result.losses,
                float(c.result.effect),
                float(min(c.result.p, c.result.p_other)),
                float(c.result.p_two_sided),
                c.adjusted,
            ]
            for c in self.comparisons
        ]
        heads = ("measure", "test", "relation", "wins", "ties", "losses", "effect", "p", "p two-sided", "p adjusted")
        return Table([Column(head) for head in heads], rows)

    def by_frequency(self, training: LabelSets, measure: str | Measure = "F1", *, bins: int = 10) -> Table:
        """A measure as a function of how often a category occurs in training (Yang & Liu, Figures 4 and 5).

        Categories that are true at least once are put into bins of equal width by their training frequency; each cell
        is the mean of their values. Bins without any category are left out.
        """
        if bins < 1:
            raise MeasureError(f"bins must be at least 1; got {bins}")
        m = parse_measure(measure)
        values = {name: found.categories_of(m) for name, found in self.scores.items()}
        hierarchy = next(iter(self.scores.values())).hierarchy
        if training.hierarchy.names != hierarchy.names:
            raise MeasureError("the training labels belong to another hierarchy")
        real = next(iter(values.values()))[1]["true"] > 0
        frequency = np.bincount(training.rows.flat(), minlength=len(real))
        width = max(1, -(-int(frequency[real].max(initial=0) + 1) // bins))
        group = frequency // width
        rows: list[list[Cell]] = []
        for k in np.unique(group[real]).tolist():
            inside = real & (group == k)
            cells = [float(np.nanmean(found[inside])) for found, _ in values.values()]
            rows.append([f"{k * width:,} to {(k + 1) * width - 1:,}", int(inside.sum()), *cells])
        columns = [Column("in training"), Column("categories"), *(Column(name, m.better) for name in self.scores)]
        return Table(columns, rows, title=f"{m} by training frequency")

    def __str__(self) -> str:
        return str(self.table())

    def show(self) -> None:
        """Print everything."""
        from branchmark.report.console import print_table

        for i, table in enumerate([self.table(), self.order_table(), *self.details()]):
            if i:
                print()
            print_table(table)

    def to_latex(self) -> str:
        """The main table as LaTeX; needs the booktabs package."""
        return render(self.table(), "latex")

    def to_markdown(self) -> str:
        """The main table as Markdown."""
        return render(self.table(), "markdown")

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON output has it."""
        warnings = dict.fromkeys(text for found in self.scores.values() for text in found.warnings)
        agreement = self.agreement
        return {
            "schema": "branchmark.comparison/1",
            "instances": next(iter(self.scores.values())).instances,
            "settings": self.settings,
            "systems": [
                {
                    "name": name,
                    "predictions_per_instance": self.predictions_per_instance[name],
                    "scores": [
                        {
                            **score.to_dict(),
                            "interval": self._interval_dict(name, score.measure),
                            "rank": self.ranks.get(str(score.measure), {}).get(name),
                        }
                        for score in found
                    ],
                }
                for name, found in self.scores.items()
            ],
            "comparisons": [c.to_dict(self.alpha) for c in self.comparisons],
            "orders": {m: str(order) for m, order in self.orders.items()},
            "agreement": None
            if agreement is None
            else {"measures": list(agreement.measures), "tau": agreement.tau.tolist()},
            "warnings": list(warnings),
        }

    def _interval_dict(self, name: str, m: Measure) -> dict[str, float] | None:
        made = self.intervals[name][m] if self.intervals else None
        return None if made is None else {"low": made.low, "high": made.high, "error": made.error}

    def to_json(self) -> str:
        """Everything as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row per system and measure."""
        try:
            import pandas
        except ImportError:
            raise BranchmarkError("to_frame needs pandas: pip install pandas") from None
        records = [
            {
                "system": name,
                "measure": str(score.measure),
                "value": score.value,
                "better": score.better,
                **(self._interval_dict(name, score.measure) or {}),
                "rank": self.ranks.get(str(score.measure), {}).get(name),
                "beats": [*self._beaten(name, score.measure)],
                "signature": str(score.signature),
            }
            for name, found in self.scores.items()
            for score in found
        ]
        return pandas.DataFrame.from_records(records)
