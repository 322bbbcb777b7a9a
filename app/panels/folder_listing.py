"""What the file browser lists: a folder's entries that the program can open. No widgets here."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from ..io import mesh_file
from ..io.scene_file import LOG_SUFFIXES
from ..storage.files import readable

SUFFIXES = (".json", *LOG_SUFFIXES, ".png", *mesh_file.SUFFIXES)
"""Scenes, logs of scenes, pictures that carry their scene, and meshes, whose hull becomes a body."""


class Entry(Struct, frozen=True):
    """A folder or file of the listing."""

    path: Path
    is_folder: bool


class Listing(Struct, frozen=True):
    """The entries of a folder, folders first; `fault` says in words why there are none.

    `stamp`: when something was last created or deleted in the folder (`folder_stamp`), as the listing was read.
    """

    folder: Path
    entries: tuple[Entry, ...]
    fault: str = ""
    stamp: int = 0


def is_folder(path: Path) -> bool:
    """Whether there is a folder of that name; what cannot be looked at, or cannot be a name, is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def exists(path: Path) -> bool:
    """Whether there is a file or folder of that name that one can look at."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def folder_stamp(folder: Path) -> int:
    """When the folder last changed, nanoseconds; 0 for one that cannot be looked at."""
    try:
        return folder.stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


def list_folder(folder: Path, *, everything: bool = False) -> Listing:
    """Folders and files that the program opens (or every file), hidden ones left out, in the order of the alphabet."""
    stamp = folder_stamp(folder)
    try:
        children = sorted(folder.iterdir(), key=lambda p: p.name.lower())
    except OSError as fault:
        return Listing(folder, (), f"{readable(folder)} cannot be listed: {fault.strerror or fault}.", stamp)
    entries = [Entry(child, is_folder(child)) for child in children if not child.name.startswith(".")]
    kept = [e for e in entries if e.is_folder or everything or e.path.suffix.lower() in SUFFIXES]
    return Listing(folder, tuple(sorted(kept, key=lambda e: not e.is_folder)), stamp=stamp)


def matching(listing: Listing, typed: str) -> tuple[Entry, ...]:
    """The entries whose name holds what was typed, upper and lower case alike; all of them for a path."""
    wanted = typed.strip().lower()
    if not wanted or "/" in wanted or wanted in (".", "..", "~"):
        return listing.entries
    return tuple(e for e in listing.entries if wanted in e.path.name.lower())


def resolved(folder: Path, typed: str) -> Path:
    """The path that `typed` means inside `folder`: absolute, relative, or from the home folder with `~`."""
    path = Path(typed.strip())
    try:
        path = path.expanduser()
    except RuntimeError:
        # No such user: a file that is really called `~name`.
        path = Path(typed.strip())
    return Path(folder, path)


def with_suffix(path: Path) -> Path:
    """The name of a scene file: as `.jsonl` it would be read as a log, and as `.png` looked for in vain."""
    return path if path.suffix.lower() == ".json" else path.with_name(f"{path.name}.json")


def places(recent: tuple[Path, ...], current: Path | None) -> tuple[Path, ...]:
    """Folders worth one click: the document's, those of recent files, home, and where the program was started."""
    found: list[Path] = []
    for folder in (*([current.parent] if current else []), *(p.parent for p in recent), Path.home(), Path.cwd()):
        if folder not in found and len(found) < 8:
            found.append(folder)
    return tuple(found)
