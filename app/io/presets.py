"""The gallery: scenes that ship with the program, pairs that people reported against libraries, the articles' mistakes.

Each preset is a scene file in assets/scenes. The file index.json in that folder is a course: shelves in order, each
with its cards. It also has the titles, which are the scenes' names, so that a start does not read all scenes; the tags
that a card shows; and the codes of the source articles' rows, which are only searched. Each preset has a thumbnail in
assets/thumbnails (app/packaging/make_thumbnails.py).

The reported cases are in assets/cases/cases.json, with their source, the fault and the exact answer (60-digit
arithmetic). Each mistake of the articles has a scene from `core.study.articles` for which its answer is wrong. That
package is imported when the gallery first lists the mistakes. For a mistake about a ray, the view has the ray as its
probe.
"""

from __future__ import annotations

from functools import cache, cached_property
from math import asin, atan, atan2, isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.triple import triple
from core.geometry.vector import Array, length
from core.query.query import Phase
from core.scene import Scene
from core.toi.motion import moves

from ..draw.camera import Camera
from ..probes import RayLook, RayProbe
from ..state.view import Panes, View
from ..storage.files import resource
from ..words.digits import tabular
from .scene_file import Loaded, from_tree, load

if TYPE_CHECKING:
    from core.study.articles import ArticleValue, ArticleVariant, PickedPixel

DEFAULT, FLAT_DEFAULT = "skew-edges", "flat-one-gap"
"""The ids of the default presets: in 3D two boxes that overlap at a skew edge pair, in 2D two polygons with one gap."""


class Preset(Struct, frozen=True, dict=True):
    """A scene of the gallery; `load(path)` returns the scene with its view.

    `tags`: its dimension, verdict, shapes, and a few more words. `codes`: words that the search finds but no card
    shows. `about`: the name of the phase at which the timeline opens, such as `epa`; "" for the first one.
    """

    id: str
    title: str
    tags: tuple[str, ...]
    codes: tuple[str, ...]
    path: Path
    about: str = ""

    @cached_property
    def text(self) -> str:
        """Two to six short sentences about the scene: its notes."""
        # Decodes only the notes: a whole scene with a hull would import scipy.
        return msgspec.json.decode(self.path.read_bytes(), type=_Heading).notes

    def thumbnail(self, theme: str) -> Path:
        """The path of the preset's thumbnail in one of THUMBNAIL_THEMES."""
        return resource("assets", "thumbnails", f"{self.id}.{theme}.png")


THUMBNAIL_THEMES = ("dark", "light")
"""Themes of the thumbnails; the theme paper uses the light ones."""


class PresetCard(Struct, frozen=True):
    """A card on a shelf: one preset, or several about the same subject.

    `title`: the preset's, or the card's own. `own_text`: the card's own text, "" for a card with one preset.
    """

    title: str
    own_text: str
    presets: tuple[Preset, ...]

    @property
    def text(self) -> str:
        """The card's own text, else its first preset's."""
        return self.own_text or self.presets[0].text


class PresetShelf(Struct, frozen=True):
    """Cards about one subject, in order. `lesson`: the id of the lesson about it, None without one."""

    title: str
    subtitle: str
    lesson: str | None
    cards: tuple[PresetCard, ...]


class ExactAnswer(Struct, frozen=True):
    """The exact answer of a reported case.

    `state`: the verdict's name. `separation`: signed. `digits`: the separation with more digits than a double has.
    """

    state: str
    separation: float
    digits: str


class ReportedCase(Struct, frozen=True, eq=False, dict=True):
    """A pair that people reported against a library.

    `source`: of the report. `story`: the fault. `lesson`: its lesson for a reader. `wrong_today`: the libraries that
    are still wrong. `tree`: the scene as JSON values. `scene` is made from it when first needed, as the hulls of all
    cases take a third of a second.
    """

    id: str
    title: str
    source: str
    story: str
    lesson: str
    wrong_today: tuple[str, ...]
    answer: ExactAnswer
    tree: dict[str, object]

    @cached_property
    def scene(self) -> Scene:
        """The pair as a scene."""
        return from_tree(self.tree).scene

    def is_shown(self, scene: Scene) -> bool:
        """Whether `scene` is this pair, unchanged."""
        return scene.name == self.tree.get("name", "") and scene == self.scene


