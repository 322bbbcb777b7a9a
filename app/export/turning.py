"""Packs the draw lists of a handout's pictures for its script `assets/handout/turning*.js`, which draws other views.

Numbers are whole, and y is up. Points are relative to the camera's target, in tenths of a pixel at the target's depth.
Normals and axes have the unit 1 / DIRECTION. A part that several pages share is written once. The script follows the
layout's rules for hidden lines, outlines and sides of turned groups. But it paints faces from back to front, without a
depth buffer. Hatches are patterns that stand still on the screen. Of labels that cover one another it draws only the
one of higher priority. A rail keeps the place on its side that the layout gives it in the first view; where a bar would
lie on a body it stands farther out, and where solids or bars would leave the pane the view is drawn smaller.
"""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from json import dumps
from math import copysign, inf, pi, sqrt
from typing import Any
from zlib import compress

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import (
    Array,
    any_perpendicular,
    cross,
    cross_rows,
    dot,
    dots,
    length,
    length_rows,
    product,
    unit,
)
from core.shapes.hull_topology import convex_hull

from ..draw.camera import Projection
from ..draw.draw_list import Hatch, IntArray, Label, Marks, Rgba, Segments, Sheet, Solid, TurnedGroup
from ..draw.layout import Viewport, in_view
from ..draw.layout.frame import Fit, LayoutFrame, lifted, sides
from ..draw.layout.hatches import SPACING
from ..draw.placed import LEADER_OPACITY, LEADER_RIM, PlacedLabel, PlacedMarks
from ..draw.text import baseline, measure
from ..draw.theme import faded
from ..draw.turnable import TurnablePane
from ..storage.files import resource
from .operations import Ground, Operation, OperationGroup, Picture
from .picture import picture_of
from .strokes import label_operations, mark_operations
from .svg import Definitions, SvgWriter, colour

MOST_BYTES = 59_000
"""Most bytes of script and data in a handout; round bodies get fewer corners until they fit."""
SCRIPTS = ("turning_solids.js", "turning_lines.js", "turning.js")
PART_OF_PIXEL = 0.1
DIRECTION = 10_000
CORNER_COUNTS = (400, 240, 120, 60)
"""Numbers of directions whose support points are a round body's corners; the first one that fits MOST_BYTES is used."""
POSITION_ROUNDING = 1e-9
"""Share of a body's size to which positions along a direction are rounded, so that nearly equal ones are equal."""
ALIKE = 1e-6
"""Cosines between normals are rounded to this, so that nearly equal ones are equal."""
GOLDEN = pi * (3.0 - sqrt(5.0))
LEAST_SINE = 0.05
"""Sine of the angle between a turned group's axis and side on the screen; up to it labels keep their given offset."""
ALPHAS = 128
"""Opacities of lines are rounded to 1 / ALPHAS, so that more lines have one colour."""


_Shape = tuple[Array, list[list[int]], list[int]]
"""Corners (n, 3), each once; faces as loops of corner indices; for each face the solid's triangle with its colour."""

_Hatched = tuple[Array, list[str]]
"""The loop (k, 3) of a hatched face, and the ids of the patterns on it."""


def turning_script(pages: Sequence[Sequence[TurnablePane]], pictures: Sequence[Picture], defined: Definitions) -> str:
    """The script with its data; "" without panes. `pages`: the panes of each page; `pictures`: one for each page.

    If all pages exceed MOST_BYTES even with the coarsest bodies, only the first ones that fit can be turned.
    """
    if not any(pages):
        return ""
    code = _code()
    for corners in CORNER_COUNTS:
        data = _Data(corners, defined)
        for panes, picture in zip(pages, pictures, strict=True):
            data.add(panes, picture)
        if len(code) + len(data.packed(len(pages))) <= MOST_BYTES:
            return code.replace("{data}", data.packed(len(pages)))
    fitting = bisect_right(range(1, len(pages)), MOST_BYTES - len(code), key=lambda count: len(data.packed(count)))
    return code.replace("{data}", data.packed(fitting)) if fitting else ""


def _code() -> str:
    """The script without indents and comments, in a function of its own; `{data}` stands for the data."""
    texts = [resource("assets", "handout", name).read_text("utf-8") for name in SCRIPTS]
    lines = [line.partition(" // ")[0].strip() for text in texts for line in text.splitlines()]
    body = "\n".join([line for line in lines if line and not line.startswith("//")])
    return f"(async () => {{\nif (!window.DecompressionStream) return;\n{body}\n}})();"


