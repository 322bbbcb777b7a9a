"""The charts of a sweep along its path: every method's separation; iterations and contacts; the marks as lines.

Marks at one place form one event, which is one line of the list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import nan, pi

import numpy as np
from imgui_bundle import ImVec2, imgui, implot
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array
from core.query.query import Phase
from core.study.lab.through_zero import METHODS, BodyPath, Mark, MarkKind, Sample, Sweep

from ..draw.draw_list import Rgba
from ..draw.theme import CONTACT_COLOURS, Theme, faded, mixed
from ..stages import spec_of
from ..state.engines import PathAnswers
from ..state.panel_state import PanelState
from ..words.digits import column_number, sentence_text
from ..words.names import named_axis
from .chart import Axis, Curve, Part, Pointed, Upright, aligned_charts, draw_chart, draw_chart_key, draw_switches
from .text import em, tell_beside
from .widgets import u32


class Event(Struct, frozen=True, eq=False):
    """The marks at one place, with one text `words` for all. `place`: just past the last, scene units or radians."""

    place: float
    marks: tuple[Mark, ...]
    words: str


def events_of(found: Sweep) -> tuple[Event, ...]:
    """Groups the marks: a mark within a billionth of the path's length of the one before joins its event."""
    near = 1e-9 * (found.samples[-1].place - found.samples[0].place)
    groups: list[list[Mark]] = []
    for mark in found.marks:
        if groups and mark.after - groups[-1][-1].after <= near:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    return tuple(Event(group[-1].after, tuple(group), _told(group)) for group in groups)


def _told(marks: list[Mark]) -> str:
    """The words of marks: `verdict SEPARATED → TOUCHING → OVERLAPPING; contacts 0 → 4; axis A.x, then B.y`."""
    chains: dict[str, list[str]] = {}
    for mark in marks:
        steps = sentence_text(mark.words).split(" → ")
        chain = chains.setdefault(f"{mark.kind} {mark.method}".strip() if mark.method else str(mark.kind), [])
        chain += steps[1:] if chain and chain[-1] == steps[0] else steps
    return "; ".join(_chain_words(kind, chain) for kind, chain in chains.items())


def _chain_words(kind: str, chain: list[str]) -> str:
    """Joins a chain with arrows; axes, whose names may contain an arrow, with the word "then"."""
    if kind == MarkKind.WINNER:
        return f"axis {', then '.join(map(named_axis, chain))}"
    return f"{kind.partition(' jumps ')[0]} {' → '.join(chain)}"


UPPER_SHARE = 0.34
"""The upper chart's share of the height left; the lower chart is `LOWER` times as high."""
LOWER = 0.65
LOWEST_EMS = 7.4
"""Least height of either chart, ems."""
WIDTHS = {"answer": 0.5, "SAT": 0.32, "planes test": 0.26, "GJK and EPA": 0.2, "closed form": 0.1, "explicit hull": 0.1}
"""Widths of the methods' lines, ems."""
STRIP_SHARE = 0.22
"""Share of the upper chart's height left free under the curves, for the strip of winning axes."""
WHOLE_TICKS = 5
"""If the largest count is at most this, each whole number has a tick."""
NEAR_EMS = 0.6
"""The pointer is on a mark if it is at most this far from it, ems."""


def draw_charts(
    ui: PanelState,
    path: BodyPath,
    samples: Sequence[Sample],
    events: Sequence[Event],
    here: float | None,
    hidden: set[str],
    answers: PathAnswers | None = None,
) -> float | None:
    """Draws both charts; returns the place that a click requests, None without one.

    A click on a mark requests the mark's place, a double click elsewhere the pointer's. Places are in scene units or
    radians, as the path's. `samples`: two or more. `answers`: the engines', None if none were asked for. `here`:
    the scene's place, None if it is off the path.
    `hidden`: names of the lines that are not drawn; a click on a name hides or shows its line.
    """
    theme, scale = ui.theme, 180.0 / pi if path.turning else 1.0
    at = np.array([sample.place for sample in samples]) * scale
    height = max(UPPER_SHARE * imgui.get_content_region_avail().y / em(), LOWEST_EMS)
    separations = _separations(theme, at, samples)
    draw_switches("Separation, units", separations, hidden, theme)
    engines = [] if answers is None else engine_curves(at, answers, theme)
    if engines:
        draw_switches("Engines", engines, hidden, theme)
    engines = visible_curves(engines, hidden)
    with aligned_charts("##aligned"):
        zero = Curve("##zero", np.array([at[0], at[-1]]), np.zeros(2), faded(theme.text, 0.45), 0.07)
        axes = _axes(at, "", [*separations, *engines], STRIP_SHARE)
        marks = _marks(theme, events, here, scale)
        parts: list[Part] = [zero, *visible_curves(separations, hidden), *engines, *marks]
        strip = partial(_draw_winners, theme, winners(samples, events), scale)
        pointed = draw_chart("##separation", axes, parts, theme, height, over=strip)
        chosen = None if pointed is None else _clicked(pointed, samples, events, scale, engines)
        counts = _counts(theme, at, samples)
        if counts:
            draw_switches("Count", counts, hidden, theme)
            axes = _axes(at, "B turned, degrees" if path.turning else "B moved, units", counts)
            parts = [*visible_curves(counts, hidden), *marks]
            pointed = draw_chart("##counts", axes, parts, theme, max(LOWER * height, LOWEST_EMS))
            if pointed is not None:
                chosen = _clicked(pointed, samples, events, scale, [])
    imgui.text_disabled("Vertical lines:")
    imgui.same_line()
    words = [
        ("changes", theme.winner),
        ("jumps", theme.overlap),
        *([("B now", theme.text)] if here is not None else []),
    ]
    draw_chart_key(words, "|")
    return chosen


