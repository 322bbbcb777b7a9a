"""Makes every number of the core that decides something ten times as large, then a tenth, and sees who notices.

One mutant after another in a copy of the tree, against the tests in tests/core/geometry/tolerances alone:
tests/bench/run tolerances [--all] [PART OF A NAME]... It takes a few seconds a mutant. Those that the table
(tests/core/geometry/tolerances/table.py) gives a reason for are tried with --all only. Exits with 1 if one survives
that the table says is caught.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import msgspec  # noqa: F401 - with the next ones, for the forks
import numpy as np  # noqa: F401
import PIL.ImageGrab  # noqa: F401
import pytest
import scipy.spatial  # noqa: F401

from tests.core.geometry.tolerances.constants import A_TENTH, ROOT, TEN_TIMES, Constant, constants
from tests.core.geometry.tolerances.table import TABLE

SUITE = "tests/core/geometry/tolerances"
SECONDS = 300

LIKELY = (
    ("core/toi", "test_motion.py"),
    ("core/analysis/motion", "test_motion.py"),
    ("core/contact/face", "test_axes.py"),
    ("core/contact", "test_contacts.py"),
    ("core/gjk", "test_gjk_epa.py"),
    ("core/batch", "test_batch.py"),
    ("core/study/differential", "test_differential.py"),
    ("core/float32", "test_batch.py"),
    ("core/geometry/tolerances", "test_answers.py"),
    ("core/geometry", "test_numbers.py"),
    ("core", "test_shapes.py"),
    ("", "test_scenes.py"),
)
"""Which file is tried first, by how a module's path begins: most mutants end there."""

_clock = [1_000_000_000]


def main(names: list[str]) -> int:
    """Try the constants whose key has one of `names` in it, all without any."""
    everything = "--all" in names
    names = [name for name in names if name != "--all"]
    chosen = [one for key, one in constants().items() if not names or any(name in key for name in names)]
    caught = survived = reasoned = 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for part in ("core", "tests"):
            shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", tree)
        if not _passes(tree):
            print(f"{SUITE} fails without any change", file=sys.stderr)
            return 2
        for constant in chosen:
            promised = TABLE[constant.key].caught if constant.key in TABLE else ()
            for way in (TEN_TIMES, A_TENTH):
                if way not in promised and not everything:
                    reasoned += 1
                    continue
                noticed = not _tried(tree, constant, way)
                caught, survived = caught + noticed, survived + (not noticed)
                if not noticed and way in promised:
                    wrong.append(f"{constant.key} {way}")
                said = "caught" if noticed else "survived" if way in promised else "survived, as the table says"
                print(f"{constant.key:<75} {way:<10} {said}", flush=True)
    print(f"{len(chosen)} constants: {caught} mutants caught, {survived} survived, {reasoned} with a reason not tried")
    return 1 if wrong else 0


def _tried(tree: Path, constant: Constant, way: str) -> bool:
    """Whether the tests pass with the number changed; the file is put back."""
    path = tree / constant.file
    source, times = path.read_bytes(), path.stat()
    path.write_bytes(constant.changed(source, way))
    # Bytecode goes by whole seconds and length, which two mutants may share: each gets a second of its own.
    _clock.append(_clock[-1] + 1)
    os.utime(path, (_clock[-1], _clock[-1]))
    try:
        likely = next(file for part, file in LIKELY if constant.file.startswith(part))
        return _passes(tree, f"{SUITE}/{likely}") and _passes(tree)
    finally:
        path.write_bytes(source)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _passes(tree: Path, what: str = SUITE) -> bool:
    """Whether the tests pass in the tree. In a fork, which has the libraries already, and nothing of ours."""
    child = os.fork()
    if not child:
        try:
            os._exit(_tests(tree, what))
        finally:
            os._exit(1)  # whatever happens, a fork does not go on as its parent
    return os.waitpid(child, 0)[1] == 0


def _tests(tree: Path, what: str) -> int:
    """Runs the tests of the tree, in silence: 0 if they pass."""
    signal.alarm(SECONDS)
    os.chdir(tree)
    sys.path[:] = [str(tree), *(place for place in sys.path if place and Path(place).resolve() != ROOT)]
    for name in [name for name in sys.modules if name.split(".")[0] in ("core", "tests")]:
        del sys.modules[name]
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    # The table names numbers by their text, and would notice every literal that is not what it was.
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", f"--ignore={SUITE}/test_table.py", what]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
