"""State kept between runs: recent files, opened presets, autosaves that survive a kill; and a watch of the open file.

A process locks its autosave while it runs. The system releases the lock however the process ends. Unlike a process id,
the lock cannot be confused with another process's, even between containers that share a home folder. If the folder
cannot be written, nothing here raises: the program runs without autosaves and shows one sentence about it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any, TypeVar

from msgspec import Struct

from core.scene import Scene

from ..state.deck import Deck, OpenDeck
from ..state.view import View
from ..storage.files import read_bounded, reason_of, write_atomic
from ..storage.strict_json import DataError, convert, json_line, json_text, parse, refuse_halves
from .deck_file import deck_of
from .scene_file import decoded, from_tree, to_tree

RECENT_LIMIT = 10


class Left(Struct, frozen=True, kw_only=True):
    """Unsaved work of a process that died. `origin`: the opened file, None without one. `file`: the autosave."""

    origin: Path | None
    saved_at: datetime
    file: Path

    def discard(self) -> None:
        """Removes the autosave and its lock, after the work was recovered or declined."""
        for leftover in (self.file, _lock_file(self.file)):
            with suppress(OSError):
                leftover.unlink(missing_ok=True)


class Recovered(Left, frozen=True, kw_only=True):
    """A recovered scene, with its view if it was saved with one."""

    scene: Scene
    view: View | None


class RecoveredDeck(Left, frozen=True, kw_only=True):
    """A recovered deck. `index`: of the current slide, from 0."""

    deck: Deck
    index: int


class Autosave:
    """The autosave of this process: written while work is unsaved, removed when everything is saved."""

    def __init__(self, folder: Path, pid: int | None = None, suffix: str = ".json") -> None:
        self.problem: str | None = None
        """One sentence if autosaving does not work, else None."""
        self._file = folder / f"autosave-{os.getpid() if pid is None else pid}-{os.urandom(4).hex()}{suffix}"
        self._lock: IO[bytes] | None = None

    @property
    def file(self) -> Path:
        """The autosave's path."""
        return self._file

    def save(
        self, scene: Scene, view: View | None = None, origin: Path | None = None, *, durable: bool = False
    ) -> None:
        """Saves a scene with its `view`, if any, and the name of its file `origin`, if any.

        `durable`: waits for the disk. A failure sets `problem`, and the last autosave is kept.
        """
        tree = {"origin": _name(origin), "scene": to_tree(scene, view)}
        self._write(lambda: json_text(tree, ascii_only=True).encode(), durable)

    def save_deck(self, deck: OpenDeck, *, durable: bool = False) -> None:
        """Saves a deck as `save` saves a scene; a line with the deck's origin and current slide comes first."""
        tree = {"origin": _name(deck.path), "slide": deck.index}
        self._write(lambda: json_line(tree).encode() + b"\n" + deck.deck.data, durable)

    def _write(self, data: Callable[[], bytes], durable: bool) -> None:
        try:
            if self._lock is None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                # Kept open on purpose: the lock lasts as long as the handle.
                self._lock = _lock_file(self._file).open("wb")
                _try_lock(self._lock)
            write_atomic(self._file, data(), durable=durable)
            self.problem = None
        except (OSError, ValueError) as error:
            self.problem = f"Unsaved work cannot be kept for recovery: {self._file.parent}: {reason_of(error)}"

    def clear(self) -> None:
        """Removes the autosave; for when everything is saved."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def close(self) -> None:
        """Removes the autosave and its lock; for a normal end of the program."""
        self.clear()
        if self._lock is not None:
            self._lock.close()
            self._lock = None
            with suppress(OSError):
                _lock_file(self._file).unlink(missing_ok=True)

    def let_go(self) -> None:
        """Releases the lock but keeps the autosave, so that the next start offers it; for a failure of the program."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        # With another path, `clear` and `close` no longer remove it.
        self._file = self._file.with_name("let go")


def recoverable(folder: Path) -> tuple[Recovered, ...]:
    """Autosaved scenes of dead processes, newest first. Never raises."""
    return _left(folder, ".json", _recovered)


def recoverable_decks(folder: Path) -> tuple[RecoveredDeck, ...]:
    """Autosaved decks of dead processes, newest first. Never raises."""
    return _left(folder, ".jsonl", _recovered_deck)


_AnyLeft = TypeVar("_AnyLeft", bound=Left)


def _left(folder: Path, suffix: str, read: Callable[[Path], _AnyLeft]) -> tuple[_AnyLeft, ...]:
    found: list[_AnyLeft] = []
    try:
        files = sorted(folder.glob(f"autosave-*{suffix}"))
    except OSError:
        return ()
    for file in files:
        if _alive(file):
            continue
        # An unreadable autosave is not deleted: a newer version of the program may have written it.
        with suppress(ValueError, OSError):
            found.append(read(file))
    return tuple(sorted(found, key=lambda work: work.saved_at, reverse=True))


