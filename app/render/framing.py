"""Cameras that keep everything drawn in view: the pair with its rails, the difference with its origin, or one body."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.geometry.triple import triple
from core.geometry.vector import Array, length
from core.geometry.vector import product as matmul
from core.pair.support import support_maps
from core.query.query import MOTION_PHASES, MotionStep, Query
from core.scene import Scene

from ..draw.camera import Camera, Projection
from ..draw.draw_list import DrawList, Layer
from ..draw.layout import handed
from ..draw.layout.frame import sides
from ..draw.placed import Rect
from ..draw.theme import DARK
from ..overlays.context import SPHERE, Context, Extent, difference_square
from ..stages import spec_of, stage_of
from ..state.playback import scene_at
from ..state.view import WHOLE, Pane, Panes, Seen, View, arrange
from .pictures import build

ROOM_FACTOR = 1.15
"""Factor for the room round what is drawn, for labels and line widths."""
BODY_ROOM = 1.35
"""The same factor for one body alone."""
SMALLER = tuple(1.0 - 0.05 * k for k in range(9))
"""Sizes in which a picture is tried that would reach into a covered corner."""
MOVES = tuple(k / 6 for k in range(7))
"""Shares of the room left of a picture and below it by which it is moved out of a covered corner."""
EDGE = 0.03
"""Share of the pane's width or height that such a picture keeps from the edge."""
NEAR_MARGIN, NEAR_LIMIT = 0.2, 2.0
"""Margin round the points near the origin, and the distance beyond which a point is not near, in distances of the
nearest point."""
FULL_WIDTH_SHARE = 0.35
"""A card wider than this share of its pane counts as covering the whole width, so that framed points are above it."""
LEFT_SHARE = 0.6
"""Largest share of its pane that is kept free for a card at the left edge."""
KEPT_SHARE = 0.8
"""If less than this share of a pane's solids is in view, clear of bars and cards, the pane is framed anew after an
edit."""
WHOLE_SHARE = 0.999
"""The same share for the difference while it is followed closely: it is framed anew as soon as its pane cuts it."""
FILLED_SHARE = 0.5
NEARER_FACTOR = 1.4
"""If a pane's solids fill less than FILLED_SHARE of its width and height, it is framed anew if the camera comes
NEARER_FACTOR times nearer. A half-space that has become a ball would otherwise be lost in the pane."""
ALONG_LINES = tuple(k / 16 for k in range(17))
"""Shares of each line at which points are tested against a covered corner."""
TESTED_SHARES = (0.2, 0.4, 0.6, 0.8)
"""Shares of the sides of solids' triangles at which points are tested against a covered corner."""
SAMPLING_MARGIN = 8.0
"""Pixels by which a line or side may reach farther than its tested points."""
MOST_STEPS = 12
"""The largest number of steps of a phase that are drawn to frame a still, beside the shown one."""
_AROUND = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])
_AROUND /= np.sqrt((_AROUND**2).sum(axis=1))[:, None]
_ROUND = np.concatenate((np.eye(3), -np.eye(3)))


