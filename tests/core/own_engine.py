"""The core as an engine: its own answers behind the record, asked about B and A, and turned back."""

from __future__ import annotations

from core import Scene
from core.analysis.brief import distance_of
from core.study.differential.answers import Engine, EngineAnswer
from core.study.lab.random_pair import MAKERS

OURS = Engine("ours")
SPACE = tuple(MAKERS)


def ask_ours(scene: Scene) -> EngineAnswer:
    """Its answer."""
    found = distance_of(scene.swapped())
    rows = (tuple(map(float, row)) for row in (found.normal, found.witness_a, found.witness_b))
    return EngineAnswer(found.separation, *rows).swapped()
