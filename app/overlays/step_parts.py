"""What the pictures of several steps have in common: sources on the bodies, the search direction, planes and bounds.

One colour for one role in both panes: the simplex or polytope in the winner's colour, its point nearest the origin and
the witness points in the gap's, what a step found (support point, its direction and plane) in the overlap's. Points on
A and on B keep their bodies' colours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.algorithms.support import DifferencePoint
from core.geometry.vector import Array, cross, length, unit
from core.scene import Body
from core.shapes import Capsule, Sphere

from ..axis_words import plain
from ..draw_list import Dash, DrawList, Hidden, Layer, Marker, Rgba, Subject
from ..theme import Theme, faded
from .context import Context
from .extent import square_of
from .text_sizes import FINE, PLAIN

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
ARC = np.radians(np.linspace(-40.0, 40.0, 33))
"""Where the arcs of a shell of bounds run: to both sides of the direction in which the bounds close in."""


def subscript(letter: str, number: int | None) -> str:
    """`w₁₂`; the letter alone without a number."""
    return letter if number is None else letter + str(number).translate(SUBSCRIPTS)


def vertex_name(body: Body, letter: str, vertex: int) -> str:
    """`A.v3`, of a capsule's core `B.end1`, of a sphere's `B.centre`; the letter alone on a curved surface."""
    if vertex < 0:
        return letter
    if isinstance(body.shape, Sphere):
        return f"{letter}.centre"
    return f"{letter}.end{vertex}" if isinstance(body.shape, Capsule) else f"{letter}.v{vertex}"


def point_name(context: Context, number: int | None, point: DifferencePoint) -> str:
    """`w₀ = A.v3 − B.v5`; of two curved surfaces `w₀`."""
    name = subscript("w", number)
    if point.vertex_a < 0 and point.vertex_b < 0:
        return name
    a, b = context.scene.a, context.scene.b
    return f"{name} = {vertex_name(a, 'A', point.vertex_a)} − {vertex_name(b, 'B', point.vertex_b)}"


def in_world(context: Context, point: Array) -> Array:
    """A point (3,) or points (n, 3) relative to A's position, in the world."""
    placed: Array = np.array(context.scene.a.position) + point
    return placed


def draw_sources(
    context: Context, draw: DrawList, points: Sequence[tuple[int | None, DifferencePoint]], newest: int | None = None
) -> None:
    """The points of A and of B behind numbered points of the difference, each with the way from b to a, which is w.

    What several share is drawn and named once; `newest`: the place of the one that is ringed, if any.
    """
    if not points:
        return
    theme = context.theme
    on_a = in_world(context, np.array([point.a for _, point in points]))
    on_b = in_world(context, np.array([point.b for _, point in points]))
    draw.lines(on_b, on_a, faded(theme.winner, 0.7), 1.3, dash=Dash.DOTTED, hidden=Hidden.SHOW, arrow_end=7.0)
    for index, rows in enumerate((on_a, on_b)):
        body, rgba = context.scene.body(index), theme.edge(index)
        for place, names in _shared(rows).items():
            vertex = (points[place][1].vertex_a, points[place][1].vertex_b)[index]
            ringed = newest is not None and newest in names
            subject = Subject(("vertex_a", "vertex_b")[index], vertex) if vertex >= 0 else Subject("body", index)
            draw.points(
                rows[place],
                rgba,
                5.4 if ringed else 4.6,
                stroke=theme.overlap if ringed else theme.halo,
                stroke_width=2.4 if ringed else 1.5,
                hidden=Hidden.SHOW,
                subject=subject,
            )
            draw.label(
                _source_name([points[k][0] for k in names], "ab"[index], vertex_name(body, "AB"[index], vertex)),
                rows[place],
                rgba,
                size=PLAIN,
                offset=(0.0, 14.0 if index else -14.0),
                priority=75 if ringed else 55,
                subject=subject,
            )


def _shared(rows: Array) -> dict[int, list[int]]:
    # Of points (n, 3) in one place: the first, and all of them.
    firsts: dict[bytes, int] = {}
    shared: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        first = firsts.setdefault(row.tobytes(), place)
        shared.setdefault(first, []).append(place)
    return shared


def _source_name(numbers: list[int | None], letter: str, vertex: str) -> str:
    names = ", ".join(subscript(letter, number) for number in numbers)
    return names if len(vertex) == 1 else f"{names} = {vertex}"


