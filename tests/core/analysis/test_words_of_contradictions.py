"""Contradictions between methods: each is said with both names and numbers, in its direction, and not below its bound.

The answers of real pairs are right, so one number is put wrong at a time.
"""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, Hull, Polygon, Rounded, Scene, Shape, Sphere
from core.analysis.analysis import Analysis, analyse
from core.analysis.methods import Headline, disagreements, equal, headline, outside_bounds
from core.contact.contact import ContactCase, Manifold
from core.geometry.quaternion import from_axis_angle

TILT = from_axis_angle((1.0, 2.0, 3.0), 0.4)
SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))


def test_two_numbers_that_must_be_equal_are_told_where_they_differ_by_more_than_the_slack() -> None:
    for value, against in ((1.0, 1.25), (1.25, 1.0)):
        assert equal("One", value, "two", against, 0.25) is None
        assert str(equal("One", value, "two", against, 0.125)) == f"One says {value:.17g}, two says {against:.17g}."
    assert equal("One", nan, "two", 1.0, 1.0) is not None
    assert equal("One", 1.0, "two", nan, 1.0) is not None


def test_a_number_beyond_a_bound_is_told_with_that_bound() -> None:
    for value in (0.75, 1.0, 2.0, 2.25):
        assert outside_bounds("One", value, "two", 1.0, 2.0, 0.25) is None
    assert str(outside_bounds("One", 2.5, "two", 1.0, 2.0, 0.25)) == "One says 2.5, two says at most 2."
    assert str(outside_bounds("One", 0.5, "two", 1.0, 2.0, 0.25)) == "One says 0.5, two says at least 1."
    assert outside_bounds("One", -9.0, "two", -inf, 2.0, 0.0) is None
    assert outside_bounds("One", 9.0, "two", 1.0, inf, 0.0) is None
    assert outside_bounds("One", nan, "two", 1.0, 2.0, 9.0) is not None


def with_answer(known: Analysis, off: float) -> Headline:
    """The answer with its number off, and its second point with it, so that both still agree."""
    it = known.answer.proximity
    moved = replace(it, separation=it.separation + off, witness_b=it.witness_b + off * it.normal)
    return replace(known.answer, proximity=moved)


PAIRS: dict[str, tuple[Shape, Shape]] = {
    "boxes": (Box((1.0, 2.0, 1.0)), Box((1.0, 1.0, 1.0))),
    "box and ball": (Box((1.0, 2.0, 1.0)), Sphere(0.5)),
    "capsules": (Capsule(0.5, 1.0), Capsule(0.25, 2.0)),
    "round": (Ellipsoid((0.5, 0.75, 1.0)), Cone(0.5, 1.0)),
    "polygons": (SQUARE, SQUARE),
}


@pytest.mark.parametrize("off", [1e-3, -1e-3])
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("name", PAIRS)
def test_an_answer_that_is_off_is_contradicted_by_every_method_that_knows_better(
    name: str, apart: bool, off: float
) -> None:
    """By its own support and the witnesses' side too; a bound from below does not contradict what is above it."""
    shapes = PAIRS[name]
    known = analyse(
        Scene(Body(shapes[0]), Body(shapes[1], (3.0, 0.25, 0.0) if apart else (0.5, 0.3, 0.0), TILT, angle=0.4))
    )
    assert known.disagreements == ()
    assert (known.separation > 0.0) is apart
    answer = with_answer(known, off)
    said = {text.partition(", ")[2]: text for text in map(str, disagreements(known.methods, known.contacts, answer))}
    wrong = f"The answer says {known.separation + off:.17g}"
    assert all(text.startswith(wrong) for text in said.values() if "distance of the witness" not in text)
    methods, told = known.methods, " | ".join(said)
    assert f"the support along its normal says {known.answer.proven:.17g}." in told
    if methods.explicit is not None and not known.answer.iterated:
        assert f"the Minkowski difference says {methods.explicit:.17g}." in told
    if methods.table is not None:
        gap = methods.table.separation
        if methods.table.exact or not apart:
            assert f"SAT says {gap:.17g}." in told
        else:
            assert (f"SAT says at least {gap:.17g}." in told) == (known.separation + off < gap - 1e-9)
    if methods.planes is not None:
        words = "at most" if off > 0.0 else "at least"
        bound = known.separation + off < methods.planes.gap - 1e-9 or not apart
        assert (f"the planes test says {words} {methods.planes.gap:.17g}." in told) == bound
    if known.gjk is not None:
        radius = methods.radius
        if known.gjk.overlapping:
            assert (f"GJK says at most {-radius:.17g}." in told) == (known.separation + off > -radius + 1e-9)
        else:
            end = ("at most", known.gjk.upper) if off > 0.0 else ("at least", known.gjk.lower)
            assert f"GJK says {end[0]} {end[1] - radius:.17g}." in told
    if known.epa is not None:
        end = ("at most", -known.epa.lower) if off > 0.0 else ("at least", -known.epa.upper)
        assert f"EPA says {end[0]} {end[1] - methods.radius:.17g}." in told
    if known.contacts is not None and known.contacts.contacts:
        deepest = max(contact.depth for contact in known.contacts.contacts)
        assert f"the manifold's deepest contact says {-deepest:.17g}." in told
    assert len(told) > 0


