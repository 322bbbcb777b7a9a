"""Writes the skeleton of a lesson from views in the window: one step for each view, then the scenes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import degrees

from msgspec import Struct

from core.analysis.algorithm_settings import AlgorithmSettings, changed_settings
from core.scene import Scene

from ..io.scene_file import write
from ..state.view import AxisView, View
from .forms import setting_from
from .step_file import ANSWER_OVERLAYS, LESSON_OVERLAYS

LONGEST_ID = 40
NEVER = frozenset({"triad"})
"""Overlays that a skeleton never adds: lessons do not need them."""
HEAD_TEXT = """---
<!-- id: progress is kept under it. Also: order, needs, teaches, author, licence. -->
id: {id}
title: {title}
world: {world}
minutes: {minutes}
---
"""
STEP_TEXT = """
## View {number}
{keys}

<!-- At most 40 words. [[gap]] shows a term. A choice: - (x) yes :: Yes, then - ( ) no :: No :: Why not. -->
Say here what to look at.

<!-- What the learner has to do: > goal: chose(yes) and > solution: choose yes among the keys. -->
"""


class Pinned(Struct, frozen=True):
    """A view for a step: the `scene`, the `view` with its place in the timeline, the `algorithm_settings`."""

    scene: Scene
    view: View
    algorithm_settings: AlgorithmSettings


def skeleton_of(pinned: Sequence[Pinned], name: str) -> str:
    """The text of a lesson file with a step for each view, which passes the check.

    `pinned`: at least one view. `name`: the file's name without its ending.
    """
    scenes: list[Scene] = []
    for each in pinned:
        if each.scene not in scenes:
            scenes.append(each.scene)
    words = re.findall(r"[a-z0-9]+", name.lower())
    title = " ".join(words)[:LONGEST_ID].strip().capitalize() or "My lesson"
    head = HEAD_TEXT.format(
        id="-".join(words)[:LONGEST_ID].strip("-") or "my-lesson",
        title=title,
        world={2: "plane", 3: "space"}[scenes[0].dimension],
        minutes=min(max(1, len(pinned)), 30),
    )
    steps = [
        STEP_TEXT.format(
            number=number, keys="\n".join(f"> {key}: {value}" for key, value in _keys(number, each, scenes))
        )
        for number, each in enumerate(pinned, 1)
    ]
    blocks = [f"\n```scene {_scene_name(k)}\n{write(scene).strip()}\n```\n" for k, scene in enumerate(scenes)]
    return head + "\n---\n".join(steps) + "".join(blocks)


def _scene_name(number: int) -> str:
    return f"scene-{number + 1}"


def _keys(number: int, pinned: Pinned, scenes: list[Scene]) -> Iterator[tuple[str, str]]:
    scene, view = pinned.scene, pinned.view
    yield "id", f"view-{number}"
    yield "scene", _scene_name(scenes.index(scene))
    yield "panes", "difference, world" if view.swapped else view.panes.value
    if view.axis_view is AxisView.FAMILY:
        yield "axes", f"family:{view.family}"
    elif view.axis_view is not AxisView.FOCUSED:
        yield "axes", view.axis_view.value
    if overlays := _overlays(view):
        yield "overlays", overlays
    if view.at is not None:
        yield "timeline", f"{view.at.phase.name.lower()} {view.at.index}"
    if view.free is not None:
        yield "free", json.dumps(list(view.free[: scene.dimension]))
    if view.hold is not None:
        yield "hold", view.hold.text
    yield "camera", f"{degrees(view.world.yaw) % 360.0:.1f} {degrees(view.world.pitch):.1f}"
    if view.motion is False:
        yield "time", "off"
    elif view.time is not None:
        yield "time", repr(view.time)
    yield from _settings(pinned.algorithm_settings)


def _overlays(view: View) -> str:
    """The value of the key `overlays`: the differences from the overlays that lessons show."""
    added = sorted(view.shown - LESSON_OVERLAYS - ANSWER_OVERLAYS - NEVER)
    removed = sorted((LESSON_OVERLAYS | ANSWER_OVERLAYS) - view.shown)
    return " ".join([*(f"+{name}" for name in added), *(f"-{name}" for name in removed)])


def _settings(settings: AlgorithmSettings) -> Iterator[tuple[str, str]]:
    """The settings that differ from the defaults and that a lesson can set; directions cannot be set."""
    for changed in changed_settings(settings):
        value = changed.value
        text = str(value).lower() if isinstance(value, bool) else value.value if isinstance(value, StrEnum) else value
        try:
            setting_from(changed.path, str(text))
        except ValueError:
            continue
        yield "setting", f"{changed.path} = {text}"
