"""The flat part of a body towards the other: what lies within an angle α of square to the normal.

Of a polyhedron it is the hull of the vertices that support, of the faces within α, and of the vertices that edges
within α reach from those that support; a line that noise has drawn through a face is no edge. A face within α lies at
most 2 sin(α/2) |y - x*| below the support, so the angle implies the height. Of a shape round about an axis it is a
disc, a line along the side, or a point; with a border radius that of its core. What is nowhere flat is a point.
"""

from __future__ import annotations

from functools import partial
from math import dist, hypot, inf, sqrt, tau

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ..geometry.elementary import asin, atan2, sin, sin_cos
from ..geometry.plane import Plane
from ..geometry.triple import Triple, triple
from ..geometry.triple import cross as across
from ..geometry.vec2 import Vec2
from ..geometry.vector import (
    Array,
    cross,
    cross_rows,
    dot,
    dots,
    following,
    length,
    length_rows,
    product,
    unit,
)
from ..scene import Body
from ..shapes import RoundedCore, sharp_of
from ..shapes.box import box_feature
from ..shapes.polyhedron import Polyhedron
from .flat import LEVEL, NO_LENGTH, Flat, Kind, Planes, Seen, creases, face_name, neighbours, no_planes
from .region import Ellipse, hull_of, off_chord, thinned, triangle

FACING = 0.02
"""Planes whose normals have a larger product with d give heights; a steeper one only where the flat part reaches over
it (`_reached`), as it amplifies what a corner is off by."""

MOST_OUTLINE = 64
"""Corners of a flat part; of more, those that hold the least area are left out. A circle of so many holds 0.998."""

CONE_SIDES = 32
"""Into how many faces the side of a cone is divided that is flat all round."""

SAME_ANGLE = 1e-18
"""Squares of angles that differ by less, as those of 1e-9: of faces as flat the first has the flat part's name."""

ON_THE_AXIS = 1e-9
"""A flat cone whose axis is this close to the normal meets with its apex alone."""


AS_FAR_ACROSS = 1e-9
"""World axes whose products with the normal differ by less are equally far across it: the first is taken."""


def directions(body: Body, n: Array) -> Array:
    """The unit directions u, v and `n` (3,) as columns (3, 3), right-handed; of a body of the plane u lies in it.

    In space u is the normal crossed with the world axis that is most across it.
    """
    w = x, y, z = triple(n)
    if body.shape.dimension == 3:
        least = min(abs(x), abs(y), abs(z)) + AS_FAR_ACROSS
        u = (0.0, z, -y) if abs(x) <= least else (-z, 0.0, x) if abs(y) <= least else (y, -x, 0.0)
        size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
        u = (u[0] / size, u[1] / size, u[2] / size)
    else:
        u = (-y, x, 0.0)
    return np.array((*u, *across(w, u), *w)).reshape(3, 3).T.copy()


def flat_part(seen: Seen) -> Flat:
    """The flat part of a body as the other one sees it."""
    shape = seen.body.shape
    if shape.dimension == 2:
        # Imported with the first body of the plane: nothing of it is wanted at the start.
        from .plane_flat import plane_flat

        return plane_flat(seen)
    if shape.plane is not None:
        return _half_space(seen, shape.plane)
    core = shape.core
    if core is None:
        return _turned(seen)
    if core.solid is not None:
        return _polyhedron(seen, core, core.solid)
    names = ("centre",) if len(core.points) == 1 else ("end0", "end1")
    return _of_line(seen, seen.rows(core.points), names, "axis", rounded=True)


def _half_space(seen: Seen, plane: Plane) -> Flat:
    frame = seen.frame
    outward = product(seen.body.pose.direction_to_world(plane.normal), frame.across)
    along = seen.sign * outward[2]
    reach = plane.offset + dot(outward, product(seen.position - frame.origin, frame.across))
    planes = np.array(((reach, -outward[0], -outward[1]),)) / along
    return Flat(Kind.PLANE, seen, "plane", 0.0, lambda: (planes, lambda _: "plane"))


