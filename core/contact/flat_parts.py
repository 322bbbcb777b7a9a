"""The flat part of a body towards the other: the features within an angle α of perpendicular to the normal.

For a polyhedron it is the hull of the highest vertices, of the faces within α, and of the vertices that edges within α
join to the highest. Edges between faces with nearly equal normals (ONE_FACE) do not count. A point y of a face within α
lies at most 2 sin(α/2) |y - x*| below the highest point x*, so the angle limits the height. For a shape that is round
about an axis, it is a disc, a line along the side, or a point; with a border radius, that of the shape without the
border. For a half-space it is the plane, for any other body a point.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from math import copysign, inf, sqrt, tau
from sys import float_info

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..geometry import triple as triples
from ..geometry import vec2
from ..geometry.elementary import asin, atan2, hypot, sin, sin_cos
from ..geometry.plane import Plane
from ..geometry.triple import Triple, triple
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
)
from ..shapes import RoundedCore, Shape, sharp_of
from ..shapes.box import box_feature
from ..shapes.polyhedron import Polyhedron
from .flat import HEIGHT_TIE, NO_LENGTH, Flat, FlatKind, Planes, creases, face_name, neighbours, no_planes
from .frame import FacingBody, Frame
from .region import Ellipse, hull_of, off_chord, thinned, triangle

FACING = 0.02
"""Faces whose unit normal has a dot product with d above this give heights.

A steeper face gives heights only if the flat part reaches over it (`_reached`), since a steep plane amplifies the
rounding error of a corner.
"""

MOST_OUTLINE = 64
"""The largest number of corners of a flat part; of more, those that add the least area are left out.

A regular polygon with 64 corners has 0.998 of its circle's area.
"""

CONE_SIDES = 32
"""The number of faces that the side of a cone is divided into, if it is flat all round."""

SAME_ANGLE = 1e-18
"""Faces are equally flat if the squared distances of their unit normals from d differ by less.

The first of equally flat faces names the flat part.
"""

ON_THE_AXIS = 1e-9
"""Sine of the angle between a flat cone's axis and the normal, up to which the cone touches with its apex alone."""


def frame_across(n: Array, origin: Array, shape: Shape) -> Frame:
    """The frame about `origin` (3,), relative to A's position, with the unit normal `n` (3,).

    `shape`: either body's, for the dimension.
    """
    return Frame.in_plane(n, origin) if shape.dimension == 2 else Frame.in_space(n, origin)


def flat_part(seen: FacingBody) -> Flat:
    """The flat part of a body as the other one sees it."""
    shape = seen.body.shape
    if shape.dimension == 2:
        # Imported for the first planar body only, to keep the start fast.
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
    return _of_line(seen, seen.points_in_frame(core.points), names, "axis", rounded=True)


def _half_space(seen: FacingBody, plane: Plane) -> Flat:
    u, v, n = seen.frame.turned(triple(seen.body.pose.direction_to_world(plane.normal)))
    along = seen.sign * n
    planes = np.array((((plane.offset + triples.dot((u, v, n), seen.shift)) / along, -u / along, -v / along),))
    return Flat(FlatKind.PLANE, seen, "plane", 0.0, lambda: (planes, lambda _: "plane"))


def _of_line(seen: FacingBody, points: Array, names: tuple[str, ...], name: str, *, rounded: bool) -> Flat:
    """The flat part of a core of one or two points (k, 3), in the frame.

    It is the segment if that is within α of perpendicular to the normal, else the end farthest along d.
    """
    way = points[-1] - points[0]
    # The lateral tolerance comes from the pair: beside a far larger body, both ends may be one point.
    if length(way) <= seen.lateral:
        return Flat(FlatKind.POINT, seen, names[0], None)
    slope, heights = abs(way[2]) / length(way), seen.sign * points[:, 2]
    angle = asin(min(slope, 1.0))
    if slope > sin(seen.alpha):
        return Flat(FlatKind.POINT, seen, names[int(np.argmax(heights))], angle)
    ends, high, sides = tuple((u, v) for u, v, _ in points.tolist()), tuple(heights.tolist()), (name, name)
    return Flat(
        kind=FlatKind.SEGMENT,
        seen=seen,
        name=name,
        angle=angle,
        make_planes=no_planes,
        corners=ends,
        heights=high,
        names=names,
        sides=sides,
        real=(True, True),
        rounded=rounded,
    )


