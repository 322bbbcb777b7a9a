"""The context that overlays read, the record that registers an overlay, and the extent of the pair they draw round."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

import numpy as np
from msgspec import Struct

from core.contact.contact import FeaturesStep
from core.geometry.plane import Plane
from core.geometry.vector import Array, any_perpendicular, cross, dot, dots, length_rows, product
from core.query.query import MotionStep
from core.scene import Body, Scene
from core.toi.motion import moves

from ..draw.draw_list import DrawList, Subject
from ..draw.meshes.shape_mesh import curved_look
from ..state.playback import shown_time
from ..state.prediction import QuestionKind
from ..state.reveal import Reveal
from ..state.sat_progress import SatProgress
from ..state.view import AxisView, Seen

SPHERE = 1.12
"""Radius of the sphere on which a free axis's ends move, in radii of the pair: clear of the bodies, within the picture.
"""


class Extent(Struct, frozen=True, eq=False):
    """Both bodies as `parts`, A first: world points (n, 3) and a radius; their hull grown by the radius is the body.

    A half-space, which is unbounded, counts as the square of it that is drawn (`patch`). `low`, `high` (3,): corners of
    the world-aligned box round both bodies. `centre` (3,): the box's middle. `radius`: of a ball about the centre that
    holds both bodies; 1 for two points in one place, which have no size.
    """

    parts: tuple[tuple[Array, float], tuple[Array, float]]
    low: Array
    high: Array
    centre: Array
    radius: float

    @staticmethod
    def of(scene: Scene) -> Extent:
        """The extent of a scene's pair."""
        parts = (_outer_points(scene.a, scene.b), _outer_points(scene.b, scene.a))
        # Column by column: numpy finds the smallest of thousands of values 20 times faster in a contiguous row.
        columns = [(np.ascontiguousarray(points.T), radius) for points, radius in parts]
        low = np.min([points.min(axis=1) - radius for points, radius in columns], axis=0)
        high = np.max([points.max(axis=1) + radius for points, radius in columns], axis=0)
        centre = 0.5 * (low + high)
        farthest = max(float(length_rows(points - centre).max()) + radius for points, radius in parts)
        return Extent(parts, low, high, centre, farthest or 1.0)

    def radius_about(self, axis: Array, origin: Array | None = None) -> float:
        """The largest distance of the bodies from the line along the unit `axis` (3,) through a point.

        `origin` (3,): that point; None for the centre.
        """
        return float(self.radii_about(axis[None], origin)[0])

    def radii_about(self, axes: Array, origin: Array | None = None) -> Array:
        """The `radius_about` (k,) of each line along one of the unit vectors `axes` (k, 3).

        `origin` (3,): a point of all lines; None for the pair's centre.
        """
        farthest = np.zeros(len(axes))
        for points, radius in self.parts:
            arms = points - (self.centre if origin is None else origin)
            along = product(arms, axes.T)
            across = dots(arms, arms)[:, None] - along * along
            farthest = np.maximum(farthest, np.sqrt(np.maximum(across.max(axis=0), 0.0)) + radius)
        return farthest


def patch(body: Body, other: Body) -> Array:
    """Corners (4, 3), world, of the square of a half-space's plane that is drawn, below the other body's position.

    Raises TypeError for a body that is no half-space.
    """
    plane = body.shape.plane
    if plane is None:
        raise TypeError("only a half-space is drawn as a square of its plane")
    normal = dots(body.pose.matrix, plane.normal)
    surface = body.pose.to_world(plane.point())
    foot = other.pose.position - dot(other.pose.position - surface, normal) * normal
    return square_of(foot, normal, 2.0 * other.shape.bounding_radius)


def difference_square(extent: Extent, plane: Plane) -> Array:
    """Corners (4, 3) of the square drawn for a difference with a half-space: in its plane, about the origin's foot."""
    return square_of(plane.point(), plane.normal, 1.5 * extent.radius)


