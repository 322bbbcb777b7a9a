"""Writes a pair as a form's text ("Copy as"), with the bodies in the text's axes and unit, or refuses the pair.

Each form has a table from the kinds of shape that it can write to the words for one. Numbers have the shortest digits
that give the same double. An engine with single precision rounds them itself; its form may add a suffix such as `f`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from core.geometry import quaternion
from core.geometry.vector import Array, dots, product
from core.scene import Body, Scene
from core.shapes import Shape, sharp_of
from core.toi.motion import moves

from ..shapes import hull_points, kind_of, polygon_corners
from .bodies import UPRIGHT, World, onto, upright

Numbers = Sequence[float] | Array


def numbers_text(values: Numbers, between: str = ", ", suffix: str = "") -> str:
    """The numbers as text, with the shortest digits that give the same doubles; a negative zero becomes 0.0.

    `between`: stands between numbers; `suffix`: after each.
    """
    return between.join(f"{float(value) + 0.0!r}{suffix}" for value in np.asarray(values, dtype=float).ravel())


class WrittenBody:
    """A body in the axes and the unit of a text.

    `kind`: the shape's kind; `sizes`: its sizes by name, each an array; `border`: its border radius; `points`: the
    points (n, 3) of a hull, or the corners (n, 2) of a polygon, counter-clockwise. `corners` (n, 3): those of a
    polyhedron; `faces`: its faces as lists of indices of corners, ordered so that cross products of their edges in the
    text's axes point outwards. `normal` (3,), `offset`: those of a half-space. `position` (3,), `rotation` (3, 3): the
    pose; `angle`: the rotation in the plane, radians, counter-clockwise in the scene. `shape`: the words for the shape.
    """

    def __init__(self, body: Body, letter: str, form: Writer) -> None:
        shape, border = sharp_of(body.shape)
        kind, world = kind_of(shape), form.world
        axes, unit, mirror = world.axes, world.unit, world.mirror
        self.kind, self.letter, self._form = kind.name, letter, form
        self.sizes = {one.key: np.array(one.values(shape), dtype=float) / unit for one in kind.parameters}
        self.border = border / unit
        self.position = dots(axes.T, np.array(body.position)) / unit
        self.rotation = product(product(axes.T, quaternion.to_matrix(body.rotation)), mirror)
        self.angle = body.angle
        self.points = _points(shape, mirror) / unit
        self.corners, self.faces = np.zeros((0, 3)), list[list[int]]()
        if shape.polyhedron is not None:
            self.corners = product(shape.polyhedron.vertices, mirror) / unit
            loops = [[int(k) for k in loop] for loop in shape.polyhedron.faces]
            self.faces = [loop[::-1] for loop in loops] if world.left_handed else loops
        self.normal, self.offset = np.zeros(3), 0.0
        if shape.plane is not None:
            self.normal, self.offset = dots(mirror, shape.plane.normal), shape.plane.offset / unit
        if kind.name == "sphere":
            # A sphere needs no rotation.
            self.rotation = np.eye(3)
        if kind.name in UPRIGHT:
            self.rotation = product(self.rotation, upright(form.axis).T)
        if form.plane is not None and shape.plane is not None:
            # The body's frame is moved into the half-space's plane and turned: its `form.plane` becomes the normal.
            self.position = self.position + dots(self.rotation, self.normal) * self.offset
            self.rotation = product(self.rotation, onto(np.array(form.plane), self.normal))
        self.shape = form.shapes[kind.name](self)

    def text(self, values: Numbers) -> str:
        """The numbers as text, with the form's separator and suffix."""
        return numbers_text(values, self._form.between, self._form.suffix)

    def of(self, key: str, factor: float = 1.0) -> str:
        """The numbers of the size `key`, times a factor, as text."""
        return self.text(factor * self.sizes[key])

    def number(self, key: str) -> float:
        """The first number of the size `key`."""
        return float(self.sizes[key][0])

    def listed(self, point: str = "[{}]", points: Array | None = None) -> str:
        """The points as text, each put into the template `point`. `points` (n, 2 or 3): others than the body's own."""
        return self._form.between.join(
            point.format(self.text(one)) for one in (self.points if points is None else points)
        )

    @property
    def triangles(self) -> list[tuple[int, int, int]]:
        """The faces divided into triangles, by indices of corners."""
        return [(loop[0], loop[k], loop[k + 1]) for loop in self.faces for k in range(1, len(loop) - 1)]

    @property
    def wxyz(self) -> tuple[float, ...]:
        """The rotation as a quaternion with w first."""
        return tuple(quaternion.from_matrix(self.rotation))

    @property
    def xyzw(self) -> tuple[float, ...]:
        """The rotation as a quaternion with w last."""
        w, x, y, z = self.wxyz
        return (x, y, z, w)

    @property
    def vector(self) -> tuple[float, ...]:
        """The rotation as a rotation vector (3,), radians."""
        axis, angle = quaternion.to_axis_angle(quaternion.from_matrix(self.rotation))
        return tuple(angle * value for value in axis)

    def in_world(self, points: Array) -> Array:
        """Points (n, 3) or (n, 2) of the body's frame in the text's world frame."""
        count = points.shape[1]
        return product(points, self.rotation[:count, :count].T) + self.position[:count]


