"""The table of what the mouse means."""

from __future__ import annotations

from itertools import product

import pytest

from app.input.bindings import DRAGS, OTHER_MOUSE, Act, Held, MouseButton, PointerTarget, act_of, mouse_help

HELD = [Held(ctrl, shift, alt) for ctrl, shift, alt in product((False, True), repeat=3)]


def test_every_line_of_the_table_can_be_reached() -> None:
    presses = [(button, held, target) for button in MouseButton for held in HELD for target in PointerTarget]
    firsts = [next((b for b in DRAGS if b.fits(*press)), None) for press in presses]
    assert {b for b in firsts if b is not None} == set(DRAGS)
    assert {b.act for b in DRAGS} == set(Act)


def test_help_lists_every_line_once() -> None:
    inputs = [words for words, _ in mouse_help()]
    assert len(set(inputs)) == len(inputs) == sum(binding.named for binding in DRAGS) + len(OTHER_MOUSE)
    assert "Shift + left drag on a body" in inputs


@pytest.mark.parametrize("target", PointerTarget)
def test_the_buttons_of_every_camp(target: PointerTarget) -> None:
    assert act_of(MouseButton.MIDDLE, Held(), target) is Act.ORBIT
    assert act_of(MouseButton.LEFT, Held(alt=True), target) is Act.ORBIT
    assert act_of(MouseButton.RIGHT, Held(), target) is Act.PAN
    assert act_of(MouseButton.MIDDLE, Held(shift=True), target) is Act.PAN
    assert act_of(MouseButton.BACK, Held(), target) is None
    assert act_of(MouseButton.FORWARD, Held(), target) is None


def test_ctrl_snaps_and_chooses_no_other_drag() -> None:
    for button, target, shift, alt in product(MouseButton, PointerTarget, (False, True), (False, True)):
        assert act_of(button, Held(True, shift, alt), target) is act_of(button, Held(False, shift, alt), target)
