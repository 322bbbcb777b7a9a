"""The contact manifold of every pair but two half-spaces: the corners of the region where bodies are at most δ apart.

One definition for all pairs, under which contacts do not jump as faces tilt. Let n be the answer's normal, `overlap(w)`
the length of the bodies' overlap on the line through w along n, and Ω of each body the shadow of its flat part
(`flat`). The region

    overlap region = { w in Ω_A ∩ Ω_B : overlap(w) >= -δ }

is convex (`overlap_region`), and the contacts are its corners, each with its own overlap as depth. Neither α, which
decides what is flat, nor δ changes the verdict, the depth or the normal. Some contact is always as deep as the bodies
are: if no corner is, the middle of the places where they are deepest is added. Contacts still jump where a face's
angle passes α, where the normal itself jumps between tied axes, and where two corners come within the lateral
tolerance.

The bodies are put in an order that does not depend on which is A, so that A and B swapped give the same contacts. The
steps in order: normal, flat, shadows, cut, level, depths, witness, reduce. In the plane flat parts are intervals
(`plane_flat`), and all else is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from math import inf

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..closed_form import Proximity
from ..geometry.elementary import hypot
from ..geometry.tolerances import EXACT
from ..geometry.triple import add, array_of, triple
from ..geometry.vec2 import Vec2
from ..geometry.vector import Array, dot, dots, frozen, length, product
from ..pair.pair import PairScale
from ..scene import Body
from ..trace import Steps, run
from .contact import (
    Contact,
    ContactCase,
    ContactSettings,
    CornerDepthsStep,
    CutStep,
    Flatness,
    FlatStep,
    LevelStep,
    Manifold,
    ManifoldStep,
    NormalStep,
    Outlined,
    ReduceStep,
    ShadowsStep,
    WitnessStep,
)
from .flat import HEIGHT_TIE, Flat, FlatKind
from .flat_parts import flat_part, frame_across
from .frame import FacingBody, Frame
from .overlap_region import (
    Corner,
    LevelClips,
    clipped_segment,
    clipping_sides,
    common_line,
    corners_of,
    deepest_place,
    located,
    overlap_at,
    shadows_loop,
    stretch,
    widened,
    within_level,
)
from .reduction import reduced
from .region import Loop, clip, is_thin

DEFAULTS = ContactSettings()

THIN = 0.1
"""δ is at most this fraction of the thinner body's width along the normal: a plate has no contacts beyond its far side.

