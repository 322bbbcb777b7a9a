"""Typesets formulas: each node of the tree becomes a box of letters and lines, as in TeX and in browsers.

Lengths are pixels. Positions count from the left end of a box's baseline, x right, y down. The font is the program's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, pi, sin

from msgspec import Struct

from ..words import expression as tree
from ..words.printers import FACTOR, TERM, operand, squares
from .text import measure

ASCENT, DESCENT = 0.76, 0.22
"""Height of letters over the baseline and depth below it, as shares of the font size."""
AXIS = 0.29
"""Height over the baseline of a fraction's line and of a matrix's middle, as a share of the font size."""
SCRIPT_SIZE = 0.7
"""Size of an index and an exponent, as a share of the font size."""
SUBSCRIPT_DROP, SUPERSCRIPT_RISE = 0.2, 0.4
"""Drop of an index and rise of an exponent, as shares of the font size."""
THIN_SPACE, MEDIUM_SPACE, COLUMN_SPACE = 0.16, 0.24, 0.9
"""Spaces between factors, on both sides of a sign, and between columns, as shares of the font size."""
RULE = 0.055
"""Width of all strokes, as a share of the font size."""
BENDS = 6
"""Number of straight pieces that a matrix's bracket is drawn with."""

Stroke = tuple[float, float, float, float]
"""A line: x and y of its start, then x and y of its end."""


class Piece(Struct, frozen=True):
    """Letters of one font size; `x`, `y`: their left end on the baseline."""

    text: str
    x: float
    y: float
    size: float


class FormulaBox(Struct, frozen=True):
    """A typeset node: its width, its height over the baseline and its depth below, its letters and its lines."""

    width: float
    up: float
    down: float
    pieces: tuple[Piece, ...] = ()
    strokes: tuple[Stroke, ...] = ()

    def at(self, x: float, y: float = 0.0) -> FormulaBox:
        """The box with its contents moved by `x` to the right and `y` down; its width stays."""
        return FormulaBox(
            self.width,
            self.up - y,
            self.down + y,
            tuple([Piece(piece.text, piece.x + x, piece.y + y, piece.size) for piece in self.pieces]),
            tuple([(a + x, b + y, c + x, d + y) for a, b, c, d in self.strokes]),
        )

    def spaced(self, before: float, after: float) -> FormulaBox:
        """The box with space added at its left (`before`) and its right side (`after`)."""
        moved = self.at(before)
        return FormulaBox(self.width + before + after, self.up, self.down, moved.pieces, moved.strokes)


def in_a_row(boxes: Iterable[FormulaBox]) -> FormulaBox:
    """The boxes one after another on one baseline."""
    x, moved = 0.0, []
    for box in boxes:
        moved.append(box.at(x))
        x += box.width
    return _together(x, moved)


def _together(width: float, boxes: Sequence[FormulaBox]) -> FormulaBox:
    up, down = max((box.up for box in boxes), default=0.0), max((box.down for box in boxes), default=0.0)
    pieces = tuple([piece for box in boxes for piece in box.pieces])
    return FormulaBox(width, up, down, pieces, tuple([stroke for box in boxes for stroke in box.strokes]))


def typeset(node: tree.Node, size: float) -> FormulaBox:
    """Typesets a formula at a font size in pixels. Raises TypeError for a node of an unknown type."""
    return _Setter(size).set(node)


