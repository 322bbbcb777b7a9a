"""A thumbnail: the world alone, with bodies, letters and the rail as a line, which can be seen at that size.

It is used for the gallery's cards and, as vectors, for the program's icon. It has no grid, triad, words or numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from PIL import Image

from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.sat.sat import AxisStatus
from core.scene import Scene
from core.trace import run

from ..draw.camera import Projection
from ..draw.draw_list import DrawList, Layer, Subject
from ..draw.layout import layout
from ..draw.placed import PlacedPane, Rect
from ..draw.text import measure
from ..draw.theme import Theme
from ..overlays.context import Context, patch
from ..overlays.rail import Rail, Spans, separation_rgba
from ..state.view import Panes, View
from .framing import camera_round
from .pictures import build
from .still import Plan, Stills

THUMBNAIL_SIZE = (352, 220)
"""Width and height in pixels: twice a card's, for fine screens."""
DENSITY = 1.6
"""Pixels to the point. Letters and lines are a little larger than in a scaled picture of the whole window."""
MARK_FACTOR = 0.6
"""Factor for the radius of points, which would hide the bodies if they were as large as in the window."""
PALETTE_SIZE = 256
"""Number of colours in the PNG's palette; with a palette the file takes a quarter of the bytes."""
LETTER_SHARE = 0.75
"""A half-space's letter is placed at this share of the way from the middle of its square to the nearest corner."""
OVERLAY_IDS = frozenset({"bodies", "labels", "mtv", "closest", "contacts"})


def thumbnail(stills: Stills, scene: Scene, view: View, theme: Theme) -> Image.Image:
    """The picture of a scene, THUMBNAIL_SIZE pixels, with a palette of PALETTE_SIZE colours.

    Raises MemoryError as `Stills.expose`.
    """
    picture = run(stills.expose(thumbnail_plan(scene, view, theme)))
    return picture.convert("RGB").quantize(PALETTE_SIZE, dither=Image.Dither.NONE)


def thumbnail_plan(scene: Scene, view: View, theme: Theme, size: tuple[int, int] = THUMBNAIL_SIZE) -> Plan:
    """The plan of a thumbnail; `size` in pixels."""
    view = replace(view, panes=Panes.WORLD, shown=OVERLAY_IDS, free=None, hover=None, pin=None, step=0).facing(scene)
    swept = sweep(scene) if view.shows_motion(scene) else None
    known = Context(scene, analyse(scene), view, theme, sweep=swept)
    draw = build(known).world
    draw.labels = [label for label in draw.labels if label.text in ("A", "B")]
    for marks in draw.marks:
        marks.radius *= MARK_FACTOR
    if swept is None and view.probe is None:
        _draw_rail(known, draw)
    camera = camera_round(scene, view, draw, size) if view.fitted else view.world
    _name_in_front(known, draw, Projection(camera, *size))

    def lay_out(fineness: int) -> Sequence[tuple[Rect, PlacedPane]]:
        width, height = size[0] * fineness, size[1] * fineness
        placed = layout(draw, camera, width, height, DENSITY * fineness, measure, theme.halo)
        return [(Rect(0, 0, width, height), placed)]

    return Plan(size, DENSITY, (theme.background_top, theme.background_bottom), lay_out)


def _name_in_front(context: Context, draw: DrawList, projection: Projection) -> None:
    """Moves a half-space's letter to the corner nearest the viewer: elsewhere the other body might hide it."""
    for label, index in ((label, "AB".index(label.text)) for label in draw.labels):
        body = context.scene.body(index)
        if body.shape.plane is not None:
            square = patch(body, context.scene.body(1 - index))
            near = square[projection.to_view(square)[:, 2].argmax()]
            label.point = LETTER_SHARE * near + (1.0 - LETTER_SHARE) * square.mean(axis=0)


def _draw_rail(context: Context, draw: DrawList) -> None:
    """Draws the axis that decides, if it has a direction, as a line beside the bodies, with the gap or the overlap."""
    sat, row = context.analysis.sat, context.resting_focus
    if context.lit is None or sat.statuses[row] is AxisStatus.DEGENERATE:
        return
    spans, size = Spans.of(context, row), context.extent.radius
    low, high = spans.whole
    lift = context.extent.radius_about(spans.direction) + 0.16 * size
    rail = Rail.on(draw, context, spans.direction, Subject("axis", row))
    rail.line((low, high), lift, context.theme.winner, 1.6, Layer.NORMAL)
    rail.line(spans.between, lift, separation_rgba(context, float(sat.separations[row])), 4.0, Layer.STRONG)
