"""The answers about a scene as `separatrix check` prints them: text for people, one JSON object for machines.

In the plane vectors are pairs, and JSON has two more keys: `dimension`, and `planes`, the planes test. With `--single`
single precision stands beside double.

The object's keys are those of app/README.md, "Command line". Lengths are in scene units, positions and intervals in
world values. What has no value (the axis of parallel edges, an algorithm that does not apply) is null.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from core.analysis.analysis import Analysis
from core.analysis.motion_answers import SweepAnswer
from core.contact.contact import Contact, Manifold
from core.float32 import SingleAnswer, SinglePrecision
from core.geometry.vector import Array
from core.pair.support import ContactVertices
from core.sat.sat import AxisStatus, SatTable
from core.scene import Scene
from core.shapes.contract import SupportFeature
from core.toi.motion import MotionOutcome
from core.verdict import Certainty, Verdict, formula

from ..words.axis_words import epa_words, gjk_words, provenance_words, reasons, sat_words, verdict_line
from ..words.digits import MINUS, TABLE, Digits, aligned, number, plain, raised, written_of, written_with
from ..words.names import contact_features, shown_name, support_words
from ..words.terms import terms_of

if TYPE_CHECKING:
    from core.sat.planes_test import PlanesTest


_LABEL_WIDTH = 12


def to_object(
    analysis: Analysis,
    moving: Callable[[], SweepAnswer | None],
    name: str,
    remarks: Sequence[str] = (),
    *,
    wants: Callable[[str], bool] = lambda _: True,
) -> dict[str, Any]:
    """The answers as JSON values, of the keys that one `wants`: what no key needs is not computed.

    `moving`: the answer about the motion. A scene mended on reading adds the key `remarks`.
    """
    d = analysis.scene.dimension
    plane: dict[str, Callable[[], Any]] = {"dimension": lambda: d} if d == 2 else {}
    answers: dict[str, Callable[[], Any]] = {
        "name": lambda: name,
        **plane,
        "verdict": lambda: analysis.verdict.value,
        "separation": lambda: float(analysis.separation),
        "normal": lambda: floats(analysis.normal[:d]),
        "mtv": lambda: None if analysis.mtv is None else floats(analysis.mtv[:d]),
        "witness_a": lambda: floats(analysis.witness_a[:d]),
        "witness_b": lambda: floats(analysis.witness_b[:d]),
        "sat": lambda: _sat_object(analysis.sat, d),
        **({"planes": lambda: _planes_object(analysis.planes)} if plane else {}),
        "gjk": lambda: _gjk_object(analysis),
        "epa": lambda: _epa_object(analysis),
        "contact_vertices": lambda: _vertices_object(analysis.contact_vertices, d),
        "contacts": lambda: None if analysis.contacts is None else _contact_objects(analysis.contacts.contacts, d),
        "sweep": lambda: _sweep_object(moving(), d),
        "disagreements": lambda: contradictions(analysis, moving()),
        "provenance": lambda: _provenance_object(analysis),
        "flatness": lambda: _flatness_object(analysis.contacts),
        **({"remarks": lambda: list(remarks)} if remarks else {}),
    }
    return {key: answer() for key, answer in answers.items() if wants(key)}


def contradictions(analysis: Analysis, moving: SweepAnswer | None) -> list[str]:
    """What methods disagree about, where the bodies are and as they move."""
    return [str(one) for one in (*analysis.disagreements, *(moving.disagreements if moving else ()))]


def _vertices_object(contact: ContactVertices, d: int) -> dict[str, Any]:
    return {
        "a": floats(contact.a.points[:, :d]),
        "b": floats(contact.b.points[:, :d]),
        "feature_a": contact.a.kind,
        "feature_b": contact.b.kind,
    }


def error_object(name: str, error: str) -> dict[str, Any]:
    """What stands in place of the answers for a scene that was refused."""
    return {"name": name, "error": error}


@written_with(Digits.SIX)
def to_text(analysis: Analysis, moving: SweepAnswer | None, name: str, remarks: Sequence[str] = ()) -> str:
    """The answers for people: aligned, signed, in scene units; ends in a new line. `moving`: about the motion."""
    with written_of(analysis.scene):
        return _text_of(analysis, moving, name, remarks)


def _text_of(analysis: Analysis, moving: SweepAnswer | None, name: str, remarks: Sequence[str]) -> str:
    contact, d = analysis.contact_vertices, analysis.scene.dimension
    lines = [
        printable(name),
        f"  {verdict_line(analysis)}",
        *(f"  note: {printable(remark)}" for remark in remarks),
        fact("separation", f"{number(analysis.separation)} scene units, {provenance_words(analysis.certainty)}"),
        fact("", "positive: apart, negative: overlapping"),
        fact("normal", vector(analysis.normal[:d]) + "  unit, from A towards B"),
        fact("mtv", "none" if analysis.mtv is None else vector(analysis.mtv[:d]) + "  added to B, separates them"),
        fact("witness A", vector(analysis.witness_a[:d])),
        fact("witness B", vector(analysis.witness_b[:d])),
        fact("contact A", _feature(analysis.scene, 0, contact.a)),
        fact("contact B", _feature(analysis.scene, 1, contact.b)),
        *([] if analysis.polygon is None else [fact("planes", _planes_words(analysis))]),
        fact("GJK", gjk_words(analysis)),
        fact("EPA", epa_words(analysis)),
        *_contact_lines(analysis),
        *_sweep_lines(moving, analysis.scene),
    ]
    lines += [f"  DISAGREEMENT: {sentence}" for sentence in contradictions(analysis, moving)]
    note = [f"  {words}"] if (words := sat_words(analysis)) else []
    return "\n".join([*lines, "", *note, *_axis_lines(analysis)]) + "\n"


def printable(text: str) -> str:
    """Text on one line, without the control characters that a terminal would obey."""
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(one if one.isprintable() else "\ufffd" for one in line)


def _provenance_object(analysis: Analysis) -> dict[str, Any]:
    """How the numbers are known; null where there is none. The gap is how far off one may be."""
    table, gjk, epa = analysis.sat, analysis.gjk, analysis.epa
    return {
        "separation": known(analysis.certainty),
        "sat": known(formula(table.separation, reached=table.exact)) if table.applies else None,
        "gjk": None if gjk is None or gjk.separation is None else known(gjk.certainty),
        "epa": None if epa is None else known(epa.certainty),
    }


def known(certainty: Certainty) -> dict[str, Any]:
    """How a number is known."""
    return {"kind": certainty.provenance.value, "gap": float(certainty.gap)}


def _sat_object(table: SatTable, d: int) -> dict[str, Any]:
    return {
        "applies": table.applies,
        "separation": float(table.separation),
        "normal": floats(table.normal[:d]),
        "winner": table.candidates[table.winner].label,
        "ties": [table.candidates[row].label for row in table.ties],
        "axes": _axis_objects(table, d),
    }


def _gjk_object(analysis: Analysis) -> dict[str, Any] | None:
    """GJK's own answer; once the cores meet it has no separation, and its witnesses are one point of both cores."""
    found, origin, d = analysis.gjk, np.array(analysis.scene.a.position), analysis.scene.dimension
    if found is None:
        return None
    return {
        "stop": found.stop.value,
        "iterations": found.iterations,
        "separation": found.separation,
        "witness_a": floats((origin + found.witness_a)[:d]),
        "witness_b": floats((origin + found.witness_b)[:d]),
    }


