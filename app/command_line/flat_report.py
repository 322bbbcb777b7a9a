"""The answers about a scene of the plane as `separatrix check` prints them: as `report` has them, with pairs `[x, y]`.

JSON adds two keys: `dimension`, and `planes`, the planes test of two polygons (null with a circle).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.algorithms.sat_table import AxisStatus
from core.answer import Certainty, Provenance, Verdict, iterated
from core.motion_answers import SweepAnswer
from core.planar.analysis import Analysis2
from core.planar.planes_test import PlanesTest
from core.planar.sat import SatTable2
from core.planar.vec2 import add
from core.shapes.feature import SupportFeature

from ..words.axis_words import epa_words, gjk_words, listed, number, plain, provenance_words
from .report import (
    columns,
    contact_lines,
    contact_objects,
    fact,
    known,
    number_lines,
    printable,
    sweep_lines,
    sweep_object,
)


def flat_object(
    analysis: Analysis2, moving: SweepAnswer | None, name: str, remarks: Sequence[str] = ()
) -> dict[str, Any]:
    """The answers as JSON values; `moving`: that about the motion."""
    contact = analysis.contact_vertices
    answers: dict[str, Any] = {
        "name": name,
        "dimension": 2,
        "verdict": analysis.verdict.value,
        "separation": analysis.separation,
        "normal": list(analysis.normal),
        "mtv": None if analysis.mtv is None else list(analysis.mtv),
        "witness_a": list(analysis.witness_a),
        "witness_b": list(analysis.witness_b),
        "sat": _sat_object(analysis.sat),
        "planes": _planes_object(analysis.planes),
        "gjk": _gjk_object(analysis),
        "epa": _epa_object(analysis),
        "contact_vertices": {
            "a": contact.a.points.tolist(),
            "b": contact.b.points.tolist(),
            "feature_a": contact.a.kind,
            "feature_b": contact.b.kind,
        },
        "contacts": contact_objects(analysis.contacts.contacts, dimension=2),
        "sweep": sweep_object(moving, dimension=2),
        "disagreements": [*analysis.disagreements, *(moving.disagreements if moving else ())],
        "provenance": _provenance_object(analysis),
    }
    return answers | ({"remarks": list(remarks)} if remarks else {})


def flat_text(analysis: Analysis2, moving: SweepAnswer | None, name: str, remarks: Sequence[str] = ()) -> str:
    """The answers for people: aligned, signed, in scene units; ends in a new line. `moving`: about the motion."""
    contact = analysis.contact_vertices
    lines = [printable(name), f"  {_verdict_line(analysis)}"]
    lines += number_lines(analysis, remarks)
    lines += [
        fact("contact A", _feature(contact.a)),
        fact("contact B", _feature(contact.b)),
        fact("planes", _planes_words(analysis.planes)),
        fact("GJK", gjk_words(analysis)),
        fact("EPA", epa_words(analysis)),
        *contact_lines(analysis.contacts.contacts),
        *sweep_lines(moving, dimension=2),
    ]
    contradictions = (*analysis.disagreements, *(moving.disagreements if moving else ()))
    lines += [f"  DISAGREEMENT: {sentence}" for sentence in contradictions]
    return "\n".join([*lines, "", *_axis_lines(analysis.sat)]) + "\n"


def _sat_object(table: SatTable2) -> dict[str, Any]:
    return {
        "applies": True,
        "separation": table.separation,
        "normal": list(table.normal),
        "winner": table.candidates[table.winner].label,
        "ties": [table.candidates[row].label for row in table.ties],
        "axes": [_axis_object(table, row) for row in range(len(table.candidates))],
    }


def _axis_object(table: SatTable2, row: int) -> dict[str, Any]:
    candidate, offset = table.candidates[row], float(table.offset[row])
    degenerate = table.statuses[row] is AxisStatus.DEGENERATE
    return {
        "label": candidate.label,
        "kind": candidate.kind.value,
        "axis": None if degenerate else table.axes[row].tolist(),
        "interval_a": None if degenerate else (table.interval_a[row] + offset).tolist(),
        "interval_b": None if degenerate else (table.interval_b[row] + offset).tolist(),
        "separation": None if degenerate else float(table.separations[row]),
        "status": table.statuses[row].value,
    }


def _planes_object(planes: PlanesTest | None) -> dict[str, Any] | None:
    if planes is None:
        return None
    return {"verdict": planes.verdict.value, "gap": planes.gap, "best": planes.best.label, "first": planes.first}


def _gjk_object(analysis: Analysis2) -> dict[str, Any]:
    """GJK's own answer; once the cores meet it has no separation, and its witnesses are one point of both cores."""
    found, origin = analysis.gjk, analysis.scene.a.position
    return {
        "stop": found.stop.value,
        "iterations": found.iterations,
        "separation": found.separation,
        "witness_a": list(add(found.witness_a, origin)),
        "witness_b": list(add(found.witness_b, origin)),
    }


