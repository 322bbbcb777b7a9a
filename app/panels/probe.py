"""The card of a probe, and the card of the free axis; a click on a number copies it with 17 digits.

The free axis' card compares its separation with the winner's, and offers axes to start from and the best of this try.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.geometry.triple import Triple
from core.geometry.vector import Array
from core.scene import Scene

from ..draw.camera import Projection
from ..draw.draw_list import Rgba, Subject
from ..draw.placed import Rect
from ..overlays.context import SPHERE, Extent
from ..probes import Aim, PlaneProbe, PointProbe, RayProbe, ScaleProbe
from ..probes.free_axis import FreeAxis, comparison_words, nearest_words, shows, why
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.view import Panes
from ..words.digits import full
from ..words.names import shown_name
from .cards import CARDS, Card, cramped
from .numbers import short, short_vector, vector17
from .panel import CHIP_WINDOW, FREE_AXIS_WINDOW, PROBE_WINDOW
from .probe_ray import ray_rows, signed_row
from .rows import Button, Ends, Flow, Own, Row, Rule, Size, Value, Words, command
from .text import em, explain
from .viewport_bottom import HINT_WINDOW, NOTES_WINDOW
from .viewport_top import BELOW_TITLES_EMS, MARGIN_EMS, VERDICT_WINDOW

if TYPE_CHECKING:
    from ..probes.planes import NearestOnSurface, PlaneSide, ScaledSpace


CARD_EMS = 28.5
"""Largest width of the probe's card, ems."""
LEAST_EMS = 8.0
"""Least height available to the probe's card, ems; a higher card scrolls."""
MOST_PLANES = 8
"""Most planes listed for a body: those with the point farthest in front of them; also most vertices with distances."""
SCALING_SECONDS = 3.0
"""Duration, seconds, of the animation that scales space until the ellipsoid is a unit sphere."""
PROBE_TITLES = {
    PointProbe: "Point against planes",
    PlaneProbe: "Plane through three points",
    RayProbe: "Ray through a pixel",
    ScaleProbe: "Ellipsoid and plane, space scaled",
}


