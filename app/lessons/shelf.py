"""Loads the lessons that ship with the program, in the order of their shelf."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..state.lesson import Lesson
from ..storage.files import resource
from .lesson_file import load_lesson


def shipped_files() -> tuple[Path, ...]:
    """The shipped lessons' files, sorted by name."""
    return tuple(sorted(resource("assets", "lessons").glob("*.md")))


@cache
def shelf() -> tuple[Lesson, ...]:
    """The shipped lessons, sorted by `order`. Raises LessonError if one is broken, which the tests rule out."""
    return tuple(sorted((load_lesson(path) for path in shipped_files()), key=lambda lesson: lesson.order or 0))
