"""One picture of the viewport: from scene and view to laid-out panes; each stage runs only if its input changed.

Overlays make a draw list per pane when scene, view or theme change; an orbit keeps the lists. Layout places the lists
also when the camera or the size changes. The gizmo's size in the world depends on the camera, so that layout draws the
gizmo, not the overlays.

Two insets are at the right edge of the first pane: the triad of world axes and the globe of candidate axes. The Gauss
map takes the globe's place; the large map takes the whole pane. A small inset is drawn only if twice its side is clear
of bars. The triad also needs to be clear of a wide card.

`density`, in every function: pixels to the point.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import radians
from operator import attrgetter
from time import perf_counter

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from core.geometry.vector import Array
from core.scene import Scene

from ..draw.camera import Camera
from ..draw.draw_list import NO_SUBJECT, DrawList, IntArray, Label, Rgba, Subject, equal
from ..draw.label_kinds import TITLES_ID
from ..draw.label_names import renamed
from ..draw.layout import HOLD, STAY, LabelRoom, Taken, Viewport, handed, lay_out
from ..draw.placed import (
    PlacedLabel,
    PlacedLines,
    PlacedPane,
    PlacedTriangles,
    Rect,
    around,
    box_round,
    common,
    joined_rows,
    with_lines,
)
from ..draw.text import measure
from ..draw.theme import faded
from ..draw.turnable import TurnablePane
from ..input.gizmo import Gizmo
from ..overlays import globe
from ..overlays.context import Context
from ..overlays.gauss_drawing import WORDS_AT
from ..overlays.registry import UNAVAILABLE
from ..overlays.style import FINE, PLAIN
from ..state.view import WHOLE, Pane, Panes, Seen, Transition, View, arrange
from ..words.digits import digits_shown
from .framing import NOTHING_COVERED, Covered
from .moving_labels import ShownLabel, with_labels
from .pictures import DrawLists, build
from .transition import LaidInset, LaidPane, PictureTransition

TITLE_SIZE, TITLE_BELOW = 12.5, 10.0
"""Font size of a pane's name, and its distance from the pane's lower edge, points."""
INSET_DEPTH = 1e-3
"""Factor for the depths (0 near, 1 far) of an inset's triangles, by which the inset is before the pane's own faces."""


def with_inset(pane: PlacedPane, inset: PlacedPane, x: float, y: float) -> PlacedPane:
    """The pane with `inset` drawn over it, its top left corner at the pixel (x, y) of the pane."""
    shift, lines, marks = np.array((x, y)), inset.lines, inset.marks
    lines = replace(lines, start=lines.start + shift, end=lines.end + shift)
    return replace(
        with_lines(pane, lines, inset.leaders),
        triangles=_joined_triangles(pane.triangles, inset.triangles, shift),
        marks=joined_rows(pane.marks, replace(marks, centre=marks.centre + shift)),
        labels=(*pane.labels, *(replace(label, x=label.x + x, y=label.y + y) for label in inset.labels)),
    )


def title_place(title: str, across: float, high: float, density: float) -> tuple[float, float, float, float]:
    """Box of the name of a pane of `across` by `high` pixels, at its lower edge: x, y, width and height in pixels."""
    width, height = measure(title, TITLE_SIZE * density)
    return 0.5 * (across - width), high - height - TITLE_BELOW * density, width, height


def title_strip(view: View, density: float) -> float:
    """Height, pixels, that the names of a picture's panes take at the lower edges; 0 if the view shows no names."""
    if view.panes is Panes.WORLD or TITLES_ID in view.hidden:
        return 0.0
    return measure("A", TITLE_SIZE * density)[1] + TITLE_BELOW * density


def with_title(pane: PlacedPane, title: str, rgba: Rgba, density: float) -> PlacedPane:
    """The pane with its name in the middle of its lower edge."""
    place = title_place(title, pane.width, pane.height, density)
    label = PlacedLabel(title, *place, TITLE_SIZE * density, rgba, False, NO_SUBJECT)
    return replace(pane, labels=(*pane.labels, label))