class _Data:
    """The data of all pages: tables of parts, colours and pieces of SVG, and pages that refer to their rows."""

    def __init__(self, corners: int, defined: Definitions) -> None:
        self._directions, self._defined = _spread(corners), defined
        self._tables: dict[str, dict[str, int]] = {"parts": {}, "colours": {}, "pieces": {}}
        self._pages: list[list[dict[str, Any]]] = []
        self._ends: list[list[int]] = []
        self._shapes: dict[int, tuple[Solid, _Shape]] = {}

    def packed(self, count: int) -> str:
        """The data of the first `count` pages, deflated, in base 64; the other pages are empty and cannot be turned."""
        ends = self._ends[count - 1]
        parts, colours, pieces = (list(table)[:end] for table, end in zip(self._tables.values(), ends, strict=True))
        pages = self._pages[:count] + [[]] * (len(self._pages) - count)
        rows = f"[{','.join(parts)}],[{','.join(colours)}],{_json(pieces)},{_json(pages)}"
        return b64encode(compress(f"[{rows}]".encode(), 9)).decode()

    def add(self, panes: Sequence[TurnablePane], picture: Picture) -> None:
        """Adds a page with its panes; without panes it cannot be turned."""
        pairs = zip(panes, picture.operations, strict=True) if panes else ()
        self._pages.append([self._pane(*each) for each in pairs])
        self._ends.append([len(table) for table in self._tables.values()])

    def _number(self, table: str, row: str) -> int:
        numbers = self._tables[table]
        return numbers.setdefault(row, len(numbers))

    def _pane(self, pane: TurnablePane, drawn: object) -> dict[str, Any]:
        """A pane: the SVG of its background, name and border within its clip, and the views that turn in it."""
        assert isinstance(drawn, OperationGroup)
        ground = next((part for part in drawn.operations if isinstance(part, Ground)), None)
        still = picture_of([(pane.rect, pane.still)], (1, 1), 1, 1.0, None, "").operations[0]
        assert isinstance(still, OperationGroup)
        group = OperationGroup(((ground,) if ground else ()) + still.operations, clips=still.clips)
        before = "".join(SvgWriter(_picture((group,)), self._defined).parts(group)[:-1])
        left = list(pane.placed.labels)
        inside = [self._inside(view, pane.rect.x + x, pane.rect.y + y, left, pane) for x, y, view in pane.inside]
        return {"still": self._number("pieces", before), "views": inside}

    def _inside(self, view: Viewport, x: int, y: int, left: list[PlacedLabel], pane: TurnablePane) -> dict[str, Any]:
        projection = Projection(view.camera, view.width, view.height)
        length = PART_OF_PIXEL * view.camera.distance / projection.focal
        camera = view.camera
        place = _Place(projection.target, length, view.density, z_up=camera.z_up)
        shown = {
            "x": x,
            "y": y,
            "width": view.width,
            "height": view.height,
            "density": view.density,
            "focal": round(projection.focal, 4),
            "scale": PART_OF_PIXEL / projection.focal,
            "perspective": int(projection.perspective),
            "angles": [round(camera.yaw, 6), round(camera.pitch, 6)],
        }
        corner = np.array((x - pane.rect.x, y - pane.rect.y), dtype=np.float64)
        frame = LayoutFrame.of([in_view(view)])
        parts = [*self._parts(view, place, frame), *self._labels(view, left, corner, place, pane.placed.halo, frame)]
        return shown | {"parts": [self._number("parts", _json(part)) for part in parts]}

    def _parts(self, view: Viewport, place: _Place, frame: LayoutFrame) -> Iterator[dict[str, Any]]:
        draw, (pane,) = view.draw, frame.panes
        bodies = [k for k, solid in enumerate(draw.solids) if any(of.kind == "body" for of in solid.subjects[:1])]
        for group, side, fit in zip(draw.groups, sides(draw.groups, pane.projection), pane.fits, strict=True):
            yield self._group(group, place, side, fit, pane.projection) | {"bodies": bodies if group.bodies else []}
        hatches = self._hatches(draw.hatches, view.density)
        yield from (self._solid(solid, place, hatches.get(k, [])) for k, solid in enumerate(draw.solids))
        yield from (self._sheet(sheet, place) for sheet in draw.sheets)
        yield from (self._lines(batch, place) for batch in draw.segments if batch.subjects)
        yield from (self._marks(batch, place) for batch in draw.marks if batch.subjects)

    def _colour(self, rgba: Rgba | Array) -> int:
        red, green, blue, alpha = (float(part) for part in rgba)
        base = [round(part, 3) for part in (red, green, blue)]
        return self._number("colours", _json([colour((red, green, blue, 1.0)), round(alpha, 3), base]))

    def _group(
        self, group: TurnedGroup, place: _Place, side: Array, fit: Fit, projection: Projection
    ) -> dict[str, Any]:
        """A turned group with its place in the first view, `fit`; `side` (3,), view frame: its unit side there.

        A shift has three components: along the axis as it is seen, along `side`, and towards the eye.
        """
        low, high, *lifts = group.bars or (0.0, 0.0, 0.0, 0.0)
        inner, outer = place.lengths(sorted(lifts, key=abs))
        sight = projection.towards_viewer(projection.to_view(group.origin[None]))[0]
        sight /= length(sight)
        upright = cross(side, sight)
        upright *= copysign(1.0, dot(upright, projection.turned(group.axis[None])[0]))
        shift = dots(np.array((upright, side, sight)), fit.shift) * projection.camera.distance
        return {
            "kind": "group",
            "points": _steps(place.points(group.origin)),
            "axis": place.directions(group.axis),
            "factor": round(dot(fit.side, side), 4),
            "stretch": round(fit.stretch, 4),
            "shift": place.lengths(shift),
            "ball": place.lengths((group.ball,))[0],
            "bars": [] if group.bars is None else place.lengths((low, high)),
            "inner": inner,
            "outer": outer,
        }

    def _hatches(self, hatches: Sequence[Hatch], density: float) -> dict[int, list[_Hatched]]:
        """For the number of each solid with hatched faces, their loops and the ids of the patterns on them."""
        found: dict[int, list[_Hatched]] = {}
        for hatch in hatches:
            names = [self._defined.name_of(_pattern(hatch, angle, density)) for angle in hatch.angles]
            found.setdefault(hatch.solid_number, []).extend((loop, names) for loop in hatch.loops)
        return found

    def _solid(self, solid: Solid, place: _Place, hatches: list[_Hatched]) -> dict[str, Any]:
        """A solid; `hatches`: loops of its faces with the ids of the patterns on them."""
        made: dict[str, Any] = {"kind": "solid", "glass": int(solid.glass), "opaque": int(solid.opaque)}
        if solid.smooth:
            made |= {"outline": self._colour(solid.outline), "width": solid.outline_width}
        corners, faces, rows = self._shape(solid)
        if hatches:
            made["hatches"] = _patterns([corners[face] for face in faces], hatches)
        numbers = {row: self._colour(solid.rgba[row]) for row in set(rows)}
        colours = [numbers[row] for row in rows]
        one = colours[0] if len(numbers) == 1 else colours
        return made | {"points": _steps(place.points(corners)), "faces": faces, "colours": one}

    def _shape(self, solid: Solid) -> _Shape:
        """The corners and faces of a solid; cached, because many pages may have it."""
        kept = self._shapes.get(id(solid))
        if kept is None:
            shape = _coarse(solid, self._directions) if solid.smooth and len(solid.corners) else _faces(solid)
            kept = self._shapes[id(solid)] = solid, shape
        return kept[1]

    def _sheet(self, sheet: Sheet, place: _Place) -> dict[str, Any]:
        return {
            "kind": "solid",
            "sheet": 1,
            "points": _steps(place.points(sheet.points)),
            "faces": [list(range(len(sheet.points)))],
            "colours": self._colour(sheet.rgba),
        }

    def _lines(self, batch: Segments, place: _Place) -> dict[str, Any]:
        rgba = 0.5 * (batch.start_rgba + batch.end_rgba)
        rgba[:, 3] = np.rint(rgba[:, 3] * ALPHAS) / ALPHAS
        made: dict[str, Any] = {
            "kind": "lines",
            "points": _steps(place.points(np.stack((batch.start, batch.end), axis=1))),
            "colours": _column([self._colour(row) for row in rgba]),
            "widths": _column(np.round(np.broadcast_to(batch.width, len(rgba)), 3).tolist()),
            "dashes": _column(np.broadcast_to(np.asarray(batch.dash, dtype=np.int64), len(rgba)).tolist()),
            "hidden": int(batch.hidden),
            "layer": int(batch.layer),
            "solid": batch.solid_number if batch.normals is not None else -1,
        }
        groups = np.broadcast_to(np.asarray(batch.group, dtype=np.int64), len(rgba))
        if (groups >= 0).any():
            lifts = np.stack((batch.start_lift, batch.end_lift), axis=1).ravel()
            made |= {"groups": _column(groups.tolist()), "lifts": place.lengths(lifts)}
        if batch.normals is not None:
            made["normals"] = place.directions(batch.normals.reshape(-1, 3))
            made |= {} if batch.creases is None else {"creases": batch.creases.astype(int).tolist()}
        if _joined(batch):
            made["joined"] = 1
        heads = {"start_head": batch.arrow_start, "end_head": batch.arrow_end}
        return made | {key: size for key, size in heads.items() if size}

    def _marks(self, batch: Marks, place: _Place) -> dict[str, Any]:
        size, one = place.density, np.zeros(1)
        marks = PlacedMarks(
            centre=np.zeros((1, 2)),
            radius=one + batch.radius * size,
            shape=np.full(1, int(batch.shape)),
            angle=one,
            fill=np.array((batch.fill,)),
            stroke=np.array((batch.stroke,)),
            stroke_width=one + batch.stroke_width * size,
            subjects=(batch.subjects[0],),
        )
        drawn = mark_operations(marks)
        writer = SvgWriter(_picture(drawn), self._defined)
        piece = "".join([writer.element(operation) for operation in drawn])
        return {
            "kind": "marks",
            "points": _steps(place.points(batch.points)),
            "piece": self._number("pieces", piece),
            "hidden": int(batch.hidden),
        }

    def _labels(
        self, view: Viewport, left: list[PlacedLabel], corner: Array, place: _Place, halo: Rgba, frame: LayoutFrame
    ) -> Iterator[dict[str, Any]]:
        """Yields the labels by falling priority, and removes their placed labels from `left`.

        Each has the offset of its middle from its anchor that the layout chose, pixels right and down; in a turned
        group pixels along axis and side. A label without a place has its draw list's offset.
        """
        labels = sorted(view.draw.labels, key=lambda label: -label.priority)
        if not labels:
            return
        firsts = zip(labels, _anchors(labels, frame), strict=True)
        taken = [_taken(label, at + corner, left, corner, view) for label, (at, _, _) in firsts]
        labels = [label.at(0 if had is None else had.anchor) for label, had in zip(labels, taken, strict=True)]
        for label, had, (at, along, side) in zip(labels, taken, _anchors(labels, frame), strict=True):
            size = label.size * view.density
            text = label.text if had is None else had.text
            wide, high = measure(text, size, label.bold)
            off: Array = np.array(label.offset) * view.density
            across = float(along[0] * side[1] - along[1] * side[0])
            if had is not None and (label.group < 0 or abs(across) > LEAST_SINE):
                off = np.array((had.x + 0.5 * had.width, had.y + 0.5 * had.height)) - corner - at
            if had is not None and label.group >= 0 and abs(across) > LEAST_SINE:
                # The components along the two directions, by Cramer's rule.
                ways = (off[0] * side[1] - off[1] * side[0], along[0] * off[1] - along[1] * off[0])
                off = np.array(ways) / across
            drawn = PlacedLabel(text, 0.0, 0.0, wide, high, size, label.rgba, label.bold, label.subject)
            base = baseline(size, label.bold)
            (written,) = label_operations((drawn,), halo)
            piece = SvgWriter(_picture((written,)), self._defined).element(replace(written, y=0))
            # A label that the layout moved away has a leader over its rim.
            led = inf if had is None else had.lead
            looks = ((faded(halo, label.rgba[3]), LEADER_RIM), (faded(label.rgba, LEADER_OPACITY), 1.0))
            lines = [_stroke(rgba, width * view.density) for rgba, width in looks if led < inf]
            made = {
                "kind": "label",
                "points": _steps(place.points(label.point)),
                "offset": np.round(off, 1).tolist(),
                "width": round(wide, 2),
                "height": high,
                "baseline": base,
                "piece": self._number("pieces", piece),
                "leader": [self._number("pieces", line) for line in lines],
            }
            if led < inf:
                made["lead"] = round(led, 1)
            in_group = {"group": label.group, "lift": place.lengths((label.lift,))[0]}
            yield made | in_group if label.group >= 0 else made


