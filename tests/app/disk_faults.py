"""Faults of the disk at every call that writes: an error, or the end of the process.

python -m tests.app.disk_faults FOLDER     every writer, in a process of its own that ends at its n-th call;
                                           prints what stands there then, a JSON object a line
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

from msgspec.structs import replace
from PIL import Image

from app.draw.theme import theme_named
from app.export.film_file import Recipe, write_film
from app.io.deck_file import DeckHead, Slide, head_tree, read_deck, slide_line_of
from app.io.presets import default_scene
from app.io.scene_file import load, save
from app.io.session import Autosave
from app.io.session import _recovered as recovered
from app.io.session import _recovered_deck as recovered_deck
from app.lessons.progress import LearnerProgress, LessonProgress, load_progress, save_progress
from app.state.deck import Deck, OpenDeck
from app.state.settings import Settings, load_settings, save_settings
from app.storage.files import png_bytes, reason_of, write_atomic, write_numbered
from app.storage.strict_json import json_line

CALLS = ("open", "fsync", "replace", "link", "chmod", "unlink", "mkdir")
"""Functions of `os` that change the disk; what is written comes through `fdopen`."""
CODES = (errno.ENOSPC, errno.EACCES)
OLD = default_scene().scene
NEW = replace(OLD.swapped(), name="New", notes="n" * 20_000)
HEAD = json_line(head_tree(DeckHead("Deck"))).encode()
DECKS = tuple(
    Deck(HEAD, "Deck", slides=(slide_line_of(Slide(replace(scene, notes=""), None)),)) for scene in (OLD, NEW)
)


class Writer:
    """One kind of file: what writes it, first and anew, and reads it; `write` answers with a sentence if it failed."""

    def __init__(self, file: str, write: Callable[[Path, bool], str | None], read: Callable[[Path], object]) -> None:
        self.file, self.write, self.read = file, write, read


def _told(write: Callable[[], object]) -> str | None:
    """As a controller says it."""
    try:
        write()
    except OSError as error:
        return f"could not be written: {reason_of(error)}"
    return None


def _autosave(path: Path, new: bool, save_in: Callable[[Autosave], None]) -> str | None:
    autosave = Autosave(path.parent, 1)
    # The old and the new state are those of one process.
    autosave._file = path
    save_in(autosave)
    if autosave._lock is not None:
        autosave._lock.close()
    return autosave.problem


def _picture(new: bool) -> bytes:
    return png_bytes(Image.new("RGB", (64, 64), (200 * new, 0, 0)))


def _film(path: Path, new: bool) -> None:
    pictures = [Image.new("RGB", (16, 16), (90 * new, shade, 0)) for shade in (0, 99)]
    write_film(path, iter(pictures), iter(pictures), Recipe((16, 16), (0.5, 0.5), theme_named("dark")))


WRITERS: dict[str, Writer] = {
    "scene": Writer(
        "pair.json",
        lambda path, new: _told(lambda: save(path, NEW if new else OLD)),
        lambda path: load(path).scene,
    ),
    "autosave": Writer(
        "autosave-1-aa.json",
        lambda path, new: _autosave(path, new, lambda it: it.save(NEW if new else OLD, durable=new)),
        lambda path: recovered(path).scene,
    ),
    "autosave of a deck": Writer(
        "autosave-1-aa.jsonl",
        lambda path, new: _autosave(path, new, lambda it: it.save_deck(OpenDeck.of(DECKS[new]))),
        lambda path: recovered_deck(path).deck,
    ),
    "deck": Writer(
        "deck.jsonl", lambda path, new: _told(lambda: write_atomic(path, DECKS[new].data)), lambda path: read_deck(path)
    ),
    "settings": Writer(
        "settings.json",
        lambda path, new: save_settings(Settings("light" if new else "dark"), path),
        lambda path: load_settings(path),
    ),
    "progress": Writer(
        "progress.json",
        lambda path, new: save_progress(LearnerProgress({"one": LessonProgress("b" if new else "a")}), path),
        lambda path: load_progress(path),
    ),
    "picture": Writer(
        "picture.png",
        lambda path, new: _told(lambda: write_atomic(path, _picture(new))),
        lambda path: path.read_bytes(),
    ),
    "film": Writer("film.gif", lambda path, new: _told(lambda: _film(path, new)), lambda path: path.read_bytes()),
    "numbered picture": Writer(
        "shot.png",
        lambda path, new: _told(lambda: write_numbered(path, _picture(new))) if new else None,
        lambda path: path.read_bytes() if path.exists() else None,
    ),
}
"""By name."""


class Fault:
    """Counts the calls that write, and does `strike` in place of the n-th, of a write after half of its bytes."""

    def __init__(self, number: int, strike: Callable[[], NoReturn]) -> None:
        self.left, self.strike, self.struck = number, strike, False

    def call(self, *_: object) -> None:
        """A call is about to be made."""
        self.left -= 1
        if self.left == 0:
            self.struck = True
            self.strike()

    @contextmanager
    def injected(self) -> Iterator[None]:
        """For as long as the writer works."""
        with ExitStack() as stack:
            for name in CALLS:
                stack.enter_context(patch.object(os, name, self._wrapped(getattr(os, name))))
            fdopen = os.fdopen
            stack.enter_context(patch.object(os, "fdopen", lambda *a, **k: _Half(fdopen(*a, **k), self)))
            yield

    def _wrapped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any, **options: Any) -> Any:
            self.call()
            return function(*arguments, **options)

        return called


class _Half:
    """A file whose writing may end after half of the bytes."""

    def __init__(self, file: Any, fault: Fault) -> None:
        self._file, self._fault = file, fault

    def __enter__(self) -> _Half:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, data: bytes) -> int:
        half = len(data) // 2
        self._file.write(data[:half])
        self._file.flush()
        self._fault.call()
        return half + int(self._file.write(data[half:]))


def prepared(writer: Writer, folder: Path) -> Path:
    """An empty folder but for the old file."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / writer.file
    assert writer.write(path, False) is None
    return path


def states(writer: Writer, folder: Path) -> tuple[object, object]:
    """What is read of the old file and of the new one."""
    path = prepared(writer, folder)
    old = writer.read(path)
    assert writer.write(path, True) is None
    return old, writer.read(path)


def failing(code: int) -> Callable[[], NoReturn]:
    """What the system does when it cannot."""

    def fail() -> NoReturn:
        raise OSError(code, os.strerror(code))

    return fail


def die() -> NoReturn:
    """The process is killed."""
    os._exit(9)


def killed(name: str, folder: Path) -> Iterator[dict[str, object]]:
    """What stands there after a kill at each call of a writer, until one is through."""
    writer = WRITERS[name]
    old, new = states(writer, folder)
    number, code = 0, 9
    while code == 9:
        number += 1
        path = prepared(writer, folder)
        child = os.fork()
        if child == 0:
            with Fault(number, die).injected():
                writer.write(path, True)
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        found = writer.read(path)
        state = "old" if found == old else "new" if found == new else "broken"
        left = sorted(file.name for file in folder.iterdir() if file.suffix == ".tmp")
        yield {"writer": name, "call": number, "exit": code, "state": state, "left": left}


if __name__ == "__main__":
    tempfile.tempdir = sys.argv[1]
    for kind in WRITERS:
        for found in killed(kind, Path(sys.argv[1]) / "work"):
            print(json.dumps(found), flush=True)
