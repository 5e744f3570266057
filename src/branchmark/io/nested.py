"""Hierarchies as nested JSON."""

from __future__ import annotations

import json
from typing import Any

from branchmark.hierarchy import Hierarchy
from branchmark.io.base import HierarchyFormat, HierarchyOptions
from branchmark.io.jsontext import parse
from branchmark.io.source import Source
from branchmark.links import Links
from branchmark.nested import NAME_KEYS, edges_of

DEEPEST_NESTING = 200  # beyond this depth links are listed, because JSON readers recurse


def read(source: Source, options: HierarchyOptions) -> Links:
    """Nested JSON, or JSON with nodes and edges."""
    tree = parse(source, source.text)
    if not isinstance(tree, dict | list):
        raise source.error(f"expected nested objects and lists, got {tree!r}")
    edges, nodes, titles = edges_of(tree, source.name)
    return Links.from_names(edges, nodes, source=source.name, titles=titles)


def write(hierarchy: Hierarchy) -> str:
    """Nested objects for a tree, nodes and edges for a DAG, where nesting would repeat classes."""
    reserved = {*NAME_KEYS, "children", "edges"} & set(hierarchy)  # would be read as words of the format
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
