"""GJK and EPA stepped through in single precision: words beside double's, the mark where they part, panel, commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from app.io.presets import load_preset
from app.overlays.context import Context
from app.panels.bounds_chart import BoundsSeries
from app.panels.side_by_side import Go
from app.panels.single import left_words
from app.panels.timeline import TrackMarks, step_tooltip
from app.render.pictures import build
from app.stages import parts_of, step_text
from app.stages.single import NO_NUMBER, run_words
from app.state.away import farther, nearer, slider_distances
from app.state.panel_state import PanelState
from app.state.playback import Playback, at_parting, place_of
from app.state.view import DEFAULT_OVERLAYS, SINGLE_OVERLAY, Seen, View
from app.words.digits import Digits, full, plain, tolerance, written_with
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings, SingleSettings
from core.analysis.analysis import analyse
from core.float32 import analyse_single, spacing_at
from core.query.query import GJK_EPA, Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Box, HalfSpace, Hull, Sphere
from core.study.lab.side_by_side import IN_SINGLE, methods_of
from tests.core.float32.test_single_steps import TURNS

from .asked import Kept, asks, of
from .compare_rig import drawn_texts, opened
from .panel_rig import PAIR, Rig
from .test_legend import theme_of_roles
from .test_step_pictures import DARK, EVERYTHING, arrays_of
from .window_rig import Driver, driver

__all__ = ["driver"]

NAMES = ("near-tie", "skew-edges", "drake-21673", "two-hulls", "ellipsoids", "flat-inside", "balls-head-on", "fcl-545")
ROUND_PLACES = (0.0, 1e3, 1e6)
ON_A_PLANE = Scene(Body(Sphere(1.0), (0.0, 2.0, 0.0)), Body(HalfSpace((0.0, 1.0, 0.0), 0.0)))
HUGE = Scene(Body(Sphere(1e25)), Body(Box((1e25, 2e25, 1e25)), (1.2e25, 3e24, 2e24), TURNS[1]))


def settings_of(**single: object) -> AlgorithmSettings:
    return AlgorithmSettings(single=SingleSettings(steps=True, **single))


@cache
def asked(name: str, away: float = 0.0, *, world: bool = False) -> Query:
    return query(analyse(load_preset(name).scene), settings_of(away=away, world=world))


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch, 1280.0, 1000.0)
    made.watch("slider_int")
    yield made
    made.close()


# Words.


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("away", ROUND_PLACES)
def test_each_step_says_how_it_is_in_double(name: str, away: float) -> None:
    found = asked(name, away, world=True)
    assert found.single is not None
    assert found.single.steps is not None
    steps, double = found.single.steps.steps, found.single.double.steps
    parts_at = len(steps) if found.single.parting is None else found.single.parting.index
    closing = [moment for moment in found.moments if moment.phase in GJK_EPA]
    assert [moment.step for moment in closing] == list(steps)
    for index, moment in enumerate(closing):
        text = step_text(found, moment)
        assert text.title.startswith(f"{moment.phase} in single precision, step {moment.index + 1} of {moment.count}")
        assert ("takes the same step" in text.beside) == (index < parts_at)
        assert ("From here on the two runs differ: " in text.beside) == (index == parts_at)
        assert ("before this one" in text.beside) == (index > parts_at)
        assert ("ends" in text.beside.split()) >= (index == len(steps) - 1)
        if index < parts_at and (off := found_off(steps[index], double[index])):
            way = "less" if off > 0.0 else "more"
            with written_with(Digits.FULL):
                assert f" is {tolerance(abs(off))} {way}." in step_text(found, moment).beside
        for part in parts_of(found, moment):
            said = step_text(found, moment, part.name)
            assert said.beside == ""
            assert said.title.startswith(f"{moment.phase} in single precision, step")
    others = [moment for moment in found.moments if moment.phase not in GJK_EPA]
    assert not any(step_text(found, moment).beside or "single" in step_text(found, moment).title for moment in others)


def found_off(step: object, double: object) -> float:
    upper, its = getattr(step, "upper", None), getattr(double, "upper", None)
    return 0.0 if upper is None or its is None else float(upper) - float(its)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("away", ROUND_PLACES)
def test_one_sentence_or_a_few_tell_the_whole_run(name: str, away: float) -> None:
    found = asked(name, away)
    words = run_words(found)
    assert found.single is not None
    assert found.single.steps is not None
    parted = found.parted
    if parted is None:
        assert words.startswith("Both runs take ")
    else:
        assert words.startswith(f"From {parted.phase}'s step {parted.index + 1} on the two runs differ: ")
    off = float(found.single.steps.result.separation) - found.single.double.result.separation
    if off:
        with written_with(Digits.FULL):
            place = "above" if off > 0.0 else "below"
            assert f"ends {tolerance(abs(off))} {place} double's separation" in run_words(found)
    for sentence in re.split(r"(?<=[.]) (?=[A-Z])", words):
        assert sentence[0].isupper()
        assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("name", "away", "words"),
    [
        (
            "near-tie",
            1e6,
            "in double the support point is a₀ − b₅, in single a₀ − b₄. Measured in double, the first reaches 0.00264",
        ),
        (
            "fcl-545",
            0.0,
            "in double the nearest face is of w₀, w₁ and w₃, in single of w₀, w₁ and w₄. Both are",
        ),
        ("drake-21673", 0.0, "double begins with a₄ − b₄, single with a₄ − b₁."),
        ("ellipsoids", 0.0, "double goes on for 13 steps, single stops (CONVERGED)."),
        ("edge-touch", 0.0, "in double v is on the face of w₀, w₁ and w₂, in single v is on the edge of w₀ and w₂."),
        ("squares-turned", 0.0, "double has a₂ − b₀, a₃ − b₇, a₅ − b₁ and a₄ − b₀, single a₂ − b₀"),
    ],
)
def test_where_they_part_is_told_by_names_and_what_it_costs(name: str, away: float, words: str) -> None:
    found = asked(name, away)
    assert words in run_words(found)
    assert found.parted is not None
    assert words in step_text(found, found.parted).beside


def test_a_tie_is_one_and_a_worse_choice_costs_what_is_said() -> None:
    """The second point's height in double, worked out anew from the bodies."""
    for name, away in (("near-tie", 1e6), ("sphere-face-region", 0.0), ("two-hulls", 0.0), ("tunnelling", 0.0)):
        found = asked(name, away)
        assert found.single is not None
        assert found.single.parting is not None
        assert found.parted is not None
        double, single = found.single.double.steps[found.single.parting.index].support, found.parted.step.support
        scene, way = found.analysis.scene, double.direction
        heights = []
        for point in (double, single):
            on_a, on_b = (
                body.pose.to_world(body.shape.core.points[vertex])
                for body, vertex in ((scene.a, point.vertex_a), (scene.b, point.vertex_b))
            )
            heights.append(float(way @ (on_a - on_b)))
        lost = heights[0] - heights[1]
        words = run_words(found)
        assert ("either is right" in words) == (lost < 1e-9)
        if lost > 1e-9:
            assert f"Measured in double, the first reaches {plain(lost)} farther." in words


