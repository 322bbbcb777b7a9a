"""The articles' mistakes in the plane (G4, V5), each alone, beside the right answer and with scenes that break it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ..answer import Verdict
from ..article_variants.comparison import Answer, Comparison
from ..trace import record
from .analysis import analyse2
from .article_gjk import Outward, article_gjk, article_gjk_steps
from .gjk import gjk2
from .minkowski import pair_name
from .planes_test import planes_test
from .scene import Body2, Scene2
from .shapes import Circle, Polygon
from .support import Difference2
from .worked_example import FIRST_DIRECTION, WORKED_EXAMPLE

DIRECTIONS = (("+x", (1.0, 0.0)), ("+y", (0.0, 1.0)), ("-x", (-1.0, 0.0)), ("-y", (0.0, -1.0)))
"""First directions from which the same question is asked."""


class ArticleVariant2(Struct, frozen=True):
    """A question answered as an article has it; the fields are those of `core.article_variants.ArticleVariant`."""

    id: str
    system: str
    title: str
    article: Callable[[Scene2], Answer]
    right: Callable[[Scene2], Answer]
    correct: Callable[..., object]
    why: str
    breaks: tuple[Scene2, ...]
    agrees: tuple[Scene2, ...]

    def compare(self, scene: Scene2) -> Comparison:
        """The article's answer beside the right one."""
        return Comparison(self.article(scene), self.right(scene), self.why)


def g4_touching_by_path(scene: Scene2) -> str:
    """Whether they meet, asked from four first directions: the `<= 0` exit makes touching depend on the path."""
    difference = Difference2.of(scene.a, scene.b, rounded="full")
    found = (article_gjk(difference, direction).meet for _, direction in DIRECTIONS)
    return _answers(["yes" if meet else "no" for meet in found])


def meets(scene: Scene2) -> str:
    """Whether they meet, touching included: the same whatever one starts from."""
    meet = analyse2(scene).verdict is not Verdict.SEPARATED
    return _answers(["yes" if meet else "no"] * len(DIRECTIONS))


def g4_perpendicular_by_third_point(scene: Scene2) -> str:
    """The path of the article's GJK whose triangle turns a perpendicular by the third point itself."""
    return _path(scene, Outward.THIRD_POINT)


def path_by_edge(scene: Scene2) -> str:
    """The path with that put right: by the third point as seen from the edge."""
    return _path(scene, Outward.FROM_EDGE)


def v5_touching_called_apart(scene: Scene2) -> str:
    """The planes test that takes a point on a plane for one in front of it."""
    found = planes_test(scene.a, scene.b)
    return (Verdict.SEPARATED if found.gap >= 0.0 else Verdict.OVERLAPPING).value


def planes_verdict(scene: Scene2) -> str:
    """The planes test, in which a touch is a touch."""
    return planes_test(scene.a, scene.b).verdict.value


def _answers(words: list[str]) -> str:
    return ", ".join(f"{name} {word}" for (name, _), word in zip(DIRECTIONS, words, strict=True))


def _path(scene: Scene2, outward: Outward) -> str:
    """The supports in order, as `AD BE CE`, and the answer."""
    difference = Difference2.of(scene.a, scene.b, rounded="full")
    counts = [len(body.shape.points) if isinstance(body.shape, Polygon) else 1 for body in (scene.a, scene.b)]
    recording = record(article_gjk_steps(difference, FIRST_DIRECTION, outward))
    names = [pair_name(step.support.vertex_a, step.support.vertex_b, *counts) for step in recording.steps]
    meet = None if recording.result is None else recording.result.meet
    return " ".join(names) + f": {'no answer' if meet is None else 'yes' if meet else 'no'}"


def _triangle(*points: tuple[float, float]) -> Body2:
    return Body2(Polygon(points))


_SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
_KISS = Scene2(Body2(_SQUARE), Body2(_SQUARE, (2.0, 0.0)), "Two squares kiss side on side")
_CORNERS_KISS = Scene2(Body2(_SQUARE), Body2(_SQUARE, (2.0, 2.0)), "Two squares kiss corner on corner")
_APART = Scene2(Body2(_SQUARE), Body2(_SQUARE, (3.0, 0.5)), "Two squares apart")
_DEEP = Scene2(Body2(_SQUARE), Body2(_SQUARE, (1.25, 0.5)), "Two squares, one in the other's side")
_ROUND = Scene2(Body2(_SQUARE), Body2(Circle(1.0), (1.5, 0.25)), "A circle in a square's side")
_ANOTHER_WAY = Scene2(
    _triangle((0.0, -1.0), (1.0, -1.0), (0.0, 0.0)),
    _triangle((-1.0, 2.0), (3.0, 2.0), (0.0, 1.0)),
    "Two triangles apart, and another way to find out",
)
_BACK_TO_START = Scene2(
    _triangle((-2.0, 0.0), (2.0, -2.0), (1.0, 0.0)),
    _triangle((-1.0, 0.0), (2.0, 2.0), (-2.0, 2.0)),
    "Two triangles, a corner asked twice",
)

PLANAR_VARIANTS = (
    ArticleVariant2(
        "G4-touching-by-path",
        "G4",
        "Touching depends on the way there",
        g4_touching_by_path,
        meets,
        gjk2,
        "A support point on the line through the origin does not pass it, and whether one comes by is the path's luck.",
        (_KISS, _CORNERS_KISS),
        (_APART, _DEEP, _ROUND, WORKED_EXAMPLE),
    ),
    ArticleVariant2(
        "G4-perpendicular-by-third-point",
        "G4",
        "The perpendicular turned by the third point itself",
        g4_perpendicular_by_third_point,
        path_by_edge,
        gjk2,
        "Which side of an edge the third point is on, its way from the edge tells, not its way from the origin.",
        (_ANOTHER_WAY, _BACK_TO_START),
        (_APART, _DEEP, WORKED_EXAMPLE),
    ),
    ArticleVariant2(
        "V5-touching-apart",
        "V5",
        "The planes test calls touching apart",
        v5_touching_called_apart,
        planes_verdict,
        planes_test,
        "Points exactly on an edge's plane are not in front of it.",
        (_KISS, _CORNERS_KISS),
        (_APART, _DEEP, WORKED_EXAMPLE),
    ),
)
"""Every mistake of the plane; in space V5 errs the other way, see `core.article_variants.v5_faces_only`."""
