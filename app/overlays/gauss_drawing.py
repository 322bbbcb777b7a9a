"""Draws the Gauss map: a sphere with the maps of A and of −B laid over each other (Gregorius, GDC 2013).

A face is a point, its outward normal. An edge is the arc between the normals of its two faces. A capsule's core is a
segment, whose map is one great circle. A sphere's core is a point, whose map has no marks. Bodies with other curved
faces have no map, and the inset says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, cross_rows, dots
from core.pair.cores import Core, CoreKind, core_of, has_core
from core.pair.gauss_map import ArcReason
from core.sat.sat import AxisKind
from core.scene import Scene

from ..draw.draw_list import NO_OTHER_ANCHORS, Dash, DrawList, Hidden, IntArray, Layer, Marker, Rgba, Subject
from ..draw.steady import steady_shares
from ..draw.theme import Theme, faded, mixed, on_ground
from ..shapes import kind_of
from ..state.view import GAUSS_BODY
from ..words.axis_words import arcs_in_short, boxed, overlaid_maps
from ..words.names import axis_name, named_axis
from .context import Context
from .solids import draw_sphere
from .style import FINE, family_style

RADIUS = 0.84
ARCS, LIT_ARCS = 0.998 * RADIUS, 0.994 * RADIUS
"""Radii of the arcs and of the lit ones, which are wider: a little smaller than the sphere's, to end at its outline."""
MARK, LIT, STAR, SMALL_STAR, CROWDED = 0.29 * FINE, 0.45 * FINE, 0.52 * FINE, 0.37 * FINE, 0.25 * FINE
"""Radii of the marks, points: in proportion to the letters beside them, a lit one as high as a capital."""
ARC_STEP = np.radians(4.0)
"""Largest angle of a piece of an arc, radians; shorter pieces look no rounder."""
SPHERE, BEHIND = 0.16, 0.4
"""Opacities of the sphere, and of arcs behind it."""
SPHERE_SEEN = 0.45
"""The share of the sphere's colour in the middle of the sphere as it is drawn, with its far side and its shading."""
MANY_ARCS = 80
"""A map with more arcs has hairlines, and points at the arcs' ends and names only for the axis in focus."""
MOST_CROSSINGS = 64
"""Most crossings marked on a crowded map besides that of the axis in focus: those closest to winning.

More would cover the arcs.
"""
LEADING = 18.0
"""Distance between two lines of words, points."""
WORDS_AT = 99.0
"""Distance from the sphere's middle to the lowest line of words, points."""
MOST_NAMES = 8
"""A body with more directions of faces has no names at its faces: they would cover one another."""


LEGEND: tuple[tuple[str, Callable[[Theme], Rgba], float], ...] = (
    ("■ A", lambda theme: theme.edge_a, -88.0),
    ("◆ −B", lambda theme: theme.edge_b, 84.0),
)
"""The marks of A's normals and of −B's: words, colour, and distance to the right of the sphere's middle, points; they
are in the inset's corners."""
CROSSING = "○ "
"""The mark before the words on crossings."""


class Crossings(Struct, frozen=True, eq=False):
    """The crossings of arcs: `points` (k, 3) unit, outward normals of A − B; `rows` (k,) of the axis table.

    `edges` (k, 2): the edges of A and B; `tried`: number of all pairs of edges.
    """

    points: Array
    rows: IntArray
    edges: IntArray
    tried: int


def crossings_of(context: Context) -> Crossings | None:
    """The crossings of two bodies with cores; None for other bodies, and if they are not computed."""
    scene = context.scene
    if not (has_core(scene.a) and has_core(scene.b)) or context.analysis.beyond_limits or context.analysis.refused:
        return None
    pair = overlaid_maps(scene)
    overlay = pair.overlay
    kept = np.flatnonzero(np.isin(overlay.reasons, (ArcReason.BUILDS_FACE, ArcReason.BORDERLINE)))
    edges = overlay.pairs[kept]
    tried = len(pair.core_a.solid.edges) * len(pair.core_b.solid.edges)
    rows = pair.pair_rows[kept]
    if boxed(scene.a) and boxed(scene.b):
        # Two boxes have a table of their own, always of fifteen rows.
        rows = 6 + 3 * pair.core_a.edge_lines[edges[:, 0]] + pair.core_b.edge_lines[edges[:, 1]]
    return Crossings(overlay.normals[kept], rows, edges, tried)


