"""Typeset formulas: TeX is rendered once and uploaded as a texture, with symbols coloured as in the scene.

Pointing at a symbol highlights what it names, as in a sentence.

MicroTeX comes with imgui-bundle, together with Latin Modern. At its first rendering it asks for the locale
en_US.UTF-8, and raises an error on systems without it, such as a fresh Debian. C.UTF-8 or POSIX.UTF-8, offered under
that name during the first rendering, is enough. If that fails too, the formula is shown as plain text.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import imgui_bundle
import numpy as np
from imgui_bundle import ImVec2, imgui, imgui_microtex
from msgspec import Struct

from core.query.query import Moment

from ..draw.theme import Theme
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.expression import Node, Symbol
from ..words.formula import Formula
from ..words.printers import tex
from .symbols import SymbolPiece, coloured_tex, highlight, in_colour, piece_of
from .text import copies_on_click, em, on_item, say
from .textures import Going, uploaded

FONT_SCALE = 1.12
"""Font size of formulas relative to the text's: Latin Modern has a small x-height."""
LEAST_SCALE = 0.6
"""A formula that is too wide is set smaller, down to this share of its size; below it, plain text is shown."""
SHRUNK = 0.75
"""Numbers stay on the line of their symbols if they fit there at this share of their size."""
WEIGHT = 0.72
"""Exponent applied to coverage: Latin Modern's hairlines are made for paper and look grey at screen sizes."""
MOST_KEPT_PICTURES = 256
"""Most pictures kept; beyond it, the least recently drawn are dropped."""
SIZE_STEP = 0.25
"""Sizes are rounded down to multiples of this many pixels, so that resizing a panel makes few pictures."""
GAP = 0.3
"""Space between symbols and numbers on one line, ems."""
ROUND_INK = 0.15
"""The pointer counts as on a symbol up to this far from its ink, ems."""
NUMBER_STEP = 4
"""Step between the colours that number a formula's symbols: a pixel at a letter's edge can be off by one."""
INDENT = 1.2
"""Numbers on a line of their own are indented by this, ems."""
_LOCALE = "en_US.UTF-8"
_LOCALE_FOLDERS = ("/usr/lib/locale", "/usr/lib64/locale", "/usr/share/locale")
_LENT = ("C.utf8", "C.UTF-8", "POSIX.utf8")
_WHITE = 0xFFFFFFFF
_HEAVIER = np.round(255.0 * (np.arange(256) / 255.0) ** WEIGHT).astype(np.uint8)


class Typesetter:
    """MicroTeX, started when the first formula is needed; `works` is False if it cannot run."""

    def __init__(self) -> None:
        self._state: bool | None = None

    @property
    def works(self) -> bool:
        """Whether formulas can be rendered; the first access starts MicroTeX."""
        if self._state is None:
            self._state = _wake()
        return self._state

    def picture(self, tex: str, pixels: float) -> imgui_microtex.RenderedFormula | None:
        """The formula at a font size in pixels, white unless the TeX sets a colour; None if it cannot be rendered."""
        if not self.works:
            return None
        try:
            return imgui_microtex.render(tex, pixels, _WHITE)
        except (RuntimeError, ValueError):
            return None


def _wake() -> bool:
    fonts = Path(imgui_bundle.__file__).parent / "assets" / "fonts" / "latex"
    metrics, outlines = fonts / "latinmodern-math.clm1", fonts / "latinmodern-math.otf"
    if not (metrics.is_file() and outlines.is_file()):
        return False
    try:
        imgui_microtex.init(str(metrics), str(outlines))
    except RuntimeError:
        return False
    return _renders() or _renders_with_lent_locale()


def _renders() -> bool:
    try:
        imgui_microtex.render("x = 1", 16.0, _WHITE)
    except RuntimeError:
        return False
    return True


def _renders_with_lent_locale() -> bool:
    """Tries again with C.UTF-8 or POSIX.UTF-8 under the name that MicroTeX asks for; restores the environment."""
    lent = next((path for folder in _LOCALE_FOLDERS for name in _LENT if (path := Path(folder, name)).is_dir()), None)
    if lent is None:
        return False
    before = os.environ.get("LOCPATH")
    try:
        with TemporaryDirectory(prefix="separatrix-locale-") as folder:
            Path(folder, _LOCALE).symlink_to(lent, target_is_directory=True)
            os.environ["LOCPATH"] = folder
            return _renders()
    except OSError:
        return False
    finally:
        if before is None:
            os.environ.pop("LOCPATH", None)
        else:
            os.environ["LOCPATH"] = before


