"""The numbers of the answer, one row of `QUANTITIES` each.

`check --json` and its schema, the text of `check` and the panel Answers show every row. The panel Side by side shows
the rows whose key is a field of a method's row (`core/study/lab/side_by_side/row.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from core.analysis.analysis import Analysis
from core.geometry.vector import Array
from core.verdict import Certainty

Vector = Annotated[list[float], Meta(min_length=2, max_length=3)]
"""A vector in JSON: three numbers, or two in the plane."""


class Quantity(Struct, frozen=True):
    """A number, or a vector (3,), of the answer, in scene units unless its meaning says otherwise.

    `key`, `kind`: the JSON key and its type. `title`: the name in the text, where `unit` and `note` follow the value.
    `value`: computes it from the answer; returns None where the answer has none. `label`: the name in the panel, if it
    differs. `meaning`: a sentence, the panel's tooltip and the schema's description. `certainty`: how the number is
    known, where the answer says so.
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
