"""Films as files: opened again they have the pictures, times and size that they were given."""

from __future__ import annotations

import errno
import stat
import sys
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from PIL import Image

from app.draw.theme import THEMES, Theme, theme_named
from app.export import ffmpeg, film_file
from app.export.ffmpeg import FilmError
from app.export.film_file import Recipe, film_palette, write_film
from app.io.scene_file import SceneError, load, text_of
from app.storage.carried import carried_scene
from app.storage.files import NAMESPACE
from core.scene import Scene

from .film_samples import drawn, opened, psnr, steps_of

SIZE = (161, 97)
TIMES = (1.5, 0.04, 0.3, 0.3, 2.0)
LOSS = {".gif": 36.0, ".webp": 99.0, ".avif": 40.0}
"""At least so many dB; 99 is exact."""


def recipe(**more: object) -> Recipe:
    return Recipe(SIZE, TIMES, theme_named("dark"), **more)  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize("ending", LOSS)
@pytest.mark.parametrize("loop", [0, 1, 3])
@pytest.mark.sampled(3, "pictures")
def test_a_film_opened_again_is_what_was_told(tmp_path: Path, ending: str, loop: int) -> None:
    pictures, path = drawn(theme_named("dark"), SIZE, len(TIMES)), tmp_path / f"film{ending}"
    size = write_film(path, iter(pictures), iter(pictures[::2]), recipe(loop=loop, scene='{"separatrix": 1}'))
    assert path.stat().st_size == size
    found, durations, across, info = opened(path)
    assert (across, len(found)) == (SIZE, len(TIMES))
    assert durations == [1500, 40, 300, 300, 2000]
    assert min(psnr(one, other) for one, other in zip(found, pictures, strict=True)) >= LOSS[ending]
    if ending == ".gif":
        # A GIF says how often it is repeated; without that it is played once.
        assert info.get("loop") == {0: 0, 1: None, 3: 2}[loop]
    elif ending != ".avif":
        assert info["loop"] == loop
    assert carried_scene(path.read_bytes()) == b'{"separatrix": 1}'
    assert list(tmp_path.iterdir()) == [path]


def test_lossy_webp_is_as_good_as_it_was_measured_and_smaller(tmp_path: Path) -> None:
    pictures, sizes = drawn(theme_named("light"), (320, 200), 4), []
    for name, quality in (("exact", None), ("small", 80)):
        path = tmp_path / f"{name}.webp"
        wanted = Recipe((320, 200), (0.5,) * 4, theme_named("light"), quality=quality)
        sizes.append(write_film(path, iter(pictures), iter(()), wanted))
        found, *_ = opened(path)
        assert min(psnr(one, other) for one, other in zip(found, pictures, strict=True)) >= 34.0
    assert sizes[0] != sizes[1]


@pytest.mark.parametrize("ending", LOSS)
def test_a_film_of_one_picture_is_one(tmp_path: Path, ending: str) -> None:
    pictures, path = drawn(theme_named("dark"), SIZE, 1), tmp_path / f"film{ending}"
    write_film(path, iter(pictures), iter(pictures), Recipe(SIZE, (1.0,), theme_named("dark")))
    with Image.open(path) as film:
        assert (film.size, getattr(film, "n_frames", 1)) == (SIZE, 1)


def test_equal_pictures_after_one_another_stand_as_long(tmp_path: Path) -> None:
    one, other = drawn(theme_named("dark"), SIZE, 2)
    for ending in (".gif", ".webp", ".avif"):
        path = tmp_path / f"film{ending}"
        write_film(path, iter((one, one, other)), iter((one, other)), Recipe(SIZE, (0.5,) * 3, theme_named("dark")))
        assert sum(opened(path)[1]) == 1500


