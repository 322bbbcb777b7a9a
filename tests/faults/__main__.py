"""Applies every fault of the table in turn to a copy of the tree and says whether the snapshots alone catch it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .table import FAULTS, Fault

ROOT = Path(__file__).resolve().parents[2]
FIRST = (
    *("skew-edges", "face-touch", "tunnelling", "flat-worked-example", "flat-tunnelling", "corner-touch"),
    *("ball-along-an-edge", "a-ball-a-unit-deep", "ball-a-hair-above"),
)
"""Scenes that are looked at first; where they show nothing, all are."""
PARTS = ("app", "core", "assets", "shaders", "tests", "requirements.lock", "pyproject.toml", "README.md")


def main(words: list[str]) -> int:
    """`[FILTER]...`: those whose sentence or file has one of these in it; 1 when one survived."""
    chosen = [f for f in FAULTS if not words or any(word in f.why or word in f.file for word in words)]
    survived = 0
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place)
        for part in PARTS:
            whole = ROOT / part
            if whole.is_dir():
                shutil.copytree(whole, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(whole, tree / part)
        for fault in chosen:
            verdict = _tried(fault, tree)
            survived += verdict.startswith("SURVIVED")
            print(f"{fault.why} ({fault.file})\n    {verdict}", flush=True)
    print(f"{len(chosen) - survived} of {len(chosen)} faults caught")
    return int(survived > 0)


def _tried(fault: Fault, tree: Path) -> str:
    """Whether the snapshots differ with the fault in the copy, and what they say of it first."""
    path = tree / fault.file
    text = path.read_text("utf-8")
    if text.count(fault.old) != 1:
        return f"SURVIVED: its text stands {text.count(fault.old)} times in the file, once is wanted"
    path.write_text(text.replace(fault.old, fault.new), "utf-8")
    command = [sys.executable, "-m", "tests.snapshot_kit", "compare"]
    try:
        for scenes in (FIRST, ()):
            done = subprocess.run([*command, *scenes], cwd=tree, capture_output=True, text=True, check=False)
            if done.stderr:
                return f"caught, the program fails: {done.stderr.strip().splitlines()[-1]}"
            if done.returncode:
                return "caught: " + "\n        ".join(line[:160] for line in done.stdout.splitlines()[:5])
    finally:
        path.write_text(text, "utf-8")
    return "SURVIVED: nothing differs"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
