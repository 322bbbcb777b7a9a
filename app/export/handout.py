"""Makes a handout: one HTML file of pages, each a picture with words. It needs no other file.

With JavaScript one page is shown at a time, and controls step through them. Without it, and on paper, all pages follow
one another. Elements that several pages share are written once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, pairwise
from math import ceil

import numpy as np
from msgspec import Struct

from ..draw.theme import PRINT, Theme
from ..draw.turnable import TurnablePane
from ..storage.carried import SCRIPT
from ..words.expression import Node
from ..words.printers import mathml
from .handout_transition import transition_script
from .operations import OperationGroup, Picture
from .svg import LETTERS, Definitions, SvgWriter, colour, font_faces, xml_text
from .turning import turning_script

ROW_HEIGHT, LEAST_PICTURE_HEIGHT = 87.5, 26.0
"""Height of a page where two rows of them are on a sheet of paper, and the least height of a picture there, mm."""
BRIEF, MATRIX, LOW = 500, 40, 0.75
"""Most characters of words that have room in a narrow column on paper, beside a picture that is larger there; as how
many of them a formula with a matrix counts; and the most height of such a picture over its width."""
LETTER, LINE, FORMULA, BORDER = 0.155, 0.5, 0.85, 4.0
"""On paper that pages share: mm that a letter and a line take for each point of the letters, the size of formulas
beside words, and mm of a page's border and gaps."""
SHORTEST_RUN = 60
"""Least number of characters of a run of elements that is written once and referred to from several pictures."""


class Page(Struct, frozen=True):
    """The words of a page beside its picture.

    `name`: of the page in the address, `16` in `#step=16`; `title`: its heading. `alt`: text for a screen reader.
    `words`: pairs of a heading, "" for none, and a text, each line a paragraph. `formulas`: each in parts between which
    a line may break. `folded`: pairs of a heading and a text that opens with a click. `notes`: printed, not shown.
    """

    name: str
    title: str
    alt: str
    words: tuple[tuple[str, str], ...] = ()
    formulas: tuple[tuple[Node, ...], ...] = ()
    folded: tuple[tuple[str, str], ...] = ()
    notes: str = ""


class DrawnPages(Struct, frozen=True, eq=False):
    """The pictures of a handout.

    `turned`: the panes of each picture, which whoever reads it can turn; none of pictures that cannot be turned.
    `legends`: below each picture, or none at all; `narrow`: the same for a narrow screen. `scene`: JSON text of what
    the first picture shows.
    """

    pictures: Sequence[Picture]
    turned: Sequence[Sequence[TurnablePane]] = ()
    legends: Sequence[Picture] = ()
    narrow: Sequence[Picture] = ()
    scene: str = ""


class SharedPaper(Struct, frozen=True):
    """Paper that several pages share, in columns: letters in points, and the most size of a picture in mm.

    `brief`: the letters of the words of a page that has few, and no matrix.
    """

    columns: int
    letters: float
    brief: float
    wide: float
    high: float


SHEETS = {4: SharedPaper(2, 7.0, 7.0, 132.0, 60.0), 6: SharedPaper(3, 6.0, 7.0, 88.0, 50.0)}
"""By the number of pages on it."""


def room_for_picture(page: Page, sheet: SharedPaper) -> float:
    """About the height in mm that the words of a page leave to its picture."""
    formulas = _formulas(page)
    few = _length(page) <= BRIEF and not any("<mtr>" in formula for formula in formulas)
    letters = sheet.brief if few else sheet.letters
    told = [f"{name}: {line}" for name, text in (*page.words, ("", page.notes)) if text for line in text.split("\n")]
    # The title and the step's name are lines too.
    lines = 2.0 + sum(ceil(LETTER * letters * len(text) / sheet.wide) for text in told)
    small, high, place, rest = FORMULA * sheet.letters, 0.0, 0.0, ROW_HEIGHT - BORDER - LINE * letters * lines
    for formula in formulas:
        # Of a matrix' three rows, one below the other, a third is as wide as the matrix.
        matrices = sum(len(_TAG.sub("", table)) for table in _TABLE.findall(formula))
        wide = LETTER * small * (len(_TAG.sub("", formula)) - matrices / 1.5 + 3.0)
        if place + wide > sheet.wide:
            rest, high, place = rest - high, 0.0, 0.0
        high, place = max(high, LINE * small * (3.7 if matrices else 1.6)), place + wide
    return rest - high