δ is at least the touching band, within which a body without a width touches as well.
"""


NEARLY_ACROSS = 1e-3
"""Axes whose dot products with the normal differ by less are equally far across it: the first is taken."""


def has_manifold(a: Body, b: Body) -> bool:
    """Whether the pair has a manifold; only two half-spaces have none."""
    return a.shape.plane is None or b.shape.plane is None


def manifold(
    a: Body, b: Body, found: Proximity, settings: ContactSettings = DEFAULTS, *, reduce: bool = False
) -> Manifold:
    """Returns the manifold of two bodies whose answer is `found`, with witness points relative to A's position.

    The manifold has no contacts if the bodies are apart by more than both their touching band and
    `settings.speculative`, or if the answer's normal is not finite. For bodies apart by s the overlap region is that of
    the level s + δ, and if s is beyond the band, all contacts are gaps. `reduce`: keep at most four contacts. Raises
    ValueError for two half-spaces.
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
    """The steps of `manifold`. `band`: half width of the touching band; None for the pair's own.

    The first is the normal's, and the only one of bodies too far apart for contacts. Raises ValueError for two
    half-spaces, after that step.
    """
    origin = a.pose.position
    nearest = frozen(found.witness_a + origin), frozen(found.witness_b + origin)
    yield NormalStep(found.normal, found.separation, *nearest)
    band = PairScale.of(a, b).touching_band() if band is None else band
    if found.separation > max(band, settings.speculative) or not np.isfinite(found.normal).all():
        return Manifold(ContactCase.POINT, frozen(found.normal.copy()), ())
    pair = _Pair.of(a, b, found, nearest, settings)
    flats = flat_part(pair.seen[0]), flat_part(pair.seen[1])
    for body in (0, 1):
        yield pair.shown(flats[body], body, settings.alpha)
    first, second = flats if pair.in_order else flats[::-1]
    corners: list[Corner] = []
    dropped = 0
    if first.kind is not FlatKind.POINT and second.kind is not FlatKind.POINT:
        yield ShadowsStep(pair.outlined(flats[0].loop), pair.outlined(flats[1].loop))
        if first.is_region and second.is_region:
            loop, beside = yield from _region(pair, first, second)
            if loop:
                corners, dropped = corners_of(first, second, loop, lambda: pair.start, beside=beside)
                corners = within_level(first, second, corners, pair.delta, lambda: pair.deepest(flats) or pair.middle)
        else:
            corners = _line_corners(pair, first, second)
    deepest = max((sum(corner.heights) for corner in corners), default=-inf)
    contacts = pair.contacts(corners, pair.lacking(pair.depth - deepest))
    if contacts:
        yield CornerDepthsStep(tuple(contacts), found.normal, dropped)
    if deepest < pair.depth - pair.depth_tie:
        added = pair.witness_contact(contacts, flats, gap=found.separation > band)
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
    """Two bodies, put in an order (first, second) that does not change if A and B are swapped.

    `frame`: about the first body's position, its n from first to second. `seen`: A, B; `origin` (3,): A's position in
    the world; `in_order`: whether A is the first. `nearest`: the witness points (3,) of A and of B, world. `delta`: δ,
    and for bodies apart their separation added. `depth`: the bodies' overlap along the normal; it may exceed the
    answer's depth if that is a bound. `depth_tie`: the largest difference from `depth` that counts as equal. `noise`:
    the rounding of a depth. `exact`: the largest difference from `depth` that needs no correction.
    """

    seen: tuple[FacingBody, FacingBody]
    origin: Array
    frame: Frame
    in_order: bool
    found: Proximity
    nearest: tuple[Array, Array]
    delta: float
    depth: float
    lateral: float
    depth_tie: float
    noise: float
    exact: float

    @staticmethod
    def of(a: Body, b: Body, found: Proximity, nearest: tuple[Array, Array], settings: ContactSettings) -> _Pair:
        """The pair; every tolerance is at least the rounding of the pair's coordinates."""
        scale = PairScale.of(a, b)
        in_order = _order(a) <= _order(b)
        offsets = (np.zeros(3), scale.offset)
        n = found.normal if in_order else -found.normal
        frame = frame_across(n, offsets[0] if in_order else offsets[1], a.shape)
        radii = a.shape.bounding_radius, b.shape.bounding_radius
        lateral = max(settings.lateral * min(radii), scale.rounding)
        ties = [scale.rounding if radius == inf else max(HEIGHT_TIE * radius, scale.rounding) for radius in radii]
        signs = (1.0, -1.0) if in_order else (-1.0, 1.0)
        one, other = (
            FacingBody.of(body, offset, frame, sign, alpha=settings.alpha, height_tie=height_tie, lateral=lateral)
            for body, offset, sign, height_tie in zip((a, b), offsets, signs, ties, strict=True)
        )
        delta = min(settings.delta * scale.least_half_extent, THIN * min(one.width, other.width))
        proved = one.reach + other.reach
        return _Pair(
            seen=(one, other),
            origin=a.pose.position,
            frame=frame,
            in_order=in_order,
            found=found,
            nearest=nearest,
            delta=max(found.separation, 0.0) + max(delta, scale.touching_band()),
            depth=-found.separation if proved == inf else proved,
            lateral=lateral,
            depth_tie=max(settings.witness * min(radii), scale.rounding),
            noise=scale.rounding,
            exact=EXACT * scale.extent,
        )

    @cached_property
    def start(self) -> Vec2:
        """The unit direction (u, v) in the frame at which circles begin.

        It is the axis most nearly perpendicular to the normal, of equal ones the first. The axes are those of a body
        that is not round about an axis, else the world's. So turning a disc about its own axis changes nothing.
        """
        axes = np.eye(3)
        for body in (self.seen[0].body, self.seen[1].body):
            if len(body.shape.face_normals) or body.shape.radii is not None or body.shape.plane is not None:
                axes = body.pose.matrix.T
        rows = [self.frame.turned(triple(axis)) for axis in axes]
        least = min(abs(n) for _, _, n in rows)
        u, v = next((u, v) for u, v, n in rows if abs(n) <= least + NEARLY_ACROSS)
        return u / hypot(u, v), v / hypot(u, v)

    @cached_property
    def middle(self) -> Vec2:
        """The middle of the witness points, (u, v) across the normal."""
        u, v, _ = self.frame.coordinates(0.5 * (self.found.witness_a + self.found.witness_b))
        return u, v

    def deepest(self, flats: tuple[Flat, Flat]) -> Vec2 | None:
        """`deepest_place` of both flat parts; None if the bodies are deepest at the witness points alone."""
        return deepest_place(*(flats if self.in_order else flats[::-1]))

    def at_middle(self, rows: Array) -> Array:
        """Places points (k, 2) across the normal at the height of the witness points' middle; world (k, 3)."""
        middle = 0.5 * (self.found.witness_a + self.found.witness_b)
        heights = np.full(len(rows), self.frame.coordinates(middle)[2])
        return _placed(rows, heights, self.frame.across, self.origin + self.frame.origin)

    def on_flat(self, flat: Flat, rows: Array) -> Array:
        """Places corners (k, 2) of a flat part's shadow at their own heights; world (k, 3)."""
        heights = np.array(flat.heights) if flat.heights else np.zeros(len(rows))
        if flat.kind is FlatKind.DISC:
            heights = flat.planes[0, 0] + dots(rows, flat.planes[0, 1:])
        return _placed(rows, heights, self.frame.across * (1.0, 1.0, flat.seen.sign), self.origin + self.frame.origin)

    def outlined(self, make_loop: Callable[[], Loop]) -> Outlined:
        """A loop across the normal, at the height of the middle of the witness points."""
        return Outlined(self.frame.across, make_loop, self.at_middle)

    def shown(self, flat: Flat, body: int, alpha: float) -> FlatStep:
        """The step of a flat part."""
        outline = Outlined(self.frame.across, flat.loop, partial(self.on_flat, flat))
        return FlatStep(
            body=body,
            kind=flat.kind.value,
            name=flat.name,
            outline=outline,
            angle=flat.angle,
            alpha=alpha,
            normal=self.found.normal,
            point=self.nearest[body],
        )

    def names(self, corner: Corner) -> tuple[str, str]:
        """The corner's feature pair, A's first."""
        return corner.names if self.in_order else (corner.names[1], corner.names[0])

    def lacking(self, less: float) -> float:
        """The length to add to every depth, if the deepest corner is shallower than the bodies' depth by `less`.

        The cause may be a deeper corner that was left out within the lateral tolerance of others. A difference within
        `exact` is not corrected. For one beyond `depth_tie`, another contact is added instead.
        """
        return less if self.exact < less <= self.depth_tie else 0.0

    def contacts(self, corners: list[Corner], raised: float) -> list[Contact]:
        """The contacts at the corners, midway between the surfaces; `raised` is added to their depths."""
        base, found = add(triple(self.origin), self.frame.origin), []
        for corner in corners:
            (u, v), (first, second) = corner.point, corner.heights
            position = array_of(add(base, self.frame.to_world(u, v, 0.5 * (first - second))))
            depth = first + second + raised
            found.append(Contact(position, depth, *self.names(corner), gap=depth < -self.noise))
        return found

    def witness_contact(self, contacts: list[Contact], flats: tuple[Flat, Flat], *, gap: bool) -> Contact:
        """The contact at the middle of the deepest places, named by the smallest features there."""
        points = (self.found.witness_a, self.found.witness_b)
        if (place := self.deepest(flats)) is not None:
            (u, v), (ahead, aside) = place, self.middle
            by = self.frame.to_world(u - ahead, v - aside, 0.0)
            points = points[0] + by, points[1] + by
        middle = frozen(0.5 * (points[0] + points[1]) + self.origin)
        names = [flat.feature_of(point) for flat, point in zip(flats, points, strict=True)]
        added = Contact(middle, self.depth, names[0], names[1], gap)
        for contact in contacts:
            away = contact.position - middle
            across = away - dot(away, self.found.normal) * self.found.normal
            if contact.name == added.name and length(across) > self.lateral:
                return Contact(middle, self.depth, f"{names[0]} nearest", names[1], gap)
        return added


