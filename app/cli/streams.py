"""Sets the encoding of standard output and standard error: UTF-8 in files and pipes, else ASCII for missing characters.

Windows gives a redirected program the code page of its language, and Linux with LC_ALL=C gives it ASCII: neither has
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
    "⊥": "_|_",
    "⟂": "_|_",
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
    "○": "o",
    "■": "#",
    "◆": "*",
    "α": "alpha",
    "δ": "delta",
    "ε": "epsilon",
    "λ": "lambda",
    "ρ": "rho",
    "ω": "omega",
}
"""ASCII text for each other sign that the program writes. Accented letters and raised digits are decomposed instead."""

RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
"""Characters of exponents; a run of them is written after a `^`."""

ERRORS = "separatrix.stand_ins"


def make_readable() -> None:
    """Sets up both streams. A stream that an embedding program put in place of Python's own is not changed."""
    if sys.stderr is None:
        # `print` would take standard output instead.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - for as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.closed:
            stream.reconfigure(encoding=None if _keeps_encoding(stream) else "utf-8", errors=ERRORS)


def _keeps_encoding(stream: io.TextIOWrapper) -> bool:
    """Whether the stream's encoding was chosen: by a terminal or by PYTHONIOENCODING."""
    chosen = os.environ.get("PYTHONIOENCODING", "").partition(":")[0]
    return bool(chosen) or stream.isatty()


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    """Error handler for encoding: returns the text for the missing characters and the index at which to go on.

    Raises the error itself if it is not about encoding.
    """
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
    """The character's stand-in, else the character without its marks, else its number escaped."""
    if character in STAND_INS:
        return STAND_INS[character]
    bare = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode("ascii")
    return bare or character.encode("ascii", "backslashreplace").decode("ascii")


codecs.register_error(ERRORS, _stand_in)