def _formulas(page: Page) -> list[str]:
    """The formulas as MathML."""
    return ["".join(term for part in parts for side in mathml(part) for term in side) for parts in page.formulas]


def _length(page: Page) -> int:
    """The number of characters of the page's words on paper; a formula with a matrix counts as MATRIX of them."""
    letters = len(page.notes) + sum(len(text) for _, text in (*page.words, *page.folded))
    return letters + MATRIX * sum("<mtr>" in formula for formula in _formulas(page))


def handout_bytes(
    pages: Sequence[Page],
    pictures: Sequence[Picture],
    title: str,
    scene: str,
    theme: Theme,
    author: str = "",
    turned: Sequence[Sequence[TurnablePane]] = (),
    *,
    legends: Sequence[Picture] = (),
    narrow: Sequence[Picture] = (),
    paper: DrawnPages | None = None,
    per_page: int = 1,
    transition: float = 0.0,
) -> bytes:
    """The HTML file; `pictures`: one for each page. `scene`: JSON text to embed; `theme`: of the pictures.

    `turned`: the panes of each picture, which whoever reads it can turn; empty for pictures that cannot be turned.
    `legends`, `narrow`: as in DrawnPages. `paper`: the pictures for print, if they differ from these. `per_page`: the
    most pages on a sheet of paper, a key of PRINT_STYLES. `transition`: seconds of that from a page to the next or the
    one before, 0 for none. `author`: "" for none.
    """
    defined = Definitions()
    printed = paper or DrawnPages(())
    groups = {
        "": pictures,
        "key": legends,
        "key narrow": narrow,
        "paper": printed.pictures,
        "paper key": printed.legends,
    }
    drawn = list(chain.from_iterable(groups.values()))
    svgs = iter(_drawings(drawn, defined))
    figures: list[list[str]] = [[] for _ in pages]
    for classes, group in groups.items():
        for number, picture in enumerate(group):
            figures[number].append(_svg(pages[number], picture, next(svgs), classes))
    turning = turning_script(turned, pictures, defined)
    script = _SCRIPT.replace("{transition}", transition_script(theme, transition) if transition else _NO_TRANSITION)
    tall = [0.0] * len(pages)
    on_paper = printed if paper else DrawnPages(pictures, legends=legends)
    for group in (on_paper.pictures, on_paper.legends):
        for number, picture in enumerate(group):
            tall[number] += picture.height / on_paper.pictures[number].width
    drawn_pages = zip(pages, figures, tall, strict=True)
    body = "\n".join([_section(page, "".join(each), high, title) for page, each, high in drawn_pages])
    letters = font_faces(tuple(chain.from_iterable(picture.operations for picture in drawn)))
    style = f"{_colours(theme, own_paper=paper is not None)}{_LETTERS}{_STYLE}{PRINT_STYLES[per_page]}"
    if legends:
        style += _LEGENDS.replace("SHAPE", f"{pictures[0].width / pictures[0].height:.4g}")
    parts = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        f'<head><meta charset="utf-8"><title>{xml_text(title)}</title>',
        f'<meta name="author" content="{xml_text(author)}">' if author else "",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<style>{letters}\n{style}</style></head>",
        "<body>",
        f"{SCRIPT}{scene.replace('<', _LESS)}</script>",
        f'<svg id="shared" aria-hidden="true"><defs>{"".join(defined.elements)}</defs></svg>',
        f"<main><h1>{xml_text(title)}{f', {xml_text(author)}' if author else ''}</h1>",
        body,
        "</main>",
        _CONTROLS.replace("{last}", str(len(pages) - 1)),
        f"<script>{script}\n{turning}</script>",
        "</body></html>",
    )
    return ("\n".join(filter(None, parts)) + "\n").encode()


