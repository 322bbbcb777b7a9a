"""The numbers of the answer, each with its names and its meaning, told once for all places that show it.

JSON and its schema (`app/cli/answer_keys.py`), the text of `check` (`app/cli/report.py`) and the panel Answers follow
from `QUANTITIES`: a number more is one row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from core.analysis.analysis import Analysis
from core.geometry.vector import Array
from core.verdict import Certainty

Vector = Annotated[list[float], Meta(min_length=2, max_length=3)]
"""JSON's: a pair in the plane."""


class Quantity(Struct, frozen=True):
    """A number, or a vector (3,), of the answer; `value` is None where the answer has none.

    `key`, `kind`: of the JSON, and its type; `title`, `note`: of the text, and what stands there with the value, for a
    number behind its `unit`; `label`, `meaning`: of the panel, and its tooltip, which the schema has too. `certainty`:
    how the number is known.
    """

    key: str
    title: str
    value: Callable[[Analysis], float | Array | None]
    meaning: str
    label: str = ""
    note: str = ""
    unit: str = ""
    kind: Any = float
    certainty: Callable[[Analysis], Certainty] | None = None


QUANTITIES = (
    Quantity(
        "separation",
        "separation",
        lambda found: found.separation,
        "Signed, in scene units: positive when apart, negative when overlapping.",
        note="positive: apart, negative: overlapping",
        unit="scene units",
        certainty=lambda found: found.certainty,
    ),
    Quantity(
        "normal",
        "normal",
        lambda found: found.normal,
        "Unit vector from A towards B.",
        note="unit, from A towards B",
        kind=Vector,
    ),
    Quantity(
        "mtv",
        "mtv",
        lambda found: found.mtv,
        "Minimum translation vector (MTV): the shortest move of B that ends the overlap.",
        label="MTV",
        note="added to B, separates them",
        kind=Vector | None,
    ),
    Quantity(
        "witness_a",
        "witness A",
        lambda found: found.witness_a,
        "Witness point on A: the closest to B, or the deepest inside B.",
        label="witness on A",
        kind=Vector,
    ),
    Quantity(
        "witness_b",
        "witness B",
        lambda found: found.witness_b,
        "Witness point on B: the closest to A, or the deepest inside A.",
        label="witness on B",
        kind=Vector,
    ),
)
