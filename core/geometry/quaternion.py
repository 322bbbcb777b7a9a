"""Unit quaternions (w, x, y, z) as rotations.

Quaternions are plain tuples, because they are edited, stored and compared digit for digit. Composition is the Hamilton
product: `multiply(p, q)` rotates by q first and by p second.

A `Pose` is a world position and a rotation matrix as arrays, for the algorithms.
"""

from __future__ import annotations

from functools import lru_cache
from math import copysign, pi, sqrt

import numpy as np
from msgspec import Struct

from .elementary import acos, asin, atan2, hypot, sin_cos
from .triple import Triple
from .vector import Array, frozen, product, transformed

Quaternion = tuple[float, float, float, float]

IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)


def multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    """Hamilton product p q: the rotation q followed by the rotation p."""
    pw, px, py, pz = p
    qw, qx, qy, qz = q
    return (
        pw * qw - px * qx - py * qy - pz * qz,
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
    )


def conjugate(q: Quaternion) -> Quaternion:
    """The inverse rotation of a unit quaternion."""
    w, x, y, z = q
    return (w, -x, -y, -z)


def norm(q: Quaternion) -> float:
    """Length of the quaternion; 1 for a rotation."""
    return hypot(*q)


def normalized(q: Quaternion) -> Quaternion:
    """The unit quaternion along `q`; a `q` that is unit to the last places is returned unchanged.

    Raises ValueError for the zero quaternion and for one without a finite length.
    """
    size = norm(q)
    if not 0.0 < size < float("inf"):
        raise ValueError("a quaternion of length zero or without finite length is no rotation")
    # Dividing by 1 +- 2 ulp would change digits that the user typed, without benefit.
    if abs(size - 1.0) <= 4.5e-16:
        return q
    w, x, y, z = q
    return (w / size, x / size, y / size, z / size)


def rotate(q: Quaternion, v: Triple) -> Triple:
    """The vector `v` rotated by the unit quaternion `q`: v' = v + w t + u × t with u = (x, y, z) and t = 2 u × v."""
    w, x, y, z = q
    vx, vy, vz = v
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return (
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )


def to_matrix(q: Quaternion) -> Array:
    """Rotation matrix (3, 3), whose columns are the body's axes in the world.

    Divides by |q|², so that a quaternion rounded to doubles still gives orthonormal columns to the last place.
    """
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    xx, yy, zz = s * x * x, s * y * y, s * z * z
    xy, xz, yz = s * x * y, s * x * z, s * y * z
    wx, wy, wz = s * w * x, s * w * y, s * w * z
    row_x, row_y = (1.0 - (yy + zz), xy - wz, xz + wy), (xy + wz, 1.0 - (xx + zz), yz - wx)
    return np.array((*row_x, *row_y, xz - wy, yz + wx, 1.0 - (xx + yy))).reshape(3, 3)


def from_matrix(m: Array) -> Quaternion:
    """Unit quaternion of a rotation matrix (3, 3), from the largest of its four components (Shepperd 1978).

    The matrix must be a rotation: this is not checked.
    """
    trace = float(m[0, 0] + m[1, 1] + m[2, 2])
    candidates = (trace, float(m[0, 0]), float(m[1, 1]), float(m[2, 2]))
    largest = candidates.index(max(candidates))
    if largest == 0:
        w = 0.5 * sqrt(1.0 + trace)
        f = 0.25 / w
        q = (w, (m[2, 1] - m[1, 2]) * f, (m[0, 2] - m[2, 0]) * f, (m[1, 0] - m[0, 1]) * f)
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        root = 0.5 * sqrt(max(0.0, 1.0 + m[i, i] - m[j, j] - m[k, k]))
        f = 0.25 / root
        xyz = [0.0, 0.0, 0.0]
        xyz[i] = root
        xyz[j] = (m[j, i] + m[i, j]) * f
        xyz[k] = (m[k, i] + m[i, k]) * f
        q = ((m[k, j] - m[j, k]) * f, xyz[0], xyz[1], xyz[2])
    w, x, y, z = (float(c) for c in q)
    return normalized((w, x, y, z) if w >= 0.0 else (-w, -x, -y, -z))


def from_axis_angle(axis: Triple, angle: float) -> Quaternion:
    """Rotation by `angle`, radians, about `axis`, right-handed.

    Raises ValueError for a zero axis, and for an axis or angle that is not finite.
    """
    size = hypot(*axis)
    if size == 0.0:
        raise ValueError("the axis of a rotation must not be zero")
    s, c = sin_cos(0.5 * angle)
    s /= size
    return normalized((c, axis[0] * s, axis[1] * s, axis[2] * s))


