"""The requests that panels and gestures may make of the program. commands/ask.py carries it out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from core.analysis.algorithm_settings import AlgorithmSettings
from core.scene import Scene

from ..draw.draw_list import Subject
from .export_options import ExportOptions
from .export_shown import FilmSource
from .playback import Playback
from .settings import Settings
from .view import View


class Ask(Protocol):
    """Each method asks for one thing. What a panel asks for happens when all panels are drawn, in order."""

    # The scene and how it is looked at.

    def edit(self, scene: Scene, label: str, told: str = "") -> None:
        """Make `scene` the document's scene, as one undo entry `label`; `told` of it for as long as it stands."""

    def preview(self, scene: Scene | None) -> None:
        """Show `scene` while a drag lasts; None drops the preview."""

    def look(self, view: View) -> None:
        """Change how the scene is looked at."""

    def select(self, body: int | None) -> None:
        """Give the gizmo to body A (0), B (1) or nobody (None)."""

    def point(self, subject: Subject) -> None:
        """The pointer is on this subject in this frame (a table row, a bar); without it the hover ends."""

    def play(self, playback: Playback) -> None:
        """Change which step is shown, or how the steps run; opens or closes the timeline."""

    def tune(self, settings: AlgorithmSettings) -> None:
        """Change the settings of the algorithms."""

    def configure(self, settings: Settings) -> None:
        """Change the settings."""

    def invoke(self, command: str) -> None:
        """Run a command of the table (commands/) by its id."""

    def escape(self) -> None:
        """End, close or undo the topmost thing, as the key Escape does."""

    # Files.

    def open(self, path: Path) -> None:
        """Open a file: a scene, a log of scenes or a screenshot that carries one. Asks first when work is unsaved."""

    def load(self, scene: Scene, view: View | None, title: str) -> None:
        """Show a scene that comes from no file (preset, paste, recovery). Asks first when work is unsaved."""

    def save(self, path: Path) -> None:
        """Write the scene to `path` and make that the document's file."""

    def show_entry(self, index: int) -> None:
        """Show the entry `index`, from 0, of the open log or deck."""

    def save_deck(self, path: Path) -> None:
        """Write the deck that is open to `path` and make that its file."""

    def write_slide(self, name: str, words: str, notes: str) -> None:
        """Give the deck's present slide this name, these words to show and notes to print."""

    def write_deck(self, title: str, author: str) -> None:
        """Give the deck this title and author."""

    def cancel_loading(self) -> None:
        """Give up the mesh that is being loaded."""

    # Pictures and films.

    def take_picture(self, options: ExportOptions, path: Path | None = None, *, copy: bool = False) -> None:
        """Write the viewport without panels with the scene inside, as PNG, SVG or PDF by `path`'s ending.

        `path` None: a PNG under an unused numbered name, or with `copy` one for the clipboard. Of the options a theme,
        a palette and a number of digits that are not given are those of the window; `view` is a path.
        """

    def preview_picture(self, options: ExportOptions, *, large: bool = False) -> None:
        """Draw a small picture of what one with these options would be, or a larger one to move labels in."""

    def cancel_picture(self) -> None:
        """Give up the screenshot that is being taken."""

    def make_film(self, source: FilmSource, ending: str, path: Path | None, options: ExportOptions) -> None:
        """Make a film of `source` into `path`, None: an unused numbered name that ends in `ending`.

        A turn and a motion take as many seconds as the window gives them.
        """

    def cancel_film(self) -> None:
        """Give up the film that is being made."""

    # Other engines.

    def ask_engines(self, scenes: tuple[Scene, ...]) -> None:
        """Ask every engine about these scenes, one after the other; none gives up what is being asked."""

    def make_bundle(self, path: Path) -> None:
        """Write a report of the chosen engine's answer, a zip, to `path`."""

    # Questions and lessons.

    def guess(self, subject: Subject) -> None:
        """The answer `subject` to the question that is asked (state/prediction.py)."""

    def choose(self, option: str) -> None:
        """Choose the option with this id in the lesson's step."""

    def go_to_step(self, number: int) -> None:
        """Show the step of the lesson with this number, from 0."""

    def open_lesson(self, lesson: str) -> None:
        """Open the shipped lesson with this id where it was left; "" for the last that was open."""

    def decline_lesson(self) -> None:
        """The first lesson is not offered again."""

    def write_lesson(self, path: Path) -> None:
        """Write a lesson from the views that are pinned, or the one shown, to `path`, and open it."""

    # Words to the user and from him.

    def copy(self, text: str, what: str) -> None:
        """Put text on the clipboard; `what` names it in the notice."""

    def notify(self, message: str, *, error: bool = False) -> None:
        """Tell the user one sentence; an error stays until dismissed."""

    def dismiss(self, number: int) -> None:
        """Take a notice away."""

    def answer(self, choice: str) -> None:
        """The button pressed in the question that is pending."""


Press = Callable[[Ask], None]
"""The request that a click on a row makes."""


class AskList(Ask, Protocol):
    """The requests made while the panels are drawn; they are carried out after them.

    `calls`: in order, what each does, as a sentence about a fault begins, and what does it.
    """

    calls: list[tuple[str, Callable[[], object]]]
