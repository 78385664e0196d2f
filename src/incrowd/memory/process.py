"""What this process holds and may still take, as the system counts it: resident pages, libraries among them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from pathlib import Path

__all__ = ["at_hand", "give_back", "held", "peak"]

STATM = Path("/proc/self/statm")
MEMINFO = Path("/proc/meminfo")
# What a group of processes may hold and holds, where the system keeps such groups (a container is one).
GROUPS = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)


def held() -> int | None:
    """Return the bytes that this process holds now (None where the system does not say).

    Where the system tells no more than the peak (macOS), that is returned. Some 20 microseconds.
    """
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return peak()


def peak() -> int | None:
    """Return the most bytes this process has held so far (None where the system does not say)."""
    with contextlib.suppress(ImportError):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return None


def at_hand() -> int | None:
    """Return about how many bytes this process can still take (None where the system does not say).

    The least of what the system has available, what is left to this process's group, and what is left below the
    limit on its addresses. Where the system does not tell what is available, half of what is built in counts.
    """
    found = []
    with contextlib.suppress(OSError, ValueError, IndexError, KeyError):
        lines = dict(line.split(":", 1) for line in MEMINFO.read_text().splitlines())
        found.append(int(lines["MemAvailable"].split()[0]) * 1024)
    if not found:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    for most, now in GROUPS:
        with contextlib.suppress(OSError, ValueError):  # "max": no limit
            found.append(int(most.read_text()) - int(now.read_text()))
    with contextlib.suppress(ImportError, OSError, ValueError, IndexError):
        import resource

        addresses, _ = resource.getrlimit(resource.RLIMIT_AS)
        if addresses != resource.RLIM_INFINITY:
            found.append(addresses - int(STATM.read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE"))
    return max(min(found), 0) if found else None


def give_back() -> None:
    """Return to the system what the allocators keep of memory that is free again, as far as they can be told to."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # of glibc
