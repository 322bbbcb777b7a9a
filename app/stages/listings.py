"""Each algorithm in about a dozen lines of pseudo-code, and which line a step ended on."""

from __future__ import annotations

from core.contact.contact import ClipStep, ContactCase, DepthStep, EdgesStep, FeaturesStep
from core.gjk.epa import EpaStep, EpaStop
from core.gjk.gjk import GjkStep, GjkStop
from core.minkowski.build_steps import BuildAction, BuildStep
from core.mpr.answer import MprStep
from core.pair.candidate_axes import AxisKind
from core.query.query import MOTION_PHASES, Moment, MotionStep, Phase
from core.sat.steps import SatStep
from core.trace import PlanarStep
from core.verdict import Verdict

from .listing import Listing

LISTINGS: dict[Phase, Listing] = {
    Phase.BUILD: Listing(
        "The difference built by hand",
        (
            "for each vertex a of A:",
            "    for each vertex b of B:  add the point a − b",
            "close the hull round all these points:",
            "    faces of A, moved by the vertex of −B farthest out",
            "    faces of −B, moved by the vertex of A farthest out",
            "    a parallelogram for each crossing pair of edges",
            "points inside the hull were computed for nothing",
            "the bodies meet if the origin is inside",
        ),
    ),
    Phase.SAT: Listing(
        "SAT: separating axis test",
        (
            "best ← none",
            "for each axis n of faces of A, faces of B, edges × edges:",
            "    if n has no direction:  skip it",
            "    [min A, max A] ← A projected on n",
            "    [min B, max B] ← B projected on n",
            "    s ← max(min B − max A, min A − max B)",
            "    if s > 0 for the first time:  apart (yes or no ends here)",
            "    if s > best:  best ← s, winner ← n",
            "    else:  n does not win",
            "if best > 0:  apart, by best or more",
            "else:  overlapping, −best deep along the winner",
        ),
    ),
    Phase.GJK: Listing(
        "GJK: distance of the cores",
        (
            "W ← { support point in the first direction }",
            "repeat:",
            "    v ← point of W nearest the origin",
            "    if W encloses the origin:  OVERLAP_ENCLOSED",
            "        (but proved apart before:  DEGENERATE_SIMPLEX)",
            "    if |v| is 0 to rounding:  OVERLAP_TOUCHING",
            "    if |v| does not shrink any more:  NO_PROGRESS",
            "    d ← −v / |v|",
            "    w ← farthest of A along d − farthest of B along −d",
            "    lower ← max(lower, −d·w),  upper ← |v|",
            "    if upper − lower is 0 to rounding:  CONVERGED",
            "    if w is in W already:  REPEATED_SUPPORT",
            "    if that was the last one allowed:  ITERATION_LIMIT",
            "    W ← corners of W that hold v, and w",
        ),
    ),
    Phase.EPA: Listing(
        "EPA: depth of the overlap",
        (
            "P ← tetrahedron from GJK's last simplex",
            "    if none has a volume:  FLAT_POLYTOPE",
            "repeat:",
            "    F ← face of P nearest the origin, n its normal",
            "    w ← support point along n",
            "    lower ← distance of F,  upper ← min(upper, n·w)",
            "    if n·w < 0:  ORIGIN_OUTSIDE, the bodies are apart",
            "    if n·w − lower is 0 to rounding:  CONVERGED",
            "    if w is a corner of P already:  REPEATED_SUPPORT",
            "    if that was the last one allowed:  ITERATION_LIMIT",
            "    remove the faces that w sees; their rim is the horizon",
            "    join w to each edge of the horizon",
        ),
    ),
    Phase.CONTACTS: Listing(
        "Contacts: clip the faces that meet",
        (
            "find the features farthest along the normal",
            "if one is a face, it is the reference:",
            "    P ← the face of the other body that faces it most",
            "    for each side plane of the reference face:",
            "        cut P where it crosses the plane, keep what is behind",
            "    depth of a corner ← how far below the reference face",
            "    keep the corners that are not above it",
            "else, edge or vertex against edge or vertex:",
            "    contact ← midway between their closest points",
            "if asked for:  keep four of more contacts",
        ),
    ),
}
"""The listing of every phase of space."""

