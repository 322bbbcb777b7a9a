"""The settings of GJK, EPA, the contacts and the other algorithms. Changes apply at once; a button resets each.

A chip over the viewport names every changed setting, so that no step is mistaken for one with default settings.
"""

from __future__ import annotations

from collections.abc import Mapping

from imgui_bundle import imgui

from core.analysis.algorithm_settings import (
    DEFAULT_SETTINGS,
    SETTING_NAMES,
    WITHOUT_EFFECT,
    ChangedSetting,
    acting,
    changed_settings,
    setting_at,
    with_setting,
)
from core.contact.policies.jolt import SPECULATIVE as JOLT_SPECULATIVE
from core.contact.policies.policy import ContactPolicy
from core.gjk.simplex import SubDistance
from core.scene import Triple

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
from .text import em, explain, flow, say, write
from .viewport_top import MARGIN, draw_under_titles
from .widgets import button_width, choice, usable_button


def value_words(value: object, dimension: int = 3) -> str:
    """A setting's value in words: `128`, `1e−10`, `on`, `(1, 0, 0)`, `signed volumes`; None is `towards B`."""
    if value is None:
        return "towards B"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return tabular(value)
    if isinstance(value, tuple):
        return short_vector(value[:dimension])
    return "full support" if value == "full" else str(value)


NOTES = {
    "gjk.gap": "GJK stops when its bounds are this close (fraction of the pair's size). Larger is faster and less "
    "precise.",
    "gjk.certified": "A number is called certified if its bounds agree within this fraction of the larger body.",
    "gjk.iterations": "GJK stops after this many iterations and returns the bounds it has.",
    "gjk.sub_distance": "Method for the simplex point nearest the origin: Voronoi regions or signed volumes.",
    "gjk.first_direction": "GJK looks for its first support point along this direction.",
    "epa.gap": "EPA stops when its bounds are this close (fraction of the pair's size). Larger is faster and less "
    "precise.",
    "epa.certified": "A depth is called certified if its bounds agree within this fraction of the larger body.",
    "epa.iterations": "EPA stops after this many expansions and returns its nearest face. With curved bodies it "
    "would never end.",
    "rounded": "GJK and EPA work on cores and add the radii at the end, or on the curved shapes themselves.",
    "warm_start": "GJK starts in the directions of the previous run's simplex. This saves steps while you drag a body.",
    "preference": 'How contacts are made. "Tolerant" counts nearly flat faces as flat, "exact" does not. Jolt is '
    "rebuilt from its source (5.5.0). Of ODE, FCL, Bullet, Box3D and MuJoCo only the choice between face and edges is "
    "theirs, and exact clips. PhysX and Box2D are left out.",
    "contacts.alpha": "Faces this close to perpendicular to the normal count as flat, in radians. For the policy "
    '"tolerant".',
    "contacts.delta": "Surfaces at most this far apart are in contact (fraction of the smaller body's largest half "
    "extent).",
    "contacts.speculative": "Bodies at most this far apart, in scene units, have hollow contacts before they touch, as "
    "in engines. Jolt's mSpeculativeContactDistance and Box3D's B3_SPECULATIVE_DISTANCE are 0.02 m.",
    "reduce": "Keep at most four contacts.",
    "build": "Adds steps that build the difference by hand: all vertex differences, then their hull.",
    "mpr": "Adds the steps of MPR after EPA: its portals follow the ray through both centres.",
    "faces_only": "SAT skips all edge pairs. Bodies that only an edge axis separates are then reported as overlapping.",
    "article": "In 2D: adds the steps of an article's GJK before ours.",
    "single.steps": "The steps of GJK and EPA are those in single precision (float32). The timeline marks where they "
    "part from double's.",
    "single.world": "Single precision computes in the world's frame, as many engines do. Otherwise it computes "
    "relative to A's position, which keeps more digits far from the origin.",
    "single.away": "Before their positions are rounded to float32, both bodies are moved so far along each axis, in "
    "scene units. The scene itself stays.",
    "third_point": "The article turns a triangle's perpendicular by the third point itself. Correct is by the third "
    "point as seen from the edge.",
}
"""A sentence on each setting, shown as its tooltip."""

