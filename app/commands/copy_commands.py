"""The commands that copy the pair as text: one for each form of text that is meant for code or scene files."""

from __future__ import annotations

from core.scene import Scene
from core.toi.motion import moves

from ..forms.form import Writes
from ..forms.titles import WRITTEN_TITLES
from .table import Command, InMenu, Program

EARLIER_IDS = {"copy_as.mujoco": "copy_as.mjcf", "copy_as.three.js": "copy_as.three_js"}
"""Present ids of commands by their earlier ids."""


class _Refusals:
    """The reasons why a scene cannot be written, by form. Found once for a scene, asked where commands are shown."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._found: dict[str, str] = {}

    def of(self, form: str, scene: Scene) -> str:
        """The reason, a sentence; "" if the form can write the scene."""
        if scene is not self._scene:
            self._scene, self._found = scene, {}
        if form not in self._found:
            self._found[form] = _writer(form).refusal(scene)
        return self._found[form]


def _writer(form: str) -> Writes:
    from ..forms.registry import BY_NAME

    write = BY_NAME[form].write
    assert write is not None
    return write


def copy_commands() -> tuple[Command, ...]:
    """The commands, in the menu Edit."""
    refusals = _Refusals()
    return tuple(_copy_as(form, title, refusals) for form, title in WRITTEN_TITLES.items())


def _copy_as(form: str, title: str, refusals: _Refusals) -> Command:
    def carry_out(app: Program) -> None:
        scene = app.work.document.committed
        app.window.copy(_writer(form)(scene))
        going = moves(scene.a) or moves(scene.b)
        without = ". The motion is not in it: the bodies stand where they start." if going else ""
        app.notices.notify(f"Copied the pair as text: {title}{without}")

    return InMenu("Edit")(
        f"copy_as.{form}",
        f"Copy as text: {title}",
        "",
        carry_out,
        refused=lambda app: refusals.of(form, app.work.document.committed),
    )
