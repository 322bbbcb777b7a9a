"""The table of keys of an answer of `separatrix check --json`; the JSON, its schema and `--fields` follow from it.

The numbers of the answer are rows of `app/words/quantities.py`, which the text and the panel Answers share. The
objects under `sat`, `gjk` and so on are in `app/cli/answer_parts.py`. `python -m app.packaging.make_schema` writes
`assets/check.schema.json` anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from msgspec import UNSET, Meta, Struct

from core.analysis.analysis import Analysis
from core.analysis.motion_answers import SweepAnswer, sweep
from core.float32 import SinglePrecision, analyse_single
from core.verdict import Verdict

from ..engines.judged_answer import JudgedAnswers
from ..io.scene_file import Loaded
from ..probes import Probe
from ..words.quantities import QUANTITIES, Quantity
from . import answer_parts as parts
from .report import contradictions

if TYPE_CHECKING:
    from ..engines.asked import Judged

SCHEMA = 1
"""The value of the key `schema`. New keys do not change it; a key with a changed meaning would make it 2."""


class SceneAnswers(Struct, frozen=True, eq=False, dict=True):
    """All answers about a scene. The motion's and single precision's are computed when first read."""

    loaded: Loaded
    analysis: Analysis
    engines: tuple[Judged, ...] = ()

    @property
    def dimension(self) -> int:
        """The scene's dimension: the number of coordinates of a vector."""
        return self.loaded.scene.dimension

    @cached_property
    def moving(self) -> SweepAnswer | None:
        """The answer about the motion; None if neither body moves or turns."""
        return sweep(self.loaded.scene)

    @cached_property
    def single(self) -> SinglePrecision:
        """The answers in single precision of every algorithm that applies."""
        return analyse_single(self.loaded.scene)

    @property
    def probe(self) -> Probe | None:
        """The probe stored in the scene, if any."""
        return None if self.loaded.view is None else self.loaded.view.probe


class AnswerKey(Struct, frozen=True):
    """A key of the answer with its type and meaning; `value` returns UNSET if the key is to be left out.

    The value of a key without the function `value` comes from the caller of `answer_record`.
    """

    name: str
    kind: Any
    meaning: str = ""
    value: Callable[[SceneAnswers], Any] | None = None


def _value_of(quantity: Quantity, found: SceneAnswers) -> Any:
    value = quantity.value(found.analysis)
    return parts.floats(value[: found.dimension]) if isinstance(value, np.ndarray) else value


def _only_plane(value: Callable[[SceneAnswers], Any]) -> Callable[[SceneAnswers], Any]:
    return lambda found: UNSET if found.analysis.polygon is None else value(found)


def _contacts(found: SceneAnswers) -> list[parts.ContactPoint] | None:
    manifold = found.analysis.contacts
    return None if manifold is None else parts.ContactPoint.all_of(manifold.contacts, found.dimension)


def _articles(found: SceneAnswers) -> list[parts.ArticleVersion]:
    from .articles_report import versions

    return versions(found.analysis, found.moving, found.probe)


def _engines(found: SceneAnswers) -> list[dict[str, Any]]:
    from ..engines.asked import answer_object

    return [answer_object(one) for one in found.engines]


def _steps(found: SceneAnswers) -> list[parts.StepPart]:
    from .step_report import step_records

    return step_records(found.analysis, found.moving)


