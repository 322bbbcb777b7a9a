"""The contact manifold, for every pair but two half-spaces: all places where the bodies are at most δ apart, by corner.

One definition, without a cliff where faces turn out of square: with n the answer's normal, `overlap(w)` how far the
bodies overlap on the line through w along n, and Ω of each body the shadow of its flat part (`flat`),

    patch = { w in Ω_A ∩ Ω_B : overlap(w) >= -δ }

is convex (`patch`), and the contacts are its corners, each with its own overlap as depth. Neither α, which says what
is flat, nor δ changes the verdict, the depth or the normal. A contact as deep as the bodies are there always is: if no
corner is, the middle of the places where they are deepest is one more. What remains of cliffs: at α, where a face
ceases to be flat, where the normal itself jumps between tied axes, and where corners are a lateral tolerance apart.

Bodies are put in an order of their own before anything is computed, so that A and B swapped give the same contacts.
Steps: `normal flat shadows cut level depths witness reduce`. The plane has its own in `plane_patch`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from math import hypot, inf

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..closed_form import Proximity
from ..geometry.tolerances import EXACT
from ..geometry.vec2 import Vec2
from ..geometry.vector import Array, dot, dots, frozen, product
from ..pair.pair import PairScale
from ..scene import Body
from ..trace import Steps, run
from .contact import (
    Contact,
    ContactCase,
    ContactSettings,
    CutStep,
    Flatness,
    FlatStep,
    LevelStep,
    Manifold,
    ManifoldStep,
    NeedlesStep,
    NormalStep,
    Outlined,
    ReduceStep,
    ShadowsStep,
    WitnessStep,
)
from .flat import LEVEL, Flat, Frame, Kind, Seen
from .flat_parts import directions, flat_part
from .patch import (
    Corner,
    LevelCuts,
    clipped_segment,
    common_line,
    corners_of,
    cutting_sides,
    deepest_place,
    located,
    overlap_at,
    shadows_loop,
    stretch,
    widened,
    within_level,
)
from .reduction import reduced
from .region import Loop, cut, is_thin

DEFAULTS = ContactSettings()

THIN = 0.1
"""δ is at most this part of the thinner body's width along the normal: a plate has no contacts beyond its far side."""


NEARLY_ACROSS = 1e-3
"""Axes whose products with the normal differ by less are equally far across it: the first is taken."""


def has_manifold(a: Body, b: Body) -> bool:
    """Whether there is one: for every pair but two half-spaces."""
    return a.shape.plane is None or b.shape.plane is None


def manifold(
    a: Body, b: Body, found: Proximity, settings: ContactSettings = DEFAULTS, *, reduce: bool = False
) -> Manifold:
    """The contacts of two bodies about which `found` is the answer, its points relative to A's position.

    None if they are apart by more than their touching band, or by more than `settings.speculative`: then the patch is
    that of the level s + δ, and all of its contacts are gaps. `reduce`: keep four contacts of more.
    """
    return run(manifold_steps(a, b, found, settings, reduce=reduce))


def manifold_steps(
    a: Body,
    b: Body,
    found: Proximity,
    settings: ContactSettings = DEFAULTS,
    band: float | None = None,
    *,
    reduce: bool = False,
) -> Steps[ManifoldStep, Manifold]:
    """The same as steps. `band`: half width of the touching band, if the answer's is another than the pair's."""
    origin = a.pose.position
    nearest = frozen(found.point_first + origin), frozen(found.point_second + origin)
    yield NormalStep(found.normal, found.separation, *nearest)
    band = PairScale.of(a, b).band if band is None else band
    if found.separation > max(band, settings.speculative):
        return Manifold(ContactCase.POINT, frozen(found.normal.copy()), ())
    pair = _Pair.of(a, b, found, nearest, settings)
    flats = pair.flats(settings)
    for body in (0, 1):
        yield pair.shown(flats[body], body, settings.alpha)
    first, second = flats if pair.in_order else flats[::-1]
    corners: list[Corner] = []
    dropped = 0
    if first.kind is not Kind.POINT and second.kind is not Kind.POINT:
        yield ShadowsStep(pair.outlined(flats[0].loop), pair.outlined(flats[1].loop))
        if first.is_region and second.is_region:
            loop = yield from _region(pair, first, second)
            if loop:
                corners, dropped = corners_of(first, second, loop, lambda: pair.start)
                corners = within_level(first, second, corners, pair.delta, lambda: pair.deepest(flats))
        else:
            corners = _line_corners(pair, first, second)
    depth = -found.separation if pair.proved == -inf else -pair.proved
    deepest = max((sum(corner.heights) for corner in corners), default=-inf)
    contacts = pair.contacts(corners, pair.lacking(depth - deepest))
    if contacts:
        yield NeedlesStep(tuple(contacts), found.normal, dropped)
    if deepest < depth - pair.witness:
        added = pair.witness_contact(contacts, flats, depth, gap=found.separation > band)
        contacts = [contact for contact in contacts if contact.name != added.name] + [added]
        yield WitnessStep(added, None if deepest == -inf else deepest)
    normal, all_of_them = frozen(found.normal.copy()), tuple(contacts)
    kept, left, order = reduced(all_of_them, normal) if reduce else (all_of_them, (), ())
    if left:
        yield ReduceStep(kept, left, order)
    flatness = Flatness(
        (flats[0].kind.value, flats[1].kind.value),
        (flats[0].angle, flats[1].angle),
        settings.alpha,
        pair.delta,
        sum(contact.gap for contact in kept),
        dropped,
    )
    return Manifold(_case(flats, kept), normal, kept, left, flatness)


