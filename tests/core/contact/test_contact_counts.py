"""How many contacts others' own tests expect, by value: each scene with its repository, file and test."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Box, Hull, Polygon, Scene, Shape, Sphere, analyse
from core.geometry.quaternion import from_axis_angle, from_matrix, multiply, normalized

MUJOCO = "google-deepmind/mujoco, test/engine/engine_collision_gjk_test.cc, "

PENTAPRISM = Hull.of(
    [
        (0.2 * x, 0.2 * y, 0.1 * z)
        for z in (0.0, 1.0)
        for x, y in ((1.0, 0.0), (0.309, 0.951), (-0.809, 0.588), (-0.809, -0.588), (0.309, -0.951))
    ]
)


def box(*half: float) -> Box:
    x, y, z = half
    return Box((2.0 * x, 2.0 * y, 2.0 * z))


def placed(shape: Shape, rows: list[float], position: tuple[float, float, float]) -> Body:
    """A body by MuJoCo's xmat, row by row, and xpos."""
    return Body(shape, position, normalized(from_matrix(np.array(rows).reshape(3, 3))))


FLAT = box(0.25, 0.25, 0.05)
SLAB = box(5.0, 5.0, 0.1)
SMALL = box(0.025, 0.025, 0.025)
TURN_40 = multiply(from_axis_angle((0.0, 1.0, 0.0), np.pi / 2), from_axis_angle((0.0, 0.0, 1.0), np.radians(40.0)))

CASES = {
    "BoxBoxMultiCCD": (
        Body(box(1.0, 1.0, 1.0), (0.0, 0.0, 1.9)),
        Body(box(10.0, 10.0, 1.0)),
        4,
    ),
    "BoxBoxMultiCCD2": (
        Body(box(1.0, 1.0, 1.0), (9.5, 9.5, 1.9)),
        Body(box(10.0, 10.0, 1.0)),
        4,
    ),
    "BoxBoxMultiCCD3": (
        Body(SLAB),
        placed(
            box(1.0, 1.0, 1.0),
            [
                *(0.99999980654038600, -0.00001473859067256, 0.00062185365176486),
                *(-0.00062185343426914, 0.00001475687855519, 0.99999980654025166),
                *(-0.00001474776444006, -0.99999999978250431, 0.00001474771045710),
            ],
            (-0.94121861859186939, 2.20972901162441592, 1.09545670263038230),
        ),
        4,
    ),
    "BoxBoxMultiCCD4": (
        placed(
            FLAT,
            [
                *(0.50006324669411850, -0.86598888507858218, -0.00001503629046369),
                *(0.86598888520880179, 0.50006324660365064, 0.00000954106441658),
                *(-0.00000074335951043, -0.00001779239606540, 0.99999999984143850),
            ],
            (-0.01534671892514352, -0.02350044879322985, -4.85938271725998039),
        ),
        placed(
            FLAT,
            [
                *(0.99999999944863371, -0.00003320742076120, -0.00000004492552733),
                *(0.00003320742079001, 0.99999999944842899, 0.00000064145865274),
                *(0.00000004490422612, -0.00000064146014425, 0.99999999999979439),
            ],
            (-0.01534774971038411, -0.02350060127321363, -4.95878285459474633),
        ),
        8,
    ),
    "BoxBoxMultiCCD5": (
        placed(
            FLAT,
            [
                *(0.96595504556201039, -0.25870989814173967, -0.00019635881103127),
                *(0.25870991923142056, 0.96595505563417461, 0.00009047678584622),
                *(0.00016626654641124, -0.00013819647949966, 0.99999997662858287),
            ],
            (-0.01538152449815699, -0.02352793189039658, -4.55921400440949842),
        ),
        placed(
            FLAT,
            [
                *(0.86607653667769391, -0.49991138841260205, -0.00019065875372916),
                *(0.49991140991206184, 0.86607654093532283, 0.00008649418936821),
                *(0.00012188564363202, -0.00017022307435959, 0.99999997808399943),
            ],
            (-0.01535866859092172, -0.02354207050461138, -4.65910835487698716),
        ),
        8,
    ),
    "BoxBoxMultiCCD6": (
        Body(box(0.5, 0.5, 0.1), (0.0, 0.0, -0.1)),
        placed(
            box(0.1, 0.1, 0.1),
            [
                *(-0.41261752899280812, -0.91090393914341139, -0.00088793067535145),
                *(0.91090437038310712, -0.41261727579498608, -0.00046014397573655),
                *(0.00005277142371321, -0.00099868340302420, 0.99999949992319304),
            ],
            (0.41302989817264202, 0.19077771529313514, 0.10000665801741174),
        ),
        5,
    ),
    "BoxBoxMultiCCD7": (
        placed(
            FLAT,
            [
                *(0.48285193282705863, -0.87569745900640638, 0.00282334109543695),
                *(0.87570108407277425, 0.48285360192776605, -0.00010226999014171),
                *(-0.00127370284690271, 0.00252178412039148, 0.99999600913499065),
            ],
            (-0.00202074025461814, -0.02265438484898047, -4.85854290214432449),
        ),
        placed(
            FLAT,
            [
                *(0.99998513380530651, -0.00529384527152846, 0.00130666393044365),
                *(0.00529387111431204, 0.99998598723296728, -0.00001631979341750),
                *(-0.00130655922600519, 0.00002323686124177, 0.99999914618115548),
            ],
            (-0.01106623501822343, -0.02311469603648572, -4.95837581203702538),
        ),
        8,
    ),
    "BoxBoxMultiCCD8": (
        Body(FLAT, (-0.0153465, -0.0235055, -4.85966264)),
        placed(
            FLAT,
            [1.0, 0.0, 0.0, 0.0, 1.0, -1.5361939765351e-17, 0.0, 1.5361939765351e-17, 1.0],
            (-0.0153465, -0.0235055, -4.95857428967283553),
        ),
        4,
    ),
    "BoxBoxMultiCCD9": (
        Body(SMALL, (-0.10714, -0.19286, 0.17499515245649172)),
        placed(
            SMALL,
            [1.0, 0.0, -6.4957874774e-17, 0.0, 1.0, 1.5585816822e-16, 6.4957874774e-17, -1.5585816822e-16, 1.0],
            (-0.10714, -0.19286, 0.21562591877938536),
        ),
        4,
    ),
    "BoxMesh": (
        Body(box(3.0, 3.0, 0.01), (0.0, 0.0, -0.01)),
        Body(PENTAPRISM, (0.0, 0.0, 0.157), from_axis_angle((0.0, 1.0, 0.0), -np.pi / 2)),
        4,
    ),
    "BoxMesh2": (
        Body(box(3.0, 3.0, 0.01), (0.0, 0.0, -0.01)),
        Body(PENTAPRISM, (0.0, 0.0, -0.001)),
        5,
    ),
    "MeshMesh": (
        Body(Hull.of(np.array(np.meshgrid((-1, 1), (-1, 1), (-0.01, 0.01))).reshape(3, -1).T), (0.0, 0.0, -0.01)),
        Body(PENTAPRISM, (0.0, 0.0, -0.001)),
        5,
    ),
    "BoxEdge": (
        Body(box(1.0, 1.0, 1.0), (0.0, 0.0, 2.0)),
        Body(box(1.0, 1.0, 1.0), (0.0, 0.0, 4.4), TURN_40),
        2,
    ),
    "BoxEdgeEdge": (
        placed(
            box(0.15, 1.0, 3.0),
            [
                0.91827792435878923,
                0.0,
                0.39593642625478986,
                0.0,
                1.0,
                0.0,
                -0.39593642625478986,
                0.0,
                0.91827792435878923,
            ],
            (-1.32412980589480878, 0.0, 2.81415261535887318),
        ),
        placed(
            box(0.15, 1.0, 3.0),
            [
                0.91827792435878923,
                0.0,
                -0.39593642625478986,
                0.0,
                1.0,
                0.0,
                0.39593642625478986,
                0.0,
                0.91827792435878923,
            ],
            (1.32412980589480900, 0.0, 2.81415261535887318),
        ),
        2,
    ),
}
"""Tests of MuJoCo's that ask for every contact: first body, second body, contacts. Their meshes are moved to their
centres of mass, which changes no count."""


