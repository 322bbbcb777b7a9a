"""Makes edge cases from any scene: B a tiny step away, touching, with parallel edges, with aligned faces, concentric.

Every public function returns another scene, `touching` with its separation. If there is none, it raises ValueError with
one sentence that says why.
Only B moves, so that the change is easy to see. 2D scenes stay 2D: their faces are edges.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nextafter, sqrt, ulp

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...analysis.analysis import LIMITED, analyse, separation_of
from ...geometry import vec2
from ...geometry.elementary import atan2
from ...geometry.quaternion import Quaternion, multiply, normalized
from ...geometry.tolerances import EPS
from ...geometry.triple import Triple, line_direction
from ...geometry.vec2 import Vec2, negated
from ...geometry.vector import Array, any_perpendicular, cross, dot, dots, length
from ...minkowski.plane import nearest_of_pair
from ...pair.candidate_axes import AxisKind
from ...pair.cores import Core, PlanePair, cores_of, has_core
from ...pair.features import facing_edge
from ...pair.pair import PairScale
from ...sat.plane import plane_sat
from ...sat.sat import SatTable, sat
from ...scene import Body, Scene

PARALLEL_SIN = 4.0 * EPS
"""Two unit vectors are parallel if the sine of their angle is at most this: rounding prevents a smaller one."""

BISECTIONS = 200
"""The most bisections of an interval; most end earlier, at two neighbouring doubles."""


def nudged(scene: Scene, axis: int, ulps: int) -> Scene:
    """The scene with B's coordinate `axis` (0..2) moved by `ulps` units in the last place; towards +inf if positive.

    For a coordinate of exactly 0, the unit is that of B's size, or of A's if B is a half-space. The unit of 0 itself,
    5e-324, would be lost in every sum.
    """
    place = list(scene.b.position)
    value = place[axis]
    if value == 0.0:
        sized = scene.b if scene.b.shape.plane is None else scene.a
        place[axis] = ulps * ulp(sized.shape.largest_half_extent)
    else:
        for _ in range(abs(ulps)):
            value = nextafter(value, inf if ulps > 0 else -inf)
        place[axis] = value
    return _placed(scene, place)


def shifted(scene: Scene, direction: Triple, exponent: int, sign: float = 1.0) -> Scene:
    """The scene with B moved along a direction of any length but zero, by 10^`exponent` times L.

    `sign`: -1 for the opposite direction. Raises ValueError for a direction that is zero or not finite, and if rounding
    leaves B in its place.
    """
    step = line_direction(direction)
    by = sign * float(f"1e{exponent}") * PairScale.of(scene.a, scene.b).largest_radius
    moved = _moved_along(scene, step, by)
    if moved == scene:
        raise ValueError(f"B cannot move by {abs(by):.3g}: one floating-point step of its position is larger.")
    return moved


class Touched(Struct, frozen=True):
    """The scene with touching bodies, and its `separation`, as near 0 as the last digits of B's position allow."""

    scene: Scene
    separation: float


def touching(scene: Scene, direction: Triple | None = None) -> Touched:
    """The scene with B moved along a line until the separation is zero to the last digit.

    `direction`: of the line, any length but zero; the analysis's normal if None. Bodies that overlap are separated
    along +direction. Bodies that are apart are moved either way, to the nearest place where they touch: along a line,
    they overlap in one interval at most. Raises ValueError for a direction that is zero or not finite, and if B cannot
    leave A along the line, or passes A.
    """
    start = separation_of(scene)
    step = tuple(analyse(scene, LIMITED).normal.tolist()) if direction is None else line_direction(direction)

    def at(way: float) -> float:
        return separation_of(_moved_along(scene, step, way))

    if start == 0.0:
        return Touched(scene, 0.0)
    way = _bisected(at, 0.0, _clear(at, scene)) if start < 0.0 else _first_touch(at, scene, start)
    return min(_neighbours(scene, step, way), key=lambda found: abs(found.separation))


