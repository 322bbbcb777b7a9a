"""The handout: a page a step, what is written once, what is inside, and what is refused."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from itertools import chain
from math import hypot
from pathlib import Path
from xml.etree import ElementTree

import latex2mathml.converter
import numpy as np
import pytest
from msgspec.structs import replace

from app.controllers.files import OPENABLE
from app.draw.theme import PRINT, theme_named
from app.export.handout import BRIEF, MATRIX, SHEETS, Page, handout_bytes, room_for_picture
from app.export.operations import Disc, Picture
from app.export.svg import SvgWriter, colour
from app.io.presets import load_preset, presets
from app.io.scene_file import SceneError, load, write
from app.stages import parts_of, step_text
from app.state.export_options import ONE_PANE_POINTS, PAGE_POINTS, SHEET_HEIGHTS, SHEET_POINTS
from app.state.purposes import SMALLEST_LABEL_SIZE
from app.state.view import WHOLE
from app.words.expression import Node, Numeral, Vector
from app.words.printers import mathml, tex
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.query.motion_steps import with_motion
from core.query.query import query

from .command_rig import GOOD, ROOT, SCENES, line, objects_of, run
from .window_rig import Driver, driver

__all__ = ["driver"]

HOSTILE = '</script><script>alert(1)</script><!-- </title> " onload="x ]]> ⟨名⟩ 𝄞'
LARGEST = 550_000
"""Bytes of the handout of 29 steps of two boxes, with pictures of their own for paper."""
SCREEN, FIGURE, AROUND = (1280, 720), 13 / 19, (63, 112)
"""A usual window, the share of its width that a picture has beside its words, and the pixels round both, across and
down: scroll bar, margins, gap; the page's head and foot (`_STYLE` of app/export/handout.py)."""