def _order(body: Body) -> tuple[float, tuple[float, ...], tuple[float, ...]]:
    """The key of the bodies' order: the smaller first, of equal ones by position and rotation."""
    return body.shape.bounding_radius, body.position, body.rotation


def _placed(rows: Array, heights: Array, across: Array, origin: Array) -> Array:
    """Places points (k, 2) across the normal at their heights (k,), about an `origin` (3,), world; returns (k, 3)."""
    return product(np.concatenate((rows, heights[:, None]), axis=1), across.T) + origin


def _region(pair: _Pair, first: Flat, second: Flat) -> Steps[ManifoldStep, tuple[Loop, bool]]:
    """The overlap region of two flat parts with areas: the shadows clipped side by side, then at the level.

    Returns the region's loop, and whether the shadows lie beside each other and only touch. If so, the loop's corners
    may be off their sides by half of the lateral tolerance.
    """
    loop = shadows_loop(first, second, lambda: pair.start)
    clipper, sides = clipping_sides(first, second)
    whole = loop
    for line, name in sides:
        before, loop = loop, clip(loop, line, beyond=pair.lateral)
        if loop is not before:
            yield _cut_step(pair, clipper, name, before, loop)
    if beside := loop is not whole and is_thin(loop, pair.lateral):
        # The shadows touch to rounding and may share a line. They are clipped again with the sides moved out by half of
        # the lateral tolerance; the corners then count as lying on these sides.
        loop = whole
        for line in widened(clipper, sides, 0.5 * pair.lateral):
            loop = clip(loop, line)
    clips = LevelClips(first, second, pair.delta)
    while loop and (lower := clips.clip(loop)) is not None:
        yield _level_step(pair, first, second, loop, lower, clips.used)
        loop = lower
    return loop, beside


