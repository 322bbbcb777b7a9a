"""The through-zero plot: B slid or turned, every method's number on the way, and marks where something breaks.

The samples are taken in slices of a few milliseconds a frame. A click on a mark puts the scene there, as one undo
entry. On request other engines are asked about every sample's pose.
"""

from __future__ import annotations

from math import pi
from time import perf_counter

from imgui_bundle import imgui

from core.analysis.algorithm_settings import AlgorithmSettings
from core.geometry.triple import Triple, triple
from core.geometry.vector import Array
from core.scene import Scene
from core.study.lab.through_zero import BodyPath, Sample, Sweep, SweepProgress, sliding, sweep, turning
from core.trace import Steps

from ..state.ask import Ask
from ..state.engines import NO_ENGINE, PathAnswers
from ..state.panel_state import PanelState
from ..words.digits import column_number
from .numbers import NumberField, refused_unless, say_refusals
from .panel import Docked
from .text import em, explain, flow, say, wrapped_at
from .through_zero_chart import Event, draw_charts, events_of
from .widgets import button_width, choice, draw_progress

SLICE_SECONDS = 0.012
"""Seconds of each frame that sampling may take."""
MOST_SAMPLES = 2000
"""The most samples of a path."""
ASK_ENGINES = "Ask engines"
ASK_TIP = "Asks every engine that is installed about each sample's pose, and plots what it says beside ours"

_positive = refused_unless(lambda value: value > 0.0, "The range must be greater than 0.")
_angle = refused_unless(lambda value: 0.0 < value <= 180.0, "The range must be greater than 0 and at most 180 degrees.")
_count = refused_unless(
    lambda value: value == int(value) and 3.0 <= value <= MOST_SAMPLES,
    f"A whole number from 3 to {MOST_SAMPLES} is needed.",
)

LINES: tuple[tuple[str, bool], ...] = (
    ("B along x", False),
    ("B along y", False),
    ("B along z", False),
    ("B along the normal", False),
    ("B turned about x", True),
    ("B turned about y", True),
    ("B turned about z", True),
    ("B turned about the normal", True),
)
"""Titles of the paths of B, and whether B turns."""

