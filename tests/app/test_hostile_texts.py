"""No text ends the program: every reader answers brackets in brackets and half surrogates with one sentence."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from app.cli.check import check
from app.io.mesh_file import load_hull
from app.io.scene_file import SceneError, load, read
from app.io.scene_log import SceneLog
from app.io.session import Autosave, recent_files, recoverable, remember
from app.state.settings import Settings, load_settings
from app.state.work import Document
from app.storage.strict_json import DEEPEST, DataError, parse

from .hostile_texts import HALF, LINE, OBJS, PLAIN, SCENES, SETTINGS, autosave, nest, objects, wrapped


def one_sentence(told: str) -> None:
    """Whether a refusal can be shown everywhere: one line, not endless, in letters that UTF-8 has."""
    assert told
    assert "\n" not in told
    assert len(told) < 500
    told.encode()


@pytest.mark.parametrize("text", SCENES.values(), ids=SCENES)
@pytest.mark.sampled(3, "commands")
def test_every_reader_of_scenes_refuses_in_one_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(SceneError) as pasted:
        read(text)
    scene, picture, log = tmp_path / "scene.json", tmp_path / "picture.png", tmp_path / "log.jsonl"
    scene.write_text(text, encoding="utf-8")
    picture.write_bytes(wrapped(text))
    log.write_text(f"{PLAIN}\n{text}\n{PLAIN}\n", encoding="utf-8")
    told = [str(pasted.value)]
    for file in (scene, picture):
        with pytest.raises(SceneError) as refused:
            load(file)
        told.append(str(refused.value))
        assert str(file) in told[-1]
    entries = SceneLog(log)
    assert (len(entries), entries.title(0), entries.title(1)) == (3, "line 1", "line 2, refused")
    with pytest.raises(SceneError) as refused:
        entries.scene(1)
    told.append(str(refused.value))
    entries.close()
    for sentence in told:
        one_sentence(sentence.replace(str(tmp_path), ""))


@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_settings_that_nobody_can_read_are_the_defaults(text: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(text, encoding="utf-8")
    settings, problem = load_settings(file)
    assert settings == Settings()
    assert problem is not None
    one_sentence(problem.replace(str(tmp_path), ""))


@pytest.mark.parametrize("text", SCENES.values(), ids=SCENES)
def test_an_autosave_that_nobody_can_read_stays_and_hides_no_other(text: str, tmp_path: Path) -> None:
    bad = tmp_path / "autosave-1-0.json"
    bad.write_text(autosave(text), encoding="utf-8")
    (tmp_path / "autosave-2-0.json").write_text(autosave(PLAIN), encoding="utf-8")
    assert [work.file.name for work in recoverable(tmp_path)] == ["autosave-2-0.json"]
    assert bad.exists()


@pytest.mark.parametrize("text", [nest(300), nest(100_000), f"[{objects(990)}]", "[[]]"], ids=["a", "b", "c", "d"])
def test_a_list_of_recent_files_that_nobody_can_read_is_empty(text: str, tmp_path: Path) -> None:
    (tmp_path / "recent.json").write_text(text, encoding="utf-8")
    assert recent_files(tmp_path) == ()


@pytest.mark.skipif(sys.platform == "win32", reason="unlinks an open file, as Windows lets nobody do")
def test_names_of_files_that_are_no_text_are_still_kept(tmp_path: Path) -> None:
    odd = tmp_path / "odd-\udcff.json"
    assert remember(tmp_path, odd) == (odd,)
    assert recent_files(tmp_path) == (odd,)
    living = Autosave(tmp_path, pid=1)
    living.save(read(PLAIN).scene, None, odd)
    # As if its process had been killed.
    living.file.with_suffix(".lock").unlink()
    assert [work.origin for work in recoverable(tmp_path)] == [odd]
    living.close()


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.sampled(3, "commands")
def test_check_says_a_sentence_for_each(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene, log = tmp_path / "scene.json", tmp_path / "log.jsonl"
    scene.write_text(SCENES[name], encoding="utf-8")
    log.write_text(f"{SCENES[name]}\n{PLAIN}\n", encoding="utf-8")
    assert check([str(scene), str(log)], as_json=False) == 1
    told = capsys.readouterr()
    assert told.err.count("\n") == 2
    assert "line 2" in told.out or f"{log}:2" in told.out
    assert check([str(scene), str(log)], as_json=True) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["error" in line for line in lines] == [True, True, False]


def test_what_is_nested_too_deeply_is_told_with_its_place() -> None:
    text = '{"a": "[[[[",\n "b": ' + nest(DEEPEST + 5) + "}"
    with pytest.raises(DataError) as refused:
        parse(text)
    assert (
        str(refused.value) == f"must be nested at most {DEEPEST} levels deep, got more at line 2 column {6 + DEEPEST}"
    )
    assert parse(nest(DEEPEST)) is not None
    assert parse(objects(DEEPEST)) is not None
    with pytest.raises(DataError, match="at most"):
        parse(objects(DEEPEST + 1))


def test_brackets_in_text_are_no_nesting() -> None:
    text = '"' + "[" * 500 + r"\"[[{{" + '"'
    assert parse(f"[{text}, {nest(DEEPEST - 1)}]")[0].startswith("[[[")


def test_half_a_surrogate_is_told_with_its_place() -> None:
    for text, told in (
        (f'{{"a": {{{HALF}: 1}}}}', r'a: keys must be text, got half a surrogate pair in "\ud800"'),
        (f'{{"a": [1, {HALF}]}}', r'a[1]: must be text, got half a surrogate pair in "\ud800"'),
    ):
        with pytest.raises(DataError) as refused:
            parse(text)
        assert str(refused.value) == told
    assert parse(r'"\ud83d\ude00"') == "\U0001f600"


def test_reading_goes_on_however_much_of_the_stack_is_taken() -> None:
    def below(levels: int) -> None:
        if levels:
            below(levels - 1)
        else:
            with pytest.raises(DataError):
                parse(LINE % f', "x": {nest(900)}')

    below(sys.getrecursionlimit() - 400)


@pytest.mark.parametrize(("data", "place"), OBJS.values(), ids=OBJS)
def test_an_obj_whose_vertices_lack_numbers_is_refused_with_the_line(data: bytes, place: str, tmp_path: Path) -> None:
    file = tmp_path / "flat.obj"
    file.write_bytes(data)
    with pytest.raises(SceneError) as refused:
        load_hull(file)
    told = str(refused.value).removeprefix(f"{file}: ")
    one_sentence(told)
    assert place in told
    assert "three numbers" in told


JUNK = (
    '"',
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    r"\ud800",
    r"\u0000",
    "-",
    "1e999",
    "9" * 400,
    "NaN",
    "null",
    "é",
    "\x00",
    "0x",
)


def test_a_thousand_garbled_scenes_raise_nothing_but_refusals(tmp_path: Path) -> None:
    rng = np.random.default_rng(0x10_57)
    scenes = Path(__file__).parents[2] / "assets" / "scenes"
    sources = [file.read_text(encoding="utf-8") for file in sorted(scenes.glob("*.json"))]
    refused = 0
    for turn in range(1000):
        text = sources[turn % len(sources)]
        for _ in range(int(rng.integers(1, 4))):
            at, wide = int(rng.integers(len(text))), int(rng.integers(0, 12))
            text = text[:at] + JUNK[int(rng.integers(len(JUNK)))] + text[at + wide :]
        try:
            loaded = read(text)
        except SceneError as error:
            refused += 1
            one_sentence(str(error))
        else:
            Document.new(loaded.scene)
    assert refused > 500


VALUES = (
    None,
    True,
    -1,
    0,
    2,
    10**300,
    1e308,
    -0.0,
    "",
    "x",
    HALF[1:-1],
    [],
    {},
    [[]],
    [1],
    [0, 0, 0],
    {"kind": "ray"},
)


def test_a_thousand_scenes_with_a_value_in_the_wrong_place_raise_nothing_but_refusals() -> None:
    rng = np.random.default_rng(0xBAD)
    scenes = Path(__file__).parents[2] / "assets" / "scenes"
    sources = [file.read_text(encoding="utf-8") for file in sorted(scenes.glob("*.json"))]
    refused = 0
    for turn in range(1000):
        tree = json.loads(sources[turn % len(sources)])
        spot = tree
        while True:
            keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
            if not keys:
                break
            key = keys[int(rng.integers(len(keys)))]
            if isinstance(spot[key], dict | list) and spot[key] and rng.random() < 0.8:
                spot = spot[key]
                continue
            spot[key] = VALUES[int(rng.integers(len(VALUES)))]
            break
        try:
            read(json.dumps(tree).replace(r"\\ud800", r"\ud800"))
        except SceneError as error:
            refused += 1
            one_sentence(str(error))
    assert refused > 500