def edges_parallel(scene: Scene, edges: tuple[int, int] | None = None) -> Scene:
    """The scene with B turned about its position, by the least angle, until an edge of B is parallel to one of A.

    `edges`: the indices of both edge lines, as `feature_a` and `feature_b` of `CandidateAxis`; 3D only. The default is
    the deciding pair of edges or, if a face decides, the pair with the largest separation that is not parallel yet. In
    2D the edges are always the deciding edge and the other body's edge with the least angle to it. Raises ValueError
    for a body without such edges, and for edges that are parallel already.
    """
    if scene.dimension == 2:
        return _parallel_in_plane(scene)
    core_a, core_b = _cores(scene, "edges")
    one, other = _edge_pair(sat(scene.a, scene.b)) if edges is None else edges
    along_a = _edge_direction(core_a, one)
    if length(cross(along_a, _edge_direction(core_b, other))) <= PARALLEL_SIN:
        raise ValueError("These edges are parallel already.")

    def wanted(turned: Scene) -> tuple[Array, Array]:
        along_b = _edge_direction(_cores(turned, "edges")[1], other)
        return along_b, along_a if dot(along_a, along_b) >= 0.0 else -along_a

    return _turned_onto(scene, wanted)


def centres_together(scene: Scene) -> Scene:
    """The scene with B moved to A's position. Raises ValueError for a half-space, and if B is there already."""
    if scene.a.shape.plane is not None or scene.b.shape.plane is not None:
        raise ValueError("A half-space has no centre.")
    if scene.a.position == scene.b.position:
        raise ValueError("The centres coincide already.")
    return _placed(scene, scene.a.position)


def faces_aligned(scene: Scene) -> Scene:
    """The scene with B turned about its position, by the least angle, until two faces have opposite normals.

    They are the faces that look most along the analysis's normal, from A towards B and from B towards A. Raises
    ValueError for a body without faces, and for faces that are aligned already.
    """
    if scene.dimension == 2:
        return _aligned_in_plane(scene)
    normal = analyse(scene, LIMITED).normal
    towards_b = _face_towards(scene.a, "A", normal)
    local = scene.b.pose.direction_to_local(_face_towards(scene.b, "B", -normal))

    def wanted(turned: Scene) -> tuple[Array, Array]:
        return turned.b.pose.direction_to_world(local), -towards_b

    if length(cross(*wanted(scene))) <= PARALLEL_SIN and dot(*wanted(scene)) > 0.0:
        raise ValueError("The nearest faces are parallel already.")
    return _turned_onto(scene, wanted)


def _placed(scene: Scene, place: list[float] | Triple) -> Scene:
    x, y, z = place
    return replace(scene, b=replace(scene.b, position=(x, y, z)))


def _moved_along(scene: Scene, step: Triple, way: float) -> Scene:
    return _placed(scene, [at + way * part for at, part in zip(scene.b.position, step, strict=True)])


def _clear(at: Callable[[float], float], scene: Scene) -> float:
    """A distance along the line at which bodies that overlap at 0 are apart. Raises ValueError without one."""
    way = PairScale.of(scene.a, scene.b).extent
    for _ in range(4):
        if at(way) > 0.0:
            return way
        way *= 4.0
    raise ValueError("B never leaves A along this direction.")


def _first_touch(at: Callable[[float], float], scene: Scene, start: float) -> float:
    """The distance along the line, of either sign, at which bodies that are `start` apart at 0 touch.

    Finds an overlap by golden section search for the least separation, then bisects. Raises ValueError if B passes A.
    """
    far = 2.0 * PairScale.of(scene.a, scene.b).extent + 2.0 * start
    shrink = 0.5 * (sqrt(5.0) - 1.0)
    low, high = -far, far
    inner, outer = high - shrink * (high - low), low + shrink * (high - low)
    at_inner, at_outer = at(inner), at(outer)
    while min(at_inner, at_outer) > 0.0 and high - low > 1e-15 * far:
        if at_inner <= at_outer:
            high, outer, at_outer = outer, inner, at_inner
            inner = high - shrink * (high - low)
            at_inner = at(inner)
        else:
            low, inner, at_inner = inner, outer, at_outer
            outer = low + shrink * (high - low)
            at_outer = at(outer)
    nearest, least = (inner, at_inner) if at_inner <= at_outer else (outer, at_outer)
    if least > 1e-12 * far:
        raise ValueError(f"Along this line B passes A at a distance of {least:.3g}.")
    return nearest if least >= 0.0 else _bisected(at, nearest, 0.0)


