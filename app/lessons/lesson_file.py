"""Reads lesson files, Markdown text, strictly into records; each fault has its line and what was expected.

A file has front matter (`key: value` a line) between two lines `---`, then the steps, separated by lines `---`. Scenes
are fenced blocks that may stand anywhere after the front matter. A line `<!-- … -->` is a comment.
assets/guide/lessons.md says how to write one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..io.presets import load_preset, presets
from ..io.scene_file import SceneError
from ..io.scene_file import read as read_scene
from ..state.lesson import Lesson, LessonScene, LessonStep
from ..storage.files import open_file, reason_of
from .faults import Fault, LessonError, LessonFaults
from .markup import term_fault
from .step_file import ID, ID_WORDS, NumberedLine, read_id, read_step

MOST_BYTES = 256 * 1024
"""The most bytes of a file."""
MOST_STEPS = 40
MOST_SCENES = 32
LONGEST_TITLE = 40
FEATURES = frozenset({"free_axis_2d"})
"""The features of this program that a step's key `if` may ask for."""
PRESET = "preset:"
_COMMENT = re.compile(r"<!--.*-->")


class LessonReading(Struct, frozen=True):
    """The result of reading a file: the lesson, None where it is refused, and all faults and warnings, by line."""

    lesson: Lesson | None
    faults: tuple[Fault, ...]


def load_lesson(path: Path | str) -> Lesson:
    """The lesson in a file. Raises LessonError, with all faults, if it is refused."""
    return lesson_of(reading_of(path), str(path))


def read_lesson(text: str, file: str) -> Lesson:
    """The lesson in a text; `file`: its name in messages. Raises LessonError, with all faults, if it is refused."""
    return lesson_of(parse_lesson(text, file), file)


def lesson_of(reading: LessonReading, file: str) -> Lesson:
    """The lesson of a reading; `file`: its name in messages. Raises LessonError if the lesson was refused."""
    if reading.lesson is None:
        raise LessonError(file, reading.faults)
    return reading.lesson


def reading_of(path: Path | str) -> LessonReading:
    """Reads a file and collects all its faults. Never raises."""
    try:
        with open_file(path) as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            return _refused(f"the file is larger than {MOST_BYTES // 1024} KB, no lesson is")
        return parse_lesson(data.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        return _refused(f"the file is not UTF-8 text: byte {error.start + 1}", data[: error.start].count(b"\n") + 1)
    except (OSError, ValueError) as error:
        return _refused(f"the file cannot be read: {reason_of(error)}")


def _refused(message: str, line: int = 1) -> LessonReading:
    return LessonReading(None, (Fault(line, message),))


def parse_lesson(text: str, file: str) -> LessonReading:
    """Reads a text and collects all its faults; `file`: the lesson's file name."""
    faults = LessonFaults()
    lines = [
        (number, "" if _COMMENT.fullmatch(line.strip()) else line.rstrip())
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1)
    ]
    front, rest = _front(lines, faults)
    body, blocks = _without_blocks(rest, faults)
    steps = [step for section in _sections(body) if (step := read_step(section, faults)) is not None]
    _check_steps(steps, faults)
    scenes = _scenes(blocks, steps, faults)
    values = _front_values(front, faults)
    if faults.refused:
        return LessonReading(None, faults.in_order)
    return LessonReading(Lesson(**values, steps=_had(steps), scenes=scenes, file=file), faults.in_order)


def _had(steps: list[LessonStep]) -> tuple[LessonStep, ...]:
    """The steps whose feature this program has."""
    return tuple(step for step in steps if not step.feature or step.feature in FEATURES)


# The parts of a file.


def _front(lines: list[NumberedLine], faults: LessonFaults) -> tuple[list[NumberedLine], list[NumberedLine]]:
    marks = [place for place, (_, line) in enumerate(lines) if line == "---"]
    if len(marks) < 2 or any(line for _, line in lines[: marks[0]]):
        faults.add(1, "a lesson must begin with --- and lines of key: value, ended by another ---")
        return [], lines
    return lines[marks[0] + 1 : marks[1]], lines[marks[1] + 1 :]


class _Block(Struct):
    name: str
    line: int
    lines: list[str]


_FENCE = re.compile(r"```scene\s+(?P<name>\S+)")


def _without_blocks(lines: list[NumberedLine], faults: LessonFaults) -> tuple[list[NumberedLine], list[_Block]]:
    """The lines outside fenced blocks, and the blocks."""
    rest: list[NumberedLine] = []
    blocks: list[_Block] = []
    inside: _Block | None = None
    for number, line in lines:
        if inside is None and line.startswith("```"):
            found = _FENCE.fullmatch(line)
            name = "" if found is None else found["name"]
            if ID.fullmatch(name) is None or name == "keep":
                faults.add(number, f"a block must begin with ```scene and a name ({ID_WORDS}); got {line!r}")
            inside = _Block(name, number, [])
            blocks.append(inside)
        elif inside is not None and line.startswith("```"):
            inside = None
        elif inside is not None:
            inside.lines.append(line)
        else:
            rest.append((number, line))
    if inside is not None:
        faults.add(inside.line, "the block has no end: a line with ``` alone")
    return rest, blocks


