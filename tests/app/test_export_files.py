"""SVG and PDF as files: written by `render` and the screenshot, opened as scenes, refused where they are none."""

from __future__ import annotations

import os
from math import radians
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.controllers.pictures import PREVIEW
from app.draw.theme import theme_named
from app.io.presets import load_preset
from app.io.scene_file import SceneError, load, save, write
from app.render.still import planned, vector_still
from app.state.export_options import ExportOptions
from app.state.named_steps import STEPS_WANTED
from app.state.view import Panes, Seen, View
from app.storage.files import NAMESPACE, NAMESPACES
from core.analysis.analysis import analyse

from .command_rig import GOOD, run
from .fault_rig import from_a_panel
from .patience import wait_for
from .window_rig import Driver, driver

__all__ = ["driver"]

pytestmark = pytest.mark.painted

ENDINGS = (".svg", ".pdf")
HOSTILE = '</scene></metadata> & "quoted" ]]> endstream /Length 3 >> stream ⟨名⟩ é 𝄞'


@pytest.mark.parametrize("ending", ENDINGS)
def test_render_writes_vectors_that_open_as_the_scene(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"out{ending.upper()}"
    done = run("render", GOOD, "-o", out, "--size", "200x120", "--theme", "print", "--step", "gjk:2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    loaded = load(out)
    assert loaded.scene == load(GOOD).scene
    assert loaded.view is not None
    assert loaded.view.step > 0
    assert list(tmp_path.iterdir()) == [out]
    told = run("check", out, "--brief")
    assert told.returncode == 0
    assert "OVERLAPPING" in told.stdout


def test_render_says_which_endings_there_are(tmp_path: Path) -> None:
    done = run("render", GOOD, "-o", tmp_path / "out.eps")
    assert done.returncode == 2
    assert "must end in .png, .svg, .pdf, .tex, .gif, .webp, .avif, .mp4 or .html, got" in done.stderr


def vectors(ending: str, name: str = HOSTILE) -> tuple[bytes, Seen]:
    loaded = load_preset("flat-one-gap")
    scene = replace(loaded.scene, name=name, notes=name)
    seen = Seen(scene, analyse(scene), View(), theme_named("print"))
    text = write(scene, View(), ascii_only=True)
    return vector_still(planned(seen, 64, 40, 1.0), ending, text, name)(), seen


@pytest.mark.parametrize("ending", ENDINGS)
def test_any_name_comes_back_as_it_was(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    data, seen = vectors(ending)
    path.write_bytes(data)
    assert load(path).scene == seen.scene
    # The content says what a file is, not its name.
    other = tmp_path / "a.json"
    other.write_bytes(data)
    assert load(other).scene == seen.scene


def test_an_svg_that_another_program_wrote_anew_still_opens(tmp_path: Path) -> None:
    data, seen = vectors(".svg")
    path = tmp_path / "a.svg"
    ours = f'<scene xmlns="{NAMESPACE}">'.encode()
    assert ours in data
    for namespace in NAMESPACES:
        changed = data.replace(ours, f"<s:scene\n id='x' xmlns:s='{namespace}'>".encode())
        path.write_bytes(b"\xef\xbb\xbf" + changed.replace(b"</scene>", b"</s:scene>"))
        assert load(path).scene == seen.scene


def test_an_svg_of_before_still_opens(tmp_path: Path) -> None:
    """Its namespace was no absolute URI."""
    data, seen = vectors(".svg")
    path = tmp_path / "a.svg"
    path.write_bytes(data.replace(NAMESPACE.encode(), b"separatrix"))
    assert b'<scene xmlns="separatrix">' in path.read_bytes()
    assert load(path).scene == seen.scene


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg"/>', "is a picture without a scene inside"),
        ("b.svg", b"<svg><scene>{}</scene></svg>", "is a picture without a scene inside"),
        ("c.svg", b'<svg><scene xmlns="separatrix">{"separatrix": 1', "is a picture without a scene inside"),
        ("d.svg", b'<svg><scene xmlns="separatrix">{"separatrix": 9}</scene></svg>', "newer version"),
        ("e.pdf", b"%PDF-1.4\n%%EOF\n", "is a picture without a scene inside"),
        (
            "f.pdf",
            b"%PDF-1.7\n<< /Type /EmbeddedFile /Subtype /application#2Fjson /Length 999 >>\nstream\n{}",
            "is a damaged picture: it ends in the middle",
        ),
        ("g.svg", b"<svg>" + b" " * (17 << 20) + b"</svg>", "is larger than 16 MB"),
        ("h.pdf", b"%PDF-1.7" + b" " * (17 << 20), "is larger than 16 MB"),
    ],
)
def test_a_picture_without_a_scene_is_refused_in_words(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(SceneError, match=why):
        load(path)


def test_a_screenshot_is_written_as_its_ending_says_and_opens_again(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    for ending in ENDINGS:
        path = tmp_path / f"shot{ending}"
        app.ask.take_picture(ExportOptions(size=(400, 300), scale=1.5, theme="print"), path=path)

        def written() -> bool:
            driver.frame()
            return app.pictures.share is None

        wait_for(written, "the picture to be written")
        assert app.notices.now()[-1].message == f"Screenshot written: {path}"
        scene = app.work.scene
        driver.key("]")
        app.ask.answer("discard")
        driver.send("on_file_drop", 10, 10, [str(path)])
        driver.frame()
        assert app.work.scene == scene
        assert app.work.document.path is None


def test_a_picture_of_steps_seen_as_another_file_has_it(driver: Driver, tmp_path: Path) -> None:
    app, other, path = driver.app, tmp_path / "other.json", tmp_path / "sheet.png"
    save(other, app.work.scene, View(panes=Panes.WORLD, shown=frozenset({"bodies"})).turned(1.0, 0.5))
    figure = ExportOptions(size=(600, 300), columns=2, camera=(10.0, 20.0, 7.0))
    app.ask.take_picture(figure.having(view=str(other), steps="0, 3, gjk:x"), path=path)
    told = f"No picture was taken. The steps must be {STEPS_WANTED}; got '0, 3, gjk:x'"
    assert app.notices.now()[-1].message == told
    app.ask.take_picture(figure.having(steps="0, 999"), path=path)
    assert app.notices.now()[-1].message.startswith("No picture was taken. The scene has no step 999: there are ")
    app.ask.take_picture(ExportOptions(width=10.0, font=12.0), tmp_path / "a.svg")
    assert app.notices.now()[-1].message.startswith("No picture was taken. It would have a picture only 10.0 mm wide: ")
    app.ask.preview_picture(figure.having(view=str(tmp_path)))
    assert app.pictures.preview.fault == f"{tmp_path}: is a folder"
    app.ask.take_picture(figure.having(view=str(other), steps="0, 3"), path=path)
    kept = load(path)
    assert kept.scene == app.work.scene
    assert (kept.view.panes, kept.view.shown, kept.view.step) == (Panes.WORLD, {"bodies"}, 0)
    assert (kept.view.world.yaw, kept.view.world.distance) == (radians(10.0), 7.0)


def test_a_fault_in_a_vector_picture_is_told_and_another_can_be_taken(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> object:
        raise ValueError("no such line")

    app = driver.app
    with monkeypatch.context() as patch:
        patch.setattr("app.export.picture.picture_of", failing)
        with from_a_panel(driver) as ask:
            ask.take_picture(ExportOptions(size=(40, 30)), path=tmp_path / "a.svg")

        def told() -> bool:
            driver.frame()
            return app.pictures.share is None

        wait_for(told, "the fault to be told")
    assert not (tmp_path / "a.svg").exists()
    assert [str(fault) for fault in driver.faults] == ["no such line"]
    driver.faults.clear()
    app.ask.take_picture(ExportOptions(size=(40, 30)), path=tmp_path / "b.png")
    assert (tmp_path / "b.png").exists()


def test_a_folder_that_cannot_be_written_is_told(driver: Driver, tmp_path: Path) -> None:
    driver.app.ask.take_picture(ExportOptions(size=(40, 30)), path=tmp_path / "none" / "a.svg")
    wait_for(lambda: (driver.frame(), driver.app.pictures.share is None)[1], "the refusal")
    assert "could not be written" in driver.app.notices.now()[-1].message


def test_the_window_takes_a_figure_of_exact_width_and_previews_it(driver, tmp_path) -> None:
    app, path = driver.app, tmp_path / "figure.svg"
    options = ExportOptions(width=85.0, crop=True, legend=True, caption="auto")
    app.ask.preview_picture(options)
    preview = app.panel_state().preview
    assert preview is not None
    assert preview.pixels is not None
    assert preview.pixels.shape[1] == PREVIEW
    assert abs(preview.size[0] - 85.0 / 25.4 * 300.0) < 2.0
    app.ask.take_picture(options, path)
    wait_for(lambda: path.exists(), "the figure")
    assert b'width="85mm"' in path.read_bytes()
    app.ask.preview_picture(ExportOptions(size=(60, 40), legend=True, caption="A long caption. " * 40))
    assert "leaves no room" in app.panel_state().preview.fault
    app.ask.preview_picture(ExportOptions(size=(700, 400), scale=4.0))
    assert app.panel_state().preview.size == (2800, 1600)


def test_the_preview_tells_the_labels_and_a_picture_for_latex_has_its_pdf_beside_it(driver, tmp_path) -> None:
    app, path = driver.app, tmp_path / "figure.tex"
    app.ask.preview_picture(ExportOptions(size=(800, 500)), large=True)
    before = app.panel_state().preview
    app.ask.preview_picture(ExportOptions(size=(800, 500), move=(("A.v4", (40.0, -20.0)),)), large=True)
    after = app.panel_state().preview
    assert before.points == 800.0
    for old, new in zip(before.labels, after.labels, strict=True):
        moved = (40.0 / 800.0, -20.0 / 500.0) if new.name == "A.v4" else (0.0, 0.0)
        assert (new.box[0] - old.box[0], new.box[1] - old.box[1]) == pytest.approx(moved, abs=2e-3)
    app.ask.preview_picture(ExportOptions(rename=(("A.v44", "a"),)))
    assert app.panel_state().preview.fault.startswith("It has no label 'A.v44'; the nearest are A.v4")
    app.ask.take_picture(ExportOptions(size=(800, 500), rename=(("A.v4", "$a_4$"),)), path)
    wait_for(lambda: (driver.frame(), path.exists())[1], "the picture")
    assert "${a_4}$" in path.read_text("utf-8")
    assert load(path.with_suffix(".pdf")).scene == app.work.scene


def test_a_picture_is_copied_by_the_systems_program_or_that_is_told(driver, tmp_path, monkeypatch) -> None:
    program = tmp_path / "xclip"
    monkeypatch.setenv("DISPLAY", ":1")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for script, said in (
        (f"#!/bin/sh\ncat > {tmp_path}/copied.png\n", "Picture copied"),
        ("#!/bin/sh\nexit 1\n", "could not"),
    ):
        program.write_text(script)
        program.chmod(0o755)
        driver.app.ask.take_picture(ExportOptions(size=(80, 60)), copy=True)
        assert said in driver.app.notices.now()[-1].message
    assert load(tmp_path / "copied.png").scene == driver.app.work.scene
