"""Figures: sizes in real units, what is cropped, shown and said, held against the files by other people's readers."""

from __future__ import annotations

import io
import re
from math import radians
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
import resvg_py
from msgspec.structs import replace
from PIL import Image

from app.cli.picture import planned_picture
from app.draw.theme import DARK, PRINT
from app.io.presets import load_preset
from app.io.scene_file import load, save, to_tree
from app.render.figure import drawn_box, with_one_camera
from app.render.still import SUPERSAMPLING, Plan, vector_still
from app.stages.epa.pictures import corners_of
from app.stages.point_names import point_names
from app.state.export_options import ExportOptions
from app.state.option import AUTO
from app.state.purposes import set_for
from app.state.view import Panes, View
from app.storage.strict_json import json_line
from app.words.digits import told_together
from core.analysis.analysis import analyse
from core.query.query import Phase, query

from ..figure_rig import FONTS, font_sizes, rsvg, svg_image
from .command_rig import GOOD, run

MM = 25.4


def plan_of(ending: str = ".svg", **options: object) -> Plan:
    wanted = ExportOptions(**{"size": (640, 400), "theme": "print", "step": "0", "text": "font"} | options)
    return planned_picture(load(GOOD), ending, wanted)[0]


def svg_of(plan: Plan) -> str:
    return vector_still(plan, ".svg", "{}", "Name")().decode()


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize(
    ("width", "mm", "font"), [("8.5cm", 85.0, "7pt"), ("3.3in", 83.82, "9pt"), ("240pt", 84.667, "8")]
)
def test_width_and_font_are_exact_in_svg_and_pdf(tmp_path: Path, width: str, mm: float, font: str) -> None:
    words = ("--width", width, "--font", font, "--theme", "print")
    for ending in ("svg", "pdf"):
        assert run("render", GOOD, "-o", tmp_path / f"a.{ending}", *words).returncode == 0
    svg = (tmp_path / "a.svg").read_text()
    across = float(re.search(r'width="([\d.]+)mm"', svg)[1])
    assert across == pytest.approx(mm, abs=0.01)
    fine = float(re.search(r'viewBox="0 0 (\d+)', svg)[1])
    # The letters of a pane's table and of the words below.
    letters = {float(size) * across / fine / MM * 72.0 for size in re.findall(r'font-size="([\d.]+)"', svg)}
    assert min(abs(size - float(font.removesuffix("pt"))) for size in letters) <= 0.05
    page = pypdfium2.PdfDocument(tmp_path / "a.pdf")[0]
    assert page.get_mediabox()[2] / 72.0 * MM == pytest.approx(mm, abs=0.01)


def test_labels_have_the_same_places_in_pixels_and_vectors() -> None:
    """Of 320 labels of presets 52 were more than 1 pt off each other, when vectors had a layout of their own."""
    placed = [
        [
            (label.text, rect.x + label.x, rect.y + label.y)
            for rect, pane in plan.lay_out(SUPERSAMPLING)
            for label in pane.labels
        ]
        for plan in (plan_of(ending, width=85.0, step="gjk:2") for ending in (".png", ".svg", ".pdf"))
    ]
    assert placed[0] == placed[1] == placed[2]
    assert len(placed[0]) > 10


