"""The probe that the user places beside the pair: a point or a plane here, a ray or scaled space in other modules.

A point is compared with the planes of both bodies. Planes that have it in front are lit. Its distance is drawn to the
plane that has it farthest in front. A round body has the tangent plane at its nearest surface point instead. The plane
through three points is drawn with their triangle, its normal and offset, and the distances of both bodies.
"""

from __future__ import annotations

import numpy as np

from core.geometry.plane import Plane
from core.geometry.vector import Array, dot, length, length_rows
from core.scene import Scene

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Subject
from ..draw.theme import faded
from ..probes import Aim, PlaneProbe, PointProbe, Probe, RayProbe, ScaleProbe
from ..probes.planes import NearestOnSurface, PlaneSide, PointAgainst, ThreePoints, point_against, through
from ..words.digits import signed
from ..words.names import shown_name
from .context import Context, Overlay, square_of
from .solids import draw_sheet
from .style import PLAIN, STRONG

TANGENT_SHARE, NORMAL_SHARE = 0.55, 0.4
"""Half the side of the tangent plane's square, and the length of its normal, in the body's bounding radii."""
MOST_NAMED = 8
"""If more planes than this are lit, they have no labels."""
MOST_FOOT_DISTANCE = 6.0
"""The world's origin and the plane's foot are drawn while both lie within this many radii of the pair's centre."""
OF_THE_ANSWER = frozenset(("plane", "resolved", "contacts", "axes", "mtv", "closest"))
"""Ids of overlays about the answer, which a probe does not ask for."""
OF_THE_WORLD = frozenset(("grid", "bodies", "labels", "normals", "half_space"))
"""Ids of overlays that are drawn again in scaled space, or that hold for the unscaled world only."""


def hidden_overlays(context: Context) -> frozenset[str]:
    """Ids of the overlays that are hidden while the probe is shown.

    Empty at a step, before a ray is aimed, and for scaled space if the pair is no ellipsoid and half-space.
    """
    probe = context.view.probe
    if context.moment is not None or isinstance(probe, Aim):
        return frozenset()
    if isinstance(probe, ScaleProbe):
        from ..probes.planes import Scaling

        return frozenset() if Scaling.of(context.scene) is None else OF_THE_ANSWER | OF_THE_WORLD
    # The rail of an axis that is pointed at or pinned stays.
    return OF_THE_ANSWER - {"axes"} if context.axis_pointed_at else OF_THE_ANSWER


_POINT = {
    "text.disc": "point p",
    "winner": "plane that has the point in front",
    "winner.disc": "point on the plane",
    "gap": "distance outside",
    "overlap": "depth inside",
}
_PLANE = {
    "text.disc": "points a, b, c",
    "text.arrow": "b − a, c − a",
    "winner": "plane, its normal n",
    "none:edge_a.disc": "position of a body and its foot on the plane",
    "none:edge_b.disc": "position of a body and its foot on the plane",
}


def probe_colours(scene: Scene, probe: Probe) -> dict[str, str]:
    """The legend's meanings of the probe's looks in the world, by looks (`app/render/looks.py`)."""
    match probe:
        case PointProbe():
            return _POINT
        case PlaneProbe():
            return _PLANE
        case RayProbe():
            from .probe_ray import colours as ray_colours

            return ray_colours(scene, probe)
        case ScaleProbe():
            from .probe_scaling import colours as scaling_colours

            return scaling_colours(scene, probe)
        case Aim():
            return {}


def _world(context: Context, draw: DrawList) -> None:
    match context.view.probe:
        case PointProbe() as probe:
            draw_point(context, draw, probe)
        case PlaneProbe() as probe:
            draw_plane(context, draw, probe)
        case RayProbe() as probe:
            from .probe_ray import draw_ray

            draw_ray(context, draw, probe)
        case ScaleProbe() as probe:
            from .probe_scaling import draw_scaled

            draw_scaled(context, draw, probe)


def draw_point(context: Context, draw: DrawList, probe: PointProbe) -> None:
    """Draws the point with its handle, and for A and B the lit planes and the distance."""
    at = np.array(probe.position)
    for index, body in enumerate((context.scene.a, context.scene.b)):
        against = point_against(body, probe.position)
        if against.nearest is not None:
            _draw_tangent(context, draw, index, against, against.nearest, at)
        elif against.worst is not None:
            _draw_lit(context, draw, index, against)
            _draw_distance(context, draw, index, against, against.worst, at)
    draw_handle(context, draw, at, 0, "p")


