"""Goals: each predicate true and false where the answer is known by hand, and what is said after an attempt."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import Any

import pytest
from msgspec.structs import replace

from app.lessons.goals import PREDICATES, feedback, holds, parse_goal, said, ticked, unmet, waits_for
from app.lessons.numbers import live_number
from app.lessons.situation import LearnerActions, Situation, playback_at
from app.state.lesson import LessonPlace
from app.state.playback import Playback
from app.state.prediction import QuestionKind
from app.state.view import View
from app.words.names import row_of
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, with_setting
from core.analysis.analysis import analyse
from core.analysis.methods import Limits
from core.float32 import SinglePrecision, analyse_single
from core.query.query import Phase
from core.scene import Body, Scene
from core.shapes import Box, Polygon, Sphere

from .lesson_samples import LESSON, beginning, lesson

SQUARE = Polygon.of([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
CUBE = Box((1.0, 1.0, 1.0))


def flat(x: float, y: float = 0.2) -> Scene:
    """Two unit squares; B's centre at (x, y)."""
    return Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (x, y)))


def cubes(x: float, **more: object) -> Scene:
    """Two unit cubes; B's centre at (x, 0.2, 0.1)."""
    return Scene(Body(CUBE), Body(CUBE, (x, 0.2, 0.1), **more))


def at(scene: Scene, **more: object) -> Situation:
    return Situation(**{"analysis": analyse(scene), "start": scene, **more})


def moved(before: Scene, after: Scene) -> Situation:
    return Situation(analysis=analyse(after), start=before)


def done(scene: Scene, **what: object) -> Situation:
    return at(scene, events=LearnerActions(**what))


def step(scene: Scene, phase: Phase, place: int | str) -> Situation:
    now = at(scene)
    return replace(now, playback=playback_at(LessonPlace(phase, place), lambda: now.query))


TURNED = (cos(pi / 12), 0.0, sin(pi / 12), 0.0)
FLYING = {"displacement": (4.0, 0.0, 0.0)}
FLIES = Scene(Body(CUBE), Body(Sphere(0.5), (-3.0, 0.0, 0.0), displacement=(6.0, 0.0, 0.0)))
"""They meet when the ball's centre has gone from −3 to −1: at t = 1/3."""
SHORT = Scene(Body(CUBE), Body(Sphere(0.5), (-3.0, 0.0, 0.0), displacement=(3.0, 0.0, 0.0)))
MISSES = Scene(Body(CUBE), Body(Sphere(0.5), (-3.0, 5.0, 0.0), displacement=(6.0, 0.0, 0.0)))

