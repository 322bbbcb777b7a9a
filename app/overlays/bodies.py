"""The two bodies, shaded and translucent, with crisp edges; their names; and the cores of rounded bodies.

A core is the point, segment, polygon or polyhedron that a radius was added to. GJK, EPA and SAT work on the cores and
subtract the radii at the end. A sharp body is its own core, which is not drawn again.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np

from core.geometry.quaternion import Pose, Quaternion
from core.geometry.triple import Triple
from core.geometry.vector import Array, dot, dots, frozen, length
from core.pair.support import support_map
from core.scene import Body
from core.shapes import Shape, ball_radius
from core.toi.motion import moves

from ..draw.draw_list import OUTLINE_WIDTH, Dash, DrawList, Hidden, Layer, Rgba, Subject
from ..draw.ellipsoid_sum import EllipsoidSum, sum_of
from ..draw.meshes.mesh import ByIdentity, ball_mesh, flat_outline, points_about
from ..draw.meshes.shape_mesh import curved_look
from ..draw.steady import steady_shares
from ..draw.theme import faded
from ..state.playback import body_at, shown_time
from .context import Context, Overlay, patch
from .solids import EDGE_WIDTH, draw_bare, draw_polyhedron
from .style import NAME

HUGE, NAME_DISTANCE = 20.0, 1.7
"""If a body is more than HUGE times larger than the other, its name is placed at NAME_DISTANCE radii of the small body
from the small body's middle."""
LEAST_RADIUS = 1e-150
"""The least radius of a body by whose square is divided; that of a smaller one would be 0 in doubles."""
NAME_WAYS: Array = np.array([*np.eye(3), *-np.eye(3), *product((-1.0, 1.0), repeat=3)])
NAME_WAYS /= np.sqrt(dots(NAME_WAYS, NAME_WAYS))[:, None]
"""Directions, body frame, from a body's middle to the points that its name may have: to sides and corners."""
Looks = tuple[Rgba, Rgba, Subject, float | None, bool]
LEFT = 0.35, 0.5
"""Opacities, as shares, of the faces and edges of a body at the start of its motion while it is shown on its way."""
HATCHES = 24
"""Strokes along each side of a half-space's square."""


def _world(context: Context, draw: DrawList) -> None:
    theme = context.theme
    for index, body in enumerate((context.scene.a, context.scene.b)):
        # In a film of the motion the body on its way is drawn too, and the one at the start gives way to it.
        left = context.filmed and context.under_way and moves(body) and shown_time(context.view, context.sweep) > 0.0
        share, shown = LEFT if left else (1.0, 1.0)
        fill, edge = faded(theme.body(index), share * theme.face_alpha), faded(theme.edge(index), shown)
        subject = Subject("body", index)
        plane = body.shape.plane
        if plane is not None:
            normal = dots(body.pose.matrix, plane.normal)
            draw_half_space(draw, patch(body, context.scene.body(1 - index)), normal, fill, edge, subject)
        else:
            draw_body(draw, body, fill, edge, subject, glass=left)


def draw_body(
    draw: DrawList,
    body: Body,
    fill: Rgba,
    edge: Rgba,
    subject: Subject,
    width: float | None = None,
    *,
    glass: bool = False,
) -> None:
    """Draws a bounded body: a solid with its edges or its outline and creases, or a flat body with its outline.

    `glass`: a solid that hides no line; a curved one has no creases then. `width`: of a polyhedron's edges or of a
    curved outline, points; None for the usual width, which balls, flat bodies and creases always have. A polyhedron of
    many edges has fine ones for any `width`. Raises TypeError for a half-space.
    """
    if body.shape.plane is not None:
        raise TypeError("a half-space has no solid to draw")
    looks = fill, edge, subject, width, glass
    drawn = _drawn(ByIdentity(body.shape), body.position, body.rotation, len(draw.solids), looks)
    draw.segments += drawn.segments
    draw.solids += drawn.solids
    draw.sheets += drawn.sheets
    draw.marks += drawn.marks


