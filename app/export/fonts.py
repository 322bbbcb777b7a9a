"""The program's two fonts in pictures: subsets with the letters that a picture uses, and outlines of letters.

Reads and writes TrueType after the OpenType specification (cmap of format 4, glyf, loca, hmtx, hhea, maxp, OS/2, name),
as far as `assets/fonts` uses it: no hints, all letters in the basic plane. WOFF 1.0 is W3C's recommendation of 2012.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array

from ..draw.text import font_path
from .operations import Operation, texts_of

FAMILY = "Separatrix Sans"
Tables = dict[str, bytes]
Contour = tuple[tuple[float, float, bool], ...]
"""Points: x, y, and True if on the curve, False for a control point of a quadratic spline. Font units, y up."""
_WORDS, _OFFSETS, _SCALE, _MORE, _SCALES, _MATRIX = 0x01, 0x02, 0x08, 0x20, 0x40, 0x80
"""Flags of a component of a composite glyph."""


def used_letters(operations: tuple[Operation, ...]) -> dict[bool, str]:
    """For each weight that the texts of `operations` use, bold or not, each of their characters once, sorted."""
    found: dict[bool, set[str]] = {}
    for text in texts_of(operations):
        found.setdefault(text.bold, set()).update(text.text)
    return {bold: "".join(sorted(letters)) for bold, letters in sorted(found.items()) if letters}


class Font(Struct, frozen=True):
    """A TrueType font: its tables, the glyph number of each character, and the offset of each glyph's data in `glyf`.

    `places` has the end of the last glyph's data too.
    """

    tables: Tables
    glyphs: dict[str, int]
    places: tuple[int, ...]

    def data(self, glyph: int) -> bytes:
        """The glyph's data in `glyf`, empty for a glyph without ink."""
        return self.tables["glyf"][self.places[glyph] : self.places[glyph + 1]]

    def metrics(self, glyph: int) -> tuple[int, int]:
        """The glyph's advance and left side bearing, font units."""
        (count,) = struct.unpack(">H", self.tables["hhea"][34:36])
        advance, _ = struct.unpack_from(">Hh", self.tables["hmtx"], 4 * min(glyph, count - 1))
        at = 4 * glyph + 2 if glyph < count else 4 * count + 2 * (glyph - count)
        (bearing,) = struct.unpack_from(">h", self.tables["hmtx"], at)
        return advance, bearing

    @property
    def units(self) -> int:
        """Font units to the em."""
        return int(struct.unpack(">H", self.tables["head"][18:20])[0])


@cache
def font(bold: bool) -> Font:
    """The regular or the bold font, read once. Raises ValueError for a file without a cmap of format 4."""
    data = font_path(bold).read_bytes()
    tables = {}
    for number in range(struct.unpack(">H", data[4:6])[0]):
        tag, _, at, size = struct.unpack_from(">4sIII", data, 12 + 16 * number)
        tables[tag.decode()] = data[at : at + size]
    (count,) = struct.unpack(">H", tables["maxp"][4:6])
    (long,) = struct.unpack(">h", tables["head"][50:52])
    places = struct.unpack(f">{count + 1}{'I' if long else 'H'}", tables["loca"][: (count + 1) * (4 if long else 2)])
    return Font(tables, _characters(tables["cmap"]), tuple([place if long else 2 * place for place in places]))