APART, DEEP, TOUCH = flat(2.0), flat(0.7), flat(1.0)
CORNERS = Scene(Body(CUBE), Body(CUBE, (1.0, 1.0, 1.0)))
CASES = [
    # goal, a situation in which it holds, one in which it does not, and what is said there
    ("verdict(overlapping)", at(DEEP), at(APART), "Still 1 apart: ⊥A.e1 shows the gap."),
    ("verdict(separated, touching)", at(TOUCH), at(DEEP), "Still 0.3 deep."),
    ("verdict(separated)", at(APART), at(TOUCH), "They touch."),
    ("not verdict(separated)", at(DEEP), at(APART), "Still 1 apart: ⊥A.e1 shows the gap."),
    ("separation ~ 1 ± 0.05", at(APART), at(flat(2.5)), "1.5 apart: 0.5 too far."),
    ("separation >= 1", at(APART), at(flat(1.25)), "0.25 apart: 0.75 too close."),
    ("depth >= 0.25", at(DEEP), at(flat(0.9)), "0.1 deep: 0.15 too little."),
    ("depth <= 0.2", at(flat(0.9)), at(APART), "1 apart: they must overlap."),
    ("contacts == 2", at(DEEP), at(APART), "No contacts."),
    ("contacts == 4", at(cubes(0.9)), at(Scene(Body(CUBE), Body(Sphere(0.5), (0.9, 0.0, 0.0)))), "1 contact."),
    ("contact_case(face_a)", at(cubes(0.9)), at(cubes(3.0)), "There is no contact."),
    ("focus(separates)", done(APART, focus="A.e1"), done(APART, focus="A.e0"), "⊥A.e0 shows an overlap of 0.8."),
    ("focus(A.edge1)", done(APART, focus="A.e1"), done(APART), ""),
    (
        "visited(face of A, face of B)",
        done(APART, visited=frozenset({"A.e0", "B.e2"})),
        done(APART, visited=frozenset({"A.e0"})),
        "Not yet: a face of B (orange).",
    ),
    (
        "visited(face of A, face of B) >= 2",
        done(APART, visited=frozenset({"A.e0", "B.e2"})),
        done(APART, visited=frozenset({"A.e0"})),
        "Point at 1 more name.",
    ),
    (
        "free_axis(cuts)",
        at(APART, view=View(free=(0.0, 1.0, 0.0))),
        at(APART, view=View(free=(1.0, 0.0, 0.0))),
        "Your axis shows a gap of 1.",
    ),
    (
        "free_axis(stuck)",
        at(TOUCH, view=View(free=(cos(0.02), sin(0.02), 0.0))),
        at(TOUCH, view=View(free=(0.0, 1.0, 0.0))),
        "Your wall cuts into a body: your axis shows an overlap of 0.8. Turn it back.",
    ),
    (
        "free_axis(stuck)",
        at(CORNERS, view=View(free=(1.0, 0.0, 0.0))),
        at(CORNERS, view=View(free=(cos(0.8), sin(0.8), 0.0))),
        "Your wall can still turn about the lit edge. Turn it until more is lit.",
    ),
    (
        "free_axis(stuck)",
        # Within 6° the face is lit, and the wall counts as lying on it.
        at(CORNERS, view=View(free=(cos(0.08), sin(0.08) / sqrt(2.0), sin(0.08) / sqrt(2.0)))),
        at(CORNERS, view=View(free=(sqrt(1.0 / 3.0),) * 3)),
        "Your wall touches the corners alone. Turn it until an edge is lit.",
    ),
    (
        "free_axis(separates)",
        at(APART, view=View(free=(1.0, 0.0, 0.0))),
        at(APART, view=View(free=(0.0, 1.0, 0.0)), events=LearnerActions(tries=2, best_try=-0.1)),
        "Your axis shows an overlap of 0.8; your best was an overlap of 0.1.",
    ),
    ("free_axis(tries) >= 3", done(APART, tries=3), done(APART, tries=1), "1 try."),
    (
        "free_axis(beats_winner)",
        done(flat(2.0, 2.0), best_try=1.4),
        done(APART, tries=3, best_try=0.9),
        "3 tries, none better than a gap of 1.",
    ),
    ("winner(A.e1)", at(APART), at(flat(0.2, 2.0)), "⊥A.e2 still decides, by 1.8."),
    (
        "winner(kind face of A)",
        at(APART),
        at(Scene(Body(Sphere(1.0)), Body(Sphere(1.0)))),
        "A → B still decides.",
    ),
    ("axis(A.e0, overlaps)", at(APART), at(flat(2.0, 2.0)), "⊥A.e0 shows a gap of 1."),
    ("distinct_axes == 3", at(cubes(2.0)), at(cubes(2.0, rotation=TURNED)), "Still 5 different directions."),
    (
        "moved(b) <= 0.24",
        moved(APART, flat(1.9)),
        moved(APART, flat(1.5)),
        "You moved B by 0.5: 0.26 more than allowed.",
    ),
    (
        "moved(b, x) >= 0.5",
        moved(APART, flat(2.5)),
        moved(APART, flat(1.0)),
        "You moved B by 1, −1 of it along x: 1.5 less than asked.",
    ),
    (
        "shadow_moved(b, A.e1) >= 0.5",
        moved(APART, flat(2.5)),
        moved(APART, flat(2.0, 3.0)),
        "B moved by 2.8, its shadow by 0.",
    ),
    (
        "displacement(b, x) >= 3",
        at(FLIES),
        at(replace(FLIES, b=replace(FLIES.b, displacement=(2.0, 5.0, 0.0)))),
        "B's path is 2 along it: 1 too short.",
    ),
    (
        "moved(a) >= 1",
        moved(Scene(Body(CUBE, (0, 3, 0)), Body(CUBE)), cubes(3.0)),
        at(cubes(3.0)),
        "You moved A by 0: 1 less than asked.",
    ),
    ("turned(b) >= 29", moved(cubes(2.0), cubes(2.0, rotation=TURNED)), at(cubes(2.0)), "B is turned by 0°."),
    (
        "answered(axis)",
        done(DEEP, answered=frozenset({QuestionKind.AXIS})),
        done(DEEP, answered=frozenset({QuestionKind.FACE})),
        "",
    ),
    ("chose(yes)", done(DEEP, chosen="yes"), done(DEEP, chosen="no"), ""),
    (
        "step_at(sat, first_gap)",
        step(APART, Phase.SAT, 2),
        step(APART, Phase.SAT, 1),
        "That is step 1 of 8: go on to the first gap.",
    ),
    (
        "step_at(gjk, stop)",
        step(APART, Phase.GJK, "stop"),
        step(APART, Phase.SAT, 2),
        "That is step 2 of 8 of SAT: go on to the end of GJK.",
    ),
    (
        "step_at(sat, 3)",
        step(APART, Phase.SAT, 3),
        step(APART, Phase.SAT, 5),
        "That is step 5 of 8: go back to step 3.",
    ),
    (
        "step_at(gjk, support A)",
        step(APART, Phase.GJK, "support A"),
        step(APART, Phase.GJK, 1),
        "That is step 1 of 2: the sub-step “support A” comes with Shift+→.",
    ),
    ("step_at(sat, 2)", step(APART, Phase.SAT, 2), at(APART), "The timeline is closed."),
    (
        "visited_phase(sat)",
        done(APART, steps=frozenset((Phase.SAT, k) for k in range(1, 9))),
        done(APART, steps=frozenset((Phase.SAT, k) for k in range(3, 9))),
        "Steps 1 and 2 are still to come.",
    ),
    ("gjk_stop(CONVERGED)", at(APART), at(flat(0.2, 0.1)), "GJK stops: the origin is enclosed."),
    ("epa_stop(CONVERGED)", at(flat(0.2, 0.1)), at(APART), "EPA does not run here."),
    (
        "bounds <= 0.01",
        step(flat(0.2, 0.1), Phase.EPA, "stop"),
        step(APART, Phase.SAT, 1),
        "There are no bounds at this step.",
    ),
    ("motion(hit)", at(FLIES), at(MISSES), "They never touch."),
    ("motion(separated)", at(MISSES), at(FLIES), "They first touch at t = 0.333."),
    ("motion(initial_overlap)", at(cubes(0.5, **FLYING)), at(cubes(0.5)), "Nothing moves."),
    ("impact <= 0.4", at(FLIES), at(SHORT), "They first touch at t = 0.667."),
    ("time ~ impact ± 0.01", at(FLIES), at(FLIES, view=View(time=0.0)), "At t = 0 the bodies are 2 apart."),
    (
        "time >= 0.5",
        at(FLIES, view=View(time=0.5)),
        at(FLIES, view=View(time=0.4)),
        "At t = 0.4 the bodies overlap: 0.4 deep.",
    ),
    ("frames_miss", at(FLIES), at(SHORT), "The last frame overlaps: a frame test would see this one."),
    ("frames_miss", at(FLIES), at(MISSES), "They never touch. So a frame test is right."),
    ("toggled(gauss)", at(DEEP, view=View(shown=frozenset({"gauss"}))), at(DEEP), ""),
    ("toggled(axes)", at(DEEP, panels=frozenset({"axes"})), at(DEEP, view=View(shown=frozenset())), ""),
    ("toggled(log_scale)", at(DEEP, panels=frozenset({"log_scale"})), at(DEEP), ""),
    (
        "setting(reduce, true)",
        at(DEEP, algorithm_settings=with_setting(DEFAULT_SETTINGS, "reduce", True)),
        at(DEEP),
        "",
    ),
    (
        "differs(sat) >= 0.001",
        at(Scene(Body(CUBE, (1e6, 0.0, 0.0)), Body(CUBE, (1e6 + 1.01, 0.0, 0.0)))),
        at(Scene(Body(CUBE), Body(CUBE, (1.5, 0.0, 0.0)))),
        "Single precision is off by 0 of the larger body.",
    ),
]


