"""The gallery: shelves of cards with pictures, in the order of a course, and a search over all of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from math import pi
from pathlib import Path

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec import Struct
from PIL import Image

from ..state.ask import Ask
from ..state.panel_state import PanelState
from .cards import CARDS
from .gallery_cards import GalleryCard, Shelf, gallery_shelves
from .text import em, explain, explain_row, say
from .textures import Going, uploaded
from .viewport_top import VERDICT_WINDOW
from .widgets import FLOATING, enter_pressed, u32

PICTURE_EMS = (12.5, 7.8)
"""Width and height of a card's picture, ems: half of its pixels at the default text size."""
PAD = 0.4
"""Space inside a card and between its lines, ems."""
LEAST_WINDOW_EMS, MOST_WINDOW_EMS = 26.0, 34.0
"""Width of the window, ems: at most `MOST_WINDOW_EMS`, down to `LEAST_WINDOW_EMS` or nine tenths of a small screen."""
TWO_COLUMNS = 44.0
"""A list wider than this, ems, has two columns of cards; a card wider than this has its picture above the words."""
STACKED_CARD_EMS = 22.0
"""A card at most this wide, ems, has its picture above the words too."""
VERDICT = 3.9
"""Height of a verdict of two lines, ems."""
SHELF_TITLE_EMS = 2.2
"""Height of a shelf's title with the space around it, ems."""
PICTURE_SHARE = 0.42
"""The largest share of a card's width for its picture beside the words."""
TITLE_SIZE = 1.1
"""Size of a card's or shelf's title relative to other text."""
MOST_TEXTURES = 32
"""Most textures kept, a third of a megabyte each; no window shows more."""


class _Row(Struct, frozen=True, eq=False):
    """A row of the list: a shelf's title, or cards; `top` and height `high` in pixels.

    `number`: of its first card, counted over all shelves.
    """

    top: float
    high: float
    shelf: Shelf
    cards: tuple[GalleryCard, ...] = ()
    number: int = 0


