"""The guide in assets/guide: each page begins with pictures, and each picture is made by what stands below it.

Below a picture stands the command that made it, or what was done in the window: a preset, then keys, commands of the
menus by their titles, and buttons by their words. Whoever changes a page or the program runs this file with
GUIDE=write, and looks at the pictures.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from msgspec import Struct
from PIL import Image

from app.__main__ import main
from app.io.scene_file import load

from .patience import wait_for
from .window_rig import Driver, driver, place_of

__all__ = ["driver"]

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "assets" / "guide"
WRITE = os.environ.get("GUIDE") == "write"
SIZE = (1280, 800)
PICTURE = re.compile(
    r"^!\[([^\]]+)\]\(pictures/([\w.-]+)\)\n\n"
    r"(?:    separatrix (.+)|On the preset `([\w-]+)`: (.+))\n"
)


class Made(Struct, frozen=True):
    """A picture of a page: its words, and the command, or the preset and the gestures, that made it."""

    page: str
    words: str
    name: str
    command: str | None
    preset: str | None
    gestures: str | None

    @property
    def path(self) -> Path:
        return GUIDE / "pictures" / self.name


def pictures(page: Path) -> list[Made]:
    """The pictures that a page begins with."""
    head, found = page.read_text("utf-8").split("\n\n", 2)[2], []
    while match := PICTURE.match(head):
        found.append(Made(page.name, *match.groups()))
        head = head[match.end() :].lstrip("\n")
    return found


PAGES = sorted(path for path in GUIDE.glob("*.md") if path.name != "README.md")
MADE = [made for page in PAGES for made in pictures(page)]
BY_COMMAND = [made for made in MADE if made.command]
BY_HAND = [made for made in MADE if made.gestures]


def named(made: Made) -> str:
    return made.name


def size(path: Path) -> tuple[int, int]:
    with Image.open(path) as image:
        return image.size


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_begins_with_pictures_and_stands_in_the_list(page: Path) -> None:
    text = page.read_text("utf-8")
    assert pictures(page)
    assert text.count("](pictures/") == len(pictures(page))
    assert f"({page.name})" in (GUIDE / "README.md").read_text("utf-8")


def test_there_is_no_other_picture() -> None:
    assert sorted(path.name for path in (GUIDE / "pictures").iterdir()) == sorted(made.name for made in MADE)


@pytest.mark.parametrize("made", BY_COMMAND, ids=named)
def test_the_command_below_a_picture_makes_it(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(made.command or "")
    place = words.index("-o") + 1
    assert words[place] == f"assets/guide/pictures/{made.name}"
    scene = ROOT / next(word for word in words if word.endswith(".json"))
    out = made.path if WRITE else tmp_path / made.name
    monkeypatch.chdir(ROOT)
    assert main([*words[:place], str(out), *words[place + 1 :]]) == 0
    for path in (out, made.path):
        assert load(path).scene == load(scene).scene
    assert size(out) == size(made.path)


@pytest.mark.painted
@pytest.mark.parametrize("made", BY_HAND, ids=named)
@pytest.mark.sampled(3, "windows")
def test_what_is_said_below_a_picture_can_be_done(made: Made, driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    driver.window.set_size(*SIZE)
    driver.app.ask.open(ROOT / "assets" / "scenes" / f"{made.preset}.json")
    driver.frame(6)
    for chord, title, button in re.findall(r"`([^`]+)`|\*([^*]+)\*|\"([^\"]+)\"", made.gestures or ""):
        if chord:
            driver.key(chord)
        elif title:
            (command,) = (command for command in driver.app.commands.commands if command.title == title)
            driver.app.invoke(command.id)
        else:
            driver.click(*place_of(driver, button, monkeypatch))
        driver.frame(6)
    app = driver.app
    wait_for(lambda: not (app.dialogs.busy or app.answers.computing), "what is computed", meanwhile=driver.frame)
    driver.frame(30)  # what is held under the pointer opens its tip, and notices have come
    data = driver.app.context.screen.read(viewport=(0, 0, *SIZE), components=3, alignment=1)
    image = Image.frombytes("RGB", SIZE, data).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    if WRITE:
        image.quantize(256).save(made.path, optimize=True)
    assert size(made.path) == SIZE
    assert len(image.getcolors(1 << 24) or []) > 100