class _Place:
    """Converts points, relative to an origin, and lengths to whole numbers of a unit; `density`: pixels to a point.

    `z_up`: whether the camera's vertical axis is z.
    """

    def __init__(self, origin: Array, unit_length: float, density: float, *, z_up: bool) -> None:
        self._origin, self._unit, self.density, self._z_up = origin, unit_length, density, z_up

    def points(self, points: Array) -> IntArray:
        """World points (..., 3) in whole units about the origin, (n, 3), with y up."""
        return np.array(_whole(self._upright(points - self._origin) / self._unit)).reshape(-1, 3)

    def directions(self, vectors: Array) -> list[Any]:
        """World unit vectors (..., 3) in whole units of 1 / DIRECTION, with y up."""
        whole: list[Any] = np.rint(self._upright(vectors) * DIRECTION).astype(np.int64).tolist()
        return whole

    def _upright(self, vectors: Array) -> Array:
        x, y, z = np.moveaxis(vectors, -1, 0)
        return np.stack((x, z, -y), axis=-1) if self._z_up else vectors

    def lengths(self, lengths: Sequence[float] | Array) -> list[int]:
        """Lengths in scene units, as whole numbers of the unit."""
        return _whole(np.asarray(lengths) / self._unit)


def _whole(values: Array) -> list[int]:
    return np.rint(np.clip(values, -1e9, 1e9)).astype(np.int64).ravel().tolist()


