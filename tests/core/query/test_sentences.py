"""Each kind of step has its sentence, and the sentence has the step's numbers."""

from collections.abc import Iterator
from itertools import pairwise
from typing import get_args, get_type_hints

import pytest

from app.io.presets import load_preset, presets
from core import Body, Box, Polygon, Scene, steps
from core.query.query import Moment, MotionStep, QueryStep
from core.query.sentences import SENTENCES
from core.trace import PlanarStep


def kinds() -> set[type]:
    """Every class of a step."""
    found = {kind for kind in get_args(QueryStep) if kind not in (PlanarStep, MotionStep)}
    return found | {*PlanarStep.__subclasses__()} | {*get_args(get_type_hints(MotionStep)["motion"])}


def shown() -> Iterator[Moment]:
    """The steps of all presets, with the difference built and MPR where they apply."""
    for preset in presets():
        for of in ("", "build", "mpr"):
            yield from steps(load_preset(preset.id).scene, of=of)


def test_every_kind_of_step_has_a_sentence_of_its_own() -> None:
    assert {*SENTENCES} == kinds()
    for moment in shown():
        told = moment.sentence
        assert told.startswith(f"{moment.phase.value}, {moment.index + 1} of {moment.count}: ")
        assert told.endswith(".")
        assert "\n" not in told
        assert "None" not in told
        assert "nan" not in told
        stop = getattr(getattr(moment.step, "motion", moment.step), "stop", None)
        assert stop is None or told.endswith(f" It ends: {stop.value}.")


@pytest.mark.parametrize(("at", "meets"), [((0.4, 0.3, 0.2), True), ((3.0, 0.4, 0.2), False)])
def test_the_last_sentences_have_the_answers_bounds(at: tuple[float, float, float], meets: bool) -> None:
    found = steps(Scene(Body(Box((1, 1, 1))), Body(Box((1, 1, 1)), at)), of="epa" if meets else "gjk")
    assert f"between {found[-1].step.lower:.6g} and {found[-1].step.upper:.6g}" in found[-1].sentence
    assert found[-1].step.upper == pytest.approx(0.6 if meets else 2.0)


SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))


@pytest.mark.parametrize(
    ("scene", "pieces"),
    [
        (Scene(Body(Box((1, 1, 1))), Body(Box((1, 1, 1)), (0.4, 0.3, 0.2))), "faces"),
        (Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (0.4, 0.3), 0.5)), "edges"),
    ],
)
def test_epas_sentences_say_how_many_pieces_go_and_how_many_come(scene: Scene, pieces: str) -> None:
    found = steps(scene, of="epa")[1:]
    assert len(found) > 1
    for moment, after in pairwise(found):
        before, then = ({*getattr(one.step, pieces)} for one in (moment, after))
        assert f", which removes {len(before - then)} and adds {len(then - before)}: " in moment.sentence