class _Pair(Struct, frozen=True, eq=False, dict=True):
    """Two bodies in the order of their own. `frame`: about the first, its n from first to second.

    `bodies`: A, B; `offsets`: of both from A's position, which is `origin` in the world; `in_order`: A is the first.
    `nearest`: the nearest points (3,) of A and of B, world.
    `witness`: how far from the depth a contact may be that has it. `noise`: what a depth may be off by; `exact`: and be
    told as exact. `reaches`: how high A and B are, along the frame's n and against it.
    `proved`: the separation that the normal proves: of a bound it may be less than the answer's.
    """

    bodies: tuple[Body, Body]
    offsets: tuple[Array, Array]
    origin: Array
    frame: Frame
    in_order: bool
    found: Proximity
    nearest: tuple[Array, Array]
    delta: float
    lateral: float
    witness: float
    noise: float
    exact: float
    alpha: float
    proved: float
    reaches: tuple[float, float]

    @staticmethod
    def of(a: Body, b: Body, found: Proximity, nearest: tuple[Array, Array], settings: ContactSettings) -> _Pair:
        """With every tolerance at least what rounding leaves of the larger body's coordinates."""
        scale = PairScale.of(a, b)
        in_order = _order(a) <= _order(b)
        offsets = (np.zeros(3), scale.offset)
        n = found.normal if in_order else -found.normal
        smaller = min(a.shape.bounding_radius, b.shape.bounding_radius)
        (front_a, back_a), (front_b, back_b) = _reaches(a, found.normal), _reaches(b, found.normal)
        width = min(front_a + back_a, front_b + back_b)
        frame = Frame(offsets[0] if in_order else offsets[1], directions(a, n))
        # Heights are told from the first body's position on.
        along = dot(found.normal, scale.offset)
        reaches = (front_a, back_b - along) if in_order else (front_a - along, back_b)
        return _Pair(
            (a, b),
            offsets,
            a.pose.position,
            frame,
            in_order,
            found,
            nearest,
            max(found.separation, 0.0) + min(settings.delta * scale.smaller, THIN * width),
            max(settings.lateral * smaller, scale.rounding),
            max(settings.witness * smaller, scale.rounding),
            scale.rounding,
            EXACT * scale.extent,
            settings.alpha,
            along - front_a - back_b,
            reaches,
        )

    def flats(self, settings: ContactSettings) -> tuple[Flat, Flat]:
        """The flat parts of A and of B."""
        out = []
        for k, (body, offset) in enumerate(zip(self.bodies, self.offsets, strict=True)):
            radius = body.shape.bounding_radius
            level = self.noise if radius == inf else max(LEVEL * radius, self.noise)
            sign = 1.0 if (k == 0) is self.in_order else -1.0
            reach = self.reaches[k]
            out.append(flat_part(Seen(body, offset, self.frame, sign, settings.alpha, level, self.lateral, reach)))
        return out[0], out[1]

    @cached_property
    def start(self) -> Vec2:
        """The unit direction in the frame at which circles begin.

        Along an axis of the body that is no disc, else of the world, so that a disc's own turn about its axis has no
        say: the axis that is most across the normal, of equal ones the first.
        """
        axes = np.eye(3)
        for body in self.bodies:
            if len(body.shape.face_normals) or body.shape.radii is not None or body.shape.plane is not None:
                axes = body.pose.matrix.T
        rows = product(axes, self.frame.across).tolist()
        least = min(abs(n) for _, _, n in rows)
        u, v = next((u, v) for u, v, n in rows if abs(n) <= least + NEARLY_ACROSS)
        return u / hypot(u, v), v / hypot(u, v)

    @cached_property
    def middle(self) -> Vec2:
        """The middle of the nearest points, across the normal."""
        middle = 0.5 * (self.found.point_first + self.found.point_second) - self.frame.origin
        u, v, _ = product(middle, self.frame.across).tolist()
        return u, v

    def deepest(self, flats: tuple[Flat, Flat]) -> Vec2:
        """The place across the normal where the bodies are as deep as they are; the middle of such places if many."""
        place = deepest_place(*(flats if self.in_order else flats[::-1]))
        return self.middle if place is None else place

    def at_middle(self, rows: Array) -> Array:
        """Points (k, 2) across the normal at the height of the middle of the nearest points, world (k, 3)."""
        n, base = self.frame.across[:, 2], self.frame.origin + self.origin
        middle = 0.5 * (self.nearest[0] + self.nearest[1]) - base
        return _placed(rows, np.zeros(len(rows)), self.frame.across, base + dot(middle, n) * n)

    def on_flat(self, flat: Flat, rows: Array) -> Array:
        """Corners (k, 2) of a flat part's shadow at their own heights, world (k, 3)."""
        heights = np.array(flat.heights) if flat.heights else np.zeros(len(rows))
        if flat.kind is Kind.DISC:
            heights = flat.planes[0, 0] + dots(rows, flat.planes[0, 1:])
        return _placed(rows, heights, self.frame.across * (1.0, 1.0, flat.seen.sign), self.frame.origin + self.origin)

    def outlined(self, make_loop: Callable[[], Loop]) -> Outlined:
        """A loop across the normal, at the height of the middle of the nearest points."""
        return Outlined(self.frame.across, make_loop, self.at_middle)

    def shown(self, flat: Flat, body: int, alpha: float) -> FlatStep:
        """The step that shows a flat part."""
        outline = Outlined(self.frame.across, flat.loop, partial(self.on_flat, flat))
        return FlatStep(
            body, flat.kind.value, flat.name, outline, flat.angle, alpha, self.found.normal, self.nearest[body]
        )

    def names(self, corner: Corner) -> tuple[str, str]:
        """The corner's feature pair, A's first."""
        return corner.names if self.in_order else (corner.names[1], corner.names[0])

    def lacking(self, less: float) -> float:
        """By how much all depths are raised, if the deepest corner is `less` deep than the bodies are by so much.

        A corner within the lateral tolerance of others may have been left out, and as much of the depth with it. What
        the answer is told to be exact by is nothing, and beyond the `witness` tolerance another contact has the depth.
        """
        return less if self.exact < less <= self.witness else 0.0

    def contacts(self, corners: list[Corner], raised: float) -> list[Contact]:
        """The contacts at the corners: midway between the surfaces, their depths `raised` by so much."""
        if not corners:
            return []
        rows = np.array([(*corner.at, 0.5 * (corner.heights[0] - corner.heights[1])) for corner in corners])
        positions = frozen(self.frame.points(rows) + self.origin)
        depths = [sum(corner.heights) + raised for corner in corners]
        return [
            Contact(position, depth, *self.names(corner), gap=depth < -self.noise)
            for position, corner, depth in zip(positions, corners, depths, strict=True)
        ]

    def witness_contact(self, contacts: list[Contact], flats: tuple[Flat, Flat], depth: float, *, gap: bool) -> Contact:
        """The middle of the nearest points, by the smallest features that they lie at."""
        by = product(np.subtract(self.deepest(flats), self.middle), self.frame.across[:, :2].T)
        points = (self.found.point_first + by, self.found.point_second + by)
        middle = frozen(0.5 * (points[0] + points[1]) + self.origin)
        names = [flat.feature_of(point) for flat, point in zip(flats, points, strict=True)]
        added = Contact(middle, depth, names[0], names[1], gap)
        for contact in contacts:
            away = contact.position - middle
            across = away - dot(away, self.found.normal) * self.found.normal
            if contact.name == added.name and hypot(*across) > self.lateral:
                return Contact(middle, depth, f"{names[0]} nearest", names[1], gap)
        return added


