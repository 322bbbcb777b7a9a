"""A grammar of files: scenes, pictures with scenes, meshes and logs, right and wrong, read under limits.

    .venv/bin/python -m tests.bench.fuzz [--hours 0.25] [--seed N] [--count N]

Every input must give an answer, whose numbers are finite, or one clear sentence, within MEMORY and SECONDS. Readers
work in a child; one that is killed or hangs is a finding as a traceback is. Of a kind of finding OF_A_KIND inputs are
kept in `.cache/failures`; the same seed makes the same inputs.
"""

from __future__ import annotations

import argparse
import faulthandler
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from math import isfinite
from pathlib import Path
from random import Random, SystemRandom
from time import monotonic
from typing import Any

from tests.conftest import FAILURES, ROOT

from .grammar import some_input

MEMORY = 1 << 31
"""Bytes of address space; a fifth of it are the libraries."""
SECONDS = 60.0
"""On the clock; an input takes a hundredth of a second as a rule, and one of 100,000 points half a minute."""
LONGEST_SENTENCE = 700
BATCH = 2_000
"""Inputs of a child: it takes a second to start."""
OF_A_KIND = 3
_NO_SENTENCE = re.compile(
    r"fault in the program|Traceback|<class|NoneType|\bobject at 0x|out of (?:range|bounds)|unhashable|broadcast|dtype"
    r"|array\(|Errno"
)
"""What Python and numpy say, and nobody understands."""


