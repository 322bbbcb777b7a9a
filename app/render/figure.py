"""Figures for papers and slides: one still, or a sheet of several with one camera, of an exact size, with words below.

Each part is a pane, the words too, so that pixel and vector files are made from the same panes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf

from msgspec import Struct
from msgspec.structs import replace

from ..draw.label_kinds import TITLES_ID
from ..draw.label_names import renamed
from ..draw.placed import EVERYWHERE, Box, PlacedPane, Rect, around, moved_pane
from ..state.export_options import NO_TEXT, ExportOptions
from ..state.option import AUTO
from ..state.purposes import NARROW, NARROW_SHAPE, ONE_PANE_WIDTH, PANES_BY_ROOM, STACK
from ..state.view import TRIAD, Panes, Seen, View, panes_stacked
from ..words.digits import Digits, written_with
from .borne_names import NoSuchLabelError, check_names, hatched
from .captions import caption_lines
from .frame import FrameBuilder
from .legend import (
    FONT_SIZE,
    SIDE_MARGIN,
    LegendEntry,
    alt_of,
    backing,
    caption_of_all,
    joined_legends,
    legend_of,
    legend_strip,
    name_of,
    step_of,
    summary_of,
    words_strip,
    wrapped,
)
from .panes_by_room import by_room, titles_of
from .still import SUPERSAMPLING, Plan, fitted_view, laid_out, pixels, prepared

INCH = 25.4
SCREEN = 96.0 / INCH
"""Points of the layout per millimetre, for a picture without a width on paper."""
GUTTER = 12.0
"""Gap between the pictures of a sheet, points."""
MOST_ROUNDS, WIDTH_ERROR = 12, 1.0
"""Most layouts that are tried to give a cropped figure its width, and the error, in fine pixels, at which the search
ends."""

BESIDE_ASPECT, MOST_BESIDE = 1.3, 0.42
"""Least width over height of a picture that has formulas beside it, and the largest share of the width that they take.
"""
MOST_FORMULAS = 1.0 / 3.0
"""The largest share of a picture's given height for formulas below it; they exceed it only if the smallest letters need
more."""
MOST_NAME_LINES = 2
"""The most lines of a step's name below a picture of a sheet."""

Cell = list[tuple[Rect, PlacedPane]]
"""The panes of one picture of a sheet, relative to the picture's corner."""
LEGEND_SHARE = 0.2
"""The share of the pictures' height from which the words below them have no line about one point's name."""


class FigureError(ValueError):
    """A figure cannot be made from a scene; the text is a sentence that follows the scene's name."""


class NoRoomError(FigureError):
    """The words of a figure would leave no room for the picture."""


def units(figure: ExportOptions) -> tuple[int, float]:
    """The width of a figure in pixels, and pixels to the point of the layout.

    They are the same for vectors, whose width on paper is exact, so that labels have the same places in all files.
    """
    if figure.width is None:
        return pixels(*figure.points, figure.scale)[0], figure.density
    across = figure.width / INCH * figure.dpi
    return round(across), figure.dpi * figure.letters / (72.0 * FONT_SIZE)


def with_one_camera(shots: Sequence[Seen], figure: ExportOptions, size: tuple[int, int], density: float) -> list[Seen]:
    """The shots with the same cameras; these have all shots in view, unless they were set by hand.

    `size` of a shot in pixels; `density`: pixels to the point.
    """
    shots = [prepared(shot) for shot in shots]
    first, *others = shots
    view = fitted_view(first, size, density, others) if first.view.fitted else first.view
    if figure.camera is not None and len(figure.camera) > 2:
        view = view.with_cameras(distance=figure.camera[2])
    looks = {"world": view.world, "difference": view.difference, "fitted": False}
    return [replace(shot, view=replace(shot.view, **looks)) for shot in shots]


def kept_view(view: View, shots: Sequence[Seen], figure: ExportOptions) -> View:
    """The view that is stored in a figure's file: with the figure's cameras if their distance was given."""
    if figure.camera is None or len(figure.camera) < 3:
        return view
    seen = with_one_camera(shots, figure, figure.points, 1.0)[0].view
    return replace(view, world=seen.world, difference=seen.difference, fitted=False)


