"""The programs that `tests/bench` times still run: a few frames each, in a real window."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.children import PROGRAMS, ROOT
from tests.conftest import Screen

TURNING = ROOT / "assets" / "scenes" / "turning-boxes.json"
FRAMES = 3

RUNS = (
    ("separatrix_frame.py", FRAMES),
    ("separatrix_frame.py", FRAMES, "panels", "first"),
    ("separatrix_steps.py", "drag:GJK:lower", "spread", FRAMES),
    ("separatrix_steps.py", "scrub", "spread", FRAMES),
    ("separatrix_moving.py", "arrow", "bar", FRAMES, TURNING),
    ("separatrix_moving.py", "body", "ray", FRAMES, TURNING),
    ("separatrix_moving.py", "time", "bar", FRAMES, TURNING),
    ("separatrix_idle.py", 1),
)


@pytest.mark.nightly("windows")
@pytest.mark.parametrize("words", RUNS, ids=lambda words: " ".join(str(word).rpartition("/")[2] for word in words))
def test_a_program_that_the_bench_times_runs_to_its_end(
    words: tuple[object, ...], screen: Screen, tmp_path: Path
) -> None:
    program, *rest = map(str, words)
    command = [sys.executable, str(PROGRAMS / program), *rest]
    env = screen.env | {"PYTHONPATH": str(ROOT), "SEPARATRIX_HOME": str(tmp_path), "LIBGL_ALWAYS_SOFTWARE": "1"}
    run = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=ROOT, env=env)
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout.splitlines()[-1])
    assert not answer.get("hidden")
    if rest[0] not in ("scrub", "1"):
        assert len(answer["seconds"]) == FRAMES
