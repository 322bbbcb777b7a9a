"""The fields of the dialogs for pictures and films: one for each option with a label, by its kind of value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import degrees
from typing import Any, NamedTuple

from imgui_bundle import imgui

from ..draw.label_kinds import LABEL_KINDS
from ..draw.text import lacking
from ..overlays.registry import OVERLAYS, UNAVAILABLE
from ..stages import spec_of
from ..state.export_options import DEFAULTS, GAUSS, GAUSS_LARGE, OPTIONS, ExportOptions, option_name, refusal
from ..state.lesson import STOP
from ..state.named_steps import STEPS_WANTED
from ..state.option import (
    AUTO,
    LARGEST_SIDE,
    MOST_LETTERS,
    AspectKind,
    CameraKind,
    ChoiceKind,
    FlagKind,
    LengthKind,
    MovesKind,
    NameKind,
    NumberKind,
    Option,
    OptionGroup,
    OverlaysKind,
    PairsKind,
    RenamesKind,
    SizeKind,
    StepsKind,
    TextKind,
    ValueKind,
)
from ..state.panel_state import PanelState
from ..state.purposes import set_for
from ..state.view import HATCH, TRIAD
from ..storage.carried import OPENED_PICTURES
from .text import em, explain, flow, say
from .widgets import choice, radio_row

VIEWPORT = (0, 0)
SIZES: tuple[tuple[tuple[int, int], str, str], ...] = (
    (VIEWPORT, "Viewport", ""),
    ((1280, 720), "Slide 16:9", ""),
    ((1024, 768), "Slide 4:3", ""),
    ((800, 800), "Square", ""),
)
ASPECTS = {"16:9": 16 / 9, "16:10": 16 / 10, "4:3": 4 / 3, "1:1": 1.0, "3:4": 3 / 4}
"""Offered ratios of width to height."""
SMALLEST_SIDE = 16
"""The smallest side that can be typed, in points."""
FIELD_EMS, NUMBER_EMS = 13.0, 5.0
MOST_BUTTONS = 4
"""The most values that are offered as buttons; more are offered in a combo box."""
OF_PURPOSE = "For its purpose"
AS_WINDOW, AS_ON_SCREEN, NONE, OWN = "As in the window", "As on screen", "None", "Own words"
ONE_PICTURE, ALL_STEPS, OWN_STEPS = "The one shown", "All", "Range or list"


class Field(NamedTuple):
    """An option in a dialog, with its value before this frame.

    `ending`: of the file that is written. `sets`: the value that the purpose sets, if any.
    """

    name: str
    option: Option
    value: Any
    ui: PanelState
    ending: str
    sets: Any = None


def draw_options(
    options: ExportOptions,
    ui: PanelState,
    ending: str,
    folded: Mapping[OptionGroup, str],
    beside: Mapping[str, Any] = {},
) -> ExportOptions:
    """Draws the fields of the options that apply to files with this ending; returns the options after this frame.

    `folded`: groups that are closed at first, with the text shown while none of their options is chosen. `beside`:
    values chosen elsewhere, by option.
    """
    given = {**options.given(), **beside}
    for group in OptionGroup:
        rows = [name for name, option in OPTIONS.items() if option.group is group and option.label]
        rows = [name for name in rows if _applies(name, given, ui, ending)]
        if not rows or not _opened(group, options, ending, folded):
            continue
        before: ValueKind | None = None
        for name in rows:
            option = OPTIONS[name]
            if isinstance(option.kind, FlagKind) and isinstance(before, FlagKind):
                flow(imgui.calc_text_size(option.label).x + 2.0 * em())
            imgui.push_id(name)
            options = _drawn(name, options, ui, ending)
            imgui.pop_id()
            before = option.kind
    return options


def _applies(name: str, given: Mapping[str, Any], ui: PanelState, ending: str) -> bool:
    """Whether an option applies to the scene and to files with this ending, together with the given options."""
    match OPTIONS[name].kind:
        case CameraKind() if not turns(ui):
            return False
        # The overlays of a view from a file are not known here.
        case OverlaysKind() if "view" in given:
            return False
        case SizeKind() if name not in given and "width" in set_for(given.get("purpose"), given):
            return False
    return not refusal(name, given, ending)


def _opened(group: OptionGroup, options: ExportOptions, ending: str, folded: Mapping[OptionGroup, str]) -> bool:
    """Draws a group's heading; returns whether it is open. A folded group shows its choices as on the command line."""
    if group not in folded:
        return imgui.collapsing_header(f"{group}###{group}", imgui.TreeNodeFlags_.default_open)
    given = options.in_force(ending).given()
    chosen = [(name, value) for name, value in given.items() if OPTIONS[name].group is group]
    summary = " ".join(f"{option_name(name)} {OPTIONS[name].kind.formatted(value)}" for name, value in chosen)
    return imgui.collapsing_header(f"{group}: {summary or folded[group]}###{group}")


