"""The worst error per pair of shapes, judged without the core's algorithms (see judge.py), as a table.

    tests/bench/run accuracy [--pairs 10000] [--seconds 60] [--only cone box-hull] [--save FOLDER] [--write]

Every pair of shapes gets the same share of eight families (families.py). `--seconds` bounds the processor time of one
pair of shapes; the table says how many pairs were judged. A failing pair is saved as a scene, at most three of a
kind, in tests/scenes/pairs unless told otherwise: what lies there is tested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import field

from core import Provenance
from core.scene import Scene

from .families import FAMILIES, PAIRS, posed
from .judge import Judgement, judge
from .judging import Faults, Judging


class Tally(Faults):
    """What was seen of one pair of shapes. Errors in units of L + |T|, gaps in units of L, by provenance."""

    count: int = 0
    deep: int = 0
    proved: int = 0
    provenance: Counter[Provenance] = field(default_factory=Counter)
    separation: dict[Provenance, float] = field(default_factory=dict)
    gap: dict[Provenance, float] = field(default_factory=dict)
    normal: float = 0.0
    witness: float = 0.0

    def add(self, family: int, number: int, found: Judgement) -> None:
        """Counts one judgement. Normals and witnesses of mere bounds are off by their gap, and left out."""
        self.count += 1
        for fault in found.faults:
            self.fail(family, number, fault)
        if (how := found.provenance) is None:
            return
        self.deep += found.proved is not None
        self.proved += found.proved is True
        self.provenance[how] += 1
        self.separation[how] = max(self.separation.get(how, 0.0), found.separation)
        self.gap[how] = max(self.gap.get(how, 0.0), found.gap)
        if how is not Provenance.BOUND:
            self.normal, self.witness = max(self.normal, found.normal), max(self.witness, found.witness)

    def merge(self, other: Tally) -> None:
        """Adds another tally of the same pair of shapes."""
        self.count += other.count
        self.deep += other.deep
        self.proved += other.proved
        self.provenance += other.provenance
        for mine, theirs in ((self.separation, other.separation), (self.gap, other.gap)):
            for key, value in theirs.items():
                mine[key] = max(mine.get(key, 0.0), value)
        self.normal, self.witness = max(self.normal, other.normal), max(self.witness, other.witness)
        self.merge_faults(other)


def scene_of(pair: int, family: int, number: int) -> Scene:
    """The scene of these numbers."""
    return posed(pair, family, number).scene


def _judge(tally: Tally, pair: int, family: int, number: int) -> None:
    tally.add(family, number, judge(posed(pair, family, number)))


def _size(value: float | None) -> str:
    return "" if value is None else "0" if value == 0.0 else f"{value:.0e}"


def table_of(pairs: Sequence[tuple[str, str]]) -> Callable[[dict[int, Tally]], str]:
    """Makes a Markdown table, one row a pair of shapes, whose names are the first cells."""
    return partial(_table, pairs)


def _table(pairs: Sequence[tuple[str, str]], tallies: dict[int, Tally]) -> str:
    lines = [
        "| pair | judged | deep, enclosed | exact, worst | certified, worst | gap | bound, gap | normal | witness "
        "| faults |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for pair, it in tallies.items():
        share = {how: f"{count / it.count:.1%}, " for how, count in it.provenance.items()}
        exact, certified, bound = Provenance.EXACT, Provenance.CERTIFIED, Provenance.BOUND
        deep = f"{it.deep:,}, {it.proved / it.deep:.1%}" if it.deep else ""
        cells = [", ".join(pairs[pair]), f"{it.count:,}", deep]
        cells += [share.get(how, "") + _size(it.separation.get(how)) for how in (exact, certified)]
        cells += [_size(it.gap.get(certified)), share.get(bound, "") + _size(it.gap.get(bound))]
        cells += [_size(it.normal), _size(it.witness), it.words]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


main = Judging(
    "accuracy", "pairs", PAIRS, tuple(family.__name__ for family in FAMILIES), Tally, _judge, scene_of, table_of(PAIRS)
).main
