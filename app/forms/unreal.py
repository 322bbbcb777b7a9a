"""Unreal's components: lines of C++, and the text that its editor copies.

Axes are left-handed with z up, lengths are centimetres. A box extent is half a size. A capsule's half height includes
its cap, and its axis is z. Unreal scales a sphere or a capsule by the least of its three scales; here uneven scales of
these are refused. Quaternions are xyzw. An FRotator is (Pitch, Yaw, Roll) in degrees, as in `FRotator::Quaternion`:
roll about −x first, then pitch about −y, then yaw about z. FTransform prints location, rotator and scale between bars.
Sources, read in November 2026: Unreal's sources 4.x and 5.x (UnrealMath.cpp: FRotator::Quaternion; Rotator.h;
TTransform<T>::ToString; BoxComponent.h: "radii dimensions"; CapsuleComponent.h: "from center of capsule to the end of
top or bottom hemisphere"; SphereComponent.h: GetShapeScale is GetMinimumAxisScale; Quat.h: InX, InY, InZ, InW). The
unit, centimetres, is from the facts gathered for "Copy as". Hulls: UProceduralMeshComponent (AddCollisionConvexMesh;
bUseComplexAsSimpleCollision is true unless set). The sources of NewObject and RegisterComponent were not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from core.geometry.vector import Array

from .bodies import World, by_angles, by_xyzw, pair_of
from .code import Assign, Call, Items, Name, Value, number_in, numbers_in, value_name
from .form import Form, NotUnderstoodError, ReadPair, checked_length
from .markup import numbers_of
from .objects import Thing, named_vector
from .program import BodyReader
from .writer import Writer, WrittenBody, each

WORLD = World("Unreal", z_up=True, left_handed=True, unit=0.01, unit_name="centimetres")
COMPONENTS = {
    "BoxComponent": "box",
    "SphereComponent": "sphere",
    "CapsuleComponent": "capsule",
    "ProceduralMeshComponent": "hull",
}
EVEN = ("sphere", "capsule")
"""Kinds of component that Unreal scales by the least of their three scales."""
_VECTORS = {"FVector.ZeroVector": (0.0, 0.0, 0.0), "FVector.OneVector": (1.0, 1.0, 1.0)}
PASSED_OVER = {
    *("SetCollisionProfileName", "SetCollisionEnabled", "SetSimulatePhysics", "SetGenerateOverlapEvents"),
    *("SetHiddenInGame", "SetVisibility", "RegisterComponent"),
}
"""Calls that neither place nor size a body."""
CLIPBOARD_PASSED_OVER = {"CreationMethod", "ShapeColor", "bVisualizeComponent", "LineThickness", "bHiddenInGame"}
EXAMPLES = (
    "UBoxComponent* a; a->SetBoxExtent(FVector(100, 50, 50)); a->SetWorldLocation(FVector(0, 0, 0));\n"
    "USphereComponent* b; b->SetSphereRadius(50); b->SetWorldLocation(FVector(140, 0, 0));",
    'Begin Object Class=/Script/Engine.BoxComponent Name="A"\n   BoxExtent=(X=100.0,Y=50.0,Z=50.0)\nEnd Object\n'
    'Begin Object Class=/Script/Engine.SphereComponent Name="B"\n   SphereRadius=50.0\n'
    "   RelativeLocation=(X=140.0,Y=0.0,Z=0.0)\n   RelativeRotation=(Pitch=0.0,Yaw=90.0,Roll=0.0)\nEnd Object",
    "LogTemp: Display: A BoxExtent: X=100.000 Y=50.000 Z=50.000 Transform: 0.0,0.0,0.0|0.0,0.0,0.0|1.0,1.0,1.0\n"
    "LogTemp: Display: B BoxExtent: X=50.000 Y=50.000 Z=50.000 Transform: 140.0,0.0,0.0|0.0,45.0,0.0|1.0,1.0,1.0",
)
_BEGIN = re.compile(r"Begin Object Class=\"?/Script/Engine\.(\w+)'?\"?((?: \w+=\S+)*)")
_KEY = re.compile(r"(\w+)=(.*)")


_PRINTED = r"[^\s|:=,]++,[^\s|,]++,[^\s|,]++\|[^\s|]++\|[^\s|]++"
"""The pattern of FTransform::ToString's output: location, rotator and scale."""
_PIECE = re.compile(
    r"(?P<transform>(?:(?:World|Relative|Component)?Transform\s*+(?:[:=]\s*+)?)?" + _PRINTED + r")"
    r"|(?P<extent>Box ?Extent\s*+(?:[:=]\s*+)?X=(?P<x>\S+) Y=(?P<y>\S+) Z=(?P<z>\S+))"
    r"|(?P<radius>(?P<round>Sphere|Capsule) ?Radius\s*[:=]\s*(?P<r>[^\s,]+))"
    r"|(?P<half>Capsule ?HalfHeight\s*[:=]\s*(?P<h>[^\s,]+))"
    r"|(?P<word>LogTemp:|Display:|Warning:|U?BoxComponent|U?SphereComponent|U?CapsuleComponent|[A-Za-z]_?\d?\b:?|[,;\s]+)"
)


