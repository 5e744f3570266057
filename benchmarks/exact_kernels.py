"""Time and memory of the exact measures: ancestor lists, pair costs, LCA counts and set sizes.

    python benchmarks/exact_kernels.py [--mesh FILE] [--jobs 2] [--repeat 5] [SET ...]

Each set runs in its own process. Times are minima of wall time on all threads.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

import hierarchies
import numpy as np

from branchmark.closures import Reach
from branchmark.lowest import LcaCounts, lca_counts
from branchmark.pairing import PairCosts, pair_costs

Part = tuple[PairCosts, LcaCounts]

CHUNK = 8192
HEADER = ("set", "instances", "lists s", "kernels s", "total s", "per s", "peak MB", "LCA-F", "unproven")
WIDTHS = (14, 11, 9, 10, 9, 12, 9, 10, 9)


def lists(data: hierarchies.Dataset, jobs: int) -> Reach:
    in_use = np.concatenate([data.true.rows.flat(), data.pred.rows.flat()])
    return data.hierarchy.ancestor_lists(in_use, jobs)


def kernels(data: hierarchies.Dataset, reach: Reach, jobs: int) -> list[Part]:
    true, pred = data.true.rows, data.pred.rows

    def work(start: int) -> Part:
        stop = min(start + CHUNK, len(true))
        chunk = data.hierarchy, reach, true.slice(start, stop), pred.slice(start, stop)
        return pair_costs(*chunk), lca_counts(*chunk, sets=True)

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, range(0, len(true), CHUNK)))


def timed(data: hierarchies.Dataset, jobs: int) -> tuple[tuple[float, float, float], list[Part]]:
    """Seconds for everything, for the lists and for the kernels, and the results."""
    start = perf_counter()
    reach = lists(data, jobs)
    middle = perf_counter()
    parts = kernels(data, reach, jobs)
    end = perf_counter()
    return (end - start, middle - start, end - middle), parts


def restart_peak() -> None:
    """Forget the memory that making the data took."""
    Path("/proc/self/clear_refs").write_text("5")


def peak_megabytes() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def row(name: str, mesh: Path | None, jobs: int, repeat: int) -> tuple[object, ...]:
    data = hierarchies.mesh(mesh) if mesh else hierarchies.GENERATORS[name]()
    restart_peak()
    best, parts = timed(data, jobs)
    for _ in range(1, repeat):
        best = min(best, timed(data, jobs)[0])
    common, true, pred = (
        np.concatenate([getattr(lca, column) for _, lca in parts]) for column in ("common", "true", "pred")
    )
    score = float(np.mean(2 * common / (true + pred)))
    unproven = sum(int(lca.unproven.sum()) for _, lca in parts)
    count = len(data.true)
    return (
        name, f"{count:,}", f"{best[1]:.4f}", f"{best[2]:.4f}", f"{best[0]:.4f}", f"{count / best[0]:,.0f}",
        f"{peak_megabytes():.0f}", f"{score:.6f}", unproven,
    )  # fmt: skip


def show(cells: tuple[object, ...]) -> None:
    texts = [str(cell) for cell in cells]
    line = [texts[0].ljust(WIDTHS[0])] + [t.rjust(w) for t, w in zip(texts[1:], WIDTHS[1:], strict=True)]
    print(" ".join(line), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of the exact measures.")
    parser.add_argument("sets", nargs="*", default=["dmoz", "dmoz x10", "dbpedia-small", "dbpedia-large"])
    parser.add_argument("--mesh", type=Path, help="gzipped parent-child lines of MeSH 2016; adds the set mesh")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        show(row(options.sets[0], options.mesh, options.jobs, options.repeat))
        return
    show(HEADER)
    for name in [*options.sets, *(["mesh"] if options.mesh else [])]:
        command = [sys.executable, __file__, "--one", name, "--jobs", str(options.jobs)]
        command += ["--repeat", str(options.repeat)]
        command += ["--mesh", str(options.mesh)] if name == "mesh" else []
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
