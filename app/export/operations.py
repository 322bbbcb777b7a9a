"""The operations that a vector picture consists of, in drawing order.

Positions and lengths are in fine pixels, in which the picture was laid out, from its top left corner, y down. Colours
have straight alpha, components 0..1, sRGB as displayed. A loop is a closed polygon (k, 2). Several loops are filled
together by the non-zero rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from core.geometry.vector import Array

from ..draw.draw_list import Rgba

Loops = tuple[Array, ...]
POINTS_PER_MM = 72.0 / 25.4


class Fill(Struct, frozen=True, eq=False):
    """The inside of loops in one colour."""

    loops: Loops
    rgba: Rgba


class Stroke(Struct, frozen=True, eq=False):
    """Chains of points (k, 2), stroked in one colour with round joints; a chain that ends where it began is closed.

    `dashes`: lengths on, off, on, off ...; `spent`: the length of this pattern before each chain's start.
    `round_ends`: whether ends are round; else they are cut square.
    """

    chains: tuple[Array, ...]
    width: float
    rgba: Rgba
    round_ends: bool
    dashes: tuple[float, ...] = ()
    spent: float = 0.0


class Ramp(Struct, frozen=True, eq=False):
    """A straight line from `start` to `end`, (2,) each, of changing colour; `stops`: share of the way, colour there."""

    start: Array
    end: Array
    width: float
    stops: tuple[tuple[float, Rgba], ...]


class Disc(Struct, frozen=True, eq=False):
    """A disc, or, if `width` is above 0, a line of that width along its rim."""

    centre: Array
    radius: float
    rgba: Rgba
    width: float = 0.0


class Haze(Struct, frozen=True, eq=False):
    """A disc whose colour and opacity change from its middle to its rim; `stops`: at even distances, middle first."""

    centre: Array
    radius: float
    stops: tuple[Rgba, ...]


class Ground(Struct, frozen=True, eq=False):
    """A rectangle filled from one colour at its top to another at its bottom."""

    left: float
    top: float
    width: float
    height: float
    upper: Rgba
    lower: Rgba


class TextRun(Struct, frozen=True, eq=False):
    """Text that starts at `x` on the baseline `y`; `length`: its width; `size`: font size; `halo_width`: the halo's.

    `lean`: the point of its width that stays if another font changes that width: 0 is its left end, 1 its right end.
    `tex`: its text for LaTeX, "" if that is derived from `text`.
    """

    text: str
    x: float
    y: float
    length: float
    size: int
    bold: bool
    rgba: Rgba
    halo: Rgba
    halo_width: float
    lean: float = 0.5
    tex: str = ""


class OperationGroup(Struct, frozen=True, eq=False):
    """Operations drawn as one: their result has the opacity `alpha` and is visible only inside all of the `clips`.

    The same group may be in a picture more than once.
    """

    operations: tuple[Operation, ...]
    alpha: float = 1.0
    clips: tuple[Loops, ...] = ()


Operation = Fill | Stroke | Ramp | Disc | Haze | Ground | TextRun | OperationGroup


class Picture(Struct, frozen=True, eq=False):
    """A picture of `width` by `height` fine pixels, `fineness` of them to a pixel of the picture.

    `scene`: the JSON text of the scene, which is embedded; `title`: its name, or "". `width_mm`: width on paper; None:
    96 pixels to the inch. `alt`: text for a screen reader, or "". `transparent_for`: the background that a transparent
    picture is meant for, `dark` or `light`; "" for a picture with a background.
    """

    width: int
    height: int
    fineness: int
    operations: tuple[Operation, ...]
    scene: str
    title: str = ""
    width_mm: float | None = None
    alt: str = ""
    transparent_for: str = ""


def texts_of(operations: Sequence[Operation]) -> Iterator[TextRun]:
    """Yields all texts, also those in groups, in drawing order."""
    for operation in operations:
        if isinstance(operation, OperationGroup):
            yield from texts_of(operation.operations)
        elif isinstance(operation, TextRun):
            yield operation


def times_used(operations: tuple[Operation, ...]) -> dict[int, int]:
    """Maps the id() of each group to the number of its places; inside a repeated group others count once."""
    times: dict[int, int] = {}

    def count(inside: tuple[Operation, ...]) -> None:
        for operation in inside:
            if isinstance(operation, OperationGroup):
                times[id(operation)] = times.get(id(operation), 0) + 1
                if times[id(operation)] == 1:
                    count(operation.operations)

    count(operations)
    return times
