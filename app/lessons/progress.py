"""The learner's progress in the lessons, kept in `progress.json` in the state folder.

Progress is kept by the ids of lessons and steps, so that an edited lesson loses only the changed steps.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..storage.files import read_bounded, reason_of, state_folder, write_atomic
from ..storage.strict_json import DataError, convert, json_text, parse

MOST_BYTES = 1 << 20
"""The most bytes of the file."""


class LessonProgress(Struct, frozen=True, omit_defaults=True):
    """The progress in one lesson.

    `step`: the id of the step where the learner left. `done`: ids of the steps whose goals the learner met; `shown`:
    ids of the steps that were demonstrated. `finished`: the day on which the last step was left, as 2026-05-01, or "".
    `seconds`: the time spent in the lesson.
    """

    step: str = ""
    done: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    finished: str = ""
    seconds: float = 0.0

    def at(self, step: str) -> LessonProgress:
        """The progress with the learner at a step."""
        return replace(self, step=step)

    def with_steps_of(self, other: LessonProgress, steps: Collection[str]) -> LessonProgress:
        """The progress with what was done and shown of `steps` in `other`, the lesson where they stood before.

        A step that is done or shown here already stays as it is.
        """
        done, shown = (
            (*mine, *(step for step in theirs if step in steps and step not in (*self.done, *self.shown)))
            for mine, theirs in ((self.done, other.done), (self.shown, other.shown))
        )
        return replace(self, done=done, shown=shown)

    def reached(self, steps: Sequence[str]) -> int:
        """The index of the farthest step seen, 0 if none was. `steps`: the ids of all steps, in order."""
        if self.finished:
            return len(steps) - 1
        return max((steps.index(step) for step in (self.step, *self.done, *self.shown) if step in steps), default=0)

    def met(self, step: str, *, shown: bool) -> LessonProgress:
        """The progress with a step's goals met; `shown`: by a demonstration. A step done alone later counts as done."""
        if step in self.done:
            return self
        if shown:
            return self if step in self.shown else replace(self, shown=(*self.shown, step))
        return replace(self, done=(*self.done, step), shown=tuple(other for other in self.shown if other != step))


class LearnerProgress(Struct, frozen=True, omit_defaults=True):
    """The progress in every lesson, by id. `last`: the id of the lesson opened last.

    `offered`: the offer of the first lesson was used or closed, and is not made again.
    """

    lessons: dict[str, LessonProgress] = {}
    last: str = ""
    offered: bool = False

    def of(self, lesson: str) -> LessonProgress:
        """The progress in one lesson."""
        return self.lessons.get(lesson, LessonProgress())

    def having(self, lesson: str, progress: LessonProgress) -> LearnerProgress:
        """The progress with one lesson's replaced; that lesson becomes the last opened."""
        return replace(self, lessons={**self.lessons, lesson: progress}, last=lesson)

    def without(self, lesson: str) -> LearnerProgress:
        """The progress with one lesson's removed."""
        return replace(self, lessons={known: progress for known, progress in self.lessons.items() if known != lesson})


def progress_path() -> Path:
    """The path of the file."""
    return state_folder() / "progress.json"


def load_progress(path: Path | None = None) -> tuple[LearnerProgress, str | None]:
    """The progress, and a sentence on why it begins anew, or None if it was read or there is no file. Never raises.

    A file that cannot be read is renamed if possible, so that nothing of it is lost.
    """
    file = path or progress_path()
    try:
        if not file.exists():
            return LearnerProgress(), None
        data = read_bounded(file)
        if len(data) > MOST_BYTES:
            raise DataError("", f"is larger than {MOST_BYTES >> 20} MB")
        # Unknown keys are ignored, so that two versions can share one file.
        return convert(parse(data.decode("utf-8-sig")), LearnerProgress), None
    except (DataError, UnicodeDecodeError, OSError) as error:
        why = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
        return LearnerProgress(), f"The progress of the lessons could not be read: {file}: {why}. {_put_aside(file)}"


def save_progress(progress: LearnerProgress, path: Path | None = None) -> str | None:
    """Writes the file whole or not at all; returns None, or a sentence on why writing failed. Never raises."""
    file = path or progress_path()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, json_text(_tree(progress)).encode(), durable=False)
    except (OSError, ValueError) as error:
        return f"The progress of the lessons is not kept: {file}: {reason_of(error)}"
    return None


def _tree(progress: LearnerProgress) -> dict[str, object]:
    lessons = {
        name: {key: value for key in LessonProgress.__struct_fields__ if (value := getattr(in_lesson, key))}
        for name, in_lesson in progress.lessons.items()
    }
    return {"lessons": lessons, "last": progress.last, "offered": progress.offered}


def _put_aside(file: Path) -> str:
    """Renames the file if possible; returns a sentence on where it is now."""
    number = 1
    while (aside := file.with_name(f"{file.stem}-broken-{number}{file.suffix}")).exists():
        number += 1
    try:
        file.rename(aside)
    except OSError as error:
        return f"It stays there, as it cannot be renamed: {reason_of(error)}."
    return f"It is kept as {aside.name}, and the lessons begin anew."
