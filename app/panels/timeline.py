"""The timeline: a bar along the bottom that takes room from the viewport. A track of the query's steps, and controls.

The track is scrubbed with the mouse and stepped with the wheel; the controls are the commands of the menu Steps. A
narrow window leaves out the last controls of `_KEPT_FIRST`; their commands stay in the menu and on their keys.

Each phase first gets the width of its name. The rest of the width is shared in proportion to the square roots of the
phases' numbers of steps, so that three steps of GJK stay visible beside a thousand axes of SAT.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from imgui_bundle import ImVec2, imgui
from msgspec import Struct
from msgspec.structs import replace

from core.query.query import GJK_EPA, Moment, Phase, Query

from ..draw.theme import Theme, faded, mixed
from ..stages import parts_of, spec_of, stage_of
from ..stages.stage import At, TimelineFlag
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.playback import SPEEDS, place_of, scrubbed, stepped
from ..state.view import WHOLE
from . import step_icons as icons
from .text import em, explain_row, hand, tell_beside, wants_tip
from .widgets import SIDE_BAR, u32

Phases = Sequence[tuple[Phase, int, int]]
"""Each phase with its first place and its number of steps, as `Query.phases` has them."""
NAME_SHARE = 0.72
"""Largest share of the track's width for the names."""
THINNING = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Numbers of steps from one tick to the next; the first at which the ticks are far enough apart is used."""


class TrackSegment(Struct, frozen=True):
    """A phase on the track: steps `first` to `first + count - 1` from x `left` to `right`, pixels.

    `inset`: width without steps at both ends. `named`: the phase's name fits.
    """

    phase: Phase
    first: int
    count: int
    left: float
    right: float
    inset: float
    named: bool

    @property
    def room(self) -> float:
        """Width of a step, pixels."""
        return max(self.right - self.left - 2.0 * self.inset, 1e-9) / self.count

    def x_of(self, index: float) -> float:
        """The x of the middle of the phase's step `index`, pixels."""
        return self.left + self.inset + (index + 0.5) * self.room

    def index_at(self, x: float) -> int:
        """The index of the step at `x`; beyond the ends the first or the last."""
        return min(max(int((x - self.left - self.inset) / self.room), 0), self.count - 1)

    def ticks(self, spacing: float) -> range:
        """Indices of the steps with a tick, so that ticks are at least `spacing` pixels apart."""
        every = next((every for every in THINNING if every * self.room >= spacing), self.count)
        return range(0, self.count, every)


def segments(
    phases: Phases, name_widths: Sequence[float], left: float, right: float, gap: float, inset: float
) -> list[TrackSegment]:
    """The phases side by side from `left` to `right`, `gap` apart, each with room for its name if there is enough."""
    room = max(right - left - gap * (len(phases) - 1), 1.0)
    named = sum(name_widths) <= NAME_SHARE * room
    bases = list(name_widths) if named else [NAME_SHARE * room / len(phases)] * len(phases)
    rest, total = room - sum(bases), sum(sqrt(count) for _, _, count in phases)
    placed, x = [], left
    for (phase, first, count), base, name in zip(phases, bases, name_widths, strict=True):
        width = base + rest * sqrt(count) / total
        placed.append(
            TrackSegment(
                phase=phase,
                first=first,
                count=count,
                left=x,
                right=x + width,
                inset=min(inset, 0.2 * width),
                named=name <= width,
            )
        )
        x += width + gap
    return placed


def place_at(track: Sequence[TrackSegment], x: float) -> int:
    """The place of the step at `x`; beyond the ends the first or the last, in a gap the one before it."""
    segment = next((s for s in reversed(track) if s.left <= x), track[0])
    return segment.first + segment.index_at(x)


def x_of(track: Sequence[TrackSegment], place: int) -> float:
    """The x of the middle of the step at `place`, pixels."""
    segment = next(s for s in reversed(track) if s.first <= place)
    return segment.x_of(place - segment.first)


