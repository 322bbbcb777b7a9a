"""Labels in pictures of steps: none lies on a line, or is led through another, while a place near by is free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from app.cli.picture import planned_picture
from app.draw.camera import Projection
from app.draw.draw_list import Dash, DrawList, Hidden, Layer, Rgba
from app.draw.layout import Viewport, anchors, in_view, lay_out
from app.draw.layout.frame import screen_outlines
from app.draw.layout.ink import LEAST_WEIGHT
from app.draw.layout.labels import CLEAR, DIRECTIONS, EDGE, GAPS, LEAST_FIRM
from app.draw.placed import Box, PlacedLabel, PlacedPane, around, box_round
from app.draw.theme import theme_named
from app.io.presets import load_preset, presets
from app.render.film import FilmSize, Shots, of_motion
from app.render.still import SUPERSAMPLING
from app.state.export_options import ExportOptions
from app.state.purposes import set_for
from app.state.view import Seen, View
from core.analysis.analysis import analyse
from core.geometry.vector import Array
from core.query.query import query

from .layout_samples import FRONT, HEIGHT, WHITE, WIDTH, laid

NEAR, AIR = 42.0, 5.0
"""Points to a place near by, and round one in which there is no line, for a label that a step's line runs along."""
NEARER, LESS_AIR = 23.0, 2.0
"""The same for a line that a label covers a part of, a body's edge, and a leader."""
STROKE = 1.2
"""Width in points times opacity of a line that text should not cover."""
BODY = frozenset({"body", "difference"})


def length_inside(start: Array, end: Array, box: Box) -> Array:
    """The lengths (n,) of lines in a box."""
    way = end - start
    # Along a side of the box 0 / 0 is no limit; of a point the limits are infinite.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        low, high = (np.array(box[:2]) - start) / way, (np.array(box[2:]) - start) / way
        first = np.nan_to_num(np.fmin(low, high), nan=-np.inf, neginf=-np.inf, posinf=np.inf).max(axis=1)
        last = np.nan_to_num(np.fmax(low, high), nan=np.inf, neginf=-np.inf, posinf=np.inf).min(axis=1)
        share = np.clip(np.minimum(last, 1.0) - np.maximum(first, 0.0), 0.0, 1.0)
    found: Array = share * np.hypot(*way.T)
    return found


def grown(box: Box, by: float) -> Box:
    left, top, right, bottom = box
    return left - by, top - by, right + by, bottom + by


def box_of(label: PlacedLabel) -> Box:
    return label.x, label.y, label.x + label.width, label.y + label.height


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def holds(box: Box, point: Array) -> bool:
    return bool(box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3])


def strokes(placed: PlacedPane, density: float) -> Array:
    """The width of each line in points times its opacity; 0 for leaders."""
    lines = placed.lines
    found: Array = 0.5 * (lines.start_rgba[:, 3] + lines.end_rgba[:, 3]) * lines.width / density
    found[len(found) - placed.leaders :] = 0.0
    return found


def across_lines(viewport: Viewport, placed: PlacedPane, heights: float, *, edges: bool) -> Iterator[PlacedLabel]:
    """Yields the labels that strong solid lines of the step, or edges of bodies, run through for so many heights.

    A body's edge may lie under a label that stands on its point.
    """
    lines = placed.lines
    strong = (strokes(placed, viewport.density) >= STROKE) & (lines.dash == Dash.SOLID)
    strong &= np.array([(subject.kind in BODY) == edges for subject in lines.subjects], dtype=bool)
    for label in placed.labels:
        middle = grown(box_of(label), -0.25 * label.height)
        inside = length_inside(lines.start[strong], lines.end[strong], middle).sum()
        on_its_point = edges and viewport.draw.labels[label.number].offset == (0.0, 0.0)
        if inside >= heights * label.height and not on_its_point:
            yield label


def on_bodies(viewport: Viewport, box: Box) -> bool:
    """Whether a box has a point in common with a solid or a flat body."""
    y = np.linspace(box[1], box[3], 9)
    for left, right in screen_outlines(in_view(viewport)):
        rows = y[(y >= left[0, 1]) & (y <= left[-1, 1])]
        from_x, to_x = (np.interp(rows, chain[:, 1], chain[:, 0]) for chain in (left, right))
        if ((from_x < box[2]) & (to_x > box[0])).any():
            return True
    return False


