"""A figure's words: legends, captions and texts for screen readers. Legends and captions are panes of their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil, cos, floor, sin
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.geometry.vector import Array
from core.query.query import MOTION_PHASES, Phase
from core.sat.sat import AxisKind
from core.scene import Scene
from core.toi.motion import moves
from core.verdict import Verdict

from ..draw.draw_list import NO_SUBJECT, Dash, Marker, Rgba
from ..draw.layout.lines import FAINT_MARK
from ..draw.placed import HALF_SQUARE, PlacedLabel, PlacedLines, PlacedMarks, PlacedPane, PlacedTriangles
from ..draw.text import measure
from ..draw.theme import SINGLE_COLOURS, Theme, faded
from ..overlays import faces_in_view, separation
from ..overlays.axis_sources import light_colour
from ..overlays.difference import LIT_FACE
from ..overlays.gauss_drawing import arc_rgba
from ..overlays.style import family_style
from ..probes import ScaleProbe
from ..stages import stage_of, step_text
from ..state.export_options import GAUSS_LARGE
from ..state.purposes import SMALLEST_LABEL_SIZE
from ..state.view import HATCH, SINGLE_OVERLAY, Panes, Seen
from ..words.axis_words import verdict_line
from ..words.digits import instant
from ..words.names import sources_in
from ..words.terms import terms_of
from .looks import FACE, PALE, SHEET, LegendSymbol, Look, chosen, colour_key, has, looks_of

FONT_SIZE = 13.0
"""Size of the words under a figure, points of the layout. The export option `font` sets the words' size on paper."""
LEGEND_SCALE = SMALLEST_LABEL_SIZE / FONT_SIZE
"""Size of a legend's letters over that of the words: they are as small as the smallest labels."""
LEADING, SIDE_MARGIN, ENTRY_GAP = 17.0, 8.0, 16.0
"""Points from line to line, at the left and right of a strip of words (half of it above, none below), and between
legend entries."""


class LegendEntry(Struct, frozen=True):
    """A meaning (`name`), with the symbols of all looks that have it in the picture; without one for a label's name."""

    name: str
    symbols: tuple[LegendSymbol, ...]


_SOLID = {
    "body_a": "body A",
    "body_b": "body B",
    "difference": "difference A − B",
    "family_a": "face of A − B, from a face of A",
    "family_b": "face of A − B, from a face of B",
    "family_edges": "face of A − B, from two edges",
}
"""Meanings of the theme's colours on faces."""
_BODIES = ("body_a", "body_b")
"""The colours on faces of bodies, which have no rim in a legend: faces of A − B have that of its edges, where these are
drawn, so that both are told apart in gray too."""
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
_NOUNS = {Panes.WORLD: "axis ", Panes.DIFFERENCE: "edge of A − B, "}
"""The nouns before "from a face of A" of a line, if all of them are in one pane."""
_HATCHED = {
    "family_a": (AxisKind.FACE_A, "lines rise"),
    "family_b": (AxisKind.FACE_B, "lines fall"),
    "family_edges": (AxisKind.EDGES, "lines cross"),
}
"""The families whose faces are hatched, by their colours, and words for their hatches."""
HEAD = 0.55
"""Length of the head of a legend's arrow, as a share of the letters' size."""
HATCH_SPACING = 3.5
"""Points between two lines of a symbol's hatch, closer than on faces."""

_COMMON = {
    "axis:edge_a.bold": "interval of a body",
    "axis:edge_b.bold": "interval of a body",
    "edge_a.dotted": "to the ends of an interval",
    "edge_b.dotted": "to the ends of an interval",
    "edge_a.dashed": "core of a body",
    "edge_b.dashed": "core of a body",
    "edge_a.disc": "vertex",
    "edge_b.disc": "vertex",
    "body:edge_a.disc": "point at the facing end",
    "body:edge_b.disc": "point at the facing end",
    "closest:edge_a.disc": "closest points",
    "closest:edge_b.disc": "closest points",
    "light_a": "where the axis comes from",
    "light_b": "where the axis comes from",
    "pair:difference_edge.disc": "difference of two vertices",
}
"""Meanings of looks in all pictures. A key is a role of the theme, or one of its looks, as in `Stage.colours`."""
_ANSWER = {
    "winner": "the axis that decides",
    "gap": "gap, distance",
    "overlap": "overlap, depth",
    "normal": "sum A + B",
}
_OF_SUM = {"normal.dashed": "outline of A + B", "pair:normal.disc": "sum of two vertices"}
"""Meanings of looks in the answer's pictures of the plane, where A + B is filled."""
_IN_THE_MAP = {
    "edge_a.square": "face of A",
    "edge_b.diamond": "face of B, mirrored",
    "edge_b.square": "face of B, mirrored",
    "arc_a.line": "edge of A",
    "arc_a.bold": "edge of A",
    "arc_b.line": "edge of B, mirrored",
    "arc_b.bold": "edge of B, mirrored",
    "arc_b.dashed": "edge of B, mirrored",
    "family_edges.ring": "crossing: an edge of each",
    "family_edges.hollow": "crossing: an edge of each",
}
"""Meanings of looks in the large Gauss map, whose marks are normals; the answer's colours keep their meanings."""

