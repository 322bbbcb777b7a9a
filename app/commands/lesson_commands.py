"""The commands of the lessons: one that opens each, and those that go through the one that is open."""

from __future__ import annotations

from ..io.lesson_index import LessonTitle, lesson_titles
from .table import Command, InMenu, Program

HELP = InMenu("Help")


def lesson_commands() -> tuple[Command, ...]:
    """Open, go on, go back, ask for help, leave."""

    def is_open(app: Program) -> bool:
        return app.lessons.open

    def can_go_on(app: Program) -> bool:
        return app.lessons.step is not None and app.lessons.met

    def on_the_way(app: Program) -> bool:
        return app.lessons.step is not None

    def can_help(app: Program) -> bool:
        step = app.lessons.step
        return step is not None and bool(step.goals) and not app.lessons.met

    def explore(app: Program) -> None:
        scene, view = app.work.document.committed, app.work.view
        app.lessons.leave()
        app.files.load(scene, view)

    def skip(app: Program) -> None:
        app.lessons.next()

    def leave(app: Program) -> None:
        app.lessons.leave()

    def next_lesson(app: Program) -> None:
        app.lessons.begin_following()

    tip = "Opens the last lesson where you left it, or the first"
    return (
        HELP("lessons.open", "Lessons", "F2", lambda app: app.lessons.resume(), tip, checked=is_open),
        HELP("lessons.next", "Lesson: next step", "Enter", lambda app: app.lessons.next(), enabled=can_go_on),
        HELP("lessons.skip", "Lesson: skip this step", "Shift+Enter", skip, enabled=on_the_way),
        HELP("lessons.back", "Lesson: previous step", "", lambda app: app.lessons.back(), enabled=is_open),
        HELP("lessons.hint", "Lesson: hint", "", lambda app: app.lessons.hint(), enabled=can_help),
        HELP("lessons.restart", "Lesson: restart this step", "", lambda app: app.lessons.restart(), enabled=is_open),
        HELP("lessons.anew", "Lesson: begin it anew", "", lambda app: app.lessons.begin_anew(), enabled=is_open),
        HELP("lessons.following", "Lesson: the next one", "", next_lesson, enabled=is_open),
        HELP("lessons.explore", "Lesson: explore this scene", "", explore, enabled=is_open),
        HELP("lessons.leave", "Lesson: leave", "", leave, enabled=is_open),
        *(_opening(lesson) for lesson in lesson_titles()),
    )


def _opening(lesson: LessonTitle) -> Command:
    """The command that opens a lesson where it was left."""

    def begin(app: Program) -> None:
        app.lessons.resume(lesson.id)

    tip = f"About {lesson.minutes} minutes, in {'the plane' if lesson.world == 'plane' else 'space'}"
    return HELP(f"lesson.{lesson.id}", f"Lesson {lesson.order}: {lesson.title}", "", begin, tip)