def _turned(seen: FacingBody) -> Flat:
    """The flat part of a shape round about an axis: a disc, a line along the side, or a point.

    The shape finds the disc or side line that is flattest along d. If it is steeper than α, the part is the point
    farthest along d.
    """
    (sharp, border), local = sharp_of(seen.body.shape), seen.local
    found = sharp.support_feature(local, inf)
    lone = sharp.support_feature(local, 0.0)
    rows = seen.points_in_frame(found.points)
    if found.kind == "disc":
        # The disc is perpendicular to the axis y; its outward normal is +y or -y by the side of the centre it is on.
        up = np.array((0.0, copysign(1.0, float(found.points[0][1])), 0.0))
        angle = 2.0 * asin(min(0.5 * length(up - local), 1.0))
        # A disc whose area would be lost in doubles is a point.
        size = length(rows[1] - rows[0])
        if angle <= seen.alpha and size > seen.lateral and size * size > float_info.min:
            return _disc(seen, rows, found.name, angle, border)
        return Flat(FlatKind.POINT, seen, lone.name, angle)
    if found.kind != "edge":
        return Flat(FlatKind.POINT, seen, lone.name, None)
    # A cone's side line ends in its apex, on the axis; both ends of a cylinder's are on a rim.
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
    return flat if flat.kind is FlatKind.SEGMENT else replace(flat, name=lone.name)


def _disc(seen: FacingBody, rows: Array, name: str, angle: float, border: float) -> Flat:
    """The flat part of a disc, given by `rows` (4, 3): four points of its rim in order round it, in the frame."""
    centre = 0.5 * (rows[0] + rows[2])
    p, q = rows[0] - centre, rows[1] - centre
    if p[0] * q[1] - p[1] * q[0] < 0.0:
        q = -q
    ellipse = Ellipse(*((float(row[0]), float(row[1])) for row in (centre, p, q)))
    planes = _heights_of(np.array((cross(p / length(p), q / length(q)),)), centre, seen.sign, border)
    rim = "rim -y" if name == "base" else name.replace("cap", "rim")
    made = planes, lambda _: name
    return Flat(FlatKind.DISC, seen, name, angle, lambda: made, sides=(rim,), ellipse=ellipse, rounded=border > 0.0)


def _heights_of(normals: Array, point: Array, sign: float, border: float) -> Array:
    """Planes of heights (p, 3) through a point (3,), moved out by a border; `normals` (p, 3): any length and sign."""
    up = normals * np.sign(normals[:, 2:]) / length_rows(normals)[:, None]
    planes = sign * np.stack((dots(up, point), -up[:, 0], -up[:, 1]), axis=1) / up[:, 2:]
    planes[:, 0] += border / up[:, 2]
    return planes


def _flat_cone(seen: FacingBody, rim: Array, apex: Array, border: float) -> Flat:
    """The flat part of a cone whose whole side is within α: the shadow is the base's, the heights are the side's.

    The base is taken as a polygon of CONE_SIDES corners on the rim. The side's planes are those of the pyramid over it,
    so cuts at the level lie inside the cone. `rim` (3,): the lower end of the side line farthest along d; `apex` (3,).
    Both are in the body's frame.
    """
    steep = hypot(float(seen.local[0]), float(seen.local[2]))
    if steep <= ON_THE_AXIS:
        return Flat(FlatKind.POINT, seen, "apex", steep)
    # The corners start on the line farthest along d, so that a turn of the cone about its axis moves nothing.
    x, y, z = triple(rim)
    radius, first = hypot(x, z), atan2(z, x)
    turns = [sin_cos(first + tau * k / CONE_SIDES) for k in range(CONE_SIDES)]
    rows = seen.points_in_frame(np.array([*((radius * c, y, radius * s) for s, c in turns), triple(apex)]))
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
        kind=FlatKind.POLYGON,
        seen=seen,
        name="side",
        angle=asin(steep),
        make_planes=lambda: made,
        corners=corners,
        heights=heights,
        names=names,
        sides=sides,
        real=real,
        rounded=True,
    )


