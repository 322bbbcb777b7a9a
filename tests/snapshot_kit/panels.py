"""What the panels show, through the rig that their tests have: every text with its colour's role, and every bar.

The windows stand side by side on a screen so high that none of them scrolls and nothing is cut off. A line of words is
what stands on one height of a window; a bar or a mark is told with its corners, from the window's own corner. Curves,
what is said under the pointer, and the marks of the timeline have lines of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from imgui_bundle import ImVec2, ImVec4, imgui, implot
from msgspec.structs import replace

from app.panels import apply_style
from app.state.contact_times import begun, times_after
from app.state.panel_state import Dialogs, PanelState
from app.state.playback import Playback, at_place
from app.state.settings import Settings
from core.analysis.algorithm_settings import DEFAULT_SETTINGS
from core.analysis.analysis import analyse
from core.scene import Scene
from tests.app.panel_rig import Rig, panel_state

from .book import Moment
from .roles import role_of, theme_of_roles
from .scenes import Pictured

SCREEN = (1600.0, 6000.0)
WINDOW = (460.0, 5800.0)
FRAMES = 2
"""In so many frames every panel has found its place."""
SAYING = (
    "text_unformatted",
    "text_disabled",
    "text_wrapped",
    "separator_text",
    "button",
    "small_button",
    "selectable",
    "begin_menu",
    "menu_item",
)
CHOOSING = ("radio_button", "checkbox", "begin_combo", "input_text", "slider_float", "slider_int", "progress_bar")
"""Those have a value besides their label."""
PLOTTING = ("plot_line", "plot_shaded", "plot_stairs", "plot_scatter", "plot_inf_lines")
SOME = 6
"""Of a curve so many of its points are told at the most."""
DUST = 1e-9
"""Of a curve a number below this is rounding."""
DOT, WIDEST_DOT = re.compile(r"line (\d+),(\d+) (\d+),\2 (\S+)$"), 4
"""Level lines of at most so many pixels: those under a word are told from the first to the last."""
POINTED = 0.618
"""Of a chart's width: where the pointer stands in it, never halfway between two whole numbers."""
COLOURED = 1.0 / 255.0
"""Colours of widgets have so many steps."""