def recent_files(folder: Path) -> tuple[Path, ...]:
    """The recent files, newest first, at most RECENT_LIMIT; empty if the list cannot be read."""
    return tuple(Path(name) for name in _names_in(_recent_list(folder))[:RECENT_LIMIT])


def remember(folder: Path, path: Path) -> tuple[Path, ...]:
    """Puts `path` first in the list of recent files; returns the new list, even if it cannot be written."""
    path = path.absolute()
    return _write_recent(folder, (path, *(other for other in recent_files(folder) if other != path)))


def forget(folder: Path, path: Path) -> tuple[Path, ...]:
    """Removes `path` from the list of recent files; returns the new list."""
    return _write_recent(folder, tuple(other for other in recent_files(folder) if other != path.absolute()))


def opened_presets(folder: Path) -> frozenset[str]:
    """The ids of the presets that were opened in any run; empty if the list cannot be read."""
    return frozenset(_names_in(_opened_list(folder)))


def remember_opened(folder: Path, preset: str) -> frozenset[str]:
    """Adds a preset to the opened ones; returns all of them, even if the list cannot be written."""
    before = opened_presets(folder)
    if preset not in before:
        _write_names(_opened_list(folder), sorted({*before, preset}))
    return before | {preset}


class Stamp(Struct, frozen=True):
    """A file's time of last change, nanoseconds, and size, bytes; a write to the file changes them."""

    modified: int
    size: int

    @staticmethod
    def of(path: Path) -> Stamp | None:
        """The present stamp of a file; None if the file is missing or cannot be reached."""
        try:
            info = path.stat()
        except (OSError, ValueError):
            return None
        return Stamp(info.st_mtime_ns, info.st_size)


class FileWatch:
    """Detects that another program wrote the open file."""

    def __init__(self, path: Path | None = None) -> None:
        self.follow(path)

    def follow(self, path: Path | None) -> None:
        """Watches `path` from its present state on. Called after opening, saving, or an answer about a changed file."""
        self.path = path
        self._seen = None if path is None else Stamp.of(path)

    def changed(self) -> bool:
        """Whether the file's time or size has changed since the last `follow`. False for a deleted file."""
        if self.path is None:
            return False
        now = Stamp.of(self.path)
        return now is not None and now != self._seen


def _recovered(file: Path) -> Recovered:
    tree = convert(parse(decoded(read_bounded(file)), file_names=True), dict[str, Any])
    origin, scene = tree.get("origin"), tree.get("scene")
    refuse_halves(scene, "scene")
    loaded = from_tree(scene)
    return Recovered(scene=loaded.scene, view=loaded.view, **_about(file, origin))


def _recovered_deck(file: Path) -> RecoveredDeck:
    first, _, data = file.read_bytes().partition(b"\n")
    tree = convert(parse(decoded(first), file_names=True), dict[str, Any])
    index = convert(tree.get("slide"), int)
    return RecoveredDeck(deck=deck_of(data, str(file)), index=index, **_about(file, tree.get("origin")))


def _about(file: Path, origin: object) -> dict[str, Any]:
    saved_at = datetime.fromtimestamp(file.stat().st_mtime).astimezone()
    return {"origin": Path(origin) if isinstance(origin, str) else None, "saved_at": saved_at, "file": file}


def _name(origin: Path | None) -> str | None:
    return None if origin is None else str(origin.absolute())


def _lock_file(file: Path) -> Path:
    return file.with_suffix(".lock")


def _alive(file: Path) -> bool:
    try:
        with _lock_file(file).open("r+b") as handle:
            return not _try_lock(handle)
    except FileNotFoundError:
        return False
    except OSError:
        # Another user's file, or a system without locks: the autosave may belong to a running window.
        return True


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: IO[bytes]) -> bool:
        try:
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(handle: IO[bytes]) -> bool:
        try:
            fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _recent_list(folder: Path) -> Path:
    return folder / "recent.json"


def _write_recent(folder: Path, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    kept = paths[:RECENT_LIMIT]
    _write_names(_recent_list(folder), [str(path) for path in kept])
    return kept


def _opened_list(folder: Path) -> Path:
    return folder / "opened.json"


def _names_in(file: Path) -> list[str]:
    try:
        return convert(parse(decoded(read_bounded(file)), file_names=True), list[str])
    except DataError:
        return []


def _write_names(file: Path, names: list[str]) -> None:
    with suppress(OSError, ValueError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, json_text(names, ascii_only=True).encode(), durable=False)
