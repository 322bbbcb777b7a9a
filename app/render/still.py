"""Still pictures of a scene, as pixels finer than the window's or as vectors: no window, no panels, no gizmo, any size.

For `separatrix render` and for screenshots.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, ParamSpec

import moderngl
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image

from core.scene import Scene

from ..draw.placed import Placed, Rect
from ..state.playback import moves
from ..state.view import Seen, View
from . import Background, Pane, Renderer, Target, make_context
from .context import largest_side
from .frame import FrameBuilder, FrameTimes, Shown, taken_corner
from .framing import NOTHING_COVERED, Covered, framed

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer


Floats = NDArray[np.float32]
Drawing = ParamSpec("Drawing")
SUPERSAMPLING = 2
LARGEST_TILE = 2048
"""Tile side in supersampled pixels: 50 MB on the graphics side."""


def at_once(tiles: Callable[Drawing, Generator[float, None, Image.Image]]) -> Callable[Drawing, Image.Image]:
    """The function that returns the picture of a generator of tiles."""

    def drained(*args: Drawing.args, **kwargs: Drawing.kwargs) -> Image.Image:
        drawing = tiles(*args, **kwargs)
        while True:
            try:
                next(drawing)
            except StopIteration as done:
                picture: Image.Image = done.value
                return picture

    return drained


def exposed(
    context: moderngl.Context,
    lay_out: Callable[[int], Sequence[Pane]],
    size: tuple[int, int],
    background: Background | None,
    *,
    tile: int | None = None,
) -> Generator[float, None, Image.Image]:
    """Draws a still of `size` pixels, RGBA with straight alpha, anti-aliased by supersampling; yields the share drawn.

    `lay_out(n)` returns the panes in pixels n times finer than the picture's (rectangles, widths and text sizes too);
    `background` None makes a transparent picture. `tile`: side of a tile in those finer pixels.
    """
    panes = lay_out(SUPERSAMPLING)
    side = min(tile or LARGEST_TILE, largest_side(context)) // SUPERSAMPLING
    width, height = size
    picture = np.zeros((height, width, 4), dtype=np.uint8)
    renderer = Renderer(context)
    target = Target(context, (min(side, width) * SUPERSAMPLING, min(side, height) * SUPERSAMPLING), exact=True)
    try:
        renderer.upload(panes)
        for top in range(0, height, side):
            for left in range(0, width, side):
                renderer.paint(background, target, (left * SUPERSAMPLING, top * SUPERSAMPLING))
                data = target.framebuffer.read(components=4, alignment=1, dtype="f2")
                fine = np.frombuffer(data, dtype=np.float16).reshape(*target.size[::-1], 4)[::-1]
                rows, columns = min(side, height - top), min(side, width - left)
                picture[top : top + rows, left : left + columns] = straight_bytes(_averaged(fine))[:rows, :columns]
                yield (top * width + rows * (left + columns)) / (width * height)
    finally:
        target.release()
        renderer.release()
    return Image.fromarray(picture)


capture = at_once(exposed)
"""The picture of `exposed`, all tiles at once."""


def straight_bytes(premultiplied: Floats) -> NDArray[np.uint8]:
    """(h, w, 4) as bytes, the colours divided by alpha as PNG wants them."""
    alpha = premultiplied[..., 3:]
    picture = premultiplied.copy()
    np.divide(picture[..., :3], alpha, out=picture[..., :3], where=alpha > 0.0)
    np.clip(picture, 0.0, 1.0, out=picture)
    return (picture * 255.0 + 0.5).astype(np.uint8)


def _averaged(fine: NDArray[np.float16]) -> Floats:
    """Means of the blocks of SUPERSAMPLING by SUPERSAMPLING pixels."""
    n = SUPERSAMPLING
    total: Floats = np.zeros((fine.shape[0] // n, fine.shape[1] // n, 4), dtype=np.float32)
    for row in range(n):
        for column in range(n):
            total += fine[row::n, column::n]
    return total / np.float32(n * n)


class Plan(Struct, frozen=True, eq=False):
    """A still before it is drawn, whether as pixels or as vectors.

    `size`: its width and height in pixels, `scale` of them to the point; `background`: None for a transparent picture;
    `lay_out`: the panes in pixels so many times finer than the picture's.
    """

    size: tuple[int, int]
    scale: float
    background: Background | None
    lay_out: Callable[[int], Sequence[Pane]]


def planned(seen: Seen, width: int, height: int, scale: float, transparent: bool = False) -> Plan:
    """The viewport of `width` by `height` points at `scale` pixels to the point.

    A view that is fitted (as a new one is) frames what is drawn; an answer about the motion that is shown is sought
    where there is none.
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

    return Plan(size, scale, background, lay_out)


def expose_still(
    plan: Plan, *, context: moderngl.Context | None = None, tile: int | None = None
) -> Generator[float, None, Image.Image]:
    """Draws the picture that is planned, RGBA.

    `context`: the live window's, which must be current; without one a context of its own is made and freed. `tile` as
    in capture. Yields the share drawn, and returns the picture. Raises GraphicsUnavailable.
    """
    picture = plan.lay_out, plan.size, plan.background
    if context is not None:
        return (yield from exposed(context, *picture, tile=tile))
    own = make_context(standalone=True)
    try:
        return (yield from exposed(own, *picture, tile=tile))
    finally:
        own.release()


render_still = at_once(expose_still)
"""The picture of `expose_still`, all at once."""


def vector_still(plan: Plan, ending: str, scene: str, title: str) -> Callable[[], bytes]:
    """Lays the picture out, as finely as for pixels; what is returned writes it as `.svg` or `.pdf`, in any thread.

    `scene`: the JSON text that goes inside; `title`: the scene's name.
    """
    # Imported with the first such picture.
    from ..export.pdf import pdf_bytes
    from ..export.picture import picture_of
    from ..export.svg import svg_bytes

    write, panes = {".svg": svg_bytes, ".pdf": pdf_bytes}[ending], plan.lay_out(SUPERSAMPLING)

    def written() -> bytes:
        return write(picture_of(panes, plan.size, SUPERSAMPLING, plan.scale, plan.background, scene, title))

    return written


def _swept(scene: Scene, view: View) -> SweepAnswer | None:
    """The answer about the bodies' motion where the view shows it and there is any."""
    if not view.shows_motion(scene) or not (moves(scene.a) or moves(scene.b)):
        return None
    from core.analysis.motion_answers import sweep

    return sweep(scene)
