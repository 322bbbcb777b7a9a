"""Names of features, of axes and of points, as pictures, tables, cards and the text of `check` show them.

The core's labels, such as `A.edge1`, `A.x×B.z` and `v4-v7`, are promised in `check --json`. This file alone makes names
from them. Vertices are `A.v4`, edges `A.e1`, faces `A.f3`, a box's faces `A.+x` to `A.−z`. A hull's edge in space is
named by its ends, `A.v4v7`. A vertex in a formula is `a₄` or `b₂`; a point of the difference is `a₄ − b₂`.

The name of an axis differs from the name of its feature. `⊥A.e1` and `⊥A.f3` are at right angles to one edge or face,
`A.y` to a box's pair of faces, `A.x × B.z` to two edges. `A.v2 → B` runs through the closest points.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from .expression import Symbol
from .terms import terms_of

if TYPE_CHECKING:
    from core.contact.contact import Contact
    from core.minkowski.plane import VertexPair
    from core.pair.support import DifferencePoint
    from core.sat.sat import SatTable
    from core.scene import Body, Scene
    from core.shapes.contract import SupportFeature
    from core.toi.intervals import MovingAxes


_ENDS = re.compile(r"\bv(\d+)-v(\d+)")
_NUMBERED = re.compile(r"\b(e)dge(?=\d)|\b(f)ace(?=\d)")
_OF_ONE_BODY = re.compile(r"([AB])\.(e\d+) × (?=f\d)")
_BETWEEN = re.compile(r" ?([×→]) ?")
_SIDE = re.compile(r"(?<=[. ])-(?=[xyz])")
_HULL_EDGE = re.compile(r"edge(\d+)")
_NORMAL_TO = re.compile(r"^(?=[AB]\.(?:e\d+|f\d+|plane)$)")
_TOWARDS_A = re.compile(r"^(B[^→]*?)( ?→ ?)(A.*)")
_UPRIGHT = re.compile(r"⊥|⟂|_\|_")

_SOURCES = re.compile(r"(?:(w[₀-₉]+) = )?(a[₀-₉]*) − (b[₀-₉]*)")

NORMAL_TO = "⊥"
"""The sign before the name of an edge or face: the axis at right angles to it."""


@lru_cache(maxsize=16384)
def shown_name(label: str) -> str:
    """The name of an axis or a feature for a label of the core: `A.x × B.z`, `A.e1`, `A.v2 → B`, `A.v4v7`, `A.−z`."""
    name = _BETWEEN.sub(r" \1 ", label)
    name = _NUMBERED.sub(lambda found: found[1] or found[2], _ENDS.sub(r"v\1v\2", name))
    return _SIDE.sub("−", _OF_ONE_BODY.sub(r"\1.\2 × \1.", name))


@lru_cache(maxsize=16384)
def named_axis(label: str) -> str:
    """The name of an axis for a label of the core: `⊥A.e1`, `⊥A.f3`, `A.y`, `A.x × B.z`, `A.v2 → B`.

    An axis through the closest points is named from A to B, also if the label begins with B.
    """
    return _NORMAL_TO.sub(NORMAL_TO, shown_name(_TOWARDS_A.sub(r"\3\2\1", label)))


@lru_cache(maxsize=16384)
def same_name(text: str) -> str:
    """One spelling for all labels and names of an axis: `A.edge1`, `A.e1` and `⊥A.e1` give the same text."""
    name = named_axis(_UPRIGHT.sub("", text).strip()).removeprefix(NORMAL_TO)
    name = name.replace(" ", "").replace("-", "−")
    return re.sub(r"([AB])\.(e\d+)×\1\.(?=f\d)", r"\1.\2×", name)


def axis_name(table: SatTable | MovingAxes, row: int) -> str:
    """The name of the axis in a table's row: `⊥A.e1`, `A.x × B.z`, `A.v2 → B`."""
    return named_axis(table.candidates[row].label)


def row_of(table: SatTable | MovingAxes, text: str) -> int | None:
    """The row of the axis with this label or name, in any spelling that `same_name` takes; None if there is none."""
    wanted = same_name(text)
    return next((row for row, known in enumerate(table.candidates) if same_name(known.label) == wanted), None)


def feature_name(scene: Scene, body: int, feature: str) -> str:
    """The name of a feature of body 0 (A) or 1 (B) for a label of the core: `A.v4`, `A.+x`, `A.f3`, `A.v4v7`."""
    letter, edge = "AB"[body], _HULL_EDGE.fullmatch(feature)
    core = None if edge is None else scene.body(body).shape.core
    if edge is None or core is None or core.solid is None or _in_plane(scene):
        return shown_name(f"{letter}.{feature}")
    low, high = sorted(core.solid.edges[int(edge[1])].tolist())
    return f"{letter}.v{low}v{high}"


def support_words(scene: Scene, body: int, feature: SupportFeature) -> str:
    """The kind and name of a support feature of body 0 (A) or 1 (B): `vertex A.v4`, `face B.+x`, `surface`."""
    if feature.name == feature.kind:
        return feature.kind
    name = feature_name(scene, body, feature.name)
    return name if feature.name.startswith(feature.kind + " ") else f"{feature.kind} {name}"


