"""The Minkowski difference round the origin. Each face belongs to a candidate axis.

The overlap on an axis is the distance from the origin to the nearer plane of the axis's pair of faces. It is drawn as
the perpendicular to that plane. If the bodies overlap, the nearest face shows the shortest move that separates them.
The faces are coloured by family, and the pair of the axis in focus is lit.

The difference of two polyhedra is a polyhedron. With a sphere or capsule it is grown by a radius. With a half-space it
is a half-space. With cylinders, cones and ellipsoids it has no explicit form and is sampled. 2D scenes also have the
sum A + B, which is drawn in the world.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.geometry.vector import Array, length_rows, product
from core.minkowski.difference import difference
from core.minkowski.polyhedron_difference import MinkowskiDifference
from core.query.query import Phase
from core.sat.sat import AxisKind
from core.scene import Scene
from core.verdict import Verdict

from ..draw.draw_list import Dash, DrawList, Hidden, IntArray, Layer, Marker, Rgba, Subject
from ..draw.ellipsoid_sum import difference_sum
from ..draw.meshes.mesh import Mesh, grown_mesh
from ..draw.meshes.shape_mesh import support_mesh
from ..draw.theme import Theme, faded, on_ground
from ..words.axis_words import distance_words
from ..words.digits import plain
from ..words.names import axis_name
from .bodies import draw_half_space
from .context import Context, Overlay, difference_square
from .hatches import draw_hatches
from .solids import draw_polyhedron
from .style import FINE, PLAIN, STRONG, family_style, points_along

_grown = lru_cache(maxsize=2)(grown_mesh)
"""Cached, because all steps of a query are drawn with the same solid."""

CORE_WAYS: Array = np.array([*np.eye(3), *-np.eye(3)])
"""Directions in which the name of a core may stand."""
INSIDE_CORE = 0.3
"""Distance of a curved core's name from the surface, as a share of the way to the middle."""
UNTRIED_OPACITY, KNOWN_OPACITY, TRIED_OPACITY = 0.16, 0.35, 0.85
"""Opacities of faces at a step of SAT: of axes not yet tried, of the known axes, and of the axis that is tried."""
LIT_FACE = dict.fromkeys(
    ("winner.face", "difference:winner.line", "difference:winner.bold"), "face of A − B across the axis that decides"
)
"""The legend's meaning of the one or two faces that the deciding axis lights, by looks (`app/render/looks.py`)."""
ORIGIN_RIM = 2.0
"""Both rims of the origin's ring together, points."""
MOST_GROWN_FACES = 60
"""A grown polyhedron with more faces is sampled, because its faces and rounded parts are too small to be pointed at."""


def draw_difference(context: Context, draw: DrawList, *, faint: bool = False) -> None:
    """Draws A − B in any of its forms; `faint`: as a shell without families or focus, to show something inside it.

    If GJK and EPA work on the cores, the shell comes with the difference of the cores.
    """
    solid, analysis = context.analysis.difference, context.analysis
    if analysis.polygon is not None:
        from .flat_shapes import draw_flat_difference

        draw_flat_difference(context, draw, analysis.polygon, faint=faint)
    elif faint:
        draw_shell(context, draw, solid)
        # Only if the query works on the cores and adds the radii at the end.
        maps = None if context.query is None else context.query.support_maps
        if maps is not None and maps.radius > 0.0:
            _draw_core(context, draw, solid, maps.radius)
    elif solid is None or (solid.radius > 0.0 and not _has_parts(solid)):
        _draw_sampled(context, draw, 0.34)
    elif solid.plane is not None:
        square, fill = difference_square(context.extent, solid.plane), faded(context.theme.difference, 0.3)
        edge = context.theme.difference_edge
        draw_half_space(draw, square, solid.plane.normal, fill, edge, Subject("difference"))
    elif solid.radius > 0.0:
        _draw_grown(context, draw, solid)
    else:
        colours, subjects = _face_looks(context, solid)
        draw_polyhedron(draw, solid.core, colours, faded(context.theme.difference_edge, 0.8), subjects, 1.4)
        _draw_hatches(context, draw, solid)
        _draw_lit_outline(context, draw, solid)


