"""Loads hulls from mesh files, and simplifies hulls, in a thread that can be cancelled.

Also loads a scene that has too many points, with fewer of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from core.shapes import Shape, mesh_source, sharp_of, with_border

from ..draw.meshes.mesh import face_sides, points_about, polyhedron_mesh
from ..io.mesh_file import MeshHull, TooManyCornersError, load_hull, simpler_hull
from ..io.scene_file import Loaded, SceneError, TooLargeSceneError
from ..shapes import hull_points
from ..state.panel_state import DialogChoice, Loading, Pending
from ..storage.files import readable
from ..storage.strict_json import DataError
from .background import Job
from .edits import Edits
from .notices import Questions
from .services import Services

WAIT_SECONDS = 0.03
"""Seconds to wait for a mesh, so that a small one is ready in the next frame."""
LOOK_SECONDS = 0.05
"""Polling interval for a mesh that is being loaded, seconds."""
OFFERED = (5_000, 1_000)
"""The offered numbers of corners; two hulls with the larger number can still be dragged."""
SMALLER = (*OFFERED, 200, 50)
"""The offered numbers of corners for a hull in the scene."""


class _StoppedError(Exception):
    """The job was given up."""


HullSource = Path | Shape
"""The source of a hull: a file, or a body's hull that is to be simplified."""


class _MeshJob:
    """A thread's job and its stage. `fewer(most)` starts it again with at most `most` corners."""

    def __init__(self, count: int, fewer: Callable[[int], None]) -> None:
        self.stage, self.fewer = Loading("", "", 0, count), fewer
        self.stopped = False

    def tell(self, name: str, number: int, stage: str) -> None:
        """Notes the stage that begins, in the thread; raises _StoppedError if the job was given up."""
        if self.stopped:
            raise _StoppedError
        self.stage = Loading(name, stage, number + 1, self.stage.count)


def _hulls(sources: Mapping[int, HullSource], most: int | None, asked: _MeshJob) -> dict[int, MeshHull]:
    """The hulls by the bodies' numbers.

    Raises SceneError for the first refused file, DataError for a hull that cannot be simplified, and _StoppedError if
    the job was given up. `most`: the number of corners above which a hull is simplified; None for files that are not.
    """
    found = {}
    for number, (index, source) in enumerate(sources.items()):
        tell = partial(asked.tell, _name(source, index), number)
        if isinstance(source, Path):
            found[index] = load_hull(source, most, tell)
        else:
            assert most is not None
            mesh = simpler_hull(hull_points(source), most, tell)
            found[index] = replace(mesh, hull=mesh.hull.standing_for(mesh_source(source)))
        # Fills the caches that the first picture needs.
        solid = found[index].hull.polyhedron
        polyhedron_mesh(solid), face_sides(solid.faces), points_about(found[index].hull)
    return found