def draw_handle(context: Context, draw: DrawList, at: Array, number: int, name: str) -> None:
    """Draws a point (3,), world, that can be dragged, with its name. `number`: that of its subject."""
    theme, subject = context.theme, Subject("probe", number)
    hot = context.view.hover == subject
    draw.spots(at, theme.hover if hot else theme.text, 7.5 if hot else 6.0, theme.halo, 2.0, subject=subject)
    draw.label(
        name,
        at,
        theme.text,
        size=STRONG,
        offset=(13.0, -13.0),
        priority=88,
        subject=subject,
        bold=True,
        kind="point-names",
    )


def _draw_lit(context: Context, draw: DrawList, index: int, against: PointAgainst) -> None:
    """Lights the faces of a body, if it has any, whose planes have the point in front."""
    solid, body, rgba = against.body.shape.polyhedron, against.body, context.theme.winner
    if solid is None:
        return
    faces = solid.with_rim().faces
    for side in against.outside:
        loop = body.pose.to_world(solid.vertices[list(faces[side.face])])
        if len(loop) > 2:
            draw.sheet(loop, faded(rgba, 0.42))
        draw.polyline(loop, rgba, 2.6, closed=True, hidden=Hidden.FAINT, layer=Layer.STRONG)
        if side is not against.worst and len(against.outside) <= MOST_NAMED:
            name = shown_name(f"{'AB'[index]}.{side.name}")
            words = f"{name} {signed(side.distance)}"
            draw.label(
                words,
                loop.mean(axis=0),
                context.theme.text,
                size=PLAIN,
                offset=(0.0, 0.0),
                priority=58,
                kind="distance",
            )


def _draw_distance(
    context: Context, draw: DrawList, index: int, against: PointAgainst, worst: PlaneSide, at: Array
) -> None:
    """Draws the signed distance of the point from the plane that has it farthest in front. `at` (3,): the point."""
    theme = context.theme
    rgba = theme.winner if against.on else theme.gap if worst.distance > 0.0 else theme.overlap
    foot = at - worst.distance * worst.normal
    draw.strong(foot, at, rgba, 2.2, dash=Dash.SOLID)
    draw.points(foot, rgba, 3.6, hidden=Hidden.SHOW)
    name = shown_name(f"{'AB'[index]}.{worst.name}")
    words = f"on {name}" if against.on else f"{name}: {signed(worst.distance)}"
    beside = against.body.shape.plane is not None or not against.on
    offset = (44.0, 0.0) if beside else (0.0, 16.0)
    draw.label(words, 0.5 * (foot + at), rgba, size=STRONG, offset=offset, priority=84, bold=True, kind="distance")


def _draw_tangent(
    context: Context, draw: DrawList, index: int, against: PointAgainst, nearest: NearestOnSurface, at: Array
) -> None:
    """Draws the plane at the nearest surface point, lit if it has the probe in front, and the signed distance.

    `at` (3,): the probe.
    """
    theme, size = context.theme, context.scene.body(index).shape.bounding_radius
    outside = nearest.distance > against.tolerance
    rgba = theme.winner if against.on else theme.gap if outside else theme.overlap
    square = square_of(nearest.point, nearest.normal, TANGENT_SHARE * size)
    lit = theme.winner if outside else theme.dim_text
    draw.sheet(square, faded(lit, 0.3 if outside else 0.16))
    draw.polyline(square, faded(lit, 0.9), 1.4, closed=True, hidden=Hidden.FAINT)
    tip = nearest.point + NORMAL_SHARE * size * nearest.normal
    draw.lines(nearest.point, tip, theme.edge(index), 1.8, hidden=Hidden.SHOW, arrow_end=9.0)
    draw.strong(nearest.point, at, rgba, 2.2)
    draw.spots(nearest.point, rgba, 4.6, theme.halo, 1.5)
    plane = "plane at the rim or apex" if nearest.sharp else "tangent plane"
    corner = square[int(np.argmax(square[:, 1]))]
    named = lit if outside else theme.text
    draw.label(f"{plane} of {'AB'[index]}", corner, named, size=PLAIN, offset=(0.0, -12.0), priority=56)
    words = f"on {'AB'[index]}" if against.on else f"{'AB'[index]}: {signed(nearest.distance)}"
    draw.label(
        words,
        0.5 * (nearest.point + at),
        rgba,
        size=STRONG,
        offset=(36.0, 0.0),
        priority=84,
        bold=True,
        kind="distance",
    )


