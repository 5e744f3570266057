"""Comparing systems at full size: the micro sign test on all decisions, and bootstrap intervals.

Two simulated systems on the DBpedia-large-like DAG (452,167 instances, 477,994 classes, 2 * 10^11 decisions each), and
1,000 resamples of 100,000 instances of a DMOZ-like tree. Least wall seconds, and the peak memory of this process after
each step (making the data included).
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import hierarchies

import branchmark as bm
from branchmark.ragged import Ragged
from branchmark.significance import bootstrap_interval, micro_sign_test


def peak() -> float:
    """MiB this process has needed so far."""
    found = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else float("nan")


def timed(name: str, function, repeats: int = 3) -> None:
    """Print the least time of some runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - start)
    print(f"{name:52} {best:7.3f} s   peak {peak():5.0f} MiB   {result}", flush=True)


if __name__ == "__main__":
    large = hierarchies.dbpedia_large()
    other = hierarchies.predictions(large.true, large.true.labels_in_use(), seed=99)
    timed(
        f"s-test, {len(large.true):,} instances x {len(large.hierarchy):,} classes",
        lambda: micro_sign_test(large.true, large.pred, other).symbol,
    )
    tree = hierarchies.dmoz()
    true, pred = (bm.LabelSets(tree.hierarchy, Ragged(s.rows.indptr[:100_001], s.rows.indices)) for s in tree[1:])
    score = bm.evaluate(true, pred, "hF1")["hF1"]
    counts = score.instance_counts()
    timed(
        "interval of micro hF1, 1,000 x 100,000 instances",
        lambda: "{0.low:.4f} to {0.high:.4f}".format(
            bootstrap_interval(counts, lambda sums: score.measure.finish(sums, "total"))
        ),
    )
