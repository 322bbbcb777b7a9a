"""Solutions: lists of actions that reach a step's goals, and their effect on the situation.

The check plays them to prove that every goal can be reached, and "Show me" plays them in the window.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import hypot, radians
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.analysis.algorithm_settings import with_setting
from core.analysis.analysis import analyse
from core.geometry.triple import Triple
from core.sat.sat import AxisStatus
from core.scene import Body, Scene

from ..draw.draw_list import Subject
from ..probes.free_axis import FreeAxis
from ..shapes import LARGEST_NUMBER
from ..state.lesson import LESSON_PANELS, LOG_SCALE, Lesson, SolutionAction
from ..state.playback import moment_of
from ..state.prediction import QuestionKind
from ..words.names import row_of
from .forms import place_from, setting_from
from .situation import Situation, opening_situation, playback_at, step_number


class Verb(Struct, frozen=True):
    """A kind of action. `usage`: its written form.

    `words`: parses the text after the verb, or raises ValueError for another text.

    `apply`: returns the situation after the action, or raises ValueError if the situation does not allow it.
    """

    usage: str
    words: Callable[[str], tuple[tuple[str, ...], tuple[float, ...]]]
    apply: Callable[[Situation, SolutionAction], Situation]


def parse_actions(text: str, line: int) -> tuple[SolutionAction, ...]:
    """The actions of a solution, separated by semicolons. Raises ValueError for text that is no action."""
    return tuple(_parse(part.strip(), line) for part in text.split(";") if part.strip())


def _parse(text: str, line: int) -> SolutionAction:
    verb = next((verb for verb in VERBS if text == verb or text.startswith((f"{verb} ", f"{verb}="))), None)
    if verb is None:
        raise ValueError(
            f"each action must be one of {'; '.join(known.usage for known in VERBS.values())}; got {text!r}"
        )
    try:
        words, numbers = VERBS[verb].words(text.removeprefix(verb).strip().removeprefix("=").strip())
    except ValueError as error:
        raise ValueError(f"{error}; {verb} is written as {VERBS[verb].usage}") from None
    return SolutionAction(verb, words, numbers, text, line)


def applied(now: Situation, action: SolutionAction) -> Situation:
    """The situation after an action. Raises ValueError if the action cannot be done in it."""
    return VERBS[action.verb].apply(now, action)


def led_to(lesson: Lesson, number: int) -> dict[int, Scene]:
    """The scenes with which the steps up to `number` begin, by step, found by playing the solutions before them.

    Playing starts at the last step up to `number` that has a scene of its own; if that is step `number` itself, the
    result is empty. Raises ValueError if a step cannot be opened or an action cannot be done.
    """
    first = max(
        (k for k in range(number + 1) if k < len(lesson.steps) and lesson.steps[k].scene is not None), default=0
    )
    starts: dict[int, Scene] = {}
    left: Scene | None = None
    for k in range(first, number):
        now = opening_situation(lesson, lesson.steps[k], left)
        starts[k] = now.scene
        for action in lesson.steps[k].solution:
            now = applied(now, action)
        left = now.scene
    return starts if left is None else {**starts, number: left}


# Readers of the arguments of a verb.


def _numbers(*lengths: int) -> Callable[[str], tuple[tuple[str, ...], tuple[float, ...]]]:
    def read(text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        values = found if isinstance(found, list) else [found]
        fits = all(isinstance(value, int | float) and abs(value) <= LARGEST_NUMBER for value in values)
        if not fits or isinstance(found, bool) or (len(values) if isinstance(found, list) else 1) not in lengths:
            raise ValueError(f"must be {' or '.join(_SIZES[k] for k in lengths)}; got {text!r}")
        return (), tuple(float(value) for value in values)

    return read


_LENGTHS = {
    "position": {2: 2, 3: 3},
    "rotation": {2: 1, 3: 4},
    "displacement": {2: 2, 3: 3},
    "angular_displacement": {2: 1, 3: 3},
}
"""The count of numbers of each field of a body, by the scene's dimension."""
_SIZES = {1: "a number", 2: "[x, y]", 3: "[x, y, z]", 4: "[w, x, y, z]"}


