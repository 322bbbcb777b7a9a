"""The free memory, for a check before work that needs much."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

MACHINE, GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
_AVAILABLE = re.compile(r"^MemAvailable:\s*(\d+) kB$", re.MULTILINE)


def free_memory() -> int | None:
    """The bytes available without swapping, on the machine or in its container; None if the system does not tell."""
    try:
        found = _AVAILABLE.search(MACHINE.read_text())
    except OSError:
        return None
    free = None if found is None else 1024 * int(found[1])
    # A container's limit (cgroup version 2). The value "max" means no limit, and raises ValueError.
    with suppress(OSError, ValueError):
        limit, spent = (int((GROUP / f"memory.{name}").read_text()) for name in ("max", "current"))
        return limit - spent if free is None else min(free, limit - spent)
    return free


def refuse_beyond(needed: float, what: str) -> None:
    """Raises MemoryError, with a sentence about `what`, if fewer than `needed` bytes are known to be free."""
    free = free_memory()
    if free is not None and needed > free:
        raise MemoryError(f"{what} takes {needed / 1e6:.0f} MB of memory, and {free / 1e6:.0f} MB are free")
