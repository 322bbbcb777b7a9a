"""The scene inside a picture: read from the bytes of a PNG, an SVG or a PDF, without a reader of any of them.

Only what is written here is looked for, so that nothing else in a stranger's file is acted on: in an SVG the text of
the element `scene` in the namespace `separatrix`, in a PDF the attached stream of JSON, which is not packed.
"""

from __future__ import annotations

import re

from .files import LOST, is_png, scene_text
from .strict_json import DataError

PICTURES = (".png", ".svg", ".pdf")
"""Endings of the pictures that the program writes and opens."""
_SVG = re.compile(rb"<(?:[A-Za-z][\w.-]*:)?svg[\s>]")
_ELEMENT = re.compile(rb"<(?:[\w.-]+:)?scene\b[^<>]*>([^<]*)</")
_NAMESPACE = re.compile(rb"""xmlns(?::[\w.-]+)?\s*=\s*["']separatrix["']""")
_ATTACHED = re.compile(rb"/EmbeddedFile\s*/Subtype\s*/application#2Fjson\s*/Length (\d{1,9})\s*>>\s*stream\r?\n")
_HEAD = 4096
"""Bytes within which an SVG says that it is one."""


def is_picture(data: bytes) -> bool:
    """Whether the bytes start as a PNG, an SVG or a PDF does."""
    return is_png(data) or data.startswith(b"%PDF-") or _is_svg(data)


def _is_svg(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and _SVG.search(data[:_HEAD]) is not None


def carried_scene(data: bytes) -> bytes:
    """The scene's JSON text in a picture, UTF-8. Raises DataError where there is none."""
    if is_png(data):
        return scene_text(data).encode()
    if _is_svg(data):
        # Imported with the first such file: the start needs none of it.
        from html import unescape

        found = _ELEMENT.search(data) if _NAMESPACE.search(data) else None
        if found is not None:
            return unescape(found[1].decode("utf-8", "replace")).encode("utf-8", "replace")
    elif (attached := _ATTACHED.search(data)) is not None:
        text = data[attached.end() : attached.end() + int(attached[1])]
        if len(text) < int(attached[1]):
            raise DataError("", "is a damaged picture: it ends in the middle")
        return text
    raise DataError("", f"is a picture without a scene inside: {LOST}")
