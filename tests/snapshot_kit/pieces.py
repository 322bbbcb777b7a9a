"""A draw list as pieces of text, one for each thing drawn: its kind, its colour's role, what it belongs to, its look,
and its points in their order.

    line edge_a w1.5 edges ¦ body:0 ¦ 0.5 0.5 0.5 > 0.5 0.5 -0.5
    arrow overlap w3 strong heads 0 12 ¦ mtv:0 ¦ 0 0 0 > 0.2 0 0
    label overlap offset 0 14 priority 70 “depth 0.2” ¦ mtv:0 ¦ 0.1 0 0

Lines that follow each other in a batch are one piece. Of what is too many to be told it says how many there are, the
box round them, and some: of long curves, of round solids, of crowds such as the grid. Positions are rounded to a
millionth of the pair's size; `^` goes before the lift of a point in a turned group.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, inf, isfinite, log10
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.draw.draw_list import Dash, DrawList, Hidden, Label, Layer, Marks, Segments, Sheet, Solid, Subject, TurnedGroup
from core.geometry.vector import Array, cross_rows

from .roles import role_of

LONG = 14
"""Points of a line that are all told; of a longer one some are."""
CROWD = 72
"""Lines or marks of a batch, and parts of a solid, that are all told; of more some are."""
SOME = 8


Place = tuple[list[float], float]
"""A point and its lift in its turned group."""


class Pieces:
    """The pieces of one scene's draw lists; what was drawn before is not put into words again."""

    def __init__(self, size: float) -> None:
        """`size`: the pair's, scene units."""
        self._digits = max(0, 6 - floor(log10(size)))
        self._known: dict[tuple[object, ...], list[str]] = {}

    def of(self, draw: DrawList) -> list[str]:
        """Every piece of a draw list."""
        found = [self._group(number, group) for number, group in enumerate(draw.groups)]
        told = ((draw.segments, self._segments), (draw.solids, self._solid), (draw.sheets, self._sheet))
        for records, tell in (*told, (draw.marks, self._marks)):
            for record in records:
                key = _key(record)
                if key not in self._known:
                    self._known[key] = tell(record)
                found += self._known[key]
        return found + [self._label(label) for label in draw.labels]

    def number(self, value: float) -> str:
        """A length or a coordinate, rounded."""
        if not isfinite(value):
            return str(value)
        text = f"{value:.{self._digits}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return "0" if text == "-0" else text

    def _row(self, values: Iterable[float]) -> str:
        return " ".join([self.number(value) for value in values])

    def _point(self, place: Place) -> str:
        row, lift = place
        return self._row(row) + (f"^{self.number(lift)}" if lift else "")

    def _group(self, number: int, group: TurnedGroup) -> str:
        reach = "".join(f" > {self._row(pair)}" for pair in group.outermost)
        return f"turned {number} ¦ - ¦ {self._row(group.origin.tolist())} > {self._row(group.axis.tolist())}{reach}"

    def _segments(self, batch: Segments) -> list[str]:
        if not isinstance(batch.width, float | int):
            return [line for row in range(len(batch.subjects)) for line in self._segments(_one(batch, row))]
        look = [f"w{batch.width:.4g}"]
        look += [batch.dash.name.lower()] if batch.dash is not Dash.SOLID else []
        look += [batch.hidden.name.lower()] if batch.hidden is not Hidden.FAINT else []
        look += [batch.layer.name.lower()] if batch.layer is not Layer.NORMAL else []
        look += [f"turned {batch.group}"] if batch.group >= 0 else []
        look += [f"of solid {batch.solid_number}"] if batch.solid_number >= 0 else []
        look += ["with normals"] if batch.normals is not None else []
        heads = (batch.arrow_start, batch.arrow_end)
        look += [f"heads {heads[0]:.4g} {heads[1]:.4g}"] if any(heads) else []
        words, kind = " ".join(look), "arrow" if any(heads) else "line"
        alike = list(zip(_colours(batch), batch.subjects, _creases(batch), strict=True))
        starts = list(zip(batch.start.tolist(), batch.start_lift.tolist(), strict=True))
        ends = list(zip(batch.end.tolist(), batch.end_lift.tolist(), strict=True))
        told: list[str] = []
        row = 0
        while row < len(starts):
            chain, first = [starts[row], ends[row]], row
            row += 1
            while row < len(starts) and starts[row] == chain[-1] and alike[row] == alike[first] and not any(heads):
                chain.append(ends[row])
                row += 1
            colour, subject, crease = alike[first]
            told.append(f"{kind} {colour} {words}{crease} ¦ {_subject(subject)} ¦ {self._path(chain)}")
        if len(told) <= CROWD:
            return told
        return self._crowd(told, f"{kind} {words}", np.concatenate((batch.start, batch.end)))

    def _crowd(self, told: list[str], words: str, points: Array) -> list[str]:
        some = [told[k] for k in np.linspace(0, len(told) - 1, SOME).round().astype(int)]
        return [f"crowd of {len(told)} {words} ¦ - ¦ {self._box(points)}", *some]

    def _path(self, chain: list[Place]) -> str:
        if len(chain) <= LONG:
            return " > ".join([self._point(place) for place in chain])
        some = [chain[k] for k in np.linspace(0, len(chain) - 1, SOME).round().astype(int)]
        box = self._box(np.array([row for row, _ in chain]))
        return f"{len(chain)} points {box} with > " + " > ".join([self._point(place) for place in some])

    def _box(self, points: Array) -> str:
        return f"in {self._row(points.min(axis=0).tolist())} to {self._row(points.max(axis=0).tolist())}"

    def _solid(self, solid: Solid) -> list[str]:
        look = [word for word in ("smooth", "opaque", "glass") if getattr(solid, word)]
        look += [f"outline {role_of(solid.outline)} w{solid.outline_width:.4g}"]
        if solid.planes is not None:
            # None of its corners is in front of a face: what hides the lines behind it is where it is.
            beyond = (solid.corners.reshape(-1, 3) @ solid.planes[:, :3].T - solid.planes[:, 3]).max(initial=-inf)
            look += [f"{len(solid.planes)} planes reached by {self.number(float(beyond))}"]
        look += [f"{len(solid.plane_pairs)} plane pairs"] if solid.plane_pairs is not None else []
        look += [f"{int(np.sum(solid.seams))} seams"] if solid.seams is not None else []
        ball = "" if solid.ball is None else f"{self._row(solid.ball[:3])} > {self.number(solid.ball[3])}"
        parts: dict[tuple[tuple[float, ...], Subject], list[int]] = {}
        subjects = solid.subjects if len(solid.subjects) > 1 else solid.subjects * len(solid.corners)
        for row, (rgba, subject) in enumerate(zip(solid.rgba.tolist(), subjects, strict=True)):
            parts.setdefault((tuple(rgba), subject), []).append(row)
        middle = solid.corners.reshape(-1, 3).mean(axis=0) if len(solid.corners) else np.zeros(3)
        told = [
            f"face {role_of(rgba)}{self._turn(solid, rows, middle)} of {len(rows)} triangles ¦ {_subject(subject)} ¦ "
            + self._mesh(solid.corners[rows].reshape(-1, 3))
            for (rgba, subject), rows in parts.items()
        ]
        if len(told) > CROWD:
            told = self._crowd(told, "faces", solid.corners.reshape(-1, 3))
        return [f"solid {' '.join(look)} of {len(solid.corners)} triangles ¦ - ¦ {ball}", *told]

    def _turn(self, solid: Solid, rows: list[int], middle: Array) -> str:
        """Whether triangles lie with their backs outward, or with normals that point inward."""
        corners = solid.corners[rows]
        sides = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        outward = float(np.einsum("ij,ij->", sides, corners[:, 0] - middle))
        lit = float(np.einsum("ij,ikj->", sides, solid.corner_normals[rows]))
        small = 1e-9 * float(np.abs(sides).sum())
        size = float(np.ptp(corners.reshape(-1, 3), axis=0).max())
        return (" inside out" if outward < -small * size else "") + (" lit inside" if lit < -small else "")

    def _mesh(self, points: Array) -> str:
        if len(points) <= 12 * LONG:
            corners = list(dict.fromkeys([self._row(point) for point in points.tolist()]))
            if len(corners) <= LONG:
                return " > ".join(corners)
        reach = self._row((points @ _WAYS.T).max(axis=0).tolist())
        return f"{self._box(points)} with > {self._row(points.mean(axis=0).tolist())} > {reach}"

    def _sheet(self, sheet: Sheet) -> list[str]:
        path = self._path([(row, 0.0) for row in sheet.points.tolist()])
        return [f"sheet {role_of(sheet.rgba)} ¦ {_subject(sheet.subject)} ¦ {path}"]

    def _marks(self, marks: Marks) -> list[str]:
        look = [marks.shape.name.lower(), f"r{marks.radius:.4g}"]
        look += [f"rim {role_of(marks.stroke)} w{marks.stroke_width:.4g}"] if marks.stroke_width else []
        look += [marks.hidden.name.lower()] if marks.hidden is not Hidden.FAINT else []
        words = " ".join(look)
        told = [
            f"mark {role_of(marks.fill)} {words} ¦ {_subject(subject)} ¦ {self._point((place, 0.0))}"
            for place, subject in zip(marks.points.tolist(), marks.subjects, strict=True)
        ]
        return told if len(told) <= CROWD else self._crowd(told, f"marks {words}", marks.points)

    def _label(self, label: Label) -> str:
        look = [f"size {label.size:.4g}"] if label.size != 13.0 else []
        look += ["bold"] if label.bold else []
        look += [f"reach {label.max_distance:.4g}"] if label.max_distance < inf else []
        look += [f"turned {label.group}"] if label.group >= 0 else []
        look += [f"offset {label.offset[0]:.4g} {label.offset[1]:.4g}", f"priority {label.priority}"]
        place = self._point((label.point.tolist(), label.lift))
        words, text = f"{role_of(label.rgba)} {' '.join(look)}", label.text.replace("\n", "⏎")
        if label.brief:
            # The bar stands where the fewer words begin, if they end the whole text.
            whole = text.removesuffix(label.brief)
            text = f"{whole}‖{label.brief}" if whole != text else f"{text}” or “{label.brief}"
        return f"label {words} ¦ {_subject(label.subject)} “{text}” ¦ {place}"