def _of_line(seen: Seen, points: Array, names: tuple[str, ...], name: str, *, rounded: bool) -> Flat:
    """A segment where it is square to the normal but for α, else the point of it that is farthest along d."""
    way = points[-1] - points[0]
    # Beside a far larger body the two ends of a line may be one point.
    if length(way) <= seen.lateral:
        return Flat(Kind.POINT, seen, names[0], None)
    slope, heights = abs(way[2]) / length(way), seen.sign * points[:, 2]
    angle = asin(min(slope, 1.0))
    if slope > sin(seen.alpha):
        return Flat(Kind.POINT, seen, names[int(np.argmax(heights))], angle)
    ends, high, sides = tuple((u, v) for u, v, _ in points.tolist()), tuple(heights.tolist()), (name, name)
    return Flat(Kind.SEGMENT, seen, name, angle, no_planes, ends, high, names, sides, (True, True), rounded=rounded)


def _turned(seen: Seen) -> Flat:
    """Of a shape round about an axis, with a border or without: a disc, a line along the side, or a point.

    Asked for all that could be flat along d, the shape names its disc or its side line; what is too steep leaves the
    point that is farthest.
    """
    sharp, border = sharp_of(seen.body.shape)
    d = seen.sign * seen.frame.across[:, 2]
    local = seen.body.pose.direction_to_local(d)
    found = sharp.support_feature(local, inf)
    lone = sharp.support_feature(local, 0.0)
    rows = seen.rows(found.points)
    if found.kind == "disc":
        up = unit(cross(found.points[1] - found.points[0], found.points[2] - found.points[0]))
        assert up is not None
        angle = 2.0 * asin(min(0.5 * length(up - local), 1.0))
        if angle <= seen.alpha and length(rows[1] - rows[0]) > seen.lateral:
            return _disc(seen, rows, found.name, angle, border)
        return Flat(Kind.POINT, seen, lone.name, angle)
    if found.kind != "edge":
        return Flat(Kind.POINT, seen, lone.name, None)
    # A cone's line ends in its apex, on the axis; of a cylinder both ends are on a rim.
    low, high = found.points
    if high[0] == high[2] == 0.0:
        opposite = high - low * (-1.0, 1.0, -1.0)
        facing = local[1] > hypot(local[0], local[2])
        if facing and abs(dot(opposite, local)) <= sin(seen.alpha) * length(opposite):
            return _flat_cone(seen, low, high, border)
        names = ("rim -y", "apex")
    else:
        names = ("rim -y", "rim +y")
    flat = _of_line(seen, rows, names, found.name, rounded=border > 0.0)
    return flat if flat.kind is Kind.SEGMENT else replace(flat, name=lone.name)


def _disc(seen: Seen, rows: Array, name: str, angle: float, border: float) -> Flat:
    """A disc given by four points of its rim (4, 3), in order round it."""
    centre = 0.5 * (rows[0] + rows[2])
    p, q = rows[0] - centre, rows[1] - centre
    if p[0] * q[1] - p[1] * q[0] < 0.0:
        q = -q
    ellipse = Ellipse(*((float(row[0]), float(row[1])) for row in (centre, p, q)))
    planes = _heights_of(np.array((cross(p / length(p), q / length(q)),)), centre, seen.sign, border)
    rim = "rim -y" if name == "base" else name.replace("cap", "rim")
    made = planes, lambda _: name
    return Flat(Kind.DISC, seen, name, angle, lambda: made, sides=(rim,), ellipse=ellipse, rounded=border > 0.0)


def _heights_of(normals: Array, point: Array, sign: float, border: float) -> Array:
    """The planes (p, 3) of heights through a point (3,), with normals (p, 3) of any length, moved out by a border."""
    up = normals * np.sign(normals[:, 2:]) / length_rows(normals)[:, None]
    planes = sign * np.stack((dots(up, point), -up[:, 0], -up[:, 1]), axis=1) / up[:, 2:]
    planes[:, 0] += border / up[:, 2]
    return planes