def _epa_object(analysis: Analysis) -> dict[str, Any] | None:
    """EPA's own answer; null where GJK sufficed."""
    found = analysis.epa
    if found is None:
        return None
    return {
        "stop": found.stop.value,
        "iterations": found.iterations,
        "depth": float(found.depth),
        "normal": floats(found.normal[: analysis.scene.dimension]),
    }


def _flatness_object(found: Manifold | None) -> dict[str, Any] | None:
    """How flat both bodies lie, and the tolerances that decided about the contacts; null without contacts.

    `angles`: from square to the normal, radians, null for what is round; `alpha`: flat within; `delta`: contacts may be
    so far apart, `gaps` of them are; `dropped`: corners of the patch that were too many.
    """
    flatness = None if found is None else found.flatness
    if flatness is None:
        return None
    return {
        "angles": list(flatness.angles),
        "alpha": flatness.alpha,
        "delta": flatness.delta,
        "gaps": flatness.gaps,
        "dropped": flatness.dropped,
    }


def _contact_objects(contacts: Sequence[Contact], dimension: int) -> list[dict[str, Any]]:
    """The points of a manifold, with as many coordinates as there are dimensions."""
    return [
        {
            "position": floats(contact.position[:dimension]),
            "depth": float(contact.depth) + 0.0,  # no -0.0
            "feature_a": contact.feature_a,
            "feature_b": contact.feature_b,
        }
        for contact in contacts
    ]


