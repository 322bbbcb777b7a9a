"""The program on a Linux desktop: an entry in the menu, an icon, a file type. What is written here is removed here.

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
"""Pixels at which it is laid out: its letters and lines have the right weight then."""
RESERVED = '\\"`$'
"""Characters that an entry's command line escapes within quotes."""


def data_home() -> Path:
    """Where the user's own entries, icons and file types lie."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "share"


def install() -> Iterator[Path]:
    """Writes the files, and gives their paths. Raises OSError."""
    for place, data in ((ICON, _icon()), (FILE_TYPE, _file_type().encode()), (ENTRY, _entry().encode())):
        path = data_home() / place
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data, durable=False)
        yield path
    _tell_desktop()


def remove() -> Iterator[Path]:
    """Removes the files that are there, and gives their paths. Raises OSError."""
    for place in (ENTRY, FILE_TYPE, ICON):
        path = data_home() / place
        if path.exists():
            path.unlink()
            yield path
    _tell_desktop()
    for place in (ENTRY, FILE_TYPE, ICON):
        with suppress(OSError):  # somebody else's files are there: the folders stay
            for folder in place.parents[:-1]:
                (data_home() / folder).rmdir()


def _tell_desktop() -> None:
    """The desktop's own lists follow where it has the tools; otherwise they do at the next login."""
    for tool, folder in (("update-mime-database", "mime"), ("update-desktop-database", "applications")):
        if (program := shutil.which(tool)) and (data_home() / folder).is_dir():
            subprocess.run([program, str(data_home() / folder)], capture_output=True, check=False)


def _entry() -> str:
    quoted = "".join(f"\\{sign}" if sign in RESERVED else sign for sign in sys.executable).replace("%", "%%")
    # A value has escapes of its own, below those of the command line.
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
    """The first screen's pair, as on its card in the gallery."""
    first = default_scene()
    plan = thumbnail_plan(first.scene, first.view or View(), theme_named("dark"), (ICON_SIDE, ICON_SIDE))
    return vector_still(replace(plan, figure=ExportOptions(text=OUTLINES)), ".svg", "", "Separatrix")()
