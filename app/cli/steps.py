"""`separatrix steps`: prints the steps about a scene with the numbers and names that `--step` takes."""

from __future__ import annotations

import sys
from typing import Any

from core.analysis.algorithm_settings import DEFAULT_SETTINGS
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.query.motion_steps import with_motion
from core.query.query import MOTION_PHASES, Moment, Query, phase_named, query, settings_for

from ..forms.files import load_pair
from ..io.scene_file import SceneError
from ..io.scene_log import is_log
from ..stages import parts_of, step_text
from ..state.view import View
from ..storage.strict_json import json_line
from ..words.axis_words import listed
from .faults import FaultGuard
from .report import printable


def steps(file: str, form: str = "", *, of: str, as_json: bool, sub_steps: bool) -> int:
    """Prints a line for each step of the scene in `file`; returns the exit status.

    `form`: of a text, "" to ask all. `of`: the steps of this phase alone, in small letters; those of an algorithm that
    a setting turns on are listed only so, and have no numbers, which are those of the steps by default. "": the steps
    by default.
    """
    wanted = phase_named(of)
    settings = settings_for(wanted)
    if is_log(file):
        print(f"{file}: is a log; the steps are those of one scene", file=sys.stderr)
        return 1
    try:
        loaded = load_pair(file, form)
    except SceneError as error:
        print(printable(str(error)), file=sys.stderr)
        return 1
    with FaultGuard(file, loaded.scene) as attempt:
        scene, asked = loaded.scene, query(analyse(loaded.scene), settings)
        if wanted in MOTION_PHASES or (loaded.view or View()).shows_motion(scene):
            asked = with_motion(asked, sweep(scene))
        phases = [phase for phase, _, _ in asked.phases]
        if of and wanted not in phases:
            there = listed([phase.name.lower() for phase in phases])
            print(f"{printable(file)}: has no steps of {of}: its query has those of {there}", file=sys.stderr)
            return 1
        for place, moment in enumerate(asked.moments, start=1):
            if wanted in (None, moment.phase):
                number = place if settings == DEFAULT_SETTINGS else None
                print(_json(asked, number, moment) if as_json else _text(asked, number, moment, sub_steps=sub_steps))
    if attempt.fault:
        print(printable(attempt.fault), file=sys.stderr)
        return 1
    return 0


def step_name(moment: Moment) -> str:
    """The name of a step by its phase and number, as `gjk:3`."""
    return f"{moment.phase.name.lower()}:{moment.index + 1}"


def part_name(name: str) -> str:
    """A sub-step's name on the command line, as `support-A`."""
    return name.replace(" ", "-")


def _text(asked: Query, number: int | None, moment: Moment, *, sub_steps: bool) -> str:
    name, title = step_name(moment), step_text(asked, moment).title
    lines = [f"{number or '':>4}  {name:<16}{printable(title)}"]
    if sub_steps:
        lines += [f"      {name}:{part_name(part.name)}" for part in parts_of(asked, moment)]
    return "\n".join(lines)


def _json(asked: Query, number: int | None, moment: Moment) -> str:
    told: dict[str, Any] = {
        "number": number,
        "step": step_name(moment),
        "title": step_text(asked, moment).title,
        "sub_steps": [f"{step_name(moment)}:{part_name(part.name)}" for part in parts_of(asked, moment)],
    }
    return json_line(told)
