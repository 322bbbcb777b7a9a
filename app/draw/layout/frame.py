"""Brings draw lists into their cameras' view frames, and turns turned groups to face the viewer.

View frame (camera.py): x right, y up, z towards the viewer, unit: the target's distance, eye at (0, 0, 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, radians, sin
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, cross, cross_rows, dot, dots, length, length_rows, product

from ..camera import NEAR_PLANE, PaneLens, Projection
from ..draw_list import DrawList, IntArray, Solid, TurnedGroup
from ..steady import steady_pixels, steady_shares
from .solids import Ball, Contour, Shadow, ball_triangles, clip, contour_of, seen_ball, shadow_of, sum_triangles

SIDE_ANGLE = radians(12.0)
"""Angle, radians, from straight down on the screen to a group's preferred side, towards the right: see `sides`."""
LEAST_LIFT = 0.35
"""Least factor by which the lifts of a group are shortened to fit into the pane."""
TIP_ROOM = 5.0
"""Points between the pane's border and the parts of a turned group that are shortened to stay in it."""
NUMBER_ROOM = (105.0, 22.0)
"""Width and height, points, kept free for a group's number, such as `overlap 0.0745`."""
MOST_ROOM = 0.15
"""Largest share of the pane's width or height that NUMBER_ROOM may take."""
BAR_WIDTH, BAR_AIR = 7.0, 3.0
"""Width of a group's bar, and the least gap between it and the bodies, points."""
LIFTS, PITCHES, WORTHS = 4, (1.0, 0.7, 0.45, 0.25), (1.0, 0.92, 0.82, 0.7)
"""The trials for a rail that shrinks: the number of lifts, and the factors for the distance between its bars.

Each factor has a weight in WORTHS for the length that the rail reaches with it, so bars that nearly touch come last.
"""
LEAST_STRETCH, MUCH = 0.3, 1.25
"""Least factor by which a rail shrinks, and how many times longer it must be on the other side to turn to it."""
RIGHT_ANGLE_COSINE = 1e-9
"""Cosine up to which a direction counts as at right angles to another."""
ROUND_CORNERS = 40
"""Corners of a round outline that are enough to tell whether a text lies on it."""
FLAT_BODIES = ("body", "difference")
"""The kinds of subject of sheets that are bodies of the plane."""
Taken = tuple[float, float, float, float]
"""A rectangle of the pane in pixels: x, y of its upper left corner, width, height."""
NO_POINTS: Array = np.zeros((0, 3))
NO_SHIFT: Array = np.zeros(3)


class SeenSolid(Struct, frozen=True, eq=False, weakref=True):
    """A solid as one camera sees it: `corners`, `normals` (m, 3, 3), view frame.

    A ball or a sum of ellipsoids, of one colour, has triangles that are made for this view, not those of the draw list.
    `contour`: None if it is not smooth; `shadow`: None if it hides no line.
    """

    corners: Array
    normals: Array
    contour: Contour | None
    shadow: Shadow | None


class Fit(Struct, frozen=True, eq=False):
    """A turned group's place in a pane, view frame.

    `side` (3,): the direction of lifts; its length is a factor for them. The distances of lifted points along the axis
    are multiplied by `stretch`; then the points are moved by `shift` (3,).
    """

    side: Array
    stretch: float = 1.0
    shift: Array = NO_SHIFT


class PaneInView(Struct, frozen=True, eq=False):
    """One pane: a draw list, its projection, and its turned groups and solids in the view frame.

    `density`: pixels to a point; `axes` (g, 3), view frame, and `fits`: of each turned group.
    """

    draw: DrawList
    projection: Projection
    density: float
    axes: Array
    fits: list[Fit]
    solids: list[SeenSolid]

    @property
    def sides(self) -> Array:
        """The sides (g, 3) of the turned groups, view frame."""
        return np.array([fit.side for fit in self.fits]).reshape(-1, 3)


