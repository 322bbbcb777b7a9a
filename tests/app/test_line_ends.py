"""The program reads its own files whatever their lines end in: a clone of Git for Windows may have CR LF throughout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READ = """
from app.draw.text import font_path
from app.engines.bug_report import _known
from app.engines.repro import _source
from app.io.deck_file import slide_tree
from app.io.lesson_index import LECTURE, lesson_titles
from app.io.presets import load_preset, presets, reported_cases, shelves
from app.io.scene_file import write
from app.io.scene_log import SceneLog
from app.lessons.shelf import shelf
from app.panels.sources import sources
from app.render.context import resolve
from app.storage.files import resource, version
from app.words.glossary import glossary

print(version(), lesson_titles(), sources(), glossary(), reported_cases(), _known(), _source("WAYS"))
print(*(f"{shelf.title} {shelf.subtitle} {[card.title for card in shelf.cards]}" for shelf in shelves()))
for preset in presets():
    loaded = load_preset(preset.id)
    print(preset.id, preset.title, write(loaded.scene, loaded.view))
lecture = SceneLog(LECTURE)
print(lecture.deck, [slide_tree(lecture.scene(number)) for number in range(len(lecture))])
print(shelf())
for folder in resource("shaders").iterdir():
    for stage in folder.glob("*.vert"), folder.glob("*.frag"):
        print(*(resolve(f"{folder.name}/{file.name}") for file in stage))
print(len(font_path().read_bytes()))
"""
"""Says all that ships as text, as the program understands it."""


def said(tree: Path) -> str:
    """What the program in `tree` reads in its own files."""
    command = [sys.executable, "-X", "utf8", "-c", READ]
    env = os.environ | {"PYTHONHASHSEED": "0"}  # sets in the same order
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.replace(str(tree), "").replace(repr(str(tree))[1:-1], "")


@pytest.mark.slow
@pytest.mark.nightly("commands")
def test_a_clone_with_the_line_ends_of_windows_says_the_same(tmp_path: Path) -> None:
    changed = 0
    for name in ("app", "core", "assets", "shaders"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file in tmp_path.rglob("*"):
        if file.is_file() and file.suffix != ".ttf":
            text = file.read_bytes().replace(b"\r\n", b"\n")
            file.write_bytes(text.replace(b"\n", b"\r\n"))
            changed += b"\n" in text
    assert changed > 500
    assert said(tmp_path) == said(ROOT)


def test_git_gives_every_clone_the_same_lines() -> None:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no clone of Git, or no Git")
    listed = subprocess.run(["git", "ls-files", "--eol", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip(f"Git does not answer: {listed.stderr.decode(errors='replace').strip()}")
    binary = {"png", "ttf", "webp"}
    for entry in listed.stdout.decode().split("\0")[:-1]:
        facts, name = entry.split("\t")
        kept, _, *attributes = facts.split()
        if name.rpartition(".")[2] in binary:
            assert (kept, attributes) == ("i/-text", ["attr/-text"]), name
        else:
            assert kept in ("i/lf", "i/none"), name
            assert attributes == ["attr/text=auto", "eol=lf"], name
