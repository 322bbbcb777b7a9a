"""A figure's words: legends, captions and texts for screen readers; legends and captions as panes of their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from core.geometry.vector import Array
from core.query.query import Phase
from core.verdict import Verdict

from ..draw.draw_list import NOTHING, Dash, Marker, Rgba
from ..draw.placed import PlacedLabel, PlacedLines, PlacedMarks, PlacedPane, PlacedTriangles
from ..draw.text import measure
from ..draw.theme import SINGLE_COLOURS, Theme
from ..overlays import faces_in_view, separation
from ..overlays.axis_sources import light
from ..stages import stage_of, step_text
from ..state.export_options import GAUSS_LARGE
from ..state.view import HATCH, SINGLE, Panes, Seen
from ..words.axis_words import verdict_line
from ..words.terms import terms_of

SIZE = 13.0
"""Size of the words under a figure, points of the layout. The export option `font` sets the words' size on paper."""
LEADING, MARGIN, BETWEEN = 17.0, 8.0, 16.0
"""Points from line to line, at the sides of a strip of words (half above, none below), and between legend entries."""


class LegendEntry(Struct, frozen=True):
    """A colour of the picture, the mark or line that shows the colour in the legend, and the colour's meaning."""

    name: str
    shape: Marker | Dash
    rgba: Rgba


_SOLID = {
    "body_a": "body A",
    "body_b": "body B",
    "difference": "difference A − B",
    "family_a": "face of A − B, from a face of A",
    "family_b": "face of A − B, from a face of B",
    "family_edges": "face of A − B, from two edges",
}
"""Meanings of the theme's colours on faces."""
_WITHOUT_FACE = {
    "body_a": ("edge_a", "of body A"),
    "body_b": ("edge_b", "of body B"),
    "difference": ("difference_edge", "edge of A − B"),
    "family_a": ("family_a", "from a face of A"),
    "family_b": ("family_b", "from a face of B"),
    "family_edges": ("family_edges", "from two edges"),
    "family_closest": ("family_closest", "from the closest points"),
}
"""For each face colour that a picture lacks: the line or mark colour to look for instead, and the meaning."""
_HATCHED = {"family_a": "lines rise", "family_b": "lines fall", "family_edges": "lines cross"}

_ANSWER = {
    "winner": "the axis that decides",
    "gap": "gap, distance",
    "overlap": "overlap, depth",
    "normal": "sum A + B",
}
_PROBES = {
    "PointProbe": {"winner": "plane that has the point in front", "gap": "distance outside", "overlap": "depth inside"},
    "PlaneProbe": {"winner": "plane, its normal n", "overlap": "no plane"},
    "RayProbe": {
        "winner": "ray, hit, simplex",
        "gap": "free part, miss",
        "overlap": "article's version, support plane",
    },
    "ScaleProbe": {"winner": "n by the inverse transpose", "overlap": "overlap, n scaled like a point"},
}

_GHOSTS = {"resolved": ("B moved out by the depth", Dash.DASHED), "ghost": ("body at the time shown", Dash.SOLID)}


def _roles(seen: Seen) -> dict[str, str]:
    """Meanings of the theme's colours at a step, with a probe, while bodies move, or in the answer."""
    view, answer = seen.view, dict(_ANSWER)
    if seen.moment is not None:
        phase = seen.moment.phase
        if phase is Phase.SAT and not seen.reveal.at_end:
            answer["winner"] = "best axis so far"
        return {**answer, **stage_of(phase).colours}
    if view.probe is not None:
        return answer | _PROBES.get(type(view.probe).__name__, {})
    if separation.PLANE.id in view.shown and seen.analysis.verdict is not Verdict.OVERLAPPING:
        answer["gap"] = "gap, distance, separating plane"
    if seen.sweep is not None and view.shows_motion(seen.scene):
        # Imported with the first motion.
        from core.toi import MotionMethod

        of_a_box = any(trace.method is MotionMethod.SPHERE_BOX for trace in seen.sweep.traces)
        answer |= {"winner": "first touch, the axis that decides"}
        answer |= dict(stage_of(Phase.REGIONS).colours) if of_a_box else {}
    boxes = all(body.shape.half_extents is not None for body in (seen.scene.a, seen.scene.b))
    if faces_in_view.OVERLAY.id in view.shown and boxes:
        answer["overlap"] += ", vertex behind a face"
    return answer


