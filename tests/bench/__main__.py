"""Prints the benchmark table; started by tests/bench/run."""

from __future__ import annotations

import os
import platform
import sys

from . import analysis, children, frame, hulls, idle, start, table

PARTS = {"frame": frame.rows, "start": start.rows, "idle": idle.rows, "analysis": analysis.rows, "hulls": hulls.rows}


def main(names: list[str]) -> int:
    """Run the named parts, or all."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    rows = []
    with children.screen():
        for name in names or PARTS:
            print(f"{name}…", file=sys.stderr)
            rows += PARTS[name]()
    cores = len(os.sched_getaffinity(0))
    print(f"Software GL, 1280x800, {cores} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n")
    print(table.text(rows))
    return 0


sys.exit(main(sys.argv[1:]))
