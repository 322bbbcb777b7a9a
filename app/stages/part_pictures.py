"""What the pictures of sub-steps have in common: directions on the bodies, lines and planes across them, a − b."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry import triple
from core.geometry.vector import Array, cross, dot, dots, length, unit
from core.pair.support import DifferencePoint
from core.shapes import corners_of

from ..draw.draw_list import NOTHING, Dash, DrawList, Hidden, Layer, Marker, Rgba, Subject
from ..draw.theme import faded
from ..overlays.bodies import draw_body
from ..overlays.context import Build, Context
from ..overlays.solids import draw_sheet
from ..overlays.style import PLAIN, STRONG
from ..words.axis_words import listed
from ..words.digits import MINUS, plain
from ..words.formula import Formula
from ..words.names import difference_name, vertex_name
from .picture_parts import (
    ARC,
    ARROW,
    about_a,
    clear_of,
    draw_arrow,
    draw_sources,
    draw_support_plane,
    found_name,
    in_world,
    strip,
    support_plane,
)
from .stage import At, Heading, SubStep, farthest, given
from .word_parts import sentences

SPREAD = 0.35
"""Half the length of a line, or side of a square, across a direction, as a share of the pair's radius."""
HALF_STRENGTH = 0.5
MOST_TIED = 3
"""Of more vertices that are equally far only the count is told."""
UP = np.array((0.0, 0.0, 1.0))
"""Out of the plane of scenes of the plane."""


class Searching(Protocol):
    """A step that looks for a support point, unless it ends before."""

    @property
    def support(self) -> DifferencePoint | None:
        """The point found."""


S = TypeVar("S", bound=Searching)


class Drawn(Struct, Generic[S], frozen=True, eq=False):
    """The pictures of a step's sub-steps, each with what was known by then and no more."""

    at: At[S]

    @property
    def _step(self) -> S:
        return self.at.step

    @property
    def _support(self) -> DifferencePoint:
        return given(self._step.support)


