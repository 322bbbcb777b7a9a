"""Colours by the name of their role: a theme in which no two roles look alike, and the way back from a colour.

The snapshots are drawn with this theme, so a piece that changes its role changes its colour, whatever the themes for
the eye give both. Overlays fade and mix colours as they draw: a faded one keeps its role, with its alpha beside it
(`gap@0.35`), and a mixed one lies between two roles (`text+winner*0.25`).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from msgspec.structs import asdict, fields, replace

from app.draw.draw_list import Rgba
from app.draw.theme import DARK, Theme
from app.stages import ALGORITHMS, BY_PHASE, AlgorithmSpec
from core.query.query import Phase

CLOSE = 1e-6
"""How far a colour may be from a role's, component by component."""

ADDED = {"white": (1.0, 1.0, 1.0, 1.0), "black": (0.0, 0.0, 0.0, 1.0)}
"""Colours that are drawn without belonging to a theme: what is readable on a fill."""


def _roles() -> dict[str, Rgba]:
    of_theme = {field.name: getattr(DARK, field.name) for field in fields(DARK)}
    # The last role is MPR's: the colours of the others stay what they were before there was one.
    algorithms = sorted(ALGORITHMS, key=lambda spec: spec.phase is Phase.MPR)
    of_phases = {_of_phase(spec.phase): spec.colour(DARK) for spec in algorithms}
    return {name: rgba for name, rgba in (of_theme | of_phases).items() if isinstance(rgba, tuple)}


def _of_phase(phase: Phase) -> str:
    return f"phase_{phase.name.lower()}"


class _SpecOfRoles(AlgorithmSpec, frozen=True):
    """An algorithm whose colour is its role's where the theme is that of roles, and else what it is."""

    def colour(self, theme: Theme) -> Rgba:
        return _colours()[_of_phase(self.phase)] if theme.name == "roles" else super().colour(theme)


@cache
def _colours() -> dict[str, Rgba]:
    """A colour of its own for every role; alphas stay."""
    # Steps by irrational shares of the cube fill it evenly (Roberts, 2018), so mixtures of two roles stay apart.
    step = 1.2207440846057596
    colours = {}
    for number, (name, (_, _, _, alpha)) in enumerate(_roles().items(), start=1):
        red, green, blue = (0.1 + 0.8 * ((0.5 + number / step**power) % 1.0) for power in (1, 2, 3))
        colours[name] = (red, green, blue, alpha)
    return colours


@cache
def theme_of_roles() -> Theme:
    """The dark theme in the colours of the roles, and all algorithms with it."""
    BY_PHASE.update({spec.phase: _SpecOfRoles(**asdict(spec)) for spec in ALGORITHMS})
    of_theme = {name: rgba for name, rgba in _colours().items() if hasattr(DARK, name)}
    return replace(DARK, name="roles", **of_theme)


@cache
def _known() -> tuple[list[str], np.ndarray, np.ndarray]:
    table = _colours() | ADDED
    rows = np.array(list(table.values()))
    return list(table), rows[:, :3], rows[:, 3]


@cache
def role_of(rgba: tuple[float, ...], close: float = CLOSE) -> str:
    """The role of a colour: `name`, `name@alpha`, `name+other*share`, or its numbers. `close`: how near."""
    if rgba[3] == 0.0:
        return "clear"
    names, colours, alphas = _known()
    apart = np.abs(colours - rgba[:3]).max(axis=1)
    nearest = int(apart.argmin())
    if apart[nearest] < close:
        plain = abs(rgba[3] - alphas[nearest]) < close
        return names[nearest] if plain else f"{names[nearest]}@{_share(rgba[3])}"
    return _mixture(rgba, close) or "rgba " + " ".join(_share(value) for value in rgba)


def _mixture(rgba: tuple[float, ...], close: float) -> str | None:
    names, colours, _ = _known()
    best, found = close, None
    for first, name in enumerate(names):
        ways = colours - colours[first]
        lengths = np.maximum((ways * ways).sum(axis=1), 1e-12)
        shares = np.clip(((rgba[:3] - colours[first]) * ways).sum(axis=1) / lengths, 0.0, 1.0)
        apart = np.abs(colours[first] + shares[:, None] * ways - rgba[:3]).max(axis=1)
        apart[first] = np.inf
        other = int(apart.argmin())
        if apart[other] < best:
            best, found = float(apart[other]), f"{name}+{names[other]}*{_share(float(shares[other]))}@{_share(rgba[3])}"
    return found


def _share(value: float) -> str:
    return f"{value:.3g}"
