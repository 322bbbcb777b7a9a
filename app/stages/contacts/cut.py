"""A cut of the overlap region at a side of the other shadow or at the level: its sub-steps, words and pictures."""

from __future__ import annotations

from functools import partial

import numpy as np
from msgspec import Struct

from core.contact.contact import CutStep, FlatStep, LevelStep, ManifoldStep
from core.geometry.vector import Array, length, product
from core.scene import Scene

from ...draw.between import eased
from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Rgba
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN
from ...words.contact_words import in_words_of
from ...words.digits import plain
from ...words.names import feature_name
from ..stage import At, SubStep, steps_of, whole_text
from ..word_parts import StepText, counted

ON_SIDE = 1e-9
"""A new corner lies on a side if its distances to the side's ends add up to at most this share more than the side."""


def contact_parts(at: At[ManifoldStep]) -> tuple[SubStep, ...]:
    """The two sub-steps of a cut; other steps have none."""
    step = at.step
    if not isinstance(step, CutStep | LevelStep):
        return ()
    cut, line, none = Cut(step), "cut" if isinstance(step, CutStep) else "level", draw_nothing
    said = partial(in_words_of, plane=at.query.analysis.polygon is not None)
    beyond, left = said(_beyond(at.query.analysis.scene, cut)), said(_left(cut))
    return (
        SubStep("side", beyond, line, cut.beyond, none, moves=cut.cuts),
        SubStep("cut", left, line, cut.remaining, none, moves=cut.cuts),
    )


def cut_text(at: At[ManifoldStep], step: CutStep | LevelStep) -> StepText:
    """The text of a cut: the sentences of its sub-steps, the state before, and the reason."""
    corners = counted(len(step.before.points), "corner")
    title, known = "level", f"{corners} where both shadows overlap."
    why = "Surfaces farther apart than δ do not touch. A small clearance counts, so that no tilt loses a contact."
    if isinstance(step, CutStep):
        title = f"cut by {feature_name(at.query.analysis.scene, step.body, step.side)}"
        known, why = f"A shadow with {corners}.", "Contacts lie only where both shadows overlap."
        if all(flat.kind == "polygon" for _, flat in steps_of(at.query, FlatStep)):
            own, other = "AB"[step.body], "BA"[step.body]
            known = f"{own}'s flat part (the reference face) cuts {other}'s (the incident face): {corners} so far."
    return whole_text(contact_parts(at), title=title, known=known, why=why)


def _beyond(scene: Scene, cut: Cut) -> str:
    """The sentence on the part beyond the side, or the level, which is cut off."""
    step = cut.step
    if isinstance(step, LevelStep):
        a, b = (feature_name(scene, body, face) for body, face in enumerate(step.faces))
        if not cut.cuts:
            return f"Nowhere is the clearance of {a} and {b} more than δ = {plain(step.delta)}: nothing is cut."
        return f"Beyond the level the clearance of {a} and {b} is more than δ = {plain(step.delta)}: that part goes."
    side, other = feature_name(scene, step.body, step.side), "BA"[step.body]
    if not cut.cuts:
        return f"No part of the shadow lies beyond side {side}: nothing is cut."
    return f"Beyond side {side} there is nothing of {'AB'[step.body]}: that part of the shadow of {other} goes."


def _left(cut: Cut) -> str:
    count = len(cut.step.after.points)
    if not count:
        return "Nothing is left."
    if not cut.cuts:
        return f"{counted(count, 'corner')} stay."
    left = f"{counted(count, 'corner')} {'is' if count == 1 else 'are'} left"
    return f"{left}, {counted(len(cut.new_corners), 'new one')} among them."


