"""`separatrix shrink`: finds a scene of few digits that still fails, by the conditions or by an engine's answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.float32 import analyse_single
from core.scene import Scene
from core.study.differential.numbers import numbers_left
from core.study.differential.shrink import SameFault, shrunk

from ..engines.asked import class_words
from ..forms.files import load_pair
from ..io.scene_file import SceneError, save
from ..storage.files import reason_of
from .engines import engine_sessions
from .facts import SceneFacts
from .faults import Sentences
from .outcomes import Conditions, Outcomes
from .picture import check_place, refused
from .report import printable


def shrink(file: str, conditions: Conditions | None, engine: str | None, out: Path, form: str = "") -> int:
    """Writes the shrunk scene; returns 0, or 1 after printing why nothing was written.

    Nothing is written if the scene is refused or does not fail in the first place, if the engine is not found, or if
    `out` cannot be written. A simpler scene that causes a fault of the core is reported and not used; the status is 1
    then too. The scene fails if it fails the `conditions`, or if the engine named `engine` answers wrongly; one of them
    is given. `form`: of a text in the file, "" to try all.
    """
    try:
        scene = load_pair(file, form).scene
        check_place(out)
    except SceneError as error:
        return refused(str(error))
    except OSError as error:
        return refused(f"{out}: {reason_of(error)}")
    sentences, found = Sentences(), None
    with ExitStack() as stack:
        with sentences.attempt(file, scene):
            still = _still(file, scene, conditions, engine, stack)
            if still is None:
                return 1
            found = shrunk(scene, _without_faults(still, file, sentences))
        if found is None:
            return 1
    for sentence in sentences.rest():
        print(printable(sentence), file=sys.stderr)
    try:
        save(out, found.scene)
    except OSError as error:
        return refused(f"{out}: {reason_of(error)}")
    print(f"{out}: {found.numbers_left} numbers are neither 0 nor 1, of {numbers_left(scene)}; {found.calls} questions")
    return 1 if sentences.any else 0


def _without_faults(still: Callable[[Scene], bool], file: str, sentences: Sentences) -> Callable[[Scene], bool]:
    """The test `still`, except that a scene that causes a fault of the core is reported and does not pass."""

    def holds(scene: Scene) -> bool:
        with sentences.attempt(f"{file}, made simpler", scene):
            return still(scene)
        return False

    return holds


def _still(
    file: str, scene: Scene, conditions: Conditions | None, engine: str | None, stack: ExitStack
) -> Callable[[Scene], bool] | None:
    """The test that simpler scenes must pass; returns None, and prints why, if the scene itself does not pass."""
    if engine is None:
        assert conditions is not None
        still = _failing(conditions)
        if not still(scene):
            refused(printable(f"{file}: does not fail these conditions, so there is nothing to shrink"))
            return None
        return still
    engines = engine_sessions((engine,), stack)
    if engines is None:
        return None
    judged = engines[0].judged(scene, insist=True)
    if not judged.judgement.is_fault:
        refused(printable(f"{file}: there is nothing to shrink: {engine} {class_words(judged)}"))
        return None
    return SameFault.of(judged.engine, engines[0].insist, scene, judged.truth, judged.judgement)


def _failing(conditions: Conditions) -> Callable[[Scene], bool]:
    """A test of whether a scene, judged alone, fails one of the conditions."""

    def fails(scene: Scene) -> bool:
        single = analyse_single(scene) if conditions.single else None
        facts = SceneFacts.of(analyse(scene), sweep(scene), single, scene=False)
        return bool(Outcomes(conditions).judged("", None, "", "", facts))

    return fails
