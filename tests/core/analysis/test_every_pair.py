"""`analyse` on every combination of the eight shapes: certificates, oracles of other kinds, invariance, extremes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest
from msgspec.structs import replace

from core import (
    Analysis,
    Body,
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Provenance,
    Scene,
    Shape,
    Sphere,
    Verdict,
)
from core.analysis.analysis import LIMITED, analyse
from core.geometry.quaternion import IDENTITY, from_axis_angle
from core.minkowski.polyhedron_difference import overlay_difference
from core.pair.gauss_map import gauss_map, pair_axes
from core.shapes import SHAPES, Rounded, SupportFeature
from tests.core.closed_form_samples import MAKERS, stretched
from tests.oracles import extent_of, shadow_distance, support_gap
from tests.shape_truths import truth_of
from tests.strategies import CUBE_TURNS, carried, moved, random_rotation, scaled, triple

Random = np.random.Generator
Pair = tuple[str, str]

PAIRS: list[Pair] = [
    pair for pair in combinations_with_replacement((*MAKERS, "halfspace"), 2) if pair[0] != "halfspace"
]
BOUNDED_PAIRS = [pair for pair in PAIRS if "halfspace" not in pair]

pairs = pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
bounded_pairs = pytest.mark.parametrize("pair", BOUNDED_PAIRS, ids=" and ".join)


def shape_named(name: str, rng: Random) -> Shape:
    if name == "halfspace":
        return HalfSpace(triple(rng.normal(size=3)), float(rng.normal()))
    return MAKERS[name](rng)


def test_the_pairs_are_of_every_shape_of_space() -> None:
    rng = np.random.default_rng(1)
    made = {type(shape_named(name, rng)) for pair in PAIRS for name in pair}
    assert made == {shape for shape in SHAPES if shape is not Rounded and shape.dimension == 3}


def scene_of(pair: Pair, rng: Random) -> Scene:
    """Both shapes in general position about the origin, either first."""
    a, b = (
        Body(shape_named(name, rng), triple(0.9 * rng.normal(size=3)), random_rotation(rng))
        for name in (pair if rng.random() < 0.5 else pair[::-1])
    )
    return Scene(a, b)


def judged(found: Analysis) -> None:
    """Finite, certified by its own normal, its witnesses on the surfaces and as far apart as it says."""
    scene, size, gap = found.scene, extent_of(found.scene), found.certainty.gap
    place = 4e-16 * float(np.abs([scene.a.position, scene.b.position]).max())
    numbers = (found.separation, found.band, gap, *found.normal, *found.witness_a, *found.witness_b, *found.nearest)
    assert np.isfinite(numbers).all()
    assert found.disagreements == ()
    assert abs(np.linalg.norm(found.normal) - 1.0) <= 4e-15
    proven = support_gap(scene, found.normal)
    if np.isfinite(proven):
        assert proven == pytest.approx(found.separation, abs=4e-12 * size + gap)
    else:  # a half-space proves something along its own normal only, which rounding may have turned
        assert isinstance(scene.a.shape, HalfSpace) or isinstance(scene.b.shape, HalfSpace)
    apart = float(np.linalg.norm(found.witness_b - found.witness_a))
    assert apart == pytest.approx(abs(found.separation), abs=4e-12 * size + gap + 2 * place)
    for body, point in ((scene.a, found.witness_a), (scene.b, found.witness_b)):
        assert truth_of(body.shape).height(body.pose.to_local(point)) <= 4e-12 * size + gap + 2 * place
    if found.certainty.provenance is Provenance.EXACT:
        assert gap == 0.0


# ---- general position ----


@pairs
def test_a_pair_in_general_position_is_certified(pair: Pair) -> None:
    rng = np.random.default_rng(101)
    verdicts: Counter[Verdict] = Counter()
    for _ in range(12):
        found = analyse(scene_of(pair, rng))
        judged(found)
        verdicts[found.verdict] += 1
        assert found.certainty.gap <= 1e-9 * extent_of(found.scene)
    assert len(verdicts) >= 2


@bounded_pairs
def test_a_separated_pair_is_as_far_apart_as_the_best_of_many_directions_says(pair: Pair) -> None:
    rng = np.random.default_rng(103)
    for _ in range(2):
        scene = scene_of(pair, rng)
        found = analyse(scene)
        scene = replace(scene, b=moved(scene.b, (rng.uniform(0.3, 1.0) - found.separation) * found.normal))
        found, size = analyse(scene), extent_of(scene)
        assert found.verdict is Verdict.SEPARATED
        sampled = shadow_distance(scene)
        # The best of many directions is a lower bound, and close.
        assert sampled <= found.separation + 1e-12 * size
        assert sampled >= found.separation - 2e-3 * size


@bounded_pairs
def test_an_overlapping_pair_is_no_deeper_than_any_direction_says(pair: Pair) -> None:
    rng = np.random.default_rng(107)
    for _ in range(2):
        scene = scene_of(pair, rng)
        scene = replace(scene, b=replace(scene.b, position=triple(scene.a.position + 0.1 * rng.normal(size=3))))
        found, size = analyse(scene), extent_of(scene)
        sampled = shadow_distance(scene)
        assert sampled <= found.separation + found.certainty.gap + 1e-12 * size
        assert sampled >= found.separation - 2e-3 * size


@pairs
def test_exchanging_the_bodies_turns_the_answer_round(pair: Pair) -> None:
    rng = np.random.default_rng(109)
    for _ in range(6):
        scene = scene_of(pair, rng)
        one, other = analyse(scene), analyse(scene.swapped())
        slack = 4e-12 * extent_of(scene) + one.certainty.gap + other.certainty.gap
        assert other.separation == pytest.approx(one.separation, abs=slack)
        assert other.verdict is one.verdict or abs(one.separation) <= 2 * one.band
        assert support_gap(scene.swapped(), other.normal) == pytest.approx(other.separation, abs=slack)


@pairs
@pytest.mark.sampled(3, "random")
def test_a_rigid_motion_carries_the_answer_along(pair: Pair) -> None:
    rng = np.random.default_rng(113)
    for _ in range(6):
        scene = scene_of(pair, rng)
        one, other = analyse(scene), analyse(carried(scene, random_rotation(rng), rng.normal(size=3)))
        slack = 8e-12 * extent_of(scene) + one.certainty.gap + other.certainty.gap
        assert other.separation == pytest.approx(one.separation, abs=slack)


@pairs
def test_the_mtv_added_to_b_just_parts_the_pair(pair: Pair) -> None:
    rng = np.random.default_rng(127)
    for _ in range(6):
        scene = scene_of(pair, rng)
        found = analyse(scene)
        assert (found.mtv is None) == (found.separation >= 0.0)
        if found.mtv is not None:
            freed = analyse(replace(scene, b=moved(scene.b, found.mtv)))
            slack = 8e-12 * extent_of(scene) + found.certainty.gap + freed.certainty.gap
            assert freed.separation == pytest.approx(0.0, abs=slack)


# ---- special positions ----


def aligned(pair: Pair, rng: Random) -> Scene:
    """Turned by quarters, on a lattice or a hair off it: faces, axes and centres coincide."""
    scene = scene_of(pair, rng)
    turns = (CUBE_TURNS[rng.integers(24)] for _ in range(2))
    at = triple(rng.choice((0.0, 0.0, 0.5, 1.0, 1e-9, 1e-16), size=3))
    a, b = (replace(body, rotation=turn) for body, turn in zip((scene.a, scene.b), turns, strict=True))
    return Scene(replace(a, position=(0.0, 0.0, 0.0)), replace(b, position=at))


@pairs
@pytest.mark.sampled(3, "random")
def test_aligned_and_concentric_pairs_keep_their_certificates(pair: Pair) -> None:
    rng = np.random.default_rng(131)
    for _ in range(8):
        judged(analyse(aligned(pair, rng), LIMITED))


@pairs
def test_a_touching_pair_is_called_so(pair: Pair) -> None:
    rng = np.random.default_rng(137)
    for gap in (0.0, 1e-9, 1e-6, -1e-9, -1e-6):
        scene = scene_of(pair, rng)
        start = analyse(scene)
        found = analyse(replace(scene, b=moved(scene.b, (gap - start.separation) * start.normal)))
        judged(found)
        size = extent_of(found.scene)
        if gap >= 0.0:
            assert found.separation == pytest.approx(gap, abs=1e-13 * size + found.certainty.gap)
        expected = {0.0: Verdict.TOUCHING}.get(gap, Verdict.SEPARATED if gap > 0.0 else Verdict.OVERLAPPING)
        assert found.verdict is expected


# ---- extremes ----


@pairs
@pytest.mark.sampled(3, "random")
def test_needles_and_plates(pair: Pair) -> None:
    rng = np.random.default_rng(139)
    for _ in range(6):
        scene = scene_of(pair, rng)
        a, b = (
            body if isinstance(body.shape, HalfSpace) else replace(body, shape=stretched(rng, body.shape))
            for body in (scene.a, scene.b)
        )
        judged(analyse(Scene(a, b)))


@pairs
@pytest.mark.parametrize("factor", [1e-6, 1e6])
@pytest.mark.sampled(3, "random")
def test_scaling_scales_the_answer(pair: Pair, factor: float) -> None:
    rng = np.random.default_rng(149)
    for _ in range(3):
        scene = scene_of(pair, rng)
        one, other = analyse(scene), analyse(scaled(scene, factor))
        judged(other)
        slack = 4e-12 * extent_of(scene) + one.certainty.gap + other.certainty.gap / factor
        assert other.separation / factor == pytest.approx(one.separation, abs=slack)


@pairs
def test_a_speck_beside_a_giant_and_pairs_far_away(pair: Pair) -> None:
    rng = np.random.default_rng(151)
    far = 1e6 * rng.normal(size=3)
    for _ in range(3):
        scene = scene_of(pair, rng)
        speck = replace(scene.a, shape=truth_of(scene.a.shape).scaled(1e-6))
        giant = replace(
            scene.b, shape=truth_of(scene.b.shape).scaled(1e6), position=triple(1e6 * np.array(scene.b.position))
        )
        judged(analyse(Scene(speck, giant)))
        judged(analyse(Scene(moved(scene.a, far), moved(scene.b, far))))
        judged(analyse(Scene(scene.a, moved(scene.b, far))))


# ---- what each kind of pair offers ----


def test_sat_and_the_difference_apply_to_cores_and_half_spaces_only() -> None:
    rng = np.random.default_rng(157)
    for pair in PAIRS:
        found = analyse(scene_of(pair, rng))
        half, smooth = "halfspace" in pair, bool({"cylinder", "cone", "ellipsoid"} & set(pair))
        assert found.sat.applies == (half or not smooth)
        assert (found.difference is not None) == found.sat.applies
        assert (found.gjk is None) == half
        assert found.contacts is not None
        if not found.sat.applies:
            assert len(found.sat.axes) == 1
            assert found.sat.separation == pytest.approx(found.separation, abs=1e-9)
            assert found.sat.exact
        if found.gjk is not None and found.gjk.overlapping:
            assert found.epa is not None


def test_two_half_spaces_are_refused() -> None:
    space = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
    with pytest.raises(ValueError, match="only one of the two bodies may be a half-space"):
        analyse(Scene(space, space))


def test_closed_forms_are_exact_and_the_others_certified() -> None:
    tilted = from_axis_angle((0.3, 0.1, 1.0), 0.4)
    scene = Scene(Body(Cylinder(0.5, 2.0)), Body(Cone(0.5, 1.0), (0.3, 1.7, 0.1), tilted))
    found = analyse(scene)
    assert found.certainty.provenance is Provenance.CERTIFIED
    assert 0.0 < found.certainty.gap <= 1e-13
    upright = analyse(replace(scene, b=replace(scene.b, rotation=IDENTITY)))
    assert upright.certainty.provenance is Provenance.EXACT
    against_ball = analyse(replace(scene, b=Body(Sphere(0.5), (0.3, 1.7, 0.1))))
    assert against_ball.certainty.provenance is Provenance.EXACT


def test_a_bound_says_so_and_the_truth_lies_within_its_gap() -> None:
    """A cylinder on an ellipsoid's axis: every direction across is as good as any, and EPA's faces never end."""
    found = analyse(Scene(Body(Ellipsoid((0.5, 3.0, 0.5))), Body(Cylinder(0.2, 2.0))))
    assert found.certainty.provenance is Provenance.BOUND
    assert found.separation <= -0.7 + 1e-12
    assert found.separation + found.certainty.gap >= -0.7 - 1e-12
    assert found.verdict is Verdict.OVERLAPPING


# ---- detail ----


def ball(count: int, seed: int) -> Hull:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return Hull.of(points / np.linalg.norm(points, axis=1)[:, None])


def test_live_leaves_out_what_many_vertices_make_slow_and_says_so() -> None:
    scene = Scene(Body(ball(90, 1)), Body(ball(80, 2), (1.2, 0.8, 0.9)))
    full, live = analyse(scene), analyse(scene, LIMITED)
    assert full.beyond_limits == ""
    assert full.difference is not None
    assert "170 vertices" in live.beyond_limits
    assert live.difference is None
    assert not live.sat.applies
    assert live.certainty.provenance is Provenance.CERTIFIED
    assert live.separation == pytest.approx(full.separation, abs=1e-13)
    assert live.disagreements == full.disagreements == ()


def test_live_leaves_nothing_out_of_small_pairs() -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(ball(60, 3), (0.5, 0.8, 0.9)))
    assert analyse(scene, LIMITED).beyond_limits == ""
    assert analyse(scene, LIMITED).difference is not None


# ---- a segment's great circle, cut into arcs at places of no meaning ----


@pytest.mark.parametrize("turn", [(1.0, 0.0, 0.0, 0.0), from_axis_angle((1, 0, 0), np.pi / 2)])
@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_the_cuts_of_a_segments_circle_cover_no_axis(turn: tuple[float, float, float, float], shift: float) -> None:
    tetrahedron = Hull.of([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])
    capsule = Body(Capsule(0.1, 2.0), (0.0, shift, 0.0))
    scene = Scene(Body(tetrahedron, (0.0, 0.0, 0.0), turn), capsule)
    judged(analyse(scene))
    pair = pair_axes(scene.a, scene.b)
    solid = overlay_difference(pair)
    assert solid is not None
    for loop, normal, offset in zip(solid.core.faces, solid.core.normals, solid.core.offsets, strict=True):
        assert solid.core.vertices[list(loop)] @ normal == pytest.approx(np.full(len(loop), offset), abs=1e-14)
    assert gauss_map(pair.core_a, pair.core_b).crossing.any()


def test_a_contact_feature_of_every_shape_has_points() -> None:
    rng = np.random.default_rng(163)
    for pair in PAIRS:
        for feature in (contact := analyse(scene_of(pair, rng)).contact_vertices).a, contact.b:
            assert isinstance(feature, SupportFeature)
            assert np.isfinite(feature.points).all()
            assert len(feature.points) >= 1


def test_an_ellipsoid_with_equal_radii_is_a_sphere() -> None:
    for at in ((2.0, 0.3, 0.1), (0.4, 0.3, 0.1)):
        box = Body(Box((1.0, 1.0, 1.0)))
        round_one = analyse(Scene(box, Body(Sphere(0.5), at)))
        other = analyse(Scene(box, Body(Ellipsoid((0.5, 0.5, 0.5)), at)))
        assert other.separation == pytest.approx(round_one.separation, abs=1e-12 + other.certainty.gap)
