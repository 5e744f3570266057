"""Hierarchies and label sets with the statistics of the large public challenges, made from a seed.

The names follow Kosmopoulos et al. 2014, Table 14: DMOZ, DBpedia small and large, and a DAG with parents
drawn at random as an upper bound. `write_hemkit` writes them as text files that HEMKit reads.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels.names import NameTable
from branchmark.hierarchy import ROOT, Hierarchy
from branchmark.labelsets import LabelSets
from branchmark.links import Links
from branchmark.ragged import Ragged

Ints = NDArray[np.int32]


class Dataset(NamedTuple):
    hierarchy: Hierarchy
    true: LabelSets
    pred: LabelSets


class Shape(NamedTuple):
    """A hierarchy in layers: node counts per depth and how further parents are drawn."""

    inner: tuple[int, ...]
    leaves: tuple[int, ...]
    further_parents: float = 0.0
    climb: float = 0.0
    spread: float = 0.0
    far: float = 0.0


TREE = Shape((1, 16, 420, 1300, 2396), (0, 0, 700, 4500, 9675, 13000))
SMALL_DAG = Shape(
    (1, 6, 30, 120, 400, 1000, 2000, 3200, 3800, 2937),
    (0, 0, 10, 60, 300, 900, 2300, 5300, 9500, 11634, 6500),
    further_parents=0.6,
    climb=0.3,
    spread=60.0,
    far=0.05,
)
LARGE_DAG = Shape(
    (1, 20, 150, 900, 3500, 9500, 18500, 26000, 28500, 25500, 19500, 12500, 7500, 3493),
    (0, 0, 100, 1200, 6000, 17000, 34000, 49307, 58000, 54500, 43500, 29000, 17500, 8630, 3693),
    further_parents=0.86,
    climb=0.5,
    spread=30.0,
    far=0.03,
)
STRESS_DAG = Shape(
    (1, 20, 150, 900, 3500, 9500, 18500, 26000, 28500, 25500, 19500, 12500, 7500, 3493),
    (0, 0, 100, 1200, 6000, 17000, 34000, 45313, 53000, 48500, 36500, 25000, 15500, 8630, 3693),
    further_parents=1.7,
    climb=0.2,
    spread=np.inf,
)


def from_numbers(parents: Ints, children: Ints, count: int) -> Hierarchy:
    """Nodes named by their numbers from 1 on, as HEMKit wants them."""
    table = NameTable()
    table.insert_all([str(i + 1) for i in range(count)])
    return Hierarchy(Links(table, parents.astype(np.int32), children.astype(np.int32)))


def layered(shape: Shape, seed: int) -> Hierarchy:
    """Every node below the top has a first parent one layer up; neighbours have neighbouring parents.

    Further parents stand beside the first parent or beside its ancestors, `spread` places away on average (or
    anywhere in the layer); a share `far` of them comes from any layer above.
    """
    random = np.random.default_rng(seed)
    depths = len(shape.leaves)
    inner = (*shape.inner, *([0] * (depths - len(shape.inner))))
    sizes = np.array([a + b for a, b in zip(inner, shape.leaves, strict=True)])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    parents, children = [], []
    insiders: list[NDArray[np.int64]] = [np.array([0])]
    first_of_insiders: list[NDArray[np.int64]] = [np.array([0])]  # place of their first parent in the layer above
    for depth in range(1, depths):
        above = insiders[depth - 1]
        size = int(sizes[depth])
        # every inner node gets a child, the other children fall anywhere
        first = np.sort(np.concatenate([np.arange(len(above)), random.integers(0, len(above), size - len(above))]))
        nodes = starts[depth] + np.arange(size)
        parents.append(above[first])
        children.append(nodes)
        which = np.repeat(np.arange(size), random.geometric(1 / (1 + shape.further_parents), size) - 1)
        climb = np.minimum(random.geometric(1 / (1 + shape.climb), len(which)), depth) - 1
        chosen = np.empty(len(which), dtype=np.int64)
        place = first[which]
        for up in range(depth):
            layer = insiders[depth - 1 - up]
            here = climb == up
            chosen[here] = layer[_near(place[here], len(layer), shape.spread, random)]
            place = first_of_insiders[depth - 1 - up][place]
        pool = np.concatenate(insiders)
        far = random.random(len(which)) < shape.far
        chosen[far] = pool[random.integers(0, len(pool), int(far.sum()))]
        parents.append(chosen)
        children.append(nodes[which])
        members = np.sort(random.choice(size, inner[depth], replace=False))
        insiders.append(nodes[members])
        first_of_insiders.append(first[members])
    return from_numbers(np.concatenate(parents), np.concatenate(children), int(starts[-1]))


def _near(place: NDArray[np.int64], size: int, spread: float, random: np.random.Generator) -> NDArray[np.int64]:
    if np.isinf(spread):
        return random.integers(0, size, len(place))
    return np.clip(place + np.rint(random.laplace(0, spread, len(place))).astype(np.int64), 0, size - 1)


def true_labels(hierarchy: Hierarchy, pool: Ints, instances: int, mean: float, seed: int) -> LabelSets:
    """Labels drawn uniformly, one at least, `mean` per instance."""
    random = np.random.default_rng(seed)
    counts = 1 + random.poisson(mean - 1, instances)
    indptr = np.zeros(instances + 1, dtype=np.int64)
    np.cumsum(counts, out=indptr[1:])
    labels = pool[random.integers(0, len(pool), int(indptr[-1]))]
    return LabelSets.from_ids(hierarchy, Ragged(indptr, labels.astype(np.int32)))


def predictions(true: LabelSets, pool: Ints, seed: int) -> LabelSets:
    """40 % of the labels stay, 35 % become a sibling, 15 % any label, 10 % go; no instance is left empty."""
    random = np.random.default_rng(seed)
    hierarchy = true.hierarchy
    labels = true.rows.flat().astype(np.int64)
    draw = random.random(len(labels))
    first_parent = hierarchy.parent_links.indices[hierarchy.parent_links.indptr[labels]]
    if ROOT in labels:
        first_parent[labels == ROOT] = ROOT
    family = hierarchy.child_links
    member = (random.random(len(labels)) * family.lengths()[first_parent]).astype(np.int64)
    guess = labels.copy()
    sibling = (draw >= 0.40) & (draw < 0.75)
    guess[sibling] = family.indices[family.indptr[first_parent] + member][sibling]
    anything = (draw >= 0.75) & (draw < 0.90)
    guess[anything] = pool[random.integers(0, len(pool), int(anything.sum()))]
    dropped = draw >= 0.90
    row = true.rows.row_of_each()
    kept = np.zeros(len(true), dtype=bool)
    kept[row[~dropped]] = True
    starts = true.rows.indptr[:-1] - true.rows.indptr[0]
    dropped[starts[~kept]] = False
    return LabelSets.from_ids(
        hierarchy,
        Ragged(true.rows.indptr - true.rows.indptr[0], np.where(dropped, -1, guess).astype(np.int32)),
    )


def labelled(hierarchy: Hierarchy, instances: int, mean: float, *, seed: int, inner_too: bool = False) -> Dataset:
    nodes = np.arange(hierarchy.root_is_virtual, hierarchy.size)
    pool = (nodes if inner_too else nodes[hierarchy.is_leaf[nodes]]).astype(np.int32)
    true = true_labels(hierarchy, pool, instances, mean, seed)
    return Dataset(hierarchy, true, predictions(true, pool, seed + 1))


def dmoz(times: int = 1) -> Dataset:
    return labelled(layered(TREE, seed=14), 104_263 * times, 1.02, seed=1)


def dbpedia_small() -> Dataset:
    return labelled(layered(SMALL_DAG, seed=14), 81_262, 1.86, seed=2)


def dbpedia_large(instances: int = 452_167) -> Dataset:
    return labelled(layered(LARGE_DAG, seed=14), instances, 3.26, seed=3)


def stress(instances: int = 452_167) -> Dataset:
    return labelled(layered(STRESS_DAG, seed=14), instances, 3.26, seed=4)


def mesh(path: Path, instances: int = 100_000) -> Dataset:
    """The real MeSH 2016 hierarchy, a gzipped file of parent-child lines, with 12.6 labels per instance."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        links = [tuple(line.split()) for line in lines if line.strip()]
    hierarchy = Hierarchy(Links.from_names([(parent, child) for parent, child in links]))
    return labelled(hierarchy, instances, 12.6, seed=5, inner_too=True)


GENERATORS: dict[str, Callable[[], Dataset]] = {
    "dmoz": dmoz,
    "dmoz x10": lambda: dmoz(10),
    "dbpedia-small": dbpedia_small,
    "dbpedia-large": dbpedia_large,
    "stress": stress,
}


def write_hemkit(data: Dataset, folder: Path) -> None:
    """hierarchy.txt, true.txt and pred.txt: parent-child lines, and one line of labels per instance."""
    folder.mkdir(parents=True, exist_ok=True)
    names = data.hierarchy.names
    with (folder / "hierarchy.txt").open("w", encoding="utf-8") as out:
        out.writelines(f"{parent} {child}\n" for parent, child in data.hierarchy.edges())
    for name, labels in (("true", data.true), ("pred", data.pred)):
        with (folder / f"{name}.txt").open("w", encoding="utf-8") as out:
            out.writelines(" ".join(names[i] for i in row.tolist()) + "\n" for row in labels.rows)
