"""Each kind of step has its sentence, and the sentence has the step's numbers."""

import re
from collections.abc import Iterator
from itertools import pairwise
from math import inf, pi
from typing import Any, get_args, get_type_hints

import pytest

from app.io.presets import load_preset, presets
from core import Body, Box, Circle, Polygon, Rounded, Scene, Sphere, steps
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.contact.policies.policy import ContactPolicy
from core.geometry.quaternion import from_axis_angle
from core.query.query import Moment, MotionStep, Phase, QueryStep, query
from core.query.sentences import SENTENCES
from core.trace import PlanarStep


def kinds() -> set[type]:
    """Every class of a step."""
    found = {kind for kind in get_args(QueryStep) if kind not in (PlanarStep, MotionStep)}
    return found | {*PlanarStep.__subclasses__()} | {*get_args(get_type_hints(MotionStep)["motion"])}


def shown() -> Iterator[Moment]:
    """The steps of all presets and of the scenes below, with the difference built and MPR where they apply."""
    for scene in (*(load_preset(preset.id).scene for preset in presets()), *MORE):
        for of in ("", "build", "mpr"):
            yield from steps(scene, of=of)


def numbers_of(step: Any) -> list[float]:
    """What a step's sentence has to tell, in order: the numbers of its record, by the kind of the step."""

    def bounds() -> list[float]:
        return [] if None in (step.lower, step.upper) else [step.lower, step.upper]

    def time() -> list[float]:
        return [] if step.time is None else [step.time]

    match type(step).__name__:
        case "GjkStep":
            return [] if step.support is None else [*step.closest, *step.support.xyz, *bounds()]
        case "EpaStep" | "EpaPolygonStep":
            if step.support is None:
                return [step.given]
            changes = [len(step.removed), len(step.added)] if step.added else []
            return [*step.closest, *step.support.xyz, *changes, *bounds()]
        case "MprStep":
            found = [] if step.support is None else [*step.support.xyz]
            return [*found, *([] if step.upper is None else [abs(step.upper)])]
        case "ArticleStep":
            return [*step.direction, step.product]
        case "BuildStep":
            return [len(step.points), len(step.faces)]
        case "SatStep":
            return [step.row + 1, *([] if step.separation is None else [step.separation])]
        case "NormalStep":
            return [*step.normal, step.separation]
        case "CornerDepthsStep":
            return [len(step.contacts), *step.normal]
        case "WitnessStep":
            return [*step.contact.position]
        case "ReduceStep":
            return [len(step.kept), len(step.dropped)]
        case "ScaledPlaneStep":
            return [*step.radii, 1, *time()]
        case "SpheresStep":
            return [*([] if step.closest is None else [step.closest]), step.reach, *time()]
        case "SphereBoxStep":
            return [step.nearest, *time()]
        case "IntervalStep":
            return [step.row + 1, step.entry, step.exit]
        case "GjkRaycastStep":
            return [step.t, step.distance, step.next_t]
        case "AdvancementStep":
            return [step.time, step.distance, *([] if step.next_time == inf else [step.next_time])]
        case "PlaneStep" if hasattr(step, "distance"):
            return [step.distance, *([] if step.speed is None else [step.speed]), *time()]
    return []


def claims_of(step: Any) -> list[tuple[str, bool]]:
    """What a step's sentence may say in words, and whether it is true of the record."""
    match type(step).__name__:
        case "GjkStep":
            shapes = ("a point", "a segment", "a triangle", "a tetrahedron")
            return [
                ("encloses the origin", step.support is None),
                *(
                    (f"simplex, {name}, is", step.support is not None and len(step.simplex) == k + 1)
                    for k, name in enumerate(shapes)
                ),
            ]
        case "EpaStep" | "EpaPolygonStep":
            return [
                (" 1 point.", step.support is None and step.given == 1),
                (" points.", step.support is None and step.given != 1),
                (", which removes ", step.support is not None and bool(step.added)),
            ]
        case "MprStep":
            return [
                (step.action.value.capitalize(), True),
                ("the support point", step.support is not None),
                ("the depth is at most", step.upper is not None and step.upper >= 0.0),
                ("apart by", step.upper is not None and step.upper < 0.0),
            ]
        case "PlanesTestStep":
            return [(f"nearest corner is {step.gap:.6g} in front of the plane of {step.label}.", True)]
        case "FlatStep":
            return [(f"flat part of {'AB'[step.body]} is a {step.kind}, {step.name}.", True)]
        case "CutStep":
            return [(f"{step.side} of {'AB'[step.body]} cuts the other's", True)]
        case "LevelStep":
            a, b = step.faces
            return [(f"planes of {a} and {b} are within {step.delta:.6g} here.", True)]
        case "SphereBoxStep":
            return [
                ("The bounding sphere:", step.crossing is None),
                ("A region of the grown box:", step.crossing is not None),
            ]
        case "IntervalStep":
            return [(" They stay apart.", step.separated)]
        case "SweptAxisStep":
            return [
                (f"On {step.label} the gap to all of B's way is {step.gap:.6g}", True),
                (", which separates.", step.separates),
            ]
        case "AdvancementStep":
            return [("stay free for ever.", step.next_time == inf), ("stay free until ", step.next_time < inf)]
        case "GrownEdgeStep":
            return [
                ("does not cross the line", step.time is None),
                ("crosses at time", step.time is not None),
                (f" the line of {step.label}, moved out by {step.radius:.6g}.", True),
            ]
        case "ArcStep":
            return [
                (f"The circle of {step.radius:.6g} about {step.label}: ", True),
                (" no time of contact yet", step.time is None),
            ]
        case "SpheresStep" | "PlaneStep" | "ScaledPlaneStep":
            return [("no time of contact yet", step.time is None), ("contact at time", step.time is not None)]
    return []


