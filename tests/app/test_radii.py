"""The sums of cores and radii at the end of GJK and EPA: their words, digits and formulas."""

from __future__ import annotations

import pytest

from app.stages.radii import WithRadii, radii_note
from app.words.expression import Norm, symbols
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.query.query import Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Box, Ellipsoid, Sphere

(V,) = symbols("v")


def asked(a: Body, b: Body) -> Query:
    return query(analyse(Scene(a, b)), AlgorithmSettings())


def test_spheres_that_overlap_say_so_though_their_cores_are_apart() -> None:
    found = WithRadii.of(asked(Body(Sphere(0.8)), Body(Sphere(0.7), (1.3, 0.0, 0.0))), Phase.GJK)
    assert found is not None
    assert found.sentence == "Less the radii, 1.3 − 1.5 = −0.2: A and B overlap by 0.2."
    assert found.label == "less radius 1.5: overlap 0.2"
    assert found.formula(Norm(V)).plain == "separation = 1.3 − 1.5 = −0.2"


def test_one_radius_is_no_radii_and_an_ellipsoids_is_named() -> None:
    one = asked(Body(Sphere(0.5)), Body(Box((1.0, 1.0, 1.0)), (1.5, 0.0, 0.0)))
    found = WithRadii.of(one, Phase.GJK)
    assert found is not None
    assert found.sentence == "Less the radius, 1 − 0.5 = 0.5: A and B are 0.5 apart."
    assert radii_note(one) == "The radius, 0.5, follows at the end."
    two = asked(Body(Ellipsoid((1.2, 0.6, 0.8))), Body(Ellipsoid((0.5, 1.0, 0.7)), (3.0, 0.0, 0.0)))
    assert radii_note(two) == ("The radii come last: 0.55 (an ellipsoid's: least radius of curvature).")
    assert not radii_note(asked(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (3.0, 0.0, 0.0))))


def test_epa_adds_the_radii() -> None:
    found = WithRadii.of(asked(Body(Box((2.0, 2.0, 2.0))), Body(Sphere(0.5), (0.9, 0.0, 0.0))), Phase.EPA)
    assert found is not None
    assert found.sentence == "With the radius, 0.1 + 0.5 = 0.6: A and B overlap by 0.6."
    assert found.label == "+ radius 0.5: overlap 0.6"


@pytest.mark.parametrize(
    ("core", "radius", "words"),
    [
        (0.65516, 0.55, "0.655 − 0.55 = 0.105"),
        (0.203934, 0.25, "0.2039 − 0.25 = −0.0461"),
        (1.23456, 1.23345, "1.23456 − 1.23345 = 0.00111"),
        (12.34, 1.2345, "12.3 − 1.23 = 11.1"),
        (1.0, 1.0, "1 − 1 = 0"),
    ],
)
def test_the_digits_shown_give_the_result(core: float, radius: float, words: str) -> None:
    assert WithRadii(core, radius, core - radius, -1, "the radii", False).equation == words


def test_bodies_that_touch_are_said_to() -> None:
    found = WithRadii(1.0, 1.0 - 1e-15, 1e-15, -1, "the radii", True)
    assert found.sentence == "Less the radii, 1 − 1 ≈ 0: A and B touch."
    assert found.label == "less radius 1: touch"
