"""A script asks its engine as the adapter does: the same number and normal, of every pair of shapes that both know."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.engines.catalogue import ENGINES
from app.engines.repro import script
from app.engines.sample import sample_pair
from core.study.differential.answers import EngineAnswer
from core.study.differential.classes import Kind
from tests.app.test_bundle import _closed, engines, ran

__all__ = ["_closed"]

NEAR = 1e-6
"""Of numbers about 1: an engine's own tolerance, where the last bit of a rotation is another."""

SINGLE = 1e-4
SAID = re.compile(r": separation (?P<d>\S+) normal (?P<n>None|\[.*?\])", re.DOTALL)
POSES = (0, 1, 3)
EVERY = 4
"""Of the pairs of shapes one in so many is asked about: each takes the start of an interpreter."""


@pytest.mark.parametrize("name", [entry.name for entry in ENGINES])
@pytest.mark.sampled(5, "commands")
def test_a_script_says_what_the_adapter_says(name: str, tmp_path: Path) -> None:
    if name not in engines():
        pytest.skip(f"{name} is not installed")
    asked = engines()[name]
    asked.kinds(sample_pair(1, ("sphere", "sphere"), 0))
    assert asked.worker.ready is not None
    near = SINGLE if asked.entry.single or name.startswith(("fcl", "dart", "culverin")) else NEAR
    for number, kinds in enumerate(asked.worker.ready.pairs[::EVERY]):
        if name == "fcl" and "halfspace" in kinds:
            continue  # it crashes
        scene = sample_pair(1, kinds, POSES[number % len(POSES)])
        judged = asked.judged(scene)
        assert isinstance(judged.answer, EngineAnswer), (kinds, judged.answer)
        text = script(replace(judged, judgement=replace(judged.judgement, kind=Kind.DEPTH_LARGE)), None)
        done = ran(text, asked, tmp_path)
        assert done.returncode in (0, 1), (kinds, done.stderr)
        said = SAID.search(done.stdout)
        assert said is not None, (kinds, done.stdout)
        answer = judged.answer
        if answer.signed is None:
            assert said["d"] == "None", kinds
        else:
            assert float(said["d"]) == pytest.approx(answer.signed, abs=near), kinds
        if answer.normal is not None and said["n"] != "None":
            numbers = [float(x) for x in re.findall(r"[-+0-9.e]+", said["n"])]
            assert np.dot(numbers, answer.normal) > np.linalg.norm(numbers) - near, kinds
