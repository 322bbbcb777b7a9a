"""The stage of the contact manifold."""

from __future__ import annotations

from core.contact.contact import (
    ClipStep,
    ContactCase,
    CornerDepthsStep,
    CutStep,
    DepthStep,
    EdgesStep,
    EndsStep,
    FeaturesStep,
    FlatStep,
    LevelStep,
    ManifoldStep,
    NormalStep,
    ReduceStep,
    ShadowsStep,
    WitnessStep,
)
from core.contact.policies.policy import ContactPolicy

from ...overlays.context import Context
from ...overlays.difference import LIT_FACE
from ..stage import AlgorithmListing, At, Stage
from .cut import draw_nothing
from .picture import draw_world
from .words import contacts_text

_OVERLAP_REGION = AlgorithmListing(
    "Contacts: the patch of two flat parts",
    {
        "normal": "n ← the answer's normal",
        "flat": "flat part of each ← perpendicular to n, within α",
        "shadows": "P ← the shadow of A's flat part along n",
        "side": "for each side of the shadow of B's:",
        "cut": "    cut off the part beyond it",
        "level": "cut off the part with a clearance of more than δ",
        "depths": "depth of a corner ← overlap on its line along n",
        "witness": "if none has the depth: add the nearest points",
        "reduce": "if asked for:  keep four of more contacts",
    },
)
_IN_SPACE = AlgorithmListing(
    "Contacts: clip the faces against each other",
    {
        "features": "find the features farthest along the normal",
        "reference": "if one is a face, it is the reference:",
        "incident": "    P ← the face of the other body that faces it most",
        "side": "    for each side plane of the reference face:",
        "cut": "        cut P where it crosses the plane, keep the part behind",
        "depth": "    depth of a corner ← how far below the reference face",
        "keep": "    keep the corners that are not above it",
        "edges": "else, edge or vertex against edge or vertex:",
        "closest": "    contact ← midway between their closest points",
        "reduce": "if asked for:  keep four of more contacts",
    },
)
_IN_PLANE = AlgorithmListing(
    "Contacts: clip the edges against each other",
    {
        "features": "find the edges farthest along the normal",
        "reference": "if there is one, it is the reference:",
        "incident": "    S ← the edge of the other polygon that faces it most",
        "side": "    for each end of the reference edge:",
        "cut": "        cut S at the line there, keep the part behind",
        "depth": "    depth of an end ← how far below the reference edge",
        "keep": "    keep the ends that are not above it",
        "edges": "else, a circle or two corners:",
        "closest": "    contact ← midway between the closest points",
    },
)
_CLIPPED_BY = "Contacts: clip the edges as {engine} does"
_ENGINES_EDGES = {
    "features": "find the two edges that face each other",
    "incident": "R ← the reference edge, S ← the other one",
    "side": "for each end of R:",
    "cut": "    cut S at the line there, keep the part behind",
    "depth": "depth of an end ← how far below R",
    "keep": "keep the ends that are not above R",
    "closest": "of a circle: midway between the closest points",
}
_ENGINES = {
    ContactPolicy.BOX2D: AlgorithmListing(
        _CLIPPED_BY.format(engine="Box2D"), _ENGINES_EDGES | {"keep": "keep both ends, also above R"}
    ),
    ContactPolicy.BOX2D_2: AlgorithmListing(_CLIPPED_BY.format(engine="Box2D 2.4"), _ENGINES_EDGES),
    ContactPolicy.DYN4J: AlgorithmListing(_CLIPPED_BY.format(engine="dyn4j"), _ENGINES_EDGES),
    ContactPolicy.CHIPMUNK: AlgorithmListing(
        "Contacts: lay the edges over each other, as Chipmunk does",
        {
            "features": "find the two edges that face each other",
            "shared": "seen along n, they share a stretch",
            "ends": "for each of its ends:",
            "both": "    a, b ← the points of either edge there",
            "depth": "    depth ← how far a is in front of b, along n",
            "keep": "keep the ends where they are not apart",
            "closest": "of a circle: midway between the closest points",
        },
    ),
}


