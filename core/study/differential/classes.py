"""Classifies an engine's answer by the truth. An answer has one class: the first whose rule holds.

A normal n is judged by the separation that it proves, `s(n) = min_B n·x - max_A n·x`, and never by an angle. So normals
that prove the same separation are equally right. For a half-space, and for the larger of two bodies, only the part
beside the other body counts: see `proof` and `proof_beside`.

In the code, `d` is the engine's signed separation, `s` the true one, and `t` the largest allowed error (`Allowed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import inf, isfinite, nan
from typing import Literal, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...analysis.brief import Distance, distance_of
from ...closed_form import closed_form
from ...geometry.tolerances import ROUNDING
from ...geometry.triple import Triple, triple
from ...geometry.vector import Array, dot, length, unit
from ...naming import old_name
from ...pair.pair import PairScale, certificate, half_space_of
from ...scene import Body, Scene
from ...shapes import Circle, Sphere
from ...shapes.line_spans import Line
from .answers import Answer, Design, DesignRule, Engine, EngineAnswer, Failed, NotAsked, Unsupported

SINGLE_ROUNDING = 8.0 * 2.0**-24
DOUBLE_ROUNDING = 8.0 * 2.0**-53
"""The rounding errors of coordinates in single and in double precision, as shares of a length.

The length is L plus the larger distance of the two positions from the world's origin.
"""

STORED_SINGLE = 2.0**-24
"""The largest error of a point stored in single precision, as a share of its distance from the body's position: half a
spacing of the floats in each coordinate."""

MOST_RADII = 3.0
"""For two bodies with the same bounding radius r, L + |T| is at most 3 r + |s|."""

COARSE = 1e-3
"""`Engine.absolute` is an allowed error only up to this share of the pair's size."""

NEARLY = 1e-3
"""The limit between an imprecise and a wrong normal, as a share of the pair's size.

It limits the true separation minus the one that the normal proves.
"""


BALLS = {3: Sphere, 2: Circle}
"""The class of a ball, by dimension."""

AnyValue = TypeVar("AnyValue")


class Kind(StrEnum):
    """The classes, in the order in which they are tried."""

    NOT_ASKED = "not asked"
    """The engine was not asked."""
    UNSUPPORTED = "not supported"
    """The engine does not support the shapes, or refused the question."""
    FAILED = "failed"
    """A crash, a hang, no valid answer, or a number that is not finite."""
    MISSED = "missed contact"
    FALSE = "false contact"
    POINTS_OFF = "points off"
    """The number agrees, but a point is farther from its surface than the allowed error."""
    AGREES = "agrees"
    MARGIN = "within margin"
    PRECISION = "precision"
    """The number is off by no more than the rounding of single precision (`Allowed.loss`)."""
    DESIGN = "by design"
    DEPTH_LARGE = "depth too large"
    DEPTH_SMALL = "depth too small"
    DISTANCE_LARGE = "distance too large"
    DISTANCE_SMALL = "distance too small"
    IMPRECISE = "imprecise normal"
    WRONG = "wrong normal"
    """The number agrees or is missing; the normal proves less, by more than a thousandth of the pair's size."""


FAULTS = frozenset(Kind) - {
    Kind.NOT_ASKED,
    Kind.UNSUPPORTED,
    Kind.AGREES,
    Kind.MARGIN,
    Kind.PRECISION,
    Kind.DESIGN,
    Kind.IMPRECISE,
}
"""The classes that are faults; a hunt looks for them."""

Failure = Literal["", "crash", "hang", "garbage", "not finite"]
"""The kind of an engine's failure: `Failed.kind`, or "not finite" for such a number; "" for every class but FAILED."""


class Truth(Struct, frozen=True, eq=False):
    """The true answer: signed `separation`, unit `normal` (3,) from A to B, `witness_a`, `witness_b` (3,); world.

    `gap`: the largest possible error of `separation`.
    """

    separation: float
    gap: float
    normal: Array
    witness_a: Array
    witness_b: Array

    @staticmethod
    def of(found: Distance) -> Truth:
        """The truth as the core's own answer about a pair."""
        return Truth(found.separation, found.certainty.gap, found.normal, found.witness_a, found.witness_b)

    def swapped(self) -> Truth:
        """The truth about the pair with A and B exchanged."""
        return Truth(self.separation, self.gap, -self.normal, self.witness_b, self.witness_a)