def _sweep_object(moving: SweepAnswer | None, dimension: int) -> dict[str, Any] | None:
    """When the bodies meet on their way; null where neither moves or turns. No `contacts` without a meeting."""
    if moving is None:
        return None
    found = moving.result
    return {
        "outcome": found.outcome.value,
        "time": found.time,
        "axis": found.axis,
        "normal": None if found.normal is None else floats(found.normal[:dimension]),
        "contacts": _contact_objects(moving.contacts, dimension) if moving.contacts else None,
        "separation": None if found.separation is None else found.separation + 0.0,  # no -0.0
        "free_until": found.free,
        "method": moving.method.value,
        "stop": found.stop.value,
    }


def _axis_objects(table: SatTable, d: int) -> list[dict[str, Any]]:
    """The rows, made of whole columns; without a direction there are no numbers, and a half-space has but one end."""
    offset = table.offset[:, None]
    intervals = _ends(table.interval_a + offset), _ends(table.interval_b + offset)
    columns = floats(table.axes[:, :d]), *intervals, table.sides.tolist(), table.separations.tolist()
    return [
        {
            "label": candidate.label,
            "kind": candidate.kind if d == 3 else terms_of(d).said(candidate.kind),
            "axis": None if degenerate else axis,
            "interval_a": None if degenerate else of_a,
            "interval_b": None if degenerate else of_b,
            "side": None if degenerate else side,
            "separation": None if degenerate else separation,
            "status": status,
        }
        for candidate, status, axis, of_a, of_b, side, separation in zip(
            table.candidates, table.statuses, *columns, strict=True
        )
        for degenerate in (status is AxisStatus.DEGENERATE,)
    ]


def _ends(intervals: Array) -> list[list[float | None]]:
    """Intervals (n, 2) with null for an end that there is none of."""
    told: list[list[float | None]] = intervals.tolist()
    if isfinite(intervals.sum()):
        return told
    return [[end if end is not None and isfinite(end) else None for end in interval] for interval in told]


def floats(values: Array) -> list[Any]:
    """Numbers, or rows of them, as JSON has them."""
    if values.ndim == 1:
        return [value + 0.0 for value in values.tolist()]  # no -0.0
    told: list[Any] = (values + 0.0).tolist()
    return told


def fact(label: str, value: str) -> str:
    """A line of the text: what it is about, and what holds."""
    return f"  {label.ljust(_LABEL_WIDTH)}{value}".rstrip()


def vector(values: Array) -> str:
    """Coordinates, aligned."""
    count = raised(TABLE)
    return "  ".join([number(value, count).rjust(12) for value in values.tolist()])


def _feature(scene: Scene, body: int, feature: SupportFeature) -> str:
    corners = ", ".join(f"{'AB'[body]}.v{index}" for index in feature.indices)
    return support_words(scene, body, feature) + (
        f" ({corners})" if feature.kind in ("edge", "face") and corners else ""
    )


def _contact_lines(analysis: Analysis) -> list[str]:
    """One line a contact: position, depth and the two features that made it."""
    if analysis.contacts is None:
        return [fact("contacts", "no manifold")]
    contacts, d = analysis.contacts.contacts, analysis.scene.dimension
    if not contacts:
        return [fact("contacts", "none")]
    return [
        fact(
            f"contact {k + 1}",
            f"{vector(contact.position[:d])}  depth {number(float(contact.depth))}, "
            f"{contact_features(analysis.scene, contact)}",
        )
        for k, contact in enumerate(contacts)
    ]


def _planes_object(planes: PlanesTest | None) -> dict[str, Any] | None:
    """The planes test of two polygons; null with what is round or a point."""
    if planes is None:
        return None
    return {"verdict": planes.verdict.value, "gap": planes.gap, "best": planes.best.label, "first": planes.first}


def _planes_words(analysis: Analysis) -> str:
    """The planes test in one line, or why there is none."""
    planes = analysis.planes
    if planes is None and "point" in (analysis.scene.a.shape.word, analysis.scene.b.shape.word):
        return "does not apply: a point has no edges"
    if planes is None:
        return "does not apply: a circle or a border is round"
    label, gap = shown_name(planes.best.label), number(planes.gap)
    if planes.verdict is Verdict.SEPARATED:
        first = shown_name(planes.first or "")
        return f"apart: all points in front of {label}, the nearest at {gap}; the first such plane is {first}'s"
    if planes.verdict is Verdict.TOUCHING:
        return f"touching: no point behind {label}, the nearest at {gap}"
    return f"overlapping: a point behind every edge's plane, the least {plain(-planes.gap)} behind {label}"


