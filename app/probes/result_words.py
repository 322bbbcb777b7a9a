"""The results of probes in words: for the card, the picture, captions and texts for screen readers."""

from __future__ import annotations

from collections.abc import Callable

from core.rays.raycast import GjkRaycastStep, RayCast
from core.scene import Scene

from ..words.digits import only_rounding, plain
from . import Aim, PlaneProbe, PointProbe, Probe, RayLook, RayProbe
from .planes import Scaling, point_against, side_words, through, verdict_words
from .ray import (
    ArticleTestResult,
    Unprojection,
    article_answers,
    crossing,
    drawn_look,
    gjk_cast,
    one_axis,
    picked_words,
    ray_of,
)

STOPS = {
    "HIT": "arrived: a hit",
    "INSIDE": "starts inside",
    "GRAZING": "grazes",
    "MISS": "a miss: the ray starts in front of the plane and leads away",
    "BEYOND_REACH": "beyond the reach",
    "NO_PROGRESS": "no progress: a near miss",
    "ITERATION_LIMIT": "too many steps",
}

ONE_AXIS_ID = "P12-box-one-axis"
"""The article's test whose axis is drawn."""


def result_words(scene: Scene, probe: Probe) -> str:
    """The probe's result as sentences; "" for a probe that shows nothing of this scene."""
    match probe:
        case Aim():
            return ""
        case PointProbe():
            told = [verdict_words(k, point_against(scene.body(k), probe.position)) for k in (0, 1)]
            return " ".join(filter(None, told))
        case PlaneProbe():
            found = through(scene, probe)
            return found.fault or " ".join(f"{side_words(k, side)}." for k, side in enumerate(found.sides))
        case RayProbe():
            return _ray_words(scene, probe)
    scaling = Scaling.of(scene)
    if scaling is None:
        return ""
    space = scaling.at(probe.share)
    mistake = f" n scaled like a point: {space.mistake_words}" if space.normals_differ else ""
    return f"{space.gap_words}.{mistake}"


def _ray_words(scene: Scene, probe: RayProbe) -> str:
    ray, body, letter = ray_of(probe), scene.body(probe.body), "AB"[probe.body]
    look = drawn_look(body, probe, ray)
    if look is RayLook.CAST and (cast := gjk_cast(body, ray)) is not None:
        place = min(probe.step, len(cast.steps) - 1)
        told = f"step {place + 1} of {len(cast.steps)}: {cast_step_words(cast.steps[place])}"
        sentences = [f"GJK ray cast against {letter}, {told}."]
    elif look is RayLook.ONE_AXIS and (test := one_axis(body, ray)) is not None:
        met = crossing(body, ray)
        # A box behind the eye is missed, although the ray's line is in all three slabs.
        why = f": {test.words}" if test.in_all_slabs == (met is not None) else ""
        sentences = [f"The ray {met_words(letter, met, timed=True)}{why}."]
        sentences += [f"{article_words(answer)}." for answer in article_answers(body, ray) if answer.id == ONE_AXIS_ID]
    else:
        told = " and ".join(met_words("AB"[k], crossing(scene.body(k), ray), timed=True) for k in (0, 1))
        sentences = [f"The ray {told}."]
    if ray.shortcut_differs:
        sentences.append(shortcut_words(scene, ray))
    return " ".join(sentences)


def met_words(letter: str, cast: RayCast | None, *, timed: bool = False) -> str:
    """Whether a ray meets the body `letter`, such as `misses A`; `timed`: with the t where it enters and leaves."""
    if cast is None:
        return f"misses {letter}"
    start = f"{'starts inside' if cast.inside else 'hits'} {letter}"
    if cast.exit is None:
        entry = f" at t = {plain(cast.entry.t)}" if timed and cast.entry is not None else ""
        return f"{start}{entry} and never leaves it"
    if not timed:
        return start
    if cast.entry is None:
        return f"{start} and leaves it at t = {plain(cast.exit.t)}"
    return f"{start} from t = {plain(cast.entry.t)} to t = {plain(cast.exit.t)}"


def shortcut_words(scene: Scene, ray: Unprojection) -> str:
    """The bodies that the ray and the article's shortcut pick, as a sentence."""
    right, wrong = (picked_words(scene, *way) for way in ((ray.origin, ray.direction), (ray.eye, ray.shortcut)))
    return f"The ray picks {right}, the shortcut {wrong}{'' if right == wrong else ', wrong'}."


def article_words(answer: ArticleTestResult) -> str:
    """The result of an article's test, and whether it is wrong."""
    return f"{answer.title}: {'hit' if answer.says else 'miss'}{', wrong' if answer.says != answer.hits else ''}"


def _without_rounding(value: float) -> str:
    """As `plain`, but 0 for a length that is rounding."""
    return "0" if only_rounding(value) else plain(value)


def cast_step_words(step: GjkRaycastStep, digits: Callable[[float], str] = _without_rounding) -> str:
    """The bound before a step of the GJK ray cast, the distance left, and its result; `digits` writes numbers."""
    done = (
        STOPS[step.stop] if step.stop is not None else f"on to t = {digits(step.next_t)}" if step.clipped else "turns"
    )
    return f"t ≥ {digits(step.t)}, {digits(max(step.distance, 0.0))} left: {done}"
