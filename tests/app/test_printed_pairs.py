"""The same pair as a dozen engines and languages print it: a box of 2 x 1 x 1 half a unit up, a cube beside it.

Each is read right, or refused with the sentence that names what was not understood, with its line.
"""

from __future__ import annotations

import pytest

from app.forms.form import NotUnderstoodError
from app.forms.numbers import Conventions, read_numbers
from app.forms.registry import read_text
from core.geometry import quaternion
from core.scene import Scene
from core.shapes import Box

LAYOUTS = {
    "Bullet, C++": """
        btCollisionShape* s0 = new btBoxShape(btVector3(1.f, .5f, 0.5f));
        btTransform t0(btQuaternion(0, 0, 0, 1), btVector3(btScalar(0.), btScalar(0.5), btScalar(0)));
        btCollisionShape* s1 = new btBoxShape(btVector3(btScalar(.5),btScalar(.5),btScalar(.5)));
        btTransform t1(btQuaternion(0, 0, 0.38268343f, 0.92387953f), btVector3(1.2f, 0.5f, 0.f));
        """,
    "PhysX, C++": """
        PxBoxGeometry a(PxVec3(1.0f, 0.5f, 0.5f)); PxTransform pa(PxVec3(0.0f, 0.5f, 0.0f), PxQuat(0.0f, 0, 0, 1.0f));
        PxBoxGeometry b(PxVec3(.5f,.5f,.5f)); PxTransform pb(PxVec3(1.2f, 0.5f, 0), PxQuat(0, 0, 0.382683f, 0.923880f));
        """,
    "Jolt, C++": """
        new BoxShape(Vec3(1.0f, 0.5f, 0.5f)), RVec3(0.0_r, 0.5_r, 0.0_r), Quat(0, 0, 0, 1)
        new BoxShape(Vec3(0.5f, 0.5f, 0.5f)), RVec3(1.2_r, 0.5_r, 0.0_r), Quat(0, 0, 0.38268343f, 0.92387953f)
        """,
    "MuJoCo, XML": """
        <geom name="a1" type="box" size="1 .5 .5" pos="0 0 .5" quat="1 0 0 0" rgba="1 0 0 1" mass="2"/>
        <geom name="b2" type="box" size=".5 .5 .5" pos="1.2 0 .5" quat="0.9238795 0 -0.3826834 0" rgba="0 1 0 1"/>
        """,
    "Unity, Debug.Log": """
        [12:34:56] A: size (2.00, 1.00, 1.00) pos (0.00, 0.50, 0.00) rot (0.00000, 0.00000, 0.00000, 1.00000)
        UnityEngine.Debug:Log (object) (at Assets/Scripts/Box.cs:42)
        [12:34:57] B: size (1.00, 1.00, 1.00) pos (1.20, 0.50, 0.00) rot (0.00000, 0.00000, 0.38268, 0.92388)
        UnityEngine.Debug:Log (object) (at Assets/Scripts/Box.cs:42)
        """,
    "FCL, C++": """
        fcl::Box<S> box1(2.0, 1.0, 1.0);
        X_WB1.matrix() << 1, 0, 0, 0,
                          0, 1, 0, 0.5,
                          0, 0, 1, 0,
                          0, 0, 0, 1;
        fcl::Box<S> box2(1, 1, 1);
        X_WB2.matrix() << 7.07106781186547573e-01, -7.07106781186547462e-01, 0, 1.2,
            7.07106781186547462e-01, 7.07106781186547573e-01, 0, .5, 0,0,1,0, 0,0,0,1;
        """,
    "numpy, repr": """
        size_a = array([2., 1., 1.])
        T_a = array([[1. , 0. , 0. , 0. ],
               [0. , 1. , 0. , 0.5],
               [0. , 0. , 1. , 0. ],
               [0. , 0. , 0. , 1. ]])
        size_b = array([1., 1., 1.], dtype=float32)
        T_b = np.array([[ 7.07106781e-01, -7.07106781e-01,  0.00000000e+00, 1.2e+00],
               [ 7.07106781e-01,  7.07106781e-01,  0.00000000e+00, 5.00000000e-01],
               [ 0.00000000e+00,  0.00000000e+00,  1.00000000e+00, 0.00000000e+00],
               [ 0.00000000e+00,  0.00000000e+00,  0.00000000e+00, 1.00000000e+00]], dtype=np.float64)
        """,
    "ROS, echo": """
        header:
          seq: 12
          stamp:
            secs: 1611
            nsecs: 12345
          frame_id: "map"
        position: {x: 0.0, y: 0.5, z: 0.0}
        orientation: {x: 0.0, y: 0.0, z: 0.0, w: 1.0}
        scale: {x: 2.0, y: 1.0, z: 1.0}
        ---
        position:
          x: 1.2
          y: 0.5
          z: 0.0
        orientation:
          x: 0.0
          y: 0.0
          z: 0.383
          w: 0.924
        scale: {x: 1.0, y: 1.0, z: 1.0}
        """,
    "Godot, print": """
        A: (2, 1, 1) [X: (1, 0, 0), Y: (0, 1, 0), Z: (0, 0, 1), O: (0, 0.5, 0)]
        B: (1, 1, 1) [X: (0.707107, 0.707107, 0), Y: (-0.707107, 0.707107, 0), Z: (0, 0, 1), O: (1.2, 0.5, 0)]
        """,
    "Godot, scene": """
        size = Vector3(2, 1, 1)
        transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0)
        size = Vector3(1, 1, 1)
        transform = Transform3D(0.707107, -0.707107, 0, 0.707107, 0.707107, 0, 0, 0, 1, 1.2, 0.5, 0)
        """,
    "Rust, {:?} and dbg!": """
        [src/main.rs:10:5] a = Isometry {
            rotation: [
                0.0,
                0.0,
                0.0,
                1.0,
            ],
            translation: [0.0, 0.5, 0.0],
        }
        Cuboid { half_extents: [[1.0, 0.5, 0.5]] }
        [src/main.rs:11:5] b = Isometry { rotation: [0.0, 0.0, 0.38268346, 0.9238795], translation: [1.2, 0.5, 0.0] }
        Cuboid { half_extents: [[0.5, 0.5, 0.5]] }
        """,
    "glm::to_string": """
        dvec3(2.000000, 1.000000, 1.000000) mat4x4((1.000000, 0.000000, 0.000000, 0.000000),
        (0.000000, 1.000000, 0.000000, 0.000000), (0.000000, 0.000000, 1.000000, 0.000000), (0.0, 0.5, 0.0, 1.000000))
        dvec3(1.000000, 1.000000, 1.000000) mat4x4((0.707107, 0.707107, 0.000000, 0.000000),
        (-0.707107, 0.707107, 0.000000, 0.000000), (0.000000, 0.000000, 1.000000, 0.000000), (1.2, 0.5, 0.0, 1.000000))
        """,
    "printf %a": "0x1p+1 0x1p+0 0x1p+0  0x0p+0 0x1p-1 0x0p+0  0x1p+0 0x0p+0 0x0p+0 0x0p+0 "
    "0x1p+0 0x1p+0 0x1p+0  0x1.3333333333333p+0 0x1p-1 0x0p+0  0x1.d906bcp-1 0x0p+0 0x0p+0 0x1.87de2ap-2",
}
READ = {"Bullet, C++": "bullet", "PhysX, C++": "physx", "Jolt, C++": "jolt", "MuJoCo, XML": "mjcf"}


