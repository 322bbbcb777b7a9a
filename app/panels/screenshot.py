"""The window that saves a picture of the viewport: preview, options and name; and the progress of a large picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace as changed

from ..state.ask import Ask
from ..state.export_options import ExportOptions
from ..state.export_shown import PreviewImage
from ..state.option import LARGEST_SIDE, PICTURE_ENDINGS, OptionGroup
from ..state.panel_state import PanelState
from ..storage.clipboard import why_no_copy
from .export_fields import draw_options, of_scene, with_viewport_size
from .file_browser import exists, is_folder, resolved
from .label_mover import LabelMover
from .text import em, explain, flow, say
from .textures import Going, uploaded
from .widgets import FLOATING, button_width, dialog, usable_button

PREVIEW_EMS, LARGE_EMS = 14.0, 30.0
"""Height of the small preview, and largest height of the large one, ems; the large one has the options below it."""
PREVIEW_SHARE, LARGE_SHARE = 0.4, 0.7
"""The largest shares of the window's height for the small and the large preview."""
PICTURE_EMS, OPTIONS_EMS = 20.0, 24.0
"""Width of the preview's column, and the least width of the options beside it, ems."""
FOLDED = {
    OptionGroup.CAMERA: "as in the window",
    OptionGroup.SHOWN: "as in the window",
    OptionGroup.STEPS: "one picture",
}


