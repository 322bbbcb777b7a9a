"""The contract for shapes: what leaves a part out is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.minkowski.difference import difference
from core.pair.cores import core_of
from core.sat.sat import sat
from core.scene import Body
from core.shapes import SHAPES, Box, RoundedCore
from core.shapes.contract import PARTS, offered

ROOT = Path(__file__).resolve().parents[3]

TRIAL = {
    "dimension": "dimension: ClassVar[int] = 3",
    "word": 'word: ClassVar[str] = "trial"',
    "bounding_radius": "bounding_radius: ClassVar[float] = 1.0",
    "largest_half_extent": "largest_half_extent: ClassVar[float] = 1.0",
    "plane": "plane: ClassVar[Plane | None] = None",
    "core": "core: ClassVar[RoundedCore | None] = None",
    "polyhedron": "polyhedron: ClassVar[Polyhedron | None] = None",
    "half_extents": "half_extents: ClassVar[Array | None] = None",
    "radii": "radii: ClassVar[Triple | None] = None",
    "face_normals": "face_normals: ClassVar[Array] = np.zeros((0, 3))",
    "farthest": "farthest: ClassVar[None] = None",
    "support": "def support(self, direction: Array) -> Array: return direction",
    "support_vertex": "def support_vertex(self, direction: Array) -> int: return -1",
    "support_feature": "def support_feature(self, direction: Array, tolerance: float) -> SupportFeature: raise",
    "line_span": "def line_span(self, line: Line, grow: float) -> LineSpan | None: return None",
    "reach": "def reach(self, directions: Array) -> Array: return directions[..., 0]",
}
"""A shape that offers all, part by part."""

IMPORTS = """from __future__ import annotations

from typing import ClassVar

import numpy as np

from core.geometry.plane import Plane
from core.geometry.vector import Array
from core.shapes import Polyhedron, RoundedCore, SupportFeature
from core.shapes.contract import offered
from core.geometry.triple import Triple
from core.shapes.line_spans import Line, LineSpan
"""


def written(name: str, parts: dict[str, str]) -> str:
    """The source of a shape's class."""
    return "\n    ".join((f"class {name}:", *parts.values())) + "\n"


def without(part: str) -> dict[str, str]:
    """All parts but one."""
    return {name: line for name, line in TRIAL.items() if name != part}


def test_the_trial_shape_has_every_part_and_so_has_every_shape() -> None:
    assert tuple(sorted(TRIAL)) == tuple(sorted(PARTS))
    assert offered(*SHAPES) == SHAPES


@pytest.mark.parametrize("part", PARTS)
def test_a_shape_without_a_part_is_refused_by_its_name(part: str) -> None:
    known: dict[str, type] = {}
    exec(IMPORTS + written("Whole", TRIAL) + written("Lacking", without(part)), known)
    assert offered(known["Whole"]) == (known["Whole"],)
    with pytest.raises(TypeError, match=rf"^the shape Lacking does not offer {part}$"):
        offered(known["Lacking"])


@pytest.mark.nightly("commands")
def test_the_type_checker_refuses_a_shape_without_a_part_or_with_a_wrong_one(tmp_path: Path) -> None:
    faulty = {f"No_{part}": without(part) for part in PARTS}
    faulty["WrongPart"] = TRIAL | {"dimension": 'dimension: ClassVar[str] = "three"'}
    faulty["WrongMethod"] = TRIAL | {"support": "def support(self, direction: Array) -> float: return 0.0"}
    lines = IMPORTS + written("Whole", TRIAL) + "".join(written(name, parts) for name, parts in faulty.items())
    calls = lines + "offered(Whole)\n" + "".join(f"offered({name})\n" for name in faulty)
    source = tmp_path / "faulty_shapes.py"
    source.write_text(calls, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(source)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = [line for line in done.stdout.splitlines() if "error:" in line]
    assert len(said) == len(faulty), done.stdout + done.stderr
    for name in faulty:
        assert any(f'"type[{name}]"' in line for line in said), done.stdout


class EightPoints(Box, frozen=True):
    """A core of eight points that no solid joins."""

    @property
    def core(self) -> RoundedCore:
        return RoundedCore(self.polyhedron.vertices, 0.25)

    @property
    def half_extents(self) -> None:
        return None


def test_many_core_points_without_a_solid_are_refused_and_not_called_a_segment() -> None:
    one, other = Body(EightPoints((2.0, 2.0, 2.0))), Body(Box((2.0, 2.0, 2.0)), (0.0, 1.5, 0.0))
    with pytest.raises(TypeError, match="8 points and no solid"):
        core_of(one, "A", np.zeros(3))
    for a, b in ((one, other), (other, one)):
        with pytest.raises(TypeError, match="8 points and no solid"):
            sat(a, b)
        with pytest.raises(TypeError, match="8 points and no solid"):
            difference(a, b)
