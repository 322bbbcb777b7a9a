"""A book of moments as text, and back: each moment holds what differs from the one before it.

    points
     Kqe 0.5 -0.5 0.5
    moment GJK 3
     world
      - 0:12-14 5:2
      line.Kqab body:0 0.5 0.5 0.5>Kqe
      line.Kqab body:0 Kqe>0.5 -0.5 -0.5
      + 4:7
    moment GJK 4
     ~ world:arrow 1 x7Qa, world:line 12 Kq4b

The first number of a reference is the moment in which a piece was first told, the second its place there. Points used
more than once have names made from their digits, so that names stay when others come and go; so have looks (what
stands before the first bar of a piece), which all books share. Of a moment that is not told in full
there is a digest: what of it has changed since the digest before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import groupby

from msgspec import Struct

BAR, STEP, NONE = " ¦ ", " > ", "-"
_NUMBER = r"-?[\d.]+(?:e[+-]\d+)?"
_POINT = re.compile(rf"({_NUMBER} {_NUMBER} {_NUMBER})(\^.+)?")
_NAME = re.compile(r"([A-Z][A-Za-z]{2})(\^.+)?")
_CHANGE = re.compile(r"[-+]( \d+:[\d,-]+)+")
_PIECE = re.compile(r"([A-Za-z]\w*\.\w{5}) (\S+(?: “.*”)?)(?: (.*))?")


class Moment(Struct):
    """One picture, or what is said at one time: the pieces in each of its places, in no order.

    `after`: the name of the moment it is told by difference to; "" for the one told before it. `told`: whether its
    pieces are stored, else only the `digests` of its places.
    """

    name: str
    places: dict[str, Counter[str]]
    after: str = ""
    told: bool = True
    digests: dict[str, str] = {}


def written(moments: list[Moment], looks: dict[str, str]) -> str:
    """The book as text. `looks`: the shared ones by name, to which new ones are added."""
    told = (moment.places.values() for moment in moments if moment.told)
    pieces = dict.fromkeys(piece for places in told for place in places for piece in place)
    points = _points(pieces)
    lines = ["points", *(f" {name} {point}" for point, name in points.items())] if points else []
    known: dict[str, str] = {}
    states: dict[str, Moment] = {}
    last: dict[str, str] = {}
    before = Moment("", {})
    for number, moment in enumerate(moments):
        base = states[moment.after] if moment.after else before
        lines.append(f"moment {moment.name}" + (f" after {moment.after}" if moment.after else ""))
        if not moment.told:
            keys = dict.fromkeys((*last, *moment.digests))
            changed = [key for key in keys if last.get(key) != moment.digests.get(key)]
            lines.append(" ~ " + ", ".join(f"{key} {moment.digests.get(key, NONE)}" for key in changed))
            last = moment.digests
            continue
        count = 0
        for place in dict.fromkeys((*base.places, *moment.places)):
            old, new = base.places.get(place, Counter()), moment.places.get(place, Counter())
            come = new - old
            first = [piece for piece in come if piece not in known]
            for piece in first:
                known[piece] = f"{number}:{count}"
                count += 1
            part = _references("-", (known[piece] for piece in (old - new).elements()))
            part += [f"  {_told(piece, looks, points)}" for piece in first]
            part += _references("+", (known[piece] for piece in (come - Counter(first)).elements()))
            if part:
                lines += [f" {place}", *part]
        states[moment.name] = before = moment
    return "\n".join(lines) + "\n"


def read(text: str, looks: dict[str, str]) -> list[Moment]:
    """The moments of a book. Raises ValueError for a line that none has written."""
    points: dict[str, str] = {}
    known: dict[str, str] = {}
    states: dict[str, Moment] = {}
    moments: list[Moment] = []
    base, last = Moment("", {}), dict[str, str]()
    count, place = 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        depth = len(line[:2]) - len(line[:2].lstrip(" "))
        body = line[depth:]
        if depth == 0 and body.startswith("moment "):
            name, _, after = body.removeprefix("moment ").partition(" after ")
            base = states[after] if after else next((m for m in reversed(moments) if m.told), base)
            moments.append(Moment(name, {key: Counter(value) for key, value in base.places.items()}, after, digests={}))
            states[name], count = moments[-1], 0
        elif depth == 1 and moments and body[:2] == "~ ":
            sums = dict(word.split(" ", 1) for word in body[2:].split(", ") if word)
            last = {key: value for key, value in (last | sums).items() if value != NONE}
            moments[-1].told, moments[-1].places, moments[-1].digests = False, {}, last
        elif depth == 1 and not moments:
            name, _, point = body.partition(" ")
            points[name] = point
        elif depth == 1:
            place = body
            moments[-1].places.setdefault(place, Counter())
        elif depth == 2 and _CHANGE.fullmatch(body):
            pieces = Counter(known[reference] for reference in _referred(body[2:]))
            state = moments[-1].places[place]
            moments[-1].places[place] = state - pieces if body[0] == "-" else state + pieces
        elif depth == 2:
            piece = known[f"{len(moments) - 1}:{count}"] = _meant(body, looks, points)
            moments[-1].places[place][piece] += 1
            count += 1
        elif line != "points":
            raise ValueError(f"line {number} is not understood: {line[:80]}")
    return moments


def _told(piece: str, looks: dict[str, str], points: dict[str, str]) -> str:
    look, bar, rest = piece.partition(BAR)
    if not bar:
        return piece
    subject, _, path = rest.rpartition(BAR)
    items = []
    for item in path.split(STEP):
        found = _POINT.fullmatch(item)
        items.append(points[found[1]] + (found[2] or "") if found and found[1] in points else item)
    name = f"{look.split(' ', 1)[0]}.{next(_letters(look))}"
    if looks.setdefault(name, look) != look:
        raise ValueError(f"two looks have one name, {name}: {look}; {looks[name]}")
    return f"{name} {subject} {'>'.join(items)}".rstrip()


def _meant(line: str, looks: dict[str, str], points: dict[str, str]) -> str:
    found = _PIECE.fullmatch(line) if looks else None
    if found is None:
        return line
    items = []
    for item in (found[3] or "").split(">"):
        named = _NAME.fullmatch(item)
        items.append(points[named[1]] + (named[2] or "") if named else item)
    return BAR.join((looks[found[1]], found[2], STEP.join(items)))


def _points(pieces: Iterable[str]) -> dict[str, str]:
    """A name for each point that stands in more than one piece, or twice in one."""
    used: Counter[str] = Counter()
    for piece in pieces:
        path = piece.rpartition(BAR)[2] if BAR in piece else ""
        used.update(found[1] for item in path.split(STEP) if (found := _POINT.fullmatch(item)))
    points = sorted(point for point, count in used.items() if count > 1 and len(point) > 7)
    names: dict[str, str] = {}
    taken: set[str] = set()
    for point in points:
        names[point] = name = next(letters[:3] for letters in _letters(point) if letters[:3] not in taken)
        taken.add(name)
    return names


def _letters(text: str) -> Iterator[str]:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    for salt in range(1000):
        number = int.from_bytes(blake2b(f"{text} {salt}".encode(), digest_size=8).digest(), "big")
        yield letters[number % 26] + "".join(letters[number // 26 // 52**k % 52] for k in range(4))


def _references(sign: str, references: Iterable[str]) -> list[str]:
    pairs = sorted(tuple(map(int, reference.split(":"))) for reference in references)
    runs: list[tuple[int, int, int]] = []
    for moment, place in pairs:
        if runs and runs[-1][0] == moment and runs[-1][2] + 1 == place:
            runs[-1] = (moment, runs[-1][1], place)
        else:
            runs.append((moment, place, place))
    words = []
    for moment, of_moment in groupby(runs, key=lambda run: run[0]):
        spans = ",".join(f"{a}" if a == b else f"{a}-{b}" for _, a, b in of_moment)
        words.append(f"{moment}:{spans}")
    return [f"  {sign} {' '.join(words)}"] if words else []


def _referred(words: str) -> Iterator[str]:
    for word in words.split():
        moment, _, spans = word.partition(":")
        for span in spans.split(","):
            first, _, last = span.partition("-")
            for place in range(int(first), int(last or first) + 1):
                yield f"{moment}:{place}"
