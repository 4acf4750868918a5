"""Limits of CPU time and memory for one request, which the system enforces.

They also hold for files that a reader's own limits miss. The system ends a process that exceeds its time (SIGXCPU). A
process that exceeds its memory gets a MemoryError.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path

CPU_SECONDS = 60  # the largest file of plays that is imported takes about a third
MEMORY_BYTES = 1024**3  # in addition to what the process has before the request
KEPT_MEMORY_BYTES = 150 * 1024**2  # a process that has more after its answer is replaced
STATM = Path("/proc/self/statm")


@contextmanager
def limits_of_request() -> Iterator[None]:
    """Limit CPU time and memory inside the block."""
    with _limit(resource.RLIMIT_CPU, ceil(used_cpu_seconds()) + CPU_SECONDS):
        if not STATM.exists():  # not Linux: only the time is limited
            yield
            return
        with _limit(resource.RLIMIT_AS, used_address_space() + MEMORY_BYTES):
            yield


def never_dump_core() -> None:
    """Have the system write no core dump: it would contain what users sent."""
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
def _limit(kind: int, maximum: int) -> Iterator[None]:
    """Lower a resource limit of this process inside the block."""
    before = soft, hard = resource.getrlimit(kind)
    allowed = [limit for limit in (soft, hard, maximum) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(kind, (min(allowed), hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, before)
