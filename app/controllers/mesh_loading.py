"""Hulls from mesh files: read and built beside the window, which goes on; what takes long can be cancelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from ..draw.meshes.mesh import face_sides, points_about, polyhedron_mesh
from ..io.mesh_file import MeshHull, TooManyCornersError, load_hull
from ..io.scene_file import SceneError
from ..state.panel_state import Choice, Loading, Pending
from ..storage.files import readable
from .background import Job
from .edits import Edits
from .notices import Questions
from .parts import Parts

AT_ONCE = 0.03
"""Seconds that are waited for a mesh, so that a small one is there with the next frame."""
LOOK_SECONDS = 0.05
"""How often is looked whether a mesh is there."""
OFFERED = (5_000, 1_000)
"""Corners of the simplified hulls that are offered: two with the former can be dragged."""


class _StoppedError(Exception):
    """The meshes are not wanted any more."""


class _Meshes:
    """What a thread is asked for: by the numbers of bodies the files of their hulls, of so many corners at most."""

    def __init__(self, paths: Mapping[int, Path], most: int | None) -> None:
        self.paths, self.most = paths, most
        self.stage = Loading("", "", 0, len(paths))
        self.stopped = False

    def hulls(self) -> dict[int, MeshHull]:
        """Reads one file after another. Raises SceneError for the first that is refused."""
        found = {}
        for number, (index, path) in enumerate(self.paths.items()):
            found[index] = load_hull(path, self.most, partial(self._tell, readable(path.name), number))
            # What its first picture needs is found here too, and kept.
            solid = found[index].hull.polyhedron
            polyhedron_mesh(solid), face_sides(solid.faces), points_about(found[index].hull)
        return found

    def _tell(self, name: str, number: int, stage: str) -> None:
        if self.stopped:
            raise _StoppedError
        self.stage = Loading(name, stage, number + 1, len(self.paths))


class MeshLoading:
    """The meshes that are being loaded: those asked for last."""

    def __init__(self, parts: Parts, questions: Questions, edits: Edits, refuse: Callable[[Path, str], None]) -> None:
        self._work, self._notices = parts.work, parts.notices
        self._questions, self._edits, self._refuse = questions, edits, refuse
        self._job: Job[_Meshes, dict[int, MeshHull]] | None = None
        self._just_ended = False

    @property
    def shown(self) -> Loading | None:
        """How far it is; None where nothing is loaded."""
        return None if self._job is None else self._job.asked.stage

    @property
    def next_in(self) -> float | None:
        """Seconds until the window is to be drawn again."""
        # A question that is asked at the end is seen in the frame after.
        return LOOK_SECONDS if self._job is not None or self._just_ended else None

    def take(self, paths: Mapping[int, Path], most: int | None = None) -> bool:
        """The hulls of meshes become the shapes of bodies, by their numbers, as one edit, when they are there.

        `most`: corners of a hull, above which it is simplified. False after a refusal at once, which the user is told.
        """
        self.drop()
        if self._work.flat:
            self._notices.notify("This scene is 2D: the hull of a mesh is a 3D body.", error=True)
            return False
        self._job = Job(_Meshes(paths, most), _Meshes.hulls)
        self._job.within(AT_ONCE)
        return self.work()

    def work(self) -> bool:
        """Takes the hulls once they are there, but not under a drag; False after a refusal, which the user is told."""
        job, self._just_ended = self._job, False
        if job is None or not job.done or self._work.dragged:
            return True
        self._job, self._just_ended = None, True
        try:
            self._put(job.asked.paths, job.outcome())
        except TooManyCornersError as error:
            self._offer(job.asked.paths, error)
        except SceneError as error:
            self._refuse(Path(error.file), str(error))
            return False
        return True

    def _put(self, paths: Mapping[int, Path], meshes: Mapping[int, MeshHull]) -> None:
        if self._work.flat:
            return
        scene, names = self._work.document.committed, {index: readable(path.name) for index, path in paths.items()}
        for index, mesh in meshes.items():
            scene = scene.with_body(index, replace(scene.body(index), shape=mesh.hull))
        self._edits.edit(scene, f"{'Hull' if len(names) == 1 else 'Hulls'} from {' and '.join(names.values())}")
        for index, mesh in meshes.items():
            what = f"{'AB'[index]} is now the hull of {names[index]}"
            told = f"{what}: {len(mesh.hull.points)} corners of {mesh.points} points. {mesh.remark}"
            self._notices.notify(told.removesuffix(". "))

    def _offer(self, paths: Mapping[int, Path], error: TooManyCornersError) -> None:
        """Asks how many corners are enough."""
        name = readable(Path(error.file).name)
        question = Pending(
            "Very many corners",
            f"{name}: {error.message}. Fewer of them make a hull inside it; how far inside is told then.",
            (*(Choice(str(most), f"Keep {most:,} corners") for most in OFFERED), Choice("none", "Do not load it")),
        )
        self._questions.ask(question, {str(most): partial(self._again, paths, most) for most in OFFERED})

    def _again(self, paths: Mapping[int, Path], most: int) -> None:
        self.take(paths, most)

    def cancel(self) -> None:
        """Gives up what is being loaded, and says so."""
        if self._job is not None:
            self._notices.notify(f"{self._job.asked.stage.name} was not loaded.")
        self.drop()

    def drop(self) -> None:
        """Gives up what is being loaded; its thread ends with its next stage."""
        if self._job is not None:
            self._job.asked.stopped = True
        self._job = None
