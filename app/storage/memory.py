"""How much memory there is, asked before much of it is spent."""

from __future__ import annotations

import re
from pathlib import Path

_AVAILABLE = re.compile(r"^MemAvailable:\s*(\d+) kB$", re.MULTILINE)


def free_memory() -> int | None:
    """Bytes that can be had without swapping; None where the system does not say."""
    try:
        found = _AVAILABLE.search(Path("/proc/meminfo").read_text())
    except OSError:
        return None
    return None if found is None else 1024 * int(found[1])


def refuse_beyond(needed: float, what: str) -> None:
    """Raises MemoryError, in a sentence about `what`, where less than `needed` bytes are free."""
    free = free_memory()
    if free is not None and needed > free:
        raise MemoryError(f"{what} takes {needed / 1e6:.0f} MB of memory, and {free / 1e6:.0f} MB are free")
