"""Parent-child links as they were found, before they are checked and numbered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels.names import NameTable
from branchmark.errors import HierarchyError


@dataclass(frozen=True)
class Links:
    """Parent-child links as a reader found them, before they are checked and numbered.

    ``lines[i]`` is the line of link i in ``source``; both serve messages only. ``aliases`` are further names of
    classes, ``titles`` texts for people.
    """

    table: NameTable
    parents: NDArray[np.int32]
    children: NDArray[np.int32]
    source: str | None = None
    lines: NDArray[np.int64] | None = None
    aliases: Mapping[str, str] | None = None
    titles: Mapping[str, str] | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def from_names(
        cls,
        edges: Iterable[tuple[str, str]],
        nodes: Iterable[str] = (),
        lines: Sequence[int] | None = None,
        **rest: Any,
    ) -> Links:
        """Number the names in the order in which they appear."""
        table = NameTable()
        flat = [name for edge in edges for name in edge]
        ids = table.insert_all(flat)
        table.insert_all(nodes)
        line_array = None if lines is None else np.asarray(lines, dtype=np.int64)
        return cls(table, ids[0::2].copy(), ids[1::2].copy(), lines=line_array, **rest)

    @classmethod
    def from_paths(
        cls,
        paths: Iterable[Sequence[str]],
        separator: str,
        *,
        lines: Sequence[int] | None = None,
        source: str | None = None,
    ) -> Links:
        """Links along label paths; a class is named by its whole path, its levels joined by the separator."""
        edges: dict[tuple[str, str], int] = {}
        tops: dict[str, None] = {}
        for i, path in enumerate(paths):
            line = i if lines is None else lines[i]
            where = f"{source}:{line}: " if source is not None and lines is not None else f"path {i}: "
            levels = [level.strip() for level in path]
            if not levels or not all(levels):
                raise HierarchyError(f"{where}{separator.join(levels)!r} has an empty level")
            if any(separator in level for level in levels):
                raise HierarchyError(
                    f"{where}a level of {levels!r} contains the separator {separator!r}; choose another separator="
                )
            names = [separator.join(levels[: k + 1]) for k in range(len(levels))]
            tops[names[0]] = None
            for pair in pairwise(names):
                edges.setdefault(pair, line)
        return cls.from_names(edges, tops, lines=None if lines is None else list(edges.values()), source=source)

    def at(self, link: int) -> str:
        """Where a link stands, as the start of a message."""
        if self.source is None:
            return ""
        return f"{self.source}: " if self.lines is None else f"{self.source}:{int(self.lines[link])}: "
