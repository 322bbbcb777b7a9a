"""What the sources of the forms say of their conventions, each by a pair of known separation."""

from __future__ import annotations

import re

import pytest

from app.forms.form import NotUnderstoodError
from app.forms.registry import read_text
from core.analysis.analysis import analyse

CASES = {
    # PxVec3.h: "Assigns scalar parameter to all elements."
    "physx: one value of a PxVec3 is all three": (
        "PxBoxGeometry a(PxVec3(0.5f)); PxTransform ta(PxVec3(0));\n"
        "PxBoxGeometry b(PxVec3(0.5f)); PxTransform tb(PxVec3(0.9f, 0, 0));",
        -0.1,
    ),
    # b2Math.h of Box2D 2.x: Set(position, angle); math_functions.h of 3: b2Rot_identity is no turn.
    "box2d: a transform's Set": (
        "b2PolygonShape a; a.SetAsBox(0.5f, 0.5f);\nb2Transform ta; ta.Set(b2Vec2(0.0f, 0.0f), 0.0f);\n"
        "b2PolygonShape b; b.SetAsBox(0.5f, 0.5f);\nb2Transform tb; tb.Set(b2Vec2(1.1f, 0.0f), 0.7853981633974483f);",
        0.1 - (0.5**0.5 - 0.5),
    ),
    "box2d: the identity of a rotation": (
        "b2Polygon a = b2MakeBox(0.5f, 0.5f); b2Transform ta = {{0.0f, 0.0f}, b2Rot_identity};\n"
        "b2Circle b = {{0.0f, 0.0f}, 0.5f}; b2Transform tb = {{0.9f, 0.0f}, b2Rot_identity};",
        -0.1,
    ),
    # b2CircleShape.h of 2.x: the constructor sets m_p to zero; collision.h of 3: the radius extends the box.
    "box2d: a circle by its radius": (
        "b2PolygonShape box; box.SetAsBox(50.0f, 10.0f); b2BodyDef ground; ground.position.Set(0.0f, -10.0f);\n"
        "b2CircleShape ball; ball.m_radius = 0.5f; b2BodyDef def; def.position.Set(0.0f, 0.45f);",
        -0.05,
    ),
    "box2d: a rounded box and a square by its half width": (
        "b2Polygon a = b2MakeRoundedBox(0.5f, 0.4f, 0.1f); b2Transform ta = {{0.0f, 0.0f}, b2Rot_identity};\n"
        "b2Polygon b = b2MakeSquare(0.5f); b2Transform tb = {{1.05f, 0.0f}, {0.0f, 1.0f}};",
        -0.05,
    ),
    # Object3D.updateMatrix: compose(position, quaternion, scale), so the scale is in the body's own axes.
    "three.js: a scale in the body's axes": (
        "const a = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1)); a.rotateZ(Math.PI / 2); a.scale.set(2, 1, 1);\n"
        "const b = new THREE.Mesh(new THREE.SphereGeometry(0.5)); b.scale.set(1, 2, 1); b.position.set(0, 1.9, 0);",
        -0.1,
    ),
    "three.js: a cylinder's height and radius are scaled": (
        "const a = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 2)); a.scale.set(0.5, 3, 0.5);\n"
        "const b = new THREE.Mesh(new THREE.SphereGeometry(0.5)); b.position.set(0, 3.4, 0);",
        -0.1,
    ),
    # btConvexHullShape.h: addPoint(point, recalculateLocalAabb = true).
    "bullet: a hull by its points one by one": (
        "btConvexHullShape a; a.addPoint(btVector3(0,0,0)); a.addPoint(btVector3(1,0,0));\n"
        "a.addPoint(btVector3(0,1,0)); a.addPoint(btVector3(0,0,1), true);\n"
        "btTransform ta(btMatrix3x3::getIdentity(), btVector3(0, 0, 0));\n"
        "btSphereShape b(0.25); btTransform tb(btQuaternion(0, 0, 0, 1), btVector3(0, 0, 1.2));",
        -0.05,
    ),
    "bullet: a hull by the address of its first point": (
        "btVector3 p[] = {btVector3(0,0,0), btVector3(1,0,0), btVector3(0,1,0), btVector3(0,0,1)};\n"
        "btConvexHullShape a(&p[0].x(), 4, sizeof(btVector3));\n"
        "btTransform ta(btQuaternion(0,0,0,1), btVector3(0,0,0));\n"
        "btSphereShape b(0.25); btTransform tb(btQuaternion(0, 0, 0, 1), btVector3(0, 0, 1.2));",
        -0.05,
    ),
    # doc.rust-lang.org, std::f32::consts: FRAC_PI_2 is half of pi.
    "rapier: a fraction of pi": (
        "let a = ColliderBuilder::capsule_y(0.5, 0.2).rotation(vector![0.0, 0.0, std::f32::consts::FRAC_PI_2]);\n"
        "let b = ColliderBuilder::ball(0.3).translation(vector![0.9, 0.0, 0.0]);",
        -0.1,
    ),
    # Asked of MuJoCo: classes inherit, a geom's class stands before the childclass of the bodies around it.
    "mjcf: the classes of geoms": (
        '<mujoco><default><geom type="box"/><default class="big"><geom size="1 1 1"/>'
        '<default class="ball"><geom type="sphere" size="1"/></default></default></default>\n'
        '<worldbody><geom class="big"/><body childclass="big" pos="1.9 0 0"><body><geom class="ball"/></body></body>'
        "</worldbody></mujoco>",
        -0.1,
    ),
    # coal's Python bindings: distance(o1, tf1, o2, tf2, request, result).
    "coal: the call says which transform is whose": (
        "a = coal.Box(3, 1, 1)\nb = coal.Sphere(0.5)\nT2 = coal.Transform3s(np.eye(3), np.array([1.9, 0, 0]))\n"
        "T1 = coal.Transform3s(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), np.array([0, 0, 0]))\n"
        "coal.distance(b, T1, a, T2, req, res)",
        1.9 - 1.5 - 0.5,
    ),
    # PxShape.h: the local pose is in the actor's frame.
    "physx: a shape's place on its actor": (
        "PxRigidDynamic* a = physics->createRigidDynamic(PxTransform(PxVec3(0), PxQuat(PxHalfPi, PxVec3(0, 0, 1))));\n"
        "PxShape* s = PxRigidActorExt::createExclusiveShape(*a, PxCapsuleGeometry(0.5f, 1.0f), *material);\n"
        "s->setLocalPose(PxTransform(PxVec3(1, 0, 0)));\n"
        "PxRigidStatic* b = physics->createRigidStatic(PxTransform(PxVec3(0, 2.9f, 0)));\n"
        "PxRigidActorExt::createExclusiveShape(*b, PxSphereGeometry(0.5f), *material);",
        -0.1,
    ),
    # p5.collide2D: collideCirclePoly(cx, cy, diameter, vertices, interior).
    "rects: a circle by its diameter beside a polygon": (
        "poly = [createVector(14, 0), createVector(30, 0), createVector(30, 20), createVector(14, 20)];\n"
        "hit = collideCirclePoly(10, 10, 10, poly, true);",
        -1.0,
    ),
    "rects: two polygons of p5.collide2D": (
        "collidePolyPoly([createVector(0, 0), createVector(9, 0), createVector(9, 9), createVector(0, 9)],\n"
        "  [createVector(8, 0), createVector(20, 0), createVector(20, 9), createVector(8, 9)])",
        -1.0,
    ),
    "coal: a transform's translation and rotation, set afterwards": (
        "import coal\ns = coal.Box(1, 1, 1)\nM1 = coal.Transform3s.Identity()\nt = coal.Box(4, 1, 1)\n"
        "M2 = coal.Transform3s.Identity()\nM2.setTranslation(np.array([0.9, 0, 0]))\n"
        "M2.setRotation(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))",
        -0.1,
    ),
    # BoxShape3D.xml: size has the default Vector3(1, 1, 1), which a file leaves out.
    "godot: a box of the default size": (
        '[sub_resource type="BoxShape3D" id="1"]\n[node name="A" type="CollisionShape3D"]\n'
        'shape = SubResource("1")\n[node name="B" type="CollisionShape3D"]\n'
        'transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.9, 0, 0)\nshape = SubResource("1")',
        -0.1,
    ),
    "godot: nodes under a root that the text has not": (
        '[sub_resource type="BoxShape3D" id="1"]\nsize = Vector3(1, 1, 1)\n'
        '[node name="A" type="CollisionShape3D" parent="."]\n'
        'shape = SubResource("1")\n[node name="B" type="CollisionShape3D" parent="."]\n'
        'transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.9, 0, 0)\nshape = SubResource("1")',
        -0.1,
    ),
    # btStaticPlaneShape.cpp: m_planeNormal(planeNormal.normalized()), m_planeConstant(planeConstant).
    "bullet: a plane's constant is no multiple of its normal": (
        "btStaticPlaneShape a(btVector3(0, 2, 0), 2);\nbtTransform ta; ta.setIdentity();\n"
        "btSphereShape b(0.5);\nbtTransform tb; tb.setIdentity(); tb.setOrigin(btVector3(0, 3, 0));",
        0.5,
    ),
    # FCL 0.7, halfspace-inl.h, unitNormalTest: both the normal and d are divided by the normal's length.
    "fcl: a half-space's d is a multiple of its normal": (
        "import fcl\na = fcl.CollisionObject(fcl.Halfspace([0, 0, 2], 2), fcl.Transform())\n"
        "b = fcl.CollisionObject(fcl.Sphere(0.5), fcl.Transform([0, 0, 2.0]))",
        0.5,
    ),
    # FCL, capsule-inl.h: the box about it reaches 0.5 * lz + radius along z.
    "fcl: lz of a capsule is without its caps": (
        "import fcl\na = fcl.CollisionObject(fcl.Capsule(0.5, 2), fcl.Transform())\n"
        "b = fcl.CollisionObject(fcl.Sphere(0.5), fcl.Transform([0, 0, 3.0]))",
        1.0,
    ),
    # Jolt, CapsuleShape.h: the half height of the cylinder, then the radius; Plane.h: X . Normal + Constant = 0.
    "jolt: half height without caps before the radius, and a plane's constant": (
        "Ref<Shape> a = new CapsuleShape(1.0f, 0.25f);\nRVec3 pa(0, 2, 0); Quat qa = Quat::sIdentity();\n"
        "Ref<Shape> b = new PlaneShape(Plane(Vec3(0, 1, 0), -0.5f));\nRVec3 pb(0, 0, 0); Quat qb = Quat::sIdentity();",
        0.25,
    ),
    # PhysX, PxCapsuleGeometry.h: along x, radius, then half of the height between the centres of the caps;
    # PxPlaneGeometry.h: x <= 0.
    "physx: a capsule lies along x, a plane faces x": (
        "PxCapsuleGeometry(0.25f, 1.0f); PxTransform(PxVec3(2.0f, 0, 0))\nPxPlaneGeometry(); PxTransform(PxIdentity)",
        0.75,
    ),
    # three.js, CapsuleGeometry.js: the path's arcs are `length` apart along y, and moved by half of it.
    "three.js: a capsule's length is without its caps": (
        "const a = new THREE.Mesh(new THREE.CapsuleGeometry(0.25, 2));\n"
        "const b = new THREE.Mesh(new THREE.SphereGeometry(0.5));\nb.position.set(0, 2, 0);",
        0.25,
    ),
    # parry, cone.rs: the base at y = -half_height, the apex at +half_height.
    "rapier: a cone's half height comes first, its apex is up": (
        "let a = ColliderBuilder::cone(1.0, 3.0).translation(vector![0.0, 0.0, 0.0]);\n"
        "let b = ColliderBuilder::ball(0.5).translation(vector![0.0, 2.0, 0.0]);",
        0.5,
    ),
    # Godot, variant_parser.cpp: m3.rows[i][j], then the origin.
    "godot: a Transform3D has its basis by rows": (
        '[sub_resource type="BoxShape3D" id="1"]\nsize = Vector3(4, 1, 1)\n'
        '[sub_resource type="SphereShape3D" id="2"]\nradius = 0.5\n'
        '[node name="A" type="CollisionShape3D"]\nshape = SubResource("1")\n'
        "transform = Transform3D(0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1, 0, 0, 0)\n"
        '[node name="B" type="CollisionShape3D"]\nshape = SubResource("2")\n'
        "transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 2.4, 1.8, 0)",
        0.5,
    ),
    # MuJoCo's XML reference, geom: radius, half of the length without caps; compiler: eulerseq xyz, about turned axes,
    # degrees.
    "mjcf: a capsule's second size is half its length without caps, euler turns about turned axes in degrees": (
        '<geom type="capsule" size="0.25 1" euler="90 90 0"/>\n<geom type="sphere" size="0.5" pos="2 0 0"/>',
        0.25,
    ),
    # SDFormat 1.12, pose.sdf: degrees for roll, pitch and yaw about fixed axes; cylinder_shape.sdf: length along z.
    "sdf: degrees about fixed axes": (
        '<collision name="a"><pose degrees="true">0 0 0 90 0 90</pose><geometry><cylinder><radius>0.5</radius>'
        "<length>2</length></cylinder></geometry></collision>\n"
        '<collision name="b"><pose>2 0 0 0 0 0</pose><geometry><sphere><radius>0.5</radius></sphere></geometry>'
        "</collision>",
        0.5,
    ),
    # pybullet.c: "Convert Euler [roll, pitch, yaw] as in URDF/SDF convention, to quaternion [x,y,z,w]".
    "pybullet: Euler angles are about fixed axes": (
        "a = p.createMultiBody(0, p.createCollisionShape(p.GEOM_CAPSULE, radius=0.25, height=2.0), -1, [0, 0, 0], "
        "p.getQuaternionFromEuler([math.pi / 2, 0, math.pi / 2]))\n"
        "b = p.createMultiBody(0, p.createCollisionShape(p.GEOM_SPHERE, radius=0.5), -1, [2, 0, 0])",
        0.25,
    ),
    # Unity's manual, Primitive and placeholder objects: one unit across, two units high.
    "unity: a capsule is two units high": (
        "var a = GameObject.CreatePrimitive(PrimitiveType.Capsule);\na.transform.position = new Vector3(0, 0, 0);\n"
        "var b = GameObject.CreatePrimitive(PrimitiveType.Cube);\nb.transform.position = new Vector3(0, 2, 0);",
        0.5,
    ),
    # CapsuleComponent.h: from the centre to the end of the hemisphere; lengths are centimetres.
    "unreal: a capsule's half height is with its cap": (
        "UCapsuleComponent* a; a->SetCapsuleSize(25, 100); a->SetWorldLocation(FVector(0, 0, 0));\n"
        "USphereComponent* b; b->SetSphereRadius(50); b->SetWorldLocation(FVector(0, 0, 200));",
        0.5,
    ),
    # cannon-es from 0.10 on, Cylinder.ts: vertices at y = ±height / 2.
    "cannon-es: a cylinder lies along y": (
        "import * as CANNON from 'cannon-es'\n"
        "const a = new CANNON.Body({ shape: new CANNON.Cylinder(0.5, 0.5, 2, 16) });\n"
        "const b = new CANNON.Body({ shape: new CANNON.Sphere(0.5), position: new CANNON.Vec3(0, 2, 0) });",
        0.5,
    ),
    # cpPolyShapeMassInfo: the centre of gravity is the polygon's, here the origin, so that the mass moves nothing.
    "chipmunk: a triangle with a mass turns about its centre": (
        "a = pymunk.Body(1, 1)\nsa = pymunk.Poly(a, [(-1, -1), (2, -1), (-1, 2)])\nsa.mass = 1\na.angle = math.pi\n"
        "b = pymunk.Body(1, 1)\nb.position = 3, 0\nsb = pymunk.Circle(b, 0.5)",
        1.5,
    ),
    "an import's line has more than the import": (
        "import pybullet as p; ball = p.createCollisionShape(p.GEOM_SPHERE, radius=0.5)\n"
        "a = p.createMultiBody(0, ball, -1, [0, 0, 0])\nb = p.createMultiBody(0, ball, -1, [0, 0, 2])",
        1.0,
    ),
}
DOUBTFUL = (
    # GetShapeScale() is GetMinimumAxisScale(): a capsule is never stretched.
    (
        "UCapsuleComponent* a; a->SetCapsuleSize(25, 100); a->SetWorldScale3D(FVector(1, 1, 2));\n"
        "USphereComponent* b; b->SetSphereRadius(50); b->SetWorldLocation(FVector(0, 0, 400));",
        "a capsule cannot be scaled by different numbers",
    ),
    # cannon.js, and cannon-es before 0.10, have a cylinder along z by the same name (cannon-es' issue 13).
    (
        "const a = new CANNON.Body({ shape: new CANNON.Cylinder(0.5, 0.5, 2, 16) });\n"
        "const b = new CANNON.Body({ shape: new CANNON.Sphere(0.5) });",
        "a cylinder lies along y in cannon-es and along z in cannon.js",
    ),
    ('A = {"points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "points": [[5,5,5]]}\nB = [[0,0,0],[1,0,0]]', "given twice"),
    ("A = [[0x1.8, 0, 0], [1, 0, 0]]\nB = [[0, 0, 0], [1, 0, 0]]", "0x1.8 is no number"),
)


