"""Makes the gallery's thumbnails: `.venv/bin/python -m app.packaging.make_thumbnails [FILTER]...`, without a display.

Writes assets/thumbnails/ID.dark.png and ID.light.png of every preset whose scene has changed, or that has none; with
filters, of every preset whose id contains one, changed or not. Pictures of removed presets are deleted.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

from ..draw.theme import theme_named
from ..io.presets import THUMBNAIL_THEMES, presets
from ..io.scene_file import load
from ..render.still import Stills
from ..render.thumbnail import thumbnail
from ..state.view import View
from ..storage.files import png_bytes, resource, text_in, write_atomic

OF_SCENE = "scene-sha256"
"""The name of the text in a thumbnail with the hash of its scene."""


def scene_hash(path: Path) -> str:
    """The SHA-256 of a scene file's contents without its name and notes."""
    tree = json.loads(path.read_text(encoding="utf-8"))
    shown = {key: value for key, value in tree.items() if key not in ("name", "notes")}
    return sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()


def main(filters: list[str]) -> None:
    """Writes the thumbnails as this module says; `filters`: parts of ids.

    Raises GraphicsUnavailable without OpenGL 3.3, and OSError if a file cannot be written.
    """
    stills, folder = Stills(), resource("assets", "thumbnails")
    folder.mkdir(exist_ok=True)
    wanted = {preset.thumbnail(theme): (preset, theme) for preset in presets() for theme in THUMBNAIL_THEMES}
    for file, (preset, theme) in wanted.items():
        digest = scene_hash(preset.path)
        stands = file.is_file() and text_in(file.read_bytes(), OF_SCENE) == digest
        if any(word in preset.id for word in filters) if filters else not stands:
            loaded = load(preset.path)
            image = thumbnail(stills, loaded.scene, loaded.view or View(), theme_named(theme))
            write_atomic(file, png_bytes(image, texts={OF_SCENE: digest}))
    for file in set(folder.glob("*.png")) - set(wanted):
        file.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