DIRECTIONS: dict[Triple | None, str] = {
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

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("GJK", tuple(path for path in SETTING_NAMES if path.startswith("gjk."))),
    ("EPA", tuple(path for path in SETTING_NAMES if path.startswith("epa."))),
    ("Bodies and start", ("rounded", "warm_start")),
    ("Contacts", ("preference", "contacts.alpha", "contacts.delta", "contacts.speculative", "reduce")),
    ("Difference", ("build",)),
    ("MPR", ("mpr",)),
    ("SAT", ("faces_only",)),
    ("Single precision", tuple(path for path in SETTING_NAMES if path.startswith("single."))),
    ("2D", ("article", "third_point")),
)

SHORT = {
    "gjk.certified": "certified within",
    "epa.certified": "certified within",
    "contacts.speculative": "speculative",
    "reduce": "at most four",
    "build": "built by hand",
    "mpr": "beside EPA",
    "faces_only": "faces alone",
    "article": "article's GJK",
    "third_point": "third point",
    "single.steps": "GJK and EPA",
    "single.world": "the world's frame",
    "single.away": "from the origin",
}
"""Names shortened because a heading stands above them."""
MOST_ITERATIONS = 10_000
FARTHEST = 1e12
"""Scene units that bodies may be moved from the origin."""
_count = refused_unless(
    lambda value: value == int(value) and 1.0 <= value <= MOST_ITERATIONS,
    f"A whole number from 1 to {MOST_ITERATIONS:,} is needed.",
)
_nonzero = refused_unless(lambda value: value != 0.0, "A direction has numbers that are not all zero.")
_distance = refused_unless(lambda value: value >= 0.0, "A distance of 0 or more is needed.")
_offset = refused_unless(
    lambda value: 0.0 <= value <= FARTHEST, f"A distance from 0 to {FARTHEST:,.0f} scene units is needed."
)
_fraction = refused_unless(lambda value: 0.0 <= value < 1.0, "A fraction from 0 to below 1 is needed.")
LABEL_EMS = 9.5


