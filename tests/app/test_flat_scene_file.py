"""Scenes of the plane in files and in `check`: read strictly, written digit for digit, answered like those of space."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import report
from app.cli.check import CheckOptions, check
from app.io.scene_file import Loaded, SceneError, from_tree, load, read, save, to_tree, write
from app.io.scene_log import SceneLog
from app.state.view import View
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.study.articles.plane import WORKED_EXAMPLE
from tests.core.planar_samples import FAMILIES, scenes


def tree(**changes: Any) -> dict[str, Any]:
    """A good scene; `changes` replace parts of it by dotted paths (a__shape__points), None takes a key out."""
    scene: dict[str, Any] = {
        "separatrix": 1,
        "dimension": 2,
        "a": {"shape": {"type": "polygon", "points": [[0, 1], [1, -1], [-1, -1]]}, "position": [0, 0], "rotation": 0.5},
        "b": {"shape": {"type": "circle", "radius": 0.5}, "position": [1.2, 0]},
    }
    for path, value in changes.items():
        *parents, key = path.split("__")
        place = scene
        for parent in parents:
            place = place[parent]
        if value is None:
            del place[key]
        else:
            place[key] = value
    return scene


def found(**changes: Any) -> Scene:
    scene = read(json.dumps(tree(**changes))).scene
    assert scene.dimension == 2
    return scene


def test_a_scene_of_the_plane_is_read() -> None:
    triangle = Polygon(((0.0, 1.0), (1.0, -1.0), (-1.0, -1.0)))
    assert found(name="pair", notes="look", b__displacement=[0, 1]) == Scene(
        Body.in_plane(triangle, (0.0, 0.0), 0.5),
        Body.in_plane(Circle(0.5), (1.2, 0.0), 0.0, (0.0, 1.0)),
        "pair",
        "look",
    )


SQUARE = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])
CONVEX = "a.shape.points: must go around a convex polygon"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"b__shape__radius": -1}, "b.shape.radius: must be > 0, got -1"),
        ({"b__shape__radius": 1e-40}, "b.shape.radius: must lie between 1e-30 and 1e+30, got 1e-40"),
        ({"b__shape__type": "sphere"}, 'b.shape.type: must be polygon or circle in a 2D scene, got "sphere"'),
        ({"b__shape__size": 1}, "b.shape.size: unknown key, got 1"),
        ({"a__position": [0, 0, 0]}, "a.position: must be a list of 2, got 3: [0, 0, 0]"),
        ({"a__position": [0, 1e31]}, "a.position[1]: must lie within ±1e+30, got 1e+31"),
        ({"a__position": None}, "a.position: missing"),
        ({"a__rotation": [1, 0, 0, 0]}, "a.rotation: must be a number, got [1, 0, 0, 0]"),
        ({"a__rotation": 1e31}, "a.rotation: must lie within ±1e+30, got 1e+31"),
        ({"a__angular_displacement": [0, 0, 1]}, "a.angular_displacement: must be a number, got [0, 0, 1]"),
        ({"a__angular_displacement": -1e31}, "a.angular_displacement: must lie within ±1e+30, got -1e+31"),
        ({"a__matrix": 1}, "a.matrix: unknown key, got 1"),
        ({"a__shape__points": []}, f"{CONVEX}: a polygon needs at least one point"),
        (
            {"a__shape__points": [[0, 0], [1e-31, 0]]},
            "a.shape.points: must span more than 1e-30, got [[0, 0], [1e-31, 0]]",
        ),
        ({"a__shape__points": [[0, 0], [2, 0], [2, 2], [1, 0.5]]}, f"{CONVEX}: the loop is not convex at point 3"),
        ({"a__shape__points": [[0, 0], [1, 0], [0, 1e31]]}, "a.shape.points[2][1]: must lie within ±1e+30, got 1e+31"),
        ({"a__shape__points": [[0, 0], [1, 0], [0]]}, "a.shape.points[2]: must be a list of 2, got 1: [0]"),
        ({"a__shape__points": [[0, 0], [1, 0], [0, "1"]]}, 'a.shape.points[2][1]: must be a number, got "1"'),
        ({"separatrix": 2}, "separatrix: written by a newer version of the program: this one reads 1, got 2"),
        ({"dimension": None}, 'a.shape.type: polygon is a 2D shape and needs "dimension": 2 in the scene'),
        ({"dimension": "2"}, 'dimension: must be the whole number 2 or 3, got "2"'),
        ({"dimension": 2.0}, "dimension: must be the whole number 2 or 3, got 2.0"),
        ({"dimension": True}, "dimension: must be the whole number 2 or 3, got true"),
        ({"colour": "red"}, 'colour: unknown key, got "red"'),
        ({"b": None}, "b: missing"),
        ({"view": {"colour": 1}}, "view.colour: unknown key, got 1"),
        (
            {"view": {"yaw": 0, "pitch": 0, "free_axis": [1, 0, 0]}},
            "view.free_axis: must have two numbers in a 2D scene, got [1, 0, 0]",
        ),
        (
            {"view": {"yaw": 0, "pitch": 0, "probe": {"kind": "point", "at": [1, 2, 0]}}},
            'view.probe: must be left out in a 2D scene, got {"kind": "point", "at": [1, 2, 0]}',
        ),
    ],
)  # fmt: skip
def test_every_fault_has_its_path_and_its_value(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SceneError) as caught:
        read(json.dumps(tree(**changes)))
    assert str(caught.value) == sentence


@pytest.mark.parametrize("text", ['{"radius": NaN}', '{"radius": 1e999}'])
def test_numbers_that_are_none_are_refused(text: str) -> None:
    given = json.dumps(tree()).replace('"radius": 0.5', text[1:-1])
    with pytest.raises(SceneError, match=r"b\.shape\.radius: must be a finite number"):
        read(given)


def test_what_is_written_is_read_back() -> None:
    for scene in (WORKED_EXAMPLE, *scenes(200, 1, FAMILIES)):
        loaded = read(write(scene))
        assert loaded.scene == scene
        assert loaded.view is None
    moving = Scene(Body.in_plane(Circle(1.0), (1.0, 2.0), 0.25, (0.5, 0.0), -0.1), WORKED_EXAMPLE.b, "Ü", "two\nlines")
    assert to_tree(moving)["a"]["angular_displacement"] == -0.1
    assert "angular_displacement" not in to_tree(moving)["b"]
    assert from_tree(to_tree(moving, View())) == Loaded(moving, View())


def test_either_dimension_is_read_from_files(tmp_path: Path) -> None:
    flat, solid = tmp_path / "flat.json", tmp_path / "solid.json"
    save(flat, WORKED_EXAMPLE)
    solid.write_text(
        '{"separatrix": 1, "dimension": 3, "a": {"shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 0]},'
        ' "b": {"shape": {"type": "sphere", "radius": 1}, "position": [3, 0, 0]}}',
        encoding="utf-8",
    )
    assert load(flat).scene.dimension == 2
    assert load(solid).scene.dimension == 3
    with pytest.raises(SceneError, match=r"missing\.json"):
        load(tmp_path / "missing.json")


def test_a_log_has_scenes_of_the_plane(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(tree(name="flat")) + "\n", encoding="utf-8")
    entries = SceneLog(log)
    assert entries.title(0) == "flat"
    assert entries.scene(0).scene == found(name="flat")
    entries.close()


def answers(capsys: pytest.CaptureFixture[str], path: Path, *, single: bool = False) -> list[dict[str, Any]]:
    assert check([str(path)], as_json=True, options=CheckOptions(single=single)) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_check_answers_with_pairs_of_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "flat.json"
    path.write_text(write(WORKED_EXAMPLE), encoding="utf-8")
    (found,) = answers(capsys, path, single=True)
    right = analyse(WORKED_EXAMPLE)
    assert found["verdict"] == "OVERLAPPING"
    assert found["dimension"] == 2
    assert found["separation"] == right.separation
    assert [*found["normal"], 0.0] == right.normal.tolist()
    assert len(found["mtv"]) == len(found["witness_a"]) == len(found["witness_b"]) == 2
    assert found["sat"]["winner"] == "A.edge0"
    assert [axis["label"] for axis in found["sat"]["axes"]] == [f"{body}.edge{k}" for body in "AB" for k in range(3)]
    assert all(len(axis["axis"]) == 2 for axis in found["sat"]["axes"])
    assert found["planes"] == {"verdict": "OVERLAPPING", "gap": right.separation, "best": "A.edge0", "first": None}
    assert found["gjk"]["separation"] is None
    assert found["epa"]["stop"] == "CONVERGED"
    assert [len(contact["position"]) for contact in found["contacts"]] == [2, 2]
    assert found["contact_vertices"]["feature_a"] == "edge"
    assert found["sweep"] is None
    assert found["disagreements"] == []
    assert found["provenance"]["separation"] == {"kind": "exact", "gap": 0}
    assert [answer["algorithm"] for answer in found["single"]["answers"]] == [
        "SAT",
        "planes test",
        "GJK and EPA",
        "explicit hull",
    ]
    assert all(len(answer["normal"]) == len(answer["double"]["normal"]) == 2 for answer in found["single"]["answers"])


def test_check_says_when_bodies_of_the_plane_meet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "moving.json"
    given = tree(a__shape={"type": "polygon", "points": SQUARE.points}, a__rotation=0, b__position=[5, 1.3])
    given["b"]["displacement"] = [-6, 0]
    path.write_text(json.dumps(given), encoding="utf-8")
    (found,) = answers(capsys, path)
    swept = found["sweep"]
    assert (swept["outcome"], swept["stop"], swept["axis"]) == ("HIT", "HIT", "A.v2→B")
    assert swept["method"] == "closed form against the difference"
    assert swept["time"] == pytest.approx(0.6)
    assert swept["normal"] == pytest.approx([0.8, 0.6])
    assert abs(swept["separation"]) < 1e-14
    (contact,) = swept["contacts"]
    assert contact["position"] == pytest.approx([1.0, 1.0])
    assert (contact["feature_a"], contact["feature_b"]) == ("v2", "centre")
    assert check([str(path)], as_json=False) == 0
    words = capsys.readouterr().out
    assert "hit at time +0.600000 (0: start, 1: end), by closed form against the difference" in words
    assert "+0.800000     +0.600000  unit, from A towards B, axis A.v2 → B" in words


def test_intervals_are_in_the_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "flat.json"
    path.write_text(json.dumps(tree(a__rotation=0, a__position=[10, 20], b__position=[12, 20])), encoding="utf-8")
    (found,) = answers(capsys, path)
    down = found["sat"]["axes"][1]
    assert (down["label"], down["axis"]) == ("A.edge1", [0, -1])
    assert down["interval_a"] == [-21, -19]
    assert down["interval_b"] == [-20.5, -19.5]


def test_a_log_may_mix_dimensions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solid = {"separatrix": 1, "a": {"shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 0]}}
    solid["b"] = {"shape": {"type": "sphere", "radius": 1}, "position": [3, 0, 0]}
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in (tree(name="flat"), solid)), encoding="utf-8")
    flat, other = answers(capsys, path)
    assert (flat["name"], len(flat["normal"]), len(other["normal"])) == ("flat", 2, 3)


def test_standard_input_takes_a_scene_of_the_plane(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stdin:
        buffer = io.BytesIO(json.dumps(tree(name="piped"), indent=1).encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert check(["-"], as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "piped"


@pytest.mark.parametrize(
    ("b", "words"),
    [
        (Body.in_plane(SQUARE, (3.0, 0)), ["Separated: 1 unit apart along ⊥A.e1 (tied with", "in front of A.e1"]),
        (Body.in_plane(SQUARE, (5.0, 6.0)), ["5 units apart, exact; SAT's largest gap is only 4, along ⊥A.e2"]),
        (Body.in_plane(SQUARE, (2.0, 0.5)), ["a gap of 0 along ⊥A.e1", "no point behind A.e1", "contact 2"]),
        (Body.in_plane(SQUARE, (1.5, 0)), ["Overlapping: 0.5 units along ⊥A.e1 (tied with"]),
        (Body.in_plane(Circle(1.0)), ["Overlapping: 2 units along ⊥A.e0", "a circle or a border is round", "A.v0 → B"]),
        (Body.in_plane(Circle(1.0), (1.0, 1.0)), ["degenerate", "A.v2 | B.centre"]),
    ],
)  # fmt: skip
def test_the_text_says_it_in_words(b: Body, words: list[str]) -> None:
    text = report.to_text(analyse(Scene(Body.in_plane(SQUARE), b)), None, "A pair")
    for word in words:
        assert word in text
    assert text.startswith("A pair\n")
    assert text.endswith("\n")
    assert "DISAGREEMENT" not in text


def test_two_circles_with_one_centre_in_words() -> None:
    text = report.to_text(
        analyse(Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(2.0)))), None, "Rings", ["mended"]
    )
    assert "Overlapping: 3 units in any direction, exact" in text
    assert "note: mended" in text
    assert "A → B" in text
