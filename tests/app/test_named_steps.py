"""Named steps: one grammar wherever steps are named, with one sentence for what it refuses."""

from __future__ import annotations

import pytest

from app.io.presets import load_preset
from app.lessons.forms import place_from, place_named
from app.stages.placed_steps import NoSuchStepError, places_of, query_with
from app.state.named_steps import STEP_WANTED, STEPS_WANTED, read_step, read_steps
from app.state.option import StepPlaceKind, StepsKind
from app.words.names import axis_name
from core.analysis.analysis import analyse
from core.query.query import Phase

APART = analyse(load_preset("flat-one-gap").scene)
DEEP = analyse(load_preset("flat-epa-growth").scene)
MOVING = analyse(load_preset("tunnelling").scene)


def told(text, analysis=DEEP):
    """The steps of a text, as `gjk:2` and `epa:2:join`, the answer as 0."""
    steps = read_steps(text)
    asked = query_with(steps, analysis)
    found = []
    for place, part in places_of(steps, asked):
        moment = asked.moments[place]
        name = f"{moment.phase.name.lower()}:{moment.index + 1}" + ("" if part == "whole" else f":{part}")
        found.append("0" if place < 0 else name)
    return found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gjk:1,gjk:2", ["gjk:1", "gjk:2"]),
        ("gjk:1-3", ["gjk:1", "gjk:2", "gjk:3"]),
        ("epa:4-stop, epa:stop", ["epa:4", "epa:5", "epa:5"]),
        ("epa:2:join,epa:2", ["epa:2:join", "epa:2"]),
        ("0,gjk:1", ["0", "gjk:1"]),
        ("epa", [f"epa:{number}" for number in range(1, 6)]),
        ("sat:1,sat:⊥A.e1,sat:A.edge1", ["sat:1", "sat:2", "sat:2"]),
    ],
)
def test_a_list_names_steps_in_its_order(text: str, names: list[str]) -> None:
    assert told(text) == names


def test_numbers_and_ranges_are_of_the_whole_query() -> None:
    everything = told("all")
    assert told("3-7") == everything[2:7]
    assert told("16,18") == [everything[15], everything[17]]
    assert told("0-2") == ["0", *everything[:2]]
    assert told("20-25,epa") == [*everything[19:25], *told("epa")]


def test_a_phase_that_runs_only_if_asked_for_is_run_and_a_motion_is_swept() -> None:
    assert told("build:stop,gjk:1", APART)[1] == "gjk:1"
    assert told("advancement:1", MOVING) == ["advancement:1"]
    assert told("sat:first-gap", APART) == told("sat:first_gap", APART) == ["sat:2"]


@pytest.mark.parametrize("preset", ["skew-edges", "tetrahedra-cross", "sphere-edge-region", "flat-hexagon-pentagon"])
def test_a_step_of_sat_is_named_by_its_axis(preset: str) -> None:
    analysis = analyse(load_preset(preset).scene)
    table = analysis.sat
    for row in range(len(table.candidates)):
        for name in (axis_name(table, row), table.candidates[row].label):
            assert told(f"sat:{name}", analysis) == [f"sat:{row + 1}"]


@pytest.mark.parametrize(
    "text", ["", "3-x", "gjk:", "gjk:3-", "1.5", "GJK", "stop", "gjk:1;gjk:2", "3:support-A", "1,,2"]
)
def test_no_list_of_steps_is_refused_with_one_sentence(text: str) -> None:
    for read, kind, wanted in ((read_steps, StepsKind(), STEPS_WANTED), (read_step, StepPlaceKind(), STEP_WANTED)):
        for reader in (read, kind.read):
            with pytest.raises(ValueError, match="must be") as refused:
                reader(text)
            assert str(refused.value).startswith(f"must be {wanted}")


@pytest.mark.parametrize("text", ["gjk", "3-7", "gjk:1,gjk:2", "gjk:1-2"])
def test_where_one_step_is_meant_several_are_refused(text: str) -> None:
    assert read_steps(text)
    with pytest.raises(ValueError, match=STEP_WANTED):
        read_step(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gjk:99", "has no step gjk:99: there are "),
        ("gjk:2-99", "has no steps gjk:2-99: there are "),
        ("999", "has no step 999: there are "),
        ("mpr", "has no steps of mpr: its query has those of "),
        ("sat:⊥A.e9", "no axis is called so"),
        ("sat:first-gap", "no axis has a gap"),
        ("gjk:1:nothing", "has no part nothing of step gjk:1: it has "),
    ],
)
def test_steps_that_a_scene_lacks_are_told(text: str, why: str) -> None:
    with pytest.raises(NoSuchStepError, match=why):
        told(text)


def test_a_lesson_names_a_step_as_the_command_line_does() -> None:
    for named, words in (
        ("gjk:3", ("gjk", "3")),
        ("epa:stop", ("epa", "stop")),
        ("sat:first-gap", ("sat", "first_gap")),
        ("epa:hand-over", ("epa", "hand-over")),
        ("gjk:support-A", ("gjk", "support A")),
    ):
        assert place_named(named) == place_named(" ".join(words)) == place_from(*words)
    assert place_from("gjk", "support A").phase is Phase.GJK