class Cut(Struct, frozen=True, eq=False):
    """The pictures of a cut."""

    step: CutStep | LevelStep

    @property
    def new_corners(self) -> Array:
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
        corners = np.array([*_only_in(before, after), *self.new_corners, *ends])
        flat = product(corners - corners.mean(axis=0), self.step.before.across[:, :2])
        return corners[np.argsort(np.arctan2(flat[:, 1], flat[:, 0]))]

    def _ends_cut(self, corner: Array) -> bool:
        """Whether a corner (3,) stays and is an end of the cut.

        Its neighbour is cut off then, with no new corner between.
        """
        before = self.step.before.points
        gone = _only_in(before, self.step.after.points).tolist()
        if corner.tolist() in gone:
            return False
        place = before.tolist().index(corner.tolist())
        for other in (before[place - 1], before[(place + 1) % len(before)]):
            whole = length(other - corner)
            between = [
                length(new - corner) + length(other - new) <= whole * (1.0 + ON_SIDE) for new in self.new_corners
            ]
            if other.tolist() in gone and not any(between):
                return True
        return False

    def beyond(self, context: Context, draw: DrawList) -> None:
        """Draws the loop before the cut, the side growing from end to end, and the part beyond it, coloured."""
        theme, before, share = context.theme, self.step.before.points, eased(context.progress)
        draw_outline(draw, before, theme.winner, 2.6, 0.22)
        if self.cuts:
            draw_outline(draw, self._gone, faded(theme.overlap, share), 2.6, 0.4)
        if len(self.new_corners) > 1:
            start, end = self.new_corners[0], self.new_corners[-1]
            draw.strong(start, start + share * (end - start), theme.text, 2.6)
            if share == 1.0:
                self._draw_name(context, draw, "side", theme.text)

    def remaining(self, context: Context, draw: DrawList) -> None:
        """Draws the loop after the cut.

        The part cut off fades; at the end its corners are crosses, and new corners are ringed.
        """
        self._draw_remaining(context, draw, eased(context.progress))

    def whole(self, context: Context, draw: DrawList) -> None:
        """Draws the loop after the cut, and the name of the side that cut."""
        self._draw_remaining(context, draw, 1.0)
        if len(self.new_corners):
            self._draw_name(context, draw, "cut at", context.theme.overlap)

    def _draw_remaining(self, context: Context, draw: DrawList, share: float) -> None:
        theme, before, after = context.theme, self.step.before.points, self.step.after.points
        if len(before) > 1:
            rgba = faded(theme.text, 0.4)
            draw.polyline(before, rgba, 1.2, closed=len(before) > 2, dash=Dash.DASHED, hidden=Hidden.SHOW)
        draw_outline(draw, after, theme.winner, 3.2, 0.3)
        if share < 1.0:
            draw_outline(draw, self._gone, faded(theme.overlap, 1.0 - share), 2.6, 0.4)
            return
        gone = _only_in(before, after)
        if len(gone):
            draw.points(gone, theme.overlap, 4.6, shape=Marker.CROSS, stroke_width=1.8, hidden=Hidden.SHOW)
        for corner in self.new_corners:
            draw.spots(corner, theme.winner, 4.6, theme.overlap, 2.4)

    def _draw_name(self, context: Context, draw: DrawList, verb: str, rgba: Rgba) -> None:
        """Draws the name of the side in the middle of the new corners."""
        step, name = self.step, "level"
        if isinstance(step, CutStep):
            name = f"{verb} {feature_name(context.scene, step.body, step.side)}"
        draw.label(
            name,
            self.new_corners.mean(axis=0),
            rgba,
            size=PLAIN,
            offset=(0.0, -11.0),
            priority=65,
            kind="edge-names",
        )


def draw_nothing(context: Context, draw: DrawList) -> None:
    """Draws in the difference only its origin; the overlay draws the solid, its lit faces and the arrow."""
    draw_origin(context, draw)


def draw_outline(draw: DrawList, points: Array, rgba: Rgba, width: float, fill: float) -> None:
    """Draws a filled loop (k, 3); two points as a line, a single one as a spot; nothing without points.

    `width`: of the line, points; `fill`: opacity of the inside.
    """
    if len(points) > 2:
        draw.sheet(points, faded(rgba, fill))
    if len(points) > 1:
        draw.polyline(points, rgba, width, closed=len(points) > 2, hidden=Hidden.SHOW, layer=Layer.STRONG)
    elif len(points):
        draw.spots(points, rgba, 4.6, rgba, 0.0)


def _only_in(points: Array, other: Array) -> Array:
    """The `points` (k, 3) that `other` (m, 3) does not have."""
    found = [point for point in points if not (len(other) and (other == point).all(axis=1).any())]
    return np.array(found).reshape(-1, 3)
