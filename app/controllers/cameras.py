"""Changes the view and its cameras, and frames fitted cameras anew.

Cameras are fitted until the user moves one by hand: they follow the opened scene, the panes' shape and the panels that
cover them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from core.scene import Scene

from ..draw.draw_list import Subject
from ..draw.placed import Rect
from ..render.framing import NOTHING_COVERED, Covered, all_in_sight, brought_back, framed, framed_body
from ..state.view import Panes, Seen, View, arrange
from .services import Services

Framing = Callable[..., View]
SOLIDS = frozenset({"bodies", "difference"})
"""Overlays that must be wholly in sight."""


class Cameras:
    """The view, and the viewport it is framed for: its `area` in framebuffer pixels, and its `covered` parts.

    `density`: pixels per point. `divider`: the share of the first of two panes. `opened_view`: the view that came
    with the scene, else a new one.
    """

    def __init__(self, services: Services) -> None:
        self._work, self._preferences, self._answers = services.work, services.preferences, services.answers
        self._motion, self._steps, self._quiz = services.motion, services.steps, services.quiz
        self._meter, self._engines = services.meter, services.engines
        self.area = Rect(0, 0, 1, 1)
        self.density = 1.0
        self.divider = 0.5
        self.opened_view = View()
        self.veil = frozenset[str]()
        """Overlays that a step of a lesson hides; an open question hides its own."""
        self.handles: tuple[int, ...] = (0, 1)
        """The bodies whose arrows have a mark that can be dragged; a step of a lesson leaves out the others."""
        self.promised: frozenset[str] = frozenset()
        """Overlays that a lesson will show: room is kept for them, so that nothing jumps when they come."""
        self.also: tuple[Seen, ...] = ()
        """The scenes that a lesson will show with these cameras: room is kept for them too."""
        self.covered: Covered = NOTHING_COVERED
        self._fitted_to: tuple[object, ...] = ()
        self._fitted_early = False
        self._revealed = False

    @property
    def seen(self) -> Seen:
        """The state shown."""
        work, steps, asked = self._work, self._steps, self._quiz.asked
        return Seen(
            scene=work.scene,
            analysis=self._answers.analysis,
            view=work.view,
            theme=self._preferences.theme,
            query=steps.query,
            place=steps.place,
            asked=asked,
            sweep=self._motion.sweep,
            contact_times=self._meter.times,
            part=steps.part,
            progress=steps.progress,
            eye=self._preferences.settings.verdict_told,
            engine=self._engines.drawn,
            veil=self.veil,
            single=work.algorithm_settings.single,
            transition=steps.transition,
            handles=self.handles,
        )

    @property
    def size(self) -> tuple[int, int]:
        """Size of the viewport in pixels; cameras are framed for its shape."""
        return self.area.width, self.area.height

    def forget(self) -> None:
        """Clears the fields that a step of a lesson set."""
        self.veil, self.handles, self.promised, self.also = frozenset(), (0, 1), frozenset(), ()

    def look(self, view: View) -> None:
        """Sets the view. While the axis table is being computed the present pin stays in place of one on an axis."""
        # Until the table is computed, the one axis shown has another number than in the table.
        unknown = view.pin is not None and view.pin.kind == "axis" and bool(self._answers.analysis.beyond_limits)
        self._work.view = replace(view, pin=self._work.view.pin) if unknown else view

    def point_at(self, subject: Subject | None) -> None:
        """Sets the hovered subject; None if the pointer is on none.

        With an open question the answer that the subject stands for is hovered.
        """
        meant = self._quiz.meant(subject)
        if meant != self._work.view.hover:
            self._work.view = replace(self._work.view, hover=meant)

    def look_from(self, preset: str) -> None:
        """Turns both cameras to one of camera.NAMED_VIEWS, such as front or top. Raises KeyError for another name."""
        turned = self._work.view.world.looking(preset)
        self._work.view = self._work.view.turned(turned.yaw, turned.pitch)

    def toggle_projection(self) -> None:
        """Switches between perspective and orthographic."""
        view = self._work.view
        self._work.view = replace(
            view, world=view.world.with_other_projection(), difference=view.difference.with_other_projection()
        )

    def frame_selection(self) -> None:
        """Frames the selected body in the world's pane, as if moved there by hand; with none selected, everything."""
        if self._work.selection is None:
            self.frame()
            return
        panes = arrange(self._work.view, Rect(0, 0, *self.size), self.divider)
        aspect = next((pane.aspect for pane in panes if pane.kind == "world"), panes[0].aspect)
        self._work.view = framed_body(self._work.scene, self._work.view, self._work.selection, aspect)

    def go_home(self) -> None:
        """Resets the cameras to those of the opened scene's file, else of a new view, and the panes to equal shares.

        Everything is framed anew, unless the file's cameras were moved by hand.
        """
        start = self.opened_view
        home = replace(self._work.view, world=start.world, difference=start.difference, fitted=start.fitted)
        self._work.view = home.with_cameras(z_up=self._preferences.settings.z_up)
        self.divider = 0.5
        if start.fitted:
            self.frame()

    def show_panes(self, panes: Panes) -> None:
        """Shows these panes, of two the world's first."""
        self._work.view = replace(self._work.view, panes=panes, swapped=False)

    # Framing anew, and staying.

    def frame_anew(self) -> None:
        """Makes the next frame frame fitted cameras anew."""
        self._fitted_to, self._revealed = (), False

    def saved_state(self) -> tuple[object, ...]:
        """The state beside the view, for `put_back`; without a lesson's fields, which `forget` clears."""
        return self.divider, self.opened_view, self._fitted_to, self._fitted_early, self._revealed

    def put_back(self, state: Any) -> None:
        """Restores a state from `saved_state`."""
        self.divider, self.opened_view, self._fitted_to, self._fitted_early, self._revealed = state

    def keep(self) -> None:
        """Lets fitted cameras stay, as if they had been framed for the present state."""
        self._fitted_to = self._fit_key()

    def bring_back(self, *, closely: bool = False) -> None:
        """Frames a pane with a fitted camera anew if it shows too little of its solids, or shows them too small.

        `closely`: the difference is framed anew as soon as its pane cuts it.
        """
        self._fitted_early = False
        if self._work.view.fitted:
            self._work.view = self._framed_by(partial(brought_back, closely=closely))

    def frame(self) -> None:
        """Frames everything, also with cameras that were moved by hand; they count as fitted then."""
        self._work.view = self._framed_by(partial(framed, also=self.also))
        self._fitted_to, self._revealed = self._fit_key(), False
        self._fitted_early = bool(self._answers.analysis.beyond_limits) or self._motion.sweep_waits

    def reveal(self, more: frozenset[str]) -> None:
        """Handles the newly shown overlays `more`: fitted cameras stay, unless one of these or a body is out of sight.

        The cards that come with them do not move the cameras either, and rails may reach beyond the pane.
        """
        if not self._work.view.fitted or self._in_sight((self.seen,), more | SOLIDS):
            self._revealed = True
        else:
            self.frame_anew()

    def alike(self, scene: Scene, view: View) -> bool:
        """Whether the scene was opened as `scene`, and has fitted cameras with the directions and panes of `view`."""
        before = self._work.view
        return before.fitted and self._work.opened == scene and _side(before) == _side(view.facing(scene))

    def stay(self) -> None:
        """Lets fitted cameras stay for the opened scene, unless part of it, or of later pictures, is out of sight."""
        if self._in_sight((self.seen, *self.also), self._work.view.shown | self.promised):
            self.keep()
            self._revealed = True
        else:
            self.frame_anew()

    def _in_sight(self, all_seen: Sequence[Seen], shown: frozenset[str]) -> bool:
        looks = (replace(seen, view=replace(seen.view, shown=shown)) for seen in all_seen)
        return all(all_in_sight(look, self.size, self.divider) for look in looks)

    def _framed_by(self, framing: Framing) -> View:
        seen, shown = self.seen, self._work.view.shown
        promised = replace(seen, view=replace(seen.view, shown=shown | self.promised))
        return replace(framing(promised, self.size, self.divider, self.covered), shown=shown)

    def refit(self) -> None:
        """Frames everything anew if the cameras are fitted, and their surroundings have changed or late answers came.

        The bodies' poses do not count, so that the picture does not move under the pointer during a drag.
        """
        early = self._fitted_early and not (self._answers.analysis.beyond_limits or self._motion.sweep_waits)
        count = 3 if self._revealed else 4
        if self._work.view.fitted and (early or self._fitted_to[:count] != self._fit_key()[:count]):
            self.frame()

    def _fit_key(self) -> tuple[object, ...]:
        # The bars' sizes follow their texts, which change with the pointer: only whether a bar is there counts.
        c = self.covered
        covered = c.top > 0.0, c.bottom > 0.0, c.card, c.left > 0.0, c.corner > (0.0, 0.0), c.axis > (0.0, 0.0)
        return self._shown_key(), self.size, self.divider, covered

    def _shown_key(self) -> tuple[object, ...]:
        return self._work.opened, *self._work.view.framed_by, self._work.playback.open


def _side(view: View) -> tuple[object, ...]:
    """The directions and projection of the view, the arrangement of its panes, and whether it is `close`."""
    return view.world.yaw, view.world.pitch, view.world.orthographic, view.panes, view.swapped, view.close