def _order(body: Body) -> tuple[float, tuple[float, ...], tuple[float, ...]]:
    """By what the bodies are put in order, whichever is A: the smaller first, of equal ones by where they are."""
    return body.shape.bounding_radius, body.position, body.rotation


def _placed(rows: Array, heights: Array, across: Array, origin: Array) -> Array:
    """Points (k, 2) across the normal, with their heights (k,), about an origin (3,)."""
    return product(np.concatenate((rows, heights[:, None]), axis=1), across.T) + origin


def _reaches(body: Body, n: Array) -> tuple[float, float]:
    """How far the body extends from its position along a unit vector, and against it."""
    local = body.pose.direction_to_local(n)
    front = float(body.shape.reach(local))
    return front, front if body.shape.half_extents is not None else float(body.shape.reach(-local))


def _region(pair: _Pair, first: Flat, second: Flat) -> Steps[ManifoldStep, Loop]:
    """The patch of two flat parts with areas: shadows, one side after another, then the level."""
    loop = shadows_loop(first, second, lambda: pair.start)
    cutter, sides = cutting_sides(first, second)
    whole = loop
    for line, name in sides:
        before, loop = loop, cut(loop, line, beyond=pair.lateral)
        if loop is not before:
            yield _cut_step(pair, cutter, name, before, loop)
    if loop is not whole and is_thin(loop, pair.lateral):
        # Beside each other to rounding, their sides may still meet in a line: once more, with half of the lateral
        # tolerance, so that its corners surely lie at these sides.
        loop = whole
        for line in widened(cutter, sides, 0.5 * pair.lateral):
            loop = cut(loop, line)
    level = LevelCuts(first, second, pair.delta)
    while loop and (lower := level.cut(loop)) is not None:
        yield _level_step(pair, first, second, loop, lower, level.used)
        loop = lower
    return loop


