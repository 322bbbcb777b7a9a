"""Reads and checks how predicates are written: arguments, places in the timeline, settings and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from math import inf

from msgspec import Struct

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, SETTING_NAMES, setting_at
from core.contact.contact import ContactCase
from core.query.query import Phase
from core.sat.sat import AxisKind, AxisStatus
from core.toi.motion import MotionOutcome
from core.verdict import Verdict

from ..stages import spec_of
from ..state.lesson import FIRST_GAP, STOP, Goal, GoalComparison, LessonPlace
from ..state.playback import impact_of
from ..words.digits import plain
from .situation import Situation


class PredicateForm(Struct, frozen=True):
    """The written form of a predicate. `arguments`: checks the arguments, and raises ValueError for wrong ones.

    `compares`: whether a comparison with a number must follow (True), must not (False), or may (None). `usage`: an
    example, shown in refusals.
    """

    arguments: Callable[[tuple[str, ...]], None]
    compares: bool | None
    usage: str


class Predicate(Struct, frozen=True):
    """A predicate of goals. `holds`: judges it. `said`: a sentence with the measured value for an open goal, or "".

    `event`: it is ticked even while a mouse button is down; others are not. `needs_motion`: it waits for the answer
    about the motion.
    """

    form: PredicateForm
    holds: Callable[[Goal, Situation], bool]
    said: Callable[[Goal, Situation], str]
    event: bool = False
    needs_motion: bool = False


# Checks of arguments.


def no_arguments(arguments: tuple[str, ...]) -> None:
    """Raises ValueError for any argument."""
    if arguments:
        raise ValueError("takes no arguments")


def one_of(known: tuple[str, ...], most: int = 1) -> Callable[[tuple[str, ...]], None]:
    """A check for one to `most` arguments, each of `known`; the check raises ValueError for others."""

    def check(arguments: tuple[str, ...]) -> None:
        if not 1 <= len(arguments) <= most:
            raise ValueError(
                f"takes {'one argument' if most == 1 else f'1 to {most} arguments'}, of {', '.join(known)}"
            )
        for argument in arguments:
            if argument not in known:
                raise ValueError(f"must be of {', '.join(known)}; got {argument!r}")

    return check


def a_name(arguments: tuple[str, ...]) -> None:
    """Checks for one name, not empty. Raises ValueError otherwise."""
    if len(arguments) != 1 or not arguments[0]:
        raise ValueError("takes one argument")


def winner_arguments(arguments: tuple[str, ...]) -> None:
    """Checks for an axis' label (any name), or `kind` and one of KINDS. Raises ValueError otherwise."""
    a_name(arguments)
    if arguments[0].startswith("kind "):
        one_of(KINDS)((arguments[0].removeprefix("kind ").strip(),))


def axis_arguments(arguments: tuple[str, ...]) -> None:
    """Checks for an axis' label (any name) and one of STATUSES. Raises ValueError otherwise."""
    if len(arguments) != 2 or arguments[1] not in STATUSES:
        raise ValueError(f"takes an axis' label and one of {', '.join(STATUSES)}")


def step_arguments(arguments: tuple[str, ...]) -> None:
    """Checks for a phase and a step of it. Raises ValueError otherwise."""
    if len(arguments) != 2:
        raise ValueError(f"takes a phase and a step: a number from 1, {FIRST_GAP}, {STOP} or a sub-step's name")
    place_from(*arguments)


def setting_arguments(arguments: tuple[str, ...]) -> None:
    """Checks for a setting and its value. Raises ValueError otherwise."""
    if len(arguments) != 2:
        raise ValueError("takes a setting and its value")
    setting_from(*arguments)


def body_arguments(arguments: tuple[str, ...]) -> None:
    """Checks for a body, and a coordinate that may follow. Raises ValueError otherwise."""
    if not 1 <= len(arguments) <= 2:
        raise ValueError("takes a or b, and x, y or z where one direction is meant")
    one_of(("a", "b"))(arguments[:1])
    if arguments[1:]:
        one_of(COORDINATES)(arguments[1:])


def shadow_arguments(arguments: tuple[str, ...]) -> None:
    """Checks for a body and an axis' label (any name). Raises ValueError otherwise."""
    if len(arguments) != 2:
        raise ValueError("takes a or b, and an axis' label")
    one_of(("a", "b"))(arguments[:1])


COORDINATES = ("x", "y", "z")
PHASES = tuple(phase.name.lower() for phase in Phase)
KINDS = tuple(kind.value for kind in AxisKind)
STATUSES = {
    "separates": AxisStatus.SEPARATING,
    "touches": AxisStatus.TOUCHING,
    "overlaps": AxisStatus.OVERLAPPING,
    "no_direction": AxisStatus.DEGENERATE,
}
VERDICTS = {verdict.value.lower(): verdict for verdict in Verdict}
CASES = {
    "face_a": ContactCase.FACE_OF_A,
    "face_b": ContactCase.FACE_OF_B,
    "edges": ContactCase.EDGES,
    "point": ContactCase.POINT,
}
OUTCOMES = {
    "hit": MotionOutcome.HIT,
    "initial_overlap": MotionOutcome.INITIAL_OVERLAP,
    "separated": MotionOutcome.SEPARATED,
    "undecided": MotionOutcome.ITERATION_LIMIT,
}
METHODS = {"sat": "SAT", "closed_form": "closed form", "gjk": "GJK and EPA"}


