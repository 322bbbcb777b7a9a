"""Draw lists brought into their cameras' view frames, and turned groups swung to face the viewer.

View frame (camera.py): x right, y up, z towards the viewer, units of the target's distance, eye at (0, 0, 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, cross, cross_rows, dot, dots, length, length_rows, product

from ..camera import NEAR, PaneLens, Projection
from ..draw_list import DrawList, IntArray, Solid, TurnedGroup
from ..steady import steady_pixels, steady_shares
from .solids import Ball, Contour, Shadow, ball_triangles, clip, contour_of, seen_ball, shadow_of

LEAN = radians(12.0)
"""A group's side points down the screen, leaning to the right by this much: see `sides`."""
NEAREST = 0.35
"""Least share to which the lifts of a group that does not fit into the pane are shortened."""
TIP_ROOM = 5.0
"""Points kept free between the pane's border and lines or lifts of a turned group that are shortened to stay in it."""
NUMBER_ROOM = (105.0, 22.0)
"""Points kept free, across and down, for a group's number, such as `overlap 0.0745`."""
MOST_ROOM = 0.15
"""Largest share of the pane's width or height that NUMBER_ROOM may take."""
BAR_WIDTH, BAR_AIR = 7.0, 3.0
"""Width of a group's bar and the least air between it and the bodies, points."""
TIE = 1e-9
"""Cosine up to which a direction counts as at right angles to another."""
ROUND = 40
"""Corners of a round outline that are enough to tell whether a text lies on it."""
FLAT_BODIES = ("body", "difference")
"""The kinds of subject of sheets that are bodies of the plane."""
NO_POINTS: Array = np.zeros((0, 3))


class SeenSolid(Struct, frozen=True, eq=False, weakref=True):
    """A solid as one camera sees it: `corners`, `normals` (m, 3, 3), view frame.

    A ball of one colour has triangles made for this view in place of the draw list's.
    """

    corners: Array
    normals: Array
    contour: Contour | None
    shadow: Shadow | None


class PaneInView(Struct, frozen=True, eq=False):
    """One pane before the camera: a draw list, its projection, and its turned groups and solids in the view frame.

    `density`: pixels to a point.
    `axes`, `sides` (g, 3), view frame: of each turned group; the length of a side is a factor for the group's lifts.
    """

    draw: DrawList
    projection: Projection
    density: float
    axes: Array
    sides: Array
    solids: list[SeenSolid]


class LayoutFrame(Struct, frozen=True, eq=False):
    """The panes that are laid out in one pass: numpy takes as long for one row as for a hundred.

    `lens` and `density` (p,): of each pane. Turned groups and solids are numbered across all panes: `first_group`,
    `first_solid` (p,) are the numbers of each pane's first. `axes`, `sides` (g, 3), view frame: of all groups;
    `group_pane` (g,): the pane of each; `balls`: by group number, the ball (world) on whose outline the group is drawn.
    """

    panes: list[PaneInView]
    lens: PaneLens
    density: Array
    first_group: IntArray
    first_solid: IntArray
    axes: Array
    sides: Array
    group_pane: IntArray
    balls: dict[int, Ball]

    @staticmethod
    def of(panes: list[PaneInView]) -> LayoutFrame:
        """Joins the panes, at least one."""
        projections = [pane.projection for pane in panes]
        sizes = [(p.width, p.height, p.focal, p.perspective) for p in projections]
        groups, solids = (
            [len(each) for each in lists] for lists in zip(*((p.axes, p.solids) for p in panes), strict=True)
        )
        balls = (
            (*group.origin.tolist(), group.ball) if group.ball else None for pane in panes for group in pane.draw.groups
        )
        return LayoutFrame(
            panes=panes,
            lens=PaneLens(*np.array(sizes, dtype=np.float64).T),
            density=np.array([pane.density for pane in panes]),
            first_group=np.cumsum([0, *groups[:-1]]),
            first_solid=np.cumsum([0, *solids[:-1]]),
            axes=np.concatenate([pane.axes for pane in panes]),
            sides=np.concatenate([pane.sides for pane in panes]),
            group_pane=np.repeat(np.arange(len(panes)), groups),
            balls={number: ball for number, ball in enumerate(balls) if ball is not None},
        )

    def shadows(self) -> Iterator[tuple[int, int, int, Shadow]]:
        """Yields pane by pane: the pane's number, the shadow's index there, its solid's number in the frame, itself."""
        for number, (pane, first) in enumerate(zip(self.panes, self.first_solid.tolist(), strict=True)):
            shadows = (solid.shadow for solid in pane.solids)
            cast = [(first + solid, shadow) for solid, shadow in enumerate(shadows) if shadow is not None]
            for place, (solid, shadow) in enumerate(cast):
                yield number, place, solid, shadow