class TrackMarks(Struct, frozen=True):
    """The marked places of a track: where phases stop, the reasons of failures, and flags."""

    stops: frozenset[int]
    failures: dict[int, str]
    flags: dict[int, TimelineFlag]

    @staticmethod
    def of(query: Query) -> TrackMarks:
        """The marks of a query; a stop at which the algorithm gave up is a failure too."""
        lasts = (first + count - 1 for _, first, count in query.phases)
        ends = {place: At[object](query, query.moments[place]) for place in lasts}
        failures = {place: why for place, at in ends.items() if (why := _failure(at))}
        flags = {
            place: flag
            for phase, first, count in query.phases
            if (flag_at := stage_of(phase).flag) is not None
            for place in range(first, first + count)
            if (flag := flag_at(At(query, query.moments[place]))) is not None
        }
        return TrackMarks(frozenset(ends), failures, flags)

    def within(self, phases: Phases) -> TrackMarks:
        """The marks within `phases`."""
        held = {place for _, first, count in phases for place in range(first, first + count)}
        failures = {place: why for place, why in self.failures.items() if place in held}
        return TrackMarks(
            self.stops & held, failures, {place: flag for place, flag in self.flags.items() if place in held}
        )


def bests(query: Query, place: int) -> list[int]:
    """For each phase reached at `place`, the place of the step with the best result so far, if it has one."""
    found = []
    for phase, first, count in query.phases:
        if first <= place:
            best = stage_of(phase).best(At(query, query.moments[min(place, first + count - 1)]))
            found += [] if best is None else [first + best]
    return found


def _failure(at: At[object]) -> str:
    """Why the phase that ends with this step failed, in a sentence; "" if it did not."""
    phase = at.moment.phase
    return f"{spec_of(phase).name} gave up here: {_stop_words(at)}" if stage_of(phase).gave_up(at) else ""


def _stop_words(at: At[object]) -> str:
    return stage_of(at.moment.phase).stop(at).replace("_", " ").lower()


def counter(moment: Moment) -> str:
    """The number of a step in its phase: `GJK 3 of 4`."""
    return f"{spec_of(moment.phase).name} {moment.index + 1:,} of {moment.count:,}"


def step_tooltip(query: Query, place: int, marks: TrackMarks, *, reached: bool = True) -> str:
    """A step's tooltip: number, label, a note on the phase, failure.

    A flag that is not `ahead`, and the reason of a stop, only if the step is `reached`.
    """
    at: At[object] = At(query, query.moments[place])
    entry, stage = spec_of(at.moment.phase), stage_of(at.moment.phase)
    label = stage.label(at)
    lines = [f"{counter(at.moment)}: {label}" if label else counter(at.moment)]
    if entry.about:
        lines.append(entry.about)
    flag = marks.flags.get(place)
    if flag is not None and (reached or flag.ahead):
        lines.append(flag.tip)
    if place in marks.failures:
        lines.append(marks.failures[place])
    elif place in marks.stops and reached and (words := _stop_words(at)):
        lines.append(f"{entry.name} stops here: {words}.")
    return "\n".join(lines)


TIMELINE_WINDOW = "##timeline"

TRACK_EMS = 2.15
THIN_TRACK_EMS = 1.0
"""Height of the track with the phases' names, and without them in a window that is not tall."""
TALL_EMS = 26.0
"""A window at least this high, ems, has room for the names."""
TICK_EMS = 0.32
"""Ticks are at least this far apart, ems."""
PART_EMS = 0.42
"""Ticks of sub-steps are this far apart, ems, or closer if the phase has less room."""
PHASE_TINTS = (0.16, 0.34)
"""Share of a phase's colour in its background: of other phases, and of the shown step's phase."""

_BUTTONS = {
    "steps.first": icons.first,
    "steps.back": icons.back,
    "steps.play": icons.play,
    "steps.next": icons.forth,
    "steps.last": icons.last,
    "steps.stop": icons.stop,
}
SLOW, FLOAT32 = "Slow", "float32"
_KEPT_FIRST = (
    ("steps.back", "steps.play", "steps.next", "steps.timeline"),
    ("counter",),
    ("steps.stop",),
    ("speed",),
    ("steps.slow",),
    ("steps.single",),
    ("steps.first", "steps.last"),
    ("steps.loop",),
    ("total",),
)
"""The controls of the row, the most important first."""


