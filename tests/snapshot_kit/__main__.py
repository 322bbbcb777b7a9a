"""Snapshots of what is said and drawn: collect them anew, compare them, store them.

Every preset and every scene of tests/scenes is opened as the program opens it, and each moment is put into pieces of
text: what both panes draw with every overlay on (pieces.py), what the screen has of it (screen.py), what is said
(scenes.py), what the panels show (panels.py), and what `check` prints. A *book* (book.py) holds the moments of a scene
by what differs from one to the next.
Of one preset of each kind nearly every moment is told in full; of the others the answer, the words of the last
step of each phase and the questions, of the scenes of tests/scenes the words of the answer; of all other moments a
digest (digest.py), which tells that something has changed and of which kind it is. compare.py names what differs in
words. The scenes of tests/scenes/words are there for words and signs that no other scene has.

    tests/bless [FILTER]...     says what has changed, by kind of change, and stores it
    tests/faults/run            applies deliberate faults one by one and says which of them the snapshots catch

Stored are, for each scene, tests/snapshots/NAME.{geometry,words,numbers,panels}.txt, and looks.txt for all.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from .compare import Difference
from .store import STORED, collect, compared, looks_of, names_of, stored, write

SHOWN = 4
"""Differences of one kind that are told."""


def main(words: list[str]) -> int:
    """`collect FOLDER PART/PARTS [NAME]...`, `compare [FILTER]...` or `bless [FILTER]...`; the exit status."""
    command, *rest = words
    if command == "collect":
        from .collect import collect_part

        collect_part(Path(rest[0]), rest[1], rest[2:])
        return 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        names = _chosen(rest)
        collect(folder, names)
        looks = looks_of(folder)
        found = [change for name in names or _all(folder) for change in compared(name, stored(name, folder), looks)]
        print(summary(found))
        if command == "bless":
            write(folder, names or names_of(folder), whole=not names)
        return int(bool(found) and command == "compare")


def _all(folder: Path) -> list[str]:
    return sorted({*names_of(folder), *names_of(STORED)})


def _chosen(filters: list[str]) -> list[str]:
    """Names of scenes in which one of the filters stands; none for all."""
    if not filters:
        return []
    from .scenes import scenes

    names = [scene.name for scene in scenes() if any(word in scene.name for word in filters)]
    if not names:
        raise SystemExit(f"no scene's name has {' or '.join(filters)} in it")
    return names


def summary(found: list[Difference]) -> str:
    """The differences grouped by kind of change, with counts and some of each."""
    if not found:
        return "Nothing has changed."
    kinds = Counter(change.change for change in found)
    lines = [f"{len(found)} differences of {len(kinds)} kinds in {len({change.scene for change in found})} scenes."]
    for kind, count in kinds.most_common():
        lines.append(f"{count} × {kind}")
        some = [change for change in found if change.change == kind][:SHOWN]
        for change in some:
            lines.append(f"    {change.scene}, {change.moment}, {change.place}")
            lines += [f"      - {change.old[:300]}"] if change.old else []
            lines += [f"      + {change.new[:300]}"] if change.new else []
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