def with_border(pane: PlacedPane, rgba: Rgba, density: float, *, above: bool) -> PlacedPane:
    """The pane with a dividing line, a point wide, along its left edge, or along its upper edge if `above`."""
    width = max(1.0, round(density))
    middle = 0.5 * width
    start = np.array(((0.0, middle) if above else (middle, 0.0),))
    end = np.array(((float(pane.width), middle) if above else (middle, float(pane.height)),))
    widths, colour, solid = np.array((width,)), np.array((rgba,)), np.zeros(1, dtype=np.int64)
    line = PlacedLines(
        start=start,
        end=end,
        width=widths,
        start_rgba=colour,
        end_rgba=colour,
        dash=solid,
        phase=np.zeros(1),
        subjects=(NO_SUBJECT,),
    )
    return with_lines(pane, line)


def _joined_triangles(a: PlacedTriangles, b: PlacedTriangles, shift: Array) -> PlacedTriangles:
    if not len(b.corners):
        return a
    corners = b.corners.copy()
    corners[..., :2] += shift
    corners[..., 2] *= INSET_DEPTH
    if a.seams is not None or b.seams is not None:
        a, b = (replace(t, seams=np.full((len(t.rgba), 3), np.inf)) if t.seams is None else t for t in (a, b))
    both = joined_rows(
        a, replace(b, corners=corners, solid_number=b.solid_number + 1 + int(a.solid_number.max(initial=-1)))
    )
    left, top, right, bottom = b.crowded
    inside = (left + shift[0], top + shift[1], right + shift[0], bottom + shift[1])
    return replace(both, crowded=around(a.crowded, around(inside, common(box_round(corners), box_round(a.corners)))))


TRIAD_SIZE = 84.0
TRIAD_BELOW = 34.0
GLOBE = 150.0
GAUSS_MAP = 220.0
GLOBE_ABOVE = 52.0
INSET_MARGIN = 8.0
LEAST_GLOBE, LEAST_MAP = 96.0, 140.0
MAP_EDGE = 3.0
"""Sizes in points. TRIAD_BELOW: room for the hint below the triad. GLOBE_ABOVE: room for the verdict above the globe.
MAP_EDGE: margin round the words of the map."""
GLOBE_SHARE, MAP_SHARE = 0.36, 0.3
"""Shares of the pane's shorter side for the globe and for the small map.
They are at least LEAST_GLOBE and LEAST_MAP, and at most GLOBE and GAUSS_MAP. A map that has less room is smaller, but
never smaller than the globe.
"""
LEAST_WORDS = 0.85
"""Least factor for the words of the small map, which otherwise shrink with it."""
WORDS_OF_LARGE = 0.6
"""Factor for the words of the large map, less than the factor by which the map itself is enlarged.

The words are never smaller than the words of other pictures.
"""


def triad_fits(side: int, rect: Rect, area: Rect, covered: Covered) -> bool:
    """Whether a pane has room for a triad of `side` pixels: twice its side is clear of bars and of a wide card."""
    return 2 * side <= min(rect.width, rect.height - sum(covered.above_and_below(rect, area)))


def globe_fits(side: int, rect: Rect, area: Rect, covered: Covered) -> bool:
    """Whether a pane has room for the globe or the small map: twice its side is clear of bars.

    The card is in another corner.
    """
    return triad_fits(side, rect, area, replace(covered, card=(0.0, 0.0)))


def triad_top(rect: Rect, area: Rect, density: float, covered: Covered) -> int:
    """Top of the triad in a pane, pixels: above the hint, and above any bar or card that would cover the triad."""
    left = rect.width - (TRIAD_SIZE + INSET_MARGIN) * density
    below = TRIAD_BELOW * density + covered.above_hint(left, rect, area)
    return rect.height - round(TRIAD_SIZE * density + below)


def globe_top(density: float, covered: Covered) -> int:
    """Top of the globe in a pane, pixels: below the verdict, which may have several lines."""
    return round(max(GLOBE_ABOVE * density, covered.top))


