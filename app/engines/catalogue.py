"""The engines that can be asked, how each is got, and which of them are there.

Interpreters come from the settings and from nowhere else: no scene, log or paste can name a program to run.
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
"""Seconds that an interpreter has to say which modules it has."""

_LOOK = "import sys, importlib.util as u; print(*[m for m in sys.argv[1:] if u.find_spec(m)])"


class Entry(Struct, frozen=True):
    """An engine by its name here: the adapter's file and arguments, the Python module and package it needs.

    `own`: where the package does not go into the program's Python, in words; "" where it can. `tolerance`, `single`,
    `speaks`, `margins`, `by_design`, `rounds`, `absolute`, `stored_single`: as in `Engine`, for the engine as it comes.
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
        """What installs it."""
        return f"pip install {self.package}{f', in {self.own}' if self.own else ''}"

    def command(self, python: str) -> list[str]:
        """What starts its process."""
        return [python, str(ADAPTERS / self.script), *self.arguments]

    def engine(self, version: str) -> Engine:
        """What the judge has to know of it."""
        judged = self.speaks, self.tolerance, self.single, self.margins, self.by_design
        return Engine(self.name, version, *judged, self.rounds, self.absolute, self.stored_single)


class Found(Struct, frozen=True):
    """An engine that is there, and the interpreter that has it."""

    entry: Entry
    python: str


_SINGLE = 2e-5
_STOP = 1e-6
"""Scene units: GJK_ and EPA_DEFAULT_TOLERANCE of Coal, distance_tolerance of FCL, ccd_tolerance of MuJoCo, all as they
come (`narrowphase_defaults.h`, `gjk_solver_libccd-inl.h`, `mjOption`)."""
_TO_311 = "a Python up to 3.11 of its own"
_FROM_312 = "a Python from 3.12 of its own"
_OWN = "a Python of its own"
_CONTACTS = Speaks.CONTACTS

_ROUNDED = sqrt(3.0) - 1.0
"""How far a ball of radius 1 that touches all three faces of a box's corner leaves the corner out."""

_SPECULATIVE = DesignRule(Design.SPECULATIVE, "contacts of bodies up to 0.02 apart", within=0.02)
_MANIFOLD = DesignRule(Design.MANIFOLD, "apart it tells a manifold's distance, which is no less")
_FACE = DesignRule(Design.FACE, "a face is preferred to a pair of edges")
_MOVE = DesignRule(Design.MOVE, "any depth whose move along the normal just separates")
_MESH = DesignRule(Design.RANGE, "a cylinder is a mesh inside it", of_size={"cylinder": (0.0, 5e-3)})
_JOLT_RADIUS = 0.05
"""Its convex radius."""
_JOLT_SHAPES = ("box", "cylinder", "hull")
_BULLET_MARGIN, _DART_BULLET_MARGIN = 0.001, 0.04


def _bullet(margin: float) -> DesignRule:
    """Its corners of hulls lie on a grid of 10,216 steps along the longest side: half a step along each axis."""
    words = f"margin {margin:g}: hulls grow by it and lie on a grid, other shapes have round edges"
    round_edges = dict.fromkeys(("box", "cylinder", "cone"), (0.0, _ROUNDED * margin))
    ranges = {"hull": (-margin, 0.0), **round_edges}
    return DesignRule(Design.RANGE, words, ranges=ranges, of_size={"hull": (-2e-4, 2e-4)})


def _bullet_rounds(margin: float) -> dict[str, tuple[float, float]]:
    """A margin goes round a hull, and inside of a box or a cylinder."""
    return {"hull": (0.0, margin), "box": (margin, margin), "cylinder": (margin, margin)}


def _dart(
    detector: str,
    title: str,
    *by_design: DesignRule,
    tolerance: float = 1e-6,
    rounds: dict[str, tuple[float, float]] | None = None,
) -> Entry:
    return Entry(
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
    Entry("coal", "Coal", "ask_coal.py", "coal", "coal", absolute=_STOP),
    Entry("fcl", "FCL", "ask_fcl.py", "fcl", "python-fcl", tolerance=1e-4, absolute=_STOP),
    Entry(
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
    Entry("mujoco", "MuJoCo", "ask_mujoco.py", "mujoco", "mujoco", absolute=_STOP, stored_single=("hull",)),
    Entry(
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
    Entry(
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
    Entry(
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
    Entry(
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
    Entry("pymunk", "Chipmunk", "ask_pymunk.py", "pymunk", "pymunk", speaks=_CONTACTS),
    Entry(
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
    Entry("drake", "Drake", "ask_drake.py", "pydrake", "drake", own=_FROM_312, tolerance=1e-4, absolute=_STOP),
    Entry(
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
    Entry(
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


def found_engines(pythons: Sequence[str]) -> tuple[tuple[Found, ...], tuple[str, ...]]:
    """Every engine in the program's own Python or the first of the others that has it; and sentences of refusal.

    An interpreter that cannot be asked is one sentence.
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
    return tuple(Found(entry, places[entry.module]) for entry in ENGINES if entry.module in places), tuple(refused)


@cache
def _modules_of(python: str, modules: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the modules that an interpreter has. Raises OSError or SubprocessError."""
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
