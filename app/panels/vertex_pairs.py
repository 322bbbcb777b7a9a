"""The table of a scene of the plane: for every pair of vertices their difference and their sum, and where it lies."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.articles.worked_example import slips_about
from core.geometry.vec2 import Vec2
from core.minkowski.plane import MinkowskiPolygon, PairPlace, VertexPair, minkowski_sum
from core.scene import Scene

from ..draw.draw_list import Subject
from ..draw.theme import faded
from ..state.panel_state import PanelState
from ..state.requests import Look, Point
from ..words.axis_words import MINUS
from .numbers import vector17
from .panel import Ask, Docked
from .widgets import copies_on_click, explain, on_item, say, u32, write

PAIR = "pair"
"""Kind of the subjects that are pairs of vertices."""
PLACES = {
    PairPlace.CORNER: "A corner of A − B: the farthest point in some direction.",
    PairPlace.EDGE: "On an edge of A − B, but no corner.",
    PairPlace.INSIDE: "Inside A − B: no algorithm ever needs it.",
}


class VertexPairs(Docked):
    """The docked panel, there while a scene of the plane is."""

    def __init__(self) -> None:
        self._analysis: Analysis | None = None
        self._sum: MinkowskiPolygon | None = None

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """How many there are, the article's slips, and the table."""
        analysis = ui.analysis
        if analysis.polygon is None:
            return
        if analysis is not self._analysis or self._sum is None:
            scene = analysis.scene
            self._analysis, self._sum = analysis, minkowski_sum(scene.a, scene.b)
        table = analysis.polygon.table
        corners = len({pair.corner for pair in table if pair.corner is not None})
        made = f"{len(table):,} pairs, whose differences make {corners:,} corners of A {MINUS} B."
        say(f"{made} Click a row to keep it lit.", ui.theme.dim_text)
        for sentence in slip_words(analysis.scene):
            say(sentence, ui.theme.overlap)
        self._draw_table(ui, table, self._sum.table, ask)

    def _draw_table(
        self, ui: PanelState, differences: tuple[VertexPair, ...], sums: tuple[VertexPair, ...], ask: Ask
    ) -> None:
        flags = imgui.TableFlags_.scroll_y | imgui.TableFlags_.borders_inner_h
        if not imgui.begin_table("pairs", 4, flags, ImVec2(0.0, 0.0)):
            return
        imgui.table_setup_scroll_freeze(0, 1)
        # The last vertices have the longest names.
        widest = max(imgui.calc_text_size(text).x for text in ("pair", differences[-1].name))
        imgui.table_setup_column("pair", imgui.TableColumnFlags_.width_fixed, widest)
        for title, weight in ((f"a {MINUS} b", 2.3), ("a + b", 2.2), ("place", 0.9)):
            imgui.table_setup_column(title, imgui.TableColumnFlags_.width_stretch, weight)
        imgui.table_headers_row()
        clipper = imgui.ListClipper()
        clipper.begin(len(differences))
        while clipper.step():
            for number in range(clipper.display_start, clipper.display_end):
                _draw_row(ui, number, differences[number], sums[number], ask)
        imgui.end_table()


def slip_words(scene: Scene) -> tuple[str, ...]:
    """What the article's own table has printed otherwise, where the scene is its example; sentences."""
    return tuple(
        f"The article prints {slip.pair} as {_short(slip.printed)}: a slip. {slip.why.replace('-', MINUS)}"
        for slip in slips_about(scene)
    )


def _short(point: Vec2) -> str:
    """Four digits: the rest is on the clipboard."""
    return "(" + ", ".join(f"{value + 0.0:.4g}".replace("-", MINUS) for value in point) + ")"


def _draw_row(ui: PanelState, number: int, difference: VertexPair, total: VertexPair, ask: Ask) -> None:
    subject = Subject(PAIR, number)
    imgui.table_next_row()
    if subject in (ui.view.hover, ui.view.pin):
        share = 0.26 if subject == ui.view.pin else 0.16
        imgui.table_set_bg_color(imgui.TableBgTarget_.row_bg0, u32(faded(ui.theme.hover, share)))
    imgui.table_next_column()
    span = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap
    clicked, _ = imgui.selectable(f"##{number}", False, span, ImVec2(0.0, imgui.get_text_line_height()))
    if on_item():
        ask.append(Point(subject))
    explain(f"{difference.name} = A.v{difference.vertex_a} {MINUS} B.v{difference.vertex_b}")
    imgui.same_line(0.0, 0.0)
    write(difference.name, ui.theme.winner if difference.corner is not None else ui.theme.text)
    copied = False
    for pair, what in ((difference, f"difference {difference.name}"), (total, f"sum {difference.name}")):
        imgui.table_next_column()
        imgui.text_unformatted(_short(pair.point))
        copies_on_click(vector17(pair.point), what, ask)
        copied = copied or on_item()
    imgui.table_next_column()
    imgui.text_disabled(difference.place.value)
    explain(PLACES[difference.place])
    if clicked and not copied:
        ask.append(Look(replace(ui.view, pin=None if ui.view.pin == subject else subject)))
