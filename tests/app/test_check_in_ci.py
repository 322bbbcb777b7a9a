"""`separatrix check` as an oracle in somebody's tests: schema, expectations, conditions, exit status, JUnit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import fastjsonschema
import numpy as np
import pytest
from msgspec.structs import replace

from app.cli import answer_keys
from app.cli.answer_keys import ANSWER_NAMES
from app.cli.check import BRIEF, CheckOptions, check
from app.cli.facts import SceneFacts
from app.cli.outcomes import Conditions, Outcomes
from app.io.presets import presets
from app.io.scene_file import load
from app.packaging import make_schema
from app.words.quantities import QUANTITIES
from core.analysis import methods
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.verdict import Certainty, Provenance

from .command_rig import BAD, GOOD, SCENES, line, objects, objects_of, run

SCHEMA = json.loads(make_schema.SCHEMA_FILE.read_text(encoding="utf-8"))
VALID = fastjsonschema.compile(SCHEMA)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Four pairs: apart, overlapping, touching, overlapping."""
    path = tmp_path / "log.jsonl"
    path.write_text("".join(line(name, x) for name, x in (("one", 2.0), ("two", 1.0), ("three", 1.5), ("four", 1.4))))
    return path


def answers(log: Path) -> list[dict[str, Any]]:
    return objects(run("check", "--json", log))


def expecting(log: Path, changed: dict[str, dict[str, Any]], *words: str) -> tuple[int, str]:
    """Runs the log against its own answers, some of them changed; exit status and standard error."""
    rows = [answer | changed.get(answer["name"], {}) for answer in answers(log)]
    earlier = log.with_name("earlier.jsonl")
    earlier.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("check", "--brief", log, "--expect", earlier, *words)
    return done.returncode, done.stderr


def test_the_schema_asks_for_name_and_schema_only_and_knows_every_key() -> None:
    assert SCHEMA["required"] == ["schema", "name"]
    assert set(SCHEMA["properties"]) == set(ANSWER_NAMES)
    VALID({"schema": 1, "name": "x"})
    for wrong in ({"name": "x"}, {"schema": 2, "name": "x"}, {"schema": 1, "name": "x", "separation": "far"}):
        with pytest.raises(fastjsonschema.JsonSchemaValueException):
            VALID(wrong)


def test_the_schema_is_what_the_keys_say() -> None:
    assert make_schema.SCHEMA_FILE.read_text(encoding="utf-8") == make_schema.text(), (
        "python -m app.packaging.make_schema writes it anew"
    )


def required(tree: Any) -> Iterator[list[str]]:
    """Every list of required keys below a part of the schema."""
    if isinstance(tree, dict):
        yield from (tree["required"],) if isinstance(tree.get("required"), list) else ()
        for part in tree.values():
            yield from required(part)


def test_keys_that_came_later_are_not_required() -> None:
    """So an answer of an earlier version holds, whichever keys of a part it lacks."""
    assert list(required(SCHEMA["properties"])) == [
        ["engine", "version", "separation", "normal", "class"],
        ["phase", "number", "of"],
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"normal": [1.0]},
        {"mtv": [0.0, 0.0, 0.0, 0.0]},
        {"mtv": "none"},
        {"verdict": "APART"},
        {"witness_a": None},
        {"sat": None},
        {"sat": {"axes": [{"side": 0}]}},
        {"sat": {"axes": [{"interval_a": [0.0]}]}},
        {"planes": {"verdict": "BEHIND"}},
        {"gjk": {"iterations": 2.5}},
        {"epa": {"depth": None}},
        {"contacts": [{"position": [0.0, 0.0, "z"]}]},
        {"sweep": {"outcome": "MISS"}},
        {"sweep": {"contacts": [{"depth": None}]}},
        {"provenance": {"sat": {"kind": "sure"}}},
        {"flatness": {"gaps": 0.5}},
        {"single": {"answers": [{"verdict": "apart"}]}},
        {"engines": [{"engine": "coal", "version": "3", "separation": 0.0, "normal": None}]},
        {"engines": [{"engine": "c", "version": "", "separation": 0, "normal": None, "class": "", "failure": "x"}]},
        {"steps": [{"phase": "gjk", "number": 0, "of": 1}]},
        {"steps": [{"phase": "gjk", "number": 1}]},
        {"line": 0},
    ],
)
def test_a_wrong_value_does_not_hold(wrong: dict[str, Any]) -> None:
    with pytest.raises(fastjsonschema.JsonSchemaValueException):
        VALID({"schema": 1, "name": "x"} | wrong)