_GHOSTS = {"resolved": ("B moved out by the depth", Dash.DASHED), "ghost": ("body at the time shown", Dash.SOLID)}
_ALWAYS = ("winner", "gap", "overlap", "normal")
"""Roles whose every look has a row; others have rows for the looks in the table alone."""


def _roles(seen: Seen) -> dict[str, str]:
    """Meanings of the theme's colours and looks: at a step, with a probe, while bodies move, or in the answer."""
    view, moment, meanings = seen.view, seen.moment, dict(_ANSWER)
    if moment is not None:
        phase = moment.phase
        if phase is Phase.SAT:
            best = "the axis that decides" if seen.reveal.at_end else "the best axis so far"
            perpendicular = dict.fromkeys(("winner.dashed", "difference:winner.square"), f"gap or overlap on {best}")
            meanings |= {"winner": best, **perpendicular}
            if seen.analysis.difference is not None and not seen.analysis.difference.radius:
                meanings["difference"] = "face of A − B, not yet tried"
        meanings |= _moving(seen.scene) if phase in MOTION_PHASES else {}
        stage = stage_of(phase)
        return meanings | _of_dimension({**stage.colours, **stage.colours_at(moment.step)}, seen.analysis)
    meanings |= LIT_FACE | (_OF_SUM if seen.analysis.polygon is not None else {})
    if view.probe is not None:
        # Imported with the first probe.
        from ..overlays.probe import probe_colours

        told = probe_colours(seen.scene, view.probe)
        return meanings | {key if ":" in key else f"world:{key}": meaning for key, meaning in told.items()}
    if separation.PLANE.id in view.shown and seen.analysis.verdict is not Verdict.OVERLAPPING:
        meanings |= dict.fromkeys(("none:gap.line", "none:gap.sheet"), "separating plane")
    if seen.sweep is not None and view.shows_motion(seen.scene):
        # Imported with the first motion.
        from core.toi import MotionMethod

        of_a_box = any(trace.method is MotionMethod.SPHERE_BOX for trace in seen.sweep.traces)
        touch = dict.fromkeys(("none:winner.line", "winner.disc"), "first touch")
        meanings |= touch | {"winner.hollow": "first touch, still apart", "winner.diamond": "time of the first touch"}
        meanings |= _moving(seen.scene)
        meanings |= dict(stage_of(Phase.REGIONS).colours) if of_a_box else {}
    boxes = all(body.shape.half_extents is not None for body in (seen.scene.a, seen.scene.b))
    if faces_in_view.OVERLAY.id in view.shown and boxes:
        meanings["overlap"] += ", vertex behind a face"
    return meanings


def _of_dimension(colours: Mapping[str, str], analysis: Analysis) -> dict[str, str]:
    """The meanings with those limited to 2D scenes in place of the general ones, or left out in space."""
    general = {key: meaning for key, meaning in colours.items() if not key.startswith("plane:")}
    flat = {key.removeprefix("plane:"): meaning for key, meaning in colours.items() if key.startswith("plane:")}
    return general if analysis.polygon is None else general | flat


def _moving(scene: Scene) -> dict[str, str]:
    """Meanings of the looks of bodies in motion."""
    edges = [edge for edge, body in (("edge_a", scene.a), ("edge_b", scene.b)) if moves(body)]
    passed = {f"none:{edge}.line": "space passed" for edge in edges}
    ways = {f"none:{edge}.arrow": "displacement" for edge in edges}
    return passed | ways | {"none:origin.disc": "tenths of the motion"}


