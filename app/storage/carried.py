"""The scene inside a picture or a handout: read from the bytes of a PNG, SVG, PDF or HTML, without a reader of them.

Only what is written here is looked for, so that nothing else in a stranger's file is acted on: in an SVG the text of
the element `scene` in the namespace `separatrix`, in a PDF the attached stream of JSON, which is not packed, in
HTML the script of JSON under the id that a handout gives it.
"""

from __future__ import annotations

import re

from .files import LOST, is_png, scene_text
from .strict_json import DataError

PICTURES = (".png", ".svg", ".pdf")
"""Endings of the pictures that the program writes and opens."""
HANDOUT = ".html"
SCRIPT = '<script type="application/json" id="separatrix-scene">'
"""After it a handout has its scene, without a `<` in it."""
_SVG = re.compile(rb"<(?:[A-Za-z][\w.-]*:)?svg[\s>]")
_ELEMENT = re.compile(rb"<(?:[\w.-]+:)?scene\b[^<>]*>([^<]*)</")
_NAMESPACE = re.compile(rb"""xmlns(?::[\w.-]+)?\s*=\s*["']separatrix["']""")
_ATTACHED = re.compile(rb"/EmbeddedFile\s*/Subtype\s*/application#2Fjson\s*/Length (\d{1,9})\s*>>\s*stream\r?\n")
_HEAD = 4096
"""Bytes within which an SVG says that it is one."""


def is_picture(data: bytes) -> bool:
    """Whether the bytes start as a PNG, an SVG, a PDF or a handout does."""
    return is_png(data) or data.startswith(b"%PDF-") or _is_html(data) or _is_svg(data)


def _is_html(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:14].lower() == b"<!doctype html"


def _is_svg(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and _SVG.search(data[:_HEAD]) is not None


def carried_scene(data: bytes) -> bytes:
    """The scene's JSON text in a picture, UTF-8. Raises DataError where there is none."""
    if is_png(data):
        return scene_text(data).encode()
    if _is_html(data):
        _, found_script, rest = data.partition(SCRIPT.encode())
        if found_script:
            return rest.partition(b"<")[0]
        raise DataError("", "is a page without a scene inside: only a handout that this program made has one")
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
