"""A picture of the viewport to a file: a preview, size, look, words and name; and how far a large one has come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from ..draw.text import lacking
from ..draw.theme import THEMES, Palette, theme_named
from ..overlays.hatches import OVERLAY as HATCHES
from ..state.figure import AUTO, DIGITS, LARGEST, LIMITS, PANES, PictureChoices, Preview
from ..state.panel_state import PanelState
from ..state.requests import CancelPicture, Configure, PreviewPicture, Screenshot
from ..storage.carried import PICTURES
from ..storage.clipboard import clipboard_program
from .file_browser import exists, is_folder, resolved
from .panel import Ask
from .text import em, explain, flow, say
from .textures import Going, uploaded
from .widgets import FLOATING, button_width, choice, dialog, radio_row, usable_button

SIZES: tuple[tuple[tuple[int, int], str, str], ...] = (
    ((0, 0), "Viewport", ""),
    ((1280, 720), "Slide 16:9", ""),
    ((1024, 768), "Slide 4:3", ""),
    ((800, 800), "Square", ""),
)
SCALES = (1, 2, 3, 4)
PREVIEW_EMS = 11.0
"""Height of the preview, ems."""
FIELD_EMS = 11.0
TEXT_WORDS = {"font": "Text, as a font inside", "outlines": "Outlines (SVG, PDF)", "none": "No words"}
CAPTIONS = {"": "None", AUTO: "Name, step and verdict"}
OWN = "Own words"
AS_ON_SCREEN = "As on screen"
PAPER = "Of an exact width, with letters of an exact size"
MOST_WORDS = 2000
NO_CLIPBOARD = "Pictures are copied by wl-copy or xclip, and neither is on the PATH"


class ScreenshotPanel:
    """A window that remembers its choices, in the settings too."""

    def __init__(self) -> None:
        self._chosen: PictureChoices | None = None
        self._name = ""
        self._asked: tuple[object, ...] | None = None
        self._preview: tuple[Preview, imgui.ImTextureData] | None = None
        self._going = Going()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown while `dialogs.screenshot` is set."""
        self._going.forget_destroyed()
        if self._chosen is None:
            self._chosen = ui.settings.picture
        with dialog(ui, "screenshot", "Screenshot", (30.0, 0.0), imgui.WindowFlags_.no_resize) as shown:
            if shown:
                self._chosen = self._drawn(self._chosen, ui, ask)

    def _drawn(self, chosen: PictureChoices, ui: PanelState, ask: Ask) -> PictureChoices:
        self._draw_preview(chosen, ui, ask)
        self._draw_name(chosen, ui, ask)
        imgui.separator_text("Size")
        chosen = _with_size(chosen, ui)
        imgui.separator_text("Look")
        chosen = _with_look(chosen, ui)
        imgui.separator_text("Words")
        return _with_words(chosen, ui)

    def _draw_preview(self, chosen: PictureChoices, ui: PanelState, ask: Ask) -> None:
        """The picture, small; drawn anew when something has changed, but not while a body or the view is dragged."""
        picture = screenshot(chosen, ui)
        key = (picture, ui.scene, ui.analysis, replace(ui.view, hover=None), ui.moment, ui.part, ui.theme.name)
        if key != self._asked and not imgui.is_mouse_down(imgui.MouseButton_.left):
            self._asked = key
            ask.append(PreviewPicture(picture))
        if ui.preview is not None and (self._preview is None or self._preview[0] is not ui.preview):
            self._drop()
            if ui.preview.pixels is not None:
                self._preview = ui.preview, uploaded(np.ascontiguousarray(ui.preview.pixels))
        room = ImVec2(imgui.get_content_region_avail().x, PREVIEW_EMS * em())
        if self._preview is None:
            imgui.dummy(room)
        else:
            texture = self._preview[1]
            share = min(room.x / texture.width, room.y / texture.height)
            size = ImVec2(share * texture.width, share * texture.height)
            at = imgui.get_cursor_screen_pos()
            imgui.dummy(room)
            low = ImVec2(at.x + 0.5 * (room.x - size.x), at.y + 0.5 * (room.y - size.y))
            high = ImVec2(low.x + size.x, low.y + size.y)
            draw = imgui.get_window_draw_list()
            draw.add_image(texture.get_tex_ref(), low, high)
            draw.add_rect(low, high, imgui.get_color_u32(imgui.Col_.border))
        self._draw_extent(chosen, ui)

    def _draw_extent(self, chosen: PictureChoices, ui: PanelState) -> None:
        preview = ui.preview
        if preview is None:
            say("")
        elif preview.fault:
            say(preview.fault, ui.theme.overlap)
        elif not fits(preview):
            say(f"{preview.size[0]} × {preview.size[1]} pixels: too large, at most {LARGEST}", ui.theme.overlap)
        else:
            (width, height), across = preview.size, 0.1 * chosen.width
            paper = f"{across:g} × {across * height / width:.1f} cm, " if chosen.on_paper else ""
            say(f"{paper}{width} × {height} pixels")

    def _drop(self) -> None:
        if self._preview is not None:
            self._going.drop(self._preview[1])
            self._preview = None

    def _draw_name(self, chosen: PictureChoices, ui: PanelState, ask: Ask) -> None:
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
        usable = ui.preview is None or (not ui.preview.fault and fits(ui.preview))
        if usable_button("Take picture", usable and not folder):
            self._take(replace(screenshot(chosen, ui), path=path), chosen, ui, ask)
        flow(button_width("Copy picture"))
        copied = clipboard_program() is not None
        if usable_button("Copy picture", usable and copied):
            self._take(replace(screenshot(chosen, ui), copy=True), chosen, ui, ask)
        if not copied and imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_disabled):
            imgui.set_tooltip(NO_CLIPBOARD)
        flow(button_width("Cancel"))
        if imgui.button("Cancel"):
            ui.dialogs.screenshot = False
        say("The scene travels inside the picture: opening it brings the scene back.", ui.theme.dim_text)

    def _take(self, picture: Screenshot, chosen: PictureChoices, ui: PanelState, ask: Ask) -> None:
        if chosen != ui.settings.picture:
            ask.append(Configure(replace(ui.settings, picture=chosen)))
        ask.append(picture)
        ui.dialogs.screenshot = False

    def _path(self, ui: PanelState) -> Path | None:
        """Where the picture goes: beside the scene's file, else in the current folder; None for a numbered name.

        A folder stays one: half a path is one while it is typed.
        """
        if not self._name.strip():
            return None
        folder = ui.document.path.parent if ui.document.path is not None else Path.cwd()
        path = resolved(folder, self._name)
        return path if path.suffix.lower() in PICTURES or is_folder(path) else path.with_name(f"{path.name}.png")