class Timeline:
    """The bar with the timeline, shown while the timeline is open."""

    def __init__(self) -> None:
        self._query: Query | None = None
        self._marks = TrackMarks(frozenset(), {}, {})
        self._wheel = 0.0
        self._parts: tuple[Moment, tuple[str, ...]] | None = None

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws a row for the track and a row for the controls while the timeline is open."""
        if ui.query is None:
            return
        if ui.query is not self._query:
            self._query, self._marks = ui.query, TrackMarks.of(ui.query)
        viewport, style = imgui.get_main_viewport(), imgui.get_style()
        track = (TRACK_EMS if viewport.size.y >= TALL_EMS * em() else THIN_TRACK_EMS) * em()
        padding = ImVec2(0.8 * em(), 0.45 * em())
        height = round(track + style.item_spacing.y + imgui.get_frame_height() + 2.0 * padding.y)
        imgui.push_style_var(imgui.StyleVar_.window_padding, padding)
        if imgui.internal.begin_viewport_side_bar(TIMELINE_WINDOW, viewport, imgui.Dir.down, height, SIDE_BAR):
            self._draw_track(ui, ui.query, track, ask)
            _draw_controls(ui, ui.query, ask)
        imgui.end()
        imgui.pop_style_var()

    def _draw_track(self, ui: PanelState, query: Query, height: float, ask: Ask) -> None:
        at, width = imgui.get_cursor_screen_pos(), max(imgui.get_content_region_avail().x, 1.0)
        phases = [known for known in query.phases if ui.only in (None, known[0])] or query.phases
        names = [imgui.calc_text_size(spec_of(phase).name).x + 1.2 * em() for phase, _, _ in phases]
        track = segments(phases, names, at.x, at.x + width, round(0.22 * em()), 0.35 * em())
        imgui.invisible_button("##track", ImVec2(width, height))
        place = place_of(ui.playback, query)
        known = place - bool(ui.sat_progress.part)  # a row of SAT's that is not compared yet has no mark
        drawing = _Track(ui.theme, self._marks.within(phases), place, known, at.y, height)
        shown = {place for _, first, count in phases for place in range(first, first + count)}
        best = [place for place in bests(query, known) if place in shown]
        drawing.draw(track, best)
        drawing.draw_parts(track, self._parts_of(ui, query), ui.part)
        under = place_at(track, imgui.get_io().mouse_pos.x)
        if imgui.is_item_active():
            if under != place or ui.playback.playing:
                ask.play(scrubbed(ui.playback, query, under))
        elif imgui.is_item_hovered():
            # One step per notch, downwards to the next step; touch pads send fractions of a notch.
            self._wheel -= imgui.get_io().mouse_wheel
            notches = int(self._wheel)
            if notches:
                self._wheel -= notches
                ask.play(stepped(ui.playback, query, notches))
        hand()
        if imgui.is_item_hovered() or imgui.is_item_active():
            tell_beside(step_tooltip(query, under, self._marks, reached=under <= known))

    def _parts_of(self, ui: PanelState, query: Query) -> tuple[str, ...]:
        """The names of the shown step's sub-steps; empty if sub-steps are not stepped through."""
        if ui.moment is None or not (ui.playback.slow or ui.part != WHOLE):
            return ()
        if self._parts is None or self._parts[0] is not ui.moment:
            self._parts = ui.moment, tuple(part.name for part in parts_of(query, ui.moment))
        return self._parts[1]


