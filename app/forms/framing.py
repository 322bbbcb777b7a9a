"""Removes the frame of a pasted text: code fences, quotation marks, prompts, log prefixes and line numbers.

A mark at the beginning of lines is removed only if all lines have it, except empty lines. Lines outside a code fence
must contain only FRAMING_WORDS, because any other word may move, turn or size a body. A line on an expected result
(TOLD) at the end of the text is removed if it has only FRAMING_WORDS and numbers. A removed line becomes an empty
one, so that line numbers stay valid.
"""

from __future__ import annotations

import re

from .form import MOST_CHARACTERS, NotUnderstoodError

_WORDS = """
a actual an and answer apart are at be below bodies body both boxes bug but by case case's check code collide
collider colliders collides colliding collision contact depth distance do does don't dont example expect
expected failing fails failure false find following for from gives got has have hello help here here's hi hit i
i'm i've in intersect intersection intersects is isn't isnt it it's its me minimal miss my no none not objects
of ok one or our overlap overlapping overlaps pair penetrate penetrates penetration please pose poses problem
repro reproduce reproduces reproduction result results returned returns same says separate separated separation
setup shapes should show shows snippet test tests thanks that the there these they this those to touch touches
touching true two verdict vs we we've what when where which why with wrong yes you
"""
FRAMING_WORDS = frozenset(_WORDS.split())
"""Words that do not describe the position, the rotation or the size of a body."""
TOLD = re.compile(r"(?i)[ \t]*(?:#|//|--)?[ \t]*(?:expected|actual|result|verdict|should|got)\b[^\n]*")
"""A line on an expected or actual result, which may have numbers too, such as a depth or a distance."""
_FENCE = re.compile(r"[ \t]*(?:```|~~~)[ \t]*[\w+#.-]*[ \t]*")
_LEVEL = r"(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE)"
FRAMES = (
    re.compile(r"[ \t]*(?:>>>|\.\.\.)(?:[ \t]|$)"),
    re.compile(r"[ \t]*>(?![>=])[ \t]?"),
    re.compile(rf"(?:\[[\w.-]+-\d+\] )?\[ ?{_LEVEL}\] ?\[[\d.]+(?:, [\d.]+)?\](?: \[[\w./-]+\])?: ?"),
    re.compile(
        r"\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?"
        rf"(?:[ \t]*[-|]?[ \t]*\[?{_LEVEL}\]?)?(?:[ \t]*[-|:])?[ \t]+"
    ),
    re.compile(rf"{_LEVEL}:[\w.]*:[ \t]?"),
)
"""Patterns of the mark at the beginning of each line: of prompts, quotations and logs."""
_NUMBERED = re.compile(r"[ \t]*(\d{1,5})(?:[ \t]*[:|)]|\.(?=[ \t]))[ \t]?")


def unframed(text: str) -> str:
    """The text without its frame; unchanged if it is longer than MOST_CHARACTERS.

    Raises NotUnderstoodError if a line outside a fence has other words than FRAMING_WORDS. A line of TOLD may have
    numbers.
    """
    if len(text) > MOST_CHARACTERS:
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    lines = _without_marks(lines)
    if any(_FENCE.fullmatch(line) for line in lines):
        lines = _without_marks(_within_fences(lines))
    while (last := next((k for k in range(len(lines) - 1, -1, -1) if lines[k].strip()), -1)) > 0:
        if not (TOLD.fullmatch(lines[last]) and _says_nothing(lines[last], numbers=True)):
            break
        lines[last] = ""
    return "\n".join(lines)


def _without_marks(lines: list[str]) -> list[str]:
    """The lines without the mark of one of FRAMES, or without consecutive line numbers, if all lines have them.

    Empty lines need no mark of FRAMES and no number.
    """
    filled = [line for line in lines if line.strip()]
    for frame in FRAMES:
        if filled and all(frame.match(line) for line in filled):
            return [frame.sub("", line, count=1) if line.strip() else line for line in lines]
    numbers = [_NUMBERED.match(line) for line in filled]
    found = [int(match[1]) for match in numbers if match is not None]
    if len(found) == len(filled) > 1 and found == list(range(found[0], found[0] + len(found))):
        return [_NUMBERED.sub("", line, count=1) for line in lines]
    return lines


def _within_fences(lines: list[str]) -> list[str]:
    """The lines between fences; all others become empty. Raises NotUnderstoodError for words not in FRAMING_WORDS."""
    found, inside = [], False
    for number, line in enumerate(lines, 1):
        if _FENCE.fullmatch(line):
            inside = not inside
            found.append("")
        elif inside:
            found.append(line)
        else:
            if not _says_nothing(line, numbers=bool(TOLD.fullmatch(line))):
                raise NotUnderstoodError(f"{line.strip()[:40]} outside of the fence is not understood", number)
            found.append("")
    return found


def _says_nothing(line: str, *, numbers: bool) -> bool:
    """Whether each word of a line is in FRAMING_WORDS. `numbers`: numbers are allowed too."""
    words = re.findall(r"[^\W\d_][\w']*|[-+]?\d[\d.e+-]*|[^\s\w]", line.lower())
    return all(
        word in FRAMING_WORDS or not re.match(r"\w|[-+]\d", word) or (numbers and re.match(r"[-+\d]", word))
        for word in words
    )
