"""Threads of this process; kernels release the interpreter lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


def default_jobs() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_chunks(function: Callable[[Chunk], Result], chunks: Sequence[Chunk], jobs: int) -> Iterator[Result]:
    """Apply a function to all chunks, several at a time, and give the results in the order of the chunks."""
    if jobs == 1 or len(chunks) < 2:
        yield from map(function, chunks)
        return
    with ThreadPoolExecutor(min(jobs, len(chunks))) as pool:
        results: Iterable[Result] = pool.map(function, chunks)
        yield from results


def read_ahead(function: Callable[[Chunk], Result], items: Sequence[Chunk]) -> Iterator[Result]:
    """Results in order, the next one being made while the present one is used; no more than two are held."""
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(function, item) for item in items[:2]]
        for item in items[2:]:
            yield waiting.pop(0).result()
            waiting.append(pool.submit(function, item))
        while waiting:
            yield waiting.pop(0).result()
