"""Questions about the answer as a whole: do they meet, which axis decides, how many contacts."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np

from core.algorithms.contact import ContactCase, Manifold
from core.algorithms.sat import AxisKind, AxisStatus, SatTable
from core.analysis import Analysis
from core.answer import Verdict

from ..draw_list import Subject
from ..prediction import Kind, Question
from ..words.axis_words import plain, verdict_line

VISIBLE = 0.02
"""Lengths that are to be told apart in the picture differ by this share of the smaller body's size at least."""

MOST_RIGHT = 0.5
"""Where more than this share of the candidates is right there is nothing to be asked."""

ANSWER_OVERLAYS = frozenset({"plane", "resolved", "contacts", "mtv", "closest", "globe", "gauss"})
"""What tells the answer as a whole."""

MOST_CONTACTS = 8

VERDICTS = (Verdict.SEPARATED, Verdict.TOUCHING, Verdict.OVERLAPPING)
VERDICT_WORDS = ("Separated", "Touching", "Overlapping")
PLACES = ("outside the difference", "on the surface of the difference", "inside the difference")
"""Where the origin is, by VERDICTS."""


def size_of(analysis: Analysis) -> float:
    """Radius of the smaller of the two bodies; of the bounded one beside a half-space."""
    return min(body.shape.bounding_radius for body in (analysis.scene.a, analysis.scene.b))


@overload
def verdict_question(analysis: Analysis, *, always: Literal[True]) -> Question: ...
@overload
def verdict_question(analysis: Analysis) -> Question | None: ...
def verdict_question(analysis: Analysis, *, always: bool = False) -> Question | None:
    """Do they meet? Not asked where the gap or overlap is too small to be seen, unless there is nothing else."""
    seen = analysis.verdict is Verdict.TOUCHING or abs(analysis.separation) >= VISIBLE * size_of(analysis)
    if not (seen or always):
        return None
    buttons = tuple(Subject("verdict", k) for k in range(len(VERDICTS)))
    right = buttons[VERDICTS.index(analysis.verdict)]
    words = verdict_line(analysis)

    def feedback(subject: Subject) -> str:
        if not seen:
            return "No picture can tell: the two surfaces are closer than a pixel. Try again, or see the number."
        return f"Not {VERDICT_WORDS[subject.number].lower()}: then the origin would lie {PLACES[subject.number]}."

    return Question(
        kind=Kind.VERDICT,
        text="Do A and B meet?",
        hint=f"{_where(analysis)} The answer, its arrow and its numbers are held back.",
        how="Choose one of the three answers.",
        candidates=dict(zip(buttons, VERDICT_WORDS, strict=True)),
        right=frozenset({right}),
        feedback=feedback,
        explanation=f"{words}." + ("" if seen else " Too little for any picture: the number decides."),
        pane="both",
        buttons=buttons,
        held_back=ANSWER_OVERLAYS | {"axes"},
        needed=frozenset({"bodies", "difference"}),
        covers=frozenset({"verdict", "answers", "table"}),
    )


def _where(analysis: Analysis) -> str:
    if analysis.difference is not None and analysis.difference.plane is not None:
        return "Look along the plane, and at the origin beside the difference: inside it the bodies overlap."
    return "Turn the view. They overlap where the origin is inside the difference, and touch where it is on its skin."


def axis_question(analysis: Analysis) -> Question | None:
    """Which axis decides? Asked where there are several and the winner's lead can be seen."""
    sat = analysis.sat
    rows = [k for k, status in enumerate(sat.statuses) if status is not AxisStatus.DEGENERATE]
    lines = {int(sat.same_as[k]) for k in rows}
    if not sat.applies or len(lines) < 2 or sat.statuses[sat.winner] is AxisStatus.DEGENERATE:
        return None
    right = _winners(sat)
    others = [k for k in rows if k not in right]
    if not others or len(right) > MOST_RIGHT * len(rows):
        return None
    second = max(others, key=lambda k: float(sat.separations[k]))
    if sat.separation - float(sat.separations[second]) < VISIBLE * size_of(analysis):
        return None
    apart, rounded = analysis.verdict is Verdict.SEPARATED, _rounded_parts(sat)
    explanation = (
        f"{sat.candidates[sat.winner].label} shows {_way(analysis, sat.separation)}, the "
        f"{'largest gap' if apart else 'shortest way out'} of {len(rows)} axes{_ties(sat, right)}. "
        f"Next comes {sat.candidates[second].label} with {_way(analysis, float(sat.separations[second]))}."
    )

    def feedback(subject: Subject) -> str:
        label, value = sat.candidates[subject.number].label, float(sat.separations[subject.number])
        here = f"{label} shows {_way(analysis, value)}."
        if apart:
            return f"{here} Another axis shows {_way(analysis, sat.separation)}, and the largest gap decides."
        return (
            f"{here} The way out there is longer than along the winner, which shows {_way(analysis, sat.separation)}."
        )

    return Question(
        kind=Kind.AXIS,
        text="Which axis wins?",
        hint=(
            "The one with the largest gap, or without any gap the one with the least overlap: the pair of faces of "
            "the difference that is nearest the origin. Point at faces to see both intervals."
            + (" The rounded parts stand for the axis through the closest points." if rounded else "")
        ),
        how="Click a face of the difference, or a row of the axis table (Tab).",
        candidates={Subject("axis", k): sat.candidates[k].label for k in rows},
        right=frozenset(Subject("axis", k) for k in right),
        feedback=feedback,
        explanation=explanation,
        pane="difference",
        stands_for=rounded,
        held_back=ANSWER_OVERLAYS,
        needed=frozenset({"bodies", "difference", "axes"}),
        covers=frozenset({"verdict", "answers", "table"}),
    )