def test_numbers_of_float32_have_nine_digits_at_most() -> None:
    found = asked("skew-edges", 1e3, world=True)
    with written_with(Digits.FULL):
        for moment in found.moments:
            if moment.phase in GJK_EPA:
                for formula in step_text(found, moment).formulas:
                    numbers = re.findall(r"\d*\.?\d+", formula.plain)
                    assert all(len(number.replace(".", "").lstrip("0")) <= 9 for number in numbers), formula.plain
    assert full(np.float32(0.1)) == "0.100000001"
    assert full(0.1) == "0.10000000000000001"


def test_what_overflows_is_said_in_one_sentence() -> None:
    found = query(analyse(HUGE), settings_of())
    assert run_words(found) == NO_NUMBER
    step = next(moment for moment in found.moments if moment.phase in GJK_EPA)
    text = step_text(found, step)
    assert text.beside == NO_NUMBER
    assert "single" not in text.title
    assert run_words(query(analyse(PAIR), DEFAULT_SETTINGS)) == ""


# Pictures.


@pytest.mark.parametrize("name", ["skew-edges", "flat-inside", "ellipsoids", "sphere-face-region"])
@pytest.mark.parametrize("world", [False, True])
def test_pictures_stand_at_the_bodies_however_far_out_they_are_computed(name: str, world: bool) -> None:
    near, far = (asked(name, away, world=world) for away in (0.0, 1e4))
    reach = []
    for found in (near, far):
        arrays = []
        for place, moment in enumerate(found.moments):
            if moment.phase not in GJK_EPA:
                continue
            for part in ("whole", *(part.name for part in parts_of(found, moment))):
                seen = Seen(found.analysis.scene, found.analysis, View(shown=EVERYTHING), DARK, found, place, part=part)
                drawn = build(Context(**seen.facts))
                arrays += [array for draw in (drawn.world, drawn.difference) for array in arrays_of(draw)]
        assert all(np.isfinite(array).all() for array in arrays)
        reach.append(max(float(np.abs(array).max()) for array in arrays if array.size))
    assert reach[1] == pytest.approx(reach[0], rel=0.5)


