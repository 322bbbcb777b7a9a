"""The hold of a lesson's step or a preset: a drag can only move a body along one axis, or only turn it about one axis.

Its text in lesson files and scene files: `turn y`, `move x`, `turn [0, 0.6, 0.8]`.
"""

from __future__ import annotations

import json
from math import hypot, isfinite

from msgspec import Struct

from core.geometry.triple import Triple
from core.scene import Z_AXIS

WORLD_AXES: dict[str, Triple] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": Z_AXIS}
"""The world axes by name."""
LARGEST_PART = 1e6
"""The largest absolute coordinate of an axis given by three numbers."""
EXPECTED = "must be turn or move with an axis, as turn y, move x or turn [0, 1, 1]"


class Hold(Struct, frozen=True):
    """The one degree of freedom of a drag: it `turns` a body about `axis` or moves it along `axis`, a unit vector."""

    turns: bool
    axis: Triple

    @property
    def text(self) -> str:
        """The text of the hold in files."""
        name = next((name for name, known in WORLD_AXES.items() if known == self.axis), None)
        return f"{'turn' if self.turns else 'move'} {name or json.dumps(self.axis)}"

    @property
    def words(self) -> str:
        """The remaining degree of freedom as a part of a sentence: `turns about y only`."""
        name = next((name for name, known in WORLD_AXES.items() if known == self.axis), "one axis")
        return f"{'turns about' if self.turns else 'moves along'} {name} only"

    @property
    def dimensions(self) -> frozenset[int]:
        """The dimensions of scenes that allow the hold. In the plane a turn is about z, and a move has no z."""
        flat = self.axis in (Z_AXIS, (0.0, 0.0, -1.0)) if self.turns else self.axis[2] == 0.0
        return frozenset({2, 3}) if flat else frozenset({3})


def hold_from(text: str) -> Hold:
    """The hold of a file's text.

    Raises ValueError for another text, for an axis of zero, and for a number beyond LARGEST_PART.
    """
    verb, _, rest = text.strip().partition(" ")
    if verb not in ("turn", "move"):
        raise ValueError(f"{EXPECTED}; got {text!r}")
    return Hold(verb == "turn", WORLD_AXES.get(rest.strip()) or _written_out(rest, text))


def _written_out(rest: str, text: str) -> Triple:
    try:
        parts = json.loads(rest)
    except ValueError:
        parts = None
    if not isinstance(parts, list) or len(parts) != 3:
        raise ValueError(f"{EXPECTED}; got {text!r}")
    if not all(type(part) in (int, float) and isfinite(part) and abs(part) <= LARGEST_PART for part in parts):
        raise ValueError(f"the axis must have three numbers of at most {LARGEST_PART:g}, got {rest.strip()}")
    size = hypot(*parts)
    if size == 0.0:
        raise ValueError("the axis must not be [0, 0, 0]")
    x, y, z = (part / size if abs(size - 1.0) > 1e-15 else float(part) for part in parts)
    return x, y, z