class AlgorithmSettingsPanel(Docked):
    """The panel of all settings of the algorithms; keeps unfinished input."""

    def __init__(self) -> None:
        self._fields: dict[str, NumberField] = {}
        self._parts = tuple(NumberField() for _ in range(3))

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the settings that apply in the scene's dimension; every change applies at once."""
        _draw_head(ui, ask)
        without_effect = WITHOUT_EFFECT[ui.document.scene.dimension]
        for title, all_paths in GROUPS:
            paths = tuple(path for path in all_paths if path not in without_effect)
            if paths:
                imgui.separator_text(title)
                if (term := term_of(title.removesuffix("s"))) is not None:
                    explain(definition(term))
            for path in paths:
                self._draw_row(ui, path, ask)
            say_refusals([field for name, field in self._fields.items() if name in paths], ui.theme)
            if title == "GJK":
                say_refusals(list(self._parts), ui.theme)

    def _draw_row(self, ui: PanelState, path: str, ask: Ask) -> None:
        dimension = ui.document.scene.dimension
        value, default = setting_at(acting(ui.algorithm_settings, dimension), path), setting_at(DEFAULT_SETTINGS, path)
        imgui.push_id(path)
        imgui.align_text_to_frame_padding()
        name = SHORT.get(path) or SETTING_NAMES[path].removeprefix("GJK ").removeprefix("EPA ")
        write(name, ui.theme.dim_text if value == default else ui.theme.text)
        explain(f"{NOTES[path]}\nDefault: {value_words(default)}")
        imgui.same_line(LABEL_EMS * em())
        back = "↺"
        room = imgui.get_content_region_avail().x - button_width(back) - imgui.get_style().item_spacing.x
        changed = self._draw_field(path, value, max(room, 3.0 * em()), dimension)
        if changed != value:
            ask.tune(with_setting(ui.algorithm_settings, path, changed))
        if value != default:
            imgui.same_line()
            if imgui.button(back):
                ask.tune(with_setting(ui.algorithm_settings, path, default))
            explain(f"Default: {value_words(default)}")
        imgui.pop_id()

    def _draw_field(self, path: str, value: object, width: float, dimension: int) -> object:
        """Draws a widget for the kind of value; returns the value after this frame."""
        if isinstance(value, bool):
            return imgui.checkbox("##on", value)[1]
        if path == "rounded":
            return _choice(value, {"core": "core plus radius", "full": "full support"}, width)
        if path == "gjk.sub_distance":
            return _choice(value, {member: str(member.value) for member in SubDistance}, width)
        if path == "preference":
            return _choice(value, {member: str(member.value) for member in ContactPolicy}, width)
        if path == "gjk.first_direction":
            return self._draw_direction(value, width, dimension)
        if path == "contacts.speculative":
            return self._draw_distance(value, width)
        field = self._fields.setdefault(path, NumberField())
        if isinstance(value, int):
            typed = field.draw("##number", float(value), width, _count)
            return value if typed is None else int(typed)
        assert isinstance(value, float)
        typed = field.draw("##number", value, width, _offset if path == "single.away" else _fraction)
        return value if typed is None else typed

    def _draw_distance(self, value: object, width: float) -> object:
        """Draws a choice of none, the engines' distances by name, or a number."""
        other = next(guess for guess in (0.05, 0.1) if guess != value) if value in SPECULATIVE else value
        chosen = _choice(value, SPECULATIVE | {other: OTHER}, width)
        if chosen in SPECULATIVE or chosen != value:
            return chosen
        assert isinstance(value, float)
        imgui.dummy(imgui.ImVec2(0.0, 0.0))
        imgui.same_line(LABEL_EMS * em())
        typed = self._fields.setdefault("contacts.speculative", NumberField()).draw("##far", value, width, _distance)
        return value if typed is None else typed

    def _draw_direction(self, value: object, width: float, dimension: int) -> object:
        """Draws a choice of named directions, and for any other direction number fields below, three or in 2D two."""
        named: dict[object, str] = {w: name for w, name in DIRECTIONS.items() if w is None or any(w[:dimension])}
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
    """A combo of named values; a value without a name is shown as it is."""
    return choice("##choice", titles, value, width, titles.get(value) or value_words(value))


class ChangedSettingsChip:
    """The chip at the top left under the verdict, in a conspicuous colour; a click resets every setting."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws nothing while all settings that act on the scene have their defaults."""
        dimension = ui.document.scene.dimension
        changed = changed_settings(acting(ui.algorithm_settings, dimension))
        if not changed:
            return
        ground = mixed(ui.theme.winner, ui.theme.background_top, 0.1)
        tip = "The steps and the comparison use these settings. Click to restore the defaults."
        words = Words(
            chip_words(changed, dimension), readable_on(ground), tip, press=lambda ask: ask.tune(DEFAULT_SETTINGS)
        )
        widest = max(8.0 * em(), ui.viewport.width - 4.0 * MARGIN * em()) + 1.4 * em()
        card = Card(CHIP_WINDOW, [words], widest, padding=(0.7, 0.35), ground=ground, alpha=0.95)
        draw_under_titles(ui.viewport, card, ask)


def chip_words(changed: tuple[ChangedSetting, ...], dimension: int = 3) -> str:
    """`Settings changed: EPA iteration limit 2, curved shapes as full support ×`; directions have `dimension` parts."""
    listed = ", ".join(f"{setting.name} {value_words(setting.value, dimension)}" for setting in changed)
    return f"{'Setting' if len(changed) == 1 else 'Settings'} changed: {listed}   ×"