def legend_of(seen: Seen, panes: Iterable[PlacedPane], density: float = 1.0) -> tuple[LegendEntry, ...]:
    """The entries for the meaningful looks in placed panes; `density`: pixels to the point.

    The order is: bodies, difference and families, things drawn on them, answer, single precision, ghosts, origin, and
    the sources in the name of one point of A − B.
    """
    theme, said, roles = seen.theme, terms_of(seen.scene.dimension).worded, _roles(seen)
    hatched = _HATCHED if HATCH in seen.view.shown else {}
    named = dict(zip(_NAMES[seen.view.panes], panes, strict=False))
    large_map = named.pop("world", None) if GAUSS_LARGE in seen.view.shown else None

    def looks(rgba: Rgba) -> Counter[Look]:
        return looks_of(rgba, named, theme.halo, density)

    rows = list[tuple[str, Counter[Look]]]()
    families = any(_filled(looks(getattr(theme, role))) for role in _HATCHED)
    shared = _shared_words(seen, named.values())
    rim = theme.difference_edge if looks(theme.difference_edge) else None
    for role in _SOLID | _WITHOUT_FACE:
        drawn = looks(getattr(theme, role))
        if role in _SOLID and (filled := _filled(drawn)):
            name = roles.get(role, _SOLID[role] + shared * (role == "family_a"))
            if role in hatched and _has_hatch(drawn):
                kind, words = hatched[role]
                name, filled = f"{name}: {words}", _with(filled, hatch=family_style(kind, theme).hatch)
            elif role not in _BODIES:
                filled = _with(filled, stroke=rim)
            rows.append((name, filled))
        elif (role != "difference" or not families) and (instead := looks(getattr(theme, _WITHOUT_FACE[role][0]))):
            name, ((look, amount), *_) = roles.get(role, _WITHOUT_FACE[role][1]), instead.most_common(1)
            if role not in roles and look.kind == "axis":
                name += shared * (role == "family_a")
                # With both panes rails and edges of A − B have one row.
                name = f"{_NOUNS.get(seen.view.panes, '')}{name}"
            if role in hatched and _has_hatch(instead):
                # In the plane A − B has edges in place of faces, with hatches beside them.
                kind, words = hatched[role]
                symbol = LegendSymbol(
                    Marker.SQUARE, look.symbol.rgba, hollow=True, hatch=family_style(kind, theme).hatch
                )
                name, look = f"{name}: {words}", replace(look, symbol=symbol)
            rows.append((name, Counter({look: amount})))
    for role, rgba in _coloured(theme).items():
        for look, amount in looks(rgba).items():
            meaning = _meaning(role, look, roles)
            if meaning and look.kind not in _GHOSTS:
                rows.append((meaning, Counter({look: amount})))
    if large_map is not None:
        rows += _rows_of_map(large_map, theme, roles, density)
    entries = _joined(rows)
    single = SINGLE_COLOURS[theme.suits]
    if SINGLE_OVERLAY in seen.view.shown and looks(single):
        entries.append(LegendEntry("single precision", (LegendSymbol(Marker.DIAMOND, single),)))
    entries += _ghosts(named.values())
    rings = [look.symbol for look in looks(theme.origin) if look.form == "ring"]
    entries += [LegendEntry("origin", (LegendSymbol(Marker.RING, theme.origin, hollow=True),))] if rings else []
    entries = _each_look_once(entries, ", ")
    texts = (label.whole or label.text for placed in named.values() for label in placed.labels)
    sources = next(filter(None, (sources_in(seen.scene, text) for text in texts)), "")
    entries += [LegendEntry(sources, ())] if sources else []
    return tuple(replace(entry, name=said(entry.name)) for entry in entries)


