"""Questions that must be answered before anything else, and the box that says what this program is."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.panel_state import PanelState, Pending
from ..state.requests import Answer
from .panel import Ask
from .widgets import FLOATING, button_width, centred, em, enter_pressed, flow, say

QUESTION_EMS = 30.0
ABOUT = (
    "Separatrix shows what collision algorithms think: the candidate axes of the separating axis theorem with both "
    "projections, the way out, the Minkowski difference around the origin, and the contact vertices.",
    "Drag two convex bodies and watch. Every number says how it is known; when two algorithms disagree, so does the "
    "verdict line.",
)
SOURCES = (
    "Gottschalk, Lin, Manocha: OBBTree (1996), the fifteen axes.",
    "Gregorius: The Separating Axis Test between Convex Polyhedra (GDC 2013), the Gauss map.",
    "Ericson: Real-Time Collision Detection (2005).",
)


class Question:
    """The question that is pending, as a modal: the first choice answers Enter, the last one Escape."""

    def __init__(self) -> None:
        self._asked: Pending | None = None

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Nothing while no question is pending."""
        title = f"{ui.pending.title}###question" if ui.pending is not None else "###question"
        appearing = ui.pending is not None and ui.pending != self._asked
        self._asked = ui.pending
        if ui.pending is not None and not imgui.is_popup_open("###question"):
            imgui.open_popup("###question")
        width = min(QUESTION_EMS * em(), 0.94 * imgui.get_main_viewport().work_size.x)
        centred(QUESTION_EMS, 0.0, imgui.Cond_.always)
        imgui.set_next_window_size(ImVec2(width, 0.0), imgui.Cond_.always)
        flags = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
        if not imgui.begin_popup_modal(title, None, flags)[0]:
            return
        if ui.pending is None:
            imgui.close_current_popup()
        else:
            _draw_question(ui.pending, appearing, ask)
        imgui.end_popup()


def _draw_question(pending: Pending, appearing: bool, ask: Ask) -> None:
    say(pending.message)
    imgui.dummy(ImVec2(0.0, 0.3 * em()))
    answer = None
    for k, choice in enumerate(pending.choices):
        if k:
            flow(button_width(choice.label))
        else:
            imgui.push_style_color(imgui.Col_.button, imgui.get_color_u32(imgui.Col_.button_active))
        if imgui.button(f"{choice.label}##{choice.id}"):
            answer = choice.id
        if not k:
            imgui.pop_style_color()
    # The key press that brought the question up must not answer it.
    if answer is None and not appearing and pending.choices:
        if enter_pressed():
            answer = pending.choices[0].id
        elif imgui.is_key_pressed(imgui.Key.escape, False):
            answer = pending.choices[-1].id
    if answer is not None:
        ask.append(Answer(answer))


class About:
    """What this is and where its ideas come from."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Shown while `dialogs.about` is set."""
        if not ui.dialogs.about:
            return
        centred(32.0, 0.0)
        shown, still_open = imgui.begin("About Separatrix###about", True, FLOATING | imgui.WindowFlags_.no_resize)
        if shown:
            for paragraph in ABOUT:
                say(paragraph)
            imgui.separator_text("After")
            for source in SOURCES:
                say(source, ui.theme.dim_text)
            say("MIT licence.", ui.theme.dim_text)
        imgui.end()
        ui.dialogs.about = bool(still_open)
