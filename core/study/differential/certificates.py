"""Certificates: proofs that an engine's answer is wrong, in numbers that three lines of numpy check.

A wrong answer without a certificate is no finding. A direction proves a lower bound of the bodies' separation. A point
of each body proves an upper bound of their distance. A ball in both bodies, or a polytope in A - B, proves a lower
bound of the depth. A certificate need not be the best one: it only has to contradict the answer by more than the
tolerance. `assets/repro/certificate.py` checks every kind and imports nothing of this project.

All numbers are in the world frame and in scene units, except `in_...`, `of_...` and `within`, which are in a body's
frame. A "border" is the radius by which a rounded shape surrounds its sharp shape, 0 for other shapes.
"""

from __future__ import annotations

from itertools import product
from math import inf, sqrt
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...analysis.brief import distance_of
from ...geometry.triple import Triple, triple
from ...geometry.vector import Array, cross_rows, dot, dots, length, length_rows, unit
from ...pair.pair import PairScale, certificate, half_space_of
from ...scene import Body, Scene
from ...shapes import sharp_of
from .answers import EngineAnswer
from .classes import Judgement, Kind, Truth, nearest_surface

NumberRows = tuple[tuple[float, ...], ...]

CUTS = 60
"""The most rounds of cutting planes in the search for a point deep in both bodies."""

DEEP_ENOUGH = 0.8
"""A point is deep enough if its depth is at least this share of the largest possible."""

MOST_ROUNDS = 60
"""The most rounds in which a polytope grows."""

PULLED_IN = 1.0 - 1e-6
"""The factor on the distance of the points about a hull's point: keeps them inside despite rounding."""

FACES_A_ROUND = 12
"""The number of the polytope's faces, nearest to the origin first, that a round grows."""

ON_SURFACE = 1e-9
"""A point at most this far outside of a rounded shape's sharp shape, in units of the border, counts as on it."""

ASKEW = 1e-4
"""The angle, about, by which the support directions of a polytope are turned, radians: far above rounding."""

SIGNED_AXES = np.vstack((np.eye(3), -np.eye(3)))
WAYS = {3: SIGNED_AXES, 2: SIGNED_AXES[[0, 1, 3, 4]]}
"""The unit vectors along the positive and negative axes, by dimension."""

_LATTICE = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])
_LATTICE /= length_rows(_LATTICE)[:, None]
STARTS = {3: _LATTICE, 2: _LATTICE[_LATTICE[:, 2] == 0.0]}
"""Normals of the first planes in the search for a deep point, by dimension."""


class Direction(Struct, frozen=True):
    """A unit `normal` from A to B, and how far both bodies reach along it.

    `max_of_a`: the largest `n·x` in A. `min_of_b`: the least in B. They prove the separation `min_of_b - max_of_a`.
    """

    kind: Literal["separating plane", "shorter way out", "wider gap", "normal by support values"]
    normal: Triple
    max_of_a: float
    min_of_b: float


class PointsProof(Struct, frozen=True):
    """A point of A and one of B, after B was moved by `move`; for a common point both are equal.

    "normal by points" is for pairs with a half-space, which is bounded along its own normal only. Along the engine's
    normal, the two points are nearer to each other than the engine's separation.

    `on_a`, `on_b`: the points, world, B's after the move. `in_a`, `in_b`: the points in each body's frame. `inside_a`,
    `inside_b`: the radius of a ball about the point inside the body. So the bodies are no farther apart than the points
    minus both radii. `weights_a`, `weights_b`: for a hull, rows of weights of its points, else None. One row gives the
    point itself as a weighted mean; several rows give points around it.
    """

    kind: Literal["common point", "common point after the move", "nearer points", "normal by points"]
    move: Triple
    on_a: Triple
    on_b: Triple
    in_a: Triple
    in_b: Triple
    inside_a: float
    inside_b: float
    weights_a: NumberRows | None
    weights_b: NumberRows | None


class Outside(Struct, frozen=True):
    """The engine's `point` of a body is outside of it: along a unit `normal` it lies beyond the body.

    `height`: the point's `n·x`. `reach`: the body's largest `n·x`, which is less.
    """

    body: Literal["a", "b"]
    point: Triple
    normal: Triple
    height: float
    reach: float
    kind: Literal["point outside"] = "point outside"


class Inside(Struct, frozen=True):
    """The engine's `point` is inside a body, not on its surface.

    `within`: the point in the body's frame. `inside`: the radius of a ball about it that is in the body. `weights`: as
    in `PointsProof`.
    """

    body: Literal["a", "b"]
    point: Triple
    within: Triple
    inside: float
    weights: NumberRows | None
    kind: Literal["point inside"] = "point inside"


