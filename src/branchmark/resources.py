"""What measures may need beyond labels: weights of classes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchmark.errors import LabelError, MeasureError, shorten
from branchmark.hierarchy import Hierarchy


class NodeWeights:
    """A weight of at least 0 for every class, such as its information content.

    Kernels add weights as integers, multiples of a power of two fine enough to lose nothing that a double could
    show, so that sums do not depend on the order of the classes.

    Parameters
    ----------
    name : str
        What measures call it: ``hF1(weights=ic)``.
    values : mapping or array
        Weight by class name, or by class id.
    hierarchy : Hierarchy
    default : float, optional
        Weight of classes that a mapping leaves out; without it they are an error.
    """

    def __init__(
        self,
        name: str,
        values: Mapping[str, float] | Any,
        hierarchy: Hierarchy,
        *,
        default: float | None = None,
    ) -> None:
        self.name = name
        self.hierarchy = hierarchy
        if isinstance(values, Mapping):
            array = np.full(hierarchy.size, np.nan if default is None else default)
            unknown = [str(key) for key in values if key not in hierarchy]
            if unknown:
                raise LabelError(f"weights {name!r}: {len(unknown):,} unknown classes: {shorten(unknown)}")
            for key, value in values.items():
                array[hierarchy.id(key)] = value
            if hierarchy.root_is_virtual:
                array[0] = 0.0
            missing = [hierarchy.names[i] for i in np.flatnonzero(np.isnan(array))]
            if missing:
                raise LabelError(f"weights {name!r}: {len(missing):,} classes have none: {shorten(missing)}")
        else:
            array = np.array(values, dtype=np.float64)
            if array.shape != (hierarchy.size,):
                raise LabelError(
                    f"weights {name!r}: expected one number per id ({hierarchy.size:,}), got shape {array.shape}"
                )
        if not (np.isfinite(array).all() and (array >= 0).all()):
            raise LabelError(f"weights {name!r} must be finite numbers of at least 0")
        array.flags.writeable = False
        self.values: NDArray[np.float64] = array

    @cached_property
    def shift(self) -> int:
        """Weights are counted in units of 2**-shift: the finest in which all of them together fit into 62 bits."""
        total = float(self.values.sum())
        return 62 - int(np.frexp(total)[1]) if total > 0 else 0

    def integers(self, root_counts: bool) -> NDArray[np.int64]:
        """Weights in units of 2**-shift; the root's is 0 unless it counts."""
        whole: NDArray[np.int64] = np.rint(np.ldexp(self.values, self.shift)).astype(np.int64)
        if not root_counts:
            whole[0] = 0
        return whole

    @cached_property
    def fingerprint(self) -> str:
        """8 hexadecimal digits that depend on names and weights, not on their order."""
        bits = np.ascontiguousarray(self.values).view(np.uint64)
        mixed = (self.hierarchy.hashes ^ (bits * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
        return f"{int(mixed.sum(dtype=np.uint64)) & 0xFFFFFFFF:08x}"


def as_weights(weights: Any, hierarchy: Hierarchy) -> dict[str, NodeWeights]:
    """Named weights from what `evaluate` accepts: NodeWeights, several of them, or {name: weights}."""
    if weights is None:
        return {}
    if isinstance(weights, NodeWeights):
        weights = [weights]
    if isinstance(weights, Mapping):
        made = [w if isinstance(w, NodeWeights) else NodeWeights(name, w, hierarchy) for name, w in weights.items()]
    else:
        made = list(weights)
    for item in made:
        if not isinstance(item, NodeWeights):
            raise MeasureError("weights must be NodeWeights or a dict from their name to {class: weight}")
        if item.hierarchy.fingerprint != hierarchy.fingerprint:
            raise MeasureError(f"weights {item.name!r} belong to another hierarchy")
    return {item.name: item for item in made}