def _shared_words(seen: Seen, panes: Iterable[PlacedPane]) -> str:
    """Words after "from a face of A" if those faces of A − B are, all or some of them, on a face of B as well.

    Parallel faces of both bodies make one face, which has the colour of A's family.
    """
    rows = {
        subject.number
        for placed in panes
        for rgba, subjects in (
            (placed.triangles.rgba, placed.triangles.subjects),
            (placed.lines.start_rgba, placed.lines.subjects),
        )
        for row in np.flatnonzero(has(seen.theme.family_a, rgba)).tolist()
        if (subject := subjects[row]).kind == "axis"
    }
    solid, polygon = seen.analysis.difference, seen.analysis.polygon
    if polygon is not None:
        of_both = [edge.edge_a is not None and edge.edge_b is not None for edge in polygon.edges if edge.row in rows]
    elif solid is not None:
        faces = zip(solid.core.faces, solid.face_axes.tolist(), strict=True)
        sources = solid.sources_a, solid.sources_b
        of_both = [
            all(len(np.unique(source[list(face)])) > 2 for source in sources) for face, row in faces if row in rows
        ]
    else:
        return ""
    if not any(of_both):
        return ""
    return " and one of B" if all(of_both) else ", some also from one of B"


def _rows_of_map(
    placed: PlacedPane, theme: Theme, roles: Mapping[str, str], density: float
) -> list[tuple[str, Counter[Look]]]:
    """The meanings of the looks in the pane of the large Gauss map, each with the amount of it.

    A pale mark, which the sphere hides, has the meaning of the same mark before it, and the most frequent one tells so.
    """
    arcs = {f"arc_{letter}": arc_rgba(theme, index) for index, letter in enumerate("ab")}
    colours = {"body_a": theme.body_a, "family_edges": theme.family_edges, **arcs, **_coloured(theme)}
    meanings, rows = {"body_a.face": "body A"} | _IN_THE_MAP, list[tuple[str, Counter[Look]]]()
    pale = Counter[Look]()
    for role, rgba in colours.items():
        for look, amount in looks_of(rgba, {"map": placed}, theme.halo, density).items():
            keys = (*look.keys(role), *([role] if role == "winner" else []))
            meaning = next((table[key] for table in (meanings, roles) for key in keys if key in table), "")
            if meaning and look.symbol.rgba[3] == FAINT_MARK:
                pale[look] += amount
                look = replace(look, symbol=replace(look.symbol, rgba=(*look.symbol.rgba[:3], 1.0)))
            if meaning:
                rows.append((meaning, Counter({look: amount})))
    return rows + [("pale: behind", Counter(dict(pale.most_common(1))))] * bool(pale)


_NAMES = {
    Panes.BOTH: ("world", "difference"),
    Panes.WORLD: ("world",),
    Panes.DIFFERENCE: ("difference",),
    Panes.OVERLAID: ("world",),
}
"""The names of a picture's panes, as the keys of looks have them."""


def _coloured(theme: Theme) -> dict[str, Rgba]:
    """The roles whose looks have rows, in the rows' order."""
    on_bodies = {"edge_a": theme.edge_a, "edge_b": theme.edge_b, "difference_edge": theme.difference_edge}
    lights = {"light_a": light_colour(theme, 0), "light_b": light_colour(theme, 1)}
    others = {role: getattr(theme, role) for role in (*_ALWAYS, "text", "origin", "world_x", "world_y", "world_z")}
    return on_bodies | lights | others


def _meaning(role: str, look: Look, roles: Mapping[str, str]) -> str:
    """The meaning of a look of a role, by its first key in the picture's table, else in the common one; or ""."""
    for table in (roles, _COMMON):
        for key in (*look.keys(role), *([f"{look.pane}:{role}", role] if role not in _UNSHOWN else [])):
            if key in table:
                return table[key]
    return ""


_UNSHOWN = frozenset({"edge_a", "edge_b", "difference_edge", "text", "origin", "world_x", "world_y", "world_z"})
"""Roles without a meaning of their own: a look of theirs has a row only if it has a key itself."""


def _filled(looks: Counter[Look]) -> Counter[Look]:
    """The faces and sheets among the looks of a solid, all with a face's symbol: a solid of the plane is a sheet."""
    found = Counter[Look]()
    for look, amount in looks.items():
        if look.form in (FACE, SHEET):
            found[replace(look, symbol=LegendSymbol(Marker.SQUARE, look.symbol.rgba, fill=look.symbol.fill))] = amount
    return found


def _has_hatch(looks: Counter[Look]) -> bool:
    """Whether a hatch is among the looks of a family: its lines are subjects as the faces are, one for each axis."""
    return any(look.symbol.is_line and look.kind == "axis" for look in looks)


def _with(looks: Counter[Look], **changes: Any) -> Counter[Look]:
    """The looks with changed fields of their symbols, as a hatch or a rim."""
    return Counter({replace(look, symbol=replace(look.symbol, **changes)): count for look, count in looks.items()})