def _drawings(pictures: Sequence[Picture], defined: Definitions) -> list[str]:
    """The elements of each picture; runs of elements that several pictures share are replaced by references."""
    drawn = []
    for picture in pictures:
        writer = SvgWriter(picture, defined)
        drawn.append([part for operation in picture.operations for part in writer.parts(operation)])
    follows = _followers(drawn)
    chained = [_runs(parts, follows) for parts in drawn]
    times: dict[str, int] = {}
    for run in chain.from_iterable(chained):
        times[run] = times.get(run, 0) + 1
    return ["".join([_named(run, times[run], defined) for run in runs]) for runs in chained]


def _followers(drawn: Sequence[Sequence[str]]) -> dict[str, str]:
    """Maps an element to the one that always follows it and never follows another one.

    Both are whole elements, not the opening or closing tag of a group.
    """
    after: dict[str, set[str]] = {}
    before: dict[str, set[str]] = {}
    for parts in drawn:
        for first, second in pairwise(["", *parts, ""]):
            after.setdefault(first, set()).add(second)
            before.setdefault(second, set()).add(first)
    alone = {first: next(iter(others)) for first, others in after.items() if len(others) == 1}
    return {a: b for a, b in alone.items() if before[b] == {a} and _whole(a) and _whole(b)}


def _whole(element: str) -> bool:
    return element.endswith(("/>", "</text>")) or (element.endswith("</g>") and element != "</g>")


def _runs(parts: Sequence[str], follows: dict[str, str]) -> list[str]:
    runs: list[list[str]] = []
    for part in parts:
        if runs and follows.get(runs[-1][-1]) == part:
            runs[-1].append(part)
        else:
            runs.append([part])
    return ["".join(run) for run in runs]


def _named(run: str, times: int, defined: Definitions) -> str:
    if times == 1 or len(run) < SHORTEST_RUN or not _whole(run):
        return run
    return '<use href="#{}"/>'.format(defined.name_of(f'<g id="{{}}">{run}</g>'))


def _svg(page: Page, picture: Picture, drawing: str, classes: str) -> str:
    """A picture of a page; `classes`: of one that is a legend, or for paper alone, "" for the page's own."""
    size = f'viewBox="0 0 {picture.width} {picture.height}"'
    if not classes:
        two = f' class="two" style="--wide:{picture.width};--high:{picture.height}"' if _has_two_panes(picture) else ""
        return f'<svg role="img" aria-label="{_quoted(page.alt)}" {size}{two}>{drawing}</svg>'
    return f'<svg class="{classes}" aria-hidden="true" {size}>{drawing}</svg>'


def _has_two_panes(picture: Picture) -> bool:
    """Whether the picture is two panes of one size side by side, which a narrow screen shows one under another."""
    panes = [each.clips[0][0] for each in picture.operations if isinstance(each, OperationGroup) and each.clips]
    sizes = [np.ptp(corners, axis=0).tolist() for corners in panes]
    return len(picture.operations) == 2 and sizes == [[picture.width / 2, picture.height]] * 2


def _section(page: Page, figure: str, tall: float, title: str) -> str:
    """A page; `tall`: the height of its picture with its legend on paper, as a share of the width."""
    words = [(f"<h3>{xml_text(name)}</h3>" if name else "") + _paragraphs(text) for name, text in page.words if text]
    formulas = [f'<p class="formula">{_formula(parts)}</p>' for parts in page.formulas]
    folded = [
        f"<details><summary>{xml_text(name)}</summary>{_paragraphs(text)}</details>" for name, text in page.folded
    ]
    notes = [f'<div class="notes">{_paragraphs(page.notes)}</div>'] if page.notes else []
    brief = tall <= LOW and _length(page) <= BRIEF
    return (
        f'<section id="step={_quoted(page.name)}"{" class=brief" * brief} style="--tall:{tall:.4g}">'
        f'<div class="step"><figure>{figure}</figure>\n'
        f'<div class="words"><p class="of">{xml_text(title)}</p><h2>{xml_text(page.title)}</h2>'
        f"{''.join((*words, *folded, *notes))}</div></div>"
        f"{_within('formulas', formulas)}</section>"
    )


def _within(name: str, parts: Sequence[str]) -> str:
    return f'<div class="{name}">{"".join(parts)}</div>' if parts else ""