def legend_of(seen: Seen, panes: Iterable[PlacedPane]) -> tuple[LegendEntry, ...]:
    """The entries for the meaningful colours in placed panes.

    The order is: bodies, difference and families, sources of an axis, answer, single precision, ghosts, origin.
    """
    theme, said, roles = seen.theme, terms_of(seen.scene.dimension).said, _roles(seen)
    hatched = _HATCHED if HATCH in seen.view.shown else {}
    solid, line, ring, kinds = set[Rgba](), set[Rgba](), False, dict[str, Rgba]()
    panes = list(panes)
    for placed in panes:
        solid |= _colours(placed.triangles.rgba)
        line |= _colours(placed.lines.start_rgba[placed.lines.ground :])
        line |= _colours(placed.marks.fill) | _colours(placed.marks.stroke)
        own = placed.marks.shape == Marker.RING
        ring |= _same(theme.origin) in _colours(placed.marks.stroke[own])
        kinds |= _ghosts(placed)
    found, families = [], any(_same(getattr(theme, role)) in solid for role in _HATCHED)
    for role in _SOLID | _WITHOUT_FACE:
        rgba = getattr(theme, role)
        if role in _SOLID and _same(rgba) in solid:
            name = roles.get(role, _SOLID[role])
            found.append(LegendEntry(f"{name}: {hatched[role]}" if role in hatched else name, Marker.SQUARE, rgba))
        elif role == "difference" and families:
            continue
        elif _same(instead := getattr(theme, _WITHOUT_FACE[role][0])) in line | solid:
            found.append(LegendEntry(roles.get(role, _WITHOUT_FACE[role][1]), shape_of(instead, panes), instead))
    lit = [rgba for rgba in (light(theme, index) for index in (0, 1)) if _same(rgba) in line | solid]
    found += [LegendEntry("where the axis comes from", shape_of(rgba, panes), rgba) for rgba in lit]
    marked = [role for role in ("winner", "gap", "overlap", "normal") if _same(getattr(theme, role)) in line | solid]
    looks = [(roles[role], getattr(theme, role)) for role in marked]
    found += [LegendEntry(name, shape_of(rgba, panes), rgba) for name, rgba in looks]
    single = SINGLE_COLOURS[theme.ground]
    if SINGLE in seen.view.shown and _same(single) in line:
        found.append(LegendEntry("single precision", Marker.DIAMOND, single))
    found += [LegendEntry(*_GHOSTS[kind], rgba) for kind, rgba in kinds.items()]
    found += [LegendEntry("origin", Marker.RING, theme.origin)] if ring else []
    return tuple(replace(entry, name=said(entry.name)) for entry in found)


def shape_of(rgba: Rgba, panes: Sequence[PlacedPane]) -> Marker | Dash:
    """The shape of a colour in the legend: of marks filled with it, else of hollow or edged ones, else of its lines.

    A colour that only faces have is shown by a square.
    """
    filled, hollow, edged, lined = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    for placed in panes:
        marks, lines = placed.marks, placed.lines
        # Triangles are the heads of arrows, which their lines stand for.
        marker, rim = marks.shape != Marker.TRIANGLE, _has(rgba, marks.stroke)
        clear = marks.fill[:, 3] == 0.0
        filled.update(marks.shape[marker & _has(rgba, marks.fill)].tolist())
        hollow.update(marks.shape[marker & rim & clear].tolist())
        edged.update(marks.shape[marker & rim & ~clear].tolist())
        drawn = np.arange(len(lines.dash)) >= lines.ground
        for number in np.flatnonzero(drawn & _has(rgba, lines.start_rgba)).tolist():
            lined[int(lines.dash[number])] += round(float(np.abs(lines.end[number] - lines.start[number]).sum()))
    if marked := filled or hollow or edged:
        return Marker(min(marked, key=lambda shape: (-marked[shape], shape)))
    return Dash(min(lined, key=lambda dash: (-lined[dash], dash))) if lined else Marker.SQUARE


def _has(rgba: Rgba, colours: Array) -> NDArray[np.bool_]:
    """Which of the colours (n, 4) is this one, whatever its opacity."""
    same = np.rint(255.0 * colours[:, :3]) == _same(rgba)[:3]
    found: NDArray[np.bool_] = same.all(axis=1) & (colours[:, 3] > 0.0)
    return found


def _ghosts(placed: PlacedPane) -> dict[str, Rgba]:
    """The colours of bodies that are drawn at other poses than their own, by the kind of the bodies' lines."""
    subjects = zip(placed.lines.subjects, placed.lines.start_rgba.tolist(), strict=True)
    return {subject.kind: (r, g, b, 1.0) for subject, (r, g, b, _) in subjects if subject.kind in _GHOSTS}