def test_a_png_has_the_pixels_and_the_resolution_of_its_width(tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    assert run("render", GOOD, "-o", out, "--width", "4cm", "--dpi", "150", "--alt", "Two boxes").returncode == 0
    with Image.open(out) as image:
        assert image.info["dpi"][0] == pytest.approx(150.0, abs=0.02)
        assert image.size[0] / image.info["dpi"][0] * MM == pytest.approx(40.0, abs=0.1)
        assert image.text["Description"] == "Two boxes"
    assert load(out).scene == load(GOOD).scene


FINE = 8
"""Pixels of a drawing to one of the picture: 0.033 mm each."""


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("name", ["skew-edges", "flat-inside"])
@pytest.mark.sampled(4, "pictures")
def test_the_margin_round_what_is_drawn_is_exact(name: str, flat: bool) -> None:
    loaded = load_preset(name)
    view = (loaded.view or View()).with_cameras(orthographic=flat)
    for margin in (0.0, 3.0):
        cut = {"crop": True, "margin": margin, "hide": frozenset({"grid"}), "panes": "world"}
        options = ExportOptions(size=(320, 200), theme="print", step="0", **cut)
        plan, _ = planned_picture(replace(loaded, view=view), ".svg", options)
        data = resvg_py.svg_to_bytes(
            svg_string=svg_of(plan), skip_system_fonts=True, font_files=FONTS, width=FINE * plan.size[0]
        )
        image = np.asarray(Image.open(io.BytesIO(data)).convert("L")).astype(int)
        ink = np.argwhere(image < 255 - 40)
        (top, left), (bottom, right) = ink.min(axis=0), ink.max(axis=0) + 1
        found = np.array((left, top, image.shape[1] - right, image.shape[0] - bottom)) / FINE * MM / 96.0
        # The drawing has whole pixels as well: half of one is its own.
        assert np.abs(found - margin).max() <= 0.1 + 0.5 * MM / 96.0 / FINE, (margin, found)


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_a_cropped_figure_keeps_its_width_its_font_and_its_margin(ending: str) -> None:
    plan = plan_of(ending, width=60.0, font=6.0, crop=True, margin=3.0, hide=frozenset({"grid", "triad", "globe"}))
    assert plan.size[0] == pytest.approx(60.0 / MM * 300.0, abs=1.0)
    boxes = [drawn_box(rect, placed) for rect, placed in plan.lay_out(SUPERSAMPLING) if len(placed.lines.width)]
    fine = SUPERSAMPLING * plan.size[0]
    off = (min(box[0] for box in boxes), fine - max(box[2] for box in boxes))
    assert np.array(off) * 60.0 / fine == pytest.approx(3.0, abs=0.1)


def test_camera_panes_and_overlays_are_those_asked_for(tmp_path: Path) -> None:
    figure = ExportOptions(
        panes="difference", camera=(10.0, -20.0, 30.0), show=frozenset({"normals"}), hide=frozenset({"grid"})
    )
    view = figure.looked_at(View())
    assert view.panes is Panes.DIFFERENCE
    assert (view.world.yaw, view.difference.pitch) == (radians(10.0), radians(-20.0))
    assert ("normals" in view.shown, "grid" in view.shown, "bodies" in view.shown) == (True, False, True)
    other = View(panes=Panes.WORLD, shown=frozenset({"bodies"})).turned(1.0, 0.5)
    save(tmp_path / "other.json", load(GOOD).scene, other)
    assert run("render", GOOD, "-o", tmp_path / "a.svg", "--view", tmp_path / "other.json").returncode == 0
    kept = load(tmp_path / "a.svg").view
    assert (kept.panes, kept.shown, kept.world.yaw) == (other.panes, other.shown, 1.0)


def test_all_pictures_of_a_sheet_have_one_camera_a_letter_and_one_legend() -> None:
    plan = plan_of(width=170.0, columns=2, caption=AUTO, legend=True, steps="16,18,24")
    words = " ".join(texts(svg_of(plan)))
    assert all(words.count(f"({letter})") == 1 for letter in "abc")
    assert "(d)" not in words
    assert words.count("body A") == 1
    assert plan.alt.count("(b) GJK") == 1
    worlds = [rect for rect, placed in plan.lay_out(SUPERSAMPLING) if len(placed.triangles.rgba)]
    assert len(worlds) == 6
    assert len({(rect.width, rect.height) for rect in worlds}) <= 2


def test_shots_of_a_sheet_are_seen_by_equal_cameras() -> None:
    from app.cli.picture import seen_of

    shots = [seen_of(load(GOOD), PRINT, step)[0] for step in ("0", "5", "18")]
    seen = with_one_camera(shots, ExportOptions(camera=(0.0, 10.0, 12.0)), (600, 400), 2.0)
    assert len({shot.view.world for shot in seen}) == len({shot.view.difference for shot in seen}) == 1
    assert seen[0].view.world.distance == 12.0


def test_each_entry_of_the_legend_has_its_colour_in_the_picture() -> None:
    plain, legend = (svg_of(plan_of(width=85.0, legend=legend)) for legend in (False, True))
    added = set(texts(legend)) - set(texts(plain))
    assert {"body A", "body B", "the axis that decides", "overlap, depth"} <= added
    # Squares have the faces' own fills, which depend on the light (tests/app/test_legend.py).
    for role in (PRINT.winner, PRINT.overlap, PRINT.difference_edge):
        code = "#" + "".join(f"{round(255.0 * part):02x}" for part in role[:3])
        assert legend.count(code) > plain.count(code)
    assert not any("gap" in text for text in added)


def test_hatches_are_drawn_and_told_by_the_legend() -> None:
    plain, hatched = (svg_of(plan_of(width=85.0, legend=True, hatch=hatch)) for hatch in (False, True))
    assert {text for text in texts(hatched) if "lines" in text} == {
        "face of A − B, from a face of A: lines rise",
        "face of A − B, from a face of B: lines fall",
        "face of A − B, from two edges: lines cross",
    }
    assert not any("lines" in text for text in texts(plain))
    stroke = f'stroke="#{"".join(f"{round(255.0 * part):02x}" for part in PRINT.family_a[:3])}"'
    assert hatched.count(stroke) > plain.count(stroke)


def test_a_caption_is_wrapped_within_the_width() -> None:
    long = "A caption that is much longer than the picture is wide, which therefore has to go on in another line below."
    svg = svg_of(plan_of(width=60.0, caption=long))
    found = [text for text in texts(svg) if text in long and len(text) > 3]
    assert " ".join(found) == long
    assert len(found) > 1
    fine = float(re.search(r'viewBox="0 0 (\d+)', svg)[1])
    for x, length in re.findall(r'<text x="([\d.]+)"[^>]*textLength="([\d.]+)"', svg):
        assert float(x) + float(length) <= fine


def test_the_caption_of_a_step_tells_no_answer_before_it_is_found() -> None:
    scene = load_preset("flat-gjk-walk")
    found = {}
    for options in ({"step": "gjk:2"}, {"step": "gjk:stop"}, {"steps": "gjk:1-2"}, {"steps": "gjk"}):
        asked = ExportOptions(width=170.0, caption=AUTO, columns=2, **options)
        plan, _ = planned_picture(scene, ".svg", asked)
        words = " ".join(texts(svg_of(plan)))
        assert "GJK in four steps." in words
        found[next(iter(options.values()))] = [
            word in text for text in (words, plan.alt) for word in ("apart", "0.309 ")
        ]
    assert found == {"gjk:2": [False] * 4, "gjk:stop": [True] * 4, "gjk:1-2": [False] * 4, "gjk": [True] * 4}


def test_the_caption_of_a_step_tells_what_its_picture_shows() -> None:
    for step, told, earlier in (
        ("sat:14", "The shadows overlap by 0.313", "0.687"),
        ("epa:3", "is 0.226 from the origin", "2.36"),
        ("gjk:3", "0.0309 away", "at least 0."),
    ):
        asked = ExportOptions(width=170.0, caption=AUTO, step=step)
        plan, _ = planned_picture(load_preset("skew-edges"), ".svg", asked)
        words = " ".join(texts(svg_of(plan)))
        assert told in words
        assert earlier not in words


def test_alt_text_in_svg_and_pdf() -> None:
    plan = plan_of(alt="Two <boxes> & a gap")
    svg = svg_of(plan)
    assert 'role="img"' in svg
    assert "<desc>Two &lt;boxes&gt; &amp; a gap</desc>" in svg
    pdf = vector_still(plan, ".pdf", "{}", "Name")()
    assert b"/Alt <feff" + "Two <boxes> & a gap".encode("utf-16-be").hex().encode() + b">" in pdf
    assert pypdfium2.PdfDocument(pdf)[0].get_width() == pytest.approx(480.0)
    assert "Overlapping: 0.313 units" in plan_of(panes="world").alt


@pytest.mark.nightly("pictures")
def test_text_as_outlines_looks_like_the_letters_and_none_leaves_none() -> None:
    images = []
    for kind in ("font", "auto", "outlines", "none"):
        svg = svg_of(plan_of(text=kind, panes="world"))
        assert bool(texts(svg)) == (kind in ("font", "auto"))
        assert ("@font-face" in svg) == (kind == "font")
        images.append(np.asarray(svg_image(svg.encode()).convert("L")).astype(int))
    assert np.abs(images[0] - images[1]).mean() < 0.4
    assert np.abs(images[0] - images[2]).mean() < 0.4
    assert np.abs(images[0] - images[3]).mean() > 1.0


def test_words_in_svg_need_no_font_of_the_viewer() -> None:
    """librsvg ignores the font inside and `textLength`: with a wider font of its own it draws the same picture."""
    for kind, alike in (("auto", True), ("font", False)):
        svg = svg_of(plan_of(text=kind)).encode()
        assert (rsvg("--zoom", "2", data=svg) == rsvg("--zoom", "2", data=svg, fonts=False)) == alike
        assert alike or max(font_sizes(svg)) * 0.75 < 6_000


def test_digits_of_the_numbers() -> None:
    for digits, number in ((2, "0.31"), (3, "0.313"), (6, "0.31312")):
        shown = texts(svg_of(plan_of(digits=digits)))
        assert any(text == f"depth {number}" for text in shown), (digits, shown)


def test_without_options_the_picture_is_as_it_was() -> None:
    loaded = load(GOOD)
    from app.cli.picture import picture, seen_of
    from app.render.still import planned

    seen, view = seen_of(loaded, DARK, "0")
    from app.io.scene_file import write

    before = vector_still(
        planned(seen, 300, 200, 1.0), ".svg", write(loaded.scene, view, ascii_only=True), loaded.scene.name
    )()
    assert picture(lambda: None, loaded, ExportOptions(size=(300, 200), step="0"), ".svg") == before
    assert b"<desc>" not in before
    assert b'width="300" height="200"' in before


def test_what_a_scene_has_not_is_refused_with_its_name(tmp_path: Path) -> None:
    for words, why in (
        (
            ("--width", "1cm", "--font", "12pt"),
            "would have a picture only 10.0 mm wide: with a font of 12 pt it takes at least ",
        ),
        (("--width", "1cm", "--font", "12pt"), " mm; try --width 51mm\n"),
        (("--width", "8.5cm", "--steps", "1-6", "--columns", "5"), " mm; try --columns 2\n"),
        (("--steps", "1,999"), "has no step 999: there are "),
        (("--view", tmp_path / "none.json"), "none.json: "),
    ):
        done = run("render", GOOD, "-o", tmp_path / "a.svg", *words)
        assert done.returncode == 1
        assert why in done.stderr


def test_slides_of_a_deck_are_figures_each_with_its_words(tmp_path: Path) -> None:
    deck = tmp_path / "deck.jsonl"
    lines = ['{"separatrix_deck": 1}', *[json_line(to_tree(load(GOOD).scene)) for _ in range(2)]]
    deck.write_text("\n".join(lines) + "\n")
    assert run("render", deck, "-o", tmp_path / "a.pdf", "--width", "9cm", "--caption", AUTO).returncode == 0
    data = (tmp_path / "a.pdf").read_bytes()
    document = pypdfium2.PdfDocument(data)
    assert [page.get_mediabox()[2] / 72.0 * MM for page in document] == pytest.approx([90.0, 90.0], abs=0.01)
    assert data.count(b"/S /Figure") == data.count(b"/StructParents") == 2
    done = run("render", deck, "-o", tmp_path / "b.pdf", "--steps", "1,2")
    assert (done.returncode, "is a deck: each of its slides has its own step" in done.stderr) == (1, True)


@pytest.mark.parametrize("name", ["tetrahedra-cross", "skew-edges", "flat-epa-growth", "stacked-cubes"])
def test_a_narrow_picture_of_a_sheet_names_the_points_of_its_step_alone(name: str) -> None:
    scene, purpose = load_preset(name), {"purpose": "paper-column", **set_for("paper-column", {})}
    asked = query(analyse(scene.scene))
    steps = [moment.step for moment in asked.moments if moment.phase is Phase.EPA]
    plan, _ = planned_picture(scene, ".png", ExportOptions(**purpose, steps="epa", columns=2))  # type: ignore[arg-type]
    cells = [placed for _, placed in plan.lay_out(SUPERSAMPLING) if len(placed.marks.centre)]
    assert len(cells) == len(steps)
    for placed, step in zip(cells, steps, strict=True):
        texts = [label.whole or label.text for label in placed.labels]
        named = {text.split()[0].rstrip(":") for text in texts if re.match("w[₀-₉]+( =|:|$)", text)}
        if step.nearest is not None:
            corners = point_names(asked, Phase.EPA).of(step.vertices[k] for k in corners_of(step.nearest))
            found = point_names(asked, Phase.EPA).name(step.support)
            assert named == {*corners, found}
            # Each bound that is drawn has its word, as the other one has.
            bounds = set(told_together(*[bound for bound in (step.lower, step.upper) if bound > 0.0]))
            assert sum(label.text.startswith("depth ") for label in placed.labels) == len(bounds)
        # A − B is half as wide as its cell or more: it is what the picture is about.
        corners_at = placed.triangles.corners[..., 0]
        assert len(corners_at) == 0 or np.ptp(corners_at) >= 0.5 * placed.width


@pytest.mark.parametrize("phase", ["gjk", "epa"])
@pytest.mark.parametrize("name", ["two-hulls", "skew-edges", "tetrahedra-cross", "libccd-boxcyl-pen7"])
def test_a_slide_of_a_step_is_filled_by_its_bodies_alike_at_all_steps_of_its_phase(name: str, phase: str) -> None:
    purpose, boxes = {"purpose": "slide", **set_for("slide", {})}, []
    for step in (f"{phase}:1", f"{phase}:stop"):
        plan, _ = planned_picture(load_preset(name), ".png", ExportOptions(**purpose, step=step))  # type: ignore[arg-type]
        rect, placed = next(pane for pane in plan.lay_out(1) if len(pane[1].triangles.corners))
        across, down = np.ptp(placed.triangles.corners[..., :2], axis=(0, 1))
        assert max(across / rect.width, down / rect.height) > 0.6
        boxes.append((across, down))
    assert boxes[0] == pytest.approx(boxes[1], abs=1.0)
