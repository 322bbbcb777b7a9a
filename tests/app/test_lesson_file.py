"""Lesson files: what is read, and for each rule of the format a wrong file with its line and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.lessons import lesson_file
from app.lessons.faults import LessonError
from app.lessons.lesson_file import load_lesson, parse_lesson, reading_of
from app.lessons.markup import SpanKind, shown_text, spans, word_count
from app.state.lesson import CameraRule, LessonPlace
from app.state.prediction import QuestionKind
from app.state.reveal import AnswerShown
from app.state.view import AxisView, Panes
from core.query.query import Phase

from .lesson_samples import LESSON, faults_of, lesson, small


def test_the_lesson_of_the_tests_has_no_fault() -> None:
    assert faults_of(LESSON) == []


def test_all_faults_are_told_at_once_and_in_order() -> None:
    told = faults_of(small(("minutes: 5", "minutes: 0"), ("> id: second\n", ""), ("[[gap]]", "[[gaps]]")))
    assert [line.split(":")[1] for line in told] == ["5", "16", "26"]


def test_what_stands_in_a_file_is_read() -> None:
    keys = (
        *("panes: difference, world", "panels: axes step", "overlays: +gauss -grid", "axes: family:face of B"),
        "labels: -vertex-names -bounds",
        *("focus: A.e1", "verdict: word", "timeline: gjk stop", "free: [3, 4]", "setting: gjk.iterations = 7"),
        *("setting: reduce = true", "camera: 90 -45", "drag: b", "time: 0.5", "ask: verdict at sat first_gap"),
    )
    read = lesson(("> verdict: hidden", "\n".join(f"> {key}" for key in keys)))
    first, second = read.steps
    look = first.look
    assert (read.id, read.title, read.order, read.world, read.minutes) == ("small", "A small lesson", None, "plane", 5)
    assert (read.teaches, read.needs, read.author) == (("gap", "way out"), (), "")
    assert (look.panes, look.swapped, look.panels) == (Panes.BOTH, True, ("axes", "step"))
    assert look.overlays == {"bodies", "axes", "labels", "difference", "gauss"}
    assert look.revealed == {"bodies", "axes", "labels", "difference", "gauss", "mtv", "closest", "contacts"}
    assert look.hidden == {"vertex-names", "bounds"}
    assert (look.axes, look.family, look.focus) == (AxisView.FAMILY, "face of B", "A.e1")
    assert (look.answer, look.timeline, look.free) == (
        AnswerShown.WORD,
        LessonPlace(Phase.GJK, "stop"),
        (0.6, 0.8, 0.0),
    )
    assert look.settings == (("gjk.iterations", 7), ("reduce", True))
    assert look.camera == pytest.approx((1.5707963267948966, -0.7853981633974483))
    assert (look.drag, look.time, look.motion) == ({"b"}, 0.5, True)
    assert first.ask is not None
    assert (first.ask.kind, first.ask.place) == (QuestionKind.VERDICT, LessonPlace(Phase.SAT, "first_gap"))
    assert [(choice.id, choice.label, choice.right, choice.why) for choice in first.options] == [
        ("yes", "Yes", True, ""),
        ("no", "No", False, "Look once more."),
    ]
    assert (second.scene, second.hints, second.almost, second.then) == (None, ("To the left.",), "Go on.", "")
    assert second.look.camera is CameraRule.KEEP
    assert [goal.text for goal in second.goals] == ["verdict(overlapping)", "depth >= 0.1"]
    assert [action.numbers for action in second.solution] == [(0.8, 0.2)]


def test_a_hidden_answer_hides_the_winners_rail_but_no_rail_that_is_asked_for() -> None:
    for keys, there in (("verdict: hidden", False), ("verdict: word", False), ("verdict: full", True)):
        look = lesson(("verdict: hidden", keys)).steps[0].look
        assert ("axes" in look.overlays, "mtv" in look.overlays) == (there, there)
        assert {"axes", "mtv", "closest", "contacts"} <= look.revealed
    for key in ("focus: A.e0", "timeline: sat 1", "axes: fan"):
        assert "axes" in lesson(("verdict: hidden", f"verdict: hidden\n> {key}")).steps[0].look.overlays


def test_what_crowds_the_picture_does_not_come_back_with_the_answer() -> None:
    look = (
        lesson(("> verdict: hidden", "> verdict: hidden\n> overlays: +manifold -contacts -mtv -difference"))
        .steps[0]
        .look
    )
    assert look.overlays & {"manifold", "contacts", "mtv", "difference"} == {"manifold"}
    assert look.revealed & {"manifold", "contacts", "mtv", "difference"} == {"manifold", "difference"}


def test_a_step_whose_feature_the_program_lacks_is_left_out_with_a_warning() -> None:
    reading = parse_lesson(small(("> id: second", "> id: second\n> if: flying")), "x")
    assert reading.lesson is not None
    assert [step.id for step in reading.lesson.steps] == ["first"]
    assert [fault.text("x") for fault in reading.faults] == [
        "x:26: warning: this program has no feature flying: the step is left out"
    ]
    assert len(lesson(("> id: second", "> id: second\n> if: free_axis_2d")).steps) == 2


def test_a_setting_that_is_no_more_is_left_out_with_a_warning() -> None:
    added = "> id: second\n> setting: gjk.feature_direction = 1e-3\n> setting: gjk.iterations = 5"
    reading = parse_lesson(small(("> id: second", added)), "x")
    assert reading.lesson is not None
    assert reading.lesson.steps[1].look.settings == (("gjk.iterations", 5),)
    assert [fault.text("x") for fault in reading.faults] == [
        "x:28: warning: the setting gjk.feature_direction is left out: GJK's direction is always the perpendicular of "
        "its feature"
    ]


def test_comments_and_unused_scenes() -> None:
    assert faults_of(small(("## Second", "<!-- not shown -->\n## Second"))) == []
    told = faults_of(LESSON + LESSON[LESSON.index("```scene") :].replace("scene apart", "scene more"))
    assert told == ["x:47: warning: no step shows the scene more"]


def test_words_are_an_error_only_in_the_lessons_that_ship() -> None:
    text = small(("Drag B into A.", "word " * 41), ("id: small", "id: small\norder: 1"))
    message = "the text of second must have at most 40 words, got 41"
    assert faults_of(text) == [f"x:27: warning: {message}"]
    assert faults_of(text, shipped=True) == [f"x:27: {message}"]
    assert faults_of(LESSON, shipped=True) == ["x:1: a lesson that ships needs the key order, its place on the shelf"]


def test_limits(tmp_path: Path) -> None:
    many = "\n---\n".join(f"## Step {k}\n> id: s{k}\n> scene: preset:skew-edges\n\nText." for k in range(39))
    assert any("a lesson has at most 40 steps, got 41" in line for line in faults_of(f"{LESSON}\n---\n{many}"))
    block = LESSON[LESSON.index("```scene") :]
    blocks = "".join(block.replace("scene apart", f"scene s{k}") for k in range(32))
    assert any("a lesson has at most 32 scenes, got 33" in line for line in faults_of(LESSON + blocks))
    large = tmp_path / "large.md"
    large.write_text(LESSON + " " * lesson_file.MOST_BYTES)
    with pytest.raises(LessonError, match=r"1: the file is larger than 256 KB, no lesson is"):
        load_lesson(large)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"---\nid: \xff", "the file is not UTF-8 text: byte 9"),
        (None, "the file cannot be read: no such file or folder"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, data: bytes | None, message: str) -> None:
    file = tmp_path / "l.md"
    if data is not None:
        file.write_bytes(data)
    assert [fault.message for fault in reading_of(file).faults] == [message]


def test_windows_lines_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "l.md"
    file.write_bytes(b"\xef\xbb\xbf" + LESSON.replace("\n", "\r\n").encode())
    assert load_lesson(file).steps == lesson().steps


def test_markup() -> None:
    text = "A **strong** and *soft* `code` $x^2$ [[gap|hole]], [this](axis:A.x), {depth}."
    assert [(span.kind.value, span.text, span.target) for span in spans(text) if span.kind is not SpanKind.PLAIN] == [
        ("strong", "strong", ""),
        ("emphasis", "soft", ""),
        ("code", "code", ""),
        ("formula", "x^2", ""),
        ("term", "hole", "gap"),
        ("pointer", "this", "axis:A.x"),
        ("number", "{depth}", "depth"),
    ]
    assert shown_text(text) == "A strong and soft code x^2 hole, this, {depth}."
    assert word_count(text) == 9
