"""The scene inside a picture, a film or a handout: read from the bytes of the file, without a reader of its format.

Only what is written here is looked for, so that nothing else in a stranger's file is acted on: in an SVG the text of
the element `scene` in our namespace, in a PDF the attached stream of JSON, which is not packed, in
HTML the script of JSON under the id that a handout gives it, in a GIF the comment before its first picture, in WebP,
AVIF and MP4 an XMP packet with that element.
"""

from __future__ import annotations

import re

from .files import LOST, NAMESPACES, PACKETS, SCENE_LIMIT, is_film, is_gif, is_png, packet_at, scene_text
from .strict_json import DataError

PICTURES = (".png", ".svg", ".pdf")
"""Endings of the pictures that the program writes and opens."""
FILMS = (".gif", ".webp", ".apng", ".avif", ".mp4")
"""And of the films."""
HANDOUT = ".html"
SCRIPT = '<script type="application/json" id="separatrix-scene">'
"""After it a handout has its scene, without a `<` in it."""
_SVG = rb"<(?:[A-Za-z][\w.-]*:)?svg[\s>]"
_ELEMENT = rb"<(?:[\w.-]+:)?scene\b[^<>]*>([^<]*)</"
_NAMESPACE = rb"""xmlns(?::[\w.-]+)?\s*=\s*["'](?:%s)["']""" % "|".join(NAMESPACES).encode()
_ATTACHED = rb"/EmbeddedFile\s*/Subtype\s*/application#2Fjson\s*/Length (\d{1,9})\s*>>\s*stream\r?\n"
_HEAD = 4096
"""Bytes within which an SVG says that it is one."""


def is_picture(data: bytes) -> bool:
    """Whether the bytes start as a PNG, an SVG, a PDF, a handout or a film does."""
    return is_png(data) or is_film(data) or data.startswith(b"%PDF-") or _is_html(data) or _is_svg(data)


def _is_html(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:14].lower() == b"<!doctype html"


def _is_svg(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and re.search(_SVG, data[:_HEAD]) is not None


def carried_scene(data: bytes) -> bytes:
    """The scene's JSON text in a picture, a film or a handout, UTF-8. Raises DataError where there is none."""
    if is_png(data):
        return scene_text(data).encode()
    if is_film(data):
        return _in_film(data)
    if _is_html(data):
        _, found_script, rest = data.partition(SCRIPT.encode())
        if found_script:
            return rest.partition(b"<")[0]
        raise DataError("", "is a page without a scene inside: only a handout that this program made has one")
    if _is_svg(data):
        # Imported with the first such file: the start needs none of it.
        from html import unescape

        found = re.search(_ELEMENT, data) if re.search(_NAMESPACE, data) else None
        if found is not None:
            return unescape(found[1].decode("utf-8", "replace")).encode("utf-8", "replace")
    elif (attached := re.search(_ATTACHED, data)) is not None:
        text = data[attached.end() : attached.end() + int(attached[1])]
        if len(text) < int(attached[1]):
            raise DataError("", "is a damaged picture: it ends in the middle")
        return text
    raise DataError("", f"is a picture without a scene inside: {LOST}")


_STILLS = (b"avif", b"avis", b"heic", b"heix", b"mif1")
"""Brands of pictures among the files that begin as an MP4 does."""
_COMMENT = b"separatrix "
"""What a comment with a scene begins with."""


def xmp_packet(scene: str) -> bytes:
    """An XMP packet with the scene's JSON text (ISO 16684-1:2019, 7)."""
    # Imported with the first film.
    from html import escape

    return (
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        b'<rdf:Description rdf:about="">' + PACKETS[0] + escape(scene, quote=False).encode() + b"</separatrix:scene>"
        b"</rdf:Description></rdf:RDF></x:xmpmeta>"
    )


def gif_comment(scene: str) -> bytes:
    """A comment of a GIF with the scene's JSON text."""
    return _COMMENT + scene.encode()


def _in_film(data: bytes) -> bytes:
    """The scene in a GIF, a WebP, an AVIF or an MP4. Raises DataError."""
    if is_gif(data):
        comment = _comment_of(data)
        if comment.startswith(_COMMENT):
            return comment.removeprefix(_COMMENT)
    elif (at := packet_at(data)) >= 0:
        from html import unescape

        start = data.index(b">", at) + 1
        text, ended, _ = data[start : start + SCENE_LIMIT].partition(b"<")
        if not ended:
            raise DataError("", "is a damaged film: its scene has no end")
        return unescape(text.decode("utf-8", "replace")).encode("utf-8", "replace")
    kind = "film" if data[4:8] == b"ftyp" and data[8:12] not in _STILLS else "picture"
    raise DataError("", f"is a {kind} without a scene inside: {LOST}")


def _comment_of(data: bytes) -> bytes:
    """The first comment of a GIF that stands before its pictures, b"" where there is none.

    Specification: GIF89a (CompuServe, 1990), 18, 15 and 24: screen descriptor, sub-blocks, comment extension.
    """
    packed = data[10] if len(data) > 10 else 0
    at = 13 + (3 << (packed & 7) + 1 if packed & 128 else 0)
    while data[at : at + 1] == b"!":
        kind, at, blocks = data[at + 1 : at + 2], at + 2, list[bytes]()
        while at < len(data) and (size := data[at]):
            blocks.append(data[at + 1 : at + 1 + size])
            at += 1 + size
        if at >= len(data):
            raise DataError("", "is a damaged film: it ends in the middle")
        if kind == b"\xfe":
            return b"".join(blocks)
        at += 1
    return b""
