"""Pictures of the overlap region's steps: planes across the normal, flat parts, shadows, cuts, depths, contacts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.contact.contact import (
    Contact,
    CornerDepthsStep,
    CutStep,
    FlatStep,
    LevelStep,
    ManifoldStep,
    NormalStep,
    ReduceStep,
    ShadowsStep,
    WitnessStep,
)
from core.contact.region import Loop, LoopSide, clip, hull_of, polygon_loop
from core.geometry.vector import Array, any_perpendicular, cross, dots, product

from ...draw.draw_list import NO_SUBJECT, DrawList, Hidden
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.style import PLAIN, STRONG
from ...words.contact_words import angles_beside
from ...words.names import feature_name
from ..stage import steps_of
from .contact_label import ContactLabel, label_contacts, subject_of_contact
from .cut import Cut, draw_outline

ORDINALS = ("1st", "2nd", "3rd", "4th")
"""Numbers of the contacts kept, in the order of their choice; a plain `1` could be taken for the contact `c₁`."""
BANDS = 5
"""Number of the heat map's colours, from the deepest point to the shallowest."""
HIDDEN_DIVISOR = 16
"""A line as long as the pair's radius divided by this lies wholly below the mark of a contact in its middle."""


def draw_region(context: Context, draw: DrawList, step: ManifoldStep) -> None:
    """Draws one step of the overlap region; nothing for a step of another policy."""
    match step:
        case NormalStep():
            _draw_normal(context, draw, step)
        case FlatStep():
            _draw_flats(context, draw, step)
        case ShadowsStep():
            for index, outline in enumerate((step.of_a, step.of_b)):
                rgba, points = context.theme.edge(index), outline.points
                draw_outline(draw, points, rgba, 2.6, 0.22)
                if len(points):
                    words, offset = f"shadow of {'AB'[index]}", (0.0, 18.0 if index else -18.0)
                    draw.label(
                        words, points.mean(axis=0), rgba, size=PLAIN, offset=offset, priority=65, kind="contact-names"
                    )
        case CutStep() | LevelStep():
            Cut(step).whole(context, draw)
        case CornerDepthsStep():
            _draw_heat(context, draw, step)
            _draw_depths(context, draw, step)
        case WitnessStep():
            _draw_nearest(context, draw, step)
        case ReduceStep():
            draw_reduced(context, draw, step)


def draw_reduced(context: Context, draw: DrawList, step: ReduceStep) -> None:
    """Draws the contacts kept, with the order of their choice and the area that they span; the others are hollow."""
    theme, points = context.theme, np.array([contact.position for contact in step.chosen])
    draw_outline(draw, points[_hull(context, points)], theme.overlap, 1.6, 0.2)
    _draw_contacts(context, draw, step.chosen, step.dropped)
    for ordinal, contact in zip(ORDINALS, step.chosen, strict=False):
        offset = (0.0, -15.0)
        draw.label(
            ordinal,
            contact.position,
            theme.winner,
            size=STRONG,
            offset=offset,
            priority=86,
            bold=True,
            kind="contact-names",
        )


def _hull(context: Context, points: Array) -> list[int]:
    """Indices of those points (k, 3) that are corners of the area spanned, seen along the normal, in loop order."""
    if context.query is None or context.query.manifold is None:
        return []
    u = any_perpendicular(context.query.manifold.normal)
    axes = np.stack((u, cross(context.query.manifold.normal, u)), axis=1)
    return hull_of([(x, y) for x, y in product(points - points[0], axes).tolist()])


def _draw_normal(context: Context, draw: DrawList, step: NormalStep) -> None:
    """Draws the normal at A's nearest point, and each body's plane across it."""
    size = 0.3 * context.extent.radius
    u = any_perpendicular(step.normal)
    v = cross(step.normal, u)
    for index, point in enumerate((step.witness_a, step.witness_b)):
        rgba = context.theme.edge(index)
        if context.analysis.polygon is not None:
            way = cross(step.normal, np.array((0.0, 0.0, 1.0)))
            draw.polyline(np.array((point - size * way, point + size * way)), rgba, 1.8, hidden=Hidden.SHOW)
        else:
            draw_outline(draw, np.array([point + size * (s * u + t * v) for s, t in SQUARE]), rgba, 1.4, 0.14)
        draw.spots(point, rgba, 4.6, context.theme.halo, 1.5)
    tip = step.witness_a + 0.4 * context.extent.radius * step.normal
    draw.strong(step.witness_a, tip, context.theme.normal, 2.4, arrow_end=12.0)
    draw.label("normal", tip, context.theme.normal, size=PLAIN, offset=(14.0, -8.0), priority=60, kind="contact-names")


SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
"""Corners of a square, in loop order."""


