"""The real application in a headless window (EGL), driven by pyglet's own events. One window serves the whole run.

Its clock is the test's: a frame takes a sixtieth of a second, however long the machine draws at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import moderngl
import numpy as np
import pyglet
import pytest
from pyglet.window import key, mouse

from app.application import Application
from app.controllers.background import Sweeps
from app.controllers.faults import Faults
from app.draw import text
from app.draw.draw_list import Subject
from app.draw.placed import PlacedPane
from app.input.picking import pick
from app.platform.window import ProgramWindow, open_window
from app.render import make_context
from app.state.view import Pane
from app.words.digits import digits_shown, written_with
from tests.app.patience import PATIENCE
from tests.snapshot_kit.window import listening

# Every test begins with an atlas of its own; what a letter looks like stays the same.
rasterised = cache(text._rasterise)

MODIFIERS = {"Ctrl": key.MOD_CTRL, "Shift": key.MOD_SHIFT, "Alt": key.MOD_ALT}
NAMED = {
    "Escape": key.ESCAPE,
    "Tab": key.TAB,
    "Home": key.HOME,
    "End": key.END,
    "Left": key.LEFT,
    "Right": key.RIGHT,
    "Up": key.UP,
    "Enter": key.RETURN,
    "Down": key.DOWN,
    "PageDown": key.PAGEDOWN,
    "PageUp": key.PAGEUP,
    "Space": key.SPACE,
    "[": key.BRACKETLEFT,
    "]": key.BRACKETRIGHT,
    ",": key.COMMA,
    ".": key.PERIOD,
}


FRAME = 1.0 / 60.0
"""Seconds on the test's clock from one frame to the next."""

CLOCKS = (
    "app.application.perf_counter",
    "app.platform.imgui_host.perf_counter",
    "app.render.frame.perf_counter",
    "app.platform.events.perf_counter",
    "app.controllers.notices.monotonic",
    "app.controllers.stage_mode.monotonic",
    "app.controllers.contact_meter.perf_counter",
)
"""What the application knows the time by: playing, double clicks, how long notices stand, rates, imgui's delays."""


@cache
def shared_window() -> tuple[ProgramWindow, moderngl.Context]:
    """A second window after the first was closed fails without a display, and so does wrapping its context again."""
    if not pyglet.options.headless:
        pytest.skip("needs a window that no screen shows: pyglet has those on Linux alone")
    return open_window(), make_context()


class Driver:
    """Someone at the mouse and the keyboard. Positions in framebuffer pixels from the top left corner."""

    def __init__(self, window: ProgramWindow) -> None:
        self.app: Application
        self.window = window
        self.now = 1000.0
        """The time on the application's clock, seconds."""
        self.faults: list[Exception] = []
        """What the application caught and told; a test that means a fault to happen empties it."""

    def frame(self, count: int = 1) -> None:
        for _ in range(count):
            self.now += FRAME
            self.window.switch_to()
            self.window.dispatch_events()
            self.window.on_draw()
            self.window.flip()

    def send(self, event: str, *arguments: object) -> None:
        self.window.dispatch_event(event, *arguments)
        self.window.dispatch_events()

    def upwards(self, y: float) -> float:
        return self.window.get_size()[1] - 1 - y

    def move(self, x: float, y: float, buttons: int = 0, modifiers: int = 0) -> None:
        if buttons:
            self.send("on_mouse_drag", x, self.upwards(y), 0, 0, buttons, modifiers)
        else:
            self.send("on_mouse_motion", x, self.upwards(y), 0, 0)

    def press(self, x: float, y: float, button: int = mouse.LEFT, modifiers: int = 0) -> None:
        self.move(x, y)
        self.send("on_mouse_press", x, self.upwards(y), button, modifiers)

    def release(self, x: float, y: float, button: int = mouse.LEFT, modifiers: int = 0) -> None:
        self.send("on_mouse_release", x, self.upwards(y), button, modifiers)

    def click(self, x: float, y: float) -> None:
        self.press(x, y)
        self.frame()
        self.release(x, y)
        self.frame(2)

    def drag(self, start, end, button: int = mouse.LEFT, modifiers: int = 0, release: bool = True) -> None:
        start, end = np.array(start, dtype=float), np.array(end, dtype=float)
        self.press(*start, button, modifiers)
        for share in np.linspace(0.25, 1.0, 4):
            self.move(*(start + share * (end - start)), button, modifiers)
            self.frame()
        if release:
            self.release(*end, button, modifiers)
            self.frame(2)

    def key(self, chord: str) -> None:
        *held, name = chord.split("+") if not chord.endswith("+") else (*chord[:-2].split("+"), "+")
        modifiers = sum(MODIFIERS[word] for word in held)
        symbol = NAMED[name] if name in NAMED else getattr(key, name if name.isalpha() or len(name) > 1 else f"_{name}")
        self.send("on_key_press", symbol, modifiers)
        self.frame()
        self.send("on_key_release", symbol, modifiers)
        self.frame(2)

    def type(self, text: str) -> None:
        for character in text:
            self.send("on_text", character)
            self.frame()

    def pane(self, kind: str = "world") -> Pane:
        return next(pane for pane in self.app.builder.panes if pane.kind == kind)

    def at(self, point, kind: str = "world") -> tuple[float, float]:
        pane = self.pane(kind)
        x, y, _ = pane.projection.project(np.array([point], dtype=float))[0]
        return float(x) + pane.rect.x, float(y) + pane.rect.y

    def on_subject(self, subject: Subject, kind: str = "world") -> tuple[float, float]:
        """A pixel that shows a subject as a line."""
        pane = self.pane(kind)
        placed = self.app.builder.placed[self.app.builder.panes.index(pane)]
        row = placed.lines.subjects.index(subject)
        middle = 0.5 * (placed.lines.start[row] + placed.lines.end[row])
        return float(middle[0]) + pane.rect.x, float(middle[1]) + pane.rect.y

    def axes_shown(self, kind: str) -> dict[int, list[tuple[float, float]]]:
        """Pixels of a pane that mean an axis, by the axis's row, as the very picture in it says.

        Looked for along the lines of axes, on their faces, marks and labels.
        """
        pane = self.pane(kind)
        placed = self.app.builder.placed[self.app.builder.panes.index(pane)]
        shown: dict[int, list[tuple[float, float]]] = {}
        for x, y in _places_of_axes(placed):
            if not (8.0 <= x < pane.rect.width and 60.0 <= y < pane.rect.height - 60.0):
                continue
            subject = pick(placed, x, y)
            at = x + pane.rect.x, y + pane.rect.y
            if subject is not None and subject.kind == "axis" and not self.app.host.covers(*at):
                shown.setdefault(subject.number, []).append(at)
        return shown

    @property
    def on_b(self) -> tuple[float, float]:
        return self.at(self.app.work.scene.b.position)