def _a_word(text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    if not text:
        raise ValueError("one name must follow")
    return (text,), ()


def _a_kind(text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    if text not in [kind.value for kind in QuestionKind]:
        raise ValueError(f"the question must be one of {', '.join(kind.value for kind in QuestionKind)}; got {text!r}")
    return (text,), ()


def _a_place(text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    phase, at = map(str.strip, text.split(":", 1)) if ":" in text else _two(text)
    place_from(phase, at)
    return (phase, at), ()


def _a_setting(text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    path, value = _two(text)
    setting_from(path, value)
    return (path, value), ()


def _two(text: str) -> tuple[str, str]:
    first, _, second = text.partition(" ")
    if not second.strip():
        raise ValueError(f"two words must follow; got {text!r}")
    return first, second.strip()


def _a_time(text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    if text == "impact":
        return (text,), ()
    _, numbers = _numbers(1)(text)
    if not 0.0 <= numbers[0] <= 1.0:
        raise ValueError(f"the time must lie between 0 and 1, or be impact; got {text!r}")
    return (), numbers


# The verbs of a solution, each with its function.


def _with_scene(now: Situation, scene: Scene) -> Situation:
    return replace(now, analysis=analyse(scene), find_query=None, find_sweep=None)


def _posed(field: str, body: str) -> Callable[[Situation, SolutionAction], Situation]:
    """The `apply` of an action that sets one field of a body's pose or motion."""

    def apply(now: Situation, action: SolutionAction) -> Situation:
        wanted = _LENGTHS[field][now.scene.dimension]
        if len(action.numbers) != wanted:
            where = {2: "the plane", 3: "space"}[now.scene.dimension]
            raise ValueError(f"{action.verb} must be {_SIZES[wanted]} in {where}; got {action.text!r}")
        old = now.scene.a if body == "a" else now.scene.b
        return _with_scene(now, _with_body(now.scene, body, _changed(old, field, action.numbers)))

    return apply


def _changed(old: Body, field: str, values: tuple[float, ...]) -> Body:
    """The body with a field set; in the plane one number is an angle, and two are x and y."""
    if len(values) == 1 and field == "rotation":
        return replace(old, angle=values[0])
    full: dict[int, tuple[float, ...]] = {1: (0.0, 0.0, *values), 2: (*values, 0.0)}
    change: dict[str, Any] = {field: full.get(len(values), values)}
    return replace(old, **change)


def _with_body(scene: Scene, body: str, new: Body) -> Scene:
    return replace(scene, a=new) if body == "a" else replace(scene, b=new)


def _free(now: Situation, action: SolutionAction) -> Situation:
    values = action.numbers
    if len(values) != now.scene.dimension:
        raise ValueError(f"free must be {_SIZES[now.scene.dimension]} here; got {action.text!r}")
    direction = unit(values)
    separation = FreeAxis.of(now.analysis, direction).separation
    known = now.events.best_try
    best = separation if known is None else max(known, separation)
    events = replace(now.events, tries=now.events.tries + 1, best_try=best)
    return replace(now, view=replace(now.view, free=direction), events=events)


def _look(now: Situation, action: SolutionAction) -> Situation:
    yaw, pitch = (radians(value) for value in action.numbers)
    return replace(now, view=replace(now.view.turned(yaw, pitch), fitted=True))


def unit(values: tuple[float, ...]) -> Triple:
    """The unit vector along two or three numbers, in the world. Raises ValueError for zero."""
    x, y, z = (*values, 0.0)[:3]
    size = hypot(x, y, z)
    if size == 0.0:
        raise ValueError("the direction must not be zero")
    return x / size, y / size, z / size


def _choose(now: Situation, action: SolutionAction) -> Situation:
    return replace(now, events=replace(now.events, chosen=action.words[0]))


def _answer(now: Situation, action: SolutionAction) -> Situation:
    return replace(now, events=replace(now.events, answered=now.events.answered | {QuestionKind(action.words[0])}))


def _row(now: Situation, action: SolutionAction) -> str:
    row = row_of(now.analysis.sat, action.words[0])
    if row is None:
        labels = ", ".join(candidate.label for candidate in now.analysis.sat.candidates)
        raise ValueError(f"no axis is called {action.words[0]!r}: there are {labels}")
    if now.analysis.sat.statuses[row] is AxisStatus.DEGENERATE:
        raise ValueError(f"{action.words[0]} has no direction here")
    return now.analysis.sat.candidates[row].label


def _visit(now: Situation, action: SolutionAction) -> Situation:
    return replace(now, events=replace(now.events, visited=now.events.visited | {_row(now, action)}))


def _focus(now: Situation, action: SolutionAction) -> Situation:
    label = _row(now, action)
    events = replace(now.events, focus=label, visited=now.events.visited | {label})
    row = row_of(now.analysis.sat, label)
    return replace(now, events=events, view=replace(now.view, pin=None if row is None else Subject("axis", row)))


def _step(now: Situation, action: SolutionAction) -> Situation:
    place = place_from(*action.words)
    number = step_number(place, now.query)
    if number is None:
        phases = ", ".join(f"{phase.name.lower()} 1 to {count}" for phase, _, count in now.query.phases)
        raise ValueError(f"there is no step {' '.join(action.words)}: there are {phases}")
    moment = moment_of(now.playback, now.query) if now.playback.open else None
    # The learner walks there, so every step on the way counts as shown.
    first = moment.index + 1 if moment is not None and moment.phase is place.phase else number
    walked = frozenset((place.phase, k) for k in range(min(first, number), max(first, number) + 1))
    events = replace(now.events, steps=now.events.steps | walked)
    return replace(now, playback=playback_at(place, lambda: now.query), events=events)


def _toggle(now: Situation, action: SolutionAction) -> Situation:
    name = action.words[0]
    if name in (*LESSON_PANELS, LOG_SCALE):
        return replace(now, panels=now.panels ^ {name})
    return replace(now, view=now.view.with_toggled(name))


def _setting(now: Situation, action: SolutionAction) -> Situation:
    return replace(
        now, algorithm_settings=with_setting(now.algorithm_settings, *setting_from(*action.words)), find_query=None
    )


def _time(now: Situation, action: SolutionAction) -> Situation:
    time = action.numbers[0] if action.numbers else None
    return replace(now, view=replace(now.view, time=time))


VERBS: Mapping[str, Verb] = {
    **{
        f"{body}.{field}": Verb(
            f"{body}.{field} = {_SIZES[sizes[3]]} ({_SIZES[sizes[2]]} in the plane)",
            _numbers(*sizes.values()),
            _posed(field, body),
        )
        for body in "ab"
        for field, sizes in _LENGTHS.items()
    },
    "free": Verb("free = [x, y, z]", _numbers(2, 3), _free),
    "look": Verb("look = [yaw, pitch]", _numbers(2), _look),
    "choose": Verb("choose ID", _a_word, _choose),
    "answer": Verb("answer KIND", _a_kind, _answer),
    "focus": Verb("focus LABEL", _a_word, _focus),
    "visit": Verb("visit LABEL", _a_word, _visit),
    "step": Verb("step PHASE NUMBER", _a_place, _step),
    "toggle": Verb("toggle ID", _a_word, _toggle),
    "setting": Verb("setting NAME VALUE", _a_setting, _setting),
    "time": Verb("time T", _a_time, _time),
}
"""Every action by its verb."""
