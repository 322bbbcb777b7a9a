"""Shows, changes and saves the open deck.

Edits on a slide are only for show until the slide is replaced. Other scenes can be opened while the deck stays open,
and added to it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from ..io.deck_file import (
    LONGEST_TEXTS,
    MOST_SLIDES,
    NEW_DECK,
    Slide,
    read_deck,
    slide_line_of,
    slide_of,
    with_head,
    with_texts,
)
from ..io.scene_file import SceneError
from ..io.session import FileWatch, RecoveredDeck
from ..state.deck import Deck, OpenDeck, SlideLine
from ..state.panel_state import DialogChoice, Dialogs, LogPosition, Pending
from ..state.view import View
from ..state.work import Document
from ..storage.files import readable, reason_of, write_atomic
from ..storage.strict_json import DataError
from .notices import Questions
from .services import Services

PANEL = "deck"
"""The panel's id among the docked ones."""
SAVE_CHOICES = (DialogChoice("save", "Save"), DialogChoice("discard", "Discard"), DialogChoice("cancel", "Cancel"))


class Decks:
    """Opens, changes and saves the deck. Requests about the deck or its current slide do nothing without one."""

    def __init__(
        self,
        services: Services,
        questions: Questions,
        dialogs: Dialogs,
        show: Callable[[Document, View | None], None],
        remember: Callable[[Path], None],
    ) -> None:
        """`show`: shows another document; `remember`: adds a path to the recent files."""
        self._work, self._notices = services.work, services.notices
        self._autosaves, self._steps = services.autosaves, services.steps
        self._quiz, self._preferences = services.quiz, services.preferences
        self._questions, self._dialogs = questions, dialogs
        self._show_document, self._remember = show, remember
        self._after_save: Callable[[], None] | None = None
        self._watch = FileWatch()

    @property
    def position(self) -> LogPosition | None:
        """The position in the deck; None without a deck or a slide."""
        deck = self._work.deck
        if deck is None or not deck.slides:
            return None
        document = self._work.document
        other = document.path.name if document.path is not None else document.scene.name or "The scene shown"
        title = deck.title_of(deck.index) if document.is_slide else f"{other} is not a slide"
        place = readable(f"{deck.name}: {title}"), deck.index, len(deck.slides), deck.fault, deck.path
        return LogPosition(*place, deck=True, away=not document.is_slide)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the panel's list and fields, whose letters may need other fonts.

        Empty without a deck; the names of slides only while the deck's panel is open.
        """
        deck = self._work.deck
        if deck is None:
            return ()
        if deck.line is None:
            return deck.name, deck.deck.author
        names = (line.name for line in deck.slides) if PANEL in self._dialogs.docked else ()
        return (deck.name, deck.deck.author, deck.line.words, deck.line.notes, *names)

    # Opening and showing.

    def open(self, deck: OpenDeck) -> None:
        """Opens a deck and shows its current slide; without slides opens the deck's panel."""
        self.leave()
        self._put(deck)
        self._watch.follow(deck.path)
        self.go_to(deck.index)
        if not deck.slides:
            self.open_panel()

    def new(self) -> None:
        """Opens a deck without slides, and its panel; the shown scene stays."""
        self.leave()
        self._put(OpenDeck.of(NEW_DECK))
        self.open_panel()

    def leave(self) -> None:
        """Closes the deck; the shown scene stays, as an ordinary scene."""
        self._work.document = replace(self._work.document, is_slide=False)
        self._put(None)
        self._watch.follow(None)

    def open_panel(self) -> None:
        """Shows the deck's panel, and turns on the setting that shows docked panels."""
        self._dialogs.dock(PANEL, shown=True)
        if not self._preferences.settings.panels:
            self._preferences.configure(replace(self._preferences.settings, panels=True))

    def go_to(self, index: int) -> None:
        """Goes to a slide and shows it as stored, whatever was shown before, with the timeline closed.

        An index outside the deck is ignored. A slide that cannot be read is not shown; the deck's `fault` says why.
        """
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
        self._show_document(Document.new(slide.scene, is_slide=True), slide.view or View())
        if slide.question is not None and not self._quiz.pose(slide.question):
            self._notices.notify(f"This slide asks about {slide.question}, which cannot be seen on this pair.")
        for remark in slide.remarks:
            self._notices.notify(remark)

    def back(self) -> None:
        """Shows the current slide as stored."""
        if self._work.deck is not None:
            self.go_to(self._work.deck.index)

    # Changing.

    def _put(self, deck: OpenDeck | None) -> None:
        self._work.deck = deck
        self._autosaves.keep()

    def add(self) -> None:
        """Adds the shown view as a slide after the current one, in a new deck if none is open.

        Refuses with a notice if the deck is full or the view cannot be a slide.
        """
        if self._work.deck is None:
            self.new()
        deck, scene = self._work.deck, self._work.document.committed
        assert deck is not None
        if len(deck.slides) >= MOST_SLIDES:
            self._notices.notify(f"A deck has at most {MOST_SLIDES} slides.", error=True)
            return
        # Notes that are too long for a slide become the lecturer's notes.
        long = len(scene.notes) > LONGEST_TEXTS["words"]
        words, notes = ("", scene.notes) if long else (scene.notes, "")
        line, at = self._line_of_view(words, notes, scene.name), deck.index + 1
        if line is None:
            return
        slides = (*deck.slides[:at], line, *deck.slides[at:])
        self._put(deck.changed(slides, at, f"Add slide {at + 1}"))
        self._own()
        self._notices.notify(f"This view is slide {at + 1} now.{' Its notes are to be printed.' if long else ''}")

    def replace(self) -> bool:
        """Replaces the current slide by the shown view, keeping its texts; returns False after a refusal, a notice.

        It refuses without a slide, for one that cannot be read, and for a view that cannot be a slide.
        """
        deck = self._work.deck
        if deck is None or deck.line is None or deck.fault:
            self._notices.notify("There is no slide that can be replaced.", error=True)
            return False
        document, old = self._work.document, deck.line
        line = self._line_of_view(old.words, old.notes, old.name if document.is_slide else document.committed.name)
        if line is None:
            return False
        self._put(deck.changed(_put_in(deck, line), deck.index, f"Replace slide {deck.index + 1}"))
        self._own()
        self._notices.notify(f"Slide {deck.index + 1} has this view now.")
        return True

    def _line_of_view(self, words: str, notes: str, name: str) -> SlideLine | None:
        """The shown view as a slide's line; None after a refusal, a notice."""
        scene, asked = replace(self._work.document.committed, notes=words, name=name), self._quiz.asked
        question = None if asked is None else asked.question.kind
        try:
            return slide_line_of(Slide(scene, self._steps.kept_view, printed=notes, question=question))
        except DataError as error:
            self._notices.notify(f"This view cannot be a slide: {error}", error=True)
            return None

    def _own(self) -> None:
        """Marks the shown scene as the current slide; changes of a scene with its own file count for that file."""
        document = self._work.document
        saved = document.committed if document.path is None else document.saved
        self._work.document = replace(document, saved=saved, is_slide=True)
        self._autosaves.keep()

    def move(self, by: int) -> None:
        """Moves the current slide `by` places on, if that place exists."""
        deck = self._work.deck
        if deck is None or deck.line is None or not 0 <= (to := deck.index + by) < len(deck.slides):
            return
        others = _without(deck)
        slides = (*others[:to], deck.line, *others[to:])
        self._put(deck.changed(slides, to, f"Move slide {deck.index + 1}"))

    def remove(self) -> None:
        """Removes the current slide; the next, or the last, becomes current. Undo brings it back.

        The new current slide is shown if the removed one was; another scene stays.
        """
        deck = self._work.deck
        if deck is None or deck.line is None:
            return
        left = _without(deck)
        self._become(deck.changed(left, min(deck.index, len(left) - 1), f"Remove slide {deck.index + 1}"))
        self._notices.notify(f"Slide {deck.index + 1} is removed. Undo in the panel Deck brings it back.")

    def undo(self) -> None:
        """Undoes one change of the deck; if a slide is shown, shows the one that was current before it."""
        if self._work.deck is not None:
            self._become(self._work.deck.undone())

    def redo(self) -> None:
        """Redoes one change of the deck; if a slide is shown, shows the one that was current after it."""
        if self._work.deck is not None:
            self._become(self._work.deck.redone())

    def _become(self, deck: OpenDeck) -> None:
        """Sets another state of the deck, and shows its current slide in place of a slide without a file.

        Another scene stays, and is no slide of the deck any more. A current slide that is the same changes nothing.
        """
        before, document = self._work.deck, self._work.document
        self._put(deck)
        if before is not None and deck.line == before.line:
            return
        if document.slide_without_file and deck.line is not None:
            self.go_to(deck.index)
        else:
            self._work.document = replace(document, is_slide=False)

    def write(self, name: str, words: str, notes: str) -> None:
        """Gives the current slide these texts, cut at their limits with a notice.

        Does nothing for a slide that cannot be read.
        """
        deck = self._work.deck
        if deck is None or deck.line is None or deck.fault:
            return
        texts = {"name": name, "words": words, "notes": notes}
        kept = self._kept(texts, deck.line, "slide", {"name": LONGEST_TEXTS["title"]})
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
        """Gives the deck a title and an author, cut at their limits with a notice."""
        deck = self._work.deck
        if deck is None:
            return
        kept = self._kept({"title": title, "author": author}, deck.deck, "deck", {})
        if kept:
            changed = with_head(deck.deck, kept)
            self._put(deck.become(changed, deck.index, f"{' and '.join(kept).capitalize()} of the deck", joined=True))

    def _kept(self, texts: dict[str, str], old: SlideLine | Deck, what: str, limits: dict[str, int]) -> dict[str, str]:
        """The changed texts by key, cut at their limits with a notice. `what`: slide or deck.

        `limits`: the largest number of characters, where it differs from LONGEST_TEXTS.
        """
        kept = {}
        for key, text in texts.items():
            most = limits.get(key) or LONGEST_TEXTS[key]
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
        """Writes the deck to `path`, whole or not at all, and makes that its file; shows a notice.

        Then calls what was to follow saving (see `guard`). If writing fails, the notice says so and nothing follows.
        """
        deck, document = self._work.deck, self._work.document
        if deck is None:
            return
        after, self._after_save = self._after_save, None
        try:
            write_atomic(path, deck.deck.data)
        except (OSError, ValueError) as error:
            self._notices.notify(f"{path}: could not be written: {reason_of(error)}", error=True)
            return
        self._autosaves.deck.drop_recovered()
        self._put(deck.saved_as(path))
        self._watch.follow(path)
        self._remember(path)
        moved = " What you changed on this slide is not in it: Replace with this view keeps it."
        self._notices.notify(f"Saved {path.name}.{moved if document.slide_without_file and document.unsaved else ''}")
        if after is not None:
            after()

    def look_at_disk(self) -> None:
        """Offers to reload when another program has changed the deck's file.

        The open deck is in no file then, so it counts as unsaved.
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
        choices = DialogChoice("reload", "Reload"), DialogChoice("keep", "Keep the deck shown")
        self._questions.ask(Pending("File changed", words, choices), {"reload": self.reload})

    def reload(self) -> None:
        """Reads the deck's file again, as one change that can be undone; shows a notice if it cannot.

        Does nothing for a deck without a file. The slide shown keeps its place, or is the last one.
        """
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
        """Drops the action that was to follow saving, when no file name is being asked for any more."""
        self._after_save = None

    def guard(self, then: Callable[[], None]) -> None:
        """Calls `then`, which closes the deck, at once or after asking about unsaved changes."""
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
        """Opens a recovered deck as a change of the deck in its file; shows its slide and the panel."""
        slides = found.deck.slides
        deck = base.changed(slides, min(found.index, len(slides) - 1), "Recover")
        self.leave()
        self._autosaves.deck.recovered = found
        self._put(deck)
        self._watch.follow(deck.path)
        if not deck.unsaved:
            # The file has the same deck.
            self._autosaves.deck.drop_recovered()
        self.go_to(deck.index)
        self.open_panel()


def _without(deck: OpenDeck) -> tuple[SlideLine, ...]:
    """The slides without the current one."""
    return (*deck.slides[: deck.index], *deck.slides[deck.index + 1 :])


def _put_in(deck: OpenDeck, line: SlideLine) -> tuple[SlideLine, ...]:
    """The slides with the current one replaced."""
    return (*deck.slides[: deck.index], line, *deck.slides[deck.index + 1 :])
