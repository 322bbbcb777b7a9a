"""A grammar of the files that the program reads, right ones and wrong ones (fuzz.py)."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from app.storage.carried import SCRIPT, gif_comment, xmp_packet
from tests.conftest import ROOT

NUMBERS = (0, -0.0, 1, -1, 0.5, 2, 1e-30, 1e-12, 1e12, 1e30, 0.1, 1 / 3, 2**53)
BEYOND = (1e31, 1e308, 5e-324, 2**70, -1e31)
JUNK = (
    "null",
    "true",
    '""',
    '"x"',
    '"\\u0000"',
    '"ééééé"',
    "[]",
    "{}",
    "[[]]",
    "[0]",
    '{"type": "box"}',
    "-3",
    "1e40",
    '"NaN"',
)
RAW = ("NaN", "Infinity", "1e999", "-", "1.", "01", "+1", '"\\ud800"', "9" * 400, "[" * 80, "/**/", "'x'", "nul")
"""Texts in the place of a value that are no JSON, or that JSON should not be."""


@cache
def corpus() -> tuple[str, ...]:
    """The texts of the scenes that ship and of those that failed once."""
    files = sorted((ROOT / "assets" / "scenes").glob("*.json")) + sorted((ROOT / "tests" / "scenes").rglob("*.json"))
    texts = [file.read_text("utf-8") for file in files]
    return tuple(text for text in texts if '"separatrix"' in text and len(text) < 20_000)


def number(rng: Random) -> float:
    """A usual number, one from the ends of what is read, or seldom one beyond."""
    if (share := rng.random()) < 0.1:
        return rng.choice(NUMBERS if share > 0.003 else BEYOND)
    return rng.choice((1.0, 1.0, 1.0, 1e-3, 1e3)) * rng.uniform(-2, 2)


def size(rng: Random) -> float:
    """A length."""
    return abs(number(rng)) or 1.0


def row(rng: Random, count: int = 3, of: Callable[[Random], float] = number) -> list[float]:
    """So many numbers."""
    return [of(rng) for _ in range(count)]


def shape(rng: Random) -> dict[str, Any]:
    """A shape of space."""
    made: dict[str, Callable[[], dict[str, Any]]] = {
        "box": lambda: {"size": row(rng, of=size)},
        "sphere": lambda: {"radius": size(rng)},
        "capsule": lambda: {"radius": size(rng), "length": size(rng)},
        "cylinder": lambda: {"radius": size(rng), "height": size(rng)},
        "cone": lambda: {"radius": size(rng), "height": size(rng)},
        "ellipsoid": lambda: {"radii": row(rng, of=size)},
        "halfspace": lambda: {"normal": row(rng), "offset": number(rng)},
        "hull": lambda: {"points": points(rng, 3)},
    }
    name = rng.choice(tuple(made))
    more = {"border_radius": size(rng)} if rng.random() < 0.1 else {}
    return {"type": name} | made[name]() | more


def points(rng: Random, across: int) -> list[list[float]]:
    """Points of a hull: few, in one plane, on one line, doubled, or too many."""
    if rng.random() < 0.01:
        return [[float(k), float(k * k % 97), 0.5][:across] for k in range(rng.choice((300, 2_001, 100_001)))]
    found = [row(rng, across) for _ in range(rng.choice((0, 1, 2, 3, 4, 5, 8, 20)))]
    if rng.random() < 0.2:
        found = [[*point[:-1], 0.0] for point in found]
    return found + found[: rng.choice((0, 0, 1))]


def polygon(rng: Random) -> dict[str, Any]:
    """A shape of the plane."""
    if rng.random() < 0.3:
        return {"type": "circle", "radius": size(rng)}
    if rng.random() < 0.3:
        return {"type": "polygon", "points": points(rng, 2)}
    r, (x, y) = size(rng), row(rng, 2)
    ring = [(1, 0), (0.5, 0.8), (-0.5, 0.9), (-1, 0), (0, -1)][: rng.choice((1, 2, 3, 4, 5))]
    return {"type": "polygon", "points": [[x + r * a, y + r * b] for a, b in ring]}


def body(rng: Random, *, flat: bool) -> dict[str, Any]:
    """A body somewhere, at times in motion."""
    found: dict[str, Any] = {"shape": polygon(rng) if flat else shape(rng), "position": row(rng, 2 if flat else 3)}
    if rng.random() < 0.5:
        found["rotation"] = number(rng) if flat else row(rng, 4)
    if rng.random() < 0.2:
        found["displacement"] = row(rng, 2 if flat else 3)
    if rng.random() < 0.1:
        found["angular_displacement"] = number(rng) if flat else row(rng, 3)
    return found


def tree(rng: Random) -> Any:
    """A scene: one that is there already, or a new one."""
    if rng.random() < 0.4:
        return json.loads(rng.choice(corpus()))
    flat = rng.random() < 0.3
    found = {"separatrix": 1} | ({"dimension": 2} if flat else {}) | {key: body(rng, flat=flat) for key in "ab"}
    return found | ({"name": "n" * rng.choice((1, 9, 10_001)), "notes": "é\n"} if rng.random() < 0.1 else {})


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container and key in a tree."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in list(items) for place in ((value, key), *places(part))]


def spoiled(rng: Random, value: Any) -> Any:
    """The tree with a value changed, taken out, put in, or put in another's place."""
    found = places(value)
    if not found:
        return json.loads(rng.choice(JUNK))
    (holder, key), (other, name) = rng.choice(found), rng.choice(found)
    match rng.randrange(5):
        case 0:
            holder[key] = json.loads(rng.choice(JUNK))
        case 1:
            holder[key] = number(rng)
        case 2:
            del holder[key]
        case 3 if isinstance(holder, dict):
            holder[rng.choice(("x", "type", "points", "view", "dimension", "matrix", "step", ""))] = json.loads(
                rng.choice(JUNK)
            )
        case _:
            holder[key] = json.loads(json.dumps(other[name]))
    return value


