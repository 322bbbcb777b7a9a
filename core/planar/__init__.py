"""The flat world: the same questions in two dimensions, for polygons and circles (articles G1 to G6, V3, V5, V6).

Conventions are those of `core`, with pairs `(x, y)` of plain floats for vectors and an angle, counter-clockwise in
radians, for a rotation. A polygon's vertices keep the numbers of its points, whichever way round they are given; its
edges are numbered counter-clockwise from the lowest vertex. Edges' normals point outwards. The planes of two dimensions
are `core.geometry.plane.Line2D` and `line_through` (V3: the front is on the right of the way between two points).

`analyse2` answers everything about a scene as it stands, `core.flat_motion` (through `core.worlds.sweep`) when its
bodies first meet as they move; by itself each algorithm is `name2(...)` and, step by step, `name_steps2(...)`. Stop
reasons, axis statuses, settings of EPA, verdicts, provenance and `record` are those of space.
"""

from .analysis import Analysis2, analyse2
from .minkowski import minkowski_difference, minkowski_sum
from .scene import Body2, Scene2
from .shapes import Circle, Polygon, Shape2

__all__ = [
    "Analysis2",
    "Body2",
    "Circle",
    "Polygon",
    "Scene2",
    "Shape2",
    "analyse2",
    "minkowski_difference",
    "minkowski_sum",
]
