"""Names the kind of a foreign file or text, by its first bytes or words, for the sentence that refuses it.

Sources of the first bytes: file(1)'s magic database, and the specifications of the formats.
"""

from __future__ import annotations

import re

from msgspec import Struct

HEAD_BYTES = 65_536
"""The number of bytes in which the kind is searched. A robot's collisions are counted in all of the text."""
CARRIERS = {"a picture", "a PDF"}
"""Kinds of files that may have a scene inside; films that may have one are found earlier (`files.read_bounded`)."""
NOT_READ, NOT_JSON = "which is not read here", "not JSON"
"""Parts after the file's kind in the sentence that refuses it."""
PAIR_SIZE = 2
"""The number of bodies in a pair."""


class FileKind(Struct, frozen=True):
    """A file's kind: `words`, with an article. `line`: the line of its third body, 0 if it has at most two bodies."""

    words: str
    line: int = 0


def kind_words(data: bytes) -> str:
    """The kind of the bytes, with an article, such as `a zip file`; "" if their beginning is unknown."""
    kind = kind_of_bytes(data)
    return "" if kind is None else kind.words


def kind_of_bytes(data: bytes) -> FileKind | None:
    """The kind of the bytes; None if their beginning is unknown."""
    for place, begin, words in _BYTES:
        if data.startswith(begin, place):
            return FileKind(words)
    if b"\0" in data[:HEAD_BYTES]:
        return FileKind(next((words for begin, words in _SHORT if data.startswith(begin)), "a binary file"))
    text = data[:HEAD_BYTES].decode("utf-8-sig", "replace").lstrip("\ufeff \t\r\n")
    root = _ROOT.match(text)
    if root is not None:
        return _xml(root["tag"].lower(), data)
    return next((FileKind(words) for pattern, words in _WORDS if re.search(pattern, text, re.MULTILINE)), None)


def _xml(tag: str, data: bytes) -> FileKind:
    """The kind of an XML text whose outermost element is `tag`.

    If it has more than two bodies, the words have their number, and `line` is the third one's.
    """
    words, body = _ROOTS.get(tag, ("an XML file", ""))
    if not body:
        return FileKind(words)
    # A geom in an MJCF's defaults is not a body.
    first, last = data.find(b"<default"), data.rfind(b"</default>")
    found = [
        match for match in re.finditer(rb"<%s[\s/>]" % body.encode(), data) if not 0 <= first < match.start() < last
    ]
    if len(found) <= PAIR_SIZE:
        return FileKind(words)
    line = data.count(b"\n", 0, found[PAIR_SIZE].start()) + 1
    plural = {"geom": "geoms", "collision": "collisions"}[body]
    return FileKind(f"{words} with more than two {plural} ({len(found)})", line)