def things_beside(placed: PlacedPane, label: PlacedLabel, density: float, at: Array) -> tuple[list[Box], list[Box]]:
    """The boxes of the other labels and of the marks, and those, grown, that no leader from `at` may pass.

    A leader may pass marks that are so translucent that they keep no label off.
    """
    radius, centre = placed.marks.radius[:, None], placed.marks.centre
    labels = [box_of(other) for other in placed.labels if other is not label]
    marks: list[Box] = list(map(tuple, np.hstack((centre - radius, centre + radius)).tolist()))
    firm = np.maximum(placed.marks.fill[:, 3], placed.marks.stroke[:, 3]) >= LEAST_FIRM
    kept_off = [*labels, *(mark for mark, keeps_off in zip(marks, firm, strict=True) if keeps_off)]
    return [*labels, *marks], [grown(each, density) for each in kept_off if not holds(grown(each, 1.0), at)]


def led_through(viewport: Viewport, placed: PlacedPane) -> Iterator[PlacedLabel]:
    """Yields the labels whose leaders pass through another label or a mark."""
    for label in placed.labels:
        at = anchors(viewport, placed.labels)[label.number]
        end = np.clip(at, box_of(label)[:2], box_of(label)[2:])
        if np.hypot(*(end - at)) > label.lead:
            _, passed = things_beside(placed, label, 0.0, at)
            if any(length_inside(at[None], end[None], thing).any() for thing in passed):
                yield label


def free_places(viewport: Viewport, placed: PlacedPane, label: PlacedLabel, near: float, air: float) -> Iterator[Box]:
    """Yields the places near the label's anchor that nothing is in, and whose leader passes through nothing.

    `near`: the largest distance, points; `air`: points round a place in which there is no line either.
    """
    density, lines = viewport.density, placed.lines
    wanted, at = viewport.draw.labels[label.number], anchors(viewport, placed.labels)[label.number]
    first = len(lines.width) - placed.leaders
    things, passed = things_beside(placed, label, density, at)
    # Faint lines, such as those of the ground, may lie anywhere.
    inked = strokes(placed, density) > LEAST_WEIGHT
    is_leader, begins_here = np.arange(len(lines.width)) >= first, np.abs(lines.start - at).max(axis=1) <= 1.0
    leaders = np.nonzero(is_leader & ~begins_here)[0]
    # Another label of the same point has a leader that begins there too: no place on it is free.
    own = np.array([holds(grown(box_of(label), 2.0 * density), end) for end in lines.end], dtype=bool)
    beside = np.nonzero(is_leader & begins_here & ~own)[0]
    pane = grown((0.0, 0.0, float(viewport.width), float(viewport.height)), -EDGE * density)
    half = np.array((0.5 * label.width, 0.5 * label.height))
    for gap in (gap for gap in GAPS if gap <= min(near, wanted.max_distance)):
        for way in DIRECTIONS:
            middle = at + (gap + wanted.ring) * density * way + half * np.clip(1.5 * way, -1.0, 1.0)
            box = box_round(np.array((middle - half, middle + half)))
            end = np.clip(at, box[:2], box[2:])
            if (
                holds(pane, middle - half)
                and holds(pane, middle + half)
                and all(apart(grown(box, CLEAR * density + 1.0), thing) for thing in things)
                and not length_inside(lines.start[inked], lines.end[inked], grown(box, air * density)).any()
                and not any(length_inside(at[None], end[None], thing).any() for thing in passed)
                and not length_inside(lines.start[leaders], lines.end[leaders], around(box, (*at, *at))).any()
                and not length_inside(lines.start[beside], lines.end[beside], box).any()
            ):
                yield box