def _drawn(name: str, options: ExportOptions, ui: PanelState, ending: str) -> ExportOptions:
    option, value = OPTIONS[name], getattr(options, name)
    if isinstance(option.kind, OverlaysKind):
        return _with_overlays(options, ui)
    sets = set_for(options.purpose, options.given()).get(name)
    drawn = FIELD_DRAWERS[type(option.kind)](Field(name, option, value, ui, ending, sets))
    explain(", ".join(filter(None, (option.help[0].upper() + option.help[1:], option.kind.usage().limits))))
    if name == "transparent" and drawn:
        suits = options.themed(ui.theme.name).suits
        say(f"It is for a {suits} ground: its words are {'light' if suits == 'dark' else 'dark'}.", ui.theme.dim_text)
    return options if drawn == value else options.having(**{name: drawn})


def _flag(field: Field) -> bool:
    if field.sets:
        # The purpose sets it.
        imgui.begin_disabled()
        imgui.checkbox(field.option.label, True)
        imgui.end_disabled()
        return bool(field.value)
    return bool(imgui.checkbox(field.option.label, field.value)[1])


def _number(field: Field) -> Any:
    """Draws the offered values, else a field for a number, with a check box if the option has one; unticked is None."""
    option, kind, value = field.option, field.option.kind, field.value
    assert isinstance(kind, NumberKind | LengthKind)
    if isinstance(kind, NumberKind) and kind.offers:
        return _offered(field, kind.offers)
    if option.tick:
        purposed = value is None and field.sets is not None
        tick = f"{option.tick} ({OF_PURPOSE.lower()}: {field.sets:.3g} {option.label})" if purposed else option.tick
        if not imgui.checkbox(tick, value is not None)[1]:
            return None
        if value is not None:
            flow(10.0 * em())
    shown = (option.start if field.sets is None else field.sets) if value is None else value
    imgui.set_next_item_width(NUMBER_EMS * em())
    if isinstance(kind, NumberKind) and kind.whole:
        return imgui.slider_int(option.label, round(shown), round(kind.least), round(kind.most))[1]
    changed, typed = imgui.input_double(option.label, float(shown), 0.0, 0.0, "%g")
    return min(max(typed, kind.least), kind.most) if changed or option.tick else value


def _offered(field: Field, offers: Mapping[Any, str]) -> Any:
    """Draws up to MOST_BUTTONS values as buttons, more in a combo box; a value that is not offered is added."""
    value = field.value
    titles = _usual(field) | dict(offers)
    if value not in titles:
        titles[value] = field.option.kind.formatted(value)
    if len(titles) > MOST_BUTTONS:
        return choice(field.option.label, titles, value, FIELD_EMS * em())
    return radio_row([(each, title, "") for each, title in titles.items()], value)


def _choice(field: Field) -> str | None:
    """Draws a combo box of the words that apply to the scene; returns the chosen word, None for the usual one."""
    kind = field.option.kind
    assert isinstance(kind, ChoiceKind)
    titles: dict[str | None, str] = _usual(field) | {
        word: title
        for word, title in kind.titles.items()
        if word != GAUSS or GAUSS_LARGE not in UNAVAILABLE[field.ui.scene.dimension]
    }
    now: str | None = field.value if field.value in titles else DEFAULTS[field.name]
    return choice(field.option.label, titles, now, FIELD_EMS * em())


def _usual(field: Field) -> dict[Any, str]:
    """The title of the value None, as a dict; empty if None is not a value of the option.

    The title has the value that applies instead: of the purpose, or of the setting with the same name.
    """
    now = getattr(field.ui.settings, field.name, "")
    if field.option.none:
        return {None: field.option.none}
    if field.sets is not None:
        kind = field.option.kind
        said = kind.titles[field.sets] if isinstance(kind, ChoiceKind) else kind.formatted(field.sets)
        return {None: f"{OF_PURPOSE}: {said}"}
    title = f"{AS_ON_SCREEN} ({now})" if now and isinstance(field.option.kind, ChoiceKind) else AS_ON_SCREEN
    return {None: title} if DEFAULTS[field.name] is None else {}


