"""What a label says where room is short: every kind of short form, over steps and overlays of several presets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Label, Subject
from app.draw.theme import DARK
from app.io.presets import load_preset
from app.overlays.context import Context
from app.render.pictures import build
from app.stages import parts_of
from app.state.engines import EngineRow
from app.state.view import AxisView, View
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.contact.policies.policy import ContactPolicy
from core.query.query import Phase, query
from core.scene import Scene
from core.study.differential.answers import Engine, EngineAnswer
from core.study.differential.classes import Judgement, Kind
from tests.everything import EVERYTHING

NUMBER = r"[+−]?(?:≈ 0 \([^)]*\)|\d[\d,.]*(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"
BODY = r"[AB](?:\.\S+)?"
AXIS = rf"⊥?{BODY}(?: [×→] {BODY})?"
WAY = rf"(?:(?:gap|overlap) {NUMBER}|touching)"
KINDS = {
    "the best so far": (rf"((?:best so far|decides): ){AXIS}  ({WAY})", r"\1\2"),
    "the axis that decides": (rf"({AXIS})  decides", r"\1"),
    "an axis": (rf"({AXIS})", r"\1"),
    "an axis of the fan": (rf"({AXIS})  {WAY}", r"\1"),
    "a rail at a step": (rf"({AXIS}  {WAY})(?:, (?:decides|best so far))?", r"\1"),
    "a rail with its axis": (rf"{AXIS}  ({WAY})", r"\1"),
    "a rail": (rf"({WAY})", r"\1"),
    "a contact": (rf"(c[₀-₉]+)(?:  depth {NUMBER})?", r"\1"),
    "a contact with its features": (rf"(c[₀-₉]+)  .+ \| .+  (depth {NUMBER})", r"\1  \2"),
    "a contact with its features, its depth said for all": (r"(c[₀-₉]+)  \S+ \| \S+(?: \S+)*", r"\1"),
    "the depth of all contacts": (rf"(depth {NUMBER}) each", r"\1"),
    "a contact that is dropped": (rf"depth {NUMBER}: (dropped)", r"\1"),
    "the closest edges": (rf"\S+ \| \S+  (depth {NUMBER})", r"\1"),
    "EPA's nearest part": (r"nearest ((?:edge|face) (?:w[₀-₉]+)+)", r"\1"),
    "a point of the article": (rf"(.+) \({NUMBER}, {NUMBER}\)", r"\1"),
    "a plane in the gap": (r"(a plane between) the bodies", r"\1"),
    "the first gap": (r"(first gap): proof that they are apart", r"\1"),
    "a crossing": (rf"((?:enters|leaves) [AB]), t = {NUMBER}", r"\1"),
    "a window": (r"(near plane)(?:, off centre)?", r"\1"),
    "a shortcut": (r"the article's (shortcut picks .+)", r"\1"),
    "a side of a plane": (r"(?:positive side|negative side): (n·p > d|solid)", r"\1"),
    "an engine's margin": (rf".+: (edges of radius {NUMBER}|{NUMBER} larger)", r"\1"),
}
"""What a label says in full, and in short: a part of that, whole words; or the sign that stands for it."""
SIGNS = {"="}
"""What a short form may have that the whole has not: both bounds are one number."""
PRESETS = (
    *("flat-gjk-walk", "flat-worked-example", "skew-edges", "cylinder-on-ground", "off-centre-window", "crossed-edges"),
    *("box-on-plate", "squares-turned", "edge-touch"),
)


def labels_of(name: str) -> Iterator[Label]:
    loaded = load_preset(name)
    scene, analysis, opened = loaded.scene, analyse(loaded.scene), loaded.view or View()
    for axis_view in AxisView:
        for hover in (None, Subject("contact", 0), Subject("axis", 0)):
            view = replace(opened, shown=EVERYTHING, axis_view=axis_view, hover=hover)
            yield from drawn(Context(scene, analysis, view, DARK))
    yield from drawn(Context(scene, analysis, replace(opened, shown=EVERYTHING), DARK, engine=rounded(scene)))
    asked = query(analysis, AlgorithmSettings(mpr=True, reduce=scene.dimension == 3))
    for place, moment in enumerate(asked.moments):
        yield from drawn(Context(scene, analysis, View(), DARK, asked, place))
        for part in parts_of(asked, moment):
            context = Context(scene, analysis, View(), DARK, asked, place, part=part.name)
            for build_part in (part.world, part.difference):
                draw = DrawList()
                build_part(context, draw)
                yield from draw.labels

    for policy in ContactPolicy:
        asked = query(analysis, AlgorithmSettings(preference=policy))
        for place, moment in enumerate(asked.moments):
            if moment.phase is Phase.CONTACTS:
                yield from drawn(Context(scene, analysis, View(), DARK, asked, place))


def drawn(context: Context) -> Iterable[Label]:
    pictures = build(context)
    return (*pictures.world.labels, *pictures.difference.labels)


def rounded(scene: Scene) -> EngineRow:
    """An engine that rounds the edges of boxes, cylinders and hulls."""
    engine = Engine("e", rounds=dict.fromkeys(("box", "cylinder", "hull"), (0.05, 0.05)))
    return EngineRow(
        name="e",
        title="E",
        engine=engine,
        scene=scene,
        answer=EngineAnswer(0.5),
        judgement=Judgement(Kind.AGREES),
        number=1,
    )


@pytest.fixture(scope="module")
def found() -> list[tuple[str, str]]:
    """Every label that has a short form, and the form, each once."""
    return sorted({(one.text, one.brief) for name in PRESETS for one in labels_of(name) if one.brief})


def kinds_of(text: str, brief: str) -> list[str]:
    return [
        kind
        for kind, (whole, short) in KINDS.items()
        if (match := re.fullmatch(whole, text)) and match.expand(short) == brief
    ]


def test_every_short_form_is_of_a_kind_that_says_what_it_is(found: list[tuple[str, str]]) -> None:
    assert [pair for pair in found if not kinds_of(*pair)] == []


def test_every_kind_is_met_with(found: list[tuple[str, str]]) -> None:
    assert {kind for pair in found for kind in kinds_of(*pair)} == {*KINDS}


def test_a_short_form_has_whole_words_of_the_text_and_never_a_number_alone(found: list[tuple[str, str]]) -> None:
    for text, brief in found:
        words = re.findall(r"[^\s,:]+", brief)
        assert {*words} <= {*re.findall(r"[^\s,:]+", text)} | SIGNS, (text, brief)
        assert re.sub(NUMBER, "", brief).strip(), (text, brief)
        assert len(brief) <= len(text) + 2, (text, brief)
