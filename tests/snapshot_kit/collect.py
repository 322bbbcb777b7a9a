"""The child's half of collecting: every n-th scene, its books into files."""

from __future__ import annotations

from pathlib import Path

from .book import written
from .panels import panels, shown
from .scenes import Known, Pictured, scenes


def collect_part(folder: Path, part: str, names: list[str]) -> None:
    """Writes the books of part `k/n` of the scenes with these names (of all, without any)."""
    number, parts = map(int, part.split("/"))
    chosen = [known for known in scenes() if not names or known.name in names]
    looks: dict[str, str] = {}
    folder.mkdir(parents=True, exist_ok=True)
    with panels() as rig:
        for known in sorted(chosen, key=_work)[number::parts]:
            pictured = Pictured(known)
            books = {"geometry": pictured.geometry(), "words": pictured.words(), "numbers": pictured.numbers()}
            for kind, moments in (books | {"panels": shown(pictured, rig)}).items():
                text = f"size {pictured.size!r}\n" + written(moments, looks)
                (folder / f"{known.name}.{kind}.txt").write_text(text, "utf-8")
    lines = sorted(f"{name} {look}\n" for name, look in looks.items())
    (folder / f"looks-{number}.txt").write_text("".join(lines), "utf-8")


def _work(known: Known) -> tuple[bool, str]:
    """Scenes with many moments first, so that the parts end together."""
    return not known.full, known.name