def draw_plane(context: Context, draw: DrawList, probe: PlaneProbe) -> None:
    """Draws the three points with their handles, and the plane that they span."""
    found = through(context.scene, probe)
    points, theme = found.points, context.theme
    sides = (points[1], points[2])
    for tip, words in zip(sides, ("b − a", "c − a"), strict=True):
        draw.lines(points[0], tip, faded(theme.text, 0.9), 1.6, hidden=Hidden.FAINT, arrow_end=9.0)
        draw.label(
            words,
            0.5 * (points[0] + tip),
            theme.dim_text,
            size=PLAIN,
            offset=(0.0, 13.0),
            priority=36,
            kind="direction-names",
        )
    draw.lines(points[1], points[2], faded(theme.text, 0.45), 1.2, dash=Dash.DASHED, hidden=Hidden.FAINT)
    if found.plane is None:
        middle = points.mean(axis=0)
        draw.label("no plane", middle, theme.overlap, size=STRONG, offset=(0.0, 24.0), priority=84, bold=True)
    else:
        _draw_sheet(context, draw, found, found.plane)
        _draw_offset(context, draw, found.plane)
        _draw_distances(context, draw, found, found.plane)
    for number, (point, name) in enumerate(zip(points, "abc", strict=True)):
        draw_handle(context, draw, point, number, name)


def _draw_sheet(context: Context, draw: DrawList, found: ThreePoints, plane: Plane) -> None:
    theme, points = context.theme, found.points
    middle, size = points.mean(axis=0), context.extent.radius
    corners = square_of(middle, plane.normal, max(0.9 * size, 1.1 * float(length_rows(points - middle).max())))
    draw_sheet(draw, corners, theme.winner, 0.10, 0.6, 1.1)
    draw.sheet(points, faded(theme.winner, 0.22))
    tip = middle + 0.42 * size * plane.normal
    draw.strong(middle, tip, theme.winner, 2.6, arrow_end=12.0)
    draw.label("n", tip, theme.winner, size=STRONG, offset=(0.0, -13.0), priority=82, bold=True, kind="direction-names")
    beyond = corners[0]
    words = ("+ side", "− side")
    for word, sign, offset in zip(words, (1.0, -1.0), (-8.0, 8.0), strict=True):
        place = beyond + sign * 0.07 * size * plane.normal
        draw.label(word, place, theme.winner, size=PLAIN, offset=(0.0, offset), priority=34)


def _draw_offset(context: Context, draw: DrawList, plane: Plane) -> None:
    """Draws the signed offset of the plane from the world's origin, unless that is far from the scene."""
    theme, extent, foot, origin = context.theme, context.extent, plane.point(), np.zeros(3)
    if max(length(foot - extent.centre), length(extent.centre)) > MOST_FOOT_DISTANCE * extent.radius:
        return
    draw.lines(origin, foot, theme.dim_text, 1.4, dash=Dash.DASHED, hidden=Hidden.SHOW, arrow_start=6.0, arrow_end=6.0)
    draw.spots(origin, theme.dim_text, 3.6, theme.dim_text, 1.6, shape=Marker.CROSS)
    draw.label("O", origin, theme.dim_text, size=PLAIN, offset=(-10.0, 10.0), priority=30, kind="origin-name")
    words = f"d = {signed(plane.offset)}"
    draw.label(
        words, 0.5 * (origin + foot), theme.dim_text, size=PLAIN, offset=(34.0, 0.0), priority=56, kind="distance"
    )


def _draw_distances(context: Context, draw: DrawList, found: ThreePoints, plane: Plane) -> None:
    """Draws the signed distances of both bodies' positions from the plane, with their feet."""
    for index, side in enumerate(found.sides):
        rgba, centre = context.theme.edge(index), np.array(context.scene.body(index).position)
        foot = centre - dot(plane.normal, centre) * plane.normal + plane.offset * plane.normal
        draw.lines(foot, centre, rgba, 1.8, hidden=Hidden.SHOW, layer=Layer.NORMAL)
        draw.points(np.array((foot, centre)), rgba, 3.4, hidden=Hidden.SHOW)
        words = f"{'AB'[index]}: {signed(side.centre)}"
        draw.label(
            words, 0.5 * (foot + centre), rgba, size=STRONG, offset=(32.0, 0.0), priority=70, bold=True, kind="distance"
        )


OVERLAY = Overlay("probe", "Probe", "", "The probe that you hold against the pair", world=_world, of_answer=True)
