"""The catalogue of engines that can be asked, with their installation, and the search for installed ones.

Only the settings name Python interpreters: a scene, log or pasted text cannot make Separatrix run a program.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from math import sqrt
from pathlib import Path

from msgspec import Struct

from core.study.differential.answers import Design, DesignRule, Engine, Speaks

ADAPTERS = Path(__file__).resolve().parent / "adapters"

LOOK_LIMIT = 15.0
"""Seconds in which an interpreter must list its modules."""

_LOOK = "import sys, importlib.util as u; print(*[m for m in sys.argv[1:] if u.find_spec(m)])"


class EngineSpec(Struct, frozen=True):
    """An engine of the catalogue. `name`: in commands; `title`: in the window and reports.

    `script`, `arguments`: the adapter's file and arguments. `module`, `package`: the Python module and package that it
    needs. `own`: the separate Python that the package needs, in words; "" if Separatrix's own Python can have it.
    `tolerance`, `single`, `speaks`, `margins`, `by_design`, `rounds`, `absolute`, `stored_single`: as in `Engine`, for
    the engine's default settings.
    """

    name: str
    title: str
    script: str
    module: str
    package: str
    arguments: tuple[str, ...] = ()
    own: str = ""
    tolerance: float = 1e-6
    single: bool = False
    speaks: Speaks = Speaks.DISTANCE
    margins: dict[str, float] = {}
    by_design: tuple[DesignRule, ...] = ()
    rounds: dict[str, tuple[float, float]] = {}
    absolute: float = 0.0
    stored_single: tuple[str, ...] = ()

    @property
    def how_to_get(self) -> str:
        """The command that installs the engine, with the Python it needs."""
        return f"pip install {self.package}{f', in {self.own}' if self.own else ''}"

    def command(self, python: str) -> list[str]:
        """The command line that starts the engine's adapter in the interpreter `python`."""
        return [python, str(ADAPTERS / self.script), *self.arguments]

    def engine(self, version: str) -> Engine:
        """The engine's record for the judge."""
        judged = self.speaks, self.tolerance, self.single, self.margins, self.by_design
        return Engine(self.name, version, *judged, self.rounds, self.absolute, self.stored_single)


class FoundEngine(Struct, frozen=True):
    """An engine that is installed, and the interpreter that has it."""

    entry: EngineSpec
    python: str


_SINGLE = 2e-5
_STOP = 1e-6
"""Scene units: the defaults of Coal's GJK_ and EPA_DEFAULT_TOLERANCE, FCL's distance_tolerance and MuJoCo's
ccd_tolerance (`narrowphase_defaults.h`, `gjk_solver_libccd-inl.h`, `mjOption`)."""
_TO_311 = "a Python up to 3.11 of its own"
_FROM_312 = "a Python from 3.12 of its own"
_OWN = "a Python of its own"
_CONTACTS = Speaks.CONTACTS

_ROUNDED = sqrt(3.0) - 1.0
"""The distance from a box's corner to a ball of radius 1 that touches the three faces there."""

_SPECULATIVE = DesignRule(Design.SPECULATIVE, "contacts of bodies up to 0.02 apart", within=0.02)
_MANIFOLD = DesignRule(Design.MANIFOLD, "apart it tells a manifold's distance, which is no less")
_FACE = DesignRule(Design.FACE, "a face is preferred to a pair of edges")
_MOVE = DesignRule(Design.MOVE, "any depth whose move along the normal just separates")
_MESH = DesignRule(Design.RANGE, "a cylinder is a mesh inside it", of_size={"cylinder": (0.0, 5e-3)})
_JOLT_RADIUS = 0.05
"""The default convex radius of Jolt."""
_JOLT_SHAPES = ("box", "cylinder", "hull")
_BULLET_MARGIN, _DART_BULLET_MARGIN = 0.001, 0.04


def _bullet(margin: float) -> DesignRule:
    """The rule for Bullet's margin. Its hull corners lie on a grid of 10,216 steps along the longest side."""
    words = f"margin {margin:g}: hulls grow by it and lie on a grid, other shapes have round edges"
    round_edges = dict.fromkeys(("box", "cylinder", "cone"), (0.0, _ROUNDED * margin))
    ranges = {"hull": (-margin, 0.0), **round_edges}
    return DesignRule(Design.RANGE, words, ranges=ranges, of_size={"hull": (-2e-4, 2e-4)})


def _bullet_rounds(margin: float) -> dict[str, tuple[float, float]]:
    """The rounding by a margin: outside a hull, inside a box or a cylinder."""
    return {"hull": (0.0, margin), "box": (margin, margin), "cylinder": (margin, margin)}


def _dart(
    detector: str,
    title: str,
    *by_design: DesignRule,
    tolerance: float = 1e-6,
    rounds: dict[str, tuple[float, float]] | None = None,
) -> EngineSpec:
    return EngineSpec(
        name=f"dart-{detector}",
        title=title,
        script="ask_dart.py",
        module="dartpy",
        package="dartpy",
        arguments=(detector,),
        own=_OWN,
        tolerance=tolerance,
        speaks=_CONTACTS,
        by_design=by_design,
        rounds=rounds or {},
    )


