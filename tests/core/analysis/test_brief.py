"""The short answers' parts agree: depth and separation, the two points and the direction between them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from math import copysign

import numpy as np
import pytest
from msgspec.structs import replace

from core import (
    Body,
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Provenance,
    Rounded,
    Scene,
    Shape,
    Sphere,
    Verdict,
)
from core.analysis.analysis import Analysis, analyse
from core.analysis.brief import Collision, Distance, collision_of, distance_of
from core.analysis.methods import Limits


@pytest.mark.parametrize("ask", [analyse, distance_of, collision_of])
@pytest.mark.parametrize("height", [-3.0, -0.75, 1.0])
def test_no_minus_zero_is_told(ask: Callable[[Scene], Analysis | Distance | Collision], height: float) -> None:
    told = ask(Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (0.0, height, 0.0)))).to_dict()
    assert told["normal"][1] == copysign(1.0, height)
    assert re.search(r"-0\.0(?!\d)", json.dumps(told)) is None


@pytest.mark.parametrize(("across", "signed"), [(3.0, 1.5), (1.25, -0.25)])
@pytest.mark.parametrize("ask", [distance_of, collision_of])
def test_separation_depth_and_points_tell_one_signed_distance(
    ask: Callable[[Scene], Distance | Collision], across: float, signed: float
) -> None:
    """By hand: along x a box reaches to 0.5 and a sphere of radius 1 from `across` − 1."""
    found = ask(Scene(Body(Box((1.0, 4.0, 4.0))), Body(Sphere(1.0), (across, 0.0, 0.0))))
    told = found.to_dict()
    for answer in (found.separation, -found.depth, told["separation"], -told["depth"]):
        assert answer == pytest.approx(signed)
    for points in ((found.witness_a, found.witness_b), (told["witness_a"], told["witness_b"])):
        np.testing.assert_allclose(points, [(0.5, 0.0, 0.0), (across - 1.0, 0.0, 0.0)], atol=1e-12)
    assert f"{abs(signed):.6g}" in repr(found)


TILT = (0.9, 0.1, 0.3, 0.2)
PAIRS: list[tuple[Shape, Shape]] = [
    (Box((1.0, 2.0, 1.0)), Box((1.0, 1.0, 1.0))),
    (Box((1.0, 2.0, 1.0)), Sphere(0.5)),
    (Ellipsoid((0.5, 0.75, 1.0)), Cone(0.5, 1.0)),
    (HalfSpace((1.0, 0.0, 0.0), 0.5), Capsule(0.25, 1.0)),
    (Rounded(Box((0.5, 1.0, 0.5)), 0.25), Cylinder(0.5, 1.0)),
    (Polygon(((-0.5, -1.0), (0.5, -1.0), (0.5, 1.0), (-0.5, 1.0))), Circle(0.5)),
]
PLACES = [(3.0, 0.25, 0.0), (0.75, 0.25, 0.0)]


def scenes() -> Iterator[Scene]:
    """All apart and overlapping, in both orders."""
    for first, second in PAIRS:
        for at in PLACES:
            scene = Scene(Body(first, (10.0, 2.0, 0.0)), Body(second, np.add((10.0, 2.0, 0.0), at), TILT))
            yield scene
            yield scene.swapped()


def surface_gap(body: Body, out: np.ndarray, point: np.ndarray) -> float:
    """How far a point is below the body's end along a direction."""
    reach = float(body.shape.reach(body.pose.direction_to_local(out)))
    return float(out @ (point - body.pose.position)) - reach


def test_every_field_of_the_short_answers_is_true_of_the_bodies() -> None:
    seen = set[Verdict]()
    for scene in scenes():
        near, met, whole = distance_of(scene), collision_of(scene), analyse(scene)
        assert near.scene is scene
        assert met.scene is scene
        for found in (near, met):
            # The points lie on their own bodies, at their ends along the normal, and apart along it.
            assert surface_gap(scene.a, found.normal, found.witness_a) == pytest.approx(0.0, abs=1e-6)
            assert surface_gap(scene.b, -found.normal, found.witness_b) == pytest.approx(0.0, abs=1e-6)
            assert found.witness_b - found.witness_a == pytest.approx(found.separation * found.normal, abs=1e-6)
            assert found.depth == -found.separation
            assert np.linalg.norm(found.normal) == pytest.approx(1.0, abs=1e-14)
            assert found.certainty == whole.certainty
            assert found.verdict is (Verdict.SEPARATED if found.separation > near.band else Verdict.OVERLAPPING)
        smaller = min(x for x in (scene.a.shape.largest_half_extent, scene.b.shape.largest_half_extent))
        assert 1e-12 * smaller <= near.band <= 1e-12 * smaller + whole.certainty.gap + 1e-13
        assert whole.nearest == pytest.approx(-whole.separation * whole.normal, abs=0.0)
        assert bool(met) is (met.verdict is not Verdict.SEPARATED)
        if met.verdict is Verdict.SEPARATED:
            assert met.mtv is None
            assert met.contacts == ()
        else:
            # Moved by it, B just touches.
            moved = replace(scene, b=replace(scene.b, position=tuple(scene.b.pose.position + met.mtv)))
            assert distance_of(moved).separation == pytest.approx(0.0, abs=1e-6)
            assert met.mtv @ met.normal == pytest.approx(met.depth)
        seen.add(met.verdict)
    assert seen == {Verdict.SEPARATED, Verdict.OVERLAPPING}


