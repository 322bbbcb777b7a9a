"""The graphics book's mistakes about boxes in motion, one in each function.

There are three questions: whether two moving boxes meet; the time of their first contact, infinite for none; and the
number of A's vertices in contact at that time. The motion takes the time from 0 to 1. In formulas u0 and u1 are
positions at the start and at the end. Each function raises TypeError unless both bodies are boxes. It raises ValueError
if a box turns, or if the boxes are too large or too far apart.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ...geometry.quaternion import from_euler_xyz
from ...geometry.tolerances import SUPPORT
from ...geometry.triple import Triple, triple
from ...geometry.vector import Array, dots
from ...scene import Body, Scene
from ...toi.intervals import BOX_AXES, IntervalResult, interval_motion, swept_axes
from ...toi.motion import Motion
from .comparison import ArticleVariant, box_vertices, half_extents
from .separating_axes import CUBE


def p8_without_absolute_value(scene: Scene) -> bool:
    """False only if, on some axis, A lies beyond B on the positive side at both ends of the motion."""
    axes, starts, ends, reach = _swept(scene)
    return not bool(((-starts > reach) & (-ends > reach))[axes].any())


def p8_backwards(scene: Scene) -> bool:
    """The swept test with B's relative displacement negated."""
    axes, starts, ends, reach = _swept(scene)
    turned = 2.0 * starts - ends
    apart = ((starts > reach) & (turned > reach)) | ((-starts > reach) & (-turned > reach))
    return not bool(apart[axes].any())


def p8_disjoint_at_either_end(scene: Scene) -> bool:
    """False if, on some axis, the boxes are apart at both ends of the motion, even on different sides."""
    axes, starts, ends, reach = _swept(scene)
    return not bool(((np.abs(starts) > reach) & (np.abs(ends) > reach))[axes].any())


def p9_as_printed(scene: Scene) -> float:
    """The latest time, over the axes, at which B's centre is `reA + reB` beyond A's on the positive side.

    `reA`, `reB`: the effective radii. If B comes from the negative side, this is the exit, not the entry. Only the
    axes of boxes at rest are used, without the extra ones of the motion. The time is not limited to [0, 1]. Infinite if
    the boxes never meet; minus infinity if they meet without a relative motion.
    """
    if not swept_axes(_boxes(scene)).meets:
        return inf
    axes, starts, ends, reach = _swept(scene)
    axes = axes & (np.arange(len(axes)) < BOX_AXES)
    speeds = ends - starts
    moving = axes & (np.abs(speeds) > 0.0)
    times = (reach - starts)[moving] / speeds[moving]
    return float(times.max(initial=-inf))


def p9_divided_by_zero(scene: Scene) -> float:
    """The latest entry over all 21 axes, each a division by `l·d`: l is the axis, d the relative displacement.

    The mistake: `l·d` is 0 on an axis perpendicular to the motion. The quotient is then minus infinity if the boxes
    are apart on that axis, and infinity if they overlap. Infinite unless the latest is in [0, 1].
    """
    axes, starts, ends, reach = _swept(scene)
    motion = _boxes(scene)
    speeds = np.where(np.abs(ends - starts) > motion.still, ends - starts, 0.0)
    gaps = np.where(speeds == 0.0, np.abs(starts) - reach, np.where(speeds > 0.0, -starts, starts) - reach)
    with np.errstate(all="ignore"):
        times = np.where(speeds == 0.0, -gaps, gaps) / np.abs(speeds)
    latest = float(times[axes].max(initial=-inf))
    return latest if 0.0 <= latest <= 1.0 else inf


def p9_without_initial_overlap(scene: Scene) -> float:
    """The right formula without a test for an overlap at the start.

    For boxes that overlap at the start, the latest entry is negative, and the result is infinite.
    """
    table = _intervals(scene).table
    latest, earliest = float(table.entries.max()), float(table.exits.min())
    return latest if 0.0 <= latest <= min(earliest, 1.0) else inf


def p9_backwards(scene: Scene) -> float:
    """The right formula with the motion `u1 + (u0 - u1) t`, from its end to its start."""
    _boxes(scene)
    way = np.subtract(scene.b.displacement, scene.a.displacement)
    back = replace(scene.b, position=triple(np.array(scene.b.position) + way), displacement=triple(-way))
    return _time(Scene(replace(scene.a, displacement=(0.0, 0.0, 0.0)), back))


def p10_any_point_of_b(scene: Scene) -> int:
    """The number of A's vertices near the plane of contact, if that plane is put through B's first vertex.

    The right plane passes through a supporting vertex of B. 0 if the boxes do not meet.
    """
    found = _intervals(scene).answer
    if found.time is None or found.normal is None:
        return 0
    motion = _boxes(scene)
    a, b = motion.at(found.time)
    anchor = b.pose.to_world(box_vertices(b)[0])
    heights = dots(a.pose.to_world(box_vertices(a)) - anchor, found.normal)
    return int(np.count_nonzero(np.abs(heights) <= SUPPORT * motion.scale.largest_radius))


def _boxes(scene: Scene) -> Motion:
    for body in (scene.a, scene.b):
        half_extents(body)
    return Motion.of(scene.a, scene.b)


@lru_cache(maxsize=2)
def _intervals(scene: Scene) -> IntervalResult:
    """The right answer with its table, cached for all variants that are compared with it."""
    return interval_motion(_boxes(scene))


