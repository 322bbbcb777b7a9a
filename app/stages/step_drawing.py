"""Drawing functions that pictures of steps share: sources on the bodies, the search direction, planes and bounds.

Each role has one colour of the theme in both panes. The simplex or polytope has `winner`. A lower bound and what
proves it have `lower`, an upper bound and what proves it `upper`: in GJK the support point, its direction and its plane
prove the lower bound, and the point nearest the origin the upper one; in EPA it is the other way round. Points on A and
on B have their bodies' colours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from core.geometry.vector import Array, cross, dot, length, product, unit
from core.pair.support import DifferencePoint
from core.query.beside import Differs

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Rgba, Subject
from ..draw.theme import Theme, faded
from ..overlays.context import Context, square_of
from ..overlays.registry import SUPPORTING
from ..overlays.solids import draw_sheet
from ..overlays.style import FINE, PLAIN, STRONG, bound_colours, points_along
from ..words.digits import plain, told_together
from ..words.names import vertex_name
from .point_names import PointNames, point_names

CORNER_WORDS = {
    "world:winner.dotted": "from b to a: a − b",
    "edge_a.disc": "vertex that makes a corner",
    "edge_b.disc": "vertex that makes a corner",
    "body:edge_a.disc": "vertex that makes a corner",
    "body:edge_b.disc": "vertex that makes a corner",
    "edge_a.rimmed": "vertex that makes the new point",
    "edge_b.rimmed": "vertex that makes the new point",
}
"""Meanings of the looks of sources on the bodies."""
SEARCHED = CORNER_WORDS | {
    "winner.dashed": "edges to the new point",
    "normal": "radius added to the cores",
    "edge_a.diamond": "closest points so far",
    "edge_b.diamond": "closest points so far",
}
"""Meanings of the looks that pictures of searches for a support point share."""
PROVES_LOWER = SEARCHED | {
    "gap": "lower bound",
    "gap.arrow": "search direction",
    "gap.dashed": "lower bound",
    "gap.dotted": "as far as A − B reaches",
    "gap.ring": "new support point",
    "gap.sheet": "support plane",
    "overlap.dashed": "upper bound",
}
PROVES_UPPER = SEARCHED | {
    "gap.dashed": "lower bound",
    "overlap": "upper bound",
    "overlap.arrow": "search direction",
    "overlap.dashed": "upper bound",
    "overlap.dotted": "as far as A − B reaches",
    "overlap.ring": "new support point",
    "overlap.sheet": "support plane",
}
"""The same, with those of a search that proves a lower bound, or an upper bound."""
ARC_ANGLES = np.radians(np.linspace(-40.0, 40.0, 33))
"""Angles of the arcs that show bounds, to both sides of the direction in which the bounds close in, radians."""
WIDE_ANGLES, SMALL = 2.0 * ARC_ANGLES, 0.5
"""The angles of an arc with less than this share of the other arc's radius: dashes need room."""
CIRCLE = np.radians(np.linspace(-180.0, 180.0, 97))
"""Angles of a whole turn, for bounds that are shown as rings, radians."""
RING_ROOM = 1.2
"""A ring is whole if with it the box round A − B and the origin has a largest side at most so many times as long."""
SHARED_LABEL_DISTANCE = 0.02
"""Points of curved surfaces closer to each other than this share of the pair's radius share one label."""
ARROW_LENGTH = 0.24
"""Length of the arrow of a direction, as a share of the pair's radius."""
RING_SHARE, PAST_RING, LEAST_SHARE = 0.2, 0.6, 0.55
"""Radius of the origin's ring, that and the length of an arrow's head, and the least length of the arrow, as shares of
ARROW_LENGTH, about."""
RING_RADIUS, RING_WIDTH = 8.0, 2.6
"""Radius and width of the ring round a point that was just found, points."""
PLANE_NORMAL = np.array((0.0, 0.0, 1.0))
"""Normal of the plane of 2D scenes."""
STRIP = 0.06
"""Width of the strip beside a support line in the plane, as a share of the pair's radius."""
FACING, FACING_SHARE = 0.05, 0.36
"""Two arrows face each other if the line between their feet is off their direction by less than FACING times the pair's
radius; then each is at most FACING_SHARE of that line long."""
SOURCE_HEAD = 9.0
"""Length of the arrow head on the line from b to a, points."""
CLEAR_OF_RING = 18.0
"""Distance of a name from its corner, points: clear of the ring about the corner."""


