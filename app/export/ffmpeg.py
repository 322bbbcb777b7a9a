"""Encodes MP4 with an `ffmpeg` from the PATH, a separate process that reads pictures as they are drawn.

If it fails, stops reading or writes another kind of file, it is ended, and the error has its last messages.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Timer
from typing import IO

from PIL import Image

PATIENCE = 60.0
"""Seconds that ffmpeg may take to accept a picture, and to end the file; a large picture takes a few on an old machine.
"""
EVEN = "crop=floor(iw/2)*2:floor(ih/2)*2"
"""The filter that crops to even sides: the pixel format of all players has one colour for two by two pixels."""
MESSAGE_CHARACTERS = 300
"""Largest number of characters of the program's messages in an error."""


class FilmError(Exception):
    """A film could not be written; the text is one sentence that follows the file's name."""


def encoded(pictures: Iterator[Image.Image], size: tuple[int, int], frames: Sequence[int], fps: float) -> bytes:
    """The MP4 of `pictures`, RGB and of `size` pixels, each shown for its number of `frames` of 1 / fps seconds.

    An odd side loses a row or column of pixels. Raises FilmError if ffmpeg is missing, fails, is too slow or writes no
    MP4; if it is missing, the sentence names the alternatives.
    """
    program = shutil.which("ffmpeg")
    if program is None:
        raise FilmError(
            "MP4 needs the program ffmpeg, and there is none on the PATH; .gif, .webp and .avif need nothing "
            "more, and --frames DIR writes the pictures for another program"
        )
    with tempfile.TemporaryDirectory(prefix="separatrix-") as folder, tempfile.TemporaryFile() as said:
        out = Path(folder) / "film.mp4"
        width, height = size
        source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{fps:g}", "-i", "-"]
        target = ["-an", "-vf", EVEN, "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", str(out)]
        command = [program, "-hide_banner", "-loglevel", "error", "-y", *source, *target]
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said)
        except OSError as error:
            raise FilmError(f"ffmpeg could not be started: {error.strerror}") from None
        assert process.stdin is not None
        try:
            _feed(process, process.stdin, pictures, frames, said)
        finally:
            process.kill()
            process.wait()
            # The pipe is open only after an error; then closing it may fail, as data could not be written.
            with suppress(OSError):
                process.stdin.close()
        data = out.read_bytes() if out.is_file() else b""
        if data[4:8] != b"ftyp":
            raise FilmError(f"ffmpeg wrote no MP4{_last_words(said)}")
        return data


def _feed(
    process: subprocess.Popen[bytes],
    pipe: IO[bytes],
    pictures: Iterator[Image.Image],
    frames: Sequence[int],
    said: IO[bytes],
) -> None:
    """Writes the pictures to the process, each as often as `frames` says, and waits for its end.

    Raises as `_watched`.
    """
    for picture, times in zip(pictures, frames, strict=True):
        data = picture.tobytes()
        for _ in range(times):
            _watched(process, said, partial(pipe.write, data))
    _watched(process, said, pipe.close)
    _watched(process, said, process.wait)


def _watched(process: subprocess.Popen[bytes], said: IO[bytes], act: Callable[[], object]) -> None:
    """Calls `act`, which waits for the process; ends the process if `act` takes longer than PATIENCE.

    Raises FilmError if the process was ended, failed, or stopped reading.
    """
    late = Event()

    def end() -> None:
        late.set()
        process.kill()

    timer = Timer(PATIENCE, end)
    timer.daemon = True
    timer.start()
    gone = False
    try:
        act()
    except OSError:
        # The process reads no more pictures; the error below has its status and its messages.
        gone = True
        process.wait()
    finally:
        timer.cancel()
    if late.is_set():
        raise FilmError(f"ffmpeg did nothing for {PATIENCE:g} seconds and was ended{_last_words(said)}")
    if process.returncode:
        raise FilmError(f"ffmpeg failed with status {process.returncode}{_last_words(said)}")
    if gone:
        raise FilmError(f"ffmpeg ended before it had all pictures{_last_words(said)}")


def _last_words(said: IO[bytes]) -> str:
    said.seek(0)
    words = " ".join(said.read().decode("utf-8", "replace").split())
    return f": {words[-MESSAGE_CHARACTERS:]}" if words else ""
