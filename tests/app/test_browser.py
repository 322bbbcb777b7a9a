"""Handouts and SVGs in a browser engine: stepped through as a reader does, printed, and beside resvg's pictures.

The engine runs in one process of its own (`browser.py`), for all tests.
"""

from __future__ import annotations

import ctypes
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from PIL import Image

from app.draw.theme import theme_named
from app.io.presets import load_preset
from app.render.still import planned, vector_still
from app.stages import step_text
from app.state.view import Seen, View
from core.analysis.analysis import analyse
from core.query.query import query
from tests.figure_rig import FAR, levels, svg_image

from .command_rig import GOOD, ROOT, SCENES, run

pytestmark = pytest.mark.nightly("pictures")

SIZE = (800, 500)
PICTURES = [
    (preset, theme)
    for preset in (
        *("tetrahedra-cross", "stacked-cubes", "two-spheres"),
        *("sphere-face-region", "flat-worked-example", "skew-edges"),
    )
    for theme in ("print", "dark")
]
MEAN, SHARE = 1.4, 0.6
"""Levels of 255, and percent of the pixels off by more than FAR, that an SVG may differ from resvg's picture.

Measured 0.43 to 1.14 and 0.34 to 0.49: the engine sets letters on whole pixels and smooths edges in its own way, which
tells most in small pictures.
"""
SHARED = (4, 6)
"""Steps on a printed page."""
WINDOWS = ((1280, 800), (1024, 768), (768, 1024), (360, 740))
NARROW = 360
"""Width of the window in which a picture's panes lie one under another."""
LEAST_LETTERS = 8.0
"""Least size of letters in a picture, pixels."""
PLACE = "[document.querySelectorAll('section.shown').length,document.querySelector('.shown').id,location.hash]"
SPOKEN = "document.getElementById('slider').getAttribute('aria-valuetext')"
PLAYING = "document.getElementById('play').getAttribute('aria-pressed')"
TITLES = "[...document.querySelectorAll('h2')].map(title=>title.textContent)"
MATHS = (
    "[...document.querySelectorAll('section')].map(page=>{page.classList.add('shown');"
    "const found=[...page.querySelectorAll('math')].map(math=>{const box=math.getBoundingClientRect();"
    "return [box.width,box.height,math.querySelectorAll('mtr').length]});"
    "page.classList.remove('shown');return found})"
)
FITS = (
    "[...document.querySelectorAll('section')].map((page,k)=>{slider.value=k;slider.dispatchEvent(new Event('input'));"
    "const svg=page.querySelector('figure svg'),{width,height}=svg.viewBox.baseVal;"
    "const panes=[...svg.querySelectorAll(':scope>g[clip-path]')].map((pane,k)=>{const at=pane.getScreenCTM();"
    "return [at.e+at.a*k*width/2,at.f,at.a*width/2,at.d*height]});"
    "const sizes=leaves(svg).flatMap(parts).filter(isText).map(text=>+text.getAttribute('font-size'));"
    "return [document.documentElement.scrollWidth<=document.documentElement.clientWidth,"
    "document.querySelector('nav').getBoundingClientRect().top,svg.getBoundingClientRect().bottom,panes,"
    "svg.children[0].getScreenCTM().a*Math.min(...sizes)]})"
)
"""Whether the page is no wider than the window, the tops of the controls and the bottom of the picture, the panes as
left, top, width and height, and the size of the smallest letters; pixels."""
LETTERS = (
    "[...document.querySelectorAll('.shown figure>svg')].filter(svg=>svg.checkVisibility())"
    ".map(svg=>Math.min(...[...svg.querySelectorAll('text')].map(text=>text.getAttribute('font-size')"
    "*text.getScreenCTM().a)))"
)
"""The size of the smallest letters of a picture and of its legend, pixels."""
CUT = (
    "[...document.querySelectorAll('section')].flatMap((page,k)=>{go(k);return [...page.querySelectorAll('.formula')]"
    ".filter(formula=>formula.scrollWidth>formula.clientWidth).map(formula=>formula.textContent)})"
)
"""The formulas that their line does not hold whole."""
CLOCK = (
    "(window.clock=1e5,performance.now=()=>clock,window.frame=requestAnimationFrame.bind(window),"
    "window.requestAnimationFrame=made=>made.name==='step'?(window.tick=made,1):frame(made),0)"
)
MOVED = (
    "[...document.querySelectorAll('.shown figure [transform]')]"
    ".map(leaf=>leaf.tagName+leaf.getAttribute('transform').match(/-?[\\d.e-]+/g).map(Number).map(Math.abs).join())"
)
UNMOVED = "[moving,pages.every((page,k)=>page.querySelector('figure').innerHTML===whole[k])]"
LYING = (
    "[...Array(pages.length-1).keys()].flatMap(k=>{clock+=5000;go(k);clock+=5000;const start=clock;go(k+1);"
    "const texts=()=>[...pages[k+1].querySelectorAll('figure>svg:first-child text')]"
    ".filter(text=>text.getAttribute('opacity')!=='0'&&!text.closest('[visibility]'))"
    ".map(text=>[text.textContent,text.getBoundingClientRect()]);"
    "const on=([,a],[,b])=>Math.min(a.right,b.right)-Math.max(a.left,b.left)>4"
    "&&Math.min(a.bottom,b.bottom)-Math.max(a.top,b.top)>4;"
    "return moving?[.2,.35,.5,.65,.8].flatMap(share=>{tick(start+400*share);const all=texts();"
    "return all.flatMap((one,i)=>all.slice(0,i).filter(other=>on(one,other))"
    ".map(other=>[k+1,share,one[0],other[0]]))}):[]})"
)
"""The texts that lie on each other between steps, more than 4 pixels both ways; those inside `use` are not seen."""
FONTS = "[...document.fonts].map(font=>font.status)"


