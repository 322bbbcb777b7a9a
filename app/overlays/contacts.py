"""Contact vertices (each body's feature nearest the separating plane, with names), and the contacts of the manifold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.geometry.vector import Array
from core.pair.features import SupportFeature

from ..draw.draw_list import DrawList, Hidden, Layer, Rgba, Subject
from ..draw.theme import faded
from ..words.contact_words import CONTACT, contact_name, depth_of_all, depth_words
from .context import Context, Overlay
from .style import PLAIN


def _world(context: Context, draw: DrawList) -> None:
    sat, row = context.analysis.sat, context.source
    if row is not None and int(sat.same_as[row]) != int(sat.same_as[sat.winner]):
        # Another axis has its source lit, with dots of its own. The winner's dots beside them could be taken for those.
        return
    features = context.analysis.contact_vertices
    for index, feature in enumerate((features.a, features.b)):
        draw_feature(context, draw, index, feature)


def draw_feature(context: Context, draw: DrawList, index: int, feature: SupportFeature) -> None:
    """Draws a feature of body `index` with the names of its vertices."""
    rgba = context.theme.edge(index)
    body = Subject("body", index)
    kind = "vertex_b" if index else "vertex_a"
    subjects = [Subject(kind, number) for number in feature.indices] or [body] * len(feature.points)
    if feature.kind in ("face", "disc"):
        draw.sheet(feature.points, faded(rgba, 0.22), body)
    if len(feature.points) > 1:
        draw.polyline(feature.points, rgba, 3.4, closed=len(feature.points) > 2, hidden=Hidden.SHOW, layer=Layer.NORMAL)
    draw.spots(feature.points, rgba, 4.6, context.theme.halo, 1.5, subject=subjects)
    for vertex, point in zip(feature.indices, feature.points, strict=False):
        draw.label(
            f"{'AB'[index]}.v{vertex}",
            point,
            rgba,
            size=PLAIN,
            offset=(0.0, 13.0 if index else -13.0),
            priority=40,
            kind="vertex-names",
        )


OVERLAY = Overlay(
    "contacts",
    "Contact vertices",
    "K",
    "The vertex, edge or face of each body nearest the separating plane",
    world=_world,
    of_answer=True,
)


MOST_WITH_DEPTHS = 4
"""If there are more contacts than this, of different depths, labels have only their names, without depths."""


def _draw_manifold(context: Context, draw: DrawList) -> None:
    found, theme = context.analysis.contacts, context.theme
    if found is None or context.contact_times is not None:
        return
    rgba = theme.dim_text if context.analysis.contacts_earlier else theme.overlap
    depth = depth_of_all([contact.depth for contact in found.contacts])
    label_depth_of_all(draw, depth, [contact.position for contact in found.contacts], theme.text)
    for number, contact in enumerate(found.contacts):
        subject, name = Subject(CONTACT, number), contact_name(number)
        # Hollow where the surfaces are apart, as at the steps.
        fill, rim = (theme.halo, rgba) if contact.gap else (rgba, theme.halo)
        draw.spots(contact.position, fill, 5.2, rim, 1.5, subject=subject)
        words = name if depth or len(found.contacts) > MOST_WITH_DEPTHS else f"{name}  {depth_words(contact.depth)}"
        at = contact.position
        draw.label(
            words,
            at,
            theme.text,
            size=PLAIN,
            offset=(0.0, 14.0),
            priority=78,
            subject=subject,
            brief=name,
            kind="contact-names",
        )


def label_depth_of_all(draw: DrawList, depth: str, points: Sequence[Array], rgba: Rgba) -> None:
    """Labels the middle of contacts (3,) with the depth that they all have; `depth`: in words, "" for no label."""
    if depth:
        middle = np.mean(points, axis=0)
        draw.label(f"{depth} each", middle, rgba, size=PLAIN, priority=76, brief=depth, kind="contact-names")


MANIFOLD = Overlay(
    "manifold",
    "Contacts",
    "",
    "The points of the contact manifold, with their depths",
    world=_draw_manifold,
    of_answer=True,
)
