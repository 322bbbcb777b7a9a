"""The knobs of the algorithms: what one may change to see what changes. The defaults are what `analyse` answers by."""

from __future__ import annotations

from msgspec import Struct

from .algorithms.epa import EpaSettings
from .algorithms.face_preference import FacePreference
from .algorithms.gjk import GjkSettings
from .algorithms.support import Rounding


class Knobs(Struct, frozen=True):
    """Every knob of one query.

    `rounded`: spheres and capsules as "core" (a point or a segment, their radii kept apart) or "full" (curved shapes
    like any other). `warm_start`: GJK begins with the directions of the last query's simplex. `preference`: whose rule
    chooses the axis that the manifold is built on. `reduce`: at most four contacts. `build`: the difference is built
    by hand first.
    """

    gjk: GjkSettings = GjkSettings()
    epa: EpaSettings = EpaSettings()
    rounded: Rounding = "core"
    warm_start: bool = False
    preference: FacePreference = FacePreference.EXACT
    reduce: bool = False
    build: bool = False


DEFAULT_KNOBS = Knobs()