def globe_side(rect: Rect, area: Rect, density: float, covered: Covered, overlays: Collection[str]) -> int:
    """Side of the globe, of the small map or of the large map, pixels; smaller in a small pane.

    `overlays`: the ids of those that are on.
    """
    across = min(rect.width, rect.height)
    if globe.LARGE.id in overlays:
        above = globe_top(density, covered) if covered.top else 0.0
        below = covered.above_and_below(rect, area)[1]
        return max(1, round(min(rect.width, rect.height - above - below)))
    side = round(min(GLOBE * density, max(LEAST_GLOBE * density, GLOBE_SHARE * across)))
    if globe.GAUSS.id not in overlays:
        return side
    room = triad_top(rect, area, density, covered) - globe_top(density, covered)
    wanted = max(LEAST_MAP * density, MAP_SHARE * across)
    return max(side, round(min(GAUSS_MAP * density, wanted, room)))


def taken_corner(
    scene: Scene, view: View, area: Rect, density: float, divider: float, covered: Covered
) -> tuple[float, float]:
    """Width and height, pixels, that the globe or the map takes of the first pane's upper right corner, with margin.

    Both are 0 if there is no inset, or if the large map takes the whole pane. `divider`: as in PictureInput.
    """
    small = {globe.OVERLAY.id, globe.GAUSS.id} & view.shown
    if globe.LARGE.id in view.shown or not small - UNAVAILABLE[scene.dimension]:
        return 0.0, 0.0
    rect = arrange(view, area, divider)[0].rect
    side = globe_side(rect, area, density, covered, view.shown)
    if not globe_fits(side, rect, area, covered):
        return 0.0, 0.0
    return side + 2.0 * INSET_MARGIN * density, float(globe_top(density, covered) + side)


INSET_CAMERA = Camera(field_of_view=radians(30.0), orthographic=True).framed_ball(np.zeros(3), 1.0, 1.0, 1.1)


class PictureInput(Seen, frozen=True, eq=False, kw_only=True):
    """Everything that a picture is made from. `area` is in framebuffer pixels, `density` is pixels to the point.

    `titled`: panes have their names drawn, because no panel names them. `bordered`: a line divides the panes.
    `legible`: words of insets are as large as other words. `covered`: the parts of the area that panels hide.
    `dragged`: a body is being dragged, so that labels keep their places. `divider`: the first pane's share of the area,
    if there are two. `gizmo`: the handles of the selected body, if they are drawn; `hot`: the subject of the handle
    under the pointer.
    """

    area: Rect
    density: float
    divider: float = 0.5
    gizmo: Gizmo | None = None
    hot: Subject | None = None
    titled: bool = False
    bordered: bool = True
    legible: bool = False
    covered: Covered = NOTHING_COVERED
    dragged: bool = False


def _getter(record: type[Struct], but: tuple[str, ...]) -> attrgetter[tuple[object, ...]]:
    return attrgetter(*(name for name in record.__struct_fields__ if name not in but))


_SEEN = _getter(Seen, but=("scene", "view", "asked", "progress", "transition"))
"""Fields of `Seen` in the key of the draw lists.

The analysis is there in place of the scene; `_key_of` adds the view, the question and the progress.
"""
_LOOKS = _getter(View, but=("world", "difference", "fitted", "step", "at"))
"""Fields of the view in the key of the draw lists: all but the cameras, `fitted`, and the step's place in a file."""


class FrameTimings(Struct):
    """Milliseconds of the last frame by part, without parts that did not run. `between`: called after each part."""

    parts: dict[str, float] = field(default_factory=dict)
    between: Callable[[], None] = lambda: None

    def add(self, part: str, since: float) -> float:
        """Adds the time since `since` (seconds) to `part`; returns the time at which the next part begins."""
        now = perf_counter()
        self.parts[part] = self.parts.get(part, 0.0) + 1e3 * (now - since)
        self.between()
        return perf_counter()


STAY_IN_FILM = 9.5
"""`LabelRoom.stay` in a film, larger than labels.STAY: more than the farthest ring costs (8.2), so that labels keep
their places; less than a step's line under a whole text costs (`ink.LINE_PRICE`), so that they make way for it."""


