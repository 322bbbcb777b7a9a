"""The article's worked example with its right trace, its slips, and our GJK's shorter way beside it."""

from __future__ import annotations

from msgspec import Struct

from ..geometry.vec2 import Vec2
from ..gjk.article_gjk import FIRST_DIRECTION, ArticleResult, ArticleStep, article_gjk_steps
from ..gjk.gjk import GjkResult, GjkSettings, GjkStep, gjk_steps
from ..minkowski.plane import MinkowskiPolygon, minkowski_difference
from ..pair.plane_cores import to_world
from ..pair.support import support_maps
from ..scene import Body, Scene
from ..shapes import Polygon
from ..trace import Recording, record

WORKED_EXAMPLE = Scene(
    Body.in_plane(Polygon(((0.0, 1.0), (1.0, -1.0), (-1.0, -1.0)))),
    Body.in_plane(Polygon(((0.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))),
    "The worked example",
    "Two triangles tip over tip. Of the differences of their vertices only three are corners of the Minkowski "
    "difference, and the second support is (0, -2), not (0, -3).",
)
"""A is listed clockwise, B counter-clockwise, as in the article: of equally far vertices the first listed is taken."""


class Slip(Struct, frozen=True):
    """A number that the article has wrong.

    `where`: in words; `pair`: the vertices it is the difference of, `printed` and `right` what is printed and what it
    is. `step`: number of the article's step that it belongs to, None for the table. `why`: one sentence.
    """

    where: str
    pair: str
    printed: Vec2
    right: Vec2
    step: int | None
    why: str


SLIPS = (
    Slip(
        "the second support",
        "BE",
        (0.0, -3.0),
        (0.0, -2.0),
        2,
        "No pair of vertices has the difference (0, -3): B - E is (0, -2), and the later steps inherit the slip.",
    ),
    Slip(
        "the table of differences",
        "BD",
        (-1.0, 0.0),
        (1.0, 0.0),
        None,
        "B - D is (1, -1) - (0, -1), and its first component is positive.",
    ),
)


def slips_about(scene: Scene) -> tuple[Slip, ...]:
    """The slips, where the scene's vertices lie where the example's do; none about another scene."""
    return SLIPS if _vertices(scene) == _vertices(WORKED_EXAMPLE) else ()


def _vertices(scene: Scene) -> list[list[Vec2]]:
    """Both bodies' vertices in the world, as they are listed; none of a circle."""
    return [[to_world(body, point) for point in getattr(body.shape, "points", ())] for body in (scene.a, scene.b)]


class WorkedExample(Struct, frozen=True, eq=False):
    """Both ways through the example from the same first direction, and the table of differences.

    `article`: the article's own rules, three supports and a triangle. `ours`: it asks whether the origin is on the
    segment first, and is done at its second step.
    """

    scene: Scene
    first_direction: Vec2
    difference: MinkowskiPolygon
    article: Recording[ArticleStep, ArticleResult]
    ours: Recording[GjkStep, GjkResult]
    slips: tuple[Slip, ...]


def worked_example() -> WorkedExample:
    """The example as it comes out right."""
    a, b = WORKED_EXAMPLE.a, WORKED_EXAMPLE.b
    difference = support_maps(a, b)
    return WorkedExample(
        scene=WORKED_EXAMPLE,
        first_direction=FIRST_DIRECTION,
        difference=minkowski_difference(a, b),
        article=record(article_gjk_steps(difference, FIRST_DIRECTION)),
        ours=record(gjk_steps(difference, GjkSettings(first_direction=(*FIRST_DIRECTION, 0.0)))),
        slips=SLIPS,
    )