def test_each_number_of_the_answer_is_in_json_schema_and_text(capsys: pytest.CaptureFixture[str]) -> None:
    check([str(GOOD)], as_json=True)
    (answer,) = objects_of(capsys.readouterr().out)
    check([str(GOOD)], as_json=False)
    lines = capsys.readouterr().out.splitlines()
    analysis = analyse(load(GOOD).scene)
    for quantity in QUANTITIES:
        assert np.allclose(answer[quantity.key], quantity.value(analysis), rtol=0.0, atol=0.0)
        assert SCHEMA["properties"][quantity.key]["description"] == quantity.meaning
        assert any(text.startswith(f"  {quantity.title}  ") for text in lines)


def test_every_presets_answer_holds_to_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(preset.path) for preset in presets()]
    check(files, as_json=True, options=CheckOptions(single=True, articles=True))
    found = objects_of(capsys.readouterr().out)
    assert len(found) == len(files)
    for answer in found:
        VALID(answer)
        assert set(answer) <= set(ANSWER_NAMES)


def test_what_is_refused_holds_to_the_schema_too(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(line("good") + BAD + "\n")
    for words in ([], ["--brief"], ["--fields", "normal"], ["--steps"]):
        done = run("check", "--json", *words, path)
        assert done.returncode == 1
        for answer in objects(done):
            VALID(answer)
        assert [answer["line"] for answer in objects(done)] == [1, 2]
        assert objects(done)[1]["error"].startswith(f"{path}:2: b: must be an object")


def test_brief_says_three_things(log: Path) -> None:
    assert run("check", "--brief", log).stdout.splitlines() == [
        "SEPARATED        +0.500000  one",
        "OVERLAPPING      −0.500000  two",
        "TOUCHING                 0  three",
        "OVERLAPPING      −0.100000  four",
    ]
    brief = objects(run("check", "--brief", "--json", GOOD))[0]
    assert tuple(brief) == (*BRIEF, "schema")


ANSWERED = ("verdict,contacts,flatness", "sat,planes", "contact_vertices,sweep,witness_a,remarks,mtv")


@pytest.mark.parametrize("fields", ANSWERED)
def test_fields_without_what_checks_the_answer_are_what_all_answers_say(
    fields: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = CheckOptions(fields=tuple(fields.split(",")))
    files = [str(preset.path) for preset in presets()]
    check(files, as_json=True)
    whole = objects_of(capsys.readouterr().out)
    check(files, as_json=True, options=options)
    for told, all_told in zip(objects_of(capsys.readouterr().out), whole, strict=True):
        assert told == {key: value for key, value in all_told.items() if options.wants(key)}


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (CheckOptions(brief=True), ()),
        (CheckOptions(brief=True, facts=True), ()),
        (CheckOptions(fields=("normal", "mtv", "witness_b")), ()),
        (CheckOptions(fields=("contacts", "sat")), ()),
        (CheckOptions(fields=("sweep",)), ("sweep",)),
        (CheckOptions(fields=("epa",)), ("closing",)),
        (CheckOptions(brief=True, facts=True, scenes=True), ("sweep",)),
        (CheckOptions(brief=True, facts=True, checked=True), ("closing", "sweep")),
        (CheckOptions(), ("closing", "sweep")),
    ],
)
def test_what_is_not_told_is_not_computed(
    options: CheckOptions, asked: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: set[str] = set()
    closing = methods.signed_distance_steps
    monkeypatch.setattr(answer_keys, "sweep", lambda scene: (seen.add("sweep"), sweep(scene))[1])
    monkeypatch.setattr(methods, "signed_distance_steps", lambda *a, **k: (seen.add("closing"), closing(*a, **k))[1])
    log = tmp_path / "log.jsonl"
    log.write_text(line("boxes"))
    for as_json in (True, False):
        assert check([str(log)], as_json=as_json or bool(options.fields), options=options) == 0
        assert tuple(sorted(seen)) == asked


def test_fields_are_the_keys_asked_for(log: Path) -> None:
    found = objects(run("check", "--fields", "normal,mtv", log))
    assert [tuple(answer) for answer in found] == [("name", "normal", "mtv", "schema", "file", "line")] * 4
    done = run("check", "--fields", "normal,depht", log)
    assert done.returncode == 2
    assert "got 'depht'" in done.stderr
    assert run("check", "--fields", "normal", "--brief", log).returncode == 2


def test_steps_are_told_in_words_and_numbers() -> None:
    found = objects(run("check", "--json", "--steps", GOOD))[0]
    VALID(found)
    steps = found["steps"]
    assert {step["phase"] for step in steps} == {"sat", "gjk", "epa", "contacts"}
    epa = [step for step in steps if step["phase"] == "epa"]
    assert [step["number"] for step in epa] == list(range(1, len(epa) + 1))
    assert {step["of"] for step in epa} == {len(epa)}
    assert epa[-1]["stop"] == "CONVERGED"
    assert epa[-1]["values"]["lower"] == pytest.approx(-found["separation"], abs=1e-12)
    assert any("n·w" in formula for formula in epa[-1]["formulas"])
    text = run("check", "--steps", GOOD).stdout
    assert f"epa:{len(epa)}  EPA, step {len(epa)} of {len(epa)}: stop" in text


def test_answers_are_as_expected_of_themselves(log: Path) -> None:
    status, told = expecting(log, {})
    assert (status, told) == (0, "4 scenes: 2 OVERLAPPING, 1 SEPARATED, 1 TOUCHING; 0 failed\n")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"verdict": "TOUCHING"}, "FAILED two: verdict OVERLAPPING, expected TOUCHING"),
        ({"separation": -0.5 + 1e-6}, "FAILED two: separation −0.500000, expected −0.499999 within"),
        ({"normal": [0.0, 1.0, 0.0]}, "FAILED two: the expected normal proves only −1.50000"),
        ({"name": "other"}, "FAILED two: is not among the expected answers"),
        ({"line": 7}, "FAILED two: is not among the expected answers"),
        ({"error": "was refused"}, "FAILED two: expected to be refused"),
    ],
)
def test_what_differs_is_told_and_fails(log: Path, changed: dict[str, Any], sentence: str) -> None:
    status, told = expecting(log, {"two": changed})
    assert status == 3
    assert sentence in told
    assert "; 1 failed" in told


