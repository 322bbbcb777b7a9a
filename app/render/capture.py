"""Stills: the panes without panels, finer than the window shows them, of any size."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import ParamSpec

import moderngl
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from . import Background, Pane, Renderer, Target
from .targets import largest_side

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
                rows, columns = min(side, height - top), min(side, width - left)
                picture[top : top + rows, left : left + columns] = straight_bytes(_averaged(_read(target)))[
                    :rows, :columns
                ]
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


def _read(target: Target) -> NDArray[np.float16]:
    width, height = target.size
    data = target.framebuffer.read(components=4, alignment=1, dtype="f2")
    return np.frombuffer(data, dtype=np.float16).reshape(height, width, 4)[::-1]


def _averaged(fine: NDArray[np.float16]) -> Floats:
    """Means of the blocks of SUPERSAMPLING by SUPERSAMPLING pixels."""
    n = SUPERSAMPLING
    total: Floats = np.zeros((fine.shape[0] // n, fine.shape[1] // n, 4), dtype=np.float32)
    for row in range(n):
        for column in range(n):
            total += fine[row::n, column::n]
    return total / np.float32(n * n)