def _formula(parts: Sequence[Node]) -> str:
    """The sides of a formula, which stay whole where they have room on a line."""
    sides = [side for part in parts for side in mathml(part)]
    return "".join([f"<span>{'<wbr>'.join(terms)}</span>" for terms in sides])


def _paragraphs(text: str) -> str:
    """The lines as paragraphs; no line of the page breaks at a minus or an equals sign."""
    return "".join([f"<p>{xml_text(_SIGN.sub(_KEPT, line))}</p>" for line in text.split("\n")])


def _quoted(text: str) -> str:
    return xml_text(text).replace('"', "&quot;")


def _colours(theme: Theme, *, own_paper: bool) -> str:
    """The colours of the page, and those of paper, which is white. `own_paper`: it has pictures for paper."""
    words = "" if theme.name == PRINT.name else _root(PRINT)
    shown = "figure>svg:not(.paper){display:none!important}figure>svg.paper{display:block!important}"
    printed = words + (shown if own_paper else "")
    return f"{_root(theme)}\n" + (f"@media print{{{printed}}}\n" if printed else "")


def _root(theme: Theme) -> str:
    names = {"text": theme.text, "dim": theme.dim_text, "ground": theme.background_bottom, "accent": theme.winner}
    scheme = "dark" if theme.dark_panels else "light"
    colours = "".join([f"--{name}:{colour(rgba)};" for name, rgba in names.items()])
    return f":root{{color-scheme:{scheme};{colours}}}"