def pane_of(
    draw: DrawList, projection: Projection, density: float, covered: tuple[float, float] = (0.0, 0.0)
) -> PaneInView:
    """Brings solids and turned groups into the view frame; `covered`: pixels at the pane's top and bottom."""
    solids = [seen(solid, projection, density) for solid in draw.solids]
    axes = product(np.array([group.axis for group in draw.groups]).reshape(-1, 3), projection.basis.T)
    across = kept_inside(draw.groups, sides(draw.groups, projection), projection, density, covered)
    for number, group in enumerate(draw.groups):
        if group.side is not None:
            across[number] = dots(projection.basis, group.side)
    return PaneInView(draw, projection, density, axes, across, solids)


_seen: WeakKeyDictionary[Solid, tuple[object, SeenSolid]] = WeakKeyDictionary()


def seen(solid: Solid, projection: Projection, density: float) -> SeenSolid:
    """The solid as it is seen; cached, because while one body is dragged the other one and the camera stay."""
    key = projection.camera, projection.width, projection.height, density
    kept = _seen.get(solid)
    if kept is None or kept[0] != key:
        kept = _seen[solid] = key, _look_at(solid, projection)
    return kept[1]


def _look_at(solid: Solid, projection: Projection) -> SeenSolid:
    corners, normals = projection.to_view(solid.corners), projection.turned(solid.corner_normals)
    contour = contour_of(solid, corners, projection)
    if solid.ball is not None and contour is not None and len(contour.start) and (solid.rgba == solid.rgba[:1]).all():
        corners, normals = ball_triangles(solid.ball, contour, projection)
    return SeenSolid(corners, normals, contour, shadow_of(solid, corners, contour, projection))


Chains = tuple[Array, Array]
"""The left and the right side of a convex outline, (k, 2) each, from its highest point on the screen to its lowest."""
_chains: WeakKeyDictionary[SeenSolid, Chains | None] = WeakKeyDictionary()


def outlines(pane: PaneInView) -> Iterator[Chains]:
    """Yields the outlines on the screen, pixels, of solids and of bodies of the plane; none of one about the eye."""
    projection = pane.projection
    for solid in pane.solids:
        if solid not in _chains:
            points = solid.corners.reshape(-1, 3)
            if solid.contour is not None:
                points = solid.contour.points[:: 1 + len(solid.contour.points) // ROUND]
            _chains[solid] = _chains_of(points, projection)
        found = _chains[solid]
        if found is not None:
            yield found
    for sheet in pane.draw.sheets:
        if sheet.subject.kind in FLAT_BODIES:
            found = _chains_of(projection.to_view(sheet.points), projection)
            if found is not None:
                yield found


def _chains_of(points: Array, projection: Projection) -> Chains | None:
    """The outline of points (n, 3), view frame, as Andrew's monotone chains (1979)."""
    if len(points) == 0 or (1.0 - projection.perspective * points[:, 2]).min() < NEAR:
        return None
    places = sorted({(y, x) for x, y in steady_pixels(projection.screen(points)[:, :2]).tolist()})
    if len(places) < 3:
        return None
    left, right = (_chain(places, sign) for sign in (1.0, -1.0))
    return np.array(left)[:, ::-1], np.array(right)[:, ::-1]


def _chain(places: list[tuple[float, float]], sign: float) -> list[tuple[float, float]]:
    chain: list[tuple[float, float]] = []
    for y, x in places:
        while len(chain) > 1:
            (y0, x0), (y1, x1) = chain[-2:]
            if sign * ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) < 0.0:
                break
            chain.pop()
        chain.append((y, x))
    return chain


