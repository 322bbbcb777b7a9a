"""The Minkowski difference, built by hand: a copy of -B at every vertex of A, then the hull round all points."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import raised_rows
from core.geometry.vector import Array, Indices, dots
from core.minkowski.difference import BuildAction, BuildStep
from core.minkowski.plane import MinkowskiPolygon
from core.minkowski.polyhedron_difference import MinkowskiDifference
from core.pair.candidate_axes import AxisKind
from core.scene import Body
from core.shapes import corners_of

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Subject
from ...draw.meshes.mesh import polyhedron_mesh
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin, draw_shell
from ...overlays.flat_shapes import MOST_LETTERS, edge_ends, grown_outline, outwards
from ...overlays.style import FINE, PLAIN, family_style
from ...words.digits import plain
from ...words.names import vertex_name, vertices_name
from ..stage import AlgorithmListing, Stage
from .words import build_text, verdict_so_far


def draw_flat_build(context: Context, draw: DrawList, polygon: MinkowskiPolygon, step: BuildStep) -> None:
    """Draws the step without its points: edges in their families' colours, the newest stronger; A - B at the end."""
    theme = context.theme
    if step.on_hull is not None:
        draw.sheet(grown_outline(polygon), faded(theme.difference, 0.28), Subject("difference"))
        if polygon.radius > 0.0:
            rgba, hidden = faded(theme.difference_edge, 0.8), Hidden.SHOW
            draw.polyline(grown_outline(polygon), rgba, 1.4, closed=True, hidden=hidden, layer=Layer.EDGES)
            top = max(raised_rows(polygon.corners), key=lambda corner: float(corner[1]))
            _draw_radius(context, draw, top, polygon.radius)
    for k in step.faces:
        family = AxisKind.FACE_B if polygon.edges[k].edge_a is None else AxisKind.FACE_A
        fresh = step.family is None or family is step.family
        start, end = edge_ends(polygon, k)
        rgba = faded(family_style(family, theme).rgba, 1.0 if fresh else 0.55)
        draw.lines(start, end, rgba, 3.0 if fresh else 2.0, hidden=Hidden.SHOW)
    _draw_letters(context, draw, polygon, step)


def _draw_radius(context: Context, draw: DrawList, top: Array, radius: float) -> None:
    """Draws the distance of the surface of A − B from the hull of the cores, at the hull's `top` (3,)."""
    end, rgba = top + radius * LABEL_SIDE, context.theme.normal
    draw.strong(top, end, rgba, 2.0, dash=Dash.DASHED)
    draw.label(f"+ radius {plain(radius)}", end, rgba, size=FINE, offset=(0.0, -12.0), priority=72)


def _draw_letters(context: Context, draw: DrawList, polygon: MinkowskiPolygon, step: BuildStep) -> None:
    """Names the newest points, if at most MOST_LETTERS are new; at the end the hull's corners."""
    if step.on_hull is None and not 0 < step.newest <= MOST_LETTERS:
        return
    numbers = np.arange(len(step.points))
    chosen = (numbers[-step.newest :] if step.on_hull is None else numbers[step.on_hull]).tolist()
    middle = step.points[chosen].mean(axis=0)
    for number in chosen:
        # Away from the other points, to be clear of the edges that meet here.
        words = vertices_name(context.scene, polygon.vertex_pairs[number])
        offset = outwards(step.points[number] - middle, len(words))
        draw.label(
            words, step.points[number], context.theme.text, size=PLAIN, offset=offset, priority=50, kind="point-names"
        )


MOST_NAMED = 16
"""Bodies with more vertices have no names at their vertices."""
LABEL_SIDE = np.array((0.0, 1.0, 0.0))
MOST_COPIED = (400, 800)
"""Most edges of the older copies of -B, and of the newest ones, that are drawn; of more, only the points are."""


def draw_difference(context: Context, draw: DrawList, step: BuildStep) -> None:
    """Draws all points so far, the newest copy of -B, and the faces of the hull so far."""
    analysis = context.analysis
    solid = analysis.difference
    if analysis.polygon is not None:
        draw_flat_build(context, draw, analysis.polygon, step)
    elif solid is not None:
        if step.faces:
            _draw_faces(context, draw, step, solid)
        if step.on_hull is not None and solid.radius > 0.0:
            draw_shell(context, draw, solid)
            corners = solid.core.vertices
            _draw_radius(context, draw, corners[np.argmax(dots(corners, LABEL_SIDE))], solid.radius)
    _draw_points(context, draw, step)
    if step.action is BuildAction.SUBTRACT:
        _draw_copies(context, draw, step)
    draw_origin(context, draw)


def _draw_points(context: Context, draw: DrawList, step: BuildStep) -> None:
    """Draws all points so far, the newest strong; once the hull is closed those inside it are faint."""
    theme, points = context.theme, step.points
    small = 3.4 if len(points) <= 256 else 2.0
    if step.on_hull is not None:
        draw.points(points[~step.on_hull], faded(theme.normal, 0.3), 0.7 * small, hidden=Hidden.SHOW)
        draw.points(points[step.on_hull], theme.winner, small, stroke=theme.halo, stroke_width=1.0)
        return
    old = len(points) - step.newest
    draw.points(points[:old], faded(theme.normal, 0.7), small, hidden=Hidden.SHOW)
    draw.spots(points[old:], theme.winner, small + 1.2, theme.halo, 1.2)


