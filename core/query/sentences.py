"""One plain sentence for each kind of step, for programs and reports.

Lengths are in scene units. Points are relative to A's position; those of contacts are in the world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

from ..contact import contact as contacts
from ..gjk.article_gjk import ArticleStep
from ..gjk.epa import EpaStep
from ..gjk.gjk import GjkStep
from ..gjk.plane_epa import EpaPolygonStep
from ..minkowski.difference import BuildStep
from ..mpr import MprStep
from ..rays.raycast import GjkRaycastStep
from ..sat.sat import SatStep
from ..sat.separating_planes import PlanesTestStep
from ..toi.advancement import AdvancementStep
from ..toi.half_spaces import PlaneStep, ScaledPlaneStep
from ..toi.intervals import IntervalStep, SweptAxisStep
from ..toi.plane import ArcStep, GrownEdgeStep
from ..toi.spheres import SphereBoxStep, SpheresStep

SIMPLEXES = ("nothing", "a point", "a segment", "a triangle", "a tetrahedron")


def sentence(step: Any) -> str:
    """One sentence about the step's result. Raises KeyError for what is no step of a query."""
    return SENTENCES[type(step)](step)


def _row(numbers: Iterable[float]) -> str:
    return f"({', '.join(f'{number + 0.0:.6g}' for number in numbers)})"


def _end(step: Any) -> str:
    return f" It ends: {step.stop.value}." if step.stop is not None else ""


def _bounds(lower: float | None, upper: float | None) -> str:
    return "" if lower is None or upper is None else f" between {lower:.6g} and {upper:.6g}"


def _time(time: float | None) -> str:
    return "no time of contact yet" if time is None else f"contact at time {time:.6g}"


def _gjk(step: GjkStep) -> str:
    if step.support is None:
        return f"The simplex encloses the origin: the cores overlap.{_end(step)}"
    nearest = f"The simplex, {SIMPLEXES[len(step.simplex)]}, is nearest the origin at {_row(step.closest)}"
    distance = f"the cores' distance lies{_bounds(step.lower, step.upper)}"
    return f"{nearest}, and with the support point {_row(step.support.xyz)} {distance}.{_end(step)}"


def _epa(step: EpaStep | EpaPolygonStep) -> str:
    if step.support is None or step.closest is None:
        return f"GJK hands over {step.given} {'point' if step.given == 1 else 'points'}.{_end(step)}"
    side = "edge" if isinstance(step, EpaPolygonStep) else "face"
    changed = f", which removes {len(step.removed)} and adds {len(step.added)}" if step.added else ""
    found = f"the support point along its normal {_row(step.support.xyz)}{changed}"
    depth = f"the cores' depth lies{_bounds(step.lower, step.upper)}"
    return f"The nearest {side} is at {_row(step.closest)}, and {found}: {depth}.{_end(step)}"


def _mpr(step: MprStep) -> str:
    found = "" if step.support is None else f": the support point {_row(step.support.xyz)}"
    bound = ""
    if step.upper is not None:
        bound = (
            f"; the depth is at most {step.upper:.6g}"
            if step.upper >= 0.0
            else f"; apart by {-step.upper:.6g} at least"
        )
    return f"{step.action.value.capitalize()}{found}{bound}.{_end(step)}"


def _article(step: ArticleStep) -> str:
    return f"The support point along {_row(step.direction)} has the product {step.product:.6g} with it.{_end(step)}"


def _build(step: BuildStep) -> str:
    return f"{step.action.value.capitalize()}: {len(step.points)} differences, {len(step.faces)} faces."


def _sat(step: SatStep) -> str:
    if step.separation is None:
        return f"Axis {step.row + 1} has no direction."
    best = "the largest so far" if step.improved else "not above the largest so far"
    apart = " It separates the bodies." if step.separation > 0.0 else ""
    return f"On axis {step.row + 1} the separation is {step.separation:.6g}, {best}.{apart}"


def _edge_plane(step: PlanesTestStep) -> str:
    return f"The other body's nearest corner is {step.gap:.6g} in front of the plane of {step.label}."


def _normal(step: contacts.NormalStep) -> str:
    return f"The contacts are about the normal {_row(step.normal)}, with the separation {step.separation:.6g}."


def _flat(step: contacts.FlatStep) -> str:
    body = "AB"[step.body]
    return f"The flat part of {body} is a {step.kind}, {step.name}."


def _cut(step: contacts.CutStep) -> str:
    return f"{step.side} of {'AB'[step.body]} cuts the other's shadow."


