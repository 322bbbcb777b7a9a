"""Another engine's answer beside ours: its normal, points and contacts, and its point of A − B.

It also has the simplexes of the engine's search, if the engine reports them, and the bodies' outlines as the engine
tests them, if it adds a margin. It is drawn while the engine's row is chosen in the panel "Engines", gray if the answer
is for an earlier pose. The overlay has the id of the contact vertices, so that it is hidden whenever they are.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from core.geometry.triple import Triple
from core.geometry.vector import Array, length, unit
from core.shapes.margins import seams, with_margin
from core.study.differential.answers import EngineAnswer

from ..draw.draw_list import DrawList, Hidden, Layer, Marker, Rgba, Subject
from ..draw.theme import ENGINE_COLOURS, faded
from ..words.digits import plain
from ..words.names import numbered
from .context import Context, Overlay
from .style import PLAIN

MOST_NAMES = 8
"""If there are more contacts, they have no names; later simplexes than this have none either."""
LENGTH = 0.35
"""Length of the normal's arrow in the world, in radii of the pair; it shows a direction and no distance."""


def _world(context: Context, draw: DrawList) -> None:
    said, rgba, title = _of(context)
    if said is not None:
        draw_world(context, draw, said, rgba, title)
        _draw_margins(context, draw, rgba, title)


def _draw_margins(context: Context, draw: DrawList, rgba: Rgba, title: str) -> None:
    """Draws the outlines of the bodies as an engine with a margin tests them, if one is shown, and names the margin."""
    row = context.engine
    if row is None or row.engine is None:
        return
    told = ""
    for index, body in enumerate((context.scene.a, context.scene.b)):
        inset, radius = row.engine.rounds.get(body.shape.word, (0.0, 0.0))
        shape = with_margin(body.shape, inset, radius) if radius else None
        if shape is None:
            continue
        for seam in seams(shape):
            loop, subject = body.pose.to_world(seam), Subject("body", index)
            draw.polyline(loop, rgba, 1.2, closed=True, layer=Layer.STRONG, subject=subject)
        words = f"edges of radius {plain(radius)}" if inset else f"{plain(radius)} larger"
        if words == told:
            continue
        told = words
        side = np.array((0.0, -1.0 if index else 1.0, 0.0))
        foot = body.pose.to_world(shape.support(body.pose.direction_to_local(side)))
        draw.label(f"{title}: {words}", foot, rgba, size=PLAIN, offset=(0.0, -14.0 * side[1]), priority=60, brief=words)


def draw_world(context: Context, draw: DrawList, said: EngineAnswer, rgba: Rgba, title: str) -> None:
    """Draws the points, contacts and normal of another answer, named by its title."""
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
        _draw_simplexes(draw, said, rgba)
        draw_difference(context, draw, said, rgba, title)


def _draw_simplexes(draw: DrawList, said: EngineAnswer, rgba: Rgba) -> None:
    """Draws the simplexes of the engine's search, the last one strong; new corners have their simplex's number."""
    known: list[Triple] = []
    for number, simplex in enumerate(said.simplexes):
        last = number == len(said.simplexes) - 1
        look, width = (rgba, 2.2) if last else (faded(rgba, 0.45), 1.1)
        if len(simplex) > 1:
            ends = np.array(list(combinations(simplex, 2)))
            draw.lines(ends[:, 0], ends[:, 1], look, width, hidden=Hidden.SHOW, layer=Layer.STRONG)
        for corner in simplex:
            if corner not in known:
                known.append(corner)
                draw.points(np.array(corner), rgba, 3.4, hidden=Hidden.SHOW)
                if number < MOST_NAMES:
                    name = numbered("s", number)
                    draw.label(name, np.array(corner), rgba, size=PLAIN, offset=(10.0, -10.0), priority=58)


def draw_difference(context: Context, draw: DrawList, said: EngineAnswer, rgba: Rgba, title: str) -> None:
    """Draws the point of A − B nearest the origin by the answer's separation and normal, else by its two points.

    Draws nothing if the answer has neither.
    """
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
    return row.finite_answer, ENGINE_COLOURS[context.theme.suits] if current else context.theme.dim_text, row.title


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