def _has_parts(solid: MinkowskiDifference) -> bool:
    # A ball is one part; a solid with faces has parts to colour. A capsule or a grown parallelogram has none and looks
    # the same if sampled.
    return len(solid.core.vertices) == 1 or 4 <= len(solid.core.faces) <= MOST_GROWN_FACES


def draw_shell(context: Context, draw: DrawList, solid: MinkowskiDifference | None) -> None:
    """Draws the surface of A − B as a faint shell; nothing for a half-space.

    `solid`: the explicit difference in space. The surface is sampled if it is None, as for curved bodies or while a
    drag leaves it out, and if it has a radius but is no ball.
    """
    theme = context.theme
    if solid is not None and len(solid.core.vertices) == 1 and solid.plane is None and solid.radius > 0.0:
        mesh, fill, subject = _grown(solid.core, solid.radius), faded(theme.difference, 0.10), Subject("difference")
        x, y, z = solid.core.vertices[0].tolist()
        ball, edge = (x, y, z, solid.radius), theme.difference_edge
        draw.solid(mesh.corners, mesh.normals, fill, subject=subject, ball=ball, smooth=True, outline=edge, glass=True)
    elif solid is None or solid.radius > 0.0:
        _draw_sampled(context, draw, 0.10, glass=True)
    elif solid.plane is None:
        fill, edge = faded(theme.difference, 0.10), faded(theme.difference_edge, 0.45)
        draw_polyhedron(draw, solid.core, fill, edge, Subject("difference"), 1.0, glass=True)


def shell_points(context: Context) -> Array:
    """Points (n, 3) whose hull looks like A − B as it is drawn faintly; none for a half-space."""
    solid, polygon = context.analysis.difference, context.analysis.polygon
    if polygon is not None:
        from .flat_shapes import grown_outline

        return grown_outline(polygon)
    if solid is not None and solid.plane is not None:
        return np.zeros((0, 3))
    if solid is None or solid.radius > 0.0:
        return support_mesh(context.scene.a, context.scene.b, coarse=True).corners.reshape(-1, 3)
    return solid.core.vertices


def draw_other_difference(context: Context, draw: DrawList, scene: Scene) -> Array:
    """Draws A − B of the bodies in other poses in space, without colours by axes; returns points (n, 3) of it."""
    theme, subject, a, b = context.theme, Subject("difference"), scene.a, scene.b
    solid = None if context.analysis.difference is None else difference(a, b)
    fill, edge = faded(theme.difference, 0.3), theme.difference_edge
    if solid is not None and solid.plane is not None:
        square = difference_square(context.extent, solid.plane)
        draw_half_space(draw, square, solid.plane.normal, fill, edge, subject)
        return square
    if solid is None or solid.radius > 0.0:
        mesh = support_mesh(a, b, coarse=bool(context.analysis.beyond_limits))
        ellipsoids = difference_sum(a, b)
        draw.solid(mesh.corners, mesh.normals, fill, subject=subject, smooth=True, outline=edge, ellipsoids=ellipsoids)
        return mesh.corners.reshape(-1, 3)
    draw_polyhedron(draw, solid.core, fill, faded(edge, 0.8), subject, 1.4)
    return solid.core.vertices


def _draw_core(context: Context, draw: DrawList, solid: MinkowskiDifference | None, radius: float) -> None:
    """Draws the difference of the cores: that of `solid`, or of curved bodies A − B less `radius`, sampled.

    At steps of GJK and EPA, which walk on it, it has a name; that of curved bodies is drawn only there.
    """
    walked_on = context.moment is not None and context.moment.phase in (Phase.GJK, Phase.EPA)
    rgba, offset = faded(context.theme.difference_edge, 0.45), (0.0, -12.0)
    if solid is None and not walked_on:
        return
    if solid is None:
        points, offset = _draw_curved_core(context, draw, radius), (0.0, 0.0)
    elif len(points := solid.core.vertices) == 1:
        draw.points(points, rgba, 3.4, hidden=Hidden.SHOW)
        return
    elif len(solid.core.edges):
        start, end = points[solid.core.edges[:, 0]], points[solid.core.edges[:, 1]]
        draw.lines(start, end, rgba, 1.2, hidden=Hidden.SHOW, layer=Layer.BACK)
    if walked_on:
        farthest = points[np.unique(product(points, CORE_WAYS.T).argmax(axis=0))]
        away = farthest[np.argsort(-length_rows(farthest), kind="stable")]
        draw.label(
            "core of A − B",
            away[0],
            context.theme.difference_edge,
            size=FINE,
            offset=offset,
            priority=45,
            kind="body-names",
            other_anchors=away[1:],
        )