class ProbeCard:
    """The card of a probe, at the top left of the last pane, under the card of the free axis."""

    def __init__(self) -> None:
        self._playing = False

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the card of the view's probe.

        Draws nothing during steps and questions, before the probe is aimed, and in a small window.
        """
        probe = ui.view.probe
        if not isinstance(probe, ScaleProbe):
            self._stop(ui)
        asking = ui.reveal.waits
        if probe is None or isinstance(probe, Aim) or not ui.panes or cramped(ui.viewport):
            return
        if asking or ui.query is not None:
            return
        close = Button("×", command("probe.away"), "Close the probe (Esc)")
        rows: list[Row] = [Ends(Words(PROBE_TITLES[type(probe)]), (close,))]
        match probe:
            case PointProbe():
                rows += _point_rows(ui, probe)
            case PlaneProbe():
                rows += _plane_rows(ui, probe)
            case RayProbe():
                rows += ray_rows(ui, probe)
            case ScaleProbe():
                rows += self._scaling_rows(ui, probe, ask)
        at, width, high = _place(ui)
        Card(PROBE_WINDOW, rows, width, highest=high).draw(at, ask)

    def _stop(self, ui: PanelState) -> None:
        if self._playing:
            self._playing = ui.dialogs.busy = False

    def _scaling_rows(self, ui: PanelState, probe: ScaleProbe, ask: Ask) -> list[Row]:
        from ..probes.planes import Scaling

        scaling = Scaling.of(ui.analysis.scene)
        if scaling is None:
            return [Words("This needs an ellipsoid and a half-space.")]
        share = self._played(ui, probe, ask)
        space = scaling.at(share)
        gap = scaling.distance - scaling.stretch
        ink = ui.theme.overlap if gap < 0.0 else ui.theme.gap
        size = 18.0 * em() + imgui.get_style().item_spacing.x, imgui.get_frame_height()
        return [
            Own(size, partial(self._draw_slider, ui, share)),
            Rule(),
            Value.vector("radii S", "The ellipsoid's radii along its own axes", scaling.radii),
            signed_row("s0", "Signed distance of its centre from the plane: n·p − d", scaling.distance),
            signed_row("h", "How far the ellipsoid reaches along n: |S Rᵀ n|", scaling.stretch),
            signed_row("s0 − h", "Signed separation: negative if they overlap", gap, ink),
            Value.vector("contact", "The deepest point: p − R S² Rᵀ n / h", scaling.contact),
            Rule(),
            signed_row("s0′", "The distance in the space as it is scaled now", space.distance),
            signed_row("h′", "The ellipsoid's reach there; 1 when it is a unit sphere", space.reach),
            Value.vector(
                "n′",
                "Scaled by the inverse transpose, then made a unit vector again",
                space.normal,
                "",
                ui.theme.winner,
            ),
            *_mistake_rows(ui, space),
        ]

    def _played(self, ui: PanelState, probe: ScaleProbe, ask: Ask) -> float:
        """The share of the scaling, 0 (world) to 1 (unit sphere); advances it while the animation plays."""
        if not self._playing:
            return probe.share
        share = min(1.0, probe.share + imgui.get_io().delta_time / SCALING_SECONDS)
        ui.dialogs.busy = True
        if share >= 1.0:
            self._stop(ui)
        ask.look(replace(ui.view, probe=ScaleProbe(share)))
        return share

    def _draw_slider(self, ui: PanelState, share: float, ask: Ask) -> None:
        if imgui.button("Rest" if self._playing else "Play", ImVec2(3.6 * em(), 0.0)):
            self._playing = not self._playing
            ui.dialogs.busy = self._playing
            if self._playing and share >= 1.0:
                ask.look(replace(ui.view, probe=ScaleProbe(0.0)))
        explain("Scale space step by step, from the world to the unit sphere")
        imgui.same_line()
        imgui.set_next_item_width(14.0 * em())
        changed, moved = imgui.slider_float("##share", share, 0.0, 1.0, "s = %.2f")
        explain("0: the world as it is; 1: the space in which the ellipsoid is a unit sphere")
        if changed:
            self._stop(ui)
            ask.look(replace(ui.view, probe=ScaleProbe(moved)))


def _below(ui: PanelState, *cards: str) -> tuple[ImVec2, float]:
    """The upper left corner of a card in the last pane, and its y from the pane's top, in pixels.

    The card is below the verdict, `cards`, and in a single pane the chip of changed settings.
    """
    area, margin = ui.panes[-1][1], MARGIN_EMS * em()
    at_top = area.y == ui.viewport.y
    below = margin + (CARDS.height(VERDICT_WINDOW) if at_top else 0.0) + BELOW_TITLES_EMS * em()
    for other in (*cards, *([CHIP_WINDOW] if len(ui.panes) == 1 else [])):
        taken = CARDS.height(other)
        below += taken + margin if taken else 0.0
    return ImVec2(area.x + margin, area.y + below), below


def _place(ui: PanelState) -> tuple[ImVec2, float, float]:
    """The upper left corner of the probe's card, and its largest width and height, pixels."""
    area, margin = ui.panes[-1][1], MARGIN_EMS * em()
    at, below = _below(ui, FREE_AXIS_WINDOW)
    room = area.height - below - margin
    if area.y + area.height >= ui.viewport.y + ui.viewport.height:
        # The notes are in the corner below, and the hint below them.
        room -= CARDS.height(NOTES_WINDOW) + CARDS.height(HINT_WINDOW) + margin
    return at, min(CARD_EMS * em(), area.width - 2.0 * margin), max(LEAST_EMS * em(), room)


