"""What is seen: the one record that overlays, panels, input, the window's pictures and stills read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from core.analysis.analysis import Analysis
from core.query.query import Moment, Query
from core.scene import Scene

from ..draw.theme import Theme
from .prediction import Asked
from .view import View

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer


class Seen(Struct, frozen=True, eq=False):
    """The scene with its answers, how it is looked at, and the colours.

    `query`, `place`: whose moment is shown step by step; without a query, the answer is. `asked`: the question that
    stands, whose answer is held back while it is open. `sweep`: the answer about the bodies' motion, if it is shown.
    It is no key for what was drawn: the parts of a picture ask each for what they need of it.
    """

    scene: Scene
    analysis: Analysis
    view: View
    theme: Theme
    query: Query | None = None
    place: int = 0
    asked: Asked | None = None
    sweep: SweepAnswer | None = None

    @property
    def moment(self) -> Moment | None:
        """The step shown, if any."""
        return None if self.query is None else self.query.moments[self.place]

    @property
    def facts(self) -> tuple[Any, ...]:
        """What any such record has, in order: what another one is made of that says more."""
        return tuple(getattr(self, name) for name in Seen.__struct_fields__)
