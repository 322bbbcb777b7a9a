"""The mistakes about separating axes, one in each function: of the article on the theorem and of the engine's manual.

The first part is the article's: two boxes, their axes and projections. The last part is the manual's: any two convex
polyhedra.

Between them is the graphics book's test of two boxes by visible faces. Up to three faces of each box look towards the
other box's centre. The other box's vertices nearest to a face's plane are tested: a vertex meets the face if it is
behind the plane and within the face's bounds. Edges are never tested. Each function raises TypeError for shapes that
its part is not about.
"""

from __future__ import annotations

from functools import lru_cache
from math import pi, sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ...closed_form import box_plane_contact
from ...geometry.elementary import sin_cos
from ...geometry.plane import Plane
from ...geometry.quaternion import Pose
from ...geometry.triple import Triple
from ...geometry.vector import Array, cross_rows, dot, dots, frozen, length_rows, product
from ...pair.candidate_axes import box_axes
from ...pair.pair import PairScale
from ...sat.sat import SatTable, sat
from ...scene import Body, Scene
from ...shapes import Box, Hull, Polyhedron
from ...verdict import Verdict, verdict_of
from .comparison import ArticleVariant, box_vertices, half_extents

Interval = tuple[float, float]
CUBE = Box((2.0, 2.0, 2.0))
_SIN, _COS = sin_cos(pi / 8.0)
HALF_RIGHT_ABOUT_Y = (_COS, 0.0, _SIN, 0.0)
HALF_RIGHT_ABOUT_Z = (_COS, 0.0, 0.0, _SIN)


def cubes(name: str, position: Triple, notes: str = "") -> Scene:
    """A scene with two cubes of side 2 parallel to the world's axes, A at the origin, B at `position`."""
    return Scene(Body(CUBE), Body(CUBE, position), name, notes)


def upright_against_lying(name: str, x: float) -> Scene:
    """A cube with an upright edge that faces a level edge of another cube; `x`: the distance of the centres.

    The edges touch at x = 2√2.
    """
    return Scene(Body(CUBE, rotation=HALF_RIGHT_ABOUT_Y), Body(CUBE, (x, 0.0, 0.0), HALF_RIGHT_ABOUT_Z), name)


def offset(scene: Scene) -> Array:
    """B's position relative to A's, (3,)."""
    return scene.b.pose.position - scene.a.pose.position


def touching_band(scene: Scene) -> float:
    """Half width of the touching band of a scene, scene units."""
    return PairScale.of(scene.a, scene.b).touching_band()


@lru_cache(maxsize=2)
def article_axes(scene: Scene) -> Array:
    """The fifteen axes (n, 3), unit; n is less than 15 if edges are exactly parallel: their products are left out."""
    axes, _ = box_axes(scene.a.pose.matrix, scene.b.pose.matrix)
    return frozen(axes[axes.any(axis=1)])


@lru_cache(maxsize=2)
def all_intervals(scene: Scene) -> tuple[tuple[Interval, Interval], ...]:
    """The intervals of A and B on each of the article's axes, relative to A's position."""
    return tuple(intervals(scene, axis) for axis in article_axes(scene))


def intervals(scene: Scene, axis: Array) -> tuple[Interval, Interval]:
    """Returns the projections of A and of B on an axis (3,), each `(min, max)`, relative to A's position."""
    of_a, of_b = ((float(along.min()), float(along.max())) for along in (dots(v, axis) for v in _vertices(scene)))
    return of_a, of_b


@lru_cache(maxsize=2)
def _vertices(scene: Scene) -> tuple[Array, Array]:
    """Returns A's and B's vertices (8, 3), relative to A's position, world axes."""
    found = []
    for body, at in ((scene.a, np.zeros(3)), (scene.b, offset(scene))):
        found.append(frozen(body.pose.direction_to_world(box_vertices(body)) + at))
    return found[0], found[1]


@lru_cache(maxsize=2)
def right_table(scene: Scene) -> SatTable:
    """SAT's table, cached for all variants that are compared with it."""
    return sat(scene.a, scene.b)