class Search(Struct, frozen=True, eq=False):
    """A search along a direction called `letter`, and the `point` found: its sub-steps, with their pictures.

    `line`: of the listing. `world`, `difference`: draw what was known before; `named`: points that have names by then.
    `start` (3,): where the search begins in the difference. `radius`: that the points of it leave out.
    """

    at: At[Any]
    point: DifferencePoint
    letter: str
    line: str
    world: Build
    difference: Build
    named: Sequence[DifferencePoint]
    start: Array
    radius: float = 0.0

    @property
    def names(self) -> tuple[str, str]:
        """The points of A and B: `A.v3`, on a curved surface `a`."""
        scene = self.at.query.analysis.scene
        return vertex_name(scene.a, "A", self.point.vertex_a), vertex_name(scene.b, "B", self.point.vertex_b)

    def direction(
        self, name: str, sentence: str, line: str, ends: Sequence[Array], formulas: tuple[Formula, ...] = ()
    ) -> SubStep:
        """Where it looks, before w is known; `ends` (3,): where that is shown on A and on B, from A's position."""

        def on_bodies(context: Context, draw: DrawList) -> None:
            self.world(context, draw)
            draw_directions(context, draw, tuple(enumerate(ends)), self.point.direction, self.letter)

        return SubStep(name, sentence, line, on_bodies, self._pointed, formulas)

    def parts(self, formulas: tuple[Formula, ...] = ()) -> Iterator[SubStep]:
        """The farthest point of each body, and their difference."""
        on_a, on_b = self.names
        first, second = (
            sentences(f"Farthest along {way} on {letter}: {name}.", self.tie_words(index))
            for index, (way, letter, name) in enumerate(
                ((self.letter, "A", on_a), (f"{MINUS}{self.letter}", "B", on_b))
            )
        )
        yield SubStep("support A", first, self.line, self.on_a, self._swept, moves=True, heading=Heading.NONE)
        yield SubStep("support B", second, self.line, self.on_both, self._swept, moves=True, heading=Heading.NONE)
        made = difference_name(self.at.query.analysis.scene, self.point)
        found = f"w = {made} is the point of A − B farthest along {self.letter}."
        yield SubStep("subtract", found, self.line, self.sources, self.subtraction, formulas, moves=True)

    def reached(
        self,
        name: str,
        sentence: str,
        line: str,
        formulas: tuple[Formula, ...] = (),
        heading: Heading = Heading.THIS_STEP,
    ) -> SubStep:
        """How far A − B reaches: B moved so far is just free."""
        return SubStep(name, sentence, line, self.moved, self._reach, formulas, heading=heading)

    def moved(self, context: Context, draw: DrawList) -> None:
        """B moved so far along the search that it is just free."""
        draw_moved(context, draw, (self.value + self.radius) * self.point.direction)

    @property
    def value(self) -> float:
        """How far A − B reaches along the search."""
        return triple.dot(self.point.heading, self.point.xyz)

    def tied(self, index: int) -> list[int]:
        """Numbers of A's (0) or B's (1) vertices as far along the search as the one found, but for rounding."""
        body, found = self.at.query.analysis.scene.body(index), (self.point.vertex_a, self.point.vertex_b)[index]
        if found < 0 or body.shape.core is None:
            return []
        numbers, points = corners_of(body.shape), body.pose.to_world(body.shape.core.points)
        along = dots(points[list(numbers)] - points[found], self.point.direction * (1.0, -1.0)[index])
        level = farthest(self.at.query.analysis, along)
        return [numbers[place] for place in level if numbers[place] != found]

    def tie_words(self, *bodies: int) -> str:
        """That others of A's (0) and B's (1) vertices are as far, if any are."""
        scene = self.at.query.analysis.scene
        names = [vertex_name(scene.body(index), "AB"[index], vertex) for index in bodies for vertex in self.tied(index)]
        if not names:
            return ""
        others = listed(names) if len(names) <= MOST_TIED else f"{len(names)} others"
        return f"{others} is as far: either would do." if len(names) == 1 else f"{others} are as far: any would do."

    def on_a(self, context: Context, draw: DrawList) -> None:
        """The farthest point of A: what lies across the direction sweeps over A as far as it goes."""
        self._on(context, draw, 0, context.progress)

    def on_both(self, context: Context, draw: DrawList) -> None:
        """Those of both bodies, A's as it was found before."""
        self._on(context, draw, 0, 1.0)
        self._on(context, draw, 1, context.progress)

    def _on(self, context: Context, draw: DrawList, index: int, share: float) -> None:
        draw_support_on(context, draw, index, self.point, self.letter, share)
        if share == 1.0:
            draw_tied(context, draw, index, self.tied(index))

    def sources(self, context: Context, draw: DrawList) -> None:
        """Both points, with the way from b to a."""
        draw_sources(context, draw, [(None, self.point)], 0)

    def subtraction(self, context: Context, draw: DrawList) -> None:
        """In the difference a, and −b from there, end at w."""
        self._swept(context, draw)
        draw_subtraction(context, draw, self.point, self.name(context))

    def _pointed(self, context: Context, draw: DrawList) -> None:
        """What was known, and the direction from where the search begins."""
        self.difference(context, draw)
        tip = self.start + ARROW * context.extent.radius * self.point.direction
        draw_arrow(draw, self.start, tip, context.theme.overlap, self.letter)

    def _swept(self, context: Context, draw: DrawList) -> None:
        """The same with what lies across it there: w is not known yet."""
        self._pointed(context, draw)
        rgba = faded(context.theme.overlap, 0.5)
        draw_across(context, draw, self.start, self.point.direction, rgba, dash=Dash.DASHED)

    def _reach(self, context: Context, draw: DrawList) -> None:
        """What was known, and what lies across the search at w, as far from the origin as A − B reaches."""
        self.difference(context, draw)
        draw_support_plane(context, draw, self.point.direction, self.point.w)
        draw_found(context, draw, self.point, "w")
        draw_length(draw, self.value * self.point.direction, context.theme.overlap, self.value, f"{self.letter}·w")

    def name(self, context: Context) -> str:
        """What the point is called in the difference."""
        return found_name(context, self.point, self.named)


def draw_across(
    context: Context,
    draw: DrawList,
    point: Array,
    direction: Array,
    rgba: Rgba,
    *,
    middle: Array | None = None,
    dash: Dash = Dash.SOLID,
) -> None:
    """What lies across the unit `direction` through a point (3,): in the plane a line, in space a piece of a plane.

    It reaches beyond the foot of `middle` (3,), else of the point itself.
    """
    corners = across(context, point, direction, point if middle is None else middle)
    if len(corners) > 2:
        draw_sheet(draw, corners, rgba, 0.13, 0.65, hidden=Hidden.SHOW, layer=Layer.BACK)
    else:
        low, high = corners
        draw.lines(low, high, rgba, 1.6, dash=dash, hidden=Hidden.SHOW)