class PolytopeProof(Struct, frozen=True):
    """A polytope in A - B that contains a ball of radius `depth` about the origin.

    `points` (k, 3): each is a point of A minus one of B, world axes. `of_a`, `of_b` (k, 3): these points of A and B in
    the bodies' frames; for a hull they are among its points. `faces` (m, 3): indices into `points`, counter-clockwise
    seen from outside.
    """

    points: NumberRows
    of_a: NumberRows
    of_b: NumberRows
    faces: tuple[tuple[int, ...], ...]
    depth: float
    kind: Literal["polytope"] = "polytope"


Certificate = Direction | PointsProof | Outside | Inside | PolytopeProof


def certified(scene: Scene, truth: Truth, answer: EngineAnswer, judgement: Judgement) -> Certificate | None:
    """The certificate of the fault that an answer was judged to have; None if none is found, or none is needed."""
    t, d = judgement.tolerance, answer.signed
    match judgement.kind:
        case Kind.FALSE:
            return _direction("separating plane", scene, truth.normal, above=t)
        case Kind.DEPTH_LARGE if d is not None:
            return _direction("shorter way out", scene, truth.normal, above=d + t)
        case Kind.DISTANCE_SMALL if d is not None:
            return _direction("wider gap", scene, truth.normal, above=d + t)
        case Kind.MISSED:
            return _common_point(scene, np.zeros(3), t)
        case Kind.DEPTH_SMALL if d is not None:
            move = _own_move(answer, d, t)
            return _polytope(scene, t - d) if move is None else _common_point(scene, move, t)
        case Kind.DISTANCE_LARGE if d is not None:
            return _nearer_points(scene, below=d - t)
        case Kind.WRONG | Kind.IMPRECISE if d is not None and answer.normal is not None:
            normal = unit(np.array(answer.normal))
            assert normal is not None
            if half_space_of(scene.a, scene.b) is not None:
                return _normal_by_points(scene, normal, truth.separation, below=d - t)
            return _direction("normal by support values", scene, normal, below=d - t)
        case Kind.POINTS_OFF:
            return _point_off(scene, answer, t)
    return None


def _own_move(answer: EngineAnswer, d: float, t: float) -> Array | None:
    """The move of B (3,) that, by the engine's answer, ends an overlap of depth `-d`.

    It is `-d` times the answer's normal or, without a normal, the vector from its point on B to its point on A. None
    without both, or if the points' distance differs from the depth by more than `t`.
    """
    normal = None if answer.normal is None else unit(np.array(answer.normal))
    if normal is not None:
        return -d * normal
    if answer.on_a is None or answer.on_b is None:
        return None
    move = np.subtract(answer.on_a, answer.on_b)
    return move if abs(length(move) + d) <= t else None


def _direction(
    kind: Literal["separating plane", "shorter way out", "wider gap", "normal by support values"],
    scene: Scene,
    normal: Array,
    *,
    above: float = -inf,
    below: float = inf,
) -> Direction | None:
    """The certificate of a unit normal (3,); None unless it proves a finite separation between `above` and `below`."""
    proved = certificate(scene.a, scene.b, normal)
    if not (above < proved < below) or proved == -inf:
        return None
    return Direction(kind, triple(normal), _reach(scene.a, normal), -_reach(scene.b, -normal))


def _reach(body: Body, normal: Array) -> float:
    """The body's largest `n·x` for the world normal n (3,), with points x relative to the world's origin."""
    return dot(normal, body.pose.position) + float(body.shape.reach(body.pose.direction_to_local(normal)))


def _point_off(scene: Scene, answer: EngineAnswer, t: float) -> Certificate | None:
    off = {
        name: nearest_surface(body, point)
        for name, body, point in (("a", scene.a, answer.on_a), ("b", scene.b, answer.on_b))
        if point is not None
    }
    name: Literal["a", "b"] = "a" if "b" not in off or ("a" in off and abs(off["a"][0]) >= abs(off["b"][0])) else "b"
    body, point = (scene.a, answer.on_a) if name == "a" else (scene.b, answer.on_b)
    assert point is not None
    distance, normal = off[name]
    if distance < 0.0:
        inside, weights = _held(body, np.array(point))
        local = triple(body.pose.to_local(np.array(point)))
        return Inside(name, point, local, inside, weights) if inside > t else None
    height, reach = dot(normal, np.array(point)), _reach(body, normal)
    return Outside(name, point, triple(normal), height, reach) if height - reach > t else None


def _nearer_points(scene: Scene, below: float) -> PointsProof | None:
    nearest = distance_of(_without_borders(scene))
    found = _points("nearer points", scene, np.zeros(3), nearest.witness_a, nearest.witness_b)
    if found is None or nearest.separation - found.inside_a - found.inside_b >= below:
        return None
    return found


