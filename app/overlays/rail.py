"""A rail: a line beside the bodies, turned towards the viewer, on which intervals of one axis are drawn."""

from __future__ import annotations

from math import inf, isfinite

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, dot, dots
from core.pair.candidate_axes import AxisKind

from ..draw.draw_list import Dash, DrawList, Hidden, LabelKindId, Layer, Rgba, Subject
from ..draw.theme import faded
from ..state.view import AxisView
from ..words.axis_words import distance_beyond_sat
from ..words.digits import plain, told_together
from .context import Context, square_of
from .style import family_style

Span = tuple[float, float]


class Spans(Struct, frozen=True, eq=False):
    """Intervals on one axis as distances from the pair's centre along `direction`, unit (3,), from A towards B."""

    direction: Array
    a: Span
    b: Span
    between: Span
    """From A's end that faces B to B's end that faces A: the gap, or, reversed, the overlap."""

    @staticmethod
    def of(context: Context, row: int) -> Spans:
        """The intervals of A and B on the axis in one row of the axis table, and the gap or overlap between them."""
        table = context.analysis.sat.directed
        return Spans.on_axis(context, table.axes[row], table.interval_a[row], table.interval_b[row])

    @staticmethod
    def table(context: Context, rows: list[int]) -> tuple[Array, Array]:
        """The directions (k, 3) of several rows, and the intervals (k, 2, 2) of A and B on them."""
        table = context.analysis.sat.directed
        axes, intervals = table.axes[rows], np.stack((table.interval_a[rows], table.interval_b[rows]), axis=1)
        return axes, intervals - dots(axes, context.extent.centre - context.scene.a.position)[:, None, None]

    @staticmethod
    def on_axis(context: Context, direction: Array, interval_a: Array, interval_b: Array) -> Spans:
        """The spans on any axis: `direction` (3,), `interval_a` and `interval_b` (2,), measured from A's position."""
        shift = dot(context.extent.centre - np.array(context.scene.a.position), direction)
        (a0, a1), (b0, b1) = (interval_a - shift).tolist(), (interval_b - shift).tolist()
        return Spans(direction, (a0, a1), (b0, b1), (a1, b0))

    @property
    def whole(self) -> Span:
        """The lowest and the highest finite end of both intervals."""
        ends = [end for end in (*self.a, *self.b) if isfinite(end)]
        return min(ends), max(ends)

    def wall(self, context: Context) -> Array:
        """Corners (4, 3) of a square across the middle of `between`; it lies between the bodies if there is a gap."""
        middle = context.extent.centre + 0.5 * sum(self.between) * self.direction
        return square_of(middle, self.direction, 0.75 * context.extent.radius_about(self.direction, middle))


def free_axis_is_shown(context: Context) -> bool:
    """Whether a free axis is drawn: one is set, and no question is open whose answer it could give away."""
    return context.view.free is not None and context.reveal.question is None


def side_of_focus(context: Context) -> float:
    """The side of the rail in focus: -1 if the free axis's rail takes its place, else +1."""
    taken = free_axis_is_shown(context) and context.moment is None and context.view.axis_view is not AxisView.FAN
    return -1.0 if taken else 1.0


class Rail(Struct, frozen=True, eq=False):
    """Draws on the line through `centre` (3,) along the unit vector `direction` (3,), lifted to the side.

    Distances run along the line from the centre; lifts are distances from the line; both in scene units. An infinite
    end, as of a half-space, is drawn at `limit`, beyond both bodies. `name`: the name of all that is drawn on the rail.
    `group`: the number of its turned group in `draw`.
    """

    draw: DrawList
    group: int
    centre: Array
    direction: Array
    subject: Subject
    limit: float
    name: str = ""

    @staticmethod
    def on(
        draw: DrawList,
        context: Context,
        direction: Array,
        subject: Subject,
        outermost: tuple[Span, ...] = (),
        name: str = "",
    ) -> Rail:
        """A rail through the pair's centre along the unit vector `direction` (3,) that shows `subject`.

        `outermost`: as in TurnedGroup. `name`: of its primitives, as in DrawList.
        """
        centre, limit = context.extent.centre, 1.25 * context.extent.radius
        with draw.named(name):
            group = draw.turned(centre, direction, outermost)
        return Rail(draw, group, centre, direction, subject, limit, name)

    def at(self, distance: float) -> Array:
        """The point (3,) of the line, not lifted, at a distance, which is limited to `limit`."""
        return self.centre + min(max(distance, -self.limit), self.limit) * self.direction

    def line(
        self,
        span: Span,
        lift: float | tuple[float, float],
        rgba: Rgba,
        width: float,
        layer: Layer,
        *,
        dash: Dash = Dash.SOLID,
        arrow_end: float = 0.0,
    ) -> None:
        """Draws a stretch of the rail; `lift`: one number, or one for each end. `width`, `arrow_end`: points."""
        with self.draw.named(self.name):
            self.draw.lines(
                self.at(span[0]),
                self.at(span[1]),
                rgba,
                width,
                lift=lift,
                dash=dash,
                hidden=Hidden.SHOW,
                layer=layer,
                subject=self.subject,
                group=self.group,
                arrow_end=arrow_end,
            )

    def rung(self, distance: float, lifts: tuple[float, float], rgba: Rgba, width: float, layer: Layer) -> None:
        """Draws a short line across the rail at a distance along it, between two `lifts`."""
        self.line((distance, distance), lifts, rgba, width, layer)

    def drop(self, point: Array, distance: float, lift: float, rgba: Rgba) -> None:
        """Draws a dotted line from a world point (3,) to the rail.

        It ends at `distance` along the rail and at `lift`, scene units.
        """
        foot, lifts = self.at(distance), (0.0, lift)
        with self.draw.named(self.name):
            self.draw.lines(point, foot, rgba, 1.3, dash=Dash.DOTTED, hidden=Hidden.SHOW, lift=lifts, group=self.group)

    def bars(self, context: Context, spans: Spans, lift: float, step: float, count: int = 2) -> None:
        """Draws A's bar and B's on either side of the rail, `step` from it, with lines to the extreme points.

        `count`: the number of known intervals, A's first. `lift`: the rail's.
        """
        for index, (span, beside) in enumerate(((spans.a, lift - step), (spans.b, lift + step))[:count]):
            self.line(span, beside, context.theme.edge(index), 7.0, Layer.STRONG)
            self._drops(context, index, span, beside)

    def _drops(self, context: Context, index: int, span: Span, lift: float) -> None:
        body = context.scene.body(index)
        rgba = faded(context.theme.edge(index), 0.55)
        for end, sign in zip(span, (-1.0, 1.0), strict=True):
            if isfinite(end):
                direction = body.pose.direction_to_local(sign * self.direction)
                self.drop(body.pose.to_world(body.shape.support(direction)), end, lift, rgba)

    def mark(self, between: Span, lift: float, step: float, rgba: Rgba) -> float:
        """Marks the gap or overlap between both bars; returns a lift beyond them."""
        self.line(between, lift, rgba, 4.0, Layer.STRONG)
        for end in between:
            self.rung(end, (lift - step, lift + step), rgba, 1.4, Layer.STRONG)
        return lift + 2.6 * step

    def label(
        self,
        text: str,
        distance: float,
        lift: float,
        rgba: Rgba,
        *,
        size: float,
        offset: tuple[float, float],
        priority: int,
        bold: bool = False,
        brief: str = "",
        max_distance: float = inf,
        clear: bool = False,
        kind: LabelKindId = "notes",
    ) -> None:
        """Adds text beside a place on the rail, `distance` along it and `lift` from it, scene units.

        The other arguments are as in Label.
        """
        with self.draw.named(self.name):
            self.draw.label(
                text,
                self.at(distance),
                rgba,
                size=size,
                offset=offset,
                priority=priority,
                subject=self.subject,
                lift=lift,
                group=self.group,
                bold=bold,
                brief=brief,
                max_distance=max_distance,
                clear=clear,
                kind=kind,
            )