ENGINE_WIDTH = 0.12
"""Width of an engine's line, ems; the line is drawn above those of the methods."""


def visible_curves(curves: Sequence[Curve], hidden: set[str]) -> list[Curve]:
    """The curves whose names are not `hidden`."""
    return [curve for curve in curves if curve.name not in hidden]


def _axes(at: Array, along: str, curves: Sequence[Curve], below: float = 0.0) -> tuple[Axis, Axis]:
    """The axes of a chart: the places `at` (n,), titled `along`, and the curves' values."""
    upright = Axis.round("", *(curve.y for curve in curves), air=0.06, below=below)
    counts = all(curve.how == "stairs" for curve in curves)
    most = int(max((np.nanmax(curve.y) for curve in curves), default=0.0)) if counts else 0
    if 0 < most <= WHOLE_TICKS:
        # Otherwise the axis would have ticks at halves.
        upright = replace(upright, ticks={float(k): str(k) for k in range(most + 1)})
    return Axis(along, float(at[0]), float(at[-1])), upright


def colours(theme: Theme) -> dict[str, Rgba]:
    """A colour for each method's line: pale text for the answer, a phase's colour for each other method."""
    return {
        "answer": faded(theme.text, 0.25),
        "SAT": spec_of(Phase.SAT).colour(theme),
        "planes test": spec_of(Phase.PLANES).colour(theme),
        "GJK and EPA": spec_of(Phase.GJK).colour(theme),
        "closed form": spec_of(Phase.CONTACTS).colour(theme),
        "explicit hull": spec_of(Phase.BUILD).colour(theme),
    }


def _separations(theme: Theme, at: Array, samples: Sequence[Sample]) -> list[Curve]:
    """The methods' curves: the answer first, broad and pale, each next one narrower, so that all stay visible.

    `at` (n,): the samples' places. A method without a number at any place has no curve.
    """
    inks, values = colours(theme), np.array([sample.separations for sample in samples]).T.copy()
    return [
        Curve(method, at, row, inks[method], WIDTHS[method])
        for method, row in zip(METHODS, values, strict=True)
        if not np.isnan(row).all()
    ]


def engine_curves(at: Array, answers: PathAnswers, theme: Theme) -> list[Curve]:
    """A curve for each engine that gave a number, in the order asked; NaN where it gave none.

    `at`: the places of the scenes, in the chart's unit. Colours that must repeat are mixed with the text's.
    """
    count, curves = len(answers.scenes), []
    for place, curve in enumerate(answers.curves):
        numbers = np.array([*curve.values, *[nan] * (count - len(curve.values))])
        again, which = divmod(place, len(CONTACT_COLOURS))
        rgba = mixed(CONTACT_COLOURS[which], theme.text, 0.5 if again else 0.0)
        if not np.isnan(numbers).all():
            curves.append(Curve(curve.title, at, numbers, rgba, ENGINE_WIDTH))
    return curves


def _counts(theme: Theme, at: Array, samples: Sequence[Sample]) -> list[Curve]:
    columns = {
        "GJK iterations": ([sample.gjk for sample in samples], Phase.GJK),
        "EPA iterations": ([sample.epa for sample in samples], Phase.EPA),
        "contacts": ([sample.contacts for sample in samples], Phase.CONTACTS),
    }
    return [
        Curve(name, at, np.array(values, dtype=np.float64), spec_of(phase).colour(theme), 0.11, how="stairs")
        for name, (values, phase) in columns.items()
        if any(value is not None for value in values)
    ]