def screenshot(chosen: PictureChoices, ui: PanelState) -> Screenshot:
    """What is chosen as a request, without a path."""
    width, height = points(chosen, ui)
    look = {"theme": chosen.theme, "palette": chosen.palette, "figure": chosen.figure}
    return Screenshot(width, height, chosen.transparent, None, float(chosen.scale), **look)  # type: ignore[arg-type]  # by name


def points(chosen: PictureChoices, ui: PanelState) -> tuple[int, int]:
    """The picture's size in points; the viewport's until another is chosen."""
    width, height = chosen.size
    return (width or max(1, round(ui.viewport.width)), height or max(1, round(ui.viewport.height)))


def fits(preview: Preview) -> bool:
    """Whether the picture is not too large."""
    return max(preview.size) <= LARGEST


def _with_size(chosen: PictureChoices, ui: PanelState) -> PictureChoices:
    kinds = [(False, "On a screen", ""), (True, "On paper", PAPER)]
    on_paper = radio_row(kinds, chosen.on_paper)
    chosen = replace(chosen, on_paper=on_paper)
    if on_paper:
        chosen = _number(chosen, "width", "cm wide", 0.1)
        flow(14.0 * em())
        chosen = _number(chosen, "font", "pt letters")
        return _number(chosen, "dpi", "pixels to the inch (PNG)")
    size = radio_row(SIZES, chosen.size)
    imgui.set_next_item_width(10.0 * em())
    changed, typed = imgui.input_int2("Size in points", list(points(replace(chosen, size=size), ui)))
    if changed:
        size = (min(max(typed[0], 16), LARGEST), min(max(typed[1], 16), LARGEST))
    explain("Lines and text keep their size in points at any number of pixels")
    for k, scale in enumerate(SCALES):
        if k:
            flow(4.0 * em())
        if imgui.radio_button(f"{scale}×", chosen.scale == scale):
            chosen = replace(chosen, scale=scale)
    return replace(chosen, size=size)


