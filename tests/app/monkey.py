"""A monkey at the program: events from a seed, and what must hold after each.

Events are tuples that say all about themselves, so that a list of them repeats what a seed did. Places are shares of
the window. Left out are the other engines, which are programs of their own, and whatever lies outside of its folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from shutil import copyfile
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from app.application import Application
from app.commands.command_list import command_table
from app.controllers.autosaves import AutosaveSlot
from app.controllers.engines import Engines
from app.io.deck_file import read_deck
from app.io.lesson_index import lesson_titles
from app.io.presets import load_preset, presets
from app.io.scene_file import load, save, write
from app.io.session import Stamp, _recovered, _recovered_deck
from app.platform.window import ProgramWindow
from app.state.export_options import ExportOptions
from app.state.export_shown import FilmSource
from app.state.panel_state import Pending
from app.state.work import Document
from app.storage import files
from core.query.query import Phase
from tests.conftest import FAILURES, ROOT

from . import deck_samples
from .window_rig import MODIFIERS, NAMED, Driver, shared_window

Event = tuple[Any, ...]
SIZES = ((640, 400), (480, 320), (800, 500), (400, 640))
"""Of the window in pixels: small ones, as a frame's time is that of its pixels."""
GOOD = ("box.json", "flat.json", "ball.json", "picture.png", "log.jsonl", "deck.jsonl", "cube.obj", "lesson.md")
BAD = ("half.json", "empty.json", "plain.png", "bad.obj", "bad.jsonl", "bad.md", "folder", "missing.json", "text.txt")
OWN = ("box.json", "ball.json", "new.json", "gone/away.json")
"""Names that are saved to; the last has no folder."""
LESSONS = sorted((ROOT / "assets" / "lessons").glob("*.md"))
BESIDE_A_QUESTION = frozenset(
    {"key", "press", "drag", "release", "move", "scroll", "type", "resize", "focus"}
    | {"answer", "open", "outside", "kill", "close"}
)
"""What reaches the window while a question stands; files can be dropped on it."""
SHOWN_LAST = 40
"""Events that a failure tells; all of them stand in a file."""


