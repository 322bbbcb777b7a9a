"""The open deck: its slides as the lines of its file, and its history. Going to another slide is not in the history."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

HISTORY_LIMIT = 500
"""The most states in the history of a document or of a deck."""


class SlideLine(Struct, frozen=True):
    """A slide. `data`: its line of the file without the line end; the other fields are texts in the line, or "".

    A line that cannot be read is kept unchanged.
    """

    data: bytes
    name: str = ""
    words: str = ""
    notes: str = ""


class Deck(Struct, frozen=True):
    """A deck. `head`: its file's first line without the line end, which contains `title` and `author`."""

    head: bytes
    title: str = ""
    author: str = ""
    slides: tuple[SlideLine, ...] = ()

    @property
    def data(self) -> bytes:
        """The bytes of the deck's file."""
        return b"".join(line + b"\n" for line in (self.head, *(slide.data for slide in self.slides)))


class DeckChange(Struct, frozen=True):
    """A state of the deck. `label`: the change that led to it. `before`, `after`: the current slide at that change."""

    deck: Deck
    label: str = ""
    before: int = -1
    after: int = -1


class OpenDeck(Struct, frozen=True):
    """The open deck with its history. `changes[position]` has the present deck; `saved`: the deck in the file `path`.

    `index`: the current slide, from 0; -1 in a deck without slides. `fault`: why the slide cannot be shown, "" if it
    can.
    """

    changes: tuple[DeckChange, ...]
    saved: Deck
    position: int = 0
    index: int = -1
    path: Path | None = None
    fault: str = ""

    @staticmethod
    def of(deck: Deck, path: Path | None = None) -> OpenDeck:
        """The open deck without history, at its first slide. `path`: its file, if any."""
        return OpenDeck((DeckChange(deck),), deck, index=min(0, len(deck.slides) - 1), path=path)

    @property
    def deck(self) -> Deck:
        """The present deck."""
        return self.changes[self.position].deck

    @property
    def slides(self) -> tuple[SlideLine, ...]:
        """The present slides."""
        return self.deck.slides

    @property
    def line(self) -> SlideLine | None:
        """The current slide; None in a deck without slides."""
        return self.slides[self.index] if self.slides else None

    @property
    def name(self) -> str:
        """The deck's title, else its file's name."""
        return self.deck.title or (self.path.name if self.path is not None else "New deck")

    def title_of(self, index: int) -> str:
        """The slide's name, else its number."""
        return self.slides[index].name or f"Slide {index + 1}"

    @property
    def unsaved(self) -> bool:
        """Whether the deck differs from its file."""
        return self.deck != self.saved

    def changed(self, slides: tuple[SlideLine, ...], index: int, label: str, *, joined: bool = False) -> OpenDeck:
        """The open deck after a change to these slides, with the slide `index` current.

        `joined`: the change is merged with the last one if that has the same label.
        """
        return self.become(replace(self.deck, slides=slides), index, label, joined=joined)

    def become(self, deck: Deck, index: int, label: str, *, joined: bool = False) -> OpenDeck:
        """The open deck after a change to `deck`, itself for the same deck; the other arguments as in `changed`."""
        if deck == self.deck:
            return self
        kept, before = self.changes[: self.position + 1], self.index
        if joined and kept[-1].label == label:
            kept, before = kept[:-1], kept[-1].before
        kept = kept[-(HISTORY_LIMIT - 1) :]
        change = DeckChange(deck, label, before, index)
        return replace(self, changes=(*kept, change), position=len(kept), index=index, fault="")

    @property
    def undo_label(self) -> str:
        """The name of the change that undo takes back; "" if there is none."""
        return self.changes[self.position].label if self.position else ""

    @property
    def redo_label(self) -> str:
        """The name of the change that redo brings back; "" if there is none."""
        return self.changes[self.position + 1].label if self.position + 1 < len(self.changes) else ""

    def undone(self) -> OpenDeck:
        """The open deck one change back; unchanged at the beginning of the history."""
        if not self.position:
            return self
        return replace(self, position=self.position - 1, index=self.changes[self.position].before, fault="")

    def redone(self) -> OpenDeck:
        """The open deck one change forward; unchanged at the end of the history."""
        if not self.redo_label:
            return self
        return replace(self, position=self.position + 1, index=self.changes[self.position + 1].after, fault="")

    def saved_as(self, path: Path) -> OpenDeck:
        """The deck after it was written to `path`."""
        return replace(self, saved=self.deck, path=path)
