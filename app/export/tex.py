r"""Makes a picture for LaTeX: a PDF without texts, and a .tex file that sets them over it in the document's own font.

As Inkscape's PDF with LaTeX does it: a picture environment whose unit is the picture's width, so `\svgwidth` scales it.
Words keep their size, but for those that would be wider than their place, which shrink, and have their halo in pdfTeX
and LuaTeX. A word stays where its leader ends. Names, numbers and signs become mathematics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..draw.draw_list import Rgba
from ..draw.label_names import GREEK, SUBSCRIPTS, SUPERSCRIPTS, by_itself, unicode_text
from .operations import Operation, OperationGroup, Picture, TextRun, texts_of
from .pdf import points_to_pixel

_DOWN = {after: before for before, after in SUBSCRIPTS.items() if before != ord("-")}
_UP = {after: before for before, after in SUPERSCRIPTS.items() if before != ord("-")}
_LOW = "".join(map(chr, _DOWN))
_HIGH = "".join(map(chr, _UP))
SIGNS = {
    "−": "-",
    "×": r"\times ",
    "·": r"\cdot ",
    "⊥": r"\perp ",
    "≤": r"\leq ",
    "≥": r"\geq ",
    "≈": r"\approx ",
    "≠": r"\neq ",
    "±": r"\pm ",
    "→": r"\to ",
    "∞": r"\infty ",
    "°": r"^{\circ}",
    "′": "'",
    "‖": r"\Vert ",
    "√": r"\surd ",
    "ℓ": r"\ell ",
    "=": "=",
    "+": "+",
    "<": "<",
    ">": ">",
    "|": "|",
}
"""Mathematical signs and their LaTeX."""
SIGNS |= {letter: rf"\{name} " for name, letter in GREEK.items()}
ESCAPES = {each: f"\\{each}" for each in "#$%&_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
ESCAPES |= {"^": r"\textasciicircum{}", "…": r"\ldots{}", "–": "--", "“": "``", "”": "''", "’": "'", "☐": r"$\square$"}
QUANTITY_LETTERS = frozenset("dnvwtxqpsr")
"""Letters that are a quantity as a word of one letter, even among other words."""
_NUMBER = r"[+−]?\d[\d.,]*(?:e[+−-]?\d+)?"
_PUNCTUATION = ".,:;?!"
AIR = 0.3
"""Width that a text may have beyond its width in the program's font before it shrinks, as a share of its font size."""
_LINE = 1.2
"""Distance of lines over the size of the font."""
_BEGINS, _ENDS = "/Artifact BMC 2 Tr #1 w 1 j", "0 Tr 1 w 0 j EMC"
"""PDF operators after which letters are also stroked, with a line of width #1, and are no text; and the operators that
end this."""
_IN_PLACE = (
    "\\def\\stroked#1#2{}%",
    f"\\ifx\\pdfliteral\\undefined\\else\\def\\stroked#1#2{{\\pdfliteral direct{{{_BEGINS}}}#2%",
    f"  \\pdfliteral direct{{{_ENDS}}}}}\\fi%",
    f"\\ifx\\pdfextension\\undefined\\else\\def\\stroked#1#2{{\\pdfextension literal direct{{{_BEGINS}}}#2%",
    f"  \\pdfextension literal direct{{{_ENDS}}}}}\\fi%",
    "\\def\\inplace#1#2#3#4#5#6{\\setbox0\\hbox{\\ifdim#3pt>0pt\\rlap{#4\\stroked{#3}{#6}}\\fi#5#6}%",
    "  \\ifdim\\wd0>#1\\unitlength\\setbox0\\hbox{\\resizebox{#1\\unitlength}{!}{\\box0}}\\fi\\kern-#2\\wd0\\box0}%",
)
"""The macro that sets words in their place, over a halo where the engine is pdfTeX or LuaTeX.

Its arguments: the words' most width as a share of the picture's, the share of their own that lies left of the point
where they are put, the halo's width, its colour, theirs, and the words with their font.
"""
_HELD = 0xE000
"""The first of the private characters that temporarily replace the parts of a text that have their own TeX."""


