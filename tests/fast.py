"""Which tests a change reaches, nearest first: `python -m tests.fast` prints them as arguments of pytest.

A change is what differs from where the branch left origin/main, or else what is not committed, or else the last commit.
It reaches who imports it, and who imports those; what is no module reaches the tests of the table. A room that is not
reached has one test all the same.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from .imports import Module, graph, modules

ROOT = Path(__file__).resolve().parent.parent
MOST_FILES = 120
"""Files of tests: more are collected for longer than they would be run."""
REACHED = (
    ("shaders/", "test_renderer test_export test_window_headless"),
    ("assets/scenes/", "test_presets test_course test_snapshots"),
    ("assets/cases/", "test_analysis test_presets"),
    ("assets/lessons/", "test_lessons_shipped test_lesson_command"),
    ("assets/lectures/", "test_lecture test_deck"),
    ("assets/fonts/", "test_text test_symbols"),
    ("assets/repro/", "test_bundle test_repro_scripts"),
    ("assets/thumbnails/", "test_course"),
    ("assets/check.schema.json", "test_check_in_ci"),
    ("assets/glossary.json", "test_defined_text"),
    ("assets/sources.json", "test_panels_sources test_citations"),
    ("tests/snapshots/screens/", "test_window_sizes"),
    ("tests/snapshots/", "test_snapshots"),
    ("tests/scenes/", "test_snapshots test_corpus_found"),
    ("app/packaging/", "test_set_up test_packaging"),
    ("app/README.md", "test_readme"),
    ("assets/guide/", "test_guide test_export_options test_readme test_library"),
    ("requirements.lock", "test_set_up"),
    ("pyproject.toml", "test_packaging test_architecture"),
    ("", "test_architecture test_readme test_citations"),
)
"""By how its path begins the tests of a file that is no module; the first row that fits is taken."""
ROOMS = {
    "core/scene": "core/analysis/test_analysis",
    "core/verdict": "core/analysis/test_cross_checks",
    "core/trace": "core/test_trace",
    "core/naming": "core/test_library",
    "core/library": "core/test_library",
    "core/study": "core/study/lab/test_edge_cases",
    "core/articles": "core/test_library",
    "core/differential": "core/test_library",
    "app/storage": "app/test_atomic",
    "app/words": "app/test_axis_words",
    "app/shapes": "app/test_shapes",
    "app/draw": "app/test_text",
    "app/export": "app/test_export_parts",
    "app/probes": "app/test_probes",
    "app/state": "app/test_playback",
    "app/overlays": "app/test_overlays",
    "app/stages": "app/test_sub_steps",
    "app/quiz": "app/test_predictions",
    "app/input": "app/test_bindings",
    "app/render": "app/test_renderer",
    "app/io": "app/test_scene_log",
    "app/forms": "app/test_forms",
    "app/lessons": "app/test_lesson_file",
    "app/engines": "app/test_engine_adapters",
    "app/controllers": "app/test_stepping",
    "app/cli": "app/test_command_line",
    "app/panels": "app/test_tooltip_place",
    "app/commands": "app/test_commands",
    "app/platform": "app/test_late_swap",
    "app/application": "app/test_window_headless",
}
"""Whose first test stands for a room; of the other rooms of `core` that in the folder with their name."""


def rooms() -> dict[str, Path]:
    """The file with the test that stands for each room, by the room's path without an ending."""
    found = {room: ROOT / "tests" / f"{name}.py" for room, name in ROOMS.items()}
    for folder in sorted({file.parent for file in (ROOT / "tests" / "core").glob("*/test_*.py")}):
        house = ROOT / "core" / folder.name
        if house.is_dir() or house.with_suffix(".py").is_file():
            found[f"core/{folder.name}"] = min(folder.glob("test_*.py"))
    return found


def first_test(file: Path) -> str:
    """The name of its first test that has no parameters, or else of its first, and that is not nightly or slow."""
    found = (node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))
    marks = {test.name: " ".join(map(ast.unparse, test.decorator_list)) for test in found}
    plain = [name for name in marks if name.startswith("test_") and not re.search(r"\b(nightly|slow)\b", marks[name])]
    return min(plain, key=lambda name: "parametrize" in marks[name])


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split("\0" if "-z" in words else None) if done.returncode == 0 else []


def changed() -> list[str]:
    """Paths of the files that have changed."""
    base = _git("merge-base", "origin/main", "HEAD") or ["HEAD"]
    for since in (base[0], "HEAD~1"):
        found = {*_git("diff", "--name-only", "-z", since), *_git("ls-files", "-z", "--others", "--exclude-standard")}
        if found - {""}:
            return sorted(found - {""})
    return []


def distances(paths: Iterable[str], known: Iterable[Module]) -> dict[Path, int]:
    """How many imports each file of tests is away from a change; those that it does not reach are left out."""
    known = list(known)
    files = {module.name: module.path for module in known}
    names = {path.relative_to(ROOT).as_posix(): name for name, path in files.items()}
    found = dict.fromkeys((names[path] for path in paths if path in names), 0)
    for path in paths:
        if path not in names:
            tests = next(tests for start, tests in REACHED if path.startswith(start)).split()
            found |= dict.fromkeys((name for name in files if name.rpartition(".")[2] in tests), 1)
    importers: dict[str, set[str]] = {}
    for name, others in graph(known).items():
        for other in others:
            importers.setdefault(other, set()).add(name)
    row = list(found)
    while row:
        row = [name for name in {name for at in row for name in importers.get(at, ())} if name not in found]
        found |= dict.fromkeys(row, max(found.values()) + 1)
    return {files[name]: away for name, away in found.items() if files[name].name.startswith("test_")}


def main() -> int:
    """Prints the chosen tests, and says on standard error which they are and what is left out."""
    paths = changed()
    away = distances(paths, modules("app", "core", "tests"))
    tops = {part for path in paths for part in Path(path).parts[:-1]}

    def nearest(file: Path) -> tuple[int, int, str]:
        return away[file], -len(tops & set(file.parts)), file.as_posix()

    order = sorted(away, key=nearest)
    chosen = order[:MOST_FILES]
    alone = [f"{file}::{first_test(file)}" for file in rooms().values() if file not in chosen]
    count = len(list((ROOT / "tests").rglob("test_*.py")))
    print(
        f"{len(paths)} changed files reach {len(order)} of {count} files of tests; run are the nearest {len(chosen)},"
        f" and a test each of {len(alone)} rooms",
        file=sys.stderr,
    )
    for file in chosen:
        print(file.relative_to(ROOT))
    for test in alone:
        print(Path(test).relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
