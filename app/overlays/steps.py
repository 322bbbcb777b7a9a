"""The overlays that belong to the steps of a query: drawn after the others while a step of their phase is shown.

They are not switched one by one: the timeline brings them and takes them away.
"""

from __future__ import annotations

from . import step_build, step_contacts, step_epa, step_gjk, step_sat
from .context import Overlay

STEP_OVERLAYS: tuple[Overlay, ...] = (
    step_build.OVERLAY,
    step_sat.OVERLAY,
    step_gjk.OVERLAY,
    step_epa.OVERLAY,
    step_contacts.OVERLAY,
)
"""One for each phase."""
