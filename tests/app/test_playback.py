"""Where the playback stands: by hand, by itself, and while the query under it changes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from app.state.playback import (
    SPEEDS,
    STOP,
    Playback,
    advanced,
    at_place,
    at_start,
    moment_of,
    place_of,
    scrubbed,
    stepped,
    to_phase,
    to_stop,
    toggled,
    with_speed,
)
from app.state.view import WHOLE
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.query.query import Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Box, Sphere

TURNED = quaternion.from_euler_xyz(0.3, 0.4, 0.5)


def boxes(x: float) -> Query:
    """Two boxes; overlapping at x = 0.9, apart at x = 3."""
    b = Body(Box((1.0, 1.6, 1.0)), (x, 0.3, 0.2), TURNED)
    return query(analyse(Scene(Body(Box((2.0, 1.0, 1.4))), b)))


MEETING, APART = boxes(0.9), boxes(3.0)


def counts(asked: Query) -> dict[Phase, int]:
    return {phase: count for phase, _, count in asked.phases}


def test_the_phases_follow_each_other_without_a_gap() -> None:
    for asked in (MEETING, APART, query(MEETING.analysis, AlgorithmSettings(build=True))):
        ends = [(first, first + count) for _, first, count in asked.phases]
        assert (ends[0][0], ends[-1][1]) == (0, len(asked.moments))
        assert all(one[1] == other[0] for one, other in pairwise(ends))
        for phase, first, count in asked.phases:
            part = asked.moments[first : first + count]
            assert [(m.phase, m.index, m.count) for m in part] == [(phase, k, count) for k in range(count)]


def test_every_place_is_found_again_and_numbers_past_the_ends_mean_the_ends() -> None:
    for place in range(len(MEETING.moments)):
        assert place_of(at_place(Playback(), MEETING, place), MEETING) == place
    assert place_of(at_place(Playback(), MEETING, -7), MEETING) == 0
    assert place_of(at_place(Playback(), MEETING, 10**6), MEETING) == len(MEETING.moments) - 1


def test_epa_goes_while_the_bodies_are_dragged_apart_and_comes_back_with_the_place() -> None:
    assert Phase.EPA in counts(MEETING)
    assert Phase.EPA not in counts(APART)
    inside = next(place for place, m in enumerate(MEETING.moments) if m.phase is Phase.EPA and m.index == 1)
    playback = at_place(Playback(open=True), MEETING, inside)
    away = moment_of(playback, APART)
    assert (away.phase, away.last) == (Phase.GJK, True), "the nearest step before is where GJK stops"
    assert place_of(playback, MEETING) == inside
    # A step by hand while EPA is away is a new wish.
    assert moment_of(stepped(playback, APART, -1), MEETING).phase is not Phase.EPA


def test_who_stands_on_a_stop_stays_on_it_however_long_the_phase_gets() -> None:
    queries = [boxes(x) for x in (0.9, 0.95, 1.0, 1.1, 1.3, 3.0)]
    lengths = {counts(asked)[Phase.GJK] for asked in queries}
    assert len(lengths) > 1, "GJK takes as many steps everywhere: the test shows nothing"
    first = next(first for phase, first, _ in MEETING.phases if phase is Phase.GJK)
    stop = to_stop(scrubbed(Playback(), MEETING, first), MEETING)
    assert stop.index == STOP
    for asked in queries:
        assert moment_of(stop, asked).phase is Phase.GJK
        assert moment_of(stop, asked).last
    second = scrubbed(Playback(), MEETING, first + 1)
    for asked in queries:
        assert moment_of(second, asked).index == min(1, counts(asked)[Phase.GJK] - 1)


def test_a_place_before_every_phase_there_is_means_the_first_step() -> None:
    assert place_of(Playback(phase=Phase.BUILD, index=5), MEETING) == 0
    spheres = query(analyse(Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (3.0, 0.0, 0.0)))))
    for phase in Phase:
        assert 0 <= place_of(Playback(phase=phase, index=99), spheres) < len(spheres.moments)


def test_a_step_by_hand_ends_the_playing_and_the_ends_hold() -> None:
    start = Playback(open=True, playing=True)
    there = stepped(start, MEETING, 1)
    assert (place_of(there, MEETING), there.playing, there.open) == (1, False, True)
    assert place_of(stepped(there, MEETING, -5), MEETING) == 0
    assert place_of(stepped(there, MEETING, 10**6), MEETING) == len(MEETING.moments) - 1


def test_stops_and_phases_are_jumped_to_in_order() -> None:
    stops = [first + count - 1 for _, first, count in MEETING.phases]
    firsts = [first for _, first, _ in MEETING.phases]
    playback, seen = Playback(open=True, playing=True), []
    for _ in stops:
        playback = to_stop(playback, MEETING)
        seen.append(place_of(playback, MEETING))
    assert seen == stops
    assert to_stop(playback, MEETING) == playback
    assert not playback.playing

    playback = scrubbed(playback, MEETING, 2)
    on = [place_of(playback := to_phase(playback, MEETING, 1), MEETING) for _ in firsts]
    assert on == [*firsts[1:], stops[-1]]
    # Back: the beginning of the phase shown first, then the one before.
    back = [place_of(playback := to_phase(playback, MEETING, -1), MEETING) for _ in firsts]
    assert back == firsts[::-1]
    assert place_of(to_phase(playback, MEETING, -1), MEETING) == 0


def test_playing_takes_every_step_once_and_ends_or_begins_anew() -> None:
    count = len(MEETING.moments)
    playback, seen = toggled(Playback(), MEETING), []
    assert (playback.open, playback.playing) == (True, True)
    while playback.playing:
        seen.append(place_of(playback, MEETING))
        playback = advanced(playback, MEETING)
    assert seen == list(range(count))
    assert place_of(playback, MEETING) == count - 1
    assert place_of(toggled(playback, MEETING), MEETING) == 0, "from the last step it begins at the first"
    looped = advanced(replace(playback, playing=True, loop=True), MEETING)
    assert (place_of(looped, MEETING), looped.playing) == (0, True)


def test_playing_by_sub_steps_begins_anew_at_the_first_sub_step() -> None:
    def parts(place: int) -> tuple[str, ...]:
        return f"first of {place}", WHOLE

    end = at_place(Playback(open=True, playing=True, loop=True), MEETING, len(MEETING.moments) - 1)
    looped, again = advanced(end, MEETING, parts), toggled(replace(end, playing=False), MEETING, parts)
    assert [(place_of(at, MEETING), at.part, at.playing) for at in (looped, again)] == 2 * [(0, "first of 0", True)]


def test_playing_goes_on_while_epa_comes_and_goes() -> None:
    playback = at_place(Playback(open=True, playing=True), MEETING, 0)
    for k in range(200):
        playback = advanced(playback, MEETING if k % 2 else APART)
        if not playback.playing:
            break
    assert not playback.playing, "it goes round in circles"
    assert moment_of(playback, MEETING).phase is Phase.CONTACTS


def test_pausing_keeps_the_place_and_another_scene_begins_at_its_first_step() -> None:
    playback = at_place(Playback(open=True, playing=True, speed=8.0, loop=True), MEETING, 7)
    assert toggled(playback, MEETING) == replace(playback, playing=False)
    begun = at_start(playback)
    assert begun == Playback(open=True, phase=Phase.BUILD, speed=8.0, loop=True)
    assert place_of(begun, MEETING) == 0
    built = query(MEETING.analysis, AlgorithmSettings(build=True))
    assert place_of(begun, built) == 0


@pytest.mark.parametrize(("speed", "count", "wanted"), [(2.0, 1, 4.0), (2.0, -1, 1.0), (8.0, 1, 8.0), (0.5, -3, 0.5)])
def test_speeds_go_up_and_down_as_far_as_they_go(speed: float, count: int, wanted: float) -> None:
    assert with_speed(Playback(speed=speed), count).speed == wanted
    assert wanted in SPEEDS
