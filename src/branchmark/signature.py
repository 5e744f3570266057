"""The fine print of a score: everything that must agree before two numbers may be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

# keys that may differ between comparable scores
NOT_COMPARED = frozenset({"branchmark"})


class Signature(Mapping[str, Any]):
    """Ordered keys and values; ``str()`` gives ``hF1|average=micro|…`` and `parse` reads that back as texts."""

    def __init__(self, items: Mapping[str, Any]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __str__(self) -> str:
        rest = (f"{key}={_escaped(_text(value))}" for key, value in self._items.items() if key != "measure")
        return "|".join([str(self._items["measure"]), *rest])

    def __repr__(self) -> str:
        return f"Signature({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a printed signature."""
        name, *rest = text.strip().split("|")
        pairs = [item.partition("=") for item in rest]
        if not name or any(not separator for _, separator, _ in pairs):
            raise ValueError(f"not a signature: {text!r}")
        return cls({"measure": name, **{key: _unescaped(value) for key, _, value in pairs}})

    def diff(self, other: Signature) -> dict[str, tuple[Any, Any]]:
        """Keys on which two signatures disagree, with both values."""
        keys = dict.fromkeys([*self, *other])
        both = {key: (self.get(key), other.get(key)) for key in keys}
        return {key: pair for key, pair in both.items() if _text(pair[0]) != _text(pair[1])}

    def comparable(self, other: Signature) -> bool:
        """Whether two scores with these signatures measure the same thing on the same data."""
        return not self.diff(other).keys() - NOT_COMPARED

    def to_dict(self) -> dict[str, Any]:
        """A plain dict, as JSON output has it."""
        return dict(self._items)


# a class, whose name may contain anything, can be a parameter
def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("|", "%7C")


def _unescaped(text: str) -> str:
    return text.replace("%7C", "|").replace("%25", "%")


def _text(value: Any) -> str:
    if value is None:
        return "none"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
