"""A fault of the program itself: one sentence, the details in a file."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from app.__main__ import main


def test_a_fault_of_the_program_ends_in_one_sentence_with_the_details_in_a_file(
    monkeypatch: pytest.MonkeyPatch, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> int:
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr("app.application.main", fail)
    assert main([]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "ZeroDivisionError: nothing to divide by" in told
    assert str(home / "fault.txt") in told
    report = (home / "fault.txt").read_text(encoding="utf-8")
    assert "in fail" in report
    assert f"ok       numpy                 {metadata.version('numpy')}\n" in report
