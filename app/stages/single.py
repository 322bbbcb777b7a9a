"""Sentences for the steps of GJK and EPA in single precision: the same step in double, and where the runs differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from core.geometry.vector import dot
from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep
from core.pair.support import DifferencePoint
from core.query.beside import Differs, SingleRun, corners_of, nearest_corners
from core.query.query import GJK_EPA, Moment, Query

from ..words.axis_words import listed
from ..words.digits import signed, tolerance
from ..words.names import difference_name
from ..words.terms import terms_of
from .stage import EQUAL_LENGTH, At, TimelineFlag, size_of
from .word_parts import StepText, counted, curved, sentences

NO_NUMBER = (
    "Single precision finds no number here: squares of such lengths are no float32. "
    "The steps are those in double precision."
)


def in_single(at: At[Any]) -> SingleRun | None:
    """The run in single precision that a step belongs to; None for any other step."""
    return at.query.single if at.query.in_double is not None and at.moment.phase in GJK_EPA else None


def with_double(at: At[Any], text: StepText) -> StepText:
    """The text of a step; in single precision a step of GJK or EPA is compared with double precision."""
    if at.query.single is None or at.moment.phase not in GJK_EPA:
        return text
    if (single := in_single(at)) is None:
        return replace(text, beside=NO_NUMBER)
    head, _, rest = text.title.partition(",")
    return replace(text, title=f"{head} in single precision,{rest}", beside=_beside(at, single))


def parting_flag(at: At[Any]) -> TimelineFlag | None:
    """The mark on the timeline at the step where the two runs differ; None at any other step."""
    if at.query.parted is not at.moment:
        return None
    single = in_single(at)
    assert single is not None
    return TimelineFlag("differs", _parting(at, single), ahead=True)


def run_words(query: Query) -> str:
    """One or two sentences on both runs: where they differ, and how far apart they end; "" without single precision."""
    single = query.single
    if single is None:
        return ""
    if single.steps is None:
        return NO_NUMBER
    parted = query.parted
    if parted is None:
        count = len(single.steps.steps)
        return f"Both runs take {'one and the same step' if count == 1 else f'the same {count} steps'}. {_ends(single)}"
    return f"{parting_place(parted)} the two runs differ: {difference_words(At(query, parted), single)} {_ends(single)}"


def parting_place(parted: Moment) -> str:
    """`From GJK's step 3 on`."""
    return f"From {parted.phase}'s step {parted.index + 1} on"


def _beside(at: At[Any], single: SingleRun) -> str:
    """The sentences that compare the step with double precision's; at the run's last step also the results."""
    assert single.steps is not None
    steps, double, parted = single.steps.steps, single.double.steps, at.query.parted
    index = next(place for place, step in enumerate(steps) if step is at.step)
    ends = _ends(single) if index == len(steps) - 1 else ""
    if parted is at.moment:
        return sentences(_parting(at, single), ends)
    if single.parting is None or index < single.parting.index:
        return sentences("Double precision takes the same step.", _bounds(at.step, double[index]), ends)
    assert parted is not None
    place = f"The two runs differ from {parted.phase}'s step {parted.index + 1} on, before this one."
    if index >= len(double):
        return sentences(place, f"Double precision has ended before, after {counted(len(double), 'step')}.", ends)
    return sentences(place, ends)


def _bounds(step: Any, double: Any) -> str:
    """The sentence that compares the step's upper bound with double's; "" if either has none."""
    if step.upper is None or double.upper is None:
        return ""
    word, off = ("|v|" if isinstance(step, GjkStep) else "upper bound"), float(step.upper) - float(double.upper)
    if off == 0.0:
        return f"Its {word} is the same."
    return f"Its {word} is {tolerance(abs(off))} {'less' if off > 0.0 else 'more'}."


def _ends(single: SingleRun) -> str:
    """The sentence that compares the separations that both runs end with."""
    assert single.steps is not None
    mine, its = float(single.steps.result.separation), float(single.double.result.separation)
    if mine == its:
        return f"Both end with the separation {signed(its)}."
    off = f"{tolerance(abs(mine - its))} {'above' if mine > its else 'below'}"
    return f"Single precision ends {off} double's separation, {signed(its)}."


def _parting(at: At[Any], single: SingleRun) -> str:
    return f"From here on the two runs differ: {difference_words(at, single)}"


def difference_words(at: At[Any], single: SingleRun) -> str:
    """Words that follow a colon: how double and single precision differ at the first step where they do."""
    assert single.steps is not None
    assert single.parting is not None
    step: Any = at.step
    double: Any = single.double.steps[single.parting.index]
    match single.parting.differs:
        case Differs.POINTS if isinstance(step, GjkStep) and at.before is None:
            words = f"double begins with {_points(at, double)}, single with {_points(at, step)}."
        case Differs.POINTS:
            words = f"double has {_points(at, double)}, single {_points(at, step)}."
        case Differs.NEAREST if isinstance(step, GjkStep):
            words = f"in double {_where(at, double)}, in single {_where(at, step)}."
        case Differs.NEAREST:
            face = terms_of(at.dimension).face
            words = f"in double the nearest {face} is of {_corners(at, double)}, in single of {_corners(at, step)}."
        case Differs.SUPPORT:
            words = f"in double the support point is {_support(at, double)}, in single {_support(at, step)}."
        case Differs.STOP:
            words = f"double {_goes_on(double, single.double.steps)}, single {_goes_on(step, single.steps.steps)}."
        case Differs.END:
            longer = len(single.double.steps) > len(single.steps.steps)
            words = f"only {'double' if longer else 'single'} precision goes on to EPA."
    return sentences(words, _tie(at, step, double, single.parting.differs))


def _points(at: At[Any], step: Any) -> str:
    points, scene = step.simplex if isinstance(step, GjkStep) else step.vertices, at.query.analysis.scene
    return listed([at.names.name(point) if curved(point) else difference_name(scene, point) for point in points])


def _where(at: At[Any], step: GjkStep) -> str:
    """`v is on the edge of w₀ and w₁`."""
    from .gjk.steps import feature_words

    names = at.names.of(step.simplex[k] for k in step.region)
    return "the origin is inside the simplex" if step.encloses else f"v is on {feature_words(names)}"


def _corners(at: At[Any], step: Any) -> str:
    return listed(at.names.of(step.vertices[k] for k in nearest_corners(step)))


def _support(at: At[Any], step: Any) -> str:
    return "none" if step.support is None else difference_name(at.query.analysis.scene, step.support)


def _goes_on(step: Any, steps: Sequence[Any]) -> str:
    """`stops (CONVERGED)`, `goes on for 11 steps`."""
    if step.stop is not None:
        return f"stops ({step.stop.value})"
    left = sum(type(other) is type(step) and other.number > step.number for other in steps)
    return f"goes on for {counted(left, 'step')}"


def _tie(at: At[Any], step: Any, double: Any, differs: Differs) -> str:
    """The sentence on how much worse single's choice is, computed in double; "" if no length measures the loss."""
    lost, alike, worse = None, "equally far", "the first reaches {} farther"
    if differs is Differs.SUPPORT:
        lost = _behind(at, double.support, step.support)
    elif differs is Differs.POINTS and isinstance(step, GjkStep) and len(step.simplex) == len(double.simplex) == 1:
        lost = _behind(at, double.simplex[0], step.simplex[0])
    elif differs is Differs.NEAREST and not isinstance(step, GjkStep):
        lost, alike, worse = _farther(step, double), "equally near", "the second is {} farther away"
    if lost is None:
        return ""
    if lost <= EQUAL_LENGTH * size_of(at.query.analysis):
        return f"Both are {alike}, within rounding: either is right."
    return f"Measured in double, {worse.format(tolerance(lost))}."


def _farther(step: Any, double: Any) -> float | None:
    """The extra distance of single's face or edge from the origin, over double's nearest; None if double lacks it."""
    pieces = double.faces if isinstance(double, EpaStep) else double.edges
    offsets = [piece.offset for piece in pieces if corners_of(piece) == nearest_corners(step)]
    return offsets[0] - double.nearest.offset if offsets and double.nearest is not None else None


def _behind(at: At[Any], right: DifferencePoint | None, other: DifferencePoint | None) -> float | None:
    """The length by which `other` is less far than `right` along the direction of `right`, in double.

    None if either is missing, or if `other` is not a difference of two vertices.
    """
    scene = at.query.analysis.scene
    core_a, core_b = scene.a.shape.core, scene.b.shape.core
    if right is None or other is None or core_a is None or core_b is None or min(other.vertex_a, other.vertex_b) < 0:
        return None
    a = scene.a.pose.to_world(core_a.points[other.vertex_a])
    b = scene.b.pose.to_world(core_b.points[other.vertex_b])
    return dot(right.direction, right.w - (a - b))