def _size(field: Field) -> tuple[int, int] | None:
    (_, first, tip), *others = SIZES
    purposed = field.sets is not None
    known = radio_row([(VIEWPORT, OF_PURPOSE if purposed else first, tip), *others], field.value or VIEWPORT)
    shown = (field.sets or viewport_points(field.ui)) if known == VIEWPORT else known
    imgui.set_next_item_width(2.0 * NUMBER_EMS * em())
    changed, (width, height) = imgui.input_int2(field.option.label, [*shown])
    if changed:
        return min(max(width, SMALLEST_SIDE), LARGEST_SIDE), min(max(height, SMALLEST_SIDE), LARGEST_SIDE)
    return None if known == VIEWPORT else known


def _aspect(field: Field) -> float | None:
    """Draws a combo box of ratios; the first entry, None, is the purpose's ratio or else `As usual`."""
    titles: dict[float | None, str] = (_usual(field) if field.sets else {None: "As usual"}) | {
        ratio: title for title, ratio in ASPECTS.items()
    }
    now: float | None = field.value
    if now not in titles:
        titles[now] = field.option.kind.formatted(now)
    return choice(field.option.label, titles, now, FIELD_EMS * em())


def _camera(field: Field) -> tuple[float, ...] | None:
    """Draws a check box, and if ticked fields for yaw and pitch (degrees, at first the window's) and the distance.

    Returns the numbers, without a distance of 0; None if not ticked. Refused numbers leave the value as it was.
    """
    value, world = field.value, field.ui.view.world
    if not imgui.checkbox(field.option.label, value is not None)[1]:
        return None
    now: tuple[float, ...] = value or (round(degrees(world.yaw), 1), round(degrees(world.pitch), 1))
    yaw, pitch, distance, *_ = (*now, 0.0)
    typed = []
    for label, shown in (("° yaw", yaw), ("° pitch", pitch), ("units away, 0 to fit", distance)):
        if label == "° pitch":
            flow(12.0 * em())
        imgui.set_next_item_width(NUMBER_EMS * em())
        typed.append(imgui.input_double(label, shown, 0.0, 0.0, "%g")[1])
    asked = tuple(typed if typed[2] else typed[:2])
    return now if field.option.kind.fault(asked) else asked


def _words(field: Field) -> str | None:
    """Draws a field for a text; if the program can make one, a combo box with AUTO and own words.

    Returns the text; an empty one is None if that is the option's default and the program makes no text.
    """
    kind, label = field.option.kind, field.option.label
    value: str | None = field.value
    assert isinstance(kind, TextKind)
    if not kind.auto:
        return _typed(label, value or "") or (None if DEFAULTS[field.name] is None else "")
    titles = {"": NONE, AUTO: kind.auto, OWN: OWN}
    chosen = choice(label, titles, value if value in titles else OWN, FIELD_EMS * em())
    if chosen != OWN:
        return chosen
    return _typed("##own", field.ui.scene.name or label if value is None or value in titles else value, -1.0)


def _typed(label: str, words: str, width: float = FIELD_EMS, flags: int = 0) -> str:
    """Draws a field for a text of at most MOST_LETTERS letters; letters that the font lacks are refused with a note.

    `width` in ems; a negative one reaches to the right edge. `flags`: imgui's.
    """
    imgui.set_next_item_width(width * em() if width > 0.0 else width)
    typed = imgui.input_text(label, words, flags)[1][:MOST_LETTERS]
    if missing := lacking(typed):
        say(f"There are no letters for: {missing}")
        return words
    return typed


def _steps(field: Field) -> str:
    """Draws a combo box of phases; for other steps a field for their names, with a button for the shown step."""
    value, ui = str(field.value), field.ui
    titles = {"": ONE_PICTURE if field.ending in OPENED_PICTURES else ALL_STEPS, OWN: OWN_STEPS}
    titles |= {phase.name.lower(): spec_of(phase).name for phase in ui.phases}
    chosen = choice(field.option.label, titles, value if value in titles else OWN, FIELD_EMS * em())
    if chosen != OWN:
        return chosen
    if value in titles:
        return f"{value}:1-{STOP}" if value else f"1-{STOP}"
    typed = _typed("##own", value, -1.0, imgui.InputTextFlags_.auto_select_all)
    explain(f"{STEPS_WANTED[0].upper()}{STEPS_WANTED[1:]}; 0 is the answer")
    if typed and not field.option.kind.parsed(typed):
        say(f"They must be {STEPS_WANTED}.", ui.theme.overlap)
    moment = ui.moment
    if moment is not None and imgui.button(f"Add {(name := f'{moment.phase.name.lower()}:{moment.index + 1}')}"):
        return f"{typed},{name}".removeprefix(",")
    return typed or f"1-{STOP}"


