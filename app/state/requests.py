"""What panels, tools and dialogs ask for. Who carries a request out stands in commands/table.py."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from core.analysis.knobs import Knobs
from core.scene import Scene

from ..draw.draw_list import Subject
from .export_options import ExportOptions
from .export_shown import FilmSource
from .playback import Playback
from .settings import Settings
from .view import View


class Request(Struct, frozen=True):
    """What is asked, of one of the kinds below."""


class Edit(Request, frozen=True):
    """Make `scene` the document's scene, as one undo entry named `label`; `told` of it for as long as it stands."""

    scene: Scene
    label: str
    told: str = ""


class Preview(Request, frozen=True):
    """Show `scene` while a drag lasts; None drops the preview."""

    scene: Scene | None


class Look(Request, frozen=True):
    """Change how the scene is looked at."""

    view: View


class Invoke(Request, frozen=True):
    """Run a command of the table (commands/) by its id."""

    command: str


class Open(Request, frozen=True):
    """Open a file: a scene, a log of scenes or a screenshot that carries one. Asks first when work is unsaved."""

    path: Path


class Load(Request, frozen=True):
    """Show a scene that comes from no file (preset, paste, recovery). Asks first when work is unsaved."""

    scene: Scene
    view: View | None
    title: str


class Save(Request, frozen=True):
    """Write the scene to `path` and make that the document's file."""

    path: Path


class SaveDeck(Request, frozen=True):
    """Write the deck that is open to `path` and make that its file."""

    path: Path


class SlideTexts(Request, frozen=True):
    """Give the deck's present slide this name, these words to show and notes to print."""

    name: str
    words: str
    notes: str


class DeckTexts(Request, frozen=True):
    """Give the deck this title and author."""

    title: str
    author: str


class MakeBundle(Request, frozen=True):
    """Write a report of the chosen engine's answer, a zip, to `path`."""

    path: Path


class AskAlong(Request, frozen=True):
    """Ask every engine about these scenes, one after the other; none gives up what is being asked."""

    scenes: tuple[Scene, ...]


class WriteLesson(Request, frozen=True):
    """Write a lesson from the views that are pinned, or the one shown, to `path`, and open it."""

    path: Path


class Configure(Request, frozen=True):
    """Change the settings."""

    settings: Settings


class Copy(Request, frozen=True):
    """Put text on the clipboard; `what` names it in the notice."""

    text: str
    what: str


class Notify(Request, frozen=True):
    """Tell the user one sentence; an error stays until dismissed."""

    message: str
    error: bool = False


class Dismiss(Request, frozen=True):
    """Take a notice away."""

    number: int


class Answer(Request, frozen=True):
    """The button pressed in the question that is pending."""

    choice: str


class Point(Request, frozen=True):
    """The pointer is on this subject in this frame (a table row, a bar); without it the hover ends."""

    subject: Subject


class Select(Request, frozen=True):
    """Give the gizmo to body A (0), B (1) or nobody (None)."""

    body: int | None


class Step(Request, frozen=True):
    """Show the entry `index` of the open log."""

    index: int


class Play(Request, frozen=True):
    """Change which step is shown, or how the steps run; opens or closes the timeline."""

    playback: Playback


class Tune(Request, frozen=True):
    """Change the knobs of the algorithms."""

    knobs: Knobs


class Guess(Request, frozen=True):
    """The answer `subject` to the question that is asked (state/prediction.py)."""

    subject: Subject


class Choose(Request, frozen=True):
    """Choose the option with this id in the lesson's step."""

    option: str


class GoTo(Request, frozen=True):
    """Show the step of the lesson with this number, from 0."""

    number: int


class Teach(Request, frozen=True):
    """Open the shipped lesson with this id where it was left; "" for the last that was open."""

    lesson: str


class NoLesson(Request, frozen=True):
    """The first lesson is not offered again."""


class Screenshot(Request, frozen=True):
    """Write the viewport without panels with the scene inside, as PNG, SVG or PDF by `path`'s ending.

    `path` None: a PNG under an unused numbered name, or with `copy` one for the clipboard. Of the options a theme, a
    palette and a number of digits that are not given are those of the window; `view` is a path.
    """

    options: ExportOptions
    path: Path | None = None
    copy: bool = False


class PreviewPicture(Request, frozen=True):
    """Draw a small picture of what `picture` would be."""

    picture: Screenshot


class MakeFilm(Request, frozen=True):
    """Make a film of `source` into `path`, None: an unused numbered name that ends in `ending`.

    A turn and a motion take as many seconds as the window gives them.
    """

    source: FilmSource
    ending: str
    path: Path | None
    options: ExportOptions


class CancelFilm(Request, frozen=True):
    """Give up the film that is being made."""


class CancelLoading(Request, frozen=True):
    """Give up the mesh that is being loaded."""


class CancelPicture(Request, frozen=True):
    """Give up the screenshot that is being taken."""