def _cut_step(pair: _Pair, clipper: Flat, name: str, before: Loop, after: Loop) -> CutStep:
    body = 0 if (clipper.seen.sign > 0.0) is pair.in_order else 1
    return CutStep(body, name, pair.outlined(lambda: before), pair.outlined(lambda: after))


def _level_step(
    pair: _Pair, first: Flat, second: Flat, before: Loop, after: Loop, used: set[tuple[int, int]]
) -> LevelStep:
    new = next((piece.planes for piece in after if piece.planes is not None and piece.planes in used), None)
    names = ("", "") if new is None else (first.plane_name(new[0]), second.plane_name(new[1]))
    ordered = names if pair.in_order else (names[1], names[0])
    return LevelStep(ordered, pair.delta, pair.outlined(lambda: before), pair.outlined(lambda: after))


def _line_corners(pair: _Pair, first: Flat, second: Flat) -> list[Corner]:
    """The ends of the stretch that a segment shares with the other flat part: 2, 1 or 0 corners.

    Two segments share a stretch only if they are parallel within α.
    """
    if first.kind is second.kind:
        line = common_line(first, second, first.seen.alpha)
    else:
        segment, region = (first, second) if first.kind is FlatKind.SEGMENT else (second, first)
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
        u, v, _ = pair.frame.coordinates(pair.found.witness_a)
        inside = (u - pu) * du + (v - pv) * dv
        part = stretch(lambda place: overlap_at(first, second, at(place)), 0.0, size, inside, pair.delta)
        if part is None:
            return []
        found, corners = part, located(first, second, [at(place) for place in part])
    if found[1] - found[0] <= pair.lateral:
        return located(first, second, [at(0.5 * (found[0] + found[1]))])
    line_of = first if first.kind is FlatKind.SEGMENT else second
    corners = [
        # An end at the level is named by the segment (of two segments by the first) and `level` for the other body.
        corner
        if place == end
        else replace(corner, names=(corner.names[0], "level") if line_of is first else ("level", corner.names[1]))
        for corner, place, end in zip(corners, found, (0.0, size), strict=True)
    ]
    if corners[0].names != corners[1].names:
        return corners
    # Both ends have one name: they get marks in the order of the segment's own ends, which a swap does not change.
    (au, av), (bu, bv) = line_of.corners
    forwards = ((bu - au) * du + (bv - av) * dv > 0.0) is (line_of.names[0] < line_of.names[1])
    return [
        replace(corner, names=(corner.names[0] + mark, corner.names[1]))
        for corner, mark in zip(corners, "-+" if forwards else "+-", strict=True)
    ]


def _case(flats: tuple[Flat, Flat], contacts: tuple[Contact, ...]) -> ContactCase:
    """The case reported; the reference face is the one best aligned with the normal, of equally good ones A's."""
    if flats[0].is_curve or flats[1].is_curve:
        return ContactCase.POINT
    off_a, off_b = [flat.angle if flat.angle is not None and flat.is_face else inf for flat in flats]
    if contacts and (off_a < inf or off_b < inf):
        return ContactCase.FACE_OF_A if off_a <= off_b + HEIGHT_TIE else ContactCase.FACE_OF_B
    return ContactCase.EDGES if flats[0].kind is flats[1].kind is FlatKind.SEGMENT else ContactCase.POINT