def to_axis_angle(q: Quaternion) -> tuple[Triple, float]:
    """Returns the unit axis and the angle in [0, pi], radians; for the identity the x axis and 0."""
    w, x, y, z = q if q[0] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])
    s = hypot(x, y, z)
    if s == 0.0:
        return (1.0, 0.0, 0.0), 0.0
    return (x / s, y / s, z / s), 2.0 * atan2(s, w)


def from_rotation_vector(v: Triple) -> Quaternion:
    """Rotation about `v` by its length, radians; the identity for the zero vector.

    Raises ValueError for a vector without a finite length.
    """
    angle = hypot(*v)
    return IDENTITY if angle == 0.0 else from_axis_angle(v, angle)


def from_euler_xyz(x: float, y: float, z: float) -> Quaternion:
    """Rotation by intrinsic angles, radians, about X, then Y, then Z: the matrix Rx(x) Ry(y) Rz(z).

    Raises ValueError for angles that are not finite.
    """
    (sx, cx), (sy, cy), (sz, cz) = sin_cos(0.5 * x), sin_cos(0.5 * y), sin_cos(0.5 * z)
    return normalized(multiply(multiply((cx, sx, 0.0, 0.0), (cy, 0.0, sy, 0.0)), (cz, 0.0, 0.0, sz)))


def to_euler_xyz(q: Quaternion) -> Triple:
    """Intrinsic XYZ angles, radians, as in `from_euler_xyz`; y is in [-pi/2, pi/2], and z is 0 at gimbal lock."""
    m = to_matrix(q)
    sin_y = max(-1.0, min(1.0, float(m[0, 2])))
    # Within 1e-7 rad of gimbal lock, x and z turn about the same line: only their sum or difference is known.
    if abs(sin_y) > 1.0 - 5e-15:
        return atan2(float(m[2, 1]), float(m[1, 1])), copysign(0.5 * pi, sin_y), 0.0
    return atan2(-float(m[1, 2]), float(m[2, 2])), asin(sin_y), atan2(-float(m[0, 1]), float(m[0, 0]))


def angle_between(p: Quaternion, q: Quaternion) -> float:
    """Angle in [0, pi], radians, of the rotation that takes p to q."""
    w, x, y, z = multiply(q, conjugate(p))
    s = hypot(x, y, z)
    return 2.0 * (atan2(s, abs(w)) if s < 0.9 else acos(min(1.0, abs(w))))


class Pose(Struct, frozen=True, eq=False):
    """World position (3,), and rotation matrix (3, 3), whose columns are the body's axes."""

    position: Array
    matrix: Array

    @staticmethod
    @lru_cache(maxsize=64)
    def of(position: tuple[float, float, float], rotation: Quaternion) -> Pose:
        """The pose of a position and a unit quaternion (w, x, y, z); cached, as every algorithm uses it again."""
        return Pose(frozen(np.array(position, dtype=np.float64)), frozen(to_matrix(rotation)))

    def to_world(self, points: Array) -> Array:
        """Transforms points (..., 3) from the body's frame to the world."""
        return self.direction_to_world(points) + self.position

    def direction_to_world(self, direction: Array) -> Array:
        """Transforms directions (..., 3) from the body's frame to the world."""
        return _multiplied(direction, self.matrix)

    def to_local(self, points: Array) -> Array:
        """Transforms points (..., 3) from the world to the body's frame."""
        return self.direction_to_local(points - self.position)

    def direction_to_local(self, direction: Array) -> Array:
        """Transforms directions (..., 3) from the world to the body's frame."""
        return _multiplied(direction, self.matrix.T)


_FEW = 4
"""Up to this number, rows are transformed one by one in plain floats, which is quicker."""


def _multiplied(vectors: Array, matrix: Array) -> Array:
    """The products of a matrix (3, 3) and each of the vectors (..., 3)."""
    if vectors.ndim == 1:
        return transformed(matrix, vectors)
    if vectors.ndim == 2 and 0 < len(vectors) <= _FEW:
        rows = matrix.tolist()
        return np.array([[a * x + b * y + c * z for a, b, c in rows] for x, y, z in vectors.tolist()])
    return product(vectors, matrix.T)
