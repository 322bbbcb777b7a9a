"""`check --expect FILE`: earlier answers of `check --json`, each matched with the scene that it is about.

A scene is matched by its line in a log and its name. Of several answers with both in common, one of the same log is
taken first, otherwise the earliest. A scene without a name is matched by its file, in any spelling: `./a.json`,
`a.json`, a link, a Windows path.
"""

from __future__ import annotations

import os
from collections import defaultdict, deque
from functools import lru_cache

from ..storage.files import MEGABYTE, SCENE_LIMIT, open_file, reason_of
from ..storage.strict_json import DataError, parse, require
from .differences import Expected, expected_of

Key = tuple[int | None, str]
"""Line and name of a scene; an unnamed scene of a log has the log's path from `_same_file` as its name."""


class Expectations:
    """The earlier answers of a file, each taken once."""

    def __init__(self, file: str) -> None:
        """Reads the file.

        Raises DataError, with the place, if it cannot be read or is empty, and for a line that is no answer.
        """
        self._same_file = lru_cache(maxsize=256)(_same_file)  # per instance: valid while the current folder is the same
        self._waiting: dict[Key, deque[Expected]] = defaultdict(deque)
        self._files: dict[str, Key] = {}
        """Keys of the answers that have no line, by their name as a file's path."""
        try:
            with open_file(file) as lines:
                for place, data in enumerate(iter(lambda: lines.readline(SCENE_LIMIT + 1), b""), 1):
                    require_short(data, f"{file}:{place}")
                    if data.strip():
                        self._read(data, f"{file}:{place}")
        except OSError as error:
            raise DataError(file, reason_of(error)) from None
        if not self._waiting:
            raise DataError(file, "must hold the answers of check --json, one a line; it is empty")

    def _read(self, data: bytes, place: str) -> None:
        try:
            tree = parse(data.decode("utf-8"))
            require(isinstance(tree, dict) and isinstance(tree.get("name"), str), "name", "must be text", tree)
            line = tree.get("line")
            require(line is None or type(line) is int, "line", "must be a whole number", line)
            key = self._key(line, tree["name"])
            self._waiting[key].append(expected_of(tree))
        except UnicodeDecodeError:
            raise DataError(place, "must be UTF-8") from None
        except DataError as error:
            raise DataError(place, str(error)) from None
        if key[0] is None:
            self._files.setdefault(self._same_file(key[1]), key)

    def take(self, file: str, line: int | None, name: str) -> Expected | None:
        """Removes and returns the earlier answer about a scene; None if there is none.

        `file`, `line`, `name`: as in `Outcomes.judged`.
        """
        key = self._key(line, name)
        if key not in self._waiting and name == file:
            key = self._files.get(self._same_file(file), key)
        waiting = self._waiting.get(key)
        if not waiting:
            return None
        if len(waiting) > 1:
            here = self._same_file(file)
            same = (k for k, one in enumerate(waiting) if one.file and self._same_file(one.file) == here)
            first = next(same, 0)
        else:
            first = 0
        found = waiting[first]
        del waiting[first]
        return found

    def _key(self, line: int | None, name: str) -> Key:
        place = f":{line}"
        if line is not None and name.endswith(place):
            return line, self._same_file(name.removesuffix(place))
        return line, name

    def unused(self) -> list[str]:
        """The names of the earlier answers that no scene has taken."""
        return [one.name for waiting in self._waiting.values() for one in waiting]


def _same_file(name: str) -> str:
    """The file's path in one spelling."""
    try:
        return os.path.normcase(os.path.realpath(name.replace("\\", "/")))
    except (OSError, ValueError):  # not a valid path
        return name


def require_short(line: bytes, place: str) -> None:
    """Raises DataError, with the line's `place`, for a line longer than any answer can be."""
    if len(line) > SCENE_LIMIT:
        raise DataError(place, f"is longer than {SCENE_LIMIT // MEGABYTE} MB, no answer is")
