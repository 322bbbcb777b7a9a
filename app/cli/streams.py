"""Standard output and standard error as readers expect them: UTF-8 in files and pipes, stand-ins on a poor terminal.

Windows gives a redirected program the code page of its language, and a Linux of LC_ALL=C gives it ASCII: neither has
the minus sign.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

STAND_INS = {
    "−": "-",
    "–": "-",
    "—": "-",
    "«": "<<",
    "»": ">>",
    "⁻": "-",
    "×": "x",
    "·": "*",
    "±": "+/-",
    "√": "sqrt",
    "∞": "inf",
    "∑": "sum",
    "≈": "~",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "‖": "||",
    "⊥": "perp",
    "°": " deg",
    "µ": "u",
    "′": "'",
    "☐": "[ ]",
    "’": "'",
    "“": '"',
    "”": '"',
    "‹": "<",
    "›": ">",
    "←": "<-",
    "→": "->",
    "↔": "<->",
    "↺": "reset",
    "✓": "yes",
    "●": "*",
    "α": "alpha",
    "δ": "delta",
    "ε": "epsilon",
    "λ": "lambda",
    "ρ": "rho",
    "ω": "omega",
}
"""In ASCII what the program writes beyond it, but for letters and digits with a mark or a place of their own."""

RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
"""A run of these is an exponent."""

ERRORS = "separatrix.stand_ins"


def make_readable() -> None:
    """Sets both streams up. One that an embedding program has put there in place of Python's own stays as it is."""
    if sys.stderr is None:
        # `print` would take standard output instead.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - for as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.closed:
            stream.reconfigure(encoding=None if _keeps_encoding(stream) else "utf-8", errors=ERRORS)


def _keeps_encoding(stream: io.TextIOWrapper) -> bool:
    """Whether its encoding is somebody's choice: a terminal's, or that of PYTHONIOENCODING."""
    chosen = os.environ.get("PYTHONIOENCODING", "").partition(":")[0]
    return bool(chosen) or stream.isatty()


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    """What stands for the characters that an encoding lacks, and where the text goes on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text, at = error.object, error.start
    if text[at] in RAISED:
        end = at + 1
        while end < len(text) and text[end] in RAISED:
            end += 1
        return "^" + "".join(map(_in_ascii, text[at:end])), end
    return _in_ascii(text[at]), at + 1


def _in_ascii(character: str) -> str:
    """Its stand-in, without its marks, or else by its number."""
    if character in STAND_INS:
        return STAND_INS[character]
    bare = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode("ascii")
    return bare or character.encode("ascii", "backslashreplace").decode("ascii")


codecs.register_error(ERRORS, _stand_in)
