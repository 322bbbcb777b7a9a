"""Orbit camera: where a pane is looked at from, and the mapping between world points and pixels."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks at `target` from `distance`, turned by `yaw` about the up axis and `pitch` above the horizon (radians).

    `field_of_view`: vertical, radians; an orthographic camera shows the same height at the target. `z_up`: the
    world's Z points up on the screen instead of Y (a way of looking; no coordinate changes).
    """

    target: Triple = (0.0, 0.0, 0.0)
    distance: float = 8.0
    yaw: float = radians(35.0)
    pitch: float = radians(22.0)
    field_of_view: float = radians(35.0)
    orthographic: bool = False
    z_up: bool = False
