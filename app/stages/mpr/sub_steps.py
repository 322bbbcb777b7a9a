"""MPR's sub-steps: the portal, the ray and the direction, the support point of each body, w, what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry.vector import Array
from core.mpr import MprAction, MprStep, MprStop

from ...draw.draw_list import DrawList
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...words.digits import plain
from ...words.names import numbered
from .. import part_pictures as pictures
from .. import picture_parts as shared
from ..stage import At, SubStep, given
from . import STAGE, draw_portal, draw_ray
from .words import mpr_text

_PORTALS = (
    "",
    "",
    "v₁ is known: it lies ahead of v₀ along the ray.",
    "v₁ and v₂ are known: with a third corner the ray is to pass between them.",
    "The ray passes between v₁, v₂ and v₃: this triangle is the portal.",
)
_WAYS = {
    MprAction.CENTRE: "The ray starts at v₀, inside A − B, and goes through the origin.",
    MprAction.FIRST: "d points along the ray, from v₀ to the origin.",
    MprAction.SECOND: "d is at right angles to v₀ and v₁.",
    MprAction.THIRD: "d is at right angles to the plane of v₀, v₁ and v₂, on the origin's side.",
    MprAction.REFINE: "d is the portal's normal. The origin lies beyond the portal.",
    MprAction.DEEPEN: "d is the portal's normal. The origin lies between v₀ and the portal, so the bodies overlap.",
}
STOPS = {
    MprStop.SURFACE: "Nothing of A − B lies beyond the portal: its distance is MPR's depth.",
    MprStop.ON_RAY: "v₁ is on the ray: the ray leaves A − B there.",
    MprStop.TOUCHING: "v₁ is the origin: the bodies touch.",
    MprStop.EXCLUDED: "The origin lies beyond the plane at w: the bodies are apart.",
    MprStop.PLANE_AT_ORIGIN: "The plane at w passes through the origin: the bodies touch at most.",
    MprStop.WITHIN_TOLERANCE: "w is hardly beyond the portal, and the origin is: MPR says apart, without a proof.",
    MprStop.FLAT_DIFFERENCE: "A − B has no volume: the ray cannot start inside.",
    MprStop.DEGENERATE_PORTAL: "The portal is too thin to have a normal in doubles.",
    MprStop.ITERATION_LIMIT: "The iterations allowed are used up.",
    MprStop.HALF_SPACE: "A half-space has no centre: MPR does not apply.",
    MprStop.SPACE_ONLY: "A portal is a triangle in space: MPR does not apply in the plane.",
}


def mpr_parts(at: At[MprStep]) -> tuple[SubStep, ...]:
    """The sub-steps of a step, as far as it went."""
    step, drawn = at.step, Drawn(at)
    parts = []
    if len(step.points) > 1:
        parts.append(SubStep("portal", _PORTALS[len(step.points)], drawn.line, drawn.sources, drawn.portal))
    if step.action in _WAYS and (step.support is not None or step.action is MprAction.CENTRE):
        parts.append(SubStep("origin-ray", _WAYS[step.action], drawn.line, drawn.directions, drawn.ray))
    if step.support is not None:
        parts += _search(at, drawn)
    if step.action is MprAction.SWAP:
        swapped = "v₁ and v₂ are exchanged, so that the plane's normal points to the origin's side."
        parts.append(SubStep("discover", swapped, drawn.line, drawn.after_sources, drawn.after))
    if step.stop is not None:
        world, difference = pictures.whole(STAGE, step)
        parts.append(SubStep("stop", STOPS[step.stop], drawn.line, world, difference))
    return tuple(parts)


def _search(at: At[MprStep], drawn: Drawn) -> Iterator[SubStep]:
    """The support point, and what becomes of it."""
    step, line = at.step, drawn.line
    search = pictures.Search(at, given(step.support), "d", line, drawn.ray, step.points)
    yield from search.parts(mpr_text(at).formulas)
    if step.stop is None and step.placed is not None:
        searching = step.action not in (MprAction.REFINE, MprAction.DEEPEN)
        name = "discover" if searching else "refine"
        yield SubStep(name, _placed_words(step, step.placed), line, drawn.after_sources, drawn.after)
    if step.inside and step.value is not None and step.value > 0.0:
        depth = f"A − B reaches {plain(step.value)} along d, so the depth is at most that."
        yield SubStep("depth", depth, line, drawn.moved, drawn.reach)


def _placed_words(step: MprStep, placed: int) -> str:
    """Which corner the support point becomes."""
    name = numbered("v", placed)
    if placed >= len(step.points):
        return f"w becomes {name}."
    if step.action is MprAction.THIRD:
        return f"The ray misses the triangle with w: w replaces {name}."
    return f"Of the three triangles at w the ray passes through the one without {name}: w replaces {name}."


class Drawn(pictures.Drawn[MprStep], frozen=True, eq=False):
    """The pictures of a step's sub-steps, each with what was known by then and no more."""

    @property
    def line(self) -> str:
        """The line of the listing."""
        return STAGE.line(self._step)

    # In the difference.

    def portal(self, context: Context, draw: DrawList) -> None:
        """What is known of the portal, and the ray."""
        points = self._step.points or self._step.after
        draw_ray(context, draw, points[0].w)
        draw_portal(context, draw, points)
        draw_origin(context, draw)

    def ray(self, context: Context, draw: DrawList) -> None:
        """The same with the direction of the search; w is not known yet."""
        self.portal(context, draw)
        if self._step.support is not None:
            d, start = self._support.direction, self._start
            shared.draw_arrow(draw, start, start + shared.ARROW * context.extent.radius * d, context.theme.overlap, "d")

    @property
    def _start(self) -> Array:
        """Where a search begins: at v0, or in the middle of the portal."""
        points = self._step.points
        known = points[:1] if len(points) < len(_PORTALS) - 1 else points[1:]
        middle: Array = np.array([point.w for point in known]).mean(axis=0)
        return middle

    def after(self, context: Context, draw: DrawList) -> None:
        """The portal with w."""
        draw_ray(context, draw, self._step.after[0].w)
        draw_portal(context, draw, self._step.after)
        draw_origin(context, draw)

    def reach(self, context: Context, draw: DrawList) -> None:
        """How far the plane at w is from the origin."""
        self.portal(context, draw)
        pictures.draw_reach(context, draw, self._support, "d")

    # On the bodies.

    def sources(self, context: Context, draw: DrawList) -> None:
        """The points that make the corners."""
        shared.draw_sources(context, draw, list(enumerate(self._step.points or self._step.after)))

    def after_sources(self, context: Context, draw: DrawList) -> None:
        """Those of the corners with w."""
        shared.draw_sources(context, draw, list(enumerate(self._step.after)))

    def directions(self, context: Context, draw: DrawList) -> None:
        """The sources, and d at A's and −d at B's point of v0."""
        self.sources(context, draw)
        if self._step.support is not None:
            centre = self._step.points[0]
            pictures.draw_directions(context, draw, ((0, centre.a), (1, centre.b)), self._support.direction, "d")

    def moved(self, context: Context, draw: DrawList) -> None:
        """B moved so far along d that it is just free."""
        pictures.draw_moved(context, draw, given(self._step.value) * self._support.direction)
