"""The two ways to carry out requests of panels and gestures: at once, or after the panels are drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ParamSpec

from core.analysis.algorithm_settings import AlgorithmSettings
from core.scene import Scene

from ..draw.draw_list import Subject
from ..state.ask import Ask
from ..state.export_options import ExportOptions
from ..state.export_shown import FilmSource
from ..state.playback import Playback
from ..state.settings import Settings
from ..state.view import View
from .table import Program, escape

P = ParamSpec("P")
POINTING = "Pointing"


class AskNow(Ask):
    """Carries out each request at once. An exception passes on to the handler of the event."""

    def __init__(self, app: Program) -> None:
        self._app = app

    def _do(self, doing: str, action: Callable[P, object], *args: P.args, **named: P.kwargs) -> None:
        """Calls the action. `doing`: the beginning of the sentence about a fault, such as `Selecting a body`."""
        with self._app.faults.doing(doing):
            action(*args, **named)

    def edit(self, scene: Scene, label: str, told: str = "") -> None:
        self._do("Changing the scene", self._app.edits.edit, scene, label, told)

    def preview(self, scene: Scene | None) -> None:
        def show() -> None:
            self._app.work.document = self._app.work.document.previewed(scene)

        self._do("Showing the drag", show)

    def look(self, view: View) -> None:
        self._do("Changing the view", self._app.cameras.look, view)

    def select(self, body: int | None) -> None:
        def give() -> None:
            self._app.work.selection = body

        self._do("Selecting a body", give)

    def point(self, subject: Subject) -> None:
        self._do(POINTING, self._app.cameras.point_at, subject)

    def play(self, playback: Playback) -> None:
        self._do("Showing a step", self._app.steps.play, playback)

    def tune(self, settings: AlgorithmSettings) -> None:
        def change() -> None:
            self._app.work.algorithm_settings = settings

        self._do("Changing an algorithm's settings", change)

    def configure(self, settings: Settings) -> None:
        def change() -> None:
            self._app.preferences.configure(self._app.lessons.own(settings, self._app.preferences.settings))

        self._do("Changing the settings", change)

    def invoke(self, command: str) -> None:
        self._do("A command", self._app.invoke, command)

    def escape(self) -> None:
        self._do("The key Escape", escape, self._app)

    def open(self, path: Path) -> None:
        self._do(f"Opening {path.name}", self._app.files.open, path)

    def open_scene(self, scene: Scene, view: View | None, title: str) -> None:
        self._do(f"Showing {title or 'a scene'}", self._app.files.open_scene, scene, view)

    def save(self, path: Path) -> None:
        self._do(f"Saving {path.name}", self._app.files.save_to, path)

    def show_entry(self, index: int) -> None:
        self._do("Showing another entry of the log", self._app.files.step_to, index)

    def save_deck(self, path: Path) -> None:
        self._do(f"Saving {path.name}", self._app.files.decks.save_to, path)

    def write_slide(self, name: str, words: str, notes: str) -> None:
        self._do("Writing on the slide", self._app.files.decks.write, name, words, notes)

    def write_deck(self, title: str, author: str) -> None:
        self._do("Writing on the deck", self._app.files.decks.entitle, title, author)

    def cancel_loading(self) -> None:
        self._do("Giving up the mesh", self._app.files.meshes.cancel)

    def take_picture(self, options: ExportOptions, path: Path | None = None, *, copy: bool = False) -> None:
        self._do("Taking the picture", self._app.pictures.take, options, path, copy=copy)

    def preview_picture(self, options: ExportOptions, *, large: bool = False) -> None:
        self._do("Drawing the picture's preview", partial(self._app.pictures.show, large=large), options)

    def cancel_picture(self) -> None:
        self._do("Giving up the picture", self._app.pictures.cancel)

    def make_film(self, source: FilmSource, ending: str, path: Path | None, options: ExportOptions) -> None:
        self._do("Making the film", self._app.films.make, source, ending, path, options)

    def cancel_film(self) -> None:
        self._do("Giving up the film", self._app.films.cancel)

    def ask_engines(self, scenes: tuple[Scene, ...]) -> None:
        self._do("Asking the engines", self._app.engines.ask_along, scenes)

    def make_bundle(self, path: Path) -> None:
        self._do(f"Making {path.name}", self._app.engines.make_bundle, path)

    def guess(self, subject: Subject) -> None:
        self._do("Answering the question", self._app.quiz.guess, subject)

    def choose(self, option: str) -> None:
        self._do("Choosing an option", self._app.lessons.choose, option)

    def go_to_step(self, number: int) -> None:
        self._do("Going to a step of the lesson", self._app.lessons.go, number)

    def open_lesson(self, lesson: str) -> None:
        self._do("Opening the lesson", self._app.lessons.resume, lesson)

    def decline_lesson(self) -> None:
        self._do("Declining the lesson", self._app.lessons.keeper.decline)

    def write_lesson(self, path: Path) -> None:
        self._do(f"Writing {path.name}", self._app.lesson_writing.write, path)

    def copy(self, text: str, what: str) -> None:
        def put() -> None:
            self._app.window.copy(text)
            self._app.notices.notify(f"Copied {what}")

        self._do("Copying", put)

    def notify(self, message: str, *, error: bool = False) -> None:
        self._do("Telling a message", self._app.notices.notify, message, error=error)

    def dismiss(self, number: int) -> None:
        self._do("Dismissing a message", self._app.notices.dismiss, number)

    def answer(self, choice: str) -> None:
        self._do("Acting on the answer", self._app.questions.answer, choice)


class AskLater(AskNow):
    """Keeps the requests until `carry_out`, so that the state does not change while the panels read it."""

    def __init__(self, app: Program) -> None:
        super().__init__(app)
        self.calls: list[tuple[str, Callable[[], object]]] = []

    def _do(self, doing: str, action: Callable[P, object], *args: P.args, **named: P.kwargs) -> None:
        self.calls.append((doing, partial(action, *args, **named)))

    @property
    def asks_to_point(self) -> bool:
        """Whether one of the requests changes the subject that is pointed at."""
        return any(doing == POINTING for doing, _ in self.calls)

    def carry_out(self) -> None:
        """Carries out all requests, in order; a fault in one ends only that one."""
        for doing, call in self.calls:
            with self._app.faults.caught(doing):
                call()
