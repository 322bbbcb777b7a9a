"""Coal as an engine: signed distance, normal from A to B, points, of bounded shapes; double precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from core import Scene
from core.study.differential.answers import Answer, Engine, EngineAnswer, Failed
from tests.library_shapes import axes_there, shape_there

COAL = Engine("coal", "3.0.3")
KINDS = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull")


def ask_coal(coal: Any, scene: Scene) -> Answer:
    """Its answer in our convention; `coal` is the module."""
    try:
        shapes = [shape_there(coal, body.shape) for body in (scene.a, scene.b)]
    except ValueError as error:  # a flat hull
        return Failed("error", str(error))
    poses = [coal.Transform3s(axes_there(body), np.array(body.position)) for body in (scene.a, scene.b)]
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    number = coal.distance(shapes[0], poses[0], shapes[1], poses[1], request, result)
    rows = (result.normal, result.getNearestPoint1(), result.getNearestPoint2())
    return EngineAnswer(float(number), *(tuple(map(float, np.ravel(row))) for row in rows))