class Judgement(Struct, frozen=True):
    """The class of an answer, with the numbers of its rule, scene units.

    `tolerance`: the largest allowed error (`Allowed.at_all`). `error`: the engine's number minus the true one, NaN
    without a number. `bound`: the largest error in the class, or for a fault the largest allowed. `proves`: the
    signed separation that the engine's normal proves, NaN without a normal. `off`: the larger distance of the engine's
    points from their surfaces, NaN unless that is the fault.

    `by`: the parts of the answer that were judged. `rule`: the rule that explains an answer of the class DESIGN.
    `opposite`: whether a wrong normal would be right with the other sign. `severity`: of a fault or an imprecise
    normal, in units of L. `failure`: its kind for the class FAILED. `share`: the size of `error` divided by the
    true separation, NaN if the latter is only rounding.
    """

    kind: Kind
    tolerance: float = 0.0
    error: float = nan
    bound: float = 0.0
    proves: float = nan
    off: float = nan
    by: Literal["", "number", "verdict", "number and normal", "verdict and normal"] = ""
    rule: DesignRule | None = None
    opposite: bool = False
    severity: float = 0.0
    failure: Failure = ""
    share: float = nan

    difference = old_name("error")

    @property
    def is_fault(self) -> bool:
        """Whether the class is a fault, which a hunt looks for."""
        return self.kind in FAULTS

    @property
    def title(self) -> str:
        """The class in words; for a failure its kind."""
        return self.failure or self.kind.value


def judge(scene: Scene, truth: Truth, engine: Engine, answer: Answer) -> Judgement:
    """The class of one answer about a scene: the first whose rule holds."""
    if isinstance(answer, NotAsked):
        return Judgement(Kind.NOT_ASKED)
    if isinstance(answer, Unsupported):
        return Judgement(Kind.UNSUPPORTED)
    if isinstance(answer, Failed):
        if answer.kind == "error":
            return Judgement(Kind.UNSUPPORTED)
        return Judgement(Kind.FAILED, severity=1.0, failure=answer.kind)
    if not all(map(isfinite, answer.numbers)):
        return Judgement(Kind.FAILED, severity=1.0, failure="not finite")
    return _JudgedAnswer(scene, truth, engine, answer).judged()


class Allowed(Struct, frozen=True):
    """The allowed errors of an engine's number about one pair, scene units.

    `search`: the error of the engine's search for the nearest or deepest point, plus `rounding` and the truth's gap.
    `margin`: `search` plus the engine's margins. `loss`: the rounding error of single precision. `size`: the pair's
    size, of which other limits are shares. `rounding`: the rounding error of coordinates in doubles, also in the truth.

    The error of a search is `Engine.tolerance` times a length, or `Engine.absolute` if that is more. The length is
    L + |T|, but at most 3 r + |s|, with the bounding radius r of the smaller body. Near the contact, the difference
    A − B is as curved and as large as the smaller body. So a large and a small body are allowed the same error as two
    small ones. `loss` grows with the larger body and, for an engine that computes in single precision, with the
    distance from the world's origin.

    Measured (November 2026) on 160 to 320 pairs for each engine and ratio of sizes, with one body 1 to 10,000 times as
    large as the other, and r about 1 or 0.05. Four fifths of the errors of Coal, FCL and MuJoCo are lengths up to 2e-6
    at every ratio and for both r. All errors of Box3D's distances, and half of Rapier's, are up to 2^-24 of L + |T|;
    those of MuJoCo's hulls up to half as much. The other errors grow irregularly with the ratio, beyond the answer
    itself.
    """

    search: float
    margin: float
    loss: float
    size: float
    rounding: float

    @property
    def at_all(self) -> float:
        """The largest allowed error; a number with a larger error is wrong."""
        return max(self.margin, self.loss)

    @staticmethod
    def of(scene: Scene, truth: Truth, engine: Engine) -> Allowed:
        """The allowed errors of this engine about this pair."""
        scale, bodies = PairScale.of(scene.a, scene.b), (scene.a, scene.b)
        radii = [radius for body in bodies if 0.0 < (radius := body.shape.bounding_radius) < inf]
        alike = MOST_RADII * min(radii, default=scale.extent) + abs(truth.separation)
        size = min(scale.extent, alike)
        reach = max(length(np.array(body.position)) for body in bodies) + (scale.largest_radius or scale.extent)
        rounding = DOUBLE_ROUNDING * reach
        search = max(engine.tolerance * size, min(engine.absolute, COARSE * size)) + truth.gap + rounding
        margin = search + sum(_of_word(engine.margins, body, 0.0) for body in bodies)
        stored = (body.shape.bounding_radius for body in bodies if body.shape.word in engine.stored_single)
        loss = SINGLE_ROUNDING * reach if engine.single else STORED_SINGLE * sum(stored)
        return Allowed(search, margin, loss, min(scale.largest_radius or scale.extent, alike), rounding)


