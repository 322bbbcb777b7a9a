"""A formula's TeX as MathML, which browsers draw by themselves: the commands that the steps' formulas use, no others.

Only the brackets round a matrix grow with what they hold. A sign with nothing before it stands close to what follows.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\(?:mathit|text|begin|end)\{[^{}]*\}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S")
_LETTERS = {r"\lambda": "λ", r"\omega": "ω", r"\varepsilon": "ε", r"\infty": "∞"}
_SIGNS = {
    "-": "−",
    r"\cdot": "·",
    r"\times": "×",
    r"\approx": "≈",
    r"\pm": "±",
    r"\perp": "⊥",
    r"\sum": "∑",
    **{sign: sign for sign in "=+/,"},
}
_FENCES = {
    r"\lVert": ("‖", "prefix"),
    r"\rVert": ("‖", "postfix"),
    r"\lvert": ("|", "prefix"),
    r"\rvert": ("|", "postfix"),
    "(": ("(", "prefix"),
    ")": (")", "postfix"),
}
_SPACES = {r"\,": "0.167em", r"\;": "0.278em"}
_MAY_LEAD = frozenset({"-", r"\pm"})
_OPENS = frozenset({"", "(", r"\lVert", r"\lvert"}) | _SIGNS.keys()
"""Tokens after which a sign belongs to what follows it."""
_END, _LINE = "", "\\\\"


def mathml(tex: str) -> str:
    """The formula as an element `math`. Raises ValueError for TeX that is none of it."""
    return f'<math displaystyle="true">{_Reader(tex).row(_END)}</math>'


class _Reader:
    """Takes the tokens from left to right; what they make is closed when its end comes."""

    def __init__(self, tex: str) -> None:
        self._tex = tex
        self._tokens = [*_TOKEN.findall(tex), _END]
        self._at = 0

    def row(self, *ends: str) -> str:
        """What comes until one of `ends`, which is taken as well."""
        parts: list[str] = []
        before = _END
        while (token := self._tokens[self._at]) not in ends:
            self._at += 1
            if token in ("^", "_"):
                if not parts:
                    raise self._wrong(token)
                tag = "msub" if token == "_" else "msup"
                parts[-1] = f"<{tag}>{parts[-1]}{self._item()}</{tag}>"
            elif token in _MAY_LEAD and before in _OPENS:
                parts.append(_close(token))
            else:
                parts.append(self._made(token))
            before = before if token in _SPACES else token
        self._at += 1
        return "".join(parts)

    def _item(self) -> str:
        """The next token, or all in its braces, as one element."""
        self._at += 1
        return self._made(self._tokens[self._at - 1])

    def _made(self, token: str) -> str:
        if token == "{":
            # A sign alone in braces, as in `{\approx}0`.
            if self._tokens[self._at] in _SIGNS and self._tokens[self._at + 1] == "}":
                self._at += 2
                return _close(self._tokens[self._at - 2])
            return f"<mrow>{self.row('}')}</mrow>"
        if token[:1].isdigit():
            return f"<mn>{token}</mn>"
        if token in _LETTERS or token.isalpha():
            return f"<mi>{_LETTERS.get(token, token)}</mi>"
        if token in _SIGNS:
            return f"<mo>{_SIGNS[token]}</mo>"
        if token == "'":
            # In the text's letters, which have it raised: a font that is not for mathematics would raise it twice.
            return '<mo class="prime" form="postfix" lspace="0" rspace="0">′</mo>'
        if token in _FENCES:
            sign, form = _FENCES[token]
            return f'<mo form="{form}" stretchy="false">{sign}</mo>'
        if token in _SPACES:
            return f'<mspace width="{_SPACES[token]}"/>'
        return self._command(token)

    def _command(self, token: str) -> str:
        name, _, word = token.rstrip("}").partition("{")
        match name:
            case r"\min" | r"\max":
                gap = "0" if self._tokens[self._at] == "(" else "0.167em"
                return f'<mo form="prefix" lspace="0" rspace="{gap}">{name[1:]}</mo>'
            case r"\mathit":
                return f'<mi class="word">{word}</mi>'
            case r"\text":
                return f"<mtext>{word.replace(' ', chr(0xA0))}</mtext>"
            case r"\hat":
                return f'<mover accent="true">{self._item()}<mo stretchy="false">^</mo></mover>'
            case r"\sqrt":
                return f"<msqrt>{self._item()}</msqrt>"
            case r"\dfrac":
                return f"<mfrac>{self._item()}{self._item()}</mfrac>"
            case r"\begin" if word == "pmatrix":
                return f"<mrow><mo>(</mo><mtable>{self._lines()}</mtable><mo>)</mo></mrow>"
        raise self._wrong(token)

    def _lines(self) -> str:
        """The rows of a matrix, until its end."""
        lines, cells, end = [], [], r"\end{pmatrix}"
        while True:
            cells.append(f"<mtd>{self.row('&', _LINE, end)}</mtd>")
            if (ended := self._tokens[self._at - 1]) != "&":
                lines.append(f"<mtr>{''.join(cells)}</mtr>")
                cells = []
            if ended == end:
                return "".join(lines)

    def _wrong(self, token: str) -> ValueError:
        return ValueError(f"{token or 'its end'!r} is not expected in the formula {self._tex!r}")


def _close(token: str) -> str:
    """A sign that stands close to what follows."""
    return f'<mo form="prefix" lspace="0" rspace="0">{_SIGNS[token]}</mo>'
