"""Pictures of the manifold's steps: the features that meet, each cut of the clipping, the depths, the points kept.

The steps are drawn on the bodies. In the difference the face that the manifold is built on is lit.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from core.contact.contact import (
    ClipStep,
    ContactCase,
    DepthStep,
    EdgesStep,
    EndsStep,
    FeaturesStep,
    ManifoldStep,
    ReduceStep,
)
from core.geometry.vector import Array, cross, dot, dots, length

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Rgba
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.style import PLAIN, STRONG
from ...words.contact_words import depth_words
from ...words.names import feature_name, pair_name
from .contact_label import ContactLabel, label_contacts
from .region_picture import draw_reduced, draw_region

NO_GAP = 1e-9
"""Share of the pair's radius below which surfaces are drawn as touching."""

DOT_DIVISOR = 64
"""A depth below the pair's radius divided by this is drawn as a dot without an arrow."""


def draw_world(context: Context, draw: DrawList, step: ManifoldStep) -> None:
    """Draws the features that meet and the step's work on them; dim if the contacts are those of an earlier moment."""
    if context.analysis.contacts_earlier:
        dim = context.theme.dim_text
        context = replace(context, theme=replace(context.theme, overlap=dim, winner=dim, normal=dim))
    features = context.features
    if features is None:
        draw_region(context, draw, step)
        return
    _draw_features(context, draw, features, named=isinstance(step, FeaturesStep))
    if isinstance(step, ClipStep):
        _draw_cut(context, draw, features, step)
    elif isinstance(step, DepthStep):
        _draw_depths(context, draw, step)
    elif isinstance(step, EdgesStep):
        _draw_pairs(context, draw, step)
    elif isinstance(step, EndsStep):
        _draw_ends(context, draw, step)
    elif isinstance(step, ReduceStep):
        draw_reduced(context, draw, step)


def _role(features: FeaturesStep, index: int) -> str:
    if features.case is ContactCase.EDGES or features.case is ContactCase.POINT:
        return "feature"
    reference = 0 if features.case is ContactCase.FACE_OF_A else 1
    return "reference" if index == reference else "incident"


def _draw_features(context: Context, draw: DrawList, features: FeaturesStep, *, named: bool) -> None:
    theme = context.theme
    sides = ((features.points_a, features.feature_a), (features.points_b, features.feature_b))
    for index, (points, name) in enumerate(sides):
        rgba, role = theme.edge(index), _role(features, index)
        if len(points) > 2:
            draw.sheet(points, faded(rgba, 0.30 if named else 0.14))
        strong = named or role == "reference"
        if len(points) > 1:
            dash = Dash.SOLID if role != "incident" or named else Dash.DASHED
            width = 3.4 if strong else 1.8
            draw.polyline(points, rgba, width, closed=len(points) > 2, dash=dash, hidden=Hidden.SHOW)
        else:
            draw.spots(points, rgba, 4.6, theme.halo, 1.5)
        if named:
            kind = "" if role == "feature" else f"{role} "
            words, offset = f"{kind}{feature_name(context.scene, index, name)}", (0.0, 18.0 if index else -18.0)
            draw.label(
                words,
                points.mean(axis=0),
                rgba,
                size=STRONG,
                offset=offset,
                priority=75,
                bold=True,
                kind="contact-names",
            )
    if named:
        _draw_normal(context, draw, features)


def _draw_normal(context: Context, draw: DrawList, features: FeaturesStep) -> None:
    points = features.points_b if features.case is ContactCase.FACE_OF_B else features.points_a
    start = points.mean(axis=0)
    tip = start + 0.4 * context.extent.radius * features.normal
    rgba = context.theme.normal
    draw.strong(start, tip, rgba, 2.4, arrow_end=12.0)
    draw.label("normal", tip, rgba, size=PLAIN, offset=(14.0, -8.0), priority=60, kind="contact-names")


