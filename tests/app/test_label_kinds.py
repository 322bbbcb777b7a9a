"""Labels can be governed: hidden by kind, renamed, moved, set in LaTeX, and drawn from a script by the same options."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import numpy as np
import pypdfium2
import pytest
from msgspec.structs import replace

from app.cli.export import listed_ids
from app.cli.figure import figure, own_scene
from app.cli.picture import planned_picture, seen_of
from app.draw.draw_list import DrawList, Label, LabelKindId
from app.draw.label_kinds import KIND_IDS, LABEL_KINDS, TITLES_ID
from app.draw.label_names import nobody_bears, renamed, told_otherwise, typed, unicode_text, unwritable
from app.draw.theme import PRINT
from app.export.tex import tex_of
from app.io.presets import load_preset, presets
from app.io.scene_file import load, save
from app.overlays.context import Context
from app.overlays.registry import OVERLAYS
from app.render.pictures import build
from app.render.still import prepared, tex_still, vector_still
from app.state.export_options import ExportOptions
from app.state.view import Seen, View
from core.query.query import query
from core.scene import Body, Scene
from core.shapes import Box, Hull, Sphere

from .command_rig import GOOD, run

SCENES = ("skew-edges", "flat-worked-example", "box-on-plane-vertex", "tunnelling", "sphere-face-region")
"""Presets that have labels of nearly all kinds among them."""
EVERYTHING = frozenset(overlay.id for overlay in OVERLAYS)
PLACE = re.compile(r'<text x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"[^>]*>([^<]*)</text>')


def shown(name: str) -> Iterator[Seen]:
    """A preset with everything shown, and some of its steps."""
    seen, _ = seen_of(load_preset(name), PRINT, "0")
    seen = prepared(seen)
    yield replace(seen, view=replace(seen.view, shown=EVERYTHING))
    asked = query(seen.analysis)
    for place in range(0, len(asked.moments), max(1, len(asked.moments) // 8)):
        yield replace(seen, query=asked, place=place)


def labels(seen: Seen) -> list[Label]:
    drawn = build(Context(**seen.facts))
    return [label for draw in (drawn.world, drawn.difference, drawn.triad, drawn.globe) for label in draw.labels]


@pytest.mark.parametrize("name", SCENES)
def test_an_id_hides_its_kind_and_nothing_else(name: str) -> None:
    for seen in shown(name):
        whole = labels(seen)
        for kind in KIND_IDS:
            left = labels(replace(seen, view=replace(seen.view, hidden=frozenset({kind}))))
            assert [label.text for label in left] == [label.text for label in whole if label.kind != kind]


@pytest.mark.parametrize("name", SCENES)
def test_in_a_vector_picture_the_words_of_a_hidden_kind_are_gone_and_the_others_are_there(name: str) -> None:
    seen, _ = seen_of(load_preset(name), PRINT, "1")
    kinds = {label.text: label.kind for label in labels(prepared(seen))}

    def words(**options: object) -> set[str]:
        wanted = ExportOptions(**{"theme": "print", "step": "1", "size": (1600, 1000)} | options)
        plan, _ = planned_picture(load_preset(name), ".svg", wanted)
        return {found[3] for found in PLACE.findall(vector_still(plan, ".svg", "{}", "Name")().decode())}

    whole = words(legend=False, digits=3)
    for kind in {*kinds.values()}:
        left = words(hide=frozenset({kind}), digits=3)
        assert not [word for word in left if kinds.get(word) == kind]
        assert {word for word in whole if kinds.get(word, kind) != kind} <= left


def test_presets_have_every_kind_but_the_names_of_panes_and_few_words_are_of_no_other() -> None:
    found = {kind: set[str]() for kind in KIND_IDS}
    for preset in presets():
        for seen in shown(preset.id):
            for label in labels(seen):
                found[label.kind].add(label.text)
    assert [kind for kind in KIND_IDS if not found[kind]] == [TITLES_ID]
    # A note is a sentence or a part of one: a name or a number among the notes has no kind yet.
    assert [text for text in found["notes"] if not re.search(r"[a-z]{3}| side$|^s\d|re = |^s[₀-₉]", text)] == []


def test_ids_are_told_with_a_sentence_each_and_are_no_overlays() -> None:
    told = run("picture", "--list-overlays")
    assert told.returncode == 0
    for name in (*EVERYTHING, *KIND_IDS):
        assert re.search(rf"^  {re.escape(name)} +\w.*\.$", told.stdout, re.MULTILINE), name
    rows = [json.loads(line) for line in run("picture", "--list-overlays", "--json").stdout.splitlines()]
    assert {row["id"]: row["shows"] for row in rows} == {**listed_ids()["overlays"], **listed_ids()["labels"]}
    assert not EVERYTHING & {*KIND_IDS}
    assert len({kind.title for kind in LABEL_KINDS}) == len(KIND_IDS) == len({*KIND_IDS})
    assert {*KIND_IDS} == {TITLES_ID, *get_args(LabelKindId)}


def words_of(**options: object) -> list[str]:
    plan, _ = planned_picture(load(GOOD), ".svg", ExportOptions(**{"theme": "print", "step": "0"} | options))
    return [found[3] for found in PLACE.findall(vector_still(plan, ".svg", "{}", "Name")().decode())]


def test_hidden_kinds_are_not_in_the_file_and_come_back_with_show(tmp_path: Path) -> None:
    whole = words_of(panes="both")
    assert {"A.v4", "B.v0", "Difference A − B", "depth 0.313"} <= {*whole}
    bare = words_of(panes="both", hide=frozenset({"vertex-names", "depth", TITLES_ID}))
    assert not [word for word in bare if re.match(r"[AB]\.v\d|depth|Difference", word)]
    assert {"A", "B", "origin"} <= {*bare}
    seen, view = seen_of(load(GOOD), PRINT)
    save(tmp_path / "a.json", seen.scene, replace(view or View(), hidden=frozenset({"vertex-names"})))
    kept = load(tmp_path / "a.json")
    assert kept.view is not None
    assert kept.view.hidden == {"vertex-names"}
    assert ExportOptions(show=frozenset({"vertex-names"})).looked_at(kept.view).hidden == frozenset()


@pytest.mark.parametrize(
    ("value", "part"),
    [
        (r"$\frac{a}{b}$", r"\frac"),
        (r"$\sqrt{2}$", r"\sqrt"),
        (r"$\hat p$", r"\hat"),
        (r"$\foo$", r"\foo"),
        (r"$d_{max}$", "_{max}"),
        ("$d_{}$", "_{}"),
        ("$a^b$", "^b"),
        (r"$d_{\min}$", "_{min}"),
        ("$d_{min}$", "_{min}"),
        ("$d_{12}$", ""),
        (r"$\mathcal{A}_1 \leq \delta^2$", ""),
        ("plain_words^x", ""),
    ],
)
def test_tex_that_letters_cannot_write_is_named(value: str, part: str) -> None:
    assert unwritable(value) == part
    told = unicode_text(value)
    assert part or not re.search(r"[\\${}]", told), told


@pytest.mark.parametrize(
    ("text", "name", "value", "told"),
    [
        ("A.v4", "A.v4", "$a_4$", "a₄"),
        ("c₁  A.v4 | B.+y  depth 0.3", "A.v4", "P", "c₁  P | B.+y  depth 0.3"),
        ("A.v41", "A.v4", "P", "A.v41"),
        ("v on edge w₀w₁", "w_0", "$p_{0}$", "v on edge p₀w₁"),
        ("w₁₂ = a₁ − b", "w_1", "p", "w₁₂ = a₁ − b"),
        ("A.v4", "A", "P", "A.v4"),
        ("Difference A − B", "A", "P", "Difference P − B"),
        ("A.−x", "A.-x", "left", "left"),
        ("depth 0.3", "depth", r"$\delta$", "δ 0.3"),
    ],
)
def test_a_name_is_replaced_where_it_stands_by_itself(text: str, name: str, value: str, told: str) -> None:
    assert renamed(text, [(name, value)]) == told


def test_names_are_replaced_in_labels_legend_caption_and_a_sheet() -> None:
    words = words_of(rename=(("A", "P"), ("A.v4", "$p_4$")), panes="both", legend=True, caption="auto")
    assert {"P", "p₄", "body P", "Difference P − B", "B"} <= {*words}
    assert not [word for word in words if re.search(r"A\.v4|\bA\b(?!\.)", word)]
    sheet = words_of(rename=(("w_0", "start"),), panes="difference", step=None, steps="gjk", columns=2)
    assert [word for word in sheet if word.startswith("start")]
    assert not [word for word in sheet if "w₀" in word]


def test_of_several_labels_of_a_name_one_can_be_meant() -> None:
    def draw() -> DrawList:
        found = DrawList()
        for text in ("w₁ = a₀ − b₁", "w₁", "A.v4"):
            found.label(text, np.zeros(3), (1.0, 1.0, 1.0, 1.0))
        return found

    def shifts(place: str, **moves: tuple[float, float]) -> list[tuple[float, float]]:
        told_otherwise(made := draw(), place, (), tuple(moves.items()))
        return [label.shift for label in made.labels]

    by, none, other = (3.0, -2.0), (0.0, 0.0), (1.0, 1.0)
    assert shifts("world", w_1=by) == shifts("difference", w_1=by) == [by, by, none]
    assert shifts("world", **{"difference:w_1": by}) == [none, none, none]
    assert shifts("difference", **{"difference:w_1": by, "w_1": other}) == [by, by, none]
    assert shifts("world", **{"difference:w_1": by, "w_1": other}) == [other, other, none]
    assert shifts("world", **{"w_1#2": by}) == [none, by, none]
    assert shifts("world", **{"world:w_1#2": by, "world:w_1": other}) == [other, by, none]

    told_otherwise(made := draw(), "world", (("world:w_1#2", "p"), ("difference:A.v4", "q"), ("best so far", "x")), ())
    assert [label.text for label in made.labels] == ["w₁ = a₀ − b₁", "p", "A.v4"]

    lists = [("world", draw()), ("difference", DrawList())]
    assert nobody_bears(["world:w_1", "w_1#2", "world:A.v4"], lists, whole=True) == ""
    assert nobody_bears(["difference:A.v4"], lists) == "has no label 'difference:A.v4'"
    assert nobody_bears(["w_1#3"], lists) == "has no label 'w_1#3'; it has 2 of that name"


def test_a_name_before_another_is_replaced_alone() -> None:
    assert renamed("best so far: ⊥A.e0 −0.552", [("best so far", "leader")]) == "leader: ⊥A.e0 −0.552"
    assert renamed("A.x × B.z  gap 0.05, best so far", [("best so far", "$m$")]) == "A.x × B.z  gap 0.05, m"


def test_a_name_that_no_label_bears_is_told_with_the_nearest(tmp_path: Path) -> None:
    for verb, ending, more in (
        ("picture", "svg", ("--panes", "world")),
        ("film", "gif", ("--steps", "gjk")),
        ("handout", "html", ()),
    ):
        told = run(verb, GOOD, "-o", tmp_path / f"a.{ending}", *more, "--rename", "A.v44=$a$")
        assert told.returncode == 1
        assert "has no label 'A.v44'; the nearest are A.v4" in told.stderr
    told = run("picture", GOOD, "-o", tmp_path / "a.svg", "--move", "A.v44=1,2")
    assert "has no label 'A.v44'; the nearest are A.v4" in told.stderr
    assert not [*tmp_path.iterdir()]


def test_a_handout_has_the_other_name_in_pictures_words_and_formulas(tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    told = run("handout", GOOD, "-o", out, "--steps", "gjk", "--rename", "w_0=$p_0$")
    assert told.returncode == 0, told.stderr
    page = out.read_text("utf-8").partition("<main>")[2]
    assert not re.search(r"w₀(?!\d)|<mi>w</mi><mn>0</mn>", page)
    assert "p₀ = a₄ − b₂</text>" in out.read_text("utf-8")
    assert '<mi class="word">p₀</mi>' in page


def test_several_names_come_by_comma_or_one_by_one(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    told = run("picture", GOOD, "-o", out, "--rename", "A.v4=$f(a,b)$,B.v0=$b_0$", "--rename", "A=P", "--step", "0")
    assert told.returncode == 0, told.stderr
    words = [found[3] for found in PLACE.findall(out.read_text("utf-8"))]
    assert {"f(a,b)", "b₀", "P"} <= {*words}


def test_a_name_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    out, why = tmp_path / "a.svg", "must have each name once, got 'A' twice"
    for words in (
        ["--rename", "A=P,A=Q"],
        ["--rename", "A=P", "--rename", "B=Q", "--rename", "A=R"],
        ["--move", "B=1,2,A=3,4,A=5,6"],
    ):
        told = run("picture", GOOD, "-o", out, *words)
        assert told.returncode == 2
        assert told.stderr.splitlines()[0].endswith(f"argument {words[0]}: {why}")
    for rename in ("A=P,A=Q", [("A", "P"), ("A", "Q")]):
        with pytest.raises(ValueError, match=f"^rename {why}$"):
            figure(str(GOOD), {"rename": rename})
    assert run("picture", GOOD, "-o", out, "--rename", "w_1=v,w₁=u", "--step", "gjk:2").returncode == 2
    assert not out.exists()


def test_a_moved_label_stands_so_far_from_its_place_and_no_other_moves() -> None:
    places = {}
    for by in ((), (("A.v4", (30.0, -12.0)),)):
        plan, _ = planned_picture(load(GOOD), ".svg", ExportOptions(size=(640, 400), step="0", panes="world", move=by))
        svg = vector_still(plan, ".svg", "{}", "Name")().decode()
        places[by] = {text: (float(x), float(y)) for x, y, _, text in PLACE.findall(svg)}
    (before, after) = places.values()
    moved = {text: (x - before[text][0], y - before[text][1]) for text, (x, y) in after.items()}
    # Two fine pixels to the point.
    assert moved.pop("A.v4") == pytest.approx((60.0, -24.0), abs=1.0)
    assert {*moved.values()} == {(0.0, 0.0)}


def test_words_in_latex_stand_where_the_svg_has_them() -> None:
    options = ExportOptions(theme="print", step="0", width=85.0, legend=True, caption="auto")
    plan, _ = planned_picture(load(GOOD), ".tex", options)
    svg = vector_still(plan, ".svg", "{}", "Name")().decode()
    tex = tex_still(plan, "{}", "Name", "name")()[1].decode()
    box = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert box is not None
    width, height = float(box[1]), float(box[2])
    put = re.findall(
        r"\\put\(([\d.-]+),([\d.-]+)\)\{\\makebox\(0,0\)\[lb\]\{\\smash\{\\inplace\{[\d.]+\}\{([\d.]+)\}\{([\d.]+)\}",
        tex,
    )
    words = PLACE.findall(svg)
    assert len(put) == len(words) > 20
    assert {0.0, 0.5, 1.0} <= {float(share) for _, _, share, _ in put}
    # Words of the picture have a halo, those of the strips below it have none.
    assert {float(halo) > 0.0 for *_, halo in put} == {True, False}
    for (across, up, share, halo), (x, y, length, _) in zip(put, words, strict=True):
        assert float(halo) > 1.0 or float(halo) == 0.0
        assert float(across) == pytest.approx((float(x) + float(share) * float(length)) / width, abs=1e-3)
        assert float(up) == pytest.approx((height - float(y)) / width, abs=1e-4)


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("w₀ = a₄ − b₀", "$w_{0} = a_{4} - b_{0}$"),
        ("A.−x", "A.$-$x"),
        ("A.x × B.y", r"A.x $\times$ B.y"),
        ("⊥A.e2", r"$\perp$A.e2"),
        ("depth 0.309", "depth $0.309$"),
        ("distance 3 × 10⁻⁷", r"distance $3 \times 10^{-7}$"),
        ("overlap −0.3, best so far", "overlap $-0.3$, best so far"),
        ("a plane between the bodies", "a plane between the bodies"),
        ("50 % of A_b & {x} #1", r"$50$ \% of A\_b \& \{x\} \#1"),
        ("A − B", "$A - B$"),
    ],
)
def test_names_numbers_and_signs_become_mathematics_and_text_is_escaped(text: str, tex: str) -> None:
    assert tex_of(text) == tex


def test_tex_in_a_new_name_arrives_as_it_was_given() -> None:
    value = r"$\vec{a}_4$"
    assert typed("w_{12}") == "w₁₂"
    assert tex_of(f"w₃ = {unicode_text(value)} − b", {unicode_text(value): value}) == r"$w_{3} = {\vec{a}_4} - b$"


def test_tex_of_a_name_leaves_other_words_alone() -> None:
    assert tex_of("a step, p = a₄", {"p": r"$\pi$"}) == r"a step, ${\pi} = a_{4}$"


def zlib_streams(pdf: bytes) -> bytes:
    """The streams of a PDF that deflate has packed, one after another."""
    found = b""
    for packed in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        with contextlib.suppress(zlib.error):
            found += zlib.decompressobj().decompress(packed)
    return found


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_latex_sets_the_words_over_the_pdf(tmp_path: Path, engine: str) -> None:
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    for name, words in (
        ("world", ["--panes", "world", "--caption", "50 % of A_b & {c} #1 ~ ^ \\"]),
        ("step", ["--step", "gjk:3", "--panes", "difference", "--legend", "--rename", r"A.v4=$\vec{a}_4$"]),
    ):
        out = tmp_path / f"{name}.tex"
        assert run("picture", GOOD, "-o", out, "--width", "8.5cm", "--theme", "print", *words).returncode == 0
        bare = pypdfium2.PdfDocument(out.with_suffix(".pdf"))[0]
        assert not bare.get_textpage().get_text_bounded().strip()
        assert load(out.with_suffix(".pdf")).scene == load(GOOD).scene
    (tmp_path / "page.tex").write_text(
        r"\documentclass{article}\usepackage{graphicx}\usepackage{color}\pagestyle{empty}\begin{document}"
        r"\noindent\input{world.tex}\par\def\svgwidth{0.5\linewidth}\noindent\input{step.tex}\end{document}"
    )
    words = [engine, "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    made = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stdout[-2000:]
    assert "Overfull" not in made.stdout
    drawn = zlib_streams((tmp_path / "page.pdf").read_bytes())
    assert drawn.count(b"/Artifact BMC 2 Tr") == drawn.count(b"0 Tr 1 w 0 j EMC") > 20
    said = pypdfium2.PdfDocument(tmp_path / "page.pdf")[0].get_textpage().get_text_bounded()
    assert {"A.v4", "depth", "overlap", "origin", "decides"} <= {*said.split()}


def test_a_figure_from_a_script_is_what_the_command_writes(tmp_path: Path) -> None:
    words = ["--width", "8.5cm", "--step", "gjk:2", "--hide", "vertex-names,depth", "--rename", "w_0=$p_0$", "--crop"]
    options = {"width": "8.5cm", "step": "gjk:2", "hide": ["vertex-names", "depth"], "rename": {"w_0": "$p_0$"}}
    made = figure(str(GOOD), {**options, "crop": True, "legend": False})
    for ending in ("svg", "pdf", "tex", "png"):
        out, own = tmp_path / f"a.{ending}", tmp_path / "own" / f"a.{ending}"
        own.parent.mkdir(exist_ok=True)
        assert run("picture", GOOD, "-o", out, *words).returncode == 0
        assert made.save(own).read_bytes() == out.read_bytes()
    assert made._repr_svg_() == (tmp_path / "a.svg").read_text("utf-8")
    assert made._repr_png_() == (tmp_path / "a.png").read_bytes()


def test_a_figure_takes_any_sequence_with_all_digits_and_none_for_not_given() -> None:
    camera = (30.123456789, 20.0)
    made = figure(str(GOOD), {"camera": camera, "size": [400, 300], "legend": None, "crop": None})
    written = figure(str(GOOD), {"camera": "30.123456789,20", "size": "400x300"})
    assert made._repr_svg_() == written._repr_svg_()
    assert made._repr_svg_() != figure(str(GOOD), {"camera": "30.1235,20", "size": "400x300"})._repr_svg_()
    assert made._repr_svg_() == figure(str(GOOD), {"camera": list(camera), "size": (400, 300)})._repr_svg_()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"width": 3}, "width must be a length"),
        ({"crop": 0}, "crop must be True or False, got 0"),
        ({"colour": "red"}, "a picture has no option colour; it has "),
        ({"hide": "vertex-name"}, "as vertex-names or "),
        ({"rename": {"w_77": "x"}, "step": "gjk:1"}, "The scene has no label 'w_77'; the nearest are w"),
        ({"step": "gjk:99"}, "The scene has no step gjk:99: there are "),
        ({"width": "1cm"}, "The scene would have a picture only 10.0 mm wide"),
        ({"for": "slide"}, "it has form, purpose (--for), size"),
        *(({"size": size}, "size must be WIDTHxHEIGHT such as") for size in ((1,), (1, 2, 3), {"w": 3})),
        *(({"rename": names}, "rename must be a label's name and its other one") for names in ([1, 2], 5, [("A",)])),
        ({"rename": {"A": "a,B=c"}}, "rename cannot tell the names apart in 'A=a,B=c'"),
        *(({"move": {"A": by}}, "move must be a label's name and points") for by in (3, (1,), ("a", "b"))),
        ({"size": (800, 600), "width": "8cm"}, "--size does not go with --width"),
        ({"columns": 3}, "--columns goes with --steps"),
        ({"hide": "grid", "show": "grid"}, "--show and --hide both name grid"),
        ({"size": (32768, 9), "scale": 2}, "the picture must be at most 32768 pixels wide and high"),
    ],
)
def test_a_script_is_told_what_does_not_go(options: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        figure(own_scene(load(GOOD).scene), options)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("$x", "a $ alone, where TeX stands between two; a shell keeps them in single quotes"),
        ("$a$b$", "a $ alone"),
        ("$}{$", "braces that do not pair"),
        (r"$\foo{$", "braces that do not pair"),
        ("$%$", "% without a backslash"),
        ("$a & b$", "& without a backslash"),
        ("$\\$", "a backslash alone"),
        ("$$", "nothing to write"),
        ("$ $", "nothing to write"),
    ],
)
def test_a_name_that_no_document_could_set_is_refused(name: str, why: str, tmp_path: Path) -> None:
    for ending in (".svg", ".tex"):
        with pytest.raises(ValueError, match=re.escape(f"has a new name {name!r} with {why}")):
            figure(str(GOOD), {"rename": {"A.v4": name}}).save(tmp_path / f"a{ending}")


def test_letters_and_commands_that_the_program_lacks_are_left_to_latex(tmp_path: Path) -> None:
    for name, part in (("漢", "漢"), ("$\\heartsuit$", "\\heartsuit"), ("$\\frac{1}{2}$", "\\frac")):
        made = figure(str(GOOD), {"rename": {"A.v4": name}, "size": "400x300"})
        assert name.strip("$") in made.save(tmp_path / "a.tex").read_text("utf-8")
        with pytest.raises(
            ValueError, match=re.escape(f"has no letters for {part} of {name!r}; -o FILE.tex leaves it")
        ):
            made.save(tmp_path / "a.svg")


@pytest.mark.parametrize("letter", ["%", "#", "{", "}", "~", '"'])
def test_a_file_that_latex_could_not_name_is_refused(letter: str, tmp_path: Path) -> None:
    made = figure(str(GOOD), {"size": "400x300"})
    with pytest.raises(OSError, match=re.escape(f"a{letter}b.tex: LaTeX reads no file with {letter} in its name")):
        made.save(tmp_path / f"a{letter}b.tex")
    assert not [*tmp_path.iterdir()]


def test_a_script_is_told_the_file_that_cannot_be_written_and_the_log_that_is_no_scene(tmp_path: Path) -> None:
    made = figure(str(GOOD), {})
    with pytest.raises(ValueError, match=re.escape("must end in .png, .svg, .pdf or .tex, got 'a.gif'")):
        made.save(tmp_path / "a.gif")
    with pytest.raises(OSError, match=re.escape(f"{tmp_path / 'no' / 'a.svg'}: no such folder")):
        made.save(tmp_path / "no" / "a.svg")
    with pytest.raises(ValueError, match=r"sat-to-contacts\.jsonl: is a log; a picture shows one scene"):
        figure("assets/lectures/sat-to-contacts.jsonl", {})


def test_an_option_for_one_kind_of_file_leaves_the_others_in_a_notebook() -> None:
    size = {"width": "4cm", "text": "none"}
    plain = figure(str(GOOD), size)
    assert figure(str(GOOD), size | {"dpi": 200})._repr_svg_() == plain._repr_svg_()
    assert figure(str(GOOD), {"size": "90x60", "text": "outlines"})._repr_png_()


def test_names_and_moves_are_given_as_a_mapping_pairs_or_text_and_none_of_them_is_not_given() -> None:
    def drawn(**options: object) -> str:
        return figure(str(GOOD), {"size": "400x300", **options})._repr_svg_()

    renamed = drawn(rename={"A": "P, Q", "B": 2})
    assert renamed == drawn(rename=[("A", "P, Q"), ("B", "2")]) == drawn(rename=["A=P, Q", "B=2"])
    assert renamed == drawn(rename="A=P, Q,B=2") != drawn()
    assert drawn(move={"A": (0.1 + 0.2, -2)}) == drawn(move={"A": "0.3,-2"}) == drawn(move="A=0.3,-2") != drawn()
    assert drawn(hide=[], show=(), rename={}, steps=[]) == drawn()
    assert drawn(aspect=16 / 9, size=None) == drawn(aspect="16:9", size=None)


def test_the_library_imports_no_program_and_its_scenes_are_drawn(tmp_path: Path) -> None:
    script = (
        "import sys; sys.path.insert(0, 'app/packaging/site'); import separatrix;"
        "from separatrix.core import Body, Box, Scene, Sphere;"
        "assert not [name for name in sys.modules if name.split('.')[0] in ('app', 'imgui_bundle', 'pyglet')];"
        "pair = Scene(Body(Box((2.0, 1.0, 1.0))), Body(Sphere(0.5), position=(1.2, 0.0, 0.0)));"
        f"print(separatrix.figure(pair, width='85mm', panes='world').save({str(tmp_path / 'a.svg')!r}));"
        "assert not [name for name in sys.modules if name.split('.')[0] in ('imgui_bundle', 'pyglet')]"
    )
    made = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stderr
    assert load(tmp_path / "a.svg").scene.b.position == (1.2, 0.0, 0.0)


def test_a_point_has_its_name_in_a_figure() -> None:
    point = Body(Hull(((0.0, 0.0, 0.0),)))
    for other in (point, Body(Box((1.0, 1.0, 1.0))), Body(Sphere(1.0), (3.0, 0.0, 0.0))):
        assert ">A</text>" in figure(Scene(point, other), {"size": "400x300", "text": "font"})._repr_svg_()