def deeper(known: Analysis, by: float) -> Manifold:
    assert known.contacts is not None
    return replace(known.contacts, contacts=tuple(replace(c, depth=c.depth + by) for c in known.contacts.contacts))


@pytest.mark.parametrize("by", [1e-3, -1e-3])
def test_contacts_of_another_depth_or_none_at_all_contradict_the_answer(by: float) -> None:
    pairs = (Box((1.0, 1.0, 1.0)), Cylinder(0.5, 1.0), Sphere(0.5), Rounded(Box((0.5, 0.5, 0.5)), 0.25))
    for shape in pairs:
        known = analyse(Scene(Body(Box((2.0, 1.0, 2.0))), Body(shape, (0.25, 0.9, 0.0))))
        assert known.disagreements == ()
        (said,) = disagreements(known.methods, deeper(known, by), known.answer)
        deepest = max(contact.depth for contact in known.contacts.contacts) + by
        assert str(said) == (
            f"The answer says {known.separation:.17g}, the manifold's deepest contact says {-deepest:.17g}."
        )
        empty = Manifold(ContactCase.POINT, known.normal, ())
        (said,) = disagreements(known.methods, empty, known.answer)
        assert str(said) == f"The answer says {known.separation:.17g}, but the manifold has no contact."
    apart = analyse(Scene(Body(Box((2.0, 1.0, 2.0))), Body(Sphere(0.5), (0.25, 3.0, 0.0))))
    assert disagreements(apart.methods, Manifold(ContactCase.POINT, apart.normal, ()), apart.answer) == ()


def test_of_a_body_thinner_than_what_supports_together_no_contact_is_held_against_the_answer() -> None:
    """However large it is the other way; a body of a radius alone is as thin as its radius."""
    for thin, other in (
        (Box((2.0, 1e-11, 2.0)), Box((1.0, 1.0, 1.0))),
        (Hull.of([(x, y, z) for x in (-1.0, 1.0) for y in (0.0, 1e-11) for z in (-1.0, 1.0)]), Sphere(0.5)),
        (Capsule(1e-11, 2.0), Box((1.0, 1.0, 1.0))),
    ):
        for a, b in ((thin, other), (other, thin)):
            at = (0.1, 0.5 if a is thin else -0.5, 0.0)
            turn = from_axis_angle((0.0, 0.0, 1.0), np.pi / 2) if isinstance(thin, Capsule) else (1.0, 0.0, 0.0, 0.0)
            scene = Scene(
                Body(a, rotation=turn if a is thin else (1.0, 0.0, 0.0, 0.0)),
                Body(b, at, turn if b is thin else (1.0, 0.0, 0.0, 0.0)),
            )
            known = analyse(scene)
            assert known.contacts is not None
            assert known.contacts.contacts
            assert disagreements(known.methods, deeper(known, 1e-3), known.answer) == ()


def test_the_headline_is_the_first_answer_whose_normal_proves_it_else_the_best_proved() -> None:
    known = analyse(Scene(Body(Box((1.0, 2.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (0.5, 0.3, 0.0), TILT)))

    class Given:
        """Methods that answer as they are told to."""

        scale = known.methods.scale

        def __init__(self, *offs: float) -> None:
            self.rows = [replace(known.answer, off=off, proven=float(k)) for k, off in enumerate(offs)]

        def answers(self) -> list[Headline]:
            return self.rows

    exact = 1e-12 * known.methods.scale.extent
    for offs, wanted in (
        ((0.0, 0.0), 0),
        ((1e-3, 0.5 * exact, 0.0), 1),
        ((1e-3, 1e-6, 1e-4), 1),
        ((1e-3, 1e-6, 1e-6), 1),
        ((2.0 * exact, 0.5 * exact), 1),
    ):
        given = Given(*offs)
        assert headline(given) is given.rows[wanted]
    with pytest.raises(ValueError, match="no method applies"):
        headline(Given())


@pytest.mark.parametrize("name", PAIRS)
def test_each_methods_answer_says_how_far_it_is_off_what_its_normal_proves(name: str) -> None:
    """`off`: the number less what is proved, or how far the points are from it along the normal, or the bounds' gap."""
    shapes = PAIRS[name]
    for at in ((3.0, 0.25, 0.0), (0.5, 0.3, 0.0), (0.0, 0.0, 0.0)):
        a, b = Body(shapes[0]), Body(shapes[1], at, TILT, angle=0.4)
        methods = analyse(Scene(a, b)).methods
        found = list(methods.answers())
        assert [one.iterated for one in found] == [False] * (len(found) - 1) + [True]
        for one in found:
            it = one.proximity
            proven = it.normal @ b.pose.position - sum(
                float(body.shape.reach(body.pose.direction_to_local(way)))
                for body, way in ((a, it.normal), (b, -it.normal))
            )
            assert one.proven == pytest.approx(proven, abs=1e-13)
            aside = np.linalg.norm(it.witness_b - it.witness_a - it.separation * it.normal)
            wanted = max(it.separation - one.proven, aside)
            if one.iterated:
                wanted = max(wanted, methods.distance.upper - methods.distance.lower)
            assert one.off == pytest.approx(wanted, abs=1e-15)
