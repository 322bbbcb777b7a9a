"""The commands of the lessons: one to open each, those of the open lesson, the lecture, and those for authors."""

from __future__ import annotations

from ..io.lesson_index import LECTURE, LessonTitle, lesson_titles
from .table import Command, InMenu, Program

HELP_MENU, FILE_MENU = InMenu("Help"), InMenu("File")


def lesson_commands() -> tuple[Command, ...]:
    """The commands of the menu Help: to open and go through lessons, and to open the lecture, a deck of slides."""

    def is_open(app: Program) -> bool:
        return app.lessons.open

    def can_go_on(app: Program) -> bool:
        return app.lessons.met

    def go_on(app: Program) -> None:
        if app.lessons.step is not None:
            app.lessons.next()
        elif not app.lessons.begin_following():
            app.dialogs.presets = True

    def on_the_way(app: Program) -> bool:
        return app.lessons.step is not None

    def can_help(app: Program) -> bool:
        step = app.lessons.step
        return step is not None and bool(step.goals) and not app.lessons.met

    def explore(app: Program) -> None:
        scene, view = app.work.document.committed, app.work.view
        app.lessons.leave()
        app.files.open_scene(scene, view)

    def skip(app: Program) -> None:
        app.lessons.next()

    def leave(app: Program) -> None:
        app.lessons.leave()

    def next_lesson(app: Program) -> None:
        app.lessons.begin_following()

    def lecture(app: Program) -> None:
        app.files.open(LECTURE)

    def open_lessons(app: Program) -> None:
        if app.lessons.open:
            app.dialogs.presets = True
        else:
            app.lessons.resume()

    again = "With the scene and the view that the lesson's step began with"
    tip = "Opens the last lesson where you left it, or the first; in a lesson the gallery, with all of them"
    return (
        HELP_MENU("lessons.open", "Lessons", "F2", open_lessons, tip, checked=is_open),
        HELP_MENU("lessons.next", "Lesson: next step", "Enter", go_on, enabled=can_go_on),
        HELP_MENU("lessons.skip", "Lesson: skip this step", "Shift+Enter", skip, enabled=on_the_way),
        HELP_MENU("lessons.back", "Lesson: previous step", "", lambda app: app.lessons.back(), enabled=is_open),
        HELP_MENU("lessons.hint", "Lesson: hint", "", lambda app: app.lessons.hint(), enabled=can_help),
        HELP_MENU(
            "lessons.restart", "Start this step again", "", lambda app: app.lessons.restart(), again, enabled=on_the_way
        ),
        HELP_MENU("lessons.anew", "Lesson: begin it anew", "", lambda app: app.lessons.begin_anew(), enabled=is_open),
        HELP_MENU("lessons.following", "Lesson: the next one", "", next_lesson, enabled=is_open),
        HELP_MENU("lessons.explore", "Lesson: explore this scene", "", explore, enabled=is_open),
        HELP_MENU("lessons.leave", "Lesson: leave", "", leave, enabled=is_open),
        *(_opening(lesson) for lesson in lesson_titles()),
        HELP_MENU(
            "lecture.open", "Lecture: SAT to contacts", "", lecture, "Twelve slides for 45 minutes, with notes to print"
        ),
    )


def writing_commands() -> tuple[Command, ...]:
    """The commands for authors of lessons, which are unavailable while a lesson is open."""

    def no_lesson(app: Program) -> bool:
        return not app.lessons.open

    def pin(app: Program) -> None:
        app.lesson_writing.pin()

    def ask_name(app: Program) -> None:
        app.dialogs.lesson = True

    pinned = "This view, with its step of the timeline, becomes a step of your next lesson"
    told = "A lesson file with a step for each view pinned, else for this one; it opens at once"
    return (
        FILE_MENU("lessons.write", "New lesson from this scene …", "", ask_name, told, enabled=no_lesson),
        FILE_MENU("lessons.pin", "Pin this view for a lesson", "Ctrl+L", pin, pinned, enabled=no_lesson),
    )


def _opening(lesson: LessonTitle) -> Command:
    """The command that opens a lesson at the step where it was left."""

    def begin(app: Program) -> None:
        app.lessons.resume(lesson.id)

    tip = f"About {lesson.minutes} minutes, in {'the plane' if lesson.world == 'plane' else 'space'}"
    return HELP_MENU(f"lesson.{lesson.id}", f"Lesson {lesson.order}: {lesson.title}", "", begin, tip)
