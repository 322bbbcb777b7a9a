"""Deliberate faults of the core: a wrong fallback, a bound emptied, a tie turned. Judged by their rooms' tests.

To add one: as in table.py. `tests/faults/run --rooms` says whether it changes an answer and which test catches it.
"""

from __future__ import annotations

from .table import Fault

CORE = (
    Fault(
        "witnesses of rounded bodies are put on the cores' line where the normal is nearer",
        "core/gjk/gjk.py",
        "direct = found.upper > 0.5 * difference.radius",
        "direct = found.upper > 0.01 * difference.radius",
    ),
    Fault(
        "with the origin outside EPA's lower bound is that of the plane and not that of the face",
        "core/gjk/epa.py",
        "    lower = floor.offset if floor.offset >= 0.0 else -length(nearest.point)\n    sources",
        "    lower = floor.offset\n    sources",
    ),
    Fault(
        "of faces that tie the difference takes the farthest, and not the one that SAT prefers",
        "core/minkowski/distance.py",
        "for face in sorted(tied, key=lambda k: (k != preferred_face, -gaps[k])):",
        "for face in sorted(tied, key=lambda k: -gaps[k]):",
    ),
    Fault(
        "a number is said to be known better than its bounds are",
        "core/verdict.py",
        "return self if self.provenance is Provenance.FALLBACK else replace(self, gap=max(self.gap, gap))",
        "return self",
    ),
    Fault(
        "MPR takes a portal for the surface that lies ten times as far below it",
        "core/mpr.py",
        "tolerance = search.settings.tolerance * search.larger",
        "tolerance = 10.0 * search.settings.tolerance * search.larger",
    ),
    Fault(
        "a batch says of every answer that it is exact",
        "core/batch/answers.py",
        "self.gaps[rows] = np.where(found.gaps > scale.rounding, found.gaps, 0.0)",
        "self.gaps[rows] = 0.0",
    ),
)