@pytest.mark.parametrize("name", CASES)
def test_as_many_as_mujoco(name: str) -> None:
    a, b, count = CASES[name]
    found = analyse(Scene(a, b)).contacts
    assert found is not None
    assert len(found.contacts) == count, MUJOCO + name


def corners(a: Body, b: Body) -> list[tuple[float, ...]]:
    """Where the contacts are, and how deep, in order."""
    found = analyse(Scene(a, b)).contacts
    assert found is not None
    rows = [(*contact.position.tolist(), contact.depth) for contact in found.contacts]
    return sorted(tuple(round(number, 9) + 0.0 for number in row) for row in rows)


def test_the_four_corners_that_coal_lost_one_of() -> None:
    """coal-library/coal, issue 144: two cubes of side 2 that overlap by 1e-4 had one contact, at a corner."""
    cube = Box((2.0, 2.0, 2.0))
    found = corners(Body(cube), Body(cube, (1.9999, 0.0, 0.0)))
    assert found == [(0.99995, y, z, 1e-4) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]


def test_a_turn_about_the_contact_axis_keeps_the_depth_as_in_fcl() -> None:
    """flexible-collision-library/fcl, test/test_fcl_general.cpp: cubes 0.9 apart, one turned by (0.6, 0.8, 0, 0)."""
    cube = Box((1.0, 1.0, 1.0))
    found = corners(Body(cube, (0.9, 0.0, 0.0), (0.6, 0.8, 0.0, 0.0)), Body(cube))
    assert len(found) == 8
    assert {row[3] for row in found} == {0.1}


def test_a_sphere_on_a_floor_has_one_contact_at_the_origin_as_in_jolt() -> None:
    """jrouwe/JoltPhysics, UnitTests/Physics/ContactListenerTests.cpp: points on both bodies at zero, normal +Y."""
    floor, ball = Body(Box((200.0, 2.0, 200.0)), (0.0, -1.0, 0.0)), Body(Sphere(0.5), (0.0, 0.5, 0.0))
    assert corners(floor, ball) == [(0.0, 0.0, 0.0, 0.0)]


def test_squares_as_in_box2d() -> None:
    """louis-langholtz/PlayRho, a port of Box2D, UnitTests/CollideShapes.cpp.

    IdenticalVerticalTouchingSquares: corners (-2, -2) and (2, -2) of the upper one, and IdenticalHorizontalTouching-
    Squares: (-2, 2) and (-2, -2) of the right one; squares of side 4 whose centres are 2, and 4, apart.
    """
    square = Polygon(((-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)))
    stacked = corners(Body.in_plane(square, (0.0, -1.0)), Body.in_plane(square, (0.0, 1.0)))
    assert stacked == [(-2.0, 0.0, 0.0, 2.0), (2.0, 0.0, 0.0, 2.0)]
    beside = corners(Body.in_plane(square, (-2.0, 0.0)), Body.in_plane(square, (2.0, 0.0)))
    assert beside == [(0.0, -2.0, 0.0, 0.0), (0.0, 2.0, 0.0, 0.0)]
