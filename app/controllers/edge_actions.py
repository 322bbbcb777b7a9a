"""The edge-case tools as the program offers them: what each is called, what it makes, and what is said afterwards.

One table for the panel and the commands. The core behind is imported when a tool is first used.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from core.scene import Scene, Triple

from ..words.axis_words import plain


class Made(Struct, frozen=True):
    """The scene made, the undo entry's `label`, and one sentence to tell; "" if the picture says it all."""

    scene: Scene
    label: str
    told: str = ""


class EdgeAction(Struct, frozen=True, eq=False):
    """`make` raises ValueError, with one sentence, where the scene does not allow it."""

    id: str
    title: str
    tip: str
    make: Callable[[Scene], Made]


def nudged(scene: Scene, axis: int, ulps: int) -> Made:
    """B's coordinate by some units in the last place."""
    from core.lab.edge_cases import nudged as nudge

    after = nudge(scene, axis, ulps)
    name = "xyz"[axis]
    return Made(after, f"Nudge B's {name}", f"B's {name} is {after.b.position[axis]!r} now.")


def shifted(scene: Scene, direction: Triple, exponent: int, sign: float) -> Made:
    """B by a power of ten of the pair's size."""
    from core.lab.edge_cases import shifted as shift

    return Made(shift(scene, direction, exponent, sign), f"Nudge B by 1e{exponent}")


def touching(scene: Scene, direction: Triple | None = None) -> Made:
    """B to touching, along the normal or a direction."""
    from core.lab.edge_cases import touching as touch

    found = touch(scene, direction)
    left = "0 exactly" if found.separation == 0.0 else plain(found.separation)
    return Made(found.scene, "Bring to touching", f"Brought to touching: the separation left is {left}.")


def _edges_parallel(scene: Scene) -> Made:
    from core.lab.edge_cases import edges_parallel

    return Made(edges_parallel(scene), "Make edges parallel")


def _centres_together(scene: Scene) -> Made:
    from core.lab.edge_cases import centres_together

    return Made(centres_together(scene), "Put the centres together")


def _faces_aligned(scene: Scene) -> Made:
    from core.lab.edge_cases import faces_aligned

    return Made(faces_aligned(scene), "Align faces")


def _random_pair(scene: Scene) -> Made:
    return random_pair(scene, ())


def random_pair(scene: Scene, kinds: tuple[str, ...]) -> Made:
    """Any two bodies of the kinds, of all that the scene's world has if none is given."""
    from secrets import randbits

    import numpy as np

    from core.lab import random_pair as draw

    seed = randbits(32)
    rng = np.random.default_rng(seed)
    make, makers = {2: (draw.random_flat_pair, draw.FLAT_MAKERS), 3: (draw.random_pair, draw.MAKERS)}[scene.dimension]
    return Made(make(rng, kinds or tuple(makers)), "Random pair", f"Random pair {seed}: half of such pairs overlap.")


EDGE_ACTIONS: tuple[EdgeAction, ...] = (
    EdgeAction(
        "touch", "Bring to touching", "B along the normal until the separation is zero to the last place", touching
    ),
    EdgeAction(
        "parallel",
        "Make edges parallel",
        "B by the least turn that makes the winning pair of edges parallel, or the best pair where a face wins; "
        "in the plane the winning edge and the other body's nearest to it in direction",
        _edges_parallel,
    ),
    EdgeAction(
        "faces",
        "Align faces",
        "B by the least turn that lays its nearest face, in the plane its nearest edge, on A's",
        _faces_aligned,
    ),
    EdgeAction("centres", "Put the centres together", "B's position on A's", _centres_together),
    EdgeAction("random", "Random pair", "Any two shapes, as likely to overlap as not", _random_pair),
)
