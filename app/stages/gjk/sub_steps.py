"""GJK's sub-steps: v, the direction, each body's support point, w, what it proves, the bounds, and what leaves.

Everything is read off the step, and what leaves off the next one. Until w is found nothing shows it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, cross, dot, unit
from core.gjk.gjk import GjkStep, GjkStop
from core.pair.support import DifferencePoint

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker
from ...draw.theme import faded
from ...overlays.context import Build, Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN
from ...words.axis_words import listed
from ...words.digits import plain, told_together
from ...words.names import numbered
from ...words.terms import terms_of
from .. import part_pictures as pictures
from .. import picture_parts as shared
from ..stage import At, SubStep, given
from ..word_parts import sentences
from . import STAGE, draw_names, draw_sides, draw_simplex
from .words import feature_words, gjk_text

WEDGE = 0.45
"""How far the region of a feature is drawn, as a share of the pair's radius."""
STOPS = {
    GjkStop.OVERLAP_ENCLOSED: "The simplex encloses the origin, so the origin is in A − B: the cores overlap.",
    GjkStop.OVERLAP_TOUCHING: "The origin is on the simplex: the cores share a point.",
    GjkStop.CONVERGED: "Both bounds are one: this is the distance of the cores.",
    GjkStop.REPEATED_SUPPORT: "w is in the simplex already: nothing of A − B is nearer than v.",
    GjkStop.NO_PROGRESS: "v came no nearer than before. Only rounding is left.",
    GjkStop.DEGENERATE_SIMPLEX: "This simplex is too flat for doubles. The nearest one before it stands.",
    GjkStop.ITERATION_LIMIT: "The iterations allowed are used up. The bounds hold.",
}


def gjk_parts(at: At[GjkStep]) -> tuple[SubStep, ...]:
    """The sub-steps of an iteration, as far as it went."""
    step, drawn = at.step, Drawn(at)
    formulas = gjk_text(at).formulas
    parts = [] if at.before is not None else list(_starts(at))
    parts.append(
        SubStep("nearest", _nearest_words(at), "nearest", drawn.sources_of_v, drawn.regions_and_v, formulas[:1])
    )
    if step.stop is GjkStop.OVERLAP_TOUCHING:
        none = "v is the origin itself: no direction is left to search."
        parts.append(SubStep("direction", none, step.stop, drawn.sources_of_v, drawn.v))
    elif step.support is not None:
        parts += _search(at, drawn)
    if step.stop is not None:
        # Bounds that have met, or what is left of them; else the simplex that ended it.
        world, difference = pictures.whole(STAGE, step) if step.support is None else (drawn.sources_of_v, drawn.rings)
        parts.append(SubStep("stop", _said(at, STOPS[step.stop]), step.stop, world, difference))
    elif at.after is not None:
        parts.append(SubStep("drop", _drop_words(at, at.after), "grow", drawn.kept_sources, drawn.kept, moves=True))
    return tuple(parts)


def _said(at: At[GjkStep], words: str) -> str:
    """A sentence about the cores, which are the bodies where nothing is rounded."""
    return (
        words
        if at.radius_note
        else words.replace("the distance of the cores", "the distance").replace("the cores", "the bodies")
    )


def _starts(at: At[GjkStep]) -> Iterator[SubStep]:
    """What the first simplex is made of, point by point."""
    simplex = at.step.simplex
    for number, point in enumerate(simplex):
        known = simplex[: number + 1]
        name = numbered("w", number)
        sentence = f"Begin anywhere: here with {name}, the farthest point along a first direction."
        if at.query.knobs.warm_start and len(simplex) > 1:
            sentence = f"A warm start: {name} is farthest along a direction that the query before ended with."
        beginning = Beginning(known, point)
        yield SubStep("start" if not number else f"start {number + 1}", sentence, "start", *beginning.draws, moves=True)


def _nearest_words(at: At[GjkStep]) -> str:
    step = at.step
    if step.encloses:
        return f"The origin is inside the {terms_of(at.dimension).simplex}: no spot of it is nearer than the origin."
    where = feature_words(step.region).replace("the vertex ", "")
    return f"v is the spot of the simplex nearest the origin: {plain(step.upper)} away, on {where}."