class _Placed(Struct, frozen=True, eq=False, dict=True):
    """A core's polyhedron as seen along d; its arrays are computed on demand."""

    seen: FacingBody
    core: RoundedCore
    solid: Polyhedron

    @cached_property
    def heights(self) -> Array:
        """The vertices' heights (v,) along d."""
        return dots(self.solid.vertices, self.seen.local) + self.seen.sign * self.seen.shift[2]

    @cached_property
    def along(self) -> Array:
        """The dot products (f,) of the faces' normals with d."""
        return dots(self.solid.normals, self.seen.local)

    def rows(self, vertices: Iterable[int]) -> dict[int, Triple]:
        """The coordinates of vertices in the frame, by vertex number."""
        return {k: self.seen.point_in_frame(triple(self.solid.vertices[k])) for k in vertices}


def _polyhedron(seen: FacingBody, core: RoundedCore, solid: Polyhedron) -> Flat:
    sign, lateral, beside = seen.sign, seen.lateral, neighbours(solid, boxed=core.boxed)
    placed = _Placed(seen, core, solid)
    flattest, off, chosen = _flat_of_box(seen, solid) if core.boxed else (0, 0.0, {})
    if not chosen:
        flattest, off, within = _flat_faces(placed)
        chosen = _flat_vertices(placed, [k for face in within for k in solid.faces[face]])
    angle = 2.0 * asin(min(0.5 * sqrt(off), 1.0))
    numbers, points = list(chosen), [(u, v) for u, v, _ in chosen.values()]
    kept = hull_of(points)
    if len(kept) > 2:
        kept = [kept[k] for k in thinned([points[k] for k in kept], off_chord, lambda off, _: off <= lateral)]
    if len(kept) == 2 and vec2.length(vec2.sub(points[kept[0]], points[kept[1]])) <= lateral:
        kept = kept[:1]
    outline = vertices = [numbers[k] for k in kept]
    planes = partial(_planes, placed, outline)
    if len(kept) == 1:
        name = f"v{outline[0]}"
        return Flat(FlatKind.POINT, seen, name, angle, planes, names=(name,), rounded=core.radius > 0.0)
    if len(kept) > MOST_OUTLINE:
        most = [points[k] for k in kept]
        kept = [kept[k] for k in thinned(most, triangle, lambda _, count: count > MOST_OUTLINE)]
        vertices = [numbers[k] for k in kept]
    kind, name = FlatKind.POLYGON, face_name(flattest, boxed=core.boxed)
    sides, real = _sides(beside, vertices, boxed=core.boxed)
    if len(vertices) < len(chosen):
        real = _unless_covered(chosen, vertices, real, sign, lateral)
    if len(vertices) == 2:
        # The faces beside the edge may be steep: the angle is that of the line between its ends.
        way = triples.sub(chosen[vertices[1]], chosen[vertices[0]])
        kind, name, angle = FlatKind.SEGMENT, sides[0], asin(min(abs(way[2]) / triples.length(way), 1.0))
    corners, heights = tuple([points[k] for k in kept]), tuple([sign * chosen[vertex][2] for vertex in vertices])
    names, rounded, lowered = tuple([f"v{vertex}" for vertex in vertices]), core.radius > 0.0, len(outline) - len(kept)
    return Flat(
        kind=kind,
        seen=seen,
        name=name,
        angle=angle,
        make_planes=planes,
        corners=corners,
        heights=heights,
        names=names,
        sides=sides,
        real=real,
        rounded=rounded,
        lowered=lowered,
        make_support=partial(_support, placed),
    )


def _support(placed: _Placed) -> tuple[Vec2, ...]:
    """The corners of the shadow of all vertices that are as high as the highest, within the height tie."""
    highest = placed.heights >= placed.heights.max() - placed.seen.height_tie
    points = [(u, v) for u, v, _ in placed.rows(highest.nonzero()[0].tolist()).values()]
    return tuple(points[k] for k in hull_of(points))