def scene_text(rng: Random) -> str:
    """A scene as text, right in half of the cases."""
    value = tree(rng)
    for _ in range(rng.choice((0, 0, 0, 0, 0, 1, 1, 2, 4))):
        value = spoiled(rng, value)
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, None, 2)))
    if rng.random() < 0.05:
        at = [k for k, letter in enumerate(text) if letter in ":,["]
        if at:
            after = rng.choice(at) + 1
            text = text[:after] + rng.choice(RAW) + text[after + rng.choice((0, 0, 2)) :]
    return text


def bent(rng: Random, data: bytes) -> bytes:
    """The bytes, of some files with a few of them changed."""
    if rng.random() < 0.85 or not data:
        return data
    at, end = sorted((rng.randrange(len(data)), rng.randrange(len(data))))
    match rng.randrange(7):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        case 2:
            return data[:at] + data[end:]
        case 3:
            return data[:end] + data[at:]
        case 4:
            return b"\xef\xbb\xbf" + data
        case 5:
            return data[:at] + rng.choice((b"\0", b"\r", b"\n", b"\xff\xfe", b"\x1b[2J", b"\xed\xa0\x80")) + data[at:]
        case _:
            return data.decode("latin-1").encode("utf-16")


def _chunk(rng: Random, kind: bytes, content: bytes) -> bytes:
    crc = zlib.crc32(kind + content) ^ (rng.random() < 0.03)
    length = len(content) + (rng.choice((-1, 1, 1 << 31)) if rng.random() < 0.03 else 0)
    return struct.pack(">I", max(length, 0) & 0xFFFFFFFF) + kind + content + struct.pack(">I", crc)


