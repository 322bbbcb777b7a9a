"""MPR in fourteen lines, by name, and on which of them a step ended."""

from __future__ import annotations

from collections.abc import Mapping

from core.mpr.answer import MprAction, MprStep, MprStop

LINES: Mapping[str, str] = {
    "centre": "v0 ← centre of A − centre of B, nudged if it is 0",
    "no centre": "    a half-space has none:  HALF_SPACE",
    "first": "v1 ← support along d = −v0",
    "in line": "    if v0, origin and v1 are in line:  ON_RAY, or TOUCHING",
    "second": "v2 ← support along d = v0 × v1",
    "discover": "repeat until the ray passes between v1, v2 and v3:",
    "third": "    v3 ← support in front of the plane of v0, v1, v2",
    "refine": "repeat, d the normal of the portal v1 v2 v3:",
    "support": "    w ← support along d,  overlapping once d·v1 ≥ 0",
    "near": "    if w is near the portal:  SURFACE, or WITHIN_TOLERANCE",
    "replace": "    w replaces a corner: the ray passes the new portal",
    "beyond": "at any w:  d·w < 0 is EXCLUDED, 0 is PLANE_AT_ORIGIN,",
    "flat": "    or FLAT_DIFFERENCE if A − B is flat along d",
    "give up": "no normal: DEGENERATE_PORTAL, too many: ITERATION_LIMIT",
}
"""The lines, indented by four spaces a level."""

_AFTER = {
    MprAction.CENTRE: "centre",
    MprAction.FIRST: "first",
    MprAction.SECOND: "second",
    MprAction.SWAP: "second",
    MprAction.THIRD: "third",
    MprAction.REFINE: "replace",
    MprAction.DEEPEN: "replace",
}

_STOPS = {
    MprStop.SURFACE: "near",
    MprStop.WITHIN_TOLERANCE: "near",
    MprStop.ON_RAY: "in line",
    MprStop.TOUCHING: "in line",
    MprStop.EXCLUDED: "beyond",
    MprStop.PLANE_AT_ORIGIN: "beyond",
    MprStop.FLAT_DIFFERENCE: "flat",
    MprStop.DEGENERATE_PORTAL: "give up",
    MprStop.ITERATION_LIMIT: "give up",
    MprStop.HALF_SPACE: "no centre",
    MprStop.SPACE_ONLY: "no centre",
}


def line_name(step: MprStep) -> str:
    """The name of the line that a step ended on."""
    return _AFTER[step.action] if step.stop is None else _STOPS[step.stop]


def line_number(step: MprStep) -> int:
    """Its number, from 0."""
    return list(LINES).index(line_name(step))