def _places_of_axes(placed: PlacedPane) -> Iterator[tuple[float, float]]:
    """Every seventh pixel of the lines of axes, the middles of their faces and of their labels, and their marks."""
    lines, faces = placed.lines, placed.triangles
    for subject, start, end in zip(lines.subjects, lines.start, lines.end, strict=True):
        if subject.kind == "axis":
            count = 2 + int(np.linalg.norm(end - start) / 7.0)
            yield from map(tuple, np.linspace(start, end, count).round().tolist())
    for subject, corners in zip(faces.subjects, faces.corners, strict=True):
        if subject.kind == "axis":
            x, y = corners[:, :2].mean(axis=0).round().tolist()
            yield x, y
    for subject, (x, y) in zip(placed.marks.subjects, placed.marks.centre.tolist(), strict=True):
        if subject.kind == "axis":
            yield x, y
    for label in placed.labels:
        if label.subject.kind == "axis":
            yield label.x + 0.5 * label.width, label.y + 0.5 * label.height


def place_of(driver: Driver, text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[float, float]:
    """The upper left corner of a text in a panel, a little inside."""
    with listening(monkeypatch) as said:
        driver.frame()
    ((y, x, _),) = [told for texts in said.texts.values() for told in texts if told[2] == text]
    return x + 4.0, y + 4.0


def leave_unpainted(patch: pytest.MonkeyPatch) -> None:
    """Everything is drawn but for the pixels, which take half of a frame's time; who reads them fails."""
    enable_only = moderngl.Context.enable_only

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a test that looks at pixels is marked as painted")

    patch.setattr(
        moderngl.Context, "enable_only", lambda own, flags: enable_only(own, flags | moderngl.RASTERIZER_DISCARD)
    )
    for name in ("read", "read_into"):
        patch.setattr(moderngl.Framebuffer, name, refuse)


@pytest.fixture
def driver(fresh_home: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Driver]:
    window, context = shared_window()
    window.switch_to()
    if request.node.get_closest_marker("painted") is None:
        leave_unpainted(monkeypatch)
    context.enable_only(moderngl.NOTHING)
    driver = Driver(window)
    for clock in CLOCKS:
        monkeypatch.setattr(clock, lambda: driver.now)
    monkeypatch.setattr(text, "_rasterise", rasterised)
    # Answers about motions come in slices of processor time: on this clock each is there at once.
    monkeypatch.setattr("app.controllers.playback.Sweeps", lambda: Sweeps(lambda: driver.now))
    # So is a small mesh, however busy the machine is.
    monkeypatch.setattr("app.controllers.mesh_loading.WAIT_SECONDS", PATIENCE)
    tell = Faults.tell

    def noted(self: Faults, doing: str, error: Exception, *rest: str, **options: bool) -> str:
        driver.faults.append(error)
        return tell(self, doing, error, *rest, **options)

    monkeypatch.setattr(Faults, "tell", noted)
    app = driver.app = Application(window, context)
    with written_with(digits_shown()):
        app.open_first(None)
        driver.frame(4)
        yield driver
    window.switch_to()
    driver.app.close()
    window.listener = None
    window.dispatch_events()
    for fault in driver.faults:
        # A fault that the program survives is still one.
        raise fault
    (fresh_home / "fault.txt").unlink(missing_ok=True)  # the others were meant
