"""The core's front door: its questions, what it takes and what it refuses, and every snippet of the cookbook."""

from __future__ import annotations

import doctest
import inspect
import json
import pydoc
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import import_module
from math import nan
from pathlib import Path
from pkgutil import iter_modules, walk_packages
from types import FunctionType
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh
from msgspec import Struct
from msgspec.structs import replace

import core
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
    Rounded,
    Scene,
    Shape,
    Sphere,
    Verdict,
    analyse,
    collide,
    distance,
    raycast,
    steps,
    sweep,
)
from core.batch import analyse_pairs
from core.study.differential.answers import Engine, EngineAnswer
from core.study.differential.classes import Truth, judge

COOKBOOK = Path(core.__file__).parents[1] / "assets" / "guide" / "library.md"


def test_every_snippet_of_the_cookbook_says_what_it_says_there() -> None:
    text = COOKBOOK.read_text("utf-8").replace("separatrix.core", "core")
    book = text.replace("```", "")
    found = doctest.DocTestParser().get_doctest(book, {}, "cookbook", str(COOKBOOK), 0)
    assert len(found.examples) > 15
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(found, out=said.append)
    assert not failed, "".join(said)


def test_every_public_name_is_there() -> None:
    for name in core.__all__:
        assert getattr(core, name) is not None
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        _ = core.nothing_of_this_name


TURNED = (0.5, 0.5, 0.5, 0.5)
POSED = np.array([[0.0, 0, 1, 1], [1, 0, 0, 2], [0, 1, 0, 3], [0, 0, 0, 1]])


@pytest.mark.parametrize(
    "body",
    [
        Body(Box([1, 2, 3]), [1, 2, 3], np.array(TURNED)),
        Body(Box(np.array([1.0, 2.0, 3.0])), np.array([1, 2, 3]), [2, 2, 2, 2]),
        Body(Box((1, 2, 3)), (1, 2, 3), rotation=POSED[:3, :3]),
        Body(Box((1, 2, 3)), (1, 2, 3), rotation=POSED[:3, :3].tolist()),
        Body.placed(Box.of_half_extents([0.5, 1, 1.5]), (1, 2, 3), wxyz=TURNED),
        Body.placed(Box((1, 2, 3)), (1, 2, 3), xyzw=[0.5, 0.5, 0.5, 0.5]),
        Body.placed(Box((1, 2, 3)), matrix=POSED),
        Body.placed(Box((1, 2, 3)), matrix=POSED[:3].tolist()),
        Body.placed(Box((1, 2, 3)), (1, 2, 3), matrix=POSED[:3, :3].astype(np.float32)),
    ],
)
def test_one_body_in_every_form(body: Body) -> None:
    assert body == Body(Box((1.0, 2.0, 3.0)), (1.0, 2.0, 3.0), TURNED)
    assert hash(body) == hash(Body(Box((1.0, 2.0, 3.0)), (1.0, 2.0, 3.0), TURNED))


CORNERS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def test_hulls_and_polygons_take_arrays_rows_and_meshes() -> None:
    mesh = trimesh.Trimesh(vertices=CORNERS, faces=[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], process=False)
    for points in (CORNERS, np.array(CORNERS), [list(row) for row in CORNERS], mesh):
        assert Hull(points).points == Hull.of(points).points == CORNERS
        assert hash(Hull(points)) == hash(Hull(CORNERS))
    flat = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    for rows in (flat, np.array(flat), [[0, 0], [1, 0], [0, 1]]):
        assert Polygon(rows) == Polygon.of(rows) == Polygon(flat)
    assert Hull.of(iter(CORNERS)).points == CORNERS


def test_the_real_part_is_first_or_last_as_it_is_said() -> None:
    first, last = Body.placed(Sphere(1), wxyz=(0.8, 0.6, 0, 0)), Body.placed(Sphere(1), xyzw=(0.6, 0, 0, 0.8))
    assert first.rotation == last.rotation == (0.8, 0.6, 0.0, 0.0)


def test_a_quaternion_of_any_length_is_made_unit_and_a_unit_one_keeps_its_digits() -> None:
    for scale in (1e-200, 3.0, 1e200):
        assert np.allclose(Body(Sphere(1), rotation=tuple(scale * x for x in TURNED)).rotation, TURNED, atol=1e-15)
    odd = (0.1825741858350554, 0.3651483716701107, 0.5477225575051661, 0.7302967433402214)
    assert Body(Sphere(1), rotation=odd).rotation == odd


