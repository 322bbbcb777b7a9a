"""`separatrix render` into a handout: every step of a scene with its words, on one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..draw.theme import Theme
from ..io.scene_file import SceneError
from ..io.scene_log import is_log
from ..render.film import Look, Shots
from ..render.still import vector_picture
from ..stages import step_text
from ..state.view import WHOLE, Seen
from ..storage.files import reason_of, write_atomic
from ..words.axis_words import verdict_line
from .film import FilmOptions, scene_text, steps_source
from .render import NoSuchStepError, accepted, refused

if TYPE_CHECKING:
    from ..export.handout import Page
    from ..export.operations import Picture

SIZE = (900, 640)
"""Points of a picture where no size is asked for: beside its words it is about as wide on a screen."""


def nonsense(options: FilmOptions, scenes: Sequence[str], *, stepped: bool, clear: bool) -> str | None:
    """Why no handout can be made so, in a sentence; None where one can. As of films."""
    if options != FilmOptions(options.steps, options.slow, *(None,) * 7):
        return "a handout shows steps: of a film's options --steps and --slow go with it"
    if stepped:
        return "--step goes with a picture; a handout takes --steps FIRST-LAST"
    if clear:
        return "a handout has a background: --transparent does not go with it"
    if any(is_log(scene) for scene in scenes):
        return "a handout shows the steps of one scene, not a log"
    return None


def render_handouts(
    targets: Sequence[tuple[str, Path]], options: FilmOptions, size: tuple[int, int], theme: Theme
) -> int:
    """Writes the handout of each scene into the file beside it, whole or not at all; the exit status."""
    status = 0
    for scene, out in targets:
        try:
            write_atomic(out, handout(scene, out, options, size, theme))
        except SceneError as error:
            status = refused(str(error))
        except NoSuchStepError as error:
            status = refused(f"{scene}: {error}")
        except OSError as error:
            status = refused(f"{out}: {reason_of(error)}")
    return status


def handout(scene: str, out: Path, options: FilmOptions, size: tuple[int, int], theme: Theme) -> bytes:
    """The file of a scene's handout. Raises SceneError, NoSuchStepError, OSError."""
    # Imported with the first handout.
    from ..export.handout import handout_bytes

    loaded = accepted(scene, out)
    shots = Shots(steps_source(loaded, options, theme), Look(*size))
    pages = []
    for number, plan in enumerate(shots.plans()):
        pages.append(_page(shots.seen(number), vector_picture(plan)()))
    return handout_bytes(pages, loaded.scene.name or Path(scene).stem, scene_text(shots.seen(0)), theme)


def _page(seen: Seen, picture: Picture) -> Page:
    """A step with all that its card says; the answer without."""
    from ..export.handout import Page

    if seen.query is None or seen.moment is None:
        return Page(picture, "0", "The answer", "The two bodies with the answer.", (("", verdict_line(seen.analysis)),))
    text = step_text(seen.query, seen.moment, seen.part)
    name = f"{seen.place + 1}" + ("" if seen.part == WHOLE else f":{seen.part.replace(' ', '-')}")
    words = [("So far", text.known), ("This step", text.decided), ("Why", text.why)]
    if text.stop is not None:
        words.append(("Result", f"{text.stop.meaning} ({text.stop.name})"))
    return Page(
        picture,
        name,
        text.title,
        f"The picture of the step {text.title}: the bodies, and what it found.",
        tuple(words),
        tuple([formula.parts for formula in text.formulas]),
    )
