"""A picture of the viewport to a file: size, sharpness, ground and name; and how far a large one has come."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import ImVec2, imgui

from ..draw.theme import THEMES
from ..state.panel_state import PanelState
from ..state.requests import CancelPicture, Screenshot
from ..storage.carried import PICTURES
from .file_browser import exists, is_folder, resolved
from .panel import Ask
from .text import em, explain, flow, say
from .widgets import FLOATING, button_width, choice, dialog, radio_row, usable_button

LARGEST = 16384
"""Longest side of a picture, pixels."""
SIZES: tuple[tuple[tuple[int, int], str, str], ...] = (
    ((0, 0), "Viewport", ""),
    ((1280, 720), "Slide 16:9", ""),
    ((1024, 768), "Slide 4:3", ""),
    ((800, 800), "Square", ""),
)
SCALES = (1, 2, 3, 4)


class ScreenshotPanel:
    """A window that remembers its choices."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._scale = 2
        self._transparent = False
        self._theme: str | None = None
        self._name = ""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown while `dialogs.screenshot` is set."""
        with dialog(ui, "screenshot", "Screenshot", (27.0, 0.0), imgui.WindowFlags_.no_resize) as shown:
            if shown:
                self._draw_size(ui)
                self._draw_ground(ui)
                self._draw_name(ui, ask)

    def _points(self, ui: PanelState) -> tuple[int, int]:
        """The picture's size in points; the viewport's until another is chosen."""
        width, height = self._size
        return (width or max(1, round(ui.viewport.width)), height or max(1, round(ui.viewport.height)))

    def _draw_size(self, ui: PanelState) -> None:
        self._size = radio_row(SIZES, self._size)
        imgui.set_next_item_width(10.0 * em())
        changed, typed = imgui.input_int2("Size in points", list(self._points(ui)))
        if changed:
            self._size = (min(max(typed[0], 16), LARGEST), min(max(typed[1], 16), LARGEST))
        explain("Lines and text keep their size in points at any number of pixels")
        for k, scale in enumerate(SCALES):
            if k:
                flow(4.0 * em())
            if imgui.radio_button(f"{scale}×", self._scale == scale):
                self._scale = scale
        width, height = self._pixels(ui)
        if max(width, height) <= LARGEST:
            say(f"{width} × {height} pixels")
        else:
            say(f"{width} × {height} pixels: too large, at most {LARGEST}", ui.theme.overlap)

    def _pixels(self, ui: PanelState) -> tuple[int, int]:
        width, height = self._points(ui)
        return width * self._scale, height * self._scale

    def _draw_ground(self, ui: PanelState) -> None:
        _, self._transparent = imgui.checkbox("Transparent background", self._transparent)
        names = {name: (name or "As on screen").capitalize() for name in (None, *(theme.name for theme in THEMES))}
        shown = "" if self._theme else f"as on screen ({ui.theme.name})".capitalize()
        self._theme = choice("Theme", names, self._theme, 12.0 * em(), shown)

    def _draw_name(self, ui: PanelState, ask: Ask) -> None:
        imgui.set_next_item_width(-1.0)
        _, self._name = imgui.input_text_with_hint(
            "##name", "name.png, .svg or .pdf; empty for a numbered PNG", self._name
        )
        path = self._path(ui)
        explain(".png is a picture of pixels; .svg and .pdf are lines and faces, crisp at any size")
        folder = path is not None and is_folder(path)
        if folder:
            say("This is a folder: a picture in it needs a name.", ui.theme.overlap)
        elif path is not None and exists(path):
            say(f"{path.name} exists already; taking the picture replaces it.", ui.theme.dim_text)
        if usable_button("Take picture", not folder and max(self._pixels(ui)) <= LARGEST):
            width, height = self._points(ui)
            ask.append(Screenshot(width, height, self._transparent, path, float(self._scale), self._theme))
            ui.dialogs.screenshot = False
        flow(button_width("Cancel"))
        if imgui.button("Cancel"):
            ui.dialogs.screenshot = False
        say("The scene travels inside the picture: opening it brings the scene back.", ui.theme.dim_text)

    def _path(self, ui: PanelState) -> Path | None:
        """Where the picture goes: beside the scene's file, else in the current folder; None for a numbered name.

        A folder stays one: half a path is one while it is typed.
        """
        if not self._name.strip():
            return None
        folder = ui.document.path.parent if ui.document.path is not None else Path.cwd()
        path = resolved(folder, self._name)
        return path if path.suffix.lower() in PICTURES or is_folder(path) else path.with_name(f"{path.name}.png")


SHOWN_AFTER = 0.3
"""Seconds: a picture that takes less shows nothing."""


class PictureProgress:
    """In the middle of the viewport, while a picture is being taken."""

    def __init__(self) -> None:
        self._since: float | None = None

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Nothing without a picture."""
        if ui.picture is None:
            self._since = None
            return
        now = float(imgui.get_time())
        self._since = now if self._since is None else self._since
        if now - self._since < SHOWN_AFTER:
            return
        area = ui.viewport
        middle = ImVec2(area.x + 0.5 * area.width, area.y + 0.5 * area.height)
        imgui.set_next_window_pos(middle, imgui.Cond_.always, ImVec2(0.5, 0.5))
        imgui.set_next_window_size(ImVec2(22.0 * em(), 0.0))
        fixed = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
        if imgui.begin("Taking the picture###picture", None, FLOATING | fixed)[0]:
            drawn = ui.picture < 1.0
            imgui.progress_bar(ui.picture, ImVec2(-1.0, 0.0), f"{100.0 * ui.picture:.0f} %" if drawn else "")
            if drawn:
                if imgui.button("Cancel"):
                    ask.append(CancelPicture())
            else:
                say("Writing the file …", ui.theme.dim_text)
        imgui.end()