def test_times_do_not_drift_by_rounding() -> None:
    wanted = Recipe(SIZE, (1.0 / 30.0,) * 300, theme_named("dark"), fps=24.0)
    assert sum(wanted.milliseconds) == 10_000
    assert sum(wanted.centiseconds) == 1000
    assert set(wanted.centiseconds) == {3, 4}
    assert min(wanted.video_frames) == 1


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_a_palette_keeps_the_themes_colours_and_its_background(theme: Theme) -> None:
    (picture,) = drawn(theme, (200, 120), 1)
    palette = film_palette(theme, iter((picture,)))
    again = picture.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB")
    for place in ((9, 20), (9, 100)):
        assert again.getpixel(place) == picture.getpixel(place)
    # Pillow looks for the nearest colour in steps of 4 of 255.
    assert max(abs(a - b) for a, b in zip(again.tobytes(), picture.tobytes(), strict=True)) <= 4


def test_a_gif_beyond_the_memory_is_refused_before_a_picture_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_file, "GIF_LIMIT", SIZE[0] * SIZE[1] * len(TIMES) - 1)

    def never() -> object:
        raise AssertionError("a picture was drawn")
        yield

    with pytest.raises(FilmError, match=r"^5 pictures of 161x97 are too many for a GIF"):
        film_file.FORMATS[".gif"].data(never(), never(), recipe())  # type: ignore[arg-type]


