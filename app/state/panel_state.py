"""The state that panels read while they draw one frame; they ask for what the user does there (app/state/ask.py).

Rules between panels and application:
- Pointing. In every frame in which the pointer is on a row, a bar or a pin, call `ask.point(subject)`; when no panel
  does and the pointer is over a panel, the application drops the hover. Pinning is `ask.look(replace(view, pin=...))`.
- Windows. A command such as "help" sets its field of `dialogs`; the panel draws the window while the field is true
  and sets it to false when the window is closed. Fields of `dialogs` are the only thing here that panels write.
- Questions. `pending` is drawn as a modal with one button per choice: the first answers Enter, the last Escape.
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
from .reveal import LessonAnswer, Reveal
from .sat_progress import SatProgress
from .settings import Settings
from .view import Seen
from .work import Document, name_and_notes

if TYPE_CHECKING:
    from .engines import Along, Bench


class MenuEntry(Struct, frozen=True):
    """A command as menu, palette and help show it; run it with `ask.invoke(id)`.

    `keys`: chords such as `Ctrl+Shift+S`; `group`: the menu it stands in; `checked` is None where it is no switch.
    """

    id: str
    title: str
    group: str
    keys: tuple[str, ...]
    tip: str
    enabled: bool
    checked: bool | None


class Dialogs(Struct):
    """The open windows. Written by commands and by the panels themselves.

    `lesson`, `deck`, `bundle`: a name for a new lesson, a deck, a bundle is asked for. `deck_texts`: the field of a
    slide's words wants the focus. `pasted`: text for the dialog `paste` to begin with. `waiting`: a native dialog is
    open elsewhere, so the window draws ten frames a second until it is answered. `docked`: panels among the docked ones
    that a command opens, by the ids of the commands; Escape leaves them open. `busy`: a panel computes a slice in every
    frame, so the next one follows at once. `meter`: the contacts over time are in sight, and so are counted. `bench`:
    other engines are in sight, and so are asked; `engine`: whose answer is drawn. `names`: of the files that are
    listed, in letters that may be any.
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
    meter: bool = False
    bench: bool = False
    engine: str = ""
    names: str = ""

    @property
    def in_sight(self) -> tuple[object, ...]:
        """The fields that panels write for others: names to draw, and which contacts and engines are needed."""
        return self.names, self.meter, self.bench, self.engine

    @property
    def naming(self) -> bool:
        """Whether a name for a file is asked for."""
        return self.save or self.lesson or self.deck or self.bundle

    def dock(self, name: str, *, shown: bool) -> None:
        """Opens or closes a docked panel."""
        others = tuple(other for other in self.docked if other != name)
        self.docked = (*others, name) if shown else others

    def close_one(self) -> bool:
        """Closes the window that Escape should close first; False when none was open."""
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
    """One sentence to the user; an error stays until `ask.dismiss(number)`. `report`: of a fault, to copy."""

    number: int
    message: str
    error: bool
    report: str = ""


class Loading(Struct, frozen=True):
    """A mesh being loaded: the file's `name`, the stage of the work, and its number, from 1, among `count` files."""

    name: str
    stage: str
    number: int
    count: int


class DialogChoice(Struct, frozen=True):
    """A button of a question."""

    id: str
    label: str


class Pending(Struct, frozen=True):
    """A question that waits for an answer: unsaved work, a file changed on disk, an autosave found at start."""

    title: str
    message: str
    choices: tuple[DialogChoice, ...]


class LogPosition(Struct, frozen=True):
    """The position in a log of scenes (.jsonl): entry `index` (from 0) of `count`; step with `ask.show_entry(index)`.

    `fault`: why the entry cannot be shown, "" when it is. `path`: the log's file, a `deck` or a plain log. `away`: of a
    deck, whether another scene is shown than a slide.
    """

    title: str
    index: int
    count: int
    fault: str = ""
    path: Path | None = None
    deck: bool = False
    away: bool = False


class OnStage(Struct, frozen=True):
    """Stage mode: whether the screen is black, the last key pressed while it is shown, whether `keys` are listed."""

    black: bool = False
    echo: str = ""
    keys: bool = False


class PanelState(Seen, frozen=True, eq=False, kw_only=True, dict=True):
    """Everything a panel may read in one frame: what is seen, and what stands round it.

    `selection`: body with the gizmo (0 A, 1 B) or None. `tool`: "move", "rotate" or "size". `frame_times`: milliseconds
    of the last frame by part. `drag_readout`: the change a running drag makes, in words; `drag_holdable`: whether X, Y
    or Z holds it to an axis. `over`: what of the picture is under the pointer. `pointer`: in pixels, for the
    read-out beside it. `viewport`: what the docked panels leave free; `computing`: what the analysis leaves out is on
    its way; `picture_fault`: the picture could not be drawn; `panes`: title and area of each pane in it. `opened`:
    ids of presets that were opened in any run; `learnt`: by id the share of each lesson that is done.
    `sweep_waits`: the answer about the motion comes after the drag; `curve`: the distance over time. `picture`: share
    of a large screenshot that is drawn, 1 while its file is written. `preview`: of that in the screenshot's window.
    `loading`: the mesh that is being loaded. `film`: the recording, or the film being made; `film_sources`: what one
    can be made of; `phases`: with steps, while a window for pictures or films is open. `lesson`: the one under way;
    `only`: the one phase that is on the track then; `offer`: of the first lesson, on the very first run.
    `commands` looks at every one of them as it stands now: asked for only where they are shown. `command_on`: the one
    of a chord. `menus`: the titles of the menus.
    `bench`: what other engines say, while their panel is in sight; `along`: their curves over the way of a plot.
    `stage`: what stage mode shows, None while it is off. `stepped`: another step is shown than
    where the scene was opened. `deck`: the one that is open.
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
    opened: frozenset[str] = frozenset()
    learnt: Mapping[str, float] = {}
    bench: Bench | None = None
    along: Along | None = None

    @property
    def name_and_notes(self) -> tuple[str, str]:
        """The name and notes of the scene, or of the slide."""
        return name_and_notes(self.document, self.deck)

    @cached_property
    def reveal(self) -> Reveal:
        """The record of the parts of the answer that may be shown; in a lesson its step decides."""
        verdict, at_step = self.sat_progress.last or self.settings.verdict_told, self.moment is not None
        return Reveal.of(self.asked, self.veil, self._lesson_answer, at_step=at_step, verdict=verdict)

    @cached_property
    def sat_progress(self) -> SatProgress:
        """The known part of the axis table; the deciding row is not shown while a lesson hides the answer."""
        found = super().sat_progress
        told = found.stepping or self._lesson_answer is LessonAnswer.FULL
        return found if told else replace(found, winner_told=False)

    @property
    def _lesson_answer(self) -> LessonAnswer:
        return LessonAnswer.FULL if self.lesson is None else self.lesson.answer

    @property
    def time(self) -> float:
        """The shown time of the motion; at a step about the motion that step's time, at any other step 0."""
        if self.moment is None:
            return shown_time(self.view, self.sweep)
        return self.moment.step.time if isinstance(self.moment.step, MotionStep) else 0.0
