"""Changes of the document: another one, edits with their undo, and the handles of the selected body."""

from __future__ import annotations

from msgspec.structs import replace

from core.scene import Scene

from ..input.gizmo import Gizmo, GizmoTool
from ..state.document import Document
from ..state.view import View
from ..state.work import Work
from .autosave import Keeping
from .cameras import Cameras
from .notices import Notices
from .preferences import Preferences
from .quiz import Quiz
from .steps import Steps


class Edits:
    """Who edits. `tool`, `local_axes`: which handles the selected body has, and along which axes."""

    def __init__(
        self,
        work: Work,
        preferences: Preferences,
        notices: Notices,
        keeping: Keeping,
        steps: Steps,
        quiz: Quiz,
        cameras: Cameras,
    ) -> None:
        self._work, self._preferences, self._notices, self._keeping = work, preferences, notices, keeping
        self._steps, self._quiz, self._cameras = steps, quiz, cameras
        self.tool = GizmoTool.MOVE
        self.local_axes = False
        self._looked_at_space = work.view
        self._told_of_edit = 0

    @property
    def gizmo(self) -> Gizmo | None:
        """The handles of the selected body."""
        work = self._work
        if work.selection is None or "bodies" not in work.view.shown:
            return None
        return Gizmo(work.scene, work.selection, self.tool, self.local_axes)

    def show(self, document: Document, view: View | None, preset: str | None = None, *, steady: bool = False) -> None:
        """Puts another document in place of this one; without a view of its own it is framed as the user looks now.

        `steady`: without a view of its own it is looked at as before, from where most of it is in sight; and unless a
        step comes with it, the place in the steps stays.
        """
        work, cameras = self._work, self._cameras
        self._quiz.stop()
        before, work.document, work.opened, work.preset = work.flat, document, document.committed, preset
        if work.flat is not before:
            self._look_elsewhere()
        if steady and view is None:
            cameras.keep()
            cameras.bring_back()
            return
        cameras.frame_anew()
        looked = replace(work.view, pin=None, probe=None, fitted=True, motion=None, time=None) if view is None else view
        work.view = replace(looked, hover=None, step=0).upright(self._preferences.settings.z_up)
        if looked.step or not steady:
            self._steps.begin(looked.step)

    def _look_elsewhere(self) -> None:
        """From the plane to space one looks again as before; from space to the plane that is remembered."""
        work, space = self._work, self._looked_at_space
        work.selection = None
        if work.flat:
            self._looked_at_space = work.view
        else:
            work.view = replace(work.view, world=space.world, difference=space.difference, motion=space.motion)

    def edit(self, scene: Scene, label: str, told: str = "") -> None:
        """Makes `scene` the document's, as one undo entry; what is told of it goes with the next edit or undo."""
        self._edited(self._work.document.edited(scene, label))
        if told:
            self._told_of_edit = self._notices.notify(told)

    def undo(self) -> None:
        """One edit back."""
        self._edited(self._work.document.undone())

    def redo(self) -> None:
        """One edit forward."""
        self._edited(self._work.document.redone())

    def _edited(self, document: Document) -> None:
        before, self._work.document = self._work.document.committed, document
        self._notices.dismiss(self._told_of_edit)
        self._keeping.keep()
        if all(before.body(index).shape != document.committed.body(index).shape for index in (0, 1)):
            # Another pair altogether, such as a random one.
            self._cameras.frame_anew()
        else:
            self._cameras.bring_back()

    def reset_body(self, index: int) -> None:
        """One body as it was when the document was opened."""
        scene = self._work.document.committed.with_body(index, self._work.opened.body(index))
        self.edit(scene, f"Reset {'AB'[index]}")
