"""Opens, saves and reloads documents, asks about unsaved work first, and keeps the recent files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from core.scene import Scene

from ..forms.files import SUFFIXES as TEXTS
from ..forms.files import is_text, open_text
from ..forms.form import MOST_CHARACTERS
from ..io.deck_file import read_deck
from ..io.lesson_index import LECTURE
from ..io.mesh_file import is_mesh
from ..io.presets import DEFAULT, FLAT_DEFAULT, load_preset, presets
from ..io.scene_file import (
    MESH_SUFFIXES,
    Loaded,
    SceneError,
    TooLargeSceneError,
    claims_to_be_scene,
    load,
    read,
    save,
    write,
)
from ..io.scene_log import LOG_SUFFIXES
from ..io.session import (
    FileWatch,
    Stamp,
    forget,
    opened_presets,
    recent_files,
    remember,
    remember_opened,
)
from ..lessons.faults import LessonError
from ..state.deck import Deck, OpenDeck
from ..state.lesson import Lesson
from ..state.panel_state import DialogChoice, Dialogs, LogPosition, Pending
from ..state.view import View
from ..state.work import Document, LeftPreset
from ..storage.carried import HANDOUT, OPENED_FILMS, OPENED_PICTURES, is_picture
from ..storage.file_kinds import NOT_JSON, NOT_READ
from ..storage.files import MEGABYTE, SCENE_LIMIT, open_file, reason_of, state_folder
from .deck import SAVE_CHOICES, Decks
from .edits import Edits
from .lessons import Lessons
from .mesh_loading import MeshLoading
from .notices import Questions
from .open_log import OpenLog, opens_as_log
from .recovery import Recovery
from .services import Services

LESSON_SUFFIX = ".md"
OPENABLE = (".json", *LOG_SUFFIXES, *TEXTS, *OPENED_PICTURES, *OPENED_FILMS, HANDOUT, *MESH_SUFFIXES, LESSON_SUFFIX)
"""Endings of scenes, logs and decks, texts with a pair, meshes, lessons, and pictures, films and handouts with a scene.