class _JudgedAnswer:
    """The judging of one answer with finite numbers; holds the numbers that the rules share."""

    def __init__(self, scene: Scene, truth: Truth, engine: Engine, answer: EngineAnswer) -> None:
        self.scene, self.truth, self.engine, self.answer = scene, truth, engine, answer
        scale = PairScale.of(scene.a, scene.b)
        self.largest_radius = scale.largest_radius or scale.extent
        self.s, self.d = truth.separation, answer.signed
        self.allowed = Allowed.of(scene, truth, engine)
        self.t = self.allowed.at_all
        self.normal = None if answer.normal is None else unit(np.array(answer.normal, dtype=np.float64))
        self.proves = nan if self.normal is None else proof(scene, self.normal, self.s)
        self.beside = nan if self.normal is None else self._proved_by(self.normal)

    def judged(self) -> Judgement:
        if self.d is None:
            return self._without_number()
        if self.d > self.t and self.s < -self.t:
            return self._fault(Kind.MISSED)
        if self.d < -self.t and self.s > self.t:
            return self._fault(Kind.FALSE)
        by_number = abs(self.d - self.s) <= self.t
        if by_number and (off := self._points_off()) > self.t:
            return self._said(Kind.POINTS_OFF, self.t, off=off, severity=off / self.largest_radius)
        allowed = self.allowed
        for kind, bound in (
            (Kind.AGREES, allowed.search),
            (Kind.MARGIN, allowed.margin),
            (Kind.PRECISION, allowed.loss),
        ):
            if abs(self.d - self.s) <= bound and self._proves(self.s - bound):
                return self._said(kind, bound)
        rule = next((rule for rule in self.engine.by_design if self._explains(rule)), None)
        if rule is not None:
            return self._said(Kind.DESIGN, self.t, rule=rule)
        return self._fault_of_normal() if by_number else self._fault(self._off_by())

    def _without_number(self) -> Judgement:
        """The judgement of an answer without a number: no contacts, or contacts without a depth."""
        if not self.answer.contacts:
            return self._fault(Kind.MISSED) if self.s < -self.t else self._said(Kind.AGREES, self.t)
        rules = [rule for rule in self.engine.by_design if rule.design is Design.SPECULATIVE and self.s > self.t]
        rule = next((rule for rule in rules if self.s <= rule.within + self.t), None)
        if self.s > self.t and rule is None:
            return self._fault(Kind.FALSE)
        if not self._proves(self.s - self.t):
            return self._fault_of_normal()
        return self._said(Kind.AGREES, self.t) if rule is None else self._said(Kind.DESIGN, rule.within, rule=rule)

    def _proved_by(self, normal: Array) -> float:
        """The separation that a unit normal (3,) proves: the larger one of `proof` and `proof_beside`."""
        return max(proof(self.scene, normal, self.s), proof_beside(self.scene, self.truth, normal))

    def _proves(self, least: float) -> bool:
        """Whether the normal proves a separation of at least `least`; True without a normal."""
        return self.normal is None or self.beside >= least

    def _off_by(self) -> Kind:
        """The class of a number that is off by more than allowed.

        If the bodies touch, the sign of the engine's number decides whether it is a depth or a distance.
        """
        assert self.d is not None
        larger = self.d < self.s
        if self.s < -self.t or (self.s <= self.t and self.d < 0.0):
            return Kind.DEPTH_LARGE if larger else Kind.DEPTH_SMALL
        return Kind.DISTANCE_SMALL if larger else Kind.DISTANCE_LARGE

    def _fault_of_normal(self) -> Judgement:
        assert self.normal is not None
        missing = self.s - self.beside
        kind = Kind.IMPRECISE if missing <= max(NEARLY * self.allowed.size, self.t) else Kind.WRONG
        other = self._proved_by(-self.normal)
        severity = missing / self.largest_radius if isfinite(missing) else 1.0
        opposite = kind is Kind.WRONG and other >= self.s - self.t
        return self._said(kind, self.t, opposite=opposite, severity=severity)

    def _fault(self, kind: Kind) -> Judgement:
        off_by = self.s if self.d is None else self.d - self.s
        return self._said(kind, self.t, severity=abs(off_by) / self.largest_radius)

    def _said(
        self,
        kind: Kind,
        bound: float,
        *,
        off: float = nan,
        rule: DesignRule | None = None,
        opposite: bool = False,
        severity: float = 0.0,
    ) -> Judgement:
        error = nan if self.d is None else self.d - self.s
        share = abs(error / self.s) if abs(self.s) > self.allowed.rounding else nan
        has_normal = self.normal is not None
        if self.d is None:
            by: Literal["verdict", "verdict and normal", "number", "number and normal"] = (
                "verdict and normal" if has_normal else "verdict"
            )
        else:
            by = "number and normal" if has_normal else "number"
        numbers = self.t, error, bound, self.proves, off
        return Judgement(kind, *numbers, by, rule, opposite, severity, share=share)

    def _points_off(self) -> float:
        """The larger distance of the answer's two points from their surfaces; 0 for a point that passes `_is_on`."""
        pairs = ((self.scene.a, self.answer.on_a), (self.scene.b, self.answer.on_b))
        far = [(body, at) for body, at in pairs if at is not None and not self._is_on(body, at)]
        return max((abs(nearest_surface(body, at)[0]) for body, at in far), default=0.0)

    def _is_on(self, body: Body, point: Triple) -> bool:
        """Whether a world point is within the tolerance of the surface along the true normal: a quick test.

        False for a shape without a `line_span`.
        """
        if body.shape.line_span is None:
            return False
        at, way = body.pose.to_local(np.array(point)), body.pose.direction_to_local(self.truth.normal)
        along = dot(at, way)
        span = body.shape.line_span(Line(at - along * way, way, ROUNDING * length(at)), 0.0)
        return span is not None and min(abs(span.enter - along), abs(span.leave - along)) <= self.t

    def _explains(self, rule: DesignRule) -> bool:
        """Whether a rule of the engine allows the number, and the normal proves as much as the rule needs."""
        assert self.d is not None
        more = self.d - self.s
        match rule.design:
            case Design.RANGE:
                low, high = (sum(_range(rule, body)[end] for body in (self.scene.a, self.scene.b)) for end in (0, 1))
                return low - self.t <= more <= high + self.t and self._proves(self.s - (high - low) - self.t)
            case Design.MANIFOLD:
                return self.s > self.t and more >= -self.t
            case Design.FACE:
                least = self._best_face() - self.t  # minus infinity without faces
                return -inf < least <= self.d <= self.s + self.t and self._proves(least)
            case Design.MOVE:
                return self.d <= self.s + self.t and abs(self._left_by_move()) <= self.t
        return False

    def _left_by_move(self) -> float:
        """The separation after B is moved by `-d` along the engine's normal; infinite without a normal or a number."""
        if self.normal is None or self.d is None:
            return inf
        out = triple(self.scene.b.pose.position - self.d * self.normal)
        return distance_of(replace(self.scene, b=replace(self.scene.b, position=out))).separation

    def _best_face(self) -> float:
        """The largest separation that the normal of a face of either body proves; minus infinity without faces."""
        a, b = self.scene.a, self.scene.b
        ways = [*a.pose.direction_to_world(a.shape.face_normals), *-b.pose.direction_to_world(b.shape.face_normals)]
        return max((certificate(a, b, way) for way in ways), default=-inf)


