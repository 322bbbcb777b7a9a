"""The articles beside the right answers, as `separatrix check --articles` prints them.

First their mistaken versions about the pair, about its motion, and about the ray that a scene may keep. Then what they
find by hand and no other part of `check` says: of a motion every method's answer, of two boxes their visible faces, of
two polygons the table of all vertex pairs and the way of the article's own GJK, and of the probe that a scene keeps
what it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from core.analysis.analysis import Analysis
from core.analysis.motion_answers import SweepAnswer
from core.articles import ARTICLE_VARIANTS, MOTION_VARIANTS, Answer, Comparison, compared, motion_articles
from core.articles.separating_axes import faces_in_view
from core.lab.side_by_side.articles import article_rows, variants_about
from core.lab.side_by_side.row import Reason, Reference
from core.pair.support import support_maps
from core.query.query import query
from core.rays.raycast import raycast
from core.scene import Scene
from core.toi.motion import MotionOutcome
from core.toi.planes import PlaneStep
from core.toi.spheres import SphereBoxStep

from ..overlays.faces_in_view import face_name
from ..probes import Lens, PlaneProbe, PointProbe, Probe, RayProbe, ScaleProbe
from ..words.digits import instant, number, plain
from .report import floats

if TYPE_CHECKING:
    from core.minkowski.plane import MinkowskiPolygon
    from core.rays.raycast import RayCast


PAIR, MOTION, RAY = "pair", "motion", "ray"
"""What a version is about."""
MARKS = {Reason.AGREES: "=", Reason.TWO_VERDICTS: "~"}
"""Stand before a version in the text; a version that is wrong has ×."""
ORDER = (Reason.ARTICLE, Reason.TWO_VERDICTS, Reason.AGREES)
"""The wrong ones first."""


class Version(Struct, frozen=True):
    """One mistaken version. `about`: the pair, its motion or a ray. `answers`: its own beside the right one.

    `reason`: whether its mistake shows here, or it merely has no word for touching. `words`: what it says, and why.
    """

    id: str
    title: str
    about: str
    answers: Comparison
    reason: Reason
    words: str


def versions(analysis: Analysis, moving: SweepAnswer | None, probe: Probe | None = None) -> tuple[Version, ...]:
    """Every version that is about such a scene, the wrong ones first; of a ray where the scene keeps one.

    `moving`: the answer about the bodies' motion, if there is any.
    """
    scene = analysis.scene
    found = [*_about_pair(analysis), *_about_motion(scene, moving), *_about_ray(scene, probe)]
    return tuple(sorted(found, key=lambda version: ORDER.index(version.reason)))


def articles_object(found: Sequence[Version]) -> list[dict[str, Any]]:
    """The versions as JSON values; a time that is infinite, for never, is null."""
    return [
        {
            "id": version.id,
            "system": version.id.partition("-")[0],
            "title": version.title,
            "about": version.about,
            "article": _value(version.answers.article),
            "right": _value(version.answers.right),
            "reason": version.reason.value,
            "words": version.words,
        }
        for version in found
    ]


def articles_text(found: Sequence[Version]) -> str:
    """Each wrong version with both answers and its reason, then those that are right here; ends in a new line."""
    lines = ["  published mistakes"]
    if not found:
        return "\n".join([*lines, "  none applies to this scene"]) + "\n"
    for version in found:
        lines.append(f"  {MARKS.get(version.reason, '×')} {version.title} ({version.about})")
        if version.reason is not Reason.AGREES:
            lines.append(f"      {version.words}")
    return "\n".join(lines) + "\n"


def _about_pair(analysis: Analysis) -> Iterator[Version]:
    known = {variant.id: variant for variant in variants_about(analysis)}
    for row in article_rows(Reference.asked(query(analysis))):
        answers = compared(known[row.article], analysis.scene)
        assert answers is not None
        yield Version(row.article, row.method, PAIR, answers, row.reason, str(row.words))


def _about_motion(scene: Scene, moving: SweepAnswer | None) -> Iterator[Version]:
    if moving is None:
        return
    known = {variant.id: variant for variant in MOTION_VARIANTS}
    for answer in motion_articles(scene, moving):
        with np.errstate(all="ignore"):
            answers = compared(known[answer.id], scene)
        assert answers is not None
        reason = Reason.AGREES if answer.right else Reason.ARTICLE
        yield Version(answer.id, answer.title, MOTION, answers, reason, str(answer.words))


def _about_ray(scene: Scene, probe: Probe | None) -> Iterator[Version]:
    if not isinstance(probe, RayProbe):
        return
    from ..probes.ray import article_answers, crossing, lens_of, ray_of

    ray = ray_of(probe)
    name = "P11-orthographic" if lens_of(probe) is Lens.ORTHOGRAPHIC else "P11-off-centre"
    shortcut = next(variant for variant in ARTICLE_VARIANTS if variant.id == name)
    for index, letter in enumerate("AB"):
        body, about = scene.body(index), f"{RAY} against {letter}"
        says, hit = raycast(body, ray.eye, ray.shortcut) is not None, crossing(body, ray) is not None
        yield _of_ray(shortcut.id, shortcut.title, about, Comparison(says, hit, shortcut.why))
        for answer in article_answers(body, ray):
            yield _of_ray(answer.id, answer.title, about, Comparison(answer.says, answer.hit, answer.why))


def _of_ray(name: str, title: str, about: str, answers: Comparison) -> Version:
    if answers.agree:
        return Version(name, title, about, answers, Reason.AGREES, "Correct for this ray, despite the mistake.")
    says = "hits, but it misses" if answers.article else "misses, but it hits"
    return Version(name, title, about, answers, Reason.ARTICLE, f"It says that the ray {says}. {answers.why}")


def _value(answer: Answer) -> Any:
    if isinstance(answer, tuple):
        return [_value(part) for part in answer]
    if isinstance(answer, float):
        return answer + 0.0 if isfinite(answer) else None  # no -0.0
    return answer


MOST_PAIRS = 144
"""Rows of the table of vertex pairs that are written out as text; JSON has them all."""
Facts = dict[str, Any]


def by_hand(analysis: Analysis, moving: SweepAnswer | None, probe: Probe | None = None) -> Facts:
    """JSON values under the keys `motion`, `faces`, `pairs`, `gjk` and `probe`; null where there is no such thing.

    `moving`: the answer about the bodies' motion, if there is any.
    """
    polygon = analysis.polygon
    return {
        "motion": None if moving is None else _motion(moving),
        "faces": _faces(analysis.scene),
        "pairs": None if polygon is None else _pairs(analysis.scene, polygon),
        "gjk": None if polygon is None else _article_gjk(analysis.scene),
        "probe": None if probe is None else _probe(analysis.scene, probe),
    }


def by_hand_text(facts: Facts) -> str:
    """The same for people; ends in a new line, or empty where there is nothing to say."""
    told: dict[str, Callable[[Any], list[str]]] = {
        "motion": _motion_lines,
        "faces": _face_lines,
        "gjk": _gjk_lines,
        "pairs": _pair_lines,
    }
    lines = [line for key, lines_of in told.items() if facts[key] is not None for line in lines_of(facts[key])]
    if facts["probe"] is not None:
        lines += ["  the probe", *_fact_lines(facts["probe"], "  ")]
    return "\n".join(lines) + "\n" if lines else ""


def _motion(moving: SweepAnswer) -> Facts:
    """Every method; the yes or no on 21 axes of two boxes; a sphere's regions beside a box; the reach to a plane."""
    steps = [step for trace in moving.traces for step in trace.steps]
    radii = [step.radius for step in steps if isinstance(step, PlaneStep) and step.radius is not None]
    axes21, swept = None, moving.swept
    if swept is not None:
        axes21 = {"meets": swept.meets, "axis": None if swept.row is None else swept.labels[swept.row]}
    return {
        "methods": [
            {
                "method": trace.method.value,
                "outcome": trace.result.outcome.value,
                "stop": trace.result.stop.value,
                "time": trace.result.time,
                "free": trace.result.free,
                "steps": len(trace.steps),
            }
            for trace in moving.traces
        ],
        "axes21": axes21,
        "regions": [step.crossing.name for step in steps if isinstance(step, SphereBoxStep) and step.crossing] or None,
        "effective_radius": float(radii[-1]) if radii else None,
    }