def _cut_step(pair: _Pair, cutter: Flat, name: str, before: Loop, after: Loop) -> CutStep:
    body = 0 if (cutter.seen.sign > 0.0) is pair.in_order else 1
    return CutStep(body, name, pair.outlined(lambda: before), pair.outlined(lambda: after))


def _level_step(
    pair: _Pair, first: Flat, second: Flat, before: Loop, after: Loop, used: set[tuple[int, int]]
) -> LevelStep:
    new = next((piece.level for piece in after if piece.level is not None and piece.level in used), None)
    names = ("", "") if new is None else (first.plane_name(new[0]), second.plane_name(new[1]))
    ordered = names if pair.in_order else (names[1], names[0])
    return LevelStep(ordered, pair.delta, pair.outlined(lambda: before), pair.outlined(lambda: after))


def _line_corners(pair: _Pair, first: Flat, second: Flat) -> list[Corner]:
    """Two ends, where a line or two that are parallel but for α lie along the other body; or one, or none."""
    if first.kind is second.kind:
        line = common_line(first, second, pair.alpha)
    else:
        segment, region = (first, second) if first.kind is Kind.SEGMENT else (second, first)
        low, high = clipped_segment(segment, region)
        (pu, pv), (qu, qv) = segment.corners
        start, end = ((pu + share * (qu - pu), pv + share * (qv - pv)) for share in (low, high))
        line = None if low > high else (start, end)
    if line is None:
        return []
    (pu, pv), (qu, qv) = line
    size = hypot(qu - pu, qv - pv)
    du, dv = (qu - pu) / (size or 1.0), (qv - pv) / (size or 1.0)

    def at(place: float) -> Vec2:
        return (pu + place * du, pv + place * dv)

    found, corners = (0.0, size), located(first, second, [at(0.0), at(size)])
    if any(sum(corner.heights) < -pair.delta for corner in corners):
        u, v, _ = product(pair.found.point_first - pair.frame.origin, pair.frame.across).tolist()
        inside = (u - pu) * du + (v - pv) * dv
        part = stretch(lambda place: overlap_at(first, second, at(place)), 0.0, size, inside, pair.delta)
        if part is None:
            return []
        found, corners = part, located(first, second, [at(place) for place in part])
    if found[1] - found[0] <= pair.lateral:
        return located(first, second, [at(0.5 * (found[0] + found[1]))])
    line_of = first if first.kind is Kind.SEGMENT else second
    corners = [
        # At the level it has the line's name, and that for the other body's; of two lines the first's.
        corner
        if place == end
        else replace(corner, names=(corner.names[0], "level") if line_of is first else ("level", corner.names[1]))
        for corner, place, end in zip(corners, found, (0.0, size), strict=True)
    ]
    if corners[0].names != corners[1].names:
        return corners
    # The ends of one line: in the order of the line's own ends, which a swap keeps.
    (au, av), (bu, bv) = line_of.corners
    forwards = ((bu - au) * du + (bv - av) * dv > 0.0) is (line_of.names[0] < line_of.names[1])
    return [
        replace(corner, names=(corner.names[0] + mark, corner.names[1]))
        for corner, mark in zip(corners, "-+" if forwards else "+-", strict=True)
    ]


def _case(flats: tuple[Flat, Flat], contacts: tuple[Contact, ...]) -> ContactCase:
    """Which face is the reference, for teaching: the one best aligned with the normal, of equally good ones A's."""
    if flats[0].is_curve or flats[1].is_curve:
        return ContactCase.POINT
    off_a, off_b = [flat.angle if flat.angle is not None and flat.is_face else inf for flat in flats]
    if contacts and (off_a < inf or off_b < inf):
        return ContactCase.FACE_OF_A if off_a <= off_b + LEVEL else ContactCase.FACE_OF_B
    return ContactCase.EDGES if flats[0].kind is flats[1].kind is Kind.SEGMENT else ContactCase.POINT