def across(context: Context, point: Array, direction: Array, middle: Array) -> Array:
    """Its ends (2, 3) in the plane, its corners (4, 3) in space."""
    half = SPREAD * context.extent.radius
    away = middle - point
    foot = point + away - dot(away, direction) * direction
    if context.analysis.polygon is None:
        return strip(foot, point, direction, 0.6 * half, half)
    along = cross(direction, UP)
    low, high = sorted((0.0, dot(foot - point, along)))
    ends: Array = np.array((point + (low - 1.5 * half) * along, point + (high + 1.5 * half) * along))
    return ends


def draw_directions(
    context: Context, draw: DrawList, starts: Sequence[tuple[int, Array]], direction: Array, letter: str
) -> None:
    """The direction on A (body 0) and its opposite on B (body 1), each from a point (3,) relative to A's position."""
    theme, size = context.theme, ARROW * context.extent.radius
    for index, start in starts:
        way, word = ((direction, letter), (-direction, f"{MINUS}{letter}"))[index]
        foot = in_world(context, start)
        tip = foot + size * way
        draw.strong(foot, tip, theme.overlap, 2.6, arrow_end=12.0)
        draw.label(word, tip, theme.overlap, size=PLAIN, offset=(12.0, -6.0), priority=72, bold=True)


def draw_support_on(
    context: Context, draw: DrawList, index: int, point: DifferencePoint, letter: str, share: float
) -> None:
    """On A (0) or B (1) the farthest point along the search, ringed, with what lies across there: nothing is beyond.

    `share`: how far that has come from the body's position, 0 to 1; there is no ring before it has arrived.
    """
    theme, body = context.theme, context.scene.body(index)
    place, vertex = (point.a, point.b)[index], (point.vertex_a, point.vertex_b)[index]
    at = in_world(context, place)
    if share < 1.0:
        back = (1.0 - eased(share)) * dot(at - body.pose.position, point.direction)
        draw_across(context, draw, at - back * point.direction, point.direction, theme.overlap)
        return
    draw_across(context, draw, at, point.direction, theme.overlap, middle=body.pose.position)
    draw_directions(context, draw, ((index, place),), point.direction, letter)
    # Away from the arrow: back into the body where it has no middle to stand clear of.
    _draw_ringed(context, draw, index, vertex, at, (-point.direction, point.direction)[index])


def draw_tied(context: Context, draw: DrawList, index: int, vertices: Sequence[int]) -> None:
    """Vertices of A (0) or B (1) that are as far as the one found, ringed as that is."""
    body = context.scene.body(index)
    if body.shape.core is not None:
        for vertex, at in zip(vertices, body.pose.to_world(body.shape.core.points[list(vertices)]), strict=True):
            _draw_ringed(context, draw, index, vertex, at, np.zeros(3))


def _draw_ringed(context: Context, draw: DrawList, index: int, vertex: int, at: Array, way: Array) -> None:
    """A point (3,) of A (0) or B (1), ringed, with its name; `way` (3,): where it stands if the body has no corners."""
    theme, body = context.theme, context.scene.body(index)
    kind, rgba = ("vertex_a", "vertex_b")[index], theme.edge(index)
    subject = Subject(kind, vertex) if vertex >= 0 else Subject("body", index)
    draw.spots(at, rgba, 5.4, theme.overlap, 2.4, subject=subject)
    name, below = vertex_name(body, "AB"[index], vertex), (0.0, (-14.0, 14.0)[index])
    core = body.shape.core
    way = way if core is None else at - body.pose.to_world(core.points).mean(0)
    offset = clear_of(context, way, len(name), below)
    draw.label(name, at, rgba, size=PLAIN, offset=offset, priority=76, bold=True, subject=subject)


def eased(share: float) -> float:
    """A share of a motion that begins and ends gently."""
    return share * share * (3.0 - 2.0 * share)


def draw_popping(context: Context, draw: DrawList, point: Array, share: float) -> None:
    """A corner (3,) of a simplex or polytope on its way: it grows, for a moment beyond its size."""
    size = 5.0 * eased(min(share, 1.0)) * (1.0 + 2.0 * (1.0 - share))
    draw.spots(point, context.theme.winner, size, context.theme.halo, 1.5)


