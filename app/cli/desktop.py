"""Installs the program on a Linux desktop, and removes it: an entry in the menu, an icon, a file type.

By the specifications of freedesktop.org: Desktop Entry, Icon Theme, Shared MIME-info; all under XDG_DATA_HOME.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from ..draw.theme import theme_named
from ..io.presets import default_scene
from ..render.still import vector_still
from ..render.thumbnail import thumbnail_plan
from ..state.export_options import OUTLINES, ExportOptions
from ..state.view import View
from ..storage.files import write_atomic

MIME_TYPE = "application/x-separatrix+json"
ENTRY = Path("applications/separatrix.desktop")
ICON = Path("icons/hicolor/scalable/apps/separatrix.svg")
FILE_TYPE = Path("mime/packages/separatrix.xml")
ICON_SIDE = 220
"""Side of the icon's layout in pixels, at which its letters and lines have the right weight."""
RESERVED = '\\"`$'
"""Characters that must be escaped within quotes in an entry's command line."""


def data_home() -> Path:
    """The folder of the user's own entries, icons and file types."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "share"


def install() -> Iterator[Path]:
    """Writes the files and yields their paths; then updates the desktop's lists.

    Raises OSError if one cannot be written.
    """
    for place, data in ((ICON, _icon()), (FILE_TYPE, _file_type().encode()), (ENTRY, _entry().encode())):
        path = data_home() / place
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data, durable=False)
        yield path
    _tell_desktop()


def remove() -> Iterator[Path]:
    """Removes the files that exist and yields their paths. Raises OSError if one cannot be removed.

    Then updates the desktop's lists, and removes the folders that are left empty.
    """
    for place in (ENTRY, FILE_TYPE, ICON):
        path = data_home() / place
        if path.exists():
            path.unlink()
            yield path
    _tell_desktop()
    for place in (ENTRY, FILE_TYPE, ICON):
        with suppress(OSError):  # a folder that holds other files stays
            for folder in place.parents[:-1]:
                (data_home() / folder).rmdir()


def _tell_desktop() -> None:
    """Updates the desktop's lists if the tools exist; otherwise the desktop updates them at the next login."""
    for tool, folder in (("update-mime-database", "mime"), ("update-desktop-database", "applications")):
        if (program := shutil.which(tool)) and (data_home() / folder).is_dir():
            subprocess.run([program, str(data_home() / folder)], capture_output=True, check=False)


def _entry() -> str:
    quoted = "".join(f"\\{sign}" if sign in RESERVED else sign for sign in sys.executable).replace("%", "%%")
    # The file format escapes backslashes once more, on top of the command line's own escapes.
    command = f'"{quoted}"'.replace("\\", "\\\\")
    return f"""[Desktop Entry]
Type=Application
Version=1.0
Name=Separatrix
GenericName=Collision Detection Debugger
Comment=Watch collision algorithms work on two convex bodies
Exec={command} -m separatrix %f
TryExec={sys.executable}
Icon=separatrix
StartupWMClass=Separatrix
Terminal=false
Categories=Education;Physics;
MimeType={MIME_TYPE};
"""


def _file_type() -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{MIME_TYPE}">
    <comment>Separatrix scene</comment>
    <sub-class-of type="application/json"/>
    <icon name="separatrix"/>
    <glob pattern="*.separatrix.json" weight="60"/>
  </mime-type>
</mime-info>
"""


def _icon() -> bytes:
    """The SVG of the first preset's pair, drawn like its card in the gallery."""
    first = default_scene()
    plan = thumbnail_plan(first.scene, first.view or View(), theme_named("dark"), (ICON_SIDE, ICON_SIDE))
    return vector_still(replace(plan, figure=ExportOptions(text=OUTLINES)), ".svg", "", "Separatrix")()
