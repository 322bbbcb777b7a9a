"""Questions about the answer as a whole: do the bodies meet, which axis decides, how many contacts.

Also the wording of questions in space (faces, turning the view) and in the plane (edges).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from core.analysis.analysis import Analysis
from core.contact.contact import ContactCase, Manifold
from core.sat.sat import AxisKind, AxisStatus, SatTable
from core.verdict import Verdict

from ..draw.draw_list import Subject
from ..stages.stage import VISIBLE_WEIGHT, size_of
from ..state.prediction import QuestionKind, QuizQuestion
from ..words.axis_words import verdict_line
from ..words.digits import plain
from ..words.names import axis_name


class Wording(Struct, frozen=True, eq=False):
    """Sentences and nouns for space or for the plane.

    `places`: where the origin is when the bodies are separated, touching or overlapping; `where`: how to see that.
    `rounded`: about the axis through the closest points, if there is one. `piece`: a face or an edge, `grown`: the
    polytope or polygon that EPA expands it on, `flat`: the plane or line that it lies in; `growth_hint`, `growth_how`:
    which piece is right, and how to click it. `cases`: by the case of a manifold its name, and how its contacts arise;
    `most_contacts`: the largest number to choose.
    """

    places: tuple[str, str, str]
    where: str
    axis_hint: str
    axis_how: str
    rounded: str
    piece: str
    grown: str
    flat: str
    growth_hint: str
    growth_how: str
    contacts_hint: str
    most_contacts: int
    cases: Mapping[ContactCase, tuple[str, str]]


IN_SPACE = Wording(
    places=("outside the difference", "on the surface of the difference", "inside the difference"),
    where="Turn the view to see where the origin is. Inside A − B the bodies overlap; on its surface they touch.",
    axis_hint=(
        "If there is a gap, the largest gap decides; otherwise the least overlap: the face of A − B nearest the "
        "origin. Point at faces to compare."
    ),
    axis_how="Click a face of the difference, or a row of the axis table (Tab).",
    rounded="The round parts stand for the axis through the closest points.",
    piece="face",
    grown="polytope",
    flat="plane",
    growth_hint=("EPA expands the face whose plane is nearest the origin."),
    growth_how="Click a face of the polytope in the difference; turn the view to see the faces behind.",
    contacts_hint="Which features touch: a face, two edges, a corner? The corners of the part that they share are "
    "the contacts.",
    most_contacts=8,
    cases={
        ContactCase.FACE_OF_A: (
            "face of A",
            "A face of A touches B. B's face is cut along the sides of A's. "
            "Its corners below A's plane are the contacts.",
        ),
        ContactCase.FACE_OF_B: (
            "face of B",
            "A face of B touches A. A's face is cut along the sides of B's. "
            "Its corners below B's plane are the contacts.",
        ),
        ContactCase.EDGES: ("edge × edge", "Two edges cross: they have a single pair of closest points."),
        ContactCase.POINT: (
            "point",
            "A corner or a round surface has a single pair of closest points with the other body.",
        ),
    },
)
IN_PLANE = Wording(
    places=("outside the difference", "on the outline of the difference", "inside the difference"),
    where="Look where the origin is. Inside A − B the bodies overlap; on its outline they touch.",
    axis_hint=(
        "If there is a gap, the largest gap decides; otherwise the least overlap: the edge of A − B nearest the "
        "origin. Point at edges to compare."
    ),
    axis_how="Click an edge of the difference, or a row of the axis table (Tab).",
    rounded="The coloured arc is the axis from the closest corner to the circle's centre.",
    piece="edge",
    grown="polygon",
    flat="line",
    growth_hint=("EPA expands the edge whose line is nearest the origin."),
    growth_how="Click an edge of the polygon in the difference.",
    contacts_hint=(
        "Do two edges lie opposite each other, or two points? With edges, the contacts are the ends of the part that "
        "they share."
    ),
    most_contacts=4,
    cases={
        ContactCase.FACE_OF_A: (
            "edge of A",
            "An edge of A touches B. B's edge is cut at both ends of A's. Its ends below A's line are the contacts.",
        ),
        ContactCase.FACE_OF_B: (
            "edge of B",
            "An edge of B touches A. A's edge is cut at both ends of B's. Its ends below B's line are the contacts.",
        ),
        ContactCase.POINT: (
            "point",
            "A circle, or a corner against a corner, has a single pair of closest points with the other body.",
        ),
    },
)


WORDINGS = {2: IN_PLANE, 3: IN_SPACE}
"""The sentences by dimension."""


def wording_of(analysis: Analysis) -> Wording:
    """The wording for the dimension of the analysis's scene."""
    return WORDINGS[analysis.scene.dimension]