class FrameBuilder:
    """Builds pictures one after the other and caches the last result of each stage.

    `steady`: for a film; a label that comes back prefers its place in an earlier picture. `turning`: for a turn of the
    camera; rails keep the hand that they have in the first picture, so that they glide round the bodies.
    """

    def __init__(self, *, steady: bool = False, turning: bool = False) -> None:
        self._handed: dict[str, tuple[DrawList, DrawList]] | None = {} if turning else None
        self._earlier: dict[str, dict[tuple[Subject, str], PlacedLabel]] | None = {} if steady else None
        self.panes: tuple[Pane, ...] = ()
        self.placed: tuple[PlacedPane, ...] = ()
        self._pictures_key: tuple[object, ...] = ()
        self._pictures = DrawLists()
        self._shown: PictureInput | None = None
        self._merged: DrawList = DrawList()
        self._pane_keys: list[tuple[object, ...]] = []
        self._laid: list[tuple[LaidPane, PlacedPane]] = []
        self._transition: tuple[int, str, PictureTransition] | None = None
        self._dragged = False
        self._inset_before: dict[tuple[str, int], tuple[Viewport, PlacedPane]] = {}
        self._built: PictureInput | None = None
        self.written: Sequence[Sequence[ShownLabel]] | None = None
        """The labels of the next picture, of each pane and of each inset after it, in place of the layout's own."""

    @property
    def laid(self) -> list[LaidPane]:
        """The panes of the last still picture before their insets are drawn into them."""
        return [laid for laid, _ in self._laid]

    def turnable(self) -> list[TurnablePane]:
        """The panes of the last picture, each before it was laid out and after; none before the first picture."""
        shown = self._built
        if shown is None:
            return []
        found, density = [], shown.density
        for pane, placed in zip(self.panes, self.placed, strict=True):
            size, room = (pane.rect.width, pane.rect.height), LabelRoom((), self._taken(pane, shown))
            whole = Viewport(self._draw_list(pane, shown), pane.camera, *size, density, room)
            insets = [
                (left, top, self._inset(picture, pane, side, shown))
                for picture, side, left, top in self._insets(pane, shown)
            ]
            (empty,) = lay_out([replace(whole, draw=DrawList())], measure, shown.theme.halo)
            still = self._finished(LaidPane(pane, whole, empty, []), shown)
            found.append(TurnablePane(pane.rect, still, placed, ((0, 0, whole), *insets)))
        return found

    def build(self, shown: PictureInput, times: FrameTimings) -> bool:
        """Brings `panes` and `placed` up to date; returns whether anything changed since the last call."""
        self._built = shown
        if shown.transition is not None:
            self._build_between(shown, shown.transition, times)
            return True
        moved, self._transition = self._transition is not None, None
        changed = self._build_still(shown, times)
        if changed or moved:
            self.panes, self.placed = (tuple(each) for each in zip(*((a.pane, b) for a, b in self._laid), strict=True))
        return changed or moved

    def _build_between(self, shown: PictureInput, transition: Transition, times: FrameTimings) -> None:
        """Builds a picture between two steps; both steps are built first, and again when their input changes."""
        known = self._transition
        fresh = (
            known is None
            or known[:2] != (transition.place, transition.part)
            or self._key_of(shown) != self._pictures_key
        )
        if fresh or [self._key(laid.pane, shown) for laid, _ in self._laid] != self._pane_keys:
            self._build_still(replace(shown, place=transition.place, part=transition.part, progress=1.0), times)
            before = [laid for laid, _ in self._laid]
            self._build_still(shown, times)
            after = [laid for laid, _ in self._laid]
            known = self._transition = transition.place, transition.part, PictureTransition.of(before, after)
        assert known is not None
        since = perf_counter()
        panes = known[2].at(transition.share)
        self.panes = tuple([laid.pane for laid in panes])
        self.placed = tuple([self._finished(laid, shown) for laid in panes])
        times.add("layout", since)

    def _build_still(self, shown: PictureInput, times: FrameTimings) -> bool:
        """Lays out the panes of a step's picture that changed, and keeps the others; returns whether any changed."""
        since = perf_counter()
        self._build_pictures(shown)
        since = times.add("overlays", since)
        panes = arrange(shown.view, shown.area, shown.divider)
        keys = [self._key(pane, shown) for pane in panes]
        old = dict(zip(self._pane_keys, self._laid, strict=True))
        changed = keys != self._pane_keys
        if changed:
            kept = [old.get(key) for key in keys]
            last = {laid.pane.kind: placed.labels for laid, placed in self._laid}
            if self._dragged and not shown.dragged:
                # After a drag labels are laid out afresh, as if nothing had been dragged.
                last = {}
            if self._earlier is not None:
                last = self._remembered(self._earlier, last)
            fresh_panes = [pane for pane, had in zip(panes, kept, strict=True) if had is None]
            laid = self._written(self._place(fresh_panes, shown, last))
            self._laid = [
                had if had is not None else (fresh := next(laid), self._finished(fresh, shown)) for had in kept
            ]
            self._pane_keys, self._dragged = keys, shown.dragged
        times.add("layout", since)
        return changed

    @staticmethod
    def _remembered(
        earlier: dict[str, dict[tuple[Subject, str], PlacedLabel]], last: Mapping[str, tuple[PlacedLabel, ...]]
    ) -> dict[str, tuple[PlacedLabel, ...]]:
        """The labels of all pictures so far, by the kind of their pane; the last picture's come first.

        Adds the labels of the `last` picture to `earlier`.
        """
        for kind, labels in last.items():
            latest: dict[tuple[Subject, str], PlacedLabel] = {}
            for label in labels:
                # The first of equal names counts: insets may repeat the names of the picture's axes.
                latest.setdefault((label.subject, label.text), label)
            earlier[kind] = latest | {
                name: label for name, label in earlier.get(kind, {}).items() if name not in latest
            }
        return {kind: tuple(labels.values()) for kind, labels in earlier.items()}

    def _build_pictures(self, shown: PictureInput) -> None:
        key = self._key_of(shown)
        if key == self._pictures_key:
            return
        # `_shown` holds a reference to the question, so that no later question can get the id that is in the key.
        self._pictures_key, self._shown = key, shown
        self._pictures = build(Context(**shown.facts))
        if shown.view.panes is Panes.OVERLAID:
            self._merged = joined_lists(self._pictures.world, self._pictures.difference)

    @staticmethod
    def _key_of(shown: PictureInput) -> tuple[object, ...]:
        """The key of the draw lists."""
        asked = shown.asked
        guess = None if asked is None else (id(asked.question), asked.prediction)
        # The progress of a whole step moves only a row of the axis table, nothing in the pictures.
        progress = 1.0 if shown.part == WHOLE else shown.progress
        # Two answers are equal only if they are the same object.
        return (*_SEEN(shown), *_LOOKS(shown.view), guess, progress, digits_shown())

    def _key(self, pane: Pane, shown: PictureInput) -> tuple[object, ...]:
        gizmo = shown.gizmo if pane.kind == "world" else None
        handles = None if gizmo is None else (gizmo.scene, gizmo.index, gizmo.tool, gizmo.local, gizmo.hold, shown.hot)
        return (
            self._pictures_key,
            pane.kind,
            pane.rect,
            pane.camera,
            shown.density,
            handles,
            self._taken(pane, shown),
            shown.dragged,
            id(self.written),
        )

    def _place(
        self, panes: Sequence[Pane], shown: PictureInput, last: Mapping[str, tuple[PlacedLabel, ...]]
    ) -> Iterator[LaidPane]:
        """Yields the panes and their insets, laid out in one pass; `last`: earlier labels by the kind of pane."""
        density = shown.density
        # Labels prefer their places of the last picture, so that labels do not flicker during an orbit.
        stay = HOLD if shown.dragged else STAY if self._earlier is None else STAY_IN_FILM
        viewports, insets = [], []
        for pane in panes:
            before = last.get(pane.kind, ())
            room = LabelRoom(before, self._taken(pane, shown), stay, thorough=self._earlier is not None or not before)
            size = pane.rect.width, pane.rect.height
            viewports.append(Viewport(self._kept_side(pane, shown), pane.camera, *size, density, room))
            insets.append(self._insets(pane, shown))
        wanted = {
            (pane.kind, number): self._inset(picture, pane, side, shown)
            for pane, inside in zip(panes, insets, strict=True)
            for number, (picture, side, _, _) in enumerate(inside)
        }
        free = viewports
        if self.written is not None:
            free = [replace(view, draw=replace(view.draw, labels=[])) for view in viewports]
        laid = lay_out([*free, *self._changed(wanted)], measure, shown.theme.halo)
        self._keep(wanted, laid[len(panes) :])
        for pane, viewport, inside, placed in zip(panes, viewports, insets, laid[: len(panes)], strict=True):
            yield LaidPane(
                pane,
                viewport,
                placed,
                [
                    LaidInset(*self._inset_before[pane.kind, number], left, top)
                    for number, (_, _, left, top) in enumerate(inside)
                ],
            )

    def _written(self, panes: Iterator[LaidPane]) -> Iterator[LaidPane]:
        """The panes with the labels of `written`, if there are any."""
        written = None if self.written is None else iter(self.written)
        for pane in panes:
            if written is None:
                yield pane
                continue
            placed, *inside = (with_labels(view.placed, next(written), view.viewport.density) for view in pane.views)
            insets = [replace(inset, placed=here) for inset, here in zip(pane.insets, inside, strict=True)]
            yield replace(pane, placed=placed, insets=insets)

    def _finished(self, laid: LaidPane, shown: PictureInput) -> PlacedPane:
        """The pane with its insets, its name and its border."""
        pane, placed, density, dim = laid.pane, laid.placed, shown.density, shown.theme.dim_text
        for inset in laid.insets:
            placed = with_inset(placed, inset.placed, inset.left, inset.top)
        if self._title(pane, shown):
            placed = with_title(placed, renamed(pane.title, shown.view.renames), dim, density)
        if shown.bordered and not _is_first(pane, shown):
            placed = with_border(placed, faded(dim, 0.5), density, above=pane.rect.y > shown.area.y)
        return placed

    def _changed(self, wanted: Mapping[tuple[str, int], Viewport]) -> list[Viewport]:
        """The insets that differ in a value from the last insets laid out in their places. During a drag few do."""
        for place, viewport in wanted.items():
            if place in self._inset_before and not equal(self._inset_before[place][0], viewport):
                del self._inset_before[place]
        return [viewport for place, viewport in wanted.items() if place not in self._inset_before]

    def _keep(self, wanted: Mapping[tuple[str, int], Viewport], laid: Sequence[PlacedPane]) -> None:
        fresh = iter(laid)
        for place, viewport in wanted.items():
            if place not in self._inset_before:
                self._inset_before[place] = viewport, next(fresh)

    def _insets(self, pane: Pane, shown: PictureInput) -> list[tuple[DrawList, int, int, int]]:
        """The insets of a pane: draw list, side, left edge and top edge in the pane, pixels.

        Only the first pane has any.
        """
        if not _is_first(pane, shown):
            return []
        rect, area, density, covered = pane.rect, shown.area, shown.density, shown.covered
        side, triad = globe_side(rect, area, density, covered, shown.view.shown), round(TRIAD_SIZE * density)
        both = (
            (triad_fits, self._pictures.triad, triad, triad_top(rect, area, density, covered)),
            (globe_fits, self._pictures.globe, side, globe_top(density, covered)),
        )
        margin = round(INSET_MARGIN * density)
        if self._map_alone(pane, shown):
            bottom = rect.height - round(covered.above_and_below(rect, area)[1])
            if not covered.top:
                return [(self._pictures.globe, side, (rect.width - side) // 2, (bottom - side) // 2)]
            # Below a verdict the map is in the lower right corner, far from its legend in the upper left corner.
            return [(self._pictures.globe, side, rect.width - side, bottom - side)]
        return [
            (picture, side, rect.width - side - margin, top)
            for fits, picture, side, top in both
            if not is_empty(picture) and fits(side, rect, area, covered)
        ]

    def _map_alone(self, pane: Pane, shown: PictureInput) -> bool:
        """Whether the large Gauss map takes the whole pane."""
        large = globe.LARGE.id in shown.view.shown
        return large and _is_first(pane, shown) and not is_empty(self._pictures.globe)

    def _taken(self, pane: Pane, shown: PictureInput) -> tuple[Taken, ...]:
        """The rectangles of a pane where no label may be placed: bars, cards, insets and the pane's name."""
        insets = (
            (float(left), float(top), float(side), float(side)) for _, side, left, top in self._insets(pane, shown)
        )
        return (*shown.covered.over(pane.rect, shown.area), *insets, *self._title(pane, shown))

    def _title(self, pane: Pane, shown: PictureInput) -> tuple[Taken, ...]:
        """The rectangle of the pane's name, if the name is part of the picture."""
        if not shown.titled or not title_strip(shown.view, shown.density):
            return ()
        return (title_place(renamed(pane.title, shown.view.renames), pane.rect.width, pane.rect.height, shown.density),)

    def _inset(self, picture: DrawList, pane: Pane, side: int, shown: PictureInput) -> Viewport:
        camera = replace(INSET_CAMERA, yaw=pane.camera.yaw, pitch=pane.camera.pitch, z_up=pane.camera.z_up)
        density = shown.density
        if picture is self._pictures.globe and globe.MAPS & shown.view.shown:
            # The map is drawn for one size. Its words grow and shrink with it.
            density = side / GAUSS_MAP
            if shown.legible:
                size = PLAIN / FINE if globe.LARGE.id in shown.view.shown else 1.0
                picture = with_words(picture, size * shown.density / density)
            elif globe.LARGE.id in shown.view.shown:
                picture = with_words(picture, max(WORDS_OF_LARGE, shown.density / density))
            else:
                picture = with_words(picture, max(1.0, LEAST_WORDS * shown.density / density))
        return Viewport(picture, camera, side, side, density)

    def _kept_side(self, pane: Pane, shown: PictureInput) -> DrawList:
        """The pane's draw list; in a turn with the hands of the turned groups in the first picture that has it."""
        draw = self._draw_list(pane, shown)
        if self._handed is None:
            return draw
        if pane.kind not in self._handed or self._handed[pane.kind][0] is not draw:
            self._handed[pane.kind] = draw, handed(draw, pane.projection)
        return self._handed[pane.kind][1]

    def _draw_list(self, pane: Pane, shown: PictureInput) -> DrawList:
        if self._map_alone(pane, shown):
            return DrawList()
        if pane.kind == "difference":
            return self._pictures.difference
        base = self._merged if shown.view.panes is Panes.OVERLAID else self._pictures.world
        if shown.gizmo is None:
            return base
        handles = DrawList()
        shown.gizmo.draw(handles, pane.projection, shown.density, shown.hot, shown.theme)
        return joined_lists(base, handles)


def with_words(picture: DrawList, factor: float) -> DrawList:
    """The map with its labels `factor` times as large; labels round its middle stay within its square.

    Lines of smaller words below the sphere stand closer, the lowest in its place.
    """
    return replace(picture, labels=[_larger(label, factor) for label in picture.labels])


def _larger(label: Label, factor: float) -> Label:
    size = label.size * factor
    if label.point.any():
        return replace(label, size=size)
    rooms = (0.5 * (GAUSS_MAP - extent) - MAP_EDGE for extent in measure(label.text, size, label.bold))
    across, down = (min(max(at, -room), room) for at, room in zip(label.offset, rooms, strict=True))
    if down > 0.0 and factor < 1.0:
        down = WORDS_AT - factor * (WORDS_AT - down)
    return replace(label, size=size, offset=(across, down))


def _is_first(pane: Pane, shown: PictureInput) -> bool:
    return (pane.rect.x, pane.rect.y) == (shown.area.x, shown.area.y)


def is_empty(draw: DrawList) -> bool:
    """Whether nothing was drawn."""
    return not (draw.segments or draw.solids or draw.sheets or draw.marks or draw.labels)


def joined_lists(first: DrawList, second: DrawList) -> DrawList:
    """Both draw lists as one, the second's solids and turned groups renumbered."""
    solids, groups = len(first.solids), len(first.groups)

    def solid(number: int) -> int:
        return number + solids if number >= 0 else -1

    def group(number: int) -> int:
        return number + groups if number >= 0 else -1

    def grouped(number: int | IntArray) -> int | IntArray:
        return group(number) if isinstance(number, int) else np.where(number >= 0, number + groups, -1)

    return DrawList(
        segments=first.segments
        + [replace(s, solid_number=solid(s.solid_number), group=grouped(s.group)) for s in second.segments],
        solids=first.solids + second.solids,
        sheets=first.sheets + second.sheets,
        hatches=first.hatches + [replace(hatch, solid_number=solid(hatch.solid_number)) for hatch in second.hatches],
        marks=first.marks + second.marks,
        labels=first.labels + [replace(label, group=group(label.group)) for label in second.labels],
        groups=first.groups + second.groups,
    )