ONE = Body(Box((1, 1, 1)))
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Box((1, 1, -1)), r"the size of a box must be 3 finite numbers above 0, got \(1, 1, -1\)"),
    (lambda: Box((1, 0, 1)), "the size of a box"),
    (lambda: Box((1, nan, 1)), "the size of a box"),
    (lambda: Box(3), "the size of a box must be 3 finite numbers, got 3"),
    (lambda: Box(np.ones((3, 3))), r"got an array of shape \(3, 3\)"),
    (lambda: Box.of_half_extents((1, 1, 0)), "the half extents of a box"),
    (lambda: Sphere(0), "the radius of a sphere must be a finite number above 0, got 0"),
    (lambda: Circle(-1), "the radius of a circle"),
    (lambda: Capsule(1, nan), "the length of a capsule"),
    (lambda: Cylinder(1, -1), "the height of a cylinder"),
    (lambda: Cone(float("inf"), 1), "the radius of a cone"),
    (lambda: Ellipsoid((1, 2)), r"the radii of an ellipsoid must be 3 finite numbers, got an array of shape \(2,\)"),
    (lambda: Hull(np.zeros((3, 2))), "the points of a hull must be rows of 3 numbers"),
    (lambda: Hull([(0, 0, 0), (1, 2)]), "the points of a hull must be rows of 3 numbers"),
    (lambda: Hull(()), "a hull needs"),
    (lambda: Hull([(nan, 0, 0)]), "not finite"),
    (lambda: HalfSpace((0, nan, 0), 0), "the normal of a half-space"),
    (lambda: Rounded(Box((1, 1, 1)), 0), "a border radius"),
    (lambda: Body(Sphere(1), (0, 0)), "the position of a body"),
    (lambda: Body(Sphere(1), (0, nan, 0)), "the position of a body"),
    (lambda: Body(Sphere(1), rotation=(0, 0, 0, 0)), "must not be the zero quaternion"),
    (lambda: Body(Sphere(1), displacement=(0, 0, nan)), "the displacement of a body"),
    (lambda: Body.in_plane(Circle(1), angle=nan), "the angle of a body"),
    (lambda: Body.in_plane(Circle(1), (1, 2, 3)), r"2 finite numbers, got an array of shape \(3,\)"),
    (lambda: Body.in_plane(Circle(1), 3), "the position of a body of the plane must be 2 finite numbers, got 3"),
    (lambda: Body.in_plane(Circle(1), displacement=(1,)), "the displacement of a body of the plane"),
    (lambda: Body.placed(Sphere(1), wxyz=TURNED, xyzw=TURNED), "one rotation"),
    (lambda: Body.placed(Sphere(1), matrix=np.diag((1, 1, -1))), "must be a rotation"),
    (lambda: Body(Sphere(1), rotation=np.diag((1, 1, -1))), "the rotation of a body must be a rotation"),
    (lambda: Body.placed(Sphere(1), matrix=1.001 * np.eye(3)), "must be a rotation"),
    (lambda: Body.placed(Sphere(1), matrix=np.full((3, 3), nan)), "must be a rotation"),
    (lambda: Body.placed(Sphere(1), matrix=2 * np.eye(4)), "the last row"),
    (lambda: Body.placed(Sphere(1), (0, 1, 0), matrix=np.eye(4)), "one position"),
    (lambda: distance(ONE), "two bodies"),
    (lambda: distance(Scene(ONE, ONE), ONE), "must stand alone"),
    (lambda: distance(ONE, Scene(ONE, ONE)), "must stand alone"),
    (lambda: distance(Circle(1), Sphere(1)), "a 2D shape and a 3D shape"),
    (lambda: collide(HalfSpace((0, 1, 0), 0), HalfSpace((0, 1, 0), 0)), "only one of the two bodies"),
    (lambda: distance(HalfSpace((0, 0, 0), 0), ONE), "the normal of a half-space must not be zero"),
    (lambda: raycast(ONE, (0, 0, 0), (0, 0, 0)), "a direction with a length"),
    (lambda: raycast(ONE, (0, nan, 0), (0, 0, 1)), "the origin of a ray"),
    (lambda: steps(ONE, ONE, of="gkj"), "there are no steps of 'gkj', but of build, planes, sat"),
]