def right_verdict(scene: Scene) -> str:
    """SAT's verdict."""
    return str(right_table(scene).verdict)


def s5_touching_called_apart(scene: Scene) -> str:
    """Separated if, on some axis, the span of all four ends is at least the sum of both intervals' lengths."""
    for a, b in all_intervals(scene):
        ends = sorted((*a, *b))
        if ends[3] - ends[0] >= (a[1] - a[0]) + (b[1] - b[0]):
            return Verdict.SEPARATED.value
    return Verdict.OVERLAPPING.value


def s6_depth_by_middle_ends(scene: Scene) -> float:
    """The least distance, over the axes, between the two middle ones of the four ends; 0 unless the boxes overlap."""
    least = float("inf")
    for a, b in all_intervals(scene):
        if _ways_out(a, b)[2] <= 0.0:
            return 0.0
        ends = sorted((*a, *b))
        least = min(least, ends[2] - ends[1])
    return least


def s6_normal_by_lowest_end(scene: Scene) -> tuple[float, ...]:
    """The axis (3,) of least overlap, from A to B as if the box with the lowest end lay lower on the axis."""
    ends = all_intervals(scene)
    overlaps = [_ways_out(a, b)[2] for a, b in ends]
    least = overlaps.index(min(overlaps))
    a, b = ends[least]
    side = 1.0 if a[0] <= b[0] else -1.0
    return tuple((side * article_axes(scene)[least]).tolist())


def s6_search_from_10000(scene: Scene) -> float:
    """The least overlap, found by a search that starts from the length of the vector (10000, 10000, 10000).

    0 unless the boxes overlap.
    """
    best = 10000.0 * sqrt(3.0)
    for a, b in all_intervals(scene):
        overlap = _ways_out(a, b)[2]
        if overlap <= 0.0:
            return 0.0
        best = min(best, overlap)
    return best


def _ways_out(a: Interval, b: Interval) -> tuple[float, float, float]:
    """Returns how far B must move up the axis to leave A, how far down the axis, and the smaller of the two."""
    up, down = a[1] - b[0], b[1] - a[0]
    return up, down, min(up, down)


def _right_depth(scene: Scene) -> float:
    return max(0.0, -right_table(scene).separation)


_SMALL = Box((0.4, 0.4, 0.4))
_APART = cubes("Two cubes apart", (3.0, 0.5, 0.25))
_SHALLOW = cubes("Two cubes that overlap a little", (1.75, 0.5, 0.25))

SEPARATING_AXES = (
    ArticleVariant(
        id="S5-touching-apart",
        title="Touching is reported as apart",
        article=s5_touching_called_apart,
        right=right_verdict,
        why="At an exact touch the whole span equals both lengths together, which is no gap and no overlap.",
        breaks=(cubes("Two cubes touch face to face", (2.0, 0.0, 0.0)),),
        agrees=(_APART, _SHALLOW, upright_against_lying("Edge before edge", 3.0)),
    ),
    ArticleVariant(
        id="S6-middle-ends",
        title="Depth as the distance of the two middle ends",
        article=s6_depth_by_middle_ends,
        right=_right_depth,
        why="If one interval contains the other, both middle ends are the inner one's: its length, not the depth.",
        breaks=(Scene(Body(CUBE), Body(_SMALL, (0.25, 0.0, 0.0)), "A small cube inside a large one"),),
        agrees=(_APART, _SHALLOW),
    ),
    ArticleVariant(
        id="S6-lowest-end",
        title="Normal chosen by the lowest end",
        article=s6_normal_by_lowest_end,
        right=lambda scene: tuple(right_table(scene).normal.tolist()),
        why="The containing interval always has the lowest end, even if the shorter way out is downwards.",
        breaks=(
            Scene(Body(CUBE), Body(_SMALL, (-0.7, 0.0, 0.0)), "A small cube inside a large one, near its left side"),
        ),
        agrees=(_SHALLOW, cubes("Two cubes, B on the left", (-1.75, 0.5, 0.25))),
    ),
    ArticleVariant(
        id="S6-search-from-10000",
        title="The search starts from (10000, 10000, 10000)",
        article=s6_search_from_10000,
        right=_right_depth,
        why="No depth larger than the starting vector's 17320.5 can replace it, so that constant is the answer.",
        breaks=(
            Scene(Body(Box((4e4, 4e4, 4e4))), Body(Box((4e4, 4e4, 4e4)), (1e4, 0.0, 0.0)), "Two cubes of side 40000"),
        ),
        agrees=(_APART, _SHALLOW),
    ),
)


