"""What an overlay may look at, and how it registers itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from core.analysis import Analysis
from core.scene import Scene

from ..draw_list import DrawList
from ..theme import Theme
from ..view import View
from .extent import Extent


@dataclass(frozen=True, eq=False)
class Context:
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
        for subject in (self.view.hover, self.view.pin):
            if subject is not None and subject.kind == "axis" and subject.number < len(self.analysis.sat.axes):
                return subject.number
        return self.analysis.sat.winner


Build = Callable[[Context, DrawList], None]


@dataclass(frozen=True, slots=True)
class Overlay:
    """One thing that can be shown: toggled by `key`, drawn into panes and insets."""

    id: str
    title: str
    key: str
    tip: str
    world: Build | None = None
    difference: Build | None = None
    triad: Build | None = None
    globe: Build | None = None
