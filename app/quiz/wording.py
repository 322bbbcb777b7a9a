"""What the questions say differently of the two worlds: faces and turning the view of space, edges of the plane."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from core.analysis.analysis import Analysis
from core.contact.contact import ContactCase


class Wording(Struct, frozen=True, eq=False):
    """Sentences of one world.

    `places`: where the origin is when the bodies are separated, touching or overlapping; `where`: how one sees it.
    `rounded`: about the axis through the closest points, where there is one. `piece`: what EPA expands of what it has
    `grown`, and in what it lies `flat`; `growth_hint`, `growth_how`: which it is, and how it is clicked. `cases`: by
    the case of a manifold its name, and what makes its contacts; `most_contacts`: the largest number to choose.
    """

    places: tuple[str, str, str]
    where: str
    axis_hint: str
    axis_how: str
    rounded: str
    piece: str
    grown: str
    flat: str
    growth_hint: str
    growth_how: str
    contacts_hint: str
    most_contacts: int
    cases: Mapping[ContactCase, tuple[str, str]]


IN_SPACE = Wording(
    places=("outside the difference", "on the surface of the difference", "inside the difference"),
    where="Turn the view. They overlap where the origin is inside the difference, and touch where it is on its skin.",
    axis_hint=(
        "The one with the largest gap, or without any gap the one with the least overlap: the pair of faces of "
        "the difference that is nearest the origin. Point at faces to see both intervals."
    ),
    axis_how="Click a face of the difference, or a row of the axis table (Tab).",
    rounded="The rounded parts stand for the axis through the closest points.",
    piece="face",
    grown="polytope",
    flat="plane",
    growth_hint=(
        "The one whose plane is nearest the origin: beyond it the surface of the difference may be nearest too."
    ),
    growth_how="Click a face of the polytope in the difference; turn the view to see the faces behind.",
    contacts_hint="Which features meet: a face, two edges, a corner? The corners of what they share are the contacts.",
    most_contacts=8,
    cases={
        ContactCase.FACE_OF_A: (
            "face of A",
            "A face of A meets B: what of B's face lies over it and under its plane makes contacts.",
        ),
        ContactCase.FACE_OF_B: (
            "face of B",
            "A face of B meets A: what of A's face lies over it and under its plane makes contacts.",
        ),
        ContactCase.EDGES: (
            "edge × edge",
            "Two edges cross: they are closest in a single pair of points.",
        ),
        ContactCase.POINT: (
            "point",
            "A corner or a round surface meets the other body in a single pair of points.",
        ),
    },
)
IN_PLANE = Wording(
    places=("outside the difference", "on the outline of the difference", "inside the difference"),
    where="They overlap where the origin is inside the difference, and touch where it is on its outline.",
    axis_hint=(
        "The one with the largest gap, or without any gap the one with the least overlap: with the origin inside the "
        "difference, the edge nearest to it. Point at edges to see both intervals."
    ),
    axis_how="Click an edge of the difference, or a row of the axis table (Tab).",
    rounded="The coloured arc is the axis from the closest corner to the circle's centre.",
    piece="edge",
    grown="polygon",
    flat="line",
    growth_hint=(
        "The one whose line is nearest the origin: beyond it the outline of the difference may be nearest too."
    ),
    growth_how="Click an edge of the polygon in the difference.",
    contacts_hint=(
        "Does an edge decide, or do two points? At an edge the contacts are the ends of that part of the other body's "
        "edge which lies over it and under its line."
    ),
    most_contacts=4,
    cases={
        ContactCase.FACE_OF_A: (
            "edge of A",
            "An edge of A meets B: the ends of that part of B's edge which lies over it and under its line are the "
            "contacts, a single one where the part is a point.",
        ),
        ContactCase.FACE_OF_B: (
            "edge of B",
            "An edge of B meets A: the ends of that part of A's edge which lies over it and under its line are the "
            "contacts, a single one where the part is a point.",
        ),
        ContactCase.POINT: (
            "point",
            "A circle, or a corner against a corner, meets the other body in a single pair of points.",
        ),
    },
)


WORDINGS = {2: IN_PLANE, 3: IN_SPACE}
"""The sentences by dimension."""


def wording_of(analysis: Analysis) -> Wording:
    """How to speak of the analysis' scene."""
    return WORDINGS[analysis.scene.dimension]
