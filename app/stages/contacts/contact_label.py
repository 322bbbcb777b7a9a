"""Contacts' labels: number, and depth where there is room; if pointed at or few, also the features."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from core.contact.contact import Contact, Manifold
from core.geometry.vector import Array

from ...draw.draw_list import DrawList, Rgba, Subject
from ...overlays.contacts import label_depth_of_all
from ...overlays.context import Context
from ...overlays.style import FINE, PLAIN
from ...words.contact_words import CONTACT, contact_name, contact_numbers, depth_of_all, depth_words
from ...words.names import pair_name

FEW = 2
"""If a manifold has at most this many contacts, with those that the reduction leaves out, each label names features."""


def subject_of_contact(context: Context, pair: tuple[str, str]) -> Subject | None:
    """The subject of the contact of a pair of features, kept by the reduction or not; None if the query has none."""
    number = None if context.query is None else contact_numbers(context.query).get("|".join(pair))
    return None if number is None else Subject(CONTACT, number)


class ContactLabel(Struct, frozen=True, eq=False):
    """The contents of a contact's label: its `pair` of features and its depth; `point` (3,): its place.

    `kept`: it is not left out by the step.
    """

    pair: tuple[str, str]
    depth: float
    point: Array
    rgba: Rgba
    kept: bool = True

    @staticmethod
    def of(contact: Contact, rgba: Rgba, *, kept: bool) -> ContactLabel:
        """The label of a contact of a manifold. `kept`: as in ContactLabel."""
        return ContactLabel((contact.feature_a, contact.feature_b), contact.depth, contact.position, rgba, kept)


def label_contacts(context: Context, draw: DrawList, labels: Sequence[ContactLabel]) -> None:
    """Labels contacts, `c₃  depth 0.05`, those that the step leaves out in small type.

    A point that no contact comes from has the label `depth 0.05: dropped`.

    A depth that all contacts have, in the digits shown, is said once, in their middle.
    """
    found = [label for label in labels if subject_of_contact(context, label.pair) is not None]
    depth = depth_of_all([label.depth for label in found])
    label_depth_of_all(draw, depth, [label.point for label in found], context.theme.overlap)
    for label in labels:
        _label(context, draw, label, "" if depth else f"  {depth_words(label.depth)}")


def _label(context: Context, draw: DrawList, label: ContactLabel, depth: str) -> None:
    """Labels one contact; `depth`: its depth in words, after two spaces, "" if it is said for all contacts."""
    subject, found = subject_of_contact(context, label.pair), _found(context)
    if subject is None or found is None:
        draw.label(
            f"{depth_words(label.depth)}: dropped",
            label.point,
            label.rgba,
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
    draw.label(
        f"{name}  {pair_name(context.scene, label.pair)}{depth}" if whole else f"{name}{depth}",
        label.point,
        context.theme.hover if hot else label.rgba,
        size=PLAIN if label.kept else FINE,
        offset=(0.0, 13.0),
        priority=90 if hot else 70 if label.kept else 30,
        subject=subject,
        bold=hot,
        brief=f"{name}{depth}" if whole else name,
        kind="contact-names",
    )


def _found(context: Context) -> Manifold | None:
    return None if context.query is None else context.query.manifold
