"""The controls of single precision, below the table of answers.

They choose the frame of the float32 numbers, the bodies' distance from the origin, and whether the steps of GJK and EPA
are in float32.
"""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from core.analysis.algorithm_settings import with_setting
from core.analysis.analysis import Analysis
from core.float32 import farthest_coordinate, spacing_at
from core.pair.pair import PairScale
from core.query.query import GJK_EPA, Query
from core.study.lab.side_by_side import FLOAT32, AnswerRow

from ..stages.single import run_words
from ..state.ask import Ask
from ..state.away import power_below, slider_distances
from ..state.panel_state import PanelState
from ..words.digits import plain, tolerance
from .text import explain, say
from .widgets import button_width

WORLD = "float32 in the world's frame"
SINGLE_STEP, DOUBLE_AGAIN = "Step in single precision", "Step in double again"


def draw_single(ui: PanelState, asked: Query, rows: Sequence[AnswerRow], ask: Ask) -> None:
    """Draws the checkbox of the frame, the slider of the distance, and a text on the digits that are left.

    A pair with support maps also gets the button that puts the float32 steps of GJK and EPA on the timeline. `rows`:
    the table's, by several methods and in both precisions.
    """
    settings = ui.algorithm_settings.single
    changed, world = imgui.checkbox(WORLD, settings.world)
    explain("As many engines compute. Otherwise relative to A's position, which keeps more digits far from the origin.")
    if changed:
        ask.tune(with_setting(ui.algorithm_settings, "single.world", world))
    _draw_slider(ui, asked.analysis, ask)
    say(left_words(asked, rows), ui.theme.dim_text)
    if asked.support_maps is None:
        return
    label = DOUBLE_AGAIN if settings.steps else SINGLE_STEP
    if imgui.button(label):
        ask.invoke("steps.single")
    explain("GJK and EPA on the timeline, with float32 numbers. The first step that differs from double's is marked.")
    if settings.steps and (words := run_words(asked)):
        say(words)


def _draw_slider(ui: PanelState, analysis: Analysis, ask: Ask) -> None:
    stops, away = slider_distances(analysis.scene), ui.algorithm_settings.single.away
    index = min(range(len(stops)), key=lambda k: abs(stops[k] - away))
    label = "Away from the origin"
    spacing = imgui.get_style().item_inner_spacing.x
    room = imgui.get_content_region_avail().x - imgui.calc_text_size(label).x - spacing
    under = room < button_width("1 000 000 units")
    if under:
        imgui.text_unformatted(label)
    imgui.set_next_item_width(imgui.get_content_region_avail().x if under else room)
    shown = f"{plain(away)} {'unit' if away == 1.0 else 'units'}" if away else "as it stands"
    flags = imgui.SliderFlags_.no_input | imgui.SliderFlags_.always_clamp
    changed, chosen = imgui.slider_int("##away" if under else label, index, 0, len(stops) - 1, shown, flags)
    explain(
        "For single precision alone, both bodies are moved so far along each axis before their positions are rounded. "
        "The scene stays as it is."
    )
    if changed and stops[chosen] != away:
        ask.tune(with_setting(ui.algorithm_settings, "single.away", stops[chosen]))


def left_words(asked: Query, rows: Sequence[AnswerRow]) -> str:
    """The text below the slider on what float32 loses.

    The text has the spacing of float32 at the farthest coordinate and the digits left of the larger body. If `rows` has
    GJK and EPA's separation in both precisions, the text also has the difference. If float32 cannot have a coordinate
    of that size, the text only says so.
    """
    scene, settings = asked.analysis.scene, asked.settings.single
    farthest = farthest_coordinate(scene, settings.away)
    larger = PairScale.of(scene.a, scene.b).largest_radius
    if not (spacing := spacing_at(farthest)) < float("inf"):
        return "No float32 is as large as these positions."
    digits = max(0, power_below(larger / spacing)) if larger > spacing > 0.0 else 0
    of = "one digit is" if digits == 1 else f"{digits or 'no'} digits are"
    apart = f"Positions reach {plain(farthest)}, where floats are {tolerance(spacing)} units apart"
    words = f"{apart}: {of} left of the larger body."
    row = next((row for row in rows if row.precision == FLOAT32 and row.phase in GJK_EPA), None)
    double = next((row for row in rows if row.precision != FLOAT32 and row.phase in GJK_EPA), None)
    if row is None or double is None or row.separation is None or double.separation is None:
        return words
    return f"{words} GJK and EPA are off by {tolerance(abs(row.separation - double.separation))}."
