"""Texts as "Copy as" wrote them before forms did: a capsule or a hull beside a box, for each of ten engines."""

from __future__ import annotations

COPIED_BEFORE = (
    (
        "Bullet",
        "capsule",
        "btCapsuleShape shape_a(0.3, 1.2);\n"
        "btTransform pose_a(btQuaternion(0.5, 0.5, 0.5, 0.5), btVector3(1.0, 2.0, 3.0));\n"
        "btBoxShape shape_b(btVector3(1.0, 0.5, 0.25));\n"
        "btTransform pose_b(btQuaternion(0.0, 0.0, 0.0, 1.0), btVector3(0.0, -1.0, 0.5));\n",
    ),
    (
        "Bullet",
        "hull",
        "btVector3 points_a[] = {btVector3(0.0, 0.0, 0.0), btVector3(1.0, 0.0, 0.0), btVector3(0.0, 1.5, 0.0)"
        ", btVector3(0.0, 0.0, 0.7)}; // for a btConvexHullShape\n"
        "btTransform pose_a(btQuaternion(0.5, 0.5, 0.5, 0.5), btVector3(1.0, 2.0, 3.0));\n"
        "btBoxShape shape_b(btVector3(1.0, 0.5, 0.25));\n"
        "btTransform pose_b(btQuaternion(0.0, 0.0, 0.0, 1.0), btVector3(0.0, -1.0, 0.5));\n",
    ),
    (
        "Jolt",
        "capsule",
        "Ref<Shape> shape_a = new CapsuleShape(0.6, 0.3);\n"
        "RVec3 position_a(1.0, 2.0, 3.0); Quat rotation_a(0.5, 0.5, 0.5, 0.5);\n"
        "Ref<Shape> shape_b = new BoxShape(Vec3(1.0, 0.5, 0.25));\n"
        "RVec3 position_b(0.0, -1.0, 0.5); Quat rotation_b(0.0, 0.0, 0.0, 1.0);\n",
    ),
    (
        "Jolt",
        "hull",
        "Array<Vec3> points_a = {Vec3(0.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.5, 0.0), Vec3(0.0, 0.0"
        ", 0.7)}; // for ConvexHullShapeSettings\n"
        "RVec3 position_a(1.0, 2.0, 3.0); Quat rotation_a(0.5, 0.5, 0.5, 0.5);\n"
        "Ref<Shape> shape_b = new BoxShape(Vec3(1.0, 0.5, 0.25));\n"
        "RVec3 position_b(0.0, -1.0, 0.5); Quat rotation_b(0.0, 0.0, 0.0, 1.0);\n",
    ),
    (
        "PhysX",
        "capsule",
        "PxCapsuleGeometry shape_a(0.3, 0.6);\n"
        "PxTransform pose_a(PxVec3(1.0, 2.0, 3.0), PxQuat(0.7071067811865476, 0.0, 0.7071067811865475, 0.0));"
        "\n"
        "PxBoxGeometry shape_b(1.0, 0.5, 0.25);\n"
        "PxTransform pose_b(PxVec3(0.0, -1.0, 0.5), PxQuat(0.0, 0.0, 0.0, 1.0));\n",
    ),
    (
        "PhysX",
        "hull",
        "PxVec3 points_a[] = {PxVec3(0.0, 0.0, 0.0), PxVec3(1.0, 0.0, 0.0), PxVec3(0.0, 1.5, 0.0), PxVec3(0.0"
        ", 0.0, 0.7)}; // for a PxConvexMeshDesc\n"
        "PxTransform pose_a(PxVec3(1.0, 2.0, 3.0), PxQuat(0.5, 0.5, 0.5, 0.5));\n"
        "PxBoxGeometry shape_b(1.0, 0.5, 0.25);\n"
        "PxTransform pose_b(PxVec3(0.0, -1.0, 0.5), PxQuat(0.0, 0.0, 0.0, 1.0));\n",
    ),
    (
        "MuJoCo",
        "capsule",
        '<geom name="a" type="capsule" size="0.3 0.6" pos="1.0 -3.0 2.0" quat="0.5 0.5 -0.5 0.5"/>\n'
        '<geom name="b" type="box" size="1.0 0.5 0.25" pos="0.0 -0.5 -1.0" quat="0.7071067811865476 0.7071067'
        '811865475 0.0 0.0"/>\n',
    ),
    (
        "MuJoCo",
        "hull",
        '<mesh name="mesh_a" vertex="0.0 0.0 0.0 1.0 0.0 0.0 0.0 1.5 0.0 0.0 0.0 0.7"/>\n'
        '<geom name="a" type="mesh" mesh="mesh_a" pos="1.0 -3.0 2.0" quat="0.0 0.7071067811865476 0.0 0.70710'
        '67811865475"/>\n'
        '<geom name="b" type="box" size="1.0 0.5 0.25" pos="0.0 -0.5 -1.0" quat="0.7071067811865476 0.7071067'
        '811865475 0.0 0.0"/>\n',
    ),
    (
        "Unity",
        "capsule",
        "CapsuleCollider a; a.radius = 0.3f; a.height = 1.7999999999999998f;\n"
        "a.transform.position = new Vector3(1.0f, 2.0f, -3.0f); a.transform.rotation = new Quaternion(-0.5f, "
        "-0.5f, 0.5f, 0.5f);\n"
        "BoxCollider b; b.size = new Vector3(2.0f, 1.0f, 0.5f);\n"
        "b.transform.position = new Vector3(0.0f, -1.0f, -0.5f); b.transform.rotation = new Quaternion(0.0f, "
        "0.0f, 0.0f, 1.0f);\n",
    ),
    (
        "Unity",
        "hull",
        "Vector3[] points_a = {new Vector3(0.0f, 0.0f, 0.0f), new Vector3(1.0f, 0.0f, 0.0f), new Vector3(0.0f"
        ", 1.5f, 0.0f), new Vector3(0.0f, 0.0f, -0.7f)}; // for a convex MeshCollider\n"
        "a.transform.position = new Vector3(1.0f, 2.0f, -3.0f); a.transform.rotation = new Quaternion(-0.5f, "
        "-0.5f, 0.5f, 0.5f);\n"
        "BoxCollider b; b.size = new Vector3(2.0f, 1.0f, 0.5f);\n"
        "b.transform.position = new Vector3(0.0f, -1.0f, -0.5f); b.transform.rotation = new Quaternion(0.0f, "
        "0.0f, 0.0f, 1.0f);\n",
    ),
    (
        "Unreal",
        "capsule",
        "UCapsuleComponent* a; a->SetCapsuleSize(30.0, 90.0);\n"
        "a->SetWorldTransform(FTransform(FQuat(-0.5, -0.5, -0.5, 0.5), FVector(100.0, 300.0, 200.0)));\n"
        "UBoxComponent* b; b->SetBoxExtent(FVector(100.0, 50.0, 25.0));\n"
        "b->SetWorldTransform(FTransform(FQuat(-0.7071067811865475, 0.0, 0.0, 0.7071067811865476), FVector(0."
        "0, 50.0, -100.0)));\n",
    ),
    (
        "Unreal",
        "hull",
        "TArray<FVector> points_a = {FVector(0.0, 0.0, 0.0), FVector(100.0, 0.0, 0.0), FVector(0.0, -150.0, 0"
        ".0), FVector(0.0, 0.0, 70.0)}; // for an FKConvexElem\n"
        "a->SetWorldTransform(FTransform(FQuat(0.7071067811865476, 0.0, 0.7071067811865475, 0.0), FVector(100"
        ".0, 300.0, 200.0)));\n"
        "UBoxComponent* b; b->SetBoxExtent(FVector(100.0, 50.0, 25.0));\n"
        "b->SetWorldTransform(FTransform(FQuat(-0.7071067811865475, 0.0, 0.0, 0.7071067811865476), FVector(0."
        "0, 50.0, -100.0)));\n",
    ),
    (
        "Rapier",
        "capsule",
        "let shape_a = SharedShape::capsule_y(0.6, 0.3);\n"
        "let pose_a = Isometry { rotation: [0.5, 0.5, 0.5, 0.5], translation: [1.0, 2.0, 3.0] };\n"
        "let shape_b = SharedShape::cuboid(1.0, 0.5, 0.25);\n"
        "let pose_b = Isometry { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0, -1.0, 0.5] };\n",
    ),
    (
        "Rapier",
        "hull",
        "let points_a = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.5, 0.0], point![0.0, 0.0"
        ", 0.7]]; // for SharedShape::convex_hull\n"
        "let pose_a = Isometry { rotation: [0.5, 0.5, 0.5, 0.5], translation: [1.0, 2.0, 3.0] };\n"
        "let shape_b = SharedShape::cuboid(1.0, 0.5, 0.25);\n"
        "let pose_b = Isometry { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0, -1.0, 0.5] };\n",
    ),
    (
        "three.js",
        "capsule",
        "const a = new THREE.Mesh(new THREE.CapsuleGeometry(0.3, 1.2));\n"
        "a.position.set(1.0, 2.0, 3.0); a.quaternion.set(0.5, 0.5, 0.5, 0.5);\n"
        "const b = new THREE.Mesh(new THREE.BoxGeometry(2.0, 1.0, 0.5));\n"
        "b.position.set(0.0, -1.0, 0.5); b.quaternion.set(0.0, 0.0, 0.0, 1.0);\n",
    ),
    (
        "three.js",
        "hull",
        "const a = new THREE.Mesh(new ConvexGeometry([new THREE.Vector3(0.0, 0.0, 0.0), new THREE.Vector3(1.0"
        ", 0.0, 0.0), new THREE.Vector3(0.0, 1.5, 0.0), new THREE.Vector3(0.0, 0.0, 0.7)]));\n"
        "a.position.set(1.0, 2.0, 3.0); a.quaternion.set(0.5, 0.5, 0.5, 0.5);\n"
        "const b = new THREE.Mesh(new THREE.BoxGeometry(2.0, 1.0, 0.5));\n"
        "b.position.set(0.0, -1.0, 0.5); b.quaternion.set(0.0, 0.0, 0.0, 1.0);\n",
    ),
    (
        "Godot",
        "capsule",
        '[sub_resource type="CapsuleShape3D" id="a"]\n'
        "radius = 0.3\n"
        "height = 1.7999999999999998\n"
        '[node name="a" type="CollisionShape3D"]\n'
        "transform = Transform3D(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 2.0, 3.0)\n"
        'shape = SubResource("a")\n'
        '[sub_resource type="BoxShape3D" id="b"]\n'
        "size = Vector3(2.0, 1.0, 0.5)\n"
        '[node name="b" type="CollisionShape3D"]\n'
        "transform = Transform3D(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.5)\n"
        'shape = SubResource("b")\n',
    ),
    (
        "Godot",
        "hull",
        '[sub_resource type="ConvexPolygonShape3D" id="a"]\n'
        "points = PackedVector3Array(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.7)\n"
        '[node name="a" type="CollisionShape3D"]\n'
        "transform = Transform3D(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 2.0, 3.0)\n"
        'shape = SubResource("a")\n'
        '[sub_resource type="BoxShape3D" id="b"]\n'
        "size = Vector3(2.0, 1.0, 0.5)\n"
        '[node name="b" type="CollisionShape3D"]\n'
        "transform = Transform3D(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.5)\n"
        'shape = SubResource("b")\n',
    ),
    (
        "Box3D",
        "capsule",
        "b3Capsule shape_a = {{0.0, -0.6, 0.0}, {0.0, 0.6, 0.0}, 0.3};\n"
        "b3Transform pose_a = {.p = {1.0, 2.0, 3.0}, .q = {.v = {0.5, 0.5, 0.5}, .s = 0.5}};\n"
        "b3BoxHull shape_b = b3MakeBoxHull(1.0, 0.5, 0.25);\n"
        "b3Transform pose_b = {.p = {0.0, -1.0, 0.5}, .q = {.v = {0.0, 0.0, 0.0}, .s = 1.0}};\n",
    ),
    (
        "Box3D",
        "hull",
        "b3Vec3 points_a[] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.5, 0.0}, {0.0, 0.0, 0.7}}; // for b3C"
        "reateHull\n"
        "b3Transform pose_a = {.p = {1.0, 2.0, 3.0}, .q = {.v = {0.5, 0.5, 0.5}, .s = 0.5}};\n"
        "b3BoxHull shape_b = b3MakeBoxHull(1.0, 0.5, 0.25);\n"
        "b3Transform pose_b = {.p = {0.0, -1.0, 0.5}, .q = {.v = {0.0, 0.0, 0.0}, .s = 1.0}};\n",
    ),
)
"""The engine, the kind of A's shape, and the text."""