class _Track:
    """Draws the phases between two heights, with ticks, marks up to `known` and the cursor at `place`."""

    def __init__(self, theme: Theme, marks: TrackMarks, place: int, known: int, top: float, height: float) -> None:
        self._theme, self._marks, self._place, self._known = theme, marks, place, known
        self._top, self._bottom = round(top), round(top + height)
        self._named = height > 1.5 * em()
        self._middle = self._bottom - (0.55 * em() if self._named else 0.5 * height)
        self._list = imgui.get_window_draw_list()

    def draw(self, track: list[TrackSegment], bests: list[int]) -> None:
        for segment in track:
            self._draw_ground(segment)
            self._draw_ticks(segment)
        for place in self._marks.stops:
            if place in self._marks.failures:
                icons.cross(self._list, x_of(track, place), self._middle, 0.36 * em(), u32(self._theme.overlap))
            else:
                icons.square(self._list, x_of(track, place), self._middle, 0.24 * em(), u32(self._theme.text))
        for place, flag in self._marks.flags.items():
            # A flag that is not reached yet would give away what follows.
            if place <= self._known or flag.ahead:
                self._draw_flag(track, place, flag)
        for place in bests:
            below = min(self._middle + 0.62 * em(), self._bottom + 0.1 * em())
            icons.star(self._list, x_of(track, place), below, 0.36 * em(), u32(self._theme.winner))
        self._draw_cursor(x_of(track, self._place))

    def _draw_ground(self, segment: TrackSegment) -> None:
        # The phase of the shown step contains the cursor.
        shown = segment.first <= self._place < segment.first + segment.count
        ground = imgui.get_style().color_(imgui.Col_.window_bg)
        fill = mixed(
            (ground.x, ground.y, ground.z, 1.0), spec_of(segment.phase).colour(self._theme), PHASE_TINTS[shown]
        )
        low, high = ImVec2(round(segment.left), self._top), ImVec2(round(segment.right), self._bottom)
        self._list.add_rect_filled(low, high, u32(fill), 0.25 * em())
        if not (self._named and segment.named):
            return
        at = ImVec2(round(segment.left + 0.5 * em()), round(self._top + 0.08 * em()))
        self._list.add_text(at, u32(self._theme.text), spec_of(segment.phase).name)

    def _draw_ticks(self, segment: TrackSegment) -> None:
        rgba = spec_of(segment.phase).colour(self._theme)
        past, ahead = u32(rgba), u32(faded(rgba, 0.45))
        half, width = 0.3 * em(), max(1, round(0.11 * em()))
        for index in segment.ticks(TICK_EMS * em()):
            if index == segment.count - 1:
                continue  # the stop's mark is there
            x = round(segment.x_of(index) - 0.5 * width)
            colour = past if segment.first + index <= self._place else ahead
            self._list.add_rect_filled(
                ImVec2(x, round(self._middle - half)), ImVec2(x + width, round(self._middle + half)), colour
            )

    def draw_parts(self, track: list[TrackSegment], names: tuple[str, ...], shown: str) -> None:
        """Draws small ticks for any sub-steps of the step shown, strong up to `shown`; the last is the whole step."""
        if not names:
            return
        segment = next(s for s in reversed(track) if s.first <= self._place)
        all_names = (*names, WHOLE)
        gap = min(PART_EMS * em(), (segment.right - segment.left) / (len(all_names) + 1))
        left = x_of(track, self._place) - 0.5 * gap * (len(all_names) - 1)
        left = min(max(left, segment.left + gap), segment.right - gap * len(all_names))
        top, width = round(self._bottom - 0.2 * em()), max(2, round(0.14 * em()))
        for number, name in enumerate(all_names):
            known = number <= all_names.index(shown)
            x = round(left + number * gap - 0.5 * width)
            colour = u32(self._theme.text if known else faded(self._theme.text, 0.35))
            high = top - round(0.22 * em()) * (name == shown)
            self._list.add_rect_filled(ImVec2(x, high), ImVec2(x + width, self._bottom + round(0.1 * em())), colour)

    def _draw_flag(self, track: list[TrackSegment], place: int, flag: TimelineFlag) -> None:
        text, x, colour = flag.word, x_of(track, place), u32(self._theme.winner if flag.ahead else self._theme.gap)
        icons.flag(self._list, x, self._middle, 0.48 * em(), colour)
        segment = next(s for s in reversed(track) if s.first <= place)
        gap = 0.4 * em()
        after_name = segment.left + imgui.calc_text_size(spec_of(segment.phase).name).x + em()
        at = max(x, after_name)
        if self._named and segment.named and at + imgui.calc_text_size(text).x + gap < segment.right:
            self._list.add_text(ImVec2(round(at), round(self._top + 0.08 * em())), u32(self._theme.text), text)

    def _draw_cursor(self, x: float) -> None:
        # The cursor begins below the names, so that it does not cross them.
        colour, width, size = u32(self._theme.text), max(2, round(0.16 * em())), round(0.36 * em())
        left, over = round(x - 0.5 * width), round(0.18 * em())
        top = round(self._middle - 0.55 * em()) if self._named else self._top - over
        self._list.add_rect_filled(ImVec2(left, top), ImVec2(left + width, self._bottom + over), colour, 0.5 * width)
        middle = left + 0.5 * width
        self._list.add_triangle_filled(
            ImVec2(middle - size, top), ImVec2(middle + size, top), ImVec2(middle, top + 1.2 * size), colour
        )


