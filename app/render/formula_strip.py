"""The formulas of a figure's steps as a pane below or beside the picture: in symbols, then with the step's numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from ..draw.draw_list import NO_SUBJECT
from ..draw.formula import RULE, FormulaBox, in_a_row, typeset
from ..draw.label_names import Renames, typed, unicode_text
from ..draw.placed import PlacedLabel, PlacedLines, PlacedPane, joined_rows, moved_pane
from ..draw.text import baseline, drawn_size, measure
from ..draw.theme import Theme
from ..stages import step_text
from ..state.purposes import LABEL_SIZE, SMALLEST_LABEL_SIZE
from ..state.view import Seen
from ..words.expression import Node, Symbol
from ..words.formula import Formula, other_names
from ..words.printers import tex, words
from .legend import FONT_SIZE, SIDE_MARGIN, backing

LINE_GAP, INDENT = 0.5, 1.2
"""Space between lines, and the indent of a formula's further lines, as shares of the letters' size."""


def formulas_of(seen: Seen) -> tuple[Formula, ...]:
    """The formulas of the step shown; none for the answer, and none while an open question hides them."""
    if seen.query is None or seen.moment is None or seen.reveal.waits:
        return ()
    return step_text(seen.query, seen.moment, seen.part).formulas


def formula_strip(
    formulas: Sequence[Formula], width: int, density: float, theme: Theme, renames: Renames = (), *, as_tex: bool
) -> PlacedPane:
    """Formulas as a pane `width` pixels wide; `renames`: other names of symbols.

    `as_tex`: each line is one label that carries its TeX. The pane then has no lines of fractions and roots, because
    LaTeX draws them. `density`: pixels to the point.
    """
    size, margin, names = FONT_SIZE * density, SIDE_MARGIN * density, {typed(name): value for name, value in renames}
    labels: list[PlacedLabel] = []
    strokes: list[tuple[float, float, float, float]] = []
    y = 0.5 * margin
    for formula in formulas:
        for box, said in _rows(formula, size, width - 2.0 * margin, names):
            y += box.up
            x = margin + (0.0 if said[0] is formula.lines[0] else INDENT * size)
            if as_tex:
                labels.append(_whole(said, width - margin - x, x, y, size, theme, names))
            else:
                labels += [_piece(each.text, x + each.x, y + each.y, each.size, theme) for each in box.pieces]
                strokes += [(a + x, b + y, c + x, d + y) for a, b, c, d in box.strokes]
            y += box.down + LINE_GAP * size
    pane = backing(width, round(y), theme)
    ends = np.array(strokes).reshape(-1, 4)
    colour = np.tile(np.array(theme.text), (len(ends), 1)).reshape(-1, 4)
    lines = PlacedLines(
        start=ends[:, :2],
        end=ends[:, 2:],
        width=np.full(len(ends), RULE * size),
        start_rgba=colour,
        end_rgba=colour,
        dash=np.zeros(len(ends), dtype=np.int64),
        phase=np.zeros(len(ends)),
        subjects=(NO_SUBJECT,) * len(ends),
    )
    return replace(pane, labels=tuple(labels), lines=lines)


def in_columns(
    formulas: Sequence[Formula], width: int, high: float, *, density: float, theme: Theme, renames: Renames
) -> PlacedPane:
    """Formulas as a pane at most `high` pixels high if possible, in as few columns as needed.

    `width`: pixels; `density`: pixels to the point. If columns at the letters' size are too high, the letters have the
    smallest size.
    """
    best = lowest(formulas, width, high, density, theme, renames)
    if best.height > high:
        best = lowest(formulas, width, high, SMALLEST_LABEL_SIZE / LABEL_SIZE * density, theme, renames)
    return best


def lowest(
    formulas: Sequence[Formula],
    width: int,
    high: float,
    density: float,
    theme: Theme,
    renames: Renames,
    *,
    most: int | None = None,
) -> PlacedPane:
    """The formulas in the fewest columns that are at most `high` pixels high, else in the columns that are lowest.

    There are at most `most` columns; None for any number. No more are tried once a formula would have to shrink.
    """
    best = formula_strip(formulas, width, density, theme, renames, as_tex=False)
    for count in range(2, min(len(formulas), most or len(formulas)) + 1):
        room = width // count
        if best.height <= high or must_shrink(formulas, room, density, renames):
            break
        strips = [
            formula_strip(each, room, density, theme, renames, as_tex=False)
            for each in _split(formulas, count, room, density, renames)
        ]
        highest = max(strip.height for strip in strips)
        if highest < best.height:
            best = _beside(strips, width, highest, theme)
    return best


def must_shrink(formulas: Sequence[Formula], width: int, density: float, renames: Renames) -> bool:
    """Whether a part of a formula at its full size is wider than a column of `width` pixels.

    `density`: pixels to the point.
    """
    size, room = FONT_SIZE * density, width - 2.0 * SIDE_MARGIN * density
    letters = {typed(name): unicode_text(value) for name, value in renames}
    parts = [part for formula in formulas for part in formula.lines]
    return any(typeset(other_names(part, letters), size).width + INDENT * size > room for part in parts)


def _split(
    formulas: Sequence[Formula], count: int, width: int, density: float, renames: Renames
) -> list[Sequence[Formula]]:
    """The formulas in order in at most `count` columns of about the same height."""
    names = {typed(name): value for name, value in renames}
    room = width - 2.0 * SIDE_MARGIN * density
    heights = [
        sum(box.up + box.down for box, _ in _rows(formula, FONT_SIZE * density, room, names)) for formula in formulas
    ]
    groups: list[list[Formula]] = [[]]
    filled, each = 0.0, sum(heights) / count
    for formula, height in zip(formulas, heights, strict=True):
        if groups[-1] and len(groups) < count and filled + 0.5 * height > each:
            groups.append([])
            filled = 0.0
        groups[-1].append(formula)
        filled += height
    return list(groups)


def _beside(strips: Sequence[PlacedPane], width: int, height: int, theme: Theme) -> PlacedPane:
    pane, x = backing(width, height, theme), 0
    for strip in strips:
        own = moved_pane(strip, x, 0.0)
        lines = own.lines if not len(pane.lines.width) else joined_rows(pane.lines, own.lines)
        pane, x = replace(pane, labels=(*pane.labels, *own.labels), lines=lines), x + strip.width
    return pane


def stacked_strips(upper: PlacedPane, lower: PlacedPane) -> PlacedPane:
    """Two strips of words as one pane, `lower` below `upper`."""
    below = moved_pane(lower, 0.0, upper.height)
    return replace(
        upper,
        height=upper.height + lower.height,
        labels=(*upper.labels, *below.labels),
        lines=joined_rows(upper.lines, below.lines),
    )


def _rows(formula: Formula, size: float, room: float, names: Mapping[str, str]) -> list[tuple[FormulaBox, list[Node]]]:
    """The lines of a formula, with as many parts on a line as fit in `room`, each with the expressions in it.

    A part that is wider than `room` is set smaller.
    """
    rows: list[tuple[FormulaBox, list[Node]]] = []
    letters = {name: unicode_text(value) for name, value in names.items()}
    for part in formula.lines:
        box = typeset(other_names(part, letters), size)
        if rows and rows[-1][0].width + box.width + INDENT * size * (len(rows) > 1) <= room:
            rows[-1] = in_a_row((rows[-1][0], box)), [*rows[-1][1], part]
            continue
        left = room - (INDENT * size if rows else 0.0)
        if box.width > left:
            box = typeset(other_names(part, letters), size * left / box.width)
        rows.append((box, [part]))
    return rows


def _piece(text: str, x: float, y: float, size: float, theme: Theme) -> PlacedLabel:
    width, height = measure(text, size)
    return PlacedLabel(
        text=text,
        x=x,
        y=y - baseline(size),
        width=width,
        height=height,
        size=float(drawn_size(size)),
        rgba=theme.text,
        bold=False,
        subject=NO_SUBJECT,
        lean=0.0,
    )


def _whole(
    parts: Sequence[Node], room: float, x: float, y: float, size: float, theme: Theme, names: Mapping[str, str]
) -> PlacedLabel:
    """A line as one label, with its words and its TeX."""

    def named(symbol: Symbol, _tex: str) -> str | None:
        value = names.get(words(symbol))
        if value is None:
            return None
        return f"{{{value[1:-1]}}}" if re.fullmatch(r"\$[^$]*\$", value) else rf"\text{{{value}}}"

    label = _piece(" ".join(map(words, parts)), x, y, size, theme)
    return replace(label, width=room, tex=rf"$\displaystyle {' '.join([tex(part, named) for part in parts])}$")
