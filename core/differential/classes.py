"""Which class an engine's answer falls into, beside the truth: exactly one, the first whose rule holds.

A direction is judged by what it proves, `s(n) = min_B n·x - max_A n·x`, and never by an angle: directions that tie
agree. `d` is the engine's number, `s` the true one. Beside a half-space see `proof`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import inf, isfinite, nan
from typing import Literal, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..analysis.brief import Distance, distance_of
from ..closed_form import closed_form
from ..geometry.tolerances import ROUNDING
from ..geometry.triple import Triple, triple
from ..geometry.vector import Array, dot, length, unit
from ..pair.pair import PairScale, certificate, half_space_of
from ..scene import Body, Scene
from ..shapes import Circle, Sphere
from ..shapes.line_spans import Line
from .answers import Answer, Design, DesignRule, Engine, EngineAnswer, Failed, NotAsked, Unsupported

SINGLE_ROUNDING = 8.0 * 2.0**-24
"""What single precision may lose, in units of the largest position and L."""

NEARLY = 1e-3
"""A normal that proves all but this share of L is imprecise; one that proves less is wrong."""


BALLS = {3: Sphere, 2: Circle}
"""By dimension."""

AnyValue = TypeVar("AnyValue")


class Kind(StrEnum):
    """The classes, in the order in which they are tried."""

    NOT_ASKED = "not asked"
    """The question was not put to the engine."""
    UNSUPPORTED = "not supported"
    """The engine has no such pair, or refused it."""
    FAILED = "failed"
    """A crash, a hang, what is no answer, or a number that is not finite."""
    MISSED = "missed contact"
    FALSE = "false contact"
    POINTS_OFF = "points off"
    """The number agrees; a point is off its surface."""
    AGREES = "agrees"
    MARGIN = "within margin"
    PRECISION = "precision"
    """Off by no more than single precision loses that far from the world's origin."""
    DESIGN = "by design"
    DEPTH_LARGE = "depth too large"
    DEPTH_SMALL = "depth too small"
    DISTANCE_LARGE = "distance too large"
    DISTANCE_SMALL = "distance too small"
    IMPRECISE = "imprecise normal"
    WRONG = "wrong normal"
    """The number agrees; the normal proves less than all but a thousandth of L."""


FAULTS = frozenset(Kind) - {
    Kind.NOT_ASKED,
    Kind.UNSUPPORTED,
    Kind.AGREES,
    Kind.MARGIN,
    Kind.PRECISION,
    Kind.DESIGN,
    Kind.IMPRECISE,
}
"""The classes that a hunt looks for."""

Failure = Literal["", "crash", "hang", "garbage", "not finite"]
"""How an engine failed: as `Failed.kind` says, or by a number that is not finite; "" of every other class."""


class Truth(Struct, frozen=True, eq=False):
    """What is true of a scene: `separation` (signed, within `gap`), `normal` (3,) from A to B, points (3,), world."""

    separation: float
    gap: float
    normal: Array
    point_a: Array
    point_b: Array

    @staticmethod
    def of(found: Distance) -> Truth:
        """From the core's own answer about a pair."""
        return Truth(found.separation, found.certainty.gap, found.normal, found.point_a, found.point_b)

    def swapped(self) -> Truth:
        """The same of the pair with A and B exchanged."""
        return Truth(self.separation, self.gap, -self.normal, self.point_b, self.point_a)


class Judgement(Struct, frozen=True):
    """The class of an answer, with the numbers of its rule, scene units.

    `difference`: the engine's number less the true one; `bound`: how large it may be in the class, or where the answer
    fails how large it may be at all. `proves`: the signed separation that the engine's normal proves. `off`: how far
    its points lie off their surfaces; both NaN where it gave none or none was asked for. `by`: what it was judged by.
    `rule`: of what is by design. `opposite`: the normal points the other way. `severity`: of a fault, in units of L.
    `failure`: of the class FAILED.
    """

    kind: Kind
    tolerance: float = 0.0
    difference: float = nan
    bound: float = 0.0
    proves: float = nan
    off: float = nan
    by: Literal["", "number", "verdict", "number and normal", "verdict and normal"] = ""
    rule: DesignRule | None = None
    opposite: bool = False
    severity: float = 0.0
    failure: Failure = ""

    @property
    def is_fault(self) -> bool:
        """Whether a hunt looks for it."""
        return self.kind in FAULTS

    @property
    def title(self) -> str:
        """The class in words: of a failure which one it was."""
        return self.failure or self.kind.value


def judge(scene: Scene, truth: Truth, engine: Engine, answer: Answer) -> Judgement:
    """The class of one answer about a scene, in which it is the first whose rule holds."""
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
    return _Asked(scene, truth, engine, answer).judged()


