"""The contact manifold."""

from __future__ import annotations

from core.contact.contact import ClipStep, ContactCase, DepthStep, EdgesStep, FeaturesStep, ManifoldStep, ReduceStep

from ...overlays.difference import draw_origin
from ..stage import Listing, Stage
from .picture import draw_world
from .words import contacts_text

_IN_SPACE = Listing(
    "Contacts: clip the faces that meet",
    {
        "features": "find the features farthest along the normal",
        "reference": "if one is a face, it is the reference:",
        "incident": "    P ← the face of the other body that faces it most",
        "side": "    for each side plane of the reference face:",
        "cut": "        cut P where it crosses the plane, keep what is behind",
        "depth": "    depth of a corner ← how far below the reference face",
        "keep": "    keep the corners that are not above it",
        "edges": "else, edge or vertex against edge or vertex:",
        "closest": "    contact ← midway between their closest points",
        "reduce": "if asked for:  keep four of more contacts",
    },
)
_IN_PLANE = Listing(
    "Contacts: clip the edges that meet",
    {
        "features": "find the edges that the shortest way out crosses",
        "reference": "if there is one, it is the reference:",
        "incident": "    S ← the edge of the other polygon that faces it most",
        "side": "    for each end of the reference edge:",
        "cut": "        cut S at the line there, keep what is behind",
        "depth": "    depth of an end ← how far below the reference edge",
        "keep": "    keep the ends that are not above it",
        "edges": "else, a circle or two corners:",
        "closest": "    contact ← midway between the closest points",
    },
)


def _line(step: ManifoldStep) -> str:
    if isinstance(step, FeaturesStep):
        return "incident" if step.case in (ContactCase.FACE_OF_A, ContactCase.FACE_OF_B) else "features"
    return {ClipStep: "cut", DepthStep: "keep", EdgesStep: "closest", ReduceStep: "reduce"}[type(step)]


STAGE = Stage(
    {2: _IN_PLANE, 3: _IN_SPACE}.__getitem__,
    _line,
    contacts_text,
    draw_world,
    # The answer stands; the solid, its lit faces and the arrow are the difference overlay's.
    lambda context, draw, _step: draw_origin(context, draw),
    # The axis that the manifold is built on.
    focus=lambda seen: None if seen.features is None else seen.row_along(seen.features.normal),
)
