"""A picture as SVG: only presentation attributes, labels as text, and the scene embedded.

Many viewers (librsvg, Inkscape) know neither embedded fonts nor `textLength`, and set words in a wider font of their
own. So labels are drawn as outlines of their letters, below text without ink that can be selected and found. A page of
HTML, which only browsers read, has the letters as a font instead.
"""

from __future__ import annotations

import re
from base64 import b64encode
from math import floor
from xml.sax.saxutils import escape

import numpy as np

from core.geometry.vector import Array

from ..draw.draw_list import Rgba
from ..storage.files import NAMESPACE
from .fonts import FAMILY, font, outline, used_letters, with_middles, woff
from .operations import (
    Disc,
    Fill,
    Ground,
    Haze,
    Loops,
    Operation,
    OperationGroup,
    Picture,
    Ramp,
    Stroke,
    TextRun,
    times_used,
)

LETTERS = {"font-family": f"{FAMILY}, sans-serif", "stroke-linejoin": "round", "paint-order": "stroke"}
"""The look that labels set in the embedded font have in common: attributes of the picture, or a page's style."""
OPACITY_DECIMALS = 4
"""Decimals of opacities."""
_NOT_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def svg_bytes(picture: Picture, *, embedded: bool = False) -> bytes:
    """The picture as an SVG file; `embedded`: labels are set in a font inside, not drawn as outlines below text."""
    writer = SvgWriter(picture, drawn=not embedded)
    faces = font_faces(picture.operations) if embedded else ""
    body = [writer.element(operation) for operation in picture.operations]
    width, height = picture.width, picture.height
    size = [_number(side / picture.fineness) for side in (width, height)]
    if picture.width_mm is not None:
        size = [f"{_trimmed(f'{side * picture.width_mm / width:.3f}')}mm" for side in (width, height)]
    role = ' role="img"' if picture.alt else ""
    letters = "".join([f' {name}="{value}"' for name, value in LETTERS.items()]) if faces else ""
    ground = f'<ground xmlns="{NAMESPACE}">{picture.transparent_for}</ground>' if picture.transparent_for else ""
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" '
        f'height="{size[1]}" viewBox="0 0 {width} {height}"{role}{letters}>',
        *([f"<title>{xml_text(picture.title)}</title>"] if picture.title else []),
        *([f"<desc>{xml_text(picture.alt)}</desc>"] if picture.alt else []),
        f'<metadata><scene xmlns="{NAMESPACE}">{xml_text(picture.scene)}</scene>{ground}</metadata>',
        *([f"<style>{faces}</style>"] if faces else []),
        *(["<defs>", *writer.defined.elements, "</defs>"] if writer.defined.elements else []),
        *body,
        "</svg>",
    ]
    return ("\n".join(parts) + "\n").encode()


def font_faces(operations: tuple[Operation, ...]) -> str:
    """Font faces, as a style sheet, with the letters that the texts of `operations` use; "" without texts."""
    faces = []
    for bold, letters in used_letters(operations).items():
        data = b64encode(woff(letters, bold=bold)).decode()
        weight = 600 if bold else 400
        source = f"url(data:font/woff;base64,{data})"
        faces.append(f'@font-face{{font-family:"{FAMILY}";font-weight:{weight};src:{source}}}')
    return "".join(faces)


