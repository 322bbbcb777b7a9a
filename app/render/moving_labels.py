"""Labels with their anchors and leaders, for pictures whose labels the layout did not place itself."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array

from ..draw.layout import Taken, Viewport, anchors, leaders_of
from ..draw.layout.labels import LEADER_FROM
from ..draw.placed import PlacedLabel, PlacedPane, box_about, joined_rows, middle_of, some_rows
from ..draw.theme import faded


def boxes_of(taken: Sequence[Taken]) -> Array:
    """The boxes (n, 4) of the rectangles `taken`: left, top, right and bottom, pixels."""
    return np.array([(x, y, x + width, y + height) for x, y, width, height in taken]).reshape(-1, 4)


class ShownLabel(Struct, frozen=True, eq=False):
    """A label with its anchor (2,), pixels, and the opacity of its leader, 0 for none."""

    label: PlacedLabel
    anchor: Array
    lead: float


def shown_labels(viewport: Viewport, placed: PlacedPane) -> list[ShownLabel]:
    """The labels of a laid-out viewport, as the layout placed them."""
    at = anchors(viewport, placed.labels)
    return [ShownLabel(each, at[each.number], float(each.lead < inf)) for each in placed.labels]


def with_labels(placed: PlacedPane, shown: Sequence[ShownLabel], density: float) -> PlacedPane:
    """The pane with these labels and their leaders in place of its own; `density`: pixels to a point."""
    lines = some_rows(placed.lines, 0, len(placed.lines.subjects) - placed.leaders)
    far = [each for each in shown if each.lead > 0.0]
    at = np.array([each.anchor for each in far]).reshape(-1, 2)
    at = np.clip(at, 0.0, (placed.width, placed.height))
    boxes = np.array([box_about(middle_of(each.label), each.label) for each in far]).reshape(-1, 4)
    # One that slides to its preferred place, or from there, has its leader on the way.
    least = LEADER_FROM * density
    labels = [
        replace(each.label, rgba=faded(each.label.rgba, each.lead), lead=min(each.label.lead, least)) for each in far
    ]
    own = leaders_of(labels, at, np.clip(at, boxes[:, :2], boxes[:, 2:]), density)
    if own.subjects:
        lines = joined_rows(lines, own)
    return replace(placed, lines=lines, labels=tuple([each.label for each in shown]), leaders=len(own.subjects))
