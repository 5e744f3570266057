"""Set-based measures: augment both label sets along the hierarchy, then compare them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from branchmark.averages import Averaged
from branchmark.batch import Batch, Columns, Context
from branchmark.errors import MeasureError, shorten
from branchmark.hierarchy import ROOT
from branchmark.measurebase import ALIASES, Floats, declare, param
from branchmark.measures.prf import FBeta, Precision, Recall
from branchmark.ragged import Ragged

ROOT_RULES = ("excluded", "included", "added")
ROOT_HELP = "whether the root is in the sets; added: a node above a real root is, too"

# Every instance belongs to the root, so the H-loss has it on both sides or not at all: adding another changes nothing.
H_LOSS_ROOT_RULES = ("excluded", "included")
H_LOSS_ROOT_HELP = "whether the root is in the sets where both sides have it"

# Which parameters give the number that a tool or paper calls hierarchical precision, recall or F.
PRESETS: dict[str, dict[str, Any]] = {
    "kiritchenko": {"average": "micro", "root": "excluded"},
    "kosmopoulos": {"average": "samples", "root": "included"},
    "hemkit": {"average": "samples", "root": "added"},
    "cafa": {"average": "samples", "root": "included", "zero_division": "skip"},
    "cafa_micro": {"average": "micro", "root": "included"},
    "hiclass": {"average": "micro", "root": "excluded"},
    "hiclass_macro": {"average": "samples", "root": "excluded"},
    "semeval2024": {"average": "micro", "root": "excluded"},
    "conll2024": {"average": "micro", "root": "excluded"},
    "icml2025": {"average": "samples", "root": "included"},
}


@declare
class Weighted(Averaged):
    """Set sizes may be sums of class weights."""

    weights: str = param("none", "name of the class weights that turn set sizes into sums")

    def check(self, context: Context) -> None:
        if self.weights == "none":
            return
        if self.weights not in context.weights:
            given = shorten(list(context.weights)) if context.weights else "none are given"
            raise MeasureError(
                f"{self}: no weights called {self.weights!r}; {given}. Pass weights={{name: ...}} / --weights"
            )
        if self.unit == "category":
            raise MeasureError(f"{self}: weights go with average=micro or samples, over all categories")


@declare
class AncestorSets(Weighted):
    """Rows compare label sets with all ancestors added."""

    root: str = param("excluded", ROOT_HELP, one_of=ROOT_RULES)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    kernel: ClassVar[str] = "overlap_rows"

    def check(self, context: Context) -> None:
        super().check(context)
        if self.root == "added" and self.weights != "none":
            raise MeasureError(f"{self}: an added root has no weight; use root=included or excluded")

    def rows(self, batch: Batch, unit: str) -> Columns:
        return batch.augmented(self.kernel, "ancestors", self.weights, self.root, unit)

    def members(self, batch: Batch) -> tuple[Ragged, Ragged] | None:
        reach = batch.lists("ancestors")
        true, pred = reach.augmented(batch.true), reach.augmented(batch.pred)
        return (true.without(ROOT), pred.without(ROOT)) if self.root == "excluded" else (true, pred)


@declare
class NearAncestorSets(AncestorSets):
    """Ancestor sets that may end at a threshold."""

    max_path: int | None = param(
        None,
        "long-distance threshold: only ancestors nearer than this count, and one node for all beyond",
        above=0,
        whole=True,
    )

    def check(self, context: Context) -> None:
        super().check(context)
        if self.max_path is not None and self.weights != "none" and self.root != "excluded":
            raise MeasureError(f"{self}: what lies beyond max_path has no weight; use root=excluded")

    def rows(self, batch: Batch, unit: str) -> Columns:
        return batch.augmented(self.kernel, "ancestors", self.weights, self.root, unit, self.max_path)


@declare
class HierarchicalPrecision(
    NearAncestorSets, Precision, name="hP", title="hierarchical precision", family="sets", cite="kiritchenko2006",
    needs=("ancestors",),
):  # fmt: skip
    """Precision of the predicted classes with all their ancestors."""


@declare
class HierarchicalRecall(
    NearAncestorSets, Recall, name="hR", title="hierarchical recall", family="sets", cite="kiritchenko2006",
    needs=("ancestors",),
):  # fmt: skip
    """Recall of the true classes with all their ancestors."""


@declare
class HierarchicalF(
    NearAncestorSets, FBeta, name="hF", title="hierarchical F-beta", family="sets", cite="kiritchenko2006",
    needs=("ancestors",), suffix="beta",
):  # fmt: skip
    """F of the label sets with all ancestors added."""

    # CAFA takes one F of the mean precision and the mean recall.
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS | {"cafa": PRESETS["cafa"] | {"of": "means"}}


@declare
class DescendantSets(Weighted):
    """Rows compare label sets with all descendants added."""

    def rows(self, batch: Batch, unit: str) -> Columns:
        return batch.augmented("overlap_rows", "descendants", self.weights, "included", unit)

    def members(self, batch: Batch) -> tuple[Ragged, Ragged] | None:
        reach = batch.lists("descendants")
        return reach.augmented(batch.true), reach.augmented(batch.pred)


@declare
class DescendantPrecision(
    DescendantSets, Precision, name="dP", title="descendant precision", family="sets", cite="ipeirotis2001",
    needs=("descendants",),
):  # fmt: skip
    """Precision of the predicted classes with all their descendants."""


@declare
class DescendantRecall(
    DescendantSets, Recall, name="dR", title="descendant recall", family="sets", cite="ipeirotis2001",
    needs=("descendants",),
):  # fmt: skip
    """Recall of the true classes with all their descendants."""


@declare
class DescendantF(
    DescendantSets, FBeta, name="dF", title="descendant F-beta", family="sets", cite="ipeirotis2001",
    needs=("descendants",), suffix="beta",
):  # fmt: skip
    """F of the label sets with all descendants added."""


@declare
class _SymmetricDifference(AncestorSets):
    """The mean size of the symmetric difference."""

    average: str = param("samples", "samples only", one_of=("samples",))

    # of the papers and tools with a preset, those that report this loss
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {name: PRESETS[name] for name in ("kosmopoulos", "hemkit")}

    def finish(self, columns: Columns, unit: str) -> Floats:
        return np.asarray(columns["true"] + columns["pred"] - 2 * columns["common"], dtype=np.float64)


@declare
class SymmetricDifference(
    _SymmetricDifference, NearAncestorSets, name="SDL", title="symmetric difference loss", family="sets",
    cite="kosmopoulos2014", better="lower", bounds=(0.0, float("inf")), units=("instance",), needs=("ancestors",),
):  # fmt: skip
    """Classes and ancestors on one side only, per instance."""


@declare
class HLoss(
    _SymmetricDifference, name="HL", title="H-loss", family="sets", cite="cesabianchi2006",
    better="lower", bounds=(0.0, float("inf")), units=("instance",), needs=("ancestors",),
):  # fmt: skip
    """The symmetric difference without what follows from a mistake higher up."""

    root: str = param("excluded", H_LOSS_ROOT_HELP, one_of=H_LOSS_ROOT_RULES)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    kernel: ClassVar[str] = "h_loss_rows"


@declare
class _HLossSets(AncestorSets):
    """Rows leave out nodes of one side that have no parent on the other."""

    average: str = param("micro", "micro or samples", one_of=("micro", "samples"))
    root: str = param("excluded", H_LOSS_ROOT_HELP, one_of=H_LOSS_ROOT_RULES)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    kernel: ClassVar[str] = "h_loss_rows"


@declare
class HLossPrecision(
    _HLossSets, Precision, name="hlP", title="H-loss precision", family="sets", cite="cesabianchi2006",
    units=("instance",), needs=("ancestors",),
):  # fmt: skip
    """Precision of the ancestor sets without what follows from a mistake higher up."""


@declare
class HLossRecall(
    _HLossSets, Recall, name="hlR", title="H-loss recall", family="sets", cite="cesabianchi2006",
    units=("instance",), needs=("ancestors",),
):  # fmt: skip
    """Recall of the ancestor sets without what follows from a mistake higher up."""


@declare
class HLossF(
    _HLossSets, FBeta, name="hlF", title="H-loss F-beta", family="sets", cite="cesabianchi2006",
    units=("instance",), needs=("ancestors",), suffix="beta",
):  # fmt: skip
    """F of the ancestor sets without what follows from a mistake higher up."""


ALIASES.update(
    {
        "p_h": "hP(average=samples,root=included)",
        "r_h": "hR(average=samples,root=included)",
        "f_h": "hF1(average=samples,root=included)",
    }
)
