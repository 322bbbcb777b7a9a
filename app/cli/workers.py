"""Runs work in several processes at once and returns the results in the order of the work.

A worker gets one chunk at a time, and the next after its answer, so that no pipe fills up from both ends. The number of
results that wait for an earlier one is limited (AHEAD). Workers ignore Ctrl-C. They end when the program that started
them ends, because their pipe is closed then.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

AHEAD = 4
"""The most chunks per worker that are in work or wait for an earlier result."""


class WorkerDiedError(Exception):
    """A worker process ended before it had answered; the message is a sentence."""


class _Worker:
    def __init__(self, compute: Callable[[Any], Any]) -> None:
        ours, theirs = multiprocessing.Pipe()
        self.pipe = ours
        self.number = -1
        """Number of the chunk in work; -1 for none."""
        self._process = multiprocessing.Process(target=_work, args=(theirs, ours, compute), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, number: int, chunk: object) -> None:
        """Sends the next chunk. An error of a dead worker is raised later, by `take`."""
        self.number = number
        with suppress(OSError):
            self.pipe.send(chunk)

    def take(self) -> tuple[int, Any]:
        """The chunk's number and the result.

        Raises WorkerDiedError if the process has ended, or the exception that the work raised.
        """
        try:
            error, result = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode or 0
            how = f"killed by signal {-code}" if code < 0 else f"exit status {code}"
            raise WorkerDiedError(f"a worker process ended before it had answered ({how})") from None
        if error is not None:
            raise error
        number, self.number = self.number, -1
        return number, result

    def end(self) -> None:
        """Kills the process at once."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _work(pipe: Connection, theirs: Connection, compute: Callable[[Any], Any]) -> None:
    """Main function of a worker: answers chunks until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A forked worker also holds the other end; if it stayed open, the worker would never see the pipe close.
    theirs.close()
    with suppress(EOFError, OSError):
        while True:
            chunk = pipe.recv()
            message: tuple[Exception | None, Any]
            try:
                message = None, compute(chunk)
            except Exception as error:
                message = error, None
            pipe.send(message)


def cores() -> int:
    """The number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(chunks: Iterator[Chunk], compute: Callable[[Chunk], Result], jobs: int) -> Generator[Result]:
    """Yields `compute(chunk)` of every chunk, in order, computed by up to `jobs` workers.

    `compute`, the chunks and the results must be picklable. Raises WorkerDiedError if a worker ends before it has
    answered, and the errors of the iterator `chunks` and of `compute`.
    """
    workers: list[_Worker] = []
    done: dict[int, Result] = {}
    failed: dict[int, Exception] = {}
    try:
        numbers, left = count(), True
        for turn in count():
            while turn not in done:
                if turn in failed:
                    raise failed[turn]
                idle = next((worker for worker in workers if worker.number < 0), None)
                room = sum(worker.number >= 0 for worker in workers) + len(done) < AHEAD * jobs
                if left and room and (idle or len(workers) < jobs):
                    try:
                        chunk = next(chunks)
                    except StopIteration:
                        left = False
                        continue
                    if idle is None:
                        idle = _Worker(compute)
                        workers.append(idle)
                    idle.give(next(numbers), chunk)
                    continue
                busy = {worker.pipe: worker for worker in workers if worker.number >= 0}
                if not busy:
                    return
                for pipe in wait(list(busy)):
                    worker = busy[pipe]  # type: ignore[index]  # of our own pipes
                    try:
                        number, result = worker.take()
                        done[number] = result
                    except Exception as error:
                        # Raised after the results before it; no further chunk is begun.
                        failed[worker.number], left = error, False
                        workers.remove(worker)
                        worker.end()
            yield done.pop(turn)
    finally:
        for worker in workers:
            worker.end()
