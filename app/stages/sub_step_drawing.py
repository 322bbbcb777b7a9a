"""Drawing functions that pictures of sub-steps share: directions on the bodies, lines and planes across them, a − b."""

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

from ..draw.between import eased
from ..draw.draw_list import NO_SUBJECT, Dash, DrawList, Hidden, Layer, Rgba, Subject
from ..draw.theme import Theme, faded
from ..overlays.bodies import draw_body
from ..overlays.context import Build, Context
from ..overlays.solids import draw_sheet
from ..overlays.style import PLAIN, STRONG, bound_colours
from ..words.axis_words import listed
from ..words.digits import MINUS, plain
from ..words.formula import Formula
from ..words.names import vertex_name
from .stage import At, Heading, SubStep, farthest, given
from .step_drawing import (
    ARC_ANGLES,
    ARROW_LENGTH,
    CIRCLE,
    PLANE_NORMAL,
    about_a,
    clear_of,
    draw_arrow,
    draw_found,
    draw_sources,
    draw_support_plane,
    found_name,
    in_world,
    names_in,
    ring_is_whole,
    strip,
    support_plane,
    tip_of_arrow,
)
from .word_parts import sentences

SPREAD = 0.35
"""Half the side of a square across a direction, as a share of the pair's radius; a line's half is 1.5 times that."""
HALF_STRENGTH = 0.5
"""Opacity of the arrows a and −b in the difference."""
MOST_TIED = 3
"""If more vertices than this are equally far, a sentence has only their number."""


class Searching(Protocol):
    """A step that searches for a support point, unless it stops before the search."""

    @property
    def support(self) -> DifferencePoint | None:
        """The support point found; None if the step stops before the search."""


S = TypeVar("S", bound=Searching)


class SubStepPictures(Struct, Generic[S], frozen=True, eq=False):
    """The pictures of a step's sub-steps, each showing only what is known at that sub-step."""

    at: At[S]

    @property
    def _step(self) -> S:
        return self.at.step

    @property
    def _support(self) -> DifferencePoint:
        return given(self._step.support)


