from __future__ import annotations

from collections.abc import Callable

import pytest

from core.trace import Steps, record, run


def _halving(value: float, fails: bool = False) -> Steps[float, str]:
    while value > 1.0:
        value /= 2.0
        yield value
        if fails and value < 3.0:
            raise ArithmeticError("on purpose")
    return "done"


def _twice() -> Steps[float, str]:
    first = yield from _halving(4.0)
    second = yield from _halving(2.0)
    return f"{first} {second}"


def test_run_gives_the_result_alone() -> None:
    assert run(_halving(8.0)) == "done"


def test_record_gives_every_step_and_the_result() -> None:
    recording = record(_halving(8.0))
    assert (recording.steps, recording.result) == ((4.0, 2.0, 1.0), "done")


def test_one_algorithm_continues_another() -> None:
    recording = record(_twice())
    assert (recording.steps, recording.result) == ((2.0, 1.0, 1.0), "done done")


@pytest.mark.parametrize("wanted", [run, record])
def test_an_exception_comes_through(wanted: Callable[[Steps[float, str]], object]) -> None:
    with pytest.raises(ArithmeticError):
        wanted(_halving(8.0, fails=True))


def test_an_algorithm_without_steps_has_a_result_all_the_same() -> None:
    recording = record(_halving(1.0))
    assert (recording.steps, recording.result) == ((), "done")
