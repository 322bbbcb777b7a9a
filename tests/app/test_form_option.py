"""`--form` of every command that takes a scene, and the texts that they read without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.__main__ import main
from app.forms.registry import BY_NAME

TEXT = "box size 1 1 1 at 0 0 0\nsphere radius 0.5 at 0.9 0 0\n"
COMMANDS = {
    "check": ["check", "{text}"],
    "steps": ["steps", "{text}"],
    "picture": ["picture", "{text}", "-o", "{out}.svg"],
    "film": ["film", "{text}", "-o", "{out}.gif", "--steps", "1-1"],
    "handout": ["handout", "{text}", "-o", "{out}.html"],
    "render": ["render", "{text}", "-o", "{out}.svg"],
    "shrink": ["shrink", "{text}", "--fail-on", "depth:0.01", "-o", "{out}.json"],
    "bundle": ["bundle", "{text}", "--engine", "coal", "-o", "{out}.zip"],
    "hunt": ["hunt", "--engines", "coal", "--around", "{text}", "--questions", "1"],
}


def words(command: str, tmp_path: Path, *more: str) -> list[str]:
    text = tmp_path / "pair.txt"
    text.write_text(TEXT)
    return [word.format(text=text, out=tmp_path / "out") for word in COMMANDS[command]] + list(more)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_form_that_does_not_understand_the_text_refuses_it_everywhere_alike(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words(command, tmp_path, "--form", "urdf")) == 1
    told = capsys.readouterr()
    assert "pair.txt: Line 1: box size 1 1 1 at 0 0 0 is not understood" in told.out + told.err


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_form_is_refused_with_the_names_of_all(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(words(command, tmp_path, "--form", "havok"))
    assert end.value.code == 2
    assert f"must be the name of a form: {', '.join(BY_NAME)}; got 'havok'" in capsys.readouterr().err


@pytest.mark.parametrize("form", [[], ["--form", "words"]])
@pytest.mark.parametrize("command", ["check", "steps", "picture", "handout", "shrink"])
def test_a_text_is_read_where_a_scene_is(command: str, form: list[str], tmp_path: Path) -> None:
    assert main(words(command, tmp_path, *form)) == 0
    if command == "shrink":
        scene = json.loads((tmp_path / "out.json").read_text())
        assert (scene["a"]["shape"]["type"], scene["b"]["shape"]["type"]) == ("box", "sphere")
    elif command in ("picture", "handout"):
        (made,) = tmp_path.glob("out.*")
        assert main(["check", str(made)]) == 0
