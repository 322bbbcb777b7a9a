"""What panels, tools and dialogs ask for. Application.apply is the only place that carries a request out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.scene import Scene

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


Request = Edit | Preview | Look | Invoke | Open | Load | Save | Configure | Copy | Notify
