"""The panel of the view's options: theme, scale, panes, axes, overlays and snap steps."""

from __future__ import annotations

from typing import Any

from imgui_bundle import imgui
from msgspec.structs import replace

from core.sat.sat import AxisKind

from ..controllers.preferences import UI_SCALES
from ..draw.theme import THEMES, Palette
from ..overlays.registry import OVERLAYS
from ..overlays.style import families_of, family_shown
from ..stages import tip_of
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.settings import Settings
from ..state.view import AxisView, Panes
from ..words.digits import Digits
from ..words.key_names import as_on_keys
from ..words.terms import terms_of
from .numbers import NumberField, refused_unless, say_refusals
from .text import em, explain
from .widgets import choice, dialog, radio_row

_positive = refused_unless(lambda value: value > 0.0, "A step must be greater than 0.")
_angle = refused_unless(lambda value: 0.0 < value <= 180.0, "The angle must be greater than 0 and at most 180 degrees.")

PANE_WORDS: tuple[tuple[Panes, str, str], ...] = (
    (Panes.BOTH, "Both", "World and difference side by side"),
    (Panes.WORLD, "World", "The two bodies alone"),
    (Panes.DIFFERENCE, "Difference", "The Minkowski difference alone"),
    (Panes.OVERLAID, "Overlaid", "The difference drawn in the world, with its origin at the world's origin"),
)
AXIS_WORDS: tuple[tuple[AxisView, str, str], ...] = (
    (
        AxisView.FOCUSED,
        "Focused",
        "One axis next to the bodies: the one you point at, the pinned one, or the one that decides",
    ),
    (AxisView.CAGE, "Cage", "The axis in focus, and the others as thin lines around the pair"),
    (AxisView.FAMILY, "Family", "One family at a time"),
    (AxisView.FAN, "Fan", "All axes side by side on one scale, in order of separation"),
)
KIND_WORDS: tuple[tuple[AxisKind, str], ...] = (
    (AxisKind.FACE_A, "Faces of A"),
    (AxisKind.FACE_B, "Faces of B"),
    (AxisKind.EDGES, "Edge pairs"),
    (AxisKind.CENTRES, "Closest points"),
)


PALETTES = (
    (Palette.THEME, "The theme's", ""),
    (Palette.COLOUR_BLIND, "Colour-blind", "Every kind of colour vision tells them apart"),
    (Palette.PRINT_SAFE, "Print-safe", "As well, and A, B and the deciding axis differ in grey"),
)
DIGIT_WORDS = (
    (Digits.DESCRIBED, "As described", "Three in pictures and sentences, four in formulas, six in tables and answers"),
    (Digits.SIX, "6", "At least six everywhere"),
    (Digits.FULL, "Full", "All seventeen, everywhere: as many as name a double exactly"),
)


class ViewOptions:
    """The window of the view options; a change applies at once."""

    def __init__(self) -> None:
        self._snap_length = NumberField()
        self._snap_angle = NumberField()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the window while `dialogs.settings` is true."""
        with dialog(ui, "settings", "View options", (30.0, 40.0)) as shown:
            if shown:
                _draw_look(ui, ask)
                _draw_panes(ui, ask)
                _draw_overlays(ui, ask)
                self._draw_snaps(ui, ask)

    def _draw_snaps(self, ui: PanelState, ask: Ask) -> None:
        imgui.separator_text(as_on_keys("Snapping (Ctrl while dragging)"))
        settings, width = ui.settings, 8.0 * em()
        _name("Length")
        length = self._snap_length.draw("##length", settings.snap_length, width, _positive)
        if length is not None:
            ask.configure(replace(settings, snap_length=length))
        _name("Angle, degrees")
        angle = self._snap_angle.draw("##angle", settings.snap_angle_degrees, width, _angle)
        if angle is not None:
            ask.configure(replace(settings, snap_angle_degrees=angle))
        say_refusals([self._snap_length, self._snap_angle], ui.theme)


def _draw_look(ui: PanelState, ask: Ask) -> None:
    settings = ui.settings
    imgui.separator_text("Look")
    _name("Theme")
    theme = radio_row(((theme.name, theme.name.capitalize(), "") for theme in THEMES), settings.theme)
    if theme != settings.theme:
        ask.configure(replace(settings, theme=theme))
    _name("Colours")
    palette = radio_row(PALETTES, settings.palette)
    if palette is not settings.palette:
        ask.configure(replace(settings, palette=palette))
    _name("Size of text and panels")
    scales = {scale: f"{scale:.0%}" for scale in UI_SCALES}
    scale = choice("##scale", scales, settings.ui_scale, 6.0 * em(), f"{settings.ui_scale:.0%}")
    if scale != settings.ui_scale:
        ask.configure(replace(settings, ui_scale=scale))
    _name("Digits")
    digits = radio_row(DIGIT_WORDS, settings.digits)
    if digits is not settings.digits:
        ask.configure(replace(settings, digits=digits))
    _switch(settings, "z_up", "Z points up", ask, "Only the picture turns: no coordinate changes")
    _switch(settings, "hint", "Hints at the bottom", ask)
    _switch(settings, "animations", "Motion between steps", ask, "Any key or click ends it")
    _switch(settings, "show_frame_times", "Frame times", ask)
    _switch(settings, "swap_late", "Compute while drawing", ask, "Switch it off if pictures flicker or tear")


def _switch(settings: Settings, field: str, title: str, ask: Ask, note: str = "") -> None:
    changed, on = imgui.checkbox(title, getattr(settings, field))
    explain(note)
    if changed:
        changes: dict[str, Any] = {field: on}
        ask.configure(replace(settings, **changes))


def _draw_panes(ui: PanelState, ask: Ask) -> None:
    view = ui.view
    imgui.separator_text("Panes")
    if (panes := radio_row(PANE_WORDS, view.panes)) is not view.panes:
        ask.look(replace(view, panes=panes))
    imgui.separator_text("Candidate axes")
    if (axis_view := radio_row(AXIS_WORDS, view.axis_view)) is not view.axis_view:
        ask.look(replace(view, axis_view=axis_view))
    if view.axis_view is AxisView.FAMILY:
        _draw_families(ui, ask)


def _draw_families(ui: PanelState, ask: Ask) -> None:
    sat, terms = ui.analysis.sat, terms_of(ui.document.scene.dimension)
    there, shown = families_of(sat), family_shown(ui.view.family, sat)
    imgui.indent()
    for kind, words in KIND_WORDS:
        named = words.replace("Faces", f"{terms.face.capitalize()}s")
        if kind.value in there and imgui.radio_button(named, shown == kind.value):
            ask.look(replace(ui.view, family=str(kind.value)))
    imgui.unindent()


def _draw_overlays(ui: PanelState, ask: Ask) -> None:
    imgui.separator_text("Overlays")
    for overlay in OVERLAYS:
        if ui.document.scene.dimension in overlay.unavailable_in:
            continue
        changed, _ = imgui.checkbox(overlay.title, overlay.id in ui.view.shown)
        explain(tip_of(overlay))
        if changed:
            ask.look(ui.view.with_toggled(overlay.id))
        if overlay.key:
            imgui.same_line(0.0, em())
            imgui.text_disabled(overlay.key)


def _name(text: str) -> None:
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted(text)
    imgui.same_line()