@pytest.mark.parametrize(("goal", "true", "false", "words"), CASES, ids=[case[0] for case in CASES])
def test_a_goal_holds_and_does_not(goal: str, true: Situation, false: Situation, words: str) -> None:
    read = parse_goal(goal, 1)
    assert holds(read, true)
    assert not holds(read, false)
    assert said(read, false) == words


def test_every_predicate_has_a_case() -> None:
    assert {parse_goal(case[0], 1).name for case in CASES} == set(PREDICATES)


def test_single_precision_is_asked_once_for_a_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(scene: Scene, **how: Any) -> SinglePrecision:
        asked.append(scene)
        return analyse_single(scene, **how)

    monkeypatch.setattr("core.float32.analyse_single", counted)
    goal = parse_goal("differs(sat) >= 0.01", 1)
    for now in (at(flat(0.61)), at(flat(0.61)), at(flat(0.62))):
        assert not holds(goal, now)
    assert len(asked) == 2


def test_single_precision_is_asked_as_far_out_as_it_is_set() -> None:
    goal = parse_goal("differs(sat) >= 0.01", 1)
    near = at(flat(0.61))
    assert not holds(goal, near)
    assert holds(goal, replace(near, algorithm_settings=with_setting(near.algorithm_settings, "single.away", 1e6)))
    assert not holds(goal, near)


