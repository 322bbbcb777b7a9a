"""`analyse` and `query` for scenes of space and of the plane alike: the one place that asks which world it is."""

from __future__ import annotations

from . import analysis as space
from . import query as steps
from .algorithms.gjk import WarmStart
from .analysis import Analysis
from .flat import FlatAnalysis, FlatScene
from .knobs import DEFAULT_KNOBS, Knobs
from .methods import Detail
from .query import Query
from .scene import Scene


def analyse(scene: Scene, detail: Detail = Detail.FULL) -> Analysis:
    """All answers about the scene's two bodies as they stand; pure. Of the plane everything is computed, and fast."""
    if isinstance(scene, FlatScene):
        # Imported with the first scene of the plane: nothing of it is wanted at the start.
        from .in_space import flat_analysis

        return flat_analysis(scene)
    return space.analyse(scene, detail)


def query(analysis: Analysis, knobs: Knobs = DEFAULT_KNOBS, start: WarmStart | None = None) -> Query:
    """Every step about the analysis' pair; `start` as in `core.query`. The plane knows no warm start."""
    if isinstance(analysis, FlatAnalysis):
        from .in_space import flat_query

        return flat_query(analysis, knobs)
    return steps.query(analysis, knobs, start)
