"""Start-up time, and reading at the size of the LSHTC challenges beside plain Python that only splits the lines.

A gzipped edge list of 450,000 classes and 1,000,000 links; 1,000,000 lines of two or three labels; `import branchmark`
and `branchmark --help` beside an interpreter that does nothing. Least wall seconds of several interleaved runs.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from timing import least

import branchmark as bm

CLASSES, LINKS, INSTANCES = 450_000, 1_000_000, 1_000_000


def write_files(folder: Path) -> None:
    """A DAG with names in no order, and two or three labels for each instance."""
    rng = np.random.default_rng(20_241)
    names = rng.permutation(2_000_000)[:CLASSES]
    children = np.concatenate([np.arange(1, CLASSES), rng.integers(1, CLASSES, LINKS - CLASSES + 1)])
    parents = (rng.random(LINKS) * children).astype(np.int64)
    order = rng.permutation(LINKS)
    pairs = zip(names[parents[order]].tolist(), names[children[order]].tolist(), strict=True)
    text = "".join(f"{parent} {child}\n" for parent, child in pairs)
    (folder / "links.edges.gz").write_bytes(gzip.compress(text.encode()))
    labels = names[rng.integers(0, CLASSES, (INSTANCES, 3))].tolist()
    lengths = rng.integers(2, 4, INSTANCES).tolist()
    lines = (" ".join(map(str, row[:length])) + "\n" for row, length in zip(labels, lengths, strict=True))
    (folder / "labels.txt").write_text("".join(lines))


def split_lines(path: Path) -> list[list[str]]:
    """What reading costs in plain Python before a single name is looked up."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [line.split() for line in text.splitlines()]


def run(*arguments: str) -> Callable[[], object]:
    """A new interpreter."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_files(folder)
        h = bm.read_hierarchy(folder / "links.edges.gz")
        functions: dict[str, Callable[[], object]] = {
            "read_hierarchy, .gz, 1,000,000 links": lambda: bm.read_hierarchy(folder / "links.edges.gz"),
            "  only split its lines in Python": lambda: split_lines(folder / "links.edges.gz"),
            "read_labels, 1,000,000 lines": lambda: bm.read_labels(folder / "labels.txt", h),
            "  only split its lines in Python ": lambda: split_lines(folder / "labels.txt"),
            "import branchmark": run("-c", "import branchmark"),
            "branchmark --help": run("-m", "branchmark", "--help"),
            "  an interpreter that does nothing": run("-c", "pass"),
        }
        seconds = least(functions, dict.fromkeys(functions, 4), clock=time.perf_counter)
    for name, value in seconds.items():
        print(f"{name:38} {value:7.3f} s")
