"""The deck that is open: showing its slides, changing them, saving it.

What is dragged on a slide only shows: it belongs to the slide once that is replaced. Other scenes can be opened while
the deck stays, and added to it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from ..io.deck_file import LONGEST, MOST_SLIDES, NEW_DECK, Slide, line_of, read_deck, slide_of, with_head, with_texts
from ..io.scene_file import SceneError
from ..io.session import FileWatch, RecoveredDeck
from ..state.deck import Deck, OpenDeck, SlideLine
from ..state.panel_state import Choice, Dialogs, LogPosition, Pending
from ..state.view import View
from ..state.work import Document
from ..storage.files import readable, reason_of, write_atomic
from ..storage.strict_json import DataError
from .notices import Questions
from .parts import Parts

PANEL = "deck"
"""The panel's id among the docked ones."""
SAVE_CHOICES = (Choice("save", "Save"), Choice("discard", "Discard"), Choice("cancel", "Cancel"))


class Decks:
    """Who opens and changes it."""

    def __init__(
        self,
        parts: Parts,
        questions: Questions,
        dialogs: Dialogs,
        show: Callable[[Document, View | None], None],
        remember: Callable[[Path], None],
    ) -> None:
        """`show`: puts another document in place of this one; `remember`: among the recent files."""
        self._work, self._notices, self._keeping, self._steps = parts.work, parts.notices, parts.keeping, parts.steps
        self._quiz, self._preferences = parts.quiz, parts.preferences
        self._questions, self._dialogs = questions, dialogs
        self._show_document, self._remember = show, remember
        self._after_save: Callable[[], None] | None = None
        self._watch = FileWatch()

    @property
    def position(self) -> LogPosition | None:
        """Where one stands; None without a slide."""
        deck = self._work.deck
        if deck is None or not deck.slides:
            return None
        document = self._work.document
        other = document.path.name if document.path is not None else document.scene.name or "The scene shown"
        title = deck.title_of(deck.index) if document.slide else f"{other} is not a slide"
        place = readable(f"{deck.name}: {title}"), deck.index, len(deck.slides), deck.fault, deck.path
        return LogPosition(*place, deck=True, away=not document.slide)

    @property
    def texts(self) -> tuple[str, ...]:
        """What its list and fields say, in letters that may be any."""
        deck = self._work.deck
        if deck is None:
            return ()
        if deck.line is None:
            return deck.name, deck.deck.author
        names = (line.name for line in deck.slides) if PANEL in self._dialogs.docked else ()
        return (deck.name, deck.deck.author, deck.line.words, deck.line.notes, *names)

    # Opening and showing.

    def open(self, deck: OpenDeck) -> None:
        """Shows the present slide of a deck that was read."""
        self.leave()
        self._put(deck)
        self._watch.follow(deck.path)
        self.turn(deck.index)
        if not deck.slides:
            self.open_panel()

    def new(self) -> None:
        """A deck without slides; the scene shown stays."""
        self.leave()
        self._put(OpenDeck.of(NEW_DECK))
        self.open_panel()

    def leave(self) -> None:
        """No deck is open any more; the scene shown stays, as one of its own."""
        self._work.document = replace(self._work.document, slide=False)
        self._put(None)
        self._watch.follow(None)

    def open_panel(self) -> None:
        """Shows the panel in which slides are written on."""
        self._dialogs.dock(PANEL, shown=True)
        if not self._preferences.settings.panels:
            self._preferences.configure(replace(self._preferences.settings, panels=True))

    def turn(self, index: int) -> None:
        """Makes a slide the present one and shows it as the deck has it: nothing depends on what was shown before."""
        deck = self._work.deck
        if deck is None or not 0 <= index < len(deck.slides):
            return
        try:
            slide, fault = slide_of(deck.slides[index]), ""
        except DataError as error:
            file = readable(deck.path.name if deck.path is not None else deck.name)
            fault = f"{readable(str(SceneError(error.path, error.message, f'{file}, slide {index + 1}')))}. "
        self._work.deck = replace(deck, index=index, fault=fault and f"{fault}The previous scene is still shown.")
        if not fault:
            self._show(slide)

    def _show(self, slide: Slide) -> None:
        self._steps.play(replace(self._work.playback, open=False, playing=False))
        self._show_document(Document.new(slide.scene, slide=True), slide.view or View())
        if slide.question is not None and not self._quiz.pose(slide.question):
            self._notices.notify(f"This slide asks about {slide.question}, which cannot be seen on this pair.")
        for remark in slide.remarks:
            self._notices.notify(remark)

    def back(self) -> None:
        """The present slide as the deck has it."""
        if self._work.deck is not None:
            self.turn(self._work.deck.index)

    # Changing.

    def _put(self, deck: OpenDeck | None) -> None:
        self._work.deck = deck
        self._keeping.keep()

    def add(self) -> None:
        """What is shown, as a slide after the present one; of a new deck where none is open."""
        if self._work.deck is None:
            self.new()
        deck, scene = self._work.deck, self._work.document.committed
        assert deck is not None
        if len(deck.slides) >= MOST_SLIDES:
            self._notices.notify(f"A deck has at most {MOST_SLIDES} slides.", error=True)
            return
        # Notes too long to be read from the last row are for the lecturer.
        long = len(scene.notes) > LONGEST["words"]
        words, notes = ("", scene.notes) if long else (scene.notes, "")
        line, at = self._line_of_view(words, notes, scene.name), deck.index + 1
        if line is None:
            return
        slides = (*deck.slides[:at], line, *deck.slides[at:])
        self._put(deck.changed(slides, at, f"Add slide {at + 1}"))
        self._own()
        self._notices.notify(f"This view is slide {at + 1} now.{' Its notes are to be printed.' if long else ''}")

    def replace(self) -> bool:
        """What is shown becomes the present slide, with its words and notes; False where that cannot be."""
        deck = self._work.deck
        if deck is None or deck.line is None or deck.fault:
            self._notices.notify("There is no slide that can be replaced.", error=True)
            return False
        document, old = self._work.document, deck.line
        line = self._line_of_view(old.words, old.notes, old.name if document.slide else document.committed.name)
        if line is None:
            return False
        self._put(deck.changed(_put_in(deck, line), deck.index, f"Replace slide {deck.index + 1}"))
        self._own()
        self._notices.notify(f"Slide {deck.index + 1} has this view now.")
        return True

    def _line_of_view(self, words: str, notes: str, name: str) -> SlideLine | None:
        """What is shown as a slide; None after a refusal."""
        scene, asked = replace(self._work.document.committed, notes=words, name=name), self._quiz.asked
        question = None if asked is None else asked.question.kind
        try:
            return line_of(Slide(scene, self._steps.kept_view, printed=notes, question=question))
        except DataError as error:
            self._notices.notify(f"This view cannot be a slide: {error}", error=True)
            return None

    def _own(self) -> None:
        """What is shown is the present slide; changes of a scene that has a file of its own stay that file's."""
        document = self._work.document
        saved = document.committed if document.path is None else document.saved
        self._work.document = replace(document, saved=saved, slide=True)
        self._keeping.keep()

    def move(self, by: int) -> None:
        """The present slide `by` places on."""
        deck = self._work.deck
        if deck is None or deck.line is None or not 0 <= (to := deck.index + by) < len(deck.slides):
            return
        others = _without(deck)
        slides = (*others[:to], deck.line, *others[to:])
        self._put(deck.changed(slides, to, f"Move slide {deck.index + 1}"))

    def remove(self) -> None:
        """Takes the present slide out; the one after it is shown."""
        deck = self._work.deck
        if deck is None or deck.line is None:
            return
        left = _without(deck)
        self._become(deck.changed(left, min(deck.index, len(left) - 1), f"Remove slide {deck.index + 1}"))
        self._notices.notify(f"Slide {deck.index + 1} is removed. Undo in the panel Deck brings it back.")

    def undo(self) -> None:
        """One change of the deck back."""
        if self._work.deck is not None:
            self._become(self._work.deck.undone())

    def redo(self) -> None:
        """One change of the deck forward."""
        if self._work.deck is not None:
            self._become(self._work.deck.redone())

    def _become(self, deck: OpenDeck) -> None:
        """Another state of the deck; where a slide is shown it is the present one then, if nothing is lost by it."""
        before, document = self._work.deck, self._work.document
        self._put(deck)
        if before is not None and deck.line == before.line:
            return
        if document.only_shows and deck.line is not None:
            self.turn(deck.index)
        else:
            self._work.document = replace(document, slide=False)

    def write(self, name: str, words: str, notes: str) -> None:
        """Gives the present slide these texts; what is beyond their limits is told and left out."""
        deck = self._work.deck
        if deck is None or deck.line is None or deck.fault:
            return
        texts = {"name": name, "words": words, "notes": notes}
        kept = self._kept(texts, deck.line, "slide", {"name": LONGEST["title"]})
        if not kept:
            return
        try:
            line = with_texts(deck.line, kept)
        except DataError as error:
            self._notices.notify(f"Slide {deck.index + 1} cannot be written on: {error}", error=True)
            return
        label = f"{' and '.join(kept).capitalize()} of slide {deck.index + 1}"
        self._put(deck.changed(_put_in(deck, line), deck.index, label, joined=True))

    def entitle(self, title: str, author: str) -> None:
        """Gives the deck a title and an author; what is beyond their limits is told and left out."""
        deck = self._work.deck
        if deck is None:
            return
        kept = self._kept({"title": title, "author": author}, deck.deck, "deck", {})
        if kept:
            changed = with_head(deck.deck, kept)
            self._put(deck.become(changed, deck.index, f"{' and '.join(kept).capitalize()} of the deck", joined=True))

    def _kept(self, texts: dict[str, str], old: SlideLine | Deck, what: str, limits: dict[str, int]) -> dict[str, str]:
        """The texts that are not the old ones, by key, within their limits."""
        kept = {}
        for key, text in texts.items():
            most = limits.get(key) or LONGEST[key]
            if text == getattr(old, key):
                continue
            kept[key] = text[:most]
            if len(text) > most:
                told = f"The {key} of a {what} can have {most} characters: the {what} keeps the first {most}."
                self._notices.notify(told, error=True)
        return kept

    # Saving.

    def save(self) -> None:
        """Writes the deck to its file, or asks for one."""
        deck = self._work.deck
        if deck is None:
            return
        if deck.path is None:
            self._dialogs.deck = True
        else:
            self.save_to(deck.path)

    def save_to(self, path: Path) -> None:
        """Writes the deck to `path`, whole or not at all, and makes that its file."""
        deck, document = self._work.deck, self._work.document
        if deck is None:
            return
        after, self._after_save = self._after_save, None
        try:
            write_atomic(path, deck.deck.data)
        except (OSError, ValueError) as error:
            self._notices.notify(f"{path}: could not be written: {reason_of(error)}", error=True)
            return
        self._keeping.deck.drop_recovered()
        self._put(deck.saved_as(path))
        self._watch.follow(path)
        self._remember(path)
        moved = " What you changed on this slide is not in it: Replace with this view keeps it."
        self._notices.notify(f"Saved {path.name}.{moved if document.only_shows and document.unsaved else ''}")
        if after is not None:
            after()

    def look_at_disk(self) -> None:
        """Offers to reload when another program has written another deck into the file.

        What is open stands nowhere else then, so it counts as unsaved.
        """
        deck = self._work.deck
        if deck is None or deck.path is None or not self._watch.changed():
            return
        path, found = deck.path, None
        self._watch.follow(path)
        with suppress(SceneError):
            found = read_deck(path)
        if found == deck.saved:
            return
        self._put(replace(deck, saved=found or Deck(b"")))
        if found == deck.deck:
            return
        words = f"{path.name} was changed by another program. Reloading it can be undone in the panel Deck."
        choices = Choice("reload", "Reload"), Choice("keep", "Keep the deck shown")
        self._questions.ask(Pending("File changed", words, choices), {"reload": self.reload})

    def reload(self) -> None:
        """Reads the deck's file again, as one change that can be undone."""
        deck = self._work.deck
        if deck is None or deck.path is None:
            return
        self._watch.follow(deck.path)
        try:
            found = read_deck(deck.path)
        except SceneError as error:
            self._notices.notify(str(error), error=True)
            return
        if found is None:
            self._notices.notify(f"{deck.path}: is no deck any more; the one shown stays open.", error=True)
            return
        index = min(max(deck.index, 0), len(found.slides) - 1)
        self._become(replace(deck.become(found, index, "Reload"), saved=found))

    def no_name_asked(self) -> None:
        """No file name is being asked for (any more): what was to follow the saving follows no later one."""
        self._after_save = None

    def guard(self, then: Callable[[], None]) -> None:
        """Goes on with `then`, which ends the deck, once it is said what to do with its changes."""
        deck = self._work.deck
        if deck is None or not deck.unsaved:
            then()
            return

        def save_first() -> None:
            self._after_save = then
            self.save()

        question = Pending("Unsaved changes", f"The deck {deck.name} has changes that are not saved.", SAVE_CHOICES)
        self._questions.ask(question, {"save": save_first, "discard": then})

    def recover(self, found: RecoveredDeck, base: OpenDeck) -> None:
        """What a killed process left behind, as a change of the deck as it stands in its file."""
        slides = found.deck.slides
        deck = base.changed(slides, min(found.index, len(slides) - 1), "Recover")
        self.leave()
        self._keeping.deck.recovered = found
        self._put(deck)
        self._watch.follow(deck.path)
        if not deck.unsaved:
            # Just this stands in the file.
            self._keeping.deck.drop_recovered()
        self.turn(deck.index)
        self.open_panel()


def _without(deck: OpenDeck) -> tuple[SlideLine, ...]:
    """The slides but for the present one."""
    return (*deck.slides[: deck.index], *deck.slides[deck.index + 1 :])


def _put_in(deck: OpenDeck, line: SlideLine) -> tuple[SlideLine, ...]:
    """The slides with another in the place of the present one."""
    return (*deck.slides[: deck.index], line, *deck.slides[deck.index + 1 :])
