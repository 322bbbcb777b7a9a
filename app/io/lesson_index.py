"""Lists the shipped lessons from their front matter, for menus, without reading their steps; names the lecture."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from ..storage.files import resource

LARGEST = 256 * 1024
"""The most bytes read of a lesson."""
LECTURE = resource("assets", "lectures", "sat-to-contacts.jsonl")
"""The shipped deck."""
_LINE = re.compile(r"^(\w+): (.+)$", re.MULTILINE)


class LessonTitle(Struct, frozen=True):
    """A lesson's entry in a list. `world`: "plane" or "space"; `steps`: their number."""

    id: str
    order: int
    title: str
    world: str
    minutes: int
    steps: int


@cache
def lesson_titles() -> tuple[LessonTitle, ...]:
    """The titles of the lessons in assets/lessons, in the order of the shelf."""
    found = []
    for path in resource("assets", "lessons").glob("*.md"):
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(LARGEST)
        front, steps = dict(_LINE.findall(text.split("\n---\n", 1)[0])), text.count("\n## ")
        told = front["title"], front["world"], int(front["minutes"]), steps
        found.append(LessonTitle(front["id"], int(front["order"]), *told))
    return tuple(sorted(found, key=lambda lesson: lesson.order))