class Covered(Struct, frozen=True):
    """The parts of the viewport that panels and insets cover, in pixels.

    `top`, `bottom`: heights of the bars along those edges. `card` (width, height): above the bottom bar in the left
    corner. `bar`: the part of `bottom` above the hint that the bar of a log takes. `left`: how far the card of a probe
    reaches into the last pane. `corner` (width, height): the first pane's upper right corner with the globe or the
    Gauss map. `cards` (x, y, width, height), from the viewport's corner: of a probe, of the free axis and of changed
    settings; no label may be under them. `axis` (width, height): the free axis's card in the last pane, which must not
    cover the axis. `title`: height of each pane's name at its lower edge, if the names are part of the picture.
    """

    top: float = 0.0
    bottom: float = 0.0
    card: tuple[float, float] = (0.0, 0.0)
    bar: float = 0.0
    left: float = 0.0
    corner: tuple[float, float] = (0.0, 0.0)
    cards: tuple[tuple[float, float, float, float], ...] = ()
    axis: tuple[float, float] = (0.0, 0.0)
    title: float = 0.0

    def above_and_below(self, rect: Rect, viewport: Rect) -> tuple[float, float]:
        """Heights covered at a pane's top and bottom, scaled down to leave at least half of the pane free."""
        width, height = self.card
        first, last = rect.y == viewport.y, rect.y + rect.height == viewport.y + viewport.height
        carded = last and rect.x == viewport.x and width > FULL_WIDTH_SHARE * rect.width
        top, bottom = self.top * first, self.bottom * last + (height if carded else 0.0) + self.title
        shrink = min(1.0, 0.5 * rect.height / max(top + bottom, 1.0))
        return top * shrink, bottom * shrink

    def over(self, rect: Rect, viewport: Rect) -> tuple[tuple[float, float, float, float], ...]:
        """The rectangles of a pane that bars and cards cover: x, y, width and height in the pane."""
        width, height = self.card
        high = float(rect.height)
        found = []
        if rect.y == viewport.y and self.top:
            found.append((0.0, 0.0, float(rect.width), self.top))
        if rect.y + rect.height == viewport.y + viewport.height:
            if self.bottom:
                found.append((0.0, high - self.bottom, float(rect.width), self.bottom))
            if height and rect.x < viewport.x + width:
                found.append((float(viewport.x - rect.x), high - self.bottom - height, width, height))
        shift_x, shift_y = viewport.x - rect.x, viewport.y - rect.y
        found += [(x + shift_x, y + shift_y, across, down) for x, y, across, down in self.cards]
        return tuple(found)

    def above_hint(self, left: float, rect: Rect, viewport: Rect) -> float:
        """Height, pixels, that is covered above the hint at a pane's lower edge, right of the pane's pixel `left`.

        0 for a pane above another one.
        """
        if rect.y + rect.height < viewport.y + viewport.height:
            return 0.0
        width, height = self.card
        return self.bar + (height if rect.x == viewport.x and width > left else 0.0)


NOTHING_COVERED = Covered()


def framed(
    seen: Seen,
    size: tuple[int, int],
    divider: float = 0.5,
    covered: Covered = NOTHING_COVERED,
    also: Sequence[Seen] = (),
    *,
    as_shown: bool = False,
) -> View:
    """The view from the same side with everything in view; `size` of the viewport in pixels.

    `divider`: the first pane's share, if there are two. `covered`: the parts that what is drawn keeps clear of. `also`:
    other scenes or times that are shown with the same cameras and panes.

    For a query the answer and the pictures of all steps and sub-steps are kept in view, so that the camera need not
    move between them. In a still (`as_shown`) it is the steps of the phase shown alone, if these have no rails. If the
    view is `close`, and the step has a nearest point, the difference shows only the origin and the points near it. Only
    the rail in focus is kept in view: all rails would make the bodies a third smaller, and the others nearly fit.
    """
    scene, view, shots = seen.scene, seen.view, (seen, *also)
    whole = Rect(0, 0, *size)
    shapes = {pane.kind: pane.rect for pane in arrange(view, whole, divider)}
    world = shapes.get("world", whole)
    difference = shapes.get("difference", world)
    drawn = _drawn_by_pane(shots, as_shown=as_shown)
    pair = np.concatenate([_pair_points(each.scene, each.view) for each in shots])
    origin = np.zeros((1, 3))
    stepped = {id(each.query): each for each in shots if not (as_shown and _drawn_alone(each))}
    for each in stepped.values():
        if each.query is not None:
            world_tips, difference_tips = _fit_points(_context(each), each.query)
            pair = np.concatenate((pair, world_tips))
            origin = np.concatenate((origin, difference_tips, _turned_differences(each.scene, each.query)))
    alone = view.panes in (Panes.WORLD, Panes.OVERLAID)
    left = min(covered.left, LEFT_SHARE * world.width) if alone else 0.0
    corners = [(0.0, 0.0), (0.0, 0.0)]
    corners[next(iter(shapes)) == "difference"] = covered.corner
    around = covered.above_and_below(world, whole), covered.above_and_below(difference, whole)
    rooms = _Room(world, *around[0], left, corners[0]), _Room(difference, *around[1], 0.0, corners[1])
    cards = [(0.0, 0.0), (0.0, 0.0)]
    if view.free is not None and covered.axis[1]:
        # The free axis turns within a ball, and the whole ball is kept clear of the axis's card.
        extent = Extent.of(scene)
        ball, cards[0 if alone else 1] = SPHERE * extent.radius * _AROUND, covered.axis
        pair = np.concatenate((pair, extent.centre + ball)) if alone else pair
        origin = origin if alone else np.concatenate((origin, ball))
    cameras = (
        _clear_of_card(rooms[0], view.world, drawn["world"], pair, cards[0]),
        _clear_of_card(rooms[1], view.difference, drawn["difference"], origin, cards[1]),
    )
    if view.close and (near := _near_origin(seen)) is not None:
        cameras = cameras[0], _clear(rooms[1], view.difference, [], near)
    return replace(view, world=cameras[0], difference=cameras[1], fitted=True)


