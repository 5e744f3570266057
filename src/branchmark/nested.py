"""Hierarchies written as nested data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from branchmark.errors import HierarchyError

NAME_KEYS = ("name", "id", "label", "title")


def edges_of(tree: Any) -> tuple[list[tuple[str, str]], list[str]]:
    """(parent, child) pairs and all names of nested data.

    Three ways to write it, which may be mixed: ``{"Arts": {"Music": ["Pop", "Rock"]}}``; nodes such as
    ``{"name": "Arts", "children": [...]}``, alone or in a list; and, for graphs that are no trees,
    ``{"nodes": [...], "edges": [[parent, child], ...]}``. A name that occurs twice is one class with two parents.
    """
    if isinstance(tree, Mapping) and isinstance(tree.get("edges"), list):
        pairs = [_pair(edge, i) for i, edge in enumerate(tree["edges"])]
        return pairs, [_name(node) for node in tree.get("nodes", [])]
    edges: list[tuple[str, str]] = []
    nodes: list[str] = []
    # an explicit stack: a path-like tree may be deeper than the interpreter's recursion limit
    waiting: list[tuple[str | None, Any]] = [(None, tree)]
    while waiting:
        parent, data = waiting.pop()
        for name, below in _children(data):
            nodes.append(name)
            if parent is not None:
                edges.append((parent, name))
            if below is not None:
                waiting.append((name, below))
    return edges, nodes


def _children(data: Any) -> Iterator[tuple[str, Any]]:
    """Names directly inside some nested data, each with what is inside it."""
    if isinstance(data, Mapping):
        if "children" in data:
            key = next((key for key in NAME_KEYS if key in data), None)
            if key is None:
                raise HierarchyError(
                    f"a node with children needs a name (one of {', '.join(NAME_KEYS)}): {_short(data)}"
                )
            yield _name(data[key]), data["children"]
            return
        named = [key for key in NAME_KEYS if key in data]
        if len(data) == 1 and named and isinstance(data[named[0]], str | int):
            yield _name(data[named[0]]), None
            return
        for name, below in data.items():
            yield _name(name), below
    elif isinstance(data, list | tuple):
        for item in data:
            if isinstance(item, Mapping | list | tuple):
                yield from _children(item)
            else:
                yield _name(item), None
    elif data is not None:
        yield _name(data), None


def _pair(edge: Any, position: int) -> tuple[str, str]:
    if not isinstance(edge, list | tuple) or len(edge) != 2:
        raise HierarchyError(f"edge {position}: expected [parent, child], got {_short(edge)}")
    return _name(edge[0]), _name(edge[1])


def _name(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise HierarchyError(f"a class name must be text or a whole number; got {_short(value)}")
    return str(value)


def _short(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else text[:57] + "..."
