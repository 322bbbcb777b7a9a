"""How the pair is looked at: the view with its cameras, and when they are framed anew.

Cameras are fitted until the user moves one by hand: they follow what is opened, the panes' shape and what covers them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from msgspec.structs import replace

from core.scene import Scene

from ..draw.draw_list import Subject
from ..draw.placed import Rect
from ..render.framing import NOTHING_COVERED, Covered, brought_back, framed, framed_body
from ..state.panes import arrange
from ..state.settings import Settings
from ..state.view import Panes, View
from .moving import Moving

Framing = Callable[..., View]


class Looking(Moving):
    """The part of the workbench that looks."""

    settings: Settings

    def __init__(self) -> None:
        super().__init__()
        self._view = View()
        self.selection: int | None = None
        self.divider = 0.5
        self.covered: Covered = NOTHING_COVERED
        self._fitted_to: tuple[object, ...] = ()
        self._fitted_early = False

    @property
    def view(self) -> View:
        """How the scene is looked at; at a scene of the plane always straight on."""
        return self._view

    @view.setter
    def view(self, view: View) -> None:
        self._view = view.facing(self.scene).pointing()

    @property
    @abstractmethod
    def scene(self) -> Scene:
        """The scene to show."""

    @property
    @abstractmethod
    def framed_for(self) -> Scene:
        """The scene as it was opened: another one is framed anew."""

    @abstractmethod
    def viewport_size(self) -> tuple[int, int]:
        """Size of the viewport in pixels; cameras are framed for its shape."""

    def look(self, view: View) -> None:
        """Changes how the scene is looked at."""
        # Until the table is there, the one axis shown has another number than in it.
        unknown = view.pin is not None and view.pin.kind == "axis" and bool(self.analysis.left_out)
        self.view = replace(view, pin=self.view.pin) if unknown else view

    def point_at(self, subject: Subject | None) -> None:
        """The pointer is on a subject, or on none."""
        meant = self.meant(subject)
        if meant != self.view.hover:
            self.view = replace(self.view, hover=meant)

    def look_from(self, preset: str) -> None:
        """Both cameras from the front, right, top and so on."""
        turned = self.view.world.looking(preset)
        self.view = self.view.turned(turned.yaw, turned.pitch)

    def toggle_projection(self) -> None:
        """Perspective or orthographic."""
        view = self.view
        self.view = replace(
            view, world=view.world.with_other_projection(), difference=view.difference.with_other_projection()
        )

    def frame_selection(self) -> None:
        """The selected body fills the world's pane; with none selected everything is framed."""
        if self.selection is None:
            self._frame()
            return
        panes = arrange(self.view, Rect(0, 0, *self.viewport_size()), self.divider)
        self.view = framed_body(self.scene, self.view, self.selection, panes[0].aspect)

    def go_home(self) -> None:
        """Everything in sight, from the side one starts at."""
        start = View().world
        self.view = self.view.turned(start.yaw, start.pitch)
        self._frame()

    def show_panes(self, panes: Panes) -> None:
        """Arranges the panes."""
        self.view = replace(self.view, panes=panes)

    # When everything is framed anew.

    def frame_anew(self) -> None:
        """Fitted cameras are framed with the next frame."""
        self._fitted_to = ()

    def keep_cameras(self) -> None:
        """Fitted cameras stay, as if they had been framed for what is shown."""
        self._fitted_to = self._fit_key()

    def bring_back(self) -> None:
        """After an edit, fitted cameras follow what was carried out of the picture, and stay while most still shows."""
        self._fitted_early = False
        if self.view.fitted:
            self.view = self._framed_by(brought_back)

    def _frame(self) -> None:
        self.view = self._framed_by(framed)
        self._fitted_to = self._fit_key()
        self._fitted_early = bool(self.analysis.left_out) or self.sweep_waits

    def _framed_by(self, framing: Framing) -> View:
        """The view as `framed` or `brought_back` puts it."""
        return framing(
            self.scene,
            self.analysis,
            self.view,
            self.viewport_size(),
            self.divider,
            self.covered,
            self.sweep,
            steps=self.query,
        )

    @property
    def another_shown(self) -> bool:
        """Whether fitted cameras wait to be framed for another scene or arrangement, whose cards have no sizes yet."""
        return self.view.fitted and self._fitted_to[:1] != (self._shown_key(),)

    def refit(self) -> None:
        """Frames everything anew where the cameras are fitted and what they were fitted to has changed.

        While a body is dragged the cameras stay: the ground must not move under the pointer.
        """
        early = self._fitted_early and not (self.analysis.left_out or self.sweep_waits)
        if self.view.fitted and (early or self._fitted_to != self._fit_key()):
            self._frame()

    def _fit_key(self) -> tuple[object, ...]:
        # The bars follow the words in them, which change under the pointer: only whether they stand there counts.
        covered = (
            self.covered.top > 0.0,
            self.covered.bottom > 0.0,
            self.covered.card,
            self.covered.left > 0.0,
            self.covered.corner > (0.0, 0.0),
        )
        return self._shown_key(), self.viewport_size(), self.divider, covered

    def _shown_key(self) -> tuple[object, ...]:
        return self.framed_for, *self.view.framed_by, self.playback.open

    def upright(self, view: View) -> View:
        """A view with the axis upright that the settings choose."""
        z_up = self.settings.z_up
        return replace(view, world=replace(view.world, z_up=z_up), difference=replace(view.difference, z_up=z_up))