def _draw_copies(context: Context, draw: DrawList, step: BuildStep) -> None:
    """Draws the edges of the copies of -B, older copies faint; names the vertex of A of a single newest copy."""
    theme, edges = context.theme, core_edges(context.scene.b)
    count_b = len(step.points) // max(1, len(np.unique(step.sources[:, 0])))
    blocks = step.points.reshape(-1, count_b, 3)
    fresh = step.newest // count_b
    rgba = (faded(theme.edge_b, 0.22), theme.edge_b)
    for strong, some in enumerate((blocks[:-fresh], blocks[-fresh:])):
        if len(edges) and len(some) and len(some) * len(edges) <= MOST_COPIED[strong]:
            start, end = some[:, edges[:, 0]].reshape(-1, 3), some[:, edges[:, 1]].reshape(-1, 3)
            draw.lines(start, end, rgba[strong], (1.0, 2.2)[strong], hidden=Hidden.SHOW)
    if fresh == 1:
        name = vertex_name(context.scene.a, "A", int(step.sources[-1, 0]))
        middle = blocks[-1].mean(axis=0)
        draw.label(
            f"{name} − B",
            middle,
            theme.edge_b,
            size=PLAIN,
            offset=(0.0, -14.0),
            priority=70,
            bold=True,
            kind="body-names",
        )


def core_edges(body: Body) -> Indices:
    """The edges (e, 2) of a body's core by vertex: those of a polyhedron, one for a segment, none for a point.

    Vertices are counted in the order in which they are subtracted: by rising number, without points on a polygon's
    sides.
    """
    core = body.shape.core
    if core is not None and core.solid is not None:
        return np.searchsorted(corners_of(body.shape), core.solid.edges)
    return np.array(((0, 1),)) if core is not None and len(core.points) == 2 else np.zeros((0, 2), dtype=np.int64)


def _draw_faces(context: Context, draw: DrawList, step: BuildStep, solid: MinkowskiDifference) -> None:
    """Draws the faces added so far in their families' colours, the newest stronger."""
    theme, core = context.theme, solid.core
    kinds = [context.analysis.sat.candidates[row].kind for row in solid.face_axes.tolist()]
    colours = np.zeros((len(core.faces), 4))
    for face in step.faces:
        fresh = kinds[face] is step.family
        colours[face] = faded(family_style(kinds[face], theme).rgba, 0.46 if fresh else 0.24)
    mesh = polyhedron_mesh(core)
    rgba, planes, pairs = colours[mesh.faces], np.column_stack((core.normals, core.offsets)), core.edge_faces
    of_all = Subject("difference")
    number = draw.solid(mesh.corners, mesh.normals, rgba, subject=of_all, planes=planes, plane_pairs=pairs)
    on = np.isin(pairs, step.faces).any(axis=1)
    start, end = core.vertices[core.edges[on]].transpose(1, 0, 2)
    edge, beside = faded(theme.difference_edge, 0.9), core.normals[pairs[on]]
    draw.lines(start, end, edge, 1.4, layer=Layer.EDGES, solid_number=number, normals=beside)


def draw_world(context: Context, draw: DrawList, step: BuildStep) -> None:
    """Draws the vertices of A and B subtracted so far, A's newest ringed."""
    theme, fresh = context.theme, set(step.sources[len(step.sources) - step.newest :, 0].tolist())
    for index in (0, 1):
        body, rgba = context.scene.body(index), theme.edge(index)
        core = body.shape.core
        if core is None:
            continue
        points = body.pose.to_world(core.points)
        for vertex in np.unique(step.sources[:, index]).tolist():
            new = index == 0 and vertex in fresh
            point, subject = points[vertex], Subject(("vertex_a", "vertex_b")[index], vertex)
            size, rim, width = (6.0, theme.winner, 2.4) if new else (3.8, theme.halo, 1.0)
            draw.spots(point, rgba, size, rim, width, subject=subject)
            if len(points) <= MOST_NAMED:
                name = vertex_name(body, "AB"[index], vertex)
                size, priority = (PLAIN, 75) if new else (FINE, 30)
                draw.label(
                    name, point, rgba, size=size, offset=(0.0, -13.0), priority=priority, bold=new, kind="vertex-names"
                )


_IN_SPACE = AlgorithmListing(
    "The difference built by hand",
    {
        "vertex": "for each vertex a of A:",
        BuildAction.SUBTRACT: "    for each vertex b of B:  add the point a − b",
        "close": "close the hull around all these points:",
        AxisKind.FACE_A: "    faces of A, moved by the vertex of −B farthest out",
        AxisKind.FACE_B: "    faces of −B, moved by the vertex of A farthest out",
        AxisKind.EDGES: "    a parallelogram for each crossing pair of edges",
        "done": "points inside the hull are not needed",
        "answer": "the bodies overlap if the origin is inside",
    },
)
_IN_PLANE = AlgorithmListing(
    _IN_SPACE.title,
    {
        **_IN_SPACE.lines,
        AxisKind.FACE_A: "    edges of A, moved by the vertex of −B farthest out",
        AxisKind.FACE_B: "    edges of −B, moved by the vertex of A farthest out",
        AxisKind.EDGES: "    all of them in the order in which they turn",
    },
)


STAGE = Stage(
    {2: _IN_PLANE, 3: _IN_SPACE}.__getitem__,
    lambda step: step.action if step.action is BuildAction.SUBTRACT else step.family or "done",
    build_text,
    draw_world,
    draw_difference,
    verdict_so_far=verdict_so_far,
    colours={
        "winner": "point on the hull, or new",
        "normal": "difference of two vertices",
        "normal.dashed": "radius added to the cores",
        "edge_a.rimmed": "vertex that makes the new point",
        "edge_b.rimmed": "vertex that makes the new point",
    },
)