def in_world(context: Context, point: Array) -> Array:
    """A point (3,) or points (n, 3) of a step, in the world."""
    return np.array(context.scene.a.position) + about_a(context, point)


def about_a(context: Context, point: Array) -> Array:
    """A point (3,) or points (n, 3) of a step, relative to A's position.

    In a step in single precision A's position may not be the origin of the step's points.
    """
    if context.query is None or context.moment is None:
        return point
    out: Array = point - context.query.origin_of(context.moment.phase)
    return out


def draw_sources(
    context: Context,
    draw: DrawList,
    points: Sequence[tuple[int | None, DifferencePoint]],
    newest: int | None = None,
    witnesses: tuple[Array, Array] | None = None,
) -> None:
    """Draws the source points on A and B of numbered points of the difference, with a line from b to a for each: w.

    A source shared by several points is drawn and named once. `newest`: index of the point whose sources are ringed, if
    any. `witnesses`: points (3,) of A and B between which `draw_witnesses` draws a line; where the newest line lies on
    it, none is drawn there, as the two arrows of the direction are there too.
    """
    if not points:
        return
    theme, (searching, _) = context.theme, bound_colours(context.moment, context.theme)
    on_a = in_world(context, np.array([point.a for _, point in points]))
    on_b = in_world(context, np.array([point.b for _, point in points]))
    # The head is in the middle of the line, as the mark at its end would cover it.
    rgba, near = faded(theme.winner, 0.7), SHARED_LABEL_DISTANCE * context.extent.radius
    shown = np.ones(len(points), dtype=bool)
    if witnesses is not None and newest is not None:
        apart = (np.abs(rows - in_world(context, end)) for rows, end in zip((on_a, on_b), witnesses, strict=True))
        free = np.maximum(*apart).max(axis=1) > near
        shown = free | free[newest]
    middle = 0.5 * (on_a + on_b)[shown]
    draw.lines(on_b[shown], middle, rgba, 1.3, dash=Dash.DOTTED, hidden=Hidden.SHOW, arrow_end=SOURCE_HEAD)
    draw.lines(middle, on_a[shown], rgba, 1.3, dash=Dash.DOTTED, hidden=Hidden.SHOW)
    for index, rows in enumerate((on_a, on_b)):
        body, rgba = context.scene.body(index), theme.edge(index)
        vertices = [(point.vertex_a, point.vertex_b)[index] for _, point in points]
        for place, names in together(rows, vertices, near).items():
            vertex = vertices[place]
            ringed = newest is not None and newest in names
            subject = Subject(("vertex_a", "vertex_b")[index], vertex) if vertex >= 0 else Subject("body", index)
            size, rim, width = (5.4, searching, 2.4) if ringed else (4.6, theme.halo, 1.5)
            draw.spots(rows[place], rgba, size, rim, width, subject=subject)
            # `A.v3`; on a curved surface, which has no vertices, `a₀, a₂`.
            numbers = names if vertex < 0 else names[:1]
            name = ", ".join(vertex_name(body, "AB"[index], vertex, points[k][0]) for k in numbers)
            # A's name is above the point and B's below it; in the plane names are outside of the body.
            offset, priority = (0.0, 14.0 if index else -14.0), 75 if ringed else 55
            if body.shape.core is not None:
                middle = body.pose.to_world(body.shape.core.points).mean(axis=0)
                offset = clear_of(context, rows[place] - middle, len(name), offset)
            draw.label(
                name,
                rows[place],
                rgba,
                size=PLAIN,
                offset=offset,
                priority=priority,
                subject=subject,
                kind="vertex-names",
            )


def clear_of(context: Context, way: Array, letters: int, otherwise: tuple[float, float]) -> tuple[float, float]:
    """The offset, points, of a name of `letters` letters: in the plane outwards along `way` (3,), else `otherwise`.

    A zero `way` gives `otherwise` as well.
    """
    if context.analysis.polygon is None or not way.any():
        return otherwise
    # Imported with the first step of the plane.
    from ..overlays.flat_shapes import outwards

    return outwards(way, letters)


def together(rows: Array, kinds: Sequence[object], tolerance: float) -> dict[int, list[int]]:
    """Groups points (n, 3) that are drawn in one place: by the index of the first of a group, the indices of all.

    A point joins a group if each coordinate is within `tolerance` of the first one's. Only points of one kind share a
    group: two vertices keep their names however close they are.
    """
    shared: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        near = (k for k in shared if kinds[k] == kinds[place] and np.abs(rows[k] - row).max() <= tolerance)
        shared.setdefault(next(near, place), []).append(place)
    return shared


