"""A font of the system for letters that the program's own has not: names and notes may be in any script."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

SUFFIXES = (".ttf", ".ttc", ".otf")
"""What imgui can read."""

MOST_ASKED = 32
"""Characters of which a font is asked to have most."""

SECONDS = 3.0


class SystemFont(Struct, frozen=True):
    """A font file, and which of its fonts is meant."""

    path: Path
    number: int = 0


def system_font(characters: str) -> SystemFont | None:
    """The font that fontconfig thinks best for these characters; None where there is none, or no fontconfig.

    It may lack some of them, or all: fontconfig names its best in any case.
    """
    # Here and not above: nearly nobody needs it.
    import subprocess

    charset = " ".join(f"{ord(character):x}" for character in characters[:MOST_ASKED])
    command = ["fc-match", "-f", "%{file}\n%{index}", f"sans-serif:charset={charset}"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    file, _, number = done.stdout.decode("utf-8", "surrogateescape").partition("\n")
    path = Path(file)
    if path.suffix.lower() not in SUFFIXES or not path.is_file():
        return None
    # The upper half of the number tells a variable font's instance.
    return SystemFont(path, int(number) & 0xFFFF if number.isdigit() else 0)
