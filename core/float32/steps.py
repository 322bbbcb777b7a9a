"""GJK and EPA in single precision, step by step: the generators of `core.gjk` on float32 numbers.

Every number of a step is an np.float32, but for zeros and ones written in the code and for counts. In an operation with
a float32, a plain float is rounded to float32 first (NEP 50), so that no result has the digits of a double. Lengths are
float32 roots; a constant of a shape (half a height) or a reciprocal root is rounded once. The tolerances are
`tolerances.SINGLE`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from ..geometry.tolerances import SINGLE
from ..geometry.triple import Triple, components
from ..gjk import epa as epa_
from ..gjk import gjk as gjk_
from ..gjk.epa import EpaSettings, EpaStep
from ..gjk.gjk import GjkSettings, GjkStep, WarmStart
from ..gjk.gjk_epa import SignedDistance, signed_distance_steps
from ..pair.cores import PlanePair
from ..pair.pair import PairScale
from ..pair.support import Corners, Difference, DifferencePoint, Rounding, grown
from ..scene import Scene
from ..trace import Recording, record
from .bodies import Single, SingleBody, single
from .plane import single_pair

if TYPE_CHECKING:
    from ..gjk.plane_epa import EpaPolygonStep


class SingleDifference(Difference, frozen=True, eq=False):
    """A difference whose numbers are float32, and whose directions are rounded to float32."""

    def support(self, direction: Triple) -> DifferencePoint:
        """See Difference."""
        return Difference.support(self, cast("Triple", tuple(map(Single, direction))))


def single_gjk_epa(
    scene: Scene,
    *,
    world_space: bool = False,
    gjk_settings: GjkSettings = gjk_.DEFAULTS,
    epa_settings: EpaSettings = epa_.DEFAULTS,
    rounded: Rounding = "core",
    start: WarmStart | None = None,
) -> Recording[GjkStep | EpaStep | EpaPolygonStep, SignedDistance]:
    """The steps of GJK and EPA about a scene in single precision, and their result, as `Analysis.gjk_epa` in double.

    `world_space`: see `analyse_single`. Settings are given as for doubles, and scale to float32's spacing. `rounded`,
    `start`: as in `support_maps` and `gjk_steps`. Raises ValueError for a scene with a half-space.
    """
    # An overflow or underflow in single precision is part of the answer, so numpy's warnings are turned off.
    with np.errstate(all="ignore"):
        difference = single_difference(scene, world_space=world_space, rounded=rounded)
        return record(signed_distance_steps(difference, gjk_settings, epa_settings, start))


def single_difference(scene: Scene, *, world_space: bool = False, rounded: Rounding = "core") -> SingleDifference:
    """The difference A - B in single precision.

    `world_space`: as in `analyse_single`; `rounded`: as in `support_maps`. Raises ValueError for a half-space.
    """
    scale = PairScale.of(scene.a, scene.b)
    if scene.dimension == 2:
        return _in_plane(single_pair(scene, world_space=world_space), rounded)
    a, b = SingleBody.both(scene, world_space=world_space)
    (map_a, radius_a), (map_b, radius_b) = a.support_map(rounded), b.support_map(rounded)
    return SingleDifference(
        a=map_a,
        b=map_b,
        offset=components(b.place - a.place),
        largest_radius=single(scale.largest_radius),
        extent=single(scale.extent),
        radius_a=single(radius_a),
        radius_b=single(radius_b),
        precision=SINGLE,
    )


def _in_plane(pair: PlanePair, rounded: Rounding) -> SingleDifference:
    x, y = pair.offset
    (map_a, radius_a), (map_b, radius_b) = (grown(Corners.of(core), core.radius, rounded) for core in (pair.a, pair.b))
    return SingleDifference(
        a=map_a,
        b=map_b,
        offset=(x, y, single(0.0)),
        largest_radius=single(pair.scale.largest_radius),
        extent=single(pair.scale.extent),
        radius_a=radius_a,
        radius_b=radius_b,
        dimension=2,
        precision=SINGLE,
    )