def _same(rgba: Rgba) -> Rgba:
    r, g, b = (round(255.0 * part) for part in rgba[:3])
    return r, g, b, 1.0


def _colours(rgba: Array) -> set[Rgba]:
    seen = np.unique(np.rint(255.0 * rgba[rgba[:, 3] > 0.0, :3]), axis=0)
    return {(r, g, b, 1.0) for r, g, b in seen.tolist()}


def joined_legends(legends: Iterable[Sequence[LegendEntry]]) -> tuple[LegendEntry, ...]:
    """The entries of several pictures: each shape with its colour once, with all meanings joined by slashes."""
    entries = [entry for legend in legends for entry in legend]
    shapes: dict[tuple[str, Rgba], Marker | Dash] = {}
    for entry in sorted(entries, key=lambda each: isinstance(each.shape, Dash)):
        # One thing may be a mark in one picture, and a line in another.
        shapes.setdefault((entry.name, entry.rgba), entry.shape)
    names: dict[tuple[Marker | Dash, Rgba], list[str]] = {}
    for entry in dict.fromkeys(replace(each, shape=shapes[each.name, each.rgba]) for each in entries):
        names.setdefault((entry.shape, entry.rgba), []).append(entry.name)
    return tuple(LegendEntry(" / ".join(named), *look) for look, named in names.items())


def wrapped(text: str, width: float, density: float) -> list[str]:
    """Breaks a text into lines no wider than `width` pixels at `density`; a wider word has a line of its own."""
    lines: list[str] = []
    for word in re.split(r"(?<![×−=≤≥]) (?![×−=≤≥])", " ".join(text.split())):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, SIZE * density)[0] <= width:
            lines[-1] = longer
        elif lines:
            lines.append(word)
        else:
            lines = [word]
    return lines


def words_strip(text: str, width: int, density: float, theme: Theme, *, middle: bool = False) -> PlacedPane:
    """A wrapped text as a pane `width` pixels wide; centred with `middle`, else at the left."""
    margin = MARGIN * density
    lines = [line for part in text.split("\n") for line in wrapped(part, width - 2.0 * margin, density)]
    labels = []
    for number, line in enumerate(lines):
        if not line:
            continue
        across = measure(line, SIZE * density)[0]
        x = 0.5 * (width - across) if middle else margin
        labels.append(label_at(line, x, 0.5 * margin + number * LEADING * density, density, theme, 0.5 * middle))
    return _strip(width, 0.5 * margin + len(lines) * LEADING * density, theme, labels=labels)


def legend_strip(entries: Sequence[LegendEntry], width: int, density: float, theme: Theme) -> PlacedPane:
    """A legend in rows as a pane `width` pixels wide."""
    margin, symbol = MARGIN * density, 1.4 * SIZE * density
    x, y, labels, centres = margin, 0.5 * margin, [], []
    for entry in entries:
        across, high = measure(entry.name, SIZE * density)
        if x > margin and x + symbol + across > width - margin:
            x, y = margin, y + LEADING * density
        centres.append((x + 0.4 * SIZE * density, y + 0.5 * high))
        labels.append(label_at(entry.name, x + symbol, y, density, theme))
        x += symbol + across + BETWEEN * density
    drawn = list(zip(entries, centres, strict=True))
    marked = [(entry, at) for entry, at in drawn if isinstance(entry.shape, Marker)]
    lined = [(entry, at) for entry, at in drawn if isinstance(entry.shape, Dash)]
    radius, ends = 0.4 * SIZE * density, np.array([at for _, at in lined]).reshape(-1, 2)
    half = np.array((0.55 * SIZE * density, 0.0))
    marks = PlacedMarks(
        centre=np.array([at for _, at in marked]).reshape(-1, 2),
        radius=np.full(len(marked), radius),
        shape=np.array([entry.shape for entry, _ in marked], dtype=np.int64),
        angle=np.zeros(len(marked)),
        fill=np.array([(*entry.rgba[:3], float(entry.shape is not Marker.RING)) for entry, _ in marked]).reshape(-1, 4),
        stroke=np.array([entry.rgba for entry, _ in marked]).reshape(-1, 4),
        stroke_width=np.array([1.5 * density * (entry.shape is Marker.RING) for entry, _ in marked]),
        subjects=(NOTHING,) * len(marked),
    )
    colours = np.array([entry.rgba for entry, _ in lined]).reshape(-1, 4)
    lines = PlacedLines(
        start=ends - half,
        end=ends + half,
        width=np.full(len(lined), 1.5 * density),
        start_rgba=colours,
        end_rgba=colours,
        dash=np.array([entry.shape for entry, _ in lined], dtype=np.int64),
        phase=np.zeros(len(lined)),
        subjects=(NOTHING,) * len(lined),
    )
    return _strip(width, y + LEADING * density, theme, labels=labels, marks=marks, lines=lines)


