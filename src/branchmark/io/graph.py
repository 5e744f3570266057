"""Hierarchies as networkx graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from branchmark.errors import MissingExtra

if TYPE_CHECKING:
    import networkx

    from branchmark.hierarchy import Hierarchy


def to_networkx(hierarchy: Hierarchy) -> networkx.DiGraph:
    """A DiGraph with edges from parent to child and titles as node attributes; a virtual root is left out."""
    try:
        import networkx
    except ImportError:
        raise MissingExtra("conversion to networkx", "graph") from None
    graph = networkx.DiGraph()
    for name in hierarchy:
        title = hierarchy.titles.get(name)
        graph.add_node(name, **({} if title is None else {"title": title}))
    graph.add_edges_from(hierarchy.edges())
    return graph
