"""Prints the benchmark table, and writes it with --write; started by tests/bench/run."""

from __future__ import annotations

import sys

from . import (
    accuracy,
    analysis,
    children,
    corpus,
    explore,
    frame,
    growth,
    hulls,
    idle,
    motion,
    moving,
    own_core,
    shares,
    start,
    steps,
    table,
    tolerances,
)

PARTS = {
    "frame": frame.rows,
    "steps": steps.rows,
    "moving": moving.rows,
    "start": start.rows,
    "idle": idle.rows,
    "analysis": analysis.rows,
    "hulls": hulls.rows,
}

ALONE = {
    "accuracy": accuracy.main,
    "corpus": corpus.main,
    "explore": explore.main,
    "growth": growth.main,
    "motion": motion.main,
    "own-core": own_core.main,
    "shares": shares.main,
    "tolerances": tolerances.main,
}
"""Parts with tables, and options, of their own."""


def main(names: list[str]) -> int:
    """Run the named parts, or all that share the one table."""
    if names and names[0] in ALONE:
        return ALONE[names[0]](names[1:])
    write = "--write" in names
    names = [name for name in names if name != "--write"] or list(PARTS)
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"no part {unknown[0]!r}; there are {', '.join((*PARTS, *ALONE))}", file=sys.stderr)
        return 2
    rows = {}
    with children.screen():
        for name in names:
            print(f"{name}…", file=sys.stderr)
            rows[name] = PARTS[name]()
    how = f"Software GL, 1280x800, {table.machine()}.\n\n"
    print(how + table.text([row for part in rows.values() for row in part]))
    for name in rows if write else ():
        table.keep(name, how + table.text(rows[name]))
    return 0


if __name__ == "__main__":  # the processes of `accuracy` import this file too
    sys.exit(main(sys.argv[1:]))