def _near_origin(seen: Seen) -> Array | None:
    """Points (n, 3) round the origin, the shown step's nearest point, and the support point found there.

    None if the step has no nearest point. A support point that is far away is left out.
    """
    step = None if seen.moment is None else seen.moment.step
    closest, support = getattr(step, "closest", None), getattr(step, "support", None)
    if closest is None:
        return None
    reach = length(closest)
    points = [
        np.zeros(3),
        closest,
        *([support.w] if support is not None and length(support.w) < NEAR_LIMIT * reach else []),
    ]
    return (np.array(points)[:, None] + NEAR_MARGIN * reach * _ROUND).reshape(-1, 3)


def framed_turning(seen: Seen, size: tuple[int, int], yaws: Sequence[float], title: float = 0.0) -> View:
    """The view whose cameras keep everything in view when turned to any of `yaws` (radians) about their targets.

    Rails keep the hand that they have at the first yaw. `size`: of the viewport in pixels; two panes have equal parts.
    `title`: height, pixels, that stays free at each pane's lower edge.
    """
    view, drawn = seen.view, _drawn_by_pane((seen,))
    kept = {"world": _pair_points(seen.scene, view), "difference": np.zeros((1, 3))}
    cameras = {"world": view.world, "difference": view.difference}
    for pane in arrange(view, Rect(0, 0, *size), 0.5):
        rect, first = pane.rect, Projection(replace(pane.camera, yaw=yaws[0]), pane.rect.width, pane.rect.height)
        lists = [handed(draw, first) for draw in drawn[pane.kind]]
        solid = np.concatenate((kept[pane.kind], *(_solid_points(draw) for draw in lists)))
        clear = max(rect.height - title, 0.5 * rect.height) / max(1, rect.height)
        camera = pane.camera.framed(solid, pane.aspect, ROOM_FACTOR, ROOM_FACTOR / clear)
        camera = replace(camera, target=triple(0.5 * (solid.min(axis=0) + solid.max(axis=0))))
        # The rails' places depend a little on the camera, so that two rounds are needed.
        for _ in range(2):
            far = 0.0
            for yaw in yaws:
                turned = replace(camera, yaw=yaw)
                points = [_drawn_points(draw, Projection(turned, rect.width, rect.height)) for draw in lists]
                far = max(
                    far, turned.far_enough(np.concatenate((solid, *points)), pane.aspect / clear, ROOM_FACTOR / clear)
                )
            camera = replace(camera, distance=far or camera.distance)
        # Lower along the axis of the turn, so that it is right at every yaw.
        lower = replace(camera, pitch=0.0).panned(0.0, -0.5 * title, rect.height)
        cameras[pane.kind] = replace(camera, target=lower.target)
    return replace(view, **cameras, fitted=False)