class PresetGallery:
    """The gallery's window, which stays open beside the picture while the user tries presets."""

    def __init__(self) -> None:
        self._filter = ""
        self._chosen = 0
        self._open = False
        self._missed = False
        self._shown: str | None = None
        self._unfolded: set[str] = set()
        self._shapes: dict[str, _Shape] = {}
        self._measured = (0.0, 0.0)
        self._below: dict[str, float] = {}
        self._pictures = _Pictures()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the window while `dialogs.presets` is true."""
        appearing = ui.dialogs.presets and not self._open
        self._open = ui.dialogs.presets
        self._pictures.begin(keep=MOST_TEXTURES if self._open else 0)
        if not self._open:
            return
        _place_window(ui)
        if appearing:
            imgui.set_next_window_focus()
        shown, still_open = imgui.begin("Gallery###presets", True, FLOATING)
        if shown:
            self._draw_inside(ui, ask, appearing=appearing)
        imgui.end()
        ui.dialogs.presets = ui.dialogs.presets and bool(still_open)

    def _draw_inside(self, ui: PanelState, ask: Ask, *, appearing: bool) -> None:
        changed, step, opens = self._draw_search(ui, appearing=appearing)
        words, listed = self._filter.lower().split(), []
        for shelf in gallery_shelves(ui):
            looked_at = not shelf.shut or words or shelf.subtitle in self._unfolded
            cards = [card for card in shelf.cards() if card.matches(words)] if looked_at else []
            if cards or not (looked_at or words):
                listed.append((shelf, cards))
        found = [card for _, cards in listed for card in cards]
        self._missed = not found and (opens or (self._missed and not changed and not appearing))
        if not found:
            tail = "There is nothing to open: change the words, or press Esc." if self._missed else ""
            say(f"No preset matches. {tail}".rstrip(), ui.theme.overlap if self._missed else ui.theme.dim_text)
        # During a lesson, its own card is chosen at first; otherwise the first card that is not done.
        wanted = (k for k, card in enumerate(found) if (card.current if ui.lesson else card.done < 1.0))
        first = next(wanted, 0) if appearing else 0
        self._chosen = first if appearing or changed else min(max(self._chosen + step, 0), max(len(found) - 1, 0))
        if opens and found:
            found[self._chosen].press(ask)
        if imgui.begin_child("##cards"):
            rows = list(self._rows(listed))
            self._scroll(ui, rows, appearing=appearing, stepped=bool(step))
            self._draw_rows(ui, rows, ask)
        imgui.end_child()

    def _draw_search(self, ui: PanelState, *, appearing: bool) -> tuple[bool, int, bool]:
        """Draws the search field, focused; returns whether its text changed, the arrow keys' step, and Enter.

        Focus selects the old text, so that letters replace it. The field keeps the keyboard after an Enter that found
        nothing, so that the next letters run no commands.
        """
        if appearing or self._missed:
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-1.0)
        hint, selects = "Search titles, words and tags", imgui.InputTextFlags_.auto_select_all
        changed, self._filter = imgui.input_text_with_hint("##filter", hint, self._filter, selects)
        typed = imgui.is_item_active() or imgui.is_item_deactivated()
        if typed and imgui.is_key_pressed(imgui.Key.escape, False):
            ui.dialogs.presets = False
        step = int(imgui.is_key_pressed(imgui.Key.down_arrow)) - int(imgui.is_key_pressed(imgui.Key.up_arrow))
        return changed, step * typed, typed and enter_pressed() and not appearing

    # Layout.

    def _rows(self, listed: list[tuple[Shelf, list[GalleryCard]]]) -> Iterator[_Row]:
        width, top, number = imgui.get_content_region_avail().x, 0.0, 0
        if (width, em()) != self._measured:
            self._measured, self._shapes = (width, em()), {}
        columns = _columns(width)
        for shelf, cards in listed:
            yield _Row(top, SHELF_TITLE_EMS * em(), shelf)
            top += SHELF_TITLE_EMS * em()
            for k in range(0, len(cards), columns):
                row = tuple(cards[k : k + columns])
                high = max(self._shape(card, width / columns).high for card in row)
                yield _Row(top, high, shelf, row, number)
                number += len(row)
                top += high + self._high_below(row)

    def _shape(self, card: GalleryCard, width: float) -> _Shape:
        shape = self._shapes.get(card.key)
        if shape is None:
            shape = self._shapes[card.key] = _Shape.of(card, width)
        return shape

    def _high_below(self, cards: tuple[GalleryCard, ...]) -> float:
        """Height of what is drawn under the cards, as last drawn."""
        return sum(self._below.get(card.key, 0.0) for card in cards if card.current)

    def _scroll(self, ui: PanelState, rows: list[_Row], *, appearing: bool, stepped: bool) -> None:
        """Scrolls to the chosen card's shelf on opening, later to any card chosen by arrows or of a new preset.

        `appearing`: the gallery opens in this frame. `stepped`: an arrow key chose a card.
        """
        changed, self._shown = ui.preset != self._shown, ui.preset
        wanted = None
        if appearing or stepped:
            wanted = next((row for row in rows if row.number <= self._chosen < row.number + len(row.cards)), None)
        elif changed:
            wanted = next((row for row in rows if any(card.current for card in row.cards)), None)
        if wanted is None:
            return
        top, seen = imgui.get_scroll_y(), imgui.get_window_height()
        if appearing:
            head = next(row for row in rows if row.shelf is wanted.shelf)
            imgui.set_scroll_y(head.top)
        elif not top <= wanted.top <= top + seen - wanted.high:
            imgui.set_scroll_y(max(0.0, wanted.top - 0.5 * (seen - wanted.high)))

    # Drawing.

    def _draw_rows(self, ui: PanelState, rows: list[_Row], ask: Ask) -> None:
        """Draws the visible rows."""
        start, width = imgui.get_cursor_pos(), imgui.get_content_region_avail().x
        top, seen = imgui.get_scroll_y(), imgui.get_window_height()
        width /= _columns(width)
        for row in rows:
            end = row.top + row.high
            if row.top <= top + seen and end + self._high_below(row.cards) >= top:
                imgui.set_cursor_pos(ImVec2(start.x, start.y + row.top))
                if not row.cards:
                    self._draw_head(ui, row.shelf)
                for column, card in enumerate(row.cards):
                    imgui.set_cursor_pos(ImVec2(start.x + column * width, start.y + row.top))
                    chosen = row.number + column == self._chosen
                    if self._draw_card(ui, card, width, row.high, chosen=chosen):
                        card.press(ask)
                imgui.set_cursor_pos(ImVec2(start.x, start.y + end))
                for card in row.cards:
                    self._draw_below(ui, card, ask)
        if rows:
            imgui.set_cursor_pos(ImVec2(start.x, start.y + rows[-1].top + rows[-1].high))
            imgui.dummy(ImVec2(0.0, max(0.0, self._high_below(rows[-1].cards))))

    def _draw_head(self, ui: PanelState, shelf: Shelf) -> None:
        """Draws a shelf's title and subtitle over a line; if the shelf can be closed, with an arrow, as a button."""
        at, width, size = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x, TITLE_SIZE * em()
        draw, font = imgui.get_window_draw_list(), imgui.get_font()
        base, left, ink = at.y + 0.7 * em(), at.x + PAD * em(), u32(ui.theme.text)
        if shelf.shut:
            if imgui.invisible_button(f"##{shelf.subtitle}", ImVec2(width, SHELF_TITLE_EMS * em())):
                self._unfolded ^= {shelf.subtitle}
            explain("Click to open or close")
            imgui.internal.render_arrow(
                draw,
                ImVec2(at.x, base + 0.1 * em()),
                ink,
                imgui.Dir.down if self._filter or shelf.subtitle in self._unfolded else imgui.Dir.right,
                0.9,
            )
            left += 0.9 * em()
        draw.add_text(font, size, ImVec2(left, base), ink, shelf.title)
        after = left + TITLE_SIZE * imgui.calc_text_size(shelf.title).x + em()
        draw.add_text(ImVec2(after, base + 0.07 * em()), u32(ui.theme.dim_text), shelf.subtitle)
        line = imgui.get_color_u32(imgui.Col_.separator)
        draw.add_line(ImVec2(at.x, at.y + 2.1 * em()), ImVec2(at.x + width, at.y + 2.1 * em()), line)

    def _draw_card(self, ui: PanelState, card: GalleryCard, width: float, high: float, *, chosen: bool) -> bool:
        """Draws a card; returns whether it was clicked. `chosen`: with the frame of the card that Enter opens."""
        at, pad, shape, theme = imgui.get_cursor_screen_pos(), PAD * em(), self._shape(card, width), ui.theme
        imgui.push_id(card.key)
        clicked, _ = imgui.selectable("##card", card.current, 0, ImVec2(width - pad, high - 0.5 * pad))
        imgui.pop_id()
        explain_row(card.text)
        draw, font = imgui.get_window_draw_list(), imgui.get_font()
        if chosen:
            far = ImVec2(at.x + width - pad, at.y + high - 0.5 * pad)
            draw.add_rect(ImVec2(at.x + 1.0, at.y), far, imgui.get_color_u32(imgui.Col_.nav_cursor), 0.4 * em(), 1.5)
        if card.picture is not None:
            corner = ImVec2(at.x + pad, at.y + pad)
            far = ImVec2(corner.x + shape.picture[0], corner.y + shape.picture[1])
            texture = self._pictures.of(card.picture).get_tex_ref()
            draw.add_image_rounded(texture, corner, far, ImVec2(0, 0), ImVec2(1, 1), 0xFFFFFFFF, 0.3 * em())
        left, y = at.x + shape.left, at.y + shape.top
        lines = (
            (card.title, TITLE_SIZE * em(), theme.text, shape.title),
            (card.sentence, em(), theme.text, shape.sentence),
            (_tags_of(card), em(), theme.dim_text, shape.tags),
        )
        for text, size, rgba, tall in lines:
            # Letters are on whole pixels: larger text may need slightly more than its share of the width.
            room = shape.inner * (1.03 if size > em() else 1.0)
            draw.add_text(font, size, ImVec2(left, y), u32(rgba), text, wrap_width=room)
            y += tall + 0.5 * pad
        middle = ImVec2(left + shape.inner + 0.6 * em(), at.y + shape.top + 0.55 * em())
        _draw_done(card.done, middle, u32(theme.gap), u32(theme.dim_text))
        return bool(clicked)

    def _draw_below(self, ui: PanelState, card: GalleryCard, ask: Ask) -> None:
        if card.below is None or not card.current:
            return
        top = imgui.get_cursor_pos_y()
        imgui.indent(PAD * em())
        card.below(ui, ask)
        imgui.unindent(PAD * em())
        self._below[card.key] = imgui.get_cursor_pos_y() - top


