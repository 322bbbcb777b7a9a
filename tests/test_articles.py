"""What the articles teach, row by row: the function that does it, presets that show it, and every mistake told.

The table is the digest of the articles; its rows are what the ids of mistakes begin with (core/README.md, Sources). A
row whose function, preset or mistaken version vanished fails, and so does a version that no row knows of.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest
from msgspec import Struct, field

from app.io.presets import article_cases, presets
from app.state.view import Panes
from core.study.articles import ARTICLE_VARIANTS, MOTION_VARIANTS
from core.study.articles.plane import PLANAR_VARIANTS


class Row(Struct, frozen=True):
    """`core`: who answers rightly. `presets`: found by the row. `mistakes`: what is wrong there, and the id of
    the version that has it wrong; a mistake that comes with several rows has a version in each.
    """

    teaches: str
    core: tuple[str, ...]
    presets: tuple[str, ...]
    mistakes: dict[str, str] = field(default_factory=dict)


ROWS = {
    "S1": Row("a quaternion turns a vector", ("core.geometry.quaternion.rotate",), ("quarter-turns",)),
    "S2": Row("the eight vertices of a turned box", ("core.shapes.Box",), ("box-on-plate",)),
    "S3": Row(
        "fifteen candidate axes",
        ("core.pair.candidate_axes.axes_of_boxes",),
        ("stacked-cubes", "float32-radius-form"),
    ),
    "S4": Row("projection intervals", ("core.sat.table.projections",), ("gap-between-corners",)),
    "S5": Row(
        "disjoint by sorting four ends, the first gap ends it",
        ("core.sat.sat.sat_steps",),
        ("crossed-edges", "face-touch"),
        {"exact touching is apart": "S5-touching-apart"},
    ),
    "S6": Row(
        "the axis of least overlap is the way out",
        ("core.sat.sat.sat",),
        ("containment", "lowest-end", "search-from-10000"),
        {
            "depth by the middle ends": "S6-middle-ends",
            "normal by the lowest end": "S6-lowest-end",
            "the search starts from 10000": "S6-search-from-10000",
        },
    ),
    "P1": Row(
        "a moving sphere against a plane",
        ("core.toi.half_spaces.plane_motion",),
        ("ball-falls-on-a-plane", "ball-leaves-the-ground", "ball-rolls-along-a-plane"),
        {
            "runs backwards": "P1-backwards",
            "asks about no initial overlap": "P1-initial-overlap",
            "asks about no zero motion": "P1-zero-motion",
        },
    ),
    "P2": Row(
        "a moving box against a plane, by its effective radius",
        ("core.toi.half_spaces.plane_motion",),
        ("box-lands-on-a-plane", "box-slides-on-a-plane"),
        {
            "as a sphere's: runs backwards": "P2-backwards",
            "as a sphere's: asks about no initial overlap": "P2-initial-overlap",
            "as a sphere's: asks about no zero motion": "P2-zero-motion",
        },
    ),
    "P3": Row(
        "one, two or four vertices of a box on a plane",
        ("core.closed_form.box_plane_contact",),
        ("box-on-plane-vertex", "box-on-plane-edge", "box-on-plane-face"),
        {"zero without a tolerance": "P3-zero-by-equality"},
    ),
    "P4": Row(
        "two moving spheres",
        ("core.toi.spheres.spheres_motion",),
        ("grazing-spheres", "balls-head-on", "balls-abreast", "balls-that-part"),
        {
            "runs backwards": "P4-backwards",
            "a sum for a difference": "P4-sum",
            "asks about no initial overlap": "P4-initial-overlap",
            "asks about no zero motion": "P4-zero-motion",
        },
    ),
    "P5": Row(
        "a moving sphere against a box, over 27 regions",
        ("core.toi.spheres.sphere_box_motion",),
        ("sphere-past-a-box", "ball-to-a-corner", "ball-from-inside", "ball-along-an-edge", "sphere-corner-region"),
        {
            "runs backwards": "P5-backwards",
            "the corner's discriminant forgets r²": "P5-corner-radius",
            "contact vectors are not normalised": "P5-contact-length",
            "the transpose of the 4x4 matrix": "P5-transpose",
            "asks about no initial overlap": "P5-initial-overlap",
            "asks about no zero motion": "P5-zero-motion",
        },
    ),
    "P6": Row(
        "box against box by visible faces with bounds",
        ("core.sat.sat.sat",),
        ("faces-alone-say-apart",),
        {"misses edge against edge": "P6-bounded-faces", "visibility has the wrong sign": "P6-visibility"},
    ),
    "P7": Row(
        "separating axes by projected radii",
        ("core.sat.sat.sat",),
        ("gap-between-corners", "no-absolute-value", "float32-radius-form"),
        {
            "drops the absolute value": "P7-absolute-value",
            ">= calls touching disjoint": "P7-touching-disjoint",
            "the radius form with axes that are not of unit length": "P7-float32-radius-form",
        },
    ),
    "P8": Row(
        "boxes in motion: 21 axes, yes or no",
        ("core.toi.intervals.swept_axes",),
        ("tunnelling", "no-absolute-value"),
        {
            "runs backwards": "P8-backwards",
            "drops the absolute value": "P8-absolute-value",
            "forgets that the sides must be the same": "P8-either-side",
        },
    ),
    "P9": Row(
        "the time of impact: latest entry, earliest exit",
        ("core.toi.intervals.interval_motion",),
        ("tunnelling", "latest-axis-by-one-sign", "resting-and-sliding", "boxes-that-part"),
        {
            "runs backwards": "P9-backwards",
            "one sign for both sides, exits for entries": "P9-as-printed",
            "divides by l·d": "P9-divides-by-zero",
            "asks about no initial overlap": "P9-initial-overlap",
        },
    ),
    "P10": Row(
        "contact vertices at that time",
        ("core.pair.features.contact_vertices",),
        ("tunnelling", "box-on-plate"),
        {"anchors its plane at any point of B": "P10-any-point"},
    ),
    "P11": Row(
        "from a pixel to a ray",
        ("core.study.articles.pixel_ray",),
        ("ray-past-a-cube", "off-centre-window", "orthographic-pixel"),
        {"supposes a symmetric window": "P11-off-centre", "supposes a perspective": "P11-orthographic"},
    ),
    "P12": Row(
        "a ray against sphere, box and capsule",
        ("core.rays.raycast.raycast",),
        ("ray-past-a-cube", "ray-through-a-cube", "ray-before-and-behind"),
        {
            "the sphere's inequality is turned round": "P12-sphere-turned-round",
            "the box's inequality is turned round": "P12-box-turned-round",
            "the capsule's inequality is turned round": "P12-capsule-turned-round",
            "the box's axis is not perpendicular": "P12-box-skew",
            "the box's axis is not of unit length": "P12-box-not-unit",
            "the box's axis as printed, both at once": "P12-box-as-printed",
            "one axis is not sufficient": "P12-box-one-axis",
            "ray and core share one parameter": "P12-capsule-same-parameter",
            "infinite lines": "P12-endless-line",
        },
    ),
    "P13": Row(
        "an ellipsoid against a plane by scaling space",
        ("core.toi.half_spaces.scaled_plane_motion",),
        ("tilted-egg-falls", "ellipsoid-and-plane"),
        {
            "normals scale by the inverse transpose": "P13-normal",
            "the same at rest": "P13-normal-at-rest",
            "distances do not survive the scaling": "P13-scaled-distance",
        },
    ),
    "G1": Row(
        "Minkowski sum and difference, every pair of vertices",
        ("core.minkowski.plane.minkowski_sum", "core.minkowski.plane.minkowski_difference"),
        ("flat-worked-example",),
    ),
    "G2": Row(
        "the difference holds the origin when they meet",
        ("core.minkowski.plane.nearest_point",),
        ("flat-worked-example", "flat-inside"),
    ),
    "G3": Row("support functions", ("core.pair.support.Difference.support",), ("flat-circle-corner",)),
    "G4": Row(
        "simplex and next direction",
        ("core.gjk.gjk.gjk", "core.gjk.article_gjk.article_gjk"),
        ("flat-third-point", "flat-squares-kiss"),
        {
            "the perpendicular is turned by the third point itself": "G4-perpendicular-by-third-point",
            "the <= 0 exit": "G4-touching-by-path",
        },
    ),
    "G5": Row(
        "the worked example",
        ("core.minkowski.plane.minkowski_difference", "core.gjk.article_gjk.article_gjk"),
        ("flat-worked-example",),
        {"the second support": "G5-second-support", "BD in the table": "G5-sign-in-the-table"},
    ),
    "G6": Row(
        "depth, normal and contact points",
        ("core.gjk.plane_epa.epa_polygon", "core.contact.policies.plane.contacts_of"),
        ("flat-hexagon-pentagon",),
    ),
    "V1": Row(
        "signed distance from a plane",
        ("core.geometry.plane.Plane.signed_distance",),
        ("box-on-plane-vertex", "point-in-convex"),
    ),
    "V2": Row(
        "normal and offset, and the flipped plane", ("core.geometry.plane.Plane.flipped",), ("box-on-plane-vertex",)
    ),
    "V3": Row(
        "a plane from three points, in 2D from two",
        ("core.geometry.plane.plane_through", "core.geometry.plane.line_through"),
        ("plane-through-three-points", "flat-corner-gap"),
    ),
    "V4": Row("a point inside a set of planes", ("core.geometry.plane.inside",), ("point-in-convex",)),
    "V5": Row(
        "polygons overlap unless a plane parts them",
        ("core.sat.separating_planes.planes_test",),
        ("flat-squares-kiss", "flat-corner-gap", "faces-alone-say-overlapping"),
        {"touching is apart": "V5-touching-apart", "faces alone, in 3D": "V5-faces-only"},
    ),
    "V6": Row(
        "faces and products of edges",
        ("core.study.articles.planes_and_edges", "core.pair.gauss_map.pair_axes"),
        ("crossed-edges", "faces-alone-say-overlapping", "tetrahedra-kiss", "face-touch"),
        {
            "the face test calls touching apart": "V6-touching-faces-apart",
            "the edge test calls touching overlapping": "V6-touching-edges-overlapping",
            "the same in the plane": "V6-touching-overlapping",
        },
    ),
}

VARIANTS = (*ARTICLE_VARIANTS, *MOTION_VARIANTS, *PLANAR_VARIANTS)
PRESETS = {preset.id: preset for preset in presets()}

by_row = pytest.mark.parametrize("name", ROWS)


def named(path: str) -> Any:
    """What a dotted name stands for."""
    found, rest = import_module(path.split(".")[0]), path.split(".")[1:]
    for place, part in enumerate(rest, start=1):
        if not hasattr(found, part):
            import_module(".".join(path.split(".")[: place + 1]))
        found = getattr(found, part)
    return found


def test_the_table_has_every_row_of_the_articles() -> None:
    counts = (("S", 6), ("P", 13), ("G", 6), ("V", 6))
    assert list(ROWS) == [f"{letter}{number}" for letter, count in counts for number in range(1, count + 1)]


@by_row
def test_the_core_answers_rightly(name: str) -> None:
    assert all(callable(named(path)) for path in ROWS[name].core)


@by_row
def test_a_preset_shows_it_and_the_search_finds_it_by_the_row(name: str) -> None:
    assert ROWS[name].presets
    for preset in ROWS[name].presets:
        assert name in PRESETS[preset].codes, preset
        assert not re.search(r"\b[SPGV]\d", f"{PRESETS[preset].title} {PRESETS[preset].text}"), preset


@by_row
def test_every_mistake_is_told_where_it_belongs(name: str) -> None:
    told = [variant.id for variant in VARIANTS if variant.system == name]
    assert sorted(ROWS[name].mistakes.values()) == sorted(told)


def test_a_mistake_can_be_called_and_is_broken_by_its_scene() -> None:
    cases = {case.id: case for case in article_cases()}
    assert sorted(cases) == sorted(variant.id for variant in VARIANTS)
    for variant in VARIANTS:
        assert all(not variant.compare(scene).agree for scene in variant.breaks), variant.id
        assert all(variant.compare(scene).agree for scene in variant.agrees), variant.id
        assert cases[variant.id].article != cases[variant.id].right
        assert (cases[variant.id].system, cases[variant.id].title) == (variant.system, variant.title)


def test_after_a_ray_the_next_mistake_is_looked_at_as_any_scene_is() -> None:
    for case in article_cases():
        alone = case.view.panes is Panes.WORLD
        assert alone == (case.view.probe is not None) == (case.system in ("P11", "P12")), case.id
