"""The overlays that belong to the steps of a query: drawn after the others while a step of their phase is shown.

They are not switched one by one: the timeline brings them and takes them away.
"""

from __future__ import annotations

from ..overlays.context import Overlay
from .build import picture as step_build
from .contacts import picture as step_contacts
from .epa import picture as step_epa
from .gjk import picture as step_gjk
from .mpr import picture as step_mpr
from .sat import picture as step_sat

STEP_OVERLAYS: tuple[Overlay, ...] = (
    step_build.OVERLAY,
    step_sat.OVERLAY,
    step_gjk.OVERLAY,
    step_epa.OVERLAY,
    step_mpr.OVERLAY,
    step_contacts.OVERLAY,
)
"""One for each phase."""
