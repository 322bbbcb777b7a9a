"""Reads one step of a lesson file: its title, keys, text, options, and the parts Hint, Almost and Then."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from math import radians
from typing import Any

from msgspec import Struct

from core.sat.sat import AxisKind

from ..draw.label_kinds import KIND_IDS
from ..overlays.registry import OVERLAYS
from ..shapes import LARGEST_NUMBER
from ..state.hold import Hold, hold_from
from ..state.lesson import (
    LESSON_PANELS,
    CameraRule,
    Goal,
    Inquiry,
    LessonOption,
    LessonPlace,
    LessonStep,
    SolutionAction,
    StepLook,
)
from ..state.prediction import QuestionKind
from ..state.reveal import AnswerShown
from ..state.view import AxisView, Panes
from .faults import LessonFaults
from .forms import RETIRED, place_named, setting_from
from .goals import parse_goal
from .markup import markup_faults
from .solution import parse_actions, unit

ID = re.compile(r"[a-z0-9-]{1,40}")
ID_WORDS = "1 to 40 small letters, digits and hyphens"
LONGEST_TITLE = 32
LESSON_OVERLAYS = frozenset({"grid", "bodies", "axes", "labels", "difference"})
"""Overlays that a step shows by default."""
CROWDING = frozenset({"grid", "labels", "axes", "contacts", "mtv"})
"""Overlays that, once a step removes them, stay hidden when its answer is shown."""
ANSWER_OVERLAYS = frozenset({"mtv", "closest", "contacts"})
"""Overlays that are added where the whole answer is shown; an open question hides them by itself."""

NumberedLine = tuple[int, str]
"""A line of the file: its number, from 1, and its text."""


class _Parts(Struct):
    """The lines of a step by kind: keys, text, options, and the parts under `###`."""

    keys: list[tuple[int, str, str]]
    text: list[NumberedLine]
    options: list[NumberedLine]
    parts: list[tuple[int, str, list[NumberedLine]]]


def read_step(lines: list[NumberedLine], faults: LessonFaults) -> LessonStep | None:
    """The step in the lines of one section, whose first line is not blank; None if that line is no title.

    Adds the step's faults.
    """
    number, first = lines[0]
    if not first.startswith("## "):
        faults.add(number, f"a step must begin with ## and its title, got {first.strip()!r}")
        return None
    title = first.removeprefix("## ").strip()
    if not 1 <= len(title) <= LONGEST_TITLE:
        faults.add(number, f"a step's title must have 1 to {LONGEST_TITLE} characters, got {len(title)}")
    parts = _sorted(lines[1:], faults)
    values = _Values(parts.keys, number, faults)
    options = [option for line, text in parts.options if (option := _option(line, text, faults)) is not None]
    _check_options(options, parts.options, faults)
    goals = values.goals()
    if goals and not values.has("solution"):
        faults.add(goals[0].line, "a step with a goal needs a solution, as > solution: choose yes")
    text = _joined(parts.text, faults)
    if not text:
        faults.add(number, "a step needs a text below its keys")
    extra = _extra_parts(parts.parts, faults)
    return LessonStep(
        id=values.id(),
        title=title,
        text=text,
        scene=values.scene(),
        feature=values.one("if", str, ""),
        look=values.look(),
        ask=values.one("ask", lambda value: _inquiry(value, values.line("ask")), None),
        options=tuple(options),
        goals=goals,
        together=values.one("together", _yes_or_no, False),
        solution=values.solution(),
        hints=tuple(extra.get("Hint", ())),
        almost=" ".join(extra.get("Almost", ())),
        then=" ".join(extra.get("Then", ())),
        line=number,
    )


def _sorted(lines: list[NumberedLine], faults: LessonFaults) -> _Parts:
    found = _Parts([], [], [], [])
    for number, text in lines:
        stripped = text.strip()
        if stripped.startswith("### "):
            found.parts.append((number, stripped.removeprefix("### ").strip(), []))
        elif stripped.startswith("#"):
            faults.add(number, f"a new step must stand behind a line with --- alone, got {stripped!r}")
        elif found.parts:
            found.parts[-1][2].append((number, stripped))
        elif stripped.startswith("> "):
            key, colon, value = stripped.removeprefix("> ").partition(":")
            if found.text or found.options:
                faults.add(number, "a step's keys must stand directly below its title")
            if not colon or not value.strip():
                faults.add(number, f"a key must be written as > key: value, got {stripped!r}")
            else:
                found.keys.append((number, key.strip(), value.strip()))
        elif stripped.startswith("- "):
            found.options.append((number, stripped))
        elif stripped and found.options:
            faults.add(number, "an option must stand on one line, and after the options only ### parts")
        elif stripped or found.text:
            found.text.append((number, stripped))
    return found


def _joined(lines: Iterable[NumberedLine], faults: LessonFaults) -> str:
    """The paragraphs of a text, each on one line. Adds the faults of its markup."""
    paragraphs: list[list[str]] = [[]]
    for number, text in lines:
        for fault in markup_faults(text):
            faults.add(number, fault)
        if text:
            paragraphs[-1].append(text)
        elif paragraphs[-1]:
            paragraphs.append([])
    return "\n".join(" ".join(words) for words in paragraphs if words)


_PARTS = ("Hint", "Almost", "Then")


def _extra_parts(parts: list[tuple[int, str, list[NumberedLine]]], faults: LessonFaults) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for number, name, lines in parts:
        text = _joined(lines, faults)
        if name not in _PARTS:
            faults.add(number, f"a part must be one of {', '.join(f'### {part}' for part in _PARTS)}; got {name!r}")
        elif name in found and name != "Hint":
            faults.add(number, f"### {name} stands twice in this step")
        elif not text:
            faults.add(number, f"### {name} needs a text")
        else:
            found.setdefault(name, []).append(text)
    return found


_OPTION = re.compile(r"- \((?P<mark>[x ])\) (?P<id>\S+) :: (?P<label>.+?)(?: :: (?P<why>.+))?")


def _option(line: int, text: str, faults: LessonFaults) -> LessonOption | None:
    found = _OPTION.fullmatch(text)
    if found is None:
        faults.add(line, "an option must be written as - (x) id :: Label, or - ( ) id :: Label :: Why not")
        return None
    if ID.fullmatch(found["id"]) is None:
        faults.add(line, f"an option's id must be {ID_WORDS}, got {found['id']!r}")
    right = found["mark"] == "x"
    if right and found["why"]:
        faults.add(line, "the right option has no why not: what is said about it stands under ### Then")
    if not right and not found["why"]:
        faults.add(line, "a wrong option must say why not, as - ( ) id :: Label :: Why not")
    for part in (found["label"], found["why"] or ""):
        for fault in markup_faults(part):
            faults.add(line, fault)
    return LessonOption(found["id"], found["label"], right, found["why"] or "")


def _check_options(options: list[LessonOption], lines: list[NumberedLine], faults: LessonFaults) -> None:
    if not options:
        return
    line = lines[0][0]
    rights = sum(option.right for option in options)
    if rights != 1:
        faults.add(line, f"exactly one option must be right, marked (x); got {rights}")
    if len({option.id for option in options}) < len(options):
        faults.add(line, "each option needs an id of its own")


class _Values:
    """Reads the keys of one step, and adds their faults with their lines."""

    def __init__(self, keys: list[tuple[int, str, str]], title_line: int, faults: LessonFaults) -> None:
        self._faults, self._title_line = faults, title_line
        self._lines: dict[str, list[NumberedLine]] = {}
        for line, key, value in keys:
            if key not in STEP_KEYS:
                faults.add(line, f"the key must be one of {', '.join(STEP_KEYS)}; got {key!r}")
            elif key in self._lines and key not in MANY:
                faults.add(line, f"the key {key} stands twice in this step")
            else:
                self._lines.setdefault(key, []).append((line, value))

    def line(self, key: str) -> int:
        """The line number of a key; the title's if the key is missing."""
        return self._lines[key][0][0] if key in self._lines else self._title_line

    def has(self, key: str) -> bool:
        """Whether the key is there, its value right or wrong."""
        return key in self._lines

    def all(self, key: str, read: Callable[[str, int], Any]) -> list[Any]:
        """The values of all lines of a key, without refused lines."""
        found = []
        for line, value in self._lines.get(key, ()):
            try:
                found.append(read(value, line))
            except ValueError as error:
                self._faults.add(line, f"{key}: {error}")
        return found

    def one(self, key: str, read: Callable[[str], Any], default: Any) -> Any:
        """The key's value; the default if the key is missing or its value is refused."""
        return next(iter(self.all(key, lambda value, _line: read(value))), default)

    def id(self) -> str:
        """The step's id; "" if it is missing, which is a fault, or refused."""
        if "id" not in self._lines:
            self._faults.add(self._title_line, f"a step needs an id, as > id: first-gap ({ID_WORDS})")
        return str(self.one("id", read_id, ""))

    def scene(self) -> str | None:
        """The name of the step's scene; None to keep the previous scene."""
        name = str(self.one("scene", str, "keep"))
        return None if name == "keep" else name

    def goals(self) -> tuple[Goal, ...]:
        """The goals, in order."""
        return tuple(self.all("goal", parse_goal))

    def solution(self) -> tuple[SolutionAction, ...]:
        """The actions of the solution, in order."""
        return tuple(action for actions in self.all("solution", parse_actions) for action in actions)

    def _setting(self, value: str, line: int) -> tuple[str, object] | None:
        path, equals, text = (part.strip() for part in value.partition("="))
        if not equals:
            raise ValueError(f"must be written as name = value, got {value!r}")
        if path in RETIRED:
            self._faults.add(line, f"the setting {path} is left out: {RETIRED[path]}", warning=True)
            return None
        return setting_from(path, text)

    def _hold(self, drag: frozenset[str]) -> Hold | None:
        if self.has("hold") and not drag:
            self._faults.add(self.line("hold"), "hold: needs a body that can be dragged, and drag says none")
        found: Hold | None = self.one("hold", hold_from, None)
        return found

    def look(self) -> StepLook:
        """The look of the step as it opens."""
        panes, swapped = self.one("panes", _panes, (Panes.BOTH, False))
        axes, family = self.one("axes", _axes, (AxisView.FOCUSED, ""))
        answer = self.one(
            "verdict", lambda value: AnswerShown(_known(value, [a.value for a in AnswerShown])), AnswerShown.FULL
        )
        time, motion = self.one("time", _time, (None, None))
        drag = self.one("drag", _drag, frozenset("ab"))
        fit = CameraRule.FIT if self.scene() is not None else CameraRule.KEEP
        added, removed = self.one("overlays", _overlays, (frozenset(), frozenset()))
        focus, place = self.one("focus", str, None), self.one("timeline", _timeline, None)
        shown = LESSON_OVERLAYS | (ANSWER_OVERLAYS if answer is AnswerShown.FULL else frozenset())
        chosen_by_pointing = self.one("ask", str, "").startswith(QuestionKind.AXIS.value)
        focused = focus is None and place is None and axes is AxisView.FOCUSED
        if answer is not AnswerShown.FULL and focused and not chosen_by_pointing:
            # The only rail would be the winner's, which gives away the answer.
            shown -= {"axes"}
        return StepLook(
            panes=panes,
            swapped=swapped,
            panels=self.one("panels", _panels, ()),
            overlays=(shown | added) - removed,
            # Overlays removed to hide the answer come back with it; overlays removed as crowding do not.
            revealed=((LESSON_OVERLAYS | ANSWER_OVERLAYS) - (removed & CROWDING)) | added
            if answer is not AnswerShown.NEVER
            else shown | (removed - CROWDING - ANSWER_OVERLAYS) | added,
            hidden=self.one("labels", _labels, frozenset()),
            axes=axes,
            family=family,
            focus=focus,
            answer=answer,
            timeline=place,
            until=self.one("until", place_named, None),
            free=self.one("free", _direction, None),
            settings=tuple(one for one in self.all("setting", self._setting) if one is not None),
            camera=self.one("camera", _camera, fit),
            drag=drag,
            hold=self._hold(drag),
            time=time,
            motion=motion,
        )