def _bisected(at: Callable[[float], float], inside: float, outside: float) -> float:
    """The distance along the line with the separation nearest zero.

    At `inside` the bodies overlap, at `outside` they are apart; either may be the larger.
    """
    best = (inf, outside)
    for _ in range(BISECTIONS):
        middle = 0.5 * (inside + outside)
        if middle in (inside, outside):
            break
        gap = at(middle)
        best = min(best, (abs(gap), middle))
        if gap == 0.0:
            break
        inside, outside = (middle, outside) if gap < 0.0 else (inside, middle)
    return best[1]


def _neighbours(scene: Scene, step: Triple, way: float) -> list[Touched]:
    """The scenes at distance `way` along the line and one unit in the last place beside it, in each coordinate.

    Coordinates that the line does not change stay as they are.
    """
    found = _moved_along(scene, step, way)
    scenes = [found]
    for axis, part in enumerate(step):
        if part != 0.0:
            scenes += [nudged(one, axis, ulps) for one in tuple(scenes) for ulps in (-1, 1)]
    return [Touched(one, separation_of(one)) for one in scenes]


def _cores(scene: Scene, what: str) -> tuple[Core, Core]:
    for name, body in (("A", scene.a), ("B", scene.b)):
        if not has_core(body):
            raise ValueError(f"{name} has no {what}.")
    core_a, core_b = cores_of(scene.a, scene.b)
    for core in (core_a, core_b):
        if not len(core.solid.edges):
            raise ValueError(f"{core.name} has no {what}.")
    return core_a, core_b


def _edge_pair(table: SatTable) -> tuple[int, int]:
    """Returns A's and B's edge line: of the deciding pair, else of the best pair that is not parallel yet.

    Raises ValueError if all pairs are parallel.
    """
    rows = [
        row
        for row, candidate in enumerate(table.candidates)
        if candidate.kind is AxisKind.EDGES and candidate.sine > PARALLEL_SIN
    ]
    if not rows:
        raise ValueError("No two edges are left to make parallel.")
    row = table.winner if table.winner in rows else max(rows, key=lambda row: table.separations[row])
    candidate = table.candidates[row]
    assert candidate.feature_a is not None
    assert candidate.feature_b is not None
    return candidate.feature_a, candidate.feature_b


def _edge_direction(core: Core, line: int) -> Array:
    """Unit vector (3,) along an edge line, in the world. Raises ValueError for a line that the core lacks."""
    edges = np.flatnonzero(core.edge_lines == line)
    if not len(edges):
        raise ValueError(f"{core.name} has no edge {line}.")
    along: Array = core.edge_units[int(edges[0])]
    return along


def _face_towards(body: Body, name: str, direction: Array) -> Array:
    """The outward unit normal (3,) of the body's face that looks most along `direction` (3,), both world.

    Raises ValueError for a body without faces.
    """
    plane = body.shape.plane
    if plane is not None:
        return body.pose.direction_to_world(plane.normal)
    normals = body.pose.direction_to_world(body.shape.face_normals)
    if not len(normals):
        raise ValueError(f"{name} has no faces.")
    face: Array = normals[int(dots(normals, direction).argmax())]
    return face


def _turned_onto(scene: Scene, wanted: Callable[[Scene], tuple[Array, Array]]) -> Scene:
    """The scene with B turned until the first of the two unit vectors that `wanted` returns equals the second.

    Rounding leaves a small angle. B is turned by that angle again, up to three times; the best scene is returned.
    """
    best, least = scene, inf
    turned = scene
    for _ in range(4):
        turned = replace(turned, b=replace(turned.b, rotation=_carried(turned.b.rotation, *wanted(turned))))
        left = length(np.subtract(*wanted(turned)))
        if left < least:
            best, least = turned, left
    return best