def _with_look(chosen: PictureChoices, ui: PanelState) -> PictureChoices:
    names: dict[str | None, str] = {None: AS_ON_SCREEN}
    themes = names | {theme.name: theme.name.capitalize() for theme in THEMES}
    now = f"{AS_ON_SCREEN} ({ui.theme.name})" if chosen.theme is None else ""
    theme = choice("Theme", themes, chosen.theme, FIELD_EMS * em(), now)
    palettes: dict[Palette | None, str] = {None: AS_ON_SCREEN} | {each: each.value.capitalize() for each in Palette}
    palette = choice("Colours", palettes, chosen.palette, FIELD_EMS * em())
    panes = names | {each: each.capitalize() if each != "gauss" else "Gauss map" for each in PANES}
    shown = choice("Panes", panes, chosen.panes, FIELD_EMS * em())
    chosen = replace(chosen, theme=theme, palette=palette, panes=shown)
    chosen = _ticked(chosen, "transparent", "Transparent background")
    if chosen.transparent:
        ground = ui.theme.ground if theme is None else theme_named(theme).ground
        say(f"It is for a {ground} ground: its words are {'light' if ground == 'dark' else 'dark'}.", ui.theme.dim_text)
    else:
        flow(8.0 * em())
    chosen = _ticked(chosen, "crop", "Crop to what is drawn")
    if chosen.crop:
        chosen = _number(chosen, "margin", "mm margin")
    chosen = _ticked(chosen, "hatch", "Hatches")
    explain(HATCHES.tip)
    return chosen


def _with_words(chosen: PictureChoices, ui: PanelState) -> PictureChoices:
    chosen = replace(chosen, text=choice("Letters", TEXT_WORDS, chosen.text, FIELD_EMS * em()))
    if chosen.text == "none":
        return chosen
    digits: dict[int | None, str] = {None: AS_ON_SCREEN} | {count: f"{count} digits" for count in DIGITS}
    chosen = replace(chosen, digits=choice("Numbers", digits, chosen.digits, FIELD_EMS * em()))
    chosen = _ticked(chosen, "legend", "Legend")
    own = chosen.caption not in CAPTIONS
    kinds = CAPTIONS | {OWN: OWN}
    kind = choice("Caption", kinds, OWN if own else chosen.caption, FIELD_EMS * em())
    if kind != OWN:
        chosen = replace(chosen, caption=kind)
    else:
        chosen = _worded(chosen, "caption", "##caption", chosen.caption if own else ui.scene.name or "Caption")
    return _worded(chosen, "label", "Label, such as (a)", chosen.label)


def _worded(chosen: PictureChoices, field: str, label: str, words: str) -> PictureChoices:
    """A field for a text; one with letters that the font lacks is not taken, and that is said."""
    imgui.set_next_item_width(FIELD_EMS * em() if not label.startswith("##") else -1.0)
    _, words = imgui.input_text(label, words)
    if missing := lacking(words):
        say(f"There are no letters for: {missing}")
        return chosen
    return _changed(chosen, field, words[:MOST_WORDS])


def _ticked(chosen: PictureChoices, field: str, label: str) -> PictureChoices:
    return _changed(chosen, field, imgui.checkbox(label, getattr(chosen, field))[1])


def _number(chosen: PictureChoices, field: str, label: str, factor: float = 1.0) -> PictureChoices:
    """A field of a number, shown times `factor`, held within its limits."""
    low, high = LIMITS[field]
    imgui.set_next_item_width(5.0 * em())
    _, value = imgui.input_double(label, factor * getattr(chosen, field), 0.0, 0.0, "%g")
    return _changed(chosen, field, min(max(value / factor, low), high))


def _changed(chosen: PictureChoices, field: str, value: Any) -> PictureChoices:
    changes: dict[str, Any] = {field: value}
    return chosen if getattr(chosen, field) == value else replace(chosen, **changes)


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