class FaceInView(Struct, frozen=True, eq=False):
    """One face that counts as visible.

    `body`: 0 for a face of A, 1 for one of B. `axis`: 0 to 2, the box axis of the face's normal; `side`: +1 or -1 along
    it. `points` (k, 3): the other box's vertices nearest to the face's plane (k = 1, 2 or 4), world. `distance`: their
    signed distance from the plane, negative behind it. `within` (k,): whether each is inside the face's bounds.
    """

    body: int
    axis: int
    side: float
    points: Array
    distance: float
    within: NDArray[np.bool_]

    @property
    def meets(self) -> bool:
        """Whether one of the points is behind the plane and within the bounds."""
        return self.distance <= 0.0 and bool(self.within.any())


def faces_in_view(scene: Scene, towards: float = 1.0) -> tuple[FaceInView, ...]:
    """The faces of A, then of B, whose normals have an acute angle to the vector to the other box's centre.

    With `towards` = -1: an obtuse angle, as in the chapter's test of visibility. Raises TypeError unless both are
    boxes.
    """
    ways = ((scene.a, scene.b, offset(scene)), (scene.b, scene.a, -offset(scene)))
    found: list[FaceInView] = []
    for number, (body, other, way) in enumerate(ways):
        found.extend(_in_view(number, body, other, way, towards))
    return tuple(found)


def _in_view(number: int, body: Body, other: Body, way: Array, towards: float) -> list[FaceInView]:
    half, axes = half_extents(body), body.pose.matrix.T
    placed = Pose(way, other.pose.matrix)
    found = []
    for k in range(3):
        for side in (1.0, -1.0):
            normal = side * axes[k]
            if towards * dot(normal, way) <= 0.0:
                continue
            contact = box_plane_contact(placed, half_extents(other), Plane(normal, float(half[k])))
            inside = np.abs(product(contact.points, axes.T)) <= half
            inside[:, k] = True
            within = np.asarray(inside.all(axis=1))
            at = frozen(contact.points + body.pose.position)
            found.append(FaceInView(number, k, side, at, contact.separation, within))
    return found


def v5_faces_only(scene: Scene) -> str:
    """The planes test in 3D: separated if all vertices of a body are in front of a face of the other.

    Raises TypeError for other shapes than polyhedra with a volume.
    """
    a, b = _polyhedra(scene)
    return (Verdict.SEPARATED if _faces_gap(a, b) > 0.0 else Verdict.OVERLAPPING).value


def v6_touching_faces_called_apart(scene: Scene) -> str:
    """The verdict of face and edge tests, if a point on a face's plane counts as in front; the edge test is right.

    Raises TypeError for other shapes than polyhedra with a volume.
    """
    a, b = _polyhedra(scene)
    if _faces_gap(a, b) >= 0.0:
        return Verdict.SEPARATED.value
    return verdict_of(max(_faces_gap(a, b), _edges_gap(a, b)), touching_band(scene)).value


def v6_touching_edges_called_overlapping(scene: Scene) -> str:
    """The verdict of face and edge tests, if intervals that only touch on an edge axis count as overlapping.

    The face test is right. Raises TypeError for other shapes than polyhedra with a volume.
    """
    a, b = _polyhedra(scene)
    on_faces, on_edges = verdict_of(_faces_gap(a, b), touching_band(scene)), _edges_gap(a, b)
    if on_faces is Verdict.SEPARATED or on_edges > 0.0:
        return Verdict.SEPARATED.value
    return on_faces.value


