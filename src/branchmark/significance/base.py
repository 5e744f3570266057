"""What every test gives back, which tests there are, and corrections for many comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from branchmark.errors import MeasureError
from branchmark.measurebase import Measure
from branchmark.significance.values import Floats, numbers

STRONG, WEAK = 0.01, 0.05  # levels of >> and > in Yang & Liu


def symbol(p: float, p_other: float, *, strong: float = STRONG, weak: float = WEAK) -> str:
    """Yang & Liu's sign for two one-sided p-values, of "the first is better" and "the second is better".

    Examples
    --------
    >>> symbol(0.01, 0.99), symbol(0.05, 0.95), symbol(0.3, 0.7), symbol(0.999, 0.001)
    ('>>', '>', '~', '<<')
    """
    for value, sign in ((p, ">"), (p_other, "<")):
        if value <= weak:
            return sign * 2 if value <= strong else sign
    return "~"


def flip(sign: str) -> str:
    """The sign with the two systems exchanged."""
    return sign.translate(str.maketrans("<>", "><"))


@dataclass(frozen=True)
class TestResult:
    """What a test says about two systems, called the first and the second.

    Attributes
    ----------
    test : str
        Name in `TESTS`.
    statistic : float
        k, Z, T, W or a difference, as the test defines it; large values speak for the first system.
    p : float
        One-sided p-value of "the first is better".
    p_other : float
        One-sided p-value of "the second is better".
    p_two_sided : float
        p-value of "they differ".
    n : int or float
        Pairs (or trials) that the statistic is made of. Sign, t and rank tests leave ties out.
    wins, ties, losses : int or None
        Pairs in which the first is better, equal, worse; None where nothing is paired.
    effect : float
        Size of the difference, in the unit that each test documents; above 0 where the first is better.
    interval : (float, float) or None
        Confidence interval of the effect, where the test makes one.
    details : dict
        How it was computed: the distribution, pairs left out because a value is missing, seed, resamples.

    Notes
    -----
    No field is ever NaN. Where the data says nothing at all, as when the systems are identical, all three p-values
    are 1 (what the exact binomial gives for no pair) and the statistic is 0, or k = 0.
    """

    __test__: ClassVar[bool] = False  # for pytest, which would collect a class of this name

    test: str
    statistic: float
    p: float
    p_other: float
    p_two_sided: float
    n: float
    wins: int | None
    ties: int | None
    losses: int | None
    effect: float
    interval: tuple[float, float] | None = None
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def symbol(self) -> str:
        """``>>`` or ``<<`` for P <= 0.01, ``>`` or ``<`` for 0.01 < P <= 0.05, ``~`` for P > 0.05."""
        return symbol(self.p, self.p_other)

    def to_dict(self) -> dict[str, Any]:
        """As JSON output has it; JSON has no infinity, so an infinite statistic is a text."""
        return {
            "test": self.test,
            "statistic": self.statistic if math.isfinite(self.statistic) else str(self.statistic),
            "p": self.p,
            "p_other": self.p_other,
            "p_two_sided": self.p_two_sided,
            "symbol": self.symbol,
            "n": self.n,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "effect": self.effect,
            "interval": None if self.interval is None else list(self.interval),
            "details": dict(self.details),
        }


@dataclass(frozen=True)
class Test:
    """A test by its name, and what it compares: decisions, values per category or instance, or proportions."""

    __test__: ClassVar[bool] = False

    name: str
    title: str
    unit: str
    cite: str


TESTS = {
    test.name: test
    for test in (
        Test("s-test", "micro sign test on all instance x category decisions", "decisions", "yang1999"),
        Test("S-test", "macro sign test on values per category", "category", "yang1999"),
        Test("T-test", "macro t-test on values per category", "category", "yang1999"),
        Test("T'-test", "macro t-test after rank transformation", "category", "yang1999"),
        Test("p-test", "comparison of two proportions", "proportion", "yang1999"),
        Test("sign", "sign test on values per instance", "instance", "kosmopoulos2014"),
        Test("wilcoxon", "signed-rank test on values per instance", "instance", "wilcoxon1945"),
        Test("bootstrap", "paired bootstrap over instances", "instance", "efron1993"),
        Test("permutation", "sign-flip permutation of values per instance", "instance", "fisher1935"),
    )
}


# measures that are a share of trials when averaged micro, and their names in `proportions`
PROPORTIONS = {"P": "precision", "R": "recall", "error": "error", "accuracy": "accuracy"}


def find_test(name: str) -> Test:
    """The test of that name; capitals matter, because the s-test is not the S-test."""
    if name in TESTS:
        return TESTS[name]
    raise MeasureError(f"no test is named {name!r}; there are {', '.join(TESTS)}")


def check_support(test: str, measure: Measure) -> None:
    """Raise MeasureError, naming what would work, if the measure has not what the test compares.

    The s-test compares decisions and goes with every measure.
    """
    unit = find_test(test).unit
    share = measure.name in PROPORTIONS and measure.parameters().get("average") == "micro"
    has = {*measure.units, *(["proportion"] if share else [])}
    if unit == "decisions" or unit in has:
        return
    works = ", ".join(other.name for other in TESTS.values() if other.unit in has or other.unit == "decisions")
    shares = f"shares of trials (micro averages of {', '.join(PROPORTIONS)})"
    what = shares if unit == "proportion" else f"values per {unit}"
    raise MeasureError(f"the {test} compares {what}, which {measure} does not have; use {works}")


# ---------------------------------------------------------------- many comparisons


def holm(p_values: Iterable[float]) -> Floats:
    """p-values adjusted by Holm's step-down rule, which bounds the chance of even one false finding.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    adjusted = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _restored(adjusted, order)


def benjamini_hochberg(p_values: Iterable[float]) -> Floats:
    """p-values adjusted by Benjamini and Hochberg's step-up rule, which bounds the share of false findings.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(4).tolist()
    [0.03, 0.04, 0.04]
    """
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    return _restored(np.minimum.accumulate(scaled[::-1])[::-1], order)


def _checked(p_values: Iterable[float]) -> Floats:
    p = numbers(p_values)
    if not ((p >= 0) & (p <= 1)).all():
        raise MeasureError("p-values lie between 0 and 1")
    return p


def _restored(adjusted: Floats, order: NDArray[np.intp]) -> Floats:
    out = np.empty_like(adjusted)
    out[order] = np.minimum(adjusted, 1.0)
    return out