def _cores_of(scene: Scene) -> tuple[Core | None, Core | None]:
    """The cores about the origin, None for a body that has none; those of two boxes are kept while one is moved."""
    if boxed(scene.a) and boxed(scene.b):
        pair = overlaid_maps(scene)
        return pair.core_a, pair.core_b
    a, b = (
        core_of(body, name, np.zeros(3)) if has_core(body) else None for body, name in ((scene.a, "A"), (scene.b, "B"))
    )
    return a, b


@lru_cache(maxsize=4)
def arcs(core: Core, sign: float) -> tuple[Array, IntArray]:
    """Pieces (n, 2, 3) of the edges' arcs between `sign` times the core's normals, and the edge of each (n,)."""
    if not len(core.solid.edges):
        return np.zeros((0, 2, 3)), np.zeros(0, dtype=np.int64)
    first, second = core.solid.normals[core.solid.edge_faces].transpose(1, 0, 2)
    # The arc turns about the edge, from its left face to its right one. This is exact even if the two normals are
    # nearly opposite.
    sideways = cross_rows(core.edge_units, first)
    angles = np.arctan2(dots(sideways, second), dots(first, second))
    counts = np.maximum(np.ceil(steady_shares(np.abs(angles) / ARC_STEP)), 1).astype(np.int64)
    edges = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(edges)) - np.repeat(np.cumsum(counts) - counts, counts)
    ends = []
    for shift in (0, 1):
        turn = (angles[edges] * (place + shift) / counts[edges])[:, None]
        ends.append(np.cos(turn) * first[edges] + np.sin(turn) * sideways[edges])
    return sign * np.stack(ends, axis=1), edges


def lit_edges(context: Context, found: Crossings | None, index: int) -> set[int]:
    """The edges of A (0) or B (1) whose arcs cross at the axis in focus; only one of them if A is shown alone.

    `found`: None lights none.
    """
    lit = set() if found is None else set(found.edges[_in_focus(context, found), index].tolist())
    return {max(lit)} if lit and GAUSS_BODY in context.view.shown else lit


def draw_gauss_map(context: Context, draw: DrawList) -> None:
    """Draws the whole inset, in the unit ball; if A is shown alone (`GAUSS_BODY`), the map is that of A only.

    The map of A only has no arcs until the axis in focus lights one, so that a lesson can add one thing at each step.
    """
    sphere = draw_sphere(draw, context.theme, RADIUS, SPHERE)
    found, alone = crossings_of(context), GAUSS_BODY in context.view.shown
    cores = _cores_of(context.scene)[: 1 if alone else 2]
    crowded = sum(len(core.solid.edges) for core in cores if core is not None) > MANY_ARCS
    first_row, marks = 0, _Marks()
    for index, core in enumerate(cores):
        if core is not None:
            lit = lit_edges(context, found, index)
            if lit or not alone:
                _draw_arcs(context, draw, sphere, index, core, lit, crowded=crowded)
            _add_faces(context, draw, marks, index, core, first_row, crowded=crowded)
            first_row += len(core.line_axes)
    if alone:
        marks.draw(context, draw)
        return
    if found is not None:
        _add_crossings(context, marks, found, crowded=crowded)
    _add_focus(context, draw, marks)
    marks.draw(context, draw)
    _draw_free(context, draw)
    theme, origin = context.theme, np.zeros(3)
    if any(core is not None and len(core.solid.edges) for core in cores):
        for name, colour, across in LEGEND:
            draw.label(
                name,
                origin,
                colour(theme),
                size=FINE,
                offset=(across, -WORDS_AT),
                priority=90,
                bold=True,
                kind="body-names",
            )
    for place, words in enumerate(reversed(map_notes(context, cores, found))):
        rgba = family_style(AxisKind.EDGES, theme).rgba if words.startswith(CROSSING) else theme.dim_text
        draw.label(words, origin, rgba, size=FINE, offset=(0.0, WORDS_AT - place * LEADING), priority=80)