class SearchPictures(Struct, frozen=True, eq=False):
    """A search along a direction called `letter`, and the `point` found: its sub-steps, with their pictures.

    `line`: its line in the listing. `world`, `difference`: draw the state before the search. `named`: points that
    already have names. `start` (3,): the point of the difference where the search begins. `radius`: sum of the radii
    that the points leave out. `joined`: corners (3,) of the simplex that the point found may join; segments from them
    to the point are drawn.
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
    joined: Sequence[Array] = ()

    @property
    def names(self) -> tuple[str, str]:
        """The names of the points found on A and on B: `A.v3`, on a curved surface `a₃`."""
        scene, number = self.at.query.analysis.scene, self.at.names.number(self.point)
        first, second = (scene.a, "A", self.point.vertex_a), (scene.b, "B", self.point.vertex_b)
        return vertex_name(*first, number), vertex_name(*second, number)

    def direction(
        self, name: str, sentence: str, line: str, ends: Sequence[Array], formulas: tuple[Formula, ...] = ()
    ) -> SubStep:
        """The sub-step of the direction, before w is known.

        `ends`: points (3,) on A and on B, in the step's frame, at which the direction is drawn. `name`, `sentence`,
        `line`, `formulas`: as in SubStep.
        """

        def on_bodies(context: Context, draw: DrawList) -> None:
            self.world(context, draw)
            draw_directions(context, draw, tuple(enumerate(ends)), self.point.direction, self.letter)

        return SubStep(name, sentence, line, on_bodies, self._pointed, formulas)

    def parts(self, formulas: tuple[Formula, ...] = ()) -> Iterator[SubStep]:
        """Yields three sub-steps: the farthest point of A, the farthest point of B, and their difference.

        `formulas`: of the difference.
        """
        on_a, on_b = self.names
        first, second = (
            sentences(f"Farthest along {way} on {letter}: {name}.", self.tie_words(index))
            for index, (way, letter, name) in enumerate(
                ((self.letter, "A", on_a), (f"{MINUS}{self.letter}", "B", on_b))
            )
        )
        yield SubStep("support A", first, self.line, self.on_a, self._swept, moves=True, heading=Heading.NONE)
        yield SubStep("support B", second, self.line, self.on_both, self._swept, moves=True, heading=Heading.NONE)
        words = self.at.names.words(self.at.query.analysis.scene, self.point)
        found = f"{words} is the point of A − B farthest along {self.letter}."
        yield SubStep("subtract", found, self.line, self.sources, self.subtraction, formulas, moves=True)

    def reached(
        self,
        name: str,
        sentence: str,
        line: str,
        formulas: tuple[Formula, ...] = (),
        heading: Heading = Heading.THIS_STEP,
    ) -> SubStep:
        """The sub-step of the reach of A − B along the direction: B, moved that far along it, is just free.

        The arguments are as in SubStep.
        """
        return SubStep(name, sentence, line, self.moved, self._reach, formulas, heading=heading)

    def moved(self, context: Context, draw: DrawList) -> None:
        """Draws B moved along the direction until it is just free, radii included."""
        draw_moved(context, draw, (self.value + self.radius) * self.point.direction)

    @property
    def value(self) -> float:
        """The reach of A − B along the search direction: the dot product of the direction and w."""
        return triple.dot(self.point.xyz_direction, self.point.xyz)

    def tied(self, index: int) -> list[int]:
        """Numbers of A's (0) or B's (1) other vertices that are as far along the search, within rounding.

        Empty for a body without core points, and where the search found no vertex.
        """
        body, found = self.at.query.analysis.scene.body(index), (self.point.vertex_a, self.point.vertex_b)[index]
        if found < 0 or body.shape.core is None:
            return []
        numbers, points = corners_of(body.shape), body.pose.to_world(body.shape.core.points)
        along = dots(points[list(numbers)] - points[found], self.point.direction * (1.0, -1.0)[index])
        level = farthest(self.at.query.analysis, along)
        return [numbers[place] for place in level if numbers[place] != found]

    def tie_words(self, *bodies: int) -> str:
        """A sentence on the other vertices of A (0) and B (1) that are equally far; "" if there are none."""
        scene = self.at.query.analysis.scene
        names = [vertex_name(scene.body(index), "AB"[index], vertex) for index in bodies for vertex in self.tied(index)]
        if not names:
            return ""
        others = listed(names) if len(names) <= MOST_TIED else f"{len(names)} others"
        return f"{others} {'is' if len(names) == 1 else 'are'} equally far, and would be right too."

    def on_a(self, context: Context, draw: DrawList) -> None:
        """Draws the farthest point of A: a line or plane across the direction sweeps over A up to that point."""
        self._on(context, draw, 0, context.progress)

    def on_both(self, context: Context, draw: DrawList) -> None:
        """Draws the farthest points of both bodies; A's is at rest, B's is found by the sweep."""
        self._on(context, draw, 0, 1.0)
        self._on(context, draw, 1, context.progress)

    def _on(self, context: Context, draw: DrawList, index: int, share: float) -> None:
        draw_support_on(context, draw, index, self.point, self.letter, share)
        if share == 1.0:
            draw_tied(context, draw, index, self.tied(index))

    def sources(self, context: Context, draw: DrawList) -> None:
        """Draws the source points on A and B, with the line from b to a."""
        draw_sources(context, draw, self.at.names.numbered([self.point]), 0)

    def subtraction(self, context: Context, draw: DrawList) -> None:
        """Draws in the difference a, and from its tip −b, which ends at w."""
        self._pointed(context, draw)
        draw_subtraction(context, draw, self.point, self.name(context))
        if context.progress == 1.0:
            self.joins(draw, context.theme)

    def joins(self, draw: DrawList, theme: Theme) -> None:
        """Draws segments from the simplex's corners to the point found; A − B contains them."""
        for corner in self.joined:
            if not np.array_equal(corner, self.point.w):
                draw.lines(corner, self.point.w, faded(theme.winner, 0.7), 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW)

    def _pointed(self, context: Context, draw: DrawList) -> None:
        """Draws the state before, and the direction at the point where the search begins."""
        self.difference(context, draw)
        tip = tip_of_arrow(context, self.start, self.point.direction)
        draw_arrow(draw, self.start, tip, _searching(context), self.letter)

    def _swept(self, context: Context, draw: DrawList) -> None:
        """Draws the state before, the direction, and the line or plane across it: w is not known yet."""
        self._pointed(context, draw)
        rgba = faded(_searching(context), 0.5)
        draw_across(context, draw, self.start, self.point.direction, rgba, dash=Dash.DASHED)

    def _reach(self, context: Context, draw: DrawList) -> None:
        """Draws the state before, and the support plane at w with its distance from the origin; of EPA also n."""
        (self._pointed if self.letter == "n" else self.difference)(context, draw)
        draw_support_plane(context, draw, self.point.direction, self.point.w)
        name, reach = self.at.names.name(self.point), self.value * self.point.direction
        draw_found(context, draw, self.point, name)
        draw_length(draw, reach, _searching(context), self.value, f"{self.letter}·{name}")

    def name(self, context: Context) -> str:
        """The point's name in the difference."""
        return found_name(context, self.point, self.named)


