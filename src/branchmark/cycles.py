"""Which links to drop from a graph with cycles so that none is left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels import closure
from branchmark.ragged import Ragged

MOST_ROUNDS = 200  # of cycle search and integer program per component, before the greedy answer is taken
LARGEST_EXACT = 2_000  # links in a component


def cycle_text(names: Sequence[str], most: int = 12) -> str:
    """A cycle for a message, shortened in the middle if it is long."""
    shown = [*names, names[0]]
    if len(shown) > most:
        shown = [*shown[: most - 3], f"… ({len(names)} classes) …", *shown[-2:]]
    return " → ".join(shown)


def links_to_cut(
    parents: NDArray[np.int32], children: NDArray[np.int32], names: Sequence[str]
) -> tuple[list[int], bool]:
    """Positions of links whose removal leaves no cycle, and whether fewer are proven impossible.

    Ties are settled by the names, so that the order of the links in a file does not matter. The minimum is found
    per strongly connected component by an integer program over the cycles met so far; components with too many
    links, or with cycles without end, get a greedy answer.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    def by_name(link: int) -> tuple[str, str]:
        return names[int(parents[link])], names[int(children[link])]

    n = len(names)
    graph = csr_array((np.ones(len(parents), np.int8), (parents, children)), shape=(n, n))
    _, component = connected_components(graph, directed=True, connection="strong")
    inside = np.flatnonzero(component[parents] == component[children])
    groups: dict[int, list[int]] = {}
    for link in inside.tolist():
        groups.setdefault(int(component[parents[link]]), []).append(link)
    cut: list[int] = []
    exact = True
    for links in groups.values():
        links.sort(key=by_name)
        nodes = sorted({int(parents[i]) for i in links}, key=lambda i: names[i])
        local = {node: k for k, node in enumerate(nodes)}
        edges = np.array([(local[int(parents[i])], local[int(children[i])]) for i in links], dtype=np.int32)
        chosen = _minimum(edges, len(nodes)) if len(links) <= LARGEST_EXACT else None
        if chosen is None:
            exact = False
            chosen = _greedy(edges, len(nodes))
        cut += [links[k] for k in chosen]
    return sorted(cut, key=by_name), exact


def _cycle(edges: NDArray[np.int32], n: int) -> list[int]:
    down = Ragged.from_pairs(edges[:, 0], edges[:, 1], n)
    _, cycle = closure.topological_order(down.indptr, down.indices, np.arange(n, dtype=np.int32))
    return list(cycle)


def _minimum(edges: NDArray[np.int32], n: int) -> list[int] | None:
    """Fewest links that meet every cycle: add violated cycles to an integer program until none is left."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    position = {(int(a), int(b)): k for k, (a, b) in enumerate(edges)}
    rows: list[list[int]] = []
    chosen: list[int] = []
    for _ in range(MOST_ROUNDS):
        # all disjoint cycles that survive the present choice, not just one: far fewer rounds
        left = np.ones(len(edges), dtype=bool)
        left[chosen] = False
        found = False
        while cycle := _cycle(edges[left], n):
            found = True
            row = [position[a, b] for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
            rows.append(row)
            left[row] = False
        if not found:
            return chosen
        columns = np.concatenate([np.array(row) for row in rows])
        indptr = np.cumsum([0, *(len(row) for row in rows)])
        matrix = csr_array((np.ones(len(columns)), columns, indptr), shape=(len(rows), len(edges)))
        answer = milp(
            np.ones(len(edges)),
            integrality=np.ones(len(edges)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(matrix, lb=1),
            options={"node_limit": 10_000},
        )
        if answer.status != 0:
            return None
        chosen = np.flatnonzero(answer.x > 0.5).tolist()
    return None


def _greedy(edges: NDArray[np.int32], n: int) -> list[int]:
    """Cut the last link of each cycle met, then take back every cut that closes no cycle."""
    left = np.ones(len(edges), dtype=bool)
    position = {(int(a), int(b)): k for k, (a, b) in enumerate(edges)}
    cut: list[int] = []
    while cycle := _cycle(edges[left], n):
        link = position[cycle[-1], cycle[0]]
        left[link] = False
        cut.append(link)
    for link in list(cut):
        left[link] = True
        if _cycle(edges[left], n):
            left[link] = False
        else:
            cut.remove(link)
    return cut