class _Shape(Struct, frozen=True):
    """Layout of a card, pixels: the picture's size; left, top, width (`inner`) of the words; heights of the texts."""

    picture: tuple[float, float]
    left: float
    top: float
    inner: float
    title: float
    sentence: float
    tags: float

    @staticmethod
    def of(card: GalleryCard, width: float) -> _Shape:
        """The layout at a width in pixels: the picture left of the words, or above them.

        The picture is above in a card at most STACKED_CARD_EMS ems wide, or wider than TWO_COLUMNS ems.
        """
        pad, mark = PAD * em(), 1.3 * em()
        above = card.picture is not None and not STACKED_CARD_EMS * em() < width <= TWO_COLUMNS * em()
        across = (
            0.0
            if card.picture is None
            else min(PICTURE_EMS[0] * em(), width - 3.0 * pad if above else PICTURE_SHARE * width)
        )
        high = across * PICTURE_EMS[1] / PICTURE_EMS[0]
        left = pad if above or not across else across + 2.5 * pad
        inner = width - left - 2.0 * pad - mark
        title = TITLE_SIZE * imgui.calc_text_size(card.title, False, 1.015 * inner / TITLE_SIZE).y
        sentence, tags = (imgui.calc_text_size(text, False, inner).y for text in (card.sentence, _tags_of(card)))
        return _Shape(
            picture=(across, high),
            left=left,
            top=pad + (high + pad if above else 0.0),
            inner=inner,
            title=title,
            sentence=sentence,
            tags=tags,
        )

    @property
    def high(self) -> float:
        """Height of the whole card."""
        pad = PAD * em()
        return max(self.top + self.title + self.sentence + self.tags + 2.5 * pad, self.picture[1] + 2.5 * pad)


