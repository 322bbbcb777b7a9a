"""JSON is read the same whichever way reads it, and an answer's line has the same values however it was written."""

from __future__ import annotations

import json
import math
import random
import struct
from typing import Any

import numpy as np
import pytest

from app.storage import strict_json
from app.storage.strict_json import DEEPEST, DataError, json_line, parse, quick_line

TEXTS = (
    *('{"a":1,"a":2}', '{"a":{"b":1,"b":2}}', '{"a":[{"b":1,"c":2,"b":3}]}', '{"a":":x"}', '{":":1}', '{"":{"":1}}'),
    *('{"a":-0}', '{"a":-0.0}', '{"a":1E400}', '{"a":[1e309]}', '{"a":1e-400}', f'{{"a":{"9" * 400}}}'),
    *(f'{{"a":{"9" * 5000}}}', '{"a":12345678901234567890}', '{"a":9007199254740993}', '{"a":NaN}', '{"a":-Infinity}'),
    *('{"a" : [1,2.0,{"b"\n:\t3}]}', '{"a":01}', '{"a":+1}', '{"a":1,}', "{'a':1}", '{"a":true,"b":null}', '{"a":.5}'),
    *('{"a":"\\ud800"}', '{"a":"\\u00e9"}', '{"a":"\ud800"}', '{"é":"×"}', '{"a":"\x01"}', '{"a":"\\"b\\":1"}'),
    *('{"a":1}x', ' {"a":1}  \n', '{"a":1}\x00', '\x0b{"a":1}', '\xa0{"a":1}', "[1]", "3", '"x"', "{}", "[]", ""),
    *(f'{{"a":{"[" * n}{"]" * n}}}' for n in (DEEPEST - 1, DEEPEST, 100_000)),
    *('{"a":' * n + "1" + "}" * n for n in (DEEPEST, DEEPEST + 1)),
)
"""What the quick way must read as the strict one does, or leave to it."""


def _told(text: str) -> object:
    try:
        return "read", parse(text)
    except DataError as error:
        return str(error)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:20].encode("ascii", "replace").decode())
def test_the_quick_way_reads_as_the_strict_one(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = _told(text)
    monkeypatch.setattr(strict_json, "_plain_tree", lambda _: None)
    assert repr(quick) == repr(_told(text))


@pytest.mark.parametrize(
    "text", ['"' + '\\",' * 1_100_000, "[" * 2000 + '"' + '\\"[' * 1_100_000], ids=["commas", "brackets"]
)
def test_a_text_without_an_end_is_refused_in_one_pass(text: str) -> None:
    """Sought anew from each of its million quotation marks, this would take hours."""
    with pytest.raises(DataError):
        parse(text)
    assert [found[0] for found in strict_json._TEXT_OR_BRACKET.finditer('{"a\\"[": ["b]')] == [
        "{",
        '"a\\"["',
        "[",
        '"b]',
    ]


def test_both_ways_read_the_same_doubles() -> None:
    rng = random.Random(1)
    bits = [struct.unpack("d", struct.pack("Q", rng.getrandbits(64)))[0] for _ in range(20_000)]
    values = [value for value in bits if math.isfinite(value)] + [rng.uniform(-9.0, 9.0) for _ in range(10_000)]
    spelled = [rng.choice((f"{value!r}", f"{value:.17e}", f"{value:.30e}")) for value in values]
    tree = strict_json._plain_tree(f'{{"a": [{", ".join(spelled)}]}}')
    assert tree is not None
    assert tree["a"] == values


VALUES: tuple[Any, ...] = (
    {"name": 'a "pair" × 2\\\n', "normal": [1.0, -0.0, 0.1 + 0.2], "mtv": None, "sat": {"applies": True, "ties": []}},
    {"file": "\udc80.jsonl", "line": 3, "separation": np.float64(1e-300), "gap": 5e-324, "far": [1e22, 123456789.0]},
    {"A.x×B.z": ["é", "\U0001f4d0", "\x7f\x01"], "empty": {}, "rows": [[1, 2], [3]]},
)


@pytest.mark.parametrize("values", VALUES)
def test_a_quick_line_has_the_same_values_in_letters_that_every_terminal_has(values: Any) -> None:
    line = quick_line(values)
    assert line.isascii()
    assert "\n" not in line
    assert json.loads(line) == json.loads(json_line(values)) == values


def test_a_quick_line_has_nothing_for_what_is_not_finite() -> None:
    assert quick_line({"a": [math.nan, math.inf, 2.0]}) == '{"a": [null, null, 2.0]}'