def test_the_vertex_that_double_finds_is_marked_where_the_runs_differ_and_nowhere_else() -> None:
    found = asked("near-tie", 1e6)
    marked = {}
    for place in range(len(found.moments)):
        seen = Seen(found.analysis.scene, found.analysis, View(shown=DEFAULT_OVERLAYS), DARK, found, place)
        labels = build(Context(**seen.facts)).world.labels
        marked[place] = [label.text for label in labels if label.text.endswith("in double")]
    assert found.parted is not None
    assert marked.pop(found.moments.index(found.parted)) == ["B.v5 in double"]
    assert not any(marked.values())


@pytest.mark.parametrize("single", [SingleSettings(), SingleSettings(away=1e6), SingleSettings(world=True, away=1e6)])
def test_the_overlay_is_as_far_out_as_the_panel(single: SingleSettings) -> None:
    scene = load_preset("skew-edges").scene
    view = View(shown=DEFAULT_OVERLAYS | {SINGLE_OVERLAY})
    drawn = build(Context(scene, analyse(scene), view, theme_of_roles(), single=single))
    texts = [label.text for label in drawn.difference.labels if "single precision" in label.text]
    told = analyse_single(scene, world_space=single.world, away=single.away).answers[0]
    assert texts == ([f"SAT in single precision: {plain(told.separation)}"] if single.away else [])


# The timeline.


@pytest.mark.parametrize("name", NAMES)
def test_the_track_marks_where_the_runs_part_before_it_is_reached(name: str) -> None:
    for away in ROUND_PLACES:
        found = asked(name, away)
        flags = {place: flag for place, flag in TrackMarks.of(found).flags.items() if flag.ahead}
        place = None if found.parted is None else found.moments.index(found.parted)
        assert list(flags) == ([] if place is None else [place])
        if place is not None:
            tip = step_tooltip(found, place, TrackMarks.of(found), reached=False)
            assert "From here on the two runs differ: " in tip
    plain_query = query(analyse(load_preset(name).scene))
    assert not any(flag.ahead for flag in TrackMarks.of(plain_query).flags.values())


def test_the_timeline_opens_where_the_runs_part_else_at_gjks_first_step() -> None:
    parted = at_parting(Playback(), asked("fcl-545"))
    assert (parted.open, parted.phase, parted.index) == (True, Phase.EPA, 2)
    assert asked("fcl-545").moments[place_of(parted, asked("fcl-545"))] is asked("fcl-545").parted
    alike = at_parting(Playback(phase=Phase.SAT, index=3, playing=True), asked("skew-edges"))
    assert (alike.open, alike.phase, alike.index, alike.playing) == (True, Phase.GJK, 0, False)