WRONG_TYPES: list[tuple[Callable[[], object], str]] = [
    (lambda: Sphere("wide"), "the radius of a sphere must be a finite number, got 'wide'"),
    (lambda: Polygon("abc"), "the points of a polygon must be rows of 2 numbers"),
    (lambda: HalfSpace((0, 1, 0), None), "the offset of a half-space"),
    (lambda: Rounded(3, 0.1), "a border is around one of the core's shapes, got 3"),
    (lambda: Rounded(Sphere, 0.1), "a border is around one of the core's shapes, got <class"),
    (lambda: Body.in_plane(Circle(1), "ab"), "the position of a body of the plane must be 2 finite numbers, got 'ab'"),
    (lambda: Body("box"), "a body needs one of the core's shapes, got 'box'"),
    (lambda: Body(Box), "a body needs one of the core's shapes, got <class"),
    (lambda: Scene(Box((1, 1, 1)), ONE), "a scene needs two bodies, got Box"),
    (lambda: Scene(Body(Box((1, 1, 1))), None), "a scene needs two bodies, got None"),
    (lambda: distance(ONE, 4), "a body needs one of the core's shapes, got 4"),
    (lambda: Box(("1", "2", "3")), "the size of a box must be 3 finite numbers"),
    (lambda: Body(Sphere(1), (0, None, 0)), "the position of a body"),
    (lambda: collide("a", ONE), "a body needs one of the core's shapes, got 'a'"),
    (lambda: raycast(3, (0, 0, 0), (0, 0, 1)), "a body needs one of the core's shapes, got 3"),
    (lambda: raycast(ONE, "up", (0, 0, 1)), "the origin of a ray must be 3 finite numbers, got 'up'"),
]


@pytest.mark.parametrize(
    ("kind", "ask", "sentence"),
    [(ValueError, *row) for row in REFUSED] + [(TypeError, *row) for row in WRONG_TYPES],
)
def test_what_is_none_is_refused_in_one_sentence(
    kind: type[Exception], ask: Callable[[], object], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence) as told:
        ask()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("question", [distance, collide, analyse, sweep, raycast, steps])
def test_a_question_explains_its_arguments_and_its_example_is_true(question: Callable[..., object]) -> None:
    told = inspect.getdoc(question)
    assert told is not None
    for name in inspect.signature(question).parameters:
        assert f"`{name}`" in told or name == "body"
    found = doctest.DocTestParser().get_doctest(told.replace("separatrix.core", "core"), {}, question.__name__, None, 0)
    assert found.examples
    said: list[str] = []
    failed, _ = doctest.DocTestRunner().run(found, out=said.append)
    assert not failed, "".join(said)


