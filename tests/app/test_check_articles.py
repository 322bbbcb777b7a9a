"""`check --articles`: every applicable mistake beside the right answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.__main__ import main
from app.cli.articles_report import versions
from app.io.presets import load_preset, presets
from app.storage.files import resource
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.study.articles import ARTICLE_VARIANTS, MOTION_VARIANTS
from core.study.articles.plane import PLANAR_VARIANTS
from core.study.lab.side_by_side.row import Reason

KEYS = ["id", "system", "title", "about", "article", "right", "reason", "words"]


def checked(capsys: pytest.CaptureFixture[str], name: str, *flags: str) -> str:
    path = resource("assets", "scenes", f"{name}.json")
    assert main(["check", *flags, str(path)]) == 0
    return capsys.readouterr().out


def objects(capsys: pytest.CaptureFixture[str], name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(checked(capsys, name, "--json", "--articles"))
    return found


def by_id(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {version["id"]: version for version in found["articles"]}


@pytest.mark.parametrize("name", ["containment", "flat-worked-example"])
def test_without_the_flag_nothing_changes(capsys: pytest.CaptureFixture[str], name: str) -> None:
    plain, asked = json.loads(checked(capsys, name, "--json")), objects(capsys, name)
    assert list(asked)[-1] == "articles"
    del asked["articles"]
    assert asked == plain
    assert checked(capsys, name, "--articles").startswith(checked(capsys, name).rstrip("\n"))


def test_a_mistake_stands_beside_the_right_answer(capsys: pytest.CaptureFixture[str]) -> None:
    versions_of = by_id(objects(capsys, "containment"))
    wrong = versions_of["S6-middle-ends"]
    assert list(wrong) == KEYS
    # By hand: B is 0.5 high, and A's interval goes on for 1.1861 to its nearer end.
    assert (wrong["article"], wrong["right"]) == (pytest.approx(0.5), pytest.approx(1.1861, abs=1e-4))
    assert (wrong["about"], wrong["reason"]) == ("pair", "the article's mistake")
    assert versions_of["P6-bounded-faces"]["reason"] == "agrees"
    text = checked(capsys, "containment", "--articles")
    assert "× Depth as the distance of the two middle ends (pair)" in text
    assert "Depth 0.5 instead of 1.1861." in text
    assert "= Bounded faces miss edge-edge contact (pair)" in text


def test_a_test_without_a_word_for_touching_is_no_mistake_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    versions_of = by_id(objects(capsys, "face-touch"))
    assert versions_of["P6-bounded-faces"]["reason"] == "knows no touching"
    assert versions_of["S5-touching-apart"]["reason"] == "the article's mistake"


def test_of_a_motion_times_are_told_and_never_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    found = objects(capsys, "ball-to-a-corner")
    corner = by_id(found)["P5-corner-radius"]
    assert corner["about"] == "motion"
    assert corner["article"] is None
    assert corner["right"] == found["sweep"]["time"]


def test_the_ray_that_a_scene_keeps_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    found = objects(capsys, "ray-past-a-cube")
    fooled = by_id(found)["P12-box-one-axis"]
    assert (fooled["about"], fooled["article"], fooled["right"]) == ("ray against A", True, False)
    aside = [v for v in objects(capsys, "off-centre-window")["articles"] if v["id"] == "P11-off-centre"]
    assert [(v["about"], v["article"], v["right"]) for v in aside] == [
        ("ray against A", False, True),
        ("ray against B", True, False),
    ]


def test_in_the_plane_the_worked_example_has_its_slip(capsys: pytest.CaptureFixture[str]) -> None:
    found = objects(capsys, "flat-worked-example")
    assert by_id(found)["G5-second-support"]["article"] == "BE (0, −3)"
    text = checked(capsys, "flat-worked-example", "--articles")
    assert "BE (0, −3) instead of BE (0, −2)." in text


def test_what_was_told_by_hand_is_refused_with_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        checked(capsys, "containment", "--fields", "name,by_hand")
    assert left.value.code == 2
    sentence = capsys.readouterr().err.splitlines()[0]
    assert "by_hand is not told any more: the window has it (panels Motion and Pairs, " in sentence


def test_every_mistake_shows_in_some_preset() -> None:
    wrong = set()
    for preset in presets():
        loaded = load_preset(preset.id)
        probe = None if loaded.view is None else loaded.view.probe
        found = versions(analyse(loaded.scene), sweep(loaded.scene), probe)
        wrong |= {version.id for version in found if version.reason is Reason.ARTICLE}
    assert {variant.id for variant in (*ARTICLE_VARIANTS, *MOTION_VARIANTS, *PLANAR_VARIANTS)} == wrong
