"""Unity's colliders: lines of C#, the YAML of a scene or prefab, and printed bounds.

Axes are left-handed with y up. A box's size is full. A capsule's height includes its caps and is scaled by the
transform; its direction 0, 1 or 2 is x, y or z. A primitive cube has edges of 1, a sphere a diameter of 1, a capsule a
diameter of 1 and a height of 2. Quaternions are xyzw; Euler angles are degrees, applied about z, then x, then y. Bounds
have a centre and a full size, and print half of it, the extents. Sources, read in November 2026: docs.unity3d.com,
Scripting API 6000.0 (Quaternion.Euler), 2022.3 (CapsuleCollider.height), 4.6 (CapsuleCollider.direction),
Bounds.extents ("always half of the size of the Bounds"), Manual 5.5 and 2023.1 (Primitive and placeholder objects).
MeshCollider.sharedMesh and Transform.SetPositionAndRotation: Scripting API 6000.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import radians

import numpy as np

from core.geometry.vector import Array

from .bodies import World, by_angles, by_axis, by_xyzw, pair_of
from .code import (
    Assign,
    Call,
    Items,
    Name,
    Number,
    StringLiteral,
    Value,
    number_in,
    numbers_in,
    value_name,
)
from .form import Form, NotUnderstoodError, ReadPair, checked_length
from .markup import numbers_of
from .objects import Thing, named_vector
from .program import BodyReader
from .writer import Writer, WrittenBody, each, with_faces

WORLD = World("Unity", left_handed=True)
COLLIDERS = {"BoxCollider": "box", "SphereCollider": "sphere", "CapsuleCollider": "capsule", "MeshCollider": "hull"}
_NAMES = {"Vector3", "UnityEngine.Vector3"}
_VECTORS = {
    "Vector3.zero": (0.0, 0.0, 0.0),
    "Vector3.one": (1.0, 1.0, 1.0),
    "Vector3.up": (0.0, 1.0, 0.0),
    "Vector3.down": (0.0, -1.0, 0.0),
    "Vector3.right": (1.0, 0.0, 0.0),
    "Vector3.left": (-1.0, 0.0, 0.0),
    "Vector3.forward": (0.0, 0.0, 1.0),
    "Vector3.back": (0.0, 0.0, -1.0),
}
PASSED_OVER = {"name", "tag", "layer", "isTrigger", "material", "sharedMaterial", "contactOffset", "enabled"}
"""Properties that neither place nor size a body."""
YAML_PASSED_OVER = {
    *("m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset", "m_PrefabInternal"),
    *("m_PrefabParentObject", "m_Material", "m_IsTrigger", "m_Enabled", "serializedVersion", "m_Children"),
    *("m_RootOrder", "m_LocalEulerAnglesHint", "m_ConstrainProportionsScale", "m_IncludeLayers", "m_ExcludeLayers"),
    *("m_LayerOverridePriority", "m_ProvidesContacts", "m_Bits", "m_Name"),
}
YAML_OTHERS = {"GameObject", "Rigidbody", "MeshFilter", "MeshRenderer"}
"""Components that neither place nor size a body."""
EXAMPLES = (
    "BoxCollider a; a.size = new Vector3(1, 1, 1); a.transform.position = new Vector3(0, 0, 0);\n"
    "SphereCollider b; b.radius = 0.5f; b.transform.position = new Vector3(0.9f, 0, 0);",
    "Transform:\n  m_LocalPosition: {x: 0, y: 0, z: 0}\n  m_LocalScale: {x: 2, y: 1, z: 1}\n"
    "BoxCollider:\n  m_Size: {x: 1, y: 1, z: 1}\n"
    "Transform:\n  m_LocalPosition: {x: 1.4, y: 0, z: 0}\nSphereCollider:\n  m_Radius: 0.5",
    "Center: (0.0, 0.0, 0.0), Extents: (0.5, 0.5, 0.5)\nCenter: (0.9, 0.0, 0.0), Extents: (0.5, 0.5, 0.5)",
)
_BOUNDS = re.compile(r"Center: \((?P<centre>[^()]*)\), Extents: \((?P<extents>[^()]*)\)")
_COMMENT = re.compile(r"//[^\n]*|/\*(?s:.*?)\*/|/\*(?s:.*)")
"""Comments. The last alternative is a comment without an end, which includes the rest of the text."""
_COMPONENT = re.compile(r"(\w+):\s*")
_KEY = re.compile(r"\s+(?:- )?(\w+):(.*)")
_LABEL = re.compile(r"(?:[A-Za-z_][\w ]*+[:=]?\s*)?")


def read(text: str) -> ReadPair:
    """The pair of two colliders.

    Raises NotUnderstoodError for a part that is not understood, and for colliders that are no pair.
    """
    checked_length(text)
    lines = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    if "Extents:" in lines:
        things = _bounds(lines)
    elif re.search(r"^[ \t]+m_\w+:", lines, re.MULTILINE):
        things = _Yaml().read(text)
    else:
        # The reader of code passes over angle brackets, so the type in them becomes an argument.
        added = r"\bAddComponent\s*<\s*(?:UnityEngine\.)?(\w+)\s*>\s*\(\s*\)"
        things = _Code.of(re.sub(added, r'AddComponent("\1")', text)).whole()
    return pair_of([thing.given() for thing in things], WORLD)


def _bounds(text: str) -> list[Thing]:
    things = []
    for line, said in enumerate(text.splitlines(), 1):
        if not said.strip():
            continue
        label, center, rest = said.strip().partition("Center: (")
        match = _BOUNDS.fullmatch(center + rest)
        if match is None or not _LABEL.fullmatch(label):
            raise NotUnderstoodError(f"{said.strip()[:40]} is not understood", line)
        label = label.strip(" :=")
        if re.search(r"rot|turn|tilt|angle|scale|local|euler", label, re.IGNORECASE) or len(label.split()) > 2:
            raise NotUnderstoodError(f"{label} is not understood", line)
        thing = Thing(line, label, "box")
        thing.values["position"] = np.array(numbers_of(match["centre"], "Center", line, 3))
        thing.values["rotation"] = np.eye(3)
        thing.sizes["size"] = 2.0 * np.array(numbers_of(match["extents"], "Extents", line, 3))
        things.append(thing)
    return things


class _Code(BodyReader):
    """The colliders of lines of C#. `things`: the colliders; `names`: game objects, meshes and colliders by name.

    `points`: hulls of arrays of points by name; `convex`: the ids of hulls that are convex by the text.
    """

    world = WORLD

    def __init__(self) -> None:
        super().__init__()
        self.things: list[Thing] = []
        self.names: dict[str, Thing] = {}
        self.points: dict[str, Thing] = {}
        self.convex: set[int] = set()

    def whole(self) -> list[Thing]:
        """The colliders. Raises NotUnderstoodError for a MeshCollider without `convex = true`."""
        for thing in self.things:
            if thing.kind == "hull" and id(thing) not in self.convex:
                raise NotUnderstoodError(f"{thing.name or 'a MeshCollider'} is not convex = true", thing.line)
        return self.things

    def known(self, one: Assign) -> bool:
        target, value = one.target, one.value
        call = value if isinstance(value, Call) else None
        if call is not None and target and one.kind == call.path and one.kind in COLLIDERS and not call.args:
            self._new(target, COLLIDERS[one.kind], one.line)
        elif call is not None and target and self._made(target, call):
            return True
        elif isinstance(value, Items) and one.kind == "Vector3":
            # An array of points is a hull of its own, until a mesh takes the points.
            short = target.removeprefix("points_")
            thing = self._new(target if short in self.names else short, "hull", one.line)
            thing.sizes["points"] = [_vector(point, "a point").tolist() for point in value.items]
            self.points[target] = thing
            self.convex.add(id(thing))
        elif isinstance(value, Items) and one.kind == "int":
            for index in value.items:
                number_in(index, "an index")
            self.names[target] = Thing(one.line, target, "indices")
        elif not one.kind and "." in target:
            self._property(one)
        elif call is not None and not target and call.path.endswith(".transform.SetPositionAndRotation"):
            thing = self._thing(call.path.split(".")[0], one.line)
            if len(call.args) != 2:
                raise NotUnderstoodError("SetPositionAndRotation(…) needs two values", one.line)
            thing.give("position", _vector(call.args[0], "a position"), one.line)
            thing.give("rotation", _turn(call.args[1]), one.line)
        else:
            return call is not None and not target and self._added("", call)
        return True

    def _made(self, target: str, call: Call) -> bool:
        """Reads `target = call` that makes a game object, mesh, collider or bounds. Returns False for another call.

        Raises NotUnderstoodError for other arguments.
        """
        if call.of is not None or "." in target:
            return False
        if call.path == "GameObject":
            if not all(isinstance(value, StringLiteral) for value in call.args):
                raise NotUnderstoodError("new GameObject(…) needs a name alone", call.line)
            self.names[target] = Thing(call.line, target)
        elif call.path == "Mesh" and not call.args:
            self.names[target] = Thing(call.line, target, "mesh")
        elif call.path == "GameObject.CreatePrimitive":
            kind = call.args[0].path if len(call.args) == 1 and isinstance(call.args[0], Name) else ""
            thing = self._new(target, "", call.line)
            match kind:
                case "PrimitiveType.Cube":
                    thing.kind, thing.sizes = "box", {"size": np.ones(3)}
                case "PrimitiveType.Sphere":
                    thing.kind, thing.sizes = "sphere", {"radius": 0.5}
                case "PrimitiveType.Capsule":
                    thing.kind, thing.sizes = "capsule", {"radius": 0.5, "height": 2.0}
                case _:
                    raise NotUnderstoodError(f"CreatePrimitive of {kind or 'that'} is not understood", call.line)
        elif call.path == "Bounds":
            if len(call.args) != 2:
                raise NotUnderstoodError("new Bounds(…) needs a centre and a size", call.line)
            thing = self._new(target, "box", call.line)
            thing.values = {"position": _vector(call.args[0], "a centre"), "rotation": np.eye(3)}
            # The centre is set, so that a later `center = …` is refused as given twice.
            thing.values["centre"] = np.zeros(3)
            thing.sizes["size"] = _vector(call.args[1], "a size")
        else:
            return self._added(target, call)
        return True

    def _added(self, target: str, call: Call) -> bool:
        """Reads AddComponent, which adds a collider to a game object. Returns False for another call.

        Raises NotUnderstoodError for another component, and for a second collider.
        """
        owner, _, last = call.path.rpartition(".")
        owner = owner.removesuffix(".gameObject")
        if last != "AddComponent" or len(call.args) != 1 or not isinstance(call.args[0], StringLiteral):
            return False
        said = call.args[0].value
        if said not in COLLIDERS:
            if said == "Rigidbody":
                return True
            raise NotUnderstoodError(f"AddComponent of {said} is not understood", call.line)
        thing = self.names.get(owner)
        if thing is None or thing.kind:
            thing = Thing(call.line, owner)
            if owner in self.names:
                raise NotUnderstoodError(f"{owner} has two colliders", call.line)
            if owner:
                self.names[owner] = thing
        thing.kind, thing.line = COLLIDERS[said], call.line
        self.things.append(thing)
        if target:
            self.names[target] = thing
        return True

    def _new(self, name: str, kind: str, line: int) -> Thing:
        if name in self.names:
            raise NotUnderstoodError(f"{name} is given twice", line)
        thing = Thing(line, name, kind)
        self.things.append(thing)
        self.names[name] = thing
        return thing

    def _thing(self, name: str, line: int) -> Thing:
        if name not in self.names:
            raise NotUnderstoodError(f"{name} is no collider of the text", line)
        return self.names[name]

    def _property(self, one: Assign) -> None:
        name, _, key = one.target.partition(".")
        thing, value = self._thing(name, one.line), one.value
        match key.removeprefix("gameObject."):
            case "size":
                thing.size("size", _vector(value, "a size"), one.line)
            case "radius" | "height" as size:
                thing.size(size, number_in(value, f"a {size}"), one.line)
            case "direction":
                thing.axis = _axis(number_in(value, "a direction"), thing, one.line)
            case "vertices" if thing.kind == "mesh" and isinstance(value, Name) and value.path in self.points:
                points = self.points.pop(value.path)
                self.things = [other for other in self.things if other is not points]
                thing.size("points", points.sizes["points"], one.line)
            case "triangles" if thing.kind == "mesh" and isinstance(value, Name) and value.path in self.names:
                return
            case "sharedMesh" if thing.kind == "hull" and isinstance(value, Name) and value.path in self.names:
                thing.size("points", self.names[value.path].sizes.get("points", []), one.line)
            case "convex" if thing.kind == "hull" and isinstance(value, Name) and value.path == "true":
                self.convex.add(id(thing))
            case "center":
                thing.give("centre", _vector(value, "a center"), one.line)
            case "transform.position" | "transform.localPosition":
                thing.give("position", _vector(value, "a position"), one.line)
            case "transform.localScale":
                thing.give("scale", _vector(value, "a scale"), one.line)
            case "transform.rotation" | "transform.localRotation":
                thing.give("rotation", _turn(value), one.line)
            case "transform.eulerAngles" | "transform.localEulerAngles":
                angles = _vector(value, "angles").tolist()
                thing.give("rotation", by_angles(angles, "YXZ", degrees=True), one.line)
            case other if other not in PASSED_OVER:
                raise NotUnderstoodError(f"{one.target} is not understood", one.line)


def _vector(value: Value, what: str) -> Array:
    return named_vector(value, _NAMES, _VECTORS, what)


def _axis(number: float, thing: Thing, line: int) -> str:
    if number not in (0.0, 1.0, 2.0) or thing.kind != "capsule":
        raise NotUnderstoodError("a direction must be 0, 1 or 2, of a capsule", line)
    return "xyz"[int(number)]


def _turn(value: Value) -> Array:
    if isinstance(value, Name) and value.path == "Quaternion.identity":
        return np.eye(3)
    if isinstance(value, Call) and value.of is None:
        match value.path:
            case "Quaternion":
                return by_xyzw(numbers_in(value.args, 4, "a quaternion", value.line), value.line)
            case "Quaternion.AngleAxis" if len(value.args) == 2:
                angle = radians(number_in(value.args[0], "an angle"))
                return by_axis(_vector(value.args[1], "an axis").tolist(), float(angle), value.line)
            case "Quaternion.Euler":
                if len(value.args) == 1 and not isinstance(value.args[0], Number):
                    return by_angles(_vector(value.args[0], "angles").tolist(), "YXZ", degrees=True)
                return by_angles(numbers_in(value.args, 3, "Euler(…)", value.line), "YXZ", degrees=True)
    raise NotUnderstoodError(f"{value_name(value)} is not understood", value.line)


class _Yaml:
    """The colliders of a scene's or prefab's YAML, each with the transform of its game object.

    `places`: the transforms, and `shapes`: the colliders, each after the reference to its game object, "" if unknown.
    """

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self.places: list[tuple[str, Thing]] = []
        self.shapes: list[tuple[str, Thing]] = []

    def read(self, text: str) -> list[Thing]:
        component, owner, thing = "", "", Thing(0)
        for line, said in enumerate(text.splitlines(), 1):
            if not said.strip() or said.lstrip().startswith("#") or re.match(r"%|---", said):
                continue
            if match := _COMPONENT.fullmatch(said):
                component, thing = match[1], Thing(line)
                if component == "Transform":
                    self.places.append(("", thing))
                elif component in COLLIDERS:
                    thing.kind = COLLIDERS[component]
                    self.shapes.append(("", thing))
                    thing.values["place"] = np.array([len(self.places) - 1])
                elif component not in YAML_OTHERS:
                    raise NotUnderstoodError(f"{component} is not understood", line)
            elif component in YAML_OTHERS and said[0] == " ":
                continue
            elif component and (match := _KEY.fullmatch(said)):
                if match[1] == "m_GameObject":
                    owner = match[2].strip()
                    listed = self.places if component == "Transform" else self.shapes
                    listed[-1] = (owner, thing)
                else:
                    _yaml_key(thing, component, match[1], match[2].strip(), line)
            elif not (component == "Transform" and re.fullmatch(r"\s+- \{fileID: -?\d+\}\s*", said)):
                raise NotUnderstoodError(f"{said.strip()[:40]} is not understood", line)
        return [self._placed(owner, thing) for owner, thing in self.shapes]

    def _placed(self, owner: str, thing: Thing) -> Thing:
        before = int(thing.values.pop("place")[0])
        if owner:
            found = [place for whose, place in self.places if whose == owner]
        else:
            found = [self.places[before][1]] if before >= 0 else []
        if len(found) != 1:
            raise NotUnderstoodError("the Transform of a collider is missing", thing.line)
        thing.values |= found[0].values
        return thing


def _yaml_key(thing: Thing, component: str, key: str, said: str, line: int) -> None:
    def numbers(names: str) -> Array:
        match = re.fullmatch(r"\{" + r",\s*".join(rf"{name}: ?([^\s,{{}}]+)" for name in names) + r"\}", said)
        if match is None:
            raise NotUnderstoodError(f"{key} needs {{{', '.join(names)}}}", line)
        return np.array([numbers_of(one, key, line, 1)[0] for one in match.groups()])

    match component, key:
        case "Transform", "m_LocalPosition":
            thing.give("position", numbers("xyz"), line)
        case "Transform", "m_LocalScale":
            thing.give("scale", numbers("xyz"), line)
        case "Transform", "m_LocalRotation":
            thing.give("rotation", by_xyzw(numbers("xyzw").tolist(), line), line)
        case "Transform", "m_Father":
            if said != "{fileID: 0}":
                raise NotUnderstoodError("a Transform with a parent is not understood", line)
        case _, "m_Size":
            thing.size("size", numbers("xyz"), line)
        case _, "m_Center":
            thing.give("centre", numbers("xyz"), line)
        case _, "m_Radius" | "m_Height":
            thing.size(key[2:].lower(), numbers_of(said, key, line, 1)[0], line)
        case _, "m_Direction":
            thing.axis = _axis(numbers_of(said, key, line, 1)[0], thing, line)
        case _, other if other not in YAML_PASSED_OVER:
            raise NotUnderstoodError(f"{key} is not understood", line)


def _collider(kind: str, *lines: str) -> Callable[[WrittenBody], str]:
    """The words for a collider of a game object. `lines`: templates of assignments to its properties."""

    def words_for(body: WrittenBody) -> str:
        n, half = body.letter, body.sizes
        total = body.text([half["length"][0] + 2.0 * half["radius"][0]]) if "length" in half else ""
        own = {key: body.of(key) for key in half} | {"total": total}
        made = f"{kind} collider_{n} = {n}.AddComponent<{kind}>();"
        return " ".join((made, *(f"collider_{n}.{line.format(**own)};" for line in lines)))

    return words_for


def _mesh_words(body: WrittenBody) -> str:
    n = body.letter
    corners = ", ".join(str(k) for triangle in body.triangles for k in triangle)
    return (
        f"Vector3[] points_{n} = {{{body.listed('new Vector3({})', body.corners)}}};\n"
        f"int[] triangles_{n} = {{{corners}}};\n"
        f"Mesh mesh_{n} = new Mesh(); mesh_{n}.vertices = points_{n}; mesh_{n}.triangles = triangles_{n};\n"
        f"MeshCollider collider_{n} = {n}.AddComponent<MeshCollider>(); "
        f"collider_{n}.convex = true; collider_{n}.sharedMesh = mesh_{n};"
    )


def _body(body: WrittenBody) -> str:
    n = body.letter
    place, turn = body.text(body.position), body.text(body.xyzw)
    return (
        f'GameObject {n} = new GameObject("{n}");\n{body.shape}\n'
        f"{n}.transform.SetPositionAndRotation(new Vector3({place}), new Quaternion({turn}));"
    )


WRITE = Writer(
    WORLD,
    {
        "box": _collider("BoxCollider", "size = new Vector3({size})"),
        "sphere": _collider("SphereCollider", "radius = {radius}"),
        "capsule": _collider("CapsuleCollider", "radius = {radius}", "height = {total}"),
        "hull": _mesh_words,
    },
    each(_body),
    limit=with_faces("Unity"),
    suffix="f",
    comment="// {}",
    about=(
        "Full sizes; a capsule's height includes its caps.",
        "Left-handed: the pair is mirrored, z here is -z of the scene.",
        "Unity rounds to single precision.",
    ),
)


FORM = Form(
    "unity",
    "docs.unity3d.com, Scripting API 6000.0",
    re.compile(
        r"\b(?:Box|Sphere|Capsule|Mesh)Collider\b|UnityEngine|\.transform\.(?:position|rotation)\s*=|PrimitiveType\."
        r"|\bnew Bounds\(|Center: \([^()]*\), Extents: \("
    ),
    read,
    EXAMPLES,
    WRITE,
)