def _carried(rotation: Quaternion, start: Array, end: Array) -> Quaternion:
    """The rotation followed by the smallest one that takes the unit vector `start` (3,) to `end`."""
    middle = start + end
    size = length(middle)
    if size < 1e-8:
        # Opposite vectors: half a turn about any perpendicular.
        x, y, z = any_perpendicular(start).tolist()
        return normalized(multiply((0.0, x, y, z), rotation))
    middle = middle / size
    x, y, z = cross(start, middle).tolist()
    return normalized(multiply((dot(start, middle), x, y, z), rotation))


def _parallel_in_plane(scene: Scene) -> Scene:
    """The scene with B turned until the deciding edge is parallel to the other body's edge with the least angle to it.

    Raises ValueError for a circle, which has no edges, and for edges that are parallel already.
    """
    pair = _with_edges(scene)
    table = plane_sat(scene.a, scene.b)
    # The deciding axis may be that of the two closest corners, which belongs to no edge.
    rows = [row for row, it in enumerate(table.candidates) if it.kind is not AxisKind.CENTRES]
    winner = table.candidates[max(rows, key=lambda row: (row == table.winner, table.separations[row]))]
    of_a = winner.kind is AxisKind.FACE_A
    fixed, others = (pair.a, pair.b) if of_a else (pair.b, pair.a)
    edge = winner.feature_a if of_a else winner.feature_b
    assert edge is not None
    along = fixed.normals[edge]
    nearest = max(range(len(others.normals)), key=lambda k: abs(vec2.dot(along, others.normals[k])))
    one, other = (edge, nearest) if of_a else (nearest, edge)
    if abs(vec2.cross(pair.a.normals[one], pair.b.normals[other])) <= PARALLEL_SIN:
        raise ValueError("These edges are parallel already.")

    def wanted(found: PlanePair) -> tuple[Vec2, Vec2]:
        to, turned = found.a.normals[one], found.b.normals[other]
        return turned, to if vec2.dot(to, turned) >= 0.0 else negated(to)

    return _turned_in_plane(scene, wanted)


def _aligned_in_plane(scene: Scene) -> Scene:
    """The scene with B turned until the edges that face the other body have opposite normals.

    Raises ValueError for a circle, which has no edges, and for edges that face each other already.
    """
    pair = _with_edges(scene)
    normal = nearest_of_pair(pair).normal
    one, other = facing_edge(pair.a, normal), facing_edge(pair.b, negated(normal))

    def wanted(found: PlanePair) -> tuple[Vec2, Vec2]:
        return found.b.normals[other], negated(found.a.normals[one])

    if abs(vec2.cross(*wanted(pair))) <= PARALLEL_SIN and vec2.dot(*wanted(pair)) > 0.0:
        raise ValueError("The nearest edges are parallel already.")
    return _turned_in_plane(scene, wanted)


def _with_edges(scene: Scene) -> PlanePair:
    pair = PlanePair.of(scene.a, scene.b)
    for name, core in (("A", pair.a), ("B", pair.b)):
        if not core.normals:
            raise ValueError(f"{name} has no edges.")
    return pair


def _turned_in_plane(scene: Scene, wanted: Callable[[PlanePair], tuple[Vec2, Vec2]]) -> Scene:
    """The scene with B turned until the first of the two unit vectors that `wanted` returns equals the second.

    Rounding leaves a small angle. B is turned by that angle again, up to three times; the best scene is returned.
    """
    b = best = scene.b
    least = inf
    for _ in range(4):
        start, end = wanted(PlanePair.of(scene.a, b))
        b = replace(b, angle=b.angle + atan2(vec2.cross(start, end), vec2.dot(start, end)))
        left = abs(vec2.cross(*wanted(PlanePair.of(scene.a, b))))
        if left < least:
            best, least = b, left
    return replace(scene, b=best)