def _context(seen: Seen) -> Context:
    # Any theme will do: the lines are the same in all.
    view = replace(seen.view, hover=None)
    return Context(seen.scene, seen.analysis, view, DARK, sweep=seen.sweep, filmed=seen.filmed)


def _drawn_alone(seen: Seen) -> bool:
    """Whether a whole step of a phase is shown whose steps draw no rails and do not move the bodies."""
    moment = seen.moment
    if moment is None or seen.part != WHOLE or moment.phase in MOTION_PHASES:
        return False
    return "axes" not in spec_of(moment.phase).answer_overlays


def _contexts(seen: Seen, *, as_shown: bool) -> list[Context]:
    """The context of the answer; if `as_shown`, those of the step and of MOST_STEPS of its phase, spread evenly."""
    answer, moment, query = _context(seen), seen.moment, seen.query
    if query is None or moment is None or not (as_shown and _drawn_alone(seen)):
        return [answer]
    first, count = next((first, count) for phase, first, count in query.phases if phase is moment.phase)
    places = {first + round(k * (count - 1) / (MOST_STEPS - 1)) for k in range(MOST_STEPS)}
    return [replace(answer, query=query, place=place) for place in sorted({*places, seen.place})]


def _drawn_by_pane(shots: Sequence[Seen], *, as_shown: bool = False) -> dict[str, list[DrawList]]:
    """The draw lists of each kind of pane, for everything that is shown with the same cameras; `as_shown`: `framed`."""
    # Steps of one phase share most of theirs.
    contexts = {
        (id(shot.analysis), shot.view.time, shot.view.shown, context.query and context.place): context
        for shot in shots
        for context in _contexts(shot, as_shown=as_shown)
    }
    pictures = [build(context) for context in contexts.values()]
    worlds, differences = [each.world for each in pictures], [each.difference for each in pictures]
    return {
        "world": worlds + differences if shots[0].view.panes is Panes.OVERLAID else worlds,
        "difference": differences,
    }


def camera_round(scene: Scene, view: View, draw: DrawList, size: tuple[int, int]) -> Camera:
    """The world's camera with `draw` and both bodies in view, in a picture of `size` pixels."""
    return _around(view.world, [draw], _pair_points(scene, view), Rect(0, 0, *size), (0.0, 0.0))


def brought_back(
    seen: Seen,
    size: tuple[int, int],
    divider: float = 0.5,
    covered: Covered = NOTHING_COVERED,
    *,
    closely: bool = False,
) -> View:
    """The view, with panes framed anew if they show too little of their solids, or show them too small.

    `closely`: the difference is framed anew as soon as its pane cuts it. `size`, `divider`, `covered`: as in `framed`.
    """
    least = {"world": KEPT_SHARE, "difference": WHOLE_SHARE if closely else KEPT_SHARE}
    scene, view = seen.scene, seen.view
    shapes = {"world": _pair_points(scene, view), "difference": _difference_points(scene, seen.analysis, view)}
    whole = Rect(0, 0, *size)
    panes = arrange(view, whole, divider)
    lost = {
        pane.kind
        for pane in panes
        if _share_in_sight(pane, shapes[pane.kind], covered.above_and_below(pane.rect, whole)) < least[pane.kind]
    }
    if view.shows_motion(scene):
        lost |= {pane.kind for pane in panes if _out_of_sight(pane, _motion_ends(scene, pane.kind))}
    small = {pane.kind for pane in panes if _filled(pane, shapes[pane.kind]) < FILLED_SHARE}
    if not lost | small:
        return view
    anew = framed(seen, size, divider, covered)

    def better(kind: str, old: Camera, new: Camera) -> Camera:
        return new if kind in lost or (kind in small and old.distance > NEARER_FACTOR * new.distance) else old

    return replace(
        view,
        world=better("world", view.world, anew.world),
        difference=better("difference", view.difference, anew.difference),
    )