def _faces(scene: Scene) -> list[Facts] | None:
    """Of two boxes the faces that count as visible, and the other's nearest vertices behind or before them."""
    if scene.a.shape.half_extents is None or scene.b.shape.half_extents is None:
        return None
    return [
        {
            "face": face_name(face),
            "distance": float(face.distance),
            "within": [bool(inside) for inside in face.within],
            "meets": face.meets,
        }
        for face in faces_in_view(scene)
    ]


def _pairs(scene: Scene, polygon: MinkowskiPolygon) -> list[Facts]:
    """Every pair of vertices with its difference, its sum, and where the difference lies in A - B."""
    from core.minkowski.plane import minkowski_sum

    sums = minkowski_sum(scene.a, scene.b).table
    return [
        {"pair": pair.name, "difference": pair.point, "sum": total.point, "place": pair.place.value}
        for pair, total in zip(polygon.table, sums, strict=True)
    ]


def _article_gjk(scene: Scene) -> Facts:
    """The article's own GJK from its first direction: each support point by its pair, and where it goes next."""
    from core.gjk.article_gjk import FIRST_DIRECTION, article_gjk_steps
    from core.minkowski.plane import pair_name
    from core.trace import record

    a, b = scene.a, scene.b
    counts = [0 if body.shape.core is None else len(body.shape.core.points) for body in (a, b)]
    found = record(article_gjk_steps(support_maps(a, b, rounded="full"), FIRST_DIRECTION))
    return {
        "meet": None if found.result is None else found.result.meet,
        "stop": None if found.result is None else found.result.stop.value,
        "steps": [
            {
                "direction": step.direction,
                "pair": pair_name(max(step.support.vertex_a, 0), max(step.support.vertex_b, 0), *counts),
                "support": step.support.xy,
                "next": step.next_direction,
            }
            for step in found.steps
        ],
    }