def _characters(cmap: bytes) -> dict[str, int]:
    """The glyph number of each character, from the cmap's subtable of format 4; ValueError without one."""
    for number in range(struct.unpack(">H", cmap[2:4])[0]):
        (at,) = struct.unpack_from(">I", cmap, 8 + 8 * number)
        if struct.unpack_from(">H", cmap, at) == (4,):
            break
    else:
        raise ValueError("the font's cmap must have a subtable of format 4")
    (doubled,) = struct.unpack_from(">H", cmap, at + 6)
    count = doubled // 2
    ends, starts, deltas, offsets = (
        struct.unpack_from(f">{count}H", cmap, at + 14 + k * doubled + (2 if k else 0)) for k in range(4)
    )
    found = {}
    for k, (start, end, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                place = at + 16 + 3 * doubled + 2 * k + offset + 2 * (code - start)
                (glyph,) = struct.unpack_from(">H", cmap, place)
            if glyph or not offset:
                found[chr(code)] = (glyph + delta) & 0xFFFF
    return {character: glyph for character, glyph in found.items() if glyph}


def _parts(data: bytes) -> Iterator[tuple[int, int, tuple[float, float, float, float, float, float]]]:
    """Yields the parts of a composite glyph: the offset of the part's glyph number in `data`, that number, its matrix.

    Matrices are a b c d e f as in PDF. Raises ValueError for a part without an offset.
    """
    at, more = 10, True
    while more:
        flags, glyph = struct.unpack_from(">HH", data, at)
        place, at = at + 2, at + 4
        shift = struct.unpack_from(">hh" if flags & _WORDS else ">bb", data, at)
        at += 4 if flags & _WORDS else 2
        count = 1 if flags & _SCALE else 2 if flags & _SCALES else 4 if flags & _MATRIX else 0
        given = [value / 16384.0 for value in struct.unpack_from(f">{count}h", data, at)]
        at += 2 * count
        if not flags & _OFFSETS:
            raise ValueError("a part of a letter must be placed by an offset")
        a, b, c, d = {
            0: (1.0, 0.0, 0.0, 1.0),
            1: (*given, 0.0, 0.0, *given),
            2: (*given[:1], 0.0, 0.0, *given[1:]),
        }.get(count, tuple(given))
        yield place, glyph, (a, b, c, d, float(shift[0]), float(shift[1]))
        more = bool(flags & _MORE)


def outline(of: Font, glyph: int) -> tuple[Contour, ...]:
    """The contours of a glyph, also of a composite one. Empty for a glyph without ink.

    Raises ValueError for a part without an offset.
    """
    data = of.data(glyph)
    if not data:
        return ()
    (count,) = struct.unpack(">h", data[:2])
    if count >= 0:
        return _contours(data, count)
    return tuple(
        [
            tuple([(a * x + c * y + e, b * x + d * y + f, on) for x, y, on in contour])
            for _, part, (a, b, c, d, e, f) in _parts(data)
            for contour in outline(of, part)
        ]
    )


def with_middles(contour: Sequence[tuple[float, float, bool]]) -> Iterator[tuple[float, float, bool]]:
    """Yields the points of a closed contour, with the middle of each two consecutive control points added.

    TrueType omits these middles, which are on the curve.
    """
    for (x, y, on), (x1, y1, on1) in zip(contour, [*contour[1:], contour[0]], strict=True):
        yield x, y, on
        if not on and not on1:
            yield 0.5 * (x + x1), 0.5 * (y + y1), True


CURVE = np.linspace(0.0, 1.0, 5)[1:, None]
"""Parameters at which each spline is sampled for a polygon."""


def flattened(contours: tuple[Contour, ...]) -> Iterator[Array]:
    """Yields the contours as closed polygons (k, 2), font units, y up."""
    for contour in contours:
        points = list(with_middles(contour))
        first = next(k for k, point in enumerate(points) if point[2])
        points = points[first:] + points[: first + 1]
        at, pull, pieces = np.array(points[0][:2]), None, []
        for x, y, on in points[1:]:
            point = np.array((x, y))
            if not on:
                pull = point
                continue
            if pull is None:
                pieces.append(point[None])
            else:
                pieces.append((1.0 - CURVE) ** 2 * at + 2.0 * CURVE * (1.0 - CURVE) * pull + CURVE**2 * point)
            at, pull = point, None
        yield np.concatenate(pieces)


def _contours(data: bytes, count: int) -> tuple[Contour, ...]:
    ends = struct.unpack_from(f">{count}H", data, 10)
    total, at = ends[-1] + 1 if ends else 0, 10 + 2 * count
    at += 2 + struct.unpack_from(">H", data, at)[0]
    flags: list[int] = []
    while len(flags) < total:
        flag, at = data[at], at + 1
        times = 1
        if flag & 0x08:
            times, at = 1 + data[at], at + 1
        flags += [flag] * times
    columns = []
    for short, same in ((0x02, 0x10), (0x04, 0x20)):
        values, value = [], 0
        for flag in flags:
            if flag & short:
                value, at = value + (data[at] if flag & same else -data[at]), at + 1
            elif not flag & same:
                value, at = value + struct.unpack_from(">h", data, at)[0], at + 2
            values.append(float(value))
        columns.append(values)
    points = [(x, y, bool(flag & 1)) for x, y, flag in zip(*columns, flags, strict=True)]
    first = (0, *(end + 1 for end in ends))
    return tuple([tuple(points[start : end + 1]) for start, end in zip(first, ends, strict=False)])


def subset(of: Font, letters: str) -> tuple[Tables, dict[str, int]]:
    """The tables of a font with only these letters, and the glyph number of each letter in it.

    Letters that the font `of` lacks are omitted. Raises ValueError as `outline`, for a composite letter.
    """
    known = [letter for letter in sorted(set(letters)) if letter in of.glyphs]
    order = [0, *(of.glyphs[letter] for letter in known)]
    for glyph in order:  # the list grows by the parts of composite glyphs
        data = of.data(glyph)
        if data and struct.unpack(">h", data[:2])[0] < 0:
            order += [part for _, part, _ in _parts(data) if part not in order]
    places, glyf = [0], b""
    for glyph in order:
        data = _renumbered(of.data(glyph), order)
        glyf += data + b"\0" * (-len(data) % 4)
        places.append(len(glyf))
    tables, count = of.tables, len(order)
    numbers = {letter: 1 + k for k, letter in enumerate(known)}
    made = {
        "OS/2": tables["OS/2"],
        "cmap": _cmap(numbers),
        "glyf": glyf,
        "head": tables["head"][:50] + struct.pack(">h", 1) + tables["head"][52:],
        "hhea": tables["hhea"][:34] + struct.pack(">H", count),
        "hmtx": b"".join([struct.pack(">Hh", *of.metrics(glyph)) for glyph in order]),
        "loca": struct.pack(f">{count + 1}I", *places),
        "maxp": tables["maxp"][:4] + struct.pack(">H", count) + tables["maxp"][6:],
        "name": _name(),
        "post": struct.pack(">II", 0x00030000, 0) + tables["post"][8:32],
    }
    return made, numbers


def _renumbered(data: bytes, order: list[int]) -> bytes:
    if not data or struct.unpack(">h", data[:2])[0] >= 0:
        return data
    changed = bytearray(data)
    for place, part, _ in _parts(data):
        struct.pack_into(">H", changed, place, order.index(part))
    return bytes(changed)


def _cmap(numbers: dict[str, int]) -> bytes:
    """A cmap of format 4, with one segment for each character and the required last segment."""
    rows = [(ord(letter), number) for letter, number in numbers.items()]
    codes = [code for code, _ in rows] + [0xFFFF]
    deltas = [(number - code) & 0xFFFF for code, number in rows] + [1]
    count = len(codes)
    power = count.bit_length() - 1
    search = (2 * 2**power, power, 2 * count - 2 * 2**power)
    body = struct.pack(f">4H{count}HH", 2 * count, *search, *codes, 0)
    body += struct.pack(f">{3 * count}H", *codes, *deltas, *([0] * count))
    return struct.pack(">HHHHI", 0, 1, 3, 1, 12) + struct.pack(">HHH", 4, 6 + len(body), 0) + body


def _name() -> bytes:
    """A name table with the copyright notice, which the licence requires, and the family."""
    texts = {0: "Copyright 2020 The Inter Project Authors. SIL Open Font License 1.1", 1: FAMILY, 2: "Regular"}
    texts |= {4: FAMILY, 6: FAMILY.replace(" ", "")}
    records, store = b"", b""
    for number, text in texts.items():
        data = text.encode("utf-16-be")
        records += struct.pack(">6H", 3, 1, 0x409, number, len(data), len(store))
        store += data
    return struct.pack(">3H", 0, len(texts), 6 + len(records)) + records + store


def _checksum(data: bytes) -> int:
    data += b"\0" * (-len(data) % 4)
    total: int = sum(struct.unpack(f">{len(data) // 4}I", data))
    return total & 0xFFFFFFFF


def sfnt(tables: Tables) -> bytes:
    """The tables as a TrueType file."""
    tables = tables | {"head": tables["head"][:8] + b"\0\0\0\0" + tables["head"][12:]}
    count = len(tables)
    power = count.bit_length() - 1
    data = struct.pack(">I4H", 0x00010000, count, 16 * 2**power, power, 16 * count - 16 * 2**power)
    at, body = 12 + 16 * count, b""
    for tag, table in sorted(tables.items()):
        data += struct.pack(">4s3I", tag.encode(), _checksum(table), at + len(body), len(table))
        body += table + b"\0" * (-len(table) % 4)
    data += body
    head = at + sum(len(table) + -len(table) % 4 for tag, table in sorted(tables.items()) if tag < "head")
    whole = struct.pack(">I", (0xB1B0AFBA - _checksum(data)) & 0xFFFFFFFF)
    return data[: head + 8] + whole + data[head + 12 :]


def woff(letters: str, *, bold: bool) -> bytes:
    """A font with those of the letters that it has, as WOFF 1.0."""
    plain = sfnt(subset(font(bold), letters)[0])
    count = struct.unpack(">H", plain[4:6])[0]
    at, records, body = 44 + 20 * count, b"", b""
    for number in range(count):
        tag, checksum, place, size = struct.unpack_from(">4s3I", plain, 12 + 16 * number)
        table = plain[place : place + size]
        packed = zlib.compress(table, 9)
        packed = packed if len(packed) < size else table
        records += struct.pack(">4s4I", tag, at + len(body), len(packed), size, checksum)
        body += packed + b"\0" * (-len(packed) % 4)
    header = struct.pack(">4sIIHHIHHIIIII", b"wOFF", 0x00010000, at + len(body), count, 0, len(plain), *([0] * 7))
    return header + records + body