def test_what_may_differ_does_not_fail(log: Path) -> None:
    harmless = {"witness_a": [9.0, 9.0, 9.0], "contacts": [], "separation": -0.5 + 1e-10, "provenance": {}}
    assert expecting(log, {"two": harmless})[0] == 0
    assert expecting(log, {"two": {"separation": -0.49}}, "--tolerance", "0.02")[0] == 0
    assert expecting(log, {"two": {"separation": -0.49}}, "--tolerance", "0.005")[0] == 3


def test_a_normal_that_ties_is_as_good(tmp_path: Path) -> None:
    scene = json.loads((SCENES / "stacked-cubes.json").read_text(encoding="utf-8"))
    scene["a"]["position"] = scene["b"]["position"] = [0, 0, 0]
    scene["a"].pop("matrix", None)
    path = tmp_path / "cubes.json"
    path.write_text(json.dumps({key: scene[key] for key in ("separatrix", "a", "b")} | {"name": "cubes"}))
    answer = objects(run("check", "--json", path))[0]
    other = [answer["normal"][2], answer["normal"][0], answer["normal"][1]]
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_text(json.dumps(answer | {"normal": other}) + "\n")
    assert run("check", path, "--expect", earlier).returncode == 0


def test_an_expected_pair_that_does_not_come_fails(log: Path) -> None:
    earlier = log.with_name("earlier.jsonl")
    earlier.write_text("".join(json.dumps(answer) + "\n" for answer in answers(log)))
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:3]))
    done = run("check", "--brief", log, "--expect", earlier)
    assert done.returncode == 3
    assert "FAILED four: was expected, and is not there" in done.stderr
    assert "0 failed, 1 expected and not there" in done.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("{", ":1: "),
        ('{"verdict": "TOUCHING"}', ":1: name: must be text"),
        ('{"name": "one", "verdict": 3, "separation": 0}', ":1: must be an answer of check --json"),
        ('{"name": "one", "verdict": "TOUCHING", "separation": 0, "normal": [1, 1, 0]}', ":1: normal: must be unit"),
        ("\udcff", "must be UTF-8"),
    ],
)
def test_wrong_expectations_are_refused_with_their_place(log: Path, text: str, sentence: str) -> None:
    earlier = log.with_name("earlier.jsonl")
    earlier.write_bytes(text.encode("utf-8", "surrogateescape"))
    done = run("check", log, "--expect", earlier)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert run("check", log, "--expect", log.with_name("none.jsonl")).returncode == 1


