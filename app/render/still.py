"""Still pictures of a scene: no window, no panels, no gizmo; for `separatrix render` and for screenshots."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PIL import Image

from core.scene import Scene

from ..draw.placed import Placed, Rect
from ..state.motion_times import moves
from ..state.seen import Seen
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
    seen: Seen,
    width: int,
    height: int,
    scale: float,
    transparent: bool = False,
    *,
    context: moderngl.Context | None = None,
    tile: int | None = None,
) -> Generator[float, None, Image.Image]:
    """Draws the viewport of `width` by `height` points as a picture of `scale` pixels to the point, RGBA.

    A view that is fitted (as a new one is) frames what is drawn; an answer about the motion that is shown is sought
    where there is none. `context`: the live window's, which must be current; without one a context of its own is made
    and freed. `tile` as in capture. Yields the share drawn, and returns the picture. Raises GraphicsUnavailable.
    """
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    view = replace(seen.view, hover=None).facing(seen.scene)
    swept = seen.sweep or (None if seen.query is None else seen.query.sweep) or _swept(seen.scene, view)
    seen = replace(seen, view=view, sweep=swept)
    if view.fitted:
        corner = taken_corner(seen.scene, view, Rect(0, 0, *size), scale, 0.5, NOTHING_COVERED)
        seen = replace(seen, view=framed(seen, size, covered=Covered(corner=corner)))
    background = None if transparent else (seen.theme.background_top, seen.theme.background_bottom)

    def lay_out(fineness: int) -> Sequence[tuple[Rect, Placed]]:
        area = Rect(0, 0, size[0] * fineness, size[1] * fineness)
        builder = FrameBuilder()
        shown = Shown(*seen.facts, area=area, density=scale * fineness, titled=True)
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