def _searching(context: Context) -> Rgba:
    """The colour of what a search shows: of the bound that it proves."""
    return bound_colours(context.moment, context.theme)[0]


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
    """Draws a line (in the plane) or a piece of a plane (in space) across the unit `direction` through a point (3,).

    It also covers the foot of the perpendicular from `middle` (3,), if that is given.
    """
    corners = across(context, point, direction, point if middle is None else middle)
    if len(corners) > 2:
        draw_sheet(draw, corners, rgba, 0.13, 0.65, hidden=Hidden.SHOW, layer=Layer.BACK)
    else:
        low, high = corners
        draw.lines(low, high, rgba, 1.6, dash=dash, hidden=Hidden.SHOW)


def across(context: Context, point: Array, direction: Array, middle: Array) -> Array:
    """The ends (2, 3) of the line of `draw_across` in the plane, or the corners (4, 3) of its piece in space.

    `point`, `direction`, `middle`: as there.
    """
    half = SPREAD * context.extent.radius
    away = middle - point
    foot = point + away - dot(away, direction) * direction
    if context.analysis.polygon is None:
        return strip(foot, point, direction, 0.6 * half, half)
    along = cross(direction, PLANE_NORMAL)
    low, high = sorted((0.0, dot(foot - point, along)))
    ends: Array = np.array((point + (low - 1.5 * half) * along, point + (high + 1.5 * half) * along))
    return ends


def draw_directions(
    context: Context, draw: DrawList, starts: Sequence[tuple[int, Array]], direction: Array, letter: str
) -> None:
    """Draws the unit direction on A (0) and its opposite on B (1), each from a point (3,) in the step's frame.

    `letter`: the direction's name.
    """
    rgba, size = _searching(context), ARROW_LENGTH * context.extent.radius
    for index, start in starts:
        way, word = ((direction, letter), (-direction, f"{MINUS}{letter}"))[index]
        foot = in_world(context, start)
        tip = foot + size * way
        draw.strong(foot, tip, rgba, 2.6, arrow_end=12.0)
        draw.label(word, tip, rgba, size=PLAIN, offset=(12.0, -6.0), priority=72, bold=True, kind="direction-names")


def draw_support_on(
    context: Context, draw: DrawList, index: int, point: DifferencePoint, letter: str, share: float
) -> None:
    """Draws the farthest point of A (0) or B (1) along the search, ringed, with the line or plane across it.

    `share`: how far the line or plane has come from the body's position, 0 to 1; the ring appears when it arrives.
    `letter`: the name of the search's direction.
    """
    rgba, body = _searching(context), context.scene.body(index)
    place, vertex = (point.a, point.b)[index], (point.vertex_a, point.vertex_b)[index]
    at = in_world(context, place)
    if share < 1.0:
        back = (1.0 - eased(share)) * dot(at - body.pose.position, point.direction)
        draw_across(context, draw, at - back * point.direction, point.direction, rgba)
        return
    draw_across(context, draw, at, point.direction, rgba, middle=body.pose.position)
    draw_directions(context, draw, ((index, place),), point.direction, letter)
    # On the side away from the arrow, for a body without corners.
    name = vertex_name(context.scene.body(index), "AB"[index], vertex, names_in(context).number(point))
    _draw_ringed(context, draw, index, vertex, at, (-point.direction, point.direction)[index], name)


def draw_tied(context: Context, draw: DrawList, index: int, vertices: Sequence[int]) -> None:
    """Draws other vertices of A (0) or B (1) that are as far as the one found, ringed like it.

    Draws nothing on a body without corners.
    """
    body = context.scene.body(index)
    if body.shape.core is not None:
        for vertex, at in zip(vertices, body.pose.to_world(body.shape.core.points[list(vertices)]), strict=True):
            _draw_ringed(context, draw, index, vertex, at, np.zeros(3), vertex_name(body, "AB"[index], vertex))


def _draw_ringed(context: Context, draw: DrawList, index: int, vertex: int, at: Array, way: Array, name: str) -> None:
    """Draws a world point (3,) of A (0) or B (1), ringed; `way` (3,): side of its name if the body has no corners."""
    theme, body = context.theme, context.scene.body(index)
    kind, rgba = ("vertex_a", "vertex_b")[index], theme.edge(index)
    subject = Subject(kind, vertex) if vertex >= 0 else Subject("body", index)
    draw.spots(at, rgba, 5.4, _searching(context), 2.4, subject=subject)
    below = (0.0, (-14.0, 14.0)[index])
    core = body.shape.core
    way = way if core is None else at - body.pose.to_world(core.points).mean(0)
    offset = clear_of(context, way, len(name), below)
    draw.label(name, at, rgba, size=PLAIN, offset=offset, priority=76, bold=True, subject=subject, kind="vertex-names")


