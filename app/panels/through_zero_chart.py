"""The charts of a sweep: every method's separation, and iterations with contacts, over one way; and its marks.

Marks at one place stand together as one line of the list, with what they say as one chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import nan, pi

import numpy as np
from imgui_bundle import ImVec2, imgui, implot
from msgspec import Struct

from core.geometry.vector import Array
from core.lab.through_zero import METHODS, Mark, MarkKind, Path, Sample, Sweep
from core.query.query import Phase

from ..draw.draw_list import Rgba
from ..draw.theme import CONTACT_COLOURS, Theme, faded, mixed
from ..stages import spec_of
from ..state.engines import Along
from ..state.panel_state import PanelState
from ..words.digits import number, told
from ..words.names import shown_name
from .text import em, explain, flow, hand, tell_beside, write
from .widgets import FIXED_AXIS, line_spec, pop_plot_style, push_plot_style, u32


class Event(Struct, frozen=True, eq=False):
    """The marks at one place, as one line: `at` in scene units or radians."""

    at: float
    marks: tuple[Mark, ...]
    words: str


def events_of(found: Sweep) -> tuple[Event, ...]:
    """Marks that lie within a billionth of the way of each other happen together."""
    near = 1e-9 * (found.samples[-1].at - found.samples[0].at)
    groups: list[list[Mark]] = []
    for mark in found.marks:
        if groups and mark.after - groups[-1][-1].after <= near:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    return tuple(Event(group[-1].after, tuple(group), _told(group)) for group in groups)


def _told(marks: list[Mark]) -> str:
    """`verdict SEPARATED → TOUCHING → OVERLAPPING; contacts 0 → 4; axis A.x, then B.y`."""
    chains: dict[str, list[str]] = {}
    for mark in marks:
        steps = told(mark.words).split(" → ")
        chain = chains.setdefault(f"{mark.kind} {mark.method}".strip() if mark.method else str(mark.kind), [])
        chain += steps[1:] if chain and chain[-1] == steps[0] else steps
    return "; ".join(_chain_words(kind, chain) for kind, chain in chains.items())


def _chain_words(kind: str, chain: list[str]) -> str:
    """One after the other: axes, whose names may have an arrow, with words between them."""
    if kind == MarkKind.WINNER:
        return f"axis {', then '.join(map(shown_name, chain))}"
    return f"{kind.partition(' jumps ')[0]} {' → '.join(chain)}"


SHARE = 0.34
"""Of the height that is left the chart of separations takes this much, the lower one LOWER of that."""
LOWER = 0.65
LOWEST_EMS = 7.4
"""Neither is lower than this."""
WIDTHS = {"answer": 0.5, "SAT": 0.32, "planes test": 0.26, "GJK and EPA": 0.2, "closed form": 0.1, "explicit hull": 0.1}
"""Of the methods' lines, ems."""
STRIP_SHARE = 0.22
"""Of the upper chart's height: free under the curves for the strip of winning axes."""
WHOLE_TICKS = 5
"""Counts up to this one have a tick each."""
NEAR_EMS = 0.6
"""A click this close to a mark means the mark."""


def draw_charts(
    ui: PanelState,
    path: Path,
    samples: Sequence[Sample],
    events: Sequence[Event],
    here: float | None,
    hidden: set[str],
    along: Along | None = None,
) -> float | None:
    """Both charts of two samples or more, with what engines say `along`; the place that a click asks for.

    A click on a mark asks for it, a double click elsewhere for that place. `here`: where the scene is on the way.
    `hidden`: names of the lines that are not drawn; a click on a name hides or shows its line.
    """
    scale = 180.0 / pi if path.turning else 1.0
    at = np.array([sample.at for sample in samples]) * scale
    height = max(SHARE * imgui.get_content_region_avail().y, LOWEST_EMS * em())
    push_plot_style(ui.theme)
    chosen = None
    inks, values = colours(ui.theme), np.array([sample.separations for sample in samples]).T.copy()
    separations = {m: (row, inks[m]) for m, row in zip(METHODS, values, strict=True) if not np.isnan(row).all()}
    counts = _counts(ui.theme, samples)
    _draw_legend(ui.theme, "Separation, units", separations, hidden)
    engines = {} if along is None else engine_curves(along, ui.theme)
    if engines:
        _draw_legend(ui.theme, "Engines", engines, hidden)
    engines = shown(engines, hidden)
    aligned = implot.begin_aligned_plots("##aligned")
    if implot.begin_plot("##separation", ImVec2(-1.0, height), implot.Flags_.canvas_only):
        _set_up(at, separations | engines, "", STRIP_SHARE)
        _plot_separations(ui.theme, at, shown(separations, hidden))
        for name, (numbers, ink) in engines.items():
            implot.plot_line(name, at, numbers, line_spec(ink, max(1.0, ENGINE_WIDTH * em())))
        _draw_marks(ui.theme, events, here, scale)
        _draw_winners(ui.theme, winners(samples, events), scale)
        chosen = _clicked(samples, events, scale, engines)
        implot.end_plot()
    lower = max(LOWER * height, LOWEST_EMS * em())
    if counts:
        _draw_legend(ui.theme, "Count", counts, hidden)
    if counts and implot.begin_plot("##counts", ImVec2(-1.0, lower), implot.Flags_.canvas_only):
        _set_up(at, counts, "B turned, degrees" if path.turning else "B moved, units")
        most = int(max(np.nanmax(numbers) for numbers, _ in counts.values()))
        if most <= WHOLE_TICKS:
            # By itself the axis would count in halves.
            implot.setup_axis_ticks(implot.ImAxis_.y1, 0.0, float(most), most + 1)
        for name, (numbers, ink) in shown(counts, hidden).items():
            implot.plot_stairs(name, at, numbers, line_spec(ink, max(1.0, 0.11 * em())))
        _draw_marks(ui.theme, events, here, scale)
        chosen = chosen if chosen is not None else _clicked(samples, events, scale, {})
        implot.end_plot()
    if aligned:
        implot.end_aligned_plots()
    pop_plot_style()
    _draw_key(ui.theme, here is not None)
    return chosen


