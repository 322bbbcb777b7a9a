"""A contact's label: its number with the depth where there is room; when pointed at, its features too."""

from __future__ import annotations

from core.contact.contact import Contact, Manifold
from core.geometry.vector import Array

from ...draw.draw_list import DrawList, Rgba, Subject
from ...overlays.context import Context
from ...overlays.style import FINE, PLAIN
from ...words.contact_words import CONTACT, contact_name, numbers_of
from ...words.digits import signed
from ...words.names import pair_name

FEW = 2
"""At most this many contacts have room for their features' names."""


def subject_of(context: Context, pair: tuple[str, str]) -> Subject | None:
    """The subject of a contact, by its number from 0; None for a pair that is no contact of the query."""
    found = _found(context)
    number = None if found is None else numbers_of(found).get("|".join(pair))
    return None if number is None else Subject(CONTACT, number)


def label_contact(
    context: Context,
    draw: DrawList,
    pair: tuple[str, str],
    depth: float,
    point: Array,
    rgba: Rgba,
    *,
    kept: bool = True,
) -> None:
    """Labels a contact, `c₃  depth 0.05`; a point that is no contact of the query as `dropped`, in small type."""
    subject, found = subject_of(context, pair), _found(context)
    brief = f"depth {signed(depth)}"
    if subject is None or found is None:
        draw.label(
            f"{brief}: dropped",
            point,
            rgba,
            size=FINE,
            offset=(0.0, 13.0),
            priority=30,
            brief="dropped",
            kind="contact-names",
        )
        return
    name = contact_name(subject.number)
    hot = subject in (context.view.hover, context.view.pin)
    whole = hot or len(found.contacts) + len(found.dropped) <= FEW
    words = f"{name}  {pair_name(context.scene, pair)}  {brief}" if whole else f"{name}  {brief}"
    draw.label(
        words,
        point,
        context.theme.hover if hot else rgba,
        size=PLAIN if kept else FINE,
        offset=(0.0, 13.0),
        priority=90 if hot else 70 if kept else 30,
        subject=subject,
        bold=hot,
        brief=f"{name}  {brief}" if whole else name,
        kind="contact-names",
    )


def label_of(context: Context, draw: DrawList, contact: Contact, rgba: Rgba, *, kept: bool) -> None:
    """Labels a contact of a manifold."""
    pair = (contact.feature_a, contact.feature_b)
    label_contact(context, draw, pair, contact.depth, contact.position, rgba, kept=kept)


def _found(context: Context) -> Manifold | None:
    return None if context.query is None else context.query.manifold