def _printed(text: str) -> list[Thing]:
    """The components of a log, each with its sizes and then a transform printed by FTransform::ToString.

    Raises NotUnderstoodError for other text, and for sizes without a transform.
    """
    things: list[Thing] = []
    thing: Thing | None = None
    for line, said in enumerate(text.splitlines(), 1):
        at = 0
        while at < len(said):
            match = _PIECE.match(said, at)
            if match is None:
                raise NotUnderstoodError(f"{said[at : at + 40].strip()} is not understood", line)
            at = match.end()
            if match["word"]:
                continue
            if thing is None:
                thing = Thing(line, even=EVEN)
            if match["transform"]:
                _print_pose(thing, match["transform"].rpartition(":")[2].rpartition("=")[2], line)
                things.append(thing)
                thing = None
            elif match["extent"]:
                thing.kind = thing.kind or "box"
                sizes = [numbers_of(match[key], "BoxExtent", line, 1)[0] for key in "xyz"]
                thing.size("size", 2.0 * np.array(sizes), line)
            elif match["radius"]:
                thing.kind = thing.kind or match["round"].lower()
                thing.axis = "z" if thing.kind == "capsule" else "y"
                thing.size("radius", numbers_of(match["r"], "a radius", line, 1)[0], line)
            else:
                thing.kind, thing.axis = thing.kind or "capsule", "z"
                thing.size("height", 2.0 * numbers_of(match["h"], "a half height", line, 1)[0], line)
    if thing is not None:
        raise NotUnderstoodError("a shape has no transform after it", thing.line)
    return things


def _print_pose(thing: Thing, said: str, line: int) -> None:
    place, angles, scale = (
        numbers_of(part, "a transform", line, 3) for part in re.sub(r"^\s*[A-Za-z]+\s*", "", said).split("|")
    )
    thing.give("position", np.array(place), line)
    thing.give("rotation", _rotator(angles), line)
    thing.give("scale", np.array(scale), line)


def read(text: str) -> ReadPair:
    """The pair of two components.

    Raises NotUnderstoodError for a part that is not understood, and for components that are no pair.
    """
    checked_length(text)
    if re.search(rf"(?<![^\s|:=,]){_PRINTED}", text):
        return pair_of([thing.given() for thing in _printed(text)], WORLD)
    if re.search(r"^[ \t]*Begin Object", text, re.MULTILINE):
        things = _clipboard(text)
    else:
        # The reader of code passes over angle brackets, so the type in them becomes an argument.
        made = r"\b(CreateDefaultSubobject|NewObject)\s*<\s*(\w+)\s*>\s*\("
        things = _Code.of(re.sub(made, r"\1(\2, ", text)).things
    return pair_of([thing.given() for thing in things], WORLD)


def _clipboard(text: str) -> list[Thing]:
    """The components of text that the editor copied. A missing location, rotation or scale is left unset.

    Raises NotUnderstoodError for other text.
    """
    things: list[Thing] = []
    thing: Thing | None = None
    for line, said in enumerate(text.splitlines(), 1):
        said = said.strip()
        if not said:
            continue
        if match := _BEGIN.fullmatch(said):
            if thing is not None or match[1] not in COMPONENTS:
                raise NotUnderstoodError(f"{match[1]} is not understood", line)
            thing = Thing(line, match[1], COMPONENTS[match[1]], axis="z" if match[1][0] == "C" else "y", even=EVEN)
        elif said == "End Object" and thing is not None:
            things.append(thing)
            thing = None
        elif thing is not None and (match := _KEY.fullmatch(said)):
            _clipboard_key(thing, match[1], match[2], line)
        else:
            raise NotUnderstoodError(f"{said[:40]} is not understood", line)
    if thing is not None:
        raise NotUnderstoodError("End Object is missing", thing.line)
    return things


