"""The panel with the numbers of the answer and their certainty; a click on a number copies it.

For 2D scenes also the panel with a table of all vertex pairs: difference, sum, and the difference's place in A − B.
"""

from __future__ import annotations

from collections.abc import Iterator

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.contact.contact import Manifold
from core.geometry.vec2 import Vec2
from core.minkowski.plane import MinkowskiPolygon, PairPlace, VertexPair, minkowski_sum
from core.scene import Scene
from core.study.articles.plane import slips_about
from core.verdict import Verdict

from ..draw.draw_list import Subject
from ..draw.theme import Theme, faded
from ..overlays.flat_shapes import PAIR_KIND
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.axis_words import epa_words, gjk_words, known_words, sat_words, shown_part
from ..words.contact_words import EARLIER, contact_name, flatness_words
from ..words.digits import MINUS, column_number, full, sentence_text, tabular, term, told_together, tolerance
from ..words.names import contact_features, support_words, vertex_name, vertex_pair_name, vertices_name
from ..words.quantities import QUANTITIES, Quantity
from .defined_text import say_defined
from .numbers import short_vector, vector17
from .panel import Docked
from .rows import Value, draw_values
from .text import coloured, copies_on_click, copyable, em, explain, explain_row, folded, on_item, say, write
from .widgets import HEAD_GAP, body_mark, u32, verdict_colour, verdict_mark


class AnswersPanel(Docked):
    """The docked panel with the answer's numbers."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the verdict, the numbers, SAT's sentence, the contact vertices, the contacts and any disagreements."""
        verdict_mark(ui.analysis.verdict, ui.theme)
        imgui.same_line(0.0, HEAD_GAP * em())
        write(ui.analysis.verdict.value, verdict_colour(ui.analysis.verdict, ui.theme))
        if ui.analysis.verdict is Verdict.TOUCHING:
            explain(f"The separation lies within the touching tolerance of ±{tolerance(ui.analysis.band)}.")
        draw_values(number_values(ui.analysis, ui.theme), ask)
        _draw_sat_note(ui, ask)
        _draw_features(ui, ask)
        _draw_contacts(ui, ask)
        for sentence in ui.analysis.disagreements:
            say(f"Algorithms disagree: {sentence_text(sentence)}", ui.theme.overlap)


def number_values(analysis: Analysis, theme: Theme) -> Iterator[Value]:
    """Yields the numbers of the answer, then GJK's and EPA's; a result that is not certified is highlighted."""
    for quantity in QUANTITIES:
        yield from _quantity_values(quantity, analysis)
    nearest = "The point on the surface of A − B nearest the origin: −separation × normal."
    yield Value.vector("nearest", nearest, shown_part(analysis, analysis.nearest))
    band = "The verdict is TOUCHING if the separation is this close to zero, in scene units."
    yield Value("band", band, f"±{tabular(analysis.band)}", full(analysis.band), "touching tolerance")
    gjk, epa = analysis.gjk, analysis.epa
    note = (
        "Distance of the cores: a sphere's core is its centre, a capsule's its segment. The radii are added afterwards."
    )
    copied = "" if gjk is None or gjk.separation is None else full(gjk.separation)
    ink = None if gjk is None or gjk.certified else theme.overlap
    yield Value("GJK", note, gjk_words(analysis), copied, "GJK's separation", ink, fold="")
    copied, ink = "" if epa is None else full(epa.depth), None if epa is None or epa.certified else theme.overlap
    note = "If the cores overlap: depth and direction."
    yield Value("EPA", note, epa_words(analysis), copied, "EPA's depth", ink, fold="")


def _quantity_values(quantity: Quantity, analysis: Analysis) -> Iterator[Value]:
    """Yields the quantity's row, and a row on its certainty if it has one; nothing if the answer lacks the quantity."""
    name, value = quantity.label or quantity.title, quantity.value(analysis)
    if value is None:
        return
    if isinstance(value, float):
        yield Value.number(name, quantity.meaning, value)
    else:
        yield Value.vector(name, quantity.meaning, shown_part(analysis, value))
    if quantity.certainty is not None:
        note = (
            "Exact: only rounding is left. Certified: the lower and upper bound agree within the number "
            "shown. Bound: no better than the bounds shown."
        )
        yield Value("known", note, known_words(analysis, quantity.certainty(analysis)), fold="")


