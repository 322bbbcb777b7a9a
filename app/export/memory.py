"""Whether the machine has the memory that a picture or a film takes, asked before any of it is spent."""

from __future__ import annotations

import sys
from contextlib import suppress
from math import inf
from pathlib import Path

PNG_BYTES = 12.0
"""Of memory for each pixel of a PNG: its colours twice and its file; 8 were measured."""
GROUPS = Path("/sys/fs/cgroup")


class TooLargeError(MemoryError):
    """There is not the memory for it; the sentence says how much it would take."""


def require(kind: str, size: tuple[int, int], bytes_a_pixel: float) -> None:
    """Raises TooLargeError where a picture or film of `size` pixels takes more than there is; `kind` names it."""
    width, height = size
    wanted, free = width * height * bytes_a_pixel, available()
    if wanted > free:
        raise TooLargeError(
            f"{kind} of {width}x{height} pixels takes about {_told(wanted)} of memory, and {_told(free)} are free; "
            "take a smaller one"
        )


def available() -> float:
    """Bytes that the machine has free, or the container that the program runs in; infinite where nothing tells."""
    return min(_of_machine(), _of_container())


def _of_machine() -> float:
    if sys.platform == "win32":
        return _of_windows()
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        return 1024.0 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1])
    with suppress(OSError, ValueError):
        # macOS tells how much there is, not how much is free.
        from os import sysconf

        return float(sysconf("SC_PHYS_PAGES")) * sysconf("SC_PAGE_SIZE")
    return inf


def _of_windows() -> float:
    import ctypes

    # MEMORYSTATUSEX: two words of 4 bytes, the first its own size, then seven of 8, the second of them what is free.
    status = (ctypes.c_uint64 * 8)(64)
    told = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))  # type: ignore[attr-defined,unused-ignore]
    return float(status[2]) if told else inf


def _of_container() -> float:
    """What Linux leaves to the group of processes (cgroup, version 2) that this one belongs to."""
    with suppress(OSError, ValueError):
        limit, spent = ((GROUPS / f"memory.{name}").read_text("ascii").strip() for name in ("max", "current"))
        return float("inf" if limit == "max" else int(limit) - int(spent))
    return inf


def _told(size: float) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(size, 0.0) / 1e6:.0f} MB"
