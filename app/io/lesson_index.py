"""Lists the shipped lessons from their front matter, for menus; also has the path of the shipped lecture."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from ..storage.files import resource

MOST_CHARACTERS = 256 * 1024
"""The most characters read of a lesson."""
LECTURE = resource("assets", "lectures", "sat-to-contacts.jsonl")
"""The path of the shipped lecture, a deck."""
_LINE = re.compile(r"^(\w+): (.+)$", re.MULTILINE)
_PRESET = re.compile(r"^> scene: preset:(.+)$", re.MULTILINE)


class LessonTitle(Struct, frozen=True):
    """A lesson's entry in a list.

    `order`: its place in the list. `world`: "plane" for 2D or "space" for 3D. `minutes`: about how long it takes.
    `steps`: the number of its steps. `preset`: the id of the first preset that they show, "" without one.
    """

    id: str
    order: int
    title: str
    world: str
    minutes: int
    steps: int
    preset: str


@cache
def lesson_titles() -> tuple[LessonTitle, ...]:
    """The entries of the lessons in assets/lessons, by `order`."""
    found = []
    for path in resource("assets", "lessons").glob("*.md"):
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(MOST_CHARACTERS)
        front, steps = dict(_LINE.findall(text.split("\n---\n", 1)[0])), text.count("\n## ")
        shown = _PRESET.search(text)
        fields = front["title"], front["world"], int(front["minutes"]), steps, "" if shown is None else shown[1]
        found.append(LessonTitle(front["id"], int(front["order"]), *fields))
    return tuple(sorted(found, key=lambda lesson: lesson.order))