NUMBER = re.compile(r"(?<![\w.+×-])-?(?:\d+(?:\.\d+)?(?:e[-+]\d+)?|inf)(?![\w×])")


def test_every_kind_of_step_has_a_sentence_of_its_own() -> None:
    assert {*SENTENCES} == kinds()
    for moment in shown():
        step = getattr(moment.step, "motion", moment.step)
        if wanted := numbers_of(step):
            found = NUMBER.findall(moment.sentence.partition(": ")[2])
            assert found == [f"{number + 0.0:.6g}" for number in wanted], (type(step).__name__, moment.sentence)
        for words, true in claims_of(step):
            assert (words in moment.sentence) == true, (type(step).__name__, words, moment.sentence)
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


CUBE, SMALL = Box((2.0, 2.0, 2.0)), Box((1.0, 1.0, 1.0))
NEARING = Scene(Body(CUBE), Body(CUBE, (4.0, 0.5, 0.25), displacement=(-4.0, 0.0, 0.0)))
"""Two cubes 2 apart along x that meet halfway on."""
LEAVING = Scene(Body(CUBE), Body(CUBE, (4.0, 0.5, 0.25), displacement=(4.0, 0.0, 0.0)))
DEEP = Scene(Body(CUBE), Body(CUBE, (0.5, 0.0, 0.0)))
TOUCHING = Scene(Body(CUBE), Body(CUBE, (2.0, 0.0, 0.0)))
BALL = Scene(Body(CUBE), Body(Sphere(0.5), (4.0, 0.0, 0.0), displacement=(-4.0, 0.0, 0.0)))
DISC, ROUND = Circle(0.5), Rounded(SQUARE, 0.25)
MORE = (
    *(DEEP, TOUCHING, NEARING, LEAVING, BALL),
    Scene(Body(CUBE), Body(CUBE, (2.0, 2.0, 2.0))),
    Scene(Body(CUBE), Body(CUBE, (4.0, 0.0, 0.0), displacement=(-1.0, 0.0, 0.0))),
    Scene(Body(CUBE), Body(SMALL, (0.0, 1.5, 0.0), from_axis_angle((1.0, 0.0, 2.0), 0.003))),  # a corner 0.001 deep
    # Past a corner, at it, against a side, away from it, and beside it all the time.
    Scene(Body(DISC), Body(ROUND, (3.0, 2.0, 0.0), displacement=(-4.0, 0.0, 0.0))),
    Scene(Body(DISC), Body(ROUND, (3.0, 1.5, 0.0), displacement=(-4.0, 0.0, 0.0))),
    Scene(Body(ROUND), Body(SQUARE, (4.0, 0.5, 0.0), displacement=(-4.0, 0.0, 0.0))),
    Scene(Body(ROUND), Body(SQUARE, (4.0, 0.5, 0.0), displacement=(4.0, 0.0, 0.0))),
    Scene(Body(ROUND), Body(SQUARE, (4.0, 0.5, 0.0), displacement=(0.0, 4.0, 0.0))),
)