@pytest.mark.parametrize("ending", LOSS)
def test_a_fault_or_a_cancel_on_the_way_leaves_what_was_there(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"film{ending}"
    path.write_text("before")

    def broken() -> object:
        yield from drawn(theme_named("dark"), SIZE, 2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_film(path, broken(), iter(drawn(theme_named("dark"), SIZE, 1)), recipe())  # type: ignore[arg-type]
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, pictures = tmp_path / "film.gif", drawn(theme_named("dark"), SIZE, len(TIMES))
    path.write_text("before")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_film(path, iter(pictures), iter(pictures), recipe())
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


# Stand-ins for ffmpeg: what the real one does with its last argument, the file, and its standard input.
HONEST = """
data = sys.stdin.buffer.read()
open(sys.argv[-1], "wb").write(b"\\0\\0\\0\\x18ftypisom" + str((len(data), sys.argv)).encode())
"""
STAND_INS = {
    "fails": ("sys.stderr.write('no such codec'); sys.exit(8)", "ffmpeg failed with status 8: no such codec"),
    "is killed": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ffmpeg failed with status -9"),
    "hangs": ("import time; time.sleep(60)", "ffmpeg did nothing for 0.5 seconds and was ended"),
    "hangs at the end": ("sys.stdin.buffer.read(); import time; time.sleep(60)", "ffmpeg did nothing for 0.5 seconds"),
    "writes garbage": ("sys.stdin.buffer.read(); open(sys.argv[-1], 'w').write('<html>')", "ffmpeg wrote no MP4"),
    "writes nothing": ("sys.stdin.buffer.read()", "ffmpeg wrote no MP4"),
    "ends early": ("sys.stdin.buffer.read(9)", "ffmpeg"),
}


def stand_in(folder: Path, code: str) -> None:
    program = folder / "ffmpeg"
    program.write_text(f"#!{sys.executable} -S\nimport sys\n{code}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
def test_an_mp4_is_what_ffmpeg_makes_of_the_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, HONEST)
    monkeypatch.setenv("PATH", str(tmp_path))
    pictures, path = drawn(theme_named("dark"), SIZE, len(TIMES)), tmp_path / "film.mp4"
    write_film(path, iter(pictures), iter(()), recipe(fps=10.0))
    said = path.read_bytes().decode("latin-1")
    # 4.14 seconds at 10 pictures a second; the one of 0.04 seconds is there for one of them.
    frames = sum(recipe(fps=10.0).video_frames)
    assert frames in (41, 42)
    assert f"({frames * 3 * SIZE[0] * SIZE[1]}, " in said
    assert "'-s', '161x97', '-r', '10', '-i', '-'" in said


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
@pytest.mark.parametrize("kind", STAND_INS)
@pytest.mark.sampled(2, "scenes")
def test_an_ffmpeg_that_does_not_do_its_work_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    code, words = STAND_INS[kind]
    stand_in(tmp_path, code)
    monkeypatch.setenv("PATH", str(tmp_path))
    if "hangs" in kind:
        monkeypatch.setattr(ffmpeg, "PATIENCE", 0.5)
    path = tmp_path / "film.mp4"
    with pytest.raises(FilmError) as refused:
        write_film(
            path,
            iter(drawn(theme_named("dark"), (400, 300), 3)),
            iter(()),
            Recipe((400, 300), (1.0,) * 3, theme_named("dark")),
        )
    assert str(refused.value).startswith(words)
    assert not path.exists()


HOSTILE = '</separatrix:scene> & "quoted" ]]> <b> ⟨名⟩ é 𝄞' + 300 * " long"


def film_of(path: Path, name: str = HOSTILE) -> Scene:
    seen = steps_of("skew-edges", first=4, last=5).seen(0)
    seen = replace(seen, scene=replace(seen.scene, name=name))
    pictures = drawn(theme_named("dark"), SIZE, len(TIMES))
    write_film(path, iter(pictures), iter(pictures), recipe(scene=text_of(seen)))
    return seen.scene


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
@pytest.mark.parametrize("ending", film_file.FORMATS)
def test_a_film_opens_as_its_scene_at_the_step_it_begins_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    stand_in(tmp_path, HONEST)
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / f"film{ending}"
    scene = film_of(path)
    found = load(path)
    assert found.scene == scene
    assert (found.view.step, found.remarks) == (5, ())
    # The content says what a file is, not its name.
    assert load(path.rename(tmp_path / "film.json")).scene == scene


def test_a_film_without_a_scene_is_said_to_be_one(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    for brand, kind in ((b"isom", "film"), (b"heic", "picture")):
        path.write_bytes(b"\0\0\0\x18ftyp" + brand + b"\0" * 99)
        with pytest.raises(SceneError, match=f"is a {kind} without a scene inside"):
            load(path)


@pytest.mark.parametrize("ending", [".webp", ".avif"])
def test_a_film_that_another_program_saved_anew_says_why_it_has_no_scene(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"film{ending}"
    film_of(path)
    with Image.open(path) as film:
        film.convert("RGB").save(path)
    with pytest.raises(SceneError, match="is a picture without a scene inside: a chat or an editor that"):
        load(path)


def test_where_xmp_stands_is_what_readers_of_the_formats_say(tmp_path: Path) -> None:
    for ending in (".webp", ".avif"):
        path = tmp_path / f"film{ending}"
        film_of(path, "Name")
        with Image.open(path) as film:
            told = ElementTree.fromstring(film.info["xmp"])
        assert '"name": "Name"' in told.find(f".//{{{NAMESPACE}}}scene").text
    film_of(tmp_path / "film.gif", "Name")
    with Image.open(tmp_path / "film.gif") as film:
        assert film.info["comment"].startswith(b"separatrix {")


@pytest.mark.parametrize("ending", [".gif", ".webp", ".avif"])
@pytest.mark.nightly("pictures")
def test_a_film_that_was_cut_is_refused_in_words_at_every_length(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"film{ending}"
    scene = film_of(path)
    data = path.read_bytes()
    opened_again = 0
    for end in [*range(12, 3000, 7), *range(3000, len(data), 997), *range(len(data) - 3000, len(data), 7)]:
        path.write_bytes(data[:end])
        with suppress(SceneError):
            opened_again += load(path).scene == scene
    assert opened_again


def test_without_ffmpeg_the_refusal_names_the_other_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FilmError, match=r"^MP4 needs the program ffmpeg, .* --frames DIR "):
        write_film(tmp_path / "film.mp4", iter(()), iter(()), recipe())
