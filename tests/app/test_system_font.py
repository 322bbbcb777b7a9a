"""Letters that the program's own font has not."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.draw.text import font_path
from app.io.presets import default_scene
from app.platform.imgui_host import SystemFont, system_font
from app.state.work import Document

from .patience import PATIENCE
from .window_rig import Driver, driver

__all__ = ["driver"]

EURO = "€"
WITHOUT = "\U0010fffd"
"""A character for private use, which no font has."""


fontconfig = pytest.mark.skipif(sys.platform != "linux", reason="the fonts of Linux, asked of fontconfig")


def fc_match(folder: Path, answer: str) -> None:
    """Puts a program of that name, which always answers the same, into a folder."""
    program = folder / "fc-match"
    program.write_text(f"#!/bin/sh\nprintf '{answer}'\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


@fontconfig
@pytest.mark.parametrize("name", ["Regular.pfb", "missing.ttf", ""])
def test_what_is_no_font_that_can_be_read_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "Regular.pfb").touch()
    fc_match(tmp_path, f"{tmp_path / name}\\n0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert system_font(EURO) is None


@fontconfig
def test_without_fontconfig_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert system_font(EURO) is None


@fontconfig
def test_the_number_of_a_font_in_a_collection_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(font_path(), tmp_path / "many.ttc")
    fc_match(tmp_path, f"{tmp_path / 'many.ttc'}\\n131074")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    found = system_font(EURO)
    assert found is not None
    assert (found.path.name, found.number) == ("many.ttc", 2)


def test_letters_that_no_one_font_has_come_from_several(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    fonts = {1: SystemFont(font_path()), 2: SystemFont(font_path(bold=True)), 3: SystemFont(font_path())}

    def answer(characters: str) -> SystemFont:
        asked.append(characters)
        return fonts[len(asked)]

    monkeypatch.setattr("app.platform.imgui_host.system_font", answer)
    driver.app.host.cover(f"no font here has {WITHOUT}")
    # Both have been tried; the third answer is the first font once more.
    assert asked == [WITHOUT] * 3
    driver.app.host.cover(WITHOUT)
    assert len(asked) == 3


def test_letters_that_are_typed_pasted_or_in_a_files_name_are_asked_for(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("app.platform.imgui_host.system_font", lambda letters: asked.append(letters))
    app = driver.app
    app.host.text("\U0010fff1")
    driver.frame()
    app.host._entered("a\U0010fff2")
    driver.frame()
    (tmp_path / "\U0010fff3.json").touch()
    monkeypatch.chdir(tmp_path)
    app.dialogs.open = True
    driver.frame(3)
    app.dialogs.open = False
    assert asked == ["\U0010fff1", "\U0010fff2", "\U0010fff3"]


@pytest.mark.skipif(shutil.which("fc-list") is None, reason="no fontconfig here")
def test_a_name_in_another_script_is_drawn_where_the_system_can(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first question after fonts were installed takes fontconfig long.
    monkeypatch.setattr("app.platform.imgui_host.FONT_SECONDS", PATIENCE)
    charset = f":charset={ord(EURO):x}"
    if not subprocess.run(["fc-list", charset, "file"], capture_output=True, timeout=PATIENCE, check=True).stdout:
        pytest.skip("no font here has it")
    app = driver.app
    font = app.host._font
    assert not font.is_glyph_in_font(ord(EURO))
    app.edits.show(Document.new(replace(default_scene().scene, name=f"Box, 5 {EURO}{WITHOUT}")), None)
    driver.frame(3)
    assert font.is_glyph_in_font(ord(EURO))
    assert not font.is_glyph_in_font(ord(WITHOUT))
    # Nothing is asked for twice: fontconfig takes a tenth of a second.
    assert {EURO, WITHOUT} <= app.host._known_letters