class MeshLoading:
    """Loads the meshes that were asked for last."""

    def __init__(
        self, services: Services, questions: Questions, edits: Edits, refuse: Callable[[Path, str], None]
    ) -> None:
        self._work, self._notices = services.work, services.notices
        self._questions, self._edits, self._refuse = questions, edits, refuse
        self._job: Job[_MeshJob, Callable[[], None]] | None = None
        self._just_ended = False

    @property
    def shown(self) -> Loading | None:
        """The stage of the work; None where nothing is being loaded."""
        return None if self._job is None else self._job.asked.stage

    @property
    def next_in(self) -> float | None:
        """Seconds until the next frame is due; None where nothing is being loaded."""
        # A question that is asked at the end needs one more frame to be drawn.
        return LOOK_SECONDS if self._job is not None or self._just_ended else None

    def take(self, sources: Mapping[int, HullSource], most: int | None = None) -> bool:
        """Starts to load hulls, which then become the shapes of bodies, as one edit.

        `sources`: by the body's number. `most`: the number of corners above which a hull is simplified. Returns False
        after an immediate refusal, which the user sees as a notice.
        """
        self.drop()
        if self._work.flat:
            self._notices.notify("This scene is 2D: the hull of a mesh is a 3D body.", error=True)
            return False

        def hulls(asked: _MeshJob) -> Callable[[], None]:
            return partial(self._put, sources, _hulls(sources, most, asked))

        return self._begin(_MeshJob(len(sources), partial(self._again, sources)), hulls)

    def offer_simpler_scene(self, path: Path, refusal: TooLargeSceneError, show: Callable[[Loaded], None]) -> None:
        """Asks how many corners to keep in a scene that has too many points. `show`: called with the simpler scene."""
        told = f"{path.name}: {refusal.path}: {refusal.message}"
        fewer = [most for most in SMALLER if most < refusal.most]
        self._offer(partial(self._open_simpler, path, show), told, (fewer[0], fewer[1]), "Do not open it")

    def _open_simpler(self, path: Path, show: Callable[[Loaded], None], most: int) -> None:
        def simpler(asked: _MeshJob) -> Callable[[], None]:
            from ..io.simpler_scene import load_simpler

            return partial(show, load_simpler(path, most, partial(asked.tell, readable(path.name), 0)))

        self.drop()
        self._begin(_MeshJob(1, partial(self._open_simpler, path, show)), simpler)

    def _begin(self, asked: _MeshJob, find: Callable[[_MeshJob], Callable[[], None]]) -> bool:
        """Runs `find` in a thread; the function that it returns is called in this thread. Returns as `work` does."""
        self._job = Job(asked, find)
        self._job.within(WAIT_SECONDS)
        return self.work()

    def work(self) -> bool:
        """Takes a finished job, but not during a drag; returns False after a refusal, which the user sees.

        Raises an unexpected error of the thread.
        """
        job, self._just_ended = self._job, False
        if job is None or not job.done or self._work.dragged:
            return True
        self._job, self._just_ended = None, True
        try:
            job.outcome()()
        except TooManyCornersError as error:
            name = f"{readable(Path(error.file).name)}: {error.message}"
            self._offer(job.asked.fewer, name, OFFERED, "Do not load it")
        except SceneError as error:
            self._refuse(Path(error.file), str(error))
            return False
        except DataError as error:
            self._notices.notify(f"It cannot be simplified: {error}.", error=True)
            return False
        return True

    def _put(self, sources: Mapping[int, HullSource], meshes: Mapping[int, MeshHull]) -> None:
        if self._work.flat:
            return
        scene = self._work.document.committed
        names = {index: _name(source, index) for index, source in sources.items()}
        for index, mesh in meshes.items():
            body = scene.body(index)
            sharp, border = sharp_of(body.shape)
            if isinstance(sources[index], Path):
                border = 0.0
            elif sharp is not sources[index]:
                self._notices.notify(f"{names[index]} has been changed since.", error=True)
                return
            scene = scene.with_body(index, replace(body, shape=with_border(mesh.hull, border)))
        new = [names[index] for index, source in sources.items() if isinstance(source, Path)]
        label = f"{'Hull' if len(new) == 1 else 'Hulls'} from {' and '.join(new)}"
        self._edits.edit(scene, label if new else f"Simplify {' and '.join(names.values())}")
        for index, mesh in meshes.items():
            file = sources[index]
            what = f"is now the hull of {readable(file.name)}" if isinstance(file, Path) else "has a simpler hull now"
            told = f"{'AB'[index]} {what}: {len(mesh.hull.points)} corners of {mesh.point_count} points. {mesh.remark}"
            self._notices.notify(told.removesuffix(". "))

    def offer_simpler(self, index: int) -> None:
        """Asks how many corners a body's hull should keep; ignores other shapes, and hulls with few corners."""
        shape, _ = sharp_of(self._work.document.committed.body(index).shape)
        count = len(hull_points(shape))
        fewer = tuple(most for most in SMALLER if most < count)
        if fewer:
            told = f"{_name(shape, index)} has {count:,} corners"
            self._offer(partial(self._again, {index: shape}), told, fewer, "Keep all")

    def _offer(self, fewer: Callable[[int], None], told: str, counts: tuple[int, ...], none: str) -> None:
        """Asks how many corners to keep, and calls `fewer` with the number."""
        question = Pending(
            "Very many corners" if none != "Keep all" else "Simplify the hull",
            f"{told}. Fewer of them make a hull inside it; how far inside is told then.",
            (*(DialogChoice(str(most), f"Keep {most:,} corners") for most in counts), DialogChoice("none", none)),
        )
        self._questions.ask(question, {str(most): partial(fewer, most) for most in counts})

    def _again(self, sources: Mapping[int, HullSource], most: int) -> None:
        self.take(sources, most)

    def cancel(self) -> None:
        """Gives up the job, if any, with a notice."""
        if self._job is not None:
            self._notices.notify(f"{self._job.asked.stage.name} was not loaded.")
        self.drop()

    def drop(self) -> None:
        """Gives up the job, if any; its thread ends at its next stage."""
        if self._job is not None:
            self._job.asked.stopped = True
        self._job = None


def _name(source: HullSource, index: int) -> str:
    return readable(source.name) if isinstance(source, Path) else f"{'AB'[index]}'s hull"
