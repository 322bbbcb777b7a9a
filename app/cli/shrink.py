"""`separatrix shrink`: a scene of few digits that fails the same condition, or that an engine is as wrong about."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.differential.numbers import numbers_left
from core.differential.shrink import SameFault, shrunk
from core.float32 import analyse_single
from core.scene import Scene

from ..engines.asked import class_words
from ..io.scene_file import SceneError, load, save
from ..storage.files import reason_of
from .engines import asking
from .outcomes import Conditions, Facts, Outcomes
from .render import check_place, refused
from .report import printable


def shrink(file: str, conditions: Conditions | None, engine: str | None, out: Path) -> int:
    """Writes the shrunk scene; 1, and why is told, where the scene does not fail in the first place."""
    try:
        scene = load(file).scene
        check_place(out)
    except SceneError as error:
        return refused(str(error))
    except OSError as error:
        return refused(f"{out}: {reason_of(error)}")
    with ExitStack() as stack:
        if engine is None:
            assert conditions is not None
            still = _failing(conditions)
            if not still(scene):
                return refused(printable(f"{file}: does not fail these conditions, so there is nothing to shrink"))
        else:
            engines = asking((engine,), stack)
            if engines is None:
                return 1
            judged = engines[0].judged(scene, insist=True)
            if not judged.judgement.is_fault:
                return refused(printable(f"{file}: there is nothing to shrink: {engine} {class_words(judged)}"))
            still = SameFault.of(judged.engine, engines[0].insist, scene, judged.truth, judged.judgement)
        found = shrunk(scene, still)
    try:
        save(out, found.scene)
    except OSError as error:
        return refused(f"{out}: {reason_of(error)}")
    print(f"{out}: {found.numbers} numbers are neither 0 nor 1, of {numbers_left(scene)}; {found.questions} questions")
    return 0


def _failing(conditions: Conditions) -> Callable[[Scene], bool]:
    """Whether a scene, judged by itself, fails one of the conditions."""

    def fails(scene: Scene) -> bool:
        single = analyse_single(scene) if conditions.single else None
        facts = Facts.of(analyse(scene), sweep(scene), single, scene=False)
        return bool(Outcomes(conditions, None).judged("", None, "", "", facts))

    return fails
