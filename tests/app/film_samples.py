"""Films for the tests: sources of a few small pictures, and what an opened film has in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageSequence

from app.draw.theme import Theme, theme_named
from app.io.scene_file import load
from app.render.film import FilmPictures, padded_numbers
from app.state.view import Seen, View
from core.analysis.analysis import analyse
from core.query.query import query

from .command_rig import SCENES


def steps_of(
    scene: str, seconds: float = 1.5, theme: str = "print", first: int = 0, last: int | None = None
) -> FilmPictures:
    """The steps `first` to `last`, from 0, of a scene that ships."""
    loaded = load(SCENES / f"{scene}.json")
    analysis = analyse(loaded.scene)
    asked = query(analysis)
    seen = [
        Seen(loaded.scene, analysis, View(), theme_named(theme), asked, place)
        for place in range(len(asked.moments))[first:last]
    ]
    return FilmPictures(seen.__getitem__, [seconds] * len(seen), padded_numbers(len(seen)))


def drawn(theme: Theme, size: tuple[int, int], count: int) -> list[Image.Image]:
    """Pictures with the plain ground of films, and a bar that goes on from one to the next."""
    across, down = size
    ground = np.full((down, across, 3), np.round(255.0 * np.array(theme.plain_ground[:3])), dtype=np.uint8)
    pictures = []
    for number in range(count):
        pixels = ground.copy()
        left = 4 + number * (across - 24) // count
        pixels[8 : down // 2, left : left + 12] = np.round(255.0 * np.array(theme.edge_a[:3]))
        pixels[down // 2 : down - 8, left : left + 12] = np.round(255.0 * np.array(theme.winner[:3]))
        pictures.append(Image.fromarray(pixels))
    return pictures


def opened(path: Path) -> tuple[list[Image.Image], list[int], tuple[int, int], dict[str, object]]:
    """The pictures of a film, RGB, how long each stands in ms, its size, and what else it says."""
    with Image.open(path) as film:
        frames = [(frame.convert("RGB"), round(frame.info["duration"])) for frame in ImageSequence.Iterator(film)]
        return [frame for frame, _ in frames], [duration for _, duration in frames], film.size, dict(film.info)


def psnr(one: Image.Image, other: Image.Image) -> float:
    """Peak signal to noise ratio in dB; 99 where they are equal."""
    error = float(((np.asarray(one).astype(float) - np.asarray(other)) ** 2).mean())
    return 99.0 if error == 0.0 else 10.0 * float(np.log10(255.0**2 / error))
