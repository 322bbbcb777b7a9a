"""A frame round a text is taken off; words that may move a body are not."""

from __future__ import annotations

import pytest

from app.forms.form import NotUnderstoodError
from app.forms.framing import unframed
from app.forms.registry import read_text

PAIR = "A = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\nB = [[0.2,0.2,0.2],[1.2,0.2,0.2],[0.2,1.2,0.2],[0.2,0.2,1.2]]"


def framed(mark: str) -> str:
    return "\n".join(mark + line for line in PAIR.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        f"```python\n{PAIR}\n```",
        f"Here is the failing case:\n```\n{PAIR}\n```\nexpected: overlap",
        framed("> "),
        framed(">>> "),
        framed("[INFO] [1700000000.123]: "),
        framed("[node-1] [INFO] [1700000000.123] [my_node]: "),
        framed("2026-11-29 10:20:30,123 - INFO - "),
        framed("DEBUG:root:"),
        "\n".join(f"{number}: {line}" for number, line in enumerate(PAIR.split("\n"), 7)),
        "\n".join(f"  {number} | {line}" for number, line in enumerate(PAIR.split("\n"), 1)),
        f"{PAIR}\n# expected: overlap, depth 0.23",
        f"{PAIR}\nexpected: overlap\nactual: no collision",
    ],
)
def test_a_frame_is_taken_off_and_lines_keep_their_numbers(text: str) -> None:
    assert read_text(text).pair.scene == read_text(PAIR).pair.scene
    assert unframed(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        f"The second is turned by 30 degrees:\n```\n{PAIR}\n```",
        f"```\n{PAIR}\n```\nall in cm",
        f"{PAIR}\nexpected: overlap once B is rotated",
        framed("> ").replace("> B", "B"),
        f"1: {PAIR}",
        f"{PAIR}\nB moved by 3",
    ],
)
def test_what_may_move_a_body_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        _ = read_text(text).pair


def test_a_mark_of_byte_order_and_another_systems_line_ends_change_nothing() -> None:
    for text in ("box 1 1 1 at 0 0 0\nsphere radius 0.5 at 0.9 0 0\n", "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n\n1\n2 0 0\n"):
        scene = read_text(text).pair.scene
        assert read_text("\ufeff" + text.replace("\n", "\r\n")).pair.scene == scene
