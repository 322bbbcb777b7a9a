"""Dragging the arrow of a body's displacement by its tip."""

from __future__ import annotations

from math import hypot

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import Array
from core.scene import Scene

from ..draw.sight import Sight
from ..overlays.motion import arrow_start
from ..words.axis_words import number, plain
from ..words.terms import terms_of
from .manipulation import Change, MoveTool, name_of


class ArrowTool(MoveTool, frozen=True, eq=False):
    """As moving a body, but what follows the pointer is the tip of its arrow: the body stays where it starts."""

    @staticmethod
    def grab(scene: Scene, index: int, sight: Sight) -> ArrowTool | None:
        """The drag that begins with the pointer at `sight`, in the plane of the screen through the tip."""
        tip = arrow_tip(scene, index)
        held = sight.on_plane(tip, sight.towards)
        return None if held is None else ArrowTool(scene, index, held)

    @property
    def label(self) -> str:
        """Name of the undo entry."""
        return f"Displace {name_of(self.body)}"

    def _moved(self, x: float, y: float, z: float) -> Change:
        body = self.start.body(self.body)
        dx, dy, dz = body.displacement
        way = (dx + x, dy + y, dz + z)
        axes = terms_of(self.start.dimension).axes
        parts = ", ".join(f"{number(round(part, 6))} {axis}" for part, axis in zip(way, axes, strict=False))
        readout = f"{name_of(self.body)} moves {parts}: {plain(hypot(*way))} units"
        if x == y == z == 0.0:
            return Change(self.start, readout)
        return Change(self.start.with_body(self.body, replace(body, displacement=way)), readout)


def arrow_tip(scene: Scene, index: int) -> Array:
    """Where a body's arrow ends (3,), world."""
    tip: Array = arrow_start((scene.a, scene.b), index) + np.array(scene.body(index).displacement)
    return tip
