"""The document: an immutable scene with its history, and what is unsaved.

Undo and "unsaved" cover bodies, displacements, name and notes; never the View. A drag is a preview, committed on
release as one entry.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from core.scene import Scene

HISTORY_LIMIT = 500


class Entry(Struct, frozen=True):
    """One state of the scene and what led to it."""

    scene: Scene
    label: str


class Document(Struct, frozen=True):
    """`entries[position]` is the committed scene; `saved` the scene as it stands on disk (or as it was loaded)."""

    entries: tuple[Entry, ...]
    position: int
    saved: Scene
    path: Path | None = None
    preview: Scene | None = None

    @staticmethod
    def new(scene: Scene, path: Path | None = None) -> Document:
        """A document without history."""
        return Document((Entry(scene, "Open"),), 0, scene, path)

    @property
    def committed(self) -> Scene:
        """The scene as of the last finished edit."""
        return self.entries[self.position].scene

    @property
    def scene(self) -> Scene:
        """The scene to show: the preview of a running drag, else the committed one."""
        return self.preview if self.preview is not None else self.committed

    @property
    def unsaved(self) -> bool:
        """Whether the committed scene differs from the saved one."""
        return self.committed != self.saved

    def previewed(self, scene: Scene | None) -> Document:
        """The same document showing `scene` while a drag lasts; None drops the preview."""
        return replace(self, preview=scene)

    def edited(self, scene: Scene, label: str) -> Document:
        """The document after an edit; an edit that changes nothing leaves no entry."""
        if scene == self.committed:
            return replace(self, preview=None)
        kept = self.entries[: self.position + 1][-(HISTORY_LIMIT - 1) :]
        return replace(self, entries=(*kept, Entry(scene, label)), position=len(kept), preview=None)

    @property
    def undo_label(self) -> str | None:
        """Name of the edit that undo would take back."""
        return self.entries[self.position].label if self.position > 0 else None

    @property
    def redo_label(self) -> str | None:
        """Name of the edit that redo would bring back."""
        return self.entries[self.position + 1].label if self.position + 1 < len(self.entries) else None

    def undone(self) -> Document:
        """One step back; the same document at the beginning."""
        return replace(self, position=max(0, self.position - 1), preview=None)

    def redone(self) -> Document:
        """One step forward; the same document at the end."""
        return replace(self, position=min(len(self.entries) - 1, self.position + 1), preview=None)

    def saved_as(self, path: Path) -> Document:
        """The document after its committed scene was written to `path`."""
        return replace(self, saved=self.committed, path=path)
