"""The scene that travels inside a PNG, in an iTXt chunk named `separatrix`.

Reading walks the chunks and decodes no pixels: Pillow refuses pictures of more than 178 megapixels, and a screenshot
may be larger. Writing leaves the PNG to Pillow. The chunk is not compressed, since Pillow stops at 1 MB of those.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .strict_json import DataError

if TYPE_CHECKING:
    from PIL.Image import Image

KEYWORD = "separatrix"

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEADER = KEYWORD.encode() + b"\0"


def is_png(data: bytes) -> bool:
    """Whether the bytes start as a PNG does."""
    return data.startswith(_SIGNATURE)


def png_bytes(image: Image, scene: str | None = None) -> bytes:
    """The image as a PNG file, with the scene's JSON text inside if there is one."""
    # Here and not above: `check` reads scenes and needs no Pillow, which takes a third of its start.
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    if scene is not None:
        info.add_itxt(KEYWORD, scene, zip=False)
    out = io.BytesIO()
    image.save(out, format="PNG", pnginfo=info, compress_level=6)
    return out.getvalue()


def scene_text(data: bytes) -> str:
    """The scene's JSON text inside the bytes of a PNG. Raises DataError when there is none."""
    for kind, body in _chunks(data):
        if kind == b"iTXt" and body.startswith(_HEADER):
            return _international_text(body[len(_HEADER) :])
    raise DataError("", "is a picture without a scene inside")


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        end = at + 8 + size
        if end + 4 > len(data):
            raise DataError("", "is a damaged picture: it ends in the middle")
        if kind == b"iTXt" and zlib.crc32(data[at + 4 : end]) != int.from_bytes(data[end : end + 4], "big"):
            raise DataError("", "is a damaged picture: the checksum of its text is wrong")
        yield kind, data[at + 8 : end] if kind == b"iTXt" else b""
        at = end + 4


def _international_text(body: bytes) -> str:
    """Text of an iTXt chunk after its keyword: flag, method, then language, translated keyword and text, all UTF-8."""
    compressed, _, rest = body[:1], body[1:2], body[2:]
    parts = rest.split(b"\0", 2)
    if compressed != b"\0" or len(parts) != 3:
        raise DataError("", "is a picture whose scene is stored in an unknown way")
    try:
        return parts[2].decode("utf-8")
    except UnicodeDecodeError:
        raise DataError("", "is a picture whose scene is no UTF-8 text") from None