def _normal_by_points(scene: Scene, normal: Array, s: float, below: float) -> PointsProof | None:
    """The certificate "normal by points" for a unit normal (3,) and a pair with a half-space; None if it fails.

    One point is the bounded body's deepest along the normal. The other is in the half-space, at most L + |s| from the
    foot of the body's position on the plane. If the normal is less than a right angle off, this is the farthest point
    of the cut half-space in `classes.proof`, else a lower one.
    """
    found = half_space_of(scene.a, scene.b)
    assert found is not None
    space, body, n = found.space, found.body, found.side * normal
    m = space.pose.direction_to_world(found.plane.normal)
    height = dot(m, body.pose.position - space.pose.position) - found.plane.offset
    way = unit(n - max(0.0, dot(n, m)) * m)
    foot = body.pose.position - height * m
    beside = foot if way is None else foot + (PairScale.of(scene.a, scene.b).largest_radius + abs(s)) * way
    deepest = body.pose.to_world(sharp_of(body.shape)[0].support(body.pose.direction_to_local(-n)))
    on_a, on_b = (beside, deepest) if space is scene.a else (deepest, beside)
    points = _points("normal by points", scene, np.zeros(3), on_a, on_b)
    if points is None or dot(normal, on_b - on_a) - points.inside_a - points.inside_b >= below:
        return None
    return points


def _common_point(scene: Scene, move: Array, t: float) -> PointsProof | None:
    moved = replace(scene, b=replace(scene.b, position=triple(scene.b.pose.position + move)))
    borders = sum(sharp_of(body.shape)[1] for body in (scene.a, scene.b))
    point = _deep_point(_without_borders(moved), max(0.0, t - borders))
    if point is None:
        return None
    kind: Literal["common point", "common point after the move"] = "common point"
    found = _points("common point after the move" if move.any() else kind, scene, move, point, point)
    return found if found is not None and found.inside_a + found.inside_b > t else None


def _without_borders(scene: Scene) -> Scene:
    """The scene with sharp shapes, without borders; each point in them is inside the full shape by the whole border."""
    a, b = (replace(body, shape=sharp_of(body.shape)[0]) for body in (scene.a, scene.b))
    return replace(scene, a=a, b=b)


def _points(
    kind: Literal["common point", "common point after the move", "nearer points", "normal by points"],
    scene: Scene,
    move: Array,
    on_a: Array,
    on_b: Array,
) -> PointsProof | None:
    """The certificate of a point of A and one of B, B's after the move (3,); None if a point is not in its body."""
    (inside_a, weights_a), (inside_b, weights_b) = _held(scene.a, on_a), _held(scene.b, on_b - move)
    if min(inside_a, inside_b) < -PairScale.of(scene.a, scene.b).agreement:
        return None
    local = triple(scene.a.pose.to_local(on_a)), triple(scene.b.pose.to_local(on_b - move))
    places = triple(move), triple(on_a), triple(on_b), *local
    return PointsProof(kind, *places, inside_a, inside_b, weights_a, weights_b)


def _held(body: Body, point: Array) -> tuple[float, NumberRows | None]:
    """Returns the radius of a ball about a world point (3,) inside the body, and for a hull the weights, else None.

    The radius is negative if the point is outside.
    """
    sharp, border = sharp_of(body.shape)
    local = body.pose.to_local(point)
    corners = getattr(sharp, "points", None)
    if corners is not None:
        rows = np.array(corners)
        solid = np.pad(rows, ((0, 0), (0, 3 - rows.shape[1])))
        return _held_by_weights(solid, WAYS[sharp.dimension], local, border, _depth(body, point))
    if sharp.radii is not None:
        # The gap to the similar, smaller ellipsoid through the point: a formula, at most the distance to the surface.
        radii = np.array(sharp.radii)
        inside = (1.0 - length(local / radii)) * float(radii.min())
    else:
        inside = _depth(replace(body, shape=sharp), point)
    return (inside + border if inside >= -ON_SURFACE * border else inside), None


def _depth(body: Body, point: Array) -> float:
    return -nearest_surface(body, triple(point))[0]


def _held_by_weights(
    corners: Array, ways: Array, local: Array, border: float, depth: float
) -> tuple[float, NumberRows]:
    """Returns the radius of a ball about a hull's point, and weights of the corners (n, 3), a row for each point.

    The points lie around the point `local` (3,), one along each of `ways` (k, 3), if `depth` is more than `border`;
    else `local` is the only one. `depth`: of the point in the body.
    """
    from scipy.optimize import nnls

    size = max(0.0, PULLED_IN * (depth - border))
    wanted = local + size * ways if size > 0.0 else local[None]
    scale = float(np.abs(corners).max()) or 1.0
    system = np.vstack((corners.T / scale, np.ones(len(corners))))
    weights = np.array([nnls(system, np.append(place / scale, 1.0))[0] for place in wanted])
    weights /= weights.sum(axis=1)[:, None]
    rows, off = _rows(weights), length(np.add.reduce(weights[0][:, None] * corners) - local)
    return (border - off if len(rows) == 1 else border + off / sqrt(len(rows) / 2)), rows