def arc_rgba(theme: Theme, index: int) -> Rgba:
    """The colour of the arcs of A (0) or −B (1) that are not lit."""
    return on_ground(theme.background_top, theme.edge(index), 0.55)


def behind_rgba(theme: Theme, rgba: Rgba) -> Rgba:
    """The opaque colour of an arc's part behind the sphere; `rgba`: of the part before it."""
    seen = (*mixed(theme.background_top, theme.difference, SPHERE_SEEN)[:3], theme.background_top[3])
    return on_ground(seen, rgba, BEHIND)


def _draw_arcs(
    context: Context, draw: DrawList, sphere: int, index: int, core: Core, lit: set[int], *, crowded: bool
) -> None:
    pieces, edges = arcs(core, -1.0 if index else 1.0)
    theme, dash = context.theme, Dash.DASHED if index and not crowded else Dash.SOLID
    rgba = theme.winner if GAUSS_BODY in context.view.shown else theme.edge(index)
    strong = np.isin(edges, sorted(lit))
    for part, radius, colour, width, layer in (
        (~strong, ARCS, arc_rgba(theme, index), 0.9 if crowded else 1.5, Layer.EDGES),
        (strong, LIT_ARCS, rgba, 3.0, Layer.NORMAL),
    ):
        if part.any():
            start, end = radius * pieces[part, 0], radius * pieces[part, 1]
            # The whole arc is below its visible part, in the colour of the part behind the sphere.
            draw.lines(start, end, behind_rgba(theme, colour), width, dash=dash, hidden=Hidden.SHOW, layer=Layer.BACK)
            draw.lines(start, end, colour, width, dash=dash, hidden=Hidden.DROP, layer=layer, solid_number=sphere)


def same_direction(context: Context, row: int, other: int | None) -> bool:
    """Whether two rows of the axis table have one direction, either way round; `other`: None has none.

    Faces beside a half-space are not in the table, and have no such row.
    """
    same_as = context.analysis.sat.same_as
    return other is not None and row < len(same_as) and bool(same_as[row] == same_as[other])


def _in_focus(context: Context, found: Crossings) -> IntArray:
    # The crossings that have the direction of the axis in focus.
    if context.lit is None:
        return np.zeros(0, dtype=np.int64)
    same_as = context.analysis.sat.same_as
    same: IntArray = np.flatnonzero(same_as[found.rows] == same_as[context.lit])
    return same


class _Marks(Struct):
    """Collects marks by their look, to draw each look as one batch: one by one they take longer than the whole map.

    Marks of the axis in focus are drawn last, over all others.
    """

    looks: dict[tuple[Rgba, float, Marker, Rgba, float], list[tuple[Array, Subject]]] = {}

    def add(self, point: Array, subject: Subject, look: tuple[Rgba, float, Marker, Rgba, float]) -> None:
        """Adds a mark at `point` (3,); `look`: fill, radius, shape, stroke and its width."""
        self.looks.setdefault(look, []).append((point, subject))

    def in_focus(self, context: Context) -> list[Array]:
        """The points (3,) of the marks that have the direction of the axis in focus."""
        marks = [mark for marks in self.looks.values() for mark in marks]
        return [point for point, subject in marks if same_direction(context, subject.number, context.lit)]

    def draw(self, context: Context, draw: DrawList) -> None:
        """Draws all marks, the looks in the order in which they were added."""

        def focused(marks: list[tuple[Array, Subject]]) -> bool:
            return any(same_direction(context, subject.number, context.lit) for _, subject in marks)

        looks = sorted(self.looks.items(), key=lambda look: focused(look[1]))
        for (rgba, size, marker, rim, width), marks in looks:
            points, subjects = zip(*marks, strict=True)
            draw.points(np.array(points), rgba, size, shape=marker, stroke=rim, stroke_width=width, subject=subjects)