def figure_plan(shots: Sequence[Seen], figure: ExportOptions, *, vectors: bool, as_tex: bool = False) -> Plan:
    """The picture of one shot, or the sheet of several; `as_tex`: LaTeX sets its words.

    `vectors`: for SVG or PDF, not for pixels. Raises FigureError for a label that no shot has, for `hatch` without
    faces to hatch, and for words or pictures without room.
    """
    figure = figure.suited(".svg" if vectors else ".png")
    if figure.transparent:
        shots = [replace(shot, theme=shot.theme.without_ground()) for shot in shots]
    try:
        check_names(shots, as_tex=as_tex)
    except NoSuchLabelError as error:
        raise FigureError(str(error)) from None
    with written_with(figure.digits or Digits.DESCRIBED):
        maker = _Maker(shots, figure, as_tex=as_tex)
        if figure.hatch and not hatched(maker.shots):
            raise FigureError(
                "has no faces to hatch there: --hatch is for the faces of A − B in the answer and at the steps of SAT"
            )
        return maker.plan()


class _Maker:
    """Composes a figure. Lengths are fine pixels: SUPERSAMPLING of them to a pixel, `density` to the point."""

    def __init__(self, shots: Sequence[Seen], figure: ExportOptions, *, as_tex: bool) -> None:
        self.as_tex = as_tex
        self.figure = figure
        across, self.scale = units(figure)
        self.across, self.density = SUPERSAMPLING * across, SUPERSAMPLING * self.scale
        self.height = None if figure.width is not None else SUPERSAMPLING * pixels(*figure.points, figure.scale)[1]
        self.columns = min(figure.columns, len(shots))
        self.rows = ceil(len(shots) / self.columns)
        self.gutter = _even(GUTTER * self.density)
        self.shots, self.theme = list(shots), shots[0].theme
        self.beside = self._beside()
        free = self.across - (0 if self.beside is None else self.beside.width)
        self.cell = (free - (self.columns - 1) * self.gutter) // self.columns
        paper = self.across / figure.width if figure.width is not None else SCREEN * self.density
        self.margin = figure.margin * paper
        least = 12.0 * FONT_SIZE * self.density
        if self.cell < least and figure.width is not None:
            raise FigureError(
                f"would have a picture only {self.cell / paper:.1f} mm wide: with a font of {figure.letters:g} pt it "
                f"takes at least {least / paper:.1f} mm; try {self._remedy(least, paper)}"
            )
        self.shots = self._with_panes([prepared(shot) for shot in shots])
        self.titled = TITLES_ID not in shots[0].view.hidden

    def _beside(self) -> PlacedPane | None:
        """The formulas of a single wide picture of a fixed size, to be placed at its right; None if placed below."""
        figure = self.figure
        wide = self.height is not None and self.across >= BESIDE_ASPECT * self.height
        if not (figure.formulas and wide) or len(self.shots) > 1 or figure.crop or self.as_tex:
            return None
        # Imported with the first figure that has formulas.
        from .formula_strip import formulas_of, in_columns, must_shrink

        found = formulas_of(self.shots[0])
        most = _even(MOST_BESIDE * self.across)
        if must_shrink(found, most, self.density, figure.rename):
            return None
        strip = in_columns(found, most, inf, density=self.density, theme=self.theme, renames=figure.rename)
        ends = [label.x + label.width for label in strip.labels] + strip.lines.end[:, 0].tolist()
        width = max(ends, default=0.0) + SIDE_MARGIN * self.density
        assert self.height is not None
        return replace(strip, width=min(most, _even(width))) if found and strip.height <= 0.8 * self.height else None

    def _with_panes(self, shots: Sequence[Seen]) -> list[Seen]:
        """The shots without the world's axes in the corner unless asked for, and with the panes that have room."""
        figure, across = self.figure, self.cell / self.density
        self.shape = figure.shape
        if TRIAD not in figure.show:
            shots = [replace(shot, view=replace(shot.view, shown=shot.view.shown - {TRIAD})) for shot in shots]
        if figure.panes == PANES_BY_ROOM:
            fixed = figure.shape if figure.width is not None else figure.points[1] / figure.points[0]
            free = 1.0 if self.beside is None else self.across / self.cell
            shots = by_room(shots, across, free * fixed * self.columns / self.rows if figure.width is None else fixed)
        free_shape = figure.purpose and figure.aspect is None and figure.height is None
        narrow = len(shots) > 1 and across < NARROW
        if shots[0].view.panes is not Panes.BOTH:
            self.shape = NARROW_SHAPE if free_shape and narrow else self.shape
        elif free_shape and across < ONE_PANE_WIDTH and figure.panes != PANES_BY_ROOM:
            self.shape = STACK
        return [replace(shot, few_names=True) for shot in shots] if narrow else list(shots)

    def _remedy(self, least: float, paper: float) -> str:
        """The option that makes each picture `least` wide, in fine pixels; `paper`: fine pixels to the millimetre."""
        columns = int((self.across + self.gutter) // (least + self.gutter))
        return f"--columns {columns}" if columns else f"--width {ceil(least / paper)}mm"

    def plan(self) -> Plan:
        """The plan of the whole figure. Raises NoRoomError if the pictures have no room."""
        entries: tuple[LegendEntry, ...] = ()
        below, foot = self._words(self.cell, entries)
        cells, (width, height) = self._cells(below, foot)
        if self.figure.legend:
            seen = zip(self.shots, cells, strict=True)
            entries = joined_legends(
                legend_of(shot, [placed for _, placed in cell], self.density) for shot, cell in seen
            )
            entries = tuple(replace(entry, name=self._renamed(entry.name)) for entry in entries)
            below, foot = self._words(self.cell, entries)
            # The line about one point's name is the first that a picture can do without, if it takes a line of its own.
            fewer = tuple(entry for entry in entries if entry.symbols)
            without = self._words(self.cell, fewer)
            most = LEGEND_SHARE * self.rows * (height + _height(below[:1]))
            if _height(foot) > max(most, _height(without[1])):
                entries, (below, foot) = fewer, without
            if self.height is not None:
                cells, (width, height) = self._cells(below, foot)
        if width != self.cell:
            below, foot = self._words(width, entries)
        each = _height(below[:1])
        panes: Cell = []
        for number, cell in enumerate(cells):
            row, column = divmod(number, self.columns)
            x, y = column * (width + self.gutter), row * (height + each + self.gutter)
            panes += [(replace(rect, x=rect.x + x, y=rect.y + y), placed) for rect, placed in cell]
            panes += [(Rect(x, y + height, words.width, words.height), words) for words in below[number : number + 1]]
        if self.beside is not None:
            y = max(0, (height - self.beside.height) // (2 * SUPERSAMPLING) * SUPERSAMPLING)
            panes.append((Rect(width, y, self.beside.width, self.beside.height), self.beside))
        y = self.rows * (height + each) + (self.rows - 1) * self.gutter
        for pane in foot:
            panes.append((Rect(0, y, pane.width, pane.height), pane))
            y += pane.height
        across = self._whole(width)
        if self.height is not None and not self.figure.crop:
            # The sides of a sheet's pictures are whole pixels, so that a few pixels of the asked size may be left over.
            across, y = self.across, max(y, self.height)
        if self.figure.text == NO_TEXT:
            panes = [(rect, replace(placed, labels=())) for rect, placed in panes]
        panes = [(Rect(0, 0, across, y), backing(across, y, self.theme)), *panes]
        return Plan(
            size=(across // SUPERSAMPLING, y // SUPERSAMPLING),
            scale=self.scale,
            background=None if self.figure.transparent else (self.theme.plain_ground,) * 2,
            lay_out=lambda _: panes,
            figure=self.figure,
            alt=self.figure.alt if self.figure.alt is not None else self._renamed(self._alt()),
            suits=self.theme.suits,
        )

    def _whole(self, width: int) -> int:
        """The width of a sheet with pictures of this width, fine pixels."""
        if self.figure.width is not None or self.beside is not None:
            return self.across
        return self.columns * width + (self.columns - 1) * self.gutter

    def _renamed(self, words: str) -> str:
        return renamed(words, self.figure.rename)

    def _alt(self) -> str:
        if len(self.shots) == 1:
            return alt_of(self.shots[0])
        parts = [f"({letters_of(number)}) {step_of(shot) or 'The answer.'}" for number, shot in enumerate(self.shots)]
        return " ".join((caption_of_all(self.shots), *parts))

    def _words(self, width: int, entries: Sequence[LegendEntry]) -> tuple[list[PlacedPane], list[PlacedPane]]:
        """The strips of words below each picture, all equally high, and those below the whole sheet."""
        figure, sheet, theme = self.figure, len(self.shots) > 1, self.theme
        texts = [figure.label]
        if sheet:
            texts = self._steps(width)
        below = [words_strip(text, width, self.density, theme, middle=True) for text in texts if text]
        below = self._with_formulas(below, width)
        highest = max((pane.height for pane in below), default=0)
        below = [replace(pane, height=highest) for pane in below]
        text = figure.caption
        whole = self._whole(width)
        if text == AUTO:
            text = self._automatic(whole)
        named = self._renamed(". ".join(titles_of(self.shots[0], told=True))) if sheet and self.titled else ""
        dim = replace(theme, text=theme.dim_text)
        foot = [words_strip(named, whole, self.density, dim, middle=True)] if named else []
        foot += [legend_strip(entries, whole, self.density, theme)] if entries else []
        return below, [*foot, *([words_strip(text, whole, self.density, theme)] if text else [])]

    def _automatic(self, width: int) -> str:
        """The automatic caption: of a step its title and what it decides, as in a film: the picture shows that too."""
        if len(self.shots) > 1:
            return self._renamed(caption_of_all(self.shots))
        (shot,) = self.shots
        if shot.reveal.waits:
            return self._renamed(summary_of(shot))
        room = width - 2.0 * SIDE_MARGIN * self.density
        return " ".join(caption_lines(shot, room, self.density, name_of(shot)))

    def _steps(self, width: int) -> list[str]:
        """The text below each picture of a sheet: its letter, and its step's name.

        The names are left out if the panes' names are hidden, or if one takes more than MOST_NAME_LINES. With an
        automatic caption the names are always there, without one for the answer.
        """
        letters = [f"({letters_of(number)})" for number in range(len(self.shots))]
        if self.figure.caption == AUTO:
            return [
                f"{letter} {self._renamed(step_of(shot))}" for letter, shot in zip(letters, self.shots, strict=True)
            ]
        if not self.titled:
            return letters
        names = [self._renamed(step_of(shot) or "The answer").removesuffix(".") for shot in self.shots]
        texts = [f"{letter} {name}" for letter, name in zip(letters, names, strict=True)]
        room = width - 2.0 * SIDE_MARGIN * self.density
        high = max(len(wrapped(text, room, self.density)) for text in texts)
        return texts if high <= MOST_NAME_LINES else letters

    def _with_formulas(self, below: list[PlacedPane], width: int) -> list[PlacedPane]:
        """The strips below the pictures, with the formulas of their steps; unchanged if no step has formulas."""
        if not self.figure.formulas or self.beside is not None:
            return below
        # Imported with the first figure that has formulas.
        from .formula_strip import formula_strip, formulas_of, in_columns, lowest, stacked_strips

        found = [formulas_of(shot) for shot in self.shots]
        if not any(found):
            return below
        density, theme, named, strips = self.density, self.theme, self.figure.rename, []
        for each in found:
            if self.as_tex:
                strips.append(formula_strip(each, width, density, theme, named, as_tex=True))
            elif self.height is None:
                strips.append(lowest(each, width, 0.0, density, theme, named, most=2))
            else:
                high = MOST_FORMULAS * self.height / self.rows
                strips.append(in_columns(each, width, high, density=density, theme=theme, renames=named))
        return [stacked_strips(*both) for both in zip(below, strips, strict=True)] if below else strips

    def _cells(self, below: list[PlacedPane], foot: list[PlacedPane]) -> tuple[list[Cell], tuple[int, int]]:
        """The pictures, all of one size, and that size in fine pixels, with room left for the strips of words.

        Raises NoRoomError if too little height is left.
        """
        if self.height is None:
            height = _even(self.shape * self.cell)
        else:
            taken = _height(foot) + self.rows * _height(below[:1]) + (self.rows - 1) * self.gutter
            height = (self.height - taken) // self.rows // SUPERSAMPLING * SUPERSAMPLING
            if height < 4.0 * FONT_SIZE * self.density:
                raise NoRoomError("leaves no room for the picture above its words; take a larger --size")
        if not self.figure.crop:
            return self._named(height), (self.cell, height)
        if self.figure.width is None:
            return self._cropped(self._laid(self.cell, height), None)
        return self._cropped(self._as_wide(), self.cell)

    def _named(self, height: int) -> list[Cell]:
        """The pictures of this height; a single one has the panes' names below them, within the height."""
        wide, both = self.cell, self.shots[0].view.panes is Panes.BOTH
        named = self._names([Rect(0, 0, wide // 2 if both else wide, height)] * 2) if len(self.shots) == 1 else []
        taken = named[0].height if named else 0
        lower = height - taken * (2 if both and panes_stacked(Rect(0, 0, wide, height - taken)) else 1)
        cells = self._laid(wide, lower)
        if named:
            below = both and panes_stacked(Rect(0, 0, wide, lower))
            panes = [(replace(rect, y=rect.y + below * k * taken), placed) for k, (rect, placed) in enumerate(cells[0])]
            names = self._names([rect for rect, _ in panes])
            places = [Rect(rect.x, rect.y + rect.height, rect.width, taken) for rect, _ in panes]
            cells[0] = [*panes, *zip(places, names, strict=True)]
        return cells

    def _names(self, rects: Sequence[Rect]) -> list[PlacedPane]:
        """The names of the panes as strips, as wide as `rects` and all equally high; none if names are switched off."""
        if not self.titled or self.figure.text == NO_TEXT:
            return []
        theme = replace(self.theme, text=self.theme.dim_text)
        titled = zip(map(self._renamed, titles_of(self.shots[0])), rects, strict=False)
        names = [words_strip(title, rect.width, self.density, theme, middle=True) for title, rect in titled]
        highest = max((name.height for name in names), default=0)
        return [replace(name, height=highest) for name in names]

    def _as_wide(self) -> list[Cell]:
        """The pictures laid out so that their cropped panes have the width wanted.

        The width may differ a little, because labels may jump between two layouts.
        """
        wanted, across, least, most, best = self.cell, self.cell, 2, 4 * self.cell, (inf, list[Cell]())
        for _ in range(MOST_ROUNDS):
            cells = self._laid(across, _even(self.shape * across))
            wide = self._around(cells).width
            best = min(best, (abs(wanted - wide), cells), key=lambda found: found[0])
            if best[0] <= WIDTH_ERROR or most - least < 2:
                break
            least, most = (across, most) if wide < wanted else (least, across)
            across = round(across * wanted / max(1.0, wide))
            if not least < across < most:
                across = (least + most) // 2
        return best[1]

    def _laid(self, width: int, height: int) -> list[Cell]:
        builder = FrameBuilder(steady=True) if len(self.shots) > 1 else FrameBuilder()
        shots = with_one_camera(self.shots, self.figure, (width, height), self.density)
        looks = {"titled": False, "bordered": not self.figure.crop, "legible": self.figure.purpose is not None}
        return [laid_out(shot, (width, height), self.density, builder, **looks) for shot in shots]

    def _around(self, cells: Sequence[Cell]) -> _Cropped:
        """For each pane, the box round all that is drawn in it in any of the pictures."""
        boxes = []
        for number in range(len(cells[0])):
            found = [drawn_box(*cell[number]) for cell in cells]
            whole = found[0]
            for box in found[1:]:
                whole = around(whole, box)
            boxes.append(whole)
        beside = len(boxes) < 2 or cells[0][0][0].y == cells[0][1][0].y
        return _Cropped(boxes, beside, self.margin, self.gutter)

    def _cropped(self, cells: list[Cell], width: int | None) -> tuple[list[Cell], tuple[int, int]]:
        """All pictures with each pane cropped, and the size of one picture.

        A pane is cropped to the box of what is drawn in it in any picture, with the margin. `width`: of the result, if
        it is given. A single picture has the names of the panes below them.
        """
        cropped = self._around(cells)
        wide = _nearest(cropped.width) if width is None else width
        rects = cropped.rects(wide)
        names = self._names(rects) if len(cells) == 1 else []
        if names:
            rects = cropped.rects(wide, names[0].height)
        high = max(rect.y + rect.height for rect in rects) + (names[0].height if names else 0)
        drawn: list[Cell] = []
        for cell in cells:
            parts = zip(cell, cropped.boxes, rects, strict=True)
            drawn.append([_cut(pane, box, rect) for pane, box, rect in parts])
        for rect, name in zip(rects, names, strict=False):
            drawn[0].append((Rect(rect.x, rect.y + rect.height, rect.width, name.height), name))
        return drawn, (wide, high)


class _Cropped(Struct, frozen=True):
    """The boxes of a picture's panes, each round what is drawn, side by side (`beside`) or stacked; fine pixels.

    `margin`: round each box; `gap`: between two panes.
    """

    boxes: list[Box]
    beside: bool
    margin: float
    gap: int

    @property
    def width(self) -> float:
        """The width of all panes with their margins."""
        sides = [right - left + 2.0 * self.margin for left, _, right, _ in self.boxes]
        return sum(sides) + self.gap * (len(sides) - 1) if self.beside else max(sides)

    def rects(self, width: int, below: int = 0) -> list[Rect]:
        """The panes' places in a picture of this width; `below`: height that is kept free below each."""
        highs = [_nearest(bottom - top + 2.0 * self.margin) for _, top, _, bottom in self.boxes]
        if not self.beside:
            ys = [sum(highs[:number]) + number * (below or self.gap) for number in range(len(highs))]
            return [Rect(0, y, width, high) for y, high in zip(ys, highs, strict=True)]
        wides = [_nearest(right - left + 2.0 * self.margin) for left, _, right, _ in self.boxes[:-1]]
        wides.append(width - sum(wides) - self.gap * len(wides))
        xs = [sum(wides[:number]) + number * self.gap for number in range(len(wides))]
        return [Rect(x, 0, max(1, wide), max(highs)) for x, wide in zip(xs, wides, strict=True)]


def _cut(pane: tuple[Rect, PlacedPane], box: Box, rect: Rect) -> tuple[Rect, PlacedPane]:
    """A pane moved to have the middle of its `box` in the middle of `rect`, and cut off at the sides of `rect`."""
    (before, placed), (left, top, right, bottom) = pane, box
    x = before.x + 0.5 * (rect.width - left - right)
    y = before.y + 0.5 * (rect.height - top - bottom)
    shifted = moved_pane(placed, x, y)
    faces = replace(shifted.triangles, crowded=EVERYWHERE)
    return rect, replace(shifted, width=rect.width, height=rect.height, triangles=faces)


def drawn_box(rect: Rect, placed: PlacedPane) -> Box:
    """The box, in the picture, round all that is drawn in a pane, without its ground and the line to the next pane.

    The whole pane if nothing is drawn in it.
    """
    # Imported with the first figure that is cropped.
    from ..export.extent import extent_of

    left, top, right, bottom = extent_of(placed) or (0.0, 0.0, float(rect.width), float(rect.height))
    return rect.x + left, rect.y + top, rect.x + right, rect.y + bottom


def _even(length: float) -> int:
    return SUPERSAMPLING * ceil(length / SUPERSAMPLING)


def _nearest(length: float) -> int:
    """The nearest length of whole pixels, at least one; a centred drawing is then off by at most half a fine pixel."""
    return SUPERSAMPLING * max(1, round(length / SUPERSAMPLING))


def _height(strips: Sequence[PlacedPane]) -> int:
    return sum(strip.height for strip in strips)


def letters_of(number: int) -> str:
    """The letters of a picture of a sheet by its number from 0: a to z, then aa, ab and so on."""
    before, last = divmod(number, 26)
    return (letters_of(before - 1) if before else "") + chr(ord("a") + last)
