"""Words for an axis' direction: the edges and faces that it stands at right angles to, or the points that it joins."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from .digits import MINUS
from .names import feature_name, shown_name

if TYPE_CHECKING:
    from core.sat.sat import SatTable
    from core.scene import Scene

_UPRIGHT = "at right angles to"
_FEATURES = (
    (r"v\d+", "vertex"),
    (r"v\d+-v\d+", "edge"),
    (r"face\d+|[+-][xyz]", "face"),
)
"""Kinds of the core's labels for parts of a body; other labels are words themselves, as `axis` and `centre`."""


def right_angle_words(scene: Scene, table: SatTable, row: int) -> str:
    """A phrase on the direction of the axis in a table's row, to follow its name.

    `at right angles to A's edge y and B's edge z`, `at right angles to A's faces +y and −y`, `from A's vertex v2 to B`.
    Raises ValueError for a label of no known form.
    """
    if not table.applies:
        return "from A towards B, the normal that GJK or EPA found"
    label = table.candidates[row].label
    for pattern, words in _PHRASES:
        if (found := re.fullmatch(pattern, label)) is not None:
            return words(scene, found)
    raise ValueError(f"an axis without words: {label}")


def _of_edges(scene: Scene, found: re.Match[str]) -> str:
    edges = (_edge_words(scene, body, found[body + 1]) for body in (0, 1))
    return f"{_UPRIGHT} {' and '.join(edges)}"


def _edge_words(scene: Scene, body: int, edge: str) -> str:
    # A hull's edge also by its ends, which are its name in pictures.
    letter = "AB"[body]
    if edge == "axis":
        return f"{letter}'s axis"
    ends = feature_name(scene, body, edge).removeprefix(f"{letter}.") if edge.startswith("edge") else ""
    return f"{letter}'s edge {shown_name(edge)}" + (f" ({ends})" if ends else "")


def _joined(scene: Scene, on_a: str | None, on_b: str | None) -> str:
    return f"from {_end_words(scene, 0, on_a)} to {_end_words(scene, 1, on_b)}"


def _end_words(scene: Scene, body: int, part: str | None) -> str:
    letter = "AB"[body]
    if not part:
        return letter
    if part.startswith("edge"):
        return _edge_words(scene, body, part)
    kind = next((f"{kind} " for pattern, kind in _FEATURES if re.fullmatch(pattern, part)), "")
    return f"{letter}'s {kind}{shown_name(f'.{part}')[1:]}"


_PHRASES: tuple[tuple[str, Callable[[Scene, re.Match[str]], str]], ...] = (
    (r"([AB])\.edge(\d+)", lambda _, found: f"{_UPRIGHT} {found[1]}'s edge e{found[2]}"),
    (r"([AB])\.face(\d+)", lambda _, found: f"{_UPRIGHT} {found[1]}'s face f{found[2]}"),
    (
        r"([AB])\.([xyz])",
        lambda _, found: f"{_UPRIGHT} {found[1]}'s faces +{found[2]} and {MINUS}{found[2]}",
    ),
    (r"([AB])\.plane", lambda _, found: f"{_UPRIGHT} {found[1]}'s plane"),
    (
        r"([AB])\.edge(\d+)×face(\d+)",
        lambda _, found: f"in the plane of {found[1]}'s face f{found[3]}, {_UPRIGHT} its edge e{found[2]}",
    ),
    (r"A\.([^→]+)×B\.([^→]+)", _of_edges),
    (r"A(?:\.([^→]+))?→B(?:\.([^→]+))?", lambda scene, found: _joined(scene, found[1], found[2])),
    (r"B(?:\.([^→]+))?→A(?:\.([^→]+))?", lambda scene, found: _joined(scene, found[2], found[1])),
)
"""The forms of the core's labels of axes, each with its words."""
