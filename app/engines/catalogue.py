"""The engines that can be asked, how each is got, and which of them are there.

Interpreters come from the settings and from nowhere else: no scene, log or paste can name a program to run.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from core.differential.answers import Engine, Speaks

ADAPTERS = Path(__file__).resolve().parent / "adapters"

LOOK_LIMIT = 15.0
"""Seconds that an interpreter has to say which modules it has."""

_LOOK = "import sys, importlib.util as u; print(*[m for m in sys.argv[1:] if u.find_spec(m)])"


class Entry(Struct, frozen=True):
    """An engine by its name here: the adapter's file and arguments, the Python module and package it needs.

    `own`: where the package does not go into the program's Python, in words; "" where it can. `tolerance`, `single`,
    `speaks`: as in `Engine`.
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

    def command(self, python: str) -> list[str]:
        """What starts its process."""
        return [python, str(ADAPTERS / self.script), *self.arguments]

    def engine(self, version: str) -> Engine:
        """What the judge has to know of it."""
        return Engine(self.name, version, self.speaks, self.tolerance, self.single)


class Found(Struct, frozen=True):
    """An engine that is there, and the interpreter that has it."""

    entry: Entry
    python: str


_SINGLE = 2e-5
_TO_311 = "a Python up to 3.11 of its own"
_FROM_312 = "a Python from 3.12 of its own"
_OWN = "a Python of its own"
_CONTACTS = Speaks.CONTACTS


def _dart(detector: str, title: str, tolerance: float = 1e-6) -> Entry:
    return Entry(
        f"dart-{detector}", title, "ask_dart.py", "dartpy", "dartpy", (detector,), _OWN, tolerance, speaks=_CONTACTS
    )


ENGINES = (
    Entry("coal", "Coal", "ask_coal.py", "coal", "coal"),
    Entry("fcl", "FCL", "ask_fcl.py", "fcl", "python-fcl", tolerance=1e-4),
    Entry("fcl-collide", "FCL, contacts", "ask_fcl.py", "fcl", "python-fcl", ("collide",), "", 1e-4, speaks=_CONTACTS),
    Entry("mujoco", "MuJoCo", "ask_mujoco.py", "mujoco", "mujoco"),
    Entry("rapier3d", "Rapier", "ask_rapier.py", "rapier3d", "rapier3d", (), "", _SINGLE, True, _CONTACTS),
    Entry("box3d", "Box3D, contacts", "ask_box3d.py", "robox3d", "robox3d", (), "", _SINGLE, True, _CONTACTS),
    Entry("box3d-distance", "Box3D", "ask_box3d.py", "robox3d", "robox3d", ("distance",), "", _SINGLE, True),
    Entry("box2d", "Box2D", "ask_box2d.py", "Box2D", "box2d", (), "", _SINGLE, True),
    Entry("pymunk", "Chipmunk", "ask_pymunk.py", "pymunk", "pymunk", speaks=_CONTACTS),
    Entry("pybullet", "Bullet", "ask_bullet.py", "pybullet", "pybullet", own=_TO_311),
    _dart("dart", "DART"),
    _dart("fcl", "DART with FCL", 1e-4),
    _dart("bullet", "DART with Bullet"),
    _dart("ode", "DART with ODE"),
    Entry("drake", "Drake", "ask_drake.py", "pydrake", "drake", own=_FROM_312, tolerance=1e-4),
    Entry("sapien", "PhysX", "ask_physx.py", "sapien", "sapien", (), _OWN, _SINGLE, True, _CONTACTS),
    Entry("culverin", "Jolt", "ask_jolt.py", "culverin", "culverin", own=_FROM_312, speaks=_CONTACTS),
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
