"""All overlays at once."""

from __future__ import annotations

from app.overlays.registry import OVERLAYS
from app.state.view import GAUSS_BODY

EVERYTHING = frozenset(overlay.id for overlay in OVERLAYS) - {GAUSS_BODY}
"""Ids of all overlays but the one that leaves the others' marks out of the Gauss map."""