def make_files(folder: Path) -> None:
    """What is opened: files that are right, and others."""
    for name, preset in (("box", "skew-edges"), ("flat", "flat-one-gap"), ("ball", "ellipsoids")):
        save(folder / f"{name}.json", load_preset(preset).scene)
    text = (folder / "box.json").read_text("utf-8")
    (folder / "picture.png").write_bytes(files.png_bytes(Image.new("RGB", (8, 8)), text))
    (folder / "plain.png").write_bytes(files.png_bytes(Image.new("RGB", (8, 8))))
    lines = [json.dumps(json.loads((folder / f"{name}.json").read_text("utf-8"))) for name in ("box", "flat", "ball")]
    (folder / "log.jsonl").write_text("\n".join([*lines, '{"separatrix": 1}', "", lines[0]]), "utf-8")
    (folder / "bad.jsonl").write_text('{"separatrix_deck": 7}\n', "utf-8")
    deck_samples.deck(folder / "deck.jsonl")
    copyfile(LESSONS[0], folder / "lesson.md")
    (folder / "cube.obj").write_text("".join(f"v {k & 1} {k >> 1 & 1} {k >> 2}\n" for k in range(8)), "utf-8")
    (folder / "half.json").write_text(text[: len(text) // 2], "utf-8")
    for name, said in (("empty.json", ""), ("bad.obj", "v 1 2\n"), ("bad.md", "# Nothing\n"), ("text.txt", "no scene")):
        (folder / name).write_text(said, "utf-8")
    (folder / "folder").mkdir()


def _chords() -> tuple[str, ...]:
    keys = {chord for command in command_table(()).commands for chord in command.keys} - {"Ctrl+Q"}
    more = {"Escape", "Enter", "Tab", "Shift+Tab", "1", "2", "3", "4", "X", "Y", "Z", "Backspace", "Delete"}
    return tuple(sorted(keys | more))


def events(seed: int, count: int) -> Iterator[Event]:
    """As many events from a seed, the same every time."""
    rng = Random(seed)
    chords = _chords()
    commands = tuple(command.id for command in command_table((preset.id, "") for preset in presets()).commands)
    names, lessons = [preset.id for preset in presets()], [lesson.id for lesson in lesson_titles()]

    def place() -> tuple[float, float]:
        return round(rng.random(), 3), round(rng.random(), 3)

    def modifiers() -> str:
        return rng.choice(("", "", "", "", "Shift", "Ctrl", "Alt"))

    makers: tuple[tuple[int, Callable[[], Event]], ...] = (
        (28, lambda: ("key", rng.choice(chords))),
        (10, lambda: ("press", *place(), rng.choice((1, 1, 1, 1, 4, 2)), modifiers())),
        (14, lambda: ("drag", *place(), modifiers())),
        (10, lambda: ("release",)),
        (4, lambda: ("move", *place())),
        (4, lambda: ("scroll", *place(), rng.choice((-3, -1, 1, 3)))),
        (2, lambda: ("type", rng.choice("0123456789.-eEab ö"))),
        (8, lambda: ("command", rng.choice(commands))),
        (6, lambda: ("edit", rng.choice(names), rng.choice((1.0, 1.1, 0.9)))),
        (5, lambda: ("open", rng.choice((*GOOD, *BAD)))),
        (9, lambda: ("answer", rng.randrange(6))),
        (3, lambda: ("save", rng.choice(OWN))),
        (2, lambda: ("save deck", rng.choice(("deck.jsonl", "mine.jsonl", "gone/away.jsonl")))),
        (2, lambda: ("texts", rng.choice(("", "Words", "Ünï\n" * 9, "w" * 2_000)))),
        (2, lambda: ("add slide",)),
        (3, lambda: ("step", rng.choice(tuple(Phase)).name, rng.randrange(30))),
        (1, lambda: ("teach", rng.choice(lessons))),
        (2, lambda: ("choose", rng.randrange(4))),
        (1, lambda: ("go to", rng.randrange(6))),
        (1, lambda: ("outside", rng.choice((*OWN[:3], "lesson.md")), rng.choice((*names[:9], "")))),
        (1, lambda: ("resize", *rng.choice(SIZES))),
        (1, lambda: ("picture", rng.choice(("picture.png", "one.svg", "gone/away.png")))),
        (1, lambda: ("focus", rng.random() < 0.8)),
    )
    rare: tuple[Callable[[], Event], ...] = (
        lambda: ("kill",),
        lambda: ("close",),
        lambda: ("lesson to", "own.md"),
        lambda: ("film", "film.gif"),
    )
    weights = [weight for weight, _ in makers]
    for _ in range(count):
        yield rng.choice(rare)() if rng.random() < 0.008 else rng.choices(makers, weights)[0][1]()


class Monkey:
    """Carries events out, and looks at the program and the disk after each."""

    def __init__(self, driver: Driver, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.driver, self.folder = driver, folder
        self.size, self.held, self.at = SIZES[0], 0, (0.0, 0.0)
        self.closed = False
        self._seen: dict[str, tuple[object, ...]] = {}
        for name in ("get_size", "get_framebuffer_size"):
            monkeypatch.setattr(ProgramWindow, name, lambda _: self.size)
        monkeypatch.setattr("app.platform.loop.stop_loop", self._stop)
        monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: False)
        monkeypatch.setattr(Engines, "look", lambda _: None)
        monkeypatch.setenv("HOME", str(folder))
        monkeypatch.chdir(folder)
        self._stay_in(folder.parent, monkeypatch)
        make_files(folder)

    def _stop(self) -> None:
        self.closed = True

    def _stay_in(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """In the window for a name it may come to any folder of the machine: there it has no right to write."""
        write = files._temporary_beside

        def jailed(target: Path, data: bytes, durable: bool) -> Path:
            if not target.is_relative_to(root) and not target.is_relative_to(files.state_folder()):
                raise PermissionError(13, "Permission denied", str(target))
            return write(target, data, durable)

        monkeypatch.setattr(files, "_temporary_beside", jailed)

    @property
    def app(self) -> Application:
        """The program, another one after it was closed or killed."""
        return self.driver.app

    # Events.

    def act(self, event: Event) -> None:
        """Carries one out, with the frame after it."""
        kind, *words = event
        if self.app.questions.pending is not None and kind not in BESIDE_A_QUESTION:
            # Nothing else can be asked for while a question stands.
            kind, words = "answer", [len(words)]
        getattr(self, "_" + kind.replace(" ", "_"))(*words)
        self.driver.frame()
        if self.closed:
            self.closed = False
            self._begin()

    def _pixels(self, x: float, y: float) -> tuple[float, float]:
        return x * self.size[0], y * self.size[1]

    def _key(self, chord: str) -> None:
        from pyglet.window import key

        *mods, name = chord.split("+") if not chord.endswith("+") else (*chord[:-2].split("+"), "+")
        signs = {"+": "PLUS", "-": "MINUS", "=": "EQUAL", "?": "QUESTION", "/": "SLASH"}
        wanted = signs.get(name, name if len(name) == 1 and name.isalpha() else f"_{name}" if len(name) == 1 else name)
        symbol = NAMED[name] if name in NAMED else getattr(key, wanted.upper() if len(wanted) > 2 else wanted)
        modifiers = sum(MODIFIERS[word] for word in mods if word)
        self.driver.send("on_key_press", symbol, modifiers)
        self.driver.send("on_key_release", symbol, modifiers)

    def _press(self, x: float, y: float, button: int, modifier: str) -> None:
        self._release()
        self.held, self.at = button, self._pixels(x, y)
        self.driver.press(*self.at, button, MODIFIERS.get(modifier, 0))

    def _drag(self, x: float, y: float, modifier: str) -> None:
        self.at = self._pixels(x, y)
        self.driver.move(*self.at, self.held, MODIFIERS.get(modifier, 0))

    def _release(self) -> None:
        if self.held:
            self.driver.release(*self.at, self.held)
        self.held = 0

    def _move(self, x: float, y: float) -> None:
        self.at = self._pixels(x, y)
        self.driver.move(*self.at, self.held)

    def _scroll(self, x: float, y: float, up: int) -> None:
        across, down = self._pixels(x, y)
        self.driver.send("on_mouse_scroll", across, self.driver.upwards(down), 0, up)

    def _type(self, text: str) -> None:
        self.driver.send("on_text", text)

    def _command(self, name: str) -> None:
        if name != "file.quit":
            self.app.invoke(name)

    def _edit(self, name: str, factor: float) -> None:
        scene, other = self.app.work.scene, load_preset(name).scene
        if other.dimension == scene.dimension:
            x, y, z = other.b.position
            self.app.ask.edit(replace(other, b=replace(other.b, position=(factor * x, y, z))), f"Like {name}")

    def _open(self, name: str) -> None:
        self.app.ask.open(self.folder / name)

    def _answer(self, number: int) -> None:
        pending: Pending | None = self.app.questions.pending
        if pending is not None:
            self.app.ask.answer(pending.choices[number % len(pending.choices)].id)

    def _save(self, name: str) -> None:
        self.app.ask.save(self.folder / name)

    def _save_deck(self, name: str) -> None:
        self.app.ask.save_deck(self.folder / name)

    def _texts(self, text: str) -> None:
        self.app.ask.write_slide(text[:50], text, text)

    def _add_slide(self) -> None:
        if self.app.commands.named("deck.add").runs(self.app):
            self.app.invoke("deck.add")

    def _step(self, phase: str, index: int) -> None:
        self.app.ask.play(replace(self.app.work.playback, open=True, phase=Phase[phase], index=index))

    def _teach(self, lesson: str) -> None:
        self.app.ask.open_lesson(lesson)

    def _choose(self, number: int) -> None:
        step = self.app.lessons.step
        options = [option.id for goal in step.goals for option in getattr(goal, "options", ())] if step else []
        if options:
            self.app.ask.choose(options[number % len(options)])

    def _go_to(self, number: int) -> None:
        if self.app.lessons.open:
            self.app.ask.go_to_step(number)

    def _outside(self, name: str, preset: str) -> None:
        """Another program writes a file; "" stands for what is no scene."""
        path = self.folder / name
        if name.endswith(".md"):
            copyfile(LESSONS[len(preset) % len(LESSONS)], path)
        else:
            path.write_text(write(load_preset(preset).scene) if preset else "{", "utf-8")

    def _resize(self, width: int, height: int) -> None:
        self.size = width, height
        self.driver.send("on_resize", width, height)

    def _picture(self, name: str) -> None:
        self.app.ask.take_picture(ExportOptions(size=(96, 60)), path=self.folder / name)

    def _film(self, name: str) -> None:
        self.app.ask.make_film(FilmSource.TURN, ".gif", self.folder / name, ExportOptions(size=(48, 30), fps=1.0))

    def _lesson_to(self, name: str) -> None:
        self.app.ask.write_lesson(self.folder / name)

    def _focus(self, has: bool) -> None:
        self.driver.send("on_activate" if has else "on_deactivate")

    def _close(self) -> None:
        self.app.close_asked()

    def _kill(self) -> None:
        """The process is gone at once; the system lets go of its locks."""
        for kept in (self.app.autosaves.scene, self.app.autosaves.deck):
            kept.autosave.let_go()
        self._begin()

    def _begin(self) -> None:
        """The program is started again, in the same home."""
        self.driver.window.switch_to()
        self.app.close()
        self.held = 0
        self.driver.app = Application(*shared_window())
        self.app.open_first(None)
        self.driver.frame()

    # What must hold.

    def look(self) -> None:
        """After an event: no fault, a picture, and on disk one whole copy of the work."""
        app = self.app
        app.look_at_disk()
        assert not self.driver.faults, f"told as a fault: {self.driver.faults[0]!r}"
        assert not app._safe.picture_failed, "the picture could not be drawn"
        assert not app._safe.panels_failed, "the panels could not be drawn"
        # Of the work before a lesson; the lesson's own scenes are nobody's.
        under_way = app.lessons._under_way
        work = app.work if under_way is None else under_way.before.work
        self._whole_scene(work.document, watched=under_way is None)
        self._whole_deck()

    def _anew(self, which: str, *facts: object) -> bool:
        """Whether that was not looked at in this state before: reading takes longer than most events."""
        before, self._seen[which] = self._seen.get(which), facts
        return before != facts

    def _whole_scene(self, document: Document, *, watched: bool) -> None:
        kept: AutosaveSlot = self.app.autosaves.scene
        file = kept.autosave.file if document.unsaved else document.path
        if file is None or not (document.unsaved or watched):
            return
        stamp = Stamp.of(file)
        assert stamp is not None, f"{file} is not there"
        if self._anew("scene", document.committed, file, stamp):
            scene = _recovered(file).scene if document.unsaved else load(file).scene
            assert scene == document.committed, f"{file} has another scene than the one that is shown"

    def _whole_deck(self) -> None:
        deck = self.app.work.deck
        file = None if deck is None else self.app.autosaves.deck.autosave.file if deck.unsaved else deck.path
        if deck is None or file is None:
            return
        stamp = Stamp.of(file)
        assert stamp is not None, f"{file} is not there"
        if self._anew("deck", deck.deck.data, file, stamp):
            found = _recovered_deck(file).deck if deck.unsaved else read_deck(file)
            assert found is not None
            assert found.data == deck.deck.data, f"{file} has another deck than the one that is open"


def run(monkey: Monkey, wanted: Iterator[Event], name: str) -> int:
    """Carries all of them out; how many. Fails with the events so far, which are written to a file too."""
    done: list[Event] = []
    try:
        for event in wanted:
            done.append(event)
            monkey.act(event)
            monkey.look()
    except BaseException as error:
        FAILURES.mkdir(parents=True, exist_ok=True)
        file = FAILURES / f"monkey-{name}.txt"
        file.write_text("".join(f"{event!r}\n" for event in done), "utf-8")
        last = "\n".join(map(repr, done[-SHOWN_LAST:]))
        told = f"{error!r}\nafter {len(done)} events, all in {file}, the last ones:\n{last}"
        raise AssertionError(told) from error
    return len(done)
