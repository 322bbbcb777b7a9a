"""The knobs of GJK, EPA and the contact manifold, live; defaults one click away."""

from __future__ import annotations

from collections.abc import Mapping

from imgui_bundle import imgui

from core.analysis.knobs import DEFAULT_KNOBS, KNOB_NAMES, STRANGE, acting, knob, with_knob
from core.contact.face_preference import FacePreference
from core.gjk.simplex import SubDistance
from core.scene import Triple

from ..state.panel_state import PanelState
from ..state.requests import Tune
from .knob_words import value_words
from .number_field import NumberField, say_refusals
from .panel import Ask, Docked
from .widgets import button_width, coloured, em, explain, flow, say

NOTES = {
    "gjk.gap": "Bounds this close have met: a fraction of the pair's extent. Larger: sooner, and less sure.",
    "gjk.certified": "A number is called certified when its bounds lie within this fraction of the larger body.",
    "gjk.feature_direction": "Below this distance, a fraction of the larger body, the direction comes from the "
    "simplex's feature: that of the nearest point is noise there.",
    "gjk.iterations": "After so many GJK gives what bounds it has.",
    "gjk.sub_distance": "How the point of a simplex nearest the origin is found: by Voronoi regions or signed volumes.",
    "gjk.first_direction": "Along which the first support point is sought.",
    "epa.gap": "Bounds this close have met: a fraction of the pair's extent.",
    "epa.certified": "A depth is called certified when its bounds lie within this fraction of the larger body.",
    "epa.iterations": "After so many expansions EPA gives the best face it has: curved bodies never end by themselves.",
    "rounded": "Spheres and capsules as a point or a segment with the radius kept apart, or as curved like others.",
    "warm_start": "GJK begins with the directions of the last query's simplex: few steps while a body is dragged.",
    "preference": "By which policy contacts are made: tolerant counts nearly flat faces as flat, exact does not, the "
    "engines' rules choose the axis that contacts are built on.",
    "contacts.alpha": "Faces this close to square are flat, in radians. For the policy tolerant.",
    "contacts.delta": "Where the surfaces are at most this far apart there is a contact: a fraction of the smaller "
    "body's largest half extent.",
    "reduce": "Of more contacts the four that matter most are kept.",
    "build": "The difference is built by hand first: all vertex differences, then the hull about them.",
    "mpr": "MPR is stepped through after EPA: its portals follow the ray through both centres.",
    "faces_only": "SAT tries no product of edges, as an engine's manual has it: of bodies that only an edge axis "
    "separates it says that they meet.",
    "article": "In a scene of the plane: an article's GJK in two dimensions, stepped through before ours.",
    "third_point": "The article turns a triangle's perpendicular by the third point itself; right is by the third "
    "point as seen from the edge.",
}
"""What each knob does, on hover."""

DIRECTIONS: dict[str, Triple | None] = {
    "towards B": None,
    "+x": (1.0, 0.0, 0.0),
    "−x": (-1.0, 0.0, 0.0),
    "+y": (0.0, 1.0, 0.0),
    "−y": (0.0, -1.0, 0.0),
    "+z": (0.0, 0.0, 1.0),
    "−z": (0.0, 0.0, -1.0),
}

OTHER = "other …"

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("GJK", tuple(path for path in KNOB_NAMES if path.startswith("gjk."))),
    ("EPA", tuple(path for path in KNOB_NAMES if path.startswith("epa."))),
    ("Bodies and start", ("rounded", "warm_start")),
    ("Contacts", ("preference", "contacts.alpha", "contacts.delta", "reduce")),
    ("Difference", ("build",)),
    ("MPR", ("mpr",)),
    ("SAT", ("faces_only",)),
    ("The plane", ("article", "third_point")),
)

SHORT = {
    "gjk.feature_direction": "feature direction",
    "gjk.certified": "certified within",
    "epa.certified": "certified within",
    "reduce": "at most four",
    "build": "built by hand",
    "mpr": "beside EPA",
    "faces_only": "faces alone",
    "article": "article's GJK",
    "third_point": "third point",
}
"""Names that the heading over them makes shorter."""

MOST_ITERATIONS = 10_000
LABEL_EMS = 9.5


