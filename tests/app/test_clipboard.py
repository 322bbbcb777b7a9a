"""Pictures on the clipboard of each system; of Windows only there."""

from __future__ import annotations

import ctypes
import io
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageGrab

from app.storage import clipboard
from app.storage.clipboard import CF_DIB, ClipboardError, copy_png, dib, why_no_copy
from app.storage.files import png_bytes

on_windows = pytest.mark.skipif(sys.platform != "win32", reason="the clipboard of Windows")
elsewhere = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")


def picture() -> Image.Image:
    """Red beside clear beside half of blue."""
    image = Image.new("RGBA", (3, 2), (0, 0, 0, 0))
    image.paste((255, 0, 0, 255), (0, 0, 1, 2))
    image.paste((0, 0, 255, 128), (2, 0, 3, 2))
    return image


PICTURE = png_bytes(picture(), '{"separatrix": 1}')
ON_WHITE = [(255, 0, 0), (255, 255, 255), (127, 127, 255)]


def test_what_is_clear_is_white_in_the_bitmap_of_windows() -> None:
    with Image.open(io.BytesIO(dib(PICTURE)), formats=["DIB"]) as bitmap:
        assert bitmap.size == (3, 2)
        assert [bitmap.getpixel((x, y)) for y in range(2) for x in range(3)] == 2 * ON_WHITE


@on_windows
def test_windows_has_the_picture_for_programs_that_read_png_and_for_all_others() -> None:
    from app.storage.windows_clipboard import put

    copy_png(PICTURE)
    assert ctypes.WinDLL("user32").IsClipboardFormatAvailable(CF_DIB)
    png = ImageGrab.grabclipboard()  # of the two it takes the PNG
    assert isinstance(png, Image.Image)
    assert png.convert("RGBA").tobytes() == picture().tobytes()
    assert png.info["separatrix"] == '{"separatrix": 1}'
    put({CF_DIB: dib(PICTURE)})
    bitmap = ImageGrab.grabclipboard()
    assert isinstance(bitmap, Image.Image)
    assert [bitmap.convert("RGB").getpixel((x, 0)) for x in range(3)] == ON_WHITE


def stand_in(name: str, script: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@elsewhere
def test_a_mac_copies_the_file_of_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # osascript hands its last argument to the script, which reads the file of that name.
    script = f'for last; do :; done; cp "$last" {tmp_path}/copied.png; printf "%s\\n" "$@" > {tmp_path}/words'
    stand_in("osascript", script, tmp_path, monkeypatch)
    assert why_no_copy("darwin") == ""
    copy_png(PICTURE, "darwin")
    assert (tmp_path / "copied.png").read_bytes() == PICTURE
    assert (tmp_path / "words").read_text("utf-8").splitlines()[:-1] == list(clipboard.OSASCRIPT[1:])


@elsewhere
@pytest.mark.parametrize(
    ("system", "display", "name"),
    [("darwin", "HOME", "osascript"), ("linux", "WAYLAND_DISPLAY", "wl-copy"), ("linux", "DISPLAY", "xclip")],
)
def test_what_is_lacking_or_does_not_answer_is_told(
    system: str, display: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in ("WAYLAND_DISPLAY", "DISPLAY"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(display, "here")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert name in why_no_copy(system)
    stand_in(name, "exit 1", tmp_path, monkeypatch)
    assert why_no_copy(system) == ""
    with pytest.raises(ClipboardError, match="does not answer"):
        copy_png(PICTURE, system)
    stand_in(name, "sleep 60", tmp_path, monkeypatch)
    monkeypatch.setattr(clipboard, "TIMEOUT", 0.2)
    with pytest.raises(ClipboardError, match="does not answer"):
        copy_png(PICTURE, system)


def test_windows_lacks_nothing() -> None:
    assert why_no_copy("win32") == ""