def _search(at: At[GjkStep], drawn: Drawn) -> Iterator[SubStep]:
    """From the direction to the bounds."""
    step, formulas, line = at.step, gjk_text(at).formulas, terms_of(at.dimension).plane
    yield SubStep(
        "direction",
        "Look from v towards the origin: that is d.",
        "direction",
        drawn.directions_at_v,
        drawn.direction,
        formulas[2:3],
    )
    yield from drawn.search.parts()
    proved, earlier = drawn.proved, 0.0 if at.before is None else at.before.lower
    least, better = told_together(proved, earlier)
    lower = f"Nothing of A − B lies beyond this {line}, so the distance of the cores is at least {least}."
    if proved <= 0.0:
        lower = f"The origin is not beyond this {line}: w proves no distance."
    elif proved < earlier:
        lower += f" {better} was better and stays."
    yield SubStep("lower", _said(at, lower), "bounds", drawn.gap_between, drawn.lower, formulas[3:4])
    bounds = f"Between {' and '.join(told_together(step.lower, step.upper))}."
    on = "They have not met: go on." if step.stop is None else "GJK ends with these bounds."
    yield SubStep(
        "bounds",
        sentences(bounds, on, at.radius_note),
        "bounds",
        drawn.sources_of_v,
        drawn.rings,
        (formulas[1], *formulas[4:5]),
    )


def _drop_words(at: At[GjkStep], after: GjkStep) -> str:
    """What is not needed for v and leaves, and whether w joins; read off the next step."""
    kept = {id(point) for point in after.simplex}
    gone = [numbered("w", k) for k, point in enumerate(at.step.simplex) if id(point) not in kept]
    joins = "w joins." if id(at.step.support) in kept else "w is a corner already and does not join again."
    if not gone:
        return f"Every corner is needed for v and stays. {joins}"
    one = len(gone) == 1
    return f"{listed(gone)} {'is' if one else 'are'} not needed for v and {'leaves' if one else 'leave'}. {joins}"


class Beginning(Struct, frozen=True, eq=False):
    """The points known so far of the first simplex, the newest being `point`."""

    known: tuple[DifferencePoint, ...]
    point: DifferencePoint

    @property
    def draws(self) -> tuple[Build, Build]:
        """In the world and in the difference."""
        return self.world, self.difference

    def world(self, context: Context, draw: DrawList) -> None:
        """The vertices that make the points, the newest's ringed."""
        shared.draw_sources(context, draw, list(enumerate(self.known)), len(self.known) - 1)

    def difference(self, context: Context, draw: DrawList) -> None:
        """The points, and from the origin the direction of the newest, which pops up."""
        theme, there = context.theme, self.known if context.progress == 1.0 else self.known[:-1]
        corners = np.array([point.w for point in there]).reshape(-1, 3)
        draw.spots(corners, theme.winner, 5.0, theme.halo, 1.5)
        draw_names(context, draw, there, corners)
        if context.progress < 1.0:
            pictures.draw_popping(context, draw, self.point.w, context.progress)
        way = unit(self.point.direction)
        if way is not None:
            tip = shared.ARROW * context.extent.radius * way
            shared.draw_arrow(draw, np.zeros(3), tip, context.theme.overlap, "first direction")
        draw_origin(context, draw)


