"""Every overlay, in the order of drawing. To add one: its file, its import here, and its line in the list."""

from __future__ import annotations

from . import (
    axes,
    bodies,
    closest,
    contacts,
    core_outline,
    difference,
    faces_in_view,
    flat_sum,
    gauss,
    globe,
    grid,
    half_space,
    mtv,
    normals,
    plane,
    resolved,
    triad,
)
from .context import Overlay

OVERLAYS: tuple[Overlay, ...] = (
    grid.OVERLAY,
    bodies.OVERLAY,
    core_outline.OVERLAY,
    normals.OVERLAY,
    plane.OVERLAY,
    half_space.OVERLAY,
    faces_in_view.OVERLAY,
    resolved.OVERLAY,
    difference.OVERLAY,
    contacts.OVERLAY,
    axes.OVERLAY,
    mtv.OVERLAY,
    closest.OVERLAY,
    bodies.NAMES,
    globe.OVERLAY,
    gauss.OVERLAY,
    triad.OVERLAY,
    flat_sum.OVERLAY,
    Overlay("regions", "All 27 regions of a box", "Shift+R", "As a sphere that moves past sees them"),
)
"""Every overlay that can be switched, in drawing order; ids and keys are unique (a test holds it)."""

STRANGE = {2: frozenset({"globe", "gauss", "half_space", "in_view", "regions"}), 3: frozenset({flat_sum.OVERLAY.id})}
"""By dimension the overlays that have nothing to show of its scenes."""