class LayoutFrame(Struct, frozen=True, eq=False):
    """The p panes that are laid out in one pass, because numpy takes as long for one row as for a hundred.

    `lens` and `density` (p,): of each pane. Turned groups and solids are numbered across all panes: `first_group`,
    `first_solid` (p,) are the numbers of each pane's first. `axes`, `sides` (g, 3), view frame: of all groups;
    `group_pane` (g,): the pane of each. `balls`: by group number, the ball (world) on whose outline the group is drawn.
    `moved`: by group number, the fit of a group that slides or shrinks along its axis.
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
    moved: dict[int, Fit]

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
        fits = [fit for pane in panes for fit in pane.fits]
        return LayoutFrame(
            panes=panes,
            lens=PaneLens(*np.array(sizes, dtype=np.float64).T),
            density=np.array([pane.density for pane in panes]),
            first_group=np.cumsum([0, *groups[:-1]]),
            first_solid=np.cumsum([0, *solids[:-1]]),
            axes=np.concatenate([pane.axes for pane in panes]),
            sides=np.array([fit.side for fit in fits]).reshape(-1, 3),
            group_pane=np.repeat(np.arange(len(panes)), groups),
            balls={number: ball for number, ball in enumerate(balls) if ball is not None},
            moved={number: fit for number, fit in enumerate(fits) if fit.stretch != 1.0 or fit.shift.any()},
        )

    def shadows(self) -> Iterator[tuple[int, int, int, Shadow]]:
        """Yields each shadow: its pane's number, its index in the pane, its solid's number in the frame, and itself."""
        for number, (pane, first) in enumerate(zip(self.panes, self.first_solid.tolist(), strict=True)):
            shadows = (solid.shadow for solid in pane.solids)
            cast = [(first + solid, shadow) for solid, shadow in enumerate(shadows) if shadow is not None]
            for place, (solid, shadow) in enumerate(cast):
                yield number, place, solid, shadow


def pane_of(
    draw: DrawList,
    projection: Projection,
    density: float,
    covered: tuple[float, float] = (0.0, 0.0),
    corners: Sequence[Taken] = (),
) -> PaneInView:
    """Brings solids and turned groups into the view frame.

    `covered`: pixels taken at the pane's top and bottom; `corners`: other rectangles that rails keep off. `density`:
    pixels to a point.
    """
    solids = [seen(solid, projection, density) for solid in draw.solids]
    axes = product(np.array([group.axis for group in draw.groups]).reshape(-1, 3), projection.basis.T)
    fits = kept_inside(draw.groups, sides(draw.groups, projection), projection, density, covered, corners)
    return PaneInView(draw, projection, density, axes, fits, solids)


_seen: WeakKeyDictionary[Solid, tuple[object, SeenSolid]] = WeakKeyDictionary()


def seen(solid: Solid, projection: Projection, density: float) -> SeenSolid:
    """The solid in the view frame; cached, because the camera and one body do not change while the other is dragged.

    `density`: pixels to the point.
    """
    key = projection.camera, projection.width, projection.height, density
    kept = _seen.get(solid)
    if kept is None or kept[0] != key:
        kept = _seen[solid] = key, _look_at(solid, projection)
    return kept[1]


def _look_at(solid: Solid, projection: Projection) -> SeenSolid:
    corners, normals = projection.to_view(solid.corners), projection.turned(solid.corner_normals)
    contour = contour_of(solid, corners, projection)
    if contour is not None and len(contour.start) and (solid.rgba == solid.rgba[:1]).all():
        if solid.ball is not None:
            corners, normals = ball_triangles(solid.ball, contour, projection)
        elif solid.ellipsoids is not None and not contour.of_mesh:
            corners, normals = sum_triangles(solid.ellipsoids, contour, projection)
    return SeenSolid(corners, normals, contour, shadow_of(solid, corners, contour, projection))


Chains = tuple[Array, Array]
"""The left and the right side of a convex outline, (k, 2) each, from its highest point on the screen to its lowest."""
_chains: WeakKeyDictionary[SeenSolid, Chains | None] = WeakKeyDictionary()


def screen_outlines(pane: PaneInView) -> Iterator[Chains]:
    """Yields the outlines on the screen, pixels, of solids and of bodies of the plane; none of one about the eye.

    A sheet on a solid, as a lit face of a body, is no body of its own.
    """
    projection, solids = pane.projection, {subject for each in pane.draw.solids for subject in each.subjects}
    for solid in pane.solids:
        if solid not in _chains:
            points = solid.corners.reshape(-1, 3)
            if solid.contour is not None:
                points = solid.contour.points[:: 1 + len(solid.contour.points) // ROUND_CORNERS]
            _chains[solid] = _chains_of(points, projection)
        found = _chains[solid]
        if found is not None:
            yield found
    for sheet in pane.draw.sheets:
        if sheet.subject.kind in FLAT_BODIES and sheet.subject not in solids:
            found = _chains_of(projection.to_view(sheet.points), projection)
            if found is not None:
                yield found


def _chains_of(points: Array, projection: Projection) -> Chains | None:
    """The outline of points (n, 3), view frame, as Andrew's monotone chains (1979).

    None for fewer than three different pixels, and if a point is not in front of the camera.
    """
    if len(points) == 0 or (1.0 - projection.perspective * points[:, 2]).min() < NEAR_PLANE:
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

    Of the two such directions it is the one nearer to the preferred direction, down and SIDE_ANGLE to the right. So it
    points down the screen, or to the right if the axis is upright on the screen. While an axis turns by half a circle
    on the screen, its side jumps once; the lean keeps the jump away from upright axes, which are common. A group with a
    `hand` keeps to it instead, so that its side turns with the axis. An axis that points at the viewer has the
    preferred direction as its side.
    """
    if not groups:
        return NO_POINTS
    axes = product(np.array([group.axis for group in groups]), projection.basis.T)
    origins = projection.to_view(np.array([group.origin for group in groups]))
    sight = projection.towards_viewer(origins)
    sight /= np.maximum(length_rows(sight), 1e-300)[:, None]
    preferred = np.array((sin(SIDE_ANGLE), -cos(SIDE_ANGLE), 0.0))
    across = cross_rows(axes, sight)
    lengths = length_rows(across)
    endways = lengths < 1e-6
    across /= np.where(endways, 1.0, lengths)[:, None]
    nearer = np.where(steady_shares(dots(across, preferred)) < 0.0, -1.0, 1.0)
    across *= np.array([group.hand or sign for group, sign in zip(groups, nearer.tolist(), strict=True)])[:, None]
    return np.where(endways[:, None], preferred, across)


