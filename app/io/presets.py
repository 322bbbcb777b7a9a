"""The gallery: scenes that ship with the program, and the pairs that people reported against libraries.

Every preset is a scene file in assets/scenes; index.json there gives groups, order and what the
search finds besides: the rows of the source articles. The reported cases are records
of assets/cases/cases.json with their source, what went wrong and the exact answer (60-digit arithmetic).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from core.scene import Scene

from ..storage.files import resource
from .scene_file import Loaded, from_tree, load

DEFAULT, FLAT_DEFAULT = "skew-edges", "flat-hexagon-pentagon"
"""The first screen, two boxes that overlap along a skew edge pair; and the first of the plane."""


class Preset(Struct, frozen=True):
    """A scene of the gallery; `text`: two sentences on what to look at, `keywords`: what the search finds besides.

    `load(path)` gives it with its view.
    """

    id: str
    title: str
    group: str
    text: str
    keywords: str
    path: Path


class Answer(Struct, frozen=True):
    """The exact answer of a reported case, signs as everywhere (separation negative when overlapping)."""

    state: str
    separation: float
    digits: str


class ReportedCase(Struct, frozen=True):
    """A pair reported against a library: where, what went wrong, what it teaches, and the exact answer."""

    id: str
    title: str
    source: str
    story: str
    lesson: str
    wrong_today: tuple[str, ...]
    answer: Answer
    scene: Scene


class _Index(msgspec.Struct):
    groups: dict[str, list[str]]
    keywords: dict[str, list[str]]


class _Heading(msgspec.Struct):
    name: str
    notes: str


class _CaseData(msgspec.Struct):
    id: str
    title: str
    source: str
    what_went_wrong: str
    scene: dict[str, object]
    truth: Answer
    lesson: str = ""
    libraries_wrong_today: tuple[str, ...] = ()


class _CasesData(msgspec.Struct):
    cases: list[_CaseData]


@cache
def presets() -> tuple[Preset, ...]:
    """Every preset, in the order of the gallery; ids are unique."""
    index = msgspec.json.decode(resource("assets", "scenes", "index.json").read_bytes(), type=_Index)
    return tuple(_preset(name, group, index) for group, names in index.groups.items() for name in names)


def load_preset(name: str) -> Loaded:
    """The scene and view of the preset with this id. Raises KeyError for an unknown id."""
    path = _path(name)
    if not path.is_file():
        raise KeyError(name)
    return load(path)


def default_scene() -> Loaded:
    """The scene of the first screen, with its view."""
    return load_preset(DEFAULT)


@cache
def reported_cases() -> tuple[ReportedCase, ...]:
    """The reported pairs whose shapes this version knows."""
    data = msgspec.json.decode(resource("assets", "cases", "cases.json").read_bytes(), type=_CasesData)
    return tuple(
        ReportedCase(c.id, c.title, c.source, c.what_went_wrong, c.lesson, c.libraries_wrong_today, c.truth, scene)
        for c, scene in ((case, from_tree(case.scene).scene) for case in data.cases)
    )


def _path(name: str) -> Path:
    return resource("assets", "scenes", f"{name}.json")


def _preset(name: str, group: str, index: _Index) -> Preset:
    # The heading only: the list is wanted at the start, and a hull's faces cost the import of scipy.
    heading = msgspec.json.decode(_path(name).read_bytes(), type=_Heading)
    keywords = " ".join(word for word, names in index.keywords.items() if name in names)
    return Preset(name, heading.name, group, heading.notes, keywords, _path(name))