def _draw_curved_core(context: Context, draw: DrawList, radius: float) -> Array:
    """Draws the outline of a curved core; returns points (n, 3) in it, near its surface."""
    a, b, theme = context.scene.a, context.scene.b, context.theme
    # Translucent, the many lines of the outline would be darker where they join.
    rgba = on_ground(theme.background_top, theme.difference_edge, 0.45)
    mesh, ellipsoids = support_mesh(a, b, coarse=True, less=radius), difference_sum(a, b)
    draw.solid(
        mesh.corners,
        mesh.normals,
        faded(theme.difference, 0.08),
        subject=Subject("difference"),
        smooth=True,
        outline=rgba,
        outline_width=1.2,
        glass=True,
        ellipsoids=None if ellipsoids is None else ellipsoids.less(radius),
    )
    points = mesh.corners.reshape(-1, 3)
    inside: Array = points + INSIDE_CORE * (a.pose.position - b.pose.position - points)
    return inside


def _draw_sampled(context: Context, draw: DrawList, alpha: float, *, glass: bool = False) -> None:
    theme = context.theme
    # Beyond the limits the difference is sampled only during a drag, where speed counts. The exact solid follows.
    mesh = support_mesh(context.scene.a, context.scene.b, coarse=bool(context.analysis.beyond_limits))
    rgba, edge, subject = faded(theme.difference, alpha), theme.difference_edge, Subject("difference")
    ellipsoids = difference_sum(context.scene.a, context.scene.b)
    draw.solid(
        mesh.corners,
        mesh.normals,
        rgba,
        subject=subject,
        smooth=True,
        outline=edge,
        glass=glass,
        ellipsoids=ellipsoids,
    )


def _lit(theme: Theme) -> Rgba:
    # On a light ground the winner's colour is dark: at full opacity its face would look like a hole.
    return faded(theme.winner, 0.55 if theme.dark_panels else 0.4)


def _same(context: Context, rows: IntArray, other: int | None) -> NDArray[np.bool_]:
    """Whether each of `rows` (n,) has the same direction as the row `other`, as a mask (n,); all False for None."""
    same_as = context.analysis.sat.same_as
    if other is None:
        return np.zeros(len(rows), dtype=np.bool_)
    same: NDArray[np.bool_] = same_as[rows] == same_as[other]
    return same


def _face_looks(context: Context, solid: MinkowskiDifference) -> tuple[Array, list[Subject]]:
    """Every face's fill (f, 4) and its subject.

    A face has the colour of its axis's family; faces of the axis in focus are lit. At a step of SAT faces of the axis
    tried are more opaque, and faces of axes not yet known are faint, in the colour of A - B.
    """
    theme, stepping, rows = context.theme, context.sat_progress.stepping, solid.face_axes
    candidates, families = context.analysis.sat.candidates, {kind: k for k, kind in enumerate(AxisKind)}
    styles = [family_style(kind, theme).rgba for kind in families]
    family = np.array([families[candidates[row].kind] for row in rows.tolist()], dtype=np.int64)
    colours: Array = np.array([faded(rgba, KNOWN_OPACITY if stepping else 0.24) for rgba in styles])[family]
    if not stepping:
        colours[_same(context, rows, context.lit)] = _lit(theme)
        return colours, _axis_subjects(solid)
    colours[~context.sat_progress.rows[rows]] = faded(theme.difference, UNTRIED_OPACITY)
    tested = _same(context, rows, context.lit)
    colours[tested] = np.array([faded(rgba, TRIED_OPACITY) for rgba in styles])[family[tested]]
    return colours, _axis_subjects(solid)


@lru_cache(maxsize=2)
def _axis_subjects(solid: MinkowskiDifference) -> list[Subject]:
    return [Subject("axis", row) for row in solid.face_axes.tolist()]


