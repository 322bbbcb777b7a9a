"""What is said and drawn is what was said and drawn: every preset and kept scene against its snapshots.

How they are made: tests/snapshot_kit/__main__.py. Whoever means a change says so with tests/bless.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.snapshot_kit.__main__ import summary
from tests.snapshot_kit.collect import books
from tests.snapshot_kit.panels import Panels, panels
from tests.snapshot_kit.store import LARGEST_ALL, LARGEST_FILE, ROOT, STORED, compared, names_of, unbinding

from .faults.core import CORE
from .faults.table import FAULTS
from .snapshot_kit.scenes import Known, scenes

SCENES = scenes()
NAMES = [scene.name for scene in SCENES]
DRAWN = {
    "ball-along-an-edge",
    "box-on-plane-vertex",
    "box-slides-on-a-plane",
    "capsule-box-edge",
    "capsules-crossed",
    "coincident-centres",
    "cone-tip",
    "containment",
    "corner-touch",
    "cylinder-on-ground",
    "ellipsoid-and-plane",
    "ellipsoids",
    "face-touch",
    "faces-alone-say-apart",
    "fcl-391",
    "flat-inside",
    "flat-one-gap",
    "flat-round-corner",
    "flat-third-point",
    "flat-tunnelling",
    "flat-turning",
    "flat-two-circles",
    "flat-worked-example",
    "ifclite-duct",
    "latest-axis-by-one-sign",
    "plane-through-three-points",
    "portal-right-depth",
    "ray-through-a-cube",
    "resting-and-sliding",
    "scenes-borders-cylinder-and-cone-with-borders",
    "scenes-borders-polygons-with-borders-corner-on-corner",
    "scenes-motion-along-a-plane-a-billion-sizes",
    "scenes-words-a-ball-a-unit-deep-in-the-ground",
    "scenes-words-ball-a-hair-above-a-far-plane",
    "skew-edges",
    "sphere-face-region",
    "sphere-past-a-box",
    "tetrahedra-cross",
    "tiny-beside-huge",
    "tunnelling",
    "turning-boxes",
    "two-spheres",
}
"""Scenes whose pictures each run compares, of every kind of shape, answer and step; those of the others are nightly."""


@pytest.fixture(scope="module")
def rig() -> Iterator[Panels]:
    with panels() as made:
        yield made


def check(known: Known, rig: Panels, *kinds: str) -> None:
    looks: dict[str, str] = {}
    found = list(compared(known.name, books(known, rig, looks, kinds), looks))
    if found and (why := unbinding()):
        pytest.skip(f"reported only, since {why}: {summary(found)}")
    assert not found, f"{summary(found)}\nIf this is meant: tests/bless {known.name}"


@pytest.mark.parametrize("known", SCENES, ids=NAMES)
def test_it_says_what_it_said(known: Known, rig: Panels) -> None:
    check(known, rig, "words", "numbers", "panels")


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(known, id=known.name, marks=() if known.name in DRAWN else pytest.mark.nightly("scenes"))
        for known in SCENES
    ],
)
def test_it_is_drawn_as_before(known: Known, rig: Panels) -> None:
    check(known, rig, "geometry")


def test_there_is_a_snapshot_of_every_scene_and_of_no_other() -> None:
    assert names_of(STORED) == sorted(NAMES)


def test_the_scenes_that_each_run_draws_exist() -> None:
    assert set(NAMES) >= DRAWN


def test_every_fault_of_the_table_can_be_applied() -> None:
    for fault in (*FAULTS, *CORE):
        assert (ROOT / fault.file).read_text("utf-8").count(fault.old) == 1, fault
        assert fault.old != fault.new


def test_they_stay_small_enough_to_read() -> None:
    sizes = [path.stat().st_size for path in STORED.glob("*.txt")]
    assert max(sizes) <= LARGEST_FILE
    assert sum(sizes) <= LARGEST_ALL
