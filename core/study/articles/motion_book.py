"""The mistakes about bodies at rest in the graphics book's chapter on collision, one in each function.

Here is also a false separation known from engines: a box test in single precision, on cross products of edges that are
not normalised. In the variants about an ellipsoid and a plane, A is the ellipsoid and B a half-space. Space is scaled
so that the ellipsoid becomes a unit sphere. Each function raises TypeError for shapes that its question is not about.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ...closed_form import box_plane_contact, closed_form
from ...geometry.plane import Plane
from ...geometry.quaternion import Pose, from_axis_angle, from_euler_xyz
from ...geometry.triple import Triple
from ...geometry.vector import Array, dot, length
from ...scene import Body, Scene
from ...shapes import Box, Ellipsoid, HalfSpace
from ...verdict import Verdict, verdict_of
from .comparison import ArticleVariant, half_extents, plane_of, radii_of
from .separating_axes import (
    CUBE,
    article_axes,
    cubes,
    faces_in_view,
    offset,
    right_verdict,
    touching_band,
    upright_against_lying,
)


def p3_zero_by_equality(scene: Scene) -> int:
    """Returns the number of vertices of box A that are nearest to the plane of half-space B.

    Each box axis perpendicular to the plane's normal doubles it. The mistake: only a dot product of exactly 0 counts
    as perpendicular.
    """
    along = scene.a.pose.direction_to_local(_plane_of_b(scene).normal)
    return 1 << int(np.count_nonzero(along == 0.0))


def p6_bounded_faces(scene: Scene) -> str:
    """Overlapping if a vertex of one box is behind a visible face of the other and within its bounds, else separated.

    Only the vertices nearest to the face's plane are tested.
    """
    return _faces_in_view(scene, 1.0)


def p6_visibility_turned_round(scene: Scene) -> str:
    """`p6_bounded_faces` with the chapter's test of visibility, which selects faces that look away from the other."""
    return _faces_in_view(scene, -1.0)


def p7_without_absolute_value(scene: Scene) -> str:
    """Separated if `l·(cA - cB) > reA + reB` on one of the fifteen axes l, whose signs are arbitrary.

    `cA`, `cB`: the centres. `reA`, `reB`: the effective radii along l.
    """
    apart = any(-dot(axis, offset(scene)) > _radii(scene, axis) for axis in article_axes(scene))
    return (Verdict.SEPARATED if apart else Verdict.OVERLAPPING).value


def p7_touching_called_disjoint(scene: Scene) -> str:
    """Separated if `|l·(cA - cB)| >= reA + reB` on one of the fifteen axes l."""
    apart = any(abs(dot(axis, offset(scene))) >= _radii(scene, axis) for axis in article_axes(scene))
    return (Verdict.SEPARATED if apart else Verdict.OVERLAPPING).value


def p7_unnormalised_axes_in_float32(scene: Scene) -> str:
    """The fifteen tests as engines write them: edge products not normalised, in single precision.

    Sums are written term by term, so that every platform rounds them alike.
    """
    frame_a, frame_b = (body.pose.matrix.astype(np.float32) for body in (scene.a, scene.b))
    half_a, half_b = (half_extents(body).astype(np.float32) for body in (scene.a, scene.b))
    away = offset(scene).astype(np.float32)
    products = frame_a[:, :, None] * frame_b[:, None, :]
    turn = products[0] + products[1] + products[2]
    shifts = frame_a * away[:, None]
    shift = shifts[0] + shifts[1] + shifts[2]
    size = np.abs(turn)
    for i in range(3):
        reach_b = half_b[0] * size[i, 0] + half_b[1] * size[i, 1] + half_b[2] * size[i, 2]
        if abs(shift[i]) > half_a[i] + reach_b:
            return Verdict.SEPARATED.value
        reach_a = half_a[0] * size[0, i] + half_a[1] * size[1, i] + half_a[2] * size[2, i]
        if abs(shift[0] * turn[0, i] + shift[1] * turn[1, i] + shift[2] * turn[2, i]) > half_b[i] + reach_a:
            return Verdict.SEPARATED.value
    for i in range(3):
        for j in range(3):
            i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
            reach_a = half_a[i1] * size[i2, j] + half_a[i2] * size[i1, j]
            reach_b = half_b[j1] * size[i, j2] + half_b[j2] * size[i, j1]
            if abs(shift[i2] * turn[i1, j] - shift[i1] * turn[i2, j]) > reach_a + reach_b:
                return Verdict.SEPARATED.value
    return Verdict.OVERLAPPING.value