STEP_KEYS: Mapping[str, str] = {
    "id": "unique in the file; needed",
    "scene": "NAME of a block in this file, preset:ID, or keep (what the learner left)",
    "if": "the program must have this feature, else the step is left out",
    "panes": "world, difference, both, overlaid; or difference, world to put that one first",
    "panels": "none, or docked panels: " + " ".join(LESSON_PANELS),
    "overlays": "+id -id, relative to what lessons show; -difference comes back when the goals are met",
    "labels": "-id -id: kinds of labels that are not drawn, as -vertex-names",
    "axes": "focused, fan, cage, or family:face of A",
    "focus": "label of the axis that has the rail at the start",
    "verdict": "hidden, word (no number), full, or never",
    "timeline": "off, PHASE NUMBER, PHASE stop, or sat first_gap",
    "until": "the last place to which the timeline goes, as gjk 2 lower",
    "free": "direction of the free axis at the start, as [0, 1]",
    "setting": "name = value, of the algorithms",
    "camera": "fit, keep, origin (the difference seen from near), or YAW PITCH in degrees",
    "drag": "a b, a, b, or none",
    "hold": "turn or move with an axis, as turn y: a drag does this alone",
    "time": "of the motion, 0 to 1, or off (no motion shown)",
    "ask": "verdict, axis, vertex_a, vertex_b, leaves, face or contacts; with at PHASE NUMBER",
    "goal": "what must hold, as contacts == 2; several lines are met in order",
    "together": "yes: all goals must hold at the same moment",
    "solution": "what reaches the goals, separated by ;",
}
"""Every key of a step, with its values."""
MANY = ("goal", "setting", "solution")
"""Keys that may stand on several lines."""