def draw_body_directions(context: Context, draw: DrawList, support: DifferencePoint, letter: str) -> None:
    """Draws the search direction on A and its opposite on B, at the farthest points found.

    `letter`: the direction's name.
    """
    (rgba, _), size = bound_colours(context.moment, context.theme), ARROW_LENGTH * context.extent.radius
    between = support.b - support.a
    along, named = dot(between, support.direction), 1.0
    if along > 0.0 and length(between - along * support.direction) < FACING * context.extent.radius:
        # Two arrows on one line that point at each other have room for their heads between the tips, and each its name
        # at its middle.
        size, named = min(size, FACING_SHARE * along), 0.5
    for index, (point, sign) in enumerate(((support.a, 1.0), (support.b, -1.0))):
        start = in_world(context, point)
        tip = start + sign * size * support.direction
        word = (letter, f"−{letter}")[index]
        with draw.named(word):
            draw.strong(start, tip, rgba, 2.6, arrow_end=12.0)
            draw.label(
                word,
                start + named * (tip - start),
                rgba,
                size=PLAIN,
                offset=(12.0, -6.0),
                priority=72,
                bold=True,
                kind="direction-names",
            )


def names_in(context: Context) -> PointNames:
    """The names of the points that the phase shown finds; without a step every point is called `w`."""
    if context.query is None or context.moment is None:
        return PointNames({})
    return point_names(context.query, context.moment.phase)


def draw_found_sources(
    context: Context,
    draw: DrawList,
    points: Sequence[tuple[int | None, DifferencePoint]],
    support: DifferencePoint | None,
    letter: str,
    number: int | None = None,
    witnesses: tuple[Array, Array] | None = None,
) -> None:
    """Draws the sources of points, and of a support point, ringed, with its direction on both bodies.

    `letter`: of the direction; `number`: of the support point, if it has one. `witnesses`: as in `draw_sources`.
    """
    newest = None
    if support is not None:
        draw_body_directions(context, draw, support, letter)
        newest = next((k for k, (_, point) in enumerate(points) if point.xyz == support.xyz), len(points))
        points = points if newest < len(points) else [*points, (number, support)]
        _draw_in_double(context, draw, support)
    draw_sources(context, draw, points, newest, witnesses)


def _draw_in_double(context: Context, draw: DrawList, support: DifferencePoint) -> None:
    """Draws the vertices that double precision finds in place of those of `support`, at the step where the runs differ.

    Draws nothing at any other step.
    """
    query = context.query
    if query is None or query.single is None or query.single.parting is None or query.parted is not context.moment:
        return
    other = query.single.double.steps[query.single.parting.index].support
    if query.single.parting.differs is not Differs.SUPPORT or other is None:
        return
    pairs = ((support.vertex_a, other.vertex_a), (support.vertex_b, other.vertex_b))
    for index, (found, vertex) in enumerate(pairs):
        body = context.scene.body(index)
        if body.shape.core is not None and vertex not in (found, -1):
            place, rgba = body.pose.to_world(body.shape.core.points[vertex]), context.theme.edge(index)
            draw.spots(place, rgba, 4.6, context.theme.text, 1.5)
            words = f"{vertex_name(body, 'AB'[index], vertex)} in double"
            draw.label(words, place, rgba, size=PLAIN, offset=(0.0, 14.0), priority=70, kind="vertex-names")


def tip_of_arrow(context: Context, start: Array, direction: Array) -> Array:
    """The tip (3,) of the arrow of a unit direction at `start` (3,); its head is not under the origin's ring."""
    size, along = ARROW_LENGTH * context.extent.radius, -dot(start, direction)
    before, beyond = along - RING_SHARE * size, along + PAST_RING * size
    through = length(start + along * direction) < RING_SHARE * size
    if through and before < size < beyond:
        size = before if before > LEAST_SHARE * size else beyond
    return start + size * direction


def draw_arrow(draw: DrawList, start: Array, tip: Array, rgba: Rgba, word: str) -> None:
    """Draws a direction from `start` to `tip` (3,), with its name."""
    draw.strong(start, tip, rgba, 2.8, arrow_end=13.0)
    draw.label(word, tip, rgba, size=STRONG, offset=(12.0, -8.0), priority=88, bold=True, kind="direction-names")