class Definitions:
    """The elements that others refer to, each once, with a numbered id; several pictures of a page may share them."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self.elements: list[str] = []

    def name_of(self, element: str) -> str:
        """The id of `element`, an XML text in which `{}` is the place of the id; adds the element if it is new."""
        name = self._names.get(element)
        if name is None:
            name = self._names[element] = f"d{len(self.elements)}"
            self.elements.append(element.replace("{}", name, 1))
        return name


class SvgWriter:
    """Makes the elements of one picture; those that they refer to are in `defined`.

    `drawn`: labels are outlines of their letters below text without ink, not text in the embedded font.
    """

    def __init__(self, picture: Picture, defined: Definitions | None = None, *, drawn: bool = False) -> None:
        self.defined = defined or Definitions()
        self._drawn = drawn
        self._shared: dict[int, str] = {}
        self._times = times_used(picture.operations)

    def parts(self, operation: Operation) -> list[str]:
        """An opaque group with one clip as its opening tag, its elements and its closing tag; else the one element."""
        if not isinstance(operation, OperationGroup) or len(operation.clips) != 1 or operation.alpha < 1.0:
            return [self.element(operation)]
        inside = [self.element(part) for part in operation.operations]
        return [f'<g clip-path="url(#{self._clip(operation.clips[0])})">', *inside, "</g>"]

    def element(self, operation: Operation) -> str:
        """The operation as an SVG element."""
        match operation:
            case Fill(loops, rgba):
                return f'<path d="{_path(loops, closed=True)}"{_paint("fill", rgba)}/>'
            case Stroke():
                return _line(operation)
            case Ramp():
                return self._ramp(operation)
            case Disc(centre, radius, rgba, width):
                x, y = centre.tolist()
                paint = _paint("fill", rgba)
                if width:
                    paint = f'{_none("fill")}{_paint("stroke", rgba)} stroke-width="{_number(width)}"'
                return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"{paint}/>'
            case Haze():
                return self._haze(operation)
            case Ground():
                return self._ground(operation)
            case TextRun():
                return _drawn_label(operation) if self._drawn else _label(operation)
            case OperationGroup():
                return self._group(operation)

    def _group(self, group: OperationGroup) -> str:
        if self._times[id(group)] > 1:
            name = self._shared.get(id(group))
            if name is None:
                name = self._shared[id(group)] = self.defined.name_of(f'<g id="{{}}">{self._inside(group)}</g>')
            return f'<use href="#{name}"/>'
        return self._inside(group)

    def _inside(self, group: OperationGroup) -> str:
        inner = "".join([self.element(operation) for operation in group.operations])
        alpha = f' opacity="{_share(group.alpha)}"' if group.alpha < 1.0 else ""
        if not group.clips:
            return f"<g{alpha}>{inner}</g>" if alpha or len(group.operations) > 1 else inner
        for number, loops in enumerate(group.clips):
            inner = f'<g clip-path="url(#{self._clip(loops)})"{"" if number else alpha}>{inner}</g>'
        return inner

    def _clip(self, loops: Loops) -> str:
        return self.defined.name_of(f'<clipPath id="{{}}"><path d="{_path(loops, closed=True)}"/></clipPath>')

    def _ramp(self, ramp: Ramp) -> str:
        (x1, y1), (x2, y2) = ramp.start.tolist(), ramp.end.tolist()
        stops = "".join([_stop(share, rgba) for share, rgba in ramp.stops])
        where = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
        name = self.defined.name_of(
            f'<linearGradient id="{{}}" gradientUnits="userSpaceOnUse" {where}>{stops}</linearGradient>'
        )
        path = _path((np.array((ramp.start, ramp.end)),), closed=False)
        return f'<path d="{path}" fill="none" stroke="url(#{name})" stroke-width="{_number(ramp.width)}"/>'

    def _haze(self, haze: Haze) -> str:
        (x, y), last = (_number(value) for value in haze.centre.tolist()), len(haze.stops) - 1
        stops, radius = "".join([_stop(k / last, rgba) for k, rgba in enumerate(haze.stops)]), _number(haze.radius)
        where = f'gradientUnits="userSpaceOnUse" cx="{x}" cy="{y}" r="{radius}"'
        name = self.defined.name_of(f'<radialGradient id="{{}}" {where}>{stops}</radialGradient>')
        return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="url(#{name})"/>'

    def _ground(self, ground: Ground) -> str:
        place = f'x="{_number(ground.left)}" y="{_number(ground.top)}"'
        size = f'width="{_number(ground.width)}" height="{_number(ground.height)}"'
        if ground.upper == ground.lower:
            return f"<rect {place} {size}{_paint('fill', ground.upper)}/>"
        stops = _stop(0.0, ground.upper) + _stop(1.0, ground.lower)
        name = self.defined.name_of(f'<linearGradient id="{{}}" x2="0" y2="1">{stops}</linearGradient>')
        return f'<rect {place} {size} fill="url(#{name})"/>'


def _line(line: Stroke) -> str:
    dashes = ""
    if line.dashes:
        dashes = f' stroke-dasharray="{" ".join(_number(length) for length in line.dashes)}"'
        dashes += f' stroke-dashoffset="{_number(line.spent)}"' if line.spent else ""
    ends = ' stroke-linecap="round"' if line.round_ends else ""
    joints = ' stroke-linejoin="round"' if any(len(chain) > 2 for chain in line.chains) else ""
    path, paint = _path(line.chains, closed=False), _paint("stroke", line.rgba)
    return f'<path d="{path}" fill="none"{paint} stroke-width="{_number(line.width)}"{ends}{joints}{dashes}/>'


def _label(label: TextRun) -> str:
    """A label as text over its halo; it inherits LETTERS.

    Chromium draws text with a given length letter by letter, each halo over the letter before; scaled text it draws at
    once.
    """
    length = f'textLength="{_number(label.length)}" lengthAdjust="spacingAndGlyphs"'
    place = f'x="{_number(label.x)}" y="{_number(label.y)}" {length}'
    weight = ' font-weight="600"' if label.bold else ""
    halo = f'{_paint("stroke", label.halo)} stroke-width="{_number(2.0 * label.halo_width)}"'
    paint = f'font-size="{label.size}"{weight}{_paint("fill", label.rgba)}{halo}'
    return f'<text {place} {paint} xml:space="preserve">{xml_text(label.text)}</text>'


def _drawn_label(label: TextRun) -> str:
    """The outlines of a label's letters over their halo, and above them text without ink, as long as they are."""
    data = _letters(label)
    place = f'x="{_number(label.x)}" y="{_number(label.y)}" textLength="{_number(label.length)}"'
    fit = f'lengthAdjust="spacingAndGlyphs" font-family="sans-serif" font-size="{label.size}"'
    words = f'<text {place} {fit} fill-opacity="0" xml:space="preserve">{xml_text(label.text)}</text>'
    if not data:
        return words
    rim = f'{_paint("stroke", label.halo)} stroke-width="{_number(2.0 * label.halo_width)}" stroke-linejoin="round"'
    halo = f'<path d="{data}" fill="none"{rim}/>'
    return f'<g>{halo}<path d="{data}"{_paint("fill", label.rgba)}/>{words}</g>'


