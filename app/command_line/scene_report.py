"""What `separatrix check` says of any scene: the report of its world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.analysis import Analysis
from core.flat import FlatAnalysis
from core.motion_answers import SweepAnswer

from .report import to_object, to_text


def scene_object(analysis: Analysis, moving: SweepAnswer | None, name: str, remarks: Sequence[str]) -> dict[str, Any]:
    """`to_object` of a scene of space or of the plane."""
    if isinstance(analysis, FlatAnalysis):
        # Imported with the first scene of the plane, as everything of it.
        from .flat_report import flat_object

        return flat_object(analysis.planar, moving, name, remarks)
    return to_object(analysis, moving, name, remarks)


def scene_text(analysis: Analysis, moving: SweepAnswer | None, name: str, remarks: Sequence[str]) -> str:
    """`to_text` of a scene of space or of the plane."""
    if isinstance(analysis, FlatAnalysis):
        from .flat_report import flat_text

        return flat_text(analysis.planar, moving, name, remarks)
    return to_text(analysis, moving, name, remarks)