def _draw_lit_outline(context: Context, draw: DrawList, solid: MinkowskiDifference) -> None:
    theme, rows = context.theme, solid.face_axes
    rgba = theme.winner if not context.sat_progress.stepping else theme.text
    for face in np.nonzero(_same(context, rows, context.lit))[0].tolist():
        loop = solid.core.vertices[list(solid.core.faces[face])]
        subject = Subject("axis", int(rows[face]))
        draw.polyline(loop, rgba, 2.4, closed=True, layer=Layer.EDGES, subject=subject)


def _draw_grown(context: Context, draw: DrawList, solid: MinkowskiDifference) -> None:
    theme, core, radius = context.theme, solid.core, solid.radius
    colours, subjects = _face_looks(context, solid)
    mesh = _grown(core, radius)
    rounded = np.array(faded(theme.difference, 0.30))
    rgba = np.vstack((colours, rounded))[mesh.faces]
    closest = faded(family_style(AxisKind.CENTRES, theme).rgba, TRIED_OPACITY)
    rgba[_rounded_in_focus(context, solid, mesh)] = _lit(theme) if not context.sat_progress.stepping else closest
    names = [*subjects, Subject("difference")]
    (x, y, z), named = core.vertices[0].tolist(), [names[face] for face in mesh.faces.tolist()]
    ball, edge = None if core.faces else (x, y, z, radius), theme.difference_edge
    draw.solid(mesh.corners, mesh.normals, rgba, subject=named, ball=ball, smooth=True, outline=edge, outline_width=1.6)
    _draw_hatches(context, draw, solid)
    for face in range(len(core.faces)):
        loop = _loop(solid, face)
        draw.polyline(loop, faded(edge, 0.55), 1.0, closed=True, layer=Layer.EDGES, subject=subjects[face])
    if context.sat_progress.stepping:
        for face in np.nonzero(_same(context, solid.face_axes, context.lit))[0].tolist():
            draw.polyline(_loop(solid, face), theme.text, 2.4, closed=True, layer=Layer.EDGES, subject=subjects[face])


def _loop(solid: MinkowskiDifference, face: int) -> Array:
    """The corners (k, 3) of a face, counter-clockwise seen from outside."""
    core = solid.core
    corners: Array = core.vertices[list(core.faces[face])] + solid.radius * core.normals[face]
    return corners


def _draw_hatches(context: Context, draw: DrawList, solid: MinkowskiDifference) -> None:
    faces = ((row, _loop(solid, face)) for face, row in enumerate(solid.face_axes.tolist()))
    draw_hatches(context, draw, faces, solid_number=len(draw.solids) - 1)


def _rounded_in_focus(context: Context, solid: MinkowskiDifference, mesh: Mesh) -> NDArray[np.bool_]:
    # The triangles of the rounded part that the axis of the closest points passes through: that of the edge or corner
    # in contact.
    analysis, lit = context.analysis, context.lit
    if lit is None or analysis.sat.candidates[lit].kind is not AxisKind.CENTRES or not solid.core.faces:
        return np.zeros(len(mesh.faces), dtype=np.bool_)
    a, b = analysis.contact_vertices.a.indices, analysis.contact_vertices.b.indices
    ends = [
        v
        for v, (of_a, of_b) in enumerate(zip(solid.sources_a.tolist(), solid.sources_b.tolist(), strict=True))
        if (of_a in a or not a) and (of_b in b or not b)
    ]
    core = mesh.corners - solid.radius * mesh.normals
    # Coordinate by coordinate: numpy takes four times as long for the largest along an axis of length three.
    x, y, z = (np.abs(core[:, :, None, axis] - solid.core.vertices[ends, axis]) for axis in range(3))
    farthest: Array = np.maximum(np.maximum(x, y), z)
    near = farthest < 1e-9 * solid.radius
    corners_at, ends_at = np.any(near, axis=2), np.any(near, axis=1)
    part: NDArray[np.bool_] = (mesh.faces < 0) & np.all(corners_at, axis=1) & np.all(ends_at, axis=1)
    return part


