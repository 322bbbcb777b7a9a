"""The draw list: primitives that overlays add and that the layout reads. Plain arrays: no GL, no imgui, no camera.

Positions are in the pane's world (scene units, float64). Sizes are in points (1/96 inch); the layout multiplies them by
the pixel density. A *subject* names the thing that a primitive belongs to: a table's row, an axis, its bars and its
faces have one subject, and pointing at any of them selects the same thing. A *turned group* is a set of primitives
that the layout turns about an axis to face the viewer. A point with lift s in group g is drawn at
`point + s * side(g)`, where side(g) is perpendicular to the group's axis and to the line of sight. So a rail is beside
the bodies for every camera.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from math import inf
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import astuple, replace
from numpy.typing import NDArray

from core.geometry.vector import Array, following, frozen

from .ellipsoid_sum import EllipsoidSum

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Rgba = tuple[float, float, float, float]
"""Colour, straight alpha, each component 0..1, sRGB as displayed."""


LabelKindId = Literal[
    "world-axes",
    "interval-numbers",
    "depth",
    "distance",
    "bounds",
    "contact-names",
    "point-names",
    "origin-name",
    "axis-names",
    "direction-names",
    "body-names",
    "vertex-names",
    "edge-names",
    "face-names",
    "region-names",
    "time-words",
    "notes",
]
"""The kinds of labels, as `--hide` and the menu know them (label_kinds.py)."""


class Subject(NamedTuple):
    """The thing that a primitive shows, by its kind and number: ("body", 0), ("axis", 7), ("none", 0)."""

    kind: str
    number: int = 0


OUTLINE_WIDTH = 1.5
"""Width of a smooth solid's outline, points."""
NO_SUBJECT = Subject("none")
NO_OTHER_ANCHORS: Array = frozen(np.zeros((0, 4)))
"""`Label.other_anchors` of a label with one anchor."""


class Hidden(IntEnum):
    """The look of the part of a line that a solid hides."""

    SHOW = 0
    FAINT = 1
    DASHED = 2
    DROP = 3


class Dash(IntEnum):
    """Line pattern; families of axes differ in pattern as well as in colour."""

    SOLID = 0
    DASHED = 1
    DOTTED = 2
    DASH_DOT = 3


class Layer(IntEnum):
    """Order of drawing among lines; solids and sheets are drawn between GROUND and BACK."""

    GROUND = 0
    BACK = 1
    EDGES = 2
    NORMAL = 3
    STRONG = 4
    GIZMO = 5


class Marker(IntEnum):
    """Shape of a point marker."""

    DISC = 0
    RING = 1
    SQUARE = 2
    DIAMOND = 3
    TRIANGLE = 4
    CROSS = 5
    STAR = 6


class Segments(Struct, eq=False, weakref=True):
    """A batch of n straight lines of constant width; `width`, `dash` and `group` are scalars, or (n,).

    `creases` (n,): the edges with `normals` that are always drawn. Another edge is drawn only if it is part of the
    outline: one of its faces is turned towards the viewer and one away. None: all are drawn.
    """

    start: Array  # (n, 3)
    end: Array  # (n, 3)
    start_rgba: Array  # (n, 4)
    end_rgba: Array  # (n, 4)
    width: float | Array  # points
    dash: Dash | IntArray
    hidden: Hidden
    layer: Layer
    subjects: list[Subject]  # n
    start_lift: Array  # (n,) along the group's side
    end_lift: Array  # (n,)
    group: int | IntArray  # turned group, -1 for none
    solid_number: int  # of the solid whose edges the lines are, or of the ball on which they lie; -1 for none
    normals: Array | None  # (n, 2, 3) of the two faces at each edge: where both turn away, the solid hides the edge
    arrow_start: float  # head size in points, 0 for none
    arrow_end: float
    creases: BoolArray | None = None
    name: str = ""
    sweep: Array | None = None  # (3,) the point that new lines grow from between two steps; None: they only fade in