def _draw_key(theme: Theme, here: bool) -> None:
    words = [("changes", theme.winner), ("jumps", theme.overlap), *([("B now", theme.text)] if here else [])]
    imgui.text_disabled("Vertical lines:")
    for word, ink in words:
        imgui.same_line()
        write(f"| {word}", ink)


ENGINE_WIDTH = 0.12
"""Of an engine's line, ems: above the methods', which stay in sight beside it."""
Curves = dict[str, tuple[Array, Rgba]]
"""Numbers along the way, NaN where there are none, and a colour; by name, those without any number left out."""


def shown(curves: Curves, hidden: set[str]) -> Curves:
    """The lines that are drawn."""
    return {name: curve for name, curve in curves.items() if name not in hidden}


def _draw_legend(theme: Theme, title: str, curves: Curves, hidden: set[str]) -> None:
    """What the chart under it shows: the title and a name for each line, in as many rows as they take."""
    imgui.text_disabled(f"{title}:")
    side = 0.62 * em()
    for name, (_, ink) in curves.items():
        flow(1.5 * side + imgui.calc_text_size(name).x)
        imgui.begin_group()
        at = imgui.get_cursor_screen_pos()
        top = at.y + 0.5 * (imgui.get_text_line_height() - side)
        strength = 0.25 if name in hidden else 1.0
        imgui.get_window_draw_list().add_rect_filled(
            ImVec2(at.x, top), ImVec2(at.x + side, top + side), u32(faded(ink, strength)), 0.15 * side
        )
        imgui.set_cursor_screen_pos(ImVec2(at.x + 1.5 * side, at.y))
        write(name, theme.dim_text if name in hidden else theme.text)
        imgui.end_group()
        hand()
        explain("Click to show this line" if name in hidden else "Click to hide this line")
        if imgui.is_item_clicked():
            hidden ^= {name}


def _set_up(at: Array, curves: Curves, horizontal: str, below: float = 0.0) -> None:
    """`below`: the share of the height left free under the curves."""
    implot.setup_axes(horizontal, "", FIXED_AXIS, FIXED_AXIS)
    values = np.concatenate([numbers for numbers, _ in curves.values()])
    low, high = min(0.0, float(np.nanmin(values))), max(0.0, float(np.nanmax(values)))
    margin = 0.06 * (high - low) or 1.0
    implot.setup_axis_limits(implot.ImAxis_.x1, float(at[0]), float(at[-1]), implot.Cond_.always)
    under = margin + below * (high - low + 2.0 * margin)
    implot.setup_axis_limits(implot.ImAxis_.y1, low - under, high + margin, implot.Cond_.always)


def colours(theme: Theme) -> dict[str, Rgba]:
    """A colour for each method's line: those of the phases that show them."""
    return {
        "answer": faded(theme.text, 0.25),
        "SAT": spec_of(Phase.SAT).colour(theme),
        "planes test": spec_of(Phase.PLANES).colour(theme),
        "GJK and EPA": spec_of(Phase.GJK).colour(theme),
        "closed form": spec_of(Phase.CONTACTS).colour(theme),
        "explicit hull": spec_of(Phase.BUILD).colour(theme),
    }


def engine_curves(along: Along, theme: Theme) -> Curves:
    """What each engine says along the way, in the order asked; colours that come again are nearer to the text."""
    count, curves = len(along.scenes), Curves()
    for place, curve in enumerate(along.curves):
        numbers = np.array([*curve.values, *[nan] * (count - len(curve.values))])
        again, which = divmod(place, len(CONTACT_COLOURS))
        if not np.isnan(numbers).all():
            curves[curve.title] = numbers, mixed(CONTACT_COLOURS[which], theme.text, 0.5 if again else 0.0)
    return curves


