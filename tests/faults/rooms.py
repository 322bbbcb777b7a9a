"""Faults of the core, judged by the tests of the room that they are in.

A fault counts if it changes a line of `check --json --steps` or of `steps --json` over the presets, the cases, the
tests' scenes and 2,000 seeded ones, or, in a room whose answers these do not tell in full (ROOMS in asked.py), a line
of what its public functions say about the same scenes: who is told wrong answers there is a caller, the window or
`hunt`. It is caught if a test of its room fails by an assert on what is public (judge.py). The files of tests that are
named as the faulty file or import it run first, slow tests last, and the first catch ends the run. A fault that does
not count is not put to the tests. Limits are of processor time: a busy machine gives the same verdicts.
What has been judged is kept in `.cache/faults`, and is not judged again until the fault, its file or the room's tests
have changed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from itertools import product
from pathlib import Path
from queue import SimpleQueue
from signal import SIGKILL
from threading import Lock

import msgspec
from msgspec import Struct

from tests import kernels

from .asked import ROOMS
from .table import Fault
from .tree import ROOT, copied, made

KEPT = ROOT / ".cache" / "faults"
SEEDED, CHUNK = 2000, 250
"""Scenes: most faults change an answer of the first chunk, those that are stored."""
LONGEST = 600
"""Seconds of processor time after which answers and tests are ended: a fault may keep a loop from ending."""
LIMITED = ("bash", "-c", f'ulimit -t {LONGEST}; exec "$@"', "bash")


class Judged(Struct, frozen=True):
    """A verdict on a fault. `key`: of what it was judged by; `changes`: the first scene whose answer it changes.

    `caught`: the test that failed by an assert, and what it said; `others`: failures that are none of that kind.
    """

    key: str
    why: str
    file: str
    changes: str
    caught: str
    others: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """One word, or a few, with the test."""
        if self.caught:
            return f"caught by {self.caught}"
        if not self.changes:
            return "does not count: no answer changes"
        return "\n    ".join(("SURVIVED", *(f"(no assert on what is public: {said})" for said in self.others)))

    def __str__(self) -> str:
        changes = f"\n    changes {self.changes}" if self.changes else ""
        return f"{self.why} ({self.file}){changes}\n    {self.verdict}"


def tests_of(file: str) -> str:
    """The tests of a room of the core, or of a folder of `core/study`, by the path of a file in it."""
    parts = Path(file).with_suffix("").parts
    return "/".join(("tests", *parts[: 3 if parts[1] == "study" else 2]))


def judged(faults: Sequence[Fault], jobs: int) -> Iterator[Judged]:
    """The verdicts in the order of the faults; each is kept as soon as it is there."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / "rooms.jsonl"
    lines = file.read_bytes().splitlines() if file.is_file() else []
    known = {row.key: row for row in (msgspec.json.decode(line, type=Judged) for line in lines)}
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(jobs) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            trees.put(copied(Path(place) / str(number)))
        answers = Answers(Path(place))
        keys = {fault: _key(fault) for fault in faults}  # of the tests that run, whatever is written meanwhile

        def judge(fault: Fault) -> Judged:
            key = keys[fault]
            if key not in known:
                tree = trees.get()
                try:
                    changes, (caught, others) = _with(fault, tree, answers)
                finally:
                    trees.put(tree)
                known[key] = Judged(key, fault.why, fault.file, changes, caught, others)
                with file.open("ab") as out:
                    out.write(msgspec.json.encode(known[key]) + b"\n")
            return known[key]

        yield from pool.map(judge, faults)


def _key(fault: Fault) -> str:
    """Of what a verdict depends on: another text of one of these makes it worth judging anew."""
    files = sorted((ROOT / tests_of(fault.file)).rglob("*.py"))
    texts = (repr(fault), *(path.read_text("utf-8") for path in (ROOT / fault.file, *files)))
    return sha256("\0".join(texts).encode()).hexdigest()


def _with(fault: Fault, tree: Path, answers: Answers) -> tuple[str, tuple[str, tuple[str, ...]]]:
    """With the fault in the tree: the first scene whose answer changes, and what the room's tests say."""
    with made(fault, tree):
        changes = answers.changed(fault.file, tree)
        return changes, _tests(fault.file, tree) if changes else ("", ())


