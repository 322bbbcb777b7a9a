"""Which of the core's numbers the tests here hold in place, in which direction, and why not in the other."""

from __future__ import annotations

from dataclasses import dataclass

from tests.core.geometry.tolerances.constants import A_TENTH, TEN_TIMES


@dataclass(frozen=True)
class Entry:
    """`caught`: the ways of changing the number that a test here notices. `why`: the reason for those that none does,
    empty if both are caught.
    """

    caught: tuple[str, ...]
    why: str = ""


BOTH = Entry((TEN_TIMES, A_TENTH))


def not_larger(why: str) -> Entry:
    """Ten times as large it is as good; `why` says what it costs."""
    return Entry((A_TENTH,), why)


def not_smaller(why: str) -> Entry:
    """A tenth of it is as good; `why` says what that costs."""
    return Entry((TEN_TIMES,), why)


def no_threshold(why: str) -> Entry:
    """No answer depends on its size."""
    return Entry((), why)


AT_ONCE = no_threshold("How much is worked on at once: memory and caches, no answer.")
ANOTHER_WAY = no_threshold("Which of two ways is gone: both are right on either side.")
DRAWN = no_threshold("Of a notebook's picture, no answer.")

SEARCHED = no_threshold("Of a search for a proof: what it finds is checked, and what it does not find is no finding.")
OFTEN = no_threshold("How often such pairs are asked about.")