A scene may have any other ending too.
"""


class Files:
    """Handles all files of the document."""

    def __init__(
        self, services: Services, questions: Questions, edits: Edits, lessons: Lessons, dialogs: Dialogs
    ) -> None:
        self._work, self._notices = services.work, services.notices
        self._autosaves, self._steps = services.autosaves, services.steps
        self._questions, self._edits, self._lessons, self._dialogs = questions, edits, lessons, dialogs
        self._folder = state_folder()
        self._watch, self._lesson_watch = FileWatch(), FileWatch()
        self._watched_lesson: Lesson | None = None
        self.decks = Decks(services, questions, dialogs, self.show, self._remember)
        self.meshes = MeshLoading(services, questions, edits, self._refuse)
        self.recovery = Recovery(services.work, services.autosaves, questions, self.show, self.decks)
        self._after_save: Callable[[], None] | None = None
        self._asking_reload = False
        self._log: OpenLog | None = None
        self.recent, self.opened_presets = recent_files(self._folder), opened_presets(self._folder)

    # Opening.

    def open(self, path: Path) -> None:
        """Opens a scene, a log, a deck, or a picture's, film's or handout's scene, after asking about unsaved work.

        A mesh's hull, a lesson, and the dialog for pairs with an ambiguous text need no question: they keep the work.
        """
        if is_mesh(path):
            self.take_hull(path)
            return
        if path.suffix.lower() == LESSON_SUFFIX:
            self.open_lesson(path)
            return
        if self._asks_about(path):
            return
        if self._work.unsaved and (fault := _fault_of(path)):
            # A file that cannot be opened is refused before asking about unsaved work.
            self._refuse(path, fault)
            return

        def go_on() -> None:
            self.open_now(path)

        log = opens_as_log(path)
        self.guard(go_on, deck=log, undone=not log)

    def drop(self, paths: tuple[Path, ...]) -> None:
        """Opens files dropped on the window: two meshes become A and B; of other files the first is opened."""
        if len(paths) == 2 and all(is_mesh(path) for path in paths):
            self.meshes.take(dict(enumerate(paths)))
        elif paths:
            self.open(paths[0])
            if len(paths) > 1:
                self._notices.notify(f"One file at a time: of {len(paths)} files only {paths[0].name} was opened.")

    def open_now(self, path: Path, most: int | None = None) -> bool:
        """Opens a file without asking; returns False after a refusal, which the user sees as a notice or a question.

        `most`: the number of corners above which a mesh's hull is simplified.
        """
        if is_mesh(path):
            return self.take_hull(path, most)
        if path.suffix.lower() == LESSON_SUFFIX:
            return self.open_lesson(path)
        if opens_as_log(path):
            return self._open_log(path)
        if self._asks_about(path):
            return True
        try:
            loaded, home = _loaded(path)
        except TooLargeSceneError as error:
            self.meshes.offer_simpler_scene(path, error, partial(self._show_simpler, path))
            return False
        except SceneError as error:
            self._refuse(path, _in_words(path, error))
            return False
        self._show_file(path, loaded, home)
        return True

    def _asks_about(self, path: Path) -> bool:
        """Opens the dialog for pairs with a text whose meaning only a person can tell; returns whether it did."""
        try:
            text = open_text(path) if is_text(path) else None
        except SceneError:
            return False
        if text is None or text.loaded is not None:
            return False
        self._dialogs.pasted, self._dialogs.paste = text.text, True
        self._remember(path)
        return True

    def _show_file(self, path: Path, loaded: Loaded, home: Path | None = None) -> None:
        """Shows the scene found in a file; `home`: the file to save to, if any."""
        self._close_log()
        self.show(Document.new(loaded.scene, home), loaded.view)
        self._tell_remarks(loaded.remarks)
        self._remember(path)

    def _show_simpler(self, path: Path, loaded: Loaded) -> None:
        """Shows the scene of a too large file, loaded with fewer points, after asking about work begun meanwhile."""
        self.guard(partial(self._show_file, path, loaded))

    def open_lesson(self, path: Path) -> bool:
        """Opens a lesson file, and reads it again whenever it is saved; returns False after a refusal."""
        from ..lessons.lesson_file import load_lesson

        try:
            lesson = load_lesson(path)
        except LessonError as error:
            self._refuse(path, str(error))
            return False
        if not self._lessons.begin(lesson):
            return False
        self._lesson_watch.follow(path)
        self._watched_lesson = lesson
        self._remember(path)
        return True

    def _look_at_lesson(self) -> None:
        """Reloads the open lesson at the same step if its author has saved its file; a refusal is shown as a notice."""
        shown, watch = self._lessons.shown, self._lesson_watch
        if shown is None or shown.lesson is not self._watched_lesson or watch.path is None or not watch.changed():
            return
        from ..lessons.lesson_file import load_lesson

        watch.follow(watch.path)
        try:
            self._watched_lesson = load_lesson(watch.path)
        except LessonError as error:
            self._notices.notify(str(error), error=True)
        else:
            self._lessons.replaced(self._watched_lesson)

    def take_hull(self, path: Path, most: int | None = None) -> bool:
        """Starts to load a mesh, whose hull becomes the shape of the selected body, else of B.

        Returns False after an immediate refusal.
        `most`: the number of corners above which the hull is simplified.
        """
        return self.meshes.take({1 if self._work.selection is None else self._work.selection: path}, most)

    def show(self, document: Document, view: View | None, preset: str | None = None, *, steady: bool = False) -> None:
        """Shows a document and watches its file; a mesh being loaded is dropped.

        `view`, `steady`: as in `Edits.show`. `preset`: the id of the preset that it is, if any; it is remembered as
        opened.
        """
        self.meshes.drop()
        self._edits.show(document, view, preset, steady=steady)
        self._watch.follow(document.path)
        if preset is not None:
            self.opened_presets = remember_opened(self._folder, preset)

    def open_scene(self, scene: Scene, view: View | None, preset: str | None = None) -> None:
        """Shows a scene that comes from no file, after asking about unsaved work. Closes an open log; a deck stays.

        `view`: as in `Edits.show`. `preset`: its id, if it is one.
        """

        def put() -> None:
            self._close_log()
            self.show(Document.new(scene), view, preset)

        self.guard(put, undone=True)

    def paste(self, text: str) -> None:
        """Shows the scene in a text, after asking about unsaved work; a refusal is shown as a notice.

        A text that is no scene goes to the dialog for pairs.
        """
        if not text.strip():
            self._notices.notify("The clipboard holds no text.")
            return
        if len(text) > SCENE_LIMIT:
            most = SCENE_LIMIT // MEGABYTE
            self._notices.notify(f"The clipboard holds more than {most} MB of text, no scene is.", error=True)
            return
        if not claims_to_be_scene(text):
            if len(text) > MOST_CHARACTERS:
                much = f"The clipboard holds {len(text):,} characters; a pair has at most {MOST_CHARACTERS:,}."
                self._notices.notify(much, error=True)
                return
            self._dialogs.pasted, self._dialogs.paste = text, True
            return
        try:
            loaded = read(text)
        except SceneError as error:
            self._notices.notify(f"The clipboard holds no scene: {error}", error=True)
            return
        self.open_scene(loaded.scene, loaded.view)
        self._tell_remarks(loaded.remarks)

    @property
    def scene_text(self) -> str:
        """The scene with its view as JSON, in ASCII, since X11's clipboard counts bytes."""
        return write(self._work.document.committed, self._steps.kept_view, ascii_only=True)

    def new(self, *, flat: bool = False) -> None:
        """Shows the default preset of 3D, or of 2D if `flat`, without a file, after asking about unsaved work."""
        self.load_preset(FLAT_DEFAULT if flat else DEFAULT)

    def load_preset(self, name: str) -> None:
        """Shows a preset, after asking about unsaved work.

        Raises KeyError for an unknown id, and SceneError for a bad file.
        """
        loaded = load_preset(name)
        self.open_scene(loaded.scene, loaded.view, name)

    def step_preset(self, count: int) -> None:
        """Shows the preset `count` places further, around the end; the first or last where no preset is shown."""
        names = [preset.id for preset in presets()]
        if self._work.preset in names:
            self.load_preset(names[(names.index(self._work.preset) + count) % len(names)])
        else:
            self.load_preset(names[0] if count > 0 else names[-1])

    def _remember(self, path: Path) -> None:
        self.recent = remember(self._folder, path)

    def _refuse(self, path: Path, why: str) -> None:
        self._notices.notify(why, error=True)
        if Stamp.of(path) is None:
            self.recent = forget(self._folder, path)

    def _tell_remarks(self, remarks: tuple[str, ...]) -> None:
        for remark in remarks:
            self._notices.notify(remark)

    # Logs.

    @property
    def log_position(self) -> LogPosition | None:
        """The position in the open deck, else in the log; None without both, and in a deck without slides.

        A log waits while a deck is open beside it.
        """
        return self.decks.position if self._log is None or self._work.deck is not None else self._log.position

    def _open_log(self, path: Path) -> bool:
        try:
            opened = _deck_or_log(path)
        except SceneError as error:
            self._refuse(path, str(error))
            return False
        self._close_log()
        self._remember(path)
        if isinstance(opened, Deck):
            # The shipped lecture is not overwritten: saving asks for a new file.
            self.decks.open(OpenDeck.of(opened, None if path == LECTURE else path))
            return True
        self.decks.leave()
        self._log = opened
        self._show_entry(0, first=True)
        return True

    def new_deck(self) -> None:
        """Opens a deck without slides in place of the open deck or log, without asking; the shown scene stays."""
        self._close_log()
        self.decks.new()

    def _close_log(self) -> None:
        if self._log is not None:
            self._log.close()
        self._log = None

    def step_to(self, index: int) -> None:
        """Shows an entry of the log or a slide, after asking about unsaved work, unless edits are only for show.

        Does nothing for an entry that does not exist or is shown already.
        """
        at = self.log_position
        if at is None or not 0 <= index < at.count or (index == at.index and not at.away):
            return
        ask = not self._work.document.slide_without_file
        self.guard(lambda: self.decks.go_to(index) if at.deck else self._show_entry(index), ask=ask)

    def step_by(self, count: int) -> None:
        """Shows the entry `count` places further, if there is one, as `step_to` does."""
        if (at := self.log_position) is not None:
            self.step_to(at.index + count)

    def _show_entry(self, index: int, *, first: bool = False) -> None:
        assert self._log is not None
        loaded = self._log.turned_to(index)
        if loaded is None:
            return
        # The cameras stay, so that entries can be compared.
        self.show(Document.new(loaded.scene), loaded.view, steady=not first)
        self._tell_remarks(loaded.remarks)

    # Saving.

    def save(self) -> None:
        """Writes to the document's file, or asks for one; on a slide without a file of its own writes the deck."""
        path = self._work.document.path
        if self._work.document.slide_without_file:
            self.decks.save()
        elif path is None:
            self._dialogs.save = True
        else:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Writes the scene and its view to `path` and makes that the document's file; shows a notice.

        Then calls what was to follow saving (see `guard`). If writing fails, the notice says so and nothing follows.
        """
        document = self._work.document
        try:
            save(path, document.committed, self._steps.kept_view)
        except (OSError, ValueError) as error:
            self._after_save = None
            self._notices.notify(f"{path}: could not be written: {reason_of(error)}", error=True)
            return
        self._work.document = document.saved_as(path)
        self._watch.follow(path)
        self._remember(path)
        if not document.scratch:
            self._autosaves.scene.drop_recovered()
        self._autosaves.keep()
        self._notices.notify(f"Saved {path.name}")
        after, self._after_save = self._after_save, None
        if after is not None:
            after()

    def no_name_asked(self) -> None:
        """Drops the actions that were to follow saving, when no file name is being asked for any more."""
        self._after_save = None
        self.decks.no_name_asked()

    def guard(self, then: Callable[[], None], *, ask: bool = True, deck: bool = False, undone: bool = False) -> None:
        """Leaves a lesson and calls `then`, at once or after asking about unsaved work.

        `deck`: `then` also closes the open deck, whose changes are asked about last. `undone`: `then` shows another
        document, from which undo comes back: a preset that was only moved about is left unasked. `ask`: False leaves
        out the question about the document.
        """
        self._lessons.leave()
        work, document = self._work, self._work.document
        if undone and work.preset is not None and document.unsaved and document.only_posed:
            self._edits.leaving = LeftPreset(replace(document, left_preset=None), work.view, work.preset)
            then()
            if self._edits.has_left():
                self._notices.notify(f"Undo brings back “{document.scene.name}” as you moved it.")
            return
        go_on = partial(self.decks.guard, then) if deck else then
        if not (ask and document.unsaved):
            go_on()
            return

        def save_first() -> None:
            if not document.slide_without_file:
                self._after_save = go_on
                self.save()
            elif self.decks.replace():
                go_on()

        name = document.path.name if document.path is not None else document.scene.name or "This scene"
        name = f"The slide {name}" if document.slide_without_file else name
        question = Pending("Unsaved changes", f"{name} has changes that are not saved.", SAVE_CHOICES)
        self._questions.ask(question, {"save": save_first, "discard": go_on})

    # Changes from outside.

    def look_at_disk(self) -> None:
        """Offers to reload when another program has changed the scene in the document's file.

        The shown scene is in no file then, so it counts as unsaved. A changed file of the open lesson or deck is dealt
        with too.
        """
        self._look_at_lesson()
        self.decks.look_at_disk()
        document, found = self._work.document, None
        path = document.path
        if path is None or not self._watch.changed():
            return
        with suppress(SceneError):
            found = load(path).scene
        self._watch.follow(path)
        self._work.document = replace(document, overwritten=found != document.saved)
        self._autosaves.keep()
        if self._asking_reload or not self._work.document.overwritten:
            return
        self._asking_reload = True

        def reload() -> None:
            self._asking_reload = False
            self.reload()

        def leave() -> None:
            self._asking_reload = False

        question = Pending(
            "File changed",
            f"{path.name} was changed by another program. Reloading it can be undone.",
            (DialogChoice("reload", "Reload"), DialogChoice("keep", "Keep the scene shown")),
        )
        self._questions.ask(question, {"reload": reload, "keep": leave})

    def reload(self) -> None:
        """Reads the document's file, if it has one, again, as one edit that can be undone.

        A refusal is shown as a notice.
        """
        document = self._work.document
        if document.path is None:
            return
        self._watch.follow(document.path)
        try:
            loaded = load(document.path)
        except SceneError as error:
            self._notices.notify(str(error), error=True)
            return
        self._edits.edit(loaded.scene, "Reload")
        self._work.document = self._work.document.saved_as(document.path)
        self._autosaves.keep()
        self._tell_remarks(loaded.remarks)

    def close(self) -> None:
        """Closes the files at a normal end of the program, and leaves nothing to recover."""
        self._close_log()
        self._autosaves.close()


def _fault_of(path: Path) -> str:
    """Why a scene, a picture, a log or a deck cannot be opened; "" if it can, or if a simpler scene can be offered."""
    try:
        if not opens_as_log(path):
            _loaded(path)
        elif isinstance(opened := _deck_or_log(path), OpenLog):
            opened.close()
    except TooLargeSceneError:
        # Opening it will offer a simpler scene.
        return ""
    except SceneError as error:
        return _in_words(path, error)
    return ""


def _deck_or_log(path: Path) -> Deck | OpenLog:
    """The deck, which may have no slides yet, or the log in a file. Raises SceneError for a file that is neither."""
    deck = read_deck(path)
    return OpenLog(path) if deck is None else deck


def _loaded(path: Path) -> tuple[Loaded, Path | None]:
    """The scene in a file, and the file to save it to: None unless it is a scene's own file, as for a picture.

    Raises SceneError for a file that cannot be read, and for one without a scene.
    """
    if not is_text(path):
        return load(path), None if _is_picture(path) else path
    text = open_text(path)
    assert text.loaded is not None
    return text.loaded, path if text.is_scene else None


def _in_words(path: Path, error: SceneError) -> str:
    """The refusal of a file in words; for a file of another kind it names the kinds that can be opened."""
    if error.message == "is a folder":
        return f"{path} is a folder: choose a file in it."
    if path.suffix.lower() not in OPENABLE and error.message.endswith((NOT_READ, NOT_JSON)):
        kinds = "Scenes, logs, texts of a pair, pictures, meshes and lessons"
        what = error.message.removeprefix("is ").rpartition(",")[0]
        return f"{path.name} is {what}, which cannot be opened here. {kinds} can: {', '.join(OPENABLE)}."
    return str(error)


def _is_picture(path: Path) -> bool:
    try:
        with open_file(path) as file:
            return is_picture(file.read(4096))
    except OSError:
        return False
