"""The state that panels read while they draw one frame. For actions of the user they call `Ask` (app/state/ask.py).

Rules between panels and application:
- Pointing. In every frame in which the pointer is on a row, a bar or a pin, the panel calls `ask.point(subject)`. If no
  panel does and the pointer is over a panel, the application drops the hover. A pin is `ask.look(replace(view,
  pin=...))`.
- Windows. A command such as "help" sets its field of `dialogs`. The panel draws the window while the field is true,
  and sets it to false when the window is closed. Panels write only fields of `dialogs`.
- Questions. `pending` is drawn as a modal with one button per choice. Enter presses the first, Escape the last.
  A press calls `ask.answer(choice id)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.query.query import MotionStep, Phase

from ..draw.draw_list import Subject
from ..draw.placed import Rect
from .deck import OpenDeck
from .export_shown import FilmShown, FilmSource, PreviewImage
from .lesson_shown import LessonShown
from .playback import DistanceCurve, Playback, shown_time
from .reveal import AnswerShown, Reveal
from .sat_progress import SatProgress
from .settings import Settings
from .view import Seen
from .work import Document, name_and_notes

if TYPE_CHECKING:
    from .engines import EngineTable, PathAnswers


class MenuEntry(Struct, frozen=True):
    """A command for menu, palette and help. `ask.invoke(id)` runs it.

    `keys`: chords such as `Ctrl+Shift+S`; `group`: its menu; `checked`: None if it is no switch.
    """

    id: str
    title: str
    group: str
    keys: tuple[str, ...]
    tip: str
    enabled: bool
    checked: bool | None


class Dialogs(Struct):
    """The open windows. Commands and panels write it.

    `lesson`, `deck`, `bundle`: a name for a new lesson, a deck, a bundle is asked for. `deck_texts`: the field of a
    slide's words gets the focus. `pasted`: the text with which the dialog `paste` begins. `waiting`: a native dialog is
    open, so the window draws ten frames a second until it is answered. `docked`: the open docked panels, by the ids of
    the commands that open them; Escape does not close them. `busy`: a panel computes a part in each frame, so the next
    frame follows at once. `meter_panel`: the panel of contacts over time is visible, so they are counted.
    `engine_panel`: the panel of other engines is visible, so they are asked; `engine`: the one whose answer is drawn.
    `log_scale`: the bounds' chart shows their uncertainty on a log scale. `names`: the names of listed files, whose
    letters the font must have.
    """

    help: bool = False
    palette: bool = False
    open: bool = False
    save: bool = False
    lesson: bool = False
    deck: bool = False
    bundle: bool = False
    deck_texts: bool = False
    paste: bool = False
    pasted: str | None = None
    presets: bool = False
    screenshot: bool = False
    film: bool = False
    settings: bool = False
    about: bool = False
    waiting: bool = False
    docked: tuple[str, ...] = ()
    busy: bool = False
    meter_panel: bool = False
    engine_panel: bool = False
    engine: str = ""
    log_scale: bool = False
    names: str = ""

    @property
    def in_sight(self) -> tuple[object, ...]:
        """The fields that panels write for the application: names to draw, what is needed, and a lesson's switch."""
        return self.names, self.meter_panel, self.engine_panel, self.engine, self.log_scale

    @property
    def naming(self) -> bool:
        """Whether a name for a file is asked for."""
        return self.save or self.lesson or self.deck or self.bundle

    def dock(self, name: str, *, shown: bool) -> None:
        """Opens the docked panel of the command `name` if `shown`, else closes it."""
        others = tuple(other for other in self.docked if other != name)
        self.docked = (*others, name) if shown else others

    def close_one(self) -> bool:
        """Closes the window that Escape closes first. Returns False if none was open."""
        for name in (
            "palette",
            "help",
            "open",
            "save",
            "lesson",
            "deck",
            "bundle",
            "paste",
            "screenshot",
            "film",
            "settings",
            "about",
            "presets",
        ):
            if getattr(self, name):
                setattr(self, name, False)
                return True
        return False


class Notice(Struct, frozen=True):
    """One sentence to the user. An error stays until `ask.dismiss(number)`. `report`: a fault's report, to copy."""

    number: int
    message: str
    error: bool
    report: str = ""


class Loading(Struct, frozen=True):
    """A mesh or a scene being loaded, or a hull being simplified.

    `name`: the file's, or `A's hull`; `stage`: that of the work; `number`: the hull's, from 1, of `count`.
    """

    name: str
    stage: str
    number: int
    count: int


class DialogChoice(Struct, frozen=True):
    """A button of a question."""

    id: str
    label: str


class Pending(Struct, frozen=True):
    """A question that waits for an answer, such as one on unsaved work or on a file changed on disk."""

    title: str
    message: str
    choices: tuple[DialogChoice, ...]


class LogPosition(Struct, frozen=True):
    """The position in a log of scenes: entry `index` (from 0) of `count`. `ask.show_entry(index)` shows another one.

    `fault`: why the entry cannot be shown, "" if it is. `path`: the log's file. `deck`: the log is a deck; `away`: a
    scene that is no slide of it is shown.
    """

    title: str
    index: int
    count: int
    fault: str = ""
    path: Path | None = None
    deck: bool = False
    away: bool = False


