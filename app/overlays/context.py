"""What an overlay may look at, and how it registers itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from msgspec import Struct

from core.algorithms.sat import AxisStatus
from core.analysis import Analysis
from core.scene import Scene

from ..draw_list import DrawList, Subject
from ..theme import Theme
from ..view import View
from .extent import Extent


class Context(Struct, frozen=True, eq=False, dict=True):
    """The scene with its analysis, how it is looked at, and the colours."""

    scene: Scene
    analysis: Analysis
    view: View
    theme: Theme

    @cached_property
    def extent(self) -> Extent:
        """Where the pair is and how large."""
        return Extent.of(self.scene)

    @cached_property
    def focus(self) -> int:
        """Row of the axis everything points at: hovered, else pinned, else the winner."""
        return self._row_of(self.view.hover, self.resting_focus)

    @cached_property
    def resting_focus(self) -> int:
        """Row of the axis in focus while nothing is hovered: what can be pointed at is placed by this one."""
        return self._row_of(self.view.pin, self.analysis.sat.winner)

    @cached_property
    def nearest_axes(self) -> list[int]:
        """Rows of the axes that have a direction, the closest to winning first."""
        sat = self.analysis.sat
        order = np.argsort(-sat.separations, kind="stable").tolist()
        return [row for row in order if sat.statuses[row] is not AxisStatus.DEGENERATE]

    def _row_of(self, subject: Subject | None, otherwise: int) -> int:
        known = subject is not None and subject.kind == "axis" and subject.number < len(self.analysis.sat.axes)
        return subject.number if subject is not None and known else otherwise


Build = Callable[[Context, DrawList], None]


class Overlay(Struct, frozen=True):
    """One thing that can be shown: toggled by `key`, drawn into panes and insets."""

    id: str
    title: str
    key: str
    tip: str
    world: Build | None = None
    difference: Build | None = None
    triad: Build | None = None
    globe: Build | None = None
