"""The short answers' parts agree: depth and separation, the two points and the direction between them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from core import Body, Box, Scene, Sphere
from core.analysis.brief import Collision, Distance, collision_of, distance_of


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
