"""The answers about a scene as `separatrix check` prints them for people; with `--single` both precisions.

JSON for machines: `app/cli/answer_keys.py`. Lengths are in scene units, positions and intervals in world values.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np

from core.analysis.analysis import Analysis
from core.analysis.motion_answers import SweepAnswer
from core.float32 import SinglePrecision
from core.geometry.vector import Array
from core.scene import Scene
from core.shapes.contract import SupportFeature
from core.toi.motion import MotionOutcome
from core.verdict import Verdict

from ..words.axis_words import epa_words, gjk_words, known_words, reasons, sat_words, shown_part, verdict_line
from ..words.digits import (
    MINUS,
    TABLE,
    Digits,
    aligned_columns,
    column_number,
    digits_for,
    plain,
    written_of,
    written_with,
)
from ..words.names import contact_features, named_axis, shown_name, support_words
from ..words.quantities import QUANTITIES, Quantity

_LABEL_WIDTH = max(len(quantity.title) for quantity in QUANTITIES) + 2


def contradictions(analysis: Analysis, moving: SweepAnswer | None) -> list[str]:
    """The disagreements between methods, about the bodies at rest and, if `moving` is given, in motion."""
    return [str(one) for one in (*analysis.disagreements, *(moving.disagreements if moving else ()))]


@written_with(Digits.SIX)
def to_text(analysis: Analysis, moving: SweepAnswer | None, name: str, remarks: Sequence[str] = ()) -> str:
    """The answers as text in aligned columns; ends in a new line.

    `name`: the first line. `remarks`: notes below it. `moving`: the motion's answer, if anything moves.
    """
    with written_of(analysis.scene):
        return _text_of(analysis, moving, name, remarks)


def _text_of(analysis: Analysis, moving: SweepAnswer | None, name: str, remarks: Sequence[str]) -> str:
    contact = analysis.contact_vertices
    lines = [
        printable(name),
        f"  {verdict_line(analysis)}",
        *(f"  note: {printable(remark)}" for remark in remarks),
        *(line for quantity in QUANTITIES for line in _quantity_lines(quantity, analysis)),
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
    """The text on one line, with single blanks.

    U+FFFD replaces characters that are not printable, such as control characters, which a terminal would obey.
    """
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(one if one.isprintable() else "\ufffd" for one in line)


def fact(label: str, value: str) -> str:
    """A line of the report: the label in its column, then the value."""
    return f"  {label.ljust(_LABEL_WIDTH)}{value}".rstrip()


def _quantity_lines(quantity: Quantity, analysis: Analysis) -> list[str]:
    value = quantity.value(analysis)
    if value is None:
        return [fact(quantity.title, "none")]
    if isinstance(value, float):
        known = "" if quantity.certainty is None else f", {known_words(analysis, quantity.certainty(analysis))}"
        line = fact(quantity.title, f"{column_number(value)} {quantity.unit}{known}")
        return [line, fact("", quantity.note)] if quantity.note else [line]
    return [fact(quantity.title, f"{vector(shown_part(analysis, value))}  {quantity.note}")]


def vector(values: Array) -> str:
    """The coordinates in columns of equal width."""
    count = digits_for(TABLE)
    return "  ".join([column_number(value, count).rjust(12) for value in values.tolist()])


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
            f"{vector(contact.position[:d])}  depth {column_number(float(contact.depth))}, "
            f"{contact_features(analysis.scene, contact)}",
        )
        for k, contact in enumerate(contacts)
    ]


def _planes_words(analysis: Analysis) -> str:
    """The planes test's result in one line, or the reason why it does not apply."""
    planes = analysis.planes
    if planes is None and "point" in (analysis.scene.a.shape.word, analysis.scene.b.shape.word):
        return "does not apply: a point has no edges"
    if planes is None:
        return "does not apply: a circle or a border is round"
    label, gap = shown_name(planes.best.label), column_number(planes.gap)
    if planes.verdict is Verdict.SEPARATED:
        first = shown_name(planes.first or "")
        return f"apart: all points in front of {label}, the nearest at {gap}; the first such plane is {first}'s"
    if planes.verdict is Verdict.TOUCHING:
        return f"touching: no point behind {label}, the nearest at {gap}"
    return f"overlapping: a point behind every edge's plane, the least {plain(-planes.gap)} behind {label}"


def _sweep_lines(moving: SweepAnswer | None, scene: Scene) -> list[str]:
    """Lines about the motion: outcome, time, axis, and the contacts at that time."""
    if moving is None:
        return []
    found = moving.result
    words = found.outcome.value.lower().replace("_", " ")
    if found.outcome is MotionOutcome.HIT and found.time is not None:
        words += f" at time {column_number(found.time)} (0: start, 1: end)"
    if found.outcome is MotionOutcome.ITERATION_LIMIT:
        words += f", free until time {column_number(found.free)}"
    lines = [fact("motion", f"{words}, by {moving.method.value}")]
    if found.normal is not None:
        along = "" if found.axis is None else f", axis {named_axis(found.axis)}"
        lines.append(fact("", f"{vector(found.normal[: scene.dimension])}  unit, from A towards B{along}"))
    if found.outcome is MotionOutcome.HIT and found.separation is not None:
        lines.append(fact("", f"separation left there {column_number(found.separation)} scene units"))
        lines += [
            fact("", f"{vector(contact.position[: scene.dimension])}  {contact_features(scene, contact)}")
            for contact in moving.contacts
        ]
    return lines


def _axis_lines(analysis: Analysis) -> list[str]:
    table, turned = analysis.sat, analysis.sat.directed
    ends = np.concatenate((turned.interval_a, turned.interval_b), axis=1) + turned.offset[:, None]
    # An infinity is written as such, the NaN of a degenerate row as dashes.
    figures = np.concatenate((table.separations[:, None], ends), axis=1)
    names = ["axis", *[named_axis(candidate.label) for candidate in table.candidates]]
    columns = aligned_columns(figures, ("separation", "A from", "A to", "B from", "B to"))
    statuses, words = ["status", *[status.lower() for status in table.statuses]], ["reason", *reasons(analysis)]
    name, status = (f"%-{max(map(len, column))}s" for column in (names, statuses))
    return list(map(f"  {name}  %s  {status}  %s".__mod__, zip(names, columns, statuses, words, strict=True)))


def single_text(found: SinglePrecision) -> str:
    """A row in single and one in double precision for each algorithm, then the differences; ends in a new line."""
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


def _figures(separation: float, normal: Array) -> tuple[str, ...]:
    return tuple(_figure(float(value)) for value in (separation, *normal))


def _figure(value: float) -> str:
    """The value with nine significant digits, enough to tell any two single-precision numbers apart."""
    if value == 0.0:
        return "0"
    return f"{value:+.9g}".replace("-", MINUS) if isfinite(value) else "–"
