"""`check --jobs`: a long log in several processes says what one would, in order, and no process is left over."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from app.cli import scenes
from app.cli.workers import AHEAD, WorkerDiedError, in_order

from .command_rig import BAD, line, run, start
from .patience import wait_for


@pytest.fixture
def soon_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of 250 lines is long enough for workers."""
    monkeypatch.setattr(scenes, "LONG_LOG", 30_000)


def long_log(path: Path, lines: int = 250) -> Path:
    """Pairs 1.2 to 2.2 apart, and one refused in the midst; long enough for workers."""
    texts = [line(f"pair {k}", 1.2 + k / lines) for k in range(lines)]
    path.write_text("".join([*texts[: lines // 2], BAD + "\n", *texts[lines // 2 :]]))
    assert path.stat().st_size >= scenes.LONG_LOG
    return path


@pytest.mark.usefixtures("soon_long")
@pytest.mark.parametrize("words", [["--json"], ["--brief"], ["--json", "--brief", "--fail-on", "depth:0.1,bound"]])
def test_workers_say_what_one_process_says(tmp_path: Path, words: list[str]) -> None:
    log = long_log(tmp_path / "log.jsonl")
    one, three = (run("check", *words, "--jobs", jobs, log) for jobs in ("1", "3"))
    assert (one.returncode, one.stdout, one.stderr) == (three.returncode, three.stdout, three.stderr)
    assert (one.returncode, len(one.stdout.splitlines())) == (1, 251 if "--json" in words else 250)


@pytest.mark.usefixtures("soon_long")
def test_workers_compare_with_earlier_answers(tmp_path: Path) -> None:
    log, earlier = long_log(tmp_path / "log.jsonl"), tmp_path / "earlier.jsonl"
    earlier.write_text(run("check", "--json", "--jobs", "1", log).stdout.replace('"pair 7"', '"pair seven"'))
    one, two = (run("check", "--json", "--jobs", jobs, log, "--expect", earlier) for jobs in ("1", "2"))
    assert (one.stdout, one.stderr) == (two.stdout, two.stderr)
    assert "FAILED pair 7: is not among the expected answers" in two.stderr
    assert "FAILED pair seven: was expected, and is not there" in two.stderr


def _slowest_first(number: int) -> int:
    time.sleep(0.02 * (number % 3 == 0))
    return number * number


def test_results_come_in_the_order_of_the_work_and_not_far_ahead() -> None:
    taken: list[int] = []
    numbers = (taken.append(number) or number for number in range(60))
    for expected, found in enumerate(in_order(numbers, _slowest_first, 3)):
        assert found == expected * expected
        assert len(taken) - expected <= AHEAD * 3
    assert len(taken) == 60


def _dies(number: int) -> int:
    if number == 5:
        os._exit(7)
    return number


def _raises(number: int) -> int:
    if number == 5:
        raise ValueError("five")
    return number


def test_a_worker_that_dies_is_a_sentence() -> None:
    found = in_order(iter(range(20)), _dies, 2)
    assert [next(found) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(WorkerDiedError, match=r"ended before it had answered \(exit status 7\)"):
        list(found)


def test_what_a_worker_raises_is_raised() -> None:
    with pytest.raises(ValueError, match="five"):
        list(in_order(iter(range(20)), _raises, 2))


def test_no_work_gives_nothing() -> None:
    assert list(in_order(iter(()), _raises, 2)) == []


def children(number: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{number}/task/{number}/children").read_text().split()]


def alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and sends signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_workers_end_with_the_program(tmp_path: Path, name: str) -> None:
    how = signal.Signals[name]  # by name: Windows has no SIGKILL
    log = long_log(tmp_path / "log.jsonl", 20_000)
    process = start("check", "--json", "--jobs", "2", log)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("{")
    workers = children(process.pid)
    assert len(workers) == 2
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130 if how is signal.SIGINT else -9, "")
    wait_for(lambda: not any(map(alive, workers)), "the workers to end")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and sends signals")
def test_a_killed_worker_is_told_and_the_exit_says_so(tmp_path: Path) -> None:
    log = long_log(tmp_path / "log.jsonl", 20_000)
    process = start("check", "--json", "--jobs", "2", log)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("{")
    os.kill(children(process.pid)[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors == f"{log}: a worker process ended before it had answered (killed by signal 9); --jobs 1 needs none\n"


@pytest.mark.parametrize("jobs", ["0", "-1", "two", "1.5", "257", ""])
def test_jobs_is_a_whole_number(tmp_path: Path, jobs: str) -> None:
    assert run("check", f"--jobs={jobs}", tmp_path / "none.jsonl").returncode == 2