def _draw_sat_note(ui: PanelState, ask: Ask) -> None:
    """Draws the sentence on how SAT's number relates to the answer."""
    with coloured(ui.theme.dim_text):
        say_defined((sat_note(ui.analysis),), 0, ui, ask)


def sat_note(analysis: Analysis) -> str:
    """One or two sentences that relate SAT's number to the answer."""
    if words := sat_words(analysis):
        return words
    if analysis.verdict is not Verdict.SEPARATED:
        return "SAT's least overlap equals the depth here."
    if analysis.sat.exact:
        return "SAT's largest gap equals the distance here: the closest points face each other across that gap."
    bound, distance = told_together(analysis.sat.separation, analysis.separation)
    return (
        f"SAT's largest gap is {bound}: the distance is at least that. It is {distance}, as the closest points lie on "
        "corners or edges, and no candidate axis joins them."
    )


def _draw_features(ui: PanelState, ask: Ask) -> None:
    imgui.separator_text("Contact vertices")
    explain("The part of each body nearest the separating plane.")
    contact = ui.analysis.contact_vertices
    for index, feature in enumerate((contact.a, contact.b)):
        body_mark(index, ui.theme)
        imgui.same_line()
        imgui.text_unformatted(support_words(ui.analysis.scene, index, feature))
        imgui.push_id(index)
        imgui.indent()
        for k, point in enumerate(shown_part(ui.analysis, row) for row in feature.points):
            name = f"{'AB'[index]}.v{feature.indices[k]}" if k < len(feature.indices) else "point"
            told = name if k < len(feature.indices) else f"point of {'AB'[index]}"
            copyable(folded(f"{name}  {short_vector(point)}"), vector17(point), told, ask)
        imgui.unindent()
        imgui.pop_id()


def _draw_contacts(ui: PanelState, ask: Ask) -> None:
    """Draws the points of the manifold, named by their pair of features, deepest first."""
    imgui.separator_text("Contacts")
    explain("The points of contact, midway between both surfaces, with their depth along the normal.")
    analysis = ui.analysis
    if analysis.contacts is None:
        say("No manifold.")
        return
    if analysis.contacts_earlier:
        say(EARLIER, ui.theme.dim_text)
        imgui.begin_disabled()
    _list_contacts(ui, analysis.contacts, ask)
    if analysis.contacts_earlier:
        imgui.end_disabled()


def _list_contacts(ui: PanelState, found: Manifold, ask: Ask) -> None:
    analysis = ui.analysis
    if not found.contacts:
        say("None: the bodies were apart." if analysis.contacts_earlier else "None: the bodies are apart.")
    elif told := flatness_words(found, analysis.polygon is not None):
        say_defined((told,), 0, ui, ask)
    for k, contact in sorted(enumerate(found.contacts), key=lambda counted: -counted[1].depth):
        imgui.push_id(f"contact {k}")
        name = contact_features(analysis.scene, contact)
        shown = f"{contact_name(k)}  {name}  depth {column_number(contact.depth)}"
        copyable(folded(shown, name), full(contact.depth), f"depth of {name}", ask)
        imgui.indent()
        position = shown_part(analysis, contact.position)
        copyable(folded(short_vector(position)), vector17(position), f"position of {name}", ask)
        imgui.unindent()
        imgui.pop_id()


PLACES = {
    PairPlace.CORNER: "A corner of A − B: the support point in some direction.",
    PairPlace.EDGE: "On an edge of A − B, but not a corner.",
    PairPlace.INSIDE: "Inside A − B: no algorithm needs it.",
}