def assert_is_the_pair(scene: Scene) -> None:
    assert (scene.a.shape, scene.b.shape) == (Box((2.0, 1.0, 1.0)), Box((1.0, 1.0, 1.0)))
    assert scene.a.position == (0.0, 0.5, 0.0)
    assert scene.b.position == (1.2, 0.5, 0.0)
    upright = quaternion.rotate(scene.b.rotation, (1.0, 0.0, 0.0))
    assert upright == pytest.approx((0.5**0.5, 0.5**0.5, 0.0), abs=1e-3)


@pytest.mark.parametrize("name", READ)
def test_what_an_engine_prints_is_read(name: str) -> None:
    reading = read_text(LAYOUTS[name])
    assert list(reading.pairs) == [READ[name]]
    assert_is_the_pair(reading.pair.scene)


@pytest.mark.parametrize("name", sorted({*LAYOUTS} - {*READ, "printf %a"}))
def test_what_a_form_does_not_understand_is_refused_with_the_line_and_never_read_wrong(name: str) -> None:
    reading = read_text(LAYOUTS[name])
    if not reading.pairs:
        with pytest.raises(NotUnderstoodError, match=r"^Line \d+: \S"):
            _ = reading.pair
    for pair in reading.pairs.values():
        assert_is_the_pair(pair.scene)


def test_numbers_alone_are_read_as_the_user_says() -> None:
    reading = read_text(LAYOUTS["printf %a"])
    assert reading.numbers_alone
    assert_is_the_pair(read_numbers(LAYOUTS["printf %a"], Conventions()).scene)
