"""Transitions between steps: what moves, that it begins and ends at the pictures of the steps, and what ends it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace
from pyglet.window import mouse

from app.draw.between import Tween, between
from app.draw.between.groups import MovingGroup
from app.draw.camera import Camera
from app.draw.draw_list import DrawList, Marker
from app.draw.layout import Viewport, with_groups_laid_out
from app.draw.placed import box_about, boxes_overlap, middle_of
from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.overlays.context import Context, Extent
from app.render.film import of_steps
from app.render.frame import FrameBuilder
from app.render.pictures import build
from app.render.still import planned
from app.stages.placed_steps import PlacedStep
from app.state.playback import at_place, place_of
from app.state.view import TRANSITION_SECONDS, Seen, Transition, View
from core.analysis.analysis import analyse
from core.geometry.vector import Array
from core.gjk.gjk import GjkStep
from core.query.query import Query, query

from .test_window_steps import track
from .window_rig import FRAME, Driver, driver

__all__ = ["driver"]

SOON = 1e-9
INSIDE = np.array((1.0, 1.0, -1.0, -1.0))
"""By how many pixels boxes may come into each other: the moments at which the program compares them are not these."""


def asked_of(name: str) -> tuple[Query, Seen]:
    scene = load_preset(name).scene
    asked = query(analyse(scene))
    return asked, Seen(scene, asked.analysis, View(), DARK, query=asked)


def drawn(seen: Seen, place: int) -> Iterator[DrawList]:
    """The drawings of both panes, as a camera sees them."""
    pictures = build(Context(**{**seen.facts, "place": place}))
    camera = Camera(yaw=0.5, pitch=0.4, distance=8.0)
    for draw in (pictures.world, pictures.difference):
        yield with_groups_laid_out(Viewport(draw, camera, 640, 480, 1.0))


def told(draw: DrawList, size: float) -> Counter[object]:
    """All that can be seen of a drawing of this size, coarse enough to compare."""
    found: Counter[object] = Counter()

    def coarse(*values: object) -> tuple[float, ...]:
        numbers = np.concatenate([np.asarray(value, dtype=np.float64).ravel() for value in values])
        # Off the places where scenes have their corners, which rounding would tear apart.
        return tuple(np.round(1000.0 * numbers / size + 0.137).tolist())

    for batch in draw.segments:
        width = np.broadcast_to(batch.width, (len(batch.subjects),))
        columns = batch.start, batch.end, batch.start_lift, batch.end_lift, batch.start_rgba, width
        for row in zip(*columns, strict=True):
            if row[4][3] > 1e-3:
                found["line", coarse(*row)] += 1
    for mark in draw.marks:
        if max(mark.fill[3], mark.stroke[3]) > 1e-3:
            for point in mark.points:
                found["mark", mark.shape, coarse(point, mark.radius, mark.fill[3], mark.stroke[3])] += 1
    for label in draw.labels:
        if label.rgba[3] > 1e-3:
            found["label", label.text, coarse(label.point, label.lift, label.rgba)] += 1
    for sheet in draw.sheets:
        if sheet.rgba[3] > 1e-3:
            found["face", coarse(sheet.points, sheet.rgba)] += 1
    for solid in draw.solids:
        for corners, rgba in zip(solid.corners, solid.rgba, strict=True):
            if rgba[3] > 1e-3:
                found["face", coarse(corners, rgba)] += 1
    return found


@pytest.mark.parametrize("name", [preset.id for preset in presets()])
def test_the_transition_begins_at_one_step_and_ends_at_the_next(name: str) -> None:
    asked, seen = asked_of(name)
    last, size = len(asked.moments) - 1, max(1.0, Extent.of(seen.scene).radius)
    firsts = {first for _, first, _ in asked.phases} | {first + 1 for _, first, _ in asked.phases}
    for place in sorted(first for first in firsts if 0 < first <= last):
        for before, after in zip(drawn(seen, place - 1), drawn(seen, place), strict=True):
            assert between(before, after, 0.0) is before
            assert between(before, after, 1.0) is after
            if sum(len(solid.corners) for solid in after.solids) > 600:
                continue
            tween = Tween.of(before, after)
            assert told(tween.at(SOON), size) == told(before, size), "nothing jumps when it begins"
            assert told(tween.at(1.0 - SOON), size) == told(after, size), "nor when it ends"


def test_v_slides_and_what_is_dropped_stands_where_it_fades() -> None:
    asked, seen = asked_of("flat-gjk-walk")
    steps = {place: moment.step for place, moment in enumerate(asked.moments) if isinstance(moment.step, GjkStep)}
    seen_dropped = 0
    for place, step in steps.items():
        if place - 1 not in steps or step.encloses:
            continue
        old = steps[place - 1]
        before, after = (list(drawn(seen, at))[1] for at in (place - 1, place))
        half = between(before, after, 0.5)
        assert v_of(before) == pytest.approx(old.closest)
        assert v_of(half) == pytest.approx(0.5 * (old.closest + step.closest))
        stay = {point.xyz for point in step.simplex}
        for point in old.simplex:
            marks = [mark for mark in half.marks if mark.shape is Marker.DISC and (mark.points[0] == point.w).all()]
            assert marks, "no corner moves"
            seen_dropped += point.xyz not in stay
    assert seen_dropped


def v_of(draw: DrawList) -> Array:
    """The place (3,) of v."""
    (found,) = [mark.points[0] for mark in draw.marks if mark.shape is Marker.DIAMOND]
    return found


def test_the_rail_turns_rigidly_from_its_place_to_the_next() -> None:
    _, seen = asked_of("skew-edges")
    before, after = (next(drawn(seen, place)) for place in (2, 3))
    tween = Tween.of(before, after)
    (moving,) = [group for group in tween.groups if isinstance(group, MovingGroup)]
    for share in (0.25, 0.5, 0.75):
        group = moving.at(share)
        assert group.side is not None
        assert np.linalg.norm(group.axis) == pytest.approx(1.0)
        assert group.axis @ group.side == pytest.approx(0.0, abs=1e-9)


def test_labels_go_from_their_places_to_the_next_and_the_end_is_the_still_picture() -> None:
    asked, seen = asked_of("skew-edges")
    place = next(first for phase, first, _ in asked.phases if phase.name == "GJK") + 1
    builder = FrameBuilder()

    def laid(shown: Seen) -> list[object]:
        return [placed for _, placed in planned(shown, 800, 500, 1.0, builder=builder).lay_out(1)]

    def labels(panes: list[object]) -> dict[str, tuple[float, float]]:
        return {label.text: (label.x, label.y) for pane in panes for label in pane.labels}  # type: ignore[attr-defined]

    seen = replace(seen, place=place - 1)
    first = labels(laid(seen))
    shown = [labels(laid(replace(seen, place=place, transition=Transition(place - 1, share=k / 8)))) for k in range(8)]
    last = labels(laid(replace(seen, place=place)))
    assert shown[0] == first
    both = first.keys() & last.keys()
    assert len(both) > 3
    for text in both:
        way = np.subtract(last[text], first[text])
        for earlier, later in zip(shown, [*shown[1:], last], strict=True):
            if text in earlier and text in later:
                step = np.subtract(later[text], earlier[text])
                assert np.abs(step).max() <= 0.35 * np.abs(way).max() + 1e-6, "no label jumps while it is seen"
    assert sum(all(text in picture for picture in shown) for text in both) > 3


@pytest.mark.parametrize(("name", "places"), [("skew-edges", (1, 7, 20)), ("flat-gjk-walk", (1, 11, 26))])
def test_no_label_passes_over_another(name: str, places: tuple[int, ...]) -> None:
    _, seen = asked_of(name)
    builder, several = FrameBuilder(), 0
    for place in places:
        for k in range(1, 10):
            shown = replace(seen, place=place, transition=Transition(place - 1, share=k / 10))
            for _, placed in planned(shown, 800, 500, 1.0, builder=builder).lay_out(1):
                boxes = [box_about(middle_of(label), label) for label in placed.labels if label.rgba[3] > 0.05]
                several += len(boxes) > 3
                for number, box in enumerate(boxes[1:], start=1):
                    assert not boxes_overlap(box[None], np.array(boxes[:number])[:, None] + INSIDE)
    assert several > 9


@pytest.mark.parametrize("fps", [25.0, 10.0])
def test_a_film_has_the_transitions_between_its_steps_and_the_steps_stand_as_long(fps: float) -> None:
    asked, seen = asked_of("skew-edges")
    answer = replace(seen, query=None)
    source = of_steps(answer, asked, [PlacedStep(place) for place in (-1, 3, 4, 9)], 1.5, fps=fps)
    between_two = round(TRANSITION_SECONDS * fps) - 1
    assert source.seconds == [1.5, 1.5, *[1.0 / fps] * between_two, 1.5, 1.5]
    assert [bool(name) for name in source.names] == [True, True, *[False] * between_two, True, True]
    assert of_steps(answer, asked, [PlacedStep(3), PlacedStep(4)], 1.5).seconds == [1.5, 1.5]


def to_gjk(driver: Driver) -> int:
    """Shows GJK's first step; returns its place."""
    app = driver.app
    asked = app.steps.all
    place = next(first for phase, first, _ in asked.phases if phase.name == "GJK")
    app.steps.play(replace(at_place(app.work.playback, asked, place), open=True))
    driver.frame(60)
    app.steps.end_animation()
    return place


