"""Sizes of text in the picture, points, and the looks of candidate axes by family and of what proves a bound.

There are few sizes, so that all pictures look alike. A family has a colour, a dash pattern and a marker, so that colour
is never the only sign.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array
from core.query.query import Moment, Phase
from core.sat.sat import AxisKind
from core.sat.table import SatTable

from ..draw.draw_list import Dash, Marker, Rgba
from ..draw.theme import Theme

FINE = 11.0
"""For names that are numerous: rails round the pair, pins of the globe, normals."""

PLAIN = 12.5
"""For vertices, planes and the origin."""

STRONG = 14.0
"""For the subject of the picture: the axis in focus, its number, the depth, the distance."""

NAME = 19.0
"""For the names of the bodies."""


def points_along(start: Array, end: Array) -> Array:
    """Points (4, 3) on the line between two (3,), besides its middle: where a label of its length may stand as well."""
    return start + np.array(((0.35,), (0.65,), (0.15,), (0.85,))) * (end - start)


class FamilyStyle(Struct, frozen=True):
    """Colour, line pattern and end marker of one family, and the angles of its hatch in degrees."""

    rgba: Rgba
    dash: Dash
    marker: Marker
    hatch: tuple[float, ...] = ()


def family_style(kind: AxisKind, theme: Theme) -> FamilyStyle:
    """The style of a family of axes."""
    match kind:
        case AxisKind.FACE_A:
            return FamilyStyle(theme.family_a, Dash.SOLID, Marker.SQUARE, (45.0,))
        case AxisKind.FACE_B:
            return FamilyStyle(theme.family_b, Dash.DASHED, Marker.DIAMOND, (135.0,))
        case AxisKind.EDGES:
            return FamilyStyle(theme.family_edges, Dash.DASH_DOT, Marker.DISC, (45.0, 135.0))
        case AxisKind.CENTRES:
            return FamilyStyle(theme.family_closest, Dash.DOTTED, Marker.TRIANGLE)


def families_of(sat: SatTable) -> frozenset[str]:
    """The families of a table's axes; a 2D scene, for example, has no edge pairs, two balls only the closest points."""
    return frozenset(candidate.kind.value for candidate in sat.candidates)


def family_shown(wanted: str, sat: SatTable) -> str:
    """The family to show: the wanted one, or the winner's if the table has no axis of it."""
    return wanted if wanted in families_of(sat) else sat.candidates[sat.winner].kind.value


SEARCH_PROVES_LOWER = frozenset({Phase.GJK, Phase.RAY})
"""The phases whose search for a support point proves a lower bound; elsewhere it proves an upper one."""


def bound_colours(moment: Moment | None, theme: Theme) -> tuple[Rgba, Rgba]:
    """The colours of the bounds that a step proves: by its search for a support point, and by the nearest point.

    The first is that of the search direction, the support plane and the support point. The second is that of the point
    nearest the origin, and of the points of the bodies whose difference it is. `moment`: the step shown, None for the
    answer.
    """
    lower_first = moment is not None and moment.phase in SEARCH_PROVES_LOWER
    return (theme.lower, theme.upper) if lower_first else (theme.upper, theme.lower)
