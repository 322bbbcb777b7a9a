"""`separatrix doctor` examines this machine; `separatrix desktop` adds the program to a Linux desktop's menu."""

from __future__ import annotations

import json
import sys

from ..storage.doctor import asked_graphics, examined, text_of
from .arguments import Parser


def _doctor(words: list[str]) -> int:
    parser = Parser(
        prog="separatrix doctor",
        description="Say what this machine has of what the program needs, and the command that mends what is missing. "
        "Exit status 1 if something needed is missing.",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    as_json = parser.parse_args(words).json
    lines = examined(asked_graphics())
    missing = [line.what for line in lines if line.state == "missing"]
    if as_json:
        print(json.dumps({"schema": 1, "missing": missing, "lines": [line._asdict() for line in lines]}))
    else:
        print(text_of(lines), end="")
    return 1 if missing else 0


def _desktop(words: list[str]) -> int:
    parser = Parser(
        prog="separatrix desktop",
        description="Put Separatrix into the menu of a Linux desktop: an entry, an icon, and a file type, so that "
        "*.separatrix.json opens by a double click. All of it lies under XDG_DATA_HOME.",
    )
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--install", action="store_true", help="write the entry, the icon and the file type")
    way.add_argument("--remove", action="store_true", help="take them away again")
    options = parser.parse_args(words)
    system = sys.platform
    if system in ("win32", "darwin"):
        print("separatrix: `desktop` is for Linux; here make a shortcut to the program separatrix-gui", file=sys.stderr)
        return 1
    from .desktop import install, remove

    for path in install() if options.install else remove():
        print(f"{'wrote' if options.install else 'removed'} {path}")
    return 0


COMMANDS = {"doctor": _doctor, "desktop": _desktop}