TYPESETTER = Typesetter()
"""The process's only typesetter: MicroTeX can be started only once."""


class _Picture(Struct, frozen=True, eq=False):
    """A formula's texture, with its measures in pixels; `pixels` is the font size."""

    texture: imgui.ImTextureData
    width: int
    height: int
    baseline: int
    pixels: float


_PictureLine = tuple[tuple[float, _Picture], ...]
"""Pictures on one baseline, each with its distance from the left in pixels."""


class Formulas:
    """The formula pictures of one imgui context, made when first drawn."""

    def __init__(self, typesetter: Typesetter = TYPESETTER) -> None:
        self._typesetter = typesetter
        self._pictures: OrderedDict[tuple[str, float], _Picture] = OrderedDict()
        self._going = Going()
        self._heights: dict[Node, float] = {}
        self._width = 0.0
        self._bottom = inf

    def begin(self, bottom: float = inf) -> None:
        """Starts a frame: drops the least recently drawn pictures beyond `MOST_KEPT_PICTURES`.

        `bottom` is the screen y, in pixels, below which nothing is visible.
        """
        self._bottom = bottom
        while len(self._pictures) > MOST_KEPT_PICTURES:
            _, oldest = self._pictures.popitem(last=False)
            self._going.drop(oldest.texture)
        self._going.forget_destroyed()

    def draw(self, formula: Formula, ui: PanelState, width: float, ask: Ask, in_full: Callable[[], str] = str) -> None:
        """Draws the formula in symbols and with numbers, within `width` pixels; as plain text if that fails.

        A click copies its TeX; the tooltip shows `in_full`, all digits. Below the visible part of the window a formula
        that was drawn at this width only reserves its space: rendering takes longer than everything else in the card,
        and during a drag the numbers change in every frame.
        """
        if width != self._width:
            self._width, self._heights = width, {}
        if imgui.get_cursor_screen_pos().y > self._bottom and formula.symbols in self._heights:
            imgui.dummy(ImVec2(0.0, self._heights[formula.symbols]))
            return
        lines = self._lines(formula, ui.theme, ui.moment, width)
        pointed = False
        imgui.begin_group()
        if lines is None:
            say(formula.plain, ui.theme.text)
        else:
            pointed = self._light_symbols(formula.symbols, lines[0], ui, ask)
            for line in lines:
                _draw_line(line)
        imgui.end_group()
        self._heights[formula.symbols] = imgui.get_item_rect_size().y
        copies_on_click(formula.tex, "the formula as TeX", ask, in_full() if on_item() else "", quiet=pointed)

    def _lines(
        self, formula: Formula, theme: Theme, moment: Moment | None, width: float
    ) -> tuple[_PictureLine, ...] | None:
        """The formula's lines, numbers beside their symbols if they fit, else below.

        None if it is too wide or cannot be rendered.
        """
        pixels, indent = _step_down(FONT_SCALE * em()), INDENT * em()
        symbols_line, *others = formula.lines
        numbers_tex, *result_tex = (in_colour(tex(line), theme.text) for line in others)
        symbols = self._fitting(coloured_tex(symbols_line, theme, moment), pixels, width)
        whole = self._picture(numbers_tex, pixels)
        if symbols is None or whole is None:
            return None
        start = symbols.width + GAP * em()
        beside = SHRUNK * whole.width <= width - start
        numbers = self._fitting(numbers_tex, pixels, width - (start if beside else indent))
        result = self._fitting(result_tex[0], pixels, width - indent) if result_tex else None
        if numbers is None or (result_tex and result is None):
            return None
        head: tuple[_PictureLine, ...]
        head = (((0.0, symbols), (start, numbers)),) if beside else (((0.0, symbols),), ((indent, numbers),))
        return head if result is None else (*head, ((indent, result),))

    def _light_symbols(self, symbols: Node, line: _PictureLine, ui: PanelState, ask: Ask) -> bool:
        """Highlights the symbols at the start of the line about to be drawn, like those of a sentence.

        Returns whether the pointer is on one.
        """
        at, picture = imgui.get_cursor_screen_pos(), line[0][1]
        left, top = round(at.x), round(at.y) + _rise(line) - picture.baseline
        low, high = ImVec2(left, top), ImVec2(left + picture.width, top + picture.height)
        inside = imgui.is_window_hovered() and imgui.is_mouse_hovering_rect(low, high)
        pointed = False
        if not inside and ui.view.hover is None:
            return pointed
        for piece, box in symbol_boxes(self._typesetter, symbols, picture.pixels):
            (x, y, width, height), air = box, ROUND_INK * em()
            low, high = ImVec2(left + x - air, top + y - air), ImVec2(left + x + width + air, top + y + height + air)
            pointed |= highlight(piece, low, high, ui, ask, inside=inside)
        return pointed

    def _fitting(self, tex: str, pixels: float, width: float) -> _Picture | None:
        """The picture, made smaller if it is too wide; None if it would be too small to read or cannot be rendered."""
        found = self._picture(tex, pixels)
        if found is None or found.width <= width:
            return found
        # A little less than the share: letters are placed on whole pixels, so widths are not quite in proportion.
        share = 0.99 * width / found.width
        found = self._picture(tex, _step_down(share * pixels)) if share >= LEAST_SCALE else None
        return found if found is not None and found.width <= width else None

    def _picture(self, tex: str, pixels: float) -> _Picture | None:
        key = (tex, pixels)
        found = self._pictures.get(key)
        if found is not None:
            self._pictures.move_to_end(key)
            return found
        rendered = self._typesetter.picture(tex, pixels)
        if rendered is None or rendered.width <= 0 or rendered.height <= 0:
            return None
        found = self._pictures[key] = _uploaded(rendered, pixels)
        return found