ANSWER_KEYS = (
    AnswerKey("name", str, "the scene's, or where it stands"),
    AnswerKey("dimension", Literal[2], "of scenes of the plane only", _only_plane(lambda found: found.dimension)),
    AnswerKey(
        "verdict",
        Verdict,
        "TOUCHING: the separation is zero within the tolerance",
        lambda found: found.analysis.verdict,
    ),
    AnswerKey(
        "hull_of",
        dict[Literal["a", "b"], parts.MeshPart],
        "of bodies that are the hull of a mesh which is not convex: all numbers are the hull's",
        lambda found: parts.MeshPart.all_of(found.analysis.scene) or UNSET,
    ),
    *(AnswerKey(one.key, one.kind, one.meaning, partial(_value_of, one)) for one in QUANTITIES),
    AnswerKey("sat", parts.Sat, "", lambda found: parts.Sat.of(found.analysis.sat, found.dimension)),
    AnswerKey("planes", parts.Planes | None, "", _only_plane(lambda found: parts.Planes.of(found.analysis.planes))),
    AnswerKey("gjk", parts.Gjk | None, "", lambda found: parts.Gjk.of(found.analysis)),
    AnswerKey("epa", parts.Epa | None, "", lambda found: parts.Epa.of(found.analysis)),
    AnswerKey(
        "contact_vertices", parts.ContactVerticesPart, "", lambda found: parts.ContactVerticesPart.of(found.analysis)
    ),
    AnswerKey("contacts", list[parts.ContactPoint] | None, "null for pairs that have no manifold", _contacts),
    AnswerKey("sweep", parts.SweepPart | None, "", lambda found: parts.SweepPart.of(found.moving, found.dimension)),
    AnswerKey(
        "disagreements",
        list[str],
        "where two algorithms contradict each other; empty when all is well",
        lambda found: contradictions(found.analysis, found.moving),
    ),
    AnswerKey(
        "provenance",
        dict[str, parts.Known | None],
        "how each separation is known, and within what",
        lambda found: parts.Known.all_of(found.analysis),
    ),
    AnswerKey("flatness", parts.FlatnessPart | None, "", lambda found: parts.FlatnessPart.of(found.analysis.contacts)),
    AnswerKey("remarks", list[str], "what was mended on reading", lambda found: found.loaded.remarks or UNSET),
    AnswerKey(
        "error",
        str,
        "why there is no answer: the scene was refused, or a fault of the program, with the file of its traceback",
    ),
    AnswerKey("schema", Annotated[int, Meta(extra_json_schema={"const": SCHEMA})]),
    AnswerKey(
        "single",
        parts.Single,
        "with --single: single precision beside double",
        lambda found: parts.Single.of(found.single),
    ),
    AnswerKey("articles", list[parts.ArticleVersion], "with --articles: the source articles' versions", _articles),
    AnswerKey("engines", JudgedAnswers, "with --engines: what other engines say", _engines),
    AnswerKey("steps", parts.Steps, "with --steps", _steps),
    AnswerKey("file", str, "the log that the scene stands in"),
    AnswerKey("line", Annotated[int, Meta(ge=1)], "its line there"),
    AnswerKey("failures", list[str], "the conditions of --fail-on and --expect that the scene fails"),
)
"""Every key of an answer, in order."""

ANSWER_NAMES = tuple(key.name for key in ANSWER_KEYS)
ALWAYS = (*(key.name for key in ANSWER_KEYS if key.value is None), "hull_of")
"""Keys that `--fields` never leaves out: those whose value the caller of `answer_record` gives, and `hull_of`."""
OPTIONS = ("single", "articles", "engines", "steps")
"""Keys that have an option of their own."""
CUT = {"by_hand": "the window has it (panels Motion and Pairs, the probe's card, the overlay of visible faces)"}
"""Removed keys, each with the key or option that has its information now."""


def answer_record(
    place: Mapping[str, Any],
    found: SceneAnswers | None,
    wants: Callable[[str], bool] = lambda key: key not in OPTIONS,
) -> dict[str, Any]:
    """The answer as JSON values: the keys that the scene has and that `wants` accepts, in order.

    `place`: the values of keys without a function `value`, always included. `found`: None for a refused scene.
    """
    values = {}
    for key in ANSWER_KEYS:
        if key.name in place:
            values[key.name] = place[key.name]
        elif found is not None and key.value is not None and wants(key.name):
            value = key.value(found)
            if value is not UNSET:
                values[key.name] = value
    return values
