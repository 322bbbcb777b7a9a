"""What a command is, and the table that finds one by its id or its key.

Menu, palette, keyboard and help read the one table, so a key that is listed works. A chord belongs to one command. The
commands stand in command_list.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ..controllers.background import Answers
from ..controllers.cameras import Cameras
from ..controllers.contact_meter import ContactMeter
from ..controllers.edits import Edits
from ..controllers.engines import EngineBench
from ..controllers.faults import Faults
from ..controllers.files import Files
from ..controllers.films import Films
from ..controllers.keeping import Preferences
from ..controllers.lesson_writing import LessonWriting
from ..controllers.lessons import Lessons
from ..controllers.notices import Notices, Questions
from ..controllers.pictures import Pictures
from ..controllers.playback import Motion, Steps
from ..controllers.quiz import Quiz
from ..controllers.stage_mode import StageMode
from ..probes import Aim
from ..state.panel_state import Dialogs, MenuEntry
from ..state.work import Work
from ..words.key_names import as_on_keys


class Window(Protocol):
    """What a window can do."""

    @property
    def fullscreen(self) -> bool:
        """Whether it fills the screen."""

    def toggle_full_screen(self) -> None:
        """Fills the screen with it, or takes it back."""

    def copy(self, text: str) -> None:
        """Puts text on the clipboard."""

    def paste(self) -> str:
        """Text on the clipboard."""


class Program(Protocol):
    """What commands act on: the work, the controllers, and what only a window can do."""

    work: Work
    dialogs: Dialogs
    preferences: Preferences
    notices: Notices
    questions: Questions
    answers: Answers
    motion: Motion
    steps: Steps
    quiz: Quiz
    stage: StageMode
    meter: ContactMeter
    bench: EngineBench
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
        """Runs a command of the table, if it is enabled."""

    def restore_layout(self) -> None:
        """Puts the panels where they stood at first."""

    def close_asked(self) -> None:
        """The user wants to leave."""


Action = Callable[[Program], None]
Question = Callable[[Program], bool]


class Command(Struct, frozen=True, eq=False):
    """One entry. `id`: stable dotted name, for `Ask.invoke`. `keys`: chords such as `Ctrl+Shift+S` or `F1`.

    `group`: menu it stands in, in table order. `enabled` and `checked` look at the program; `checked` is None for
    commands that are no switch. `strange`: by dimension why it is not for such scenes, in a sentence.
    """

    id: str
    title: str
    group: str
    keys: tuple[str, ...]
    action: Action
    tip: str = ""
    enabled: Question = lambda _app: True
    checked: Question | None = None
    strange: dict[int, str] = {}

    def runs(self, app: Program) -> bool:
        """Whether it can be run now."""
        return self.enabled(app) and not self.refusal(app)

    def refusal(self, app: Program) -> str:
        """Why it is not for the scene, in a sentence; "" where it is."""
        return self.strange.get(app.work.document.committed.dimension, "") if self.strange else ""

    def told(self, app: Program) -> str:
        """Its tip, or why it is not for the scene."""
        return self.refusal(app) or self.tip


class InMenu(Struct, frozen=True):
    """Makes commands of the menu `group`, a line each: the menu's name is given once, the chords stand in one text."""

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
    ) -> Command:
        """As `Command` has them; `keys`: the chords, with spaces between them."""
        return Command(
            id=name,
            title=title,
            group=self.group,
            keys=tuple(keys.split()),
            action=action,
            tip=tip,
            enabled=enabled,
            checked=checked,
        )


class CommandTable:
    """Commands by id and by chord. Raises ValueError for an id or a chord that is given twice."""

    def __init__(self, commands: Iterable[Command]) -> None:
        self.commands = tuple(commands)
        self._by_id: dict[str, Command] = {}
        self._by_chord: dict[str, Command] = {}
        for command in self.commands:
            if command.id in self._by_id:
                raise ValueError(f"two commands are called {command.id}")
            self._by_id[command.id] = command
            for chord in command.keys:
                if chord in self._by_chord:
                    raise ValueError(f"{chord} belongs to {self._by_chord[chord].id} and to {command.id}")
                self._by_chord[chord] = command

    def named(self, name: str) -> Command:
        """The command with this id. Raises KeyError."""
        return self._by_id[name]

    def on_key(self, chord: str) -> Command | None:
        """The command of a chord, if any."""
        return self._by_chord.get(chord)


class Menu:
    """The table as panels see it: one and the same tuple for as long as nothing in it changes."""

    def __init__(self, table: CommandTable) -> None:
        self._table = table
        self._states: list[tuple[str, bool, bool | None]] = []
        self._entries: tuple[MenuEntry, ...] = ()

    def entries(self, app: Program) -> tuple[MenuEntry, ...]:
        """Every command as it stands now."""
        commands = self._table.commands
        states = [_state(command, app) for command in commands]
        if states != self._states:
            self._states = states
            self._entries = tuple(
                MenuEntry(command.id, command.title, command.group, tuple(map(as_on_keys, command.keys)), *state)
                for command, state in zip(commands, states, strict=True)
            )
        return self._entries


def _state(command: Command, app: Program) -> tuple[str, bool, bool | None]:
    """Tip, whether it can be run, whether it is on; one that cannot say so because of a fault cannot be run."""
    try:
        return command.told(app), command.runs(app), None if command.checked is None else command.checked(app)
    except Exception as error:
        app.faults.tell(f"The command {command.title}", error, "It cannot be run now.", steady=True)
        return command.tip, False, None


def escape(app: Program) -> bool:
    """Ends, closes or undoes the topmost thing; never leaves the program. False when there was nothing."""
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