def hands(groups: list[TurnedGroup], projection: Projection) -> list[float]:
    """The `hand` of each group with which it keeps the side that it has in this projection."""
    right = sides([replace(group, hand=1.0) for group in groups], projection)
    return [1.0 if dot(*both) >= 0.0 else -1.0 for both in zip(sides(groups, projection), right, strict=True)]


def kept_inside(
    groups: list[TurnedGroup],
    across: Array,
    projection: Projection,
    density: float,
    covered: tuple[float, float],
    corners: Sequence[Taken],
) -> list[Fit]:
    """The places of groups that keep them in the pane and off their bodies.

    `across` (g, 3), view frame: their unit sides; `density`: pixels to a point; `covered`, `corners`: as in `pane_of`.
    """
    bounds = np.array(((0.0, covered[0]), (projection.width, projection.height - covered[1])))
    fits: list[Fit] = []
    seen_bodies: dict[int, _Discs] = {}
    for group, side in zip(groups, across, strict=True):
        if group.side is not None:
            shift = NO_SHIFT
            if group.shift is not None:
                shift = dots(projection.basis, group.shift / projection.camera.distance)
            fits.append(Fit(dots(projection.basis, group.side), group.stretch, shift))
        elif not group.outermost:
            fits.append(Fit(side))
        elif group.bars is None or not group.bodies:
            fits.append(Fit(_share(group, side, projection, density, bounds) * side))
        else:
            # The rails of one pair of bodies share the object `bodies`.
            if id(group.bodies) not in seen_bodies:
                seen_bodies[id(group.bodies)] = _seen_bodies(group, projection)
            discs = seen_bodies[id(group.bodies)]
            fits.append(_clear_of_corners(group, discs, side, projection, density, bounds, corners))
    return fits


def _share(group: TurnedGroup, side: Array, projection: Projection, density: float, bounds: Array) -> float:
    """The factor of a group's side (3,), view frame. -1 turns the group to its other side; a size below 1 shortens it.

    A side is turned only for the `outermost` points, but shortened for them and for the group's number.
    """
    places, air = np.array(group.outermost), TIP_ROOM * density
    share, factor = _share_inside(group, places, side, projection, bounds, air), 1.0
    if (
        share < 1.0
        and not group.hand
        and (there := _share_inside(group, places, -side, projection, bounds, air)) > share
    ):
        share, factor = there, -1.0
    share = min(share, _share_with_number(group, factor * side, projection, density, bounds))
    return factor * min(max(share, LEAST_LIFT), 1.0)