def _marks(theme: Theme, events: Sequence[Event], here: float | None, scale: float) -> list[Upright]:
    marks = []
    for event in events:
        kinds = {mark.kind for mark in event.marks}
        ink = theme.overlap if kinds & {MarkKind.NORMAL, MarkKind.SEPARATION} else theme.winner
        strength = 0.9 if kinds - {MarkKind.CONTACTS} else 0.45
        marks.append(Upright("##marks", event.place * scale, faded(ink, strength), 0.07))
    return marks if here is None else [*marks, Upright("##here", here * scale, theme.text, 0.14)]


def winners(samples: Sequence[Sample], events: Sequence[Event]) -> list[tuple[float, float, str]]:
    """Start, end and label of each stretch with one winning axis, scene units or radians.

    A stretch ends at its mark, or half-way between two samples if the mark is not known. `events`: the plot's.
    `samples`: at least one, in the order of their places.
    """
    flips = [mark.after for event in events for mark in event.marks if mark.kind is MarkKind.WINNER]
    runs: list[tuple[float, float, str]] = []
    start = samples[0].place
    for one, other in pairwise(samples):
        if one.winner != other.winner:
            between = [flip for flip in flips if one.place <= flip <= other.place]
            end = between[0] if between else 0.5 * (one.place + other.place)
            runs.append((start, end, named_axis(one.winner)))
            start = between[-1] if between else end
    return [*runs, (start, samples[-1].place, named_axis(samples[-1].winner))]


def _draw_winners(theme: Theme, runs: Sequence[tuple[float, float, str]], scale: float) -> None:
    """Draws a strip along the chart's foot: a box for each winning axis, with its label if it fits."""
    draw, height = implot.get_plot_draw_list(), 1.25 * em()
    corner, size, limits = implot.get_plot_pos(), implot.get_plot_size(), implot.get_plot_limits()
    foot = corner.y + size.y
    stretch = size.x / (limits.x.max - limits.x.min)
    implot.push_plot_clip_rect()
    for place, (start, end, label) in enumerate(runs):
        left, right = (corner.x + (x * scale - limits.x.min) * stretch for x in (start, end))
        shade = faded(theme.winner, (0.16, 0.30)[place % 2])
        draw.add_rect_filled(ImVec2(left, foot - height), ImVec2(right, foot), u32(shade))
        width = imgui.calc_text_size(label).x
        if width + 0.4 * em() <= right - left:
            at = ImVec2(round(0.5 * (left + right - width)), round(foot - height + 0.12 * em()))
            draw.add_text(at, u32(theme.text), label)
    implot.pop_plot_clip_rect()


def _clicked(
    pointed: Pointed, samples: Sequence[Sample], events: Sequence[Event], scale: float, engines: Sequence[Curve]
) -> float | None:
    """Draws a tooltip on the mark at the pointer, else on the nearest sample; returns the place that a click requests.

    A click requests the mark's place; without a mark, a double click the pointer's. None without such a click. `scale`:
    chart units to a unit of the places.
    """
    at, near = pointed.x / scale, NEAR_EMS * pointed.em / scale
    under = min(events, key=lambda event: abs(event.place - at), default=None)
    if under is not None and abs(under.place - at) <= near:
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        tell_beside(f"{under.words}\nClick to put B there, just past it")
        return under.place if imgui.is_mouse_clicked(imgui.MouseButton_.left) else None
    nearest = min(range(len(samples)), key=lambda index: abs(samples[index].place - at))
    said = {curve.name: float(curve.y[nearest]) for curve in engines}
    tell_beside(reading(samples[nearest], scale, said))
    return at if imgui.is_mouse_double_clicked(imgui.MouseButton_.left) else None


def reading(sample: Sample, scale: float, engines: Mapping[str, float] | None = None) -> str:
    """A sample in lines: place and verdict, every number, the engines' numbers there, and a hint to double-click.

    `scale`: 1 for places in scene units, 180/π for radians. `engines`: numbers by title; NaN has no line.
    """
    unit = "°" if scale != 1.0 else " units"
    lines = [f"at {column_number(sample.place * scale)}{unit}: {sample.verdict}, {named_axis(sample.winner)} decides"]
    separations = zip(METHODS, sample.separations, strict=True)
    lines += [f"{method} {column_number(value)}" for method, value in separations if value == value]
    counts = {"GJK iterations": sample.gjk, "EPA iterations": sample.epa, "contacts": sample.contacts}
    lines += [f"{name} {count}" for name, count in counts.items() if count is not None]
    lines += [f"{name} {column_number(value)}" for name, value in (engines or {}).items() if value == value]
    return "\n".join((*lines, "Double-click to put B there"))
