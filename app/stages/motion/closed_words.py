"""The closed forms about a motion in words: against a plane, in scaled space, two spheres, a sphere and 27 regions."""

from __future__ import annotations

from core.query.query import Query
from core.toi import PlaneStage, PlaneStep, ScaledPlaneStage, ScaledPlaneStep

from ...words.axis_words import MINUS, plain
from ...words.motion_words import signed_units
from ..stage import At
from ..word_parts import StepText, dot_formula, from_a, length_formula, row, sentences
from .word_parts import Said, height_formula, ratio_formula, sum_formula, told, value_formula, vector_formula, when


def moving_body(query: Query) -> str:
    """Letter of the body that is not the half-space."""
    return "A" if query.analysis.scene.a.shape.plane is None else "B"


# Against a plane.


def plane_text(at: At[PlaneStep]) -> StepText:
    """Words about one stage of a body against a plane."""
    step = at.step
    stage, say = {
        PlaneStage.DISTANCE: ("distance", _plane_distance),
        PlaneStage.RADIUS: ("reach", _plane_radius),
        PlaneStage.SPEED: ("speed", _plane_speed),
        PlaneStage.TIME: ("time", _plane_time),
    }[step.stage]
    known, decided, why, formulas = say(step, moving_body(at.query))
    known = sentences(known, from_a(at.query) if step.stage is PlaneStage.DISTANCE else "")
    return told(at, "Plane, step", stage, (known, decided, why, formulas))


def _plane_distance(step: PlaneStep, body: str) -> Said:
    along = step.normal, step.position
    side = "in front of" if step.distance > 0.0 else "behind" if step.distance < 0.0 else "in"
    return (
        f"The plane n·x = d of the half-space, and the position p of {body}.",
        f"The position is {side} the plane: its signed distance s₀ is {signed_units(step.distance)}.",
        "The half-space is solid behind its plane, so the sign counts.",
        (height_formula(r"s_0 = n\cdot p - d", ("s₀", "s_0"), along, step.offset, step.distance),),
    )


def _plane_radius(step: PlaneStep, body: str) -> Said:
    assert step.radius is not None
    gap = step.distance - step.radius
    shares = "" if step.arms is None else " Each half extent of the box has its share in it, h |u·n|."
    reach = value_formula("r", ("r", "r"), step.radius)
    if step.arms is not None:
        arms = [float(arm) for arm in step.arms]
        reach = sum_formula(r"r = \sum h_i\,\lvert u_i\cdot n\rvert", ("r", "r"), arms, step.radius)
    return (
        f"The position of {body} is at s₀ = {plain(step.distance)}.",
        f"{body} reaches {plain(step.radius)} towards the plane, its effective radius r.{shares}",
        f"So between {body} and the plane there are s₀ {MINUS} r = {signed_units(gap)}: "
        + ("it starts clear of it." if step.stop is None else "it meets the plane at once."),
        (reach, sum_formula(r"\mathit{gap} = s_0 - r", ("gap", r"\mathit{gap}"), (step.distance, -step.radius), gap)),
    )


def _plane_speed(step: PlaneStep, body: str) -> Said:
    assert step.radius is not None
    assert step.speed is not None
    towards = step.stop is None
    return (
        f"The gap is {signed_units(step.distance - step.radius)}, and {body} moves by v relative to the plane.",
        f"Along n it moves n·v = {plain(step.speed)} in the whole motion: "
        + ("towards the plane." if towards else "not towards the plane."),
        "Only the part of the motion along the normal changes the distance; the rest is along the plane.",
        (dot_formula(r"n\cdot v", "n·v", r"n\cdot v", (step.normal, step.velocity), step.speed),),
    )


def _plane_time(step: PlaneStep, body: str) -> Said:
    assert step.radius is not None
    assert step.speed is not None
    assert step.time is not None
    difference = step.radius, step.distance
    return (
        f"Known are s₀ = {plain(step.distance)}, r = {plain(step.radius)} and n·v = {plain(step.speed)}.",
        f"{body} arrives at the plane at {when(step.time)}.",
        "The distance changes evenly, s(t) = s₀ + t n·v, and contact is where s(t) is r.",
        (ratio_formula(r"t = \dfrac{r - s_0}{n\cdot v}", ("t", "t"), difference, step.speed, step.time),),
    )


