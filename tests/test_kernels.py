"""The same answers byte for byte from every arithmetic kernel: a sample under two of them in each run, all nightly."""

from __future__ import annotations

import platform
import sys

import pytest

from core import Scene

from .kernels import differing, kernels, seeded, stored

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="kernels are chosen by variables of x86-64 Linux"
)
EVERY = 7
"""Of the stored scenes one in so many is in the sample."""
SEEDED = 2000


def agree(scenes: list[Scene], *names: str) -> None:
    found = differing(scenes, names)
    told = [
        f"{scene}, {name}:\n    {ours}\n    {theirs}"
        for scene, by_kernel in found.items()
        for name, (ours, theirs) in by_kernel.items()
    ]
    assert not found, "\n".join([f"{len(found)} of {len(scenes)} scenes differ", *told[:10]])


def test_a_sample_of_scenes_has_the_same_answers_from_two_kernels() -> None:
    """The newest kernel that every processor of ten years has, and the oldest."""
    agree([*stored()[::EVERY], *seeded(40)], "Haswell", "Prescott")


@pytest.mark.nightly("scenes")
def test_all_scenes_have_the_same_answers_from_every_kernel() -> None:
    agree([*stored(), *seeded(SEEDED)], *kernels())