class ScreenshotPanel:
    """The window that takes pictures; its options are kept in the settings."""

    def __init__(self) -> None:
        self._chosen: ExportOptions | None = None
        self._name = ""
        self._asked: tuple[object, ...] | None = None
        self._preview: tuple[PreviewImage, imgui.ImTextureData] | None = None
        self._going = Going()
        self._mover = LabelMover()
        self._large = False

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the window while `dialogs.screenshot` is true."""
        self._going.forget_destroyed()
        if self._chosen is None:
            self._chosen = ui.settings.picture_options
        with dialog(ui, "screenshot", "Screenshot", (51.0, 47.0)) as shown:
            if shown:
                self._chosen = self._drawn(self._chosen, ui, ask)

    def _drawn(self, chosen: ExportOptions, ui: PanelState, ask: Ask) -> ExportOptions:
        beside = not self._large and imgui.get_content_region_avail().x >= (PICTURE_EMS + OPTIONS_EMS) * em()
        with _column("##picture", PICTURE_EMS * em(), beside):
            chosen = self._draw_preview(chosen, ui, ask)
            self._draw_name(chosen, ui, ask)
        if beside:
            imgui.same_line()
        with _column("##options", 0.0, beside):
            return draw_options(chosen, ui, self._ending(ui), FOLDED)

    def _draw_preview(self, chosen: ExportOptions, ui: PanelState, ask: Ask) -> ExportOptions:
        """Draws the preview, in which labels can be moved; returns the options after this frame.

        Requests a new one after a change, but not while the left mouse button is down.
        """
        picture = screenshot(chosen, ui, self._ending(ui))
        key = (
            self._large,
            picture,
            ui.scene,
            ui.analysis,
            changed(ui.view, hover=None),
            ui.moment,
            ui.part,
            ui.theme.name,
        )
        if key != self._asked and not imgui.is_mouse_down(imgui.MouseButton_.left):
            self._asked = key
            ask.preview_picture(picture, large=self._large)
        if ui.preview is not None and (self._preview is None or self._preview[0] is not ui.preview):
            self._drop()
            if ui.preview.pixels is not None:
                self._preview = ui.preview, uploaded(np.ascontiguousarray(ui.preview.pixels))
        height = min(PREVIEW_EMS * em(), PREVIEW_SHARE * imgui.get_window_height())
        room = ImVec2(imgui.get_content_region_avail().x, height)
        if self._large and self._preview is not None:
            texture = self._preview[1]
            highest = max(room.y, min(LARGE_EMS * em(), LARGE_SHARE * imgui.get_window_height()))
            room.y = min(highest, room.x * texture.height / texture.width)
        if self._preview is None:
            imgui.dummy(room)
        else:
            texture = self._preview[1]
            share = min(room.x / texture.width, room.y / texture.height)
            size = ImVec2(share * texture.width, share * texture.height)
            at = imgui.get_cursor_screen_pos()
            imgui.invisible_button("##preview", room)
            low = ImVec2(at.x + 0.5 * (room.x - size.x), at.y + 0.5 * (room.y - size.y))
            high = ImVec2(low.x + size.x, low.y + size.y)
            draw = imgui.get_window_draw_list()
            draw.add_image(texture.get_tex_ref(), low, high)
            draw.add_rect(low, high, imgui.get_color_u32(imgui.Col_.border))
            chosen = self._mover.drag(chosen, self._preview[0], low, high)
        self._draw_extent(chosen, ui)
        title = "Smaller preview" if self._large else "Larger preview"
        if imgui.button(f"{title}###large"):
            self._large = not self._large
        explain("In it labels can be dragged to other places.")
        return chosen if ui.preview is None else self._mover.draw_fields(chosen, ui.preview)

    def _draw_extent(self, chosen: ExportOptions, ui: PanelState) -> None:
        preview = ui.preview
        if preview is None:
            say("")
        elif preview.fault:
            say(preview.fault, ui.theme.overlap)
        elif not fits(preview):
            say(f"{preview.size[0]} × {preview.size[1]} pixels: too large, at most {LARGEST_SIDE}", ui.theme.overlap)
        else:
            width, height = preview.size
            across = 0.1 * (chosen.suited(self._ending(ui)).width or 0.0)
            paper = f"{across:g} × {across * height / width:.1f} cm, " if across else ""
            say(f"{paper}{width} × {height} pixels")

    def _drop(self) -> None:
        if self._preview is not None:
            self._going.drop(self._preview[1])
            self._preview = None

    def _draw_name(self, chosen: ExportOptions, ui: PanelState, ask: Ask) -> None:
        imgui.set_next_item_width(-1.0)
        _, self._name = imgui.input_text_with_hint("##name", "name.png, .svg, .pdf or .tex; else numbered", self._name)
        path = self._path(ui)
        explain(
            ".png is a picture of pixels; .svg and .pdf are lines and faces, crisp at any size; .tex sets the words of "
            "a .pdf beside it in LaTeX"
        )
        folder = path is not None and is_folder(path)
        if folder:
            say("This is a folder: a picture in it needs a name.", ui.theme.overlap)
        elif path is not None and exists(path):
            say(f"{path.name} exists already; taking the picture replaces it.", ui.theme.dim_text)
        usable = ui.preview is None or (not ui.preview.fault and fits(ui.preview))
        if usable_button("Take picture", usable and not folder):
            self._close(chosen, ui, ask)
            ask.take_picture(screenshot(chosen, ui, self._ending(ui)), path)
        flow(button_width("Copy picture"))
        uncopied = why_no_copy()
        if usable_button("Copy picture", usable and not uncopied):
            self._close(chosen, ui, ask)
            ask.take_picture(screenshot(chosen, ui), copy=True)
        if uncopied and imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_disabled):
            imgui.set_tooltip(uncopied)
        flow(button_width("Cancel"))
        if imgui.button("Cancel"):
            ui.dialogs.screenshot = False
        say("The scene travels inside the picture: opening it brings the scene back.", ui.theme.dim_text)

    def _close(self, chosen: ExportOptions, ui: PanelState, ask: Ask) -> None:
        if chosen != ui.settings.picture_options:
            ask.configure(changed(ui.settings, picture_options=chosen))
        ui.dialogs.screenshot = False

    def _ending(self, ui: PanelState) -> str:
        path = self._path(ui)
        return path.suffix.lower() if path is not None and path.suffix.lower() in PICTURE_ENDINGS else ".png"

    def _path(self, ui: PanelState) -> Path | None:
        """The picture's path: beside the scene's file, else in the current folder; None for a numbered name.

        The path of a folder gets no ending: a path half typed often names a folder.
        """
        if not self._name.strip():
            return None
        path = resolved(_folder(ui), self._name)
        return path if path.suffix.lower() in PICTURE_ENDINGS or is_folder(path) else path.with_name(f"{path.name}.png")


@contextmanager
def _column(name: str, width: float, beside: bool) -> Iterator[None]:
    """Draws items in a child window of this width, which scrolls by itself; without `beside`, in the window itself."""
    if beside:
        imgui.begin_child(name, ImVec2(width, 0.0), imgui.ChildFlags_.nav_flattened)
    yield
    if beside:
        imgui.end_child()


def screenshot(options: ExportOptions, ui: PanelState, ending: str = ".png") -> ExportOptions:
    """The options to request a picture with: those in force for `ending`, the view's path resolved, the size set.

    With a view, no overlays are shown or hidden besides its own.
    """
    wanted = of_scene(options, ui).in_force(ending)
    if wanted.view:
        path = resolved(_folder(ui), wanted.view)
        wanted = replace(wanted, view=str(path), show=frozenset(), hide=frozenset())
    return with_viewport_size(wanted, ui)


def _folder(ui: PanelState) -> Path:
    """The folder that typed names are relative to: the scene file's, else the current one."""
    return ui.document.path.parent if ui.document.path is not None else Path.cwd()


def fits(preview: PreviewImage) -> bool:
    """Whether neither side of the picture has more than LARGEST_SIDE pixels."""
    return max(preview.size) <= LARGEST_SIDE


SHOWN_AFTER = 0.3
"""Seconds; the progress of a picture that takes less is not shown."""


class PictureProgress:
    """The progress window in the middle of the viewport, while a picture is being taken."""

    def __init__(self) -> None:
        self._since: float | None = None

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the window, or nothing if no picture is being taken."""
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
                    ask.cancel_picture()
            else:
                say("Writing the file …", ui.theme.dim_text)
        imgui.end()