def _joined(rows: Iterable[tuple[str, Counter[Look]]]) -> list[LegendEntry]:
    """An entry for each meaning, with the symbols of all its looks, colour by colour."""
    found: dict[str, dict[Rgba, Counter[Look]]] = {}
    for name, looks in rows:
        for look, amount in looks.items():
            found.setdefault(name, {}).setdefault(colour_key(look.symbol.rgba), Counter())[look] += amount
    entries = {name: [each for looks in colours.values() for each in chosen(looks)] for name, colours in found.items()}
    for name, symbols in reversed(entries.items()):
        # A symbol with two meanings is kept at the meaning that has no other symbol, else at the first.
        others = {each.plain for other, drawn in entries.items() if other != name for each in drawn}
        entries[name] = [each for each in symbols if each.plain not in others] or symbols
    return [LegendEntry(name, tuple(symbols)) for name, symbols in entries.items()]


def _ghosts(panes: Iterable[PlacedPane]) -> list[LegendEntry]:
    """The entries of bodies that are drawn at other poses than their own."""
    found: dict[str, dict[Rgba, None]] = {}
    for placed in panes:
        for subject, (r, g, b, _) in zip(placed.lines.subjects, placed.lines.start_rgba.tolist(), strict=True):
            if subject.kind in _GHOSTS:
                found.setdefault(subject.kind, {})[r, g, b, 1.0] = None
    return [
        LegendEntry(_GHOSTS[kind][0], tuple([LegendSymbol(_GHOSTS[kind][1], rgba, is_line=True) for rgba in colours]))
        for kind, colours in found.items()
    ]


def joined_legends(legends: Iterable[Sequence[LegendEntry]]) -> tuple[LegendEntry, ...]:
    """The entries of several pictures: each symbol once, with its meanings joined by slashes.

    What a later picture adds stands behind what it follows there, and what has one colour stands together. Last is the
    first entry without a symbol, if there is one.
    """
    legends, rows, known = list(legends), list[LegendEntry](), list[LegendEntry]()
    plain = [entry for legend in legends for entry in legend if not entry.symbols][:1]
    for legend in legends:
        place = 0
        for name, symbol in ((entry.name, symbol) for entry in legend for symbol in entry.symbols):
            row = LegendEntry(name, (symbol.plain,))
            if row not in known:
                known.insert(place, row)
                rows.insert(place, LegendEntry(name, (symbol,)))
            place = known.index(row) + 1
    colours = [colour_key(row.symbols[0].rgba) for row in rows]
    joined = _each_look_once(rows, " / ")
    return (*sorted(joined, key=lambda entry: colours.index(colour_key(entry.symbols[0].rgba))), *plain)


def _each_look_once(entries: Iterable[LegendEntry], between: str) -> list[LegendEntry]:
    """The entries with each symbol once, with each of its meanings once, joined by `between`.

    A meaning that is part of another one of the symbol, as "space passed" of "space passed, body at the time shown", is
    left out.
    """
    meanings: dict[LegendSymbol, dict[str, None]] = {}
    first: dict[LegendSymbol, LegendSymbol] = {}
    for entry in entries:
        for symbol in entry.symbols:
            first.setdefault(symbol.plain, symbol)
            meanings.setdefault(symbol.plain, {}).update(dict.fromkeys(entry.name.split(between)))
    rows: dict[str, list[LegendSymbol]] = {}
    for symbol, names in meanings.items():
        parts = {name: {*name.split(", ")} for name in names}
        whole = [name for name in names if not any(parts[name] < other for other in parts.values())]
        rows.setdefault(between.join(whole), []).append(first[symbol])
    return [LegendEntry(name, tuple(symbols)) for name, symbols in rows.items()]


def wrapped(text: str, width: float, density: float) -> list[str]:
    """Breaks a text into lines no wider than `width` pixels at `density`; a wider word has its own line.

    A space beside one of × − = ≤ ≥ is never a break. An empty text is one empty line.
    """
    lines: list[str] = []
    for word in re.split(r"(?<![×−=≤≥]) (?![×−=≤≥])", " ".join(text.split())):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, FONT_SIZE * density)[0] <= width:
            lines[-1] = longer
        elif lines:
            lines.append(word)
        else:
            lines = [word]
    return lines


