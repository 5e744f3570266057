"""What a measure is: declared once, parsed from its name, tallied in parts and finished to one number."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from branchmark.batch import Batch, Columns, Context
from branchmark.errors import MeasureError, shorten
from branchmark.labels import nearest
from branchmark.ragged import Ragged
from branchmark.tally import Tally

Floats = NDArray[np.float64]

REGISTRY: dict[str, type[Measure]] = {}
ALIASES: dict[str, str] = {}


def param(
    default: Any, help: str, *, one_of: tuple[Any, ...] = (), above: float | None = None, whole: bool = False
) -> Any:
    """A parameter of a measure: its default, its meaning and what it may be."""
    return field(default=default, metadata={"help": help, "one_of": one_of, "above": above, "whole": whole})


Declared = TypeVar("Declared", bound="type[Measure]")


def declare(cls: Declared) -> Declared:
    """Make the annotated attributes of a measure its parameters.

    A plain frozen dataclass would do, but compiles half a dozen methods for each of eighty classes whenever they are
    imported; `Measure` has them once for all.
    """
    dataclass(init=False, repr=False, eq=False)(cls)  # adds to the class itself
    return cls


@dataclass(init=False, repr=False, eq=False)
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

    def __init__(self, **parameters: Any) -> None:
        known = {spec.name for spec in dataclasses.fields(self)}
        for name, value in parameters.items():
            if name not in known:
                raise TypeError(f"{self.name} has no parameter {name!r}")
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a measure cannot be changed; use measure({str(self)!r}, {name}=...)")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.parameters() == other.parameters()

    def __hash__(self) -> int:
        return hash((type(self), *self.parameters().values()))

    def __repr__(self) -> str:
        return f"measure({str(self)!r})"

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

    def members(self, batch: Batch) -> tuple[Ragged, Ragged] | None:
        """Which categories each instance counts for on the true and on the predicted side; None if rows say more."""
        return None

    def pooled(self, columns: Columns) -> float:
        """The value of several categories taken together."""
        return float(self.finish({name: column.sum(keepdims=True) for name, column in columns.items()}, "category")[0])

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
