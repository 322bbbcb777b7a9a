"""Writes pictures as PDF 1.5: one page each, fonts embedded, scenes attached. Equal pictures give equal bytes.

pdfLaTeX writes PDF 1.5 and warns about figures of a later version. Two keys of attachments are from later versions (UF
from 1.7, AF from 2.0); readers of PDF 1.5 ignore them.
"""

from __future__ import annotations

import zlib
from itertools import chain as joined
from math import ceil, floor

import numpy as np

from core.geometry.vector import Array

from ..draw.draw_list import Rgba
from .fonts import Contour, font, outline, sfnt, subset, used_letters, with_middles
from .operations import (
    POINTS_PER_MM,
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

POINTS_PER_PIXEL = 0.75
"""Points, 1/72 inch, per pixel, 1/96 inch."""
KAPPA = 0.5522847498
"""Distance of the control points of a quarter circle from its ends, as a share of the radius."""
COLOUR_STEP = 2.0 / 255.0
"""Largest step of a colour's component, or of opacity, between two pieces of a line of changing colour."""
SCENE_FILE = "scene.json"


def pdf_bytes(*pages: Picture, title: str | None = None, author: str = "") -> bytes:
    """The pictures as a PDF file, one page each; `title`: of the document, None for the first picture's.

    `author`: "" for none.
    """
    return _Writer(pages).written(pages[0].title if title is None else title, author)


class _Writer:
    """Collects numbered objects, and the resources that page contents refer to by name."""

    def __init__(self, pages: tuple[Picture, ...]) -> None:
        self._pages = pages
        self._objects: list[bytes] = []
        self._resources = self._object(b"")
        self._names: dict[str, dict[str, int]] = {"ExtGState": {}, "XObject": {}, "Shading": {}, "Font": {}}
        self._states: dict[int, str] = {}
        self._forms: dict[int, str] = {}
        self._operations = tuple(joined.from_iterable(page.operations for page in pages))
        self._times = times_used(self._operations)
        self._letters: dict[bool, dict[str, int]] = {}
        self._outlines: dict[tuple[bool, str], tuple[Contour, ...]] = {}

    def written(self, title: str, author: str) -> bytes:
        for bold, letters in used_letters(self._operations).items():
            self._embed(letters, bold=bold)
        contents = [self._page_content(page) for page in self._pages]
        first = len(self._objects) + 1
        tree = first + len(self._pages)
        for number, (page, content) in enumerate(zip(self._pages, contents, strict=True)):
            scale = points_to_pixel(page)
            look = f" /StructParents {number}" if page.alt else ""
            box = f"/MediaBox [0 0 {_n(page.width * scale)} {_n(page.height * scale)}]"
            look = f"{box}{look} /Group << /S /Transparency /CS /DeviceRGB >> /Resources {self._resources} 0 R"
            self._object(f"<< /Type /Page /Parent {tree} 0 R {look} /Contents {content} 0 R >>")
        kids = " ".join([f"{number} 0 R" for number in range(first, tree)])
        self._object(f"<< /Type /Pages /Kids [{kids}] /Count {len(self._pages)} >>")
        catalog = self._catalog(tree, first)
        by = f" /Author {_words(author)}" if author else ""
        info = self._object(f"<< /Title {_words(title)}{by} /Creator (Separatrix) >>")
        self._objects[self._resources - 1] = self._resource_lists().encode()
        return _file(self._objects, catalog, info)

    def _page_content(self, page: Picture) -> int:
        scale = points_to_pixel(page)
        body = f"{_n(scale, 6)} 0 0 {_n(-scale, 6)} 0 {_n(page.height * scale)} cm\n{self._content(page.operations)}"
        return self._stream("", (f"/Figure << /MCID 0 >> BDC\n{body}EMC\n" if page.alt else body).encode())

    def _object(self, data: bytes | str) -> int:
        """Adds an object; returns its number, from 1."""
        self._objects.append(data.encode() if isinstance(data, str) else data)
        return len(self._objects)

    def _stream(self, entries: str, data: bytes, *, packed: bool = True) -> int:
        if packed:
            data, entries = zlib.compress(data, 9), f"{entries} /Filter /FlateDecode"
        head = f"<<{entries} /Length {len(data)} >>\nstream\n"
        return self._object(head.encode() + data + b"\nendstream")

    def _named(self, kind: str, number: int) -> str:
        name = f"{kind[0]}{len(self._names[kind])}"
        self._names[kind][name] = number
        return name

    def _resource_lists(self) -> str:
        lists = [
            f"/{kind} << {' '.join(f'/{name} {number} 0 R' for name, number in names.items())} >>"
            for kind, names in self._names.items()
            if names
        ]
        return f"<< {' '.join(lists)} >>"

    def _catalog(self, pages: int, first: int) -> int:
        """Adds the catalog and each page's scene as an attached file; returns the catalog's object number.

        `pages`, `first`: object numbers of the page tree and of the first page.
        """
        entries = [self._attached(name, page) for name, page in zip(self._file_names(), self._pages, strict=True)]
        names = " ".join([f"({name}) {entry} 0 R" for name, entry in zip(self._file_names(), entries, strict=True)])
        sources = " ".join([f"{entry} 0 R" for entry in entries])
        attached = f"/Names << /EmbeddedFiles << /Names [{names}] >> >> /AF [{sources}]"
        return self._object(f"<< /Type /Catalog /Pages {pages} 0 R {attached}{self._structure(first)} >>")

    def _structure(self, first: int) -> str:
        """The catalog's entries for a screen reader's texts; "" if no page has one."""
        words = [(number, page.alt) for number, page in enumerate(self._pages) if page.alt]
        if not words:
            return ""
        root = len(self._objects) + len(words) + 1
        figures = [
            self._object(
                f"<< /Type /StructElem /S /Figure /P {root} 0 R /Pg {first + number} 0 R /K 0 /Alt {_words(alt)} >>"
            )
            for number, alt in words
        ]
        kids = " ".join([f"{figure} 0 R" for figure in figures])
        rows = " ".join([f"{number} [{figure} 0 R]" for figure, (number, _) in zip(figures, words, strict=True)])
        parents = f"/ParentTree << /Nums [{rows}] >> /ParentTreeNextKey {len(self._pages)}"
        self._object(f"<< /Type /StructTreeRoot /K [{kids}] {parents} >>")
        return f" /MarkInfo << /Marked true >> /StructTreeRoot {root} 0 R /Lang (en)"

    def _file_names(self) -> list[str]:
        """Names of the attached scenes: SCENE_FILE, with the pages' numbers if there are several."""
        if len(self._pages) == 1:
            return [SCENE_FILE]
        return [SCENE_FILE.replace(".", f"-{number:03}.") for number in range(1, len(self._pages) + 1)]

    def _attached(self, name: str, page: Picture) -> int:
        """Adds a scene as a file; returns its object number.

        The file is not compressed, so that the scene can be found without a PDF reader.
        """
        data = self._stream(" /Type /EmbeddedFile /Subtype /application#2Fjson", page.scene.encode(), packed=False)
        names = f"/F ({name}) /UF ({name}) /AFRelationship /Source"
        return self._object(f"<< /Type /Filespec {names} /EF << /F {data} 0 R /UF {data} 0 R >> >>")

    def _content(self, operations: tuple[Operation, ...]) -> str:
        return "".join([self._drawn(operation) for operation in operations])

    def _drawn(self, operation: Operation) -> str:
        match operation:
            case Fill(loops, rgba):
                return f"{self._paint('rg', rgba)}{_path(loops, closed=True)}f\n"
            case Stroke():
                return self._line(operation)
            case Ramp():
                return self._ramp(operation)
            case Disc(centre, radius, rgba, width):
                if width:
                    return f"{self._paint('RG', rgba)}{_n(width)} w [] 0 d\n{_circle(centre, radius)}S\n"
                return f"{self._paint('rg', rgba)}{_circle(centre, radius)}f\n"
            case Haze():
                return self._haze(operation)
            case Ground():
                return self._ground(operation)
            case TextRun():
                return self._text(operation)
            case OperationGroup():
                return self._group(operation)

    def _state(self, alpha: float) -> str:
        """The operator that sets the opacity, rounded to a thousandth."""
        share = floor(1000.0 * alpha + 0.5)
        if share not in self._states:
            number = self._object(f"<< /CA {_n(share / 1000.0, 3)} /ca {_n(share / 1000.0, 3)} >>")
            self._states[share] = self._named("ExtGState", number)
        return f"/{self._states[share]} gs\n"

    def _paint(self, operator: str, rgba: Rgba) -> str:
        return f"{self._state(rgba[3])}{' '.join(_n(part, 4) for part in rgba[:3])} {operator}\n"

    def _line(self, line: Stroke) -> str:
        dashes = f"[{' '.join(_n(length) for length in line.dashes)}] {_n(line.spent)} d"
        style = f"{_n(line.width)} w {int(line.round_ends)} J 1 j {dashes}\n"
        return self._paint("RG", line.rgba) + style + _path(line.chains, closed=False) + "S\n"

    def _ramp(self, ramp: Ramp) -> str:
        """Draws a ramp as short pieces, each of one colour and opacity."""
        parts = [f"{_n(ramp.width)} w 0 J [] 0 d\n"]
        for (first, colour), (last, other) in zip(ramp.stops, ramp.stops[1:], strict=False):
            change = max(abs(a - b) for a, b in zip(colour, other, strict=True))
            count = max(1, ceil(change / COLOUR_STEP))
            for k in range(count):
                mean = [a + (k + 0.5) / count * (b - a) for a, b in zip(colour, other, strict=True)]
                shares = [first + at / count * (last - first) for at in (k, k + 1)]
                ends = np.array([ramp.start + share * (ramp.end - ramp.start) for share in shares])
                r, g, b, a = mean
                parts.append(f"{self._paint('RG', (r, g, b, a))}{_path((ends,), closed=False)}S\n")
        return "".join(parts)

    def _haze(self, haze: Haze) -> str:
        """Draws a disc of changing colour through a mask of changing brightness, which is its opacity."""
        (x, y), radius = haze.centre.tolist(), haze.radius
        colours, opacities = np.array(haze.stops)[:, :3], np.array(haze.stops)[:, 3:]
        where = f"/Coords [{_n(x)} {_n(y)} 0 {_n(x)} {_n(y)} {_n(radius)}]"
        looks = []
        for space, values in (("RGB", colours), ("Gray", opacities)):
            count, parts = values.shape
            run = (
                f" /FunctionType 0 /Domain [0 1] /Range [{' '.join(['0 1'] * parts)}] /Size [{count}] /BitsPerSample 16"
            )
            samples = self._stream(run, np.rint(65535.0 * values).astype(">u2").tobytes())
            shading = f"<< /ShadingType 3 /ColorSpace /Device{space} {where} /Function {samples} 0 R >>"
            looks.append(self._named("Shading", self._object(shading)))
        box = f"/BBox [{' '.join(_n(value) for value in (x - radius, y - radius, x + radius, y + radius))}]"
        group = f"/Group << /S /Transparency /CS /DeviceGray >> /Resources {self._resources} 0 R"
        mask = self._stream(f" /Type /XObject /Subtype /Form {box} {group}", f"/{looks[1]} sh\n".encode())
        state = self._object(f"<< /CA 1 /ca 1 /SMask << /Type /Mask /S /Luminosity /G {mask} 0 R >> >>")
        disc = f"{_circle(haze.centre, radius)}W n\n"
        return f"q\n/{self._named('ExtGState', state)} gs\n{disc}/{looks[0]} sh\nQ\n"

    def _ground(self, ground: Ground) -> str:
        left, top, width, height = (_n(v) for v in (ground.left, ground.top, ground.width, ground.height))
        if ground.upper == ground.lower:
            return f"{self._paint('rg', ground.upper)}{left} {top} {width} {height} re f\n"
        ends = [" ".join(_n(part, 4) for part in colour[:3]) for colour in (ground.upper, ground.lower)]
        run = f"<< /FunctionType 2 /Domain [0 1] /C0 [{ends[0]}] /C1 [{ends[1]}] /N 1 >>"
        where = f"/Coords [0 {top} 0 {_n(ground.top + ground.height)}] /Function {run} /Extend [true true]"
        name = self._named("Shading", self._object(f"<< /ShadingType 2 /ColorSpace /DeviceRGB {where} >>"))
        return f"q\n{self._state(1.0)}{left} {top} {width} {height} re W n\n/{name} sh\nQ\n"

    def _group(self, group: OperationGroup) -> str:
        if self._times[id(group)] > 1 or group.alpha < 1.0:
            inner = f"{self._state(group.alpha)}/{self._form(group)} Do\n"
        else:
            inner = self._content(group.operations)
        if not group.clips:
            return inner
        clips = "".join([f"{_path(loops, closed=True)}W n\n" for loops in group.clips])
        return f"q\n{clips}{inner}Q\n"

    def _form(self, group: OperationGroup) -> str:
        """The name of the form with a group's content, added once; a translucent group is blended as a whole."""
        if id(group) not in self._forms:
            blended = " /Group << /S /Transparency /CS /DeviceRGB >>" if group.alpha < 1.0 else ""
            width, height = (max(getattr(page, side) for page in self._pages) for side in ("width", "height"))
            box = f"/BBox [0 0 {width} {height}]"
            entries = f" /Type /XObject /Subtype /Form {box} /Resources {self._resources} 0 R{blended}"
            number = self._stream(entries, self._content(group.operations).encode())
            self._forms[id(group)] = self._named("XObject", number)
        return self._forms[id(group)]

    def _text(self, text: TextRun) -> str:
        """Draws the halo as outlines of letters, so that a search finds the text only once, and then the text."""
        scale = text.size / font(text.bold).units
        x, paths = text.x, []
        for character in text.text:
            paths += [
                _curves([(x + scale * px, text.y - scale * py, on) for px, py, on in contour])
                for contour in self._contours(text.bold, character)
            ]
            x += scale * font(text.bold).metrics(font(text.bold).glyphs.get(character, 0))[0]
        halo = f"{self._paint('RG', text.halo)}{_n(2.0 * text.halo_width)} w 1 j [] 0 d\n{''.join(paths)}S\n"
        letters = self._letters[text.bold]
        codes = "".join([f"{letters.get(character, 0):04x}" for character in text.text])
        place = f"1 0 0 -1 {_n(text.x)} {_n(text.y)} Tm"
        name = "F1" if text.bold else "F0"
        return (
            halo if paths else ""
        ) + f"{self._paint('rg', text.rgba)}BT /{name} {text.size} Tf {place} <{codes}> Tj ET\n"

    def _contours(self, bold: bool, character: str) -> tuple[Contour, ...]:
        key = (bold, character)
        if key not in self._outlines:
            self._outlines[key] = outline(font(bold), font(bold).glyphs.get(character, 0))
        return self._outlines[key]

    def _embed(self, letters: str, *, bold: bool) -> None:
        """Embeds a font with these letters under the name F0, or F1 if bold."""
        source = font(bold)
        tables, numbers = subset(source, letters)
        program = sfnt(tables)
        file = self._stream(f" /Length1 {len(program)}", program)
        name = f"/SEPTRX+SeparatrixSans-{'SemiBold' if bold else 'Regular'}"
        em = 1000.0 / source.units
        box = " ".join(_n(em * v, 0) for v in np.frombuffer(source.tables["head"][36:44], dtype=">i2").tolist())
        up, down = (_n(em * v, 0) for v in np.frombuffer(source.tables["hhea"][4:8], dtype=">i2").tolist())
        looks = f"/Flags 4 /FontBBox [{box}] /ItalicAngle 0 /Ascent {up} /Descent {down} /CapHeight {up} /StemV 80"
        descriptor = self._object(f"<< /Type /FontDescriptor /FontName {name} {looks} /FontFile2 {file} 0 R >>")
        glyphs = [0, *(source.glyphs[letter] for letter in numbers)]
        widths = " ".join([_n(em * source.metrics(glyph)[0], 3) for glyph in glyphs])
        collection = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
        descendant = self._object(
            f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont {name} {collection} /FontDescriptor {descriptor} 0 R "
            f"/CIDToGIDMap /Identity /W [0 [{widths}]] >>"
        )
        unicode = self._stream("", _to_unicode(numbers).encode())
        self._names["Font"]["F1" if bold else "F0"] = self._object(
            f"<< /Type /Font /Subtype /Type0 /BaseFont {name} /Encoding /Identity-H "
            f"/DescendantFonts [{descendant} 0 R] /ToUnicode {unicode} 0 R >>"
        )
        self._letters[bold] = numbers


def points_to_pixel(page: Picture) -> float:
    """Points, 1/72 inch, per fine pixel of a picture."""
    return POINTS_PER_PIXEL / page.fineness if page.width_mm is None else POINTS_PER_MM * page.width_mm / page.width


def _to_unicode(numbers: dict[str, int]) -> str:
    """The CMap that maps glyph numbers to characters, in blocks of at most 100 as PDF requires."""
    rows = [f"<{number:04x}> <{letter.encode('utf-16-be').hex()}>" for letter, number in numbers.items()]
    blocks = [rows[first : first + 100] for first in range(0, len(rows), 100)]
    listed = "".join([f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar\n" for block in blocks])
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        f"1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n{listed}"
        "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    )


def _file(objects: list[bytes], catalog: int, info: int) -> bytes:
    """The PDF file with the objects and the table of their offsets; `catalog`, `info`: object numbers."""
    data = b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join([f"{place:010d} 00000 n \n" for place in places])
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root {catalog} 0 R /Info {info} 0 R >>\n"
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}startxref\n{len(data)}\n%%EOF\n"
    return data + end.encode()


def _path(chains: Loops, *, closed: bool) -> str:
    parts = []
    for chain in chains:
        ring = closed or (len(chain) > 3 and bool((np.abs(chain[0] - chain[-1]) < 1e-6).all()))
        points = [f"{_n(x, 1)} {_n(y, 1)}" for x, y in (chain[:-1] if ring and not closed else chain).tolist()]
        parts.append(f"{points[0]} m {' '.join([point + ' l' for point in points[1:]])}{' h' if ring else ''}\n")
    return "".join(parts)


def _curves(contour: list[tuple[float, float, bool]]) -> str:
    """A closed contour of quadratic splines, as path operators with PDF's cubic ones."""
    points = list(with_middles(contour))
    first = next(k for k, point in enumerate(points) if point[2])
    points = points[first:] + points[: first + 1]
    (x0, y0, _), parts, k = points[0], [], 1
    parts.append(f"{_n(x0, 1)} {_n(y0, 1)} m")
    while k < len(points):
        x, y, on = points[k]
        if on:
            parts.append(f"{_n(x, 1)} {_n(y, 1)} l")
        else:
            k += 1
            (cx, cy), (x, y, _) = (x, y), points[k]
            ends = (
                x0 + 2.0 * (cx - x0) / 3.0,
                y0 + 2.0 * (cy - y0) / 3.0,
                x + 2.0 * (cx - x) / 3.0,
                y + 2.0 * (cy - y) / 3.0,
            )
            parts.append(f"{' '.join(_n(value, 1) for value in ends)} {_n(x, 1)} {_n(y, 1)} c")
        x0, y0, k = x, y, k + 1
    return " ".join(parts) + " h\n"


def _circle(centre: Array, radius: float) -> str:
    (x, y), c = centre.tolist(), KAPPA * radius
    r = radius
    quarters = (
        (x + r, y + c, x + c, y + r, x, y + r),
        (x - c, y + r, x - r, y + c, x - r, y),
        (x - r, y - c, x - c, y - r, x, y - r),
        (x + c, y - r, x + r, y - c, x + r, y),
    )
    return f"{_n(x + r)} {_n(y)} m " + "".join([f"{' '.join(map(_n, quarter))} c " for quarter in quarters]) + "h\n"


def _words(text: str) -> str:
    """A text string in UTF-16 with byte order mark, as hexadecimal digits."""
    return f"<feff{text.encode('utf-16-be', 'replace').hex()}>"


def _n(value: float, decimals: int = 2) -> str:
    text = f"{value:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