def _clipboard_key(thing: Thing, key: str, said: str, line: int) -> None:
    def numbers(*names: str) -> list[float]:
        match = re.fullmatch(r"\(" + ",".join(rf"{name}=([^,()]+)" for name in names) + r"\)", said)
        if match is None:
            raise NotUnderstoodError(f"{key} needs ({', '.join(names)})", line)
        return [numbers_of(one, key, line, 1)[0] for one in match.groups()]

    match key:
        case "BoxExtent":
            thing.size("size", 2.0 * np.array(numbers("X", "Y", "Z")), line)
        case "SphereRadius" | "CapsuleRadius":
            thing.size("radius", numbers_of(said, key, line, 1)[0], line)
        case "CapsuleHalfHeight":
            thing.size("height", 2.0 * numbers_of(said, key, line, 1)[0], line)
        case "RelativeLocation":
            thing.give("position", np.array(numbers("X", "Y", "Z")), line)
        case "RelativeScale3D":
            thing.give("scale", np.array(numbers("X", "Y", "Z")), line)
        case "RelativeRotation":
            thing.give("rotation", _rotator(numbers("Pitch", "Yaw", "Roll")), line)
        case other if other not in CLIPBOARD_PASSED_OVER:
            raise NotUnderstoodError(f"{key} is not understood", line)


def _rotator(angles: list[float]) -> Array:
    pitch, yaw, roll = angles
    return by_angles((-roll, -pitch, yaw), "ZYX", degrees=True)


def _made_component(kind: str, call: Call) -> str:
    """The kind of shape of the component that `kind name = call` makes; "" for another statement."""
    first = call.args[0] if call.args else None
    if call.path in ("NewObject", "CreateDefaultSubobject"):
        kind = first.path if isinstance(first, Name) else kind
    elif call.path != kind or call.args:
        return ""
    return COMPONENTS.get(kind[1:], "") if kind.startswith("U") else ""


class _Code(BodyReader):
    """The components of lines of C++. `names`: the components by name; `points`: hulls of arrays of points by name."""

    world = WORLD
    passed_over = PASSED_OVER

    def __init__(self) -> None:
        super().__init__()
        self.things: list[Thing] = []
        self.names: dict[str, Thing] = {}
        self.points: dict[str, Thing] = {}

    def known(self, one: Assign) -> bool:
        value = one.value
        if isinstance(value, Call) and (component := _made_component(one.kind, value)):
            self._new(one.target, component, one.line)
        elif isinstance(value, Items) and one.kind == "TArray":
            # An array of points is a hull of its own, until a component takes the points.
            short = one.target.removeprefix("points_")
            thing = self._new(one.target if short in self.names else short, "hull", one.line)
            thing.sizes["points"] = [_vector(point, "a point").tolist() for point in value.items]
            self.points[one.target] = thing
        elif one.target.endswith(".bUseComplexAsSimpleCollision"):
            return True
        elif isinstance(value, Call) and not one.target and value.of is None and value.path.count(".") == 1:
            self._call(value)
        else:
            return False
        return True

    def _new(self, name: str, kind: str, line: int) -> Thing:
        if name in self.names:
            raise NotUnderstoodError(f"{name} is given twice", line)
        thing = Thing(line, name, kind, axis="z" if kind == "capsule" else "y", even=EVEN)
        self.things.append(thing)
        self.names[name] = thing
        return thing

    def _call(self, call: Call) -> None:
        name = call.path.split(".")[0]
        if name not in self.names:
            raise NotUnderstoodError(f"{name} is no component of the text", call.line)
        if call.last in PASSED_OVER:
            return
        thing, line = self.names[name], call.line
        if call.last in ("SetCapsuleSize", "InitCapsuleSize"):
            radius, half = numbers_in(call.args, 2, "a capsule", line)
            thing.size("radius", radius, line)
            thing.size("height", 2.0 * half, line)
            return
        if len(call.args) != 1:
            raise NotUnderstoodError(f"{call.path}(…) with {len(call.args)} values is not understood", line)
        (value,) = call.args
        match call.last:
            case "SetBoxExtent" | "InitBoxExtent":
                thing.size("size", 2.0 * _vector(value, "a box extent"), line)
            case "SetSphereRadius" | "InitSphereRadius" | "SetCapsuleRadius":
                thing.size("radius", number_in(value, "a radius"), line)
            case "SetCapsuleHalfHeight":
                thing.size("height", 2.0 * number_in(value, "a half height"), line)
            case "AddCollisionConvexMesh" if isinstance(value, Name) and value.path in self.points:
                points = self.points.pop(value.path)
                self.things = [other for other in self.things if other is not points]
                thing.size("points", points.sizes["points"], line)
            case "SetWorldLocation" | "SetRelativeLocation":
                thing.give("position", _vector(value, "a location"), line)
            case "SetWorldRotation" | "SetRelativeRotation":
                thing.give("rotation", _turn(value), line)
            case "SetWorldScale3D" | "SetRelativeScale3D":
                thing.give("scale", _vector(value, "a scale"), line)
            case "SetWorldTransform" | "SetRelativeTransform":
                self._transform(thing, value)
            case _:
                raise NotUnderstoodError(f"{call.path}(…) is not understood", line)

    @staticmethod
    def _transform(thing: Thing, value: Value) -> None:
        if isinstance(value, Name) and value.path == "FTransform.Identity":
            thing.give("position", np.zeros(3), value.line)
            thing.give("rotation", np.eye(3), value.line)
            return
        if not (isinstance(value, Call) and value.path == "FTransform" and len(value.args) in (2, 3)):
            raise NotUnderstoodError(f"{value_name(value)} is not understood", value.line)
        thing.give("rotation", _turn(value.args[0]), value.line)
        thing.give("position", _vector(value.args[1], "a location"), value.line)
        if len(value.args) == 3:
            thing.give("scale", _vector(value.args[2], "a scale"), value.line)