class Elements(HTMLParser):
    """Every element with its attributes, and the text of the headings."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.titles: list[str] = []
        self._heading = False
        self.feed(data.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "h2":
            self.titles.append("")
        self._heading = tag == "h2"

    def handle_endtag(self, _tag: str) -> None:
        self._heading = False

    def handle_data(self, data: str) -> None:
        if self._heading:
            self.titles[-1] += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture(scope="module")
def skew_edges(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("handout") / "a.html"
    done = run("render", GOOD, "-o", out, "--theme", "print")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return out


def titles(file: Path) -> list[str]:
    asked = query(analyse(load(file).scene))
    return [step_text(asked, moment).title for moment in asked.moments]


def test_a_handout_has_a_page_a_step_in_little_room(skew_edges: Path) -> None:
    data = skew_edges.read_bytes()
    page = Elements(data)
    assert page.titles == titles(GOOD)
    assert [section["id"] for section in page.of("section")] == [f"step={k + 1}" for k in range(len(page.titles))]
    assert len(data) <= LARGEST
    assert all(svg.get("aria-label") or svg.get("aria-hidden") for svg in page.of("svg"))


def test_the_smallest_letters_are_12_pixels_in_a_usual_window_and_6_points_on_paper(skew_edges: Path) -> None:
    drawn = skew_edges.read_text("utf-8").partition("<main>")[2]
    (width, height), (across, _) = (
        tuple(map(float, re.search(rf'<svg {way} viewBox="0 0 (\d+) (\d+)"', drawn).groups()))
        for way in (r'role="img" aria-label="[^"]*"', 'class="paper" aria-hidden="true"')
    )
    # Half pixels of the layout.
    least = 2.0 * SMALLEST_LABEL_SIZE
    wide, high = SCREEN
    shown = min(FIGURE * (wide - AROUND[0]) / width, (high - AROUND[1]) / height)
    assert shown * least >= 12.0
    # Two thirds of the width of A4 across within its margins, 180 mm.
    assert 180.0 / across * least / 25.4 * 72.0 == pytest.approx(6.2, abs=0.1)


@pytest.mark.nightly("pictures")
@pytest.mark.parametrize("count", SHEETS)
def test_a_picture_on_a_shared_page_is_as_high_as_the_words_leave_room(tmp_path: Path, count: int) -> None:
    out, heights = tmp_path / "a.html", SHEET_HEIGHTS[f"{count}"]
    assert run("handout", GOOD, "-o", out, "--legend", "--per-page", f"{count}").returncode == 0
    sections = out.read_text("utf-8").partition("<main>")[2].split("<section")[1:]
    sizes = [tuple(map(int, re.search(r'class="paper" [^>]*viewBox="0 0 (\d+) (\d+)"', s).groups())) for s in sections]
    across = SHEET_POINTS[f"{count}"][0]
    assert {width for width, _ in sizes} == {2 * across}
    of_phase: dict[str, list[int]] = {}
    for name, (_, high) in zip(titles(GOOD), sizes, strict=True):
        of_phase.setdefault(name.split()[0].rstrip(","), []).append(high // 2)
    # Brief words in one line or two beside formulas in many.
    assert set(of_phase["SAT"]) == {heights[0]}
    assert min(of_phase["GJK"]) < heights[1] <= max(of_phase["GJK"])
    assert all(high in heights for highs in of_phase.values() for high in highs)


def test_the_room_for_a_picture_is_what_words_notes_and_formulas_leave() -> None:
    sheet, column = SHEETS[4], Vector(tuple(Numeral(f"{k}.25", None, k + 0.25) for k in range(3)))
    line, row = Page("1", "A", "", (("", "few words"),)), Vector(column.items, lying=True)
    room = room_for_picture(line, sheet)
    assert 60.0 < room < 85.0
    longer = [
        replace(line, words=(("", "few words\nand more"),)),
        replace(line, words=(("", "many words " * 20),)),
        replace(line, notes="few words"),
        replace(line, formulas=((row,),)),
    ]
    assert all(2.0 < room - room_for_picture(page, sheet) < 8.0 for page in longer)
    matrix, matrices = (replace(line, formulas=((column,),) * count) for count in (1, 2))
    assert room - room_for_picture(matrix, sheet) > 8.0
    assert room_for_picture(matrices, sheet) == room_for_picture(matrix, sheet), "side by side"
    assert room_for_picture(replace(line, formulas=((column,),) * 120), sheet) < 0.0


@pytest.mark.nightly("pictures")
def test_several_steps_share_a_printed_page_in_letters_that_can_be_read(tmp_path: Path) -> None:
    for count, across, high in (("4", 132.0, 60.0), ("6", 88.0, 50.0)):
        out = tmp_path / f"{count}.html"
        assert run("handout", GOOD, "-o", out, "--steps", "1-7", "--per-page", count).returncode == 0
        text = out.read_text("utf-8")
        assert f"section:nth-of-type({count}n){{break-after:page}}" in text
        assert f"max-height:{high:g}mm" in text
        drawn = text.partition("<main>")[2]
        on_screen, on_paper = (
            tuple(map(float, re.search(rf'<svg {way} viewBox="0 0 (\d+) (\d+)"', drawn).groups()))
            for way in (r'role="img" aria-label="[^"]*"', 'class="paper" aria-hidden="true"')
        )
        assert on_screen == tuple(2.0 * side for side in PAGE_POINTS), "as large as one that has a sheet for itself"
        assert re.search(r"@media print\{[^\n]*figure>svg:not\(\.paper\)\{display:none", text)
        width, height = on_paper
        assert f'style="--tall:{height / width:.4g}"><div class="step"><figure>' in drawn
        # Half pixels of the layout: 26 of them are a line of 13 points.
        printed = min(across / width, high / height) * 26.0 / 25.4 * 72.0
        assert printed > 5.0
        assert text.count("<section") == 7


def test_the_pictures_of_pages_with_few_words_are_larger_on_paper(skew_edges: Path) -> None:
    """Exactly theirs: longer words need the wider column."""
    sections = skew_edges.read_text("utf-8").partition("<main>")[2].split("<section")[1:]
    matrices = [sum("<mtr>" in each for each in section.split('<p class="formula">')) for section in sections]
    words = [sum(map(len, re.findall(r"<p>(.*?)</p>", section))) for section in sections]
    lengths = [length + MATRIX * count for length, count in zip(words, matrices, strict=True)]
    brief = ["class=brief" in section.partition(">")[0] for section in sections]
    assert min(lengths) < BRIEF < max(lengths)
    # Escaped letters are longer than they are read.
    assert all(told for told, length in zip(brief, lengths, strict=True) if length <= BRIEF)
    assert not any(told for told, length in zip(brief, lengths, strict=True) if length > 1.1 * BRIEF)


def test_no_line_breaks_at_a_sign(skew_edges: Path) -> None:
    text = skew_edges.read_text("utf-8").partition("<main>")[2]
    words = " ".join(re.findall(r"<p>(.*?)</p>", text))
    assert "\N{NO-BREAK SPACE}−\N{NO-BREAK SPACE}" in words
    assert not re.search(" [−=] ", words)


def test_it_is_the_same_when_made_twice(skew_edges: Path, tmp_path: Path) -> None:
    again = tmp_path / "b.html"
    assert run("render", GOOD, "-o", again, "--theme", "print").returncode == 0
    assert again.read_bytes() == skew_edges.read_bytes()


def test_nothing_is_referred_to_that_is_not_inside_once(skew_edges: Path) -> None:
    text = skew_edges.read_text("utf-8")
    page = Elements(text.encode())
    ids = [attributes["id"] for _, attributes in page.found if "id" in attributes]
    assert len(set(ids)) == len(ids)
    # The script that turns the picture writes ids of its own pieces.
    wanted = set(re.findall(r"url\(#([^)$]+)\)", text)) | {use["href"][1:] for use in page.of("use")}
    assert wanted
    assert wanted <= set(ids)
    assert not {"link", "img", "iframe", "image", "object", "base"} & {tag for tag, _ in page.found}
    assert not [attributes for _, attributes in page.found if attributes.get("src")]
    assert re.findall(r"url\((?!#|data:font/woff;base64,)", text) == []
    assert "http" not in text.replace("http-equiv", "")


def test_a_handout_opens_as_its_scene(skew_edges: Path, tmp_path: Path) -> None:
    assert load(skew_edges).scene == load(GOOD).scene
    view = load(skew_edges).view
    assert view is not None
    assert view.step == 1
    other = tmp_path / "a.html"
    other.write_bytes(b"<!DOCTYPE html><title>a</title><svg></svg>")
    with pytest.raises(SceneError, match="is a page without a scene inside"):
        load(other)


def test_a_handout_dropped_on_the_window_is_its_scene_and_saving_asks_for_a_file(
    driver: Driver, skew_edges: Path
) -> None:
    driver.send("on_file_drop", 10, 10, [str(skew_edges)])
    driver.frame()
    assert driver.app.work.scene == load(GOOD).scene
    assert driver.app.work.document.path is None
    assert skew_edges.suffix in OPENABLE


def test_names_and_texts_do_no_harm(tmp_path: Path) -> None:
    scene = replace(load_preset("flat-one-gap").scene, name=HOSTILE, notes=HOSTILE)
    path, out = tmp_path / "a.json", tmp_path / "a.html"
    path.write_text(write(scene), "utf-8")
    assert run("render", path, "-o", out, "--steps", "1-2").returncode == 0
    page = Elements(out.read_bytes())
    assert len(page.of("script")) == 2
    assert not [attributes for _, attributes in page.found if "onload" in attributes]
    assert load(out).scene == scene

    words = ((HOSTILE, HOSTILE),)
    made = Page(name=HOSTILE, title=HOSTILE, alt=HOSTILE, words=words, formulas=(), folded=words, notes=HOSTILE)
    data = handout_bytes([made], [dots(1)], HOSTILE, json.dumps(HOSTILE), theme_named("dark"))
    page = Elements(data)
    assert page.titles == [HOSTILE]
    assert [section["id"] for section in page.of("section")] == [f"step={HOSTILE}"]
    assert page.of("svg")[1]["aria-label"] == HOSTILE
    assert len(page.of("script")) == 2


def dots(*numbers: int) -> Picture:
    circles = tuple(Disc(np.array((float(k), 0.0)), 100.5, (0.0, 0.0, 0.0, 0.5)) for k in numbers)
    return Picture(100, 100, 1, circles, "")


@pytest.mark.parametrize(
    ("pages", "named"),
    [
        ([(1, 2, 3), (1, 2, 3)], [(1, 2, 3)]),
        ([(1, 2, 3), (1, 2, 4)], [(1, 2)]),
        ([(1, 2, 3), (1, 9, 2, 3)], [(2, 3)]),
        ([(1, 2, 3), (3, 2, 1)], []),
        ([(1, 2), (3, 4)], []),
    ],
)
def test_what_always_stands_together_is_written_once(
    pages: list[tuple[int, ...]], named: list[tuple[int, ...]]
) -> None:
    pictures = [dots(*numbers) for numbers in pages]
    told = [Page(str(k), "", "") for k in range(len(pages))]
    text = handout_bytes(told, pictures, "", "{}", theme_named("print")).decode()
    groups = re.findall(r'<g id="d\d+">(.*?)</g>', text)
    written = ["".join(SvgWriter(dots(k)).element(dots(k).operations[0]) for k in numbers) for numbers in named]
    assert [group for group in groups if group.count("<circle") > 1] == written
    # Put in the place of each reference, they give every picture whole.
    for name, body in re.findall(r'<g id="(d\d+)">(.*?)</g>', text):
        text = text.replace(f'<use href="#{name}"/>', body)
    for picture in pictures:
        whole = "".join(SvgWriter(picture).element(part) for part in picture.operations)
        assert f"{whole}</svg>" in text


@pytest.mark.nightly("pictures")
def test_some_steps_with_their_sub_steps_and_the_answer(tmp_path: Path) -> None:
    out = tmp_path / "{name}.html"
    assert run("render", GOOD, SCENES / "flat-one-gap.json", "-o", out, "--steps", "0-1").returncode == 0
    assert [Elements(file.read_bytes()).titles[0] for file in sorted(tmp_path.iterdir())] == ["The answer"] * 2
    assert all("requestAnimationFrame" in file.read_text("utf-8") for file in tmp_path.iterdir())
    assert run("render", GOOD, "-o", out, "--steps", "gjk", "--slow", "--cut").returncode == 0
    still = (tmp_path / "skew-edges.html").read_text("utf-8")
    assert "function turn(){}function end(){}" in still, "no motion, no script of it"
    names = [section["id"] for section in Elements((tmp_path / "skew-edges.html").read_bytes()).of("section")]
    asked = query(analyse(load(GOOD).scene))
    first, count = next((first, count) for phase, first, count in asked.phases if phase.name == "GJK")
    wanted = []
    for place in range(first, first + count):
        parts = [part.name.replace(" ", "-") for part in parts_of(asked, asked.moments[place])]
        wanted += [*(f"step={place + 1}:{part}" for part in parts), f"step={place + 1}"]
    assert names == wanted
    done = run("render", GOOD, "-o", out, "--steps", "40-41")
    assert done.returncode == 1
    assert "has no steps 40-41" in done.stderr


LESSON = """---
id: mine
title: A <lesson>
world: plane
minutes: 1
---

