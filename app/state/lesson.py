"""The contents of lesson files as frozen records, which `app/lessons/` reads and judges.

A lesson is a sequence of steps. Each step has a scene, a look (the things shown and hidden), a text, and goals: the
conditions that the learner must meet before "Next" is offered.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from core.geometry.triple import Triple
from core.query.query import Phase
from core.scene import Scene

from .hold import Hold
from .prediction import QuestionKind
from .reveal import AnswerShown
from .view import AxisView, Panes, View


class CameraRule(StrEnum):
    """The rule for the camera when a step opens."""

    FIT = "fit"
    KEEP = "keep"
    ORIGIN = "origin"
    """As FIT, but the difference is fitted near its origin, to the step's points v and w."""


class LessonPlace(Struct, frozen=True):
    """A step of the timeline in `phase`. `step`: a number from 1, `STOP`, `FIRST_GAP` (SAT only), or a sub-step's name.

    A sub-step's name, such as `support A`, means the first step with that sub-step. `part`: a sub-step of the step that
    a number gives; "" for none.
    """

    phase: Phase
    step: int | str
    part: str = ""


STOP = "stop"
FIRST_GAP = "first_gap"


class LessonOption(Struct, frozen=True):
    """An option of a choice. `why`: the reason why it is wrong; empty for the `right` option."""

    id: str
    label: str
    right: bool
    why: str


class GoalComparison(Struct, frozen=True):
    """A comparison with a number. `operator`: one of == <= >= < > ~; `~` means within `tolerance` of `value`.

    `impact`: the number is the time of impact, and `value` is 0.
    """

    operator: str
    value: float
    tolerance: float = 0.0
    impact: bool = False


class Goal(Struct, frozen=True):
    """A condition to meet. `name`, `arguments`: the predicate, one of app/lessons/goals.py.

    `text`: the goal as written in the file; `line`: the line there, from 1; `words`: what the card says, empty for the
    predicate's own words. `comparison`: of its number, None if it has none; `negated`: it is met while the predicate
    does not hold.
    """

    name: str
    arguments: tuple[str, ...]
    comparison: GoalComparison | None
    negated: bool
    text: str
    line: int
    words: str = ""


class SolutionAction(Struct, frozen=True):
    """An action of the solution, by its `verb` (app/lessons/solution.py).

    `words`: ids and names; `numbers`: a pose, a direction or a time. `text`: the action as written in the file; `line`:
    the line there, from 1.
    """

    verb: str
    words: tuple[str, ...]
    numbers: tuple[float, ...]
    text: str
    line: int


class Inquiry(Struct, frozen=True):
    """A question of app/quiz/ that the step asks. `place`: the timeline's step at which it is asked, if any.

    `line`: the line in the lesson's file, from 1.
    """

    kind: QuestionKind
    place: LessonPlace | None
    line: int


class StepLook(Struct, frozen=True):
    """The things that a step shows when it opens.

    `swapped`: the difference's pane comes first (left or above). `panels`: the open docked panels, by the names of
    `LESSON_PANELS`. `overlays`: all shown overlays; `revealed`: those shown after all goals are met; `hidden`: kinds of
    labels that are not drawn. `family`: the axes' family for AxisView.FAMILY. `focus`: label of the axis with the rail;
    None for the winner. `timeline`: the shown step, whose phase is then the only one on the track. `free`: unit
    direction of the free axis. `until`: the last place to which the timeline goes. `settings`: the algorithms'
    settings, by path of SETTING_NAMES. `camera`: a rule, or yaw and pitch in radians. `drag`: the bodies that can be
    dragged, of "a" and "b"; `hold`: the one degree of freedom of a drag, None for all. `time`: the motion's time, 0 to
    1; `motion`: whether the motion is shown; both None for the scene's own. `axes`: the axes with rails; `answer`: how
    much of the answer is shown.
    """

    panes: Panes = Panes.BOTH
    swapped: bool = False
    panels: tuple[str, ...] = ()
    overlays: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    axes: AxisView = AxisView.FOCUSED
    family: str = ""
    focus: str | None = None
    answer: AnswerShown = AnswerShown.FULL
    timeline: LessonPlace | None = None
    until: LessonPlace | None = None
    free: Triple | None = None
    settings: tuple[tuple[str, object], ...] = ()
    camera: CameraRule | tuple[float, float] = CameraRule.KEEP
    drag: frozenset[str] = frozenset("ab")
    hold: Hold | None = None
    time: float | None = None
    motion: bool | None = None

    @property
    def draggable(self) -> tuple[int, ...]:
        """The bodies that can be dragged: A (0) and B (1)."""
        return tuple(index for index in (0, 1) if "ab"[index] in self.drag)


LESSON_PANELS = (
    *("axes", "pairs", "step", "words", "bounds", "answers", "bodies", "settings"),
    *("side_by_side", "edge_tools", "through_zero", "motion"),
)
"""Names of docked panels in lesson files. `words` is only the sentences of the step card, `bounds` only its chart."""
LOG_SCALE = "log_scale"
"""Name in lesson files of the switch of that chart: the uncertainty on a log scale."""


class LessonStep(Struct, frozen=True):
    """One screen of a lesson.

    `scene`: a name of the lesson's `scenes`, or None to keep the scene as the learner has changed it. `feature`: a
    feature that the program must have (`FEATURES` of app/lessons/lesson_file.py); without it the step is left out.
    `together`: all goals must be met at the same time; otherwise each is met by itself, in order. `hints`: shown one
    after another. `almost`: shown after the measured feedback. `then`: shown when all goals are met. `line`: the
    title's line, from 1. `ask`: its question, if any; `options`: those of its choice; `solution`: the actions that
    "Show me" plays.
    """

    id: str
    title: str
    text: str
    scene: str | None
    feature: str
    look: StepLook
    ask: Inquiry | None
    options: tuple[LessonOption, ...]
    goals: tuple[Goal, ...]
    together: bool
    solution: tuple[SolutionAction, ...]
    hints: tuple[str, ...]
    almost: str
    then: str
    line: int

    @property
    def keeps_camera(self) -> bool:
        """Whether the step has a new scene but keeps the cameras, so that the scene compares with the one before."""
        return self.scene is not None and self.look.camera is CameraRule.KEEP

    @property
    def about_axes(self) -> bool:
        """Whether a goal is met by pointing at axes."""
        return any(goal.name in ("focus", "visited") for goal in self.goals)

    def option(self, name: str) -> LessonOption | None:
        """The option with this id; None if the step does not have it."""
        return next((option for option in self.options if option.id == name), None)


class LessonScene(Struct, frozen=True):
    """A scene of a lesson. `view`: the view in its file, if any."""

    scene: Scene
    view: View | None


class Lesson(Struct, frozen=True):
    """A lesson. `id`: the key of its progress. `order`: its place on the shelf, None for a lesson that is not shipped.

    `world`: "plane" or "space". `was`: id of the lesson that had its steps in older versions, whose progress counts.
    `needs`: ids of lessons that should come first; `teaches`: terms of the glossary. `scenes`: by the names that its
    steps use, `preset:ID` for presets. `file`: the file it was read from. `minutes`: the time that it takes.
    """

    id: str
    title: str
    order: int | None
    world: str
    minutes: int
    was: str
    needs: tuple[str, ...]
    teaches: tuple[str, ...]
    author: str
    licence: str
    steps: tuple[LessonStep, ...]
    scenes: Mapping[str, LessonScene]
    file: str

    def step(self, name: str) -> LessonStep | None:
        """The step with this id; None if the lesson does not have it."""
        return next((step for step in self.steps if step.id == name), None)