def _flat_cone(seen: Seen, rim: Array, apex: Array, border: float) -> Flat:
    """A cone so flat that its whole side is within α: the base's disc, heights cast on the side.

    As a pyramid of CONE_SIDES faces within it, so that the level's cuts lie inside of it. `rim` (3,), on the line that
    is farthest along d, and `apex` (3,) in the body's frame.
    """
    local = seen.body.pose.direction_to_local(seen.frame.across[:, 2])
    steep = hypot(local[0], local[2])
    if steep <= ON_THE_AXIS:
        return Flat(Kind.POINT, seen, "apex", steep)
    # From the line that is farthest, so that the cone's own turn moves nothing.
    x, y, z = triple(rim)
    radius, first = hypot(x, z), atan2(z, x)
    turns = [sin_cos(first + tau * k / CONE_SIDES) for k in range(CONE_SIDES)]
    rows = seen.rows(np.array([*((radius * c, y, radius * s) for s, c in turns), triple(apex)]))
    loop, top = rows[:-1], rows[-1]
    arms = (loop - top) / hypot(radius, y)
    order = hull_of([(u, v) for u, v, _ in loop.tolist()])
    planes = _heights_of(cross_rows(arms, following(arms)), top, seen.sign, border)
    made = planes, lambda k: f"side.{k}"
    corners = tuple((float(loop[k, 0]), float(loop[k, 1])) for k in order)
    heights, names = tuple(float(seen.sign * loop[k, 2]) for k in order), tuple(f"rim -y.{k}" for k in order)
    sides = tuple(f"rim -y.{k}-{after}" for k, after in zip(order, [*order[1:], order[0]], strict=True))
    real = (False,) * len(order)
    return Flat(
        Kind.POLYGON, seen, "side", asin(steep), lambda: made, corners, heights, names, sides, real, rounded=True
    )


def _polyhedron(seen: Seen, core: RoundedCore, solid: Polyhedron) -> Flat:
    sign, lateral, beside = seen.sign, seen.lateral, neighbours(solid, boxed=core.boxed)
    turn = product(seen.body.pose.matrix.T, seen.frame.across)
    shift = product(seen.position - seen.frame.origin, seen.frame.across)
    rows = product(solid.vertices, turn) + shift
    flattest, off, chosen = _flat_of_box(seen, solid, turn, rows) if core.boxed else (0, 0.0, {})
    if not chosen:
        flattest, off, within = _flat_faces(product(solid.normals, turn), sign, seen.alpha)
        chosen = _flat_vertices(seen, creases(solid), rows, [k for face in within for k in solid.faces[face]])
    angle = 2.0 * asin(min(0.5 * sqrt(off), 1.0))
    numbers, points = list(chosen), [(u, v) for u, v, _ in chosen.values()]
    kept = hull_of(points)
    if len(kept) > 2:
        kept = [kept[k] for k in thinned([points[k] for k in kept], off_chord, lambda off, _: off <= lateral)]
    if len(kept) == 2 and dist(points[kept[0]], points[kept[1]]) <= lateral:
        kept = kept[:1]
    outline = vertices = [numbers[k] for k in kept]
    planes = partial(_planes, seen, core, solid, rows, turn, shift, outline)
    if len(kept) == 1:
        name = f"v{outline[0]}"
        return Flat(Kind.POINT, seen, name, angle, planes, names=(name,), rounded=core.radius > 0.0)
    if len(kept) > MOST_OUTLINE:
        most = [points[k] for k in kept]
        kept = [kept[k] for k in thinned(most, triangle, lambda _, count: count > MOST_OUTLINE)]
        vertices = [numbers[k] for k in kept]
    kind, name = Kind.POLYGON, face_name(flattest, boxed=core.boxed)
    sides, real = _sides(beside, vertices, boxed=core.boxed)
    if len(vertices) < len(chosen):
        others = np.array([k for k in numbers if k not in vertices])
        real = _unless_covered(rows, sign * rows[:, 2], vertices, others, real, lateral)
    if len(vertices) == 2:
        # The faces beside an edge may be steep: what lies flat is the line between its ends.
        way = rows[vertices[1]] - rows[vertices[0]]
        kind, name, angle = Kind.SEGMENT, sides[0], asin(min(abs(float(way[2])) / length(way), 1.0))
    corners, heights = tuple([points[k] for k in kept]), tuple([sign * chosen[vertex][2] for vertex in vertices])
    names, rounded, lowered = tuple([f"v{vertex}" for vertex in vertices]), core.radius > 0.0, len(outline) - len(kept)
    return Flat(
        kind,
        seen,
        name,
        angle,
        planes,
        corners,
        heights,
        names,
        sides,
        real,
        rounded=rounded,
        lowered=lowered,
        make_support=partial(_support, rows[:, :2], sign * rows[:, 2], seen.level),
    )