def _share_with_number(group: TurnedGroup, side: Array, projection: Projection, density: float, bounds: Array) -> float:
    """The largest factor for the lifts that leaves room for the group's number; inf without one.

    `side`, `bounds`: as in `_share_inside`.
    """
    if group.number is None:
        return np.inf
    size = np.array((projection.width, projection.height))
    room = np.minimum(np.multiply(density, NUMBER_ROOM), MOST_ROOM * size)
    return _share_inside(group, np.array((group.number,)), side, projection, bounds, room)


def _clear_of_corners(
    group: TurnedGroup,
    bodies: _Discs,
    side: Array,
    projection: Projection,
    density: float,
    bounds: Array,
    corners: Sequence[Taken],
) -> Fit:
    """The place of a rail beside its bodies that meets none of the `corners`; without one, as without corners.

    `bounds` (2, 2): the least and the largest x and y of the pane's free part, pixels. A rail that would meet a corner
    is placed in the part of the pane beside it, or above or below it, if that part is more than half of the pane.
    """
    found = _beside_bodies(group, bodies, side, projection, density, bounds)
    met = _met(group, found, projection, corners)
    if met is None:
        return found
    x, y, wide, high = met
    (left, top), (right, bottom) = bounds.tolist()
    parts = (
        (left, top, x, bottom),
        (x + wide, top, right, bottom),
        (left, top, right, y),
        (left, y + high, right, bottom),
    )
    least = 0.5 * (right - left) * (bottom - top)
    tried = [
        _beside_bodies(group, bodies, side, projection, density, np.array(part).reshape(2, 2))
        for part in parts
        if (part[2] - part[0]) * (part[3] - part[1]) > least
    ]
    clear = [fit for fit in tried if _met(group, fit, projection, corners) is None]
    return max(clear, key=lambda fit: (fit.stretch, dot(fit.side, fit.side)), default=found)


def _met(group: TurnedGroup, fit: Fit, projection: Projection, corners: Sequence[Taken]) -> Taken | None:
    """The first rectangle that has a point in common with a rail and its bars, as wide as these are apart; or None."""
    if not corners:
        return None
    assert group.bars is not None
    low, high, near, far = group.bars
    low, high = group.ends or (low, high)
    rows = np.array(((low, near), (high, near), (high, far), (low, far)))
    feet = projection.to_view(group.origin + fit.stretch * rows[:, :1] * group.axis)
    band = projection.screen(feet + rows[:, 1:] * fit.side / projection.camera.distance + fit.shift)[:, :2]
    left, top, right, bottom = steady_pixels(np.concatenate((band.min(axis=0), band.max(axis=0)))).tolist()
    for corner in corners:
        x, y, wide, tall = corner
        # Two convex polygons are apart if one side of them has all corners of the other beyond it.
        if x <= right and left <= x + wide and y <= bottom and top <= y + tall:
            ways = np.roll(band, -1, axis=0) - band
            normals = np.column_stack((-ways[:, 1], ways[:, 0]))
            square = np.array(((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)))
            own, their = (steady_pixels(product(each, normals.T)) for each in (band, square))
            if not ((their.min(axis=0) > own.max(axis=0)) | (their.max(axis=0) < own.min(axis=0))).any():
                return corner
    return None