class _Setter:
    def __init__(self, size: float) -> None:
        self._size = size

    def set(self, node: tree.Node) -> FormulaBox:
        """The box of a node. Raises TypeError for a node of an unknown type."""
        match node:
            case tree.Numeral():
                return self._number(node)
            case tree.Vector(items, lying):
                if lying:
                    return self._fenced(self._listed(items))
                return self._matrix([[self.set(item)] for item in items])
            case tree.Symbol(letter, index):
                return in_a_row((self._text(letter), *([self._small(index, SUBSCRIPT_DROP)] if index else [])))
            case tree.Identifier(text):
                return self._text(text)
            case tree.Said(said, of):
                return in_a_row((self._text(said), self.set(of)))
            case tree.Hat(of):
                return self._hat(self.set(of))
            case tree.Signed(sign, of):
                return in_a_row((self._text(sign), self._held(of)))
            case tree.Sum(left, sign, right):
                return in_a_row((self.set(left), self._sign(sign), self._held(right)))
            case tree.Product(left, sign, right):
                between = self._sign(sign) if sign else self._space(THIN_SPACE)
                return in_a_row((self._held(left, leads=True), between, self._held(right, FACTOR)))
            case tree.Quotient(top, bottom, stacked):
                if stacked:
                    return self._fraction(self.set(top), self.set(bottom))
                return in_a_row((self._held(top, leads=True), self._sign("/"), self._held(bottom, FACTOR)))
            case tree.Power(base, exponent):
                many = isinstance(base, tree.Numeral) and base.exponent is not None
                below = self._fenced(self.set(base)) if many else self._held(base, FACTOR)
                return in_a_row((below, self._small(f"{exponent}".replace("-", "−"), -SUPERSCRIPT_RISE)))
            case tree.Root(of):
                return self._root(self.set(of))
            case tree.Norm(tree.Vector(items)):
                return self.set(tree.Root(squares(items)))
            case tree.Norm(of, bars):
                return self._between_bars(self.set(of), bars)
            case tree.FunctionCall(name, arguments):
                return in_a_row((self._text(name), self._fenced(self._listed(arguments))))
            case tree.Over(name, of, index):
                low = [self._small(index, SUBSCRIPT_DROP)] if index else []
                return in_a_row((self._text(name), *low, self._space(THIN_SPACE), self._held(of)))
            case tree.Combination(weights, vectors):
                rows = zip(*([self.set(item) for item in vector.items] for vector in vectors), strict=True)
                both = self._matrix([list(row) for row in rows]), self._matrix([[self.set(each)] for each in weights])
                return in_a_row((both[0], self._space(THIN_SPACE), both[1]))
            case tree.Relation(first, rest):
                sides = [part for sign, side in rest for part in (self._sign(sign), self.set(side))]
                return in_a_row(([] if first is None else [self.set(first)]) + sides)
        raise TypeError(type(node).__name__)

    def _held(self, node: tree.Node, level: int = TERM, *, leads: bool = False) -> FormulaBox:
        return operand(node, level, self.set, self._fenced, leads=leads)

    def _text(self, text: str, share: float = 1.0, y: float = 0.0) -> FormulaBox:
        size = share * self._size
        width, _ = measure(text, size)
        return FormulaBox(width, ASCENT * size - y, DESCENT * size + y, (Piece(text, 0.0, y, size),))

    def _small(self, text: str, drop: float) -> FormulaBox:
        return self._text(text, SCRIPT_SIZE, drop * self._size).spaced(0.02 * self._size, 0.0)

    def _space(self, share: float) -> FormulaBox:
        return FormulaBox(share * self._size, 0.0, 0.0)

    def _sign(self, sign: str) -> FormulaBox:
        return self._text(sign).spaced(MEDIUM_SPACE * self._size, MEDIUM_SPACE * self._size)

    def _listed(self, parts: Iterable[tree.Node]) -> FormulaBox:
        row: list[FormulaBox] = []
        for part in parts:
            row += [self._text(",").spaced(0.0, MEDIUM_SPACE * self._size)] if row else []
            row.append(self.set(part))
        return in_a_row(row)

    def _fenced(self, box: FormulaBox) -> FormulaBox:
        return in_a_row((self._text("("), box, self._text(")")))

    def _number(self, number: tree.Numeral) -> FormulaBox:
        if number.nearly:
            return self._text("≈0")
        if number.exponent is None:
            return self._text(number.digits)
        power = in_a_row((self._text("10"), self._small(f"{number.exponent}".replace("-", "−"), -SUPERSCRIPT_RISE)))
        if number.digits in ("1", "−1"):
            return in_a_row((self._text(number.digits[:-1]), power)) if len(number.digits) > 1 else power
        return in_a_row(
            (self._text(number.digits), self._text("·").spaced(0.06 * self._size, 0.06 * self._size), power)
        )

    def _fraction(self, top: FormulaBox, bottom: FormulaBox) -> FormulaBox:
        axis, air = AXIS * self._size, 0.14 * self._size
        width = max(top.width, bottom.width) + 2.0 * air
        over = top.at(0.5 * (width - top.width), -axis - air - top.down)
        under = bottom.at(0.5 * (width - bottom.width), -axis + air + bottom.up)
        line = FormulaBox(width, 0.0, 0.0, strokes=((0.0, -axis, width, -axis),))
        return _together(width, (over, under, line)).spaced(0.1 * self._size, 0.1 * self._size)

    def _root(self, box: FormulaBox) -> FormulaBox:
        size = self._size
        sign, top, foot = 0.55 * size, -box.up - 0.1 * size, box.down - 0.04 * size
        hook = ((0.06 * size, -0.3 * size), (0.16 * size, -0.36 * size), (0.3 * size, foot), (sign, top))
        strokes = [(*a, *b) for a, b in pairwise(hook)]
        strokes.append((sign, top, sign + box.width + 0.06 * size, top))
        moved = box.at(sign + 0.03 * size)
        drawn = FormulaBox(0.0, -top + 0.05 * size, box.down, strokes=tuple(strokes))
        return _together(sign + box.width + 0.12 * size, (moved, drawn))

    def _between_bars(self, box: FormulaBox, bars: int) -> FormulaBox:
        gap, air = 0.14 * self._size, 0.1 * self._size
        side = bars * gap
        left = [0.5 * gap + k * gap for k in range(bars)]
        width = box.width + 2.0 * (side + air)
        strokes = tuple([(x, -box.up, x, box.down) for x in (*left, *(width - each for each in left))])
        return _together(width, (box.at(side + air), FormulaBox(0.0, box.up, box.down, strokes=strokes)))

    def _hat(self, box: FormulaBox) -> FormulaBox:
        middle, top, half = 0.5 * box.width, -0.62 * self._size, 0.16 * self._size
        roof = (
            (middle - half, top, middle, top - 0.14 * self._size),
            (middle, top - 0.14 * self._size, middle + half, top),
        )
        return _together(box.width, (box, FormulaBox(0.0, 0.82 * self._size, 0.0, strokes=roof)))

    def _matrix(self, rows: Sequence[Sequence[FormulaBox]]) -> FormulaBox:
        widths = [max(box.width for box in column) for column in zip(*rows, strict=True)]
        height = max(max(box.up + box.down for box in row) for row in rows) + 0.12 * self._size
        across = sum(widths) + COLUMN_SPACE * self._size * (len(widths) - 1)
        top = -AXIS * self._size - 0.5 * height * len(rows)
        side, placed = 0.46 * self._size, []
        for number, row in enumerate(rows):
            x, highest = side, max(box.up for box in row)
            for box, width in zip(row, widths, strict=True):
                placed.append(
                    box.at(x + 0.5 * (width - box.width), top + number * height + highest + 0.06 * self._size)
                )
                x += width + COLUMN_SPACE * self._size
        whole = across + 2.0 * side
        brackets = (*self._bracket(0.08 * self._size, top, height * len(rows), 1.0),)
        brackets += self._bracket(whole - 0.08 * self._size, top, height * len(rows), -1.0)
        drawn = FormulaBox(0.0, -top, top + height * len(rows), strokes=brackets)
        return _together(whole, (*placed, drawn))

    def _bracket(self, x: float, top: float, height: float, sign: float) -> tuple[Stroke, ...]:
        """A round bracket with its middle at `x`, open to the right if `sign` is 1, to the left if -1."""
        depth, ends = 0.2 * self._size, range(BENDS + 1)
        turns = [pi * (k / BENDS - 0.5) for k in ends]
        points = [(x + sign * depth * (1.0 - cos(turn)), top + 0.5 * height * (1.0 + sin(turn))) for turn in turns]
        return tuple([(*a, *b) for a, b in pairwise(points)])