_WAYS = np.array([(x, y, z) for x in (1.0, 0.4, -0.7) for y in (0.9, -0.6) for z in (0.8, -1.0)])
"""Directions in which it is measured how far a mesh of many corners reaches."""


def _colours(batch: Segments) -> list[str]:
    starts, ends = ([role_of(tuple(row)) for row in rows.tolist()] for rows in (batch.start_rgba, batch.end_rgba))
    return [start if start == end else f"{start}..{end}" for start, end in zip(starts, ends, strict=True)]


def _creases(batch: Segments) -> list[str]:
    if batch.creases is None:
        return [""] * len(batch.subjects)
    return [" crease" if crease else " outline" for crease in batch.creases.tolist()]


def _one(batch: Segments, row: int) -> Segments:
    """One line of a batch whose lines have looks of their own."""
    by_row = ("start", "end", "start_rgba", "end_rgba", "start_lift", "end_lift")
    alone: dict[str, Any] = {name: getattr(batch, name)[row : row + 1] for name in by_row}
    count, looks = len(batch.subjects), (batch.width, batch.dash, batch.group)
    width, dash, group = (np.broadcast_to(look, count)[row].item() for look in looks)
    alone |= {"width": width, "dash": Dash(dash), "group": group}
    return replace(batch, subjects=batch.subjects[row : row + 1], **alone)


def _subject(subject: Subject) -> str:
    return "-" if subject.kind == "none" else f"{subject.kind}:{subject.number}"


def _key(record: Struct) -> tuple[object, ...]:
    return (type(record), *[_hashable(getattr(record, name)) for name in record.__struct_fields__])


def _hashable(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    return tuple(value) if isinstance(value, list) else value
