"""How the pair is looked at: the view with its cameras, and when they are framed anew.

Cameras are fitted until the user moves one by hand: they follow what is opened, the panes' shape and what covers them.
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
from .parts import Parts

Framing = Callable[..., View]
SOLIDS = frozenset({"bodies", "difference"})
"""Overlays of which nothing is to be out of sight."""


class Cameras:
    """The view, and the viewport it is framed for: its `area` in framebuffer pixels, and what is `covered` of it.

    `density`: pixels to the point. `divider`: share of it that the first of two panes takes. `opened`: the view that
    came with the scene, else a new one.
    """

    def __init__(self, parts: Parts) -> None:
        self._work, self._preferences, self._answers = parts.work, parts.preferences, parts.answers
        self._motion, self._steps, self._quiz = parts.motion, parts.steps, parts.quiz
        self._meter, self._bench = parts.meter, parts.bench
        self.area = Rect(0, 0, 1, 1)
        self.density = 1.0
        self.divider = 0.5
        self.opened = View()
        self.veil = frozenset[str]()
        """Overlays that a step of a lesson hides without a question."""
        self.promised: frozenset[str] = frozenset()
        """Overlays that a lesson will show: room is kept for them, so that nothing jumps when they come."""
        self.also: tuple[Seen, ...] = ()
        """What a lesson will show with these cameras: room is kept for it too."""
        self.covered: Covered = NOTHING_COVERED
        self._fitted_to: tuple[object, ...] = ()
        self._fitted_early = False
        self._revealed = False

    @property
    def seen(self) -> Seen:
        """What is seen."""
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
            engine=self._bench.drawn,
            veil=self.veil if asked is None else frozenset(),
            single=work.knobs.single,
        )

    @property
    def size(self) -> tuple[int, int]:
        """Size of the viewport in pixels; cameras are framed for its shape."""
        return self.area.width, self.area.height

    def forget(self) -> None:
        """What a step of a lesson hid and promised is no longer."""
        self.veil, self.promised, self.also = frozenset(), frozenset(), ()

    def look(self, view: View) -> None:
        """Changes how the scene is looked at."""
        # Until the table is there, the one axis shown has another number than in it.
        unknown = view.pin is not None and view.pin.kind == "axis" and bool(self._answers.analysis.beyond_limits)
        self._work.view = replace(view, pin=self._work.view.pin) if unknown else view

    def point_at(self, subject: Subject | None) -> None:
        """The pointer is on a subject, or on none."""
        meant = self._quiz.meant(subject)
        if meant != self._work.view.hover:
            self._work.view = replace(self._work.view, hover=meant)

    def look_from(self, preset: str) -> None:
        """Both cameras from the front, right, top and so on."""
        turned = self._work.view.world.looking(preset)
        self._work.view = self._work.view.turned(turned.yaw, turned.pitch)

    def toggle_projection(self) -> None:
        """Perspective or orthographic."""
        view = self._work.view
        self._work.view = replace(
            view, world=view.world.with_other_projection(), difference=view.difference.with_other_projection()
        )

    def frame_selection(self) -> None:
        """The selected body fills the world's pane; with none selected everything is framed."""
        if self._work.selection is None:
            self.frame()
            return
        panes = arrange(self._work.view, Rect(0, 0, *self.size), self.divider)
        aspect = next((pane.aspect for pane in panes if pane.kind == "world"), panes[0].aspect)
        self._work.view = framed_body(self._work.scene, self._work.view, self._work.selection, aspect)

    def go_home(self) -> None:
        """The cameras, and the share of each pane, as the scene was opened: its file's, else those of a new view."""
        start = self.opened
        home = replace(self._work.view, world=start.world, difference=start.difference, fitted=start.fitted)
        self._work.view = home.with_cameras(z_up=self._preferences.settings.z_up)
        self.divider = 0.5
        if start.fitted:
            self.frame()

    def show_panes(self, panes: Panes) -> None:
        """Arranges the panes."""
        self._work.view = replace(self._work.view, panes=panes, swapped=False)

    # When everything is framed anew.

    def frame_anew(self) -> None:
        """Fitted cameras are framed with the next frame."""
        self._fitted_to, self._revealed = (), False

    def kept(self) -> tuple[object, ...]:
        """What is known beside the view, to put back."""
        return self.divider, self.opened, self._fitted_to, self._fitted_early

    def put_back(self, kept: Any) -> None:
        """Makes that what is known again."""
        self.divider, self.opened, self._fitted_to, self._fitted_early = kept

    def keep(self) -> None:
        """Fitted cameras stay, as if they had been framed for what is shown."""
        self._fitted_to = self._fit_key()

    def bring_back(self) -> None:
        """After an edit, fitted cameras follow what was carried out of the picture, and stay while most still shows."""
        self._fitted_early = False
        if self._work.view.fitted:
            self._work.view = self._framed_by(brought_back)

    def frame(self) -> None:
        """Everything in sight."""
        self._work.view = self._framed_by(partial(framed, also=self.also))
        self._fitted_to, self._revealed = self._fit_key(), False
        self._fitted_early = bool(self._answers.analysis.beyond_limits) or self._motion.sweep_waits

    def reveal(self, more: frozenset[str]) -> None:
        """Overlays are shown that were not: fitted cameras stay, unless any of them or of the bodies is out of sight.

        Nor do the cards that come with them move the cameras, and rails may reach beyond the pane.
        """
        if not self._work.view.fitted or self._in_sight((self.seen,), more | SOLIDS):
            self._revealed = True
        else:
            self.frame_anew()

    def alike(self, scene: Scene, view: View) -> bool:
        """Whether what stands was opened as `scene` too, with cameras fitted to it that look as those of `view`."""
        before = self._work.view
        return before.fitted and self._work.opened == scene and _side(before) == _side(view.facing(scene))

    def stay(self) -> None:
        """Fitted cameras stay for what is opened now, unless any of it, or of what will be shown, is out of sight."""
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
        """Frames everything anew where the cameras are fitted and what they were fitted to has changed.

        While a body is dragged the cameras stay: the ground must not move under the pointer.
        """
        early = self._fitted_early and not (self._answers.analysis.beyond_limits or self._motion.sweep_waits)
        parts = 3 if self._revealed else 4
        if self._work.view.fitted and (early or self._fitted_to[:parts] != self._fit_key()[:parts]):
            self.frame()

    def _fit_key(self) -> tuple[object, ...]:
        # The bars follow the words in them, which change under the pointer: only whether they stand there counts.
        c = self.covered
        covered = c.top > 0.0, c.bottom > 0.0, c.card, c.left > 0.0, c.corner > (0.0, 0.0), c.axis > (0.0, 0.0)
        return self._shown_key(), self.size, self.divider, covered

    def _shown_key(self) -> tuple[object, ...]:
        return self._work.opened, *self._work.view.framed_by, self._work.playback.open


def _side(view: View) -> tuple[object, ...]:
    """From where both panes are looked at, and how they stand."""
    return view.world.yaw, view.world.pitch, view.world.orthographic, view.panes, view.swapped