def pair_name(scene: Scene, pair: tuple[str, str]) -> str:
    """The names of two labels of the core, a feature of A and one of B: `A.v4 | B.+x`."""
    return f"{feature_name(scene, 0, pair[0])} | {feature_name(scene, 1, pair[1])}"


def contact_features(scene: Scene, contact: Contact) -> str:
    """The names of the features of A and of B that meet in `contact`, as in `pair_name`."""
    return pair_name(scene, (contact.feature_a, contact.feature_b))


def vertex_name(body: Body, letter: str, vertex: int, number: int | None = None) -> str:
    """The name of a vertex: `A.v3`, of a segment `A.end0`, of a point `A.centre`.

    A support point of a curved surface, whose `vertex` is negative, is named by its `number`: `a₂`.
    """
    core = body.shape.core
    if vertex < 0 or core is None:
        return numbered(letter.lower(), number)
    if len(core.points) == 1:
        return f"{letter}.centre"
    return f"{letter}.end{vertex}" if len(core.points) == 2 else f"{letter}.v{vertex}"


def difference_name(scene: Scene, point: DifferencePoint, number: int | None = None) -> str:
    """A point of the difference by its two vertices: `a₃ − b₅`. `number` stands for a vertex of a curved surface."""
    vertices = (scene.a, point.vertex_a), (scene.b, point.vertex_b)
    first, second = (
        _in_formula(body, letter, vertex, number) for letter, (body, vertex) in zip("ab", vertices, strict=True)
    )
    return f"{first} − {second}"


def sources_in(scene: Scene, text: str) -> str:
    """The meaning of a point's name: `in w₄ = a₂ − b₄, a₂ is vertex A.v2 and b₄ is the point of B found with w₄`.

    Of `a₂ − b₄` alone: `a₂ is vertex A.v2, b₄ is vertex B.v4`. "" for other texts.
    """
    found = _SOURCES.fullmatch(text)
    if found is None:
        return ""
    meanings = []
    for body, letter, name in ((scene.a, "A", found[2]), (scene.b, "B", found[3])):
        if body.shape.core is None:
            meanings.append(f"{name} is the point of {letter} found with {found[1]}")
        else:
            meant = vertex_name(body, letter, _number_of(name))
            meanings.append(f"{name} is {'vertex ' * meant.startswith(f'{letter}.v')}{meant}")
    return f"in {text}, {meanings[0]} and {meanings[1]}" if found[1] else ", ".join(meanings)


def _number_of(name: str) -> int:
    """The number in the index of a name, `a₁₂`; 0 without an index."""
    return int("".join(str(ord(digit) - ord("₀")) for digit in name[1:]) or 0)


def difference_symbols(scene: Scene, vertex_a: int, vertex_b: int) -> tuple[Symbol, Symbol]:
    """The symbols, for a formula, of a vertex of A and a vertex of B."""
    ends = ("a", scene.a, vertex_a), ("b", scene.b, vertex_b)
    first, second = (Symbol(letter, "" if _lone(body) else str(vertex)) for letter, body, vertex in ends)
    return first, second


def _in_formula(body: Body, letter: str, vertex: int, number: int | None) -> str:
    if vertex < 0 or body.shape.core is None:
        return numbered(letter, number)
    return letter if _lone(body) else numbered(letter, vertex)


def _lone(body: Body) -> bool:
    """Whether the body's core is one point, which needs no number."""
    return body.shape.core is not None and len(body.shape.core.points) == 1


def vertex_pair_name(scene: Scene, pair: VertexPair) -> str:
    """A pair of vertices in the table of pairs: `a₁ − b₂`; in the article's worked example `BE`."""
    return pair.name if lettered(scene) else vertices_name(scene, pair)


def vertices_name(scene: Scene, pair: VertexPair, sign: str = "−") -> str:
    """A pair of vertices by their numbers: `a₁ − b₂`, with a circle `a₁ − b`.

    Pictures have it in the worked example too, whose letters stand at no vertex of the bodies.
    """
    vertices = ("a", scene.a, pair.vertex_a), ("b", scene.b, pair.vertex_b)
    first, second = (_in_formula(body, letter, vertex, None) for letter, body, vertex in vertices)
    return f"{first} {sign} {second}"


def lettered(scene: Scene) -> bool:
    """Whether the scene is the article's worked example, whose pairs of vertices have the article's letters."""
    cores = scene.a.shape.core, scene.b.shape.core
    # Only a pair of triangles in the plane can be the example, so other scenes do not import it.
    if not _in_plane(scene) or any(core is None or len(core.points) != 3 for core in cores):
        return False
    from core.study.articles.plane import is_worked_example

    return is_worked_example(scene)


def _in_plane(scene: Scene) -> bool:
    return terms_of(scene.dimension).face == "edge"


def numbered(letter: str, number: int | None) -> str:
    """A letter with a number as its index: `w₂`; for None the letter alone."""
    return letter if number is None else letter + "".join(chr(ord("₀") + int(digit)) for digit in str(number))
