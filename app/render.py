"""`separatrix render`: the picture of a scene as a PNG that carries the scene, without a display."""

from __future__ import annotations

import sys
from pathlib import Path

from .atomic import write_atomic
from .bounded_read import reason_of
from .png_scene import png_bytes
from .renderer import GraphicsUnavailable
from .scene_file import Loaded, SceneError, load, write
from .scene_log import is_log
from .still import render_still
from .theme import theme_named


def render(scene: str, out: Path, size: tuple[int, int], scale: float, theme: str, *, transparent: bool) -> int:
    """Draws the scene in the file `scene` into `out`, whole or not at all; the exit status."""
    if is_log(scene):
        return _refused(f"{scene}: is a log; a picture shows one scene")
    try:
        loaded = load(scene)
    except SceneError as error:
        return _refused(str(error))
    for remark in loaded.remarks:
        print(f"{scene}: {remark}", file=sys.stderr)
    if not out.parent.is_dir() or out.is_dir():
        return _refused(f"{out}: {'is a folder' if out.is_dir() else 'no such folder'}")
    try:
        write_atomic(out, picture(loaded, size, scale, theme, transparent=transparent))
    except GraphicsUnavailable as error:
        return _refused(f"No picture was drawn. {error}")
    except OSError as error:
        return _refused(f"{out}: {reason_of(error)}")
    return 0


def picture(loaded: Loaded, size: tuple[int, int], scale: float, theme: str, *, transparent: bool) -> bytes:
    """The PNG of a scene, with the scene inside. Raises GraphicsUnavailable."""
    width, height = size
    image = render_still(loaded.scene, loaded.view, width, height, scale, theme_named(theme), transparent)
    return png_bytes(image, write(loaded.scene, loaded.view))


def _refused(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1
