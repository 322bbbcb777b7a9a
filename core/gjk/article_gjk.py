"""GJK by the rules of an article on two dimensions; right answers come from `core.gjk.gjk`.

The simplex has up to three points, the newest first. The first support is along a given direction, the second along its
opposite. With two points a (the newest) and b, the next direction is `b - a` turned right, reversed if its dot product
with the vector to the origin is <= 0. For a triangle both edges at the newest point are tested, each by its
perpendicular away from the third point. If the origin is beyond neither, the shapes meet. If a support point does not
pass the origin (`support · direction <= 0`), they do not meet.

Two rules are flawed. The exit by `<= 0` makes the answer for exact touching depend on the order of the supports. And
the article orients the perpendicular of a triangle's edge by its dot product with the third point itself
(`Outward.THIRD_POINT`). Only the third point minus the edge's point shows on which side the third point lies
(`Outward.FROM_EDGE`, the default here).
"""

from __future__ import annotations

from enum import StrEnum
from itertools import count

from msgspec import Struct

from ..geometry.vec2 import Vec2, dot, negated, right_of, sub
from ..pair.support import Difference, DifferencePoint
from ..trace import PlanarStep, Steps, run

LIMIT = 64
"""The largest number of steps; the article's version may otherwise loop for ever."""
FIRST_DIRECTION: Vec2 = (0.0, 1.0)
"""The direction of the first support, unless another is given."""


class Outward(StrEnum):
    """The vector by which the perpendicular of a triangle's edge is turned away from the third point."""

    FROM_EDGE = "third point minus the edge's point"
    THIRD_POINT = "third point itself"


class ArticleStop(StrEnum):
    """Why the article's GJK ended."""

    ENCLOSED = "ENCLOSED"
    """The origin is beyond neither edge at the triangle's newest point: the shapes meet."""
    NOT_PAST_ORIGIN = "NOT_PAST_ORIGIN"
    """The support point does not pass the origin: by the article the shapes do not meet, but they may touch."""
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """No answer after LIMIT steps."""


class EdgeTest(Struct, frozen=True):
    """The test of one edge of the simplex, from its newest point `start` to `end`.

    `perpendicular`: `end - start` turned right; `turned_round`: whether it was reversed; `direction`: the result.
    `compared`: the vector whose dot product with `perpendicular` decided the reversal: for a segment the vector from
    `start` to the origin, for a triangle the one that `Outward` names. `product`: the dot product of `direction` and
    the vector from `start` to the origin, positive if the origin is beyond the edge.
    """

    start: DifferencePoint
    end: DifferencePoint
    perpendicular: Vec2
    compared: Vec2
    turned_round: bool
    direction: Vec2
    product: float


class ArticleStep(PlanarStep, frozen=True):
    """One support point, and the simplex made with it.

    `support`: the farthest point along `direction`; `product`: their dot product, at most 0 if the support does not
    pass the origin (not tested at the first step). `simplex`: with the support point, the newest first. `tests`: of its
    edges. `kept`: the points kept for the next step; `next_direction`: the direction of the next support, None at the
    end. `stop`: None unless the run ends with this step.
    """

    number: int
    direction: Vec2
    support: DifferencePoint
    product: float
    simplex: tuple[DifferencePoint, ...]
    tests: tuple[EdgeTest, ...]
    kept: tuple[DifferencePoint, ...]
    next_direction: Vec2 | None
    stop: ArticleStop | None


class ArticleResult(Struct, frozen=True):
    """The article's answer. `meet`: whether the shapes meet; None at the limit of steps. `simplex`: the last one."""

    meet: bool | None
    stop: ArticleStop
    simplex: tuple[DifferencePoint, ...]
    iterations: int


class _Next(Struct, frozen=True):
    tests: tuple[EdgeTest, ...]
    kept: tuple[DifferencePoint, ...]
    direction: Vec2 | None


def article_gjk_steps(
    difference: Difference, first_direction: Vec2 = FIRST_DIRECTION, outward: Outward = Outward.FROM_EDGE
) -> Steps[ArticleStep, ArticleResult]:
    """The article's GJK in the plane, step by step. It ignores radii: for circles pass `support_maps(rounded="full")`.

    `first_direction`: of any length but 0. `outward`: how the triangle case chooses a perpendicular's side; the default
    is the right way, THIRD_POINT the article's.
    """
    simplex: tuple[DifferencePoint, ...] = ()
    direction = first_direction
    for number in count(1):
        support = difference.support((*direction, 0.0))
        product = dot(support.xy, direction)
        simplex = (support, *simplex)
        found = _Next((), simplex, negated(direction))
        stop = None
        if number > 1 and product <= 0.0:
            found, stop = _Next((), simplex, None), ArticleStop.NOT_PAST_ORIGIN
        elif number > 1:
            found = _along_segment(simplex) if len(simplex) == 2 else _beside_triangle(simplex, outward)
            if found.direction is None:
                stop = ArticleStop.ENCLOSED
            elif number >= LIMIT:
                stop = ArticleStop.ITERATION_LIMIT
        following = None if stop is not None else found.direction
        yield ArticleStep(
            number=number,
            direction=direction,
            support=support,
            product=product,
            simplex=simplex,
            tests=found.tests,
            kept=found.kept,
            next_direction=following,
            stop=stop,
        )
        if stop is not None:
            meet = None if stop is ArticleStop.ITERATION_LIMIT else stop is ArticleStop.ENCLOSED
            return ArticleResult(meet, stop, simplex, number)
        assert following is not None
        simplex, direction = found.kept, following
    raise AssertionError("counting ended")


def article_gjk(
    difference: Difference, first_direction: Vec2 = FIRST_DIRECTION, outward: Outward = Outward.FROM_EDGE
) -> ArticleResult:
    """The result of `article_gjk_steps` alone; the arguments are as in that function."""
    return run(article_gjk_steps(difference, first_direction, outward))


def _along_segment(simplex: tuple[DifferencePoint, ...]) -> _Next:
    newest, other = simplex
    way = negated(newest.xy)
    perpendicular = right_of(sub(other.xy, newest.xy))
    turned_round = dot(perpendicular, way) <= 0.0
    direction = negated(perpendicular) if turned_round else perpendicular
    test = EdgeTest(
        start=newest,
        end=other,
        perpendicular=perpendicular,
        compared=way,
        turned_round=turned_round,
        direction=direction,
        product=dot(direction, way),
    )
    return _Next((test,), simplex, direction)


def _beside_triangle(simplex: tuple[DifferencePoint, ...], outward: Outward) -> _Next:
    """Finds the edge at the newest point that the origin is beyond; the direction is None if it is beyond neither."""
    newest, second, third = simplex
    tests: list[EdgeTest] = []
    for end, opposite in ((second, third), (third, second)):
        perpendicular = right_of(sub(end.xy, newest.xy))
        compared = opposite.xy if outward is Outward.THIRD_POINT else sub(opposite.xy, newest.xy)
        turned_round = dot(perpendicular, compared) > 0.0
        direction = negated(perpendicular) if turned_round else perpendicular
        product = dot(direction, negated(newest.xy))
        tests.append(
            EdgeTest(
                start=newest,
                end=end,
                perpendicular=perpendicular,
                compared=compared,
                turned_round=turned_round,
                direction=direction,
                product=product,
            )
        )
        if product > 0.0:
            return _Next(tuple(tests), (newest, end), direction)
    return _Next(tuple(tests), simplex, None)
