"""Faults that other engines showed, found and shrunk in November 2026 (engine_faults.json), as the judge takes them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from app.io import scene_file
from core import Scene
from core.study.differential.answers import Design, DesignRule, Engine, EngineAnswer, Speaks

FACE = DesignRule(Design.FACE, "a face is preferred to a pair of edges")
ENGINES = {
    "box3d_manifold": Engine("box3d_manifold", speaks=Speaks.CONTACTS, tolerance=2e-5, single=True, by_design=(FACE,)),
    "fcl_collide": Engine("fcl_collide", speaks=Speaks.CONTACTS, tolerance=1e-4),
    "dart_own": Engine("dart_own", speaks=Speaks.CONTACTS),
    "bullet": Engine("bullet"),
    "coal": Engine("coal"),
    "mujoco": Engine("mujoco"),
}
FOUND = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
BY_DESIGN = tuple(name for name, it in FOUND.items() if it["engine"].startswith("box3d") and "large" in it["klass"])
FAULTS = tuple(name for name in FOUND if name not in BY_DESIGN)


def fault(name: str) -> tuple[Scene, Engine, EngineAnswer]:
    """One of them. Where its proof moved B, the normal is that of the move: the engines' conventions differ."""
    found = FOUND[name]
    said, move = found["answer"], found["move"]
    normal = said.get("normal") if move is None else (np.array(move) / np.linalg.norm(move)).tolist()
    points = [said.get(key) if said.get("pb") else None for key in ("pa", "pb")]
    rows = [None if row is None else tuple(map(float, row)) for row in (normal, *points)]
    return scene_file.from_tree(found["scene"]).scene, ENGINES[found["engine"]], EngineAnswer(said["sep"], *rows)
