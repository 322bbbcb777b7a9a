"""The features that a candidate axis comes from, lit on the bodies: a face, two edges, or the two closest points.

In space an arrow from the middle of the face shows that the axis is its normal.

Among parallel faces, and the parallel edges of a box, the one that counts has thick lines and the others have thin
ones. Dots mark the vertices at the ends of the two intervals that face each other.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array, dot, dots
from core.pair.candidate_axes import AxisKind, CandidateAxis
from core.pair.cores import Core, CoreKind, core_of
from core.scene import Body

from ..draw.draw_list import Dash, DrawList, Hidden, IntArray, Layer, Rgba, Subject
from ..draw.theme import Theme, faded, mixed
from .context import ALONG, Context, Overlay, patch
from .style import family_style

COUNTING_WIDTH, PARALLEL_WIDTH = 4.0, 1.0
"""Widths in points of the lines of the feature that counts, and of the features parallel to it."""
NORMAL_SHARE = 0.3
"""Length of the arrow along a lit face's normal as a share of the pair's radius."""
EQUAL_HEIGHT = 1e-9
"""Vertices whose heights along the axis differ by less than this share of the body's size are equally far."""
SAME_DIRECTION = 1e-9
"""Unit vectors whose dot product is nearer to 1 than this have one direction."""


def draw_sources(context: Context, draw: DrawList) -> None:
    """Lights the source of the axis that is pointed at or that SAT tries; draws nothing if there is no such axis."""
    row = context.source
    if row is None:
        return
    candidate, bars = context.analysis.sat.candidates[row], context.sat_progress.bars(row)
    towards_b = context.analysis.sat.directed.axes[row]
    if candidate.kind is AxisKind.CENTRES:
        _draw_closest(context, draw, candidate, towards_b)
    for index, feature in enumerate(features(context, row)):
        body, outward = context.scene.body(index), towards_b if index == 0 else -towards_b
        if feature is not None:
            _draw_feature(context, draw, index, feature, candidate.kind, outward)
        if index < bars and towards_b.any() and body.shape.plane is None:
            ends = _farthest(body, outward)
            rgba, subject = context.theme.edge(index), Subject("body", index)
            draw.spots(ends, rgba, 4.2, context.theme.halo, 1.2, subject=subject)


def features(context: Context, row: int) -> tuple[int | None, int | None]:
    """The numbers of the lines of faces or of edges on A and on B that the row's axis comes from; None without one.

    A box's opposite faces, and its parallel edges, share a line; each face and each edge of a hull has its own.
    """
    candidates = context.analysis.sat.candidates
    candidate = candidates[row]
    if candidate.kind is AxisKind.EDGES:
        return candidate.feature_a, candidate.feature_b
    # A body's rows of faces are in the order of their lines. After a polygon's face come its edges, for the axes in its
    # plane.
    line = row - next(k for k, other in enumerate(candidates) if other.kind is candidate.kind)
    return line if candidate.kind is AxisKind.FACE_A else None, line if candidate.kind is AxisKind.FACE_B else None


def _draw_feature(context: Context, draw: DrawList, index: int, feature: int, kind: AxisKind, outward: Array) -> None:
    """Draws the face or the edges of a body that an axis comes from.

    `feature`: the number of their line. `outward` (3,): the axis, directed out of the body.
    """
    body, other = context.scene.body(index), context.scene.body(1 - index)
    rgba, subject = light_colour(context.theme, index), Subject("body", index)
    if body.shape.plane is not None:
        draw.polyline(patch(body, other), rgba, COUNTING_WIDTH, closed=True, hidden=Hidden.SHOW, subject=subject)
    elif context.analysis.polygon is not None:
        _draw_lines(draw, edge_in_plane(body, feature), 0, rgba, subject)
    else:
        core = core_of(body, "AB"[index], body.pose.position)
        if kind is AxisKind.EDGES:
            # Among parallel edges whose axis has no direction, the one nearest the other body counts.
            counts = outward if outward.any() else other.pose.position - body.pose.position
            lines = _lines(core, np.flatnonzero(core.edge_lines == feature))
            _draw_lines(draw, lines, int(np.argmax(dots(lines.mean(axis=1), counts))), rgba, subject)
        elif core.kind is CoreKind.POLYGON and feature > 0:
            _draw_lines(draw, _lines(core, np.flatnonzero(core.edge_lines == feature - 1)), 0, rgba, subject)
        else:
            arrow = family_style(kind, context.theme).rgba, NORMAL_SHARE * context.extent.radius
            _draw_faces(draw, core, feature, outward, (rgba, *arrow), subject)


def light_colour(theme: Theme, index: int) -> Rgba:
    """The light colour of a body, for features that are lit on it."""
    return mixed(theme.edge(index), theme.text, 0.45)