PAIRS: list[tuple[Shape | Body, Body]] = [
    (Box((1, 1, 1)), Body(Box((1, 1, 1)), (0.2, 0.9, 0.1), (0.9, 0.1, 0.2, 0.1))),
    (Ellipsoid((1, 2, 3)), Body(Cone(1, 2), (5, 1, 0))),
    (HalfSpace((0, 1, 0), 0), Body(Capsule(0.5, 1), (0, 0.6, 0), (0.9, 0.2, 0.3, 0))),
    (Rounded(Cylinder(1, 2), 0.1), Body(Sphere(0.5), (1.2, 0, 0))),
    (Polygon.of([(0, 0), (1, 0), (0, 1)]), Body.in_plane(Circle(0.5), (0.6, 0.6))),
    (Hull.of([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]), Body(Box((1, 1, 1)), (3, 0, 0))),
]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_every_question_has_the_answer_of_analyse(a: Shape | Body, b: Body) -> None:
    whole, near, met = analyse(a, b), distance(a, b), collide(a, b)
    assert (near.separation, near.verdict, near.certainty) == (whole.separation, whole.verdict, whole.certainty)
    assert near.normal.tolist() == met.normal.tolist() == whole.normal.tolist()
    assert near.witness_a.tolist() == met.witness_a.tolist() == whole.witness_a.tolist()
    assert near.witness_b.tolist() == whole.witness_b.tolist()
    assert met.depth == -whole.separation
    assert bool(met) == (whole.verdict is not Verdict.SEPARATED)
    assert met.mtv is whole.mtv is None or met.mtv.tolist() == whole.mtv.tolist()
    assert len(met.contacts) == (0 if whole.contacts is None else len(whole.contacts.contacts))
    assert near.band == whole.band


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_an_answer_fits_a_line_and_shows_its_picture(a: Shape | Body, b: Body) -> None:
    for answer in (analyse(a, b), distance(a, b), collide(a, b)):
        line = repr(answer)
        assert len(line) <= 120
        assert "\n" not in line
        shown = answer._repr_html_()
        HTMLParser().feed(shown)
        root = ElementTree.fromstring(shown)  # well formed, which every browser draws
        drawing = root.find("{http://www.w3.org/2000/svg}svg")
        assert drawing is not None
        assert line == drawing.findtext("{http://www.w3.org/2000/svg}title") == root.findtext("code")
        points = [
            float(number)
            for loop in drawing.iter("{http://www.w3.org/2000/svg}polygon")
            for pair in loop.attrib["points"].split()
            for number in pair.split(",")
        ]
        assert min(points) >= 0.0
        assert max(points) <= 360.0
        assert len({round(x) for x in points}) > 3


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_an_answer_in_plain_values_is_the_answer(a: Shape | Body, b: Body) -> None:
    near, met, whole = distance(a, b), collide(a, b), analyse(a, b)
    moving = sweep(a, replace(b, displacement=(-3.0, 0.0, 0.0)))
    cast = raycast(b, (9.0, 0.0, 0.0), (-1.0, 0.01, 0.0))
    for answer in (near, met, whole, moving, *(() if cast is None else (cast,))):
        assert json.loads(json.dumps(answer.to_dict())) == answer.to_dict()
    for answer in (near, met, whole):
        told = answer.to_dict()
        assert (told["verdict"], told["separation"]) == (whole.verdict.value, whole.separation)
        assert (told["witness_a"], told["normal"]) == (whole.witness_a.tolist(), whole.normal.tolist())
        assert told["certainty"] == {"provenance": whole.certainty.provenance.value, "gap": whole.certainty.gap}
    assert near.to_dict()["depth"] == met.to_dict()["depth"] == met.depth == -met.separation
    assert [row["depth"] for row in met.to_dict()["contacts"]] == [contact.depth for contact in met.contacts]
    assert (moving.to_dict()["outcome"], moving.to_dict()["time"]) == (moving.outcome.value, moving.result.time)


def test_an_old_name_gives_what_the_new_one_has_and_warns() -> None:
    ball = Body(Sphere(0.5), (2, 0, 0))
    single = (distance(ONE, ball), "point_{}", "witness_{}"), (collide(ONE, ball), "point_{}", "witness_{}")
    many = (analyse_pairs([ONE], [ball]), "points_{}", "witnesses_{}")
    for answer, old, new in (*single, many):
        for side in "ab":
            with pytest.warns(DeprecationWarning, match=f"the name is {new.format(side)} now"):
                found = getattr(answer, old.format(side))
            assert found is getattr(answer, new.format(side))
    with pytest.warns(DeprecationWarning, match="the name is beyond_limits now"):
        assert analyse(ONE, ball).left_out == ""
    whole = analyse(ONE, Body(Box((1, 1, 1)), (2, 0, 0)))
    with pytest.warns(DeprecationWarning, match="the name is gjk_epa now"):
        assert whole.closing is whole.gjk_epa
    judged = judge(Scene(ONE, ball), Truth.of(distance(ONE, ball)), Engine("mine"), EngineAnswer(separation=2.0))
    with pytest.warns(DeprecationWarning, match="the name is error now"):
        assert judged.difference == judged.error == 2.0 - distance(ONE, ball).separation
    for place, old, new in (
        ("float32", "single_closing", "single_gjk_epa"),
        ("study.articles", "Answer", "ArticleValue"),
        ("contact.contact", "NeedlesStep", "CornerDepthsStep"),
        ("study.lab.side_by_side", "DOUBLE", "FLOAT64"),
        ("study.lab.side_by_side", "SINGLE", "FLOAT32"),
    ):
        module = import_module(f"core.{place}")
        with pytest.warns(DeprecationWarning, match=f"the name is {new} now"):
            assert getattr(module, old) is getattr(module, new)
    with pytest.warns(DeprecationWarning, match="the name is angular_displacement now"):
        old = Body.placed(Sphere(1), turn=(0, 0, 1))
    assert old == Body.placed(Sphere(1), angular_displacement=(0, 0, 1))
    with pytest.warns(DeprecationWarning, match="the name is angular_displacement now"):
        old = Body.in_plane(Circle(1), turn=1.0)
    assert old == Body.in_plane(Circle(1), angular_displacement=1.0)