class Solid(Struct, eq=False, weakref=True):
    """A convex body as triangles, with the planes or the ball that hide lines.

    The layout caches results by the object: a solid must not be changed.
    `planes` (k, 4): rows (nx, ny, nz, offset) of its faces, n·p <= offset inside; or `ball` (x, y, z, radius). With
    them hidden lines are exact. A solid with neither hides lines by its triangles.
    `plane_pairs` (e, 2): the rows of `planes` that meet in an edge. Without it the layout tries every pair: as exact,
    but slower.
    `ellipsoids`: the same solid as a sum, whose outline and triangles are then made for each view.
    `smooth`: the solid has an outline, in the colour `outline`, where its surface turns away from the viewer.
    `seams` (m, 3): which sides of each triangle, from corner k to the next, show faintly as edges of its face.
    `glass`: it hides no line, and all of it is painted behind the front faces of the other solids. `opaque`: its back
    faces are not painted. `outline_width`: points.
    """

    corners: Array  # (m, 3, 3) triangles
    corner_normals: Array  # (m, 3, 3)
    rgba: Array  # (m, 4) per triangle
    subjects: list[Subject]  # m, or one for all
    planes: Array | None
    ball: tuple[float, float, float, float] | None
    smooth: bool
    outline: Rgba
    outline_width: float
    opaque: bool
    plane_pairs: IntArray | None = None
    glass: bool = False
    seams: BoolArray | None = None
    name: str = ""
    ellipsoids: EllipsoidSum | None = None


class Sheet(Struct):
    """A flat translucent convex polygon, such as the separating plane or an overlap region."""

    points: Array  # (k, 3) convex loop
    rgba: Rgba
    subject: Subject
    name: str = ""
    sweep: Array | None = None  # (3,) as in Segments


class Hatch(Struct):
    """Flat faces that the layout covers with parallel lines of the colour `rgba` if they are turned to the viewer.

    `loops`: (k, 3) each, convex, counter-clockwise seen from outside. `angles`: of the lines on the screen, degrees
    counter-clockwise from the right. `solid_number`: of the solid whose faces they are, -1 for none. `strip`: width in
    points of the strip along each loop's first side that is covered; inf for the whole face.
    """

    loops: list[Array]
    angles: tuple[float, ...]
    rgba: Rgba
    width: float  # points
    subjects: list[Subject]
    solid_number: int = -1
    strip: float = inf


class Marks(Struct):
    """A batch of n point markers; `radius`, `stroke_width` in points. `subjects`: one for each."""

    points: Array  # (n, 3)
    shape: Marker
    radius: float
    fill: Rgba
    stroke: Rgba
    stroke_width: float
    subjects: list[Subject]
    hidden: Hidden
    name: str = ""


class Label(Struct):
    """Text near a point. The layout keeps labels apart: where two have no room, the one of lower priority is dropped.

    `offset`: preferred displacement of the text's middle from the anchor, points: right and down, or in a turned group
    along its axis and along its side. `brief`: shorter text, used if the whole text has no room; "" for none.
    `max_distance`: largest distance of the text from its anchor, points; a label without a place so near is dropped.
    `clear`: the text keeps off the bars of its turned group. `ring`: radius, points, of a marker at the anchor that the
    text keeps off. `shift`: displacement by the user from the place that the layout finds, points right and down.
    `lift`: distance of the anchor from `point` along the side of its turned `group`; the group is -1 for none. `size`:
    of the font, points. `other_anchors` (n, 4): further points that would do as its anchor, each with its lift, where
    what is drawn is longer than a point: the layout takes the one with the cheapest place, or the first. `alone`: the
    label names one of two bodies that lie on each other, so that its anchor and its text are where the other is not.
    `hidden`: if FAINT, an anchor that a solid hides is taken only if the label has no other in view; the text is pale
    there.
    """

    text: str
    point: Array  # (3,)
    rgba: Rgba
    size: float
    offset: tuple[float, float]
    priority: int
    subject: Subject
    lift: float
    group: int
    bold: bool
    brief: str = ""
    max_distance: float = inf
    clear: bool = False
    ring: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    name: str = ""
    kind: LabelKindId = "notes"
    other_anchors: Array = NO_OTHER_ANCHORS
    alone: bool = False
    hidden: Hidden = Hidden.SHOW

    def at(self, anchor: int) -> Label:
        """The label with its anchor of this number, 0 the preferred one, as its only one."""
        point, lift = (
            (self.point, self.lift)
            if anchor == 0
            else (self.other_anchors[anchor - 1, :3], self.other_anchors[anchor - 1, 3])
        )
        return replace(self, point=point, lift=float(lift), other_anchors=NO_OTHER_ANCHORS)