@lru_cache(maxsize=2)  # while one body is dragged the other one stays the same
def _drawn(same: ByIdentity[Shape], position: Triple, rotation: Quaternion, number: int, looks: Looks) -> DrawList:
    """The draw list of a bounded body; its lines refer to its solid by `number`, its place in the whole draw list."""
    draw, shape, pose = DrawList(), same.value, Pose.of(position, rotation)
    fill, edge, subject, width, glass = looks
    outline, radius = flat_outline(shape), ball_radius(shape)
    if outline is not None and len(outline) < 3:
        draw_bare(draw, pose.to_world(outline), edge, subject)
    elif outline is not None:
        loop = pose.to_world(outline)
        draw.sheet(loop, fill, subject)
        draw.polyline(loop, edge, EDGE_WIDTH, closed=True, hidden=Hidden.SHOW, layer=Layer.EDGES, subject=subject)
    elif shape.polyhedron is not None:
        placed = shape.polyhedron.placed(pose.matrix, pose.position)
        draw_polyhedron(draw, placed, fill, edge, subject, width or EDGE_WIDTH, glass=glass)
    elif radius is not None:
        mesh, ball = ball_mesh(pose.position, radius), (*position, radius)
        draw.solid(mesh.corners, mesh.normals, fill, subject=subject, ball=ball, smooth=True, outline=edge, glass=glass)
    else:
        look, rim = curved_look(shape), width or OUTLINE_WIDTH
        corners, normals = pose.to_world(look.mesh.corners), pose.direction_to_world(look.mesh.normals)
        own = draw.solid(
            corners,
            normals,
            fill,
            subject=subject,
            smooth=True,
            outline=edge,
            outline_width=rim,
            glass=glass,
            ellipsoids=sum_of(Body(shape, position, rotation)),
        )
        for crease in () if glass else look.creases:
            start, beside = pose.to_world(crease.points), pose.direction_to_world(crease.normals)
            end, layer = np.roll(start, -1, axis=0), Layer.EDGES
            draw.lines(start, end, edge, EDGE_WIDTH, layer=layer, subject=subject, solid_number=own, normals=beside)
    for batch in draw.segments:
        batch.solid_number += number * (batch.solid_number >= 0)
    return draw


def draw_half_space(draw: DrawList, square: Array, normal: Array, fill: Rgba, edge: Rgba, subject: Subject) -> None:
    """Draws a square (4, 3) of the boundary with short strokes into the solid side, against the unit `normal` (3,)."""
    sides = np.roll(square, -1, axis=0) - square
    inward = -length(sides[0]) * normal
    draw.sheet(square, fill, subject)
    draw.polyline(square, edge, EDGE_WIDTH, closed=True, layer=Layer.EDGES, subject=subject)
    share = np.linspace(0.0, 1.0, HATCHES, endpoint=False)[:, None]
    feet = np.concatenate([corner + share * side for corner, side in zip(square, sides, strict=True)])
    strokes = (np.repeat(sides, HATCHES, axis=0) + inward) / HATCHES
    draw.lines(feet, feet + strokes, faded(edge, 0.5), 1.0, layer=Layer.EDGES)


def _names(context: Context, draw: DrawList) -> None:
    # In a film of the motion a letter goes with its body.
    bodies = (context.scene.a, context.scene.b)
    balls = [ball_about(body) for body in bodies]
    for index, body in enumerate(bodies):
        pair = balls[index], balls[1 - index]
        if body.shape.plane is not None:
            corners = _near_corners(patch(body, bodies[1 - index]))
            point, other_anchors = corners[0], corners[1:]
        else:
            point, other_anchors = _name_point(body, *pair), _other_anchors(body, *pair)
        if context.filmed and context.under_way:
            there = body_at(body, shown_time(context.view, context.sweep)).pose
            point = there.to_world(body.pose.to_local(point))
            other_anchors = there.to_world(body.pose.to_local(other_anchors))
        rgba, subject, middle = context.theme.edge(index), Subject("body", index), (0.0, 0.0)
        draw.label(
            "AB"[index],
            point,
            rgba,
            size=NAME,
            offset=middle,
            priority=90,
            subject=subject,
            bold=True,
            kind="body-names",
            other_anchors=other_anchors,
        )


def _near_corners(square: Array) -> Array:
    """Points (4, 3) in a square (4, 3), each near a corner."""
    found: Array = 0.925 * square + 0.075 * np.roll(square, 2, axis=0)
    return found


def _name_point(body: Body, own_ball: tuple[Array, float], other_ball: tuple[Array, float]) -> Array:
    # On the side away from the other body, so that the name is not in the overlap.
    (middle, radius), (beside, small) = own_ball, other_ball
    away = middle - beside
    size = float(np.sqrt(dot(away, away)))
    if size == 0.0:
        return middle
    if radius > HUGE * small > 0.0:
        # The picture is framed for the small body: the middle of the large one is far outside.
        return beside + away * (NAME_DISTANCE * small / size)
    named: Array = middle + away * (min(0.35 * radius, 0.6 * _reach(body, middle, away / size)) / size)
    return named