def _share_in_sight(pane: Pane, points: Array, above_and_below: tuple[float, float]) -> float:
    """Share of the box of `points` (n, 3), world, on the screen that is in the pane and uncovered; 1 without points.

    `above_and_below`: covered heights, pixels.
    """
    if len(points) == 0:
        return 1.0
    x, y, _ = pane.projection.project(points).T
    above, below = above_and_below
    across = min(x.max(), pane.rect.width) - max(x.min(), 0.0)
    down = min(y.max(), pane.rect.height - below) - max(y.min(), above)
    whole = (x.max() - x.min()) * (y.max() - y.min())
    return float(max(across, 0.0) * max(down, 0.0) / max(whole, 1e-9))


def _filled(pane: Pane, points: Array) -> float:
    """The larger of the shares of the pane's width and height that `points` (n, 3) take; 1 without points."""
    if len(points) == 0:
        return 1.0
    x, y, _ = pane.projection.project(points).T
    return float(max((x.max() - x.min()) / pane.rect.width, (y.max() - y.min()) / pane.rect.height))


def all_in_sight(seen: Seen, size: tuple[int, int], divider: float = 0.5) -> bool:
    """Whether every line and solid that is shown, except the ground, is within its pane.

    `size`, `divider`: as in `framed`.
    """
    pictures = build(Context(**seen.facts))
    worlds = [pictures.world, pictures.difference] if seen.view.panes is Panes.OVERLAID else [pictures.world]
    lists = {"world": worlds, "difference": [pictures.difference]}
    for pane in arrange(seen.view, Rect(0, 0, *size), divider):
        drawn = np.concatenate([_drawn_points(draw, pane.projection) for draw in lists[pane.kind]])
        if len(drawn) and _out_of_sight(pane, drawn):
            return False
    return True


def framed_body(scene: Scene, view: View, index: int, aspect: float) -> View:
    """The view with one body filling the world's pane; `aspect`: width over height of the pane.

    `index`: 0 for A, 1 for B.
    """
    return replace(view, world=view.world.framed(body_points(scene, index), aspect, BODY_ROOM), fitted=False)


def body_points(scene: Scene, index: int) -> Array:
    """Points (n, 3) that enclose body `index` closely, world; for a half-space the corners of its square.

    `index`: 0 for A, 1 for B.
    """
    points, radius = Extent.of(scene).parts[index]
    return points if radius == 0.0 else (points[:, None] + radius * _ROUND).reshape(-1, 3)


def _fit_points(context: Context, steps: Query) -> tuple[Array, Array]:
    """The `fit_points` of the stages of all steps: (n, 3) in the world and in the difference."""
    stages = [stage_of(phase) for phase, _, _ in steps.phases]
    found = [stage.fit_points(context, steps) for stage in stages if stage.fit_points is not None]
    world, difference = ((np.zeros((0, 3)), *(points[pane] for points in found)) for pane in (0, 1))
    return np.concatenate(world), np.concatenate(difference)


def _turned_differences(scene: Scene, steps: Query) -> Array:
    """Outermost points (n, 3) of the difference at the times of the steps.

    There are no points unless a body turns, nor with a half-space.
    """
    bodies = (scene.a, scene.b)
    turns = any(any(body.angular_displacement) for body in bodies)
    if not turns or any(body.shape.plane is not None for body in bodies):
        return np.zeros((0, 3))
    times = sorted({moment.step.time for moment in steps.moments if isinstance(moment.step, MotionStep)})
    maps = [support_maps(there.a, there.b, rounded="full") for there in (scene_at(scene, time) for time in times)]
    found = [found.support(triple(direction)).w for found in maps for direction in _ROUND]
    return np.array(found).reshape(-1, 3)