class _CardData(msgspec.Struct, forbid_unknown_fields=True):
    """A card of index.json: one preset, with `id` and `title`, or several `presets`, with a `title` and a `text`."""

    id: str = ""
    tags: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    title: str = ""
    about: str = ""
    text: str = ""
    presets: list[_CardData] = []


class _ShelfData(msgspec.Struct, forbid_unknown_fields=True):
    """A shelf of index.json. A card that is only an id refers to a preset that another shelf describes."""

    shelf: str
    subtitle: str
    lesson: str | None
    presets: list[_CardData | str]


class _Heading(msgspec.Struct):
    notes: str


class _CaseData(msgspec.Struct):
    id: str
    title: str
    source: str
    what_went_wrong: str
    scene: dict[str, object]
    truth: ExactAnswer
    lesson: str = ""
    libraries_wrong_today: tuple[str, ...] = ()


class _CasesData(msgspec.Struct):
    cases: list[_CaseData]


@cache
def presets() -> tuple[Preset, ...]:
    """Each preset once, in the order of the gallery."""
    found = (preset for shelf in shelves() for card in shelf.cards for preset in card.presets)
    return tuple({preset.id: preset for preset in found}.values())


def phase_about(name: str | None) -> Phase | None:
    """The phase at which the timeline opens for the preset with this id; None for the first phase, or no preset."""
    about = next((preset.about for preset in presets() if preset.id == name), "")
    return Phase[about.upper()] if about else None


@cache
def shelves() -> tuple[PresetShelf, ...]:
    """The gallery's shelves, in the order of the course."""
    index = msgspec.json.decode(resource("assets", "scenes", "index.json").read_bytes(), type=list[_ShelfData])
    listed = [card for shelf in index for card in shelf.presets if isinstance(card, _CardData)]
    known = {data.id: _preset(data) for card in listed for data in (card.presets or [card])}
    return tuple(
        PresetShelf(data.shelf, data.subtitle, data.lesson, tuple(_card(card, known) for card in data.presets))
        for data in index
    )


def _card(data: _CardData | str, known: dict[str, Preset]) -> PresetCard:
    if isinstance(data, _CardData) and data.presets:
        return PresetCard(data.title, data.text, tuple(known[preset.id] for preset in data.presets))
    preset = known[data if isinstance(data, str) else data.id]
    return PresetCard(preset.title, "", (preset,))


def load_preset(name: str) -> Loaded:
    """The scene and view of the preset with this id. Raises KeyError for an unknown id, SceneError for a bad file."""
    path = _path(name)
    if not path.is_file():
        raise KeyError(name)
    return load(path)


def default_scene() -> Loaded:
    """The preset DEFAULT, with its view."""
    return load_preset(DEFAULT)


@cache
def reported_cases() -> tuple[ReportedCase, ...]:
    """All reported cases."""
    data = msgspec.json.decode(resource("assets", "cases", "cases.json").read_bytes(), type=_CasesData)
    return tuple(
        ReportedCase(
            id=c.id,
            title=c.title,
            source=c.source,
            story=c.what_went_wrong,
            lesson=c.lesson,
            wrong_today=c.libraries_wrong_today,
            answer=c.truth,
            tree=c.scene,
        )
        for c in data.cases
    )


def _path(name: str) -> Path:
    return resource("assets", "scenes", f"{name}.json")


def _preset(data: _CardData) -> Preset:
    return Preset(data.id, data.title, data.tags, data.codes, _path(data.id), data.about)


PANE = 600.0
"""The side of a ray probe's square pane, pixels."""
ARTICLES = "SPGV"
"""The articles' letters, in the order of the gallery."""
FAR_OVER_DISTANCE = 4.0
"""The length of a probe's ray, in units of the camera's distance."""


class ArticleCase(Struct, frozen=True):
    """One mistake of an article. `id`, `system`, `title`, `why`: the variant's.

    `article`, `right`: the mistaken and the right answer about `scene`, in words. `view`: for a mistake about a ray,
    one with the ray as its probe; else the default view, so that the view of a previous case is not kept.
    """

    id: str
    system: str
    title: str
    why: str
    article: str
    right: str
    scene: Scene
    view: View


