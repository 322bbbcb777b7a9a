"""Reads the points in the text of a mesh's file: OBJ, OFF, ASCII STL and ASCII PLY.

Faces, normals and colours are passed over.

Sources, read in November 2026: 3D Systems' ASCII STL (rpdrc.ic.polyu.edu.hk, stl_ascii_format), Wavefront OBJ
(liquisearch.com, wavefront_obj_file), PLY by its published files (people.sc.fsu.edu, data/ply), OFF by Geomview's
manual (holmes3d.net, graphics/offfiles/offdesc.txt).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .form import NotUnderstoodError
from .point_rows import PointList, numbers

OBJ_WORDS = {"vn", "vt", "vp", "f", "l", "p", "o", "g", "s", "usemtl", "mtllib"}
"""First words of lines of an OBJ that have no points."""
STL_WORDS = re.compile(r"(?i)solid\b.*|endsolid\b.*|facet\s+normal(?:\s+\S+){3}|outer\s+loop|endloop|endfacet")
PLY_WORDS = {"ply", "format", "comment", "obj_info", "property"}
WHOLE = re.compile(r"\d{1,9}")
FileRows = list[tuple[int, str]]


def read_file(rows: FileRows) -> PointList | None:
    """The points in a mesh's file; None for another text.

    `rows`: the lines that are not empty, each after its line number, from 1. Raises NotUnderstoodError for a line that
    is not understood, for counts that differ from the header's, and for a face without its points.
    """
    first = rows[0][1].split()
    if first == ["ply"]:
        return _ply(rows)
    if first == ["OFF"]:
        return _off(rows)
    if first[0].lower() in ("solid", "facet"):
        return _stl(rows)
    return _obj(rows) if any(re.match(r"v\s+[-+.\d]", row) for _, row in rows) else None


def _told(count: int, what: str) -> tuple[str, ...]:
    """The note on `count` faces or normals that are passed over; no note for 0."""
    return (f"{count:,} {what}{'s' * (count != 1)} {'are' if count != 1 else 'is'} passed over.",) if count else ()


def _check_faces(indices: Iterable[int], count: int, line: int) -> None:
    """Raises NotUnderstoodError for an index without a point, as in a text that is cut. `indices`: counted from 0."""
    for index in indices:
        if not 0 <= index < count:
            raise NotUnderstoodError(f"a face names point {index}, and the text has {count} (0 to {count - 1})", line)


def _obj(rows: FileRows) -> PointList:
    points: list[list[float]] = []
    faces: list[tuple[int, list[int]]] = []
    normals = 0
    for line, row in rows:
        word, *rest = row.partition("#")[0].split()
        normals += word == "vn"
        if word == "f":
            corners = [re.fullmatch(r"(-?\d{1,9})(?:/-?\d*){0,2}", one) for one in rest]
            if len(rest) < 3 or None in corners:
                raise NotUnderstoodError("f needs three corners or more", line)
            indices = [int(one[1]) for one in corners if one]
            faces.append((line, [k + len(points) if k < 0 else k - 1 for k in indices]))
        if word != "v":
            if word not in OBJ_WORDS:
                raise NotUnderstoodError(f"{word[:40]} is not understood in an OBJ", line)
            continue
        values = numbers(rest, line)
        if len(values) not in (3, 4, 6) or (len(values) == 4 and values[3] != 1.0):
            raise NotUnderstoodError(f"v needs 3 numbers, got {len(values)}", line)
        points.append(values[:3])
    for line, indices in faces:
        _check_faces(indices, len(points), line)
    return PointList(points, (*_told(len(faces), "face"), *_told(normals, "normal")))


def _stl(rows: FileRows) -> PointList:
    points: dict[tuple[float, ...], None] = {}
    facets = corners = 0
    for line, row in rows:
        word, *rest = row.split()
        facets += word.lower() == "facet"
        if word.lower() == "vertex":
            values = numbers(rest, line)
            if len(values) != 3:
                raise NotUnderstoodError(f"vertex needs 3 numbers, got {len(values)}", line)
            points[tuple(values)] = None
            corners += 1
        elif not STL_WORDS.fullmatch(row):
            raise NotUnderstoodError(f"{row[:40]} is not understood in an STL", line)
    if not points or not rows[-1][1].lower().startswith("endsolid"):
        raise NotUnderstoodError("the STL has no endsolid", rows[-1][0])
    if corners != 3 * facets:
        raise NotUnderstoodError(f"{facets} facets need {3 * facets} vertices, got {corners}", rows[-1][0])
    return PointList([list(point) for point in points], _told(facets, "normal"))


def _ply(rows: FileRows) -> PointList:
    counts: dict[str, int] = {}
    names, element, start = list[str](), "", 0
    for k, (line, row) in enumerate(rows):
        said = row.split()
        if said[0] == "format" and said[1:2] != ["ascii"]:
            raise NotUnderstoodError("a PLY in letters (ascii) is expected", line)
        if said[0] == "element" and len(said) == 3 and WHOLE.fullmatch(said[2]):
            if said[1] == "vertex" and counts:
                raise NotUnderstoodError("vertices must be the first element of a PLY", line)
            element = said[1]
            counts[element] = int(said[2])
        elif said[0] == "property" and element == "vertex":
            names.append(said[-1])
        elif said[0] == "end_header":
            start = k + 1
            break
        elif said[0] not in PLY_WORDS:
            raise NotUnderstoodError(f"{said[0][:40]} is not understood in a PLY's header", line)
    if not start or not counts.get("vertex") or not {"x", "y", "z"} <= set(names):
        raise NotUnderstoodError("a PLY's header needs its vertices with x, y and z, and end_header", rows[-1][0])
    if len(rows) != start + sum(counts.values()):
        told = f"the header tells of {sum(counts.values())} rows, got {len(rows) - start}"
        raise NotUnderstoodError(told, rows[-1][0])
    body, count = rows[start:], counts["vertex"]
    points: list[list[float]] = []
    for line, row in body[:count]:
        values = numbers(row.split(), line)
        if len(values) != len(names):
            raise NotUnderstoodError(f"a vertex needs {len(names)} numbers, got {len(values)}", line)
        points.append([values[names.index(letter)] for letter in "xyz"])
    for line, row in body[count:]:
        numbers(row.split(), line)
    return PointList(points, _told(counts.get("face", 0), "face"))


def _off(rows: FileRows) -> PointList:
    plain = [(line, row.partition("#")[0].split()) for line, row in rows[1:]]
    plain = [(line, words) for line, words in plain if words]
    if not plain or len(plain[0][1]) != 3 or not all(map(WHOLE.fullmatch, plain[0][1])):
        raise NotUnderstoodError("an OFF needs its counts of vertices, faces and edges below OFF", rows[-1][0])
    count, faces = (int(word) for word in plain[0][1][:2])
    if len(plain) - 1 != count + faces:
        told = f"the header tells of {count} vertices and {faces} faces, got {len(plain) - 1} rows"
        raise NotUnderstoodError(told, rows[-1][0])
    points: list[list[float]] = []
    for line, words in plain[1 : 1 + count]:
        if len(words) != 3:
            raise NotUnderstoodError(f"a vertex needs 3 numbers, got {len(words)}", line)
        points.append(numbers(words, line))
    for line, words in plain[1 + count :]:
        corners = int(words[0]) if WHOLE.fullmatch(words[0]) else 0
        if not 0 < corners < len(words) or not all(map(WHOLE.fullmatch, words[1 : 1 + corners])):
            raise NotUnderstoodError("a face needs the number of its corners, and their indices", line)
        _check_faces(map(int, words[1 : 1 + corners]), count, line)
    return PointList(points, _told(faces, "face"))
