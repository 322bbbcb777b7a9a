"""`separatrix bundle`: writes a zip with all that a bug report about an engine needs."""

from __future__ import annotations

import platform
import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from core.scene import Scene

from ..engines.asked import EngineSession, Judged, class_words
from ..engines.bug_report import can_be_reported, files_of, proof_of
from ..engines.repro_call import NoScriptError
from ..export.bundle import zipped
from ..forms.files import load_pair
from ..io.scene_file import Loaded, SceneError
from ..render import GraphicsUnavailable
from ..render.still import Stills
from ..state.export_options import ExportOptions
from ..storage.files import reason_of, version, write_atomic
from .engines import engine_sessions
from .faults import FaultGuard
from .picture import check_place, picture, refused
from .report import printable

PICTURE_SIZE = (1280, 800)


def bundle(scene: str, engine: str, out: Path, form: str = "") -> int:
    """Writes the zip about one scene; returns 0, or 1 after printing why there is none.

    There is none if the scene is refused, the engine is not found, its answer is not proved wrong, the file cannot be
    written, or after a fault of the program. `form`: of a text in the scene's file, "" to try all.
    """
    try:
        loaded = load_pair(scene, form)
        check_place(out)
    except SceneError as error:
        return refused(str(error))
    except OSError as error:
        return refused(f"{out}: {reason_of(error)}")
    with FaultGuard(scene, loaded.scene) as attempt, ExitStack() as stack:
        engines = engine_sessions((engine,), stack)
        if engines is None:
            return 1
        return _written(engines[0].judged(loaded.scene), engines[0], out)
    return refused(printable(attempt.fault))


def _written(judged: Judged, asked: EngineSession, out: Path) -> int:
    name = f"{judged.entry.title} {judged.engine.version}".strip()
    if not can_be_reported(judged, proof_of(judged)):
        why = "; nothing proves it" if judged.judgement.is_fault else ""
        return refused(printable(f"There is nothing to report: {name} {class_words(judged)}{why}."))
    try:
        write_atomic(out, bundle_bytes(judged, asked))
    except NoScriptError as error:
        return refused(f"No bundle was written: {error}.")
    except OSError as error:
        return refused(f"{out}: {reason_of(error)}")
    print(printable(f"{out}: {name}, {class_words(judged)}"))
    return 0


def bundle_bytes(judged: Judged, asked: EngineSession, unshrunk: Scene | None = None) -> bytes:
    """The zip about a wrong answer; `unshrunk`: the scene before it was shrunk, if it was.

    Raises NoScriptError if no script can be written for the engine.
    """
    python = asked.worker.ready.python if asked.worker.ready else platform.python_version()
    versions = [
        f"{judged.entry.title} ({judged.entry.package}) {judged.engine.version}, asked by Python {python}",
        f"Separatrix {version()}, Python {platform.python_version()}",
        f"{platform.system()} {platform.machine()}",
    ]
    return zipped(files_of(judged, "\n".join(versions) + "\n", _picture(judged.scene), unshrunk))


def _picture(scene: Scene) -> bytes | None:
    """The PNG of the scene, with the scene inside; returns None, and prints why, if there are no graphics."""
    try:
        with ExitStack() as means:
            stills = cache(lambda: means.enter_context(Stills()))
            return picture(stills, Loaded(scene, None), ExportOptions(theme="light"))
    except GraphicsUnavailable as error:
        print(f"The bundle has no picture. {error}", file=sys.stderr)
        return None