TABLE: dict[str, Entry] = {
    "core/mpr.py MprSettings.tolerance": BOTH,
    "core/mpr.py MprSettings.iterations": not_larger("No pair has been seen to need a quarter as many."),
    "core/pair/candidate_axes.py same_lines 2.0": not_larger("More lines are compared, one by one: time only."),
    "core/closed_form/ellipsoids.py _HALVINGS": no_threshold(
        "Sixty steps of Newton's make up for fewer: the root is 1e8 times its lower bound at the most."
    ),
    "core/closed_form/ellipsoids.py _NEWTON_STEPS": no_threshold("A bound that no point reaches."),
    "core/closed_form/segments.py _certified_normal 4.0": BOTH,
    "core/pair/cores.py _edge_units 4.0": BOTH,
    "core/minkowski/difference.py MOST_SUBTRACTIONS": BOTH,
    "core/shapes/polygon.py MOST_CORNERS": BOTH,
    "core/minkowski/polyhedron_difference.py MOST_DIFFERENCES": BOTH,
    "core/geometry/elementary.py LARGEST_SQUARE": ANOTHER_WAY,
    "core/geometry/elementary.py SMALLEST_SQUARE": ANOTHER_WAY,
    "core/geometry/elementary.py _EIGHTH": BOTH,
    "core/geometry/elementary.py _MOST": no_threshold("From there on the library's own sine, whose digits may differ."),
    "core/geometry/elementary.py _PI_REST": BOTH,
    "core/geometry/elementary.py _QUARTERS": BOTH,
    "core/geometry/elementary.py _arctangent 0.25": BOTH,
    "core/geometry/elementary.py _arctangent 0.4375": not_smaller("The series about 0.5 reaches as far down."),
    "core/geometry/elementary.py _arctangent 0.6875": not_larger("The series about 0.5 reaches up to 1."),
    "core/geometry/elementary.py atan2 0.5": BOTH,
    "core/geometry/hierarchy.py AT_ONCE": AT_ONCE,
    "core/geometry/hierarchy.py LEAF": AT_ONCE,
    "core/geometry/hierarchy.py IN_CACHE": AT_ONCE,
    "core/geometry/hierarchy.py SMALL": AT_ONCE,
    "core/geometry/hierarchy.py WHOLE": AT_ONCE,
    "core/geometry/hierarchy.py farthest 8.0": not_larger("More points are compared: time only."),
    "core/pair/arcs.py _boxes 4.0": not_larger("More arcs are compared: time only."),
    "core/pair/arcs.py ALL_PAIRS": AT_ONCE,
    "core/pair/arcs.py PIECES_OF_MEAN": AT_ONCE,
    "core/pair/arcs.py _MOST_HALVINGS": AT_ONCE,
    "core/pair/support.py FEW_POINTS": AT_ONCE,
    "core/geometry/quaternion.py _FEW": AT_ONCE,
    "core/geometry/vector.py _FEW": AT_ONCE,
    "core/geometry/vector.py _IN_CACHE": AT_ONCE,
    "core/pair/arcs.py MOST_PAIRS": BOTH,
    "core/pair/gauss_map.py MOST_CROSSINGS": BOTH,
    "core/gjk/epa.py EpaSettings.iterations": BOTH,
    "core/contact/tracking.py JUMP_RATIO": BOTH,
    "core/contact/tracking.py MERGED": BOTH,
    "core/contact/tracking.py MATCH_DISTANCE": BOTH,
    "core/gjk/epa.py LAST_LOOK": not_larger("More faces are looked at: as tight, and later."),
    "core/contact/contact.py ContactSettings.delta": BOTH,
    "core/contact/contact.py ContactSettings.lateral": BOTH,
    "core/contact/contact.py ContactSettings.witness": BOTH,
    "core/contact/policies/policy.py NARROW_ALPHA": BOTH,
    "core/contact/height_field.py _over_rounded 1e-300": no_threshold("Edges of a body have a length."),
    "core/contact/height_field.py _walls 1e-300": no_threshold("Edges of a body have a length."),
    "core/contact/policies/exact.py EQUAL": BOTH,
    "core/contact/flat.py FEW_HEIGHTS": no_threshold("Which way heights are reckoned, to the same digits: time only."),
    "core/contact/flat_parts.py SAME_ANGLE": no_threshold("Which of two faces as flat names the flat part."),
    "core/contact/frame.py AS_FAR_ACROSS": no_threshold("How a frame is turned about the normal: no contact is."),
    "core/contact/flat.py NO_LENGTH": no_threshold("Corners of a flat part are never one point."),
    "core/contact/flat.py HEIGHT_TIE": no_threshold(
        "The edges within α reach what is level with the farthest vertex anyhow."
    ),
    "core/contact/flat.py ONE_FACE": not_larger("Edges that bend so little are flat where their faces are."),
    "core/contact/flat_parts.py CONE_SIDES": BOTH,
    "core/contact/flat_parts.py FACING": no_threshold(
        "A steeper plane counts as well where the flat part reaches over it; elsewhere it is nowhere the lowest."
    ),
    "core/contact/flat_parts.py MOST_OUTLINE": not_larger("More corners are cut, and dropped at the end: time only."),
    "core/contact/flat_parts.py ON_THE_AXIS": BOTH,
    "core/contact/contact.py ContactSettings.speculative": BOTH,
    "core/contact/policies/box2d.py LINEAR_SLOP": BOTH,
    "core/contact/policies/box2d.py SLOP_SHARE": BOTH,
    "core/contact/policies/jolt.py ALIGNED": BOTH,
    "core/contact/policies/jolt.py CAPSULE_SLOP": BOTH,
    "core/contact/policies/jolt.py MANIFOLD_TOLERANCE": BOTH,
    "core/contact/policies/jolt.py MOST_POINTS": BOTH,
    "core/contact/policies/jolt.py RIM": BOTH,
    "core/contact/policies/jolt.py SPECULATIVE": BOTH,
    "core/contact/manifold.py NEARLY_ACROSS": no_threshold("Which of two axes that are as far across begins a circle."),
    "core/contact/manifold.py THIN": BOTH,
    "core/contact/region.py BISECTIONS": not_larger("The stretch has come down to one double before."),
    "core/contact/overlap_region.py MOST_CONTACTS": BOTH,
    "core/contact/overlap_region.py OVERSHOOT": no_threshold(
        "How far beyond δ a corner is left: a millionth of it, or ten."
    ),
    "core/contact/overlap_region.py ON_LEVEL": no_threshold("How many digits of a place at the level are its own."),
    "core/contact/overlap_region.py _bearing 1e-09": no_threshold(
        "Which arc is the first where one begins at the direction."
    ),
    "core/contact/reduction.py AREA_TIE": BOTH,
    "core/contact/reduction.py DEPTH_TIE": BOTH,
    "core/contact/reduction.py SIZE_TIE": BOTH,
    "core/contact/region.py LOOKS": not_larger("More points are looked at: time only."),
    "core/contact/region.py MOST_SPAN": BOTH,
    "core/contact/region.py SPLIT": no_threshold("How many digits of a measure count; rounding takes but the last."),
    "core/contact/policies/policy.py ODE_FACTOR": BOTH,
    "core/contact/policies/policy.py MUJOCO_ANGLE": BOTH,
    "core/contact/policies/policy.py BOX3D_SLOP": BOTH,
    "core/pair/pair.py LARGEST_EXTENT": no_threshold("Beyond it bodies are refused."),
    "core/pair/pair.py LEAST_EXTENT": no_threshold("Stands for zero; no two bodies but points are so close."),
    "core/geometry/matrix.py SWEEPS": not_larger("The columns are perpendicular before."),
    "core/gjk/inner_ellipsoid.py FARTHEST": not_larger("More vertices and edges are tried: as good, and later."),
    "core/gjk/inner_ellipsoid.py HALVINGS": no_threshold(
        "A step too long ends the search: the bounds hold where it is."
    ),
    "core/gjk/inner_ellipsoid.py NEWTON_STEPS": no_threshold("Where they end, the bounds hold all the same."),
    "core/gjk/inner_ellipsoid.py NARROWEST": no_threshold("Where lines are no longer told apart, their bound holds."),
    "core/gjk/inner_ellipsoid.py SUPPORT_LINES": no_threshold("Wherever they end, each line's bound holds."),
    "core/gjk/inner_ellipsoid.py THINNEST": no_threshold("What is flatter than a hundredth of it has a bound already."),
    "core/gjk/inner_ellipsoid.py _about_one_centre 8.0": no_threshold("A line more proves as much or more."),
    "core/gjk/inner_ellipsoid.py _bounds 4.0": no_threshold("The bounds hold whatever counts as level."),
    "core/gjk/inner_ellipsoid.py _inside 1e-24": no_threshold("An edge is across the normal to rounding, or not."),
    "core/gjk/inner_ellipsoid.py inner_ellipsoid 1e-15": no_threshold("What is told apart by it has bounds that hold."),
    "core/gjk/gjk.py PATIENCE": BOTH,
    "core/gjk/gjk.py GjkSettings.iterations": not_larger("No pair has been seen to need half as many."),
    "core/gjk/gjk.py Bounds.see 4.0": BOTH,
    "core/rays/raycast.py GjkRaycastSettings.iterations": not_larger("No ray has been seen to need half as many."),
    "core/toi/advancement.py AdvancementSettings.tolerance": BOTH,
    "core/toi/advancement.py AdvancementSettings.iterations": BOTH,
    "core/toi/advancement.py GRID": not_larger("Finer times: the bound is as good, and later."),
    "core/toi/advancement.py _Planes._across_edges 0.1": not_smaller("One bound more is tried, and the best counts."),
    "core/toi/advancement.py _lasting 2": no_threshold("Finer times where the first of them are far apart."),
    "core/toi/advancement.py _lasting 1e-12": no_threshold("What lies before the first time is bracketed from zero."),
    "core/toi/ray.py _VERTICES": no_threshold("More than a body has vertices: it makes two numbers one."),
    "core/analysis/algorithm_settings.py SingleSettings.away": no_threshold("How far the bodies stand off: an input."),
    "core/toi/intervals.py BOX_AXES": no_threshold("SAT's axes of two boxes: a count, not a choice."),
    "core/gjk/polytope.py SLIVER": not_larger("The careful plane is as good for a triangle that needs none."),
    "core/gjk/polytope.py LEAST_HEIGHT": BOTH,
    "core/rays/raycast.py raycast 0.001": BOTH,
    "core/study/articles/comparison.py Comparison.agree 1e-09": BOTH,
    "core/study/articles/comparison.py Comparison.agree 1e-12": BOTH,
    "core/batch/answers.py STRETCH": BOTH,
    "core/batch/bodies.py FEWEST_PAIRS": no_threshold("From where on a kernel is quicker: time, no answer."),
    "core/batch/boxes.py _ALL_EDGES": AT_ONCE,
    "core/batch/boxes.py RETRY_SIN": not_larger("The careful product is as good where none is needed."),
    "core/batch/gjk.py ITERATIONS": not_larger("No pair of the tests needs half as many."),
    "core/batch/gjk.py _directions 4096": not_larger("Farther away the nearest point's own direction is as good."),
    "core/batch/pairs.py hull_pairs 0.1": BOTH,
    "core/batch/pairs.py CHUNK": AT_ONCE,
    "core/batch/pairs.py KEPT": AT_ONCE,
    "core/batch/pairs.py SMALL_HULLS": AT_ONCE,
    "core/study/lab/edge_cases.py PARALLEL_SIN": BOTH,
    "core/study/lab/edge_cases.py BISECTIONS": not_larger("More halvings than an interval of doubles has."),
    "core/study/lab/edge_cases.py _first_touch 1e-12": BOTH,
    "core/study/lab/edge_cases.py _first_touch 1e-15": no_threshold(
        "The last digits of the nearest place change no distance."
    ),
    "core/study/lab/edge_cases.py _carried 1e-08": no_threshold("Neither edit turns by more than a quarter."),
    "core/geometry/vector.py _SPLIT": not_larger("Halves of other lengths, still short enough for their products."),
    "core/geometry/quaternion.py normalized 4.5e-16": BOTH,
    "core/geometry/quaternion.py to_euler_xyz 5e-15": BOTH,
    "core/geometry/quaternion.py angle_between 0.9": no_threshold("Sine and cosine are as good on either side of it."),
    "core/geometry/tolerances.py EPS": BOTH,
    "core/geometry/tolerances.py TOUCHING": BOTH,
    "core/geometry/tolerances.py ROUNDING": BOTH,
    "core/geometry/tolerances.py SUPPORT": BOTH,
    "core/geometry/tolerances.py LEVEL_SIN": BOTH,
    "core/geometry/tolerances.py NEARLY_PARALLEL_SIN": BOTH,
    "core/geometry/tolerances.py TIE": BOTH,
    "core/geometry/tolerances.py SAME_AXIS_SIN": BOTH,
    "core/geometry/tolerances.py COPLANAR": no_threshold(
        "Zero misses the face that holds the point, which a test shows; a tenth did not in 30,000 pairs. Ten times as "
        "much: more faces are searched for nothing."
    ),
    "core/geometry/tolerances.py AGREEMENT": BOTH,
    "core/geometry/tolerances.py HULL_FLATNESS": BOTH,
    "core/geometry/tolerances.py FRAME_ROUNDING": BOTH,
    "core/geometry/tolerances.py FLAT_SIN": BOTH,
    "core/geometry/tolerances.py FLAT": BOTH,
    "core/geometry/tolerances.py CERTIFIED": BOTH,
    "core/geometry/tolerances.py EXACT": BOTH,
    "core/geometry/tolerances.py GAUSS_SIGN": BOTH,
    "core/geometry/tolerances.py COVERED_SIN": BOTH,
    "core/geometry/tolerances.py AMBIGUOUS_EDGE": BOTH,
    "core/geometry/tolerances.py PARALLEL_EDGES_SIN": BOTH,
    "core/geometry/triple.py unit 1e-300": BOTH,
    "core/analysis/picture.py HEIGHT": DRAWN,
    "core/analysis/picture.py MARGIN": DRAWN,
    "core/analysis/picture.py ROUND": DRAWN,
    "core/analysis/picture.py WIDTH": DRAWN,
    "core/analysis/picture.py _PITCH": DRAWN,
    "core/analysis/picture.py _YAW": DRAWN,
    "core/analysis/picture.py _loops 0.7": DRAWN,
    "core/analysis/picture.py picture 1e-300": DRAWN,
    "core/analysis/picture.py picture 2.0": DRAWN,
    "core/geometry/arguments.py UNIT_SLACK": BOTH,
    "core/geometry/arguments.py FLATTENING": no_threshold("What flattens nearly so much is refused as no rotation."),
    "core/geometry/arguments.py MATRIX_SLACK": BOTH,
    "core/geometry/arguments.py NEWTON_STEPS": not_larger("Fewer are taken: the steps end where nothing changes."),
    "core/analysis/in_space.py MOST_VERTICES": BOTH,
    "core/analysis/in_space.py MOST_EXPANSIONS": BOTH,
    "core/analysis/motion_answers.py SEARCHES": not_larger("Steps shorter than the last place of a time."),
    "core/analysis/motion_answers.py GOLDEN": BOTH,
    "core/gjk/article_gjk.py LIMIT": not_larger("Half as many are never needed, and none runs in circles."),
    "core/minkowski/plane.py MinkowskiPolygon.vertex_pairs 4.0": BOTH,
    "core/geometry/vec2.py unit 1e-300": BOTH,
    "core/geometry/vec2.py orientation 2.0": not_larger("More signs are settled in whole numbers: time only."),
    "core/study/lab/random_pair.py HALVINGS": not_larger("Finer than the four digits of a position."),
    "core/study/lab/random_pair.py NEAR": BOTH,
    "core/sat/closest.py FEW_VERTEX_PAIRS": no_threshold("From how many vertices on far ones are left out: time only."),
    "core/scene.py MOST_RADIANS": no_threshold("On either side of it an angle and a turn add up to the same to 1e-9."),
    "core/shapes/directions.py in_range 1e-100": BOTH,
    "core/shapes/directions.py in_range 1e+100": BOTH,
    "core/shapes/hull.py SMALLEST_SIZE": BOTH,
    "core/shapes/hull.py LARGEST_SIZE": BOTH,
    "core/shapes/simplified.py FEWEST_CORNERS": no_threshold(
        "Corners of a tetrahedron: what is begun with has as many."
    ),
    "core/shapes/simplified.py FEWEST_OF_POLYGON": no_threshold("Corners of a polygon: a count, not a choice."),
    "core/shapes/simplified.py GROWTH": no_threshold(
        "How many points are kept in a round: which ones, no answer. How far the hull is off is found afterwards."
    ),
    "core/shapes/hull_faces.py _THIN": not_larger("Thicker plates are looked at, and none has lost a point."),
    "core/shapes/hull_faces.py _NO_LENGTH": no_threshold("Stands for zero; no two points are so close."),
    "core/shapes/hull_topology.py convex_hull 4.0": not_larger(
        "None was found whose points reach farther beyond than half of it."
    ),
    "core/study/lab/side_by_side/articles.py EDGE_WORK": BOTH,
    "core/study/lab/side_by_side/row.py LAST": no_threshold("A name for the end of a list."),
    "core/study/lab/side_by_side/row.py TURNED": BOTH,
    "core/study/lab/side_by_side/methods.py SINGLE_AGREEMENT": BOTH,
    "core/float32/answers.py _words 4.0": BOTH,
    "core/float32/answers.py _words 0.001": BOTH,
    "core/float32/bodies.py _BLOCK": AT_ONCE,
    "core/study/lab/through_zero.py NORMAL_JUMP": BOTH,
    "core/study/lab/through_zero.py RESOLUTION": BOTH,
    "core/study/lab/through_zero.py NEARBY": BOTH,
    "core/study/lab/through_zero.py EVENTS_BETWEEN": BOTH,
    "core/study/differential/certificates.py CUTS": SEARCHED,
    "core/study/differential/certificates.py DEEP_ENOUGH": SEARCHED,
    "core/study/differential/certificates.py MOST_ROUNDS": SEARCHED,
    "core/study/differential/certificates.py PULLED_IN": SEARCHED,
    "core/study/differential/certificates.py FACES_A_ROUND": SEARCHED,
    "core/study/differential/certificates.py ON_SURFACE": SEARCHED,
    "core/study/differential/certificates.py ASKEW": SEARCHED,
    "core/study/differential/classes.py MOST_RADII": BOTH,
    "core/study/differential/classes.py COARSE": BOTH,
    "core/study/differential/classes.py DOUBLE_ROUNDING": BOTH,
    "core/study/differential/classes.py SINGLE_ROUNDING": BOTH,
    "core/study/differential/classes.py STORED_SINGLE": BOTH,
    "core/study/differential/classes.py NEARLY": BOTH,
    "core/study/differential/hunt.py QUESTIONS_AT_ONCE": AT_ONCE,
    "core/study/differential/hunt.py TRIES": SEARCHED,
    "core/study/differential/hunt.py COINCIDENT": BOTH,
    "core/study/differential/hunt.py _kissing 0.3": OFTEN,
    "core/study/differential/hunt.py _thin 0.3": OFTEN,
    "core/study/differential/hunt.py _around 0.2": OFTEN,
    "core/study/differential/hunt.py _around 0.3": OFTEN,
    "core/study/differential/numbers.py SAME_TURN": not_smaller("A turn that was typed comes back digit for digit."),
    "core/study/differential/shrink.py MOST_CALLS": no_threshold(
        "How long is looked: a scene found by fewer is as good."
    ),
    "core/study/differential/shrink.py AS_BAD": BOTH,
    "core/study/differential/shrink.py AS_DEEP": BOTH,
}
