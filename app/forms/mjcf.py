"""Snippets of MJCF, MuJoCo's files: two geoms, alone or inside bodies.

Sizes are halves. Shapes lie along z, and a capsule's half length excludes its caps. Angles are in degrees, and
`euler` turns about x, then the turned y and z, unless a `compiler` in the text says otherwise. Quaternions are wxyz and
are normalised. A geom inherits the type and the size of its class: its `class`, else the `childclass` of a body around
it, else the main class. Other attributes of a `default` that move a body are refused. A geom without a type is a
sphere; one without a pos is at its body's origin. Sources, read in November 2026: MuJoCo's XML reference, 3.2 and main
at 01962f2 (geom: "half-length of the cylinder part"; compiler: angle "degree", eulerseq "xyz", where small letters are
axes that rotate with the frame). Classes and the written text were run in MuJoCo 4.0: its separations equal
Separatrix's to 1e-6.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import radians

import numpy as np
from msgspec import Struct, field

from core.geometry.vector import Array, cross, dots, length, product

from .bodies import (
    Given,
    World,
    ball_of,
    box,
    by_angles,
    by_axis,
    by_quaternion,
    capsule,
    capsule_between,
    cylinder,
    ellipsoid,
    half_space,
    hull,
    onto,
    pair_of,
)
from .form import Form, NotUnderstoodError, ReadPair
from .markup import Element, elements
from .writer import Writer, WrittenBody

WORLD = World("MuJoCo", z_up=True)
OUTER = frozenset(
    {"mesh", "mujoco", "worldbody", "body", "geom", "compiler", "asset", "option", "joint", "freejoint", "light"}
)
"""Elements that are read, or that neither place nor size a body."""
PASSED_OVER = frozenset(
    {
        *("name", "mass", "density", "friction", "rgba", "material", "margin", "gap", "condim", "contype", "group"),
        *("conaffinity", "priority", "solref", "solimp", "solmix", "user", "shellinertia", "model"),
    }
)
"""Attributes that neither place nor size a body."""
DEFAULTS_PASSED_OVER = {
    "joint",
    "site",
    "camera",
    "light",
    "material",
    "motor",
    "position",
    "velocity",
    "general",
    "tendon",
}
"""Elements of a `default` that neither place nor size a geom."""
SIZES = {"box": 3, "sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3}
EXAMPLES = (
    '<geom name="a" type="box" size=".5 .5 .5" pos="0 0 0"/>\n'
    '<geom name="b" type="box" size=".5 .5 .5" pos="1.1 0 0" axisangle="0 0 1 45"/>',
    '<body pos="0.2 0 0"><geom type="box" size=".5 .5 .5"/></body>\n'
    '<body pos="0.6 0 0"><geom type="capsule" size=".2" fromto="0 0 0 1 0 0"/></body>',
)


class _Context(Struct):
    """The settings that apply to all geoms of a text: the compiler's, meshes and defaults.

    `degrees`, `order`: the compiler's angle and eulerseq. `meshes`: vertices (n, 3) by name. `defaults`: the attributes
    of geoms by class; "main" is the class of geoms without one.
    """

    degrees: bool = True
    order: str = "xyz"
    defaults: dict[str, dict[str, str]] = field(default_factory=dict)
    meshes: dict[str, list[list[float]]] = field(default_factory=dict)


def read(text: str) -> ReadPair:
    """The pair of two geoms.

    Raises NotUnderstoodError for an element or attribute that is not understood, and for geoms that are no pair.
    """
    outer, context, found = elements(text), _Context(), list[Given]()
    for element in (inner for one in outer for inner in one.every()):
        if element.tag == "compiler":
            _compile(element, context)
        elif element.tag == "mesh":
            _mesh(element, context)
    for element in (inner for one in outer for inner in (one, *one.children)):
        if element.tag == "default":
            _defaults(element, context, context.defaults.get("main", {}), "main")
    for element in outer:
        _walk(element, np.eye(3), np.zeros(3), context, found, outermost=True)
    return pair_of(found, WORLD)


def _compile(element: Element, context: _Context) -> None:
    angle, order = element.attribute("angle") or "degree", element.attribute("eulerseq") or "xyz"
    if angle not in ("degree", "radian") or not re.fullmatch(r"[xyzXYZ]{3}", order):
        raise NotUnderstoodError("a compiler needs angle degree or radian, and an eulerseq of three axes", element.line)
    context.degrees, context.order = angle == "degree", order
    element.only(frozenset(("autolimits", "meshdir", "texturedir", "inertiafromgeom", "balanceinertia")))


def _defaults(element: Element, context: _Context, above: dict[str, str], name: str) -> None:
    """Stores the attributes that geoms of a class inherit, and those of the classes inside it.

    `above`: the attributes of the class around it, which apply unless the class gives others. Raises NotUnderstoodError
    for a class that is given twice or has no name, and for what is not understood.
    """
    name = element.attribute("class") or name
    element.only()
    if name in context.defaults and name != "main":
        raise NotUnderstoodError(f"the class {name} is given twice", element.line)
    own = dict(above)
    for child in element.children:
        if child.tag == "geom":
            for key in child.attributes:
                if key not in PASSED_OVER | {"type", "size"}:
                    raise NotUnderstoodError(f"{key} of <geom> in <default> is not understood", child.line)
            own |= {key: value for key, value in child.attributes.items() if key in ("type", "size")}
        elif child.tag not in DEFAULTS_PASSED_OVER | {"default"}:
            raise NotUnderstoodError(f"<{child.tag}> in <default> is not understood", child.line)
    context.defaults[name] = own
    for child in element.children:
        if child.tag == "default":
            if "class" not in child.attributes:
                raise NotUnderstoodError("a <default> in another one needs its class", child.line)
            _defaults(child, context, own, "")


def _with_defaults(element: Element, context: _Context, around: str) -> Element:
    """Adds to a geom the attributes of its class, and returns it.

    The class is the geom's own, else `around`, the bodies' childclass, else main.

    Raises NotUnderstoodError for a class that the text lacks.
    """
    name = element.attribute("class") or around or "main"
    if name != "main" and name not in context.defaults:
        raise NotUnderstoodError(f"the class {name} is not in the text", element.line)
    given = context.defaults.get(name, {})
    element.attributes = {**given, **element.attributes}
    return element


def _mesh(element: Element, context: _Context) -> None:
    values = element.numbers("vertex")
    if values is None or len(values) % 3:
        raise NotUnderstoodError("a mesh needs its vertices in the text, three numbers each", element.line)
    context.meshes[element.attribute("name") or ""] = np.array(values).reshape(-1, 3).tolist()
    element.only(frozenset(("name",)))


def _walk(
    element: Element,
    turn: Array,
    place: Array,
    context: _Context,
    found: list[Given],
    *,
    outermost: bool = False,
    around: str = "",
) -> None:
    """Adds the geoms in an element to `found`. `turn` (3, 3), `place` (3,): the frame of the element's parent.

    `around`: the childclass of the bodies around it, "" for none. `outermost`: the element has no parent in the text.
    Defaults and meshes add nothing. Raises NotUnderstoodError for an element that is not understood.
    """
    if element.tag == "default":
        return
    if element.tag not in OUTER:
        raise NotUnderstoodError(f"<{element.tag}> is not understood", element.line)
    if element.tag == "mesh":
        return
    if element.tag == "geom":
        found.append(_geom(_with_defaults(element, context, around), turn, place, context, alone=outermost))
        return
    if element.tag == "body":
        own, at = _frame(element, context)
        at = np.zeros(3) if at is None else at
        place, turn = place + dots(turn, at), turn if own is None else product(turn, own)
        around = element.attribute("childclass") or around
        element.only(PASSED_OVER | {"gravcomp", "mocap"})
    for child in element.children:
        if element.tag in ("joint", "freejoint", "light", "option", "compiler", "geom", "mesh"):
            raise NotUnderstoodError(f"<{child.tag}> in <{element.tag}> is not understood", child.line)
        _walk(child, turn, place, context, found, around=around)


def _frame(element: Element, context: _Context) -> tuple[Array | None, Array | None]:
    """The element's turn (3, 3) and position (3,) in its parent; each is None if the element does not give it.

    Raises NotUnderstoodError for two orientations, and for one that is no rotation.
    """
    place, turns = element.numbers("pos", 3), list[Array]()
    if (q := element.numbers("quat", 4)) is not None:
        turns.append(by_quaternion(q, element.line, normalised=True))
    if (given := element.numbers("axisangle", 4)) is not None:
        turns.append(by_axis(given[:3], radians(given[3]) if context.degrees else given[3], element.line))
    if (euler := element.numbers("euler", 3)) is not None:
        turns.append(_euler(euler, context))
    if (z := element.numbers("zaxis", 3)) is not None:
        turns.append(onto(np.array((0.0, 0.0, 1.0)), _unit(z, "zaxis", element.line)))
    if (axes := element.numbers("xyaxes", 6)) is not None:
        x = _unit(axes[:3], "xyaxes", element.line)
        y = np.array(axes[3:])
        y = _unit((y - float((y * x).sum()) * x).tolist(), "xyaxes", element.line)
        turns.append(np.stack((x, y, cross(x, y)), axis=1))
    if len(turns) > 1:
        raise NotUnderstoodError(f"<{element.tag}> has more than one orientation", element.line)
    return (turns[0] if turns else None), (None if place is None else np.array(place))


def _unit(values: list[float], what: str, line: int) -> Array:
    size = float(length(np.array(values)))
    if not size > 0.0:
        raise NotUnderstoodError(f"{what} must not be zero", line)
    return np.array(values) / size


def _euler(euler: list[float], context: _Context) -> Array:
    """The matrix (3, 3) of Euler angles. A lower-case letter of the order is a turned axis, a capital a fixed one."""
    turn: Array = np.eye(3)
    for letter, angle in zip(context.order, euler, strict=True):
        own = [0.0, 0.0, 0.0]
        own["xyz".index(letter.lower())] = angle
        one = by_angles(own, letter.upper(), degrees=context.degrees)
        turn = product(turn, one) if letter.islower() else product(one, turn)
    return turn


def _geom(element: Element, turn: Array, place: Array, context: _Context, *, alone: bool) -> Given:
    given, kind, line = (
        Given(element.line, element.attribute("name") or ""),
        element.attribute("type") or "sphere",
        element.line,
    )
    own, at = _frame(element, context)
    sizes = element.numbers("size") or []
    given.axis = "z"
    if (ends := element.numbers("fromto", 6)) is not None:
        _between(given, kind, ends, sizes, line)
        if own is not None or at is not None:
            raise NotUnderstoodError("<geom> has fromto and a frame of its own", line)
    elif kind == "plane":
        given.give("shape", half_space((0.0, 0.0, 1.0), 0.0), line)
        given.axis = "y"
    elif kind == "mesh" and (name := element.attribute("mesh")) in context.meshes:
        given.give("shape", hull(context.meshes[name or ""]), line)
        given.axis = "y"
    else:
        if kind not in SIZES:
            raise NotUnderstoodError(f'type "{kind}" of <geom> is not understood', line)
        if len(sizes) < SIZES[kind]:
            raise NotUnderstoodError(f"<geom> of type {kind} needs {SIZES[kind]} sizes, got {len(sizes)}", line)
        given.give("shape", _sized(kind, sizes), line)
        if kind in ("box", "ellipsoid", "sphere"):
            given.axis = "y"
    element.only(PASSED_OVER)
    if at is None and alone and ends is None:
        given.notes.append(f"A geom without pos stands at its body's origin ({given.name or kind}).")
    at = np.zeros(3) if at is None else at
    given.position = place + dots(turn, at)
    given.rotation = turn if own is None else product(turn, own)
    return given


def _sized(kind: str, sizes: list[float]) -> dict[str, object]:
    match kind:
        case "box":
            return box(sizes[:3], half=True)
        case "capsule":
            return capsule(sizes[0], 2.0 * sizes[1])
        case "cylinder":
            return cylinder(sizes[0], 2.0 * sizes[1])
        case "ellipsoid":
            return ellipsoid(sizes[:3])
        case _:
            return ball_of(sizes[0])


def _between(given: Given, kind: str, ends: list[float], sizes: list[float], line: int) -> None:
    if kind not in ("capsule", "cylinder") or not sizes:
        raise NotUnderstoodError("fromto is understood for a capsule or a cylinder with its radius", line)
    given.axis = "y"
    capsule_between(given, ends[:3], ends[3:], sizes[0], line)
    if kind == "cylinder":
        shape = given.shape or {}
        given.shape = cylinder(sizes[0], shape.get("length", 0.0))


def _typed(kind: str, *sizes: tuple[str, float]) -> Callable[[WrittenBody], str]:
    return lambda body: f'type="{kind}" size="{" ".join(body.of(key, factor) for key, factor in sizes)}"'


def _model(bodies: Sequence[WrittenBody]) -> str:
    """The text of a model. Meshes are assets, separate from the geoms that use them."""
    meshes = [
        f'    <mesh name="mesh_{body.letter}" vertex="{body.text(body.points)}"/>\n'
        for body in bodies
        if body.kind == "hull"
    ]
    assets = f"  <asset>\n{''.join(meshes)}  </asset>\n" if meshes else ""
    geoms = [
        f'    <geom name="{body.letter}" {body.shape} pos="{body.text(body.position)}" '
        f'quat="{body.text(body.wxyz)}"/>\n'
        for body in bodies
    ]
    return f"<mujoco>\n{assets}  <worldbody>\n{''.join(geoms)}  </worldbody>\n</mujoco>\n"


WRITE = Writer(
    WORLD,
    {
        "box": _typed("box", ("size", 0.5)),
        "sphere": _typed("sphere", ("radius", 1.0)),
        "capsule": _typed("capsule", ("radius", 1.0), ("length", 0.5)),
        "cylinder": _typed("cylinder", ("radius", 1.0), ("height", 0.5)),
        "ellipsoid": _typed("ellipsoid", ("radii", 1.0)),
        "hull": lambda body: f'type="mesh" mesh="mesh_{body.letter}"',
        "halfspace": lambda _: 'type="plane" size="0 0 1"',
    },
    _model,
    axis="z",
    plane=(0.0, 0.0, 1.0),
    between=" ",
    comment="<!-- {} -->",
    about=("Half sizes; capsules and cylinders lie along z, half lengths without the caps. z here is y of the scene.",),
)


FORM = Form(
    "mjcf",
    "MuJoCo XML reference 3.2: geom, body, compiler",
    re.compile(r"<geom\b|<mujoco\b"),
    read,
    EXAMPLES,
    WRITE,
)
