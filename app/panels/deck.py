"""The panel of the open deck: its slides, buttons for the current slide, and fields for its texts."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.ask import Ask
from ..state.deck import OpenDeck, SlideLine
from ..state.panel_state import MenuEntry, PanelState
from ..storage.files import readable
from .panel import Docked
from .rows import Button, Flow, command, draw_rows
from .text import explain, say
from .widgets import wrapped_selectable

BUTTONS = (
    {"deck.add": "Add this view", "deck.replace": "Replace with this view"},
    {"deck.back": "Back to its own view", "deck.up": "Up", "deck.down": "Down", "deck.remove": "Remove"},
    {"deck.undo": "Undo", "deck.redo": "Redo", "deck.save": "Save deck", "deck.save_as": "Save as …"},
)
"""The buttons by rows: command ids with the buttons' texts."""
FEWEST_ROWS, LIST_SHARE = 3, 0.3
"""The least height of the list in rows, and its largest as a share of the panel's; beyond that the list scrolls."""
TEXT_FIELDS = (("words", "Words to show", 3), ("notes", "Notes to print", 5))
"""The key, the title and the height in lines of each text field."""


class DeckPanel(Docked):
    """The docked panel; a click on a slide shows the slide, and typed text is written to the slide at once."""

    def __init__(self) -> None:
        self._index = -1

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the list, the buttons and the fields.

        Without a deck a hint replaces the list and the fields. A lesson hides the fields, and a fault of the slide
        those of its texts.
        """
        deck = ui.deck
        if deck is None:
            say("No deck is open. Add this view begins one.", ui.theme.dim_text)
        else:
            say(f"{readable(deck.name)}{' (not saved)' if deck.unsaved else ''}")
            _draw_list(ui, deck, ask, scroll=deck.index != self._index)
            self._index = deck.index
        commands = {entry.id: entry for entry in ui.commands() if entry.id.startswith("deck.")}
        for row in BUTTONS:
            entries = [(title, commands[command]) for command, title in row.items()]
            draw_rows([Flow(tuple(_button(title, entry) for title, entry in entries))], ask)
        if deck is not None and deck.line is not None and not deck.fault and ui.lesson is None:
            _draw_texts(ui, deck, deck.line, ask)
        if deck is not None and ui.lesson is None:
            _draw_head(deck, ask)

    def unseen(self, ui: PanelState, ask: Ask, *, wanted: bool) -> None:  # noqa: ARG002 - every panel is asked alike
        """Brings the panel to the front if the user has asked to write the slide's texts (`dialogs.deck_texts`)."""
        if wanted and ui.dialogs.deck_texts:
            imgui.set_window_focus("Deck")


def _button(title: str, entry: MenuEntry) -> Button:
    return Button(title, command(entry.id), entry.tip or entry.title, entry.enabled, small=False, key=entry.id)


def _draw_list(ui: PanelState, deck: OpenDeck, ask: Ask, *, scroll: bool) -> None:
    """Draws the slides with wrapped names; `scroll`: scrolls to the current slide."""
    if not deck.slides:
        say("No slide yet. Open a scene, look at it, and add the view.", ui.theme.dim_text)
        return
    names = [readable(f"{k + 1}  {deck.title_of(k)}") for k in range(len(deck.slides))]
    row, padding = imgui.get_text_line_height_with_spacing(), imgui.get_style().window_padding
    room, space = imgui.get_content_region_avail().x - 2.0 * padding.x, imgui.get_style().item_spacing.y
    wanted = sum(imgui.calc_text_size(name, False, max(room, 1.0)).y + space for name in names)
    height = max(FEWEST_ROWS * row, min(wanted, LIST_SHARE * imgui.get_window_height())) + 2.0 * padding.y
    if imgui.begin_child("##slides", ImVec2(0.0, height), imgui.ChildFlags_.borders):
        for k, name in enumerate(names):
            if wrapped_selectable(name, f"slide{k}", k == deck.index):
                ask.show_entry(k)
            if scroll and k == deck.index:
                imgui.set_scroll_here_y()
    imgui.end_child()
    if not ui.document.is_slide:
        say("The scene shown is not a slide.", ui.theme.dim_text)


def _draw_texts(ui: PanelState, deck: OpenDeck, line: SlideLine, ask: Ask) -> None:
    imgui.separator_text(f"Slide {deck.index + 1}")
    typed = {"name": line.name, "words": line.words, "notes": line.notes}
    imgui.set_next_item_width(-1.0)
    typed["name"] = _kept(line.name, *imgui.input_text_with_hint(f"##name{deck.index}", "Name", line.name))
    explain("The slide's name")
    for key, title, rows in TEXT_FIELDS:
        say(title)
        if key == "words" and ui.dialogs.deck_texts:
            imgui.set_window_focus()
            imgui.set_keyboard_focus_here()
            ui.dialogs.deck_texts = imgui.is_window_appearing()
        size = ImVec2(-1.0, rows * imgui.get_text_line_height() + 2.0 * imgui.get_style().frame_padding.y)
        wrap = imgui.InputTextFlags_.word_wrap
        text = typed[key]
        typed[key] = _kept(text, *imgui.input_text_multiline(f"##{key}{deck.index}", text, size, wrap))
    if typed != {"name": line.name, "words": line.words, "notes": line.notes}:
        ask.write_slide(**typed)


def _draw_head(deck: OpenDeck, ask: Ask) -> None:
    """Draws the fields of the deck's title and author, which a handout prints and a PDF has as metadata."""
    imgui.separator_text("Deck")
    old = {"title": deck.deck.title, "author": deck.deck.author}
    typed = {}
    for key, text in old.items():
        imgui.set_next_item_width(-1.0)
        typed[key] = _kept(text, *imgui.input_text_with_hint(f"##deck {key}", key.capitalize(), text))
        explain(f"The deck's {key}")
    if typed != old:
        ask.write_deck(**typed)


def _kept(text: str, changed: bool, typed: str) -> str:
    """The text of a field after this frame: `typed` if it was `changed`, else `text`.

    Escape keeps the text from before this frame; imgui alone would restore the text from before the typing.
    """
    return typed if changed and not imgui.is_key_pressed(imgui.Key.escape) else text
