"""How the families of candidate axes look, so that colour is never the only sign: colour, dash pattern, marker."""

from __future__ import annotations

from msgspec import Struct

from core.sat.sat import AxisKind
from core.sat.table import SatTable

from ..draw.draw_list import Dash, Marker, Rgba
from ..draw.theme import Theme


class FamilyStyle(Struct, frozen=True):
    """Colour, line pattern and end marker of one family."""

    rgba: Rgba
    dash: Dash
    marker: Marker


def family_style(kind: AxisKind, theme: Theme) -> FamilyStyle:
    """The style of a family: A's faces solid squares, B's faces dashed diamonds, edge pairs dotted discs."""
    match kind:
        case AxisKind.FACE_A:
            return FamilyStyle(theme.family_a, Dash.SOLID, Marker.SQUARE)
        case AxisKind.FACE_B:
            return FamilyStyle(theme.family_b, Dash.DASHED, Marker.DIAMOND)
        case AxisKind.EDGES:
            return FamilyStyle(theme.family_edges, Dash.DASH_DOT, Marker.DISC)
        case AxisKind.CENTRES:
            return FamilyStyle(theme.family_closest, Dash.DOTTED, Marker.TRIANGLE)


def kinds_of(sat: SatTable) -> frozenset[str]:
    """The families of which a table has axes: in the plane no edge pairs, of two balls the closest points alone."""
    return frozenset(candidate.kind.value for candidate in sat.candidates)


def family_shown(wanted: str, sat: SatTable) -> str:
    """The family to show: the one wanted, or the winner's where the pair has no axis of it."""
    return wanted if wanted in kinds_of(sat) else sat.candidates[sat.winner].kind.value
