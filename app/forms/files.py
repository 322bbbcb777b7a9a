"""Reads the pair in a file or a stream, which has a text of one of the forms or a scene."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from ..io.scene_file import Loaded, SceneError, claims_to_be_scene, decoded, load
from ..storage.files import read_bounded
from ..storage.strict_json import DataError
from .form import NotUnderstoodError

SUFFIXES = (".txt", ".xml", ".urdf", ".sdf", ".tscn", ".csv", ".log")
"""Endings of files that are read as a text of a form."""


def is_text(path: Path | str) -> bool:
    """Whether a file is read as a text of a form, by its ending."""
    return Path(path).suffix.lower() in SUFFIXES


class OpenedText(Struct, frozen=True):
    """A file's text and its pair. `loaded` is None if the user must choose a form or the order of the numbers.

    `is_scene`: the text is a scene's JSON.
    """

    text: str
    loaded: Loaded | None
    is_scene: bool = False


def load_pair(path: Path | str, form: str = "") -> Loaded:
    """The pair in a file: a scene, or a text of a form.

    `form`: the form's name, "" to try all. Raises SceneError for a file that cannot be read, for a faulty scene, and
    for a text that no form reads or that forms read differently. Raises KeyError for an unknown form.
    """
    if not form and not is_text(path):
        return load(path)
    try:
        text = decoded(read_bounded(path))
        return load(path) if not form and claims_to_be_scene(text) else pair_in(text, form)
    except (DataError, NotUnderstoodError) as error:
        raise _with_file(error, path) from None


def open_text(path: Path | str) -> OpenedText:
    """Reads a file of text.

    Raises SceneError for a file that cannot be read, a faulty scene, and a text that no form reads. A text of numbers
    alone raises nothing, because the user can choose their order, nor does one that forms read differently.
    """
    from .registry import read_text

    try:
        text = decoded(read_bounded(path))
        if claims_to_be_scene(text):
            return OpenedText(text, load(path), is_scene=True)
        reading = read_text(text)
        if reading.numbers_alone or len(reading.different) > 1:
            return OpenedText(text, None)
        return OpenedText(text, Loaded(reading.pair.scene, None, reading.pair.notes))
    except (DataError, NotUnderstoodError) as error:
        raise _with_file(error, path) from None


def pair_in(text: str, form: str = "") -> Loaded:
    """The pair in a text. `form`: the one form to read it by, "" for all.

    Raises NotUnderstoodError if no form reads the text, or two forms read different pairs; KeyError for an unknown
    form.
    """
    # Imported on first use: the registry imports every form, and a scene file needs none.
    from .registry import read_text

    pair = read_text(text, form).pair
    return Loaded(pair.scene, None, pair.notes)


def _with_file(error: DataError | NotUnderstoodError, path: Path | str) -> SceneError:
    return error if isinstance(error, SceneError) else SceneError("", str(error), str(path))
