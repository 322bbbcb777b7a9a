"""The work: what actions change. One object of the program has it; each controller changes its own part of it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from core.analysis.knobs import DEFAULT_KNOBS, Knobs
from core.scene import Scene

from .document import Document
from .playback import Playback
from .view import View


class Work(Struct, eq=False):
    """`opened`: the scene as it was opened. `preset`: its id, if it is one. `selection`: body with the handles."""

    document: Document
    opened: Scene
    playback: Playback = Playback()
    preset: str | None = None
    selection: int | None = None
    knobs: Knobs = DEFAULT_KNOBS
    motion_playing: bool = False
    _view: View = View()

    @property
    def view(self) -> View:
        """How the scene is looked at; at a scene of the plane always straight on."""
        return self._view

    @view.setter
    def view(self, view: View) -> None:
        self._view = view.facing(self.scene).pointing()

    @property
    def scene(self) -> Scene:
        """The scene to show: the preview of a drag, else the committed one."""
        return self.document.scene

    @property
    def dragged(self) -> bool:
        """Whether a body is being dragged."""
        return self.document.preview is not None

    @property
    def flat(self) -> bool:
        """Whether the scene is of the plane."""
        return self.document.committed.dimension == 2

    def kept(self) -> Work:
        """A copy to put back."""
        return replace(self)

    def put_back(self, kept: Work) -> None:
        """Makes that the work again, without the preview of a drag."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(kept, name))
        if self.dragged:
            self.document = self.document.previewed(None)

    def at_rest(self) -> Work:
        """A copy that is looked at as simply as can be."""
        return replace(self, _view=View(), playback=Playback(), motion_playing=False)