@cache
def article_cases() -> tuple[ArticleCase, ...]:
    """All mistakes, about pairs, rays, motions and 2D pairs, in the order of the articles' rows."""
    from core.study.articles import ARTICLE_VARIANTS, MOTION_VARIANTS
    from core.study.articles.plane import PLANAR_VARIANTS

    cases = (
        *(_ray_case(v) if v.system in ("P11", "P12") else _case(v, v.breaks[0], "depth ") for v in ARTICLE_VARIANTS),
        # Takes the first scene in which a body moves, so that the window has a motion to show.
        *(_case(v, next(s for s in v.breaks if moves(s.a) or moves(s.b)), "t = ") for v in MOTION_VARIANTS),
        *(_case(v, v.breaks[0]) for v in PLANAR_VARIANTS),
    )
    return tuple(sorted(cases, key=lambda case: (ARTICLES.index(case.system[0]), int(case.system[1:]))))


def _case(variant: ArticleVariant, scene: Scene, number: str | None = None) -> ArticleCase:
    """The case of a variant. `number`: the text before a number in the answers; None if the answers are words."""
    with np.errstate(all="ignore"):
        answers = variant.compare(scene)
    article, right = (
        str(answer) if number is None else _words(answer, number) for answer in (answers.article, answers.right)
    )
    return ArticleCase(
        id=variant.id,
        system=variant.system,
        title=variant.title,
        why=variant.why,
        article=article,
        right=right,
        scene=scene,
        view=View(),
    )


def _ray_case(variant: ArticleVariant) -> ArticleCase:
    from core.study.articles.picking import OFF_CENTRE, ORTHOGRAPHIC

    pixel = {"P11-off-centre": OFF_CENTRE, "P11-orthographic": ORTHOGRAPHIC}.get(variant.id)
    case = _case(variant, variant.breaks[0], "")
    start, way = np.array(case.scene.b.position), np.array(case.scene.b.displacement)
    probe = _along(start, way) if pixel is None else _through(pixel, start)
    mark = replace(case.scene.b, displacement=(0.0, 0.0, 0.0))
    article, right = ({"contact": "hit", "no contact": "miss"}[word] for word in (case.article, case.right))
    view = View(world=Camera(yaw=0.9, pitch=0.35), panes=Panes.WORLD, probe=probe)
    return replace(case, article=article, right=right, scene=replace(case.scene, b=mark), view=view)


def _along(start: Array, way: Array) -> RayProbe:
    """The probe of the ray from `start` (3,) along `way` (3,), as long as `way`, through the middle of its pane."""
    reach = length(way)
    x, y, z = (-way / reach).tolist()
    distance = reach / FAR_OVER_DISTANCE
    camera = Camera(triple(start + way / FAR_OVER_DISTANCE), distance, atan2(x, z), asin(y))
    return RayProbe(camera, (0.5 * PANE, 0.5 * PANE), (PANE, PANE), RayLook.ONE_AXIS)


def _through(pixel: PickedPixel, eye: Array) -> RayProbe:
    """The probe of the ray through a pixel of a camera at `eye` (3,) that looks along -z."""
    half, middle = 0.5 * (pixel.right - pixel.left), 0.5 * (pixel.right + pixel.left)
    # An orthographic camera shows as much as a perspective one does at the camera's distance.
    distance = 8.0
    angle = 2.0 * atan(half / (distance if pixel.orthographic else pixel.near))
    at = (0.5 * PANE * (1.0 + pixel.x), 0.5 * PANE * (1.0 - pixel.y))
    camera = Camera(triple(eye - (0.0, 0.0, distance)), distance, 0.0, 0.0, angle, pixel.orthographic)
    return RayProbe(camera, at, (PANE, PANE), shift=0.0 if pixel.orthographic else middle / half)


def _words(answer: ArticleValue, number: str) -> str:
    if isinstance(answer, bool):
        return "contact" if answer else "no contact"
    if isinstance(answer, tuple):
        return f"({', '.join(tabular(part) for part in answer)})"
    if isinstance(answer, float):
        return f"{number}{tabular(answer)}" if isfinite(answer) else "no contact"
    return f"{answer} vertices of A in contact" if isinstance(answer, int) else answer
