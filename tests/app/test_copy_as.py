"""What "Copy as" writes is read back by the form's own reader: every shape that a form has, at poses of every kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from app.forms.form import Form
from app.forms.registry import BY_NAME, WRITTEN, read_text
from app.forms.titles import TITLES, WRITTEN_TITLES
from core.geometry import quaternion
from core.geometry.vector import Array
from core.scene import Body, Scene
from core.shapes import (
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Shape,
    Sphere,
    sharp_of,
    with_border,
)

from .copied_before import COPIED_BEFORE
from .forms.sample import same

KINDS = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull", "halfspace", "polygon", "circle")
FLAT = ("polygon", "circle")
POSES, PARTS = 200, 20
"""Poses of a form and shape, and in how many parts they run."""
CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
UPRIGHT = quaternion.from_axis_angle((0.0, 0.0, 1.0), 0.5 * np.pi)
SPECIAL = (
    (1.0, 0.0, 0.0, 0.0),
    (0.0, 1.0, 0.0, 0.0),
    (0.0, 0.0, 1.0, 0.0),
    (0.0, 0.0, 0.0, 1.0),
    UPRIGHT,
    quaternion.multiply(UPRIGHT, quaternion.from_axis_angle((0.0, 0.6, 0.8), 3e-8)),
    quaternion.from_axis_angle((1.0, 0.0, 0.0), 0.5 * np.pi),
    quaternion.from_axis_angle((0.0, 1.0, 0.0), -0.5 * np.pi),
    quaternion.from_axis_angle((0.6, 0.0, 0.8), 1e-9),
    quaternion.from_axis_angle((0.6, 0.0, 0.8), np.pi - 1e-9),
)
"""Turns by none, by half a turn, with a pitch of a right angle or nearly so, and by very little."""


def shape_of(kind: str, size: float, rng: np.random.Generator) -> Shape:
    """A sharp shape of about this size, its own sizes up to a thousand apart."""
    a, b, c = (size * 10.0 ** rng.uniform(-1.5, 1.5, 3)).tolist()
    match kind:
        case "box":
            return Box((a, b, c))
        case "sphere" | "circle":
            return (Sphere if kind == "sphere" else Circle)(a)
        case "capsule" | "cylinder" | "cone":
            return {"capsule": Capsule, "cylinder": Cylinder, "cone": Cone}[kind](a, b)
        case "ellipsoid":
            return Ellipsoid((a, b, c))
        case "halfspace":
            return HalfSpace(tuple(rng.normal(size=3).tolist()), rng.normal() * size)
        case "polygon":
            angles = 2.0 * np.pi * (np.arange(rng.integers(3, 9)) + rng.uniform(0.1, 0.9)) / 8.0
            points = size * np.stack((np.cos(angles), np.sin(angles)), axis=1) + size * rng.normal(size=2)
            return Polygon.of(points[:: int(rng.choice((-1, 1)))].tolist())
    return Hull.of((size * (CORNERS * rng.uniform(0.4, 2.0, 3) + rng.uniform(-0.3, 0.3, (8, 3)))).tolist())


def body_of(kind: str, k: int, rng: np.random.Generator, *, border: bool = False) -> Body:
    """A body of any size between 1e-6 and 1e6, at the origin, near it, or up to a million sizes away.

    With a `border` each other one has a border radius.
    """
    size = 10.0 ** rng.uniform(-6.0, 6.0) if k % 3 else 1.0
    far = size * (0.0, 1.0, 10.0 ** rng.uniform(-3.0, 6.0))[k % 3]
    place, turn = tuple((far * rng.normal(size=3)).tolist()), tuple(rng.normal(size=4).tolist())
    shape = shape_of(kind, size, rng)
    if border and k % 4 < 2:
        shape = with_border(shape, size * rng.uniform(0.01, 1.0))
    if kind in FLAT:
        return Body.in_plane(shape, place[:2], float(rng.choice((0.0, np.pi, -0.5 * np.pi, rng.uniform(-3.1, 3.1)))))
    return Body(shape, place, SPECIAL[k % len(SPECIAL)] if k % 2 else quaternion.normalized(turn))


def pairs(kind: str, other: str, part: int, rng: np.random.Generator, *, border: bool) -> Iterator[Scene]:
    """Yields pairs with a part of this shape's POSES: two of it, but for a half-space, which stands beside another."""
    alone = kind == "halfspace"
    for k in range(part * POSES // PARTS, (part + 1) * POSES // PARTS, 1 if alone else 2):
        one = body_of(kind, k, rng, border=border)
        yield Scene(one, body_of(other if alone else kind, k + 1, rng, border=border and not alone))


def heights(body: Body, ways: Array) -> Array:
    """How far a body reaches from its own position along directions (n, 3) of the world."""
    return np.array(body.shape.reach(ways @ body.pose.matrix[:3, :3]))


def off(one: Body, other: Body, ways: Array, length: float) -> float:
    """The largest difference of two bodies as sets of points, as a share of the scene's length or of the body's own.

    A half-space differs by its normal, and by its offset as a share of the scene's length.
    """
    assert (one.shape.plane is None) == (other.shape.plane is None)
    if one.shape.plane is not None and other.shape.plane is not None:
        normals = [body.pose.matrix[:3, :3] @ body.shape.plane.normal for body in (one, other)]
        ends = [
            body.shape.plane.offset + normal @ body.pose.position
            for body, normal in zip((one, other), normals, strict=True)
        ]
        return float(max(np.abs(normals[0] - normals[1]).max(), abs(ends[0] - ends[1]) / length))
    far = [heights(body, ways) + ways @ body.pose.position for body in (one, other)]
    wide = [heights(body, ways) + heights(body, -ways) for body in (one, other)]
    # Points of the world, which have no position apart, are rounded at the body's distance.
    own = one.shape.bounding_radius + 1e-9 * length
    return float(max(np.abs(far[0] - far[1]).max() / length, np.abs(wide[0] - wide[1]).max() / own))


def test_the_menu_has_every_form_that_can_be_written() -> None:
    assert list(WRITTEN_TITLES) == [form.name for form in WRITTEN]
    assert set(TITLES) == set(BY_NAME)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("form", WRITTEN, ids=lambda form: form.name)
@pytest.mark.sampled(PARTS, "commands")
def test_what_is_copied_is_read_back(form: Form, part: int) -> None:
    assert form.write is not None
    rng = np.random.default_rng((part, *map(ord, form.name)))
    ways = rng.normal(size=(9, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    for kind in form.write.shapes:
        flat = ways * ((1.0, 1.0, 0.0) if kind in FLAT else (1.0, 1.0, 1.0))
        some = pairs(kind, next(iter(form.write.shapes)), part, rng, border=kind in form.write.borders)
        for k, scene in enumerate(some):
            text = form.write(scene)
            pair = form.read(text)
            length = max(
                float(np.abs(body.pose.position).max())
                + (body.shape.bounding_radius if body.shape.plane is None else 0)
                for body in (scene.a, scene.b)
            )
            for number in (0, 1):
                borders = [sharp_of(one.body(number).shape)[1] for one in (scene, pair.scene)]
                assert borders[1] == pytest.approx(borders[0], rel=1e-9)
                assert off(scene.body(number), pair.scene.body(number), flat, length) <= 1e-6, (kind, text)
            assert not re.search(r"-0\.0(?![\d])|nan|inf\b", text), text
            assert not any(re.match("[AB] has no (position|rotation)", note) for note in pair.notes), text
            if k == 0:
                # No other form reads another pair.
                assert read_text(text).pair.scene == pair.scene


CUBE = Body(Box((1.0, 1.0, 1.0)))
TETRAHEDRON = Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.5, 0.0), (0.0, 0.0, 0.7)))
FLAT_HULL = Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
NEEDLE = Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
BALL = np.random.default_rng(1).normal(size=(200, 3))
BALL /= np.linalg.norm(BALL, axis=1)[:, None]
ROUND = np.array([(np.cos(angle), np.sin(angle)) for angle in np.linspace(0.0, 6.0, 9)])


