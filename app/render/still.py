"""Still pictures of a scene: no window, no panels, no gizmo; for `separatrix render` and for screenshots."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PIL import Image

from core.analysis.analysis import Analysis, analyse
from core.query.query import Query
from core.scene import Scene

from ..draw.placed import Placed, Rect
from ..draw.theme import Theme
from ..state.motion_times import moves
from ..state.prediction import Asked
from ..state.view import View
from . import make_context
from .capture import at_once, exposed
from .frame import FrameBuilder, FrameTimes, Shown
from .framing import NOTHING_COVERED, Covered, framed
from .insets import taken_corner

if TYPE_CHECKING:
    import moderngl

    from core.analysis.motion_answers import SweepAnswer


def expose_still(
    scene: Scene,
    view: View | None,
    width: int,
    height: int,
    scale: float,
    theme: Theme,
    transparent: bool = False,
    *,
    context: moderngl.Context | None = None,
    analysis: Analysis | None = None,
    query: Query | None = None,
    place: int = 0,
    asked: Asked | None = None,
    sweep: SweepAnswer | None = None,
    tile: int | None = None,
) -> Generator[float, None, Image.Image]:
    """Draws the viewport of `width` by `height` points as a picture of `scale` pixels to the point, RGBA.

    A view that is fitted (as a new one is) frames what is drawn. `context`: the live window's, which must be current;
    without one a context of its own is made and freed. `query`, `place`: whose moment is shown instead of the answer.
    `asked`: the question that stands, which holds back what would answer it. `sweep`: the answer about the motion, as
    far as it is known.
    `tile` as in capture. Yields the share drawn, and returns the picture. Raises GraphicsUnavailable.
    """
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    known = analyse(scene) if analysis is None else analysis
    looked = replace(view or View(), hover=None).facing(scene)
    swept = sweep or (None if query is None else query.sweep) or _swept(scene, looked)
    if looked.fitted:
        corner = taken_corner(scene, looked, Rect(0, 0, *size), scale, 0.5, NOTHING_COVERED)
        looked = framed(scene, known, looked, size, covered=Covered(corner=corner), sweep=swept, steps=query)
    background = None if transparent else (theme.background_top, theme.background_bottom)

    def lay_out(fineness: int) -> Sequence[tuple[Rect, Placed]]:
        area = Rect(0, 0, size[0] * fineness, size[1] * fineness)
        builder = FrameBuilder()
        shown = Shown(
            scene,
            known,
            looked,
            theme,
            area,
            scale * fineness,
            titled=True,
            query=query,
            place=place,
            asked=asked,
            sweep=swept,
        )
        builder.build(shown, FrameTimes())
        return [(pane.rect, placed) for pane, placed in zip(builder.panes, builder.placed, strict=True)]

    if context is not None:
        return (yield from exposed(context, lay_out, size, background, tile=tile))
    own = make_context(standalone=True)
    try:
        return (yield from exposed(own, lay_out, size, background, tile=tile))
    finally:
        own.release()


render_still = at_once(expose_still)
"""The picture of `expose_still`, all at once."""


def _swept(scene: Scene, view: View) -> SweepAnswer | None:
    """The answer about the bodies' motion where the view shows it and there is any."""
    if not view.shows_motion(scene) or not (moves(scene.a) or moves(scene.b)):
        return None
    from core.analysis.motion_answers import sweep

    return sweep(scene)
