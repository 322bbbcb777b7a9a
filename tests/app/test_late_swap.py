"""When a picture comes to the screen: once each, in order, and before the next is drawn."""

from __future__ import annotations

import pytest

from app.platform.late_swap import LateSwap
from tests.app.patience import wait_for
from tests.app.window_rig import shared_window


@pytest.fixture
def swaps(monkeypatch: pytest.MonkeyPatch) -> tuple[LateSwap, list[int]]:
    """One whose context is current, and a list with an entry for each swap."""
    window, _ = shared_window()
    window.switch_to()
    made: list[int] = []
    return LateSwap(lambda: made.append(1)), made


def test_a_picture_waits_until_it_is_drawn_and_comes_once(swaps: tuple[LateSwap, list[int]]) -> None:
    late, made = swaps
    late.drawn(late=True)
    assert late.waits
    assert not made
    wait_for(lambda: not late.waits, "the picture", meanwhile=late.show_if_ready)
    assert len(made) == 1
    late.show_if_ready()
    late.show()
    assert len(made) == 1


def test_the_picture_before_comes_first(swaps: tuple[LateSwap, list[int]]) -> None:
    late, made = swaps
    late.drawn(late=True)
    late.drawn(late=True)
    assert len(made) == 1
    late.show()
    assert len(made) == 2
    assert not late.waits


def test_at_once_where_that_is_wanted(swaps: tuple[LateSwap, list[int]]) -> None:
    late, made = swaps
    late.drawn(late=True)
    late.drawn(late=False)
    assert len(made) == 2
    assert not late.waits


@pytest.mark.parametrize("answer", [None, RuntimeError("no such function")])
def test_at_once_where_the_driver_has_no_fences(
    swaps: tuple[LateSwap, list[int]], monkeypatch: pytest.MonkeyPatch, answer: Exception | None
) -> None:
    late, made = swaps
    asked = []

    def fence(*_: int) -> None:
        asked.append(1)
        if answer is not None:
            raise answer

    monkeypatch.setattr("pyglet.gl.glFenceSync", fence)
    late.drawn(late=True)
    late.drawn(late=True)
    assert len(made) == 2
    assert len(asked) == 1, "what has failed is not tried again"