@pytest.mark.parametrize(
    ("condition", "failing"),
    [
        ("depth:0.2", {"two"}),
        ("depth:0", {"two", "four"}),
        ("depth:0.6", set()),
        ("verdict-change", {"two", "three", "four"}),
        ("disagreement,bound", set()),
    ],
)
def test_conditions_fail_the_pairs_that_they_name(log: Path, condition: str, failing: set[str]) -> None:
    done = run("check", "--brief", log, "--fail-on", condition)
    told = [text.removeprefix("FAILED ").partition(":")[0] for text in done.stderr.splitlines()[:-1]]
    assert set(told) == failing
    assert done.returncode == (3 if failing else 0)


def test_single_precisions_verdict_fails_and_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(line("far", 1.5 + 1e-9) + line("near", 2.0))
    done = run("check", "--json", path, "--fail-on", "single")
    assert done.returncode == 3
    assert "FAILED far: single precision says TOUCHING, double SEPARATED" in done.stderr
    first, second = objects(done)
    assert first["failures"] == ["single precision says TOUCHING, double SEPARATED"]
    assert "single" in first
    assert "failures" not in second


def test_a_bound_fails() -> None:
    analysis = analyse(load(GOOD).scene)
    for provenance, failing in ((Provenance.BOUND, 1), (Provenance.FALLBACK, 1), (Provenance.CERTIFIED, 0)):
        answer = replace(analysis, answer=replace(analysis.answer, certainty=Certainty(provenance, 0.01)))
        outcomes = Outcomes(Conditions.of("bound"))
        told = outcomes.judged("log", None, "it", "", SceneFacts.of(answer, None, None, scene=False))
        assert told == ("the separation is a bound, known to within 0.01",)[:failing]
        assert outcomes.status == 3 * failing


def test_a_refusal_outweighs_a_failure(log: Path) -> None:
    log.write_text(log.read_text() + BAD + "\n")
    done = run("check", "--brief", log, "--fail-on", "depth:0")
    assert done.returncode == 1
    assert "1 refused; 2 failed" in done.stderr


@pytest.mark.parametrize("words", ["", "depth", "depth:", "depth:-1", "depth:nan", "bound,", "speed", "verdict_change"])
def test_other_conditions_are_misuse(words: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        Conditions.of(words)


def test_misuse_exits_with_2() -> None:
    assert run("check", GOOD, "--fail-on", "speed").returncode == 2


def test_a_tolerance_needs_something_to_expect(log: Path) -> None:
    assert run("check", log, "--tolerance", "1").returncode == 2
    for text in ("-1", "nan", "inf", "wide"):
        assert run("check", log, "--expect", log, "--tolerance", text).returncode == 2


def test_junit_has_every_scene(log: Path) -> None:
    log.write_text(log.read_text() + BAD + "\n" + line("odd <&\x01>", 1.2).replace("\\u0001", "\\u0007"))
    report = log.with_name("report.xml")
    done = run("check", "--brief", log, "--fail-on", "depth:0.2", "--junit", report)
    assert done.returncode == 1
    root = ElementTree.parse(report).getroot()
    assert (root.attrib["tests"], root.attrib["failures"], root.attrib["errors"]) == ("6", "2", "1")
    cases = list(root.iter("testcase"))
    assert [case.attrib["name"] for case in cases][:4] == ["one", "two", "three", "four"]
    assert {case.attrib["classname"] for case in cases} == {str(log)}
    assert [case.attrib["name"] for case in cases if case.find("error") is not None] == [f"{log}:5"]
    assert cases[1].find("failure").attrib["message"] == "depth 0.5, more than 0.2"  # type: ignore[union-attr]


def test_a_report_that_cannot_be_written_is_told(log: Path) -> None:
    done = run("check", "--brief", log, "--junit", log / "report.xml")
    assert done.returncode == 1
    assert "report.xml" in done.stderr
    assert "Traceback" not in done.stderr