class TurnedGroup(Struct):
    """An axis line about which the layout turns the group's lifted points towards the viewer. All lengths: scene units.

    `outermost`: distances along the axis and lifts, scene units, of points that should stay in the pane: for them the
    group is turned to its other side or its lifts are shortened. Empty: neither. `ball`: radius of a ball about the
    origin; points on the group's circle of that radius are drawn on the ball's outline as seen; 0 for none. `bars`:
    the rectangle of the group's bars, two distances along the axis and two lifts, which `clear` labels keep off.
    `ends`: distances along the axis of the ends of its line, beyond which a `clear` label may stand too. `number`:
    distance and lift beyond which a short text should have room; for it the lifts are shortened too.
    `bodies`: points (n, 3) and radii of hulls that the bars keep off; while they can, the group keeps its side. `side`
    (3,): the side in place of the one that layout would choose; its length is a factor for the lifts. `stretch` and
    `shift` (3,), scene units, go with it: lifted points have their distances along the axis multiplied, and are moved.
    `hand`: +1 or -1 if the side is always that of the axis × the line of sight, or the other one; 0 if layout chooses.
    """

    origin: Array  # (3,)
    axis: Array  # (3,) unit
    outermost: tuple[tuple[float, float], ...] = ()
    ball: float = 0.0
    bars: tuple[float, float, float, float] | None = None
    ends: tuple[float, float] | None = None
    number: tuple[float, float] | None = None
    bodies: tuple[tuple[Array, float], ...] = ()
    name: str = ""
    side: Array | None = None
    stretch: float = 1.0
    shift: Array | None = None
    hand: float = 0.0