def square_of(middle: Array, normal: Array, half: float) -> Array:
    """Corners (4, 3), counter-clockwise seen against the unit `normal`, of a square with half edge length `half`."""
    side = any_perpendicular(normal)
    across = cross(normal, side)
    return middle + half * np.array((side + across, across - side, -side - across, side - across))


def _outer_points(body: Body, other: Body) -> tuple[Array, float]:
    shape, pose = body.shape, body.pose
    if shape.core is not None:
        return pose.to_world(shape.core.points), shape.core.radius
    if shape.plane is not None:
        return patch(body, other), 0.0
    return pose.to_world(curved_look(shape).points), 0.0


StepKind = TypeVar("StepKind")


class StepView(Struct, frozen=True, eq=False):
    """The changes to the overlays at the step shown, made by its stage.

    `answer_overlays`, `faint_difference`: as in `app.stages.AlgorithmSpec`. `focus`: gives the row of the axis table
    that the step is about, if any.
    """

    answer_overlays: frozenset[str]
    faint_difference: bool
    focus: Callable[[Context], int | None]


class Context(Seen, frozen=True, eq=False, dict=True):
    """Everything that is seen, and values derived from it that more than one overlay needs.

    `step_view`: made by the stage of the step shown, when the pictures are built; None without a step.
    """

    step_view: StepView | None = None

    def step_of(self, kind: type[StepKind]) -> StepKind | None:
        """The step shown if it is of that kind; else None."""
        step = None if self.moment is None else self.moment.step
        return step if isinstance(step, kind) else None

    @property
    def of_motion(self) -> MotionStep | None:
        """The step about the bodies' motion that is shown, if any."""
        return self.step_of(MotionStep)

    @cached_property
    def extent(self) -> Extent:
        """Position and size of the pair."""
        return Extent.of(self.scene)

    @property
    def axis_pointed_at(self) -> bool:
        """Whether some axis is pointed at or pinned."""
        return any(subject is not None and subject.kind == "axis" for subject in (self.view.hover, self.view.pin))

    @cached_property
    def focus(self) -> int:
        """Row of the axis in focus: that of the hovered axis if it is known, else `resting_focus`.

        At a step of a motion it is always `resting_focus`.
        """
        if self.of_motion is not None:
            return self.resting_focus
        row = self._row_of(self.view.hover, self.resting_focus)
        return row if self.sat_progress.has(row) else self.resting_focus

    @cached_property
    def source(self) -> int | None:
        """Row of the axis whose source is lit on the bodies: of the axis pointed at, else of the one that SAT tries.

        None if there is neither, at a step of a motion, and while the bodies are shown on their way. A pinned axis
        counts only without a step.
        """
        if self.of_motion is not None or self.under_way:
            return None
        for subject in (self.view.hover, None if self.moment is not None else self.view.pin):
            if subject is not None and subject.kind == "axis" and subject.number < len(self.analysis.sat.axes):
                return subject.number
        return self.sat_progress.row

    @cached_property
    def resting_focus(self) -> int:
        """Row of the axis in focus while nothing is hovered; positions of subjects that can be pointed at depend on it.

        At a step about an axis it is that axis. Otherwise it is the pinned axis, else the one along which moving bodies
        meet while they are shown on their way, else the winner.
        """
        row = None if self.step_view is None else self.step_view.focus(self)
        if row is not None:
            return row
        # The axis along which the bodies meet, while they are shown on their way; the winner if the table lacks that
        # axis.
        normal = self.sweep.result.normal if self.sweep is not None and self.under_way else None
        return self._row_of(self.view.pin, self.analysis.sat.winner if normal is None else self.row_along(normal))

    @cached_property
    def under_way(self) -> bool:
        """Whether the bodies are shown on their way; overlays about their start are then not drawn.

        At t = 0 they are so only in a film of the motion.
        """
        hidden = self.asked is not None or self.reveal.veiled
        if self.moment is not None or hidden or not self.view.shows_motion(self.scene):
            return False
        # Without an answer yet the bodies move all the same.
        moving = moves(self.scene.a) or moves(self.scene.b)
        return moving and (self.filmed or shown_time(self.view, self.sweep) > 0.0)

    @cached_property
    def reveal(self) -> Reveal:
        """The parts of the answer that may be shown."""
        return super().reveal

    @cached_property
    def lit(self) -> int | None:
        """Row of the axis whose faces are lit, if any: the one in focus, with two exceptions.

        While a question asks for the axis or the verdict, only a hovered axis is lit. In a lesson that hides the
        answer, the axis in focus is lit only if the user or a step chose it, if a free axis is set, or if more axes
        than the focused one are shown.
        """
        if self.reveal.veiled:
            own = self.axis_pointed_at or self.moment is not None or self.view.free is not None
            return self.focus if own or self.view.axis_view is not AxisView.FOCUSED else None
        if self.reveal.question not in (QuestionKind.AXIS, QuestionKind.VERDICT):
            return self.focus
        hover = self.view.hover
        return self.focus if hover is not None and hover.kind == "axis" else None

    @cached_property
    def features(self) -> FeaturesStep | None:
        """The manifold's first step, with the features that meet and their normal, at any step of the manifold.

        None at other steps, and for a manifold from the overlap region, which has no such step.
        """
        if self.query is None or self.moment is None:
            return None
        first = self.query.moments[self.place - self.moment.index].step
        return first if isinstance(first, FeaturesStep) else None

    @cached_property
    def sat_progress(self) -> SatProgress:
        """The part of the axis table that is known at this step."""
        return SatProgress.of(self.analysis.sat, self.query, self.place, self.part)

    @cached_property
    def leader(self) -> int | None:
        """Row of the winning axis, or of the best so far at a step of SAT, if any; None while the winner is hidden."""
        return self.sat_progress.best if self.reveal.winner else None

    @cached_property
    def nearest_axes(self) -> list[int]:
        """Rows of the axes that are known and have a direction, the closest to winning first."""
        separations = self.analysis.sat.separations
        known, order = self.sat_progress.rows & ~np.isnan(separations), np.argsort(-separations, kind="stable")
        rows: list[int] = order[known[order]].tolist()
        return rows

    def row_along(self, normal: Array) -> int:
        """Row of the best known axis along a unit normal (3,) or against it; the winner's row if there is none."""
        along = self._rows_along(normal)
        return along[0] if along else self.analysis.sat.winner

    def _rows_along(self, normal: Array) -> list[int]:
        axes = self.analysis.sat.axes
        return [row for row in self.nearest_axes if abs(dot(axes[row], normal)) > 1.0 - ALONG]

    def in_table(self, axis: Array) -> bool:
        """Whether the table has a known axis along the unit vector `axis` (3,) or against it."""
        return bool(self._rows_along(axis))

    def _row_of(self, subject: Subject | None, otherwise: int) -> int:
        known = subject is not None and subject.kind == "axis" and subject.number < len(self.analysis.sat.axes)
        return subject.number if subject is not None and known else otherwise


Build = Callable[[Context, DrawList], None]

ALONG = 1e-12
"""Two unit vectors are along one line if their dot product differs from 1 or -1 by less than this; they may come from
different sums."""


class Overlay(Struct, frozen=True):
    """A part of the picture that can be switched on and off; `key`: the key that does so, "" without one.

    `world`, `difference`: draw in these panes, `triad`, `globe`: in these insets; None: nothing there. `of_answer`: it
    belongs to the answer; at the steps of a query it is hidden, unless the stage keeps it, because it would give the
    answer away. `unavailable_in`: by dimension, a sentence on why it shows nothing in such scenes.
    """

    id: str
    title: str
    key: str
    tip: str
    world: Build | None = None
    difference: Build | None = None
    triad: Build | None = None
    globe: Build | None = None
    of_answer: bool = False
    unavailable_in: dict[int, str] = {}
