"""Contacts over time: what is counted for the panel, from frame to frame and by policy, and when nothing is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.controllers.contact_meter import ContactMeter
from app.draw.draw_list import DrawList
from app.draw.theme import DARK, contact_colour
from app.overlays.contact_ids import OVERLAY
from app.overlays.context import Context
from app.state.contact_times import ContactTimes, begun, caught_up, times_after, times_restarted
from app.state.panel_state import Dialogs, LogPosition
from app.state.view import View
from app.state.work import Document, Work
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.analysis.analysis import Analysis, analyse
from core.contact.policies.policy import ContactPolicy
from core.scene import Body, Scene
from core.shapes import Box, Cone, Polygon
from tests.core.contact.test_contact_tracking import CUBE, GROUND, counts, followed, nudged, rolled

from .test_extremes import PAIRS, some_scene

TOLERANT, EXACT = ContactPolicy.TOLERANT, ContactPolicy.EXACT


def always() -> bool:
    return True


def counted(
    scenes: Iterable[Scene],
    active: ContactPolicy = TOLERANT,
    *,
    pages: bool = True,
    within: Callable[[], bool] = always,
) -> ContactTimes:
    """The scenes one after the other, a unit of time apart; in seconds a sixtieth."""
    times: ContactTimes | None = None
    for scene in scenes:
        analysis = analyse(scene)
        if times is None:
            times = begun(analysis, active, DEFAULT_SETTINGS, pages=pages)
        else:
            times = times_after(times, analysis, times.now + (1.0 if pages else 1.0 / 60.0), within)
    assert times is not None
    return times


def sums(times: ContactTimes) -> dict[ContactPolicy, tuple[int, int, int]]:
    return {own.policy: (own.born, own.died, own.jumped) for own in times.policies}


def test_sums_are_those_of_the_core_and_lives_tell_them() -> None:
    times = counted(rolled(degrees) for degrees in (0.0, -2.0, -10.0, -80.0, -88.0, -90.0))
    # By hand, as in the core's test: at 2° two corners give way to two ends at δ, which go beyond α; and back.
    assert sums(times)[TOLERANT] == (6, 6, 0)
    assert sums(times)[EXACT] == (2, 2, 0)
    assert times.frames == 5
    own = times.shown
    assert own.compared == 5
    assert sorted((run.start, run.end) for run in own.ended) == [(0.0, 1.0)] * 2 + [(1.0, 2.0)] * 2 + [(4.0, 5.0)] * 2
    assert sorted((run.start, run.end) for run in own.alive) == [(0.0, 5.0)] * 2 + [(5.0, 5.0)] * 2
    # No two that live at the same time are on one line, and four lines are enough.
    assert {run.slot for run in own.alive} == {0, 1, 2, 3}
    assert {run.slot for run in own.ended} <= {0, 1, 2, 3}


def test_flicker_is_told_by_policy_before_anything_is_simulated() -> None:
    times = counted(nudged(2))
    assert sums(times)[TOLERANT] == (0, 0, 0)
    by_hand = [
        sum(column) for column in zip(*counts(followed(nudged(2), AlgorithmSettings(preference=EXACT))), strict=True)
    ]
    assert list(sums(times)[EXACT]) == by_hand
    assert by_hand[0] > 10


def test_rates_are_of_the_last_second_in_which_something_moved() -> None:
    standing, fallen = rolled(0.0), rolled(-10.0)
    # A frame with two deaths, another with two births, and then a second of rest on its face.
    scenes = [standing, fallen, standing, *(rolled(-1e-3 * (k % 2)) for k in range(70))]
    times = counted(scenes[:3], pages=False)
    assert times.shown.rates(times.now) == (2, 2, 0)
    times = counted(scenes, pages=False)
    assert times.shown.rates(times.now) == (0, 0, 0)
    assert (times.shown.born, times.shown.died) == (2, 2)


def test_who_is_left_out_takes_turns_and_catches_up() -> None:
    allowed = iter([True, False] * 100)
    scenes = nudged(3)
    times = counted(scenes, within=lambda: next(allowed))
    assert times.shown.compared == times.frames == 11
    others = [own.compared for own in times.policies[1:]]
    # One other policy has its turn in each frame, each time the next one.
    assert sum(others) in range(11, 34)
    assert min(others) >= 1
    assert times.behind
    whole = caught_up(times, analyse(scenes[-1]))
    assert not whole.behind
    assert all(own.frame is not None and own.frame.b == scenes[-1].b for own in whole.policies)


def test_another_pair_is_not_compared() -> None:
    times = counted([rolled(0.0), rolled(-2.0)])
    larger = Scene(GROUND, Body(Box((2.0, 2.0, 2.0)), (0.0, 0.999, 0.0)))
    after = times_restarted(times, analyse(larger), times.now + 1.0)
    assert sums(after) == sums(times)
    assert after.cuts == (2.0,)
    old, new = times.shown.frame, after.shown.frame
    assert old is not None
    assert new is not None
    assert min(new.ids) > max(old.ids)


def test_a_policy_without_contacts_of_such_shapes_counts_nothing() -> None:
    times = counted([Scene(GROUND, Body(Cone(0.5, 1.0), (x, 0.49, 0.0))) for x in (0.0, 0.1)])
    frames = {own.policy: own.frame is None for own in times.policies}
    assert frames[EXACT]
    assert frames[ContactPolicy.MUJOCO]
    assert not frames[TOLERANT]
    assert sums(times)[EXACT] == (0, 0, 0)


def test_the_plane_has_its_own_policies_and_one_of_space_has_no_contacts() -> None:
    square = Polygon(((0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)))
    scenes = [Scene(Body.in_plane(square), Body.in_plane(square, (0.2, y))) for y in (0.99, 0.98, 1.5)]
    engines = [ContactPolicy.BOX2D, ContactPolicy.BOX2D_2, ContactPolicy.DYN4J, ContactPolicy.CHIPMUNK]
    times = counted(scenes, engines[0])
    assert [own.policy for own in times.policies] == [TOLERANT, ContactPolicy.NARROW, EXACT, *engines]
    assert times.shown is not None
    assert times.shown.policy is engines[0]
    assert set(sums(times).values()) == {(0, 2, 0)}
    other = counted(scenes, ContactPolicy.JOLT)
    assert other.shown is None
    assert sums(other) == sums(times)


@pytest.mark.parametrize("seed", range(12))
def test_pairs_of_any_size_are_counted(seed: int) -> None:
    rng = random.Random(seed)
    scene = some_scene(rng, rng.choice(PAIRS))
    x, y, z = scene.b.position
    moved = scene.with_body(1, replace(scene.b, position=(x + 1e-3 * (abs(x) + 1e-3), y, z)))
    counts = [(own, own.frame) for own in counted([scene, moved]).policies if own.frame is not None]
    assert counts
    for own, frame in counts:
        assert len(set(frame.ids)) == len(frame.contacts)
        assert {run.id for run in own.alive} == set(frame.ids)


# The controller.


class Known:
    """Answers that count how often they are asked for."""

    def __init__(self, work: Work) -> None:
        self.work, self.asked = work, 0

    @property
    def analysis(self) -> Analysis:
        self.asked += 1
        return analyse(self.work.scene)


def meter_of(scene: Scene, **dialogs: object) -> tuple[ContactMeter, Work, Known, Dialogs]:
    work = Work(Document.new(scene), scene)
    known, shown = Known(work), Dialogs(docked=("contact_times",), **dialogs)
    return ContactMeter(work, known, shown), work, known, shown


def test_out_of_sight_nothing_is_computed() -> None:
    meter, work, known, _ = meter_of(rolled(0.0))
    for degrees in (-1.0, -2.0):
        work.document = work.document.edited(rolled(degrees), "Turn B")
        meter.look(None)
    assert known.asked == 0
    assert meter.times is None


def test_a_pair_at_rest_is_looked_at_once() -> None:
    meter, _, known, _ = meter_of(rolled(0.0), meter_panel=True)
    for _ in range(3):
        meter.look(None)
    assert known.asked == 1
    assert meter.times is not None
    assert meter.times.frames == 0


def test_edits_are_counted_and_another_document_begins_anew() -> None:
    meter, work, _, dialogs = meter_of(rolled(0.0), meter_panel=True)
    meter.look(None)
    work.document = work.document.edited(rolled(-10.0), "Turn B")
    meter.look(None)
    assert meter.times is not None
    assert (meter.times.shown.died, meter.times.frames) == (2, 1)
    # Out of sight it is kept, but what happened meanwhile is not compared.
    dialogs.meter_panel = False
    meter.look(None)
    work.document = work.document.edited(rolled(0.0), "Turn B")
    dialogs.meter_panel = True
    meter.look(None)
    assert (meter.times.shown.born, meter.times.frames, len(meter.times.cuts)) == (0, 1, 1)
    other = Scene(Body(CUBE), Body(CUBE, (0.0, 0.99, 0.0)))
    work.document, work.opened = Document.new(other), other
    meter.look(None)
    assert (meter.times.shown.died, meter.times.frames) == (0, 0)
    dialogs.docked = ()
    dialogs.meter_panel = False
    meter.look(None)
    dialogs.meter_panel = True
    assert meter.times is None


def test_pages_of_a_log_that_are_neighbours_are_compared(tmp_path: Path) -> None:
    meter, work, _, _ = meter_of(rolled(0.0), meter_panel=True)
    path = tmp_path / "log.jsonl"
    for index, degrees in ((0, 0.0), (1, -10.0), (1, -10.0), (2, -10.0), (5, 0.0), (4, -10.0)):
        scene = rolled(degrees)
        work.document, work.opened = Document.new(scene), scene
        meter.look(LogPosition("log", index, 9, path=path))
    assert meter.times is not None
    assert meter.times.pages
    # 0 to 1 takes two contacts, 1 to 2 none, 2 to 5 is a cut, and 5 back to 4 takes two again.
    assert (meter.times.frames, meter.times.shown.born, meter.times.shown.died) == (3, 0, 4)
    assert meter.times.cuts == (3.0,)
    meter.clear()
    meter.look(LogPosition("log", 4, 9, path=path))
    assert meter.times.frames == 0


def test_a_page_that_cannot_be_shown_is_none(tmp_path: Path) -> None:
    meter, work, _, _ = meter_of(rolled(0.0), meter_panel=True)
    path = tmp_path / "log.jsonl"
    meter.look(LogPosition("log", 0, 9, path=path))
    meter.look(LogPosition("log", 1, 9, "no scene", path))
    work.document = Document.new(rolled(-10.0))
    meter.look(LogPosition("log", 2, 9, path=path))
    assert meter.times is not None
    assert (meter.times.frames, meter.times.shown.died, meter.times.cuts) == (0, 0, (1.0,))


def test_a_body_that_is_resized_counts_from_the_release_on() -> None:
    meter, work, _, _ = meter_of(rolled(0.0), meter_panel=True)
    meter.look(None)
    known = meter.times
    larger = Scene(GROUND, Body(Box((2.0, 2.0, 2.0)), (0.0, 0.999, 0.0)))
    work.document = work.document.previewed(larger)
    meter.look(None)
    assert meter.times is known
    work.document = work.document.edited(larger, "Resize B")
    meter.look(None)
    assert meter.times is not None
    assert (meter.times.frames, len(meter.times.cuts), meter.times.scene) == (0, 1, larger)


def test_the_budget_holds_in_a_drag_only(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10_000))
    monkeypatch.setattr("app.controllers.contact_meter.thread_time", lambda: float(next(ticks)))
    meter, work, _, _ = meter_of(rolled(0.0), meter_panel=True)
    meter.look(None)
    work.document = work.document.previewed(rolled(-1.0))
    meter.look(None)
    assert meter.times is not None
    assert [own.compared for own in meter.times.policies] == [1, 0, 0, 0, 0, 0, 0]
    work.document = work.document.edited(rolled(-1.0), "Turn B")
    meter.look(None)
    assert [own.compared for own in meter.times.policies] == [1] * 7


# The dots.


def dots(times: ContactTimes, scene: Scene) -> DrawList:
    drawn = DrawList()
    context = Context(scene, analyse(scene), View(), DARK, contact_times=times)
    assert OVERLAY.world is not None
    OVERLAY.world(context, drawn)
    return drawn


def test_dots_have_the_colours_and_names_of_their_ids() -> None:
    scenes = [rolled(0.0), rolled(-10.0), rolled(0.0)]
    drawn = dots(counted(scenes), scenes[-1])
    frame = counted(scenes).shown.frame
    assert frame is not None
    shown = {label.text: label.point.tolist() for label in drawn.labels}
    names = "₀₁₂₃₄₅₆₇₈₉"
    assert shown == {
        f"c{names[identity]}": contact.position.tolist()
        for identity, contact in zip(frame.ids, frame.contacts, strict=True)
    }
    assert sorted(frame.ids)[-2:] == [5, 6]
    fills = [tuple(marks.fill) for marks in drawn.marks]
    assert fills == [contact_colour(identity) for identity in sorted(frame.ids)]
    assert len(set(fills)) == 4


def test_before_the_first_change_there_are_no_dots() -> None:
    assert not dots(counted([rolled(0.0)]), rolled(0.0)).marks
    assert not dots(counted([rolled(0.0), rolled(-1.0)]), rolled(-2.0)).marks
