"""The colours of what proves a bound at a step: a lower bound and what proves it look alike, and so do upper ones."""

from __future__ import annotations

from core.query.query import Moment, Phase

from ..draw.draw_list import Rgba
from ..draw.theme import Theme

SEARCH_PROVES_LOWER = frozenset({Phase.GJK, Phase.RAY})
"""The phases whose search for a support point proves a lower bound; elsewhere it proves an upper one."""


def bound_colours(moment: Moment | None, theme: Theme) -> tuple[Rgba, Rgba]:
    """The colours of the bounds that a step proves: by its search for a support point, and by the nearest point.

    The first is that of the search direction, the support plane and the support point. The second is that of the point
    nearest the origin, and of the points of the bodies whose difference it is.
    """
    lower_first = moment is not None and moment.phase in SEARCH_PROVES_LOWER
    return (theme.lower, theme.upper) if lower_first else (theme.upper, theme.lower)