class Orders:
    """What the engine is to do, and under which name each answer is wanted."""

    def __init__(self) -> None:
        self.orders: list[list[Any]] = []
        self.names: list[str] = []

    def add(self, name: str, verb: str, *arguments: object) -> None:
        self.names.append(name)
        self.orders.append([verb, *arguments])


def steps_of_reader(orders: Orders, handout: Path, folder: Path) -> None:
    """What a reader does with a handout: each place is asked for after it."""

    def placed(name: str) -> None:
        orders.add(name, "js", PLACE)
        orders.add(f"{name} spoken", "js", SPOKEN)

    orders.add("", "open", str(handout), "step=5")
    placed("opened at a step")
    orders.add("", "open", str(handout))
    placed("start")
    orders.add("titles", "js", TITLES)
    orders.add("fonts", "js", FONTS)
    for key in ("Right", "Right", "Left", "End", "Right", "Home", "Left", "PageDown"):
        orders.add("", "key", key)
        placed(f"{len(orders.orders)} {key}")
    orders.add("", "js", "slider.focus()")
    orders.add("", "key", "Right")
    placed("arrow on the slider")
    orders.add("", "js", "(slider.value=6,slider.dispatchEvent(new Event('input')))")
    placed("slider")
    orders.add("", "js", "location.hash='#step=20'")
    orders.add("", "key", "Shift")
    placed("address")
    orders.add("", "js", "window.setInterval=turn=>{tick=turn;return 1}")
    orders.add("", "key", "Space")
    orders.add("plays", "js", PLAYING)
    orders.add("", "js", "(tick(),tick(),0)")
    placed("played")
    orders.add("", "key", "Space")
    orders.add("stopped", "js", PLAYING)
    orders.add("maths", "js", MATHS)
    for width, height in WINDOWS:
        orders.add("", "resize", width, height)
        orders.add(f"fits {width}", "js", FITS)
    orders.add("", "pdf", str(folder / "steps.pdf"))
    orders.add("", "open", str(handout), "step=17")
    orders.add("", "js", CLOCK)
    # The script that turns the pictures unpacks its data first.
    orders.add("", "picture", str(folder / "unpacked.png"))
    orders.add("", "js", "window.whole=pages.map(page=>page.querySelector('figure').innerHTML),0")
    orders.add("", "key", "Right")
    for share in (0.25, 0.5, 0.75):
        orders.add("", "js", f"(clock=1e5+{400 * share},tick(clock),0)")
        orders.add(f"moved {share}", "js", MOVED)
    orders.add("", "js", "(clock+=200,tick(clock),0)")
    orders.add("after its time", "js", UNMOVED)
    orders.add("", "js", "clock+=1000")
    orders.add("", "key", "Left")
    orders.add("back", "js", MOVED)
    orders.add("", "key", "Shift")
    orders.add("after a key", "js", UNMOVED)
    orders.add("", "js", "(clock+=1000,go(3),0)")
    orders.add("a jump", "js", UNMOVED)
    orders.add("lying", "js", LYING)
    orders.add("", "reduce_motion")
    orders.add("", "open", str(handout))
    orders.add("", "key", "Space")
    placed("without motion")
    orders.add("nothing moves", "js", "moving===null")
    orders.add("stands", "js", PLAYING)


