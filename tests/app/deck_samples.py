"""Decks for tests: three slides, the last at a step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HEAD = {"separatrix_deck": 1, "title": "Three pairs", "author": "A. Lecturer"}


def slide(name: str, x: float, **more: Any) -> dict[str, Any]:
    """Two unit cubes, `x` between their centres."""
    cube = {"type": "box", "size": [1, 1, 1]}
    bodies = {key: {"shape": cube, "position": [at, 0, 0]} for key, at in (("a", 0), ("b", x))}
    return {"separatrix": 1, "name": name} | bodies | more


VIEW = {"yaw": 0.5, "pitch": 0.3}
SLIDES = (
    slide("Apart", 2.0, words="A gap.", notes="Say why."),
    slide("Which axis?", 1.5, question="axis", words="Guess."),
    slide("Step three", 0.75, view=VIEW | {"step": 3, "panes": "world"}, notes="The third axis."),
)


def deck(path: Path, *slides: Mapping[str, Any], head: Mapping[str, Any] = HEAD) -> Path:
    """A deck of these slides, else of SLIDES, written to `path`."""
    path.write_text("".join(json.dumps(line) + "\n" for line in (head, *(slides or SLIDES))), encoding="utf-8")
    return path