def _support(shadow: Array, heights: Array, level: float) -> tuple[Vec2, ...]:
    """The corners of the hull of what is as high as the highest, but for the `level`: of `shadow` (v, 2)."""
    points = [(u, v) for u, v in shadow[heights >= heights.max() - level].tolist()]
    return tuple(points[k] for k in hull_of(points))


def _flat_of_box(seen: Seen, solid: Polyhedron, turn: Array, rows: Array) -> tuple[int, float, dict[int, Triple]]:
    """Of a box what `_flat_faces` and `_flat_vertices` find, by its axes: `turn` (3, 3). No vertices if all support."""
    half, sine, signs, least, flattest = solid.vertices[4].tolist(), sin(seen.alpha), [0, 0, 0], inf, 0
    for axis, (u, v, n) in enumerate(turn.tolist()):
        side, size = (1 if seen.sign * n > 0.0 else -1), 2.0 * half[axis]
        if size * abs(n) > sine * size + seen.level:
            signs[axis] = side
        off = u * u + v * v + (abs(n) - 1.0) * (abs(n) - 1.0)
        if off < least - SAME_ANGLE:
            flattest = 2 * axis + (side < 0)
        least = min(least, off)
    numbers = sorted(box_feature(tuple(signs))[1]) if any(signs) else []
    return flattest, least, {k: triple(rows[k]) for k in numbers}


def _flat_faces(normals: Array, sign: float, alpha: float) -> tuple[int, float, list[int]]:
    """The flattest face, the square of how far its normal is from d, and the faces within α. `normals` (f, 3)."""
    chord = 2.0 * sin(0.5 * alpha)
    most, along = chord * chord, sign * normals[:, 2]
    # Of unit vectors that square is 2 - 2 cos, but for the digits that this has lost.
    near = (along >= min(float(along.max()), 1.0 - 0.5 * most) - LEVEL).nonzero()[0].tolist()
    offs = [u * u + v * v + (sign * n - 1.0) * (sign * n - 1.0) for u, v, n in normals.take(near, axis=0).tolist()]
    least = min(offs)
    flattest = next(face for face, off in zip(near, offs, strict=True) if off <= least + SAME_ANGLE)
    return flattest, least, [face for face, off in zip(near, offs, strict=True) if off <= most]