def _draw_controls(ui: PanelState, query: Query, ask: Ask) -> None:
    place, last = place_of(ui.playback, query), len(query.moments) - 1
    told = counter(query.moments[place]) + (f" · {ui.part}" if ui.part != WHOLE else "")
    total = f"· {place + 1:,} of {last + 1:,}"
    spacing, button = imgui.get_style().item_spacing.x, icons.BUTTON_EMS * em()
    widths = {
        "counter": imgui.calc_text_size(told).x,
        "steps.slow": imgui.calc_text_size(SLOW).x + 1.2 * em(),
        "steps.single": imgui.calc_text_size(FLOAT32).x + 1.2 * em(),
        "total": imgui.calc_text_size(total).x,
        "speed": imgui.calc_text_size(_pace(max(SPEEDS, key=lambda s: len(_pace(s))))).x + 1.2 * em(),
    }
    right = imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x
    kept = [names for names in _KEPT_FIRST if names != ("steps.single",) or _has_single(ui, query)]
    shown = _fitting(kept, widths, button, spacing, imgui.get_content_region_avail().x)
    for name, icon in _BUTTONS.items():
        if name not in shown:
            continue
        ahead = name in ("steps.next", "steps.last", "steps.stop")
        usable = name == "steps.play" or ui.part != WHOLE or (place < last if ahead else place > 0)
        plays = name == "steps.play" and ui.playback.playing
        _button(ui, name, icons.pause if plays else icon, ask, usable=usable, lit=plays)
        imgui.same_line()
    imgui.align_text_to_frame_padding()
    if "counter" in shown:
        imgui.text_unformatted(told)
        imgui.same_line()
    if "total" in shown and ui.only is None:  # a lesson's track of one phase has a count of its own
        imgui.text_disabled(total)
        imgui.same_line()
    closing = ("steps.single", "steps.slow", "speed", "steps.loop", "steps.timeline")
    room = sum(widths.get(name, button) + spacing for name in closing if name in shown) - spacing
    imgui.set_cursor_pos_x(right - room)
    if "steps.single" in shown:
        if icons.word_button(FLOAT32, widths["steps.single"], lit=ui.algorithm_settings.single.steps):
            ask.invoke("steps.single")
        if wants_tip():
            explain_row(_tip(ui, "steps.single"))
        imgui.same_line()
    if "steps.slow" in shown:
        if icons.word_button(SLOW, widths["steps.slow"], lit=ui.playback.slow):
            ask.invoke("steps.slow")
        if wants_tip():
            explain_row(_tip(ui, "steps.slow"))
        imgui.same_line()
    if "speed" in shown:
        imgui.set_next_item_width(widths["speed"])
        if imgui.begin_combo("##speed", _pace(ui.playback.speed), imgui.ComboFlags_.no_arrow_button):
            for speed in SPEEDS:
                if imgui.selectable(_pace(speed), speed == ui.playback.speed)[0]:
                    ask.play(replace(ui.playback, speed=speed))
            imgui.end_combo()
        explain_row("Playing speed")
        imgui.same_line()
    if "steps.loop" in shown:
        _button(ui, "steps.loop", icons.loop, ask, lit=ui.playback.loop)
        imgui.same_line()
    _button(ui, "steps.timeline", icons.cross, ask, flat=True)


def _has_single(ui: PanelState, query: Query) -> bool:
    """Whether the switch for single precision is shown: at GJK and EPA, in a lesson only if its step sets it."""
    moment = query.moments[place_of(ui.playback, query)]
    return moment.phase in GJK_EPA and (ui.lesson is None or ui.algorithm_settings.single.steps)


def _fitting(
    kept: Sequence[tuple[str, ...]], widths: dict[str, float], button: float, spacing: float, room: float
) -> set[str]:
    """Names of the controls that fit, taken in the order of `kept`; always those of its first entry."""
    shown: set[str] = set()
    for names in kept:
        room -= sum(widths.get(name, button) + spacing for name in names)
        if room < 0.0 and shown:
            break
        shown.update(names)
    return shown


def _button(
    ui: PanelState, name: str, icon: icons.Icon, ask: Ask, *, usable: bool = True, lit: bool = False, flat: bool = False
) -> None:
    """Draws a command as an icon; its title and keys are the tooltip."""
    if icons.icon_button(name, icon, usable=usable, lit=lit, flat=flat):
        ask.invoke(name)
    if wants_tip():
        explain_row(_tip(ui, name))


def _tip(ui: PanelState, name: str) -> str:
    command = next((command for command in ui.commands() if command.id == name), None)
    if command is None:
        return ""
    title = "Close the timeline" if name == "steps.timeline" else command.title
    keys = "Esc" if name == "steps.timeline" else ", ".join(command.keys)
    return "\n".join(part for part in (f"{title} ({keys})" if keys else title, command.tip) if part)


def _pace(speed: float) -> str:
    return f"{speed:g} {'step' if speed == 1.0 else 'steps'}/s"
