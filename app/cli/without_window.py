"""What `separatrix [SCENE]` does where no window can be opened: the answers as text and the picture as a file."""

from __future__ import annotations

import sys
from pathlib import Path

from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep

from ..io.presets import default_scene
from ..io.scene_file import Loaded, SceneError, load
from ..io.scene_log import SceneLog, is_log
from ..render import GraphicsUnavailable
from ..storage.atomic import write_numbered
from ..storage.bounded_read import reason_of
from .render import picture
from .report import to_text

SIZE = (1280, 800)
DEFAULT_NAME = "separatrix"


def show_without_window(scene: str | None, reason: str) -> int:
    """Prints the scene's answers, renders NAME.png into the current folder and says why; the exit status."""
    try:
        loaded = _loaded(scene)
    except SceneError as error:
        print(error, file=sys.stderr)
        return 1
    shown = loaded.scene
    print(to_text(analyse(shown), sweep(shown), shown.name or str(scene), loaded.remarks))
    name = DEFAULT_NAME if scene is None else Path(scene).stem
    try:
        file = write_numbered(Path(f"{name}.png"), picture(loaded, SIZE, 1.0, "dark", transparent=False))
    except GraphicsUnavailable:
        print(f"{reason} No picture could be drawn either.")
        return 0
    except OSError as error:
        print(f"{reason} The picture could not be written either: {name}.png: {reason_of(error)}")
        return 1
    print(f"{reason} The picture is in {file} instead.")
    return 0


def _loaded(scene: str | None) -> Loaded:
    if scene is None:
        return default_scene()
    if not is_log(scene):
        return load(scene)
    log = SceneLog(scene)
    try:
        if len(log) == 0:
            raise SceneError("", "is empty", scene)
        return log.scene(0)
    finally:
        log.close()