@lru_cache(maxsize=64)
def symbol_boxes(
    typesetter: Typesetter, symbols: Node, pixels: float
) -> tuple[tuple[SymbolPiece, tuple[int, int, int, int]], ...]:
    """The symbols of a formula with their ink's x, y, width and height in its picture, in pixels.

    Found by rendering it again with a colour for each symbol, as MicroTeX does not report positions. Symbols
    beyond the 62nd have no box; none has one if the formula cannot be rendered.
    """
    pieces: list[SymbolPiece] = []

    def numbered(symbol: Symbol, written: str) -> str | None:
        piece = piece_of(symbol)
        if piece is None or len(pieces) == 255 // NUMBER_STEP - 1:
            return None
        pieces.append(piece)
        return in_colour(written, (0.0, 0.0, NUMBER_STEP * len(pieces) / 255.0, 1.0))

    numbered_tex = in_colour(tex(symbols, numbered), (1.0, 1.0, 1.0, 1.0))
    rendered = typesetter.picture(numbered_tex, pixels) if pieces else None
    if rendered is None:
        return ()
    ink = np.asarray(rendered.pixels_as_array()).astype(int)
    # Letters are faint at their edges, and their colour is inexact there.
    number = np.where((ink[..., 3] > 64) & (ink[..., 0] < 128), (ink[..., 2] + NUMBER_STEP // 2) // NUMBER_STEP, 0)
    found = []
    for k, piece in enumerate(pieces, 1):
        y, x = np.nonzero(number == k)
        if x.size:
            found.append((piece, (int(x.min()), int(y.min()), int(np.ptp(x)) + 1, int(np.ptp(y)) + 1)))
    return tuple(found)


def _step_down(pixels: float) -> float:
    return pixels - pixels % SIZE_STEP


def _uploaded(rendered: imgui_microtex.RenderedFormula, size: float) -> _Picture:
    pixels = np.array(rendered.pixels_as_array())
    pixels[..., 3] = _HEAVIER[pixels[..., 3]]
    return _Picture(uploaded(pixels), rendered.width, rendered.height, rendered.baseline_y, size)


def _rise(pictures: _PictureLine) -> int:
    return max(picture.baseline for _, picture in pictures)


def _draw_line(pictures: _PictureLine) -> None:
    """Draws the pictures of a line as one item, on whole pixels."""
    at = imgui.get_cursor_screen_pos()
    rise = _rise(pictures)
    for distance, picture in pictures:
        left, top = round(at.x + distance), round(at.y) + rise - picture.baseline
        imgui.get_window_draw_list().add_image(
            picture.texture.get_tex_ref(),
            ImVec2(left, top),
            ImVec2(left + picture.width, top + picture.height),
        )
    fall = max(picture.height - picture.baseline for _, picture in pictures)
    distance, last = pictures[-1]
    imgui.dummy(ImVec2(distance + last.width, rise + fall))
