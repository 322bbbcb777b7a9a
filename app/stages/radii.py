"""The radii that GJK and EPA add to the cores at the end: the sum in words, in symbols and for the pictures' labels.

A sphere's core is its centre and a capsule's is its segment. An ellipsoid's core is the ellipsoid less a ball of its
least radius of curvature (`core.pair.support.Shrunk`).
"""

from __future__ import annotations

from msgspec import Struct

from core.query.query import Phase, Query
from core.shapes import sharp_of

from ..overlays.context import Context
from ..words.digits import PICTURE, digits_for, plain, written
from ..words.expression import Identifier, Node, equation, symbols
from ..words.formula import Formula

MOST_DIGITS = 6
"""Most digits of the two numbers in a sentence's equation; where these digits do not give the result, it has ≈."""
(_R,) = symbols("r")
_EQUATION_OF = {-1: Identifier("separation"), 1: Identifier("depth")}


def radii_words(query: Query) -> str:
    """`the radii`, or `the radius` if only one body has one."""
    maps = query.support_maps
    return "the radii" if maps is not None and maps.radius_a and maps.radius_b else "the radius"


def radii_note(query: Query) -> str:
    """A sentence that the radii follow at the end, and what an ellipsoid's is; "" without radii."""
    maps = query.support_maps
    if maps is None or not maps.radius:
        return ""
    radii, size, scene = radii_words(query).capitalize(), plain(maps.radius), query.analysis.scene
    several = radii == "The radii"
    if any(sharp_of(body.shape)[0].radii is not None for body in (scene.a, scene.b)):
        verb = "come" if several else "comes"
        return f"{radii} {verb} last: {size} (an ellipsoid's: least radius of curvature)."
    return f"{radii}, {size}{' together, follow' if several else ', follows'} at the end."


class WithRadii(Struct, frozen=True):
    """The end of a run on cores with radii: `core` ± `radius` = `result`, scene units.

    `sign`: -1 for GJK, where the result is the distance of the cores less the radii, 1 for EPA, where it is their depth
    with the radii. `radii`: `the radii` or `the radius`. `touching`: the result is within the touching tolerance.
    """

    core: float
    radius: float
    result: float
    sign: int
    radii: str
    touching: bool

    @staticmethod
    def of(query: Query, phase: Phase) -> WithRadii | None:
        """The end of the run of GJK or EPA; None without radii, and if the run found no certified answer."""
        maps, found = query.support_maps, query.distance
        if maps is None or not maps.radius or found is None:
            return None
        radii, band = radii_words(query), query.analysis.band
        if phase is Phase.EPA:
            epa = found.epa
            if epa is None or not epa.certified:
                return None
            return WithRadii(epa.core_depth, maps.radius, epa.depth, 1, radii, abs(epa.depth) <= band)
        gjk = found.gjk
        if gjk.separation is None or not gjk.certified:
            return None
        return WithRadii(gjk.distance, maps.radius, gjk.separation, -1, radii, abs(gjk.separation) <= band)

    @property
    def sentence(self) -> str:
        """The equation and the verdict, as in `Less the radii, 0.655 − 0.55 = 0.105: A and B are 0.105 apart`."""
        head = f"{'Less' if self.sign < 0 else 'With'} {self.radii}"
        return f"{head}, {self.equation}: A and B {self._verdict('are {} apart', 'overlap by {}')}."

    @property
    def label(self) -> str:
        """`less radius 0.55: 0.105 apart`, for the picture."""
        verdict = self._verdict("{} apart", "overlap {}")
        return f"{'less' if self.sign < 0 else '+'} radius {plain(self.radius)}: {verdict}"

    def _verdict(self, apart: str, overlap: str) -> str:
        if self.touching:
            return "touch"
        separation = -self.sign * self.result
        return (apart if separation > 0.0 else overlap).format(plain(abs(separation)))

    @property
    def equation(self) -> str:
        """`0.655 − 0.55 = 0.105`, with more digits where some of them cancel; ≈ if that is not enough."""
        symbol, result = "+−"[self.sign < 0], plain(self.result)
        if self.touching and self.result != 0.0:
            return f"{plain(self.core)} {symbol} {plain(self.radius)} ≈ 0"
        for count in range(digits_for(PICTURE), max(MOST_DIGITS, digits_for(PICTURE)) + 1):
            core, radius = (float(f"{value:.{count}g}") for value in (self.core, self.radius))
            if written(core + self.sign * radius, digits_for(PICTURE)) == result:
                return f"{written(core, count)} {symbol} {written(radius, count)} = {result}"
        return f"{plain(self.core)} {symbol} {plain(self.radius)} ≈ {result}"

    def formula(self, core: Node) -> Formula:
        """The equation in symbols, with r for the radii; `core`: the symbol of the cores' distance or depth."""
        side = core - _R if self.sign < 0 else core + _R
        return Formula.of(equation(_EQUATION_OF[self.sign], side), self.result, {core: self.core, _R: self.radius})


def answer_label(context: Context, phase: Phase) -> str:
    """The label of the radii's end at the last step of GJK or EPA; "" without a certified answer, or without radii."""
    ended = None if context.query is None else WithRadii.of(context.query, phase)
    return "" if ended is None else ended.label