class FindingError(Exception):
    """What is wrong with an answer: `kind` names it."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(f"{kind}: {words}")
        self.kind, self.words = kind, words


def _check_sentence(text: str, path: Path) -> None:
    # The name is not the sentence's.
    said = text.replace(str(path), "FILE")
    if not said.strip() or "\n" in said or len(said) > LONGEST_SENTENCE or _NO_SENTENCE.search(said):
        raise FindingError("no clear sentence", said[:1000])


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _numbers(part)
    elif isinstance(value, float):
        yield value


def _mesh(path: Path) -> str:
    from app.io.mesh_file import load_hull
    from app.io.scene_file import SceneError

    try:
        found = load_hull(path)
    except SceneError as error:
        _check_sentence(str(error), path)
        return "refused"
    if not all(isfinite(value) for point in found.hull.points for value in point):
        raise FindingError("not finite", "a corner of the hull")
    return "answered"


def _scene(path: Path) -> str:
    """As `check --json` answers."""
    from app.cli.check import check

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = check([str(path)], as_json=True)
    for line in err.getvalue().splitlines():
        _check_sentence(line, path)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    for answer in answers:
        if "error" in answer:
            _check_sentence(answer["error"], path)
        elif not all(map(isfinite, _numbers(answer))):
            raise FindingError("not finite", json.dumps(answer)[:1000])
        elif answer["disagreements"]:
            raise FindingError("disagreement", str(answer["disagreements"])[:1000])
    if status not in (0, 1) or (status == 1) != bool(err.getvalue() or any("error" in it for it in answers)):
        raise FindingError("wrong status", f"{status} with {err.getvalue()[:300]!r}")
    return "refused" if status else "answered"


def _opened(path: Path) -> None:
    """As the window opens a log or a deck."""
    from app.io.deck_file import read_deck, slide_of
    from app.io.scene_file import SceneError
    from app.io.scene_log import SceneLog
    from app.storage.strict_json import DataError

    try:
        deck = read_deck(path)
        for line in () if deck is None else deck.slides:
            try:
                slide_of(line)
            except DataError as error:
                _check_sentence(str(error), path)
        log = SceneLog(path)
        for index in range(min(len(log), 20)):
            log.title(index)
        log.close()
    except SceneError as error:
        _check_sentence(str(error), path)


def answer(path: Path) -> str:
    """`answered` or `refused`; raises FindingError, or whatever the program does."""
    if path.suffix in (".obj", ".stl"):
        return _mesh(path)
    if path.suffix == ".jsonl":
        _opened(path)
    return _scene(path)


def child(seed: int, first: int, count: int, folder: Path) -> None:
    """Reads inputs `first` to `first + count - 1` of a seed under the limits; tells each begun and ended, a line each.

    The last line of one that kills it is that of its begin.
    """
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # What a library says on standard error is no sentence either.
    warnings.simplefilter("error")
    out = sys.stdout
    for number in range(first, first + count):
        suffix, data = some_input(Random(f"{seed} {number}"))
        path = folder / f"input{suffix}"
        path.write_bytes(data)
        print(json.dumps({"begins": number, "file": path.name}), file=out, flush=True)
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        try:
            said: dict[str, str] = {"is": answer(path)}
        except FindingError as finding:
            said = {"is": "finding", "kind": finding.kind, "words": finding.words}
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
            said = {"is": "finding", "kind": kind, "words": traceback.format_exc()[-3000:]}
        faulthandler.cancel_dump_traceback_later()
        print(json.dumps({"ends": number, **said}), file=out, flush=True)


class Hunt:
    """What came of all inputs so far."""

    def __init__(self, seed: int) -> None:
        self.seed, self.next = seed, 0
        self.counts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.told: list[str] = []

    @property
    def tried(self) -> int:
        """Inputs that were read to their end."""
        return self.counts["answered"] + self.counts["refused"] + self.counts["finding"]

    def go_on(self, count: int) -> None:
        """As many inputs more, or fewer where one ends the child."""
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as said:
            words = ["--child", str(self.seed), str(self.next), str(count), folder]
            command = [sys.executable, "-m", "tests.bench.fuzz", *words]
            with subprocess.Popen(
                command, cwd=ROOT, stdout=subprocess.PIPE, stderr=said, text=True, env=_environment()
            ) as process:
                assert process.stdout is not None
                begun = ""
                for line in process.stdout:
                    found = json.loads(line)
                    if "begins" in found:
                        begun, self.next = found["file"], found["begins"] + 1
                        continue
                    self.counts[found["is"]] += 1
                    if found["is"] == "finding":
                        self._keep(Path(folder) / begun, found["kind"], found["words"])
                    begun = ""
            said.seek(0)
            told = said.read()
            if process.returncode:
                self.counts["finding"] += 1
                self._keep(Path(folder) / begun, f"the process ended with {process.returncode}", told[-3000:])

    def _keep(self, path: Path, kind: str, words: str) -> None:
        self.kinds[kind] += 1
        if self.kinds[kind] > OF_A_KIND:
            return
        FAILURES.mkdir(parents=True, exist_ok=True)
        file = FAILURES / f"fuzz-{self.seed}-{self.next - 1}{path.suffix}"
        # The child goes on meanwhile: the input is made anew.
        file.write_bytes(some_input(Random(f"{self.seed} {self.next - 1}"))[1])
        self.told.append(f"{kind}: {file}\n{words}")
        print(self.told[-1], file=sys.stderr)


def _environment() -> dict[str, str]:
    return os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


def main(arguments: list[str]) -> int:
    """The bench; 1 if anything was found."""
    if arguments[:1] == ["--child"]:
        seed, first, count, folder = arguments[1:]
        child(int(seed), int(first), int(count), Path(folder))
        return 0
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--hours", type=float, default=0.25)
    parser.add_argument("--count", type=int, default=None, help="so many inputs, however long they take")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(1 << 32))
    given = parser.parse_args(arguments)
    hunt, ends = Hunt(given.seed), monotonic() + 3600.0 * given.hours
    while hunt.tried < given.count if given.count is not None else monotonic() < ends:
        hunt.go_on(BATCH if given.count is None else min(BATCH, given.count - hunt.tried))
        print(f"seed {given.seed}, {hunt.tried} inputs: {dict(hunt.counts)}", file=sys.stderr, flush=True)
    print(
        f"seed {given.seed}: {hunt.tried} inputs, {hunt.counts['answered']} answered, {hunt.counts['refused']} refused"
    )
    for kind, count in hunt.kinds.most_common():
        print(f"{count:6} {kind}")
    return 1 if hunt.kinds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
