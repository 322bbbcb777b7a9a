"""The settings of GJK, EPA, the contacts and the other algorithms.

A change applies at once, and has a button that resets it. A chip over the viewport names every changed setting, so that
no step is mistaken for one with default settings.
"""

from __future__ import annotations

from collections.abc import Mapping

from imgui_bundle import imgui

from core.analysis.algorithm_settings import (
    DEFAULT_SETTINGS,
    WITHOUT_EFFECT,
    ChangedSetting,
    acting,
    changed_settings,
    setting_at,
    with_setting,
)
from core.contact.policies.jolt import SPECULATIVE as JOLT_SPECULATIVE
from core.contact.policies.policy import POLICIES, refusal
from core.geometry.triple import Triple
from core.gjk.simplex import SubDistance

from ..draw.theme import mixed, readable_on
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.digits import tabular
from ..words.glossary import term_of
from .cards import Card
from .defined_text import definition
from .numbers import NumberField, refused_unless, say_refusals, short_vector
from .panel import CHIP_WINDOW, Docked
from .rows import Words
from .setting_rows import GROUPS, SettingRow
from .text import em, explain, flow, say, write
from .viewport_top import MARGIN_EMS, draw_under_titles
from .widgets import button_width, choice, usable_button


def setting_words(value: object, dimension: int = 3) -> str:
    """A setting's value in words: `128`, `1e−10`, `on`, `(1, 0, 0)`, `signed volumes`; None is `towards B`.

    `dimension`: the number of components shown of a direction.
    """
    if value is None:
        return "towards B"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return tabular(value)
    if isinstance(value, tuple):
        return short_vector(value[:dimension])
    return "full support" if value == "full" else str(value)


DIRECTION_WORDS: dict[Triple | None, str] = {
    None: "towards B",
    (1.0, 0.0, 0.0): "+x",
    (-1.0, 0.0, 0.0): "−x",
    (0.0, 1.0, 0.0): "+y",
    (0.0, -1.0, 0.0): "−y",
    (0.0, 0.0, 1.0): "+z",
    (0.0, 0.0, -1.0): "−z",
}

OTHER = "other …"

SPECULATIVE: dict[object, str] = {0.0: "none", JOLT_SPECULATIVE: f"Jolt, Box3D: {JOLT_SPECULATIVE}"}
"""Names of the distances at which engines make contacts before bodies touch."""

_nonzero = refused_unless(lambda value: value != 0.0, "A direction has numbers that are not all zero.")
LABEL_EMS = 9.5


