"""Hierarchies written as nested data, in Python or in JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from branchmark.errors import HierarchyError
from branchmark.labels import is_missing, name_of

Edges = list[tuple[str, str]]

NAME_KEYS = ("id", "name", "label", "title")


def edges_of(tree: Any, source: str | None = None) -> tuple[Edges, list[str], dict[str, str]]:
    """(parent, child) pairs, all names, and titles of nested data; source is the file, for messages.

    Accepted are ``{"Arts": {"Music": ["Pop", "Rock"]}}``; nodes such as ``{"name": "Arts", "children": [...]}``,
    alone or in a list, where an "id" beside the name is the class and the name its title; lists of names; and,
    for graphs that are no trees, ``{"nodes": [...], "edges": [[parent, child], ...]}``. A name that occurs twice
    is one class with two parents.
    """
    reader = _Nested(source)
    if not isinstance(tree, Mapping) and not _is_list(tree):
        raise HierarchyError(f"{reader.where(())}expected nested dicts and lists, got {tree!r}")
    if isinstance(tree, Mapping) and _is_list(tree.get("edges")) and set(tree) <= {"nodes", "edges"}:
        reader.listed(tree)
    else:
        reader.nested(tree)
    return list(reader.edges), list(reader.nodes), reader.titles


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


class _Nested:
    """Collects classes and links; a path of names says where in the data a problem is."""

    def __init__(self, source: str | None) -> None:
        self.source = source
        self.nodes: dict[str, None] = {}
        self.edges: dict[tuple[str, str], None] = {}
        self.titles: dict[str, str] = {}

    def where(self, path: tuple[str, ...]) -> str:
        place = f"at {' > '.join(path)}: " if path else ""
        return f"{self.source}: {place}" if self.source else place

    def name(self, value: Any, path: tuple[str, ...]) -> str:
        if isinstance(value, bool) or is_missing(value) or (isinstance(value, str) and not value.strip()):
            raise HierarchyError(f"{self.where(path)}a class needs a name; got {value!r}")
        try:
            return name_of(value, what="class name", error=HierarchyError)
        except HierarchyError as error:
            raise HierarchyError(f"{self.where(path)}{error}") from None

    def nested(self, tree: Any) -> None:
        # a stack of iterators instead of recursion: the order stays, and depth is no limit
        stack: list[tuple[Iterator[tuple[Any, Any]], tuple[str, ...]]] = [(self.below(tree, ()), ())]
        while stack:
            items, path = stack[-1]
            item = next(items, None)
            if item is None:
                stack.pop()
                continue
            name = self.name(item[0], path)
            self.nodes[name] = None
            if path:
                self.edges[path[-1], name] = None
            inner = (*path, name) if len(path) < 20 else (*path[-19:], name)
            stack.append((self.below(item[1], inner), inner))

    def below(self, value: Any, path: tuple[str, ...]) -> Iterator[tuple[Any, Any]]:
        """The classes directly inside a value, each with what stands inside it."""
        if value is None or (isinstance(value, str) and not value):
            return
        if isinstance(value, str | int | float):
            yield value, None  # one child, never its letters
        elif isinstance(value, Mapping):
            node = self.node(value, path)
            if node is not None:
                yield node
            else:
                yield from value.items()
        elif _is_list(value):
            for item in value:
                if isinstance(item, Mapping):
                    yield from self.below(item, path)
                elif _is_list(item):
                    raise HierarchyError(f"{self.where(path)}a list directly inside a list: {item!r}")
                else:
                    yield item, None
        else:
            raise HierarchyError(f"{self.where(path)}expected a dict, a list or a name, got {value!r}")

    def node(self, value: Mapping[Any, Any], path: tuple[str, ...]) -> tuple[Any, Any] | None:
        """Name and children of ``{"name": ..., "children": ...}``, None for any other dict."""
        key = next((key for key in NAME_KEYS if key in value), None)
        own = None if key is None else value[key]
        if not isinstance(own, str | int | float):
            if _is_list(value.get("children")):
                raise HierarchyError(
                    f"{self.where(path)}a class with children needs a name (one of {', '.join(NAME_KEYS)}); got {own!r}"
                )
            return None
        if "children" not in value and any(isinstance(inner, Mapping | list) for inner in value.values()):
            return None  # {"name": "x", "Music": [...]}: classes that happen to be called so
        if key == "id" and (title := next((value[k] for k in NAME_KEYS[1:] if isinstance(value.get(k), str)), None)):
            self.titles[self.name(own, path)] = title
        return own, value.get("children")

    def listed(self, tree: Mapping[str, Any]) -> None:
        nodes = tree.get("nodes", ())
        if not _is_list(nodes):
            raise HierarchyError(f"{self.where(())}'nodes' must be a list of names")
        for node in nodes:
            self.nodes[self.name(node, ("nodes",))] = None
        for i, edge in enumerate(tree["edges"]):
            if not _is_list(edge) or len(edge) != 2:
                raise HierarchyError(f"{self.where(('edges', str(i)))}expected [parent, child], got {edge!r}")
            parent, child = (self.name(end, ("edges", str(i))) for end in edge)
            self.edges[parent, child] = None