def without_texts(picture: Picture) -> Picture:
    """The picture without its texts."""
    return replace(picture, operations=tuple(_bare(picture.operations)))


def _bare(operations: Sequence[Operation]) -> Iterator[Operation]:
    for operation in operations:
        if isinstance(operation, OperationGroup):
            yield replace(operation, operations=tuple(_bare(operation.operations)))
        elif not isinstance(operation, TextRun):
            yield operation


def tex_bytes(picture: Picture, name: str, renames: Sequence[tuple[str, str]] = ()) -> bytes:
    """The .tex file that sets the texts over `name`.pdf.

    `renames`: names and their new names. A part of a text that is a new name with TeX (between `$`) gets that TeX.
    """
    scale = points_to_pixel(picture)
    width, height = picture.width * scale, picture.height * scale
    own = {unicode_text(value): value for _, value in renames if "$" in value}
    lines = [
        f"% {name}.pdf without words, and its words. In the document: \\input{{{name}.tex}}",
        "% The preamble needs \\usepackage{graphicx} and \\usepackage{xcolor}, for formulas also amsmath.",
        "% Computer Modern has few sizes; \\usepackage{lmodern} has all.",
        f"% A width other than {width:.2f}bp: \\def\\svgwidth{{0.8\\linewidth}} before it.",
        "\\begingroup%",
        *_IN_PLACE,
        "\\ifx\\svgwidth\\undefined%",
        f"  \\setlength{{\\unitlength}}{{{width:.4f}bp}}%",
        "\\else%",
        "  \\setlength{\\unitlength}{\\svgwidth}%",
        "\\fi%",
        "\\global\\let\\svgwidth\\undefined%",
        f"\\begin{{picture}}(1,{height / width:.6f})%",
        f"  \\put(0,0){{\\includegraphics[width=\\unitlength]{{{name}.pdf}}}}%",
        *[_put(text, picture, scale, own) for text in texts_of(picture.operations)],
        "\\end{picture}%",
        "\\endgroup%",
    ]
    return ("\n".join(lines) + "\n").encode()


def _put(text: TextRun, picture: Picture, scale: float, own: dict[str, str]) -> str:
    x, y = fixed_point(text, picture)
    size = text.size * scale
    weight = "\\bfseries\\boldmath" if text.bold else ""
    font = f"\\fontsize{{{size:.2f}}}{{{_LINE * size:.2f}}}\\selectfont{weight}"
    words = f"{{{font} {text.tex or tex_of(text.text, own)}}}"
    room = (text.length + AIR * text.size) / picture.width
    halo = 2.0 * text.halo_width * scale if text.halo[3] else 0.0
    inside = f"{{{room:.6f}}}{{{text.lean:.3f}}}{{{halo:.2f}}}{{{_colour(text.halo)}}}{{{_colour(text.rgba)}}}"
    return f"  \\put({x:.6f},{y:.6f}){{\\makebox(0,0)[lb]{{\\smash{{\\inplace{inside}{{{words}}}}}}}}}%"


def _colour(rgba: Rgba) -> str:
    return f"\\color[rgb]{{{','.join(f'{part:.3f}' for part in rgba[:3])}}}"


def fixed_point(text: TextRun, picture: Picture) -> tuple[float, float]:
    """The point of a text's baseline that stays in another font, from the picture's lower left corner, x right, y up.

    The unit is the picture's width.
    """
    return (text.x + text.lean * text.length) / picture.width, (picture.height - text.y) / picture.width


def tex_of(text: str, own: dict[str, str] | None = None) -> str:
    """A label's text as LaTeX, with names, numbers and signs as mathematics; `own`: parts of texts, and their TeX."""
    held = {}
    for number, (part, tex) in enumerate((own or {}).items()):
        if part:
            held[chr(_HELD + number)] = tex
            text = by_itself(part).sub(chr(_HELD + number), text)
    return "".join(_joined([_word(word, held) for word in _words(text)]))


class _Word(Struct, frozen=True):
    """A word, or the space between two words, as LaTeX: its letters, its punctuation, and whether it is mathematics."""

    tex: str
    end: str
    maths: bool


