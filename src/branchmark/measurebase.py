"""What a measure is: declared once, parsed from its name, tallied in parts and finished to one number."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels import overlap
from branchmark.closures import Reach
from branchmark.costs import ClassMatrix
from branchmark.errors import MeasureError, shorten
from branchmark.hierarchy import Hierarchy
from branchmark.labels import nearest
from branchmark.ragged import Ragged
from branchmark.resources import NodeWeights
from branchmark.tally import ExactSum, Tally
from branchmark.trace import Trace

Columns = dict[str, NDArray[Any]]
Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

REGISTRY: dict[str, type[Measure]] = {}
ALIASES: dict[str, str] = {}


def param(
    default: Any, help: str, *, one_of: tuple[Any, ...] = (), above: float | None = None, whole: bool = False
) -> Any:
    """A parameter of a measure: its default, its meaning and what it may be."""
    return field(default=default, metadata={"help": help, "one_of": one_of, "above": above, "whole": whole})


@dataclass(frozen=True)
class Context:
    """What all parts of one evaluation share."""

    hierarchy: Hierarchy
    weights: Mapping[str, NodeWeights]
    matrices: Mapping[str, ClassMatrix] = field(default_factory=dict)
    ancestors: Reach | None = None
    descendants: Reach | None = None


class Batch:
    """The true and predicted labels of some instances, and what several measures compute from them only once."""

    def __init__(self, context: Context, true: Ragged, pred: Ragged, trace: Trace | None = None) -> None:
        self.context = context
        self.hierarchy = context.hierarchy
        self.true = true
        self.pred = pred
        self.trace = trace
        self._memo: dict[Any, Columns] = {}

    def __len__(self) -> int:
        return len(self.true)

    @property
    def sides(self) -> tuple[Any, ...]:
        """Both label sets as kernels take them."""
        return self.true.indptr, self.true.indices, self.pred.indptr, self.pred.indices

    @cached_property
    def stamp(self) -> NDArray[np.uint32]:
        """Scratch for kernels, one number per node; they clear it themselves."""
        return np.zeros(self.hierarchy.size, dtype=np.uint32)

    @cached_property
    def marks(self) -> NDArray[np.uint8]:
        """The same, one byte per node."""
        return np.zeros(self.hierarchy.size, dtype=np.uint8)

    def once(self, key: Any, make: Any) -> Columns:
        """Compute some columns the first time they are asked for."""
        if key not in self._memo:
            self._memo[key] = make()
        return self._memo[key]

    def lists(self, direction: str) -> Reach:
        """Ancestor or descendant lists of the labels in use."""
        reach: Reach | None = getattr(self.context, direction)
        if reach is None:
            raise MeasureError(f"a measure that uses {direction} must say so in its needs")
        return reach

    def labels(self, unit: str) -> Columns:
        """Sizes of the plain label sets and of their intersection."""
        return self.once(("labels", unit), lambda: self._labels(unit))

    def _labels(self, unit: str) -> Columns:
        indptr, common = overlap.common_labels(*self.sides)
        if unit == "instance":
            return {"common": np.diff(indptr), "pred": self.pred.lengths(), "true": self.true.lengths()}
        size = self.hierarchy.size
        both = {"common": common, "pred": self.pred.flat(), "true": self.true.flat()}
        return {name: np.bincount(labels, minlength=size) for name, labels in both.items()}

    def augmented(
        self, kernel: str, direction: str, weights: str, root: str, unit: str, max_path: int | None = None
    ) -> Columns:
        """Sizes (or weights) of augmented label sets and of their intersection.

        With `max_path`, only ancestors nearer than that are in the sets, and the root stands for all beyond.
        """
        key = (kernel, direction, weights, root, unit, max_path)
        return self.once(key, lambda: self._augmented(*key))

    def leave_ancestor_sizes(self, common: Any, pred: Any, true: Any, max_path: int | None) -> None:
        """Keep sizes of ancestor sets, root (and all beyond `max_path`) counted once, that another kernel found."""
        sizes = {"common": common, "pred": pred, "true": true}
        self._memo.setdefault(("sizes", "overlap_rows", "ancestors", max_path), sizes)

    def _augmented(
        self, kernel: str, direction: str, weights: str, root: str, unit: str, max_path: int | None
    ) -> Columns:
        if unit == "category":
            counted = self.once(
                ("categories", direction, max_path), lambda: self._augmented_categories(direction, max_path)
            )
            if root != "excluded" and not self.hierarchy.root_is_virtual:
                return counted
            return {name: np.concatenate([[0], column[1:]]) for name, column in counted.items()}
        if weights == "none":
            key = ("sizes", kernel, direction, max_path)
            counted = self.once(key, lambda: self._sizes_with_root(kernel, direction, max_path))
            if direction == "descendants":
                return counted
            return with_root(counted, root, self.hierarchy, only_shared=kernel == "h_loss_rows")
        given = self.context.weights[weights]
        whole = self._sizes(kernel, direction, given.integers(root_counts=root == "included"), max_path)
        return {name: np.ldexp(column.astype(np.float64), -given.shift) for name, column in whole.items()}

    def _sizes_with_root(self, kernel: str, direction: str, max_path: int | None) -> Columns:
        if max_path is None:
            return self._sizes(kernel, direction, None, None)
        # beyond the threshold one node stands for all, the root among them
        without_root = np.ones(self.hierarchy.size, dtype=np.int64)
        without_root[0] = 0
        near = self._sizes(kernel, direction, without_root, max_path)
        has_top = {"pred": self.pred.lengths() > 0, "true": self.true.lengths() > 0}
        has_top["common"] = has_top["pred"] & has_top["true"]
        return {name: column + has_top[name] for name, column in near.items()}

    def _sizes(self, kernel: str, direction: str, weights: Counts | None, max_path: int | None) -> Columns:
        reach = self.lists(direction)
        length = reach.length if max_path is None else reach.within(max_path - 1)
        out = {name: np.empty(len(self), dtype=np.int64) for name in ("common", "pred", "true")}
        links = self.hierarchy.parent_links
        graph = (links.indptr, links.indices) if kernel == "h_loss_rows" else ()
        scratch = self.stamp if graph else self.marks
        getattr(overlap, kernel)(
            reach.slot, reach.address, length, *graph, *self.sides, scratch, weights, *out.values()
        )
        return dict(out)

    def _augmented_categories(self, direction: str, max_path: int | None) -> Columns:
        reach = self.lists(direction)
        length = reach.length if max_path is None else reach.within(max_path - 1)
        out = {name: np.zeros(self.hierarchy.size, dtype=np.int64) for name in ("common", "pred", "true")}
        overlap.overlap_categories(reach.slot, reach.address, length, *self.sides, self.marks, *out.values())
        if max_path is not None:
            # the root stands for all beyond the threshold, so whoever has a label has it, as in instance rows
            pred, true = (side.lengths() > 0 for side in (self.pred, self.true))
            out["common"][0], out["pred"][0], out["true"][0] = (pred & true).sum(), pred.sum(), true.sum()
        return dict(out)


def with_root(columns: Columns, root: str, hierarchy: Hierarchy, *, only_shared: bool) -> Columns:
    """Adjust sizes of ancestor sets, in which the root (real or virtual) counts one, to another rule for it.

    only_shared: the root counts only where it is on both sides.
    """
    if root == "included" or (root == "added" and hierarchy.root_is_virtual):
        return columns
    step = -1 if root == "excluded" else 1
    shared = columns["common"] > 0
    has = {"common": shared, "pred": shared, "true": shared}
    if not only_shared:
        has |= {"pred": columns["pred"] > 0, "true": columns["true"] > 0}
    return {name: column + step * has[name] for name, column in columns.items()}


@dataclass(frozen=True)
class Measure:
    """A way to score predictions, with its parameters and without any data.

    A subclass is declared in its class line; parser, help, tables, signatures and tests read that declaration:

    name, title : what it is called, in a table and in words
    family : which module of `branchmark.measures` it belongs to
    cite : key of the paper that defines it
    better : "higher" or "lower"
    bounds : least and greatest possible value
    units : what it can be tabulated by, "instance" and "category"
    needs : what it needs: "ancestors" or "descendants" lists, "one label" on each side, a "trace"
    suffix : a parameter that is printed with the name, as in hF1
    rev : raised whenever the same data may give another number
    """

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    cite: ClassVar[str]
    better: ClassVar[str]
    bounds: ClassVar[tuple[float, float]]
    units: ClassVar[tuple[str, ...]]
    needs: ClassVar[tuple[str, ...]]
    suffix: ClassVar[str | None]
    rev: ClassVar[int]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    goes_first: ClassVar[bool] = False  # leaves in the batch what others would have to compute

    def __init_subclass__(
        cls,
        *,
        name: str | None = None,
        title: str = "",
        family: str = "",
        cite: str = "",
        better: str = "higher",
        bounds: tuple[float, float] = (0.0, 1.0),
        units: tuple[str, ...] = ("instance", "category"),
        needs: tuple[str, ...] = (),
        suffix: str | None = None,
        rev: int = 1,
    ) -> None:
        super().__init_subclass__()
        if name is None:
            return
        cls.name, cls.title, cls.family, cls.cite = name, title, family, cite
        cls.better, cls.bounds, cls.units, cls.needs, cls.suffix, cls.rev = (
            better,
            bounds,
            units,
            needs,
            suffix,
            rev,
        )
        if name.lower() in REGISTRY:
            raise MeasureError(f"a measure named {name!r} exists already")
        REGISTRY[name.lower()] = cls

    def __post_init__(self) -> None:
        for spec in dataclasses.fields(self):
            value, rule = getattr(self, spec.name), spec.metadata
            if rule.get("one_of") and (value not in rule["one_of"] or isinstance(value, bool)):
                allowed = ", ".join(str(item) for item in rule["one_of"])
                raise MeasureError(f"{self.name}: {spec.name} must be one of {allowed}; got {value!r}")
            if rule.get("above") is not None and not (value is None and spec.default is None):
                number = isinstance(value, int if rule["whole"] else int | float) and not isinstance(value, bool)
                if not number or not value > rule["above"] or value == float("inf"):
                    kind = "whole number" if rule["whole"] else "number"
                    raise MeasureError(
                        f"{self.name}: {spec.name} must be a {kind} above {rule['above']}; got {value!r}"
                    )

    def __str__(self) -> str:
        head = self.name
        changed = []
        for spec in dataclasses.fields(self):
            value = getattr(self, spec.name)
            text = _print_value(value)
            if spec.name == self.suffix and text.replace(".", "").isdigit():
                head += text
            elif value != spec.default:
                changed.append(f"{spec.name}={text}")
        return f"{head}({','.join(changed)})" if changed else head

    @property
    def arrow(self) -> str:
        """Which way is better, as tables show it."""
        return "↑" if self.better == "higher" else "↓"

    @property
    def meaning(self) -> str:
        """The title, with the number that a suffix stands for: "hierarchical F1"."""
        return (
            self.title
            if self.suffix is None
            else self.title.replace(f"-{self.suffix}", _print_value(getattr(self, self.suffix)))
        )

    def parameters(self) -> dict[str, Any]:
        """All parameters, defaults too."""
        return {spec.name: getattr(self, spec.name) for spec in dataclasses.fields(self)}

    def unaveraged(self) -> Measure:
        """The measure whose single rows have the same values, whatever way they are averaged."""
        return self

    # what a family defines ------------------------------------------------------------------------------------

    def check(self, context: Context) -> None:
        """Raise MeasureError if this measure cannot be computed in this context."""

    def rows(self, batch: Batch, unit: str) -> Columns:
        """Counts per instance or per category."""
        raise NotImplementedError

    def finish(self, columns: Columns, unit: str) -> Floats:
        """The value of each row of counts."""
        raise NotImplementedError

    def explain(self, batch: Batch) -> Any:
        """How the value of a batch of one instance comes about."""
        raise MeasureError(f"{self.name} has nothing to explain beyond its value")

    def notes(self, tally: Tally) -> list[str]:
        """What a reader of the value must know, such as that it is not exact."""
        return []

    def tally(self, batch: Batch) -> Tally:
        """What these instances contribute."""
        raise NotImplementedError

    def value(self, tally: Tally, context: Context) -> float:
        """The score of everything that was tallied."""
        raise NotImplementedError


@dataclass(frozen=True)
class PerInstance(Measure):
    """A measure of single instances; its value is their mean."""

    def __init_subclass__(cls, **declaration: Any) -> None:
        super().__init_subclass__(**{"units": ("instance",), **declaration})

    def tally(self, batch: Batch) -> Tally:
        return Tally({"values": ExactSum.of(self.finish(self.rows(batch, "instance"), "instance"))})

    def value(self, tally: Tally, context: Context) -> float:
        values = tally["values"]
        assert isinstance(values, ExactSum)
        return values.mean()


AVERAGES = {
    "micro": "sum the counts over all instances (or categories), then divide",
    "macro": "one value per category, then their mean",
    "samples": "one value per instance, then their mean",
}


@dataclass(frozen=True)
class Averaged(Measure):
    """A measure with counts per instance and per category, averaged in one of three ways."""

    average: str = param("micro", "micro, macro (over categories) or samples (over instances)", one_of=tuple(AVERAGES))
    categories: str = param(
        "all",
        "categories that macro averages run over: all of the hierarchy, its leaves, or those seen in the data",
        one_of=("all", "leaves", "seen"),
    )
    zero_division: float | str = param(
        0.0, "value of 0/0: 0, 1, or skip to leave it out of means", one_of=(0.0, 1.0, "skip")
    )

    counts_categories: ClassVar[bool] = False  # whether even micro averages need category rows

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.categories != "all" and self.average == "samples":
            raise MeasureError(f"{self.name}: categories={self.categories} goes with average=micro or macro")
        if self.unit not in self.units:
            raise MeasureError(f"{self.name} is defined per {' and '.join(self.units)} only; use average=samples")

    def unaveraged(self) -> Measure:
        defaults = {spec.name: spec.default for spec in dataclasses.fields(self)}
        how: dict[str, Any] = {name: defaults[name] for name in ("average", "categories", "of") if name in defaults}
        return dataclasses.replace(self, **how)

    @property
    def unit(self) -> str:
        """What the average sums over."""
        if self.average == "samples":
            return "instance"
        by_category = self.average == "macro" or self.counts_categories or self.categories != "all"
        return "category" if by_category else "instance"

    def tally(self, batch: Batch) -> Tally:
        columns = self.rows(batch, self.unit)
        if self.unit == "category":
            return Tally(dict(columns))
        if self.average == "samples":
            return Tally(self.sample_sums(columns))
        return Tally({name: _total(column) for name, column in columns.items()})

    def sample_sums(self, columns: Columns) -> dict[str, Any]:
        """What the mean over instances is made of."""
        return {"values": ExactSum.of(self.finish(columns, "instance"))}

    def sample_value(self, tally: Tally) -> float:
        """The mean over instances."""
        values = tally["values"]
        assert isinstance(values, ExactSum)
        return self.defined(values.mean())

    def value(self, tally: Tally, context: Context) -> float:
        if self.average == "samples":
            return self.sample_value(tally)
        columns: Columns = {name: np.asarray(_number(entry)) for name, entry in tally.entries.items()}
        if self.unit == "category":
            keep = self.universe(columns, context.hierarchy)
            columns = {name: column[keep] for name, column in columns.items()}
            if self.average == "macro":
                return self.macro_value(columns)
            columns = {name: column.sum(keepdims=True) for name, column in columns.items()}
        return self.defined(float(self.finish({k: np.atleast_1d(v) for k, v in columns.items()}, "total")[0]))

    def macro_value(self, columns: Columns) -> float:
        """The mean over categories."""
        return self.defined(ExactSum.of(self.finish(columns, "category")).mean())

    def defined(self, value: float) -> float:
        """A mean of nothing is 0/0 again, and skip has nothing left to fall back on."""
        if value != value:
            return 0.0 if self.zero_division == "skip" else float(self.zero_division)
        return value

    def universe(self, columns: Columns, hierarchy: Hierarchy) -> NDArray[np.bool_]:
        """The categories that count: the root only where it is a real class that occurs."""
        seen: NDArray[np.bool_] = (columns["true"] > 0) | (columns["pred"] > 0)
        if self.categories == "seen":
            keep = seen.copy()
        else:
            keep = hierarchy.is_leaf.copy() if self.categories == "leaves" else np.ones(hierarchy.size, dtype=bool)
        keep[0] &= bool(seen[0]) and not hierarchy.root_is_virtual
        return keep

    def ratio(self, numerator: Any, denominator: Any, perfect: NDArray[np.bool_] | None = None) -> Floats:
        """Divide; 0/0 gives zero_division, or 1 where the row is perfect because both sets are empty."""
        above, below = np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
        empty = np.nan if self.zero_division == "skip" else float(self.zero_division)
        out = np.full(np.broadcast(above, below).shape, empty)
        np.divide(above, below, out=out, where=below != 0)
        if perfect is not None:
            out[perfect] = 1.0
        return out


def _total(column: NDArray[Any]) -> Any:
    """A column's sum in a form that adds up exactly."""
    return ExactSum.of(column) if column.dtype.kind == "f" else int(column.sum())