def _winners(sat: SatTable) -> set[int]:
    """Rows that are right: the winner, its ties, and whatever lies on the same line as one of them."""
    best = {sat.winner, *sat.ties}
    lines = {int(sat.same_as[k]) for k in best}
    known = (k for k, status in enumerate(sat.statuses) if status is not AxisStatus.DEGENERATE)
    return {k for k in known if k in best or int(sat.same_as[k]) in lines}


def _ties(sat: SatTable, right: set[int]) -> str:
    others = len({int(sat.same_as[k]) for k in right}) - 1
    return "" if others == 0 else f", tied with {'another' if others == 1 else f'{others} others'}"


def _way(analysis: Analysis, separation: float) -> str:
    if abs(separation) <= analysis.band:
        return "neither gap nor overlap"
    return f"{'a gap' if separation > 0.0 else 'an overlap'} of {plain(abs(separation))}"


def _rounded_parts(sat: SatTable) -> dict[Subject, Subject]:
    """The rounded parts of a difference stand for the axis through the closest points, which has no face of its own."""
    rows = [k for k, candidate in enumerate(sat.candidates) if candidate.kind is AxisKind.CENTRES]
    return {Subject("difference"): Subject("axis", rows[0])} if len(rows) == 1 else {}


CASES = {
    ContactCase.FACE_OF_A: "A face of A meets B: what of B's face lies over it and under its plane makes contacts.",
    ContactCase.FACE_OF_B: "A face of B meets A: what of A's face lies over it and under its plane makes contacts.",
    ContactCase.EDGES: "Two edges cross: they are closest in a single pair of points.",
    ContactCase.POINT: "A corner or a round surface meets the other body in a single pair of points.",
}


def contacts_question(analysis: Analysis) -> Question | None:
    """How many contacts? Asked where the bodies meet."""
    found = analysis.contacts
    if found is None or analysis.verdict is Verdict.SEPARATED or len(found.contacts) > MOST_CONTACTS:
        return None
    count = len(found.contacts)
    buttons = tuple(Subject("count", k) for k in range(MOST_CONTACTS + 1))

    def feedback(subject: Subject) -> str:
        return f"{subject.number} is too {'few' if subject.number < count else 'many'}. {CASES[found.case]}"

    return Question(
        kind=Kind.CONTACTS,
        text="How many contacts has the manifold?",
        hint="Which features meet: a face, two edges, a corner? The corners of what they share are the contacts.",
        how="Choose a number.",
        candidates={subject: str(subject.number) for subject in buttons},
        right=frozenset({Subject("count", count)}),
        feedback=feedback,
        explanation=_contact_words(analysis, found),
        pane="world",
        buttons=buttons,
        held_back=frozenset({"contacts", "closest"}),
        needed=frozenset({"bodies"}),
        covers=frozenset({"answers"}),
    )


def _contact_words(analysis: Analysis, found: Manifold) -> str:
    count = len(found.contacts)
    deepest = float(np.max([contact.depth for contact in found.contacts])) if count else 0.0
    dropped = f" {len(found.dropped)} more were left out, which would hold nothing." if found.dropped else ""
    what = "1 contact" if count == 1 else f"{count} contacts"
    depth = "They touch" if abs(deepest) <= analysis.band else f"The deepest is {plain(deepest)} deep"
    return f"{what} ({found.case}). {CASES[found.case]} {depth}.{dropped}"
