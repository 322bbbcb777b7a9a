"""Runs each engine in a process of its own: a crash or a hang becomes an answer in words.

`Worker.ask` returns at once. Of the questions that are not sent yet, only the newest is kept; `latest` is the newest
reply. The worker's thread starts the process at the first question, and again if the process has ended.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Condition, Thread
from time import monotonic
from typing import IO, Any

import msgspec

from core.scene import Scene
from core.study.differential.answers import Answer, EngineAnswer, Failed, NotAsked, Unsupported

from .questions import engine_question, kinds_of

START_LIMIT = 15.0
ANSWER_LIMIT = 2.0
"""Seconds in which an engine must be ready, and in which it must answer; after them its process is killed."""

TAIL = 4096
"""The most bytes of standard error that are kept."""

MOST_CRASHES = 3
"""The crashes and hangs after which an ordered pair of kinds of shape is not asked about: each costs a restart."""

LONGEST_LINE = 1 << 20
"""The most bytes of an adapter's line."""


class Ready(msgspec.Struct, frozen=True):
    """The first line of an adapter.

    `precision`: 32 or 64. `kind`: "distance" or "contacts". `pairs`: the pairs of shapes that it supports, in any
    order.
    """

    name: str = msgspec.field(name="ready")
    version: str
    python: str
    precision: int
    kind: str
    pairs: tuple[tuple[str, str], ...]


class Reply(msgspec.Struct, frozen=True):
    """The answer to question `number` about `scene`. `noise`: the engine's output on standard error."""

    number: int
    scene: Scene
    answer: Answer
    noise: str = ""


class _EndedError(Exception):
    """The process has ended, was killed, or did not start; `answer`: the answer to give."""

    def __init__(self, answer: Failed | NotAsked) -> None:
        super().__init__(answer.words)
        self.answer = answer


class Child:
    """A child process with a thread for each of its output streams, so that reads can have a deadline."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        """Starts the process in `folder`, or in the current folder for None. Raises OSError if it cannot be started."""
        # One thread for each engine, so that several engines leave processors to the window.
        env = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
        hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, env=env, creationflags=hidden, cwd=folder
        )
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._noise = b""
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self._threads = [
            Thread(target=self._read, args=(self._child.stdout,), daemon=True),
            Thread(target=self._drain, args=(self._child.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(LONGEST_LINE):
                self._lines.put(line)
        self._lines.put(b"")

    def _drain(self, stream: IO[bytes]) -> None:
        with stream:
            while piece := os.read(stream.fileno(), TAIL):
                self._noise = (self._noise + piece)[-TAIL:]

    @property
    def noise(self) -> str:
        """The last bytes of its standard error, at most TAIL."""
        return self._noise.decode("utf-8", "replace")

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._child.poll() is None

    def forget_noise(self) -> None:
        """Clears `noise` before the next question."""
        self._noise = b""

    def say(self, line: str) -> None:
        """Writes a line. A closed pipe raises nothing here; `line` finds it later."""
        assert self._child.stdin is not None
        with suppress(OSError, ValueError):
            self._child.stdin.write(line.encode() + b"\n")
            self._child.stdin.flush()

    def line(self, deadline: float) -> bytes:
        """Waits for the process's next line; b"" at the end of output.

        Raises TimeoutError if there is none at `deadline`, seconds of `monotonic`.
        """
        try:
            return self._lines.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise TimeoutError from None

    def end(self) -> int:
        """Kills the process if it still runs, joins the threads and closes the pipes; returns the exit status."""
        self._child.kill()
        status = self._child.wait()
        for thread in self._threads:
            thread.join(1.0)
        assert self._child.stdin is not None
        with suppress(OSError, ValueError):
            self._child.stdin.close()
        return status

    def ended(self) -> int:
        """The exit status of a process whose output has ended; waits 0.2 s for it to end, then kills it."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(0.2)
        return self.end()