class _Asked:
    """One finite answer, with the numbers that the rules share: e, g, m, t as in the rules, L, and the proof."""

    def __init__(self, scene: Scene, truth: Truth, engine: Engine, answer: EngineAnswer) -> None:
        self.scene, self.truth, self.engine, self.answer = scene, truth, engine, answer
        scale = PairScale.of(scene.a, scene.b)
        self.larger = scale.larger or scale.extent
        self.s, self.d = truth.separation, answer.signed
        self.exact = engine.tolerance * scale.extent + truth.gap
        self.t = self.exact + sum(_of_word(engine.margins, body, 0.0) for body in (scene.a, scene.b))
        self.loss = 0.0
        if engine.single:
            place = max(length(np.array(body.position)) for body in (scene.a, scene.b))
            self.loss = SINGLE_ROUNDING * (place + self.larger)
        self.normal = None if answer.normal is None else unit(np.array(answer.normal, dtype=np.float64))
        self.proves = nan if self.normal is None else proof(scene, self.normal, self.s)

    def judged(self) -> Judgement:
        if self.d is None:
            return self._without_number()
        if self.d > self.t and self.s < -self.t:
            return self._fault(Kind.MISSED)
        if self.d < -self.t and self.s > self.t:
            return self._fault(Kind.FALSE)
        within = max(self.t, self.loss)
        by_number = abs(self.d - self.s) <= within
        if by_number and (off := self._points_off()) > within:
            return self._said(Kind.POINTS_OFF, within, off=off, severity=off / self.larger)
        for kind, bound in ((Kind.AGREES, self.exact), (Kind.MARGIN, self.t), (Kind.PRECISION, self.loss)):
            if abs(self.d - self.s) <= bound and self._proves(self.s - bound):
                return self._said(kind, bound)
        rule = next((rule for rule in self.engine.by_design if self._explains(rule)), None)
        if rule is not None:
            return self._said(Kind.DESIGN, self.t, rule=rule)
        return self._fault_of_normal() if by_number else self._fault(self._off_by())

    def _without_number(self) -> Judgement:
        """Of an engine that says nothing, or tells contacts without a depth."""
        if not self.answer.says_contact:
            return self._fault(Kind.MISSED) if self.s < -self.t else self._said(Kind.AGREES, self.t)
        rules = [rule for rule in self.engine.by_design if rule.design is Design.SPECULATIVE and self.s > self.t]
        rule = next((rule for rule in rules if self.s <= rule.within + self.t), None)
        if self.s > self.t and rule is None:
            return self._fault(Kind.FALSE)
        if not self._proves(self.s - self.t):
            return self._fault_of_normal()
        return self._said(Kind.AGREES, self.t) if rule is None else self._said(Kind.DESIGN, rule.within, rule=rule)

    def _proves(self, least: float) -> bool:
        """Whether the normal proves as much; an engine without one is judged by its number."""
        return self.normal is None or self.proves >= least

    def _off_by(self) -> Kind:
        """What a number is that is off by more than it may be: of bodies that touch its own sign counts."""
        assert self.d is not None
        larger = self.d < self.s
        if self.s < -self.t or (self.s <= self.t and self.d < 0.0):
            return Kind.DEPTH_LARGE if larger else Kind.DEPTH_SMALL
        return Kind.DISTANCE_SMALL if larger else Kind.DISTANCE_LARGE

    def _fault_of_normal(self) -> Judgement:
        assert self.normal is not None
        missing = self.s - self.proves
        kind = Kind.IMPRECISE if missing <= max(NEARLY * self.larger, self.t) else Kind.WRONG
        other = proof(self.scene, -self.normal, self.s)
        severity = missing / self.larger if isfinite(missing) else 1.0
        opposite = kind is Kind.WRONG and other >= self.s - self.t
        return self._said(kind, self.t, opposite=opposite, severity=severity)

    def _fault(self, kind: Kind) -> Judgement:
        off_by = self.s if self.d is None else self.d - self.s
        return self._said(kind, self.t, severity=abs(off_by) / self.larger)

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
        difference = nan if self.d is None else self.d - self.s
        has_normal = self.normal is not None
        if self.d is None:
            by: Literal["verdict", "verdict and normal", "number", "number and normal"] = (
                "verdict and normal" if has_normal else "verdict"
            )
        else:
            by = "number and normal" if has_normal else "number"
        return Judgement(kind, self.t, difference, bound, self.proves, off, by, rule, opposite, severity)

    def _points_off(self) -> float:
        """How far the farther of its two points lies off its surface; 0 where neither is more than it may be."""
        pairs = ((self.scene.a, self.answer.on_a), (self.scene.b, self.answer.on_b))
        far = [(body, at) for body, at in pairs if at is not None and not self._is_on(body, at)]
        return max((abs(nearest_surface(body, at)[0]) for body, at in far), default=0.0)

    def _is_on(self, body: Body, point: Triple) -> bool:
        """Whether the surface is no farther than the tolerance along the true normal; a span costs microseconds."""
        if body.shape.line_span is None:
            return False
        at, way = body.pose.to_local(np.array(point)), body.pose.direction_to_local(self.truth.normal)
        along = dot(at, way)
        span = body.shape.line_span(Line(at - along * way, way, ROUNDING * length(at)), 0.0)
        return span is not None and min(abs(span.enter - along), abs(span.leave - along)) <= self.t

    def _explains(self, rule: DesignRule) -> bool:
        """Whether the engine's own rule allows the number, and its normal is as good as the rule."""
        assert self.d is not None
        more = self.d - self.s
        match rule.design:
            case Design.RANGE:
                low, high = (sum(_range(rule, body)[end] for body in (self.scene.a, self.scene.b)) for end in (0, 1))
                return low - self.t <= more <= high + self.t and self._proves(self.s - (high - low) - self.t)
            case Design.MANIFOLD:
                return self.s > self.t and more >= -self.t
            case Design.FACE:
                least = self._best_face() - self.t  # minus infinity without faces: then there is none to prefer
                return -inf < least <= self.d <= self.s + self.t and self._proves(least)
            case Design.MOVE:
                return self.d <= self.s + self.t and abs(self._left_by_move()) <= self.t
        return False

    def _left_by_move(self) -> float:
        """The separation after B is moved out along the engine's normal by its depth; infinite without a normal."""
        if self.normal is None or self.d is None:
            return inf
        out = triple(self.scene.b.pose.position - self.d * self.normal)
        return distance_of(replace(self.scene, b=replace(self.scene.b, position=out))).separation

    def _best_face(self) -> float:
        """The most that the normal of a face of either body proves; minus infinity without faces."""
        a, b = self.scene.a, self.scene.b
        ways = [*a.pose.direction_to_world(a.shape.face_normals), *-b.pose.direction_to_world(b.shape.face_normals)]
        return max((certificate(a, b, way) for way in ways), default=-inf)