def _steps(points: IntArray) -> list[list[int]]:
    """Points (n, 3) as the first one and the steps from each to the next; these deflate better."""
    steps: list[list[int]] = np.diff(points, axis=0, prepend=np.zeros((1, 3), dtype=np.int64)).tolist()
    return steps


def _joined(batch: Segments) -> bool:
    """Whether each end of each line of a batch is also an end of another line."""
    ends = np.concatenate((batch.start, batch.end))
    _, counts = np.unique(ends, axis=0, return_counts=True)
    return bool((counts > 1).all())


def _json(value: object) -> str:
    return dumps(value, ensure_ascii=False, separators=(",", ":"))


def _column(values: list[Any]) -> Any:
    """The value if all are equal, else the list. `values` must not be empty."""
    return values[0] if values.count(values[0]) == len(values) else values


def _picture(operations: tuple[Operation, ...]) -> Picture:
    return Picture(1, 1, 1, operations, "")


def _spread(number: int) -> Array:
    """Unit vectors (n, 3) spread evenly over the sphere, on a spiral."""
    heights = 1.0 - (2.0 * np.arange(number) + 1.0) / number
    turns = GOLDEN * np.arange(number)
    across = np.sqrt(1.0 - heights * heights)
    return np.stack((across * np.cos(turns), across * np.sin(turns), heights), axis=1)