def _draw_cut(context: Context, draw: DrawList, features: FeaturesStep, step: ClipStep) -> None:
    """Draws the cutting plane as a sheet on its side of the reference face, and the polygon before and after."""
    theme = context.theme
    of_a = features.case is ContactCase.FACE_OF_A
    reference, body = (features.points_a, 0) if of_a else (features.points_b, 1)
    sheet = _cut_sheet(context, features, step, np.concatenate((reference, step.before)))
    draw.sheet(sheet, faded(theme.overlap, 0.16))
    draw.polyline(sheet, faded(theme.overlap, 0.8), 1.2, closed=True, hidden=Hidden.SHOW, layer=Layer.BACK)
    name = f"cut at {feature_name(context.scene, body, step.side)}"
    draw.label(name, sheet[2], theme.overlap, size=PLAIN, offset=(0.0, -11.0), priority=65, kind="edge-names")
    _draw_polygon(draw, step.before, faded(theme.text, 0.55), 1.4, Dash.DASHED)
    if len(step.after) > 2:
        draw.sheet(step.after, faded(theme.winner, 0.30))
    _draw_polygon(draw, step.after, theme.winner, 3.2, Dash.SOLID)
    lost = [point for point in step.before if not (len(step.after) and (step.after == point).all(axis=1).any())]
    if lost:
        draw.points(np.array(lost), theme.overlap, 4.6, shape=Marker.CROSS, stroke_width=1.8, hidden=Hidden.SHOW)
    for point, cut, names in zip(step.after, step.cut, step.names, strict=True):
        rgba, size, shape = (theme.overlap, 5.0, Marker.DIAMOND) if cut else (theme.winner, 4.0, Marker.DISC)
        draw.spots(point, rgba, size, theme.halo, 1.5, shape=shape)
        if cut:
            _label_pair(context, draw, names, point, theme.overlap, 70)


def _cut_sheet(context: Context, features: FeaturesStep, step: ClipStep, near: Array) -> Array:
    """A strip (4, 3) of the cutting plane, upright on the reference face and as long as the points `near` (n, 3)."""
    across = cross(features.normal, step.normal)
    size = length(across)
    along = across / size if size > 0.0 else np.zeros(3)
    middle = near.mean(axis=0)
    foot = middle + (step.offset - dot(middle, step.normal)) * step.normal
    reach = np.abs(dots(near - foot, along)).max() + 0.12 * context.extent.radius
    height = 0.22 * context.extent.radius
    up = height * features.normal
    run = reach * along
    corners: Array = np.array((foot - run - up, foot + run - up, foot + run + up, foot - run + up))
    return corners


def _draw_polygon(draw: DrawList, points: Array, rgba: Rgba, width: float, dash: Dash) -> None:
    if len(points) > 1:
        draw.polyline(points, rgba, width, closed=len(points) > 2, dash=dash, hidden=Hidden.SHOW, layer=Layer.STRONG)


def _draw_depths(context: Context, draw: DrawList, step: DepthStep) -> None:
    """Draws the depths from the reference surface to each point, if any, as arrows; points above it are hollow."""
    theme, tick = context.theme, context.extent.radius / DOT_DIVISOR
    if len(step.points) == 0:
        return
    feet = step.points + step.depths[:, None] * (step.normal if step.axis is None else step.axis)
    if len(step.points) > 2:
        _draw_polygon(draw, step.points, faded(theme.winner, 0.7), 1.6, Dash.SOLID)
        _draw_polygon(draw, feet, faded(theme.normal, 0.7), 1.2, Dash.DASHED)
    labels: dict[tuple[str, str], ContactLabel] = {}
    # Kept points first: of several points with one name the deepest is kept, and only that one has a label.
    for k in sorted(range(len(feet)), key=lambda k: not step.kept[k]):
        point, foot, depth, kept = step.points[k], feet[k], float(step.depths[k]), step.kept[k]
        rgba = theme.overlap if kept else theme.dim_text
        if abs(depth) > tick:
            draw.strong(foot, point, rgba, 2.6 if kept else 1.4, arrow_end=9.0)
        _draw_contact(draw, point, rgba, theme.halo, kept=kept, hollow=depth < -NO_GAP * context.extent.radius)
        labels.setdefault(step.names[k], ContactLabel(step.names[k], depth, point, rgba, kept))
    label_contacts(context, draw, tuple(labels.values()))