def _beside_bodies(
    group: TurnedGroup, bodies: _Discs, side: Array, projection: Projection, density: float, bounds: Array
) -> Fit:
    """The place of a rail whose bars keep off its bodies.

    On its `side` (3,) its lifts are shortened, but only so far that the bars stay beyond the bodies. A rail without
    room there turns to its other side, unless it keeps its `hand`. Without room it slides along its axis and shrinks.
    """
    places, air, outlines = np.array(group.outermost), TIP_ROOM * density, []
    for way in (side,) if group.hand else (side, -side):
        outline = _outline(group, bodies, way, projection, density)
        least, share = outline.share, _share_inside(group, places, way, projection, bounds, air)
        # The bars lie within the outermost points.
        most = share if share >= max(1.0, least) else _bars_inside(group, way, projection, bounds, air)
        feet = outline.feet
        axis_inside = bool(((feet >= bounds[0]) & (feet <= bounds[1])).all())
        if axis_inside and least <= most and least < np.inf:
            share = min(share, _share_with_number(group, way, projection, density, bounds))
            return Fit(max(min(max(share, LEAST_LIFT), 1.0, most), least) * way)
        outlines.append(outline)
    found = _squeezed(group, side, outlines[0], projection, density, bounds)
    if not group.hand and (found is None or MUCH * found.stretch < 1.0):
        there = _squeezed(group, -side, outlines[1], projection, density, bounds)
        if there is not None and (found is None or there.stretch > MUCH * found.stretch):
            found = there
    return found or Fit(_share(group, side, projection, density, bounds) * side)


def _bars_inside(group: TurnedGroup, side: Array, projection: Projection, bounds: Array, room: float) -> float:
    """The largest factor for the lifts with which the group's bars stay within `bounds`, as in `_share_inside`."""
    assert group.bars is not None
    low, high, *lifts = group.bars
    farthest = max(lifts, key=abs)
    return _share_inside(group, np.array(((low, farthest), (high, farthest))), side, projection, bounds, room)


_Discs = list[tuple[Array, Array]]


class _Outline(Struct, frozen=True, eq=False):
    """The line on the screen, parallel to a rail, beyond which none of its bodies is visible.

    A view-frame point v has the height `slope` · v + `level` over it, in pixels at the target's depth. View frame:
    `slide` (3,) points along the line; `lift` (3,) is the inner bar's full lift. `share`: the least factor for the lift
    with which the whole inner bar is beyond the line; `middle`: the same for the bar's middle; both inf if no lift
    leads beyond. `feet` (2, 2): the ends of the bars projected on to the axis, pixels.
    """

    slope: Array
    level: float
    slide: Array
    lift: Array
    feet: Array
    share: float
    middle: float


def _seen_bodies(group: TurnedGroup, projection: Projection) -> _Discs:
    """For each body of the group, the centres (n, 2) and radii (n,), pixels, of the balls whose hull it is."""
    found = []
    for points, radius in group.bodies:
        middles = projection.to_view(points)
        nearer = np.maximum(1.0 - projection.perspective * middles[:, 2], NEAR_PLANE)
        found.append(
            (projection.screen(middles)[:, :2], projection.focal * radius / projection.camera.distance / nearer)
        )
    return found


def _outline(group: TurnedGroup, bodies: _Discs, side: Array, projection: Projection, density: float) -> _Outline:
    """The outline of a group's bodies on the `side` (3,), view frame."""
    assert group.bars is not None
    low, high, *lifts = group.bars
    along, nearest = np.array((low, high)), min(lifts, key=abs)
    feet = projection.to_view(group.origin + along[:, None] * group.axis)
    lift = nearest * side / projection.camera.distance
    ends, (rise, _) = (projection.screen(points)[:, :2] for points in (feet, feet + lift))
    start, end = ends
    normal, rise = np.array((start[1] - end[1], end[0] - start[0])), rise - start
    if np.hypot(*normal) < BAR_WIDTH * density:
        # The axis points at the viewer.
        normal = rise
    normal = normal / max(float(np.hypot(*normal)), 1e-9)
    normal *= 1.0 if normal @ rise >= 0.0 else -1.0
    farthest = 0.0
    for pixels, swells in bodies:
        farthest = max(farthest, float(((pixels - start) @ normal + swells).max()))
    middle = 0.5 * np.array((projection.width, projection.height))
    level = float((middle - start) @ normal) - farthest - (0.5 * BAR_WIDTH + BAR_AIR) * density
    slope = np.array((*(projection.focal * normal * (1.0, -1.0)), -projection.perspective * level))
    climb = dot(slope, lift)
    slide = np.array((-normal[1], -normal[0], 0.0))
    if climb <= 0.0:
        return _Outline(slope, level, slide, lift, ends, np.inf, np.inf)
    shares = np.maximum(0.0, (-level - dots(feet, slope)) / climb)
    return _Outline(slope, level, slide, lift, ends, *steady_shares(np.array((shares.max(), shares.mean()))).tolist())


