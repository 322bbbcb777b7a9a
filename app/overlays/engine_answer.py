"""What another engine says, beside ours: its normal, points and contacts, and its point of A − B.

There while its row is chosen in the panel "Engines", gray where it is about an earlier pose. It has the id of the
contact vertices, so that whatever hides these hides it, too.
"""

from __future__ import annotations

import numpy as np

from core.differential.answers import EngineAnswer
from core.geometry.vector import Array, length, unit

from ..draw.draw_list import DrawList, Marker, Rgba
from ..draw.theme import ENGINE_COLOURS
from ..words.names import numbered
from .context import Context, Overlay
from .style import PLAIN

MOST_NAMES = 8
"""More contacts than these are not named one by one."""
LENGTH = 0.35
"""Length of the normal's arrow in the world, in radii of the pair: it is a direction and no distance."""


def _world(context: Context, draw: DrawList) -> None:
    said, rgba, title = _of(context)
    if said is not None:
        draw_world(context, draw, said, rgba, title)


def draw_world(context: Context, draw: DrawList, said: EngineAnswer, rgba: Rgba, title: str) -> None:
    """The points, contacts and normal of another answer, named by its title."""
    ends = [(name, np.array(at)) for name, at in (("A", said.on_a), ("B", said.on_b)) if at is not None]
    contacts = [np.array(contact.point) for contact in said.contacts]
    for name, at in ends:
        _spot(context, draw, at, rgba, f"{title}, on {name}", 14.0 if name == "A" else -14.0)
    for number, at in enumerate(contacts):
        _spot(context, draw, at, rgba, f"{title}, {numbered('c', number)}" if len(contacts) <= MOST_NAMES else "", 14.0)
    way = _direction(said)
    if way is not None:
        foot = ends[0][1] if ends else np.mean(contacts, axis=0) if contacts else context.analysis.witness_a
        tip = foot + LENGTH * context.extent.radius * way
        draw.strong(foot, tip, rgba, 2.4, arrow_end=11.0)
        draw.label(f"{title}, normal", tip, rgba, size=PLAIN, offset=(0.0, -12.0), priority=62)


def _difference(context: Context, draw: DrawList) -> None:
    said, rgba, title = _of(context)
    if said is not None:
        draw_difference(context, draw, said, rgba, title)


def draw_difference(context: Context, draw: DrawList, said: EngineAnswer, rgba: Rgba, title: str) -> None:
    """The point of A − B that its number and normal claim to be nearest the origin."""
    way, number = _direction(said), said.signed
    if way is not None and number is not None:
        at = -number * way
        draw.strong(np.zeros(3), at, rgba, 2.4, arrow_end=9.0)
        _spot(context, draw, at, rgba, title, 14.0)
    elif said.on_a is not None and said.on_b is not None:
        _spot(context, draw, np.subtract(said.on_a, said.on_b), rgba, title, 14.0)


def _of(context: Context) -> tuple[EngineAnswer | None, Rgba, str]:
    row = context.engine
    if row is None:
        return None, context.theme.dim_text, ""
    current = row.is_of(context.scene)
    return row.said, ENGINE_COLOURS[context.theme.ground] if current else context.theme.dim_text, row.title


def _direction(said: EngineAnswer) -> Array | None:
    way = None if said.normal is None else np.array(said.normal)
    return None if way is None or not length(way) else unit(way)


def _spot(context: Context, draw: DrawList, at: Array, rgba: Rgba, name: str, below: float) -> None:
    draw.spots(at, context.theme.halo, 5.5, rgba, 2.2, shape=Marker.DIAMOND)
    if name:
        draw.label(name, at, rgba, size=PLAIN, offset=(0.0, below), priority=61)


OVERLAY = Overlay(
    "contacts",
    "Another engine's answer",
    "",
    "Its normal, points and contacts",
    world=_world,
    difference=_difference,
    of_answer=True,
)
