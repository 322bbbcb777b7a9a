"""The gallery as a course: shelves, tags, and a thumbnail of every preset as it is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.io.presets import THUMBNAIL_THEMES, load_preset, presets, shelves
from app.packaging.make_thumbnails import OF_SCENE, scene_hash
from app.storage.files import resource, text_in
from core.analysis.analysis import analyse
from core.verdict import Verdict

IDS = [preset.id for preset in presets()]

VERDICTS = {Verdict.SEPARATED: "apart", Verdict.TOUCHING: "touching", Verdict.OVERLAPPING: "overlapping"}
SHAPES = {
    "box": "boxes",
    "sphere": "spheres",
    "capsule": "capsules",
    "ellipsoid": "ellipsoids",
    "hull": "hulls",
    "polygon": "polygons",
    "circle": "circles",
}
"""What two shapes of a kind are called."""


@pytest.mark.parametrize("name", IDS)
def test_the_tags_are_true(name: str) -> None:
    preset = next(preset for preset in presets() if preset.id == name)
    tree = json.loads(preset.path.read_text(encoding="utf-8"))
    kinds = [tree[body]["shape"]["type"].replace("halfspace", "half-space") for body in "ab"]
    verdict = VERDICTS[analyse(load_preset(name).scene).verdict]
    moving = any(np.any(tree[body].get(key, 0)) for body in "ab" for key in ("displacement", "angular_displacement"))
    told = [f"{tree.get('dimension', 3)}D", verdict, *([SHAPES[kinds[0]]] if kinds[0] == kinds[1] else kinds)]
    # The library of a reported pair stands before them.
    assert list(preset.tags[-len(told) - moving :]) == [*told, *["motion"] * moving]


def test_shelves_go_from_the_plane_to_space_and_end_with_mistakes() -> None:
    titles = [(shelf.title, shelf.subtitle) for shelf in shelves()]
    assert len(set(titles)) == len(titles)
    assert titles[0] == ("SAT in the plane", "lesson 1")
    assert titles[-1][0] == "Published mistakes"
    first = {title: k for k, (title, _) in reversed(list(enumerate(titles)))}
    assert first["GJK and EPA in the plane"] < first["SAT in space"] < first["Contacts"] < first["Round bodies"]
    assert first["Motion"] < first["Edge cases"] < first["Planes and rays"] < first["Reported bugs"]
    folded = [card for shelf in shelves() for card in shelf.cards if len(card.presets) > 1]
    assert [(card.title, len(card.presets)) for card in folded] == [("Ask about the start first", 8)]


@pytest.mark.parametrize("theme", THUMBNAIL_THEMES)
def test_every_preset_has_a_thumbnail_of_its_scene_as_it_is(theme: str) -> None:
    """Where this fails: `.venv/bin/python -m app.packaging.make_thumbnails`, and a look at what it made."""
    for preset in presets():
        file = preset.thumbnail(theme)
        assert text_in(file.read_bytes(), OF_SCENE) == scene_hash(preset.path), preset.id
        with Image.open(file) as picture:
            assert (picture.size, picture.mode) == ((352, 220), "P"), preset.id
            assert len(picture.convert("RGB").getcolors(256)) > 20, preset.id


def test_thumbnails_are_small_and_none_is_left_over() -> None:
    files = set(resource("assets", "thumbnails").glob("*"))
    assert files == {preset.thumbnail(theme) for preset in presets() for theme in THUMBNAIL_THEMES}
    assert sum(file.stat().st_size for file in files) < 2_000_000


def test_a_thumbnail_is_told_apart_by_what_is_seen_and_not_by_words(tmp_path: Path) -> None:
    preset = presets()[0]
    tree = json.loads(preset.path.read_text(encoding="utf-8"))

    def digest(**changes: object) -> str:
        file = tmp_path / "scene.json"
        file.write_text(json.dumps(tree | changes, indent=1), encoding="utf-8")
        return scene_hash(file)

    assert digest(name="Another", notes="") == digest() == scene_hash(preset.path)
    assert digest(a=tree["b"]) != digest()
    assert digest(view={**tree["view"], "yaw": 0.5}) != digest()
