"""Files and streams whose text is a pair in one of the forms, and no scene's JSON."""

from __future__ import annotations

from pathlib import Path

from ..io.scene_file import Loaded, SceneError, decoded, load
from ..storage.files import read_bounded
from ..storage.strict_json import DataError
from .form import NotUnderstoodError

SUFFIXES = (".txt", ".xml", ".urdf", ".sdf", ".tscn", ".csv", ".log")
"""Endings of files whose text may be a pair."""


def is_text(path: Path | str) -> bool:
    """Whether a file is read as a text of a form, by its ending."""
    return Path(path).suffix.lower() in SUFFIXES


def load_pair(path: Path | str, form: str = "") -> Loaded:
    """The pair in a file: a scene, or a text of a form. `form`: its name, "" to ask all. Raises SceneError."""
    if not form and not is_text(path):
        return load(path)
    try:
        return pair_in(decoded(read_bounded(path)), form)
    except (DataError, NotUnderstoodError) as error:
        raise SceneError("", str(error), str(path)) from None


def pair_in(text: str, form: str = "") -> Loaded:
    """The pair in a text. Raises NotUnderstoodError."""
    # Imported with the first text: two dozen readers, which a scene's file does not need.
    from .registry import read_text

    pair = read_text(text, form).pair
    return Loaded(pair.scene, None, pair.notes)