# Readers of each key's value. All raise ValueError with what was expected.


def read_id(value: str) -> str:
    """Reads an id of a lesson or step. Raises ValueError for other text."""
    if ID.fullmatch(value) is None:
        raise ValueError(f"must be {ID_WORDS}, got {value!r}")
    return value


def _known(value: str, known: Iterable[str]) -> str:
    words = tuple(known)
    if value not in words:
        raise ValueError(f"must be one of {', '.join(words)}; got {value!r}")
    return value


def _yes_or_no(value: str) -> bool:
    return _known(value, ("yes", "no")) == "yes"


def _panes(value: str) -> tuple[Panes, bool]:
    words = tuple(word.strip() for word in value.split(","))
    if words == ("difference", "world"):
        return Panes.BOTH, True
    if words == ("world", "difference"):
        return Panes.BOTH, False
    return Panes(_known(value, [panes.value for panes in Panes])), False


def _panels(value: str) -> tuple[str, ...]:
    if value == "none":
        return ()
    return tuple(_known(name, LESSON_PANELS) for name in value.replace(",", " ").split())


def _overlays(value: str) -> tuple[frozenset[str], frozenset[str]]:
    known = [overlay.id for overlay in OVERLAYS]
    words = value.split()
    if any(word[0] not in "+-" for word in words):
        raise ValueError(f"must be a list such as +gauss -axes, got {value!r}")
    added, removed = (frozenset(_known(word[1:], known) for word in words if word[0] == sign) for sign in ("+", "-"))
    return added, removed


