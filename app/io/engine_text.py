"""Writes a pair as an engine's own text, with the templates of `engines`."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.geometry import quaternion
from core.geometry.vector import Array, cross, dot, dots, length, product
from core.scene import Body, Scene
from core.shapes import Hull, Shape, sharp_of

from ..shapes import kind_of
from .engines import ENGINES, EngineFormat, body_axes, world_axes

UPRIGHT = ("capsule", "cylinder", "cone")
"""Shapes with an axis, whose direction differs between engines."""


def write_pair(scene: Scene, name: str) -> str:
    """The pair as text for the engine of this name, every double exact, in the engine's axes and unit.

    Raises ValueError with a sentence where the engine has no such shape.
    """
    engine = ENGINES[name]
    return "\n".join(_body_text(body, letter, engine) for body, letter in ((scene.a, "a"), (scene.b, "b"))) + "\n"


def _body_text(body: Body, letter: str, engine: EngineFormat) -> str:
    conventions, (shape, border) = engine.conventions, sharp_of(body.shape)
    kind = kind_of(shape)
    if kind.name not in engine.forms:
        raise ValueError(f"{conventions.engine} has no {kind.title.lower()}, so this pair cannot be written for it.")
    if border:
        raise ValueError(f"{letter.upper()} has a border radius, which the text for {conventions.engine} cannot hold.")
    world, axes = world_axes(conventions), body_axes(conventions, upright=kind.name in UPRIGHT)
    place, turn = np.array(body.position), quaternion.to_matrix(body.rotation)
    if kind.name == "halfspace" and "{normal}" not in engine.forms["halfspace"]:
        place, turn = _stood(shape, place, turn, dots(axes, np.array(engine.plane)))
    numbers = _sizes(shape, 1.0 / conventions.unit, axes)
    turned = product(product(world.T, turn), axes)
    w, x, y, z = quaternion.from_matrix(turned)
    numbers |= {
        "position": dots(world.T, place) / conventions.unit,
        "rows": turned.ravel(),
        "wxyz": (w, x, y, z),
        "xyzw": (x, y, z, w),
        "xyz": (x, y, z),
        "w": (w,),
    }
    between = " " if conventions.engine == "MuJoCo" else ", "
    words = {key: between.join(_digits(value, engine) for value in values) for key, values in numbers.items()}
    words["points"] = between.join(
        engine.row.format(point=between.join(_digits(value, engine) for value in point))
        for point in _points(shape, 1.0 / conventions.unit, axes)
    )
    form = engine.forms[kind.name]
    gap = "" if engine.pose[0] in "\n " else "\n"
    return f"{form}{gap}{engine.pose}".format(n=letter, **words)


def _digits(value: float, engine: EngineFormat) -> str:
    return f"{float(value) + 0.0!r}{engine.suffix}"


def _points(shape: Shape, unit: float, axes: Array) -> list[list[float]]:
    if not isinstance(shape, Hull):
        return []
    points: list[list[float]] = (product(np.array(shape.points), axes) * unit).tolist()
    return points


def _sizes(shape: Shape, unit: float, axes: Array) -> dict[str, Any]:
    """The numbers of a shape's size under every name that a template may use."""
    own = {parameter.key: np.array(parameter.values(shape)) for parameter in kind_of(shape).parameters}
    sizes: dict[str, Any] = {key: value * unit for key, value in own.items()} | {"centre": np.zeros(3)}
    if "size" in sizes:
        sizes["half_size"] = 0.5 * sizes["size"]
    if "length" in sizes:
        segment, radius = sizes.pop("length"), sizes["radius"]
        end = np.array((0.0, 0.5 * float(segment[0]), 0.0))
        sizes |= {"segment": segment, "half_segment": 0.5 * segment, "centre1": -end, "centre2": end}
        sizes |= {"total": segment + 2.0 * radius, "half_total": 0.5 * segment + radius}
    if "height" in sizes:
        sizes |= {"long": sizes["height"], "half_long": 0.5 * sizes.pop("height")}
    if shape.plane is not None:
        offset = np.array((shape.plane.offset * unit,))
        sizes |= {"normal": dots(axes.T, shape.plane.normal), "offset": offset, "minus_offset": -offset}
    return sizes


def _stood(shape: Shape, place: Array, turn: Array, up: Array) -> tuple[Array, Array]:
    """The pose of the same half-space with normal `up` in its own frame and offset 0."""
    plane = shape.plane
    if plane is None:
        return place, turn
    return place + dots(turn, plane.normal) * plane.offset, product(turn, onto(up, plane.normal))


def onto(start: Array, end: Array) -> Array:
    """A rotation matrix (3, 3) that takes the unit vector `start` to the unit vector `end`."""
    axis, cosine = cross(start, end), dot(start, end)
    if cosine < -0.5:
        # The formula below fails near half a turn: first half a turn about an axis at right angles to `start`.
        side = cross(start, np.eye(3)[int(np.abs(start).argmin())])
        side /= length(side)
        half = 2.0 * np.outer(side, side) - np.eye(3)
        rest: Array = product(onto(-start, end), half)
        return rest
    skew = np.array(((0.0, -axis[2], axis[1]), (axis[2], 0.0, -axis[0]), (-axis[1], axis[0], 0.0)))
    turn: Array = np.eye(3) + skew + product(skew, skew) / (1.0 + cosine)
    return turn