def _vector(value: Value, what: str) -> Array:
    return named_vector(value, {"FVector", "FVector3d", "FVector3f"}, _VECTORS, what)


def _turn(value: Value) -> Array:
    if isinstance(value, Name) and value.path in ("FQuat.Identity", "FRotator.ZeroRotator"):
        return np.eye(3)
    if isinstance(value, Call) and value.path == "FQuat" and value.of is None:
        return by_xyzw(numbers_in(value.args, 4, "a quaternion", value.line), value.line)
    if isinstance(value, Call) and value.path == "FRotator" and value.of is None:
        return _rotator(numbers_in(value.args, 3, "a rotator", value.line))
    raise NotUnderstoodError(f"{value_name(value)} is not understood", value.line)


def _component(kind: str, call: Callable[[WrittenBody], str]) -> Callable[[WrittenBody], str]:
    """The words for a component of the class `U{kind}`. `call`: the words for the call that sets its size."""
    return lambda body: (
        f'U{kind}* {body.letter} = NewObject<U{kind}>(this, TEXT("{body.letter}"));\n{body.letter}->{call(body)};'
    )


def _capsule_words(body: WrittenBody) -> str:
    half = 0.5 * body.number("length") + body.number("radius")
    return f"SetCapsuleSize({body.of('radius')}, {body.text([half])})"


def _convex_words(body: WrittenBody) -> str:
    n, kind = body.letter, "UProceduralMeshComponent"
    return (
        f'{kind}* {n} = NewObject<{kind}>(this, TEXT("{n}"));\n'
        f"TArray<FVector> points_{n} = {{{body.listed('FVector({})')}}};\n"
        f"{n}->bUseComplexAsSimpleCollision = false; {n}->AddCollisionConvexMesh(points_{n}); "
        f"// of the module ProceduralMeshComponent"
    )


def _body(body: WrittenBody) -> str:
    n = body.letter
    pose = f"FTransform(FQuat({body.text(body.xyzw)}), FVector({body.text(body.position)}))"
    return f"{body.shape}\n{n}->SetWorldTransform({pose});\n{n}->RegisterComponent();"


WRITE = Writer(
    WORLD,
    {
        "box": _component("BoxComponent", lambda body: f"SetBoxExtent(FVector({body.of('size', 0.5)}))"),
        "sphere": _component("SphereComponent", lambda body: f"SetSphereRadius({body.of('radius')})"),
        "capsule": _component("CapsuleComponent", _capsule_words),
        "hull": _convex_words,
    },
    each(_body),
    axis="z",
    comment="// {}",
    about=(
        "In centimetres. Half extents; a capsule's half height includes its cap.",
        "Left-handed, z up: the pair is mirrored; x, y, z here are x, z, y of the scene.",
    ),
)


FORM = Form(
    "unreal",
    "UnrealMath.cpp (FRotator::Quaternion); UBoxComponent, UCapsuleComponent",
    re.compile(
        r"\bF(?:Vector|Quat|Rotator|Transform)\b|\bU(?:Box|Sphere|Capsule)Component\b|Begin Object Class="
        r"|\bBox ?Extent\s*+(?:[:=]\s*+)?X=|\b(?:Sphere|Capsule) ?Radius\s*[:=]"
    ),
    read,
    EXAMPLES,
    WRITE,
)
