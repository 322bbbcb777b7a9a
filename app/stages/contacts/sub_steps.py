"""The sub-steps of a cut: the part beyond a side of the other shadow, or beyond the level; and what is left."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from core.contact.contact import CutStep, LevelStep, ManifoldStep
from core.geometry.vector import Array, length, product
from core.scene import Scene

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Rgba
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN
from ...words.digits import plain
from ...words.names import feature_name
from ..part_pictures import eased
from ..stage import At, SubStep
from ..word_parts import counted

ON_SIDE = 1e-9
"""A new corner lies on a side if the way over it is no longer than the side by more than this share of it."""


def contact_parts(at: At[ManifoldStep]) -> tuple[SubStep, ...]:
    """Of a cut two; the other steps are drawn whole."""
    step = at.step
    if not isinstance(step, CutStep | LevelStep):
        return ()
    drawn, line = Cut(step), "cut" if isinstance(step, CutStep) else "level"
    return (
        SubStep(
            "side",
            _beyond(at.query.analysis.scene, step, drawn),
            line,
            drawn.beyond,
            drawn.difference,
            moves=drawn.cuts,
        ),
        SubStep("cut", _left(step, drawn), line, drawn.left, drawn.difference, moves=drawn.cuts),
    )


def _beyond(scene: Scene, step: CutStep | LevelStep, drawn: Cut) -> str:
    if isinstance(step, LevelStep):
        level = f"Beyond the level the surfaces are more than {plain(step.delta)} apart"
        return f"{level}. That part goes." if drawn.cuts else f"{level}: no corner is."
    side, other = feature_name(scene, step.body, step.side), "BA"[step.body]
    if not drawn.cuts:
        return f"No part of the shadow lies beyond side {side}: nothing is cut."
    return f"Beyond side {side} there is nothing of {'AB'[step.body]}: that part of the shadow of {other} goes."


def _left(step: CutStep | LevelStep, drawn: Cut) -> str:
    corners = counted(len(step.after.points), "corner")
    if not len(step.after.points):
        return "Nothing is left."
    return f"{corners} left, {counted(len(drawn.fresh), 'new one')} among them." if drawn.cuts else f"{corners} stay."


class Cut(Struct, frozen=True, eq=False):
    """The pictures of a cut."""

    step: CutStep | LevelStep

    @property
    def fresh(self) -> Array:
        """The corners (k, 3) that the cut makes, world."""
        return _only_in(self.step.after.points, self.step.before.points)

    @property
    def cuts(self) -> bool:
        """Whether anything is cut off."""
        return bool(len(_only_in(self.step.before.points, self.step.after.points)))

    @property
    def _gone(self) -> Array:
        """The part cut off, corners (k, 3) in loop order, world."""
        before, after = self.step.before.points, self.step.after.points
        ends = [corner for corner in before if self._ends_cut(corner)]
        corners = np.array([*_only_in(before, after), *self.fresh, *ends])
        flat = product(corners - corners.mean(axis=0), self.step.before.across[:, :2])
        return corners[np.argsort(np.arctan2(flat[:, 1], flat[:, 0]))]

    def _ends_cut(self, corner: Array) -> bool:
        """Whether a corner that stays is an end of the cut: it is next to one that went, with no new one between."""
        before = self.step.before.points
        gone = _only_in(before, self.step.after.points).tolist()
        if corner.tolist() in gone:
            return False
        place = before.tolist().index(corner.tolist())
        for other in (before[place - 1], before[(place + 1) % len(before)]):
            whole = length(other - corner)
            between = [length(new - corner) + length(other - new) <= whole * (1.0 + ON_SIDE) for new in self.fresh]
            if other.tolist() in gone and not any(between):
                return True
        return False

    def beyond(self, context: Context, draw: DrawList) -> None:
        """The loop before the cut; the side comes from one end to the other, and what lies beyond it turns red."""
        theme, before, share = context.theme, self.step.before.points, eased(context.progress)
        _draw_loop(draw, before, theme.winner, 2.6, 0.22)
        if self.cuts:
            _draw_loop(draw, self._gone, faded(theme.overlap, share), 2.6, 0.4)
        if len(self.fresh) > 1:
            start, end = self.fresh[0], self.fresh[-1]
            draw.strong(start, start + share * (end - start), theme.text, 2.6)
            if share == 1.0:
                step, name = self.step, "level"
                if isinstance(step, CutStep):
                    name = f"side {feature_name(context.scene, step.body, step.side)}"
                middle = self.fresh.mean(axis=0)
                draw.label(name, middle, theme.text, size=PLAIN, offset=(0.0, -11.0), priority=65)

    def left(self, context: Context, draw: DrawList) -> None:
        """The loop after the cut with its new corners ringed; what was cut off fades, its corners stay as crosses."""
        theme, share = context.theme, eased(context.progress)
        before, after = self.step.before.points, self.step.after.points
        if len(before) > 1:
            rgba = faded(theme.text, 0.4)
            draw.polyline(before, rgba, 1.2, closed=len(before) > 2, dash=Dash.DASHED, hidden=Hidden.SHOW)
        _draw_loop(draw, after, theme.winner, 3.2, 0.3)
        if share < 1.0:
            _draw_loop(draw, self._gone, faded(theme.overlap, 1.0 - share), 2.6, 0.4)
            return
        gone = _only_in(before, after)
        if len(gone):
            draw.points(gone, theme.overlap, 4.6, shape=Marker.CROSS, stroke_width=1.8, hidden=Hidden.SHOW)
        for corner in self.fresh:
            draw.spots(corner, theme.winner, 4.6, theme.overlap, 2.4)

    def difference(self, context: Context, draw: DrawList) -> None:
        """As at every step of the contacts."""
        draw_origin(context, draw)


def _draw_loop(draw: DrawList, points: Array, rgba: Rgba, width: float, fill: float) -> None:
    if len(points) > 2:
        draw.sheet(points, faded(rgba, fill))
    if len(points) > 1:
        draw.polyline(points, rgba, width, closed=len(points) > 2, hidden=Hidden.SHOW, layer=Layer.STRONG)


def _only_in(points: Array, other: Array) -> Array:
    """Those of `points` (k, 3) that `other` (m, 3) does not have."""
    found = [point for point in points if not (len(other) and (other == point).all(axis=1).any())]
    return np.array(found).reshape(-1, 3)
