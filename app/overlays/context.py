"""What an overlay may look at, and how it registers itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from msgspec import Struct

from core.algorithms.sat import AxisStatus
from core.algorithms.sat_steps import SatStep
from core.analysis import Analysis
from core.query import Moment, Phase, Query
from core.scene import Scene

from ..draw_list import DrawList, Subject
from ..theme import Theme
from ..view import View
from .extent import Extent


class Context(Struct, frozen=True, eq=False, dict=True):
    """The scene with its analysis, how it is looked at, and the colours.

    `query`, `place`: whose moment is shown step by step; without a query, the answer is.
    """

    scene: Scene
    analysis: Analysis
    view: View
    theme: Theme
    query: Query | None = None
    place: int = 0

    @property
    def moment(self) -> Moment | None:
        """The step shown, if any."""
        return None if self.query is None else self.query.moments[self.place]

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
        """Row of the axis in focus while nothing is hovered: what can be pointed at is placed by this one.

        The pinned one, else the one that the step tries, else the winner.
        """
        step = None if self.moment is None else self.moment.step
        tried = step.row if isinstance(step, SatStep) and step.separation is not None else self.analysis.sat.winner
        return self._row_of(self.view.pin, tried)

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

EVERY_PHASE = frozenset(Phase)


class Overlay(Struct, frozen=True):
    """One thing that can be shown: toggled by `key`, drawn into panes and insets.

    `phases`: during which steps of a query it stays; what belongs to the answer goes, so that it gives nothing away.
    `stepping`: it belongs to the steps, and is not there without any.
    """

    id: str
    title: str
    key: str
    tip: str
    world: Build | None = None
    difference: Build | None = None
    triad: Build | None = None
    globe: Build | None = None
    phases: frozenset[Phase] = EVERY_PHASE
    stepping: bool = False

    def stands(self, moment: Moment | None) -> bool:
        """Whether it is drawn at a step, or without one."""
        return not self.stepping if moment is None else moment.phase in self.phases
