"""Lists of all ancestors (or descendants) of the labels in use, nearest first, ready for kernels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels import closure
from branchmark._kernels.overlap import augmented_rows
from branchmark.ragged import Ragged

BLOCK = 2048  # labels per block of lists: large enough for few blocks, small enough to copy cheaply


class Reach:
    """What each of some nodes reaches along given links, itself included.

    The lists live in several blocks, because one array for all would have to be copied when its size is known.
    Kernels get, per node, a slot (-1 for nodes without a list) and, per slot, the list's address and length; the
    lists run breadth-first, and ``levels(node)`` says where each distance ends.

    Parameters
    ----------
    links : Ragged
        Parents of each node (for ancestors) or children (for descendants).
    nodes : array
        The nodes that need a list; repetition is allowed.
    jobs : int
        Threads to use.
    """

    def __init__(self, links: Ragged, nodes: NDArray[np.int32], jobs: int = 1) -> None:
        self.links = links
        used = np.zeros(len(links), dtype=bool)
        used[nodes] = True
        self.nodes = np.flatnonzero(used).astype(np.int32)
        self.slot = np.full(len(links), -1, dtype=np.int32)
        self.slot[self.nodes] = np.arange(len(self.nodes), dtype=np.int32)
        self.address = np.zeros(len(self.nodes), dtype=np.int64)
        self.length = np.zeros(len(self.nodes), dtype=np.int32)
        self.level_address = np.zeros(len(self.nodes), dtype=np.int64)
        self.level_count = np.zeros(len(self.nodes), dtype=np.int32)
        self._blocks: list[tuple[NDArray[np.int32], NDArray[np.int32]] | None] = []
        starts = range(0, len(self.nodes), BLOCK)
        self._blocks = [None] * len(starts)
        jobs = max(1, min(jobs, len(starts)))

        def work(worker: int) -> None:
            stamp = np.zeros(len(links), dtype=np.uint32)
            epoch = 0
            for block in range(worker, len(starts), jobs):
                part = slice(starts[block], starts[block] + BLOCK)
                labels = self.nodes[part]
                indptr, ids, level_indptr, ends = closure.reach_lists(links.indptr, links.indices, labels, stamp, epoch)
                epoch += len(labels)
                self._blocks[block] = (ids, ends)
                self.length[part] = np.diff(indptr)
                self.address[part] = closure.address(ids) + indptr[:-1] * ids.itemsize
                self.level_count[part] = np.diff(level_indptr)
                self.level_address[part] = closure.address(ends) + level_indptr[:-1] * ends.itemsize

        if jobs == 1:
            work(0)
        else:
            with ThreadPoolExecutor(jobs) as pool:
                list(pool.map(work, range(jobs)))

    def __reduce__(self) -> tuple[type[Reach], tuple[Ragged, NDArray[np.int32]]]:
        # addresses mean nothing in a copy or another process, so lists are made again there
        return Reach, (self.links, self.nodes)

    @property
    def entries(self) -> int:
        """Length of all lists together."""
        return int(self.length.sum(dtype=np.int64))

    def within(self, distance: int) -> NDArray[np.int32]:
        """Per slot, how many entries of its list are at this distance or nearer."""
        out = np.zeros(len(self.nodes), dtype=np.int32)
        closure.lengths_within(self.level_address, self.level_count, distance, out)
        return out

    def augmented(self, rows: Ragged) -> Ragged:
        """Every row's labels with all they reach, sorted."""
        stamp = np.zeros(len(self.slot), dtype=np.uint32)
        return Ragged(*augmented_rows(self.slot, self.address, self.length, rows.indptr, rows.indices, stamp))

    def _cut(self, node: int, which: int) -> NDArray[np.int32]:
        slot = int(self.slot[node])
        if slot < 0:
            raise KeyError(node)
        block = self._blocks[slot // BLOCK]
        assert block is not None
        address, length = (self.address, self.length) if which == 0 else (self.level_address, self.level_count)
        start = (int(address[slot]) - closure.address(block[which])) // 4
        return block[which][start : start + int(length[slot])]

    def list(self, node: int) -> NDArray[np.int32]:
        """The node and all it reaches, nearest first."""
        return self._cut(node, 0)

    def levels(self, node: int) -> NDArray[np.int32]:
        """levels[d] is how many entries of the list are at distance d or less."""
        return self._cut(node, 1)

    def distances(self, node: int) -> dict[int, int]:
        """Distance of everything the node reaches."""
        ends = self.levels(node)
        distance = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
        return dict(zip(self.list(node).tolist(), distance.tolist(), strict=True))
