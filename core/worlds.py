"""`analyse`, `query` and `sweep` for scenes of space and of the plane alike; who asks for these need not know which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import analysis as space
from . import query as steps
from .algorithms.gjk import WarmStart
from .analysis import Analysis
from .flat import FlatAnalysis, FlatScene
from .knobs import DEFAULT_KNOBS, Knobs
from .methods import Detail
from .query import Query
from .scene import Scene
from .trace import Parts, run

if TYPE_CHECKING:
    from .motion_answers import SweepAnswer


def analyse(scene: Scene, detail: Detail = Detail.FULL) -> Analysis:
    """All answers about the scene's two bodies as they stand; pure. Of the plane everything is computed, and fast."""
    if isinstance(scene, FlatScene):
        # Imported with the first scene of the plane: nothing of it is wanted at the start.
        from .in_space import flat_analysis

        return flat_analysis(scene)
    return space.analyse(scene, detail)


def query(analysis: Analysis, knobs: Knobs = DEFAULT_KNOBS, start: WarmStart | None = None) -> Query:
    """Every step about the analysis' pair; `start` as in `core.query`."""
    if isinstance(analysis, FlatAnalysis):
        from .in_space import flat_query

        return flat_query(analysis, knobs, start)
    return steps.query(analysis, knobs, start)


def sweep(scene: Scene) -> SweepAnswer | None:
    """When the scene's two bodies first meet on their way, by every method; None where neither moves or turns."""
    return run(sweep_in_parts(scene))


def sweep_in_parts(scene: Scene) -> Parts[SweepAnswer | None]:
    """`sweep` in parts, as `core.trace` has them."""
    # Imported with the first motion: nothing of it is wanted at the start.
    if isinstance(scene, FlatScene):
        from .flat_motion import flat_sweep_in_parts

        return (yield from flat_sweep_in_parts(scene))
    from .motion_answers import sweep_in_parts as space_sweep_in_parts

    return (yield from space_sweep_in_parts(scene))
