"""Terms in the cards' texts: found where they are used, defined, and each with a lesson that exists."""

from __future__ import annotations

import re

import pytest
from imgui_bundle import imgui

from app.io.lesson_index import lesson_titles
from app.io.presets import load_preset
from app.panels.answers import sat_note
from app.panels.defined_text import definition, lesson_showing
from app.panels.text import unbroken
from app.panels.wrapped import wrapped_lines
from app.stages import step_text
from app.state.panel_state import Dialogs, MenuEntry
from app.state.playback import Playback
from app.words.glossary import MOST_MARKED, first_uses, glossary, term_begun, term_of
from core.analysis.analysis import analyse
from core.query.query import Phase, query

from .asked import asks, of
from .panel_rig import COMMANDS, Rig, panel_state, rig

__all__ = ["rig"]

LESSONS = {lesson.id: lesson for lesson in lesson_titles()}


def marked(*texts: str) -> list[list[str]]:
    return [[text[use.start : use.end] for use in uses] for text, uses in zip(texts, first_uses(texts), strict=True)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The simplex: w₀ = a₄ − b₂.", ["simplex"]),
        ("Simplices, axes and the Minkowski sum", ["Simplices", "axes", "Minkowski sum"]),
        ("The best lower bound, on a separating axis.", ["lower bound", "separating axis"]),
        ("A.axis, d·w and the plane through p₀ are none; a contact's depth is.", ["contact", "depth"]),
        ("v = A − B, the set A − B, a − b and 2 − origin", ["A − B"]),
        ("epa and Epa are not EPA", ["EPA"]),
        ("Overlapping scores, satisfied", []),
    ],
)  # fmt: skip
def test_terms_are_found_and_names_and_formulas_left_alone(text: str, words: list[str]) -> None:
    assert marked(text) == [words]


def test_a_card_marks_the_first_use_of_a_few_terms() -> None:
    texts = "A gap on the axis.", "The gap on an axis; SAT, GJK, EPA and MTV."
    assert marked(*texts) == [["gap", "axis"], ["SAT", "GJK"]]
    assert MOST_MARKED == 4


@pytest.mark.parametrize("preset", ["skew-edges", "flat-worked-example", "cylinder-on-ground", "tunnelling"])
def test_every_term_of_a_step_is_in_the_glossary_and_its_lesson_exists(preset: str) -> None:
    found = query(analyse(load_preset(preset).scene))
    used = set()
    for moment in found.moments:
        text = step_text(found, moment)
        texts = text.known, text.decided, text.why
        uses = [use for some in first_uses(texts) for use in some]
        assert len(uses) == len({use.term.term for use in uses}) <= MOST_MARKED
        used |= {use.term.term for use in uses}
    assert used
    assert used <= {term.term for term in glossary()}


@pytest.mark.parametrize("term", glossary(), ids=lambda term: term.term)
def test_a_term_is_defined_and_leads_to_a_lesson_that_exists(term) -> None:
    assert term.lesson == "" or term.lesson in LESSONS
    assert definition(term).startswith(f"{term.term}: {term.sentence}")
    lesson = lesson_showing(term)
    assert (lesson is None) is (term.lesson == "")
    if lesson is not None:
        assert definition(term, leads=True).endswith(f"\nLesson {lesson.order} shows this: click to open it.")
    assert set(term.everyday) <= {term.term, *term.aliases}


def test_a_text_in_lines_keeps_each_character_in_its_place(rig: Rig) -> None:
    text = "Look from v towards the origin: that is d. Then the support point is w = a₄ − b₂ on A.x × B.z.\nThe rest."
    rig.frame(panel_state())
    imgui.new_frame()
    lines = wrapped_lines(text, 140.0, imgui.get_font_size())
    imgui.end_frame()
    assert len(lines) == len(text)
    assert re.sub(r"[\s\u00a0]", " ", lines) == text.replace("\n", " ")
    assert "a₄\u00a0−\u00a0b₂" in lines
    assert lines.count("\n") > 3


def test_a_term_of_the_step_card_is_defined_and_opens_its_lesson(rig: Rig) -> None:
    analysis = analyse(load_preset("skew-edges").scene)
    found = query(analysis)
    place = next(k for k, moment in enumerate(found.moments) if moment.phase is Phase.GJK and moment.index == 1)
    there = Playback(open=True, phase=Phase.GJK, index=1)
    ui = panel_state(analysis.scene, playback=there, query=found, place=place)
    rig.watch("invisible_button")
    rig.settle(ui)
    text = step_text(found, found.moments[place])
    (use, *_) = first_uses((text.known, text.decided, text.why, ""))[0]
    assert use.term.term == "simplex"
    name = f"##term 1 {use.start} 0"  # the text "So far"; 0 is "Double"
    left, _, right, _ = rig.rects[name][0]
    assert right - left == pytest.approx(imgui_width(rig, "simplex"), abs=2.0)
    assert of("open_lesson", rig.click(ui, name)) == [asks.open_lesson(use.term.lesson)]


def imgui_width(rig: Rig, word: str) -> float:
    imgui.new_frame()
    width = imgui.calc_text_size(word).x
    imgui.end_frame()
    return float(width)


def test_the_palette_defines_what_is_typed_and_offers_its_lesson(rig: Rig) -> None:
    term = term_of("simplex")
    lesson = lesson_showing(term)
    title = f"Lesson {lesson.order}: {lesson.title}"
    opens = MenuEntry(id=f"lesson.{lesson.id}", title=title, group="Help", keys=(), tip="", enabled=True, checked=None)
    ui = panel_state(dialogs=Dialogs(palette=True), commands=lambda: (*COMMANDS, opens))
    rig.watch("text_unformatted", "selectable")
    rig.settle(ui)
    rig.type(ui, "simplex")
    assert unbroken(definition(term)) in rig.rects
    assert asks.invoke(opens.id) in rig.click(ui, title, at=0.1)


def test_the_rest_of_a_term_is_guessed_from_three_letters_on() -> None:
    assert term_begun("simp") is term_of("simplex")
    assert term_begun("MTV") is term_of("way out")
    assert term_begun("xyzzy") is None
    assert term_begun("si") is None
    assert term_begun("") is None


def test_the_answers_sentence_about_sat_has_terms() -> None:
    note = sat_note(analyse(load_preset("skew-edges").scene))
    assert marked(note) == [["SAT", "overlap", "depth"]]