class DrawList(Struct):
    """All primitives of one pane, in the order in which they were added.

    `name`, `sweep`: given to the primitives that are added next.
    """

    segments: list[Segments] = field(default_factory=list)
    solids: list[Solid] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    hatches: list[Hatch] = field(default_factory=list)
    marks: list[Marks] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    groups: list[TurnedGroup] = field(default_factory=list)
    name: str = ""
    sweep: Array | None = None

    @contextmanager
    def named(self, name: str = "", *, sweep: Array | None = None) -> Iterator[None]:
        """Within the context, primitives get this name (empty: the present one) and `sweep` (3,), as in Segments."""
        before, self.name, self.sweep = (self.name, self.sweep), name or self.name, sweep
        try:
            yield
        finally:
            self.name, self.sweep = before

    def turned(
        self, origin: Array, axis: Array, outermost: tuple[tuple[float, float], ...] = (), ball: float = 0.0
    ) -> int:
        """Adds a turned group about the line through `origin` (3,) along the unit `axis` (3,); returns its number.

        `outermost`, `ball`: as in TurnedGroup.
        """
        self.groups.append(TurnedGroup(origin, axis, outermost, ball, name=self.name))
        return len(self.groups) - 1

    def lines(
        self,
        start: Array,
        end: Array,
        rgba: Rgba | Array,
        width: float | Array = 1.5,
        *,
        end_rgba: Rgba | Array | None = None,
        dash: Dash | IntArray = Dash.SOLID,
        hidden: Hidden = Hidden.FAINT,
        layer: Layer = Layer.NORMAL,
        subject: Subject | Sequence[Subject] = NO_SUBJECT,
        lift: float | Array | tuple[float, float] | tuple[Array, Array] = 0.0,
        group: int | IntArray = -1,
        solid_number: int = -1,
        normals: Array | None = None,
        creases: BoolArray | None = None,
        arrow_start: float = 0.0,
        arrow_end: float = 0.0,
    ) -> None:
        """Adds lines from `start` to `end`, (3,) or (n, 3) each; `lift`: one for both ends, or a pair.

        `rgba`, `width`, `subject`: one for all lines, or one for each. `end_rgba`: at the ends; None for `rgba` there
        too. The other arguments are as in Segments. Raises ValueError if the count of subjects is not that of the
        lines.
        """
        first = np.asarray(start, dtype=np.float64).reshape(-1, 3)
        last = np.asarray(end, dtype=np.float64).reshape(-1, 3)
        if len(first) != len(last):
            first, last = np.broadcast_arrays(first, last)
        count, subjects = len(first), _subjects(subject, len(first))
        colour = _rows(rgba, count)
        lift_start, lift_end = lift if isinstance(lift, tuple) else (lift, None)
        start_lift = _numbers(lift_start, count)
        batch = Segments(
            start=first,
            end=last,
            start_rgba=colour,
            end_rgba=colour if end_rgba is None else _rows(end_rgba, count),
            width=width,
            dash=dash,
            hidden=hidden,
            layer=layer,
            subjects=subjects,
            start_lift=start_lift,
            end_lift=start_lift if lift_end is None else _numbers(lift_end, count),
            group=group,
            solid_number=solid_number,
            normals=normals,
            arrow_start=arrow_start,
            arrow_end=arrow_end,
            creases=creases,
            name=self.name,
            sweep=self.sweep,
        )
        self.segments.append(batch)

    def strong(
        self,
        start: Array,
        end: Array,
        rgba: Rgba,
        width: float,
        *,
        dash: Dash = Dash.SOLID,
        subject: Subject = NO_SUBJECT,
        arrow_end: float = 0.0,
    ) -> None:
        """Adds lines of the layer STRONG that no solid hides, from `start` to `end`, (3,) or (n, 3) each.

        `width`, `arrow_end`: points. Raises ValueError as `lines`.
        """
        show, layer = Hidden.SHOW, Layer.STRONG
        self.lines(start, end, rgba, width, dash=dash, hidden=show, layer=layer, subject=subject, arrow_end=arrow_end)

    def polyline(
        self,
        points: Array,
        rgba: Rgba,
        width: float = 1.5,
        *,
        closed: bool = False,
        dash: Dash = Dash.SOLID,
        hidden: Hidden = Hidden.FAINT,
        layer: Layer = Layer.NORMAL,
        subject: Subject = NO_SUBJECT,
    ) -> None:
        """Adds lines along `points` (n, 3), and back to the first if `closed`. Raises ValueError as `lines`."""
        ends = following(points) if closed else points[1:]
        self.lines(points[: len(ends)], ends, rgba, width, dash=dash, hidden=hidden, layer=layer, subject=subject)

    def solid(
        self,
        corners: Array,
        corner_normals: Array,
        rgba: Rgba | Array,
        *,
        subject: Subject | Sequence[Subject] = NO_SUBJECT,
        planes: Array | None = None,
        ball: tuple[float, float, float, float] | None = None,
        smooth: bool = False,
        outline: Rgba = (0.0, 0.0, 0.0, 1.0),
        outline_width: float = OUTLINE_WIDTH,
        opaque: bool = False,
        plane_pairs: IntArray | None = None,
        glass: bool = False,
        seams: BoolArray | None = None,
        ellipsoids: EllipsoidSum | None = None,
    ) -> int:
        """Adds a convex solid of triangles `corners` (m, 3, 3); returns its number, the `solid_number` of its edges.

        `rgba`, `subject`: one for all triangles, or one for each. The other arguments are as in Solid. Raises
        ValueError if the count of subjects is not that of the triangles.
        """
        rows, subjects = _rows(rgba, len(corners)), _subjects(subject, len(corners))
        solid = Solid(
            corners=corners,
            corner_normals=corner_normals,
            rgba=rows,
            subjects=subjects,
            planes=planes,
            ball=ball,
            smooth=smooth,
            outline=outline,
            outline_width=outline_width,
            opaque=opaque,
            plane_pairs=plane_pairs,
            glass=glass,
            seams=seams,
            name=self.name,
            ellipsoids=ellipsoids,
        )
        self.solids.append(solid)
        return len(self.solids) - 1

    def sheet(self, points: Array, rgba: Rgba, subject: Subject = NO_SUBJECT) -> None:
        """Adds a translucent convex polygon with the corners `points` (k, 3) in order, k >= 3."""
        self.sheets.append(Sheet(points, rgba, subject, self.name, self.sweep))

    def points(
        self,
        points: Array,
        fill: Rgba,
        radius: float = 4.0,
        *,
        shape: Marker = Marker.DISC,
        stroke: Rgba = (0.0, 0.0, 0.0, 0.0),
        stroke_width: float = 0.0,
        subject: Subject | Sequence[Subject] = NO_SUBJECT,
        hidden: Hidden = Hidden.FAINT,
    ) -> None:
        """Adds markers at `points`, (3,) or (n, 3); `radius`, `stroke_width` in points.

        `subject`: one for all, or one for each. Raises ValueError if the count of subjects is not that of the points.
        """
        rows = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        self.marks.append(
            Marks(
                points=rows,
                shape=shape,
                radius=radius,
                fill=fill,
                stroke=stroke,
                stroke_width=stroke_width,
                subjects=_subjects(subject, len(rows)),
                hidden=hidden,
                name=self.name,
            )
        )

    def spots(
        self,
        points: Array,
        fill: Rgba,
        radius: float,
        stroke: Rgba,
        stroke_width: float,
        *,
        shape: Marker = Marker.DISC,
        subject: Subject | Sequence[Subject] = NO_SUBJECT,
    ) -> None:
        """Adds markers with a rim that no solid hides at `points`, (3,) or (n, 3). Raises ValueError as `points`.

        `radius`, `stroke_width`: points.
        """
        show = Hidden.SHOW
        self.points(
            points, fill, radius, shape=shape, stroke=stroke, stroke_width=stroke_width, subject=subject, hidden=show
        )

    def label(
        self,
        text: str,
        point: Array,
        rgba: Rgba,
        *,
        size: float = 13.0,
        offset: tuple[float, float] = (0.0, -12.0),
        priority: int = 0,
        subject: Subject = NO_SUBJECT,
        lift: float = 0.0,
        group: int = -1,
        bold: bool = False,
        brief: str = "",
        max_distance: float = inf,
        clear: bool = False,
        ring: float = 0.0,
        kind: LabelKindId = "notes",
        other_anchors: Array = NO_OTHER_ANCHORS,
        alone: bool = False,
        hidden: Hidden = Hidden.SHOW,
    ) -> None:
        """Adds a label with its anchor at `point` (3,). `kind`: the id of its kind, by which it can be hidden.

        `other_anchors`: (n, 4), or (n, 3) for points with the label's own lift. The other arguments are as in Label.
        """
        if other_anchors.shape[1] == 3:
            other_anchors = np.column_stack((other_anchors, np.full(len(other_anchors), lift)))
        label = Label(
            text=text,
            point=point,
            rgba=rgba,
            size=size,
            offset=offset,
            priority=priority,
            subject=subject,
            lift=lift,
            group=group,
            bold=bold,
            brief=brief,
            max_distance=max_distance,
            clear=clear,
            ring=ring,
            name=self.name,
            kind=kind,
            other_anchors=other_anchors,
            alone=alone,
            hidden=hidden,
        )
        self.labels.append(label)


