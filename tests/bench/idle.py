"""What the open window costs while nobody touches it."""

from __future__ import annotations

from .children import OURS, run
from .table import Row

SECONDS = 10


def rows() -> list[Row]:
    """Frames drawn and processor time spent in ten seconds without input."""
    answer = run(OURS, "separatrix_idle.py", SECONDS).answer
    return [
        Row(f"frames in {SECONDS} s without input", answer["frames"], "", aim="0"),
        Row(f"processor time in {SECONDS} s without input", answer["cpu_seconds"] * 1e3, "ms"),
    ]
