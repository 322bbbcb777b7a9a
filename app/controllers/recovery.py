"""Offers unsaved work of killed processes at the next start."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from ..io.deck_file import NEW_DECK, read_deck
from ..io.scene_file import SceneError, load
from ..io.session import Recovered, RecoveredDeck, recoverable, recoverable_decks
from ..state.deck import OpenDeck
from ..state.panel_state import DialogChoice, Pending
from ..state.view import View
from ..state.work import Document, Work
from ..storage.files import config_folder, remove_abandoned, state_folder
from .autosaves import Autosaves
from .deck import Decks
from .notices import Questions

Show = Callable[[Document, View | None], None]


class Recovery:
    """Asks about the autosaves, newest first, decks before scenes."""

    def __init__(self, work: Work, autosaves: Autosaves, questions: Questions, show: Show, decks: Decks) -> None:
        self._work, self._autosaves, self._questions, self._show, self._decks = work, autosaves, questions, show, decks

    def offer(self) -> None:
        """Asks what to do with each autosave, and removes abandoned temporary files."""
        for folder in {state_folder(), config_folder()}:
            remove_abandoned(folder)
        self._offer((*recoverable_decks(state_folder()), *recoverable(state_folder())))

    def _offer(self, found: tuple[Recovered | RecoveredDeck, ...]) -> None:
        if not found:
            return
        work, others = found[0], found[1:]

        def discard() -> None:
            work.discard()
            self._offer(others)

        def recover() -> None:
            if isinstance(work, RecoveredDeck):
                self._recover_deck(work)
                # A scene leaves the deck open; another deck would take its place.
                self._offer(tuple(other for other in others if isinstance(other, Recovered)))
            else:
                self._recover(work)

        own = "A new deck" if isinstance(work, RecoveredDeck) else work.scene.name or "An unsaved scene"
        name = work.origin.name if work.origin is not None else own
        question = Pending(
            "Unsaved work was found",
            f"{name}, last changed {work.saved_at:%d %B %Y at %H:%M}, was not saved when the program ended.",
            (
                DialogChoice("recover", "Recover"),
                DialogChoice("discard", "Discard"),
                DialogChoice("later", "Ask again next time"),
            ),
        )
        self._questions.ask(question, {"recover": recover, "discard": discard})

    def _recover(self, work: Recovered) -> None:
        base = self._work.document.committed
        if work.origin is not None:
            # If the file cannot be read, the recovered work is shown as an unsaved change of a file of that name.
            with suppress(SceneError):
                base = load(work.origin).scene
        # The recovered work is an edit of what is on disk, so it counts as unsaved and can be undone.
        document = Document.new(base, work.origin).edited(work.scene, "Recover")
        self._show(document, work.view)
        self._autosaves.scene.recovered = work
        if not document.unsaved:
            # The file has the same scene.
            self._autosaves.scene.drop_recovered()
        self._autosaves.keep()

    def _recover_deck(self, work: RecoveredDeck) -> None:
        base = None
        if work.origin is not None:
            # If the file cannot be read, the recovered work is shown as an unsaved change of a deck of that name.
            with suppress(SceneError):
                base = read_deck(work.origin)
        empty = replace(NEW_DECK, head=work.deck.head, title=work.deck.title)
        self._decks.recover(work, OpenDeck.of(base or empty, work.origin))