def _draw_flats(context: Context, draw: DrawList, step: FlatStep) -> None:
    """Draws the flat part with its angle; the name of a point is gray if the flattest part there is too steep."""
    rgba = context.theme.edge(step.body)
    steep = step.angle is not None and step.angle > step.alpha
    draw_outline(draw, step.outline.points, rgba, 3.4, 0.30)
    draw.spots(step.point, rgba, 4.6, context.theme.halo, 1.5)
    points = step.outline.points if len(step.outline.points) else step.point.reshape(1, 3)
    words = feature_name(context.scene, step.body, step.name)
    # A polygon of many small faces may be flat while none of them is.
    if step.angle is not None and not (steep and step.kind == "polygon"):
        angle, alpha = angles_beside(step.angle, step.alpha)
        words += f"  {angle}" + (f" > {alpha}" if steep else "")
    shown = context.theme.dim_text if steep and step.kind == "point" else rgba
    offset = (0.0, 18.0 if step.body else -18.0)
    draw.label(words, points.mean(axis=0), shown, size=STRONG, offset=offset, priority=75, bold=True, kind="face-names")


def _draw_heat(context: Context, draw: DrawList, step: CornerDepthsStep) -> None:
    """Draws the depths as a heat map over the region: bands of equal depth, by the plane that best fits them.

    Fewer than three contacts have no map.
    """
    if len(step.contacts) < 3:
        return
    n = step.normal
    u = any_perpendicular(n)
    axes = np.stack((u, cross(n, u)), axis=1)
    positions = np.array([contact.position for contact in step.contacts])
    base = positions[0]
    rows = product(positions - base, axes)
    depths = np.array([contact.depth for contact in step.contacts])
    fit, heights = (_plane_through(rows, values) for values in (depths, dots(positions - base, n)))
    low, high = float(depths.min()), float(depths.max())
    loop = polygon_loop([(float(x), float(y)) for x, y in rows])
    if _signed_area(loop) < 0.0:
        loop = polygon_loop([piece.start for piece in loop][::-1])
    flat = high - low <= 1e-3 * max(abs(high), abs(low))
    edges = [low, high] if flat else np.linspace(low, high, BANDS + 1).tolist()
    for k, (bottom, top) in enumerate(pairwise(edges)):
        part = loop
        if k:
            part = clip(part, (bottom - fit[0], -fit[1], -fit[2]))
        if k + 2 < len(edges):
            part = clip(part, (fit[0] - top, fit[1], fit[2]))
        if len(part) < 3:
            continue
        corners = np.array([piece.start for piece in part])
        lifted = base + product(corners, axes.T) + (heights[0] + dots(corners, heights[1:]))[:, None] * n
        share = 1.0 if flat else (k + 0.5) / BANDS
        draw.sheet(lifted, faded(context.theme.overlap, 0.12 + 0.5 * share))


def _plane_through(places: Array, values: Array) -> Array:
    """The numbers c, p, q for which c + p x + q y is nearest the `values` (n,) at `places` (n, 2), rows x, y."""
    return np.asarray(np.linalg.lstsq(np.column_stack((np.ones(len(places)), places)), values)[0], dtype=np.float64)


def _signed_area(loop: Loop) -> float:
    def twice(piece: LoopSide) -> float:
        return piece.start[0] * piece.end[1] - piece.start[1] * piece.end[0]

    return sum(map(twice, loop))


def _draw_depths(context: Context, draw: DrawList, step: CornerDepthsStep) -> None:
    """Draws a line along the normal from surface to surface at each contact."""
    theme = context.theme
    low, high = step.ends
    for on_b, on_a in zip(low, high, strict=True):
        draw.strong(on_b, on_a, theme.normal, 2.2)
    _draw_contacts(context, draw, step.contacts)


def _draw_nearest(context: Context, draw: DrawList, step: WitnessStep) -> None:
    """Draws both flat parts, and the contact between their nearest points with the line from one to the other.

    The line is left out where the contact would hide it.
    """
    theme, contact, query = context.theme, step.contact, context.query
    if query is None or query.manifold is None:
        return
    for _, flat in steps_of(query, FlatStep):
        draw_outline(draw, flat.outline.points, theme.edge(flat.body), 3.4, 0.14)
    if abs(contact.depth) > context.extent.radius / HIDDEN_DIVISOR:
        half = 0.5 * contact.depth * query.manifold.normal
        on_a, on_b = contact.position + half, contact.position - half
        draw.strong(on_b, on_a, theme.overlap, 2.2)
        for index, point in enumerate((on_a, on_b)):
            draw.spots(point, theme.edge(index), 4.6, theme.halo, 1.5)
    _draw_contacts(context, draw, [contact])


def _draw_contacts(context: Context, draw: DrawList, kept: Sequence[Contact], dropped: Sequence[Contact] = ()) -> None:
    """Draws contacts with number and depth; hollow where the surfaces are apart, gray where they are dropped."""
    theme = context.theme
    labels = [ContactLabel.of(contact, theme.dim_text, kept=False) for contact in dropped]
    labels += [ContactLabel.of(contact, theme.overlap, kept=True) for contact in kept]
    for contact, label in zip((*dropped, *kept), labels, strict=True):
        hollow = contact.gap or not label.kept
        fill, rim = (theme.halo, label.rgba) if hollow else (label.rgba, theme.halo)
        subject = subject_of_contact(context, label.pair) or NO_SUBJECT
        draw.spots(contact.position, fill, 5.2 if label.kept else 4.0, rim, 1.5, subject=subject)
    label_contacts(context, draw, labels)
