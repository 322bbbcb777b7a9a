"""The articles' mistakes in 2D, one in each function, and the slips (misprints) in an article's worked example.

The functions about polygons and about the worked example raise TypeError for other shapes.
"""

from __future__ import annotations

from msgspec import Struct

from ...analysis.analysis import analyse
from ...geometry.vec2 import Vec2, negated
from ...geometry.vec2 import add as plus
from ...geometry.vec2 import sub as minus
from ...gjk.article_gjk import FIRST_DIRECTION, Outward, article_gjk, article_gjk_steps
from ...minkowski.plane import pair_name
from ...pair.cores import to_world
from ...pair.support import support_maps
from ...sat.plane import plane_sat
from ...sat.separating_planes import planes_test
from ...sat.table import SatTable
from ...scene import Body, Scene
from ...shapes import Circle, Polygon
from ...trace import record
from ...verdict import Verdict
from .comparison import ArticleVariant, polygon_of, registry

WORKED_EXAMPLE = Scene(
    Body.in_plane(Polygon(((0.0, 1.0), (1.0, -1.0), (-1.0, -1.0)))),
    Body.in_plane(Polygon(((0.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))),
    "The worked example",
    "Two triangles tip over tip. Of the differences of their vertices only three are corners of the Minkowski "
    "difference, and the second support is (0, -2), not (0, -3).",
)
"""A is listed clockwise and B counter-clockwise, as in the article.

The order matters: of equally far vertices the first is the support point.
"""


class Slip(Struct, frozen=True):
    """A difference of two vertices that the article prints wrong.

    `where`: its place in the article, in words. `pair`: the names of the two vertices. `printed`, `right`: the printed
    and the right difference. `step`: the number of its step in the article, None for the table. `why`: one sentence.
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
    """The slips if the scene has exactly the vertices of the worked example, world; empty for another scene."""
    return SLIPS if _vertices(scene) == _vertices(WORKED_EXAMPLE) else ()


def is_worked_example(scene: Scene) -> bool:
    """Whether the shapes are the worked example's triangles, with the vertices in the same order, in any poses."""
    return all(
        _from_first(body) == _from_first(own)
        for body, own in ((scene.a, WORKED_EXAMPLE.a), (scene.b, WORKED_EXAMPLE.b))
    )


def _from_first(body: Body) -> list[Vec2]:
    """A polygon's points relative to its first point, body frame; empty for a circle."""
    points = _points(body)
    return [minus(point, points[0]) for point in points]


def _points(body: Body) -> tuple[Vec2, ...]:
    """A polygon's points, body frame; empty for a circle."""
    return getattr(body.shape, "points", ())


def _vertices(scene: Scene) -> list[list[Vec2]]:
    """Returns A's and B's vertices, world, as listed; an empty list for a circle."""
    return [[to_world(body, point) for point in _points(body)] for body in (scene.a, scene.b)]


DIRECTIONS = (("+x", (1.0, 0.0)), ("+y", (0.0, 1.0)), ("−x", (-1.0, 0.0)), ("−y", (0.0, -1.0)))
"""Names and vectors of the first directions with which `g4_touching_by_path` runs GJK."""


def g4_touching_by_path(scene: Scene) -> str:
    """The article's GJK run with four first directions: for each, whether the bodies meet.

    The exit on a dot product `<= 0` makes the answer for touching bodies depend on the path.
    """
    difference = support_maps(scene.a, scene.b, rounded="full")
    found = (article_gjk(difference, direction).meet for _, direction in DIRECTIONS)
    return _answers(["yes" if meet else "no" for meet in found])


def meets(scene: Scene) -> str:
    """Whether the bodies meet, touching included, in the form of `g4_touching_by_path`: four equal answers."""
    meet = analyse(scene).verdict is not Verdict.SEPARATED
    return _answers(["yes" if meet else "no"] * len(DIRECTIONS))


def g4_perpendicular_by_third_point(scene: Scene) -> str:
    """The path of the article's GJK. In its triangle case the third point itself decides a perpendicular's side."""
    return _path(scene, Outward.THIRD_POINT)


def path_by_edge(scene: Scene) -> str:
    """The path of GJK with the mistake corrected: the third point relative to the edge decides the side."""
    return _path(scene, Outward.FROM_EDGE)


def g5_second_support(scene: Scene) -> str:
    """The second support point, computed with B's vertex relative to B's first vertex.

    Its direction is the negated first one. For the worked example the result is (0, -3), as the article prints; no
    pair of vertices has this difference. Raises TypeError unless both bodies are triangles.
    """
    name, point, corner = _second_support(scene)
    return f"{name} {_point_words(plus(point, corner))}"


def second_support(scene: Scene) -> str:
    """The names of the second support point's two vertices, and the point itself.

    Raises TypeError unless both bodies are triangles.
    """
    name, point, _ = _second_support(scene)
    return f"{name} {_point_words(point)}"


def g5_sign_in_the_table(scene: Scene) -> str:
    """The difference of A's second and B's first vertex (BD), with the wrong sign of its first component.

    Raises TypeError unless both bodies are triangles.
    """
    name, (x, y) = _entry(scene)
    return f"{name} {_point_words((0.0 - x, y))}"


def table_entry(scene: Scene) -> str:
    """The difference of A's second and B's first vertex (BD). Raises TypeError unless both bodies are triangles."""
    name, point = _entry(scene)
    return f"{name} {_point_words(point)}"


def v5_touching_called_apart(scene: Scene) -> str:
    """The verdict of the planes test if a point on a plane counts as in front of it."""
    found = planes_test(scene.a, scene.b)
    return (Verdict.SEPARATED if found.gap >= 0.0 else Verdict.OVERLAPPING).value


def planes_verdict(scene: Scene) -> str:
    """The right verdict of the planes test, which may be touching."""
    return planes_test(scene.a, scene.b).verdict.value


def v6_touching_called_overlapping(scene: Scene) -> str:
    """The verdict of the projections if only a gap is tested; intervals that share one point count as overlapping."""
    gap = float(_projections(scene).separations.max())
    return (Verdict.SEPARATED if gap > 0.0 else Verdict.OVERLAPPING).value


def projections_verdict(scene: Scene) -> str:
    """The right verdict of the projections, which may be touching."""
    return _projections(scene).verdict.value


def _projections(scene: Scene) -> SatTable:
    _both_polygons(scene)
    return plane_sat(scene.a, scene.b)


def _both_polygons(scene: Scene) -> tuple[list[Vec2], list[Vec2]]:
    return polygon_of(scene.a), polygon_of(scene.b)


def _both_triangles(scene: Scene) -> tuple[list[Vec2], list[Vec2]]:
    a, b = _both_polygons(scene)
    if not len(a) == len(b) == 3:
        raise TypeError("the worked example is about triangles")
    return a, b


def _second_support(scene: Scene) -> tuple[str, Vec2, Vec2]:
    """Returns the names of the second support point's two vertices, the point itself, and B's first vertex, world.

    Raises TypeError unless both bodies are triangles.
    """
    a, b = _both_triangles(scene)
    found = support_maps(scene.a, scene.b).support((*negated(FIRST_DIRECTION), 0.0))
    name = pair_name(found.vertex_a, found.vertex_b, len(a), len(b))
    return name, found.xy, to_world(scene.b, b[0])


def _entry(scene: Scene) -> tuple[str, Vec2]:
    a, b = _both_triangles(scene)
    point = minus(to_world(scene.a, a[1]), to_world(scene.b, b[0]))
    return pair_name(1, 0, len(a), len(b)), point


def _point_words(point: Vec2) -> str:
    """A point in words: `(0, −2)`."""
    return f"({', '.join(f'{value + 0.0:.6g}' for value in point)})".replace("-", "−")


def _answers(words: list[str]) -> str:
    return ", ".join(f"{name} {word}" for (name, _), word in zip(DIRECTIONS, words, strict=True))


def _path(scene: Scene, outward: Outward) -> str:
    """The supports in order, such as `AD BE CE`, and the answer."""
    difference = support_maps(scene.a, scene.b, rounded="full")
    counts = [1 if body.shape.core is None else len(body.shape.core.points) for body in (scene.a, scene.b)]
    recording = record(article_gjk_steps(difference, FIRST_DIRECTION, outward))
    names = [pair_name(step.support.vertex_a, step.support.vertex_b, *counts) for step in recording.steps]
    meet = None if recording.result is None else recording.result.meet
    return " ".join(names) + f": {'no answer' if meet is None else 'yes' if meet else 'no'}"


def _triangle(*points: tuple[float, float]) -> Body:
    return Body.in_plane(Polygon(points))


_SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
_KISS = Scene(Body.in_plane(_SQUARE), Body.in_plane(_SQUARE, (2.0, 0.0)), "Two squares touch side to side")
_CORNERS_KISS = Scene(Body.in_plane(_SQUARE), Body.in_plane(_SQUARE, (2.0, 2.0)), "Two squares touch corner to corner")
_APART = Scene(Body.in_plane(_SQUARE), Body.in_plane(_SQUARE, (3.0, 0.5)), "Two squares apart")
_DEEP = Scene(Body.in_plane(_SQUARE), Body.in_plane(_SQUARE, (1.25, 0.5)), "Two squares, one in the other's side")
_ROUND = Scene(Body.in_plane(_SQUARE), Body.in_plane(Circle(1.0), (1.5, 0.25)), "A circle in a square's side")
_ANOTHER_WAY = Scene(
    _triangle((0.0, -1.0), (1.0, -1.0), (0.0, 0.0)),
    _triangle((-1.0, 2.0), (3.0, 2.0), (0.0, 1.0)),
    "Two triangles apart, and another way to find out",
)
_AT_ORIGIN = Scene(
    _triangle((-1.0, -1.0), (0.0, 0.5), (1.0, -1.0)),
    _triangle((0.0, 0.0), (1.0, 2.0), (-1.0, 2.0)),
    "A triangle whose first vertex is the origin, before one whose second vertex is straight above it",
)
_BACK_TO_START = Scene(
    _triangle((-2.0, 0.0), (2.0, -2.0), (1.0, 0.0)),
    _triangle((-1.0, 0.0), (2.0, 2.0), (-2.0, 2.0)),
    "Two triangles, a corner asked twice",
)

PLANAR_VARIANTS = registry(
    ArticleVariant(
        id="G4-touching-by-path",
        title="The answer for touching depends on the path",
        article=g4_touching_by_path,
        right=meets,
        why="A support point on the line through the origin does not pass it, and whether the test finds one "
        "depends on "
        "the path.",
        breaks=(_KISS, _CORNERS_KISS),
        agrees=(_APART, _DEEP, _ROUND, WORKED_EXAMPLE),
    ),
    ArticleVariant(
        id="G4-perpendicular-by-third-point",
        title="A perpendicular with the wrong sign",
        article=g4_perpendicular_by_third_point,
        right=path_by_edge,
        why="The side of the third point follows from its vector from the edge, not from its vector from the origin.",
        breaks=(_ANOTHER_WAY, _BACK_TO_START),
        agrees=(_APART, _DEEP, WORKED_EXAMPLE),
    ),
    ArticleVariant(
        id="G5-second-support",
        title="A support point that no pair of vertices gives",
        article=g5_second_support,
        right=second_support,
        why="With B's vertices counted from its first one, (0, −2) becomes the (0, −3) of the worked example.",
        breaks=(WORKED_EXAMPLE,),
        agrees=(_AT_ORIGIN,),
    ),
    ArticleVariant(
        id="G5-sign-in-the-table",
        title="A sign in the table of differences",
        article=g5_sign_in_the_table,
        right=table_entry,
        why="The entry is A's vertex minus B's: the other way round, the sign changes.",
        breaks=(WORKED_EXAMPLE,),
        agrees=(_AT_ORIGIN,),
    ),
    ArticleVariant(
        id="V5-touching-apart",
        title="The planes test reports touching as apart",
        article=v5_touching_called_apart,
        right=planes_verdict,
        why="Points exactly on an edge's plane are not in front of it.",
        breaks=(_KISS, _CORNERS_KISS),
        agrees=(_APART, _DEEP, WORKED_EXAMPLE),
    ),
    ArticleVariant(
        id="V6-touching-overlapping",
        title="The projection test reports touching as overlapping",
        article=v6_touching_called_overlapping,
        right=projections_verdict,
        why="Intervals that share one point have no gap and no overlap, and the test asks only for a gap.",
        breaks=(_KISS, _CORNERS_KISS),
        agrees=(_APART, _DEEP, WORKED_EXAMPLE),
    ),
)
"""Every mistake in 2D. `V5-faces-only` is the 3D planes test, which has the opposite error: a missed separation."""
