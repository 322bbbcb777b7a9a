"""Collecting anew: the books of one scene, and the child's half of all of them, every n-th scene into files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .book import written
from .panels import Panels, panels, shown
from .scenes import Known, Pictured, scenes
from .store import KINDS


def books(known: Known, rig: Panels, looks: dict[str, str], kinds: Iterable[str] = KINDS) -> dict[str, str]:
    """The books of a scene as text, by kind. `looks`: the shared ones by name, to which new ones are added."""
    pictured = Pictured(known)
    makers = {
        "geometry": pictured.geometry,
        "words": pictured.words,
        "numbers": pictured.numbers,
        "panels": lambda: shown(pictured, rig),
    }
    return {kind: f"size {pictured.size!r}\n" + written(makers[kind](), looks) for kind in kinds}


def collect_part(folder: Path, part: str, names: list[str]) -> None:
    """Writes the books of part `k/n` of the scenes with these names (of all, without any)."""
    number, parts = map(int, part.split("/"))
    chosen = [known for known in scenes() if not names or known.name in names]
    looks: dict[str, str] = {}
    folder.mkdir(parents=True, exist_ok=True)
    with panels() as rig:
        for known in sorted(chosen, key=_work)[number::parts]:
            for kind, text in books(known, rig, looks).items():
                (folder / f"{known.name}.{kind}.txt").write_text(text, "utf-8")
    lines = sorted(f"{name} {look}\n" for name, look in looks.items())
    (folder / f"looks-{number}.txt").write_text("".join(lines), "utf-8")


def _work(known: Known) -> tuple[bool, str]:
    """Scenes with many moments first, so that the parts end together."""
    return not known.full, known.name
