"""What panels, tools and dialogs ask for. Application.apply is the only place that carries a request out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.scene import Scene

from .draw_list import Subject
from .settings import Settings
from .view import View


@dataclass(frozen=True, slots=True)
class Edit:
    """Make `scene` the document's scene, as one undo entry named `label`."""

    scene: Scene
    label: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Show `scene` while a drag lasts; None drops the preview."""

    scene: Scene | None


@dataclass(frozen=True, slots=True)
class Look:
    """Change how the scene is looked at."""

    view: View


@dataclass(frozen=True, slots=True)
class Invoke:
    """Run a command of the table (commands.py) by its id."""

    command: str


@dataclass(frozen=True, slots=True)
class Open:
    """Open a file: a scene, a log of scenes or a screenshot that carries one. Asks first when work is unsaved."""

    path: Path


@dataclass(frozen=True, slots=True)
class Load:
    """Show a scene that comes from no file (preset, paste, recovery). Asks first when work is unsaved."""

    scene: Scene
    view: View | None
    title: str


@dataclass(frozen=True, slots=True)
class Save:
    """Write the scene to `path` and make that the document's file."""

    path: Path


@dataclass(frozen=True, slots=True)
class Configure:
    """Change the settings."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class Copy:
    """Put text on the clipboard; `what` names it in the notice."""

    text: str
    what: str


@dataclass(frozen=True, slots=True)
class Notify:
    """Tell the user one sentence; an error stays until dismissed."""

    message: str
    error: bool = False


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Take a notice away."""

    number: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The button pressed in the question that is pending."""

    choice: str


@dataclass(frozen=True, slots=True)
class Point:
    """The pointer is on this subject in this frame (a table row, a bar); without it the hover ends."""

    subject: Subject


@dataclass(frozen=True, slots=True)
class Select:
    """Give the gizmo to body A (0), B (1) or nobody (None)."""

    body: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """Show the entry `index` of the open log."""

    index: int


@dataclass(frozen=True, slots=True)
class Screenshot:
    """Write the viewport without panels as a PNG with the scene inside. `path` None: an unused numbered name.

    `width` by `height` points at `scale` pixels to the point; `theme` None: as on the screen.
    """

    width: int
    height: int
    transparent: bool = False
    path: Path | None = None
    scale: float = 1.0
    theme: str | None = None


Request = (
    Edit
    | Preview
    | Look
    | Invoke
    | Open
    | Load
    | Save
    | Configure
    | Copy
    | Notify
    | Dismiss
    | Answer
    | Point
    | Select
    | Step
    | Screenshot
)
