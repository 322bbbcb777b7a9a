"""Bodies, differences and sums of 2D scenes: filled, with crisp edges, seen straight on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry.vec2 import raised, raised_rows, rotated
from core.geometry.vector import Array, length
from core.minkowski.plane import MinkowskiPolygon, PairPlace, VertexPair, minkowski_difference, minkowski_sum
from core.scene import Body, Scene

from ..draw.draw_list import NO_SUBJECT, Dash, DrawList, Hidden, Layer, Rgba, Subject
from ..draw.meshes.mesh import ring
from ..draw.theme import faded
from ..words.names import axis_name, lettered, named_axis, vertices_name
from .context import Context, Overlay
from .hatches import draw_hatches
from .solids import draw_bare
from .style import FINE, PLAIN, family_style

FOCUS_WIDTH, TRIED_WIDTH, OTHER_WIDTH = 4.0, 5.5, 2.4
"""Widths of an edge of the difference, points: in focus, tried by SAT, any other."""
STRIP = 12.0
"""Width of the strip along an edge that is hatched, in points."""
MOST_LETTERS = 16
"""A difference with more pairs of vertices has names at its corners only; a sum always has them there only.

A difference of more than twice as many corners, and a sum of more than twice as many pairs, has no names.
"""
MOST_PAIRS = 1024
"""A difference or sum with more pairs has marks only at those pointed at or pinned.

More marks would hide it, and take longer than all else.
"""
SIGNS = {"difference": "−", "sum": "+"}
"""The sign between the vertices of a pair, by the kind of polygon."""
PAIR_KIND = "pair"
"""Kind of the subjects that are pairs of vertices, numbered as in the difference's table."""


def draw_edge_normals(context: Context, draw: DrawList, index: int, body: Body) -> None:
    """Draws a polygon's outward normals, from the middles of its edges; draws nothing for a body without edges."""
    core = body.shape.core
    if core is None or core.solid is None:
        return
    rgba = faded(context.theme.edge(index), 0.9)
    loop = body.pose.to_world(core.points[list(core.solid.faces[0])])
    normals = raised_rows(rotated((x, y), body.angle) for x, y, _ in body.shape.face_normals.tolist())
    middles = 0.5 * (loop + np.roll(loop, -1, axis=0)) + core.radius * normals
    tips = middles + 0.45 * body.shape.largest_half_extent * normals
    draw.lines(middles, tips, rgba, 1.6, hidden=Hidden.SHOW, arrow_end=9.0)
    for edge, tip in enumerate(tips):
        name, ink = named_axis(f"{'AB'[index]}.e{edge}"), context.theme.edge(index)
        draw.label(name, tip, ink, size=FINE, offset=(0.0, -9.0), priority=10, kind="axis-names")


def grown_outline(polygon: MinkowskiPolygon) -> Array:
    """The outline (n, 3) of a difference or sum: its corners, or with a circle the arcs about them."""
    corners = raised_rows(polygon.corners)
    if polygon.radius == 0.0:
        return corners
    if len(corners) == 1:
        return corners + polygon.radius * ring()
    return np.concatenate([_arc(polygon, k) for k in range(len(corners))])


def _arc(polygon: MinkowskiPolygon, k: int) -> Array:
    """The arc (24, 3) about corner k of a difference or sum with a circle."""
    (x0, y0), (x1, y1) = polygon.edges[k - 1].normal, polygon.edges[k].normal
    first, last = np.arctan2(y0, x0), np.arctan2(y1, x1)
    angles = first + np.linspace(0.0, (last - first) % (2.0 * np.pi), 24)
    return raised(polygon.corners[k]) + polygon.radius * np.column_stack((np.cos(angles), np.sin(angles), np.zeros(24)))


