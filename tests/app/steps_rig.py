"""The controllers that step through a pair, without a window."""

from __future__ import annotations

from msgspec.structs import replace

from app.controllers.background import AnswerCache
from app.controllers.notices import Notices
from app.controllers.playback import MotionControl, Steps
from app.controllers.preferences import Preferences
from app.state.settings import Settings
from app.state.work import Document, Work
from core.query.query import Phase
from core.scene import Scene


class Desk:
    """A document, a view, and what is known about them."""

    def __init__(self, scene: Scene, answers: type[AnswerCache] = AnswerCache) -> None:
        self.work = Work(Document.new(scene), scene)
        preferences = Preferences(Settings(), self.work, Notices())
        self.answers = answers(self.work)
        self.motion = MotionControl(self.work, preferences)
        self.steps = Steps(self.work, preferences, self.answers, self.motion)

    def drag(self, **changes: object) -> None:
        """B goes elsewhere, or its way, while the mouse is held; what takes long about it is waited for."""
        scene = self.work.scene
        self.work.document = self.work.document.previewed(replace(scene, b=replace(scene.b, **changes)))
        self.motion._sweeps.whole(self.work.scene)

    @property
    def phases(self) -> list[Phase]:
        return [phase for phase, _, _ in self.steps.all.phases]