def svg_of(preset: str, theme: str) -> bytes:
    loaded = load_preset(preset)
    seen = Seen(loaded.scene, analyse(loaded.scene), loaded.view or View(), theme_named(theme))
    return vector_still(planned(seen, *SIZE, 1.0), ".svg", "{}", preset)()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a handout, a lesson's, SVGs, and what the engine made of them."""
    folder = tmp_path_factory.mktemp("browser")
    lesson = ROOT / "assets" / "lessons" / "03-one-point-tells-all.md"
    # The longest words and the most formulas of all steps of the gallery are those of a ray cast.
    full = SCENES / "tunnelling.json"
    for out, *words in (("steps.html", GOOD), ("lesson.html", lesson), ("full.html", full, "--steps", "ray")):
        assert run("render", *words, "-o", folder / out).returncode == 0
    for count in SHARED:
        assert (
            run("handout", GOOD, "-o", folder / f"{count}.html", "--legend", "--per-page", f"{count}").returncode == 0
        )
    words = ("--steps", "gjk:1", "--legend")
    for panes in ("difference", "both"):
        out = folder / f"{panes}.html"
        assert run("handout", GOOD, "-o", out, *words, "--panes", panes, "--theme", "print").returncode == 0
    for preset, theme in PICTURES:
        (folder / f"{preset}-{theme}.svg").write_bytes(svg_of(preset, theme))
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, Any]:
    """Every answer by its name, `console` and `requests`."""
    orders = Orders()
    for preset, theme in PICTURES:
        orders.add("", "open", str(folder / f"{preset}-{theme}.svg"))
        orders.add("", "resize", *SIZE)
        orders.add("", "picture", str(folder / f"{preset}-{theme}.png"))
    orders.add("", "open", str(folder / "full.html"))
    orders.add("full", "js", TITLES)
    for width, height in WINDOWS[:2]:
        orders.add("", "resize", width, height)
        orders.add(f"cut {width}", "js", CUT)
    orders.add("", "pdf", str(folder / "full.pdf"))
    for count in SHARED:
        orders.add("", "open", str(folder / f"{count}.html"))
        orders.add("", "pdf", str(folder / f"{count}.pdf"))
    orders.add("", "open", str(folder / "lesson.html"))
    orders.add("folded", "js", "document.querySelector('.shown details').open")
    orders.add("", "js", "document.querySelector('.shown summary').focus()")
    orders.add("", "key", "Space")
    orders.add("unfolded", "js", "document.querySelector('.shown details').open")
    orders.add("still", "js", PLAYING)
    for panes in ("difference", "both"):
        orders.add("", "open", str(folder / f"{panes}.html"))
        for width, height in WINDOWS:
            orders.add("", "resize", width, height)
            orders.add(f"letters {panes} {width}", "js", LETTERS)
    orders.add("", "resize", 1280, 800)
    steps_of_reader(orders, folder / "steps.html", folder)
    (folder / "orders.json").write_text(json.dumps(orders.orders), "utf-8")
    command = [sys.executable, str(Path(__file__).with_name("browser.py")), "orders.json", "answers.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    answers = json.loads((folder / "answers.json").read_text("utf-8"))
    named = dict(zip(orders.names, answers["values"], strict=True))
    return named | {key: answers[key] for key in ("console", "requests")}


@pytest.fixture(scope="module")
def titles() -> list[str]:
    asked = query(analyse(load_preset("skew-edges").scene))
    return [step_text(asked, moment).title for moment in asked.moments]


def test_pages_say_nothing_on_the_console_and_ask_for_nothing(found: dict[str, Any], folder: Path) -> None:
    assert found["console"] == []
    names = ("steps.html", "lesson.html", "full.html", "difference.html", "both.html")
    files = {f"file://{folder}/{name}" for name in names}
    files |= {f"file://{folder}/{count}.html" for count in SHARED}
    files |= {f"file://{folder}/{preset}-{theme}.svg" for preset, theme in PICTURES}
    assert {request.partition("#")[0] for request in found["requests"]} == files


def test_a_reader_steps_by_keys_slider_and_address(found: dict[str, Any], titles: list[str]) -> None:
    last = len(titles)
    assert found["titles"] == titles
    by_keys = [found[name] for name in found if name.endswith(("Right", "Left", "End", "Home", "PageDown"))]
    numbers = [2, 3, 2, last, last, 1, 1, 2]
    assert by_keys == [[1, f"step={number}", f"#step={number}"] for number in numbers]
    said = [found[name] for name in found if name.endswith(" spoken")]
    placed = [found[name.removesuffix(" spoken")] for name in found if name.endswith(" spoken")]
    for (shown, name, _), words in zip(placed, said, strict=True):
        number = int(name.removeprefix("step="))
        assert shown == 1
        assert words == f"Page {number} of {last}: {titles[number - 1]}"
    others = {"start": 1, "arrow on the slider": 3, "slider": 7, "address": 20, "opened at a step": 5}
    assert {name: found[name][1] for name in others} == {name: f"step={number}" for name, number in others.items()}


def test_it_moves_only_when_it_plays(found: dict[str, Any]) -> None:
    assert (found["plays"], found["played"][1], found["stopped"]) == ("true", "step=22", "false")
    # Whoever wants no motion goes one step by it.
    assert (found["without motion"][1], found["stands"]) == ("step=2", "false")


def test_a_picture_turns_into_the_next_and_is_the_page_again_after_its_time_or_at_a_key(found: dict[str, Any]) -> None:
    ways = [found[f"moved {share}"] for share in (0.25, 0.5, 0.75)]
    assert ways[0]
    assert len({len(way) for way in ways}) == 1
    assert ways[0] != ways[1] != ways[2]
    assert found["back"], "the way back moves too"
    for name in ("after its time", "after a key", "a jump"):
        assert found[name] == [None, True]
    assert found["nothing moves"] is True


def test_no_text_passes_over_another_between_steps(found: dict[str, Any]) -> None:
    assert found["lying"] == []


def test_hints_open_without_playing(found: dict[str, Any]) -> None:
    assert (found["folded"], found["unfolded"], found["still"]) == (False, True, "false")


def test_formulas_are_set_and_letters_are_there(found: dict[str, Any]) -> None:
    assert set(found["fonts"]) == {"loaded"}
    maths = [box for page in found["maths"] for box in page]
    assert len(maths) > 50
    highest = max(height for _, height, rows in maths if not rows)
    for width, height, rows in maths:
        assert width > 8.0
        # The rows of a matrix lie below each other.
        assert height > (highest if rows else 6.0)


@pytest.mark.parametrize("size", WINDOWS)
def test_pages_fit_the_window(found: dict[str, Any], size: tuple[int, int]) -> None:
    for within, controls, bottom, panes, letters in found[f"fits {size[0]}"]:
        assert within
        (left, top, width, height), (other_left, other_top, *other_size) = panes
        assert other_size == [width, height]
        assert letters >= LEAST_LETTERS
        if size[0] == NARROW:
            assert (other_left, other_top) == pytest.approx((left, top + height), abs=0.1)
            assert bottom == pytest.approx(top + 2.0 * height, abs=0.1)
            assert top + height <= controls
            assert width / size[0] > 0.85
        else:
            assert (other_left, other_top) == pytest.approx((left + width, top), abs=0.1)
            assert bottom <= controls
            assert 2.0 * width / size[0] > (0.6 if size[0] > 1000 else 0.85)


@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize("panes", ["difference", "both"])
def test_letters_of_a_picture_and_its_legend_can_be_read(
    found: dict[str, Any], panes: str, size: tuple[int, int]
) -> None:
    picture, legend = found[f"letters {panes} {size[0]}"]
    assert picture >= 9.0
    assert legend >= (9.0 if size[0] == NARROW or panes == "difference" else 8.0)


@pytest.mark.parametrize("size", WINDOWS[:2])
def test_formulas_are_whole_beside_the_picture(found: dict[str, Any], size: tuple[int, int]) -> None:
    assert found[f"cut {size[0]}"] == []


@pytest.mark.parametrize(("printed", "titles"), [("steps.pdf", "titles"), ("full.pdf", "full")])
def test_it_prints_a_page_a_step(found: dict[str, Any], folder: Path, printed: str, titles: str) -> None:
    document = pypdfium2.PdfDocument(folder / printed)
    # A hyphen at the end of a line is a letter of its own.
    texts = [page.get_textpage().get_text_bounded().replace("\x02", "-") for page in document]
    assert len(texts) == len(found[titles]) > 5
    for text, title in zip(texts, found[titles], strict=True):
        assert "".join(title.split()) in "".join(text.split())


def test_printed_letters_lie_above_the_halo_of_their_word(found: dict[str, Any], folder: Path) -> None:
    """A halo is drawn as letters, too: where each letter follows its own halo, no word of a picture stands whole."""
    assert found
    for page in pypdfium2.PdfDocument(folder / "steps.pdf"):
        assert "Difference" in "".join(drawn_texts(page))


def drawn_texts(page: pypdfium2.PdfPage) -> Iterator[str]:
    """The texts of a page in the order they are drawn, of halos too."""
    whole = page.get_textpage()
    for part in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=9):
        size = pdfium.FPDFTextObj_GetText(part.raw, whole.raw, None, 0)
        text = ctypes.create_string_buffer(size)
        pdfium.FPDFTextObj_GetText(part.raw, whole.raw, ctypes.cast(text, ctypes.POINTER(ctypes.c_ushort)), size)
        yield text.raw.decode("utf-16-le").rstrip("\0")


@pytest.mark.parametrize("count", SHARED)
def test_several_steps_share_a_printed_page(found: dict[str, Any], folder: Path, count: int) -> None:
    texts = [
        "".join(page.get_textpage().get_text_bounded().split())
        for page in pypdfium2.PdfDocument(folder / f"{count}.pdf")
    ]
    titles = ["".join(title.split()) for title in found["titles"]]
    assert len(texts) == ceil(len(titles) / count)
    for number, title in enumerate(titles):
        assert title in texts[number // count]


@pytest.mark.parametrize(("preset", "theme"), PICTURES)
def test_an_svg_looks_as_resvg_draws_it(found: dict[str, Any], folder: Path, preset: str, theme: str) -> None:
    assert found
    here = levels(Image.open(io.BytesIO((folder / f"{preset}-{theme}.png").read_bytes())))
    there = levels(svg_image((folder / f"{preset}-{theme}.svg").read_bytes()))
    off = np.abs(here.astype(np.int64) - there)
    assert off.mean() <= MEAN
    assert 100.0 * (off.max(axis=2) > FAR).mean() <= SHARE
