"""Finds the scene inside a picture, a film or a handout in the file's bytes, without decoding the file's format.

Only places that this program writes are searched, so that nothing else in a foreign file has an effect. They are: in a
PNG an iTXt chunk; in an SVG the text of the element `scene` in our namespace; in a PDF the attached JSON stream, which
is not compressed; in HTML the JSON script with a handout's id; in a GIF the comment before its first picture; in WebP,
AVIF and MP4 an XMP packet with the element `scene`.
"""

from __future__ import annotations

import re

from .files import LOST, NAMESPACES, PACKETS, SCENE_LIMIT, is_film, is_gif, is_png, packet_at, scene_text
from .strict_json import DataError

OPENED_PICTURES = (".png", ".svg", ".pdf")
"""File name endings of pictures that the program writes and opens."""
OPENED_FILMS = (".gif", ".webp", ".apng", ".avif", ".mp4")
"""File name endings of films that the program opens; it no longer writes .apng."""
HANDOUT = ".html"
SCRIPT = '<script type="application/json" id="separatrix-scene">'
"""The tag before a handout's scene. The scene's text contains no `<`."""
_SVG = rb"<(?:[A-Za-z][\w.-]*:)?svg[\s>]"
_ELEMENT = rb"<(?:[\w.-]+:)?scene\b[^<>]*>([^<]*)</"
_NAMESPACE = rb"""xmlns(?::[\w.-]+)?\s*=\s*["'](?:%s)["']""" % "|".join(NAMESPACES).encode()
_ATTACHED = rb"/EmbeddedFile\s*/Subtype\s*/application#2Fjson\s*/Length (\d{1,9})\s*>>\s*stream\r?\n"
_HEAD = 4096
"""The number of first bytes in which an SVG must have its root tag."""


def is_picture(data: bytes) -> bool:
    """Whether the bytes begin like a PNG, an SVG, a PDF, a handout or a film."""
    return is_png(data) or is_film(data) or data.startswith(b"%PDF-") or _is_html(data) or _is_svg(data)


def _is_html(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:14].lower() == b"<!doctype html"


def _is_svg(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and re.search(_SVG, data[:_HEAD]) is not None


def carried_scene(data: bytes) -> bytes:
    """The scene's JSON text, UTF-8, in a picture, a film or a handout.

    Raises DataError if there is none, and for a damaged file.
    """
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
        # Imported here because the start does not need it.
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
"""Brands of still pictures in files that begin like an MP4."""
_COMMENT = b"separatrix "
"""The beginning of a GIF comment with a scene."""


def xmp_packet(scene: str) -> bytes:
    """An XMP packet with the scene's JSON text (ISO 16684-1:2019, 7)."""
    # Imported here because the start does not need it.
    from html import escape

    return (
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        b'<rdf:Description rdf:about="">' + PACKETS[0] + escape(scene, quote=False).encode() + b"</separatrix:scene>"
        b"</rdf:Description></rdf:RDF></x:xmpmeta>"
    )


def gif_comment(scene: str) -> bytes:
    """A GIF comment with the scene's JSON text."""
    return _COMMENT + scene.encode()


def _in_film(data: bytes) -> bytes:
    """The scene in a GIF, a WebP, an AVIF or an MP4. Raises DataError if there is none, and for a damaged file."""
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
    """The first comment of a GIF before its pictures; b"" if there is none.

    Specification: GIF89a (CompuServe, 1990), 18, 15 and 24: screen descriptor, sub-blocks, comment extension. Raises
    DataError for data that end inside a block.
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