_BYTES = (
    *((0, begin, "a zip file") for begin in (b"PK\x03\x04", b"PK\x05\x06")),
    (0, b"\x1f\x8b", "a gzip file"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z file"),
    (0, b"Rar!\x1a\x07", "a RAR file"),
    (0, b"\xfd7zXZ\x00", "an xz file"),
    (4, b"1AY&SY", "a bzip2 file"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd file"),
    (257, b"ustar", "a tar file"),
    *((0, begin, "a picture") for begin in (b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"8BPS")),
    *((0, begin, "a picture") for begin in (b"II*\x00", b"MM\x00*", b"\x00\x00\x01\x00", b"qoif", b"v/1\x01")),
    (8, b"WEBP", "a picture"),
    (0, b"%PDF-", "a PDF"),
    (8, b"WAVE", "a sound"),
    *((0, begin, "a sound") for begin in (b"ID3", b"OggS", b"fLaC")),
    (4, b"ftyp", "a film"),
    (0, b"\x1a\x45\xdf\xa3", "a film"),
    (8, b"AVI ", "a film"),
    *((0, begin, "a program") for begin in (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document"),
    (0, b"SQLite format 3\x00", "an SQLite database"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (0, b"\x93NUMPY", "a numpy array"),
    *((0, b"\x80" + bytes([version]), "a Python pickle") for version in range(2, 6)),
    (0, b"#ROSBAG", "a ROS bag"),
    (0, b"\x89MCAP", "an MCAP log"),
    (0, b"glTF", "a glTF model"),
    (0, b"Kaydara FBX Binary", "an FBX model"),
    (0, b"BLENDER", "a Blender file"),
    *((0, begin, "a USD scene") for begin in (b"PXR-USDC", b"#usda")),
    *((0, begin, "a PLY mesh") for begin in (b"ply\n", b"ply\r\n")),
    (0, b"OFF\n", "an OFF mesh"),
    (0, b"solid ", "an STL mesh"),
    (0, b"#VRML", "a VRML scene"),
    (0, b"\xc1\x83\x2a\x9e", "an Unreal asset"),
    (0, b"RSRC", "a Godot resource"),
    (0, b"# Blender MTL", "an OBJ mesh's materials"),
    *((0, begin, "a text in UTF-16") for begin in (b"\xff\xfe", b"\xfe\xff")),
)
"""Tuples of a position in the file, the bytes there, and the kind that they prove."""
_SHORT = ((b"BM", "a picture"), (b"MZ", "a program"))
"""First bytes and kinds; a text may begin with these bytes too, so they count only in a file with a NUL byte."""
_ROOT = re.compile(
    r"(?><\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*+<(?:\w[\w.-]*:)?(?P<tag>[A-Za-z_][\w.-]*)", re.DOTALL
)
_ROOTS = {
    "robot": ("a URDF robot", "collision"),
    "sdf": ("an SDF", "collision"),
    "mujoco": ("an MJCF model", "geom"),
    "mujocoinclude": ("an MJCF model", "geom"),
    "collada": ("a COLLADA model", ""),
    "svg": ("a picture", ""),
    "html": ("a web page", ""),
    "x3d": ("an X3D scene", ""),
    "vtkfile": ("a VTK file", ""),
    "kml": ("a KML map", ""),
    "gpx": ("a GPX track", ""),
    "project": ("an XML project", ""),
}
"""By the outermost element: the kind, and the name of a body's element, "" if such a file is never a pair."""
_LINE = r"^[ \t]*"
_WORDS = (
    (r"\A#!.*\bpython", "a Python file"),
    (r"\A#!.*\b(?:ba|z|da)?sh\b", "a shell script"),
    (r'\A\{\s*"(?:cells|nbformat)"', "a Jupyter notebook"),
    (r'\A\{(?:[^{}]|\{[^{}]*\})*"asset"\s*:', "a glTF model"),
    (r"\A\[gd_(?:scene|resource)\b", "a Godot scene"),
    (r"\A(?:%YAML|---\s*$)", "a YAML file"),
    (r"\ABegin (?:Map|Object|Level)\b", "an Unreal map"),
    (r"\A-----BEGIN ", "a key or a certificate"),
    (rf"{_LINE}(?:mtllib |usemtl |vn? [-\d.]+ [-\d.]+ [-\d.]+\s*$|f \d+/)", "an OBJ mesh"),
    (rf"{_LINE}newmtl ", "an OBJ mesh's materials"),
    (rf"{_LINE}# vtk DataFile", "a VTK file"),
    (rf"{_LINE}#\s*include\s*[<\"]", "a C++ file"),
    (rf"{_LINE}(?:fn main\s*\(|use (?:std|crate|rapier\dd|parry\dd|nalgebra)\b|#!\[\w+)", "a Rust file"),
    (rf"{_LINE}(?:using (?:Unity|System)[\w.]*;|namespace \w[\w.]*\s*\{{)", "a C# file"),
    (rf"{_LINE}(?:package \w[\w.]*;|import java\w*\.|public class \w)", "a Java file"),
    (rf"{_LINE}(?:from \w[\w.]* import |import \w[\w.]*(?: as \w+)?\s*$|def \w+\(.*\).*:\s*$)", "a Python file"),
    (rf"{_LINE}import .* from ['\"]|{_LINE}(?:const|let|var) .*\brequire\(|{_LINE}export ", "a JavaScript file"),
    (r"\Aextends \w+\s*$|^func \w+\(", "a GDScript file"),
    (rf"{_LINE}(?:function .*=.*\(|clear all|close all)", "a MATLAB file"),
    (r"\Adiff --git |\A--- a/", "a patch"),
    (r"\A\\documentclass|\A\\begin\{", "a LaTeX file"),
    (r"\A\{\\rtf", "an RTF document"),
)
"""Patterns of texts, and their kinds; the first pattern that is found counts. Compiled when a file is refused."""
