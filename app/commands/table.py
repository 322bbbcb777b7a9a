"""Commands, and the table that finds one by its id or its key.

Menus, palette, keyboard and help read the same table, so every listed key works. A chord belongs to one command. The
commands are in command_list.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ..controllers.background import AnswerCache
from ..controllers.cameras import Cameras
from ..controllers.contact_meter import ContactMeter
from ..controllers.edits import Edits
from ..controllers.engines import Engines
from ..controllers.faults import Faults
from ..controllers.files import Files
from ..controllers.films import Films
from ..controllers.lesson_writing import LessonWriting
from ..controllers.lessons import Lessons
from ..controllers.notices import Notices, Questions
from ..controllers.pictures import Pictures
from ..controllers.playback import MotionControl, Steps
from ..controllers.preferences import Preferences
from ..controllers.quiz import Quiz
from ..controllers.stage_mode import StageMode
from ..probes import Aim
from ..state.panel_state import Dialogs, MenuEntry
from ..state.work import Work
from ..words.key_names import as_on_keys


class Window(Protocol):
    """The window as commands need it."""

    @property
    def fullscreen(self) -> bool:
        """Whether the window fills the screen."""

    def toggle_full_screen(self) -> None:
        """Toggles full screen."""

    def copy(self, text: str) -> None:
        """Puts text on the clipboard."""

    def paste(self) -> str:
        """The text on the clipboard."""


class Program(Protocol):
    """The program as commands need it: the work, the controllers and the window."""

    work: Work
    dialogs: Dialogs
    preferences: Preferences
    notices: Notices
    questions: Questions
    answers: AnswerCache
    motion: MotionControl
    steps: Steps
    quiz: Quiz
    stage: StageMode
    meter: ContactMeter
    engines: Engines
    cameras: Cameras
    lessons: Lessons
    lesson_writing: LessonWriting
    edits: Edits
    files: Files
    pictures: Pictures
    films: Films
    faults: Faults

    @property
    def window(self) -> Window:
        """The window."""

    def invoke(self, name: str) -> None:
        """Runs a command of the table, if it is enabled. Raises KeyError for an unknown id."""

    def restore_layout(self) -> None:
        """Restores the panels' default layout."""

    def close_asked(self) -> None:
        """Asks about unsaved work, then ends the program."""


Action = Callable[[Program], None]
Question = Callable[[Program], bool]


class Command(Struct, frozen=True, eq=False):
    """A command. `id`: a stable dotted name, for `Ask.invoke`. `keys`: chords such as `Ctrl+Shift+S` or `F1`.

    `unnamed_keys`: chords that work and that no text names, as many window managers take them.
    `group`: the menu it is in, in table order. `enabled` and `checked` judge the program's state; `checked` is None for
    commands that are no switch. `unavailable_in`: why the command is unavailable, a sentence by the scene's dimension;
    `refused`: such a sentence for the program's state, or "".
    """

    id: str
    title: str
    group: str
    keys: tuple[str, ...]
    action: Action
    tip: str = ""
    enabled: Question = lambda _app: True
    checked: Question | None = None
    unavailable_in: dict[int, str] = {}
    refused: Callable[[Program], str] = lambda _app: ""
    unnamed_keys: tuple[str, ...] = ()

    def runs(self, app: Program) -> bool:
        """Whether the command can be run now."""
        return self.enabled(app) and not self.refusal(app)

    def refusal(self, app: Program) -> str:
        """Why the command is unavailable in the scene, a sentence; "" where it is available."""
        if self.unavailable_in and (reason := self.unavailable_in.get(app.work.document.committed.dimension)):
            return reason
        return self.refused(app)

    def tooltip(self, app: Program) -> str:
        """The tip, or why the command is unavailable in the scene."""
        return self.refusal(app) or self.tip


