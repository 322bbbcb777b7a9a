"""The kinds of labels. The labels of a kind are hidden and shown by its id, as overlays are.

A label is of the first kind whose pattern matches the beginning of its text. So a number on a rail with the axis's name
before it is a number, and a contact's name with its depth is a contact's name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from msgspec import Struct

from .draw_list import DrawList, Label

NAME = r"(?:⊥?[ABd](?:\.[+−]?\w+)?(?: → B| [×−] ⊥?[ABd](?:\.\w+)?)?)"
"""The name of an axis: `A.x`, `A.y × B.x`, `⊥A.e2`, `A.v0v1 → B`."""
VALUE = r"(?:≈ ?)?[+−]?\d"
POINT = r"(?:w[₀-₉]+|[ab][₀-₉]* [−+] [ab][₀-₉]*)"


class LabelKind(Struct, frozen=True):
    """A kind of labels: its id, its title, a tip about it, and the pattern of the beginnings of its texts.

    `rail`: True for only the labels in turned groups (on a rail), False for only the others, None for both.
    """

    id: str
    title: str
    tip: str
    pattern: str
    rail: bool | None = None


TITLES = "titles"
"""Id of the names of panes, which are no labels of a draw list."""
LABEL_KINDS: tuple[LabelKind, ...] = (
    LabelKind(TITLES, "Names of panes", "Difference A − B and the like, below a pane", r"(?!)"),
    LabelKind("world-axes", "World axes", "X, Y and Z at the small axes in the corner", r"[XYZ]$"),
    LabelKind("distance", "", "", rf"[AB]\.(?:v\d+|centre) {VALUE}"),
    LabelKind(
        "interval-numbers",
        "Numbers on rails",
        "The gap or overlap of an axis, and the place of a step on it",
        rf"(?:best so far|s = |{NAME}:? +(?:{VALUE}|touching|overlap|gap)|(?:your )?(?:overlap|gap)\b|your axis"
        rf"|yours {VALUE}|s[₀₁][′ ]|[+−]?[\d.]+$|[\d,]+ more\b)",
    ),
    LabelKind("interval-numbers", "", "", r"touching\b", True),
    LabelKind("depth", "Depth", "The penetration depth with its number", r"depth (?:[\d+−]|≈|inf)"),
    LabelKind(
        "distance",
        "Distance",
        "The distance or separation with its number, and the length of v",
        rf"(?:(?:distance|separation) (?:[\d+−]|≈|inf)|\|[^|]+\| |v {VALUE}|touching\b|[AB]\.\S+:? {VALUE}\S*$"
        rf"|[AB]: {VALUE}|r {VALUE}|m {VALUE}|d = |n·v )",
    ),
    LabelKind(
        "bounds",
        "Bounds",
        "What a step proves: at least, at most",
        r"(?:(?:depth|distance) [≤≥]|at (?:least|most) |n·w)",
    ),
    LabelKind(
        "contact-names",
        "Contacts",
        "The names of contact points with their depths, and their normal",
        r"(?:c[₀-₉]+|normal$|dropped$|shadow of |cut at |side [AB]\.)",
    ),
    LabelKind(
        "point-names",
        "Points of A − B",
        "w₀, w₁ and so on, with the vertices that they come from, and v",
        rf"(?:{POINT}|[vxqp](?:$|,| on )|[A-Z]{{2}}(?:$|,| \()|nearest (?:face|edge) )",
    ),
    LabelKind("origin-name", "Origin", "The word at the origin", r"(?:O|origin)$"),
    LabelKind(
        "axis-names",
        "Axes",
        "The names of candidate axes on rails and on the Gauss map",
        rf"{NAME}(?:  decides)?$",
        True,
    ),
    LabelKind(
        "direction-names",
        "Directions",
        "d, n and other directions at their arrows",
        r"(?:[−+]?[dn](?:$|,| of )|next d|first direction|[bc] − a$|n scaled)",
    ),
    LabelKind("body-names", "Bodies", "The letters A and B, and A − B where it is named", r"(?:−?[AB]|A [+−] B)$"),
    LabelKind(
        "vertex-names",
        "Vertices",
        "The names of vertices and other support points of A and B",
        r"(?:[AB]\.(?:v\d+|centre|end\d*|apex|tip|rim|point\w*|base\w*|top\w*|side)(?:$|:| and )|−?[abc][₀-₉]*(?:$|,))",
    ),
    LabelKind(
        "edge-names",
        "Edges",
        "The names of edges of A and B, and of the normals of edges in the plane",
        r"[AB]\.(?:e(?:dge)?\d+|v\d+v\d+)(?:$|:)",
    ),
    LabelKind(
        "face-names", "Faces", "The names of faces of A and B", r"[AB]\.(?:[+−][xyz]|f\d+|plane|v\d+v\d+\w*)(?:$|  )"
    ),
    LabelKind("axis-names", "Axes", "", rf"(?:{NAME}$|yours$|[xyz]$|[AB]\.[^ ]+ [→×])"),
    LabelKind("region-names", "Regions", "The signs of the 27 regions of a box", r"(?:in )?<"),
    LabelKind(
        "time-words",
        "Times",
        "The time of impact, entry and exit, and how the bodies move",
        r"(?:[AB] moves|t = |.*\bt = |contact at the start|in A − B from the start|its p(?:ath|lane)|the origin's path"
        r"|effective radius)",
    ),
    LabelKind("notes", "Notes", "All other words in the picture", r""),
)
"""All kinds in the order in which a text is matched. An id may have several rows; one of them has a title and a tip."""
KIND_IDS = tuple(dict.fromkeys(kind.id for kind in LABEL_KINDS))


@lru_cache(maxsize=8192)
def _kind(text: str, rail: bool) -> str:
    for kind in LABEL_KINDS:
        if kind.rail in (None, rail) and re.match(kind.pattern, text):
            return kind.id
    raise AssertionError("the last row has every text")


def kind_of(label: Label) -> str:
    """The id of a label's kind."""
    return _kind(label.text, label.group >= 0)


def without_kinds(draw: DrawList, hidden: Collection[str]) -> None:
    """Removes the labels of the `hidden` kinds from a draw list."""
    draw.labels = [label for label in draw.labels if kind_of(label) not in hidden]