def png(rng: Random) -> bytes:
    """A PNG, as a rule with a scene."""
    text = scene_text(rng).encode("utf-8", "replace")
    head = rng.choice((b"separatrix\0\0\0\0\0",) * 29 + (b"separatrix\0\1\0\0\0", b"separatrix\0", b"other\0\0\0\0\0"))
    chunks = [_chunk(rng, b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))]
    chunks += [_chunk(rng, b"IDAT", zlib.compress(bytes(4)))] * rng.choice((0, 1, 1))
    chunks += [_chunk(rng, rng.choice((b"iTXt",) * 29 + (b"tEXt", b"zTXt")), head + text)] * rng.choice(
        (1,) * 9 + (0, 2)
    )
    rng.shuffle(chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + _chunk(rng, b"IEND", b"")


def carrier(rng: Random) -> tuple[str, bytes]:
    """Another picture, a film or a page with a scene."""
    text = scene_text(rng).encode("utf-8", "replace").decode()
    packet = xmp_packet(text)
    comment = gif_comment(text)
    blocks = b"".join(
        bytes([len(part)]) + part for k in range(0, len(comment), 255) for part in (comment[k : k + 255],)
    )
    boxes = struct.pack(">I", len(packet) + 24) + b"uuid" + bytes(16) + packet
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    made = {
        ".gif": b"GIF89a" + bytes((1, 0, 1, 0, rng.choice((0, 0x80)), 0, 0)) + b"!\xfe" + blocks + b"\0;",
        ".webp": b"RIFF" + struct.pack("<I", len(packet) + 12) + b"WEBPXMP " + struct.pack("<I", len(packet)) + packet,
        ".avif": struct.pack(">I", 16) + b"ftypavif" + bytes(4) + boxes,
        ".mp4": struct.pack(">I", 16) + b"ftypisom" + bytes(4) + boxes,
        ".svg": f'<svg xmlns:s="separatrix"><metadata><s:scene xmlns:s="separatrix">{escaped}</s:scene>'.encode(),
        ".html": b"<!DOCTYPE html>" + SCRIPT.encode() + text.replace("<", "\\u003c").encode() + b"</script>",
        ".pdf": b"%PDF-1.7\n/EmbeddedFile /Subtype /application#2Fjson /Length "
        + f"{len(text.encode())} >> stream\n{text}".encode(),
    }
    return rng.choice(tuple(made.items()))


def obj(rng: Random) -> bytes:
    """Vertices and faces, with numbers that are none of them."""
    count = rng.choice((0, 1, 3, 4, 8, 8, 8, 30, 30))
    lines = []
    for _ in range(count):
        numbers = [repr(value) for value in row(rng, rng.choice((3,) * 12 + (2, 4, 6)))]
        if rng.random() < 0.05:
            numbers[rng.randrange(len(numbers))] = rng.choice(("nan", "inf", "-1e400", "x", "1,5", "0x1p3", "٣", "1_0"))
        lines.append(rng.choice(("v ", "v ", "v ", "v\t", " v ", "V ")) + rng.choice((" ", " ", "  ")).join(numbers))
    for _ in range(rng.choice((0, 0, 4, 12))):
        corners = [str(rng.choice((rng.randint(1, max(count, 1)), -1, 0, 99, count))) for _ in range(rng.randint(1, 5))]
        lines.append(
            "f " + " ".join(corner + rng.choice(("", "", "/1", "//1", "/1/1", "/", "/x")) for corner in corners)
        )
    more = (
        "# é",
        "o thing",
        "g a b",
        "usemtl m",
        "mtllib ../m.mtl",
        "vn 0 0 1",
        "vt 0 0",
        "l 1 2",
        "p 1",
        "s off",
        "\\",
    )
    lines += [rng.choice(more) for _ in range(rng.choice((0, 0, 2, 6)))]
    if rng.random() < 0.5:
        rng.shuffle(lines)
    text = rng.choice(("\n",) * 9 + ("\r\n", "\r", "\\\n")).join(lines)
    return text.encode("utf-16" if rng.random() < 0.03 else "utf-8")


def stl(rng: Random) -> bytes:
    """A binary or a text STL, with another number of triangles than it says."""
    count = rng.choice((0, 1, 4, 4, 12, 12))
    if rng.random() < 0.5:
        words = [
            v if rng.random() < 0.98 else rng.choice((float("nan"), float("inf"), 3e38)) for v in row(rng, 12 * count)
        ]
        packed = [max(min(word, 3e38), -3e38) if word == word and abs(word) != float("inf") else word for word in words]
        body = b"".join(struct.pack("<12fH", *packed[12 * k : 12 * k + 12], 0) for k in range(count))
        said = count + rng.choice((0,) * 12 + (1, -1, 1 << 20, 1 << 31))
        head = rng.choice((bytes(80), b"solid x".ljust(80), b"facet".ljust(80, b"\xff")))
        return head + struct.pack("<I", max(said, 0) & 0xFFFFFFFF) + body
    facets = []
    for _ in range(count):
        corners = [f"vertex {' '.join(map(repr, row(rng, rng.choice((3,) * 99 + (2, 4)))))}" for _ in range(3)]
        facets.append("\n".join(("facet normal 0 0 1", "outer loop", *corners, "endloop", "endfacet")))
    return "\n".join(("solid é", *facets, rng.choice(("endsolid é", "", "endsolid\nsolid b")))).encode()


def log(rng: Random) -> bytes:
    """Scenes line by line, as a deck with a first line that says so."""
    lines = [scene_text(rng).replace("\n", " ") for _ in range(rng.choice((0, 1, 2, 3)))]
    heads = ('{"separatrix_deck": 1}',) * 5 + ('{"separatrix_deck": 1, "title": "t"}', '{"separatrix_deck": "1"}')
    if rng.random() < 0.4:
        lines = [rng.choice(heads), *(text[:-1] + ', "words": "w", "question": "axis"}' for text in lines)]
    lines += [rng.choice(("", "  ", "null", "[]", "{", '"x"', "\x00")) for _ in range(rng.choice((0, 0, 1, 2)))]
    return rng.choice(("\n", "\n", "\r\n", "\r")).join(lines).encode("utf-8", "replace")


def some_input(rng: Random) -> tuple[str, bytes]:
    """The ending of a file's name, and its bytes."""
    kinds: dict[str, Callable[[Random], bytes]] = {
        ".json": lambda rng: scene_text(rng).encode("utf-8", "replace"),
        ".png": png,
        ".obj": obj,
        ".stl": stl,
        ".jsonl": log,
    }
    name = rng.choices((*kinds, "carrier"), (8, 2, 3, 3, 4, 2))[0]
    suffix, data = carrier(rng) if name == "carrier" else (name, kinds[name](rng))
    return suffix, bent(rng, data)