def test_a_step_moves_for_its_time_and_then_nothing_is_drawn(driver: Driver) -> None:
    app, place = driver.app, to_gjk(driver)
    driver.key("Right")
    assert place_of(app.work.playback, app.steps.all) == place + 1
    assert app.steps.transition is not None
    before = app.builder.placed
    driver.frame()
    assert app.builder.placed is not before
    assert app.steps.next_in(driver.now) is not None
    driver.frame(round(TRANSITION_SECONDS / FRAME) + 1)
    assert app.steps.transition is None
    assert app.steps.next_in(driver.now) is None
    still = app.builder.placed
    driver.frame(3)
    assert app.builder.placed == still


def test_a_key_or_a_click_ends_it_and_repeats_and_scrubbing_do_not_wait(driver: Driver) -> None:
    app, place = driver.app, to_gjk(driver)
    driver.key("Right")
    assert app.steps.transition is not None
    driver.key("F12")
    assert app.steps.transition is None
    driver.key("Left")
    assert app.steps.transition == Transition(place + 1, share=app.steps.transition.share)
    area = app.cameras.area
    driver.press(area.x + 20.0, area.y + 200.0)
    assert app.steps.transition is None
    driver.release(area.x + 20.0, area.y + 200.0)
    driver.frame(60)
    asked = app.steps.all
    for at in (place + 1, place + 2, place + 1):
        app.steps.play(at_place(app.work.playback, asked, at))
        driver.frame()
    assert app.steps.transition is None, "steps that follow one another quickly are there at once"
    driver.frame(60)
    left, right, y = track(driver)
    driver.press(left + (right - left) * (place + 0.5) / len(asked.moments), y)
    for step in range(3, 30):
        driver.move(left + (right - left) * (place + step / 10) / len(asked.moments), y, buttons=mouse.LEFT)
        driver.frame()
        assert app.steps.transition is None, "scrubbing shows each step at once"
    driver.release(right, y)
    driver.frame(60)
    app.steps.play(at_place(app.work.playback, asked, 0))
    assert app.steps.transition is None, "a jump cuts"


def test_a_recording_has_the_transition_to_the_step_taken(driver: Driver) -> None:
    app, place = driver.app, to_gjk(driver)
    app.invoke("file.record")
    driver.key("Right")
    driver.frame(30)
    app.invoke("file.record")
    recorded = [glimpse.seen(DARK) for glimpse in app.films._recorded]
    shares = [seen.transition.share for seen in recorded if seen.transition is not None]
    assert len(shares) > 2
    assert all(seen.transition.place == place for seen in recorded if seen.transition is not None)
    assert recorded[-1].transition is None


def test_it_is_off_by_the_setting_and_in_no_exported_picture(driver: Driver) -> None:
    app = driver.app
    to_gjk(driver)
    driver.key("Right")
    assert app.cameras.seen.transition is not None
    driver.frame(40)
    app.invoke("view.motion")
    assert not app.preferences.settings.animations
    driver.key("Left")
    assert app.steps.transition is None