def words_strip(text: str, width: int, density: float, theme: Theme, *, middle: bool = False) -> PlacedPane:
    """A wrapped text as a pane `width` pixels wide, centred if `middle`, else at the left; its own line breaks stay.

    `density`: pixels to the point. An empty line takes its height.
    """
    margin = SIDE_MARGIN * density
    lines = [line for part in text.split("\n") for line in wrapped(part, width - 2.0 * margin, density)]
    labels = []
    for number, line in enumerate(lines):
        if not line:
            continue
        across = measure(line, FONT_SIZE * density)[0]
        x = 0.5 * (width - across) if middle else margin
        labels.append(label_at(line, x, 0.5 * margin + number * LEADING * density, density, theme, 0.5 * middle))
    return _strip(width, 0.5 * margin + len(lines) * LEADING * density, theme, labels=labels)


def legend_strip(
    entries: Sequence[LegendEntry], width: int, density: float, theme: Theme, *, column: bool = False
) -> PlacedPane:
    """A legend in rows as a pane `width` pixels wide; in a `column` each entry begins a row, and all words one indent.

    `density`: pixels to the point of the words beside it, whose letters are larger.
    """
    density *= LEGEND_SCALE
    margin, y = SIDE_MARGIN * density, 0.5 * SIDE_MARGIN * density
    labels, drawn = list[PlacedLabel](), list[tuple[LegendSymbol, tuple[float, float], float]]()
    found = [_swatches(entry.symbols) for entry in entries]
    indent = max((share for _, share in found), default=0.0)
    # In a column the swatches stand in the middle of the room before the words.
    before = [0.5 * (indent - share) if column else 0.0 for _, share in found]
    symbols = [(share + 2.0 * space) * FONT_SIZE * density for (_, share), space in zip(found, before, strict=True)]
    words = [
        wrapped(entry.name, width - 2.0 * margin - symbol, density) or [""]
        for entry, symbol in zip(entries, symbols, strict=True)
    ]
    across = [
        symbol + max(measure(line, FONT_SIZE * density)[0] for line in lines) + ENTRY_GAP * density
        for symbol, lines in zip(symbols, words, strict=True)
    ]
    for row in _rows(across, 0.0 if column else width - 2.0 * margin + ENTRY_GAP * density):
        x = margin
        for k in row:
            high = measure(words[k][0], FONT_SIZE * density)[1]
            drawn += [
                (each, (x + (before[k] + at) * FONT_SIZE * density, y + 0.5 * high), half)
                for each, at, half in found[k][0]
            ]
            labels += [
                label_at(line, x + symbols[k], y + number * LEADING * density, density, theme)
                for number, line in enumerate(words[k])
            ]
            x += across[k]
        y += LEADING * density * max(len(words[k]) for k in row)
    marked = [(symbol, np.array(at), half * FONT_SIZE * density) for symbol, at, half in drawn if not symbol.is_line]
    lined = list[tuple[LegendSymbol, Array]]()
    for each, at, half in drawn:
        if each.is_line:
            tip, head = half * FONT_SIZE * density, HEAD * FONT_SIZE * density * each.head
            lined.append((each, np.array(at) + np.array(((-tip, 0.0), (tip - head, 0.0)))))
            if each.head:
                arrow = LegendSymbol(Marker.TRIANGLE, each.rgba)
                marked.append((arrow, np.array((at[0] + tip - 2.0 / 3.0 * head, at[1])), 2.0 / 3.0 * head))
    for mark, middle, radius in marked:
        hatch = hatch_in_square(mark.hatch, HALF_SQUARE * radius, HATCH_SPACING * density)
        lined += [(LegendSymbol(Dash.SOLID, mark.rgba, is_line=True), middle + ends) for ends in hatch]
    marks = PlacedMarks(
        centre=np.array([middle for _, middle, _ in marked]).reshape(-1, 2),
        radius=np.array([radius for _, _, radius in marked]),
        shape=np.array([symbol.shape for symbol, _, _ in marked], dtype=np.int64),
        angle=np.zeros(len(marked)),
        fill=np.array([_fill(symbol) for symbol, _, _ in marked]).reshape(-1, 4),
        stroke=np.array([symbol.stroke or symbol.rgba for symbol, _, _ in marked]).reshape(-1, 4),
        stroke_width=np.array([1.7 * density * _edged(symbol) for symbol, _, _ in marked]),
        subjects=(NO_SUBJECT,) * len(marked),
    )
    ends = np.array([ends for _, ends in lined]).reshape(-1, 2, 2)
    colours = np.array([symbol.rgba for symbol, _ in lined]).reshape(-1, 4)
    lines_drawn = PlacedLines(
        start=ends[:, 0],
        end=ends[:, 1],
        width=np.array([(3.2 if symbol.bold else 1.5) * density for symbol, _ in lined]),
        start_rgba=colours,
        end_rgba=colours,
        dash=np.array([symbol.shape for symbol, _ in lined], dtype=np.int64),
        phase=np.zeros(len(lined)),
        subjects=(NO_SUBJECT,) * len(lined),
    )
    return _strip(width, y, theme, labels=labels, marks=marks, lines=lines_drawn)


