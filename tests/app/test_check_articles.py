"""`check --articles`: every applicable mistake beside the right answer, and what the articles find by hand."""

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
from core.articles import ARTICLE_VARIANTS, MOTION_VARIANTS
from core.articles.plane import PLANAR_VARIANTS
from core.lab.side_by_side.row import Reason

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
    assert list(asked)[-2:] == ["articles", "by_hand"]
    del asked["articles"], asked["by_hand"]
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
    assert found["by_hand"]["motion"]["regions"][-1] == "<+1, +1, +1>"
    assert {row["method"] for row in found["by_hand"]["motion"]["methods"]} >= {"conservative advancement"}


def test_a_method_that_cannot_tell_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["method"]: row for row in objects(capsys, "grazing-spheres")["by_hand"]["motion"]["methods"]}
    axes = rows["entry and exit times"]
    assert (axes["outcome"], axes["stop"], axes["time"]) == ("ITERATION_LIMIT", "AXES_DO_NOT_SUFFICE", None)
    assert 0.0 <= axes["free"] < rows["two spheres in closed form"]["time"]
    told = checked(capsys, "grazing-spheres", "--articles").splitlines()
    (line,) = (row for row in told if "entry and exit times" in row)
    assert "ITERATION_LIMIT (AXES_DO_NOT_SUFFICE), proved apart until t = " in line


def test_the_ray_that_a_scene_keeps_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    found = objects(capsys, "ray-past-a-cube")
    fooled = by_id(found)["P12-box-one-axis"]
    assert (fooled["about"], fooled["article"], fooled["right"]) == ("ray against A", True, False)
    assert found["by_hand"]["probe"]["a"] is None
    assert found["by_hand"]["probe"]["b"]["enters"] > 0.0
    aside = [v for v in objects(capsys, "off-centre-window")["articles"] if v["id"] == "P11-off-centre"]
    assert [(v["about"], v["article"], v["right"]) for v in aside] == [
        ("ray against A", False, True),
        ("ray against B", True, False),
    ]


def test_in_the_plane_the_worked_example_is_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    found = objects(capsys, "flat-worked-example")
    assert by_id(found)["G5-second-support"]["article"] == "BE (0, −3)"
    assert [(step["pair"], step["support"]) for step in found["by_hand"]["gjk"]["steps"]] == [
        ("AD", [0, 2]),
        ("BE", [0, -2]),
        ("CE", [-2, -2]),
    ]
    assert {row["pair"]: row["difference"] for row in found["by_hand"]["pairs"]} == {
        "AD": [0, 2],
        "AE": [-1, 0],
        "AF": [1, 0],
        "BD": [1, 0],
        "BE": [0, -2],
        "BF": [2, -2],
        "CD": [-1, 0],
        "CE": [-2, -2],
        "CF": [0, -2],
    }
    text = checked(capsys, "flat-worked-example", "--articles")
    assert "3  along (−4, 0): CE (−2, −2)" in text
    assert "BE (0, −3) instead of BE (0, −2)." in text


def test_of_two_boxes_the_visible_faces_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    faces = objects(capsys, "faces-alone-say-apart")["by_hand"]["faces"]
    assert [face["face"] for face in faces] == ["A.+x", "A.+z", "B.−x", "B.+y"]
    assert all(face["distance"] < 0.0 and not any(face["within"]) and not face["meets"] for face in faces)
    assert "  A.+x 0.762563 behind, out of its bounds" in checked(capsys, "faces-alone-say-apart", "--articles")
    assert objects(capsys, "two-spheres")["by_hand"]["faces"] is None


def test_points_planes_and_scaled_space_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    point = objects(capsys, "point-in-convex")["by_hand"]["probe"]
    assert all(plane["distance"] < 0.0 for plane in point["a"]["planes"])
    assert sum(plane["distance"] > 0.0 for plane in point["b"]["planes"]) == 3
    plane = objects(capsys, "plane-through-three-points")["by_hand"]["probe"]
    assert (plane["a"]["words"], plane["b"]["words"]) == ("behind the plane", "in front of the plane")
    ends = min(plane["a"]["vertices"]), max(plane["a"]["vertices"])
    assert (plane["a"]["lowest"], plane["a"]["highest"]) == pytest.approx(ends, abs=1e-12)
    # B is a cylinder: it has no vertices, and is in front of the plane as a whole.
    assert 0.0 < plane["b"]["lowest"] < plane["b"]["centre"] < plane["b"]["highest"]
    told = checked(capsys, "plane-through-three-points", "--articles").splitlines()
    assert [line.split()[1] for line in told if line.startswith("    vertices")][-1] == "none"
    scaled = objects(capsys, "ellipsoid-and-plane")["by_hand"]["probe"]
    assert scaled["gap"] == pytest.approx(scaled["distance"] - scaled["h"])
    assert scaled["mistaken_distance"] > 1.0 > scaled["scaled_distance"]


def test_every_mistake_shows_in_some_preset() -> None:
    wrong = set()
    for preset in presets():
        loaded = load_preset(preset.id)
        probe = None if loaded.view is None else loaded.view.probe
        found = versions(analyse(loaded.scene), sweep(loaded.scene), probe)
        wrong |= {version.id for version in found if version.reason is Reason.ARTICLE}
    assert {variant.id for variant in (*ARTICLE_VARIANTS, *MOTION_VARIANTS, *PLANAR_VARIANTS)} == wrong