def proof(scene: Scene, normal: Array, s: float) -> float:
    """The separation that a unit normal n (3,), from A to B, proves: `min_B n·x - max_A n·x`.

    For a half-space only the part beside the body counts. A half-space is bounded only along its own normal m, and a
    computed n differs from m by rounding. So the half-space is cut to the points within L + |s| of the line through the
    body's position along m. Let θ be the angle between n and m. Along n, the cut half-space extends (L + |s|) sin θ
    beyond the foot of the line on the plane. The body's deepest point has the height s and is at most L from the line.
    So n proves at most s cos θ - |s| sin θ <= s: as with a bounded body, no normal proves more than the true one. A
    small θ costs little more than (2 L + |s|) θ. Minus infinity if θ is a right angle or more.
    """
    found = half_space_of(scene.a, scene.b)
    if found is None:
        return certificate(scene.a, scene.b, normal)
    m = found.space.pose.direction_to_world(found.plane.normal)
    height = dot(m, found.body.pose.position - found.space.pose.position) - found.plane.offset
    return _over_plane(found.body, m, height, found.side * normal, s)


def proof_beside(scene: Scene, truth: Truth, normal: Array) -> float:
    """The separation that a unit normal (3,) proves between the smaller body and the part of the larger one beside it.

    The larger body is replaced by the half-space behind its support plane along the true normal, cut as in `proof`. So
    a floor is judged the same as a large box and as a half-space. With the smaller body's bounding radius r, a normal
    that is off by an angle θ proves less by about (2 r + |s|) θ; with the far ends of the floor it would be L θ.

    Minus infinity for two bounding radii of the same size, for a half-space, and as in `proof`. The caller takes the
    larger of this and `proof`, so that a normal that ties with the true one for the whole bodies is right.
    """
    a, b = scene.a, scene.b
    if a.shape.bounding_radius == b.shape.bounding_radius:
        return -inf  # neither is the smaller
    large, small, side = (a, b, 1.0) if a.shape.bounding_radius > b.shape.bounding_radius else (b, a, -1.0)
    if large.shape.plane is not None:
        return -inf  # `proof` has cut it already
    m = side * truth.normal
    height = dot(m, small.pose.position - large.pose.position)
    height -= float(large.shape.reach(large.pose.direction_to_local(m)))
    return _over_plane(small, m, height, side * normal, truth.separation)


