"""The keys of an answer of `separatrix check --json`: a row each, from which JSON, its schema and `--fields` follow.

The numbers of the answer are rows of `app/words/quantities.py`, which the text and the panel Answers have as well. What
stands inside of `sat`, `gjk` and so on is in `app/cli/answer_parts.py`. `python -m app.packaging.make_schema` writes
`assets/check.schema.json` anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

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
"""The value of the key `schema`. Answers grow by keys; a key that comes to mean something else would make it 2."""


class SceneAnswers(Struct, frozen=True, eq=False, dict=True):
    """All that is found about a scene. Of its motion and in single precision it is found when it is first read."""

    loaded: Loaded
    analysis: Analysis
    engines: tuple[Judged, ...] = ()

    @property
    def dimension(self) -> int:
        """Of the scene: coordinates of a vector."""
        return self.loaded.scene.dimension

    @cached_property
    def moving(self) -> SweepAnswer | None:
        """When the bodies first meet as they move; None where neither does."""
        return sweep(self.loaded.scene)

    @cached_property
    def single(self) -> SinglePrecision:
        """Every algorithm that applies, in single precision."""
        return analyse_single(self.loaded.scene)

    @property
    def probe(self) -> Probe | None:
        """The probe that the scene keeps."""
        return None if self.loaded.view is None else self.loaded.view.probe


class Key(Struct, frozen=True):
    """A key with its type and what it means; `value`: UNSET where the key is left out.

    Of keys without `value` the writer knows it: they say which scene it is.
    """

    name: str
    kind: Any
    meaning: str = ""
    value: Callable[[SceneAnswers], Any] | None = None


def quantity_value(quantity: Quantity, answers: SceneAnswers) -> Any:
    """A number or vector as JSON has it."""
    value = quantity.value(answers.analysis)
    if value is None or isinstance(value, float | int):
        return None if value is None else float(value)
    return parts.floats(value[: answers.dimension])


def _only_plane(value: Callable[[SceneAnswers], Any]) -> Callable[[SceneAnswers], Any]:
    return lambda found: value(found) if found.dimension == 2 else UNSET


def _contacts(found: SceneAnswers) -> list[parts.ContactPoint] | None:
    manifold = found.analysis.contacts
    return None if manifold is None else parts.ContactPoint.all_of(manifold.contacts, found.dimension)


def _articles(found: SceneAnswers) -> list[parts.ArticleVersion]:
    from .articles_report import versions

    return versions(found.analysis, found.moving, found.probe)


def _engines(found: SceneAnswers) -> list[dict[str, Any]]:
    from ..engines.asked import answer_object

    return [answer_object(one) for one in found.engines]


def _steps(found: SceneAnswers) -> list[parts.Step]:
    from .step_report import steps

    return steps(found.analysis, found.moving)


KEYS = (
    Key("name", str, "the scene's, or where it stands"),
    Key("dimension", Literal[2], "of scenes of the plane only", _only_plane(lambda found: found.dimension)),
    Key(
        "verdict",
        Verdict,
        "TOUCHING: the separation is zero within the tolerance",
        lambda found: found.analysis.verdict,
    ),
    *(Key(one.key, one.kind, one.meaning, partial(quantity_value, one)) for one in QUANTITIES),
    Key("sat", parts.Sat, "", lambda found: parts.Sat.of(found.analysis.sat, found.dimension)),
    Key("planes", parts.Planes | None, "", _only_plane(lambda found: parts.Planes.of(found.analysis.planes))),
    Key("gjk", parts.Gjk | None, "", lambda found: parts.Gjk.of(found.analysis)),
    Key("epa", parts.Epa | None, "", lambda found: parts.Epa.of(found.analysis)),
    Key("contact_vertices", parts.ContactVertices, "", lambda found: parts.ContactVertices.of(found.analysis)),
    Key("contacts", list[parts.ContactPoint] | None, "null for pairs that have no manifold", _contacts),
    Key("sweep", parts.Sweep | None, "", lambda found: parts.Sweep.of(found.moving, found.dimension)),
    Key(
        "disagreements",
        list[str],
        "where two algorithms contradict each other; empty when all is well",
        lambda found: contradictions(found.analysis, found.moving),
    ),
    Key(
        "provenance",
        dict[str, parts.Known | None],
        "how each separation is known, and within what",
        lambda found: parts.Known.all_of(found.analysis),
    ),
    Key("flatness", parts.Flatness | None, "", lambda found: parts.Flatness.of(found.analysis.contacts)),
    Key("remarks", list[str], "what was mended on reading", lambda found: found.loaded.remarks or UNSET),
    Key(
        "error",
        str,
        "why there is no answer: the scene was refused, or a fault of the program, with the file of its traceback",
    ),
    Key("schema", Annotated[int, Meta(extra_json_schema={"const": SCHEMA})]),
    Key(
        "single",
        parts.Single,
        "with --single: single precision beside double",
        lambda found: parts.Single.of(found.single),
    ),
    Key("articles", list[parts.ArticleVersion], "with --articles: the source articles' versions", _articles),
    Key("engines", JudgedAnswers, "with --engines: what other engines say", _engines),
    Key("steps", parts.Steps, "with --steps", _steps),
    Key("file", str, "the log that the scene stands in"),
    Key("line", Annotated[int, Meta(ge=1)], "its line there"),
    Key("failures", list[str], "the conditions of --fail-on and --expect that the scene fails"),
)
"""Every key of an answer, in their order."""

FIELDS = tuple(key.name for key in KEYS)
ALWAYS = tuple(key.name for key in KEYS if key.value is None)
"""Keys that say which scene it is: they stand whatever `--fields` asks for."""
OPTIONS = ("single", "articles", "engines", "steps")
"""Keys that have an option of their own."""
CUT = {"by_hand": "the window has it (panels Motion and Pairs, the probe's card, the overlay of visible faces)"}
"""Keys that were told once, and where what they said is now."""


def record(
    place: Mapping[str, Any],
    found: SceneAnswers | None,
    wants: Callable[[str], bool] = lambda key: key not in OPTIONS,
) -> dict[str, Any]:
    """The answer as JSON values: of the keys that one `wants` those that the scene has, in their order.

    `place`: which scene it is, by key; always told. `found`: None for one that was refused.
    """
    told = {}
    for key in KEYS:
        if key.name in place:
            told[key.name] = place[key.name]
        elif found is not None and key.value is not None and wants(key.name):
            value = key.value(found)
            if value is not UNSET:
                told[key.name] = value
    return told