def _motion_ends(scene: Scene, kind: str) -> Array:
    """Positions (n, 3) of the bounded bodies at the end; in the difference the end (1, 3) of the origin's path."""
    if kind == "difference":
        way: Array = np.array(scene.b.displacement) - np.array(scene.a.displacement)
        return way[None]
    end = scene_at(scene, 1.0)
    bounded = [body.position for body in (end.a, end.b) if np.isfinite(body.shape.bounding_radius)]
    return np.array(bounded)


def _out_of_sight(pane: Pane, points: Array) -> bool:
    """Whether any of the points (n, 3) is outside of the pane."""
    x, y, _ = pane.projection.project(points).T
    return bool((x < 0.0).any() or (y < 0.0).any() or (x > pane.rect.width).any() or (y > pane.rect.height).any())


def _pair_points(scene: Scene, view: View) -> Array:
    """Points (n, 3) that enclose both bodies closely, world; if their motion is shown, also at its end."""
    scenes = (scene, scene_at(scene, 1.0)) if view.shows_motion(scene) else (scene,)
    return np.concatenate([body_points(shown, index) for shown in scenes for index in (0, 1)])


def _difference_points(scene: Scene, analysis: Analysis, view: View) -> Array:
    """Points (n, 3) of the difference that are extreme along the world's axes, or the corners of a half-space's square.

    If the motion is shown, also both ends of the origin's path.
    """
    solid = analysis.difference
    if solid is not None and solid.plane is not None:
        points = difference_square(Extent.of(scene), solid.plane)
    else:
        maps = support_maps(scene.a, scene.b, rounded="full")
        points = np.array([maps.support(triple(direction)).w for direction in _ROUND])
    if not view.shows_motion(scene):
        return points
    way = np.array(scene.b.displacement) - np.array(scene.a.displacement)
    return np.concatenate((points, np.zeros((1, 3)), way[None]))


class _Room(Struct, frozen=True):
    """A pane and its covered parts, pixels: heights `above` and `below`, width at the `left`, upper right `corner`."""

    rect: Rect
    above: float
    below: float
    left: float
    corner: tuple[float, float]


def _clear_of_card(
    room: _Room, camera: Camera, lists: list[DrawList], kept: Array, card: tuple[float, float]
) -> Camera:
    """`_clear`, beside or below a `card` (width, height) in the upper left corner, whichever needs less distance."""
    if not card[1]:
        return _clear(room, camera, lists, kept)
    below = min(room.above + card[1], LEFT_SHARE * room.rect.height)
    beside = max(room.left, min(card[0], LEFT_SHARE * room.rect.width))
    found = [_clear(replace(room, above=below), camera, lists, kept)]
    found.append(_clear(replace(room, left=beside), camera, lists, kept))
    return min(found, key=lambda camera: camera.distance)


def _clear(room: _Room, camera: Camera, lists: list[DrawList], kept: Array) -> Camera:
    """`_around`, clear of the pane's covered left edge and of its covered upper right corner.

    `lists`: what is drawn; `kept` (n, 3): more points to keep in view. A picture that would reach into the corner is
    moved to the left and down into the room that it leaves there, and drawn smaller only as far as it must. Without
    such a place it stands beside the corner or below it.
    """
    seen = _beside(room, camera, lists, kept)
    if not _in_corner(room, _pixels(room, seen, lists, kept)):
        return seen
    wide, high = room.rect.width, room.rect.height
    for size in SMALLER:
        smaller = replace(seen, distance=seen.distance / size)
        pixels = _pixels(room, smaller, lists, kept)
        left = max(0.0, float(pixels[:, 0].min()) - room.left - EDGE * wide)
        down = max(0.0, (1.0 - EDGE) * high - room.below - float(pixels[:, 1].max()))
        moves = [np.array((-x * left, y * down)) for x in MOVES for y in MOVES]
        for move in sorted(moves, key=lambda move: float(np.abs(move).sum())):
            if not _in_corner(room, pixels + move):
                found = smaller.panned(float(move[0]), float(move[1]), high)
                if not _in_corner(room, _pixels(room, found, lists, kept)):
                    return found
    beside = _beside(room, camera, lists, kept, room.corner[0])
    below = _beside(replace(room, above=max(room.above, room.corner[1])), camera, lists, kept)
    return min((beside, below), key=lambda each: each.distance)


