"""The lecture that ships, played: every number that a slide says is one that the program finds."""

from __future__ import annotations

import re

import pytest

from app.io.deck_file import Slide
from app.io.lesson_index import LECTURE
from app.io.scene_log import SceneLog
from app.quiz import question_of
from app.words.names import axis_name
from core.analysis.analysis import Analysis, analyse
from core.query.query import Phase, Query, query

NUMBER = re.compile(r"(?<![\w.])\d+\.\d+")
WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def slides() -> list[Slide]:
    log = SceneLog(LECTURE)
    found = [log.scene(k) for k in range(len(log))]
    log.close()
    return [slide for slide in found if isinstance(slide, Slide)]


SLIDES = slides()


def true_numbers(analysis: Analysis, asked: Query) -> list[float]:
    """Every size that a slide may name: of axes, of GJK's and EPA's bounds, of contacts."""
    found = [analysis.separation, *analysis.sat.separations.tolist()]
    for moment in asked.moments:
        for name in ("lower", "upper", "distance", "depth"):
            value = getattr(moment.step, name, None)
            found += [value] if isinstance(value, float) else []
    found += [contact.depth for contact in (asked.manifold.contacts if asked.manifold else ())]
    return [abs(value) for value in found]


@pytest.mark.parametrize("number", range(12))
def test_a_slide_says_what_the_program_finds(number: int) -> None:
    slide = SLIDES[number]
    analysis = analyse(slide.scene)
    asked = query(analysis)
    true = true_numbers(analysis, asked)
    for text in (slide.scene.notes, slide.printed):
        for told in NUMBER.findall(text):
            half = 0.5 * 10.0 ** -len(told.partition(".")[2])
            assert any(abs(value - float(told)) <= half for value in true), f"{told} in {text!r}"
    names = {axis_name(analysis.sat, k).replace(" ", "") for k in range(len(analysis.sat.candidates))}
    # A slide may speak of the edge itself, too.
    names |= {name.removeprefix("⊥") for name in names}
    for named in re.findall(r"⊥?[AB]\.(?:e\d+|[xyz])(?: × [AB]\.[xyz])?", slide.printed):
        assert named.replace(" ", "") in names, named


def test_there_are_twelve_for_forty_five_minutes() -> None:
    assert len(SLIDES) == 12
    minutes = [re.findall(r"(\w+) minutes\.$", slide.printed) for slide in SLIDES]
    assert sum(WORDS[found[0].lower()] for found in minutes) == 45


@pytest.mark.parametrize("slide", SLIDES, ids=lambda slide: slide.scene.name)
def test_words_are_few_and_notes_can_be_spoken(slide: Slide) -> None:
    assert 0 < len(slide.scene.notes.split()) <= 25
    assert 60 <= len(slide.printed.split()) <= 120


def test_each_step_is_there_and_the_question_can_be_seen() -> None:
    at = []
    for slide in SLIDES:
        asked = query(analyse(slide.scene))
        assert slide.view is not None
        if slide.view.at is not None:
            moment = asked.moments[slide.view.step - 1]
            assert (moment.phase, moment.index + 1) == (slide.view.at.phase, slide.view.at.index)
            at.append(moment.phase)
        if slide.question is not None:
            assert question_of(asked, slide.question) is not None
    assert at == [Phase.SAT, Phase.GJK, Phase.GJK, Phase.EPA, Phase.EPA, Phase.CONTACTS]