class AlgorithmSettingsPanel(Docked):
    """The panel of all settings of the algorithms; it keeps unfinished input between frames."""

    def __init__(self) -> None:
        self._fields: dict[str, NumberField] = {}
        self._parts = tuple(NumberField() for _ in range(3))

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the settings that apply in the scene's dimension; every change applies at once."""
        _draw_head(ui, ask)
        without_effect = WITHOUT_EFFECT[ui.document.scene.dimension]
        for title, all_rows in GROUPS.items():
            rows = [row for row in all_rows if row.path not in without_effect]
            if rows:
                imgui.separator_text(title)
                if (term := term_of(title.removesuffix("s"))) is not None:
                    explain(definition(term))
            for row in rows:
                self._draw_row(ui, row, ask)
            paths = {row.path for row in rows}
            say_refusals([field for name, field in self._fields.items() if name in paths], ui.theme)
            if title == "GJK":
                say_refusals(list(self._parts), ui.theme)
            scene = ui.document.scene
            if title == "Contacts" and (why := refusal(ui.algorithm_settings.preference, scene.a, scene.b)):
                say(why, ui.theme.overlap)

    def _draw_row(self, ui: PanelState, row: SettingRow, ask: Ask) -> None:
        path, dimension = row.path, ui.document.scene.dimension
        value, default = setting_at(acting(ui.algorithm_settings, dimension), path), setting_at(DEFAULT_SETTINGS, path)
        imgui.push_id(path)
        imgui.align_text_to_frame_padding()
        write(row.name, ui.theme.dim_text if value == default else ui.theme.text)
        explain(f"{row.note}\nDefault: {setting_words(default)}")
        imgui.same_line(LABEL_EMS * em())
        back = "↺"
        room = imgui.get_content_region_avail().x - button_width(back) - imgui.get_style().item_spacing.x
        changed = self._draw_field(row, value, max(room, 3.0 * em()), dimension)
        if changed != value:
            ask.tune(with_setting(ui.algorithm_settings, path, changed))
        if value != default:
            imgui.same_line()
            if imgui.button(back):
                ask.tune(with_setting(ui.algorithm_settings, path, default))
            explain(f"Default: {setting_words(default)}")
        imgui.pop_id()

    def _draw_field(self, row: SettingRow, value: object, width: float, dimension: int) -> object:
        """Draws the widget for the setting's kind of value; returns the value after this frame."""
        path = row.path
        if isinstance(value, bool):
            return imgui.checkbox("##on", value)[1]
        if path == "rounded":
            return _choice(value, {"core": "core plus radius", "full": "full support"}, width)
        if path == "gjk.sub_distance":
            return _choice(value, {member: str(member.value) for member in SubDistance}, width)
        if path == "preference":
            return _choice(value, {member: str(member.value) for member in POLICIES[dimension]}, width)
        if path == "gjk.first_direction":
            return self._draw_direction(value, width, dimension)
        if path == "contacts.speculative":
            return self._draw_distance(row, value, width)
        assert row.limit is not None
        field = self._fields.setdefault(path, NumberField())
        if isinstance(value, int):
            typed = field.draw("##number", float(value), width, row.limit)
            return value if typed is None else int(typed)
        assert isinstance(value, float)
        typed = field.draw("##number", value, width, row.limit)
        return value if typed is None else typed

    def _draw_distance(self, row: SettingRow, value: object, width: float) -> object:
        """Draws a combo box of named distances, with a number field below for any other; returns the value."""
        other = next(guess for guess in (0.05, 0.1) if guess != value) if value in SPECULATIVE else value
        chosen = _choice(value, SPECULATIVE | {other: OTHER}, width)
        if chosen in SPECULATIVE or chosen != value:
            return chosen
        assert isinstance(value, float)
        assert row.limit is not None
        imgui.dummy(imgui.ImVec2(0.0, 0.0))
        imgui.same_line(LABEL_EMS * em())
        typed = self._fields.setdefault(row.path, NumberField()).draw("##far", value, width, row.limit)
        return value if typed is None else typed

    def _draw_direction(self, value: object, width: float, dimension: int) -> object:
        """Draws a combo box of named directions; for any other also `dimension` number fields below."""
        named: dict[object, str] = {w: name for w, name in DIRECTION_WORDS.items() if w is None or any(w[:dimension])}
        diagonal = tuple(float(axis < dimension) for axis in range(3))
        chosen = _choice(value, named | {diagonal: OTHER}, width)
        if chosen != value or not isinstance(value, tuple) or value in named:
            return chosen
        part = (width - (dimension - 1.0) * imgui.get_style().item_spacing.x) / dimension
        imgui.dummy(imgui.ImVec2(0.0, 0.0))
        for k, field in enumerate(self._parts[:dimension]):
            imgui.same_line(LABEL_EMS * em() if k == 0 else 0.0)
            rest = any(other != 0.0 for other in (*value[:k], *value[k + 1 :]))
            typed = field.draw(f"##part{k}", value[k], part, (lambda _: "") if rest else _nonzero)
            if typed is not None:
                return (*value[:k], typed, *value[k + 1 :])
        return value


def _draw_head(ui: PanelState, ask: Ask) -> None:
    say(
        "For the steps and the comparison. The verdict over the picture always uses the defaults.",
        ui.theme.dim_text,
    )
    if usable_button("All defaults", ui.algorithm_settings != DEFAULT_SETTINGS):
        ask.tune(DEFAULT_SETTINGS)
    if ui.query is None:
        flow(imgui.calc_text_size("The timeline is closed.").x)
        imgui.text_disabled("The timeline is closed.")
        explain("Open it (T) to see what a setting does, step by step.")


def _choice(value: object, titles: Mapping[object, str], width: float) -> object:
    """Draws a combo box of named values; returns the chosen one. `setting_words` shows a value without a name."""
    return choice("##choice", titles, value, width, titles.get(value) or setting_words(value))


class ChangedSettingsChip:
    """The chip at the top left under the verdict, in a conspicuous colour; a click resets every setting."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the chip; nothing if every setting that acts in the scene's dimension has its default."""
        dimension = ui.document.scene.dimension
        changed = changed_settings(acting(ui.algorithm_settings, dimension))
        if not changed:
            return
        ground = mixed(ui.theme.winner, ui.theme.background_top, 0.1)
        tip = "The steps and the comparison use these settings. Click to restore the defaults."
        words = Words(
            chip_words(changed, dimension), readable_on(ground), tip, press=lambda ask: ask.tune(DEFAULT_SETTINGS)
        )
        widest = max(8.0 * em(), ui.viewport.width - 4.0 * MARGIN_EMS * em()) + 1.4 * em()
        card = Card(CHIP_WINDOW, [words], widest, padding=(0.7, 0.35), ground=ground, alpha=0.95)
        draw_under_titles(ui.viewport, card, ask)


def chip_words(changed: tuple[ChangedSetting, ...], dimension: int = 3) -> str:
    """`Settings changed: EPA iteration limit 2, curved shapes as full support ×`.

    `dimension`: the number of components shown of a direction.
    """
    listed = ", ".join(f"{setting.name} {setting_words(setting.value, dimension)}" for setting in changed)
    return f"{'Setting' if len(changed) == 1 else 'Settings'} changed: {listed}   ×"