def test_bodies_that_touch_meet_and_have_a_way_out_of_no_length() -> None:
    for shape, other in ((Box((1.0, 1.0, 1.0)), Box((1.0, 1.0, 1.0))), (Box((1.0, 1.0, 1.0)), Sphere(0.5))):
        scene = Scene(Body(shape), Body(other, (1.0, 0.0, 0.0)))
        met, near = collision_of(scene), distance_of(scene)
        for found in (met, near):
            assert [str(found.depth), str(found.separation)] == ["0.0", "0.0"], "not -0.0"
        assert met.verdict is Verdict.TOUCHING
        assert met
        assert met.mtv is not None
        assert met.mtv.tolist() == [0.0, 0.0, 0.0]
        assert met.contacts
        assert repr(met).startswith("Collision(TOUCHING, separation 0 (exact), normal (1, 0, 0), ")


def test_the_line_has_the_verdict_the_signed_number_how_it_is_known_and_the_contacts() -> None:
    for scene in scenes():
        near, met, whole = distance_of(scene), collision_of(scene), analyse(scene)
        known = near.certainty
        within = "" if known.provenance is Provenance.EXACT else f" within {known.gap:.2g}"
        number = f"separation {near.separation:.6g} ({known.provenance.value}{within})"
        line = f"{near.verdict.value}, {number}, normal ({', '.join(f'{x:.6g}' for x in near.normal)})"
        count = len(met.contacts)
        more = f", {count} contact{'s' if count > 1 else ''}" if count else ""
        assert repr(near) == f"Distance({line})"
        assert repr(met) == f"Collision({line}{more})"
        assert repr(whole) == f"Analysis({line}{more})"


def test_plain_values_have_each_answer_under_its_name() -> None:
    common = ["verdict", "separation", "depth", "normal", "witness_a", "witness_b", "certainty"]
    for scene in scenes():
        near, met, whole = distance_of(scene), collision_of(scene), analyse(scene)
        wanted: dict[str, object] = {
            "verdict": near.verdict.value,
            "separation": near.separation,
            "depth": -near.separation,
            **{name: getattr(near, name).tolist() for name in ("normal", "witness_a", "witness_b")},
            "certainty": {"provenance": near.certainty.provenance.value, "gap": near.certainty.gap},
        }
        contacts = [
            {
                "position": one.position.tolist(),
                "depth": one.depth,
                "feature_a": one.feature_a,
                "feature_b": one.feature_b,
                "gap": one.gap,
            }
            for one in met.contacts
        ]
        mtv = None if met.mtv is None else met.mtv.tolist()
        assert list(near.to_dict()) == [*common, "band"]
        assert near.to_dict() == wanted | {"band": near.band}
        assert met.to_dict() == wanted | {"mtv": mtv, "contacts": contacts}
        told = whole.to_dict()
        assert told["contacts"]["contacts"] == contacts
        assert told["disagreements"] == []
        assert {name: told[name] for name in common if name != "depth"} == {
            name: wanted[name] for name in common if name != "depth"
        }
        assert told["mtv"] == mtv


def test_what_a_large_pair_leaves_out_is_said_with_the_number_of_its_vertices() -> None:
    rng = np.random.default_rng(3)
    hulls = [
        Hull.of(rows / np.linalg.norm(rows, axis=1)[:, None]) for rows in (rng.normal(size=(n, 3)) for n in (16, 12))
    ]
    scene = Scene(Body(hulls[0]), Body(hulls[1], (1.0, 0.5, 0.2)))
    words = "SAT's table and the Minkowski difference of 28 vertices follow when you stop dragging."
    assert analyse(scene, Limits(vertices=27)).beyond_limits == words
    assert analyse(scene, Limits(vertices=28)).beyond_limits == ""
    assert analyse(scene).beyond_limits == ""
    # Curved bodies have neither, and a ball has no vertices.
    ball = replace(scene, b=Body(Sphere(0.5)))
    assert analyse(ball, Limits(vertices=15)).beyond_limits == words.replace("28", "16")
    assert analyse(replace(scene, b=Body(Cone(0.5, 1.0))), Limits(vertices=1)).beyond_limits == ""
    limited = analyse(scene, Limits(vertices=27))
    assert (limited.difference, limited.sat.applies, limited.limits.vertices) == (None, False, 27)