def rail_beside(
    context: Context,
    draw: DrawList,
    spans: Spans,
    subject: Subject,
    look: tuple[Rgba, Dash],
    *,
    side: float = 1.0,
    beyond: float = 3.3,
    outermost: tuple[Span, ...] = (),
) -> tuple[Rail, float, float]:
    """Draws the rail of an axis beside the bodies; returns the rail, its lift, and the distance of its bars from it.

    `look`: colour and dash pattern. `side`: +1 or -1, the side of the bodies. `beyond`: how far marks and labels reach
    from the rail, as a multiple of the bars' distance. `outermost`: as in TurnedGroup, if other things lie farther out.
    Lift and distance are in scene units and have the sign of `side`.
    """
    size, (low, high) = context.extent.radius, spans.whole
    lift, pitch = side * (context.extent.radius_about(spans.direction) + 0.16 * size), side * 0.075 * size
    ends = tuple((end, lift + beyond * pitch) for end in (low, *spans.between, high) if isfinite(end))
    rail = Rail.on(draw, context, spans.direction, subject, outermost or ends, f"rail of {subject.kind}")
    group, middle = draw.groups[rail.group], 0.5 * sum(spans.between)
    group.bars = (max(low, -rail.limit), min(high, rail.limit), lift - pitch, lift + pitch)
    group.number = (middle, lift + pitch) if isfinite(middle) else None
    # A rail that others lie beyond keeps the scale that they share.
    group.bodies = () if outermost else context.extent.parts
    line = low - 0.16 * size, high + 0.22 * size
    group.ends = max(line[0], -rail.limit), min(line[1], rail.limit)
    rail.line(line, lift, look[0], 1.6, Layer.NORMAL, dash=look[1], arrow_end=10.0)
    return rail, lift, pitch


def family_look(context: Context, kind: AxisKind | None) -> tuple[Rgba, Dash]:
    """Colour and dash pattern of a rail by its axis's family; the winner's colour for None."""
    if kind is None:
        return context.theme.winner, Dash.SOLID
    style = family_style(kind, context.theme)
    return style.rgba, style.dash


def separation_words(separation: float, band: float, distance: float | None = None) -> str:
    """The gap or overlap of two intervals: `gap 0.3`, `overlap 0.3`, or `touching` within the tolerance `band`.

    `distance`: the bodies' own, if it is shown as well and is another number; both must read differently.
    """
    if abs(separation) <= band:
        return "touching"
    size = abs(separation)
    words = plain(size) if distance is None else told_together(size, distance)[0]
    return f"{'overlap' if separation < 0.0 else 'gap'} {words}"


def way_words(context: Context, row: int) -> str:
    """The gap or overlap on the axis in a row of the table; without its number while the winner is asked for."""
    analysis = context.analysis
    separation = float(analysis.sat.separations[row])
    words = separation_words(separation, analysis.band, distance_beyond_sat(analysis))
    return words if context.reveal.winner else words.split()[0]


def separation_rgba(context: Context, separation: float) -> Rgba:
    """Colour of a gap or an overlap, by the separation on an axis; touching has that of a gap."""
    return context.theme.overlap if separation < -context.analysis.band else context.theme.gap
