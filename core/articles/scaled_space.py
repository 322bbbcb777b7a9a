"""The graphics book's mistakes about an ellipsoid before a plane, at rest, each alone.

Space is scaled until the ellipsoid is a unit sphere. A is the ellipsoid and B a half-space.
"""

from __future__ import annotations

from msgspec import Struct

from ..closed_form import closed_form
from ..geometry.quaternion import from_euler_xyz
from ..geometry.vector import Array, dot, length
from ..scene import Body, Scene, Triple
from ..shapes import Ellipsoid, HalfSpace
from ..verdict import verdict_of
from .comparison import ArticleVariant, plane_of, radii_of
from .separating_axes import offset, touching_band


class _Scaled(Struct, frozen=True, eq=False):
    """The plane in the ellipsoid's own axes, about its centre: `normal` (3,), and the centre's `distance` from it."""

    radii: Array
    normal: Array
    distance: float


def p13_normal_scaled_like_a_point(scene: Scene) -> str:
    """Whether they meet by the scaled space's distance from a plane whose normal is divided by the radii."""
    question = _question(scene)
    mistaken = question.normal / question.radii
    foot = -question.distance * question.normal / question.radii
    gap = -dot(mistaken / length(mistaken), foot) - 1.0
    return verdict_of(gap, touching_band(scene)).value


def p13_scaled_distance(scene: Scene) -> float:
    """The depth in the scaled space taken for that of the world; 0 where they are apart."""
    question = _question(scene)
    return max(0.0, 1.0 - question.distance / length(question.radii * question.normal))


def _question(scene: Scene) -> _Scaled:
    radii, plane = radii_of(scene.a), plane_of(scene.b, offset(scene))
    return _Scaled(radii, scene.a.pose.direction_to_local(plane.normal), -plane.offset)


def _right_verdict(scene: Scene) -> str:
    return verdict_of(_separation(scene), touching_band(scene)).value


def _right_depth(scene: Scene) -> float:
    return max(0.0, -_separation(scene))


def _separation(scene: Scene) -> float:
    _question(scene)
    found = closed_form(scene.a, scene.b)
    assert found is not None
    return found.separation


def _egg(name: str, radii: Triple, height: float, turn: Triple = (0.0, 0.0, 0.0)) -> Scene:
    """An ellipsoid over the ground y = 0."""
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
        "P13-normal-at-rest",
        "The plane's normal scaled like a point, at rest",
        p13_normal_scaled_like_a_point,
        _right_verdict,
        closed_form,
        "Normals scale by the inverse transpose: divided by the radii, the plane turns the wrong way.",
        (_SUNK,),
        (_UPRIGHT, _HIGH, _ROUND),
    ),
    ArticleVariant(
        "P13-scaled-distance",
        "A distance of the scaled space for one of the world",
        p13_scaled_distance,
        _right_depth,
        closed_form,
        "Times survive the scaling, distances do not: they come back multiplied by how far the ellipsoid reaches.",
        (_UPRIGHT, _SUNK),
        (_HIGH, _ROUND),
    ),
)