# In scaled space.


def scaled_text(at: At[ScaledPlaneStep]) -> StepText:
    """Words about one stage of an ellipsoid against a plane."""
    stage, say = {
        ScaledPlaneStage.ELLIPSOID: ("its own axes", _scaled_own),
        ScaledPlaneStage.SCALED: ("scaled", _scaled_space),
        ScaledPlaneStage.TIME: ("time", _scaled_time),
        ScaledPlaneStage.CONTACT: ("contact", _scaled_contact),
    }[at.step.stage]
    return told(at, "Scaled space, step", stage, say(at.step))


def _scaled_own(step: ScaledPlaneStep) -> Said:
    return (
        f"An ellipsoid with the radii S = {row(step.radii)}, and a plane n·x = d.",
        "The plane and the motion v are turned into the ellipsoid's own axes, about its centre.",
        "There scaling is simple: every coordinate is divided by the radius along it.",
        (
            vector_formula("n", ("n", "n"), step.normal),
            value_formula(r"d", ("d", "d"), step.offset),
            vector_formula("v", ("v", "v"), step.velocity),
        ),
    )


def _scaled_space(step: ScaledPlaneStep) -> Said:
    assert step.stretch is not None
    assert step.scaled_normal is not None
    assert step.scaled_offset is not None
    assert step.scaled_velocity is not None
    apart = step.stop is None
    return (
        "The plane and the motion in the ellipsoid's own axes.",
        f"Scaled, the ellipsoid is a unit sphere, {plain(-step.scaled_offset)} from the plane: "
        + ("it starts clear of it." if apart else "it meets the plane at once."),
        "Points and ways are divided by the radii. A normal is multiplied by them, the inverse transpose, and is "
        "made a unit vector again by h, which is also how far the ellipsoid reaches along n.",
        (
            length_formula(r"h = \lVert S\,n\rVert", "h", "h", step.radii * step.normal, step.stretch),
            vector_formula(r"n' = S\,n / h", ("n′", "n'"), step.scaled_normal),
            ratio_formula(r"d' = d / h", ("d′", "d'"), (step.offset,), step.stretch, step.scaled_offset),
            vector_formula(r"v' = S^{-1} v", ("v′", "v'"), step.scaled_velocity),
        ),
    )


def _scaled_time(step: ScaledPlaneStep) -> Said:
    assert step.scaled_normal is not None
    assert step.scaled_velocity is not None
    assert step.scaled_offset is not None
    assert step.speed is not None
    speed = dot_formula(r"n'\cdot v'", "n′·v′", r"n'\cdot v'", (step.scaled_normal, step.scaled_velocity), step.speed)
    known = f"A unit sphere and the plane n′·x = d′, with d′ = {plain(step.scaled_offset)}."
    if step.time is None:
        return (
            known,
            f"Along n′ it moves n′·v′ = {plain(step.speed)}: not towards the plane.",
            "Scaling changes lengths, but never the side to which something moves.",
            (speed,),
        )
    gap = 1.0, -step.scaled_offset
    return (
        known,
        f"The unit sphere arrives at the plane at {when(step.time)}.",
        "It is a sphere of radius 1 against a plane. Times survive the scaling, distances do not.",
        (speed, ratio_formula(r"t = \dfrac{1 + d'}{n'\cdot v'}", ("t", "t"), gap, step.speed, step.time)),
    )


def _scaled_contact(step: ScaledPlaneStep) -> Said:
    assert step.time is not None
    assert step.scaled_contact is not None
    assert step.contact is not None
    return (
        f"The time, {when(step.time)}.",
        "The unit sphere touches at the point opposite to n′, and scaling back gives the ellipsoid's point.",
        "What touches in one space touches in the other: the map takes surface to surface and plane to plane.",
        (
            vector_formula(r"q' = t\,v' - n'", ("q′", "q'"), step.scaled_contact),
            vector_formula(r"q = S\,q'", ("q", "q"), step.contact),
        ),
    )