class KnobPanel(Docked):
    """Every knob of the algorithms. Remembers what is half typed."""

    def __init__(self) -> None:
        self._fields: dict[str, NumberField] = {}
        self._parts = tuple(NumberField() for _ in range(3))

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Every change takes hold at once."""
        _draw_head(ui, ask)
        strange = STRANGE[ui.document.scene.dimension]
        for title, all_paths in GROUPS:
            paths = tuple(path for path in all_paths if path not in strange)
            if paths:
                imgui.separator_text(title)
            for path in paths:
                self._draw_row(ui, path, ask)
            say_refusals([field for name, field in self._fields.items() if name in paths], ui.theme)
            if title == "GJK":
                say_refusals(list(self._parts), ui.theme)

    def _draw_row(self, ui: PanelState, path: str, ask: Ask) -> None:
        dimension = ui.document.scene.dimension
        value, default = knob(acting(ui.knobs, dimension), path), knob(DEFAULT_KNOBS, path)
        imgui.push_id(path)
        imgui.align_text_to_frame_padding()
        name = SHORT.get(path) or KNOB_NAMES[path].removeprefix("GJK ").removeprefix("EPA ")
        with coloured(ui.theme.dim_text if value == default else ui.theme.text):
            imgui.text_unformatted(name)
        explain(f"{NOTES[path]}\nDefault: {value_words(default)}")
        imgui.same_line(LABEL_EMS * em())
        back = "↺"
        room = imgui.get_content_region_avail().x - button_width(back) - imgui.get_style().item_spacing.x
        changed = self._draw_field(path, value, max(room, 3.0 * em()), dimension)
        if changed != value:
            ask.append(Tune(with_knob(ui.knobs, path, changed)))
        if value != default:
            imgui.same_line()
            if imgui.button(back):
                ask.append(Tune(with_knob(ui.knobs, path, default)))
            explain(f"Default: {value_words(default)}")
        imgui.pop_id()

    def _draw_field(self, path: str, value: object, width: float, dimension: int) -> object:
        """The widget that suits the value; the value after this frame."""
        if isinstance(value, bool):
            return imgui.checkbox("##on", value)[1]
        if path == "rounded":
            return _choice(value, {"core plus radius": "core", "full support": "full"}, width)
        if path == "gjk.sub_distance":
            return _choice(value, {str(member.value): member for member in SubDistance}, width)
        if path == "preference":
            return _choice(value, {str(member.value): member for member in FacePreference}, width)
        if path == "gjk.first_direction":
            return self._draw_direction(value, width, dimension)
        field = self._fields.setdefault(path, NumberField())
        if isinstance(value, int):
            typed = field.draw("##number", float(value), width, _count)
            return value if typed is None else int(typed)
        assert isinstance(value, float)
        typed = field.draw("##number", value, width, _fraction)
        return value if typed is None else typed

    def _draw_direction(self, value: object, width: float, dimension: int) -> object:
        """A choice; under it three numbers, in the plane two, where it is none of those with a name."""
        named = {name: way for name, way in DIRECTIONS.items() if way is None or any(way[:dimension])}
        diagonal = tuple(float(axis < dimension) for axis in range(3))
        chosen = _choice(value, named | {OTHER: diagonal}, width)
        if chosen != value or not isinstance(value, tuple) or value in named.values():
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
    """What the knobs are about, and the way back."""
    say(
        "For the steps and the answers side by side. The verdict over the picture always uses the defaults.",
        ui.theme.dim_text,
    )
    imgui.begin_disabled(ui.knobs == DEFAULT_KNOBS)
    if imgui.button("All defaults"):
        ask.append(Tune(DEFAULT_KNOBS))
    imgui.end_disabled()
    if ui.query is None:
        flow(imgui.calc_text_size("The timeline is closed.").x)
        imgui.text_disabled("The timeline is closed.")
        explain("Open it (T) to see what a knob does step by step.")


def _choice(value: object, options: Mapping[str, object], width: float) -> object:
    """A combo of named values; a value that is none of them stands there by itself."""
    current = next((name for name, option in options.items() if option == value), value_words(value))
    imgui.set_next_item_width(width)
    if imgui.begin_combo("##choice", current):
        for name, option in options.items():
            if imgui.selectable(name, name == current)[0]:
                value = option
        imgui.end_combo()
    return value


def _count(value: float) -> str:
    if value != int(value) or not 1.0 <= value <= MOST_ITERATIONS:
        return f"A whole number from 1 to {MOST_ITERATIONS:,} is needed."
    return ""


def _nonzero(value: float) -> str:
    return "" if value != 0.0 else "A direction has numbers that are not all zero."


def _fraction(value: float) -> str:
    return "" if 0.0 <= value < 1.0 else "A fraction from 0 to below 1 is needed."