def _rows(widths: Sequence[float], room: float) -> Iterator[list[int]]:
    """Yields the numbers of the entries of each row: the next one, and each later one that has room beside it."""
    left = list(range(len(widths)))
    while left:
        row = [left.pop(0)]
        free = room - widths[row[0]]
        for k in left.copy():
            if widths[k] <= free:
                row.append(k)
                left.remove(k)
                free -= widths[k]
        yield row


def _swatches(symbols: Sequence[LegendSymbol]) -> tuple[list[tuple[LegendSymbol, float, float]], float]:
    """Each symbol with its middle and half its size, and the width of all with space after them, in font sizes.

    A mark and a broken line of one colour are one swatch: a longer line with a smaller mark in its middle.
    """
    found, x = list[tuple[LegendSymbol, float, float]](), 0.0
    for _, group in groupby(symbols, key=lambda symbol: colour_key(symbol.rgba)):
        parts = list(group)
        if [part.is_line for part in parts] == [False, True] and parts[1].shape is not Dash.SOLID:
            mark, line = parts
            found += [(line, x + 0.8, 0.95), (mark, x + 0.8, 0.28)]
            x += 2.2
            continue
        for part in parts:
            # A broken line that is an arrow needs room for its pattern before the head.
            half = 0.4 + (0.15 + 0.4 * (part.head and part.shape is not Dash.SOLID)) * part.is_line
            x += max(half - 0.55, 0.0)
            found.append((part, x + 0.4, half))
            x += 1.4 + max(half - 0.55, 0.0)
    return found, x


def hatch_in_square(angles: Sequence[float], half: float, spacing: float) -> list[Array]:
    """Lines (2, 2), start and end, y down, of a hatch in a square round the origin.

    `angles`: counter-clockwise, degrees, no multiples of 90. `half`: half of the square's side. `spacing`: between two
    lines, of which one goes through the middle.
    """
    lines = list[Array]()
    for angle in np.radians(angles).tolist():
        along, across = np.array((cos(angle), -sin(angle))), np.array((sin(angle), cos(angle)))
        most = floor(half * float(np.abs(across).sum()) / spacing)
        for foot in (number * spacing * across for number in range(-most, most + 1)):
            # The line enters and leaves both strips of the square, the upright and the level one, at these lengths.
            ends = np.sort((np.array(((-half,), (half,))) - foot) / along, axis=0)
            low, high = ends[0].max(), ends[1].min()
            lines.append(np.array((foot + low * along, foot + high * along)))
    return lines


def _fill(symbol: LegendSymbol) -> Rgba:
    if symbol.hollow:
        return faded(symbol.rgba, 0.0)
    if symbol.hatch:
        return faded(symbol.rgba, PALE)
    return symbol.fill or symbol.rgba


def _edged(symbol: LegendSymbol) -> bool:
    return symbol.hollow or symbol.stroke is not None or symbol.shape is Marker.CROSS or bool(symbol.hatch)