def _point_rows(ui: PanelState, probe: PointProbe) -> list[Row]:
    from ..probes.planes import point_against, verdict_words

    rows: list[Row] = [Value.vector("p", "Where the point is, in the world", probe.position)]
    for index, body in enumerate((ui.analysis.scene.a, ui.analysis.scene.b)):
        against = point_against(body, probe.position)
        rows += [Rule(), Words(verdict_words(index, against), ui.theme.edge(index))]
        if against.nearest is not None:
            rows += _nearest_rows(ui, index, against.nearest)
        if listed := against.sides[:MOST_PLANES]:
            inks = [ui.theme.winner if side.distance > against.tolerance else ui.theme.dim_text for side in listed]
            rows.append(Flow(tuple(_side_words(index, side, ink) for side, ink in zip(listed, inks, strict=True))))
        if len(against.sides) > MOST_PLANES:
            rows.append(Words(f"and {len(against.sides) - MOST_PLANES} more, all lower", ui.theme.dim_text))
    return rows


def _side_words(index: int, side: PlaneSide, ink: Rgba) -> Words:
    """The signed distance to one plane of a body, as `A.x +0.5`."""
    name = shown_name(f"{'AB'[index]}.{side.name}")
    note = "Positive: on the side the normal points to, outside"
    shown, what = f"{name} {'+' if side.distance > 0.0 else ''}{short(side.distance)}", f"the signed distance to {name}"
    return Words(shown, ink, note, copied=full(side.distance), what=what)


def _nearest_rows(ui: PanelState, index: int, nearest: NearestOnSurface) -> list[Row]:
    """The rows for a round body: the surface point nearest to the probe, and the tangent plane there."""
    note = "Outward normal of the tangent plane there"
    if nearest.sharp:
        note = (
            "From the nearest point to p. A rim or an apex has many tangent planes; this one is perpendicular "
            "to that line."
        )
    rgba = ui.theme.winner if nearest.distance > 0.0 else ui.theme.dim_text
    return [
        Value.vector("nearest", f"The point of {'AB'[index]}'s surface nearest to p", nearest.point),
        Value.vector("n", note, nearest.normal),
        signed_row("distance", "Signed distance: positive outside, negative inside", nearest.distance, rgba),
    ]


def _plane_rows(ui: PanelState, probe: PlaneProbe) -> list[Row]:
    from ..probes.planes import side_words, through

    found = through(ui.analysis.scene, probe)
    order = "(c − a) × (b − a)" if probe.flipped else "(b − a) × (c − a)"
    rows: list[Row] = [
        *(Value.vector(name, "In the world", point) for name, point in zip("abc", probe.points, strict=True)),
        Rule(),
        Value.vector("product", f"{order}: its length is twice the triangle's area", found.product),
    ]
    if found.plane is None:
        return [*rows, Words(found.fault, ui.theme.overlap)]
    note = "The cross product as a unit vector: it points to the positive side"
    rows.append(Value.vector("n", note, found.plane.normal, "", ui.theme.winner))
    note = "Offset: n·p = d for every point of the plane; a point on it is n d"
    rows.append(signed_row("d", note, found.plane.offset))
    for index, side in enumerate(found.sides):
        span = f"{short(side.lowest)} to {short(side.highest)}"
        rows += [
            Rule(),
            Words(side_words(index, side), ui.theme.edge(index)),
            signed_row("centre", "Signed distance of the body's position", side.centre),
            Value("points", "From its lowest to its highest point", span, vector17((side.lowest, side.highest))),
        ]
        if count := len(side.vertices):
            shown = short_vector(side.vertices) if count <= MOST_PLANES else f"{count} vertices"
            note = "Signed distance of each vertex, in order"
            rows.append(Value("vertices", note, shown, vector17(side.vertices), fold=""))
    tip = "The same plane from the other side: n and d change sign"
    return [*rows, Button("flip", command("plane.flip"), tip)]


