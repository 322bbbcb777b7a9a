"""The scale of a pair, by which every tolerance about two bodies is measured (core/README.md, "Tolerances").

The file also recognises the pairs that have formulas of their own, by the properties of their shapes and not by the
classes. And it computes the separation that any direction proves: `s(n) = min_B n·x - max_A n·x`. For bodies apart the
distance is at least `s(n)` for every unit vector n, and equal to it for the right one. For overlapping bodies the depth
is at most `|s(n)|`. Any answer of any algorithm can be checked against `s`. With a half-space, `s` is finite along the
plane's normal only, and minus infinity elsewhere.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from ..geometry import tolerances
from ..geometry.plane import Plane
from ..geometry.vector import Array, dot, frozen, length
from ..scene import Body
from ..shapes import Shape, ball_radius

LEAST_EXTENT = 1e-280
"""The least extent of a pair, as for two points in one place. For a smaller extent the rounding tolerance would leave
the range of doubles."""

LARGEST_EXTENT = 1e100
"""The largest extent of a pair that is answered: sums of products of three such lengths are within range."""
TOO_LARGE = f"the bodies are too large or too far apart: sizes and distances may be at most {LARGEST_EXTENT:g}"


class TooLargeError(ValueError):
    """The pair, or an answer about it, is too large; the sentence has the quantity, and its limit."""


class PairScale(Struct, frozen=True, eq=False):
    """The scale of a pair. `offset` (3,): B's position minus A's (T), world; the others are lengths in scene units.

    `largest_radius`: L, the larger bounding radius. `least_half_extent`: ℓ, the lesser of both largest half extents; 0
    for two points. `extent`: L + |T|. A half-space has no size: L and ℓ are the other body's, as ℓ is beside a point.
    Its plane may lie far from both positions: the plane's distance from its body's position adds to the extent.
    """

    offset: Array
    largest_radius: float
    least_half_extent: float
    extent: float

    @staticmethod
    @lru_cache(maxsize=4)
    def of(a: Body, b: Body) -> PairScale:
        """The scale of two placed bodies; cached, as every algorithm asks for it again.

        Raises ValueError for two half-spaces, which have no scale, and TooLargeError for bodies whose size is beyond
        doubles.
        """
        offset = frozen(b.pose.position - a.pose.position)
        radii = (a.shape.bounding_radius, b.shape.bounding_radius)
        # A half-space has no size: the pair's is the other body's.
        larger = max(radii)
        if larger == inf:
            larger, planes = min(radii), [body.shape.plane is not None for body in (a, b)]
            if all(planes):
                raise ValueError("only one of the two bodies may be a half-space")
            if larger == inf or not any(planes):
                raise TooLargeError(TOO_LARGE)
        # Nor has a point: ℓ is then the other body's, and of two points 0: their touching band covers rounding alone.
        halves = (a.shape.largest_half_extent, b.shape.largest_half_extent)
        smaller = min((half for half in halves if 0.0 < half < inf), default=0.0)
        plane_distance = sum(abs(plane.offset) for plane in (a.shape.plane, b.shape.plane) if plane is not None)
        return PairScale(offset, larger, smaller, max(larger + length(offset) + plane_distance, LEAST_EXTENT))

    @staticmethod
    def of_limited(a: Body, b: Body) -> PairScale:
        """As `of`, but also raises TooLargeError for bodies larger or farther apart than LARGEST_EXTENT."""
        scale = PairScale.of(a, b)
        if not scale.extent <= LARGEST_EXTENT:
            raise TooLargeError(TOO_LARGE)
        return scale

    def touching_band(self, gap: float = 0.0) -> float:
        """Half width of the TOUCHING band of an answer whose bounds have this `gap`."""
        offset = self.extent - self.largest_radius
        return tolerances.touching_band(self.least_half_extent, self.largest_radius, offset, gap)

    @property
    def rounding(self) -> float:
        """The rounding error of one projection; separations closer than this cannot be told apart."""
        return tolerances.ROUNDING * self.extent

    @property
    def tie(self) -> float:
        """Two axes tie if their separations differ by at most this."""
        return tolerances.TIE * self.extent

    @property
    def agreement(self) -> float:
        """Numbers of two algorithms that differ by more than this disagree."""
        return tolerances.AGREEMENT * self.extent


class Shaped(Protocol):
    """Anything that has a shape: a body, or one in single precision."""

    @property
    def shape(self) -> Shape:
        """The shape itself, in its own frame."""


AnyBody = TypeVar("AnyBody", bound=Shaped)


class SpaceAndBody(Struct, Generic[AnyBody], frozen=True, eq=False):
    """A half-space, behind `plane` in its own frame, and a bounded body; `side`: +1 if the half-space is A, else -1."""

    space: AnyBody
    plane: Plane
    body: AnyBody
    side: float


class BoxAndBall(Struct, Generic[AnyBody], frozen=True, eq=False):
    """A box with `half_extents` (3,) and a ball of `radius`; `side`: +1 where the box is A, else -1."""

    box: AnyBody
    half_extents: Array
    ball: AnyBody
    radius: float
    side: float


def half_space_of(a: AnyBody, b: AnyBody) -> SpaceAndBody[AnyBody] | None:
    """The half-space and the bounded body, in either order; None for two bounded bodies, and for two half-spaces."""
    for space, body, side in ((a, b, 1.0), (b, a, -1.0)):
        if space.shape.plane is not None and body.shape.plane is None:
            return SpaceAndBody(space, space.shape.plane, body, side)
    return None


def box_and_ball(a: AnyBody, b: AnyBody) -> BoxAndBall[AnyBody] | None:
    """The box and the ball, in either order; None for other shapes. A point is a ball of radius 0."""
    for box, ball, side in ((a, b, 1.0), (b, a, -1.0)):
        half, radius = box.shape.half_extents, ball_radius(ball.shape)
        if half is not None and radius is not None:
            return BoxAndBall(box, half, ball, radius, side)
    return None


def two_boxes(a: Shaped, b: Shaped) -> tuple[Array, Array] | None:
    """Both half extents (3,); None for other shapes."""
    half_a, half_b = a.shape.half_extents, b.shape.half_extents
    return None if half_a is None or half_b is None else (half_a, half_b)


def two_balls(a: Shaped, b: Shaped) -> float | None:
    """The sum of both radii, 0 for two points; None for other shapes."""
    radius_a, radius_b = ball_radius(a.shape), ball_radius(b.shape)
    return None if radius_a is None or radius_b is None else radius_a + radius_b


def certificate(a: Body, b: Body, normal: Array) -> float:
    """Signed separation of the bodies along the unit vector `normal` (3,), world, from A towards B.

    Minus infinity where a half-space is unbounded.
    """
    return dot(normal, b.pose.position - a.pose.position) - _reach(a, normal) - _reach(b, -normal)


def _reach(body: Body, direction: Array) -> float:
    """The extent of the body from its position along a unit direction (3,)."""
    return float(body.shape.reach(body.pose.direction_to_local(direction)))
