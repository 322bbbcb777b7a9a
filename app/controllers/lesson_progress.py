"""The stored progress of the lessons, read when first needed and written with every change; and the shelf."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..io.lesson_index import lesson_titles
from ..state.lesson import Lesson
from .notices import Notices

if TYPE_CHECKING:
    from ..lessons.progress import LearnerProgress, LessonProgress


class LessonProgressKeeper:
    """Reads and writes the progress."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._known: LearnerProgress | None = None

    @property
    def progress(self) -> LearnerProgress:
        """The progress in every lesson."""
        if self._known is None:
            from ..lessons.progress import load_progress

            self._known, problem = load_progress()
            if problem is not None:
                self._notices.notify(problem, error=True)
        return self._known

    def of(self, lesson: Lesson) -> LessonProgress:
        """The progress in a lesson's steps, with the progress from the lesson where they once stood."""
        progress, steps = self.progress.of(lesson.id), [step.id for step in lesson.steps]
        progress = replace(
            progress,
            done=tuple(step for step in progress.done if step in steps),
            shown=tuple(step for step in progress.shown if step in steps),
        )
        return progress.with_steps_of(self.progress.of(lesson.was), steps) if lesson.was else progress

    @property
    def learnt(self) -> Mapping[str, float]:
        """The learnt share of each begun lesson, by id: of its steps those done or shown, and one for the beginning.

        At most 0.95 before the lesson was finished, then 1.
        """
        lessons, steps = self.progress.lessons, {lesson.id: lesson.steps for lesson in lesson_titles()}
        return {
            name: 1.0
            if progress.finished
            else min((1 + len(progress.done) + len(progress.shown)) / steps.get(name, 10), 0.95)
            for name, progress in lessons.items()
        }

    @property
    def offer(self) -> str:
        """The first lesson's title and length; "" without lessons, once any was opened, and once it was declined."""
        if self.progress.offered:
            return ""
        first = next(iter(lesson_titles()), None)
        return "" if first is None else f"{first.title}, {first.minutes} minutes"

    def decline(self) -> None:
        """Declines the offer of the first lesson for good."""
        self._store(replace(self.progress, offered=True))

    def change(self, lesson: str, change: Callable[[LessonProgress], LessonProgress]) -> None:
        """Changes the progress in the lesson with this id, which becomes the last opened; ends the offer."""
        self._store(replace(self.progress, offered=True).having(lesson, change(self.progress.of(lesson))))

    def forget(self, lesson: str) -> None:
        """Removes the progress in the lesson with this id."""
        self._store(self.progress.without(lesson))

    def _store(self, changed: LearnerProgress) -> None:
        from ..lessons.progress import save_progress

        if changed == self._known:
            return
        self._known = changed
        problem = save_progress(changed)
        if problem is not None:
            self._notices.notify(problem, error=True)

    def shelf(self) -> tuple[Lesson, ...]:
        """The shipped lessons, in order."""
        from ..lessons.shelf import shelf

        return shelf()

    def resumed(self, name: str) -> tuple[Lesson, str] | None:
        """The lesson with this id and the id of the step where it was left, "" for its start.

        Without an id: the lesson opened last. If that is finished, the next lesson, or after the last lesson the last
        one from its start. For an unknown id, and before any was opened, the first. None if there are no shipped
        lessons.
        """
        lessons = self.shelf()
        wanted = name or self.progress.last
        lesson = next((lesson for lesson in lessons if lesson.id == wanted), lessons[0] if lessons else None)
        if lesson is None:
            return None
        progress = self.progress.of(lesson.id)
        if not name and progress.finished and not progress.step:
            lesson = self.following(lesson) or lesson
        step = progress.step
        if not name and step and lesson.step(step) is None:
            # A step that now stands in another lesson.
            lesson = next((other for other in lessons if other.was == lesson.id and other.step(step)), lesson)
        return lesson, step if lesson.step(step) else self.progress.of(lesson.id).step

    def following(self, lesson: Lesson) -> Lesson | None:
        """The lesson after this one on the shelf; None after the last one, and for a lesson without `order`."""
        later = (other for other in self.shelf() if lesson.order is not None and (other.order or 0) > lesson.order)
        return next(later, None)