_SIGN, _KEPT = re.compile(" ([−=]) "), "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}"
_TAG, _TABLE = re.compile("<[^>]*>"), re.compile("<mtable>.*?</mtable>")
_LESS = "\\u003c"
"""The character `<` as an escape in JSON, so that the scene cannot end its script element."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; font-src data:"
_CONTROLS = """<nav hidden aria-label="Steps">
<button id="back" aria-label="Previous step">&#x25C2;</button>
<button id="play" aria-pressed="false">Play</button>
<button id="on" aria-label="Next step">&#x25B8;</button>
<input id="slider" type="range" min="0" max="{last}" value="0" step="1" aria-label="Step">
<span id="place" aria-hidden="true"></span>
</nav>
<p id="spoken" aria-live="polite"></p>"""
_LETTERS = f"text{{{''.join([f'{name}:{value};' for name, value in LETTERS.items()])}}}"
_STYLE = """
html{background:var(--ground);color:var(--text);font:16px/1.45 system-ui,sans-serif}
body{margin:0}
main{max-width:110rem;margin:0 auto;padding:0 1rem 4rem}
h1{font-size:1rem;font-weight:400;color:var(--dim);margin:.6rem 0}
h2{font-size:1.25rem;line-height:1.25;margin:0 0 .6rem}
h3{font-size:.8rem;font-weight:400;color:var(--dim);margin:.7rem 0 0}
p{margin:0 0 .3rem;overflow-wrap:anywhere}
figure{margin:0;background:var(--ground)}
@media (min-height:35rem){.stepped figure{position:sticky;top:0}}
figure svg{display:block;width:100%;height:auto;max-height:calc(100vh - 7rem)}
figure svg.key{margin-top:.3rem}
figure svg.paper,.of{display:none}
#shared{position:absolute;width:0;height:0}
#spoken{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
section{display:grid;grid-template-columns:minmax(0,1fr);align-items:start;gap:1rem;margin-bottom:2rem}
.step{display:contents}
@media screen and (min-width:64rem){
section{grid-template:auto 1fr/minmax(0,13fr) minmax(min-content,6fr)}
figure{grid-row:1/span 2}
.words{min-width:19rem}
}
@media screen and (min-width:64rem) and (max-width:76rem){.formulas{font-size:.8em}}
@media screen and (max-width:30rem){.formulas{font-size:.85em}}
@media screen and (max-width:35rem){
.stepped figure:has(.two){position:static}
figure svg.two{aspect-ratio:var(--wide)/calc(4*var(--high));max-height:none;margin:auto;
width:min(100%,calc((100vh - 7rem)*var(--wide)/2/var(--high)))}
:is(.two,.two>.turned)>:nth-child(1){transform:scale(2) translateY(calc(-.75px*var(--high)))}
:is(.two,.two>.turned)>:nth-child(2){transform:scale(2) translate(calc(-.5px*var(--wide)),calc(.25px*var(--high)))}
}
math{white-space:nowrap;font-family:"STIX Two Math","Latin Modern Math","STIX Math","Cambria Math","Libertinus Math",
"DejaVu Math TeX Gyre","DejaVu Sans",math}
msub>:first-child{padding-bottom:.12em}
.formula{margin:0 0 .7rem;overflow-x:auto;overflow-y:hidden}
.formula>span{display:inline-block}
.word{font-style:italic}
.prime{font-family:system-ui,sans-serif}
.stepped section{scroll-margin-top:100vh}
.stepped section:not(.shown){display:none}
details{margin:.5rem 0}summary{cursor:pointer}
.notes{display:none}
.turns{touch-action:pan-y pinch-zoom;cursor:grab;user-select:none;-webkit-user-select:none}
.turns:active{cursor:grabbing}
.turning>:not(.turned),svg:not(.turning)>.turned{display:none}
.turn{font-size:.8rem;color:var(--dim);min-height:1.7rem}
nav{position:fixed;left:0;right:0;bottom:0;display:flex;gap:.6rem;align-items:center;padding:.5rem 1rem;
background:var(--ground);border-top:1px solid var(--dim)}
nav[hidden]{display:none}
nav button,.turn button{font:inherit;color:var(--text);background:none;border:1px solid var(--dim);border-radius:.3rem;
cursor:pointer}
nav button{min-width:2.6rem;padding:.25rem .6rem}
nav input{flex:1;min-width:4rem;accent-color:var(--accent)}
nav :focus-visible,.turn :focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
#place{white-space:nowrap;font-variant-numeric:tabular-nums}
@media print{
@page{size:landscape;margin:12mm}
html{font-size:10pt}
nav,#spoken,h1{display:none}
main{padding:0;max-width:none}
.stepped section,section{display:flex!important;flex-direction:column;align-items:stretch;gap:3mm;
min-height:180mm;margin:0;break-after:page;break-inside:avoid;print-color-adjust:exact;-webkit-print-color-adjust:exact}
section:last-of-type{break-after:auto}
.step{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,1fr);gap:5mm;flex:1 1 0;min-height:min-content;
max-height:calc(var(--tall)*180mm + 1mm)}
.brief>.step{grid-template-columns:minmax(0,7fr) minmax(0,2fr);max-height:calc(var(--tall)*210mm + 1mm)}
.brief h2{font-size:1.1rem}
.stepped figure,figure{position:static;display:flex;flex-direction:column}
figure svg{max-height:none}
figure>svg:not(.key){flex:1 1 0;height:0;min-height:0}
.formulas{display:flex;flex-wrap:wrap;align-items:center;gap:2mm 8mm}
.turn,svg>.turned{display:none!important}
.turning>:not(.turned){display:inline!important}
.formula{overflow:visible;margin:0}
.of{display:block;color:var(--dim);margin:0 0 .2rem}
.notes{display:block;border-top:1px solid var(--dim);padding-top:.5rem}
}
"""
"""The page's style. Formulas need a font with a MATH table. That of DejaVu Sans, often the only one on Linux, stretches
brackets, but leaves indices on the line: hence the padding above them, less than what the other fonts lower them by."""
_LEGENDS = """figure svg.narrow{display:none}
@media screen and (min-width:35rem){
figure svg:not(.key){max-height:calc(100vh - 12rem)}
figure svg.key{width:min(100%,(100vh - 12rem)*SHAPE);margin:.3rem auto 0}
}
@media screen and (max-width:35rem){
figure svg.key:not(.narrow){display:none}
figure svg.narrow{display:block;width:100%}
}
"""
"""A picture leaves room for its legend, which is as wide; a narrow screen has one of its own."""
_TOGETHER = """@media print{
main{display:grid;grid-template-columns:repeat(COLUMNS,minmax(0,1fr));gap:5mm 6mm}
main>h1{display:none}
html{font-size:SIZEpt;line-height:1.3}
h2{font-size:1.15em;margin:0 0 .2em}p{margin:0 0 .15em}
h3{display:inline;font-size:.85em;margin:0}h3::after{content:": "}
h3+p{display:inline}h3+p::after{content:"\\A";white-space:pre}
.stepped section,section{gap:1mm;min-height:ROWmm;box-sizing:border-box;break-after:auto;
border-top:.3mm solid var(--dim);padding-top:1.5mm}
section:nth-of-type(COUNTn){break-after:page}
section:last-of-type{break-after:auto}
.step{display:contents}
.stepped figure,figure{flex:1 1 LOWmm;max-height:calc(var(--tall)*WIDEmm + 1mm)}
figure>svg:not(.key){max-height:HIGHmm}
.words{flex:none}
.of{font-size:.85em;margin:0}
.formulas{font-size:FORMULAem;gap:.2em 1.2em}
.brief:not(:has(mtr)) .words{font-size:BRIEFpt}
section:not(:nth-of-type(COUNTn+1)) .of{display:none}
}
"""


def _together(count: int, sheet: SharedPaper) -> str:
    """The style of paper with `count` pages on a sheet, on which the title stands once.

    A picture has the room that the words leave, but at least LOW mm, and at most what its width needs: the words follow
    closely below it.
    """
    named = {
        "COUNT": count,
        "COLUMNS": sheet.columns,
        "SIZE": sheet.letters,
        "BRIEF": sheet.brief,
        "FORMULA": FORMULA,
        "WIDE": sheet.wide,
        "HIGH": sheet.high,
        "ROW": ROW_HEIGHT,
        "LOW": LEAST_PICTURE_HEIGHT,
    }
    style = _TOGETHER
    for name, value in named.items():
        style = style.replace(name, f"{value:g}")
    return style


PRINT_STYLES = {1: ""} | {count: _together(count, sheet) for count, sheet in SHEETS.items()}
"""The style of printed paper by the number of pages on a sheet."""
_NO_TRANSITION = "function turn(){}function end(){}"
_SCRIPT = """'use strict';
{transition}
const pages=[...document.querySelectorAll('section')],slider=document.getElementById('slider');
const play=document.getElementById('play'),still=matchMedia('(prefers-reduced-motion: reduce)');
const names=pages.map(page=>page.id.slice(5)),STAND=1500;
let at=0,timer=0;
function show(next,told){
const was=at;
at=Math.max(0,Math.min(pages.length-1,next));
pages.forEach((page,k)=>page.classList.toggle('shown',k===at));
const title=pages[at].querySelector('h2').textContent;
slider.value=at;
slider.setAttribute('aria-valuetext',`Page ${at+1} of ${pages.length}: ${title}`);
document.getElementById('place').textContent=`${at+1} / ${pages.length}`;
if(told){history.replaceState(null,'','#step='+names[at]);document.getElementById('spoken').textContent=title}
if(at===pages.length-1)stop();
if(told&&Math.abs(at-was)===1)turn(pages[was],pages[at]);
else end();
}
function stop(){clearInterval(timer);timer=0;play.textContent='Play';play.setAttribute('aria-pressed','false')}
function go(next){stop();show(next,true)}
function toggle(){
if(timer){stop();return}
if(still.matches){go(at+1);return}
if(at===pages.length-1)show(0,true);
play.textContent='Pause';play.setAttribute('aria-pressed','true');
timer=setInterval(()=>show(at+1,true),STAND);
}
function named(){const k=names.indexOf(decodeURIComponent(location.hash).slice(6));if(k>=0){stop();show(k,false)}}
document.documentElement.classList.add('stepped');
document.querySelector('nav').hidden=false;
slider.addEventListener('input',()=>go(+slider.value));
document.getElementById('back').addEventListener('click',()=>go(at-1));
document.getElementById('on').addEventListener('click',()=>go(at+1));
play.addEventListener('click',toggle);
addEventListener('hashchange',named);
addEventListener('keydown',event=>{
if(event.ctrlKey||event.altKey||event.metaKey||event.shiftKey)return;
const last=pages.length-1;
const ways={ArrowLeft:at-1,PageUp:at-1,ArrowRight:at+1,PageDown:at+1,Home:0,End:last};
if(event.key in ways)go(ways[event.key]);
else if(event.key===' '&&!event.target.closest('button,summary'))toggle();
else return;
event.preventDefault();
});
show(0,false);named();"""
