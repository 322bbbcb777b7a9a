"""The looks of a picture: how each colour is drawn in placed panes, as a line, a face or a mark of one shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from core.geometry.vector import Array

from ..draw.draw_list import Dash, IntArray, Marker, Rgba
from ..draw.placed import COVERS, PlacedLines, PlacedPane, PlacedTriangles
from ..export.shading import shaded

BOLD = 3.6
"""Least width of a bold line, points."""
PALE = 0.3
"""Opacity of the ground of a sheet's symbol, and of a hatched one."""
STRAIGHT, JOINT = 0.999, 1.0
"""Least cosine of the angle between an arrow and its head, and pixels within which two pieces of a line are joined."""
SAME = 16
"""Lengths of lines are compared in points divided by this number."""
SAME_PLACE = 0.05
"""Share of a mark's radius within which another one of its size is in the same place."""
PLACES = 16
"""Places on a line that are looked at: the share of them that no mark covers is the share of the line that is seen."""
FACE, SHEET, LINE, HOLLOW, RIMMED = "face", "sheet", "line", "hollow", "rimmed"
_LINES = {Dash.SOLID: LINE, Dash.DASHED: "dashed", Dash.DOTTED: "dotted", Dash.DASH_DOT: "dash-dot"}


class LegendSymbol(Struct, frozen=True):
    """A symbol in a legend: a mark or a line in a colour.

    `is_line`: because a Dash and a Marker may be equal as numbers. `stroke`: colour of a mark's outline, if it has its
    own. `hollow`: only the outline is drawn. `bold`, `head`: of a line that is thick, that is an arrow. `hatch`: angles
    of a square's hatch, degrees. `fill`: colour and opacity inside a square, as the picture shows the faces of the
    colour `rgba`; None for `rgba` itself.
    """

    shape: Marker | Dash
    rgba: Rgba
    is_line: bool = False
    stroke: Rgba | None = None
    hollow: bool = False
    bold: bool = False
    head: bool = False
    hatch: tuple[float, ...] = ()
    fill: Rgba | None = None

    @property
    def plain(self) -> LegendSymbol:
        """The symbol without its fill, which varies with the light, the camera and the step."""
        return replace(self, fill=None)


class Look(Struct, frozen=True):
    """One look of a colour: `form`: a word for it, as "dotted"; `pane`: its name; `kind`: that of its subject."""

    form: str
    pane: str
    kind: str
    symbol: LegendSymbol

    def keys(self, role: str) -> list[str]:
        """Keys of the look in a table of meanings: by subject, by pane ("world:winner.dotted"), by form alone.

        `role`: of the theme. An arrow has keys of the form "arrow" before those of its line.
        """
        forms = ("arrow", self.form) if self.symbol.head else (self.form,)
        return [f"{where}{role}.{form}" for form in forms for where in (f"{self.kind}:", f"{self.pane}:", "")]


def looks_of(rgba: Rgba, panes: Mapping[str, PlacedPane], ground: Rgba, density: float) -> Counter[Look]:
    """The looks of a colour with their amounts: marks and faces are counted, lines measured by length.

    What lies below a mark, or out of its pane, is not seen and has no look.
    `panes`: by their names. `ground`: the fill of hollow marks. `density`: pixels to the point. Arrow heads, which are
    triangular marks, are left out; they belong to their lines.
    """
    found = Counter[Look]()
    for name, placed in panes.items():
        _faces(found, rgba, name, placed)
        _lines(found, rgba, name, placed, density)
        _marks(found, rgba, name, placed, ground)
    return found


def _faces(found: Counter[Look], rgba: Rgba, pane: str, placed: PlacedPane) -> None:
    (ax, ay), (bx, by), (cx, cy) = placed.triangles.corners[:, :, :2].transpose(1, 2, 0)
    # In a 2D scene a sheet may be seen as a line, without area.
    area = np.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay))
    drawn = has(rgba, placed.triangles.rgba) & ((area > 1.0) | (placed.triangles.sheet == 0))
    drawn &= _inside(placed, placed.triangles.corners[:, :, :2])
    for form, sheets in ((FACE, 0), (SHEET, 1)):
        rows = np.flatnonzero(drawn & (placed.triangles.sheet == sheets))
        if not len(rows):
            continue
        # A sheet lets through the things behind it, so that its square has a rim.
        fill = _shown(placed.triangles, rows, area[rows])
        symbol = LegendSymbol(Marker.SQUARE, rgba, stroke=rgba if sheets else None, fill=fill)
        for kind in {placed.triangles.subjects[row].kind for row in rows.tolist()}:
            found[Look(form, pane, kind, symbol)] += len(rows)