def test_the_usage_of_each_predicate_is_one_that_is_read() -> None:
    for name, predicate in PREDICATES.items():
        for usage in predicate.form.usage.split(" or "):
            assert parse_goal(usage, 1).name == name


FIRST = lesson().steps[0]
SECOND = lesson().steps[1]


def test_goals_are_met_in_order_and_stay_met() -> None:
    now = beginning(LESSON, 1)
    assert unmet(SECOND) == (False, False)
    shallow, deep = (replace(now, analysis=analyse(flat(x))) for x in (0.95, 0.8))
    ticks = ticked(SECOND, unmet(SECOND), shallow)
    assert ticks == (True, False)
    assert ticked(SECOND, ticks, deep) == (True, True)
    assert ticked(SECOND, (True, True), now) == (True, True)
    ordered = replace(SECOND, goals=SECOND.goals[::-1])
    assert ticked(ordered, unmet(ordered), shallow) == (False, False)


def test_states_are_ticked_when_the_mouse_button_is_up() -> None:
    now = replace(beginning(LESSON, 1), analysis=analyse(flat(0.8)))
    assert ticked(SECOND, unmet(SECOND), now, dragging=True) == (False, False)
    gap = replace(SECOND, goals=(parse_goal("free_axis(separates)", 1),))
    seen = at(APART, view=View(free=(1.0, 0.0, 0.0)))
    assert ticked(gap, (False,), seen, dragging=True) == (False,)
    assert ticked(gap, (False,), seen, dragging=False) == (True,)


def test_together_they_must_hold_at_once() -> None:
    goals = (parse_goal("verdict(overlapping)", 1), parse_goal("moved(b) <= 0.5", 2))
    both = replace(SECOND, goals=goals, together=True)
    far, near = moved(APART, flat(0.8)), moved(flat(1.2), flat(0.8))
    assert ticked(both, ticked(both, unmet(both), at(APART)), far) == (True, False)
    assert ticked(both, unmet(both), near) == (True, True)
    assert ticked(both, unmet(both), at(APART)) == (False, False), "B was not moved yet"