def _sections(lines: list[NumberedLine]) -> list[list[NumberedLine]]:
    """The sections between lines `---`, without blank lines at their start; empty sections are left out."""
    sections: list[list[NumberedLine]] = [[]]
    for number, line in lines:
        if line == "---":
            sections.append([])
        elif line or sections[-1]:
            sections[-1].append((number, line))
    return [section for section in sections if section]


# Front matter.


def _text(most: int) -> Callable[[str], str]:
    def read(value: str) -> str:
        if len(value) > most:
            raise ValueError(f"must have at most {most} characters, got {len(value)}")
        return value

    return read


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not value.isascii() or not value.isdigit() or not low <= int(value[:9]) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}, got {value!r}")
        return int(value)

    return read


def _world(value: str) -> str:
    if value not in ("plane", "space"):
        raise ValueError(f"must be plane or space, got {value!r}")
    return value


def _list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _terms(value: str) -> tuple[str, ...]:
    words = _list(value)
    if fault := next((fault for word in words if (fault := term_fault(word))), ""):
        raise ValueError(fault)
    return words


def _ids(value: str) -> tuple[str, ...]:
    return tuple(read_id(part) for part in _list(value))


FRONT: Mapping[str, Callable[[str], Any]] = {
    "id": read_id,
    "title": _text(LONGEST_TITLE),
    "order": _whole(1, 999),
    "world": _world,
    "minutes": _whole(1, 30),
    "was": read_id,
    "needs": _ids,
    "teaches": _terms,
    "author": _text(200),
    "licence": _text(200),
}
"""The keys of the front matter, each with the function that reads its value."""
NEEDED = ("id", "title", "world", "minutes")
_DEFAULTS: dict[str, Any] = {"order": None, "was": "", "needs": (), "teaches": (), "author": "", "licence": ""}


def _front_values(lines: list[NumberedLine], faults: LessonFaults) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, line in lines:
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not line.strip():
            continue
        if not colon or not value:
            faults.add(number, f"the front matter must have one key: value a line, got {line!r}")
        elif key not in FRONT:
            faults.add(number, f"the key must be one of {', '.join(FRONT)}; got {key!r}")
        elif key in found:
            faults.add(number, f"the key {key} stands twice")
        else:
            found[key] = _read(key, value, number, faults)
    for key in NEEDED:
        if key not in found:
            faults.add(1, f"the front matter needs the key {key}")
    return _DEFAULTS | found


def _read(key: str, value: str, number: int, faults: LessonFaults) -> Any:
    try:
        return FRONT[key](value)
    except ValueError as error:
        faults.add(number, f"{key}: {error}")
        return None


# Steps and scenes.


def _check_steps(steps: list[LessonStep], faults: LessonFaults) -> None:
    if not steps:
        faults.add(1, "a lesson needs at least one step, as ## Title")
    if len(steps) > MOST_STEPS:
        faults.add(steps[MOST_STEPS].line, f"a lesson has at most {MOST_STEPS} steps, got {len(steps)}")
    seen: dict[str, int] = {}
    for step in steps:
        if step.id and step.id in seen:
            faults.add(step.line, f"the id {step.id} is that of the step at line {seen[step.id]} already")
        seen.setdefault(step.id, step.line)
        if step.feature and step.feature not in FEATURES:
            faults.add(step.line, f"this program has no feature {step.feature}: the step is left out", warning=True)
    kept = next(iter(_had(steps)), None)
    if kept is not None and kept.scene is None:
        faults.add(kept.line, "the first step needs a scene, as > scene: preset:skew-edges")


def _scenes(blocks: list[_Block], steps: list[LessonStep], faults: LessonFaults) -> dict[str, LessonScene]:
    if len(blocks) > MOST_SCENES:
        faults.add(blocks[MOST_SCENES].line, f"a lesson has at most {MOST_SCENES} scenes, got {len(blocks)}")
        return {}
    found: dict[str, LessonScene] = {}
    for block in blocks:
        if block.name in found:
            faults.add(block.line, f"a scene is called {block.name} already")
        scene = _block_scene(block, faults)
        if scene is not None:
            found[block.name] = scene
    names = {block.name for block in blocks if block.name}
    for step in steps:
        if step.scene is None or step.scene in names or step.scene in found:
            continue
        known = step.scene.startswith(PRESET) and step.scene.removeprefix(PRESET) in {p.id for p in presets()}
        if not known:
            expected = ", ".join([*sorted(names), "keep", "preset:ID"])
            faults.add(step.line, f"the scene must be one of {expected}, with the ID of a preset; got {step.scene!r}")
            continue
        loaded = load_preset(step.scene.removeprefix(PRESET))
        found[step.scene] = LessonScene(loaded.scene, loaded.view)
    for name in names - {step.scene for step in steps}:
        line = next(block.line for block in blocks if block.name == name)
        faults.add(line, f"no step shows the scene {name}", warning=True)
    return found


_AT_LINE = re.compile(r", line (\d+) column (\d+)$")


def _block_scene(block: _Block, faults: LessonFaults) -> LessonScene | None:
    try:
        loaded = read_scene("\n".join(block.lines))
    except SceneError as error:
        # A fault of the JSON has a line number within the block.
        place = _AT_LINE.search(error.message)
        line = block.line + (int(place[1]) if place else 0)
        message = _AT_LINE.sub(rf", column {place[2]}", error.message) if place else error.message
        path = f"{error.path}: " if error.path else ""
        faults.add(line, f"scene {block.name}: {path}{message}")
        return None
    return LessonScene(loaded.scene, loaded.view)