def _sweep_lines(moving: SweepAnswer | None, scene: Scene) -> list[str]:
    """The motion: outcome, time, axis, and the contacts at that time."""
    if moving is None:
        return []
    found = moving.result
    words = found.outcome.value.lower().replace("_", " ")
    if found.outcome is MotionOutcome.HIT and found.time is not None:
        words += f" at time {number(found.time)} (0: start, 1: end)"
    if found.outcome is MotionOutcome.ITERATION_LIMIT:
        words += f", free until time {number(found.free)}"
    lines = [fact("motion", f"{words}, by {moving.method.value}")]
    if found.normal is not None:
        along = "" if found.axis is None else f", axis {shown_name(found.axis)}"
        lines.append(fact("", f"{vector(found.normal[: scene.dimension])}  unit, from A towards B{along}"))
    if found.outcome is MotionOutcome.HIT and found.separation is not None:
        lines.append(fact("", f"separation left there {number(found.separation)} scene units"))
        lines += [
            fact("", f"{vector(contact.position[: scene.dimension])}  {contact_features(scene, contact)}")
            for contact in moving.contacts
        ]
    return lines


def _axis_lines(analysis: Analysis) -> list[str]:
    table, turned = analysis.sat, analysis.sat.directed
    ends = np.concatenate((turned.interval_a, turned.interval_b), axis=1) + turned.offset[:, None]
    # Infinities are told as they are; a degenerate row is NaN, which is told as dashes.
    figures = np.concatenate((table.separations[:, None], ends), axis=1)
    names = ["axis", *[shown_name(candidate.label) for candidate in table.candidates]]
    told = aligned(figures, ("separation", "A from", "A to", "B from", "B to"))
    statuses, words = ["status", *[status.lower() for status in table.statuses]], ["reason", *reasons(analysis)]
    name, status = (f"%-{max(map(len, column))}s" for column in (names, statuses))
    return list(map(f"  {name}  %s  {status}  %s".__mod__, zip(names, told, statuses, words, strict=True)))


def single_object(found: SinglePrecision) -> dict[str, Any]:
    """The answers of every algorithm that applies; null where single precision finds no number."""
    size = found.scene.dimension
    return {"band": _known(found.band), "answers": [_answer_object(answer, size) for answer in found.answers]}


def single_text(found: SinglePrecision) -> str:
    """For each algorithm a row in single precision and one in double, and what differs; ends in a new line."""
    size = found.scene.dimension
    rows: list[tuple[str, ...]] = [("in floats", "verdict", "separation", "normal", *[""] * (size - 1))]
    for answer in found.answers:
        verdict = "not a number" if answer.verdict is None else answer.verdict.value
        rows.append((answer.algorithm, verdict, *_figures(answer.separation, answer.normal[:size])))
        figures = _figures(answer.double_separation, answer.double_normal[:size])
        rows.append(("  in double", answer.double_verdict.value, *figures))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    line = "".join([f"  %{'-' if k < 2 else ''}{wide}s" for k, wide in enumerate(widths)])
    lines = [(line % row).rstrip() for row in rows]
    return "\n".join([*lines, *(f"  {answer.words}" for answer in found.answers)]) + "\n"


def _answer_object(answer: SingleAnswer, size: int) -> dict[str, Any]:
    return {
        "algorithm": answer.algorithm,
        "verdict": None if answer.verdict is None else answer.verdict.value,
        "separation": _known(answer.separation),
        "normal": floats(answer.normal[:size]) if answer.verdict is not None else None,
        "gap": _known(answer.gap),
        "double": {
            "verdict": answer.double_verdict.value,
            "separation": _known(answer.double_separation),
            "normal": floats(answer.double_normal[:size]),
        },
        "error": _known(answer.error),
        "turned": _known(answer.turned),
        "proven": _known(answer.proven),
        "words": str(answer.words),
    }


def _known(value: float) -> float | None:
    return float(value) + 0.0 if isfinite(value) else None  # no -0.0


def _figures(separation: float, normal: Array) -> tuple[str, ...]:
    return tuple(_figure(float(value)) for value in (separation, *normal))


def _figure(value: float) -> str:
    """Nine significant digits, which tell any two floats apart."""
    if value == 0.0:
        return "0"
    return f"{value:+.9g}".replace("-", MINUS) if isfinite(value) else "–"
