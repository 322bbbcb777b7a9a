"""What a whole window says, as a user's screen has it: every window's place and its texts with their places.

    Axes 852,26 to 1280,560
      860,58 15 axes
      860,80 A.x  overlap  0.687
    world 0,26 to 426,800
      210,133 depth 0.2

Places are in pixels of the window; what stands on one height is one line, which says where its first word begins. A
text that its window does not show (scrolled away) is left out; one of which it shows only a part of a line is `cut`.
The picture's labels follow, each pane's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import pytest
from imgui_bundle import ImVec2, imgui

from app.application import Application

from .panels import SAYING

WRITING = (*SAYING, "radio_button", "checkbox", "begin_combo")
PLAIN = ("text_unformatted", "text_disabled", "text_wrapped")
"""Their item is the text's own box."""
OPENING = ("begin_menu", "begin_combo", "menu_item")
"""When they return, the last item may be another window's."""
WRITES_WIDER = 1.0
"""Pixels by which a text may reach beyond what is shown of its window: letters end before their box does."""

OVERLAPPING = 2.0
"""Pixels by which two boxes may lie on one another: letters fill less than their boxes."""


class Said:
    """What is said while it listens: by window, in the order of its places."""

    def __init__(self) -> None:
        self.windows: dict[str, tuple[ImVec2, ImVec2]] = {}
        self.texts: dict[str, list[tuple[int, int, str]]] = {}
        self.cut: list[str] = []

    def note(self, text: str, low: ImVec2, high: ImVec2, shown: tuple[ImVec2, ImVec2]) -> None:
        """A text in the box from `low` to `high` in the window that is begun, of which `shown` can be seen."""
        first, last = shown
        if not text.strip() or low.x >= last.x or low.y >= last.y or high.x <= first.x or high.y <= first.y:
            return
        window = imgui.internal.get_current_window()
        name = (window.name.partition("##")[0].partition("/")[0] or window.name.strip("#")).strip()
        self.windows[name] = window.pos, ImVec2(window.pos.x + window.size.x, window.pos.y + window.size.y)
        words = text.partition("##")[0].replace("\n", "⏎")
        if not words.strip():
            return
        self.texts.setdefault(name, []).append((round(low.y), round(low.x), words))
        if high.x > last.x + WRITES_WIDER or low.x < first.x - WRITES_WIDER:
            self.cut.append(f"{name}: {words}")

    def lines(self) -> Iterator[str]:
        for name, (low, high) in sorted(self.windows.items()):
            yield f"{name} {round(low.x)},{round(low.y)} to {round(high.x)},{round(high.y)}"
            rows = groupby(sorted(self.texts[name]), lambda text: text[0])
            for y, row in rows:
                (_, x, first), *others = row
                yield f"  {x},{y} " + "  ".join([first, *(words for *_, words in others)])


@contextmanager
def listening(patch: pytest.MonkeyPatch) -> Iterator[Said]:
    """Notes what imgui is told to write, until it is left."""
    said = Said()
    lists = imgui.get_window_draw_list
    with patch.context() as patched:
        for name in WRITING:
            patched.setattr(imgui, name, _noting(said, name))
        patched.setattr(imgui, "get_window_draw_list", lambda: _Noted(lists(), said))
        yield said


def _noting(said: Said, name: str) -> Any:
    original = getattr(imgui, name)

    def noted(label: str, *rest: Any, **named: Any) -> Any:
        clip = imgui.internal.get_current_window().clip_rect
        corner = imgui.get_cursor_screen_pos()
        result = original(label, *rest, **named)
        if name in PLAIN:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        else:
            size = imgui.calc_text_size(label, hide_text_after_double_hash=True)
            low = corner if name in OPENING else imgui.get_item_rect_min()
            high = ImVec2(low.x + size.x, low.y + size.y)
        said.note(label, low, high, (clip.min, clip.max))
        return result

    return noted


class _Noted:
    """A window's draw list whose texts are noted."""

    def __init__(self, drawn: Any, said: Said) -> None:
        self._drawn, self._said = drawn, said

    def __getattr__(self, name: str) -> Any:
        original = getattr(self._drawn, name)
        if name != "add_text":
            return original

        def noted(*words: Any, **named: Any) -> Any:
            places = [word for word in words if isinstance(word, ImVec2)]
            (text,) = (word for word in words if isinstance(word, str))
            size = imgui.calc_text_size(text)
            font = next((word for word in words if isinstance(word, float)), imgui.get_font_size())
            grown = font / imgui.get_font_size()
            far = ImVec2(places[0].x + size.x * grown, places[0].y + size.y * grown)
            shown = self._drawn.get_clip_rect_min(), self._drawn.get_clip_rect_max()
            self._said.note(text, places[0], far, shown)
            return original(*words, **named)

        return noted


def labels(app: Application) -> Iterator[str]:
    """The labels of every pane's picture, where they stand, and how many found no room."""
    for pane, placed in zip(app.builder.panes, app.builder.placed, strict=True):
        rect = pane.rect
        yield f"{pane.kind} {rect.x},{rect.y} to {rect.x + rect.width},{rect.y + rect.height}"
        for label in sorted(placed.labels, key=lambda label: (label.y, label.x)):
            yield f"  {round(rect.x + label.x)},{round(rect.y + label.y)} {label.text}"
        if placed.labels_dropped:
            yield f"  without room: {placed.labels_dropped}"


def covered(app: Application, said: Said) -> list[str]:
    """Labels of the pictures that lie under a window, or on one another."""
    boxes = [
        (label.text, pane.rect.x + label.x, pane.rect.y + label.y, label.width, label.height)
        for pane, placed in zip(app.builder.panes, app.builder.placed, strict=True)
        for label in placed.labels
    ]
    labels = len(boxes)
    boxes += [(name, low.x, low.y, high.x - low.x, high.y - low.y) for name, (low, high) in said.windows.items()]
    return [
        f"{name} and {other}"
        for k, (name, x, y, width, height) in enumerate(boxes[:labels])
        for other, x_other, y_other, width_other, height_other in boxes[k + 1 :]
        if min(x + width, x_other + width_other) - max(x, x_other) > OVERLAPPING
        and min(y + height, y_other + height_other) - max(y, y_other) > OVERLAPPING
    ]
