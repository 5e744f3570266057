"""Results: one number with its fine print, and all numbers of one system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from branchmark.errors import MeasureError, shorten
from branchmark.hierarchy import Hierarchy
from branchmark.measurebase import Measure, measure
from branchmark.resources import NodeWeights
from branchmark.signature import Signature
from branchmark.table import Cell, Column, Table
from branchmark.tally import Tally


class Details(Protocol):
    """Where results get what they do not carry: the data, gone through once more."""

    hierarchy: Hierarchy
    ids: list[str] | None

    @property
    def weights(self) -> Mapping[str, NodeWeights]:
        """Class weights by name."""

    def instance_values(self, measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
        """Value of each measure for every instance."""

    def instance_columns(self, measures: Sequence[Measure]) -> list[dict[str, NDArray[Any]]]:
        """Counts of each measure for every instance."""

    def members(self, m: Measure) -> dict[str, Any] | None:
        """Counts of each category for every instance, as sparse matrices."""

    def value_of(self, m: Measure, columns: dict[str, NDArray[np.int64]]) -> float:
        """The score of some counts per category."""

    def category_columns(self, measures: Sequence[Measure]) -> list[dict[str, NDArray[Any]]]:
        """Counts of each measure for every category."""

    def kinds(self) -> dict[str, int]:
        """Instances per kind of error."""

    def explain(self, m: Measure, instance: int | str) -> Any:
        """How the value of one instance comes about."""


class Score:
    """One number: what was measured, the value, and the signature that says under which conditions.

    Attributes
    ----------
    measure : Measure
    value : float
    signature : Signature
    tally : Tally
        The counts behind the value.
    """

    def __init__(self, measure: Measure, value: float, signature: Signature, tally: Tally, details: Details) -> None:
        self.measure = measure
        self.value = value
        self.signature = signature
        self.tally = tally
        self._details = details

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<Score {self.measure} = {self.value:.6g}>"

    def __str__(self) -> str:
        return f"{self.measure} = {self.value:.4f}   {self.signature}"

    @property
    def better(self) -> str:
        """ "higher" or "lower"."""
        return self.measure.better

    @cached_property
    def per_instance(self) -> NDArray[np.float64]:
        """The measure's value for every instance alone, in the order of the truth; NaN where it has none."""
        self._require("instance")
        return self._details.instance_values([self.measure])[0]

    @cached_property
    def per_category(self) -> dict[str, float]:
        """The measure's value for every category that occurs."""
        self._require("category")
        columns = self._details.category_columns([self.measure])[0]
        values = self.measure.finish(columns, "category")
        seen = np.flatnonzero((columns["true"] > 0) | (columns["pred"] > 0))
        return {self._details.hierarchy.names[i]: float(values[i]) for i in seen.tolist()}

    def all_categories(self) -> NDArray[np.float64]:
        """The measure's value for every category, in the order of ids; 0/0 is its zero_division."""
        self._require("category")
        values = self.measure.finish(self.category_counts(), "category")
        return values[1:] if self._details.hierarchy.root_is_virtual else values

    def category_counts(self) -> dict[str, NDArray[Any]]:
        """The counts behind each category's value."""
        return self._details.category_columns([self.measure])[0]

    def instance_counts(self) -> dict[str, NDArray[Any]]:
        """The counts behind each instance's value."""
        self._require("instance")
        return self._details.instance_columns([self.measure])[0]

    def members(self) -> dict[str, Any] | None:
        """Counts of each category for every instance, instances x categories, sparse; None where there are none."""
        return self._details.members(self.measure)

    def value_of(self, columns: dict[str, NDArray[np.int64]]) -> float:
        """What the score would be with these counts per category."""
        return self._details.value_of(self.measure, columns)

    def explain(self, instance: int | str) -> Any:
        """How the value of one instance, by position or id, comes about: pairs, augmented sets, paths."""
        return self._details.explain(self.measure, instance)

    @property
    def notes(self) -> list[str]:
        """What a reader of the value must know, such as that it is not exact."""
        return self.measure.notes(self.tally)

    def _require(self, unit: str) -> None:
        if unit not in self.measure.units:
            has = f"only per {' and '.join(self.measure.units)}" if self.measure.units else "only one for all"
            raise MeasureError(f"{self.measure} has no values per {unit}, {has}")

    def to_dict(self) -> dict[str, Any]:
        """As JSON output has it."""
        return {
            "measure": str(self.measure),
            "value": self.value,
            "better": self.better,
            "signature": self.signature.to_dict(),
            **({"notes": self.notes} if self.notes else {}),
        }