def _mistake_rows(ui: PanelState, space: ScaledSpace) -> list[Row]:
    """The rows on a mistake: the plane's normal scaled like a point, and the distance that would follow.

    In the world, where space is not scaled, a hint stands in their place.
    """
    if space.share == 0.0:
        return [Words("Move s: points and normals scale differently.", ui.theme.dim_text)]
    note = "The normal scaled like a point: no longer perpendicular to the plane"
    ink = ui.theme.overlap if space.normals_differ else ui.theme.dim_text
    return [Value.vector("mistake", note, space.mistaken, "", ui.theme.overlap), Words(space.mistake_words, ink)]


FREE_AXIS_EMS = 27.5
"""Largest width of the free axis' card, ems."""


class Best(Struct, frozen=True):
    """The free axis with the largest separation in this try; a change of the scene, or no free axis, ends the try."""

    scene: Scene
    free: Triple
    separation: float


def best_of(best: Best | None, analysis: Analysis, free: Triple, separation: float) -> Best:
    """The best of the try after the axis `free` with its separation; another scene begins another try."""
    if best is not None and best.scene == analysis.scene and best.separation >= separation:
        return best
    return Best(analysis.scene, free, separation)


LOW_EMS = 22.0
"""In a pane lower than this, ems, and narrower than two cards, the card has only its first line."""
HANDLE_EMS = 0.8
"""Half the size of the axis' ends, ems; the card does not cover them."""
ScreenPoint = tuple[float, float]


def clear_corner(
    room: Rect, size: tuple[float, float], ends: tuple[ScreenPoint, ScreenPoint], reach: float, last: int
) -> int:
    """The corner of `room` where a card of this `size`, enlarged by `reach` on all sides, covers least of a line.

    `ends`: of the line, pixels. Corners: 0 upper left, 1 upper right, 2 lower left, 3 lower right. Of equal corners the
    `last` one is chosen, or else the first.
    """

    def hidden(corner: int) -> float:
        low = corner_at(room, size, corner)
        box = ((low[0] - reach, low[0] + size[0] + reach), (low[1] - reach, low[1] + size[1] + reach))
        first, beyond = 0.0, 1.0
        for (least, most), start, end in zip(box, *ends, strict=True):
            if start == end:
                if not least < start < most:
                    return 0.0
                continue
            enters, leaves = sorted(((least - start) / (end - start), (most - start) / (end - start)))
            first, beyond = max(first, enters), min(beyond, leaves)
        return max(0.0, beyond - first)

    return min((last, 0, 1, 2, 3), key=hidden)


def corner_at(room: Rect, size: tuple[float, float], corner: int) -> tuple[float, float]:
    """Upper left corner of a card of this size in a corner of `room`, pixels."""
    right, lower = corner % 2, corner // 2
    return room.x + right * (room.width - size[0]), room.y + lower * (room.height - size[1])


def _drawn_axis(ui: PanelState, axis: Array) -> tuple[ScreenPoint, ScreenPoint]:
    """The two ends of the free axis, `axis` (3,), as it is drawn in the last pane, in pixels of the window."""
    extent, area = Extent.of(ui.scene), ui.panes[-1][1]
    alone = ui.view.panes in (Panes.WORLD, Panes.OVERLAID)
    camera, centre = (ui.view.world, extent.centre) if alone else (ui.view.difference, np.zeros(3))
    arm = SPHERE * extent.radius * axis
    placed = Projection(camera, area.width, area.height).project(np.array((centre + arm, centre - arm)))
    (x0, y0, _), (x1, y1, _) = placed.tolist()
    return (area.x + x0, area.y + y0), (area.x + x1, area.y + y1)