PATH_TITLES = {
    2: {k: LINES[k][0].removesuffix(" about z") for k in (0, 1, 3, 6)},
    3: {k: title for k, (title, _) in enumerate(LINES)},
}
"""For each dimension, the titles of the paths that it has, by their index in `LINES`."""
_AXES: tuple[Triple, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class ThroughZero(Docked):
    """The docked panel with the plot; it takes samples in every frame, also while it is behind another tab."""

    def __init__(self) -> None:
        self._line = 0
        self._length: float | None = None
        self._degrees = 180.0
        self._count = 121
        self._fields = tuple(NumberField() for _ in range(3))
        self._steps: Steps[SweepProgress, Sweep] | None = None
        self._progress = SweepProgress(0, 1, None)
        self._path: BodyPath | None = None
        self._samples: list[Sample] = []
        self._events: tuple[Event, ...] = ()
        self._settings: AlgorithmSettings | None = None
        self._whole = False
        self._scenes: tuple[Scene, ...] = ()
        self._hidden: set[str] = set()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the controls, the progress while sampling, and the charts with the list of marks."""
        ui.dialogs.busy = self._steps is not None
        self._take_slice(ui, ask)
        self._draw_controls(ui, ask)
        if self._steps is not None:
            self._draw_progress(ui)
        if self._path is not None:
            self._draw_found(ui, self._path, ask)
        else:
            say(
                "Moves or turns B both ways from its place and plots every method's separation. Marks show changes "
                "of the verdict, the axis that decides, the normal or the contacts.",
                ui.theme.dim_text,
            )

    def unseen(self, ui: PanelState, ask: Ask, *, wanted: bool) -> None:
        """Goes on sampling if the panel is only behind another tab; cancels sampling and engines if it is closed."""
        ui.dialogs.busy = self._steps is not None
        if wanted:
            self._take_slice(ui, ask)
        else:
            self._cancel(ui)
            if self._path_answers(ui) is not None:
                self._scenes = ()
                ask.ask_engines(())

    def _draw_controls(self, ui: PanelState, ask: Ask) -> None:
        imgui.begin_disabled(self._steps is not None)
        lines = path_titles(ui.document.committed)
        longest = max(imgui.calc_text_size(title).x for title in lines.values())
        width = longest + imgui.get_frame_height() + 2.0 * imgui.get_style().frame_padding.x
        self._line = choice("##line", lines, self._line if self._line in lines else 0, width)
        flow(14.0 * em())
        self._draw_range(ui)
        flow(9.0 * em())
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted("samples")
        imgui.same_line()
        count = self._fields[2].draw("##samples", float(self._count), 4.0 * em(), _count)
        self._count = self._count if count is None else int(count)
        imgui.end_disabled()
        if self._steps is None:
            flow(button_width("Plot"))
            if imgui.button("Plot"):
                self._begin(ui, ask)
            if self._path is not None and self._settings != ui.algorithm_settings:
                flow(imgui.calc_text_size("The settings have changed.").x)
                imgui.text_disabled("The settings have changed.")
        say_refusals(list(self._fields), ui.theme)

    def _draw_range(self, ui: PanelState) -> None:
        """Draws the field for the range to either side: scene units, or degrees."""
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted("±")
        imgui.same_line()
        if LINES[self._line][1]:
            typed = self._fields[1].draw("##degrees", self._degrees, 6.0 * em(), _angle)
            self._degrees = self._degrees if typed is None else typed
            imgui.same_line()
            imgui.text_unformatted("degrees")
            return
        length = self._length if self._length is not None else default_length(ui.document.committed)
        typed = self._fields[0].draw("##length", length, 6.0 * em(), _positive)
        self._length = self._length if typed is None else typed
        imgui.same_line()
        imgui.text_unformatted("units")
        explain("Scene units")

    def _begin(self, ui: PanelState, ask: Ask) -> None:
        scene = ui.document.committed
        length = self._length if self._length is not None else default_length(scene)
        half = self._degrees * pi / 180.0 if LINES[self._line][1] else length
        try:
            path = path_of(scene, self._line, ui.analysis.normal)
        except ValueError as refusal:
            ask.notify(str(refusal))
            return
        last = self._count - 1
        values = tuple(half * (2.0 * k / last - 1.0) for k in range(self._count))
        if self._scenes:
            self._scenes = ()
            ask.ask_engines(())
        self._path, self._samples, self._events, self._whole = path, [], (), False
        self._steps, self._settings = sweep(path, values, ui.algorithm_settings), ui.algorithm_settings
        self._progress = SweepProgress(0, self._count, None)
        ui.dialogs.busy = True

    def _take_slice(self, ui: PanelState, ask: Ask) -> None:
        """Samples for `SLICE_SECONDS`, if a plot is under way; reads the marks once all samples are taken."""
        if self._steps is None:
            return
        ends = perf_counter() + SLICE_SECONDS
        try:
            while perf_counter() < ends:
                self._progress = next(self._steps)
                if self._progress.sample is not None:
                    self._samples.append(self._progress.sample)
        except StopIteration as end:
            self._events, self._whole = events_of(end.value), True
            self._cancel(ui)
        except ValueError as refusal:
            ask.notify(str(refusal), error=True)
            self._cancel(ui)

    def _draw_progress(self, ui: PanelState) -> None:
        at = self._progress
        what = "looking for marks" if len(self._samples) == self._count else "sampling"
        if draw_progress(at.done / max(1, at.count), f"{what}: {at.done} of {at.count}", ui.theme):
            self._cancel(ui)

    def _cancel(self, ui: PanelState) -> None:
        if self._steps is not None:
            self._steps.close()
            self._steps = None
            # Requests one more frame: this one may just have made the list longer.
            ui.dialogs.busy = True

    def _draw_found(self, ui: PanelState, path: BodyPath, ask: Ask) -> None:
        """Draws the charts of the samples taken so far, from two on, and once all are taken the list of marks."""
        here = path.value_of(ui.document.scene)
        if here is None:
            say("The pair has moved since. Plot again for its present place.", ui.theme.dim_text)
        if len(self._samples) < 2:
            return
        answers = self._path_answers(ui)
        if answers is not None:
            self._draw_asking(answers, ui, ask)
        chosen = draw_charts(ui, path, self._samples, self._events, here, self._hidden, answers)
        if self._steps is not None:
            return
        if chosen is not None:
            _go(path, chosen, ask)
        if not self._whole:
            say(f"Stopped after {len(self._samples)} samples: the marks are not known.")
            return
        if answers is None:
            # Beside the key of the charts, which leaves room.
            flow(button_width(ASK_ENGINES))
            if imgui.small_button(ASK_ENGINES):
                self._scenes = tuple(path.at(sample.place) for sample in self._samples)
                ask.ask_engines(self._scenes)
            explain(ASK_TIP)
        imgui.separator_text(f"{len(self._events)} {'mark' if len(self._events) == 1 else 'marks'}")
        for k, event in enumerate(self._events):
            imgui.push_id(k)
            at = imgui.get_cursor_pos_x()
            if imgui.selectable(f"{place_words(path, event.place)}##mark", here == event.place)[0]:
                _go(path, event.place, ask)
            explain(f"{event.words}\nClick to put B there, just past it")
            imgui.same_line(at + 6.5 * em())
            with wrapped_at():
                imgui.text_unformatted(event.words)
            imgui.pop_id()

    def _path_answers(self, ui: PanelState) -> PathAnswers | None:
        """The engines' answers along this plot's path; None before they are asked."""
        answers = ui.path_answers
        return answers if self._scenes and answers is not None and answers.scenes is self._scenes else None

    def _draw_asking(self, answers: PathAnswers, ui: PanelState, ask: Ask) -> None:
        """Draws the engines' progress; at the end, the names of those that gave no number."""
        if not answers.done:
            title = answers.curves[-1].title if answers.curves else "Looking for engines"
            done, count, at = (
                sum(len(curve.values) for curve in answers.curves[-1:]),
                len(answers.scenes),
                len(answers.curves),
            )
            told = f"{title}: {done} of {count}, engine {at} of {answers.engines}" if at else title
            if draw_progress((max(0, at - 1) + done / count) / max(1, answers.engines), told, ui.theme):
                ask.ask_engines(())
            return
        if not answers.curves:
            say(NO_ENGINE if not answers.engines else "No engine was asked.")
        without = [curve.title for curve in answers.curves if not any(value == value for value in curve.values)]
        if without:
            say(f"No number on this way: {', '.join(without)}.", ui.theme.dim_text)


def path_titles(scene: Scene) -> dict[int, str]:
    """Titles of the paths in the scene's dimension, by their index in `LINES`."""
    return PATH_TITLES[scene.dimension]


def path_of(scene: Scene, line: int, normal: Array) -> BodyPath:
    """The path with the index `line` in `LINES`; `normal`: the answer's, (3,).

    Raises ValueError for a path along or about a normal that is zero or not finite.
    """
    direction = (*_AXES, triple(normal))[line % 4]
    return turning(scene, direction) if LINES[line][1] else sliding(scene, direction)


def default_length(scene: Scene) -> float:
    """Twice the larger finite bounding radius, to two digits: far enough to pass through; 2 if that is 0."""
    radii = (scene.a.shape.bounding_radius, scene.b.shape.bounding_radius)
    size = 2.0 * max(radius for radius in radii if radius < float("inf"))
    return float(f"{size or 2.0:.2g}")


def place_words(path: BodyPath, place: float) -> str:
    """A place on the path in words: `+0.25` in scene units, `−30°` for a turn.

    `place`: in scene units or radians.
    """
    return f"{column_number(place * 180.0 / pi)}°" if path.turning else column_number(place)


def _go(path: BodyPath, place: float, ask: Ask) -> None:
    what = "Turn" if path.turning else "Slide"
    ask.edit(path.at(place), f"{what} B by {place_words(path, place)}")
