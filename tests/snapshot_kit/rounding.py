"""Scenes of which rounding decides what is drawn or said, found by collecting them with another BLAS kernel.

With OPENBLAS_CORETYPE Prescott in place of Haswell these differ by more than the tolerances, all others do not. The
collecting processes fix the kernel; who changes an order of sums meets the same differences, and no others may come.
"""

from __future__ import annotations

_TIE = "two supports are equally far, and GJK goes on with the one that rounding prefers"
_LAST = "the search ends when nothing changes any more, some steps earlier or later"
_FLAT = "the point sought is anywhere on an edge or face that lies square to the direction"
_HAIR = "the bodies are a hair apart or deep: the direction between them is rounding"
_NOISE = "numbers that are 0 but for rounding are shown with all their digits"

ROUNDING = {
    "box-lands-on-a-plane": _NOISE,
    "box-on-plane-edge": _NOISE,
    "box-on-plane-face": _NOISE,
    "box-on-plane-vertex": _NOISE,
    "boxes-that-part": _TIE,
    "crossed-edges": _NOISE,
    "drake-21673": _TIE,
    "ellipsoids": _LAST,
    "far-from-origin": _NOISE,
    "fcl-493": _HAIR,
    "latest-axis-by-one-sign": _TIE,
    "mujoco-thin-grazing": _HAIR,
    "plane-through-three-points": _LAST,
    "point-in-convex": _NOISE,
    "resting-and-sliding": _TIE,
    "skew-edges": _NOISE,
    "sphere-centre-inside": _NOISE,
    "sphere-corner-region": _NOISE,
    "sphere-edge-region": _FLAT,
    "sphere-face-region": _FLAT,
    "sphere-past-a-box": _FLAT,
    "turning-boxes": _NOISE,
    "two-hulls": _FLAT,
}
"""Why, by the name of the preset; of the scenes kept for tests nearly all are cases of rounding."""