class Panels:
    """One rig for all scenes: what each state of the panels shows, window by window."""

    def __init__(self) -> None:
        self._patch = pytest.MonkeyPatch()
        self._patch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: False)
        self._listening = False
        self._lines: dict[str, dict[tuple[int, int], list[str]]] = {}
        for name in (*SAYING, "table_setup_column"):
            self._replace(name, valued=False)
        for name in CHOOSING:
            self._replace(name, valued=True)
        for name in PLOTTING:
            self._replace_plot(name)
        self._point_at_charts()
        begin, lists = imgui.begin, imgui.get_window_draw_list
        self._patch.setattr(imgui, "begin", lambda name, *rest: self._begun(begin, name, *rest))
        self._patch.setattr(imgui, "get_window_draw_list", lambda: _Noted(lists(), self._note))

    def of(self, ui: PanelState) -> dict[str, Counter[str]]:
        """The lines of every window."""
        rig = Rig(self._patch, *SCREEN, watched=())
        try:
            apply_style(theme_of_roles())
            rig.settle(ui, FRAMES)
            self._lines, self._listening = {}, True
            rig.frame(ui)
        finally:
            self._listening = False
            rig.close()
        return {
            window: Counter("  ".join(words) for _, words in sorted(lines.items()))
            for window, lines in self._lines.items()
        }

    def close(self) -> None:
        """Everything as it was."""
        self._patch.undo()

    def _begun(self, begin: Any, name: str, *rest: Any) -> Any:
        imgui.set_next_window_size(ImVec2(*WINDOW), imgui.Cond_.always)
        imgui.set_next_window_dock_id(0, imgui.Cond_.always)
        return begin(name, *rest)

    def _replace(self, name: str, *, valued: bool) -> None:
        original = getattr(imgui, name)

        def noted(label: str, *rest: Any, **named: Any) -> Any:
            top = imgui.get_cursor_screen_pos().y
            result = original(label, *rest, **named)
            value = f" = {rest[0]}" if valued and rest else ""
            words = str(label).partition("##")[0].replace("\n", "⏎")
            if words or value:
                self._note(top, f"{_ink()}{words}{value}")
            return result

        self._patch.setattr(imgui, name, noted)

    def _replace_plot(self, name: str) -> None:
        original = getattr(implot, name)

        def noted(label: str, *rest: Any, **named: Any) -> Any:
            rows = [np.asarray(values, dtype=np.float64) for values in rest if isinstance(values, np.ndarray)]
            some = np.linspace(0, len(rows[0]) - 1, min(SOME, len(rows[0]))).round().astype(int)
            told = " > ".join(" ".join(_plotted(float(row[k])) for row in rows) for k in some)
            words = f"{name} {label.strip('#')} of {len(rows[0])}: {told}"
            self._note(imgui.get_cursor_screen_pos().y, words, alone=True)
            return original(label, *rest, **named)

        self._patch.setattr(implot, name, noted)

    def _point_at_charts(self) -> None:
        """While it listens the pointer stands in every chart, and what is said under it stands with the chart."""
        hovered, place, say = implot.is_plot_hovered, implot.get_plot_mouse_pos, imgui.set_tooltip

        def pointed() -> Any:
            across = implot.get_plot_limits().x
            return implot.Point(across.min + POINTED * (across.max - across.min), 0.0) if self._listening else place()

        def noted(words: str) -> None:
            self._note(imgui.get_cursor_screen_pos().y, "under the pointer: " + words.replace("\n", "⏎"), alone=True)
            say(words)

        self._patch.setattr(implot, "is_plot_hovered", lambda: self._listening or hovered())
        self._patch.setattr(implot, "get_plot_mouse_pos", pointed)
        self._patch.setattr(imgui, "set_tooltip", noted)

    def _note(self, top: float, words: str, *, alone: bool = False) -> None:
        """`alone`: on a line of its own, whatever stands beside it."""
        if self._listening:
            window = imgui.internal.get_current_window()
            height = round(top - window.pos.y)
            name = (window.name.partition("##")[0].partition("/")[0] or window.name.strip("#")).replace(" ", "-")
            lines = self._lines.setdefault(name, {})
            row = lines.setdefault((height, len(lines) if alone else 0), [])
            dot = DOT.match(words)
            if dot is None or int(dot[3]) - int(dot[1]) > WIDEST_DOT:
                row.append(words)
            elif row and row[-1].startswith(dots := f"dots {dot[4]} from "):
                row[-1] = f"{dots}{row[-1].removeprefix(dots).partition(' ')[0]} to {dot[3]},{dot[2]}"
            else:
                row.append(f"dots {dot[4]} from {dot[1]},{dot[2]}")


class _Noted:
    """A window's draw list that says what is drawn into it."""

    def __init__(self, drawn: Any, note: Any) -> None:
        self._drawn, self._note = drawn, note

    def __getattr__(self, name: str) -> Any:
        original = getattr(self._drawn, name)
        if not name.startswith("add_"):
            return original

        def noted(*words: Any, **named: Any) -> Any:
            corner = imgui.get_window_pos()
            flat = [part for word in words for part in (word if isinstance(word, list) else (word,))]
            told = [_told(word, corner) for word in (*flat[name == "add_text" :], *named.values())]
            place = next((word for word in flat if isinstance(word, ImVec2)), None)
            top = words[1] if place is None else place.y
            # Of the timeline's marks nearly all stay from step to step; its words say by their order where they stand.
            alone = name != "add_text" and imgui.internal.get_current_window().name.startswith("##timeline")
            self._note(top, f"{name.removeprefix('add_')} {' '.join(word for word in told if word)}", alone=alone)
            return original(*words, **named)

        return noted


