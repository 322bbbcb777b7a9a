"""What is said about flat parts is true by its own numbers."""

from __future__ import annotations

import re
from collections import Counter
from math import radians

import numpy as np
import pytest

from app.io.presets import presets
from app.io.scene_file import load
from app.stages import step_text
from app.words.contact_words import flatness_words
from core.analysis.analysis import analyse
from core.contact.contact import FlatStep
from core.query.query import query
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Hull, Shape

NUMBER = r"(?:≈ )?(\d+(?:\.\d+)?(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)°"
MEANING = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def degrees_of(text: str) -> list[float]:
    return [float(each.replace(" × 10", "e").translate(MEANING)) for each in re.findall(NUMBER, text)]


def noisy_box(rng: np.random.Generator, noise: float) -> Hull:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return Hull(tuple(map(tuple, (corners + noise * rng.normal(size=(8, 3))).tolist())))


SHAPES = {
    "box": lambda _: Box((1.0, 1.4, 0.8)),
    "capsule": lambda _: Capsule(0.4, 1.5),
    "cylinder": lambda _: Cylinder(0.6, 1.1),
    "cone": lambda _: Cone(0.7, 1.2),
    "noisy box": lambda rng: noisy_box(rng, 10.0 ** rng.uniform(-12.0, -0.5)),
    "needle": lambda rng: Hull(tuple(map(tuple, (rng.normal(size=(6, 3)) * (1.0, 0.1, 1e-4)).tolist()))),
}


def drawn(rng: np.random.Generator) -> Scene:
    def body(shape: Shape, position: np.ndarray) -> Body:
        # Half of them nearly lie flat.
        turn = rng.normal(size=4) * (1.0 if rng.random() < 0.5 else 0.03) + (1.0, 0.0, 0.0, 0.0)
        w, x, y, z = (turn / np.linalg.norm(turn)).tolist()
        return Body(shape, tuple(position.tolist()), (w, x, y, z))

    first, second = (SHAPES[name](rng) for name in rng.choice(list(SHAPES), 2))
    return Scene(body(first, np.zeros(3)), body(second, rng.normal(size=3) * 0.6))


def told(scene: Scene) -> list[tuple[FlatStep, str]]:
    asked = query(analyse(scene))
    flats = [moment for moment in asked.moments if isinstance(moment.step, FlatStep)]
    return [(moment.step, step_text(asked, moment).decided) for moment in flats]


def check(step: FlatStep, text: str) -> str:
    """Which sentence it is."""
    numbers = degrees_of(text)
    if "is above" in text:
        assert numbers[0] > numbers[1]
        return "steep"
    if "is at most" in text:
        assert numbers[0] <= numbers[1]
        assert step.angle is not None
        assert step.angle <= step.alpha
        return step.kind
    assert "°" not in text or step.kind == "polygon"
    return "other"


@pytest.mark.parametrize("preset", [preset.id for preset in presets()])
def test_no_presets_flat_part_is_told_with_false_numbers(preset: str) -> None:
    (path,) = (each.path for each in presets() if each.id == preset)
    for step, text in told(load(path).scene):
        check(step, text)


def test_a_line_is_told_by_its_own_tilt_and_not_by_the_faces_beside_it() -> None:
    (path,) = (each.path for each in presets() if each.id == "skew-edges")
    texts = [text for _, text in told(load(path).scene)]
    assert len(texts) == 2
    for text in texts:
        assert degrees_of(text)[0] < 1e-3


@pytest.mark.nightly("scenes")
def test_of_random_pairs_each_sentence_is_true() -> None:
    rng, seen = np.random.default_rng(12), Counter[str]()
    for _ in range(150):
        scene = drawn(rng)
        for step, text in told(scene):
            seen[check(step, text)] += 1
        found = analyse(scene).contacts
        assert found is not None
        if found.flatness is None:
            continue
        words = flatness_words(found, plane=False)
        if "counts as flat" in words:
            *parts, alpha = degrees_of(words)
            assert max(parts, default=0.0) <= alpha == pytest.approx(np.degrees(found.flatness.alpha), abs=0.5)
            lines = words.count("line") + words.count("Lines")
            assert bool(lines) == ("segment" in flat_kinds(scene))
    assert {"steep", "segment", "polygon", "disc", "other"} <= set(seen)


def flat_kinds(scene: Scene) -> list[str]:
    found = analyse(scene).contacts
    assert found is not None
    assert found.flatness is not None
    pairs = zip(found.flatness.kinds, found.flatness.angles, strict=True)
    return [kind for kind, angle in pairs if angle is not None and angle <= radians(5.2)]


def test_the_sentence_says_what_it_measures_against() -> None:
    (path,) = (each.path for each in presets() if each.id == "skew-edges")
    found = analyse(load(path).scene).contacts
    assert found is not None
    assert re.match(
        rf"1 contact\. Both lines are (?:{NUMBER} from )?perpendicular to the normal \(at most {NUMBER} off",
        flatness_words(found, plane=False),
    )
