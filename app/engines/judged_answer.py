"""An engine's answer as a JSON record: under `engines` of `check --json`, and in the findings of `hunt --json`.

Each field is a key of the record; the schema has its type and description. A number that is not finite becomes null.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Numbers = Annotated[tuple[float | None, ...], Meta(min_length=2, max_length=3)]


class JudgedContact(Struct, frozen=True):
    """A point of its contact manifold."""

    point: Numbers
    separation: float | None


class JudgedAnswer(Struct, frozen=True):
    """An engine's answer, and its class beside the truth."""

    engine: str
    version: str
    separation: float | None
    normal: Numbers | None
    on_a: Annotated[Numbers | None, Meta(description="its nearest or deepest point on A")]
    on_b: Annotated[Numbers | None, Meta(description="its nearest or deepest point on B")]
    contacts: list[JudgedContact]
    kind: Annotated[str, Meta(description="beside the truth")] = field(name="class")
    words: Annotated[str, Meta(description="the class with its rule and bound")]
    fault: bool
    by: Annotated[str | None, Meta(description="what it was judged by")]
    failure: Annotated[
        Literal["crash", "hang", "garbage", "not finite"] | None, Meta(description="where the class is failed")
    ]
    difference: Annotated[float | None, Meta(description="its number less the true one")]
    share: Annotated[
        float | None,
        Meta(
            description="by how much of the true separation the number is off, null where there is no number or the "
            "bodies touch but for rounding"
        ),
    ]
    bound: Annotated[float | None, Meta(description="how large the difference may be in the class")]
    proves: Annotated[float | None, Meta(description="the separation that its normal proves")]
    severity: Annotated[float | None, Meta(description="of a fault, in units of the larger body's size")]
    us: Annotated[float | None, Meta(description="microseconds that its call took")]


REQUIRED = ["engine", "version", "separation", "normal", "class"]
JudgedAnswers = list[Annotated[JudgedAnswer, Meta(extra_json_schema={"required": REQUIRED})]]
"""The type of the key `engines`; the schema requires some keys of each answer."""