def _draw_contact(draw: DrawList, point: Array, rgba: Rgba, halo: Rgba, *, kept: bool, hollow: bool = False) -> None:
    """Draws a point (3,); in `halo` with a rim if it was dropped (not `kept`) or is `hollow`.

    A dropped point is smaller. `hollow`: the surfaces are apart there.
    """
    filled = kept and not hollow
    draw.spots(point, rgba if filled else halo, 5.2 if kept else 4.0, halo if filled else rgba, 1.5)


def _label_pair(
    context: Context, draw: DrawList, names: tuple[str, str], point: Array, rgba: Rgba, priority: int
) -> None:
    draw.label(
        pair_name(context.scene, names),
        point,
        rgba,
        size=PLAIN,
        offset=(0.0, 13.0),
        priority=priority,
        kind="contact-names",
    )


def _draw_pairs(context: Context, draw: DrawList, step: EdgesStep) -> None:
    """Draws the closest points of every pair of edges tried, the chosen pair strong."""
    theme = context.theme
    for k, (on_a, on_b) in enumerate(zip(step.points_a, step.points_b, strict=True)):
        chosen = k == step.chosen
        rgba = theme.winner if chosen else theme.dim_text
        draw.strong(on_a, on_b, rgba, 3.0 if chosen else 1.2)
        for index, point in enumerate((on_a, on_b)):
            fill, size = faded(theme.edge(index), 1.0 if chosen else 0.5), 5.0 if chosen else 3.4
            draw.spots(point, fill, size, rgba, 1.6, shape=Marker.DIAMOND)
        if chosen:
            depth = _depth_words(context, on_a - on_b)
            word, middle = f"{pair_name(context.scene, step.names[k])}{depth}", 0.5 * (on_a + on_b)
            brief = depth.strip()
            draw.label(
                word,
                middle,
                rgba,
                size=STRONG,
                offset=(0.0, 18.0),
                priority=78,
                bold=True,
                brief=brief,
                kind="contact-names",
            )


def _draw_ends(context: Context, draw: DrawList, step: EndsStep) -> None:
    """Draws both points at each end of the shared stretch, and from B's point to A's an arrow of the depth."""
    theme, tick, labels = context.theme, context.extent.radius / DOT_DIVISOR, list[ContactLabel]()
    for k in range(len(step.kept)):
        on_a, on_b, depth, kept = step.points_a[k], step.points_b[k], float(step.depths[k]), step.kept[k]
        rgba, middle = theme.overlap if kept else theme.dim_text, 0.5 * (on_a + on_b)
        if abs(depth) > tick:
            draw.strong(on_b, on_a, rgba, 2.6 if kept else 1.4, arrow_end=9.0)
        for index, point in enumerate((on_a, on_b)):
            draw.spots(point, theme.edge(index), 3.4, rgba, 1.6, shape=Marker.DIAMOND)
        _draw_contact(draw, middle, rgba, theme.halo, kept=kept, hollow=depth < -NO_GAP * context.extent.radius)
        labels.append(ContactLabel(step.names[k], depth, middle, rgba, kept))
    label_contacts(context, draw, labels)


def _depth_words(context: Context, between: Array) -> str:
    """The depth along the normal, radii included, as words; `between` (3,): from B's closest point to A's."""
    if context.features is None:
        return ""
    radii = sum(body.shape.core.radius for body in (context.scene.a, context.scene.b) if body.shape.core is not None)
    return f"  {depth_words(dot(between, context.features.normal) + radii)}"
