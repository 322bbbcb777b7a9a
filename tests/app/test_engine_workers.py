"""Stand-in engines that hang, end, crash and print: every answer is words, and nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engines.workers import TAIL, Worker
from core.scene import Body, Scene
from core.shapes import Box, Shape, Sphere
from core.study.differential.answers import EngineAnswer, Failed, NotAsked

from . import stand_in_modes as told
from .patience import wait_for

signals = pytest.mark.skipif(sys.platform == "win32", reason="Windows ends no process by a signal")
STAND_IN = Path(__file__).with_name("stand_in_engine.py")
COMMAND = (sys.executable, "-S", str(STAND_IN))


def scene(mode: int, a: Shape | None = None) -> Scene:
    return Scene(Body(a or Sphere(1.0)), Body(Sphere(float(mode)), (3.0, 0.0, 0.0)))


def zombies() -> set[str]:
    """Ended children of this process that nobody has waited for."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if words[0] == "Z" and int(words[1]) == os.getpid():
            found.add(stat.parent.name)
    return found


@pytest.fixture
def worker() -> Iterator[Worker]:
    """One that has been asked already, so that its process runs."""
    made = Worker(COMMAND, "stand-in")
    assert isinstance(made.answer(scene(told.ANSWER)).answer, EngineAnswer)
    yield made
    made.close()
    assert not zombies()


@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        (told.SLEEP, "hang", "hung: no answer in 2 s"),
        (told.HALF, "hang", "hung: no answer in 2 s"),
        (told.EXIT, "crash", "ended with exit status 3"),
        (told.HALF_EXIT, "crash", "ended with exit status 0"),
        pytest.param(told.CRASH, "crash", "crashed: SIGSEGV", marks=signals),
        (told.GARBAGE, "garbage", "wrote what is no answer: 'Segment 12'"),
        (told.OTHER_ID, "garbage", 'wrote what is no answer: \'{"id": -1, "separation": 1.0}\''),
    ],
)
@pytest.mark.sampled(2, "commands")
def test_what_an_engine_does_wrong_is_told_in_words(worker: Worker, mode: int, kind: str, words: str) -> None:
    assert worker.answer(scene(mode)).answer == Failed(kind, words)  # type: ignore[arg-type]
    assert isinstance(worker.answer(scene(told.ANSWER)).answer, EngineAnswer)
    assert not zombies()


def test_a_number_that_is_not_finite_is_an_answer(worker: Worker) -> None:
    answer = worker.answer(scene(told.NOT_FINITE)).answer
    assert isinstance(answer, EngineAnswer)
    assert answer.separation != answer.separation


def test_only_the_newest_of_waiting_questions_is_asked(worker: Worker) -> None:
    first = worker.ask(scene(told.SLOW))
    time.sleep(0.1)
    numbers = [worker.ask(scene(told.ANSWER)) for _ in range(5)]
    seen = set()

    def look() -> int:
        number = -1 if worker.latest is None else worker.latest.number
        seen.add(number)
        return number

    wait_for(lambda: look() >= numbers[-1], "the newest answer")
    assert seen <= {first - 1, first, numbers[-1]}
    assert look() == numbers[-1]


@signals
def test_after_three_crashes_of_a_pair_it_is_not_asked_again(worker: Worker) -> None:
    for _ in range(3):
        assert worker.answer(scene(told.CRASH)).answer == Failed("crash", "crashed: SIGSEGV")
    said = worker.answer(scene(told.ANSWER)).answer
    assert said == NotAsked("given up", "sphere and sphere have ended it before, by 3 crashes")
    assert isinstance(worker.answer(scene(told.ANSWER), insist=True).answer, EngineAnswer)
    assert isinstance(worker.answer(scene(told.ANSWER)).answer, NotAsked)
    assert isinstance(worker.answer(scene(told.ANSWER, Box((1.0, 1.0, 1.0)))).answer, EngineAnswer)


@pytest.mark.slow
def test_crashes_and_hangs_that_ended_it_are_told_apart(worker: Worker) -> None:
    for mode in (told.SLEEP, told.CRASH, told.CRASH):
        worker.answer(scene(mode))
    said = worker.answer(scene(told.ANSWER)).answer
    assert said == NotAsked("given up", "sphere and sphere have ended it before, by 2 crashes and 1 hang")


def test_another_version_is_given_a_new_chance(worker: Worker) -> None:
    for _ in range(3):
        worker.answer(scene(told.CRASH))
    worker._command = (*COMMAND, "2")
    box = Box((1.0, 1.0, 1.0))
    assert isinstance(worker.answer(scene(told.ANSWER, box)).answer, EngineAnswer)
    assert isinstance(worker.answer(scene(told.ANSWER)).answer, EngineAnswer)


def test_an_engine_that_left_after_its_answer_is_started_again(worker: Worker) -> None:
    one = worker.answer(scene(told.LEAVE)).answer
    time.sleep(0.3)
    two = worker.answer(scene(told.ANSWER)).answer
    assert isinstance(one, EngineAnswer)
    assert isinstance(two, EngineAnswer)
    assert one.separation != two.separation  # the stand-in tells its process


def test_the_end_of_standard_error_is_kept_with_the_answer(worker: Worker) -> None:
    noise = ""

    def heard() -> bool:
        nonlocal noise
        noise = worker.answer(scene(told.NOISE)).noise
        return noise.endswith("the end")

    wait_for(heard, "the end of the noise")
    assert len(noise) <= TAIL


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("/no/such/python",), "could not start: "),  # in the system's words
        ((sys.executable, "-S", "-c", "import no_such_engine"), "No module named 'no_such_engine'"),
        ((sys.executable, "-S", "-c", "print('hello')"), "could not start: wrote 'hello'"),
    ],
)
def test_an_engine_that_does_not_start_is_told_once_and_for_all(command: tuple[str, ...], words: str) -> None:
    worker = Worker(command, "stand-in")
    try:
        for _ in range(2):
            answer = worker.answer(scene(told.ANSWER)).answer
            assert isinstance(answer, NotAsked)
            assert answer.kind == "start"
            assert words in answer.words
        assert worker.ready is None
    finally:
        worker.close()
    assert not zombies()


def test_closing_does_not_wait_for_an_answer(worker: Worker) -> None:
    worker.ask(scene(told.SLEEP))
    time.sleep(0.2)
    worker.close()
    assert worker.latest is not None
    assert worker.latest.answer != Failed("hang", "hung: no answer in 2 s")


@pytest.mark.skipif(sys.platform == "win32", reason="asks the processes of Linux")
def test_it_ends_with_the_program_even_when_that_is_killed() -> None:
    program = (
        "import sys, time; from app.engines.workers import Worker; from tests.app.test_engine_workers import *;"
        "print(int(Worker(COMMAND, 'x').answer(scene(1)).answer.separation), flush=True); time.sleep(60)"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=STAND_IN.parents[2]
    )
    assert started.stdout is not None
    with started.stdout as stream:
        engine = Path("/proc") / stream.readline().strip() / "stat"
        assert engine.exists()
        started.send_signal(signal.SIGKILL)
        started.wait()
    wait_for(lambda: not engine.exists() or engine.read_text().rpartition(")")[2].split()[0] == "Z", "its end")
