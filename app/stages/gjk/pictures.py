"""Pictures of GJK's steps and sub-steps: the simplex, v, the search, w, and the bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry import triple
from core.geometry.vector import Array, cross, dot, unit
from core.gjk.gjk import GjkStep
from core.pair.support import DifferencePoint
from core.query.query import Phase, Query

from ...draw.between import eased
from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker
from ...draw.theme import Theme, faded
from ...overlays.context import Build, Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN, STRONG
from .. import step_drawing, sub_step_drawing
from ..radii import answer_label
from ..stage import given, steps_of
from ..sub_step_drawing import across, fit_points_of_ring, fit_points_of_search

FEATURE_WORDS = {1: "vertex", 2: "edge", 3: "face"}


def region_name(names: Sequence[str]) -> str:
    """The Voronoi region that holds the origin: `vertex w₀`, `edge w₀w₂`, `face w₀w₁w₃`, or `inside`."""
    return "inside" if len(names) == 4 else f"{FEATURE_WORDS[len(names)]} {''.join(names)}"


def draw_difference(context: Context, draw: DrawList, step: GjkStep) -> None:
    """Draws the simplex, its point nearest the origin, the search from there and the point found."""
    corners = np.array([point.w for point in step.simplex])
    _draw_ghosts(context, draw, step)
    draw_simplex(context, draw, step, corners)
    draw_names(context, draw, step.simplex, corners)
    draw_closest(context, draw, step)
    if step.support is not None:
        step_drawing.draw_bounds(draw, context.theme, -step.support.direction, _bounds(context, step))
        name = step_drawing.found_name(context, step.support, step.simplex)
        answer = answer_label(context, Phase.GJK) if step.stop is not None else ""
        step_drawing.draw_search(context, draw, step.closest, step.support, "d", name, answer=answer)
    draw_origin(context, draw)


def _bounds(context: Context, step: GjkStep) -> tuple[step_drawing.Bound, ...]:
    """Both bounds."""
    quantity = step_drawing.of_cores(context, "distance")
    return ((step.upper, quantity, "≤"), (step.lower, quantity, "≥"))


def draw_simplex(context: Context, draw: DrawList, step: GjkStep, corners: Array, *, answered: bool = True) -> None:
    """Draws the simplex, corners (k, 3); if `answered`, the feature that holds its nearest point is strong."""
    theme, region = context.theme, set(step.region) if answered else set()
    draw_sides(draw, theme, corners, region)
    for number, point in enumerate(step.simplex):
        kept = number in region or not answered
        fill, rim = (theme.winner, theme.halo) if kept else (theme.halo, theme.winner)
        draw.spots(point.w, fill, 5.0, rim, 1.5 if kept else 2.0)


def draw_sides(draw: DrawList, theme: Theme, corners: Array, region: set[int]) -> None:
    """Draws faces and edges of a simplex, corners (k, 3): the one that spans the `region` is strong."""
    for face in combinations(range(len(corners)), 3):
        draw.sheet(corners[list(face)], faded(theme.winner, 0.34 if region == set(face) else 0.13))
    for edge in combinations(range(len(corners)), 2):
        (first, second), width = corners[list(edge)], 4.0 if region == set(edge) else 2.0
        draw.lines(first, second, theme.winner, width, hidden=Hidden.SHOW)


def draw_names(
    context: Context, draw: DrawList, points: Sequence[DifferencePoint], corners: Array, *, outward: bool = True
) -> None:
    """Names the simplex's points with their sources; points in one place with the same sources share a label.

    `outward`: in the plane labels are moved away from the simplex's middle. `corners` (k, 3): the places of `points`.
    """
    sources = [(point.vertex_a, point.vertex_b) for point in points]
    for place, same in step_drawing.together(
        corners, sources, step_drawing.SHARED_LABEL_DISTANCE * context.extent.radius
    ).items():
        named = step_drawing.names_in(context)
        names = dict.fromkeys(named.of(points[number] for number in same[:-1]))
        word = ", ".join((*names, named.words(context.scene, points[same[-1]])))
        # Above the corner, or in the plane away from the edges that meet there; a single point's away from the origin.
        middle = corners.mean(axis=0) if len(corners) > 1 else np.zeros(3)
        way = corners[place] - middle if outward else np.zeros(3)
        offset = step_drawing.clear_of(context, way, len(word), (0.0, -14.0))
        draw.label(
            word, corners[place], context.theme.winner, size=PLAIN, offset=offset, priority=66, kind="point-names"
        )


def _draw_ghosts(context: Context, draw: DrawList, step: GjkStep) -> None:
    """Draws the points that the previous step of GJK, if any, dropped, with dotted lines to those that stayed.

    A name tells that a point was dropped, unless another point covers it.
    """
    before = None if context.query is None or context.place == 0 else context.query.moments[context.place - 1].step
    if not isinstance(before, GjkStep):
        return
    rgba, held = faded(context.theme.winner, 0.5), {point.xyz for point in step.simplex}
    stayed = [point for point in before.simplex if point.xyz in held]
    gone = [point for point in before.simplex if point.xyz not in held]
    over = [*step.simplex, *(() if step.support is None else (step.support,))]
    places = np.array([point.w for point in (*over, *gone)])
    apart = step_drawing.together(
        places, [None] * len(places), step_drawing.SHARED_LABEL_DISTANCE * context.extent.radius
    )
    for number, point in enumerate(gone, len(over)):
        draw.spots(point.w, context.theme.halo, 4.0, rgba, 1.6)
        for other in stayed:
            draw.lines(point.w, other.w, rgba, 1.2, dash=Dash.DOTTED, hidden=Hidden.SHOW, layer=Layer.BACK)
        if number not in apart:
            continue
        word = f"{step_drawing.names_in(context).name(point)}: dropped"
        outwards = point.w - places[: len(step.simplex)].mean(axis=0)
        draw.label(
            word,
            point.w,
            context.theme.dim_text,
            size=PLAIN,
            offset=step_drawing.clear_of(context, outwards, len(word), (0.0, -14.0)),
            priority=50,
            kind="point-names",
        )


def draw_closest(context: Context, draw: DrawList, step: GjkStep) -> None:
    """Draws the simplex's point nearest the origin and the line to it, or a label if the origin is inside."""
    theme, closest = context.theme, step.closest
    if step.encloses:
        draw.label("the origin is inside", np.zeros(3), theme.upper, size=STRONG, offset=(0.0, -18.0), priority=82)
        return
    where = region_name(step_drawing.names_in(context).of(step.simplex[k] for k in step.region))
    with draw.named("v"):
        draw.strong(closest, np.zeros(3), theme.upper, 2.4)
        draw.points(closest, theme.upper, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
        draw.label(
            f"v on {where}",
            closest,
            theme.upper,
            size=STRONG,
            offset=(34.0, 14.0),
            priority=82,
            bold=True,
            kind="point-names",
        )


def draw_world(context: Context, draw: DrawList, step: GjkStep) -> None:
    """Draws on the bodies the sources of the simplex, the directions searched and the witness points."""
    names = step_drawing.names_in(context)
    number = None if step.support is None else names.number(step.support)
    witnesses = None
    if not step.encloses:
        witnesses = step_drawing.weighted_sources([step.simplex[k] for k in step.region], step.weights)
    points = names.numbered(step.simplex)
    step_drawing.draw_found_sources(context, draw, points, step.support, "d", number, witnesses)
    if witnesses is not None:
        step_drawing.draw_witnesses(context, draw, *witnesses, step.direction)


def fit_points(context: Context, query: Query) -> tuple[Array, Array]:
    """The points of all steps that fitted cameras keep in view, in the world and in the difference: (n, 3) each."""
    steps = [step for _, step in steps_of(query, GjkStep)]
    world, difference = fit_points_of_search(context, [step.support for step in steps], query.origin_of(Phase.GJK))
    for step in steps:
        towards = unit(step.closest)
        if step.support is not None:
            difference.append(across(context, step.closest, step.support.direction, step.closest))
            if towards is not None:
                difference.append(fit_points_of_ring(context, towards, step.upper))
    return np.concatenate(world), np.concatenate(difference)


WEDGE = 0.45
"""Size of a Voronoi region as drawn, as a share of the pair's radius."""


class Beginning(Struct, frozen=True, eq=False):
    """The pictures of the first simplex while it is made.

    `known`: the points so far, the newest last; `point`: the newest.
    """

    known: tuple[DifferencePoint, ...]
    point: DifferencePoint

    @property
    def draws(self) -> tuple[Build, Build]:
        """The picture in the world and the one in the difference."""
        return self.world, self.difference

    def world(self, context: Context, draw: DrawList) -> None:
        """Draws the sources of the points, the newest's ringed."""
        step_drawing.draw_sources(
            context, draw, step_drawing.names_in(context).numbered(self.known), len(self.known) - 1
        )

    def difference(self, context: Context, draw: DrawList) -> None:
        """Draws the points, of which the newest grows, and the newest's direction from the origin."""
        theme, there = context.theme, self.known if context.progress == 1.0 else self.known[:-1]
        corners = np.array([point.w for point in there]).reshape(-1, 3)
        draw.spots(corners, theme.winner, 5.0, theme.halo, 1.5)
        draw_names(context, draw, there, corners)
        if context.progress < 1.0:
            sub_step_drawing.draw_popping(context, draw, self.point.w, context.progress)
        way = unit(self.point.direction)
        if way is not None:
            tip = step_drawing.ARROW_LENGTH * context.extent.radius * way
            step_drawing.draw_arrow(draw, np.zeros(3), tip, context.theme.lower, "first direction")
        draw_origin(context, draw)


class GjkPictures(sub_step_drawing.SubStepPictures[GjkStep], frozen=True, eq=False):
    """The pictures of an iteration's sub-steps, each showing only what is known at that sub-step."""

    @property
    def search(self) -> sub_step_drawing.SearchPictures:
        """The search along d."""
        step = self._step
        return sub_step_drawing.SearchPictures(
            at=self.at,
            point=self._support,
            letter="d",
            line="support",
            world=self.sources_of_v,
            difference=self.v,
            named=step.simplex,
            start=step.closest,
            joined=tuple(point.w for point in step.simplex),
        )

    @property
    def proved(self) -> float:
        """The lower bound of the distance that the support point proves by itself; negative if it proves none."""
        return -triple.dot(self._support.xyz_direction, self._support.xyz)

    # In the difference.

    def v(self, context: Context, draw: DrawList) -> None:
        """Draws the simplex with v and its distance from the origin."""
        step, theme = self._step, context.theme
        corners = np.array([point.w for point in step.simplex])
        draw_simplex(context, draw, step, corners)
        draw_names(context, draw, step.simplex, corners)
        if not step.encloses:
            with draw.named("v"):
                draw.points(step.closest, theme.upper, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
            sub_step_drawing.draw_length(draw, step.closest, theme.upper, step.upper, "v")
        draw_origin(context, draw)

    def regions_and_v(self, context: Context, draw: DrawList) -> None:
        """Draws the simplex with v and the Voronoi regions of its features, the origin's tinted."""
        if not self._step.encloses:
            _draw_regions(context, draw, self._step)
        self.v(context, draw)

    def lower(self, context: Context, draw: DrawList) -> None:
        """Draws the support plane at w, and its distance from the origin if that proves a gap."""
        theme, d = context.theme, self._support.direction
        self.v(context, draw)
        step_drawing.draw_support_plane(context, draw, d, self._support.w)
        self.search.joins(draw, theme)
        tip = step_drawing.tip_of_arrow(context, self._step.closest, d)
        step_drawing.draw_arrow(draw, self._step.closest, tip, theme.lower, "d")
        step_drawing.draw_found(context, draw, self._support, self.search.name(context))
        if self.proved > 0.0 and context.reveal.figures:
            sub_step_drawing.draw_length(draw, -self.proved * d, theme.lower, self.proved, "at least")

    def rings(self, context: Context, draw: DrawList) -> None:
        """Draws the bounds as rings about the origin, the upper one through v."""
        step, theme = self._step, context.theme
        corners = np.array([point.w for point in step.simplex])
        draw_simplex(context, draw, step, corners)
        # The point v lies on the circle or ball of the upper bound: a radius leads from the origin to it.
        draw.lines(
            np.zeros(3), step.closest, theme.upper, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW, layer=Layer.STRONG
        )
        with draw.named("v"):
            draw.points(step.closest, theme.upper, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
            draw.label(
                "v",
                step.closest,
                theme.upper,
                size=PLAIN,
                offset=(12.0, 10.0),
                priority=83,
                bold=True,
                kind="point-names",
            )
        step_drawing.draw_found(context, draw, self._support, self.at.names.name(self._support))
        towards = unit(step.closest)
        if towards is not None:
            step_drawing.draw_rings(context, draw, towards, _bounds(context, step))
        draw_origin(context, draw)

    def answer(self, context: Context, draw: DrawList) -> None:
        """Draws the bounds, and with radii the answer: how far A − B lies beyond v."""
        self.rings(context, draw)
        label = answer_label(context, Phase.GJK)
        step_drawing.draw_radius(context, draw, self._step.closest, self._support.direction, label)

    def kept(self, context: Context, draw: DrawList) -> None:
        """Draws the next simplex; the points dropped fade and become hollow."""
        theme, after, step = context.theme, given(self.at.after).simplex, self._step
        corners, share = np.array([point.w for point in after]), eased(context.progress)
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
        """Draws on the bodies the sources of the simplex, and the two points whose difference is v."""
        step = self._step
        step_drawing.draw_sources(context, draw, self.at.names.numbered(step.simplex))
        if not step.encloses:
            step_drawing.draw_witnesses(context, draw, *self.witnesses, None)

    @property
    def witnesses(self) -> tuple[Array, Array]:
        """The points (3,) of A and B whose difference is v, in the step's frame."""
        return step_drawing.weighted_sources([self._step.simplex[k] for k in self._step.region], self._step.weights)

    def gap_between(self, context: Context, draw: DrawList) -> None:
        """Draws on the bodies the planes across d that A and B do not pass, and the gap between them, if any."""
        support, d = self._support, self._support.direction
        self.search.sources(context, draw)
        a, b = step_drawing.in_world(context, support.a), step_drawing.in_world(context, support.b)
        middle = context.extent.centre
        for point in (a, b):
            sub_step_drawing.draw_across(context, draw, point, d, context.theme.lower, middle=middle)
        if self.proved > 0.0:
            ends = dot(a - middle, d), dot(b - middle, d)
            sub_step_drawing.draw_slab(context, draw, middle, d, ends, context.theme.lower)

    def kept_sources(self, context: Context, draw: DrawList) -> None:
        """Draws on the bodies the sources of the next simplex."""
        step_drawing.draw_sources(context, draw, self.at.names.numbered(given(self.at.after).simplex))


def _draw_regions(context: Context, draw: DrawList, step: GjkStep) -> None:
    """Draws the Voronoi regions of the simplex's features: in the plane all, in space only the origin's."""
    theme, reach = context.theme, WEDGE * context.extent.radius
    points = [point.w for point in step.simplex]
    if context.analysis.polygon is not None:
        for feature, loop in plane_regions(points, reach):
            held = set(feature) == set(step.region)
            draw.sheet(loop, faded(theme.upper, 0.22) if held else faded(theme.text, 0.05))
            # The region of a segment's first point begins with its far side; the edge's has the side they share.
            if len(points) == 3 or feature != (0,):
                draw.polyline(loop[:2], faded(theme.text, 0.3), 1.0, dash=Dash.DOTTED, hidden=Hidden.SHOW)
        return
    way = -1.25 * step.closest
    corners = [points[k] for k in step.region]
    # Three walls for a face, one strip for an edge: the origin lies between the walls, or in the strip.
    sides = zip(corners, corners[1:] + corners[:1], strict=True) if len(corners) == 3 else [tuple(corners)]
    for side in sides:
        if len(side) == 2 and way.any():
            draw.sheet(np.array((side[0], side[1], side[1] + way, side[0] + way)), faded(theme.upper, 0.14))


def plane_regions(points: list[Array], reach: float) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Yields Voronoi regions outside a segment or triangle in the plane: the feature's indices, and a loop (k, 3).

    A loop has 4 corners, or 3 at a triangle's corner. The loops are convex and extend to `reach`. A loop begins with a
    side that it shares with another region, except at a segment's first point. Nothing is yielded for a point or a
    tetrahedron, and nothing more from a side without length on.
    """
    if len(points) == 2:
        along = unit(points[1] - points[0])
        if along is None:
            return
        across = reach * cross(step_drawing.PLANE_NORMAL, along)
        ends = points[0] - reach * along, points[0], points[1], points[1] + reach * along
        for feature, k in (((0,), 0), ((0, 1), 1), ((1,), 2)):
            low, high = ends[k], ends[k + 1]
            yield feature, np.array((low - across, low + across, high + across, high - across))
    elif len(points) == 3:
        middle = (points[0] + points[1] + points[2]) / 3.0
        outward: dict[tuple[int, int], Array] = {}
        for i, j in ((0, 1), (1, 2), (2, 0)):
            normal = unit(cross(points[j] - points[i], step_drawing.PLANE_NORMAL))
            if normal is None:
                return
            way = reach * (normal if dot(normal, points[i] - middle) > 0.0 else -normal)
            outward[i, j] = way
            yield (i, j), np.array((points[i], points[i] + way, points[j] + way, points[j]))
        for k, (before, after) in enumerate((((2, 0), (0, 1)), ((0, 1), (1, 2)), ((1, 2), (2, 0)))):
            yield (k,), np.array((points[k], points[k] + outward[before], points[k] + outward[after]))