def _counts(theme: Theme, samples: Sequence[Sample]) -> Curves:
    columns = {
        "GJK iterations": ([sample.gjk for sample in samples], spec_of(Phase.GJK).colour(theme)),
        "EPA iterations": ([sample.epa for sample in samples], spec_of(Phase.EPA).colour(theme)),
        "contacts": ([sample.contacts for sample in samples], spec_of(Phase.CONTACTS).colour(theme)),
    }
    found = {
        name: (np.array([nan if value is None else float(value) for value in values]), ink)
        for name, (values, ink) in columns.items()
    }
    return {name: (numbers, ink) for name, (numbers, ink) in found.items() if not np.isnan(numbers).all()}


def _plot_separations(theme: Theme, at: Array, curves: Curves) -> None:
    """The answer broad and pale beneath, each method narrower than the one before: one sees which leaves the others."""
    ends = np.array([at[0], at[-1]])
    implot.plot_line("##zero", ends, np.zeros(2), line_spec(faded(theme.text, 0.45), max(1.0, 0.07 * em())))
    for method, (numbers, ink) in curves.items():
        implot.plot_line(method, at, numbers, line_spec(ink, max(1.0, WIDTHS[method] * em())))


def _draw_marks(theme: Theme, events: Sequence[Event], here: float | None, scale: float) -> None:
    for event in events:
        kinds = {mark.kind for mark in event.marks}
        ink = theme.overlap if kinds & {MarkKind.NORMAL, MarkKind.SEPARATION} else theme.winner
        strength = 0.9 if kinds - {MarkKind.CONTACTS} else 0.45
        implot.plot_inf_lines(
            "##marks", np.array([event.at * scale]), line_spec(faded(ink, strength), max(1.0, 0.07 * em()))
        )
    if here is not None:
        implot.plot_inf_lines("##here", np.array([here * scale]), line_spec(theme.text, max(1.5, 0.14 * em())))


def winners(samples: Sequence[Sample], events: Sequence[Event]) -> list[tuple[float, float, str]]:
    """Where each winning axis begins and ends, and its label; ends lie at the marks, where those are known."""
    flips = [mark.after for event in events for mark in event.marks if mark.kind is MarkKind.WINNER]
    runs: list[tuple[float, float, str]] = []
    start = samples[0].at
    for one, other in pairwise(samples):
        if one.winner != other.winner:
            between = [flip for flip in flips if one.at <= flip <= other.at]
            end = between[0] if between else 0.5 * (one.at + other.at)
            runs.append((start, end, shown_name(one.winner)))
            start = between[-1] if between else end
    return [*runs, (start, samples[-1].at, shown_name(samples[-1].winner))]


def _draw_winners(theme: Theme, runs: Sequence[tuple[float, float, str]], scale: float) -> None:
    """A strip along the chart's foot: one box for each winning axis, with its label where that fits."""
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


def _clicked(samples: Sequence[Sample], events: Sequence[Event], scale: float, engines: Curves) -> float | None:
    """The mark under the pointer is told, and a click takes it; elsewhere a double click takes the place itself."""
    if not implot.is_plot_hovered():
        return None
    pointer = implot.get_plot_mouse_pos().x / scale
    width = implot.get_plot_size().x
    span = implot.get_plot_limits().x.max - implot.get_plot_limits().x.min
    near = NEAR_EMS * em() * span / max(width, 1.0) / scale
    under = min(events, key=lambda event: abs(event.at - pointer), default=None)
    if under is not None and abs(under.at - pointer) <= near:
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        tell_beside(f"{under.words}\nClick to put B there, just past it")
        return under.at if imgui.is_mouse_clicked(imgui.MouseButton_.left) else None
    nearest = min(range(len(samples)), key=lambda index: abs(samples[index].at - pointer))
    said = {name: float(numbers[nearest]) for name, (numbers, _) in engines.items()}
    tell_beside(reading(samples[nearest], scale, said))
    return pointer if imgui.is_mouse_double_clicked(imgui.MouseButton_.left) else None


def reading(sample: Sample, scale: float, engines: Mapping[str, float] | None = None) -> str:
    """Every number of a sample, a line each, and those that engines give there."""
    unit = "°" if scale != 1.0 else " units"
    lines = [f"at {number(sample.at * scale)}{unit}: {sample.verdict}, {shown_name(sample.winner)} decides"]
    told = zip(METHODS, sample.separations, strict=True)
    lines += [f"{method} {number(value)}" for method, value in told if value == value]
    counts = {"GJK iterations": sample.gjk, "EPA iterations": sample.epa, "contacts": sample.contacts}
    lines += [f"{name} {count}" for name, count in counts.items() if count is not None]
    lines += [f"{name} {number(value)}" for name, value in (engines or {}).items() if value == value]
    return "\n".join((*lines, "Double-click to put B there"))
