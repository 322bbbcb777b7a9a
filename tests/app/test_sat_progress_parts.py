"""SAT's sub-steps tell a row's result only once its intervals are compared, and no panel tells what a verdict hides."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from app.io.presets import load_preset
from app.stages import parts_of, stage_of
from app.stages.sat.words import ends_of
from app.stages.stage import At
from app.state.playback import Playback, at_place
from app.state.sat_progress import ROW_PARTS
from app.state.settings import Settings
from app.state.view import WHOLE, View
from app.words.digits import plain, signed
from app.words.motion_words import frame_test_words, verdict_of_motion
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.query.motion_steps import with_motion
from core.query.query import Phase, Query, query
from core.toi.motion import moves

from .panel_rig import Rig, panel_state, rig
from .test_sat_progress import NAMES, asked, at, picture, sat_places, stepping

__all__ = ["rig"]

NUMBER = re.compile(r"(?<![\w.])−?\d+(?:\.\d+)?")
SUB_STEPPED = ("skew-edges", "crossed-edges", "capsule-box-edge", "box-on-plane-face", "flat-inside", "flat-one-gap")
BEFORE = ROW_PARTS[:-1]
"""Before both intervals are compared."""


def test_a_row_has_four_sub_steps_and_one_without_a_direction_has_none() -> None:
    found = asked("parallel-bars")
    for place in sat_places(found):
        moment = found.moments[place]
        names = tuple(part.name for part in parts_of(found, moment))
        assert names == (() if moment.step.separation is None else ROW_PARTS)
    assert {len(parts_of(found, found.moments[place])) for place in sat_places(found)} == {0, 4}


@pytest.mark.parametrize("name", SUB_STEPPED)
def test_before_both_intervals_are_compared_as_much_is_known_as_at_the_row_before(name: str) -> None:
    found = asked(name)
    stage, places = stage_of(Phase.SAT), sat_places(found)
    for number, place in enumerate(places):
        moment = found.moments[place]
        for part in BEFORE if parts_of(found, moment) else ():
            context = at(found, place, part=part)
            assert not context.sat_progress.has(moment.step.row)
            assert not context.reveal.at_end
            assert context.focus == moment.step.row
            assert context.sat_progress.reason(found.analysis, moment.step.row) == "not compared yet"
            so_far = stage.verdict_so_far(At(found, moment, part))
            if number:
                earlier = at(found, place - 1)
                assert context.sat_progress.best == earlier.sat_progress.best
                assert context.sat_progress.rows.tolist() == earlier.sat_progress.rows.tolist()
                assert context.sat_progress.number == number
                assert context.sat_progress.separates == earlier.sat_progress.separates
                before = stage.verdict_so_far(At(found, found.moments[place - 1]))
                assert so_far[0] == before[0] or before[1] == "the bodies are apart."
            else:
                assert so_far == ("SAT:", f"0 of {moment.count} axes tried. No gap yet.")
        compared, whole = (at(found, place, part=part) for part in (ROW_PARTS[-1], WHOLE))
        assert compared.sat_progress.rows.tolist() == whole.sat_progress.rows.tolist()
        assert compared.reveal.at_end == whole.reveal.at_end == moment.last


@pytest.mark.parametrize("name", sorted({*SUB_STEPPED} - {"box-on-plane-face"}))
def test_no_word_or_picture_tells_a_rows_result_before_it_is_compared(name: str) -> None:
    found = asked(name)
    table, told = found.analysis.sat, 0
    for place in sat_places(found):
        moment = found.moments[place]
        row = moment.step.row
        known = {plain(abs(float(value))) for value in table.separations[:row]}
        known |= {plain(abs(end)) for end in ends_of(found, row)}
        for part in parts_of(found, moment):
            shown = picture(found, place, part=part.name)
            labels = [label for pane in (shown.world, shown.difference, shown.globe) for label in pane.labels]
            words = [label.text for label in labels] + [part.sentence, *(formula.plain for formula in part.formulas)]
            number = float(moment.step.separation)
            tells = [text for text in words if {plain(abs(number)), signed(number)} & set(NUMBER.findall(text))]
            if part.name == ROW_PARTS[-1]:
                assert tells
                told += 1
            elif plain(abs(number)) not in known:
                assert not tells, (part.name, tells)
    assert told


def bars(found: Query, place: int, part: str) -> int:
    """How many bars are on the rail."""
    lines = picture(found, place, part=part).world.segments
    return sum(lines.width == 7.0 and lines.group >= 0 for lines in lines)


@pytest.mark.parametrize("name", ["skew-edges", "capsule-box-edge", "flat-inside"])
def test_bars_and_dots_come_one_body_after_the_other(name: str) -> None:
    found = asked(name)
    place = sat_places(found)[0]
    assert [bars(found, place, part) for part in (*ROW_PARTS, WHOLE)] == [0, 1, 2, 2, 2]
    dots = []
    for part in BEFORE:
        marks = [marks for marks in picture(found, place, part=part).world.marks if marks.radius == 4.2]
        dots.append({subject.number for one in marks for subject in one.subjects if subject.kind == "body"})
    assert dots == [set(), {0}, {0, 1}]


def test_the_table_shows_dots_for_the_number_until_a_row_is_compared(rig: Rig) -> None:
    rig.watch("text_unformatted")
    rig.panels = [panel for panel in rig.panels if panel.spec.name != "step_card"]
    ui = stepping("skew-edges", sat_places(asked("skew-edges"))[6])
    seen = []
    for part in (*ROW_PARTS, WHOLE):
        rig.settle(replace(ui, part=part))
        numbers = [text for text in rig.rects if text.startswith("−") and text[1:2].isdigit()]
        seen.append((len(numbers), "…" in rig.rects))
    assert seen == [(6, False), (6, True), (6, True), (7, False), (7, False)]


def test_a_flag_and_a_star_wait_for_the_comparison() -> None:
    found = asked("crossed-edges")
    place = next(place for place in sat_places(found) if found.moments[place].step.first_gap)
    moment = found.moments[place]
    for part, gap in ((ROW_PARTS[2], False), (ROW_PARTS[3], True), (WHOLE, True)):
        assert at(found, place, part=part).sat_progress.separates is gap
        so_far = stage_of(Phase.SAT).verdict_so_far(At(found, moment, part))
        assert ("Gap of" in so_far[0]) is gap


# Bodies that move


MOVING = [name for name in NAMES if any(map(moves, (load_preset(name).scene.a, load_preset(name).scene.b)))]


@pytest.mark.parametrize("name", MOVING)
@pytest.mark.sampled(3, "scenes")
def test_what_moves_tells_nothing_of_its_answer_while_the_verdict_waits(rig: Rig, name: str) -> None:
    rig.watch("text_unformatted", "text_disabled")
    scene = load_preset(name).scene
    motion = sweep(scene)
    found = with_motion(query(analyse(scene), AlgorithmSettings(build=True)), motion)
    (head, rest), frames = verdict_of_motion(motion), frame_test_words(motion)
    playback = at_place(Playback(open=True), found, 0)
    ui = panel_state(scene, analysis=found.analysis, query=found, sweep=motion, playback=playback, view=View())
    waited = 0
    for place, moment in enumerate(found.moments):
        if moment.phase not in (Phase.BUILD, Phase.PLANES, Phase.SAT):
            continue
        for part in (*(part.name for part in parts_of(found, moment)), WHOLE):
            here = replace(ui, place=place, part=part, playback=at_place(playback, found, place, part))
            rig.settle(here, 2)
            said = " ".join(rig.rects)
            waits = stage_of(moment.phase).verdict_so_far(At(found, moment, part)) is not None
            assert (head in said) is not waits
            assert not waits or not [words for words in (rest, frames, "impact at t") if words in said]
            waited += waits
    assert waited
    rig.settle(replace(ui, settings=Settings(panels=True, verdict_told=True)))
    assert head in " ".join(rig.rects)