def _line(step: ManifoldStep) -> str:
    if isinstance(step, FeaturesStep):
        return "incident" if step.case in (ContactCase.FACE_OF_A, ContactCase.FACE_OF_B) else "features"
    return _LINES[type(step)]


_LINES: dict[type[ManifoldStep], str] = {
    ClipStep: "cut",
    DepthStep: "keep",
    EdgesStep: "closest",
    EndsStep: "keep",
    ReduceStep: "reduce",
    NormalStep: "normal",
    FlatStep: "flat",
    ShadowsStep: "shadows",
    CutStep: "cut",
    LevelStep: "level",
    CornerDepthsStep: "depths",
    WitnessStep: "witness",
}
"""The line of the listing that a step ended on."""


def _listing(at: At[ManifoldStep]) -> AlgorithmListing:
    """The listing that fits: an engine's own, of the overlap region, or of clipping in the scene's dimension."""
    if not isinstance(at.first, FeaturesStep):
        return _OVERLAP_REGION
    if (own := _ENGINES.get(at.query.settings.preference)) is not None:
        return own
    return {2: _IN_PLANE, 3: _IN_SPACE}[at.dimension]


def _focus(seen: Context) -> int | None:
    """Row of the axis along the normal of the phase's first step, else of SAT's winner.

    None without a step shown, and for a step without a normal.
    """
    step = (
        None if seen.query is None or seen.moment is None else seen.query.moments[seen.place - seen.moment.index].step
    )
    return seen.row_along(step.normal) if isinstance(step, FeaturesStep | NormalStep) else None


def _of_bodies(form: str, meaning: str) -> dict[str, str]:
    """A meaning of what a step draws in the colours of the bodies' edges, without a subject."""
    return dict.fromkeys((f"none:edge_a.{form}", f"none:edge_b.{form}"), meaning)


_NEAREST = _of_bodies("disc", "nearest point of a body")
_COLOURS: dict[type[ManifoldStep], dict[str, str]] = {
    NormalStep: _NEAREST | _of_bodies("sheet", "plane across the normal"),
    FlatStep: _NEAREST | _of_bodies("sheet", "flat part of a body"),
    ShadowsStep: _of_bodies("sheet", "shadow of a flat part"),
    ClipStep: dict.fromkeys(("overlap.sheet", "world:overlap.line"), "plane that cuts"),
    CutStep: dict.fromkeys(("overlap.sheet", "world:overlap.line"), "part cut off"),
    LevelStep: dict.fromkeys(("overlap.sheet", "world:overlap.line"), "part cut off"),
    CornerDepthsStep: {
        "overlap.sheet": "depth, the deeper the stronger",
        "world:normal.line": "depth along the normal",
    },
    WitnessStep: _NEAREST | _of_bodies("sheet", "flat part of a body"),
    ReduceStep: dict.fromkeys(("overlap.sheet", "world:overlap.line"), "area between the contacts kept"),
}
"""The meanings of looks that depend on the type of step."""


STAGE = Stage(
    lambda _dimension: _OVERLAP_REGION,
    _line,
    contacts_text,
    draw_world,
    lambda context, draw, _step: draw_nothing(context, draw),
    focus=_focus,
    listing_at=_listing,
    colours=LIT_FACE
    | {
        "winner": "part that the cuts keep",
        "winner.rimmed": "corner that the cut makes",
        "overlap": "depth",
        "overlap.disc": "contact",
        "overlap.cross": "corner that is cut off",
        "overlap.diamond": "corner that the cut makes",
        "overlap.hollow": "contact that is still apart",
        "edge_a.disc": "corner that touches",
        "edge_b.disc": "corner that touches",
        "body:edge_a.dashed": "core of a body",
        "body:edge_b.dashed": "core of a body",
        "edge_a.dashed": "incident face",
        "edge_b.dashed": "incident face",
        "normal": "normal",
        "normal.dashed": "reference face below the contacts",
        "world:text.dashed": "outline before the cut",
    },
    colours_at=lambda step: _COLOURS.get(type(step), {}),
)
