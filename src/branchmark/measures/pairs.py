"""Pair-based measures: which predicted class stands for which true one, and how far apart they are.

All of them are cases of Problem 1 of Kosmopoulos et al.: find the pairs of true and predicted classes with the least
total cost, where a class that stays alone is paired with a default class at the cost `d_max`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from branchmark import pairing
from branchmark.averages import PerInstance
from branchmark.batch import Batch, Columns, Context
from branchmark.costs import Tables, depth_costs, weighted_tables
from branchmark.errors import MeasureError, shorten
from branchmark.flow import Bounds, cheapest_flows
from branchmark.measurebase import ALIASES, Floats, declare, param


@dataclass(frozen=True)
class Pairing:
    """Which classes of one instance were paired: (true, predicted, cost), None for the default class."""

    pairs: tuple[tuple[str | None, str | None, float], ...]
    total: float

    def __str__(self) -> str:
        lines = [f"{true or '(default)'} – {pred or '(default)'}: {cost:g}" for true, pred, cost in self.pairs]
        return "\n".join([*lines, f"total cost {self.total:g}"])


@declare
class PairBased(PerInstance):
    """Costs of pairs: numbers of links, links weighted by depth, or a given matrix."""

    cost: str = param(
        "links", "links, depth (a link costs w0·ratio^depth of its upper end) or the name of a cost matrix"
    )
    w0: float = param(1.0, "cost of a link below the root, with cost=depth", above=0)
    ratio: float = param(0.75, "factor from one depth to the next, with cost=depth", above=0)
    max_path: int | None = param(
        None, "long-distance threshold: classes that share no ancestor closer than this meet there", above=0, whole=True
    )

    def check(self, context: Context) -> None:
        if self.cost not in ("links", "depth") and self.cost not in context.matrices:
            given = f"given are {shorten(list(context.matrices))}" if context.matrices else "none are given"
            raise MeasureError(
                f"{self}: no cost matrix called {self.cost!r}; {given}. Pass matrices={{name: ...}} / --matrix"
            )
        if self.cost in context.matrices and (context.matrices[self.cost].values < 0).any():
            raise MeasureError(f"{self}: a cost is at least 0; the matrix {self.cost!r} has negative numbers")
        if self.max_path is not None and self.cost != "links":
            raise MeasureError(f"{self}: max_path counts links; it goes with cost=links")

    def tables(self, batch: Batch) -> Tables:
        """Per instance a true x predicted matrix of costs."""
        reach = batch.lists("ancestors")
        if self.cost == "links":
            indptr, links = pairing.distances(batch.hierarchy, reach, batch.true, batch.pred, max_path=self.max_path)
            return indptr, links.astype(np.float64)
        if self.cost == "depth":
            costs = depth_costs(batch.hierarchy, self.w0, self.ratio)
            return weighted_tables(batch.hierarchy, reach, batch.true, batch.pred, costs)
        return batch.context.matrices[self.cost].tables(batch.true, batch.pred)

    def _named(self, batch: Batch, pairs: list[tuple[int | None, int | None, float]]) -> Pairing:
        names, true, pred = batch.hierarchy.names, batch.true[0], batch.pred[0]
        named = [
            (None if t is None else names[true[t]], None if p is None else names[pred[p]], float(cost))
            for t, p, cost in pairs
        ]
        return Pairing(tuple(named), float(sum(cost for *_, cost in named)))


@declare
class TreeInducedError(
    PairBased, name="TIE", title="tree-induced error", family="pairs", cite="dekel2004",
    better="lower", bounds=(0.0, float("inf")), needs=("ancestors", "one label"),
):  # fmt: skip
    """Distance between the true and the predicted class; one of each. wTIE weights links by depth."""

    def rows(self, batch: Batch, unit: str) -> Columns:
        return {"cost": self.tables(batch)[1]}

    def finish(self, columns: Columns, unit: str) -> Floats:
        return np.asarray(columns["cost"], dtype=np.float64)

    def explain(self, batch: Batch) -> Pairing:
        return self._named(batch, [(0, 0, float(self.tables(batch)[1][0]))])


@declare
class AllPairs(
    PairBased, name="AllPairs", title="all-pairs distance", family="pairs", cite="sun2001",
    better="lower", bounds=(0.0, float("inf")), needs=("ancestors",),
):  # fmt: skip
    """Sum of the distances of all pairs of a true and a predicted class."""

    def rows(self, batch: Batch, unit: str) -> Columns:
        indptr, costs = self.tables(batch)
        # whole numbers add up without rounding as long as their sum fits; then one running sum serves all rows
        ends = np.concatenate([[0.0], np.cumsum(costs)])
        if ends[-1] < 2.0**53 and np.all(costs == np.rint(costs)):
            return {"cost": ends[indptr[1:]] - ends[indptr[:-1]]}
        return {"cost": np.array([float(np.sort(costs[a:b]).sum()) for a, b in pairwise(indptr)])}

    def finish(self, columns: Columns, unit: str) -> Floats:
        return np.asarray(columns["cost"], dtype=np.float64)


@declare
class _Paired(PairBased):
    """Pairs with default classes."""

    d_max: float = param(5.0, "cost of a class that is paired with the default class", above=0)

    def costs(self, batch: Batch) -> Columns:
        """Least one-to-one and cover costs, and the numbers of classes."""
        return batch.once(
            ("pairs", self.cost, self.w0, self.ratio, self.max_path, self.d_max), lambda: self._costs(batch)
        )

    def _costs(self, batch: Batch) -> Columns:
        if self.cost == "links":
            found = pairing.pair_costs(
                batch.hierarchy,
                batch.lists("ancestors"),
                batch.true,
                batch.pred,
                d_max=self.d_max,
                max_path=self.max_path,
            )
            one_to_one, cover, shared = found.one_to_one, found.cover, found.shared
        else:
            sizes = batch.labels("instance")
            one_to_one, cover = pairing.given_costs(*self.tables(batch), sizes["true"], sizes["pred"], self.d_max)
            shared = sizes["common"].astype(np.int32)
        union = batch.true.lengths() + batch.pred.lengths() - shared
        return {"one_to_one": one_to_one, "cover": cover, "union": union, "symdiff": union - shared}

    def _cheapest(self, batch: Batch, one_to_one: bool) -> Pairing:
        table = self.tables(batch)[1].reshape(len(batch.true[0]), len(batch.pred[0]))
        found = pairing.cheapest_pairs(table, self.d_max, one_to_one=one_to_one)
        none = pairing.DEFAULT_CLASS
        return self._named(batch, [(None if t == none else t, None if p == none else p, cost) for t, p, cost in found])


@declare
class GraphInducedError(
    _Paired, name="GIE", title="graph-induced error", family="pairs", cite="kosmopoulos2014",
    better="lower", bounds=(0.0, float("inf")), needs=("ancestors",),
):  # fmt: skip
    """Least cost of a one-to-one pairing; classes left over cost d_max each."""

    def rows(self, batch: Batch, unit: str) -> Columns:
        return {"cost": self.costs(batch)["one_to_one"]}

    def finish(self, columns: Columns, unit: str) -> Floats:
        return np.asarray(columns["cost"], dtype=np.float64)

    def explain(self, batch: Batch) -> Pairing:
        return self._cheapest(batch, one_to_one=True)


@declare
class MultilabelGraphInducedAccuracy(
    _Paired, name="MGIA", title="multi-label graph-induced accuracy", family="pairs", cite="kosmopoulos2014",
    needs=("ancestors",),
):  # fmt: skip
    """1 − f / (N · d_max), where f is the least cost to give every class at least one partner or the default class."""

    norm: str = param(
        "symdiff",
        "N: symdiff counts classes on one side only (the formula as printed), union all of them (the printed Table 5)",
        one_of=("symdiff", "union"),
    )

    def check(self, context: Context) -> None:
        super().check(context)
        if self.cost in context.matrices and context.matrices[self.cost].values.diagonal().any():
            raise MeasureError(f"{self}: a class taken for itself must cost 0; not so in {self.cost!r}")

    def rows(self, batch: Batch, unit: str) -> Columns:
        costs = self.costs(batch)
        return {"cost": costs["cover"], "classes": costs[self.norm]}

    def finish(self, columns: Columns, unit: str) -> Floats:
        most = columns["classes"] * self.d_max
        lost = np.divide(columns["cost"], most, out=np.zeros(len(most)), where=most > 0)
        return np.asarray(1.0 - lost)

    def explain(self, batch: Batch) -> Pairing:
        return self._cheapest(batch, one_to_one=False)


@declare
class Flow(
    _Paired, name="Flow", title="cheapest pairing within bounds", family="pairs", cite="kosmopoulos2014",
    better="lower", bounds=(0.0, float("inf")), needs=("ancestors",),
):  # fmt: skip
    """Least cost with given bounds on the number of partners of each class: the general Problem 1, solved by HiGHS."""

    d_max: float = param(5.0, "cost of a class that is paired with the default class; inf for none")
    alpha_true: int | None = param(None, "least number of partners of a true class")
    beta_true: int | None = param(None, "largest number of partners of a true class; 0 for any")
    alpha_pred: int | None = param(None, "least number of partners of a predicted class")
    beta_pred: int | None = param(None, "largest number of partners of a predicted class; 0 for any")

    def __post_init__(self) -> None:
        super().__post_init__()
        for side in ("true", "pred"):
            least, most = getattr(self, f"alpha_{side}"), getattr(self, f"beta_{side}")
            if least is None or most is None:
                continue
            if not (isinstance(least, int) and isinstance(most, int) and least >= 0 and (most == 0 or most >= least)):
                raise MeasureError(f"{self.name}: need 0 <= alpha_{side} <= beta_{side}; got {least} and {most}")
        if not isinstance(self.d_max, int | float) or not self.d_max > 0:
            raise MeasureError(f"{self.name}: d_max must be above 0; got {self.d_max!r}")

    def check(self, context: Context) -> None:
        super().check(context)
        missing = [
            name for name in ("alpha_true", "beta_true", "alpha_pred", "beta_pred") if getattr(self, name) is None
        ]
        if missing:
            raise MeasureError(f"{self.name}: the bounds must be given; {', '.join(missing)} is missing")

    def _solved(self, batch: Batch) -> Any:
        assert self.alpha_true is not None
        assert self.alpha_pred is not None
        return cheapest_flows(
            self.tables(batch),
            batch.true.lengths(),
            batch.pred.lengths(),
            d_max=self.d_max,
            true_bounds=Bounds(self.alpha_true, self.beta_true or None),
            pred_bounds=Bounds(self.alpha_pred, self.beta_pred or None),
        )

    def rows(self, batch: Batch, unit: str) -> Columns:
        return {"cost": self._solved(batch)[0]}

    def finish(self, columns: Columns, unit: str) -> Floats:
        return np.asarray(columns["cost"], dtype=np.float64)

    def explain(self, batch: Batch) -> Pairing:
        (flow,) = self._solved(batch)[1]
        n, m = flow.shape[0] - 1, flow.shape[1] - 1
        table = self.tables(batch)[1].reshape(n, m)
        pairs: list[tuple[int | None, int | None, float]] = []
        for t, p in zip(*np.nonzero(flow), strict=True):
            price = float(table[t, p]) if t < n and p < m else self.d_max
            pairs += [(int(t) if t < n else None, int(p) if p < m else None, price)] * int(flow[t, p])
        return self._named(batch, pairs)


ALIASES.update({"wtie": "TIE(cost=depth)", "sunpairs": "AllPairs"})