def _coarse(solid: Solid, directions: Array) -> _Shape:
    """A round body as the hull of its support points in `directions` (k, 3); `_faces` if they have no hull.

    A face has the colour of the triangle whose normal is nearest to its own.
    """
    points = solid.corners.reshape(-1, 3)
    heights = product(directions, (points - points[0]).T)
    rows = np.unique(np.rint(heights / (POSITION_ROUNDING * max(float(np.abs(heights).max()), 1e-300))).argmax(axis=1))
    try:
        hull = convex_hull(points[rows])
    except ValueError:
        return _faces(solid)
    faces = [list(face) for face in hull.faces]
    if (solid.rgba == solid.rgba[:1]).all():
        return hull.vertices, faces, [0] * len(faces)
    first, second, third = solid.corners.transpose(1, 0, 2)
    across = cross_rows(second - first, third - first)
    normals = across / np.maximum(length_rows(across), 1e-300)[:, None]
    alike = np.rint(product(hull.normals, normals.T) / ALIKE).argmax(axis=1)
    return hull.vertices, faces, alike.tolist()


def _patterns(faces: Sequence[Array], hatches: Sequence[_Hatched]) -> list[list[str]]:
    """For each face, corners (k, 3), the ids of the patterns of the loop with the same middle; none without one."""
    middles, others = (
        np.array([points.mean(axis=0) for points in loops]) for loops in (faces, [loop for loop, _ in hatches])
    )
    apart = np.abs(middles[:, None] - others).max(axis=2)
    nearest, size = apart.argmin(axis=1), float(np.ptp(middles, axis=0).max())
    return [hatches[k][1] if row[k] <= ALIKE * size else [] for row, k in zip(apart, nearest.tolist(), strict=True)]


