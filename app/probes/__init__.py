"""Probes with which the user examines the pair: a point, a plane through three points, a ray, scaled space.

A probe is a part of the view: it is saved with the scene, and undo does not change it. planes.py and ray.py compute the
results of a probe; they are imported with the first probe of their kind.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from core.geometry.triple import Triple

from ..draw.camera import Camera


class PointProbe(Struct, frozen=True):
    """A world point, which is compared with the planes of both bodies."""

    position: Triple


class PlaneProbe(Struct, frozen=True):
    """The plane through three world points. `flipped`: its normal has the opposite sign."""

    points: tuple[Triple, Triple, Triple]
    flipped: bool = False


class RayLook(StrEnum):
    """The ways to show a ray."""

    CROSSINGS = "crossings"
    """The points where the ray enters and leaves both bodies."""
    ONE_AXIS = "one axis"
    """The articles' tests next to the right answer; for a box, the article's one axis next to the three slabs."""
    CAST = "cast"
    """The steps of the GJK ray cast."""


class Lens(StrEnum):
    """The projection of a ray's camera."""

    PERSPECTIVE = "perspective"
    ORTHOGRAPHIC = "orthographic"
    OFF_CENTRE = "off-centre window"


class RayProbe(Struct, frozen=True):
    """The picking ray: from `camera` through `pixel`.

    `pixel`: x to the right and y down from the top left corner of a pane of `size` (width, height) pixels. `body`: the
    body that is tested, 0 for A, 1 for B. `step`: of the GJK ray cast, from 0. `shift`: the distance of the window's
    centre to the right of straight ahead, in half widths of the window. It is 0 in every pane of the program; else the
    frustum is sheared, as for one eye of a stereo pair.
    """

    camera: Camera
    pixel: tuple[float, float]
    size: tuple[float, float]
    look: RayLook = RayLook.CROSSINGS
    body: int = 0
    step: int = 0
    shift: float = 0.0


class ScaleProbe(Struct, frozen=True):
    """An ellipsoid and a plane, with space scaled by a `share` from 0 (the world) to 1 (a unit sphere)."""

    share: float = 0.0


class Aim(Struct, frozen=True):
    """The state in which a click on a pixel of the world pane places a ray probe. It is never saved."""


Probe = PointProbe | PlaneProbe | RayProbe | ScaleProbe | Aim