def _number(entry: Any) -> Any:
    return float(entry.total) if isinstance(entry, ExactSum) else entry


# ---------------------------------------------------------------- names

_EXPRESSION = re.compile(r"\s*([^()\s]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_SUFFIXED = re.compile(r"(.*?[^\d.])(\d+(?:\.\d+)?)")


_PART = re.compile(r"""(?:[^,'"]|'[^']*'|"[^"]*")+""")


def _print_value(value: Any) -> str:
    # all digits, so that what is printed reads back as the same number
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    text = str(value)
    if isinstance(value, str) and (text != text.strip() or not text or any(sign in text for sign in ",()'\"")):
        return f'"{text}"' if '"' not in text else f"'{text}'"
    return text


def _read_value(text: str) -> Any:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return _unquoted(text)


def list_measures() -> list[type[Measure]]:
    """All declared measures, by family and name."""
    return sorted(REGISTRY.values(), key=lambda cls: (cls.family, cls.name.lower()))


def measure(expression: str | Measure, /, **parameters: Any) -> Measure:
    """The measure that an expression such as ``"hF(beta=2,root=included)"`` names.

    Upper and lower case do not matter, ``hF2`` is short for ``hF(beta=2)``, and ``preset=hemkit`` stands for the
    parameters with which that tool computes its number.

    Examples
    --------
    >>> str(measure("hf(beta=2, root=included)"))
    'hF2(root=included)'
    >>> str(measure("hF1(preset=hemkit)"))
    'hF1(average=samples,root=added)'
    """
    if isinstance(expression, Measure):
        return dataclasses.replace(expression, **_arguments(type(expression), expression.name, "", parameters))
    if not isinstance(expression, str):
        raise MeasureError(f"a measure is a text such as 'hF1' or a Measure; got {expression!r}")
    match = _EXPRESSION.fullmatch(expression)
    if not match:
        raise MeasureError(f"cannot read the measure {expression!r}; write NAME or NAME(key=value, ...)")
    name, inside = match[1], match[2] or ""
    if name.lower() in ALIASES:
        stands_for = ALIASES[name.lower()]
        base = measure(stands_for)
        return dataclasses.replace(base, **_arguments(type(base), name, inside, parameters))
    cls, beta = REGISTRY.get(name.lower()), _SUFFIXED.fullmatch(name)
    given: dict[str, Any] = {}
    if cls is None and beta:
        cls = REGISTRY.get(beta[1].lower())
        if cls is not None and cls.suffix:
            given[cls.suffix] = float(beta[2])
        else:
            cls = None
    if cls is None:
        known = [c.name for c in list_measures()]
        near = nearest(name, [*known, *ALIASES]) or known
        raise MeasureError(f"unknown measure {name!r}; perhaps {shorten(near)}? `branchmark measures` lists all")
    arguments = _arguments(cls, cls.name, inside, parameters)
    twice = given.keys() & arguments.keys()
    if twice:
        raise MeasureError(f"{name}: {', '.join(twice)} is given twice")
    return cls(**given, **arguments)


def _arguments(cls: type[Measure], name: str, inside: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters written in parentheses and given as keywords, with presets expanded and types made right."""
    given: dict[str, Any] = {}
    specs = {spec.name: spec for spec in dataclasses.fields(cls)}
    for part in filter(str.strip, _PART.findall(inside)):
        key, equals, text = part.partition("=")
        if not equals or not text.strip():
            raise MeasureError(f"{name}: cannot read {part.strip()!r}; write key=value")
        if key.strip() in given:
            raise MeasureError(f"{name}: {key.strip()} is given twice")
        spec = specs.get(key.strip())
        given[key.strip()] = _unquoted(text.strip()) if spec and _is_text(spec) else _read_value(text.strip())
    given |= parameters
    preset = given.pop("preset", None)
    if preset is not None:
        if preset not in cls.presets:
            choice = f"it has {', '.join(cls.presets)}" if cls.presets else "it has none"
            raise MeasureError(f"{name}: no preset {preset!r}; {choice}")
        given = {**cls.presets[preset], **given}
    for key, value in given.items():
        if key not in specs:
            has = ", ".join([*specs, *(["preset"] if cls.presets else [])])
            raise MeasureError(f"{name} has no parameter {key!r}; it has {has}")
        if isinstance(specs[key].default, float) and isinstance(value, int) and not isinstance(value, bool):
            given[key] = float(value)
        if _is_text(specs[key]) and isinstance(value, int) and not isinstance(value, bool):
            given[key] = str(value)
    return given


def _is_text(spec: dataclasses.Field[Any]) -> bool:
    """Whether a parameter is a name; a class may well be called 10."""
    return str(spec.type).startswith("str")


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