class Scores:
    """All numbers of one system. Iterate for each `Score`; look one up by its name: ``scores["hF1"]``."""

    def __init__(
        self,
        scores: Sequence[Score],
        details: Details,
        *,
        instances: int,
        system: str | None = None,
        warnings: Sequence[str] = (),
    ) -> None:
        self._scores = list(scores)
        self._details = details
        self.instances = instances
        self.system = system
        self.warnings = list(warnings)

    def __iter__(self) -> Iterator[Score]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __getitem__(self, name: str | Measure) -> Score:
        wanted = measure(name)
        for score in self._scores:
            if score.measure == wanted:
                return score
        raise MeasureError(f"{wanted} was not computed; there are {shorten([str(s.measure) for s in self], 20)}")

    def __contains__(self, name: str | Measure) -> bool:
        wanted = measure(name)
        return any(score.measure == wanted for score in self._scores)

    def only(self, measures: Sequence[Measure]) -> Scores:
        """The scores of some measures, in their order."""
        chosen = [self[m] for m in measures]
        return Scores(chosen, self._details, instances=self.instances, system=self.system, warnings=self.warnings)

    def __repr__(self) -> str:
        return (
            f"<Scores of {self.instances:,} instances: " + ", ".join(f"{s.measure}={s.value:.4f}" for s in self) + ">"
        )

    def __str__(self) -> str:
        return str(self.table())

    def table(self) -> Table:
        """One row per measure."""
        rows: list[list[Cell]] = [
            [f"{score.measure} {score.measure.arrow}", score.value, score.measure.meaning] for score in self
        ]
        name = self.system or "value"
        return Table([Column("measure"), Column(name), Column("meaning")], rows, notes=[self.footer()])

    def footer(self) -> str:
        """Which data the numbers are about."""
        first = self._scores[0].signature if self._scores else {}
        return f"{self.instances:,} instances, hier {first.get('hier', '–')}, true {first.get('true', '–')}"

    def categories_of(self, m: Measure) -> tuple[NDArray[np.float64], dict[str, NDArray[Any]]]:
        """Values and counts of a measure for every category, whether or not it is among these scores."""
        if "category" not in m.units:
            raise MeasureError(f"{m} has no values per category")
        counts = self._details.category_columns([m])[0]
        return m.finish(counts, "category"), counts

    @property
    def hierarchy(self) -> Hierarchy:
        """What the classes form."""
        return self._details.hierarchy

    @property
    def ids(self) -> list[str] | None:
        """Ids of the instances, in the order of the truth."""
        return self._details.ids

    @cached_property
    def kinds(self) -> dict[str, int]:
        """How many instances show each kind of error."""
        return self._details.kinds()

    def per_instance(self) -> Table:
        """One row per instance and one column per measure that has instance values."""
        chosen = [score.measure for score in self if "instance" in score.measure.units]
        if not chosen:
            raise MeasureError(
                f"none of these measures has values per instance: {', '.join(str(s.measure) for s in self)}"
            )
        values = self._details.instance_values(chosen)
        names: Sequence[Cell] = self._details.ids or range(self.instances)
        columns = [Column("instance"), *(Column(str(m), m.better) for m in chosen)]
        rows = [[name, *row] for name, row in zip(names, zip(*(v.tolist() for v in values), strict=True), strict=True)]
        return Table(columns, rows)

    def by(self, unit: str) -> Table:
        """The measures per "category" (those that occur) or per "depth" of the categories.

        Columns true and pred count labels as given; measures that add ancestors have counts of their own.
        """
        if unit not in ("category", "depth"):
            raise MeasureError(f"tables are by category or by depth; got {unit!r}")
        # averages make no difference to a single row, so each way to count is shown once
        chosen = list(dict.fromkeys(s.measure.unaveraged() for s in self if "category" in s.measure.units))
        if not chosen:
            raise MeasureError(
                f"none of these measures has values per category: {', '.join(str(s.measure) for s in self)}"
            )
        hierarchy = self._details.hierarchy
        support, *columns = self._details.category_columns([measure("P"), *chosen])
        depth = hierarchy.depth_of_all
        own = np.arange(hierarchy.size) >= hierarchy.root_is_virtual
        keys: list[list[Cell]]
        if unit == "depth":
            scales = [self._details.weights.get(m.parameters().get("weights", "none")) for m in chosen]
            factors = [1 if scale is None else scale.values for scale in scales]
            groups = [own & (depth == level) for level in range(int(depth.max()) + 1)]
            groups = [group for group in groups if group.any()]
            keys = [[int(depth[group][0])] for group in groups]
            head = [Column("depth")]
            values = [
                [m.pooled({name: (c * factor)[group] for name, c in part.items()}) for group in groups]
                for m, part, factor in zip(chosen, columns, factors, strict=True)
            ]
            counts = [[int(support[name][group].sum()) for name in ("true", "pred")] for group in groups]
        else:
            seen = np.sum([part["true"] + part["pred"] for part in (support, *columns)], axis=0) > 0
            picked = np.flatnonzero(seen & own)
            keys = [[hierarchy.names[i], int(depth[i])] for i in picked.tolist()]
            head = [Column("category"), Column("depth")]
            values = [m.finish(part, "category")[picked].tolist() for m, part in zip(chosen, columns, strict=True)]
            counts = [[int(support[name][i]) for name in ("true", "pred")] for i in picked.tolist()]
        head += [Column("true"), Column("pred"), *(Column(str(m), m.better) for m in chosen)]
        rows = [[*key, *count, *row] for key, count, row in zip(keys, counts, zip(*values, strict=True), strict=True)]
        return Table(head, rows)
