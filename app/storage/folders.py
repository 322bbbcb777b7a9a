"""Where the program keeps its own files; SEPARATRIX_HOME puts them all in one folder."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def config_folder() -> Path:
    """Settings and window layout. Not created here."""
    return _folder(platformdirs.user_config_dir("separatrix", appauthor=False))


def state_folder() -> Path:
    """Recent files and autosaves. Not created here."""
    return _folder(platformdirs.user_state_dir("separatrix", appauthor=False))


def _folder(usual: str) -> Path:
    home = os.environ.get("SEPARATRIX_HOME")
    return Path(home) if home else Path(usual)
