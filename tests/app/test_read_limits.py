"""What is too large, or no file at all, is refused in one sentence before the memory is spent, and nothing hangs."""

from __future__ import annotations

import json
import math
import os
import struct
import tracemalloc
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from app.cli.expectations import Expectations
from app.forms.form import NotUnderstoodError
from app.forms.points import shape_of_points
from app.io.deck_file import read_deck
from app.io.mesh_file import load_hull
from app.io.presets import default_scene
from app.io.scene_file import MOST_IN_NAME, SceneError, load, load_view, read, write
from app.io.scene_log import SceneLog
from app.lessons.lesson_file import reading_of
from app.storage.carried import xmp_packet
from app.storage.files import MEGABYTE, NAMESPACE, read_bounded
from app.storage.strict_json import MOST_VALUES, DataError, parse

from .command_rig import run

SCENE = write(default_scene().scene)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(*chunks: bytes) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + chunk(b"IEND", b"")


def carried(text: bytes) -> bytes:
    return chunk(b"iTXt", b"separatrix\0\0\0\0\0" + text)


def peak(work: Callable[[], Any]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def refused(path: Path) -> str:
    with pytest.raises(SceneError) as caught:
        load(path)
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_large_text_in_a_png_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(png(carried(b"1," * (20 * MEGABYTE))))
    assert peak(lambda: refused(path)) < MEGABYTE
    assert refused(path) == "carries a scene of more than 16 MB, no scene is"


def test_of_a_large_picture_only_the_scene_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    pixels = chunk(b"IDAT", bytes(40 * MEGABYTE))
    path.write_bytes(png(chunk(b"iTXt", b"Author\0\0\0\0\0me"), pixels, carried(SCENE.encode())))
    assert peak(lambda: load(path)) < 4 * MEGABYTE
    assert load(path).scene == default_scene().scene
    path.write_bytes(png(pixels)[: 20 * MEGABYTE])
    assert refused(path) == "is a damaged picture: it ends in the middle"
    path.write_bytes(png(carried(SCENE.encode()), pixels)[: 20 * MEGABYTE])
    assert load(path).scene == default_scene().scene


PACKET = xmp_packet(SCENE)
FILMS = {
    "film.webp": b"RIFF" + bytes(4) + b"WEBP",
    "film.avif": b"\0\0\0\x20ftypavif",
    "film.mp4": b"\0\0\0\x20ftypisom",
}


@pytest.mark.parametrize("name", FILMS)
@pytest.mark.parametrize("before", [0, 12, MEGABYTE - 12 - len(PACKET) // 2, MEGABYTE - 40, 20 * MEGABYTE])
@pytest.mark.sampled(3, "commands")
def test_of_a_large_film_only_the_scene_is_kept(tmp_path: Path, name: str, before: int) -> None:
    path, rest = tmp_path / name, bytes(20 * MEGABYTE)
    # What was edited may have the packet of before as well: the last one counts.
    path.write_bytes(FILMS[name] + xmp_packet("{}") + bytes(before) + PACKET + rest)
    assert load(path).scene == default_scene().scene
    del rest
    assert peak(lambda: load(path)) < 8 * MEGABYTE
    path.write_bytes(FILMS[name] + bytes(20 * MEGABYTE))
    assert peak(lambda: refused(path)) < 8 * MEGABYTE
    assert refused(path).startswith(f"is a {'film' if name.endswith('mp4') else 'picture'} without a scene inside: ")


@pytest.mark.parametrize("name", FILMS)
def test_a_film_of_before_still_opens(tmp_path: Path, name: str) -> None:
    """Its namespace was no absolute URI."""
    path, old = tmp_path / name, PACKET.replace(NAMESPACE.encode(), b"separatrix")
    assert old != PACKET
    for before in (0, MEGABYTE - 12 - len(old) // 2, MEGABYTE - 40):
        path.write_bytes(FILMS[name] + xmp_packet("{}") + bytes(before) + old + bytes(2 * MEGABYTE))
        assert load(path).scene == default_scene().scene


def test_a_large_text_in_a_film_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(FILMS["film.mp4"] + PACKET.replace(b"</sep", b"1," * 9 * MEGABYTE + b"</sep"))
    assert refused(path) == "carries a scene of more than 16 MB, no scene is"


def test_a_film_beyond_any_of_ours_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(FILMS["film.mp4"] + bytes(3 * MEGABYTE))
    monkeypatch.setattr("app.storage.files.PICTURE_LIMIT", 2 * MEGABYTE)
    assert refused(path) == "is larger than 2 MB, no film of ours is"


def test_points_that_are_pasted_have_the_limit_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.forms.points.MOST_POINTS", 4)
    corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    assert len(shape_of_points(corners).points) == 4
    with pytest.raises(NotUnderstoodError, match=r"^The points must have at most 4 points, got 5\.$"):
        shape_of_points([*corners, [1.0, 1.0, 1.0]])
    with pytest.raises(NotUnderstoodError, match=r"^The points must have at most 2,000 points, got 2,001\.$"):
        shape_of_points([[0.0, 0.0]] * 2001)
    with pytest.raises(NotUnderstoodError, match=r"^The points\[1\]\[0\] must lie within ±1e\+30, got 1e\+40\.$"):
        shape_of_points([[0.0, 0.0, 0.0], [1e40, 0.0, 0.0]])


def test_two_half_spaces_are_refused_with_a_border_too() -> None:
    plane = {"type": "halfspace", "normal": [0, 1, 0], "offset": 0}
    for border in ({}, {"border_radius": 0.5}):
        bodies = {key: {"shape": plane | border, "position": [0, 0, 0]} for key in "ab"}
        with pytest.raises(SceneError, match=r"^b.shape.type: must not be a half-space if the other body is one$"):
            read(json.dumps({"separatrix": 1} | bodies))


def test_a_mesh_with_what_is_no_number_complains_in_one_sentence_alone(tmp_path: Path) -> None:
    path, corners = tmp_path / "mesh.stl", (math.nan, 3e38, 1.0) * 4
    path.write_bytes(bytes(80) + struct.pack("<I12fH", 1, *corners, 0))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(SceneError, match=r"mesh.stl: points\[0\]\[0\]: must lie within ±1e\+30, got "):
            load_hull(path)
    assert caught == []


def test_a_flat_array_is_refused_before_its_values_are_made() -> None:
    text = "[" + "1," * (MOST_VALUES - 1) + "1"

    def too_many() -> None:
        with pytest.raises(DataError, match=r"^must have at most 1,000,000 values, got 1,000,001$"):
            parse(text + ",1]")

    assert peak(too_many) < 4 * MEGABYTE
    assert len(parse(text + "]")) == MOST_VALUES


def test_commas_in_a_text_are_no_values() -> None:
    text = "," * (MOST_VALUES + 1)
    assert parse(f'["{text}", "\\"{text}"]') == [text, '"' + text]


def test_a_long_name_is_refused() -> None:
    scene = default_scene().scene
    longest = replace(scene, name="n" * MOST_IN_NAME)
    assert read(write(longest)).scene == longest
    with pytest.raises(SceneError, match=r"^name: must have at most 10,000 characters, got 10,001$"):
        read(write(replace(scene, name="n" * (MOST_IN_NAME + 1))))


READERS: dict[str, tuple[type[Exception] | None, Callable[[Path], Any]]] = {
    "scene.json": (SceneError, load),
    "mesh.obj": (SceneError, load_hull),
    "mesh.stl": (SceneError, load_hull),
    "log.jsonl": (SceneError, SceneLog),
    "deck.jsonl": (SceneError, read_deck),
    "view.json": (SceneError, load_view),
    "settings.json": (DataError, read_bounded),
    "answers.jsonl": (DataError, lambda path: Expectations(str(path))),
    "lesson.md": (None, lambda path: reading_of(path).faults[0].message),
}


def said(name: str, path: Path) -> str:
    kind, reader = READERS[name]
    if kind is None:
        return str(reader(path))
    with pytest.raises(kind) as caught:
        reader(path)
    return str(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="no pipes with names")
@pytest.mark.parametrize("name", READERS)
def test_a_pipe_a_device_and_a_folder_are_refused_at_once(name: str, tmp_path: Path) -> None:
    pipe, device, folder = (tmp_path / part / name for part in ("pipe", "device", "folder"))
    for path in (pipe, device, folder):
        path.parent.mkdir()
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    folder.mkdir()
    for path in (pipe, device):
        assert said(name, path).endswith("is a pipe or a device, not a file")
    assert said(name, folder).endswith("is a folder")


@pytest.mark.skipif(os.name == "nt", reason="no pipes with names")
def test_a_log_that_is_a_pipe_is_refused_by_check(tmp_path: Path) -> None:
    os.mkfifo(path := tmp_path / "log.jsonl")
    done = run("check", str(path))
    assert (done.returncode, done.stderr) == (1, f"{path}: is a pipe or a device, not a file\n")


@pytest.mark.skipif(os.name == "nt", reason="no /dev/fd")
@pytest.mark.parametrize("data", [SCENE.encode(), png(carried(SCENE.encode()))], ids=["text", "picture"])
def test_what_a_shell_hands_over_is_read(data: bytes) -> None:
    end, begin = os.pipe()
    with os.fdopen(begin, "wb") as out:
        out.write(data)
    try:
        assert load(f"/dev/fd/{end}").scene == default_scene().scene
    finally:
        os.close(end)
