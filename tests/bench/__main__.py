"""Prints the benchmark table; started by tests/bench/run."""

from __future__ import annotations

import os
import platform
import sys

from . import accuracy, analysis, children, frame, growth, hulls, idle, motion, moving, start, steps, table, tolerances

PARTS = {
    "frame": frame.rows,
    "steps": steps.rows,
    "moving": moving.rows,
    "start": start.rows,
    "idle": idle.rows,
    "analysis": analysis.rows,
    "hulls": hulls.rows,
}

ALONE = {"accuracy": accuracy.main, "growth": growth.main, "motion": motion.main, "tolerances": tolerances.main}
"""Parts with tables, and options, of their own."""


def main(names: list[str]) -> int:
    """Run the named parts, or all that share the one table."""
    if names and names[0] in ALONE:
        return ALONE[names[0]](names[1:])
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"no part {unknown[0]!r}; there are {', '.join((*PARTS, *ALONE))}", file=sys.stderr)
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


if __name__ == "__main__":  # the processes of `accuracy` import this file too
    sys.exit(main(sys.argv[1:]))
