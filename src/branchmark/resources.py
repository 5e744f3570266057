"""What measures may need beyond labels: weights of classes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from branchmark.costs import ClassMatrix
from branchmark.errors import LabelError, MeasureError, shorten
from branchmark.hierarchy import Hierarchy
from branchmark.labels import check_resource_name


class NodeWeights:
    """A weight of at least 0 for every class, such as its information content.

    Kernels add weights as integers, multiples of the power of two that gives their sum 62 bits, so that sums do not
    depend on the order of the classes.

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
        check_resource_name(name, "weights", ("none",))
        self.name = name
        self.hierarchy = hierarchy
        if isinstance(values, Mapping):
            array = np.full(hierarchy.size, np.nan if default is None else default)
            unknown = [str(key) for key in values if key not in hierarchy]
            if unknown:
                raise LabelError(f"weights {name!r}: {len(unknown):,} unknown classes: {shorten(unknown)}")
            for key, value in values.items():
                try:
                    array[hierarchy.id(key)] = value
                except (TypeError, ValueError):
                    raise LabelError(
                        f"weights {name!r}: the weight of {key!r} must be a number; got {value!r}"
                    ) from None
            if hierarchy.root_is_virtual:
                array[0] = 0.0
            missing = [hierarchy.names[i] for i in np.flatnonzero(np.isnan(array))]
            if missing:
                raise LabelError(f"weights {name!r}: {len(missing):,} classes have none: {shorten(missing)}")
        else:
            try:
                array = np.array(values, dtype=np.float64)
            except (TypeError, ValueError):
                raise LabelError(f"weights {name!r} must be numbers, by class name or by class id") from None
            if array.shape != (hierarchy.size,):
                raise LabelError(
                    f"weights {name!r}: expected one number per id ({hierarchy.size:,}), got shape {array.shape}"
                )
        with np.errstate(over="ignore"):
            finite = bool(np.isfinite(array.sum()))
        if not (finite and (array >= 0).all()):
            raise LabelError(f"weights {name!r} must be finite numbers of at least 0")
        array.flags.writeable = False
        self.values: NDArray[np.float64] = array
        lost = np.flatnonzero((array > 0) & (self.integers(root_counts=True) == 0))
        if len(lost):
            raise LabelError(
                f"weights {name!r}: {hierarchy.names[lost[0]]!r} weighs {array[lost[0]]:g}, too little beside a sum of "
                f"{math.fsum(array):g} to count; weights may span 18 orders of magnitude"
            )

    @cached_property
    def shift(self) -> int:
        """Weights are counted in units of 2**-shift: the finest in which all of them together fit into 62 bits."""
        # rounded once, so that the order of the classes makes no difference
        total = math.fsum(self.values)
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


Resource = TypeVar("Resource", bound="NodeWeights | ClassMatrix")


def named_resources(given: Any, kind: type[Resource], hierarchy: Hierarchy) -> dict[str, Resource]:
    """What `evaluate` accepts for weights or matrices, by name: one, several, or for weights {name: values}."""
    if given is None:
        return {}
    if isinstance(given, kind):
        given = [given]
    if isinstance(given, Mapping):
        made = [item if isinstance(item, kind) else _make(kind, name, item, hierarchy) for name, item in given.items()]
        odd = [(name, item.name) for name, item in zip(given, made, strict=True) if name != item.name]
        if odd:
            raise MeasureError(f"{kind.__name__} {odd[0][1]!r} is given under another name, {odd[0][0]!r}")
    else:
        made = list(given)
    for item in made:
        if not isinstance(item, kind):
            wanted = "NodeWeights or a dict {name: {class: weight}}" if kind is NodeWeights else "ClassMatrix"
            raise MeasureError(f"expected {wanted}, got {type(item).__name__}")
        if item.hierarchy.fingerprint != hierarchy.fingerprint:
            raise MeasureError(f"{kind.__name__} {item.name!r} belongs to another hierarchy")
    names = [item.name for item in made]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise MeasureError(f"two {kind.__name__} are called {twice[0]!r}")
    return dict(zip(names, made, strict=True))


def _make(kind: type[Resource], name: str, values: Any, hierarchy: Hierarchy) -> Any:
    if kind is not NodeWeights:
        raise MeasureError(
            f"{name!r}: a matrix needs the names of its classes; pass ClassMatrix(name, values, classes, h)"
        )
    return NodeWeights(name, values, hierarchy)
