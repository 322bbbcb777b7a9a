"""State kept between runs: recent files, opened presets, autosaves that survive a kill; and the open file's watch.

A process locks its autosave as long as it lives. The system releases the lock however the process ends, so unlike a
process id it is never mistaken for another's, not even between containers that share a home. Nothing here raises when
the folder cannot be written: the program then runs without autosaves and says so in one sentence.
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
    """Unsaved work of a process that died. `origin`: the file it belonged to, if any."""

    origin: Path | None
    saved_at: datetime
    file: Path

    def discard(self) -> None:
        """Removes the autosave, after the work was taken over or is not wanted."""
        for leftover in (self.file, _lock_file(self.file)):
            with suppress(OSError):
                leftover.unlink(missing_ok=True)


class Recovered(Left, frozen=True, kw_only=True):
    """A recovered scene."""

    scene: Scene
    view: View | None


class RecoveredDeck(Left, frozen=True, kw_only=True):
    """A recovered deck. `index`: the current slide."""

    deck: Deck
    index: int


class Autosave:
    """The autosave of this process: rewritten while work is unsaved, removed when everything is saved."""

    def __init__(self, folder: Path, pid: int | None = None, suffix: str = ".json") -> None:
        self.problem: str | None = None
        """One sentence when autosaving does not work, else None."""
        self._file = folder / f"autosave-{os.getpid() if pid is None else pid}-{os.urandom(4).hex()}{suffix}"
        self._lock: IO[bytes] | None = None

    @property
    def file(self) -> Path:
        """The autosave's path."""
        return self._file

    def save(
        self, scene: Scene, view: View | None = None, origin: Path | None = None, *, durable: bool = False
    ) -> None:
        """Saves a scene; `durable` waits for the disk. A failure sets `problem`, and the last autosave stays."""
        tree = {"origin": _name(origin), "scene": to_tree(scene, view)}
        self._write(lambda: json_text(tree, ascii_only=True).encode(), durable)

    def save_deck(self, deck: OpenDeck, *, durable: bool = False) -> None:
        """Saves a deck, after a line with its origin and slide, as `save` does a scene."""
        tree = {"origin": _name(deck.path), "slide": deck.index}
        self._write(lambda: json_line(tree).encode() + b"\n" + deck.deck.data, durable)

    def _write(self, data: Callable[[], bytes], durable: bool) -> None:
        try:
            if self._lock is None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                # Kept open on purpose: the lock lives as long as the handle.
                self._lock = _lock_file(self._file).open("wb")
                _try_lock(self._lock)
            write_atomic(self._file, data(), durable=durable)
            self.problem = None
        except (OSError, ValueError) as error:
            self.problem = f"Unsaved work cannot be kept for recovery: {self._file.parent}: {reason_of(error)}"

    def clear(self) -> None:
        """Removes the autosave, when everything is saved."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def close(self) -> None:
        """Removes the autosave and its lock at a normal end of the program."""
        self.clear()
        if self._lock is not None:
            self._lock.close()
            self._lock = None
            with suppress(OSError):
                _lock_file(self._file).unlink(missing_ok=True)

    def let_go(self) -> None:
        """Releases the lock but leaves the autosave, so that the next start offers it; used where the program fails."""
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


_Kind = TypeVar("_Kind", bound=Left)


def _left(folder: Path, suffix: str, read: Callable[[Path], _Kind]) -> tuple[_Kind, ...]:
    found: list[_Kind] = []
    try:
        files = sorted(folder.glob(f"autosave-*{suffix}"))
    except OSError:
        return ()
    for file in files:
        if _alive(file):
            continue
        # An unreadable autosave stays: it may be of a newer version, and work must not be deleted.
        with suppress(DataError, OSError):
            found.append(read(file))
    return tuple(sorted(found, key=lambda work: work.saved_at, reverse=True))


def recent_files(folder: Path) -> tuple[Path, ...]:
    """The recent files, newest first, at most RECENT_LIMIT; empty when the list cannot be read."""
    return tuple(Path(name) for name in _names_in(_recent_list(folder))[:RECENT_LIMIT])


def remember(folder: Path, path: Path) -> tuple[Path, ...]:
    """Puts `path` first in the list of recent files; returns the new list, even when it cannot be written."""
    path = path.absolute()
    return _write_recent(folder, (path, *(other for other in recent_files(folder) if other != path)))


def forget(folder: Path, path: Path) -> tuple[Path, ...]:
    """Removes `path` from the list of recent files; returns the new list."""
    return _write_recent(folder, tuple(other for other in recent_files(folder) if other != path.absolute()))


def opened_presets(folder: Path) -> frozenset[str]:
    """The ids of the presets that were opened in any run; empty when the list cannot be read."""
    return frozenset(_names_in(_opened_list(folder)))


def remember_opened(folder: Path, preset: str) -> frozenset[str]:
    """Adds a preset to the opened ones; returns all of them, even when the list cannot be written."""
    before = opened_presets(folder)
    if preset not in before:
        _write_names(_opened_list(folder), sorted({*before, preset}))
    return before | {preset}


class Stamp(Struct, frozen=True):
    """A file's size and time of last change; they differ when the file was written."""

    modified: int
    size: int

    @staticmethod
    def of(path: Path) -> Stamp | None:
        """The stamp of a file now; None when there is none."""
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
        """Watches `path` from its present state on, after opening, saving, or answering the question about it."""
        self.path = path
        self._seen = None if path is None else Stamp.of(path)

    def changed(self) -> bool:
        """Whether the file's time or size differs from when it was last followed. A deleted file has not changed."""
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
        # Another user's file, or a system without locks: the work might belong to a running window.
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