def _probe(scene: Scene, probe: Probe) -> Facts | None:
    match probe:
        case PointProbe():
            return _point(scene, probe)
        case PlaneProbe():
            return _plane(scene, probe)
        case RayProbe():
            return _ray(scene, probe)
        case ScaleProbe():
            return _scaling(scene)
    return None


def _point(scene: Scene, probe: PointProbe) -> Facts:
    from ..probes.planes import point_against, verdict_words

    found: Facts = {"kind": "point", "at": list(probe.at)}
    for index, letter in enumerate("ab"):
        against = point_against(scene.body(index), probe.at)
        found[letter] = {
            "words": verdict_words(index, against),
            "planes": [{"name": side.name, "distance": float(side.distance)} for side in against.sides],
        }
    return found


def _plane(scene: Scene, probe: PlaneProbe) -> Facts:
    from ..probes.planes import through

    spanned = through(scene, probe)
    if spanned.plane is None:
        return {"kind": "plane", "fault": spanned.fault}
    found: Facts = {"kind": "plane", "normal": floats(spanned.plane.normal), "offset": float(spanned.plane.offset)}
    for letter, side in zip("ab", spanned.sides, strict=True):
        # JSON has no infinity, which is how far a half-space goes.
        ends = {"lowest": side.lowest, "highest": side.highest}
        found[letter] = {
            "words": side.words,
            "centre": float(side.centre),
            **{name: float(end) if isfinite(end) else None for name, end in ends.items()},
            "vertices": floats(side.vertices),
        }
    return found


def _ray(scene: Scene, probe: RayProbe) -> Facts:
    from ..probes.ray import crossing, ray_of

    ray = ray_of(probe)
    return {
        "kind": "ray",
        "pixel": list(probe.pixel),
        "device": list(ray.device),
        "view": floats(ray.view_near),
        "world": floats(ray.near),
        "origin": floats(ray.origin),
        "direction": floats(ray.direction),
        "shortcut": floats(ray.shortcut),
        "a": _crossing(crossing(scene.a, ray)),
        "b": _crossing(crossing(scene.b, ray)),
    }


def _crossing(cast: RayCast | None) -> Facts | None:
    if cast is None:
        return None
    ends = (("enters", cast.entry), ("leaves", cast.exit))
    return {"inside": cast.inside} | {word: None if hit is None else float(hit.t) for word, hit in ends}