STEP_COVERS = frozenset({"steps", "answers", "pairs"})
"""Panels, or parts of them, that show the answer at a step."""
MOST_RIGHT = 0.5
"""A question is not asked if more than this share of its candidates is right."""
REVEALING_OVERLAYS = frozenset(
    {"plane", "resolved", "contacts", "manifold", "in_view", "mtv", "closest", "globe", "gauss", "gauss_large"}
)
"""Overlays that show the answer about the pair."""
MOST_CONTACTS = 8
"""A manifold with more contacts is not asked about."""
VERDICTS = (Verdict.SEPARATED, Verdict.TOUCHING, Verdict.OVERLAPPING)
VERDICT_WORDS = ("Separated", "Touching", "Overlapping")
ANSWER_COVERS = frozenset({"verdict", "answers", "table", "pairs"})
"""Panels, or parts of them, that show the answer about the pair."""


def verdict_is_seen(analysis: Analysis) -> bool:
    """Whether the gap or overlap is large enough for a picture, or the bodies touch."""
    return analysis.verdict is Verdict.TOUCHING or abs(analysis.separation) >= VISIBLE_WEIGHT * size_of(analysis)


def verdict_question(analysis: Analysis) -> QuizQuestion:
    """The question whether the bodies meet; if that cannot be seen, `questions` asks it only for want of others."""
    seen = verdict_is_seen(analysis)
    buttons = tuple(Subject("verdict", k) for k in range(len(VERDICTS)))
    right = buttons[VERDICTS.index(analysis.verdict)]
    words, places, where = verdict_line(analysis), wording_of(analysis).places, wording_of(analysis).where
    if analysis.difference is not None and analysis.difference.plane is not None:
        where = "Look along the plane, and at the origin next to the difference: inside A − B the bodies overlap."

    def why_wrong(subject: Subject) -> str:
        if not seen:
            return "The surfaces are closer than a pixel, so the picture cannot tell. Try again, or show the answer."
        return f"Not {VERDICT_WORDS[subject.number].lower()}: then the origin would lie {places[subject.number]}."

    return QuizQuestion(
        kind=QuestionKind.VERDICT,
        text="Apart, touching or overlapping?",
        hint=f"{where} The answer is hidden until you choose.",
        how="Choose one of the three answers.",
        candidates=dict(zip(buttons, VERDICT_WORDS, strict=True)),
        right=frozenset({right}),
        why_wrong=why_wrong,
        explanation=f"{words}." + ("" if seen else " That is too little to see: only the number can tell."),
        pane="both",
        buttons=buttons,
        hidden_overlays=REVEALING_OVERLAYS | {"axes"},
        needed=frozenset({"bodies", "difference"}),
        hidden_panels=ANSWER_COVERS,
    )


