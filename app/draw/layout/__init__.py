"""From draw lists and cameras to pixels: keeps labels apart, cuts lines where solids hide them, adds outlines.

An orbit of the camera runs only the layout again. Modules in reading order: `frame` brings everything into the view
frame. `solids` computes outlines, and what solids hide. `joined_lines` joins all lines to one table, with the lines of
`hatches`. `lines` (with marks), `triangles` and `labels` (which avoid the lines counted in `ink`) compute the pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, product

from ..camera import Camera, Projection
from ..draw_list import DrawList, Rgba
from ..placed import PlacedLabel, PlacedPane, joined_rows
from .frame import LayoutFrame, PaneInView, Taken, hands, lifted, pane_of
from .joined_lines import join_lines
from .labels import HOLD, STAY, LabelRoom, Measure, lay_labels, leaders_of
from .lines import lay_lines, lay_marks
from .triangles import lay_triangles

__all__ = [
    "HOLD",
    "STAY",
    "LabelRoom",
    "Measure",
    "Taken",
    "Viewport",
    "anchored",
    "anchors",
    "handed",
    "in_view",
    "lay_out",
    "layout",
    "leaders_of",
    "with_groups_laid_out",
]


class Viewport(Struct, frozen=True, eq=False):
    """A draw list to be laid out in `width` x `height` framebuffer pixels with `density` pixels to a point.

    `room`: the previous labels, and the rectangles that are taken. Labels keep off all taken rectangles. Turned groups
    keep off those that cover the whole width; rails keep off the others too, if they can.
    """

    draw: DrawList
    camera: Camera
    width: int
    height: int
    density: float
    room: LabelRoom = LabelRoom()


def layout(
    draw: DrawList,
    camera: Camera,
    width: int,
    height: int,
    density: float,
    measure: Measure,
    halo: Rgba,
    previous: Sequence[PlacedLabel] = (),
    taken: Sequence[Taken] = (),
    stay: float = STAY,
) -> PlacedPane:
    """Lays out one pane alone; for the parameters see `lay_out`, Viewport and LabelRoom.

    Without `previous` labels the layout is thorough, which takes several times as long.
    """
    room = LabelRoom(previous, taken, stay, thorough=not previous)
    (placed,) = lay_out([Viewport(draw, camera, width, height, density, room)], measure, halo)
    return placed


def lay_out(viewports: Sequence[Viewport], measure: Measure, halo: Rgba) -> list[PlacedPane]:
    """Lays out all viewports in one pass, which takes little longer than one viewport: time grows with numpy's calls.

    `measure` returns the size of a text in pixels; `halo`: colour round text, passed on to the result. Without previous
    labels equal inputs give equal results, whatever else is laid out in the same pass.
    """
    if not viewports:
        return []
    frame = LayoutFrame.of([in_view(viewport) for viewport in viewports])
    lines = join_lines(frame)
    laid = lay_lines(lines, frame)
    marks = lay_marks(lines, laid.heads, frame)
    labels = lay_labels(laid, marks, frame, measure, [viewport.room for viewport in viewports])
    parts = zip(viewports, lay_triangles(frame), laid.of_panes(), marks, labels, strict=True)
    return [
        PlacedPane(
            width=viewport.width,
            height=viewport.height,
            triangles=triangles,
            lines=joined_rows(shown, text.leaders) if text.leaders.subjects else shown,
            marks=points,
            labels=text.placed,
            halo=halo,
            labels_dropped=text.dropped,
            leaders=len(text.leaders.subjects),
        )
        for viewport, triangles, shown, points, text in parts
    ]


def in_view(viewport: Viewport) -> PaneInView:
    """The viewport's solids and turned groups in the view frame."""
    width, height = viewport.width, viewport.height
    whole = [x <= 0.0 and wide >= width for x, _, wide, _ in viewport.room.taken]
    bars = [(y, tall) for (_, y, _, tall), across in zip(viewport.room.taken, whole, strict=True) if across]
    corners = [taken for taken, across in zip(viewport.room.taken, whole, strict=True) if not across]
    top = max((tall for y, tall in bars if y <= 0.0), default=0.0)
    bottom = max((height - y for y, tall in bars if y > 0.0), default=0.0)
    return pane_of(viewport.draw, Projection(viewport.camera, width, height), viewport.density, (top, bottom), corners)


def with_groups_laid_out(viewport: Viewport) -> DrawList:
    """The draw list with each turned group's side, stretch and shift set as the layout chooses them in the viewport."""
    draw, seen = viewport.draw, in_view(viewport)
    if not draw.groups:
        return draw
    basis, distance = seen.projection.basis, viewport.camera.distance
    sides, shifts = product(seen.sides, basis), product(np.array([fit.shift for fit in seen.fits]), basis)
    settled = zip(draw.groups, seen.fits, sides, distance * shifts, strict=True)
    groups = [replace(group, side=side, stretch=fit.stretch, shift=shift) for group, fit, side, shift in settled]
    return replace(draw, groups=groups)


def handed(draw: DrawList, projection: Projection) -> DrawList:
    """The draw list whose turned groups keep the hand that they have in this projection, wherever the camera turns.

    It is the hand of the preferred side. With a hand, the layout does not turn a group to its other side for want of
    room.
    """
    kept = zip(draw.groups, hands(draw.groups, projection), strict=True)
    return replace(draw, groups=[replace(group, hand=hand) for group, hand in kept])


def anchored(draw: DrawList, placed: Iterable[PlacedLabel]) -> DrawList:
    """The draw list whose labels have the anchors that they got in the layout, and no others.

    If all got their first anchors, this is `draw` itself, whose labels keep their other anchors.
    """
    chosen = {label.number: label.anchor for label in placed if label.anchor}
    if not chosen:
        return draw
    return replace(draw, labels=[label.at(chosen.get(number, 0)) for number, label in enumerate(draw.labels)])


def anchors(viewport: Viewport, placed: Iterable[PlacedLabel] = ()) -> Array:
    """The anchors (l, 2) of the draw list's labels in pixels, inside the pane or outside.

    Of a label in `placed` it is the one that it got, of another the first.
    """
    labels, seen = anchored(viewport.draw, placed).labels, in_view(viewport)
    if not labels:
        return np.zeros((0, 2))
    points = seen.projection.to_view(np.array([label.point for label in labels]))
    if seen.fits:
        groups = np.array([label.group for label in labels])
        points = lifted(points, np.array([label.lift for label in labels]), groups, LayoutFrame.of([seen]))
    return seen.projection.screen(points)[:, :2]