class OnStage(Struct, frozen=True):
    """Stage mode. `black`: the screen is black; `echo`: the last chord, while it is shown; `keys`: keys are listed."""

    black: bool = False
    echo: str = ""
    keys: bool = False


class PanelState(Seen, frozen=True, eq=False, kw_only=True, dict=True):
    """The state that a panel may read in one frame: the seen scene and its answers, and the state of the window.

    `commands`: returns all commands with their present state, which costs time; `command_on`: returns the command of a
    chord; `menus`: the titles of the menus. `selection`: the body with the gizmo (0 A, 1 B) or None. `tool`: "move",
    "rotate" or "size". `frame_times`: milliseconds of the last frame by part.

    `drag_readout`: the change by the drag under way, in words; `drag_holdable`: X, Y or Z can restrict it to an axis.
    `over`: the subject of the picture under the pointer. `pointer`: its position in pixels. `viewport`: the area that
    docked panels leave free; `panes`: title and area of each pane in it. `computing`: parts of the analysis are still
    being computed; `picture_fault`: the picture could not be drawn; `labels_dropped`: the number of labels without
    room.

    `opened_presets`: ids of those opened in any run; `learnt`: by id the share of each lesson that is done.
    `sweep_waits`: the answer about the motion is computed after the drag; `curve`: the distance over time. `picture`:
    the drawn share of a large screenshot, 1 while its file is written. `preview`: the preview in the screenshot's
    window. `loading`: the mesh that is being loaded. `film`: the recording, or the film being made; `film_sources`: the
    possible sources of a film; `phases`: the phases with steps, while a window for pictures or films is open.

    `lesson`: the open lesson; `only`: the one phase on its track; `offer`: the first lesson, on the first run.
    `engine_table`: the other engines, while their panel is visible; `path_answers`: their curves over the path of a
    plot. `stage`: None while stage mode is off. `stepped`: the shown step is not the one at which the scene was opened.
    `deck`: the open deck.
    """

    document: Document
    settings: Settings
    commands: Callable[[], tuple[MenuEntry, ...]]
    command_on: Callable[[str], MenuEntry | None]
    menus: tuple[str, ...]
    notices: tuple[Notice, ...]
    pending: Pending | None
    log: LogPosition | None
    preset: str | None
    recent: tuple[Path, ...]
    frame_times: Mapping[str, float]
    selection: int | None
    tool: str
    local_axes: bool
    dialogs: Dialogs
    drag_readout: str | None
    over: Subject | None
    pointer: tuple[float, float]
    viewport: Rect
    panes: tuple[tuple[str, Rect], ...] = field(default=())
    labels_dropped: int = 0
    computing: bool = False
    picture_fault: bool = False
    drag_holdable: bool = True
    picture: float | None = None
    preview: PreviewImage | None = None
    film: FilmShown | None = None
    loading: Loading | None = None
    film_sources: tuple[FilmSource, ...] = (FilmSource.STEPS,)
    phases: tuple[Phase, ...] = ()
    playback: Playback = Playback()
    algorithm_settings: AlgorithmSettings = DEFAULT_SETTINGS
    sweep_waits: bool = False
    curve: DistanceCurve | None = None
    lesson: LessonShown | None = None
    only: Phase | None = None
    offer: str = ""
    stage: OnStage | None = None
    stepped: bool = False
    deck: OpenDeck | None = None
    motion_playing: bool = False
    opened_presets: frozenset[str] = frozenset()
    learnt: Mapping[str, float] = {}
    engine_table: EngineTable | None = None
    path_answers: PathAnswers | None = None

    @property
    def name_and_notes(self) -> tuple[str, str]:
        """The name and notes of the scene; for a slide of a deck those of the slide."""
        return name_and_notes(self.document, self.deck)

    @cached_property
    def reveal(self) -> Reveal:
        """The parts of the answer that may be shown; in a lesson the step decides."""
        verdict, at_step = self.sat_progress.last or self.settings.verdict_told, self.moment is not None
        return Reveal.of(self.asked, self.veil, self._lesson_answer, at_step=at_step, verdict=verdict)

    @cached_property
    def sat_progress(self) -> SatProgress:
        """The known part of the axis table. The deciding row is not shown while a lesson hides the answer."""
        found = super().sat_progress
        told = found.stepping or self._lesson_answer is AnswerShown.FULL
        return found if told else replace(found, winner_told=False)

    @property
    def _lesson_answer(self) -> AnswerShown:
        return AnswerShown.FULL if self.lesson is None else self.lesson.answer

    @property
    def time(self) -> float:
        """The shown time of the motion, 0 to 1; at a step about the motion the step's time, at another step 0."""
        if self.moment is None:
            return shown_time(self.view, self.sweep)
        return self.moment.step.time if isinstance(self.moment.step, MotionStep) else 0.0