def axis_question(analysis: Analysis) -> QuizQuestion | None:
    """The question which axis decides; None unless SAT has several axes and the winner's lead can be seen.

    None too if more than MOST_RIGHT of the axes are right.
    """
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
    if sat.separation - float(sat.separations[second]) < VISIBLE_WEIGHT * size_of(analysis):
        return None
    apart, wording = analysis.verdict is Verdict.SEPARATED, wording_of(analysis)
    centres = (k for k in rows if sat.candidates[k].kind is AxisKind.CENTRES)
    through_closest = next((Subject("axis", k) for k in centres), None)
    # In 3D a click on a rounded part of the difference counts as the axis through the closest points, which has no
    # face. In 2D the arc about the closest corner is that axis's own subject.
    stands_for = {}
    if through_closest is not None and analysis.polygon is None:
        stands_for[Subject("difference")] = through_closest
    tied = len({int(sat.same_as[k]) for k in right}) - 1
    ties = "" if tied == 0 else f", tied with {'another' if tied == 1 else f'{tied} others'}"
    explanation = (
        f"{axis_name(sat, sat.winner)} shows {_way(analysis, sat.separation)}, the "
        f"{'largest gap' if apart else 'least overlap'} of {len(rows)} axes{ties}. Next comes "
        f"{axis_name(sat, second)} with {_way(analysis, float(sat.separations[second]))}."
    )

    def why_wrong(subject: Subject) -> str:
        label, value = axis_name(sat, subject.number), float(sat.separations[subject.number])
        here = f"{label} shows {_way(analysis, value)}."
        if apart:
            return f"{here} Another axis has more: {_way(analysis, sat.separation)}."
        return f"{here} Another axis has less: {_way(analysis, sat.separation)}."

    return QuizQuestion(
        kind=QuestionKind.AXIS,
        text="Which axis decides?",
        hint=wording.axis_hint + (f" {wording.rounded}" if through_closest is not None else ""),
        how=wording.axis_how,
        candidates={Subject("axis", k): axis_name(sat, k) for k in rows},
        right=frozenset(Subject("axis", k) for k in right),
        why_wrong=why_wrong,
        explanation=explanation,
        pane="difference",
        stands_for=stands_for,
        hidden_overlays=REVEALING_OVERLAYS,
        needed=frozenset({"bodies", "difference", "axes"}),
        hidden_panels=ANSWER_COVERS,
    )


def _winners(sat: SatTable) -> set[int]:
    """Rows that are right: the winner, its ties, and rows with the same direction as one of them."""
    best = {sat.winner, *sat.ties}
    lines = {int(sat.same_as[k]) for k in best}
    known = (k for k, status in enumerate(sat.statuses) if status is not AxisStatus.DEGENERATE)
    return {k for k in known if k in best or int(sat.same_as[k]) in lines}


def _way(analysis: Analysis, separation: float) -> str:
    if abs(separation) <= analysis.band:
        return "touching intervals"
    return f"{'a gap' if separation > 0.0 else 'an overlap'} of {plain(abs(separation))}"


def contacts_question(analysis: Analysis) -> QuizQuestion | None:
    """The question how many contacts there are.

    None if the bodies are apart, have no manifold, or have more than MOST_CONTACTS.
    """
    found = analysis.contacts
    if found is None or analysis.verdict is Verdict.SEPARATED or len(found.contacts) > MOST_CONTACTS:
        return None
    count, wording = len(found.contacts), wording_of(analysis)
    most = wording.most_contacts
    buttons = tuple(Subject("count", k) for k in range(most + 1))

    def why_wrong(subject: Subject) -> str:
        why = wording.cases[found.case][1]
        return f"{subject.number} is too {'few' if subject.number < count else 'many'}. {why}"

    return QuizQuestion(
        kind=QuestionKind.CONTACTS,
        text="How many contacts are there?",
        hint=wording.contacts_hint,
        how="Choose a number.",
        candidates={subject: str(subject.number) for subject in buttons},
        right=frozenset({Subject("count", count)}),
        why_wrong=why_wrong,
        explanation=_contact_words(analysis, found),
        pane="world",
        buttons=buttons,
        hidden_overlays=frozenset({"contacts", "manifold", "in_view", "closest"}),
        needed=frozenset({"bodies"}),
        hidden_panels=frozenset({"answers"}),
    )


def _contact_words(analysis: Analysis, found: Manifold) -> str:
    count = len(found.contacts)
    name, why = wording_of(analysis).cases[found.case]
    deepest = float(np.max([contact.depth for contact in found.contacts])) if count else 0.0
    dropped = f" {len(found.dropped)} more were dropped: they would add no support." if found.dropped else ""
    what = "1 contact" if count == 1 else f"{count} contacts"
    depth = "They touch" if abs(deepest) <= analysis.band else f"The deepest is {plain(deepest)} deep"
    return f"{what} ({name}). {why} {depth}.{dropped}"