def _words(text: str) -> list[tuple[str, bool]]:
    """The words and the spaces of a text, each with whether it is a quantity if it is a single letter.

    A single letter is a quantity if no word of the text has two adjacent letters, or if the word before or after is a
    sign.
    """
    words = re.split(r"(\s+)", text)
    lone = not any(re.search(r"[A-Za-z]{2}", word) for word in words)
    beside = ["", "", *words, "", ""]
    return [
        (word, lone or any(each in SIGNS for each in (beside[at], beside[at + 4]))) for at, word in enumerate(words)
    ]


def _word(given: tuple[str, bool], held: dict[str, str]) -> _Word:
    word, quantity = given
    inside = [held[letter] for letter in word if letter in held]
    if inside:
        maths = all(re.fullmatch(r"\$[^$]*\$", tex) for tex in inside) and not re.search(r"[A-Za-z]{2}", word)
        found = _mathematics(word) if maths else _escaped(word)
        for letter, tex in held.items():
            found = found.replace(letter, f"{{{tex[1:-1]}}}" if maths else tex)
        return _Word(found, "", maths)
    if not word.strip():
        return _Word(" " if len(word) == 1 else r"\ \ " if word else "", "", False)
    end = word[len(word.rstrip(_PUNCTUATION)) :] if len(word) > 1 else ""
    bare = word.removesuffix(end) if end else word
    if re.fullmatch(r"⊥?[AB]\..*", bare):
        return _Word(_name(bare), end, False)
    signs = re.search(rf"[{re.escape(''.join(SIGNS))}{_LOW}{_HIGH}]", bare) is not None
    short = all(len(part) == 1 for part in re.findall(r"[A-Za-zα-ω]+", bare))
    alone = len(bare) == 1 and (bare in QUANTITY_LETTERS or (quantity and bare.isalpha()))
    if re.fullmatch(rf"\(?{_NUMBER}\)?", bare) or alone or (signs and short):
        return _Word(_mathematics(bare), end, True)
    return _Word(_escaped(bare), end, False)


def _joined(words: Sequence[_Word]) -> Iterator[str]:
    """Yields the words as LaTeX; consecutive mathematics is between one pair of dollar signs."""
    run, after = "", ""
    for number, word in enumerate(words):
        if word.maths:
            run, after = f"{run}{after}{word.tex}", word.end
            continue
        following = words[number + 1] if number + 1 < len(words) else word
        if run and word.tex.isspace() and following.maths:
            apart = re.search(r"(?:^|[^\\A-Za-z])[A-Za-z]$|[\d'})|]$", run) and re.match(
                r"[+-]?\d|\w|[(|]", following.tex
            )
            run, after = f"{run}{after}" + (r"\ " if apart or after else " "), ""
            continue
        if run:
            yield f"${run}${after}"
            run = after = ""
        yield word.tex + word.end
    if run:
        yield f"${run}${after}"


def _mathematics(text: str) -> str:
    text = re.sub(rf"[{_LOW}]+", lambda found: f"_{{{found[0].translate(_DOWN)}}}", text)
    text = re.sub(rf"[{_HIGH}]+", lambda found: f"^{{{found[0].translate(_UP)}}}", text)
    found = "".join([SIGNS.get(letter, letter) for letter in text]).rstrip()
    # In braces, so that LaTeX adds no space after a comma between thousands.
    return re.sub(r"(?<=\d),(?=\d)", "{,}", found).replace("#", r"\#").replace("%", r"\%").replace("&", r"\&")


def _name(name: str) -> str:
    """The name of a vertex, an edge, a face or an axis of a body, in upright letters."""
    return re.sub(r"[−+⊥]", lambda found: f"${SIGNS[found[0]].strip()}$", name).translate(_IN_NAMES)


def _escaped(text: str) -> str:
    return "".join([ESCAPES.get(letter) or _sign(letter) for letter in text])


def _sign(letter: str) -> str:
    return f"${SIGNS[letter].strip()}$" if letter in SIGNS and letter not in "=+" else letter


_IN_NAMES = str.maketrans({each: f"\\{each}" for each in "#%&_{}"})
