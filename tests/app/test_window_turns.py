"""When the window draws: a frame for what is new, then it hears the events that wait; and in the end it settles."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyglet import clock

from app.platform import frame_clock
from app.platform.frame_clock import FrameClock
from app.platform.window import LOOK_AGAIN

from .window_rig import shared_window


class Time:
    """What the clock of pyglet's loop goes by."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now

    def turn(self, after: float) -> None:
        """The loop's next turn, so many seconds later."""
        self.now += after
        clock.tick()


TURN = 0.001
"""Seconds from one turn to the next where nothing is waited for."""


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def drawn(time: Time, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """When frames were drawn; nothing else is on the clock."""
    window, _ = shared_window()
    times: list[float] = []
    before = clock.get_default()
    clock.set_default(clock.Clock(time))
    monkeypatch.setattr(frame_clock, "perf_counter", time)
    monkeypatch.setattr(window, "draw_frame", lambda _dt: times.append(time()))
    monkeypatch.setattr(window, "clock", FrameClock(window._draw_if_seen))
    clock.tick()
    yield times
    clock.set_default(before)


def test_a_pointer_that_goes_on_has_one_frame_a_turn(drawn: list[float], time: Time) -> None:
    """Three were drawn for each of its places, so that a body came a third as often."""
    window, _ = shared_window()
    for turn in range(1, 31):
        window.mark_dirty()
        time.turn(TURN)
        assert len(drawn) == turn
    # Three frames for the last place, each no sooner than the window settles.
    for frames in (31, 32):
        time.turn(0.5 * frame_clock.SETTLE)
        assert len(drawn) == frames - 1
        time.turn(0.5 * frame_clock.SETTLE + TURN)
        assert len(drawn) == frames
    time.turn(10.0 * frame_clock.SETTLE)
    assert len(drawn) == 32


def test_a_frame_that_asks_for_another_lets_events_come_between(
    drawn: list[float], time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _ = shared_window()

    def draw(_dt: float) -> None:
        drawn.append(time())
        window.mark_dirty()

    monkeypatch.setattr(window, "draw_frame", draw)
    window.mark_dirty()
    for turn in range(1, 6):
        time.turn(TURN)
        assert len(drawn) == turn


def test_a_picture_is_looked_after_until_it_is_there(
    drawn: list[float], time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _ = shared_window()
    looks, asked = 0, []

    class Late:
        waits = True

        def drawn(self, *, late: bool) -> None:
            asked.append(late)

        def show_if_ready(self) -> None:
            nonlocal looks
            looks += 1
            self.waits = looks < 3

    late = Late()
    monkeypatch.setattr(window, "_late", late)
    monkeypatch.setattr(window, "swaps_late", True)
    monkeypatch.setattr(window, "frames_drawn", 5)
    window.flip()
    window.flip()
    assert asked == [True, True]
    for turns in range(1, 4):
        assert late.waits
        time.turn(LOOK_AGAIN + TURN)
        assert looks == turns
    time.turn(10.0 * LOOK_AGAIN)
    assert looks == 3
    # Where a frame is due that shows it, between its parts.
    late.waits = True
    window.clock.due = True
    window.flip()
    time.turn(LOOK_AGAIN + TURN)
    assert looks == 3
    assert not drawn