@pytest.mark.sampled(5, "scenes")
@pytest.mark.parametrize("name", [preset.id for preset in presets()])
def test_no_label_lies_on_a_line_or_is_led_through_another_while_a_place_near_by_is_free(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures: list[tuple[Viewport, PlacedPane]] = []

    def noted(viewports: Sequence[Viewport], *arguments: Any) -> list[PlacedPane]:
        laid = lay_out(viewports, *arguments)
        pictures.extend(zip(viewports, laid, strict=True))
        return laid

    monkeypatch.setattr("app.render.frame.lay_out", noted)
    loaded = load_preset(name)
    for place in range(0, 1 + len(query(analyse(loaded.scene)).moments), 2):
        slide = ExportOptions(**set_for("slide", {}), purpose="slide", step=str(place))
        planned_picture(loaded, ".png", slide)[0].lay_out(1)
    assert pictures
    for viewport, placed in pictures:
        along = list(across_lines(viewport, placed, 1.0, edges=False))
        nearer = [*across_lines(viewport, placed, 0.5, edges=False), *led_through(viewport, placed)]
        across = list(across_lines(viewport, placed, 0.5, edges=True))
        for labels, near, air in ((along, NEAR, AIR), (nearer, NEARER, LESS_AIR), (across, NEARER, LESS_AIR)):
            for label in labels:
                if not viewport.draw.labels[label.number].clear:
                    free = free_places(viewport, placed, label, near, air)
                    # A place on a body is no better than one across its edge.
                    assert all(labels is across and on_bodies(viewport, box) for box in free), label.text


def under(layer: Layer, rgba: Rgba = WHITE, width: float = 2.0) -> int:
    """The place that a label takes whose wanted place has such a line along it."""
    draw = DrawList()
    draw.label("over a line?", np.zeros(3), WHITE, offset=(0.0, -40.0))
    (wanted,) = laid(draw).labels
    assert wanted.place == 0
    up = 40.0 / Projection(FRONT, WIDTH, HEIGHT).pixels_per_unit(np.zeros(3))
    draw.lines(np.array((-1.5, up, 0.0)), np.array((1.5, up, 0.0)), rgba, width, hidden=Hidden.SHOW, layer=layer)
    place: int = laid(draw).labels[0].place
    return place


@pytest.mark.parametrize("layer", [layer for layer in Layer if layer != Layer.GIZMO])
def test_a_label_leaves_a_line_of_any_layer(layer: Layer) -> None:
    assert under(layer) > 0


def test_a_label_keeps_its_place_on_a_faint_line_and_on_the_handles() -> None:
    assert under(Layer.GROUND, (1.0, 1.0, 1.0, 0.2), 1.0) == 0
    assert under(Layer.GIZMO) == 0


def test_a_label_goes_farther_from_a_line_of_a_step_than_from_a_bodys_edge() -> None:
    found = {}
    for layer in (Layer.EDGES, Layer.STRONG):
        draw = DrawList()
        draw.label("name", np.zeros(3), WHITE, offset=(0.0, -12.0), priority=80)
        # A comb about the anchor leaves room only beyond it.
        for x in np.linspace(-0.7, 0.7, 6):
            draw.lines(np.array((x, -0.6, 0.0)), np.array((x, 0.6, 0.0)), WHITE, hidden=Hidden.SHOW, layer=layer)
        (label,) = laid(draw).labels
        found[layer] = np.hypot(label.x + 0.5 * label.width - 400.0, label.y + 0.5 * label.height - 300.0)
    assert found[Layer.STRONG] > found[Layer.EDGES]


@pytest.mark.parametrize("name", ["turning-boxes", "flat-turning"])
def test_each_difference_of_turning_bodies_has_its_name_off_the_other_one(name: str) -> None:
    loaded, told = load_preset(name), []
    seen = Seen(loaded.scene, analyse(loaded.scene), replace(loaded.view or View(), motion=True), theme_named("light"))
    shots = Shots(of_motion(seen, 12, 5.0), FilmSize.of(ExportOptions(purpose="film").suited(".gif")))
    for plan in shots.plans():
        plan.lay_out(SUPERSAMPLING)
        viewport, placed = shots.laid[1].viewport, shots.laid[1].placed
        names = [label for label in placed.labels if label.text.startswith("A − B ")]
        # That of the start is drawn first.
        outlines = dict(zip(("at the start", "at t"), screen_outlines(in_view(viewport)), strict=len(told) > 0))
        told.append([label.text for label in names])
        for label in names if len(names) > 1 else ():
            assert not on_bodies(viewport, box_of(label))
            assert label not in [*led_through(viewport, placed)]
            x, y = anchors(viewport, placed.labels)[label.number]
            (own,) = [words for words, outline in outlines.items() if in_outline(outline, x, y)]
            assert own in label.text
    # Where both are nearly in one place only that of the time shown is named.
    assert [len(texts) for texts in told] == sorted(len(texts) for texts in told)
    assert (len(told[0]), len(told[-1])) == (1, 2)
    assert all(texts[0].startswith("A − B at t = ") for texts in told)


def in_outline(outline: tuple[Array, Array], x: float, y: float) -> bool:
    """Whether a point lies in an outline on the screen, or nearly."""
    (left, right), near = outline, 2.0
    within = left[0, 1] - near <= y <= left[-1, 1] + near
    from_x, to_x = (float(np.interp(y, chain[:, 1], chain[:, 0])) for chain in (left, right))
    return within and from_x - near <= x <= to_x + near