class _Pictures:
    """The textures of the cards' pictures, loaded when first visible; none while the gallery is closed."""

    def __init__(self) -> None:
        self._textures: OrderedDict[Path, imgui.ImTextureData] = OrderedDict()
        self._going = Going()

    def begin(self, *, keep: int) -> None:
        """Starts a frame: drops the least recently drawn pictures, down to `keep`."""
        while len(self._textures) > keep:
            self._going.drop(self._textures.popitem(last=False)[1])
        self._going.forget_destroyed()

    def of(self, file: Path) -> imgui.ImTextureData:
        """The texture of the picture in a file. Raises OSError if the file cannot be read as a picture."""
        if file not in self._textures:
            with Image.open(file) as picture:
                self._textures[file] = uploaded(np.asarray(picture.convert("RGBA")))
        self._textures.move_to_end(file)
        return self._textures[file]


def _columns(width: float) -> int:
    return 2 if width > TWO_COLUMNS * em() else 1


def _tags_of(card: GalleryCard) -> str:
    return "   ".join(card.tags)


def _draw_done(share: float, middle: ImVec2, colour: int, dim: int) -> None:
    """Draws a tick if `share` is 1, a part of a ring if it is between 0 and 1."""
    draw, r, wide = imgui.get_window_draw_list(), 0.42 * em(), 0.13 * em()
    if share >= 1.0:
        low = ImVec2(middle.x - 0.2 * r, middle.y + 0.7 * r)
        draw.add_line(ImVec2(middle.x - 0.9 * r, middle.y), low, colour, wide)
        draw.add_line(low, ImVec2(middle.x + r, middle.y - 0.8 * r), colour, wide)
    elif share > 0.0:
        draw.add_circle(middle, r, dim, 0, 0.5 * wide)
        draw.path_arc_to(middle, r, -0.5 * pi, (2.0 * share - 0.5) * pi)
        draw.path_stroke(colour, wide)


def _place_window(ui: PanelState) -> None:
    """Places the window at the right, so that the bodies, at the left, stay visible as they change."""
    area, work = ui.viewport, imgui.get_main_viewport().work_size
    # Below a verdict of two lines, which the next preset may have.
    verdict = max(CARDS.height(VERDICT_WINDOW), VERDICT * em())
    corner = ImVec2(area.x + area.width - em(), area.y + em() + verdict)
    imgui.set_next_window_pos(corner, imgui.Cond_.first_use_ever, ImVec2(1.0, 0.0))
    wide = min(MOST_WINDOW_EMS * em(), max(LEAST_WINDOW_EMS * em(), 0.4 * work.x), 0.9 * work.x)
    imgui.set_next_window_size(ImVec2(wide, min(46.0 * em(), 0.8 * work.y)), imgui.Cond_.first_use_ever)