def _flat_of_box(seen: FacingBody, solid: Polyhedron) -> tuple[int, float, dict[int, Triple]]:
    """The flattest face of a box, its squared distance as in `_flat_faces`, and the flat part's vertices by number.

    They are found axis by axis. The vertices are left empty if all eight belong to the flat part.
    """
    half, sine, signs, least, flattest = solid.vertices[4].tolist(), sin(seen.alpha), [0, 0, 0], inf, 0
    for axis, (u, v, n) in enumerate(seen.axes):
        side, size = (1 if seen.sign * n > 0.0 else -1), 2.0 * half[axis]
        if size * abs(n) > sine * size + seen.height_tie:
            signs[axis] = side
        off = u * u + v * v + (abs(n) - 1.0) * (abs(n) - 1.0)
        if off < least - SAME_ANGLE:
            flattest = 2 * axis + (side < 0)
        least = min(least, off)
    numbers = sorted(box_feature(tuple(signs))[1]) if any(signs) else []
    return flattest, least, {k: seen.point_in_frame(triple(solid.vertices[k])) for k in numbers}


def _flat_faces(placed: _Placed) -> tuple[int, float, list[int]]:
    """The flattest face, the squared distance of its unit normal from d, and the faces within α."""
    seen, along, chord = placed.seen, placed.along, 2.0 * sin(0.5 * placed.seen.alpha)
    # The square is 2 - 2 cos, which has lost digits: the cosines only choose the faces to look at.
    least, offs = min(float(along.max()), 1.0 - 0.5 * chord * chord) - HEIGHT_TIE, {}
    for face in (along >= least).nonzero()[0].tolist():
        u, v, n = seen.turned(triple(placed.solid.normals[face]))
        offs[face] = u * u + v * v + (seen.sign * n - 1.0) * (seen.sign * n - 1.0)
    least = min(offs.values())
    flattest = next(face for face, off in offs.items() if off <= least + SAME_ANGLE)
    return flattest, least, [face for face, off in offs.items() if off <= chord * chord]


def _planes(placed: _Placed, outline: list[int]) -> Planes:
    """The planes of the faces that face d, and the function that names them. `outline`: vertices of the flat part."""
    seen, solid = placed.seen, placed.solid
    x, y, z = seen.axes
    # A flat part reaches at most 2 r (n·d) over a wall with the normal n, where r is the body's bounding radius. Walls
    # over which it reaches no visible length are left out.
    visible = max(seen.lateral, seen.height_tie)
    least = visible / (2.0 * seen.body.shape.bounding_radius) if len(outline) > 2 else inf
    if placed.core.boxed and (found := _planes_of_box(placed, least)) is not None:
        return found
    along = placed.along
    (facing,) = (along > min(least, FACING)).nonzero()
    steep = facing[along.take(facing) <= FACING].tolist() if least < FACING else []
    if steep:
        reached = (_reached(placed, steep, outline) > visible).tolist()
        walls = [face for face, is_reached in zip(steep, reached, strict=True) if not is_reached]
        facing = np.array([face for face in facing.tolist() if face not in walls], dtype=np.int64)
    if len(outline) > 2 and not len(facing):
        # A blade, or a triangle nearly on edge: the walls that face d most give the heights.
        (facing,) = (along > 0.5 * along.max()).nonzero()
    up, (u, v, h), ahead = solid.normals.take(facing, axis=0), seen.shift, along.take(facing)
    across, aside = (dots(up, np.array((x[k], y[k], z[k]))) for k in (0, 1))
    reach = solid.offsets.take(facing) + across * u + aside * v + ahead * (seen.sign * h) + placed.core.radius
    planes = np.ascontiguousarray((np.array((reach, -across, -aside)) / ahead).T)
    return planes, partial(_face_of, facing.tolist(), placed.core.boxed)


def _planes_of_box(placed: _Placed, least: float) -> Planes | None:
    """`_planes` of a box, axis by axis; None without such a face, or if `_reached` must decide about a wall.

    These are walls whose normal has a dot product with d between `least` and FACING.
    """
    seen, planes, facing = placed.seen, [], []
    for axis, (half, (u, v, n)) in enumerate(zip(placed.solid.vertices[4].tolist(), seen.axes, strict=True)):
        side = 1.0 if seen.sign * n > 0.0 else -1.0
        along = abs(n)
        if along > FACING:
            reach = half + side * triples.dot((u, v, n), seen.shift) + placed.core.radius
            planes.append((reach / along, -side * u / along, -side * v / along))
            facing.append(2 * axis + (side < 0.0))
        elif along > least:
            return None
    return (np.array(planes), partial(_face_of, facing, True)) if planes else None