def _nearest_first(file: str, tree: Path) -> list[str]:
    """The room's files of tests: those named as the file, those that import it, the others; the short ones first."""
    module = Path(file).with_suffix("")
    name, dotted = module.name, ".".join(module.parts)

    def order(path: Path) -> tuple[bool, bool, int]:
        text = path.read_text("utf-8")
        return name not in path.name, f"from {dotted} import" not in text, len(text)

    return [str(path.relative_to(tree)) for path in sorted((tree / tests_of(file)).rglob("test_*.py"), key=order)]


def _tests(file: str, tree: Path) -> tuple[str, tuple[str, ...]]:
    verdict = tree.parent / f"{tree.name}.json"
    verdict.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-p", "tests.faults.judge", "-p", "no:cacheprovider"]
    env = os.environ | {"FAULT_VERDICT": str(verdict), "OPENBLAS_NUM_THREADS": "1"}
    asked = [*LIMITED, *command, *_nearest_first(file, tree)]
    done = subprocess.run(asked, cwd=tree, env=env, capture_output=True, text=True, check=False)
    if done.returncode == -SIGKILL:
        return "", (f"the tests have not ended after {LONGEST} s of processor time",)
    if not verdict.is_file():
        return "", (f"no test could be run: {done.stdout[-500:]}{done.stderr[-500:]}",)
    told = msgspec.json.decode(verdict.read_bytes())
    return told["caught"], tuple(told["others"])


class Answers:
    """What the program answers about all scenes, chunk by chunk, without a fault; kept for the core as it stands."""

    def __init__(self, place: Path) -> None:
        self._tree = copied(place / "right")
        files = [path for top in ("app", "core") for path in sorted((self._tree / top).rglob("*.py"))]
        asking = [self._tree / "tests" / "faults" / name for name in ("asked.py", "told.py")]
        texts = [path.read_bytes() for path in (*files, *asking)]
        self._known = KEPT / f"answers-{sha256(b''.join(texts)).hexdigest()[:16]}"
        self._known.mkdir(exist_ok=True)
        self._lock = Lock()
        scenes = kernels.seeded(SEEDED)
        chunks = [kernels.stored(), *(scenes[start : start + CHUNK] for start in range(0, SEEDED, CHUNK))]
        # In one place, whoever asks: `check` tells where each scene stands.
        self._logs = [kernels.written(chunk, self._known / f"{number}.jsonl") for number, chunk in enumerate(chunks)]
        self._names = [[scene.name for scene in chunk] for chunk in chunks]

    def changed(self, file: str, tree: Path) -> str:
        """The first scene of which the program of a tree, faulty in a file, answers otherwise; "" if there is none."""
        room = Path(tests_of(file)).name
        # What a room says of itself takes less than what the commands print.
        own = [(_asked(room),)] if room in ROOMS else []
        for askers, chunk in product((*own, (CHECK, STEPS)), range(len(self._logs))):
            log, names = self._logs[chunk], self._names[chunk]
            for asker in askers:
                with self._lock:
                    right = self._right(asker, chunk, log)
                with closing(_lines(asker, log, tree)) as found:
                    for name, other in zip(names, right, strict=True):
                        line = next(found, None)
                        if line is None:
                            return f"{name} and ends there"
                        if _digest(line) != other:
                            return name
        return ""

    def _right(self, asker: tuple[str, ...], number: int, log: Path) -> list[str]:
        file = self._known / f"{asker[-1]}-{number}.txt"
        if not file.is_file():
            file.write_text("\n".join(map(_digest, _lines(asker, log, self._tree))), "utf-8")
        return file.read_text("utf-8").split("\n")


CHECK = ("app", "check", "--json", "--jobs", "1", "--steps")
STEPS = ("tests.faults.told",)


def _asked(room: str) -> tuple[str, ...]:
    return ("tests.faults.asked", room)


def _digest(line: str) -> str:
    return sha256(line.encode()).hexdigest()[:24]


def _lines(asker: tuple[str, ...], log: Path, tree: Path) -> Generator[str]:
    """What a module of a tree prints about a log, as it comes: whoever has read enough closes this."""
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(tree), "PYTHONUNBUFFERED": "1"}
    command = [*LIMITED, sys.executable, "-m", *asker, str(log)]
    with subprocess.Popen(
        command, cwd=tree, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as it:
        assert it.stdout is not None
        try:
            yield from (line.rstrip("\n") for line in it.stdout)
        finally:
            it.kill()