def _letters(label: TextRun) -> str:
    """Path data of a label's letters: lines and quadratic splines, relative, to a tenth."""
    source, parts, pen = font(label.bold), [], label.x
    scale = label.size / source.units
    for character in label.text:
        glyph = source.glyphs.get(character, 0)
        for contour in outline(source, glyph):
            points = [
                (round(10.0 * (pen + scale * x)), round(10.0 * (label.y - scale * y)), on)
                for x, y, on in with_middles(contour)
            ]
            parts.append(_splines(points))
        pen += scale * source.metrics(glyph)[0]
    return "".join(parts)


def _splines(points: list[tuple[int, int, bool]]) -> str:
    """A closed contour from its points, tenths, of which no two in a row are control points."""
    first = next(k for k, (_, _, on) in enumerate(points) if on)
    x, y, _ = points[first]
    parts, pull = [f"M{_tenth(x)} {_tenth(y)}"], ""
    for to_x, to_y, on in points[first + 1 :] + points[: first + 1]:
        step = _step(to_x - x, to_y - y)
        if not on:
            pull = step
            continue
        parts.append(f"q{pull.lstrip()}{step}" if pull else f"l{step.lstrip()}")
        x, y, pull = to_x, to_y, ""
    return "".join(parts) + "z"


def _stop(share: float, rgba: Rgba) -> str:
    opacity = f' stop-opacity="{_share(rgba[3])}"' if rgba[3] < 1.0 else ""
    return f'<stop offset="{_share(share)}" stop-color="{colour(rgba)}"{opacity}/>'


def _paint(kind: str, rgba: Rgba) -> str:
    opacity = f' {kind}-opacity="{_share(rgba[3])}"' if rgba[3] < 1.0 else ""
    return f' {kind}="{colour(rgba)}"{opacity}'


def _none(kind: str) -> str:
    return f' {kind}="none"'


def colour(rgba: Rgba) -> str:
    """The colour without its opacity, as `#rrggbb`."""
    red, green, blue = (floor(min(max(part, 0.0), 1.0) * 255.0 + 0.5) for part in rgba[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def _share(value: float) -> str:
    return _trimmed(f"{value:.{OPACITY_DECIMALS}f}")


def _number(value: float) -> str:
    return _trimmed(f"{value:.2f}")


def _trimmed(text: str) -> str:
    text = text.rstrip("0").rstrip(".") if "." in text else text
    text = "0" if text == "-0" else text
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _path(chains: tuple[Array, ...], *, closed: bool) -> str:
    """Path data with relative steps rounded to 0.1; `chains`: (k, 2) each.

    A chain is closed if `closed`, or if it ends where it began.
    """
    parts = []
    for chain in chains:
        points = np.rint(chain * 10.0).astype(np.int64)
        ring = closed or (len(points) > 3 and bool((points[0] == points[-1]).all()))
        if ring and not closed:
            points = points[:-1]
        steps = np.diff(points, axis=0)
        steps = steps[steps.any(axis=1)] if len(points) > 2 else steps
        first = " ".join(map(_tenth, points[0].tolist()))
        onward = "".join([_step(x, y) for x, y in steps.tolist()])
        parts.append(f"M{first}{'l' if onward else ''}{onward.lstrip()}{'z' if ring else ''}")
    return "".join(parts)


def _step(x: int, y: int) -> str:
    across, down = _tenth(x), _tenth(y)
    return f"{'' if across.startswith('-') else ' '}{across}{'' if down.startswith('-') else ' '}{down}"


def _tenth(value: int) -> str:
    sign, (whole, part) = "-" if value < 0 else "", divmod(abs(value), 10)
    return f"{sign}{whole or ''}.{part}" if part else f"{sign}{whole}"


def xml_text(text: str) -> str:
    """The text escaped for XML, with U+FFFD for characters that XML does not allow."""
    return escape(_NOT_IN_XML.sub("\ufffd", text))
