"""The texts of real reports, beside the repository in ../shared, with their right separations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.forms.form import NotUnderstoodError
from app.forms.registry import read_text
from core.analysis.analysis import analyse

FILE = Path(__file__).resolve().parents[3] / "shared" / "pastes.json"
PAIRS: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["pairs"] if FILE.exists() else []


@pytest.mark.skipif(not PAIRS, reason="../shared/pastes.json is not there")
def test_each_reported_text_is_read_right_or_refused() -> None:
    assert len(PAIRS) >= 45
    for pair in PAIRS:
        reading = read_text(pair["text"])
        if pair["separation"] is None:
            with pytest.raises(NotUnderstoodError):
                assert not reading.pair, pair["how_known"]
            continue
        found = analyse(reading.pair.scene)
        assert found.separation == pytest.approx(pair["separation"], abs=1e-13), pair["text"]
        assert found.verdict.value == pair["verdict"], pair["text"]