ENGINES = (
    EngineSpec("coal", "Coal", "ask_coal.py", "coal", "coal", absolute=_STOP),
    EngineSpec("fcl", "FCL", "ask_fcl.py", "fcl", "python-fcl", tolerance=1e-4, absolute=_STOP),
    EngineSpec(
        "fcl-collide",
        "FCL, contacts",
        "ask_fcl.py",
        "fcl",
        "python-fcl",
        ("collide",),
        tolerance=1e-4,
        speaks=_CONTACTS,
        by_design=(_MOVE,),
    ),
    EngineSpec("mujoco", "MuJoCo", "ask_mujoco.py", "mujoco", "mujoco", absolute=_STOP, stored_single=("hull",)),
    EngineSpec(
        "rapier3d",
        "Rapier",
        "ask_rapier.py",
        "rapier3d",
        "rapier3d",
        tolerance=_SINGLE,
        single=True,
        speaks=_CONTACTS,
        by_design=(_MANIFOLD,),
    ),
    EngineSpec(
        "box3d",
        "Box3D, contacts",
        "ask_box3d.py",
        "robox3d",
        "robox3d",
        tolerance=_SINGLE,
        single=True,
        speaks=_CONTACTS,
        by_design=(_SPECULATIVE, _MANIFOLD, _FACE),
    ),
    EngineSpec(
        name="box3d-distance",
        title="Box3D",
        script="ask_box3d.py",
        module="robox3d",
        package="robox3d",
        arguments=("distance",),
        own="",
        tolerance=_SINGLE,
        single=True,
    ),
    EngineSpec(
        name="box2d",
        title="Box2D",
        script="ask_box2d.py",
        module="Box2D",
        package="box2d",
        arguments=(),
        own="",
        tolerance=_SINGLE,
        single=True,
    ),
    EngineSpec("pymunk", "Chipmunk", "ask_pymunk.py", "pymunk", "pymunk", speaks=_CONTACTS),
    EngineSpec(
        "pybullet",
        "Bullet",
        "ask_bullet.py",
        "pybullet",
        "pybullet",
        own=_TO_311,
        by_design=(_bullet(_BULLET_MARGIN),),
        rounds=_bullet_rounds(_BULLET_MARGIN),
    ),
    _dart("dart", "DART", _FACE),
    _dart("fcl", "DART with FCL", _MOVE, tolerance=1e-4),
    _dart(
        "bullet",
        "DART with Bullet",
        _bullet(_DART_BULLET_MARGIN),
        _FACE,
        rounds=_bullet_rounds(_DART_BULLET_MARGIN),
    ),
    _dart("ode", "DART with ODE", _FACE),
    EngineSpec("drake", "Drake", "ask_drake.py", "pydrake", "drake", own=_FROM_312, tolerance=1e-4, absolute=_STOP),
    EngineSpec(
        "sapien",
        "PhysX",
        "ask_physx.py",
        "sapien",
        "sapien",
        own=_OWN,
        tolerance=_SINGLE,
        single=True,
        speaks=_CONTACTS,
        by_design=(_SPECULATIVE, _MANIFOLD, _FACE, _MESH),
    ),
    EngineSpec(
        "culverin",
        "Jolt",
        "ask_jolt.py",
        "culverin",
        "culverin",
        own=_FROM_312,
        speaks=_CONTACTS,
        margins=dict.fromkeys(_JOLT_SHAPES, _ROUNDED * _JOLT_RADIUS),
        by_design=(_SPECULATIVE,),
        rounds=dict.fromkeys(_JOLT_SHAPES, (_JOLT_RADIUS, _JOLT_RADIUS)),
    ),
)


def found_engines(pythons: Sequence[str]) -> tuple[tuple[FoundEngine, ...], tuple[str, ...]]:
    """The installed engines, and a sentence for each interpreter that could not be asked.

    `pythons`: the interpreters that the settings name. Each engine comes with Separatrix's own Python if that has it,
    else with the first of `pythons` that has it.
    """
    modules = {entry.module for entry in ENGINES}
    places = {module: sys.executable for module in modules if find_spec(module) is not None}
    refused = []
    for python in pythons:
        try:
            for module in _modules_of(python, tuple(sorted(modules))):
                places.setdefault(module, python)
        except (OSError, subprocess.SubprocessError) as error:
            refused.append(f"engine_pythons: {python} could not be asked: {_why(error)}")
    return tuple(FoundEngine(entry, places[entry.module]) for entry in ENGINES if entry.module in places), tuple(
        refused
    )


@cache
def _modules_of(python: str, modules: tuple[str, ...]) -> tuple[str, ...]:
    """The modules that an interpreter has, of the given ones.

    Raises OSError if it cannot be started, and SubprocessError if it fails or takes more than LOOK_LIMIT.
    """
    done = subprocess.run(
        [python, "-c", _LOOK, *modules], capture_output=True, text=True, timeout=LOOK_LIMIT, check=True
    )
    return tuple(done.stdout.split())


def _why(error: OSError | subprocess.SubprocessError) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        return f"it ended with exit status {error.returncode}"
    if isinstance(error, subprocess.TimeoutExpired):
        return f"no answer in {LOOK_LIMIT:g} s"
    return getattr(error, "strerror", None) or str(error)
