"""The tree or directed acyclic graph that classes form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from branchmark import labels as label_text
from branchmark._kernels import closure
from branchmark._kernels.names import NameTable, fingerprint_links
from branchmark.closures import Reach
from branchmark.cycles import cycle_text, links_to_cut
from branchmark.errors import HierarchyError, LabelError, MissingExtra, shorten
from branchmark.links import Links
from branchmark.nested import edges_of
from branchmark.ragged import Ragged

if TYPE_CHECKING:
    import networkx

ROOT = 0
VIRTUAL_ROOT = "(root)"

Label = str | int
Tree = Mapping[str, Any] | Sequence[Any]


class Hierarchy:
    """Classes and their parents: an immutable tree or directed acyclic graph.

    Classes have dense integer ids. Id 0 is the root: the only class without parents, or a virtual node above all
    classes without parents. Parents always have smaller ids than their children. Make one with `from_edges`,
    `from_parents`, `from_paths`, `from_tree`, `from_networkx` or `branchmark.read_hierarchy`.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("Arts", "Music"), ("Music", "Pop"), ("Music", "Rock")])
    >>> h.ancestors("Pop"), h.distance("Pop", "Rock"), h.is_tree
    (['Music', 'Arts'], 2, True)
    """

    def __init__(self, links: Links, *, break_cycles: bool = False) -> None:
        self.notes: list[str] = list(links.notes)
        self.source = links.source
        parents, children = self._checked(links, break_cycles)
        table = links.table
        n = len(table)
        if n == 0:
            where = f"{links.source}: " if links.source else ""
            raise HierarchyError(f"{where}the hierarchy is empty; at least one class is needed")
        is_child = np.zeros(n, dtype=bool)
        is_child[children] = True
        tops = np.flatnonzero(~is_child).astype(np.int32)
        self.root_is_virtual = len(tops) != 1
        down = Ragged.from_pairs(parents, children, n)
        order, _ = closure.topological_order(down.indptr, down.indices, tops)
        first = 1 if self.root_is_virtual else 0
        new_id = np.empty(n, dtype=np.int32)
        new_id[order] = np.arange(first, n + first, dtype=np.int32)
        table.renumber(new_id)
        parents, children = new_id[parents], new_id[children]
        if self.root_is_virtual:
            parents = np.concatenate([np.zeros(len(tops), np.int32), parents])
            children = np.concatenate([new_id[tops], children])
        total = n + first
        self._table = table
        # grouping keeps order, so grouping the one from the other sorts every row
        up = Ragged.from_pairs(children, parents, total)
        self.child_links = Ragged.from_pairs(up.indices, up.row_of_each(), total)
        self.parent_links = Ragged.from_pairs(self.child_links.indices, self.child_links.row_of_each(), total)
        for alias, name in (links.aliases or {}).items():
            if table.get(alias) < 0:
                table.insert(alias, alias_of=table.get(name))
        self.titles: Mapping[str, str] = dict(links.titles or {})

    def _checked(self, links: Links, break_cycles: bool) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Links without repetition and without cycles."""

        def names() -> list[str]:
            # no id is without a name before the root is added
            return [str(name) for name in links.table.names()]

        parents, children = links.parents, links.children
        kept = np.arange(len(parents))
        loops = np.flatnonzero(parents == children)
        if len(loops):
            if not break_cycles:
                raise HierarchyError(
                    f"{links.at(int(loops[0]))}class {names()[parents[loops[0]]]!r} is its own parent; "
                    "remove the link, or use break_cycles=True / --break-cycles"
                )
            self.notes += [f"cut {names()[parents[i]]} → {names()[parents[i]]}: its own parent" for i in loops]
            kept = np.flatnonzero(parents != children)
        key = parents[kept].astype(np.int64) * max(1, len(links.table)) + children[kept]
        _, first = np.unique(key, return_index=True)
        repeated = len(kept) - len(first)
        if repeated:
            self.notes.append(f"{repeated:,} repeated links count once")
        kept = kept[np.sort(first)]
        parents, children = parents[kept], children[kept]
        down = Ragged.from_pairs(parents, children, len(links.table))
        everything = np.arange(len(links.table), dtype=np.int32)
        _, cycle = closure.topological_order(down.indptr, down.indices, everything)
        if cycle:
            if not break_cycles:
                back = np.flatnonzero((parents == cycle[-1]) & (children == cycle[0]))
                raise HierarchyError(
                    f"{links.at(int(kept[back[0]]))}not acyclic: {cycle_text([names()[i] for i in cycle])}. "
                    "Use break_cycles=True / --break-cycles to drop as few links as possible"
                )
            cut, exact = links_to_cut(parents, children, names())
            self.notes += [f"cut {names()[parents[i]]} → {names()[children[i]]}: part of a cycle" for i in cut]
            if not exact:
                self.notes.append("the cycles are too entangled to prove that no fewer links would do")
            left = np.ones(len(parents), dtype=bool)
            left[cut] = False
            parents, children = parents[left], children[left]
        return parents, children

    # ---------------------------------------------------------------- making one

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[Label, Label]],
        *,
        nodes: Iterable[Label] = (),
        break_cycles: bool = False,
    ) -> Hierarchy:
        """From (parent, child) pairs; `nodes` adds classes without links."""
        if not isinstance(edges, Iterable):
            raise HierarchyError(f"expected (parent, child) pairs; got {edges!r}")
        if isinstance(nodes, str) or not isinstance(nodes, Iterable):
            raise HierarchyError(f"nodes must be a list of class names; got {nodes!r}")
        pairs = []
        for i, edge in enumerate(edges):
            if isinstance(edge, str) or not isinstance(edge, Sequence | np.ndarray) or len(edge) != 2:
                raise HierarchyError(f"edge {i}: expected a (parent, child) pair, got {edge!r}")
            pairs.append(edge)
        alone = list(nodes)
        split = 2 * len(pairs)
        flat = label_text.names_of(
            [*(x for pair in pairs for x in pair), *alone],
            what="class name",
            error=HierarchyError,
            where=lambda i: f"edge {i // 2}" if i < split else f"node {i - split}",
        )
        texts = list(zip(flat[0:split:2], flat[1:split:2], strict=True))
        return cls(Links.from_names(texts, flat[split:]), break_cycles=break_cycles)

    @classmethod
    def from_parents(
        cls, parents: Mapping[Label, Label | Iterable[Label] | None], *, break_cycles: bool = False
    ) -> Hierarchy:
        """From child -> parent(s); None, NaN or an empty list marks a class without parents."""
        if not isinstance(parents, Mapping):
            raise HierarchyError(f"expected a dict from child to parent(s); got {type(parents).__name__}")
        edges: list[tuple[Label, Label]] = []
        for child, above in parents.items():
            if not isinstance(above, str) and label_text.is_missing(above):
                continue
            several: Any = above
            if isinstance(above, str | bytes) or not isinstance(above, Iterable):
                several = [above]
            edges += [(parent, child) for parent in several]
        return cls.from_edges(edges, nodes=parents, break_cycles=break_cycles)

    @classmethod
    def from_paths(cls, paths: Iterable[str | Sequence[str]], *, separator: str = "/") -> Hierarchy:
        """From label paths such as ``"Arts/Music/Pop"`` or ``["Arts", "Music", "Pop"]``.

        A class is named by its whole path, so the same name under two parents stays two classes.
        """
        if isinstance(paths, str) or not isinstance(paths, Iterable):
            raise HierarchyError(f"expected a list of paths; got {paths!r}")
        return cls(Links.from_paths((_levels(path, i, separator) for i, path in enumerate(paths)), separator))

    @classmethod
    def from_tree(cls, tree: Tree) -> Hierarchy:
        """From nested data: ``{"Arts": {"Music": ["Pop", "Rock"]}}`` or ``{"name": ..., "children": [...]}``."""
        edges, nodes, titles = edges_of(tree)
        return cls(Links.from_names(edges, nodes, titles=titles))

    @classmethod
    def from_networkx(cls, graph: networkx.DiGraph, *, break_cycles: bool = False) -> Hierarchy:
        """From a networkx DiGraph whose edges run from parent to child."""
        if not hasattr(graph, "is_directed") or not graph.is_directed():
            raise HierarchyError("expected a directed graph with edges from parent to child")
        return cls.from_edges(graph.edges(), nodes=graph.nodes(), break_cycles=break_cycles)

    # ---------------------------------------------------------------- names and ids

    def __len__(self) -> int:
        """Number of classes; a virtual root is not one."""
        return self.size - self.root_is_virtual

    @property
    def size(self) -> int:
        """Number of nodes, with the root even if it is virtual: ids run from 0 to size - 1."""
        return len(self.parent_links)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name of every id."""
        return tuple(VIRTUAL_ROOT if name is None else name for name in self._table.names())

    @cached_property
    def _id_of(self) -> dict[str, int]:
        ids = {name: i for i, name in enumerate(self.names)}
        if self.root_is_virtual and self._table.get(VIRTUAL_ROOT) != ROOT:
            real = self._table.get(VIRTUAL_ROOT)
            del ids[VIRTUAL_ROOT]
            if real >= 0:
                ids[VIRTUAL_ROOT] = real
        return ids | self._table.aliases()

    @property
    def name_table(self) -> NameTable:
        """The names and aliases in the form that the reading kernels use; not to be changed."""
        return self._table

    @property
    def ids_by_name(self) -> Mapping[str, int]:
        """Id of every name and alias."""
        return self._id_of

    def __iter__(self) -> Iterator[str]:
        return iter(self.names[1:] if self.root_is_virtual else self.names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str | int | np.integer) and self._table.get(str(name)) >= 0

    def name_of(self, node: int) -> str:
        """The name of a node, by its id; that of a virtual root is no class's name."""
        name = self.names[node]
        return f"({name})" if node == ROOT and self.root_is_virtual and name in self else name

    def id(self, name: Label) -> int:
        """Id of a class."""
        found: int = self._table.get(str(name))
        if found < 0:
            near = label_text.nearest(str(name), self)
            hint = f" (nearest: {shorten(near)})" if near else ""
            raise LabelError(f"unknown class {str(name)!r}{hint}")
        return found

    @property
    def root(self) -> str | None:
        """Name of the root, None if it is virtual."""
        return None if self.root_is_virtual else self.names[ROOT]

    # ---------------------------------------------------------------- structure

    def __repr__(self) -> str:
        kind = "tree" if self.is_tree else "DAG"
        return f"<Hierarchy: {kind}, {len(self):,} classes, {self.links:,} links, depth {self.depth_of_all.max()}>"

    @property
    def links(self) -> int:
        """Number of links between classes, those of a virtual root left out."""
        return len(self.parent_links.indices) - (len(self.child_links[ROOT]) if self.root_is_virtual else 0)

    @cached_property
    def is_tree(self) -> bool:
        """No class has more than one parent."""
        return bool((self.parent_links.lengths() <= 1).all())

    def _named(self, ids: Iterable[int]) -> list[str]:
        return [self.names[i] for i in ids if i != ROOT or not self.root_is_virtual]

    def parents(self, name: Label) -> list[str]:
        """Classes directly above."""
        return self._named(self.parent_links[self.id(name)])

    def children(self, name: Label) -> list[str]:
        """Classes directly below."""
        return self._named(self.child_links[self.id(name)])

    def ancestors(self, name: Label) -> list[str]:
        """All classes above, nearest first, without the class itself."""
        node = self.id(name)
        return self._named(self.ancestor_lists(np.array([node], np.int32)).list(node)[1:])

    def descendants(self, name: Label) -> list[str]:
        """All classes below, nearest first, without the class itself."""
        node = self.id(name)
        return self._named(self.descendant_lists(np.array([node], np.int32)).list(node)[1:])

    def coverage(self, name: Label) -> list[str]:
        """The class and all its descendants (Sun et al.'s coverage of a category)."""
        return [self.names[self.id(name)], *self.descendants(name)]

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Per id: has no children."""
        return np.asarray(self.child_links.lengths() == 0)

    @property
    def leaves(self) -> list[str]:
        """Classes without children."""
        return self._named(np.flatnonzero(self.is_leaf).tolist())

    @cached_property
    def _depths(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        shortest, longest = closure.depths(self.parent_links.indptr, self.parent_links.indices)
        return shortest, longest

    @property
    def depth_of_all(self) -> NDArray[np.int32]:
        """Per id the length of the shortest path from the root."""
        return self._depths[0]

    def depth(self, name: Label, *, longest: bool = False) -> int:
        """Links between the root and a class on the shortest (or longest) way; a virtual root is at depth 0."""
        return int(self._depths[longest][self.id(name)])

    def distance(self, x: Label, y: Label) -> int:
        """Links on the shortest way from x up to a common ancestor-or-self and down to y."""
        return self._meet(x, y)[0]

    def lca(self, x: Label, y: Label) -> list[str]:
        """The common ancestors-or-self on shortest ways between x and y; the virtual root is ``"(root)"``."""
        return [self.names[i] for i in self._meet(x, y)[1]]

    def _meet(self, x: Label, y: Label) -> tuple[int, list[int]]:
        first, second = self.id(x), self.id(y)
        lists = self.ancestor_lists(np.array([first, second], np.int32))
        up, other = lists.distances(first), lists.distances(second)
        total = {a: up[a] + other[a] for a in up.keys() & other.keys()}
        least = min(total.values())
        return least, sorted(a for a, d in total.items() if d == least)

    def subtree(self, name: Label) -> Hierarchy:
        """The hierarchy of a class and its descendants; links from elsewhere into it are left out."""
        inside = self.coverage(name)
        keep = set(inside)
        edges = [(parent, child) for child in inside for parent in self.parents(child) if parent in keep]
        return Hierarchy(Links.from_names(edges, inside))

    def edges(self) -> Iterator[tuple[str, str]]:
        """All (parent, child) links between classes."""
        for child, row in enumerate(self.parent_links):
            for parent in row:
                if parent != ROOT or not self.root_is_virtual:
                    yield self.names[parent], self.names[child]

    def to_networkx(self) -> networkx.DiGraph:
        """A networkx DiGraph with edges from parent to child."""
        try:
            import networkx
        except ImportError:
            raise MissingExtra("a networkx graph", "graph") from None
        graph = networkx.DiGraph()
        graph.add_nodes_from(self)
        graph.add_edges_from(self.edges())
        return graph

    def ancestor_lists(self, nodes: NDArray[np.int32], jobs: int = 1) -> Reach:
        """Ancestors-or-self of some ids, for kernels."""
        return Reach(self.parent_links, nodes, jobs)

    def descendant_lists(self, nodes: NDArray[np.int32], jobs: int = 1) -> Reach:
        """Descendants-or-self of some ids, for kernels."""
        return Reach(self.child_links, nodes, jobs)

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """Per id a 64-bit hash of its name, for fingerprints."""
        hashes: NDArray[np.uint64] = self._table.hashes()
        return hashes

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that depend on names and links, not on their order."""
        return f"{fingerprint_links(self.parent_links.indptr, self.parent_links.indices, self.hashes):016x}"

    def statistics(self) -> dict[str, Any]:
        """Counts that describe the hierarchy."""
        children = self.child_links.lengths()
        inner = children[~self.is_leaf]
        parents = self.parent_links.lengths()[1:]
        depth, longest = self._depths
        own = slice(1, None) if self.root_is_virtual else slice(None)
        return {
            "kind": "tree" if self.is_tree else "DAG",
            "classes": len(self),
            "links": self.links,
            "root": self.root if self.root is not None else "virtual",
            "top-level classes": int(children[ROOT]),
            "leaves": int(self.is_leaf[own].sum()),
            "inner classes": int((~self.is_leaf[own]).sum()),
            "depth (shortest paths)": int(depth.max()),
            "depth (longest paths)": int(longest.max()),
            "classes per depth": np.bincount(depth[own]).tolist(),
            "children per inner class (mean)": round(float(inner.mean()), 4) if len(inner) else 0.0,
            "children per inner class (max)": int(inner.max()) if len(inner) else 0,
            "classes with several parents": int((parents > 1).sum()),
            "parents per class (max)": int(parents.max()) if len(parents) else 0,
            "fingerprint": self.fingerprint,
        }

    def __getstate__(self) -> dict[str, Any]:
        return {
            "names": [*self._table.names()],
            "aliases": self._table.aliases(),
            "parents": (self.parent_links.indptr, self.parent_links.indices),
            "children": (self.child_links.indptr, self.child_links.indices),
            "rest": (self.root_is_virtual, self.titles, self.notes, self.source),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.parent_links = Ragged(*state["parents"])
        self.child_links = Ragged(*state["children"])
        self.root_is_virtual, self.titles, self.notes, self.source = state["rest"]
        first = 1 if self.root_is_virtual else 0
        self._table = NameTable()
        self._table.insert_all(state["names"][first:])
        self._table.renumber(np.arange(first, len(state["names"]), dtype=np.int32))
        for alias, node in state["aliases"].items():
            self._table.insert(alias, alias_of=node)


def _levels(path: Any, position: int, separator: str) -> list[str]:
    """The levels of one label path; a missing one is empty, which is an error further on."""
    if not isinstance(path, Iterable):
        raise HierarchyError(f"path {position}: expected a text or a list of levels, got {path!r}")
    levels = path.split(separator) if isinstance(path, str) else list(path)
    return ["" if label_text.is_missing(level) else str(level) for level in levels]