class FreeAxisCard:
    """The free axis' card, in a corner of the last pane where it does not cover the axis, if possible upper left."""

    def __init__(self) -> None:
        self._corner = 0
        self._best: Best | None = None
        self._attempt: FreeAxis | None = None
        self._key: tuple[object, ...] = ()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the card while there is a free axis.

        Draws nothing while a question or a lesson hides the answer, nor in a small window.
        """
        if ui.view.free is None:
            self._best, self._attempt = None, None
            return
        attempt = self._attempt
        if attempt is None or attempt.analysis is not ui.analysis or self._key != ui.view.free:
            attempt, self._key = FreeAxis.of(ui.analysis, ui.view.free), ui.view.free
            self._attempt = attempt
        self._best = best_of(self._best, ui.analysis, ui.view.free, attempt.separation)
        asking = ui.reveal.waits
        if cramped(ui.viewport) or not ui.panes or asking:
            return
        area = ui.panes[-1][1]
        width = min(FREE_AXIS_EMS * em(), area.width - 2.0 * MARGIN_EMS * em())
        low = area.height < LOW_EMS * em() and area.width < 2.0 * FREE_AXIS_EMS * em()
        card = Card(FREE_AXIS_WINDOW, _standing_rows(ui, attempt) if low else self._rows(ui, attempt), width)
        card.draw(self._place(ui, attempt, card.size), ask)

    def _place(self, ui: PanelState, attempt: FreeAxis, size: Size) -> ImVec2:
        at, below = _below(ui)
        area, margin = ui.panes[-1][1], MARGIN_EMS * em()
        taken = margin
        if area.y + area.height >= ui.viewport.y + ui.viewport.height:
            under = (HINT_WINDOW, NOTES_WINDOW) if area.x == ui.viewport.x else (HINT_WINDOW,)
            taken += sum(height + margin for window in under if (height := CARDS.height(window)))
        room = Rect(round(at.x), round(at.y), round(area.width - 2.0 * margin), round(area.height - below - taken))
        self._corner = clear_corner(room, size, _drawn_axis(ui, attempt.axis), HANDLE_EMS * em(), self._corner)
        return ImVec2(*corner_at(room, size, self._corner))

    def _rows(self, ui: PanelState, attempt: FreeAxis) -> list[Row]:
        rows = _standing_rows(ui, attempt)
        if ui.lesson is not None:
            # The other rows would give the lesson's answer away, in words that it has not explained.
            return rows
        told, ways = _told(ui), list[Row]()
        if told:
            rows.append(Words(why(attempt), ui.theme.dim_text))
        if words := nearest_words(attempt):
            lights = None if attempt.nearest is None else Subject("axis", attempt.nearest)
            ways.append(
                Button(
                    words,
                    command("free.nearest"),
                    "Click to put your axis on it",
                    key="nearest",
                    lights=lights,
                )
            )
        if told:
            tip = "Put your axis on the one that decides, and try to do better from there"
            ways.append(Button("start from the best axis", command("free.winner"), tip))
        if ways:
            rows.append(Flow(tuple(ways)))
        best = self._best
        if best is None or best.separation <= attempt.separation:
            # The line is kept, so that the card's height does not change.
            return [*rows, Words("this is your best so far", ui.theme.dim_text)]
        tip = f"{full(best.separation)}\nClick to put your axis back there"

        def back(ask: Ask) -> None:
            ask.look(replace(ui.view, free=best.free))

        return [*rows, Button(f"best of this try: {shows(best.separation)}", back, tip, key="best")]


def _told(ui: PanelState) -> bool:
    """Whether the deciding axis is shown too: not in a lesson, nor before SAT's steps have tried all axes."""
    return ui.sat_progress.last and ui.lesson is None


def _standing_rows(ui: PanelState, attempt: FreeAxis) -> list[Row]:
    """The row with the free axis' separation, compared with the deciding axis' if that is shown."""
    told = _told(ui)
    words = comparison_words(attempt) if told else f"your axis shows {shows(attempt.separation)}"
    ink = ui.theme.winner if told and (attempt.beats or attempt.ties) else ui.theme.text
    return [Words(words, ink, copied=full(attempt.separation), what="separation on your axis")]