def _over_plane(body: Body, m: Array, height: float, n: Array, s: float) -> float:
    """The separation that the unit vector n (3,) proves between a body and a cut half-space, as in `proof`.

    `height`: of the body's position above the plane, along the plane's unit normal m (3,). Both are away from the
    half-space.
    """
    cosine = dot(n, m)
    if cosine <= 0.0:
        return -inf
    beside = (body.shape.bounding_radius + abs(s)) * length(n - cosine * m)
    return cosine * height - beside - float(body.shape.reach(body.pose.direction_to_local(-n)))


def nearest_surface(body: Body, point: Triple) -> tuple[float, Array]:
    """Returns a world point's signed distance from a body's surface, negative inside, and the outward unit normal (3,).

    Computed with a ball as large as the body about the point: a ball has a closed form against nearly every shape, a
    point has not.
    """
    radius = body.shape.bounding_radius
    ball = Body(BALLS[body.shape.dimension](radius if 0.0 < radius < inf else 1.0), point)
    found = closed_form(ball, body) or distance_of(Scene(ball, body))
    return found.separation + ball.shape.bounding_radius, -found.normal


def _range(rule: DesignRule, body: Body) -> tuple[float, float]:
    """One body's part of the rule's range, as its low and high end, scene units."""
    low, high = _of_word(rule.ranges, body, (0.0, 0.0))
    less, more = _of_word(rule.of_size, body, (0.0, 0.0))
    size = body.shape.bounding_radius if (less, more) != (0.0, 0.0) else 0.0
    return low + less * size, high + more * size


def _of_word(table: Mapping[str, AnyValue], body: Body, otherwise: AnyValue) -> AnyValue:
    return table.get(body.shape.word, table.get("", otherwise))