def _plotted(value: float) -> str:
    return "0" if abs(value) < DUST else f"{value:.6g}"


def _told(word: Any, corner: ImVec2) -> str:
    if isinstance(word, ImVec2):
        return f"{round(word.x - corner.x)},{round(word.y - corner.y)}"
    if isinstance(word, int) and word > 0xFFFF:
        rgba = imgui.color_convert_u32_to_float4(word)
        return role_near(rgba)
    return f"“{word}”" if isinstance(word, str) else ""


def role_near(rgba: ImVec4) -> str:
    """The role of a colour that a widget has rounded."""
    return role_of((rgba.x, rgba.y, rgba.z, rgba.w), COLOURED)


def _ink() -> str:
    """The colour of the text, unless it is the usual one."""
    role = role_near(imgui.get_style_color_vec4(imgui.Col_.text))
    return "" if role == "text" else f"[{role}] "


@contextmanager
def panels() -> Iterator[Panels]:
    """The rig of all scenes, put away afterwards."""
    made = Panels()
    try:
        yield made
    finally:
        made.close()


def shown(pictured: Pictured, rig: Panels) -> list[Moment]:
    """Every panel about the answer; of the scenes told in full the steps at both ends of each phase, questions, and the
    scene as if it were pasted.
    """
    dialogs = Dialogs(docked=("compare", "edge_tools", "through_zero", "contact_times"))
    times = begun(pictured.analysis, DEFAULT_SETTINGS.preference, DEFAULT_SETTINGS, pages=False)
    states = {"answer": _state(pictured, dialogs=dialogs, contact_times=times)}
    # Of the probes' cards: all in the scenes told in full, elsewhere that of scaled space, which few pairs have.
    states |= {
        f"probe, {name}": _state(pictured, view=replace(pictured.opened, probe=probe))
        for name, probe in pictured.probes()
        if pictured.known.full or name.startswith("scaled")
    }
    if pictured.known.full:
        counted = times_after(times, analyse(_nudged(pictured.scene)), 0.5, lambda: True)
        states["B nudged"] = _state(pictured, dialogs=Dialogs(docked=("contact_times",)), contact_times=counted)
        pasted = Dialogs(paste=True, pasted=pictured.known.path.read_text(encoding="utf-8"))
        states["pasted"] = _state(pictured, dialogs=pasted, settings=Settings(panels=False))
        ends = [place for place, m in enumerate(pictured.query.moments) if m.last or m.index == 0]
        states |= {pictured.steps[place]: _at_step(pictured, place) for place in ends}
        for number, question in enumerate(pictured.questions):
            for name, prediction in pictured.predictions(number, question):
                asked = pictured.standing(prediction, question)
                states[f"question {number + 1} {name}"] = _state(pictured, asked=asked)
    elif parted := [place for place, flag in pictured.marks.flags.items() if flag.word == "apart"]:
        # Of bodies that never meet the track has marks that it has for none of the scenes told in full.
        place = min(parted)
        states[pictured.steps[place]] = _at_step(pictured, place)
    found = [Moment(name, rig.of(ui), told=pictured.known.full) for name, ui in states.items()]
    return [pictured.shortened(moment) for moment in found]


def _nudged(scene: Scene) -> Scene:
    """B a hundredth to the right: what is counted of the contacts, and their lives."""
    x, y, z = scene.b.position
    return scene.with_body(1, replace(scene.b, position=(x + 0.01, y, z)))


def _at_step(pictured: Pictured, place: int) -> PanelState:
    query = pictured.query
    playback = replace(at_place(Playback(open=True), query, place), open=True)
    settings = Settings(panels=False, algorithm=True)
    return _state(pictured, settings=settings, playback=playback, query=query, place=place)


def _state(pictured: Pictured, **changes: object) -> PanelState:
    known = {"view": pictured.opened, "settings": Settings(panels=True), "theme": theme_of_roles()}
    known |= {"analysis": pictured.analysis, "sweep": pictured.sweep}
    return panel_state(pictured.scene, **(known | changes))