def _epa_object(analysis: Analysis2) -> dict[str, Any] | None:
    found = analysis.epa
    if found is None:
        return None
    return {
        "stop": found.stop.value,
        "iterations": found.iterations,
        "depth": found.depth,
        "normal": list(found.normal),
    }


def _provenance_object(analysis: Analysis2) -> dict[str, Any]:
    gjk, epa = analysis.gjk, analysis.epa
    return {
        "separation": known(analysis.certainty),
        "sat": known(Certainty(Provenance.EXACT if analysis.sat.exact else Provenance.BOUND)),
        "gjk": None if gjk.separation is None else known(iterated(gjk.certified, gjk.gap)),
        "epa": None if epa is None else known(iterated(epa.certified, epa.gap)),
    }


def _verdict_line(analysis: Analysis2) -> str:
    table, size = analysis.sat, plain(abs(analysis.separation))
    size += " unit" if size == "1" else " units"
    winner = table.candidates[table.winner].label
    ties = [table.candidates[row].label for row in table.ties]
    axis = f"along {winner}" + (f" (tied with {listed(ties)})" if ties else "")
    if table.statuses[table.winner] is AxisStatus.DEGENERATE:
        axis = "in any direction"
    if analysis.verdict is Verdict.TOUCHING:
        side = "gap" if analysis.separation >= 0.0 else "depth"
        return f"Touching: a {side} of {size} {axis}, within the band of ±{plain(analysis.band)}"
    known = provenance_words(analysis.certainty)
    if analysis.verdict is Verdict.OVERLAPPING:
        return f"Overlapping: the shortest way out is {size} {axis}, {known}"
    if table.exact:
        return f"Separated: {size} apart, {known}, {axis}"
    return f"Separated: {size} apart, {known}; separating axis {winner} shows {plain(table.separation)}, a lower bound"


def _planes_words(planes: PlanesTest | None) -> str:
    """The planes test in one line, or why there is none."""
    if planes is None:
        return "not with a circle, which has no edges"
    label, gap = planes.best.label, number(planes.gap)
    if planes.verdict is Verdict.SEPARATED:
        return f"apart: all points in front of {label}, {gap} the nearest; the first such plane is {planes.first}'s"
    if planes.verdict is Verdict.TOUCHING:
        return f"touching: no point behind {label}, {gap} the nearest"
    return f"overlapping: some point behind every edge's plane, the least {plain(-planes.gap)} behind {label}"


def _axis_lines(table: SatTable2) -> list[str]:
    rows: list[tuple[str, ...]] = [("axis", "separation", "A from", "A to", "B from", "B to", "status")]
    for row, candidate in enumerate(table.candidates):
        ends = [float(end + table.offset[row]) for end in (*table.interval_a[row], *table.interval_b[row])]
        status = table.statuses[row].value.lower() + (", winner" if row == table.winner else "")
        rows.append((candidate.label, number(float(table.separations[row])), *(number(end) for end in ends), status))
    return columns(rows)


def _feature(feature: SupportFeature) -> str:
    if feature.kind != "edge":
        return feature.name
    return f"{feature.name} ({', '.join(f'v{index}' for index in feature.indices)})"