def _shown(triangles: PlacedTriangles, rows: IntArray, area: Array) -> Rgba:
    """The mean colour of faces in the picture's light, and their opacity, with that of the faces behind them.

    `rows` (n,): the faces' triangles; `area` (n,). Of several opacities the strongest on enough faces counts.
    """
    own = np.round(triangles.rgba[rows, 3], 3)
    _, which = np.unique(own, return_inverse=True)
    sizes = np.bincount(which, weights=area)
    most = which == np.flatnonzero(sizes >= 0.25 * sizes.max()).max()
    rows, area = rows[most], np.maximum(area[most], 1e-9)
    lit, alpha = shaded(triangles.rgba[rows], triangles.normals[rows])
    sheet = triangles.sheet[rows] > 0
    averted = (triangles.normals[rows, :, 2].mean(axis=1) < 0.0) & ~sheet
    near = averted if averted.all() else ~averted
    r, g, b = np.average(lit.mean(axis=1)[near], axis=0, weights=area[near]).tolist()
    # The front faces of a solid are painted twice (`app/export/solids.py`), and its back faces are seen through them.
    clear = (1.0 - alpha.mean(axis=1)) ** np.where((triangles.front[rows] > 0) & ~sheet, 2.0, 1.0)
    through = [float(np.average(clear[side], weights=area[side])) for side in (~averted, averted) if side.any()]
    return (round(r, 2), round(g, 2), round(b, 2), round(1.0 - prod(through), 2))


def _lines(found: Counter[Look], rgba: Rgba, pane: str, placed: PlacedPane, density: float) -> None:
    lines = placed.lines
    number = np.arange(len(lines.dash))
    drawn = has(rgba, lines.start_rgba) & (number >= lines.ground_lines) & (number < len(number) - placed.leaders)
    ends = np.stack((lines.start, lines.end), axis=1)
    rows, arrows = np.flatnonzero(drawn & _inside(placed, ends)), _arrows(placed, np.flatnonzero(drawn), rgba)
    lengths = np.rint(SAME * np.abs(lines.end - lines.start).sum(axis=1) / density)
    places = (np.arange(PLACES) + 0.5)[:, None] / PLACES
    along = lines.start[rows, None] + places * (lines.end - lines.start)[rows, None]
    seen = 1.0 - _below(placed, along.reshape(-1, 1, 2)).any(axis=1).reshape(-1, PLACES).mean(axis=1)
    lengths[rows] = np.rint(lengths[rows] * seen)
    for row in rows[seen > 0.0].tolist():
        dash, bold = Dash(int(lines.dash[row])), float(lines.width[row]) > BOLD * density
        form = "bold" if bold and dash is Dash.SOLID else _LINES[dash]
        symbol = LegendSymbol(dash, rgba, is_line=True, bold=form == "bold", head=row in arrows)
        found[Look(form, pane, lines.subjects[row].kind, symbol)] += int(lengths[row])


def _arrows(placed: PlacedPane, rows: IntArray, rgba: Rgba) -> set[int]:
    """The numbers of those lines `rows` (n,) that end in an arrow head of the colour, and of the pieces before them.

    A line of another pattern or width that goes on from an arrow, as a dotted one, is no piece of it.
    """
    marks, lines = placed.marks, placed.lines
    heads = np.flatnonzero((marks.shape == Marker.TRIANGLE) & (marks.radius > 0.0) & has(rgba, marks.fill))
    found, ends = set[int](), list[tuple[Array, Array, tuple[float, float] | None]]()
    for head in heads.tolist():
        way = np.array((np.cos(marks.angle[head]), np.sin(marks.angle[head])))
        ends.append((marks.centre[head], marks.radius[head] * way, None))
    while ends:
        tip, way, like = ends.pop()
        reach = float(np.hypot(*way))
        near = list[tuple[float, int, Array, Array]]()
        for row in rows.tolist():
            if row in found or like not in (None, _look_of(lines, row)):
                continue
            for start, end in ((lines.start[row], lines.end[row]), (lines.end[row], lines.start[row])):
                along = end - start
                straight = float(along @ way) > STRAIGHT * float(np.hypot(*along)) * reach
                if straight and float(np.hypot(*(end - tip))) <= 1.5 * reach:
                    near.append((float(lines.width[row]), row, start, along))
        if near:
            # An arrow of several lines, as over a dotted one, is the widest.
            _, row, start, along = max(near, key=lambda each: each[0])
            found.add(row)
            ends.append((start, along * (JOINT / float(np.hypot(*along))), _look_of(lines, row)))
    return found


def _look_of(lines: PlacedLines, row: int) -> tuple[float, float]:
    """Pattern and width of a line."""
    return float(lines.dash[row]), float(lines.width[row])