def _corner_depths(step: contacts.CornerDepthsStep) -> str:
    return f"At {len(step.contacts)} corners the overlap is measured along {_row(step.normal)}."


def _edges(step: contacts.EdgesStep) -> str:
    a, b = step.names[step.chosen]
    return f"Of {len(step.names)} pairs of edges {a} of A and {b} of B come closest."


def _plane(step: PlaneStep) -> str:
    speed = "" if step.speed is None else f", and moves along its normal at {step.speed:.6g}"
    return f"The body's position starts {step.distance:.6g} from the plane{speed}: {_time(step.time)}.{_end(step)}"


def _scaled(step: ScaledPlaneStep) -> str:
    return f"With the radii {_row(step.radii)} scaled to 1: {_time(step.time)}.{_end(step)}"


def _spheres(step: SpheresStep) -> str:
    near = "" if step.closest is None else f" come as near as {step.closest:.6g} and"
    return f"The centres{near} touch at the distance {step.reach:.6g}: {_time(step.time)}.{_end(step)}"


def _regions(step: SphereBoxStep) -> str:
    where = "The bounding sphere" if step.crossing is None else "A region of the grown box"
    return f"{where}: its least gap on the way is {step.nearest:.6g}; {_time(step.time)}.{_end(step)}"


def _interval(step: IntervalStep) -> str:
    apart = " They stay apart." if step.separated else ""
    return f"On axis {step.row + 1} the bodies overlap from time {step.entry:.6g} to {step.exit:.6g}.{apart}"


def _swept(step: SweptAxisStep) -> str:
    return (
        f"On {step.label} the gap to all of B's way is {step.gap:.6g}{', which separates' if step.separates else ''}."
    )


def _ray(step: GjkRaycastStep) -> str:
    at = f"At t = {step.t:.6g} the ray is {step.distance:.6g} from the body"
    return f"{at}; the next t is {step.next_t:.6g}.{_end(step)}"


def _advancement(step: AdvancementStep) -> str:
    free = "for ever" if step.next_time == inf else f"until {step.next_time:.6g}"
    return f"At time {step.time:.6g} the bodies are {step.distance:.6g} apart, and stay free {free}.{_end(step)}"


def _grown_edge(step: GrownEdgeStep) -> str:
    crossed = "does not cross" if step.time is None else f"crosses at time {step.time:.6g}"
    return f"The origin's way {crossed} the line of {step.label}, moved out by {step.radius:.6g}.{_end(step)}"


def _arc(step: ArcStep) -> str:
    return f"The circle of {step.radius:.6g} about {step.label}: {_time(step.time)}.{_end(step)}"


SENTENCES: dict[type, Callable[[Any], str]] = {
    BuildStep: _build,
    SatStep: _sat,
    GjkStep: _gjk,
    EpaStep: _epa,
    EpaPolygonStep: _epa,
    MprStep: _mpr,
    PlanesTestStep: _edge_plane,
    ArticleStep: _article,
    contacts.NormalStep: _normal,
    contacts.FeaturesStep: lambda step: f"{step.feature_a} of A meets {step.feature_b} of B: {step.case.value}.",
    contacts.ClipStep: lambda step: f"{step.side} cuts {len(step.before)} points to {len(step.after)}.",
    contacts.DepthStep: lambda step: f"{sum(step.kept)} of {len(step.kept)} points lie below the reference face.",
    contacts.EdgesStep: _edges,
    contacts.EndsStep: lambda step: f"{sum(step.kept)} of {len(step.kept)} ends of what both edges share are contacts.",
    contacts.FlatStep: _flat,
    contacts.ShadowsStep: lambda _step: "Both flat parts cast their shadows along the normal.",
    contacts.CutStep: _cut,
    contacts.LevelStep: lambda step: f"The planes of {' and '.join(step.faces)} are within {step.delta:.6g} here.",
    contacts.CornerDepthsStep: _corner_depths,
    contacts.WitnessStep: lambda step: f"The nearest points' middle {_row(step.contact.position)} is a contact too.",
    contacts.ReduceStep: lambda step: f"{len(step.kept)} contacts are kept, {len(step.dropped)} dropped.",
    PlaneStep: _plane,
    ScaledPlaneStep: _scaled,
    SpheresStep: _spheres,
    SphereBoxStep: _regions,
    IntervalStep: _interval,
    SweptAxisStep: _swept,
    GjkRaycastStep: _ray,
    AdvancementStep: _advancement,
    GrownEdgeStep: _grown_edge,
    ArcStep: _arc,
}
