"""A picture of the viewport to a file: a preview, size, look, words and name; and how far a large one has come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import degrees
from pathlib import Path
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from ..draw.text import lacking
from ..draw.theme import THEMES, Palette, theme_named
from ..overlays.hatches import OVERLAY as HATCHES
from ..overlays.registry import OVERLAYS, STRANGE
from ..state.figure import (
    AUTO,
    COLUMNS,
    DIGITS,
    FILE,
    GAUSS,
    GAUSS_LARGE,
    LARGEST,
    LIMITS,
    PANES,
    TURNED,
    TURNS,
    PictureChoices,
    Preview,
)
from ..state.panel_state import PanelState
from ..state.requests import CancelPicture, Configure, PreviewPicture, Screenshot
from ..storage.carried import PICTURES
from ..storage.clipboard import why_no_copy
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
PREVIEW_EMS = 14.0
"""Height of the preview, ems."""
PICTURE_EMS, OPTIONS_EMS = 20.0, 24.0
"""Widths of the preview and of what there is to choose, where they stand side by side."""
FIELD_EMS = 11.0
AS_WINDOW = "As in the window"
CAMERA_WORDS = {None: AS_WINDOW, TURNED: "Turned by angles", FILE: "Of another file"}
TEXT_WORDS = {"font": "Text, as a font inside", "outlines": "Outlines (SVG, PDF)", "none": "No words"}
CAPTIONS = {"": "None", AUTO: "Name, step and verdict"}
OWN = "Own words"
AS_ON_SCREEN = "As on screen"
PAPER = "Of an exact width, with letters of an exact size"
MOST_WORDS = 2000


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
        with dialog(ui, "screenshot", "Screenshot", (51.0, 44.0)) as shown:
            if shown:
                self._chosen = self._drawn(self._chosen, ui, ask)

    def _drawn(self, chosen: PictureChoices, ui: PanelState, ask: Ask) -> PictureChoices:
        beside = imgui.get_content_region_avail().x >= (PICTURE_EMS + OPTIONS_EMS) * em()
        with _column("##picture", PICTURE_EMS * em(), beside):
            self._draw_preview(chosen, ui, ask)
            self._draw_name(chosen, ui, ask)
        if beside:
            imgui.same_line()
        with _column("##options", 0.0, beside):
            return _with_options(chosen, ui)

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
        _, self._name = imgui.input_text_with_hint("##name", "name.png, .svg or .pdf; else numbered", self._name)
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
        uncopied = why_no_copy()
        if usable_button("Copy picture", usable and not uncopied):
            self._take(replace(screenshot(chosen, ui), copy=True), chosen, ui, ask)
        if uncopied and imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_disabled):
            imgui.set_tooltip(uncopied)
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
        path = resolved(_folder(ui), self._name)
        return path if path.suffix.lower() in PICTURES or is_folder(path) else path.with_name(f"{path.name}.png")


@contextmanager
def _column(name: str, width: float, beside: bool) -> Iterator[None]:
    """A part of the window that scrolls by itself, as wide as this; of a narrow window no part of its own."""
    if beside:
        imgui.begin_child(name, ImVec2(width, 0.0), imgui.ChildFlags_.nav_flattened)
    yield
    if beside:
        imgui.end_child()


def _with_options(chosen: PictureChoices, ui: PanelState) -> PictureChoices:
    """All groups, each of which folds; one of those that are folded at first says what is chosen."""
    if _group("Size", "Size", folded=False):
        chosen = _with_size(chosen, ui)
    if _group("Look", "Look", folded=False):
        chosen = _with_look(chosen, ui)
    if _group("Words", "Words", folded=False):
        chosen = _with_words(chosen, ui)
    if _group("Camera", f"Camera: {CAMERA_WORDS[chosen.camera].lower()}"):
        chosen = _with_camera(chosen, ui)
    count = len(chosen.show | chosen.hide)
    if chosen.camera != FILE and _group("Shown", f"Shown: {f'{count} changed' if count else AS_WINDOW.lower()}"):
        chosen = _with_overlays(chosen, ui)
    if _group("Sheet", f"Sheet: {'one picture' if not chosen.steps else f'steps {chosen.steps}'}"):
        chosen = _with_steps(chosen, ui)
    return chosen


def _group(name: str, title: str, *, folded: bool = True) -> bool:
    opened = 0 if folded else imgui.TreeNodeFlags_.default_open
    return imgui.collapsing_header(f"{title}###{name}", opened)


def screenshot(chosen: PictureChoices, ui: PanelState) -> Screenshot:
    """What is chosen as a request, without a path."""
    width, height = points(chosen, ui)
    known = {overlay.id for overlay in OVERLAYS} - STRANGE[ui.scene.dimension]
    figure = chosen.figure(frozenset(known), turns=_turns(ui))
    look: dict[str, Any] = {"theme": chosen.theme, "palette": chosen.palette, "figure": figure, "steps": chosen.steps}
    if chosen.camera == FILE and chosen.view_file.strip():
        look["view_file"] = resolved(_folder(ui), chosen.view_file)
    return Screenshot(width, height, chosen.transparent, None, float(chosen.scale), **look)


def _turns(ui: PanelState) -> bool:
    """Whether the camera can turn: not in a scene of the plane."""
    return ui.view.facing(ui.scene) is ui.view


def _folder(ui: PanelState) -> Path:
    """What a name that is typed lies in."""
    return ui.document.path.parent if ui.document.path is not None else Path.cwd()


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
    named = {each: each.capitalize() if each != GAUSS else "Gauss map" for each in PANES}
    if GAUSS_LARGE in STRANGE[ui.scene.dimension]:
        del named[GAUSS]
    panes = names | named
    shown = choice("Panes", panes, chosen.panes if chosen.panes in panes else None, FIELD_EMS * em())
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
    if chosen.steps:
        return chosen
    return _worded(chosen, "label", "Label, such as (a)", chosen.label)


def _with_camera(chosen: PictureChoices, ui: PanelState) -> PictureChoices:
    """The cameras: by angles they begin as the window has them. Those of a scene of the plane do not turn."""
    words = CAMERA_WORDS if _turns(ui) else {key: CAMERA_WORDS[key] for key in (None, FILE)}
    camera = choice("##camera", words, chosen.camera if chosen.camera in words else None, FIELD_EMS * em())
    if camera == TURNED and chosen.camera != TURNED:
        world = ui.view.world
        yaw, pitch = round(degrees(world.yaw), 1), round(degrees(world.pitch), 1)
        chosen = replace(chosen, yaw=yaw, pitch=pitch, distance=0.0)
    chosen = replace(chosen, camera=camera)
    if camera == TURNED:
        chosen = _number(chosen, "yaw", "° yaw")
        flow(12.0 * em())
        chosen = _number(chosen, "pitch", "° pitch")
        chosen = _number(chosen, "distance", "units away, 0 to fit")
    elif camera == FILE:
        chosen = _worded(chosen, "view_file", "Scene or view", chosen.view_file)
        say("The picture has the file's cameras, panes and overlays.", ui.theme.dim_text)
    return chosen


def _with_overlays(chosen: PictureChoices, ui: PanelState) -> PictureChoices:
    """What is drawn: ticked as the window has it, until another choice is made here."""
    if imgui.button(AS_WINDOW):
        chosen = replace(chosen, show=frozenset(), hide=frozenset())
    across = 2 if imgui.get_content_region_avail().x > 24.0 * em() else 1
    if not imgui.begin_table("##overlays", across):
        return chosen
    for overlay in OVERLAYS:
        if ui.scene.dimension in overlay.strange or overlay is HATCHES:
            continue
        imgui.table_next_column()
        name, usual = {overlay.id}, overlay.id in ui.view.shown
        now = (usual or overlay.id in chosen.show) and overlay.id not in chosen.hide
        changed, on = imgui.checkbox(f"{overlay.title}##shown", now)
        explain(overlay.tip)
        if changed:
            show, hide = chosen.show - name, chosen.hide - name
            show, hide = (show | name, hide) if on and not usual else (show, hide | name if usual and not on else hide)
            chosen = replace(chosen, show=show, hide=hide)
    imgui.end_table()
    return chosen


def _with_steps(chosen: PictureChoices, ui: PanelState) -> PictureChoices:
    """Several steps on one picture, with (a), (b) and so on, and one camera."""
    chosen = _worded(chosen, "steps", "Steps", chosen.steps)
    explain("16,18,24 or 16-24 or gjk, at most 26; 0 is the answer; empty for one picture")
    if ui.query is not None and imgui.button(f"Add step {ui.place + 1}"):
        chosen = replace(chosen, steps=f"{chosen.steps},{ui.place + 1}".removeprefix(","))
    if chosen.steps:
        columns = {count: f"{count}" for count in COLUMNS}
        chosen = replace(chosen, columns=choice("Pictures side by side", columns, chosen.columns, 5.0 * em()))
    return chosen


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
    low, high = (LIMITS | TURNS)[field]
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