# The panel.


def side_by_side(name: str, **single: object) -> PanelState:
    return opened(
        "compare", load_preset(name).scene, algorithm_settings=AlgorithmSettings(single=SingleSettings(**single))
    )


def test_the_panel_tells_what_is_left_of_the_digits(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    for away, digits in ((0.0, "7 digits are"), (1e3, "4 digits are"), (1e6, "one digit is"), (1e8, "no digits are")):
        ui = side_by_side("near-tie", away=away)
        texts = drawn_texts(rig, ui, monkeypatch)
        (words,) = (text for text in texts if text.startswith("Positions reach "))
        assert f"{digits} left of the larger body." in words
        scene = ui.analysis.scene
        farthest = max(abs(part + away) for body in (scene.a, scene.b) for part in body.position)
        assert f"floats are {plain(spacing_at(farthest))} units apart" in words
        found = analyse_single(scene, away=away).answers
        off = next(answer.error for answer in found if answer.algorithm == "GJK and EPA")
        assert words.endswith(f"GJK and EPA are off by {plain(abs(off))}.")
    rows = methods_of(query(analyse(ON_A_PLANE)))
    assert "GJK" not in left_words(query(analyse(ON_A_PLANE)), rows)


def test_the_slider_asks_for_round_distances_and_the_scene_stays(rig: Rig) -> None:
    ui = side_by_side("skew-edges")
    rig.settle(ui)
    stops = slider_distances(ui.analysis.scene)
    (tune,) = of("tune", rig.click(ui, "Away from the origin", at=0.2))
    assert tune.settings.single.away in stops[1:]
    assert tune.settings == AlgorithmSettings(single=SingleSettings(away=tune.settings.single.away))
    (world,) = of("tune", rig.click(ui, "float32 in the world's frame"))
    assert world == asks.tune(AlgorithmSettings(single=SingleSettings(world=True)))


def test_distances_are_round_and_of_the_bodies_size() -> None:
    for size in (1e-4, 0.3, 1.0, 5.0, 2e6):
        scene = Scene(Body(Box((size, size, size))), Body(Sphere(0.2 * size), (size, 0.0, 0.0)))
        stops = slider_distances(scene)
        assert stops[0] == 0.0
        assert list(stops) == sorted(set(stops))
        assert 0.05 < stops[1] / size <= 1.0
        assert all(len(f"{stop:g}".strip("0.").split("e")[0].strip("0.")) == 1 for stop in stops[1:])
        away, seen = 0.0, []
        while farther(scene, away) != away:
            away = farther(scene, away)
            seen.append(away)
        assert seen == [stop for stop in stops if f"{stop:e}".startswith("1.0")]
        back = [away := nearer(scene, away) for _ in seen]
        assert back == [*seen[-2::-1], 0.0]
    point = Hull(((0.0, 0.0, 0.0),))
    assert slider_distances(Scene(Body(point), Body(point, (1.0, 0.0, 0.0))))[1] == 1.0


def test_a_click_on_single_precisions_answer_steps_where_the_runs_part(rig: Rig) -> None:
    ui = side_by_side("fcl-545")
    rig.settle(ui)
    plain_query = query(ui.analysis)
    row = next(row for row in methods_of(plain_query) if row.needs == IN_SINGLE)
    go = Go(ui, plain_query, Kept())
    assert go.words(row) == "Click to step through it in single precision, from where it differs from double's"
    go(row)
    tune, play = go.ask.taken()
    assert tune == asks.tune(settings_of())
    assert (play.playback.open, play.playback.phase, play.playback.index) == (True, Phase.EPA, 2)
    # There already, it leads to the same place, and double's answer back to double's steps.
    stepped = replace(ui, algorithm_settings=settings_of(), query=asked("fcl-545"))
    row = next(row for row in methods_of(asked("fcl-545")) if row.needs == IN_SINGLE)
    go = Go(stepped, asked("fcl-545"), Kept())
    assert go.words(row) == "Click to go to EPA 3 of 6"
    double = next(row for row in methods_of(asked("fcl-545")) if row.method == "GJK and EPA")
    assert double.separation == plain_query.distance.separation
    go = Go(stepped, asked("fcl-545"), Kept())
    go(double)
    tune, play = go.ask.taken()
    assert tune == asks.tune(DEFAULT_SETTINGS)
    assert play.playback.phase is Phase.EPA


def test_the_button_steps_and_says_where_they_part(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    ui = side_by_side("fcl-545")
    rig.settle(ui)
    assert of("invoke", rig.click(ui, "Step in single precision")) == [asks.invoke("steps.single")]
    on = replace(ui, algorithm_settings=settings_of())
    texts = drawn_texts(rig, on, monkeypatch)
    assert any(text.startswith("From EPA's step 3 on the two runs differ") for text in texts)
    assert of("invoke", rig.click(on, "Step in double again")) == [asks.invoke("steps.single")]
    beside = opened("compare", ON_A_PLANE)
    rig.settle(beside)
    rig.frame(beside)
    assert "Step in single precision" not in rig.rects


# In the window.


def test_the_command_opens_the_run_and_keeps_the_place_when_it_turns_back(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(load_preset("fcl-545").scene, "Two boxes")
    app.invoke("steps.single")
    driver.frame(2)
    moment = app.steps.moment
    assert (app.work.playback.open, moment.phase, moment.index) == (True, Phase.EPA, 2)
    assert app.commands.named("steps.single").checked(app)
    assert moment is app.steps.all.parted
    app.invoke("steps.single")
    driver.frame(2)
    assert (app.steps.moment.phase, app.steps.moment.index) == (Phase.EPA, 2)
    assert app.steps.all.single is None
    app.steps.play(replace(app.work.playback, phase=Phase.GJK, index=0))
    app.invoke("steps.single")
    assert (app.steps.moment.phase, app.steps.moment.index) == (Phase.GJK, 0)
    # The verdict, the file and the undo know nothing of it.
    assert app.work.document.undo_label == "Two boxes"
    assert app.answers.analysis.separation == pytest.approx(-0.15)


def test_a_half_space_has_no_such_steps_and_says_so(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(ON_A_PLANE, "Ground")
    app.invoke("steps.single")
    driver.frame(2)
    assert any("no support points" in notice.message for notice in app.notices.now())


def test_commands_move_the_pair_out_and_back(driver: Driver) -> None:
    app = driver.app
    scene = app.work.scene
    for wanted in (1.0, 10.0, 100.0):
        app.invoke("single.farther")
        assert app.work.algorithm_settings.single.away == wanted
    app.invoke("single.world")
    assert app.commands.named("single.world").checked(app)
    for wanted in (10.0, 1.0, 0.0):
        app.invoke("single.nearer")
        assert app.work.algorithm_settings.single.away == wanted
    assert not app.commands.named("single.nearer").enabled(app)
    assert app.work.scene is scene
    assert app.work.document.undo_label is None


# The chart of bounds.


@pytest.mark.parametrize("name", ["plane-through-three-points", "ellipsoids-overlapping", "skew-edges", "flat-inside"])
def test_the_chart_has_doubles_bounds_beside_its_own_as_far_as_it_goes(name: str) -> None:
    found = asked(name)
    assert found.single is not None
    for phase in GJK_EPA:
        mine = [moment.step for moment in found.moments if moment.phase is phase]
        beside = BoundsSeries.in_double(found, phase)
        if not mine or beside is None:
            assert not mine
            continue
        wanted = [step for step in found.single.double.steps if isinstance(step, type(mine[0]))]
        assert beside.numbers[-1] <= len(mine)
        for number, lower, upper in zip(beside.numbers, beside.lower, beside.upper, strict=True):
            assert (lower, upper) == (wanted[int(number) - 1].lower, wanted[int(number) - 1].upper)
    assert BoundsSeries.in_double(found, Phase.SAT) is None
    assert BoundsSeries.in_double(query(found.analysis), Phase.GJK) is None