def test_who_walked_past_the_first_gap_has_reached_it_and_who_jumped_has_not() -> None:
    goal = parse_goal("step_at(sat, first_gap)", 1)
    seen = at(flat(1.2))
    first = playback_at(LessonPlace(Phase.SAT, "first_gap"), lambda: seen.query).index
    for steps, reached in (
        (frozenset({(Phase.SAT, first + 1)}), [True] * 4),
        (frozenset[tuple[Phase, int]](), [k == first for k in range(4)]),
    ):
        walked = replace(seen, events=LearnerActions(steps=steps))
        places = [Playback(open=True, phase=Phase.SAT, index=k) for k in range(4)]
        assert [holds(goal, replace(walked, playback=place)) for place in places] == reached
    assert 0 < first < 3, "one falls short, one goes past"


def test_the_feedback_is_about_the_first_open_goal_then_the_steps_advice() -> None:
    now = beginning(LESSON, 1)
    assert feedback(SECOND, (False, False), now) == "Still 1 apart: ⊥A.e1 shows the gap. Go on."
    assert feedback(SECOND, (True, True), now) == ""
    assert feedback(FIRST, (False,), beginning(LESSON)) == ""
    wrong = replace(now, events=LearnerActions(chosen="no"))
    assert feedback(FIRST, (False,), wrong, chosen=True) == "Look once more."
    assert feedback(FIRST, (False,), wrong) == "", "the attempt was another one"
    push_first = replace(SECOND, options=FIRST.options)
    assert feedback(push_first, (False, False), wrong, chosen=True) == "Look once more.", "the choice is what was done"


def test_what_is_still_being_computed_is_waited_for() -> None:
    waiting = at(FLIES, find_sweep=lambda: None)
    goal = parse_goal("motion(hit)", 1)
    assert waits_for(goal, waiting)
    assert ticked(replace(SECOND, goals=(goal,)), (False,), waiting) == (False,)
    assert feedback(replace(SECOND, goals=(goal,)), (False,), waiting) == "The answer is being computed."
    boxes = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (3.0, 0.0, 0.0)))
    live = analyse(boxes, Limits(vertices=8))
    assert waits_for(parse_goal("verdict(separated)", 1), Situation(analysis=live, start=boxes))
    assert not waits_for(parse_goal("chose(yes)", 1), Situation(analysis=live, start=boxes))


def test_a_goal_about_a_hidden_motion_says_how_to_show_it() -> None:
    hidden = at(FLIES, find_sweep=lambda: None, view=View(motion=False))
    told = feedback(replace(SECOND, goals=(parse_goal("motion(hit)", 1),)), (False,), hidden)
    assert told == "The motion is hidden, so it is not judged. Press `Shift+M` to show it."


def test_nothing_is_computed_that_no_goal_asks_for() -> None:
    def never() -> None:
        raise AssertionError

    now = at(APART, find_query=never, find_sweep=never)
    for goal in ("verdict(separated)", "contacts == 0", "moved(b) <= 1", "chose(yes)", "winner(A.e1)"):
        holds(parse_goal(goal, 1), now)


@pytest.mark.parametrize("label", ["A.edge1", "A.e1", " A.e1 ", "⊥A.e1", "⟂A.edge1"])
def test_a_label_may_be_written_short(label: str) -> None:
    assert row_of(analyse(APART).sat, label) == 1


def test_an_edge_pair_may_have_spaces() -> None:
    table = analyse(cubes(2.0, rotation=TURNED)).sat
    assert row_of(table, "A.x × B.z") == row_of(table, "A.x×B.z") == 8
    assert row_of(table, "A.x × B.q") is None


def test_live_numbers_are_those_of_the_moment() -> None:
    now = moved(flat(1.5), flat(0.7))
    assert live_number("depth", now) == ("0.3", format(1.0 - 0.7, ".17g"))
    assert [live_number(name, now)[0] for name in ("distance", "contacts", "moved_b", "winner")] == [
        "0",
        "2",
        "0.8",
        "⊥A.e1",
    ]
    assert live_number("impact", now) == ("–", "")
    assert live_number("impact", at(FLIES))[0] == "0.333"
    assert live_number("gjk_steps", now)[0] == str(sum(m.phase is Phase.GJK for m in now.query.moments))