def _planes(
    seen: Seen, core: RoundedCore, solid: Polyhedron, rows: Array, turn: Array, shift: Array, outline: list[int]
) -> Planes:
    """The planes of the faces that face d, and what names each. `outline`: vertices of the flat part."""
    normals = product(solid.normals, turn)
    along, visible = seen.sign * normals[:, 2], max(seen.lateral, seen.level)
    faces_up = along > FACING
    if len(outline) > 2:
        # On a body of radius r a flat part reaches at most 2 r cos over a wall: none too steep to be known counts.
        (steep,) = (faces_up < (2.0 * seen.body.shape.bounding_radius * along > visible)).nonzero()
        if len(steep):
            faces_up[steep] = _reached(solid, steep, rows[:, :2], normals[:, :2], outline) > visible
    (facing,) = faces_up.nonzero()
    if len(outline) > 2 and not len(facing):
        # A blade, or a triangle nearly on edge: the walls that face d most.
        (facing,) = (along > 0.5 * along.max()).nonzero()
    up = normals.take(facing, axis=0)
    reach = solid.offsets.take(facing) + dots(up, shift) + core.radius
    planes = np.ascontiguousarray((np.array((reach, -up[:, 0], -up[:, 1])) / along.take(facing)).T)
    numbers = facing.tolist()
    return planes, lambda k: face_name(numbers[k], boxed=core.boxed)


def _unless_covered(
    rows: Array, heights: Array, vertices: list[int], others: NDArray[np.int64], real: tuple[bool, ...], lateral: float
) -> tuple[bool, ...]:
    """Which sides are `real` edges and have no higher one of the vertices `others` over them, but for the tolerance.

    Below such a vertex the edge runs across a wall seen on edge, whose upper end is the outline as well: then the body
    is as high as a line cast there finds it.
    """
    out = []
    for one, other, is_edge in zip(vertices, vertices[1:] + vertices[:1], real, strict=True):
        run, away = rows[other, :2] - rows[one, :2], rows[others, :2] - rows[one, :2]
        size = max(float(run[0] * run[0] + run[1] * run[1]), NO_LENGTH)
        share = dots(away, run) / size
        off = np.abs(run[0] * away[:, 1] - run[1] * away[:, 0]) / sqrt(size)
        higher = heights[others] > heights[one] + share * (heights[other] - heights[one]) + lateral
        out.append(is_edge and not bool((higher & (off <= lateral) & (share > 0.0) & (share < 1.0)).any()))
    return tuple(out)


def _reached(solid: Polyhedron, faces: NDArray[np.int64], shadow: Array, normals: Array, outline: list[int]) -> Array:
    """How far a flat part reaches beyond the upper end of each of these steep faces, down its slope (f,).

    `shadow` (v, 2): the vertices, `normals` (all faces, 2), seen along d; `outline` (c,): vertices of the flat part.
    """
    reach = product(normals[faces], shadow.T)
    tops = [reach[k, list(solid.faces[face])].min() for k, face in enumerate(faces.tolist())]
    reached: Array = reach[:, outline].max(axis=1) - np.array(tops)
    return reached


def _flat_vertices(seen: Seen, beside: list[list[int]], rows: Array, within: list[int]) -> dict[int, Triple]:
    """The vertices that support, that edges within α reach, or that belong to a face `within` α, by number, with rows.

    `rows` (v, 3): the vertices in the frame; `beside`: the solid's `creases`.
    """
    heights, sine = seen.sign * rows[:, 2], sin(seen.alpha)
    ahead = (heights >= heights.max() - seen.level).nonzero()[0].tolist()
    found = {k: triple(rows[k]) for k in ahead}
    for one in ahead:
        for other in beside[one]:
            if other not in found:
                row = triple(rows[other])
                if abs(found[one][2] - row[2]) <= sine * dist(found[one], row) + seen.level:
                    found[other] = row
                    ahead.append(other)
    found |= {k: triple(rows[k]) for k in within if k not in found}
    return dict(sorted(found.items()))


def _sides(
    beside: list[dict[int, int]], numbers: list[int], *, boxed: bool
) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """Names of the sides from each vertex to the next, and which are edges; a chord goes by its two ends."""
    names, real = [], []
    for place, one in enumerate(numbers):
        edge = beside[one].get(other := numbers[place + 1 - len(numbers)])
        ends = f"v{one}-v{other}" if one < other else f"v{other}-v{one}"
        names.append(ends if edge is None or boxed else f"edge{edge}")
        real.append(edge is not None)
    return tuple(names), tuple(real)
