"""The free axis' card: it stands where it does not cover the axis, and names no winner that is hidden."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.draw.placed import Rect
from app.io.presets import load_preset
from app.panels.probe import clear_corner, corner_at
from app.quiz.about_answer import verdict_question
from app.state.prediction import CurrentQuestion, Prediction
from app.state.view import View
from core.analysis.analysis import Analysis, analyse
from core.query.query import Phase, query

from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]

ROOM = Rect(500, 100, 500, 600)


def covers(corner: int, size: tuple[float, float], ends: tuple[tuple[float, float], tuple[float, float]]) -> bool:
    """Whether a card in the corner covers a point of the line, by sampling."""
    left, top = corner_at(ROOM, size, corner)
    points = np.linspace(ends[0], ends[1], 400)
    inside = (points > (left, top)) & (points < (left + size[0], top + size[1]))
    return bool(inside.all(axis=1).any())


@pytest.mark.parametrize(
    ("ends", "corner"),
    [
        (((750.0, 400.0), (750.0, 690.0)), 0),
        (((510.0, 110.0), (990.0, 690.0)), 1),
        (((990.0, 110.0), (510.0, 690.0)), 0),
    ],
)
def test_the_corner_is_the_first_that_is_clear(
    ends: tuple[tuple[float, float], tuple[float, float]], corner: int
) -> None:
    size = (200.0, 150.0)
    assert clear_corner(ROOM, size, ends, 10.0, 0) == corner
    assert not covers(corner, size, ends)


places = st.tuples(st.floats(500.0, 1000.0), st.floats(100.0, 700.0))


@given(first=places, second=places, last=st.integers(0, 3), wide=st.floats(50.0, 400.0), high=st.floats(30.0, 300.0))
def test_it_covers_the_line_only_if_every_corner_does(
    first: tuple[float, float], second: tuple[float, float], last: int, wide: float, high: float
) -> None:
    size, ends = (wide, high), (first, second)
    found = clear_corner(ROOM, size, ends, 0.0, last)
    assert not covers(found, size, ends) or all(covers(corner, (wide + 1e-3, high + 1e-3), ends) for corner in range(4))
    assert found == last or covers(last, (wide + 4.0, high + 4.0), ends)


def said(rig: Rig, **known: object) -> str:
    """All that the card says and offers, alone on a screen."""
    rig.watch("text_unformatted", "small_button")
    rig.panels = [panel for panel in rig.panels if panel.spec.name == "free_axis_card"]
    area = Rect(0, 0, 1280, 800)
    ui = panel_state(analysed().scene, viewport=area, panes=(("World", area),))
    rig.settle(replace(ui, view=View(free=(0.0, 0.6, 0.8)), **known))
    return " ".join(rig.rects)


@cache
def analysed() -> Analysis:
    return analyse(load_preset("flat-one-gap").scene)


def test_the_winner_is_named_at_rest_and_not_before_the_planes_tests_end(rig: Rig) -> None:
    found = query(analysed())
    places = [place for place, moment in enumerate(found.moments) if moment.phase is Phase.PLANES]
    told = {place: said(rig, analysis=found.analysis, query=found, place=place) for place in (places[0], places[-1])}
    assert "your axis shows" in told[places[0]]
    assert "A.e1" not in told[places[0]].partition("nearest candidate")[0]
    assert ", ⊥A.e1 a gap of" in told[places[-1]]
    assert ", ⊥A.e1 a gap of" in said(rig)


def test_while_a_question_or_a_lesson_hides_the_answer_there_is_no_card(rig: Rig) -> None:
    question = replace(verdict_question(analysed()), candidates={}, buttons=())
    assert said(rig, asked=CurrentQuestion(question, Prediction(), 1)) == ""
