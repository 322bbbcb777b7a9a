"""One naming scheme: every name that is drawn, listed or said matches it, and a part has one name everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.cli.report import to_text
from app.draw.draw_list import Subject
from app.draw.text import lacking
from app.io.presets import Preset, load_preset, presets
from app.panels.viewport_bottom import hint_for
from app.stages import step_text
from app.storage.files import resource
from app.words.axis_words import reasons, verdict_line
from app.words.contact_words import CONTACT, contact_text
from app.words.names import (
    axis_name,
    contact_features,
    feature_name,
    lettered,
    named_axis,
    row_of,
    same_name,
    shown_name,
)
from app.words.right_angles import right_angle_words
from core.analysis.analysis import analyse
from core.query.query import Phase, query

from .panel_rig import panel_state
from .test_step_pictures import picture

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
TEXTS = sorted(path for path in SNAPSHOTS.glob("*.txt") if ".numbers." not in path.name)

OF_ROUND = r"end\d|centre|axis|plane|surface|apex|side|base|level|n|(rim|cap)( [+−]y)?(\.\d)?"
PART = rf"(v\d+(v\d+)?|e\d+|f\d+|[+−]?[xyz]|{OF_ROUND})"
NAME = re.compile(rf"[AB](\.{PART})?('s)?")
STARTS = re.compile(r"(?<![\w.])[AB]\.(?=\w|[+−-])[^\s”“,;:)(|⏎}]*(?: [+−-]y(?:\.\d)?)?")
OLD = re.compile(r"\b(?:edge|face)\d+|\bv\d+-v\d+|[AB]\.\S*[×→]|[×→][AB]\.|\b[ab][₀-₉]+ = [AB]\.|\\mathrm\{[AB]\.")
NAMED = 40
"""Rows of a table that are asked for by their names: two hulls have hundreds."""
LETTERS = re.compile(r"(?<![\w.])[A-C][D-I](?!\w)")


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_name_follows_the_scheme(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not OLD.findall(text)
    names = {name.strip().rstrip(".") for name in STARTS.findall(text)}
    assert not sorted(name for name in names if not NAME.fullmatch(name))
    if path.name.split(".")[0] != "flat-worked-example" and ".geometry." in path.name:
        assert not LETTERS.findall(" ".join(re.findall("“[^”]*”", text)))


@pytest.mark.parametrize(
    ("label", "name"),
    [
        *(("A.edge12×B.edge3", "A.e12 × B.e3"), ("A.x×B.z", "A.x × B.z"), ("d×A.x", "d × A.x"), ("A.x", "A.x")),
        *(("A.edge0×face0", "A.e0 × A.f0"), ("A.v2→B", "A.v2 → B"), ("A.v4-v7→B.axis", "A.v4v7 → B.axis")),
        *(
            ("A.edge1", "A.e1"),
            ("A.face3", "A.f3"),
            ("B.-z", "B.−z"),
            ("B.rim -y.2", "B.rim −y.2"),
            ("A→B.end1", "A → B.end1"),
        ),
    ],
)
def test_a_label_of_the_core_has_one_name(label: str, name: str) -> None:
    assert shown_name(label) == name
    assert shown_name(name) == name
    assert same_name(label) == same_name(name) == same_name(name.replace(" × ", "×").replace("−", "-"))


@pytest.mark.parametrize(
    ("label", "name"),
    [
        *(("A.edge12×B.edge3", "A.e12 × B.e3"), ("A.x×B.z", "A.x × B.z"), ("d×A.x", "d × A.x"), ("A.y", "A.y")),
        *(("A.edge0×face0", "A.e0 × A.f0"), ("A.v2→B", "A.v2 → B"), ("B.v4-v7→A", "A → B.v4v7")),
        *(("A.edge1", "⊥A.e1"), ("B.face3", "⊥B.f3"), ("A.plane", "⊥A.plane"), ("A→B.end1", "A → B.end1")),
    ],
)
def test_an_axis_has_a_name_of_its_own(label: str, name: str) -> None:
    assert named_axis(label) == name
    assert named_axis(name) == name
    assert not lacking(name)
    for written in (
        name,
        name.replace(" × ", "×").replace(" → ", "→"),
        name.replace("⊥", "⟂"),
        name.replace("⊥", "_|_"),
        name.lstrip("⊥"),
    ):
        assert same_name(written) == same_name(label)


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.id)
def test_every_axis_of_every_preset_is_found_by_its_name(preset: Preset) -> None:
    analysis = analyse(load_preset(preset.id).scene)
    table = analysis.sat
    names = [axis_name(table, row) for row in range(len(table.candidates))]
    parts = {shown_name(f"{letter}.{kind}{number}") for letter in "AB" for kind in "efv" for number in range(99)}
    assert len(set(names)) == len(names)
    assert not parts & set(names)
    for row, name in enumerate(names[:NAMED]):
        label = table.candidates[row].label
        assert row_of(table, name) == row_of(table, label) == row_of(table, name.replace(" ", "")) == row
        words = right_angle_words(analysis.scene, table, row)
        assert words.startswith(("at right angles to ", "in the plane of ", "from A"))
        assert not re.search(r"edge\d|face\d|v\d+-v", words)


@pytest.mark.parametrize("preset", ["stacked-cubes", "tetrahedra-cross", "flat-hexagon-pentagon", "cylinder-on-ground"])
def test_a_part_has_one_name_in_picture_card_hint_and_check(preset: str) -> None:
    found = query(analyse(load_preset(preset).scene))
    scene, manifold = found.analysis.scene, found.manifold
    assert manifold is not None
    text = to_text(found.analysis, None, "A pair")
    table = found.analysis.sat
    for row in range(len(table.candidates)):
        assert re.search(rf"^  {re.escape(axis_name(table, row))}  ", text, re.MULTILINE)
    last = max(place for place, moment in enumerate(found.moments) if moment.phase is Phase.CONTACTS)
    said = step_text(found, found.moments[last]).decided
    for number, contact in enumerate(manifold.contacts):
        name = contact_features(scene, contact)
        drawn = picture(found, last, shown=frozenset(), hover=Subject(CONTACT, number)).world.labels
        # A depth that all contacts have is said once, beside them.
        assert any(label.text.endswith(f"  {name}") or f"  {name}  depth" in label.text for label in drawn)
        assert name in text
        assert name in said or number >= 4
        assert name in contact_text(scene, number, contact)
    for row in range(len(table.candidates)):
        ui = panel_state(scene)
        pointed = replace(ui, view=replace(ui.view, hover=Subject("axis", row)))
        assert hint_for(pointed).startswith(f"{axis_name(table, row)}, {right_angle_words(scene, table, row)}: ")


@pytest.mark.parametrize("preset", ["tetrahedra-cross", "two-hulls"])
def test_an_edge_in_space_is_named_by_its_ends(preset: str) -> None:
    scene = load_preset(preset).scene
    for index in (0, 1):
        body = scene.body(index)
        for edge, direction in enumerate(body.shape.polyhedron.edge_directions()):
            low, high = map(int, re.findall(r"v(\d+)", feature_name(scene, index, f"edge{edge}")))
            assert low < high
            run = np.array(body.shape.points[high]) - np.array(body.shape.points[low])
            assert np.linalg.norm(np.cross(run, direction)) < 1e-9


def test_only_the_worked_example_has_letters() -> None:
    scene = load_preset("flat-worked-example").scene
    assert lettered(scene)
    assert not lettered(load_preset("flat-squares-kiss").scene)
    assert not lettered(load_preset("flat-two-circles").scene)
    assert not lettered(load_preset("skew-edges").scene)


LIKE_AN_EDGE = re.compile(r"(?<!× )(?<!⊥)\b[AB]\.[ef]\d++(?! ×)")
"""An edge or a face by its number: no axis is called so."""
AXIS_LIKE_AN_EDGE = re.compile(rf"(?:along|on|axis|line|called|than|decides):? {LIKE_AN_EDGE.pattern}")


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.id)
def test_no_sentence_calls_an_axis_like_an_edge(preset: Preset) -> None:
    found = query(analyse(load_preset(preset.id).scene))
    said = [verdict_line(found.analysis), *reasons(found.analysis)[:NAMED]]
    steps = [moment for moment in found.moments if moment.phase is Phase.SAT]
    for moment in (*steps[:NAMED], *steps[-1:]):
        text = step_text(found, moment)
        said += [text.title, text.known, text.decided, text.why, "" if text.stop is None else text.stop.meaning]
    assert not [words for words in said if LIKE_AN_EDGE.search(words)]


@pytest.mark.parametrize("folder", ["lessons", "scenes", "lectures", "cases", "guide"])
def test_no_shipped_text_calls_an_axis_like_an_edge(folder: str) -> None:
    for path in sorted(resource("assets", folder).rglob("*.*")):
        if path.suffix in (".md", ".json", ".jsonl"):
            assert not AXIS_LIKE_AN_EDGE.search(path.read_text(encoding="utf-8")), path.name
