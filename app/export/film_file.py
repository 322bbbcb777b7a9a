"""Writes films: GIF, WebP and AVIF by Pillow, MP4 by an `ffmpeg` on the PATH. A file is complete or not written.

The pictures are drawn and encoded one by one. WebP, AVIF and MP4 keep only the encoded pictures in memory. A GIF keeps
all pictures until its end, one byte for each pixel; hence its limit. A GIF has one palette: the theme's opaque colours,
and other colours chosen from a few of the pictures. There is no dither, because it would flicker.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image

from ..draw.draw_list import Rgba
from ..draw.theme import Theme
from ..storage.carried import gif_comment, xmp_packet
from ..storage.files import MEGABYTE, write_atomic
from ..storage.memory import refuse_beyond
from .ffmpeg import FilmError, encoded

GIF_LIMIT = 1024 * MEGABYTE
"""The largest number of pixels of a GIF, all pictures together; each pixel takes a byte of memory."""
WEBP_METHOD = 4
AVIF_QUALITY, AVIF_SPEED = 90, 8
XMP_IN_MP4 = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
"""The UUID of the box that holds XMP at the end of an MP4 (XMP specification, part 3, 2020, 1.1.4); players skip it."""


class Recipe(Struct, frozen=True):
    """The settings of a film.

    `size`: width and height, pixels. `seconds`: each picture's duration. `theme`: for a GIF's palette. `loop`: how many
    times a GIF or WebP is played; 0: for ever. `fps`: of an MP4. `quality`: 1 to 100, of WebP and AVIF; None: lossless
    WebP, and AVIF_QUALITY. `scene`: the JSON text to embed; None: none.
    """

    size: tuple[int, int]
    seconds: Sequence[float]
    theme: Theme
    loop: int = 0
    fps: float = 25.0
    quality: int | None = None
    scene: str | None = None

    @property
    def milliseconds(self) -> list[int]:
        """The duration of each picture in milliseconds, at least 1.

        The ends are rounded, not the durations: errors do not add up unless a picture is shorter than 1 ms.
        """
        return self._ticks(1000.0)

    def _ticks(self, a_second: float) -> list[int]:
        ends = [round(a_second * end) for end in accumulate(self.seconds)]
        return [max(1, end - start) for start, end in zip([0, *ends], ends, strict=False)]

    @property
    def centiseconds(self) -> list[int]:
        """The duration of each picture in hundredths of a second, at least 1, for a GIF."""
        return self._ticks(100.0)

    @property
    def video_frames(self) -> list[int]:
        """The duration of each picture in frames of an MP4, at least 1."""
        return self._ticks(self.fps)


Images = Iterator[Image.Image]
"""The pictures of a film, or some of them as samples, in order, of the recipe's size."""


class Format(Struct, frozen=True):
    """A film format.

    `about`: its use, a text for users. `data`: the function that makes the file's bytes from pictures, samples and a
    recipe. `bytes_a_pixel`: memory needed for each pixel of one picture, measured and rounded up. `longest`: the
    largest number of pixels of a side.
    """

    name: str
    about: str
    data: Callable[[Images, Images, Recipe], bytes]
    bytes_a_pixel: float
    longest: int = 65535


class _Reel(Image.Image):
    """Pictures as an animated image of Pillow; each picture is drawn when Pillow seeks it."""

    def __init__(self, pictures: Images, count: int) -> None:
        super().__init__()
        self.n_frames, self.is_animated = count, count > 1
        self._pictures, self._place = pictures, -1
        self.seek(0)

    def seek(self, frame: int) -> None:
        """Draws the next picture if `frame` is ahead. Seeking back, as writers do at the end, changes nothing.

        Raises EOFError beyond the last picture.
        """
        if frame >= self.n_frames:
            raise EOFError
        if frame > self._place:
            picture = next(self._pictures)
            self._place, self.im, self._size, self._mode = frame, picture.im, picture.size, picture.mode
            self.palette = picture.palette

    def tell(self) -> int:
        """The index of the present picture."""
        return self._place


def _saved(pictures: Images, recipe: Recipe, kind: str, **settings: Any) -> bytes:
    out = io.BytesIO()
    _Reel(pictures, len(recipe.seconds)).save(out, kind, save_all=True, **settings)
    return out.getvalue()


def _webp(pictures: Images, _: Images, recipe: Recipe) -> bytes:
    quality: dict[str, Any] = {"lossless": True} if recipe.quality is None else {"quality": recipe.quality}
    times = {"duration": recipe.milliseconds, "loop": recipe.loop}
    return _saved(pictures, recipe, "WEBP", method=WEBP_METHOD, xmp=_xmp(recipe), **times, **quality)