def weighted_sources(points: Sequence[DifferencePoint], weights: Array | Sequence[float]) -> tuple[Array, Array]:
    """The points (3,) on A and on B whose difference is the weighted sum of points of the difference.

    There must be a point, and a weight for each. Both are in the frame of the points.
    """
    shares = np.asarray(weights)
    on_a, on_b = (product(shares, np.array(each)) for each in zip(*((p.a, p.b) for p in points), strict=True))
    return on_a, on_b


def draw_witnesses(context: Context, draw: DrawList, on_a: Array, on_b: Array, direction: Array | None) -> None:
    """Draws the points (3,) of the cores, in the step's frame, whose difference is the point nearest the origin.

    A line with its length joins them. `direction` (3,): unit; the radii are drawn along it from A's point and against
    it from B's. None leaves the radii out.
    """
    theme, (_, nearest) = context.theme, bound_colours(context.moment, context.theme)
    ends = (in_world(context, on_a), in_world(context, on_b))
    with draw.named("witnesses"):
        draw.strong(ends[1], ends[0], nearest, 3.0)
        for index, (end, radius) in enumerate(zip(ends, _radii(context), strict=True)):
            if radius > 0.0 and direction is not None:
                outward = (radius, -radius)[index] * direction
                draw.lines(end, end + outward, theme.normal, 1.8, dash=Dash.DASHED, hidden=Hidden.SHOW)
            draw.spots(end, theme.edge(index), 5.0, nearest, 2.0, shape=Marker.DIAMOND)
        middle, size = 0.5 * (ends[0] + ends[1]), length(on_a - on_b)
        draw.label(
            f"|a − b| {plain(size)}",
            middle,
            nearest,
            size=PLAIN,
            offset=(30.0, 10.0),
            priority=70,
            bold=True,
            kind="distance",
            other_anchors=points_along(*ends),
        )


def _radii(context: Context) -> tuple[float, float]:
    maps = None if context.query is None else context.query.support_maps
    return (0.0, 0.0) if maps is None else (maps.radius_a, maps.radius_b)


def draw_support_plane(context: Context, draw: DrawList, direction: Array, support: Array) -> None:
    """Draws the plane through the support point (3,) across its direction, beyond which nothing of A − B lies.

    The piece drawn reaches the foot of the perpendicular from the origin. The perpendicular's length is the bound that
    the plane proves. In the plane it is a line with a strip on its far side, which stays free of an edge on the line.
    The supporting half-space shades the near side instead: two shaded sides would contradict each other.
    """
    corners, (rgba, _) = support_plane(context, direction, support), bound_colours(context.moment, context.theme)
    with draw.named(sweep=support):
        if context.analysis.polygon is None:
            draw_sheet(draw, corners, rgba, 0.13, 0.65, hidden=Hidden.SHOW, layer=Layer.BACK)
        else:
            if SUPPORTING not in context.view.shown:
                beyond = STRIP * context.extent.radius * direction
                draw.sheet(np.concatenate((corners, corners[::-1] + beyond)), faded(rgba, 0.35))
            draw.lines(corners[0], corners[1], rgba, 1.6, hidden=Hidden.SHOW)


def support_plane(context: Context, direction: Array, support: Array) -> Array:
    """Corners (4, 3) of the piece of the support plane that is drawn, or in the plane the ends (2, 3) of the line.

    The plane is across the unit `direction` (3,) through `support` (3,).
    """
    margin, foot = 0.2 * context.extent.radius, dot(support, direction) * direction
    if context.analysis.polygon is None:
        return strip(foot, support, direction, margin, margin)
    along = cross(direction, PLANE_NORMAL)
    low, high = sorted((0.0, dot(support, along)))
    ends: Array = foot + np.array(((low - margin,), (high + margin,))) * along
    return ends


def strip(start: Array, end: Array, normal: Array, margin: float, half: float) -> Array:
    """Corners (4, 3) of a piece of the plane across the unit `normal`: both points (3,) with a `margin` round them.

    If the points coincide, the piece is a square with half edge length `half`.
    """
    along = unit(end - start) if length(end - start) > 1e-6 * margin else None
    if along is None:
        return square_of(start, normal, half)
    across = cross(normal, along)
    low, high = start - margin * along, end + margin * along
    return np.array((low - margin * across, high - margin * across, high + margin * across, low + margin * across))


