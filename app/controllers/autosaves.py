"""Saves unsaved work for recovery after each change."""

from __future__ import annotations

from collections.abc import Callable

from ..io.session import Autosave, Left
from ..state.deck import OpenDeck
from ..state.work import Work
from ..storage.files import state_folder
from .notices import Notices


class AutosaveSlot:
    """The autosave of the scene or the deck. `recovered`: the recovered work that is open, until saved elsewhere."""

    def __init__(self, notices: Notices, suffix: str) -> None:
        self._notices, self.autosave = notices, Autosave(state_folder(), suffix=suffix)
        self._problem: str | None = None
        self.recovered: Left | None = None

    def keep(self, save: Callable[[bool], None] | None) -> None:
        """Updates the autosave by `save(durable)`; None removes it, because everything is saved.

        Shows a notice when saving begins to fail.
        """
        if save is None:
            self.autosave.clear()
            return
        save(self.recovered is not None)
        if self.autosave.problem is None:
            self.drop_recovered()
        if self.autosave.problem != self._problem:
            self._problem = self.autosave.problem
            if self._problem is not None:
                self._notices.notify(self._problem, error=True)

    def drop_recovered(self) -> None:
        """Removes the recovered autosave, once the work is whole in another file."""
        if self.recovered is not None:
            self.recovered.discard()
            self.recovered = None


class Autosaves:
    """Autosaves the scene and the deck."""

    def __init__(self, work: Work, notices: Notices) -> None:
        self._work, self.scene, self.deck = work, AutosaveSlot(notices, ".json"), AutosaveSlot(notices, ".jsonl")
        self._deck: OpenDeck | None = None

    def keep(self) -> None:
        """Updates the autosaves of the scene, except for a lesson's, and of a changed deck."""
        document, view, deck = self._work.document, self._work.view, self._work.deck
        # A lesson's scene is not saved: the autosave on disk is the document before the lesson.
        if not document.scratch:
            # Without the step, for which the answers may have to be waited for: this runs after every edit.
            save, scene, path = self.scene.autosave.save, document.committed, document.path
            self.scene.keep((lambda durable: save(scene, view, path, durable=durable)) if document.unsaved else None)
        if deck is self._deck:
            return
        save_deck = self.deck.autosave.save_deck
        unsaved = deck is not None and deck.unsaved
        self.deck.keep((lambda durable: save_deck(deck, durable=durable)) if deck is not None and unsaved else None)
        # A failed autosave is tried again with the next change.
        self._deck = deck if self.deck.autosave.problem is None else None

    def let_go(self) -> None:
        """Leaves unsaved work to be offered at the next start, when the program ends without asking."""
        self.keep()
        self.scene.autosave.let_go()
        self.deck.autosave.let_go()

    def close(self) -> None:
        """Removes the autosaves at a normal end of the program."""
        self.scene.autosave.close()
        self.deck.autosave.close()