class InMenu(Struct, frozen=True):
    """Makes commands of the menu `group`, so that each takes one line."""

    group: str

    def __call__(
        self,
        name: str,
        title: str,
        keys: str,
        action: Action,
        tip: str = "",
        *,
        enabled: Question = lambda _app: True,
        checked: Question | None = None,
        refused: Callable[[Program], str] = lambda _app: "",
    ) -> Command:
        """Makes a command of this menu; `keys`: its chords, separated by spaces."""
        return Command(
            id=name,
            title=title,
            group=self.group,
            keys=tuple(keys.split()),
            action=action,
            tip=tip,
            enabled=enabled,
            checked=checked,
            refused=refused,
        )


class CommandTable:
    """The commands by id and by chord; `earlier`: ids that commands had before, with those of today.

    Raises ValueError for an id or a chord that is given twice.
    """

    def __init__(self, commands: Iterable[Command], earlier: Mapping[str, str] | None = None) -> None:
        self._earlier = earlier or {}
        self.commands = tuple(commands)
        self._by_id: dict[str, Command] = {}
        self._by_chord: dict[str, Command] = {}
        for command in self.commands:
            if command.id in self._by_id:
                raise ValueError(f"two commands are called {command.id}")
            self._by_id[command.id] = command
            for chord in (*command.keys, *command.unnamed_keys):
                if chord in self._by_chord:
                    raise ValueError(f"{chord} belongs to {self._by_chord[chord].id} and to {command.id}")
                self._by_chord[chord] = command

    def named(self, name: str) -> Command:
        """The command with this id or this earlier id. Raises KeyError for another id."""
        return self._by_id[self._earlier.get(name, name)]

    def on_key(self, chord: str) -> Command | None:
        """The command of a chord, if any."""
        return self._by_chord.get(chord)


class Menu:
    """The table as panels read it: one tuple of entries, made anew only if the state of a command changes.

    `titles`: the titles of the menus.
    """

    def __init__(self, table: CommandTable) -> None:
        self._table = table
        self.titles = tuple(dict.fromkeys(command.group for command in table.commands))
        self._states: list[tuple[str, bool, bool | None]] = []
        self._entries: tuple[MenuEntry, ...] = ()

    def entries(self, app: Program) -> tuple[MenuEntry, ...]:
        """Every command with its present state."""
        commands = self._table.commands
        states = [_state(command, app) for command in commands]
        if states != self._states:
            self._states = states
            self._entries = tuple(map(_entry, commands, states))
        return self._entries

    def on_key(self, chord: str, app: Program) -> MenuEntry | None:
        """The command of a chord with its present state; None for a chord without a command."""
        command = self._table.on_key(chord)
        return None if command is None else _entry(command, _state(command, app))


def _entry(command: Command, state: tuple[str, bool, bool | None]) -> MenuEntry:
    return MenuEntry(command.id, command.title, command.group, tuple(map(as_on_keys, command.keys)), *state)


def _state(command: Command, app: Program) -> tuple[str, bool, bool | None]:
    """The tip, whether the command can be run, and whether it is on, None if it has no on and off.

    After a fault in these the command cannot be run.
    """
    try:
        return command.tooltip(app), command.runs(app), None if command.checked is None else command.checked(app)
    except Exception as error:
        app.faults.tell(f"The command {command.title}", error, "It cannot be run now.", steady=True)
        return command.tip, False, None


def escape(app: Program) -> bool:
    """Handles Escape: ends, closes or undoes the topmost thing; returns False when there was nothing."""
    work = app.work
    if app.pictures.share is not None:
        app.pictures.cancel()
        return True
    if app.films.making:
        app.films.cancel()
        return True
    if app.files.meshes.shown is not None:
        app.files.meshes.cancel()
        return True
    if app.dialogs.close_one() or app.notices.dismiss_error() or app.lessons.leave() or app.quiz.stop():
        return True
    if isinstance(work.view.probe, Aim):
        work.view = replace(work.view, probe=None)
    elif work.view.pin is not None:
        work.view = replace(work.view, pin=None)
    elif work.selection is not None:
        work.selection = None
    elif work.playback.open:
        app.steps.toggle_timeline()
    elif work.view.probe is not None:
        work.view = replace(work.view, probe=None)
    else:
        return False
    return True
