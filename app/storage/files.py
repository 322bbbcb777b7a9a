"""The program's files: their folders, atomic writes, bounded reads, and the reasons of failures in words.

A file is written under a temporary name in the same folder, and then renamed. The environment variable SEPARATRIX_HOME
sets one folder for all files that the program keeps. A PNG has its scene in an iTXt chunk named `separatrix`. Only the
chunks are read, without decoding pixels: Pillow refuses pictures of more than 178 megapixels, and a screenshot may be
larger. The chunk is not compressed, as Pillow reads at most 1 MB of a compressed one.
"""

from __future__ import annotations

import errno
import glob
import io
import os
import re
import stat
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import sleep, time
from typing import TYPE_CHECKING, BinaryIO

import platformdirs

from .file_kinds import CARRIERS, NOT_READ, kind_words
from .strict_json import DataError

if TYPE_CHECKING:
    from PIL.Image import Image


KEYWORD = "separatrix"
NAMESPACE = "urn:uuid:47f38a72-2fc9-494f-bbef-fca210b65c32"
"""The XML namespace of elements with a scene in SVG and XMP. RDF and librsvg demand an absolute URI; a UUID needs no
domain name (RFC 9562, 4)."""
NAMESPACES = (NAMESPACE, "separatrix")
"""The namespaces that are read: the current one, and that of older files, which is not an absolute URI."""
PACKETS = tuple(f'<separatrix:scene xmlns:separatrix="{name}">'.encode() for name in NAMESPACES)
"""The start tags of a scene in WebP, AVIF and MP4; the first is the one that is written."""
LOST = "a chat or an editor that saves it anew leaves the scene out, so take the file as it was first saved"
PNG_EFFORT = 3
"""The level of zlib. For pictures with a vertical gradient, level 6 saves 8 % of the file in 1.5 times the time."""
RUNS = 3
"""The strategy Z_RLE of zlib: pictures with a vertical gradient become as small as by default, in 0.8 of the time."""
WAITS_FOR_READERS = (0.01, 0.05, 0.2)
"""Seconds between attempts to replace a file that another program has open, on Windows."""
SYSTEM = os.name
DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}
    | {port + digit for port in ("COM", "LPT") for digit in "123456789¹²³"}
)
"""Names of devices on Windows, which no file can have."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = 12
"""The number of first bytes from which the kind of a picture or film is known."""


def is_png(data: bytes) -> bool:
    """Whether the bytes begin like a PNG."""
    return data.startswith(_SIGNATURE)


def is_gif(data: bytes) -> bool:
    """Whether the bytes begin like a GIF."""
    return data.startswith((b"GIF87a", b"GIF89a"))


def is_film(data: bytes) -> bool:
    """Whether the bytes begin like a GIF, a WebP, an AVIF or an MP4; such a file may also be a still picture."""
    return is_gif(data) or data[8:12] == b"WEBP" or data[4:8] == b"ftyp"


def is_jpeg(data: bytes) -> bool:
    """Whether the bytes begin like a JPEG."""
    return data.startswith(b"\xff\xd8\xff")


def png_bytes(image: Image, scene: str | None = None, texts: Mapping[str, str] = {}, dpi: float | None = None) -> bytes:
    """The bytes of a PNG file with the image. `scene`: a scene's JSON text to store inside. `texts`: others, by name.

    `dpi`: pixels per inch, for a picture with a size on paper.
    """
    # Imported here because `check` reads scenes without Pillow, whose import takes a third of its start.
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    if scene is not None:
        info.add_itxt(KEYWORD, scene, zip=False)
    for name, text in texts.items():
        info.add_itxt(name, text, zip=False)
    out = io.BytesIO()
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        # Dropping a fully opaque alpha channel makes the file a tenth smaller, in three quarters of the time.
        image = image.convert("RGB")
    size = {} if dpi is None else {"dpi": (dpi, dpi)}
    image.save(out, format="PNG", pnginfo=info, compress_level=PNG_EFFORT, compress_type=RUNS, **size)
    return out.getvalue()


def scene_text(data: bytes) -> str:
    """The scene's JSON text inside the bytes of a PNG.

    Raises DataError if there is none or it is compressed, or for a damaged PNG.
    """
    text = text_in(data, KEYWORD)
    if text is None:
        raise DataError("", f"is a picture without a scene inside: {LOST}")
    return text


def text_in(data: bytes, name: str) -> str | None:
    """The text named `name` inside the bytes of a PNG; None if there is none.

    Raises DataError for a damaged PNG, and for a compressed text.
    """
    header = name.encode() + b"\0"
    for kind, body in _chunks(data):
        if kind == b"iTXt" and body.startswith(header):
            return _international_text(body[len(header) :])
    return None


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        end = at + 8 + size
        if end + 4 > len(data):
            raise DataError("", "is a damaged picture: it ends in the middle")
        if kind == b"iTXt" and zlib.crc32(data[at + 4 : end]) != int.from_bytes(data[end : end + 4], "big"):
            raise DataError("", "is a damaged picture: the checksum of its text is wrong")
        yield kind, data[at + 8 : end] if kind == b"iTXt" else b""
        at = end + 4


def _international_text(body: bytes) -> str:
    """The text of an iTXt chunk. `body`: flag, method, language, translated keyword and text, all UTF-8.

    Raises DataError for compressed text, a missing part, and text that is no UTF-8.
    """
    compressed, _, rest = body[:1], body[1:2], body[2:]
    parts = rest.split(b"\0", 2)
    if compressed != b"\0" or len(parts) != 3:
        raise DataError("", "is a picture whose scene is stored in an unknown way")
    try:
        return parts[2].decode("utf-8")
    except UnicodeDecodeError:
        raise DataError("", "is a picture whose scene is no UTF-8 text") from None


MEGABYTE = 1 << 20
SCENE_LIMIT = 16 * MEGABYTE
PICTURE_LIMIT = 1024 * MEGABYTE
"""Limits of sizes, bytes. A scene with long notes takes kilobytes, the largest screenshot hundreds of megabytes."""


_FROM_SHELL = r"/dev/stdin|/(?:dev|proc/self)/fd/\d+"
"""A pattern of the paths by which a shell passes a pipe from another program."""


def open_file(path: Path | str) -> BinaryIO:
    """Opens the file for reading; also a pipe that a shell passes.

    Raises ValueError for a name with a NUL character. Raises OSError if the file cannot be opened, for a folder, and
    for another pipe or a device, which may never answer.
    """
    if not re.fullmatch(_FROM_SHELL, str(path)):
        mode = Path(path).stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.ENOTSUP, "is a pipe or a device, not a file")
    return Path(path).open("rb")


def read_bounded(path: Path | str) -> bytes:
    """The bytes of a scene file or a picture; of a PNG or a film, only the part with the scene.

    Of a GIF, which has its scene before its pictures, they are the first 16 MB. Raises DataError, with one sentence
    that lacks the file's name, if the file cannot be read, is too large, or is damaged before its scene.
    """
    try:
        with open_file(path) as file:
            head = file.read(_HEAD)
            if is_png(head):
                return _SIGNATURE + _scene_chunk(head[len(_SIGNATURE) :], file)
            if is_film(head) and not is_gif(head):
                return head + _scene_packet(file)
            # A GIF has its scene before its pictures, so its first bytes are enough.
            data = head + file.read(SCENE_LIMIT + 1 - len(head))
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError("", reason_of(error)) from None
    if len(data) > SCENE_LIMIT and not is_gif(data):
        if (words := kind_words(data)) and words not in CARRIERS:
            raise DataError("", f"is {words}, {NOT_READ}")
        raise DataError("", f"is larger than {SCENE_LIMIT // MEGABYTE} MB, no scene is")
    return data


def packet_at(data: bytes) -> int:
    """The index of the first byte of the last packet with a scene; -1 if there is none."""
    return max(data.rfind(packet) for packet in PACKETS)


def _scene_packet(file: BinaryIO) -> bytes:
    """The last packet with a scene in a WebP, an AVIF or an MP4, up to the scene's end; b"" if there is none.

    The packet may be anywhere in the file, which is read piece by piece. Raises DataError if the file or the scene is
    too large.
    """
    found, last, passed, ended = bytearray(), b"", 0, True
    while piece := file.read(MEGABYTE):
        passed += len(piece)
        if passed > PICTURE_LIMIT:
            raise DataError("", f"is larger than {PICTURE_LIMIT // MEGABYTE} MB, no film of ours is")
        text = last + piece
        if (at := packet_at(text)) >= 0:
            found, ended = bytearray(text[at:]), False
        elif not ended:
            found += piece
        if not ended and (end := found.find(b"<", 1)) >= 0:
            del found[end + 1 :]
            ended = True
        ended = ended or len(found) > SCENE_LIMIT
        last = text[1 - max(map(len, PACKETS)) :]
    if len(found) > SCENE_LIMIT:
        raise DataError("", f"carries a scene of more than {SCENE_LIMIT // MEGABYTE} MB, no scene is")
    return bytes(found)


def _scene_chunk(start: bytes, file: BinaryIO) -> bytes:
    """The chunk of a PNG with the scene; b"" if there is none. Other chunks are skipped piece by piece.

    `start`: the first bytes after the signature, at most eight, which are read already. Raises DataError for a damaged
    PNG, and if the file or the scene is too large.
    """
    passed, keyword = 0, KEYWORD.encode() + b"\0"
    head = start + file.read(8 - len(start))
    while len(head) == 8 and passed <= PICTURE_LIMIT:
        left = int.from_bytes(head[:4], "big") + 4
        body = file.read(min(left, len(keyword))) if head[4:] == b"iTXt" else b""
        if body == keyword:
            if left > SCENE_LIMIT:
                raise DataError("", f"carries a scene of more than {SCENE_LIMIT // MEGABYTE} MB, no scene is")
            return head + body + file.read(left - len(body))
        passed, left = passed + left, left - len(body)
        while left and (piece := file.read(min(left, MEGABYTE))):
            left -= len(piece)
        if left:
            raise DataError("", "is a damaged picture: it ends in the middle")
        head = file.read(8)
    if len(head) == 8:
        raise DataError("", f"is larger than {PICTURE_LIMIT // MEGABYTE} MB, no picture of ours is")
    return b""


def refuse_device(path: Path) -> None:
    """Raises OSError on Windows if the name is a device's, with any ending: data written there would be lost.

    https://learn.microsoft.com/windows/win32/fileio/naming-a-file
    """
    name = path.name.partition(".")[0].partition(":")[0].rstrip(" ")
    if SYSTEM == "nt" and name.upper() in DEVICES:
        raise OSError(errno.EINVAL, f"no file can be named so: on this system {name} is a device")


def reason_of(error: OSError | ValueError) -> str:
    """The reason why a file could not be read or written, in a few words that follow its name."""
    if "embedded null" in str(error):
        return "no file can be named so: there is a NUL character in it"  # one text for all systems
    match getattr(error, "errno", None):
        case errno.ENOENT:
            return "no such file or folder"
        case errno.EISDIR:
            return "is a folder"
        case errno.EACCES | errno.EPERM:
            return "permission denied"
        case _:
            return (getattr(error, "strerror", None) or str(error)).lower()


def readable(name: Path | str) -> str:
    """The name, or a text with names, with `?` for bytes that are not UTF-8: widgets and titles refuse these."""
    return str(name).encode("utf-8", "replace").decode()


def config_folder() -> Path:
    """The folder of the settings and the window layout; it is not created here."""
    return _folder(platformdirs.user_config_dir("separatrix", appauthor=False))


def state_folder() -> Path:
    """The folder of recent files, autosaves and progress; it is not created here."""
    return _folder(platformdirs.user_state_dir("separatrix", appauthor=False))


def _folder(usual: str) -> Path:
    home = os.environ.get("SEPARATRIX_HOME")
    return Path(home) if home else Path(usual)


_HOME = Path(__file__).resolve().parents[2]


def resource(*parts: str) -> Path:
    """The path of a file or folder that ships with the program: `resource("shaders", "line", "line.frag")`."""
    return _HOME.joinpath(*parts)


def version() -> str:
    """The program's version, from pyproject.toml in a working tree, else from the installed package.

    Raises PackageNotFoundError if there is neither.
    """
    # Imported here because few runs need the version.
    import tomllib
    from importlib import metadata

    project = resource("pyproject.toml")
    if project.is_file():
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
    return metadata.version("separatrix")


def write_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Writes `data` to `path`, replacing an existing file; after a failure the old file is unchanged.

    Raises OSError if the file cannot be written, for a folder, and for a name that `refuse_device` refuses, and
    ValueError for a name with a NUL character. Links are followed, and an existing file's permissions are kept.
    `durable`: waits for the disk, so that also after a power cut the file is the old or the new one. Without it, this
    holds only if the process is killed. With it, abandoned temporary files of that name are removed too. A device or a
    pipe is written in place.
    """
    refuse_device(path)
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():
        # Writes to a device or a pipe, instead of replacing it.
        target.write_bytes(data)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    if durable:
        remove_abandoned(target.parent, target.name)
    temporary = _temporary_beside(target, data, durable)
    try:
        _copy_permissions(target, temporary)
        _take_name(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        _wait_for_name(target.parent)


def _take_name(temporary: Path, target: Path, system: str = os.name) -> None:
    """Renames `temporary` to `target`.

    Tries again on Windows, which refuses as long as another program, such as a virus scanner, has the file open. Raises
    OSError if the last attempt fails.
    """
    for pause in WAITS_FOR_READERS if system == "nt" else ():
        try:
            temporary.replace(target)
            return
        except PermissionError:
            sleep(pause)
    temporary.replace(target)


def write_numbered(path: Path, data: bytes) -> Path:
    """Writes to `path` or, if that exists, to NAME-1, NAME-2 and so on; returns the path used.

    Raises OSError if no file can be written there, and ValueError for a name with a NUL character. Never overwrites a
    file, not even one that another program creates meanwhile. Removes abandoned temporary files of `path`.
    """
    refuse_device(path)
    remove_abandoned(path.parent, path.name)
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
            # Some file systems have no links; there an exclusive open claims the name.
            try:
                candidate.open("xb").close()
            except FileExistsError:
                continue
            try:
                temporary.replace(candidate)
            except OSError:
                candidate.unlink(missing_ok=True)
                raise
        return candidate


STALE = 3600.0
"""The age, seconds, above which a temporary file counts as abandoned."""


def remove_abandoned(folder: Path, name: str = "") -> None:
    """Removes abandoned temporary files of the file `name`, or of any file for "", in a folder. Never raises."""
    begun = f".{glob.escape(name[:100])}." if name else ".*."
    with suppress(OSError):
        for left in folder.glob(f"{begun}????????.tmp"):
            with suppress(OSError):
                if time() - left.stat().st_mtime > STALE:
                    left.unlink()


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
    # Writes the folder to the disk: before that, a power cut may undo the rename.
    if os.name == "posix":
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _copy_permissions(target: Path, temporary: Path) -> None:
    # mkstemp makes files that only their owner may read. The file gets the target's permissions, or the usual ones.
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except OSError:
        mask = os.umask(0o077)
        os.umask(mask)
        mode = 0o666 & ~mask
    with suppress(OSError):
        temporary.chmod(mode)