def sides(groups: list[TurnedGroup], projection: Projection) -> Array:
    """Side of each turned group, (g, 3) view frame: unit, perpendicular to its axis and to the line of sight.

    Of the two such directions it is the one nearer to "down, leaning right by LEAN": down the screen, and to the right
    for an axis that is upright on the screen. A side has to jump somewhere while an axis turns through half a circle on
    the screen; the lean keeps the jump away from upright axes, which are common. Elsewhere the side is continuous.
    An axis that points at the viewer has the leaning direction itself.
    """
    if not groups:
        return NO_POINTS
    axes = product(np.array([group.axis for group in groups]), projection.basis.T)
    origins = projection.to_view(np.array([group.origin for group in groups]))
    sight = projection.towards_viewer(origins)
    sight /= np.maximum(length_rows(sight), 1e-300)[:, None]
    preferred = np.array((sin(LEAN), -cos(LEAN), 0.0))
    across = cross_rows(axes, sight)
    lengths = length_rows(across)
    endways = lengths < 1e-6
    across /= np.where(endways, 1.0, lengths)[:, None]
    across *= np.where(steady_shares(dots(across, preferred)) < 0.0, -1.0, 1.0)[:, None]
    return np.where(endways[:, None], preferred, across)


def kept_inside(
    groups: list[TurnedGroup], across: Array, projection: Projection, density: float, covered: tuple[float, float]
) -> Array:
    """The sides (g, 3) of groups that would leave the pane, shortened, and turned round where they would meet bodies.

    To give room to its number a side is only shortened, not turned. `density`: pixels to a point; `covered`: as in
    pane_of.
    """
    kept, bounds = across.copy(), np.array(((0.0, covered[0]), (projection.width, projection.height - covered[1])))
    for number, group in enumerate(groups):
        if group.outermost:
            kept[number] *= _way_and_share(group, across[number], projection, density, bounds)
    return kept


def _way_and_share(group: TurnedGroup, across: Array, projection: Projection, density: float, bounds: Array) -> float:
    """The factor of a group's side (3,), view frame: its sign turns the group round, its size shortens the lifts."""
    places, air = np.array(group.outermost), TIP_ROOM * density
    share, factor = _share_inside(group, places, across, projection, bounds, air), 1.0
    if share < 1.0:
        there = _share_inside(group, places, -across, projection, bounds, air)
        if group.bars is None:
            turns = there > share
        else:
            # A rail stays on its side while its bars clear the bodies there: no jump for a little more room.
            keeps, other = (
                _bars_inside(group, way, projection, bounds, air)
                / _share_beyond_bodies(group, way, projection, density)
                for way in (across, -across)
            )
            turns = keeps < 1.0 and other > keeps
        share, factor = (there, -1.0) if turns else (share, 1.0)
    way = factor * across
    if group.number is not None:
        room, size = np.multiply(density, NUMBER_ROOM), np.array((projection.width, projection.height))
        room, place = np.minimum(room, MOST_ROOM * size), np.array((group.number,))
        share = min(share, _share_inside(group, place, way, projection, bounds, room))
    if share < 1.0 and group.bodies:
        # The number moves aside, and the bars stay beyond the bodies.
        clear = _share_beyond_bodies(group, way, projection, density)
        share = max(share, min(clear, _bars_inside(group, way, projection, bounds, air)))
    return factor * min(max(share, NEAREST), 1.0)


def _bars_inside(group: TurnedGroup, side: Array, projection: Projection, bounds: Array, room: float) -> float:
    """Largest share of the lifts at which the group's bars stay within `bounds`, as in _share_inside; 0 without any."""
    if group.bars is None:
        return 0.0
    low, high, *lifts = group.bars
    farthest = max(lifts, key=abs)
    return _share_inside(group, np.array(((low, farthest), (high, farthest))), side, projection, bounds, room)


def _share_beyond_bodies(group: TurnedGroup, side: Array, projection: Projection, density: float) -> float:
    """Least share of the lifts at which the group's inner bar lies beyond its bodies on the `side` (3,), at most 1."""
    if not group.bodies or group.bars is None:
        return 1.0
    low, high, *lifts = group.bars
    nearest = min(lifts, key=abs)
    feet = projection.to_view(group.origin + np.array((low, high))[:, None] * group.axis)
    (start, end), (lifted_start, lifted_end) = (
        projection.screen(points)[:, :2] for points in (feet, feet + nearest * side / projection.camera.distance)
    )
    normal = np.array((start[1] - end[1], end[0] - start[0]))
    size = float(np.hypot(*normal))
    if size < BAR_WIDTH * density:
        return 1.0
    normal /= size
    rises = ((lifted_start - start) @ normal, (lifted_end - start) @ normal)
    rise = min(rises, key=abs)
    sign = 1.0 if rise >= 0.0 else -1.0
    farthest = -np.inf
    for points, radius in group.bodies:
        middles = projection.to_view(points)
        heights = sign * ((projection.screen(middles)[:, :2] - start) @ normal)
        nearer = 1.0 - projection.perspective * middles[:, 2]
        swells = projection.focal * radius / projection.camera.distance / np.maximum(nearer, NEAR)
        farthest = max(farthest, float((heights + swells).max()))
    air = (0.5 * BAR_WIDTH + BAR_AIR) * density
    return float(steady_shares(np.array(min(1.0, max(1e-6, farthest + air) / max(abs(rise), 1e-9)))))