@lru_cache(maxsize=2)
def _swept(scene: Scene) -> tuple[NDArray[np.bool_], Array, Array, Array]:
    """Returns four arrays (21,), one entry for each axis.

    1: whether it is not the zero vector; 2: B's centre minus A's along it at the start; 3: the same at the end; 4: the
    sum of both effective radii.
    """
    motion = _boxes(scene)
    axes = swept_axes(motion).axes
    reach_a, reach_b = (
        dots(np.abs(body.pose.direction_to_local(axes)), half_extents(body)) for body in (scene.a, scene.b)
    )
    ends = dots(axes, motion.offset + motion.displacement)
    return np.asarray(axes.any(axis=1)), dots(axes, motion.offset), ends, reach_a + reach_b


@lru_cache(maxsize=2)
def _meets(scene: Scene) -> bool:
    return swept_axes(_boxes(scene)).meets


def _time(scene: Scene) -> float:
    found = _intervals(scene).answer
    return inf if found.time is None else found.time


def _contacts_of_a(scene: Scene) -> int:
    found = _intervals(scene).answer
    return 0 if found.contact is None else len(found.contact.a.points)


def _cubes(name: str, at: Triple, way: Triple, turn: Triple = (0.0, 0.0, 0.0)) -> Scene:
    return Scene(Body(CUBE), Body(CUBE, at, from_euler_xyz(*turn), way), name)


_SKEW = (0.5, 0.7, -0.3)
_COMING = _cubes("A cube comes from the right", (5.0, 0.3, 0.2), (-4.0, 0.0, 0.0), _SKEW)
_FROM_THE_LEFT = _cubes("A cube comes from the left", (-5.0, 0.3, 0.2), (4.0, 0.0, 0.0), _SKEW)
_THROUGH = _cubes("A cube passes through another", (5.0, 0.3, 0.2), (-10.0, 0.0, 0.0))
_AWAY = _cubes("A cube goes away to the right", (4.0, 0.3, 0.2), (3.0, 0.0, 0.0), _SKEW)
_AWAY_LEFT = _cubes("A cube goes away to the left", (-4.0, 0.3, 0.2), (-3.0, 0.0, 0.0), _SKEW)
_BESIDE = _cubes("A cube slides along on the right", (2.75, 0.25, 0.125), (0.0, 0.2, 0.0), _SKEW)
_PARTING = _cubes("Two overlapping cubes separate", (1.25, 0.3, 0.2), (4.0, 0.0, 0.0))
_SINKING = _cubes("Two overlapping cubes go deeper", (1.25, 0.3, 0.2), (-0.5, 0.0, 0.0))
_FAR_ASIDE = _cubes("A cube passes at a distance", (-4.0, -6.0, 0.0), (8.0, 0.0, 0.0))

MOVING_BOXES = (
    ArticleVariant(
        id="P8-absolute-value",
        title="The swept test without its absolute value",
        article=p8_without_absolute_value,
        right=_meets,
        why="If B stays on the positive side of every separating axis, the products are negative and no test succeeds.",
        breaks=(_BESIDE,),
        agrees=(_AWAY_LEFT, _COMING, _FAR_ASIDE),
    ),
    ArticleVariant(
        id="P8-backwards",
        title="The displacement run backwards",
        article=p8_backwards,
        right=_meets,
        why="An approaching body is tested as if it moved away, and the other way round.",
        breaks=(_COMING, _FROM_THE_LEFT, _AWAY),
        agrees=(_BESIDE, _FAR_ASIDE),
    ),
    ArticleVariant(
        id="P8-either-side",
        title="Apart at both ends, whatever the sides",
        article=p8_disjoint_at_either_end,
        right=_meets,
        why="A body that passes right through is apart at both ends too; the test needs the same side at both.",
        breaks=(_THROUGH,),
        agrees=(_COMING, _AWAY, _FAR_ASIDE),
    ),
    ArticleVariant(
        id="P9-as-printed",
        title="The latest axis with a fixed sign",
        article=p9_as_printed,
        right=_time,
        why="Which ends touch first depends on the side of approach; with a fixed sign, exit is taken for entry.",
        breaks=(_COMING, _FROM_THE_LEFT, _THROUGH),
        agrees=(_AWAY, _FAR_ASIDE),
    ),
    ArticleVariant(
        id="P9-divides-by-zero",
        title="Division by l·d, also if it is 0",
        article=p9_divided_by_zero,
        right=_time,
        why="On an axis perpendicular to the motion l·d is 0, so its time is later than any other; the six extra axes "
        "always are.",
        breaks=(_COMING, _FROM_THE_LEFT, _THROUGH),
        agrees=(_AWAY, _FAR_ASIDE),
    ),
    ArticleVariant(
        id="P9-initial-overlap",
        title="No test for boxes that already overlap",
        article=p9_without_initial_overlap,
        right=_time,
        why="If boxes overlap at the start, every entry lies before it, and the latest one is taken for no contact.",
        breaks=(_PARTING, _SINKING),
        agrees=(_COMING, _FROM_THE_LEFT, _AWAY, _FAR_ASIDE),
    ),
    ArticleVariant(
        id="P9-backwards",
        title="Two boxes: motion run backwards",
        article=p9_backwards,
        right=_time,
        why="Run backwards, the boxes touch when they should separate, counted from the end.",
        breaks=(_COMING, _FROM_THE_LEFT),
        agrees=(_THROUGH, _AWAY, _FAR_ASIDE),
    ),
    ArticleVariant(
        id="P10-any-point",
        title="The separating plane through any point of B",
        article=p10_any_point_of_b,
        right=_contacts_of_a,
        why="Only B's supporting vertex lies on the plane in which they touch; another one lifts it off A's vertices.",
        breaks=(_cubes("A face comes to a face from the left", (-5.0, 0.3, 0.2), (4.0, 0.0, 0.0)),),
        agrees=(_cubes("A face comes to a face from the right", (5.0, 0.3, 0.2), (-4.0, 0.0, 0.0)),),
    ),
)