def equal(first: Struct, second: Struct) -> bool:
    """Whether two structs, such as draw lists or their parts, have the same type and equal values in all fields."""
    waiting: list[tuple[Any, Any]] = [(first, second)]
    while waiting:
        one, other = waiting.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, Struct):
            waiting += [each for each in zip(astuple(one), astuple(other), strict=True) if each[0] is not each[1]]
        elif isinstance(one, np.ndarray):
            # Bytes are compared in a fifth of the time; a zero of another sign counts as a change.
            if one.shape != other.shape or one.tobytes() != other.tobytes():
                return False
        elif isinstance(one, list) and one and isinstance(one[0], _PARTS):
            if len(one) != len(other):
                return False
            waiting += [each for each in zip(one, other, strict=True) if each[0] is not each[1]]
        elif one != other:
            return False
    return True


_PARTS = (Struct, np.ndarray)
"""Types whose lists `equal` compares item by item."""


def _rows(rgba: Rgba | Array, count: int) -> Array:
    # Filling is five times as fast as numpy's broadcasting on short batches, and most batches are short.
    rows = np.zeros((count, 4))
    rows[:] = rgba
    return rows


def _numbers(value: float | Array, count: int) -> Array:
    numbers = np.zeros(count)
    numbers[:] = value
    return numbers


def _subjects(subject: Subject | Sequence[Subject], count: int) -> list[Subject]:
    if isinstance(subject, Subject):
        return [subject] * count
    subjects = list(subject)
    if len(subjects) != count:
        raise ValueError(f"{len(subjects)} subjects for {count} primitives")
    return subjects
