"""Probes that the user holds against the pair: a point, a plane through three points, a ray, scaled space.

A probe is a part of the view: saved with the scene, never undone. planes.py and ray.py compute what a probe finds; they
are imported with the first probe of their kind.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from core.scene import Triple

from ..draw.camera import Camera


class PointProbe(Struct, frozen=True):
    """A point in the world, to be compared with the planes of both bodies."""

    at: Triple


class PlaneProbe(Struct, frozen=True):
    """The plane through three points of the world; `flipped`: seen from the other side."""

    points: tuple[Triple, Triple, Triple]
    flipped: bool = False


class RayLook(StrEnum):
    """The ways to show a ray."""

    CROSSINGS = "crossings"
    """The points where the ray enters and leaves both bodies."""
    ONE_AXIS = "one axis"
    """The articles' tests beside the right answer; for a box the one axis beside its three slabs."""
    CAST = "cast"
    """The steps of the GJK ray cast."""


class Lens(StrEnum):
    """The projection of a ray's camera."""

    PERSPECTIVE = "perspective"
    ORTHOGRAPHIC = "orthographic"
    OFF_CENTRE = "off-centre window"


class RayProbe(Struct, frozen=True):
    """The picking ray: from `camera` through `pixel`, right and down from the corner of a pane of `size` pixels.

    `body`: the one that is tested (0 A, 1 B); `step`: of the GJK ray cast, from 0. `shift`: how far the window lies to
    the right of straight ahead, in halves of its width: 0 as in every pane, else the frustum is sheared, as for one eye
    of a stereo pair.
    """

    camera: Camera
    pixel: tuple[float, float]
    size: tuple[float, float]
    look: RayLook = RayLook.CROSSINGS
    body: int = 0
    step: int = 0
    shift: float = 0.0


class ScaleProbe(Struct, frozen=True):
    """An ellipsoid before a plane with space scaled by a `share` from 0 (the world) to 1 (a unit sphere)."""

    share: float = 0.0


class Aim(Struct, frozen=True):
    """Waits for a click on a pixel of the world, which shoots a ray through it. Never saved."""


Probe = PointProbe | PlaneProbe | RayProbe | ScaleProbe | Aim