def proof(scene: Scene, normal: Array, s: float) -> float:
    """What a unit normal (3,) proves, `min_B n·x - max_A n·x`; of a half-space only the part beside the body counts.

    A half-space ends along its own normal m alone, and no computed n is m to the last digit. So it is cut to the points
    within L + |s| of the line through the body's position along m. Along n, at an angle θ to m, the cut one reaches
    (L + |s|) sin θ beyond m's foot of that line. The body's deepest point, at height s, is at most L from the line, so
    that n proves at most s cos θ - |s| sin θ <= s: as with a bounded body no direction proves more than the true one,
    and a small θ costs little more than (2 L + |s|) θ. From a right angle on n proves nothing.
    """
    found = half_space_of(scene.a, scene.b)
    if found is None:
        return certificate(scene.a, scene.b, normal)
    space, body, n = found.space, found.body, found.side * normal
    m = space.pose.direction_to_world(found.plane.normal)
    cosine = dot(n, m)
    if cosine <= 0.0:
        return -inf
    beside = (PairScale.of(scene.a, scene.b).larger + abs(s)) * length(n - cosine * m)
    height = dot(m, body.pose.position - space.pose.position) - found.plane.offset
    return cosine * height - beside - float(body.shape.reach(body.pose.direction_to_local(-n)))


def nearest_surface(body: Body, point: Triple) -> tuple[float, Array]:
    """How far a world point is from a body's surface, negative inside, and the unit vector (3,) out of the body there.

    Asked of a ball as large as the body: against nearly every shape that has a formula, which a point has not.
    """
    radius = body.shape.bounding_radius
    ball = Body(BALLS[body.shape.dimension](radius if 0.0 < radius < inf else 1.0), point)
    found = closed_form(ball, body) or distance_of(Scene(ball, body))
    return found.separation + ball.shape.bounding_radius, -found.normal


def _range(rule: DesignRule, body: Body) -> tuple[float, float]:
    """One body's share of the rule's range, scene units."""
    low, high = _of_word(rule.ranges, body, (0.0, 0.0))
    less, more = _of_word(rule.of_size, body, (0.0, 0.0))
    size = body.shape.bounding_radius if (less, more) != (0.0, 0.0) else 0.0
    return low + less * size, high + more * size


def _of_word(table: Mapping[str, AnyValue], body: Body, otherwise: AnyValue) -> AnyValue:
    return table.get(body.shape.word, table.get("", otherwise))