@pytest.mark.parametrize(("text", "separation"), CASES.values(), ids=CASES)
def test_a_pair_stands_as_its_source_says(text: str, separation: float) -> None:
    assert analyse(read_text(text).pair.scene).separation == pytest.approx(separation, abs=1e-9)


@pytest.mark.parametrize(("text", "why"), DOUBTFUL)
def test_what_may_mean_two_things_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(why)):
        _ = read_text(text).pair


OFF = "0.999, 0, 0, 0, 1, 0, 0, 0, 1"
ROWS = "[[0.999, 0, 0], [0, 1, 0], [0, 0, 1]]"
BALL = "btSphereShape b(0.5); btTransform tb(btQuaternion(0, 0, 0, 1), btVector3(2, 0, 0));"
MATRIX_ALONE = "Matrix:\n 0.999 0 0 0\n 0 1 0 0\n 0 0 1 0\n 0 0 0 1\n"


@pytest.mark.parametrize(
    "text",
    [
        f"btBoxShape a(btVector3(1, 1, 1)); btTransform ta(btMatrix3x3({OFF}), btVector3(0, 0, 0)); {BALL}",
        f"btBoxShape a(btVector3(1, 1, 1)); btTransform ta; ta.setBasis(btMatrix3x3({OFF})); "
        f"ta.setOrigin(btVector3(0, 0, 0)); {BALL}",
        f"fcl.Box(1, 1, 1)\nfcl.Transform({ROWS}, [0, 0, 0])\nfcl.Sphere(1)\nfcl.Transform([2.0, 0, 0])",
        f"t = fcl.Transform({ROWS}, [0, 0, 0])\na = fcl.CollisionObject(fcl.Box(1, 1, 1), t)\n"
        "b = fcl.CollisionObject(fcl.Sphere(1), fcl.Transform([2.0, 0, 0]))",
        f"a = coal.CollisionObject(coal.Box(1, 1, 1), coal.Transform3s({ROWS}, np.array([0, 0, 0])))\n"
        "b = coal.CollisionObject(coal.Sphere(1), coal.Transform3s.Identity())",
        f"box 1 1 1\n- Translation: [0, 0, 0]\n{MATRIX_ALONE}"
        "sphere 1\n- Translation: [0, 0, 3]\n- Rotation: in Quaternion [0, 0, 0, 1]",
    ],
)
def test_a_rotation_replaced_by_the_nearest_one_is_told(text: str) -> None:
    notes = read_text(text).pair.notes
    assert sum("replaced by the nearest one" in note for note in notes) == 1, notes


