"""Tables with a pair in each row (columns.py), which are checked and opened as logs of scenes."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from ..io.scene_file import Loaded, SceneError, decoded
from ..storage.files import read_bounded
from ..storage.strict_json import DataError
from .columns import FORM, Table, pair_of_rows, table_of
from .files import is_text
from .form import NotUnderstoodError


class TextLog:
    """The rows of a table by their index, from 0. A row that is refused counts as an entry too."""

    deck = None

    def __init__(self, table: Table, path: Path) -> None:
        self.path = path
        self._table = table

    def __len__(self) -> int:
        return len(self._table.rows)

    def line(self, index: int) -> int:
        """The line number of a row, from 1."""
        return self._table.rows[index].line

    def scene(self, index: int) -> Loaded:
        """The scene of a row. Raises SceneError for a refused row, IndexError beyond the end."""
        row = self._table.rows[index]
        try:
            pair = pair_of_rows(self._table, row)
        except NotUnderstoodError as error:
            raise SceneError("", str(error), str(self.path)) from None
        return Loaded(replace(pair.scene, name=""), None, pair.notes)

    def title(self, index: int) -> str:
        """The line of a row: `line 12`, or `line 12, refused` if it has no scene."""
        try:
            self.scene(index)
        except SceneError:
            return f"line {self.line(index)}, refused"
        return f"line {self.line(index)}"

    def close(self) -> None:
        """Does nothing: the file is not held open."""


def log_in(text: str, path: Path, form: str = "") -> TextLog | None:
    """The log in a text; None if the text is no table of two or more pairs.

    `form`: the name of the form that the user chose, "" for any.
    """
    if form not in ("", FORM.name) or not FORM.mark.search(text):
        return None
    try:
        table = table_of(text)
    except NotUnderstoodError:
        return None
    return TextLog(table, path) if table.paired and len(table.rows) > 1 else None


def text_log(path: Path | str, form: str = "") -> TextLog | None:
    """The log in a file of text; None for another file, and for a file that cannot be read. `form`: as in log_in."""
    if not is_text(path):
        return None
    try:
        return log_in(decoded(read_bounded(path)), Path(path), form)
    except (DataError, SceneError):
        return None