@pytest.mark.parametrize("form", WRITTEN, ids=lambda form: form.name)
def test_a_pair_that_a_form_cannot_hold_is_refused_by_name(form: Form) -> None:
    assert form.write is not None
    rng = np.random.default_rng(5)
    for kind in KINDS:
        dimension = 2 if kind in FLAT else 3
        for border in (False, True):
            one = body_of(kind, 0, rng, border=border)
            if border and one.shape.plane is not None:
                continue
            other = Body.in_plane(Circle(1.0)) if dimension == 2 else one if one.shape.plane is None else CUBE
            scene = Scene(one, other)
            wanted = ""
            if dimension not in form.write.dimensions:
                wanted = f"^The text for .* is for {5 - dimension}D scenes; this scene is {dimension}D\\.$"
            elif kind not in form.write.shapes:
                wanted = "^[\\w .-]+ has no [\\w -]+, so this pair cannot be written for it\\.$"
            elif border and kind not in form.write.borders:
                wanted = "^A has a border radius, which (the text for [\\w .-]+|[\\w ]+) cannot hold\\.$"
            if wanted:
                assert re.match(wanted, form.write.refusal(scene)), form.write.refusal(scene)
                with pytest.raises(ValueError, match=wanted):
                    form.write(scene)


@pytest.mark.parametrize(
    ("name", "shape", "why"),
    [
        ("box2d", Polygon.of(ROUND.tolist()), "A has 9 corners; a polygon of Box2D has 3 to 8."),
        ("box2d", Polygon(((0.0, 0.0), (1.0, 0.0))), "A has 2 corners; a polygon of Box2D has 3 to 8."),
        ("sat_js", Polygon(((0.0, 0.0), (1.0, 0.0))), "A has 2 corners; a polygon of SAT.js has at least 3."),
        ("cannon", NEEDLE, "A has no faces; a hull of cannon-es is made of them."),
        ("unity", NEEDLE, "A has no faces; a hull of Unity is made of them."),
        ("python_fcl", NEEDLE, "A has no faces; a hull of FCL is made of them."),
        ("box3d", FLAT_HULL, "A is flat; a hull of Box3D is solid."),
        ("box3d", Hull.of(BALL.tolist()), "A has 200 corners; a hull of Box3D has at most 128."),
    ],
)
def test_a_shape_beyond_an_engines_limits_is_refused(name: str, shape: Shape, why: str) -> None:
    form = next(form for form in WRITTEN if form.name == name)
    assert form.write is not None
    flat = isinstance(shape, Polygon)
    with pytest.raises(ValueError, match=f"^{re.escape(why)}"):
        form.write(Scene(Body.in_plane(shape), Body.in_plane(Circle(1.0))) if flat else Scene(Body(shape), CUBE))


@pytest.mark.parametrize(("engine", "kind", "text"), COPIED_BEFORE, ids=lambda one: one[:12])
def test_what_was_copied_before_is_read(engine: str, kind: str, text: str) -> None:
    shape = Capsule(0.3, 1.2) if kind == "capsule" else TETRAHEDRON
    scene = Scene(Body(shape, (1.0, 2.0, 3.0), (0.5, 0.5, 0.5, 0.5)), Body(Box((2.0, 1.0, 0.5)), (0.0, -1.0, 0.5)))
    assert same(read_text(text).pair.scene, scene), engine
