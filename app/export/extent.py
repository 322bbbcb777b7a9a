"""Computes the exact box of the ink in a pane. Pixels of the halo's colour, which is the background's, are no ink."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import Array, length_rows

from ..draw.draw_list import Rgba
from ..draw.placed import Box, PlacedLines, PlacedPane
from .operations import Disc, Fill, Operation, Ramp, Stroke
from .strokes import VISIBLE_DIFFERENCE, label_operations, line_operations, mark_operations, outlined


def extent_of(placed: PlacedPane) -> Box | None:
    """Left, top, right and bottom, pixels, of a pane's ink, cut at the pane's border; None without ink.

    The background, lines of Layer.GROUND and the line between two panes do not count.
    """
    lines = _without_dividers(placed)
    operations = (
        *line_operations(lines, 0, len(lines.width)),
        *mark_operations(placed.marks),
        *outlined(label_operations(placed.labels, placed.halo)),
    )
    corners = placed.triangles.corners[placed.triangles.rgba[:, 3] > VISIBLE_DIFFERENCE, :, :2].reshape(-1, 2)
    boxes = [box for operation in operations for box in _boxes(operation, placed.halo)]
    if not len(corners) and not boxes:
        return None
    points = np.concatenate((corners, *boxes)).clip(0.0, (placed.width, placed.height))
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _without_dividers(placed: PlacedPane) -> PlacedLines:
    """The lines without those of Layer.GROUND and those that run from one side of the pane to the opposite one."""
    lines = placed.lines
    low, high = np.minimum(lines.start, lines.end), np.maximum(lines.start, lines.end)
    kept = np.arange(len(low)) >= lines.ground_lines
    kept &= ~(((low <= 0.0) & (high >= (placed.width, placed.height))).any(axis=1))
    own = {
        name: getattr(lines, name)[kept]
        for name in ("start", "end", "width", "start_rgba", "end_rgba", "dash", "phase")
    }
    return replace(lines, **own, subjects=(), ground_lines=0)


def _boxes(operation: Operation, halo: Rgba) -> Iterator[Array]:
    """Yields arrays of points (k, 2) that the box of the operation's ink encloses; nothing if it has no ink."""
    match operation:
        case Fill(loops, rgba) if _inked(rgba, halo):
            yield from loops
        case Disc(centre, radius, rgba, width) if _inked(rgba, halo):
            yield np.array((centre - (radius + 0.5 * width), centre + (radius + 0.5 * width)))
        case Stroke(chains, width, rgba, round_ends, dashes, spent) if _inked(rgba, halo):
            for chain in chains:
                yield from _along(_dashed(chain, dashes, spent), 0.5 * width, round_ends=round_ends)
        case Ramp(start, end, width, stops) if any(_inked(rgba, halo) for _, rgba in stops):
            yield from _along(np.array((start, end)), 0.5 * width, round_ends=False)


def _inked(rgba: Rgba, halo: Rgba) -> bool:
    return rgba[3] > VISIBLE_DIFFERENCE and rgba[:3] != halo[:3]


def _along(points: Array, half: float, *, round_ends: bool) -> Iterator[Array]:
    """Yields points at the border of a stroke along points (k, 2); its bends are round, its ends round or square.

    `half`: half its width. `round_ends`: the ends are round too; those of a closed chain always are.
    """
    round_ends = round_ends or bool(len(points) > 2 and (points[0] == points[-1]).all())
    discs = points if round_ends else points[1:-1]
    yield np.concatenate((discs - half, discs + half))
    ways = np.diff(points, axis=0)
    sizes = length_rows(ways)[:, None]
    across = half * ways[:, ::-1] * (-1.0, 1.0) / np.maximum(sizes, 1e-12)
    yield np.concatenate((points[:-1] - across, points[:-1] + across, points[1:] - across, points[1:] + across))


def _dashed(chain: Array, dashes: tuple[float, ...], spent: float) -> Array:
    """The chain (k, 2) from the start of its first dash to the end of its last one; whole without a pattern.

    `dashes`: lengths of dash and gap in turn; `spent`: the length of the pattern before the chain. Empty if the chain
    lies in a gap.
    """
    if not dashes:
        return chain
    along = np.concatenate(((0.0,), np.cumsum(length_rows(np.diff(chain, axis=0)))))
    whole, period = along[-1], sum(dashes)
    ends = np.cumsum(dashes)
    begins = np.concatenate(((0.0,), ends[:-1]))[::2]
    rounds = period * np.arange(np.floor(spent / period), np.ceil((spent + whole) / period) + 1.0)
    starts = (rounds[:, None] + begins - spent).ravel()
    stops = (rounds[:, None] + ends[::2] - spent).ravel()
    on = (stops > 0.0) & (starts < whole)
    if not on.any():
        return chain[:0]
    first, last = max(0.0, starts[on].min()), min(whole, stops[on].max())
    within = (along > first) & (along < last)
    at = np.concatenate(((first,), along[within], (last,)))
    return np.column_stack([np.interp(at, along, chain[:, k]) for k in (0, 1)])
