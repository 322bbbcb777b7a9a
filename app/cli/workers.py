"""Work in several processes at once, with the results in the order of the work.

A worker holds one chunk at a time and gets the next when it has answered, so that no pipe fills up from both ends;
the results that wait for an earlier one are few. Workers leave Ctrl-C to the program that started them, and end when
it does, however it ends: their pipe is closed then.
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
"""Chunks a worker that may be answered before their turn comes."""


class WorkerDiedError(Exception):
    """A worker ended before it had answered; the sentence."""


class _Worker:
    def __init__(self, answer: Callable[[Any], Any]) -> None:
        ours, theirs = multiprocessing.Pipe()
        self.pipe = ours
        self.number = -1
        """Of the chunk that it works on; -1 of none."""
        self._process = multiprocessing.Process(target=_work, args=(theirs, ours, answer), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, number: int, chunk: object) -> None:
        """Hands it its next chunk. What dies of that is told when the answer is asked for."""
        self.number = number
        with suppress(OSError):
            self.pipe.send(chunk)

    def take(self) -> tuple[int, Any]:
        """The chunk's number and the result. Raises WorkerDiedError, or what the work raised."""
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
        """Ends it at once, whatever it does."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _work(pipe: Connection, theirs: Connection, answer: Callable[[Any], Any]) -> None:
    """A worker's life: answers chunks until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A forked worker has the other end as well, and would wait for itself for ever.
    theirs.close()
    with suppress(EOFError, OSError):
        while True:
            chunk = pipe.recv()
            told: tuple[Exception | None, Any]
            try:
                told = None, answer(chunk)
            except Exception as error:
                told = error, None
            pipe.send(told)


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(chunks: Iterator[Chunk], answer: Callable[[Chunk], Result], jobs: int) -> Generator[Result]:
    """`answer(chunk)` of every chunk, in their order, by so many workers.

    `answer` and what it takes and gives must be such that they can be sent between processes. Raises WorkerDiedError,
    and what the chunks' iterator and `answer` raise.
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
                        idle = _Worker(answer)
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
                        # Told in its turn, after the answers before it; more are not begun.
                        failed[worker.number], left = error, False
                        workers.remove(worker)
                        worker.end()
            yield done.pop(turn)
    finally:
        for worker in workers:
            worker.end()