def _difference(context: Context, draw: DrawList) -> None:
    at_step = context.step_view
    draw_difference(context, draw, faint=_is_faint(context))
    # The way out answers most questions, so it is hidden whenever the overlay "mtv" is, which draws it in the world.
    if (at_step is None or "answer" in at_step.answer_overlays) and not (
        "mtv" in context.reveal.overlays or context.under_way
    ):
        _draw_answer(context, draw)
    if at_step is None:
        draw_origin(context, draw)


def _is_faint(context: Context) -> bool:
    """Whether the difference is drawn as a shell only: as the stage of the step asks, or beside that of another time.

    At a step of a motion it is not, if the step follows an axis of the table, or for a half-space.
    """
    solid = context.analysis.difference
    if context.step_view is None:
        return context.under_way and context.sweep is not None and context.sweep.motion.rotates
    if not context.step_view.faint_difference:
        return False
    if context.of_motion is None:
        return True
    # Imported with the first motion, to start sooner.
    from core.query.motion_steps import axis_of

    axis = axis_of(context.of_motion)
    return (solid is None or solid.plane is None) and (axis is None or not context.in_table(axis))


def _draw_answer(context: Context, draw: DrawList) -> None:
    analysis, inside = context.analysis, context.analysis.verdict is Verdict.OVERLAPPING
    rgba = context.theme.overlap if inside else context.theme.gap
    if analysis.verdict is not Verdict.TOUCHING:
        draw.strong(np.zeros(3), analysis.nearest, rgba, 3.0, subject=Subject("mtv"), arrow_end=12.0)
        words, middle = f"{'depth' if inside else 'distance'} {distance_words(analysis)}", 0.5 * analysis.nearest
        draw.label(
            words,
            middle,
            rgba,
            size=STRONG,
            offset=(56.0, -14.0),
            priority=80,
            bold=True,
            kind="depth" if inside else "distance",
            other_anchors=points_along(np.zeros(3), analysis.nearest),
        )
    _draw_focus_foot(context, draw)


def draw_origin(context: Context, draw: DrawList) -> None:
    """Draws the origin of the difference. On a light ground its dark ring has a rim on both sides, for dark faces."""
    rgba, halo, origin = context.theme.origin, context.theme.halo, np.zeros(3)
    if not context.theme.dark_panels:
        draw.spots(origin, faded(halo, 0.0), 5.5 + 0.5 * ORIGIN_RIM, halo, 2.0 + ORIGIN_RIM, shape=Marker.RING)
    draw.spots(origin, rgba, 5.5, rgba, 2.0, shape=Marker.RING)
    draw.label("origin", origin, rgba, size=PLAIN, offset=(-32.0, 12.0), priority=85, kind="origin-name")


def _draw_focus_foot(context: Context, draw: DrawList) -> None:
    # The perpendicular from the origin to the nearer plane of the focused axis's pair. For the winner the arrow of
    # `_draw_answer` is enough.
    sat, theme, row = context.analysis.sat, context.theme, context.focus
    if int(sat.same_as[row]) == int(sat.same_as[sat.winner]) or not np.isfinite(sat.separations[row]):
        return
    foot = -float(sat.separations[row]) * sat.directed.axes[row]
    draw.strong(np.zeros(3), foot, theme.winner, 1.8, dash=Dash.DASHED, subject=Subject("axis", row))
    draw.points(foot, theme.winner, 4.0, shape=Marker.SQUARE, hidden=Hidden.SHOW, subject=Subject("axis", row))
    words = f"{axis_name(sat, row)} {plain(float(sat.separations[row]))}"
    draw.label(words, foot, theme.winner, size=PLAIN, offset=(0.0, -14.0), priority=60, kind="interval-numbers")


OVERLAY = Overlay(
    "difference",
    "Minkowski difference",
    "H",
    "A − B around the origin, its faces coloured by axis family",
    difference=_difference,
    of_answer=True,
)


def _draw_sum(context: Context, draw: DrawList) -> None:
    if context.analysis.polygon is not None:
        from .flat_shapes import draw_flat_sum

        draw_flat_sum(context, draw)


SUM = Overlay(
    "sum",
    "Minkowski sum",
    "Shift+A",
    "A + B of a 2D scene: the sums of all points of A and B, and of every pair of vertices",
    world=_draw_sum,
    unavailable_in={3: "The sum is for 2D scenes; this scene is 3D."},
)
