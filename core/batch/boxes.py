"""SAT for many pairs of boxes: fifteen axes in the radius form (Gottschalk, Lin, Manocha 1996), made unit.

Everything is seen from A's frame, where the product of A's edge i and B's edge j has two components of the relative
rotation. Departures: nearly parallel edges are formed once more from the axes themselves, as `e1 × (e2 ∓ e1)`, because
those components have lost their digits there; and the axis is divided by its length, without which the radius form is
known for false separations.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.tolerances import EPS, FRAME_ROUNDING
from .answers import Reals, Scale, crosses, dots, lengths

RETRY_SIN = 0.03
"""Below this sine of two edges' angle their axis is formed once more. Its components are good to eps, the axis to
eps over the sine: larger, and aligned boxes cost more; smaller, and digits are lost."""

_NEXT, _LAST = [1, 2, 0], [2, 0, 1]


class BoxPairs(Struct, frozen=True, eq=False):
    """A chunk of m box pairs: `half_a`, `half_b` (3, m); `axes_a`, `axes_b` (3 axes, 3, m), world.

    `offsets` (3, m): B less A. `relative` (3, 3, m): component along A's axis i of B's axis j; `offset_a`, `offset_b`
    (3, m): the offset in A's and in B's frame.
    """

    half_a: Reals
    half_b: Reals
    axes_a: Reals
    axes_b: Reals
    offsets: Reals
    relative: Reals
    offset_a: Reals
    offset_b: Reals

    @staticmethod
    def of(half_a: Reals, half_b: Reals, axes_a: Reals, axes_b: Reals, offsets: Reals) -> BoxPairs:
        """Works out the relative pose."""
        a, b = axes_a.swapaxes(0, 1)[:, :, None], axes_b.swapaxes(0, 1)[:, None, :]
        return BoxPairs(
            half_a,
            half_b,
            axes_a,
            axes_b,
            offsets,
            dots(a, b),
            dots(axes_a.swapaxes(0, 1), offsets[:, None]),
            dots(axes_b.swapaxes(0, 1), offsets[:, None]),
        )

    def take(self, pairs: NDArray[np.intp]) -> BoxPairs:
        """Some of the pairs."""
        return BoxPairs(*(getattr(self, name).take(pairs, axis=-1) for name in self.__struct_fields__))

    def scale(self) -> Scale:
        """What tolerances are measured by."""
        return Scale.of(
            self.offsets, lengths(self.half_a), lengths(self.half_b), self.half_a.max(axis=0), self.half_b.max(axis=0)
        )


class BoxSat(Struct, frozen=True, eq=False):
    """Per pair the largest signed separation (m,) over fifteen axes, and the unit axis (3, m) from A to B.

    `winners` (m,): its row in the order A.x A.y A.z B.x B.y B.z A.x×B.x ... A.z×B.z, the lowest of those that rounding
    cannot tell apart.
    """

    separations: Reals
    normals: Reals
    winners: NDArray[np.int64]


def box_sat(pairs: BoxPairs, scale: Scale) -> BoxSat:
    """The winning axis of every pair."""
    gaps = _gaps(pairs)
    threshold = gaps.max(axis=0) - scale.rounding
    winners = np.zeros(gaps.shape[1], dtype=np.int64)
    for row in range(14, -1, -1):
        np.copyto(winners, row, where=gaps[row] >= threshold)
    columns = np.arange(len(winners))
    normals = _axis(pairs, winners)
    # B lies towards +axis unless the smaller way out is the other one; with both ways equal it counts as towards.
    normals *= np.where(dots(normals, pairs.offsets) < 0.0, -1, 1).astype(normals.dtype)
    return BoxSat(gaps[winners, columns], normals, winners)


def _gaps(pairs: BoxPairs) -> Reals:
    """Signed separations on fifteen axes, (15, m)."""
    half_a, half_b, relative = pairs.half_a, pairs.half_b, pairs.relative
    size = np.abs(relative)
    out = np.zeros((15, half_a.shape[1]), dtype=half_a.dtype)
    out[0:3] = np.abs(pairs.offset_a) - half_a - dots(size.swapaxes(0, 1), half_b[:, None])
    out[3:6] = np.abs(pairs.offset_b) - half_b - dots(size, half_a[:, None])
    across_a = relative[_NEXT], relative[_LAST]
    along = np.abs(pairs.offset_a[_LAST][:, None] * across_a[0] - pairs.offset_a[_NEXT][:, None] * across_a[1])
    along -= half_a[_NEXT][:, None] * size[_LAST] + half_a[_LAST][:, None] * size[_NEXT]
    along -= half_b[_NEXT] * size[:, _LAST] + half_b[_LAST] * size[:, _NEXT]
    squares = across_a[0] * across_a[0] + across_a[1] * across_a[1]
    close = squares < RETRY_SIN * RETRY_SIN
    np.copyto(squares, 1.0, where=close)
    along /= np.sqrt(squares)
    if close.any():
        i, j, where = np.nonzero(close)
        along[i, j, where] = _close_gaps(pairs, i, j, where)
    out[6:] = along.reshape(9, -1)
    return out


def _close_gaps(pairs: BoxPairs, i: NDArray[np.intp], j: NDArray[np.intp], where: NDArray[np.intp]) -> Reals:
    """Separations on the products of nearly parallel edges; -inf where rounding leaves them no direction."""
    axes, sines = edge_axes(pairs.axes_a[i, :, where].T, pairs.axes_b[j, :, where].T)
    gaps = np.abs(dots(axes, pairs.offsets[:, where]))
    for k in range(3):
        gaps -= pairs.half_a[k, where] * np.abs(dots(axes, pairs.axes_a[k][:, where]))
        gaps -= pairs.half_b[k, where] * np.abs(dots(axes, pairs.axes_b[k][:, where]))
    spacing = float(np.finfo(sines.dtype).eps) / EPS
    gaps[sines <= FRAME_ROUNDING * spacing] = -np.inf
    return gaps


def edge_axes(along_a: Reals, along_b: Reals) -> tuple[Reals, Reals]:
    """Unit products (3, k) of unit edges (3, k), zero where exactly parallel, and the sines (k,)."""
    flips = np.where(dots(along_a, along_b) < 0.0, -1, 1).astype(along_a.dtype)
    products = crosses(along_a, flips * along_b - along_a)
    sines = lengths(products)
    return products * (flips / np.where(sines > 0.0, sines, 1)), sines


def _axis(pairs: BoxPairs, winners: NDArray[np.int64]) -> Reals:
    """The winning axes (3, m), unit, either way round."""
    columns = np.arange(len(winners))
    edges = np.maximum(winners - 6, 0)
    first = np.where(winners < 3, winners, edges // 3)
    of_a = pairs.axes_a[first, :, columns].T
    of_b = pairs.axes_b[np.where(winners < 6, np.maximum(winners - 3, 0), edges % 3), :, columns].T
    axes = np.where(winners < 3, of_a, of_b)
    crossed = np.flatnonzero(winners >= 6)
    axes[:, crossed] = edge_axes(of_a[:, crossed], of_b[:, crossed])[0]
    return axes