def label_at(text: str, x: float, y: float, density: float, theme: Theme, lean: float = 0.0) -> PlacedLabel:
    """A line of words with its top left corner at (x, y), pixels; `density`: pixels to the point.

    `lean`: as in PlacedLabel.
    """
    width, height = measure(text, FONT_SIZE * density)
    return PlacedLabel(
        text=text,
        x=x,
        y=y,
        width=width,
        height=height,
        size=FONT_SIZE * density,
        rgba=theme.text,
        bold=False,
        subject=NO_SUBJECT,
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
    """A pane with only these parts. The height is even, because a figure is laid out in half pixels (SUPERSAMPLING).

    Without `marks` or `lines` it has none.
    """
    none, two, four = np.zeros(0), np.zeros((0, 2)), np.zeros((0, 4))
    whole = np.zeros(0, dtype=np.int64)
    faces = np.zeros((0, 3, 3))
    return PlacedPane(
        width=width,
        height=2 * ceil(0.5 * height),
        triangles=PlacedTriangles(
            corners=faces,
            normals=faces,
            rgba=four,
            front=whole,
            sheet=whole,
            opaque=whole,
            solid_number=whole,
            subjects=(),
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
        # A strip has nothing beneath its words, and a page's ground may have another colour than the halo.
        halo=(*theme.halo[:3], 0.0),
        labels_dropped=0,
    )


def backing(width: int, height: int, theme: Theme) -> PlacedPane:
    """An empty pane, for the ground between other panes. `width`, `height`: in pixels."""
    return _strip(width, height, theme)


def summary_of(seen: Seen) -> str:
    """The scene's name and verdict in words. At a step: its title, and the state before it or the meaning of its stop.

    While the answer is hidden: the name and the open question, if any.
    """
    name = name_of(seen)
    if seen.reveal.waits:
        question = "" if seen.asked is None else seen.asked.question.text
        return " ".join(part for part in (name, question) if part)
    return " ".join(part for part in (name, step_of(seen), _known_of(seen)) if part)


def caption_of_all(shots: Sequence[Seen]) -> str:
    """The caption of several shots of one scene, at least one: its name, and its verdict if one of them shows it."""
    without_step = replace(shots[0], query=None)
    return summary_of(without_step) if any(map(_knows_verdict, shots)) else name_of(without_step)


def _knows_verdict(seen: Seen) -> bool:
    """Whether a shot shows the answer, or a step at which its algorithm stops."""
    if seen.query is None or seen.moment is None:
        return True
    return step_text(seen.query, seen.moment, seen.part).stop is not None


def name_of(seen: Seen) -> str:
    """The scene's name with a full stop; "" without one."""
    return f"{seen.scene.name.rstrip('.')}." if seen.scene.name else ""


def answer_words(seen: Seen) -> str:
    """The probe's result, or else the verdict, without a full stop.

    The verdict follows the probe's words where the picture shows it too: beside the world, and of scaled space.
    """
    probe, told = seen.view.probe, ""
    if probe is not None and seen.view.panes is not Panes.DIFFERENCE and GAUSS_LARGE not in seen.view.shown:
        # Imported with the first probe.
        from ..probes.result_words import result_words

        told = result_words(seen.scene, probe)
    if told and seen.view.panes is Panes.WORLD and not isinstance(probe, ScaleProbe):
        return told.removesuffix(".")
    return f"{told} {_verdict_words(seen)}".lstrip()


def _verdict_words(seen: Seen) -> str:
    """The verdict; of bodies in motion, which are apart at the start, also whether they meet."""
    line, sweep = verdict_line(seen.analysis), seen.sweep
    if sweep is None or not seen.view.shows_motion(seen.scene) or seen.analysis.verdict is not Verdict.SEPARATED:
        return line
    # Imported with the first motion.
    from core.toi.motion import MotionOutcome

    met = {
        MotionOutcome.HIT: f"Impact at t = {instant(sweep.result.time or 0.0)}",
        MotionOutcome.SEPARATED: "No impact until t = 1",
        MotionOutcome.ITERATION_LIMIT: f"No impact until t = {instant(sweep.result.free)}",
    }
    if sweep.outcome not in met:
        return line
    return f"At t = 0: {line.partition(': ')[2]}. {met[sweep.outcome]}"


def _known_of(seen: Seen) -> str:
    """The sentences on the state before the step shown, or the meaning of its stop; for the answer the verdict."""
    if seen.query is None or seen.moment is None:
        return f"{answer_words(seen)}."
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
    """The text for a screen reader: the summary, the step's decision, and the panes."""
    done = ""
    if seen.query is not None and seen.moment is not None and not seen.reveal.waits:
        done = step_text(seen.query, seen.moment, seen.part).decided
    return " ".join([part for part in (summary_of(seen), done, panes_of(seen)) if part])


def panes_of(seen: Seen) -> str:
    """A sentence on the contents of the panes."""
    return GAUSS_ALONE if GAUSS_LARGE in seen.view.shown else _PANES[seen.view.panes]