class VertexPairs(Docked):
    """The docked panel with the vertex pairs of a 2D scene."""

    def __init__(self) -> None:
        self._analysis: Analysis | None = None
        self._sum: MinkowskiPolygon | None = None

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the number of pairs, the misprints of an article if the scene is its worked example, and the table.

        Draws nothing for a 3D scene.
        """
        analysis = ui.analysis
        if analysis.polygon is None:
            return
        if analysis is not self._analysis or self._sum is None:
            scene = analysis.scene
            self._analysis, self._sum = analysis, minkowski_sum(scene.a, scene.b)
        table = analysis.polygon.vertex_pairs
        corners = len({pair.corner for pair in table if pair.corner is not None})
        made = f"{len(table):,} pairs; their differences make {corners:,} corners of A {MINUS} B."
        say(f"{made} Click a row to keep it lit.", ui.theme.dim_text)
        for sentence in slip_words(analysis.scene):
            say(sentence, ui.theme.overlap)
        self._draw_table(ui, table, self._sum.vertex_pairs, ask)

    def _draw_table(
        self, ui: PanelState, differences: tuple[VertexPair, ...], sums: tuple[VertexPair, ...], ask: Ask
    ) -> None:
        flags = imgui.TableFlags_.scroll_y | imgui.TableFlags_.borders_inner_h
        if not imgui.begin_table("pairs", 4, flags, ImVec2(0.0, 0.0)):
            return
        imgui.table_setup_scroll_freeze(0, 1)
        # The last pair has the longest name, since its vertex numbers are the largest.
        longest = vertex_pair_name(ui.analysis.scene, differences[-1])
        widest = max(imgui.calc_text_size(text).x for text in ("pair", longest))
        imgui.table_setup_column("pair", imgui.TableColumnFlags_.width_fixed, widest)
        for title, weight in ((f"a {MINUS} b", 2.3), ("a + b", 2.2), ("place", 0.9)):
            imgui.table_setup_column(title, imgui.TableColumnFlags_.width_stretch, weight)
        imgui.table_headers_row()
        clipper = imgui.ListClipper()
        clipper.begin(len(differences))
        while clipper.step():
            for row in range(clipper.display_start, clipper.display_end):
                _draw_row(ui, row, differences[row], sums[row], ask)
        imgui.end_table()


def slip_words(scene: Scene) -> tuple[str, ...]:
    """A sentence for each misprint in an article's worked example; empty if the scene is not that example."""
    return tuple(
        f"The article prints {slip.pair} as {_short(slip.printed)}: a slip. {slip.why.replace('-', MINUS)}"
        for slip in slips_about(scene)
    )


def _short(point: Vec2) -> str:
    """A vector for a narrow column, with four significant digits."""
    return "(" + ", ".join(term(value) for value in point) + ")"


def _sources(scene: Scene, pair: VertexPair) -> str:
    """The names of a pair's vertices: `A.v1 and B.v2`."""
    return f"{vertex_name(scene.a, 'A', pair.vertex_a)} and {vertex_name(scene.b, 'B', pair.vertex_b)}"


def _draw_row(ui: PanelState, number: int, difference: VertexPair, total: VertexPair, ask: Ask) -> None:
    subject = Subject(PAIR_KIND, number)
    imgui.table_next_row()
    if subject in (ui.view.hover, ui.view.pin):
        share = 0.26 if subject == ui.view.pin else 0.16
        imgui.table_set_bg_color(imgui.TableBgTarget_.row_bg0, u32(faded(ui.theme.hover, share)))
    imgui.table_next_column()
    span = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap
    clicked, _ = imgui.selectable(f"##{number}", False, span, ImVec2(0.0, imgui.get_text_line_height()))
    if on_item():
        ask.point(subject)
    scene = ui.analysis.scene
    name, added = vertex_pair_name(scene, difference), vertices_name(scene, difference, "+")
    explain_row(f"{vertices_name(scene, difference)}, the difference of {_sources(scene, difference)}")
    imgui.same_line(0.0, 0.0)
    write(name, ui.theme.winner if difference.corner is not None else ui.theme.text)
    copied = False
    for pair, what in ((difference, f"difference {name}"), (total, f"sum {added}")):
        imgui.table_next_column()
        imgui.text_unformatted(_short(pair.point))
        copies_on_click(vector17(pair.point), what, ask)
        copied = copied or on_item()
    imgui.table_next_column()
    imgui.text_disabled(difference.place.value)
    explain_row(PLACES[difference.place])
    if clicked and not copied:
        ask.look(replace(ui.view, pin=None if ui.view.pin == subject else subject))