def draw_body_directions(context: Context, draw: DrawList, support: DifferencePoint) -> None:
    """The search direction on A and its opposite on B, at the farthest points that they found."""
    theme, size = context.theme, 0.34 * context.extent.radius
    for index, (point, sign) in enumerate(((support.a, 1.0), (support.b, -1.0))):
        start = in_world(context, point)
        tip = start + sign * size * support.direction
        draw.lines(start, tip, theme.overlap, 2.6, hidden=Hidden.SHOW, layer=Layer.STRONG, arrow_end=12.0)
        draw.label(("d", "−d")[index], tip, theme.overlap, size=PLAIN, offset=(12.0, -6.0), priority=72, bold=True)


def draw_witnesses(context: Context, draw: DrawList, on_a: Array, on_b: Array, word: str) -> None:
    """The points (3,) of the cores, relative to A's position, whose difference is the closest point."""
    theme = context.theme
    ends = (in_world(context, on_a), in_world(context, on_b))
    draw.lines(ends[1], ends[0], theme.gap, 3.0, hidden=Hidden.SHOW, layer=Layer.STRONG)
    for index, end in enumerate(ends):
        draw.points(
            end, theme.edge(index), 5.0, shape=Marker.DIAMOND, stroke=theme.gap, stroke_width=2.0, hidden=Hidden.SHOW
        )
    middle = 0.5 * (ends[0] + ends[1])
    draw.label(word, middle, theme.gap, size=PLAIN, offset=(30.0, 10.0), priority=70, bold=True)


def draw_support_plane(context: Context, draw: DrawList, direction: Array, support: Array) -> None:
    """The plane through the support point (3,), perpendicular to the direction it was sought in: nothing lies beyond.

    It reaches to the foot of the origin's perpendicular, whose length it proves.
    """
    theme, margin = context.theme, 0.2 * context.extent.radius
    foot = float(support @ direction) * direction
    along = unit(support - foot) if length(support - foot) > 1e-6 * margin else None
    if along is None:
        corners = square_of(foot, direction, margin)
    else:
        across = cross(direction, along)
        low, high = foot - margin * along, support + margin * along
        corners = np.array(
            (low - margin * across, high - margin * across, high + margin * across, low + margin * across)
        )
    draw.sheet(corners, faded(theme.overlap, 0.13))
    draw.polyline(corners, faded(theme.overlap, 0.65), 1.2, closed=True, hidden=Hidden.SHOW, layer=Layer.BACK)


def draw_bounds(draw: DrawList, theme: Theme, towards: Array, bounds: Sequence[tuple[float, str]]) -> None:
    """Arcs about the origin, each as far away as a bound says, in the plane through `towards` (3,) seen broadest.

    `bounds`: radii, of which only positive ones are drawn, and what to call them.
    """
    group = draw.turned(np.zeros(3), towards)
    for place, (radius, word) in enumerate(bounds):
        if radius <= 0.0:
            continue
        along, lifts = radius * np.cos(ARC), radius * np.sin(ARC)
        points = along[:, None] * towards
        draw.lines(
            points[:-1],
            points[1:],
            faded(theme.gap, 0.85),
            1.6,
            dash=(Dash.SOLID, Dash.DASHED)[place],
            hidden=Hidden.SHOW,
            layer=Layer.BACK,
            lift=(lifts[:-1], lifts[1:]),
            group=group,
        )
        end = (0, -1)[place]
        draw.label(
            f"{word} {plain(radius)}",
            points[end],
            theme.gap,
            size=FINE,
            offset=(0.0, (-9.0, 9.0)[place]),
            priority=62,
            lift=float(lifts[end]),
            group=group,
        )


def draw_radius(context: Context, draw: DrawList, start: Array, direction: Array) -> None:
    """How far the rounded surface lies beyond a point of the cores' difference: the sum of both radii."""
    maps = None if context.query is None else context.query.support_maps
    if maps is None or maps.radius == 0.0:
        return
    end = start + maps.radius * direction
    rgba: Rgba = context.theme.normal
    draw.lines(start, end, rgba, 2.4, dash=Dash.DASHED, hidden=Hidden.SHOW, layer=Layer.STRONG)
    draw.points(end, rgba, 3.6, shape=Marker.SQUARE, hidden=Hidden.SHOW)
    draw.label(f"radius {plain(maps.radius)}", 0.5 * (start + end), rgba, size=FINE, offset=(0.0, 12.0), priority=58)
