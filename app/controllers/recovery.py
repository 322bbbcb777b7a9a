"""Work that a killed process left behind, which is offered at the next start."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ..io.scene_file import SceneError, load
from ..io.session import Recovered, recoverable
from ..state.panel_state import Choice, Pending
from ..state.view import View
from ..state.work import Document, Work
from ..storage.files import state_folder
from .keeping import Keeping
from .notices import Questions

Show = Callable[[Document, View | None], None]


class Recovery:
    """Asks about it, newest first."""

    def __init__(self, work: Work, keeping: Keeping, questions: Questions, show: Show) -> None:
        self._work, self._keeping, self._questions, self._show = work, keeping, questions, show

    def offer(self) -> None:
        """Asks what to do with each, if there is any."""
        found = recoverable(state_folder())
        if found:
            self._offer(found[0], found[1:])

    def _offer(self, work: Recovered, others: tuple[Recovered, ...]) -> None:
        def discard() -> None:
            work.discard()
            if others:
                self._offer(others[0], others[1:])

        name = work.origin.name if work.origin is not None else work.scene.name or "An unsaved scene"
        question = Pending(
            "Unsaved work was found",
            f"{name}, last changed {work.saved_at:%d %B %Y at %H:%M}, was not saved when the program ended.",
            (Choice("recover", "Recover"), Choice("discard", "Discard"), Choice("later", "Ask again next time")),
        )
        self._questions.ask(question, {"recover": lambda: self._recover(work), "discard": discard})

    def _recover(self, work: Recovered) -> None:
        base = self._work.document.committed
        if work.origin is not None:
            # Where the file cannot be read, the recovered work still stands as an unsaved change of that name.
            with suppress(SceneError):
                base = load(work.origin).scene
        # The recovered work is an edit of what is on disk, so it counts as unsaved and can be undone.
        document = Document.new(base, work.origin).edited(work.scene, "Recover")
        self._show(document, work.view)
        self._keeping.recovered = work
        if not document.unsaved:
            # Just this stands in the file.
            self._keeping.drop_recovered()
        self._keeping.keep()
