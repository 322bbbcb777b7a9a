"""What differs between two books, piece by piece and in words: `skew-edges, GJK 3, world: arrow ... reversed`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import floor, log10

from msgspec import Struct

from .book import BAR, STEP, Moment
from .digest import digest

NEAR = 1e-6
"""Of the pair's size: how far a place may be from where it was."""
ROUNDING = 1e-12
"""Of the pair's size: numbers in words below it are rounding, whatever their digits."""
SHOWN = 6
"""Digits of a number in words, of which zeros at its end are left out: it may differ by one in the last."""
NUMBER = re.compile(r"[-−+]?\d+(?:\.\d+)?(?:e[-−+]?\d+)?")
MOST = 300
"""Pieces of one place that are paired; more are listed one by one."""


class Difference(Struct, frozen=True):
    """One change: where, of which kind (`arrow overlap reversed`), and what was before and is now."""

    scene: str
    moment: str
    place: str
    change: str
    old: str = ""
    new: str = ""

    @property
    def said(self) -> str:
        """In one sentence."""
        ways = f": {self.old} → {self.new}" if self.old and self.new else f": {self.old or self.new}"
        return f"{self.scene}, {self.moment}, {self.place}: {self.change}" + (ways if ways != ": " else "")


def differences(scene: str, old: list[Moment], new: list[Moment], size: float) -> Iterator[Difference]:
    """Everything that is not as it was, moment by moment; `size`: the pair's."""
    before, now = {moment.name: moment for moment in old}, {moment.name: moment for moment in new}
    for name in before.keys() - now.keys():
        yield Difference(scene, name, "everywhere", "moment gone")
    for name, moment in now.items():
        if name not in before:
            yield Difference(scene, name, "everywhere", "moment new")
        elif before[name].told and moment.told:
            for place in dict.fromkeys((*before[name].places, *moment.places)):
                pieces = (before[name].places.get(place, Counter()), moment.places.get(place, Counter()))
                for change in _changes(*pieces, size):
                    yield Difference(scene, name, place, *change)
        else:
            yield from _of_digests(scene, before[name], moment, size)


def _of_digests(scene: str, old: Moment, new: Moment, size: float) -> Iterator[Difference]:
    before, now = (of.digests if not of.told else digest(of.places, size) for of in (old, new))
    for key in sorted(before.keys() | now.keys()):
        if before.get(key) != now.get(key):
            place, _, kind = key.partition(":")
            was, is_now = (sums.get(key, "none") for sums in (before, now))
            yield Difference(scene, new.name, place, f"some {kind} changed (told by digest)", was, is_now)


Change = tuple[str, str, str]


def _changes(old: Counter[str], new: Counter[str], size: float) -> Iterator[Change]:
    gone, come = list((old - new).elements()), list((new - old).elements())
    gone, come = _unmatched(gone, come, size)
    if len(gone) <= MOST and len(come) <= MOST:
        for was, now in _pairs(gone, come):
            gone.remove(was)
            come.remove(now)
            yield _named(was, now)
    yield from ((f"{_heading(piece)} gone", piece, "") for piece in gone)
    yield from ((f"{_heading(piece)} new", "", piece) for piece in come)


def _unmatched(gone: list[str], come: list[str], size: float) -> tuple[list[str], list[str]]:
    """Those that have no other within the tolerances."""
    waiting: dict[str, list[str]] = {}
    for piece in come:
        waiting.setdefault(_skeleton(piece), []).append(piece)
    left = []
    for piece in gone:
        there = waiting.get(_skeleton(piece), [])
        found = next((other for other in there if same(piece, other, size)), None)
        if found is None:
            left.append(piece)
        else:
            there.remove(found)
    return left, [piece for there in waiting.values() for piece in there]


def _skeleton(piece: str) -> str:
    return NUMBER.sub("#", piece)


def same(old: str, new: str, size: float) -> bool:
    """Whether two pieces of one skeleton are the same within the tolerances: places, and numbers in words."""
    front, bar, path = old.rpartition(BAR)
    other_front, _, other_path = new.rpartition(BAR)
    words = (front, other_front) if bar else (old, new)
    told = zip(NUMBER.findall(words[0]), NUMBER.findall(words[1]), strict=True)
    if not all(_same_number(was, now, size) for was, now in told):
        return False
    places = zip(NUMBER.findall(path), NUMBER.findall(other_path), strict=True) if bar else ()
    return all(abs(float(was) - float(now)) <= 1.001 * NEAR * size for was, now in places)


def _same_number(old: str, new: str, size: float) -> bool:
    if old == new:
        return True
    values = [float(text.replace("−", "-")) for text in (old, new)]
    if all(abs(value) <= ROUNDING * size for value in values):
        return True
    # Whole numbers are counts and names: they have no last digit that rounding may change.
    if "." not in old + new and "e" not in old + new:
        return False
    return abs(values[0] - values[1]) <= 1.001 * 10.0 ** (floor(log10(max(map(abs, values)))) + 1 - SHOWN)


def _pairs(gone: list[str], come: list[str]) -> list[tuple[str, str]]:
    """What was paired with what it has become: most alike first."""
    alike = sorted(
        ((score, i, j) for i, was in enumerate(gone) for j, now in enumerate(come) if (score := _alike(was, now)) >= 5),
        reverse=True,
    )
    taken: tuple[set[int], set[int]] = (set(), set())
    pairs = []
    for _, i, j in alike:
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            pairs.append((gone[i], come[j]))
    return pairs


def _alike(old: str, new: str) -> int:
    if BAR not in old or BAR not in new:
        return 6 if BAR not in old + new and old.partition(":")[0] == new.partition(":")[0] else 0
    (look, subject, path), (other_look, other_subject, other_path) = _parts(old), _parts(new)
    if look.split(" ", 1)[0] != other_look.split(" ", 1)[0]:
        return 0
    ends = path == other_path or path.split(STEP) == other_path.split(STEP)[::-1]
    return 4 * ends + 4 * (look == other_look) + 3 * (subject == other_subject) + 1


def _parts(piece: str) -> tuple[str, str, str]:
    look, _, rest = piece.partition(BAR)
    subject, _, path = rest.rpartition(BAR)
    return look, subject, path


def _named(old: str, new: str) -> Change:
    if BAR not in old:
        return f"{_heading(old)}: other words or numbers", old, new
    (look, subject, path), (other_look, other_subject, other_path) = _parts(old), _parts(new)
    kind, *style = look.split(" ")
    _, *other_style = other_look.split(" ")
    found, was, now = [], [], []
    heading = _heading(old)
    if style[:1] != other_style[:1]:
        heading = kind
        found.append(f"was {style[0]}, is now {other_style[0]}")
    elif look != other_look:
        found.append("looks otherwise")
        was.append(look)
        now.append(other_look)
    if subject != other_subject:
        found.append("says or belongs to something else" if kind == "label" else "belongs to something else")
        was.append(subject)
        now.append(other_subject)
    if path != other_path:
        found.append("is reversed" if path.split(STEP) == other_path.split(STEP)[::-1] else "has moved")
        was.append(path)
        now.append(other_path)
    of = "" if subject == "-" or subject != other_subject else f" of {subject}"
    return f"{heading} {', '.join(found)}", f"{', '.join(was) or path}{of}", ", ".join(now) or path


def _heading(piece: str) -> str:
    """`arrow overlap`, of a line of words what stands before its colon."""
    look, bar, _ = piece.partition(BAR)
    return " ".join(look.split(" ")[:2]) if bar else f"“{piece.partition(':')[0][:40]}”"
