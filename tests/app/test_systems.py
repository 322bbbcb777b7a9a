"""What differs between Linux, Windows and macOS, each asked for by the system's name."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pyglet
import pytest
from imgui_bundle import imgui
from pyglet.window import key

from app.__main__ import main
from app.commands.command_list import command_table
from app.draw.text import font_path, glyph_count
from app.input.bindings import Held
from app.platform import imgui_host
from app.platform import loop as loops
from app.platform.imgui_host import SystemFont, system_font
from app.platform.window import held_with, point_scale
from app.storage import files
from app.words.key_names import as_on_keys

from .window_rig import Driver, driver

__all__ = ["driver"]

SCENE = Path(__file__).resolve().parents[2] / "assets" / "scenes" / "skew-edges.json"


@pytest.mark.parametrize(
    ("system", "density", "dpi", "scale"),
    [
        ("linux", 1.0, 96.0, 1.0),
        ("linux", 1.0, 192.0, 2.0),
        ("win32", 1.0, 144.0, 1.5),
        ("darwin", 1.0, 72.0, 1.0),
        ("darwin", 2.0, 144.0, 2.0),
    ],
)
def test_a_point_is_as_large_as_the_system_has_it(system: str, density: float, dpi: float, scale: float) -> None:
    assert point_scale(density, dpi, system) == scale


@pytest.mark.parametrize(
    ("system", "shown"), [("linux", "Ctrl+Alt+S"), ("win32", "Ctrl+Alt+S"), ("darwin", "Cmd+Option+S")]
)
def test_keys_are_shown_by_their_names_on_the_keyboard(system: str, shown: str) -> None:
    assert as_on_keys("Ctrl+Alt+S", system) == shown
    assert as_on_keys("Control, Alternative", system) == "Control, Alternative"


@pytest.mark.parametrize(
    ("symbol", "held"),
    [
        (key.LCOMMAND, Held(ctrl=True)),
        (key.RCTRL, Held(ctrl=True)),
        (key.LOPTION, Held(alt=True)),
        (key.ROPTION, Held(alt=True)),
        (key.LALT, Held(alt=True)),
    ],
)
def test_command_and_option_count_as_ctrl_and_alt(symbol: int, held: Held) -> None:
    assert held_with(Held(), symbol, True) == held
    assert held_with(held, symbol, False) == Held()


def test_what_needs_a_key_that_small_keyboards_lack_has_another() -> None:
    for lacking in ("F11", "Home"):
        command = command_table([]).on_key(lacking)
        assert command is not None
        assert len(command.keys) > 1


def test_keys_that_went_down_with_command_go_up_with_it(driver: Driver) -> None:
    window = driver.window
    window.on_key_press(key.LCOMMAND, 0)
    window.on_key_press(key.LEFT, key.MOD_COMMAND)
    driver.frame(2)
    assert imgui.is_key_down(imgui.Key.left_arrow)
    window.on_key_release(key.LCOMMAND, 0)
    driver.frame(3)
    assert not imgui.is_key_down(imgui.Key.left_arrow)


@pytest.mark.parametrize("mac", [False, True])
def test_command_is_ctrl_in_text_fields_where_imgui_exchanges_them(driver: Driver, mac: bool) -> None:
    io = imgui.get_io()
    before = io.config_mac_osx_behaviors
    io.config_mac_osx_behaviors = mac
    try:
        driver.window.on_key_press(key.LCOMMAND, 0)
        driver.frame(2)
        assert io.key_ctrl
        assert not io.key_super
        driver.window.on_key_release(key.LCOMMAND, 0)
        driver.frame(2)
        assert not io.key_ctrl
    finally:
        io.config_mac_osx_behaviors = before


@pytest.mark.parametrize(("system", "interval"), [("linux", None), ("win32", None), ("darwin", loops.MAC_TICK)])
def test_the_loop_redraws_nothing_by_itself(
    system: str, interval: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float | None] = []
    monkeypatch.setattr(pyglet.app, "run", lambda interval: asked.append(interval))
    menu = _mac_menu(monkeypatch)
    loops.run_loop(system)
    assert asked == [interval]
    # What ends the process on a Mac closes the window, which asks about unsaved work.
    assert menu == {"Hide!": "hide:", "Quit!": "performClose:" if system == "darwin" else "terminate:"}


def test_pyglets_own_redraw_draws_nothing(driver: Driver) -> None:
    frames = driver.window.frames_drawn
    driver.window.draw(0.1)
    assert driver.window.frames_drawn == frames


def _mac_menu(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The actions of the menu that pyglet makes on a Mac, where its libraries are stood in for."""
    actions = {"Hide!": "hide:", "Quit!": "terminate:"}
    items = [
        SimpleNamespace(setAction_=lambda action, title=title: actions.__setitem__(title, action)) for title in actions
    ]
    submenu = SimpleNamespace(numberOfItems=lambda: len(items), itemAtIndex_=items.__getitem__)
    menu = SimpleNamespace(itemAtIndex_=lambda number: [SimpleNamespace(submenu=lambda: submenu)][number])
    application = SimpleNamespace(mainMenu=lambda: menu)
    cocoapy = SimpleNamespace(
        ObjCClass=lambda name: {"NSApplication": SimpleNamespace(sharedApplication=lambda: application)}[name],
        get_selector=lambda name: name,
    )
    monkeypatch.setitem(sys.modules, "pyglet.libs.darwin", SimpleNamespace(cocoapy=cocoapy))
    return actions


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_without_fontconfig_the_font_with_most_letters_is_taken(
    system: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = (font_path(), font_path(bold=True))
    monkeypatch.setitem(imgui_host.FONTS, system, (tmp_path / "none.ttf", *here))
    monkeypatch.setattr("app.draw.text.glyph_count", lambda path, text: here.index(path) + len(text))
    assert system_font("é", system) == SystemFont(here[1])
    monkeypatch.setitem(imgui_host.FONTS, system, (tmp_path / "none.ttf",))
    assert system_font("é", system) is None


def test_letters_of_a_font_are_counted() -> None:
    assert glyph_count(font_path(), "Aé\U0010fffe") == 2


@pytest.mark.parametrize(
    "name",
    [
        "nul",
        "nul.png",
        "aux.svg",
        "CON.tar.gz",
        "Prn.json",
        "COM1.json",
        "lpt9.pdf",
        "com².png",
        "conin$.md",
        "CONOUT$",
        "nul .png",
        "nul. ",
        "aux..svg",
        "nul:",
        "con:scene.json",
    ],
)
def test_a_device_of_windows_is_no_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    monkeypatch.setattr(files, "SYSTEM", "nt")
    for write in (files.write_atomic, files.write_numbered):
        with pytest.raises(OSError, match="is a device") as refused:
            write(path, b"{}")
        assert files.reason_of(refused.value).startswith("no file can be named so: on this system ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["nulls.png", "my nul.png", "com10.json", "com0.json", "a.nul", ".aux", "lpt.json"])
def test_names_that_only_look_like_a_device_are_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SYSTEM", "nt")
    files.write_atomic(tmp_path / name, b"{}")
    assert (tmp_path / name).read_bytes() == b"{}"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_elsewhere_a_device_of_windows_is_a_file(tmp_path: Path) -> None:
    files.write_atomic(tmp_path / "nul.png", b"{}")
    assert (tmp_path / "nul.png").read_bytes() == b"{}"


@pytest.mark.parametrize(
    "words",
    [
        ("render", str(SCENE), "-o", "{out}/nul.png"),
        ("render", str(SCENE), "-o", "{out}/aux.svg"),
        ("render", str(SCENE), "-o", "{out}/con.html"),
        ("render", str(SCENE), "--steps", "-o", "{out}/com1.gif"),
        ("check", str(SCENE), "--junit", "{out}/prn.xml"),
        ("lesson", "--new", "{out}/aux.md"),
    ],
)
def test_every_command_refuses_a_device_of_windows_in_a_sentence(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "SYSTEM", "nt")
    assert main([word.replace("{out}", str(tmp_path)) for word in words]) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(r".*: no file can be named so: on this system \w+ is a device", told)
    assert not list(tmp_path.iterdir())


def test_a_file_that_somebody_reads_is_replaced_a_moment_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, temporary = tmp_path / "kept", tmp_path / "new"
    target.write_text("old")
    temporary.write_text("new")
    refusals = iter([True, True, False])
    replace = Path.replace

    def refused(path: Path, to: Path) -> Path:
        if next(refusals):
            raise PermissionError(13, "in use")
        return replace(path, to)

    monkeypatch.setattr(Path, "replace", refused)
    monkeypatch.setattr(files, "WAITS_FOR_READERS", (0.0, 0.0))
    files._take_name(temporary, target, "nt")
    assert target.read_text() == "new"


def test_elsewhere_a_refusal_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[Path] = []

    def refused(path: Path, _: Path) -> None:
        tries.append(path)
        raise PermissionError(13, "not yours")

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PermissionError):
        files._take_name(tmp_path / "new", tmp_path / "kept", "posix")
    assert len(tries) == 1
