"""Files of a grammar, right and wrong, are answered or refused in a sentence, within limits of memory and time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.fuzz import FindingError, Hunt, answer
from tests.bench.fuzz import _check_sentence as check_sentence

INPUTS = 800


@pytest.mark.slow
@pytest.mark.nightly("commands")
def test_every_input_is_answered_or_refused_in_a_sentence() -> None:
    hunt = Hunt(1)
    hunt.go_on(INPUTS)
    assert not hunt.told, "\n".join(hunt.told)
    assert hunt.counts["answered"] + hunt.counts["refused"] == INPUTS
    assert min(hunt.counts.values()) > INPUTS / 6


@pytest.mark.parametrize(
    "said", ["", "two\nlines", "Traceback", "'NoneType' has no x", "index 3 is out of range", "x" * 999]
)
def test_what_nobody_understands_is_found(said: str) -> None:
    check_sentence("FILE: is empty", Path("FILE"))
    with pytest.raises(FindingError, match="no clear sentence"):
        check_sentence(said, Path("FILE"))


def test_an_answer_that_is_no_number_and_one_that_contradicts_itself_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "scene.json"
    for words, kind in (
        ('{"separation": NaN, "disagreements": []}', "not finite"),
        ('{"separation": 1.0, "disagreements": ["two say so"]}', "disagreement"),
        ('{"error": "dtype"}', "no clear sentence"),
    ):
        monkeypatch.setattr("app.cli.check.check", lambda _, words=words, **__: print(words) or 0)
        with pytest.raises(FindingError, match=kind):
            answer(path)


def test_a_process_that_ends_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bench.fuzz.FAILURES", Path("/nowhere/to/be/written"))
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)
    monkeypatch.setattr(Path, "write_bytes", lambda *_: 0)
    monkeypatch.setattr("tests.bench.fuzz._environment", lambda: {"PYTHONHOME": "/nowhere"})
    hunt = Hunt(1)
    hunt.go_on(1)
    assert list(hunt.kinds) == ["the process ended with 1"]
    assert "/nowhere" in hunt.told[0]
