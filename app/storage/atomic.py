"""Files written whole or not at all: a temporary file beside the target, then one rename."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def write_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Writes `data` to `path`, replacing what is there; after a failure what was there is untouched. Raises OSError.

    A link is followed, the permissions of an existing file are kept. `durable` waits for the disk, so that a power
    cut leaves the old or the new file; without it only a killed process is survived.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        _write_special(target, data)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    temporary = _temporary_beside(target, data, durable)
    try:
        _copy_permissions(target, temporary)
        temporary.replace(target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        _wait_for_name(target.parent)


def write_numbered(path: Path, data: bytes) -> Path:
    """Writes to `path`, or to NAME-1, NAME-2 ... when that is taken, and returns the one used. Raises OSError.

    Never overwrites, not even a file that appears meanwhile.
    """
    temporary = _temporary_beside(path, data, durable=True)
    try:
        _copy_permissions(path.with_name(temporary.name + ".none"), temporary)
        return _claim_free_name(path, temporary)
    finally:
        temporary.unlink(missing_ok=True)


def _claim_free_name(path: Path, temporary: Path) -> Path:
    number = 0
    while True:
        candidate = path if number == 0 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
        if os.path.lexists(candidate):
            continue
        try:
            os.link(temporary, candidate)
        except FileExistsError:
            continue
        except OSError:
            # Some file systems know no links; there the exclusive open claims the name.
            try:
                out = candidate.open("xb")
            except FileExistsError:
                continue
            try:
                with out:
                    out.write(temporary.read_bytes())
            except OSError:
                candidate.unlink(missing_ok=True)
                raise
        return candidate


def _temporary_beside(target: Path, data: bytes, durable: bool) -> Path:
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            if durable:
                out.flush()
                os.fsync(out.fileno())
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    return Path(name)


def _wait_for_name(folder: Path) -> None:
    # Until the folder is on the disk too, a power cut may leave the file without its name.
    if os.name == "posix":
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _copy_permissions(target: Path, temporary: Path) -> None:
    # mkstemp makes files that only their owner may read; a scene is as public as the folder says.
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except OSError:
        mode = 0o666 & ~_umask()
    with suppress(OSError):
        temporary.chmod(mode)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _write_special(target: Path, data: bytes) -> None:
    # A device or a pipe is written to, never replaced; a folder raises IsADirectoryError here.
    with target.open("wb") as out:
        out.write(data)
