"""hP + hR + hF1 beside hiclass and hiereval on the same data, and the whole command on a million instances.

Data: a tree with 27,875 leaves at depth 5, as DMOZ in Kosmopoulos et al., Table 14, and 104,263 single-label instances.
Times are CPU seconds, the least of several interleaved runs in one process.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from hierarchies import TREE, layered
from timing import least, run_command

import branchmark as bm
from branchmark.ragged import Ragged

MEASURES = ["hP", "hR", "hF1"]


def single_label(instances: int = 104_263) -> tuple[bm.Hierarchy, bm.LabelSets, bm.LabelSets]:
    """One true and one predicted leaf per instance, 40 % of them equal."""
    h = layered(TREE, seed=14)
    rng = np.random.default_rng(1)
    leaves = np.flatnonzero(h.is_leaf & (h.depth_of_all == h.depth_of_all.max())).astype(np.int32)
    true = rng.choice(leaves, instances)
    pred = np.where(rng.random(instances) < 0.4, true, rng.choice(leaves, instances)).astype(np.int32)
    indptr = np.arange(instances + 1)
    return h, bm.LabelSets.from_ids(h, Ragged(indptr, true)), bm.LabelSets.from_ids(h, Ragged(indptr, pred))


def paths_of(labels: bm.LabelSets) -> list[list[str]]:
    """The path of each instance's single class, top first and without the root, as the peers want it."""
    h = labels.hierarchy
    path: dict[int, list[str]] = {}
    for node in labels.labels_in_use().tolist():
        name = h.names[node]
        path[node] = [*reversed([a for a in h.ancestors(name) if a != h.root]), name]
    return [path[int(row[0])] for row in labels.rows]


def against_peers() -> None:
    """The same number from three tools, and what it costs."""
    import hiereval
    from hiclass.metrics import f1

    h, true, pred = single_label()
    true_names, pred_names = [row[0] for row in true], [row[0] for row in pred]
    true_paths, pred_paths = paths_of(true), paths_of(pred)
    true_array, pred_array = np.array(true_paths), np.array(pred_paths)
    functions: dict[str, Callable[[], object]] = {
        "branchmark, LabelSets": lambda: bm.evaluate(true, pred, MEASURES),
        "branchmark, lists of names": lambda: bm.evaluate(true_names, pred_names, MEASURES, hierarchy=h),
        "hiereval.hierarchical_prf": lambda: hiereval.hierarchical_prf(true_paths, pred_paths),
        "hiclass.metrics.f1 (F only)": lambda: f1(true_array, pred_array),
    }
    ours = bm.evaluate(true, pred, MEASURES)["hF1"].value
    theirs = {"hiereval": hiereval.hierarchical_prf(true_paths, pred_paths).f1, "hiclass": f1(true_array, pred_array)}
    for name, value in theirs.items():
        assert abs(ours - value) < 1e-12, f"{name} says {value}, branchmark {ours}"
    seconds = least(functions, {name: 20 if "branchmark" in name else 3 for name in functions})
    base = seconds["branchmark, LabelSets"]
    print(f"{len(true):,} instances, {h!r}; all three say hF1 = {ours:.6f}")
    print(f"{'':30} {'CPU s':>8} {'ratio':>8}")
    for name, value in seconds.items():
        print(f"{name:30} {value:8.4f} {value / base:8.1f}")


def whole_command(instances: int) -> None:
    """branchmark evaluate from text files: wall time and peak memory of the process."""
    h, true, pred = single_label(instances)
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        bm.write_hierarchy(h, where / "h.txt")
        bm.write_labels(true, where / "true.txt", format="lines")
        bm.write_labels(pred, where / "pred.txt", format="lines")
        command = ["evaluate", "-H", "h.txt", "--true", "true.txt", "pred.txt"]
        seconds, peak = run_command([*command, *(part for m in MEASURES for part in ("-m", m))], where)
    print(f"\nbranchmark evaluate, {instances:,} instances from text files: {seconds:.2f} s, peak {peak:.0f} MiB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, default=1_000_000, help="of the whole command")
    arguments = parser.parse_args()
    against_peers()
    whole_command(arguments.instances)