def _labels(value: str) -> frozenset[str]:
    words = value.split()
    if any(word[0] != "-" for word in words):
        raise ValueError(f"must be a list such as -vertex-names -bounds, got {value!r}")
    return frozenset(_known(word[1:], KIND_IDS) for word in words)


def _axes(value: str) -> tuple[AxisView, str]:
    kind, _, family = value.partition(":")
    if kind == AxisView.FAMILY.value:
        return AxisView.FAMILY, _known(family.strip(), [kind.value for kind in AxisKind])
    return AxisView(_known(value, ("focused", "fan", "cage"))), ""


def _timeline(value: str) -> LessonPlace | None:
    if value == "off":
        return None
    return place_named(value)


def _direction(value: str) -> tuple[float, float, float]:
    try:
        found = json.loads(value)
    except ValueError:
        found = None
    parts = found if isinstance(found, list) else []
    if len(parts) not in (2, 3) or not all(isinstance(x, int | float) and abs(x) <= LARGEST_NUMBER for x in parts):
        raise ValueError(f"must be [x, y] in the plane or [x, y, z] in space, got {value!r}")
    return unit(tuple(float(part) for part in parts))


def _camera(value: str) -> CameraRule | tuple[float, float]:
    if value in [rule.value for rule in CameraRule]:
        return CameraRule(value)
    try:
        yaw, pitch = (float(word) for word in value.split())
    except ValueError:
        raise ValueError(f"must be fit, keep, origin, or yaw and pitch in degrees; got {value!r}") from None
    if not abs(yaw) <= 360.0 or not abs(pitch) <= 90.0:
        raise ValueError(f"yaw must lie within ±360° and pitch within ±90°; got {value!r}")
    return radians(yaw), radians(pitch)


def _drag(value: str) -> frozenset[str]:
    return frozenset() if value == "none" else frozenset(_known(word, ("a", "b")) for word in value.split())


def _time(value: str) -> tuple[float | None, bool]:
    if value == "off":
        return None, False
    try:
        time = float(value)
    except ValueError:
        time = -1.0
    if not 0.0 <= time <= 1.0:
        raise ValueError(f"must be a number from 0 to 1, or off; got {value!r}")
    return time, True


def _inquiry(value: str, line: int) -> Inquiry:
    kind, _, place = value.partition(" at ")
    found = QuestionKind(_known(kind.strip(), [kind.value for kind in QuestionKind]))
    return Inquiry(found, _timeline(place.strip()) if place else None, line)