def _points(shape: Shape, mirror: Array) -> Array:
    """A hull's points (n, 3), mirrored, or a polygon's corners (n, 2), counter-clockwise; (0, 3) for another shape."""
    if points := hull_points(shape):
        return product(np.array(points), mirror)
    corners = polygon_corners(shape)
    return np.array(corners) if corners else np.zeros((0, 3))


def each(words: Callable[[WrittenBody], str], begin: str = "", end: str = "") -> Callable[[Sequence[WrittenBody]], str]:
    """A writer of bodies one after the other, between the texts `begin` and `end`. `words`: returns a body's text."""
    return lambda bodies: begin + "".join(f"{words(body)}\n" for body in bodies) + end


def no_limit(_shape: Shape) -> str:
    """The limit of a form that can write every shape of its kinds: no reason to refuse, ""."""
    return ""


def with_faces(name: str) -> Callable[[Shape], str]:
    """The limit of a form whose hulls need faces: it refuses a hull without them. `name`: the form in the reason."""

    def limit(shape: Shape) -> str:
        solid = shape.polyhedron if hull_points(shape) else None
        return "" if solid is None or solid.faces else f"has no faces; a hull of {name} is made of them."

    return limit


class Writer(Struct, frozen=True):
    """The writer of a form.

    `world`: its axes and unit. `shapes`: functions that return the words for a shape, by the kinds that the form has.
    `text`: returns the whole text; the bodies have the words for their shapes in `shape`. `axis`: the axis of capsules,
    cylinders and cones. `plane`: the normal of a half-space in its body's frame, for forms that give only a pose.

    `borders`: the kinds that may have a border radius. `limit`: returns why a shape is refused, as words after the
    body's letter, or "". `dimensions`: those of the scenes. `suffix`, `between`: the suffix and separator of numbers.
    `comment`: the template of a comment, "" for none; `about`: the first comments. `name`: the form's name in a refusal
    if it differs from the world's.
    """

    world: World
    shapes: Mapping[str, Callable[[WrittenBody], str]]
    text: Callable[[Sequence[WrittenBody]], str]
    axis: str = "y"
    plane: tuple[float, float, float] | None = None
    borders: frozenset[str] = frozenset()
    limit: Callable[[Shape], str] = no_limit
    dimensions: tuple[int, ...] = (3,)
    suffix: str = ""
    between: str = ", "
    comment: str = ""
    about: tuple[str, ...] = ()
    name: str = ""

    def __call__(self, scene: Scene) -> str:
        """The pair as text. Raises ValueError with the sentence of `refusal` if there is one."""
        if refusal := self.refusal(scene):
            raise ValueError(refusal)
        bodies = [WrittenBody(body, letter, self) for letter, body in (("a", scene.a), ("b", scene.b))]
        said = [*self.about, MOVES] if moves(scene.a) or moves(scene.b) else self.about
        notes = "".join(f"{self.comment.format(line)}\n" for line in said) if self.comment else ""
        return notes + self.text(bodies)

    def refusal(self, scene: Scene) -> str:
        """The reason why the pair cannot be written, a sentence; "" if it can."""
        name = self.name[:1].upper() + self.name[1:] or self.world.name
        if scene.dimension not in self.dimensions:
            return f"The text for {name} is for {5 - scene.dimension}D scenes; this scene is {scene.dimension}D."
        for letter, body in (("A", scene.a), ("B", scene.b)):
            shape, border = sharp_of(body.shape)
            kind = kind_of(shape)
            if kind.name not in self.shapes:
                return f"{name} has no {kind.title.lower()}, so this pair cannot be written for it."
            if border and kind.name not in self.borders:
                return f"{letter} has a border radius, which {self.name or f'the text for {name}'} cannot hold."
            if why := self.limit(body.shape):
                return f"{letter} {why}"
        return ""


MOVES = "The bodies stand where they start: their motion is not in this text."
