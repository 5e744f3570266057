"""All exact hierarchical measures on hierarchies like those of the LSHTC challenges and on MeSH 2016.

hF1, SDL, GIE, MGIA, LCA-P, LCA-R and LCA-F1 together, without a path threshold. Per set: the wall seconds of evaluate()
(ancestor lists and all measures; least of several runs), instances per second, the peak memory of a process that does
only this, and the whole command from text files. MeSH is read from the folder in BRANCHMARK_DATA.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import hierarchies
from timing import run_command

import branchmark as bm

MEASURES = ["hF1", "SDL", "GIE", "MGIA", "LCA-P", "LCA-R", "LCA-F1"]
MESH = "mesh2016_hierarchy.txt.gz"


def generate(name: str) -> hierarchies.Dataset:
    """A data set by name."""
    if name == "mesh":
        return hierarchies.mesh(Path(os.environ["BRANCHMARK_DATA"]) / MESH)
    return hierarchies.GENERATORS[name]()


def measure(folder: Path, repeats: int, jobs: int | None) -> None:
    """In a process of its own: read the files, evaluate several times, print the least seconds and the peak in MiB."""
    h = bm.read_hierarchy(folder / "hierarchy.txt", format="edges")
    true, pred = (bm.read_labels(folder / f"{side}.txt", h, format="lines") for side in ("true", "pred"))
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        scores = bm.evaluate(true, pred, MEASURES, jobs=jobs)
        best = min(best, time.perf_counter() - start)
    found = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())
    peak = int(found[1]) / 1024 if found else float("nan")
    print(best, peak, len(true), sum(bool(score.notes) for score in scores), scores["LCA-F1"].value)


def row(name: str, repeats: int, jobs: int | None) -> None:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        hierarchies.write_hemkit(generate(name), folder)
        command = [sys.executable, __file__, "--measure", scratch, "--repeats", str(repeats)]
        command += ["--jobs", str(jobs)] if jobs else []
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds, peak, count, unproven, value = (float(x) for x in done.stdout.split())
        arguments = ["evaluate", "-H", "hierarchy.txt", "--true", "true.txt", "pred.txt"]
        whole, _ = run_command([*arguments, *(x for m in MEASURES for x in ("-m", m))], folder, min(repeats, 3))
    flag = "" if not unproven else "  not proven optimal everywhere"
    speed = f"{seconds:9.3f} {count / seconds:12,.0f}"
    print(f"{name:15} {int(count):>10,} {speed} {peak:9.0f} {whole:9.2f} {value:9.6f}{flag}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", help="dmoz, dmoz x10, dbpedia-small, mesh, dbpedia-large, stress")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--jobs", type=int, help="threads; all cores by default")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure is not None:
        measure(arguments.measure, arguments.repeats, arguments.jobs)
        sys.exit()
    with_mesh = ["mesh"] if os.environ.get("BRANCHMARK_DATA") else []
    sets = arguments.sets or ["dmoz", "dmoz x10", "dbpedia-small", *with_mesh, "dbpedia-large"]
    print(f"{'set':15} {'instances':>10} {'seconds':>9} {'instances/s':>12} {'peak MiB':>9} {'command s':>9}    LCA-F1")
    for chosen in sets:
        row(chosen, arguments.repeats, arguments.jobs)
    if not with_mesh and not arguments.sets:
        print("mesh: not run, BRANCHMARK_DATA is not set")