def _add_faces(
    context: Context, draw: DrawList, found: _Marks, index: int, core: Core, first_row: int, *, crowded: bool
) -> None:
    # Faces without area (of a segment, and at a polygon's edges) only divide great circles into arcs, and have no mark.
    if not core.area_faces:
        return
    theme, table = context.theme, context.analysis.sat
    style = family_style(table.candidates[first_row].kind, theme)
    normals = (-1.0 if index else 1.0) * core.solid.normals[: core.area_faces]
    rows = first_row + core.face_lines
    for row, normal in zip(rows.tolist(), normals, strict=True):
        # The other end of an axis at a step of SAT may be a face that is not yet tried.
        focused = any(same_direction(context, row, other) for other in (context.lit, _best(context)))
        if not focused and (crowded or not context.sat_progress.has(row)):
            continue
        rgba = _rgba_of(context, row, theme.edge(index))
        marker, size = _mark_of(context, row, normal, style.marker, MARK)
        found.add(RADIUS * normal, Subject("axis", row), (rgba, size, marker, theme.halo, 1.0))
    if crowded or len(core.line_axes) > MOST_NAMES:
        return
    axes, both_ends = core.line_axes, core.kind is CoreKind.BOX
    if not both_ends:
        # Each face of a hull has its own mark, on one side of the sphere.
        axes = normals[[int(np.argmax(core.face_lines == line)) for line in range(len(axes))]]
    for line, axis in enumerate(axes):
        row = first_row + line
        if GAUSS_BODY in context.view.shown or not same_direction(context, row, context.lit):
            draw.label(
                named_axis(core.line_label(line)),
                RADIUS * axis,
                theme.edge(index),
                size=FINE,
                priority=10,
                kind="axis-names",
                other_anchors=-RADIUS * axis[None] if both_ends else NO_OTHER_ANCHORS,
                hidden=Hidden.FAINT,
            )


def _rgba_of(context: Context, row: int, rgba: Rgba) -> Rgba:
    # At a step of SAT the best so far has the winner's colour. Faces that are not in the table, as beside a half-space,
    # are faint.
    if same_direction(context, row, context.lit if context.moment is None else context.leader):
        return context.theme.winner
    return rgba if row < len(context.analysis.sat.candidates) else faded(rgba, 0.35)


def _best(context: Context) -> int | None:
    # The row of the best axis so far at a step of SAT.
    return context.sat_progress.best if context.sat_progress.stepping else None


def _mark_of(context: Context, row: int, point: Array, marker: Marker, size: float) -> tuple[Marker, float]:
    # The mark of a row at a unit point (3,). The best so far of a step of SAT is a star. Of the two ends of the best
    # axis, and of the one in focus, that from A towards B is the large one. `marker`, `size`: of other axes.
    best, lit = _best(context), context.lit
    if best is not None and same_direction(context, row, best):
        return Marker.STAR, STAR if dots(point, _outward(context, best)) > 0.0 else SMALL_STAR
    if lit is not None and same_direction(context, row, lit):
        return marker, LIT if dots(point, _outward(context, lit)) > 0.0 else MARK
    return marker, size


def _add_crossings(context: Context, marks: _Marks, found: Crossings, *, crowded: bool) -> None:
    theme, table = context.theme, context.analysis.sat
    order = np.argsort(-table.separations[found.rows], kind="stable")
    order = order[context.sat_progress.rows[found.rows[order]]]
    near = order[:MOST_CROSSINGS] if crowded else order
    for place in np.union1d(near, _in_focus(context, found)).tolist():
        row, point = int(found.rows[place]), found.points[place]
        style, focused = family_style(table.candidates[row].kind, theme), same_direction(context, row, context.lit)
        rgba = _rgba_of(context, row, style.rgba)
        marker, size = _mark_of(context, row, point, style.marker, CROWDED if crowded else MARK)
        # Rings, so that the faces' marks and the arcs show through them.
        ring = not focused and marker is not Marker.STAR
        fill, rim, width = (faded(rgba, 0.0), rgba, 1.4) if ring else (rgba, theme.text, 1.4)
        marks.add(RADIUS * point, Subject("axis", row), (fill, size, marker, rim, width))