def _share_inside(
    group: TurnedGroup, places: Array, side: Array, projection: Projection, bounds: Array, room: Array | float
) -> float:
    """Largest share of the lifts at which `places` (n, 2) of the group stay within `bounds` on the `side` (3,).

    Above 1 where more would fit. `side`: view frame; `bounds` (2, 2), pixels: the upper left and lower right corner;
    `room`: pixels kept free at the border that the places move towards, across and down.
    """
    along, lifts = places.T
    feet = projection.to_view(group.origin + along[:, None] * group.axis)
    start = projection.screen(feet)[:, :2]
    way = projection.screen(feet + lifts[:, None] * side / projection.camera.distance)[:, :2] - start
    low, high = bounds
    seen = ((start > low) & (start < high)).all(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.maximum(np.where(way > 0.0, high - start, start - low) - room, 0.0) / np.abs(way)
    return float(steady_shares(shares[seen]).min(initial=np.inf))


def within_sight(start: Array, end: Array, panes: IntArray, frame: LayoutFrame, margin: float) -> tuple[Array, Array]:
    """The stretches t0, t1 (n,) of lines (n, 3), view frame, that lie in their panes (n,) or `margin` points round."""
    lens, room = frame.lens.at(panes), margin * frame.density[panes]
    x = (0.5 * lens.width + room) / lens.focal
    y = (0.5 * lens.height + room) / lens.focal
    return clip(*(_over_borders(points, x, y, lens.perspective) for points in (start, end)))


def _over_borders(points: Array, x: Array, y: Array, perspective: Array | float) -> Array:
    """Heights (5, n) of view-frame points (n, 3) over the planes through the eye and a pane's borders at x, y."""
    # Half a pane's width at a point's depth.
    p, (right, up, near) = perspective, points.T
    wide, high = x - p * x * near, y - p * y * near
    return np.stack((right - wide, -right - wide, up - high, -up - high, p * near + (NEAR - 1.0)))


def lifted(points: Array, lifts: Array, groups: IntArray, frame: LayoutFrame) -> Array:
    """The drawn positions of points (n, 3), view frame; `lifts` (n,): scene units, `groups` (n,): -1 for no group."""
    distances = np.array([pane.projection.camera.distance for pane in frame.panes])[frame.group_pane]
    reach = np.where(groups >= 0, lifts, 0.0) / distances[groups]
    found: Array = points + reach[:, None] * frame.sides[groups]
    for number, ball in frame.balls.items():
        rows = groups == number
        projection = frame.panes[frame.group_pane[number]].projection
        found[rows] = _on_outline(found[rows], ball, frame.axes[number], frame.sides[number], projection)
    return found


def _on_outline(points: Array, ball: Ball, axis: Array, side: Array, projection: Projection) -> Array:
    """Points (n, 3), view frame, of a ball's circle through `axis` and `side`, moved on to the outline that is seen.

    From the eye at the distance D the ball's outline is the circle in which the tangent cone touches it: of radius
    r √(1 − r²/D²), across the line of sight, r²/D nearer to the eye than the centre. In parallel projection D is
    infinite. An eye inside the ball sees none.
    """
    centre, radius, eye = seen_ball(ball, projection)
    distance = length(eye)
    sine = projection.perspective * radius / distance
    if sine >= 1.0:
        return points
    towards, arms = eye / distance, points - centre
    upright = cross(side, towards)
    upright *= 1.0 if dot(upright, axis) >= -TIE else -1.0
    flat = dots(arms, axis)[:, None] * upright + dots(arms, side)[:, None] * side
    found: Array = centre + sine * radius * towards + np.sqrt(1.0 - sine * sine) * flat
    return found
