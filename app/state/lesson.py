"""Lessons: what a lesson file says, as frozen records. Pure; `app/lessons/` reads and judges them.

A lesson is a row of steps. Each step has a scene, a look (what is shown and hidden), a text, and goals: what the
learner has to do or to find before "Next" is offered.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from core.query.query import Phase
from core.scene import Scene, Triple

from .prediction import Kind
from .reveal import LessonAnswer
from .view import AxisView, Panes, View


class CameraRule(StrEnum):
    """What becomes of the camera when a step opens."""

    FIT = "fit"
    KEEP = "keep"


class Place(Struct, frozen=True):
    """A step of the timeline: of `phase` the one `at` this number from 1, or `STOP`, or `FIRST_GAP` (of SAT).

    Or the name of a sub-step, as `support A`: the first one of that name.
    """

    phase: Phase
    at: int | str


STOP = "stop"
FIRST_GAP = "first_gap"


class Choice(Struct, frozen=True):
    """An option of a choice; `why`: why it is wrong, empty for the `right` one."""

    id: str
    label: str
    right: bool
    why: str


class Comparison(Struct, frozen=True):
    """`operator`: one of == <= >= < > ~; `~` means within `tolerance` of `value`.

    `impact`: the number is the time of impact, and `value` 0.
    """

    operator: str
    value: float
    tolerance: float = 0.0
    impact: bool = False


class Goal(Struct, frozen=True):
    """What has to hold: a predicate of app/lessons/goals.py. `text`: as written; `line`: of the file, from 1."""

    name: str
    arguments: tuple[str, ...]
    comparison: Comparison | None
    negated: bool
    text: str
    line: int


class Action(Struct, frozen=True):
    """One thing that the solution does, by its `verb` (app/lessons/solution.py).

    `words`: ids and names; `numbers`: a pose, a direction or a time. `text`: as written; `line`: of the file.
    """

    verb: str
    words: tuple[str, ...]
    numbers: tuple[float, ...]
    text: str
    line: int


class Inquiry(Struct, frozen=True):
    """A question of app/quiz/ that the step asks; `place`: the step of the timeline at which it is asked, if any."""

    kind: Kind
    place: Place | None
    line: int


class Look(Struct, frozen=True):
    """What a step shows when it opens.

    `swapped`: the difference stands first (left or above). `panels`: the docked panels that are open, by the names of
    `PANELS`. `overlays`: all that are shown, and `revealed` once all goals are met. `family`: of the axes, under
    AxisView.FAMILY. `focus`: label of the axis that has the rail; None for the winner. `timeline`: the step shown; its
    phase alone is on the track. `free`: unit direction of the free axis. `settings`: of the algorithms, by path
    (core/analysis/knobs.py). `camera`: a rule, or yaw and pitch in radians. `drag`: the bodies that can be dragged, of
    "a" and "b". `time`: of the motion, 0 to 1; `motion`: whether the motion is shown; both None where the scene says.
    """

    panes: Panes = Panes.BOTH
    swapped: bool = False
    panels: tuple[str, ...] = ()
    overlays: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()
    axes: AxisView = AxisView.FOCUSED
    family: str = ""
    focus: str | None = None
    answer: LessonAnswer = LessonAnswer.FULL
    timeline: Place | None = None
    free: Triple | None = None
    settings: tuple[tuple[str, object], ...] = ()
    camera: CameraRule | tuple[float, float] = CameraRule.KEEP
    drag: frozenset[str] = frozenset("ab")
    time: float | None = None
    motion: bool | None = None


PANELS = (
    *("axes", "pairs", "step", "bounds", "answers", "bodies", "settings"),
    *("side_by_side", "edge_tools", "through_zero", "motion"),
)
"""Names of docked panels in lesson files; `bounds`: the step card's chart alone."""


class Step(Struct, frozen=True):
    """One screen of a lesson.

    `scene`: a name of the lesson's `scenes`, or None to keep what the learner left. `feature`: the program must have it
    (`FEATURES` of app/lessons/lesson_file.py), else the step is left out. `together`: all goals must hold at one
    moment, else each is ticked by itself, in order. `hints`: shown one after another. `almost`: said after the measured
    feedback. `then`: shown when all goals are met. `line`: of its title.
    """

    id: str
    title: str
    text: str
    scene: str | None
    feature: str
    look: Look
    ask: Inquiry | None
    choices: tuple[Choice, ...]
    goals: tuple[Goal, ...]
    together: bool
    solution: tuple[Action, ...]
    hints: tuple[str, ...]
    almost: str
    then: str
    line: int

    @property
    def keeps_camera(self) -> bool:
        """Whether another scene is looked at with the cameras of the step before, so that the two can be compared."""
        return self.scene is not None and self.look.camera is CameraRule.KEEP

    @property
    def about_axes(self) -> bool:
        """Whether a goal is met by pointing at axes."""
        return any(goal.name in ("focus", "visited") for goal in self.goals)

    def choice(self, name: str) -> Choice | None:
        """The option with this id."""
        return next((choice for choice in self.choices if choice.id == name), None)


class LessonScene(Struct, frozen=True):
    """A scene of a lesson; `view`: what its file says of the view, if anything."""

    scene: Scene
    view: View | None


class Lesson(Struct, frozen=True):
    """A lesson. `id`: progress is kept under it. `order`: its place on the shelf, None for other people's files.

    `world`: "plane" or "space". `needs`: ids of lessons that should come first; `teaches`: terms of the glossary.
    `scenes`: by the names that its steps use, `preset:ID` for those of the gallery. `file`: where it was read from.
    """

    id: str
    title: str
    order: int | None
    world: str
    minutes: int
    needs: tuple[str, ...]
    teaches: tuple[str, ...]
    author: str
    licence: str
    steps: tuple[Step, ...]
    scenes: Mapping[str, LessonScene]
    file: str

    def step(self, name: str) -> Step | None:
        """The step with this id."""
        return next((step for step in self.steps if step.id == name), None)