def _plane_of_b(scene: Scene) -> Plane:
    """The boundary plane of half-space B, relative to A's position."""
    return plane_of(scene.b, offset(scene))


def _vertices_on_plane(scene: Scene) -> int:
    at_origin = Pose(np.zeros(3), scene.a.pose.matrix)
    return len(box_plane_contact(at_origin, half_extents(scene.a), _plane_of_b(scene)).points)


def _radii(scene: Scene, axis: Array) -> float:
    """The sum of both boxes' effective radii along an axis (3,)."""
    return sum(dot(np.abs(body.pose.direction_to_local(axis)), half_extents(body)) for body in (scene.a, scene.b))


def _faces_in_view(scene: Scene, towards: float) -> str:
    """Overlapping if one of the faces in view meets a vertex, else separated. `towards`: see `faces_in_view`."""
    meets = any(face.meets for face in faces_in_view(scene, towards))
    return (Verdict.OVERLAPPING if meets else Verdict.SEPARATED).value


def _on_the_ground(name: str, rotation: tuple[float, float, float, float]) -> Scene:
    box = Body(Box((2.0, 1.0, 3.0)), (0.0, 1.0, 0.0), rotation)
    return Scene(box, Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), name)


_SKEW = from_euler_xyz(0.5, 0.7, -0.3)
# Quaternions as literals: the rounding errors that these scenes show must not depend on a platform's sine.
_QUARTER_TURN = (0.7071067811865476, 0.0, 0.0, 0.7071067811865475)
_TURNED = (0.7803300858899106, -0.5561862178478972, -0.2803300858899106, 0.05618621784789726)
_TURNED_A_HAIR_MORE = (0.7803300999064139, -0.5561862206572075, -0.28033004687340596, 0.0561861900385863)
_APART = cubes("Two cubes apart", (3.0, 0.5, 0.25))
_CORNER = cubes("A corner inside a cube", (1.75, 1.5, 1.25))

MOTION_BOOK = (
    ArticleVariant(
        id="P3-zero-by-equality",
        title="A zero dot product without a tolerance",
        article=p3_zero_by_equality,
        right=_vertices_on_plane,
        why="A turn by 90 degrees leaves a dot product of 2e-16, and a box that lies flat seems to stand on an edge.",
        breaks=(_on_the_ground("A box after a quarter turn", _QUARTER_TURN),),
        agrees=(
            _on_the_ground("A box as it is", (1.0, 0.0, 0.0, 0.0)),
            _on_the_ground("A box on an edge", from_axis_angle((0.0, 0.0, 1.0), 0.5)),
            _on_the_ground("A box on a corner", from_axis_angle((0.6, 0.0, 0.8), 0.5)),
        ),
    ),
    ArticleVariant(
        id="P6-bounded-faces",
        title="Bounded faces miss edge-edge contact",
        article=p6_bounded_faces,
        right=right_verdict,
        why="If two boxes cross at skew edges, no vertex of one is inside the other, and nothing tests edges.",
        breaks=(upright_against_lying("Two cubes cross, edge through edge", 2.75),),
        agrees=(_APART, _CORNER, cubes("A small step aside", (0.5, 0.25, 0.125))),
    ),
    ArticleVariant(
        id="P6-visibility",
        title="Back faces are taken for the visible ones",
        article=p6_visibility_turned_round,
        right=right_verdict,
        why="The faces towards the other box have a positive dot product; the published test keeps the negative ones.",
        breaks=(
            Scene(
                Body(CUBE),
                Body(Box((0.5, 0.5, 0.5)), (5.0, 0.25, 0.125)),
                "A small cube far away, straight in front of a face",
            ),
        ),
        agrees=(
            cubes("Two cubes far apart, corner to corner", (5.0, 5.0, 5.0)),
            cubes("Nearly one", (0.25, 0.125, 0.0625)),
        ),
    ),
    ArticleVariant(
        id="P7-absolute-value",
        title="Centre distance without its absolute value",
        article=p7_without_absolute_value,
        right=right_verdict,
        why="If B lies on the positive side of every separating axis, the product is negative and no test can succeed.",
        breaks=(Scene(Body(CUBE), Body(CUBE, (2.75, 0.25, 0.125), _SKEW), "B on the positive side of A's x axis"),),
        agrees=(
            Scene(Body(CUBE), Body(CUBE, (-2.75, 0.25, 0.125), _SKEW), "B on the negative side of A's x axis"),
            _CORNER,
        ),
    ),
    ArticleVariant(
        id="P7-touching-disjoint",
        title="Touching is reported as disjoint",
        article=p7_touching_called_disjoint,
        right=right_verdict,
        why="At an exact touch both sides of the test are equal, and >= counts that as a gap.",
        breaks=(cubes("Two cubes touch face to face", (2.0, 0.0, 0.0)),),
        agrees=(_APART, _CORNER),
    ),
    ArticleVariant(
        id="P7-float32-radius-form",
        title="Radii projected on an axis without unit length, in float32",
        article=p7_unnormalised_axes_in_float32,
        right=right_verdict,
        why="The cross product of nearly parallel edges is as short as rounding, and so are both sides of the test.",
        breaks=(
            Scene(
                Body(CUBE, rotation=_TURNED),
                Body(CUBE, (1.0, 0.5, 0.25), _TURNED_A_HAIR_MORE),
                "Two cubes turned alike but for 1e-7 rad",
            ),
        ),
        agrees=(_APART, _CORNER, upright_against_lying("Edge in front of edge", 3.0)),
    ),
)


