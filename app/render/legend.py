"""A figure's words: the legend of what is in it, captions and what a screen reader says; as panes of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array
from core.query.query import Phase

from ..draw.draw_list import NOTHING, Marker, Rgba
from ..draw.placed import Placed, PlacedLabel, PlacedLines, PlacedMarks, PlacedTriangles
from ..draw.text import measure
from ..draw.theme import Theme
from ..stages import step_text
from ..state.figure import GAUSS_LARGE
from ..state.view import HATCH, Panes, Seen
from ..words.axis_words import verdict_line

SIZE = 13.0
"""Of the words under a figure, points: a figure's font size is that of so many points of the layout."""
LEADING, MARGIN, BETWEEN = 17.0, 8.0, 16.0
"""From line to line, round a strip of words, and between entries of a legend, points."""


class Entry(Struct, frozen=True):
    """A colour in the picture, the mark that it is shown by, and what it stands for."""

    name: str
    rgba: Rgba
    shape: Marker


_ALWAYS = {"body_a": "body A", "body_b": "body B", "difference": "difference A − B"}
_FACES = {
    "family_a": "face of A − B, from a face of A",
    "family_b": "face of A − B, from a face of B",
    "family_edges": "face of A − B, from two edges",
}
_HATCHED = {"family_a": "lines rise", "family_b": "lines fall", "family_edges": "lines cross"}
_ANSWER = {"winner": "the axis that decides", "gap": "gap, distance", "overlap": "overlap, depth"}


def _roles(seen: Seen) -> dict[str, str]:
    """What colours stand for at a step; at one of a phase that is not here only what is the same everywhere is told."""
    match None if seen.moment is None else seen.moment.phase:
        case None:
            return _ANSWER
        case Phase.SAT:
            return _ANSWER if seen.told else _ANSWER | {"winner": "best axis so far"}
        case Phase.GJK:
            return {"winner": "simplex", "gap": "nearest point v, bounds", "overlap": "direction d, support point w"}
        case Phase.EPA:
            return {"winner": "polytope", "gap": "nearest face, bounds", "overlap": "normal n, support point w"}
    return {}


def legend_of(seen: Seen, panes: Iterable[Placed]) -> tuple[Entry, ...]:
    """What the colours of placed panes stand for, each that is there, in the theme's order."""
    theme, names, hatched = seen.theme, _roles(seen), _HATCHED if HATCH in seen.view.shown else {}
    solid, line, ring = set[Rgba](), set[Rgba](), False
    for placed in panes:
        solid |= _colours(placed.triangles.rgba)
        line |= _colours(placed.lines.start_rgba[placed.lines.ground :]) | _colours(placed.marks.fill)
        own = placed.marks.shape == Marker.RING
        ring |= _same(theme.origin) in _colours(placed.marks.stroke[own])
    found = [
        Entry(f"{name}: {hatched[role]}" if role in hatched else name, getattr(theme, role), Marker.SQUARE)
        for role, name in (_ALWAYS | _FACES).items()
        if _same(getattr(theme, role)) in solid
    ]
    found += [
        Entry(name, getattr(theme, role), Marker.DISC)
        for role, name in names.items()
        if _same(getattr(theme, role)) in line
    ]
    return (*found, *([Entry("origin", theme.origin, Marker.RING)] if ring else []))


def _same(rgba: Rgba) -> Rgba:
    r, g, b = (round(255.0 * part) for part in rgba[:3])
    return r, g, b, 1.0


def _colours(rgba: Array) -> set[Rgba]:
    seen = np.unique(np.rint(255.0 * rgba[rgba[:, 3] > 0.0, :3]), axis=0)
    return {(r, g, b, 1.0) for r, g, b in seen.tolist()}


def joined_legends(legends: Iterable[Sequence[Entry]]) -> tuple[Entry, ...]:
    """The entries of several pictures, each colour once with all that it stands for."""
    names: dict[tuple[Rgba, Marker], list[str]] = {}
    for entry in dict.fromkeys(entry for legend in legends for entry in legend):
        names.setdefault((entry.rgba, entry.shape), []).append(entry.name)
    return tuple(Entry(" / ".join(named), *look) for look, named in names.items())


def wrapped(text: str, width: float, density: float) -> list[str]:
    """The lines of a text no wider than `width` pixels at `density`; a word that is wider stands alone."""
    lines: list[str] = []
    for word in re.split(r"(?<![×−]) (?![×−])", " ".join(text.split())):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, SIZE * density)[0] <= width:
            lines[-1] = longer
        elif lines:
            lines.append(word)
        else:
            lines = [word]
    return lines