@pytest.mark.parametrize(
    "text",
    [
        f"btBoxShape a(btVector3(1, 1, 1)); btTransform ta(btMatrix3x3({OFF}), btVector3(0, 0, 0)); "
        f"ta.setRotation(btQuaternion(0, 0, 0, 1)); {BALL}",
        "box 1 1 1\n- Translation: [0, 0, 0]\n- Rotation: in Quaternion [0, 0, 0, 1]\n"
        f"{MATRIX_ALONE}sphere 1\n- Translation: [0, 0, 3]\n- Rotation: in Quaternion [0, 0, 0, 1]",
    ],
)
def test_a_rotation_that_is_not_used_has_no_note(text: str) -> None:
    assert not any("nearest" in note for note in read_text(text).pair.notes)


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (
            "cylinder radius 1 height 2 at 0 0 0; sphere radius 1 at 0 3 0",
            (
                "The cylinder of line 1 lies along y, as the text does not say along what.",
                "A has no rotation in the text and is not turned.",
            ),
        ),
        ("capsule p0 0 0 0 p1 1 0 0 radius 0.1; sphere radius 1 at 0 3 0", ()),
        (
            "box (1, 1, 1) at (0, 0, 0), sphere r=0.5 at (0.9, 0, 0)",
            (
                "The numbers after box are taken as its whole size.",
                "A has no rotation in the text and is not turned.",
            ),
        ),
    ],
)
def test_what_plain_words_leave_open_is_told_and_nothing_else(text: str, notes: tuple[str, ...]) -> None:
    assert read_text(text).pair.notes == notes