def planes_and_edges(scene: Scene) -> str:
    """The right verdict of face and edge tests, which may be touching.

    Raises TypeError for other shapes than polyhedra with a volume.
    """
    a, b = _polyhedra(scene)
    return verdict_of(max(_faces_gap(a, b), _edges_gap(a, b)), touching_band(scene)).value


def _polyhedra(scene: Scene) -> tuple[Polyhedron, Polyhedron]:
    """Returns the polyhedra of A and B, relative to A's position, world axes. Raises TypeError for other shapes."""
    found = []
    for body, at in ((scene.a, 0.0 * offset(scene)), (scene.b, offset(scene))):
        solid = body.shape.polyhedron
        if solid is None or len(solid.faces) <= 2:
            raise TypeError("the manual's version is about polyhedra with a volume")
        found.append(solid.placed(body.pose.matrix, at))
    return found[0], found[1]


def _faces_gap(a: Polyhedron, b: Polyhedron) -> float:
    """The largest separation over the faces: the other body's least signed distance from the face's plane."""
    gaps = [product(other.vertices, own.normals.T).min(axis=0) - own.offsets for own, other in ((a, b), (b, a))]
    return max(float(gap.max()) for gap in gaps)


def _edges_gap(a: Polyhedron, b: Polyhedron) -> float:
    """The largest gap between the projections on the cross products of all pairs of edges; negative for overlaps."""
    products = cross_rows(a.edge_directions()[:, None], b.edge_directions()[None]).reshape(-1, 3)
    sizes = length_rows(products)
    axes: Array = products[sizes > 0.0] / sizes[sizes > 0.0, None]
    on_a, on_b = product(a.vertices, axes.T), product(b.vertices, axes.T)
    gaps = [on_b.min(axis=0) - on_a.max(axis=0), on_a.min(axis=0) - on_b.max(axis=0)]
    return max(float(gap.max(initial=-float("inf"))) for gap in gaps)


_UPRIGHT = Hull(((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (-1.0, 0.0, 1.0), (-1.0, 0.0, -1.0)))
_LEVEL = Hull(((0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 1.0, 0.0), (1.0, -1.0, 0.0)))
_DEEP = cubes("Two cubes, one in the other's corner", (1.75, 1.5, 1.25))
_KISS = cubes("Two cubes touch face to face", (2.0, 0.0, 0.0))
_EDGES_KISS = Scene(Body(_UPRIGHT), Body(_LEVEL), "Two tetrahedra touch edge to edge")

ENGINE_MANUAL = (
    ArticleVariant(
        id="V5-faces-only",
        title="Only the faces' planes, in three dimensions",
        article=v5_faces_only,
        right=planes_and_edges,
        why="With edge in front of edge, no face has all of the other box in front: only the edges' cross product "
        "separates them.",
        breaks=(upright_against_lying("Edge before edge", 2.875),),
        agrees=(_APART, _DEEP, Scene(Body(CUBE), Body(_UPRIGHT, (4.0, 0.0, 0.0)), "A cube and a tetrahedron")),
    ),
    ArticleVariant(
        id="V6-touching-faces-apart",
        title="The face test reports touching as apart",
        article=v6_touching_faces_called_apart,
        right=planes_and_edges,
        why="Points exactly on a face's plane are not in front of it.",
        breaks=(_KISS,),
        agrees=(_APART, _DEEP, _EDGES_KISS),
    ),
    ArticleVariant(
        id="V6-touching-edges-overlapping",
        title="The edge test reports touching as overlapping",
        article=v6_touching_edges_called_overlapping,
        right=planes_and_edges,
        why="Intervals that share one point have no gap and no overlap, and the test asks only for a gap.",
        breaks=(_EDGES_KISS,),
        agrees=(_APART, _DEEP, _KISS),
    ),
)