def _beside(room: _Room, camera: Camera, lists: list[DrawList], kept: Array, right: float = 0.0) -> Camera:
    rect, taken = room.rect, room.left + right
    narrow = Rect(rect.x, rect.y, max(1, round(rect.width - taken)), rect.height)
    found = _around(camera, lists, kept, narrow, (room.above, room.below))
    return found.panned(0.5 * (room.left - right), 0.0, rect.height)


def _pixels(room: _Room, camera: Camera, lists: list[DrawList], kept: Array) -> Array:
    """The places (n, 2) in the pane of points of all parts of the picture."""
    projection = Projection(camera, room.rect.width, room.rect.height)
    points = [kept, *(_drawn_points(draw, projection, ALONG_LINES) for draw in lists)]
    # The sides too: a long side of a round body has no vertex in its middle.
    solids = [solid.corners for draw in lists for solid in draw.solids]
    sides = [
        (share * corners + (1.0 - share) * np.roll(corners, 1, axis=1)) for corners in solids for share in TESTED_SHARES
    ]
    points += [side.reshape(-1, 3) for side in sides]
    found: Array = projection.project(np.concatenate(points))[:, :2]
    return found


def _in_corner(room: _Room, pixels: Array) -> bool:
    """Whether any of the points (n, 2) is in the pane's covered upper right corner."""
    (width, height), (x, y) = room.corner, pixels.T
    left = room.rect.width - width - SAMPLING_MARGIN
    return bool(width) and bool(((x > left) & (y < height + SAMPLING_MARGIN)).any())


def _around(
    camera: Camera, lists: list[DrawList], kept: Array, rect: Rect, above_and_below: tuple[float, float]
) -> Camera:
    above, below = above_and_below
    aspect, upright = (
        rect.width / max(1, rect.height),
        ROOM_FACTOR * rect.height / max(1.0, rect.height - above - below),
    )

    def around(points: list[Array]) -> Camera:
        seen = camera.framed(np.concatenate((kept, *points)), aspect, ROOM_FACTOR, upright)
        return seen.panned(0.0, 0.5 * (above - below), rect.height)

    camera = around([_solid_points(draw) for draw in lists])
    # The rails' places depend a little on the camera, so that two rounds are needed.
    for _ in range(2):
        drawn = [_drawn_points(draw, Projection(camera, rect.width, rect.height)) for draw in lists]
        camera = around(drawn)
    # A rail that the camera looks along may change sides between rounds. Then both sides are kept in view.
    projection = Projection(camera, rect.width, rect.height)
    after = [_drawn_points(draw, projection) for draw in lists]
    pixels = projection.project(np.concatenate((kept, *after)))[:, :2]
    if bool(((pixels >= 0.0) & (pixels <= (rect.width, rect.height))).all()):
        return camera
    return around([*drawn, *after])


def _solid_points(draw: DrawList) -> Array:
    return np.concatenate([np.zeros((0, 3)), *(solid.corners.reshape(-1, 3) for solid in draw.solids)])


def _drawn_points(draw: DrawList, projection: Projection, along: tuple[float, ...] = (0.0, 1.0)) -> Array:
    """Points (n, 3) of everything but the ground, which may be cut off; `along`: shares of each line."""
    across = np.vstack((matmul(sides(draw.groups, projection), projection.basis), np.zeros(3)))
    points = [_solid_points(draw)]
    for segments in draw.segments:
        if segments.layer is not Layer.GROUND:
            side = across[segments.group]
            start, end = (
                at + lift[:, None] * side
                for at, lift in ((segments.start, segments.start_lift), (segments.end, segments.end_lift))
            )
            points += [start + share * (end - start) for share in along]
    return np.concatenate(points)