LISTINGS_OF_PLANE: dict[Phase, Listing] = {
    Phase.BUILD: Listing(
        "The difference built by hand",
        (
            *LISTINGS[Phase.BUILD].lines[:3],
            "    edges of A, moved by the vertex of −B farthest out",
            "    edges of −B, moved by the vertex of A farthest out",
            "    all of them in the order in which they turn",
            *LISTINGS[Phase.BUILD].lines[6:],
        ),
    ),
    Phase.PLANES: Listing(
        "The planes test",
        (
            "for each edge of A, then of B:",
            "    n, d ← the edge's line, n outward",
            "    gap ← least n·p − d over the other's corners p",
            "    if gap > 0 for the first time:  apart (yes-or-no ends)",
            "    if gap is 0 to rounding:  no point behind, they may touch",
            "    else:  this line does not part them",
            "the widest gap answers: apart, touching, or how deep",
        ),
    ),
    Phase.SAT: Listing(
        "SAT: separating axis test",
        ("best ← none", "for each axis n of edges of A, edges of B, closest vertex:", *LISTINGS[Phase.SAT].lines[2:]),
    ),
    Phase.ARTICLE: Listing(
        "The article's GJK: yes or no",
        (
            "w ← support in the first direction;  d ← −first direction",
            "repeat:",
            "    w ← support along d",
            "    if w·d ≤ 0:  NOT_PAST_ORIGIN, they do not meet",
            "    if a segment:  d ← its perpendicular, towards the origin",
            "    if a triangle, for both edges at w:",
            "        if the origin is beyond it:  drop the third point,",
            "            d ← the edge's perpendicular, away from that point",
            "        if beyond neither:  ENCLOSED, they meet",
        ),
    ),
    Phase.GJK: LISTINGS[Phase.GJK],
    Phase.EPA: Listing(
        "EPA: depth of the overlap",
        (
            "P ← triangle from GJK's last simplex",
            "    if none has an area:  FLAT_POLYTOPE",
            "repeat:",
            "    F ← edge of P nearest the origin, n its normal",
            *LISTINGS[Phase.EPA].lines[4:10],
            "    put w between the two ends of F",
        ),
    ),
    Phase.CONTACTS: Listing(
        "Contacts: clip the edges that meet",
        (
            "find the edges that the shortest way out crosses",
            "if there is one, it is the reference:",
            "    S ← the edge of the other polygon that faces it most",
            "    for each end of the reference edge:",
            "        cut S at the line there, keep what is behind",
            "    depth of an end ← how far below the reference edge",
            "    keep the ends that are not above it",
            "else, a circle or two corners:",
            "    contact ← midway between the closest points",
        ),
    ),
}
"""The listing of every phase of the plane."""

_CLOSED = {AxisKind.FACE_A: 3, AxisKind.FACE_B: 4, AxisKind.EDGES: 5}

_GJK_STOPS = {
    GjkStop.OVERLAP_ENCLOSED: 3,
    GjkStop.DEGENERATE_SIMPLEX: 4,
    GjkStop.OVERLAP_TOUCHING: 5,
    GjkStop.NO_PROGRESS: 6,
    GjkStop.CONVERGED: 10,
    GjkStop.REPEATED_SUPPORT: 11,
    GjkStop.ITERATION_LIMIT: 12,
}

_EPA_STOPS = {
    EpaStop.FLAT_POLYTOPE: 1,
    EpaStop.ORIGIN_OUTSIDE: 6,
    EpaStop.CONVERGED: 7,
    EpaStop.REPEATED_SUPPORT: 8,
    EpaStop.ITERATION_LIMIT: 9,
}


def listing_of(phase: Phase, dimension: int) -> Listing:
    """The listing of a phase."""
    if phase in MOTION_PHASES:
        # Imported with the first step of a motion: nothing of it is wanted at the start.
        from .motion.listing import MOTION_LISTINGS

        return MOTION_LISTINGS[phase]
    if phase is Phase.MPR:
        # Imported when it is first asked for.
        from .mpr.listing import LINES

        return Listing("MPR: Minkowski portal refinement", tuple(LINES.values()))
    return {2: LISTINGS_OF_PLANE, 3: LISTINGS}[dimension][phase]


def line_of(moment: Moment) -> int:
    """The line of its phase's listing that the step ended on."""
    step = moment.step
    match step:
        case MotionStep():
            from .motion.listing import motion_line

            return motion_line(step)
        case PlanarStep():
            return _planar_line(step)
        case BuildStep():
            if step.action is BuildAction.SUBTRACT:
                return 1
            return 6 if step.family is None else _CLOSED[step.family]
        case SatStep():
            return _sat_line(step)
        case GjkStep():
            return 13 if step.stop is None else _GJK_STOPS[step.stop]
        case EpaStep():
            if step.stop is not None:
                return _EPA_STOPS[step.stop]
            return 0 if step.nearest is None else 11
        case MprStep():
            from .mpr.listing import line_number

            return line_number(step)
        case FeaturesStep():
            return 2 if step.case in (ContactCase.FACE_OF_A, ContactCase.FACE_OF_B) else 0
        case ClipStep():
            return 4
        case DepthStep():
            return 6
        case EdgesStep():
            return 8
        case _:
            return 9


def _planar_line(step: PlanarStep) -> int:
    # Imported with the first step of the plane: nothing of it is wanted at the start.
    from core.gjk.article_gjk import ArticleStep, ArticleStop
    from core.gjk.plane_epa import EpaPolygonStep
    from core.sat.planes_test import PlaneStep

    if isinstance(step, PlaneStep):
        return {Verdict.SEPARATED: 3, Verdict.TOUCHING: 4, Verdict.OVERLAPPING: 5}[step.verdict]
    if isinstance(step, ArticleStep):
        if step.stop is not None:
            return 3 if step.stop is ArticleStop.NOT_PAST_ORIGIN else 8
        return (0, 0, 4, 7)[len(step.simplex)]
    assert isinstance(step, EpaPolygonStep)
    if step.stop is not None:
        return _EPA_STOPS[step.stop]
    return 0 if step.nearest is None else 10


def _sat_line(step: SatStep) -> int:
    if step.separation is None:
        return 2
    if step.first_gap:
        return 6
    return 7 if step.improved else 8