def _other_anchors(body: Body, own_ball: tuple[Array, float], other_ball: tuple[Array, float]) -> Array:
    """Further points (n, 3) in the body for its name, those away from the other body first.

    There are none on a body that reaches far beyond the picture.
    """
    (middle, radius), (beside, small) = own_ball, other_ball
    if radius > HUGE * small > 0.0:
        return np.zeros((0, 3))
    points = body.pose.to_world(_points_inside(ByIdentity(body.shape)))
    away = dots(points - middle, middle - beside) / max(radius, LEAST_RADIUS) ** 2
    return points[np.argsort(-steady_shares(away), kind="stable")]


@lru_cache(maxsize=2)
def _points_inside(same: ByIdentity[Shape]) -> Array:
    """Points (n, 3) of a bounded shape, body frame: its middle, and points half-way from it to the surface."""
    shape = same.value
    about = points_about(shape)
    middle = np.zeros(3) if about is None else about[0].mean(axis=0)
    farthest = np.array([shape.support(direction) for direction in NAME_WAYS])
    return frozen(np.concatenate((middle[None], 0.5 * (middle + farthest))))


def _reach(body: Body, middle: Array, along: Array) -> float:
    # The extent of a bounded body from its middle along a unit vector: through a thin body only half its thickness.
    about = points_about(body.shape)
    if about is not None:
        return float(dots(body.pose.to_world(about[0]) - middle, along).max()) + about[1]
    return float(body.shape.reach(body.pose.direction_to_local(along)))


def ball_about(body: Body) -> tuple[Array, float]:
    """A point (3,), world, in the middle of a body, and the largest distance of its surface from there.

    The middle of a shape with points is their mean, because a hull's points may lie anywhere about its position. The
    middle of another shape is its position; of a half-space too, whose distance is infinite.
    """
    return _middle_of(ByIdentity(body.shape), body.position, body.rotation)


@lru_cache(maxsize=2)
def _middle_of(same: ByIdentity[Shape], position: Triple, rotation: Quaternion) -> tuple[Array, float]:
    about = points_about(same.value)
    if about is None:
        return np.array(position), same.value.bounding_radius
    corners = Pose.of(position, rotation).to_world(about[0])
    middle: Array = frozen(corners.mean(axis=0))
    return middle, float(np.sqrt(((corners - middle) ** 2).sum(axis=1).max())) + about[1]


OVERLAY = Overlay("bodies", "Bodies", "B", "Both bodies with crisp edges; hidden edges are faint", world=_world)
NAMES_OVERLAY = Overlay("labels", "Names of the bodies", "L", "The letters A and B on the bodies", world=_names)


CORE_WIDTH = 1.2
"""Width of the lines of a rounded body's core, points."""


def _draw_cores(context: Context, draw: DrawList) -> None:
    for index, body in enumerate((context.scene.a, context.scene.b)):
        core, subject = body.shape.core, Subject("body", index)
        ellipsoid = sum_of(body)
        if ellipsoid is not None:
            _draw_ellipsoid_core(draw, body, ellipsoid, context.theme.edge(index), subject)
        if core is None or core.radius == 0.0:
            continue
        rgba, points = faded(context.theme.edge(index), 0.9), body.pose.to_world(core.points)
        if len(points) == 1:
            draw.spots(points, rgba, 3.0, rgba, 0.0, subject=subject)
            continue
        starts, ends = (points[:1], points[1:]) if core.solid is None else points[core.solid.edges.T]
        draw.lines(starts, ends, rgba, CORE_WIDTH, dash=Dash.DASHED, hidden=Hidden.SHOW, subject=subject)


def _draw_ellipsoid_core(draw: DrawList, body: Body, ellipsoid: EllipsoidSum, rgba: Rgba, subject: Subject) -> None:
    """Draws the outline of an ellipsoid less the radius that GJK and EPA keep apart."""
    _, radius = support_map(body, np.zeros(3))
    mesh = curved_look(body.shape).mesh
    draw.solid(
        body.pose.to_world(mesh.corners - radius * mesh.normals),
        body.pose.direction_to_world(mesh.normals),
        (*rgba[:3], 0.0),
        subject=subject,
        smooth=True,
        outline=rgba,
        outline_width=CORE_WIDTH,
        glass=True,
        ellipsoids=ellipsoid.less(radius),
    )


CORES = Overlay(
    "core",
    "Cores of bodies with a radius",
    "",
    "The shape to which a radius is added: a point, a segment, a polygon, a polyhedron or a smaller round body",
    world=_draw_cores,
)