def draw_flat_difference(context: Context, draw: DrawList, polygon: MinkowskiPolygon, *, faint: bool) -> None:
    """Draws A - B, its edges in their families' colours with the axis in focus lit, and the pairs of vertices.

    `faint`: as a shell, without the edges' colours and the pairs' names.
    """
    theme, outline, subject = context.theme, grown_outline(polygon), Subject("difference")
    if len(outline) < 3:
        draw_bare(draw, outline, faded(theme.difference_edge, 0.8), subject)
    else:
        draw.sheet(outline, faded(theme.difference, 0.10 if faint else 0.28), subject)
    edge_rgba = faded(theme.difference_edge, 0.5 if faint else 0.8)
    if polygon.radius > 0.0:
        draw.polyline(outline, edge_rgba, 1.4, closed=True, hidden=Hidden.SHOW, layer=Layer.EDGES, subject=subject)
    if not faint:
        for k, edge in enumerate(polygon.edges):
            rgba, width = _edge_look(context, edge.row)
            start, end = edge_ends(polygon, k) + polygon.radius * raised(edge.normal)
            draw.lines(start, end, rgba, width, hidden=Hidden.SHOW, subject=Subject("axis", edge.row))
        _draw_closest_corner(context, draw, polygon)
        if len(outline) > 2:
            draw_hatches(context, draw, _edge_loops(polygon, outline), strip=STRIP)
    elif len(polygon.corners) > 1:
        core = raised_rows(polygon.corners)
        draw.polyline(core, edge_rgba, 1.2, closed=True, hidden=Hidden.SHOW, layer=Layer.BACK, subject=subject)
    _draw_pairs(context, draw, polygon, faint=faint)


def _edge_loops(polygon: MinkowskiPolygon, outline: Array) -> Iterator[tuple[int, Array]]:
    """Yields for each edge the row of its axis, and the `outline` (n, 3) beginning with that edge."""
    a_corner = len(outline) // len(polygon.corners)
    for k, edge in enumerate(polygon.edges):
        yield edge.row, np.roll(outline, 1 - (k + 1) * a_corner, axis=0)


def draw_flat_shell(context: Context, draw: DrawList, scene: Scene) -> Array:
    """Draws A - B of another scene as a shell, without edges' colours and names; returns its outline (n, 3)."""
    theme, outline = context.theme, grown_outline(minkowski_difference(scene.a, scene.b))
    if len(outline) < 3:
        draw_bare(draw, outline, theme.difference_edge, Subject("difference"))
        return outline
    draw.sheet(outline, faded(theme.difference, 0.14), Subject("difference"))
    draw.polyline(outline, theme.difference_edge, 1.4, closed=True, hidden=Hidden.SHOW, layer=Layer.EDGES)
    return outline


def _edge_look(context: Context, row: int) -> tuple[Rgba, float]:
    """Colour and width of the edge or arc that gives the axis in a row of the table.

    The colour is that of the axis's family, or the winner's in focus. At a step of SAT the edge of the axis tried is
    wide, and edges of axes not yet reached are dim.
    """
    theme, same_as, lit = context.theme, context.analysis.sat.same_as, context.lit
    rgba = family_style(context.analysis.sat.candidates[row].kind, theme).rgba
    focused = lit is not None and int(same_as[lit]) == int(same_as[row])
    if not context.sat_progress.stepping:
        return (theme.winner, FOCUS_WIDTH) if focused else (rgba, OTHER_WIDTH)
    if focused:
        return rgba, TRIED_WIDTH
    return (
        (faded(rgba, 0.7), OTHER_WIDTH)
        if context.sat_progress.reached(row)
        else (faded(theme.difference_edge, 0.5), OTHER_WIDTH)
    )


def edge_ends(polygon: MinkowskiPolygon, k: int) -> Array:
    """The ends (2, 3) of edge k of a difference or sum, without its radius."""
    return raised_rows((polygon.corners[k], polygon.corners[(k + 1) % len(polygon.corners)]))


