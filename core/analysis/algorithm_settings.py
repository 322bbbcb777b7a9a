"""The settings of the algorithms, for experiments. `analyse` uses the defaults."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..contact.contact import ContactSettings
from ..contact.policies.policy import ContactPolicy, settings_for
from ..gjk.epa import EpaSettings
from ..gjk.gjk import GjkSettings
from ..pair.support import Rounding

_Record = TypeVar("_Record", bound=Struct)


class SingleSettings(Struct, frozen=True):
    """The settings of single precision.

    `steps`: the steps of GJK and EPA are those in single precision. `world`: positions are in the world's frame instead
    of relative to A's position. `away`: how far both bodies are moved along each axis before rounding, scene units.
    """

    steps: bool = False
    world: bool = False
    away: float = 0.0


class AlgorithmSettings(Struct, frozen=True):
    """The algorithms' settings in one query.

    `rounded`: "core" or "full", as in `support_maps`. `warm_start`: GJK starts with the directions of the last query's
    simplex. `preference`: the policy by which contacts are made; `contacts`: its tolerances, of which those that clip
    use `speculative` alone. `reduce`: at most four contacts are kept, in space; `Jolt` keeps all. `build`: the steps of
    the difference's construction come first. `mpr`: MPR runs after EPA, in space. `faces_only`: SAT's steps leave out
    the products of edges, in space. `article`: the GJK of a published article (core.gjk.article_gjk) runs too, in the
    plane; `third_point`: it uses that article's own rule `Outward.THIRD_POINT`. `single`: the settings of single
    precision.
    """

    gjk: GjkSettings = GjkSettings()
    epa: EpaSettings = EpaSettings()
    rounded: Rounding = "core"
    warm_start: bool = False
    preference: ContactPolicy = ContactPolicy.TOLERANT
    contacts: ContactSettings = ContactSettings()
    reduce: bool = False
    build: bool = False
    mpr: bool = False
    faces_only: bool = False
    article: bool = True
    third_point: bool = False
    single: SingleSettings = SingleSettings()


DEFAULT_SETTINGS = AlgorithmSettings()


class ChangedSetting(Struct, frozen=True):
    """A setting that differs from its default. `path`: such as `gjk.iterations`; `name`: in words."""

    path: str
    name: str
    value: object
    default: object


SETTING_NAMES = {
    "gjk.iterations": "GJK iteration limit",
    "gjk.sub_distance": "sub-distance",
    "gjk.first_direction": "first direction",
    "gjk.gap": "GJK gap",
    "gjk.certified": "GJK certified within",
    "epa.iterations": "EPA iteration limit",
    "epa.gap": "EPA gap",
    "epa.certified": "EPA certified within",
    "rounded": "curved shapes as",
    "warm_start": "warm start",
    "preference": "contact policy",
    "contacts.alpha": "flat within",
    "contacts.delta": "contact tolerance",
    "contacts.speculative": "speculative distance",
    "reduce": "four contacts at most",
    "build": "difference built by hand",
    "mpr": "MPR beside EPA",
    "faces_only": "SAT by faces alone",
    "article": "the article's GJK in the plane",
    "third_point": "perpendicular by the third point itself",
    "single.steps": "GJK and EPA in float32",
    "single.world": "float32 in the world's frame",
    "single.away": "float32 away from the origin",
}
"""The names of the settings by their paths, in the order in which they are shown."""


WITHOUT_EFFECT = {2: ("reduce", "mpr", "faces_only"), 3: ("article", "third_point")}
"""The paths of the settings that have no effect, by dimension of the scene."""


def contact_settings(settings: AlgorithmSettings) -> ContactSettings:
    """The contacts' tolerances under the settings' policy; the policy `narrow` has its own α."""
    return settings_for(settings.preference, settings.contacts)


def setting_at(settings: AlgorithmSettings, path: str) -> object:
    """The value at a path of SETTING_NAMES. Raises AttributeError if a part of the path does not exist."""
    value: object = settings
    for name in path.split("."):
        value = getattr(value, name)
    return value


def with_setting(settings: AlgorithmSettings, path: str, value: object) -> AlgorithmSettings:
    """The settings with the value at a path of SETTING_NAMES replaced; the value is not checked."""
    group, _, name = path.rpartition(".")
    if not group:
        return _set(settings, name, value)
    return _set(settings, group, _set(getattr(settings, group), name, value))


def changed_settings(settings: AlgorithmSettings) -> tuple[ChangedSetting, ...]:
    """The settings of SETTING_NAMES that differ from their defaults, in its order."""
    pairs = (
        (path, name, setting_at(settings, path), setting_at(DEFAULT_SETTINGS, path))
        for path, name in SETTING_NAMES.items()
    )
    return tuple(ChangedSetting(*pair) for pair in pairs if pair[2] != pair[3])


def acting(settings: AlgorithmSettings, dimension: int) -> AlgorithmSettings:
    """The settings for a scene of this dimension: those without effect get their defaults.

    In the plane, GJK's first direction loses its z. A zero first direction becomes None.
    """
    for path in WITHOUT_EFFECT[dimension]:
        settings = with_setting(settings, path, setting_at(DEFAULT_SETTINGS, path))
    first = settings.gjk.first_direction
    if first is None:
        return settings
    x, y, z = (part if axis < dimension else 0.0 for axis, part in enumerate(first))
    return with_setting(settings, "gjk.first_direction", (x, y, z) if x or y or z else None)


def _set(record: _Record, name: str, value: object) -> _Record:
    changes: dict[str, Any] = {name: value}
    return replace(record, **changes)
