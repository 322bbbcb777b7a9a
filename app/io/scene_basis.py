"""What scene files of space and of the plane have in common: the version, refusals, and what reading one gives."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from core.scene import Scene

from ..state.view import View
from ..storage.strict_json import DataError, shown

VERSION = 1


class SceneError(DataError):
    """A scene that is refused. `str()` is one sentence: file (where there is one), path in the scene, message."""

    def __init__(self, path: str, message: str, file: str = "") -> None:
        super().__init__(path, message)
        self.file = file

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.path, self.message) if part)


class Loaded(Struct, frozen=True):
    """A scene as read, its view if the file has one, and remarks.

    Each remark is one sentence about a thing that was mended.
    """

    scene: Scene
    view: View | None
    remarks: tuple[str, ...] = ()


def decoded(data: bytes) -> str:
    """Bytes as UTF-8 text, with or without a byte order mark. Raises DataError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError("", f"is not UTF-8 text: byte 0x{data[error.start]:02x} at offset {error.start}") from None


def check_version(tree: Any) -> None:
    """Refuses what is no scene of this version. Raises DataError."""
    if not isinstance(tree, dict):
        raise DataError("", f"must be an object with the key separatrix, got {shown(tree)}")
    if "separatrix" not in tree:
        raise DataError("separatrix", f"missing: a scene starts with its format version, {VERSION}")
    version = tree["separatrix"]
    if not isinstance(version, int) or isinstance(version, bool):
        got = repr(version) if isinstance(version, float) else shown(version)
        raise DataError("separatrix", f"must be the whole number {VERSION}, got {got}")
    if version > VERSION:
        raise DataError(
            "separatrix", f"written by a newer version of the program: this one reads {VERSION}, got {version}"
        )
    if version < VERSION:
        raise DataError("separatrix", f"must be {VERSION}, got {version}")


def is_flat(tree: Any) -> bool:
    """Whether parsed JSON is meant as a scene of the plane, right or wrong."""
    return isinstance(tree, dict) and tree.get("dimension") == 2