def words_strip(text: str, width: int, density: float, theme: Theme, *, middle: bool = False) -> Placed:
    """A text, wrapped, as a pane `width` pixels wide; in its `middle` or at its left."""
    margin = MARGIN * density
    lines = [line for part in text.split("\n") for line in wrapped(part, width - 2.0 * margin, density)]
    labels = []
    for number, line in enumerate(lines):
        if not line:
            continue
        across = measure(line, SIZE * density)[0]
        x = 0.5 * (width - across) if middle else margin
        labels.append(_label(line, x, 0.5 * margin + number * LEADING * density, density, theme))
    return _strip(width, 0.5 * margin + len(lines) * LEADING * density, theme, labels=labels)


def legend_strip(entries: Sequence[Entry], width: int, density: float, theme: Theme) -> Placed:
    """A legend in rows as a pane `width` pixels wide."""
    margin, symbol = MARGIN * density, 1.4 * SIZE * density
    x, y, labels, centres = margin, 0.5 * margin, [], []
    for entry in entries:
        across, high = measure(entry.name, SIZE * density)
        if x > margin and x + symbol + across > width - margin:
            x, y = margin, y + LEADING * density
        centres.append((x + 0.4 * SIZE * density, y + 0.5 * high))
        labels.append(_label(entry.name, x + symbol, y, density, theme))
        x += symbol + across + BETWEEN * density
    radius = 0.4 * SIZE * density
    marks = PlacedMarks(
        np.array(centres).reshape(-1, 2),
        np.full(len(entries), radius),
        np.array([entry.shape for entry in entries], dtype=np.int64),
        np.zeros(len(entries)),
        np.array([(*entry.rgba[:3], 0.0 if entry.shape is Marker.RING else 1.0) for entry in entries]).reshape(-1, 4),
        np.array([entry.rgba for entry in entries]).reshape(-1, 4),
        np.array([1.5 * density if entry.shape is Marker.RING else 0.0 for entry in entries]),
        (NOTHING,) * len(entries),
    )
    return _strip(width, y + LEADING * density, theme, labels=labels, marks=marks)


def _label(text: str, x: float, y: float, density: float, theme: Theme) -> PlacedLabel:
    width, height = measure(text, SIZE * density)
    return PlacedLabel(text, x, y, width, height, SIZE * density, theme.text, False, NOTHING)


def _strip(
    width: int, height: float, theme: Theme, labels: Sequence[PlacedLabel] = (), marks: PlacedMarks | None = None
) -> Placed:
    """A pane with nothing else in it; its height is even, so that it fits a picture that is laid out twice as fine."""
    none, two, four = np.zeros(0), np.zeros((0, 2)), np.zeros((0, 4))
    whole = np.zeros(0, dtype=np.int64)
    faces = np.zeros((0, 3, 3))
    return Placed(
        width,
        2 * ceil(0.5 * height),
        PlacedTriangles(faces, faces, four, whole, whole, whole, whole, ()),
        PlacedLines(two, two, none, four, four, whole, none, ()),
        marks or PlacedMarks(two, none, whole, none, four, four, none, ()),
        tuple(labels),
        theme.halo,
        0,
    )


def backing(width: int, height: int, theme: Theme) -> Placed:
    """An empty pane: the ground between the others."""
    return _strip(width, height, theme)


def caption_of(seen: Seen) -> str:
    """The scene's name, its verdict and its step, in words; while a question stands open, that."""
    name = f"{seen.scene.name.rstrip('.')}." if seen.scene.name else ""
    if seen.asked is not None and seen.asked.open:
        return " ".join(part for part in (name, seen.asked.question.text) if part)
    return " ".join(part for part in (name, step_of(seen), f"{verdict_line(seen.analysis)}.") if part)


def step_of(seen: Seen) -> str:
    """The step shown, as its card is headed, with a full stop; "" for the answer."""
    if seen.query is None or seen.moment is None:
        return ""
    return f"{step_text(seen.query, seen.moment, seen.part).title}."


_PANES = {
    Panes.BOTH: "The bodies A and B in the world; in the second pane the Minkowski difference A − B.",
    Panes.WORLD: "The bodies A and B.",
    Panes.DIFFERENCE: "The Minkowski difference A − B.",
    Panes.OVERLAID: "The bodies A and B, and the Minkowski difference A − B at the world's origin.",
}


GAUSS_ALONE = "The Gauss map of the face normals of A and −B."


def alt_of(seen: Seen) -> str:
    """What is to be seen, for a screen reader: the caption, what the step does, and the panes."""
    done = ""
    if seen.query is not None and seen.moment is not None and (seen.asked is None or not seen.asked.open):
        done = step_text(seen.query, seen.moment, seen.part).decided
    return " ".join([part for part in (caption_of(seen), done, panes_of(seen)) if part])


def panes_of(seen: Seen) -> str:
    """What the panes show, in a sentence."""
    return GAUSS_ALONE if GAUSS_LARGE in seen.view.shown else _PANES[seen.view.panes]
