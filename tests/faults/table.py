"""Deliberate faults of picture and word: what each file would have to say for the program to lie.

To add one: a file, a piece of its text that stands there only once, what stands there instead, and what is wrong then.
`tests/faults/run` applies each to a copy of the tree and says whether the snapshots alone catch it.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """One fault: `old` stands once in `file`; `new` in its place makes the program lie as `why` says."""

    why: str
    file: str
    old: str
    new: str


FAULTS = (
    Fault(
        "the way-out arrow points backwards in the world",
        "app/overlays/mtv.py",
        "analysis.witness_b + analysis.mtv,",
        "analysis.witness_b - analysis.mtv,",
    ),
    Fault(
        "the way-out arrow has its head at the wrong end",
        "app/overlays/mtv.py",
        "arrow_end=14.0",
        "arrow_start=14.0",
    ),
    Fault(
        "“distance ≤” and “≥” are swapped at GJK's steps",
        "app/overlays/step_gjk.py",
        '((step.upper, "distance ≤"), (step.lower, "distance ≥"))',
        '((step.upper, "distance ≥"), (step.lower, "distance ≤"))',
    ),
    Fault(
        "the upper bound of EPA's depth stands where the lower one should",
        "app/overlays/step_epa.py",
        '((step.upper, "depth ≤"), (step.lower, "depth ≥"))',
        '((step.lower, "depth ≤"), (step.upper, "depth ≥"))',
    ),
    Fault(
        "A's bar has B's colour and B's has A's",
        "app/overlays/rail.py",
        "self.line(span, beside, context.theme.edge(index), 7.0",
        "self.line(span, beside, context.theme.edge(1 - index), 7.0",
    ),
    Fault(
        "A is filled with B's colour and B with A's",
        "app/overlays/bodies.py",
        "faded(theme.body(index), theme.face_alpha)",
        "faded(theme.body(1 - index), theme.face_alpha)",
    ),
    Fault(
        "the names of the bodies are swapped",
        "app/overlays/bodies.py",
        '"AB"[index],',
        '"BA"[index],',
    ),
    Fault(
        "one face is told as “1 faces”",
        "app/step_words/parts.py",
        "word if count == 1 else",
        "word if count == 0 else",
    ),
    Fault(
        "a corner of the simplex that is dropped is lit as if it were kept",
        "app/overlays/step_gjk.py",
        "kept = number in region or not answered",
        "kept = number not in region or not answered",
    ),
    Fault(
        "an axis that only leads so far is called the winner",
        "app/overlays/axes.py",
        "'the winner' if context.moment.last else 'best so far'",
        "'best so far' if context.moment.last else 'the winner'",
    ),
    Fault(
        "an overlap is drawn in the colour of a gap",
        "app/overlays/axes.py",
        "return context.theme.overlap if overlaps else context.theme.gap",
        "return context.theme.gap if overlaps else context.theme.overlap",
    ),
    Fault(
        "GJK's listing marks the line before the one where it stopped",
        "app/words/algorithm_listing.py",
        "GjkStop.CONVERGED: 10,",
        "GjkStop.CONVERGED: 9,",
    ),
)