@pytest.mark.parametrize(
    ("scene", "of", "index", "told"),
    [
        (NEARING, "sat", 0, "On axis 1 the separation is 2, the largest so far. It separates the bodies."),
        (NEARING, "sat", 1, "On axis 2 the separation is -1.5, not above the largest so far."),
        (
            *(NEARING, "gjk", 0),
            "The simplex, a point, is nearest the origin at (-2, 1.5, 1.75), and with the support point "
            "(-2, -2.5, -2.25) the cores' distance lies between 0 and 3.05164.",
        ),
        (DEEP, "mpr", 1, "; the depth is at most 1.5. It ends: ON_RAY."),
        (NEARING, "mpr", 1, "; apart by 1.68673 at least. It ends: EXCLUDED."),  # |T| less 4.75 / |T|, along T itself
        (TOUCHING, "mpr", 1, "; the depth is at most 0. It ends: TOUCHING."),
        (NEARING, "build", 0, "Subtract: 8 differences, 0 faces."),
        (NEARING, "build", -1, "Done: 64 differences, 6 faces."),
        (NEARING, "intervals", 0, "On axis 1 the bodies overlap from time 0.5 to 1.5."),
        (LEAVING, "intervals", 0, "On axis 1 the bodies overlap from time -1.5 to -0.5. They stay apart."),
        (NEARING, "swept", 0, "On A.x the gap to all of B's way is -2."),
        (LEAVING, "swept", 0, "On A.x the gap to all of B's way is 2, which separates."),
        (NEARING, "advancement", 0, "At time 0 the bodies are 2 apart, and stay free until 0.5."),
        (LEAVING, "advancement", 0, "At time 0 the bodies are 2 apart, and stay free for ever. It ends: MOVING_AWAY."),
        (BALL, "regions", 0, "The bounding sphere: its least gap on the way is -2.23205; no time of contact yet."),
        (BALL, "regions", 1, "its least gap on the way is -0.5; contact at time 0.625. It ends: HIT."),
    ],
)
def test_sentences_have_the_numbers_that_a_scene_has_on_paper(scene: Scene, of: str, index: int, told: str) -> None:
    assert steps(scene, of=of)[index].sentence.endswith(told)


OVER_A_SIDE = Scene(Body(CUBE), Body(SMALL, (0.5, 1.4, 0.0), from_axis_angle((0.0, 1.0, 0.0), pi / 4)))
"""A corner of B's lower face reaches 0.2 over A's side +x, which cuts the square to five corners."""
TILTED = Scene(Body(CUBE), Body(SMALL, (0.0, 1.51, 0.0), from_axis_angle((1.0, 0.0, 1.0), 0.05)))
"""Of the corners of B's lower face two stay 0.01 above A, one rises and one drops by 0.035."""
CROSSING = Scene(
    Body(CUBE, rotation=from_axis_angle((0.0, 1.0, 0.0), pi / 4)),
    Body(CUBE, (2.7, 0.0, 0.0), from_axis_angle((0.0, 0.0, 1.0), pi / 4)),
)
"""The edge v4-v6 of A runs along y at x = √2, v2-v5 of B along z at 2.7 - √2."""


@pytest.mark.parametrize(
    ("scene", "preference", "told"),
    [
        (OVER_A_SIDE, ContactPolicy.TOLERANT, "about the normal (0, 1, 0), with the separation -0.1."),
        (OVER_A_SIDE, ContactPolicy.TOLERANT, "The flat part of A is a polygon, +y."),
        (OVER_A_SIDE, ContactPolicy.TOLERANT, "The flat part of B is a polygon, -y."),
        (OVER_A_SIDE, ContactPolicy.TOLERANT, "v4-v7 of A cuts the other's shadow."),
        (OVER_A_SIDE, ContactPolicy.TOLERANT, "4 contacts are kept, 1 dropped."),
        (OVER_A_SIDE, ContactPolicy.EXACT, "+y of A meets -y of B: face of A."),
        (OVER_A_SIDE, ContactPolicy.EXACT, "v4-v7 cuts 4 points to 5."),
        (TILTED, ContactPolicy.EXACT, "1 of 4 points lie below the reference face."),
        (CROSSING, ContactPolicy.EXACT, "v4-v6 of A meets v2-v5 of B: edge × edge."),
        (CROSSING, ContactPolicy.EXACT, "Of 1 pairs of edges v4-v6 of A and v2-v5 of B come closest."),
    ],
)
def test_sentences_about_contacts_have_what_a_scene_has_on_paper(
    scene: Scene, preference: ContactPolicy, told: str
) -> None:
    found = query(analyse(scene), AlgorithmSettings(preference=preference, reduce=True)).moments
    assert [moment.sentence for moment in found if moment.phase is Phase.CONTACTS and moment.sentence.endswith(told)]
