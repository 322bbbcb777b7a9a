"""When the window draws: a frame for what is new, then it hears the events that wait; and in the end it settles."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic, sleep

import pytest
from pyglet import clock

from app.platform import frame_clock
from app.platform.frame_clock import FrameClock

from .window_rig import shared_window

PATIENCE = 20.0


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """When frames were drawn; nothing else is on the clock."""
    window, _ = shared_window()
    times: list[float] = []
    before = clock.get_default()
    clock.set_default(clock.Clock())
    monkeypatch.setattr(window, "draw_frame", lambda _dt: times.append(monotonic()))
    monkeypatch.setattr(window, "clock", FrameClock(window._draw_if_seen))
    clock.tick()
    yield times
    clock.set_default(before)


def test_a_pointer_that_goes_on_has_one_frame_a_turn(drawn: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Three were drawn for each of its places, so that a body came a third as often."""
    window, _ = shared_window()
    monkeypatch.setattr(frame_clock, "SETTLE", 0.2)
    for turn in range(1, 31):
        window.mark_dirty()
        clock.tick()
        assert len(drawn) == turn
    end = monotonic() + PATIENCE
    while len(drawn) < 32 and monotonic() < end:
        clock.tick()
        sleep(0.01)
    # Three frames for the last place.
    assert len(drawn) == 32
    assert drawn[30] - drawn[29] > 0.19
    assert drawn[31] - drawn[30] > 0.19
    sleep(0.25)
    clock.tick()
    assert len(drawn) == 32


def test_a_frame_that_asks_for_another_lets_events_come_between(
    drawn: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _ = shared_window()

    def draw(_dt: float) -> None:
        drawn.append(monotonic())
        window.mark_dirty()

    monkeypatch.setattr(window, "draw_frame", draw)
    window.mark_dirty()
    for turn in range(1, 6):
        clock.tick()
        assert len(drawn) == turn


def test_a_picture_is_looked_after_until_it_is_there(drawn: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
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
    end = monotonic() + PATIENCE
    while late.waits and monotonic() < end:
        clock.tick()
        sleep(0.002)
    assert looks == 3
    sleep(0.005)
    clock.tick()
    assert looks == 3
    # Where a frame is due that shows it, between its parts.
    late.waits = True
    window.clock.due = True
    window.flip()
    clock.tick()
    assert looks == 3
    assert not drawn
