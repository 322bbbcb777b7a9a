"""The operations of a vector picture, in drawing order.

Positions and lengths are the fine pixels in which the picture was laid out, from its top left corner, y down. Colours
are straight alpha, components 0..1, sRGB as displayed. A loop is a closed polygon (k, 2); loops together are filled
where they wind round a point (the non-zero rule).
"""

from __future__ import annotations

from msgspec import Struct

from core.geometry.vector import Array

from ..draw.draw_list import Rgba

Loops = tuple[Array, ...]


class Fill(Struct, frozen=True, eq=False):
    """The inside of loops in one colour."""

    loops: Loops
    rgba: Rgba


class Stroke(Struct, frozen=True, eq=False):
    """Chains of points (k, 2), stroked in one colour with round joints; a chain that ends where it began is closed.

    `dashes`: lengths on, off, on, off ..., of which `spent` has passed at each chain's start. `round_ends`: whether the
    ends are round, else cut square.
    """

    chains: tuple[Array, ...]
    width: float
    rgba: Rgba
    round_ends: bool
    dashes: tuple[float, ...] = ()
    spent: float = 0.0


class Ramp(Struct, frozen=True, eq=False):
    """A straight line from `start` to `end`, (2,) each, whose colour runs through `stops`: share of the way, colour."""

    start: Array
    end: Array
    width: float
    stops: tuple[tuple[float, Rgba], ...]


class Disc(Struct, frozen=True, eq=False):
    """A disc, or with `width` above 0 the line along its rim."""

    centre: Array
    radius: float
    rgba: Rgba
    width: float = 0.0


class Ground(Struct, frozen=True, eq=False):
    """A rectangle filled from one colour at its top to another at its bottom."""

    left: float
    top: float
    width: float
    height: float
    upper: Rgba
    lower: Rgba


class Text(Struct, frozen=True, eq=False):
    """Text from `x` along the baseline `y`, `length` pixels long, `size` to the em, in a halo `reach` pixels wide.

    `lean`: the share of its length that stays in its place where another font sets it. `tex`: its text for
    LaTeX, "" where that follows from the text.
    """

    text: str
    x: float
    y: float
    length: float
    size: int
    bold: bool
    rgba: Rgba
    halo: Rgba
    reach: float
    lean: float = 0.5
    tex: str = ""


class OperationGroup(Struct, frozen=True, eq=False):
    """Operations drawn together: their result has the opacity `alpha` and shows only inside all of the `clips`.

    The same group may stand in a picture more than once.
    """

    operations: tuple[Operation, ...]
    alpha: float = 1.0
    clips: tuple[Loops, ...] = ()


Operation = Fill | Stroke | Ramp | Disc | Ground | Text | OperationGroup


class Picture(Struct, frozen=True, eq=False):
    """A picture of `width` by `height` fine pixels, `fineness` of them to a pixel of the picture.

    `scene`: the JSON text of the scene, which is embedded; `title`: its name, or "". `width_mm`: width on paper; None:
    96 pixels to the inch. `alt`: text for a screen reader, or "". `ground`: the ground that a transparent picture is
    for; "" for others.
    """

    width: int
    height: int
    fineness: int
    operations: tuple[Operation, ...]
    scene: str
    title: str = ""
    width_mm: float | None = None
    alt: str = ""
    ground: str = ""


def times_used(operations: tuple[Operation, ...]) -> dict[int, int]:
    """The number of times that each group stands in a picture, by its identity."""
    times: dict[int, int] = {}

    def count(inside: tuple[Operation, ...]) -> None:
        for operation in inside:
            if isinstance(operation, OperationGroup):
                times[id(operation)] = times.get(id(operation), 0) + 1
                if times[id(operation)] == 1:
                    count(operation.operations)

    count(operations)
    return times