def _outward(context: Context, row: int) -> Array:
    # The axis's end from A towards B.
    outward: Array = context.analysis.sat.sides[row] * context.analysis.sat.axes[row]
    return outward


def _add_focus(context: Context, draw: DrawList, marks: _Marks) -> None:
    # The axis in focus with its name. An end of it without a face or a crossing is hollow. An axis that is no point of
    # the map (of the closest points, or of covered edges) is a cross.
    theme, table, row = context.theme, context.analysis.sat, context.lit
    if row is None or not table.axes[row].any():
        return
    candidate, subject, outward = table.candidates[row], Subject("axis", row), _outward(context, row)
    rgba, points = _rgba_of(context, row, theme.text), marks.in_focus(context)
    shape = family_style(candidate.kind, theme).marker if points else Marker.CROSS
    for end in (outward, -outward):
        if all(dots(point, end) < 0.0 for point in points):
            marker, size = _mark_of(context, row, end, shape, MARK)
            marks.add(RADIUS * end, subject, (faded(rgba, 0.0) if points else rgba, size, marker, rgba, 1.4))
    draw.label(
        named_axis(candidate.label),
        RADIUS * outward,
        rgba,
        size=FINE,
        offset=(0.0, -13.0),
        priority=50,
        bold=True,
        kind="axis-names",
        hidden=Hidden.FAINT,
    )


def _draw_free(context: Context, draw: DrawList) -> None:
    if context.view.free is None:
        return
    ink, axis, subject = context.theme.text, np.array(context.view.free), Subject("free_axis", 4)
    tips = RADIUS * np.array((axis, -axis))
    draw.points(tips, faded(ink, 0.0), LIT, shape=Marker.RING, stroke=ink, stroke_width=2.0, subject=subject)
    at, over, hidden = RADIUS * axis, (0.0, 13.0), Hidden.FAINT
    draw.label("yours", at, ink, size=FINE, offset=over, priority=45, kind="axis-names", hidden=hidden)


def map_notes(context: Context, cores: Sequence[Core | None], found: Crossings | None) -> list[str]:
    """Lines on the bodies that have no map, on the number of edge pairs that count, and on the axis in focus.

    Without the number and the axis while a lesson asks for them.
    `cores`: A's and B's, None for a body without one. `found`: None if the crossings are not known.
    """
    lines, bare = [], []
    for letter, body, core in zip("AB", (context.scene.a, context.scene.b), cores, strict=True):
        if core is None:
            bare.append(f"{letter}: {kind_of(body.shape).title.lower()}")
        elif core.kind is CoreKind.POINT:
            bare.append(f"{letter}: a point")
        elif core.kind is CoreKind.SEGMENT:
            lines.append(f"{letter}: a segment, one circle")
    if bare:
        lines.append(f"{', '.join(bare)}, no arcs")
    if not context.reveal.figures:
        return lines
    if found is not None and found.tried:
        count = f"{CROSSING}{len(found.rows):,} of {found.tried:,} pairs of arcs cross"
        lines.append(count if len(found.rows) else "no arcs cross: face normals cover these axes")
        missing = "" if context.lit is None else arcs_in_short(context.analysis, context.lit)
        if missing:
            lines.append(f"{axis_name(context.analysis.sat, context.lit or 0)}: {missing}")
    elif context.analysis.beyond_limits and not bare:
        lines.append("which arcs cross is being computed")
    elif context.analysis.refused and not bare:
        lines.append("more arcs cross than memory may hold")
    return lines
