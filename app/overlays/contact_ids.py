"""Contacts by their ids, in the colours of the panel "Contacts over time"; drawn while the panel is shown.

The overlay has the id of the contact vertices, so that it is hidden whenever they are.
"""

from __future__ import annotations

from ..draw.draw_list import DrawList
from ..draw.theme import contact_colour
from ..words.names import numbered
from .context import Context, Overlay
from .style import PLAIN

MOST_NAMES = 8
"""If there are more contacts than this, they have no names and differ by colour alone."""


def _world(context: Context, draw: DrawList) -> None:
    times = context.contact_times
    frame = None if times is None or times.shown is None else times.shown.frame
    if times is None or frame is None or not times.frames or not context.scene.stands_as(times.scene):
        return
    for identity, contact in sorted(zip(frame.ids, frame.contacts, strict=True), key=lambda pair: pair[0]):
        rgba, halo = contact_colour(identity), context.theme.halo
        fill, rim = (halo, rgba) if contact.gap else (rgba, halo)
        draw.spots(contact.position, fill, 6.0, rim, 2.0)
        if len(frame.ids) <= MOST_NAMES:
            name = numbered("c", identity)
            draw.label(
                name,
                contact.position,
                context.theme.text,
                size=PLAIN,
                offset=(11.0, -9.0),
                priority=60,
                kind="contact-names",
            )


OVERLAY = Overlay(
    "contacts",
    "Contacts over time",
    "",
    "Each contact in the colour of its id",
    world=_world,
    of_answer=True,
)
