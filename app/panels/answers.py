"""Every number of the answer, each copied with a click, and what kind of number it is."""

from __future__ import annotations

from collections.abc import Iterable

from imgui_bundle import imgui

from core.analysis.analysis import Analysis
from core.pair.features import SupportFeature
from core.verdict import Verdict

from ..draw.theme import Theme
from ..state.panel_state import PanelState
from ..words.axis_words import epa_words, full, gjk_words, number, plain, provenance_words, sat_words, shown_part
from ..words.contact_words import flatness_words
from .numbers import short_vector, vector17
from .panel import Ask, Docked
from .widgets import (
    HEAD_GAP,
    body_mark,
    coloured,
    copies_on_click,
    copyable,
    em,
    explain,
    say,
    table_row,
    verdict_colour,
    verdict_mark,
)


class Answers(Docked):
    """The docked panel with the numbers."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """The verdict, the numbers, the features and the contacts."""
        _draw_verdict(ui.analysis, ui.theme)
        if imgui.begin_table("numbers", 2, imgui.TableFlags_.none):
            names = imgui.calc_text_size("witness on A").x
            imgui.table_setup_column("name", imgui.TableColumnFlags_.width_fixed, names)
            imgui.table_setup_column("value", imgui.TableColumnFlags_.width_stretch)
            _draw_numbers(ui.analysis, ui.theme, ask)
            imgui.end_table()
        _draw_sat_note(ui.analysis, ui.theme)
        _draw_features(ui, ask)
        _draw_contacts(ui.analysis, ask)
        for sentence in ui.analysis.disagreements:
            say(f"Algorithms disagree: {sentence}", ui.theme.overlap)


def _draw_verdict(analysis: Analysis, theme: Theme) -> None:
    verdict_mark(analysis.verdict, theme)
    imgui.same_line(0.0, HEAD_GAP * em())
    with coloured(verdict_colour(analysis.verdict, theme)):
        imgui.text_unformatted(analysis.verdict.value)
    if analysis.verdict is Verdict.TOUCHING:
        explain(f"The separation lies within the touching band of ±{plain(analysis.band)}.")


def _draw_numbers(analysis: Analysis, theme: Theme, ask: Ask) -> None:
    table_row("separation", "Signed, in scene units: positive apart, negative overlapping.")
    copyable(number(analysis.separation), full(analysis.separation), "separation", ask)
    table_row("known", "Exact: to rounding. Certified: both bounds meet within the gap. Bound: it may be larger.")
    imgui.text_wrapped(provenance_words(analysis.certainty))
    for name, note, vector in (
        ("normal", "Unit vector from A towards B.", analysis.normal),
        ("MTV", "Minimum translation vector: added to B, it just removes the overlap.", analysis.mtv),
        ("witness on A", "The point of A that decides: nearest to B, or deepest inside it.", analysis.witness_a),
        ("witness on B", "The point of B that decides: nearest to A, or deepest inside it.", analysis.witness_b),
        ("nearest", "The boundary point of A − B nearest the origin: minus separation times normal.", analysis.nearest),
    ):
        if vector is not None:
            _vector(name, note, shown_part(analysis, vector), ask)
    table_row("band", "Half width of the band about zero in which the verdict is TOUCHING, in scene units.")
    copyable(f"±{plain(analysis.band)}", full(analysis.band), "touching band", ask)
    _draw_gjk_and_epa(analysis, theme, ask)


def _draw_gjk_and_epa(analysis: Analysis, theme: Theme, ask: Ask) -> None:
    """Their numbers with the stop reason beside; one that did not converge stands out."""
    table_row("GJK", "Of the cores, with their radii taken off: a sphere's is its centre, a capsule's its segment.")
    gjk = analysis.gjk
    say(gjk_words(analysis), None if gjk is None or gjk.certified else theme.overlap)
    if gjk is not None and gjk.separation is not None:
        copies_on_click(full(gjk.separation), "GJK's separation", ask)
    table_row("EPA", "Where the cores meet: how deep, and which way out.")
    epa = analysis.epa
    say(epa_words(analysis), None if epa is None or epa.certified else theme.overlap)
    if epa is not None:
        copies_on_click(full(epa.depth), "EPA's depth", ask)


def _vector(name: str, note: str, values: Iterable[float], ask: Ask) -> None:
    table_row(name, note)
    listed = list(values)
    shown = short_vector(listed)
    if imgui.calc_text_size(shown).x > imgui.get_content_region_avail().x:
        shown = shown.replace(", ", ",\n ")
    copyable(shown, vector17(listed), name, ask)


def _draw_sat_note(analysis: Analysis, theme: Theme) -> None:
    """What SAT's number is when the bodies are apart: a bound, or the distance itself."""
    if words := sat_words(analysis):
        say(words, theme.dim_text)
    elif analysis.verdict is not Verdict.SEPARATED:
        say("SAT's least overlap is the depth itself.", theme.dim_text)
    elif analysis.sat.exact:
        say("SAT's largest gap is the distance itself: the closest points face each other across it.", theme.dim_text)
    else:
        bound, distance = plain(analysis.sat.separation), plain(analysis.separation)
        say(
            f"SAT's largest gap, {bound}, is only a lower bound of the distance {distance}: the closest points lie on "
            "corners or edges that no candidate axis faces squarely.",
            theme.dim_text,
        )


def _draw_features(ui: PanelState, ask: Ask) -> None:
    imgui.separator_text("Contact vertices")
    explain("The feature of each body nearest the separating plane.")
    contact = ui.analysis.contact_vertices
    for index, feature in enumerate((contact.a, contact.b)):
        body_mark(index, ui.theme)
        imgui.same_line()
        imgui.text_unformatted(f"{feature.kind} {feature.name}" if feature.name != feature.kind else feature.kind)
        imgui.push_id(index)
        _draw_points(ui.analysis, feature, "AB"[index], ask)
        imgui.pop_id()


def _draw_contacts(analysis: Analysis, ask: Ask) -> None:
    """The points of the manifold, named by the pair of features that made each, deepest first."""
    imgui.separator_text("Contacts")
    explain("Where the bodies meet: midway between both surfaces, with the depth along the normal.")
    if analysis.contacts is None:
        say("No manifold.")
        return
    if not analysis.contacts.contacts:
        say("None: the bodies are apart.")
    elif told := flatness_words(analysis.contacts, analysis.polygon is not None):
        say(told)
    for k, contact in enumerate(sorted(analysis.contacts.contacts, key=lambda contact: -contact.depth)):
        imgui.push_id(f"contact {k}")
        name = f"{contact.feature_a} | {contact.feature_b}"
        copyable(f"{name}  depth {number(contact.depth)}", full(contact.depth), f"depth of {name}", ask)
        imgui.indent()
        copyable(
            short_vector(shown_part(analysis, contact.position)),
            vector17(shown_part(analysis, contact.position)),
            f"position of {name}",
            ask,
        )
        imgui.unindent()
        imgui.pop_id()


def _draw_points(analysis: Analysis, feature: SupportFeature, letter: str, ask: Ask) -> None:
    imgui.indent()
    for k, point in enumerate(shown_part(analysis, row) for row in feature.points):
        name = f"v{feature.indices[k]}" if k < len(feature.indices) else "point"
        copyable(f"{name}  {short_vector(point)}", vector17(point), f"{name} of {letter}", ask)
    imgui.unindent()