class _PairsField:
    """A field for names of labels with their values; it keeps typed text that cannot be parsed yet."""

    def __init__(self) -> None:
        self._typed: dict[str, str] = {}

    def __call__(self, field: Field) -> Any:
        """Draws the field; returns the pairs, () while the text cannot be parsed or does not fit the option."""
        kind = field.option.kind
        assert isinstance(kind, PairsKind)
        kept = self._typed.get(field.name, "")
        text = kept if (kind.parsed(kept) or ()) == field.value else kind.formatted(field.value)
        self._typed[field.name] = typed = _typed(field.option.label, text)
        found = kind.parsed(typed) if typed.strip() else ()
        if found is None or (why := kind.fault(found)):
            say(f"It takes {kind.usage().wanted}." if found is None else f"It {why}.", field.ui.theme.dim_text)
            return ()
        return found


PAIRS = _PairsField()
FIELD_DRAWERS: dict[type, Callable[[Field], Any]] = {
    FlagKind: _flag,
    NumberKind: _number,
    LengthKind: _number,
    ChoiceKind: _choice,
    SizeKind: _size,
    AspectKind: _aspect,
    CameraKind: _camera,
    TextKind: _words,
    NameKind: lambda field: _typed(field.option.label, field.value),
    StepsKind: _steps,
    RenamesKind: PAIRS,
    MovesKind: PAIRS,
}
"""The function that draws the field of each kind of value; overlays have a table instead."""


TWO_COLUMNS_EMS = 38.0
"""Least width of a list of overlays in two columns, ems: the longest titles have 19."""


def _with_overlays(options: ExportOptions, ui: PanelState) -> ExportOptions:
    """Draws a check box for each overlay and kind of labels, at first as in the window."""
    if imgui.button(AS_WINDOW):
        options = replace(options, show=frozenset(), hide=frozenset())
    across = 2 if imgui.get_content_region_avail().x > TWO_COLUMNS_EMS * em() else 1
    # Hatches have a field of their own.
    overlays = [each for each in OVERLAYS if ui.scene.dimension not in each.unavailable_in and each.id != HATCH]
    rows = [(each.id, each.title, each.tip, each.id in ui.view.shown) for each in overlays]
    options = _ticked(options, rows, "##overlays", across)
    say("Labels:", ui.theme.dim_text)
    kinds = [(each.id, each.title, each.tip, each.id not in ui.view.hidden) for each in LABEL_KINDS]
    return _ticked(options, kinds, "##labels", across)


def _ticked(
    options: ExportOptions, rows: Sequence[tuple[str, str, str, bool]], table: str, across: int
) -> ExportOptions:
    """Draws a check box for each of `rows`: id, title, tip, and whether the window shows it."""
    if not imgui.begin_table(table, across):
        return options
    for each, title, tip, before in rows:
        imgui.table_next_column()
        name = frozenset({each})
        # A figure has no axes in the corner unless they are asked for.
        usual = before and not (each == TRIAD and options.figured)
        changed, on = imgui.checkbox(f"{title}##shown", (usual or each in options.show) and each not in options.hide)
        explain(tip)
        if changed:
            show, hide = options.show - name, options.hide - name
            show, hide = (show | name, hide) if on and not usual else (show, hide | name if usual and not on else hide)
            options = replace(options, show=show, hide=hide)
    imgui.end_table()
    return options


def turns(ui: PanelState) -> bool:
    """Whether the camera can turn, which it cannot in a 2D scene."""
    return ui.view.facing(ui.scene) is ui.view


def of_scene(options: ExportOptions, ui: PanelState) -> ExportOptions:
    """The options without what the scene cannot have: overlays, the large Gauss map, in 2D a camera."""
    known = {overlay.id for overlay in OVERLAYS} - UNAVAILABLE[ui.scene.dimension]
    return options.of_scene(known, turns=turns(ui))


def viewport_points(ui: PanelState) -> tuple[int, int]:
    """The viewport's size in points."""
    return max(1, round(ui.viewport.width)), max(1, round(ui.viewport.height))


def with_viewport_size(options: ExportOptions, ui: PanelState) -> ExportOptions:
    """The options with the viewport's size if neither a size nor a purpose is chosen."""
    return options if options.purpose else replace(options, size=options.size or viewport_points(ui))
