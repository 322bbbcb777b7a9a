"""The kinds of labels. The labels of a kind are hidden and shown by its id, as overlays are.

A label has its kind from where it is drawn (`DrawList.label`); one that is told none is a note.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from .draw_list import DrawList


class LabelKind(Struct, frozen=True):
    """A kind of labels: its id, a `draw_list.LabelKindId` or TITLES_ID, its title, and a sentence on it."""

    id: str
    title: str
    tip: str


TITLES_ID = "titles"
"""Id of the names of panes, which are no labels of a draw list."""
LABEL_KINDS: tuple[LabelKind, ...] = (
    LabelKind(TITLES_ID, "Names of panes", "Difference A − B and the like, below a pane"),
    LabelKind("world-axes", "World axes", "X, Y and Z at the small axes in the corner"),
    LabelKind("interval-numbers", "Numbers on rails", "The gap or overlap of an axis, and the place of a step on it"),
    LabelKind("depth", "Depth", "The penetration depth with its number"),
    LabelKind("distance", "Distance", "The distance or separation with its number, and the length of v"),
    LabelKind("bounds", "Bounds", "What a step proves: at least, at most"),
    LabelKind("contact-names", "Contacts", "The names of contact points with their depths, and their normal"),
    LabelKind("point-names", "Points of A − B", "w₀, w₁ and so on, with the vertices that they come from, and v"),
    LabelKind("origin-name", "Origin", "The word at the origin"),
    LabelKind("axis-names", "Axes", "The names of candidate axes on rails and on the Gauss map"),
    LabelKind("direction-names", "Directions", "d, n and other directions at their arrows"),
    LabelKind("body-names", "Bodies", "The letters A and B, and A − B where it is named"),
    LabelKind("vertex-names", "Vertices", "The names of vertices and other support points of A and B"),
    LabelKind("edge-names", "Edges", "The names of edges of A and B, and of the normals of edges in the plane"),
    LabelKind("face-names", "Faces", "The names of faces of A and B"),
    LabelKind("region-names", "Regions", "The signs of the 27 regions of a box"),
    LabelKind("time-words", "Times", "The time of impact, entry and exit, and how the bodies move"),
    LabelKind("notes", "Notes", "All other words in the picture"),
)
"""Every kind, in the order of menus."""
KIND_IDS = tuple(kind.id for kind in LABEL_KINDS)


def without_kinds(draw: DrawList, hidden: Collection[str]) -> None:
    """Takes the labels of the `hidden` kinds out of a draw list."""
    draw.labels = [label for label in draw.labels if label.kind not in hidden]
