"""The question's card and what is covered beside it, without a window: buttons, rows, and no answer to be read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.commands.command_list import command_table
from app.draw.draw_list import Subject
from app.io.presets import load_preset
from app.panels.panel_host import HIDDEN_SENTENCE
from app.panels.viewport_bottom import NOTES_WINDOW, QUESTION_WINDOW, hint_for
from app.quiz import questions
from app.state.panel_state import Dialogs, MenuEntry, PanelState
from app.state.playback import Playback, at_place
from app.state.prediction import CurrentQuestion, Prediction, QuestionKind, QuizQuestion
from app.state.settings import Settings
from app.words.names import named_axis
from core.analysis.analysis import analyse
from core.query.query import Query, query
from tests.app.panel_rig import PAIR, Rig, drawn_size, panel_state

from .asked import asks

MADE = query(analyse(PAIR))
COMMANDS = tuple(
    MenuEntry(id=c.id, title=c.title, group=c.group, keys=c.keys, tip=c.tip, enabled=True, checked=None)
    for c in command_table(()).commands
)


@cache
def found() -> tuple[QuizQuestion, ...]:
    return questions(MADE)


def question(kind: QuestionKind) -> QuizQuestion:
    return next(q for q in found() if q.kind is kind)


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch)
    made.watch("text_unformatted", "text_disabled")
    yield made
    made.close()


def asking(kind: QuestionKind, prediction: Prediction = Prediction(), panels: bool = False) -> PanelState:  # noqa: B008 - frozen
    asked = question(kind)
    number = found().index(asked)
    later = frozenset(q.kind for q in found()[number + 1 :])
    state = CurrentQuestion(asked, replace(prediction, number=number), len(found()), later)
    ui = panel_state(PAIR, settings=Settings(panels=panels), commands=lambda: COMMANDS, asked=state)
    if asked.place is None:
        return ui
    playback = at_place(Playback(open=True), MADE, asked.place)
    return replace(ui, playback=playback, query=MADE, place=asked.place)


def said(rig: Rig) -> str:
    return "\n".join(rig.rects)


def test_the_pair_is_asked_about_in_every_way_used_here() -> None:
    assert {QuestionKind.AXIS, QuestionKind.CONTACTS} <= {q.kind for q in found()}
    assert {q.kind for q in found()} & {QuestionKind.VERTEX_A, QuestionKind.VERTEX_B}


def test_without_a_question_there_is_no_card(rig: Rig) -> None:
    rig.settle(panel_state(PAIR))
    assert drawn_size(QUESTION_WINDOW) == (0.0, 0.0)
    assert drawn_size(NOTES_WINDOW)[1] > 0.0


def test_the_card_stands_where_the_notes_stood_and_says_how_far_one_is(rig: Rig) -> None:
    ui = asking(QuestionKind.AXIS, Prediction(at_once=1, settled=2))
    rig.settle(ui)
    assert drawn_size(NOTES_WINDOW) == (0.0, 0.0)
    width, height = drawn_size(QUESTION_WINDOW)
    assert rig.covered.card[0] >= width
    assert rig.covered.card[1] >= height
    words = said(rig)
    assert f"Question 1 of {len(found())}    1 of 2 right first time" in words
    assert "Which axis decides?" in words
    assert question(QuestionKind.AXIS).hint in words
    assert hint_for(ui) == f"{question(QuestionKind.AXIS).how} Esc stops the questions."


def test_its_buttons_show_go_on_and_stop(rig: Rig) -> None:
    ui = asking(QuestionKind.AXIS)
    rig.settle(ui)
    assert asks.invoke("predict.show") in rig.click(ui, "Show the answer")
    assert asks.invoke("predict.next") in rig.click(ui, "Next question")
    assert asks.invoke("predict.stop") in rig.click(ui, "×")
    settled = asking(QuestionKind.CONTACTS, Prediction().shown())
    rig.settle(settled)
    assert "Next question" not in rig.rects
    assert asks.invoke("predict.next") in rig.click(settled, "First question again")
    assert asks.invoke("predict.stop") in rig.click(settled, "Stop asking")


def test_a_number_is_chosen_with_a_button(rig: Rig) -> None:
    ui = asking(QuestionKind.CONTACTS)
    rig.settle(ui)
    for count in range(9):
        assert asks.guess(Subject("count", count)) in rig.click(ui, str(count))


def test_a_wrong_answer_is_explained_and_the_card_keeps_its_height(rig: Rig) -> None:
    asked = question(QuestionKind.AXIS)
    wrong = next(subject for subject in asked.candidates if subject not in asked.right)
    rig.settle(asking(QuestionKind.AXIS))
    height = drawn_size(QUESTION_WINDOW)[1]
    rig.settle(asking(QuestionKind.AXIS, Prediction().guessed(asked, wrong)))
    assert f"No. {asked.why_wrong(wrong)}" in said(rig)
    assert drawn_size(QUESTION_WINDOW)[1] == height
    rig.settle(asking(QuestionKind.AXIS, Prediction().guessed(asked, next(iter(asked.right)))))
    assert f"Right. {asked.explanation}" in said(rig)
    assert drawn_size(QUESTION_WINDOW)[1] == height


def test_no_panel_tells_the_axis_that_wins(rig: Rig) -> None:
    ui = asking(QuestionKind.AXIS, panels=True)
    for tab in ("Answers", "Axes"):
        rig.settle(ui)
        imgui.set_window_focus(tab)
        rig.settle(ui)
        words = said(rig)
        assert "hidden until you answer" in words
        size = f"{abs(ui.analysis.separation):.3g}"
        assert size not in words
        assert "verlapping" not in words
    rig.settle(asking(QuestionKind.AXIS, Prediction().shown(), panels=True))
    assert "Overlapping:" in said(rig)


def test_hidden_panels_stay_hidden_while_a_question_is_asked(rig: Rig) -> None:
    """Tabs of the comparing panels came up, blank, beside a question asked with the panels hidden."""
    opened = Dialogs(docked=("compare", "through_zero"))
    for panels in (True, False):
        rig.settle(replace(asking(QuestionKind.AXIS, panels=panels), dialogs=opened))
        assert (HIDDEN_SENTENCE in rig.rects) == panels


def test_a_row_of_the_covered_table_answers(rig: Rig) -> None:
    ui = asking(QuestionKind.AXIS, panels=True)
    rig.settle(ui)
    candidate = ui.analysis.sat.candidates[2]
    label = f"{named_axis(candidate.label)}, {candidate.kind}"
    asked = rig.click(ui, label, at=0.2)
    assert asks.guess(Subject("axis", 2)) in asked
    assert asks.point(Subject("axis", 2)) in asked
    tried = replace(ui, asked=replace(ui.asked, prediction=Prediction(tried=(Subject("axis", 2),))))
    rig.settle(tried)
    assert f"{label}: no" in rig.rects


def test_the_words_of_the_step_are_covered_until_it_is_answered(rig: Rig) -> None:
    kind = next(k for k in (QuestionKind.VERTEX_A, QuestionKind.VERTEX_B) if k in {q.kind for q in found()})
    rig.settle(asking(kind))
    assert drawn_size("Step")[1] > 0.0
    assert "This step" not in said(rig)
    rig.settle(asking(kind, Prediction().shown()))
    assert "This step" in said(rig)


@pytest.mark.parametrize("size", [(640.0, 480.0), (1280.0, 800.0)])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_card_leaves_the_pictures_room(
    monkeypatch: pytest.MonkeyPatch, size: tuple[float, float], scale: float
) -> None:
    rig = Rig(monkeypatch, *size)
    try:
        imgui.get_style().font_scale_main = scale
        for kind in {q.kind for q in found()}:
            ui = asking(kind)
            rig.settle(ui)
            width, height = drawn_size(QUESTION_WINDOW)
            assert 0.0 < width <= size[0]
            window = imgui.internal.find_window_by_name(QUESTION_WINDOW)
            assert window.pos.x >= 0.0
            assert window.pos.y >= 0.0
            # The smallest window at the largest size is for the question alone.
            assert height <= (0.45 if scale * 640.0 <= size[0] else 0.75) * size[1]
            # No step card takes what little there is.
            if size[0] / (14.0 * scale) < 64.0:
                assert drawn_size("Step") == (0.0, 0.0)
    finally:
        rig.close()


# A scene of the plane.


def flat_asking(kind: QuestionKind, prediction: Prediction = Prediction()) -> PanelState:  # noqa: B008 - frozen
    made = flat_made()
    series = questions(made)
    asked = next(q for q in series if q.kind is kind)
    number = series.index(asked)
    state = CurrentQuestion(asked, replace(prediction, number=number), len(series))
    scene = made.analysis.scene
    ui = panel_state(scene, settings=Settings(panels=True), commands=lambda: COMMANDS, asked=state)
    if asked.place is None:
        return ui
    playback = at_place(Playback(open=True), made, asked.place)
    return replace(ui, playback=playback, query=made, place=asked.place)


@cache
def flat_made() -> Query:
    return query(analyse(load_preset("flat-hexagon-pentagon").scene))


@pytest.mark.parametrize("kind", [QuestionKind.AXIS, QuestionKind.VERTEX_A, QuestionKind.VERTEX_B, QuestionKind.FACE])
def test_the_pairs_of_vertices_are_covered_until_it_is_answered(rig: Rig, kind: QuestionKind) -> None:
    ui = flat_asking(kind)
    for tab in ("Pairs", "Answers"):
        rig.settle(ui)
        imgui.set_window_focus(tab)
        rig.settle(ui)
        assert "Hidden until you answer" in said(rig)
        assert "pairs; their differences make" not in said(rig)
    open_again = flat_asking(kind, Prediction().shown())
    rig.settle(open_again)
    imgui.set_window_focus("Pairs")
    rig.settle(open_again)
    assert "pairs; their differences make" in said(rig)


def test_the_axes_of_the_plane_are_edges_and_stand_before_the_covered_pairs(rig: Rig) -> None:
    ui = flat_asking(QuestionKind.AXIS)
    rig.settle(ui)
    words = said(rig)
    assert "⊥A.e0, edge of A" in words
    assert "face" not in words
    assert f"{abs(ui.analysis.separation):.3g}" not in words
    assert asks.guess(Subject("axis", 2)) in rig.click(ui, "⊥A.e2, edge of A", at=0.2)


def test_at_most_four_contacts_are_offered_in_the_plane(rig: Rig) -> None:
    ui = flat_asking(QuestionKind.CONTACTS)
    rig.settle(ui)
    for count in range(5):
        assert asks.guess(Subject("count", count)) in rig.click(ui, str(count))
    assert len(ui.asked.question.buttons) == 5
