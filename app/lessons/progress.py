"""What is kept of a learner's way through the lessons: `progress.json` in the state folder, a file of its own.

It is kept by the ids of lessons and steps, so that a lesson that is edited loses nothing else.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..storage.files import read_bounded, reason_of, state_folder, write_atomic
from ..storage.strict_json import DataError, convert, json_text, parse

LARGEST = 1 << 20
"""Bytes of the file."""


class LessonProgress(Struct, frozen=True, omit_defaults=True):
    """How far one lesson has come.

    `step`: id of the step it was left at. `done`: ids of the steps whose goals were met by the learner; `shown`: of
    those that were shown. `finished`: the day on which the last step was left, as 2026-05-01; empty while it never was.
    """

    step: str = ""
    done: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    finished: str = ""

    def at(self, step: str) -> LessonProgress:
        """The learner stands at a step."""
        return replace(self, step=step)

    def met(self, step: str, *, shown: bool) -> LessonProgress:
        """The goals of a step are met. What was shown once and is done alone later counts as done."""
        if step in self.done:
            return self
        if shown:
            return self if step in self.shown else replace(self, shown=(*self.shown, step))
        return replace(self, done=(*self.done, step), shown=tuple(other for other in self.shown if other != step))


class Progress(Struct, frozen=True, omit_defaults=True):
    """Every lesson's progress by its id. `last`: id of the lesson opened last.

    `offered`: the offer of the first lesson was used or closed, and is not made again.
    """

    lessons: dict[str, LessonProgress] = {}
    last: str = ""
    offered: bool = False

    def of(self, lesson: str) -> LessonProgress:
        """One lesson's."""
        return self.lessons.get(lesson, LessonProgress())

    def having(self, lesson: str, progress: LessonProgress) -> Progress:
        """The same with one lesson's changed, which is then the last opened."""
        return replace(self, lessons={**self.lessons, lesson: progress}, last=lesson)

    def without(self, lesson: str) -> Progress:
        """The same with one lesson begun anew."""
        return replace(self, lessons={known: kept for known, kept in self.lessons.items() if known != lesson})


def progress_path() -> Path:
    """The file that holds it."""
    return state_folder() / "progress.json"


def load_progress(path: Path | None = None) -> tuple[Progress, str | None]:
    """The progress, and None or one sentence saying why it begins anew. Never raises.

    A file that cannot be read is put aside under another name, so that nothing of it is lost.
    """
    file = path or progress_path()
    try:
        if not file.exists():
            return Progress(), None
        data = read_bounded(file)
        if len(data) > LARGEST:
            raise DataError("", f"is larger than {LARGEST >> 20} MB")
        # Keys of another version are passed over, so that two versions can share one file.
        return convert(parse(data.decode("utf-8-sig")), Progress), None
    except (DataError, UnicodeDecodeError, OSError) as error:
        why = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
        return Progress(), f"The progress of the lessons could not be read: {file}: {why}. {_put_aside(file)}"


def save_progress(progress: Progress, path: Path | None = None) -> str | None:
    """Writes it whole or not at all; None, or one sentence saying why it is not kept. Never raises."""
    file = path or progress_path()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, json_text(_tree(progress)).encode(), durable=False)
    except (OSError, ValueError) as error:
        return f"The progress of the lessons is not kept: {file}: {reason_of(error)}"
    return None


def _tree(progress: Progress) -> dict[str, object]:
    lessons = {
        name: {key: value for key in LessonProgress.__struct_fields__ if (value := getattr(kept, key))}
        for name, kept in progress.lessons.items()
    }
    return {"lessons": lessons, "last": progress.last, "offered": progress.offered}


def _put_aside(file: Path) -> str:
    """Gives the file another name; the sentence about it."""
    number = 1
    while (aside := file.with_name(f"{file.stem}-broken-{number}{file.suffix}")).exists():
        number += 1
    try:
        file.rename(aside)
    except OSError as error:
        return f"It stays there, as it cannot be renamed: {reason_of(error)}."
    return f"It is kept as {aside.name}, and the lessons begin anew."
