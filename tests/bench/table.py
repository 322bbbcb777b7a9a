"""The benchmark's table: one row a figure, with the peer's figure of the same run, the ratio, and the aim."""

from __future__ import annotations

from dataclasses import dataclass


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
    lines = ["| figure | Separatrix | PyVista | ratio | aim |", "|---|---:|---:|---:|---|"]
    for row in rows:
        peer = f"{row.peer:.3g} {row.unit}" if row.peer is not None else ""
        ratio = f"{row.value / row.peer:.2f}" if row.peer else ""
        lines.append(f"| {row.name} | {row.value:.3g} {row.unit} | {peer} | {ratio} | {row.aim} |")
    return "\n".join(lines)
