"""The overlays that can be switched. A new overlay is a module, an import here, and a line in the list."""

from __future__ import annotations

from ..state.view import SINGLE_OVERLAY
from . import (
    axes,
    bodies,
    contacts,
    difference,
    faces_in_view,
    gauss_body,
    globe,
    grid,
    half_space,
    hatches,
    normals,
    separation,
)
from .context import Overlay

OF_A_BOX = {2: "The regions are for 3D scenes; this scene is 2D."}
SUPPORTING = "supporting"
"""Id of the overlay that `app/stages/supporting.py` draws at steps."""
OVERLAYS: tuple[Overlay, ...] = (
    grid.OVERLAY,
    bodies.OVERLAY,
    bodies.CORES,
    normals.OVERLAY,
    separation.PLANE,
    half_space.OVERLAY,
    faces_in_view.OVERLAY,
    separation.RESOLVED,
    difference.OVERLAY,
    contacts.OVERLAY,
    contacts.MANIFOLD,
    axes.OVERLAY,
    separation.DEPTH,
    separation.CLOSEST,
    bodies.NAMES_OVERLAY,
    globe.OVERLAY,
    globe.GAUSS,
    globe.LARGE,
    gauss_body.OVERLAY,
    grid.TRIAD,
    difference.SUM,
    hatches.OVERLAY,
    Overlay(
        SINGLE_OVERLAY,
        "Single precision",
        "",
        "Where float32 is wrong: its normal, and its point of A − B",
        of_answer=True,
    ),
    Overlay(
        SUPPORTING,
        "Supporting half-space",
        "",
        "At a step of GJK or EPA: the plane through w across the direction, and the side that holds all of A − B",
    ),
    Overlay(
        "regions",
        "All 27 regions of a box",
        "Shift+R",
        "Of the box that a moving sphere passes",
        unavailable_in=OF_A_BOX,
    ),
)
"""Every overlay that can be switched, in drawing order; ids and keys are unique, as a test checks."""

UNAVAILABLE = {k: frozenset(overlay.id for overlay in OVERLAYS if k in overlay.unavailable_in) for k in (2, 3)}
"""Ids of the overlays that have nothing to show, by the dimension of a scene."""
