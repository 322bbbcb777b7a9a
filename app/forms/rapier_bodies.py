"""Rapier's colliders on rigid bodies, in Rust and JavaScript: `insert_with_parent` and `createCollider`.

A collider's pose is relative to the body that it is attached to. Sizes are halves; capsules, cylinders and cones lie
along y, except `capsule_x` and `capsule_z`; a capsule's half height excludes its caps. In Rust `rotation` takes a
rotation vector; in JavaScript `setRotation` takes {x, y, z, w}. Sources, read in November 2026: rapier.rs, user
guides, collider_creation_and_insertion ("The collider translation wrt. the body it is attached to") and
collider_position; the sizes as in `rapier`.
"""

from __future__ import annotations

import re

import numpy as np
from msgspec import Struct, field

from .bodies import Given, by_vector, pair_of
from .code import Assign, Call, Declare, Name, Statement, Value, statements, value_name
from .form import Form, NotUnderstoodError, ReadPair
from .program import chained, without_imports
from .rapier import WORLD, give_shape, rotation_matrix, vector_of_args
from .robots import Frame

BODIES = {"RigidBodyBuilder", "RigidBodyDesc"}
COLLIDERS = {"ColliderBuilder", "ColliderDesc"}
MADE = {"dynamic", "fixed", "new_dynamic", "new_static", "kinematic_position_based", "kinematic_velocity_based"}
MADE |= {"kinematicPositionBased", "kinematicVelocityBased"}
PASSED_OVER = {
    *("build", "mass", "density", "friction", "restitution", "sensor", "user_data", "setMass", "setDensity"),
    *("setFriction", "setRestitution", "setSensor", "can_sleep", "setCanSleep", "ccd_enabled", "setCcdEnabled"),
    *("linvel", "setLinvel", "angvel", "setAngvel", "gravity_scale", "setGravityScale", "linear_damping"),
    *("angular_damping", "additional_mass", "lock_rotations", "active_events", "setActiveEvents", "unwrap", "clone"),
}
"""Calls that neither place nor size a body."""
OTHERS = re.compile(
    r"(?:RAPIER\.)?(?:World|init)|(?:RigidBodySet|ColliderSet|PhysicsPipeline|IslandManager)\.new|.*\.step"
)
EXAMPLES = (
    "let rigid_body = RigidBodyBuilder::dynamic().translation(vector![0.0, 0.9, 0.0]).build();\n"
    "let collider = ColliderBuilder::ball(0.5).build();\nlet handle = bodies.insert(rigid_body);\n"
    "colliders.insert_with_parent(collider, handle, &mut bodies);\n"
    "let ground = RigidBodyBuilder::fixed().build();\nlet ground_handle = bodies.insert(ground);\n"
    "colliders.insert_with_parent(ColliderBuilder::cuboid(10.0, 0.5, 10.0), ground_handle, &mut bodies);",
    "let descA = RAPIER.RigidBodyDesc.fixed();\nlet a = world.createRigidBody(descA);\n"
    "world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5), a);\n"
    "let descB = RAPIER.RigidBodyDesc.dynamic().setTranslation(0.9, 0.0, 0.0);\nlet b = world.createRigidBody(descB);\n"
    "world.createCollider(RAPIER.ColliderDesc.ball(0.5), b);",
)


class _Part(Struct, eq=False):
    """A body or a collider with its pose. `given`: a collider's shape, None for a body.

    `used`: a statement names it.
    """

    line: int
    frame: Frame = field(default_factory=Frame)
    given: Given | None = None
    used: bool = False


class _Reader:
    def __init__(self) -> None:
        self.named: dict[str, _Part] = {}
        self.bodies: list[Given] = []

    def take(self, statement: Statement) -> None:
        """Reads a statement. Raises NotUnderstoodError for one that is not understood."""
        target, value = "", statement if not isinstance(statement, Assign | Declare) else statement.value
        if isinstance(statement, Assign | Declare):
            target = statement.target
        if isinstance(value, Call):
            if value.last in ("insert_with_parent", "createCollider") and len(value.args) in (1, 2, 3):
                self._attach(target, value)
                return
            part = self.part(value)
            if part is not None and target and "." not in target:
                self._keep(target, part)
                return
            if OTHERS.fullmatch(value.path):
                return
        raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)

    def _keep(self, name: str, part: _Part) -> None:
        before = self.named.get(name)
        if before is not None and not before.used:
            raise NotUnderstoodError(f"{name} is given twice", part.line)
        self.named[name] = part

    def part(self, value: Value) -> _Part | None:
        """The body or collider of a value: a name, a builder, or the call that inserts a body. None for another value.

        A part that is named counts as used. Raises NotUnderstoodError for a call of a builder that is not understood.
        """
        if isinstance(value, Name):
            found = self.named.get(value.path)
            if found is not None:
                found.used = True
            return found
        if not isinstance(value, Call):
            return None
        first, *_ = chain = chained(value)
        owner, _, last = first.path.rpartition(".")
        kind = owner.rpartition(".")[2]
        if kind in BODIES and last in MADE and not first.args:
            return _built(_Part(first.line), chain[1:])
        if kind in COLLIDERS:
            given = Given(first.line)
            give_shape(given, last, first)
            return _built(_Part(first.line, given=given), chain[1:])
        if last in ("insert", "createRigidBody") and len(chain) == 1 and len(first.args) == 1:
            return self.part(first.args[0])
        if last in ("build", "clone") and owner in self.named and not first.args:
            return self.part(Name(owner, first.line))
        return None

    def _attach(self, target: str, call: Call) -> None:
        collider = self.part(call.args[0])
        body = self.part(call.args[1]) if len(call.args) > 1 else _Part(call.line)
        if collider is None or collider.given is None or body is None or body.given is not None:
            raise NotUnderstoodError(f"{value_name(call)} needs a collider and a body of the text", call.line)
        shape = collider.given
        given = Given(call.line, target, shape.shape, shape.axis)
        body.frame.of(collider.frame).stand(given, call.line)
        self.bodies.append(given)


def _built(part: _Part, rest: list[Call]) -> _Part:
    """The part with the pose of the calls that follow its builder.

    Raises NotUnderstoodError for a call that is not understood.
    """
    place, turn = part.frame.position, part.frame.rotation
    for call in rest:
        match call.path:
            case "translation" | "setTranslation":
                place = np.array(vector_of_args(call.args, "a translation", call.line))
            case "rotation":
                turn = by_vector(vector_of_args(call.args, "a rotation vector", call.line))
            case "setRotation":
                turn = rotation_matrix(call)
            case name if name not in PASSED_OVER:
                raise NotUnderstoodError(f"{name}(…) is not understood", call.line)
    part.frame = Frame(turn, place)
    return part


def read(text: str) -> ReadPair:
    """The pair of two colliders on bodies.

    Raises NotUnderstoodError for a statement that is not understood, a part that is not used, and colliders that are no
    pair.
    """
    reader = _Reader()
    for statement in statements(without_imports(text), real_quotients=True):
        reader.take(statement)
    for name, part in reader.named.items():
        if not part.used:
            raise NotUnderstoodError(f"{name} is given and nothing uses it", part.line)
    return pair_of(reader.bodies, WORLD)


FORM = Form(
    "rapier_bodies",
    "rapier.rs, user guides: collider_creation_and_insertion, collider_position",
    re.compile(r"\bRigidBody(?:Builder|Desc)\b|\binsert_with_parent\b|\bcreateCollider\b"),
    read,
    EXAMPLES,
)
