"""Pictures as SVG and PDF: they look like the pictures made of pixels, say the same words, and stand alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from msgspec.structs import replace

from app.draw.theme import theme_named
from app.io.presets import load_preset, presets
from app.io.scene_file import write
from app.probes.planes import plane_start
from app.render import make_context
from app.render.still import expose_still, planned, vector_still
from app.state.view import HATCH, Seen, View
from app.storage.files import NAMESPACE, png_bytes, text_in
from core.analysis.analysis import analyse
from core.query.query import Phase, query
from core.trace import run
from tests.figure_rig import Compared, compare, rsvg

SIZE = (960, 600)
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert(1)</script> & "quoted" ]]> %PDF \x01\x7f \ud800 endstream ⟨名⟩ é'


@pytest.fixture(scope="module")
def context():
    context = make_context(standalone=True)
    yield context
    context.release()


def seen_of(preset: str, theme: str = "print", **view: object) -> Seen:
    loaded = load_preset(preset)
    shown = replace(loaded.view or View(), **view)
    return Seen(loaded.scene, analyse(loaded.scene), shown, theme_named(theme))


def at_gjk(preset: str) -> Seen:
    seen = seen_of(preset)
    asked = query(seen.analysis)
    place = next(k for k, moment in enumerate(asked.moments) if moment.phase is Phase.GJK and moment.index == 2)
    return replace(seen, query=asked, place=place)


def probed(preset: str) -> Seen:
    seen = seen_of(preset)
    return replace(seen, view=replace(seen.view, probe=plane_start(seen.scene)))


def hostile() -> Seen:
    seen = seen_of("flat-one-gap", "dark")
    return replace(seen, scene=replace(seen.scene, name=HOSTILE))


SHOTS = {
    "polyhedra that overlap": lambda: seen_of("tetrahedra-cross"),
    "faces in one plane": lambda: seen_of("stacked-cubes", "dark"),
    "round bodies": lambda: seen_of("two-spheres"),
    "a round body in regions": lambda: seen_of("sphere-face-region", "dark"),
    "the plane": lambda: seen_of("flat-worked-example", "light"),
    "a step": lambda: at_gjk("skew-edges"),
    "hatches": lambda: seen_of("skew-edges", shown=View().shown | {HATCH}),
    "a probe": lambda: probed("skew-edges"),
    "insets": lambda: seen_of("skew-edges", "dark", shown=View().shown | {"globe", "gauss"}),
    "hostile names": hostile,
}


EACH_RUN = ("polyhedra that overlap", "round bodies", "a step", "hostile names")


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=() if name in EACH_RUN else pytest.mark.nightly("pictures")) for name in SHOTS],
    ids=lambda name: name.replace(" ", "-"),
)
def shot(request, context) -> tuple[Seen, Compared]:
    seen = SHOTS[request.param]()
    return seen, compare(seen, context, SIZE, write(seen.scene, seen.view, ascii_only=True))


@pytest.mark.sampled(4, "pictures")
def test_it_looks_like_the_picture_made_of_pixels(shot) -> None:
    _, found = shot
    for kind in ("svg", "rsvg"):
        assert found.mean(kind) <= 1.2
        assert found.far(kind) <= 0.25
    assert found.mean("pdf") <= 1.2
    assert found.far("pdf") <= 0.4
    # Else both might be empty.
    assert found.gl.std() > 5.0


def test_it_is_small(shot) -> None:
    _, found = shot
    assert len(found.svg_file) < 500_000
    assert len(found.pdf_file) < 500_000


def test_an_svg_stands_alone(shot) -> None:
    _, found = shot
    root = ElementTree.fromstring(found.svg_file)
    tags = Counter(element.tag.removeprefix(SVG) for element in root.iter())
    assert not {"image", "script", "foreignObject", "a", "filter"} & set(tags)
    named = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(named) == len(set(named))
    wanted = re.findall(rb'(?:url\(|href=")([^)"]*)', found.svg_file)
    assert all(link.startswith((b"#", b"data:font/woff;base64,")) for link in wanted)
    assert {link[1:].decode() for link in wanted if link.startswith(b"#")} == set(named)
    assert tags["style"] <= 1
    assert not re.search(rb"\snan|inf\b", found.svg_file)
    assert not any("class" in element.attrib or "style" in element.attrib for element in root.iter())


def test_the_labels_are_text(shot) -> None:
    _, found = shot
    labels = Counter(label.text for placed in found.placed for label in placed.labels)
    root = ElementTree.fromstring(found.svg_file)
    assert Counter(element.text for element in root.iter(f"{SVG}text")) == labels
    document = pypdfium2.PdfDocument(found.pdf_file)
    page = document[0]
    reader = page.get_textpage()
    said = re.sub(r"\s+", " ", reader.get_text_range())
    for text, times in labels.items():
        assert said.count(re.sub(r"\s+", " ", text).strip()) >= times, text
    reader.close(), page.close(), document.close()


def test_the_scene_is_attached_to_a_pdf_where_readers_find_it(shot) -> None:
    seen, found = shot
    document = pypdfium2.PdfDocument(found.pdf_file)
    assert document.count_attachments() == 1
    attached = document.get_attachment(0)
    assert attached.get_name() == "scene.json"
    assert bytes(attached.get_data()).decode() == write(seen.scene, seen.view, ascii_only=True)
    assert document.get_page_size(0) == pytest.approx((720.0, 450.0))
    assert document.get_metadata_dict()["Title"] == seen.scene.name.replace("\ud800", "?")
    document.close()


def test_made_twice_it_is_the_same_bytes() -> None:
    for ending in (".svg", ".pdf"):
        first, second = (
            vector_still(planned(seen_of("stacked-cubes"), 640, 400, 1.5), ending, "{}", "a")() for _ in range(2)
        )
        assert first == second


@pytest.mark.parametrize("name", [preset.id for preset in presets()])
@pytest.mark.sampled(12, "pictures")
def test_librsvg_takes_the_picture_of_every_preset(name: str, tmp_path: Path) -> None:
    loaded = load_preset(name)
    seen = Seen(loaded.scene, analyse(loaded.scene), loaded.view or View(), theme_named("print"))
    file, text = tmp_path / "picture.svg", write(seen.scene, seen.view, ascii_only=True)
    file.write_bytes(vector_still(planned(seen, 320, 200, 1.0), ".svg", text, seen.scene.name)())
    document = pypdfium2.PdfDocument(rsvg("--format", "pdf", file))
    assert len(document) == 1
    document.close()


def test_every_namespace_is_an_absolute_uri(shot) -> None:
    """RFC 3986, 4.3: a scheme and a colon before anything else; librsvg refuses others."""
    _, found = shot
    named = re.findall(rb'xmlns(?::\w+)?="([^"]*)"', found.svg_file)
    assert len(named) >= 2
    assert all(re.match(rb"[A-Za-z][A-Za-z0-9+.-]*:.", name) for name in named)


def test_a_transparent_picture_has_no_ground() -> None:
    def svg(*, transparent: bool) -> bytes:
        return vector_still(planned(seen_of("skew-edges", "dark"), 320, 200, 1.0, transparent), ".svg", "{}", "")()

    assert svg(transparent=False).count(b"<rect") == 2
    assert svg(transparent=True).count(b"<rect") == 0
    assert b"<title>" not in svg(transparent=True)
    assert f'<ground xmlns="{NAMESPACE}">dark</ground>'.encode() in svg(transparent=True)
    assert b"<ground" not in svg(transparent=False)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("ground", [0.0, 1.0], ids=["black", "white"])
@pytest.mark.sampled(2, "pictures")
def test_a_transparent_picture_laid_on_any_ground_has_nothing_of_another(context, theme: str, ground: float) -> None:
    """Laid on a ground it is as if drawn on it without halos, but for rounding."""
    everything = frozenset({"globe", "normals", HATCH})
    seen = seen_of("skew-edges", theme, shown=View().shown | everything)
    plan = planned(seen, *SIZE, 1.0, transparent=True)
    levels = np.asarray(run(expose_still(plan, context=context))).astype(float)
    alpha = levels[..., 3:] / 255.0
    laid = alpha * levels[..., :3] + (1.0 - alpha) * 255.0 * ground
    colour = (ground, ground, ground, 1.0)
    drawn = np.asarray(run(expose_still(replace(plan, background=(colour, colour)), context=context))).astype(float)
    assert np.abs(laid - drawn[..., :3]).max() <= 2.0
    # Whatever colour the theme's ground and halos have, it stays as it is: there is nothing of them in it.
    green = dict.fromkeys(("halo", "background_top", "background_bottom"), (0.0, 1.0, 0.0, 1.0))
    other = planned(replace(seen, theme=replace(seen.theme, **green)), *SIZE, 1.0, transparent=True)
    strange = np.asarray(run(expose_still(other, context=context))).astype(float)
    assert np.abs(strange - levels).max() == 0.0


def test_a_transparent_png_says_its_ground(context) -> None:
    plan = planned(seen_of("skew-edges", "light"), 64, 40, 1.0, transparent=True)
    data = png_bytes(run(expose_still(plan, context=context)), "{}", plan.texts)
    assert text_in(data, "Comment") == "Transparent, for a light ground."
    assert planned(seen_of("skew-edges", "light"), 64, 40, 1.0).texts == {}


def test_the_size_is_that_of_the_picture_in_points_of_a_96th_of_an_inch() -> None:
    root = ElementTree.fromstring(vector_still(planned(seen_of("skew-edges"), 320, 200, 2.5), ".svg", "{}", "")())
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("800", "500", "0 0 1600 1000")
