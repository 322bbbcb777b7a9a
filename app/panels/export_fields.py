"""The fields of a dialog for pictures or films: one for each option that has a label, drawn by its kind of value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import degrees
from typing import Any

from imgui_bundle import imgui

from ..draw.text import lacking
from ..overlays.registry import OVERLAYS, STRANGE
from ..state.export_options import DEFAULTS, OPTIONS, ExportOptions, applies, flag
from ..state.option import (
    AUTO,
    LARGEST,
    MOST_LETTERS,
    Camera,
    Choice,
    Flag,
    Group,
    Kind,
    Length,
    Name,
    Number,
    Option,
    Overlays,
    Size,
    StepList,
    Words,
)
from ..state.panel_state import PanelState
from .text import em, explain, flow, say
from .widgets import choice, radio_row

SIZES: tuple[tuple[tuple[int, int], str, str], ...] = (
    ((0, 0), "Viewport", ""),
    ((1280, 720), "Slide 16:9", ""),
    ((1024, 768), "Slide 4:3", ""),
    ((800, 800), "Square", ""),
)
SMALLEST = 16
"""Points of a side that is typed."""
FIELD_EMS, NUMBER_EMS = 13.0, 5.0
MOST_BUTTONS = 4
"""Values that are offered side by side; more of them fold."""
AS_WINDOW, AS_ON_SCREEN, NONE, OWN = "As in the window", "As on screen", "None", "Own words"


def draw_options(
    options: ExportOptions,
    ui: PanelState,
    ending: str,
    folded: Mapping[Group, str],
    beside: Mapping[str, Any] = {},
) -> ExportOptions:
    """Draws the fields of what files of this ending take, by groups that fold; the options after this frame.

    `folded`: the groups that are closed at first, with what holds where nothing is chosen in them. `beside`: what is
    chosen elsewhere, by option.
    """
    for group in Group:
        rows = [name for name, option in OPTIONS.items() if option.group is group and option.label]
        if not any(_applies(name, options, ui, ending, beside) for name in rows):
            continue
        if not _opened(group, _summary(group, options.in_force(ending)), folded):
            continue
        before: Kind | None = None
        for name in rows:
            if not _applies(name, options, ui, ending, beside):
                continue
            option = OPTIONS[name]
            if isinstance(option.kind, Flag) and isinstance(before, Flag):
                flow(imgui.calc_text_size(option.label).x + 2.0 * em())
            imgui.push_id(name)
            options = _drawn(name, option, options, ui)
            imgui.pop_id()
            before = option.kind
    return options


def _applies(name: str, options: ExportOptions, ui: PanelState, ending: str, beside: Mapping[str, Any]) -> bool:
    """Whether an option means something: in such a file, beside what is chosen, and of the scene."""
    if isinstance(OPTIONS[name].kind, Overlays) and options.view:
        return False
    if isinstance(OPTIONS[name].kind, Camera) and not turns(ui):
        return False
    return applies(name, {**options.given(), **beside}, ending)


def _summary(group: Group, options: ExportOptions) -> str:
    """What is chosen in a group, as the command line would say it."""
    chosen = [(name, value) for name, value in options.given().items() if OPTIONS[name].group is group]
    return " ".join(f"{flag(name)} {OPTIONS[name].kind.said(value)}" for name, value in chosen)


def _opened(group: Group, summary: str, folded: Mapping[Group, str]) -> bool:
    """The heading of a group; whether it is open."""
    if group not in folded:
        return imgui.collapsing_header(f"{group}###{group}", imgui.TreeNodeFlags_.default_open)
    return imgui.collapsing_header(f"{group}: {summary or folded[group]}###{group}")


def _drawn(name: str, option: Option, options: ExportOptions, ui: PanelState) -> ExportOptions:
    if isinstance(option.kind, Overlays):
        return _with_overlays(options, ui)
    value = FIELDS[type(option.kind)](name, option, getattr(options, name), ui)
    explain(", ".join(filter(None, (option.help[0].upper() + option.help[1:], option.kind.limits))))
    if name == "transparent" and value:
        ground = options.themed(ui.theme.name).ground
        say(f"It is for a {ground} ground: its words are {'light' if ground == 'dark' else 'dark'}.", ui.theme.dim_text)
    return options if value == getattr(options, name) else options.having(**{name: value})


def _flag(_name: str, option: Option, value: bool, _ui: PanelState) -> bool:
    return bool(imgui.checkbox(option.label, value)[1])


def _number(name: str, option: Option, value: float | None, ui: PanelState) -> float | None:
    """Buttons or a list of what is offered, else a field; where there may be none, with a box to tick."""
    kind = option.kind
    assert isinstance(kind, Number | Length)
    if isinstance(kind, Number) and kind.offers:
        offered: float | None = _offered(name, option, kind.offers, value, ui)
        return offered
    if option.tick:
        ticked = imgui.checkbox(option.tick, value is not None)[1]
        if not ticked:
            return None
        flow(10.0 * em())
    shown = option.start if value is None else value
    imgui.set_next_item_width(NUMBER_EMS * em())
    if isinstance(kind, Number) and kind.whole:
        return int(imgui.slider_int(option.label, round(shown), round(kind.least), round(kind.most))[1])
    changed, typed = imgui.input_double(option.label, float(shown), 0.0, 0.0, "%g")
    return float(min(max(typed, kind.least), kind.most)) if changed or option.tick else value


def _offered(name: str, option: Option, offers: Mapping[Any, str], value: Any, ui: PanelState) -> Any:
    titles = dict(offers)
    if value not in titles and value is not None:
        titles[value] = option.kind.said(value)
    if DEFAULTS[name] is None:
        titles = {None: _usual(name, ui), **titles}
    if len(titles) > MOST_BUTTONS:
        return choice(option.label, titles, value, FIELD_EMS * em())
    return radio_row([(each, title, "") for each, title in titles.items()], value)


def _choice(name: str, option: Option, value: str | None, ui: PanelState) -> str | None:
    """A list of the words that mean something of the scene."""
    assert isinstance(option.kind, Choice)
    usual: dict[str | None, str] = {None: _usual(name, ui)} if DEFAULTS[name] is None else {}
    titles = usual | {
        word: title
        for word, title in option.kind.titles.items()
        if getattr(of_scene(ExportOptions().having(**{name: word}), ui), name) == word
    }
    return choice(option.label, titles, value if value in titles else DEFAULTS[name], FIELD_EMS * em())


def _usual(name: str, ui: PanelState) -> str:
    """What holds where nothing is chosen: of the settings, where they have it."""
    now = getattr(ui.settings, name, "")
    return f"{AS_ON_SCREEN} ({now})" if isinstance(OPTIONS[name].kind, Choice) and now else AS_ON_SCREEN


def _size(_name: str, option: Option, value: tuple[int, int] | None, ui: PanelState) -> tuple[int, int] | None:
    known = radio_row(SIZES, value or (0, 0))
    imgui.set_next_item_width(2.0 * NUMBER_EMS * em())
    width, height = known if known != (0, 0) else viewport_points(ui)
    changed, typed = imgui.input_int2(option.label, [width, height])
    if changed:
        return min(max(typed[0], SMALLEST), LARGEST), min(max(typed[1], SMALLEST), LARGEST)
    return None if known == (0, 0) else known


def _camera(_name: str, option: Option, value: tuple[float, ...] | None, ui: PanelState) -> tuple[float, ...] | None:
    """Angles, which begin as the window has them, and a distance."""
    if not imgui.checkbox(option.label, value is not None)[1]:
        return None
    world = ui.view.world
    yaw, pitch, distance = (*(value or (round(degrees(world.yaw), 1), round(degrees(world.pitch), 1))), 0.0)[:3]
    typed = []
    for label, shown in (("° yaw", yaw), ("° pitch", pitch), ("units away, 0 to fit", distance)):
        imgui.set_next_item_width(NUMBER_EMS * em())
        typed.append(imgui.input_double(label, shown, 0.0, 0.0, "%g")[1])
        if label == "° yaw":
            flow(12.0 * em())
    asked = tuple(typed if typed[2] else typed[:2])
    return value if value is not None and option.kind.fault(asked) else asked


def _words(_name: str, option: Option, value: str | None, ui: PanelState) -> str | None:
    """A field for a text; where the program can make one, a list with that and own words."""
    assert isinstance(option.kind, Words)
    if not option.kind.auto:
        return _typed(option.label, value or "", ui) or (None if value is None else "")
    titles = {"": NONE, AUTO: option.kind.auto, OWN: OWN}
    kind = choice(option.label, titles, value if value in titles else OWN, FIELD_EMS * em())
    if kind != OWN:
        return kind
    imgui.set_next_item_width(-1.0)
    return _typed("##own", ui.scene.name or option.label if value in ("", AUTO) else value or "", ui)


def _typed(label: str, words: str, _ui: PanelState) -> str:
    """A text with letters that the font lacks is not taken, and that is said."""
    if not label.startswith("##"):
        imgui.set_next_item_width(FIELD_EMS * em())
    typed = imgui.input_text(label, words)[1][:MOST_LETTERS]
    if missing := lacking(typed):
        say(f"There are no letters for: {missing}")
        return words
    return typed


def _name(_name: str, option: Option, value: str, ui: PanelState) -> str:
    return _typed(option.label, value, ui)


def _steps(_name: str, option: Option, value: str, ui: PanelState) -> str:
    """Steps as they are typed; the one shown is added by a button."""
    typed = _typed(option.label, value, ui)
    explain("16,18,24 or 16-24 or gjk; 0 is the answer")
    if ui.query is not None and imgui.button(f"Add step {ui.place + 1}"):
        return f"{typed},{ui.place + 1}".removeprefix(",")
    return typed


FIELDS: dict[type, Callable[[str, Option, Any, PanelState], Any]] = {
    Flag: _flag,
    Number: _number,
    Length: _number,
    Choice: _choice,
    Size: _size,
    Camera: _camera,
    Words: _words,
    Name: _name,
    StepList: _steps,
}
"""The field of each kind of value; overlays have a table for those shown and those hidden."""


def _with_overlays(options: ExportOptions, ui: PanelState) -> ExportOptions:
    """What is drawn: ticked as the window has it, until another choice is made here."""
    if imgui.button(AS_WINDOW):
        options = replace(options, show=frozenset(), hide=frozenset())
    across = 2 if imgui.get_content_region_avail().x > 24.0 * em() else 1
    if not imgui.begin_table("##overlays", across):
        return options
    for overlay in OVERLAYS:
        if ui.scene.dimension in overlay.strange:
            continue
        imgui.table_next_column()
        name, usual = frozenset({overlay.id}), overlay.id in ui.view.shown
        now = (usual or overlay.id in options.show) and overlay.id not in options.hide
        changed, on = imgui.checkbox(f"{overlay.title}##shown", now)
        explain(overlay.tip)
        if changed:
            show, hide = options.show - name, options.hide - name
            show, hide = (show | name, hide) if on and not usual else (show, hide | name if usual and not on else hide)
            options = replace(options, show=show, hide=hide)
    imgui.end_table()
    return options


def turns(ui: PanelState) -> bool:
    """Whether the camera can turn: not in a scene of the plane."""
    return ui.view.facing(ui.scene) is ui.view


def of_scene(options: ExportOptions, ui: PanelState) -> ExportOptions:
    """The options without what the scene has not."""
    known = {overlay.id for overlay in OVERLAYS} - STRANGE[ui.scene.dimension]
    return options.of_scene(known, turns=turns(ui))


def viewport_points(ui: PanelState) -> tuple[int, int]:
    """The viewport's size in points."""
    return max(1, round(ui.viewport.width)), max(1, round(ui.viewport.height))


def sized(options: ExportOptions, ui: PanelState) -> ExportOptions:
    """The options with the viewport's size where no other is chosen."""
    return replace(options, size=options.size or viewport_points(ui))