def draw_subtraction(context: Context, draw: DrawList, point: DifferencePoint, name: str) -> None:
    """In the difference a from the origin and −b from there, at half strength: at their sum the point, ringed.

    Both are drawn one after the other.
    """
    theme, drawn = context.theme, 2.0 * eased(context.progress)
    on_a, on_b = about_a(context, point.a), about_a(context, point.b)
    for number, (start, whole, rgba, word) in enumerate(
        ((np.zeros(3), on_a, theme.edge_a, "a"), (on_a, -on_b, theme.edge_b, f"{MINUS}b"))
    ):
        share = min(drawn - number, 1.0)
        if share <= 0.0 or length(whole) == 0.0:
            continue
        end = point.w if number and share == 1.0 else start + share * whole
        draw.strong(start, end, faded(rgba, HALF_STRENGTH), 2.4, arrow_end=11.0)
        draw.label(word, 0.5 * (start + end), rgba, size=PLAIN, offset=(0.0, -11.0), priority=74, bold=True)
    if context.progress == 1.0:
        draw_found(context, draw, point, name)


def draw_found(context: Context, draw: DrawList, point: DifferencePoint, name: str) -> None:
    """A point of the difference that was just found, ringed."""
    theme = context.theme
    draw.spots(point.w, faded(theme.overlap, 0.0), 8.0, theme.overlap, 2.6, shape=Marker.RING)
    draw.label(name, point.w, theme.overlap, size=PLAIN, offset=(0.0, 16.0), priority=80, bold=True)


def draw_length(draw: DrawList, end: Array, rgba: Rgba, value: float, word: str) -> None:
    """A dashed line from the origin to a point (3,) with its length, which is `value`."""
    draw.lines(np.zeros(3), end, rgba, 2.0, dash=Dash.DASHED, hidden=Hidden.SHOW, layer=Layer.STRONG)
    draw.label(f"{word} {plain(value)}", end, rgba, size=STRONG, offset=(34.0, 14.0), priority=83, bold=True)


def draw_slab(
    context: Context, draw: DrawList, middle: Array, direction: Array, ends: tuple[float, float], rgba: Rgba
) -> None:
    """What lies between two lines or planes across the unit `direction`: in the plane a strip, in space its far side.

    `ends`: how far along the direction both are from the point `middle` (3,), about which it is drawn.
    """
    low, high = (middle + end * direction for end in ends)
    if context.analysis.polygon is None:
        draw_across(context, draw, high, direction, rgba)
    else:
        way = 2.0 * SPREAD * context.extent.radius * cross(direction, UP)
        draw.sheet(np.array((low - way, low + way, high + way, high - way)), faded(rgba, 0.2))


def search_reach(
    context: Context, supports: Sequence[DifferencePoint | None], origin: Array | float = 0.0
) -> tuple[list[Array], list[Array]]:
    """How far the pictures of searches reach: in the world the arrows, in the difference a, and what lies across at w.

    Each a list of points (k, 3). `origin` (3,): where A's position is in the frame of the support points.
    """
    size, found = ARROW * context.extent.radius, [point for point in supports if point is not None]
    arrows = [(point.a - origin, point.b - origin, size * point.direction) for point in found]
    tips = np.array([tip for a, b, way in arrows for tip in (a + way, b - way)]).reshape(-1, 3)
    planes = [support_plane(context, point.direction, point.w) for point in found]
    world = np.array(context.scene.a.position) + tips
    return [world], [np.array([a for a, _, _ in arrows]).reshape(-1, 3), *planes]


def ring_reach(context: Context, towards: Array, radius: float) -> Array:
    """Points (k, 3) of a ring about the origin through the unit `towards`, as the difference's camera sees it."""
    side = unit(cross(towards, context.view.difference.basis()[2]))
    if side is None:
        return radius * towards[None]
    angles = ARC[::8, None]
    points: Array = radius * (np.cos(angles) * towards + np.sin(angles) * side)
    return points


def moved_reach(context: Context, ways: Sequence[Array]) -> Array:
    """Where the arrows end (k, 3) by which B is moved: about them at least half of its ghost is in sight."""
    position = context.scene.b.pose.position
    return np.array([position + way for way in ways]).reshape(-1, 3)


def draw_moved(context: Context, draw: DrawList, way: Array) -> None:
    """B as a ghost, moved by `way` (3,), with the arrow of its move."""
    theme, b = context.theme, context.scene.b
    x, y, z = (b.pose.position + way).tolist()
    fill, edge = faded(theme.body_b, 0.4 * theme.face_alpha), faded(theme.edge_b, 0.7)
    draw_body(draw, replace(b, position=(x, y, z)), fill, edge, NOTHING, 1.2, glass=True)
    draw.strong(b.pose.position, b.pose.position + way, theme.overlap, 2.4, arrow_end=11.0)
