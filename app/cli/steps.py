"""`separatrix steps`: prints the steps about a scene with the numbers and names that `--step` takes."""

from __future__ import annotations

import sys
from typing import Any

from core.analysis.algorithm_settings import DEFAULT_SETTINGS
from core.analysis.analysis import analyse
from core.query.query import Moment, Query

from ..forms.files import load_pair
from ..io.scene_file import SceneError
from ..io.scene_log import is_log
from ..stages import parts_of, step_text
from ..stages.placed_steps import NoSuchStepError, places_of, query_with
from ..state.named_steps import ALL, read_steps
from ..state.view import View
from ..storage.strict_json import json_line
from .faults import FaultGuard
from .report import printable


def steps(file: str, form: str = "", *, of: str, as_json: bool, sub_steps: bool) -> int:
    """Prints a line for each step of the scene in `file`; returns the exit status.

    `sub_steps`: adds a line for each sub-step; with `as_json` they are always there. `form`: of a text, "" to try all.
    `of`: only these steps, in the form of `--steps`; "" for the steps under default settings. Raises ValueError if `of`
    has another form. Steps of an algorithm that a setting turns on are listed only if `of` names them. They have no
    numbers, since numbers count the steps under default settings.
    """
    wanted = read_steps(of or ALL)
    if is_log(file):
        print(f"{file}: is a log; the steps are those of one scene", file=sys.stderr)
        return 1
    try:
        loaded = load_pair(file, form)
    except SceneError as error:
        print(printable(str(error)), file=sys.stderr)
        return 1
    with FaultGuard(file, loaded.scene) as attempt:
        scene = loaded.scene
        asked = query_with(wanted, analyse(scene), motion=(loaded.view or View()).shows_motion(scene))
        try:
            places = [place for place, _ in places_of(wanted, asked) if place >= 0]
        except NoSuchStepError as error:
            print(f"{printable(file)}: {error}", file=sys.stderr)
            return 1
        for place in places:
            moment, number = asked.moments[place], place + 1 if asked.settings == DEFAULT_SETTINGS else None
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
    values: dict[str, Any] = {
        "number": number,
        "step": step_name(moment),
        "title": step_text(asked, moment).title,
        "sub_steps": [f"{step_name(moment)}:{part_name(part.name)}" for part in parts_of(asked, moment)],
    }
    return json_line(values)
