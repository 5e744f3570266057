"""What can go wrong because of the user's data or request; each message says where, what, and what to do."""

from __future__ import annotations


class BranchmarkError(ValueError):
    """Base of all errors that a user can mend."""


class HierarchyError(BranchmarkError):
    """The hierarchy is not a directed acyclic graph of named classes."""


class LabelError(BranchmarkError):
    """Labels are unknown, or the two sides do not fit each other."""


class MeasureError(BranchmarkError):
    """No such measure or parameter, or the measure cannot be computed here."""


class FormatError(BranchmarkError):
    """A file is not what its format promises."""


class MissingExtra(BranchmarkError):
    """An optional package is needed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package: pip install 'branchmark[{extra}]'")


def shorten(items: list[str], most: int = 5) -> str:
    """Some items in quotes, and how many more there are."""
    shown = ", ".join(repr(item) for item in items[:most])
    more = len(items) - most
    return f"{shown} and {more:,} more" if more > 0 else shown