def label_at(text: str, x: float, y: float, density: float, theme: Theme, lean: float = 0.0) -> PlacedLabel:
    """A line of words with its top left corner at (x, y)."""
    width, height = measure(text, SIZE * density)
    return PlacedLabel(
        text=text,
        x=x,
        y=y,
        width=width,
        height=height,
        size=SIZE * density,
        rgba=theme.text,
        bold=False,
        subject=NOTHING,
        lean=lean,
    )


def _strip(
    width: int,
    height: float,
    theme: Theme,
    labels: Sequence[PlacedLabel] = (),
    marks: PlacedMarks | None = None,
    lines: PlacedLines | None = None,
) -> PlacedPane:
    """A pane with only these parts. The height is even, because a figure is laid out in half pixels (SUPERSAMPLING)."""
    none, two, four = np.zeros(0), np.zeros((0, 2)), np.zeros((0, 4))
    whole = np.zeros(0, dtype=np.int64)
    faces = np.zeros((0, 3, 3))
    return PlacedPane(
        width=width,
        height=2 * ceil(0.5 * height),
        triangles=PlacedTriangles(
            corners=faces, normals=faces, rgba=four, front=whole, sheet=whole, opaque=whole, solid=whole, subjects=()
        ),
        lines=lines
        or PlacedLines(
            start=two, end=two, width=none, start_rgba=four, end_rgba=four, dash=whole, phase=none, subjects=()
        ),
        marks=marks
        or PlacedMarks(
            centre=two, radius=none, shape=whole, angle=none, fill=four, stroke=four, stroke_width=none, subjects=()
        ),
        labels=tuple(labels),
        halo=theme.halo,
        labels_dropped=0,
    )


def backing(width: int, height: int, theme: Theme) -> PlacedPane:
    """An empty pane, for the ground between other panes."""
    return _strip(width, height, theme)


def caption_of(seen: Seen) -> str:
    """The scene's name and verdict in words; at a step its title and what holds so far, and at a stop what it means.

    While the answer is hidden: the name and any open question.
    """
    name = _name_of(seen)
    if seen.reveal.waits:
        question = "" if seen.asked is None else seen.asked.question.text
        return " ".join(part for part in (name, question) if part)
    return " ".join(part for part in (name, step_of(seen), _known_of(seen)) if part)


def caption_of_all(shots: Sequence[Seen]) -> str:
    """The caption of several shots of one scene: its name, and its verdict if one of them knows it."""
    answer = replace(shots[0], query=None)
    return caption_of(answer) if any(map(_knows_verdict, shots)) else _name_of(answer)


def _knows_verdict(seen: Seen) -> bool:
    """Whether the answer is shown, or a step at which its algorithm stops."""
    if seen.query is None or seen.moment is None:
        return True
    return step_text(seen.query, seen.moment, seen.part).stop is not None


def _name_of(seen: Seen) -> str:
    return f"{seen.scene.name.rstrip('.')}." if seen.scene.name else ""


def _known_of(seen: Seen) -> str:
    """The sentences on what holds at the step shown, before what it decides; of the answer the verdict."""
    if seen.query is None or seen.moment is None:
        return f"{verdict_line(seen.analysis)}."
    text = step_text(seen.query, seen.moment, seen.part)
    return text.known if text.stop is None else text.stop.meaning


def step_of(seen: Seen) -> str:
    """The title of the step shown, as on its card, with a full stop; "" for the answer."""
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
    """The text for a screen reader: the caption, the step's decision, and the panes."""
    done = ""
    if seen.query is not None and seen.moment is not None and not seen.reveal.waits:
        done = step_text(seen.query, seen.moment, seen.part).decided
    return " ".join([part for part in (caption_of(seen), done, panes_of(seen)) if part])


def panes_of(seen: Seen) -> str:
    """A sentence on the contents of the panes."""
    return GAUSS_ALONE if GAUSS_LARGE in seen.view.shown else _PANES[seen.view.panes]
