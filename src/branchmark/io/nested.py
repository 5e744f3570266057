"""Hierarchies as nested data, in Python or in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from branchmark.errors import HierarchyError
from branchmark.hierarchy import Hierarchy, Links, Tree
from branchmark.io.base import HierarchyFormat, HierarchyOptions
from branchmark.io.jsontext import parse
from branchmark.io.source import Source
from branchmark.labels import is_missing, name_of

DEEPEST_NESTING = 200  # beyond this depth links are listed, because JSON readers recurse


def links_of(tree: Tree, source: str | None = None) -> Links:
    """Links of nested data.

    Accepted are ``{"Arts": {"Music": ["Pop", "Rock"]}}``; ``{"name": "Arts", "children": [...]}`` or a list
    of such, where an "id" beside the name is the class and the name its title; lists of names; and
    ``{"nodes": [...], "edges": [[parent, child], ...]}``. The same name in two places is one class with two
    parents.
    """
    reader = _Nested(source)
    if isinstance(tree, str | bytes) or not isinstance(tree, Mapping | Sequence):
        raise HierarchyError(f"{reader.where(())}expected nested dicts and lists, got {tree!r}")
    if isinstance(tree, Mapping) and _is_list(tree.get("edges")) and set(tree) <= {"nodes", "edges"}:
        reader.listed(tree)
    else:
        reader.nested(tree)
    return Links.from_names(reader.edges, reader.nodes, source=source, titles=reader.titles)


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

    def nested(self, tree: Tree) -> None:
        # a stack of iterators instead of recursion: the order stays, and depth is no limit
        stack = [(self.below(tree, ()), ())]  # type: list[tuple[Iterator[tuple[Any, Any]], tuple[str, ...]]]
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
        own = value.get("id", value.get("name"))
        if own is None or not isinstance(own, str | int | float):
            if "children" in value and "name" in value:
                raise HierarchyError(f"{self.where(path)}a class needs a name; got {value['name']!r}")
            return None
        if "children" not in value and any(isinstance(inner, Mapping | list) for inner in value.values()):
            return None  # {"name": "x", "Music": [...]}: classes that happen to be called so
        if "id" in value and isinstance(value.get("name"), str):
            self.titles[self.name(own, path)] = value["name"]
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


def read(source: Source, options: HierarchyOptions) -> Links:
    """Nested JSON, or JSON with nodes and edges."""
    tree = parse(source, source.text)
    if not isinstance(tree, dict | list):
        raise source.error(f"expected nested objects and lists, got {tree!r}")
    return links_of(tree, source.name)


def write(hierarchy: Hierarchy) -> str:
    """Nested objects for a tree, nodes and edges for a DAG, where nesting would repeat classes."""
    reserved = {"name", "id", "edges"} & set(hierarchy)  # would be read as words of the format
    data: dict[str, Any]
    if not hierarchy.is_tree or reserved or hierarchy.depth_of_all.max() > DEEPEST_NESTING:
        data = {"nodes": list(hierarchy), "edges": [list(edge) for edge in hierarchy.edges()]}
    else:
        inside: list[dict[str, Any]] = [{} for _ in range(hierarchy.size)]
        for node in range(hierarchy.size):
            for child in hierarchy.child_links[node].tolist():
                inside[node][hierarchy.names[child]] = inside[child]
        data = inside[0] if hierarchy.root_is_virtual else {hierarchy.names[0]: inside[0]}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def sniff(source: Source) -> bool:
    """JSON begins with a brace or a bracket."""
    first = source.head[0].lstrip() if source.head else ""
    return first.startswith(("{", "[")) and not first.startswith("[Term]")


FORMAT = HierarchyFormat("json", (".json",), sniff, read, write)
