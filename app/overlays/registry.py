"""Every overlay, in the order of drawing. To add one: its file, its import here, and its line in the list."""

from __future__ import annotations

from . import axes, bodies, contacts, difference, faces_in_view, globe, grid, half_space, normals, separation
from .context import Overlay

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
    axes.OVERLAY,
    separation.DEPTH,
    separation.CLOSEST,
    bodies.NAMES,
    globe.OVERLAY,
    globe.GAUSS,
    grid.TRIAD,
    difference.SUM,
    Overlay("regions", "All 27 regions of a box", "Shift+R", "As a sphere that moves past sees them"),
)
"""Every overlay that can be switched, in drawing order; ids and keys are unique (a test holds it)."""

STRANGE = {2: frozenset({"globe", "gauss", "half_space", "in_view", "regions"}), 3: frozenset({difference.SUM.id})}
"""By dimension the overlays that have nothing to show of its scenes."""