def draw_popping(context: Context, draw: DrawList, point: Array, share: float) -> None:
    """Draws a new corner (3,) of a simplex or polytope, growing; for a moment it is larger than at the end.

    `share`: of the growth, 0 to 1.
    """
    size = 5.0 * eased(min(share, 1.0)) * (1.0 + 2.0 * (1.0 - share))
    draw.spots(point, context.theme.winner, size, context.theme.halo, 1.5)


def draw_subtraction(context: Context, draw: DrawList, point: DifferencePoint, name: str) -> None:
    """Draws in the difference a from the origin, then −b from a's tip; at the end also the point there, ringed."""
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
        draw.label(
            word,
            0.5 * (start + end),
            rgba,
            size=PLAIN,
            offset=(0.0, -11.0),
            priority=74,
            bold=True,
            kind="vertex-names",
        )
    if context.progress == 1.0:
        draw_found(context, draw, point, name)


def draw_length(draw: DrawList, end: Array, rgba: Rgba, value: float, word: str) -> None:
    """Draws a dashed line from the origin to a point (3,), labelled with `word` and `value`."""
    with draw.named(word):
        draw.lines(np.zeros(3), end, rgba, 2.0, dash=Dash.DASHED, hidden=Hidden.SHOW, layer=Layer.STRONG)
        draw.label(
            f"{word} {plain(value)}",
            end,
            rgba,
            size=STRONG,
            offset=(34.0, 14.0),
            priority=83,
            bold=True,
            kind="distance" if word == "v" else "bounds",
        )


def draw_slab(
    context: Context, draw: DrawList, middle: Array, direction: Array, ends: tuple[float, float], rgba: Rgba
) -> None:
    """Draws the slab between two planes across the unit `direction`: in the plane filled, in space only its far side.

    `ends`: distances of both planes along the direction from the point `middle` (3,), about which the slab is drawn.
    """
    low, high = (middle + end * direction for end in ends)
    if context.analysis.polygon is None:
        draw_across(context, draw, high, direction, rgba)
    else:
        way = 2.0 * SPREAD * context.extent.radius * cross(direction, PLANE_NORMAL)
        draw.sheet(np.array((low - way, low + way, high + way, high - way)), faded(rgba, 0.2))


def fit_points_of_search(
    context: Context, supports: Sequence[DifferencePoint | None], origin: Array | float = 0.0
) -> tuple[list[Array], list[Array]]:
    """Points of searches to keep in view: arrows in the world; tips of a and support planes in the difference.

    Two lists of arrays (k, 3). `origin` (3,): A's position in the frame of the support points. None among `supports` is
    passed over.
    """
    size, found = ARROW_LENGTH * context.extent.radius, [point for point in supports if point is not None]
    arrows = [(point.a - origin, point.b - origin, size * point.direction) for point in found]
    tips = np.array([tip for a, b, way in arrows for tip in (a + way, b - way)]).reshape(-1, 3)
    planes = [support_plane(context, point.direction, point.w) for point in found]
    world = np.array(context.scene.a.position) + tips
    return [world], [np.array([a for a, _, _ in arrows]).reshape(-1, 3), *planes]


def fit_points_of_ring(context: Context, towards: Array, radius: float) -> Array:
    """Points (k, 3) of a bound's ring about the origin, or of its arc round the unit `towards`, as seen by the camera.

    The arc is one point along `towards` if the camera looks along that.
    """
    right, up, back = context.view.difference.basis()
    side, points = unit(cross(towards, back)), radius * towards[None]
    if side is not None:
        angles = ARC_ANGLES[::8, None]
        points = radius * (np.cos(angles) * towards + np.sin(angles) * side)
    if not ring_is_whole(context, radius):
        return points
    angles = CIRCLE[::8, None]
    return np.concatenate((points, radius * (np.cos(angles) * right + np.sin(angles) * up)))


def fit_points_of_move(context: Context, ways: Sequence[Array]) -> Array:
    """Ends (k, 3) of the arrows by which B is moved along `ways`, (3,) each.

    With them in view, so is at least half of B's ghost.
    """
    position = context.scene.b.pose.position
    return np.array([position + way for way in ways]).reshape(-1, 3)


def draw_moved(context: Context, draw: DrawList, way: Array) -> None:
    """Draws B as a ghost, moved by `way` (3,), with the arrow of its move."""
    theme, b = context.theme, context.scene.b
    x, y, z = (b.pose.position + way).tolist()
    fill, edge = faded(theme.body_b, 0.4 * theme.face_alpha), faded(theme.edge_b, 0.7)
    draw_body(draw, replace(b, position=(x, y, z)), fill, edge, NO_SUBJECT, 1.2, glass=True)
    draw.strong(b.pose.position, b.pose.position + way, theme.upper, 2.4, arrow_end=11.0)
