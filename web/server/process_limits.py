"""Limits of processor time and memory for one request, which the system enforces on the process that answers it.

Whatever a reader's own limits overlook, a file that somebody sent takes this much and no more. A process that uses up its
time is ended by the system (SIGXCPU). One that uses up its memory gets a MemoryError.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path

CPU_SECONDS = 60  # the largest file of plays that is imported takes about a third
MEMORY_BYTES = 1024**3  # beyond what the process has when the request comes
KEPT_MEMORY_BYTES = 150 * 1024**2  # a process that has more after its answer is replaced
STATM = Path("/proc/self/statm")


@contextmanager
def limits_of_request() -> Iterator[None]:
    """Limit the processor time and the memory of what is done inside the block."""
    with _limit(resource.RLIMIT_CPU, ceil(used_cpu_seconds()) + CPU_SECONDS):
        if not STATM.exists():  # no Linux: only the time is limited
            yield
            return
        with _limit(resource.RLIMIT_AS, used_address_space() + MEMORY_BYTES):
            yield


def never_dump_core() -> None:
    """Write no image of the memory when the system ends this process: it would have what users sent."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def used_cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def used_address_space() -> int:
    return int(STATM.read_text().split()[0]) * resource.getpagesize()


def used_much_memory() -> bool:
    """Check if this process has more in memory than it should keep."""
    return STATM.exists() and int(STATM.read_text().split()[1]) * resource.getpagesize() > KEPT_MEMORY_BYTES


@contextmanager
def _limit(kind: int, most: int) -> Iterator[None]:
    before = soft, hard = resource.getrlimit(kind)
    allowed = [limit for limit in (soft, hard, most) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(kind, (min(allowed), hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, before)
