"""The places of named steps in a query, and the query that has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.query.query import MOTION_PHASES, Query, phase_named, query, settings_for

from ..state.lesson import FIRST_GAP, STOP
from ..state.named_steps import NamedSteps
from ..state.view import WHOLE
from ..words.axis_words import listed
from ..words.names import row_of
from . import parts_of

if TYPE_CHECKING:
    from core.analysis.analysis import Analysis
    from core.analysis.motion_answers import SweepAnswer


class NoSuchStepError(ValueError):
    """A scene does not have the steps asked for; the text is a sentence that follows the scene's name."""


class PlacedStep(NamedTuple):
    """A step by its place in a query, from 0; -1 is the answer. `part`: the name of a sub-step, or WHOLE."""

    place: int
    part: str = WHOLE


def settings_of(steps: tuple[NamedSteps, ...], settings: AlgorithmSettings = DEFAULT_SETTINGS) -> AlgorithmSettings:
    """The settings under which a query has the steps: the given ones, with each named phase turned on."""
    return reduce(lambda found, item: settings_for(phase_named(item.phase), found), steps, settings)


def query_with(
    steps: tuple[NamedSteps, ...],
    analysis: Analysis,
    settings: AlgorithmSettings = DEFAULT_SETTINGS,
    moving: SweepAnswer | None = None,
    *,
    motion: bool = False,
) -> Query:
    """The query that has the steps, with a motion's steps too if one of them is named or if `motion` is set.

    `moving`: the answer about the motion, if it is known already.
    """
    asked = query(analysis, settings_of(steps, settings))
    if not motion and not any(phase_named(item.phase) in MOTION_PHASES for item in steps):
        return asked
    # Imported here because few queries have a motion.
    from core.analysis.motion_answers import sweep
    from core.query.motion_steps import with_motion

    return with_motion(asked, moving or sweep(analysis.scene))


def places_of(steps: tuple[NamedSteps, ...], asked: Query) -> list[PlacedStep]:
    """The places of the steps, in the order of their names.

    Raises NoSuchStepError if the query lacks one of them, or if a step lacks the sub-step named.
    """
    return [place for item in steps for place in (_of_phase(item, asked) if item.phase else _of_query(item, asked))]


def _of_query(item: NamedSteps, asked: Query) -> Sequence[PlacedStep]:
    count = len(asked.moments)
    if item.first is None:
        return [PlacedStep(place) for place in range(count)]
    first, last = (count if end == STOP else int(end or 0) for end in (item.first, item.last))
    if not first <= last <= count:
        named = f"step {first}" if item.single else f"steps {first}-{last}"
        raise NoSuchStepError(f"has no {named}: there are {count}, from 1 to {count}, and 0, the answer")
    return [PlacedStep(number - 1) for number in range(first, last + 1)]


def _of_phase(item: NamedSteps, asked: Query) -> Sequence[PlacedStep]:
    name = item.phase
    phases = {phase.name.lower(): (first, count) for phase, first, count in asked.phases}
    if name not in phases:
        raise NoSuchStepError(f"has no steps of {name}: its query has those of {listed(list(phases))}")
    start, count = phases[name]
    if item.first is None:
        return [PlacedStep(start + index) for index in range(count)]
    first, last = (_number(name, end, phases, asked) for end in (item.first, item.last))
    if not 1 <= first <= last <= count:
        named = f"step {name}:{item.first}" if item.single else f"steps {name}:{item.first}-{item.last}"
        raise NoSuchStepError(f"has no {named}: there are {count}, from {name}:1 to {name}:{count}")
    found = [PlacedStep(start + number - 1) for number in range(first, last + 1)]
    return found if item.part == WHOLE else [PlacedStep(found[0].place, _part(item, found[0].place, asked))]


def _number(name: str, end: int | str | None, phases: Mapping[str, tuple[int, int]], asked: Query) -> int:
    """The number, from 1, of a phase's step. `end`: a number, STOP or None for the last, FIRST_GAP, or SAT's axis.

    Raises NoSuchStepError if no axis has a gap or this name.
    """
    start, count = phases[name]
    if isinstance(end, int):
        return end
    if end == STOP or end is None:
        return count
    moments = asked.moments[start : start + count]
    if end == FIRST_GAP:
        gaps = [moment.index + 1 for moment in moments if getattr(moment.step, "first_gap", False)]
        if not gaps:
            raise NoSuchStepError(f"has no step {name}:{end.replace('_', '-')}: no axis has a gap")
        return gaps[0]
    row = row_of(asked.analysis.sat, end)
    numbers = [moment.index + 1 for moment in moments if getattr(moment.step, "row", None) == row]
    if row is None or not numbers:
        raise NoSuchStepError(f"has no step {name}:{end}: no axis is called so")
    return numbers[0]


def _part(item: NamedSteps, place: int, asked: Query) -> str:
    names = {known.name.replace(" ", "-"): known.name for known in parts_of(asked, asked.moments[place])}
    names[WHOLE] = WHOLE
    if item.part not in names:
        step = f"{item.phase}:{item.first}"
        raise NoSuchStepError(f"has no part {item.part} of step {step}: it has {listed(list(names))}")
    return names[item.part]
