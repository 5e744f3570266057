"""LCA measures (Kosmopoulos et al., Problem 2): sets augmented only up to the lowest common ancestors, optimally."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from branchmark import lowest
from branchmark.averages import Averaged
from branchmark.batch import Batch, Columns
from branchmark.measurebase import ALIASES, declare, param
from branchmark.measures.prf import FBeta, Precision, Recall
from branchmark.tally import Tally

DUMMY_NAME = "(beyond max_path)"


@dataclass(frozen=True)
class LcaGraphs:
    """The two augmented sets of one instance, the lowest common ancestors chosen and the paths to them."""

    true: tuple[str, ...]
    pred: tuple[str, ...]
    lcas: tuple[str, ...]
    true_paths: tuple[tuple[str, ...], ...]
    pred_paths: tuple[tuple[str, ...], ...]
    proven: bool

    def __str__(self) -> str:
        lines = [f"lowest common ancestors: {', '.join(self.lcas) or '–'}"]
        for name, nodes, paths in (("true", self.true, self.true_paths), ("pred", self.pred, self.pred_paths)):
            lines.append(f"{name} set: {', '.join(nodes) or '–'}")
            lines += [f"  {' → '.join(path)}" for path in paths]
        return "\n".join(lines if self.proven else [*lines, "not proven optimal"])


@declare
class LcaSets(Averaged):
    """Rows compare the optimal augmented sets."""

    goes_first: ClassVar[bool] = True
    average: str = param("samples", "samples (over instances) or micro", one_of=("samples", "micro"))
    max_path: int | None = param(
        None, "long-distance threshold: only ancestors nearer than this count; classes without a common one meet there",
        above=0, whole=True,
    )  # fmt: skip
    algorithm: str = param(
        "exact",
        "exact: the optimum; greedy: the paper's Algorithm 1",
        one_of=("exact", "greedy"),
    )

    def rows(self, batch: Batch, unit: str) -> Columns:
        return batch.once(("lca", self.max_path, self.algorithm), lambda: self._counts(batch))

    def _counts(self, batch: Batch) -> Columns:
        found = lowest.lca_counts(
            batch.hierarchy,
            batch.lists("ancestors"),
            batch.true,
            batch.pred,
            max_path=self.max_path,
            greedy=self.algorithm == "greedy",
            sets=True,
        )
        # the search marks all ancestors anyway, so set-based measures get their sizes for nothing
        batch.leave_ancestor_sizes(found.set_common, found.set_pred, found.set_true, self.max_path)
        return {"common": found.common, "pred": found.pred, "true": found.true, "unproven": found.unproven}

    def sample_sums(self, columns: Columns) -> dict[str, Any]:
        return {**super().sample_sums(columns), "unproven": int(columns["unproven"].sum())}

    def notes(self, tally: Tally) -> list[str]:
        unproven = tally["unproven"]
        if self.algorithm == "greedy" or not unproven:
            return []
        return [
            f"{unproven:,} instances are too large for the exact search; the best sets found are not proven optimal"
        ]

    def explain(self, batch: Batch) -> LcaGraphs:
        found = lowest.explain_lca(
            batch.hierarchy,
            batch.lists("ancestors"),
            batch.true[0],
            batch.pred[0],
            max_path=self.max_path,
            greedy=self.algorithm == "greedy",
        )
        h = batch.hierarchy

        def named(nodes: tuple[int, ...]) -> tuple[str, ...]:
            return tuple(DUMMY_NAME if node == lowest.DUMMY else h.name_of(node) for node in nodes)

        return LcaGraphs(
            named(found.true_nodes),
            named(found.pred_nodes),
            named(found.lcas),
            tuple(named(path.nodes) for path in found.true_paths),
            tuple(named(path.nodes) for path in found.pred_paths),
            found.proven,
        )


@declare
class LcaPrecision(
    LcaSets, Precision, name="LCA-P", title="LCA precision", family="lca", cite="kosmopoulos2014",
    units=("instance",), needs=("ancestors",),
):  # fmt: skip
    """Precision of the optimal sets up to the lowest common ancestors."""


@declare
class LcaRecall(
    LcaSets, Recall, name="LCA-R", title="LCA recall", family="lca", cite="kosmopoulos2014",
    units=("instance",), needs=("ancestors",),
):  # fmt: skip
    """Recall of the optimal sets up to the lowest common ancestors."""


@declare
class LcaF(
    LcaSets, FBeta, name="LCA-F", title="LCA F-beta", family="lca", cite="kosmopoulos2014",
    units=("instance",), needs=("ancestors",), suffix="beta",
):  # fmt: skip
    """F of the sets that are optimal for F1, up to the lowest common ancestors."""


ALIASES.update({"p_lca": "LCA-P", "r_lca": "LCA-R", "f_lca": "LCA-F1"})
