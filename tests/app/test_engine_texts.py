"""Ten engines' own texts, as "Copy as" writes them: the forms read them back."""

from __future__ import annotations

import numpy as np
import pytest

from app.forms.registry import read_text
from app.io.engine_text import write_pair
from app.io.engines import ENGINES, engine_of
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere

SHAPES = {
    "box": Box((2.0, 1.0, 0.5)),
    "sphere": Sphere(0.7),
    "capsule": Capsule(0.3, 1.2),
    "cylinder": Cylinder(0.4, 1.5),
    "cone": Cone(0.6, 1.1),
    "ellipsoid": Ellipsoid((0.5, 0.7, 0.9)),
    "hull": Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.5, 0.0), (0.0, 0.0, 0.7), (0.9, 1.0, 0.3))),
    "halfspace": HalfSpace((0.3, 2.0, 0.5), 0.4),
}


def reach(body, direction):
    """How far a body extends along a direction of the world; of a half-space its plane, as four numbers."""
    turn = quaternion.to_matrix(body.rotation)
    if (plane := body.shape.plane) is not None:
        normal = turn @ plane.normal
        return np.array((*normal, plane.offset + normal @ np.array(body.position)))
    return direction @ (turn @ body.shape.support(turn.T @ direction) + np.array(body.position))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.sampled(3, "commands")
def test_what_is_copied_as_an_engines_text_is_read_back(engine: str, shape: str) -> None:
    rng = np.random.default_rng(sum(map(ord, engine + shape)))
    places = [tuple(rng.normal(size=3).tolist()) for _ in "ab"]
    turns = [quaternion.normalized(tuple(rng.normal(size=4).tolist())) for _ in "ab"]
    for other in ("box", "capsule", "sphere"):
        scene = Scene(Body(SHAPES[other], places[0], turns[0]), Body(SHAPES[shape], places[1], turns[1]))
        if shape not in ENGINES[engine].forms:
            with pytest.raises(ValueError, match=f"^{engine} has no .*, so this pair cannot be written for it.$"):
                write_pair(scene, engine)
            continue
        text = write_pair(scene, engine)
        assert engine_of(text) == engine
        if engine == "Bullet" and shape == "hull":
            continue  # the template's hull is no call of Bullet
        read = read_text(text).pair.scene
        for body, back in ((scene.a, read.a), (scene.b, read.b)):
            assert type(body.shape) is type(back.shape)
            for direction in rng.normal(size=(40, 3)):
                assert reach(back, direction) == pytest.approx(reach(body, direction), abs=1e-12)
        assert analyse(read).separation == pytest.approx(analyse(scene).separation, abs=1e-9)


def test_the_texts_are_those_of_the_engines() -> None:
    s = 0.5**0.5
    box, capsule = Body(SHAPES["box"], (1.0, 2.0, 3.0), (s, 0.0, s, 0.0)), Body(SHAPES["capsule"], (0.0, -1.0, 0.5))
    scene = Scene(box, capsule)
    assert write_pair(scene, "Bullet").splitlines()[0] == "btBoxShape shape_a(btVector3(1.0, 0.5, 0.25));"
    for engine, call in (
        ("Bullet", "btCapsuleShape shape_b(0.3, 1.2)"),
        ("Jolt", "CapsuleShape(0.6, 0.3)"),
        ("PhysX", "PxCapsuleGeometry shape_b(0.3, 0.6)"),
        ("Rapier", "SharedShape::capsule_y(0.6, 0.3)"),
        ("three.js", "CapsuleGeometry(0.3, 1.2)"),
        ("Box3D", "b3Capsule shape_b = {{0.0, -0.6, 0.0}, {0.0, 0.6, 0.0}, 0.3}"),
    ):
        assert call in write_pair(scene, engine)
    unity = write_pair(scene, "Unity").splitlines()
    assert unity[0] == "BoxCollider a; a.size = new Vector3(2.0f, 1.0f, 0.5f);"
    assert unity[1].startswith("a.transform.position = new Vector3(1.0f, 2.0f, -3.0f); a.transform.rotation = new Quat")
    assert unity[2] == "CapsuleCollider b; b.radius = 0.3f; b.height = 1.7999999999999998f;"
    unreal = write_pair(scene, "Unreal")
    assert "FVector(100.0, 300.0, 200.0)" in unreal
    assert "SetCapsuleSize(30.0, 90.0)" in unreal
    assert 'type="capsule" size="0.3 0.6" pos="0.0 -0.5 -1.0"' in write_pair(scene, "MuJoCo")