def _face_of(facing: list[int], boxed: bool, number: int) -> str:
    return face_name(facing[number], boxed=boxed)


def _unless_covered(
    chosen: dict[int, Triple], vertices: list[int], real: tuple[bool, ...], sign: float, lateral: float
) -> tuple[bool, ...]:
    """For each side, whether it is a `real` edge without a higher vertex, among the other `chosen` ones, over it.

    Such a vertex is the upper end of a wall seen on edge. The body's height at that side then is that of its planes.
    """
    rows = np.array([chosen[k] for k in chosen if k not in vertices])
    heights, out = sign * rows[:, 2], []
    for one, other, is_edge in zip(vertices, vertices[1:] + vertices[:1], real, strict=True):
        if not is_edge:
            out.append(False)
            continue
        (u, v, h), (last_u, last_v, last_h) = chosen[one], chosen[other]
        run_u, run_v = last_u - u, last_v - v
        size = max(run_u * run_u + run_v * run_v, NO_LENGTH)
        away_u, away_v = rows[:, 0] - u, rows[:, 1] - v
        share = (away_u * run_u + away_v * run_v) / size
        off = np.abs(run_u * away_v - run_v * away_u) / sqrt(size)
        higher = heights > sign * h + share * (sign * (last_h - h)) + lateral
        out.append(not bool((higher & (off <= lateral) & (share > 0.0) & (share < 1.0)).any()))
    return tuple(out)


def _reached(placed: _Placed, faces: list[int], outline: list[int]) -> Array:
    """Distances (f,) that a flat part reaches beyond the upper end of each of these steep `faces`, down the slope.

    They are measured across d. `outline`: numbers of the flat part's vertices. On a face with the plane n·p = o, the
    distance of a point p down the slope is n·p - (n·d) d·p.
    """
    solid, along, heights = placed.solid, placed.along.take(faces), placed.heights
    down = product(solid.normals.take(faces, axis=0), solid.vertices.take(outline, axis=0).T)
    farthest = (down - along[:, None] * heights.take(outline)).max(axis=1)
    tops = [float(heights.take(solid.faces[face]).max()) for face in faces]
    reached: Array = farthest - (solid.offsets.take(faces) - along * np.array(tops))
    return reached


def _flat_vertices(placed: _Placed, within: list[int]) -> dict[int, Triple]:
    """The vertices of the flat part by number, with their coordinates in the frame.

    These are the highest, those that a chain of edges within α joins to the highest, and `within`: those of the faces
    within α.
    """
    height_tie, beside, sine = placed.seen.height_tie, creases(placed.solid), sin(placed.seen.alpha)
    ahead = (placed.heights >= placed.heights.max() - height_tie).nonzero()[0].tolist()
    vertices, heights, found = placed.solid.vertices.tolist(), placed.heights.tolist(), set(ahead)
    for one in ahead:
        x, y, z = vertices[one]
        for other in beside[one]:
            if other not in found:
                dx, dy, dz = vertices[other][0] - x, vertices[other][1] - y, vertices[other][2] - z
                if abs(heights[other] - heights[one]) <= sine * sqrt(dx * dx + dy * dy + dz * dz) + height_tie:
                    found.add(other)
                    ahead.append(other)
    found.update(within)
    return {k: placed.seen.point_in_frame(vertices[k]) for k in sorted(found)}


def _sides(
    beside: list[dict[int, int]], numbers: list[int], *, boxed: bool
) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """The name of the side from each vertex to the next, and whether it is an edge; else its ends name it."""
    names, real = [], []
    for place, one in enumerate(numbers):
        edge = beside[one].get(other := numbers[place + 1 - len(numbers)])
        ends = f"v{one}-v{other}" if one < other else f"v{other}-v{one}"
        names.append(ends if edge is None or boxed else f"edge{edge}")
        real.append(edge is not None)
    return tuple(names), tuple(real)