def _avif(pictures: Images, _: Images, recipe: Recipe) -> bytes:
    look = {"quality": recipe.quality or AVIF_QUALITY, "subsampling": "4:4:4", "speed": AVIF_SPEED}
    return _saved(pictures, recipe, "AVIF", duration=recipe.milliseconds, xmp=_xmp(recipe), **look)


def _gif(pictures: Images, samples: Images, recipe: Recipe) -> bytes:
    width, height = recipe.size
    if width * height * len(recipe.seconds) > GIF_LIMIT:
        raise FilmError(
            f"{len(recipe.seconds)} pictures of {width}x{height} are too many for a GIF, which is put together in "
            "memory; take fewer or smaller ones, or .webp, .avif or .mp4"
        )
    palette = film_palette(recipe.theme, samples)
    small = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    # A GIF stores the number of repetitions after the first time.
    more: dict[str, Any] = {} if recipe.loop == 1 else {"loop": max(0, recipe.loop - 1)}
    if recipe.scene is not None:
        more["comment"] = gif_comment(recipe.scene)
    times = [10 * hundredths for hundredths in recipe.centiseconds]
    return _saved(small, recipe, "GIF", duration=times, palette=palette.getpalette(), optimize=False, **more)


PALETTE = 256


def film_palette(theme: Theme, samples: Images) -> Image.Image:
    """An image with the palette of a GIF: the theme's opaque colours, and others chosen from `samples`."""
    pinned = sorted({_bytes(value) for value in _opaque(theme)})
    # Each third row and column is enough: a thin line has the same share of these pixels as of all.
    sheets = [np.asarray(picture)[::3, ::3].reshape(1, -1, 3) for picture in samples]
    rest = _unlike(np.concatenate(sheets, axis=1), np.array(pinned))
    chosen = Image.fromarray(rest).quantize(PALETTE - len(pinned), Image.Quantize.FASTOCTREE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in pinned for part in colour] + chosen[: 3 * (PALETTE - len(pinned))])
    return palette


def _unlike(pixels: NDArray[np.uint8], pinned: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The pixels (1, n, 3) that have none of the `pinned` colours; all pixels if every pixel has one of them."""
    codes = pixels[0].astype(np.int64) @ (1 << 16, 1 << 8, 1)
    others = pixels[:, ~np.isin(codes, pinned @ (1 << 16, 1 << 8, 1))]
    return others if others.size else pixels


def _opaque(theme: Theme) -> list[Rgba]:
    values = [getattr(theme, name) for name in theme.__struct_fields__]
    return [value for value in values if isinstance(value, tuple) and value[3] == 1.0]


def _bytes(rgba: Rgba) -> tuple[int, int, int]:
    red, green, blue = (round(255.0 * part) for part in rgba[:3])
    return red, green, blue


def _mp4(pictures: Images, _: Images, recipe: Recipe) -> bytes:
    film, xmp = encoded(pictures, recipe.size, recipe.video_frames, recipe.fps), _xmp(recipe)
    return film + struct.pack(">I", len(xmp) + 24) + b"uuid" + XMP_IN_MP4 + xmp if xmp else film


def _xmp(recipe: Recipe) -> bytes:
    return b"" if recipe.scene is None else xmp_packet(recipe.scene)


FORMATS = {
    ".gif": Format("GIF", "opens everywhere; 256 colours", _gif, 40.0),
    ".webp": Format("WebP", "small and exact; every browser", _webp, 50.0, longest=16383),
    ".avif": Format("AVIF", "small; newer browsers", _avif, 64.0),
    ".mp4": Format("MP4", "for players and slides; needs ffmpeg", _mp4, 16.0),
}
"""Film formats by the ending of the file."""


def film_bytes(ending: str, pictures: Images, samples: Images, recipe: Recipe) -> bytes:
    """The film's bytes in the format of `ending`.

    Raises FilmError for pictures that the format cannot have, and if ffmpeg is missing or fails; MemoryError if memory
    is short, before any picture is drawn.
    """
    kind, (width, height) = FORMATS[ending], recipe.size
    if max(recipe.size) > kind.longest:
        raise FilmError(f"{kind.name} has at most {kind.longest} pixels a side, got {width}x{height}")
    refuse_beyond(kind.bytes_a_pixel * width * height, f"a film of {width}x{height} pixels")
    return kind.data(pictures, samples, recipe)


def write_film(path: Path, pictures: Images, samples: Images, recipe: Recipe) -> int:
    """Writes the film to `path`; returns its size in bytes.

    Raises as `film_bytes` does, and OSError if the file cannot be written.
    """
    data = film_bytes(path.suffix.lower(), pictures, samples, recipe)
    write_atomic(path, data)
    return len(data)
