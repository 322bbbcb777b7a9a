"""The state of the program and everything that changes it: requests and the actions behind the commands.

Knows documents, views and settings, and neither window nor pixels: what only a window can do (clipboard, pictures,
full screen, leaving) stands here as methods that the application fills in.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.scene import Scene

from ..commands.command_list import command_table
from ..commands.table import CommandTable
from ..draw.theme import Theme, theme_named
from ..input.gizmo import Gizmo, GizmoTool
from ..io.presets import DEFAULT, FLAT_DEFAULT, Preset, default_scene, load_preset, presets
from ..io.scene_file import write
from ..probes import Aim
from ..state import requests
from ..state.document import Document
from ..state.panel_state import Dialogs, LogPosition, Notice, Pending
from ..state.playback import Playback
from ..state.settings import Settings, save_settings
from ..state.view import View
from ..storage.file_names import readable
from .background import Answers
from .faults import Faults
from .filing import Filing
from .looking import Looking

NOTICE_SECONDS = 5.0
"""How long a notice that is no error stays."""

UI_SCALES = (0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)

MOST_NOTICES = 4
"""More at once would cover the picture; the oldest goes."""


class _Question(Struct, frozen=True):
    """A question with what each answer does; an answer without a function does nothing."""

    shown: Pending
    answers: Mapping[str, Callable[[], None]]


class Workbench(Looking):
    """One document with its view, the settings, the open questions and notices."""

    def __init__(self, settings: Settings) -> None:
        first = default_scene()
        # Before the view is set: how one looks depends on it.
        self.document = Document.new(first.scene)
        super().__init__()
        self._looked_at_space = self.view
        self.settings = settings
        self.dialogs = Dialogs(docked=settings.open_panels)
        self.playback = Playback(speed=settings.steps_per_second, loop=settings.loop)
        self.tool = GizmoTool.MOVE
        self.local_axes = False
        self.preset: str | None = None
        self.presets: tuple[Preset, ...] = presets()
        self.commands: CommandTable = command_table((preset.id, preset.title) for preset in self.presets)
        self._notices: list[tuple[Notice, float]] = []
        self._notice_number = 0
        self._told_of_edit = 0
        self._questions: list[_Question] = []
        self._opened = first.scene
        self._answers = Answers()
        self.faults = Faults(self)
        self.filing = Filing(self)

    # What only a window can do.

    @abstractmethod
    def copy(self, text: str) -> None:
        """Puts text on the clipboard."""

    @abstractmethod
    def clipboard(self) -> str:
        """Text on the clipboard."""

    @abstractmethod
    def leave(self) -> None:
        """Ends the program."""

    @abstractmethod
    def take_picture(self, request: requests.Screenshot) -> None:
        """Writes a screenshot."""

    @abstractmethod
    def cancel_picture(self) -> None:
        """Gives up the screenshot that is being taken."""

    @abstractmethod
    def quick_screenshot(self) -> None:
        """Writes a screenshot of the viewport as it is, under a numbered name."""

    @abstractmethod
    def toggle_full_screen(self) -> None:
        """Fills the screen with the window, or takes it back."""

    @property
    @abstractmethod
    def full_screen(self) -> bool:
        """Whether the window fills the screen."""

    @abstractmethod
    def restore_layout(self) -> None:
        """Puts the panels where they stood at first."""

    # What is known.

    @property
    def scene(self) -> Scene:
        """The scene to show: the preview of a drag, else the committed one."""
        return self.document.scene

    @property
    def flat(self) -> bool:
        """Whether the scene is of the plane."""
        return self.document.committed.dimension == 2

    @property
    def framed_for(self) -> Scene:
        """The scene as it was opened."""
        return self._opened

    @property
    def analysis(self) -> Analysis:
        """The answers about the scene to show; while a drag lasts, or they are computed, only what is fast."""
        return self._answers.about(self.document.scene, dragging=self.document.preview is not None)

    @property
    def whole_analysis(self) -> Analysis:
        """All the answers about the scene to show, waited for."""
        return self._answers.whole(self.document.scene)

    @property
    def computing(self) -> bool:
        """Whether the rest of the answers is being computed."""
        return bool(self.analysis.left_out) and self.document.preview is None

    @property
    def theme(self) -> Theme:
        """The theme of the settings."""
        return theme_named(self.settings.theme, colour_blind=self.settings.colour_blind)

    @property
    def gizmo(self) -> Gizmo | None:
        """The handles of the selected body."""
        if self.selection is None or "bodies" not in self.view.shown:
            return None
        return Gizmo(self.scene, self.selection, self.tool, self.local_axes)

    @property
    def title(self) -> str:
        """The window's title: the document's name, with a star while work is unsaved."""
        document = self.document
        name = readable(document.path.name) if document.path is not None else document.scene.name or "Untitled"
        return f"{'*' if document.unsaved else ''}{name} - Separatrix"

    @property
    def log_position(self) -> LogPosition | None:
        """Where the open log stands."""
        return self.filing.log_position

    # Requests.

    def apply(self, request: requests.Request) -> None:
        """Carries out one request; the only way in for panels, tools and dialogs. Never raises."""
        with self.faults.caught(request):
            self._apply(request)

    def _apply(self, request: requests.Request) -> None:
        match request:
            case requests.Edit(scene, label, told):
                self.edit(scene, label, told)
            case requests.Preview(scene):
                self.document = self.document.previewed(scene)
            case requests.Look(view):
                self.look(view)
            case requests.Invoke(name):
                self.invoke(name)
            case requests.Open(path):
                self.filing.open(path)
            case requests.Load(scene, view, _):
                self.filing.load(scene, view)
            case requests.Save(path):
                self.filing.save_to(path)
            case requests.Configure(settings):
                self.configure(settings)
            case requests.Copy(text, what):
                self.copy(text)
                self.notify(f"Copied {what}")
            case requests.Notify(message, error):
                self.notify(message, error=error)
            case requests.Dismiss(number):
                self._notices = [entry for entry in self._notices if entry[0].number != number]
            case requests.Answer(choice):
                self._answer(choice)
            case requests.Point(subject):
                self.point_at(subject)
            case requests.Select(body):
                self.selection = body
            case requests.Step(index):
                self.filing.step_to(index)
            case requests.Play(playback):
                self.play(playback)
            case requests.Tune(knobs):
                self.knobs = knobs
            case requests.Guess(subject):
                self.guess(subject)
            case requests.Screenshot():
                self.take_picture(request)
            case requests.CancelPicture():
                self.cancel_picture()

    def invoke(self, name: str) -> None:
        """Runs a command of the table, if it is enabled. Never raises."""
        command = self.commands.named(name)
        with self.faults.caught(f"The command {command.title}"):
            if command.runs(self):
                command.action(self)
            elif self.flat and command.of_space:
                self.notify(command.of_space)

    # Document.

    def show(self, document: Document, view: View | None, preset: str | None = None, *, steady: bool = False) -> None:
        """Puts another document on the desk; without a view of its own it is framed as the user looks now.

        `steady`: without a view of its own it is looked at as before, from where most of it is in sight; and unless a
        step comes with it, the place in the steps stays.
        """
        self.stop_asking()
        self._turn_back_from_plane(document.committed)
        self.document = document
        self._opened = document.committed
        self.preset = preset
        if steady and view is None:
            self.keep_cameras()
            self.bring_back()
            return
        self.frame_anew()
        looked = replace(self.view, pin=None, probe=None, fitted=True, motion=None, time=None) if view is None else view
        self.view = self.upright(replace(looked, hover=None, step=0))
        if looked.step or not steady:
            self.begin(looked.step)

    def _turn_back_from_plane(self, scene: Scene) -> None:
        """From the plane to space one looks again as before; from space to the plane that is remembered."""
        if scene.dimension == self.document.committed.dimension:
            return
        self.selection = None
        if not self.flat:
            self._looked_at_space = self.view
            return
        before = self._looked_at_space
        self._view = replace(self._view, world=before.world, difference=before.difference, motion=before.motion)

    def edit(self, scene: Scene, label: str, told: str = "") -> None:
        """Makes `scene` the document's, as one undo entry; what is told of it goes with the next edit or undo."""
        self._edited(self.document.edited(scene, label))
        if told:
            self.notify(told)
            self._told_of_edit = self._notice_number

    def undo(self) -> None:
        """One edit back."""
        self._edited(self.document.undone())

    def redo(self) -> None:
        """One edit forward."""
        self._edited(self.document.redone())

    def _edited(self, document: Document) -> None:
        before, self.document = self.document.committed, document
        self._notices = [entry for entry in self._notices if entry[0].number != self._told_of_edit]
        self.filing.keep()
        if all(before.body(index).shape != document.committed.body(index).shape for index in (0, 1)):
            # Another pair altogether, such as a random one.
            self.frame_anew()
        else:
            self.bring_back()

    def reset_body(self, index: int) -> None:
        """One body as it was when the document was opened."""
        body, scene = self._opened.body(index), self.document.committed
        changed = scene.with_body(index, body)
        self.edit(changed, f"Reset {'AB'[index]}")

    def new(self, *, flat: bool = False) -> None:
        """The first scene again, of space or of the plane, without a file."""
        self.load_preset(FLAT_DEFAULT if flat else DEFAULT)

    def save(self) -> None:
        """Writes the document's file, or asks for one."""
        self.filing.save()

    def ask_where_to_save(self) -> None:
        """Opens the dialog that asks for a file name."""
        self.dialogs.save = True

    def reload(self) -> None:
        """Reads the document's file again."""
        self.filing.reload()

    def step_log(self, count: int) -> None:
        """The entry of the log `count` further on."""
        self.filing.step_by(count)

    def copy_scene(self) -> None:
        """The scene with its view as JSON on the clipboard, in ASCII: X11 counts characters for bytes."""
        self.copy(write(self.document.committed, self.kept_view, ascii_only=True))
        self.notify("Copied the scene as text")

    def paste_scene(self) -> None:
        """The scene on the clipboard; text that is no JSON goes to the dialog for engine numbers."""
        text = self.clipboard()
        if not text.strip():
            self.notify("The clipboard holds no text.")
        elif not self.filing.paste(text):
            self.dialogs.pasted = text
            self.dialogs.paste = True

    def load_preset(self, name: str) -> None:
        """Shows a preset, after asking about unsaved work."""
        loaded = load_preset(name)
        self.filing.load(loaded.scene, loaded.view, name)

    def step_preset(self, count: int) -> None:
        """The preset `count` further on; the first or last after a scene that is none."""
        names = [preset.id for preset in self.presets]
        if self.preset in names:
            self.load_preset(names[(names.index(self.preset) + count) % len(names)])
        else:
            self.load_preset(names[0] if count > 0 else names[-1])

    # Settings.

    def configure(self, settings: Settings) -> None:
        """Changes and keeps the settings."""
        self.settings = settings
        self.view = self.upright(self.view)
        problem = save_settings(settings)
        if problem is not None:
            self.notify(problem, error=True)

    def play(self, playback: Playback) -> None:
        """Shows another step, or plays, or rests; how fast and whether over and over is kept."""
        super().play(playback)
        if (playback.speed, playback.loop) != (self.settings.steps_per_second, self.settings.loop):
            self.configure(replace(self.settings, steps_per_second=playback.speed, loop=playback.loop))

    def keep_panels(self) -> None:
        """Keeps which docked panels are open, if that has changed: they close themselves."""
        if self.dialogs.docked != self.settings.open_panels:
            self.configure(replace(self.settings, open_panels=self.dialogs.docked))

    def scale_ui(self, steps: int) -> None:
        """The next larger or smaller size of text and panels."""
        nearest = min(range(len(UI_SCALES)), key=lambda k: abs(UI_SCALES[k] - self.settings.ui_scale))
        chosen = UI_SCALES[min(max(nearest + steps, 0), len(UI_SCALES) - 1)]
        self.configure(replace(self.settings, ui_scale=chosen))

    # Questions and notices.

    def ask(self, question: Pending, answers: Mapping[str, Callable[[], None]]) -> None:
        """Asks the user; questions wait in line, and none is asked twice."""
        question = replace(question, message=readable(question.message))
        self._questions = [asked for asked in self._questions if asked.shown != question]
        self._questions.append(_Question(question, answers))

    @property
    def pending(self) -> Pending | None:
        """The question to answer first."""
        return self._questions[0].shown if self._questions else None

    def _answer(self, choice: str) -> None:
        if self._questions:
            action = self._questions.pop(0).answers.get(choice)
            if action is not None:
                action()

    def notify(self, message: str, *, error: bool = False, report: str = "") -> None:
        """Tells the user one sentence; an error stays until it is dismissed. `report`: of a fault, to copy."""
        message = readable(message)
        self._notice_number += 1
        until = float("inf") if error else monotonic() + NOTICE_SECONDS
        self._notices = [entry for entry in self._notices if entry[0].message != message]
        self._notices = [*self._notices, (Notice(self._notice_number, message, error, report), until)][-MOST_NOTICES:]

    def notices_now(self) -> tuple[Notice, ...]:
        """The notices that still stand."""
        now = monotonic()
        self._notices = [entry for entry in self._notices if entry[1] > now]
        return tuple(notice for notice, _ in self._notices)

    def next_notice_end(self) -> float | None:
        """Seconds until the next notice goes by itself."""
        ends = [until for _, until in self._notices if until != float("inf")]
        return max(0.0, min(ends) - monotonic()) if ends else None

    def keep_work(self) -> None:
        """Brings the autosave up to date with the document."""
        self.filing.keep()

    def close_asked(self) -> None:
        """The user wants to leave: asks about unsaved work first."""
        self.filing.guard(self.leave)

    def cancel_layer(self) -> bool:
        """Escape: closes or undoes the topmost thing; never leaves the program. False when there was nothing."""
        if self.dialogs.close_one():
            return True
        errors = [notice for notice, _ in self._notices if notice.error]
        if errors:
            self.apply(requests.Dismiss(errors[-1].number))
            return True
        if self.stop_asking():
            return True
        if isinstance(self.view.probe, Aim):
            self.view = replace(self.view, probe=None)
            return True
        if self.view.pin is not None:
            self.view = replace(self.view, pin=None)
            return True
        if self.selection is not None:
            self.selection = None
            return True
        if self.playback.open:
            self.toggle_timeline()
            return True
        if self.view.probe is not None:
            self.view = replace(self.view, probe=None)
            return True
        return False

    def open_first(self, path: Path | None) -> None:
        """What the program begins with: the file it was given, else the first scene; then what can be recovered."""
        first = default_scene()
        self.show(Document.new(first.scene), first.view, DEFAULT)
        if path is not None:
            with self.faults.caught(f"Opening {path.name}"):
                self.filing.open_now(path)
        with self.faults.caught("Looking for unsaved work"):
            self.filing.offer_recovery()