def _lines(core: Core, edges: IntArray) -> Array:
    """Both ends (k, 2, 3) of edges, each edge once: a segment has its edge three times, a polygon each edge twice."""
    ends = sorted({(min(edge), max(edge)) for edge in core.solid.edges[edges].tolist()})
    return core.solid.vertices[np.array(ends)]


def edge_in_plane(body: Body, edge: int) -> Array:
    """Both ends (1, 2, 3), world, of an edge of a 2D shape, moved out by its radius. Raises TypeError without edges."""
    core = body.shape.core
    if core is None or core.solid is None:
        raise TypeError(f"the {body.shape.word} has no edges")
    loop = body.pose.to_world(core.points[list(core.solid.faces[0])])
    normal = body.pose.direction_to_world(body.shape.face_normals[edge])
    ends: Array = loop[None, [edge, (edge + 1) % len(loop)]] + core.radius * normal
    return ends


def _draw_lines(draw: DrawList, lines: Array, strong: int, rgba: Rgba, subject: Subject) -> None:
    for place, (start, end) in enumerate(lines):
        width, layer = (COUNTING_WIDTH, Layer.STRONG) if place == strong else (PARALLEL_WIDTH, Layer.NORMAL)
        draw.lines(start, end, rgba, width, hidden=Hidden.SHOW, layer=layer, subject=subject)


def _draw_faces(
    draw: DrawList, core: Core, line: int, outward: Array, look: tuple[Rgba, Rgba, float], subject: Subject
) -> None:
    """Draws the faces on a line of the core: the one that faces the other body strong, those parallel to it thin.

    An arrow from the middle of the strong face shows that its normal is the axis. `look`: colour of the faces, colour
    of the arrow, length of the arrow in scene units. `outward` (3,): the axis from the body outwards, world; `core` is
    placed in the world.
    """
    rgba, arrow, length = look
    normals = core.solid.normals[: core.area_faces]
    own = np.flatnonzero(core.face_lines == line)
    strong = own[np.argmax(dots(normals[own], outward))]
    for face in np.flatnonzero(np.abs(dots(normals, normals[strong])) > 1.0 - ALONG).tolist():
        loop = core.solid.vertices[list(core.solid.faces[face])] + core.radius * normals[face]
        width, fill = (COUNTING_WIDTH, 0.4) if face == strong else (PARALLEL_WIDTH, 0.12)
        draw.sheet(loop, faded(rgba, fill), subject)
        draw.polyline(loop, rgba, width, closed=True, hidden=Hidden.SHOW, layer=Layer.STRONG, subject=subject)
        if face == strong:
            middle = loop.mean(axis=0)
            draw.points(middle, arrow, 3.0, hidden=Hidden.SHOW)
            draw.lines(
                middle,
                middle + length * normals[face],
                arrow,
                2.6,
                hidden=Hidden.SHOW,
                layer=Layer.STRONG,
                arrow_end=11.0,
            )


def _draw_closest(context: Context, draw: DrawList, candidate: CandidateAxis, towards_b: Array) -> None:
    """Draws the two points that the axis joins and the line between them; of rounded bodies, points of the cores.

    `towards_b` (3,): the axis, unit.
    """
    analysis, rgba = context.analysis, family_style(AxisKind.CENTRES, context.theme).rgba
    points = []
    for index, witness in enumerate((analysis.witness_a, analysis.witness_b)):
        body = context.scene.body(index)
        core, sign = body.shape.core, 1.0 if index == 0 else -1.0
        if core is None or not analysis.sat.applies:
            points.append(witness)
        elif len(core.points) == 1:
            points.append(body.pose.to_world(core.points[0]))
        elif candidate.vertex is not None:
            points.append(body.pose.to_world(core.points[candidate.vertex]))
        elif dot(towards_b, analysis.normal) > 1.0 - SAME_DIRECTION:
            points.append(witness - sign * core.radius * analysis.normal)
        else:
            points.append(_farthest(body, sign * towards_b)[0] - sign * core.radius * towards_b)
    draw.lines(points[0], points[1], rgba, 2.0, dash=Dash.DASHED, hidden=Hidden.SHOW, layer=Layer.STRONG)
    for index, point in enumerate(points):
        draw.spots(point, light_colour(context.theme, index), 5.5, rgba, 2.0, subject=Subject("body", index))


def _farthest(body: Body, outward: Array) -> Array:
    """The points (k, 3) of a body's surface farthest along the unit vector `outward`; one for a curved body."""
    shape, core = body.shape, body.shape.core
    if core is None:
        return body.pose.to_world(shape.support(body.pose.direction_to_local(outward)))[None]
    heights = dots(core.points, body.pose.direction_to_local(outward))
    level = heights >= heights.max() - EQUAL_HEIGHT * shape.bounding_radius
    ends: Array = body.pose.to_world(core.points[level]) + core.radius * outward
    return ends


OVERLAY = Overlay("axis_sources", "Source of an axis", "", "The face, edges or points of the axis", world=draw_sources)
