"""The deck that is open: its slides as the lines of its file, with their history. Turning a slide is no change."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

HISTORY_LIMIT = 500


class SlideLine(Struct, frozen=True):
    """A slide: `data`, its line of the file without the line's end, and the texts in it; "" where there are none.

    A line that is refused is kept as it is.
    """

    data: bytes
    name: str = ""
    words: str = ""
    notes: str = ""


class Deck(Struct, frozen=True):
    """The file: `head`, its first line without the line's end, the `title` and `author` in it, and its slides."""

    head: bytes
    title: str = ""
    author: str = ""
    slides: tuple[SlideLine, ...] = ()

    @property
    def data(self) -> bytes:
        """The file's bytes."""
        return b"".join(line + b"\n" for line in (self.head, *(slide.data for slide in self.slides)))


class Change(Struct, frozen=True):
    """One state of the deck, what led to it, and the present slide before and after."""

    deck: Deck
    label: str = ""
    before: int = -1
    after: int = -1


class OpenDeck(Struct, frozen=True):
    """`changes[position]` is the deck now; `saved` the deck as it stands in its file `path`, if it has one.

    `index`: the present slide, from 0, and -1 in a deck without slides; `fault`: why it cannot be shown, "" if it can.
    """

    changes: tuple[Change, ...]
    saved: Deck
    position: int = 0
    index: int = -1
    path: Path | None = None
    fault: str = ""

    @staticmethod
    def of(deck: Deck, path: Path | None = None) -> OpenDeck:
        """A deck without history, at its first slide."""
        return OpenDeck((Change(deck),), deck, index=min(0, len(deck.slides) - 1), path=path)

    @property
    def deck(self) -> Deck:
        """The deck as it is now."""
        return self.changes[self.position].deck

    @property
    def slides(self) -> tuple[SlideLine, ...]:
        """The slides as they are now."""
        return self.deck.slides

    @property
    def line(self) -> SlideLine | None:
        """The present slide; None in a deck without slides."""
        return self.slides[self.index] if self.slides else None

    @property
    def name(self) -> str:
        """Its title, else the file's name."""
        return self.deck.title or (self.path.name if self.path is not None else "New deck")

    def title_of(self, index: int) -> str:
        """What a slide is called."""
        return self.slides[index].name or f"Slide {index + 1}"

    @property
    def unsaved(self) -> bool:
        """Whether it differs from its file."""
        return self.deck != self.saved

    def changed(self, slides: tuple[SlideLine, ...], index: int, label: str, *, joined: bool = False) -> OpenDeck:
        """The deck with other slides, of which `index` is present; `joined`: one change with the last of that label."""
        return self.become(replace(self.deck, slides=slides), index, label, joined=joined)

    def become(self, deck: Deck, index: int, label: str, *, joined: bool = False) -> OpenDeck:
        """Another deck in place of this one, as a change of it; the rest as in `changed`."""
        if deck == self.deck:
            return self
        kept, before = self.changes[: self.position + 1], self.index
        if joined and kept[-1].label == label:
            kept, before = kept[:-1], kept[-1].before
        kept = kept[-(HISTORY_LIMIT - 1) :]
        change = Change(deck, label, before, index)
        return replace(self, changes=(*kept, change), position=len(kept), index=index, fault="")

    @property
    def undo_label(self) -> str:
        """The change that undo takes back, "" if there is none."""
        return self.changes[self.position].label if self.position else ""

    @property
    def redo_label(self) -> str:
        """The change that redo brings back, "" if there is none."""
        return self.changes[self.position + 1].label if self.position + 1 < len(self.changes) else ""

    def undone(self) -> OpenDeck:
        """One change back; the same deck at the beginning."""
        if not self.position:
            return self
        return replace(self, position=self.position - 1, index=self.changes[self.position].before, fault="")

    def redone(self) -> OpenDeck:
        """One change forward; the same deck at the end."""
        if not self.redo_label:
            return self
        return replace(self, position=self.position + 1, index=self.changes[self.position + 1].after, fault="")

    def saved_as(self, path: Path) -> OpenDeck:
        """The deck after it was written to `path`."""
        return replace(self, saved=self.deck, path=path)
