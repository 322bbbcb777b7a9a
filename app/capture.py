"""Stills: the panes without panels, finer than the window shows them, of any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .atomic import write_atomic
from .png_scene import png_bytes
from .renderer import Background, Pane, Renderer, Target
from .renderer.targets import largest_side

SUPERSAMPLING = 2
LARGEST_TILE = 4096
"""Tile side in supersampled pixels: about 130 MB with its depth."""


def capture(
    context: moderngl.Context,
    lay_out: Callable[[int], Sequence[Pane]],
    size: tuple[int, int],
    background: Background | None,
    *,
    tile: int | None = None,
) -> Image.Image:
    """A still of `size` pixels, RGBA with straight alpha, anti-aliased by supersampling.

    `lay_out(n)` returns the panes in pixels n times finer than the picture's (rectangles, widths and text sizes too);
    `background` None makes a transparent picture. `tile`: side of a tile in those finer pixels.
    """
    panes = lay_out(SUPERSAMPLING)
    side = min(tile or LARGEST_TILE, largest_side(context)) // SUPERSAMPLING
    width, height = size
    picture = np.zeros((height, width, 4), dtype=np.uint8)
    renderer = Renderer(context)
    target = Target(context, (min(side, width) * SUPERSAMPLING, min(side, height) * SUPERSAMPLING))
    try:
        renderer.upload(panes)
        for top in range(0, height, side):
            for left in range(0, width, side):
                renderer.paint(background, target, (left * SUPERSAMPLING, top * SUPERSAMPLING))
                fine = _read(target)
                rows, columns = min(side, height - top), min(side, width - left)
                picture[top : top + rows, left : left + columns] = _averaged(fine)[:rows, :columns]
    finally:
        target.release()
        renderer.release()
    return Image.fromarray(picture if background is not None else straight_alpha(picture))


def straight_alpha(premultiplied: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(h, w, 4) with the colours divided by alpha, as PNG wants them."""
    alpha = premultiplied[..., 3:].astype(np.uint32)
    colours = (premultiplied[..., :3] * np.uint32(255) + alpha // 2) // np.maximum(alpha, 1)
    result = premultiplied.copy()
    result[..., :3] = np.minimum(colours, 255)
    return result


def write_png(image: Image.Image, path: Path, scene: str | None = None) -> None:
    """Write a PNG, with a scene's JSON text inside if there is one: complete, or not at all. Raises OSError."""
    write_atomic(path, png_bytes(image, scene))


def _read(target: Target) -> NDArray[np.uint8]:
    width, height = target.size
    data = target.framebuffer.read(components=4, alignment=1)
    return np.frombuffer(data, dtype=np.uint8).reshape(height, width, 4)[::-1]


def _averaged(fine: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Means of the blocks of SUPERSAMPLING by SUPERSAMPLING pixels, rounded."""
    n = SUPERSAMPLING
    height, width = fine.shape[0] // n, fine.shape[1] // n
    total = np.full((height, width, 4), n * n // 2, dtype=np.uint16)
    for row in range(n):
        for column in range(n):
            total += fine[row::n, column::n]
    return (total // (n * n)).astype(np.uint8)