def test_old_places_have_what_the_new_ones_have_and_warn() -> None:
    from core.study import articles
    from core.study.differential import answers, certificates, classes

    with pytest.warns(DeprecationWarning, match=r"core\.differential is core\.study\.differential now"):
        old = import_module("core.differential.classes")
    assert old.judge is classes.judge
    assert import_module("core.differential.answers").EngineAnswer is answers.EngineAnswer
    assert import_module("core.differential.certificates").certified is certificates.certified
    with pytest.warns(DeprecationWarning, match=r"core\.articles is core\.study\.articles now"):
        old = import_module("core.articles")
    assert all(getattr(old, name) is getattr(articles, name) for name in articles.__all__)


def test_detail_warns_and_changes_nothing() -> None:
    with pytest.warns(DeprecationWarning, match="Detail changes nothing"):
        detail = core.Detail
    scene = Scene(Body(Cone(1.0, 2.0)), Body(Cone(1.0, 2.0), (0.0, 0.2, 0.0)))
    for asked in (detail.LIVE, detail.FULL, detail.ANSWER):
        with pytest.warns(DeprecationWarning, match="detail changes nothing"):
            found = analyse(scene, detail=asked)
        assert (found.separation, found.certainty) == (analyse(scene).separation, analyse(scene).certainty)
        assert found.epa is not None
        assert found.epa.iterations == 256


def test_motion_and_rays_fit_a_line() -> None:
    assert repr(sweep(ONE, Body(Sphere(1), (5, 0, 0), displacement=(0, 1, 0)))).startswith("SweepAnswer(SEPARATED")
    assert sweep(ONE, ONE) is None
    assert repr(raycast(ONE, (0, 0, 0), (0, 0, 1))) == "RayCast(from inside to t = 0.5)"
    assert repr(raycast(HalfSpace((0, 1, 0), 0), (0, 2, 0), (0, -1, 0))) == "RayCast(from t = 2 to the end)"
    assert raycast(ONE, [0, 2, 0], [1, 0, 0]) is None


def test_steps_of_one_algorithm_are_those_of_the_whole_query() -> None:
    b = Body(Box((1, 1, 1)), (0.4, 0.5, 0.6), displacement=(1, 0, 0))
    whole = steps(ONE, b)
    for name in ("sat", "gjk", "contacts"):
        part = steps(ONE, b, of=name)
        assert part
        assert [moment.index for moment in part] == list(range(part[0].count))
        assert len(part) == sum(moment.phase.name.lower() == name for moment in whole)
    assert steps(ONE, b, of="mpr")
    assert steps(ONE, b, of="build")
    assert not steps(ONE, b, of="planes")


OLD_PLACES = ("core.articles", "core.differential")
ROOMS = ["core", *(room.name for room in iter_modules(core.__path__, "core.") if room.name not in OLD_PLACES)]