class _EllipsoidAndPlane(Struct, frozen=True, eq=False):
    """An ellipsoid's `radii` (3,) and a plane in the ellipsoid's frame, before scaling.

    `normal` (3,): unit. `distance`: of the ellipsoid's centre from the plane, positive on the normal's side.
    """

    radii: Array
    normal: Array
    distance: float


def p13_normal_scaled_like_a_point(scene: Scene) -> str:
    """The verdict from the distance in scaled space, with the plane's normal divided by the radii, as points are."""
    question = _question(scene)
    mistaken = question.normal / question.radii
    foot = -question.distance * question.normal / question.radii
    gap = -dot(mistaken / length(mistaken), foot) - 1.0
    return verdict_of(gap, touching_band(scene)).value


def p13_scaled_distance(scene: Scene) -> float:
    """The penetration depth in scaled space, taken for the one in the world; 0 for bodies apart."""
    question = _question(scene)
    return max(0.0, 1.0 - question.distance / length(question.radii * question.normal))


def _question(scene: Scene) -> _EllipsoidAndPlane:
    radii, plane = radii_of(scene.a), plane_of(scene.b, offset(scene))
    return _EllipsoidAndPlane(radii, scene.a.pose.direction_to_local(plane.normal), -plane.offset)


def _separation(scene: Scene) -> float:
    _question(scene)
    found = closed_form(scene.a, scene.b)
    assert found is not None
    return found.separation


def _egg(name: str, radii: Triple, height: float, turn: Triple = (0.0, 0.0, 0.0)) -> Scene:
    """A scene with an ellipsoid at `height` over the ground y = 0, turned by Euler angles xyz, radians."""
    return Scene(
        Body(Ellipsoid(radii), (0.0, height, 0.0), from_euler_xyz(*turn)), Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), name
    )


_TILTED = (0.3, 0.2, 0.6)
_UPRIGHT = _egg("An upright egg, half in the ground", (1.0, 2.0, 0.5), 1.0)
_HIGH = _egg("An egg high above the ground", (2.0, 0.5, 1.0), 9.0, _TILTED)
_SUNK = _egg("A tilted egg a little in the ground", (2.0, 0.5, 1.0), 1.0, _TILTED)
_ROUND = _egg("A round egg in the ground", (1.0, 1.0, 1.0), 0.5, _TILTED)

SCALED_SPACE = (
    ArticleVariant(
        id="P13-normal-at-rest",
        title="The plane's normal scaled like a point, at rest",
        article=p13_normal_scaled_like_a_point,
        right=lambda scene: verdict_of(_separation(scene), touching_band(scene)).value,
        why="Normals scale by the inverse transpose: divided by the radii, the plane turns the wrong way.",
        breaks=(_SUNK,),
        agrees=(_UPRIGHT, _HIGH, _ROUND),
    ),
    ArticleVariant(
        id="P13-scaled-distance",
        title="A distance in scaled space, taken as one in the world",
        article=p13_scaled_distance,
        right=lambda scene: max(0.0, -_separation(scene)),
        why="Scaling keeps times, but distances must be multiplied by how far the ellipsoid reaches along the normal.",
        breaks=(_UPRIGHT, _SUNK),
        agrees=(_HIGH, _ROUND),
    ),
)
