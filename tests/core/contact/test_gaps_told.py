"""A contact is told as a gap where the surfaces are apart there by more than rounding, and nowhere else."""

from __future__ import annotations

import pytest

from app.io.presets import presets
from app.io.scene_file import load
from core import Body, Box, Scene, analyse, collide
from core.shapes import Cylinder, HalfSpace, Shape

FACES: tuple[Shape, ...] = (Box((1.0, 1.0, 1.0)), Cylinder(0.5, 1.0))


@pytest.mark.parametrize("depth", [0.0, 0.25, 2.0**-20, -(2.0**-50)])
def test_faces_that_touch_or_overlap_have_no_gap(depth: float) -> None:
    for shape in FACES:
        found = collide(Body(Box((2.0, 1.0, 2.0))), Body(shape, (0.25, 1.0 - depth, 0.0)))
        assert found.contacts or depth < 0.0
        for contact in found.contacts:
            assert contact.depth == pytest.approx(depth, abs=1e-12)
            assert not contact.gap
    found = collide(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(FACES[0], (0.0, 0.5 - depth, 0.0)))
    assert [contact.gap for contact in found.contacts] == [False] * 4


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.id)
def test_in_every_preset_a_gap_is_a_depth_below_zero(preset: object) -> None:
    scene: Scene = load(preset.path).scene  # type: ignore[attr-defined]
    found = analyse(scene).contacts
    for contact in () if found is None else found.contacts:
        if contact.depth > -1e-13:
            assert not contact.gap
        elif contact.depth < -1e-9:
            assert contact.gap
