"""The benchmark's table, one row a figure with the peer's of the same run, the ratio and the aim; and its README.

With `--write` a part's table takes the place of its last one in the README of its room, between two markers:
`<!-- growth -->` and `<!-- /growth -->`.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OF_THE_CORE = ("accuracy", "corpus", "motion")
"""Parts whose tables stand in core/README.md; those of all others in tests/README.md."""


@dataclass(frozen=True)
class Row:
    """`value` and `peer` in `unit`; `aim` in words, "" for a figure that only informs."""

    name: str
    value: float
    unit: str
    peer: float | None = None
    aim: str = ""


def text(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| figure | Separatrix | peer | ratio | aim |", "|---|---:|---:|---:|---|"]
    for row in rows:
        peer = f"{row.peer:.3g} {row.unit}" if row.peer is not None else ""
        ratio = f"{row.value / row.peer:.2f}" if row.peer else ""
        lines.append(f"| {row.name} | {row.value:.3g} {row.unit} | {peer} | {ratio} | {row.aim} |")
    return "\n".join(lines)


def machine() -> str:
    """What the figures of this process depend on, in a few words."""
    cores = len(os.sched_getaffinity(0))
    return f"{cores} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"


def keep(part: str, words: str, root: Path = ROOT) -> None:
    """Puts `words`, a part's table and how it came about, between its markers. Raises ValueError where they are not."""
    readme = root / ("core" if part in OF_THE_CORE else "tests") / "README.md"
    before, begin, rest = readme.read_text("utf-8").partition(f"<!-- {part} -->\n")
    _, end, after = rest.partition(f"<!-- /{part} -->\n")
    if not begin or not end:
        raise ValueError(f"{readme} has no <!-- {part} --> ... <!-- /{part} -->")
    readme.write_text(f"{before}{begin}\n{words.strip()}\n\n{end}{after}", "utf-8")