def _draw_closest_corner(context: Context, draw: DrawList, polygon: MinkowskiPolygon) -> None:
    """Draws the arc of the closest vertex's axis like an edge, with its name, if the difference has a radius."""
    row = len(context.analysis.sat.candidates) - 1
    vertex = context.analysis.sat.candidates[row].vertex
    if vertex is None or polygon.radius == 0.0:
        return
    of_a = len(polygon.core_a.ring) > 1
    corner = next((k for k, source in enumerate(polygon.sources) if source[0 if of_a else 1] == vertex), None)
    if corner is None:
        return
    (rgba, width), subject = _edge_look(context, row), Subject("axis", row)
    arc, centre = _arc(polygon, corner), raised(polygon.corners[corner])
    draw.polyline(arc, rgba, width, hidden=Hidden.SHOW, layer=Layer.NORMAL, subject=subject)
    if not context.sat_progress.has(row):
        return
    middle = arc[len(arc) // 2]
    across, up, _ = (middle - centre) / polygon.radius
    draw.label(
        axis_name(context.analysis.sat, row),
        middle,
        rgba,
        size=FINE,
        offset=(26.0 * across, -14.0 * up),
        priority=45,
        subject=subject,
        kind="axis-names",
    )


def pair_count(polygon: MinkowskiPolygon) -> int:
    """The number of pairs in the table, without making the table, which takes long if there are many."""
    return len(polygon.core_a.listed_numbers) * len(polygon.core_b.listed_numbers)


def _draw_pairs(context: Context, draw: DrawList, polygon: MinkowskiPolygon, *, faint: bool) -> None:
    if pair_count(polygon) > MOST_PAIRS:
        for number in _lit_pairs(context, polygon):
            _draw_pointed_at(context, draw, polygon, number)
        return
    table, lit = polygon.vertex_pairs, _lit_pairs(context, polygon)
    lettered = [number for number, pair in enumerate(table) if len(table) <= MOST_LETTERS or pair.corner is not None]
    named: dict[tuple[float, float], list[int]] = {}
    for number in lettered:
        named.setdefault(table[number].point, []).append(number)
    for number, pair in enumerate(table):
        if number not in lit:
            inside = pair.corner is None
            rgba = faded(context.theme.difference_edge, 0.4 if faint or inside else 1.0)
            size, subject = 2.4 if inside else 3.6, _pair_subject(context, number)
            draw.points(raised(pair.point), rgba, size, hidden=Hidden.SHOW, subject=subject)
    for number in lit:
        _draw_pointed_at(context, draw, polygon, number)
    if faint or len(lettered) > 2 * MOST_LETTERS:
        return
    middle = raised_rows(polygon.corners).mean(axis=0)
    for point, numbers in named.items():
        if any(number in lit for number in numbers):
            continue
        words, first = (
            ", ".join(vertices_name(context.scene, table[number]) for number in numbers),
            table[numbers[0]],
        )
        rgba = context.theme.dim_text if first.corner is None else context.theme.text
        offset = (0.0, -12.0) if first.place is PairPlace.INSIDE else outwards(raised(point) - middle, len(words))
        size = FINE if first.corner is None else PLAIN
        draw.label(words, raised(point), rgba, size=size, offset=offset, priority=35, kind="point-names")


def outwards(way: Array, letters: int) -> tuple[float, float]:
    """The offset of a label on the side of `way` (3,), in points right and down; above if `way` is 0.

    `letters`: the length of its text.
    """
    size = length(way)
    if size == 0.0:
        return 0.0, -14.0
    return (8.0 + 4.0 * letters) * float(way[0]) / size, -14.0 * float(way[1]) / size


def _lit_pairs(context: Context, polygon: MinkowskiPolygon) -> list[int]:
    """Numbers of the pairs that are pointed at or pinned and that the table has."""
    subjects = (context.view.hover, context.view.pin) if context.reveal.vertices else ()
    numbers = {subject.number for subject in subjects if subject is not None and subject.kind == PAIR_KIND}
    return sorted(number for number in numbers if number < pair_count(polygon))


def _pair_subject(context: Context, number: int) -> Subject:
    return Subject(PAIR_KIND, number) if context.reveal.vertices else NO_SUBJECT


def pair_words(scene: Scene, polygon: MinkowskiPolygon, pair: VertexPair) -> str:
    """`a₁ − b₂`, for a sum `a₁ + b₂`; in the worked example `BE = a₁ − b₁`."""
    made = vertices_name(scene, pair, SIGNS[polygon.kind])
    return f"{pair.name} = {made}" if lettered(scene) else made


def _draw_pointed_at(context: Context, draw: DrawList, polygon: MinkowskiPolygon, number: int) -> None:
    theme, pair = context.theme, polygon.vertex_pairs[number]
    point, words = raised(pair.point), pair_words(context.scene, polygon, pair)
    draw.spots(point, theme.hover, 6.5, theme.halo, 1.5, subject=Subject(PAIR_KIND, number))
    draw.label(words, point, theme.hover, size=PLAIN, offset=(0.0, -15.0), priority=95, bold=True, kind="point-names")


def draw_flat_sum(context: Context, draw: DrawList) -> None:
    """Draws A + B in the world, its corners named by their pairs of vertices if they are few, and all pairs as points.

    Pairs pointed at or pinned are larger, and always named.
    """
    theme, scene = context.theme, context.analysis.scene
    polygon = minkowski_sum(scene.a, scene.b)
    outline, lit = grown_outline(polygon), _lit_pairs(context, polygon)
    draw.sheet(outline, faded(theme.normal, 0.10), Subject("sum"))
    draw.polyline(outline, faded(theme.normal, 0.9), 1.6, closed=True, dash=Dash.DASHED, hidden=Hidden.SHOW)
    for number in lit if pair_count(polygon) > MOST_PAIRS else range(len(polygon.vertex_pairs)):
        pair, told = polygon.vertex_pairs[number], number in lit
        rgba = theme.hover if told else faded(theme.normal, 0.5 if pair.corner is None else 1.0)
        point, subject = raised(pair.point), _pair_subject(context, number)
        draw.points(point, rgba, 5.5 if told else 3.0, hidden=Hidden.SHOW, subject=subject)
        if told or (pair.corner is not None and len(polygon.vertex_pairs) <= 2 * MOST_LETTERS):
            name = vertices_name(scene, pair, SIGNS[polygon.kind])
            words, size = (pair_words(scene, polygon, pair), PLAIN) if told else (name, FINE)
            draw.label(
                words, point, rgba, size=size, offset=(0.0, -12.0), priority=94 if told else 25, kind="point-names"
            )
    top = outline[outline[:, 1].argmax()]
    draw.label("A + B", top, theme.normal, size=PLAIN, offset=(0.0, -24.0), priority=60, bold=True, kind="body-names")


def draw_pair_sources(context: Context, draw: DrawList, polygon: MinkowskiPolygon) -> None:
    """Draws on the bodies the two vertices of each pair pointed at or pinned, and an arrow from B's to A's."""
    theme = context.theme
    for number in _lit_pairs(context, polygon):
        pair = polygon.vertex_pairs[number]
        origin = np.array(context.scene.a.position)
        on_a = origin + raised(polygon.core_a.corner(pair.vertex_a))
        on_b = origin + raised(polygon.core_b.corner(pair.vertex_b))
        draw.strong(on_b, on_a, theme.hover, 2.2, arrow_end=10.0)
        for index, point in enumerate((on_a, on_b)):
            draw.spots(point, theme.edge(index), 5.5, theme.hover, 2.0)


def _world(context: Context, draw: DrawList) -> None:
    if context.analysis.polygon is not None:
        draw_pair_sources(context, draw, context.analysis.polygon)


OVERLAY = Overlay(
    "flat_pairs", "Pair of vertices", "", "The two vertices of the difference that you point at", world=_world
)