def _squeezed(
    group: TurnedGroup, way: Array, outline: _Outline, projection: Projection, density: float, bounds: Array
) -> Fit | None:
    """The longest copy of a rail that fits into the pane beyond the bodies, on the side `way` (3,), view frame.

    A copy s times as long and moved by u along the outline is inside a border of the pane if α s + β u ≤ γ. It is
    tried with its bars PITCHES times as far apart, at LIFTS lifts. None if it is shorter than LEAST_STRETCH, or if no
    lift leads beyond the bodies.
    """
    assert group.bars is not None
    if outline.share == np.inf:
        return None
    low, high, *lifts = group.bars
    inner, outer = sorted(lifts, key=abs)
    axis, lift = dots(projection.basis, group.axis) / projection.camera.distance, outline.lift
    origin = projection.to_view(group.origin[None])[0]
    room, middle = TIP_ROOM * density, 0.5 * np.array((projection.width, projection.height))
    (right, below), (left, above) = bounds[1] - room - middle, middle - bounds[0] - room
    f, p = projection.focal, projection.perspective
    planes = np.array(
        ((f, 0.0, p * right), (-f, 0.0, p * left), (0.0, -f, p * below), (0.0, f, p * above), -outline.slope)
    )
    limits = np.array((right, left, below, above, outline.level + 0.5 * BAR_AIR * density)) - dots(planes, origin)
    shares = np.tile(np.linspace(outline.middle, outline.share, LIFTS), len(PITCHES))
    flats = np.repeat(min(outline.share, 1.0) * np.array(PITCHES), LIFTS)
    climbs, alpha, beta = dots(planes, lift), dots(planes, axis), dots(planes, outline.slide)
    # Both bars stay inside the pane's borders, and the inner one beyond the bodies.
    rises = np.maximum(0.0, climbs * (1.0, 1.0, 1.0, 1.0, 0.0) * (outer / inner - 1.0))
    gamma = limits - shares[:, None] * climbs - flats[:, None] * rises
    stretches, slides = _longest(np.maximum(low * alpha, high * alpha), beta, gamma)
    best = int(np.argmax(stretches * np.repeat(WORTHS, LIFTS)))
    if stretches[best] < LEAST_STRETCH:
        return None
    shift = slides[best] * outline.slide + (shares[best] - flats[best]) * lift
    return Fit(flats[best] * way, float(stretches[best]), shift)


def _longest(alpha: Array, beta: Array, gamma: Array) -> tuple[Array, Array]:
    """The largest s (n,) up to 1, and the least u >= 0 (n,), for which α s + β u ≤ γ at all k borders.

    `alpha`, `beta` (k,): of each border; `gamma` (n, k).
    """
    steep = 1e-6 * np.abs(beta).max()
    up, down, level = beta > steep, beta < -steep, (np.abs(beta) <= steep) & (alpha > 0.0)
    # In the weighted sum of two borders' inequalities u cancels out.
    parts = beta[up, None] * alpha[down] - alpha[up, None] * beta[down]
    wholes = beta[up, None] * gamma[:, None, down] - gamma[:, up, None] * beta[down]
    bounds = np.where(parts > 0.0, wholes / np.where(parts > 0.0, parts, 1.0), 1.0).reshape(len(gamma), -1)
    bounds = np.concatenate((bounds, gamma[:, level] / alpha[level]), axis=1)
    stretches = steady_shares(bounds.min(axis=1, initial=1.0))
    slides = gamma - alpha * stretches[:, None]
    lowest = (slides[:, down] / beta[down]).max(axis=1, initial=0.0)
    highest = (slides[:, up] / beta[up]).min(axis=1, initial=np.inf)
    return stretches, np.minimum(lowest, highest)


