"""What a top-down classifier decided: which subtree classifiers an instance reached, and which accepted it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from branchmark.errors import LabelError
from branchmark.hierarchy import Hierarchy, Label
from branchmark.labelsets import LabelSets
from branchmark.ragged import Ragged


class Trace:
    """The decisions of subtree classifiers, one per inner class.

    Parameters
    ----------
    hierarchy : Hierarchy
    reached, accepted : Ragged or LabelSets
        Per instance the classes whose subtree classifier it reached, and those that accepted it; whoever accepted was
        reached. A virtual root is the class 0.
    """

    def __init__(self, hierarchy: Hierarchy, reached: Ragged | LabelSets, accepted: Ragged | LabelSets) -> None:
        self.hierarchy = hierarchy
        self.reached = reached.rows if isinstance(reached, LabelSets) else reached
        self.accepted = accepted.rows if isinstance(accepted, LabelSets) else accepted
        if len(self.reached) != len(self.accepted):
            raise LabelError(
                f"{len(self.reached):,} rows of reached and {len(self.accepted):,} of accepted classifiers"
            )
        size = np.int64(hierarchy.size)
        seen = self.reached.row_of_each() * size + self.reached.flat()
        passed = self.accepted.row_of_each() * size + self.accepted.flat()
        strange = np.flatnonzero(~np.isin(passed, seen))
        if len(strange):
            row = int(self.accepted.row_of_each()[strange[0]])
            name = hierarchy.names[int(self.accepted.flat()[strange[0]])]
            raise LabelError(f"instance {row}: the classifier of {name!r} accepted it without being reached")

    @classmethod
    def from_arrays(
        cls, hierarchy: Hierarchy, classifiers: Sequence[Label | None], reached: Any, accepted: Any
    ) -> Trace:
        """From boolean arrays, instances x subtree classifiers; None among the classifiers is the root."""
        sides = [np.asarray(side) for side in (reached, accepted)]
        for name, side in zip(("reached", "accepted"), sides, strict=True):
            if side.dtype != bool or side.ndim != 2 or side.shape[1] != len(classifiers):
                raise LabelError(f"{name} must be a boolean array, instances x {len(classifiers)} classifiers")
        nodes = np.array([0 if c is None else hierarchy.id(c) for c in classifiers], dtype=np.int32)
        rows = [Ragged.from_lists([np.sort(nodes[row]).tolist() for row in side]) for side in sides]
        return cls(hierarchy, *rows)

    def slice(self, start: int, stop: int) -> Trace:
        """The decisions on some instances, sharing memory."""
        part = object.__new__(Trace)
        part.hierarchy = self.hierarchy
        part.reached, part.accepted = self.reached.slice(start, stop), self.accepted.slice(start, stop)
        return part

    def __len__(self) -> int:
        return len(self.reached)