def _marks(found: Counter[Look], rgba: Rgba, pane: str, placed: PlacedPane, ground: Rgba) -> None:
    marks = placed.marks
    # Two opposite corners of the square round a mark.
    box = marks.centre[:, None] + marks.radius[:, None, None] * np.array(((-1.0, -1.0), (1.0, 1.0)))
    stands = (marks.shape != Marker.TRIANGLE) & (marks.radius > 0.0) & _inside(placed, box)
    stands &= ~np.triu(_below(placed, marks.centre[:, None], marks.radius), k=1).any(axis=1)
    rimmed = (marks.stroke[:, 3] > 0.0) & (marks.stroke_width > 0.0)
    clear = (marks.fill[:, 3] == 0.0) | has(ground, marks.fill)
    for row in np.flatnonzero(stands & has(rgba, marks.fill) & ~clear).tolist():
        shape, stroke = Marker(int(marks.shape[row])), tuple(marks.stroke[row].tolist())
        own = bool(rimmed[row]) and colour_key(stroke) not in (colour_key(ground), colour_key(rgba))
        # A mark that is fainter than its colour is as faint in the legend.
        opacity = round(float(marks.fill[row, 3]), 1)
        symbol = LegendSymbol(shape, (*rgba[:3], opacity), stroke=(*stroke[:3], 1.0) if own else None)
        form = RIMMED if own and shape is Marker.DISC else shape.name.lower()
        found[Look(form, pane, marks.subjects[row].kind, symbol)] += 1
    for row in np.flatnonzero(stands & rimmed & has(rgba, marks.stroke) & clear).tolist():
        shape = Marker(int(marks.shape[row]))
        form = "ring" if shape is Marker.RING else HOLLOW
        found[Look(form, pane, marks.subjects[row].kind, LegendSymbol(shape, rgba, hollow=True))] += 1


def _inside(placed: PlacedPane, points: Array) -> NDArray[np.bool_]:
    """Whether the boxes round points (n, k, 2) reach into the pane, as a mask (n,)."""
    size = np.array((placed.width, placed.height), dtype=np.float64)
    inside: NDArray[np.bool_] = ((points.max(axis=1) >= 0.0) & (points.min(axis=1) <= size)).all(axis=1)
    return inside


def _below(placed: PlacedPane, points: Array, reach: Array | float = 0.0) -> NDArray[np.bool_]:
    """Whether each mark (m) covers all the discs of radius `reach` (n,) about points (n, k, 2), as a mask (n, m)."""
    marks = placed.marks
    covers = np.array([COVERS.get(Marker(shape), 0.0) for shape in marks.shape.tolist()])
    radius = covers * marks.radius * (marks.fill[:, 3] == 1.0)
    far = np.sqrt(((points[:, :, None] - marks.centre) ** 2).sum(axis=-1)).max(axis=1)
    reaches = np.broadcast_to(reach, len(points))[:, None]
    # Two marks of one size are seldom in one place to the last digit.
    near = (reaches <= radius) & (far <= SAME_PLACE * radius) & (reaches > 0.0)
    covered: NDArray[np.bool_] = (radius > 0.0) & (near | (far + reaches <= radius))
    return covered


def chosen(looks: Counter[Look]) -> tuple[LegendSymbol, ...]:
    """The symbols for the looks of one meaning and colour: a mark, a broken line, both, a face, or a solid line.

    Several marks or broken lines are all in it: their meanings should have words of their own. A solid line, the
    plainest look of a colour, is left out beside any other symbol, a thin one also beside a bold one, and a face beside
    a mark or a broken line. The most frequent ones are first.
    """
    amounts = Counter[LegendSymbol]()
    filled = set[LegendSymbol]()
    for look, amount in looks.items():
        amounts[look.symbol] += amount
        if look.form in (FACE, SHEET):
            filled.add(look.symbol)
    marks = _each_once([symbol for symbol in amounts if not symbol.is_line and symbol not in filled], amounts)
    # A line that is an arrow in one place is one in the legend.
    lines = [symbol for symbol in amounts if symbol.is_line and (symbol.head or _arrow(symbol) not in amounts)]
    broken = [symbol for symbol in lines if symbol.shape is not Dash.SOLID]
    found = [*_sorted(marks, amounts), *_sorted(broken, amounts)] or _sorted(list(filled), amounts)[:1]
    return tuple(found or [max(lines, key=lambda line: (line.bold, line.head))])


def _arrow(line: LegendSymbol) -> LegendSymbol:
    return replace(line, head=True)


def _sorted(symbols: Sequence[LegendSymbol], amounts: Counter[LegendSymbol]) -> list[LegendSymbol]:
    return sorted(symbols, key=lambda each: (-amounts[each], each.shape))


def _each_once(marks: Sequence[LegendSymbol], amounts: Counter[LegendSymbol]) -> list[LegendSymbol]:
    """The marks, each shape and stroke once, in its strongest opacity."""
    found: dict[tuple[Marker | Dash, bool, Rgba | None], LegendSymbol] = {}
    for symbol in sorted(marks, key=lambda each: (-each.rgba[3], -amounts[each])):
        found.setdefault((symbol.shape, symbol.hollow, symbol.stroke), symbol)
    return list(found.values())


def colour_key(rgba: Sequence[float]) -> Rgba:
    """A colour in 255ths, with the opacity 1 in place of its own."""
    r, g, b = (round(255.0 * part) for part in rgba[:3])
    return r, g, b, 1.0


def has(rgba: Rgba, colours: Array) -> NDArray[np.bool_]:
    """Whether each of the colours (n, 4) is this one in any opacity but 0, as a mask (n,)."""
    alike = np.rint(255.0 * colours[:, :3]) == colour_key(rgba)[:3]
    found: NDArray[np.bool_] = alike.all(axis=1) & (colours[:, 3] > 0.0)
    return found
