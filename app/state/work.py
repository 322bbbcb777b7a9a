"""Work: the state that actions change. The program has one Work; each controller changes its own part.

Its document is an immutable scene with its history. Undo and "unsaved" cover bodies, displacements, name and notes, but
not the View. A drag shows a preview, and its release makes one entry.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.geometry.quaternion import IDENTITY
from core.geometry.triple import ZERO
from core.scene import Body, Scene

from .deck import HISTORY_LIMIT, OpenDeck
from .playback import Playback
from .view import View


class HistoryEntry(Struct, frozen=True):
    """A state of the scene. `label`: the name of the edit that led to it."""

    scene: Scene
    label: str


class Document(Struct, frozen=True):
    """A scene with its history: `entries[position]` has the committed scene; `saved` is the scene on disk or as loaded.

    `path`: the document's file, if any. `preview`: the scene of the drag under way. `scratch`: a lesson's scene, which
    is never unsaved. `is_slide`: a deck's slide, whose scene may come from a file of its own. `overwritten`: another
    program has changed the file. `left_preset`: the moved preset that this document replaced without a question; undo
    brings it back.
    """

    entries: tuple[HistoryEntry, ...]
    position: int
    saved: Scene
    path: Path | None = None
    preview: Scene | None = None
    scratch: bool = False
    is_slide: bool = False
    overwritten: bool = False
    left_preset: LeftPreset | None = None

    @staticmethod
    def new(scene: Scene, path: Path | None = None, *, scratch: bool = False, is_slide: bool = False) -> Document:
        """A document without history. `path`: its file, if any. `scratch`, `is_slide`: as in Document."""
        return Document((HistoryEntry(scene, "Open"),), 0, scene, path, scratch=scratch, is_slide=is_slide)

    @property
    def committed(self) -> Scene:
        """The scene after the last finished edit."""
        return self.entries[self.position].scene

    @property
    def scene(self) -> Scene:
        """The scene to show: the preview of a running drag, else the committed one."""
        return self.preview if self.preview is not None else self.committed

    @property
    def unsaved(self) -> bool:
        """Whether the committed scene differs from the saved one, or its file was overwritten; False for `scratch`."""
        return not self.scratch and (self.overwritten or self.committed != self.saved)

    @property
    def only_posed(self) -> bool:
        """Whether the committed scene differs from the saved one at most in the bodies' poses and motions.

        False if the file was overwritten.
        """
        return not self.overwritten and _without_poses(self.committed) == _without_poses(self.saved)

    @property
    def slide_without_file(self) -> bool:
        """Whether the document is a slide without a file, whose edits are saved only if they replace the slide."""
        return self.is_slide and self.path is None

    def previewed(self, scene: Scene | None) -> Document:
        """The document with `scene` as the preview of a drag; None drops the preview."""
        return replace(self, preview=scene)

    def edited(self, scene: Scene, label: str) -> Document:
        """The document after an edit, without a preview. The entries that redo would bring back are dropped.

        At most HISTORY_LIMIT entries are kept. An edit without a change makes no entry and drops none.
        """
        if scene == self.committed:
            return replace(self, preview=None)
        kept = self.entries[: self.position + 1][-(HISTORY_LIMIT - 1) :]
        return replace(self, entries=(*kept, HistoryEntry(scene, label)), position=len(kept), preview=None)

    @property
    def undo_label(self) -> str | None:
        """The name of the edit that undo would take back; at the beginning that of leaving a preset, if one was left.

        None if there is nothing to undo.
        """
        if self.position == 0 and self.left_preset is not None:
            return f"Leave {self.left_preset.document.scene.name}"
        return self.entries[self.position].label if self.position > 0 else None

    @property
    def redo_label(self) -> str | None:
        """The name of the edit that redo would bring back; None if there is none."""
        return self.entries[self.position + 1].label if self.position + 1 < len(self.entries) else None

    def undone(self) -> Document:
        """The document one entry back, without a preview; the same entry at the beginning.

        A preset that was left is brought back by `Edits.undo`, not here.
        """
        return replace(self, position=max(0, self.position - 1), preview=None)

    def redone(self) -> Document:
        """The document one entry forward; the same entry at the end."""
        return replace(self, position=min(len(self.entries) - 1, self.position + 1), preview=None)

    def saved_as(self, path: Path) -> Document:
        """The document after its committed scene was written to `path`."""
        return replace(self, saved=self.committed, path=path, overwritten=False)


class LeftPreset(Struct, frozen=True):
    """A preset whose bodies were moved and that another document replaced. `preset`: its id."""

    document: Document
    view: View
    preset: str


def _without_poses(scene: Scene) -> Scene:
    """The scene with both bodies at the origin, without rotation and without motion."""
    return replace(scene, a=_still(scene.a), b=_still(scene.b))


def _still(body: Body) -> Body:
    return replace(
        body,
        position=ZERO,
        rotation=IDENTITY,
        angle=0.0,
        displacement=ZERO,
        angular_displacement=ZERO,
    )


def name_and_notes(document: Document, deck: OpenDeck | None) -> tuple[str, str]:
    """The name and notes of the shown scene; for a slide the name and words of its line in the deck.

    Those of the scene too if the deck's current slide cannot be shown.
    """
    line = deck.line if deck is not None and document.is_slide and not deck.fault else None
    return (document.scene.name, document.scene.notes) if line is None else (line.name, line.words)


def title_of(document: Document, deck: OpenDeck | None) -> str:
    """The name of the document's file, else of the shown scene or slide of the `deck`, else "Untitled"."""
    return document.path.name if document.path is not None else name_and_notes(document, deck)[0] or "Untitled"


class Work(Struct, eq=False):
    """The work. `opened`: the scene as it was opened. `preset`: the id of its preset, if any.

    `selection`: the body with the gizmo, 0 or 1; None for none. `deck`: the open deck, if any.
    """

    document: Document
    opened: Scene
    playback: Playback = Playback()
    preset: str | None = None
    selection: int | None = None
    deck: OpenDeck | None = None
    algorithm_settings: AlgorithmSettings = DEFAULT_SETTINGS
    motion_playing: bool = False
    _view: View = View()

    @property
    def view(self) -> View:
        """The view; straight on for a scene of the plane."""
        return self._view

    @view.setter
    def view(self, view: View) -> None:
        self._view = view.facing(self.scene).pointing()

    @property
    def scene(self) -> Scene:
        """The scene to show: the preview of a drag, else the committed one."""
        return self.document.scene

    @property
    def unsaved(self) -> bool:
        """Whether the scene or the deck has unsaved changes."""
        return self.document.unsaved or (self.deck is not None and self.deck.unsaved)

    @property
    def dragged(self) -> bool:
        """Whether a body is being dragged."""
        return self.document.preview is not None

    @property
    def flat(self) -> bool:
        """Whether the scene is of the plane."""
        return self.document.committed.dimension == 2

    def saved_state(self) -> Work:
        """A shallow copy for `put_back`."""
        return replace(self)

    def put_back(self, state: Work) -> None:
        """Restores all fields from a copy, without the preview of a drag."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(state, name))
        if self.dragged:
            self.document = self.document.previewed(None)

    def with_default_view(self) -> Work:
        """A copy with the default view, a closed timeline and no playing motion."""
        return replace(self, _view=View(), playback=Playback(), motion_playing=False)
