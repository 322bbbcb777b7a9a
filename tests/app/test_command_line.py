"""`separatrix check` and the usage of all commands, as a user or a script meets them."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.check import CheckOptions, check
from app.io.presets import presets
from app.io.scene_file import load
from core.analysis.analysis import analyse

from .command_rig import BAD, GOOD, ROOT, SCENES, line, objects, run


def test_check_prints_the_answers_for_people() -> None:
    done = run("check", GOOD)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Two boxes, edge against edge\n  Overlapping: 0.31312 units")
    assert "A.z × B.y   −0.313120" in done.stdout
    assert "decides: least overlap" in done.stdout


def test_check_prints_one_object_a_line_for_machines() -> None:
    done = run("check", "--json", GOOD, SCENES / "two-spheres.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert [answer["name"] for answer in objects(done)] == ["Two boxes, edge against edge", "Two spheres"]


def test_what_is_neither_a_command_nor_a_file_is_named() -> None:
    for words, sentence in (
        (["chekc", GOOD], "chekc is neither a command nor a file"),
        ([GOOD, "more.json"], "unrecognized arguments: more.json"),
    ):
        assert run(*words).stderr.splitlines()[0] == f"separatrix: error: {sentence}"


def test_bad_usage_exits_with_2() -> None:
    for words in (
        ["check"],
        ["check", "--yaml", GOOD],
        ["ball.stl", "--simplify", "3"],
        [GOOD, "--simplify", "100"],
        ["--simplify", "100"],
        ["render", GOOD],
        ["render", GOOD, "-o", "out.eps"],
        ["render", GOOD, "-o", "out.png", "--size", "12"],
        ["render", GOOD, "-o", "out.png", "--size", "0x5"],
        ["render", GOOD, "-o", "out.png", "--scale", "nan"],
        ["render", GOOD, "-o", "out.png", "--size", "30000x10", "--scale", "2"],
        ["render", GOOD, "-o", "out.png", "--theme", "pink"],
        ["render", GOOD, "-o", "out.png", "--step", "-1"],
        ["render", GOOD, "-o", "out.png", "--step", "two"],
        ["render", GOOD, "-o", "out.png", "--step", "1.5"],
        ["one.json", "two.json"],
        [""],
        ["check", ""],
    ):
        done = run(*words)
        assert (done.returncode, done.stdout) == (2, ""), words
        assert "Traceback" not in done.stderr


def test_help_and_version() -> None:
    assert "separatrix check FILE... [--json |" in run("--help").stdout
    assert run("--version").stdout.startswith("separatrix ")
    for command in ("check", "render"):
        assert run(command, "--help").returncode == 0


def test_a_bad_scene_is_refused_with_path_and_reason(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(BAD)
    sentence = f"{bad}: b: must be an object, got 0\n"
    done = run("check", bad, GOOD)
    assert (done.returncode, done.stderr) == (1, sentence)
    assert done.stdout.startswith("Two boxes")
    done = run("render", bad, "-o", tmp_path / "out.png")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)
    assert sorted(tmp_path.iterdir()) == [bad]


def test_a_log_goes_on_after_a_broken_line(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line("first") + "{broken\n\n" + BAD + "\n" + line(x=1.0))
    done = run("check", "--json", log)
    assert (done.returncode, done.stderr) == (1, "")
    first, broken, bad, last = objects(done)
    assert (first["name"], first["verdict"]) == ("first", "SEPARATED")
    place = {"file": str(log), "schema": 1}
    assert broken == {"name": f"{log}:2", "error": broken["error"], "line": 2} | place
    assert "is not JSON" in broken["error"]
    assert bad == {"name": f"{log}:4", "error": f"{log}:4: b: must be an object, got 0", "line": 4} | place
    assert (last["name"], last["separation"]) == (f"{log}:5", -0.5)


def test_a_dash_reads_standard_input_a_log_or_a_single_scene() -> None:
    assert [a["separation"] for a in objects(run("check", "--json", "-", stdin=line() + line(x=4.0)))] == [0.5, 2.5]
    assert objects(run("check", "--json", "-", stdin=line()))[0]["name"] == "-:1"
    single = run("check", "--json", "-", stdin=GOOD.read_text(encoding="utf-8"))
    assert [answer["name"] for answer in objects(single)] == ["Two boxes, edge against edge"]
    broken_first = run("check", "--json", "-", stdin='{"separatrix": 1, "a"\n' + line())
    assert ["error" in answer for answer in objects(broken_first)] == [True, False]
    assert run("check", "-", stdin="").returncode == 1


def test_a_log_without_a_scene_is_no_success(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("\n\n")
    done = run("check", log)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{log}: holds no scene\n")


@pytest.mark.parametrize("json_option", [[], ["--json"]])
def test_each_line_of_standard_input_is_answered_as_it_comes(json_option: list[str]) -> None:
    command = [sys.executable, "-m", "app", "check", "-", *json_option]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for name in ("first", "second"):
            process.stdin.write(line(name))
            process.stdin.flush()
            assert any(name in text for text in iter(process.stdout.readline, ""))
        process.stdin.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a device that is always full")
def test_a_full_disk_under_the_output_gets_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "app", "check", GOOD],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    assert (done.returncode, done.stderr) == (1, "separatrix: standard output: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="closes standard input as a shell of POSIX does")
def test_a_closed_standard_input_is_an_empty_one() -> None:
    done = subprocess.run(
        f"'{sys.executable}' -m app check - <&-", shell=True, cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (1, "-: holds no scene\n")


def test_what_was_mended_is_said() -> None:
    scene = json.loads(line("mended")) | {}
    scene["a"]["rotation"] = [2, 0, 0, 0]
    text = json.dumps(scene)
    assert "note: a.rotation: had length 2 instead of 1 and was normalised" in run("check", "-", stdin=text).stdout
    answers = objects(run("check", "--json", "-", stdin=text))[0]
    assert answers["remarks"] == ["a.rotation: had length 2 instead of 1 and was normalised"]


def test_control_characters_of_a_name_do_not_reach_the_terminal() -> None:
    done = run("check", "-", stdin=line("\x1b[31mred"))
    assert "\x1b" not in done.stdout
    assert "red" in done.stdout


def moving(way: list[float], x: float = 4.0) -> str:
    """Two cubes of side 2, B at x and moving by `way`."""
    cube = {"shape": {"type": "box", "size": [2, 2, 2]}}
    scene = {"separatrix": 1, "name": "moving", "a": cube | {"position": [0, 0, 0]}}
    return json.dumps(scene | {"b": cube | {"position": [x, 0.5, 0.25], "displacement": way}}) + "\n"


def test_a_motion_is_swept() -> None:
    logged = moving([-4, 0, 0]) + moving([4, 0, 0]) + moving([0, 1, 0], x=2.0) + moving([0, 0, 0])
    hit, apart, touching, still = (answers["sweep"] for answers in objects(run("check", "-", "--json", stdin=logged)))
    assert list(hit) == ["outcome", "time", "axis", "normal", "contacts", "separation", "free_until", "method", "stop"]
    assert (hit["outcome"], hit["time"], hit["axis"], hit["normal"]) == ("HIT", 0.5, "A.x", [1, 0, 0])
    assert (hit["separation"], hit["free_until"]) == (0, 0.5)
    assert (hit["method"], hit["stop"]) == ("entry and exit times", "HIT")
    assert [contact["position"][0] for contact in hit["contacts"]] == [1, 1, 1, 1]
    assert list(hit["contacts"][0]) == ["position", "depth", "feature_a", "feature_b"]
    assert (apart["outcome"], apart["time"], apart["contacts"]) == ("SEPARATED", None, None)
    assert (apart["axis"], apart["free_until"], apart["stop"]) == ("A.x", 1, "MOVING_AWAY")
    assert (touching["outcome"], touching["time"], touching["stop"]) == ("INITIAL_OVERLAP", 0, "TOUCHING_AT_START")
    assert still is None


def test_a_motion_is_told_in_words() -> None:
    told = run("check", "-", stdin=moving([-4, 0, 0])).stdout
    assert "motion      hit at time +0.500000 (0: start, 1: end), by entry and exit times" in told
    assert "unit, from A towards B, axis A.x" in told
    assert "separation left there 0 scene units" in told
    assert "motion      separated, by entry and exit times" in run("check", "-", stdin=moving([4, 0, 0])).stdout
    assert "motion" not in run("check", "-", stdin=moving([0, 0, 0])).stdout.replace("moving", "")


def test_the_object_has_the_keys_of_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    assert check([str(SCENES / "stacked-cubes.json")], as_json=True) == 0
    answers = json.loads(capsys.readouterr().out)
    assert list(answers) == [
        *("name", "verdict", "separation", "normal", "mtv", "witness_a", "witness_b", "sat", "gjk", "epa"),
        *("contact_vertices", "contacts", "sweep", "disagreements", "provenance", "flatness", "schema"),
    ]
    assert answers["sweep"] is None
    assert [list(contact) for contact in answers["contacts"]] == [["position", "depth", "feature_a", "feature_b"]] * 4
    assert list(answers["provenance"]) == ["separation", "sat", "gjk", "epa"]
    assert answers["provenance"]["separation"] == {"kind": "exact", "gap": 0}
    assert answers["provenance"]["gjk"] is None
    assert answers["provenance"]["epa"]["kind"] == "certified"
    assert list(answers["gjk"]) == ["stop", "iterations", "separation", "witness_a", "witness_b"]
    assert answers["gjk"]["stop"] in {"OVERLAP_ENCLOSED", "OVERLAP_TOUCHING"}
    assert list(answers["epa"]) == ["stop", "iterations", "depth", "normal"]
    assert answers["epa"]["depth"] == -answers["separation"]
    assert list(answers["sat"]) == ["applies", "separation", "normal", "winner", "ties", "axes"]
    assert (answers["sat"]["winner"], answers["sat"]["ties"]) == ("A.y", ["B.y", "A.x×B.z", "A.z×B.x"])
    assert answers["contact_vertices"]["feature_a"] == "face"
    axes = {axis["label"]: axis for axis in answers["sat"]["axes"]}
    assert len(axes) == 15
    assert axes["A.y"] == {
        "label": "A.y",
        "kind": "face of A",
        "axis": [0, 1, 0],
        "interval_a": [0, 1],
        "interval_b": pytest.approx([0.9, 1.9]),
        "side": 1,
        "separation": pytest.approx(-0.1),
        "status": "OVERLAPPING",
    }
    assert axes["A.x×B.x"] | {"kind": ""} == {
        "label": "A.x×B.x",
        "kind": "",
        "axis": None,
        "interval_a": None,
        "interval_b": None,
        "side": None,
        "separation": None,
        "status": "DEGENERATE",
    }


def test_single_precision_is_answered_only_when_asked_for() -> None:
    plain, asked = objects(run("check", "--json", GOOD)), objects(run("check", "--json", "--single", GOOD))
    single = asked[0].pop("single")
    assert asked == plain
    assert [answer["algorithm"] for answer in single["answers"]] == ["SAT", "GJK and EPA"]
    for answer in single["answers"]:
        assert answer["double"]["separation"] == pytest.approx(plain[0]["separation"])
        assert 0.0 < abs(answer["error"]) < 1e-5
    text = run("check", "--single", GOOD).stdout
    assert text.startswith(run("check", GOOD).stdout)
    assert "SAT          OVERLAPPING  −0.3131203" in text


def test_what_single_precision_cannot_hold_is_null() -> None:
    far = json.loads(line())
    far["a"]["position"] = far["b"]["position"] = [1e30, 0, 0]
    found = objects(run("check", "--json", "--single", "-", stdin=json.dumps(far)))[0]["single"]
    huge = json.loads(line())
    huge["a"]["shape"]["size"] = [1e19, 1e19, 1e19]
    huge = objects(run("check", "--json", "--single", "-", stdin=json.dumps(huge)))[0]["single"]
    assert found["answers"][0]["verdict"] is not None
    assert (huge["answers"][-1]["verdict"], huge["answers"][-1]["separation"]) == (None, None)
    assert "finds no number" in huge["answers"][-1]["words"]
    far["b"]["position"] = [-1e30, 0, 0]
    band = objects(run("check", "--json", "--single", "-", stdin=json.dumps(far)))[0]["single"]["band"]
    assert 0.0 < band < 1e25


def test_no_zero_has_a_sign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = json.loads(line(x=3.0))
    scene["a"]["rotation"], scene["b"]["position"] = [0, math.sqrt(0.5), math.sqrt(0.5), 0], [-3.0, 1.0, 0.0]
    path = tmp_path / "turned.json"
    path.write_text(json.dumps(scene), encoding="utf-8")
    assert check([str(path), str(SCENES / "stacked-cubes.json")], as_json=True, options=CheckOptions(single=True)) == 0
    assert not re.findall(r"-0(?:\.0)?[],}]", capsys.readouterr().out)


def test_every_shipped_scene_and_case_can_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert check([str(preset.path) for preset in presets()], as_json=True) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == len(presets())
    assert "NaN" not in out


def test_the_answers_are_those_of_the_core() -> None:
    for answers in objects(run("check", "--json", *[p.path for p in presets()[:6]])):
        scene = next(load(p.path).scene for p in presets() if p.title == answers["name"])
        assert answers["separation"] == analyse(scene).separation
