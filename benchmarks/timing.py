"""How benchmarks measure: least of interleaved runs, and a command's own peak memory."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

# The peak is read from the process itself: what getrusage tells the parent includes the parent's own size at the fork.
_COMMAND = """
import atexit, re, sys
def peak():
    print(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
atexit.register(peak)
from branchmark.cli import main
main()
"""


def least(
    functions: dict[str, Callable[[], object]], repeats: dict[str, int], clock=time.process_time
) -> dict[str, float]:
    """Seconds of each function: the least of its runs, all of them interleaved."""
    best = dict.fromkeys(functions, float("inf"))
    for turn in range(max(repeats.values())):
        for name, function in functions.items():
            if turn < repeats[name]:
                start = clock()
                function()
                best[name] = min(best[name], clock() - start)
    return best


def run_command(arguments: list[str], folder: Path, repeats: int = 5) -> tuple[float, float]:
    """Least wall seconds and peak MiB of a branchmark command, interpreter included."""
    best, peak = float("inf"), 0.0
    for _ in range(repeats):
        start = time.perf_counter()
        command = [sys.executable, "-c", _COMMAND, *arguments]
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        best = min(best, time.perf_counter() - start)
        peak = max(peak, int(done.stderr.split()[-1]) / 1024)
    return best, peak