## Look first
> id: look
> scene: preset:flat-one-gap
> verdict: hidden
> goal: chose(yes)
> solution: choose yes

Is there a [[gap]]? *Look* at [A](body:a): they are {distance} apart.

- (x) yes :: Yes & no
- ( ) no :: No :: Look again.

### Hint
One hint.

### Then
It is there.

---

## Move
> id: move
> scene: keep
> verdict: hidden
> goal: moved(b) >= 0.5
> solution: b.position = [9, 0.3]

Move B.

### Then
B moved by {moved_b}.

---

## Count
> id: count
> scene: keep
> panes: world
> goal: chose(none)
> solution: choose none

How many contacts?

- (x) none :: None
- ( ) one :: One :: They are apart.
"""


def words_of(data: bytes) -> str:
    """What a reader sees, a line for each element."""
    body = data.decode().partition("<main>")[2].partition("</main>")[0]
    words = unescape(re.sub(r"\s*<[^<>]+>\s*", "\n", re.sub(r"<svg.*?</svg>", "", body, flags=re.S)))
    return words.replace("\N{NO-BREAK SPACE}", " ")


def test_a_lesson_becomes_a_handout_of_its_steps_as_they_open(tmp_path: Path) -> None:
    lesson, out = tmp_path / "a.md", tmp_path / "a.html"
    lesson.write_text(LESSON, "utf-8")
    done = run("render", lesson, "-o", out)
    assert (done.returncode, done.stderr) == (0, "")
    page = Elements(out.read_bytes())
    assert page.titles == ["Look first", "Move", "Count"]
    assert [section["id"] for section in page.of("section")] == ["step=1", "step=2", "step=3"]
    assert not any("open" in details for details in page.of("details"))
    words = [line for line in words_of(out.read_bytes()).split("\n") if line]
    scene = load_preset("flat-one-gap").scene
    distance = analyse(scene).separation
    moved = hypot(9.0 - scene.b.position[0], 0.3 - scene.b.position[1])
    assert words == [
        # The name stands above all pages on the screen, and on each page on paper.
        *("A <lesson>", "A <lesson>", "Look first", f"Is there a gap? Look at A: they are {distance:.3g} apart."),
        *("Choose", "☐ Yes & no", "☐ No", "Hint", "One hint.", "Then", "It is there."),
        *("A <lesson>", "Move", "Move B.", "Goals", "B moved by at least 0.5", "Then", f"B moved by {moved:.3g}."),
        *("A <lesson>", "Count", "How many contacts?", "Choose", "☐ None", "☐ One"),
    ]
    # What would tell is held back, and a scene that is kept is where the solution leaves it.
    assert load(out).scene == scene
    labels = re.findall(r"<text[^>]*>([^<]+)</text>", out.read_text("utf-8"))
    gap = analyse(replace(scene, b=replace(scene.b, position=(9.0, 0.3, 0.0)))).sat.separation
    # Once for the screen, once for paper.
    assert [label for label in labels if label.startswith("gap")] == 2 * [f"gap {gap:.3g}"]
    lesson.write_text(LESSON.replace("> goal: moved(b) >= 0.5", "> goal: moved(c)"), "utf-8")
    done = run("render", lesson, "-o", out)
    assert done.returncode == 1
    assert f"{lesson}:32: " in done.stderr


def test_a_deck_becomes_a_handout_with_what_the_lecturer_says(tmp_path: Path) -> None:
    deck, out = ROOT / "assets" / "lectures" / "sat-to-contacts.jsonl", tmp_path / "a.html"
    assert run("render", deck, "-o", out).returncode == 0
    head, *slides = objects_of(deck.read_text("utf-8"))
    page, words = Elements(out.read_bytes()), words_of(out.read_bytes())
    assert page.titles == [slide["name"] for slide in slides]
    assert head["title"] in words
    for slide in slides:
        assert f"\n{slide['words']}\n" in words
    assert [div for div in page.of("div") if div["class"] == "notes"] == [{"class": "notes"}] * len(slides)
    log = tmp_path / "a.jsonl"
    log.write_text(line("a"), "utf-8")
    done = run("render", log, "-o", out)
    assert (done.returncode, "is a log; a handout shows the steps" in done.stderr) == (1, True)
    done = run("render", deck, "-o", out, "--steps")
    assert (done.returncode, "has its own pages" in done.stderr) == (2, True)


def every_formula() -> set[Node]:
    """All formulas of all presets, with their sub-steps and what is said about their motion."""
    found = set()
    for preset in presets():
        scene = load_preset(preset.id).scene
        asked = with_motion(query(analyse(scene)), sweep(scene))
        for moment in asked.moments:
            for part in (WHOLE, *(part.name for part in parts_of(asked, moment))):
                for formula in step_text(asked, moment, part).formulas:
                    found.update(formula.lines)
    return found


def arranged(element: ElementTree.Element) -> tuple[object, ...]:
    """What MathML says, without how it is spaced: characters, and what stands over, under or beside them."""
    tag = element.tag.rpartition("}")[2]
    if tag in ("mi", "mn", "mo", "mtext"):
        return tuple(element.text or "")
    inside = tuple(part for child in element for part in arranged(child))
    if tag in ("math", "mrow", "mstyle", "mspace"):
        return inside
    if tag == "msup" and inside[-1] == "′":
        return inside
    return ((tag, inside if tag == "msqrt" else tuple(arranged(child) for child in element)),)


@pytest.mark.slow
@pytest.mark.nightly("pictures")
def test_every_formula_of_every_preset_says_in_mathml_what_another_writer_says() -> None:
    formulas = every_formula()
    assert len(formulas) > 3000
    for formula in formulas:
        # It sets the power of a bracket on the closing sign alone, unless that is told to belong together; and it has
        # ⟂ for "perpendicular", which fewer fonts have.
        grouped = re.sub(r"(\([^()]*\))\^2", r"{\1}^2", tex(formula))
        there = ElementTree.fromstring(latex2mathml.converter.convert(grouped).replace("&#x027C2;", "⊥"))
        terms = "".join(chain.from_iterable(mathml(formula)))
        assert arranged(ElementTree.fromstring(f"<math>{terms}</math>")) == arranged(there), tex(formula)


def test_a_handout_prints_dark_words_and_pictures_on_white(tmp_path: Path) -> None:
    drawn = {}
    for theme, size in (("dark", ()), ("light", ()), ("print", ()), ("print", ("--size", "700x500"))):
        out = tmp_path / f"{theme}.html"
        assert run("handout", GOOD, "-o", out, "--steps", "gjk:1", "--theme", theme, "--legend", *size).returncode == 0
        text = out.read_text("utf-8")
        paper = f"@media print{{:root{{color-scheme:light;--text:{colour(PRINT.text)};"
        assert (paper in text) == (theme != "print")
        assert "overflow-x:auto;overflow-y:hidden" in text
        drawn[theme, *size] = [
            svg.get("class", "") for svg in Elements(out.read_bytes()).of("svg") if svg.get("id") is None
        ]
    shown = ["two", "key", "key narrow"]
    own = [*shown, "paper", "paper key"]
    # Pictures on white serve for both if they have one size.
    assert drawn == {("dark",): own, ("light",): own, ("print",): own, ("print", "--size", "700x500"): shown}


def test_one_pane_has_no_empty_sides_on_the_screen(tmp_path: Path) -> None:
    for panes, points in (("difference", ONE_PANE_POINTS), ("both", PAGE_POINTS)):
        out = tmp_path / f"{panes}.html"
        assert run("handout", GOOD, "-o", out, "--steps", "gjk:1", "--panes", panes).returncode == 0
        drawn = out.read_text("utf-8").partition("<main>")[2]
        size = re.search(r'<svg role="img" aria-label="[^"]*" viewBox="0 0 (\d+) (\d+)"', drawn).groups()
        assert tuple(map(int, size)) == (2 * points[0], 2 * points[1])


def test_codes_of_stops_stay_out_of_handouts(tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    assert run("handout", GOOD, "-o", out, "--steps", "gjk,epa").returncode == 0
    assert not re.search(r"\([A-Z_]{4,}\)", words_of(out.read_bytes()))


def test_a_handout_takes_overlays_panes_cameras_and_names(tmp_path: Path) -> None:
    said = {}
    for words in ((), ("--hide", "vertex-names", "--panes", "world"), ("--camera", "10,20,30"), ("--move", "A=9,9")):
        out = tmp_path / "a.html"
        assert run("handout", GOOD, "-o", out, "--steps", "sat:1", *words).returncode == 0
        text = out.read_text("utf-8")
        said[words[:1]] = text
    assert "Difference A − B" in said[()]
    assert "Difference A − B" not in said["--hide",].split("<main>")[1]
    assert len(set(said.values())) == len(said)
    done = run("handout", GOOD, "-o", tmp_path / "b.html", "--steps", "sat:1", "--crop")
    assert done.returncode == 2
    assert "--crop is for pictures, not for handouts: all pictures of a film or a page have one size" in done.stderr
