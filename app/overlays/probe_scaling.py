"""Space scaled until an ellipsoid is a unit sphere, together with a plane.

The ground, both bodies and their names are drawn for the world and then mapped point by point. The normals and numbers
are drawn in the scaled space: the true normal, and beside it the normal that is scaled like a point and is no longer
perpendicular to the plane.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import Array, dots, product
from core.scene import Scene

from ..draw.draw_list import Dash, DrawList, Hidden, Rgba
from ..draw.theme import faded
from ..probes import ScaleProbe
from ..probes.planes import ScaledSpace, Scaling
from ..words.digits import signed
from . import bodies, grid
from .context import Context
from .style import PLAIN, STRONG

ARROW_SHARE = 0.6
"""Length of the normals, in radii of the pair."""
BY_INVERSE_TRANSPOSE, LIKE_A_POINT = "n, by the inverse transpose", "n scaled like a point"


def colours(scene: Scene, probe: ScaleProbe) -> dict[str, str]:
    """The legend's meanings of the probe's looks in the world (`app/render/looks.py`); {} if it shows nothing."""
    if Scaling.of(scene) is None:
        return {}
    return {
        "winner": BY_INVERSE_TRANSPOSE if probe.share > 0.0 else "n",
        "gap": "gap along n",
        "overlap": "overlap along n",
        "gap.dotted": "from the centre to the deepest point",
        "overlap.dotted": "from the centre to the deepest point",
        "gap.disc": "deepest point",
        "overlap.disc": "deepest point",
        "overlap.dashed": LIKE_A_POINT,
        "text.dashed": "distance s0 of the centre",
        "text.disc": "distance s0 of the centre",
    }


def draw_scaled(context: Context, draw: DrawList, probe: ScaleProbe) -> None:
    """Draws the scene scaled by the probe's share, 0 to 1; nothing unless the pair is an ellipsoid and a half-space."""
    scaling = Scaling.of(context.scene)
    if scaling is None:
        return
    space = scaling.at(probe.share)
    shown = context.view.shown
    for overlay in (grid.OVERLAY, bodies.OVERLAY, bodies.NAMES_OVERLAY):
        if overlay.id in shown and overlay.world is not None:
            of_world = DrawList()
            overlay.world(context, of_world)
            _add_mapped(draw, of_world, scaling.centre, space)
    _draw_normals(context, draw, scaling, space)


def _add_mapped(draw: DrawList, drawn: DrawList, centre: Array, space: ScaledSpace) -> None:
    """Adds a draw list of the world with its points mapped into the scaled space, about `centre` (3,)."""

    def moved(points: Array) -> Array:
        return product(points - centre, (space.magnified * space.matrix).T) + centre

    first = len(draw.solids)
    for solid in drawn.solids:
        # An ellipsoid has neither ball nor planes: its triangles decide what it hides.
        normals = _unit_rows(product(solid.corner_normals, space.inverse_transpose.T))
        draw.solids.append(replace(solid, corners=moved(solid.corners), corner_normals=normals, ellipsoids=None))
    for lines in drawn.segments:
        beside = None if lines.normals is None else _unit_rows(product(lines.normals, space.inverse_transpose.T))
        number = lines.solid_number + first if lines.solid_number >= 0 else -1
        start, end = moved(lines.start), moved(lines.end)
        draw.segments.append(replace(lines, start=start, end=end, normals=beside, solid_number=number))
    draw.sheets += [replace(sheet, points=moved(sheet.points)) for sheet in drawn.sheets]
    draw.labels += [replace(label, point=moved(label.point)) for label in drawn.labels]


def _unit_rows(rows: Array) -> Array:
    out: Array = rows / np.sqrt(dots(rows, rows))[..., None]
    return out


def _draw_normals(context: Context, draw: DrawList, scaling: Scaling, space: ScaledSpace) -> None:
    """Draws the distances of the centre and of the deepest point from the plane, and the two normals there."""
    theme, centre = context.theme, scaling.centre
    prime = "′" if space.share > 0.0 else ""
    large = space.magnified
    foot = centre - large * space.distance * space.normal
    contact = centre + large * (space.contact - centre)
    onto = contact - large * space.gap * space.normal
    draw.lines(centre, foot, faded(theme.text, 0.9), 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW)
    draw.points(np.array((centre, foot)), theme.text, 3.2, hidden=Hidden.SHOW)
    words = f"s0{prime} = {signed(space.distance)}"
    draw.label(words, 0.5 * (centre + foot), theme.text, size=PLAIN, offset=(46.0, 0.0), priority=70, kind="distance")
    rgba = theme.overlap if space.gap < 0.0 else theme.gap
    draw.lines(centre, contact, faded(rgba, 0.8), 1.4, dash=Dash.DOTTED, hidden=Hidden.SHOW)
    draw.strong(contact, onto, rgba, 2.4)
    draw.spots(contact, rgba, 5.0, theme.halo, 1.5)
    draw.label(
        space.gap_words, contact, rgba, size=STRONG, offset=(-64.0, 16.0), priority=80, bold=True, kind="distance"
    )
    reach = ARROW_SHARE * context.extent.radius
    told = BY_INVERSE_TRANSPOSE if prime else "n"
    _draw_arrow(draw, foot, foot + reach * space.normal, theme.winner, told, Dash.SOLID)
    if space.normals_differ:
        _draw_arrow(draw, foot, foot + reach * space.mistaken, theme.overlap, LIKE_A_POINT, Dash.DASHED)


def _draw_arrow(draw: DrawList, start: Array, tip: Array, rgba: Rgba, words: str, dash: Dash) -> None:
    draw.strong(start, tip, rgba, 2.4, dash=dash, arrow_end=11.0)
    draw.label(words, tip, rgba, size=PLAIN, offset=(0.0, -13.0), priority=74, bold=True, kind="direction-names")