def _share_inside(
    group: TurnedGroup, places: Array, side: Array, projection: Projection, bounds: Array, room: Array | float
) -> float:
    """The largest factor for the lifts with which the group's `places` stay within `bounds` on the `side` (3,).

    `places` (n, 2): distances along the axis and lifts; those whose foot on the axis is out of bounds are ignored.
    The result is above 1 if longer lifts would fit, inf without places. `side`: view frame; `bounds` (2, 2), pixels:
    upper left and lower right corner; `room`: pixels kept free at the border that the places move towards.
    """
    along, lifts = places.T
    feet = projection.to_view(group.origin + along[:, None] * group.axis)
    start = projection.screen(feet)[:, :2]
    way = projection.screen(feet + lifts[:, None] * side / projection.camera.distance)[:, :2] - start
    low, high = bounds
    seen = ((start > low) & (start < high)).all(axis=1)
    left = np.maximum(np.where(way > 0.0, high - start, start - low) - room, 0.0)
    # A place that does not move in a direction never meets that border, even one nearer than `room`.
    shares = np.divide(left, np.abs(way), out=np.full_like(way, np.inf), where=way != 0.0)
    return float(steady_shares(shares[seen]).min(initial=np.inf))


def within_sight(start: Array, end: Array, panes: IntArray, frame: LayoutFrame, margin: float) -> tuple[Array, Array]:
    """The stretches t0, t1 (n,) of lines (n, 3), view frame, that lie in their panes (n,), grown by `margin` points."""
    lens, room = frame.lens.at(panes), margin * frame.density[panes]
    x = (0.5 * lens.width + room) / lens.focal
    y = (0.5 * lens.height + room) / lens.focal
    return clip(*(_over_borders(points, x, y, lens.perspective) for points in (start, end)))


def _over_borders(points: Array, x: Array, y: Array, perspective: Array | float) -> Array:
    """Heights (5, n) of points (n, 3), view frame, over the near plane and the planes through eye and pane borders.

    `x`, `y`: half the pane's width and height at the target's depth, view frame.
    """
    # Half the width and height at a point's depth.
    p, (right, up, near) = perspective, points.T
    wide, high = x - p * x * near, y - p * y * near
    return np.stack((right - wide, -right - wide, up - high, -up - high, p * near + (NEAR_PLANE - 1.0)))


def lifted(points: Array, lifts: Array, groups: IntArray, frame: LayoutFrame) -> Array:
    """The positions (n, 3), view frame, at which points (n, 3) of turned groups are drawn.

    `lifts` (n,): scene units; `groups` (n,): numbers in the frame, -1 for none: such a point stays.
    """
    distances = np.array([pane.projection.camera.distance for pane in frame.panes])[frame.group_pane]
    reach = np.where(groups >= 0, lifts, 0.0) / distances[groups]
    found: Array = points + reach[:, None] * frame.sides[groups]
    for number, fit in frame.moved.items():
        rows, axis, pane = (
            (groups == number) & (lifts != 0.0),
            frame.axes[number],
            frame.panes[frame.group_pane[number]],
        )
        group = pane.draw.groups[number - int(frame.first_group[frame.group_pane[number]])]
        along = dots(points[rows] - pane.projection.to_view(group.origin[None]), axis)
        found[rows] += (fit.stretch - 1.0) * along[:, None] * axis + fit.shift
    for number, ball in frame.balls.items():
        rows = groups == number
        projection = frame.panes[frame.group_pane[number]].projection
        found[rows] = _on_outline(found[rows], ball, frame.axes[number], frame.sides[number], projection)
    return found


def _on_outline(points: Array, ball: Ball, axis: Array, side: Array, projection: Projection) -> Array:
    """Points (n, 3), view frame, of a ball's circle through `axis` and `side`, moved on to the ball's visible outline.

    Seen from the distance D the outline is the circle in which the tangent cone touches the ball. Its radius is
    r √(1 − r²/D²), its plane is perpendicular to the line of sight, and its centre is r²/D nearer to the eye than the
    ball's. In parallel projection D is infinite. If the eye is inside the ball, the points stay.
    """
    centre, radius, eye = seen_ball(ball, projection)
    distance = length(eye)
    sine = projection.perspective * radius / distance
    if sine >= 1.0:
        return points
    towards, arms = eye / distance, points - centre
    upright = cross(side, towards)
    upright *= 1.0 if dot(upright, axis) >= -RIGHT_ANGLE_COSINE else -1.0
    flat = dots(arms, axis)[:, None] * upright + dots(arms, side)[:, None] * side
    found: Array = centre + sine * radius * towards + np.sqrt(1.0 - sine * sine) * flat
    return found