def _pattern(hatch: Hatch, angle: float, density: float) -> str:
    """A pattern of parallel lines at an angle, degrees, without its id."""
    side = SPACING * density
    place = f'width="{side}" height="{side}" patternUnits="userSpaceOnUse" patternTransform="rotate({-angle})"'
    line = _stroke(hatch.rgba, hatch.width * density)
    return f'<pattern id="{{}}" {place}><path d="M0 {side / 2}H{side}" {line}/></pattern>'


def _stroke(rgba: Rgba, width: float) -> str:
    return f'stroke="{colour((*rgba[:3], 1.0))}" stroke-opacity="{rgba[3]:.3g}" stroke-width="{width:g}"'


def _faces(solid: Solid) -> _Shape:
    """The corners and faces of a polyhedron; triangles with the same normal and colour are one face.

    Triangles without a normal are left out.
    """
    corners, which = np.unique(solid.corners.reshape(-1, 3), axis=0, return_inverse=True)
    triangles = which.reshape(-1, 3)
    normals = np.round(solid.corner_normals[:, 0], 6)
    looks = np.column_stack((normals, np.round(solid.rgba, 4)))
    _, first, face_of = np.unique(looks, axis=0, return_index=True, return_inverse=True)
    faces, rows = [], []
    for face, row in enumerate(first.tolist()):
        numbers, normal = np.unique(triangles[face_of.ravel() == face]), unit(normals[row])
        if normal is None:
            continue
        right = any_perpendicular(normal)
        arms = corners[numbers] - corners[numbers].mean(axis=0)
        turns = np.arctan2(dots(arms, cross(normal, right)), dots(arms, right))
        faces.append(numbers[np.argsort(turns)].tolist())
        rows.append(row)
    return corners, faces, rows


def _anchors(labels: Sequence[Label], frame: LayoutFrame) -> Iterator[tuple[Array, Array, Array]]:
    """Yields each label's anchor (2,), pixels, and the unit directions (2,) of its group's axis and side on the screen.

    Both directions are 0 for a label without a group.
    """
    projection = frame.panes[0].projection
    group: IntArray = np.array([label.group for label in labels])
    points = projection.to_view(np.array([label.point for label in labels]).reshape(-1, 3))
    if len(frame.sides):
        points = lifted(points, np.array([label.lift for label in labels]), group, frame)
    at = projection.screen(points)[:, :2]
    for row, number in enumerate(group.tolist()):
        ways = [np.zeros(2), np.zeros(2)]
        if number >= 0:
            for k, directions in enumerate((frame.axes, frame.sides)):
                way = projection.screen(points[row] + 1e-3 * directions[number])[:2] - at[row]
                ways[k] = way / max(float(np.sqrt(dots(way, way))), 1e-9)
        yield at[row], ways[0], ways[1]


def _taken(label: Label, at: Array, left: list[PlacedLabel], corner: Array, view: Viewport) -> PlacedLabel | None:
    """The placed label of a draw list's label, which is removed from `left`; None if it has no place.

    `at`: the label's anchor in pixels; `corner`: the upper left corner of its view; both in the pane.
    """

    def away(placed: PlacedLabel) -> float:
        return float(abs(placed.x + 0.5 * placed.width - at[0]) + abs(placed.y + 0.5 * placed.height - at[1]))

    low, high = corner - 1.0, corner + np.array((view.width, view.height)) + 1.0
    same = [
        placed
        for placed in left
        if placed.subject == label.subject
        and label.text in (placed.text, placed.whole)
        and low[0] <= placed.x + 0.5 * placed.width <= high[0]
        and low[1] <= placed.y + 0.5 * placed.height <= high[1]
    ]
    if not same:
        return None
    found = min(same, key=away)
    left.remove(found)
    return found