def _scaling(scene: Scene) -> Facts | None:
    from ..probes.planes import Scaling

    found = Scaling.of(scene)
    if found is None:
        return None
    space = found.at(1.0)
    return {
        "kind": "scaling",
        "distance": found.distance,
        "h": found.stretch,
        "gap": found.distance - found.stretch,
        "contact": floats(found.contact),
        "scaled_normal": floats(space.normal),
        "scaled_distance": space.distance,
        "mistaken_normal": floats(space.mistaken),
        "mistaken_distance": space.mistaken_distance,
    }


def _motion_lines(motion: Facts) -> list[str]:
    lines = ["  every method of the motion"]
    width = max(len(row["method"]) for row in motion["methods"])
    for row in motion["methods"]:
        when = "" if row["time"] is None else f" at t = {instant(row['time'])}"
        if row["outcome"] == MotionOutcome.ITERATION_LIMIT:
            # The outcome stands for whatever leaves a method undecided.
            when = f" ({row['stop']}), proved apart until t = {plain(row['free'])}"
        steps = f"{row['steps']} step{'' if row['steps'] == 1 else 's'}"
        lines.append(f"  {row['method']:<{width}}  {row['outcome']}{when}, {steps}")
    if motion["axes21"] is not None:
        axis = motion["axes21"]["axis"]
        lines.append(f"  {'yes or no on 21 axes':<{width}}  {'they touch' if axis is None else f'apart on {axis}'}")
    if motion["regions"] is not None:
        lines.append(f"  regions of the sphere's centre up to the answer: {', '.join(motion['regions'])}")
    if motion["effective_radius"] is not None:
        lines.append(f"  effective radius towards the plane: {plain(motion['effective_radius'])} scene units")
    return lines


def _face_lines(faces: list[Facts]) -> list[str]:
    lines = ["  visible faces, and the other box's nearest vertices"]
    for face in faces:
        bounds = "within its bounds" if any(face["within"]) else "out of its bounds"
        hit = ": a hit" if face["meets"] else ""
        side = "behind" if face["distance"] <= 0.0 else "in front"
        lines.append(f"  {face['face']:<5}{plain(abs(face['distance']))} {side}, {bounds}{hit}")
    return lines


def _gjk_lines(gjk: Facts) -> list[str]:
    answer = {True: "an overlap", False: "no overlap", None: "no answer"}[gjk["meet"]]
    lines = [f"  the article's own GJK: {answer} ({gjk['stop']})"]
    for place, step in enumerate(gjk["steps"], start=1):
        following = "" if step["next"] is None else f", on along {_row(step['next'])}"
        lines.append(f"  {place}  along {_row(step['direction'])}: {step['pair']} {_row(step['support'])}{following}")
    return lines


def _pair_lines(pairs: list[Facts]) -> list[str]:
    lines = ["  pair  difference                sum                       the difference is"]
    for row in pairs[:MOST_PAIRS]:
        place = {"corner": "a corner of A − B", "edge": "on an edge", "inside": "inside"}[row["place"]]
        lines.append(f"  {row['pair']:<4}  {_row(row['difference']):<24}  {_row(row['sum']):<24}  {place}")
    if len(pairs) > MOST_PAIRS:
        lines.append(f"  and {len(pairs) - MOST_PAIRS} more")
    return lines


def _fact_lines(facts: Facts, indent: str) -> list[str]:
    """Names and values; what a body has is indented under its letter."""
    lines = []
    for name, value in facts.items():
        label = name.upper() if name in ("a", "b") else name.replace("_", " ")
        if isinstance(value, dict):
            lines += [f"{indent}{label}", *_fact_lines(value, indent + "  ")]
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            listed = ", ".join(f"{row['name']} {number(row['distance'])}" for row in value)
            lines.append(f"{indent}{label:<18}{listed}")
        else:
            missing = "missed" if name in ("a", "b") else "none"
            lines.append(f"{indent}{label:<18}{missing if value is None or value == [] else _in_words(value)}".rstrip())
    return lines


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return _row(value)
    return number(value) if isinstance(value, float) else str(value)


def _row(values: Sequence[float]) -> str:
    return f"({', '.join(plain(float(value)) for value in values)})"
