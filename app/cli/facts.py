"""The facts that a scene is judged by, small enough to be sent between processes."""

from __future__ import annotations

from msgspec import Struct

from core.analysis.analysis import Analysis
from core.analysis.motion_answers import SweepAnswer
from core.float32 import SinglePrecision
from core.geometry.triple import Triple, triple
from core.scene import Scene
from core.verdict import Certainty, Verdict

from .report import contradictions


class MotionFacts(Struct, frozen=True):
    """The answer about the motion: `outcome`; `time` of impact, 0 to 1; `free`: they are proved apart until then."""

    outcome: str
    time: float | None
    free: float


class SceneFacts(Struct, frozen=True):
    """The facts of one answer.

    `separation`, `mtv`: scene units; `normal`: unit, from A to B; in the plane z is 0. `mtv`: None for separated
    bodies. `motion`: None if it is not wanted or nothing moves. `single`: single precision's verdict, "nothing" for no
    number, "" if it was not asked. `scene`: None if it is not wanted.
    """

    verdict: str
    separation: float
    normal: Triple
    mtv: Triple | None
    certainty: Certainty
    motion: MotionFacts | None
    disagreements: tuple[str, ...]
    single: str
    scene: Scene | None

    @staticmethod
    def of(
        found: Analysis,
        moving: SweepAnswer | None,
        single: SinglePrecision | None,
        *,
        scene: bool,
        checked: bool = True,
    ) -> SceneFacts:
        """The facts of these answers; `checked`: with the disagreements, for which every method is run.

        `moving`, `single`: the answers about the motion and in single precision, None if they are not asked for.
        `scene`: with the scene.
        """
        other = ""
        if single is not None and single.answers:
            verdict = single.answers[0].verdict
            other = "nothing" if verdict is None else verdict.value
        apart = found.verdict is Verdict.SEPARATED
        motion = None
        if moving is not None:
            motion = MotionFacts(moving.outcome.value, moving.result.time, moving.result.free)
        return SceneFacts(
            verdict=found.verdict.value,
            separation=found.separation,
            normal=triple(found.normal),
            mtv=None if apart else triple(-found.separation * found.normal),
            certainty=found.certainty,
            motion=motion,
            disagreements=tuple(contradictions(found, moving)) if checked else (),
            single=other,
            scene=found.scene if scene else None,
        )