def phase_from(name: str) -> Phase:
    """The phase of this name in lesson files, as `gjk`. Raises ValueError for another name."""
    if name not in PHASES:
        raise ValueError(f"the phase must be one of {', '.join(PHASES)}; got {name!r}")
    return Phase[name.upper()]


def place_from(phase: str, at: str) -> LessonPlace:
    """The step or sub-step of the timeline named by two words, as `gjk 3`, `epa stop`, `sat first_gap`.

    Raises ValueError if the words name no phase, or no step or sub-step that the phase can have.
    """
    found = phase_from(phase)
    parts = spec_of(found).parts
    # Options write a sub-step without spaces, `support-A`.
    at = next((part for part in (FIRST_GAP, *parts) if at.replace("-", "_") == part.translate(_BARE)), at)
    if at == STOP or at in parts or (at == FIRST_GAP and found is Phase.SAT):
        return LessonPlace(found, at)
    number, _, part = at.replace(":", " ", 1).partition(" ")
    part = next((known for known in parts if part.replace("-", "_") == known.translate(_BARE)), part)
    if part in parts and number.isascii() and number.isdigit():
        return LessonPlace(found, place_from(phase, number).step, part)
    if not at.isascii() or not at.isdigit() or not 1 <= int(at[:7]) <= 10**6:
        named = f", or a sub-step of {phase}: {', '.join(part for part in parts if part != STOP)}" if parts else ""
        raise ValueError(f"the step must be a number from 1, {STOP}, or of sat {FIRST_GAP}{named}; got {at!r}")
    return LessonPlace(found, int(at))


def place_named(text: str) -> LessonPlace:
    """The step or sub-step named as on the command line, `gjk:3`, or by two words, `gjk 3`.

    Raises ValueError as `place_from` does.
    """
    phase, _, at = text.partition(":") if ":" in text else text.partition(" ")
    return place_from(phase.strip(), at.strip())


_BARE = str.maketrans(" -", "__")


RETIRED = {"gjk.feature_direction": "GJK's direction is always the perpendicular of its feature"}
"""Removed settings, and why they were removed; a lesson with one still opens, with a warning."""


def setting_from(path: str, text: str) -> tuple[str, object]:
    """The path and the parsed value of a setting of the algorithms.

    Raises ValueError for an unknown path, a wrong value, and a setting that is a direction.
    """
    if path not in SETTING_NAMES:
        raise ValueError(f"the setting must be one of {', '.join(SETTING_NAMES)}; got {path!r}")
    default = setting_at(DEFAULT_SETTINGS, path)
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise ValueError(f"{path} must be true or false; got {text!r}")
        return path, text == "true"
    if isinstance(default, int | float):
        return path, _number_like(default, path, text)
    if isinstance(default, StrEnum):
        members = {member.value: member for member in type(default)}
        return path, members[_one(text, path, tuple(members))]
    if path == "rounded":
        return path, _one(text, path, ("core", "full"))
    raise ValueError(f"{path} cannot be set by a lesson: it is a direction")


def _one(text: str, path: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise ValueError(f"{path} must be one of {', '.join(known)}; got {text!r}")
    return text


def _number_like(default: float, path: str, text: str) -> float:
    try:
        value = type(default)(text)
    except ValueError:
        value = -1
    if not 0 <= value < inf:
        raise ValueError(f"{path} must be a {'whole ' if isinstance(default, int) else ''}number from 0; got {text!r}")
    return value


# Comparisons.


def compared(value: float | None, asked: GoalComparison | None, impact: float | None = None) -> bool:
    """Whether the comparison holds for a value; False without a comparison, and for None and NaN.

    `impact`: the time of impact, for a comparison with it, which is False without an impact.
    """
    if value is None or asked is None or value != value:
        return False
    wanted = impact if asked.impact else asked.value
    if wanted is None:
        return False
    match asked.operator:
        case "==":
            return value == wanted
        case "<=":
            return value <= wanted
        case ">=":
            return value >= wanted
        case "<":
            return value < wanted
        case ">":
            return value > wanted
    return abs(value - wanted) <= asked.tolerance


def off_words(value: float, asked: GoalComparison | None, few: str, many: str) -> str:
    """Words on how far a value misses a comparison, as `0.11 too far`; "" if it holds or there is none.

    `few`, `many`: words for too small and too large values, as `too close`, `too far`.
    """
    if asked is None or compared(value, asked):
        return ""
    over = value > asked.value
    return f"{plain(abs(value - asked.value))} {many if over else few}"


def measured(start: str, off: str) -> str:
    """A sentence made of its two parts, as `0.61 apart: 0.11 too far`, with a period at its end."""
    return f"{start}: {off}." if off else f"{start}."


FeedbackText = Callable[[Goal, Situation], str]


def silent(_goal: Goal, _now: Situation) -> str:
    """The empty sentence, for predicates whose feedback is given elsewhere."""
    return ""


def number_predicate(
    of: Callable[[Situation], float | None], usage: str, said: FeedbackText, *, motion: bool = False
) -> Predicate:
    """A predicate that compares a number of the situation; it does not hold where the number is None.

    `motion`: it waits for the answer about the motion.
    """

    def holds(goal: Goal, now: Situation) -> bool:
        impact = impact_of(now.sweep) if goal.comparison is not None and goal.comparison.impact else None
        return compared(of(now), goal.comparison, impact)

    return Predicate(PredicateForm(no_arguments, True, usage), holds, said, needs_motion=motion)