def _help(value: object) -> str:
    told: str = pydoc.render_doc(value, renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    return told


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_and_every_public_name_has_its_help(room: str) -> None:
    module = import_module(room)
    assert _help(module)
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        assert _help(value)
        if isinstance(value, type | FunctionType):
            assert inspect.signature(value)


def test_every_record_of_the_core_has_its_signature() -> None:
    # The fields' types are looked up for it: none may be imported for type checking alone.
    records = {
        value
        for found in walk_packages(core.__path__, "core.", onerror=lambda _: None)
        if not found.name.startswith(OLD_PLACES)
        for value in vars(import_module(found.name)).values()
        if isinstance(value, type) and issubclass(value, Struct)
    }
    assert len(records) > 100
    for record in records:
        assert inspect.signature(record)


def test_dir_and_help_show_the_questions() -> None:
    assert {*core.__all__} <= {*dir(core)}
    told = _help(core)
    for name in ("distance", "collide", "analyse", "analyse_single", "sweep", "raycast", "steps"):
        assert f"\n    {name}(" in told


CONE, SHEET = Cone(7.9e124, 7.9e108), Hull(((0.0, 0.0, 7.9e121), (0.0, 0.0, 0.0), (-7.9e121, 7.9e121, 7.9e121)))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (Body(CONE), Body(SHEET)),
        (Body(Box((1.7e308, 1.7e308, 1.7e308))), Body(Sphere(1.0))),
        (Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Sphere(1.7e308))),
        (Body(Rounded(Sphere(2e296), 3e197)), Body(SHEET, (1e296, 0.0, 0.0))),
        (Body(Sphere(1.0)), Body(Sphere(1.0), (1e200, 0.0, 0.0))),
    ],
    ids=["cone", "box", "on a plane", "round", "far"],
)
@pytest.mark.parametrize("ask", [core.distance, collide, analyse, sweep, core.steps])
def test_bodies_too_large_for_doubles_are_refused_with_a_sentence(
    a: Body, b: Body, ask: Callable[[Body, Body], object]
) -> None:
    """Their products run over: a depth was no number, and contacts ended in an IndexError."""
    with pytest.raises(ValueError, match="too large or too far apart: sizes and distances may be at most 1e\\+100"):
        ask(replace(a, displacement=(1.0, 0.0, 0.0)), b)


def test_a_segment_too_short_for_its_square_is_a_point() -> None:
    segment = Rounded(Hull(((-1.6e-316, 0.0, 0.0), (8e-317, 0.0, 0.0))), 1.6e-316)
    found = analyse(Body(segment), Body(Hull(((4.6e-317, 0.0, 0.0),)), (-4.7e-53, -4.7e-53, 0.0)))
    assert found.verdict is Verdict.SEPARATED
    assert found.separation == pytest.approx(4.7e-53 * 2**0.5)


@pytest.mark.parametrize("size", [1e-100, 1e-160, 1e-200, 1e-300])
@pytest.mark.parametrize("shape", [Cylinder, Cone, lambda radius, height: Rounded(Cone(radius, height), radius)])
def test_discs_too_small_for_their_squares_have_contacts(shape: Callable[[float, float], Shape], size: float) -> None:
    body = Body(shape(size, size), (0.0, 0.875 * size, 0.0))
    for other in (Box((size, size, size)), Cylinder(size, size), HalfSpace((0.0, 1.0, 0.0), 0.5 * size)):
        found = collide(body, Body(other))
        assert found.verdict is not Verdict.SEPARATED
        assert found.contacts


def test_a_line_along_a_cone_without_an_angle_is_answered() -> None:
    """Its sine is below all doubles."""
    needle = Body(Cone(7e-272, 5e58))
    assert raycast(needle, (1e58, 0.0, 0.0), (-1.0, 0.0, 0.0)) is not None
    assert raycast(needle, (1e58, 0.0, 0.0), (1.0, 0.0, 0.0)) is None


def test_a_shape_with_a_border_is_asked_along_no_direction() -> None:
    assert np.isfinite(Rounded(Cone(1.0, 1.0), 0.5).support(np.zeros(3))).all()


def test_a_capsule_of_the_shortest_length_is_a_ball() -> None:
    """Half of its length is none."""
    found = distance(Body(Capsule(0.5, 5e-324)), Body(Capsule(0.5, 1.0), (0.0, 0.0, 3.0)))
    assert found.separation == 2.0


def test_the_article_that_stands_still_between_two_points_has_steps() -> None:
    """So far away, points of the difference are one, and no way is across the edge between them."""
    plate = Rounded(Polygon(((0.0, 0.0), (3877043.0, 0.0), (3877043.0, 3.9e-07), (0.0, 3.9e-07))), 3.9e-07)
    point = Body.in_plane(Polygon(((0.0, 0.0), (0.0, 0.0))), (0.0, -107872258501365.66), 0.5)
    assert steps(point, Body.in_plane(plate, (0.0, -1938521493.9725008)))