def of_cores(context: Context, quantity: str) -> str:
    """`cores' depth` for `depth` if the query works on cores and adds radii at the end, else `quantity`."""
    return f"cores' {quantity}" if sum(_radii(context)) else quantity


Bound = tuple[float, str, str]
"""A bound that a picture shows: its number, the quantity, and `≤` or `≥`."""


def draw_bounds(
    draw: DrawList,
    theme: Theme,
    towards: Array,
    bounds: Sequence[Bound],
    *,
    rings: Collection[float] = (),
    balls: Collection[float] = (),
    numbers: bool = True,
) -> None:
    """Draws bounds as arcs about the origin, in the plane through the unit `towards` (3,) that faces the viewer most.

    `bounds`: at most two, of which only those with a positive radius are drawn. Two that read alike in four digits are
    one. Upper bounds are solid. `rings`: radii whose arcs are whole rings; those of `balls` are the outlines of balls,
    as they are seen. Without `numbers` the labels read "at most" and "at least".
    """
    numerals = told_together(*(radius for radius, _, _ in bounds))
    if len(set(numerals)) < len(bounds):
        # Bounds that read alike are one number, and one arc.
        bounds, numerals = [(*bounds[-1][:2], "")], (plain(bounds[-1][0]),)
    with draw.named("bounds"):
        facing = -1 if all(radius in balls for radius, _, _ in bounds) else draw.turned(np.zeros(3), towards)
    for place, (radius, quantity, sign) in enumerate(bounds):
        colour = theme.upper if sign == "≤" else theme.lower
        if radius <= 0.0:
            continue
        small = radius < SMALL * max(other for other, _, _ in bounds)
        group, angles = facing, CIRCLE if radius in rings else WIDE_ANGLES if small else ARC_ANGLES
        if radius in balls:
            with draw.named(f"bound {sign}"):
                group = draw.turned(np.zeros(3), towards, ball=radius)
        along, lifts = radius * np.cos(angles), radius * np.sin(angles)
        points, middle, rgba = along[:, None] * towards, len(angles) // 2, faded(colour, 0.85)
        # Both halves of a broken arc begin at its middle, where its name may stand, so that a dash is there.
        first, last = np.arange(len(angles) - 1), np.arange(1, len(angles))
        broken = sign != "≤"
        if broken:
            first, last = np.append(first[middle:], last[:middle][::-1]), np.append(last[middle:], first[:middle][::-1])
        start, end, lift = points[first], points[last], (lifts[first], lifts[last])
        dash, show, layer = Dash.DASHED if broken else Dash.SOLID, Hidden.SHOW, Layer.BACK
        with draw.named(f"bound {sign}"):
            draw.lines(start, end, rgba, 1.6, dash=dash, hidden=show, layer=layer, lift=lift, group=group)
        words, offset = " ".join(filter(None, (quantity, sign, numerals[place]))), (0.0, (-9.0, 9.0)[place])
        if not numbers:
            words = {"≤": "at most", "≥": "at least"}.get(sign, quantity)
        # The first name may stand along the arc, first at one end of it. That of the second bound, whose arc is broken,
        # stands at the middle, where the mark of the distance is; along a ring also elsewhere.
        named = ARC_ANGLES[:: len(ARC_ANGLES) // 8]
        if place == 1:
            named = np.append(0.0, named[named != 0.0] if radius in rings else ())
        at = radius * np.column_stack((np.cos(named)[:, None] * towards, np.sin(named)))
        with draw.named(f"bound {sign}"):
            draw.label(
                words,
                at[0, :3],
                colour,
                size=PLAIN,
                offset=offset,
                priority=62,
                lift=float(at[0, 3]),
                group=group,
                other_anchors=at[1:],
                kind="bounds" if sign else "depth" if quantity.endswith("depth") else "distance",
            )


def ring_is_whole(context: Context, radius: float) -> bool:
    """Whether a bound's ring is drawn whole: so that A − B and the origin stay large in the picture, else as an arc."""
    lows, highs = zip(*[(part.min(axis=0) - r, part.max(axis=0) + r) for part, r in context.extent.parts], strict=True)
    low, high = np.minimum(lows[0] - highs[1], 0.0), np.maximum(highs[0] - lows[1], 0.0)
    with_ring = np.maximum(high, radius) - np.minimum(low, -radius)
    return float(with_ring.max()) <= RING_ROOM * float((high - low).max())


def draw_rings(context: Context, draw: DrawList, towards: Array, bounds: Sequence[Bound]) -> None:
    """Draws bounds as rings about the origin, named near `towards` (3,): in space the outlines of balls.

    A ring that has no room (`ring_is_whole`) is an arc. `bounds`: as in `draw_bounds`.
    """
    rings = [radius for radius, _, _ in bounds if ring_is_whole(context, radius)]
    balls = rings if context.analysis.polygon is None else ()
    draw_bounds(draw, context.theme, towards, bounds, rings=rings, balls=balls, numbers=context.reveal.figures)


def found_name(context: Context, support: DifferencePoint, known: Iterable[DifferencePoint]) -> str:
    """`w₃ = a₃ − b₅`, or `w₃: found before` if the support point is one of the points `known`."""
    names, again = names_in(context), any(support.xyz == point.xyz for point in known)
    return f"{names.name(support)}: found before" if again else names.words(context.scene, support)


def draw_found(context: Context, draw: DrawList, support: DifferencePoint, name: str) -> None:
    """Draws a support point of the difference, ringed; in the plane its name is moved outwards along the direction."""
    rgba, _ = bound_colours(context.moment, context.theme)
    offset = clear_of(context, support.direction, len(name), (0.0, 16.0))
    draw.spots(support.w, faded(rgba, 0.0), RING_RADIUS, rgba, RING_WIDTH, shape=Marker.RING)
    draw.label(
        name,
        support.w,
        rgba,
        size=PLAIN,
        offset=offset,
        priority=80,
        bold=True,
        ring=RING_RADIUS + RING_WIDTH,
        kind="point-names",
    )


def draw_search(
    context: Context,
    draw: DrawList,
    start: Array,
    support: DifferencePoint,
    letter: str,
    name: str,
    *,
    cores: bool = True,
    answer: str = "",
) -> None:
    """Draws the direction as an arrow at `start` (3,), dotted up to the support plane, and the support point, ringed.

    The plane itself is drawn too.
    `letter`: of the direction, `name`: of the support point. `cores`: the difference is that of the cores, and the
    radii are drawn beyond it, with `answer` as in `draw_radius`.
    """
    (searching, _), direction = bound_colours(context.moment, context.theme), support.direction
    tip = tip_of_arrow(context, start, direction)
    draw_support_plane(context, draw, direction, support.w)
    foot = start + dot(support.w - start, direction) * direction
    with draw.named(f"search {letter}"):
        draw.lines(start, foot, searching, 1.2, dash=Dash.DOTTED, hidden=Hidden.SHOW)
        draw.strong(start, tip, searching, 2.8, arrow_end=13.0)
        draw.label(
            letter, tip, searching, size=STRONG, offset=(12.0, -8.0), priority=78, bold=True, kind="direction-names"
        )
    if cores:
        draw_radius(context, draw, start, direction, answer)
    draw_found(context, draw, support, name)


def draw_radius(context: Context, draw: DrawList, start: Array, direction: Array, answer: str = "") -> None:
    """Draws how far A − B lies beyond the cores' difference: the sum of both radii, along the unit `direction` (3,).

    Draws nothing without radii. `start` (3,): the point of the cores' difference. `answer`: the label with the bodies'
    distance or depth, at the step that finds it.
    """
    radius, rgba = sum(_radii(context)), context.theme.normal
    if radius == 0.0:
        return
    end, told = start + radius * direction, bool(answer) and context.reveal.figures
    words = answer if told else f"+ radius {plain(radius)}"
    size, priority = (PLAIN, 81) if told else (FINE, 58)
    with draw.named("radius"):
        draw.strong(start, end, rgba, 2.0, dash=Dash.DASHED)
        draw.points(end, rgba, 3.8, shape=Marker.SQUARE, hidden=Hidden.SHOW)
        draw.label(words, end, rgba, size=size, offset=(0.0, 12.0), priority=priority, bold=told)


def spread_out(corners: Array) -> list[tuple[float, float]]:
    """The offset of each corner's (k, 3) name, away from the middle of the corners, in points right and down.

    The name of a corner in the middle is above it.
    """
    found = []
    for way in corners - corners.mean(axis=0) if len(corners) else corners:
        size = float(np.sqrt((way**2).sum()))
        x, y = (way[:2] / size).tolist() if size else (0.0, 1.0)
        found.append((CLEAR_OF_RING * x, -CLEAR_OF_RING * y))
    return found
