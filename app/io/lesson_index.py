"""The shipped lessons by their front matter alone, for menus and lists: no step is read and nothing is judged."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from ..storage.files import resource

HEAD = 2048
"""Bytes of a file that its front matter fits into; a test holds it."""
_LINE = re.compile(r"^(\w+): (.+)$", re.MULTILINE)


class LessonTitle(Struct, frozen=True):
    """What a list says of a lesson. `world`: "plane" or "space"."""

    id: str
    order: int
    title: str
    world: str
    minutes: int


@cache
def lesson_titles() -> tuple[LessonTitle, ...]:
    """Those of assets/lessons, in the order of the shelf."""
    found = []
    for path in resource("assets", "lessons").glob("*.md"):
        with path.open("rb") as file:
            front = dict(_LINE.findall(file.read(HEAD).decode(errors="replace").split("\n---\n", 1)[0]))
        found.append(
            LessonTitle(front["id"], int(front["order"]), front["title"], front["world"], int(front["minutes"]))
        )
    return tuple(sorted(found, key=lambda lesson: lesson.order))