class Drawn(pictures.Drawn[GjkStep], frozen=True, eq=False):
    """The pictures of an iteration's sub-steps, each with what was known by then and no more."""

    @property
    def search(self) -> pictures.Search:
        """The search along d."""
        return pictures.Search(self.at, self._support, "d", "support", self.sweep, self._step.simplex)

    @property
    def proved(self) -> float:
        """The distance that the support point proves by itself, which may be negative."""
        return -dot(self._support.direction, self._support.w)

    # In the difference.

    def v(self, context: Context, draw: DrawList) -> None:
        """The simplex with v, and how far that is from the origin."""
        step, theme = self._step, context.theme
        corners = np.array([point.w for point in step.simplex])
        draw_simplex(context, draw, step, corners)
        draw_names(context, draw, step.simplex, corners)
        if not step.encloses:
            draw.points(step.closest, theme.gap, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
            pictures.draw_length(draw, step.closest, theme.gap, step.upper, "v")
        draw_origin(context, draw)

    def regions_and_v(self, context: Context, draw: DrawList) -> None:
        """The same with the regions of the simplex's features, that of the origin tinted."""
        if not self._step.encloses:
            _draw_regions(context, draw, self._step)
        self.v(context, draw)

    def direction(self, context: Context, draw: DrawList) -> None:
        """D from v, through the origin."""
        self.v(context, draw)
        start, d = self._step.closest, self._support.direction
        shared.draw_arrow(draw, start, start + shared.ARROW * context.extent.radius * d, context.theme.overlap, "d")

    def sweep(self, context: Context, draw: DrawList) -> None:
        """What lies across d, where the search begins: w is not known yet."""
        self.direction(context, draw)
        rgba = faded(context.theme.overlap, 0.5)
        pictures.draw_across(context, draw, self._step.closest, self._support.direction, rgba, dash=Dash.DASHED)

    def lower(self, context: Context, draw: DrawList) -> None:
        """What lies across d at w, and how far that is from the origin if it is behind it."""
        theme, d = context.theme, self._support.direction
        self.v(context, draw)
        shared.draw_support_plane(context, draw, d, self._support.w)
        pictures.draw_found(context, draw, self._support, self.search.name(context))
        if self.proved > 0.0:
            pictures.draw_slab(context, draw, np.zeros(3), d, (-self.proved, 0.0), theme.gap)
            pictures.draw_length(draw, -self.proved * d, theme.gap, self.proved, "at least")

    def rings(self, context: Context, draw: DrawList) -> None:
        """The bounds as rings about the origin, the upper one through v."""
        step, theme = self._step, context.theme
        corners = np.array([point.w for point in step.simplex])
        draw_simplex(context, draw, step, corners)
        # V lies on the outer ball, which is seen round it: its radius leads there.
        draw.lines(np.zeros(3), step.closest, theme.gap, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW, layer=Layer.STRONG)
        draw.points(step.closest, theme.gap, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
        draw.label("v", step.closest, theme.gap, size=PLAIN, offset=(12.0, 10.0), priority=83, bold=True)
        pictures.draw_found(context, draw, self._support, "w")
        towards = unit(step.closest)
        if towards is not None:
            bounds = ((step.upper, "distance ≤"), (step.lower, "distance ≥"))
            shared.draw_rings(context, draw, towards, bounds)
        draw_origin(context, draw)

    def kept(self, context: Context, draw: DrawList) -> None:
        """The next simplex; what left fades and is hollow then."""
        theme, after, step = context.theme, given(self.at.after).simplex, self._step
        corners, share = np.array([point.w for point in after]), pictures.eased(context.progress)
        staying = {id(point) for point in after}
        for point in step.simplex:
            if id(point) not in staying:
                draw.spots(point.w, theme.halo, 4.0, faded(theme.winner, 1.0 - 0.5 * share), 1.6)
                for corner in corners:
                    rgba = faded(theme.winner, 0.4)
                    draw.lines(point.w, corner, rgba, 1.2, dash=Dash.DOTTED, hidden=Hidden.SHOW, layer=Layer.BACK)
        if share < 1.0:
            going = replace(theme, winner=faded(theme.winner, 1.0 - share))
            draw_sides(draw, going, np.array([point.w for point in step.simplex]), set())
        else:
            draw_names(context, draw, after, corners)
        draw_sides(draw, replace(theme, winner=faded(theme.winner, share)), corners, set())
        draw.spots(corners, theme.winner, 5.0, theme.halo, 1.5)
        draw_origin(context, draw)

    # On the bodies.

    def sources_of_v(self, context: Context, draw: DrawList) -> None:
        """The points that make the simplex, and the two whose difference is v."""
        step = self._step
        shared.draw_sources(context, draw, list(enumerate(step.simplex)))
        if not step.encloses:
            shared.draw_witnesses(context, draw, *self._witnesses, None)

    @property
    def _witnesses(self) -> tuple[Array, Array]:
        return shared.weighted_sources([self._step.simplex[k] for k in self._step.region], self._step.weights)

    def directions_at_v(self, context: Context, draw: DrawList) -> None:
        """D at A's point of v and −d at B's."""
        self.sources_of_v(context, draw)
        pictures.draw_directions(context, draw, tuple(enumerate(self._witnesses)), self._support.direction, "d")

    def gap_between(self, context: Context, draw: DrawList) -> None:
        """Across d at both points what A and B do not pass; between them the gap, if that proves one."""
        support, d = self._support, self._support.direction
        self.search.sources(context, draw)
        a, b = shared.in_world(context, support.a), shared.in_world(context, support.b)
        middle = context.extent.centre
        for point in (a, b):
            pictures.draw_across(context, draw, point, d, context.theme.overlap, middle=middle)
        if self.proved > 0.0:
            ends = dot(a - middle, d), dot(b - middle, d)
            pictures.draw_slab(context, draw, middle, d, ends, context.theme.gap)

    def kept_sources(self, context: Context, draw: DrawList) -> None:
        """The points that make the next simplex."""
        shared.draw_sources(context, draw, list(enumerate(given(self.at.after).simplex)))


def _draw_regions(context: Context, draw: DrawList, step: GjkStep) -> None:
    """Voronoi regions of the simplex's features: in the plane all, that of the origin tinted; in space that alone."""
    theme, reach = context.theme, WEDGE * context.extent.radius
    points = [point.w for point in step.simplex]
    if context.analysis.polygon is not None:
        for feature, loop in plane_regions(points, reach):
            held = set(feature) == set(step.region)
            draw.sheet(loop, faded(theme.gap, 0.22) if held else faded(theme.text, 0.05))
            draw.polyline(loop[:2], faded(theme.text, 0.3), 1.0, dash=Dash.DOTTED, hidden=Hidden.SHOW)
        return
    way = -1.25 * step.closest
    corners = [points[k] for k in step.region]
    # From a face three walls, from an edge one band: between them, or in it, lies the origin.
    sides = zip(corners, corners[1:] + corners[:1], strict=True) if len(corners) == 3 else [tuple(corners)]
    for side in sides:
        if len(side) == 2 and way.any():
            draw.sheet(np.array((side[0], side[1], side[1] + way, side[0] + way)), faded(theme.gap, 0.14))


def plane_regions(points: list[Array], reach: float) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Voronoi regions outside a segment or triangle in the plane: its feature's numbers, and a convex loop (4 or 3, 3).

    They are drawn out to `reach`; a loop begins with the side that it shares with another region.
    """
    if len(points) == 2:
        along = unit(points[1] - points[0])
        if along is None:
            return
        across = reach * cross(pictures.UP, along)
        ends = points[0] - reach * along, points[0], points[1], points[1] + reach * along
        for feature, k in (((0,), 0), ((0, 1), 1), ((1,), 2)):
            low, high = ends[k], ends[k + 1]
            yield feature, np.array((low - across, low + across, high + across, high - across))
    elif len(points) == 3:
        middle = (points[0] + points[1] + points[2]) / 3.0
        outward: dict[tuple[int, int], Array] = {}
        for i, j in ((0, 1), (1, 2), (2, 0)):
            normal = unit(cross(points[j] - points[i], pictures.UP))
            if normal is None:
                return
            way = reach * (normal if dot(normal, points[i] - middle) > 0.0 else -normal)
            outward[i, j] = way
            yield (i, j), np.array((points[i], points[i] + way, points[j] + way, points[j]))
        for k, (before, after) in enumerate((((2, 0), (0, 1)), ((0, 1), (1, 2)), ((1, 2), (2, 0)))):
            yield (k,), np.array((points[k], points[k] + outward[before], points[k] + outward[after]))
