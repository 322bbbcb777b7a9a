"""The requests that panels and gestures may make of the program. app/commands/ask.py carries them out."""

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
    """Each method is one request. Requests of panels are carried out in order, after all panels are drawn."""

    # The scene and the view.

    def edit(self, scene: Scene, label: str, told: str = "") -> None:
        """Make `scene` the document's scene, as one undo entry `label`.

        `told`: a notice on the edit, dismissed at the next edit or undo; "" for none.
        """

    def preview(self, scene: Scene | None) -> None:
        """Show `scene` as the preview of a drag; None drops the preview."""

    def look(self, view: View) -> None:
        """Change the view: cameras, panes, overlays, hover and pin."""

    def select(self, body: int | None) -> None:
        """Show the gizmo at body A (0), at B (1) or at no body (None)."""

    def point(self, subject: Subject) -> None:
        """Hover this subject, because the pointer is on its row or bar. A frame without this request ends the hover."""

    def play(self, playback: Playback) -> None:
        """Change the shown step or the way the steps run; open or close the timeline."""

    def tune(self, settings: AlgorithmSettings) -> None:
        """Change the settings of the algorithms."""

    def configure(self, settings: Settings) -> None:
        """Change the settings."""

    def invoke(self, command: str) -> None:
        """Run a command of the table (app/commands/) by its id."""

    def escape(self) -> None:
        """Do the same as the key Escape: end, close or undo the topmost thing."""

    # Files.

    def open(self, path: Path) -> None:
        """Open a file, such as a scene, a log of scenes or a screenshot with a scene. Asks first about unsaved work."""

    def open_scene(self, scene: Scene, view: View | None, title: str) -> None:
        """Show a scene that comes from no file (preset, paste, recovery). Asks first about unsaved work.

        `view`: None frames it from the present directions. `title`: its name in a sentence about a fault.
        """

    def save(self, path: Path) -> None:
        """Write the scene to `path` and make that the document's file."""

    def show_entry(self, index: int) -> None:
        """Show the entry `index`, from 0, of the open log or deck."""

    def save_deck(self, path: Path) -> None:
        """Write the deck that is open to `path` and make that its file."""

    def write_slide(self, name: str, words: str, notes: str) -> None:
        """Give the deck's current slide this name, these words to show and these notes to print."""

    def write_deck(self, title: str, author: str) -> None:
        """Give the deck this title and author."""

    def cancel_loading(self) -> None:
        """Stop the loading of a mesh."""

    # Pictures and films.

    def take_picture(self, options: ExportOptions, path: Path | None = None, *, copy: bool = False) -> None:
        """Write a picture of the viewport without panels, with the scene inside, in the format of `path`'s ending.

        `path` None: a PNG under an unused numbered name, or with `copy` one for the clipboard. The defaults of theme,
        palette and digits are the window's. The option `view` is a path.
        """

    def preview_picture(self, options: ExportOptions, *, large: bool = False) -> None:
        """Draw a small preview of a picture with these options, or a large one, in which labels can be moved."""

    def cancel_picture(self) -> None:
        """Stop the screenshot that is being taken."""

    def make_film(self, source: FilmSource, ending: str, path: Path | None, options: ExportOptions) -> None:
        """Make a film of `source` at `path`, or for None under an unused numbered name that ends in `ending`.

        A turn and a motion have the duration that the window gives them.
        """

    def cancel_film(self) -> None:
        """Stop the film that is being made."""

    # Other engines.

    def ask_engines(self, scenes: tuple[Scene, ...]) -> None:
        """Ask each engine about these scenes, one after the other. An empty tuple stops the questions."""

    def make_bundle(self, path: Path) -> None:
        """Write a report of the chosen engine's answer, a zip, to `path`."""

    # Questions and lessons.

    def guess(self, subject: Subject) -> None:
        """Give the answer `subject` to the current question (app/state/prediction.py)."""

    def choose(self, option: str) -> None:
        """Choose the option with this id in the lesson's step."""

    def go_to_step(self, number: int) -> None:
        """Show the step of the lesson with this number, from 0."""

    def open_lesson(self, lesson: str) -> None:
        """Open the shipped lesson with this id at the step where the user left it; "" for the last open lesson."""

    def decline_lesson(self) -> None:
        """Do not offer the first lesson again."""

    def write_lesson(self, path: Path) -> None:
        """Write a lesson from the pinned views, or from the shown one, to `path`, and open it."""

    # Clipboard, notices and questions to the user.

    def copy(self, text: str, what: str) -> None:
        """Put text on the clipboard. `what`: its name in the notice."""

    def notify(self, message: str, *, error: bool = False) -> None:
        """Show a notice, one sentence. An error stays until it is dismissed."""

    def dismiss(self, number: int) -> None:
        """Remove the notice with this number."""

    def answer(self, choice: str) -> None:
        """Answer the pending question by the id of a button."""


Press = Callable[[Ask], None]
"""The request that a click on a row makes."""


class AskList(Ask, Protocol):
    """The requests made while the panels are drawn. They are carried out after the panels.

    `calls`: the requests in order, each with the words that begin a sentence about a fault, and the function to call.
    """

    calls: list[tuple[str, Callable[[], object]]]
