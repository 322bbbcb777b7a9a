"""Reading a file that somebody else made: at most so much of it, and every failure in one sentence."""

from __future__ import annotations

import errno
from pathlib import Path

from .png_scene import is_png
from .strict_json import DataError

MEGABYTE = 1 << 20
SCENE_LIMIT = 16 * MEGABYTE
PICTURE_LIMIT = 1024 * MEGABYTE
"""A scene with a long note takes kilobytes; the largest screenshot takes hundreds of megabytes."""


def read_bounded(path: Path | str) -> bytes:
    """The bytes of a scene file or of a picture. Raises DataError with one sentence that leaves the name out."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(SCENE_LIMIT + 1)
            if is_png(data):
                data += file.read(PICTURE_LIMIT)
            elif len(data) > SCENE_LIMIT:
                raise DataError("", f"is larger than {SCENE_LIMIT // MEGABYTE} MB, no scene is")
            return data
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError("", reason_of(error)) from None


def reason_of(error: OSError | ValueError) -> str:
    """Why a file could not be read or written, in a few words that follow its name."""
    match getattr(error, "errno", None):
        case errno.ENOENT:
            return "no such file or folder"
        case errno.EISDIR:
            return "is a folder"
        case errno.EACCES | errno.EPERM:
            return "permission denied"
        case _:
            return (getattr(error, "strerror", None) or str(error)).lower()