class Worker:
    """An engine's process, started at the first question. Each failure of the engine becomes an answer in words."""

    def __init__(self, command: Sequence[str], name: str) -> None:
        self.name = name
        self._command = tuple(command)
        self._process: Child | None = None
        self._changed = Condition()
        self._waiting: tuple[int, Scene, str, bool] | None = None
        self._latest: Reply | None = None
        self._asked = 0
        self._closing = False
        self._start_failed: Failed | NotAsked | None = None
        self._ready: Ready | None = None
        self._ends: dict[tuple[str, str], Counter[str]] = {}
        self._last_noise = ""
        self._fault: Exception | None = None
        self._thread = Thread(target=self._run, name=f"engine {name}", daemon=True)
        self._thread.start()

    @property
    def ready(self) -> Ready | None:
        """The adapter's first line; None until the process has started once."""
        return self._ready

    @property
    def latest(self) -> Reply | None:
        """The newest reply; None before the first."""
        return self._latest

    @property
    def _answered_up_to(self) -> int:
        return 0 if self._latest is None else self._latest.number

    def ask(self, scene: Scene, margin: str = "default", *, insist: bool = False) -> int:
        """Asks without waiting, and replaces a question that is not sent yet. Returns the question's number.

        `margin`: as in `engine_question`. `insist`: asks even if these kinds of shape ended the process too often.
        Raises a fault of the worker's thread.
        """
        with self._changed:
            self._raise_fault()
            self._asked += 1
            self._waiting = (self._asked, scene, margin, insist)
            self._changed.notify_all()
            return self._asked

    def answer(self, scene: Scene, margin: str = "default", *, insist: bool = False) -> Reply:
        """Asks and waits for the reply. `margin`, `insist`: as in `ask`. START_LIMIT and ANSWER_LIMIT bound the wait.

        The reply to a newer question is returned if that replaced this one, and NotAsked after `close`. Raises a fault
        of the worker's thread.
        """
        number = self.ask(scene, margin, insist=insist)
        with self._changed:
            self._changed.wait_for(lambda: self._closing or self._fault or self._answered_up_to >= number)
            self._raise_fault()
            if self._latest is None or self._answered_up_to < number:
                return Reply(number, scene, NotAsked("start", "closed"))
            return self._latest

    def close(self) -> None:
        """Kills the process and waits for the worker's thread to end, at most 5 s."""
        with self._changed:
            self._closing = True
            process = self._process
            self._changed.notify_all()
        if process is not None:
            process.end()
        self._thread.join(5.0)

    def _raise_fault(self) -> None:
        """Raises an exception of the worker's thread, a fault of Separatrix, in the caller's thread."""
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault

    def _run(self) -> None:
        while not self._closing:
            try:
                self._work()
            except Exception as error:
                with self._changed:
                    self._fault = error
                    self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closing or self._waiting is not None)
                if self._closing or self._waiting is None:
                    break
                number, scene, margin, insist = self._waiting
                self._waiting = None
            answer = self._answered(engine_question(scene, margin) | {"id": number}, insist=insist)
            noise = self._process.noise if self._process is not None else self._last_noise
            with self._changed:
                self._latest = Reply(number, scene, answer, noise)
                self._changed.notify_all()
        self._drop()

    def _answered(self, question: dict[str, Any], *, insist: bool) -> Answer:
        kinds = kinds_of(question)
        if self._start_failed is not None:
            return self._start_failed
        ends = self._ends.get(kinds, Counter())
        if ends.total() >= MOST_CRASHES and not insist:
            return NotAsked("given up", f"{kinds[0]} and {kinds[1]} have ended it before, by {_counted(ends)}")
        try:
            process = self._started()
        except _EndedError as end:
            self._start_failed = end.answer
            return end.answer
        try:
            return self._asked_of(process, question)
        except _EndedError as end:
            if end.answer.kind in ("crash", "hang"):
                self._ends.setdefault(kinds, Counter())[end.answer.kind] += 1
            return end.answer

    def _asked_of(self, process: Child, question: dict[str, Any]) -> Answer:
        process.forget_noise()
        process.say(json.dumps(question))
        line = self._line(process, ANSWER_LIMIT, starting=False)
        try:
            tree = json.loads(line)
            if tree.get("id") != question["id"]:
                raise ValueError("another number")
            if "unsupported" in tree:
                return Unsupported(str(tree["unsupported"]))
            if "error" in tree:
                return Failed("error", str(tree["error"]))
            return msgspec.convert(tree, EngineAnswer)
        except (ValueError, AttributeError, RecursionError):  # msgspec's errors are ValueErrors
            # The process is ended: its later output might look like the answer to the next question.
            self._drop()
            raise _EndedError(Failed("garbage", f"wrote what is no answer: {_shown(line)}")) from None

    def _started(self) -> Child:
        """The running process, or a new one that has written its first line.

        Raises _EndedError if the new one does not start, or after `close`.
        """
        if self._process is not None and self._process.alive:
            return self._process
        self._drop()
        with self._changed:
            if self._closing:
                raise _EndedError(NotAsked("start", "closed"))
            try:
                self._process = process = Child(self._command)
            except OSError as error:
                raise _EndedError(NotAsked("start", f"could not start: {error.strerror or error}")) from None
        line = self._line(process, START_LIMIT, starting=True)
        try:
            ready = msgspec.convert(json.loads(line), Ready)
        except ValueError:
            self._drop()
            raise _EndedError(NotAsked("start", f"could not start: wrote {_shown(line)}")) from None
        if self._ready is not None and ready.version != self._ready.version:
            self._ends.clear()
        self._ready = ready
        return process

    def _line(self, process: Child, seconds: float, *, starting: bool) -> bytes:
        """The process's next whole line. If none comes in `seconds`, ends the process and raises _EndedError."""
        try:
            line = process.line(monotonic() + seconds)
        except TimeoutError:
            self._drop()
            late = NotAsked("start", f"not ready in {seconds:g} s")
            raise _EndedError(late if starting else Failed("hang", f"hung: no answer in {seconds:g} s")) from None
        if line.endswith(b"\n"):
            return line
        if len(line) == LONGEST_LINE:
            self._drop()
            raise _EndedError(Failed("garbage", "wrote a line of more than 1 MB"))
        words = _end_words(process.ended())
        said = process.noise.strip().rpartition("\n")[2]
        self._drop()
        if starting:
            raise _EndedError(NotAsked("start", f"could not start: {said or words}"))
        raise _EndedError(Failed("crash", words))

    def _drop(self) -> None:
        """Ends the process. The next question starts a new one."""
        if self._process is not None:
            self._process.end()
            self._last_noise = self._process.noise
        self._process = None


def _counted(ends: Counter[str]) -> str:
    """The counts in words: `2 crashes and 1 hang`."""
    names = {"crash": ("crash", "crashes"), "hang": ("hang", "hangs")}
    return " and ".join(
        f"{ends[kind]} {one if ends[kind] == 1 else many}" for kind, (one, many) in names.items() if ends[kind]
    )


def _end_words(status: int) -> str:
    """An exit status in words."""
    if status < 0:
        try:
            return f"crashed: {signal.Signals(-status).name}"
        except ValueError:
            return f"crashed: signal {-status}"
    if status >= 0xC0000000:  # Windows
        return f"crashed: {'access violation' if status == 0xC0000005 else hex(status)}"
    return f"ended with exit status {status}"


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")