def _deep_point(scene: Scene, t: float) -> Array | None:
    """A world point (3,) with nearly the largest ball in both bodies; None if no ball is found with a radius above `t`.

    The method is cutting planes. Each round finds the largest ball behind all planes so far, by linear programming,
    and adds each body's support plane along the normal of the surface nearest to the ball's centre.
    """
    from scipy.optimize import linprog

    a, b = scene.a, scene.b
    origin = a.pose.position if a.shape.plane is None else b.pose.position
    planes: list[tuple[float, ...]] = []

    def cut(body: Body, way: Array) -> None:
        planes.append((*way.tolist(), _reach(body, way) - dot(way, origin)))

    for body in (a, b):
        plane = body.shape.plane
        ways = (
            np.vstack((STARTS[body.shape.dimension], body.shape.face_normals)) if plane is None else plane.normal[None]
        )
        for way in body.pose.direction_to_world(ways):
            cut(body, way)
    best, place = t, None
    height = 0.0 if len(WAYS[a.shape.dimension]) == 4 else None
    bounds = [(None, None), (None, None), (height, height), (None, None)]
    for _ in range(CUTS):
        rows = np.array(planes)
        table = np.column_stack((rows[:, :3], np.ones(len(rows))))
        found = linprog((0.0, 0.0, 0.0, -1.0), A_ub=table, b_ub=rows[:, 3], bounds=bounds)
        if not found.success or found.x is None or found.x[3] <= t:
            break
        point = origin + found.x[:3]
        inside = inf
        for body in (a, b):
            distance, out = nearest_surface(body, triple(point))
            inside = min(inside, -distance)
            cut(body, out)
        if inside > best:
            best, place = inside, point
        if best >= DEEP_ENOUGH * found.x[3]:
            break
    return place


def _polytope(scene: Scene, least: float) -> PolytopeProof | None:
    """A polytope that contains a ball of radius above `least` about the origin.

    None for a half-space, for a difference without volume, or if the polytope does not grow so far.
    """
    from scipy.spatial import ConvexHull, QhullError

    a, b = scene.a, scene.b
    if a.shape.plane is not None or b.shape.plane is not None:
        return None
    of_a, of_b = _of_both(a, b, SIGNED_AXES)
    for _ in range(MOST_ROUNDS):
        points = a.pose.direction_to_world(of_a) - b.pose.direction_to_world(of_b) + (a.pose.position - b.pose.position)
        try:
            hull = ConvexHull(points)
        except QhullError:
            return None
        outward, heights = hull.equations[:, :3], -hull.equations[:, 3]
        if heights.min() > least:
            break
        more_a, more_b = _of_both(a, b, outward[np.argsort(heights, kind="stable")[:FACES_A_ROUND]])
        of_a, of_b = np.vstack((of_a, more_a)), np.vstack((of_b, more_b))
        _, first = np.unique(np.hstack((of_a, of_b)).round(12), axis=0, return_index=True)
        of_a, of_b = of_a[first], of_b[first]
    else:
        return None
    used, faces = np.unique(hull.simplices, return_inverse=True)
    faces = faces.reshape(-1, 3)
    points = points[used]
    areas = cross_rows(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    inward = dots(areas, outward) < 0.0
    faces[inward] = faces[inward][:, ::-1]
    normals = np.where(inward[:, None], -areas, areas) / length_rows(areas)[:, None]
    depth = float(dots(normals, points[faces[:, 0]]).min())
    if depth <= least:
        return None
    numbers = tuple((int(i), int(j), int(k)) for i, j, k in faces)
    return PolytopeProof(_rows(points), _rows(of_a[used]), _rows(of_b[used]), numbers, depth)


def _rows(table: Array) -> NumberRows:
    return tuple(tuple(row) for row in table.tolist())


def _of_both(a: Body, b: Body, ways: Array) -> tuple[Array, Array]:
    """Returns the points of A and of B (k, 3), in their frames, whose differences are farthest along `ways` (k, 3).

    Borders are left out. `ways`: world directions. They are turned a little: along a face's normal every point of the
    face is farthest, and points on one line would give Qhull faces without area.
    """
    turned = ways + ASKEW * (np.roll(ways, 1, axis=1) + _LATTICE[0])
    sharp_a, sharp_b = sharp_of(a.shape)[0], sharp_of(b.shape)[0]
    on_a = [sharp_a.support(way) for way in a.pose.direction_to_local(turned)]
    return np.array(on_a), np.array([sharp_b.support(way) for way in b.pose.direction_to_local(-turned)])
